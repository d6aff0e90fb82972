//! Turns claiming sentences into drafts of contributions.
//!
//! Long because the search topics and the description of a claim are built from the same sentences as the claim.

use std::collections::BTreeSet;

use precedent_domain::{ContributionClass, Span};
use precedent_language::wording::{
    Tag, Word, content_stems, is_function_word, is_generic, key_phrases, only_announces, tagged, word_count, words,
};

use super::claim::{Claim, MOST_DESCRIPTION_WORDS};
use super::classifier::{ClaimClassifier, SentenceFeatures, Sentences};
use super::clause::{folded, skip_lead, trim_end};
use super::cues::{
    Cue, NOTICE, classify, find_cue, is_unfit, offers_only_trials, performance_at, speaks_of_this_section,
};
use super::cut::{LEAST_CLAIM_WORDS, cut_claim, cut_to, is_ended};
use super::naming::name_of;
use super::own::{SentenceContext, is_earlier_work, points_back};
use super::plain::plain_cue;
use super::reading::is_item_number;
use super::restated::{Stated, joined};
use super::{Reading, Sentence, Zone};
use crate::extract::ClaimDraft;

/// Minimum probability of a sentence that becomes a contribution. Chosen so that about as many claims are contributions as with the rules
/// that the regression replaced (docs/claims-card.md).
const LEAST_PROBABILITY: f64 = 0.5;
/// Minimum probability of the only claim of a paper.
const LEAST_PROBABILITY_ALONE: f64 = 0.3;
/// Minimum number of content stems in a claim that does not share the title's subject.
const LEAST_STEMS: usize = 4;
/// Maximum number of claims that are prepared. A report shows three, and more are prepared because their words are checked afterwards.
const MOST_DRAFTS: usize = 10;
/// Maximum number of other wordings kept per claim.
const MOST_WORDINGS: usize = 4;

/// The contributions the paper claims, most probable first, without duplicates. The stage limits the list to three.
pub(crate) fn claim_drafts(reading: &Reading<'_>) -> Vec<ClaimDraft> {
    claim_drafts_by(reading, ClaimClassifier::trained())
}

/// The contributions the paper claims by the weights of a training.
#[must_use]
pub fn claim_drafts_by(reading: &Reading<'_>, classifier: &ClaimClassifier) -> Vec<ClaimDraft> {
    let title = content_stems(reading.title());
    let mut claims: Vec<Claim> = candidates(reading)
        .map(|candidate| (classifier.probability(&candidate.features), candidate))
        .filter(|(probability, _)| *probability >= LEAST_PROBABILITY_ALONE)
        .filter_map(|(probability, candidate)| claim_of(reading, &candidate, probability, &title))
        .filter(|claim| name_of(reading, claim).is_some())
        .collect();
    claims.sort_by(|a, b| b.probability.total_cmp(&a.probability).then(a.span.cmp(&b.span)));
    let kept = claims
        .iter()
        .filter(|claim| claim.probability >= LEAST_PROBABILITY)
        .count();
    claims.truncate(kept.max(1));
    let stated = joined(claims, &title);
    stated
        .iter()
        .take(MOST_DRAFTS)
        .filter_map(|one| draft(reading, one))
        .collect()
}

/// The features of each sentence, by the byte where the sentence starts; for training.
#[must_use]
pub fn sentence_features(reading: &Reading<'_>) -> Vec<(usize, SentenceFeatures)> {
    candidates(reading)
        .map(|one| (one.sentence.span.start, one.features))
        .collect()
}

/// A sentence that may state a contribution.
struct Candidate {
    number: usize,
    sentence: Sentence,
    cue: Cue,
    /// The claim's bytes; `None` if no whole clause fits.
    span: Option<Span>,
    listed: bool,
    features: SentenceFeatures,
}

