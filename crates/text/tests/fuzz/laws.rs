//! Laws that must hold for any result, whatever the input.

use std::collections::BTreeMap;

use precedent_text::{
    Location, OverlapKind, OverlapOptions, SharedPassage, Source, Span, TokenKind, locate, overlap, paraphrases,
    surroundings,
};

fn law(holds: bool, what: impl FnOnce() -> String) -> Result<(), String> {
    if holds { Ok(()) } else { Err(what()) }
}

fn spans(location: &Location) -> Vec<Span> {
    match location {
        Location::Exact { span, .. } | Location::Close { span, .. } | Location::Altered { span, .. } => vec![*span],
        Location::Stitched { spans, .. } => spans.clone(),
        _ => Vec::new(),
    }
}

fn score(location: &Location) -> f64 {
    match location {
        Location::Exact { score, .. }
        | Location::Close { score, .. }
        | Location::Altered { score, .. }
        | Location::Stitched { score, .. } => *score,
        Location::Absent { best_score } => *best_score,
        _ => 0.0,
    }
}

/// All letters and digits, as compared.
fn letters(text: &str) -> String {
    Source::new(text).tokens().map(|token| token.text.to_owned()).collect()
}

fn count(text: &str, wanted: impl Fn(&str, TokenKind) -> bool) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    for token in Source::new(text)
        .tokens()
        .filter(|token| wanted(token.text, token.kind))
    {
        *counts.entry(token.text.to_owned()).or_insert(0) += 1;
    }
    counts
}

/// Source and quote.
pub(crate) fn locate_keeps_its_laws(parts: &[String]) -> Result<(), String> {
    let [text, quote] = parts else { return Ok(()) };
    let source = Source::new(text.as_str());
    let location = locate(&source, quote);
    let shown = || format!("{location:?}");
    law(location == locate(&source.clone(), quote), || {
        "two calls returned different results".to_owned()
    })?;
    let score = score(&location);
    law((0.0..=1.0).contains(&score), || {
        format!("the score is outside 0 to 1: {}", shown())
    })?;
    let spans = spans(&location);
    for span in &spans {
        let slice = span
            .slice(text)
            .ok_or_else(|| format!("a span does not fit the source: {}", shown()))?;
        law(!slice.is_empty(), || format!("empty span: {}", shown()))?;
    }
    law(spans.windows(2).all(|pair| pair[0].end <= pair[1].start), || {
        format!("parts out of order: {}", shown())
    })?;
    if let Location::Close { span, edits, .. } | Location::Altered { span, edits, .. } = &location {
        let around = Span::new(span.start.saturating_sub(8), (span.end + 8).min(text.len()));
        let (from, to) = (
            text.floor_char_boundary(around.start),
            text.ceil_char_boundary(around.end),
        );
        for edit in edits {
            law(text[from..to].contains(&edit.source), || {
                format!("an edit has text that is not in the source: {}", shown())
            })?;
            law(quote.contains(&edit.quote), || {
                format!("an edit has text that is not in the quote: {}", shown())
            })?;
        }
        law(!matches!(location, Location::Close { .. }) || !edits.is_empty(), || {
            format!("close without edits: {}", shown())
        })?;
    }
    if let Location::Altered { score, .. } = &location {
        law(*score < 1.0, || format!("altered with a score of 1: {}", shown()))?;
    }
    if let Location::Stitched { spans, gaps, .. } = &location {
        let apart = gaps.len() + 1 == spans.len()
            && gaps
                .iter()
                .zip(spans.windows(2))
                .all(|(gap, pair)| gap.span == Span::new(pair[0].end, pair[1].start));
        law(apart, || format!("wrong gap spans: {}", shown()))?;
    }
    let around = surroundings(&source, quote, &location);
    let cut = [&around.cut_off_before, &around.cut_off_after];
    law(
        cut.iter()
            .copied()
            .flatten()
            .all(|cut| cut.span.slice(text).is_some_and(|slice| slice.contains(&cut.word))),
        || format!("the cut-off word is not in its span: {around:?}"),
    )?;
    let (first, last) = (
        spans.first().map_or(0, |span| span.start),
        spans.last().map_or(0, |span| span.end),
    );
    let beside = |rest: Option<Span>, fits: &dyn Fn(Span) -> bool| {
        rest.is_none_or(|rest| rest.slice(text).is_some_and(|words| !words.trim().is_empty()) && fits(rest))
    };
    law(
        beside(around.sentence_before, &|rest| rest.end <= first)
            && beside(around.sentence_after, &|rest| rest.start >= last)
            && beside(around.lead_in, &|rest| rest.end <= first),
        || format!("invalid rest of the sentence, or lead-in: {around:?}"),
    )?;
    law(around.places.iter().all(|span| span.slice(text).is_some()), || {
        format!("invalid place: {around:?}")
    })?;
    law((around.occurrences > 0) == location.verified(), || {
        format!("occurrences do not match the location: {around:?}")
    })?;
    let found: String = spans
        .iter()
        .filter_map(|span| span.slice(text))
        .collect::<Vec<_>>()
        .join(" ");
    if matches!(location, Location::Exact { .. }) {
        exact_is_exact(&source, quote, &found)?;
    }
    if location.verified() {
        verified_says_the_same(quote, &found)?;
    }
    slices_are_found(&source)
}

