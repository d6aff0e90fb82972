use precedent_domain::{ContributionComparison, EvidencePair, Extent, JudgedBy, Status, Timing};

use super::super::answers::StatusReply;
use super::flaw::Flaw;

/// The parts of a model's answer on one claim and one work that pass the checks.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Finding {
    pub(crate) status: StatusReply,
    /// The note, if it passes the rules.
    pub(crate) note: Option<String>,
    /// The pairs found in both texts.
    pub(crate) pairs: Vec<EvidencePair>,
    /// Why no located pair shows the claim.
    pub(crate) flaw: Option<Flaw>,
    /// Whether the whole text was read.
    pub(crate) whole: bool,
}

/// Maximum pairs shown.
const MOST_PAIRS: usize = 3;
/// Printed in place of a note that breaks the rules.
const NO_NOTE: &str = "The model's note was omitted because it broke the rules for notes.";

/// Combines a finding with the program's own comparison. The program's finding is the minimum: a nearly verbatim match counts whatever a model says.
/// A model's `can_refute` counts only with a pair found in both texts, in the full text of a work that is certainly earlier.
pub(crate) fn settle(own: ContributionComparison, finding: Finding, timing: Timing) -> ContributionComparison {
    let by = if finding.whole {
        JudgedBy::ModelWholeText
    } else {
        JudgedBy::ModelPassages
    };
    let note = finding.note.unwrap_or_else(|| NO_NOTE.to_owned());
    // A nearly verbatim match: in a full text, or one whose status is withheld because of the extent or the date of the work.
    if own.status == Status::CanRefute || own.downgraded.is_some() {
        let agrees = finding.status == StatusReply::CanRefute && finding.flaw.is_none();
        return ContributionComparison {
            note: if agrees { note } else { own.note },
            evidence: together(own.evidence, finding.pairs),
            judged_by: Some(if agrees { by } else { JudgedBy::Program }),
            ..own
        };
    }
    let (status, downgraded) = match finding.status {
        StatusReply::Unclear => (Status::Unclear, None),
        StatusReply::CannotRefute => (Status::CannotRefute, None),
        StatusReply::CanRefute if finding.pairs.is_empty() => match finding.flaw {
            Some(flaw) => (
                Status::Unclear,
                Some(format!("The model found the claim in the other paper, but {}.", flaw.why())),
            ),
            None => (
                Status::CannotRefute,
                Some(
                    "The model found the claim in the other paper, but no pair of quotes is in both texts and about the claim.".to_owned(),
                ),
            ),
        },
        StatusReply::CanRefute => match (timing, own.compared) {
            (Timing::Earlier, Extent::FullText) => (Status::CanRefute, None),
            (Timing::Earlier, _) => (
                Status::Unclear,
                Some(
                    "The model found the claim in the other paper, but only the abstract was read, and an abstract alone is not enough.".to_owned(),
                ),
            ),
            (Timing::Concurrent | Timing::SameYear, _) => (
                Status::Unclear,
                Some("The model found the claim in the other paper, but the dates do not show that it is earlier.".to_owned()),
            ),
            (Timing::Undated, _) => (
                Status::Unclear,
                Some("The model found the claim in the other paper, but its date is unknown.".to_owned()),
            ),
            (Timing::Later, _) => (
                Status::Unclear,
                Some("The model found the claim in the other paper, but it appeared later.".to_owned()),
            ),
        },
    };
    let nearest = finding.pairs.iter().map(|pair| pair.similarity).fold(0.0, f64::max);
    let near = own.near || !finding.pairs.is_empty();
    ContributionComparison {
        status,
        // A note that argues for a withdrawn status is not shown.
        note: if downgraded.is_some() { own.note } else { note },
        closeness: own.closeness.max(nearest).min(1.0),
        evidence: if near {
            together(finding.pairs, own.evidence)
        } else {
            Vec::new()
        },
        near,
        downgraded,
        judged_by: Some(by),
        ..own
    }
}

/// The program's own comparison, labelled, for a claim without a usable answer from the model.
pub(crate) fn fallen_back(own: ContributionComparison) -> ContributionComparison {
    ContributionComparison {
        note: format!(
            "Compared without a model, because it gave no usable answer: {}",
            own.note
        ),
        judged_by: Some(JudgedBy::Program),
        ..own
    }
}

/// The program's own comparison, labelled, for a work too dissimilar to be sent to the model.
pub(crate) fn not_sent(own: ContributionComparison) -> ContributionComparison {
    ContributionComparison {
        judged_by: Some(JudgedBy::Program),
        ..own
    }
}

/// These pairs first, then those with other passages, at most three in all.
fn together(first: Vec<EvidencePair>, then: Vec<EvidencePair>) -> Vec<EvidencePair> {
    let mut pairs: Vec<EvidencePair> = Vec::new();
    for pair in first.into_iter().chain(then) {
        let shown = pairs
            .iter()
            .any(|other| other.candidate.span().overlaps(pair.candidate.span()));
        if pairs.len() < MOST_PAIRS && !shown {
            pairs.push(pair);
        }
    }
    pairs
}
