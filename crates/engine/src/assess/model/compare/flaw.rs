//! Whether a located pair of quotes shows that a work has a claim. A model's `can_refute` counts only with a pair that has none of these flaws.

use std::collections::BTreeSet;

use precedent_domain::{Contribution, EvidencePair, Span};
use precedent_language::wording::content_stems;
use precedent_matcher::Shown;
use precedent_text::{negates, pattern, surroundings};

use crate::assess::model::context::CompareContext;
use crate::compare::{PriorReading, WeightedTerms};
use crate::model::prose::{figures, uncited};

/// Minimum probability, by the matcher, that the work states the claim in the quoted passage. Of 145 claims that a work states in other words, the best
/// passages of 73 reach it, and of 17,255 other works 13 (`cargo xtask bench verdicts`). The matcher's weights were fitted on these claims, so both
/// counts are optimistic.
const PROBABILITY: f64 = 0.4;
/// Minimum share of the weight of what the claim offers, its name in the claim's own words, that the quote has. Chosen by hand: at least half.
const OFFERED: f64 = 0.5;

/// Why a located pair does not show that the work has the claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Flaw {
    /// The quote is the work's title and nothing more.
    Title,
    /// The quote belongs to a sentence that denies it, sets a condition, asks it or expresses a wish, unlike the claim, or whose subject is another paper.
    Sentence,
    /// The claim has a negation that the quote lacks.
    Negation,
    /// The claim has a number that the quote lacks.
    Number,
    /// The quote lacks what the claim offers.
    Offer,
    /// The quote states the claim with a probability below the floor, and so would the best passage of the work or not.
    Improbable { best: bool },
}

impl Flaw {
    /// Whether another quote from the same work could be better.
    pub(crate) fn is_of_the_quote(self) -> bool {
        self != Self::Improbable { best: true }
    }

    pub(crate) fn why(self) -> &'static str {
        match self {
            Self::Title => "its quote is the work's title and nothing more",
            Self::Sentence => {
                "its quote is part of a sentence that denies it, limits it, sets a condition, expresses a wish or describes another paper"
            }
            Self::Negation => "the claim has a negation that its quote lacks",
            Self::Number => "the claim has a number that its quote lacks",
            Self::Offer => "its quote does not name what the claim offers",
            Self::Improbable { .. } => "by the words of its quote, that is improbable",
        }
    }
}

/// The first flaw of a pair whose quotes are located; `None` if it shows the claim.
pub(crate) fn flaw(
    pair: &EvidencePair,
    claim: &Contribution,
    prior: &PriorReading<'_>,
    context: &CompareContext<'_>,
) -> Option<Flaw> {
    let quoted = words(pair.candidate.text());
    let title = words(&prior.candidate.work.title);
    if title.windows(quoted.len().max(1)).any(|run| run == quoted) {
        return Some(Flaw::Title);
    }
    let claimed = claim.claim.text();
    if is_unreal(pair, claimed, prior) {
        return Some(Flaw::Sentence);
    }
    if lacks_negation(claimed, pair.candidate.text()) {
        return Some(Flaw::Negation);
    }
    if !has_numbers(claimed, pair.candidate.text()) {
        return Some(Flaw::Number);
    }
    let enough = |shown: Shown| shown.probability >= PROBABILITY;
    let shown = context.matches.shown(claim.number, prior, pair.candidate.span());
    if !shown.is_some_and(|(quote, _)| enough(quote)) {
        let best = !shown.is_some_and(|(_, best)| enough(best));
        return Some(Flaw::Improbable { best });
    }
    (!names_the_offer(pair, claim, context)).then_some(Flaw::Offer)
}

/// Words of a sentence about something that is not so, or not yet: a belief, a condition, a wish.
const UNREAL: [&str; 17] = [
    "myth",
    "misconception",
    "fallacy",
    "believed",
    "assumed",
    "impossible",
    "unless",
    "suppose",
    "should",
    "would",
    "could",
    "might",
    "may",
    "if",
    "hope",
    "wish",
    "ought",
];

