//! The wording of every [`Gap`].
//!
//! Long because all this wording is in one place.

use std::collections::BTreeMap;

use precedent_domain::{
    CoverageLevel, Doubt, DoubtfulPaper, EvidenceKind, FieldCoverage, Gap, IdeaPart, ListwiseRecord, ModelCoverage,
    NoTextReason, PartialDate, RunMetadata, Scope, SourceReport, TextUnit,
};

use crate::plain::capitalized;
use crate::read_problems;
use crate::run_subject::RunSubject;
use crate::sent::put_sent_in_words;
use crate::words::{and_list, sentence, shortfall, thousands};

/// Writes the message of each gap of a run, and what was sent.
pub(crate) fn put_run_in_words(metadata: &mut RunMetadata, subject: RunSubject) {
    let sources = &metadata.sources;
    for one in &mut metadata.not_searched {
        if let Some(gap) = &one.gap {
            one.message = in_words(gap, one.scope, sources, subject);
        }
    }
    put_sent_in_words(&mut metadata.sent, subject);
}

fn in_words(gap: &Gap, scope: Option<Scope>, sources: &[SourceReport], subject: RunSubject) -> String {
    match gap {
        Gap::OtherSources { services } => other_sources(sources, services, subject),
        Gap::GivenPapersOnly { papers } => given_papers_only(*papers),
        Gap::KindsNotSearched { kinds } => kinds_not_searched(kinds),
        Gap::SourceFailed { source, failure } => source_failed(sources, source, failure),
        Gap::SeedNotFound { names } => seed_not_found(names),
        Gap::PartOfPaper { problem } => sentence(&read_problems::in_words(problem)),
        Gap::NoCitationData => NO_CITATION_DATA.to_owned(),
        Gap::ReferencesNotMatched { references, matched } => references_not_matched(*references, *matched),
        Gap::ReferencesNotInSources { missing, references } => references_not_in_sources(*missing, *references),
        Gap::SecondOrderNotIncluded => SECOND_ORDER_NOT_INCLUDED.to_owned(),
        Gap::NoReferenceList => NO_REFERENCE_LIST.to_owned(),
        Gap::FieldNotCovered { coverage, closest } => field_not_covered(coverage, *closest, subject),
        Gap::ClosestNotSimilar { papers, mean } => closest_not_similar(*papers, *mean),
        Gap::NoFullText { missing, papers } => no_full_text(*missing, *papers, subject),
        Gap::KnownInPart {
            evidence,
            missing,
            documents,
        } => known_in_part(*evidence, *missing, *documents),
        Gap::TextsNotFetched {
            fetched,
            requested,
            reasons,
            left,
        } => texts_not_fetched((*fetched, *requested), reasons, *left, subject),
        Gap::WithoutText { papers } => without_text(*papers),
        Gap::WithoutTitle { records } => without_title(*records),
        Gap::NoDate { undated, papers } => no_date(*undated, *papers),
        Gap::MayNotBeEarlier { open, papers } => may_not_be_earlier(*open, *papers),
        Gap::DocumentsMayNotBeEarlier { open } => documents_may_not_be_earlier(*open),
        Gap::PaperUndated { newest_cited } => paper_undated(*newest_cited),
        Gap::DateOfFile { date, months } => date_of_file(*date, *months),
        Gap::YearOnly { year } => year_only(*year),
        Gap::IdeaUndated => idea_undated(subject).to_owned(),
        Gap::TakenForThePaper { titles } => taken_for_the_paper(titles),
        Gap::OverLimit { cut, limit } => over_limit(scope, *cut, *limit, subject),
        Gap::BeyondMostSimilar { cut, limit } => beyond_most_similar(*cut, *limit),
        Gap::BeyondMostRelevant { cut, limit, compared } => beyond_most_relevant(*cut, *limit, *compared),
        Gap::BaseFull { left_out } => base_full(*left_out),
        Gap::SharedTextPart { unit, searched, there } => shared_text_part(*unit, *searched, *there),
        Gap::Retracted { papers } => retracted(papers),
        Gap::IdentifiersDisputed { papers } => identifiers_disputed(papers),
        Gap::DatesDisputed { papers } => dates_disputed(papers),
        Gap::NoCoreTask => NO_CORE_TASK.to_owned(),
        Gap::NoClaims => no_claims(subject),
        Gap::NoStatements => NO_STATEMENTS.to_owned(),
        Gap::PartsMissing { parts } => parts_missing(parts),
        Gap::OtherWords => OTHER_WORDS.to_owned(),
        Gap::NoModel => no_model(subject).to_owned(),
        Gap::ModelIncomplete {
            failed,
            items,
            retryable,
        } => model_incomplete(*failed, *items, *retryable),
        Gap::BudgetEnded { unasked, items } => budget_ended(*unasked, *items),
        Gap::ModelUsed {
            host,
            model,
            requests,
            bytes,
            answered,
        } => model_used(host, model, (*requests, *bytes), *answered, subject),
        Gap::AnswersFailed {
            prompt,
            failures,
            items,
            replaced,
        } => answers_failed(prompt, failures, *items, *replaced),
        Gap::TextsShortened {
            prompt,
            shortened,
            items,
        } => texts_shortened(prompt, *shortened, *items),
        Gap::AnswersCutOff { prompt, cut_off, items } => answers_cut_off(prompt, *cut_off, *items),
        Gap::ItemsLeftOut { prompt, left_out } => items_left_out(prompt, *left_out),
        Gap::CoreTaskByRules => CORE_TASK_BY_RULES.to_owned(),
        Gap::PapersNotSent { unsent, papers } => papers_not_sent(*unsent, *papers),
        Gap::PapersSentInPart { papers, kilobytes } => papers_sent_in_part(*papers, *kilobytes),
        Gap::PaperSentInPart { kilobytes } => paper_sent_in_part(*kilobytes),
        Gap::CitationsNotJudged { unjudged, citations } => citations_not_judged(*unjudged, *citations),
        Gap::SummaryContradictsItems => SUMMARY_CONTRADICTS_ITEMS.to_owned(),
        Gap::PassagesNotFound { passages } => passages_not_found(*passages),
        Gap::RankingIncomplete { counts } => ranking_incomplete(counts),
        Gap::RelevanceNotJudged { records } => relevance_not_judged(*records),
        Gap::RankingModelFailed { model, failure } => {
            format!("{model} failed ({failure}). The ranking without it was used instead.")
        }
    }
}

