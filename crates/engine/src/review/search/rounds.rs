use std::collections::{BTreeMap, BTreeSet, VecDeque};

use precedent_corpus::terms;
use precedent_domain::{
    AsOf, EvidenceKind, Gap, IdeaPart, KnowledgeQuery, SearchRound, SetAsideReason, SourceReport, Work, WorkId,
};
use precedent_language::wording::word_count;

use super::super::cutoff::CutoffPolicy;
use super::super::material::ReviewOptions;
use super::super::model::{self, JUDGED_AT_ONCE};
use super::super::parts::Subject;
use super::super::queries::{Field, first, refined, settled};
use super::super::questions::{BearingQuestion, ClosestRecord, QueriesQuestion};
use super::asking::{Round, ask};
use super::found::{Found, FoundDocuments, Record, Sorted, aside, in_order, leaders_kept};
use super::rerank::CandidateReranker;
use super::similarity::{Judged, OWN, STATEMENT_WORDS, Yardstick, judgement, weigh};
use super::texts::{excerpt, read_best};
use crate::retrieve::search::reports;
use crate::world::Stage;
use crate::{EngineError, Result, World};

pub(super) const STAGE: Stage = Stage {
    name: "review.search",
    version: 5,
};
/// Hard limit on rounds, because each round searches every source again.
const MOST_ROUNDS: usize = 8;
/// Maximum words of the idea, or of a part, sent to a local source.
const WHOLE_WORDS: usize = 600;
/// Records of each kind that later queries are derived from, best first.
const NEAREST: usize = 12;

/// Searches for evidence in rounds.
///
/// # Errors
/// When no source answers, the analyst cannot be called, or the ledger fails.
pub(crate) async fn search(
    subject: &Subject<'_>,
    as_of: Option<&AsOf>,
    options: &ReviewOptions,
    world: &World,
) -> Result<Found> {
    let asked: Vec<(String, Option<String>, EvidenceKind)> = world
        .sources
        .iter()
        .map(|source| (source.name().to_owned(), source.revision(), source.kind()))
        .collect();
    let own = subject
        .paper
        .map(|paper| (&paper.origin.sha256, &paper.title, &paper.authors, &paper.identifiers));
    let vectors = options
        .embedder
        .as_ref()
        .map(|(embedder, _)| embedder.name().to_owned());
    let reranker = options.reranker.as_ref().map(|reranker| reranker.name());
    // A search without a reranker has the key that it had before there were any.
    let models = match reranker {
        None => serde_json::json!(vectors),
        Some(reranker) => serde_json::json!({ "embedder": vectors, "reranker": reranker }),
    };
    let input = (
        (&subject.idea, &subject.summary, &subject.coined, &subject.topics, own),
        as_of,
        (
            (options.rounds, options.keep, options.oversample),
            (options.alpha, options.as_published, models),
        ),
        asked,
    );
    let failed = |found: &Found, name: &str| {
        let mut reports = found.sources.iter().filter(|report| report.name == name);
        reports.any(|report| !report.failures.is_empty())
    };
    // Do not cache a search with failures: a failed source may recover.
    let lasts = |found: &Found| {
        let mut elsewhere = world
            .sources
            .iter()
            .filter(|source| source.is_metered() || !source.is_local());
        found.failed.is_none()
            && found.reranker_failed.is_none()
            && !elsewhere.any(|source| failed(found, source.name()))
    };
    let work = compute(subject, as_of, options, world);
    world.stage_where(STAGE, &input, lasts, work).await
}

/// The kinds of evidence that have a source.
pub(crate) fn kinds(world: &World) -> Vec<EvidenceKind> {
    let kinds: BTreeSet<EvidenceKind> = world.sources.iter().map(|source| source.kind()).collect();
    kinds.into_iter().collect()
}

async fn compute(subject: &Subject<'_>, as_of: Option<&AsOf>, options: &ReviewOptions, world: &World) -> Result<Found> {
    let cutoff = CutoffPolicy::new(as_of, subject.paper);
    let mut search = Search {
        subject,
        options,
        world,
        cutoff,
        as_of,
        kinds: kinds(world),
        yardstick: Yardstick::of(subject),
        reranker: CandidateReranker::new(options.reranker.clone(), &subject.summary),
        found_so_far: FoundDocuments::default(),
        reports: reports(world),
        judged: Judged::default(),
        asked: Vec::new(),
        field: Field::default(),
        known: BTreeSet::new(),
        found: Found {
            semantic_by: OWN.to_owned(),
            ..Found::default()
        },
    };
    let rounds = options.rounds.clamp(1, MOST_ROUNDS);
    for (number, left) in (1..).zip((0..rounds).rev()) {
        if !search.round(number).await? {
            break;
        }
        // Only a model derives queries from texts.
        if left > 0 && world.model.is_some() {
            search.read_best().await;
        }
    }
    search.found.sources = search.reports;
    search.found.sent = world.sources.iter().filter_map(|source| source.sent()).collect();
    search.found.sent.extend(search.reranker.sent);
    Ok(search.found)
}

