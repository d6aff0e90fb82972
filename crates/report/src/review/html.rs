use askama::Template;
use precedent_domain::{IdeaReview, KnowledgePiece, SuggestionGroup};

use super::board::{Reader, ScoreRow, readers, table};
use super::parts::{Part, parts};
use super::plot::{Plot, plot};
use super::prose::{Piece, prose};
use super::shown;
use crate::ReportError;
use crate::formats::html::{Message, page};
use crate::words;

/// Renders the HTML page. `format` is the name used in errors.
pub(crate) fn html(review: &IdeaReview, format: &'static str) -> Result<Vec<u8>, ReportError> {
    page(&Page::new(review), format)
}

#[derive(Template)]
#[template(path = "review.html")]
struct Page {
    title: String,
    analyst: String,
    as_of: Option<String>,
    same_text: Option<String>,
    no_score: Option<&'static str>,
    meta: Option<Meta>,
    bins: &'static str,
    incomplete: Option<String>,
    limits: Vec<Message>,
    counts: String,
    missing: Option<String>,
    parts: Vec<Part>,
    no_evidence: &'static str,
    plot: Option<Plot>,
    table: Vec<ScoreRow>,
    readers: Vec<Reader>,
    suggestions: Vec<(String, Vec<Advice>)>,
    knowledge: Vec<Work>,
    rounds: Vec<Round>,
    search: String,
    notes: Vec<String>,
    aside: Vec<(String, &'static str)>,
    about_it: String,
    sent: Vec<String>,
    disclaimer: String,
}

struct Meta {
    key: &'static str,
    decision: &'static str,
    score: String,
    reckoned: String,
    delta_reason: Vec<Piece>,
    summary: Vec<Piece>,
    key_evidence: Vec<(u32, String, String)>,
}

struct Advice {
    text: Vec<Piece>,
    pieces: Vec<(u32, String)>,
}

struct Work {
    number: u32,
    alias: String,
    title: String,
    url: Option<String>,
    facts: String,
}

struct Round {
    number: u32,
    results: usize,
    new: usize,
    kept: usize,
    queries: Vec<String>,
}

impl Page {
    fn new(review: &IdeaReview) -> Self {
        let known = |number: u32| shown::piece(review, number).is_some();
        Self {
            title: shown::title(review).to_owned(),
            analyst: review.metadata.analyst.clone(),
            as_of: review.metadata.as_of.as_ref().map(|one| one.date.to_string()),
            same_text: shown::same_text(review),
            no_score: shown::no_score(review),
            meta: review.meta.as_ref().map(|one| Meta {
                key: shown::key(one.decision),
                decision: one.decision.name(),
                score: shown::score(one.score),
                reckoned: shown::reckoned(one),
                delta_reason: prose(&one.delta_reason, known),
                summary: prose(&one.summary, known),
                key_evidence: one
                    .key_evidence
                    .iter()
                    .filter_map(|number| named(review, *number))
                    .collect(),
            }),
            bins: shown::BINS,
            incomplete: words::incomplete(&review.metadata),
            limits: Message::all(words::limits(&review.metadata)),
            counts: counts(review),
            missing: shown::missing(review),
            parts: parts(review),
            no_evidence: shown::NO_EVIDENCE,
            plot: plot(review),
            table: table(review),
            readers: readers(review),
            suggestions: suggestions(review),
            knowledge: review.knowledge.iter().map(work).collect(),
            rounds: rounds(review),
            search: shown::search(review),
            notes: review.notes.iter().map(|note| words::sentence(note)).collect(),
            aside: review
                .set_aside
                .iter()
                .map(|one| (one.title.clone(), words::set_aside(one.reason)))
                .collect(),
            about_it: shown::about(review),
            sent: review.metadata.sent.iter().map(words::sent).collect(),
            disclaimer: review.metadata.disclaimer.clone(),
        }
    }
}

/// A document's number, name and title.
fn named(review: &IdeaReview, number: u32) -> Option<(u32, String, String)> {
    let one = shown::piece(review, number)?;
    Some((number, one.alias.clone(), one.work.title.clone()))
}

/// The number of statements and documents, as a sentence.
pub(super) fn counts(review: &IdeaReview) -> String {
    let of = |kind| review.knowledge.iter().filter(|one| one.kind == kind).count();
    let [papers, pages, repositories] = precedent_domain::EvidenceKind::ALL.map(of);
    format!(
        "{}. {}, {} and {} were kept.",
        words::count(
            review.idea.statements.len(),
            "statement was read",
            "statements were read"
        ),
        words::count(papers, "paper", "papers"),
        words::count(pages, "page", "pages"),
        words::count(repositories, "repository", "repositories"),
    )
}

fn suggestions(review: &IdeaReview) -> Vec<(String, Vec<Advice>)> {
    let known = |number: u32| shown::piece(review, number).is_some();
    let advice = |group: SuggestionGroup| {
        let of_it = review.suggestions.iter().filter(|one| one.group == group);
        let all: Vec<Advice> = of_it
            .map(|one| Advice {
                text: prose(&one.text, known),
                pieces: one
                    .pieces
                    .iter()
                    .filter_map(|number| named(review, *number))
                    .map(|(number, alias, _)| (number, alias))
                    .collect(),
            })
            .collect();
        (!all.is_empty()).then(|| (words::sentence(group.name()).trim_end_matches('.').to_owned(), all))
    };
    SuggestionGroup::ALL.into_iter().filter_map(advice).collect()
}

fn work(one: &KnowledgePiece) -> Work {
    Work {
        number: one.number,
        alias: one.alias.clone(),
        title: one.work.title.clone(),
        url: one.work.url.clone(),
        facts: shown::facts(one),
    }
}

fn rounds(review: &IdeaReview) -> Vec<Round> {
    let query = |one: &precedent_domain::KnowledgeQuery| {
        let part = one.part.map_or("the whole idea", precedent_domain::IdeaPart::name);
        let how = match shown::refined(one.refined) {
            "" => String::new(),
            how => format!(", {how}"),
        };
        format!("{} ({}, from the {part}{how})", one.text, one.kind.name()).replace("from the the", "from the")
    };
    let round = |one: &precedent_domain::SearchRound| Round {
        number: one.number,
        results: one.results,
        new: one.new,
        kept: one.kept,
        queries: one.queries.iter().map(query).collect(),
    };
    review.search.rounds.iter().map(round).collect()
}
