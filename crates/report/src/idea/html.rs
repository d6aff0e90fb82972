use askama::Template;
use precedent_domain::{FacetStanding, IdeaAssessment, IdeaWork, Quote};

use super::shown;
use crate::ReportError;
use crate::formats::html::{STYLE, policy};
use crate::plain::cut_words;
use crate::words;

/// Longest passage shown, in words.
const PASSAGE_WORDS: usize = 90;

/// `format` names the format in an error.
pub(crate) fn html(report: &IdeaAssessment, format: &'static str) -> Result<Vec<u8>, ReportError> {
    let page = Page::new(report);
    let mut html = page
        .render()
        .map_err(|source| ReportError::Template { format, source })?;
    html.push('\n');
    Ok(html.into_bytes())
}

#[derive(Template)]
#[template(path = "idea.html")]
struct Page {
    style: &'static str,
    policy: String,
    title: String,
    verdict: &'static str,
    key: &'static str,
    grounds: String,
    against: Vec<(String, String)>,
    reasoning: Option<String>,
    analyst: String,
    asides: Vec<String>,
    limits: Vec<String>,
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
    passage: Option<Passage>,
}

struct Passage {
    text: String,
    cut: bool,
    span: String,
    place: String,
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
            style: STYLE,
            policy: policy(),
            title: shown::heading(report),
            verdict: shown::verdict(verdict.verdict),
            key: shown::key(verdict.verdict),
            grounds: verdict.grounds.clone(),
            against: against.collect(),
            reasoning: verdict.reasoning.clone(),
            analyst: report.metadata.analyst.clone(),
            asides: shown::asides(report),
            limits: report
                .metadata
                .not_searched
                .iter()
                .map(|one| one.message.clone())
                .collect(),
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
            sent: sent
                .map(|one| format!("{} requests to {}: {}", one.requests, one.host, one.what))
                .collect(),
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
        passage: facet.passage.as_ref().filter(|_| shown::is_near(facet)).map(passage),
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

fn passage(quote: &Quote) -> Passage {
    let shown = cut_words(quote.text(), PASSAGE_WORDS);
    Passage {
        text: shown.text.to_owned(),
        cut: shown.cut,
        span: format!("{}-{}", quote.span().start, quote.span().end),
        place: words::place(quote.place()),
    }
}
