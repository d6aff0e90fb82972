use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use futures_util::future::BoxFuture;
use precedent_domain::{Document, EvidenceKind, Hit, PartialDate, Query, SentRecord, Work};
use precedent_http::{HttpError, HttpGateway, Pace, Request, Response, Secret};
use tokio::sync::OnceCell;
use tokio::time::Instant;

use super::body_text::{decoded, text_of};
use super::records::Records;
use super::spend::SpendTracker;
use super::{
    Ability, Endpoint, Found, HealthCheck, Page, Refusals, Relation, Service, ServiceError, ServiceSettings,
    Unreadable, Words, WorkName,
};
use crate::{Holdings, Lookup, SearchResults, Source, SourceError};
use precedent_domain::QueryContent;

/// Maximum number of words in a query to a service. The program's own queries have at most 25 words, so a longer text is not a query and may be
/// manuscript text.
pub const MOST_WORDS: usize = 40;
/// The same in characters.
pub const MOST_CHARACTERS: usize = 400;
/// With at least this many works, no wider wording is sent.
const ENOUGH: usize = 10;
/// Maximum size of an answer, in bytes after decompression.
const LONGEST_ANSWER: u64 = 12 << 20;
/// Time limit of one attempt.
const TRY: Duration = Duration::from_secs(25);
const TRIES: u32 = 3;
/// How much the engine's deadline exceeds the source's own, so that the source ends first and leaves a record.
const SLACK: Duration = Duration::from_secs(5);

/// A network service as a source.
pub struct ServiceSource {
    pub(super) service: &'static dyn Service,
    pub(super) endpoint: Endpoint,
    deadline: Duration,
    pub(super) between: Option<Duration>,
    pub(super) page: usize,
    /// Maximum amount to spend, in millionths of a dollar; `None` if nothing has a price, and in replay.
    budget: Option<u64>,
    pub(super) gateway: Arc<HttpGateway>,
    /// The amount reserved so far.
    spent: Arc<AtomicU64>,
    /// The remaining budget of the day as reported by the service; the maximum value until it is reported.
    left: Arc<AtomicU64>,
    /// The account name, for services with a login.
    pub(super) user: Option<Secret>,
    /// The token from the login, or why it failed.
    pub(super) token: OnceCell<std::result::Result<Secret, String>>,
    /// When the last request of a kind with a slower pace was sent.
    slow: tokio::sync::Mutex<Option<Instant>>,
    account: Mutex<SpendTracker>,
}

impl ServiceSource {
    /// Creates a source for the service, using `gateway`. With `replay`, the client only returns recorded answers, so nothing is spent.
    #[must_use]
    pub fn new(
        service: &'static dyn Service,
        settings: ServiceSettings,
        gateway: Arc<HttpGateway>,
        replay: bool,
    ) -> Self {
        let base = settings.url.as_deref().unwrap_or(service.base());
        let endpoint = Endpoint {
            base: base.trim_end_matches('/').to_owned(),
            key: settings.key,
            mailto: settings.mailto,
            token: None,
            texts: settings.texts.map(|base| base.trim_end_matches('/').to_owned()),
        };
        let tariff = service.tariff();
        let day = match endpoint.key {
            Some(_) => tariff.day_with_key,
            None => tariff.day_without_key,
        };
        let budget = (tariff.question > 0 && !replay).then(|| settings.budget.unwrap_or(day / 3));
        Self {
            deadline: settings.deadline.unwrap_or(service.deadline()),
            between: settings.between,
            page: settings.page.unwrap_or(service.page()).clamp(1, service.page()),
            service,
            endpoint,
            budget,
            gateway,
            spent: Arc::default(),
            left: Arc::new(AtomicU64::new(u64::MAX)),
            user: settings.user,
            token: OnceCell::new(),
            slow: tokio::sync::Mutex::default(),
            account: Mutex::default(),
        }
    }

