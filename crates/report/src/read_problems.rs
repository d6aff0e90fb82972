//! The wording of every [`ReadProblem`].

use precedent_domain::{MissingPart, Paper, ParseQuality, ReadProblem, ReadResource, ReadWarning};

use crate::words::{count, thousands};

const LATEX_CONDITIONS: &str = "conditions that only TeX can decide hide most of the LaTeX source, so the longer version was read. Check it with `precedent read`, or give the PDF";
const LATEX_MACROS: &str =
    "macros of the paper discard most of the LaTeX source. Check the text with `precedent read`, or give the PDF";
const LATEX_LIMIT: &str =
    "the LaTeX source exceeded a limit on macro expansion, nesting or size, so a part of its text was skipped";

/// Writes the messages of a paper that was read: its warnings, and what lowered its quality.
pub fn put_paper_in_words(paper: &mut Paper) {
    put_reading_in_words(&mut paper.warnings, &mut paper.quality);
}

/// Writes the messages of warnings. Messages without a code stay.
pub fn put_warnings_in_words(warnings: &mut [ReadWarning]) {
    for one in warnings {
        if let Some(problem) = &one.problem {
            one.message = in_words(problem);
        }
    }
}

/// Writes the messages of warnings and of a quality. Messages without a code stay.
pub(crate) fn put_reading_in_words(warnings: &mut [ReadWarning], quality: &mut ParseQuality) {
    put_warnings_in_words(warnings);
    if !quality.problems.is_empty() {
        quality.reasons = quality.problems.iter().map(in_words).collect();
    }
}

/// A problem in words, as a part of a sentence.
pub(crate) fn in_words(problem: &ReadProblem) -> String {
    match problem {
        ReadProblem::FirstPages { read, pages } => format!("the first {read} of {pages} pages were read"),
        ReadProblem::PagesLost { pages } => format!("pages that could not be read: {}", numbers(pages)),
        ReadProblem::BlankPages { pages } => {
            format!("pages without text, perhaps scanned or blank: {}", numbers(pages))
        }
        ReadProblem::PagesWithoutText { lost, pages } => format!("{lost} of {pages} pages have no text"),
        ReadProblem::DrawingLimit => "a page exceeds the drawing limits and was read only in part".to_owned(),
        ReadProblem::UnmappedGlyphs { unmapped, drawn } => {
            format!("{unmapped} of {drawn} drawn characters have no text mapping in the file")
        }
        ReadProblem::ChaptersLost { lost } => {
            format!("{} not in the file", count(*lost, "chapter is", "chapters are"))
        }
        ReadProblem::FirstChapters { read, chapters } => {
            format!("the text ends after chapter {read} of {chapters}")
        }
        ReadProblem::LatexConditions => LATEX_CONDITIONS.to_owned(),
        ReadProblem::LatexMacros => LATEX_MACROS.to_owned(),
        ReadProblem::LatexLimit => LATEX_LIMIT.to_owned(),
        ReadProblem::FirstMegabytes { megabytes } => format!("only the first {megabytes} MB of the text were read"),
        ReadProblem::OverLimit { resource, limit } => {
            let (limit, resource) = (thousands(*limit), resource_name(*resource));
            format!("the file has more than {limit} {resource}, and the rest was left out")
        }
        ReadProblem::ReadWithPdfium => {
            "read with pdfium, because the built-in engine could not read this file well".to_owned()
        }
        ReadProblem::RecognizedText { program } => {
            format!("the text was recognized from images by {program}; check quotes and numbers against the pages")
        }
        ReadProblem::FirstPagesRecognized { read, pages } => {
            format!("OCR covers only the first {read} of {pages} pages")
        }
        ReadProblem::OcrNotUsed { reason } => format!("OCR did not help: {reason}"),
        ReadProblem::Unreadable { cause } => {
            let cause = in_words(cause);
            format!("the text of this PDF cannot be read (its fonts have no usable mapping): {cause}")
        }
        ReadProblem::Damaged { cause } => format!("the text looks damaged: {}", in_words(cause)),
        ReadProblem::HiddenText {
            pieces,
            instruction,
            page,
            beginning,
        } => hidden_text(*pieces, *instruction, *page, beginning),
        ReadProblem::PartsNotFound { parts } => parts_not_found(parts),
        ReadProblem::NoAuthors => "no authors found under the title".to_owned(),
        ReadProblem::AuthorsInDoubt => "some lines under the title may be further authors".to_owned(),
        ReadProblem::FewCommonWords { common, words } => {
            let percent = percent(*common, *words);
            format!("only {percent} of the words are common words; running text has 30 % or more")
        }
        ReadProblem::FewPlainWords { plain, words } => {
            format!("only {} of the words consist only of letters", percent(*plain, *words))
        }
        ReadProblem::UnmappedWords { unmapped, words } => {
            format!("{unmapped} of {words} words contain characters that could not be mapped")
        }
        ReadProblem::GluedWords { glued, words } => format!("{glued} of {words} words are glued together"),
        ReadProblem::EntriesNotSplit { entries, references } => {
            format!("{entries} of {references} references may contain more than one paper")
        }
        ReadProblem::FewTitlesPrinted { placed, references } => format!(
            "{placed} of {references} references are identified by journal, volume or identifier because the list prints few titles"
        ),
        ReadProblem::FewReferencesRecognized { recognized, references } => {
            format!("only {recognized} of {references} references have a recognized title and year")
        }
        ReadProblem::LinesOfCode { lines_of_code, lines } => {
            format!("{lines_of_code} of {lines} lines look like source code")
        }
        ReadProblem::FewSignsOfAPaper {
            words,
            references,
            citations,
            sections,
        } => format!(
            "this may not be a paper, or its parts were not recognised, so claims may be missing: found {}, {}, {} and {sections} of the usual sections",
            count(*words, "word", "words"),
            count(*references, "reference", "references"),
            count(*citations, "citation mark", "citation marks"),
        ),
        ReadProblem::TitleInDoubt => "other lines could be the title as well".to_owned(),
    }
}

