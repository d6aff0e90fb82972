//! The passages behind one comparison, from the JSON report of a run.

use std::fs;
use std::path::Path;

use precedent_app::domain::{Assessment, ContributionComparison, NotSearchedKind, Quote, WorkId};
use precedent_report::{ClaimLevel, PaperSummary, read_assessment};
use serde::Serialize;
use utoipa::ToSchema;

use crate::call::Texts;
use crate::error::Problem;

/// What a claim and a paper have in common.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub(crate) struct Evidence {
    /// The number of the claim in the report.
    pub(crate) claim: u32,
    /// The authors' words.
    pub(crate) claim_text: String,
    /// The number of the paper in the report.
    pub(crate) paper: u32,
    /// The title of the paper.
    pub(crate) title: String,
    /// The id of the paper in its corpus or source.
    pub(crate) id: String,
    /// `can_refute`, `unclear` or `cannot_refute`.
    pub(crate) status: String,
    /// The same as reports say it.
    pub(crate) label: String,
    /// The same as a value.
    #[serde(skip)]
    pub(crate) level: ClaimLevel,
    /// Estimated probability that the compared text states the claim, 0 to 1.
    pub(crate) probability: Option<f64>,
    /// `full_text`, `abstract` or `title`.
    pub(crate) compared: String,
    /// Why this status.
    pub(crate) note: String,
    /// Pairs of similar passages, best first.
    pub(crate) pairs: Vec<PassagePair>,
    /// Terms of the claim that the passages of the paper also have.
    pub(crate) shared_terms: Vec<String>,
    /// Terms of the claim that the whole compared text lacks.
    pub(crate) missing_terms: Vec<String>,
    /// Both texts in full, if asked for and available.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) texts: Option<EvidenceTexts>,
}

/// Two passages, each cut from its own text.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub(crate) struct PassagePair {
    /// From the assessed paper.
    pub(crate) own: EvidencePassage,
    /// From the paper that it is compared with.
    pub(crate) other: EvidencePassage,
    /// How much of the claim's content the two share, 0 to 1.
    pub(crate) similarity: f64,
    /// Why the pair is shown.
    pub(crate) rationale: String,
}

/// A passage, word for word.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub(crate) struct EvidencePassage {
    /// The words.
    pub(crate) text: String,
    /// Its byte range in the text.
    pub(crate) range: [usize; 2],
    /// Its page, from 1.
    pub(crate) page: Option<u32>,
    /// Its section.
    pub(crate) section: Option<String>,
    /// The paragraph around it.
    pub(crate) context: Option<String>,
}

/// Both texts, with the ranges of the passages that are really there.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub(crate) struct EvidenceTexts {
    /// The text of the assessed paper.
    pub(crate) own: String,
    /// The text of the other paper, if a corpus of the run has it.
    pub(crate) other: Option<String>,
}

/// The report of a run on a paper.
pub(crate) struct Report(Assessment);

impl Report {
    /// Reads the JSON report in the folder of a run.
    pub(crate) fn read(dir: &Path, files: &[String]) -> Result<Self, Problem> {
        const NAME: &str = "report.json";
        if !files.iter().any(|file| file == NAME) {
            return Err(Problem::not_found("report")
                .hint("the run must be an assessment that has finished with the format json"));
        }
        let bytes = fs::read(dir.join(NAME)).map_err(|error| Problem::io("read the report", &error))?;
        read_assessment(&bytes)
            .map(Self)
            .map_err(|error| Problem::bug(format!("failed to {error}")))
    }

    /// The claims with their closest papers.
    pub(crate) fn summary(&self) -> PaperSummary {
        PaperSummary::of(&self.0)
    }

    /// What the report says about the coverage of the field, if it is poor.
    pub(crate) fn field_warning(&self) -> Option<String> {
        let mut limits = self.0.metadata.not_searched.iter();
        let field = limits.find(|one| one.kind == NotSearchedKind::FieldNotCovered)?;
        // A page without the marks of Markdown.
        Some(field.message.replace('`', ""))
    }

    /// The evidence of a claim and a paper.
    pub(crate) fn evidence(&self, claim: u32, paper: u32) -> Result<Evidence, Problem> {
        let analysis = &self.0.contribution_analysis;
        let contribution = analysis.contributions.iter().find(|one| one.number == claim);
        let contribution = contribution.ok_or_else(|| Problem::not_found("claim"))?;
        let candidate = self.0.references.candidates.iter().find(|one| one.number == paper);
        let candidate = candidate.ok_or_else(|| Problem::not_found("paper in this report"))?;
        let comparison = analysis
            .comparisons
            .iter()
            .find(|one| one.contribution == claim && one.candidate == paper);
        let comparison = comparison.ok_or_else(|| Problem::not_found("comparison in this report"))?;
        let pair = |one: &precedent_app::domain::EvidencePair| PassagePair {
            own: passage(&one.target, one.target_context.as_ref()),
            other: passage(&one.candidate, one.candidate_context.as_ref()),
            similarity: one.similarity,
            rationale: one.rationale.clone(),
        };
        Ok(Evidence {
            claim,
            claim_text: contribution.claim.text().to_owned(),
            paper,
            title: candidate.work.title.clone(),
            id: candidate.work.id.to_string(),
            status: word(&comparison.status),
            label: level(comparison).label().to_owned(),
            level: level(comparison),
            probability: comparison.probability,
            compared: word(&comparison.compared),
            note: comparison.note.clone(),
            pairs: comparison.evidence.iter().map(pair).collect(),
            shared_terms: comparison.shared_terms.clone(),
            missing_terms: comparison.missing_terms.clone(),
            texts: None,
        })
    }

