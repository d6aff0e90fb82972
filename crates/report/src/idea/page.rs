use precedent_domain::{FacetComparison, IdeaAssessment, IdeaLean, IdeaWork};

use super::shown;
use crate::blocks::{
    Block, Column, Entry, InMarkdown, Line, ReportPage, Row, Section, Span, TableKind, Tone, all_limits, excluded,
    first_limits, incomplete, sent,
};
use crate::passage::Passage;
use crate::plain::{cut_words, one_line};
use crate::words;

/// Number of papers shown in full at first.
const AT_ONCE: usize = 3;
/// Maximum number of further papers listed.
const FURTHER: usize = 90;
/// Maximum number of words of a facet in the table.
const FACET_WORDS: usize = 12;
const LIMITS: &str = "Not searched or judged";

/// The report on an idea as blocks.
pub(crate) fn compose(report: &IdeaAssessment) -> ReportPage {
    ReportPage {
        warnings: incomplete(&report.metadata),
        title: shown::heading(report),
        about: "report on an idea",
        kind: "Report on an idea",
        byline: Vec::new(),
        sections: vec![
            Section::findings("verdict", "Verdict", verdict(report)),
            Section::shown("idea", "The idea", idea(report)).labelled("Idea"),
            Section::shown("works", "Papers compared with the idea", works(report)).labelled("Papers"),
            Section::shown("next", "Suggested next searches", next(report)).labelled("Next"),
            Section::folded("search", "How the papers were selected", search(report)).labelled("Search"),
        ],
        disclaimer: report.metadata.disclaimer.clone(),
    }
}

fn verdict(report: &IdeaAssessment) -> Vec<Block> {
    let verdict = &report.verdict;
    let known = |number: u32| report.works.iter().find(|one| one.number == number);
    let label = Span::Chip(shown::key(verdict.verdict), shown::verdict(verdict.verdict).to_owned());
    let mut blocks = Vec::new();
    blocks.push(Block::Paragraph(Tone::Lead, Line::default().and(label)));
    blocks.push(Block::Paragraph(Tone::Intro, Line::of(&verdict.grounds)));
    if let Some(lean) = shown::lean_if_open(report) {
        blocks.push(Block::paragraph(lean_line(report, lean)));
        blocks.push(Block::Paragraph(Tone::Small, Line::of(shown::lean_accuracy(lean))));
    }
    let against = verdict.against.iter().map(|one| {
        let facets: Vec<&str> = one.facets.iter().map(|facet| facet.name()).collect();
        let line = Line::of(format!("Shares {} with ", facets.join(", ")));
        match known(one.work) {
            Some(work) => line.cite(&work.alias, work.number),
            None => line.text(format!("[{}]", one.work)),
        }
    });
    let against: Vec<Line> = against.collect();
    if !against.is_empty() {
        blocks.push(Block::list(against));
    }
    if let Some(reasoning) = &verdict.reasoning {
        blocks.push(Block::Extract(vec![Line::prose(reasoning, |number| {
            known(number).is_some()
        })]));
        let who = format!(
            "Reasoning by {}. The numbers refer to the papers below.",
            report.metadata.analyst
        );
        blocks.push(Block::Paragraph(Tone::Fine, Line::of(who)));
    }
    let asides = shown::asides(report).into_iter();
    blocks.extend(asides.map(|aside| Block::Paragraph(Tone::Small, Line::of(aside))));
    blocks.push(match report.works.is_empty() {
        true => Block::empty("No paper was found to compare with the idea."),
        false => table(report),
    });
    blocks.push(first_limits(LIMITS, &words::limits(&report.metadata)));
    blocks
}

/// The suggestion without a verdict, with links to its papers.
fn lean_line(report: &IdeaAssessment, lean: &IdeaLean) -> Line {
    let mut line = Line::default()
        .strong("Lean")
        .text(format!(": {}", shown::lean(report, lean.kind)));
    for (at, paper) in lean.papers.iter().enumerate() {
        line = line.text(if at == 0 { " Compare the passages of " } else { ", " });
        line = match report.works.iter().find(|one| one.number == paper.number) {
            Some(work) => line.cite(&work.alias, work.number),
            None => line.text(format!("[{}]", paper.number)),
        };
    }
    match lean.papers.is_empty() {
        true => line,
        false => line.text("."),
    }
}

