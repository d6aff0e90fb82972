//! From sentences that claim to drafts of contributions.
//!
//! Long because scoring, cutting and naming of one claim share the same sentence and are read together.

use std::collections::BTreeSet;

use precedent_domain::{ContributionClass, Span};

use super::clause::{folded, phrase_prefix, skip_lead, span_of, trim_end};
use super::cues::{Cue, classify, find_cue, is_unfit, performance_at, speaks_of_others};
use super::reading::is_item_number;
use super::{Reading, Sentence, Zone};
use crate::ClaimDraft;
use crate::wording::{Word, content_stems, is_function_word, is_generic, key_phrases, word_count, words};

/// Limits of the specification, in words.
pub(crate) const MOST_CLAIM_WORDS: usize = 40;
pub(crate) const MOST_NAME_WORDS: usize = 15;
pub(crate) const MOST_DESCRIPTION_WORDS: usize = 60;
/// Shorter claims say too little.
const LEAST_CLAIM_WORDS: usize = 6;
/// Weaker sentences are no contributions.
const LEAST_SCORE: f64 = 2.6;

/// A sentence that claims.
#[derive(Debug, Clone)]
struct Claim {
    sentence: usize,
    span: Span,
    object: Span,
    score: f64,
    class: ContributionClass,
    statement: bool,
    stems: BTreeSet<String>,
    coined: BTreeSet<String>,
}

/// What the paper claims to contribute, strongest first, each claim once. Not cut to three: the stage does that.
pub(crate) fn claim_drafts(reading: &Reading<'_>) -> Vec<ClaimDraft> {
    let mut claims = find_claims(reading);
    if claims.is_empty() {
        claims.extend(conclusion_of_abstract(reading));
    }
    claims.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.span.cmp(&b.span)));
    let title = content_stems(reading.title());
    let mut kept: Vec<Claim> = Vec::new();
    for claim in claims {
        match kept.iter_mut().find(|other| same_claim(other, &claim, &title)) {
            // Said twice: central.
            Some(other) => other.score += 0.25,
            None => kept.push(claim),
        }
    }
    kept.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.span.cmp(&b.span)));
    kept.iter().filter_map(|claim| draft(reading, claim)).collect()
}

fn find_claims(reading: &Reading<'_>) -> Vec<Claim> {
    let about = content_stems(reading.title());
    let announced = announced_items(reading);
    let mut claims = Vec::new();
    for (number, sentence) in reading.sentences().iter().enumerate() {
        let text = reading.slice(sentence.span);
        let listed = announced.contains(&number);
        if is_unfit(text) && !listed {
            continue;
        }
        let cue = match find_cue(text) {
            Some(cue) => cue,
            None if listed => item_cue(text),
            None => continue,
        };
        // Without a subject it is the paper's own only where papers speak of themselves, and where nobody else is cited.
        if cue.passive && !listed && (sentence.zone == Zone::Introduction || reading.cites(sentence.span)) {
            continue;
        }
        let Some(span) = cut_claim(text, &cue, sentence.span.start) else {
            continue;
        };
        let claim_text = reading.slice(span);
        let stems: BTreeSet<String> = content_stems(claim_text);
        if stems.len() < 3 {
            continue;
        }
        let object = Span::new(sentence.span.start + cue.object, span.end);
        let object_text = reading.slice(object);
        let shared = about.intersection(&stems).count();
        let score = score(sentence, text, claim_text, &cue, listed, shared);
        if score >= LEAST_SCORE {
            let coined = words(object_text, 0)
                .iter()
                .take(6)
                .filter(|word| reading.names().is_coined(&word.text))
                .map(|word| word.lower.clone())
                .collect();
            let class = classify(object_text, cue.class, reading.title());
            claims.push(Claim {
                sentence: number,
                span,
                object,
                score,
                class,
                statement: cue.statement,
                stems,
                coined,
            });
        }
    }
    claims
}

