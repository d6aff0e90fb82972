//! The survey of the field in two paragraphs, and the findings in three or four.

use std::collections::BTreeMap;

use precedent_domain::{
    Contribution, ContributionComparison, CoverageLevel, Extent, FieldCoverage, Status, Taxonomy, TaxonomyNode,
    TaxonomyPaper,
};
use precedent_language::wording::word_count;
use precedent_llm::{Check, Checks, Violation};
use precedent_text::one_line;
use serde::Serialize;

use super::answers::{NarrativeReply, OverallReply};
use super::taxonomy::members;
use crate::Result;
use crate::assess::analysis::Analysis;
use crate::assess::model::context::CompareContext;
use crate::model::prose::Prose;
use crate::model::texts::{beginning, cut, fenced_claims};
use crate::model::{ModelAnalyst, checks, prose};

/// Works listed for citation.
const LISTED: usize = 60;
/// Comparisons shown for each claim in the request for the findings, and longest quote or note of one, in characters. With three claims these are at
/// most about 9,000 characters.
const SHOWN: usize = 3;
const QUOTED: usize = 300;

#[derive(Serialize)]
struct Narrative {
    mark: String,
    topic: String,
    tree: String,
    works: String,
}

#[derive(Serialize)]
struct Overall {
    mark: String,
    paper: String,
    claims: String,
    facts: String,
    evidence: String,
    works: String,
}

