//! What was not searched, read or judged. Stands on the first screen of every report.

use precedent_domain::{AsOf, BaseOrigin, NotSearched, NotSearchedKind, Paper};

use super::base::Base;
use super::material::PointsReading;
use crate::World;
use crate::pipelines::assess::{UNCLEAR_BY_WORDING, limits as of_search, model_limits};

/// What every report on points says of itself.
pub(super) const DISCLAIMER: &str = "This report sets what the paper offers as new beside the works that were found, and beside no others: what it calls new may stand in a work \
that was not searched. Its selections are made by program and can be wrong in both directions. It is meant to help somebody who reads; it is no ground for rejecting a paper.";

/// What a search says of claims, said of points.
const WORDS: [(&str, &str); 5] = [
    ("For claim ", "For point "),
    ("claim's novelty", "point's novelty"),
    ("similar to the claims", "similar to the points"),
    (
        "no claim was set beside prior work",
        "no point was set beside prior work",
    ),
    ("no claim was compared", "no point was compared"),
];

/// What limits this run, most important first.
pub(super) fn limits(
    paper: &Paper,
    reading: &PointsReading,
    as_of: Option<&AsOf>,
    base: &Base,
    world: &World,
) -> Vec<NotSearched> {
    let mut found = of_search(paper, &reading.extraction, as_of, &base.outcome(), &world.sources);
    let say = |kind, message: String| NotSearched {
        kind,
        message,
        scope: None,
    };
    for one in &mut found {
        for (claims, points) in WORDS {
            one.message = one.message.replace(claims, points);
        }
    }
    // Statuses there are none here.
    found.retain(|one| one.message != UNCLEAR_BY_WORDING);
    let open = paper.references.len().saturating_sub(base.found_references);
    if open > 0 {
        let message = format!(
            "{open} of the paper's {} references are not among what was searched.",
            paper.references.len()
        );
        found.push(say(NotSearchedKind::CutOff, message));
    }
    let looked_through = base
        .origins
        .iter()
        .flatten()
        .any(|one| matches!(one, BaseOrigin::SecondOrder { .. }));
    if !paper.references.is_empty() && !looked_through {
        let message = "What the paper's references cite in their turn was not looked through.";
        found.push(say(NotSearchedKind::SourceNotAsked, message.to_owned()));
    }
    if base.cut > 0 {
        let message = format!("{} works beyond the capacity of the base were left out.", base.cut);
        found.push(say(NotSearchedKind::CutOff, message));
    }
    if world.analyst.asked().is_none() {
        let message =
            "No model took part: the points are compared by words alone, nothing is summed up, and no score is given.";
        found.push(say(NotSearchedKind::NotJudged, message.to_owned()));
    }
    let at = 1.min(found.len());
    found.splice(at..at, model_limits(world));
    found
}
