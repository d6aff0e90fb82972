use std::sync::Arc;

use async_trait::async_trait;
use precedent_domain::{Assessment, Paper, SectionKind, Status, Timing, Work};
use precedent_llm::{Answerer, Ask, AskUsage, Completion, Finish, LlmError, Usage};
use precedent_scripted::{Question, Say, Shape};

use crate::World;
use crate::assess::{AssessOptions, assess};
use crate::model::{ModelAnalyst, ModelSettings};
use crate::sample::{FixedSource, kelp_paper, kelp_works, paper_of, world_of};

/// Answers from a script, without a network.
pub(super) struct StandIn<F>(pub(super) F);

#[async_trait]
impl<F: Fn(&Question) -> Say + Send + Sync> Answerer for StandIn<F> {
    async fn complete(&self, ask: &Ask, taken: &mut AskUsage) -> Result<Completion, LlmError> {
        let outcome = self.reply(ask);
        taken.count(ask, &outcome);
        outcome
    }
}

impl<F: Fn(&Question) -> Say + Send + Sync> StandIn<F> {
    fn reply(&self, ask: &Ask) -> Result<Completion, LlmError> {
        let question = Question {
            number: 0,
            prompt: ask
                .system
                .lines()
                .find_map(|line| line.strip_prefix("Task: "))
                .unwrap_or_default()
                .to_owned(),
            shape: Shape::OpenAi,
            model: "model".to_owned(),
            system: ask.system.clone(),
            turns: ask.turns.iter().map(|turn| turn.text.clone()).collect(),
            temperature: None,
            schema: None,
            headers: Vec::new(),
            bytes: 0,
            body: format!(
                "{}{}",
                ask.system,
                ask.turns.iter().map(|turn| turn.text.as_str()).collect::<String>()
            ),
            cached: 0,
            written: 0,
            marked: None,
        };
        let provider = || "scripted".to_owned();
        let whole = |text: String, finish| {
            Ok(Completion {
                usage: Usage {
                    input: 100,
                    cached: 0,
                    written: 0,
                    output: 10,
                },
                text,
                finish,
            })
        };
        match (self.0)(&question) {
            Say::Text(text) => whole(text, Finish::Whole),
            Say::CutOff(text) => whole(text, Finish::CutOff),
            Say::Refusal => Err(LlmError::Refused {
                provider: provider(),
                message: String::new(),
            }),
            Say::Wait(..) => Err(LlmError::RateLimited {
                provider: provider(),
                wait: None,
            }),
            Say::Status(413, _) => Err(LlmError::TooLong {
                provider: provider(),
                message: String::new(),
            }),
            Say::Status(status, _) => Err(LlmError::Overloaded {
                provider: provider(),
                status,
            }),
            Say::Raw(bytes) => Err(LlmError::Unreadable {
                provider: provider(),
                why: format!("{} bytes", bytes.len()),
            }),
            Say::Hangup | Say::Bytes(_) | Say::Silence(_) => Err(LlmError::Overloaded {
                provider: provider(),
                status: 0,
            }),
        }
    }
}

/// A claim of the paper that also appears verbatim in the full text of an earlier work.
pub(super) const PLANTED: &str =
    "We prove that the regression is unbiased when swell and colour are measured on different days.";

/// The sample field, with the full text of one work.
pub(super) fn fixed_source(works: Vec<Work>, body: &str) -> FixedSource {
    let proof = format!("{PLANTED} {body}");
    let text = paper_of(
        "Growth Forecasting for Kelp Farms from Satellite Colour",
        Some("2016"),
        &[
            (
                "Abstract",
                SectionKind::Abstract,
                &[
                    "We forecast kelp biomass from satellite ocean colour. A seasonal regression explains most of the harvests.",
                ],
            ),
            (
                "Introduction",
                SectionKind::Introduction,
                &[
                    "Kelp farms need forecasts of their harvests weeks ahead of the season.",
                    "Satellite colour has been used for algae before.",
                ],
            ),
            (
                "Analysis",
                SectionKind::Method,
                &[proof.trim(), "The terms of the regression are listed in a table."],
            ),
        ],
    );
    let mut fixed_source = FixedSource::new(works);
    fixed_source.full = vec![("k:dorn".to_owned(), text.document)];
    fixed_source
}

/// A run in which `script` plays the model.
pub(super) async fn run(
    paper: Paper,
    works: Vec<Work>,
    settings: ModelSettings,
    script: impl Fn(&Question) -> Say + Send + Sync + 'static,
) -> Assessment {
    let world = world(works, "", settings, script).await;
    assess(paper, AssessOptions::default(), &world).await.unwrap()
}

/// The port to a model that `script` plays.
pub(crate) fn scripted(
    script: impl Fn(&Question) -> Say + Send + Sync + 'static,
    settings: ModelSettings,
) -> Arc<ModelAnalyst> {
    Arc::new(ModelAnalyst::scripted(Arc::new(StandIn(script)), settings))
}

