use rustc_hash::FxHashSet;

use crate::Source;
use crate::index::mix;
use crate::terms::{is_stopword, stem};
use crate::token::{TokenKind, Tokens};

/// How much of one text is contained in another. These measures need no minimum passage length, so they work for short texts and for reworded
/// reuse.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Resemblance {
    /// Share of the first text's distinct runs of 1, 2, 3, 4 and 5 words that the other also contains, 0 to 1.
    pub containment: [f64; 5],
    /// The same for single content words, by stem.
    pub stems: f64,
    /// Share of the first text's words that are in the other in runs of at least three.
    pub in_runs: f64,
    /// Number of words in the longest shared run.
    pub longest_run: usize,
}

impl Resemblance {
    /// Single score for reuse, 0 to 1: the mean of the shares of content words and of words in runs. Rewording lowers the second more than the
    /// first; a common topic raises only the first. Independently written short answers to one question stay below 0.3.
    #[must_use]
    pub fn reuse(&self) -> f64 {
        f64::midpoint(self.stems, self.in_runs)
    }
}

/// How much of `text` is contained in `other`.
#[must_use]
pub fn resemblance(text: &Source, other: &Source) -> Resemblance {
    let (here, there) = (words(text.inner_tokens()), words(other.inner_tokens()));
    let mut containment = [0.0; 5];
    for (length, slot) in (1..).zip(&mut containment) {
        *slot = contained(&grams(&here, length), &grams(&there, length));
    }
    let known = grams(&there, RUN).into_iter().collect::<FxHashSet<u64>>();
    let mut covered = vec![false; here.len()];
    for (at, hash) in all_grams(&here, RUN).enumerate() {
        if known.contains(&hash) {
            covered.iter_mut().skip(at).take(RUN).for_each(|slot| *slot = true);
        }
    }
    Resemblance {
        containment,
        stems: contained(&stems(text.inner_tokens()), &stems(other.inner_tokens())),
        in_runs: share(covered.iter().filter(|slot| **slot).count(), here.len()),
        longest_run: longest_run(&here, &there),
    }
}

/// Minimum run that [`Resemblance::in_runs`] counts.
const RUN: usize = 3;

fn words(tokens: &Tokens) -> Vec<u64> {
    let words = tokens.entries.iter().filter(|entry| entry.kind != TokenKind::Symbol);
    words.map(|entry| entry.key).collect()
}

fn stems(tokens: &Tokens) -> FxHashSet<u64> {
    let content = tokens.entries.iter().filter_map(|entry| {
        let word = tokens.norm_of(entry);
        (entry.kind != TokenKind::Symbol && !is_stopword(word)).then(|| crate::tokenize::key_of(&stem(word)))
    });
    content.collect()
}

fn all_grams(words: &[u64], length: usize) -> impl Iterator<Item = u64> + '_ {
    words
        .windows(length)
        .map(|gram| gram.iter().fold(0, |hash, key| mix(hash, *key)))
}

fn grams(words: &[u64], length: usize) -> FxHashSet<u64> {
    all_grams(words, length).collect()
}

fn contained(here: &FxHashSet<u64>, there: &FxHashSet<u64>) -> f64 {
    share(here.iter().filter(|gram| there.contains(*gram)).count(), here.len())
}

fn share(part: usize, whole: usize) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "word counts are far below 2^52")]
    let share = part as f64 / whole.max(1) as f64;
    share
}

/// Found by bisection: if a run of some length is shared, so are shorter ones.
fn longest_run(here: &[u64], there: &[u64]) -> usize {
    let shared = |length: usize| {
        let known = grams(there, length);
        all_grams(here, length).any(|gram| known.contains(&gram))
    };
    let (mut low, mut high) = (0, here.len().min(there.len()));
    while low < high {
        let middle = usize::midpoint(low, high + 1);
        if shared(middle) {
            low = middle;
        } else {
            high = middle - 1;
        }
    }
    low
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_fully_contained_in_a_text_that_includes_it() {
        let part = Source::new("the quick brown fox jumps over the lazy dog");
        let whole = Source::new("Once, the quick brown fox jumps over the lazy dog again.");
        let found = resemblance(&part, &whole);
        assert!(found.containment.iter().all(|share| (*share - 1.0).abs() < 1e-12));
        assert!((found.in_runs - 1.0).abs() < 1e-12 && found.longest_run == 9);
        assert!(resemblance(&whole, &part).containment[0] < 1.0);
        let nothing = resemblance(&part, &Source::new(""));
        assert_eq!((nothing.longest_run, nothing.in_runs), (0, 0.0));
    }
}