    /// The id of a paper in its corpus.
    pub(crate) fn paper_id(&self, paper: u32) -> Option<&WorkId> {
        let candidates = &self.0.references.candidates;
        candidates
            .iter()
            .find(|one| one.number == paper)
            .map(|one| &one.work.id)
    }
}

fn level(comparison: &ContributionComparison) -> ClaimLevel {
    use precedent_app::domain::Status;
    match comparison.status {
        _ if comparison.says_too_little() => ClaimLevel::NotAssessable,
        Status::CanRefute => ClaimLevel::Anticipated,
        Status::Unclear => ClaimLevel::Similar,
        Status::CannotRefute => ClaimLevel::None,
    }
}

/// The name of a value in JSON.
fn word(value: &impl Serialize) -> String {
    let json = serde_json::to_value(value).unwrap_or_default();
    json.as_str().unwrap_or_default().to_owned()
}

fn passage(quote: &Quote, context: Option<&Quote>) -> EvidencePassage {
    EvidencePassage {
        text: quote.text().to_owned(),
        range: [quote.span().start, quote.span().end],
        page: quote.place().page,
        section: quote.place().section.clone(),
        context: context.map(|context| context.text().to_owned()),
    }
}

impl Evidence {
    /// Adds both texts.
    pub(crate) fn with_texts(mut self, texts: Texts) -> Self {
        self.texts = Some(EvidenceTexts {
            own: texts.paper,
            other: texts.candidate,
        });
        self
    }
}

/// A piece of a text on a page.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Piece<'t> {
    pub(crate) text: &'t str,
    /// Number of the passage that it belongs to, from 1; 0 for none.
    pub(crate) passage: usize,
    /// Whether it is the first piece of its passage.
    pub(crate) first: bool,
}

/// Cuts a text at the borders of its passages. A passage that is not at its range in the text is left out, so nothing else is ever marked.
pub(crate) fn pieces<'t>(text: &'t str, passages: &[&EvidencePassage]) -> Vec<Piece<'t>> {
    let mut found: Vec<(usize, usize, usize)> = (1..)
        .zip(passages)
        .filter(|(_, passage)| text.get(passage.range[0]..passage.range[1]) == Some(passage.text.as_str()))
        .map(|(number, passage)| (passage.range[0], passage.range[1], number))
        .collect();
    found.sort_unstable();
    let mut pieces = Vec::new();
    let mut at = 0;
    let mut push = |from: usize, to: usize, passage: usize, first: bool| {
        if let Some(text) = text.get(from..to).filter(|text| !text.is_empty()) {
            pieces.push(Piece { text, passage, first });
        }
    };
    for (start, end, number) in found {
        // Passages may overlap. Each byte belongs to the first.
        let from = start.max(at);
        if end <= from {
            continue;
        }
        push(at, from, 0, false);
        push(from, end, number, true);
        at = end;
    }
    push(at, text.len(), 0, false);
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    fn passage(text: &str, range: [usize; 2]) -> EvidencePassage {
        EvidencePassage {
            text: text.to_owned(),
            range,
            page: None,
            section: None,
            context: None,
        }
    }

    #[test]
    fn only_passages_that_are_in_the_text_are_marked() {
        let text = "Ropes creep. Wäves break.";
        let (here, moved) = (passage("Wäves break.", [13, 26]), passage("Ropes creep.", [1, 13]));
        let marked: Vec<(&str, usize)> = pieces(text, &[&moved, &here])
            .iter()
            .map(|one| (one.text, one.passage))
            .collect();
        assert_eq!(marked, [("Ropes creep. ", 0), ("Wäves break.", 2)]);
    }

    #[test]
    fn the_pieces_make_the_text() {
        let text = "one two three four";
        let passages = [
            passage("two three", [4, 13]),
            passage("three four", [8, 18]),
            passage("one", [0, 3]),
        ];
        let passages: Vec<&EvidencePassage> = passages.iter().collect();
        let found = pieces(text, &passages);
        assert_eq!(found.iter().map(|one| one.text).collect::<String>(), text);
        assert_eq!(found.iter().map(|one| one.passage).collect::<Vec<_>>(), [3, 0, 1, 2]);
        assert_eq!(pieces("", &passages), []);
    }
}
