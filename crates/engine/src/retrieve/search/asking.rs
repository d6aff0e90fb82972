//! Sends queries to sources.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use precedent_domain::{Document, Gap, Hit, NotSearched, PartialDate, Query, Scope, SourceReport, Work, WorkId};
use precedent_read::plain_latex;
use precedent_sources::{Lookup, SearchResults, Source, SourceError, cause_of};
use precedent_text::pattern;
use tokio::task::JoinSet;
use tokio::time::timeout;

use crate::{SourceProgress, World};

/// Maximum number of results per query, for the core task and for a contribution.
pub(crate) const CORE_LIMIT: usize = 100;
const CLAIM_LIMIT: usize = 40;
/// Maximum number of results without a date limit, used to find later papers. Only for primary queries.
const LATER_LIMIT: usize = 20;

/// The result from a source, or the reason for its failure.
pub(crate) type Answer<T> = std::result::Result<T, String>;

/// The results of a search, with the reason if it ended early.
#[derive(Debug, Default)]
pub(crate) struct Results {
    pub(crate) hits: Vec<Hit>,
    /// Records dated after the requested date, for comparing dates.
    pub(crate) later: Vec<Hit>,
    pub(crate) failure: Option<String>,
}

impl From<SearchResults> for Results {
    fn from(found: SearchResults) -> Self {
        let plain = |mut hits: Vec<Hit>| {
            hits.iter_mut().for_each(|hit| in_plain_words(&mut hit.work));
            hits
        };
        Self {
            hits: plain(found.hits),
            later: plain(found.later),
            failure: found.failure.map(|error| in_full(&error)),
        }
    }
}

/// The combined results of all sources.
#[derive(Debug, Default)]
pub(crate) struct Answers {
    /// Rankings by scope, in order of query and source. The answer of one source to one query contains no record twice.
    pub(crate) rankings: BTreeMap<Scope, Vec<Vec<Hit>>>,
    /// Records dated after the paper, for comparing dates.
    pub(crate) later: Vec<Hit>,
    /// How each source took part, in the world's order.
    pub(crate) sources: Vec<SourceReport>,
}

/// One request to one source.
struct SearchRequest {
    query: usize,
    source: usize,
    as_of: Option<PartialDate>,
    limit: usize,
    /// Whether the request only looks for later papers.
    probe: bool,
}

/// Sends every query to every source concurrently. Results are in order of query and source, independent of arrival.
pub(crate) async fn ask(queries: &[Query], as_of: Option<PartialDate>, world: &World) -> Answers {
    let asks = asks(queries, as_of, &world.sources);
    let mut answered = put_all(&asks, queries, world).await;
    let mut answers = Answers {
        sources: reports(world),
        ..Answers::default()
    };
    // Results of the dated request to the same source. The probe returns most of them again.
    let mut known: BTreeSet<WorkId> = BTreeSet::new();
    for (number, ask) in asks.iter().enumerate() {
        let answer = answered
            .remove(&number)
            .unwrap_or_else(|| Err("the search was interrupted".to_owned()));
        let (Some(query), Some(report)) = (queries.get(ask.query), answers.sources.get_mut(ask.source)) else {
            continue;
        };
        if !ask.probe {
            known.clear();
        }
        match answer {
            Ok(Results {
                mut hits,
                later,
                failure,
            }) => {
                // Count queries only, not the probes sent with them.
                report.answered += usize::from(!ask.probe);
                if let Some(reason) = failure {
                    report.partial += usize::from(!ask.probe);
                    note_failure(report, reason);
                }
                answers.later.extend(later);
                hits.retain(|hit| known.insert(hit.work.id.clone()));
                answers.rankings.entry(query.scope).or_default().push(hits);
            }
            Err(reason) => {
                report.unanswered += usize::from(!ask.probe);
                note_failure(report, reason);
            }
        }
    }
    answers
}

/// The report's lines about the failures of one source, one per failure.
pub(crate) fn source_failures(report: &SourceReport) -> impl Iterator<Item = NotSearched> {
    report.failures.iter().map(|failure| {
        NotSearched::from(Gap::SourceFailed {
            source: report.name.clone(),
            failure: failure.clone(),
        })
    })
}

/// Records the failure of a source, each reason once.
pub(crate) fn note_failure(report: &mut SourceReport, reason: String) {
    if !report.failures.contains(&reason) {
        report.failures.push(reason);
    }
}