    /// The service.
    #[must_use]
    pub fn service(&self) -> &'static dyn Service {
        self.service
    }

    /// The addresses that a query would be sent to: one for each wording, from the narrowest. A wider one is only sent if the narrower ones find few
    /// works. Requests with a body start with `POST ` and end with the body. They contain no key.
    ///
    /// # Errors
    /// Returns an error if the query must not be sent.
    pub fn would_send(&self, query: &Query, as_of: Option<PartialDate>) -> Result<Vec<String>, SourceError> {
        let words = self.words(query)?;
        let page = self.first_page(as_of);
        let wordings = self.service.wordings(&words);
        let request = |wording: &String| self.service.request(wording, &page, &self.endpoint);
        let addresses = wordings.iter().map(|wording| Ok(whole_question(&request(wording)?)));
        addresses
            .collect::<Result<_, HttpError>>()
            .map_err(|error| self.unreached(error))
    }

    /// The price of `questions` requests, in millionths of a dollar.
    #[must_use]
    pub fn price(&self, questions: u64) -> u64 {
        self.service.tariff().question.saturating_mul(questions)
    }

    /// The minimum time for `questions` requests at the service's own pace.
    #[must_use]
    pub fn least_time(&self, questions: u32) -> Duration {
        self.pace().between * questions
    }

    /// Checks with a free or cheap request whether the service is available.
    ///
    /// # Errors
    /// Returns an error if it is not available or refuses.
    pub fn trial<'a>(&'a self) -> BoxFuture<'a, Result<HealthCheck, SourceError>> {
        Box::pin(async move {
            let start = Instant::now();
            let request = self.signed(start, |endpoint| self.service.trial(endpoint)).await?;
            let request = self.mannered(request, start).tries(1);
            let response = self
                .gateway
                .send(&request)
                .await
                .map_err(|error| self.unreached(error))?;
            if !response.is_success() {
                return Err(self.refusals().error(&response));
            }
            Ok(HealthCheck::of(&response))
        })
    }

    fn words(&self, query: &Query) -> Result<Words, SourceError> {
        let words = Words::of(query.topic()).without_sentences();
        let characters = words.spaced().chars().count();
        if words.len() > MOST_WORDS || characters > MOST_CHARACTERS {
            return Err(SourceError::TooLong {
                name: self.service.id().to_owned(),
                words: words.len(),
            });
        }
        Ok(words)
    }

    fn pace(&self) -> Pace {
        let usual = self.service.pace(&self.endpoint);
        Pace {
            between: self.between.unwrap_or(usual.between),
            ..usual
        }
    }

    pub(super) fn first_page(&self, as_of: Option<PartialDate>) -> Page {
        let until = match self.service.kind() {
            EvidenceKind::Literature => as_of.map(a_year_later),
            _ => as_of,
        };
        Page {
            until,
            start: 0,
            size: self.page,
        }
    }

    /// Adds the settings that are the same for all services.
    pub(super) fn mannered(&self, request: Request, start: Instant) -> Request {
        let left = self.deadline.saturating_sub(start.elapsed());
        let service = self.service;
        let refusals = self.refusals();
        // Answers to an account or of the user's own server may be private, and providers of web search do not allow that their results are kept.
        let is_public = self.user.is_none() && service.address_variable().is_none();
        let request = match is_public && service.kind() == EvidenceKind::Literature {
            true => request.shared(),
            false => request,
        };
        request
            .pace(self.pace())
            .timeout(TRY.min(left))
            .tries(TRIES)
            .patience(left)
            .within(left)
            .at_most(LONGEST_ANSWER)
            .passing_when(move |status, body| {
                !(200..300).contains(&status) && service.trouble(status, &decoded(body, None)) == ServiceError::TooFast
            })
            .fruitless_when(move |status, body| match status {
                200..300 => {
                    let body = decoded(body, None);
                    service.read(&body).is_err() || service.missing(&body).is_some()
                }
                _ => service.trouble(status, &decoded(body, None)).is_final(),
            })
            .broken_when(move |status, body| (200..300).contains(&status) && service.is_damaged(&decoded(body, None)))
            .last_when(move |response| refusals.last_word(response))
    }

    /// One page, from the service or the record, and why it is incomplete, if it is.
    async fn ask(
        &self,
        wording: &str,
        page: &Page,
        start: Instant,
    ) -> Result<(Found, Option<SourceError>), SourceError> {
        let request = self
            .signed(start, |endpoint| self.service.request(wording, page, endpoint))
            .await?;
        let request = self.mannered(request, start);
        let price = self.service.tariff().question;
        let response = self.sent_out(request, QueryContent::Words, price).await?;
        let body = text_of(&response);
        if !response.is_success() {
            return Err(self.refusals().error(&response));
        }
        let name = || self.service.id().to_owned();
        let found = self
            .service
            .read(&body)
            .map_err(|Unreadable(why)| SourceError::Unreadable { name: name(), why })?;
        let missing = self.service.missing(&body);
        Ok((found, missing.map(|why| SourceError::Incomplete { name: name(), why })))
    }

    /// Sends one wording after the other, from the narrowest, until there are enough works. Works found before an error stay in `records`.
    async fn all_wordings(&self, words: &Words, limit: usize, records: &mut Records) -> Result<(), SourceError> {
        let start = Instant::now();
        let mut incomplete = None;
        for wording in self.service.wordings(words) {
            let mut page = self.first_page(records.as_of);
            for _ in 0..self.service.pages() {
                let (found, lack) = self.ask(&wording, &page, start).await?;
                incomplete = incomplete.or(lack);
                let read = found.works.len();
                for draft in found.works.into_iter().take(self.page) {
                    let draft = draft.held_to(records.as_of);
                    records.extend(draft.and_then(|draft| draft.work(self.service.id())));
                }
                page.start += self.page;
                if records.in_time.len() >= limit || !found.more || read == 0 {
                    break;
                }
            }
            if records.in_time.len() >= ENOUGH.min(limit) {
                break;
            }
        }
        incomplete.map_or(Ok(()), Err)
    }

    pub(super) fn results(&self, mut records: Records, limit: usize, failure: Option<SourceError>) -> SearchResults {
        records.in_time.truncate(limit);
        SearchResults {
            hits: self.as_hits(records.in_time),
            later: self.as_hits(records.later),
            failure,
        }
    }

    /// Sends the request and records what was sent. The price is reserved when the request is about to be sent, so that concurrent requests together
    /// never exceed the budget.
    pub(super) async fn sent_out(
        &self,
        request: Request,
        sending: QueryContent,
        price: u64,
    ) -> Result<Response, SourceError> {
        let Some(budget) = self.budget.filter(|_| price > 0) else {
            return self.noted(&request, sending).await;
        };
        let (spent, set_aside) = (Arc::clone(&self.spent), Arc::new(AtomicBool::new(false)));
        let (is_set_aside, left) = (Arc::clone(&set_aside), Arc::clone(&self.left));
        let request = request.unless(move || {
            if left.load(Ordering::Relaxed) < price {
                return Some("the daily allowance is used up, according to the service".to_owned());
            }
            let afford = |spent: u64| Some(spent.saturating_add(price)).filter(|next| *next <= budget);
            // Retries are the same request.
            let affords = is_set_aside.load(Ordering::Relaxed)
                || spent.fetch_update(Ordering::Relaxed, Ordering::Relaxed, afford).is_ok();
            is_set_aside.store(affords, Ordering::Relaxed);
            (!affords).then(|| "the run's budget for it is used up".to_owned())
        });
        let outcome = self.noted(&request, sending).await;
        let is_refused = outcome.as_ref().is_ok_and(|response| !response.is_success());
        if is_refused && set_aside.load(Ordering::Relaxed) {
            self.spent.fetch_sub(price, Ordering::Relaxed);
        }
        outcome
    }

    /// Waits until a request of a kind with a slower pace may be sent. Recorded answers do not wait.
    pub(super) async fn slowed(&self, request: &Request, between: Duration) -> Result<(), SourceError> {
        let between = if between.is_zero() {
            between
        } else {
            self.between.unwrap_or(between)
        };
        if between.is_zero()
            || self
                .gateway
                .is_settled(request)
                .await
                .map_err(|error| self.unreached(error))?
        {
            return Ok(());
        }
        let mut last = self.slow.lock().await;
        if let Some(last) = *last {
            tokio::time::sleep_until(last + between).await;
        }
        *last = Some(Instant::now());
        Ok(())
    }

    async fn noted(&self, request: &Request, sending: QueryContent) -> Result<Response, SourceError> {
        let outcome = self.gateway.send(request).await;
        if let Ok(response) = &outcome
            && !response.recorded
            // A rate-limit response may report a remaining budget of zero and mean only this second.
            && response.is_success()
            && let Some(left) = self.service.left(response)
        {
            // Answers arrive in any order, so the lowest reported value counts.
            self.left.fetch_min(left, Ordering::Relaxed);
        }
        self.account().note(request, sending, &outcome);
        outcome.map_err(|error| self.unreached(error))
    }

    /// The interpreter of unsuccessful responses of the service.
    pub(super) fn refusals(&self) -> Refusals {
        Refusals {
            service: self.service,
            has_key: self.endpoint.key.is_some(),
            longest_wait: self.deadline,
        }
    }

    fn account(&self) -> std::sync::MutexGuard<'_, SpendTracker> {
        self.account.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn as_hits(&self, works: Vec<Work>) -> Vec<Hit> {
        let hits = (1_u32..).zip(works).map(|(rank, work)| Hit {
            work,
            score: 1.0 / f64::from(rank),
            source: self.service.id().to_owned(),
        });
        hits.collect()
    }

    pub(super) fn unreached(&self, source: HttpError) -> SourceError {
        let name = self.service.id().to_owned();
        match source {
            HttpError::GivenUp { why, .. } => SourceError::GivenUp { name, why },
            // The number of failures differs between queries and is not meaningful here.
            HttpError::Resting { .. } => SourceError::GivenUp {
                name,
                why: "gave up after repeated failures".to_owned(),
            },
            source => SourceError::Unreached { name, source },
        }
    }
}

