//! The wording of every [`Gap`], and of what was sent.
//!
//! Long because all this wording is in one place.

use precedent_domain::{
    CoverageLevel, Doubt, DoubtfulPaper, EvidenceKind, FieldCoverage, Gap, ListwiseRecord, ModelCoverage, NoTextReason,
    QueryContent, RunMetadata, Scope, SentContent, SentRecord, SourceReport, TextUnit,
};

use crate::words::and_list;

/// What a run is about. It decides some words: a points report has points where an assessment has claims.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RunSubject {
    /// A paper and its claims.
    Paper,
    /// A paper and its points.
    Points,
    /// An idea.
    Idea,
    /// An idea that is reviewed.
    Review,
    /// A group of ideas.
    Ideas,
}

impl RunSubject {
    fn name(self) -> &'static str {
        match self {
            Self::Paper | Self::Points => "the paper",
            Self::Idea | Self::Review => "the idea",
            Self::Ideas => "the ideas",
        }
    }

    /// What a model was sent.
    fn texts(self) -> &'static str {
        match self {
            Self::Paper | Self::Points => "text of the paper and of other papers",
            Self::Idea | Self::Review => "text of the idea and of other papers",
            Self::Ideas => "text of the ideas",
        }
    }

    fn claim(self) -> &'static str {
        if self == Self::Points { "point" } else { "claim" }
    }
}

/// Writes the message of each gap of a run, and what was sent.
pub fn put_in_words(metadata: &mut RunMetadata, subject: RunSubject) {
    let sources = &metadata.sources;
    for one in &mut metadata.not_searched {
        if let Some(gap) = &one.gap {
            one.message = in_words(gap, sources, subject);
        }
    }
    put_sent_in_words(&mut metadata.sent, subject);
}

/// Writes what was sent to each host.
pub fn put_sent_in_words(records: &mut [SentRecord], subject: RunSubject) {
    for one in records {
        if let Some(content) = &one.content {
            one.what = sent_in_words(content, one.bytes, subject);
        }
    }
}

fn sent_in_words(content: &SentContent, bytes: u64, subject: RunSubject) -> String {
    match content {
        SentContent::Queries {
            service,
            kinds,
            answered,
            cached,
        } => {
            let cached = match cached {
                0 => String::new(),
                1 => "; 1 answer was from the cache of this machine".to_owned(),
                cached => format!("; {cached} answers were from the cache of this machine"),
            };
            if kinds.is_empty() {
                return format!("nothing, to search {service}{cached}");
            }
            let parts: Vec<String> = kinds
                .iter()
                .map(|(kind, bytes)| format!("{}, {bytes} bytes", queries(*kind)))
                .collect();
            let unanswered = if *answered { "" } else { "; none was answered" };
            format!("{}, to search {service}{unanswered}{cached}", parts.join("; "))
        }
        SentContent::CitedPapers => format!("names and titles of cited papers, {bytes} bytes, to follow citations"),
        SentContent::PapersFound => format!("names of papers found, {bytes} bytes, to fetch their texts"),
        SentContent::PaperName => format!("name of the paper ({bytes} bytes), to download it"),
        SentContent::Passages => "queries for the points and passages of papers, for ranking".to_owned(),
        SentContent::Texts {
            model,
            answered,
            input_tokens,
            cached_tokens,
            output_tokens,
            lost_attempts,
            dollars,
        } => {
            let mut said = format!("{}, {bytes} bytes, to the model {model}", subject.texts());
            let lost = match lost_attempts {
                0 => String::new(),
                1 => "; 1 lost attempt is counted at its maximum cost".to_owned(),
                lost => format!("; {lost} lost attempts are counted at their maximum cost"),
            };
            if input_tokens + output_tokens > 0 || *lost_attempts > 0 {
                let share = 100 * cached_tokens / (*input_tokens).max(1);
                let money = dollars.map_or("price unknown".to_owned(), |dollars| format!("${dollars:.2}"));
                said.push_str(&format!(
                    "; {input_tokens} input tokens ({share} % from the cache), {output_tokens} output tokens{lost}; {money}"
                ));
            }
            if !answered {
                said.push_str("; none was answered");
            }
            said
        }
    }
}

