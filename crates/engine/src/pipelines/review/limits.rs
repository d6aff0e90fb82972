//! What was not searched, read or judged for a review. Stands on the first screen of its reports.

use precedent_domain::{
    AsOf, EvidenceKind, KnowledgeRole, NotSearched, NotSearchedKind, ReadWarningKind, SourceReport,
};

use super::law::may_bear;
use super::material::ReviewOptions;
use super::parts::Subject;
use super::reading::Pieces;
use super::search::{Found, OWN, kinds};
use crate::World;
use crate::board::mean;
use crate::pipelines::assess::{is_of_a_part, model_incomplete, model_limits, sources_asked};
use crate::stages::search::{doubted, source_failures};
use crate::wording::and_list;

/// What every review says of itself.
pub(super) const DISCLAIMER: &str = "This review sets the idea beside what was found in the sources named, and beside nothing else: what was not searched may hold it or speak against it. \
Its selections are made by program, its judgements, where there are any, by a model that can be wrong in both directions. It helps somebody who reads and decides; it decides nothing.";

/// Papers whose mean nearness tells whether what was searched holds the idea's field, and the mean below which it hardly does. Read off sixteen papers against abstracts of computer science: of
/// ten of that field nine came to .30 or more and one of 1987 to .20; of six of other fields two to .35 or more, two to .29, two to .24 or less.
const NEAREST: usize = 5;
const FAR: f64 = 0.27;

/// That what was searched hardly holds the idea's field, where the nearest papers stand far from it.
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
            "What was searched seems to hold little of the idea's field: the {} found stand far from it ({:.0} % near in the mean). That nothing nearer was found says little about what there is; search where the field publishes.",
            if near.len() == 1 { "nearest paper".to_owned() } else { format!("{} nearest papers", near.len()) },
            mean * 100.0
        )
    })
}

/// What limits this run, most important first.
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
    if world.analyst.asked().is_none() {
        let message = "No scores: judging needs a model. What was found is shown with the words that speak of each part, and nobody has weighed it.";
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
            "{} that were found have no judgement of the model on how much they bear on the idea; how near they stand decided alone.",
            counted(found.unjudged, "record", "records")
        );
        say(NotSearchedKind::NotJudged, message);
    }
    for message in world.sources.iter().flat_map(|source| source.left_out()) {
        say(NotSearchedKind::SourcePart, message);
    }
    if as_of.is_none() {
        let message = "The idea has no date: everything found counts as earlier, and nothing feeds suggestions. Give a date to tell what came later.";
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
            "{} no date, or one too near the idea's or too coarse to be surely earlier: shown and marked; neither the chair's change nor its key evidence may rest on such.",
            have(marked, "piece", "pieces")
        );
        say(NotSearchedKind::Undated, message);
    }
    let bears = |kind| is_of_a_part(kind) || kind == ReadWarningKind::MayNotBeAPaper;
    let warnings = subject.paper.iter().flat_map(|paper| &paper.warnings);
    for warning in warnings.filter(|warning| bears(warning.kind)) {
        say(NotSearchedKind::PaperPart, warning.message.clone());
    }
    if subject.idea.statements.is_empty() {
        let message = "No statement of the idea could be read: what was found is near its text as a whole, and nothing is set beside its parts.";
        say(NotSearchedKind::PaperPart, message.to_owned());
    } else if !subject.idea.missing.is_empty() {
        let names: Vec<String> = subject.idea.missing.iter().map(|part| part.name().to_owned()).collect();
        let message = format!(
            "The idea says nothing that could be told on its {}; nothing was put there.",
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
            "{} beyond the nearest {judged} of each kind were found too and not looked at; of each kind the nearest {} were set beside the idea.",
            counted(beyond, "record", "records"),
            options.keep
        );
        say(NotSearchedKind::CutOff, message);
    }
    if found.without_text > 0 {
        let message = format!(
            "{} without a title could not be set beside the idea.",
            counted(found.without_text, "record", "records")
        );
        say(NotSearchedKind::CutOff, message);
    }
    limits
}

/// Which of the pieces of each kind were not read whole.
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
                EvidenceKind::Web => ("page", "pages", "what the search showed of them"),
                EvidenceKind::Code => ("repository", "repositories", "what the search showed of them"),
            };
            let verb = if bare == 1 { "is" } else { "are" };
            let message = format!("{bare} of {} {verb} known by {shown} only.", counted(all, one, many));
            told.push(message);
        }
    }
    told
}

/// The limits with what was asked of models, and what did not come of it, behind what was searched. Told once everything was asked.
pub(super) fn with_models(mut limits: Vec<NotSearched>, world: &World) -> Vec<NotSearched> {
    let of_sources = |one: &NotSearched| one.kind == NotSearchedKind::SourceNotAsked;
    let after = limits.iter().rposition(of_sources).map_or(0, |at| at + 1);
    let told = model_limits(world).into_iter().map(|one| NotSearched {
        message: of_review(&one.message),
        ..one
    });
    limits.splice(after..after, told);
    limits.splice(0..0, model_incomplete(world));
    limits
}

/// What is said of models, said of a review: opinions, their sum and suggestions have no stand-in.
fn of_review(message: &str) -> String {
    let message = message.replace("text of the paper", "text of the idea");
    match ["review.board", "review.meta", "review.suggest"]
        .iter()
        .any(|one| message.contains(one))
    {
        true => message.replace(
            "the program's own answers stand in their place",
            "nothing stands in their place",
        ),
        false => message,
    }
}

/// That no source of a kind was given.
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
            "No source was given for {}: nothing was looked for there.",
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
