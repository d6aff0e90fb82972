//! Wording of reviews.

use precedent_domain::{
    BoardReview, ConfidenceLimit, DeepSearch, EvidenceKind, Grounding, IdeaPart, IdeaReview, KnowledgePiece,
    KnowledgeRole, Lowering, LoweringBasis, LoweringReason, MetaReview, PartStatement, Refinement, ReviewDecision,
    SetAsideReason,
};

use crate::blocks::Line;
use crate::passage::{Passage, without_bullet};
use crate::plain::{cut_words, one_line};
use crate::words;

/// Changes of a score below this are shown as 0.00.
const SHOWN_AS_ZERO: f64 = 0.005;

/// Shown if no model was used.
pub(super) const NO_SCORES: &str = "No scores: judging an idea needs a model. The idea's statements, the documents found and the similar sentences are listed below.";
/// Shown if no reader gave a usable answer.
pub(super) const NO_BOARD: &str = "No scores: no reader of the board gave a usable answer.";
/// Shown if the readers judged but the chair gave no usable answer.
pub(super) const NO_META: &str =
    "The readers' scores are listed below. The chair gave no usable answer, so there is no decision.";
/// Shown if the idea has no date.
pub(super) const UNDATED: &str =
    "The idea has no date, so everything found counts as earlier and there are no suggestions from later work.";
/// Shown for a part without evidence.
pub(super) const NO_EVIDENCE: &str = "Nothing found is similar enough to this part to be shown.";
/// Shown for a part that is compared with no document.
pub(super) const NOT_COMPARED: &str = "This part was compared with no document.";
/// The label of an idea whose text was found.
pub(super) const SAME_TEXT: &str = "Nearly the same text";
/// The score thresholds of the decisions.
pub(super) const BINS: &str =
    "The decision follows from the score by rule: below 6 reject, from 6 poster, from 7 spotlight, from 8 oral.";
/// Words of an idea without a title that are its title.
const TITLE_WORDS: usize = 12;
/// Number of documents shown at first for a part; others are collapsed.
pub(super) const AT_ONCE: usize = 3;

/// Whether a model was used.
pub(super) fn by_model(review: &IdeaReview) -> bool {
    review.metadata.analyst != "offline"
}

/// The title of the idea, or else its first words.
#[must_use]
pub fn review_title(review: &IdeaReview) -> String {
    let title = review.idea.title.trim();
    if !title.is_empty() {
        return title.to_owned();
    }
    let wording = cut_words(&review.idea.document.text, TITLE_WORDS);
    let more = if wording.cut { " …" } else { "" };
    match one_line(without_bullet(wording.text)).trim() {
        "" => "An idea without a title".to_owned(),
        begins => format!("{begins}{more}"),
    }
}

/// Says that an earlier text contains the idea nearly word for word, because it may be somebody else's. Comes before everything else.
#[must_use]
pub fn same_text(review: &IdeaReview) -> Option<String> {
    // Pages and repositories with the title of a paper are its own.
    let named = !review.idea.title.trim().is_empty();
    let counts = |one: &&KnowledgePiece| {
        one.own && one.role != KnowledgeRole::Suggests && (one.kind == EvidenceKind::Literature || !named)
    };
    let found: Vec<String> = review
        .knowledge
        .iter()
        .filter(counts)
        .map(|one| format!("{}[{}] ({})", one.alias, one.number, one.work.title))
        .collect();
    (!found.is_empty()).then(|| {
        format!(
            "{SAME_TEXT} was found: {}. If it is not your own, the idea is not new. {}",
            words::and_list(&found),
            match review.meta {
                Some(_) => "In that case the scores mean nothing, because they leave it out.",
                None => "It is not compared with the idea.",
            }
        )
    })
}

/// Why there is no score; `None` if there is one.
pub(super) fn no_score(review: &IdeaReview) -> Option<&'static str> {
    match &review.meta {
        Some(_) => None,
        None if !by_model(review) => Some(NO_SCORES),
        None if review.board.iter().all(|one| one.opinions.is_empty()) => Some(NO_BOARD),
        None => Some(NO_META),
    }
}

