//! What was not searched, read or judged. Shown on the first screen of every report.

use precedent_domain::{AsOf, BaseOrigin, Gap, NotSearched, Paper};

use super::base::Base;
use super::material::PointsReading;
use crate::World;
use crate::model::model_limits;
use crate::retrieve::search::limits as of_search;

/// The general disclaimer of every points report.
pub(super) const DISCLAIMER: &str = "This report compares the paper's contributions only with the papers that were found. What it calls new may appear in a paper \
that was not searched. Its selections are automatic and can be wrong in both directions. It supports a human reader. It is not a reason to reject a paper.";

/// The limits of this run, most important first.
pub(super) fn limits(
    paper: &Paper,
    reading: &PointsReading,
    as_of: Option<&AsOf>,
    base: &Base,
    world: &World,
) -> Vec<NotSearched> {
    let mut found = of_search(paper, &reading.extraction, as_of, &base.outcome(), &world.sources);
    let references = paper.references.len();
    let missing = references.saturating_sub(base.found_references);
    if missing > 0 {
        found.push(Gap::ReferencesNotInSources { missing, references }.into());
    }
    let is_second_order = |origin: &BaseOrigin| matches!(origin, BaseOrigin::SecondOrder { .. });
    if references > 0 && !base.origins.iter().flatten().any(is_second_order) {
        found.push(Gap::SecondOrderNotIncluded.into());
    }
    if base.cut > 0 {
        found.push(Gap::BaseFull { left_out: base.cut }.into());
    }
    if world.model.is_none() {
        found.push(Gap::NoModel.into());
    }
    let at = 1.min(found.len());
    found.splice(at..at, model_limits(world));
    found
}
