use precedent_domain::{
    CitedSentence, NoveltyPoint, NoveltyScore, NoveltySummary, PointAnalysis, PointPassage, PointsReference,
    PointsReport, Timing,
};

use super::findings;
use super::shown::{self, LIMITS, cite};
use crate::blocks::{
    Block, Entry, InMarkdown, Line, ReportPage, Section, Span, Tone, all_limits, excluded, incomplete, sent,
};
use crate::passage::Passage;
use crate::plain::one_line;
use crate::words;

/// Number of passages shown at first for a point.
const AT_ONCE: usize = 3;
/// Maximum number of authors named.
const AUTHORS: usize = 10;

const APART: &str = "Possibly not earlier than the paper";

/// The report on points as blocks, in the published form: three numbered parts and a reference list.
pub(crate) fn compose(report: &PointsReport) -> ReportPage {
    let paper = &report.original_paper;
    let authors = names(paper.authors.iter().map(|author| author.name.as_str()));
    // A passage has one anchor on the page, which citations link to.
    let mut anchored: Vec<u32> = Vec::new();
    let [content_title, points_title, summary_title] = shown::SECTIONS;
    let mut points: Vec<Block> = Vec::new();
    for one in &report.points {
        points.push(point(report, one, &mut anchored));
    }
    if points.is_empty() {
        points.push(Block::empty("No claim was found in the paper."));
    }
    let links = report.points.iter();
    let links = links.map(|one| (format!("point-{}", one.number), format!("Point {}", one.number)));
    ReportPage {
        warnings: incomplete(&report.metadata),
        title: one_line(&paper.title).into_owned(),
        about: "report on points",
        kind: "Novelty points of a paper",
        byline: (!authors.is_empty())
            .then(|| Line::foreign(&authors))
            .into_iter()
            .collect(),
        sections: vec![
            Section::findings("findings", "Findings", findings::compose(report)),
            Section::folded("content", content_title, content(report))
                .labelled("Paper")
                .printed(),
            Section::shown("points", points_title, points).linked(links.collect()),
            Section::shown("summary", summary_title, summary(report)).labelled("Summary"),
            Section::folded("references", "References", references(report)).printed(),
            Section::folded("about", "About this report", about(report)).labelled("About"),
        ],
        disclaimer: report.metadata.disclaimer.clone(),
    }
}

fn content(report: &PointsReport) -> Vec<Block> {
    if !report.content_summary.is_empty() {
        let text = report.content_summary.join(" ");
        return vec![Block::Paragraph(Tone::Prose, Line::foreign(&text))];
    }
    match &report.original_paper.summary {
        Some(summary) => vec![
            Block::Paragraph(Tone::Fine, Line::of(shown::NO_SUMMARY)),
            Block::Extract(vec![Line::foreign(&one_line(summary.text()))]),
        ],
        None => vec![Block::empty("No abstract was found in the paper.")],
    }
}

fn point(report: &PointsReport, one: &NoveltyPoint, anchored: &mut Vec<u32>) -> Block {
    let mut own = claimed(one);
    match &one.analysis {
        Some(analysis) => own.extend(analysed(report, analysis)),
        None => {
            let why = match shown::by_model(report) {
                true => shown::NOT_USABLE,
                false => shown::NOT_COMPARED,
            };
            own.push(Block::Paragraph(Tone::Fine, Line::of(why)));
        }
    }
    Block::Article {
        id: format!("point-{}", one.number),
        above: String::new(),
        title: Line::of(format!("{}: ", shown::point_heading(one))).external(&one.name),
        sides: true,
        blocks: vec![Block::Sides([own, closest_passages(report, one, anchored)])],
    }
}

