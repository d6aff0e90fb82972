//! Finds where a run of tokens could match in a source, and aligns the tokens.

use crate::Source;
use crate::index::Posting;
use crate::token::Entry;

/// Maximum postings examined per quote, and per pair of its tokens: pairs that are everywhere carry little information.
const POSTING_BUDGET: usize = 768;
const POSTINGS_PER_PAIR: usize = 128;
/// Pairs with at most this many postings are examined even when the budget is used up.
const RARE: usize = 8;
/// Maximum runs chained, and maximum places scored.
const MOST_RUNS: usize = 160;
const MOST_PLACES: usize = 4;
/// Maximum source tokens that a passage may skip at once: a list of citations, or a caption in between.
const WIDEST_GAP: usize = 120;
/// Maximum tokens beyond the remaining length of the quote that are examined before its first and after its last run.
const END_SLACK: usize = 12;
/// A place is scored only if its runs amount to at least this share of the best place's runs.
const WORTH_WEIGHING: f64 = 0.75;
/// A place is scored only if its runs have at least this share of the quote's tokens. Shorter ones cannot be extended to the half that a reported
/// place needs.
const LEAST_SHARE: f64 = 0.25;
/// Costs, in tokens, of one more run in a chain, and of each token that is skipped in the source and in the quote. Chosen by hand: a skipped token
/// of the quote is worse than one of the source, and neither outweighs a token that agrees. `cargo xtask bench quotes` measures them.
const RUN_COST: f64 = 0.2;
const SOURCE_GAP_COST: f64 = 0.01;
const QUOTE_GAP_COST: f64 = 0.05;
/// A place with this many fewer agreeing tokens than the best one is still scored.
pub(crate) const CLOSE_RIVAL: usize = 2;
/// Maximum size of the table filled between two runs.
const LARGEST_TABLE: usize = 1 << 16;

/// A run of equal tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Run {
    pub(crate) quote: usize,
    pub(crate) source: usize,
    pub(crate) length: usize,
}

impl Run {
    fn quote_end(self) -> usize {
        self.quote + self.length
    }

    fn source_end(self) -> usize {
        self.source + self.length
    }
}

/// One alignment of a quote with a source: the agreeing tokens as (quote, source) pairs, increasing on both sides.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) pairs: Vec<(usize, usize)>,
}

/// The maximal runs that quote and source share, found through the source's pair index. Rare pairs come first, and the work is bounded.
///
/// `pairs` holds the positions of every pair of adjacent tokens in `quote`.
pub(crate) fn runs(source: &Source, quote: &[Entry], pairs: &[&[Posting]]) -> Vec<Run> {
    let tokens = source.keys();
    let mut seeds: Vec<(usize, &[Posting])> = pairs
        .iter()
        .copied()
        .enumerate()
        .filter(|(_, postings)| !postings.is_empty())
        .collect();
    seeds.sort_unstable_by_key(|(at, postings)| (postings.len(), *at));
    let neighbours = |at: Option<usize>| at.and_then(|at| pairs.get(at)).copied().unwrap_or_default();
    let mut found = RunSearch {
        tokens,
        quote,
        candidates: Vec::with_capacity(seeds.len()),
        runs: Vec::with_capacity(8),
        last: [(usize::MAX, 0, 0); DIAGONALS],
    };
    let mut budget = POSTING_BUDGET;
    let rare = seeds.partition_point(|(_, postings)| postings.len() <= 4);
    for (number, (at, postings)) in seeds.into_iter().enumerate() {
        if number == rare {
            found.extend_candidates();
            if found.suffices(rare) {
                break;
            }
        }
        let rare_enough = postings.len() <= RARE;
        if budget == 0 && !rare_enough {
            break;
        }
        let allowed = if rare_enough {
            RARE
        } else {
            POSTINGS_PER_PAIR.min(budget)
        };
        let taken = postings.len().min(allowed);
        budget = budget.saturating_sub(taken);
        let rare = postings.len() <= 4;
        let (before, after) = (neighbours(at.checked_sub(1)), neighbours(Some(at + 1)));
        if !rare && before.is_empty() && after.is_empty() {
            continue;
        }
        let (mut before, mut after) = (before, after);
        for posting in postings.iter().take(taken) {
            // A frequent pair counts only together with a third token. That is checked in the index, without reading the text.
            if rare
                || has_position(&mut before, posting.position.wrapping_sub(1))
                || has_position(&mut after, posting.position.wrapping_add(1))
            {
                let position = posting.position as usize;
                // Read here in one batch, so that the reads do not wait for each other; compared below.
                let key = tokens.get(position).copied();
                found.candidates.push(RunCandidate {
                    at,
                    position,
                    key,
                    rare,
                });
            }
        }
    }
    found.extend_candidates();
    let mut runs = found.runs;
    runs.sort_unstable_by_key(|run| (std::cmp::Reverse(run.length), run.quote, run.source));
    runs.dedup();
    runs.truncate(MOST_RUNS);
    runs
}

