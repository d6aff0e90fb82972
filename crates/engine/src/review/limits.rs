//! What a review did not search, read or judge. Shown on the first screen of its reports.

use precedent_domain::{
    AsOf, EvidenceKind, KnowledgeRole, NotSearched, NotSearchedKind, ReadWarningKind, SourceReport,
};
use precedent_language::wording::and_list;

use super::cutoff::may_bear;
use super::material::ReviewOptions;
use super::parts::Subject;
use super::reading::Pieces;
use super::search::{Found, OWN, kinds};
use crate::World;
use crate::board::mean;
use crate::gaps::{RunSubject, is_of_a_part, model_incomplete, model_limits, sources_asked};
use crate::retrieve::search::{doubted, source_failures};

/// Disclaimer of every review.
pub(super) const DISCLAIMER: &str = "This review compares the idea with what was found in the sources named, and with nothing else. Other sources may contain the idea or evidence against it. \
The selections are automatic. Any judgements come from a model, which can be wrong in both directions. This review supports a human decision and does not replace one.";

/// How many top papers the mean similarity is taken over, and the mean below which the idea's field is hardly covered. Measured with sixteen papers
/// against abstracts of computer science. Of ten papers of that field, nine reached .30 or more and one from 1987 reached .20. Of six papers of other
/// fields, two reached .35 or more, two reached .29 and two reached .24 or less.
const NEAREST: usize = 5;
const FAR: f64 = 0.27;

