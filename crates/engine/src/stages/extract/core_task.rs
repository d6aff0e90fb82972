use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use precedent_domain::Span;
use regex::Regex;

use super::clause::{find_words, folded, phrase_prefix, skip_lead, span_of, trim_end};
use super::{Reading, Zone};
use crate::CoreTaskDraft;
use crate::wording::{Word, content_stems, is_function_word, key_phrases, stem, words};

/// Fewest and most words of a core task (OpenNovelty, Table 6).
const LEAST: usize = 5;
const MOST: usize = 15;

/// What the paper is about, best first: its title without the names it coins, what it says it studies, its key phrases.
pub(crate) fn core_task_drafts(reading: &Reading<'_>) -> Vec<CoreTaskDraft> {
    let bag = Bag::of(reading);
    let mut ranked: Vec<(f64, CoreTaskDraft)> = Vec::new();
    let title = title_phrase(reading);
    let fits = |phrase: &str| (LEAST..=MOST).contains(&phrase.split_whitespace().count());
    if let Some(phrase) = title.clone() {
        let telling = bag.share_known(&phrase);
        let phrase = if fits(&phrase) {
            Some(phrase)
        } else {
            lengthen(reading, &phrase)
        };
        if let Some(phrase) = phrase {
            let score = 2.0 + bag.coverage(&phrase) - if telling < 0.34 { 2.0 } else { 0.0 };
            ranked.push((
                score,
                CoreTaskDraft {
                    evidence: title_evidence(reading),
                    phrase,
                },
            ));
        }
    }
    for (base, phrase, sentence) in cued(reading) {
        if fits(&phrase) {
            let evidence = Some(sentence);
            ranked.push((base + bag.coverage(&phrase), CoreTaskDraft { phrase, evidence }));
        }
    }
    if let Some(phrase) = joined_key_phrases(reading).filter(|phrase| fits(phrase)) {
        let evidence = nearest_sentence(reading, &phrase);
        ranked.push((0.6 + bag.coverage(&phrase), CoreTaskDraft { phrase, evidence }));
    }
    ranked.sort_by(|(a, _), (b, _)| b.total_cmp(a));
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

/// How much each stem says about the paper.
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
            if !crate::wording::is_generic(&word.lower) {
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

    /// Share of what weighs most that the phrase names, 0 to about 1.
    fn coverage(&self, phrase: &str) -> f64 {
        let stems = content_stems(phrase);
        stems.iter().filter_map(|stem| self.weights.get(stem)).sum::<f64>() / self.heaviest
    }

    /// Share of the phrase's stems that the summary also has; 1 where there is no summary.
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

/// Kinds of work that a subtitle announces without saying more of the task.
fn is_label(part: &str) -> bool {
    static LABEL: LazyLock<Option<Regex>> = LazyLock::new(|| {
        Regex::new(r"(?i)^(?:an?|the)?\s*(?:(?:brief|short|comprehensive|systematic|literature|critical|empirical|comparative|case|pilot|user|novel|new|simple|unified|general|preliminary|theoretical|practical|large-scale|experimental|randomi[sz]ed|controlled|cohort|cross-sectional|prospective|retrospective|observational|population-based)\s+)*(?:survey|review|overview|tutorial|study|studies|analysis|approach|perspective|framework|method|report|evaluation|investigation|introduction|position paper|trial|meta-analysis|system|roadmap)s?$").ok()
    });
    LABEL.as_ref().is_some_and(|label| label.is_match(part.trim()))
}

/// The title as a phrase of the field: name, label and announcement taken off, in running case.
fn title_phrase(reading: &Reading<'_>) -> Option<String> {
    let title = reading.title();
    let part = informative_part(reading, title);
    let part = assertion_subject(&part);
    let found = words(&part, 0);
    let found: Vec<&Word> = without_coined(reading, &found);
    let owned: Vec<Word> = found.into_iter().cloned().collect();
    let lead = skip_lead(&owned);
    let rest = owned.get(lead..).unwrap_or_default();
    let rest = strip_announcement(rest);
    let length = if rest.len() > MOST {
        cut_at_border(rest)
    } else {
        rest.len()
    };
    let rest = rest
        .get(..trim_end(rest.get(..length).unwrap_or_default()))
        .unwrap_or_default();
    let casing = reading.casing();
    let rest = without_offer(reading, rest);
    let capitals = is_in_capitals(title);
    let running = |word: &Word| match casing.running(&word.text) {
        // A title set in capitals says nothing of how its words are written.
        kept if capitals && kept == word.text && !casing.knows(&word.lower) => word.lower.clone(),
        running => running,
    };
    let mut phrase: Vec<String> = rest.iter().map(running).collect();
    // `Ultra Light Dark Matter`, never `ultra Light Dark Matter`: a name is not made running text by halves.
    let capital = |word: &str| word.starts_with(char::is_uppercase) && word.chars().any(char::is_lowercase);
    if let (Some(first), Some(printed)) = (phrase.first().cloned(), rest.first())
        && capital(&printed.text)
        && !capital(&first)
        && phrase.get(1).is_some_and(|second| capital(second))
        && let Some(slot) = phrase.first_mut()
    {
        slot.clone_from(&printed.text);
    }
    (!phrase.is_empty()).then(|| phrase.join(" "))
}

/// Whether a title is set in capitals throughout.
fn is_in_capitals(title: &str) -> bool {
    title.chars().any(char::is_uppercase) && !title.chars().any(char::is_lowercase)
}

/// `X for Y` without `X for` where the paper says that X is what it offers (`we propose X`) and Y alone is a task.
fn without_offer<'w>(reading: &Reading<'_>, title: &'w [Word]) -> &'w [Word] {
    let Some(at) = title.iter().position(|word| word.lower == "for") else {
        return title;
    };
    let (Some(head), Some(task)) = (title.get(..at), title.get(at + 1..)) else {
        return title;
    };
    if head.is_empty() || task.len() < LEAST {
        return title;
    }
    let head: Vec<&str> = head.iter().map(|word| word.lower.as_str()).collect();
    let head = head.join(" ");
    let summary = reading.summary().to_lowercase();
    let offered = ["propose", "introduce", "present", "develop"]
        .iter()
        .flat_map(|verb| {
            ["", "a ", "an ", "the ", "our ", "a new ", "a novel "].map(|article| format!("{verb} {article}{head}"))
        })
        .any(|offer| summary.contains(&offer));
    if offered { task } else { title }
}

/// The side of a colon that says what the paper is about.
fn informative_part(reading: &Reading<'_>, title: &str) -> String {
    let Some((head, tail)) = crate::wording::split_title(title) else {
        return title.to_owned();
    };
    let head_words = words(head, 0);
    let coined = !head_words.is_empty()
        && (reading.names().is_coined(head) || head_words.iter().all(|word| reading.names().is_coined(&word.text)));
    if coined || is_label(head) {
        return tail.to_owned();
    }
    if is_label(tail) {
        return head.to_owned();
    }
    let summary = content_stems(&reading.summary());
    let known = |part: &str| content_stems(part).intersection(&summary).count();
    let (known_head, known_tail) = (known(head), known(tail));
    let long = |part: &str| part.split_whitespace().count() >= LEAST;
    if known_head == 0 && known_tail > 0 && long(tail) {
        return tail.to_owned();
    }
    match (long(head), long(tail)) {
        (true, false) => head.to_owned(),
        (false, true) if known_tail > known_head => tail.to_owned(),
        (true, true) if known_tail > known_head + 1 => tail.to_owned(),
        (true, true) => head.to_owned(),
        _ => format!("{head} {tail}"),
    }
}

/// `X reveals Y`: X where it is long enough, else Y, else the whole.
fn assertion_subject(part: &str) -> String {
    static VERB: LazyLock<Option<Regex>> = LazyLock::new(|| {
        Regex::new(r"(?i)\s+(?:reveals?|uncovers?|highlights?|identif(?:y|ies)|demonstrates?|shows?|suggests?|provides?(?: new)? (?:evidence|insights?) (?:for|into|of|that)|sheds? light on)\s+(?:that\s+)?").ok()
    });
    let long = |part: &str| part.split_whitespace().count() >= LEAST;
    let Some(found) = VERB.as_ref().and_then(|verb| verb.find(part)) else {
        return part.to_owned();
    };
    let (subject, object) = (
        part.get(..found.start()).unwrap_or_default(),
        part.get(found.end()..).unwrap_or_default(),
    );
    if long(subject) {
        subject.to_owned()
    } else if long(object) {
        object.to_owned()
    } else {
        part.to_owned()
    }
}

/// Words without names the paper coins, nor the preposition that led to one.
fn without_coined<'w>(reading: &Reading<'_>, found: &'w [Word]) -> Vec<&'w Word> {
    let mut kept: Vec<&Word> = Vec::new();
    for (at, word) in found.iter().enumerate() {
        if !reading.names().is_coined(&word.text) {
            kept.push(word);
            continue;
        }
        let next_holds = found.get(at + 1).is_some_and(|next| !is_function_word(&next.lower));
        if !next_holds {
            while kept.last().is_some_and(|last| is_function_word(&last.lower)) {
                kept.pop();
            }
        }
    }
    kept
}

/// Takes `A study of`, `An approach to`, `Introduction to` from the front.
fn strip_announcement(found: &[Word]) -> &[Word] {
    const KINDS: [&str; 24] = [
        "study",
        "studies",
        "survey",
        "review",
        "overview",
        "approach",
        "approaches",
        "method",
        "methods",
        "introduction",
        "investigation",
        "note",
        "notes",
        "analysis",
        "case",
        "comparison",
        "evaluation",
        "attempt",
        "framework",
        "perspective",
        "technique",
        "look",
        "algorithm",
        "report",
    ];
    let head = found
        .iter()
        .take(3)
        .position(|word| KINDS.contains(&word.lower.as_str()));
    let Some(at) = head else { return found };
    let plain = found
        .iter()
        .take(at)
        .all(|word| crate::wording::is_evaluative(&word.lower) || crate::wording::is_generic(&word.lower));
    let preposition = found
        .get(at + 1)
        .is_some_and(|word| matches!(word.lower.as_str(), "of" | "to" | "for" | "on" | "into" | "at"));
    let rest = found.get(at + 2..).unwrap_or_default();
    let rest = rest.get(skip_lead(rest)..).unwrap_or_default();
    if plain && preposition && rest.len() >= LEAST {
        rest
    } else {
        found
    }
}

/// The most words up to [`MOST`] that end before a function word.
fn cut_at_border(found: &[Word]) -> usize {
    (LEAST..=MOST)
        .rev()
        .find(|&at| {
            found
                .get(at)
                .is_some_and(|word| is_function_word(&word.lower) || word.after_break)
        })
        .unwrap_or(MOST)
}

/// A longer phrase of the paper that holds a short one; else the short one joined with a key phrase.
fn lengthen(reading: &Reading<'_>, short: &str) -> Option<String> {
    if short.split_whitespace().count() > MOST {
        return None;
    }
    let wanted = content_stems(short);
    for sentence in reading.sentences().iter().filter(|one| one.zone != Zone::Conclusion) {
        if let Some(phrase) = around(reading, sentence.span, &wanted) {
            return Some(phrase);
        }
    }
    let texts = [(reading.title().to_owned(), 3.0), (reading.summary(), 1.0)];
    let texts: Vec<(&str, f64)> = texts.iter().map(|(text, weight)| (text.as_str(), *weight)).collect();
    let names = reading.names();
    let mut phrase = short.to_owned();
    for key in key_phrases(&texts, &|word| names.is_coined(word)).into_iter().take(8) {
        if phrase.split_whitespace().count() >= LEAST {
            break;
        }
        let stems = content_stems(&phrase);
        if key.text.chars().all(|c| !c.is_lowercase()) {
            continue;
        }
        if key.stems.iter().all(|stem| !stems.contains(stem))
            && phrase.split_whitespace().count() + key.stems.len() < MOST
        {
            phrase = format!("{phrase} and {}", reading.in_running_case(&key.text));
        }
    }
    Some(phrase).filter(|phrase| phrase.split_whitespace().count() >= LEAST)
}

/// A phrase of the sentence that holds all `wanted` stems close together, read on to the end of its clause.
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
        .filter_map(|(weight, pattern)| Regex::new(pattern).ok().map(|regex| (weight, regex)))
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
            // `between X and Y` is no task: what the preposition hangs on was left behind.
            let lead = rest.iter().take_while(|word| is_function_word(&word.lower)).count();
            let rest = rest.get(lead.max(skip_lead(&rest))..).unwrap_or_default();
            let length = phrase_prefix(rest, text, sentence.span.start, LEAST, MOST);
            let coined = rest
                .iter()
                .take(length)
                .any(|word| reading.names().is_coined(&word.text));
            if let Some(span) = span_of(rest, length)
                && !coined
            {
                found.push((
                    weight + zone_weight,
                    reading.in_running_case(&folded(reading.slice(span))),
                    sentence.span,
                ));
            }
        }
    }
    found
}

/// The two or three heaviest key phrases joined.
fn joined_key_phrases(reading: &Reading<'_>) -> Option<String> {
    let texts = [(reading.title().to_owned(), 3.0), (reading.summary(), 1.0)];
    let texts: Vec<(&str, f64)> = texts.iter().map(|(text, weight)| (text.as_str(), *weight)).collect();
    let names = reading.names();
    let mut parts: Vec<String> = Vec::new();
    let mut stems: BTreeSet<String> = BTreeSet::new();
    for key in key_phrases(&texts, &|word| names.is_coined(word)) {
        if parts.len() == 3 || parts.join(" ").split_whitespace().count() >= 7 {
            break;
        }
        if key.stems.iter().any(|stem| stems.contains(stem)) {
            continue;
        }
        stems.extend(key.stems.iter().cloned());
        parts.push(reading.in_running_case(&key.text));
    }
    match parts.as_slice() {
        [] | [_] => None,
        [a, b] => Some(format!("{a} and {b}")),
        [a, b, c, ..] => Some(format!("{a}, {b} and {c}")),
    }
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

/// The sentence of abstract or introduction that shares most with the phrase, where it shares half of it.
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