/// Where no words claim (a trial, a case report): the sentence late in the abstract that says most of what the title says.
fn conclusion_of_abstract(reading: &Reading<'_>) -> Option<Claim> {
    let about = content_stems(reading.title());
    let own: Vec<(usize, &Sentence)> = reading
        .sentences()
        .iter()
        .enumerate()
        .filter(|(_, one)| one.zone == Zone::Abstract)
        .collect();
    let mut best: Option<(usize, Claim)> = None;
    for (number, sentence) in own.iter().skip(own.len() / 2) {
        let text = reading.slice(sentence.span);
        let cue = item_cue(text);
        if is_unfit(text) || speaks_of_others(text) {
            continue;
        }
        let Some(span) = cut_claim(text, &cue, sentence.span.start) else {
            continue;
        };
        let stems = content_stems(reading.slice(span));
        let shared = about.intersection(&stems).count();
        if shared >= 2 && stems.len() >= 4 && best.as_ref().is_none_or(|(most, _)| shared >= *most) {
            let (class, score) = (ContributionClass::Finding, LEAST_SCORE);
            let claim = Claim {
                sentence: *number,
                span,
                object: span,
                score,
                class,
                statement: true,
                stems,
                coined: BTreeSet::new(),
            };
            best = Some((shared, claim));
        }
    }
    best.map(|(_, claim)| claim)
}

fn score(sentence: &Sentence, text: &str, claim: &str, cue: &Cue, listed: bool, shared: usize) -> f64 {
    let lower = text.to_lowercase();
    let has = |phrase: &str| lower.contains(phrase);
    let zone = match sentence.zone {
        Zone::Abstract => 1.0,
        Zone::Introduction => 0.5,
        Zone::Conclusion => 0.1,
    };
    #[expect(clippy::cast_precision_loss, reason = "at most a title's words")]
    let on_topic = (shared.min(5) as f64) * 0.15;
    let mut score = cue.weight.max(if listed { 2.9 } else { 0.0 }) + zone + on_topic;
    score += if listed { 0.6 } else { 0.0 };
    score += if has("in this paper") || has("in this work") || has("in this article") || has("in this study") {
        0.5
    } else {
        0.0
    };
    score +=
        if has("novel") || has(" new ") || has("for the first time") || has("the first ") || has("to our knowledge") {
            0.4
        } else {
            0.0
        };
    score -= if speaks_of_others(text) { 0.8 } else { 0.0 };
    score -= if word_count(claim) < 9 { 0.5 } else { 0.0 };
    score -= if has("we also") || has("additionally") || has("furthermore") {
        0.2
    } else {
        0.0
    };
    score
}

/// Items of the list that a sentence about contributions announces.
fn announced_items(reading: &Reading<'_>) -> BTreeSet<usize> {
    let mut items = BTreeSet::new();
    let mut open: Option<(usize, Zone)> = None;
    for (number, sentence) in reading.sentences().iter().enumerate() {
        let text = reading.slice(sentence.span);
        let lower = text.to_lowercase();
        let announces = lower.contains("contribution")
            && (lower.contains("follow")
                || lower.trim_end().ends_with(':')
                || lower.contains("summar")
                || lower.contains("fold")
                || lower.contains("include")
                || lower.contains("contributions are"));
        if announces {
            open = Some((sentence.paragraph, sentence.zone));
            continue;
        }
        let Some((paragraph, zone)) = open else { continue };
        let ordinal = is_ordinal_lead(text);
        if sentence.zone != zone || sentence.paragraph > paragraph + 8 {
            open = None;
        } else if sentence.list_item || ordinal || item_number(text) {
            items.insert(number);
            open = Some((sentence.paragraph, zone));
        } else if sentence.paragraph > paragraph + 1 {
            open = None;
        }
    }
    items
}

fn is_ordinal_lead(text: &str) -> bool {
    let first = text.split_whitespace().next().unwrap_or_default().to_lowercase();
    matches!(
        first.trim_end_matches([',', ':']),
        "first" | "firstly" | "second" | "secondly" | "third" | "thirdly" | "finally" | "lastly" | "fourth"
    )
}

fn item_number(text: &str) -> bool {
    text.split_whitespace().next().is_some_and(is_item_number)
}

/// An item without a verb of its own: all of it is the claim.
fn item_cue(text: &str) -> Cue {
    let mut start = text.len() - text.trim_start().len();
    let first = text.split_whitespace().next().unwrap_or_default();
    if is_item_number(first) || first == "-" || first == "*" {
        start += first.len();
    }
    let rest = text.get(start..).unwrap_or_default();
    start += rest.find(char::is_alphanumeric).unwrap_or_default();
    start += label_length(text.get(start..).unwrap_or_default());
    Cue {
        start,
        object: start,
        weight: 2.4,
        class: ContributionClass::Unclear,
        statement: false,
        passive: false,
    }
}

