//! The thread that submits queued calls, waits for their batches and hands out the answers.
//!
//! Long because one loop owns the state of all batches, and every step of it must be recorded before the next.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::time::Duration;

use precedent_http::{HttpError, HttpGateway, Request, Response, Secret};
use precedent_ledger::Ledger;
use serde_json::{Value, json};
use tokio::time::{Instant, sleep_until};

use super::queue::{BatchRules, BatchWorker, QueuedCall, Reply};
use super::record::{self, Hold, SubmittedBatch};
use super::{BatchApi, BatchCall, BatchEntry, BatchStatus, is_plain_id};
use crate::provider::read_body;
use crate::{Endpoint, Finish, LlmError, Provider};

/// Maximum number of calls in one batch. `OpenAI` takes 50,000 and Anthropic 100,000; the results must also fit in memory.
const MOST_CALLS: usize = 5_000;
/// Maximum size in bytes of the calls of one batch. `OpenAI` takes 200 MB and Anthropic 256 MB.
const MOST_BYTES: usize = 90_000_000;
/// Maximum size in bytes of the results of one batch.
const RESULTS: u64 = 512 << 20;
/// The longest pause between two polls.
const LONGEST_PAUSE: Duration = Duration::from_secs(60);
/// The longest pause before the first poll.
const FIRST_PAUSE: Duration = Duration::from_secs(5);
/// Batches that a call is part of before it counts as failed.
const TRIES: u32 = 3;
/// Polls in a row without a status before the calls of the batch fail. The batch stays on record.
const FAILED_POLLS: u32 = 30;
/// Most pages of 100 batches in which a submission is looked for.
const MOST_PAGES: u32 = 50;
/// Calls that keep coming delay a batch by at most this many times the waiting time.
const LONGEST_WAIT: u32 = 10;

/// A batch at the provider.
struct OpenBatch {
    record: SubmittedBatch,
    /// The keys of its calls.
    keys: HashSet<String>,
    /// The calls of this process that wait for it, by key. Without any, the batch is not polled.
    waiting: HashMap<String, Vec<QueuedCall>>,
    next: Instant,
    pause: Duration,
    failed_polls: u32,
    /// Calls done at the last notice.
    reported: Option<u64>,
}

/// Why a batch was not submitted.
enum NotSubmitted {
    /// The provider certainly has no such batch.
    Failed(Reply),
    /// It is not known whether the provider has it.
    Unknown(Reply),
    /// Another process has taken the submission over.
    Taken,
}

struct Worker<'w> {
    gateway: &'w HttpGateway,
    ledger: &'w Ledger,
    rules: BatchRules,
    queued: Vec<QueuedCall>,
    first_queued: Option<Instant>,
    last_queued: Instant,
    open: Vec<OpenBatch>,
}

impl BatchWorker {
    /// Submits and polls until the queue and all its clones are dropped. Batches are recorded in `ledger`, and requests go through `gateway`.
    ///
    /// # Errors
    /// If the record of batches cannot be read or written. All calls then fail.
    pub async fn run(mut self, gateway: &HttpGateway, ledger: &Ledger) -> Result<(), LlmError> {
        let mut worker = Worker {
            gateway,
            ledger,
            rules: self.rules.clone(),
            queued: Vec::new(),
            first_queued: None,
            last_queued: Instant::now(),
            open: Vec::new(),
        };
        worker.refresh().await?;
        if let Some(call) = self.first.take() {
            worker.take(call).await?;
        }
        loop {
            let due = worker.due();
            let wait = async {
                match due {
                    Some(due) => sleep_until(due).await,
                    None => std::future::pending().await,
                }
            };
            tokio::select! {
                call = self.calls.recv() => match call {
                    Some(call) => worker.take(call).await?,
                    None => return Ok(()),
                },
                () = wait => {}
            }
            while let Ok(call) = self.calls.try_recv() {
                worker.take(call).await?;
            }
            worker.submit_due().await?;
            worker.poll_due().await?;
        }
    }
}

