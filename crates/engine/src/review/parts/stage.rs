use precedent_domain::{Document, IdeaPart, Note, Paper, PartStatement, QuotableDocument, ReviewedIdea};
use precedent_language::wording::Names;
use serde::{Deserialize, Serialize};

use super::super::material::ReviewInput;
use super::super::model;
use super::super::questions::PartsReading;
use super::cues::may_state;
use super::{from_idea, from_paper};
use crate::compare::summary_of_target;
use crate::extract::extract_up_to;
use crate::world::Stage;
use crate::{Result, World};

const STAGE: Stage = Stage {
    name: "review.parts",
    version: 3,
};
/// Contributions of a paper that are used for its parts.
const CONTRIBUTIONS: usize = 5;

/// The input of a review, read.
#[derive(Debug, Clone)]
pub(crate) struct Subject<'a> {
    /// The idea, part by part.
    pub(crate) idea: ReviewedIdea,
    /// The paper, if the idea comes from one.
    pub(crate) paper: Option<&'a Paper>,
    /// Short form of the whole: an idea's text, or a paper's title and abstract; without an abstract, the start of its text.
    pub(crate) summary: String,
    /// Names that the idea coined, in lower case. No query contains one.
    pub(crate) coined: Vec<String>,
    /// Abbreviations with their expansions.
    pub(crate) abbreviations: Vec<(String, String)>,
    /// Search phrases for the topic, most significant first; only for a paper.
    pub(crate) topics: Vec<String>,
    /// Notes on what was dropped or replaced.
    pub(crate) notes: Vec<Note>,
}

/// The cached result of reading.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct CachedReading {
    reading: PartsReading,
    title: String,
    coined: Vec<String>,
    abbreviations: Vec<(String, String)>,
    topics: Vec<String>,
}

/// Splits the input into parts, by rule and by the analyst.
///
/// # Errors
/// When the analyst cannot be called, or the ledger fails.
pub(crate) async fn read<'a>(input: &'a ReviewInput, world: &World) -> Result<Subject<'a>> {
    let document = match input {
        ReviewInput::Idea(idea) => idea.document(),
        ReviewInput::Paper(paper) => paper.document.clone(),
    };
    let paper = match input {
        ReviewInput::Paper(paper) => Some(paper.as_ref()),
        ReviewInput::Idea(_) => None,
    };
    let key = (&document.text, paper.map(|paper| (&paper.origin.sha256, &paper.title)));
    let read: CachedReading = world.stage(STAGE, &key, compute(paper, &document, world)).await?;
    let summary = match paper {
        Some(paper) => format!("{}. {}", read.title, summary_of_target(paper)),
        None => document.text.clone(),
    };
    let statements = numbered(read.reading.statements);
    let missing = missing(&statements, &document);
    Ok(Subject {
        idea: ReviewedIdea {
            title: read.title,
            missing,
            statements,
            document,
        },
        paper,
        summary,
        coined: read.coined,
        abbreviations: read.abbreviations,
        topics: read.topics,
        notes: read.reading.notes,
    })
}

async fn compute(paper: Option<&Paper>, document: &Document, world: &World) -> Result<CachedReading> {
    let mut read = match paper {
        Some(paper) => of_paper(paper).await?,
        None => of_idea(document),
    };
    let own = bounded(std::mem::take(&mut read.reading), document);
    let shown = ReviewedIdea {
        title: read.title.clone(),
        document: document.clone(),
        statements: numbered(own.statements.clone()),
        missing: Vec::new(),
    };
    let read_by_model = match &world.model {
        None => own,
        Some(model) => model::read_parts(model, &shown, own).await?,
    };
    read.reading = bounded(read_by_model, document);
    Ok(read)
}

/// The parts of an idea as the rules read them, without a model.
#[must_use]
pub fn idea_parts(document: &Document) -> ReviewedIdea {
    let read = of_idea(document);
    let statements = numbered(bounded(read.reading, document).statements);
    ReviewedIdea {
        title: read.title,
        missing: missing(&statements, document),
        statements,
        document: document.clone(),
    }
}

