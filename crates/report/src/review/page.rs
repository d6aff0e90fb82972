use precedent_domain::{
    EvidenceKind, Grounding, IdeaPart, IdeaReview, KnowledgePiece, KnowledgeQuery, KnowledgeRole, MetaReview,
    SearchRound, SuggestionGroup,
};

use super::{board, documents, levels, plot, shown};
use crate::blocks::{
    Block, Column, Entry, InMarkdown, Line, ReportPage, Row, Section, Span, TableKind, Tone, all_limits, excluded,
    first_limits, incomplete, sent,
};
use crate::passage::{Passage, without_bullet};
use crate::plain::cut_words;
use crate::{ClaimLevel, words};

/// Length of a statement in the findings, in words.
const STATEMENT: usize = 14;

const LIMITS: &str = "Not searched, read or judged";

/// The review as blocks.
pub(crate) fn compose(review: &IdeaReview) -> ReportPage {
    let mut sections = vec![Section::findings("glance", "Findings", glance(review))];
    if let Some(chart) = plot::plot(review) {
        let scores = vec![Block::Chart(Box::new(chart)), board::table(review)];
        sections.push(Section::shown("scores", "Scores", scores));
    }
    sections.push(Section::shown("parts", "The idea, part by part", parts(review)).labelled("Part by part"));
    if !review.board.is_empty() {
        let readers = review.board.iter().enumerate();
        let readers = readers.map(|(at, one)| board::reader(review, at, one));
        sections.push(Section::shown("board", "The board", readers.collect()).labelled("Board"));
    }
    if !review.suggestions.is_empty() {
        let suggestions = Section::shown("suggestions", "Suggestions from later work", suggestions(review));
        sections.push(suggestions.labelled("Suggestions"));
    }
    sections.push(
        Section::folded("knowledge", "Documents found", knowledge(review))
            .labelled("Evidence")
            .printed(),
    );
    sections.push(Section::folded("about", "About this review", about(review)).labelled("About"));
    let judge = match shown::by_model(review) {
        true => Line::of(format!("Judged by {}", review.metadata.analyst)),
        false => Line::of("No model was used"),
    };
    let mut byline = vec![judge];
    let cutoff = review.metadata.as_of.as_ref();
    byline.extend(cutoff.map(|as_of| Line::of(format!("Cutoff date {}", as_of.date))));
    ReportPage {
        warnings: incomplete(&review.metadata),
        title: shown::review_title(review),
        about: "review of an idea",
        kind: "Review of an idea, based on papers, pages and repositories",
        byline,
        sections,
        disclaimer: review.metadata.disclaimer.clone(),
    }
}

fn glance(review: &IdeaReview) -> Vec<Block> {
    let mut blocks = Vec::new();
    if let Some(same) = shown::same_text(review) {
        let chip = Span::Chip(ClaimLevel::Anticipated.key(), shown::SAME_TEXT.to_owned());
        let rest = same.strip_prefix(shown::SAME_TEXT).unwrap_or(&same);
        blocks.push(Block::Paragraph(Tone::Lead, Line::default().and(chip).external(rest)));
    }
    if let Some(one) = &review.meta {
        blocks.extend(meta(review, one));
    }
    if let Some(why) = shown::no_score(review) {
        blocks.push(Block::Paragraph(Tone::Lead, Line::of(why)));
    }
    let missing = shown::missing(review)
        .map(|text| format!(" {text}"))
        .unwrap_or_default();
    blocks.push(Block::paragraph(Line::of(counts(review)).text(missing)));
    blocks.extend(findings(review));
    blocks.push(first_limits(LIMITS, &words::limits(&review.metadata)));
    blocks
}

/// One row for each part of the idea: level, closest document and why. `None` if no part was found.
fn findings(review: &IdeaReview) -> Option<Block> {
    let row = |part: IdeaPart| {
        let first = review.idea.statements.iter().find(|one| one.part == part)?;
        let wording = cut_words(&first.statement, STATEMENT);
        let more = if wording.cut { " …" } else { "" };
        let name = words::sentence(part.name());
        let closest = levels::closest(review, part);
        let level = levels::level(review, part);
        Some(Row {
            id: None,
            cells: vec![
                Line::default()
                    .link(name.trim_end_matches('.'), anchor(part))
                    .text(": ")
                    .external(&format!("{}{more}", without_bullet(wording.text))),
                Line::default().and(Span::Chip(level.key(), level.label().to_owned())),
                closest.map_or_else(
                    || {
                        Line::default().note(match level {
                            ClaimLevel::NotCompared => "",
                            _ => "none is similar",
                        })
                    },
                    |(_, piece)| {
                        let line = match piece.role {
                            KnowledgeRole::Grounds => Line::default(),
                            _ => Line::default().strong("May not be earlier:").text(" "),
                        };
                        let line = line.cite(&piece.alias, piece.number).text(" ");
                        let line = line
                            .external(&piece.work.title)
                            .text(" ")
                            .note(format!("({})", piece.kind.name()));
                        match levels::closer(review, part) {
                            Some((_, closer)) => line
                                .text(". Closer, but may not be earlier: ")
                                .cite(&closer.alias, closer.number),
                            None => line,
                        }
                    },
                ),
                Line::of(closest.map(|(one, _)| levels::why(review, one)).unwrap_or_default()),
            ],
        })
    };
    let rows: Vec<Row> = IdeaPart::ALL.into_iter().filter_map(row).collect();
    (!rows.is_empty()).then(|| Block::Table {
        label: "Table of findings".to_owned(),
        kind: TableKind::Findings,
        head: ["Part of the idea", "Level", "Closest earlier document", "Why"]
            .map(Column::of)
            .into(),
        rows,
        most: usize::MAX,
    })
}