const NO_CITATION_DATA: &str = "No configured source provides citation data, so references were not followed.";
const SECOND_ORDER_NOT_INCLUDED: &str = "Papers cited by the paper's references were not included.";
const NO_REFERENCE_LIST: &str =
    "No reference list could be read from the paper, so missing citations were not checked.";
const NO_CORE_TASK: &str = "No core task was found in the paper, so the field around it was not searched.";
const NO_STATEMENTS: &str =
    "No statement of the idea could be read. Only its text as a whole was matched; its parts were not compared.";
const OTHER_WORDS: &str = "Only a human reader can decide whether another paper says the same in other words. Read the closest papers, even if the label is “No match found”.";
const CORE_TASK_BY_RULES: &str = "The model gave no usable core task. The one shown was found without a model.";
const SUMMARY_CONTRADICTS_ITEMS: &str =
    "The model's summary gives a score that its own items do not support. Neither is shown.";

/// What was searched and what was not.
fn other_sources(sources: &[SourceReport], services: &[String], subject: RunSubject) -> String {
    let named = |source: &SourceReport| match (source.works, source.full_texts) {
        (Some(works), Some(full)) => {
            format!("{} ({}, {} with full text)", source.name, papers(works), grouped(full))
        }
        (Some(works), None) => format!("{} ({})", source.name, papers(works)),
        _ => source.name.clone(),
    };
    let claim = subject.claim();
    if sources.is_empty() {
        return format!(
            "No corpus or source was given, so nothing was searched and no {claim} was compared with prior work."
        );
    }
    // A source that failed every query does not count as searched. Its failures are reported separately.
    let answered: Vec<String> = sources.iter().filter(|source| source.answered > 0).map(named).collect();
    if answered.is_empty() {
        let all: Vec<String> = sources.iter().map(named).collect();
        return format!(
            "Nothing was searched: no query was sent to {}, because neither a core task nor a {claim} was found in the paper.",
            and_list(&all)
        );
    }
    let verb = if answered.len() == 1 { "was" } else { "were" };
    let mut elsewhere = sources.iter().filter(|source| services.contains(&source.name));
    let nothing_else = if services.is_empty() {
        "No search engine, citation index or publisher was searched."
    } else if elsewhere.any(|source| source.answered > 0) {
        "Services were searched with short queries and returned only their top results. No other search engine, citation index or publisher was searched."
    } else {
        "No search engine, citation index or publisher answered."
    };
    format!("Only {} {verb} searched. {nothing_else}", and_list(&answered))
}

