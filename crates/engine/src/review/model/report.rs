use precedent_domain::{EvidenceKind, Note, Quote, ReportField, ReportedField, Span};
use precedent_language::wording::{first_words, word_count};
use precedent_llm::{Check, Checks, Violation};
use precedent_text::one_line;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::shown;
use crate::Result;
use crate::model::asker::Task;
use crate::model::checks::{Checked, head};
use crate::model::policy::Worded;
use crate::model::prose::Prose;
use crate::model::texts::{cut, running_text};
use crate::model::{ModelAnalyst, checks};
use crate::review::reports::{ReportQuestion, Reports};

/// Longest text that is sent, in characters: about ten thousand tokens, the whole of most conference papers. Chosen by hand, to keep thirty reports at cents.
const TEXT: usize = 40_000;
/// Minimum and maximum sentences, and maximum words, of a field.
const SENTENCES: (usize, usize) = (1, 5);
const WORDS: usize = 120;
/// Maximum quotes of a field, and minimum and maximum words of a quote.
const QUOTES: usize = 3;
const QUOTE_WORDS: (usize, usize) = (3, 60);

#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
struct ReportReply {
    fields: Vec<FieldReply>,
}

#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
struct FieldReply {
    field: FieldNameReply,
    /// One to four sentences.
    text: String,
    /// One to three runs of words copied from the text.
    words: Vec<String>,
}

/// A field as a model names it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum FieldNameReply {
    Summary,
    BasicIdea,
    Motivation,
    ResearchQuestion,
    Method,
    ExperimentalSetting,
    Results,
}

impl From<FieldNameReply> for ReportField {
    fn from(reply: FieldNameReply) -> Self {
        match reply {
            FieldNameReply::Summary => Self::Summary,
            FieldNameReply::BasicIdea => Self::BasicIdea,
            FieldNameReply::Motivation => Self::Motivation,
            FieldNameReply::ResearchQuestion => Self::ResearchQuestion,
            FieldNameReply::Method => Self::Method,
            FieldNameReply::ExperimentalSetting => Self::ExperimentalSetting,
            FieldNameReply::Results => Self::Results,
        }
    }
}

#[derive(Serialize)]
struct ReportInputs {
    mark: String,
    fields: String,
    document: String,
}

/// The report on one document; `None` without a usable answer.
struct ReportAnswer {
    fields: Option<Vec<ReportedField>>,
    /// Fields that failed a check.
    dropped: usize,
}

