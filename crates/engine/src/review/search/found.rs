use std::collections::{BTreeMap, BTreeSet};

use precedent_domain::{
    EvidenceKind, Gap, Hit, Identity, KnowledgeRole, SearchRound, SentRecord, SetAside, SetAsideReason, SourceReport,
    Timing, Work, WorkId, is_same_work, title_key,
};
use precedent_sources::{MergedHit, fuse, merge_with_later};
use serde::{Deserialize, Serialize};

use super::super::cutoff::CutoffPolicy;
use super::super::parts::Subject;
use super::texts::RecordText;
use crate::retrieve::search::SelfMatcher;

/// Minimum similarity of a record that is kept for being the top result of a statement.
const LEADER: f64 = 0.15;
/// Minimum words of a title by which a page or repository of the paper itself is recognized.
const TITLE: usize = 4;

/// Everything the search found.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Found {
    /// The top records of each kind that may be used to judge the idea, best first. More than are kept: one may turn out to be the idea itself.
    pub(crate) nearest: Vec<Record>,
    /// The top records among those that are certainly later, best first.
    pub(crate) later: Vec<Record>,
    /// Pages and repositories of the paper itself.
    pub(crate) own: Vec<Record>,
    pub(crate) rounds: Vec<SearchRound>,
    /// Records beyond the limit for judging, by kind.
    pub(crate) beyond: BTreeMap<EvidenceKind, usize>,
    /// Records without a title.
    pub(crate) without_text: usize,
    pub(crate) set_aside: Vec<SetAside>,
    pub(crate) sources: Vec<SourceReport>,
    pub(crate) sent: Vec<SentRecord>,
    pub(crate) semantic_by: String,
    /// Why the embedding model failed.
    pub(crate) failed: Option<Gap>,
    /// The reranker that ordered the candidates, if it did not fail.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) reranker: Option<String>,
    /// Why the reranker failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) reranker_failed: Option<Gap>,
    /// Records that the model should have judged but did not.
    pub(crate) unjudged: usize,
    /// Records that the model did not have to judge, because enough records before them are fully relevant.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub(crate) spared: usize,
    /// Texts that were read between rounds.
    #[serde(default)]
    pub(crate) texts: Vec<RecordText>,
}

/// A record that was found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Record {
    pub(crate) kind: EvidenceKind,
    pub(crate) work: Work,
    /// Source and id of each of its records, sorted.
    pub(crate) members: Vec<(String, WorkId)>,
    pub(crate) timing: Timing,
    pub(crate) role: KnowledgeRole,
    /// The round that found it first.
    pub(crate) round: u32,
    pub(crate) semantic: f64,
    pub(crate) judged: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) reranked: Option<Reranked>,
    pub(crate) score: f64,
    /// Whether it was the top result when a local source was searched for a single statement of the idea.
    #[serde(default)]
    pub(crate) leads: bool,
}

/// What a reranker says about a record.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(crate) struct Reranked {
    /// Its place among the candidates of its kind, from 1.
    pub(crate) place: u32,
    /// The similarity that it counts with: the n-th highest of the candidates for place n.
    pub(crate) similarity: f64,
}

impl Record {
    /// Names of the sources that found it, each once.
    pub(crate) fn found_by(&self) -> Vec<String> {
        let names: BTreeSet<&String> = self.members.iter().map(|(source, _)| source).collect();
        names.into_iter().cloned().collect()
    }
}

/// Search results by kind and round.
#[derive(Debug, Default)]
pub(super) struct FoundDocuments {
    rankings: BTreeMap<EvidenceKind, Vec<Vec<Hit>>>,
    /// Records dated after the idea, for comparing dates.
    later: BTreeMap<EvidenceKind, Vec<Hit>>,
    /// The round that first found each record.
    first: BTreeMap<(String, WorkId), u32>,
    /// The first short query that found each record.
    queries: BTreeMap<(String, WorkId), String>,
    /// Records that were the top result for a single statement.
    leading: BTreeSet<(String, WorkId)>,
}

/// Records sorted by use.
#[derive(Debug, Default)]
pub(super) struct Sorted {
    /// Records that may be used to judge the idea, in no particular order.
    pub(super) open: Vec<Record>,
    /// Records that are certainly later.
    pub(super) later: Vec<Record>,
    pub(super) own: Vec<Record>,
    pub(super) set_aside: Vec<SetAside>,
    pub(super) without_text: usize,
}

impl FoundDocuments {
    /// Adds one ranking.
    pub(super) fn take(&mut self, kind: EvidenceKind, round: u32, hits: Vec<Hit>) {
        for hit in &hits {
            let known = (hit.source.clone(), hit.work.id.clone());
            self.first.entry(known).or_insert(round);
        }
        self.rankings.entry(kind).or_default().push(hits);
    }

    /// Adds records dated after the idea, which are in no ranking.
    pub(super) fn take_later(&mut self, kind: EvidenceKind, hits: Vec<Hit>) {
        self.later.entry(kind).or_default().extend(hits);
    }

    /// Notes the records that a short query found.
    pub(super) fn note_query(&mut self, query: &str, hits: &[Hit]) {
        for hit in hits {
            let found = (hit.source.clone(), hit.work.id.clone());
            self.queries.entry(found).or_insert_with(|| query.to_owned());
        }
    }

    /// A short query that found the record; `None` if only texts of the idea found it.
    pub(super) fn query_of(&self, record: &Record) -> Option<&str> {
        let found = record.members.iter().find_map(|member| self.queries.get(member));
        found.map(String::as_str)
    }

    /// Whether a record was found before.
    pub(super) fn knows(&self, hit: &Hit) -> bool {
        self.first.contains_key(&(hit.source.clone(), hit.work.id.clone()))
    }

