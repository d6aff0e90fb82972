//! Runs that exist in folders: their status, files and findings.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::runs::{JobKind, Manifest, RunFolder, list_runs};
use precedent_engine::domain::{
    Assessment, Counterpart, EvidencePair, Extent, Facet, FacetComparison, FacetOrigin, IdeaAssessment, NoveltyVerdict,
    Status, WorkId,
};
use precedent_engine::ledger::Ledger;
use precedent_report::{InWords, lean_words, read_assessment, read_idea};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::input;
use crate::runtime::{outside_runtime, runtime_here};
use crate::{AppError, ErrorKind, Report};

/// A run in its folder, with its current status.
#[derive(Debug, Clone)]
pub struct StoredRun {
    /// The folder.
    pub dir: PathBuf,
    /// The manifest. A run that was running when its process ended is `Interrupted`.
    pub manifest: Manifest,
}

/// A request that a run sent to another machine.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SentRequest {
    /// The part of the program that sent it.
    pub who: String,
    /// The host that received it.
    pub host: String,
    /// The request for people, without keys.
    pub request: String,
    /// Bytes of the address and body sent.
    pub bytes_out: u64,
    /// Bytes of the body received.
    pub bytes_in: u64,
    /// The status, or a short description of the failure.
    pub outcome: String,
}

/// One claim compared with one paper.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct ClaimEvidence {
    /// Number of the claim in the report.
    pub claim: u32,
    /// The claim, as its paper words it.
    pub claim_text: String,
    /// Number of the compared paper in the report.
    pub paper: u32,
    /// Its id in the corpus or source.
    pub id: WorkId,
    /// Its title.
    pub title: String,
    /// Whether it contains the claim.
    pub status: Status,
    /// How much of it was compared.
    pub compared: Extent,
    /// Estimated probability that the compared text states the claim, 0 to 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub probability: Option<f64>,
    /// Why this status.
    pub note: String,
    /// Pairs of similar passages, best first, each cut from its own text.
    pub passages: Vec<EvidencePair>,
    /// Terms of the claim that the best passages also contain.
    pub shared_terms: Vec<String>,
    /// Terms of the claim that the whole compared text lacks.
    pub missing_terms: Vec<String>,
}

/// An idea compared with one paper.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct IdeaEvidence {
    /// Number of the paper in the report.
    pub paper: u32,
    /// Its id in the corpus or source.
    pub id: WorkId,
    /// Its title.
    pub title: String,
    /// Year of its earliest date.
    pub year: Option<u16>,
    /// Similarity to the idea as a whole, 0 to 1.
    pub similarity: f64,
    /// Comparison by facet, with the matching passage of the paper.
    pub facets: Vec<FacetComparison>,
}

/// The verdict on an idea, and the papers that it was compared with.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct IdeaSummary {
    /// The verdict.
    pub verdict: NoveltyVerdict,
    /// Why the verdict holds, or why there is none.
    pub grounds: String,
    /// What the words suggest if there is no verdict, and how far to trust it.
    pub lean: Option<String>,
    /// Only for `not_novel`: which papers share which facets.
    pub against: Vec<Counterpart>,
    /// The idea's own words on each facet, which the papers are compared with. Wrong ones can be replaced in the next call.
    pub facets: Vec<IdeaFacet>,
    /// The papers compared with the idea, closest by facets first.
    pub papers: Vec<IdeaPaper>,
}

/// The words of an idea on a facet.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct IdeaFacet {
    /// The facet.
    pub facet: Facet,
    /// The idea's own words.
    pub words: String,
    /// Who says that they state the facet.
    pub origin: Option<FacetOrigin>,
}

/// A paper that an idea was compared with.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct IdeaPaper {
    /// Its number in the report.
    pub number: u32,
    /// Its id in the corpus or source.
    pub id: WorkId,
    /// Its title.
    pub title: String,
    /// Year of its earliest date.
    pub year: Option<u16>,
    /// Similarity to the idea as a whole, 0 to 1.
    pub similarity: f64,
    /// For each facet, the share of the idea's words in the closest passage, 0 to 1.
    pub facets: BTreeMap<Facet, f64>,
}

impl StoredRun {
    /// The run in the folder `dir`.
    pub(crate) fn open(dir: &Path) -> Result<Self, AppError> {
        let manifest = RunFolder::open(dir)
            .and_then(|folder| folder.current_manifest())
            .map_err(|error| AppError::new(ErrorKind::Input, error))?;
        Ok(Self {
            dir: dir.to_owned(),
            manifest,
        })
    }

    /// The runs in the direct subfolders of `root`, by name. A damaged run is left out. Empty if there is no such folder.
    pub(crate) fn list(root: &Path) -> Result<Vec<Self>, AppError> {
        if !root.exists() {
            return Ok(Vec::new());
        }
        let runs = list_runs(root).map_err(|error| AppError::new(ErrorKind::Input, error))?;
        let readable = runs.into_iter().filter_map(|(dir, manifest)| {
            manifest
                .inspect_err(|error| tracing::warn!("left out the run {}: failed to {error}", dir.display()))
                .ok()
                .map(|manifest| Self { dir, manifest })
        });
        Ok(readable.collect())
    }

