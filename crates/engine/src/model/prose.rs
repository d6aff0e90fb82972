//! The rules for every model-written text that a report may print: one checker for all prompts.
//!
//! In: the text, and what the model was given. Out: nothing, or the first rule that the text breaks, worded so that a model can repair it.
//! Not in this module: length limits (`checks`), and whether a report prints model-written text at all (`policy`).

use std::collections::{BTreeMap, BTreeSet};

use precedent_domain::QuotableDocument;
use precedent_language::wording::word_count;
use precedent_llm::Violation;
use precedent_text::{Source, locate, one_line, pattern};

use super::quotations::quotations;
use super::violation::{Checked, head, no};

/// Sentences of fewer words may occur twice: a citation at the end, a short remark. Chosen by hand.
const REPEATABLE: usize = 5;

/// What a text may quote, cite and take figures from.
#[derive(Clone, Default)]
pub(crate) struct Prose<'a> {
    documents: Vec<&'a QuotableDocument>,
    texts: Vec<&'a str>,
    years: Vec<u16>,
    citations: Citations<'a>,
    figures: Figures,
    may_judge: bool,
}

/// What a text may cite in brackets.
#[derive(Clone, Default)]
enum Citations<'a> {
    #[default]
    Nothing,
    /// `Alias[n]`, each alias with its own number.
    Named(&'a BTreeMap<u32, String>),
    /// `[n]`.
    Numbered(Vec<u32>),
    /// The caller checks them.
    Unchecked,
}

/// Which figures a text may contain.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Figures {
    /// Those given, and whole numbers up to ten used as counts.
    #[default]
    GivenOrCounts,
    /// Those given.
    Given,
    /// Any: names contain figures of their own.
    Any,
}

