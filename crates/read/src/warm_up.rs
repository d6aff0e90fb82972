//! Compiles the patterns of front matter and references while the first PDF of a process is being decoded.
//!
//! Compiling them takes longer than reading a short PDF, and decoding one begins on a single core. Reading a small paper on another thread needs most
//! of them. docs/benchmarks.md has the times.

use std::num::NonZero;
use std::sync::Once;
use std::thread;

use precedent_domain::PaperFormat;

use crate::assemble::assemble;
use crate::budget::ReadBudget;
use crate::markdown::read_markdown;
use crate::origin::origin_of;

static ONCE: Once = Once::new();

/// A paper with one of each: title, authors, affiliation, dates, abstract, citations, caption, and references in the common styles.
const PAPER: &str = "\
# Ropes in Swell

Ane Berg, Otto van Dorn

Department of Ocean Engineering, University of the Fjords, ane@example.org

Received 3 May 2003. Accepted 14 June 2003. Published online 28 June 2003. Copyright © 2003 by the authors.

**Abstract.** Ropes go slack in swell. We measure how often.

## 1 Introduction

Berg et al. (2003) measure ropes (Dorn and Lee, 2004; Hall, 2005). See Figure 1 and Equation 2 [1, 3–5].

Table 1: Slack ropes by month.

## References

[1] A. Berg and O. van Dorn. 2003. Ropes in swell. In Proceedings of the 3rd Conference on Ropes, pages 12–20. https://doi.org/10.1000/xyz123

[2] Lee, C. D., & Hall, E. (2004). Slack. Journal of Ropes, 12(3), 45–67. arXiv:2004.01234

[3] F. Hall, \"Tugs,\" IEEE Trans. Ropes, vol. 3, no. 2, pp. 1–9, Jan. 2005.
";

/// Starts the thread on the first call. On a single core, and where threads are not allowed, the patterns are compiled when they are needed.
pub(crate) fn warm_up() {
    ONCE.call_once(|| {
        if thread::available_parallelism().map_or(1, NonZero::get) < 2 {
            return;
        }
        let read = || {
            let budget = ReadBudget::default();
            if let Ok(draft) = read_markdown(PAPER, None) {
                let origin = origin_of(PAPER.as_bytes(), String::new(), PaperFormat::Markdown);
                assemble(draft, origin, &budget);
            }
        };
        drop(thread::Builder::new().spawn(read));
    });
}
