use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Author, Document, PublicationDate, Scope, Work, WorkId};

/// A work as a source found it, with whatever text is at hand.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Hit {
    /// The work.
    pub work: Work,
    /// The source's own score; only its order within one query means anything.
    pub score: f64,
    /// The name of the source.
    pub source: String,
}

/// One criterion that a result is judged by, and the verdict.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CriterionVerdict {
    /// What is asked, in words.
    pub criterion: String,
    /// Whether the criterion is about time.
    pub about_time: bool,
    /// The verdict.
    pub verdict: Verdict,
}

/// How a result meets a criterion.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// Yes.
    Support,
    /// In part.
    SomewhatSupport,
    /// No.
    Reject,
    /// Cannot be told.
    InsufficientInformation,
}

/// The quality of a result under its criteria (OpenNovelty, B, Table 10).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Relevance {
    /// All criteria support.
    Perfect,
    /// Some do.
    Partial,
    /// None does.
    No,
}

impl Relevance {
    /// The flag that follows from the verdicts: perfect when all support; with one criterion partial iff it somewhat supports;
    /// with several, partial iff one that is not about time supports at least somewhat; else no. No criteria: no.
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

/// A work that is set beside the paper.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Candidate {
    /// Number in the report's reference index, counting from 1.
    pub number: u32,
    /// A short name for citing: `Knuth 1989`.
    pub alias: String,
    /// The work.
    pub work: Work,
    /// In which scopes it was kept, with its rank there (from 1) and how relevant it was judged.
    pub scopes: Vec<ScopeRank>,
    /// How its date stands to the paper's.
    pub timing: Timing,
    /// Whether the paper's reference list names it, and where: number of the reference.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cited_as: Option<u32>,
    /// Names of the sources that found it.
    pub found_by: Vec<String>,
    /// How it came to be a candidate besides by searches: by citations.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub came_by: Vec<CameBy>,
    /// Its authors who are authors of the paper too. Work of the same people is prior work like any other, and a reader wants to know.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub shared_authors: Vec<Author>,
}

/// How a work came to be a candidate besides by a search.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[non_exhaustive]
pub enum CameBy {
    /// The paper's reference list names it, and a service knows it as that.
    Reference {
        /// The reference's number.
        number: u32,
    },
    /// Works that the paper cites cite it.
    CitedByReferences {
        /// How many of them.
        count: u32,
    },
    /// A service recommends it beside the paper.
    Recommended,
    /// A service recommends it beside the works that the paper cites.
    RecommendedByReferences,
    /// It cites the paper, and is not surely later all the same.
    CitesPaper,
}

/// A candidate's standing in one scope.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ScopeRank {
    /// The scope.
    pub scope: Scope,
    /// Rank by relevance, from 1.
    pub rank: u32,
    /// The flag.
    pub relevance: Relevance,
    /// True for a partial one that filled up a short list.
    pub filled_up: bool,
}

/// How a work's date stands to the paper's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Timing {
    /// More than three months before.
    Earlier,
    /// Up to three months before, or in a period that leaves it open. Shown apart; never refutes.
    Concurrent,
    /// No date is known. Never refutes.
    Undated,
    /// After. Never a candidate; listed only as set aside.
    Later,
}

/// A work that was found and set aside, with the reason.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SetAside {
    /// The work's id.
    pub id: WorkId,
    /// Its title.
    pub title: String,
    /// Its date.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub date: Option<PublicationDate>,
    /// Why.
    pub reason: SetAsideReason,
    /// Where a reader can open it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// The scopes whose funnel it was set aside in.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub scopes: Vec<Scope>,
    /// For a duplicate: the id of the work that it is another record of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub duplicate_of: Option<WorkId>,
}

/// Why a work that was found is no candidate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum SetAsideReason {
    /// It is the paper itself, or a version of it.
    SameWork,
    /// It appeared after the paper.
    Later,
    /// It is a record of a work that is already there.
    Duplicate,
}

/// How many works were left after each step of one scope (OpenNovelty, 2.2).
///
/// `raw` and `after_flag` count results, where one record found by two queries counts twice; `distinct` counts records; from `after_dedup` on works are
/// counted. So `distinct - after_dedup` duplicates were set aside here, `after_dedup - after_self` versions of the paper, and
/// `after_self - after_date` later works.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FunnelScope {
    /// The scope.
    pub scope: Scope,
    /// Results of all queries and sources.
    pub raw: usize,
    /// After the relevance flag (perfect, and partial ones that fill up).
    pub after_flag: usize,
    /// Different records among those.
    #[serde(default)]
    pub distinct: usize,
    /// After duplicates.
    pub after_dedup: usize,
    /// After the paper itself.
    pub after_self: usize,
    /// After the date.
    pub after_date: usize,
    /// After the cut to the scope's top.
    pub after_top: usize,
}

/// The whole funnel.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Funnel {
    /// One a scope, core task first.
    pub scopes: Vec<FunnelScope>,
    /// Candidates: the works of all scopes, merged, and those of `shared_text`.
    pub merged: usize,
    /// How many of them no scope holds: they were found because they share words in a row with the paper.
    #[serde(default)]
    pub shared_text: usize,
}

/// A candidate's text for the stages that compare.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CandidateText {
    /// The candidate's number.
    pub number: u32,
    /// Its document: full text where at hand, else title and abstract.
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