/// All answers, by request number.
async fn put_all(asks: &[SearchRequest], queries: &[Query], world: &World) -> BTreeMap<usize, Answer<Results>> {
    let mut running: JoinSet<(usize, Answer<Results>)> = JoinSet::new();
    let mut numbers = BTreeMap::new();
    for (number, ask) in asks.iter().enumerate() {
        let (Some(source), Some(query)) = (world.sources.get(ask.source).cloned(), queries.get(ask.query).cloned())
        else {
            continue;
        };
        let (as_of, limit) = (ask.as_of, ask.limit);
        let task = running.spawn(async move { (number, put(source.as_ref(), &query, as_of, limit).await) });
        numbers.insert(task.id().to_string(), number);
    }
    let mut answered: BTreeMap<usize, Answer<Results>> = BTreeMap::new();
    while let Some(done) = running.join_next_with_id().await {
        let number = match done {
            Ok((_, (number, answer))) => {
                answered.insert(number, answer);
                Some(number)
            }
            Err(error) => {
                let number = numbers.get(&error.id().to_string()).copied();
                if let Some(number) = number {
                    answered.insert(number, Err(format!("failed to answer: {}", cause_of(error))));
                }
                number
            }
        };
        if let Some(ask) = number.and_then(|number| asks.get(number)) {
            report_source(ask.source, asks, &answered, world);
        }
    }
    answered
}

/// Reports a source to the observer of the run, once all requests to it are answered.
fn report_source(source: usize, asks: &[SearchRequest], answered: &BTreeMap<usize, Answer<Results>>, world: &World) {
    let own = || asks.iter().enumerate().filter(|(_, ask)| ask.source == source);
    if own().any(|(number, _)| !answered.contains_key(&number)) {
        return;
    }
    // A probe repeats a query, so its results are not counted again.
    let queries = || own().filter(|(_, ask)| !ask.probe);
    let answers = || queries().filter_map(|(number, _)| answered.get(&number));
    if let Some(source) = world.sources.get(source) {
        world.progress.source(&SourceProgress {
            name: source.name().to_owned(),
            found: answers().flatten().map(|results| results.hits.len()).sum(),
            failed: answers().filter(|answer| answer.is_err()).count(),
        });
    }
}

/// The requests. Each probe directly follows its dated request.
fn asks(queries: &[Query], as_of: Option<PartialDate>, sources: &[Arc<dyn Source>]) -> Vec<SearchRequest> {
    let mut asks = Vec::new();
    for (query, asked) in queries.iter().enumerate() {
        let limit = if asked.scope == Scope::CoreTask {
            CORE_LIMIT
        } else {
            CLAIM_LIMIT
        };
        for (source, asked_of) in sources.iter().enumerate() {
            asks.push(SearchRequest {
                query,
                source,
                as_of,
                limit,
                probe: false,
            });
            if as_of.is_some() && asked.variant == 0 && !asked_of.is_metered() {
                asks.push(SearchRequest {
                    query,
                    source,
                    as_of: None,
                    limit: LATER_LIMIT,
                    probe: true,
                });
            }
        }
    }
    asks
}

/// Sends one query to one source, with the source's timeout.
async fn put(source: &dyn Source, query: &Query, as_of: Option<PartialDate>, limit: usize) -> Answer<Results> {
    within(source, source.search(query, as_of, limit))
        .await
        .map(Results::from)
}

/// Converts LaTeX in titles and abstracts to plain text. Archives deliver them as LaTeX.
pub(crate) fn in_plain_words(work: &mut Work) {
    let plain = |text: &mut String| {
        if let Cow::Owned(plain) = plain_latex(text) {
            *text = plain;
        }
    };
    plain(&mut work.title);
    work.summary.iter_mut().for_each(plain);
    work.summary.iter_mut().for_each(without_keywords);
    work.authors.iter_mut().for_each(|author| plain(&mut author.name));
}

/// Removes a keyword list that some records append to the abstract.
fn without_keywords(summary: &mut String) {
    let found = pattern!(
        r"[.!?][”)]?\s+(?P<words>(?:Key\s?[Ww]ords|KEY\s?WORDS|Index Terms|INDEX TERMS)\s*[:.\p{L}(\u{2014}\u{2013}-])"
    )
    .captures(summary);
    if let Some(words) = found.and_then(|found| found.name("words")) {
        let start = words.start();
        if start * 2 > summary.len() {
            let kept = summary.get(..start).map_or(start, |kept| kept.trim_end().len());
            summary.truncate(kept);
        }
    }
}

/// As [`put`], in its own task, so that a panic in a source does not affect the others.
pub(crate) async fn put_alone(
    source: &Arc<dyn Source>,
    query: Query,
    as_of: Option<PartialDate>,
    limit: usize,
) -> Answer<Results> {
    let source = Arc::clone(source);
    alone(async move { put(source.as_ref(), &query, as_of, limit).await }).await
}

