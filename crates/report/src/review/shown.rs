//! What stands in every format of a review, in words.

use precedent_domain::{
    BoardReview, DeepSearch, EvidenceKind, Extent, Grounding, IdeaPart, IdeaReview, KnowledgePiece, KnowledgeRole,
    MetaReview, PartStatement, Refinement, ReviewDecision, Stance, Timing,
};

use crate::words;

/// What stands where no model judged.
pub(super) const NO_SCORES: &str = "No scores: judging an idea needs a model. What the idea says, what was found, and the sentences that speak of the same stand below.";
/// The same where a model was asked and no reader gave a usable answer.
pub(super) const NO_BOARD: &str = "No scores: no reader of the board gave a usable answer.";
/// What stands where the readers judged and nothing could be summed up.
pub(super) const NO_META: &str = "The readers' scores stand below. What they come to could not be told: the chair gave no usable answer, so there is no decision.";
/// What stands where the idea has no date.
pub(super) const UNDATED: &str =
    "The idea has no date: everything found counts as earlier, and there are no suggestions from later work.";
/// What stands for a part that nothing bears on.
pub(super) const NO_EVIDENCE: &str = "Nothing that was found speaks of this part closely enough to be shown.";
/// What the bins are.
pub(super) const BINS: &str =
    "The decision follows from the score by rule: below 6 reject, from 6 poster, from 7 spotlight, from 8 oral.";
/// Share of a part's words below which a figure would say more than it tells: a part may be of many statements.
const FEW: f64 = 0.1;
/// Groundings shown at once for a part; others are folded away.
pub(super) const AT_ONCE: usize = 3;

/// Whether a model took part.
pub(super) fn by_model(review: &IdeaReview) -> bool {
    review.metadata.analyst != "offline"
}

/// What the report is called.
pub(super) fn title(review: &IdeaReview) -> &str {
    match review.idea.title.trim() {
        "" => "An idea without a title",
        title => title,
    }
}

/// That an earlier text holds the idea nearly word for word, where one does: it may be somebody else's. Stands before everything else.
#[must_use]
pub fn same_text(review: &IdeaReview) -> Option<String> {
    // Pages and repositories under a paper's own name are its own.
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
            "Nearly the same text was found: {}. If it is not your own, the idea is not new. {}",
            words::and_list(&found),
            match review.meta {
                Some(_) => "The scores leave it out: they are worth nothing then.",
                None => "It is not compared with the idea.",
            }
        )
    })
}

/// Why there is no score, where there is none.
pub(super) fn no_score(review: &IdeaReview) -> Option<&'static str> {
    match &review.meta {
        Some(_) => None,
        None if !by_model(review) => Some(NO_SCORES),
        None if review.board.iter().all(|one| one.opinions.is_empty()) => Some(NO_BOARD),
        None => Some(NO_META),
    }
}

/// `6.4 of 10: poster`.
pub(super) fn decided(meta: &MetaReview) -> String {
    format!("{} of 10: {}", score(meta.score), meta.decision.name())
}

/// The shape that stands before a decision: none is told by colour alone.
pub(super) fn key(decision: ReviewDecision) -> &'static str {
    match decision {
        ReviewDecision::Reject => "found",
        ReviewDecision::Poster => "reading",
        ReviewDecision::Spotlight | ReviewDecision::Oral => "clear",
    }
}

/// How the score came about.
pub(super) fn reckoned(meta: &MetaReview) -> String {
    let change = if meta.delta.abs() < 0.005 {
        "the chair changes nothing".to_owned()
    } else if meta.delta > 0.0 {
        format!("the chair adds {}", score(meta.delta))
    } else {
        format!("the chair takes away {}", score(-meta.delta))
    };
    format!(
        "The readers' mean over all dimensions is {}; {change}. Confidence {}.",
        score(meta.average),
        words::percent(meta.confidence)
    )
}

/// A score with at most two places: `7`, `6.4`, `5.98`. A score just below a bin is never printed as if it reached it.
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

/// The mean of a dimension's scores to six places, as those of the review itself are.
pub(super) fn mean(scores: &[f64]) -> Option<f64> {
    #[expect(clippy::cast_precision_loss, reason = "readers of a board")]
    let mean = scores.iter().sum::<f64>() / scores.len() as f64;
    (!scores.is_empty()).then_some((mean * 1e6).round() / 1e6)
}

/// The piece of this number.
pub(super) fn piece(review: &IdeaReview, number: u32) -> Option<&KnowledgePiece> {
    review.knowledge.iter().find(|one| one.number == number)
}

/// What bears on a part, the weightiest first.
pub(super) fn of_part(review: &IdeaReview, part: IdeaPart) -> Vec<(&Grounding, &KnowledgePiece)> {
    let of_it = review.grounding.iter().filter(|one| one.part == part);
    of_it.filter_map(|one| Some((one, piece(review, one.piece)?))).collect()
}

/// What the idea says of a part is missing.
pub(super) fn missing(review: &IdeaReview) -> Option<String> {
    let names: Vec<String> = review.idea.missing.iter().map(|part| part.name().to_owned()).collect();
    (!names.is_empty()).then(|| {
        format!(
            "The idea says nothing that could be told of its {}.",
            words::and_list(&names)
        )
    })
}

/// Whether a statement is the idea's own words, but for a bullet, a capital and a full stop.
pub(super) fn says_the_same(one: &PartStatement) -> bool {
    let bare = |text: &str| -> String {
        let kept = text.chars().filter(|c| c.is_alphanumeric());
        kept.flat_map(char::to_lowercase).collect()
    };
    bare(&one.statement) == bare(one.quote.text())
}

