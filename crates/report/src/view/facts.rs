use precedent_domain::{
    Candidate, Identifiers, OneLiner, Scope, SetAside, SetAsideReason, TaxonomyFault, TaxonomyPaper, Timing, Work,
};

use super::Digest;
use crate::plain::{one_line, open_link, percent_encode};
use crate::words;

/// A link to a paper.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct WorkLink {
    /// The link text.
    pub(crate) label: String,
    /// The address, `http` or `https` only.
    pub(crate) url: String,
}

/// Links to `work`: by identifier first, then its own address.
pub(crate) fn work_links(work: &Work) -> Vec<WorkLink> {
    let mut links = identifier_links(&work.identifiers);
    if let Some(url) = work.url.as_deref().and_then(open_link)
        && !links.iter().any(|link| link.url == url)
    {
        let host = url
            .split("//")
            .nth(1)
            .and_then(|rest| rest.split(['/', '?', '#']).next())
            .unwrap_or("link");
        links.push(WorkLink {
            label: host.trim_start_matches("www.").to_owned(),
            url,
        });
    }
    links
}

/// A paper as in a reference list: authors, title, venue, date, identifier or host.
pub(crate) fn source_line(one: &Candidate) -> String {
    let work = &one.work;
    let mut authors: Vec<&str> = work.authors.iter().take(3).map(|author| author.name.as_str()).collect();
    if work.authors.len() > authors.len() {
        authors.push("and others");
    }
    let date = work
        .earliest()
        .map_or("no date known".to_owned(), |dated| dated.date.to_string());
    let link = work_links(work).into_iter().next().map(|link| link.label);
    [
        Some(authors.join(", ")),
        Some(one_line(&work.title).into_owned()),
        work.venue.as_deref().map(|venue| one_line(venue).into_owned()),
        Some(date),
        link,
    ]
    .into_iter()
    .flatten()
    .filter(|part| !part.is_empty())
    .collect::<Vec<_>>()
    .join(". ")
}

/// Links for checked identifiers.
pub(crate) fn identifier_links(ids: &Identifiers) -> Vec<WorkLink> {
    let mut links = Vec::new();
    let mut push = |label: String, base: &str, id: &str| {
        if let Some(url) = open_link(&format!("{base}{}", percent_encode(id))) {
            links.push(WorkLink { label, url });
        }
    };
    if let Some(doi) = &ids.doi {
        push(format!("doi:{doi}"), "https://doi.org/", doi.as_str());
    }
    if let Some(arxiv) = &ids.arxiv {
        push(format!("arXiv:{arxiv}"), "https://arxiv.org/abs/", arxiv.as_str());
    }
    if let Some(id) = &ids.openreview {
        push(
            format!("OpenReview:{id}"),
            "https://openreview.net/forum?id=",
            id.as_str(),
        );
    }
    if let Some(acl) = &ids.acl {
        push(format!("ACL:{acl}"), "https://aclanthology.org/", acl.as_str());
    }
    if let Some(pmc) = &ids.pmc {
        push(pmc.to_string(), "https://europepmc.org/article/PMC/", pmc.as_str());
    }
    links
}

/// The one-line description of a paper.
pub(crate) fn one_liner<'a>(digest: &Digest<'a>, number: u32) -> Option<&'a OneLiner> {
    digest
        .report
        .core_task_survey
        .one_liners
        .iter()
        .find(|one| one.candidate == number)
}

/// Whether only the citation shows that a candidate is earlier: its date is unknown, or too close to the paper's.
fn is_earlier_as_cited(digest: &Digest<'_>, one: &Candidate) -> bool {
    let dated = one.work.earliest().map(|dated| dated.date);
    let open = match (dated, digest.report.metadata.as_of.as_ref().map(|as_of| as_of.date)) {
        (None, _) => true,
        (_, None) => false,
        (Some(date), Some(paper)) => match (date.month(), paper.month()) {
            (Some(month), Some(of_paper)) => {
                let months = |year: u16, month: u8| u32::from(year) * 12 + u32::from(month);
                months(date.year(), month) + 3 >= months(paper.year(), of_paper)
            }
            _ => date.year() >= paper.year(),
        },
    };
    one.timing == Timing::Earlier && open
}