/// Papers related to a text or a paper, as [`ask_alone`].
pub(crate) async fn related_alone<F>(
    source: &Arc<dyn Source>,
    ask: impl FnOnce(Arc<dyn Source>) -> F,
) -> Answer<Results>
where
    F: Future<Output = std::result::Result<SearchResults, SourceError>> + Send + 'static,
{
    ask_alone(source, ask).await.map(Results::from)
}

/// What a source knows of the given papers, as [`ask_alone`], and why some lookups failed.
pub(crate) async fn look_up_alone<T, F>(
    source: &Arc<dyn Source>,
    ask: impl FnOnce(Arc<dyn Source>) -> F,
) -> Answer<(Vec<Option<T>>, Option<String>)>
where
    T: Send + 'static,
    F: Future<Output = std::result::Result<Lookup<T>, SourceError>> + Send + 'static,
{
    let lookup = ask_alone(source, ask).await?;
    Ok((lookup.found, lookup.failure.map(|error| in_full(&error))))
}

/// Sends any other request to a source, with its timeout and in its own task.
pub(crate) async fn ask_alone<T, F>(source: &Arc<dyn Source>, ask: impl FnOnce(Arc<dyn Source>) -> F) -> Answer<T>
where
    T: Send + 'static,
    F: Future<Output = std::result::Result<T, SourceError>> + Send + 'static,
{
    let asked = ask(Arc::clone(source));
    let source = Arc::clone(source);
    alone(async move { within(source.as_ref(), asked).await }).await
}

/// The text of a paper from one source, with its timeout and in its own task.
pub(crate) async fn text_of(source: &Arc<dyn Source>, work: Work) -> Answer<Option<Document>> {
    let source = Arc::clone(source);
    alone(async move { within(source.as_ref(), source.document(&work)).await }).await
}

async fn alone<T: Send + 'static>(answer: impl Future<Output = Answer<T>> + Send + 'static) -> Answer<T> {
    match tokio::spawn(answer).await {
        Ok(answer) => answer,
        Err(error) => Err(format!("failed to answer: {}", cause_of(error))),
    }
}

async fn within<T>(
    source: &dyn Source,
    answer: impl Future<Output = std::result::Result<T, SourceError>>,
) -> Answer<T> {
    let deadline = source.deadline();
    match timeout(deadline, answer).await {
        Ok(answer) => answer.map_err(|error| in_full(&error)),
        Err(_) => Err(format!("failed to answer within {} seconds", deadline.as_secs_f64())),
    }
}

/// An error with its causes, on one line.
pub(crate) fn in_full(error: &dyn std::error::Error) -> String {
    let mut text = format!("failed to {error}");
    let mut cause = error.source();
    while let Some(inner) = cause {
        text.push_str(&format!(": {inner}"));
        cause = inner.source();
    }
    text
}

/// An empty report for each source of the world.
pub(crate) fn reports(world: &World) -> Vec<SourceReport> {
    let report = |source: &Arc<dyn Source>| {
        let holdings = source.holdings();
        SourceReport {
            name: source.name().to_owned(),
            works: holdings.works,
            full_texts: holdings.full_texts,
            answered: 0,
            partial: 0,
            unanswered: 0,
            failures: Vec::new(),
            own_text: false,
        }
    };
    world.sources.iter().map(report).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn latex_in_records_is_converted_to_plain_text() {
        let mut work = crate::sample::work(
            "k:1",
            r"L\'{e}vy ropes in $O(n^2)$",
            r#"J. Sj\"{o}blom"#,
            None,
            r"We weigh \emph{wet} kelp on moving decks. Keywords: kelp, ropes",
        );
        in_plain_words(&mut work);
        assert_eq!(work.title, "Lévy ropes in O(n^2)");
        assert_eq!(work.summary.as_deref(), Some("We weigh wet kelp on moving decks."));
        assert_eq!(
            work.authors.first().map(|author| author.name.as_str()),
            Some("J. Sjöblom")
        );
    }

    #[test]
    fn keywords_are_removed_only_from_the_end() {
        for (summary, kept) in [
            (
                "Ropes hold kelp in swell. Keywordsretrieval, ropes",
                "Ropes hold kelp in swell.",
            ),
            (
                "Ropes hold. Keywords help to find kelp among many other ropes that lie about.",
                "",
            ),
            ("Ropes and Keywords hold kelp", ""),
        ] {
            let mut cut = summary.to_owned();
            without_keywords(&mut cut);
            assert_eq!(cut, if kept.is_empty() { summary } else { kept });
        }
    }
}
