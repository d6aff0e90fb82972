//! Rules on a report's content: figures, quotations, citations, abbreviations, limitations.

use std::collections::BTreeSet;

use precedent_domain::{QuotableDocument, Quote};
use precedent_language::wording::{cited, without_marks};
use precedent_text::pattern;

use super::ruling::{Open, Ruling, head, no, says_nothing, yes};
use crate::model::figures;

/// The first figure of these sentences that is in none of the known texts.
fn strange_figure<'t>(
    mut sentences: impl Iterator<Item = &'t String>,
    known: &BTreeSet<String>,
) -> Option<(String, String)> {
    sentences.find_map(|text| {
        let bare = without_marks(text);
        let figure = figures(&bare).into_iter().find(|figure| !known.contains(figure))?;
        Some((figure, head(&bare)))
    })
}

fn of_paper(open: &Open<'_>, which: &str, texts: &[String]) -> Ruling {
    let Some(paper) = open.paper else {
        return Err("the paper is not available".to_owned());
    };
    let texts: Vec<&String> = texts.iter().filter(|text| cited(text).is_empty()).collect();
    let known: BTreeSet<String> = figures(&paper.document().text).into_iter().collect();
    if let Some((figure, head)) = strange_figure(texts.iter().copied(), &known) {
        return no(format!("{figure} is not in the paper: {head}"));
    }
    for text in texts {
        if let Err(why) = crate::model::quotes_are_found(text, &[paper]) {
            return no(why);
        }
    }
    yes(format!("every figure and quoted phrase of {which} is in the paper"))
}

pub(super) fn summary_figures(open: &Open<'_>) -> Ruling {
    let content = open.report.content_sentences();
    of_paper(open, "the content summary", &content).map(|ruling| match ruling {
        (true, _) if content.is_empty() => (false, "there is no content summary".to_owned()),
        other => other,
    })
}

pub(super) fn claimed_figures(open: &Open<'_>) -> Ruling {
    let (Some(data), Some(paper)) = (open.data, open.paper) else {
        return of_paper(open, "the parts a)", &parts(open, &[0]));
    };
    // Text printed as the paper's own words must be in the paper.
    let strange = data.points.iter().find(|point| {
        let claims = std::iter::once(&point.claim).chain(&point.also_stated);
        claims.into_iter().any(|claim| !contains_words(paper, claim.text()))
    });
    match strange {
        Some(point) => no(format!("the claim of point {} is not in the paper", point.number)),
        None => of_paper(open, "the parts a)", &parts(open, &[0])),
    }
}

/// Whether the paper contains these words, exactly or in another typographic form.
fn contains_words(paper: &QuotableDocument, words: &str) -> bool {
    let document = paper.document();
    document.text.contains(words) || Quote::cut(document, &paper.locate(words)).is_some()
}

/// The sentences of these parts of all points.
fn parts(open: &Open<'_>, wanted: &[usize]) -> Vec<String> {
    let all = open.report.sentences().into_iter();
    let inside = all.filter(|(place, _)| place.is_some_and(|(_, part)| wanted.contains(&part)));
    inside.map(|(_, text)| text).collect()
}

/// Abbreviations that need no explanation.
const KNOWN: [&str; 34] = [
    "AI", "ML", "NLP", "CPU", "GPU", "TPU", "RAM", "PDF", "HTML", "XML", "JSON", "API", "URL", "US", "UK", "EU", "USA",
    "DNA", "RNA", "SQL", "OS", "PC", "IT", "ID", "QA", "IO", "IP", "TV", "UTC", "ISO", "IEEE", "ACM", "SI", "II",
];

pub(super) fn abbreviations_written_out(open: &Open<'_>) -> Ruling {
    let pattern = pattern!(r"\b[A-Z][A-Z0-9]{1,6}s?\b|\b[A-Z]{1,3}-[A-Z]{2,5}\b");
    let text = &open.report.content;
    if text.trim().is_empty() {
        return no("there is no content summary");
    }
    let bare = |short: &str| short.trim_end_matches('s').to_owned();
    let used: BTreeSet<String> = pattern.find_iter(text).map(|found| bare(found.as_str())).collect();
    let open: Vec<&String> = used
        .iter()
        .filter(|short| !KNOWN.contains(&short.as_str()) && !is_written_out(short, text))
        .collect();
    match open.first() {
        Some(short) => no(format!("{short} is not spelled out")),
        None => yes(format!(
            "all uncommon abbreviations are spelled out ({} in total)",
            used.len()
        )),
    }
}