/// Part a) without the model's sentences.
fn claimed(one: &NoveltyPoint) -> Vec<Block> {
    let [claimed, ..] = shown::PARTS;
    let class = Line::of("Classification: ").strong(one.class.name());
    let class = match &one.class_rule {
        Some(rule) => class.text(" ").note(format!("({rule})")),
        None => class,
    };
    let mut blocks = vec![
        Block::Heading(4, Line::of(claimed)),
        Block::Paragraph(Tone::Small, class),
        Block::Quote {
            who: Line::of("The paper"),
            label: None,
            quote: Passage::of(&one.claim),
            signed: true,
        },
    ];
    let elsewhere = one.also_stated.iter().chain(&one.said_of_it);
    let elsewhere: Vec<Block> = elsewhere
        .map(|quote| Block::Paragraph(Tone::Small, Line::default().quote(&Passage::of(quote))))
        .collect();
    if !elsewhere.is_empty() {
        blocks.push(Block::Fold {
            title: "Other passages on it in the paper".to_owned(),
            blocks: elsewhere,
            markdown: InMarkdown::Omitted,
        });
    }
    blocks
}

/// The model's sentences of all parts, each part with the passages that it cites.
fn analysed(report: &PointsReport, analysis: &PointAnalysis) -> Vec<Block> {
    let [_, similarities, differences, details] = shown::PARTS;
    let mut blocks = Vec::new();
    if !analysis.claimed.is_empty() {
        blocks.push(Block::paragraph(sentences(report, &analysis.claimed)));
    }
    let mut part = |title: &str, wording: &[CitedSentence], otherwise: &str| {
        blocks.push(Block::Heading(4, Line::of(title)));
        match wording.is_empty() {
            true => blocks.push(Block::empty(otherwise)),
            false => blocks.push(Block::paragraph(sentences(report, wording))),
        }
        let cited = wording.iter().flat_map(|one| &one.citations);
        let cited = cited.filter_map(|citation| {
            Some(Block::Quote {
                who: cite(shown::work(report, citation.reference)?),
                label: None,
                quote: Passage::of(&citation.quote),
                signed: true,
            })
        });
        let cited: Vec<Block> = cited.collect();
        if !cited.is_empty() {
            blocks.push(Block::Fold {
                title: "Cited passages".to_owned(),
                blocks: cited,
                markdown: InMarkdown::Shown,
            });
        }
    };
    part(similarities, &analysis.similarities, shown::NO_SIMILARITIES);
    part(differences, &analysis.differences, shown::NO_DIFFERENCES);
    if !analysis.differences.is_empty() && !analysis.details.is_empty() {
        part(details, &analysis.details, "");
    }
    blocks
}

fn closest_passages(report: &PointsReport, point: &NoveltyPoint, anchored: &mut Vec<u32>) -> Vec<Block> {
    let (near, rest): (Vec<&PointPassage>, Vec<&PointPassage>) = point.passages.iter().partition(|one| one.shown);
    let mut blocks = vec![Block::Heading(4, Line::of("Closest passages"))];
    let mut shown = Vec::new();
    let mut apart = false;
    for one in &near {
        let Some(work) = shown::work_of(report, one.passage) else {
            continue;
        };
        let mut content = Vec::new();
        if work.timing != Timing::Earlier && !std::mem::replace(&mut apart, true) {
            if shown.is_empty() {
                content.push(Block::empty(shown::NONE_EARLIER));
            }
            content.push(Block::Heading(4, Line::of(APART)));
        }
        content.extend(passage(report, one, work, anchored));
        shown.push(content);
    }
    if shown.is_empty() {
        blocks.push(Block::empty(shown::NO_PASSAGE));
    }
    let more = shown.split_off(AT_ONCE.min(shown.len()));
    blocks.extend(shown.into_iter().flatten());
    if !more.is_empty() {
        blocks.push(Block::Fold {
            title: words::count(more.len(), "more similar passage", "more similar passages"),
            blocks: more.into_iter().flatten().collect(),
            markdown: InMarkdown::Named,
        });
    }
    let further = rest.iter().filter_map(|one| further(report, one, anchored));
    let further: Vec<Block> = further.collect();
    if !further.is_empty() {
        let count = further.len();
        blocks.push(Block::Fold {
            title: words::count(
                count,
                "more passage found by its queries",
                "more passages found by its queries",
            ),
            blocks: further,
            markdown: InMarkdown::Omitted,
        });
    }
    if !point.queries.is_empty() {
        blocks.push(Block::Fold {
            title: "Queries".to_owned(),
            blocks: vec![Block::List {
                numbered: true,
                items: point.queries.iter().map(|one| Line::foreign(one)).collect(),
            }],
            markdown: InMarkdown::Omitted,
        });
    }
    blocks
}

