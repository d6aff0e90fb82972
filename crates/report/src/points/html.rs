use askama::Template;
use precedent_domain::{
    CitedSentence, NoveltyPoint, NoveltyScore, PointPassage, PointsReference, PointsReport, Timing,
};

use super::shown;
use crate::ReportError;
use crate::excerpt::Excerpt;
use crate::formats::html::{Message, page};
use crate::plain::one_line;
use crate::words;

/// Renders the HTML page. `format` is the name used in errors.
pub(crate) fn html(report: &PointsReport, format: &'static str) -> Result<Vec<u8>, ReportError> {
    page(&Page::new(report), format)
}

#[derive(Template)]
#[template(path = "points.html")]
struct Page {
    title: String,
    authors: String,
    analyst: String,
    by_model: bool,
    score: Option<(String, String)>,
    /// Replaces the score: how much was compared.
    counts: String,
    incomplete: Option<String>,
    limits: Vec<Message>,
    content: Vec<String>,
    summary: Option<String>,
    points: Vec<Point>,
    novelty: Option<Novelty>,
    rubric: Vec<(String, &'static str)>,
    references: Vec<Reference>,
    base: Vec<String>,
    validation: Vec<String>,
    corrections: Vec<Mended>,
    polish: Option<String>,
    notes: Vec<String>,
    aside: Vec<(String, &'static str)>,
    queries: Vec<String>,
    sent: Vec<String>,
    disclaimer: String,
    sections: [&'static str; 3],
    parts: [&'static str; 4],
    no_summary: &'static str,
    no_score: &'static str,
    no_similarities: &'static str,
    no_differences: &'static str,
    no_passage: &'static str,
    none_earlier: &'static str,
}

struct Point {
    number: u32,
    heading: String,
    name: String,
    class: &'static str,
    class_rule: Option<String>,
    claim: Excerpt,
    also: Vec<Excerpt>,
    said: Vec<Excerpt>,
    why_not: &'static str,
    analysis: Option<Analysis>,
    shown: Vec<Shown>,
    further: Vec<Shown>,
    queries: Vec<String>,
}

struct Analysis {
    claimed: Vec<Sentence>,
    similarities: Vec<Sentence>,
    differences: Vec<Sentence>,
    details: Vec<Sentence>,
    /// Whether any sentence of part c) has a citation, and the same for part d).
    differences_cite: bool,
    details_cite: bool,
}

struct Sentence {
    text: String,
    citations: Vec<Cited>,
}

/// A citation with the passage on this page that it links to.
struct Cited {
    number: u32,
    alias: String,
    passage: u32,
    quote: Excerpt,
}

/// A passage shown with a point.
struct Shown {
    number: u32,
    anchor: bool,
    /// Whether it is the first passage from a paper that may not be earlier.
    opens_apart: bool,
    work: u32,
    alias: String,
    title: String,
    facts: String,
    nearness: String,
    nearest: Option<Excerpt>,
    whole: Excerpt,
}

struct Novelty {
    character: String,
    innovations: Vec<(u32, String)>,
    unoriginal: Vec<(u32, &'static str, String, String)>,
    one_line: String,
    score: String,
}

struct Reference {
    number: u32,
    alias: String,
    title: String,
    url: Option<String>,
    authors: String,
    facts: String,
}

struct Mended {
    place: String,
    before: String,
    after: Option<String>,
    why: String,
}

impl Page {
    fn new(report: &PointsReport) -> Self {
        let paper = &report.original_paper;
        let by_model = shown::by_model(report);
        // Each passage has one anchor on the page for citations.
        let mut anchored: Vec<u32> = Vec::new();
        let points = report
            .points
            .iter()
            .map(|one| point(report, one, &mut anchored))
            .collect();
        let novelty = report.novelty_summary.as_ref().map(|one| Novelty {
            character: one.character.join(" "),
            innovations: one
                .innovations
                .iter()
                .map(|one| (one.point, one.sentences.join(" ")))
                .collect(),
            unoriginal: one
                .unoriginal
                .iter()
                .map(|one| {
                    (
                        one.point,
                        one.kind.name(),
                        one.sentences.join(" "),
                        one.suggestion.clone(),
                    )
                })
                .collect(),
            one_line: one.one_line.clone(),
            score: shown::score(one.score),
        });
        let corrections = report.validation.iter().flat_map(|one| &one.corrections);
        Self {
            title: one_line(&paper.title).into_owned(),
            authors: names(paper.authors.iter().map(|author| author.name.as_str())),
            analyst: report.metadata.analyst.clone(),
            by_model,
            score: report
                .novelty_summary
                .as_ref()
                .map(|one| (shown::score(one.score), one.one_line.clone())),
            counts: shown::counts(report),
            incomplete: words::incomplete(&report.metadata),
            limits: Message::all(words::limits(&report.metadata)),
            content: report.content_summary.clone(),
            summary: paper
                .summary
                .as_ref()
                .map(|summary| one_line(summary.text()).into_owned()),
            points,
            novelty,
            rubric: NoveltyScore::ALL
                .iter()
                .map(|one| (shown::score(*one), one.rubric()))
                .collect(),
            references: shown::listed(report).into_iter().map(reference).collect(),
            base: shown::base(report),
            validation: shown::validation(report),
            corrections: corrections
                .map(|one| Mended {
                    place: shown::place(one),
                    before: one.before.clone(),
                    after: one.after.clone(),
                    why: shown::why(one),
                })
                .collect(),
            polish: shown::polish(report),
            notes: report.notes.iter().map(|note| words::sentence(note)).collect(),
            aside: report
                .set_aside
                .iter()
                .map(|one| (one.title.clone(), words::set_aside(one.reason)))
                .collect(),
            queries: report.metadata.queries.iter().map(|query| query.text.clone()).collect(),
            sent: report.metadata.sent.iter().map(words::sent).collect(),
            disclaimer: report.metadata.disclaimer.clone(),
            sections: shown::SECTIONS,
            parts: shown::PARTS,
            no_summary: shown::NO_SUMMARY,
            no_score: if by_model {
                shown::NO_USABLE_SCORE
            } else {
                shown::NO_SCORE
            },
            no_similarities: shown::NO_SIMILARITIES,
            no_differences: shown::NO_DIFFERENCES,
            no_passage: shown::NO_PASSAGE,
            none_earlier: shown::NONE_EARLIER,
        }
    }
}

fn point(report: &PointsReport, one: &NoveltyPoint, anchored: &mut Vec<u32>) -> Point {
    let analysis = one.analysis.as_ref().map(|analysis| Analysis {
        claimed: sentences(report, &analysis.claimed),
        similarities: sentences(report, &analysis.similarities),
        differences: sentences(report, &analysis.differences),
        details: sentences(report, &analysis.details),
        differences_cite: cites(&analysis.differences),
        details_cite: cites(&analysis.details),
    });
    let (near, rest): (Vec<&PointPassage>, Vec<&PointPassage>) = one.passages.iter().partition(|one| one.shown);
    let mut listed = |all: Vec<&PointPassage>| all.into_iter().filter_map(|one| shown(report, one, anchored)).collect();
    let mut shown: Vec<Shown> = listed(near);
    let is_apart = |one: &&mut Shown| shown::work(report, one.work).is_some_and(|work| work.timing != Timing::Earlier);
    if let Some(first) = shown.iter_mut().find(is_apart) {
        first.opens_apart = true;
    }
    let further = listed(rest);
    Point {
        number: one.number,
        heading: shown::point_heading(one),
        name: one.name.clone(),
        class: one.class.name(),
        class_rule: one.class_rule.clone(),
        claim: Excerpt::of(&one.claim),
        also: one.also_stated.iter().map(Excerpt::of).collect(),
        said: one.said_of_it.iter().map(Excerpt::of).collect(),
        why_not: if shown::by_model(report) {
            shown::NOT_USABLE
        } else {
            shown::NOT_COMPARED
        },
        analysis,
        shown,
        further,
        queries: one.queries.clone(),
    }
}

fn shown(report: &PointsReport, one: &PointPassage, anchored: &mut Vec<u32>) -> Option<Shown> {
    let base = report.passages.iter().find(|base| base.number == one.passage)?;
    let work = shown::work(report, base.reference)?;
    let anchor = !anchored.contains(&one.passage);
    if anchor {
        anchored.push(one.passage);
    }
    Some(Shown {
        number: one.passage,
        anchor,
        opens_apart: false,
        work: work.number,
        alias: work.alias.clone(),
        title: work.work.title.clone(),
        facts: shown::facts(work),
        nearness: shown::nearness(one),
        nearest: one.nearest.as_ref().map(Excerpt::of),
        whole: Excerpt::whole(&base.text),
    })
}

fn cites(all: &[CitedSentence]) -> bool {
    all.iter().any(|one| !one.citations.is_empty())
}

fn sentences(report: &PointsReport, all: &[CitedSentence]) -> Vec<Sentence> {
    let cited = |one: &CitedSentence| {
        let citations = one.citations.iter().filter_map(|citation| {
            let work = shown::work(report, citation.reference)?;
            Some(Cited {
                number: work.number,
                alias: work.alias.clone(),
                passage: citation.passage,
                quote: Excerpt::of(&citation.quote),
            })
        });
        Sentence {
            text: one.text.clone(),
            citations: citations.collect(),
        }
    };
    all.iter().map(cited).collect()
}

fn reference(one: &PointsReference) -> Reference {
    Reference {
        number: one.number,
        alias: one.alias.clone(),
        title: one.work.title.clone(),
        url: one.work.url.clone(),
        authors: names(one.work.authors.iter().map(|author| author.name.as_str())),
        facts: shown::facts(one),
    }
}

/// Joins at most ten names.
fn names<'n>(all: impl Iterator<Item = &'n str>) -> String {
    let all: Vec<&str> = all.collect();
    let head = all.iter().take(10).copied().collect::<Vec<_>>().join(", ");
    if all.len() > 10 {
        format!("{head} and others")
    } else {
        head
    }
}
