//! How much of a sentence is the claim: always a whole sentence, or a clause that is complete as the paper wrote it.

use precedent_domain::Span;
use precedent_language::wording::{content_stems, word_count};
use precedent_text::pattern;

use super::claim::MOST_CLAIM_WORDS;
use super::cues::{Cue, performance_at};

/// Minimum length of a claim, in words.
pub(super) const LEAST_CLAIM_WORDS: usize = 6;
/// Minimum length in words of an object before performance, or before a cut.
const LEAST_OBJECT_WORDS: usize = 4;

/// The claim's bytes: from its cue to the end of the sentence, or to the last complete clause before performance or [`MOST_CLAIM_WORDS`].
/// `None` if there is no such clause, because half a sentence is not the authors' claim.
pub(super) fn cut_claim(text: &str, cue: &Cue, base: usize) -> Option<Span> {
    cut_to(text, cue, base, 2 * LEAST_CLAIM_WORDS)
}

/// As [`cut_claim`], with at least `least` words left of a sentence that is too long.
pub(super) fn cut_to(text: &str, cue: &Cue, base: usize, least: usize) -> Option<Span> {
    let end = text.trim_end().len();
    let closings = closings(text, cue, end);
    let within = |limit: usize| {
        let long_enough = |at: &&usize| {
            text.get(cue.object..**at)
                .is_some_and(|object| word_count(object) >= LEAST_OBJECT_WORDS)
        };
        closings
            .iter()
            .rev()
            .filter(|&&at| at <= limit)
            .find(long_enough)
            .copied()
    };
    let mut cut = end;
    if let Some(at) = performance_at(text.get(cue.object..end)?) {
        let before = text.get(cue.object..cue.object + at)?;
        cut = match within(cue.object + at) {
            Some(closing) => closing,
            // Performance is only part of what is offered.
            None if !cue.statement
                && !speaks_of_results(text.get(cue.start..cue.object + at)?)
                && word_count(before) >= LEAST_OBJECT_WORDS
                && content_stems(before).len() >= 2 =>
            {
                end
            }
            None if cue.statement && says_how(text.get(cue.object..end)?, at) => end,
            None => return None,
        };
    }
    let words = |to: usize| text.get(cue.start..to).map_or(0, word_count);
    if words(cut) > MOST_CLAIM_WORDS {
        cut = closings
            .iter()
            .rev()
            .copied()
            .find(|&at| at < cut && words(at) <= MOST_CLAIM_WORDS && words(at) >= least)?;
    }
    let kept = text.get(cue.start..cut)?;
    let trimmed = kept.trim_end_matches(|c: char| c.is_whitespace() || matches!(c, ',' | ';' | ':' | '—' | '–' | '-'));
    let whole = trimmed
        .strip_suffix("; and")
        .or_else(|| trimmed.strip_suffix(", and"))
        .unwrap_or(trimmed);
    // `Although it is small,` without its main clause.
    let halved = cut < end && opens_subordinate(whole);
    (word_count(whole) >= LEAST_CLAIM_WORDS && !halved)
        .then(|| Span::new(base + cue.start, base + cue.start + whole.len()))
}

/// Whether the text before the performance describes the thing in a clause of its own: `an approach that relies on ropes and nets
/// achieves …`. Otherwise only the performance is claimed.
fn says_how(statement: &str, performance: usize) -> bool {
    const LEAST_WORDS: usize = 5;
    let before = statement.get(..performance).unwrap_or_default();
    let clause = pattern!(
        r"(?i)\b(?:that|which)\s+(?:relies|rely|combines?|uses?|builds?|integrates?|exploits?|draws?|consists?|is\s+based)\b|\b(?:combining|based\s+on|consisting\s+of|relying\s+on)\b"
    );
    clause.is_match(before) && content_stems(before).len() >= LEAST_WORDS
}

/// Whether experiments or results are the subject. Then the sentence is only about performance.
fn speaks_of_results(text: &str) -> bool {
    pattern!(r"(?i)^\W*(?:our|the|these|extensive|empirical|experimental|\w+\s+experimental)?\s*(?:\w+\s+){0,2}(?:experiments?|results?|evaluations?|comparisons?)\b")
        .is_match(text)
}

fn opens_subordinate(text: &str) -> bool {
    const OPENERS: [&str; 9] = [
        "although", "though", "while", "whereas", "since", "because", "if", "when", "as",
    ];
    let first = text.split_whitespace().next().unwrap_or_default();
    OPENERS.contains(&first.to_lowercase().as_str())
}