/// Removes the ligatures that extraction may have lost at a division.
fn without_ligatures(letters: &str) -> String {
    ["ffi", "ffl", "ff", "fi", "fl", "ti", "tt"]
        .iter()
        .fold(letters.to_owned(), |text, ligature| text.replace(ligature, ""))
}

fn exact_is_exact(source: &Source, quote: &str, found: &str) -> Result<(), String> {
    let (here, asked) = (without_ligatures(&letters(found)), without_ligatures(&letters(quote)));
    // Dollar signs delimit formulas, however many there are.
    let bare = |letters: &str| letters.replace('$', "");
    let bounds = quote.matches('$').count() > 1 || found.matches('$').count() > 1;
    let same = here == asked || bounds && bare(&here) == bare(&asked);
    law(same, || format!("exact, but {found:?} is not {quote:?}"))?;
    // The effect of other marks next to an operator is ambiguous: either reading is accepted.
    let same = |marks| operations(found, marks) == operations(quote, marks);
    law(same(Marks::Ignored) || same(Marks::Divide), || {
        format!("exact, but {found:?} has other operators than {quote:?}")
    })?;
    if quote.is_ascii() && !quote.contains(['\'', '#', '+']) {
        for other in [quote.to_ascii_uppercase(), quote.replace(' ', "  ")] {
            let again = locate(source, &other);
            // Hyphens at line ends, and capitals after them, are resolved by context.
            law(again.verified() || quote.contains("-\n"), || {
                format!("{other:?} is not found: {again:?}")
            })?;
        }
    }
    Ok(())
}

/// How often each negation is spelt: by one token, or by several that form it when joined.
fn denials(text: &str) -> BTreeMap<&'static str, usize> {
    let source = Source::new(text);
    let tokens: Vec<&str> = source.tokens().map(|token| token.text).collect();
    let mut counts = BTreeMap::new();
    for denial in ["not", "no", "never", "without", "unable"] {
        let spelt = (0..tokens.len()).filter(|from| {
            let mut joined = String::new();
            tokens[*from..].iter().any(|token| {
                joined.push_str(token);
                joined.len() <= denial.len() && joined == denial
            })
        });
        counts.insert(denial, spelt.count());
    }
    counts
}

/// How to treat a mark between two numbers that is neither an operator nor a letter.
#[derive(Clone, Copy, PartialEq)]
enum Marks {
    Ignored,
    Divide,
}