fn queries(kind: QueryContent) -> &'static str {
    match kind {
        QueryContent::Words => "the words of queries",
        QueryContent::Text => "key words of a text",
        QueryContent::Title => "titles of works",
        QueryContent::Names => "names of works",
    }
}

fn in_words(gap: &Gap, sources: &[SourceReport], subject: RunSubject) -> String {
    match gap {
        Gap::OtherSources { services } => other_sources(sources, services, subject),
        Gap::GivenPapersOnly { papers } => format!(
            "Nothing was searched: the idea was compared with the {} given with it.",
            counted(*papers, "paper", "papers")
        ),
        Gap::KindsNotSearched { kinds } => format!(
            "No source was given for {}, so nothing was searched there.",
            and_list(&kinds.iter().map(|kind| field(*kind).to_owned()).collect::<Vec<_>>())
        ),
        Gap::SourceFailed { source, failure } => source_failed(sources, source, failure),
        Gap::SeedNotFound { names } => format!(
            "None of the sources searched has the seed paper {}, so its text was not used for the search.",
            names.join(" or ")
        ),
        Gap::NoCitationData => {
            "No configured source provides citation data, so references were not followed.".to_owned()
        }
        Gap::ReferencesNotMatched { references, matched } => format!(
            "Of the paper's {references} references, {matched} matched a known paper with certainty. The others were not followed."
        ),
        Gap::ReferencesNotInSources { missing, references } => {
            format!("The searched sources do not contain {missing} of the paper's {references} references.")
        }
        Gap::SecondOrderNotIncluded => "Papers cited by the paper's references were not included.".to_owned(),
        Gap::NoReferenceList => {
            "No reference list could be read from the paper, so missing citations were not checked.".to_owned()
        }
        Gap::FieldNotCovered { coverage, closest } => field_not_covered(coverage, *closest, subject),
        Gap::ClosestNotSimilar { papers, mean } => format!(
            "Low coverage: the sources searched seem to contain little from the idea's field (mean similarity of the {} found: {:.0} %). A missing match says little about what exists. Search where the field publishes.",
            if *papers == 1 { "closest paper".to_owned() } else { format!("{papers} closest papers") },
            mean * 100.0
        ),
        Gap::NoFullText { .. }
        | Gap::KnownInPart { .. }
        | Gap::TextsNotFetched { .. }
        | Gap::WithoutText { .. }
        | Gap::WithoutTitle { .. } => missing_text(gap, subject),
        Gap::NoDate { .. }
        | Gap::MayNotBeEarlier { .. }
        | Gap::DocumentsMayNotBeEarlier { .. }
        | Gap::PaperUndated { .. }
        | Gap::DateOfFile { .. }
        | Gap::YearOnly { .. }
        | Gap::IdeaUndated => date(gap, subject),
        Gap::TakenForThePaper { titles } => format!(
            "The paper names no authors. By title and abstract, {} was taken for the paper itself and not compared.",
            and_list(&titles.iter().map(|title| format!("“{title}”")).collect::<Vec<_>>())
        ),
        Gap::OverLimit { .. }
        | Gap::BeyondMostSimilar { .. }
        | Gap::BeyondMostRelevant { .. }
        | Gap::BaseFull { .. }
        | Gap::SharedTextPart { .. } => over_limit(gap, subject),
        Gap::Retracted { papers } => format!(
            "Retracted: {}. A retracted paper still shows what was published before. Comparisons that rest on one say so.",
            doubtful(papers)
        ),
        Gap::IdentifiersDisputed { papers } => format!(
            "Sources disagree on which paper an identifier names: {}. Such a paper alone does not count as prior art.",
            doubtful(papers)
        ),
        Gap::DatesDisputed { papers } => format!(
            "Sources disagree on when these papers appeared: {}. A date that no second source confirms does not count as earlier.",
            doubtful(papers)
        ),
        Gap::NoCoreTask => {
            "No core task was found in the paper, so the field around it was not searched.".to_owned()
        }
        Gap::NoClaims => format!(
            "No contribution claim was found in the title, abstract, introduction or conclusion, so no {} was compared.",
            subject.claim()
        ),
        Gap::NoStatements => {
            "No statement of the idea could be read. Only its text as a whole was matched; its parts were not compared."
                .to_owned()
        }
        Gap::PartsMissing { parts } => format!(
            "Not found in the idea: {}. These parts were left empty.",
            and_list(&parts.iter().map(|part| part.name().to_owned()).collect::<Vec<_>>())
        ),
        Gap::OtherWords => "Only a human reader can decide whether another paper says the same in other words. Read the closest papers, even if the label is “No match found”.".to_owned(),
        _ => model(gap, subject),
    }
}

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
    match report.map(|report| (report.answered, report.shortfall())) {
        Some((0, _)) | None => format!("{name} failed: {failure}."),
        Some((_, Some(answered))) => format!("{name} answered {answered}: {failure}."),
        Some((_, None)) => format!("{name} answered all queries, but another request failed: {failure}."),
    }
}

