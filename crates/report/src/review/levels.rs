//! The levels of the parts of an idea, and how relevant documents are to them.

use precedent_domain::{
    Evidence, Grounding, IdeaPart, IdeaReview, KnowledgePiece, KnowledgeRole, PartStatement, Stance,
};

use super::shown::{is_compared, of_part, score};
use crate::{ClaimLevel, words};

/// Below this share of a part's words no figure is shown. It would suggest too much precision, because a part may have many statements. In reports of schema 1.4
/// and before, a larger share makes a document similar.
const FEW: f64 = 0.1;
/// Relevance from which a document is similar to a part, as the prompt `review.ground` defines it: the document treats the same problem, method or data.
const RELEVANT: f64 = 5.0;

/// The level of a part: the highest of the documents with evidence on it.
pub(super) fn level(review: &IdeaReview, part: IdeaPart) -> ClaimLevel {
    let of_part = of_part(review, part).into_iter();
    let highest = of_part.map(|(one, piece)| level_of_pair(review, one, piece)).min();
    highest.unwrap_or(match is_compared_with(review, part) {
        true => ClaimLevel::None,
        false => ClaimLevel::NotCompared,
    })
}

/// Whether a document was compared with the part. Expected results and unclassified sentences are not compared.
fn is_compared_with(review: &IdeaReview, part: IdeaPart) -> bool {
    let has_evidence = !matches!(part, IdeaPart::ExpectedResults | IdeaPart::Unclassified);
    has_evidence && review.knowledge.iter().any(is_compared)
}

/// The level of one document: the highest over the parts of the idea.
pub(super) fn level_of_document(review: &IdeaReview, document: &KnowledgePiece) -> ClaimLevel {
    let of_it = review.grounding.iter().filter(|one| one.piece == document.number);
    let highest = of_it.map(|one| level_of_pair(review, one, document)).min();
    highest.unwrap_or(ClaimLevel::None)
}

/// The level of one document for one part: anticipated if it is earlier and makes all statements of the part nearly word for word. It is similar if it makes
/// some, or if a model or the matcher finds it similar.
pub(super) fn level_of_pair(review: &IdeaReview, one: &Grounding, piece: &KnowledgePiece) -> ClaimLevel {
    let (repeated, statements) = repeated_of(review, one);
    match (repeated, one.score, one.similar) {
        (1.., _, _) if repeated == statements && piece.role == KnowledgeRole::Grounds => ClaimLevel::Anticipated,
        (1.., _, _) => ClaimLevel::Similar,
        // Reports of schema 1.4 and before: any relevance, or a share of words.
        (0, score, None) if score.is_some_and(|score| score > 0.0) || one.shared >= FEW => ClaimLevel::Similar,
        (0, Some(score), Some(_)) if score >= RELEVANT => ClaimLevel::Similar,
        (0, None, Some(true)) => ClaimLevel::Similar,
        (0, None, Some(false)) if one.probability.is_none() => ClaimLevel::NotAssessable,
        (0, _, _) => ClaimLevel::None,
    }
}

/// How many statements of the part the document makes nearly word for word, and how many the part has.
fn repeated_of(review: &IdeaReview, one: &Grounding) -> (usize, usize) {
    let statements = || review.idea.statements.iter().filter(|own| own.part == one.part);
    let is_repeated = |own: &&PartStatement| one.repeated().any(|number| number == own.number);
    (statements().filter(is_repeated).count(), statements().count())
}

/// The reason for the level of a part: how many statements the document makes nearly word for word, its stance, and how relevant it is.
pub(super) fn why(review: &IdeaReview, one: &Grounding) -> String {
    let repeats = match repeated_of(review, one) {
        (0, _) => None,
        (_, 1) => Some("says nearly the same, word for word".to_owned()),
        (some, all) if some == all => Some("says nearly the same as all statements, word for word".to_owned()),
        (some, all) => Some(format!(
            "says nearly the same as {some} of {all} statements, word for word"
        )),
    };
    let stances = one.evidence.iter().map(|one| one.stance);
    let strongest = stances.min_by_key(|stance| match stance {
        Stance::Contradicts => 0,
        Stance::Supports => 1,
        Stance::SpeaksOf => 2,
    });
    let strongest = strongest.filter(|stance| *stance != Stance::SpeaksOf);
    let stance = strongest.map(|stance| self::stance(stance).to_owned());
    let weight = match (one.score, one.probability) {
        (None, _) if repeats.is_some() => None,
        (None, Some(probability)) => Some(format!(
            "{} probability that it says the same",
            words::probability(probability)
        )),
        _ => Some(weight(one)),
    };
    let facts: Vec<String> = repeats.into_iter().chain(stance).chain(weight).collect();
    facts.join("; ")
}

/// The CSS class and the label of evidence.
pub(crate) fn evidence_label(one: &Evidence) -> (&'static str, &'static str) {
    match (one.repeats, one.stance) {
        (Some(_), Stance::Contradicts) => ("found", "nearly word for word, contradicts"),
        (Some(_), _) => ("found", "nearly word for word"),
        (None, stance) => (stance_key(stance), self::stance(stance)),
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
            "{shared}; {} probability that the document makes one of its statements",
            words::probability(probability)
        ),
        (None, None) => shared,
    }
}