/// The operators between two numbers (ignoring spaces and possibly other marks), each with its neighbours, sorted. All dashes are equal.
fn operations(text: &str, marks: Marks) -> Vec<String> {
    let mut characters: Vec<char> = Vec::new();
    let mut all = text.chars().peekable();
    while let Some(character) = all.next() {
        let figure = |character: Option<&char>| character.is_some_and(char::is_ascii_digit);
        match character {
            '-' | '\u{2212}' | '\u{2013}' if characters.last() == Some(&'-') => {}
            '-' | '\u{2212}' | '\u{2013}' => characters.push('-'),
            '+' | '*' | '/' | '<' | '>' | '=' => characters.push(character),
            // `.5` is `0.5`: neither form of the start is compared.
            '.' if figure(all.peek()) && !figure(characters.last()) => characters.push('.'),
            '0' if all.peek() == Some(&'.') && !figure(characters.last()) => characters.push('.'),
            _ if character.is_alphanumeric() => characters.push(character),
            // A dash before a comma or a quotation mark is not a minus, but before a quoted number it is.
            '\'' | '"' | '’' | '‘' if characters.last() == Some(&'-') && figure(all.peek()) => {}
            ',' | ';' | '\'' | '"' | '’' | '‘' | '‰' | '%' if characters.last() == Some(&'-') => {
                characters.push(' ')
            }
            _ if marks == Marks::Divide && !character.is_whitespace() => characters.push(' '),
            _ => {}
        }
    }
    let mut found: Vec<String> = characters
        .windows(3)
        .filter(|three| {
            three[0].is_ascii_digit() && !three[1].is_alphanumeric() && three[1] != ' ' && three[2].is_ascii_digit()
        })
        .map(|three| three.iter().collect())
        .collect();
    found.sort_unstable();
    found
}

/// A verified quote neither adds nor removes negations and numbers, except in brackets, footnotes and page furniture.
fn verified_says_the_same(quote: &str, found: &str) -> Result<(), String> {
    if [quote, found]
        .iter()
        .any(|text| text.contains(['(', ')', '[', ']', '（', '【', '\n', '\'', '’', '-', '‐']) || !text.is_ascii())
    {
        return Ok(());
    }
    // Spaced letters spell a word; if all letters are equal, they may be divided differently.
    let letters_agree = without_ligatures(&letters(quote)) == without_ligatures(&letters(found));
    // A word that lost the space before it still negates.
    let joined = |text: &str| {
        let letters = letters(text);
        ["not", "no", "never", "without", "unable"].map(|denial| letters.matches(denial).count())
    };
    let as_often = denials(quote) == denials(found) || joined(quote) == joined(found);
    law(letters_agree || as_often, || {
        format!("verified, but {found:?} has other negations than {quote:?}")
    })?;
    let glued = |text: &str| {
        let bytes = text.as_bytes();
        bytes
            .windows(2)
            .any(|pair| pair[1].is_ascii_digit() && !pair[0].is_ascii_digit() && pair[0] != b' ')
    };
    if glued(quote) || glued(found) {
        return Ok(());
    }
    let figures = |text: &str| {
        count(text, |word, kind| kind == TokenKind::Number && word.len() > 1)
            .into_keys()
            .collect::<Vec<_>>()
    };
    let here = figures(found);
    // Thousands may be separated.
    let closed = |text: &str| {
        let bytes = text.as_bytes();
        let between = |at: usize| {
            let digit = |at: Option<usize>| at.and_then(|at| bytes.get(at)).is_some_and(u8::is_ascii_digit);
            matches!(bytes[at], b' ' | b',') && digit(at.checked_sub(1)) && digit(Some(at + 1))
        };
        let kept = (0..bytes.len()).filter(|at| !between(*at));
        kept.map(|at| char::from(bytes[at])).collect::<String>()
    };
    let runs = |text: &str| {
        let closed = closed(text);
        let runs = closed
            .split(|c: char| !c.is_ascii_digit())
            .filter(|run| !run.is_empty());
        runs.map(str::to_owned).collect::<Vec<String>>()
    };
    let grouped = runs(found);
    let apart = runs(quote).iter().all(|run| grouped.contains(run));
    law(
        apart
            || figures(quote).iter().all(|figure| {
                let same = |other: &String| figure.parse::<f64>().ok() == other.parse::<f64>().ok();
                here.iter().any(same) || quote.split_whitespace().count() > 400
            }),
        || format!("verified, but {quote:?} has other numbers than {found:?}"),
    )
}