impl Worker<'_> {
    /// Takes up the batches that other processes submitted since, and leaves those that they collected.
    async fn refresh(&mut self) -> Result<(), LlmError> {
        let listed = record::submitted(self.ledger).await?;
        let tokens: HashSet<&String> = listed.iter().map(|record| &record.token).collect();
        self.open
            .retain(|one| !one.waiting.is_empty() || tokens.contains(&one.record.token));
        for record in listed {
            match self.open.iter_mut().find(|one| one.record.token == record.token) {
                Some(known) if known.record.id.is_none() => known.record = record,
                Some(_) => {}
                None => self
                    .open
                    .push(OpenBatch::new(record, Instant::now(), self.first_pause())),
            }
        }
        Ok(())
    }

    /// When there is something to do next.
    fn due(&self) -> Option<Instant> {
        let polls = self.open.iter().filter(|one| !one.waiting.is_empty());
        polls.map(|one| one.next).chain(self.submission_due()).min()
    }

    fn submission_due(&self) -> Option<Instant> {
        let first = self.first_queued?;
        let bytes: usize = self.queued.iter().map(|call| call.request.body().len()).sum();
        if self.queued.len() >= MOST_CALLS || bytes >= MOST_BYTES {
            return Some(first);
        }
        let longest = first + self.rules.collect * LONGEST_WAIT;
        Some(longest.min(self.last_queued + self.rules.collect))
    }

    /// Answers a call from the record, lets it wait for an open batch, or queues it.
    async fn take(&mut self, call: QueuedCall) -> Result<(), LlmError> {
        if let Some((status, body)) = record::collected(self.ledger, &call.key).await? {
            answer(call, status, body, true);
        } else if let Some(call) = self.place(call) {
            self.queue(call);
        }
        Ok(())
    }

    /// Lets a call wait for the open batch that it is part of. Else it is returned.
    fn place(&mut self, call: QueuedCall) -> Option<QueuedCall> {
        let Some(batch) = self.open.iter_mut().find(|one| one.keys.contains(&call.key)) else {
            return Some(call);
        };
        batch.waiting.entry(call.key.clone()).or_default().push(call);
        None
    }

    fn queue(&mut self, call: QueuedCall) {
        self.last_queued = Instant::now();
        self.first_queued.get_or_insert(self.last_queued);
        self.queued.push(call);
    }

    async fn submit_due(&mut self) -> Result<(), LlmError> {
        if self.submission_due().is_none_or(|due| due > Instant::now()) {
            return Ok(());
        }
        self.first_queued = None;
        let mut groups: Vec<(BatchTarget, Vec<Vec<QueuedCall>>)> = Vec::new();
        // Nobody waits for the calls of a run that was cancelled.
        for call in self.queued.drain(..).filter(|call| !call.reply.is_closed()) {
            let target = BatchTarget::of(&call);
            let position = groups.iter().position(|(of, _)| *of == target);
            let parts = match position.and_then(|position| groups.get_mut(position)) {
                Some((_, parts)) => parts,
                None => &mut groups.push_mut((target, Vec::new())).1,
            };
            let is_full = |part: &Vec<QueuedCall>| {
                let bytes: usize = part.iter().map(|one| one.request.body().len()).sum();
                part.len() >= MOST_CALLS || bytes + call.request.body().len() > MOST_BYTES
            };
            match parts.last_mut().filter(|part| !is_full(part)) {
                Some(part) => part.push(call),
                None => parts.push(vec![call]),
            }
        }
        for calls in groups.into_iter().flat_map(|(_, parts)| parts) {
            self.submit(calls).await?;
        }
        Ok(())
    }

    /// Submits one batch. Its calls are on record before anything is sent, and its id before it is polled.
    async fn submit(&mut self, calls: Vec<QueuedCall>) -> Result<(), LlmError> {
        let Some((provider, endpoint)) = target(calls.first()) else {
            return Ok(());
        };
        let Some(api) = provider.batch() else {
            let refused = LlmError::NoBatch {
                provider: provider.id().to_owned(),
            };
            return fail_all(calls, 501, &refused.to_string());
        };
        let Some((batch, bodies, hold)) = self.recorded(calls, provider, &endpoint).await? else {
            return Ok(());
        };
        let token = batch.record.token.clone();
        self.open.push(batch);
        let at = self.open.len() - 1;
        let sent = hold
            .during(self.ledger, self.send_batch(at, api, &endpoint, &bodies, &hold))
            .await;
        match sent {
            Ok((id, adopted)) => {
                self.found(at, id, adopted).await?;
                if let Some(batch) = self.open.get_mut(at) {
                    batch.report(&self.rules, 0);
                }
            }
            Err(NotSubmitted::Failed(reply)) => {
                let batch = self.open.remove(at);
                record::forget(self.ledger, &token).await?;
                answer_all(batch.waiting, &reply);
            }
            // It stays on record, and the next call that was part of it looks for it again.
            Err(NotSubmitted::Unknown(reply)) => {
                let waiting = self.open.get_mut(at).map(|batch| std::mem::take(&mut batch.waiting));
                answer_all(waiting.unwrap_or_default(), &reply);
            }
            Err(NotSubmitted::Taken) => {
                let batch = self.open.remove(at);
                for call in batch.waiting.into_values().flatten() {
                    self.queue(call);
                }
            }
        }
        Ok(hold.release(self.ledger).await?)
    }

    /// Records a batch of these calls before it is submitted. `None` if no call is left, because other processes submitted them.
    async fn recorded(
        &mut self,
        mut calls: Vec<QueuedCall>,
        provider: &'static dyn Provider,
        endpoint: &Endpoint,
    ) -> Result<Option<(OpenBatch, Vec<BatchCall>, Hold)>, LlmError> {
        loop {
            self.refresh().await?;
            calls = calls.into_iter().filter_map(|call| self.place(call)).collect();
            // The same call of two runs is one call of the batch, with the lower limit if they differ.
            let mut once: BTreeMap<&str, &Request> = BTreeMap::new();
            for call in &calls {
                let request = once.entry(&call.key).or_insert(&call.request);
                if call.request.is_limited() {
                    *request = &call.request;
                }
            }
            let limited = once.iter().filter(|(_, request)| request.is_limited());
            let limited: Vec<String> = limited.map(|(key, _)| (*key).to_owned()).collect();
            let bodies: Vec<BatchCall> = once
                .into_iter()
                .map(|(key, request)| BatchCall {
                    key: key.to_owned(),
                    body: serde_json::from_slice(request.body()).unwrap_or_default(),
                })
                .collect();
            if bodies.is_empty() {
                return Ok(None);
            }
            let keys: Vec<String> = bodies.iter().map(|call| call.key.clone()).collect();
            let submitted = (self.rules.clock)();
            let record = SubmittedBatch {
                token: SubmittedBatch::token(&keys, submitted),
                provider: provider.id().to_owned(),
                base: endpoint.base.clone(),
                id: None,
                submitted,
                keys,
                limited,
                adopted: false,
                foreign: Vec::new(),
            };
            let hold = record::hold(self.ledger, &record.token).await?;
            let is_new = hold.is_some() && record::add(self.ledger, &record).await?;
            match (hold, is_new) {
                (Some(hold), true) => {
                    // Whoever collected a call did so before its batch left the list, in which it was not.
                    let collected = record::all_collected(self.ledger, &record.keys).await?;
                    if !collected.is_empty() {
                        record::forget(self.ledger, &record.token).await?;
                        hold.release(self.ledger).await?;
                        calls = answer_from(calls, &collected);
                        continue;
                    }
                    let mut batch = OpenBatch::new(record, Instant::now() + self.first_pause(), self.first_pause());
                    for call in calls {
                        batch.waiting.entry(call.key.clone()).or_default().push(call);
                    }
                    return Ok(Some((batch, bodies, hold)));
                }
                // Another process has recorded one of the calls meanwhile.
                (Some(hold), false) => hold.release(self.ledger).await?,
                (None, _) => tokio::time::sleep(record::LOOK_EVERY).await,
            }
        }
    }

    /// Records the provider's id of a batch.
    async fn found(&mut self, at: usize, id: String, adopted: bool) -> Result<(), LlmError> {
        let Some(batch) = self.open.get_mut(at) else {
            return Ok(());
        };
        batch.record.id = Some(id);
        batch.record.adopted = adopted;
        Ok(record::replace(self.ledger, &batch.record).await?)
    }

    /// Uploads and submits. Returns the provider's id of the batch, and whether only its results can show that it is ours.
    async fn send_batch(
        &self,
        at: usize,
        api: &dyn BatchApi,
        endpoint: &Endpoint,
        bodies: &[BatchCall],
        hold: &Hold,
    ) -> Result<(String, bool), NotSubmitted> {
        let internal = |error: LlmError| NotSubmitted::Failed(failure(503, &error.to_string()));
        let file = match api.upload(endpoint, bodies).map_err(internal)? {
            None => None,
            Some(request) => {
                let body = self.exchange(request).await.map_err(NotSubmitted::Failed)?;
                Some(file_id(&body).map_err(NotSubmitted::Failed)?)
            }
        };
        let Some(batch) = self.open.get(at) else {
            return Err(NotSubmitted::Failed(failure(503, "the batch is not on record")));
        };
        let mut last = failure(503, "the batch was not submitted");
        for _ in 0..TRIES {
            let request = api
                .submit(endpoint, bodies, file.as_deref(), &batch.record.token)
                .map_err(internal)?;
            if !hold
                .is_held(self.ledger)
                .await
                .map_err(|error| internal(error.into()))?
            {
                return Err(NotSubmitted::Taken);
            }
            // A second try could submit a second batch.
            match self.exchange(request.tries(1)).await {
                Ok(body) => match api.read_status(&body) {
                    Some(status) => return Ok((status.id, false)),
                    None => last = failure(502, "the response to the submission cannot be read"),
                },
                Err(reply) if !is_passing(reply.status) => return Err(NotSubmitted::Failed(reply)),
                Err(reply) => last = reply,
            }
            // The batch may have been submitted although the response was lost.
            match self.find(&batch.record, api, endpoint).await {
                Ok(Some(id)) => return Ok((id, !api.stores_mark())),
                Ok(None) => {}
                // Without the list it is not known, so it must not be submitted again.
                Err(reply) => return Err(NotSubmitted::Unknown(reply)),
            }
        }
        Err(NotSubmitted::Failed(last))
    }

    /// Looks for a submission among the account's latest batches.
    async fn find(
        &self,
        record: &SubmittedBatch,
        api: &dyn BatchApi,
        endpoint: &Endpoint,
    ) -> Result<Option<String>, Reply> {
        let known: Vec<&str> = self.open.iter().filter_map(|one| one.record.id.as_deref()).collect();
        let mut before = None;
        for _ in 0..MOST_PAGES {
            let request = api.list(endpoint, before.as_deref());
            let request = request.map_err(|error| failure(503, &error.to_string()))?;
            let body = self.exchange(request).await?;
            let page: Value =
                serde_json::from_slice(&body).map_err(|_| failure(502, "the list of batches cannot be read"))?;
            let listed = page
                .get("data")
                .and_then(Value::as_array)
                .map(Vec::as_slice)
                .unwrap_or_default();
            let id_of = |one: &Value| one.get("id").and_then(Value::as_str).map(str::to_owned);
            let found = listed
                .iter()
                .filter(|one| api.may_be(one, record))
                .filter_map(id_of)
                .find(|id| !known.contains(&id.as_str()) && !record.foreign.contains(id));
            let has_more = page.get("has_more").and_then(Value::as_bool).unwrap_or_default();
            let last = listed.last().filter(|last| has_more && !api.is_earlier(last, record));
            let last = last.and_then(id_of).filter(|id| is_plain_id(id));
            match (found, last) {
                (Some(found), _) => return Ok(Some(found)),
                (None, None) => return Ok(None),
                (None, last) => before = last,
            }
        }
        Err(failure(503, "the account has too many batches to look for this one"))
    }

    async fn poll_due(&mut self) -> Result<(), LlmError> {
        let now = Instant::now();
        let mut at = 0;
        while let Some(batch) = self.open.get_mut(at) {
            // Nobody waits for the calls of a run that was cancelled.
            batch.waiting.retain(|_, calls| {
                calls.retain(|call| !call.reply.is_closed());
                !calls.is_empty()
            });
            if !batch.waiting.is_empty() && batch.next <= now && self.poll(at).await? {
                continue;
            }
            at += 1;
        }
        Ok(())
    }

    /// Polls one batch. `true` if it was removed from the open batches.
    async fn poll(&mut self, at: usize) -> Result<bool, LlmError> {
        let Some(batch) = self.open.get_mut(at) else {
            return Ok(false);
        };
        let Some((provider, endpoint)) = target(batch.waiting.values().flatten().next()) else {
            return Ok(false);
        };
        let Some(api) = provider.batch() else {
            return self.give_back(at, "the provider has no batch endpoint").await;
        };
        batch.pause = (batch.pause * 3 / 2).min(LONGEST_PAUSE);
        batch.next = Instant::now() + batch.pause;
        let record = batch.record.clone();
        let Some(id) = record.id.clone() else {
            return self.find_submitted(at, &record.token, api, &endpoint).await;
        };
        let status = match self.exchange(api.status(&endpoint, &id)?).await {
            Ok(body) => match api.read_status(&body) {
                Some(status) => status,
                None => return self.poll_failed(at, failure(502, "the status cannot be read")).await,
            },
            // The provider has deleted it.
            Err(reply) if reply.status == 404 => {
                return self.give_back(at, "the provider does not know the batch").await;
            }
            Err(reply) => return self.poll_failed(at, reply).await,
        };
        if let Some(batch) = self.open.get_mut(at) {
            batch.failed_polls = 0;
            batch.report(&self.rules, status.done);
        }
        if !status.has_ended {
            return Ok(false);
        }
        match self.collect(at, provider, api, &endpoint, &status).await? {
            Ok(is_over) => Ok(is_over),
            Err(reply) => self.poll_failed(at, reply).await,
        }
    }

    /// Looks for a batch of which no id is on record. `true` if there is none.
    async fn find_submitted(
        &mut self,
        at: usize,
        token: &str,
        api: &dyn BatchApi,
        endpoint: &Endpoint,
    ) -> Result<bool, LlmError> {
        let Some(hold) = record::hold(self.ledger, token).await? else {
            // Another process is submitting it.
            return Ok(false);
        };
        let listed = record::submitted(self.ledger).await?;
        let Some(record) = listed.into_iter().find(|record| record.token == token) else {
            hold.release(self.ledger).await?;
            return self.give_back(at, "another process has collected the batch").await;
        };
        if record.id.is_some() {
            if let Some(batch) = self.open.get_mut(at) {
                batch.record = record;
            }
            hold.release(self.ledger).await?;
            return Ok(false);
        }
        // That process was stopped between the submission and its response.
        let found = hold.during(self.ledger, self.find(&record, api, endpoint)).await;
        if !hold.is_held(self.ledger).await? {
            return Ok(false);
        }
        let is_over = match found {
            Ok(Some(id)) => {
                self.found(at, id, !api.stores_mark()).await?;
                if let Some(batch) = self.open.get_mut(at) {
                    batch.next = Instant::now();
                }
                false
            }
            Ok(None) => self.give_back(at, "the batch was not submitted").await?,
            Err(reply) => self.poll_failed(at, reply).await?,
        };
        hold.release(self.ledger).await?;
        Ok(is_over)
    }

    /// Downloads the results of an ended batch, records them and answers the calls. `false` if it is not ours: the list is searched again then.
    async fn collect(
        &mut self,
        at: usize,
        provider: &'static dyn Provider,
        api: &dyn BatchApi,
        endpoint: &Endpoint,
        status: &BatchStatus,
    ) -> Result<Result<bool, Reply>, LlmError> {
        let mut entries: HashMap<String, BatchEntry> = HashMap::new();
        for request in api.results(endpoint, status)? {
            let body = match self.exchange(request.at_most(RESULTS)).await {
                Ok(body) => body,
                Err(reply) => return Ok(Err(reply)),
            };
            let lines = body.split(|byte| *byte == b'\n');
            let lines = lines.filter_map(|line| serde_json::from_slice::<Value>(line).ok());
            entries.extend(lines.filter_map(|line| api.read_result(&line)));
        }
        let Some(batch) = self.open.get_mut(at) else {
            return Ok(Ok(true));
        };
        if batch.record.adopted && !batch.record.keys.iter().any(|key| entries.contains_key(key)) {
            batch.record.foreign.extend(batch.record.id.take());
            batch.next = Instant::now();
            record::replace(self.ledger, &batch.record).await?;
            return Ok(Ok(false));
        }
        // An answer that only the rest of a budget cut off is not the answer to the whole call.
        let limited: HashSet<&String> = batch.record.limited.iter().collect();
        let is_cut =
            |key: &String, status: u16, body: &[u8]| limited.contains(key) && is_cut_off(provider, status, body);
        let mut cut: HashSet<String> = HashSet::new();
        for key in &batch.record.keys {
            match entries.get(key) {
                Some(BatchEntry::Answered(status, body)) if is_cut(key, *status, body) => {
                    cut.insert(key.clone());
                }
                Some(BatchEntry::Answered(status, body)) if is_lasting(provider, *status, body) => {
                    record::keep_collected(self.ledger, key, *status, body).await?;
                }
                _ => {}
            }
        }
        let batch = self.open.remove(at);
        record::forget(self.ledger, &batch.record.token).await?;
        let missing = status.rejected.as_deref().unwrap_or("no result for this call");
        for (key, mut calls) in batch.waiting {
            if cut.contains(&key) {
                // A call with its full limit is submitted again.
                let whole: Vec<QueuedCall> = calls.extract_if(.., |call| !call.request.is_limited()).collect();
                whole.into_iter().for_each(|call| self.queue(call));
            }
            match entries.remove(&key) {
                Some(BatchEntry::Answered(status, body)) if !is_passing(status) => {
                    for call in calls {
                        answer(call, status, body.clone(), true);
                    }
                }
                Some(BatchEntry::Answered(status, body)) => self.again(calls, status, &body),
                Some(BatchEntry::NotDone(why)) => self.again(calls, 504, failure(504, &why).body.as_slice()),
                None => self.again(calls, 504, failure(504, missing).body.as_slice()),
            }
        }
        Ok(Ok(true))
    }

    /// Queues calls that were not processed for the next batch. Those that were part of several already get the failure.
    fn again(&mut self, calls: Vec<QueuedCall>, status: u16, body: &[u8]) {
        for mut call in calls {
            call.tries += 1;
            match call.tries < TRIES {
                true => self.queue(call),
                false => answer(call, status, body.to_vec(), true),
            }
        }
    }

    /// Removes a batch that does not exist. Its calls are queued again.
    async fn give_back(&mut self, at: usize, why: &str) -> Result<bool, LlmError> {
        let batch = self.open.remove(at);
        record::forget(self.ledger, &batch.record.token).await?;
        let body = failure(504, why).body;
        self.again(batch.waiting.into_values().flatten().collect(), 504, &body);
        Ok(true)
    }

    /// Counts a poll without a status. After many in a row, or one that no further poll would change, the calls fail; the batch stays on record.
    async fn poll_failed(&mut self, at: usize, reply: Reply) -> Result<bool, LlmError> {
        if let Some(batch) = self.open.get_mut(at) {
            batch.failed_polls += 1;
            if batch.failed_polls >= FAILED_POLLS || !is_passing(reply.status) {
                for call in std::mem::take(&mut batch.waiting).into_values().flatten() {
                    answer(call, reply.status, reply.body.clone(), false);
                }
            }
        }
        Ok(false)
    }

    /// Sends a request to the batch endpoint. The body of a successful response, or the failure as a reply to the calls.
    async fn exchange(&self, request: Request) -> Result<Vec<u8>, Reply> {
        match self.gateway.send(&request).await {
            Ok(response) if response.is_success() => Ok(response.body),
            Ok(Response { status, body, .. }) => Err(Reply {
                status,
                body,
                is_own: false,
            }),
            Err(error @ (HttpError::NotAllowed { .. } | HttpError::TlsFailed { .. })) => {
                Err(failure(403, &error.to_string()))
            }
            Err(error) => Err(failure(503, &error.to_string())),
        }
    }

    fn first_pause(&self) -> Duration {
        self.rules.collect.min(FIRST_PAUSE)
    }
}

