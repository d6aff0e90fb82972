use super::{Citation, Compared, Digest};
use crate::plain::one_line;
use crate::words;

/// Works written out with what they have of a claim; the others are named.
const WRITTEN: usize = 8;
/// Works named on the first screen, and how near they stand at least: from here on hardly any two works meet by accident.
const FIRST: usize = 3;
const SURELY: f64 = 0.34;
/// Works named after those that are written out.
const NAMED: usize = 12;

/// A work that stands near the paper as a whole, and at none of its claims.
pub(crate) struct NearWhole {
    /// How it is cited.
    pub(crate) citation: Citation,
    /// Its title on one line.
    pub(crate) title: String,
    /// Why it stands at no claim, in a sentence.
    pub(crate) why: String,
    /// How near it stands to the paper as a whole.
    nearness: f64,
}

/// All such works, by how much room they get.
pub(crate) struct NearNoClaim {
    /// The nearest, with why they stand at no claim.
    pub(crate) written: Vec<NearWhole>,
    /// The next.
    pub(crate) named: Vec<Citation>,
    /// How many more there are.
    more: usize,
    /// Whether what was searched covers the paper's field: where not, what stands near may do so by accident.
    of_the_field: bool,
}

/// What is said of them before they are listed.
pub(crate) const NEAR_NO_CLAIM_INTRO: &str = "By title and summary these works stand near the paper as a whole, and what is at hand of them does not come near any one \
of its claims. They are worth knowing for the field; what their full texts say of a claim was not compared.";

impl NearNoClaim {
    /// The first of them, for the first screen, and how many there are beside them; none of them where none stands surely near.
    pub(crate) fn first(&self) -> (&[NearWhole], usize) {
        let surely = self
            .written
            .iter()
            .take_while(|one| self.of_the_field && one.nearness >= SURELY)
            .count();
        let first = self.written.get(..FIRST.min(surely)).unwrap_or_default();
        let all = self.written.len() + self.named.len() + self.more;
        (first, all - first.len())
    }

    /// What stands behind the names.
    pub(crate) fn more(&self) -> String {
        match self.more {
            0 => ".".to_owned(),
            more => format!(" and {} more.", words::thousands(more)),
        }
    }
}

impl Digest<'_> {
    /// The works that stand near the paper as a whole and near none of its claims, nearest first; `None` where there are none, or no claims.
    pub(crate) fn near_no_claim(&self) -> Option<NearNoClaim> {
        let claims = self.claims();
        let stands_at_one = |number: u32| {
            let mut all = claims.iter().flat_map(super::Claim::all);
            all.any(|one| one.comparison.candidate == number && one.comparison.near)
        };
        let compared = |number: u32| {
            let all = claims.iter().flat_map(super::Claim::all);
            all.filter(|one| one.comparison.candidate == number)
                .max_by(|a, b| {
                    let by_closeness = a.comparison.closeness.total_cmp(&b.comparison.closeness);
                    by_closeness.then(b.comparison.contribution.cmp(&a.comparison.contribution))
                })
                .cloned()
        };
        let mut works = self
            .report
            .core_task_survey
            .near
            .iter()
            .filter(|one| !stands_at_one(one.candidate))
            .filter_map(|one| Some((one.nearness, compared(one.candidate)?)));
        let written: Vec<NearWhole> = works
            .by_ref()
            .take(WRITTEN)
            .map(|(nearness, one)| written(nearness, &one))
            .collect();
        let named: Vec<Citation> = works.by_ref().take(NAMED).map(|(_, one)| one.citation).collect();
        let more = works.count();
        (!written.is_empty()).then_some(NearNoClaim {
            written,
            named,
            more,
            of_the_field: self.not_its_field().is_none(),
        })
    }
}

fn written(nearness: f64, one: &Compared<'_>) -> NearWhole {
    let claim = one.comparison.contribution;
    let shared: Vec<String> = one
        .comparison
        .shared_terms
        .iter()
        .map(|term| format!("“{}”", one_line(term)))
        .collect();
    let has = if shared.is_empty() {
        "its nearest passage has none of that claim's terms".to_owned()
    } else {
        format!(
            "its nearest passage has only {} of that claim's terms",
            words::and_list(&shared)
        )
    };
    let timing = one.timing_note().map(|note| format!("{note}; ")).unwrap_or_default();
    NearWhole {
        citation: one.citation.clone(),
        title: one.title(),
        why: format!("{timing}nearest to claim {claim}: {has}."),
        nearness,
    }
}
