use std::collections::BTreeSet;

use precedent_domain::{IdeaPart, ListedKind, Note, PartStatement, QuotableDocument, Quote, ReviewedIdea};
use precedent_language::wording::{content_stems, without_marks, word_count};
use precedent_llm::{Check, Checks, Violation};
use precedent_text::one_line;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::Result;
use crate::model::checks::{Checked, head};
use crate::model::policy::Worded;
use crate::model::prose::Prose;
use crate::model::texts::{quoted, running_text};
use crate::model::{ModelAnalyst, checks};
use crate::review::{PartsReading, without_figures};

/// Longest statement in words, and minimum and maximum words of the quote that supports one.
const STATEMENT: usize = 60;
const WORDS: (usize, usize) = (3, 60);
/// At least one in this many content words of a statement must be in its quote. A statement that shares none was not read there.
const ONE_IN: usize = 4;
/// Maximum statements in one answer.
const MOST: usize = 40;

#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
struct PartsReply {
    statements: Vec<StatementReply>,
}

#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
struct StatementReply {
    part: PartReply,
    /// One sentence of at most 40 words.
    statement: String,
    /// Copied from the text.
    words: String,
}

/// A part as a model names it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum PartReply {
    BasicIdea,
    Motivation,
    ResearchQuestion,
    Method,
    ExperimentalSetting,
    ExpectedResults,
}

impl From<PartReply> for IdeaPart {
    fn from(reply: PartReply) -> Self {
        match reply {
            PartReply::BasicIdea => Self::BasicIdea,
            PartReply::Motivation => Self::Motivation,
            PartReply::ResearchQuestion => Self::ResearchQuestion,
            PartReply::Method => Self::Method,
            PartReply::ExperimentalSetting => Self::ExperimentalSetting,
            PartReply::ExpectedResults => Self::ExpectedResults,
        }
    }
}

#[derive(Serialize)]
struct PartsInputs {
    mark: String,
    idea: String,
}

/// Reads an idea under review part by part.
pub(crate) async fn read_parts(model: &ModelAnalyst, idea: &ReviewedIdea, own: PartsReading) -> Result<PartsReading> {
    let answer = ask_parts(model, idea, own.clone()).await?;
    Ok(model.printed(answer, || own))
}

