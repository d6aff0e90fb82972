use crate::view::Digest;
use crate::words;

/// How many works were left after each step, one small picture a scope.
pub(crate) struct FunnelFigure {
    pub(crate) scopes: Vec<FunnelScope>,
    pub(crate) steps: [&'static str; 7],
    pub(crate) merged: String,
}

/// One scope.
pub(crate) struct FunnelScope {
    pub(crate) name: String,
    /// The figure in a sentence.
    pub(crate) words: String,
    pub(crate) bars: Vec<Bar>,
}

/// One step of one scope.
pub(crate) struct Bar {
    pub(crate) label: &'static str,
    pub(crate) count: String,
    pub(crate) y: usize,
    pub(crate) width: usize,
}

/// Longest bar, in units of the drawing.
const WIDTH: usize = 132;
const STEP: usize = 22;

impl FunnelFigure {
    /// The funnel of a run.
    pub(crate) fn new(digest: &Digest<'_>) -> Self {
        Self {
            scopes: digest
                .funnel()
                .into_iter()
                .map(|(name, counts)| scope(name, counts))
                .collect(),
            steps: words::FUNNEL_STEPS,
            merged: digest.merged(),
        }
    }
}

fn scope(name: String, counts: [usize; 7]) -> FunnelScope {
    let most = counts.iter().copied().max().unwrap_or(0).max(1);
    let said: Vec<String> = words::FUNNEL_STEPS
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
            // Square roots keep the short bars apart beside a long first one; the figures stand beside them.
            width: (WIDTH * isqrt_share(count, most) / 1000).max(usize::from(count > 0) * 2),
        });
    FunnelScope {
        words: format!("{name}: {}.", words::and_list(&said)),
        bars: bars.collect(),
        name,
    }
}

/// The square root of `part / whole` in thousandths.
fn isqrt_share(part: usize, whole: usize) -> usize {
    (part.saturating_mul(1_000_000) / whole).isqrt().min(1000)
}
