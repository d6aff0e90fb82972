use askama::Template;
use precedent_domain::{FacetStanding, IdeaAssessment, IdeaWork};

use super::shown;
use crate::ReportError;
use crate::excerpt::Excerpt;
use crate::formats::html::{Message, page};
use crate::words;

/// Renders the HTML page. `format` is the name used in errors.
pub(crate) fn html(report: &IdeaAssessment, format: &'static str) -> Result<Vec<u8>, ReportError> {
    page(&Page::new(report), format)
}

#[derive(Template)]
#[template(path = "idea.html")]
struct Page {
    title: String,
    verdict: &'static str,
    key: &'static str,
    grounds: String,
    against: Vec<(String, String)>,
    reasoning: Option<String>,
    analyst: String,
    asides: Vec<String>,
    incomplete: Option<String>,
    limits: Vec<Message>,
    paragraphs: Vec<String>,
    facets: Vec<(&'static str, String)>,
    works: Vec<Work>,
    further: Vec<String>,
    aside: Vec<(String, String)>,
    chosen: Vec<String>,
    queries: Vec<String>,
    sent: Vec<String>,
    disclaimer: String,
}

struct Work {
    number: u32,
    alias: String,
    title: String,
    url: Option<String>,
    authors: String,
    facts: String,
    facets: Vec<Facet>,
}

struct Facet {
    name: &'static str,
    standing: &'static str,
    cell: String,
    near: bool,
    key: &'static str,
    basis: String,
    passage: Option<Excerpt>,
}

impl Page {
    fn new(report: &IdeaAssessment) -> Self {
        let verdict = &report.verdict;
        let document = &report.idea.document;
        let named = |number: u32| {
            let one = report.works.iter().find(|one| one.number == number);
            one.map_or_else(|| format!("[{number}]"), |one| format!("{}[{number}]", one.alias))
        };
        let against = verdict.against.iter().map(|one| {
            let facets: Vec<&str> = one.facets.iter().map(|facet| facet.name()).collect();
            (named(one.work), facets.join(", "))
        });
        let further = report.ranking.further.iter().map(|one| {
            let year = one.year.map(|year| format!(" ({year})")).unwrap_or_default();
            format!("{}. {}{year}", one.rank, one.title)
        });
        let aside = report
            .set_aside
            .iter()
            .map(|one| (one.title.clone(), shown::set_aside(one.reason).to_owned()));
        let sent = report.metadata.sent.iter();
        Self {
            title: shown::heading(report),
            verdict: shown::verdict(verdict.verdict),
            key: shown::key(verdict.verdict),
            grounds: verdict.grounds.clone(),
            against: against.collect(),
            reasoning: verdict.reasoning.clone(),
            analyst: report.metadata.analyst.clone(),
            asides: shown::asides(report),
            incomplete: words::incomplete(&report.metadata),
            limits: Message::all(words::limits(&report.metadata)),
            paragraphs: document
                .paragraphs
                .iter()
                .filter_map(|one| document.slice(one.span))
                .map(str::to_owned)
                .collect(),
            facets: report
                .idea
                .facets
                .iter()
                .map(|one| (one.facet.name(), one.quote.text().to_owned()))
                .collect(),
            works: report.works.iter().map(work).collect(),
            further: further.take(90).collect(),
            aside: aside.collect(),
            chosen: shown::ranking(report),
            queries: report.metadata.queries.iter().map(|query| query.text.clone()).collect(),
            sent: sent.map(words::sent).collect(),
            disclaimer: report.metadata.disclaimer.clone(),
        }
    }
}

fn work(one: &IdeaWork) -> Work {
    let names: Vec<&str> = one.work.authors.iter().map(|author| author.name.as_str()).collect();
    let facets = one.facets.iter().map(|facet| Facet {
        name: facet.facet.name(),
        standing: shown::standing(facet),
        cell: shown::cell(facet),
        near: facet.standing != FacetStanding::Unclear || shown::is_near(facet),
        key: shown::standing_key(facet.standing),
        basis: shown::basis(facet),
        passage: facet
            .passage
            .as_ref()
            .filter(|_| shown::is_near(facet))
            .map(Excerpt::of),
    });
    Work {
        number: one.number,
        alias: one.alias.clone(),
        title: one.work.title.clone(),
        url: one.work.url.clone(),
        authors: names.join(", "),
        facts: shown::facts(one),
        facets: facets.collect(),
    }
}