/// The parts that have no statement and that no sentence of the idea or paper may state; none if a sentence could not be assigned to a part.
fn missing(statements: &[PartStatement], document: &Document) -> Vec<IdeaPart> {
    let has = |part: IdeaPart| statements.iter().any(|one| one.part == part);
    if has(IdeaPart::Unclassified) {
        return Vec::new();
    }
    let is_missing =
        |part: &IdeaPart| *part != IdeaPart::Unclassified && !has(*part) && !may_state(*part, &document.text);
    IdeaPart::ALL.into_iter().filter(is_missing).collect()
}

fn of_idea(document: &Document) -> CachedReading {
    let (title, statements) = from_idea::parts(document);
    let all = precedent_text::sentences(&document.text);
    let names = Names::of(&title, all.iter().filter_map(|span| span.slice(&document.text)));
    let (abbreviations, coined) = names.listed();
    CachedReading {
        reading: PartsReading {
            statements,
            notes: Vec::new(),
        },
        title,
        coined,
        abbreviations,
        topics: Vec::new(),
    }
}

async fn of_paper(paper: &Paper) -> Result<CachedReading> {
    let extraction = extract_up_to(paper, CONTRIBUTIONS, None, false).await?;
    let mut topics: Vec<String> = Vec::new();
    if let Some(task) = &extraction.core_task {
        topics.push(task.phrase.clone());
        topics.extend(task.alternatives.iter().take(2).cloned());
    }
    let of_claims = extraction.contributions.iter().filter_map(|one| one.topics.first());
    topics.extend(of_claims.cloned());
    Ok(CachedReading {
        reading: PartsReading {
            statements: from_paper::parts(paper, &extraction),
            notes: Vec::new(),
        },
        title: paper.title.clone().unwrap_or_default(),
        coined: extraction.coined,
        abbreviations: extraction.abbreviations,
        topics,
    })
}

/// Sorts the statements by part, limits their number per part, and drops those whose quote is not in the text.
fn bounded(mut reading: PartsReading, document: &Document) -> PartsReading {
    reading
        .statements
        .retain(|one| one.quote.is_in(document) && !one.statement.trim().is_empty());
    reading.statements.sort_by_key(|one| one.part);
    let mut kept: Vec<PartStatement> = Vec::new();
    let mut cut = 0;
    for one in reading.statements {
        let same = |other: &PartStatement| other.statement == one.statement && other.part == one.part;
        let count = kept.iter().filter(|other| other.part == one.part).count();
        if kept.iter().any(same) {
            continue;
        }
        match count < from_paper::most(one.part) {
            true => kept.push(one),
            false => cut += 1,
        }
    }
    if cut > 0 {
        reading.notes.push(Note::StatementsLeftOut { statements: cut });
    }
    PartsReading {
        statements: kept,
        notes: reading.notes,
    }
}

fn numbered(statements: Vec<PartStatement>) -> Vec<PartStatement> {
    (1..)
        .zip(statements)
        .map(|(number, one)| PartStatement { number, ..one })
        .collect()
}

impl Subject<'_> {
    /// The statements of a part as one text.
    pub(crate) fn text_of(&self, part: IdeaPart) -> String {
        let of = self.idea.statements.iter().filter(|one| one.part == part);
        of.map(|one| one.statement.as_str()).collect::<Vec<_>>().join(" ")
    }

    /// The parts with at least one statement, in order.
    pub(crate) fn parts(&self) -> Vec<IdeaPart> {
        let all = IdeaPart::ALL.into_iter();
        all.filter(|part| self.idea.statements.iter().any(|one| one.part == *part))
            .collect()
    }

    /// The text, prepared for quoting.
    pub(crate) fn quotable(&self) -> QuotableDocument {
        QuotableDocument::new(self.idea.document.clone())
    }
}
