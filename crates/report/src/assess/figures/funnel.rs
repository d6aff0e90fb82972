use askama::Template;

use crate::view::Digest;
use crate::words;

/// The number of papers left after each selection step, one chart per scope.
#[derive(Template)]
#[template(path = "parts/funnel.html")]
pub(crate) struct FunnelFigure {
    pub(crate) scopes: Vec<FunnelScope>,
}

/// One scope.
pub(crate) struct FunnelScope {
    pub(crate) name: String,
    /// The chart as text.
    pub(crate) words: String,
    pub(crate) bars: Vec<Bar>,
}

/// One selection step of one scope.
pub(crate) struct Bar {
    pub(crate) label: &'static str,
    pub(crate) count: String,
    pub(crate) y: usize,
    pub(crate) width: usize,
}

/// Maximum length of a bar, in SVG units.
const WIDTH: usize = 132;
const STEP: usize = 22;

impl FunnelFigure {
    /// Builds the charts of a run.
    pub(crate) fn new(digest: &Digest<'_>) -> Self {
        Self {
            scopes: digest
                .funnel()
                .into_iter()
                .map(|(name, counts)| scope(name, counts))
                .collect(),
        }
    }
}

fn scope(name: String, counts: [usize; 7]) -> FunnelScope {
    let most = counts.iter().copied().max().unwrap_or(0).max(1);
    let text: Vec<String> = words::FUNNEL_STEPS
        .iter()
        .zip(counts)
        .map(|(step, count)| format!("{} {step}", words::thousands(count)))
        .collect();
    let bars = words::FUNNEL_STEPS
        .iter()
        .zip(counts)
        .enumerate()
        .map(|(at, (label, count))| Bar {
            label,
            count: words::thousands(count),
            y: at * STEP,
            // A square-root scale keeps short bars distinguishable next to a long one. The counts are printed next to the bars.
            width: (WIDTH * isqrt_share(count, most) / 1000).max(usize::from(count > 0) * 2),
        });
    FunnelScope {
        words: format!("{name}: {}.", words::and_list(&text)),
        bars: bars.collect(),
        name,
    }
}

/// The square root of `part / whole` in thousandths.
fn isqrt_share(part: usize, whole: usize) -> usize {
    (part.saturating_mul(1_000_000) / whole).isqrt().min(1000)
}