/// Words that do the same in the text before a quote. In a quote they have other meanings: `future frames`, `computes a plan`, `decides whether`.
const UNREAL_BEFORE: [&str; 3] = ["whether", "future", "plan"];

/// Words after a quote that turn all of its sentence, however far from the quote.
const TURNED_LATER: [&str; 13] = [
    "myth",
    "misconception",
    "fallacy",
    "false",
    "untrue",
    "wrong",
    "impossible",
    "disproved",
    "disproven",
    "refuted",
    "unless",
    "if",
    "future",
];

/// Whether the quote belongs to a sentence, or to a list with a heading, that states something else than the quote.
fn is_unreal(pair: &EvidencePair, claimed: &str, prior: &PriorReading<'_>) -> bool {
    let quotable = prior.reading.quotable();
    let quote = pair.candidate.text();
    let location = quotable.locate(quote);
    let around = surroundings(quotable.source(), quote, &location);
    let text = |span: Option<Span>| {
        let document = prior.reading.document();
        span.and_then(|span| document.slice(span)).unwrap_or_default()
    };
    let after = text(around.sentence_after);
    let rest = prior.reading.document().text.get(pair.candidate.span().end..);
    let asks = |text: &str| text.trim_end().ends_with('?');
    let is_question = asks(quote) || asks(after) || rest.is_some_and(|rest| rest.starts_with('?'));
    let before = [text(around.lead_in), text(around.sentence_before)];
    is_question
        || around.cut_off_before.is_some()
        || around.cut_off_after.is_some()
        || is_turned(before, quote, after, claimed)
        || is_of_another_paper(&format!("{}{quote}", before[1]))
}

/// Whether the subject of a sentence is a cited paper: `Lie and Berg (2019) use …`, `In [4], …`.
fn is_of_another_paper(sentence: &str) -> bool {
    pattern!(
        r"(?x)^\W*
        (?: (?i:in|the\s+\p{L}+\s+(?:of|by))\s+\[\d+(?:,\s*\d+)*\],?
          | \[\d+(?:,\s*\d+)*\]
          | (?:(?i:the\s+\p{L}+\s+(?:of|by))\s+\(?)?
            \p{Lu}[\p{L}'’\-]+ (?:,?\s+(?:(?:and|&)\s+)?\p{Lu}[\p{L}'’\-]+){0,4} (?:,?\s+(?:and\s+others|et\s+al\.?))?
            ,?\s*[(\[]?(?:19|20)\d\d[a-z]?[)\]]
        )\s+\p{Ll}"
    )
    .is_match(sentence)
}

/// Whether the text before a quote in its sentence, the quote's own words, the clause after it, or single words up to the end of the sentence say that
/// the quote is not so. Words that do the same in the claim do not count.
fn is_turned(before: [&str; 2], quote: &str, after: &str, claimed: &str) -> bool {
    let unreal = |word: &str| negates(word) || UNREAL.contains(&word);
    let unreal_before = |word: &str| unreal(word) || UNREAL_BEFORE.contains(&word);
    let later = |word: &str| TURNED_LATER.contains(&word);
    let clause = after.split([',', ';', ':', '(', '—']).next().unwrap_or_default();
    let of_claim = turns(claimed, |word| unreal_before(word) || later(word));
    let of_quote = [quote, clause].into_iter().flat_map(|text| turns(text, unreal));
    let mut all = before
        .into_iter()
        .flat_map(|text| turns(text, unreal_before))
        .chain(of_quote)
        .chain(turns(after, later));
    let claimed = claimed.to_lowercase();
    let plan =
        pattern!(r"(?i)^\W*(?:if|whether)\b|\bfuture\s+(?:work|research|stud(?:y|ies))\b|\bplan(?:s|ned)?\s+to\b");
    all.any(|turn| !turn.is_among(&of_claim))
        || plan
            .find(quote)
            .is_some_and(|plan| !claimed.contains(plan.as_str().to_lowercase().trim()))
}