/// The anchor of a part.
fn anchor(part: IdeaPart) -> String {
    part.name().replace(' ', "-")
}

fn meta(review: &IdeaReview, one: &MetaReview) -> Vec<Block> {
    let decision = Span::Chip(shown::key(one.decision), shown::decided(one));
    let mut blocks = vec![
        Block::Paragraph(Tone::Lead, Line::default().and(decision)),
        Block::paragraph(
            Line::of(shown::reckoned(one))
                .text(" ")
                .append(shown::prose(review, &one.delta_reason)),
        ),
    ];
    if !one.lowered.is_empty() {
        let lowered = one.lowered.iter().map(|lowering| shown::lowering(review, lowering));
        blocks.push(Block::list(lowered.collect()));
    }
    blocks.extend(shown::confidence_limited(review, one).map(|why| Block::paragraph(Line::foreign(&why))));
    if !one.summary.is_empty() {
        blocks.push(Block::Paragraph(Tone::Prose, shown::prose(review, &one.summary)));
    }
    let key = one.key_evidence.iter();
    let key = key.filter_map(|number| shown::piece(review, *number));
    let key = key.enumerate().fold(Line::default(), |line, (at, piece)| {
        let line = line.text(if at > 0 { "; " } else { "Key evidence: " });
        line.cite(&piece.alias, piece.number)
            .text(" ")
            .title(&piece.work.title, None)
    });
    if !key.is_empty() {
        blocks.push(Block::Paragraph(Tone::Small, key));
    }
    blocks.push(Block::Paragraph(Tone::Fine, Line::of(shown::BINS)));
    blocks
}

