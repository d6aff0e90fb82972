use super::{Citation, Compared, Digest};
use crate::plain::one_line;
use crate::words;

/// Maximum number of papers listed with a reason; further ones are only named.
const WRITTEN: usize = 8;
/// Maximum number of papers on the first screen, and their minimum similarity. Above it, two papers are hardly ever similar by chance.
const FIRST: usize = 3;
const SURELY: f64 = 0.34;
/// Maximum number of papers named after those.
const NAMED: usize = 12;

/// A paper that is similar to the assessed paper as a whole but to none of its claims.
pub(crate) struct SimilarWhole {
    /// The citation.
    pub(crate) citation: Citation,
    /// The title on one line.
    pub(crate) title: String,
    /// Why it matches no claim, as a sentence.
    pub(crate) why: String,
    /// Similarity to the paper as a whole.
    similarity: f64,
}

/// All such papers by level of detail.
pub(crate) struct SimilarWithoutClaim {
    /// The most similar, with the reason why they match no claim.
    pub(crate) written: Vec<SimilarWhole>,
    /// The next ones, by citation only.
    pub(crate) named: Vec<Citation>,
    /// Number of further papers.
    more: usize,
    /// Whether the searched sources cover the paper's field. If not, the similarity may be a coincidence.
    of_the_field: bool,
}

/// Introduces the list.
pub(crate) const NEAR_NO_CLAIM_INTRO: &str = "These papers are similar to the paper as a whole by title and abstract, but their available text does not match any single \
claim. They are useful background. Their full texts may say more about a claim.";

impl SimilarWithoutClaim {
    /// The papers for the first screen, which may be none, and the number of the others.
    pub(crate) fn first(&self) -> (&[SimilarWhole], usize) {
        let surely = self
            .written
            .iter()
            .take_while(|one| self.of_the_field && one.similarity >= SURELY)
            .count();
        let first = self.written.get(..FIRST.min(surely)).unwrap_or_default();
        let all = self.written.len() + self.named.len() + self.more;
        (first, all - first.len())
    }

    /// Follows the names.
    pub(crate) fn more(&self) -> String {
        match self.more {
            0 => ".".to_owned(),
            more => format!(" and {} more.", words::thousands(more)),
        }
    }
}

impl Digest<'_> {
    /// Papers similar to the paper as a whole but to none of its claims, most similar first. `None` without such papers or claims.
    pub(crate) fn similar_without_claim(&self) -> Option<SimilarWithoutClaim> {
        let claims = self.claims();
        let is_near_a_claim = |number: u32| {
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
            .filter(|one| !is_near_a_claim(one.candidate))
            .filter_map(|one| Some((one.similarity, compared(one.candidate)?)));
        let written: Vec<SimilarWhole> = works
            .by_ref()
            .take(WRITTEN)
            .map(|(similarity, one)| written(similarity, &one))
            .collect();
        let named: Vec<Citation> = works.by_ref().take(NAMED).map(|(_, one)| one.citation).collect();
        let more = works.count();
        (!written.is_empty()).then_some(SimilarWithoutClaim {
            written,
            named,
            more,
            of_the_field: self.not_its_field().is_none(),
        })
    }
}

fn written(similarity: f64, one: &Compared<'_>) -> SimilarWhole {
    let claim = one.comparison.contribution;
    let shared: Vec<String> = one
        .comparison
        .shared_terms
        .iter()
        .map(|term| format!("“{}”", one_line(term)))
        .collect();
    let has = if shared.is_empty() {
        "its closest passage has none of that claim's terms".to_owned()
    } else {
        format!(
            "its closest passage has only {} of that claim's terms",
            words::and_list(&shared)
        )
    };
    let timing = one.timing_note().map(|note| format!("{note}; ")).unwrap_or_default();
    SimilarWhole {
        citation: one.citation.clone(),
        title: one.title(),
        why: format!("{timing}closest to claim {claim}: {has}."),
        similarity,
    }
}
