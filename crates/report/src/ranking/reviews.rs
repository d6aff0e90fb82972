//! The reviews that a ranking is based on, and what they say about two ideas.

use std::collections::BTreeSet;

use precedent_domain::{
    GroupRanking, GroupedIdea, KnowledgeRole, OrderAsked, PairComparison, PairSection, PairStatement, RankedEvidence,
    ReviewOfIdea,
};

use crate::blocks::{Block, InMarkdown, Line, Section, Span, Tone};
use crate::passage::Passage;
use crate::review::{levels, shown};
use crate::words;

/// How many limits of a review are shown. Its own report lists all.
const LIMITS: usize = 5;

/// The comparison of two ideas, and each idea with its review; nothing if the judge saw only the texts.
pub(super) fn sections(ranking: &GroupRanking) -> Vec<Section> {
    if ranking.ideas.iter().all(|one| one.review.is_none()) {
        return Vec::new();
    }
    let mut sections = Vec::new();
    if let [_, _] = ranking.ideas.as_slice() {
        sections.push(Section::shown("comparison", "Comparison", comparison(ranking)));
    }
    let cited = cited(ranking);
    let ideas = ranking.ideas.iter().map(|one| idea(ranking, one, &cited));
    sections.push(Section::shown("ideas", "The ideas and their evidence", ideas.collect()).labelled("Ideas"));
    sections
}

/// Prose of the judge, with its citations of documents.
pub(super) fn prose(ranking: &GroupRanking, text: &str) -> Line {
    Line::prose(text, |number| ranking.evidence.iter().any(|one| one.number == number))
}

fn comparison(ranking: &GroupRanking) -> Vec<Block> {
    let Some(found) = &ranking.comparison else {
        return vec![Block::empty(
            "No comparison: there is no evidence to cite, the policy prints no sentence of a model, or no answer was usable.",
        )];
    };
    let of_section = |section: &PairSection| found.statements.iter().any(|one| one.section == *section);
    let sections = PairSection::ALL.into_iter().filter(of_section);
    let mut blocks: Vec<Block> = sections
        .flat_map(|section| {
            let name = words::sentence(section.name());
            [
                Block::Heading(3, Line::of(name.trim_end_matches('.'))),
                Block::list(statements(ranking, found, section)),
            ]
        })
        .collect();
    let dropped = match found.dropped {
        0 => String::new(),
        some => format!(
            " {} dropped. Possible causes: no citation of a document that may decide; words, figures or addresses that are in none of the documents cited; a score or a decision; too many or too long statements.",
            words::count(some, "statement was", "statements were")
        ),
    };
    blocks.push(Block::Paragraph(
        Tone::Fine,
        Line::of(format!(
            "Written by the judge from the reviews. Each statement cites evidence, and none decides the ranking.{dropped}"
        )),
    ));
    blocks
}

fn statements(ranking: &GroupRanking, found: &PairComparison, section: PairSection) -> Vec<Line> {
    let line = |one: &PairStatement| {
        let about = one
            .idea
            .and_then(|number| ranking.ideas.iter().find(|idea| idea.number == number));
        let line = match about {
            Some(idea) => Line::default()
                .link(format!("Idea {}", idea.number), anchor(idea))
                .text(" (")
                .external(&idea.name)
                .text("): "),
            None => Line::default(),
        };
        let line = line.append(prose(ranking, &one.text)).text(" ");
        let documents = one.evidence.iter();
        let documents = documents.filter_map(|number| ranking.evidence.iter().find(|known| known.number == *number));
        let line = documents.enumerate().fold(line, |line, (at, known)| {
            let line = line.note(if at > 0 { ", " } else { "(from " });
            line.cite(&known.piece.alias, known.number)
        });
        line.note(if one.evidence.is_empty() { "" } else { ")" })
    };
    found
        .statements
        .iter()
        .filter(|one| one.section == section)
        .map(line)
        .collect()
}

/// The documents that something in the report cites.
fn cited(ranking: &GroupRanking) -> BTreeSet<u32> {
    let more = ranking.length_check.iter().flat_map(|check| &check.orders);
    let answers = ranking.orders.iter().chain(more);
    let answers = answers.filter_map(|one: &OrderAsked| one.answer.as_ref());
    let reasons = answers.flat_map(|one| one.dimensions.iter().map(|own| &own.reason).chain([&one.reason]));
    let summaries = ranking.ideas.iter().filter_map(|one| one.review.as_ref());
    let texts = reasons.chain(summaries.map(|review| &review.summary));
    let numbers = texts.flat_map(|text| {
        let line = prose(ranking, text);
        let numbers = line.spans().iter().filter_map(|span| match span {
            Span::Number { number, .. } => Some(*number),
            _ => None,
        });
        numbers.collect::<Vec<_>>()
    });
    let statements = ranking.comparison.iter().flat_map(|one| &one.statements);
    let statements = statements.flat_map(|one| one.evidence.iter().copied());
    numbers.chain(statements).collect()
}

fn anchor(idea: &GroupedIdea) -> String {
    format!("idea-{}", idea.number)
}