fn source_failed(sources: &[SourceReport], name: &str, failure: &str) -> String {
    let report = sources.iter().find(|report| report.name == name);
    match report.map(|report| (report.answered, shortfall(report))) {
        Some((0, _)) | None => format!("{name} failed: {failure}."),
        Some((_, Some(answered))) => format!("{name} answered {answered}: {failure}."),
        Some((_, None)) => format!("{name} answered all queries, but another request failed: {failure}."),
    }
}

/// An empty result of sources that hardly cover the field is no evidence of novelty.
fn field_not_covered(coverage: &FieldCoverage, closest: usize, subject: RunSubject) -> String {
    let subject = subject.name();
    let near = capitalized(&near_of_all(coverage, subject));
    let how_near = how_near(coverage, closest);
    match (coverage.level, coverage.near) {
        (CoverageLevel::Outside, 0) => format!(
            "The searched sources do not seem to cover {subject}'s field. {near} ({how_near}). \
An empty result here says nothing about earlier work. Search sources that cover the field (`--corpus`, `--sources`)."
        ),
        (CoverageLevel::Thin, _) => format!(
            "The searched sources may cover little of {subject}'s field. {near} ({how_near}). \
An empty result here says little about earlier work. Search more sources (`--corpus`, `--sources`)."
        ),
        _ => format!(
            "The searched sources cover little of {subject}'s field. {near} ({how_near}). \
An empty result here says little about earlier work. Search sources that cover the field (`--corpus`, `--sources`)."
        ),
    }
}

/// `2 of the 51 papers found are similar to the paper as a whole`.
fn near_of_all(coverage: &FieldCoverage, subject: &str) -> String {
    match (coverage.near, coverage.works) {
        (0, 1) => format!("the one paper found is not similar to {subject} as a whole"),
        (_, 1) => format!("only one paper was found, and it is similar to {subject} as a whole"),
        (0, 2) => format!("neither of the two papers found is similar to {subject} as a whole"),
        (0, works) => format!("none of the {works} papers found is similar to {subject} as a whole"),
        (1, works) => format!("1 of the {works} papers found is similar to {subject} as a whole"),
        (near, works) => format!("{near} of the {works} papers found are similar to {subject} as a whole"),
    }
}

/// The similarity of the closest papers. Names all of them if fewer were found than are usually considered.
fn how_near(coverage: &FieldCoverage, closest: usize) -> String {
    const NUMBERS: [&str; 6] = ["no", "one", "two", "three", "four", "five"];
    let number = NUMBERS
        .get(closest)
        .map_or_else(|| closest.to_string(), |&number| number.to_owned());
    let who = match closest {
        0 | 1 => "its similarity is".to_owned(),
        2 if coverage.works == 2 => "the similarity of both is".to_owned(),
        _ if closest == coverage.works => format!("the similarity of all {number} is"),
        _ => format!("the similarity of the {number} closest is"),
    };
    let on_average = if closest > 1 { " on average" } else { "" };
    format!(
        "{who} {:.2}{on_average}, on a scale of 0 to 1; typical of a covered field: {:.2} or more",
        coverage.nearest, coverage.usual
    )
}

fn given_papers_only(number: usize) -> String {
    format!(
        "Nothing was searched: the idea was compared with the {} given with it.",
        counted(number, "paper", "papers")
    )
}

