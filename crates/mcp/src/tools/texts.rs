use std::sync::Arc;

use precedent_app::domain::{Document, WorkId};
use precedent_app::overlap::OverlapAnswer;
use precedent_app::text::plain;
use precedent_app::verify::QuoteId;
use precedent_app::{App, CorpusPaper, ErrorKind, Input, OpenedText, OverlapRequest, QuoteQuery};

use crate::answer::{Answer, Arguments};
use crate::arguments::{OverlapArguments, ReadArguments, VerifyArguments, parsed};
use crate::call::Call;
use crate::error::Failure;
use crate::outputs::{OutlineEntry, Output, OverlapOutput, ReadOutput, TextPage, VerifyOutput};
use crate::server::Server;

/// `verify_quote`.
pub(crate) fn verify_quote(server: &Arc<Server>, arguments: &Arguments, call: &Call) -> Result<Answer, Failure> {
    let arguments: VerifyArguments = parsed(arguments)?;
    if arguments.quotes.is_empty() {
        return Err(Failure::usage(
            "there is no quote to check",
            "give at least one in `quotes`",
        ));
    }
    let source = match (&arguments.source, &arguments.text, &arguments.id) {
        (Some(path), None, None) => server.opened_file(path, call)?,
        (None, Some(text), None) => opened_text(text, call)?,
        (None, None, Some(id)) => server.opened_paper(id, arguments.corpora.as_deref(), call)?,
        _ => return Err(needs_one_of("`source`, `text` and `id`")),
    };
    let quotes = (1..).zip(arguments.quotes).map(|(number, quote)| QuoteQuery {
        id: QuoteId::Natural(number),
        quote,
    });
    let output = VerifyOutput {
        answers: quotes.map(|quote| source.verify(&quote)).collect(),
    };
    Answer::with_lists(&Output::new(output), &["/answers"])
}

/// `overlap`.
pub(crate) fn overlap(server: &Arc<Server>, arguments: &Arguments, call: &Call) -> Result<Answer, Failure> {
    let arguments: OverlapArguments = parsed(arguments)?;
    if arguments.others.is_empty() && arguments.other_texts.is_empty() && arguments.other_ids.is_empty() {
        return Err(Failure::usage(
            "there is nothing to compare with",
            "give at least one path in `others`, id in `other_ids` or text in `other_texts`",
        ));
    }
    let target = match (&arguments.target, &arguments.target_text) {
        (Some(path), None) => server.opened_file(path, call)?,
        (None, Some(text)) => opened_text(text, call)?,
        _ => return Err(needs_one_of("`target` and `target_text`")),
    };
    let mut others = Vec::new();
    for path in &arguments.others {
        others.push(server.opened_file(path, call)?);
    }
    for id in &arguments.other_ids {
        others.push(server.opened_paper(id, arguments.corpora.as_deref(), call)?);
    }
    for (number, text) in (1..).zip(&arguments.other_texts) {
        others.push(opened_text(text, call)?.named(format!("text {number}")));
    }
    let usual = OverlapRequest::new(Input::Text(String::new()), Vec::new()).min_words;
    let OverlapAnswer {
        passages,
        paraphrase_candidates,
    } = target.overlap(&others, arguments.min_words.unwrap_or(usual));
    let output = OverlapOutput {
        passages,
        paraphrase_candidates,
    };
    Answer::with_lists(&Output::new(output), &["/passages", "/paraphrase_candidates"])
}

/// `read_paper`.
pub(crate) fn read_paper(server: &Arc<Server>, arguments: &Arguments, call: &Call) -> Result<Answer, Failure> {
    let arguments: ReadArguments = parsed(arguments)?;
    let (output, text) = match (&arguments.paper, &arguments.id) {
        (Some(path), None) => of_file(server, path, call)?,
        (None, Some(id)) => {
            let CorpusPaper { work, document } = server.paper(id, arguments.corpora.as_deref(), call)?;
            let output = ReadOutput {
                title: Some(work.title.clone()),
                authors: work.authors.iter().map(|author| author.name.clone()).collect(),
                date: work.earliest().map(|dated| dated.date.to_string()),
                ..about(&document)
            };
            (output, document.text)
        }
        _ => return Err(needs_one_of("`paper` and `id`")),
    };
    let start = arguments.start.unwrap_or(0);
    if start > text.len() || !text.is_char_boundary(start) {
        return Err(Failure::usage(
            format!("the text has no character that begins at byte {start}"),
            "take `start` from the outline or from a range in an answer",
        ));
    }
    Answer::with_text(&Output::new(output), "/page", text, start, Some("/outline"))
}

/// A paper below the root, and its text.
fn of_file(server: &Server, path: &str, call: &Call) -> Result<(ReadOutput, String), Failure> {
    let path = server.root.resolve(path)?;
    let paper = App::default().read(&Input::File(path))?;
    for warning in &paper.warnings {
        call.warn(plain(&warning.message));
    }
    let output = ReadOutput {
        title: paper.title.clone(),
        authors: paper.authors.iter().map(|author| author.name.clone()).collect(),
        date: paper.date().map(|dated| dated.date.to_string()),
        references: Some(paper.references.len()),
        quality: Some(paper.quality.score),
        ..about(&paper.document)
    };
    Ok((output, paper.document.text))
}

/// What a text says about itself.
fn about(document: &Document) -> ReadOutput {
    let sections = document.sections.iter().filter(|section| !section.heading.is_empty());
    let outline = sections.map(|section| OutlineEntry {
        heading: match &section.number {
            Some(number) => format!("{number} {}", section.heading),
            None => section.heading.clone(),
        },
        start: section.span.start,
    });
    ReadOutput {
        title: None,
        authors: Vec::new(),
        date: None,
        extent: document.extent,
        pages: document.pages.len(),
        references: None,
        quality: None,
        outline: outline.collect(),
        page: TextPage::default(),
    }
}

/// A text that a call contains.
fn opened_text(text: &str, call: &Call) -> Result<OpenedText, Failure> {
    Ok(App::default().open_text(&Input::Text(text.to_owned()), call)?)
}

fn needs_one_of(names: &str) -> Failure {
    Failure::usage(
        format!("exactly one of {names} is needed"),
        "see the tool's input schema",
    )
}

impl Server {
    /// A file below the root, named as given, as on the command line.
    fn opened_file(&self, path: &str, call: &Call) -> Result<OpenedText, Failure> {
        let input = Input::File(self.root.resolve(path)?);
        Ok(App::default().open_text(&input, call)?.named(path))
    }

    /// The text of a paper in a corpus, named by its id.
    fn opened_paper(&self, id: &WorkId, corpora: Option<&[String]>, call: &Call) -> Result<OpenedText, Failure> {
        let paper = self.paper(id, corpora, call)?;
        Ok(OpenedText::of_document(paper.document).named(id.as_str()))
    }

    /// A paper in a corpus.
    fn paper(&self, id: &WorkId, corpora: Option<&[String]>, call: &Call) -> Result<CorpusPaper, Failure> {
        let paths = self.corpora(corpora)?;
        let found = self.corpus_cache.corpora(&paths, call)?.paper(id)?;
        found.ok_or_else(|| {
            Failure::new(
                ErrorKind::Input,
                format!("no corpus has a paper with the id {}", id.as_str()),
            )
            .hint(
                "take the id from match_claim or search_prior_work; papers that only a service found are in no corpus",
            )
        })
    }
}
