use precedent_domain::{Candidate, Contribution, ContributionComparison, EvidencePair, Extent, Status, Timing};

use super::{Citation, Digest};
use crate::words::{self, Standing};

/// A claim with everything it was compared with.
pub(crate) struct Claim<'a> {
    /// The claim.
    pub(crate) contribution: &'a Contribution,
    /// How it stands. Concurrent and undated works never change it.
    pub(crate) standing: Standing,
    /// Comparisons with earlier works, those that matter most first.
    pub(crate) earlier: Vec<Compared<'a>>,
    /// Comparisons with works that cannot count against the claim: concurrent, or without a date.
    pub(crate) apart: Vec<Compared<'a>>,
}

/// One comparison with the work it is about.
#[derive(Clone)]
pub(crate) struct Compared<'a> {
    /// The comparison.
    pub(crate) comparison: &'a ContributionComparison,
    /// How the work is cited.
    pub(crate) citation: Citation,
    /// The work; `None` where the index lacks it.
    pub(crate) work: Option<&'a Candidate>,
}

impl<'a> Claim<'a> {
    /// Gathers what `contribution` was compared with.
    pub(crate) fn new(digest: &Digest<'a>, contribution: &'a Contribution) -> Self {
        let mut all: Vec<Compared<'a>> = digest
            .report
            .contribution_analysis
            .comparisons
            .iter()
            .filter(|one| one.contribution == contribution.number)
            .map(|comparison| Compared {
                comparison,
                citation: digest.cite(comparison.candidate),
                work: digest.work(comparison.candidate),
            })
            .collect();
        // The engine gives them in reading order; works without evidence say least and go last in their group.
        all.sort_by_key(|one| (weight(one.comparison.status), one.comparison.evidence.is_empty()));
        let (earlier, apart): (Vec<_>, Vec<_>) = all.into_iter().partition(Compared::counts);
        Self {
            contribution,
            standing: standing(&earlier, &apart),
            earlier,
            apart,
        }
    }

    /// The three works that matter most.
    pub(crate) fn top(&self) -> Vec<Compared<'a>> {
        self.earlier.iter().chain(&self.apart).take(3).cloned().collect()
    }

    /// How many comparisons of each status, in words.
    pub(crate) fn tally(&self) -> String {
        let all = self.earlier.len() + self.apart.len();
        if all == 0 {
            return "It was compared with no work.".to_owned();
        }
        let of = |status| self.all().filter(|one| one.comparison.status == status).count();
        let by_abstract = self
            .all()
            .filter(|one| one.comparison.compared != Extent::FullText)
            .count();
        let mut parts = Vec::new();
        for (status, words) in [
            (Status::CanRefute, "found in"),
            (Status::Unclear, "needs reading in"),
            (Status::CannotRefute, "not found in"),
        ] {
            let number = of(status);
            if number > 0 {
                parts.push(format!("{words} {number}"));
            }
        }
        let extent = match by_abstract {
            0 => "all by full text".to_owned(),
            some if some == all => "all by abstract or title only".to_owned(),
            some => format!("{some} of them by abstract or title only"),
        };
        format!(
            "Compared with {}, {extent}: {}.",
            words::count(all, "work", "works"),
            words::and_list(&parts)
        )
    }

    /// Every comparison, those with earlier works first.
    pub(crate) fn all(&self) -> impl Iterator<Item = &Compared<'a>> {
        self.earlier.iter().chain(&self.apart)
    }
}

impl<'a> Compared<'a> {
    /// Whether the work is earlier than the paper, so that it may count against a claim.
    fn counts(&self) -> bool {
        self.work.is_some_and(|work| work.timing == Timing::Earlier)
    }

    /// The pair of passages that stands nearest.
    pub(crate) fn best(&self) -> Option<&'a EvidencePair> {
        self.comparison.evidence.first()
    }

    /// What a reader should know of the work's date, where it is not simply earlier.
    pub(crate) fn timing_note(&self) -> Option<&'static str> {
        let work = self.work?;
        (work.timing != Timing::Earlier).then(|| words::timing(work.timing))
    }
}

fn weight(status: Status) -> u8 {
    match status {
        Status::CanRefute => 0,
        Status::Unclear => 1,
        Status::CannotRefute => 2,
    }
}

fn standing(earlier: &[Compared<'_>], apart: &[Compared<'_>]) -> Standing {
    let any = |status| earlier.iter().any(|one| one.comparison.status == status);
    // A concurrent or undated work never refutes; near words in one still need reading.
    let near_apart = apart.iter().any(|one| one.comparison.status != Status::CannotRefute);
    if any(Status::CanRefute) {
        Standing::Found
    } else if any(Status::Unclear) || near_apart {
        Standing::NeedsReading
    } else if earlier.is_empty() && apart.is_empty() {
        Standing::NotCompared
    } else {
        Standing::NotFound
    }
}
