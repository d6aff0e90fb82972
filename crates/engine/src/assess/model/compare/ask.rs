use std::collections::BTreeMap;

use precedent_domain::{
    Contribution, ContributionComparison, EvidencePair, Extent, Gap, ParagraphKind, SectionKind, Span, Status,
};
use precedent_llm::{Check, Checks, Typed, Violation};
use precedent_text::one_line;
use serde::Serialize;

use super::super::answers::{ComparisonReply, ComparisonsReply, StatusReply};
use super::super::passages::nearest;
use super::evidence::{pair, prose_about};
use super::flaw::{Flaw, flaw};
use super::settle::{Finding, fallen_back, not_sent, settle};
use crate::Result;
use crate::assess::model::context::{CompareContext, in_short};
use crate::compare::PriorReading;
use crate::model::asker::{Parts, Task};
use crate::model::checks::Checked;
use crate::model::prose::Prose;
use crate::model::texts::{SUMMARY, WHOLE, beginning, cut, fenced_claims, is_cut, running_text};
use crate::model::{Depth, ModelAnalyst, checks};

#[derive(Serialize)]
struct Passages {
    mark: String,
    paper: String,
    claims: String,
    work: String,
}

#[derive(Serialize)]
struct Whole {
    mark: String,
    claims: String,
    paper: String,
    work: String,
}

/// A model's answer on one work.
#[derive(Default)]
struct WorkAnswer {
    /// By claim.
    findings: BTreeMap<u32, Finding>,
    /// What the work does.
    line: Option<String>,
}

impl WorkAnswer {
    fn extend(&mut self, other: Self) {
        self.findings.extend(other.findings);
        self.line = self.line.take().or(other.line);
    }
}

/// The comparisons, and the model's descriptions of works in one line by number.
pub(in super::super) type Compared = (Vec<ContributionComparison>, BTreeMap<u32, String>);

/// Compares every claim with every work, one work at a time.
pub(in super::super) async fn compare_works(
    model: &ModelAnalyst,
    context: &CompareContext<'_>,
    own: Vec<ContributionComparison>,
) -> Result<Compared> {
    if context.material.claims.is_empty() {
        return Ok((own, BTreeMap::new()));
    }
    let mut work: Vec<Task<'_, Result<Option<WorkAnswer>>>> = Vec::new();
    for prior in context.set.priors() {
        work.push(Box::pin(compare_work(model, context, prior, &own)));
    }
    let answers = model.all("compare", work).await?;
    let numbers = context.set.priors().iter().map(|prior| prior.candidate.number);
    let answered = numbers
        .zip(answers)
        .filter_map(|(number, answer)| Some((number, answer?)));
    let mut found: BTreeMap<u32, WorkAnswer> = answered.collect();
    note_unsent(model, context, &found);
    note_cut(model, context, &found);
    let settled = own.into_iter().map(|one| {
        let timing = context.prior(one.candidate).map(|prior| prior.candidate.timing);
        match (found.get_mut(&one.candidate), timing) {
            (Some(answer), Some(timing)) => match answer.findings.remove(&one.contribution) {
                Some(finding) => settle(one, finding, timing),
                None => fallen_back(one),
            },
            _ => not_sent(one),
        }
    });
    let settled = settled.collect();
    let lines = found
        .into_iter()
        .filter_map(|(number, answer)| Some((number, answer.line?)));
    Ok((settled, lines.collect()))
}

fn note_unsent(model: &ModelAnalyst, context: &CompareContext<'_>, found: &BTreeMap<u32, WorkAnswer>) {
    let papers = context.set.priors().len();
    let unsent = papers - found.len();
    if unsent > 0 {
        model.log().add_gap(Gap::PapersNotSent { unsent, papers });
    }
}

/// Notes which texts were too long to be read to their end.
fn note_cut(model: &ModelAnalyst, context: &CompareContext<'_>, found: &BTreeMap<u32, WorkAnswer>) {
    let read_whole = |number: &u32| {
        let answer = found.get(number);
        answer.is_some_and(|answer| answer.findings.values().any(|one| one.whole))
    };
    let priors = context.set.priors().iter();
    let cut = priors
        .filter(|prior| read_whole(&prior.candidate.number) && is_cut(prior.reading.document()))
        .count();
    let kilobytes = WHOLE / 1_000;
    if cut > 0 {
        model.log().add_gap(Gap::PapersSentInPart { papers: cut, kilobytes });
    }
    if model.settings.depth == Depth::Full && is_cut(context.target.document()) {
        model.log().add_gap(Gap::PaperSentInPart { kilobytes });
    }
}

