//! Fetches the texts of the top records (pages, repositories and full texts, where available) and recognizes the idea itself among them.

use futures_util::future::BoxFuture;
use futures_util::{StreamExt, stream};
use precedent_domain::{
    Document, EvidenceKind, Extent, KnowledgePiece, KnowledgeRole, NotSearched, QuotableDocument, SentRecord,
    SourceReport, Work,
};
use precedent_language::wording::word_count;
use precedent_text::{Edit, Location, sentences};
use serde::{Deserialize, Serialize};

use super::cutoff::may_bear;
use super::material::ReviewOptions;
use super::parts::Subject;
use super::search::{Found, Record};
use crate::retrieve::search::{aliases, document_of, note_failure, reports};
use crate::retrieve::texts::{FullTextOutcome, Tally};
use crate::world::Stage;
use crate::{EngineError, FullTextFetcher, Result, World};

const STAGE: Stage = Stage {
    name: "review.read",
    version: 4,
};
/// Maximum concurrent fetches.
const AT_ONCE: usize = 6;
/// A text is the idea itself if it contains sentences with this share of the idea's words, nearly word for word.
const ITSELF: f64 = 0.85;
/// Sentences with fewer words are too generic to recognize, and ideas with fewer words are not recognized at all.
const SENTENCE_WORDS: usize = 5;
const IDEA_WORDS: usize = 20;
/// Maximum sentences of an idea that are searched for in a text.
const SENTENCES: usize = 60;

/// The evidence, by number, with its texts.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Pieces {
    pub(super) pieces: Vec<KnowledgePiece>,
    pub(super) documents: Vec<Document>,
    pub(super) sources: Vec<SourceReport>,
    pub(super) sent: Vec<SentRecord>,
    pub(super) not_searched: Vec<NotSearched>,
    may_come: bool,
}

/// A record with its text.
struct ReadRecord {
    record: Record,
    document: Document,
    own: bool,
}

/// Reads the top records of each kind until enough are kept, then the later ones.
///
/// # Errors
/// When the ledger fails or what was sent cannot be determined.
pub(super) async fn read(
    subject: &Subject<'_>,
    found: &Found,
    options: &ReviewOptions,
    world: &World,
) -> Result<Pieces> {
    let asked: Vec<(String, Option<String>)> = world
        .sources
        .iter()
        .map(|source| (source.name().to_owned(), source.revision()))
        .collect();
    let input = (
        &subject.idea.document.text,
        (&found.nearest, &found.later, &found.own, &found.texts),
        options.keep,
        asked,
        world.texts.as_ref().map(|texts| texts.key()),
    );
    let failed = |pieces: &Pieces| {
        let elsewhere = world.sources.iter().filter(|source| !source.is_local());
        let names: Vec<&str> = elsewhere.map(|source| source.name()).collect();
        let mut failed = pieces.sources.iter().filter(|report| !report.failures.is_empty());
        failed.any(|report| names.contains(&report.name.as_str()))
    };
    let lasts = |pieces: &Pieces| !pieces.may_come && !failed(pieces);
    world
        .stage_where(STAGE, &input, lasts, compute(subject, found, options, world))
        .await
}

