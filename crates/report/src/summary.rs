use precedent_domain::{Assessment, CoverageLevel, Extent, PartialDate, Status, WorkId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::plain::one_line;
use crate::publish::Publish as _;
use crate::view::{Claim, Compared, Digest};
use crate::words::{self, ClaimStatus};

/// The findings of an assessment in short: each claim with its level and its closest papers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PaperSummary {
    /// Title, or the file name if the paper has none.
    pub title: String,
    /// Its authors. Empty in a confidential site.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub authors: Vec<String>,
    /// Papers after this date are not prior work.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cutoff_date: Option<PartialDate>,
    /// Whether papers of its field were found.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub coverage: Option<CoverageLevel>,
    /// Papers found.
    pub papers: usize,
    /// Its claims.
    pub claims: Vec<ClaimSummary>,
}

/// A claim with its level and its closest papers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ClaimSummary {
    /// The claim's number in the report, from 1.
    pub number: u32,
    /// The authors' words on one line.
    pub text: String,
    /// The level after all comparisons.
    pub level: ClaimLevel,
    /// The papers that decide the level first, then other similar papers, most similar first. Earlier papers are at most three.
    pub closest: Vec<ClosestPaper>,
}

/// How a claim compares with the papers found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ClaimLevel {
    /// An earlier paper contains the substance of the claim.
    Anticipated,
    /// Similar passages were found. A person must judge them.
    Similar,
    /// No match was found in the text that was compared.
    None,
    /// The claim has too few content terms to compare.
    NotAssessable,
    /// There was no paper to compare it with.
    NotCompared,
}

/// A paper similar to a claim.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ClosestPaper {
    /// Its number in the report.
    pub number: u32,
    /// Its id in the corpus or source.
    pub id: WorkId,
    /// Title on one line.
    pub title: String,
    /// Short name for citing: `Knuth 1989`.
    pub alias: String,
    /// Its authors, as its record names them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub authors: Vec<String>,
    /// The earliest year in its records.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub year: Option<u16>,
    /// The level of this paper alone.
    pub level: ClaimLevel,
    /// Estimated probability that the compared text states the claim, 0 to 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub probability: Option<f64>,
    /// How much of it was compared.
    pub compared: Extent,
    /// Whether it is known to be earlier than the assessed paper.
    pub earlier: bool,
    /// Its closest passage, word for word, on one line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub passage: Option<String>,
}

impl ClaimLevel {
    /// Every level, the one with the most similar prior work first.
    pub const ALL: [Self; 5] = [
        Self::Anticipated,
        Self::Similar,
        Self::None,
        Self::NotAssessable,
        Self::NotCompared,
    ];

    /// The label that reports show.
    #[must_use]
    pub fn label(self) -> &'static str {
        match self {
            Self::Anticipated => words::status(Status::CanRefute),
            Self::Similar => words::status(Status::Unclear),
            Self::None => words::status(Status::CannotRefute),
            Self::NotAssessable => words::TOO_LITTLE,
            Self::NotCompared => ClaimStatus::NotCompared.label(),
        }
    }

    /// The CSS class.
    pub(crate) fn key(self) -> &'static str {
        match self {
            Self::Anticipated => ClaimStatus::Found,
            Self::Similar => ClaimStatus::NeedsReading,
            Self::None => ClaimStatus::NotFound,
            Self::NotAssessable => ClaimStatus::TooLittle,
            Self::NotCompared => ClaimStatus::NotCompared,
        }
        .key()
    }
}

impl From<ClaimStatus> for ClaimLevel {
    fn from(status: ClaimStatus) -> Self {
        match status {
            ClaimStatus::Found => Self::Anticipated,
            ClaimStatus::NeedsReading => Self::Similar,
            ClaimStatus::NotFound => Self::None,
            ClaimStatus::TooLittle => Self::NotAssessable,
            ClaimStatus::NotCompared => Self::NotCompared,
        }
    }
}

impl PaperSummary {
    /// The summary of an assessment.
    #[must_use]
    pub fn of(assessment: &Assessment) -> Self {
        let report = assessment.publishable();
        let digest = Digest::new(&report);
        Self {
            title: one_line(&report.original_paper.title).into_owned(),
            authors: report
                .original_paper
                .authors
                .iter()
                .map(|one| one_line(&one.name).into_owned())
                .collect(),
            cutoff_date: report.metadata.as_of.as_ref().map(|one| one.date),
            coverage: report.core_task_survey.coverage.map(|one| one.level),
            papers: report.references.candidates.len(),
            claims: digest.claims().iter().map(claim).collect(),
        }
    }
}

fn claim(claim: &Claim<'_>) -> ClaimSummary {
    ClaimSummary {
        number: claim.contribution.number,
        text: one_line(claim.contribution.claim.text()).into_owned(),
        level: claim.status.into(),
        closest: claim
            .closest()
            .into_iter()
            .filter_map(|(one, earlier)| closest(one, earlier))
            .collect(),
    }
}

fn closest(one: &Compared<'_>, earlier: bool) -> Option<ClosestPaper> {
    let candidate = one.work?;
    Some(ClosestPaper {
        number: candidate.number,
        id: candidate.work.id.clone(),
        title: one.title(),
        alias: one.citation.alias.clone(),
        authors: candidate
            .work
            .authors
            .iter()
            .map(|author| one_line(&author.name).into_owned())
            .collect(),
        year: candidate.work.dates.iter().map(|dated| dated.date.year()).min(),
        level: match one.comparison.status {
            _ if one.comparison.says_too_little() => ClaimLevel::NotAssessable,
            Status::CanRefute => ClaimLevel::Anticipated,
            Status::Unclear => ClaimLevel::Similar,
            Status::CannotRefute => ClaimLevel::None,
        },
        probability: one.comparison.probability,
        compared: one.comparison.compared,
        earlier,
        passage: one.best().map(|pair| one_line(pair.candidate.text()).into_owned()),
    })
}
