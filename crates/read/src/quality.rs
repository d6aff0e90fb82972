//! Scores how well a paper was read, with reasons.
//!
//! Input: an assembled paper. Output: a score from 0 to 1 with reasons, and warnings. The quality of the paper itself is not judged.

use std::collections::BTreeSet;

use precedent_domain::{
    HiddenText, MissingPart, Paper, PaperFormat, ParagraphKind, ParseQuality, ReadProblem, ReadWarning,
    ReadWarningKind, Reference, SectionKind,
};
use precedent_text::pattern;

use crate::format::reads_like_an_instruction;
use crate::references::holds_several;

/// Words that make up a third of any running text, for the most common languages of papers.
const COMMON: &str = "the of and to in a is that for with as are we on by this be from which an at it or not can our was were has have these \
    der die und das von zu den mit ist des ein eine für auf im sich nicht werden auch \
    le la les des et en un une du que est dans pour par sur qui au pas ne sont \
    el los las y del que se por con una para es lo como más su al \
    di il che per non sono della con del si da nel \
    o os as um uma não mais dos das no na em ao";

/// Maximum words of running text that are examined: enough for a verdict, and a limit for hostile files.
const SAMPLE: usize = 60_000;

/// Loss from which a text counts as gibberish: hardly any common words, or hardly any words made only of letters.
const GIBBERISH: f64 = 0.5;

/// Loss for a title or authors that may be wrong. Keeps the score below 0.95, from which both are right in 98 of 100 files (docs/benchmarks.md,
/// "Front matter of PDFs").
const DOUBT: f64 = 0.1;

// The numbers below were chosen by reading damaged and sound files. `cargo run --release -p precedent-read --example measure_read` shows each score.

/// Share of common words below which a text is no running text of any language; sound texts have 0.3 or more.
const FEW_COMMON: f64 = 0.15;
/// Loss for a text without any common word.
const NO_COMMON_LOSS: f64 = 0.6;
/// Share of words of letters only below which words are damaged.
const FEW_PLAIN: f64 = 0.65;
/// Share of words with unmapped characters from which they are reported.
const BROKEN: f64 = 0.002;
/// Share of glued words from which they are reported.
const GLUED: f64 = 0.005;
/// Factor from the share of broken or glued words to the loss.
const DAMAGE: f64 = 5.0;
/// Loss from which a text is called damaged.
const DAMAGED: f64 = 0.15;
/// Factor from the share of pages without text to the loss.
const PAGES_LOSS: f64 = 0.6;

/// Maximum characters of a hidden text in its warning.
const HIDDEN_SHOWN: usize = 160;

/// Statistics about the words of a text.
#[derive(Debug, Default, Clone, Copy)]
struct Words {
    total: usize,
    /// In Latin letters.
    latin: usize,
    common: usize,
    /// Longer than any real word: spaces were lost.
    glued: usize,
    /// With unmapped characters.
    broken: usize,
    /// Letters only, of any script, like most words.
    plain: usize,
}

/// Scores the reading of `paper` and adds warnings. `page_count` is the number of pages stated by the file.
/// `doubts` are reasons why the title or the authors may be wrong.
pub(crate) fn judge(paper: &mut Paper, page_count: Option<u32>, doubts: Vec<ReadProblem>) {
    let words = count(paper);
    let mut judgement = Judgement::default();
    judgement.parts(paper);
    for doubt in doubts {
        judgement.lose(DOUBT, doubt);
    }
    judgement.words(&words, paper.origin.format == PaperFormat::Pdf);
    if judgement.gibberish {
        // Title and author names of gibberish are gibberish too.
        paper.title = None;
        paper.authors.clear();
    }
    judgement.pages(paper, page_count);
    judgement.reported(paper);
    judgement.entries(paper);
    if let Some(warning) = hidden_warning(&paper.hidden) {
        paper
            .warnings
            .retain(|warning| warning.kind != ReadWarningKind::HiddenText);
        judgement.warnings.push(warning);
    }
    if let Some(problem) = doubt(paper, &words) {
        judgement.warn(ReadWarningKind::MayNotBeAPaper, problem);
    }
    let known: BTreeSet<ReadWarningKind> = paper.warnings.iter().map(|warning| warning.kind).collect();
    judgement.warnings.retain(|warning| !known.contains(&warning.kind));
    paper.warnings.extend(judgement.warnings);
    paper.quality = ParseQuality {
        score: ((1.0 - judgement.loss).clamp(0.0, 1.0) * 100.0).round() / 100.0,
        reasons: Vec::new(),
        problems: judgement.problems,
    };
}

/// Number of words in a text; in scripts without spaces, two characters count as one word.
pub(crate) fn word_count(text: &str) -> usize {
    let wide = text.chars().filter(|c| u32::from(*c) >= 0x2E80).count();
    text.split_whitespace()
        .filter(|word| word.chars().any(char::is_alphabetic))
        .count()
        + wide / 2
}

#[derive(Default)]
struct Judgement {
    loss: f64,
    problems: Vec<ReadProblem>,
    warnings: Vec<ReadWarning>,
    /// Whether the text is gibberish.
    gibberish: bool,
}