/// `6.4 of 10: poster (medium confidence)`.
pub(super) fn decided(meta: &MetaReview) -> String {
    let decided = format!("{} of 10: {}", score(meta.score), meta.decision.name());
    match &meta.decision_confidence {
        Some(one) => format!("{decided} ({} confidence)", one.level.name()),
        None => decided,
    }
}

/// Why the confidence is lower than the chair's; `None` if it is not.
pub(super) fn confidence_limited(review: &IdeaReview, meta: &MetaReview) -> Option<String> {
    let one = meta.decision_confidence.as_ref().filter(|one| !one.limits.is_empty())?;
    let reason = |limit: &ConfidenceLimit| match limit {
        ConfidenceLimit::ReadersDisagree { dimension, spread } => {
            let name = dimension_name(review, dimension);
            format!("the readers' scores for {name} are {} points apart", score(*spread))
        }
        ConfidenceLimit::OpinionsMissing { usable, requested } => {
            format!("only {usable} of {requested} opinions were usable")
        }
        ConfidenceLimit::DatesUncertain { documents: 0, .. } => "the chair was shown no document".to_owned(),
        ConfidenceLimit::DatesUncertain { certain, documents } => {
            format!("only {certain} of {documents} documents shown are certainly earlier")
        }
        ConfidenceLimit::ScoreLowered { .. } => "the chair lowered scores".to_owned(),
    };
    let reasons: Vec<String> = one.limits.iter().map(reason).collect();
    Some(format!(
        "The chair's confidence is {}. It is limited to {}, because {}.",
        one.by_chair.name(),
        one.level.name(),
        words::and_list(&reasons)
    ))
}

/// The name of a dimension in running text.
fn dimension_name(review: &IdeaReview, id: &str) -> String {
    let known = review.dimensions.iter().find(|one| one.id == id);
    known.map_or(id, |one| one.name.as_str()).to_lowercase()
}

/// A dimension that the chair lowered, with its score before and after and the reason.
pub(super) fn lowering(review: &IdeaReview, one: &Lowering) -> Line {
    let name = words::sentence(&dimension_name(review, &one.dimension));
    let scores = format!(
        "{}: {} before, {} after. ",
        name.trim_end_matches('.'),
        score(one.before),
        score(one.after)
    );
    let reason = match one.reason {
        LoweringReason::Vague => "The chair finds these words vague:",
        LoweringReason::NoBaseline => "The chair finds nothing to compare the results with.",
        LoweringReason::NoProtocol => "The chair finds no account of how the results are evaluated.",
        LoweringReason::NoMechanism => "The chair finds no account of how the method works.",
    };
    let line = Line::default().external(&scores).text(reason).text(" ");
    match &one.basis {
        LoweringBasis::Quote { quote } => line.quote(&Passage::of(quote)),
        LoweringBasis::Absent { looked_for } if looked_for.is_empty() => line,
        LoweringBasis::Absent { looked_for } => line
            .note("Terms that are not in the idea:")
            .text(" ")
            .external(&format!("{}.", words::and_list(&quoted(looked_for)))),
    }
}

fn quoted(terms: &[String]) -> Vec<String> {
    terms.iter().map(|one| format!("“{one}”")).collect()
}

/// Points that the lowerings take off the mean over the dimensions.
fn taken_off(meta: &MetaReview) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "dimensions of a review")]
    let dimensions = meta.dimensions.len().max(1) as f64;
    meta.lowered.iter().map(|one| one.by).sum::<f64>() / dimensions
}

/// The CSS class of a decision. Each has its own shape, so that nothing depends on colour alone.
pub(super) fn key(decision: ReviewDecision) -> &'static str {
    match decision {
        ReviewDecision::Reject => "found",
        ReviewDecision::Poster => "reading",
        ReviewDecision::Spotlight | ReviewDecision::Oral => "clear",
    }
}

