//! The table of a batch of reviews: as a page and as CSV.

use std::cmp::Reverse;

use precedent_domain::{
    ConfidenceLevel, DimensionScore, EvidenceKind, IdeaReview, KnowledgePiece, KnowledgeRole, ReviewDecision,
};
use serde::Serialize;

use super::{levels, shown};
use crate::batch::csv::cell;
use crate::blocks::{Block, Column, Line, ReportPage, Row, Section, Span, TableKind, html};
use crate::plain::{open_link, without_paths};
use crate::{ClaimLevel, HtmlRenderer, Renderer as _, ReportError, words};

/// Columns of the CSV before those of the dimensions, and after them.
const FIRST: [&str; 6] = ["line", "id", "status", "decision", "score", "confidence"];
const LAST: [&str; 6] = ["closest", "closest_id", "closest_year", "same_text", "level", "error"];

/// One idea of a batch of reviews.
#[derive(Debug)]
#[non_exhaustive]
pub struct ReviewLine {
    /// Line in the input, from 1.
    pub line: usize,
    /// Its id as text; empty if it has none.
    pub id: String,
    /// What the review found, or why there is none, without local paths.
    pub outcome: Result<ReviewFound, String>,
}

/// What the review of one idea found, in short.
#[derive(Debug)]
pub struct ReviewFound {
    /// The title of the idea, or else its first words.
    pub begins: String,
    /// Whether a model was used.
    pub by_model: bool,
    /// The decision; absent without a usable answer of the chair.
    pub decision: Option<ReviewDecision>,
    /// The score, 0 to 10; absent if the decision is.
    pub score: Option<f64>,
    /// The confidence in the decision; absent if the decision is, and in reviews of versions without levels.
    pub confidence: Option<ConfidenceLevel>,
    /// Mean score of each dimension.
    pub dimensions: Vec<DimensionMean>,
    /// The closest earlier document.
    pub closest: Option<ClosestDocument>,
    /// Whether model calls of the review failed.
    pub incomplete: bool,
}

/// The mean score of a dimension.
#[derive(Debug)]
pub struct DimensionMean {
    /// Its id.
    pub id: String,
    /// Its name.
    pub name: String,
    /// The mean over the readers.
    pub mean: f64,
}

/// The closest earlier document of a review.
#[derive(Debug, Clone, Serialize)]
pub struct ClosestDocument {
    /// The id of its record.
    pub id: String,
    /// Its title.
    pub title: String,
    /// Its year.
    pub year: Option<u16>,
    /// Its address.
    pub url: Option<String>,
    /// Whether it contains nearly the same text as the idea.
    pub same_text: bool,
    /// Its level: the highest over the parts of the idea. `None` with nearly the same text, because then no part is compared.
    pub level: Option<ClaimLevel>,
}

impl ReviewFound {
    /// The table's fields of a review.
    #[must_use]
    pub fn of(review: &IdeaReview) -> Self {
        let meta = review.meta.as_ref();
        // The chair's answer may be unusable. The readers' scores are known without it.
        let ids = review.dimensions.iter().map(|one| one.id.as_str());
        let scores = DimensionScore::of_board(ids, &review.board);
        let name = |id: &str| {
            review
                .dimensions
                .iter()
                .find(|one| one.id == id)
                .map(|one| one.name.clone())
        };
        Self {
            begins: shown::review_title(review),
            by_model: shown::by_model(review),
            decision: meta.map(|meta| meta.decision),
            score: meta.map(|meta| meta.score),
            confidence: meta.and_then(|meta| Some(meta.decision_confidence.as_ref()?.level)),
            dimensions: scores
                .into_iter()
                .map(|one| DimensionMean {
                    name: name(&one.dimension).unwrap_or_default(),
                    id: one.dimension,
                    mean: one.mean,
                })
                .collect(),
            closest: closest(review).map(|piece| ClosestDocument {
                id: piece.work.id.to_string(),
                title: piece.work.title.clone(),
                year: piece.work.year(),
                url: piece.work.url.as_deref().and_then(open_link),
                same_text: piece.own,
                level: (!piece.own).then(|| levels::level_of_document(review, piece)),
            }),
            incomplete: words::incomplete(&review.metadata).is_some(),
        }
    }
}

