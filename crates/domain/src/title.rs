//! Similarity of two printed titles and of two abstracts.

use std::collections::BTreeSet;

use unicode_normalization::UnicodeNormalization;

use crate::title_key;

/// Minimum number of words of a title for a typo or a missing subtitle to be tolerated.
const WORDS_WITH_SLIP: usize = 5;
const WORDS_BEFORE_SUBTITLE: usize = 4;
/// Minimum number of letters of a word for a typo to be assumed. In shorter words, one letter changes the meaning.
const LETTERS_WITH_SLIP: usize = 6;
/// Minimum number of distinct words of an abstract for a comparison.
const TELLING_WORDS: usize = 20;

/// Minimum and maximum number of letters of an acronym: `ML`, `GPTQAT`.
const ACRONYM: std::ops::RangeInclusive<usize> = 2..=6;

/// How similar two printed titles are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Closeness {
    /// The same title, apart from case, spaces, accents, punctuation and typesetting.
    Same,
    /// One word of a longer title differs by one letter, as in a typo, or one title has the acronym of words of the other.
    Slip,
    /// One title lacks a subtitle that names a version: `extended version`.
    Version,
    /// One title lacks the other's subtitle. Usually the longer one is a sequel.
    Subtitle,
    /// Two different titles.
    Other,
}

/// Compares two titles as printed. Whether they name the same work also depends on authors and years.
pub(crate) fn closeness(a: &str, b: &str) -> Closeness {
    let (plain, other) = (untypeset(a), untypeset(b));
    let (key, other_key) = (title_key(&plain), title_key(&other));
    if key.is_empty() || other_key.is_empty() {
        return Closeness::Other;
    }
    if key == other_key || key.replace(' ', "") == other_key.replace(' ', "") {
        return Closeness::Same;
    }
    let (words, others): (Vec<&str>, Vec<&str>) = (key.split(' ').collect(), other_key.split(' ').collect());
    if words.len() == others.len() && words.len() >= WORDS_WITH_SLIP {
        let mut apart = words.iter().zip(&others).filter(|(a, b)| a != b);
        if let (Some((a, b)), None) = (apart.next(), apart.next())
            && is_slip(a, b)
        {
            return Closeness::Slip;
        }
    }
    if words.len() != others.len() && words.len().min(others.len()) >= WORDS_BEFORE_SUBTITLE && aligned(&words, &others)
    {
        return Closeness::Slip;
    }
    match subtitle(&plain, &other_key).or_else(|| subtitle(&other, &key)) {
        Some(subtitle) if is_version(&subtitle) => Closeness::Version,
        Some(_) => Closeness::Subtitle,
        None => Closeness::Other,
    }
}

