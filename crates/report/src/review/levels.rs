//! The levels of the parts of an idea, the closest documents, and how relevant these are.

use precedent_domain::{
    Evidence, EvidenceKind, Grounding, IdeaPart, IdeaReview, KnowledgePiece, KnowledgeRole, PartStatement, Stance,
};

use super::shown::{is_compared, of_part, score};
use crate::passage::without_bullet;
use crate::plain::one_line;
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

/// Whether a document was compared with the part. Expected results are compared with none, and unclassified sentences with papers.
pub(super) fn is_compared_with(review: &IdeaReview, part: IdeaPart) -> bool {
    let mut compared = review.knowledge.iter().filter(|one| is_compared(one));
    match part {
        IdeaPart::ExpectedResults => false,
        IdeaPart::Unclassified => compared.any(|one| one.kind == EvidenceKind::Literature),
        _ => compared.next().is_some(),
    }
}

/// The level of one document: the highest over the parts of the idea.
pub(super) fn level_of_document(review: &IdeaReview, document: &KnowledgePiece) -> ClaimLevel {
    let of_it = review.grounding.iter().filter(|one| one.piece == document.number);
    let highest = of_it.map(|one| level_of_pair(review, one, document)).min();
    highest.unwrap_or(ClaimLevel::None)
}

/// The level of one document for one part: anticipated if it is earlier and makes a statement of the part nearly word for word. It is similar if it makes
/// one but may not be earlier, or if a model or the matcher finds it similar.
pub(super) fn level_of_pair(review: &IdeaReview, one: &Grounding, piece: &KnowledgePiece) -> ClaimLevel {
    let (repeated, _) = repeated_of(review, one);
    match (repeated, one.score, one.similar) {
        (1.., _, _) if piece.role == KnowledgeRole::Grounds => ClaimLevel::Anticipated,
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
        (_, 1) => Some("states it nearly word for word".to_owned()),
        (some, all) if some == all => Some("states all of it nearly word for word".to_owned()),
        (some, all) => Some(format!("states {some} of {all} statements nearly word for word")),
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
pub(crate) fn evidence_label(one: &Evidence, of: &Grounding) -> (&'static str, &'static str) {
    match (one.repeats, one.stance) {
        // A document that is not similar is no finding.
        (None, Stance::SpeaksOf) if of.similar == Some(false) => ("clear", stance(one.stance)),
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

/// The document with the closest evidence on a part: of those with the level of the part. One that may not be earlier comes after the others of that level.
pub(super) fn closest(review: &IdeaReview, part: IdeaPart) -> Option<(&Grounding, &KnowledgePiece)> {
    let all = of_part(review, part).into_iter();
    all.min_by_key(|(one, piece)| (level_of_pair(review, one, piece), piece.role != KnowledgeRole::Grounds))
}

/// The document with the closest evidence on a part, if it may not be earlier and [`closest`] is another, certainly earlier one.
pub(super) fn closer(review: &IdeaReview, part: IdeaPart) -> Option<(&Grounding, &KnowledgePiece)> {
    let first = of_part(review, part).into_iter().next()?;
    let (_, shown) = closest(review, part)?;
    (first.1.role != KnowledgeRole::Grounds && shown.number != first.1.number).then_some(first)
}

/// A part of an idea in a few lines for a terminal, with the same wording as every other format.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PartAtAGlance {
    /// The part.
    pub part: &'static str,
    /// Its first statement, on one line.
    pub statement: String,
    /// How many more statements it has.
    pub more: usize,
    /// The label of its level.
    pub level: &'static str,
    /// `found` if it is anticipated, `reading` if similar work needs review, else another word.
    pub key: &'static str,
    /// Short name and number, and the title, of the closest document.
    pub closest: Option<(String, String)>,
    /// Whether that document is certainly earlier.
    pub earlier: bool,
    /// The reason for the level.
    pub why: String,
}

/// The parts of an idea that have statements, each as a short overview.
#[must_use]
pub fn parts_at_a_glance(review: &IdeaReview) -> Vec<PartAtAGlance> {
    let glance = |part: IdeaPart| {
        let mut statements = review.idea.statements.iter().filter(|one| one.part == part);
        let first = statements.next()?;
        let level = level(review, part);
        let closest = closest(review, part);
        Some(PartAtAGlance {
            part: part.name(),
            statement: one_line(without_bullet(&first.statement)).into_owned(),
            more: statements.count(),
            level: level.label(),
            key: level.key(),
            closest: closest.map(|(_, piece)| {
                (
                    format!("{}[{}]", piece.alias, piece.number),
                    one_line(&piece.work.title).into_owned(),
                )
            }),
            earlier: closest.is_none_or(|(_, piece)| piece.role == KnowledgeRole::Grounds),
            why: closest.map(|(one, _)| why(review, one)).unwrap_or_default(),
        })
    };
    IdeaPart::ALL.into_iter().filter_map(glance).collect()
}