/// The answer on one work, or `None` if it shares too little with every claim to be sent.
async fn compare_work(
    model: &ModelAnalyst,
    context: &CompareContext<'_>,
    prior: &PriorReading<'_>,
    own: &[ContributionComparison],
) -> Result<Option<WorkAnswer>> {
    let every: Vec<&Contribution> = context.material.claims.iter().collect();
    let is_whole = prior.extent() == Extent::FullText;
    if model.settings.depth == Depth::Full && is_whole {
        return ask_whole(model, context, prior, &every, true).await.map(Some);
    }
    let passages = nearest(context.set, prior, context.material.claims);
    if passages.is_empty() {
        return Ok(None);
    }
    let shown = context
        .fence
        .wrap("passages of the work", &abstract_and_passages(prior, &passages));
    let beginning = context.fence.wrap("paper", &beginning(context.material.paper));
    let (mut parts, mut found) = (Parts::of(&every), WorkAnswer::default());
    while let Some(part) = parts.next() {
        let inputs = Passages {
            mark: context.mark(),
            paper: beginning.clone(),
            claims: fenced_claims(part, &context.fence),
            work: shown.clone(),
        };
        let reply = ask_comparisons(model, "compare.passages", &inputs, part, &mut parts, prior, context).await?;
        found.extend(
            reply
                .map(|reply| answer(&reply.value, prior, context, false))
                .unwrap_or_default(),
        );
    }
    let open: Vec<&Contribution> = every
        .iter()
        .copied()
        .filter(|claim| is_whole && leaves_open(model, claim, prior, &found.findings, own))
        .collect();
    if !open.is_empty() {
        found.extend(ask_whole(model, context, prior, &open, false).await?);
    }
    Ok(Some(found))
}

/// Title and abstract of a work, and of a full text also the passages that the abstract shown does not contain, numbered.
fn abstract_and_passages(prior: &PriorReading<'_>, passages: &[Span]) -> String {
    if prior.extent() != Extent::FullText {
        return in_short(prior);
    }
    let document = prior.reading.document();
    let slice = |span: &Span| document.slice(*span).map(one_line);
    let is_text = |kind: ParagraphKind| {
        use ParagraphKind::{BlockQuote, Body, ListItem};
        matches!(kind, Body | ListItem | BlockQuote)
    };
    let paragraphs = document.paragraphs_in(SectionKind::Abstract);
    let summary: Vec<String> = paragraphs
        .filter(|paragraph| is_text(paragraph.kind))
        .filter_map(|paragraph| slice(&paragraph.span))
        .collect();
    let passages: Vec<String> = passages.iter().filter_map(slice).collect();
    let title = one_line(&prior.candidate.work.title);
    numbered(&title, &cut(&summary.join(" "), SUMMARY), &passages)
}

/// A title, an abstract if there is one, and numbered passages without those that the abstract contains.
fn numbered(title: &str, summary: &str, passages: &[String]) -> String {
    let others = passages.iter().filter(|text| !summary.contains(text.as_str()));
    let numbered = (1..).zip(others).map(|(number, text)| format!("({number}) {text}"));
    let summary = (!summary.is_empty()).then(|| summary.to_owned());
    let lines = std::iter::once(title.to_owned()).chain(summary).chain(numbered);
    lines.collect::<Vec<_>>().join("\n")
}

/// Whether the whole text is to be read for a claim: similar passages left it unclear, or a `can_refute` lacks its quotes.
fn leaves_open(
    model: &ModelAnalyst,
    claim: &Contribution,
    prior: &PriorReading<'_>,
    found: &BTreeMap<u32, Finding>,
    own: &[ContributionComparison],
) -> bool {
    let own = own
        .iter()
        .find(|one| one.contribution == claim.number && one.candidate == prior.candidate.number);
    let near = own.is_some_and(|one| one.near || one.status == Status::Unclear);
    if model.only_counts() {
        // An estimate gives the maximum.
        return near;
    }
    found.get(&claim.number).is_some_and(|finding| match finding.status {
        StatusReply::Unclear => near,
        StatusReply::CanRefute => finding.pairs.is_empty() && finding.flaw.is_none_or(Flaw::is_of_the_quote),
        StatusReply::CannotRefute => false,
    })
}

async fn ask_whole(
    model: &ModelAnalyst,
    context: &CompareContext<'_>,
    prior: &PriorReading<'_>,
    claims: &[&Contribution],
    both: bool,
) -> Result<WorkAnswer> {
    let paper = if both {
        running_text(context.target.document())
    } else {
        beginning(context.material.paper)
    };
    let work = format!(
        "{}\n{}",
        one_line(&prior.candidate.work.title),
        running_text(prior.reading.document())
    );
    let (mut parts, mut found) = (Parts::of(claims), WorkAnswer::default());
    while let Some(part) = parts.next() {
        let inputs = Whole {
            mark: context.mark(),
            claims: fenced_claims(part, &context.fence),
            paper: context.fence.wrap("paper", &paper),
            work: context.fence.wrap("whole text of the work", &work),
        };
        let reply = ask_comparisons(model, "compare.whole", &inputs, part, &mut parts, prior, context).await?;
        // A text that was shortened was not read whole.
        let answer = reply.map(|reply| answer(&reply.value, prior, context, reply.shortened == 0));
        found.extend(answer.unwrap_or_default());
    }
    Ok(found)
}

