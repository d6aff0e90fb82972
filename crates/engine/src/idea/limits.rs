//! What was not searched, read or judged for an idea. Shown on the first screen of its reports.

use precedent_domain::{Extent, IdeaWork, NotSearched, NotSearchedKind, Timing};
use precedent_language::wording::agreeing;

use super::collect::Collected;
use super::order::Ordered;
use super::pipeline::IdeaOptions;
use super::similarity::{NEAREST, Nearest};
use crate::World;
use crate::gaps::{RunSubject, model_limits, sources_asked};
use crate::retrieve::search::{doubted, source_failures};

/// Disclaimer of every report on an idea.
pub(super) const DISCLAIMER: &str = "This report compares the idea with the papers that were found, and with no others. An idea that differs from all of them may still appear \
in a paper that was not searched. The selections are automatic and can be wrong in both directions. This report supports a human reader and does not replace one.";

/// The limits of this run, most important first.
pub(super) fn limits(
    found: &Collected,
    nearest: &Nearest,
    ordered: &Ordered,
    works: &[IdeaWork],
    options: &IdeaOptions,
    world: &World,
) -> Vec<NotSearched> {
    let mut limits = Vec::new();
    let mut say = |kind, message: String| {
        limits.push(NotSearched {
            kind,
            message,
            scope: None,
        });
    };
    if options.given.is_some() {
        let message = format!(
            "Nothing was searched: the idea was compared with the {} given with it.",
            agreeing(found.merged, "paper", "papers")
        );
        say(NotSearchedKind::SourceNotAsked, message);
    } else {
        let elsewhere: Vec<&str> = world
            .sources
            .iter()
            .filter(|source| source.is_metered())
            .map(|source| source.name())
            .collect();
        say(
            NotSearchedKind::SourceNotAsked,
            sources_asked(&ordered.sources, &elsewhere),
        );
    }
    for one in model_limits(world, RunSubject::Idea) {
        say(one.kind, one.message);
    }
    for source in &ordered.sources {
        for failure in source_failures(source) {
            say(NotSearchedKind::SourceFailed, failure);
        }
    }
    if let Some(failed) = &nearest.failed {
        say(NotSearchedKind::NotJudged, format!("{failed}."));
    }
    for message in world.sources.iter().flat_map(|source| source.left_out()) {
        say(NotSearchedKind::SourcePart, message);
    }
    for one in &found.not_searched {
        say(one.kind, one.message.clone());
    }
    if options.as_of.is_none() {
        let message =
            "The idea has no date, so every paper found counts as earlier. Give a date to exclude later papers.";
        say(NotSearchedKind::TargetUndated, message.to_owned());
    }
    let of_works = |count: usize| agreeing(count, "paper", "papers");
    let bare = works.iter().filter(|one| one.work.extent != Extent::FullText).count();
    if bare > 0 {
        let message = format!(
            "{bare} of {} {} known by title and abstract only.",
            of_works(works.len()),
            if bare == 1 { "is" } else { "are" }
        );
        say(NotSearchedKind::AbstractOnly, message);
    }
    let open = works.iter().filter(|one| one.timing != Timing::Earlier).count();
    if open > 0 {
        let message = format!(
            "{open} of {} may not be earlier than the date given, so {} not counted as prior art.",
            of_works(works.len()),
            if open == 1 { "it is" } else { "they are" }
        );
        say(NotSearchedKind::Undated, message);
    }
    if found.without_text > 0 {
        let message = format!(
            "{} without a title or an abstract could not be compared with the idea.",
            of_works(found.without_text)
        );
        say(NotSearchedKind::CutOff, message);
    }
    for one in doubted(works.iter().map(|one| (one.alias.as_str(), one.number, &one.work))) {
        say(one.kind, one.message);
    }
    let beyond = found.works.len().saturating_sub(NEAREST);
    if beyond > 0 {
        let message = format!(
            "{} found but not considered (limit: the {NEAREST} most similar).",
            of_works(beyond)
        );
        say(NotSearchedKind::CutOff, message);
    }
    if let Some(record) = ordered
        .listwise
        .filter(|record| record.unanswered + record.missing + record.doubled + record.unknown > 0)
    {
        let message = format!(
            "Ranking by the model: {} of {} windows had no usable answer and kept their order. Counts in the other answers: papers missing {}, numbers \
repeated {}, numbers of no paper {}. Missing papers follow in their previous order.",
            record.unanswered, record.windows, record.missing, record.doubled, record.unknown
        );
        say(NotSearchedKind::NotJudged, message);
    }
    if world.model.is_none() {
        let message = "No model was used. Whether a paper describes the idea in other words needs a human reader.";
        say(NotSearchedKind::NotJudged, message.to_owned());
    }
    limits
}
