//! Labels by which an idea marks its own parts: `Motivation: …`, `## Proposed Method`, `**Experiment plan**`.

use precedent_domain::{IdeaPart, Span};

/// The meaning of a label for the text that follows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Label {
    /// The title.
    Title,
    /// A part.
    Part(IdeaPart),
    /// Text whose sentences are classified one by one.
    Open,
    /// Text that belongs to no part.
    Aside,
}

/// Text under one label: a paragraph or a list item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Unit {
    pub(super) span: Span,
    pub(super) label: Label,
}

/// Maximum words of a label.
const WORDS: usize = 6;

/// Splits the text into units, in reading order, without the labels.
pub(super) fn units(text: &str) -> Vec<Unit> {
    let mut found: Vec<Unit> = Vec::new();
    let mut label = Label::Open;
    // Whether the next line continues the unit before it.
    let mut goes_on = false;
    let mut start = 0;
    let mut lines = text.split('\n').peekable();
    while let Some(line) = lines.next() {
        let (mut from, to) = (start, start + line.trim_end().len());
        start += line.len() + 1;
        if line.trim().is_empty() {
            goes_on = false;
            continue;
        }
        let marked = mark(line);
        from += marked;
        let rest = text.get(from..to).unwrap_or_default();
        let heading = line.trim_start().starts_with('#');
        // A first heading that names no part is the title.
        if heading && found.is_empty() && label == Label::Open && names_no_part(rest) {
            let span = Span::new(from, to);
            if span.start < span.end {
                found.push(Unit {
                    span,
                    label: Label::Title,
                });
            }
            goes_on = false;
            continue;
        }
        if let Some((known_label, length)) = label_of(rest, heading) {
            label = known_label;
            goes_on = false;
            from += length;
        }
        let rest = text.get(from..to).unwrap_or_default();
        let lead = rest.len() - rest.trim_start().len();
        let span = Span::new(from + lead, to.max(from + lead));
        if span.start >= span.end {
            continue;
        }
        let is_item = is_list_mark(line);
        match found.last_mut().filter(|_| goes_on && !is_item) {
            Some(unit) => unit.span = Span::new(unit.span.start, span.end),
            None => found.push(Unit { span, label }),
        }
        let is_first = found.len() == 1 && !goes_on;
        goes_on = !(is_first && lines.peek().is_some_and(|next| is_far_shorter(line, next)));
    }
    found
}

/// Whether a first line is a line of its own, such as a title above an abstract: lines of wrapped text are about as long as each other.
fn is_far_shorter(first: &str, next: &str) -> bool {
    let length = |line: &str| line.trim().chars().count();
    length(next) > 2 * length(first)
}

/// Length in bytes of what precedes the words of a line: white space, heading and list markers.
fn mark(line: &str) -> usize {
    let bare = line.trim_start().trim_start_matches('#').trim_start();
    let mut length = line.len() - bare.len();
    if let Some((first, rest)) = bare.split_once(char::is_whitespace)
        && (is_number(first) || matches!(first, "-" | "*" | "•" | "–" | "+"))
    {
        length = line.len() - rest.trim_start().len();
    }
    length
}

fn is_list_mark(line: &str) -> bool {
    let first = line.split_whitespace().next().unwrap_or_default();
    is_number(first) || matches!(first, "-" | "*" | "•" | "–" | "+")
}

/// `1.`, `(2)`, `3)`.
fn is_number(word: &str) -> bool {
    let bare = word.trim_matches(['(', ')', '.', ':']);
    !bare.is_empty() && bare.len() <= 2 && bare.bytes().all(|byte| byte.is_ascii_digit()) && bare.len() < word.len()
}

/// Whether a heading is not a known label.
fn names_no_part(heading: &str) -> bool {
    let words = heading.chars().any(char::is_alphanumeric);
    words
        && !matches!(
            label_of(heading, true),
            Some((Label::Part(_) | Label::Title | Label::Aside, _))
        )
        && label_of_key(&key_of(heading)).is_none()
}

/// The words of a label in lower case.
fn key_of(head: &str) -> String {
    let key: String = head
        .chars()
        .map(|c| {
            if c.is_alphanumeric() {
                c.to_ascii_lowercase()
            } else {
                ' '
            }
        })
        .collect();
    precedent_text::one_line(&key)
}

/// The label at the start of a line, and its length in bytes.
fn label_of(line: &str, heading: bool) -> Option<(Label, usize)> {
    let head = match line.split_once(':') {
        Some((head, _)) => head,
        None if heading || line.starts_with("**") && line.trim_end().ends_with("**") => line,
        None => return None,
    };
    if head.split_whitespace().count() > WORDS {
        return None;
    }
    let known_label = label_of_key(&key_of(head)).or(heading.then_some(Label::Open))?;
    let after = line.get(head.len()..).unwrap_or_default();
    let length = head.len() + after.len() - after.trim_start_matches([':', '*', '_', ' ']).len();
    Some((known_label, length))
}

fn label_of_key(key: &str) -> Option<Label> {
    use IdeaPart::{BasicIdea, ExpectedResults, ExperimentalSetting, Method, Motivation, ResearchQuestion};
    Some(match key {
        "title" | "name" => Label::Title,
        "basic idea" | "idea" | "core idea" | "main idea" | "key idea" | "tl dr" | "tldr" | "short description"
        | "proposal" => Label::Part(BasicIdea),
        "motivation"
        | "background"
        | "problem"
        | "problem statement"
        | "context"
        | "gap"
        | "research gap"
        | "why"
        | "rationale"
        | "motivation and background"
        | "background and motivation" => Label::Part(Motivation),
        "research question" | "research questions" | "question" | "questions" | "hypothesis" | "hypotheses"
        | "goal" | "goals" | "objective" | "objectives" | "aim" | "aims" | "rq" => Label::Part(ResearchQuestion),
        "method" | "methods" | "methodology" | "proposed method" | "proposed methods" | "proposed approach"
        | "approach" | "solution" | "proposed solution" | "model" | "mechanism" | "technique" | "algorithm"
        | "system" | "design" | "implementation" | "how" | "how it works" => Label::Part(Method),
        "experiment"
        | "experiments"
        | "experimental setting"
        | "experimental settings"
        | "experimental setup"
        | "experimental design"
        | "experiment plan"
        | "step by step experiment plan"
        | "evaluation"
        | "evaluation plan"
        | "validation"
        | "data"
        | "dataset"
        | "datasets"
        | "data sets"
        | "baselines"
        | "metrics"
        | "setup"
        | "setting"
        | "study design" => Label::Part(ExperimentalSetting),
        "expected results"
        | "expected result"
        | "expected outcome"
        | "expected outcomes"
        | "expected findings"
        | "expected impact"
        | "expected contributions"
        | "anticipated results"
        | "anticipated outcomes"
        | "expectations"
        | "hoped for results" => Label::Part(ExpectedResults),
        "abstract" | "summary" | "overview" | "introduction" | "description" => Label::Open,
        "references" | "bibliography" | "fallback plan" | "limitations" | "acknowledgements" | "authors" | "author"
        | "keywords" | "test case examples" | "related work" | "date" => Label::Aside,
        _ => return None,
    })
}