async fn compute(subject: &Subject<'_>, found: &Found, options: &ReviewOptions, world: &World) -> Result<Pieces> {
    let before = sent(world);
    let mut sources = reports(world);
    let mark = IdeaMark::of(subject);
    let mut kept: Vec<ReadRecord> = Vec::new();
    let mut own: Vec<ReadRecord> = Vec::new();
    for kind in EvidenceKind::ALL {
        let mut open: Vec<Record> = found.nearest.iter().filter(|one| one.kind == kind).cloned().collect();
        open.reverse();
        let mut count = 0;
        while count < options.keep && !open.is_empty() {
            let batch: Vec<Record> = std::iter::from_fn(|| open.pop()).take(options.keep - count).collect();
            for (record, document) in texts(batch, found, &mut sources, world).await {
                let own_text = mark.is_in(&document);
                let read = ReadRecord {
                    record,
                    document,
                    own: own_text,
                };
                if own_text {
                    own.push(read);
                } else {
                    count += 1;
                    kept.push(read);
                }
            }
        }
    }
    for (record, document) in texts(found.own.clone(), found, &mut sources, world).await {
        own.push(ReadRecord {
            record,
            document,
            own: true,
        });
    }
    let mut later: Vec<ReadRecord> = Vec::new();
    for (record, document) in texts(found.later.clone(), found, &mut sources, world).await {
        let own = mark.is_in(&document);
        later.push(ReadRecord { record, document, own });
    }
    let mut all: Vec<ReadRecord> = kept.into_iter().chain(own).chain(later).collect();
    let looked_for = whole_texts(&mut all, world).await?;
    // A full text may contain the idea where the record's abstract did not.
    for one in &mut all {
        one.own |= one.document.extent == Extent::FullText && mark.is_in(&one.document);
    }
    all.sort_by_key(|one| (one.record.role == KnowledgeRole::Suggests, one.own));
    let pieces = numbered(&all);
    let mut sent = since(&before, sent(world));
    sent.extend(looked_for.sent);
    Ok(Pieces {
        pieces,
        documents: all.into_iter().map(|one| one.document).collect(),
        sources,
        sent,
        not_searched: looked_for.not_searched,
        may_come: looked_for.may_come,
    })
}

fn numbered(all: &[ReadRecord]) -> Vec<KnowledgePiece> {
    let names = aliases(&all.iter().map(|one| &one.record.work).collect::<Vec<_>>());
    let pieces = (1..).zip(all).zip(names).map(|((number, one), alias)| KnowledgePiece {
        number,
        alias,
        kind: one.record.kind,
        work: Work {
            extent: one.document.extent,
            ..one.record.work.clone()
        },
        timing: one.record.timing,
        role: one.record.role,
        found_by: one.record.found_by(),
        round: one.record.round,
        semantic: one.record.semantic,
        judged: one.record.judged,
        reranked: one.record.reranked.map(|one| one.place),
        score: one.record.score,
        read_whole: one.document.extent == Extent::FullText,
        report: Vec::new(),
        calls: one.document.calls.as_deref().cloned(),
        own: one.own,
    });
    pieces.collect()
}

/// The texts of these records, in the same order. Those that were read between rounds are not requested again.
async fn texts(
    records: Vec<Record>,
    found: &Found,
    sources: &mut [SourceReport],
    world: &World,
) -> Vec<(Record, Document)> {
    let open = records.iter().filter(|one| found.text(one).is_none());
    let mut read = documents(open.cloned().collect(), world).await.into_iter();
    let mut all = Vec::new();
    for record in records {
        if let Some(document) = found.text(&record) {
            all.push((record, document.clone()));
        } else if let Some((record, document, own)) = read.next() {
            note_failures(sources, own);
            all.push((record, document));
        }
    }
    all
}

/// Adds the failures of one record's sources to the reports of all.
pub(super) fn note_failures(all: &mut [SourceReport], own: Vec<SourceReport>) {
    for (report, own) in all.iter_mut().zip(own) {
        own.failures.into_iter().for_each(|reason| note_failure(report, reason));
    }
}

/// The texts that sources have for these records, in the same order, each with the failures of its sources.
pub(super) async fn documents(records: Vec<Record>, world: &World) -> Vec<(Record, Document, Vec<SourceReport>)> {
    let one = |record: Record| -> BoxFuture<'_, (Record, Document, Vec<SourceReport>)> {
        Box::pin(async move {
            let mut own = reports(world);
            let document = document_of(&record.work, &record.members, &mut own, world).await;
            (record, document, own)
        })
    };
    let work: Vec<_> = records.into_iter().map(one).collect();
    stream::iter(work).buffered(AT_ONCE).collect().await
}

/// Result of fetching full texts.
#[derive(Default)]
struct FetchedTexts {
    not_searched: Vec<NotSearched>,
    sent: Vec<SentRecord>,
    may_come: bool,
}

