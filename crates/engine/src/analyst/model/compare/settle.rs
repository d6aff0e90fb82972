use precedent_domain::{ContributionComparison, EvidencePair, Extent, JudgedBy, Status, Timing};

use super::super::answers::StatusSaid;

/// What a model said of one claim against one work, as far as it holds.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Finding {
    pub(super) status: StatusSaid,
    /// The note, where it keeps to the rules.
    pub(super) note: Option<String>,
    /// The pairs that stand on both sides.
    pub(super) pairs: Vec<EvidencePair>,
    /// Why pairs that stand on both sides do not show the claim, where none does.
    pub(super) flaw: Option<&'static str>,
    /// Whether the whole text was read.
    pub(super) whole: bool,
}

/// Most pairs shown.
const MOST_PAIRS: usize = 3;
/// What stands where a note did not keep to the rules.
const NO_NOTE: &str = "The model's note is left out: it did not keep to the rules for notes.";

/// Puts a finding in the place of the program's own comparison. The program's finding is the floor: what stands there nearly word for word is found, whatever
/// a model says; and a model's `can_refute` counts only with a pair that stands on both sides, in the full text of a work that is surely earlier.
pub(super) fn settle(own: ContributionComparison, finding: Finding, timing: Timing) -> ContributionComparison {
    let by = if finding.whole {
        JudgedBy::ModelWholeText
    } else {
        JudgedBy::ModelPassages
    };
    let note = finding.note.unwrap_or_else(|| NO_NOTE.to_owned());
    // Found nearly word for word: in a full text, or where the extent or the date of the work withholds the status.
    if own.status == Status::CanRefute || own.downgraded.is_some() {
        let agrees = finding.status == StatusSaid::CanRefute && finding.flaw.is_none();
        return ContributionComparison {
            note: if agrees { note } else { own.note },
            evidence: together(own.evidence, finding.pairs),
            judged_by: Some(if agrees { by } else { JudgedBy::Program }),
            ..own
        };
    }
    let (status, downgraded) = match finding.status {
        StatusSaid::Unclear => (Status::Unclear, None),
        StatusSaid::CannotRefute => (Status::CannotRefute, None),
        StatusSaid::CanRefute if finding.pairs.is_empty() => match finding.flaw {
            Some(flaw) => (Status::Unclear, Some(format!("The model found the claim in the work, but {flaw}."))),
            None => (
                Status::CannotRefute,
                Some(
                    "The model said that the work has the claim, and no pair of quotes it named stands in both texts and speaks of the claim.".to_owned(),
                ),
            ),
        },
        StatusSaid::CanRefute => match (timing, own.compared) {
            (Timing::Earlier, Extent::FullText) => (Status::CanRefute, None),
            (Timing::Earlier, _) => (
                Status::Unclear,
                Some(
                    "The model found the claim in the work, but only its abstract was read, and an abstract alone does not refute.".to_owned(),
                ),
            ),
            (Timing::Concurrent, _) => (
                Status::Unclear,
                Some("The model found the claim in the work, but the work is not surely earlier than the paper.".to_owned()),
            ),
            (Timing::Undated, _) => (
                Status::Unclear,
                Some("The model found the claim in the work, but no date of it is known.".to_owned()),
            ),
            (Timing::Later, _) => (
                Status::Unclear,
                Some("The model found the claim in the work, but the work appeared after the paper.".to_owned()),
            ),
        },
    };
    let nearest = finding.pairs.iter().map(|pair| pair.similarity).fold(0.0, f64::max);
    let near = own.near || !finding.pairs.is_empty();
    ContributionComparison {
        status,
        // A note that argues for a status that was withdrawn is not shown.
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

/// The program's own comparison where the model gave no usable answer, labelled.
pub(super) fn fallen_back(own: ContributionComparison) -> ContributionComparison {
    ContributionComparison {
        note: format!("By words alone, since the model gave no usable answer: {}", own.note),
        judged_by: Some(JudgedBy::Program),
        ..own
    }
}

/// The program's own comparison where nothing in the work was near enough to be put to the model, labelled.
pub(super) fn not_put(own: ContributionComparison) -> ContributionComparison {
    ContributionComparison {
        judged_by: Some(JudgedBy::Program),
        ..own
    }
}

/// First these, then those that show other passages, at most three in all.
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
