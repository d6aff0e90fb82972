//! How points and comparisons are shown to a model.

use std::fmt::Write;

use precedent_domain::{CitedSentence, PointAnalysis, PointClass};
use precedent_llm::Fence;
use precedent_text::one_line;

use crate::points::{PointDraft, PointsMaterial};

/// A point with everything the paper says about it.
pub(crate) fn point(fence: &Fence, number: usize, point: &PointDraft) -> String {
    fence.wrap(&format!("point {number}"), &words(point))
}

fn words(point: &PointDraft) -> String {
    let mut text = format!(
        "{}\nClass: {}\nClaim: {}",
        point.name,
        point.class.name(),
        one_line(point.claim.text())
    );
    for quote in point.also_stated.iter().chain(&point.said_of_it) {
        // Writing into a string cannot fail.
        let _ = write!(text, "\nThe paper also says: {}", one_line(quote.text()));
    }
    for (name, reply) in [("How", &point.how), ("Evidence", &point.evidence)] {
        if !reply.is_empty() {
            let _ = write!(text, "\n{name}: {reply}");
        }
    }
    text
}

/// The questions for part d), by class (NoveltyAgent, A.2).
pub(crate) fn questions(class: PointClass) -> &'static str {
    match class {
        PointClass::Methodological => {
            "For details: how is the difference implemented, step by step? What benefit is claimed, and which experiment or comparison shows it?"
        }
        PointClass::Theoretical => {
            "For details: what exactly is stated, and what follows from it? Is it proved, derived or assumed?"
        }
        PointClass::System => {
            "For details: which practical need does the system meet, and with which part of its design? What shows that it works: measurements or a case study?"
        }
        PointClass::Dataset => {
            "For details: what does this resource have that earlier ones lack, in size, type or quality? Which new questions does it allow?"
        }
        PointClass::Empirical => {
            "For details: what is the finding, and does it confirm, refine or contradict earlier findings? How does the study design support it?"
        }
        PointClass::Task => {
            "For details: why does the problem matter, and why is it hard? How is it formulated and scored, and what is new about applying known methods to it?"
        }
    }
}

/// The comparisons, point by point, without citations, as input of the summary.
pub(crate) fn comparisons(fence: &Fence, material: &PointsMaterial<'_>, analyses: &[Option<PointAnalysis>]) -> String {
    let fenced = (1..)
        .zip(&material.reading.points)
        .zip(analyses)
        .map(|((number, point), analysis)| {
            let mut text = words(point);
            let part = |name: &str, sentences: &[CitedSentence]| match sentences.is_empty() {
                true => format!("\n{name}: none found"),
                false => {
                    let reply: Vec<&str> = sentences.iter().map(|one| one.text.as_str()).collect();
                    format!("\n{name}: {}", reply.join(" "))
                }
            };
            match analysis {
                Some(one) => {
                    text.push_str(&part("Similarities", &one.similarities));
                    text.push_str(&part("Differences", &one.differences));
                    text.push_str(&part("Details", &one.details));
                }
                None => text.push_str("\nNot compared."),
            }
            fence.wrap(&format!("point {number}"), &text)
        });
    fenced.collect::<Vec<_>>().join("\n")
}
