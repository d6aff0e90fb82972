//! The name of a claim: the paper's own words for what it offers or states, cut to a phrase.

use precedent_domain::Span;
use precedent_language::terms::is_verb;
use precedent_language::wording::{Tag, Tagged, Word, content_stems, is_function_word, tagged, word_count, words};

use super::Reading;
use super::claim::{Claim, MOST_NAME_WORDS};
use super::clause::{folded, phrase_prefix, skip_lead, span_of, trim_end};
use super::cues::is_method_noun;

/// Minimum number of content stems in a name: `system` alone names nothing.
const LEAST_STEMS: usize = 2;

/// The name of a claim. For a thing that is offered, it is the noun phrase after the verb. Otherwise it is the beginning of what is stated, or of the
/// claim: the object of `we apply` or `we study` is not what the paper offers. `None` if the claim names nothing.
pub(super) fn name_of(reading: &Reading<'_>, claim: &Claim) -> Option<String> {
    if claim.statement {
        let telling = content_stems(reading.slice(claim.object)).len() >= LEAST_STEMS;
        return telling.then(|| opening(reading, claim.object));
    }
    let phrase = offered(reading, claim.object)?.replace(" ,", ",");
    if !claim.treats && is_noun_phrase(&phrase) {
        Some(phrase)
    } else {
        Some(opening(reading, claim.span))
    }
}

/// The first words of a claim or statement, with an ellipsis if there are more.
fn opening(reading: &Reading<'_>, claim: Span) -> String {
    let found = words(reading.slice(claim), claim.start);
    let skipped = found
        .iter()
        .take_while(|word| matches!(word.lower.as_str(), "that" | "here" | "herein"))
        .count();
    let stated = found.get(skipped..).unwrap_or_default();
    let text = span_of(stated, stated.len()).map_or_else(String::new, |span| folded(reading.slice(span)));
    let cut = text.split(' ').take(MOST_NAME_WORDS).collect::<Vec<_>>().join(" ");
    if cut == text {
        return capitalised(closed(&text).to_owned());
    }
    let kept = words(&cut, 0);
    let end = span_of(&kept, trim_end(&kept)).map_or(cut.len(), |span| span.end);
    capitalised(format!("{}…", closed(cut.get(..end).unwrap_or(&cut))))
}

fn capitalised(mut name: String) -> String {
    if let Some(first) = name.chars().next() {
        name.replace_range(..first.len_utf8(), &first.to_uppercase().to_string());
    }
    name
}

/// Whether the words are a noun phrase: a noun, no preposition at its start (`instead of labelled data`), and no finite verb outside a relative clause.
fn is_noun_phrase(name: &str) -> bool {
    let name = name.split(": ").next().unwrap_or(name);
    let found = tagged(name);
    let clause = found
        .iter()
        .take_while(|word| word.tag != Tag::Wh && !is_relative(name, word));
    let mut before = None;
    let mut has_noun = false;
    for word in clause {
        let finite = matches!(word.tag, Tag::Third | Tag::Present | Tag::Modal)
            || word.tag == Tag::Base && before != Some(Tag::To);
        if finite || word.tag == Tag::Preposition && before.is_none() {
            return false;
        }
        has_noun |= word.tag.is_noun();
        // `to automatically detect`
        if word.tag != Tag::Adverb {
            before = Some(word.tag);
        }
    }
    has_noun
}

fn is_relative(name: &str, word: &Tagged) -> bool {
    matches!(
        name.get(word.range.clone()),
        Some("that" | "which" | "who" | "whose" | "where")
    )
}