impl Judgement {
    fn lose(&mut self, loss: f64, problem: ReadProblem) {
        self.loss += loss;
        self.problems.push(problem);
    }

    fn warn(&mut self, kind: ReadWarningKind, problem: ReadProblem) {
        self.warnings.push(ReadWarning::new(kind, problem));
    }

    fn parts(&mut self, paper: &Paper) {
        let headings = paper
            .document
            .sections
            .iter()
            .filter(|section| !section.heading.is_empty())
            .count();
        let parts: Vec<MissingPart> = [
            (paper.title.is_none(), MissingPart::Title, 0.15),
            (paper.abstract_span.is_none(), MissingPart::Abstract, 0.1),
            (paper.references.is_empty(), MissingPart::ReferenceList, 0.1),
            (headings < 2, MissingPart::Headings, 0.1),
        ]
        .into_iter()
        .filter(|(missing, _, _)| *missing)
        .map(|(_, part, loss)| {
            self.loss += loss;
            part
        })
        .collect();
        if !parts.is_empty() {
            let problem = ReadProblem::PartsNotFound { parts };
            self.problems.push(problem.clone());
            self.warn(ReadWarningKind::PartMissing, problem);
        }
    }

    fn words(&mut self, words: &Words, pdf: bool) {
        if words.total < 50 {
            return;
        }
        let share = |part: usize, whole: usize| ratio(part, whole.max(1));
        let common = share(words.common, words.latin);
        let mut garbled = 0.0;
        if words.latin * 2 > words.total && common < FEW_COMMON {
            garbled = (FEW_COMMON - common) / FEW_COMMON * NO_COMMON_LOSS;
            let (common, words) = (words.common, words.latin);
            self.lose(garbled, ReadProblem::FewCommonWords { common, words });
        }
        let plain = share(words.plain, words.total);
        if plain < FEW_PLAIN {
            let loss = (FEW_PLAIN - plain).min(0.5);
            garbled += loss;
            let (plain, words) = (words.plain, words.total);
            self.lose(loss, ReadProblem::FewPlainWords { plain, words });
        }
        let broken = share(words.broken, words.total);
        if broken > BROKEN {
            let loss = (broken * DAMAGE).min(0.5);
            garbled += loss;
            let (unmapped, words) = (words.broken, words.total);
            self.lose(loss, ReadProblem::UnmappedWords { unmapped, words });
        }
        let glued = share(words.glued, words.total);
        if glued > GLUED {
            let loss = (glued * DAMAGE).min(0.4);
            garbled += loss;
            let (glued, words) = (words.glued, words.total);
            self.lose(loss, ReadProblem::GluedWords { glued, words });
        }
        self.gibberish = garbled >= GIBBERISH;
        if garbled < DAMAGED {
            return;
        }
        if let Some(cause) = self.problems.last().cloned().map(Box::new) {
            let problem = match self.gibberish && pdf {
                true => ReadProblem::Unreadable { cause },
                false => ReadProblem::Damaged { cause },
            };
            self.warn(ReadWarningKind::Garbled, problem);
        }
    }

    fn pages(&mut self, paper: &Paper, page_count: Option<u32>) {
        let Some(pages) = page_count.filter(|pages| *pages > 0) else {
            return;
        };
        let seen: BTreeSet<u32> = paper
            .document
            .pages
            .iter()
            .filter(|page| !page.span.is_empty())
            .map(|page| page.number)
            .collect();
        let lost = usize::try_from(pages).unwrap_or(usize::MAX).saturating_sub(seen.len());
        if lost > 0 && !seen.is_empty() {
            let problem = ReadProblem::PagesWithoutText { lost, pages };
            self.lose(ratio(lost, seen.len() + lost) * PAGES_LOSS, problem.clone());
            self.warn(ReadWarningKind::PagesWithoutText, problem);
        }
    }

    /// Problems already found by the format reader.
    fn reported(&mut self, paper: &Paper) {
        for warning in &paper.warnings {
            let loss = match warning.kind {
                ReadWarningKind::Garbled => 0.4,
                ReadWarningKind::PagesLost => 0.2,
                ReadWarningKind::Truncated => 0.2,
                _ => continue,
            };
            self.loss += loss;
            self.problems.extend(warning.problem.clone());
        }
    }

    fn entries(&mut self, paper: &Paper) {
        let total = paper.references.len();
        let mut lengths: Vec<usize> = paper
            .references
            .iter()
            .map(|entry| entry.text.split_whitespace().count())
            .collect();
        lengths.sort_unstable();
        let usual = lengths.get(lengths.len() / 2).copied().unwrap_or(0);
        // Only entries half as long again as the others, with names after a year. For shorter entries this sign is unreliable.
        let several = paper
            .references
            .iter()
            .filter(|entry| entry.text.split_whitespace().count() * 2 >= usual * 3 && holds_several(&entry.text))
            .count();
        if several > 0 {
            self.lose(
                (ratio(several, total) * 0.5).min(0.1),
                ReadProblem::EntriesNotSplit {
                    entries: several,
                    references: total,
                },
            );
        }
        let recognized = paper
            .references
            .iter()
            .filter(|entry| entry.title.is_some() && entry.year.is_some())
            .count();
        if total >= 5 && recognized * 2 < total {
            let placed = paper.references.iter().filter(|entry| is_placed(entry)).count();
            let references = total;
            let problem = match placed * 2 > total {
                true => ReadProblem::FewTitlesPrinted { placed, references },
                false => ReadProblem::FewReferencesRecognized { recognized, references },
            };
            self.lose(0.05, problem);
        }
    }
}