/// Whether `short` appears in brackets after words that begin with its letters, or before such words in brackets.
fn is_written_out(short: &str, text: &str) -> bool {
    let letters: Vec<char> = short
        .chars()
        .filter(|c| c.is_alphabetic())
        .flat_map(char::to_lowercase)
        .collect();
    let spells = |words: &str| {
        let firsts: Vec<char> = words
            .split(|c: char| !c.is_alphanumeric())
            .filter_map(|word| word.chars().next())
            .flat_map(char::to_lowercase)
            .collect();
        // Small words may be skipped: the letters must occur in order among the first letters.
        let mut left = firsts.iter();
        letters.iter().all(|letter| left.any(|first| first == letter))
    };
    text.match_indices(short).any(|(at, _)| {
        let before = text.get(..at).unwrap_or_default().trim_end();
        let after = text.get(at + short.len()..).unwrap_or_default().trim_start();
        let behind = before.strip_suffix('(').map(|words| {
            let words: Vec<&str> = words.split_whitespace().collect();
            let from = words.len().saturating_sub(letters.len() + 3);
            words.get(from..).unwrap_or_default().join(" ")
        });
        let inside = after.strip_prefix('(').and_then(|rest| rest.split(')').next());
        behind.is_some_and(|words| spells(&words)) || inside.is_some_and(spells)
    })
}

pub(super) fn figures_given(open: &Open<'_>) -> Ruling {
    let Some(paper) = open.paper else {
        return Err("the paper is not available".to_owned());
    };
    let of_paper: BTreeSet<String> = figures(&paper.document().text).into_iter().collect();
    if of_paper.is_empty() {
        return yes("the paper has no figures");
    }
    let stated = parts(open, &[0, 3]);
    let given: BTreeSet<String> = stated
        .iter()
        .flat_map(|text| figures(&without_marks(text)))
        .filter(|figure| of_paper.contains(figure))
        .collect();
    // A single figure may be a count of things. Only a reader can say whether it is a result.
    match given.len() {
        0 => no("none of the paper's figures is given"),
        1 => Err("one figure of the paper is given; only a reader can decide whether it is a result".to_owned()),
        count => yes(format!("{count} figures of the paper are given")),
    }
}

pub(super) fn a_limit_is_named(open: &Open<'_>) -> Ruling {
    let text = &open.report.novelty;
    if text.trim().is_empty() {
        return no("there is no novelty summary");
    }
    let aspect = pattern!(
        r"(?i)\b(?:direct repetition|minor adjustment|simple combination|standard practice)\b|\blimitations?\b|\bweakness(?:es)?\b|\black(?:s|ing)?\s+(?:of\s+)?originality\b[^\n]{12,}"
    );
    match aspect.find(text) {
        Some(found) => yes(format!("a limitation is named: {}", head(found.as_str()))),
        None => Err(
            "no type of missing originality is named; only a reader can decide whether another limitation is"
                .to_owned(),
        ),
    }
}

pub(super) fn cited_figures(open: &Open<'_>) -> Ruling {
    let Some(data) = open.data.or(open.found) else {
        return Err("no passages of the cited papers are available".to_owned());
    };
    let of_paper: BTreeSet<String> = open
        .paper
        .map(|paper| figures(&paper.document().text).into_iter().collect())
        .unwrap_or_default();
    for (_, text) in open.report.sentences() {
        let cited = cited(&text);
        let numbers: BTreeSet<u32> = match open.data {
            Some(_) => cited.clone(),
            None => cited
                .iter()
                .filter_map(|number| open.numbers.get(number).copied())
                .collect(),
        };
        if cited.is_empty() {
            continue;
        }
        let passages = data.passages.iter().filter(|one| numbers.contains(&one.reference));
        let mut known: BTreeSet<String> = passages.flat_map(|one| figures(one.text.text())).collect();
        known.extend(
            data.references
                .iter()
                .filter(|one| numbers.contains(&one.number))
                .filter_map(|one| Some(one.work.year()?.to_string())),
        );
        let Some((figure, head)) = strange_figure(std::iter::once(&text), &known) else {
            continue;
        };
        if of_paper.contains(&figure) {
            continue;
        }
        // Our own reports come with every passage that they use. Of another system's sources, only some passages are known.
        if open.paper.is_none() || open.data.is_none() {
            return Err(format!(
                "{figure} is in no passage that the audit has of the cited papers: {head}"
            ));
        }
        return no(format!(
            "{figure} is neither in a cited passage nor in the paper: {head}"
        ));
    }
    yes("every figure is in a cited passage or in the paper")
}

pub(super) fn omitted_papers(open: &Open<'_>) -> Ruling {
    if open.found.is_none() {
        return Err("nothing was searched, so omitted papers are unknown".to_owned());
    }
    match open.omissions.iter().find(|one| one.word_for_word) {
        Some(one) => no(format!(
            "not mentioned, although it states a claim nearly word for word: {}",
            one.title
        )),
        None => Err(match open.omissions.len() {
            0 => "no close earlier paper is omitted; only a reader can decide whether the similarities are right"
                .to_owned(),
            count => format!(
                "close earlier papers that the report does not mention: {count}; only a reader can decide whether they matter"
            ),
        }),
    }
}

