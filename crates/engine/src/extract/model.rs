//! Phase I with a model: the core task, and claims whose words are found in the paper.

use precedent_domain::{ContributionClass, Gap, ListedKind, Note, QuotableDocument, Quote, SectionKind, Span};
use precedent_language::wording::{content_stems, word_count};
use precedent_llm::{Check, Checks, Violation};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{ClaimDraft, CoreTaskDraft, Reading, Zone, claim_drafts, core_task_drafts};
use crate::Result;
use crate::model::checks::Checked;
use crate::model::policy::Worded;
use crate::model::prose::{figures, is_phrase};
use crate::model::{ModelAnalyst, checks};

#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
struct CoreTaskReply {
    /// 5 to 15 words.
    phrase: String,
}

#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
struct ContributionsReply {
    /// At most three.
    contributions: Vec<ContributionReply>,
}

#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
struct ContributionReply {
    /// At most 15 words.
    name: String,
    /// Copied from the paper, at most 40 words.
    author_claim_text: String,
    /// At most 60 words.
    description: Option<String>,
    /// The heading it was copied from.
    source_hint: Option<String>,
    /// What kind.
    kind: Option<KindReply>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum KindReply {
    Method,
    Theory,
    Resource,
    Finding,
    Survey,
    Application,
}

/// Limits of the published design (OpenNovelty, 2.1, A).
const MOST_CLAIMS: usize = 3;
const MOST_NAME_WORDS: usize = 15;
const MOST_CLAIM_WORDS: usize = 40;
/// Fewest words of a claim that is cut at the end of a clause.
const LEAST_CLAIM_WORDS: usize = 8;
const MOST_DESCRIPTION_WORDS: usize = 60;
/// Longest text of a paper that is sent, in characters.
const MOST_TEXT: usize = 200_000;

#[derive(Serialize)]
struct Inputs {
    mark: String,
    paper: String,
}

/// Phrases for what the paper is about, best first; empty if none is found.
pub(crate) async fn core_task(model: &ModelAnalyst, reading: &Reading<'_>) -> Result<Vec<CoreTaskDraft>> {
    let answer = ask_core_task(model, reading).await?;
    Ok(model.printed(answer, || core_task_drafts(reading)))
}

/// Phrases for what the paper is about: the model's first, then the program's.
async fn ask_core_task(model: &ModelAnalyst, reading: &Reading<'_>) -> Result<Vec<CoreTaskDraft>> {
    let phrase = |reply: &CoreTaskReply| checks::title("the phrase", &reply.phrase, 5, 15);
    let coined = |reply: &CoreTaskReply| without_coined(reading, &reply.phrase);
    let must: [Check<'_, CoreTaskReply>; 1] = [&phrase];
    let should: [Check<'_, CoreTaskReply>; 1] = [&coined];
    let checks = Checks {
        must: &must,
        should: &should,
    };
    let inputs = inputs(model, reading, &[Zone::Abstract, Zone::Introduction]);
    let reply = model.ask("extract.core_task", &inputs, checks).await?;
    let mut drafts = Vec::new();
    match reply {
        Some(reply) => drafts.push(CoreTaskDraft {
            phrase: precedent_text::one_line(&reply.value.phrase),
            evidence: None,
        }),
        None => model.log().add_gap(Gap::CoreTaskByRules),
    }
    drafts.extend(core_task_drafts(reading));
    Ok(drafts)
}

/// The paper's contribution claims, strongest first. The stage checks each one, drops those not found in the paper and keeps three.
pub(crate) async fn contributions(model: &ModelAnalyst, reading: &Reading<'_>) -> Result<Vec<ClaimDraft>> {
    let answer = ask_contributions(model, reading).await?;
    Ok(model.printed(answer, || claim_drafts(reading)))
}

/// The paper's claims, each at its place in the text. The program's own claims if the model gave none that are in the paper.
async fn ask_contributions(model: &ModelAnalyst, reading: &Reading<'_>) -> Result<Vec<ClaimDraft>> {
    let own = claim_drafts(reading);
    let document = QuotableDocument::new(reading.paper().document.clone());
    let shape = |reply: &ContributionsReply| within_limits(reply);
    let located = |reply: &ContributionsReply| {
        reply
            .contributions
            .iter()
            .try_for_each(|one| claim_span(&document, &one.author_claim_text).map(|_| ()))
    };
    let must: [Check<'_, ContributionsReply>; 1] = [&shape];
    let should: [Check<'_, ContributionsReply>; 1] = [&located];
    let checks = Checks {
        must: &must,
        should: &should,
    };
    let inputs = inputs(model, reading, &[Zone::Abstract, Zone::Introduction, Zone::Conclusion]);
    let reply = model.ask("extract.contributions", &inputs, checks).await?;
    let of = ListedKind::Claims;
    let Some(reply) = reply else {
        model.log().add_note(Note::NoList { of });
        return Ok(own);
    };
    let listed = reply.value.contributions.len();
    let mut drafts: Vec<ClaimDraft> = Vec::new();
    let (mut dropped, mut twice, mut beyond) = (0, 0, 0);
    for one in &reply.value.contributions {
        let span = kept_span(&document, &one.author_claim_text);
        let Some(span) = span.filter(|span| drafts.iter().all(|other| !other.claim.overlaps(*span))) else {
            dropped += 1;
            continue;
        };
        let draft = draft(one, span, &own);
        if drafts.iter().any(|other| is_same_claim(reading, other, &draft)) {
            twice += 1;
        } else if drafts.len() == MOST_CLAIMS {
            beyond += 1;
        } else {
            drafts.push(draft);
        }
    }
    // No claim is another wording of one that is kept beside it.
    let claims: Vec<Span> = drafts.iter().map(|one| one.claim).collect();
    for one in &mut drafts {
        let is_other = |place: &Span| claims.iter().any(|claim| claim.overlaps(*place));
        one.also_stated.retain(|place| !is_other(place));
    }
    if dropped > 0 {
        model.log().add_note(Note::ListedDropped {
            of,
            dropped,
            listed,
            most_words: Some(MOST_CLAIM_WORDS),
        });
    }
    if twice > 0 {
        model.log().add_note(Note::ListedTwice { of, dropped: twice });
    }
    if beyond > 0 {
        model.log().add_note(Note::ListedBeyondLimit {
            of,
            limit: MOST_CLAIMS,
            listed,
        });
    }
    if drafts.is_empty() {
        model.log().add_note(Note::NothingListedInText { of });
        return Ok(own);
    }
    Ok(drafts)
}

fn inputs(model: &ModelAnalyst, reading: &Reading<'_>, zones: &[Zone]) -> Inputs {
    let text = text_of(reading, zones);
    let fence = model.fence();
    Inputs {
        mark: fence.mark().to_owned(),
        paper: fence.wrap("paper", &text),
    }
}

/// The title and the paragraphs of these zones.
fn text_of(reading: &Reading<'_>, zones: &[Zone]) -> String {
    let mut text = format!("Title: {}", reading.title());
    let mut last: Option<(Zone, usize)> = None;
    for sentence in reading.sentences().iter().filter(|one| zones.contains(&one.zone)) {
        let here = Some((sentence.zone, sentence.paragraph));
        if last.map(|(zone, _)| zone) != Some(sentence.zone) {
            let part = match sentence.zone {
                Zone::Abstract => "Abstract",
                Zone::Introduction => "Introduction",
                Zone::Conclusion => "Conclusion",
            };
            text.push_str(&format!("\n\n{part}:"));
        }
        text.push(if last == here { ' ' } else { '\n' });
        last = here;
        text.push_str(reading.slice(sentence.span));
        if text.len() > MOST_TEXT {
            break;
        }
    }
    text
}

fn without_coined(reading: &Reading<'_>, phrase: &str) -> Checked {
    let coined = phrase
        .split_whitespace()
        .map(|word| word.trim_matches(|c: char| !c.is_alphanumeric()))
        .find(|word| reading.names().is_coined(word));
    match coined {
        Some(name) => Err(Violation(format!(
            "the phrase uses {name}, a name that the paper coined"
        ))),
        None => Ok(()),
    }
}

fn within_limits(reply: &ContributionsReply) -> Checked {
    for one in &reply.contributions {
        checks::title("a name", &one.name, 1, MOST_NAME_WORDS)?;
        if let Some(description) = described(one) {
            checks::title("a description", description, 1, MOST_DESCRIPTION_WORDS)?;
        }
    }
    Ok(())
}

fn described(one: &ContributionReply) -> Option<&str> {
    one.description
        .as_deref()
        .filter(|description| !description.trim().is_empty())
}

/// Locates a claim's words in the paper, outside its reference list.
fn claim_quote(document: &QuotableDocument, words: &str) -> std::result::Result<Quote, Violation> {
    let found = Quote::cut(document.document(), &document.locate(words));
    let found = found.filter(|quote| {
        let section = document.document().section_at(quote.span().start);
        section.is_none_or(|section| section.kind != SectionKind::References)
    });
    let Some(quote) = found else {
        return Err(Violation(format!(
            "author_claim_text is not copied verbatim from the paper: {}",
            checks::head(words)
        )));
    };
    Ok(quote)
}

/// Locates a claim that is within its word limit.
pub(crate) fn claim_span(document: &QuotableDocument, words: &str) -> std::result::Result<Span, Violation> {
    let quote = claim_quote(document, words)?;
    let length = word_count(quote.text());
    if length > MOST_CLAIM_WORDS {
        return Err(Violation(format!(
            "author_claim_text has {length} words and must have at most {MOST_CLAIM_WORDS}; copy less of it, from its beginning to where a sentence or a clause ends: {}",
            checks::head(words)
        )));
    }
    Ok(quote.span())
}

/// Locates a claim, or its first whole clauses if it exceeds its limit. Half a clause is not a claim of the authors.
pub(crate) fn kept_span(document: &QuotableDocument, words: &str) -> Option<Span> {
    let quote = claim_quote(document, words).ok()?;
    let (text, span) = (quote.text(), quote.span());
    if word_count(text) <= MOST_CLAIM_WORDS {
        return Some(span);
    }
    let ends = clause_ends(text).into_iter().rev();
    let end = ends
        .filter_map(|end| Some((end, word_count(text.get(..end)?))))
        .find(|(_, words)| (LEAST_CLAIM_WORDS..=MOST_CLAIM_WORDS).contains(words));
    end.map(|(end, _)| Span::new(span.start, span.start + end))
}

/// Ends of sentences and of clauses that can stand alone: before a semicolon, or before a comma and an addition.
fn clause_ends(text: &str) -> Vec<usize> {
    const ADDS: [&str; 9] = [
        "which ", "where ", "while ", "and we ", "and our ", "but ", "so that ", "thereby ", "thus ",
    ];
    let mut ends: Vec<usize> = precedent_text::sentences(text).iter().map(|one| one.end).collect();
    let stops = text.match_indices([';', ',']).filter(|(at, stop)| {
        let rest = text.get(at + 1..).unwrap_or_default();
        let Some(rest) = rest.strip_prefix(' ') else {
            return false;
        };
        *stop == ";" || ADDS.iter().any(|adds| rest.starts_with(adds))
    });
    ends.extend(stops.map(|(at, _)| at));
    ends.sort_unstable();
    ends
}

/// Shares of the content words of the shorter of two claims, in percent, from which both state the same: in general, and if the rules found
/// that the paper states one claim in both places. Chosen by hand; not measured by itself.
pub(crate) const SAME: usize = 80;
const SAME_BY_RULES: usize = 60;
/// Minimum number of content words for claims to be compared by them.
const FEWEST_STEMS: usize = 3;

/// Whether two claims state the same: most content words of the shorter one are in the other, with the same figures.
pub(crate) fn say_the_same(one: &str, other: &str, least: usize) -> bool {
    let (a, b) = (content_stems(one), content_stems(other));
    let fewer = a.len().min(b.len());
    fewer >= FEWEST_STEMS && a.intersection(&b).count() * 100 >= fewer * least && figures(one) == figures(other)
}

fn is_same_claim(reading: &Reading<'_>, one: &ClaimDraft, other: &ClaimDraft) -> bool {
    let by_rules = one.also_stated.iter().any(|place| place.overlaps(other.claim));
    let least = if by_rules { SAME_BY_RULES } else { SAME };
    say_the_same(reading.slice(one.claim), reading.slice(other.claim), least)
}

/// A claim listed by the model, with what the program knows about its place in the paper.
fn draft(one: &ContributionReply, span: Span, own: &[ClaimDraft]) -> ClaimDraft {
    let same = own.iter().find(|known| {
        std::iter::once(&known.claim)
            .chain(&known.also_stated)
            .any(|place| place.overlaps(span))
    });
    let mut also_stated: Vec<Span> = Vec::new();
    let mut topics = vec![one.name.trim().to_owned()];
    let mut description = Vec::new();
    if let Some(same) = same {
        let places = std::iter::once(&same.claim).chain(&same.also_stated);
        also_stated.extend(places.filter(|place| !place.overlaps(span)));
        topics.extend(same.topics.iter().cloned());
        description.extend(same.description.iter().copied());
    }
    let class = match one.kind {
        Some(KindReply::Method) => ContributionClass::Method,
        Some(KindReply::Theory) => ContributionClass::Theory,
        Some(KindReply::Resource) => ContributionClass::Resource,
        Some(KindReply::Finding) => ContributionClass::Finding,
        Some(KindReply::Survey) => ContributionClass::Survey,
        Some(KindReply::Application) => ContributionClass::Application,
        None => same.map_or(ContributionClass::Unclear, |same| same.class),
    };
    ClaimDraft {
        claim: span,
        also_stated,
        name: one.name.trim().to_owned(),
        description,
        in_other_words: described(one).map(|text| text.trim().to_owned()),
        class,
        topics,
    }
}

impl Worded for Vec<CoreTaskDraft> {
    fn without_sentences(mut self, own: Self) -> Self {
        self.retain(|one| own.contains(one) || is_phrase(&one.phrase));
        self
    }
}

impl Worded for Vec<ClaimDraft> {
    fn without_sentences(mut self, own: Self) -> Self {
        for one in &mut self {
            one.in_other_words = None;
            one.topics.retain(|topic| is_phrase(topic));
            let same = own.iter().find(|other| other.claim.overlaps(one.claim));
            if !is_phrase(&one.name) {
                let named = one.topics.first().cloned().or(same.map(|same| same.name.clone()));
                one.name = named.unwrap_or_default();
            }
        }
        self
    }
}
