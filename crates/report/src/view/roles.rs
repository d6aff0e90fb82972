use precedent_domain::{Candidate, Status, Timing};

use super::{Citation, Digest};
use crate::words;

/// A role in the report and the papers that have it.
pub(crate) struct Role {
    /// The label of the role.
    pub(crate) label: &'static str,
    /// Each paper with a note, which may be empty.
    pub(crate) works: Vec<(Citation, String)>,
    /// How many more there are.
    pub(crate) more: usize,
}

/// Maximum number of papers listed per role.
const NAMED: usize = 12;

/// The papers by role, most important role first. A paper can have several roles. Empty roles are omitted.
pub(crate) fn roles(digest: &Digest<'_>) -> Vec<Role> {
    let candidates = &digest.report.references.candidates;
    let position = digest.position();
    let siblings = position.map(|one| one.siblings.as_slice()).unwrap_or_default();
    let earlier = |one: &&Candidate| one.timing == Timing::Earlier;
    let by_status = |status: Status| -> Vec<(u32, String)> {
        let claims = |one: &Candidate| claims_with(digest, one.number, status);
        candidates
            .iter()
            .filter(earlier)
            .map(|one| (one.number, claims(one)))
            .filter(|(_, claims)| !claims.is_empty())
            .collect()
    };
    let apart = candidates
        .iter()
        .filter(|one| one.timing != Timing::Earlier)
        .map(|one| (one.number, words::timing(one.timing, digest.paper_dated()).to_owned()));
    let sharing = digest.overlaps();
    let plain = |number: u32| (number, String::new());
    let role = |label, works: Vec<(u32, String)>| Role {
        label,
        more: works.len().saturating_sub(NAMED),
        works: works
            .into_iter()
            .take(NAMED)
            .map(|(number, note)| (digest.cite(number), note))
            .collect(),
    };
    [
        role("Anticipate a claim", by_status(Status::CanRefute)),
        role("Similar: need review", by_status(Status::Unclear)),
        role(
            "Share unexplained text",
            sharing
                .iter()
                .filter(|one| !one.open.is_empty())
                .map(|one| plain(one.candidate))
                .collect(),
        ),
        role("Similar, but not in the reference list", missing(digest)),
        role(
            "Possible versions of the paper",
            siblings
                .iter()
                .filter(|one| one.is_duplicate_variant)
                .map(|one| plain(one.candidate))
                .collect(),
        ),
        role(
            "In the paper’s category",
            siblings.iter().map(|one| plain(one.candidate)).collect(),
        ),
        role(
            "Share authors with the paper",
            candidates
                .iter()
                .filter(|one| !one.shared_authors.is_empty())
                .map(|one| plain(one.number))
                .collect(),
        ),
        role("Not counted as prior art: may not be earlier", apart.collect()),
    ]
    .into_iter()
    .filter(|role| !role.works.is_empty())
    .collect()
}

/// The claims whose comparison with this paper has this status: `claims 1 and 3`. Empty if none has.
fn claims_with(digest: &Digest<'_>, number: u32, status: Status) -> String {
    let comparisons = digest.report.contribution_analysis.comparisons.iter();
    let claims: Vec<String> = comparisons
        .filter(|one| one.candidate == number && one.status == status && one.near && !one.says_too_little())
        .map(|one| one.contribution.to_string())
        .collect();
    words::claims(&claims)
}

fn missing(digest: &Digest<'_>) -> Vec<(u32, String)> {
    let missing = &digest.report.contribution_analysis.missing_citations;
    missing.iter().map(|one| (one.candidate, String::new())).collect()
}