pub(super) fn others_are_cited(open: &Open<'_>) -> Ruling {
    let listed: BTreeSet<u32> = open.report.references.iter().map(|(number, _)| *number).collect();
    let mut citing = 0;
    for (place, text) in open.report.sentences() {
        let Some((point, which @ (1 | 2))) = place else {
            continue;
        };
        let numbers = cited(&text);
        if let Some(stray) = numbers.iter().find(|number| !listed.contains(number)) {
            return no(format!(
                "point {} cites [{stray}], which is not in the reference list",
                point + 1
            ));
        }
        citing += usize::from(!numbers.is_empty());
        let bare = without_marks(&text);
        let speaks = which == 1 || crate::points::model::speaks_of_others(&bare);
        if numbers.is_empty() && speaks && !says_nothing(&bare) {
            return no(format!("a sentence without a citation: {}", head(&bare)));
        }
    }
    match citing {
        0 => no("no sentence has a citation"),
        count => yes(format!("{count} sentences have citations")),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use precedent_domain::{Document, QuotableDocument};

    use super::super::report::report_text;
    use super::*;

    const FORM: &str = "# T\n\n## 1. Paper Content Summary\n\nCONTENT\n\n## 2. Point-wise Novelty Analysis\n\n### 2.1. Novelty Point 1: W\n\na) Claimed novelty: CLAIMED\n\nb) Similarities: It is like that [1].\n\n## 3. Novelty Summary\n\nNOVELTY\n\n## References\n\n[1] Dorn. Kelp.\n";

    fn ruled(rule: fn(&Open<'_>) -> Ruling, what: &str, text: &str, paper: Option<&str>) -> Option<bool> {
        let report = report_text(&FORM.replace(what, text));
        let paper = paper.map(|text| QuotableDocument::new(Document::from_abstract(text, None)));
        let open = Open {
            report: &report,
            data: None,
            paper: paper.as_ref(),
            found: None,
            numbers: &BTreeMap::new(),
            omissions: &[],
        };
        rule(&open).ok().map(|(yes, _)| yes)
    }

    #[test]
    fn abbreviations_are_spelled_out_on_either_side_or_well_known() {
        let rule = |text: &str| ruled(abbreviations_written_out, "CONTENT", text, None);
        assert_eq!(
            rule("It trains a graph neural network (GNN) on a GPU. The GNN is small."),
            Some(true)
        );
        assert_eq!(
            rule("It uses BERT (bidirectional encoder representations from transformers)."),
            Some(true)
        );
        assert_eq!(rule("It uses an expectation maximisation of models (EMM)."), Some(true));
        assert_eq!(rule("It trains a GNN (see below) on ropes."), Some(false));
        assert_eq!(rule("It weighs kelp."), Some(true));
    }

    #[test]
    fn figures_of_the_paper_are_recognised_in_points_and_a_single_one_is_undecided() {
        let paper = Some("It gains 12 % over 1,200 farms in 3.5 hours.");
        let rule = |text: &str, paper| ruled(figures_given, "CLAIMED", text, paper);
        assert_eq!(rule("It gains 12 % on 1200 farms.", paper), Some(true));
        assert_eq!(rule("It gains much, by 77 %.", paper), Some(false));
        assert_eq!(rule("It gains 12 %.", paper), None);
        assert_eq!(rule("It gains 12 % on 1200 farms.", None), None);
        assert_eq!(rule("It gains.", Some("It gains.")), Some(true));
    }

    #[test]
    fn a_named_limitation_is_recognised_and_anything_else_is_undecided() {
        let rule = |text: &str| ruled(a_limit_is_named, "NOVELTY", text, None);
        assert_eq!(rule("Point 1 (Minor Adjustment): the code is known."), Some(true));
        assert_eq!(rule("A limitation is that one coast was seen."), Some(true));
        assert_eq!(rule("**Aspects lacking originality**\n\nNone is named."), None);
        assert_eq!(rule("Good work."), None);
    }

    #[test]
    fn content_summary_figures_are_checked_separately() {
        let paper = Some("It gains 12 %.");
        let of = |text: &str| ruled(summary_figures, "CONTENT", text, paper);
        assert_eq!(of("It gains 12 %."), Some(true));
        assert_eq!(of("It gains 13 %."), Some(false));
        // This rule ignores the novelty summary.
        assert_eq!(ruled(summary_figures, "NOVELTY", "It is a 4 of 7.", paper), Some(true));
    }
}
