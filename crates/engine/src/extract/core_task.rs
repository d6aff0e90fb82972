use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use precedent_domain::Span;
use precedent_language::wording::{Word, content_stems, is_function_word, is_generic, stem, words};
use precedent_text::{compile_pattern, pattern};
use regex::Regex;

use super::clause::{find_words, folded, phrase_prefix, skip_lead, span_of};
use super::cues::find_cue;
use super::task_phrase::{chains, is_task_of_title, is_task_phrase};
use super::title::{LEAST, LEAST_OF_TITLE, MOST, polished, title_phrases};
use super::{Reading, Zone};
use crate::extract::CoreTaskDraft;

/// Minimum share of the title's words found in the abstract for the title to be taken as a description of the topic.
const KNOWN: f64 = 0.34;
/// Minimum score of title or cues at which the abstract's phrases are not needed.
const CERTAIN: f64 = 0.9;
/// Malus for each part of a title before a phrase: a later part never beats a good first one. Chosen by hand; not measured by itself.
const LATER_PART: f64 = 0.9;

/// Candidate core tasks, best first: the title without coined names, what the paper says it studies, its longest phrases. Each is a phrase,
/// not a sentence; if there is none, the title is used unchanged.
pub(crate) fn core_task_drafts(reading: &Reading<'_>) -> Vec<CoreTaskDraft> {
    let bag = Bag::of(reading);
    let mut ranked: Vec<(f64, CoreTaskDraft)> = Vec::new();
    let long = |phrase: &str| phrase.split_whitespace().count();
    for (place, phrase) in title_phrases(reading).into_iter().enumerate() {
        let (base, phrase) = match long(&phrase) {
            LEAST_OF_TITLE..=MOST => (2.0, Some(phrase)),
            0..LEAST_OF_TITLE => match lengthen(reading, &phrase) {
                Some(longer) => (2.0, Some(longer)),
                // A phrase of two words is better than none.
                None => (0.4, Some(phrase).filter(|phrase| long(phrase) == 2)),
            },
            _ => (2.0, None),
        };
        if let Some(phrase) = phrase.filter(|phrase| is_task_of_title(phrase)) {
            let evidence = title_evidence(reading);
            // The first part of a title is preferred. The second part is only a fallback.
            let base = base - LATER_PART * f64::from(u8::try_from(place).unwrap_or(9));
            // `Lost in transmission`: a title part that the abstract never mentions is wordplay.
            let base = match bag.share_known(&phrase) {
                known if known <= 0.0 => base - 2.0,
                known if known < KNOWN => base - 0.5,
                _ => base,
            };
            ranked.push((base + bag.coverage(&phrase), CoreTaskDraft { evidence, phrase }));
        }
    }
    for (base, phrase, sentence) in cued(reading) {
        if (LEAST - 1..=MOST).contains(&long(&phrase)) && is_task_phrase(&phrase) {
            let evidence = Some(sentence);
            ranked.push((base + bag.coverage(&phrase), CoreTaskDraft { phrase, evidence }));
        }
    }
    let is_certain = ranked.iter().any(|(score, _)| *score > CERTAIN);
    for (base, phrase, sentence) in longest_phrases(reading) {
        if !is_certain && is_task_phrase(&phrase) {
            let evidence = Some(sentence);
            ranked.push((base + bag.coverage(&phrase), CoreTaskDraft { phrase, evidence }));
        }
    }
    ranked.sort_by(|(a, _), (b, _)| b.total_cmp(a));
    if ranked.is_empty()
        && let Some(phrase) = polished(reading, reading.title())
    {
        let evidence = title_evidence(reading);
        ranked.push((0.0, CoreTaskDraft { evidence, phrase }));
    }
    let mut seen: Vec<BTreeSet<String>> = Vec::new();
    let mut drafts = Vec::new();
    for (_, draft) in ranked {
        let stems = content_stems(&draft.phrase);
        if !stems.is_empty() && !seen.contains(&stems) {
            seen.push(stems);
            drafts.push(draft);
        }
    }
    drafts
}

/// How much each stem says about the paper's topic.
struct Bag {
    weights: BTreeMap<String, f64>,
    summary: BTreeSet<String>,
    heaviest: f64,
}

impl Bag {
    fn of(reading: &Reading<'_>) -> Self {
        let mut weights: BTreeMap<String, f64> = BTreeMap::new();
        for stem in content_stems(reading.title()) {
            *weights.entry(stem).or_default() += 2.0;
        }
        let summary = reading.summary();
        for word in words(&summary, 0).iter().filter(|word| word.is_content()) {
            let stem = stem(&word.lower);
            if !is_generic(&word.lower) {
                *weights.entry(stem).or_default() += 1.0;
            }
        }
        let mut heaviest: Vec<f64> = weights.values().copied().collect();
        heaviest.sort_by(|a, b| b.total_cmp(a));
        let heaviest: f64 = heaviest.iter().take(8).sum();
        Self {
            weights,
            summary: content_stems(&summary),
            heaviest: heaviest.max(1.0),
        }
    }