impl<'a> Prose<'a> {
    /// A text that may quote these documents and use their figures.
    pub(crate) fn of(documents: &[&'a QuotableDocument]) -> Self {
        Self {
            documents: documents.to_vec(),
            ..Self::default()
        }
    }

    /// Adds texts that were given.
    pub(crate) fn given(mut self, texts: impl IntoIterator<Item = &'a str>) -> Self {
        self.texts.extend(texts);
        self
    }

    /// Adds years that were given.
    pub(crate) fn dated(mut self, years: impl IntoIterator<Item = u16>) -> Self {
        self.years.extend(years);
        self
    }

    /// Allows citations of works as `Alias[n]`.
    pub(crate) fn naming(mut self, works: &'a BTreeMap<u32, String>) -> Self {
        self.citations = Citations::Named(works);
        self
    }

    /// Allows citations of these numbers as `[n]`.
    pub(crate) fn numbering(mut self, numbers: impl IntoIterator<Item = u32>) -> Self {
        self.citations = Citations::Numbered(numbers.into_iter().collect());
        self
    }

    /// Leaves citations to the caller.
    pub(crate) fn citing_freely(mut self) -> Self {
        self.citations = Citations::Unchecked;
        self
    }

    /// Requires small counts to be given, like every other figure.
    pub(crate) fn strict(mut self) -> Self {
        self.figures = Figures::Given;
        self
    }

    /// Turns off the check of figures.
    pub(crate) fn with_any_figure(mut self) -> Self {
        self.figures = Figures::Any;
        self
    }

    /// Allows a verdict: the text is one or gives the reason for one.
    pub(crate) fn judging(mut self) -> Self {
        self.may_judge = true;
        self
    }

    /// Checks `text` against every rule.
    pub(crate) fn check(&self, what: &str, text: &str) -> Checked {
        plain(what, text)?;
        self.quotes_are_located(what, text)?;
        self.citations_are_known(what, text)?;
        self.figures_are_given(what, text)?;
        if self.may_judge {
            return Ok(());
        }
        verdictless(what, text)
    }

    /// Checks the paragraphs of a text: each by itself, and that no sentence occurs twice, as in the answer of a model that repeats itself.
    pub(crate) fn check_paragraphs(&self, paragraphs: &[String]) -> Checked {
        paragraphs.iter().try_for_each(|text| self.check("a paragraph", text))?;
        let mut seen = BTreeSet::new();
        let text = paragraphs.join("\n\n");
        let sentences = precedent_text::sentences(&text);
        let mut sentences = sentences.iter().filter_map(|span| span.slice(&text)).map(one_line);
        match sentences.find(|one| word_count(one) >= REPEATABLE && !seen.insert(one.to_lowercase())) {
            Some(sentence) => no(format!("a sentence occurs twice: {}", head(&sentence))),
            None => Ok(()),
        }
    }

    /// Checks that text in quotation marks of any style, one word or many, is in a given text.
    fn quotes_are_located(&self, what: &str, text: &str) -> Checked {
        for words in quotations(text) {
            let folded = folded(words);
            if folded.trim().is_empty() {
                continue;
            }
            let documents = self.documents.iter().map(|one| one.document().text.as_str());
            let mut given = documents.chain(self.texts.iter().copied());
            let located = given.any(|one| self::folded(one).contains(&folded))
                || self.documents.iter().any(|one| one.locate(words).verified())
                || self
                    .texts
                    .iter()
                    .any(|one| locate(&Source::new(*one), words).verified());
            if !located {
                return no(format!(
                    "{what} quotes words that are in none of the given texts: {}",
                    head(words)
                ));
            }
        }
        Ok(())
    }

    fn citations_are_known(&self, what: &str, text: &str) -> Checked {
        match &self.citations {
            Citations::Unchecked => Ok(()),
            Citations::Named(works) => citations(what, text, works, 0),
            Citations::Nothing if bracketed(text).next().is_some() => {
                no(format!("{what} must not cite works by number"))
            }
            Citations::Nothing => Ok(()),
            Citations::Numbered(known) => {
                let unknown = bracketed(text).find(|inner| {
                    let mut numbers = inner.split(|c: char| !c.is_ascii_digit()).filter(|one| !one.is_empty());
                    numbers.any(|one| !one.parse().is_ok_and(|number| known.contains(&number)))
                });
                match unknown {
                    Some(inner) => no(format!("{what} cites [{}], which was not given", head(inner))),
                    None => Ok(()),
                }
            }
        }
    }

    fn figures_are_given(&self, what: &str, text: &str) -> Checked {
        if self.figures == Figures::Any {
            return Ok(());
        }
        let bare = uncited(text);
        let measured = measured(&bare);
        let counts =
            |one: &String| self.figures == Figures::GivenOrCounts && is_a_count(one) && !measured.contains(one);
        let open: Vec<String> = figures(&bare).into_iter().filter(|one| !counts(one)).collect();
        if open.is_empty() {
            return Ok(());
        }
        let documents = self.documents.iter().map(|one| one.document().text.as_str());
        let given = documents.chain(self.texts.iter().copied());
        let known: BTreeSet<String> = given
            .flat_map(figures)
            .chain(self.years.iter().map(u16::to_string))
            .collect();
        match open.into_iter().find(|one| !known.contains(one)) {
            Some(figure) => no(format!(
                "{what} gives the figure {figure}, which is in no text that it rests on"
            )),
            None => Ok(()),
        }
    }
}

/// Words in lower case with a space on both sides of each: `The x-ray's` is ` the x ray s `.
pub(crate) fn folded(text: &str) -> String {
    let words = text.split(|c: char| !c.is_alphanumeric()).filter(|one| !one.is_empty());
    let words: Vec<String> = words.map(str::to_lowercase).collect();
    match words.is_empty() {
        true => String::new(),
        false => format!(" {} ", words.join(" ")),
    }
}

/// Bracketed text that begins with a digit.
fn bracketed(text: &str) -> impl Iterator<Item = &str> {
    let inner = text.split('[').skip(1);
    inner
        .map(|rest| rest.split_once(']').map_or(rest, |(inner, _)| inner).trim())
        .filter(|inner| inner.starts_with(|c: char| c.is_ascii_digit()))
}

/// Checks that a text is safe to print in a report: not empty, and without addresses, markup, code or deceptive characters.
pub(crate) fn plain(what: &str, text: &str) -> Checked {
    if text.trim().is_empty() {
        return no(format!("{what} is empty"));
    }
    let foreign = pattern!(
        r"(?i)[a-z][a-z0-9+.-]{1,15}:/|www\.|(?:javascript|data|mailto|file)\s*:|\]\(|!\[|</?[a-z!]|&[a-z#0-9]+;|`|\b[\w-]+(?:\.[\w-]+)*\.(?:com|org|net|io|dev|example|test|invalid|ai|edu|gov|onion|xyz)\b|@[\w-]+\.|\{\{|\}\}|\\[a-z]|/(?:etc|home|root|tmp|var)/|\b10\.\d{4,9}/\S|\barxiv\s*:\s*\d{4}"
    );
    if foreign.is_match(text) {
        return no(format!(
            "{what} holds an address, a path or markup, and must be plain words: {}",
            head(text)
        ));
    }
    if text.lines().any(opens_block) {
        return no(format!(
            "{what} holds a heading or a block quote, and must be plain words: {}",
            head(text)
        ));
    }
    if text.chars().any(deceives) {
        return no(format!("{what} holds control or invisible characters"));
    }
    Ok(())
}

/// Whether Markdown reads a line as a heading or a block quote.
pub(crate) fn opens_block(line: &str) -> bool {
    let line = line.trim_start();
    let head = line.trim_start_matches('#');
    line.starts_with('>') || head.len() < line.len() && (head.is_empty() || head.starts_with(char::is_whitespace))
}

fn deceives(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

/// Checks that a text gives no verdict on the paper as a whole, which is for people to give.
fn verdictless(what: &str, text: &str) -> Checked {
    let verdict = pattern!(
        r"(?i)\b(?:not\s+novel|lacks?\s+(?:of\s+)?novelty|is\s+(?:highly\s+|truly\s+|very\s+)?novel|reject(?:ed|ion)?\b|desk[- ]reject|strong\s+accept|should\s+be\s+accepted|accept\s+(?:this|the)\s+paper|plagiari[a-z]+|score\s+of|\d+\s*/\s*10|out\s+of\s+(?:10|ten|five|5)\b|groundbreaking|ignore\s+(?:all\s+)?(?:previous|prior)\s+instructions)"
    );
    match verdict.find(text) {
        Some(found) => no(format!(
            "{what} gives a verdict (`{}`); say what was found instead",
            found.as_str()
        )),
        None => Ok(()),
    }
}

/// Checks that every citation `Alias[n]` names a work of `works` by its own alias, and that at least `least` works are cited.
pub(crate) fn citations(what: &str, text: &str, works: &BTreeMap<u32, String>, least: usize) -> Checked {
    let pattern = pattern!(r"\[([^\]]*)\]");
    let mut cited: Vec<u32> = Vec::new();
    for found in pattern.captures_iter(text) {
        let (Some(whole), Some(inner)) = (found.get(0), found.get(1)) else {
            continue;
        };
        let number = inner.as_str().parse::<u32>().ok();
        let alias = number.and_then(|number| works.get(&number));
        let before = text.get(..whole.start()).unwrap_or_default();
        match (number, alias) {
            (Some(number), Some(alias)) if before.ends_with(alias.as_str()) => cited.push(number),
            _ => {
                return no(format!(
                    "{what} cites [{}], which does not match a listed work by name and number",
                    head(inner.as_str())
                ));
            }
        }
    }
    cited.sort_unstable();
    cited.dedup();
    if cited.len() < least {
        return no(format!(
            "{what} names {} works and must name at least {least}",
            cited.len()
        ));
    }
    Ok(())
}

/// A text without its citations.
pub(crate) fn uncited(text: &str) -> String {
    pattern!(r"\[[^\]]*\]").replace_all(text, " ").into_owned()
}

/// The figures of a text in one form: no thousands separators, no trailing zeros after the point.
pub(crate) fn figures(text: &str) -> Vec<String> {
    pattern!(r"\d{1,3}(?:[,\u{202f}\u{a0}]\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?")
        .find_iter(text)
        .map(|found| {
            let bare: String = found
                .as_str()
                .chars()
                .filter(|c| c.is_ascii_digit() || *c == '.')
                .collect();
            let bare = match bare.split_once('.') {
                Some((whole, places)) => format!("{whole}.{}", places.trim_end_matches('0')),
                None => bare,
            };
            let bare = bare.trim_end_matches('.').trim_start_matches('0');
            if bare.is_empty() || bare.starts_with('.') {
                format!("0{bare}")
            } else {
                bare.to_owned()
            }
        })
        .collect()
}

/// The figures of a text that measure something, whatever their size: a share, a gain, a multiple.
pub(crate) fn measured(text: &str) -> BTreeSet<String> {
    pattern!(
        r"(?i)\d[\d.,]*\s*(?:%|percent\b|per\s+cent\b|(?:percentage\s+)?points?\b|pp\b|×|x\b|-?fold\b|times\b|dB\b)"
    )
    .find_iter(text)
    .flat_map(|one| figures(one.as_str()))
    .collect()
}

/// Whether a figure is a whole number up to ten, as used to count parts, steps and data sets.
pub(crate) fn is_a_count(figure: &str) -> bool {
    figure.parse::<u32>().is_ok_and(|number| number <= 10)
}

/// Checks that everything a text quotes is in these documents. The error names what is not.
pub(crate) fn quotes_are_found(text: &str, sources: &[&QuotableDocument]) -> Result<(), String> {
    let checked = Prose::of(sources).quotes_are_located("it", text);
    checked.map_err(|Violation(why)| why)
}

/// Longest phrase, in words: a core task has at most 15 (OpenNovelty, C.1), and a query begins with a few more.
const PHRASE_WORDS: usize = 18;

/// Whether a text is a phrase, like a name or a query, and not a sentence.
pub(crate) fn is_phrase(text: &str) -> bool {
    let ends = text.trim_end().ends_with(['.', '!', '?', ':', ';']);
    word_count(text) <= PHRASE_WORDS && !ends && !precedent_language::wording::holds_finite_verb(text)
}

#[cfg(test)]
#[path = "prose_tests.rs"]
mod tests;