/// How the score was computed.
pub(super) fn reckoned(meta: &MetaReview) -> String {
    let lowered = match meta.lowered.len() {
        0 => String::new(),
        dimensions => format!(
            "; the chair lowers {}, which takes off {}",
            words::count(dimensions, "dimension", "dimensions"),
            score(taken_off(meta))
        ),
    };
    let change = if meta.delta.abs() < SHOWN_AS_ZERO {
        match lowered.is_empty() {
            true => "; the chair changes nothing".to_owned(),
            false => String::new(),
        }
    } else if meta.delta > 0.0 {
        format!("; the chair adds {}", score(meta.delta))
    } else {
        format!("; the chair subtracts {}", score(-meta.delta))
    };
    let confidence = match meta.decision_confidence {
        Some(_) => String::new(),
        None => format!(" Confidence {}.", words::percent(meta.confidence)),
    };
    format!(
        "The readers' mean over all dimensions is {}{lowered}{change}.{confidence}",
        score(meta.average)
    )
}

/// A score with at most two decimals: `7`, `6.4`, `5.98`. A score just below a threshold is never rounded up to it.
#[must_use]
pub fn score(score: f64) -> String {
    let mut text = format!("{score:.2}");
    let reaches = |bin: f64| score < bin && text.parse::<f64>().is_ok_and(|shown| shown >= bin);
    if [6.0, 7.0, 8.0].into_iter().any(reaches) {
        text = format!("{:.2}", score - 0.005);
    }
    let trimmed = text.trim_end_matches('0').trim_end_matches('.');
    if trimmed.is_empty() || trimmed == "-0" {
        "0"
    } else {
        trimmed
    }
    .to_owned()
}

/// The mean of a dimension's scores, rounded to six decimals as in the review itself.
pub(super) fn mean(scores: &[f64]) -> Option<f64> {
    #[expect(clippy::cast_precision_loss, reason = "readers of a board")]
    let mean = scores.iter().sum::<f64>() / scores.len() as f64;
    (!scores.is_empty()).then_some((mean * 1e6).round() / 1e6)
}

/// The document with this number.
pub(super) fn piece(review: &IdeaReview, number: u32) -> Option<&KnowledgePiece> {
    review.knowledge.iter().find(|one| one.number == number)
}

/// A model's prose, with its citations of the documents found.
pub(super) fn prose(review: &IdeaReview, text: &str) -> Line {
    Line::prose(text, |number| piece(review, number).is_some())
}

/// The evidence on a part, in the order of the review.
pub(super) fn of_part(review: &IdeaReview, part: IdeaPart) -> Vec<(&Grounding, &KnowledgePiece)> {
    let of_it = review.grounding.iter().filter(|one| one.part == part);
    of_it.filter_map(|one| Some((one, piece(review, one.piece)?))).collect()
}

/// Whether a document is compared with the idea: it is not later, and it is not the idea itself.
pub(super) fn is_compared(one: &KnowledgePiece) -> bool {
    one.role != KnowledgeRole::Suggests && !one.own
}

/// Lists the parts that the idea does not cover.
pub(super) fn missing(review: &IdeaReview) -> Option<String> {
    let names: Vec<String> = review.idea.missing.iter().map(|part| part.name().to_owned()).collect();
    (!names.is_empty()).then(|| format!("Not found in the idea: {}.", words::and_list(&names)))
}

/// Whether a statement is the idea's own words, ignoring bullets, case and punctuation.
pub(super) fn says_the_same(one: &PartStatement) -> bool {
    let bare = |text: &str| -> String {
        let kept = text.chars().filter(|c| c.is_alphanumeric());
        kept.flat_map(char::to_lowercase).collect()
    };
    bare(&one.statement) == bare(one.quote.text())
}

/// Why a record was excluded.
pub(super) fn set_aside(reason: SetAsideReason) -> &'static str {
    match reason {
        SetAsideReason::Later => "later than the idea",
        other => words::set_aside(other),
    }
}

/// The evidence that a reader was given.
pub(super) fn had(one: &BoardReview) -> String {
    let shares: Vec<String> = one
        .familiarity
        .iter()
        .filter(|share| share.of > 0)
        .map(|share| {
            format!(
                "{} of {} in {} (familiarity {} of 10)",
                share.seen,
                share.of,
                share.kind.name(),
                share.familiarity
            )
        })
        .collect();
    match shares.as_slice() {
        [] => "Given no evidence, because none was found.".to_owned(),
        shares if one.familiarity.iter().all(|share| share.seen == share.of) => {
            format!("Given {}.", words::and_list(shares))
        }
        shares => format!("Given {}; the rest was masked.", words::and_list(shares)),
    }
}

