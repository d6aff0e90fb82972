//! Reads the best records between rounds, so that the next queries build on their texts (InnoEval, 3.1).

use std::collections::BTreeMap;

use precedent_domain::{Document, EvidenceKind, QuotableDocument, SourceReport, WorkId};
use precedent_text::one_line;
use serde::{Deserialize, Serialize};

use super::super::reading;
use super::found::{Found, Record};
use crate::World;
use crate::model::texts::cut;
use crate::retrieve::passages::{Entry, PassageModels, Ranker, passages};

/// Longest passage of a record that later queries are derived from, in characters. Chosen by hand; not measured.
const EXCERPT: usize = 400;

/// The text of a record that was read between rounds.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct RecordText {
    members: Vec<(String, WorkId)>,
    document: Document,
}

impl Found {
    /// The text of a record, if it was read between rounds. A record that more sources have found since is read again.
    pub(crate) fn text(&self, record: &Record) -> Option<&Document> {
        let same = self.texts.iter().find(|one| one.members == record.members);
        same.map(|one| &one.document)
    }
}

/// Reads up to `keep` of the best records of each kind that are not read yet. A text that a source failed to send is not kept, so it is requested again.
pub(super) async fn read_best(found: &mut Found, keep: usize, reports: &mut [SourceReport], world: &World) {
    let mut counts: BTreeMap<EvidenceKind, usize> = BTreeMap::new();
    let best = found.nearest.iter().filter(|record| {
        let count = counts.entry(record.kind).or_default();
        *count += 1;
        *count <= keep
    });
    let open: Vec<Record> = best.filter(|one| found.text(one).is_none()).cloned().collect();
    for (record, document, own) in reading::documents(open, world).await {
        let is_complete = own.iter().all(|report| report.failures.is_empty());
        reading::note_failures(reports, own);
        if is_complete {
            found.texts.push(RecordText {
                members: record.members,
                document,
            });
        }
    }
}

/// The passage of a text that is most similar to `idea`, shortened.
pub(super) fn excerpt(title: &str, document: &Document, idea: &str) -> String {
    let text = QuotableDocument::new(document.clone());
    let shown: Vec<&str> = passages(&text)
        .iter()
        .filter_map(|span| document.slice(*span))
        .collect();
    let entries = shown.iter().map(|text| Entry { title, text }).collect();
    let best = Ranker::new(entries, PassageModels::default()).best(idea, 1);
    let passage = best.first().and_then(|one| shown.get(one.at));
    cut(&one_line(passage.copied().unwrap_or_default()), EXCERPT)
}