/// Whether the claim negates something that the quote does not negate.
fn lacks_negation(claimed: &str, quote: &str) -> bool {
    let of_quote = turns(quote, negates);
    let of_claim = turns(claimed, negates);
    of_claim.iter().any(|turn| !turn.is_among(&of_quote))
}

/// A word that changes what a statement says, and the content words that it governs: those after it in its clause, up to the next such word, or else those
/// before it.
struct Turn {
    word: String,
    governed: BTreeSet<String>,
}

impl Turn {
    /// Whether one of the others does the same to most of these words, or of the words that it governs.
    fn is_among(&self, others: &[Self]) -> bool {
        let same = |other: &Self| other.word == self.word || negates(&other.word) && negates(&self.word);
        others.iter().any(|other| {
            let shared = other.governed.intersection(&self.governed).count();
            same(other) && shared * 2 > other.governed.len().min(self.governed.len())
        })
    }
}

/// The words of a text that change what it says. `Not only`, `no-boundary` and the month of May do not.
fn turns(text: &str, is_turn: impl Fn(&str) -> bool) -> Vec<Turn> {
    let text = text.replace("n't", " not").replace("n’t", " not");
    let borders = pattern!(r"(?i)[,;:()—–.!?]|\b(?:and|because|but|so|than|that|which|while|whereas|who)\b");
    let word = pattern!(r"\p{Alphabetic}+(?:[-‐‑][\p{Alphabetic}\d]+)*");
    let of_clause = |clause: &str| -> Vec<Turn> {
        let words: Vec<&str> = word.find_iter(clause).map(|found| found.as_str()).collect();
        let lower: Vec<String> = words.iter().map(|word| word.to_lowercase()).collect();
        let is_one = |at: usize, word: &str| {
            let next = lower.get(at + 1).map(String::as_str);
            let is_abbreviation = words.get(at).is_some_and(|word| ["NE", "SIN", "PAS"].contains(word));
            let is_name = words.get(at) == Some(&"May") || is_abbreviation;
            is_turn(word) && !is_name && !matches!((word, next), ("not", Some("only" | "just" | "merely")))
        };
        let places: Vec<usize> = (0..lower.len())
            .filter(|at| lower.get(*at).is_some_and(|word| is_one(*at, word)))
            .collect();
        let stems = |from: usize, to: usize| {
            let others = lower.get(from..to).unwrap_or_default().iter();
            let others: Vec<&str> = others.filter(|word| !is_turn(word)).map(String::as_str).collect();
            content_stems(&others.join(" "))
        };
        let turn = |(number, at): (usize, &usize)| {
            let next = places.get(number + 1).copied().unwrap_or(lower.len());
            let before = number.checked_sub(1).and_then(|number| places.get(number));
            let governed = stems(at + 1, next);
            Some(Turn {
                word: lower.get(*at)?.clone(),
                governed: match governed.is_empty() {
                    true => stems(before.map_or(0, |before| before + 1), *at),
                    false => governed,
                },
            })
        };
        places.iter().enumerate().filter_map(turn).collect()
    };
    borders.split(&text).flat_map(of_clause).collect()
}

/// The words of a text in lower case.
fn words(text: &str) -> Vec<String> {
    let parts = text.split(|c: char| !c.is_alphanumeric());
    parts.filter(|one| !one.is_empty()).map(str::to_lowercase).collect()
}

/// Whether a quote has every number of a claim, with its unit. Citations and years do not count. A number that the claim spells out is missed only if the
/// quote has others.
fn has_numbers(claim: &str, quote: &str) -> bool {
    let (claim, quote) = (uncited(claim), uncited(quote));
    let spelled = |text: &str| -> BTreeSet<String> {
        let all = words(text).into_iter();
        let value = |word: String| SPELLED.iter().position(|one| *one == word);
        all.filter_map(value).map(|at| (at + 2).to_string()).collect()
    };
    let (quoted, in_words) = (quantities(&quote), spelled(&quote));
    let stated = |figure: &String| in_words.contains(figure) || quoted.iter().any(|(one, _)| one == figure);
    let is_quoted = |one: &(String, String)| quoted.contains(one) || one.1.is_empty() && in_words.contains(&one.0);
    let has_none = quoted.is_empty() && in_words.is_empty();
    quantities(&claim).iter().all(is_quoted) && (has_none || spelled(&claim).iter().all(stated))
}