/// An idea with the scores of its review, the documents that the report cites, and the others that the judge saw.
fn idea(ranking: &GroupRanking, one: &GroupedIdea, cited: &BTreeSet<u32>) -> Block {
    let mut blocks = Vec::new();
    if let Some(review) = &one.review {
        blocks.extend(of_review(ranking, one, review));
    }
    let of_idea = ranking.evidence.iter().filter(|known| known.idea == one.number);
    let (first, others): (Vec<&RankedEvidence>, Vec<&RankedEvidence>) =
        of_idea.partition(|known| cited.contains(&known.number));
    blocks.push(Block::Heading(4, Line::of("Evidence cited")));
    if first.is_empty() {
        blocks.push(Block::empty("Nothing in this report cites a document of this idea."));
    }
    blocks.extend(first.into_iter().map(document));
    if !others.is_empty() {
        blocks.push(Block::Fold {
            title: format!(
                "{} that the judge saw",
                words::count(others.len(), "more document", "more documents")
            ),
            blocks: others.into_iter().map(document).collect(),
            markdown: InMarkdown::Shown,
        });
    }
    Block::Article {
        id: anchor(one),
        above: String::new(),
        title: Line::of(format!("Idea {}: ", one.number)).external(&one.name),
        sides: false,
        blocks,
    }
}

fn of_review(ranking: &GroupRanking, one: &GroupedIdea, review: &ReviewOfIdea) -> Vec<Block> {
    let mut blocks = Vec::new();
    if !review.same_text.is_empty() {
        let titles: Vec<String> = review.same_text.clone();
        let same = Line::default().strong("Nearly the same text was found:").text(" ");
        blocks.push(Block::paragraph(same.external(&words::and_list(&titles)).text(
            ". If it is not your own, the idea is not new. It is not compared with the idea.",
        )));
    }
    let scores = match (review.score, review.decision) {
        (Some(score), Some(decision)) => {
            let confidence = review.confidence.map(|level| format!(" ({} confidence)", level.name()));
            let (score, confidence) = (shown::score(score), confidence.unwrap_or_default());
            format!("Review: {score} of 10, {}{confidence}.", decision.name())
        }
        _ => "Review: no score, because the readers or the chair gave no usable answer.".to_owned(),
    };
    let cutoff = match &review.metadata.as_of {
        Some(as_of) => format!("Cutoff date {}.", as_of.date),
        None => "No cutoff date, so everything found counts as earlier.".to_owned(),
    };
    blocks.push(Block::paragraph(Line::of(format!(
        "{scores} {} found. {cutoff} The full review is in the files review-{} of this run.",
        words::count(review.documents, "document was", "documents were"),
        one.number
    ))));
    let row = |score: &precedent_domain::DimensionScore| {
        let named = ranking.dimensions.iter().find(|known| known.id == score.dimension);
        vec![
            Line::foreign(named.map_or(score.dimension.as_str(), |known| known.name.as_str())),
            Line::of(shown::score(score.mean)),
            Line::of(format!(
                "{} to {}",
                shown::score(score.lowest),
                shown::score(score.highest)
            )),
            Line::of(score.readers),
        ]
    };
    if !review.dimensions.is_empty() {
        blocks.push(Block::table(
            &format!("Scores of idea {}", one.number),
            &["Dimension", "Mean", "Spread", "Readers"],
            review.dimensions.iter().map(row).collect(),
        ));
    }
    if !review.summary.is_empty() {
        blocks.push(Block::Paragraph(Tone::Prose, prose(ranking, &review.summary)));
    }
    let limits = words::limits(&review.metadata);
    if !limits.is_empty() {
        let first = limits.iter().take(LIMITS).map(|one| Line::message(one));
        blocks.push(Block::Fold {
            title: format!(
                "Not searched, read or judged: {}",
                words::count(limits.len(), "limit", "limits")
            ),
            blocks: vec![Block::list(first.collect())],
            markdown: InMarkdown::Shown,
        });
    }
    blocks
}

/// A document with the quotes that the judge saw.
fn document(one: &RankedEvidence) -> Block {
    let piece = &one.piece;
    let who = Line::default()
        .and(Span::Named(piece.alias.clone(), one.number))
        .text(" ");
    let who = who.title(&piece.work.title, piece.work.url.as_deref());
    let mut blocks = Vec::new();
    for grounding in &one.groundings {
        blocks.extend(grounding.evidence.iter().map(|evidence| Block::Quote {
            who: who.clone(),
            label: Some(levels::evidence_label(evidence, grounding)),
            quote: Passage::of(&evidence.quote),
            signed: false,
        }));
        let about = format!("on the {}; {}", grounding.part.name(), levels::weight(grounding));
        blocks.push(Block::Paragraph(Tone::Fine, Line::of(words::sentence(&about))));
    }
    if piece.role != KnowledgeRole::Grounds {
        let marked = "It is not certain that it is earlier than the idea, so it decides nothing.";
        blocks.push(Block::Paragraph(Tone::Fine, Line::of(marked)));
    }
    Block::Passage {
        id: Some(format!("work-{}", one.number)),
        who,
        blocks,
    }
}