/// Searches that were not made.
fn next(report: &IdeaAssessment) -> Vec<Block> {
    let lines = report.next_searches.iter().map(|one| {
        let words_of = one.words_of.iter().filter_map(|number| {
            let work = report.works.iter().find(|work| work.number == *number)?;
            Some((&work.alias, work.number))
        });
        let line = Line::foreign(&one.query);
        let mut line = match one.words_of.is_empty() {
            true => line.text(": the idea's domain and mechanism together"),
            false => line.text(": words that the idea does not use, from "),
        };
        for (at, (alias, number)) in words_of.enumerate() {
            line = line.text(if at == 0 { "" } else { ", " }).cite(alias, number);
        }
        line
    });
    let lines: Vec<Line> = lines.collect();
    match lines.is_empty() {
        true => vec![Block::empty("None.")],
        false => vec![Block::list(lines)],
    }
}

fn table(report: &IdeaAssessment) -> Block {
    let mut head = vec![Column::of("Closest papers")];
    head.extend(report.idea.facets.iter().map(|one| Column::of(one.facet.name())));
    let mut own_cells = vec![Line::default().strong("This idea")];
    own_cells.extend(report.idea.facets.iter().map(|one| {
        let bare = one.quote.text().replace('*', "");
        let words = one_line(&bare);
        let shown = cut_words(&words, FACET_WORDS);
        let more = if shown.cut { " …" } else { "" };
        Line::foreign(shown.text).text(more)
    }));
    let own = (own_cells.len() > 1).then_some(Row {
        id: None,
        cells: own_cells,
    });
    let row = |one: &IdeaWork| {
        let mut row = vec![
            Line::default()
                .cite(&one.alias, one.number)
                .text(" ")
                .external(&one.work.title),
        ];
        row.extend(one.facets.iter().map(|facet| label(facet, shown::cell(facet))));
        Row { id: None, cells: row }
    };
    Block::Table {
        label: "Table of findings".to_owned(),
        kind: TableKind::Findings,
        head,
        rows: own.into_iter().chain(report.works.iter().map(row)).collect(),
        most: usize::MAX,
    }
}

/// The result on a facet. Only a level has a shape.
fn label(facet: &FacetComparison, text: String) -> Line {
    match shown::has_level(facet) {
        true => Line::default().and(Span::Chip(shown::status_key(facet.status), text)),
        false => Line::default().note(text),
    }
}

fn idea(report: &IdeaAssessment) -> Vec<Block> {
    let document = &report.idea.document;
    let paragraphs = document.paragraphs.iter().filter_map(|one| document.slice(one.span));
    let mut blocks = vec![Block::Extract(paragraphs.map(Line::foreign).collect())];
    let facets = report.idea.facets.iter().map(|one| {
        let quote = Line::default().quote(&Passage::of(&one.quote));
        let quote = match one.origin {
            Some(origin) => quote.text(" ").note(format!("({})", shown::origin(origin))),
            None => quote,
        };
        (one.facet.name().to_owned(), quote)
    });
    let facets: Vec<(String, Line)> = facets.collect();
    blocks.push(match facets.is_empty() {
        true => Block::empty("No facet was found."),
        false => Block::Terms(facets),
    });
    blocks.push(Block::Paragraph(Tone::Small, Line::of(shown::CORRECTION)));
    blocks
}

