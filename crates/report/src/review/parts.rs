//! The idea part by part with its evidence, prepared for the page.

use precedent_domain::{Grounding, IdeaPart, IdeaReview, KnowledgePiece};

use super::prose::{Piece, prose};
use super::shown;
use crate::excerpt::Excerpt;
use crate::words;

pub(super) struct Part {
    pub(super) id: String,
    pub(super) name: String,
    pub(super) statements: Vec<Statement>,
    /// Shown at first.
    pub(super) first: Vec<Bearing>,
    /// Collapsed.
    pub(super) further: Vec<Bearing>,
}

pub(super) struct Statement {
    pub(super) number: u32,
    /// The statement, if it differs from the idea's own words.
    pub(super) text: Option<String>,
    /// The quote from the idea.
    pub(super) quote: Excerpt,
}

/// A document with evidence on a part.
pub(super) struct Bearing {
    pub(super) piece: u32,
    pub(super) alias: String,
    pub(super) title: String,
    pub(super) kind: &'static str,
    pub(super) weight: String,
    pub(super) marked: bool,
    pub(super) on: String,
    pub(super) analysis: Vec<Piece>,
    pub(super) evidence: Vec<Shown>,
}

pub(super) struct Shown {
    pub(super) key: &'static str,
    pub(super) stance: &'static str,
    pub(super) quote: Excerpt,
}

/// The parts that the idea has statements on, in order.
pub(super) fn parts(review: &IdeaReview) -> Vec<Part> {
    let covered = |part: &IdeaPart| review.idea.statements.iter().any(|one| one.part == *part);
    IdeaPart::ALL
        .into_iter()
        .filter(covered)
        .map(|part| of(review, part))
        .collect()
}

fn of(review: &IdeaReview, part: IdeaPart) -> Part {
    let statements = review.idea.statements.iter().filter(|one| one.part == part);
    let mut first: Vec<Bearing> = shown::of_part(review, part)
        .into_iter()
        .map(|(one, piece)| bearing(review, one, piece))
        .collect();
    let further = first.split_off(shown::AT_ONCE.min(first.len()));
    Part {
        id: part.name().replace(' ', "-"),
        name: words::sentence(part.name()).trim_end_matches('.').to_owned(),
        statements: statements
            .map(|one| Statement {
                number: one.number,
                text: (!shown::says_the_same(one)).then(|| one.statement.clone()),
                quote: Excerpt::whole(&one.quote),
            })
            .collect(),
        first,
        further,
    }
}

fn bearing(review: &IdeaReview, one: &Grounding, piece: &KnowledgePiece) -> Bearing {
    let on: Vec<String> = one.statements.iter().map(u32::to_string).collect();
    Bearing {
        piece: piece.number,
        alias: piece.alias.clone(),
        title: piece.work.title.clone(),
        kind: piece.kind.name(),
        weight: shown::weight(one),
        marked: piece.role != precedent_domain::KnowledgeRole::Grounds,
        on: match on.as_slice() {
            [] => String::new(),
            [one] => format!("on statement {one}"),
            many => format!("on statements {}", words::and_list(many)),
        },
        analysis: prose(&one.analysis, |number| shown::piece(review, number).is_some()),
        evidence: one
            .evidence
            .iter()
            .map(|one| Shown {
                key: shown::stance_key(one.stance),
                stance: shown::stance(one.stance),
                quote: Excerpt::of(&one.quote),
            })
            .collect(),
    }
}