/// A paper with nearly the same text that is not certainly later. Otherwise the earlier document whose level is highest. Of several, the one that makes
/// most statements nearly word for word, and then the one most similar to the whole idea.
fn closest(review: &IdeaReview) -> Option<&KnowledgePiece> {
    let not_later = |one: &&KnowledgePiece| one.role != KnowledgeRole::Suggests;
    let mut papers = review.knowledge.iter().filter(not_later);
    if let Some(same) = papers.find(|one| one.own && one.kind == EvidenceKind::Literature) {
        return Some(same);
    }
    let closeness = |piece: &KnowledgePiece| {
        let of_it = review.grounding.iter().filter(|one| one.piece == piece.number);
        let repeated: usize = of_it.map(|one| one.repeated().count()).sum();
        (levels::level_of_document(review, piece), Reverse(repeated))
    };
    let earlier = review.knowledge.iter();
    let earlier = earlier.filter(|one| one.role == KnowledgeRole::Grounds && !one.own);
    let with_closeness = earlier.map(|one| (closeness(one), one));
    // The first of several that are equal.
    let best = with_closeness.min_by(|(a, one), (b, other)| a.cmp(b).then(other.score.total_cmp(&one.score)));
    best.map(|(_, piece)| piece)
}

impl ReviewLine {
    /// A line. Local paths in the reason for a failure are replaced.
    #[must_use]
    pub fn new(line: usize, id: String, outcome: Result<ReviewFound, String>) -> Self {
        Self {
            line,
            id,
            outcome: outcome.map_err(|why| without_paths(&why)),
        }
    }

    /// `done`, `incomplete` or `failed`.
    #[must_use]
    pub fn status(&self) -> &'static str {
        match &self.outcome {
            Ok(found) if found.incomplete => "incomplete",
            Ok(_) => "done",
            Err(_) => "failed",
        }
    }

    fn name(&self) -> String {
        match self.id.is_empty() {
            true => format!("line {}", self.line),
            false => self.id.clone(),
        }
    }
}

/// Whether any idea has a decision or a score.
fn is_judged(lines: &[ReviewLine]) -> bool {
    let found = |one: &ReviewLine| {
        let found = one.outcome.as_ref().ok()?;
        Some(found.decision.is_some() || !found.dimensions.is_empty())
    };
    lines.iter().filter_map(found).any(|judged| judged)
}

/// Says that no idea has scores, and why if no model was used.
fn without_scores(lines: &[ReviewLine]) -> &'static str {
    let mut reviews = lines.iter().filter_map(|one| one.outcome.as_ref().ok()).peekable();
    let is_known = reviews.peek().is_some();
    if is_judged(lines) {
        ""
    } else if is_known && reviews.all(|one| !one.by_model) {
        " No idea has scores, because judging needs a model."
    } else {
        " No idea has scores."
    }
}

/// The dimensions of all reviews, in the order of the first that has them.
fn dimensions(lines: &[ReviewLine]) -> Vec<(String, String)> {
    let mut all: Vec<(String, String)> = Vec::new();
    for one in lines
        .iter()
        .filter_map(|one| one.outcome.as_ref().ok())
        .flat_map(|one| &one.dimensions)
    {
        if !all.iter().any(|(id, _)| *id == one.id) {
            all.push((one.id.clone(), one.name.clone()));
        }
    }
    all
}

fn mean(found: Option<&ReviewFound>, id: &str) -> Option<f64> {
    let mut all = found.into_iter().flat_map(|found| &found.dimensions);
    all.find(|one| one.id == id).map(|one| one.mean)
}

fn confidence(found: Option<&ReviewFound>) -> &'static str {
    let level = found.and_then(|found| found.confidence);
    level.map_or("", ConfidenceLevel::name)
}