fn works(report: &IdeaAssessment) -> Vec<Block> {
    let mut first: Vec<Entry> = report.works.iter().map(work).collect();
    let more = first.split_off(AT_ONCE.min(first.len()));
    if first.is_empty() {
        return vec![Block::empty("None was found.")];
    }
    let mut blocks = vec![Block::entries(1, first)];
    if !more.is_empty() {
        blocks.push(Block::Fold {
            title: words::count(more.len(), "more paper", "more papers"),
            blocks: vec![Block::entries(AT_ONCE + 1, more)],
            markdown: InMarkdown::Shown,
        });
    }
    let further = report.ranking.further.iter().take(FURTHER).map(|one| {
        let year = one.year.map(|year| format!(" ({year})")).unwrap_or_default();
        Line::of(format!("{}. ", one.rank)).external(&one.title).text(year)
    });
    let further: Vec<Line> = further.collect();
    if !further.is_empty() {
        blocks.push(Block::Fold {
            title: "Further papers, in order".to_owned(),
            blocks: vec![Block::list(further)],
            markdown: InMarkdown::Shown,
        });
    }
    let aside = report.set_aside.iter();
    blocks.extend(excluded(
        aside.map(|one| (one.title.as_str(), shown::set_aside(one.reason))),
    ));
    blocks
}

fn work(one: &IdeaWork) -> Entry {
    let names: Vec<&str> = one.work.authors.iter().map(|author| author.name.as_str()).collect();
    let facts = match names.is_empty() {
        true => Line::default(),
        false => Line::foreign(&names.join(", ")).text(". "),
    };
    // A short abstract has few sentences, so one passage often serves several facets.
    let mut printed: Vec<_> = one.passage.iter().map(|passage| passage.span()).collect();
    let facets = one.facets.iter().flat_map(|facet| {
        let line = Line::default().strong(facet.facet.name()).text(": ");
        let line = line.append(label(facet, shown::status(facet).to_owned()));
        let line = line.text(" ").note(format!("({})", shown::basis(facet)));
        // Passages that are not similar on the facet are not shown.
        let passage = facet.passage.as_ref().filter(|_| shown::is_near(facet));
        let is_printed = passage.is_some_and(|passage| printed.contains(&passage.span()));
        printed.extend(passage.map(|passage| passage.span()));
        let line = match is_printed {
            true => line.text(" ").note("The passage is printed above."),
            false => line,
        };
        let passage = passage.filter(|_| !is_printed);
        let passage = passage.map(|passage| Block::Quote {
            who: Line::default().cite(&one.alias, one.number),
            label: None,
            quote: Passage::of(passage),
            signed: false,
        });
        [Some(Block::paragraph(line)), passage].into_iter().flatten()
    });
    let best = one.passage.as_ref().map(|passage| {
        let quote = Block::Quote {
            who: Line::default().cite(&one.alias, one.number),
            label: None,
            quote: Passage::of(passage),
            signed: false,
        };
        [Block::paragraph(Line::default().strong("Most similar passage")), quote]
    });
    let summary = one.work.summary.as_deref().filter(|text| !text.trim().is_empty());
    let summary = summary.map(|text| Block::Fold {
        title: "Abstract".to_owned(),
        blocks: vec![Block::paragraph(Line::foreign(text))],
        markdown: InMarkdown::Shown,
    });
    let blocks = best.into_iter().flatten().chain(facets).chain(summary);
    Entry {
        id: format!("work-{}", one.number),
        title: Line::default()
            .and(Span::Named(one.alias.clone(), one.number))
            .text(" ")
            .title(&one.work.title, one.work.url.as_deref()),
        facts: facts.text(shown::facts(one)),
        blocks: blocks.collect(),
    }
}

fn search(report: &IdeaAssessment) -> Vec<Block> {
    let mut blocks = all_limits(LIMITS, &words::limits(&report.metadata));
    let selection = shown::ranking(report).into_iter();
    blocks.extend(selection.map(|line| Block::paragraph(Line::of(line))));
    let queries: Vec<Line> = report
        .metadata
        .queries
        .iter()
        .map(|one| Line::foreign(&one.text))
        .collect();
    if !queries.is_empty() {
        blocks.push(Block::Heading(3, Line::of("Queries")));
        blocks.push(Block::list(queries));
    }
    blocks.extend(sent(&report.metadata.sent));
    blocks
}