/// State of a search.
struct Search<'a, 's> {
    subject: &'a Subject<'s>,
    options: &'a ReviewOptions,
    world: &'a World,
    cutoff: CutoffPolicy<'a>,
    as_of: Option<&'a AsOf>,
    kinds: Vec<EvidenceKind>,
    yardstick: Yardstick,
    reranker: CandidateReranker,
    found_so_far: FoundDocuments,
    reports: Vec<SourceReport>,
    judged: Judged,
    asked: Vec<KnowledgeQuery>,
    field: Field,
    /// Records found in earlier rounds.
    known: BTreeSet<(String, WorkId)>,
    found: Found,
}

impl Search<'_, '_> {
    /// Runs one round. Returns whether another may find more.
    async fn round(&mut self, number: u32) -> Result<bool> {
        let queries = self.queries(number).await?;
        if queries.is_empty() && number > 1 {
            return Ok(false);
        }
        let texts = if number == 1 {
            own_texts(self.subject)
        } else {
            Vec::new()
        };
        let statements = if number == 1 {
            own_statements(self.subject)
        } else {
            Vec::new()
        };
        let round = Round {
            number,
            queries: &queries,
            texts: &texts,
            statements: &statements,
            as_of: self.as_of.map(|as_of| as_of.date),
        };
        let results = ask(&round, &mut self.found_so_far, &mut self.reports, self.world).await;
        if self
            .reports
            .iter()
            .all(|report| report.answered == 0 && !report.own_text)
        {
            let failures = self.reports.iter().flat_map(|report| report.failures.clone()).collect();
            return Err(EngineError::NothingSearched { failures });
        }
        self.asked.extend(queries.iter().cloned());
        let sorted = self.found_so_far.sorted(self.subject, &self.cutoff);
        let (new, kept) = self.choose(sorted).await?;
        self.world.progress.note(&format!(
            "round {number}: {} queries, {new} new records, {kept} of them in the top results",
            queries.len()
        ));
        self.found.rounds.push(SearchRound {
            number,
            queries,
            results,
            new,
            kept,
        });
        // A round may find new records that are not among the best yet, and whose words lead to better queries.
        Ok(new > 0)
    }

    /// The queries of a round: by rule, or worded by the model.
    async fn queries(&self, number: u32) -> Result<Vec<KnowledgeQuery>> {
        let own = match self.found.rounds.last() {
            None => first(self.subject, &self.kinds),
            Some(before) => {
                let turn = usize::try_from(number).unwrap_or_default();
                refined(self.subject, &before.queries, &self.asked, &self.field, turn)
            }
        };
        let question = QueriesQuestion {
            idea: &self.subject.idea,
            kinds: &self.kinds,
            round: number,
            asked: &self.asked,
            nearest: &self.field.nearest,
            own: settled(own.iter().cloned(), &self.kinds, &self.asked),
        };
        let proposed = match &self.world.model {
            None => question.own,
            Some(model) => model::word_knowledge(model, question).await?,
        };
        // Fill up with the program's own queries if the model gave too few.
        let coined = |query: &KnowledgeQuery| {
            let own = |word: &str| {
                self.subject
                    .coined
                    .iter()
                    .any(|coined| coined.eq_ignore_ascii_case(word))
            };
            query.text.split_whitespace().all(own)
        };
        let all = proposed.into_iter().chain(own).filter(|query| !coined(query));
        Ok(settled(all, &self.kinds, &self.asked))
    }

