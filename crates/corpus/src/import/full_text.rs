use precedent_domain::{Document, Extent, Page, Paragraph, ParagraphKind, Section, SectionKind, Span};

/// Text between two headings of a record.
#[derive(Debug)]
pub(super) struct Part {
    pub(super) heading: String,
    pub(super) text: String,
}

/// Builds a document from the parts of a record: title, abstract, then the parts. A form feed in a text starts a new page.
pub(super) fn document(title: &str, summary: Option<&str>, parts: &[Part]) -> Option<Document> {
    let mut draft = PaperDraft::default();
    let has_abstract = parts.iter().any(|part| kind_of(&part.heading) == SectionKind::Abstract);
    draft.section("", SectionKind::FrontMatter);
    draft.paragraph(title, ParagraphKind::FrontMatter);
    if let Some(summary) = summary.filter(|summary| !has_abstract && !summary.trim().is_empty()) {
        draft.section("Abstract", SectionKind::Abstract);
        draft.paragraph("Abstract", ParagraphKind::Heading);
        draft.paragraphs(summary, ParagraphKind::Body);
    }
    let before = draft.document.text.len();
    for part in parts {
        let kind = kind_of(&part.heading);
        let heading = clean(&part.heading);
        draft.section(&heading, kind);
        draft.paragraph(&heading, ParagraphKind::Heading);
        let body = if kind == SectionKind::References {
            ParagraphKind::Reference
        } else {
            ParagraphKind::Body
        };
        draft.paragraphs(&part.text, body);
    }
    if draft.document.text.len() == before {
        return None;
    }
    Some(draft.finish())
}

/// A text without sections as one part.
pub(super) fn whole(text: &str) -> Vec<Part> {
    vec![Part {
        heading: String::new(),
        text: text.to_owned(),
    }]
}

#[derive(Default)]
struct PaperDraft {
    document: Document,
    page_starts: Vec<usize>,
}

impl PaperDraft {
    /// Starts a section at the next paragraph.
    fn section(&mut self, heading: &str, kind: SectionKind) {
        let (number, name) = split_number(heading);
        let at = self.document.text.len();
        self.document.sections.push(Section {
            heading: name.to_owned(),
            level: number.map_or(1, |number| u8::try_from(number.split('.').count()).unwrap_or(u8::MAX)),
            number: number.map(str::to_owned),
            kind,
            span: Span::new(at, at),
        });
    }

    fn paragraphs(&mut self, text: &str, kind: ParagraphKind) {
        let text = text.replace("\r\n", "\n").replace('\r', "\n");
        for (number, page) in text.split('\u{c}').enumerate() {
            if number > 0 {
                self.page_starts.push(self.document.text.len());
            }
            for paragraph in page.split("\n\n") {
                self.paragraph(paragraph, kind);
            }
        }
    }

    fn paragraph(&mut self, text: &str, kind: ParagraphKind) {
        let text = clean(text);
        let document = &mut self.document;
        if text.is_empty() {
            return;
        }
        if !document.text.is_empty() {
            document.text.push_str("\n\n");
        }
        let start = document.text.len();
        document.text.push_str(&text);
        let span = Span::new(start, document.text.len());
        document.paragraphs.push(Paragraph { span, kind });
        if let Some(section) = document.sections.last_mut() {
            if section.span.is_empty() {
                section.span.start = start;
            }
            section.span.end = span.end;
        }
    }

    /// Removes empty sections and ends the last page.
    fn finish(self) -> Document {
        let mut document = self.document;
        document.sections.retain(|section| !section.span.is_empty());
        document.extent = Extent::FullText;
        if !self.page_starts.is_empty() {
            let ends = self.page_starts.iter().copied().chain([document.text.len()]);
            let starts = [0].into_iter().chain(self.page_starts.iter().copied());
            document.pages = (1..)
                .zip(starts.zip(ends))
                .map(|(number, (start, end))| Page {
                    number,
                    span: Span::new(start, end),
                })
                .collect();
        }
        document
    }
}

/// Trims white space and replaces control characters with spaces, except line ends.
fn clean(text: &str) -> String {
    let spaced = |c: char| {
        if c.is_control() && c != '\n' && c != '\t' {
            ' '
        } else {
            c
        }
    };
    text.chars().map(spaced).collect::<String>().trim().to_owned()
}

/// `2.1 Results` gives `2.1` and `Results`.
fn split_number(heading: &str) -> (Option<&str>, &str) {
    let Some((number, rest)) = heading.split_once(char::is_whitespace) else {
        return (None, heading);
    };
    let bare = number.trim_end_matches('.');
    let mut parts = bare.split('.');
    let numeric = |part: &str| !part.is_empty() && part.len() <= 3 && part.bytes().all(|byte| byte.is_ascii_digit());
    let letter = |part: &str| part.len() == 1 && part.bytes().all(|byte| byte.is_ascii_uppercase());
    let first = parts.next().unwrap_or_default();
    // A single letter may be the article at the start of a heading.
    let fits = (numeric(first) || (letter(first) && (bare != "A" || number.ends_with('.')))) && parts.all(numeric);
    if fits {
        (Some(bare), rest.trim_start())
    } else {
        (None, heading)
    }
}

/// The kind of a section, by its heading.
fn kind_of(heading: &str) -> SectionKind {
    let (number, name) = split_number(heading.trim());
    let name = name.to_lowercase();
    let top = name
        .split(" / ")
        .next()
        .unwrap_or_default()
        .trim_end_matches([':', '.']);
    let starts = |words: &[&str]| words.iter().any(|word| top.starts_with(word));
    if top.is_empty() {
        SectionKind::Other
    } else if starts(&["abstract", "summary"]) {
        SectionKind::Abstract
    } else if starts(&["introduction", "author summary"]) {
        SectionKind::Introduction
    } else if starts(&["related", "background", "previous work", "prior work", "literature"]) {
        SectionKind::RelatedWork
    } else if starts(&["references", "bibliography", "works cited"]) {
        SectionKind::References
    } else if starts(&[
        "acknowledg",
        "funding",
        "ethic",
        "conflict",
        "competing",
        "neurips paper checklist",
    ]) {
        SectionKind::Acknowledgements
    } else if starts(&["appendix", "supplement", "supporting information"])
        || number.is_some_and(|number| number.starts_with(|c: char| c.is_ascii_uppercase()))
    {
        SectionKind::Appendix
    } else if starts(&["conclusion", "concluding"]) {
        SectionKind::Conclusion
    } else if starts(&["discussion", "limitation", "broader impact", "future work"]) {
        SectionKind::Discussion
    } else if starts(&[
        "experiment",
        "result",
        "evaluation",
        "main result",
        "ablation",
        "empirical",
    ]) {
        SectionKind::Experiments
    } else if starts(&[
        "method",
        "material",
        "approach",
        "model",
        "our ",
        "proposed",
        "preliminar",
        "algorithm",
    ]) {
        SectionKind::Method
    } else {
        SectionKind::Other
    }
}