    /// Weighted share of the paper's heaviest stems that the phrase names, about 0 to 1.
    fn coverage(&self, phrase: &str) -> f64 {
        let stems = content_stems(phrase);
        stems.iter().filter_map(|stem| self.weights.get(stem)).sum::<f64>() / self.heaviest
    }

    /// Share of the phrase's stems that the summary also has; 1 if there is no summary.
    fn share_known(&self, phrase: &str) -> f64 {
        let stems = content_stems(phrase);
        if self.summary.is_empty() || stems.is_empty() {
            return if stems.is_empty() { 0.0 } else { 1.0 };
        }
        #[expect(clippy::cast_precision_loss, reason = "counts of words of a title")]
        let share = stems.intersection(&self.summary).count() as f64 / stems.len() as f64;
        share
    }
}

/// A longer phrase of the paper that contains a short one.
fn lengthen(reading: &Reading<'_>, short: &str) -> Option<String> {
    let wanted = content_stems(short);
    let own = reading.sentences().iter().filter(|one| one.zone != Zone::Conclusion);
    own.filter_map(|sentence| around(reading, sentence.span, &wanted))
        .find(|phrase| is_task_phrase(phrase))
}

/// A phrase of the sentence with all `wanted` stems close together, extended to the end of its clause.
fn around(reading: &Reading<'_>, span: Span, wanted: &BTreeSet<String>) -> Option<String> {
    let text = reading.slice(span);
    let found = words(text, span.start);
    let is_wanted = |word: &Word| content_stems(&word.text).iter().any(|stem| wanted.contains(stem));
    let first = found.iter().position(is_wanted)?;
    let rest = found.get(first..)?;
    let length = phrase_prefix(rest, text, span.start, LEAST, MOST);
    let phrase = span_of(rest, length).map(|span| folded(reading.slice(span)))?;
    let stems = content_stems(&phrase);
    let holds = wanted.iter().all(|stem| stems.contains(stem)) && length >= LEAST;
    let coined = rest
        .iter()
        .take(length)
        .any(|word| reading.names().is_coined(&word.text));
    (holds && !coined).then(|| reading.in_running_case(&phrase))
}

/// What the paper says it studies: (weight, phrase, sentence).
fn cued(reading: &Reading<'_>) -> Vec<(f64, String, Span)> {
    static CUES: LazyLock<Vec<(f64, Regex)>> = LazyLock::new(|| {
        [
            (1.5, r"(?i)\b(?:problem|task)s? of (?:\w+ing the (?:problem|task) of )?"),
            (1.4, r"(?i)\b(?:we|this (?:paper|work|article|study|report|thesis)|the present (?:paper|work|study|article))\s+(?:\w+ly\s+|also\s+)?(?:study|studies|address|addresses|investigate|investigates|consider|considers|tackle|tackles|examine|examines|explore|explores|deals? with|focus on|focuses on|revisits?|are interested in|is concerned with|are concerned with)\s+(?:(?:the|a|an)\s+)?(?:\w+\s+)?(?:(?:problem|task|issue|question|challenge|case)s?\s+(?:of|in)\s+)?"),
            (1.3, r"(?i)\b(?:aims?|goals?|objectives?|purpose)\s+(?:of\s+(?:this|the|our)\s+(?:present\s+)?(?:paper|work|article|study|research|task)\s+)?(?:is|was|were|are)\s+to\s+"),
            (1.1, r"(?i)\b(?:method|approach|algorithm|framework|model|technique|system|architecture|procedure)s?\s+(?:for|to|of)\s+"),
        ]
        .into_iter()
        .map(|(weight, pattern)| (weight, compile_pattern(pattern)))
        .collect()
    });
    let mut found = Vec::new();
    for sentence in reading.sentences().iter().filter(|one| one.zone != Zone::Conclusion) {
        let text = reading.slice(sentence.span);
        let zone_weight = if sentence.zone == Zone::Abstract { 0.3 } else { 0.0 };
        for (weight, cue) in CUES.iter() {
            let Some(cue_end) = cue.find(text).map(|found| found.end()) else {
                continue;
            };
            let base = sentence.span.start + cue_end;
            let rest = words(text.get(cue_end..).unwrap_or_default(), base);
            // `between X and Y` is no task, because the word before the preposition is missing.
            let lead = rest.iter().take_while(|word| is_function_word(&word.lower)).count();
            let rest = rest.get(lead.max(skip_lead(&rest))..).unwrap_or_default();
            let length = phrase_prefix(rest, text, sentence.span.start, LEAST, MOST);
            let coined = rest
                .iter()
                .take(length)
                .any(|word| reading.names().is_coined(&word.text));
            let before = text.get(..rest.first().map_or(0, |word| word.span.start - sentence.span.start));
            if let Some(span) = span_of(rest, length)
                && !coined
                && is_separate(
                    before.unwrap_or_default(),
                    reading.slice(span),
                    text_after(text, span, sentence.span),
                )
            {
                let phrase = reading.in_running_case(&folded(reading.slice(span)));
                found.push((weight + zone_weight, without_means(&phrase).to_owned(), sentence.span));
            }
        }
    }
    found
}

