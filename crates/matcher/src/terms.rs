use precedent_corpus::{term_weight, terms};
use precedent_text::Span;
use precedent_text::terms::{is_stopword, words};
use rustc_hash::FxHashSet;

/// Terms with less weight ([`term_weight`]) are never listed: `method`, `data`, `model`, `propose`. In the built-in table, 1.4 % have less.
pub(crate) const GENERIC: f32 = 1.5;

/// The informative terms of a claim, in its own words and in their order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ClaimTerms {
    /// Those in the passage.
    pub shared: Vec<String>,
    /// Those that the whole text lacks in every inflection.
    pub missing: Vec<String>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum TermPosition {
    Passage,
    Nowhere,
}

/// Compares the terms of `claim` with a `passage` and with the `whole` text around it. A term that is elsewhere in the text is neither shared nor
/// missing. Adjacent terms of one kind are listed as one.
#[must_use]
pub fn claim_terms(claim: &str, passage: &str, whole: &str) -> ClaimTerms {
    let in_passage: FxHashSet<String> = terms(passage).into_iter().collect();
    let in_whole: FxHashSet<String> = terms(whole).into_iter().collect();
    let mut groups: Vec<(TermPosition, usize, usize)> = Vec::new();
    for (stems, span) in informative_words(claim) {
        let Some(place) = place_of(&stems, &in_passage, &in_whole) else {
            continue;
        };
        match groups.last_mut() {
            Some((last, _, end))
                if *last == place && matches!(claim.get(*end..span.start), Some(" " | "-" | "\u{2010}")) =>
            {
                *end = span.end;
            }
            _ => groups.push((place, span.start, span.end)),
        }
    }
    let mut listed = ClaimTerms::default();
    for (place, start, end) in groups {
        let list = match place {
            TermPosition::Passage => &mut listed.shared,
            TermPosition::Nowhere => &mut listed.missing,
        };
        let term = claim.get(start..end).unwrap_or_default().to_owned();
        if !list.iter().any(|other| other.eq_ignore_ascii_case(&term)) {
            list.push(term);
        }
    }
    listed
}

/// The stems of each word that says something about the topic: no function words, generic words and single letters, and two letters only if they are
/// printed as an acronym, such as `MT`.
fn informative_words(claim: &str) -> impl Iterator<Item = (Vec<String>, Span)> {
    words(claim).into_iter().filter_map(|(word, span)| {
        let stems = terms(&word);
        let letters = word.chars().filter(|c| c.is_lowercase()).count();
        let is_acronym = || {
            claim
                .get(span.start..span.end)
                .is_some_and(|printed| printed.chars().all(char::is_uppercase))
        };
        let is_short = letters == word.chars().count() && (letters < 2 || letters == 2 && !is_acronym());
        let is_generic = || stems.iter().all(|stem| term_weight(stem) < GENERIC);
        (!is_short && !is_stopword(&word) && !is_generic()).then_some((stems, span))
    })
}

/// Number of different informative terms of a claim.
pub(crate) fn informative_count(claim: &str) -> usize {
    let stems = informative_words(claim).flat_map(|(stems, _)| stems);
    let informative: FxHashSet<String> = stems.filter(|stem| term_weight(stem) >= GENERIC).collect();
    informative.len()
}

fn place_of(stems: &[String], in_passage: &FxHashSet<String>, in_whole: &FxHashSet<String>) -> Option<TermPosition> {
    if stems.iter().all(|stem| in_passage.contains(stem)) {
        return Some(TermPosition::Passage);
    }
    let known = |stem: &String| in_whole.contains(stem) || in_whole.iter().any(|other| are_related(stem, other));
    (!stems.iter().all(known)).then_some(TermPosition::Nowhere)
}

/// Whether two stems are probably inflections or derivations of one word: `parser` and `pars`, `resolut` and `resolv`, but not `agent` and `age`.
fn are_related(one: &str, other: &str) -> bool {
    let common = one.chars().zip(other.chars()).take_while(|(a, b)| a == b).count();
    let (short, long) = (
        one.chars().count().min(other.chars().count()),
        one.chars().count().max(other.chars().count()),
    );
    let extended = common == short && short >= 4 && long - short <= 3;
    extended || (common >= 5 && long - common <= 3 && common * 3 >= long * 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_term_is_missing_only_if_the_whole_text_lacks_it_in_every_inflection() {
        let whole = "We study parsing algorithms for swells. Waves are predicted by a filter.";
        let listed = claim_terms(
            "A parser that predicts ocean swell with a Kalman filter",
            "Waves are predicted by a filter.",
            whole,
        );
        assert_eq!(listed.shared, ["predicts", "filter"]);
        assert_eq!(listed.missing, ["ocean", "Kalman"]);
    }

    #[test]
    fn letters_function_words_and_repetitions_are_not_counted_as_terms() {
        for claim in ["x y z", "the of and", "we go to kelp by it"] {
            assert!(informative_count(claim) < 3, "{claim}");
        }
        assert_eq!(informative_count("kelp kelp kelp"), 1);
        assert_eq!(informative_count("U-Net for MR and CT segmentation"), 4);
        assert_eq!(informative_count("a Kalman filter predicts ocean swell in 3D"), 6);
    }

    #[test]
    fn related_stems() {
        assert!(are_related("parser", "pars"));
        assert!(are_related("resolut", "resolv"));
        assert!(!are_related("translat", "transform"));
        assert!(!are_related("translat", "transit"));
        assert!(!are_related("agent", "age"));
        assert!(!are_related("cat", "categori"));
        assert!(!are_related("comput", "compar"));
        assert!(!are_related("kalman", "filter"));
    }
}
