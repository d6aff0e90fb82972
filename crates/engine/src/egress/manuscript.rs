use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::hash::{DefaultHasher, Hash, Hasher};

use precedent_domain::title_key;
use precedent_language::wording::{is_evaluative, is_function_word, is_generic, tagged};
use rustc_hash::FxHashSet;

use crate::extract::tokens;

/// Maximum number of consecutive manuscript words in a query. A technical term has at most that many words, a sentence has more.
pub(super) const MOST_CONSECUTIVE: usize = 6;

/// The wording of a manuscript: its runs of words, and how often each word occurs.
#[derive(Debug, Default)]
pub(super) struct Manuscript {
    /// Hashes of all runs one word longer than the limit.
    runs: FxHashSet<u64>,
    /// The same without function words, so that dropping an `of` does not make a sentence sendable.
    meaningful_runs: FxHashSet<u64>,
    counts: BTreeMap<String, usize>,
}

/// Whether a word says something about a topic.
pub(super) fn is_meaningful(word: &str) -> bool {
    !is_function_word(word) && word.chars().nth(1).is_some()
}

/// The indices of words that name things or their properties: nouns and adjectives.
fn describing(words: &[String]) -> BTreeSet<usize> {
    let text = words.join(" ");
    let mut tags = tagged(&text).into_iter().peekable();
    let mut start = 0;
    let mut found = BTreeSet::new();
    for (at, word) in words.iter().enumerate() {
        while tags.next_if(|one| one.range.end <= start).is_some() {}
        if tags.peek().is_some_and(|one| one.tag.describes()) {
            found.insert(at);
        }
        start += word.len() + 1;
    }
    found
}

fn hash(of: &(impl Hash + ?Sized)) -> u64 {
    let mut hasher = DefaultHasher::new();
    of.hash(&mut hasher);
    hasher.finish()
}

impl Manuscript {
    /// Adds a text. A word broken at a line end or joined by a hyphen counts in both spellings.
    pub(super) fn read(&mut self, text: &str) {
        let mut joined = String::with_capacity(text.len());
        let mut rest = text;
        while let Some((before, after)) = rest.split_once('-') {
            joined.push_str(before);
            rest = match after.trim_start_matches([' ', '\t']).strip_prefix('\n') {
                Some(next_line) => next_line.trim_start(),
                None => {
                    joined.push('-');
                    after
                }
            };
        }
        joined.push_str(rest);
        let solid = joined.replace('-', "");
        for (at, text) in [text, joined.as_str(), solid.as_str()].into_iter().enumerate() {
            let words: Vec<String> = tokens(text).iter().map(|word| title_key(word)).collect();
            let all: Vec<u64> = words.iter().map(hash).collect();
            let telling = words.iter().zip(&all).filter(|(word, _)| is_meaningful(word));
            let (telling, hashes): (Vec<&String>, Vec<u64>) = telling.unzip();
            self.runs.extend(all.windows(MOST_CONSECUTIVE + 1).map(hash));
            self.meaningful_runs
                .extend(hashes.windows(MOST_CONSECUTIVE + 1).map(hash));
            if at == 0 {
                for word in telling {
                    match self.counts.get_mut(word) {
                        Some(count) => *count += 1,
                        None => _ = self.counts.insert(word.clone(), 1),
                    }
                }
            }
        }
    }

    /// Cuts every overlong run of the manuscript to its most informative words, at most six of them.
    pub(super) fn shortened(&self, mut words: Vec<String>) -> Vec<String> {
        while let Some((start, end)) = self.long_run(&words) {
            let kept = self.best_of(words.get(start..end).unwrap_or_default(), MOST_CONSECUTIVE);
            words.splice(start..end, kept);
        }
        words
    }

    /// The first overlong run of manuscript words.
    fn long_run(&self, words: &[String]) -> Option<(usize, usize)> {
        let plain: Vec<String> = words.iter().map(|word| title_key(word)).collect();
        let hashes: Vec<u64> = plain.iter().map(hash).collect();
        let mut is_copied = vec![false; words.len()];
        let mut mark = |places: &[usize], runs: &FxHashSet<u64>| {
            for window in places.windows(MOST_CONSECUTIVE + 1) {
                let run: Vec<u64> = window.iter().filter_map(|&at| hashes.get(at).copied()).collect();
                if let (true, Some(&first), Some(&last)) =
                    (runs.contains(&hash(run.as_slice())), window.first(), window.last())
                {
                    is_copied
                        .iter_mut()
                        .take(last + 1)
                        .skip(first)
                        .for_each(|one| *one = true);
                }
            }
        };
        let all: Vec<usize> = (0..words.len()).collect();
        let telling = plain.iter().enumerate().filter(|(_, word)| is_meaningful(word));
        let telling: Vec<usize> = telling.map(|(at, _)| at).collect();
        mark(&all, &self.runs);
        mark(&telling, &self.meaningful_runs);
        let start = is_copied.iter().position(|one| *one)?;
        let length = is_copied.iter().skip(start).take_while(|one| **one).count();
        Some((start, start + length))
    }

    /// The most informative words of a run, at most `most`, in order. Words that every paper uses come last. Of the others, nouns and adjectives come
    /// first, those that recur in the paper before the rest.
    pub(super) fn best_of(&self, run: &[String], most: usize) -> Vec<String> {
        let describing = describing(run);
        let mut telling: Vec<(usize, &String)> =
            run.iter().enumerate().filter(|(_, word)| is_meaningful(word)).collect();
        telling.sort_by_key(|(at, word)| {
            let is_common = is_generic(word) || is_evaluative(word) || word.chars().all(|c| c.is_ascii_digit());
            let count = self.counts.get(&title_key(word)).copied().unwrap_or_default();
            (is_common, !describing.contains(at), Reverse(count), *at)
        });
        telling.truncate(most);
        telling.sort_by_key(|(at, _)| *at);
        telling.into_iter().map(|(_, word)| word.clone()).collect()
    }
}