fn numbers(pages: &[u32]) -> String {
    let pages: Vec<String> = pages.iter().map(u32::to_string).collect();
    pages.join(", ")
}

fn percent(part: usize, whole: usize) -> String {
    let float = |number: usize| f64::from(u32::try_from(number).unwrap_or(u32::MAX));
    format!("{:.0} %", float(part) / float(whole).max(1.0) * 100.0)
}

fn parts_not_found(parts: &[MissingPart]) -> String {
    let names: Vec<&str> = parts.iter().map(|part| part_name(*part)).collect();
    format!("no {} found", names.join(", no "))
}

fn part_name(part: MissingPart) -> &'static str {
    match part {
        MissingPart::Title => "title",
        MissingPart::Abstract => "abstract",
        MissingPart::ReferenceList => "reference list",
        MissingPart::Headings => "headings",
    }
}

/// Quotes the text if it addresses a reviewer or a model.
fn hidden_text(pieces: usize, instruction: bool, page: Option<u32>, beginning: &str) -> String {
    let excluded = match pieces {
        1 => "1 invisible text was excluded".to_owned(),
        count => format!("{count} invisible texts were excluded"),
    };
    if !instruction {
        return format!("{excluded}; the first begins with “{beginning}”");
    }
    let page = page.map(|page| format!(" on page {page}")).unwrap_or_default();
    format!("{excluded}; one{page} reads like an instruction to a reviewer or a model: “{beginning}”")
}

fn resource_name(resource: ReadResource) -> &'static str {
    match resource {
        ReadResource::DecodedBytes => "bytes of unpacked streams",
        ReadResource::Glyphs => "glyphs",
        ReadResource::GlyphText => "bytes of characters on the pages",
        ReadResource::Runs => "runs of glyphs",
        ReadResource::MapEntries => "entries in the character maps of fonts",
        ReadResource::MapText => "bytes in the character maps of fonts",
        ReadResource::Objects => "objects",
        ReadResource::Nodes => "elements",
        ReadResource::Attributes => "attributes",
        ReadResource::Lines => "lines",
        ReadResource::LineBytes => "bytes of lines",
        ReadResource::TextBytes => "bytes of text",
        ReadResource::Blocks => "paragraphs",
        ReadResource::References => "references",
        ReadResource::Citations => "citation marks",
        ReadResource::Steps => "steps of work",
    }
}

#[cfg(test)]
#[path = "read_problems_tests.rs"]
mod tests;