impl OpenBatch {
    fn new(record: SubmittedBatch, next: Instant, pause: Duration) -> Self {
        Self {
            keys: record.keys.iter().cloned().collect(),
            record,
            waiting: HashMap::new(),
            next,
            pause,
            failed_polls: 0,
            reported: None,
        }
    }

    fn report(&mut self, rules: &BatchRules, done: u64) {
        if self.reported.replace(done) == Some(done) {
            return;
        }
        let (calls, time) = (self.record.keys.len(), self.record.time());
        let calls = match calls {
            1 => "1 call".to_owned(),
            calls => format!("{calls} calls"),
        };
        (rules.notice)(&format!(
            "waiting for the provider's batch: {calls}, submitted {time}, {done} done"
        ));
    }
}

/// What the calls of a batch have in common. Its headers are those of its calls.
#[derive(PartialEq)]
struct BatchTarget {
    provider: &'static str,
    base: String,
    key: Option<Secret>,
    model: String,
    query: BTreeMap<String, String>,
    headers: BTreeMap<String, String>,
    secret_headers: BTreeMap<String, Secret>,
}

impl BatchTarget {
    fn of(call: &QueuedCall) -> Self {
        let (endpoint, options) = (&call.endpoint, &call.endpoint.options);
        Self {
            provider: call.provider.id(),
            base: endpoint.base.clone(),
            key: endpoint.key.clone(),
            model: endpoint.model.clone(),
            query: options.query.clone(),
            headers: options.headers.clone(),
            secret_headers: options.secret_headers.clone(),
        }
    }
}