/// What the claim offers: the words after the verb, without articles and praise, at most 15. `None` if they name nothing.
fn offered(reading: &Reading<'_>, object: Span) -> Option<String> {
    let found = words(reading.slice(object), object.start);
    let rest = found.get(name_lead(&found)..)?;
    let rest = without_subject(rest);
    let rest = rest.get(lead_to_take_off(rest)..)?;
    // `an 338 improved mechanism`: a line number.
    let figures = rest
        .iter()
        .take_while(|word| word.text.chars().all(|c| c.is_ascii_digit()))
        .count();
    let rest = rest.get(figures..)?;
    let rest = rest.get(lead_to_take_off(rest)..)?;
    let rest = rest.get(..enumeration_at(reading, rest).unwrap_or(rest.len()))?;
    let short = name_prefix(reading, rest);
    let telling = |length: usize| {
        let phrase = span_of(rest, length)
            .map(|span| reading.slice(span))
            .unwrap_or_default();
        let named = rest.get(..length).unwrap_or_default();
        // `a family of algorithms` is too generic: half of all papers offer one.
        let specific: Vec<&str> = phrase.split_whitespace().filter(|word| !says_what_sort(word)).collect();
        content_stems(&specific.join(" ")).len() >= LEAST_STEMS
            || named.iter().any(|word| reading.names().is_coined(&word.text))
                && (length >= 4 || verb_after_and(rest) == Some(length))
    };
    // A bare `system` is named by its description.
    let described = description(rest);
    let length = [
        short,
        verb_after_and(rest.get(..described).unwrap_or_default())
            .filter(|&at| at >= 3)
            .unwrap_or(described),
        trim_end(rest.get(..MOST_NAME_WORDS.min(rest.len()))?),
    ]
    .into_iter()
    .find(|&length| telling(length))?;
    let length = before_open_hyphen(reading, rest, length);
    let broken_off = rest.get(length).is_some_and(|next| !next.after_break);
    let named = span_of(rest, length)?;
    let text = closed(rounded(reading.slice(named), broken_off));
    let end = named.start + text.len();
    let (text, end) = with_bracketed_head(reading, rest, length).unwrap_or_else(|| (folded(text), end));
    let goes_on = goes_on_after(&text, reading.slice(Span::new(end.min(object.end), object.end)));
    let mut name: Vec<String> = text.split(' ').map(str::to_owned).collect();
    // Only the first word may be capitalised because of its position. Other capitals are the authors'.
    let opens = rest.first().is_some_and(|word| word.span.start == object.start);
    let capital = |word: &str| word.starts_with(char::is_uppercase);
    // `Optimal Temporal Transport loss`: when the next word is capitalised too, the first one is part of a name.
    let of_a_name = name.get(1).is_some_and(|second| capital(second)) && object.start > sentence_start(reading, object);
    if let Some(first) = name.first_mut()
        && opens
        && !of_a_name
    {
        *first = reading.in_running_case(first);
    }
    name.truncate(MOST_NAME_WORDS);
    if name.is_empty() {
        return None;
    }
    let article = article_of(&found, rest).filter(|_| name.len() < MOST_NAME_WORDS);
    let mut words = match article {
        Some(article) => format!("{} {}", fitting(article, &name), name.join(" ")),
        None => name.join(" "),
    };
    if goes_on {
        // Attached to the last word, so that it does not count as a word.
        words.push('…');
    }
    Some(words)
}

/// Drops an unclosed bracket or quote and the text after it: `networks (directed, weighted` becomes `networks`.
fn closed(name: &str) -> &str {
    const PAIRS: [(char, char); 3] = [('(', ')'), ('[', ']'), ('“', '”')];
    let open = PAIRS.iter().filter_map(|&(open, close)| {
        let mut unclosed: Vec<usize> = Vec::new();
        for (at, c) in name.char_indices() {
            if c == open {
                unclosed.push(at);
            } else if c == close {
                unclosed.pop();
            }
        }
        unclosed.first().copied()
    });
    let Some(at) = open.min() else { return name };
    let before = name.get(..at).unwrap_or(name).trim_end();
    if word_count(before) >= LEAST_STEMS {
        before
    } else {
        name
    }
}

/// Whether the phrase continues after the name, so that the name is incomplete. It ends at a mark, a new clause, or the means used.
fn goes_on_after(name: &str, rest: &str) -> bool {
    const OPENERS: [&str; 33] = [
        "that", "which", "where", "when", "while", "whose", "who", "whereby", "because", "since", "although", "though",
        "but", "by", "using", "via", "so", "if", "based", "called", "named", "capable", "able", "we", "it", "to",
        "without", "with", "through", "thereby", "and", "or", "for",
    ];
    let mut rest = rest.trim_start();
    if let Some(bracket) = rest.strip_prefix(['(', '[']) {
        // `… process (AHP) for …`: look behind the abbreviation. Longer brackets are ignored.
        let inside = bracket.split([')', ']']).next().unwrap_or_default();
        if inside.split_whitespace().count() > 1 {
            return true;
        }
        rest = bracket.get(inside.len() + 1..).unwrap_or_default().trim_start();
    }
    if !rest.starts_with(char::is_alphanumeric) && !rest.starts_with(['“', '"', '‘', '\'', '$', '(']) {
        return false;
    }
    // `… the method leads to`: the verb needs an object.
    let ends_with_verb = tagged(name)
        .last()
        .is_some_and(|last| matches!(last.tag, Tag::Base | Tag::Present | Tag::Third));
    let next = words(rest, 0).into_iter().next();
    next.is_some_and(|word| ends_with_verb || !OPENERS.contains(&word.lower.as_str()))
}

