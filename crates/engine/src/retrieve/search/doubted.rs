//! Doubts about papers that were found, for the top of the report.

use precedent_domain::{Doubt, DoubtfulPaper, Gap, NotSearched, Work};

/// One entry per kind of doubt: retracted papers, disputed identifiers, disputed dates. Each paper has its alias and number.
pub(crate) fn doubted<'w>(works: impl Iterator<Item = (&'w str, u32, &'w Work)>) -> Vec<NotSearched> {
    let (mut retracted, mut disputed, mut dated) = (Vec::new(), Vec::new(), Vec::new());
    for (alias, number, work) in works {
        for doubt in &work.doubts {
            let papers = match doubt {
                Doubt::Retracted { .. } => &mut retracted,
                Doubt::Disputed { .. } => &mut disputed,
                Doubt::Date { .. } => &mut dated,
            };
            papers.push(DoubtfulPaper {
                name: format!("{alias}[{number}]"),
                doubt: doubt.clone(),
            });
        }
    }
    [
        (!retracted.is_empty()).then_some(Gap::Retracted { papers: retracted }),
        (!disputed.is_empty()).then_some(Gap::IdentifiersDisputed { papers: disputed }),
        (!dated.is_empty()).then_some(Gap::DatesDisputed { papers: dated }),
    ]
    .into_iter()
    .flatten()
    .map(NotSearched::from)
    .collect()
}
