use precedent_domain::{
    Counterpart, ExamplesShown, Facet, FacetComparison, FacetStatus, Gap, IdeaVerdict, NamedPaper, NoveltyVerdict,
    QuotableDocument, Quote, SecondLook, Timing, VerdictGrounds, VerdictSample,
};
use precedent_llm::{Check, Checks, Fence, Violation};
use precedent_text::one_line;
use serde::Serialize;

use super::answers::{JudgementReply, SharedReply};
use super::{shown, verdict};
use crate::Result;
use crate::idea::{CLOSEST, IdeaJudged, IdeaMaterial, named, undecided};
use crate::model::asker::Task;
use crate::model::checks::{bracketed, head};
use crate::model::policy::Worded;
use crate::model::prose::Prose;
use crate::model::texts::running_text;
use crate::model::{ModelAnalyst, checks};

/// Longest text of a work that is shown, in bytes: title, abstract and, if available, the beginning of the text.
const LONGEST: usize = 6_000;

#[derive(Serialize)]
struct IdeaJudgeInputs {
    mark: String,
    examples: String,
    idea: String,
    works: String,
}

#[derive(Serialize)]
struct AgainInputs {
    mark: String,
    idea: String,
    works: String,
    answer: String,
    trouble: String,
}

/// One answer, after everything in it was checked against the texts.
#[derive(Debug, Clone)]
struct SettledAnswer {
    verdict: IdeaVerdict,
    facets: Vec<Vec<FacetComparison>>,
    /// Quoted passages that were not found.
    lost: usize,
}

/// The verdict on an idea.
pub(crate) async fn judge_idea(
    model: &ModelAnalyst,
    material: IdeaMaterial<'_>,
    own: IdeaJudged,
) -> Result<IdeaJudged> {
    let answer = ask_judgement(model, material, own.clone()).await?;
    Ok(model.printed(answer, || own))
}