/// Number of leading words to drop, minus one before a conjunction: `the first and second problems` loses only its article.
fn lead_to_take_off(rest: &[Word]) -> usize {
    let lead = skip_lead(rest);
    let joined = |at: usize| {
        rest.get(at)
            .is_some_and(|word| matches!(word.lower.as_str(), "and" | "or" | "but" | "as"))
    };
    if joined(lead) { lead.saturating_sub(1) } else { lead }
}

/// The indefinite article before the name, with only praise in between: `a novel way of …` becomes `a way of …`.
fn article_of<'w>(found: &'w [Word], rest: &[Word]) -> Option<&'w str> {
    let first = rest.first()?.span.start;
    let before = found.iter().take_while(|word| word.span.start < first);
    let lead: Vec<&Word> = before.collect();
    let at = lead
        .iter()
        .rposition(|word| matches!(word.lower.as_str(), "a" | "an"))?;
    let praise = lead
        .iter()
        .skip(at + 1)
        .all(|word| precedent_language::wording::is_evaluative(&word.lower));
    praise.then(|| lead.get(at).map(|word| word.lower.as_str())).flatten()
}

/// `a` or `an` to fit the name's first word after praise was removed. The authors' article is kept for a word in `h`.
fn fitting(authors: &str, name: &[String]) -> &'static str {
    const AS_CONSONANT: [&str; 5] = ["uni", "use", "uti", "eu", "one"];
    const LETTERS: &str = "aefhilmnorsx";
    let Some(first) = name.first() else { return "a" };
    let lower = first.to_lowercase();
    let capitals = first.chars().take_while(|c| c.is_uppercase()).count();
    let open = if capitals > 1 {
        lower.starts_with(|c: char| LETTERS.contains(c))
    } else {
        lower.starts_with(['a', 'e', 'i', 'o', 'u']) && !AS_CONSONANT.iter().any(|lead| lower.starts_with(lead))
    };
    match (open, lower.starts_with('h'), authors) {
        (_, true, "an") | (true, ..) => "an",
        _ => "a",
    }
}

/// Whether a word names only the kind of thing that is offered.
fn says_what_sort(word: &str) -> bool {
    is_method_noun(word)
        || matches!(
            word.to_lowercase().as_str(),
            "family" | "class" | "set" | "series" | "way" | "ways" | "suite"
        )
}

/// `… in low-` of `low- and middle-income countries` is half a word, so the name ends before it.
fn before_open_hyphen(reading: &Reading<'_>, found: &[Word], length: usize) -> usize {
    let text = &reading.paper().document.text;
    let open = |at: usize| {
        let after = found
            .get(at)
            .and_then(|word| text.get(word.span.end..))
            .unwrap_or_default();
        let mut chars = after.chars();
        matches!(chars.next(), Some('-' | '\u{2010}')) && chars.next().is_none_or(char::is_whitespace)
    };
    match length.checked_sub(1) {
        Some(last) if last >= 2 && open(last) => trim_end(found.get(..last).unwrap_or_default()),
        _ => length,
    }
}

/// Where an enumeration starts inside the words: `three regimes: (1) tasks where …`, `(i) …`. The name is the text before it.
fn enumeration_at(reading: &Reading<'_>, found: &[Word]) -> Option<usize> {
    const ENOUGH: usize = 3;
    let text = &reading.paper().document.text;
    found.windows(2).enumerate().find_map(|(at, pair)| {
        let [before, mark] = pair else { return None };
        let first = matches!(mark.lower.as_str(), "1" | "i" | "a");
        let opened = text.get(before.span.end..mark.span.start)?.trim_end().ends_with('(');
        let closed = text.get(mark.span.end..)?.starts_with(')');
        (first && opened && closed && at + 1 >= ENOUGH).then_some(at + 1)
    })
}

