//! The parts of an idea given as plain text.

use precedent_domain::{Document, IdeaPart, PartStatement, Span};
use precedent_language::wording::{Tag, tagged, word_count};
use precedent_text::sentences;

use super::atoms::atoms;
use super::cues::{asks, concludes, cues, hopes, is_of_structure, reported, without_references};
use super::labels::{Label, Unit, units};
use super::statement::{statement, what_it_is};

/// Maximum words of a title, marked or not.
const TITLE: usize = 25;

/// The title of an idea, if it has one, and its statements.
pub(super) fn parts(document: &Document) -> (String, Vec<PartStatement>) {
    let text = &document.text;
    let units = units(text);
    let title = title(text, &units);
    let own_title = |unit: &&Unit| Some(unit.span) == title;
    let mut found = Vec::new();
    let mut so_far = ReadSoFar {
        will_propose: sentences(text)
            .iter()
            .any(|one| proposes(one.slice(text).unwrap_or_default())),
        ..ReadSoFar::default()
    };
    // What the idea proposes; a later `it` refers to this.
    let mut thing: Option<String> = None;
    for unit in units.iter().filter(|unit| !own_title(unit)) {
        let label = match unit.label {
            Label::Part(part) => Some(part),
            Label::Open => None,
            Label::Title | Label::Aside => continue,
        };
        let slice = unit.span.slice(text).unwrap_or_default();
        for local in sentences(slice) {
            let sentence = Span::new(unit.span.start + local.start, unit.span.start + local.end);
            let words = sentence.slice(text).unwrap_or_default();
            if is_of_structure(&without_references(words)) {
                continue;
            }
            for atom in atoms(text, sentence) {
                let words = atom.slice(text).unwrap_or_default();
                let part = so_far.part(label, words);
                found.extend(statement(document, part, atom, thing.as_deref()));
                if part == IdeaPart::BasicIdea && thing.is_none() {
                    thing = what_it_is(words);
                }
            }
        }
    }
    let title = title.and_then(|span| span.slice(text)).unwrap_or_default();
    // If nothing else was found, the whole text is the basic idea.
    if found.is_empty() && title.is_empty() {
        let whole = Span::new(0, text.len());
        found.extend(statement(document, IdeaPart::BasicIdea, whole, None));
    }
    (title.trim_matches(['*', '"', '“', '”', ' ']).to_owned(), found)
}

/// The line marked as the title, or the first line if it is short, not a sentence, and followed by more text.
fn title(text: &str, units: &[Unit]) -> Option<Span> {
    if let Some(marked) = units.iter().find(|unit| unit.label == Label::Title) {
        return Some(marked.span);
    }
    let (first, rest) = units.split_first()?;
    let line = first.span.slice(text)?;
    let short = word_count(line) <= TITLE && !line.contains('\n') && first.label == Label::Open;
    let sentence = line.trim_end().ends_with(['.', '?', '!', ':', ';']);
    (short && !rest.is_empty() && !sentence).then_some(first.span)
}

/// What was read so far: the part of a sentence depends on whether the proposal came before it.
#[derive(Default)]
struct ReadSoFar {
    proposed: bool,
    any: bool,
    /// Whether any sentence proposes something.
    will_propose: bool,
}

fn proposes(sentence: &str) -> bool {
    cues(IdeaPart::BasicIdea, sentence) > 0 || is_imperative(sentence)
}

impl ReadSoFar {
    fn part(&mut self, label: Option<IdeaPart>, sentence: &str) -> IdeaPart {
        let first = !self.any;
        self.any = true;
        if let Some(label) = label {
            self.proposed |= label == IdeaPart::BasicIdea;
            let hoped = matches!(label, IdeaPart::Method | IdeaPart::ExperimentalSetting);
            return match hoped && cues(IdeaPart::ExpectedResults, sentence) > 0 {
                true => IdeaPart::ExpectedResults,
                false => label,
            };
        }
        if !self.proposed && proposes(sentence) && cues(IdeaPart::ExpectedResults, sentence) == 0 {
            self.proposed = true;
            return IdeaPart::BasicIdea;
        }
        let setting = cues(IdeaPart::ExperimentalSetting, sentence);
        let results = reported(sentence).max(usize::from(hopes(sentence)));
        if cues(IdeaPart::ExpectedResults, sentence) > 0
            || self.proposed && results > setting
            || !self.will_propose && concludes(sentence)
        {
            return IdeaPart::ExpectedResults;
        }
        if asks(sentence) {
            return IdeaPart::ResearchQuestion;
        }
        // What comes before the proposal says why it is made.
        if !self.proposed && self.will_propose {
            return IdeaPart::Motivation;
        }
        let (means, why) = (cues(IdeaPart::Method, sentence), cues(IdeaPart::Motivation, sentence));
        if setting > 0 && (setting > 1 || means < 4) {
            return IdeaPart::ExperimentalSetting;
        }
        // If none proposes anything, the first sentence states the idea, unless it describes a problem.
        if !self.proposed && first && why == 0 {
            self.proposed = true;
            return IdeaPart::BasicIdea;
        }
        if why > means + 1 || why > means && !self.proposed {
            IdeaPart::Motivation
        } else if means > 0 && means >= why {
            IdeaPart::Method
        } else {
            IdeaPart::Unclassified
        }
    }
}

/// Whether a sentence starts with a verb and its object: `Shift the departures …`, `Use tides to …`.
fn is_imperative(sentence: &str) -> bool {
    let tokens = tagged(sentence);
    let mut tokens = tokens.iter().filter(|token| token.tag != Tag::Mark);
    let first = tokens.next().map(|token| token.tag);
    let second = tokens.next().map(|token| token.tag);
    matches!(first, Some(Tag::Base))
        && second.is_some_and(|tag| tag.is_noun() || matches!(tag, Tag::Determiner | Tag::Adjective | Tag::Number))
}
