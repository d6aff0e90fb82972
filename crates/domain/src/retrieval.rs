use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Author, Document, PublicationDate, Scope, Work, WorkId};

/// A work found by a source, with the text available.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Hit {
    /// The work.
    pub work: Work,
    /// The source's own score. Only its order within one query is meaningful.
    pub score: f64,
    /// The name of the source.
    pub source: String,
}

/// One criterion for a result, with the verdict.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CriterionVerdict {
    /// The criterion, in words.
    pub criterion: String,
    /// Whether the criterion is about time.
    pub about_time: bool,
    /// The verdict.
    pub verdict: Verdict,
}

/// How well a result meets a criterion.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// Yes.
    Support,
    /// In part.
    SomewhatSupport,
    /// No.
    Reject,
    /// Cannot be decided.
    InsufficientInformation,
}

/// The relevance of a result under its criteria (OpenNovelty, B, Table 10).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Relevance {
    /// All criteria are met.
    Perfect,
    /// Some are.
    Partial,
    /// None is.
    No,
}

impl Relevance {
    /// The relevance that follows from the verdicts: perfect if all support. With one criterion, partial if it somewhat supports. With several,
    /// partial if one that is not about time supports at least somewhat. Otherwise, and without criteria, no.
    #[must_use]
    pub fn from_verdicts(verdicts: &[CriterionVerdict]) -> Self {
        if verdicts.is_empty() {
            return Self::No;
        }
        if verdicts.iter().all(|one| one.verdict == Verdict::Support) {
            return Self::Perfect;
        }
        let partial = match verdicts {
            [one] => one.verdict == Verdict::SomewhatSupport,
            many => many
                .iter()
                .any(|one| !one.about_time && matches!(one.verdict, Verdict::Support | Verdict::SomewhatSupport)),
        };
        if partial { Self::Partial } else { Self::No }
    }
}

/// A work compared with the paper.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Candidate {
    /// Number in the report's reference index, counting from 1.
    pub number: u32,
    /// A short name for citing: `Knuth 1989`.
    pub alias: String,
    /// The work.
    pub work: Work,
    /// The scopes in which it was kept, with rank (from 1) and relevance.
    pub scopes: Vec<ScopeRank>,
    /// How its date compares with the paper's.
    pub timing: Timing,
    /// The number of the reference, if the paper's reference list contains it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cited_as: Option<u32>,
    /// Names of the sources that found it.
    pub found_by: Vec<String>,
    /// How it became a candidate other than by searches: through citations.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub came_by: Vec<CameBy>,
    /// Authors it shares with the paper. Work by the same people is prior work like any other, but readers want to know.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub shared_authors: Vec<Author>,
}

impl Candidate {
    /// A work with this number and nothing known of how it was found.
    #[must_use]
    pub fn new(number: u32, work: Work, timing: Timing) -> Self {
        Self {
            number,
            alias: String::new(),
            work,
            scopes: Vec::new(),
            timing,
            cited_as: None,
            found_by: Vec::new(),
            came_by: Vec::new(),
            shared_authors: Vec::new(),
        }
    }
}

/// How a work became a candidate other than by a search.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[non_exhaustive]
pub enum CameBy {
    /// The paper's reference list contains it, and a service found its record.
    Reference {
        /// The reference's number.
        number: u32,
    },
    /// Works cited by the paper cite it.
    CitedByReferences {
        /// The number of those works.
        count: u32,
    },
    /// A service recommends it for the paper.
    Recommended,
    /// A service recommends it for the works that the paper cites.
    RecommendedByReferences,
    /// It cites the paper, but is not certainly later.
    CitesPaper,
}

/// Rank and relevance of a candidate in one scope.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ScopeRank {
    /// The scope.
    pub scope: Scope,
    /// Rank by relevance, from 1.
    pub rank: u32,
    /// The relevance.
    pub relevance: Relevance,
    /// True for a partially relevant one that filled a short list.
    pub filled_up: bool,
}