/// Start of the sentence that contains `object`.
fn sentence_start(reading: &Reading<'_>, object: Span) -> usize {
    let own = reading.sentences().iter().find(|one| one.span.covers(object.start));
    own.map_or(object.start, |one| one.span.start)
}

/// Shortens a name so that it ends with a noun. A name that breaks off inside a phrase (`a system which helps visits by providing users`)
/// is cut before its last preposition, if enough remains.
fn rounded(name: &str, broken_off: bool) -> &str {
    const ENOUGH: usize = 4;
    let found = tagged(name);
    let words = |end: usize| name.get(..end).map_or(0, word_count);
    let noun_before = |at: usize| {
        found
            .get(..at)
            .and_then(|head| head.iter().rposition(|token| token.tag.is_noun()))
    };
    let mut end = name.len();
    // A name ends at a citation.
    if let Some(bracket) = name.find(" [").filter(|&at| words(at) >= 2) {
        end = bracket;
    }
    let participle = |token: &&Tagged| {
        matches!(
            token.tag,
            Tag::Participle | Tag::Past | Tag::Adverb | Tag::Preposition | Tag::Wh
        )
    };
    let last = found.iter().rev().find(|token| token.range.end <= end);
    let cut = if broken_off && !last.as_ref().is_some_and(participle) {
        // Only where a preposition opens its own clause: `by providing`, `for handling`, `to solve`.
        found
            .windows(2)
            .enumerate()
            .rev()
            .find(|(_, pair)| matches!(pair, [lead, verb] if matches!(lead.tag, Tag::Preposition | Tag::Wh) && verb.tag == Tag::Gerund))
            .and_then(|(at, _)| noun_before(at))
    } else if last.as_ref().is_some_and(participle) {
        noun_before(found.len())
    } else {
        None
    };
    if let Some(token) = cut
        .and_then(|at| found.get(at))
        .filter(|token| words(token.range.end) >= ENOUGH)
    {
        end = end.min(token.range.end);
    }
    name.get(..end).unwrap_or(name).trim_end_matches([',', ' '])
}

/// `bounded attention prefix oracle (BAPO) model`: drops the abbreviation from a name whose head noun comes after it.
///
/// Also returns the byte where the name ends.
fn with_bracketed_head(reading: &Reading<'_>, found: &[Word], length: usize) -> Option<(String, usize)> {
    const MOST: usize = 2;
    let text = &reading.paper().document.text;
    let (last, short, head) = (
        found.get(length.checked_sub(1)?)?,
        found.get(length)?,
        found.get(length + 1)?,
    );
    let bracketed =
        text.get(last.span.end..short.span.start)?.trim() == "(" && text.get(short.span.end..head.span.start)? == ") ";
    if !bracketed
        || is_function_word(&head.lower)
        || is_verb(&head.lower)
        || head.lower.ends_with("ing")
        || head.lower.ends_with("ed")
    {
        return None;
    }
    let more = found
        .iter()
        .skip(length + 2)
        .take(MOST - 1)
        .take_while(|word| {
            !word.after_break && !is_function_word(&word.lower) && !is_verb(&word.lower) && !word.lower.ends_with("ing")
        })
        .count();
    let front = folded(reading.slice(span_of(found, length)?));
    let back = found.get(length + 1..length + 2 + more)?;
    let back = span_of(back, back.len())?;
    let end = back.end;
    let back = folded(reading.slice(back));
    let fits = word_count(&front) + word_count(&back) <= MOST_NAME_WORDS;
    fits.then(|| (format!("{front} {back}"), end))
}

/// `We explain how …` in list items: the words after the verb.
fn without_subject(found: &[Word]) -> &[Word] {
    let lower: Vec<&str> = found.iter().take(4).map(|word| word.lower.as_str()).collect();
    let skip = match lower.as_slice() {
        ["we", adverb, _, ..] if adverb.ends_with("ly") || matches!(*adverb, "also" | "then" | "first" | "have") => 3,
        ["we", ..] => 2,
        _ => 0,
    };
    let rest = found.get(skip..).unwrap_or_default();
    rest.get(name_lead(rest)..).unwrap_or_default()
}