    /// Selects the top records of everything found so far. Returns the number of new records and how many of those are kept.
    async fn choose(&mut self, mut sorted: Sorted) -> Result<(usize, usize)> {
        let vectors = match self.found.failed.is_some() {
            true => None,
            false => self.options.embedder.clone(),
        };
        for records in [&mut sorted.open, &mut sorted.later, &mut sorted.own] {
            match self.yardstick.measure(records, &vectors).await {
                Ok(()) if vectors.is_some() && !records.is_empty() => {
                    self.found.semantic_by = self
                        .options
                        .embedder
                        .as_ref()
                        .map_or_else(|| OWN.to_owned(), |(embedder, _)| embedder.name().to_owned());
                }
                Ok(()) => {}
                Err(gap) => {
                    if let Gap::RankingModelFailed { model, failure } = &gap {
                        self.world.progress.ranking_model_failed(model, failure);
                    }
                    OWN.clone_into(&mut self.found.semantic_by);
                    self.found.failed = Some(gap);
                }
            }
            records
                .iter_mut()
                .for_each(|record| weigh(record, &Judged::default(), 1.0));
            in_order(records);
        }
        let all = sorted.open.len();
        self.note_field(&sorted.open);
        let most = self.options.keep.saturating_mul(self.options.oversample.max(1));
        let (mut pool, beyond) = first_of_each(leaders_kept(sorted.open, most), most);
        self.rerank(&mut pool).await?;
        self.judge(&mut pool).await?;
        in_order(&mut pool);
        let pool = leaders_kept(pool, self.options.keep);
        let mut kept: BTreeMap<EvidenceKind, usize> = BTreeMap::new();
        let (mut new, mut new_kept) = (0, 0);
        for record in &pool {
            let count = kept.entry(record.kind).or_default();
            *count += 1;
            let fresh = !record.members.iter().any(|member| self.known.contains(member));
            new_kept += usize::from(fresh && *count <= self.options.keep);
        }
        for record in pool.iter().chain(&beyond) {
            new += usize::from(!record.members.iter().any(|member| self.known.contains(member)));
        }
        debug_assert_eq!(all, pool.len() + beyond.len());
        self.remember(pool.iter().chain(&beyond));
        let mut counts: BTreeMap<EvidenceKind, usize> = BTreeMap::new();
        beyond
            .iter()
            .for_each(|record| *counts.entry(record.kind).or_default() += 1);
        let (later, too_late) = first_of_each(sorted.later, self.options.keep);
        sorted
            .set_aside
            .extend(too_late.iter().map(|one| aside(&one.work, SetAsideReason::Later, None)));
        sorted
            .set_aside
            .sort_by(|a, b| a.id.cmp(&b.id).then_with(|| a.title.cmp(&b.title)));
        self.note_nearest(&pool);
        self.found = Found {
            nearest: pool,
            later,
            own: sorted.own,
            beyond: counts,
            without_text: sorted.without_text,
            set_aside: sorted.set_aside,
            ..std::mem::take(&mut self.found)
        };
        Ok((new, new_kept))
    }