/// The model's statements, each with words found in the text; the program's if the model gave none.
async fn ask_parts(model: &ModelAnalyst, idea: &ReviewedIdea, own: PartsReading) -> Result<PartsReading> {
    let text = IdeaWords::of(idea);
    let mut words = running_text(&idea.document);
    if !idea.title.is_empty() {
        words = format!("Title: {}\n{words}", one_line(&idea.title));
    }
    let fence = model.fence();
    let inputs = PartsInputs {
        mark: fence.mark().to_owned(),
        idea: fence.wrap("idea", &words),
    };
    let something = |reply: &PartsReply| match reply.statements.len() {
        0 => Err(Violation("there are no statements".to_owned())),
        1..=MOST => Ok(()),
        _ => Err(Violation(format!("there are more than {MOST} statements"))),
    };
    let holds = |reply: &PartsReply| {
        reply
            .statements
            .iter()
            .try_for_each(|one| sound(one, &text).map(|_| ()))
    };
    let must: [Check<'_, PartsReply>; 1] = [&something];
    let should: [Check<'_, PartsReply>; 1] = [&holds];
    let checks = Checks {
        must: &must,
        should: &should,
    };
    let of = ListedKind::Statements;
    let Some(reply) = model.ask("review.parts", &inputs, checks).await? else {
        let mut own = own;
        own.notes.push(Note::NoList { of });
        return Ok(own);
    };
    let reply = reply.value.statements;
    let statements: Vec<PartStatement> = reply.iter().filter_map(|one| sound(one, &text).ok()).collect();
    let dropped = reply.len() - statements.len();
    let mut notes = own.notes.clone();
    if dropped > 0 {
        notes.push(Note::ListedDropped {
            of,
            dropped,
            listed: reply.len(),
            most_words: None,
        });
    }
    if statements.is_empty() {
        notes.push(Note::NothingListedInText { of });
        return Ok(PartsReading { notes, ..own });
    }
    Ok(PartsReading { statements, notes })
}

/// The words and figures of the idea, which limit what a statement may say.
struct IdeaWords {
    quotable: QuotableDocument,
    stems: BTreeSet<String>,
    title: String,
}

impl IdeaWords {
    fn of(idea: &ReviewedIdea) -> Self {
        let whole = format!("{}\n{}", idea.title, idea.document.text);
        Self {
            quotable: QuotableDocument::new(idea.document.clone()),
            stems: content_stems(&whole),
            title: idea.title.clone(),
        }
    }
}

/// The statement with its supporting words, cut from the text.
fn sound(one: &StatementReply, text: &IdeaWords) -> std::result::Result<PartStatement, Violation> {
    let part = IdeaPart::from(one.part);
    let statement = without_marks(&one_line(&one.statement));
    fits(&statement, part)?;
    let quote = rests_on(&one.words, &text.quotable)
        .ok_or_else(|| Violation(format!("these words are not in the text: {}", head(&one.words))))?;
    let reply = content_stems(&statement);
    let shared = content_stems(quote.text()).intersection(&reply).count();
    if shared == 0 || shared * ONE_IN < reply.len() {
        return Err(Violation(format!(
            "the words given say something else than the statement: {}",
            head(&statement)
        )));
    }
    if text.stems.intersection(&reply).count() * 2 < reply.len() {
        return Err(Violation(format!(
            "most of the statement's terms are not in the text: {}",
            head(&statement)
        )));
    }
    Prose::of(&[&text.quotable])
        .given([text.title.as_str()])
        .judging()
        .check("a statement", &statement)?;
    Ok(PartStatement {
        number: 0,
        part,
        statement,
        quote,
    })
}

/// The statement in the idea's own words, for policies that print no words of a model. `None` if these words cannot be a statement.
pub(crate) fn in_own_words(one: PartStatement) -> Option<PartStatement> {
    let own = without_marks(&one_line(one.quote.text()));
    let own = match one.part {
        IdeaPart::ExpectedResults => without_figures(&own),
        _ => own,
    };
    fits(&own, one.part).ok()?;
    Some(PartStatement { statement: own, ..one })
}

fn fits(statement: &str, part: IdeaPart) -> Checked {
    checks::words_between("a statement", statement, 3, STATEMENT)?;
    match part == IdeaPart::ExpectedResults && without_figures(statement) != statement {
        true => Err(Violation(format!(
            "expected results hold no measured figures: {}",
            head(statement)
        ))),
        false => Ok(()),
    }
}

/// Locates the words of the text that support a statement.
fn rests_on(words: &str, text: &QuotableDocument) -> Option<Quote> {
    quoted(words, text).filter(|quote| (WORDS.0..=WORDS.1).contains(&word_count(quote.text())))
}

impl Worded for PartsReading {
    fn without_sentences(self, own: Self) -> Self {
        let known = |one: &_| own.statements.contains(one);
        let (kept, in_its_words): (Vec<_>, Vec<_>) = self.statements.into_iter().partition(known);
        let statements = kept
            .into_iter()
            .chain(in_its_words.into_iter().filter_map(in_own_words));
        let statements: Vec<_> = statements.collect();
        match statements.is_empty() {
            true => own,
            false => Self { statements, ..self },
        }
    }
}

#[cfg(test)]
mod tests {
    use precedent_domain::Document;

    use super::*;

    fn text() -> IdeaWords {
        let words = "Ropes creep under load. We decode symbols with a spring model of the rope, on 14 hours of recordings from 3 buoys. Errors should fall by 12 %.";
        let document = Document::from_abstract("", Some(words));
        IdeaWords {
            stems: content_stems(words),
            title: String::new(),
            quotable: QuotableDocument::new(document),
        }
    }

    fn reply(part: PartReply, statement: &str, words: &str) -> std::result::Result<PartStatement, String> {
        let one = StatementReply {
            part,
            statement: statement.to_owned(),
            words: words.to_owned(),
        };
        sound(&one, &text()).map_err(|why| why.0)
    }

    #[test]
    fn a_statement_must_say_what_the_idea_says() {
        let words = "We decode symbols with a spring model of the rope";
        reply(PartReply::Method, "A spring model of the rope decodes symbols.", words).unwrap();
        reply(
            PartReply::Method,
            "Two steps: model the rope as 1 spring, then decode symbols.",
            words,
        )
        .unwrap();
        for (statement, why) in [
            ("Rope symbols transform clouds and images.", "are not in the text"),
            ("Transformers attend over images.", "say something else"),
            ("A spring model of the rope decodes 99 symbols.", "figure 99"),
            (
                "A spring model of the rope decodes symbols 5 times as fast.",
                "figure 5",
            ),
        ] {
            let error = reply(PartReply::Method, statement, words).unwrap_err();
            assert!(error.contains(why), "{statement}: {error}");
        }
    }

    #[test]
    fn an_expectation_in_the_ideas_own_words_has_no_figures() {
        let one = reply(
            PartReply::ExpectedResults,
            "Errors should fall.",
            "Errors should fall by 12 %",
        )
        .unwrap();
        let own = in_own_words(one).unwrap();
        assert!(
            own.statement.starts_with("Errors should fall") && !own.statement.contains("12"),
            "{}",
            own.statement
        );
        let one = reply(
            PartReply::Motivation,
            "Under load ropes creep.",
            "Ropes creep under load",
        )
        .unwrap();
        assert_eq!(in_own_words(one).unwrap().statement, "Ropes creep under load");
    }
}