/// An empty result of sources that hardly cover the field is no evidence of novelty.
fn field_not_covered(coverage: &FieldCoverage, closest: usize, subject: RunSubject) -> String {
    let subject = subject.name();
    let near = near_of_all(coverage, subject);
    let how_near = how_near(coverage, closest);
    match (coverage.level, coverage.near) {
        (CoverageLevel::Outside, 0) => format!(
            "The searched sources do not seem to cover {subject}'s field: {near} ({how_near}). \
An empty result here says nothing about earlier work. Search sources that cover the field."
        ),
        _ => format!(
            "The searched sources cover little of {subject}'s field: {near} ({how_near}). \
An empty result here says little about earlier work. Search sources that cover the field."
        ),
    }
}

/// `2 of the 51 papers found are similar to the paper as a whole`.
fn near_of_all(coverage: &FieldCoverage, subject: &str) -> String {
    match (coverage.near, coverage.works) {
        (0, 1) => format!("the one paper found is not similar to {subject} as a whole"),
        (_, 1) => format!("only one paper was found, and it is similar to {subject} as a whole"),
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

fn missing_text(gap: &Gap, subject: RunSubject) -> String {
    match gap {
        Gap::NoFullText { missing, papers } if subject == RunSubject::Idea => format!(
            "{missing} of {} {} known by title and abstract only.",
            counted(*papers, "paper", "papers"),
            is(*missing)
        ),
        Gap::NoFullText { missing, papers } => {
            format!("No full text for {missing} of {papers} papers, so only their titles and abstracts were compared.")
        }
        Gap::KnownInPart {
            evidence,
            missing,
            documents,
        } => {
            let (one, many, shown) = match evidence {
                EvidenceKind::Literature => ("paper", "papers", "title and abstract"),
                EvidenceKind::Web => ("page", "pages", "search result"),
                EvidenceKind::Code => ("repository", "repositories", "search result"),
            };
            format!(
                "{missing} of {} {} known by {shown} only.",
                counted(*documents, one, many),
                is(*missing)
            )
        }
        Gap::TextsNotFetched {
            fetched,
            requested,
            reasons,
            left,
        } => {
            let similar_to = if matches!(subject, RunSubject::Paper | RunSubject::Points) {
                format!("the {}s", subject.claim())
            } else {
                "the idea".to_owned()
            };
            let mut said =
                format!("Full text was fetched for {fetched} of the {requested} papers most similar to {similar_to}.");
            let reasons: Vec<String> = reasons
                .iter()
                .map(|(why, count)| format!("{count} {}", no_text(*why)))
                .collect();
            if !reasons.is_empty() {
                said.push_str(&format!(" The others: {}.", reasons.join("; ")));
            }
            if *left > 0 {
                said.push_str(&format!(
                    " {} not requested.",
                    counted(*left, "more paper was", "more papers were")
                ));
            }
            said
        }
        Gap::WithoutText { papers } => format!(
            "{} without a title or an abstract could not be compared with the idea.",
            counted(*papers, "paper", "papers")
        ),
        Gap::WithoutTitle { records } => format!(
            "{} without a title could not be compared with the idea.",
            counted(*records, "record", "records")
        ),
        _ => String::new(),
    }
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

fn date(gap: &Gap, subject: RunSubject) -> String {
    match gap {
        Gap::NoDate { undated, papers } => format!(
            "No date for {undated} of {papers} papers. They are listed separately and are not counted as prior art."
        ),
        Gap::MayNotBeEarlier { open, papers } => format!(
            "{open} of {} may not be earlier than the date given, so {} not counted as prior art.",
            counted(*papers, "paper", "papers"),
            if *open == 1 { "it is" } else { "they are" }
        ),
        Gap::DocumentsMayNotBeEarlier { open } => format!(
            "{} no date, or a date too coarse or too close to the idea's to count as earlier. These are shown and marked, but neither the chair's adjustment nor its key evidence may rest on them.",
            counted(*open, "document has", "documents have")
        ),
        Gap::PaperUndated { newest_cited: Some(year) } => format!(
            "The paper's own date could not be established. The newest paper it cites is from {year}, so papers that certainly appeared more than three months \
before that year count as earlier, and others as concurrent. None was excluded as later. Use `--as-of` to set the date."
        ),
        Gap::PaperUndated { newest_cited: None } => "The paper's own date could not be established, not even approximately, so no paper counts as earlier. Use `--as-of` to set the date.".to_owned(),
        Gap::DateOfFile { date, months } => format!(
            "The paper's date, {date}, comes only from the file's metadata and may be the date of a copy. Papers from the {months} months before it are \
shown as concurrent and are not counted as prior art, unless the paper cites later ones. Use `--as-of` to set the date."
        ),
        Gap::YearOnly { year } => format!(
            "Only the year of the paper's date is known. Papers from {year} are shown as of the same year and are not counted as prior art, unless the paper cites them. \
Use `--as-of` to set the date."
        ),
        Gap::IdeaUndated if subject == RunSubject::Review => "The idea has no date, so everything found counts as earlier and there are no suggestions from later work. Give a date to separate later work.".to_owned(),
        _ => "The idea has no date, so every paper found counts as earlier. Give a date to exclude later papers.".to_owned(),
    }
}

fn over_limit(gap: &Gap, subject: RunSubject) -> String {
    match gap {
        Gap::OverLimit { of, cut, limit } => {
            let what = match (of, subject) {
                (Scope::CoreTask, _) => "Core task".to_owned(),
                (Scope::Contribution(number), RunSubject::Points) => format!("Point {number}"),
                (Scope::Contribution(number), _) => format!("Claim {number}"),
            };
            let works = if *cut == 1 {
                "1 more relevant paper was".to_owned()
            } else {
                format!("{} more relevant papers were", grouped(*cut as u64))
            };
            format!("{what}: {works} not compared (limit {limit}).")
        }
        Gap::BeyondMostSimilar { cut, limit } => format!(
            "{} found but not considered (limit: the {limit} most similar).",
            counted(*cut, "paper", "papers")
        ),
        Gap::BeyondMostRelevant { cut, limit, compared } => format!(
            "{} found but not considered (limit: {limit} of each kind). The top {compared} of each kind were compared with the idea.",
            counted(*cut, "record", "records")
        ),
        Gap::BaseFull { left_out } => {
            format!("The literature base reached its capacity. Papers left out: {left_out}.")
        }
        Gap::SharedTextPart { unit, searched, there } => {
            let unit = match unit {
                TextUnit::Paragraph => "paragraphs",
                TextUnit::Sentence => "sentences",
            };
            format!(
                "The search for shared text in other papers used only the first {searched} of the paper's {there} longer {unit}."
            )
        }
        _ => String::new(),
    }
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
            _ => name.clone(),
        }
    });
    let named = named.collect::<Vec<_>>().join("; ");
    match papers.len().saturating_sub(NAMED) {
        0 => named,
        more => format!("{named}; and {more} more"),
    }
}

