use std::sync::Arc;

use precedent_app::overlap::OverlapAnswer;
use precedent_app::text::plain;
use precedent_app::verify::QuoteId;
use precedent_app::{App, Input, OpenedText, OverlapRequest, QuoteQuery};

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
    let source = server.opened_text(
        arguments.source.as_deref(),
        arguments.text.as_deref(),
        "`source` or `text`",
        call,
    )?;
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
    if arguments.others.is_empty() && arguments.other_texts.is_empty() {
        return Err(Failure::usage(
            "there is nothing to compare with",
            "give at least one path in `others` or one text in `other_texts`",
        ));
    }
    let target = server.opened_text(
        arguments.target.as_deref(),
        arguments.target_text.as_deref(),
        "`target` or `target_text`",
        call,
    )?;
    let mut others = Vec::new();
    for path in &arguments.others {
        others.push(server.opened_text(Some(path), None, "", call)?);
    }
    for (number, text) in (1..).zip(&arguments.other_texts) {
        others.push(
            server
                .opened_text(None, Some(text), "", call)?
                .named(format!("text {number}")),
        );
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
    let path = server.root.resolve(&arguments.paper)?;
    let paper = App::default().read(&Input::File(path))?;
    for warning in &paper.warnings {
        call.warn(plain(&warning.message));
    }
    let outline = paper
        .document
        .sections
        .iter()
        .filter(|section| !section.heading.is_empty());
    let outline = outline.map(|section| OutlineEntry {
        heading: match &section.number {
            Some(number) => format!("{number} {}", section.heading),
            None => section.heading.clone(),
        },
        start: section.span.start,
    });
    let output = ReadOutput {
        outline: outline.collect(),
        title: paper.title.clone(),
        authors: paper.authors.iter().map(|author| author.name.clone()).collect(),
        date: paper.date().map(|dated| dated.date.to_string()),
        pages: paper.document.pages.len(),
        references: paper.references.len(),
        quality: paper.quality.score,
        page: TextPage::default(),
    };
    let text = paper.document.text;
    let start = arguments.start.unwrap_or(0);
    if start > text.len() || !text.is_char_boundary(start) {
        return Err(Failure::usage(
            format!("the text has no character that begins at byte {start}"),
            "take `start` from the outline or from a range in an answer",
        ));
    }
    Answer::with_text(&Output::new(output), "/page", text, start, Some("/outline"))
}

impl Server {
    /// A text that a call gives as a path or as it is, read once. `names` are the arguments for that.
    fn opened_text(
        &self,
        path: Option<&str>,
        text: Option<&str>,
        names: &str,
        call: &Call,
    ) -> Result<OpenedText, Failure> {
        match (path, text) {
            (Some(path), None) => {
                let input = Input::File(self.root.resolve(path)?);
                // Named as given, as on the command line.
                Ok(App::default().open_text(&input, call)?.named(path))
            }
            (None, Some(text)) => Ok(App::default().open_text(&Input::Text(text.to_owned()), call)?),
            _ => Err(Failure::usage(
                format!("exactly one of {names} is needed"),
                "see the tool's input schema",
            )),
        }
    }
}
