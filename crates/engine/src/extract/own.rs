//! Whether a sentence describes this paper's contribution, instead of earlier work or something mentioned before.

use precedent_text::pattern;

use super::Zone;

/// The context of a sentence that helps to decide whose work it describes.
#[derive(Debug, Clone, Copy)]
pub(super) struct SentenceContext<'a> {
    /// The part of the paper.
    pub(super) zone: Zone,
    /// The heading of its section; empty if there is none.
    pub(super) heading: &'a str,
    /// The paper's earliest year.
    pub(super) year: Option<u16>,
}

/// Whether a claiming sentence describes work done before this paper, including the authors' own.
pub(super) fn is_earlier_work(text: &str, context: SentenceContext<'_>) -> bool {
    let before = pattern!(
        r"(?i)\b(?:last\s+year|previously|formerly|some\s+years\s+ago|in\s+(?:our\s+|an\s+|a\s+|the\s+)?(?:previous|earlier|prior|preceding|past|former)\s+(?:\w+\s+)?(?:work|works|papers?|stud(?:y|ies)|research|years?|articles?|publications?|participations?|editions?))\b"
    );
    if before.is_match(text) {
        return true;
    }
    if context.zone != Zone::Introduction || !is_in_past_tense(text) {
        return false;
    }
    let of_others = pattern!(
        r"(?i)\b(?:related|previous|prior|earlier|existing)\s+(?:work|works|research|studies|approaches|literature)\b|\bbackground\b|\bliterature\s+review\b|\bstate\s+of\s+the\s+art\b"
    );
    of_others.is_match(context.heading) || names_earlier_year(text, context.year)
}

/// `we built` in an introduction that does not say `in this paper` or `we have built`.
fn is_in_past_tense(text: &str) -> bool {
    let past = pattern!(
        r"(?i)\bwe\s+(?:\w+ly\s+|also\s+|then\s+|first\s+|both\s+)?(?:\w+ed|built|found|gave|made|took|showed)\b"
    );
    let here = pattern!(
        r"(?i)\bin\s+(?:this|the\s+(?:present|current))\s+(?:paper|work|article|study|year|edition)|\bthis\s+year\b|\bhere\b"
    );
    past.is_match(text) && !here.is_match(text)
}

/// Whether the sentence names a year before the paper's, alone or at the end of a name (`EXPO2007`).
fn names_earlier_year(text: &str, year: Option<u16>) -> bool {
    let Some(own) = year else { return false };
    pattern!(r"(?:19|20)\d\d\b")
        .find_iter(text)
        .filter_map(|found| found.as_str().parse::<u16>().ok())
        .any(|named| named < own)
}

/// Whether the claim only refers back to something: `such a composition`, `these rules`.
pub(super) fn points_back(object: &str) -> bool {
    let here = pattern!(r"(?i)^\W*in\s+(?:this|the\s+present)\s+(?:paper|work|article|study|report|note)\b");
    let from = here.find(object).map_or(0, |found| found.end());
    let object = object.get(from..).unwrap_or_default();
    pattern!(r"(?i)^\W*(?:(?:our\s+(?:\w+\s+)?(?:to|for)\s+)?the\s+(?:first|second|third|fourth)(?:(?:\s*,|\s+and|\s*,\s*and)\s+(?:first|second|third|fourth))*\s+(?:problem|question|issue|point|aspect|challenge|goal|aim|step)s?\s*(?:[.,;:(]|\band\b|\bby\b|$)|(?:(?:to\s+)?(?:\w+\s+)?)?(?:such\s+an?\b|this\b|these\b|those\b|it\b|them\b|both\s+of\b|the\s+(?:above|following|former|latter|same)\b|the\s+\w+\s+(?:below|above)\b))")
        .is_match(object)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn earlier_work_is_not_this_papers_claim() {
        let context = |zone, heading| SentenceContext {
            zone,
            heading,
            year: Some(2008),
        };
        let intro = context(Zone::Introduction, "Introduction");
        for past in [
            "We also developed our own winch and took part in ROPES2007.",
            "Last year we proposed a winch for wet rope.",
            "In our earlier work we present a winch for wet rope.",
        ] {
            assert!(is_earlier_work(past, intro), "{past}");
        }
        for present in [
            "We propose a winch for wet rope.",
            "In this paper we built a winch on the rope of 2007.",
            "This winch builds on our earlier work.",
            "We developed a winch for wet rope.",
        ] {
            assert!(!is_earlier_work(present, intro), "{present}");
        }
        let related = context(Zone::Introduction, "1 Introduction and Related Work");
        assert!(is_earlier_work("We developed a winch for wet rope.", related));
        assert!(!is_earlier_work("We propose a winch for wet rope.", related));
        let end = context(Zone::Conclusion, "Conclusion");
        assert!(!is_earlier_work("We developed a winch and tried it at ROPES2007.", end));
    }

    #[test]
    fn references_back_name_nothing() {
        for back in [
            "such a composition for ropes",
            "these two ropes",
            "it to ropes of hemp",
            "the above rope",
            "the first and second problems and make some remarks",
            "our approach to the first, second and third questions.",
            "the second problem by drying ropes",
        ] {
            assert!(points_back(back), "{back}");
        }
        for own in [
            "a rope",
            "the first rope of hemp",
            "ropes such as hemp",
            "two ropes",
            "the first question answering rope",
            "the first step counter for ropes",
            "our approach to the drying of ropes",
        ] {
            assert!(!points_back(own), "{own}");
        }
    }
}