/// How a paper was found and how it was used.
pub(crate) fn found_in_search(digest: &Digest<'_>, one: &Candidate) -> String {
    let mut facts = vec![format!("Compared: {}", words::extent(one.work.extent))];
    match one.timing {
        Timing::Earlier => {}
        other => facts.push(words::timing(other, digest.paper_dated()).to_owned()),
    }
    match one.cited_as {
        Some(number) if is_earlier_as_cited(digest, one) => {
            facts.push(format!("earlier, because the paper cites it as reference {number}"));
        }
        Some(number) => facts.push(format!("cited by the paper as reference {number}")),
        // If no reference list was read, nothing can be missing from it.
        None if digest.report.original_paper.reference_count > 0 => {
            facts.push("not in the paper's reference list".to_owned());
        }
        None => {}
    }
    if !one.shared_authors.is_empty() {
        let names: Vec<String> = one
            .shared_authors
            .iter()
            .map(|author| one_line(&author.name).into_owned())
            .collect();
        facts.push(format!("shares authors with the paper ({})", words::and_list(&names)));
    }
    facts.extend(one.came_by.iter().filter_map(|way| words::came_by(*way, one.cited_as)));
    let ranks: Vec<String> = one
        .scopes
        .iter()
        .map(|rank| format!("{} for {}", rank.rank, words::scope(rank.scope)))
        .collect();
    if !ranks.is_empty() {
        facts.push(format!("rank {}", words::and_list(&ranks)));
    }
    // With a single source, naming it adds nothing.
    if !one.found_by.is_empty() && digest.report.metadata.sources.len() != 1 {
        facts.push(format!("found by {}", one.found_by.join(", ")));
    }
    format!("{}.", facts.join("; "))
}

/// The excluded papers to list, and the number not listed. Later papers found for single claims are not listed, because they often share only
/// words.
pub(crate) fn set_aside<'a>(digest: &Digest<'a>) -> (Vec<&'a SetAside>, usize) {
    let of_the_field = |one: &&SetAside| {
        one.reason != SetAsideReason::Later || one.scopes.is_empty() || one.scopes.contains(&Scope::CoreTask)
    };
    let all = &digest.report.references.set_aside;
    let listed: Vec<&SetAside> = all.iter().filter(of_the_field).collect();
    let left = all.len() - listed.len();
    (listed, left)
}

/// Says how many are not listed; empty if all are.
pub(crate) fn set_aside_unlisted(left: usize) -> String {
    match left {
        0 => String::new(),
        1 => "1 more paper appeared later and was found only for single claims. The JSON report lists it.".to_owned(),
        more => format!(
            "{} more papers appeared later and were found only for single claims. The JSON report lists them.",
            words::thousands(more)
        ),
    }
}

/// Why a paper was excluded. For a duplicate record, names the listed paper.
pub(crate) fn why_set_aside(digest: &Digest<'_>, one: &SetAside) -> String {
    let kept = one.duplicate_of.as_ref().and_then(|id| {
        let mut works = digest.report.references.candidates.iter();
        works.find(|work| work.work.id == *id)
    });
    let why = match kept {
        Some(kept) => format!("another record of {}", digest.cite(kept.number)),
        None => words::set_aside(one.reason).to_owned(),
    };
    if one.scopes.is_empty() {
        return why;
    }
    let found_for: Vec<String> = one.scopes.iter().map(|&scope| words::scope(scope)).collect();
    format!("{why}; found for {}", words::and_list(&found_for))
}

/// A problem of the taxonomy as text.
pub(crate) fn fault(digest: &Digest<'_>, fault: &TaxonomyFault) -> String {
    let name = |paper: &TaxonomyPaper| match paper {
        TaxonomyPaper::Target => "this paper".to_owned(),
        TaxonomyPaper::Candidate(number) => digest.cite(*number).to_string(),
    };
    match fault {
        TaxonomyFault::Missing(paper) => format!("{} is in no category", name(paper)),
        TaxonomyFault::Repeated(paper) => format!("{} is in more than one category", name(paper)),
        TaxonomyFault::Unknown(paper) => format!("{} is not among the papers found", name(paper)),
        TaxonomyFault::Empty(node) => format!("“{node}” is empty"),
        TaxonomyFault::Mixed(node) => format!("“{node}” contains both papers and subtopics"),
        TaxonomyFault::VagueName(node) => format!("the name “{node}” is too vague"),
        TaxonomyFault::SameName(node) => format!("two neighbouring categories are called “{node}”"),
        _ => "the taxonomy has another problem".to_owned(),
    }
}