/// The figures of a text except years, each with its unit or an empty one.
fn quantities(text: &str) -> BTreeSet<(String, String)> {
    let units = pattern!(
        r"(?P<figure>\d{1,3}(?:[,\u{202f}\u{a0}]\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)(?:\s*(?:(?P<share>%|(?i:percent|per\s+cent)\b)|(?P<points>(?i:(?:percentage\s+)?points?|pp)\b)|(?P<times>×|(?i:x|-?fold|times)\b)|(?P<unit>(?:dB|[kcmµn]?m|[mµn]?s|h|[km]?g|[kMG]?Hz|[kMGT]?B)\b)))?"
    );
    let quantity = |found: regex::Captures<'_>| {
        let named = |name: &'static str| found.name(name).map(|_| name.to_owned());
        let unit = found.name("unit").map(|unit| unit.as_str().to_owned());
        let unit = unit.or_else(|| ["share", "points", "times"].into_iter().find_map(named));
        let printed = found.name("figure")?;
        let figure = figures(printed.as_str()).pop()?;
        let before = text.get(..printed.start()).unwrap_or_default();
        let after = text.get(printed.end()..).unwrap_or_default();
        let is_year = unit.is_none()
            && pattern!(r"^(?:19|20)\d\d$").is_match(printed.as_str())
            && (pattern!(r"(?i)\b(?:in|since|from|until|by|before|after|during|year)\s+$").is_match(before)
                || before.ends_with('(') && after.starts_with([')', ',', ';']));
        (!is_year).then(|| (figure, unit.unwrap_or_default()))
    };
    units.captures_iter(text).filter_map(quantity).collect()
}

/// From two on. `One` is seldom a number.
const SPELLED: [&str; 11] = [
    "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
];

