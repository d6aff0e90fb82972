use askama::Template;
use precedent_domain::{SourceReport, Status};

use super::Message;
use super::claims::{Cite, ClaimView};
use super::figures::{FunnelFigure, MatrixFigure, TimelineFigure};
use super::passage::{LONGEST, Passage};
use super::tree::{TreeStep, steps};
use super::works::{self, AsideView, MissingView, OverlapView, RoleView, SiblingView, UntoldView, WorkView};
use crate::plain::{cut_words, one_line};
use crate::view::{
    Citation, Digest, NEAR_NO_CLAIM_INTRO, NearNoClaim, Place, WorkLink, fault, identifier_links, pieces,
};
use crate::words::{self, ClaimStatus};

/// The content of the page.
#[derive(Template)]
#[template(path = "report.html")]
pub(super) struct Page {
    title: String,
    title_found: bool,
    authors: String,
    byline: Vec<String>,
    disclaimer: String,
    lead: String,
    no_prose: Option<&'static str>,
    core_task: Option<(String, Option<Passage>)>,
    outcome: String,
    place: Place,
    incomplete: Option<String>,
    limits: Vec<Message>,
    not_its_field: Option<String>,
    no_tree: &'static str,
    hidden: Vec<HiddenView>,
    claims: Vec<ClaimView>,
    has_probabilities: bool,
    orphans: usize,
    extraction_notes: Vec<String>,
    near_no_claim: Option<NearNoClaimView>,
    reported_result: Option<Passage>,
    result_note: &'static str,
    overall: Vec<Vec<ProsePiece>>,
    narrative: Vec<Vec<ProsePiece>>,
    matrix: Option<MatrixFigure>,
    tree: Vec<TreeStep>,
    tree_faults: Vec<String>,
    position_note: &'static str,
    siblings: Vec<SiblingView>,
    only_the_paper: String,
    tells_own: bool,
    untold: Option<UntoldView>,
    neighbours: Option<NeighboursView>,
    timeline: Option<TimelineFigure>,
    overlap_search: String,
    shares: String,
    overlaps: Vec<OverlapView>,
    missing: Vec<MissingView>,
    roles: Vec<RoleView>,
    works: Vec<WorkView>,
    aside: Vec<AsideView>,
    aside_left: String,
    funnel: FunnelFigure,
    reading: ReadingView,
    how_to_read: [&'static str; 3],
    statuses: Vec<StatusView>,
    sources: Vec<[String; 5]>,
    queries: Vec<(String, String)>,
    sent: Vec<[String; 3]>,
    run: Vec<(&'static str, String)>,
}

/// Hidden text found in the file.
struct HiddenView {
    reason: &'static str,
    page: String,
    text: String,
    cut: bool,
}

/// A part of a model's prose.
struct ProsePiece {
    text: String,
    work: Option<u32>,
}

/// The subtopics next to the paper's category.
struct NeighboursView {
    overall: String,
    lists: Vec<(&'static str, Vec<String>)>,
    works: Vec<(Cite, String)>,
}

/// Papers similar to the paper as a whole but to none of its claims.
struct NearNoClaimView {
    title: &'static str,
    intro: &'static str,
    /// The most similar: citation, title, and why it matches no claim.
    written: Vec<(Cite, String, String)>,
    /// How many the first screen lists, and how many it omits.
    first: usize,
    left: usize,
    named: Vec<Cite>,
    more: String,
}

impl NearNoClaimView {
    fn new(digest: &Digest<'_>, near: &NearNoClaim) -> Self {
        let cite = |one: &Citation| Cite::new(one, digest.work(one.number).is_some());
        let (first, left) = near.first();
        Self {
            title: words::NEAR_NO_CLAIM,
            intro: NEAR_NO_CLAIM_INTRO,
            written: near
                .written
                .iter()
                .map(|one| (cite(&one.citation), one.title.clone(), one.why.clone()))
                .collect(),
            first: first.len(),
            left,
            named: near.named.iter().map(cite).collect(),
            more: near.more(),
        }
    }
}

/// How the paper was read.
struct ReadingView {
    facts: Vec<(&'static str, String)>,
    links: Vec<WorkLink>,
    reasons: Vec<String>,
    warnings: Vec<String>,
    summary: Option<Passage>,
}

/// A status and its explanation.
struct StatusView {
    key: &'static str,
    label: &'static str,
    status: &'static str,
    meaning: &'static str,
}

impl Page {
    /// Builds the page of a report.
    pub(super) fn new(digest: &Digest<'_>) -> Self {
        let report = digest.report;
        let (analysis, survey, metadata) = (
            &report.contribution_analysis,
            &report.core_task_survey,
            &report.metadata,
        );
        let position = digest.position();
        let (only_the_paper, tells_own, siblings) =
            position.map(|one| works::siblings(digest, one)).unwrap_or_default();
        let known = |number: u32| analysis.contributions.iter().any(|one| one.number == number);
        Self {
            title: digest.title(),
            title_found: report.original_paper.title_found,
            authors: report
                .original_paper
                .authors
                .iter()
                .map(|one| one.name.as_str())
                .collect::<Vec<_>>()
                .join(", "),
            byline: byline(digest),
            disclaimer: digest.disclaimer(),
            lead: digest.lead(),
            no_prose: (!digest.has_prose()).then_some(words::NO_PROSE),
            core_task: survey.core_task.as_ref().map(|task| {
                let evidence = task.evidence.as_ref().map(|quote| Passage::new(quote, LONGEST));
                (one_line(&task.phrase).into_owned(), evidence)
            }),
            outcome: digest.outcome(),
            place: digest.place(),
            incomplete: words::incomplete(&digest.report.metadata),
            limits: Message::all(digest.limits()),
            hidden: hidden(digest),
            claims: digest.claims().iter().map(ClaimView::new).collect(),
            has_probabilities: analysis.comparisons.iter().any(|one| one.probability.is_some()),
            orphans: analysis
                .comparisons
                .iter()
                .filter(|one| !known(one.contribution))
                .count(),
            extraction_notes: analysis.extraction_notes.clone(),
            near_no_claim: digest.near_no_claim().map(|near| NearNoClaimView::new(digest, &near)),
            reported_result: analysis
                .reported_result
                .as_ref()
                .map(|quote| Passage::new(quote, LONGEST)),
            result_note: words::RESULT_NOTE,
            overall: prose(digest, analysis.overall_assessment.as_deref()),
            narrative: prose(digest, survey.narrative.as_deref()),
            matrix: MatrixFigure::new(digest),
            tree: digest.tree().map(|tree| steps(digest, &tree)).unwrap_or_default(),
            tree_faults: survey
                .taxonomy
                .iter()
                .flat_map(|tree| &tree.needs_review)
                .map(|one| fault(digest, one))
                .collect(),
            position_note: position.map(|one| words::position(one.kind)).unwrap_or_default(),
            siblings,
            only_the_paper,
            tells_own,
            untold: position.and_then(|one| works::untold(digest, one)),
            no_tree: digest.no_tree(),
            not_its_field: digest.not_its_field(),
            neighbours: position
                .and_then(|one| one.neighbours.as_ref())
                .map(|one| NeighboursView {
                    overall: one_line(&one.overall).into_owned(),
                    lists: [
                        ("What they share", one.similarities.clone()),
                        ("How they differ", one.differences.clone()),
                        ("Where to search further", one.suggested_directions.clone()),
                    ]
                    .into_iter()
                    .filter(|(_, lines)| !lines.is_empty())
                    .collect(),
                    works: works::beside(digest, &one.papers),
                }),
            timeline: TimelineFigure::new(digest),
            overlap_search: words::overlap_search(&report.textual_similarity),
            shares: works::shares(digest),
            overlaps: works::overlaps(digest),
            missing: works::missing(digest),
            roles: works::roles(digest),
            works: works::works(digest),
            aside: works::set_aside(digest),
            aside_left: works::aside_left(digest),
            funnel: FunnelFigure::new(digest),
            reading: reading(digest),
            how_to_read: words::HOW_TO_READ,
            statuses: statuses(digest),
            sources: metadata.sources.iter().map(source).collect(),
            queries: metadata
                .queries
                .iter()
                .map(|one| (words::scope_name(one.scope), one_line(&one.text).into_owned()))
                .collect(),
            sent: metadata
                .sent
                .iter()
                .map(|one| [one.host.clone(), one.what.clone(), one.requests.to_string()])
                .collect(),
            run: run(digest),
        }
    }
}

/// Explains each status; "Not assessable" only if it occurs.
fn statuses(digest: &Digest<'_>) -> Vec<StatusView> {
    let too_little = StatusView {
        key: ClaimStatus::TooLittle.key(),
        label: words::TOO_LITTLE,
        status: words::status_key(Status::Unclear),
        meaning: words::TOO_LITTLE_MEANING,
    };
    [Status::CanRefute, Status::Unclear, Status::CannotRefute]
        .map(|one| StatusView {
            key: words::status_short(one),
            label: words::status(one),
            status: words::status_key(one),
            meaning: words::status_meaning(one),
        })
        .into_iter()
        .chain(digest.leaves_untold().then_some(too_little))
        .collect()
}

/// The line under the title: date, length, cutoff date and analyst.
fn byline(digest: &Digest<'_>) -> Vec<String> {
    let paper = &digest.report.original_paper;
    let mut facts = Vec::new();
    facts.push(match paper.dates.first() {
        Some(dated) => format!("{} ({})", dated.date, words::date_origin(&dated.origin)),
        None => "date unknown".to_owned(),
    });
    if let Some(pages) = paper.pages {
        facts.push(words::count(pages as usize, "page", "pages"));
    }
    facts.push(match paper.reference_count {
        0 => "no reference list found".to_owned(),
        some => words::count(some, "reference", "references"),
    });
    if let Some(as_of) = &digest.report.metadata.as_of {
        facts.push(format!("cutoff date {}", as_of.date));
    }
    facts.push(format!("analyst: {}", digest.report.metadata.analyst));
    facts
}

fn hidden(digest: &Digest<'_>) -> Vec<HiddenView> {
    let view = |one: &precedent_domain::HiddenText| {
        let shown = cut_words(&one.text, 80);
        HiddenView {
            reason: words::hidden(one.reason),
            page: one.page.map(|page| format!(", page {page}")).unwrap_or_default(),
            text: one_line(shown.text).into_owned(),
            cut: shown.cut,
        }
    };
    digest.report.original_paper.hidden.iter().map(view).collect()
}

fn prose(digest: &Digest<'_>, paragraphs: Option<&[String]>) -> Vec<Vec<ProsePiece>> {
    let paragraph = |text: &String| {
        let pieces = pieces(digest, text).into_iter();
        pieces
            .map(|piece| ProsePiece {
                text: piece.text.to_owned(),
                work: piece.work,
            })
            .collect()
    };
    paragraphs.unwrap_or_default().iter().map(paragraph).collect()
}

fn reading(digest: &Digest<'_>) -> ReadingView {
    let paper = &digest.report.original_paper;
    let dates: Vec<String> = paper
        .dates
        .iter()
        .map(|one| format!("{} ({})", one.date, words::date_origin(&one.origin)))
        .collect();
    let pages = paper
        .pages
        .map(|pages| format!("{}, ", words::count(pages as usize, "page", "pages")))
        .unwrap_or_default();
    let file = format!(
        "{} ({}, {pages}{})",
        paper.origin.file_name,
        words::paper_format(paper.origin.format),
        words::count(paper.words, "word", "words"),
    );
    ReadingView {
        facts: vec![
            ("File", file),
            ("Extraction quality", words::percent(paper.quality.score)),
            (
                "Dates found",
                if dates.is_empty() {
                    "none".to_owned()
                } else {
                    dates.join("; ")
                },
            ),
            (
                "Reference list",
                words::count(paper.reference_count, "entry", "entries"),
            ),
            ("SHA-256", paper.origin.sha256.clone()),
        ],
        links: identifier_links(&paper.identifiers),
        reasons: paper.quality.reasons.clone(),
        warnings: paper
            .warnings
            .iter()
            .map(|one| one_line(&one.message).into_owned())
            .collect(),
        summary: paper.summary.as_ref().map(|quote| Passage::new(quote, 400)),
    }
}

fn source(one: &SourceReport) -> [String; 5] {
    let known = |count: Option<u64>| match count.and_then(|count| usize::try_from(count).ok()) {
        Some(count) => words::thousands(count),
        None => "unknown".to_owned(),
    };
    let failures = if one.failures.is_empty() {
        "none".to_owned()
    } else {
        one.failures.join("; ")
    };
    [
        one.name.clone(),
        known(one.works),
        known(one.full_texts),
        words::answered(one),
        failures,
    ]
}

fn run(digest: &Digest<'_>) -> Vec<(&'static str, String)> {
    let metadata = &digest.report.metadata;
    let judged = metadata.as_of.as_ref().map_or("unknown".to_owned(), |one| {
        format!("{} ({})", one.date, words::date_origin(&one.origin))
    });
    vec![
        ("Program", format!("Precedent {}", metadata.program_version)),
        ("Report version", digest.report.schema_version.clone()),
        ("Analyst", metadata.analyst.clone()),
        ("Cutoff date", judged),
        ("Seed", metadata.seed.to_string()),
    ]
}
