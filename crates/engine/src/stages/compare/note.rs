use precedent_domain::{Extent, Span};

use super::claim::{ClaimTerms, TermBits};
use super::evidence::Anchor;
use super::judge::{Agreement, FEWEST_TERMS};
use super::passages::Passage;
use crate::stages::PriorReading;
use crate::stages::coverage::NEAR;
use crate::stages::terms::{TermId, Word, WordKind};

/// The terms of a claim in its own words, split into found and missing. Neighbouring words of the same kind form one entry.
pub(super) fn terms_in_words(substance: &ClaimTerms, claim: &str, marks: TermBits) -> (Vec<String>, Vec<String>) {
    let found = |word: &Word| {
        substance
            .terms()
            .iter()
            .position(|term| term.term == word.term)
            .map(|index| ClaimTerms::has(marks, index))
    };
    let mut found: Vec<Option<bool>> = substance.words.iter().map(found).collect();
    unify_compounds(claim, &substance.words, &mut found);
    let mut groups: Vec<Group> = Vec::new();
    for (word, found) in substance.words.iter().zip(found) {
        let Some(shared) = found else { continue };
        let core = word.kind == WordKind::Substance;
        match groups.last_mut() {
            Some(group) if group.shared == shared && is_joint(claim, group.span.end, word.span.start) => {
                group.span = Span::new(group.span.start, word.span.end);
                group.core |= core;
                group.terms.push(word.term);
            }
            _ => groups.push(Group {
                shared,
                core,
                span: word.span,
                terms: vec![word.term],
            }),
        }
    }
    let mut seen: Vec<TermId> = Vec::new();
    let (mut shared, mut missing) = (Vec::new(), Vec::new());
    for group in groups.into_iter().filter(|group| group.core) {
        if group.terms.iter().all(|term| seen.contains(term)) {
            continue;
        }
        seen.extend(group.terms);
        if let Some(words) = group.span.slice(claim) {
            let list = if group.shared { &mut shared } else { &mut missing };
            list.push(words.split_whitespace().collect::<Vec<_>>().join(" "));
        }
    }
    (shared, missing)
}

/// A hyphenated compound is found as a whole or not at all.
fn unify_compounds(claim: &str, words: &[Word], found: &mut [Option<bool>]) {
    let hyphenated =
        |a: &Word, b: &Word| matches!(claim.get(a.span.end..b.span.start), Some("-" | "\u{2010}" | "\u{2011}"));
    let pairs: Vec<usize> = words
        .windows(2)
        .enumerate()
        .filter(|(_, pair)| matches!(pair, [a, b] if hyphenated(a, b)))
        .map(|(index, _)| index)
        .collect();
    // Forwards, then backwards, so that one missing part marks a longer compound as a whole.
    for &index in pairs.iter().chain(pairs.iter().rev()) {
        if let Some([a, b]) = found.get_mut(index..index + 2)
            && (*a == Some(false) || *b == Some(false))
        {
            (*a, *b) = (Some(false), Some(false));
        }
    }
}

/// Neighbouring words of a claim that are all found or all missing. Generic words count when they are next to a content word.
struct Group {
    shared: bool,
    core: bool,
    span: Span,
    terms: Vec<TermId>,
}

fn is_joint(text: &str, from: usize, to: usize) -> bool {
    matches!(text.get(from..to), Some(" " | "-" | "\n" | "\u{2010}" | "\u{2011}"))
}

/// Input for the note.
pub(super) struct Facts<'a> {
    pub(super) claim: &'a Anchor,
    pub(super) prior: &'a PriorReading<'a>,
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
    let found = facts.nearest.map_or(0, |passage| substance.core_found(passage.marks));
    if all < FEWEST_TERMS {
        return few_terms(facts, found, all);
    }
    if facts.prior.extent() == Extent::TitleOnly && *facts.agreement == Agreement::Apart {
        return format!(
            "Only the candidate's title is available, with {found} of the claim's {all} content terms. What else it contains is unknown."
        );
    }
    let mut note = match (facts.agreement, facts.nearest) {
        (_, None) => format!("None of the claim's {all} content terms occurs in the candidate's {extent}."),
        (Agreement::Literal, Some(passage)) => format!(
            "{} appear together in {}, in the same order and without a differing number or negation.",
            share_of(found, all),
            place(facts, passage)
        ),
        (Agreement::Near(why), Some(passage)) => {
            format!(
                "{} appear together in {}, but {why}.",
                share_of(found, all),
                place(facts, passage)
            )
        }
        (Agreement::Apart, Some(_)) if found < 2 => {
            format!("No passage of the candidate's {extent} has more than one of the claim's {all} content terms.")
        }
        (Agreement::Apart, Some(passage)) if found == all => format!(
            "{} are in {}, but too little of the rest of the claim is.",
            share_of(found, all),
            place(facts, passage)
        ),
        (Agreement::Apart, Some(passage)) => format!(
            "No passage of the candidate's {extent} has more than {found} of the claim's {all} content terms. The best match is in {}.",
            place(facts, passage)
        ),
    };
    if let Some(absent) = absent_terms(facts) {
        note.push(' ');
        note.push_str(&absent);
    }
    if *facts.agreement == Agreement::Apart {
        note.push_str(match (facts.prior.kinship >= NEAR, facts.near) {
            (true, true) => " By title and summary, the candidate is similar to the paper.",
            (true, false) => " By title and summary, the candidate is similar to the paper, but not to this claim.",
            (false, false) => " By title and summary, the candidate is not similar to the paper.",
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
    let stands = match (facts.nearest, found) {
        (Some(passage), 1..) => format!("{found} of {all} found in {}", place(facts, passage)),
        _ => format!("None is in the candidate's {extent}"),
    };
    format!("The claim has {terms}, too few to distinguish it from its topic. {stands}.")
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
    let substance = &facts.claim.substance;
    let everywhere = substance.marks(facts.prior.reading.all_words());
    let (_, absent) = terms_in_words(substance, facts.claim.quote.text(), everywhere);
    let absent: Vec<String> = absent
        .iter()
        .filter(|term| !facts.missing.is_empty() && !term.is_empty())
        .map(|term| format!("“{term}”"))
        .collect();
    let mut shown: Vec<String> = absent.iter().take(MOST).cloned().collect();
    if absent.len() > MOST {
        shown.push(format!("{} more", absent.len() - MOST));
    }
    let (last, before) = shown.split_last()?;
    let list = if before.is_empty() {
        last.clone()
    } else {
        format!("{} and {last}", before.join(", "))
    };
    let verb = if absent.len() == 1 { "occurs" } else { "occur" };
    Some(format!(
        "{list} {verb} nowhere in its {}.",
        extent_in_words(facts.prior.extent())
    ))
}