/// One row for each idea, as CSV: RFC 4180, in UTF-8.
#[must_use]
pub fn review_table_csv(lines: &[ReviewLine]) -> String {
    let dimensions = dimensions(lines);
    let ids = dimensions.iter().map(|(id, _)| id.as_str());
    let head: Vec<String> = FIRST.into_iter().chain(ids).chain(LAST).map(cell).collect();
    // With this mark, spreadsheets read the file as UTF-8.
    let mut out = format!("\u{feff}{}\r\n", head.join(","));
    for one in lines {
        let found = one.outcome.as_ref().ok();
        let closest = found.and_then(|found| found.closest.as_ref());
        let score = |score: Option<f64>| score.map(shown::score).unwrap_or_default();
        let mut cells = vec![
            one.line.to_string(),
            one.id.clone(),
            one.status().to_owned(),
            found
                .and_then(|found| found.decision)
                .map_or("", ReviewDecision::name)
                .to_owned(),
            score(found.and_then(|found| found.score)),
            confidence(found).to_owned(),
        ];
        cells.extend(dimensions.iter().map(|(id, _)| score(mean(found, id))));
        cells.extend([
            closest.map_or_else(String::new, |one| one.title.clone()),
            closest.map_or_else(String::new, |one| one.id.clone()),
            closest
                .and_then(|one| one.year)
                .map_or_else(String::new, |year| year.to_string()),
            closest.map_or_else(String::new, |one| one.same_text.to_string()),
            closest
                .and_then(|one| one.level)
                .map_or("", ClaimLevel::label)
                .to_owned(),
            one.outcome.as_ref().err().cloned().unwrap_or_default(),
        ]);
        let cells: Vec<String> = cells.iter().map(|one| cell(one)).collect();
        out.push_str(&cells.join(","));
        out.push_str("\r\n");
    }
    out
}

/// The table as a page. `linked` says whether the page of each review is beside it.
///
/// # Errors
/// If the page cannot be rendered; never because of the content of an idea.
pub fn review_table_html(lines: &[ReviewLine], linked: bool) -> Result<Vec<u8>, ReportError> {
    let failed = lines.iter().filter(|one| one.outcome.is_err()).count();
    let lead = format!(
        "{}, {} without a review.{} Select the head of a column to sort the table.",
        words::count(lines.len(), "idea", "ideas"),
        words::thousands(failed),
        without_scores(lines)
    );
    let page = ReportPage {
        title: "Reviews of ideas".to_owned(),
        about: "reviews",
        kind: "Reviews of many ideas",
        byline: Vec::new(),
        warnings: incomplete_reviews(lines),
        sections: vec![Section::findings(
            "table",
            "Ideas",
            vec![Block::paragraph(Line::of(lead)), table(lines, linked)],
        )],
        disclaimer: String::new(),
    };
    html(&page, HtmlRenderer.format())
}

/// Says for how many ideas answers of the model are missing.
fn incomplete_reviews(lines: &[ReviewLine]) -> Vec<Block> {
    let of_reviews = |one: &&ReviewLine| one.outcome.as_ref().is_ok_and(|found| found.incomplete);
    match lines.iter().filter(of_reviews).count() {
        0 => Vec::new(),
        count => {
            let ideas = words::count(count, "idea", "ideas");
            let wording = format!("Incomplete: the model did not answer everything for {ideas}. Each report says why.");
            vec![Block::Warning(Line::default().strong(wording), Vec::new())]
        }
    }
}

fn table(lines: &[ReviewLine], linked: bool) -> Block {
    let (dimensions, is_judged) = (dimensions(lines), is_judged(lines));
    let mut head = ["Idea", "Status", "Closest earlier document", "Its level"]
        .map(Column::of)
        .to_vec();
    if is_judged {
        head.extend([
            Column::of("Decision"),
            Column::number("Score"),
            Column::of("Confidence"),
        ]);
        head.extend(dimensions.iter().map(|(_, name)| Column::number(name)));
    }
    let row = |one: &ReviewLine| {
        let found = one.outcome.as_ref().ok();
        let closest = found.and_then(|found| found.closest.as_ref());
        let score = |score: Option<f64>| Line::of(score.map(shown::score).unwrap_or_default());
        let name = match linked && found.is_some() {
            true => Line::default().page(&one.name(), &format!("review-{}.html", one.line)),
            false => Line::foreign(&one.name()),
        };
        let mut cells = vec![
            match found {
                Some(found) => name.text(" ").external(&found.begins),
                None => name,
            },
            match &one.outcome {
                Ok(_) => Line::of(one.status()),
                Err(why) => Line::of("failed: ").external(why),
            },
            closest.map_or_else(Line::default, document),
            closest.map_or_else(Line::default, level),
        ];
        if is_judged {
            cells.extend([
                Line::of(found.and_then(|found| found.decision).map_or("", ReviewDecision::name)),
                score(found.and_then(|found| found.score)),
                Line::of(confidence(found)),
            ]);
            cells.extend(dimensions.iter().map(|(id, _)| score(mean(found, id))));
        }
        Row { id: None, cells }
    };
    Block::Table {
        label: "Table of reviews".to_owned(),
        kind: TableKind::Sortable,
        head,
        rows: lines.iter().map(row).collect(),
        most: usize::MAX,
    }
}