/// A warning that the sources hardly cover the idea's field, if even the closest papers are not similar to it.
fn far(found: &Found, pieces: &Pieces) -> Option<String> {
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
    (mean < FAR).then(|| {
        format!(
            "Low coverage: the sources searched seem to contain little from the idea's field (mean similarity of the {} found: {:.0} %). A missing match says little about what exists. Search where the field publishes.",
            if near.len() == 1 { "closest paper".to_owned() } else { format!("{} closest papers", near.len()) },
            mean * 100.0
        )
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
    let mut limits = Vec::new();
    let mut say = |kind, message: String| {
        limits.push(NotSearched {
            kind,
            message,
            scope: None,
        });
    };
    if world.model.is_none() {
        let message = "No scores: judging needs a model. The evidence found for each part is shown but not judged.";
        say(NotSearchedKind::NotJudged, message.to_owned());
    }
    if let Some(message) = far(found, pieces) {
        say(NotSearchedKind::FieldNotCovered, message);
    }
    let elsewhere: Vec<&str> = world
        .sources
        .iter()
        .filter(|source| source.is_metered())
        .map(|source| source.name())
        .collect();
    say(NotSearchedKind::SourceNotAsked, sources_asked(sources, &elsewhere));
    if let Some(message) = kinds_not_asked(&kinds(world)) {
        say(NotSearchedKind::SourceNotAsked, message);
    }
    for source in sources {
        for failure in source_failures(source) {
            say(NotSearchedKind::SourceFailed, failure);
        }
    }
    if let Some(failed) = &found.failed {
        say(NotSearchedKind::NotJudged, format!("{failed}."));
    }
    if found.unjudged > 0 {
        let message = format!(
            "{} without a relevance judgement from the model; only similarity decided their rank.",
            counted(found.unjudged, "record", "records")
        );
        say(NotSearchedKind::NotJudged, message);
    }
    for message in world.sources.iter().flat_map(|source| source.left_out()) {
        say(NotSearchedKind::SourcePart, message);
    }
    if as_of.is_none() {
        let message = "The idea has no date, so everything found counts as earlier and there are no suggestions from later work. Give a date to separate later work.";
        say(NotSearchedKind::TargetUndated, message.to_owned());
    }
    for one in &pieces.not_searched {
        say(one.kind, one.message.clone());
    }
    for message in known_in_part(pieces) {
        say(NotSearchedKind::AbstractOnly, message);
    }
    let marked = pieces
        .pieces
        .iter()
        .filter(|piece| piece.role == KnowledgeRole::Marked && !piece.own)
        .count();
    if marked > 0 {
        let message = format!(
            "{} no date, or a date too coarse or too close to the idea's to count as earlier. These are shown and marked, but neither the chair's adjustment nor its key evidence may rest on them.",
            have(marked, "document", "documents")
        );
        say(NotSearchedKind::Undated, message);
    }
    let bears = |kind| is_of_a_part(kind) || kind == ReadWarningKind::MayNotBeAPaper;
    let warnings = subject.paper.iter().flat_map(|paper| &paper.warnings);
    for warning in warnings.filter(|warning| bears(warning.kind)) {
        say(NotSearchedKind::PaperPart, warning.message.clone());
    }
    if subject.idea.statements.is_empty() {
        let message = "No statement of the idea could be read. Only its text as a whole was matched; its parts were not compared.";
        say(NotSearchedKind::PaperPart, message.to_owned());
    } else if !subject.idea.missing.is_empty() {
        let names: Vec<String> = subject.idea.missing.iter().map(|part| part.name().to_owned()).collect();
        let message = format!(
            "Not found in the idea: {}. These parts were left empty.",
            and_list(&names)
        );
        say(NotSearchedKind::PaperPart, message);
    }
    let pieces_named = pieces
        .pieces
        .iter()
        .map(|one| (one.alias.as_str(), one.number, &one.work));
    for one in doubted(pieces_named) {
        say(one.kind, one.message);
    }
    let judged: usize = options.keep.saturating_mul(options.oversample.max(1));
    let beyond: usize = found.beyond.values().sum();
    if beyond > 0 {
        let message = format!(
            "{} found but not considered (limit: {judged} of each kind). The top {} of each kind were compared with the idea.",
            counted(beyond, "record", "records"),
            options.keep
        );
        say(NotSearchedKind::CutOff, message);
    }
    if found.without_text > 0 {
        let message = format!(
            "{} without a title could not be compared with the idea.",
            counted(found.without_text, "record", "records")
        );
        say(NotSearchedKind::CutOff, message);
    }
    limits
}

/// How many documents of each kind were not read in full.
fn known_in_part(pieces: &Pieces) -> Vec<String> {
    let mut told = Vec::new();
    for kind in EvidenceKind::ALL {
        let of_kind = || {
            pieces
                .pieces
                .iter()
                .filter(|piece| piece.kind == kind && may_bear(piece))
        };
        let (bare, all) = (of_kind().filter(|piece| !piece.read_whole).count(), of_kind().count());
        if bare > 0 {
            let (one, many, shown) = match kind {
                EvidenceKind::Literature => ("paper", "papers", "title and abstract"),
                EvidenceKind::Web => ("page", "pages", "search result"),
                EvidenceKind::Code => ("repository", "repositories", "search result"),
            };
            let verb = if bare == 1 { "is" } else { "are" };
            let message = format!("{bare} of {} {verb} known by {shown} only.", counted(all, one, many));
            told.push(message);
        }
    }
    told
}

/// Adds the limits of the models, after those of the sources. Called once all model calls are done.
pub(super) fn with_models(mut limits: Vec<NotSearched>, world: &World) -> Vec<NotSearched> {
    let of_sources = |one: &NotSearched| one.kind == NotSearchedKind::SourceNotAsked;
    let after = limits.iter().rposition(of_sources).map_or(0, |at| at + 1);
    limits.splice(after..after, model_limits(world, RunSubject::Idea));
    limits.splice(0..0, model_incomplete(world));
    limits
}

/// A message that names the kinds for which no source was given.
fn kinds_not_asked(asked: &[EvidenceKind]) -> Option<String> {
    let missing: Vec<String> = EvidenceKind::ALL
        .into_iter()
        .filter(|kind| !asked.contains(kind))
        .map(|kind| match kind {
            EvidenceKind::Literature => "literature".to_owned(),
            EvidenceKind::Web => "the web".to_owned(),
            EvidenceKind::Code => "code".to_owned(),
        })
        .collect();
    (!missing.is_empty()).then(|| {
        format!(
            "No source was given for {}, so nothing was searched there.",
            and_list(&missing)
        )
    })
}

fn counted(count: usize, one: &str, many: &str) -> String {
    match count {
        1 => format!("1 {one}"),
        _ => format!("{count} {many}"),
    }
}

fn have(count: usize, one: &str, many: &str) -> String {
    let verb = if count == 1 { "has" } else { "have" };
    format!("{} {verb}", counted(count, one, many))
}