fn kinds_not_searched(kinds: &[EvidenceKind]) -> String {
    let kinds: Vec<String> = kinds.iter().map(|kind| field(*kind).to_owned()).collect();
    format!(
        "No source was given for {}, so nothing was searched there.",
        and_list(&kinds)
    )
}

fn seed_not_found(names: &[String]) -> String {
    format!(
        "None of the sources searched has the seed paper {}, so its text was not used for the search.",
        names.join(" or ")
    )
}

fn references_not_matched(references: usize, matched: usize) -> String {
    format!(
        "Of the paper's {references} references, {matched} matched a known paper with certainty. The others were not followed."
    )
}

fn references_not_in_sources(missing: usize, references: usize) -> String {
    format!("The searched sources do not contain {missing} of the paper's {references} references.")
}

fn closest_not_similar(papers: usize, mean: f64) -> String {
    let found = match papers {
        1 => "closest paper".to_owned(),
        papers => format!("{papers} closest papers"),
    };
    format!(
        "Low coverage: the sources searched seem to contain little from the idea's field (mean similarity of the {found} found: {:.0} %). A missing match says little about what exists. Search where the field publishes.",
        mean * 100.0
    )
}

fn no_full_text(missing: usize, papers: usize, subject: RunSubject) -> String {
    match subject {
        RunSubject::Idea => format!(
            "{missing} of {} {} known by title and abstract only.",
            counted(papers, "paper", "papers"),
            is(missing)
        ),
        RunSubject::Paper | RunSubject::Points | RunSubject::Review | RunSubject::Ideas => {
            format!("No full text for {missing} of {papers} papers, so only their titles and abstracts were compared.")
        }
    }
}

fn known_in_part(evidence: EvidenceKind, missing: usize, documents: usize) -> String {
    let (one, many, shown) = match evidence {
        EvidenceKind::Literature => ("paper", "papers", "title and abstract"),
        EvidenceKind::Web => ("page", "pages", "search result"),
        EvidenceKind::Code => ("repository", "repositories", "search result"),
    };
    format!(
        "{missing} of {} {} known by {shown} only.",
        counted(documents, one, many),
        is(missing)
    )
}

fn texts_not_fetched(
    (fetched, requested): (usize, usize),
    reasons: &BTreeMap<NoTextReason, usize>,
    left: usize,
    subject: RunSubject,
) -> String {
    let similar_to = match subject {
        RunSubject::Paper | RunSubject::Points => format!("the {}s", subject.claim()),
        RunSubject::Idea | RunSubject::Review | RunSubject::Ideas => "the idea".to_owned(),
    };
    let mut text =
        format!("Full text was fetched for {fetched} of the {requested} papers most similar to {similar_to}.");
    let reasons: Vec<String> = reasons
        .iter()
        .map(|(why, count)| format!("{count} {}", no_text(*why)))
        .collect();
    if !reasons.is_empty() {
        text.push_str(&format!(" The others: {}.", reasons.join("; ")));
    }
    if left > 0 {
        text.push_str(&format!(
            " {} not requested.",
            counted(left, "more paper was", "more papers were")
        ));
    }
    text
}

fn without_text(papers: usize) -> String {
    format!(
        "{} without a title or an abstract could not be compared with the idea.",
        counted(papers, "paper", "papers")
    )
}

fn without_title(records: usize) -> String {
    format!(
        "{} without a title could not be compared with the idea.",
        counted(records, "record", "records")
    )
}

fn no_text(why: NoTextReason) -> &'static str {
    match why {
        NoTextReason::NoIdentifier => "without an identifier for an open archive",
        NoTextReason::NotOpen => "not openly available",
        NoTextReason::Unreadable => "not readable as a paper",
        NoTextReason::AnotherWork => "with the wrong text",
        NoTextReason::NoAnswer => "not received in time",
    }
}

fn no_date(undated: usize, papers: usize) -> String {
    format!("No date for {undated} of {papers} papers. They are listed separately and are not counted as prior art.")
}