/// The title of the closest document, with its year.
fn document(closest: &ClosestDocument) -> Line {
    let line = Line::default().title(&closest.title, closest.url.as_deref());
    match closest.year {
        Some(year) => line.text(" ").note(format!("({year})")),
        None => line,
    }
}

/// The level of the closest document, or that it has nearly the same text.
fn level(closest: &ClosestDocument) -> Line {
    let chip = |level: ClaimLevel, label: &str| Line::default().and(Span::Chip(level.key(), label.to_owned()));
    match closest.level {
        _ if closest.same_text => chip(ClaimLevel::Anticipated, shown::SAME_TEXT),
        Some(level) => chip(level, level.label()),
        None => Line::default(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(line: usize, id: &str, score: f64) -> ReviewLine {
        ReviewLine {
            line,
            id: id.to_owned(),
            outcome: Ok(ReviewFound {
                begins: "Ropes that <u>listen</u>".to_owned(),
                by_model: true,
                decision: Some(ReviewDecision::Poster),
                score: Some(score),
                confidence: Some(ConfidenceLevel::Medium),
                dimensions: vec![DimensionMean {
                    id: "novelty".to_owned(),
                    name: "Novelty".to_owned(),
                    mean: 5.5,
                }],
                closest: Some(ClosestDocument {
                    id: "corpus:1".to_owned(),
                    title: "=Ropes <b>bend</b>".to_owned(),
                    year: Some(2020),
                    url: Some("https://example.org/a".to_owned()),
                    same_text: false,
                    level: Some(ClaimLevel::Similar),
                }),
                incomplete: false,
            }),
        }
    }

    #[test]
    fn the_table_has_a_row_for_each_idea_and_escapes_words() {
        let failed = ReviewLine::new(
            2,
            String::new(),
            Err("failed to read line 2: /home/someone/x".to_owned()),
        );
        let lines = [line(1, "<i>a</i>", 6.4), failed];
        let csv = review_table_csv(&lines);
        let rows: Vec<&str> = csv.lines().collect();
        assert_eq!(
            rows[0],
            "\u{feff}\"line\",\"id\",\"status\",\"decision\",\"score\",\"confidence\",\"novelty\",\"closest\",\"closest_id\",\"closest_year\",\"same_text\",\"level\",\"error\""
        );
        assert_eq!(
            rows[1],
            "\"1\",\"<i>a</i>\",\"done\",\"poster\",\"6.4\",\"medium\",\"5.5\",\"'=Ropes <b>bend</b>\",\"corpus:1\",\"2020\",\"false\",\"Similar: needs review\",\"\""
        );
        assert!(
            rows[2].starts_with("\"2\",\"\",\"failed\",\"\",\"\",\"\",\"\""),
            "{csv}"
        );
        assert!(
            rows[2].contains("failed to read line 2") && !csv.contains("/home/someone"),
            "{csv}"
        );
        let page = String::from_utf8(review_table_html(&lines, true).unwrap()).unwrap();
        assert!(page.contains("class=\"sortable index\"") && page.contains("href=\"review-1.html\""));
        assert!(!page.contains("<b>bend") && !page.contains("<i>a") && !page.contains("/home/someone"));
        assert!(page.contains("2 ideas, 1 without a review") && page.contains(">medium<"));
        assert!(page.contains("Ropes that &lt;u&gt;listen"), "{page}");
        let alone = String::from_utf8(review_table_html(&lines, false).unwrap()).unwrap();
        assert!(!alone.contains("review-1.html"));
        let mut unjudged = line(1, "a", 0.0);
        if let Ok(found) = &mut unjudged.outcome {
            (found.decision, found.score, found.confidence) = (None, None, None);
            found.dimensions.clear();
        }
        let page = |lines: &[ReviewLine]| String::from_utf8(review_table_html(lines, true).unwrap()).unwrap();
        let with_model = page(std::slice::from_ref(&unjudged));
        assert!(with_model.contains("No idea has scores. Select") && !with_model.contains("Decision"));
        if let Ok(found) = &mut unjudged.outcome {
            found.by_model = false;
        }
        assert!(page(&[unjudged]).contains("because judging needs a model"));
        let failed = ReviewLine::new(1, String::new(), Err("failed to read line 1".to_owned()));
        assert!(page(&[failed]).contains("No idea has scores. Select"));
    }
}
