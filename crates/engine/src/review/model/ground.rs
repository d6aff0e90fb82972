use precedent_domain::{Evidence, Grounding, Note, Quote, Stance};
use precedent_language::wording::word_count;
use precedent_llm::{Check, Checks, Violation};
use precedent_text::{one_line, pattern};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::relevance::in_range;
use super::shown;
use crate::Result;
use crate::model::asker::Task;
use crate::model::checks::{Checked, head};
use crate::model::policy::Worded;
use crate::model::prose::Prose;
use crate::model::texts::cut;
use crate::model::{ModelAnalyst, checks};
use crate::review::{GroundQuestion, Grounded};

/// Maximum quotes kept from one answer, and longest quote in words.
const EVIDENCE: usize = 4;
const QUOTE_WORDS: usize = 90;
/// Minimum and maximum sentences, and maximum words, of an analysis.
const SENTENCES: (usize, usize) = (1, 5);
const ANALYSIS_WORDS: usize = 140;
/// Longest passage that is shown, in characters.
const PASSAGE: usize = 4_000;
/// Longest summary shown of a document without passages, in characters.
const SUMMARY: usize = 1_600;

#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
struct GroundReply {
    /// At most four.
    evidence: Vec<EvidenceReply>,
    /// One to four sentences.
    analysis: String,
    /// 0 to 10.
    score: f64,
}

