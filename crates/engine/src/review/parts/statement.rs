//! Self-contained statements: the idea's own words without what ties them to the sentence before.

use precedent_domain::{Document, IdeaPart, PartStatement, Quote, Span};
use precedent_language::wording::{Tag, first_words, tagged, without_marks, word_count};
use precedent_text::pattern;

/// Maximum words of a statement; longer sentences are cut.
pub(crate) const LONGEST: usize = 60;
/// Minimum words of a statement.
const FEWEST: usize = 4;
/// Maximum words of a name that a pronoun may refer to.
const NAMED: usize = 9;

/// The statement at `span`. `thing` is what the text proposes; a pronoun at the start of the statement may refer to it. `None` if too little is said.
pub(super) fn statement(document: &Document, part: IdeaPart, span: Span, thing: Option<&str>) -> Option<PartStatement> {
    let span = cut(document, span);
    let quote = Quote::at(document, span)?;
    let mut statement_text = plain(quote.text());
    if word_count(&statement_text) < FEWEST || !statement_text.chars().any(char::is_alphabetic) {
        return None;
    }
    if let Some(named) = thing.filter(|_| points(&statement_text)) {
        statement_text = with_name(&statement_text, named);
    }
    if part == IdeaPart::ExpectedResults {
        statement_text = without_figures(&statement_text);
    }
    Some(PartStatement {
        number: 0,
        part,
        statement: statement_text,
        quote,
    })
}

/// On one line, without citation marks, emphasis, list markers and a leading connector; with a capital letter and a full stop.
pub(super) fn plain(text: &str) -> String {
    // In structured abstracts, headings run into the text.
    let heading = pattern!(
        r"^\s*(?:Introduction|Background|Objectives?|Aims?|Purpose|Methods?|Methodology|Motivation|Context|Design|Setting)\s*[:.]?\s+(?P<rest>(?:We|In|The|This|To|Here|There|Our|A|An)\b)"
    );
    let text = match heading.captures(text).and_then(|found| found.name("rest")) {
        Some(rest) => text.get(rest.start()..).unwrap_or(text),
        None => text,
    };
    let text = text.replace("**", "").replace("__", "").replace('*', "");
    let text = without_marks(&text);
    let text = pattern!(r"\s?\((?:e\.g\.,?\s|see\s)?[^()]{0,120}\b(?:19|20)\d\d[a-z]?(?:[;,][^()]{0,120})?\)")
        .replace_all(&text, "");
    let mut statement_text = precedent_text::one_line(&text);
    // A connector is cut only before a comma or before a clause: `First-order` and `So far` stay.
    let connector = pattern!(
        r"(?i)^(?:however|moreover|furthermore|additionally|in addition|therefore|thus|hence|consequently|as a result|finally|lastly|first(?:ly)?|second(?:ly)?|third(?:ly)?|then|also|besides|nevertheless|nonetheless|in particular|specifically|more specifically|concretely|to this end|to that end|meanwhile|in contrast|on the other hand|for example|for instance|indeed|in fact|and|but|yet|so)\b\s*,?\s+"
    );
    if let Some(found) = connector.find(&statement_text) {
        let lead = found.as_str().trim_end();
        let rest = statement_text.get(found.end()..).unwrap_or_default();
        let ties = ["and", "but", "yet", "so"].contains(&lead.to_lowercase().trim_end_matches(','));
        if lead.ends_with(',') || ties && !rest.starts_with("far ") {
            statement_text = rest.to_owned();
        }
    }
    let statement_text =
        statement_text.trim_start_matches(|c: char| !c.is_alphanumeric() && !matches!(c, '(' | '“' | '"' | '[' | '‘'));
    let mut chars = statement_text.chars();
    let mut statement_text: String = match chars.next() {
        Some(first) => first.to_uppercase().chain(chars).collect(),
        None => String::new(),
    };
    let ended = statement_text.trim_end_matches([',', ';', ':', ' ']).len();
    statement_text.truncate(ended);
    if statement_text.ends_with(|c: char| c.is_alphanumeric() || matches!(c, ')' | '%' | '”' | '"')) {
        statement_text.push('.');
    }
    statement_text
}

/// Whether a statement begins with a reference to the thing proposed.
fn points(statement_text: &str) -> bool {
    let mut words = statement_text.split_whitespace();
    match words.next() {
        Some("It" | "This") => true,
        Some("The") => words.next().is_some_and(is_kind),
        _ => false,
    }
}

/// Whether a statement begins with a word that refers to an earlier sentence.
pub(super) fn leans(statement_text: &str) -> bool {
    pattern!(r"^(?:It|They|This|These|Those|Such|Its|Their|Both|To\s+(?:mitigate|address|solve|overcome|tackle|do|achieve|remedy|avoid|alleviate|counter)\s+(?:this|these|it|that|them|so)|Unlike\s+(?:them|it|this|these|those)|[A-Z]\w+\s+[A-Z]\w+\s+We)\b")
        .is_match(statement_text)
}