#[async_trait]
impl Source for ServiceSource {
    fn name(&self) -> &str {
        self.service.id()
    }

    fn kind(&self) -> EvidenceKind {
        self.service.kind()
    }

    async fn search(
        &self,
        query: &Query,
        as_of: Option<PartialDate>,
        limit: usize,
    ) -> Result<SearchResults, SourceError> {
        let words = self.words(query)?;
        let mut records = Records::new(as_of);
        let failure = match words.is_empty() {
            true => None,
            false => self.all_wordings(&words, limit, &mut records).await.err(),
        };
        self.results(records, limit, failure).unless_empty()
    }

    fn can(&self, ability: Ability) -> bool {
        self.relations(ability).is_ok()
    }

    fn asks_nothing(&self, ability: Ability) -> bool {
        self.price_of(ability) == 0
    }

    async fn related(
        &self,
        relation: &Relation<'_>,
        as_of: Option<PartialDate>,
        limit: usize,
    ) -> Result<SearchResults, SourceError> {
        self.related_works(relation, as_of, limit).await
    }

    async fn look_up(&self, names: &[WorkName]) -> Result<Lookup<Work>, SourceError> {
        self.records(names).await
    }

    async fn references(&self, names: &[WorkName]) -> Result<Lookup<Vec<WorkName>>, SourceError> {
        self.cited_by(names).await
    }