/// The longest phrases of the abstract with their sentences, for papers whose title and cues do not name a topic.
fn longest_phrases(reading: &Reading<'_>) -> Vec<(f64, String, Span)> {
    let any = reading.sentences().iter().any(|one| one.zone == Zone::Abstract);
    let zone = if any { Zone::Abstract } else { Zone::Introduction };
    let mut found = Vec::new();
    for sentence in reading.sentences().iter().filter(|one| one.zone == zone).take(12) {
        let text = reading.slice(sentence.span);
        let offered = find_cue(text).map(|cue| cue.object);
        for chain in chains(text) {
            // What the paper offers comes right after the verb.
            let base = match offered {
                Some(object) if chain.start >= object && chain.start < object + 20 => 0.6,
                Some(object) if chain.start >= object => 0.4,
                _ => 0.2,
            };
            let (start, end) = (chain.start, chain.end);
            let part = text.get(chain).unwrap_or_default();
            let of_part = words(part, 0);
            let lead = skip_lead(&of_part);
            let rest = of_part.get(lead..).unwrap_or_default();
            let coined = rest.iter().any(|word| reading.names().is_coined(&word.text));
            let figures = rest
                .first()
                .is_some_and(|word| word.text.starts_with(|c: char| c.is_ascii_digit()));
            if coined || figures || !(LEAST_OF_TITLE..=12).contains(&rest.len()) {
                continue;
            }
            let (before, after) = (
                text.get(..start + rest.first().map_or(0, |word| word.span.start)),
                text.get(end..),
            );
            if !is_separate(before.unwrap_or_default(), part, after.unwrap_or_default()) {
                continue;
            }
            let phrase = span_of(rest, rest.len()).and_then(|span| span.slice(part)).map(folded);
            found.extend(phrase.map(|phrase| (base, reading.in_running_case(&phrase), sentence.span)));
        }
    }
    found
}

/// `methods to perform parsing of noisy speech`: the task without the methods.
fn without_means(phrase: &str) -> &str {
    let means = pattern!(
        r"(?i)^(?:[\w-]+\s+)?(?:methods?|approach(?:es)?|techniques?|ways?)\s+(?:to\s+perform|for\s+performing|to\s+do|for)\s+"
    );
    let rest = means
        .find(phrase)
        .and_then(|found| phrase.get(found.end()..))
        .unwrap_or(phrase);
    if rest.split_whitespace().count() >= LEAST - 1 {
        rest
    } else {
        phrase
    }
}

fn text_after(text: &str, span: Span, sentence: Span) -> &str {
    text.get(span.end.saturating_sub(sentence.start)..).unwrap_or_default()
}

/// Whether `phrase` names something by itself in its context: not `X from Y` of `turn X from Y to Z`, not `X to Y` of `from X to Y`, no
/// list of examples, and not cut at the full stop of an abbreviation (`C. elegans`).
fn is_separate(before: &str, phrase: &str, after: &str) -> bool {
    let lower = phrase.to_lowercase();
    let next = after.split_whitespace().next().unwrap_or_default();
    let turned = lower.contains(" from ") && matches!(next, "to" | "into");
    let range = lower.contains(" to ") && before.trim_end().to_lowercase().ends_with(" from");
    let examples = [" like ", " such as ", " including "]
        .iter()
        .any(|one| lower.contains(one));
    let opens = lower.split_whitespace().next().unwrap_or_default();
    let set_phrase = matches!(
        opens,
        "spite"
            | "terms"
            | "order"
            | "contrast"
            | "light"
            | "addition"
            | "particular"
            | "part"
            | "case"
            | "favor"
            | "favour"
    );
    let cut = after.starts_with('.')
        && phrase
            .split_whitespace()
            .last()
            .is_some_and(|last| last.chars().count() == 1);
    !turned && !range && !examples && !cut && !set_phrase
}

fn title_evidence(reading: &Reading<'_>) -> Option<Span> {
    let document = &reading.paper().document;
    let mut end = document.text.len().min(6000);
    while !document.text.is_char_boundary(end) {
        end -= 1;
    }
    let head = document.text.get(..end).unwrap_or_default();
    find_words(head, reading.title()).or_else(|| nearest_sentence(reading, reading.title()))
}

/// The sentence of abstract or introduction that shares most with the phrase, if it shares at least half.
fn nearest_sentence(reading: &Reading<'_>, phrase: &str) -> Option<Span> {
    let wanted = content_stems(phrase);
    let shared = |span: Span| content_stems(reading.slice(span)).intersection(&wanted).count();
    let mut best: Option<(usize, Span)> = None;
    for sentence in reading.sentences() {
        let count = shared(sentence.span);
        if best.is_none_or(|(most, _)| count > most) {
            best = Some((count, sentence.span));
        }
    }
    best.filter(|(count, _)| count * 2 >= wanted.len() && *count > 0)
        .map(|(_, span)| span)
}