/// Whether the quote has what the claim offers: most of the words of its name that are words of the claim. A name that has no word of the claim says
/// nothing about the quote.
fn names_the_offer(pair: &EvidencePair, claim: &Contribution, context: &CompareContext<'_>) -> bool {
    let claimed = content_stems(claim.claim.text());
    let own = claim.name.split_whitespace();
    let own: Vec<&str> = own
        .filter(|word| content_stems(word).iter().any(|stem| claimed.contains(stem)))
        .collect();
    let name = own.join(" ");
    let wanted = WeightedTerms::of([name.as_str()], context.set);
    let (share, _) = wanted.found(&context.set.read(pair.candidate.text()));
    let is_known = wanted.found(&context.set.read(&name)).1 > 0;
    !is_known || share >= OFFERED
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_the_claim_are_in_the_quote() {
        assert!(has_numbers("a decoder of 3.5 m", "decoders of 3.50 m and 7 m"));
        assert!(!has_numbers("a decoder of 3.5 m", "decoders of 7 m"));
        assert!(!has_numbers("a decoder of 3.5 m", "long decoders"));
        assert!(has_numbers("a decoder in two stages", "a staged decoder"));
        assert!(has_numbers("a decoder in two stages", "a 2-stage decoder"));
        assert!(!has_numbers("a decoder in two stages", "a decoder in three stages"));
    }

    #[test]
    fn a_number_has_its_unit_and_is_no_year_or_citation() {
        assert!(!has_numbers("errors fall by 12 %", "errors of 12 layers fall"));
        assert!(!has_numbers("a decoder of 3.5 m", "decoders of 3.5 km"));
        assert!(has_numbers("errors fall by 12 %", "errors fall by 12 percent"));
        assert!(has_numbers(
            "a decoder, as in [3] and in 2019, of 7 m",
            "decoders of 7 m since 2004"
        ));
        assert!(!has_numbers("a decoder of 3 layers", "a decoder [3]"));
        assert!(!has_numbers("a context of 2048 ropes", "a context of 2000 ropes"));
        assert!(!has_numbers("a long context (2048 ropes)", "a long context"));
        assert!(has_numbers("a decoder as of Lie (2019)", "a decoder"));
        assert!(has_numbers("a decoder five times faster", "a decoder 5 times faster"));
    }

    #[test]
    fn a_quote_that_denies_or_plans_shows_nothing() {
        let turned = |quote: &str, claim: &str| is_turned(["", ""], quote, "", claim);
        let claim = "a decoder that reads slack ropes";
        for quote in [
            "the decoder fails to read slack ropes",
            "the decoder lacks a reader of slack ropes",
            "the decoder hardly reads slack ropes",
            "the decoder rarely reads slack ropes",
            "the decoder doesn’t read slack ropes",
            "a decoder that reads slack ropes is left for future work",
            "we plan to read slack ropes with a decoder",
            "if slack ropes were read, a decoder helps",
            "slack ropes may be read by a decoder",
            "the decoder reads slack ropes if tension is known",
        ] {
            assert!(turned(quote, claim), "{quote}");
        }
        for quote in [
            "the decoder reads slack ropes not only faster but farther",
            "the decoder reads slack ropes in future frames",
            "the decoder reads slack ropes and computes a plan",
            "the decoder reads slack ropes and decides whether they move",
            "the decoder reads slack ropes of the no-boundary and non-linear kind",
            "In May 2016 the decoder reads slack ropes",
        ] {
            assert!(!turned(quote, claim), "{quote}");
        }
        let claim = "a decoder that does not need labels";
        assert!(is_turned(
            ["", "It is not true that"],
            "a decoder needs no labels",
            "",
            claim
        ));
        assert!(!turned("a decoder without labels", claim));
        assert!(turned(
            "a decoder without labels cannot work",
            "a decoder without training"
        ));
        assert!(!is_turned(
            ["", "Unlike earlier systems, we build"],
            "a decoder",
            "",
            claim
        ));
    }

    #[test]
    fn a_sentence_about_another_paper_shows_nothing() {
        for sentence in [
            "(Lie and Berg, 2019) describe a decoder of ropes",
            "Lie et al. (2019) use a decoder of ropes",
            "Lie, Berg and Moe (2019a) also read ropes",
            "In [4], ropes are read",
            "[4, 7] reads ropes",
            "The method of Lie (2019) reads ropes",
        ] {
            assert!(is_of_another_paper(sentence), "{sentence}");
        }
        for sentence in [
            "As Lie (2019), we read ropes",
            "Following Lie and Berg (2019), ropes are read",
            "We read ropes as in Lie and Berg (2019)",
            "Ropes are read by a decoder [4]",
            "In May 2016 The decoder reads ropes",
            "Decoders of the DUC 2003 data read ropes",
            "In 2019 the decoder reads ropes",
        ] {
            assert!(!is_of_another_paper(sentence), "{sentence}");
        }
    }

    #[test]
    fn a_negation_of_the_claim_is_about_the_same_words_in_the_quote() {
        let claim = "a decoder that does not need labels";
        assert!(!lacks_negation(claim, "the decoder works without labels"));
        assert!(lacks_negation(
            claim,
            "the decoder needs labels, and its ropes never break"
        ));
        let opposite = "the decoder needs rope labels and no rope sensors";
        assert!(lacks_negation("a decoder that does not need rope labels", opposite));
        for claim in [
            "unlike earlier systems, a decoder of ropes",
            "not only a decoder but a coder",
            "a decoder with no-boundary ropes",
        ] {
            assert!(!lacks_negation(claim, "a decoder of ropes"), "{claim}");
        }
    }
}