/// Words between the verb and what is claimed: `that`, `in this paper`, `for the first time`, `and evaluate`.
fn name_lead(found: &[Word]) -> usize {
    let lower: Vec<&str> = found.iter().take(6).map(|word| word.lower.as_str()).collect();
    let own = match lower.as_slice() {
        ["for", "the", "first", "time", "that", ..] => 5,
        ["for", "the", "first", "time", ..] => 4,
        ["in", "this" | "the", _, ..] => 3,
        ["and", _, ..] => 2,
        ["that" | "how" | "whether" | "here" | "further" | "also" | "both", ..] => 1,
        _ => 0,
    };
    let figures = found
        .iter()
        .skip(own)
        .take_while(|word| word.text.chars().all(|c| c.is_ascii_digit()))
        .count();
    own + figures
}

/// A coined name with its description, `MIND, a novel algorithm for …`, or else one phrase.
fn name_prefix(reading: &Reading<'_>, rest: &[Word]) -> usize {
    let text = &reading.paper().document.text;
    let named = rest.first().is_some_and(|word| reading.names().is_coined(&word.text));
    let least = if named { 7 } else { 4 };
    let mut length = phrase_prefix(rest, text, 0, least, MOST_NAME_WORDS);
    // `comparable, non-parallel corpora`: a list of adjectives is kept with its noun.
    if rest.get(length).is_some_and(|next| next.after_break && goes_on(next)) && gap(text, rest, length).trim() == "," {
        let on = rest.get(length..).unwrap_or_default();
        let more = phrase_prefix(on, text, 0, 1, MOST_NAME_WORDS.saturating_sub(length));
        if more > 0 && more <= 4 {
            length += more;
        }
    }
    let cut = verb_after_and(rest.get(..length).unwrap_or_default()).unwrap_or(length);
    trim_end(rest.get(..cut).unwrap_or_default())
}

/// Whether a word after a comma can belong to the same noun phrase.
fn goes_on(word: &Word) -> bool {
    !is_function_word(&word.lower) && !is_verb(&word.lower) && !word.lower.ends_with("ing")
}

fn gap<'t>(text: &'t str, found: &[Word], at: usize) -> &'t str {
    let before = at.checked_sub(1).and_then(|index| found.get(index));
    match (before, found.get(at)) {
        (Some(before), Some(word)) => text.get(before.span.end..word.span.start).unwrap_or_default(),
        _ => "",
    }
}

/// Where `and` joins a second verb (`a parser and verify that …`) instead of a second noun.
fn verb_after_and(found: &[Word]) -> Option<usize> {
    const TELLING: [&str; 10] = [
        "reveals",
        "shows",
        "demonstrates",
        "proves",
        "explains",
        "verifies",
        "illustrates",
        "yields",
        "allows",
        "enables",
    ];
    found
        .windows(2)
        .position(|pair| {
            let verb = |word: &Word| {
                let lower = word.lower.as_str();
                TELLING.contains(&lower) || is_verb(lower) || lower.strip_suffix('s').is_some_and(is_verb)
            };
            matches!(pair, [and, next] if and.lower == "and" && verb(next))
        })
        .filter(|&at| at >= 1)
}

/// The words up to the first comma after seven of them, or to the last phrase boundary within 15.
fn description(rest: &[Word]) -> usize {
    let most = rest.len().min(MOST_NAME_WORDS);
    let comma = rest
        .iter()
        .enumerate()
        .take(most + 1)
        .position(|(at, word)| at >= 7 && word.after_break);
    // `… is effective because it tends to`: the reason is a separate clause.
    let clause = rest.iter().enumerate().take(most + 1).position(|(at, word)| {
        let opens = matches!(
            word.lower.as_str(),
            "because" | "since" | "although" | "whereas" | "while" | "unless"
        );
        at >= 6 && opens
    });
    let clause = clause.map(|at| match at.checked_sub(1).and_then(|before| rest.get(before)) {
        Some(adverb) if adverb.lower.ends_with("ly") => at - 1,
        _ => at,
    });
    let length = comma
        .or(clause.filter(|_| rest.len() > MOST_NAME_WORDS))
        .unwrap_or_else(|| {
            if rest.len() <= MOST_NAME_WORDS {
                return most;
            }
            (8..=most)
                .rev()
                .find(|&at| rest.get(at).is_some_and(|word| is_function_word(&word.lower)))
                .unwrap_or(most)
        });
    trim_end(rest.get(..length).unwrap_or_default())
}