fn candidates<'a>(reading: &'a Reading<'a>) -> impl Iterator<Item = Candidate> + 'a {
    let sentences = Sentences::of(reading);
    let announced = announced_items(reading);
    let all = sentences
        .numbers()
        .into_iter()
        .filter_map(|number| Some((number, reading.sentences().get(number)?)));
    all.map(move |(number, sentence)| {
        let text = reading.slice(sentence.span);
        let listed = announced.contains(&number);
        let (claiming, plain) = (find_cue(text), plain_cue(text));
        let offering = claiming.filter(|cue| !cue.passive && cue.words != NOTICE);
        let cue = offering.or(plain).or(claiming);
        let cue = cue.unwrap_or_else(|| item_cue(text));
        let span = cut_claim(text, &cue, sentence.span.start)
            .or_else(|| cut_to(text, &cue, sentence.span.start, LEAST_CLAIM_WORDS + 1));
        let claim = span.map_or(text, |span| reading.slice(span));
        let cues: Vec<Cue> = claiming.into_iter().chain(plain).collect();
        Candidate {
            number,
            sentence: *sentence,
            cue,
            span,
            listed,
            features: sentences.features(number, claim, &cues, listed),
        }
    })
}

/// The claim made by a sentence.
fn claim_of(reading: &Reading<'_>, candidate: &Candidate, probability: f64, title: &BTreeSet<String>) -> Option<Claim> {
    let (sentence, cue) = (&candidate.sentence, &candidate.cue);
    let text = reading.slice(sentence.span);
    let span = candidate.span?;
    // A sentence that breaks off (at the end of a page, before a display) is incomplete. Items of lists and abstracts may lack end marks.
    let broken = !candidate.listed
        && !sentence.list_item
        && !is_ended(text)
        && (sentence.zone != Zone::Abstract || is_open(text));
    let context = SentenceContext {
        zone: sentence.zone,
        heading: reading.heading(sentence.span),
        year: reading.year(),
    };
    let unfit = is_unfit(text) && !candidate.listed
        || only_announces(text)
        || speaks_of_this_section(text)
        || is_earlier_work(text, context);
    let offered = text.get(cue.object..).unwrap_or_default();
    let nothing = !cue.statement && (lacks_its_head(offered) || !candidate.listed && offers_only_trials(offered));
    if broken || unfit || nothing || cue.words == NOTICE || points_back(offered) {
        return None;
    }
    let object = Span::new((sentence.span.start + cue.object).min(span.end), span.end);
    let object_text = reading.slice(object);
    let stems: BTreeSet<String> = content_stems(reading.slice(span));
    let shared = title.intersection(&stems).count();
    // A claim with almost no content terms cannot be compared with anything.
    if stems.len() < LEAST_STEMS && shared < 2 || stems.len() < 3 {
        return None;
    }
    let first: Vec<Word> = words(object_text, 0).into_iter().take(6).collect();
    let (head, bare) = head_noun(object_text);
    let coined = first.iter().filter(|word| reading.names().is_coined(&word.text));
    Some(Claim {
        sentence: candidate.number,
        zone: sentence.zone,
        span,
        object,
        probability,
        class: classify(object_text, cue.class, reading.title()),
        statement: cue.statement,
        treats: cue.treats,
        further: candidate.listed || is_further(text),
        coined: coined.map(|word| word.lower.clone()).collect(),
        head,
        bare,
        stems,
    })
}

/// Whether the offered noun is missing: `we present which utilizes …`, `we implemented asks the user …`. Typeset names that were not
/// read leave such gaps.
fn lacks_its_head(object: &str) -> bool {
    let relative = words(object, 0)
        .first()
        .is_some_and(|first| matches!(first.lower.as_str(), "which" | "who" | "whose" | "whom"));
    // A verb in the third person with its own object; plural nouns (`models of …`) are never followed by an article.
    let verb = matches!(tagged(object).as_slice(), [first, second, ..] if first.tag == Tag::Third && second.tag == Tag::Determiner);
    relative || verb
}

/// Whether the text marks its offer as an additional one.
fn is_further(text: &str) -> bool {
    let lower = text.to_lowercase();
    [
        "also",
        "second",
        "another",
        "further",
        "additionally",
        "moreover",
        "third",
        "finally",
        "in addition",
    ]
    .iter()
    .any(|word| words(&lower, 0).iter().any(|one| one.lower == *word) || word.contains(' ') && lower.contains(word))
}

/// The last noun of the noun phrase at the start of `object`, in lower case, and whether it is alone.
fn head_noun(object: &str) -> (String, bool) {
    let found = words(object, 0);
    let rest = found.get(skip_lead(&found)..).unwrap_or_default();
    let mut phrase: Vec<&Word> = rest
        .iter()
        .enumerate()
        .take_while(|(at, word)| !is_function_word(&word.lower) && (*at == 0 || !word.after_break))
        .map(|(_, word)| word)
        .collect();
    // `systems developed for …`: the participle modifies the noun before it.
    while phrase.len() > 1 && phrase.last().is_some_and(|word| word.lower.ends_with("ed")) {
        phrase.pop();
    }
    let head = phrase.last().map(|word| word.lower.clone()).unwrap_or_default();
    (head, phrase.len() == 1)
}

