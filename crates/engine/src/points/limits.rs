//! What was not searched, read or judged. Shown on the first screen of every report.

use precedent_domain::{AsOf, BaseOrigin, NotSearched, NotSearchedKind, Paper};

use super::base::Base;
use super::material::PointsReading;
use crate::World;
use crate::gaps::{RunSubject, UNCLEAR_BY_WORDING, limits as of_search, model_limits};

/// The general disclaimer of every points report.
pub(super) const DISCLAIMER: &str = "This report compares the paper's contributions only with the papers that were found. What it calls new may appear in a paper \
that was not searched. Its selections are automatic and can be wrong in both directions. It supports a human reader. It is not a reason to reject a paper.";

/// Adapts the messages of a search from claims to points.
const WORDS: [(&str, &str); 4] = [
    ("nor a claim was found", "nor a point was found"),
    ("similar to the claims", "similar to the points"),
    (
        "no claim was compared with prior work",
        "no point was compared with prior work",
    ),
    ("no claim was compared", "no point was compared"),
];

/// The limits of this run, most important first.
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
        // "Claim 2: …". Other messages can start with the name of a file.
        if let Some(rest) = one.message.strip_prefix("Claim ")
            && rest.starts_with(|c: char| c.is_ascii_digit())
        {
            one.message = format!("Point {rest}");
        }
    }
    // Points reports have no statuses.
    found.retain(|one| one.message != UNCLEAR_BY_WORDING);
    let open = paper.references.len().saturating_sub(base.found_references);
    if open > 0 {
        let message = format!(
            "The searched sources do not contain {open} of the paper's {} references.",
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
        let message = "Papers cited by the paper's references were not included.";
        found.push(say(NotSearchedKind::SourceNotAsked, message.to_owned()));
    }
    if base.cut > 0 {
        let message = format!(
            "The literature base reached its capacity. Papers left out: {}.",
            base.cut
        );
        found.push(say(NotSearchedKind::CutOff, message));
    }
    if world.model.is_none() {
        let message =
            "No model was used. The points were compared by words alone, and there is no summary and no score.";
        found.push(say(NotSearchedKind::NotJudged, message.to_owned()));
    }
    let at = 1.min(found.len());
    found.splice(at..at, model_limits(world, RunSubject::Paper));
    found
}