/// The runs found so far, and the candidates still to be examined.
struct RunSearch<'a> {
    tokens: &'a [u64],
    quote: &'a [Entry],
    candidates: Vec<RunCandidate>,
    runs: Vec<Run>,
    /// The last run found on each diagonal, as its start and end in the quote. An evicted diagonal is simply examined again.
    last: [(usize, usize, usize); DIAGONALS],
}

/// Number of diagonals remembered.
const DIAGONALS: usize = 32;
/// Number of tokens by which the runs of one passage may exceed the quote's length.
const SPREAD: usize = 40;
/// Number of extra insertions between rare pairs, beyond its missing tokens, that a competing place may have without being found.
const UNSEEN_INSERTIONS: usize = 4;

impl RunSearch<'_> {
    /// Extends the candidates to runs.
    fn extend_candidates(&mut self) {
        for candidate in self.candidates.drain(..) {
            let at = candidate.at;
            if self.quote.get(at).map(|entry| entry.key) != candidate.key {
                continue;
            }
            let diagonal = candidate.position + self.quote.len() - at;
            let slot = self.last.get_mut(diagonal % DIAGONALS);
            if slot
                .as_ref()
                .is_some_and(|(held, from, to)| *held == diagonal && (*from..*to).contains(&at))
            {
                continue;
            }
            let run = extend(self.tokens, self.quote, at, candidate.position);
            if let Some(slot) = slot {
                *slot = (diagonal, run.quote, run.quote_end());
            }
            if run.length >= 3 || run.length == 2 && candidate.rare {
                self.runs.push(run);
            }
        }
    }

    /// Whether the runs through the `rare` rarest pairs are sufficient. They must form one passage, and any competing place with nearly as many
    /// agreeing tokens would have to contain one of these pairs.
    fn suffices(&self, rare: usize) -> bool {
        let starts = self.runs.iter().map(|run| run.source);
        let (Some(from), Some(to)) = (starts.min(), self.runs.iter().map(|run| run.source_end()).max()) else {
            return false;
        };
        if self.runs.len() > SPREAD || to - from > self.quote.len() + SPREAD {
            return false;
        }
        let mut runs: Vec<(usize, usize)> = self.runs.iter().map(|run| (run.quote, run.quote_end())).collect();
        runs.sort_unstable();
        let (mut covered, mut end) = (0, 0);
        for (start, stop) in runs {
            covered += stop.saturating_sub(start.max(end));
            end = end.max(stop);
        }
        let lacking = self.quote.len().saturating_sub(covered);
        // Each token missing in a competing place breaks two pairs, and a close competitor may miss `lacking + CLOSE_RIVAL` tokens.
        rare > 2 * (lacking + CLOSE_RIVAL) + UNSEEN_INSERTIONS
    }
}

/// A position of a pair that may be part of a run.
struct RunCandidate {
    at: usize,
    position: usize,
    /// The source token at `position`.
    key: Option<u64>,
    rare: bool,
}

/// Whether one of the postings is at `position`. Earlier postings are dropped, because postings and requested positions both increase.
fn has_position(postings: &mut &[Posting], position: u32) -> bool {
    let before = |posting: &Posting| posting.position < position;
    let mut step = 1;
    while postings.get(step).is_some_and(before) {
        step *= 2;
    }
    let near = postings.get(..step.min(postings.len())).unwrap_or_default();
    let passed = near.partition_point(before);
    *postings = postings.get(passed..).unwrap_or_default();
    postings.first().is_some_and(|posting| posting.position == position)
}

fn extend(tokens: &[u64], quote: &[Entry], at: usize, position: usize) -> Run {
    let agreeing = |(left, right): &(&Entry, &u64)| left.key == **right;
    let back = quote
        .iter()
        .take(at)
        .rev()
        .zip(tokens.iter().take(position).rev())
        .take_while(agreeing)
        .count();
    let on = quote
        .iter()
        .skip(at)
        .zip(tokens.iter().skip(position))
        .take_while(agreeing)
        .count();
    Run {
        quote: at - back,
        source: position - back,
        length: back + on,
    }
}

