//! What a judge is shown of the reviews of the ideas, and what it may cite (InnoEval, equations 2 and 12).
//!
//! Documents have two numbers. In a report they count over all ideas; in a prompt they count in the order shown, because a number that stays the same
//! between prompts could make a judge prefer the ideas with low numbers.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use precedent_domain::{
    Document, Grounding, IdeaPart, IdeaReview, KnowledgePiece, KnowledgeRole, QuotableDocument, RankedEvidence,
    ReviewOfIdea,
};
use precedent_llm::Fence;
use precedent_text::pattern;
use serde::Serialize;

use crate::board::Dimension;
use crate::model::texts::{cut, one_line};
use crate::review::dimension_scores;
use crate::review::model::sentences::{Citable, Ground, lists_of_documents};
use crate::review::model::shown::{bearing, headed};

/// Documents of each idea, parts of each document, quotes on each part, and longest opinion and analysis in characters. With them the review of an idea is
/// about as long as its text. Chosen by hand; not measured.
const DOCUMENTS: usize = 8;
const PARTS: usize = 2;
const QUOTES: usize = 2;
const OPINION: usize = 300;
const ANALYSIS: usize = 200;

/// What the judge is shown of the review of one idea.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct ReviewShown {
    /// Scores and opinions. They cite documents by their numbers in the report.
    board: String,
    /// The documents shown, in order.
    pub(super) evidence: Vec<RankedEvidence>,
    /// The scores, which a reason may repeat.
    scores: Vec<f64>,
}

/// What is shown of these reviews, which are in the order of the report.
pub(super) fn shown(reviews: &[&IdeaReview], dimensions: &[Dimension]) -> Vec<ReviewShown> {
    let mut next = 1;
    let of_one = |(idea, review): (u32, &&IdeaReview)| {
        let evidence: Vec<RankedEvidence> = (next..)
            .zip(chosen(review))
            .map(|(number, piece)| RankedEvidence {
                number,
                idea,
                piece: piece.clone(),
                groundings: groundings(review, piece.number),
            })
            .collect();
        next += u32::try_from(evidence.len()).unwrap_or(u32::MAX);
        ReviewShown {
            board: renumbered(&board(review, dimensions), &numbers_in_report(&evidence)),
            scores: scores(review, dimensions),
            evidence,
        }
    };
    (1..).zip(reviews).map(of_one).collect()
}

/// The review of an idea in short, for the report.
pub(super) fn in_short(review: &IdeaReview, shown: &ReviewShown, dimensions: &[Dimension]) -> ReviewOfIdea {
    let meta = review.meta.as_ref();
    let summary = meta.map_or("", |meta| meta.summary.as_str());
    let is_same = |one: &&KnowledgePiece| one.own && one.role != KnowledgeRole::Suggests;
    ReviewOfIdea {
        dimensions: dimension_scores(dimensions, &review.board),
        score: meta.map(|meta| meta.score),
        decision: meta.map(|meta| meta.decision),
        confidence: meta.and_then(|meta| Some(meta.decision_confidence.as_ref()?.level)),
        summary: renumbered(summary, &numbers_in_report(&shown.evidence)),
        documents: review.knowledge.len(),
        same_text: review
            .knowledge
            .iter()
            .filter(is_same)
            .map(|one| one.work.title.clone())
            .collect(),
        metadata: review.metadata.clone(),
    }
}

/// The most important documents, in the order of their numbers: key evidence, then those that most opinions cite, then the most relevant. As for the board
/// of a review, none is later than the idea, and none is the idea itself.
fn chosen(review: &IdeaReview) -> Vec<&KnowledgePiece> {
    let key = review.meta.iter().flat_map(|meta| &meta.key_evidence);
    let key: Vec<u32> = key.copied().collect();
    let cited: Vec<u32> = review
        .board
        .iter()
        .flat_map(|one| &one.opinions)
        .flat_map(|one| one.cited.iter().copied())
        .collect();
    let may = |one: &&KnowledgePiece| {
        one.role != KnowledgeRole::Suggests && !one.own && !groundings(review, one.number).is_empty()
    };
    let mut all: Vec<&KnowledgePiece> = review.knowledge.iter().filter(may).collect();
    let relevance = |one: &KnowledgePiece| groundings(review, one.number).first().map_or(0.0, Grounding::relevance);
    all.sort_by(|a, b| {
        let first = |one: &KnowledgePiece| {
            let citations = cited.iter().filter(|number| **number == one.number).count();
            (Reverse(key.contains(&one.number)), Reverse(citations))
        };
        let by_relevance = relevance(b).total_cmp(&relevance(a));
        first(a).cmp(&first(b)).then(by_relevance).then(a.number.cmp(&b.number))
    });
    all.truncate(DOCUMENTS);
    all.sort_by_key(|one| one.number);
    all
}