/// Bytes of a label that a structured abstract runs into its text: `Conclusions In this trial …`.
fn label_length(text: &str) -> usize {
    const LABELS: [&str; 9] = [
        "background",
        "conclusion",
        "conclusions",
        "discussion",
        "findings",
        "interpretation",
        "methods",
        "results",
        "significance",
    ];
    let mut rest = text;
    let mut length = 0;
    while let Some((first, after)) = rest.split_once(char::is_whitespace) {
        let label = LABELS.contains(&first.trim_end_matches([':', '.']).to_lowercase().as_str());
        if !label || !after.trim_start().starts_with(char::is_uppercase) {
            break;
        }
        length += rest.len() - after.trim_start().len();
        rest = after.trim_start();
    }
    length
}

/// The claim's bytes: from its cue to the end of the sentence, cut before it turns to performance and at [`MOST_CLAIM_WORDS`], at a clause border.
fn cut_claim(text: &str, cue: &Cue, base: usize) -> Option<Span> {
    let mut end = text.trim_end().len();
    let object = text.get(cue.object..end)?;
    if let Some(at) = performance_at(object) {
        end = last_border(text, cue.object, cue.object + at)?;
    }
    let pieces = pieces(text, cue.start, end);
    if pieces.len() > MOST_CLAIM_WORDS {
        end = shorter_end(text, &pieces)?;
    }
    let kept = text.get(cue.start..end)?;
    let trimmed =
        kept.trim_end_matches(|c: char| c.is_whitespace() || matches!(c, ',' | ';' | ':' | '(' | '—' | '–' | '-'));
    let span = Span::new(base + cue.start, base + cue.start + trimmed.len());
    (word_count(trimmed) >= LEAST_CLAIM_WORDS).then_some(span)
}

/// Runs without white space of `text[start..end]`, as spans of `text`.
fn pieces(text: &str, start: usize, end: usize) -> Vec<Span> {
    let Some(part) = text.get(start..end) else {
        return Vec::new();
    };
    let base = part.as_ptr() as usize;
    part.split_whitespace()
        .map(|piece| {
            let from = start + piece.as_ptr() as usize - base;
            Span::new(from, from + piece.len())
        })
        .collect()
}

const BORDER_WORDS: [&str; 14] = [
    "which", "and", "that", "while", "where", "thereby", "by", "with", "for", "to", "in", "but", "when", "whose",
];

/// The last clause border before `limit`, not before `from`.
fn last_border(text: &str, from: usize, limit: usize) -> Option<usize> {
    let all = pieces(text, from, limit);
    let border = all.iter().enumerate().rev().find_map(|(at, piece)| {
        let word = piece.slice(text)?;
        if word.ends_with([',', ';', ':', '—', '–']) {
            return Some(piece.end);
        }
        let opens = matches!(
            word.to_lowercase().as_str(),
            "which" | "and" | "while" | "that" | "thereby" | "but" | "achieving" | "with"
        );
        (opens && at > 0).then_some(piece.start)
    });
    border.filter(|&at| at > from)
}

/// An end that leaves at most [`MOST_CLAIM_WORDS`]: the last punctuation in the second half, else the last border word, else the limit.
fn shorter_end(text: &str, pieces: &[Span]) -> Option<usize> {
    let within = pieces.get(..MOST_CLAIM_WORDS)?;
    let word = |piece: &Span| piece.slice(text).unwrap_or_default();
    let half = MOST_CLAIM_WORDS * 2 / 5;
    let punctuated = within
        .iter()
        .enumerate()
        .rev()
        .find(|(at, piece)| *at >= half && word(piece).ends_with([',', ';', ':', ')', '—']));
    if let Some((_, piece)) = punctuated {
        return Some(piece.end);
    }
    let bordered = pieces.iter().enumerate().take(MOST_CLAIM_WORDS + 1).rev();
    let mut bordered =
        bordered.filter(|(at, piece)| *at >= half && BORDER_WORDS.contains(&word(piece).to_lowercase().as_str()));
    let before = bordered
        .next()
        .and_then(|(at, _)| pieces.get(at.checked_sub(1)?))
        .map(|piece| piece.end);
    before.or_else(|| within.last().map(|piece| piece.end))
}

/// Whether two claims say the same: most of the shorter one's words are the other's, words of the title (which every claim shares) left
/// out where enough others remain; or both offer the same coined name.
fn same_claim(a: &Claim, b: &Claim, title: &BTreeSet<String>) -> bool {
    let own = |claim: &Claim| -> BTreeSet<String> { claim.stems.difference(title).cloned().collect() };
    let (own_a, own_b) = (own(a), own(b));
    let alike = |a: &BTreeSet<String>, b: &BTreeSet<String>| {
        a.intersection(b).count() * 100 >= a.len().min(b.len()).max(1) * 55
    };
    let same_words = if own_a.len().min(own_b.len()) >= 2 {
        alike(&own_a, &own_b)
    } else {
        alike(&a.stems, &b.stems)
    };
    let offers = |claim: &Claim| {
        !claim.statement && claim.class != ContributionClass::Finding && claim.class != ContributionClass::Theory
    };
    let same_name = a.coined.intersection(&b.coined).next().is_some();
    same_words || (same_name && offers(a) && offers(b)) || a.span.overlaps(b.span)
}