    /// Notes the top result for a single statement.
    pub(super) fn lead(&mut self, first: Option<&Hit>) {
        self.leading
            .extend(first.map(|hit| (hit.source.clone(), hit.work.id.clone())));
    }

    /// Merges the records of each work, excludes the idea's own records and duplicates, and separates later records.
    pub(super) fn sorted(&self, subject: &Subject<'_>, cutoff: &CutoffPolicy<'_>) -> Sorted {
        let itself = subject.paper.map(SelfMatcher::new);
        let own_title = subject.paper.and_then(|paper| paper.title.as_deref()).map(title_key);
        let own_title = own_title.filter(|title| title.split(' ').count() >= TITLE);
        let mut sorted = Sorted::default();
        let mut papers: Vec<Work> = Vec::new();
        for (kind, rankings) in &self.rankings {
            let later = self.later.get(kind).map(Vec::as_slice).unwrap_or_default();
            for mut merged in merge_with_later(fuse(rankings), later) {
                cutoff.doubt_date(&mut merged.work);
                let record = self.record(*kind, merged, cutoff);
                let work = &record.work;
                if *kind == EvidenceKind::Literature {
                    papers.push(work.clone());
                }
                if work.title.trim().is_empty() {
                    sorted.without_text += 1;
                    continue;
                }
                if itself.as_ref().is_some_and(|itself| itself.is(work)) {
                    sorted.set_aside.push(aside(work, SetAsideReason::SameWork, None));
                } else if *kind != EvidenceKind::Literature
                    && own_title
                        .as_ref()
                        .is_some_and(|own| title_key(&work.title).contains(own))
                {
                    sorted.own.push(record);
                } else if let Some(same) = papers.iter().find(|one| is_page_of(work, one, *kind)) {
                    sorted
                        .set_aside
                        .push(aside(work, SetAsideReason::Duplicate, Some(same.id.clone())));
                } else {
                    match record.role {
                        KnowledgeRole::Suggests => sorted.later.push(record),
                        KnowledgeRole::Grounds | KnowledgeRole::Marked => sorted.open.push(record),
                    }
                }
            }
        }
        sorted
    }

    fn record(&self, kind: EvidenceKind, merged: MergedHit, cutoff: &CutoffPolicy<'_>) -> Record {
        let first = merged.members.iter().filter_map(|member| self.first.get(member));
        Record {
            kind,
            timing: cutoff.timing(&merged.work),
            role: cutoff.role(&merged.work),
            round: first.min().copied().unwrap_or(1),
            leads: merged.members.iter().any(|member| self.leading.contains(member)),
            work: merged.work,
            members: merged.members,
            semantic: 0.0,
            judged: None,
            reranked: None,
            score: 0.0,
        }
    }
}

/// Whether a page belongs to a paper that was also found as a paper.
fn is_page_of(work: &Work, paper: &Work, kind: EvidenceKind) -> bool {
    let one_address = work.url.is_some() && work.url == paper.url;
    kind == EvidenceKind::Web
        && (one_address
            || work.identifiers.agree(&paper.identifiers)
            || !work.authors.is_empty() && is_same_work(Identity::from(work), Identity::from(paper)))
}

/// The exclusion entry of a record.
pub(super) fn aside(work: &Work, reason: SetAsideReason, same: Option<WorkId>) -> SetAside {
    SetAside {
        id: work.id.clone(),
        date: work.earliest().cloned(),
        url: work.url.clone(),
        title: work.title.clone(),
        reason,
        scopes: Vec::new(),
        duplicate_of: same,
    }
}

fn is_zero(count: &usize) -> bool {
    *count == 0
}

/// Sorts by kind, best first; ties are broken by the reranker, if any, and then by id.
pub(super) fn in_order(records: &mut [Record]) {
    let place = |record: &Record| record.reranked.map(|one| one.place);
    records.sort_by(|a, b| {
        let by_kind = a.kind.cmp(&b.kind);
        let by_score = b.score.total_cmp(&a.score);
        let by_place = place(a).cmp(&place(b));
        by_kind
            .then(by_score)
            .then(by_place)
            .then_with(|| a.members.cmp(&b.members))
    });
}

/// Moves top results of statements into the last third of the places of their kind, if they were not judged and would be left out by their own
/// similarity: a record says little about its full text. Records with low similarity are not moved.
pub(super) fn leaders_kept(records: Vec<Record>, keep: usize) -> Vec<Record> {
    let mut all: BTreeMap<EvidenceKind, Vec<Record>> = BTreeMap::new();
    for record in records {
        all.entry(record.kind).or_default().push(record);
    }
    let mut ordered = Vec::new();
    for mut of_kind in all.into_values() {
        let rest = of_kind.split_off(keep.min(of_kind.len()));
        let mut places = keep / 3;
        let (leaders, rest): (Vec<Record>, Vec<Record>) = rest.into_iter().partition(|one| {
            let leads = one.leads && one.judged.is_none() && one.semantic >= LEADER && places > 0;
            places -= usize::from(leads);
            leads
        });
        // A record that is itself a top result keeps its place.
        let (kept, out) = {
            let mut spare = leaders.len();
            let mut out = Vec::new();
            let mut kept = Vec::new();
            for one in of_kind.into_iter().rev() {
                if spare > 0 && !one.leads {
                    spare -= 1;
                    out.push(one);
                } else {
                    kept.push(one);
                }
            }
            kept.reverse();
            out.reverse();
            (kept, out)
        };
        ordered.extend(kept.into_iter().chain(leaders).chain(out).chain(rest));
    }
    ordered
}