/// The parts that a document is most relevant to, with the quotes that are shown.
fn groundings(review: &IdeaReview, piece: u32) -> Vec<Grounding> {
    let of_it = |one: &&Grounding| one.piece == piece && !one.evidence.is_empty();
    let mut all: Vec<Grounding> = review.grounding.iter().filter(of_it).cloned().collect();
    all.sort_by(|a, b| b.relevance().total_cmp(&a.relevance()).then(a.part.cmp(&b.part)));
    all.truncate(PARTS);
    all.iter_mut().for_each(|one| one.evidence.truncate(QUOTES));
    all
}

/// The numbers of documents in the report, by their numbers in the review.
fn numbers_in_report(evidence: &[RankedEvidence]) -> BTreeMap<u32, u32> {
    evidence.iter().map(|one| (one.piece.number, one.number)).collect()
}

/// Scores, the chair's summary, and on each dimension the opinions of the readers with the highest and the lowest score, which name its strengths and its
/// weaknesses.
fn board(review: &IdeaReview, dimensions: &[Dimension]) -> String {
    let mut lines = Vec::new();
    if let Some(meta) = &review.meta {
        lines.push(format!("Score: {:.2} of 10.", meta.score));
        if !meta.summary.is_empty() {
            lines.push(format!("Summary: {}", one_line(&meta.summary)));
        }
    }
    for one in dimension_scores(dimensions, &review.board) {
        let name = dimensions.iter().find(|known| known.id == one.dimension);
        lines.push(format!(
            "{}: mean {:.2} of {} readers, from {} to {}.",
            name.map_or(one.dimension.as_str(), |known| known.name.as_str()),
            one.mean,
            one.readers,
            one.lowest,
            one.highest
        ));
        let opinions = review.board.iter().flat_map(|reader| &reader.opinions);
        let opinions = opinions.filter(|opinion| opinion.dimension == one.dimension && !opinion.reason.is_empty());
        let with = |score: f64| {
            let mut of_score = opinions
                .clone()
                .filter(|opinion| opinion.score.total_cmp(&score).is_eq());
            of_score.next().map(|opinion| cut(&one_line(&opinion.reason), OPINION))
        };
        lines.extend(with(one.highest).map(|reason| format!("Highest: {reason}")));
        if one.lowest < one.highest {
            lines.extend(with(one.lowest).map(|reason| format!("Lowest: {reason}")));
        }
    }
    let missing: Vec<&str> = review.idea.missing.iter().map(|part| part.name()).collect();
    if !missing.is_empty() {
        lines.push(format!("Not stated in the idea: {}.", missing.join(", ")));
    }
    lines.join("\n")
}

fn scores(review: &IdeaReview, dimensions: &[Dimension]) -> Vec<f64> {
    let of_dimensions = dimension_scores(dimensions, &review.board);
    let of_dimensions = of_dimensions.iter().flat_map(|one| [one.mean, one.lowest, one.highest]);
    of_dimensions.chain(review.meta.iter().map(|meta| meta.score)).collect()
}

/// A text with other numbers of documents. A citation of a document without a new number is left out, and so are the numbers of a list.
fn renumbered(text: &str, numbers: &BTreeMap<u32, u32>) -> String {
    let citation = pattern!(r"(?i)\s?\[(\d{1,6})\]|\b(documents?|pieces?)\s+(?:no\.\s*|number\s+|#\s*)?(\d{1,6})\b");
    let text = lists_of_documents().replace_all(text, "some documents");
    let replaced = citation.replace_all(&text, |found: &regex::Captures<'_>| {
        let group = |at: usize| found.get(at).map_or("", |one| one.as_str());
        let whole = group(0);
        let number = if group(1).is_empty() { group(3) } else { group(1) };
        let new = number.parse().ok().and_then(|number: u32| numbers.get(&number));
        match (new, group(2)) {
            (Some(new), "") => format!("{}[{new}]", if whole.starts_with('[') { "" } else { " " }),
            (Some(new), word) => format!("{word} {new}"),
            (None, "") => String::new(),
            (None, _) => "a document".to_owned(),
        }
    });
    replaced.into_owned()
}

impl ReviewShown {
    /// The length of what is shown, in bytes.
    pub(super) fn len(&self) -> usize {
        self.board.len() + self.evidence.iter().map(|one| document(one).len()).sum::<usize>()
    }
}

