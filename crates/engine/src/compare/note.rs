use precedent_domain::Extent;

use super::evidence::Anchor;
use super::passages::Passage;
use super::word_agreement::{Agreement, FEWEST_TERMS};
use crate::compare::PriorReading;
use crate::compare::coverage::NEAR;

/// Input for the note.
pub(super) struct Facts<'a> {
    pub(super) claim: &'a Anchor,
    pub(super) prior: &'a PriorReading<'a>,
    /// The passage shown first.
    pub(super) best: Option<&'a Passage>,
    /// The passage that was compared word for word.
    pub(super) nearest: Option<&'a Passage>,
    pub(super) agreement: &'a Agreement,
    pub(super) missing: &'a [String],
    pub(super) near: bool,
}

/// States the facts behind the status, in one to four sentences.
pub(super) fn note(facts: &Facts<'_>) -> String {
    let substance = &facts.claim.substance;
    let all = substance.core_count();
    let extent = extent_in_words(facts.prior.extent());
    let found = facts.best.map_or(0, |passage| substance.core_found(passage.marks));
    if all < FEWEST_TERMS {
        return few_terms(facts, found, all);
    }
    if facts.prior.extent() == Extent::TitleOnly && *facts.agreement != Agreement::Literal {
        return "Only the candidate's title is available. What else it contains is unknown.".to_owned();
    }
    let Some(passage) = facts.best else {
        return format!("None of the claim's {all} content terms occurs in the candidate's {extent}.");
    };
    let place = place(facts, passage);
    let mut note = match facts.agreement {
        Agreement::Literal => {
            return format!(
                "{} appear together in {place}, in the same order and without a differing number or negation.",
                share_of(found, all)
            );
        }
        Agreement::Near(why) => {
            let place = self::place(facts, facts.nearest.unwrap_or(passage));
            format!("Most of the claim's content terms appear together in {place}, but {why}.")
        }
        Agreement::Apart => format!("The most similar passage is in {place}."),
    };
    if let Some(absent) = absent_terms(facts) {
        note.push(' ');
        note.push_str(&absent);
    }
    if *facts.agreement == Agreement::Apart {
        note.push_str(match (facts.prior.topic_similarity >= NEAR, facts.near) {
            (true, true) => " Its title and abstract are similar to the paper.",
            (true, false) => " Its title and abstract are similar to the paper, but not to this claim.",
            (false, false) => " Its title and abstract are not similar to the paper.",
            (false, true) => "",
        });
    }
    note
}

/// The note for a claim with too few content terms to compare.
fn few_terms(facts: &Facts<'_>, found: usize, all: usize) -> String {
    let extent = extent_in_words(facts.prior.extent());
    let terms = match all {
        0 => "no content term".to_owned(),
        1 => "one content term".to_owned(),
        _ => format!("only {all} content terms"),
    };
    let result = match (facts.best, found) {
        (Some(passage), 1..) => format!("{found} of {all} found in {}", place(facts, passage)),
        _ => format!("None is in the candidate's {extent}"),
    };
    format!("The claim has {terms}, too few to distinguish it from its topic. {result}.")
}

fn share_of(found: usize, all: usize) -> String {
    if found == all {
        format!("All {all} content terms of the claim")
    } else {
        format!("{found} of the claim's {all} content terms")
    }
}

fn extent_in_words(extent: Extent) -> &'static str {
    match extent {
        Extent::FullText => "full text",
        Extent::Abstract => "title and abstract",
        Extent::TitleOnly => "title",
    }
}

fn place(facts: &Facts<'_>, passage: &Passage) -> String {
    let place = facts.prior.reading.document().place(passage.span);
    let section = place.section.map(|section| format!("“{section}”"));
    match (section, place.page) {
        (Some(section), Some(page)) => format!("one passage of {section}, page {page}"),
        (Some(section), None) if section == "“Abstract”" => "its abstract".to_owned(),
        (Some(section), None) => format!("one passage of {section}"),
        (None, None) if facts.prior.extent() != Extent::FullText => "its title".to_owned(),
        (None, Some(page)) => format!("one passage on page {page}"),
        (None, None) => "one passage".to_owned(),
    }
}

/// Terms of the claim that occur nowhere in the compared text.
fn absent_terms(facts: &Facts<'_>) -> Option<String> {
    const MOST: usize = 4;
    let mut shown: Vec<String> = facts
        .missing
        .iter()
        .take(MOST)
        .map(|term| format!("“{term}”"))
        .collect();
    if facts.missing.len() > MOST {
        shown.push(format!("{} more", facts.missing.len() - MOST));
    }
    let (last, before) = shown.split_last()?;
    let list = if before.is_empty() {
        last.clone()
    } else {
        format!("{} and {last}", before.join(", "))
    };
    let verb = if facts.missing.len() == 1 { "occurs" } else { "occur" };
    Some(format!(
        "{list} {verb} nowhere in its {}.",
        extent_in_words(facts.prior.extent())
    ))
}