/// The model's verdict if one passes the checks, and the program's comparisons updated with the model's.
async fn ask_judgement(model: &ModelAnalyst, material: IdeaMaterial<'_>, own: IdeaJudged) -> Result<IdeaJudged> {
    if material.works.is_empty() {
        return Ok(own);
    }
    let samples: Vec<Task<'_, Result<SettledAnswer>>> = (0..material.samples)
        .map(|sample| -> Task<'_, _> { Box::pin(ask_once(model, material, &own, sample)) })
        .collect();
    let settled = model.all("idea", samples).await?;
    let passages: usize = settled.iter().map(|one| one.lost).sum();
    if passages > 0 {
        model.log().add_gap(Gap::PassagesNotFound { passages });
    }
    let chosen = material.examples.chosen(&material.idea.document.text);
    let examples = ExamplesShown {
        name: material.examples.name.clone(),
        shown: chosen.len(),
        novel: chosen.iter().filter(|one| one.label == NoveltyVerdict::Novel).count(),
    };
    Ok(IdeaJudged {
        examples,
        ..together(settled, own)
    })
}

/// Requests an answer, requests a second one if the first contradicts itself, and keeps what passes the checks.
async fn ask_once(
    model: &ModelAnalyst,
    material: IdeaMaterial<'_>,
    own: &IdeaJudged,
    sample: usize,
) -> Result<SettledAnswer> {
    let texts: Vec<String> = material
        .works
        .iter()
        .zip(material.texts)
        .map(|(one, text)| excerpt(&one.work.title, text))
        .collect();
    let fence = model.fence();
    let works = listed(&fence, &texts, sample);
    let chosen = material.examples.chosen(&material.idea.document.text);
    let shown_examples = (1..)
        .zip(&chosen)
        .map(|(number, one)| shown::example(&fence, number, one));
    let inputs = IdeaJudgeInputs {
        mark: fence.mark().to_owned(),
        examples: shown_examples.collect::<Vec<_>>().join("\n"),
        idea: shown::idea(&fence, material.idea),
        works: works.clone(),
    };
    let readable = |reply: &JudgementReply| is_readable(reply, &material);
    let must: [Check<'_, JudgementReply>; 1] = [&readable];
    let sound = |reply: &JudgementReply| is_sound(reply, &material);
    let should: [Check<'_, JudgementReply>; 1] = [&sound];
    let checks = Checks {
        must: &must,
        should: &should,
    };
    let Some(reply) = model.ask("idea.judge", &inputs, checks).await? else {
        return Ok(unanswered(own));
    };
    let Some(because) = trouble(&reply.value, &material) else {
        return Ok(settled(&reply.value, &material, own));
    };
    let first = verdict::parse(&reply.value.verdict).unwrap_or(NoveltyVerdict::Undecided);
    let answer = serde_json::to_string(&reply.value).unwrap_or_default();
    let inputs = AgainInputs {
        mark: fence.mark().to_owned(),
        idea: inputs.idea,
        works,
        answer: fence.wrap("answer", &answer),
        trouble: because.clone(),
    };
    let checks = Checks {
        must: &must,
        should: &should,
    };
    let again = model.ask("idea.second_look", &inputs, checks).await?;
    let mut settled = match again {
        Some(again) => match trouble(&again.value, &material) {
            None => settled(&again.value, &material, own),
            Some(still) => SettledAnswer {
                verdict: undecided(VerdictGrounds::Contradicted { what: still }),
                ..settled(&again.value, &material, own)
            },
        },
        None => unanswered(own),
    };
    settled.verdict.second_look = Some(SecondLook {
        because,
        first,
        settled: settled.verdict.verdict,
    });
    Ok(settled)
}

/// Checks what every answer needs: a valid verdict, works of the list, and prose that can be printed.
fn is_readable(reply: &JudgementReply, material: &IdeaMaterial<'_>) -> std::result::Result<(), Violation> {
    if verdict::parse(&reply.verdict).is_none() {
        return Err(Violation(format!(
            "the verdict must be novel, not_novel or undecided and nothing else, and is: {}",
            head(&reply.verdict)
        )));
    }
    let numbers: Vec<u32> = material.works.iter().map(|one| one.number).collect();
    checks::known_once("work", reply.works.iter().map(|one| one.work), &numbers)?;
    let texts: Vec<&QuotableDocument> = material.texts.iter().collect();
    let titles = material.works.iter().map(|one| one.work.title.as_str());
    Prose::of(&texts)
        .given(titles.chain([material.idea.document.text.as_str()]))
        .dated(material.works.iter().filter_map(|one| one.work.year()))
        .numbering(numbers)
        .judging()
        .check("the reasoning", &reply.reasoning)
}

/// The parts of an answer that pass the checks.
fn settled(reply: &JudgementReply, material: &IdeaMaterial<'_>, own: &IdeaJudged) -> SettledAnswer {
    let facets = compared(reply, material, own);
    let lost = reply.works.iter().map(|one| one.shares.len()).sum::<usize>() - located(reply, material);
    let reasoning = Some(one_line(&reply.reasoning));
    let mut cited = bracketed(&reply.reasoning);
    cited.sort_unstable();
    cited.dedup();
    let base = IdeaVerdict {
        reasoning,
        cited,
        ..undecided(VerdictGrounds::ModelUndecided)
    };
    let verdict = match verdict::parse(&reply.verdict) {
        Some(NoveltyVerdict::NotNovel) => not_novel(base, &facets, material),
        Some(NoveltyVerdict::Novel) => IdeaVerdict {
            verdict: NoveltyVerdict::Novel,
            coded_grounds: Some(VerdictGrounds::NoPaperHasIt {
                papers: material.works.len(),
            }),
            ..base
        },
        Some(NoveltyVerdict::Undecided) | None => base,
    };
    SettledAnswer { verdict, facets, lost }
}

/// `Not novel` holds only if the idea states purpose and mechanism, and a certainly earlier work shares both, each with words found in that work.
fn not_novel(base: IdeaVerdict, facets: &[Vec<FacetComparison>], material: &IdeaMaterial<'_>) -> IdeaVerdict {
    const DECIDING: [Facet; 2] = [Facet::Purpose, Facet::Mechanism];
    let unstated: Vec<Facet> = DECIDING
        .into_iter()
        .filter(|facet| !material.idea.facets.iter().any(|one| one.facet == *facet))
        .collect();
    if !unstated.is_empty() {
        return IdeaVerdict {
            coded_grounds: Some(VerdictGrounds::FacetsNotStated { facets: unstated }),
            ..base
        };
    }
    let mut against = Vec::new();
    let mut later = false;
    for (one, facets) in material.works.iter().zip(facets) {
        let shared: Vec<Facet> = facets
            .iter()
            .filter(|facet| facet.by_model && facet.status == FacetStatus::Shared)
            .map(|facet| facet.facet)
            .collect();
        if DECIDING.iter().all(|facet| shared.contains(facet)) {
            match one.timing {
                Timing::Earlier => against.push(Counterpart {
                    work: one.number,
                    facets: shared,
                }),
                _ => later = true,
            }
        }
    }
    let papers: Vec<NamedPaper> = against
        .iter()
        .filter_map(|one| material.works.iter().find(|work| work.number == one.work))
        .map(|work| named(&work.alias, work.number))
        .collect();
    match (against.is_empty(), later) {
        (false, _) => IdeaVerdict {
            verdict: NoveltyVerdict::NotNovel,
            coded_grounds: Some(VerdictGrounds::Shared { papers }),
            against,
            ..base
        },
        (true, true) => IdeaVerdict {
            coded_grounds: Some(VerdictGrounds::NotCertainlyEarlier),
            ..base
        },
        (true, false) => IdeaVerdict {
            coded_grounds: Some(VerdictGrounds::NoPaperHasBoth),
            ..base
        },
    }
}

/// The program's comparisons updated with the model's, for the facets that the idea states.
fn compared(reply: &JudgementReply, material: &IdeaMaterial<'_>, own: &IdeaJudged) -> Vec<Vec<FacetComparison>> {
    let mut all = own.facets.clone();
    for (facets, (one, text)) in all.iter_mut().zip(material.works.iter().zip(material.texts)) {
        let Some(reply) = reply.works.iter().find(|reply| reply.work == one.number) else {
            continue;
        };
        for facet in facets {
            let shared = reply
                .shares
                .iter()
                .filter(|shared| Facet::from(shared.facet) == facet.facet);
            if let Some(passage) = shared.filter_map(|shared| passage(shared, text)).next() {
                facet.status = FacetStatus::Shared;
                facet.passage = Some(passage);
                facet.by_model = true;
            } else if reply.differs.iter().any(|differs| Facet::from(*differs) == facet.facet)
                && facet.status != FacetStatus::Shared
            {
                facet.status = FacetStatus::Different;
                facet.by_model = true;
            }
        }
    }
    all
}

/// Number of quotes in an answer that are found in their works.
fn located(reply: &JudgementReply, material: &IdeaMaterial<'_>) -> usize {
    let text = |number: u32| {
        let at = material.works.iter().position(|one| one.number == number)?;
        material.texts.get(at)
    };
    let shared_quotes = reply
        .works
        .iter()
        .flat_map(|one| one.shares.iter().map(move |shared| (one.work, shared)));
    shared_quotes
        .filter(|(work, shared)| text(*work).is_some_and(|text| passage(shared, text).is_some()))
        .count()
}

/// The source's own characters if the quote is found in it.
fn passage(shared: &SharedReply, text: &QuotableDocument) -> Option<Quote> {
    Quote::cut(text.document(), &text.locate(&shared.work_quote))
}

/// What an answer should satisfy, beyond being usable.
fn is_sound(reply: &JudgementReply, material: &IdeaMaterial<'_>) -> std::result::Result<(), Violation> {
    for one in &reply.works {
        let at = material.works.iter().position(|work| work.number == one.work);
        let Some(text) = at.and_then(|at| material.texts.get(at)) else {
            continue;
        };
        if let Some(lost) = one.shares.iter().find(|shared| passage(shared, text).is_none()) {
            return Err(Violation(format!(
                "this work_quote is not in work {}: {}",
                one.work,
                head(&lost.work_quote)
            )));
        }
    }
    checks::words_between("the reasoning", &reply.reasoning, 30, 160)?;
    let cited = bracketed(&reply.reasoning);
    let passed_over = material
        .works
        .iter()
        .find(|one| one.number <= CLOSEST && !cited.contains(&one.number));
    if let (Some(NoveltyVerdict::Novel), Some(one)) = (verdict::parse(&reply.verdict), passed_over) {
        return Err(Violation(format!(
            "the reasoning of a novel verdict must discuss works 1 to {CLOSEST}, and does not cite [{}]",
            one.number
        )));
    }
    if cited.is_empty() {
        return Err(Violation("the reasoning cites no work by number".to_owned()));
    }
    Ok(())
}

/// How an answer contradicts itself, if it does.
fn trouble(reply: &JudgementReply, material: &IdeaMaterial<'_>) -> Option<String> {
    let given = verdict::parse(&reply.verdict)?;
    if let Some(stance) =
        verdict::stance(&reply.reasoning).filter(|stance| *stance != given && given != NoveltyVerdict::Undecided)
    {
        return Some(format!(
            "the reasoning says {}, the verdict {}",
            stance.name(),
            given.name()
        ));
    }
    let stated = |facet: &Facet| material.idea.facets.iter().any(|one| one.facet == *facet);
    let core: Vec<Facet> = Facet::CORE.into_iter().filter(stated).collect();
    let all_of = |one: &super::answers::WorkReply| {
        let shares = |facet: &Facet| one.shares.iter().any(|shared| Facet::from(shared.facet) == *facet);
        !core.is_empty() && core.iter().all(shares) && one.differs.is_empty()
    };
    match given {
        NoveltyVerdict::Novel => reply.works.iter().find(|one| all_of(one)).map(|one| {
            format!(
                "the verdict is novel, but work {} is said to share every core facet and to differ in none",
                one.work
            )
        }),
        NoveltyVerdict::NotNovel => {
            let near = reply.works.iter().any(|one| {
                let has = |facet| one.shares.iter().any(|shared| Facet::from(shared.facet) == facet) || !stated(&facet);
                has(Facet::Purpose) && has(Facet::Mechanism) && !one.shares.is_empty()
            });
            (!near)
                .then(|| "the verdict is not novel, but no work is said to share both purpose and mechanism".to_owned())
        }
        NoveltyVerdict::Undecided => None,
    }
}

/// The result if the model gave no usable answer.
fn unanswered(own: &IdeaJudged) -> SettledAnswer {
    let verdict = match own.verdict.verdict {
        NoveltyVerdict::Undecided => undecided(VerdictGrounds::NoAnswer),
        _ => own.verdict.clone(),
    };
    SettledAnswer {
        verdict,
        facets: own.facets.clone(),
        lost: 0,
    }
}

/// Combines several answers: the verdict of more than half of them, with the reasoning of the first that gives it; otherwise undecided.
fn together(settled: Vec<SettledAnswer>, own: IdeaJudged) -> IdeaJudged {
    let count = settled.len();
    let mut samples = Vec::new();
    for (number, one) in (1..).zip(&settled) {
        let is_open = one.verdict.verdict == NoveltyVerdict::Undecided;
        samples.push(VerdictSample {
            number,
            verdict: one.verdict.verdict,
            undecided_because: None,
            coded_grounds: one.verdict.coded_grounds.clone().filter(|_| is_open),
        });
    }
    let votes = |verdict| samples.iter().filter(|one| one.verdict == verdict).count();
    let all_verdicts = [
        NoveltyVerdict::Novel,
        NoveltyVerdict::NotNovel,
        NoveltyVerdict::Undecided,
    ];
    let winner = all_verdicts.into_iter().find(|verdict| votes(*verdict) * 2 > count);
    let mut leading = settled;
    let at = leading
        .iter()
        .position(|one| Some(one.verdict.verdict) == winner)
        .unwrap_or_default();
    if leading.is_empty() {
        return own;
    }
    let SettledAnswer {
        mut verdict, facets, ..
    } = leading.swap_remove(at);
    if winner.is_none() {
        verdict = IdeaVerdict {
            second_look: None,
            ..undecided(VerdictGrounds::NoMajority)
        };
    }
    if count > 1 {
        let most = winner.map_or(0, votes);
        verdict.agreement = Some((most as f64 / count as f64 * 1_000.0).round() / 1_000.0);
        verdict.samples = samples;
    }
    IdeaJudged {
        verdict,
        facets,
        examples: own.examples,
    }
}

/// What is shown of a work: its title, and its text from the beginning.
fn excerpt(title: &str, text: &QuotableDocument) -> String {
    let body = running_text(text.document());
    let body = one_line(body.trim_start().strip_prefix(title).unwrap_or(&body));
    let end = body.floor_char_boundary(LONGEST);
    let cut = body.get(..end).unwrap_or_default();
    let cut = if end < body.len() {
        cut.rsplit_once(' ').map_or(cut, |(head, _)| head)
    } else {
        cut
    };
    format!("{}\n{cut}", one_line(title))
}

/// The works under their numbers. Each further sample begins with another work.
fn listed(fence: &Fence, texts: &[String], sample: usize) -> String {
    let numbered: Vec<(usize, &String)> = (1..).zip(texts).collect();
    let turn = (sample * 3) % numbered.len().max(1);
    let (head, tail) = numbered.split_at(turn.min(numbered.len()));
    let shown = tail
        .iter()
        .chain(head)
        .map(|(number, text)| fence.wrap(&format!("work {number}"), text));
    shown.collect::<Vec<_>>().join("\n")
}

impl Worded for IdeaJudged {
    fn without_sentences(mut self, _own: Self) -> Self {
        self.verdict.reasoning = None;
        self
    }
}