/// A world in which `script` plays the model and the full text contains `body`.
pub(super) async fn world(
    works: Vec<Work>,
    body: &str,
    settings: ModelSettings,
    script: impl Fn(&Question) -> Say + Send + Sync + 'static,
) -> World {
    let mut world = world_of(vec![fixed_source(works, body)]).await;
    world.model = Some(scripted(script, settings));
    world
}

pub(super) async fn sample(script: impl Fn(&Question) -> Say + Send + Sync + 'static) -> Assessment {
    run(kelp_paper(), kelp_works(), ModelSettings::default(), script).await
}

/// Invariants of every report, whatever a model said.
pub(super) fn holds(found: &Assessment, paper: &Paper, body: &str, what: &str) {
    let known: Vec<u32> = found.references.candidates.iter().map(|one| one.number).collect();
    let planted = fixed_source(Vec::new(), body).full.remove(0).1;
    for claim in &found.contribution_analysis.contributions {
        assert!(claim.claim.is_in(&paper.document), "{what}: {claim:#?}");
    }
    for one in &found.contribution_analysis.comparisons {
        assert!(known.contains(&one.candidate), "{what}: {one:#?}");
        let candidate = found
            .references
            .candidates
            .iter()
            .find(|known| known.number == one.candidate)
            .unwrap();
        for pair in &one.evidence {
            assert!(pair.target.is_in(&paper.document), "{what}: {pair:#?}");
            let summary =
                precedent_domain::Document::from_abstract(&candidate.work.title, candidate.work.summary.as_deref());
            assert!(
                pair.candidate.is_in(&planted) || pair.candidate.is_in(&summary),
                "{what}: {pair:#?}"
            );
        }
        if one.status == Status::CanRefute {
            assert!(!one.evidence.is_empty(), "{what}: {one:#?}");
            assert_eq!(candidate.timing, Timing::Earlier, "{what}");
            assert_eq!(one.compared, precedent_domain::Extent::FullText, "{what}");
        }
    }
    if let Some(tree) = &found.core_task_survey.taxonomy {
        let mut open = vec![&tree.root];
        while let Some(node) = open.pop() {
            for paper in &node.papers {
                if let precedent_domain::TaxonomyPaper::Candidate(number) = paper {
                    assert!(known.contains(number), "{what}: {node:#?}");
                }
            }
            open.extend(&node.subtopics);
        }
    }
    for reply in model_texts(found) {
        let lower = reply.to_lowercase();
        for sign in [
            "://",
            "www.",
            "evil",
            "<script",
            "<img",
            "javascript:",
            "](",
            "/etc/",
            "tool_call",
            "reject this",
            "not novel",
            "99999",
            "shown all of this in 1999",
        ] {
            assert!(!lower.contains(sign), "{what}: {sign} in {reply:?}");
        }
        assert!(
            !reply.chars().any(|c| c == '\u{202e}' || c == '\u{200b}' || c == '\0'),
            "{what}: {reply:?}"
        );
    }
}

/// Every text in a report that a model may have written.
fn model_texts(found: &Assessment) -> Vec<String> {
    let mut texts: Vec<String> = Vec::new();
    let analysis = &found.contribution_analysis;
    for claim in &analysis.contributions {
        texts.push(claim.name.clone());
        texts.push(claim.description.clone());
    }
    for one in &analysis.comparisons {
        texts.push(one.note.clone());
        texts.extend(one.evidence.iter().map(|pair| pair.rationale.clone()));
    }
    texts.extend(analysis.coded_notes.iter().map(|note| format!("{note:?}")));
    texts.extend(analysis.overall_assessment.iter().flatten().cloned());
    let survey = &found.core_task_survey;
    texts.extend(survey.narrative.iter().flatten().cloned());
    texts.extend(survey.one_liners.iter().filter_map(|line| line.text.clone()));
    texts.extend(survey.core_task.iter().map(|task| task.phrase.clone()));
    texts.extend(found.metadata.queries.iter().map(|query| query.text.clone()));
    texts.extend(found.metadata.not_searched.iter().map(|one| one.message.clone()));
    if let Some(tree) = &survey.taxonomy {
        let mut open = vec![&tree.root];
        while let Some(node) = open.pop() {
            texts.extend([node.name.clone(), node.scope_note.clone(), node.exclude_note.clone()]);
            open.extend(&node.subtopics);
        }
    }
    if let Some(position) = &found.core_task_comparisons.position {
        texts.extend(position.siblings.iter().map(|one| one.distinction.clone()));
        if let Some(beside) = &position.neighbours {
            texts.push(beside.overall.clone());
            texts.extend(
                beside
                    .similarities
                    .iter()
                    .chain(&beside.differences)
                    .chain(&beside.suggested_directions)
                    .cloned(),
            );
        }
    }
    texts
}

/// Whether a prompt belongs to assessments.
pub(super) fn is_of_assessments(id: &str) -> bool {
    let stage = id.split('.').next().unwrap_or_default();
    !["idea", "points", "audit", "rank", "review"].contains(&stage)
}
