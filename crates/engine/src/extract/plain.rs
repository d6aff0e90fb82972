//! What a paper says it does without claiming words: task overviews, system descriptions, and older papers that claimed less.

use std::sync::LazyLock;

use precedent_domain::ContributionClass;
use precedent_text::compile_pattern;
use regex::Regex;

use super::cues::Cue;

/// Things that papers offer, as the subject of a sentence.
const THING: &str = "systems?|methods?|approach(?:es)?|algorithms?|models?|frameworks?|parsers?|taggers?|tools?|techniques?|procedures?|architecture|\
strategy|schemes?|corpus|databases?|data\\s?sets?|lexicon|grammar|program|pipeline|classifiers?|implementation|formalism|resource|benchmark";

/// What such a thing does: finite verbs in the present.
const DOES: &str = "is\\s+an?|are\\s+an?|casts?|uses?|combines?|extends?|relies|rely|consists?\\s+of|contains?|will\\s+contain|performs?|learns?|\
makes?\\s+use|takes?|builds?\\s+on|employs?|integrates?|treats?|maps?|generates?|extracts?|identif(?:y|ies)|computes?|assigns?|exploits?|incorporates?|\
applies|apply|handles?|represents?|models?|converts?|transforms?|recasts?|reduces?|selects?|ranks?|translates?|recogni[sz]es?|detects?|estimates?";

struct Patterns {
    thing: Regex,
    aim: Regex,
    here: Regex,
    paper: Regex,
}

static PATTERNS: LazyLock<Patterns> = LazyLock::new(|| {
    let new = |pattern: &str| compile_pattern(&format!("(?i){pattern}"));
    Patterns {
        thing: new(&format!(
            r"\b(?:our|the\s+(?:proposed|resulting|submitted|present|described|overall))\s+(?:[\w-]+\s+){{0,3}}?(?:{THING})\s+(?:here\s+|then\s+|also\s+)?(?:{DOES})\b\s*"
        )),
        aim: new(
            r"\b(?:(?:the|our|its)\s+(?:\w+\s+)?(?:aims?|goals?|objectives?|purposes?)\s+(?:(?:of|in)\s+(?:this|the|our)\s+[^.;,]{2,60}?\s+)?(?:is|are|was|were)\s+to\s+|(?:it|this\s+(?:task|project|study|challenge|exercise|track)|the\s+(?:[\w-]+\s+){0,3}?(?:task|project|study|challenge|exercise|track))\s+aim(?:s|ed)?\s+(?:to\s+|at\s+))",
        ),
        here: new(
            r"\bin\s+this\s+(?:paper|report|article|work|note|study),?\s+(?:we|i)\s+(?:have\s+|also\s+|first\s+|\w+ly\s+)?(?P<verb>\w+)\s+",
        ),
        paper: new(
            r"\b(?:this|the|the\s+present)\s+(?:paper|report|article|note)\s+(?:first\s+|also\s+|then\s+)?(?:will\s+)?(?P<verb>\w+)\s+",
        ),
    }
});

/// Verbs that offer nothing.
const NOTHING: &str = "am are argue assume be been begin believe call can conclude could defer denote did do does end expect find follow had has hope is let may \
might mostly must not only read refer regard restrict review show should shows state suggests start use was were will wish would write";

/// Whether a subject can follow `lead`. In `We began this paper with …` it is an object.
fn opens_clause(lead: &str) -> bool {
    let lead = lead.trim_end();
    let last = lead
        .rsplit(char::is_whitespace)
        .next()
        .unwrap_or_default()
        .to_lowercase();
    !last.ends_with(char::is_alphanumeric)
        || matches!(
            last.as_str(),
            "and" | "that" | "so" | "thus" | "therefore" | "hence" | "then"
        )
}

/// The cue of a sentence that says what the paper, or the thing it offers, does.
pub(super) fn plain_cue(sentence: &str) -> Option<Cue> {
    let patterns = &*PATTERNS;
    let mut best: Option<Cue> = None;
    let mut offer = |words: &'static str, start: usize, object: usize, weight: f64| {
        if best.is_none_or(|held| weight > held.weight) {
            best = Some(Cue {
                start,
                object,
                words,
                weight,
                class: ContributionClass::Unclear,
                statement: false,
                passive: false,
                treats: false,
            });
        }
    };
    if let Some(found) = patterns.thing.find(sentence) {
        // The thing as a whole is the contribution, so the cue covers the sentence from its subject on.
        offer("thing", found.start(), found.start(), 2.2);
    }
    if let Some(found) = patterns.aim.find(sentence) {
        offer("aim", found.start(), found.end(), 2.1);
    }
    for (words, pattern, weight) in [("here", &patterns.here, 2.1), ("paper", &patterns.paper, 1.9)] {
        let found = pattern.captures(sentence);
        if let Some((whole, verb)) = found.and_then(|found| Some((found.get(0)?, found.name("verb")?)))
            && !NOTHING
                .split_whitespace()
                .any(|one| one == verb.as_str().to_lowercase())
            && !verb.as_str().ends_with("ly")
            && opens_clause(sentence.get(..whole.start()).unwrap_or_default())
        {
            offer(words, whole.start(), whole.end(), weight);
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stated(sentence: &str) -> Option<&str> {
        plain_cue(sentence).map(|cue| &sentence[cue.start..])
    }

    #[test]
    fn papers_without_claiming_words_still_yield_claims() {
        for (sentence, from) in [
            (
                "Our system casts the weighing of kelp into a game.",
                "Our system casts the weighing of kelp into a game.",
            ),
            (
                "The overall weighing algorithm is an old winch with new rope.",
                "The overall weighing algorithm is an old winch with new rope.",
            ),
            (
                "In 2011, the rope task aimed to measure what winches have learnt.",
                "the rope task aimed to measure what winches have learnt.",
            ),
            (
                "In this paper, we recount our experience in drying kelp.",
                "In this paper, we recount our experience in drying kelp.",
            ),
            (
                "This report will present the goals of the kelp project.",
                "This report will present the goals of the kelp project.",
            ),
        ] {
            assert_eq!(stated(sentence), Some(from));
        }
        for sentence in [
            "Kelp grows on ropes.",
            "In this paper, we assume that ropes are dry.",
            "This paper is a rope.",
            "We began this paper with an old rope.",
            "Their system casts ropes.",
        ] {
            assert_eq!(stated(sentence), None, "{sentence}");
        }
    }
}