/// Verbatim text is found: three slices of the source, cut at its tokens.
fn slices_are_found(source: &Source) -> Result<(), String> {
    let text = source.text();
    let count = source.token_count();
    for third in 1..4 {
        let from = count * (third - 1) / 3;
        let to = (from + 9 + 7 * third).min(count);
        let (Some(first), Some(last)) = (source.token(from), source.token(to.saturating_sub(1))) else {
            continue;
        };
        // The signs at a word, and the first half of a compound, belong to it.
        let mut head = text[..first.span.start]
            .char_indices()
            .rev()
            .take_while(|(_, character)| !character.is_whitespace())
            .last()
            .map_or(first.span.start, |(at, _)| at);
        for before in (0..from).rev().filter_map(|at| source.token(at)) {
            if before.span.end <= head {
                break;
            }
            head = head.min(before.span.start);
        }
        // `Few` is not `a few`.
        let excused = matches!(first.text, "few" | "little")
            && from > 0
            && source.token(from - 1).is_some_and(|token| token.text == "a");
        let Some(quote) = Span::new(head, last.span.end).slice(text) else {
            return Err("tokens overlap".to_owned());
        };
        let location = locate(source, quote);
        // On their own, the halves of a broken word may stay separate, or be joined although the rest of the source keeps them separate.
        let alone = Source::new(quote);
        let there = (from..to).filter_map(|at| source.token(at)).map(|token| token.text);
        let broken = quote.contains("-\n") || quote.contains("\u{ad}\n");
        let excused = excused
            || matches!(location, Location::TooShort)
            || broken && !alone.tokens().map(|token| token.text).eq(there)
            || quote
                .get(..first.span.start - head)
                .is_some_and(|cut| cut.contains('\n'));
        law(excused || location.verified(), || {
            format!("{quote:?} stands there and is {location:?}")
        })?;
    }
    Ok(())
}

/// Parts: two texts, and a passage of the first.
pub(crate) fn overlap_keeps_its_laws(parts: &[String]) -> Result<(), String> {
    let [one, other, ..] = parts else { return Ok(()) };
    let options = OverlapOptions { min_words: 12 };
    let (target, candidate) = (Source::new(one.as_str()), Source::new(other.as_str()));
    let ask = |target: &Source, others: &[&Source]| -> Vec<Vec<SharedPassage>> {
        let mut found = vec![Vec::new(); others.len()];
        for overlap in overlap(target, others, &options) {
            found[overlap.candidate] = overlap.passages;
        }
        found
    };
    let here = ask(&target, &[&candidate]).remove(0);
    for passage in &here {
        for (span, text) in [(passage.a, one), (passage.b, other)] {
            let slice = span.slice(text).ok_or_else(|| format!("bad span: {passage:?}"))?;
            law(!slice.trim().is_empty(), || format!("empty span: {passage:?}"))?;
        }
        law((0.0..=1.0).contains(&passage.agreement), || {
            format!("agreement outside 0 to 1: {passage:?}")
        })?;
        let words_at = |source: &Source, span: Span| {
            let tokens = source.tokens().filter(|token| span.contains(token.span));
            tokens.filter(|token| token.kind != TokenKind::Symbol).count()
        };
        let sides = (words_at(&target, passage.a), words_at(&candidate, passage.b));
        law(
            passage.words >= options.min_words && passage.words == sides.0.min(sides.1),
            || format!("shorter than requested, or wrong word count: {sides:?} {passage:?}"),
        )?;
        edits_are_true(passage, one, other)?;
    }
    law(here.is_sorted_by_key(|passage| (passage.a, passage.b)), || {
        "passages out of order".to_owned()
    })?;
    let mut back: Vec<SharedPassage> = ask(&candidate, &[&target])
        .remove(0)
        .into_iter()
        .map(SharedPassage::mirrored)
        .collect();
    back.sort_by_key(|passage| (passage.a, passage.b));
    law(here == back, || format!("not symmetric:\n{here:?}\n{back:?}"))?;
    retellings_keep_their_laws(&target, &candidate, &options)?;
    let unrelated = Source::new("Nothing at all stands here that anybody else has said.");
    let among = ask(&target, &[&unrelated, &candidate, &candidate]);
    law(among[0].is_empty() && among[1] == here && among[2] == here, || {
        "other candidates change the result".to_owned()
    })?;
    if let Some(passage) = parts.get(2) {
        planted_is_found(&target, passage)?;
    }
    Ok(())
}