/// Two paragraphs on the field; `None` if the model gives none that pass the rules.
pub(crate) async fn ask_narrative(
    model: &ModelAnalyst,
    context: &CompareContext<'_>,
    tree: &Taxonomy,
) -> Result<Option<Vec<String>>> {
    let works = aliases(context);
    if works.is_empty() {
        return Ok(None);
    }
    let list = listed(context);
    let mut outline = String::new();
    outlined(&tree.root, &root_note(tree), 0, &works, &mut outline);
    let inputs = Narrative {
        mark: context.mark(),
        topic: context.fence.wrap("topic", context.material.topic.unwrap_or_default()),
        tree: context.fence.wrap("tree", &outline),
        works: context.fence.wrap("works", &list),
    };
    let topic = context.material.topic.unwrap_or_default();
    let prose = Prose::of(&[])
        .given([topic, outline.as_str(), list.as_str()])
        .naming(&works);
    let least = works.len().min(3);
    let sound = |reply: &NarrativeReply| {
        if reply.paragraphs.len() != 2 {
            return Err(Violation(format!(
                "there are {} paragraphs and must be exactly 2",
                reply.paragraphs.len()
            )));
        }
        prose.check_paragraphs(&reply.paragraphs)?;
        prose::citations("the narrative", &reply.paragraphs.join("\n"), &works, least)
    };
    let length =
        |reply: &NarrativeReply| checks::words_between("the narrative", &reply.paragraphs.join("\n"), 180, 250);
    let loosely =
        |reply: &NarrativeReply| checks::words_between("the narrative", &reply.paragraphs.join("\n"), 60, 400);
    let must: [Check<'_, NarrativeReply>; 2] = [&sound, &loosely];
    let should: [Check<'_, NarrativeReply>; 1] = [&length];
    let reply = model
        .ask(
            "survey.narrative",
            &inputs,
            Checks {
                must: &must,
                should: &should,
            },
        )
        .await?;
    Ok(reply.map(|reply| trimmed(reply.value.paragraphs)))
}

/// The findings in three or four paragraphs; `None` if the model gives none that pass the rules.
pub(crate) async fn ask_overall(
    model: &ModelAnalyst,
    context: &CompareContext<'_>,
    analysis: &Analysis,
) -> Result<Option<Vec<String>>> {
    if context.material.claims.is_empty() {
        return Ok(None);
    }
    let works = aliases(context);
    let facts = facts(context, analysis);
    let evidence = evidence(context, analysis);
    let list = listed(context);
    let claims: Vec<&Contribution> = context.material.claims.iter().collect();
    let inputs = Overall {
        mark: context.mark(),
        paper: context.fence.wrap("paper", &beginning(context.material.paper)),
        claims: fenced_claims(&claims, &context.fence),
        facts: context.fence.wrap("facts", &facts),
        evidence: context.fence.wrap("evidence", &evidence),
        works: context.fence.wrap("works", &list),
    };
    let prose = Prose::of(&[context.target])
        .given([facts.as_str(), evidence.as_str(), list.as_str()])
        .naming(&works);
    let sound = |reply: &OverallReply| {
        if !(3..=4).contains(&reply.paragraphs.len()) {
            return Err(Violation(format!(
                "there are {} paragraphs and must be 3 or 4",
                reply.paragraphs.len()
            )));
        }
        prose.check_paragraphs(&reply.paragraphs)?;
        let length = |text| checks::words_between("a paragraph", text, 15, 120);
        reply.paragraphs.iter().try_for_each(|text: &String| length(text))
    };
    let length = |reply: &OverallReply| {
        reply
            .paragraphs
            .iter()
            .try_for_each(|text| checks::words_between("a paragraph", text, 40, 70))
    };
    let must: [Check<'_, OverallReply>; 1] = [&sound];
    let should: [Check<'_, OverallReply>; 1] = [&length];
    let reply = model
        .ask(
            "assess.overall",
            &inputs,
            Checks {
                must: &must,
                should: &should,
            },
        )
        .await?;
    Ok(reply.map(|reply| trimmed(reply.value.paragraphs)))
}

fn trimmed(paragraphs: Vec<String>) -> Vec<String> {
    paragraphs.into_iter().map(|text| one_line(&text)).collect()
}

/// The works that may be cited: aliases by number.
fn aliases(context: &CompareContext<'_>) -> BTreeMap<u32, String> {
    let priors = context.set.priors().iter().take(LISTED);
    priors
        .map(|prior| (prior.candidate.number, prior.candidate.alias.clone()))
        .collect()
}

fn listed(context: &CompareContext<'_>) -> String {
    let lines = context.set.priors().iter().take(LISTED).map(|prior| {
        let candidate = prior.candidate;
        format!(
            "{}[{}] {}",
            candidate.alias,
            candidate.number,
            one_line(&candidate.work.title)
        )
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// What the root contains, in the words that models are sent. They differ from those of the report: with another wording, recorded runs cannot be
/// replayed.
fn root_note(tree: &Taxonomy) -> String {
    let papers = members(&tree.root);
    match papers.iter().filter(|paper| paper.candidate().is_some()).count() {
        0 => "The paper alone: no work was found for its core task.".to_owned(),
        1 => "The paper and the one work found for its core task.".to_owned(),
        works => format!("The paper and the {works} works most similar to its core task."),
    }
}

fn outlined(node: &TaxonomyNode, note: &str, level: usize, works: &BTreeMap<u32, String>, out: &mut String) {
    let indent = "  ".repeat(level);
    out.push_str(&format!("{indent}{}: {note}\n", node.name));
    for paper in &node.papers {
        match paper {
            TaxonomyPaper::Target => out.push_str(&format!("{indent}  (the paper in question)\n")),
            TaxonomyPaper::Candidate(number) => {
                if let Some(alias) = works.get(number) {
                    out.push_str(&format!("{indent}  {alias}[{number}]\n"));
                }
            }
        }
    }
    for child in &node.subtopics {
        outlined(child, &child.scope_note, level + 1, works, out);
    }
}

/// Whether the sources cover the field of the paper.
fn covered(coverage: FieldCoverage) -> String {
    let level = match coverage.level {
        CoverageLevel::Covered => "the sources have works on the topic of the paper",
        CoverageLevel::Thin => "the sources may cover little of the field of the paper",
        _ => "no work in the sources is similar to the paper as a whole",
    };
    format!(
        "Coverage: {level}. Similar to the paper as a whole: {} of {} works.",
        coverage.near, coverage.works
    )
}

/// The node at the end of a path of names that begins with the root's.
fn leaf<'t>(root: &'t TaxonomyNode, path: &[String]) -> Option<&'t TaxonomyNode> {
    let mut node = root;
    for name in path.iter().skip_while(|name| **name == root.name) {
        node = node.subtopics.iter().find(|one| one.name == *name)?;
    }
    Some(node)
}

/// For each claim, the comparisons that matter most, with level, reason and the most similar pair of passages.
fn evidence(context: &CompareContext<'_>, analysis: &Analysis) -> String {
    let mut lines = Vec::new();
    for claim in context.material.claims {
        // They are in reading order: anticipating works first, then those that need review.
        let of_claim = analysis.comparisons.iter();
        let of_claim = of_claim
            .filter(|one| one.contribution == claim.number && one.near)
            .take(SHOWN);
        let mut compared = of_claim.filter_map(|one| compared(one, context)).peekable();
        lines.push(match compared.peek() {
            Some(_) => format!("Claim {}:", claim.number),
            None => format!("Claim {}: no work is similar to it.", claim.number),
        });
        lines.extend(compared);
    }
    lines.join("\n")
}

fn compared(one: &ContributionComparison, context: &CompareContext<'_>) -> Option<String> {
    let candidate = context.prior(one.candidate)?.candidate;
    let level = match one.status {
        Status::CanRefute => "found in this work",
        Status::Unclear if one.too_little => "not assessable",
        Status::Unclear => "similar, needs review",
        Status::CannotRefute => "not found in this work",
    };
    let read = match one.compared {
        Extent::FullText => "full text",
        Extent::Abstract => "abstract only",
        Extent::TitleOnly => "title only",
    };
    let mut text = format!("{}[{}], {read}: {level}.", candidate.alias, candidate.number);
    let reason = one.downgraded.as_ref().unwrap_or(&one.note);
    text.push_str(&format!(" Reason: {}", cut(&one_line(reason), QUOTED)));
    if let Some(pair) = one.evidence.first() {
        text.push_str(&format!(
            "\n  The paper: {}\n  The work: {}",
            cut(&one_line(pair.target.text()), QUOTED),
            cut(&one_line(pair.candidate.text()), QUOTED)
        ));
    }
    Some(text)
}

/// The program's counts in plain lines. The findings may use no other figures.
fn facts(context: &CompareContext<'_>, analysis: &Analysis) -> String {
    let found = context.material.found;
    let total = found.candidates.len();
    let full = found
        .texts
        .iter()
        .filter(|text| text.document.extent == Extent::FullText)
        .count();
    let works: Vec<String> = found
        .sources
        .iter()
        .filter_map(|source| source.works)
        .map(|works| works.to_string())
        .collect();
    let mut lines = vec![format!(
        "Works in the sources searched: {}. Works compared: {total}, of them {full} with their full text.",
        if works.is_empty() {
            "not known".to_owned()
        } else {
            works.join(" and ")
        }
    )];
    lines.extend(analysis.coverage.map(covered));
    if let Some(position) = &analysis.position {
        lines.push(format!(
            "Position in the taxonomy: {}. Works in the same leaf: {}.",
            position.path.join(" > "),
            position.siblings.len()
        ));
        let leaf = analysis
            .taxonomy
            .as_ref()
            .and_then(|tree| leaf(&tree.root, &position.path));
        let note = leaf
            .map(|leaf| one_line(&leaf.scope_note))
            .filter(|note| !note.is_empty());
        lines.extend(note.map(|note| format!("Scope of the leaf: {note}")));
    }
    for claim in context.material.claims {
        let of = |status: Status| {
            let all = analysis.comparisons.iter();
            all.filter(|one| one.contribution == claim.number && one.status == status)
                .collect::<Vec<_>>()
        };
        let found_in = of(Status::CanRefute);
        let named: Vec<String> = found_in
            .iter()
            .take(5)
            .map(|one| format!("[{}]", one.candidate))
            .collect();
        lines.push(format!(
            "Claim {}: {}. Found in {} works{}; similar, needs review in {}; not found in {}.",
            claim.number,
            claim.name,
            found_in.len(),
            if named.is_empty() {
                String::new()
            } else {
                format!(" ({})", named.join(", "))
            },
            of(Status::Unclear).len(),
            of(Status::CannotRefute).len()
        ));
    }
    let shared = analysis.overlap.unexplained();
    lines.push(format!(
        "Works that share longer passages of text with the paper: {shared}."
    ));
    lines.push(format!(
        "Similar works missing from the reference list: {}.",
        analysis.missing_citations.len()
    ));
    debug_assert!(lines.iter().all(|line| word_count(line) > 0));
    lines.join("\n")
}