/// What a sentence proposes: the object of its verb (`we propose a planner`, `Build a planner`), without modifiers.
pub(super) fn what_it_is(sentence: &str) -> Option<String> {
    let text = plain(sentence);
    let object = pattern!(r"(?i)\b(?:propose|introduce|present|develop|design|build|suggest|devise|create|call(?:ed)?|is)\s+(?P<what>(?:an?|the|our)\s+[^.;:,]+)")
        .captures(&text)
        .and_then(|found| Some(found.name("what")?.as_str().to_owned()));
    let imperative = || {
        let tokens = tagged(&text);
        let first = tokens.first()?;
        (first.tag == Tag::Base).then(|| text.get(first.range.end..).unwrap_or_default().trim().to_owned())
    };
    let named = object.or_else(imperative)?;
    let named = head(&named);
    let words = word_count(&named);
    (1..=NAMED).contains(&words).then_some(named)
}

/// A noun phrase up to a clause, a purpose or a participle.
fn head(phrase: &str) -> String {
    const ENDS: [&str; 24] = [
        "that", "which", "who", "whose", "to", "by", "using", "via", "through", "where", "when", "with", "designed",
        "based", "so", "and", "because", "while", "is", "in", "from", "on", "for", "under",
    ];
    let mut kept: Vec<&str> = Vec::new();
    for word in phrase.split_whitespace() {
        let bare = word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
        if kept.len() > 1 && ENDS.contains(&bare.as_str()) {
            break;
        }
        kept.push(word);
        if word.ends_with([',', ';', ':', '.', ')']) {
            break;
        }
    }
    let statement_text = kept.join(" ");
    statement_text
        .trim_matches(|c: char| !c.is_alphanumeric() && c != ')')
        .to_owned()
}

/// Names the thing a statement refers to: `It would run` → `It [the tidal planner] would run`; `This planner would run` → `The tidal planner would
/// run`; `The system would run` → `The system [the tidal planner] would run`.
fn with_name(statement_text: &str, named: &str) -> String {
    let (first, rest) = statement_text.split_once(' ').unwrap_or((statement_text, ""));
    let bare = ["The ", "A ", "An ", "Our ", "the ", "a ", "an ", "our "]
        .iter()
        .find_map(|article| named.strip_prefix(article))
        .unwrap_or(named);
    let (next, after) = rest.split_once(' ').unwrap_or((rest, ""));
    match first {
        "This" | "The" if is_kind(next) || bare.to_lowercase().ends_with(&next.to_lowercase()) => {
            match bare.to_lowercase().ends_with(&next.to_lowercase()) {
                true => format!("The {bare} {after}"),
                false => format!("{first} {next} [the {bare}] {after}"),
            }
        }
        "It" => format!("It [the {bare}] {rest}"),
        _ => statement_text.to_owned(),
    }
}

/// Nouns by which a text refers back to the thing it proposes.
fn is_kind(word: &str) -> bool {
    const KINDS: [&str; 16] = [
        "system",
        "framework",
        "tool",
        "approach",
        "method",
        "model",
        "technique",
        "project",
        "study",
        "idea",
        "work",
        "platform",
        "solution",
        "pipeline",
        "algorithm",
        "planner",
    ];
    KINDS.contains(&word.trim_end_matches("'s").trim_end_matches("’s"))
}

/// Whether a figure is a measurement, not a bare whole number such as `7` or `2,000`.
fn is_measured(figure: &str) -> bool {
    !pattern!(r"^\d+(?:,\d{3})*$").is_match(figure)
}

/// Removes measured figures, because expected results are stated by kind, not by number. Names with digits and bare whole numbers stay: `7 tasks` says what
/// the result is about.
pub(crate) fn without_figures(statement_text: &str) -> String {
    let pattern = pattern!(
        r"(?:[~≈<>±+-]\s?)?(?P<figure>\b\d+(?:[.,]\d+)*(?:\s?[–-]\s?\d+(?:[.,]\d+)*)?)\s?(?:%|×|\b(?:percent(?:age)?(?:\s+points?)?|points?|times|x|fold|-fold)\b)?"
    );
    let mut out = String::new();
    let mut from = 0;
    for found in pattern.captures_iter(statement_text) {
        let (Some(whole), Some(figure)) = (found.get(0), found.name("figure")) else {
            continue;
        };
        let before = statement_text
            .get(..figure.start())
            .unwrap_or_default()
            .chars()
            .next_back();
        let after = statement_text.get(whole.end()..).unwrap_or_default().chars().next();
        // `GPT-4`, `3D` and `F1` are names.
        let named = before.is_some_and(|c| c.is_alphanumeric())
            || after.is_some_and(char::is_alphabetic) && !whole.as_str().ends_with(' ')
            || whole.start() != figure.start()
                && statement_text
                    .get(..whole.start())
                    .unwrap_or_default()
                    .ends_with(char::is_alphanumeric);
        let measured = whole.as_str().trim_end() != figure.as_str() || is_measured(figure.as_str());
        if named || !measured {
            continue;
        }
        out.push_str(statement_text.get(from..whole.start()).unwrap_or_default());
        out.push('…');
        if whole.as_str().ends_with(' ') {
            out.push(' ');
        }
        from = whole.end();
    }
    out.push_str(statement_text.get(from..).unwrap_or_default());
    out
}

/// Cuts the span to [`LONGEST`] words.
fn cut(document: &Document, span: Span) -> Span {
    let text = span.slice(&document.text).unwrap_or_default();
    Span::new(span.start, span.start + first_words(text, LONGEST).len())
}