#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
struct EvidenceReply {
    /// The statement's number.
    statement: u32,
    stance: StanceReply,
    /// Copied from a passage.
    words: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum StanceReply {
    Supports,
    Contradicts,
}

#[derive(Serialize)]
struct GroundInputs {
    mark: String,
    part: String,
    statements: String,
    document: String,
    passages: String,
}

/// The result for one pair of a part and a document.
struct PairAnswer {
    grounding: Option<Grounding>,
    /// Quotes that are in no passage shown.
    lost: usize,
    answered: bool,
    /// Whether the analysis could not be printed.
    speechless: bool,
}

/// Evidence from each document on each part, in the order of the questions.
pub(crate) async fn ground_pieces(model: &ModelAnalyst, questions: &[GroundQuestion<'_>]) -> Result<Grounded> {
    let answer = ask_evidence(model, questions).await?;
    Ok(model.printed(answer.clone(), || answer))
}

/// The model's evidence for each pair; the program's own where the model gave no usable answer.
async fn ask_evidence(model: &ModelAnalyst, questions: &[GroundQuestion<'_>]) -> Result<Grounded> {
    let pairs: Vec<Task<'_, Result<PairAnswer>>> = questions
        .iter()
        .map(|question| -> Task<'_, _> { Box::pin(pair(model, question)) })
        .collect();
    let pairs_answered = model.all("evidence", pairs).await?;
    let mut notes = Vec::new();
    let lost: usize = pairs_answered.iter().map(|one| one.lost).sum();
    if lost > 0 {
        notes.push(Note::EvidenceNotFound { quotes: lost });
    }
    let unanswered = pairs_answered.iter().filter(|one| !one.answered).count();
    if unanswered > 0 && !model.only_counts() {
        let pairs = pairs_answered.len();
        notes.push(Note::EvidenceByRules { unanswered, pairs });
    }
    let analyses = pairs_answered.iter().filter(|one| one.speechless).count();
    if analyses > 0 {
        notes.push(Note::AnalysesLeftOut { analyses });
    }
    Ok(Grounded {
        groundings: pairs_answered.into_iter().map(|one| one.grounding).collect(),
        notes,
    })
}

async fn pair(model: &ModelAnalyst, question: &GroundQuestion<'_>) -> Result<PairAnswer> {
    let title = one_line(&question.piece.work.title);
    let summary = question.piece.work.summary.as_deref().unwrap_or_default();
    let own = || question.idea.statements.iter().filter(|one| one.part == question.part);
    let fence = model.fence();
    let shown = (1..)
        .zip(&question.passages)
        .map(|(number, passage)| fence.wrap(&format!("passage {number}"), &cut(&lines(passage.text()), PASSAGE)));
    let shown: Vec<String> = shown.collect();
    let statements: Vec<String> = own()
        .map(|one| fence.wrap(&format!("statement {}", one.number), &one_line(&one.statement)))
        .collect();
    let passages = match shown.is_empty() {
        true => fence.wrap("passage 1", &cut(&one_line(summary), SUMMARY)),
        false => shown.join("\n"),
    };
    let document = fence.wrap("document", &format!("{}: {title}", question.piece.kind.name()));
    let more = shown::of_whole(&fence, question.piece);
    let inputs = GroundInputs {
        mark: fence.mark().to_owned(),
        part: format!("The part: {}.", question.part.name()),
        statements: statements.join("\n"),
        document: std::iter::once(document).chain(more).collect::<Vec<_>>().join("\n"),
        passages,
    };
    let numbers: Vec<u32> = own().map(|one| one.number).collect();
    let readable = |reply: &GroundReply| {
        in_range(reply.score)?;
        match reply.evidence.iter().find(|one| !numbers.contains(&one.statement)) {
            Some(one) => Err(Violation(format!("there is no statement {}", one.statement))),
            None => Ok(()),
        }
    };
    let sound = |reply: &GroundReply| {
        analysis(&reply.analysis, question)?;
        reply.evidence.iter().try_for_each(|one| {
            if is_title(&one.words, question) {
                return Err(Violation(format!(
                    "these words are only the title: {}",
                    head(&one.words)
                )));
            }
            quote(one, question)
                .map(|_| ())
                .ok_or_else(|| Violation(format!("these words are in no passage shown: {}", head(&one.words))))
        })
    };
    let must: [Check<'_, GroundReply>; 1] = [&readable];
    let should: [Check<'_, GroundReply>; 1] = [&sound];
    let checks = Checks {
        must: &must,
        should: &should,
    };
    let Some(reply) = model.ask("review.ground", &inputs, checks).await? else {
        return Ok(PairAnswer {
            grounding: question.own.clone(),
            lost: 0,
            answered: false,
            speechless: false,
        });
    };
    Ok(settle_pair(&reply.value, question))
}

/// The parts of an answer that pass the checks. If all its quotes are lost, nothing supports it, and the program's own evidence is used.
fn settle_pair(reply: &GroundReply, question: &GroundQuestion<'_>) -> PairAnswer {
    let mut evidence: Vec<Evidence> = Vec::new();
    let mut statements: Vec<u32> = Vec::new();
    let mut lost = 0;
    // The title is shown with the document anyway.
    for one in reply.evidence.iter().filter(|one| !is_title(&one.words, question)) {
        let Some(quote) = quote(one, question) else {
            lost += 1;
            continue;
        };
        statements.push(one.statement);
        let there = evidence.iter().any(|known| known.quote.span() == quote.span());
        if !there && evidence.len() < EVIDENCE {
            let stance = match one.stance {
                StanceReply::Supports => Stance::Supports,
                StanceReply::Contradicts => Stance::Contradicts,
            };
            evidence.push(Evidence {
                stance,
                quote,
                repeats: None,
            });
        }
    }
    let prints = analysis(&reply.analysis, question).is_ok();
    let with_counts = |grounding| PairAnswer {
        grounding,
        lost,
        answered: true,
        speechless: !prints && !reply.evidence.is_empty(),
    };
    if evidence.is_empty() {
        return with_counts(question.own.clone().filter(|_| lost > 0));
    }
    statements.sort_unstable();
    statements.dedup();
    with_counts(Some(Grounding {
        part: question.part,
        piece: question.piece.number,
        statements,
        shared: question.own.as_ref().map_or(0.0, |own| own.shared),
        evidence,
        analysis: if prints {
            one_line(&reply.analysis)
        } else {
            String::new()
        },
        score: Some(reply.score),
        probability: None,
        similar: None,
    }))
}

/// Keeps the line breaks: a title is not part of the sentence below it.
fn lines(text: &str) -> String {
    let lines = text.lines().map(one_line).filter(|line| !line.is_empty());
    lines.collect::<Vec<_>>().join("\n")
}

/// Whether words are only a part of the document's title.
fn is_title(words: &str, question: &GroundQuestion<'_>) -> bool {
    let line = |text: &str| one_line(text).to_lowercase();
    line(&question.piece.work.title).contains(line(words).trim_end_matches('.'))
}

/// Locates words in a passage or a quote that was shown, and cuts the quote from the document.
fn quote(one: &EvidenceReply, question: &GroundQuestion<'_>) -> Option<Quote> {
    let quote = Quote::cut(question.text.document(), &question.text.locate(&one.words))?;
    let of_report = question.piece.report.iter().flat_map(|field| &field.quotes);
    let mut seen = question.passages.iter().chain(of_report);
    let shown = question.passages.is_empty() || seen.any(|passage| passage.span().overlaps(quote.span()));
    (shown && word_count(quote.text()) <= QUOTE_WORDS).then_some(quote)
}

/// Checks that an analysis can be printed. Its figures must be those of the document or the part.
fn analysis(reply: &str, question: &GroundQuestion<'_>) -> Checked {
    checks::sentences_between("the analysis", reply, SENTENCES)?;
    checks::words_between("the analysis", reply, 1, ANALYSIS_WORDS)?;
    let calls = question.piece.calls.as_ref().map(shown::call_lines).unwrap_or_default();
    let statements = question.idea.statements.iter().filter(|one| one.part == question.part);
    let part = statements.flat_map(|one| [one.statement.as_str(), one.quote.text()]);
    Prose::of(&[question.text])
        .given(calls.iter().map(String::as_str))
        .given(part.chain([question.piece.work.title.as_str()]))
        .dated(question.piece.work.year())
        .check("the analysis", &without_names_of_statements(reply))
}

/// A text without the numbers of the statements it names: `statement 3` gives no figure, `3 %` does.
fn without_names_of_statements(text: &str) -> String {
    pattern!(r"(?i)\bstatements?\s+\d{1,3}(?:\s*(?:,|and|or|to|[–-])\s*\d{1,3}\b)*")
        .replace_all(text, "statement")
        .into_owned()
}

impl Worded for Grounded {
    fn without_sentences(mut self, _own: Self) -> Self {
        for one in self.groundings.iter_mut().flatten() {
            one.analysis.clear();
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::figures;

    #[test]
    fn a_statement_number_is_not_a_figure_but_a_percentage_is() {
        let figures_of = |text: &str| figures(&without_names_of_statements(text));
        assert!(figures_of("It bears on statement 12 and on Statements 3, 14 and 25.").is_empty());
        assert_eq!(figures_of("Statement 12 is met by 37 % of 480 farms."), ["37", "480"]);
        assert_eq!(figures_of("It gains 12 % on this statement."), ["12"]);
    }
}