/// An edit is inside its passage on both sides and contains the text there; direct passages have no edits.
fn edits_are_true(passage: &SharedPassage, one: &str, other: &str) -> Result<(), String> {
    law(passage.kind != OverlapKind::Direct || passage.edits.is_empty(), || {
        format!("direct passage with edits: {passage:?}")
    })?;
    for edit in &passage.edits {
        let (Some(a), Some(b)) = (edit.a.slice(one), edit.b.slice(other)) else {
            return Err(format!("bad span: {edit:?} of {passage:?}"));
        };
        let inside = passage.a.contains(edit.a) && passage.b.contains(edit.b);
        law(inside, || format!("outside: {edit:?} of {passage:?}"))?;
        law(!a.is_empty() || !b.is_empty(), || {
            format!("empty edit: {edit:?} of {passage:?}")
        })?;
    }
    Ok(())
}

/// A text that contains the whole passage shares it in any context, with joined or split paragraphs.
fn planted_is_found(target: &Source, passage: &str) -> Result<(), String> {
    // A repeated passage has no unique position, and broken words are joined depending on the rest of the text.
    let planted = Source::new(passage);
    let tokens: Vec<&str> = planted.tokens().map(|token| token.text).collect();
    let words = planted.tokens().filter(|token| token.kind != TokenKind::Symbol).count();
    let mut grams: Vec<&[&str]> = tokens.windows(4).collect();
    grams.sort_unstable();
    let all = grams.len();
    grams.dedup();
    if words < 36
        || grams.len() < all
        || words * 4 < tokens.len() * 3
        || passage.contains("-\n")
        || !target.text().contains(passage)
    {
        return Ok(());
    }
    let plain: Vec<&str> = passage.split_whitespace().collect();
    for text in [
        plain.join(" "),
        plain
            .chunks(9)
            .map(|line| line.join(" "))
            .collect::<Vec<_>>()
            .join("\n\n"),
    ] {
        let candidate = Source::new(format!("Elsewhere stands this. {text} And so on."));
        let found: Vec<SharedPassage> = overlap(target, &[&candidate], &OverlapOptions::default())
            .into_iter()
            .flat_map(|found| found.passages)
            .collect();
        let there: usize = found.iter().map(|shared| shared.words).sum();
        law(there * 100 >= words * 90, || {
            format!("{there} of {words} words of {text:?} are found: {found:?}")
        })?;
    }
    Ok(())
}

/// Paraphrase candidates have positions on both sides, and the sides can be swapped.
fn retellings_keep_their_laws(one: &Source, other: &Source, options: &OverlapOptions) -> Result<(), String> {
    let ask = |target: &Source, candidate: &Source| -> Vec<SharedPassage> {
        let reuse = overlap(target, &[candidate], options);
        let found = paraphrases(target, &[candidate], &reuse, options);
        found.into_iter().flat_map(|found| found.passages).collect()
    };
    let here = ask(one, other);
    for passage in &here {
        let slices = (passage.a.slice(one.text()), passage.b.slice(other.text()));
        law(
            matches!(slices, (Some(a), Some(b)) if !a.is_empty() && !b.is_empty()),
            || format!("bad span: {passage:?}"),
        )?;
        law(passage.kind == OverlapKind::ParaphraseCandidate, || {
            format!("not a paraphrase candidate: {passage:?}")
        })?;
    }
    let mut back: Vec<SharedPassage> = ask(other, one).into_iter().map(SharedPassage::mirrored).collect();
    back.sort_by_key(|passage| (passage.a, passage.b));
    law(here == back, || {
        format!("paraphrases are not symmetric:\n{here:?}\n{back:?}")
    })
}
