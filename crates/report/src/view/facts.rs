use precedent_domain::{
    Candidate, Identifiers, OneLiner, Scope, SetAside, SetAsideReason, TaxonomyFault, TaxonomyPaper, Timing, Work,
};

use super::Digest;
use crate::plain::{one_line, open_link, percent_encode};
use crate::words;

/// A place where a reader can open a work.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct WorkLink {
    /// What is printed.
    pub(crate) label: String,
    /// Where it leads; `http` or `https` only.
    pub(crate) url: String,
}

/// Where `work` can be opened: by its identifiers, then by its own address.
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

/// A work as a list of references would name it: authors, title, venue, date, identifier or host.
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

/// The addresses that checked identifiers stand for.
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

/// What the report says of a work in one line.
pub(crate) fn one_liner<'a>(digest: &Digest<'a>, number: u32) -> Option<&'a OneLiner> {
    digest
        .report
        .core_task_survey
        .one_liners
        .iter()
        .find(|one| one.candidate == number)
}

/// How a work came into the report and how it stands there, in sentences.
pub(crate) fn standing_in_search(digest: &Digest<'_>, one: &Candidate) -> String {
    let mut facts = vec![format!("Compared by {}", words::extent(one.work.extent))];
    match one.timing {
        Timing::Earlier => {}
        other => facts.push(words::timing(other, digest.paper_dated()).to_owned()),
    }
    match one.cited_as {
        Some(number) => facts.push(format!("cited by the paper as its reference {number}")),
        // Where no list was read, nothing can be missing from it.
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
        facts.push(format!("by authors of the paper too ({})", words::and_list(&names)));
    }
    facts.extend(one.came_by.iter().filter_map(|way| words::came_by(*way, one.cited_as)));
    facts.extend(one.work.doubts.iter().filter_map(words::doubt));
    let ranks: Vec<String> = one
        .scopes
        .iter()
        .map(|rank| format!("{} for {}", rank.rank, words::scope(rank.scope)))
        .collect();
    if !ranks.is_empty() {
        facts.push(format!("rank {}", words::and_list(&ranks)));
    }
    // With one source there is nothing to tell apart.
    if !one.found_by.is_empty() && digest.report.metadata.sources.len() != 1 {
        facts.push(format!("found by {}", one.found_by.join(", ")));
    }
    format!("{}.", facts.join("; "))
}

/// The works set aside that are listed, and how many are not: later works that were found for single claims share words with them, often of another sense.
pub(crate) fn set_aside<'a>(digest: &Digest<'a>) -> (Vec<&'a SetAside>, usize) {
    let of_the_field = |one: &&SetAside| {
        one.reason != SetAsideReason::Later || one.scopes.is_empty() || one.scopes.contains(&Scope::CoreTask)
    };
    let all = &digest.report.references.set_aside;
    let listed: Vec<&SetAside> = all.iter().filter(of_the_field).collect();
    let left = all.len() - listed.len();
    (listed, left)
}

/// That some are not listed; empty where all are.
pub(crate) fn set_aside_unlisted(left: usize) -> String {
    match left {
        0 => String::new(),
        1 => "1 more work appeared after the paper and was found by words of single claims only; the JSON report names it.".to_owned(),
        more => format!(
            "{} more works appeared after the paper and were found by words of single claims only; the JSON report names them.",
            words::thousands(more)
        ),
    }
}

/// Why a work was set aside; for another record of a listed work, of which.
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

/// A fault of the tree in words.
pub(crate) fn fault(digest: &Digest<'_>, fault: &TaxonomyFault) -> String {
    let name = |paper: &TaxonomyPaper| match paper {
        TaxonomyPaper::Target => "this paper".to_owned(),
        TaxonomyPaper::Candidate(number) => digest.cite(*number).to_string(),
    };
    match fault {
        TaxonomyFault::Missing(paper) => format!("{} stands in no leaf", name(paper)),
        TaxonomyFault::Repeated(paper) => format!("{} stands in more than one leaf", name(paper)),
        TaxonomyFault::Unknown(paper) => format!("{} is not among the works found", name(paper)),
        TaxonomyFault::Empty(node) => format!("“{node}” holds nothing"),
        TaxonomyFault::Mixed(node) => format!("“{node}” holds works and subtopics"),
        TaxonomyFault::VagueName(node) => format!("the name “{node}” says nothing"),
        TaxonomyFault::SameName(node) => format!("two neighbours are called “{node}”"),
        _ => "the tree has another fault".to_owned(),
    }
}