fn draft(reading: &Reading<'_>, claim: &Claim) -> Option<ClaimDraft> {
    let name = name_of(reading, claim)?;
    Some(ClaimDraft {
        claim: claim.span,
        description: description(reading, claim),
        class: claim.class,
        topics: topics(reading, claim, &name),
        name,
    })
}

/// The claim's own words for what it offers: after the verb, articles and praise taken off, at most 15 words.
fn name_of(reading: &Reading<'_>, claim: &Claim) -> Option<String> {
    let found = words(reading.slice(claim.object), claim.object.start);
    let rest = found.get(name_lead(&found)..)?;
    let rest = rest.get(skip_lead(rest)..)?;
    let length = if claim.statement {
        statement_prefix(rest)
    } else {
        name_prefix(reading, rest)
    };
    let span = span_of(rest, length)?;
    let name = folded(reading.slice(span));
    let name = reading.in_running_case(&name);
    if name
        .split_whitespace()
        .next()
        .is_some_and(|word| matches!(word.to_lowercase().as_str(), "we" | "i"))
    {
        // The object was lost: the claim's own words after its subject say more than a bare verb.
        let rest: Vec<Word> = words(reading.slice(claim.span), claim.span.start)
            .into_iter()
            .skip(1)
            .collect();
        return span_of(&rest, statement_prefix(&rest)).map(|span| folded(reading.slice(span)));
    }
    let cut: Vec<&str> = name.split_whitespace().take(MOST_NAME_WORDS).collect();
    (!cut.is_empty()).then(|| cut.join(" "))
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

/// A coined name with what it is said to be: `MIND, a novel algorithm for …`; else one phrase.
fn name_prefix(reading: &Reading<'_>, rest: &[Word]) -> usize {
    let text = &reading.paper().document.text;
    let named = rest.first().is_some_and(|word| reading.names().is_coined(&word.text));
    let least = if named { 7 } else { 4 };
    phrase_prefix(rest, text, 0, least, MOST_NAME_WORDS)
}

/// A statement up to its first comma past seven words, or the last phrase border within 15.
fn statement_prefix(rest: &[Word]) -> usize {
    let most = rest.len().min(MOST_NAME_WORDS);
    let comma = rest
        .iter()
        .enumerate()
        .take(most + 1)
        .position(|(at, word)| at >= 7 && word.after_break);
    let length = comma.unwrap_or_else(|| {
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

/// Sentences that say more of the claim: its own where the claim is only a part of it, then the next, then others that share its words.
fn description(reading: &Reading<'_>, claim: &Claim) -> Vec<Span> {
    let sentences = reading.sentences();
    let Some(own) = sentences.get(claim.sentence) else {
        return Vec::new();
    };
    let count = |span: Span| word_count(reading.slice(span));
    let mut chosen: Vec<Span> = Vec::new();
    let mut total = 0;
    let mut take = |span: Span| {
        let words = count(span);
        let fresh = !chosen.iter().any(|other| other.overlaps(span));
        if fresh && words >= 5 && total + words <= MOST_DESCRIPTION_WORDS {
            total += words;
            chosen.push(span);
        }
    };
    let next = sentences
        .get(claim.sentence + 1)
        .filter(|next| next.paragraph == own.paragraph && !next.list_item);
    let goes_on = next.filter(|next| {
        let text = reading.slice(next.span);
        performance_at(text).is_none() && !is_unfit(text) && (elaborates(text) || shares(reading, next.span, claim, 2))
    });
    if let Some(next) = goes_on {
        take(next.span);
    }
    let mut others: Vec<(usize, Span)> = sentences
        .iter()
        .enumerate()
        .filter(|(at, one)| *at != claim.sentence && !one.list_item)
        .filter(|(_, one)| {
            let text = reading.slice(one.span);
            !is_unfit(text) && performance_at(text).is_none()
        })
        .filter_map(|(_, one)| {
            let stems = content_stems(reading.slice(one.span));
            let shared = stems.intersection(&claim.stems).count();
            // The claim said again says no more.
            (shared >= 3 && stems.len() >= shared + 2).then_some((shared, one.span))
        })
        .collect();
    others.sort_by(|(a, x), (b, y)| b.cmp(a).then(x.cmp(y)));
    for (_, span) in others.into_iter().take(4) {
        take(span);
    }
    if chosen.is_empty() {
        // Nothing else says more: the claim's own sentence, or the claim.
        let span = if count(own.span) <= MOST_DESCRIPTION_WORDS {
            own.span
        } else {
            claim.span
        };
        chosen.push(span);
    }
    chosen.sort();
    chosen
}

fn elaborates(text: &str) -> bool {
    let first = text.split_whitespace().next().unwrap_or_default().to_lowercase();
    matches!(
        first.as_str(),
        "it" | "this"
            | "these"
            | "our"
            | "the"
            | "specifically,"
            | "in"
            | "by"
            | "unlike"
            | "such"
            | "they"
            | "here,"
            | "concretely,"
    )
}

fn shares(reading: &Reading<'_>, span: Span, claim: &Claim, least: usize) -> bool {
    content_stems(reading.slice(span)).intersection(&claim.stems).count() >= least
}

/// What to search for: the name without coined names; the claim's key phrases; key phrases of what is said around it; the heaviest words of all.
fn topics(reading: &Reading<'_>, claim: &Claim, name: &str) -> Vec<String> {
    let names = reading.names();
    let skip = |word: &str| names.is_coined(word);
    let claim_text = names.without_long_names(reading.slice(claim.span));
    let around = description(reading, claim).into_iter().map(|span| reading.slice(span));
    let around = names.without_long_names(&around.collect::<Vec<_>>().join(" "));
    let (summary, title) = (reading.summary(), names.without_long_names(reading.title()));
    let of_claim = key_phrases(&[(&claim_text, 2.0), (&title, 0.5), (&summary, 0.2)], &skip);
    let claim_lower = folded(&claim_text).to_lowercase();
    let own: Vec<String> = of_claim
        .iter()
        .filter(|key| claim_lower.contains(&key.text.to_lowercase()))
        .map(|key| key.text.clone())
        .collect();
    let texts =
        |phrases: Vec<crate::wording::KeyPhrase>| phrases.into_iter().map(|key| key.text).collect::<Vec<String>>();
    let of_field = texts(key_phrases(&[(&title, 2.0), (&summary, 1.0)], &skip));
    let of_context = texts(key_phrases(&[(&claim_text, 1.0), (&around, 1.0)], &skip));
    let keywords = crate::wording::keywords(&[(&claim_text, 3.0), (&around, 1.0), (&title, 1.0)], 12, &skip);
    let mut topics = vec![
        join_topic(plain_words(reading, name), &of_field, reading),
        join_topic(Vec::new(), &own, reading),
        join_topic(Vec::new(), &of_context, reading),
        reading.in_running_case(&keywords.join(" ")),
    ];
    topics.retain(|topic| !topic.is_empty());
    topics
}

/// The words of a name that a search needs: no coined names, no articles or praise or figures at the front.
fn plain_words(reading: &Reading<'_>, name: &str) -> Vec<String> {
    let names = reading.names();
    let name = names.without_long_names(name);
    let found: Vec<Word> = words(&name, 0)
        .into_iter()
        .filter(|word| !names.is_coined(&word.text))
        .collect();
    let needless = |word: &&Word| {
        skip_lead(std::slice::from_ref(*word)) == 1
            || is_function_word(&word.lower)
            || crate::wording::is_evaluative(&word.lower)
            || word.text.chars().all(|c| c.is_ascii_digit())
    };
    let from = found.iter().take_while(needless).count();
    let rest = found.get(from..).unwrap_or_default();
    rest.iter().take(trim_end(rest)).map(|word| word.text.clone()).collect()
}

/// Words up to twelve: `start`, and key phrases that add to it while it says too little.
fn join_topic(start: Vec<String>, phrases: &[String], reading: &Reading<'_>) -> String {
    let enough = |topic: &str| {
        words(topic, 0)
            .iter()
            .filter(|word| word.is_content() && !is_generic(&word.lower))
            .count()
            >= 5
    };
    let mut topic = start.join(" ");
    for phrase in phrases.iter().take(6) {
        let length = topic.split_whitespace().count();
        if length >= 2 && enough(&topic) || length + phrase.split_whitespace().count() > 12 {
            break;
        }
        let stems = content_stems(&topic);
        if content_stems(phrase).iter().all(|stem| stems.contains(stem)) {
            continue;
        }
        let phrase = reading.in_running_case(phrase);
        topic = if topic.is_empty() {
            phrase
        } else {
            format!("{topic}, {phrase}")
        };
    }
    topic
}