/// The readers' letters in order: `A`, `B`, …, then `A2` after `Z`.
pub(super) fn letter(at: usize) -> String {
    let letter = u8::try_from(at % 26).map_or('?', |at| char::from(b'A' + at));
    match at / 26 {
        0 => letter.to_string(),
        round => format!("{letter}{}", round + 1),
    }
}

/// How evidence was searched for.
pub(super) fn search(review: &IdeaReview) -> String {
    let search: &DeepSearch = &review.search;
    let judged = match review.knowledge.iter().any(|one| one.judged.is_some()) {
        true => format!(
            ", weight {}, and by relevance as judged by a model, weight {} (judged: {} times as many as are kept{})",
            score(search.alpha),
            score(1.0 - search.alpha),
            search.oversample,
            if search.as_published {
                "; as in the published system, the model saw citations, venue and stars where a source gave them, as counted when it was asked, and preferred higher ones among similar records"
            } else {
                ""
            }
        ),
        false => String::new(),
    };
    let mut text = format!(
        "Search ran {} of at most {}. Results were ranked by similarity to the idea ({}){}. At most {} of each kind were compared with the idea.",
        words::count(search.rounds.len(), "round", "rounds"),
        search.most_rounds,
        search.semantic_by,
        judged,
        search.keep,
    );
    if let Some(reranker) = &search.reranker {
        text.push_str(&format!(
            " {reranker} read each candidate together with the idea and ordered the candidates of each kind. Only this order counts: candidate n gets the n-th highest similarity."
        ));
    }
    if search.spared > 0 {
        text.push_str(&format!(
            " The model did not judge {}, because enough of those before {} are fully relevant.",
            words::count(search.spared, "candidate", "candidates"),
            if search.spared == 1 { "it" } else { "them" }
        ));
    }
    text
}

/// How a query was derived from an earlier one.
pub(super) fn refined(refined: Refinement) -> &'static str {
    match refined {
        Refinement::First => "",
        Refinement::Rewritten => "reworded",
        Refinement::Generalised => "broader",
        Refinement::Concretised => "narrower",
    }
}

/// Describes how the review was made.
pub(super) fn about(review: &IdeaReview) -> String {
    let silent = by_model(review) && review.metadata.models.iter().all(|one| one.answers == 0);
    let who = if silent {
        format!(
            "{} was called but gave no answer. The content is rule-based, and nothing was judged.",
            review.metadata.analyst
        )
    } else if by_model(review) {
        format!(
            "Read and judged by {}. The readers of the board and the evidence given to each were sampled with seed {}.",
            review.metadata.analyst, review.metadata.seed
        )
    } else {
        "No model was used. Parts, search and evidence are rule-based.".to_owned()
    };
    match &review.metadata.as_of {
        Some(as_of) => format!(
            "{who} Cutoff date: {} ({}). Later work is {}.",
            as_of.date,
            words::date_origin(&as_of.origin),
            match by_model(review) {
                true => "used for suggestions only",
                false => "listed but not compared with the idea",
            }
        ),
        None => format!("{who} {UNDATED}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_score_below_a_threshold_is_not_rounded_up_to_it() {
        for (number, expected) in [
            (0.0, "0"),
            (10.0, "10"),
            (6.4, "6.4"),
            (5.996, "5.99"),
            (5.999_999_9, "5.99"),
            (6.0, "6"),
            (7.995_1, "7.99"),
            (8.0, "8"),
            (9.999, "10"),
            (-0.001, "0"),
        ] {
            assert_eq!(score(number), expected, "{number}");
        }
    }

    #[test]
    fn readers_have_distinct_letters() {
        let letters: std::collections::BTreeSet<String> = (0..60).map(letter).collect();
        assert_eq!(
            (letters.len(), letter(0), letter(26)),
            (60, "A".to_owned(), "A2".to_owned())
        );
    }
}