/// A similar passage of a listed paper.
fn passage(
    report: &PointsReport,
    one: &PointPassage,
    work: &PointsReference,
    anchored: &mut Vec<u32>,
) -> Option<Block> {
    let nearest = one.nearest.as_ref().map(|nearest| Block::Quote {
        who: cite(work).text(" ").external(&work.work.title),
        label: None,
        quote: Passage::of(nearest),
        signed: false,
    });
    let facts = words::sentence(&format!("{}; {}", shown::facts(work), shown::similarity(one)));
    let mut blocks: Vec<Block> = nearest.into_iter().collect();
    blocks.push(Block::Paragraph(Tone::Fine, Line::of(facts)));
    blocks.push(in_full(report, one)?);
    Some(Block::Passage {
        id: anchor(one, anchored),
        who: cite(work).text(" ").title(&work.work.title, None),
        blocks,
    })
}

/// A passage of a paper that is not in the reference list.
fn further(report: &PointsReport, one: &PointPassage, anchored: &mut Vec<u32>) -> Option<Block> {
    let work = shown::work_of(report, one.passage)?;
    let in_full = in_full(report, one)?;
    Some(Block::Passage {
        id: anchor(one, anchored),
        who: Line::foreign(&work.alias).text(" ").title(&work.work.title, None),
        blocks: vec![
            Block::Paragraph(Tone::Fine, Line::of(words::sentence(&shown::similarity(one)))),
            in_full,
        ],
    })
}

fn in_full(report: &PointsReport, one: &PointPassage) -> Option<Block> {
    let base = report.passages.iter().find(|base| base.number == one.passage)?;
    let whole = Line::default().and(Span::Quote(Passage::whole(&base.text)));
    Some(Block::Fold {
        title: "Full passage".to_owned(),
        blocks: vec![Block::Paragraph(Tone::Context, whole)],
        markdown: InMarkdown::Omitted,
    })
}

fn anchor(one: &PointPassage, anchored: &mut Vec<u32>) -> Option<String> {
    if anchored.contains(&one.passage) {
        return None;
    }
    anchored.push(one.passage);
    Some(format!("passage-{}", one.passage))
}

fn summary(report: &PointsReport) -> Vec<Block> {
    let Some(NoveltySummary {
        character,
        innovations,
        unoriginal,
        one_line,
        score,
        ..
    }) = &report.novelty_summary
    else {
        return vec![Block::empty(shown::why_not_scored(report))];
    };
    let of = |point: u32| Line::default().link(format!("Point {point}"), format!("point-{point}"));
    let listed = |lines: Vec<Line>| match lines.is_empty() {
        true => Block::empty("None."),
        false => Block::list(lines),
    };
    let innovations = innovations.iter();
    let innovations = innovations.map(|one| of(one.point).text(": ").external(&one.sentences.join(" ")));
    let unoriginal = unoriginal.iter().map(|one| {
        let line = of(one.point).text(" (").strong(one.kind.name()).text("): ");
        let line = line.external(&one.sentences.join(" ")).text(" Suggestion: ");
        line.external(&one.suggestion)
    });
    let score = format!("Final One-line Summary: {}", shown::score(*score));
    vec![
        Block::Paragraph(Tone::Prose, Line::foreign(&character.join(" "))),
        Block::Heading(3, Line::of("Genuine innovations")),
        listed(innovations.collect()),
        Block::Heading(3, Line::of("Aspects lacking originality")),
        listed(unoriginal.collect()),
        Block::Paragraph(Tone::Lead, Line::default().strong(score).text(": ").external(one_line)),
    ]
}