/// The number of statements and documents, in two sentences.
fn counts(review: &IdeaReview) -> String {
    let of = |kind| review.knowledge.iter().filter(|one| one.kind == kind).count();
    let [papers, pages, repositories] = EvidenceKind::ALL.map(of);
    let not_compared = review.knowledge.iter().filter(|one| !shown::is_compared(one)).count();
    let compared = review.knowledge.len() - not_compared;
    let compared = match not_compared {
        0 => String::new(),
        _ if compared == 1 => "; 1 of them is compared with the idea".to_owned(),
        _ => format!("; {compared} of them are compared with the idea"),
    };
    format!(
        "{}. {}, {} and {} were kept{compared}.",
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

/// The parts that the idea has statements on, in order.
fn parts(review: &IdeaReview) -> Vec<Block> {
    let covered = |part: &IdeaPart| review.idea.statements.iter().any(|one| one.part == *part);
    let all = IdeaPart::ALL.into_iter().filter(covered);
    let all: Vec<Block> = all.map(|one| part(review, one)).collect();
    match all.is_empty() {
        true => vec![Block::empty("No part of the idea was found.")],
        false => all,
    }
}

fn part(review: &IdeaReview, part: IdeaPart) -> Block {
    let statements = review.idea.statements.iter().filter(|one| one.part == part);
    let mut own = vec![Block::Heading(4, Line::of("What the idea says"))];
    own.extend(statements.map(|one| {
        let line = Line::default().strong(format!("{}.", one.number)).text(" ");
        let line = match shown::says_the_same(one) {
            true => line,
            false => line
                .external(without_bullet(&one.statement))
                .and(Span::Break)
                .note("Based on")
                .text(" "),
        };
        Block::paragraph(line.quote(&Passage::whole(&one.quote)))
    }));
    let mut first: Vec<Block> = shown::of_part(review, part)
        .into_iter()
        .map(|(one, piece)| evidence(review, one, piece))
        .collect();
    let more = first.split_off(shown::AT_ONCE.min(first.len()));
    let mut theirs = vec![Block::Heading(4, Line::of("Evidence"))];
    if first.is_empty() {
        theirs.push(Block::empty(match levels::is_compared_with(review, part) {
            true => shown::NO_EVIDENCE,
            false => shown::NOT_COMPARED,
        }));
    }
    theirs.extend(first);
    if !more.is_empty() {
        theirs.push(Block::Fold {
            title: words::count(more.len(), "more document", "more documents"),
            blocks: more,
            markdown: InMarkdown::Shown,
        });
    }
    Block::Article {
        id: anchor(part),
        above: String::new(),
        title: Line::of(words::sentence(part.name()).trim_end_matches('.')),
        sides: true,
        blocks: vec![Block::Sides([own, theirs])],
    }
}

/// A document with evidence on a part.
fn evidence(review: &IdeaReview, one: &Grounding, piece: &KnowledgePiece) -> Block {
    let who = Line::default().cite(&piece.alias, piece.number).text(" ");
    let who = who.title(&piece.work.title, None);
    let quotes = one.evidence.iter().map(|evidence| Block::Quote {
        who: who.clone(),
        label: Some(levels::evidence_label(evidence, one)),
        quote: Passage::of(&evidence.quote),
        signed: false,
    });
    let mut blocks: Vec<Block> = quotes.collect();
    if !one.analysis.is_empty() {
        blocks.push(Block::paragraph(shown::prose(review, &one.analysis)));
    }
    let mut facts = vec![piece.kind.name().to_owned(), levels::weight(one)];
    let on: Vec<String> = one.statements.iter().map(u32::to_string).collect();
    match on.as_slice() {
        [] => {}
        [one] => facts.push(format!("on statement {one}")),
        many => facts.push(format!("on statements {}", words::and_list(many))),
    }
    if piece.role != KnowledgeRole::Grounds {
        facts.push("marked: may not be earlier".to_owned());
    }
    blocks.push(Block::Paragraph(
        Tone::Fine,
        Line::of(words::sentence(&facts.join("; "))),
    ));
    Block::Passage { id: None, who, blocks }
}

fn suggestions(review: &IdeaReview) -> Vec<Block> {
    let mut blocks = Vec::new();
    for group in SuggestionGroup::ALL {
        let all = review.suggestions.iter().filter(|one| one.group == group);
        let all = all.map(|one| {
            let line = shown::prose(review, &one.text).text(" ");
            let pieces = one.pieces.iter().filter_map(|number| shown::piece(review, *number));
            let line = pieces.enumerate().fold(line, |line, (at, piece)| {
                let line = line.note(if at > 0 { ", " } else { "(from " });
                line.cite(&piece.alias, piece.number)
            });
            line.note(if one.pieces.is_empty() { "" } else { ")" })
        });
        let all: Vec<Line> = all.collect();
        if !all.is_empty() {
            let name = words::sentence(group.name());
            blocks.push(Block::Heading(3, Line::of(name.trim_end_matches('.'))));
            blocks.push(Block::list(all));
        }
    }
    blocks
}

fn knowledge(review: &IdeaReview) -> Vec<Block> {
    let entries: Vec<Entry> = review
        .knowledge
        .iter()
        .map(|one| documents::entry(review, one))
        .collect();
    let mut blocks = vec![match entries.is_empty() {
        true => Block::empty("Nothing was found."),
        false => Block::entries(1, entries),
    }];
    blocks.push(Block::paragraph(Line::of(shown::search(review))));
    let rounds = &review.search.rounds;
    if rounds.is_empty() {
        return blocks;
    }
    let row = |one: &SearchRound| {
        vec![
            Line::of(one.number),
            Line::of(one.queries.len()),
            Line::of(one.results),
            Line::of(one.new),
            Line::of(one.kept),
        ]
    };
    blocks.push(Block::table(
        "Rounds of the search",
        &["Round", "Queries", "Results", "New", "Kept"],
        rounds.iter().map(row).collect(),
    ));
    let queries = rounds.iter().flat_map(|one| {
        let round = Line::of(format!("Round {}", one.number));
        let queries = one.queries.iter().map(|query| Line::foreign(&query_line(query)));
        [Block::Paragraph(Tone::Fine, round), Block::list(queries.collect())]
    });
    blocks.push(Block::Fold {
        title: "Queries".to_owned(),
        blocks: queries.collect(),
        markdown: InMarkdown::Omitted,
    });
    blocks
}

fn query_line(one: &KnowledgeQuery) -> String {
    let part = match one.part {
        Some(part) => part.name(),
        None => "whole idea",
    };
    let how = match shown::refined(one.refined) {
        "" => String::new(),
        how => format!(", {how}"),
    };
    format!("{} ({}, from the {part}{how})", one.text, one.kind.name())
}

fn about(review: &IdeaReview) -> Vec<Block> {
    let mut blocks = all_limits(LIMITS, &words::limits(&review.metadata));
    blocks.push(Block::paragraph(Line::of(shown::about(review))));
    if !review.notes.is_empty() {
        let notes = review.notes.iter().map(|note| Line::of(words::sentence(note)));
        blocks.push(Block::Heading(3, Line::of("Corrections and omissions")));
        blocks.push(Block::list(notes.collect()));
    }
    let aside = review.set_aside.iter();
    blocks.extend(excluded(
        aside.map(|one| (one.title.as_str(), shown::set_aside(one.reason))),
    ));
    blocks.extend(sent(&review.metadata.sent));
    blocks
}
