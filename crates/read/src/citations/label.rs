use std::collections::BTreeMap;

use precedent_domain::{CitationMark, Reference, Span};
use precedent_text::pattern;

use crate::assemble::tail;

/// The forms of label marks that a paper uses.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Forms {
    bracket: bool,
    round: bool,
    raised: bool,
}

/// Printed labels and the entries they refer to. Entries of a list without labels are numbered.
pub(super) struct Labels {
    /// Entries by label, with the offset of the first of them. A label can have several works, which follow each other, and a paper with two lists
    /// uses a label twice.
    by_label: BTreeMap<String, Vec<(usize, Vec<u32>)>>,
    /// Whether labels are printed rather than counted.
    printed: bool,
}

impl Labels {
    pub(super) fn of(entries: &[Reference]) -> Self {
        let printed = entries.iter().filter(|entry| entry.label.is_some()).count() * 2 > entries.len();
        let mut by_label: BTreeMap<String, Vec<(usize, Vec<u32>)>> = BTreeMap::new();
        for entry in entries {
            let label = match &entry.label {
                Some(label) if printed => fold(label),
                _ if printed => continue,
                _ => entry.number.to_string(),
            };
            let lists = by_label.entry(label).or_default();
            match lists.last_mut() {
                Some((_, works)) if works.last() == Some(&(entry.number - 1)) => works.push(entry.number),
                _ => lists.push((entry.span.start, vec![entry.number])),
            }
        }
        Self { by_label, printed }
    }

    /// The entries with `label` at this offset: from the next list after it, or else from the last list.
    fn entries(&self, label: &str, at: usize) -> &[u32] {
        let lists = self.by_label.get(label).map(Vec::as_slice).unwrap_or_default();
        // Lists are sorted by offset.
        let next = lists.get(lists.partition_point(|(place, _)| *place <= at));
        next.or_else(|| lists.last()).map_or(&[], |(_, works)| works)
    }

    /// The marks in `text`, which starts at offset `base`.
    pub(super) fn marks(&self, text: &str, base: usize, forms: Forms) -> Vec<CitationMark> {
        let mut marks = Vec::new();
        if forms.bracket {
            for found in brackets(text) {
                let (Some(whole), Some(inside)) = (found.get(0), found.get(1)) else {
                    continue;
                };
                let before = text.get(..whole.start()).unwrap_or_default();
                if let Some(references) = self
                    .named_entries(inside.as_str(), base + whole.start())
                    .filter(|_| !is_index(before))
                {
                    marks.push(mark(base, whole.start(), whole.end(), references));
                }
            }
        }
        if forms.round {
            marks.extend(self.round_marks(text, base));
        }
        if forms.raised {
            for found in raised_pattern().find_iter(text) {
                let before = text.get(..found.start()).unwrap_or_default();
                let lowered: String = found.as_str().chars().map(lower_digit).collect();
                if let Some(references) = self
                    .named_entries(&lowered, base + found.start())
                    .filter(|references| !references.is_empty() && !is_power(before))
                {
                    marks.push(mark(base, found.start(), found.end(), references));
                }
            }
        }
        marks
    }

    /// Marks in round brackets, as used by some journals and the older ACM style.
    fn round_marks(&self, text: &str, base: usize) -> Vec<CitationMark> {
        pattern!(r"\((\d{1,3}(?:\s*[,–—-]\s*\d{1,3})*)\)")
            .captures_iter(text)
            .filter_map(|found| {
                let (whole, inside) = (found.get(0)?, found.get(1)?);
                let before = text.get(..whole.start())?;
                let references = self.named_entries(inside.as_str(), base + whole.start())?;
                let is_mark = !references.is_empty() && !before.trim().is_empty() && !names_something_else(before);
                is_mark.then(|| mark(base, whole.start(), whole.end(), references))
            })
            .collect()
    }

    /// The entries named inside a mark; `None` if this is not a mark. Labels missing from the list are skipped.
    fn named_entries(&self, inside: &str, at: usize) -> Option<Vec<u32>> {
        let mut numbers = Vec::new();
        let mut known = 0;
        let mut unknown = 0;
        let part = pattern!(
            r"^(?:(?:see|e\.g\.|cf\.|also|and|in)[,\s]+)*(?P<from>\d{1,4}[a-z]?)(?:\s*[-–—−]\s*(?P<to>\d{1,4}))?$"
        );
        for piece in inside
            .split([',', ';'])
            .map(str::trim)
            .filter(|piece| !piece.is_empty())
        {
            let entries = self.entries(&fold(piece), at);
            if !entries.is_empty() {
                numbers.extend(entries);
                known += 1;
                continue;
            }
            let Some(found) = part.captures(piece) else {
                // `[3, Section 2]`: words after a label are a locator.
                if known > 0 {
                    break;
                }
                return None;
            };
            let from = found.name("from").map_or("", |from| from.as_str());
            let to = found.name("to").and_then(|to| to.as_str().parse::<u32>().ok());
            match (from.parse::<u32>(), to) {
                (Ok(from), Some(to)) if from > 0 && to > from && to - from <= 60 => {
                    let between: Vec<u32> = (from..=to)
                        .flat_map(|label| self.entries(&label.to_string(), at))
                        .copied()
                        .collect();
                    known += usize::from(!between.is_empty());
                    unknown += usize::from(between.is_empty());
                    numbers.extend(between);
                }
                (Ok(0), _) => return None,
                _ => {
                    let entries = self.entries(&fold(from), at);
                    known += usize::from(!entries.is_empty());
                    unknown += usize::from(entries.is_empty());
                    numbers.extend(entries);
                }
            }
        }
        let mut seen = Vec::new();
        numbers.retain(|number| {
            let new = !seen.contains(number);
            seen.push(*number);
            new
        });
        let is_number = inside.trim().starts_with(|c: char| c.is_ascii_digit());
        (known > 0 || unknown > 0 && self.printed && is_number).then_some(numbers)
    }
}

