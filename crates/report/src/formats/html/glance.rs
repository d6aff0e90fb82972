use super::claims::{Cite, anchor};
use super::passage::Passage;
use crate::plain::{cut_words, one_line};
use crate::view::{Claim, Compared};
use crate::words;

/// Maximum length of a quote on the first screen, in words.
const GLANCE: usize = 38;
/// Maximum length of a note on the first screen, in words.
const NOTE: usize = 22;

/// One of the most relevant papers, for the first screen.
pub(super) struct TopWork {
    pub(super) cite: Cite,
    pub(super) anchor: String,
    pub(super) title: String,
    pub(super) key: &'static str,
    pub(super) label: &'static str,
    pub(super) facts: String,
    /// Estimated probability that the compared text states the claim. Empty in older reports.
    pub(super) percent: String,
    /// The paper's sentence, if it is not the claim itself.
    pub(super) ours: Option<Passage>,
    /// The earlier paper's sentence.
    pub(super) theirs: Option<Passage>,
    /// Shown if there is no sentence.
    pub(super) note: String,
}

impl TopWork {
    /// Converts `compared` for a card.
    pub(super) fn new(claim: &Claim<'_>, compared: &Compared<'_>) -> Self {
        let best = compared.best();
        Self {
            cite: Cite::new(&compared.citation, compared.work.is_some()),
            anchor: anchor(compared.comparison),
            title: compared.title(),
            key: words::status_key_of(compared.comparison),
            label: words::status_of(compared.comparison),
            facts: compared.facts(),
            percent: compared.comparison.probability.map(words::percent).unwrap_or_default(),
            ours: best
                .filter(|pair| !claim.is_said_by(&pair.target))
                .map(|pair| Passage::nearest(&pair.target, GLANCE, pair.candidate.text())),
            theirs: best.map(|pair| Passage::nearest(&pair.candidate, GLANCE, pair.target.text())),
            note: short(&compared.comparison.note),
        }
    }
}

/// Shortens a note for the first screen.
fn short(note: &str) -> String {
    let shown = cut_words(note, NOTE);
    let line = one_line(shown.text);
    if shown.cut {
        format!("{line} …")
    } else {
        line.into_owned()
    }
}