fn may_not_be_earlier(open: usize, papers: usize) -> String {
    format!(
        "{open} of {} may not be earlier than the date given, so {} not counted as prior art.",
        counted(papers, "paper", "papers"),
        if open == 1 { "it is" } else { "they are" }
    )
}

fn documents_may_not_be_earlier(open: usize) -> String {
    format!(
        "{} no date, or a date too coarse or too close to the idea's to count as earlier. These are shown and marked, but no opinion and no decision may rest on them alone.",
        counted(open, "document has", "documents have")
    )
}

fn paper_undated(newest_cited: Option<u16>) -> String {
    match newest_cited {
        Some(year) => format!(
            "The paper's own date could not be established. The newest paper it cites is from {year}, so papers that certainly appeared more than three months \
before that year count as earlier, and others as concurrent. None was excluded as later. Use `--as-of` to set the date."
        ),
        None => "The paper's own date could not be established, not even approximately, so no paper counts as earlier. Use `--as-of` to set the date.".to_owned(),
    }
}

fn date_of_file(date: PartialDate, months: u16) -> String {
    format!(
        "The paper's date, {date}, comes only from the file's metadata and may be the date of a copy. Papers from the {months} months before it are \
shown as concurrent and are not counted as prior art, unless the paper cites later ones. Use `--as-of` to set the date."
    )
}

fn year_only(year: u16) -> String {
    format!(
        "Only the year of the paper's date is known. Papers from {year} are shown as of the same year and are not counted as prior art, unless the paper cites them. \
Use `--as-of` to set the date."
    )
}

fn idea_undated(subject: RunSubject) -> &'static str {
    match subject {
        RunSubject::Review => {
            "The idea has no date, so everything found counts as earlier and there are no suggestions from later work. Use `--as-of` to separate later work."
        }
        RunSubject::Paper | RunSubject::Points | RunSubject::Idea | RunSubject::Ideas => {
            "The idea has no date, so every paper found counts as earlier. Use `--as-of` to exclude later papers."
        }
    }
}

fn taken_for_the_paper(titles: &[String]) -> String {
    let titles: Vec<String> = titles.iter().map(|title| format!("“{title}”")).collect();
    format!(
        "The paper names no authors. By title and abstract, {} was taken for the paper itself and not compared.",
        and_list(&titles)
    )
}

fn over_limit(scope: Option<Scope>, cut: usize, limit: usize, subject: RunSubject) -> String {
    let what = match (scope, subject) {
        (None, _) => String::new(),
        (Some(Scope::CoreTask), _) => "Core task: ".to_owned(),
        (Some(Scope::Contribution(number)), RunSubject::Points) => format!("Point {number}: "),
        (Some(Scope::Contribution(number)), _) => format!("Claim {number}: "),
    };
    let works = if cut == 1 {
        "1 more relevant paper was".to_owned()
    } else {
        format!("{} more relevant papers were", thousands(cut))
    };
    format!("{what}{works} not compared (limit {limit}).")
}

fn beyond_most_similar(cut: usize, limit: usize) -> String {
    format!(
        "{} found but not considered (limit: the {limit} most similar).",
        counted(cut, "paper", "papers")
    )
}

fn beyond_most_relevant(cut: usize, limit: usize, compared: usize) -> String {
    format!(
        "{} found but not considered (limit: {limit} of each kind). The top {compared} of each kind were compared with the idea.",
        counted(cut, "record", "records")
    )
}

fn base_full(left_out: usize) -> String {
    format!("The literature base reached its capacity. Papers left out: {left_out}.")
}

fn shared_text_part(unit: TextUnit, searched: usize, there: usize) -> String {
    let unit = match unit {
        TextUnit::Paragraph => "paragraphs",
        TextUnit::Sentence => "sentences",
    };
    format!(
        "The search for shared text in other papers used only the first {searched} of the paper's {there} longer {unit}."
    )
}

fn retracted(papers: &[DoubtfulPaper]) -> String {
    format!(
        "Retracted: {}. A retracted paper still shows what was published before. Comparisons that rest on one say so.",
        doubtful(papers)
    )
}

fn identifiers_disputed(papers: &[DoubtfulPaper]) -> String {
    format!(
        "Sources disagree on which paper an identifier names: {}. Such a paper alone does not count as prior art.",
        doubtful(papers)
    )
}

