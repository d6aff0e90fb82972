//! The rules that decide items, and the rules on form.

use std::collections::BTreeSet;

use precedent_language::wording::{content_stems, without_marks, word_count};
use precedent_text::pattern;

use super::content_rules::{
    a_limit_is_named, abbreviations_written_out, cited_figures, claimed_figures, figures_given, omitted_papers,
    others_are_cited, summary_figures,
};
use super::items::Item;
use super::report::PointText;
use super::ruling::{Open, Ruling, head, no, says_nothing, yes};
use crate::model::figures;

type ItemRule = fn(&Open<'_>) -> Ruling;

/// All rules by name.
const RULES: [(&str, ItemRule); 18] = [
    ("sentences_well_formed", well_formed),
    ("no_sentence_twice", no_sentence_twice),
    ("sentences_short", sentences_short),
    ("three_sections", three_sections),
    ("no_other_section", no_other_section),
    ("parts_of_points", parts_of_points),
    ("no_empty_part", no_empty_part),
    ("one_line_last", one_line_last),
    ("one_score", one_score),
    ("summary_figures_in_paper", summary_figures),
    ("claimed_figures_in_paper", claimed_figures),
    ("cited_figures_in_works", cited_figures),
    ("others_are_cited", others_are_cited),
    ("one_class_each", one_class_each),
    ("abbreviations_written_out", abbreviations_written_out),
    ("figures_given", figures_given),
    ("a_limit_is_named", a_limit_is_named),
    ("omitted_papers", omitted_papers),
];

/// Rules that look for content in certain parts of the form.
const OF_PARTS: [&str; 8] = [
    "no_empty_part",
    "summary_figures_in_paper",
    "claimed_figures_in_paper",
    "others_are_cited",
    "one_class_each",
    "abbreviations_written_out",
    "figures_given",
    "a_limit_is_named",
];

/// Whether a rule of this name exists.
#[cfg(test)]
pub(super) fn is_known(name: &str) -> bool {
    RULES.iter().any(|(known, _)| *known == name)
}

/// The result of the item's rule; `None` if it has none. A rule that covers only a part of the question cannot answer yes.
pub(super) fn ruling(item: &Item, open: &Open<'_>) -> Option<Ruling> {
    let (name, rule) = RULES.iter().find(|(known, _)| *known == item.rule)?;
    Some(match rule(open) {
        // A report of another form may have the content elsewhere. Only its structure is known to differ.
        Ok((false, _)) if item.refuses && OF_PARTS.contains(name) && !open.report.is_report() => {
            Err("the report has another form, so a reader must decide".to_owned())
        }
        Ok((true, why)) if item.refuses => Err(format!("{why}; the rest of the question needs a reader")),
        other => other,
    })
}

fn prose(open: &Open<'_>) -> Vec<String> {
    open.report.sentences().into_iter().map(|(_, text)| text).collect()
}

fn well_formed(open: &Open<'_>) -> Ruling {
    let all = prose(open);
    if all.is_empty() {
        return no("the report has no sentences");
    }
    for text in &all {
        let bare = without_marks(text);
        let starts = bare
            .trim_start_matches(|c: char| !c.is_alphanumeric())
            .chars()
            .next()
            .is_some_and(|c| c.is_uppercase() || c.is_ascii_digit() || !c.is_lowercase());
        // `iPhone`, `k-means`: a name may begin with a lower-case letter.
        let first = bare.split_whitespace().next().unwrap_or_default();
        let name = first.chars().skip(1).any(|c| c.is_uppercase() || c == '-');
        if !starts && !name {
            return no(format!("a sentence begins with a lower-case letter: {}", head(&bare)));
        }
        if !bare.ends_with(['.', '!', '?', ':', '…', ')', '”', '"', '。']) {
            return no(format!("a sentence has no end mark: {}", head(&bare)));
        }
    }
    yes(format!("all {} sentences are well formed", all.len()))
}

fn no_sentence_twice(open: &Open<'_>) -> Ruling {
    let all: Vec<(String, BTreeSet<String>)> = prose(open)
        .into_iter()
        .map(|text| {
            let stems = content_stems(&text);
            (without_marks(&text), stems)
        })
        // Fixed phrases of the form recur in every point.
        .filter(|(_, stems)| stems.len() >= 6)
        .collect();
    for (at, (text, stems)) in all.iter().enumerate() {
        for (other, others) in all.iter().skip(at + 1) {
            let common = stems.intersection(others).count();
            if common * 10 >= stems.len().max(others.len()) * 9 && figures(text) == figures(other) {
                return no(format!("repeated sentence: {}", head(text)));
            }
        }
    }
    yes("no two sentences share 90 % of their words")
}

fn sentences_short(open: &Open<'_>) -> Ruling {
    let lengths: Vec<usize> = prose(open).iter().map(|text| word_count(text)).collect();
    let (Some(longest), false) = (lengths.iter().max(), lengths.is_empty()) else {
        return no("the report has no sentences");
    };
    let mean = lengths.iter().sum::<usize>() as f64 / lengths.len() as f64;
    let why = format!("{mean:.1} words on average, {longest} at most");
    if mean <= 30.0 && *longest <= 60 {
        yes(why)
    } else {
        no(why)
    }
}

const SECTIONS: [&str; 3] = ["paper content summary", "novelty analysis", "novelty summary"];

fn three_sections(open: &Open<'_>) -> Ruling {
    let headings: Vec<String> = open.report.headings.iter().map(|one| one.to_lowercase()).collect();
    let mut from = 0;
    for (number, section) in (1..).zip(SECTIONS) {
        let at = headings
            .iter()
            .skip(from)
            .position(|heading| heading.contains(section) && heading.starts_with(&number.to_string()));
        match at {
            Some(at) => from += at + 1,
            None => return no(format!("section {number}, {section}, is missing or out of order")),
        }
    }
    yes("all sections are present and in order")
}

fn no_other_section(open: &Open<'_>) -> Ruling {
    let allowed = |heading: &str| {
        let lower = heading.to_lowercase();
        SECTIONS.iter().any(|section| lower.contains(section))
            || lower.contains("references")
            || lower == "findings"
            || lower.contains("about this report")
    };
    match open.report.headings.iter().find(|heading| !allowed(heading)) {
        Some(other) => no(format!("unexpected section: {other}")),
        None => yes("there are no other sections"),
    }
}

fn has(point: &PointText, which: usize) -> Option<&str> {
    point.parts.get(which).and_then(Option::as_deref)
}

fn parts_of_points(open: &Open<'_>) -> Ruling {
    if open.report.points.is_empty() {
        return no("there are no points");
    }
    for (number, point) in (1..).zip(&open.report.points) {
        for (which, name) in ["a)", "b)", "c)"].into_iter().enumerate() {
            if has(point, which).is_none() {
                return no(format!("point {number} has no part {name}"));
            }
        }
        let differs = has(point, 2).is_some_and(|text| !text.is_empty() && !says_nothing(text));
        if differs != has(point, 3).is_some() {
            return no(match differs {
                true => format!("point {number} has a difference but no part d)"),
                false => format!("point {number} has a part d) but no difference"),
            });
        }
    }
    yes(format!(
        "all {} points have the required parts",
        open.report.points.len()
    ))
}

fn no_empty_part(open: &Open<'_>) -> Ruling {
    for (name, text) in [
        ("content summary", &open.report.content),
        ("novelty summary", &open.report.novelty),
    ] {
        if text.trim().is_empty() {
            return no(format!("the {name} is empty"));
        }
    }
    if open.report.points.is_empty() {
        return no("there are no points");
    }
    for (number, point) in (1..).zip(&open.report.points) {
        for (which, text) in point.parts.iter().enumerate() {
            if text.as_deref().is_some_and(|text| text.trim().is_empty()) {
                let name = ["a)", "b)", "c)", "d)"].get(which).copied().unwrap_or_default();
                return no(format!("part {name} of point {number} is empty"));
            }
        }
    }
    yes("no part is empty")
}

fn one_line(text: &str) -> Option<usize> {
    pattern!(r"(?i)one-line summary")
        .find_iter(text)
        .last()
        .map(|found| found.start())
}

fn one_line_last(open: &Open<'_>) -> Ruling {
    let text = &open.report.novelty;
    let Some(at) = one_line(text) else {
        return no("there is no one-line summary");
    };
    let rest = text.get(at..).unwrap_or_default();
    match rest.lines().filter(|line| !line.trim().is_empty()).count() {
        0..=2 => yes("the one-line summary is last"),
        lines => no(format!("{} lines follow the one-line summary", lines - 1)),
    }
}

fn one_score(open: &Open<'_>) -> Ruling {
    let pattern = pattern!(
        r"(?i)\b(\d+(?:\.\d+)?)\s*(?:/\s*4\s*)?[–—:(-]+\s*(excellent|transformative|good|significant|fair|incremental|moderate|poor|insufficient)"
    );
    let found: BTreeSet<(String, String)> = pattern
        .captures_iter(&open.report.novelty)
        .filter_map(|found| Some((found.get(1)?.as_str().to_owned(), found.get(2)?.as_str().to_lowercase())))
        .collect();
    let scores: BTreeSet<&str> = found.iter().map(|(score, _)| score.as_str()).collect();
    let words = |score: &str| match score {
        "4" => ["excellent", "transformative"],
        "3" => ["good", "significant"],
        "2" => ["fair", "incremental"],
        _ => ["poor", "insufficient"],
    };
    match scores.len() {
        0 => no("there is no score"),
        1 => {
            let (score, word) = found
                .iter()
                .next()
                .map(|(score, word)| (score.as_str(), word.as_str()))
                .unwrap_or_default();
            if !["1", "2", "3", "4"].contains(&score) {
                return no(format!("{score} is not a score from 1 to 4"));
            }
            // The published form calls a 2 moderate in one passage.
            match words(score).contains(&word) || score == "2" && word == "moderate" {
                true => yes(format!("the score is {score}")),
                false => no(format!("{score} is not called {word}")),
            }
        }
        _ => no(format!(
            "there are several scores: {}",
            scores.into_iter().collect::<Vec<_>>().join(", ")
        )),
    }
}

fn one_class_each(open: &Open<'_>) -> Ruling {
    if open.report.points.is_empty() {
        return no("there are no points");
    }
    for (number, point) in (1..).zip(&open.report.points) {
        if point.classes.len() != 1 {
            return no(format!("point {number} has {} classes", point.classes.len()));
        }
    }
    yes("every point has one class")
}
