use precedent_domain::{Candidate, OverlapPassage, Position, SetAside, SiblingComparison, TaxonomyPaper};

use super::claims::Cite;
use super::passage::{LONGEST, Passage};
use crate::plain::one_line;
use crate::view::{
    self, Citation, Digest, Neighbours, Overlap, WorkLink, one_liner, standing_in_search, why_set_aside, work_links,
};
use crate::words;

/// An entry in the list of papers.
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

/// An excluded paper.
pub(super) struct AsideView {
    pub(super) title: String,
    pub(super) date: String,
    pub(super) reason: String,
    pub(super) url: Option<String>,
}

/// A paper in the assessed paper's category.
pub(super) struct SiblingView {
    pub(super) cite: Cite,
    pub(super) title: String,
    pub(super) duplicate: bool,
    /// The difference in a model's words; empty without a model.
    pub(super) distinction: String,
    pub(super) extent: &'static str,
    pub(super) both: String,
    pub(super) ours: String,
    pub(super) theirs: String,
    pub(super) quote: Option<Passage>,
}

/// A paper missing from the reference list.
pub(super) struct MissingView {
    pub(super) cite: Cite,
    pub(super) title: String,
    pub(super) reason: String,
}

/// Text shared with one paper.
pub(super) struct OverlapView {
    pub(super) cite: Cite,
    pub(super) title: String,
    pub(super) note: String,
    /// Passages without an explanation.
    pub(super) open: Vec<SharedView>,
    /// Passages with a harmless explanation.
    pub(super) explained: Vec<SharedView>,
    /// The explanations.
    pub(super) reasons: String,
}

/// A role and its papers.
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

/// The citation and title of a paper.
pub(super) fn named(digest: &Digest<'_>, number: u32) -> (Cite, String) {
    let work = digest.work(number);
    let title = work
        .map(|one| one_line(&one.work.title).into_owned())
        .unwrap_or_default();
    (Cite::new(&digest.cite(number), work.is_some()), title)
}

/// The list of papers.
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

/// The excluded papers that are listed.
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

/// Says how many are not listed; empty if all are.
pub(super) fn aside_left(digest: &Digest<'_>) -> String {
    view::set_aside_unlisted(view::set_aside(digest).1)
}

/// The papers in the paper's category, with a sentence on terms that only the paper has, and whether any row has further such terms.
pub(super) fn siblings(digest: &Digest<'_>, position: &Position) -> (String, bool, Vec<SiblingView>) {
    let neighbours = Neighbours::of(digest, position);
    let view = |one: &&SiblingComparison| sibling(digest, one, neighbours.own_terms(one).join(", "));
    (
        neighbours.only_the_paper(),
        neighbours.tells_own(),
        neighbours.told.iter().map(view).collect(),
    )
}

/// Papers in the paper's category that share no phrase with it.
pub(super) struct UntoldView {
    pub(super) title: String,
    pub(super) works: Vec<Cite>,
    pub(super) more: String,
}

/// Papers in the paper's category that share no phrase with it. `None` if there are none.
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

/// Papers in neighbouring categories.
pub(super) fn beside(digest: &Digest<'_>, papers: &[TaxonomyPaper]) -> Vec<(Cite, String)> {
    let numbers = papers.iter().filter_map(|paper| paper.candidate());
    numbers.map(|number| named(digest, number)).collect()
}

/// Similar papers missing from the reference list.
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

/// How many papers share text with the paper.
pub(super) fn shares(digest: &Digest<'_>) -> String {
    match digest.overlaps().len() {
        0 => String::new(),
        some => format!("with {}", words::count(some, "paper", "papers")),
    }
}

/// Shared text by paper.
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

/// The papers by role.
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