/// Which way evidence bears.
pub(super) fn stance(stance: Stance) -> &'static str {
    match stance {
        Stance::Supports => "supports",
        Stance::Contradicts => "contradicts",
        Stance::SpeaksOf => "speaks of the same",
    }
}

/// The shape that stands before a stance.
pub(super) fn stance_key(stance: Stance) -> &'static str {
    match stance {
        Stance::Supports => "clear",
        Stance::Contradicts => "found",
        Stance::SpeaksOf => "reading",
    }
}

/// How much a piece bears on a part.
pub(super) fn weight(one: &Grounding) -> String {
    match one.score {
        Some(score) => format!("bears on it {} of 10", self::score(score)),
        None if one.shared < FEW => "shares single words with the part".to_owned(),
        None => format!("has {} of the part's words", words::percent(one.shared)),
    }
}

/// Date, standing and origin of a piece.
pub(super) fn facts(one: &KnowledgePiece) -> String {
    let mut facts = vec![one.kind.name().to_owned()];
    match one.work.earliest() {
        Some(dated) => facts.push(dated.date.to_string()),
        None => facts.push("no date is known".to_owned()),
    }
    if one.own {
        facts.push("nearly the same text as the idea: not compared with it".to_owned());
    }
    match one.role {
        KnowledgeRole::Grounds => {}
        KnowledgeRole::Marked if one.timing == Timing::Undated => facts.push("undated: marked".to_owned()),
        KnowledgeRole::Marked => {
            facts.push("dated too near the idea or too coarsely to be surely earlier: marked".to_owned())
        }
        KnowledgeRole::Suggests => facts.push("later than the idea: it feeds suggestions alone".to_owned()),
    }
    facts.push(match (one.read_whole, one.work.extent) {
        (true, _) | (_, Extent::FullText) => "read in full".to_owned(),
        _ => "known by what the search showed of it".to_owned(),
    });
    if !one.found_by.is_empty() {
        facts.push(format!("found by {}", words::and_list(&one.found_by)));
    }
    let judged = match one.judged {
        Some(judged) => format!(", judged {}", words::percent(judged)),
        None => String::new(),
    };
    facts.push(format!("nearness {}{judged}", words::percent(one.semantic)));
    facts.join("; ")
}

/// What a reader had before them.
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
        [] => "Had no evidence: none was found.".to_owned(),
        shares if one.familiarity.iter().all(|share| share.seen == share.of) => {
            format!("Had {}.", words::and_list(shares))
        }
        shares => format!("Had {}; the rest was masked.", words::and_list(shares)),
    }
}

/// The readers' letters, in their order: `A`, `B`, …; `A2` after `Z`.
pub(super) fn letter(at: usize) -> String {
    let letter = u8::try_from(at % 26).map_or('?', |at| char::from(b'A' + at));
    match at / 26 {
        0 => letter.to_string(),
        round => format!("{letter}{}", round + 1),
    }
}

/// How knowledge was looked for.
pub(super) fn search(review: &IdeaReview) -> String {
    let search: &DeepSearch = &review.search;
    let judged = match review.knowledge.iter().any(|one| one.judged.is_some()) {
        true => format!(
            ", weight {}, and by how much a model finds it to bear on it, weight {}, asked of {} times as many as are kept",
            score(search.alpha),
            score(1.0 - search.alpha),
            search.oversample
        ),
        false => String::new(),
    };
    format!(
        "Looked for in {} of at most {}. What was found was put in order by how near it stands to the idea ({}){}; at most {} of each kind were kept.",
        words::count(search.rounds.len(), "round", "rounds"),
        search.most_rounds,
        search.semantic_by,
        judged,
        search.keep,
    )
}

/// How a query came from an earlier one.
pub(super) fn refined(refined: Refinement) -> &'static str {
    match refined {
        Refinement::First => "",
        Refinement::Rewritten => "in other words",
        Refinement::Generalised => "wider",
        Refinement::Concretised => "narrower",
    }
}

/// How the review was made.
pub(super) fn about(review: &IdeaReview) -> String {
    let silent = by_model(review) && review.metadata.models.iter().all(|one| one.answers == 0);
    let who = if silent {
        format!(
            "{} was asked and gave no answer: what stands here is the program's own, by rule, and nobody judged.",
            review.metadata.analyst
        )
    } else if by_model(review) {
        format!(
            "Read and judged by {}. The readers of the board and what each of them had before them were drawn with seed {}.",
            review.metadata.analyst, review.metadata.seed
        )
    } else {
        "No model took part: parts, search and evidence are the program's own, by rule.".to_owned()
    };
    match &review.metadata.as_of {
        Some(as_of) => format!(
            "{who} The idea is judged by {} ({}): what is surely later feeds suggestions and nothing else.",
            as_of.date,
            words::date_origin(&as_of.origin)
        ),
        None => format!("{who} {UNDATED}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_score_below_a_bin_is_never_printed_as_if_it_reached_it() {
        for (number, told) in [
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
            assert_eq!(score(number), told, "{number}");
        }
    }

    #[test]
    fn readers_have_letters_of_their_own() {
        let letters: std::collections::BTreeSet<String> = (0..60).map(letter).collect();
        assert_eq!(
            (letters.len(), letter(0), letter(26)),
            (60, "A".to_owned(), "A2".to_owned())
        );
    }
}
