use precedent_domain::{Candidate, OverlapPassage, Position, SetAside, SiblingComparison, TaxonomyPaper};

use super::claims::Cite;
use super::passage::{LONGEST, Passage};
use crate::plain::one_line;
use crate::view::{
    self, Citation, Digest, Neighbours, Overlap, WorkLink, one_liner, standing_in_search, why_set_aside, work_links,
};
use crate::words;

/// A work in the list of works.
pub(super) struct WorkView {
    pub(super) cite: Cite,
    pub(super) title: String,
    pub(super) authors: String,
    pub(super) venue: String,
    pub(super) date: String,
    pub(super) links: Vec<WorkLink>,
    pub(super) facts: String,
    pub(super) line: String,
    pub(super) quote: Option<Passage>,
}

/// A work that was set aside.
pub(super) struct AsideView {
    pub(super) title: String,
    pub(super) date: String,
    pub(super) reason: String,
    pub(super) url: Option<String>,
}

/// A work in the paper's leaf.
pub(super) struct SiblingView {
    pub(super) cite: Cite,
    pub(super) title: String,
    pub(super) duplicate: bool,
    /// In a model's words; empty where the terms say it all.
    pub(super) distinction: String,
    pub(super) extent: &'static str,
    pub(super) both: String,
    pub(super) ours: String,
    pub(super) theirs: String,
    pub(super) quote: Option<Passage>,
}

/// A work that the reference list lacks.
pub(super) struct MissingView {
    pub(super) cite: Cite,
    pub(super) title: String,
    pub(super) reason: String,
}

/// Text shared with one work.
pub(super) struct OverlapView {
    pub(super) cite: Cite,
    pub(super) title: String,
    pub(super) note: String,
    /// Passages that nothing explains.
    pub(super) open: Vec<SharedView>,
    /// Passages with an innocent explanation.
    pub(super) explained: Vec<SharedView>,
    /// What explains them.
    pub(super) reasons: String,
}

/// A part that works play.
pub(super) struct RoleView {
    pub(super) label: &'static str,
    pub(super) works: Vec<(Cite, String)>,
    pub(super) more: usize,
}

/// One shared passage.
pub(super) struct SharedView {
    pub(super) facts: String,
    pub(super) ours: Passage,
    pub(super) theirs: Passage,
}

/// The work's citation and title.
pub(super) fn named(digest: &Digest<'_>, number: u32) -> (Cite, String) {
    let work = digest.work(number);
    let title = work
        .map(|one| one_line(&one.work.title).into_owned())
        .unwrap_or_default();
    (Cite::new(&digest.cite(number), work.is_some()), title)
}

/// The list of works.
pub(super) fn works(digest: &Digest<'_>) -> Vec<WorkView> {
    digest
        .report
        .references
        .candidates
        .iter()
        .map(|one| work(digest, one))
        .collect()
}

fn work(digest: &Digest<'_>, one: &Candidate) -> WorkView {
    let record = &one.work;
    let authors: Vec<&str> = record
        .authors
        .iter()
        .take(8)
        .map(|author| author.name.as_str())
        .collect();
    let more = if record.authors.len() > authors.len() {
        " and others"
    } else {
        ""
    };
    let said = one_liner(digest, one.number);
    let (cite, title) = named(digest, one.number);
    WorkView {
        cite,
        title: if title.is_empty() { "Untitled".to_owned() } else { title },
        authors: format!("{}{more}", authors.join(", ")),
        venue: record.venue.as_deref().map(one_line).unwrap_or_default().into_owned(),
        date: record.earliest().map_or_else(
            || "no date known".to_owned(),
            |dated| format!("{} ({})", dated.date, words::date_origin(&dated.origin)),
        ),
        links: work_links(record),
        facts: standing_in_search(digest, one),
        line: said
            .and_then(|said| said.text.as_deref())
            .map(one_line)
            .unwrap_or_default()
            .into_owned(),
        quote: said
            .filter(|said| said.text.is_none())
            .and_then(|said| said.quote.as_ref())
            .map(|quote| Passage::new(quote, 50)),
    }
}

/// Works that were set aside, by reason.
pub(super) fn set_aside(digest: &Digest<'_>) -> Vec<AsideView> {
    let entry = |one: &SetAside| AsideView {
        title: one_line(&one.title).into_owned(),
        date: one
            .date
            .as_ref()
            .map(|dated| dated.date.to_string())
            .unwrap_or_default(),
        reason: why_set_aside(digest, one),
        url: one.url.clone(),
    };
    view::set_aside(digest).0.into_iter().map(entry).collect()
}