/// Where a call goes.
fn target(call: Option<&QueuedCall>) -> Option<(&'static dyn Provider, Endpoint)> {
    call.map(|call| (call.provider, call.endpoint.clone()))
}

/// Whoever waited may have been cancelled meanwhile.
fn answer(call: QueuedCall, status: u16, body: Vec<u8>, is_own: bool) {
    let _ = call.reply.send(Reply { status, body, is_own });
}

/// Answers the calls with these keys, and returns the others.
fn answer_from(calls: Vec<QueuedCall>, collected: &HashMap<String, (u16, Vec<u8>)>) -> Vec<QueuedCall> {
    let mut left = Vec::new();
    for call in calls {
        match collected.get(&call.key) {
            Some((status, body)) => answer(call, *status, body.clone(), true),
            None => left.push(call),
        }
    }
    left
}

fn answer_all(waiting: HashMap<String, Vec<QueuedCall>>, reply: &Reply) {
    for call in waiting.into_values().flatten() {
        answer(call, reply.status, reply.body.clone(), false);
    }
}

fn fail_all(calls: Vec<QueuedCall>, status: u16, why: &str) -> Result<(), LlmError> {
    for call in calls {
        answer(call, status, failure(status, why).body, false);
    }
    Ok(())
}

/// A failure in the form of an error response, which every provider's parser reads.
fn failure(status: u16, why: &str) -> Reply {
    Reply {
        status,
        body: json!({"error": {"type": "batch", "message": why}})
            .to_string()
            .into_bytes(),
        is_own: false,
    }
}

/// The id in the response to an upload.
fn file_id(body: &[u8]) -> Result<String, Reply> {
    let value: Value = serde_json::from_slice(body).unwrap_or_default();
    let id = value.get("id").and_then(Value::as_str);
    id.map(str::to_owned)
        .ok_or_else(|| failure(502, "the response to the upload cannot be read"))
}

/// Whether the same call may succeed later.
fn is_passing(status: u16) -> bool {
    matches!(status, 408 | 425 | 429 | 500..)
}

/// Whether an answer is kept for later calls: the same call would get the same again.
fn is_lasting(provider: &dyn Provider, status: u16, body: &[u8]) -> bool {
    match read_body(provider, status, body) {
        Ok(completion) => !completion.is_unfinished(),
        Err(error) => matches!(error, LlmError::Refused { .. }),
    }
}

/// Whether the answer reached the call's output limit.
fn is_cut_off(provider: &dyn Provider, status: u16, body: &[u8]) -> bool {
    read_body(provider, status, body).is_ok_and(|completion| completion.finish == Finish::CutOff)
}
