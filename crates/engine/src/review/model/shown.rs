//! How an idea, documents and opinions are shown to a model.

use precedent_domain::{
    BoardReview, CallGraph, DimensionScore, Evidence, FileCall, FunctionCall, Grounding, IdeaPart, KnowledgePiece,
    KnowledgeRole, ReportedField, ReviewedIdea, Stance, Timing,
};
use precedent_llm::Fence;
use precedent_text::one_line;

use super::sentences::{Citable, Ground};
use crate::board::{Dimension, Persona};
use crate::model::texts::cut;
use crate::review::{BoardMaterial, BoardPiece, OpinionQuestion};

/// Longest idea, in bytes, that is shown whole in addition to its statements: a few paragraphs. A paper is shown by its statements.
const WHOLE_IDEA: usize = 6_000;
/// Longest analysis and longest quote shown, in characters, and maximum quotes of a document on one part.
const ANALYSIS: usize = 500;
const QUOTE: usize = 400;
const QUOTES: usize = 3;
/// Length of the documents of one request, in bytes, above which fewer words of each are shown: about ten thousand tokens, to keep a board at cents.
const LONG: usize = 40_000;

/// The idea, part by part, with its text if that is short.
pub(crate) fn idea(fence: &Fence, idea: &ReviewedIdea) -> String {
    let mut lines_shown = String::new();
    if !idea.title.trim().is_empty() {
        lines_shown.push_str(&format!("Title: {}\n", one_line(&idea.title)));
    }
    for part in IdeaPart::ALL {
        let statements = idea.statements.iter().filter(|one| one.part == part);
        let lines: Vec<String> = statements
            .map(|one| format!("- {}", one_line(&one.statement)))
            .collect();
        if !lines.is_empty() {
            lines_shown.push_str(&format!("{}:\n{}\n", capital(part.name()), lines.join("\n")));
        }
    }
    if !idea.missing.is_empty() {
        let missing: Vec<&str> = idea.missing.iter().map(|part| part.name()).collect();
        lines_shown.push_str(&format!("Not stated: {}.\n", missing.join(", ")));
    }
    let mut shown = fence.wrap("idea", lines_shown.trim_end());
    let text = &idea.document.text;
    if text.len() <= WHOLE_IDEA {
        shown.push('\n');
        shown.push_str(&fence.wrap("text of the idea", text));
    }
    shown
}

fn capital(text: &str) -> String {
    let mut rest = text.chars();
    rest.next()
        .map_or_else(String::new, |first| first.to_uppercase().chain(rest).collect())
}

/// What a reader is given: their persona, and how much of the evidence they know.
pub(crate) fn reader(question: &OpinionQuestion<'_>) -> String {
    let Persona {
        name,
        background,
        goal,
        constraints,
        familiarity,
        ..
    } = question.reader;
    let had: Vec<String> = question
        .familiarity
        .iter()
        .filter(|one| one.of > 0)
        .map(|one| format!("{} of {} documents ({})", one.seen, one.of, one.kind.name()))
        .collect();
    let had = match had.is_empty() {
        true => "nothing was found".to_owned(),
        false => format!("you know {}", had.join(", ")),
    };
    format!(
        "You are: {}\nBackground: {}\nGoal: {}\nConstraints: {}\nFamiliar, of 10: with earlier work {}, with how studies are made {}, with uses {}, with what is new {}.\nOf what was found beside the idea, {had}.",
        one_line(name),
        one_line(background),
        one_line(goal),
        one_line(constraints),
        familiarity.literature,
        familiarity.methodology,
        familiarity.application,
        familiarity.frontier
    )
}

/// Documents by number, each with its evidence on `parts`. If that is too long, every document is shown with fewer words, and none is left out.
pub(crate) fn pieces(fence: &Fence, material: &BoardMaterial<'_>, shown: &[u32], parts: &[IdeaPart]) -> String {
    let with = |most: Most| {
        let lines_shown = shown.iter().filter_map(|number| material.piece(*number));
        let lines_shown =
            lines_shown.map(|one| fence.wrap(&format!("document {}", one.piece.number), &piece(one, parts, most)));
        lines_shown.collect::<Vec<_>>().join("\n")
    };
    if shown.is_empty() {
        return "No relevant evidence was found.".to_owned();
    }
    let mut lines_shown = String::new();
    for quotes in (1..=QUOTES).rev() {
        let most = Most {
            quotes,
            analysis: ANALYSIS * quotes / QUOTES,
        };
        lines_shown = with(most);
        if lines_shown.len() <= LONG {
            break;
        }
    }
    lines_shown
}

/// Maximum quotes of a document on one part, and longest analysis in characters.
#[derive(Clone, Copy)]
struct Most {
    quotes: usize,
    analysis: usize,
}

fn piece(one: &BoardPiece<'_>, parts: &[IdeaPart], most: Most) -> String {
    let mut lines = vec![headed(one.piece)];
    let mut lines_shown: Vec<&str> = Vec::new();
    for part in IdeaPart::ALL
        .iter()
        .filter(|part| parts.contains(part) || **part == IdeaPart::Unclassified)
    {
        for grounding in one.groundings.iter().filter(|one| one.part == *part) {
            // Words about two parts are shown with the first.
            let quotes = grounding.evidence.iter().take(most.quotes);
            let (again, new): (Vec<&Evidence>, Vec<&Evidence>) =
                quotes.partition(|one| lines_shown.contains(&one.quote.text()));
            lines_shown.extend(new.iter().map(|one| one.quote.text()));
            lines.push(bearing(grounding, &new, !again.is_empty(), most.analysis));
        }
    }
    lines.join("\n")
}