/// That some are not listed; empty where all are.
pub(super) fn aside_left(digest: &Digest<'_>) -> String {
    view::set_aside_unlisted(view::set_aside(digest).1)
}

/// Works in the paper's leaf, each with what tells it apart; first what the paper speaks of and none of them, and whether any has more of that.
pub(super) fn siblings(digest: &Digest<'_>, position: &Position) -> (String, bool, Vec<SiblingView>) {
    let neighbours = Neighbours::of(digest, position);
    let view = |one: &&SiblingComparison| sibling(digest, one, neighbours.own_terms(one).join(", "));
    (
        neighbours.only_the_paper(),
        neighbours.tells_own(),
        neighbours.told.iter().map(view).collect(),
    )
}

/// Works in the paper's leaf of which nothing can be said beside it.
pub(super) struct UntoldView {
    pub(super) title: String,
    pub(super) works: Vec<Cite>,
    pub(super) more: String,
}

/// Works in the paper's leaf of which nothing can be said beside it; `None` where there are none.
pub(super) fn untold(digest: &Digest<'_>, position: &Position) -> Option<UntoldView> {
    let neighbours = Neighbours::of(digest, position);
    (!neighbours.untold.is_empty()).then(|| UntoldView {
        title: neighbours.untold_title(),
        more: neighbours.more(),
        works: neighbours
            .untold
            .iter()
            .map(|one| Cite::new(one, digest.work(one.number).is_some()))
            .collect(),
    })
}

fn sibling(digest: &Digest<'_>, one: &SiblingComparison, ours: String) -> SiblingView {
    let (cite, title) = named(digest, one.candidate);
    SiblingView {
        cite,
        title,
        duplicate: one.is_duplicate_variant,
        distinction: if digest.has_prose() {
            one_line(&one.distinction).into_owned()
        } else {
            String::new()
        },
        extent: words::extent(one.compared),
        both: one.shared_terms.join(", "),
        ours,
        theirs: one.candidate_only_terms.join(", "),
        quote: one.candidate_quote.as_ref().map(|quote| Passage::new(quote, 34)),
    }
}

/// Works beside the paper's leaf.
pub(super) fn beside(digest: &Digest<'_>, papers: &[TaxonomyPaper]) -> Vec<(Cite, String)> {
    let numbers = papers.iter().filter_map(|paper| paper.candidate());
    numbers.map(|number| named(digest, number)).collect()
}

/// Near works that the reference list lacks.
pub(super) fn missing(digest: &Digest<'_>) -> Vec<MissingView> {
    let missing = &digest.report.contribution_analysis.missing_citations;
    missing
        .iter()
        .map(|one| {
            let (cite, title) = named(digest, one.candidate);
            MissingView {
                cite,
                title,
                reason: one_line(&one.reason).into_owned(),
            }
        })
        .collect()
}

/// Shared text, by work.
pub(super) fn overlaps(digest: &Digest<'_>) -> Vec<OverlapView> {
    let view = |one: &Overlap<'_>| {
        let (cite, title) = named(digest, one.candidate);
        OverlapView {
            cite,
            title,
            note: one.more(),
            open: one.open.iter().map(|passage| shared(passage)).collect(),
            explained: one.explained.iter().map(|passage| shared(passage)).collect(),
            reasons: one.reasons(),
        }
    };
    digest.overlaps().iter().map(view).collect()
}

/// The works by the part they play.
pub(super) fn roles(digest: &Digest<'_>) -> Vec<RoleView> {
    let cite = |(citation, note): (Citation, String)| {
        let known = digest.work(citation.number).is_some();
        (Cite::new(&citation, known), note)
    };
    view::roles(digest)
        .into_iter()
        .map(|role| RoleView {
            label: role.label,
            works: role.works.into_iter().map(cite).collect(),
            more: role.more,
        })
        .collect()
}

fn shared(passage: &OverlapPassage) -> SharedView {
    SharedView {
        facts: words::overlap_facts(&passage.shared),
        ours: Passage::beside(&passage.target, LONGEST * 2, passage.candidate.text()),
        theirs: Passage::beside(&passage.candidate, LONGEST * 2, passage.target.text()),
    }
}