impl Forms {
    /// Detects which forms the texts use, by how often each form would link. `named` is the number of author-year marks that link.
    pub(super) fn used<'a>(texts: impl Iterator<Item = &'a str>, labels: &Labels, named: usize) -> Self {
        let round_list = pattern!(r"\(\d{1,3}\s*[,–—-]\s*\d{1,3}(?:\s*[,–—-]\s*\d{1,3})*\)");
        let (mut bracket, mut round, mut single, mut raised) = (0, 0, 0, 0);
        for text in texts {
            bracket += brackets(text)
                .filter(|found| {
                    found
                        .get(1)
                        .and_then(|inside| labels.named_entries(inside.as_str(), 0))
                        .is_some_and(|named_entries| !named_entries.is_empty())
                })
                .count();
            round += round_list.find_iter(text).count();
            single += labels.round_marks(text, 0).len();
            raised += raised_pattern()
                .find_iter(text)
                .filter(|found| !is_power(text.get(..found.start()).unwrap_or_default()))
                .count();
        }
        let needed = if labels.printed { 1 } else { 3 };
        let brackets = bracket >= needed && (labels.printed || bracket * 2 > named);
        Self {
            bracket: brackets,
            round: !brackets && round > named && round >= 2
                || bracket == 0 && labels.printed && single >= 5 && single > named,
            raised: bracket < 3 && raised >= 3 && raised > named,
        }
    }
}

/// Square brackets, if their text is short enough for citations. A limit inside the pattern would take long to compile.
fn brackets(text: &str) -> impl Iterator<Item = regex::Captures<'_>> {
    let found = pattern!(r"\[\s*([^\[\]\n]+?)\s*\]").captures_iter(text);
    found.filter(|found| {
        found
            .get(1)
            .is_some_and(|inside| inside.as_str().chars().count() <= 160)
    })
}

fn raised_pattern() -> &'static regex::Regex {
    pattern!(r"[⁰¹²³⁴⁵⁶⁷⁸⁹]+(?:[,˒‚⁻–-]\s?[⁰¹²³⁴⁵⁶⁷⁸⁹]+)*")
}

fn lower_digit(c: char) -> char {
    match c {
        '⁰' => '0',
        '¹' => '1',
        '²' => '2',
        '³' => '3',
        '⁴' => '4',
        '⁵' => '5',
        '⁶' => '6',
        '⁷' => '7',
        '⁸' => '8',
        '⁹' => '9',
        '⁻' => '-',
        '˒' | '‚' => ',',
        other => other,
    }
}

fn mark(base: usize, start: usize, end: usize, references: Vec<u32>) -> CitationMark {
    CitationMark {
        span: Span::new(base + start, base + end),
        references,
    }
}

/// Number of bytes before a mark that are checked for words that rule it out.
const WORDS_BEFORE: usize = 256;

/// An index or an interval: `x[3]`, `∈ [1, 10]`, `f = [2]`, `the range [1, 5]`.
fn is_index(before: &str) -> bool {
    let before = tail(before, WORDS_BEFORE);
    let glued = before.chars().last().is_some_and(|c| c.is_alphanumeric() || c == '_');
    let word: String = before
        .chars()
        .rev()
        .take_while(|c| c.is_alphanumeric() || *c == '_')
        .collect();
    let operator = before.trim_end().chars().last().is_some_and(|c| {
        matches!(
            c,
            '∈' | '=' | '×' | '⊂' | '⊆' | '∪' | '→' | '<' | '>' | '+' | '^' | '·' | '∗'
        )
    });
    glued && word.chars().count() < 3 || operator || pattern!(r"(?i)\b(?:interval|range|ranges|between|scale|values? in|rescaled to|normali[sz]ed to)\s*(?:of|from|to)?\s*$").is_match(before)
}

/// `Eq. (3)`, `Step (2)`, `Table (4)`.
fn names_something_else(before: &str) -> bool {
    let before = tail(before, WORDS_BEFORE);
    pattern!(r"(?i)\b(?:eqs?|equations?|fig(?:ure)?s?|tables?|steps?|cases?|lemmas?|theorems?|conditions?|parts?|sections?|constraints?|inequality|problems?|formula|definition|example|sentence|rules?|line|item|by|and|or|of|from|n|vol|\d)\s*\.?\s*$")
        .is_match(before)
}

/// `m²`, `x³`, `10⁶`: the raised digit belongs to a unit, a variable or a number.
fn is_power(before: &str) -> bool {
    let word: Vec<char> = before.chars().rev().take_while(|c| c.is_alphanumeric()).collect();
    let empty_ok = before
        .chars()
        .last()
        .is_some_and(|c| matches!(c, '.' | ',' | ')' | ';' | ':' | '”' | '"' | '’'));
    if word.is_empty() {
        return !empty_ok;
    }
    word.len() < 3 || word.iter().any(|c| c.is_ascii_digit())
}

/// Folds brackets, spaces and case so that labels compare equal.
fn fold(label: &str) -> String {
    label
        .chars()
        .filter(|c| !c.is_whitespace() && !matches!(c, '[' | ']' | '(' | ')' | '.'))
        .flat_map(char::to_lowercase)
        .collect()
}