fn references(report: &PointsReport) -> Vec<Block> {
    let entry = |one: &PointsReference| {
        let authors = names(one.work.authors.iter().map(|author| author.name.as_str()));
        let facts = match authors.is_empty() {
            true => Line::default(),
            false => Line::foreign(&authors).text(". "),
        };
        Entry {
            id: format!("work-{}", one.number),
            // The published form: `[3] Knuth 1989. Title.`
            title: Line::default()
                .and(Span::Number {
                    number: one.number,
                    to: format!("work-{}", one.number),
                    hint: String::new(),
                })
                .text(" ")
                .strong(&one.alias)
                .text(". ")
                .title(&one.work.title, one.work.url.as_deref()),
            facts: facts.text(words::sentence(&shown::facts(one))),
            blocks: Vec::new(),
        }
    };
    let entries: Vec<Entry> = shown::listed(report).into_iter().map(entry).collect();
    vec![match entries.is_empty() {
        true => Block::empty("None."),
        false => Block::entries(1, entries),
    }]
}

fn about(report: &PointsReport) -> Vec<Block> {
    let mut blocks = all_limits(LIMITS, &words::limits(&report.metadata));
    let paragraph = |text: String| Block::paragraph(Line::of(text));
    blocks.extend(shown::base(report).into_iter().map(paragraph));
    if report.novelty_summary.is_some() {
        let rubric = NoveltyScore::ALL.iter();
        let rubric = rubric.map(|one| (shown::score(*one), Line::of(one.rubric())));
        blocks.push(Block::Heading(3, Line::of("The scale of the score")));
        blocks.push(Block::Terms(rubric.collect()));
    }
    let validation = shown::validation(report);
    if shown::by_model(report) && !validation.is_empty() {
        blocks.push(Block::Heading(3, Line::of("Sentences checked against their sources")));
        blocks.extend(validation.into_iter().map(paragraph));
        let corrections = report.validation.iter().flat_map(|one| &one.corrections);
        let corrections = corrections.map(|one| {
            let line = Line::of(format!("{}: ", shown::place(one))).and(Span::Deleted(one.before.clone()));
            let line = match &one.after {
                Some(after) => line.text(" ").and(Span::Inserted(after.clone())),
                None => line.text(" ").strong("removed"),
            };
            line.text(": ").note(shown::why(one))
        });
        let corrections: Vec<Line> = corrections.collect();
        if !corrections.is_empty() {
            blocks.push(Block::list(corrections));
        }
        blocks.extend(shown::polish(report).map(paragraph));
    }
    if !report.notes.is_empty() {
        let notes = report.notes.iter().map(|note| Line::of(words::sentence(note)));
        blocks.push(Block::Heading(3, Line::of("Notes")));
        blocks.push(Block::list(notes.collect()));
    }
    let aside = report.set_aside.iter();
    blocks.extend(excluded(
        aside.map(|one| (one.title.as_str(), words::set_aside(one.reason))),
    ));
    let queries = report.metadata.queries.iter();
    let queries: Vec<Line> = queries.map(|query| Line::foreign(&query.text)).collect();
    if !queries.is_empty() {
        blocks.push(Block::Fold {
            title: "Literature queries".to_owned(),
            blocks: vec![Block::list(queries)],
            markdown: InMarkdown::Omitted,
        });
    }
    blocks.extend(sent(&report.metadata.sent));
    blocks
}

/// Sentences, each followed by the numbers of its citations.
fn sentences(report: &PointsReport, wording: &[CitedSentence]) -> Line {
    let mut line = Line::default();
    for (at, one) in wording.iter().enumerate() {
        if at > 0 {
            line = line.text(" ");
        }
        line = line.external(&one.text);
        let mut space = " ";
        for citation in &one.citations {
            let Some(work) = shown::work(report, citation.reference) else {
                continue;
            };
            line = line.text(std::mem::take(&mut space)).and(Span::Number {
                number: work.number,
                to: format!("passage-{}", citation.passage),
                hint: format!("{}: {}", work.alias, Passage::of(&citation.quote).text()),
            });
        }
    }
    line
}

/// Joins the first names.
fn names<'n>(all: impl Iterator<Item = &'n str>) -> String {
    let all: Vec<&str> = all.collect();
    let head = all.iter().take(AUTHORS).copied().collect::<Vec<_>>().join(", ");
    match all.len() > AUTHORS {
        true => format!("{head} and others"),
        false => head,
    }
}