/// Whether a sentence is complete: an end mark, followed at most by closing brackets, quotes, or a note or reference number.
pub(super) fn is_ended(text: &str) -> bool {
    pattern!(r#"[.!?…](?:[)\]”"'’]|\s?\[[\d,; –-]+\]|\d{1,2}|[¹²³⁰-⁹*†‡])*\s*$"#).is_match(text)
}

/// The places where the text since the cue is a complete clause, ascending, without the end of the sentence.
fn closings(text: &str, cue: &Cue, end: usize) -> Vec<usize> {
    let border = pattern!(
        r"(?x) ;\s
            | ,\s+(?:and\s+|but\s+)?(?:that|we|it|this|our|they)\s
            | ,\s+(?:while|whereas|but|so\s+that|thereby|thus|hence|since|because)\s
            | ,\s+(?P<relative>which|where|with\s+which|in\s+which|(?:\w+ly\s+)?\w+ing)\s
            | \s(?P<joined>and)\s+(?:\w+ly\s+)?(?:show|demonstrate|prove|verify|argue|find|report|conclude)s?\s+(?:that|how|its|their|the)\s"
    );
    let Some(part) = text.get(cue.object..end) else {
        return Vec::new();
    };
    let mut found = Vec::new();
    for captures in border.captures_iter(part) {
        let Some(whole) = captures.get(0) else { continue };
        let at = cue.object + whole.start();
        let kept = text.get(cue.start..at).unwrap_or_default();
        let object = text.get(cue.object..at).unwrap_or_default();
        let dependent = captures.name("relative").is_some();
        // A statement needs its verb to be complete, and a relative clause may come before that verb.
        let complete = !dependent || !cue.statement || has_verb(object);
        // `parsing, tagging and chunking` is a list.
        let listed = captures
            .name("relative")
            .is_some_and(|word| word.as_str().ends_with("ing") && part.get(whole.end()..).is_some_and(opens_with_list));
        if complete && !listed && is_balanced(kept) {
            found.push(at);
        }
    }
    found
}

fn opens_with_list(rest: &str) -> bool {
    let mut words = rest.split_whitespace();
    let first = words.next().unwrap_or_default();
    matches!(first, "and" | "or")
        || first.ends_with(',') && words.next().is_some_and(|word| matches!(word, "and" | "or"))
}

/// Whether the words contain a clearly finite verb.
fn has_verb(object: &str) -> bool {
    const FINITE: [&str; 18] = [
        "is", "are", "was", "were", "can", "could", "may", "might", "will", "would", "must", "should", "has", "have",
        "had", "does", "do", "cannot",
    ];
    object
        .split_whitespace()
        .any(|word| FINITE.contains(&word.trim_matches(|c: char| !c.is_alphabetic())))
}

/// Whether every bracket and every parenthetical dash is closed.
fn is_balanced(text: &str) -> bool {
    let count = |c: char| text.matches(c).count();
    let dashes = text.matches(" – ").count() + text.matches('—').count() + text.matches(" - ").count();
    count('(') == count(')') && count('[') == count(']') && count('“') == count('”') && dashes.is_multiple_of(2)
}

#[cfg(test)]
mod tests {
    use super::super::cues::find_cue;
    use super::*;

    fn cut(text: &str) -> Option<&str> {
        let cue = find_cue(text)?;
        cut_claim(text, &cue, 0).and_then(|span| span.slice(text))
    }

    #[test]
    fn a_claim_ends_where_a_clause_ends() {
        for (text, claim) in [
            // No performance and short enough: the whole sentence.
            (
                "We propose a way of weighing kelp, ropes and buoys, and a scale for it.",
                Some("We propose a way of weighing kelp, ropes and buoys, and a scale for it."),
            ),
            // A phrase is never split before performance.
            (
                "We propose a way of weighing wet kelp and dry rope that outperforms older scales.",
                Some("We propose a way of weighing wet kelp and dry rope that outperforms older scales."),
            ),
            (
                "We propose a way of weighing wet kelp on moving decks, which outperforms older scales.",
                Some("We propose a way of weighing wet kelp on moving decks"),
            ),
            // A dash is never left open.
            (
                "We report a drift from single ropes to nets that carry more kelp per buoy - in particular, using nets on rock, and outperforming ropes.",
                Some(
                    "We report a drift from single ropes to nets that carry more kelp per buoy - in particular, using nets on rock, and outperforming ropes.",
                ),
            ),
            // The verb of the statement is never cut off.
            (
                "We show that scales of three kinds, which hang from the rig, keep kelp dry.",
                Some("We show that scales of three kinds, which hang from the rig, keep kelp dry."),
            ),
            (
                "Our experiments show that a scale of hemp and rope outperforms all others.",
                None,
            ),
            ("We show that our scale outperforms all others.", None),
            // A clause of its own describes what performs.
            (
                "Our experiments show that a combining scale that relies on hemp, wet rope, winches and buoys achieves high precision.",
                Some(
                    "Our experiments show that a combining scale that relies on hemp, wet rope, winches and buoys achieves high precision.",
                ),
            ),
        ] {
            assert_eq!(cut(text), claim, "{text}");
        }
    }

    #[test]
    fn long_claims_are_cut_at_a_clause_or_dropped() {
        let tail = "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen";
        let cuttable = format!(
            "We present a scale for wet kelp that hangs from the rig of a small boat, which we built of rope and {tail} {tail}."
        );
        assert_eq!(
            cut(&cuttable),
            Some("We present a scale for wet kelp that hangs from the rig of a small boat")
        );
        assert_eq!(cut(&format!("We present a scale for {tail} and {tail} {tail}.")), None);
    }

    #[test]
    fn incomplete_sentences_are_detected() {
        for ended in [
            "It holds.",
            "It holds [3].",
            "It holds.5",
            "It “holds.”",
            "Does it (hold?)",
        ] {
            assert!(is_ended(ended), "{ended}");
        }
        for open in ["It holds and", "of wet kelp", "", "It holds [3]", "version 5"] {
            assert!(!is_ended(open), "{open}");
        }
    }
}