/// A document as the judge sees it.
fn document(one: &RankedEvidence) -> String {
    let mut lines = vec![headed(&one.piece)];
    let parts = IdeaPart::ALL.iter();
    for grounding in parts.flat_map(|part| one.groundings.iter().filter(move |one| one.part == *part)) {
        let quotes: Vec<&precedent_domain::Evidence> = grounding.evidence.iter().collect();
        lines.push(bearing(grounding, &quotes, false, ANALYSIS));
    }
    lines.join("\n")
}

/// The reviews of one prompt, with the documents by their numbers in it.
pub(super) struct PromptEvidence<'a> {
    reviews: Vec<&'a ReviewShown>,
    documents: Vec<PromptDocument<'a>>,
    ideas: QuotableDocument,
}

struct PromptDocument<'a> {
    number: u32,
    shown: &'a RankedEvidence,
    text: QuotableDocument,
}

impl<'a> PromptEvidence<'a> {
    /// The reviews of these ideas, in the order shown.
    pub(super) fn new(ideas: &[&str], reviews: &[&'a ReviewShown]) -> Self {
        let all = reviews.iter().flat_map(|review| &review.evidence);
        let documents = (1..).zip(all).map(|(number, shown)| {
            let quotes = shown.groundings.iter().flat_map(|one| &one.evidence);
            let quotes: Vec<&str> = quotes.map(|one| one.quote.text()).collect();
            let text = Document::from_abstract(&shown.piece.work.title, Some(&quotes.join("\n\n")));
            PromptDocument {
                number,
                shown,
                text: QuotableDocument::new(text),
            }
        });
        Self {
            documents: documents.collect(),
            reviews: reviews.to_vec(),
            ideas: QuotableDocument::new(Document::from_abstract("", Some(&ideas.join("\n\n")))),
        }
    }

    /// The review of the idea at a position, from 0, with its documents.
    pub(super) fn wrapped(&self, fence: &Fence, at: usize) -> String {
        let Some(review) = self.reviews.get(at) else {
            return String::new();
        };
        let of_review = |one: &&PromptDocument<'_>| review.evidence.iter().any(|own| own.number == one.shown.number);
        let numbers = self
            .documents
            .iter()
            .map(|one| (one.shown.number, one.number))
            .collect();
        let board = renumbered(&review.board, &numbers);
        let mut blocks = vec![fence.wrap(&format!("review of idea {}", at + 1), &board)];
        let documents = self.documents.iter().filter(of_review);
        blocks.extend(documents.map(|one| fence.wrap(&format!("document {}", one.number), &document(one.shown))));
        blocks.join("\n")
    }

    /// What sentences about these ideas may cite, quote and name.
    pub(super) fn ground<'f>(&'f self, fence: &'f Fence) -> Ground<'f> {
        let citable = |one: &'f PromptDocument<'a>| Citable {
            number: one.number,
            text: &one.text,
            year: one.shown.piece.work.year(),
        };
        Ground {
            pieces: self.documents.iter().map(citable).collect(),
            idea: &self.ideas,
            throughout: Vec::new(),
            mark: fence.mark(),
            scores: self
                .reviews
                .iter()
                .flat_map(|review| review.scores.iter().copied())
                .collect(),
            decision: None,
        }
    }

    /// The numbers of the documents that may decide.
    pub(super) fn deciding(&self) -> Vec<u32> {
        let decides = |one: &&PromptDocument<'_>| one.shown.piece.role == KnowledgeRole::Grounds;
        self.documents.iter().filter(decides).map(|one| one.number).collect()
    }

    /// A checked text with the numbers of the report.
    pub(super) fn in_report(&self, text: &str) -> String {
        renumbered(text, &self.numbers())
    }

    /// The numbers in the report, by those in the prompt.
    pub(super) fn numbers(&self) -> BTreeMap<u32, u32> {
        self.documents
            .iter()
            .map(|one| (one.number, one.shown.number))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn citations_get_other_numbers_and_those_of_documents_not_shown_are_left_out() {
        let numbers = BTreeMap::from([(2, 7), (7, 2)]);
        assert_eq!(
            renumbered(
                "It lost blades [2][7]. So says document 7, unlike document 9 [9].",
                &numbers
            ),
            "It lost blades [7][2]. So says document 2, unlike a document."
        );
        for list in [
            "documents 2 and 7",
            "pieces 2, 7, and 9",
            "document 2 or 7",
            "pieces 2 to 7",
            "Documents 2-7",
            "pieces 2–7",
        ] {
            assert_eq!(
                renumbered(&format!("So say {list}."), &numbers),
                "So say some documents."
            );
        }
    }
}