    /// The bytes of one of its reports.
    ///
    /// # Errors
    /// If the run wrote no file of this name, or it cannot be read.
    pub fn file(&self, name: &str) -> Result<Vec<u8>, AppError> {
        if !self.manifest.files.iter().any(|file| file.name == name) {
            let message = format!("the run {} has no file of this name", self.manifest.run.as_str());
            return Err(AppError::with_message(ErrorKind::Input, message).hint("choose one of the run's `files`"));
        }
        input::bytes(&self.dir.join(name))
    }

    /// Every request that it sent, in order. Blocks the calling thread.
    ///
    /// # Errors
    /// If its record cannot be read.
    pub fn sent(&self) -> Result<Vec<SentRequest>, AppError> {
        let unreadable = |error| AppError::new(ErrorKind::Input, error);
        let path = RunFolder::open(&self.dir).map(|folder| folder.ledger_path());
        let path = path.map_err(|error| AppError::new(ErrorKind::Input, error))?;
        if !path.is_file() {
            return Ok(Vec::new());
        }
        let sent = outside_runtime(|| runtime_here()?.block_on(Ledger::sent_in(&path)).map_err(unreadable))?;
        let readable = sent.into_iter().map(|one| SentRequest {
            who: one.who,
            host: one.host,
            request: one.asked,
            bytes_out: one.bytes_out,
            bytes_in: one.bytes_in,
            outcome: one.outcome,
        });
        Ok(readable.collect())
    }

    /// The name of the report that ends in `.ending`.
    #[must_use]
    pub fn report_file(&self, ending: &str) -> Option<&str> {
        let mut names = self.manifest.files.iter().map(|file| file.name.as_str());
        names.find(|name| name.rsplit_once('.').is_some_and(|(_, own)| own == ending))
    }

    /// The report of a run of `assess` or `idea`, from its JSON file.
    ///
    /// # Errors
    /// If the run has no such report, or it cannot be read.
    pub fn report(&self) -> Result<Report, AppError> {
        let Some(name) = self.report_file("json") else {
            let message = format!("the run {} has no JSON report", self.manifest.run.as_str());
            return Err(
                AppError::with_message(ErrorKind::Input, message).hint("run the job again, or wait until it ends")
            );
        };
        let bytes = self.file(name)?;
        let damaged = |error| AppError::new(ErrorKind::Input, error);
        match self.manifest.request.job() {
            JobKind::Assess => {
                let mut report = read_assessment(&bytes).map_err(damaged)?;
                report.put_in_words();
                Ok(Report::Assess(Box::new(report)))
            }
            JobKind::Idea => {
                let mut report = read_idea(&bytes).map_err(damaged)?;
                report.put_in_words();
                Ok(Report::Idea(Box::new(report)))
            }
            other => {
                let message = format!("the report of `{}` cannot be read in parts", other.command());
                Err(AppError::with_message(ErrorKind::Usage, message).hint("read the whole report"))
            }
        }
    }
}

/// The comparisons of claims with papers, in the order of the report. `claim` and `paper` are numbers in the report; `None` selects all.
#[must_use]
pub fn claim_evidence(report: &Assessment, claim: Option<u32>, paper: Option<u32>) -> Vec<ClaimEvidence> {
    let analysis = &report.contribution_analysis;
    let wanted = analysis.comparisons.iter().filter(|one| {
        claim.is_none_or(|number| number == one.contribution) && paper.is_none_or(|number| number == one.candidate)
    });
    let evidence = wanted.filter_map(|one| {
        let claim = analysis
            .contributions
            .iter()
            .find(|claim| claim.number == one.contribution)?;
        let candidates = &report.references.candidates;
        let candidate = candidates.iter().find(|paper| paper.number == one.candidate)?;
        Some(ClaimEvidence {
            claim: one.contribution,
            claim_text: claim.claim.text().to_owned(),
            paper: one.candidate,
            id: candidate.work.id.clone(),
            title: candidate.work.title.clone(),
            status: one.status,
            compared: one.compared,
            probability: one.probability,
            note: one.note.clone(),
            passages: one.evidence.clone(),
            shared_terms: one.shared_terms.clone(),
            missing_terms: one.missing_terms.clone(),
        })
    });
    evidence.collect()
}

/// The comparisons of an idea with papers, most similar first.
#[must_use]
pub fn idea_evidence(report: &IdeaAssessment, paper: Option<u32>) -> Vec<IdeaEvidence> {
    let wanted = report
        .works
        .iter()
        .filter(|one| paper.is_none_or(|number| number == one.number));
    let evidence = wanted.map(|one| IdeaEvidence {
        paper: one.number,
        id: one.work.id.clone(),
        title: one.work.title.clone(),
        year: one.work.year(),
        similarity: one.similarity,
        facets: one.facets.clone(),
    });
    evidence.collect()
}

impl IdeaSummary {
    /// The summary of a report on an idea.
    #[must_use]
    pub fn of(report: &IdeaAssessment) -> Self {
        let papers = report.works.iter().map(|one| IdeaPaper {
            number: one.number,
            id: one.work.id.clone(),
            title: one.work.title.clone(),
            year: one.work.year(),
            similarity: one.similarity,
            facets: one.facets.iter().map(|one| (one.facet, one.similarity)).collect(),
        });
        let facets = report.idea.facets.iter().map(|one| IdeaFacet {
            facet: one.facet,
            words: one.quote.text().to_owned(),
            origin: one.origin,
        });
        Self {
            verdict: report.verdict.verdict,
            grounds: report.verdict.grounds.clone(),
            lean: lean_words(report),
            against: report.verdict.against.clone(),
            facets: facets.collect(),
            papers: papers.collect(),
        }
    }
}