/// Whether an entry identifies the work without a title: by an identifier, or by a journal with its volume.
fn is_placed(entry: &Reference) -> bool {
    let volume = pattern!(r"\p{L}\.?,?\s?\d{1,4}[,:]?\s?(?:\((?:19|20)\d\d\)|[A-Z]?\d)");
    entry.year.is_some() && (!entry.identifiers.is_empty() || volume.is_match(&entry.text))
}

fn ratio(part: usize, whole: usize) -> f64 {
    let float = |number: usize| f64::from(u32::try_from(number).unwrap_or(u32::MAX));
    float(part) / float(whole).max(1.0)
}

fn count(paper: &Paper) -> Words {
    let common: BTreeSet<&str> = COMMON.split_whitespace().collect();
    let mut words = Words::default();
    let running = paper
        .document
        .paragraphs
        .iter()
        .filter(|paragraph| {
            matches!(
                paragraph.kind,
                ParagraphKind::Body | ParagraphKind::ListItem | ParagraphKind::BlockQuote | ParagraphKind::Footnote
            )
        })
        .filter_map(|paragraph| paper.document.slice(paragraph.span));
    for word in running.flat_map(str::split_whitespace).take(SAMPLE) {
        let broken = word
            .chars()
            .any(|c| c == '\u{fffd}' || ('\u{e000}'..='\u{f8ff}').contains(&c))
            || word.contains("(cid:");
        let bare = word.trim_matches(|c: char| !c.is_alphanumeric());
        let letters = bare.chars().filter(|c| c.is_alphabetic()).count();
        if letters == 0 && !broken {
            continue;
        }
        words.total += 1;
        words.broken += usize::from(broken);
        let latin = bare
            .chars()
            .all(|c| u32::from(c) < 0x250 || matches!(c, '’' | '‐' | '–'));
        words.latin += usize::from(latin);
        let plain = bare
            .chars()
            .all(|c| c.is_alphabetic() || matches!(c, '-' | '‐' | '–' | '’' | '\''));
        words.plain += usize::from(plain);
        words.common += usize::from(latin && common.contains(bare.to_lowercase().as_str()));
        let address = word.contains("://")
            || word.contains('@')
            || word.contains('/')
            || word.contains('_')
            || word.contains('.');
        words.glued += usize::from(latin && letters > 24 && !address && !bare.contains('-'));
    }
    words
}

/// Reasons against this being a paper, if there are too few signs for it.
fn doubt(paper: &Paper, words: &Words) -> Option<ReadProblem> {
    let telling: BTreeSet<SectionKind> = paper
        .document
        .sections
        .iter()
        .filter(|section| !section.heading.is_empty())
        .map(|section| section.kind)
        .filter(|kind| !matches!(kind, SectionKind::Other | SectionKind::FrontMatter))
        .collect();
    let linked = paper
        .citations
        .iter()
        .filter(|mark| !mark.references.is_empty())
        .count();
    let signs = [
        paper.references.len() >= 3,
        paper.citations.len() >= 3 || linked >= 2,
        telling.contains(&SectionKind::Abstract) || paper.abstract_span.is_some(),
        telling.len() >= 3,
    ];
    let count = signs.iter().filter(|sign| **sign).count();
    let code = pattern!(r"(?m)[;{}]\s*$");
    let lines = paper
        .document
        .text
        .lines()
        .filter(|line| !line.trim().is_empty())
        .count();
    let lines_of_code = code.find_iter(&paper.document.text).count();
    if lines > 20 && lines_of_code * 3 > lines {
        return Some(ReadProblem::LinesOfCode { lines_of_code, lines });
    }
    (count <= 1).then_some(ReadProblem::FewSignsOfAPaper {
        words: words.total,
        references: paper.references.len(),
        citations: paper.citations.len(),
        sections: telling.len(),
    })
}

/// The warning about hidden text. Quotes it if it addresses a reviewer or a model.
pub(crate) fn hidden_warning(hidden: &[HiddenText]) -> Option<ReadWarning> {
    let first = hidden.first()?;
    let instruction = hidden.iter().find(|piece| reads_like_an_instruction(&piece.text));
    let shown = instruction.unwrap_or(first);
    let line = precedent_text::one_line(&shown.text);
    let beginning: String = line.chars().take(HIDDEN_SHOWN).collect();
    let beginning = match beginning.len() < line.len() {
        true => format!("{beginning}…"),
        false => beginning,
    };
    Some(ReadWarning::new(
        ReadWarningKind::HiddenText,
        ReadProblem::HiddenText {
            pieces: hidden.len(),
            instruction: instruction.is_some(),
            page: shown.page,
            beginning,
        },
    ))
}