fn dates_disputed(papers: &[DoubtfulPaper]) -> String {
    format!(
        "Sources disagree on when these papers appeared: {}. A date that no second source confirms does not count as earlier.",
        doubtful(papers)
    )
}

fn no_claims(subject: RunSubject) -> String {
    format!(
        "No contribution claim was found in the title, abstract, introduction or conclusion, so no {} was compared.",
        subject.claim()
    )
}

fn parts_missing(parts: &[IdeaPart]) -> String {
    let parts: Vec<String> = parts.iter().map(|part| part.name().to_owned()).collect();
    format!(
        "Not found in the idea: {}. These parts were left empty.",
        and_list(&parts)
    )
}

/// Maximum number of papers named in one line; the others are counted.
const NAMED: usize = 5;

fn doubtful(papers: &[DoubtfulPaper]) -> String {
    let named = papers.iter().take(NAMED).map(|paper| {
        let name = &paper.name;
        match &paper.doubt {
            Doubt::Retracted { by } => format!("{name} (according to {})", and_list(by)),
            Doubt::Disputed { on, between } => format!("{name} ({}; {})", on.join(", "), between.join(", ")),
            Doubt::Date { earlier, later } => format!(
                "{name} (before the paper by {}; later by {})",
                and_list(earlier),
                and_list(later)
            ),
        }
    });
    let named = named.collect::<Vec<_>>().join("; ");
    match papers.len().saturating_sub(NAMED) {
        0 => named,
        more => format!("{named}; and {more} more"),
    }
}

fn no_model(subject: RunSubject) -> &'static str {
    match subject {
        RunSubject::Points => {
            "No model was used. The points were compared by words alone, and there is no summary and no score."
        }
        RunSubject::Review => {
            "No scores: judging needs a model. The evidence found for each part is shown but not judged."
        }
        RunSubject::Paper | RunSubject::Idea | RunSubject::Ideas => {
            "No model was used. Whether a paper describes the idea in other words needs a human reader."
        }
    }
}

/// The warning about an incomplete part of the model, and what to do; `None` if it is complete.
#[must_use]
pub fn coverage_warning(coverage: ModelCoverage) -> Option<String> {
    coverage
        .is_incomplete()
        .then(|| model_incomplete(coverage.failed, coverage.items, coverage.retryable > 0))
}

fn model_incomplete(failed: u64, items: u64, retryable: bool) -> String {
    let items = match items {
        1 => "its 1 item".to_owned(),
        items => format!("{items} items"),
    };
    let action = match retryable {
        true => "Repeat the command to retry.",
        false => "Use another model, enlarge its context window, or set thinking_tokens.",
    };
    match failed {
        0 => {
            "Incomplete: answers of the model broke off and were used in part. Repeat the command to retry.".to_owned()
        }
        failed => format!("Incomplete: the model gave no usable answer for {failed} of {items}. {action}"),
    }
}

fn budget_ended(unasked: u64, items: u64) -> String {
    format!(
        "This report is partial: the budget ran out before the model answered {unasked} of {items} items. \
The built-in method was used for them. Use a larger budget to continue the run."
    )
}

fn model_used(host: &str, model: &str, (requests, bytes): (u64, u64), answered: bool, subject: RunSubject) -> String {
    let sent = format!(
        "{} sent to {host}, with {}, {bytes} bytes, to the model {model}",
        counted_long(requests, "request was", "requests were"),
        subject.texts()
    );
    match answered {
        false => format!("The model gave no answer: {sent}."),
        true => format!(
            "A model was used: {sent}. Its answers were checked against the texts, but what it missed is not known."
        ),
    }
}

fn answers_failed(prompt: &str, failures: &BTreeMap<String, u64>, items: u64, replaced: bool) -> String {
    let count: u64 = failures.values().sum();
    let kinds: Vec<String> = failures
        .iter()
        .map(|(kind, count)| format!("{}: {count}", failure_label(kind)))
        .collect();
    let action = match failures.contains_key(TOO_LONG) {
        true => " Enlarge the context window of the model, or use another one, before you repeat the command.",
        false => "",
    };
    let instead = match replaced {
        false => "Nothing replaces them.",
        true => "The built-in method was used for them.",
    };
    format!(
        "The model gave no usable answer for {count} of {items} items of {prompt} ({}). {instead}{action}",
        kinds.join(", ")
    )
}