/// What is known of a whole document beside its passages: its report, and the calls of a repository.
pub(crate) fn of_whole(fence: &Fence, piece: &KnowledgePiece) -> Vec<String> {
    let field = |one: &ReportedField| {
        let quotes = one
            .quotes
            .iter()
            .map(|quote| format!("\n  quote: {}", one_line(quote.text())));
        let text = one_line(&one.text);
        format!("{}: {text}{}", one.field.name(), quotes.collect::<String>())
    };
    let fields: Vec<String> = piece.report.iter().map(field).collect();
    let report = (!fields.is_empty()).then(|| fence.wrap("report", &fields.join("\n")));
    let calls = piece.calls.as_ref().map(|graph| calls(fence, graph));
    report.into_iter().chain(calls).collect()
}

/// The calls of a repository.
pub(crate) fn calls(fence: &Fence, graph: &CallGraph) -> String {
    fence.wrap("calls", &call_lines(graph).join("\n"))
}

/// The calls of a repository, one per line: between files, then between functions.
pub(crate) fn call_lines(graph: &CallGraph) -> Vec<String> {
    let files = graph.files.iter().map(file_call);
    let functions = graph.functions.iter().map(|one| {
        let FunctionCall { from, to } = one;
        format!("{} in {} calls {} in {}", from.name, from.file, to.name, to.file)
    });
    files.chain(functions).collect()
}

fn file_call(one: &FileCall) -> String {
    let pairs = if one.calls == 1 { "pair" } else { "pairs" };
    format!("{} uses {} ({} {pairs} of functions)", one.from, one.to, one.calls)
}

/// Kind, date and title. A document without a certain date is marked.
pub(crate) fn headed(piece: &KnowledgePiece) -> String {
    let dated = piece.work.earliest().map(|one| one.date.to_string());
    let when = match (piece.role, piece.timing, dated) {
        (KnowledgeRole::Marked, Timing::Undated, _) | (KnowledgeRole::Marked, _, None) => {
            "without a date: it decides nothing".to_owned()
        }
        (KnowledgeRole::Marked, _, Some(date)) => {
            format!("{date}, not surely earlier than the idea: it decides nothing")
        }
        (_, _, Some(date)) => date,
        (_, _, None) => "earlier than the idea".to_owned(),
    };
    let retracted = if piece.work.is_retracted() { "; retracted" } else { "" };
    format!(
        "{} ({when}{retracted}): {}",
        capital(piece.kind.name()),
        one_line(&piece.work.title)
    )
}

/// The evidence of a document on one part.
pub(crate) fn bearing(one: &Grounding, quotes: &[&Evidence], again: bool, analysis: usize) -> String {
    let weight = one
        .score
        .map_or_else(String::new, |score| format!(" (bears on it {score:.0} of 10)"));
    let mut lines = vec![format!("{}{weight}:", capital(one.part.name()))];
    if !one.analysis.trim().is_empty() {
        lines.push(cut(&one_line(&one.analysis), analysis));
    }
    lines.extend(quotes.iter().map(|one| quoted(one)));
    if again {
        lines.push("- quotes shown above are relevant here too".to_owned());
    }
    lines.join("\n")
}

fn quoted(evidence: &Evidence) -> String {
    let stance = match evidence.stance {
        Stance::Supports => "supports",
        Stance::Contradicts => "contradicts",
        Stance::SpeaksOf => "related",
    };
    let repeats = match evidence.repeats {
        Some(_) => ", a statement of the idea nearly word for word",
        None => "",
    };
    format!("- {stance}{repeats}: {}", cut(&one_line(evidence.quote.text()), QUOTE))
}

/// All opinions of the board, reader by reader.
pub(crate) fn board(fence: &Fence, board: &[BoardReview], dimensions: &[Dimension]) -> String {
    let name = |id: &str| {
        dimensions
            .iter()
            .find(|one| one.id == id)
            .map_or(id.to_owned(), |one| one.name.clone())
    };
    let lines_shown = board.iter().filter(|one| !one.opinions.is_empty()).map(|one| {
        let opinions = one.opinions.iter().map(|opinion| {
            format!(
                "{} {}: {}",
                name(&opinion.dimension),
                opinion.score,
                one_line(&opinion.reason)
            )
        });
        let lines: Vec<String> = [format!("{}: {}", one_line(&one.name), one_line(&one.background))]
            .into_iter()
            .chain(opinions)
            .collect();
        fence.wrap(&format!("review of {}", one.id), &lines.join("\n"))
    });
    lines_shown.collect::<Vec<_>>().join("\n")
}

/// The scores by dimension, one per line.
pub(crate) fn scores(scores: &[DimensionScore], dimensions: &[Dimension]) -> String {
    let line = |one: &DimensionScore| {
        let name = dimensions
            .iter()
            .find(|other| other.id == one.dimension)
            .map_or(one.dimension.as_str(), |one| one.name.as_str());
        format!(
            "{name}: mean {:.2} of {} readers, from {} to {} (id {})",
            one.mean, one.readers, one.lowest, one.highest, one.dimension
        )
    };
    scores.iter().map(line).collect::<Vec<_>>().join("\n")
}

/// What sentences about these documents may cite, quote and name.
pub(crate) fn ground<'a>(material: &'a BoardMaterial<'_>, shown: &[u32], fence: &'a Fence) -> Ground<'a> {
    let citable = |one: &'a BoardPiece<'_>| Citable {
        number: one.piece.number,
        text: one.text,
        year: one.piece.work.year(),
    };
    Ground {
        pieces: shown
            .iter()
            .filter_map(|number| material.piece(*number))
            .map(citable)
            .collect(),
        idea: &material.text,
        throughout: Vec::new(),
        mark: fence.mark(),
        scores: Vec::new(),
        decision: None,
    }
}