async fn ask_comparisons<'c>(
    model: &ModelAnalyst,
    id: &'static str,
    inputs: &(impl Serialize + Sync),
    claims: &'c [&'c Contribution],
    parts: &mut Parts<'c, &'c Contribution>,
    prior: &PriorReading<'_>,
    context: &CompareContext<'_>,
) -> Result<Option<Typed<ComparisonsReply>>> {
    let numbers: Vec<u32> = claims.iter().map(|claim| claim.number).collect();
    let known =
        |reply: &ComparisonsReply| checks::known_once("claim", reply.answers.iter().map(|one| one.claim), &numbers);
    let complete =
        |reply: &ComparisonsReply| checks::none_missing("claim", reply.answers.iter().map(|one| one.claim), &numbers);
    let noted = |reply: &ComparisonsReply| reply.answers.iter().try_for_each(|one| note_fits(one, prior, context));
    let shown = |reply: &ComparisonsReply| {
        reply
            .answers
            .iter()
            .try_for_each(|one| pairs_are_found(one, prior, context))
    };
    let must: [Check<'_, ComparisonsReply>; 1] = [&known];
    let should: [Check<'_, ComparisonsReply>; 3] = [&complete, &shown, &noted];
    let checks = Checks {
        must: &must,
        should: &should,
    };
    let reply = model.ask_part(id, inputs, checks, claims, parts).await?;
    if let Some(reply) = &reply {
        let answered = reply.value.answers.iter().map(|one| one.claim);
        model.report_left_out(id, answered, &numbers);
    }
    Ok(reply)
}

fn note_fits(one: &ComparisonReply, prior: &PriorReading<'_>, context: &CompareContext<'_>) -> Checked {
    prose_about(prior, context).check("a note", &one.note)?;
    checks::sentences_between("a note", &one.note, (1, 5))?;
    checks::words_between("a note", &one.note, 1, 150)
}

/// The rules for a line about one work.
fn line_fits(line: &str, prior: &PriorReading<'_>) -> Checked {
    let work = &prior.candidate.work;
    Prose::of(&[prior.reading.quotable()])
        .given([work.title.as_str()])
        .dated(work.year())
        .check("a line", line)?;
    checks::sentences_between("a line", line, (1, 2))?;
    checks::words_between("a line", line, 12, 36)
}

fn pairs_are_found(one: &ComparisonReply, prior: &PriorReading<'_>, context: &CompareContext<'_>) -> Checked {
    if one.status != StatusReply::CanRefute {
        return Ok(());
    }
    let Some(claim) = context.material.claims.iter().find(|claim| claim.number == one.claim) else {
        return Ok(());
    };
    if one.evidence.is_empty() {
        return Err(Violation(format!(
            "claim {} is can_refute and has no pair of quotes",
            one.claim
        )));
    }
    one.evidence.iter().take(3).try_for_each(|reply| {
        match flaw(&pair(reply, claim, prior, context)?, claim, prior, context) {
            Some(flaw) if flaw.is_of_the_quote() => {
                Err(Violation(format!("work_quote does not show it: {}", flaw.why())))
            }
            _ => Ok(()),
        }
    })
}

/// The parts of an answer that pass the checks.
fn answer(reply: &ComparisonsReply, prior: &PriorReading<'_>, context: &CompareContext<'_>, whole: bool) -> WorkAnswer {
    let finding = |one: &ComparisonReply| {
        let claim = context.material.claims.iter().find(|claim| claim.number == one.claim)?;
        let located = match one.status {
            StatusReply::CanRefute => one
                .evidence
                .iter()
                .take(3)
                .filter_map(|reply| pair(reply, claim, prior, context).ok())
                .collect(),
            _ => Vec::new(),
        };
        let flaw_of = |pair: &EvidencePair| flaw(pair, claim, prior, context);
        let flaw = located.iter().find_map(flaw_of);
        let pairs: Vec<EvidencePair> = located.into_iter().filter(|pair| flaw_of(pair).is_none()).collect();
        let note = note_fits(one, prior, context)
            .is_ok()
            .then(|| one.note.trim().to_owned());
        let status = one.status;
        Some((
            one.claim,
            Finding {
                status,
                note,
                flaw: flaw.filter(|_| pairs.is_empty()),
                pairs,
                whole,
            },
        ))
    };
    // A line that breaks the rules is not worth another request: the program's own is shown.
    let line = reply.line.as_deref().filter(|line| line_fits(line, prior).is_ok());
    WorkAnswer {
        findings: reply.answers.iter().filter_map(finding).collect(),
        line: line.map(|line| line.trim().to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_passage_is_shown_once_and_none_is_lost_with_the_end_of_a_long_abstract() {
        let (first, last) = ("Kelp bends in swell.", "Boats gather it in spring.");
        let filler = "Ropes hold it in winter. ".repeat(100);
        let summary = cut(&format!("{first} {filler}{last}"), SUMMARY);
        let passages = [first, last, "Divers count it."].map(str::to_owned);
        assert_eq!(
            numbered("Kelp", &summary, &passages),
            format!("Kelp\n{summary}\n(1) {last}\n(2) Divers count it.")
        );
        assert_eq!(numbered("Kelp", "", &passages[2..]), "Kelp\n(1) Divers count it.");
    }
}