/// Replaces abstracts with full texts where they may be fetched, for papers that may be used to judge the idea.
async fn whole_texts(all: &mut [ReadRecord], world: &World) -> Result<FetchedTexts> {
    let Some(texts) = world.texts.as_ref() else {
        return Ok(FetchedTexts::default());
    };
    let open = |one: &&mut ReadRecord| {
        one.record.kind == EvidenceKind::Literature
            && one.document.extent != Extent::FullText
            && one.record.role != KnowledgeRole::Suggests
            && !one.own
    };
    let mut wanted: Vec<&mut ReadRecord> = all.iter_mut().filter(open).collect();
    let left = wanted.len().saturating_sub(texts.most());
    wanted.truncate(texts.most());
    if wanted.is_empty() {
        return Ok(FetchedTexts::default());
    }
    let works: Vec<Work> = wanted.iter().map(|one| one.record.work.clone()).collect();
    world
        .progress
        .note(&format!("looking for the full texts of {} papers", works.len()));
    let mut tally = Tally::default();
    for (one, had) in wanted.into_iter().zip(texts.fetch_all(&works).await) {
        tally.count(&had);
        if let FullTextOutcome::Text(document) = had {
            one.document = *document;
        }
    }
    let sent = FullTextFetcher::sent(&world.ledger).await;
    Ok(FetchedTexts {
        not_searched: tally.gap(left).into_iter().map(NotSearched::from).collect(),
        sent: sent.map_err(|source| EngineError::Ledger {
            stage: STAGE.name,
            source,
        })?,
        may_come: tally.may_pass(),
    })
}

/// What identifies an idea: its sentences, or those of the abstract for a paper.
struct IdeaMark {
    sentences: Vec<(String, usize)>,
    words: usize,
}

impl IdeaMark {
    fn of(subject: &Subject<'_>) -> Self {
        let text = match subject.paper {
            Some(paper) => paper.abstract_text().unwrap_or_default(),
            None => subject.idea.document.text.as_str(),
        };
        let lengths = sentences(text).into_iter().filter_map(|span| span.slice(text));
        let lengths = lengths.map(|sentence| (sentence.to_owned(), word_count(sentence)));
        let sentences: Vec<(String, usize)> = lengths
            .filter(|(_, words)| *words >= SENTENCE_WORDS)
            .take(SENTENCES)
            .collect();
        Self {
            words: sentences.iter().map(|(_, words)| words).sum(),
            sentences,
        }
    }

    /// Whether the text contains nearly all of the idea, nearly word for word.
    fn is_in(&self, document: &Document) -> bool {
        if self.words < IDEA_WORDS || document.text.is_empty() {
            return false;
        }
        let text = QuotableDocument::new(document.clone());
        let mut lost = 0;
        for (sentence, words) in &self.sentences {
            lost += match text.locate(sentence) {
                // The same text in another version: only the edited words are lost.
                Location::Altered { edits, .. } => edits.iter().map(edited_words).sum::<usize>().min(*words),
                location if location.verified() => 0,
                _ => *words,
            };
            if lost as f64 > (1.0 - ITSELF) * self.words as f64 {
                return false;
            }
        }
        true
    }
}

fn edited_words(edit: &Edit) -> usize {
    word_count(&edit.source).max(word_count(&edit.quote))
}

fn sent(world: &World) -> Vec<SentRecord> {
    world.sources.iter().filter_map(|source| source.sent()).collect()
}

/// What was sent since `before`, by host.
fn since(before: &[SentRecord], after: Vec<SentRecord>) -> Vec<SentRecord> {
    let left = after.into_iter().filter_map(|mut one| {
        if let Some(known) = before.iter().find(|known| known.is_of_the_same_kind(&one)) {
            one.requests = one.requests.saturating_sub(known.requests);
            one.bytes = one.bytes.saturating_sub(known.bytes);
        }
        (one.requests > 0).then_some(one)
    });
    left.collect()
}

impl Pieces {
    /// The pieces that may be used to judge the idea, with their texts.
    pub(super) fn bearing<'p>(
        &'p self,
        texts: &'p [QuotableDocument],
    ) -> impl Iterator<Item = (&'p KnowledgePiece, &'p QuotableDocument)> {
        self.pieces.iter().zip(texts).filter(|(piece, _)| may_bear(piece))
    }
}
