//! Whether a located pair of quotes shows that a work has a claim. A model's `can_refute` counts only with a pair that has none of these flaws.

use std::collections::BTreeSet;

use precedent_domain::{Contribution, EvidencePair, Span};
use precedent_matcher::Shown;
use precedent_text::surroundings;

use crate::assess::model::context::CompareContext;
use crate::compare::{PriorReading, WeightedTerms};
use crate::model::prose::figures;

/// Minimum probability, by the matcher, that the work states the claim in the quoted passage. Of the works to which the matcher gives 40 to 50 %, 64 %
/// state the claim (`docs/matcher-card.md`), and a model has read this one. `cargo xtask bench verdicts` counts the texts that reach this and other
/// probabilities by their best passage.
const PROBABILITY: f64 = 0.4;
/// Minimum share of the claim's weighted terms in a quote that needs no such probability, and minimum number of terms of such a claim. The probability
/// also depends on the paper as a whole, so a work of another field hardly reaches it. `cargo xtask bench verdicts` has
/// no such quote.
const COVERAGE: f64 = 0.7;
const TERMS: usize = 10;
/// Minimum share of the weight of what the claim offers, its name in the claim's own words, that the quote has. Chosen by hand: at least half.
const OFFERED: f64 = 0.5;

/// Why a located pair does not show that the work has the claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Flaw {
    /// The quote is the work's title and nothing more.
    Title,
    /// The quote belongs to a sentence that denies it, sets a condition, asks it or expresses a wish, unlike the claim.
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
                "its quote is part of a sentence that denies it, limits it, sets a condition or expresses a wish"
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
    let claimed = words(claim.claim.text());
    if is_unreal(pair, &claimed, prior) {
        return Some(Flaw::Sentence);
    }
    let negated = |words: &[String]| words.iter().any(|word| NEGATIONS.contains(&word.as_str()));
    if negated(&claimed) && !negated(&quoted) {
        return Some(Flaw::Negation);
    }
    if !has_numbers(claim.claim.text(), pair.candidate.text()) {
        return Some(Flaw::Number);
    }
    let terms = context.matches.terms(claim.number);
    let enough = |shown: Shown| shown.probability >= PROBABILITY || terms >= TERMS && shown.coverage >= COVERAGE;
    let shown = context.matches.shown(claim.number, prior, pair.candidate.span());
    if !shown.is_some_and(|(quote, _)| enough(quote)) {
        let best = !shown.is_some_and(|(_, best)| enough(best));
        return Some(Flaw::Improbable { best });
    }
    (!names_the_offer(pair, claim, context)).then_some(Flaw::Offer)
}

const NEGATIONS: [&str; 20] = [
    "not", "no", "never", "none", "nor", "neither", "without", "cannot", "unable", "fail", "fails", "failed", "lack",
    "lacks", "lacking", "unlike", "nobody", "nothing", "hardly", "rarely",
];

/// Words of a sentence about something that is not so, or not yet: a belief, a denial, a condition, a wish.
const UNREAL: [&str; 32] = [
    "myth",
    "misconception",
    "fallacy",
    "believed",
    "assumed",
    "nobody",
    "nothing",
    "none",
    "never",
    "neither",
    "nor",
    "not",
    "no",
    "without",
    "cannot",
    "unable",
    "failed",
    "impossible",
    "if",
    "unless",
    "whether",
    "suppose",
    "future",
    "should",
    "would",
    "could",
    "might",
    "may",
    "hope",
    "wish",
    "plan",
    "ought",
];

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

/// Whether the quote belongs to a sentence, or to a list with a heading, that states something else than the quote: what stands before it in the
/// sentence, its own words, the clause after it, and single words up to the end of the sentence.
fn is_unreal(pair: &EvidencePair, claimed: &[String], prior: &PriorReading<'_>) -> bool {
    let quotable = prior.reading.quotable();
    let location = quotable.locate(pair.candidate.text());
    let around = surroundings(quotable.source(), pair.candidate.text(), &location);
    let text = |span: Option<Span>| {
        let document = prior.reading.document();
        span.and_then(|span| document.slice(span)).unwrap_or_default()
    };
    let after = text(around.sentence_after);
    let clause = after.split([',', ';', ':', '(', '—']).next().unwrap_or_default();
    let governs = [
        text(around.lead_in),
        text(around.sentence_before),
        pair.candidate.text(),
        clause,
    ];
    let new = |word: &String| !claimed.contains(word);
    let unreal = governs.into_iter().flat_map(words).filter(new);
    let later = words(after).into_iter().filter(new);
    let rest = prior.reading.document().text.get(pair.candidate.span().end..);
    let asks = |text: &str| text.trim_end().ends_with('?');
    let is_question = asks(pair.candidate.text()) || asks(after) || rest.is_some_and(|rest| rest.starts_with('?'));
    is_question
        || around.cut_off_before.is_some()
        || around.cut_off_after.is_some()
        || unreal.into_iter().any(|word| UNREAL.contains(&word.as_str()))
        || later.into_iter().any(|word| TURNED_LATER.contains(&word.as_str()))
}

/// The words of a text in lower case, with `not` for `n't`, and without the month of May.
fn words(text: &str) -> Vec<String> {
    let text = text.replace("n't", " not").replace("n’t", " not");
    let parts = text.split(|c: char| !c.is_alphanumeric());
    let parts = parts.filter(|one| !one.is_empty() && *one != "May");
    parts.map(str::to_lowercase).collect()
}

/// Whether a quote has every number of a claim. A number that the claim spells out is missed only if the quote has others.
fn has_numbers(claim: &str, quote: &str) -> bool {
    let spelled = |text: &str| -> BTreeSet<String> {
        let all = words(text).into_iter();
        let value = |word: String| SPELLED.iter().position(|one| *one == word);
        all.filter_map(value).map(|at| (at + 2).to_string()).collect()
    };
    let (digits, in_words) = (figures(claim), spelled(claim));
    let quoted: BTreeSet<String> = figures(quote).into_iter().chain(spelled(quote)).collect();
    digits.iter().all(|one| quoted.contains(one)) && (quoted.is_empty() || in_words.is_subset(&quoted))
}

/// From two on. `One` is seldom a number.
const SPELLED: [&str; 11] = [
    "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
];

/// Whether the quote has what the claim offers: most of the words of its name that are words of the claim. A name that has no word of the claim says
/// nothing about the quote.
fn names_the_offer(pair: &EvidencePair, claim: &Contribution, context: &CompareContext<'_>) -> bool {
    let stems = |text: &str| precedent_language::wording::content_stems(text);
    let claimed = stems(claim.claim.text());
    let own = claim.name.split_whitespace();
    let own: Vec<&str> = own
        .filter(|word| stems(word).iter().any(|stem| claimed.contains(stem)))
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
    fn contracted_negations_are_words() {
        assert_eq!(
            words("It doesn’t hold. In May 2016"),
            ["it", "does", "not", "hold", "in", "2016"]
        );
    }
}