/// How a work's date compares with the paper's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Timing {
    /// In an earlier year, or more than three months before if both months are known, or cited by the paper.
    Earlier,
    /// Up to three months before, or with dates that leave the order undecided. Shown separately; never refutes.
    Concurrent,
    /// In the same year, and the month of one of the two is unknown. Shown separately; never refutes.
    SameYear,
    /// No date is known. Never refutes.
    Undated,
    /// After the paper. Never a candidate; listed only as excluded.
    Later,
}

/// A work that was found and excluded, with the reason.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SetAside {
    /// The work's id.
    pub id: WorkId,
    /// Its title.
    pub title: String,
    /// Its date.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub date: Option<PublicationDate>,
    /// The reason.
    pub reason: SetAsideReason,
    /// Where to open it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// The scopes in which it was excluded.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub scopes: Vec<Scope>,
    /// For a duplicate: the id of the work that it is another record of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub duplicate_of: Option<WorkId>,
}

/// Why a work that was found is not a candidate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum SetAsideReason {
    /// It is the paper itself, or a version of it.
    SameWork,
    /// It appeared after the paper.
    Later,
    /// It is a record of a work already in the list.
    Duplicate,
}

/// Number of works after each step in one scope (OpenNovelty, 2.2).
///
/// `raw` and `after_flag` count results, so a record found by two queries counts twice. `distinct` counts records, and later fields count works. So
/// `distinct - after_dedup` duplicates were excluded here, `after_dedup - after_self` versions of the paper, and `after_self - after_date` later
/// works.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FunnelScope {
    /// The scope.
    pub scope: Scope,
    /// Results of all queries and sources.
    pub raw: usize,
    /// After the relevance filter (perfect, and partial ones that fill up).
    pub after_flag: usize,
    /// Distinct records among those.
    #[serde(default)]
    pub distinct: usize,
    /// After removing duplicates.
    pub after_dedup: usize,
    /// After removing the paper itself.
    pub after_self: usize,
    /// After removing later works.
    pub after_date: usize,
    /// After limiting to the top of the scope.
    pub after_top: usize,
}

/// The whole funnel.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Funnel {
    /// One per scope, core task first.
    pub scopes: Vec<FunnelScope>,
    /// Candidates: the works of all scopes, merged, and those counted in `shared_text`.
    pub merged: usize,
    /// Candidates in no scope, found because they share consecutive words with the paper.
    #[serde(default)]
    pub shared_text: usize,
}

/// A candidate's text for the comparison stages.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CandidateText {
    /// The candidate's number.
    pub number: u32,
    /// The document: full text if available, otherwise title and abstract.
    pub document: Document,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn verdicts(list: &[(Verdict, bool)]) -> Vec<CriterionVerdict> {
        list.iter()
            .map(|&(verdict, about_time)| CriterionVerdict {
                criterion: "c".into(),
                about_time,
                verdict,
            })
            .collect()
    }

    #[test]
    fn flags_follow_the_published_table() {
        use Verdict::{InsufficientInformation as Unknown, Reject, SomewhatSupport as Some_, Support as Yes};
        let flag = |list: &[(Verdict, bool)]| Relevance::from_verdicts(&verdicts(list));
        assert_eq!(flag(&[(Yes, false)]), Relevance::Perfect);
        assert_eq!(flag(&[(Some_, false)]), Relevance::Partial);
        assert_eq!(flag(&[(Unknown, false)]), Relevance::No);
        assert_eq!(flag(&[(Yes, false), (Yes, true)]), Relevance::Perfect);
        assert_eq!(flag(&[(Some_, false), (Reject, false)]), Relevance::Partial);
        assert_eq!(flag(&[(Reject, false), (Yes, true)]), Relevance::No);
        assert_eq!(flag(&[]), Relevance::No);
    }
}