    fn remember<'r>(&mut self, records: impl Iterator<Item = &'r Record>) {
        self.known
            .extend(records.flat_map(|record| record.members.iter().cloned()));
    }

    /// Puts the candidates in the order of the reranker, if there is one.
    async fn rerank(&mut self, pool: &mut [Record]) -> Result<()> {
        self.reranker.place(pool, self.world).await?;
        self.found.reranker = self.reranker.name();
        self.found.reranker_failed.clone_from(&self.reranker.failed);
        if self.found.reranker.is_some() {
            pool.iter_mut()
                .for_each(|record| weigh(record, &Judged::default(), 1.0));
            in_order(pool);
        }
        Ok(())
    }

    /// Has the model judge the records that are not judged yet, and sets all scores. In the order of a reranker, it stops when the remaining records could
    /// not be kept any more.
    async fn judge(&mut self, pool: &mut [Record]) -> Result<()> {
        let mut spared = 0;
        if let Some(model) = &self.world.model {
            for kind in &self.kinds {
                let of_kind: Vec<&Record> = pool.iter().filter(|record| record.kind == *kind).collect();
                let open = of_kind
                    .iter()
                    .filter(|record| judgement(record, &self.judged).is_none());
                let mut open: VecDeque<&Record> = open.copied().collect();
                while let Some(first) = open.front().copied() {
                    let next = match self.found.reranker {
                        None => open.len(),
                        Some(_) => match missing(&of_kind, first, &self.judged, self.options.keep) {
                            0 => {
                                let all = open.len();
                                open.retain(|record| record.leads);
                                spared += all - open.len();
                                open.len()
                            }
                            missing => missing.next_multiple_of(JUDGED_AT_ONCE).min(open.len()),
                        },
                    };
                    let now: Vec<&Record> = open.drain(..next).collect();
                    let works: Vec<&Work> = now.iter().map(|record| &record.work).collect();
                    if works.is_empty() {
                        break;
                    }
                    let question = BearingQuestion {
                        idea: &self.subject.idea,
                        kind: *kind,
                        works: &works,
                        as_published: self.options.as_published,
                    };
                    let shares = model::judge_knowledge(model, question).await?;
                    for (record, share) in now.iter().zip(shares) {
                        if let Some(share) = share.filter(|share| (0.0..=1.0).contains(share)) {
                            let members = record.members.iter().cloned();
                            self.judged.extend(members.map(|member| (member, share)));
                        }
                    }
                }
            }
        }
        for record in pool.iter_mut() {
            weigh(record, &self.judged, self.options.alpha);
        }
        let unjudged = pool.iter().filter(|record| record.judged.is_none()).count();
        self.found.unjudged = match self.world.model {
            Some(_) => unjudged.saturating_sub(spared),
            None => 0,
        };
        self.found.spared = spared;
        Ok(())
    }

    /// Counts the records that contain each word.
    fn note_field(&mut self, records: &[Record]) {
        self.field.frequency.clear();
        for record in records {
            let text = format!(
                "{} {}",
                record.work.title,
                record.work.summary.as_deref().unwrap_or_default()
            );
            let words: BTreeSet<String> = terms(&text).into_iter().collect();
            for word in words {
                *self.field.frequency.entry(word).or_default() += 1;
            }
        }
    }

    fn note_nearest(&mut self, pool: &[Record]) {
        self.field.nearest.clear();
        for record in pool {
            let closest = self.field.nearest.entry(record.kind).or_default();
            if closest.len() < NEAREST {
                closest.push(ClosestRecord {
                    title: record.work.title.clone(),
                    score: record.score,
                    query: self.found_so_far.query_of(record).map(str::to_owned),
                    excerpt: String::new(),
                });
            }
        }
    }

    /// Reads the best records, and adds what their texts say to the records that the next queries are derived from.
    async fn read_best(&mut self) {
        read_best(&mut self.found, self.options.keep, &mut self.reports, self.world).await;
        for (kind, closest) in &mut self.field.nearest {
            let of_kind = self.found.nearest.iter().filter(|record| record.kind == *kind);
            for (one, record) in closest.iter_mut().zip(of_kind) {
                if let Some(document) = self.found.text(record) {
                    one.excerpt = excerpt(&record.work.title, document, &self.subject.summary);
                }
            }
        }
    }
}

/// How many more fully relevant records are needed until no record from `first` on can be kept: those before it have at least its similarity, so each
/// has at least the score that a later one can reach. The records must be in the order of the reranker.
fn missing(records: &[&Record], first: &Record, judged: &Judged, keep: usize) -> usize {
    let before = records.iter().take_while(|record| record.members != first.members);
    let full = before.filter(|record| judgement(record, judged).is_some_and(|share| share >= 1.0));
    keep.saturating_sub(full.count())
}

/// Splits off the first `most` of each kind. The records must be sorted.
fn first_of_each(records: Vec<Record>, most: usize) -> (Vec<Record>, Vec<Record>) {
    let mut counts: BTreeMap<EvidenceKind, usize> = BTreeMap::new();
    records.into_iter().partition(|record| {
        let count = counts.entry(record.kind).or_default();
        *count += 1;
        *count <= most
    })
}

/// Each statement on what the idea is and does, as a query for local sources.
fn own_statements(subject: &Subject<'_>) -> Vec<String> {
    let parts = [IdeaPart::BasicIdea, IdeaPart::ResearchQuestion, IdeaPart::Method];
    let statements = subject.idea.statements.iter().filter(|one| parts.contains(&one.part));
    let long = statements.filter(|one| word_count(&one.statement) >= STATEMENT_WORDS);
    long.map(|one| one.statement.clone()).collect()
}

/// The summary, then each part, as queries for local sources.
fn own_texts(subject: &Subject<'_>) -> Vec<String> {
    let first = |text: &str| text.split_whitespace().take(WHOLE_WORDS).collect::<Vec<_>>().join(" ");
    let mut texts = vec![first(&subject.summary)];
    texts.extend(subject.parts().into_iter().map(|part| first(&subject.text_of(part))));
    texts.retain(|text| !text.is_empty());
    texts.dedup();
    texts
}