/// The best alignments of `quote` with `source`, best first.
pub(crate) fn places(source: &Source, quote: &[Entry], runs: &[Run]) -> Vec<Place> {
    let mut runs = runs.to_vec();
    runs.sort_by_key(|run| (run.source, run.quote));
    let longest = runs.iter().map(|run| run.length).max().unwrap_or(0);
    let reach = WIDEST_GAP + 2 * quote.len() + longest;
    let mut best: Vec<(f64, Option<usize>)> = Vec::with_capacity(runs.len());
    for (index, run) in runs.iter().enumerate() {
        #[expect(clippy::cast_precision_loss, reason = "token counts are far below 2^52")]
        let own = run.length as f64;
        let mut score = (own, None);
        let before = runs.iter().zip(&best).enumerate().take(index).rev();
        for (earlier_index, (earlier, (earlier_score, _))) in before {
            if earlier.source + reach < run.source {
                break;
            }
            if let Some(cost) = link_cost(*earlier, *run) {
                let linked = earlier_score + own - cost;
                if linked > score.0 {
                    score = (linked, Some(earlier_index));
                }
            }
        }
        best.push(score);
    }
    let mut ends: Vec<usize> = (0..runs.len()).collect();
    ends.sort_by(|left, right| {
        let score = |index: &usize| best.get(*index).map_or(0.0, |entry| entry.0);
        score(right).total_cmp(&score(left)).then(left.cmp(right))
    });
    let score_of = |index: usize| best.get(index).map_or(0.0, |entry| entry.0);
    let least = ends.first().map_or(0.0, |end| score_of(*end)) * WORTH_WEIGHING;
    #[expect(clippy::cast_precision_loss, reason = "token counts are far below 2^52")]
    let least = least.max(quote.len() as f64 * LEAST_SHARE);
    let mut taken: Vec<(usize, usize)> = Vec::new();
    let mut found = Vec::new();
    for end in ends {
        if found.len() == MOST_PLACES || score_of(end) < least {
            break;
        }
        let mut chain = Vec::new();
        let mut next = Some(end);
        while let Some(index) = next {
            let (Some(run), Some(entry)) = (runs.get(index), best.get(index)) else {
                break;
            };
            chain.push(*run);
            next = entry.1;
        }
        chain.reverse();
        let (Some(first), Some(last)) = (chain.first(), chain.last()) else {
            continue;
        };
        let range = (first.source, last.source_end());
        if taken.iter().any(|(from, to)| *from < range.1 && range.0 < *to) {
            continue;
        }
        taken.push(range);
        found.push(fill(source, quote, &chain));
    }
    found
}

/// Cost of continuing from one run to the next; `None` if they cannot follow each other in one passage.
fn link_cost(from: Run, to: Run) -> Option<f64> {
    if to.quote <= from.quote || to.source <= from.source {
        return None;
    }
    let overlap = from
        .quote_end()
        .saturating_sub(to.quote)
        .max(from.source_end().saturating_sub(to.source));
    if overlap >= to.length {
        return None;
    }
    let quote_gap = (to.quote + overlap).saturating_sub(from.quote_end());
    let source_gap = (to.source + overlap).saturating_sub(from.source_end());
    if source_gap > WIDEST_GAP + 2 * quote_gap {
        return None;
    }
    #[expect(clippy::cast_precision_loss, reason = "token counts are far below 2^52")]
    let (quote_gap, source_gap, overlap) = (quote_gap as f64, source_gap as f64, overlap as f64);
    Some(overlap + RUN_COST + SOURCE_GAP_COST * source_gap + QUOTE_GAP_COST * quote_gap)
}