/// The kind of a prompt that did not fit into the context window of the model.
const TOO_LONG: &str = "question too long";

/// The label of a kind of failure. The kinds in run records keep their names.
fn failure_label(kind: &str) -> &str {
    match kind {
        TOO_LONG => "prompt too long for the model",
        "question not taken" => "request rejected",
        "not as asked" => "answer in the wrong form",
        "not reached" => "service not reached",
        kind => kind,
    }
}

fn texts_shortened(prompt: &str, shortened: u64, items: u64) -> String {
    format!(
        "{shortened} of {items} items of {prompt} {} longer than the model's limit. Of each long text in them, the model received only the first half or less.",
        was(shortened)
    )
}

fn answers_cut_off(prompt: &str, cut_off: u64, items: u64) -> String {
    format!(
        "{} cut off at the output limit ({prompt}, {items} items). Only what was complete in them is used, so lists may be shorter.",
        counted_long(cut_off, "answer was", "answers were")
    )
}

fn items_left_out(prompt: &str, left_out: u64) -> String {
    format!(
        "The model left {} out of its answers to {prompt}, even when it was asked again. They have no answer of the model.",
        counted_long(left_out, "item", "items")
    )
}

fn papers_not_sent(unsent: usize, papers: usize) -> String {
    format!(
        "{unsent} of {papers} papers were not sent to the model, because no passage in them shares two content words or a large part of a claim. They were compared without a model."
    )
}

fn papers_sent_in_part(papers: usize, kilobytes: usize) -> String {
    format!("Papers too long to send to the model whole, so that it read only their first {kilobytes} kB: {papers}.")
}

fn paper_sent_in_part(kilobytes: usize) -> String {
    format!("The paper is too long to send to the model whole. The model read its first {kilobytes} kB.")
}

fn citations_not_judged(unjudged: usize, citations: usize) -> String {
    format!(
        "{unjudged} of {citations} citations were not judged against their source. Their words were located, and no figure in them is false."
    )
}

fn passages_not_found(passages: usize) -> String {
    match passages {
        1 => "1 passage that the model quoted is not in the paper it names and was ignored.".to_owned(),
        passages => {
            format!("{passages} passages that the model quoted are not in the papers it names and were ignored.")
        }
    }
}

fn relevance_not_judged(records: usize) -> String {
    format!(
        "{} without a relevance judgement from the model; only similarity decided their rank.",
        counted(records, "record", "records")
    )
}

fn ranking_incomplete(counts: &ListwiseRecord) -> String {
    format!(
        "Ranking by the model: {} of {} windows had no usable answer and kept their order. Counts in the other answers: papers missing {}, numbers \
repeated {}, numbers of no paper {}. Missing papers follow in their previous order.",
        counts.unanswered, counts.windows, counts.missing, counts.doubled, counts.unknown
    )
}

fn field(kind: EvidenceKind) -> &'static str {
    match kind {
        EvidenceKind::Literature => "literature",
        EvidenceKind::Web => "the web",
        EvidenceKind::Code => "code",
    }
}

fn is(count: usize) -> &'static str {
    if count == 1 { "is" } else { "are" }
}

fn was(count: u64) -> &'static str {
    if count == 1 { "was" } else { "were" }
}

fn counted(count: usize, one: &str, many: &str) -> String {
    counted_long(count as u64, one, many)
}

fn counted_long(count: u64, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

/// `1 paper`, `333,361 papers`.
fn papers(number: u64) -> String {
    format!("{} {}", grouped(number), if number == 1 { "paper" } else { "papers" })
}

fn grouped(number: u64) -> String {
    thousands(usize::try_from(number).unwrap_or(usize::MAX))
}

#[cfg(test)]
#[path = "gaps_tests.rs"]
mod tests;