/// Gaps of the model's part.
fn model(gap: &Gap, subject: RunSubject) -> String {
    match gap {
        Gap::NoModel => match subject {
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
        .to_owned(),
        Gap::ModelIncomplete {
            failed,
            items,
            retryable,
        } => {
            let coverage = ModelCoverage {
                items: *items,
                failed: *failed,
                retryable: u64::from(*retryable),
            };
            coverage.caveat().unwrap_or_default()
        }
        Gap::BudgetEnded { unasked, items } => format!(
            "This report is partial: the budget ran out before {unasked} of {items} items so far {} sent to the model. \
The built-in method was used for them. Use a larger budget to continue the run.",
            was(*unasked)
        ),
        Gap::ModelUsed {
            host,
            model,
            requests,
            bytes,
            answered,
        } => {
            let sent = format!(
                "{} sent to {host}, with {}, {bytes} bytes, to the model {model}",
                counted_long(*requests, "request was", "requests were"),
                subject.texts()
            );
            match answered {
                false => format!("The model gave no answer: {sent}."),
                true => format!(
                    "A model was used: {sent}. Its answers were checked against the texts, but what it missed is not known."
                ),
            }
        }
        Gap::AnswersFailed {
            prompt,
            failures,
            items,
            replaced,
        } => {
            let count: u64 = failures.values().sum();
            let kinds: Vec<String> = failures
                .iter()
                .map(|(kind, count)| format!("{kind}: {count}"))
                .collect();
            let instead = match replaced {
                false => "Nothing replaces them.",
                true => "The built-in method was used for them.",
            };
            format!(
                "The model gave no usable answer for {count} of {items} items of {prompt} ({}). {instead}",
                kinds.join(", ")
            )
        }
        Gap::TextsShortened {
            prompt,
            shortened,
            items,
        } => format!(
            "{shortened} of {items} items of {prompt} {} longer than the model's limit. Of each long text in them, the model received only the first half or less.",
            was(*shortened)
        ),
        Gap::AnswersCutOff { prompt, cut_off, items } => format!(
            "{} cut off at the output limit ({prompt}, {items} items). Only what was complete in them is used, so lists may be shorter.",
            counted_long(*cut_off, "answer was", "answers were")
        ),
        Gap::CoreTaskByRules => {
            "The model gave no usable core task. The one shown was found without a model.".to_owned()
        }
        Gap::PapersNotSent { unsent, papers } => format!(
            "{unsent} of {papers} papers were not sent to the model, because no passage in them shares two content words or a large part of a claim. They were compared without a model."
        ),
        Gap::PapersSentInPart { papers, kilobytes } => format!(
            "Papers too long to send to the model whole, so that it read only their first {kilobytes} kB: {papers}."
        ),
        Gap::PaperSentInPart { kilobytes } => {
            format!("The paper is too long to send to the model whole. The model read its first {kilobytes} kB.")
        }
        Gap::CitationsNotJudged { unjudged, citations } => format!(
            "{unjudged} of {citations} citations were not judged against their source. Their words were located, and no figure in them is false."
        ),
        Gap::SummaryContradictsItems => {
            "The model's summary gives a score that its own items do not support. Neither is shown.".to_owned()
        }
        Gap::PassagesNotFound { passages: 1 } => {
            "1 passage that the model quoted is not in the paper it names and was ignored.".to_owned()
        }
        Gap::PassagesNotFound { passages } => {
            format!("{passages} passages that the model quoted are not in the papers it names and were ignored.")
        }
        Gap::RankingIncomplete { counts } => ranking_incomplete(counts),
        Gap::RelevanceNotJudged { records } => format!(
            "{} without a relevance judgement from the model; only similarity decided their rank.",
            counted(*records, "record", "records")
        ),
        Gap::RankingModelFailed { model, failure } => {
            format!("{model} failed ({failure}). The built-in method was used instead.")
        }
        _ => String::new(),
    }
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

/// `333,361`.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

#[cfg(test)]
#[path = "gaps_tests.rs"]
mod tests;