/// The pairs of a chain of runs, plus agreeing tokens between, before and after them.
fn fill(source: &Source, quote: &[Entry], chain: &[Run]) -> Place {
    let tokens = &source.inner_tokens().entries;
    let mut pairs: Vec<(usize, usize)> = Vec::with_capacity(quote.len());
    if let Some(first) = chain.first() {
        let reach = first.quote + END_SLACK;
        let from = first.source.saturating_sub(reach);
        table(
            quote,
            tokens,
            0..first.quote,
            from..first.source,
            Ends::Right,
            &mut pairs,
        );
    }
    for run in chain {
        let (quote_done, source_done) = pairs
            .last()
            .map_or((run.quote, run.source), |(left, right)| (left + 1, right + 1));
        let overlap = quote_done
            .saturating_sub(run.quote)
            .max(source_done.saturating_sub(run.source));
        let (at, position) = (run.quote + overlap, run.source + overlap);
        if !pairs.is_empty() {
            table(
                quote,
                tokens,
                quote_done..at,
                source_done..position,
                Ends::Both,
                &mut pairs,
            );
        }
        pairs.extend((overlap..run.length).map(|step| (run.quote + step, run.source + step)));
    }
    if let Some(last) = chain.last() {
        let left = quote.len() - last.quote_end();
        let to = (last.source_end() + left + END_SLACK).min(tokens.len());
        table(
            quote,
            tokens,
            last.quote_end()..quote.len(),
            last.source_end()..to,
            Ends::Left,
            &mut pairs,
        );
    }
    Place { pairs }
}

/// Appends the best pairs of two short ranges between two runs.
pub(crate) fn between(
    left: &[Entry],
    right: &[Entry],
    left_range: std::ops::Range<usize>,
    right_range: std::ops::Range<usize>,
    pairs: &mut Vec<(usize, usize)>,
) {
    table(left, right, left_range, right_range, Ends::Both, pairs);
}

/// Which ends of a table are fixed by an adjacent run.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Ends {
    Left,
    Right,
    Both,
}

const MATCH: i32 = 3;
const NEXT_TO_MATCH: i32 = 1;
const SKIP: i32 = 1;
const NEVER: i32 = i32::MIN / 2;

/// Appends the best pairs of two short ranges. Agreement scores, consecutive agreement scores more, and each skipped token costs. At an end not
/// fixed by a run, source tokens may be skipped for free.
#[expect(
    clippy::indexing_slicing,
    reason = "hot table; row and column stay below the sizes it was created with"
)]
fn table(
    quote: &[Entry],
    source: &[Entry],
    quote_range: std::ops::Range<usize>,
    source_range: std::ops::Range<usize>,
    ends: Ends,
    pairs: &mut Vec<(usize, usize)>,
) {
    let (Some(rows), Some(columns)) = (quote.get(quote_range.clone()), source.get(source_range.clone())) else {
        return;
    };
    if rows.is_empty() || columns.is_empty() || rows.len().saturating_mul(columns.len()) > LARGEST_TABLE {
        return;
    }
    let width = columns.len() + 1;
    let mut matched = vec![NEVER; (rows.len() + 1) * width];
    let mut any = vec![0_i32; (rows.len() + 1) * width];
    let free_left = ends == Ends::Right;
    if !free_left {
        matched[0] = 0;
    }
    for column in 1..width {
        any[column] = if free_left { 0 } else { any[column - 1] - SKIP };
    }
    for (row, left) in rows.iter().enumerate() {
        let (above, here) = (row * width, (row + 1) * width);
        any[here] = any[above] - SKIP;
        for (column, right) in columns.iter().enumerate() {
            let mut best = (any[above + column + 1] - SKIP).max(any[here + column] - SKIP);
            if left.key == right.key {
                let score = MATCH + any[above + column].max(matched[above + column] + NEXT_TO_MATCH);
                matched[here + column + 1] = score;
                best = best.max(score);
            }
            any[here + column + 1] = best;
        }
    }
    // End of the last row: at the right run, or at the best score.
    let last = rows.len() * width;
    let (mut row, mut column) = (rows.len(), columns.len());
    if ends == Ends::Left {
        let best = (0..width).max_by_key(|column| (any[last + column], std::cmp::Reverse(*column)));
        column = best.unwrap_or(0);
    }
    let mut in_match = ends != Ends::Left && matched[last + column] + NEXT_TO_MATCH > any[last + column];
    let from = pairs.len();
    while row > 0 && column > 0 {
        let at = row * width + column;
        if in_match || matched[at] == any[at] {
            pairs.push((quote_range.start + row - 1, source_range.start + column - 1));
            let diagonal = at - width - 1;
            in_match = matched[diagonal] + NEXT_TO_MATCH > any[diagonal];
            row -= 1;
            column -= 1;
        } else if any[at] == any[at - width] - SKIP {
            row -= 1;
        } else {
            column -= 1;
        }
    }
    pairs[from..].reverse();
}