/// A report on each document.
pub(crate) async fn report_documents(model: &ModelAnalyst, questions: &[ReportQuestion<'_>]) -> Result<Reports> {
    let tasks: Vec<Task<'_, Result<ReportAnswer>>> = questions
        .iter()
        .map(|question| -> Task<'_, _> { Box::pin(one_report(model, *question)) })
        .collect();
    let answers = model.all("reports", tasks).await?;
    let mut reports = Reports::default();
    let dropped: usize = answers.iter().map(|one| one.dropped).sum();
    if dropped > 0 {
        reports.notes.push(Note::ReportFieldsDropped { fields: dropped });
    }
    let unanswered = answers.iter().filter(|one| one.fields.is_none()).count();
    if unanswered > 0 && !model.only_counts() {
        reports.notes.push(Note::ReportsMissing {
            unanswered,
            documents: answers.len(),
        });
    }
    reports.fields = questions
        .iter()
        .zip(answers)
        .filter_map(|(question, answer)| Some((question.piece.number, answer.fields?)))
        .collect();
    Ok(model.printed(reports, Reports::default))
}

async fn one_report(model: &ModelAnalyst, question: ReportQuestion<'_>) -> Result<ReportAnswer> {
    let piece = question.piece;
    let fence = model.fence();
    let document = question.text.document();
    // What a repository does is in its functions, and the running text leaves code out.
    let words = match piece.kind {
        EvidenceKind::Code => document.text.clone(),
        _ => running_text(document),
    };
    let text = format!(
        "{}: {}\n{}",
        piece.kind.name(),
        one_line(&piece.work.title),
        cut(&words, TEXT)
    );
    let calls = piece.calls.as_ref().map(|calls| shown::calls(&fence, calls));
    let document: Vec<String> = std::iter::once(fence.wrap("document", &text)).chain(calls).collect();
    let names: Vec<String> = ReportField::of(piece.kind)
        .iter()
        .map(|one| one.name().replace(' ', "_"))
        .collect();
    let inputs = ReportInputs {
        mark: fence.mark().to_owned(),
        fields: names.join(", "),
        document: document.join("\n"),
    };
    let known = |reply: &ReportReply| known(reply, question);
    let sound = |reply: &ReportReply| reply.fields.iter().try_for_each(|one| field(one, question).map(|_| ()));
    let must: [Check<'_, ReportReply>; 1] = [&known];
    let should: [Check<'_, ReportReply>; 1] = [&sound];
    let checks = Checks {
        must: &must,
        should: &should,
    };
    let reply = model.ask("review.report", &inputs, checks).await?;
    if model.only_counts() {
        return Ok(stand_in(question));
    }
    let Some(reply) = reply else {
        return Ok(ReportAnswer {
            fields: None,
            dropped: 0,
        });
    };
    let reply = reply.value.fields;
    let mut fields: Vec<ReportedField> = reply.iter().filter_map(|one| field(one, question).ok()).collect();
    let dropped = reply.len() - fields.len();
    fields.sort_by_key(|one| one.field);
    Ok(ReportAnswer {
        fields: Some(fields),
        dropped,
    })
}

/// A report of the greatest length, for an estimate of the prompts that show it.
fn stand_in(question: ReportQuestion<'_>) -> ReportAnswer {
    let document = question.text.document();
    let end = first_words(&document.text, QUOTE_WORDS.1).len();
    let quotes: Vec<Quote> = Quote::at(document, Span::new(0, end)).into_iter().collect();
    let fields = ReportField::of(question.piece.kind).iter().map(|field| ReportedField {
        field: *field,
        text: one_line(first_words(&document.text, WORDS)),
        quotes: quotes.clone(),
    });
    ReportAnswer {
        fields: Some(fields.collect()),
        dropped: 0,
    }
}

/// Checks that each field is one of those requested, once.
fn known(reply: &ReportReply, question: ReportQuestion<'_>) -> Checked {
    let mut seen: Vec<ReportField> = Vec::new();
    for one in &reply.fields {
        let name = ReportField::from(one.field);
        if !ReportField::of(question.piece.kind).contains(&name) {
            return checks::no(format!("{} is no field of this document", name.name()));
        }
        if seen.contains(&name) {
            return checks::no(format!("there are two fields {}", name.name()));
        }
        seen.push(name);
    }
    Ok(())
}

/// A field with its located quotes, or the rule that it breaks. One quote that is not in the document costs the whole field: its text may rest on that quote.
fn field(reply: &FieldReply, question: ReportQuestion<'_>) -> std::result::Result<ReportedField, Violation> {
    checks::sentences_between("the text of a field", &reply.text, SENTENCES)?;
    checks::words_between("the text of a field", &reply.text, 1, WORDS)?;
    let calls = question.piece.calls.as_ref().map(shown::call_lines).unwrap_or_default();
    Prose::of(&[question.text])
        .given(
            calls
                .iter()
                .map(String::as_str)
                .chain([question.piece.work.title.as_str()]),
        )
        .dated(question.piece.work.year())
        .check("the text of a field", &reply.text)?;
    if !(1..=QUOTES).contains(&reply.words.len()) {
        return Err(Violation(format!("a field must have 1 to {QUOTES} runs of words")));
    }
    let mut quotes: Vec<Quote> = Vec::new();
    for words in &reply.words {
        let quote = Quote::cut(question.text.document(), &question.text.locate(words));
        let quote = quote.filter(|quote| (QUOTE_WORDS.0..=QUOTE_WORDS.1).contains(&word_count(quote.text())));
        let quote = quote.ok_or_else(|| Violation(format!("these words are not in the text: {}", head(words))))?;
        if !quotes.iter().any(|known| known.span() == quote.span()) {
            quotes.push(quote);
        }
    }
    Ok(ReportedField {
        field: reply.field.into(),
        text: one_line(&reply.text),
        quotes,
    })
}

impl Worded for Reports {
    fn without_sentences(mut self, _own: Self) -> Self {
        for field in self.fields.values_mut().flatten() {
            field.text.clear();
        }
        self
    }
}
