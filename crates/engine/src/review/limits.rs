//! What a review did not search, read or judge. Shown on the first screen of its reports.

use precedent_domain::{
    AsOf, EvidenceKind, Gap, KnowledgePiece, KnowledgeRole, NotSearched, NotSearchedKind, ReadWarningKind, SourceReport,
};

use super::cutoff::may_bear;
use super::material::ReviewOptions;
use super::parts::Subject;
use super::reading::Pieces;
use super::search::{Found, OWN, kinds};
use crate::World;
use crate::board::mean;
use crate::model::{model_incomplete, model_limits};
use crate::retrieve::search::{doubted, source_failures};
use crate::retrieve::search::{is_of_a_part, left_out_of, other_sources};

/// Disclaimer of every review.
pub(super) const DISCLAIMER: &str = "This review compares the idea with what was found in the sources named, and with nothing else. Other sources may contain the idea or evidence against it. \
The selections are automatic. Any judgements come from a model, which can be wrong in both directions. This review supports a human decision and does not replace one.";

/// How many top papers the mean similarity is taken over, and the mean below which the idea's field is hardly covered. Measured with sixteen papers
/// against abstracts of computer science. Of ten papers of that field, nine reached .30 or more and one from 1987 reached .20. Of six papers of other
/// fields, two reached .35 or more, two reached .29 and two reached .24 or less.
const NEAREST: usize = 5;
const FAR: f64 = 0.27;

/// A warning that the sources hardly cover the idea's field, if even the closest papers are not similar to it.
fn far(found: &Found, pieces: &Pieces) -> Option<Gap> {
    if found.semantic_by != OWN {
        return None;
    }
    let papers = pieces
        .pieces
        .iter()
        .filter(|piece| piece.kind == EvidenceKind::Literature && may_bear(piece));
    let mut near: Vec<f64> = papers.map(|piece| piece.semantic).collect();
    near.sort_by(|a, b| b.total_cmp(a));
    near.truncate(NEAREST);
    let mean = mean(near.iter().copied())?;
    (mean < FAR).then_some(Gap::ClosestNotSimilar {
        papers: near.len(),
        mean,
    })
}

/// The limits of this run, most important first.
pub(super) fn limits(
    subject: &Subject<'_>,
    found: &Found,
    pieces: &Pieces,
    sources: &[SourceReport],
    as_of: Option<&AsOf>,
    options: &ReviewOptions,
    world: &World,
) -> Vec<NotSearched> {
    let mut limits: Vec<NotSearched> = Vec::new();
    if world.model.is_none() {
        limits.push(Gap::NoModel.into());
    }
    limits.extend(far(found, pieces).map(NotSearched::from));
    limits.push(other_sources(&world.sources).into());
    limits.extend(kinds_not_searched(&kinds(world)).map(NotSearched::from));
    limits.extend(sources.iter().flat_map(source_failures));
    let failed = found.failed.iter().chain(&found.reranker_failed);
    limits.extend(failed.cloned().map(NotSearched::from));
    if found.unjudged > 0 {
        let records = found.unjudged;
        limits.push(Gap::RelevanceNotJudged { records }.into());
    }
    limits.extend(left_out_of(&world.sources));
    if as_of.is_none() {
        limits.push(Gap::IdeaUndated.into());
    }
    limits.extend(pieces.not_searched.iter().cloned());
    limits.extend(known_in_part(pieces).map(NotSearched::from));
    let is_open = |piece: &&KnowledgePiece| piece.role == KnowledgeRole::Marked && !piece.own;
    let open = pieces.pieces.iter().filter(is_open).count();
    if open > 0 {
        limits.push(Gap::DocumentsMayNotBeEarlier { open }.into());
    }
    let bears = |kind| is_of_a_part(kind) || kind == ReadWarningKind::MayNotBeAPaper;
    let warnings = subject.paper.iter().flat_map(|paper| &paper.warnings);
    for warning in warnings.filter(|warning| bears(warning.kind)) {
        limits.push(NotSearched::of_reading(warning));
    }
    if subject.idea.statements.is_empty() {
        limits.push(Gap::NoStatements.into());
    } else if !subject.idea.missing.is_empty() {
        let parts = subject.idea.missing.clone();
        limits.push(Gap::PartsMissing { parts }.into());
    }
    let pieces_named = pieces
        .pieces
        .iter()
        .map(|one| (one.alias.as_str(), one.number, &one.work));
    limits.extend(doubted(pieces_named));
    let cut: usize = found.beyond.values().sum();
    if cut > 0 {
        let gap = Gap::BeyondMostRelevant {
            cut,
            limit: options.keep.saturating_mul(options.oversample.max(1)),
            compared: options.keep,
        };
        limits.push(gap.into());
    }
    if found.without_text > 0 {
        let records = found.without_text;
        limits.push(Gap::WithoutTitle { records }.into());
    }
    limits
}

/// Documents of each kind that were not read in full.
fn known_in_part(pieces: &Pieces) -> impl Iterator<Item = Gap> {
    EvidenceKind::ALL.into_iter().filter_map(|evidence| {
        let of_kind = |piece: &&KnowledgePiece| piece.kind == evidence && may_bear(piece);
        let of_kind: Vec<&KnowledgePiece> = pieces.pieces.iter().filter(of_kind).collect();
        let missing = of_kind.iter().filter(|piece| !piece.read_whole).count();
        (missing > 0).then_some(Gap::KnownInPart {
            evidence,
            missing,
            documents: of_kind.len(),
        })
    })
}

/// Adds the limits of the models, after those of the sources. Called once all model calls are done.
pub(super) fn with_models(mut limits: Vec<NotSearched>, world: &World) -> Vec<NotSearched> {
    let of_sources = |one: &NotSearched| one.kind == NotSearchedKind::SourceNotAsked;
    let after = limits.iter().rposition(of_sources).map_or(0, |at| at + 1);
    limits.splice(after..after, model_limits(world));
    limits.splice(0..0, model_incomplete(world));
    limits
}

/// The kinds for which no source was given, if any.
fn kinds_not_searched(searched: &[EvidenceKind]) -> Option<Gap> {
    let kinds: Vec<EvidenceKind> = EvidenceKind::ALL
        .into_iter()
        .filter(|kind| !searched.contains(kind))
        .collect();
    (!kinds.is_empty()).then_some(Gap::KindsNotSearched { kinds })
}
