//! What was not searched, read or judged for an idea. Shown on the first screen of its reports.

use precedent_domain::{Extent, Gap, IdeaWork, ListwiseRecord, NotSearched, Timing};

use super::collect::Collected;
use super::options::IdeaOptions;
use super::order::Ordered;
use super::similarity::{MostSimilar, NEAREST};
use crate::World;
use crate::model::model_limits;
use crate::retrieve::search::{doubted, source_failures};
use crate::retrieve::search::{left_out_of, other_sources};

/// Disclaimer of every report on an idea.
pub(super) const DISCLAIMER: &str = "This report compares the idea with the papers that were found, and with no others. An idea that differs from all of them may still appear \
in a paper that was not searched. The selections are automatic and can be wrong in both directions. This report supports a human reader and does not replace one.";

/// The limits of this run, most important first.
pub(super) fn limits(
    found: &Collected,
    nearest: &MostSimilar,
    ordered: &Ordered,
    works: &[IdeaWork],
    options: &IdeaOptions,
    world: &World,
) -> Vec<NotSearched> {
    let mut limits: Vec<NotSearched> = vec![match options.given.is_some() {
        true => Gap::GivenPapersOnly { papers: found.merged }.into(),
        false => other_sources(&world.sources).into(),
    }];
    limits.extend(model_limits(world));
    limits.extend(ordered.sources.iter().flat_map(source_failures));
    limits.extend(nearest.failed.clone().map(NotSearched::from));
    limits.extend(left_out_of(&world.sources));
    limits.extend(found.not_searched.iter().cloned());
    let papers = works.len();
    let missing = works.iter().filter(|one| one.work.extent != Extent::FullText).count();
    let open = works.iter().filter(|one| one.timing != Timing::Earlier).count();
    let gaps = [
        options.as_of.is_none().then_some(Gap::IdeaUndated),
        (missing > 0).then_some(Gap::NoFullText { missing, papers }),
        (open > 0).then_some(Gap::MayNotBeEarlier { open, papers }),
        (found.without_text > 0).then_some(Gap::WithoutText {
            papers: found.without_text,
        }),
    ];
    limits.extend(gaps.into_iter().flatten().map(NotSearched::from));
    limits.extend(doubted(
        works.iter().map(|one| (one.alias.as_str(), one.number, &one.work)),
    ));
    let cut = found.works.len().saturating_sub(NEAREST);
    if cut > 0 {
        limits.push(Gap::BeyondMostSimilar { cut, limit: NEAREST }.into());
    }
    let faults = |counts: &ListwiseRecord| counts.unanswered + counts.missing + counts.doubled + counts.unknown;
    if let Some(counts) = ordered.listwise.filter(|counts| faults(counts) > 0) {
        limits.push(Gap::RankingIncomplete { counts }.into());
    }
    if world.model.is_none() {
        limits.push(Gap::NoModel.into());
    }
    limits
}