/// Whether a text without an end mark breaks off: at a comma, or at a word that cannot end a sentence.
fn is_open(text: &str) -> bool {
    let text = text.trim_end();
    let last = words(text, 0).pop();
    text.ends_with([',', ';', ':', '-', '(']) || last.is_none_or(|word| is_function_word(&word.lower))
}

/// Sentences that are items of an announced list of contributions.
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

/// Cue for an item without a verb: the whole item is the claim.
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
        words: "item",
        weight: 2.4,
        class: ContributionClass::Unclear,
        statement: false,
        passive: false,
        treats: false,
    }
}

/// Length in bytes of a label run into the text of a structured abstract: `Conclusions In this trial …`.
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

/// The words of a claim, for detecting identical wordings.
fn content_of(reading: &Reading<'_>, claim: &Claim) -> String {
    folded(reading.slice(claim.span)).to_lowercase()
}

fn draft(reading: &Reading<'_>, stated: &Stated) -> Option<ClaimDraft> {
    let claim = &stated.claim;
    let name = name_of(reading, claim)?;
    let mut known = vec![content_of(reading, claim)];
    let mut also_stated = Vec::new();
    for other in &stated.also {
        let content = content_of(reading, other);
        if also_stated.len() < MOST_WORDINGS && !other.span.overlaps(claim.span) && !known.contains(&content) {
            known.push(content);
            also_stated.push(other.span);
        }
    }
    Some(ClaimDraft {
        claim: claim.span,
        also_stated,
        description: description(reading, claim),
        in_other_words: None,
        class: claim.class,
        topics: topics(reading, claim, &name),
        name,
    })
}

/// Sentences that describe the claim: its own if the claim is only part of it, then the next one, then others that share its words.
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
        performance_at(text).is_none()
            && !is_unfit(text)
            && !only_announces(text)
            && (elaborates(text) || shares(reading, next.span, claim, 2))
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
            !is_unfit(text) && !only_announces(text) && performance_at(text).is_none()
        })
        .filter_map(|(_, one)| {
            let stems = content_stems(reading.slice(one.span));
            let shared = stems.intersection(&claim.stems).count();
            // A restatement of the claim adds nothing.
            (shared >= 3 && stems.len() >= shared + 2).then_some((shared, one.span))
        })
        .collect();
    others.sort_by(|(a, x), (b, y)| b.cmp(a).then(x.cmp(y)));
    for (_, span) in others.into_iter().take(4) {
        take(span);
    }
    if chosen.is_empty() {
        // Nothing else describes the claim, so use its sentence, or the claim itself.
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

/// Search topics: the name without coined names, the claim's key phrases, key phrases of its description, and its heaviest words.
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
    let texts = |phrases: Vec<precedent_language::wording::KeyPhrase>| {
        phrases.into_iter().map(|key| key.text).collect::<Vec<String>>()
    };
    let of_field = texts(key_phrases(&[(&title, 2.0), (&summary, 1.0)], &skip));
    let of_context = texts(key_phrases(&[(&claim_text, 1.0), (&around, 1.0)], &skip));
    let keywords =
        precedent_language::wording::keywords(&[(&claim_text, 3.0), (&around, 1.0), (&title, 1.0)], 12, &skip);
    let mut topics = vec![
        join_topic(plain_words(reading, name), &of_field, reading),
        join_topic(Vec::new(), &own, reading),
        join_topic(Vec::new(), &of_context, reading),
        reading.in_running_case(&keywords.join(" ")),
    ];
    topics.retain(|topic| !topic.is_empty());
    topics
}

/// The words of a name that a search needs, without coined names and without articles, praise or figures at the front.
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
            || precedent_language::wording::is_evaluative(&word.lower)
            || word.text.chars().all(|c| c.is_ascii_digit())
    };
    let from = found.iter().take_while(needless).count();
    let rest = found.get(from..).unwrap_or_default();
    rest.iter().take(trim_end(rest)).map(|word| word.text.clone()).collect()
}

/// Up to twelve words: `start`, extended with key phrases while it has too little content.
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