    async fn document(&self, work: &Work) -> Result<Option<Document>, SourceError> {
        match self.service.text(work, &self.endpoint) {
            Some(at) => self.whole_text(&at).await.map(Some),
            // The search returned everything it knows.
            None => Ok(Some(Document::from_abstract(&work.title, work.summary.as_deref()))),
        }
    }

    fn is_metered(&self) -> bool {
        true
    }

    fn holdings(&self) -> Holdings {
        Holdings::default()
    }

    fn deadline(&self) -> Duration {
        self.deadline + SLACK
    }

    fn sent(&self) -> Option<SentRecord> {
        self.account().record(&host_of(&self.endpoint.base), self.service.id())
    }
}

/// A request in readable form: its address, and the body.
fn whole_question(request: &Request) -> String {
    match request.body() {
        [] => request.address().to_owned(),
        body => format!("{} {}", request.asked(), String::from_utf8_lossy(body)),
    }
}

/// A service may only know the date of the journal version, which is later than the preprint's.
fn a_year_later(date: PartialDate) -> PartialDate {
    let (year, month, _) = date.last_day();
    PartialDate::new(year.saturating_add(1), Some(month), None).unwrap_or(date)
}

pub(super) fn host_of(base: &str) -> String {
    let rest = base.split_once("://").map_or(base, |(_, rest)| rest);
    let host = rest.split(['/', '?']).next().unwrap_or(rest);
    host.rsplit_once(':').map_or(host, |(host, _)| host).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_decoded_in_their_actual_character_set() {
        assert_eq!(decoded(b"\xef\xbb\xbf{}", None), "{}");
        assert_eq!(
            decoded("é".as_bytes(), Some("application/json; charset=iso-8859-1")),
            "é"
        );
        assert_eq!(decoded(b"\xe9", Some("text/json; charset=ISO-8859-1")), "é");
        assert_eq!(decoded(b"\xe9", Some("application/json")), "\u{fffd}");
        assert_eq!(host_of("http://127.0.0.1:8080/x"), "127.0.0.1");
        assert_eq!(host_of("https://api.example.org"), "api.example.org");
        assert_eq!(a_year_later("2024-05-17".parse().unwrap()).to_string(), "2025-05");
        assert_eq!(a_year_later("2024".parse().unwrap()).to_string(), "2025-12");
    }
}