/// Share of the words of two titles that occur in both in the same order, 0 to 1. The titles are given as keys ([`title_key`]). A word also matches its
/// plural, its parts (`pre training`) and the words that it abbreviates (`LLMs`, `large language models`).
#[must_use]
pub fn title_similarity(a: &str, b: &str) -> f64 {
    let words = |key: &str| {
        key.split(' ')
            .filter(|word| !word.is_empty())
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    let (a, b) = (words(a), words(b));
    let all = a.len() + b.len();
    #[expect(clippy::cast_precision_loss, reason = "words of a title are few")]
    let share = matched(&a, &b) as f64 / all.max(1) as f64;
    share
}

/// Whether a word of a title key is a number or has one: `2`, `yolov8`, `ii`, `third`.
pub(crate) fn is_number(word: &str) -> bool {
    const NUMBERS: [&str; 19] = [
        "i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "first", "second", "third", "fourth", "fifth", "sixth",
        "seventh", "eighth", "ninth", "tenth",
    ];
    word.contains(|c: char| c.is_ascii_digit()) || NUMBERS.contains(&word)
}

/// The numbers of a title key, in order. Two titles with different numbers are of two papers.
pub(crate) fn numbers(key: &str) -> Vec<&str> {
    key.split(' ').filter(|word| is_number(word)).collect()
}

/// Whether all words of two titles match.
fn aligned(a: &[&str], b: &[&str]) -> bool {
    matched(a, b) == a.len() + b.len()
}

/// Number of words of both titles in the longest common subsequence, where one word may match several.
fn matched(a: &[impl AsRef<str>], b: &[impl AsRef<str>]) -> usize {
    let at =
        |best: &[Vec<usize>], i: usize, j: usize| best.get(i).and_then(|row| row.get(j)).copied().unwrap_or_default();
    let mut best = vec![vec![0; b.len() + 1]; a.len() + 1];
    for i in (0..=a.len()).rev() {
        for j in (0..=b.len()).rev() {
            let (here, there) = (a.get(i..).unwrap_or_default(), b.get(j..).unwrap_or_default());
            let mut most = at(&best, i + 1, j).max(at(&best, i, j + 1));
            if let (Some(word), Some(other)) = (here.first(), there.first()) {
                let ahead = run(word.as_ref(), there).map(|run| 1 + run + at(&best, i + 1, j + run));
                let behind = run(other.as_ref(), here).map(|run| 1 + run + at(&best, i + run, j + 1));
                most = most.max(ahead.unwrap_or_default()).max(behind.unwrap_or_default());
            }
            if let Some(cell) = best.get_mut(i).and_then(|row| row.get_mut(j)) {
                *cell = most;
            }
        }
    }
    at(&best, 0, 0)
}

/// How many of the next words `word` matches: itself or its plural, its two parts, or the words that it abbreviates.
fn run(word: &str, next: &[impl AsRef<str>]) -> Option<usize> {
    let first = next.first()?.as_ref();
    if singular(word) == singular(first) {
        return Some(1);
    }
    if let Some(second) = next.get(1)
        && word.strip_prefix(first) == Some(second.as_ref())
    {
        return Some(2);
    }
    let initials = |letters: &str| {
        let count = letters.chars().count();
        let abbreviated = next.get(..count)?;
        let found = abbreviated.iter().filter_map(|one| one.as_ref().chars().next());
        (ACRONYM.contains(&count) && found.eq(letters.chars())).then_some(count)
    };
    initials(word).or_else(|| initials(singular(word)))
}

fn singular(word: &str) -> &str {
    word.strip_suffix('s').filter(|rest| rest.len() > 1).unwrap_or(word)
}

/// The share of words that two abstracts have in common; `None` if one is missing or too short to compare.
pub(crate) fn shared_words(a: Option<&str>, b: Option<&str>) -> Option<f64> {
    let words = |text: Option<&str>| -> Option<BTreeSet<String>> {
        let words = title_key(text?).split(' ').map(str::to_owned).collect::<BTreeSet<_>>();
        (words.len() >= TELLING_WORDS).then_some(words)
    };
    let (a, b) = (words(a)?, words(b)?);
    let shared = a.intersection(&b).count();
    #[expect(clippy::cast_precision_loss, reason = "words of an abstract are few")]
    let share = shared as f64 / (a.len() + b.len() - shared).max(1) as f64;
    Some(share)
}

/// The subtitle of `title`, if `key` is the part before it.
fn subtitle(title: &str, key: &str) -> Option<String> {
    const MARKS: [&str; 6] = [": ", " - ", " – ", " — ", "? ", "："];
    if key.split(' ').count() < WORDS_BEFORE_SUBTITLE {
        return None;
    }
    let parts = MARKS.iter().filter_map(|mark| title.split_once(mark));
    let (head, subtitle) = parts.min_by_key(|(head, _)| head.len())?;
    (title_key(head) == key).then(|| title_key(subtitle))
}

/// Whether a subtitle only names a version of the same work.
fn is_version(subtitle: &str) -> bool {
    const PRINTINGS: [&str; 10] = [
        "extended abstract",
        "extended version",
        "full version",
        "long version",
        "short version",
        "preliminary version",
        "revised version",
        "technical report",
        "preprint",
        "full paper",
    ];
    let plain = subtitle.trim_start_matches("an ").trim_start_matches("a ");
    PRINTINGS.contains(&plain.trim_start_matches("the "))
}

/// Whether two words differ by a typo: one letter added, dropped or replaced, or two neighbours swapped. A difference at the beginning is not a typo
/// (`symmetric`, `asymmetric`). `model` and `models` also count as a typo.
fn is_slip(a: &str, b: &str) -> bool {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    if a.len().min(b.len()) < LETTERS_WITH_SLIP || !a.iter().chain(&b).all(|c| c.is_alphabetic()) {
        return false;
    }
    let before = a.iter().zip(&b).take_while(|(a, b)| a == b).count();
    let after = a.iter().rev().zip(b.iter().rev()).take_while(|(a, b)| a == b).count();
    let left = |word: &[char]| word.len().saturating_sub(before + after);
    let exchanged =
        a.len() == b.len() && left(&a) == 2 && a.get(before) == b.get(before + 1) && a.get(before + 1) == b.get(before);
    before > 0 && (left(&a) <= 1 && left(&b) <= 1 && a.len().abs_diff(b.len()) <= 1 || exchanged)
}

/// A title without typesetting. Font commands of LaTeX are removed and Greek letters become characters. Other commands stay as words because they
/// carry meaning (`\forall`). Accents are removed, so that `Poincaré`, `Poincar\'e` and `Poincare` agree.
fn untypeset(title: &str) -> String {
    let mut out = String::with_capacity(title.len());
    let mut rest = title;
    while let Some(at) = rest.find(['\\', '$', '{', '}', '^', '_', '~']) {
        let (head, tail) = rest.split_at(at);
        out.push_str(head);
        let mut chars = tail.chars();
        match chars.next() {
            Some('\\') => {
                let name: String = chars.as_str().chars().take_while(char::is_ascii_alphabetic).collect();
                if name.is_empty() {
                    // An accent, `\'e`, or an escaped sign, `\&`.
                    chars.next();
                    rest = chars.as_str();
                } else {
                    match greek(&name) {
                        Some(letter) => out.push(letter),
                        None if is_font(&name) => {}
                        None => {
                            out.push(' ');
                            out.push_str(&name);
                            out.push(' ');
                        }
                    }
                    rest = chars.as_str().get(name.len()..).unwrap_or_default();
                }
                continue;
            }
            Some('~') => out.push(' '),
            _ => {}
        }
        rest = chars.as_str();
    }
    out.push_str(rest);
    out.nfd()
        .filter(|c| !matches!(c, '\u{300}'..='\u{36f}'))
        .nfc()
        .collect()
}

/// Whether a LaTeX command only sets type or space.
fn is_font(name: &str) -> bool {
    const FONTS: [&str; 30] = [
        "mathcal",
        "mathbb",
        "mathbf",
        "mathrm",
        "mathit",
        "mathsf",
        "mathtt",
        "mathfrak",
        "mathscr",
        "boldsymbol",
        "bm",
        "text",
        "textbf",
        "textit",
        "textrm",
        "textsc",
        "textsf",
        "texttt",
        "emph",
        "ensuremath",
        "operatorname",
        "bf",
        "it",
        "rm",
        "tt",
        "sc",
        "cal",
        "em",
        "left",
        "right",
    ];
    FONTS.contains(&name)
}

fn greek(name: &str) -> Option<char> {
    const NAMES: [(&str, char); 24] = [
        ("alpha", 'α'),
        ("beta", 'β'),
        ("gamma", 'γ'),
        ("delta", 'δ'),
        ("epsilon", 'ε'),
        ("varepsilon", 'ε'),
        ("zeta", 'ζ'),
        ("eta", 'η'),
        ("theta", 'θ'),
        ("kappa", 'κ'),
        ("lambda", 'λ'),
        ("mu", 'μ'),
        ("nu", 'ν'),
        ("xi", 'ξ'),
        ("pi", 'π'),
        ("rho", 'ρ'),
        ("sigma", 'σ'),
        ("tau", 'τ'),
        ("phi", 'φ'),
        ("varphi", 'φ'),
        ("chi", 'χ'),
        ("psi", 'ψ'),
        ("omega", 'ω'),
        ("ell", 'ℓ'),
    ];
    let found = NAMES.iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
    found.map(|&(_, letter)| letter)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_of_one_title_match_and_different_titles_do_not() {
        use Closeness::{Other, Same, Slip, Subtitle, Version};
        for (a, b, wanted) in [
            ("Pre-training of graphs", "Pretraining of Graphs", Same),
            (r"Learning in $\mathcal{O}(n)$ time", "Learning in O(n) time", Same),
            (r"On $\alpha$-divergences", "On α-divergences", Same),
            (r"Poincar\'e embeddings", "Poincaré Embeddings", Same),
            ("Poincare embeddings", "Poincaré Embeddings", Same),
            ("基于图的句法分析", "基于图的 句法分析", Same),
            ("C++ for all", "C# for all", Other),
            ("β-VAE", "VAE", Other),
            (r"$\forall$-theories of words", r"$\exists$-theories of words", Other),
            (r"On $\ell_1$ and more", r"On $\ell_2$ and more", Other),
            ("图 network", "文 network", Other),
            (
                "Neural machine translation by attension alone",
                "Neural machine translation by attention alone",
                Slip,
            ),
            (
                "Learning represenattions of words for parsing",
                "Learning representations of words for parsing",
                Slip,
            ),
            (
                "Rating the answers of LLMs on ropes",
                "Rating the answers of large language models on ropes",
                Slip,
            ),
            (
                "Fast symmetric codes for large graphs",
                "Fast asymmetric codes for large graphs",
                Other,
            ),
            (
                "Supervised parsing of very long sentences",
                "Unsupervised parsing of very long sentences",
                Other,
            ),
            (
                "Results of the shared task of 2015",
                "Results of the shared task of 2016",
                Other,
            ),
            (
                "A theory of everything in networks part I",
                "A theory of everything in networks part II",
                Other,
            ),
            (
                "Parsing with graphs in linear time: a new view",
                "Parsing with graphs in linear time",
                Subtitle,
            ),
            ("BERT: pre-training of transformers", "BERT", Other),
            (
                "Parsing with graphs in linear time (Extended Version)",
                "Parsing with graphs in linear time",
                Other,
            ),
            (
                "Parsing with graphs in linear time: A Technical Report",
                "Parsing with graphs in linear time",
                Version,
            ),
            (
                "Parsing with graphs in linear time - Part II",
                "Parsing with graphs in linear time",
                Subtitle,
            ),
            (
                "Parsing with graphs in linear time: a new view",
                "Parsing with trees in linear time",
                Other,
            ),
            ("", "…", Other),
            (r"\", r"$\", Other),
        ] {
            assert_eq!(closeness(a, b), wanted, "{a} | {b}");
            assert_eq!(closeness(b, a), wanted, "{b} | {a}");
        }
    }

    #[test]
    fn titles_are_compared_word_by_word_in_order() {
        let similar = |a: &str, b: &str| title_similarity(&title_key(a), &title_key(b));
        assert!((similar("Pre-training LLMs", "Pretraining large language model") - 1.0).abs() < 1e-9);
        assert!((similar("Ropes in swell", "Ropes in winter") - 4.0 / 6.0).abs() < 1e-9);
        assert!(similar("ropes in swell", "swell in ropes") < 0.7);
        assert!(similar("", "").abs() < 1e-9);
        assert!(similar("Ropes", "").abs() < 1e-9);
    }
}
