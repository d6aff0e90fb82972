use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use precedent_domain::{Gap, ModelUse, NotSearched, NotSearchedKind, Note};
use serde::{Deserialize, Serialize};

/// Model calls of one stage. Stored with the stage's output, so that a resumed or replayed run reports the same.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Asked {
    /// By prompt and model.
    pub uses: BTreeMap<String, ModelUse>,
    /// Notes in words, which runs of earlier versions stored.
    pub notes: Vec<NoteInWords>,
    /// Notes on the claims, in order.
    #[serde(default)]
    pub facts: Vec<Note>,
    /// What was not judged, in order.
    #[serde(default)]
    pub gaps: Vec<Gap>,
    /// Whether the budget ended before the stage did.
    pub over_budget: bool,
    /// By prompt: requests answered only after their texts were shortened, because the model could not read them whole.
    #[serde(default)]
    pub shortened: BTreeMap<String, u64>,
    /// By prompt: answers that were cut off at the output limit even with more room, and used only in part.
    #[serde(default)]
    pub cut_off: BTreeMap<String, u64>,
    /// By prompt: items that the model left out of its answers, even when it was asked for them again.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub left_out: BTreeMap<String, u64>,
}

/// A note in the report, in words.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NoteInWords {
    /// Section of the report.
    pub kind: NoteKind,
    /// The text.
    pub text: String,
}

/// Section of the report that a [`NoteInWords`] belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NoteKind {
    /// Notes on the claims.
    Extraction,
    /// What was not searched, read or judged.
    NotJudged,
}

/// Model calls of a run: those of the current stage so far, and those of finished stages.
#[derive(Debug, Default)]
pub struct ModelLog {
    current: Mutex<Asked>,
    stages: Mutex<BTreeMap<String, Asked>>,
    over_budget: AtomicBool,
}

impl Asked {
    /// Whether the stage's output is final: the budget did not cut it short, and no call failed that a later run can retry.
    pub(crate) fn is_final(&self) -> bool {
        !self.over_budget && self.uses.values().all(|one| one.retryable == 0)
    }
}

impl ModelLog {
    /// Adds a call to the current stage.
    pub(crate) fn add(&self, use_: ModelUse) {
        let mut current = self.current.lock().unwrap_or_else(PoisonError::into_inner);
        let key = format!("{} {}", use_.prompt, use_.model);
        match current.uses.get_mut(&key) {
            Some(known) => known.add(&use_),
            None => {
                current.uses.insert(key, use_);
            }
        }
    }

    /// Adds a note on the claims to the report. Call this only where the order is the same in every run.
    pub(crate) fn add_note(&self, note: Note) {
        let mut current = self.current.lock().unwrap_or_else(PoisonError::into_inner);
        current.facts.push(note);
    }

    /// Adds a gap to the report. Call this only where the order is the same in every run.
    pub(crate) fn add_gap(&self, gap: Gap) {
        let mut current = self.current.lock().unwrap_or_else(PoisonError::into_inner);
        current.gaps.push(gap);
    }

    /// Counts a request of this prompt that was answered only after its texts were shortened.
    pub(crate) fn shortened(&self, prompt: &str) {
        let mut current = self.current.lock().unwrap_or_else(PoisonError::into_inner);
        *current.shortened.entry(prompt.to_owned()).or_default() += 1;
    }

    /// Counts an answer to this prompt of which only the complete part was used.
    pub(crate) fn cut_off(&self, prompt: &str) {
        let mut current = self.current.lock().unwrap_or_else(PoisonError::into_inner);
        *current.cut_off.entry(prompt.to_owned()).or_default() += 1;
    }

    /// Counts items that the model left out of an answer to this prompt.
    pub(crate) fn left_out(&self, prompt: &str, items: u64) {
        let mut current = self.current.lock().unwrap_or_else(PoisonError::into_inner);
        *current.left_out.entry(prompt.to_owned()).or_default() += items;
    }

    /// Stops all further requests.
    pub(crate) fn end_budget(&self) {
        self.over_budget.store(true, Ordering::SeqCst);
        self.current.lock().unwrap_or_else(PoisonError::into_inner).over_budget = true;
    }

    /// Whether the budget has ended.
    #[must_use]
    pub fn is_over_budget(&self) -> bool {
        self.over_budget.load(Ordering::SeqCst)
    }

    /// Ends the current stage and returns its calls.
    pub(crate) fn close(&self, stage: &str) -> Asked {
        let asked = std::mem::take(&mut *self.current.lock().unwrap_or_else(PoisonError::into_inner));
        self.put(stage, asked.clone());
        asked
    }

    /// Restores the calls of a stage that an earlier process computed.
    pub(crate) fn put(&self, stage: &str, asked: Asked) {
        let mut stages = self.stages.lock().unwrap_or_else(PoisonError::into_inner);
        stages.insert(stage.to_owned(), asked);
    }

    /// The calls of each stage, by its name.
    #[must_use]
    pub fn stages(&self) -> BTreeMap<String, Asked> {
        self.stages.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The calls of the whole run, by prompt and model.
    #[must_use]
    pub fn uses(&self) -> Vec<ModelUse> {
        ModelUse::together(self.stages().into_values().flat_map(|asked| asked.uses.into_values()))
    }

    /// The calls of the whole run, including those of the current stage, by prompt and model.
    pub(crate) fn uses_so_far(&self) -> Vec<ModelUse> {
        let current = self.current.lock().unwrap_or_else(PoisonError::into_inner);
        let current: Vec<ModelUse> = current.uses.values().cloned().collect();
        self.uses().into_iter().chain(current).collect()
    }

    /// By prompt: requests of the whole run answered only after their texts were shortened.
    #[must_use]
    pub fn all_shortened(&self) -> BTreeMap<String, u64> {
        self.summed(|asked| asked.shortened)
    }

    /// By prompt: answers of the whole run of which only the complete part was used.
    #[must_use]
    pub fn all_cut_off(&self) -> BTreeMap<String, u64> {
        self.summed(|asked| asked.cut_off)
    }

    /// By prompt: items of the whole run that the model left out of its answers.
    #[must_use]
    pub fn all_left_out(&self) -> BTreeMap<String, u64> {
        self.summed(|asked| asked.left_out)
    }

    fn summed(&self, of: impl Fn(Asked) -> BTreeMap<String, u64>) -> BTreeMap<String, u64> {
        let mut all: BTreeMap<String, u64> = BTreeMap::new();
        for (prompt, count) in self.stages().into_values().flat_map(of) {
            *all.entry(prompt).or_default() += count;
        }
        all
    }

    /// What was not judged in the whole run, stage by stage. Runs of version 0.1 stored only words.
    pub(crate) fn gaps(&self) -> Vec<NotSearched> {
        let of_stage = |asked: Asked| {
            let gaps = asked.gaps.into_iter().map(NotSearched::from);
            let words = asked.notes.into_iter().filter(|note| note.kind == NoteKind::NotJudged);
            let words = words.map(|note| NotSearched::in_words(NotSearchedKind::NotJudged, note.text));
            gaps.chain(words).collect::<Vec<_>>()
        };
        self.stages().into_values().flat_map(of_stage).collect()
    }

    /// The notes on the claims, stage by stage. Runs of earlier versions stored words.
    #[must_use]
    pub fn notes(&self) -> Vec<Note> {
        let of_stage = |asked: Asked| {
            let words = asked.notes.into_iter().filter(|note| note.kind == NoteKind::Extraction);
            asked
                .facts
                .into_iter()
                .chain(words.map(|note| Note::InWords(note.text)))
        };
        self.stages().into_values().flat_map(of_stage).collect()
    }
}
