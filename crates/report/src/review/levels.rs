//! The levels of the parts of an idea, and how relevant documents are to them.

use precedent_domain::{Evidence, Grounding, IdeaPart, IdeaReview, KnowledgePiece, KnowledgeRole, Stance};

use super::shown::{of_part, score};
use crate::{ClaimLevel, words};

/// Below this share of a part's words no figure is shown. It would suggest too much precision, because a part may have many statements. In reports of schema 1.4
/// and before, a larger share makes a document similar.
const FEW: f64 = 0.1;
/// Relevance from which a document is similar to a part, as the prompt `review.ground` defines it: the document treats the same problem, method or data.
const RELEVANT: f64 = 5.0;

/// The level of a part: anticipated if one earlier document makes all its statements nearly word for word, similar if it makes some, or if a model or the
/// matcher finds a document similar.
pub(super) fn level(review: &IdeaReview, part: IdeaPart) -> ClaimLevel {
    let of_part = of_part(review, part).into_iter();
    let highest = of_part.map(|(one, piece)| level_of_pair(review, one, piece)).min();
    highest.unwrap_or(match review.knowledge.is_empty() {
        true => ClaimLevel::NotCompared,
        false => ClaimLevel::None,
    })
}

/// The level of one document: the highest over the parts of the idea.
pub(super) fn level_of_document(review: &IdeaReview, document: &KnowledgePiece) -> ClaimLevel {
    let of_it = review.grounding.iter().filter(|one| one.piece == document.number);
    let highest = of_it.map(|one| level_of_pair(review, one, document)).min();
    highest.unwrap_or(ClaimLevel::None)
}

/// The level of one document for one part.
pub(super) fn level_of_pair(review: &IdeaReview, one: &Grounding, piece: &KnowledgePiece) -> ClaimLevel {
    let statements = || review.idea.statements.iter().filter(|own| own.part == one.part);
    let has_all = statements().all(|own| one.repeated().any(|number| number == own.number));
    if has_all && statements().next().is_some() && piece.role == KnowledgeRole::Grounds {
        ClaimLevel::Anticipated
    } else if is_similar(one) {
        ClaimLevel::Similar
    } else {
        ClaimLevel::None
    }
}

/// Whether a document is similar enough to a part for a human reader.
fn is_similar(one: &Grounding) -> bool {
    let by_words = || one.similar.unwrap_or(one.shared >= FEW);
    one.repeated().next().is_some() || one.score.map_or_else(by_words, |score| score >= RELEVANT)
}

/// The reason for the level of a part: the stance of the closest document, how relevant it is, and to which statements.
pub(super) fn why(one: &Grounding) -> String {
    let mut repeated: Vec<u32> = one.repeated().collect();
    repeated.dedup();
    let repeated: Vec<String> = repeated.iter().map(u32::to_string).collect();
    let repeats = match repeated.as_slice() {
        [] => None,
        [one] => Some(format!("has statement {one} nearly word for word")),
        many => Some(format!("has statements {} nearly word for word", words::and_list(many))),
    };
    let strongest = one
        .evidence
        .iter()
        .map(|one| one.stance)
        .min_by_key(|stance| match stance {
            Stance::Contradicts => 0,
            Stance::Supports => 1,
            Stance::SpeaksOf => 2,
        });
    let strongest = strongest.filter(|stance| *stance != Stance::SpeaksOf);
    let stance = strongest.map(|stance| self::stance(stance).to_owned());
    let weight = match (one.score, one.probability) {
        (None, Some(probability)) => Some(format!(
            "{} probability that it says the same",
            words::probability(probability)
        )),
        _ => Some(weight(one)),
    };
    let weight = weight.filter(|_| repeats.is_none() || one.score.is_some());
    let facts: Vec<String> = repeats.into_iter().chain(stance).chain(weight).collect();
    facts.join("; ")
}

/// The CSS class and the label of evidence.
pub(crate) fn evidence_label(one: &Evidence) -> (&'static str, &'static str) {
    match one.repeats {
        Some(_) => ("found", "nearly word for word"),
        None => (stance_key(one.stance), stance(one.stance)),
    }
}

/// The label of an evidence's stance.
fn stance(stance: Stance) -> &'static str {
    match stance {
        Stance::Supports => "supports",
        Stance::Contradicts => "contradicts",
        Stance::SpeaksOf => "similar words",
    }
}

/// The CSS class of a stance.
fn stance_key(stance: Stance) -> &'static str {
    match stance {
        Stance::Supports => "clear",
        Stance::Contradicts => "found",
        Stance::SpeaksOf => "reading",
    }
}

/// How relevant a document is to a part.
pub(crate) fn weight(one: &Grounding) -> String {
    let shared = match one.shared {
        shared if shared < FEW => "shares single words with the part".to_owned(),
        shared => format!(
            "shares {} of the part's words (rare words count more)",
            words::percent(shared)
        ),
    };
    match (one.score, one.probability) {
        (Some(score), _) => format!("relevance {} of 10", self::score(score)),
        (None, Some(probability)) => format!(
            "{shared}; {} probability that the document states it",
            words::probability(probability)
        ),
        (None, None) => shared,
    }
}
