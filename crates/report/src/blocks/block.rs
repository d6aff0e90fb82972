use std::fmt::Display;

use super::Line;
use crate::passage::{Passage, Side};

/// A report, ready to be written in any format.
pub(crate) struct ReportPage {
    /// The title; may be external text.
    pub(crate) title: String,
    /// What the page is, for its title in a browser: `audit`.
    pub(crate) about: &'static str,
    /// The same as a line above the title.
    pub(crate) kind: &'static str,
    /// Below the title: authors, the judge, the cutoff date.
    pub(crate) byline: Vec<Line>,
    /// What a reader must know before the findings.
    pub(crate) warnings: Vec<Block>,
    /// The parts, findings first.
    pub(crate) sections: Vec<Section>,
    /// The last line; may be empty.
    pub(crate) disclaimer: String,
}

/// A part of a report.
pub(crate) struct Section {
    /// The anchor.
    pub(crate) id: String,
    /// The heading.
    pub(crate) title: String,
    /// How much it contains; may be empty.
    pub(crate) note: String,
    /// Links to the part in the bar at the top: anchor and label.
    pub(crate) links: Vec<(String, String)>,
    /// Whether it is printed although it is folded.
    pub(crate) printed: bool,
    /// How a page shows the heading.
    pub(crate) heading: SectionHeading,
    /// The content.
    pub(crate) blocks: Vec<Block>,
}

/// How a page shows the heading of a part.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SectionHeading {
    /// For screen readers only, because the findings are at the top.
    Hidden,
    /// As a heading.
    Shown,
    /// As the summary of a folded part.
    Folded,
}

impl Section {
    /// The findings, which come first.
    pub(crate) fn findings(id: &str, title: &str, blocks: Vec<Block>) -> Self {
        Self::new(id, title, SectionHeading::Hidden, blocks)
    }

    /// A part with a heading.
    pub(crate) fn shown(id: &str, title: &str, blocks: Vec<Block>) -> Self {
        Self::new(id, title, SectionHeading::Shown, blocks)
    }

    /// A part that is folded at first.
    pub(crate) fn folded(id: &str, title: &str, blocks: Vec<Block>) -> Self {
        Self::new(id, title, SectionHeading::Folded, blocks)
    }

    /// Prints the part although it is folded.
    pub(crate) fn printed(mut self) -> Self {
        self.printed = true;
        self
    }

    /// Says in its heading how much it contains.
    pub(crate) fn noted(mut self, note: String) -> Self {
        self.note = note;
        self
    }

    /// The label of its link, if it is not the heading.
    pub(crate) fn labelled(mut self, label: &str) -> Self {
        self.links = vec![(self.id.clone(), label.to_owned())];
        self
    }

    /// Other links than the one to its beginning.
    pub(crate) fn linked(mut self, links: Vec<(String, String)>) -> Self {
        self.links = links;
        self
    }

    fn new(id: &str, title: &str, heading: SectionHeading, blocks: Vec<Block>) -> Self {
        Self {
            id: id.to_owned(),
            title: title.to_owned(),
            links: vec![(id.to_owned(), title.to_owned())],
            note: String::new(),
            printed: false,
            heading,
            blocks,
        }
    }
}

/// A part of the content of a report.
pub(crate) enum Block {
    /// A heading of level 3 or 4.
    Heading(u8, Line),
    /// A heading of level 3 with an anchor.
    Anchored(String, Line),
    /// A paragraph.
    Paragraph(Tone, Line),
    /// Words of a source, with the source, and a label such as `supports` with its shape.
    Quote {
        /// The source.
        who: Line,
        /// Shape and label.
        label: Option<(&'static str, &'static str)>,
        /// The words.
        quote: Passage,
        /// Whether a page names the source below the words. If not, it is named above.
        signed: bool,
    },
    /// Paragraphs that were written elsewhere: an idea, an abstract, a model's reasoning.
    Extract(Vec<Line>),
    /// A list.
    List {
        /// Whether its items are numbered.
        numbered: bool,
        /// The items.
        items: Vec<Line>,
    },
    /// Names with explanations.
    Terms(Vec<(String, Line)>),
    /// Papers or documents, one after the other; `start` is the number of the first.
    Entries {
        /// Position of the first.
        start: usize,
        /// Whether a page offers a search of them.
        searchable: bool,
        /// Whether Markdown lists them in one line each.
        brief: bool,
        /// The papers.
        entries: Vec<Entry>,
    },
    /// A table. The first cell of a row names it.
    Table {
        /// What it contains, for screen readers.
        label: String,
        /// How a page shows it.
        kind: TableKind,
        /// The columns.
        head: Vec<Column>,
        /// The rows.
        rows: Vec<Row>,
        /// How many rows Markdown shows.
        most: usize,
    },
    /// Content that a page folds.
    Fold {
        /// The line to click.
        title: String,
        /// The content.
        blocks: Vec<Block>,
        /// What Markdown shows of it.
        markdown: InMarkdown,
    },
    /// Two columns on a wide page.
    Sides([Vec<Block>; 2]),
    /// The same for the facts and limits below the findings.
    Opening([Vec<Block>; 2]),
    /// Papers side by side, each with a few lines. Markdown has them in full elsewhere.
    Cards {
        /// What they are, for screen readers.
        label: String,
        /// The papers.
        cards: Vec<Vec<Block>>,
    },
    /// A paper compared with a claim.
    Comparison {
        /// The anchor.
        id: String,
        /// Whether it is expanded at first.
        open: bool,
        /// Shape and label of the status.
        status: (&'static str, &'static str),
        /// The paper.
        who: Line,
        /// What was compared.
        facts: String,
        /// The passages.
        blocks: Vec<Block>,
    },
    /// Two passages, each in its paragraph.
    Pair {
        /// What they share.
        caption: Line,
        /// The passage of the paper.
        ours: Box<Side>,
        /// Whether Markdown has it elsewhere.
        known: bool,
        /// The source of the other passage.
        who: Line,
        /// The other passage.
        theirs: Box<Side>,
    },
    /// Content that only pages show.
    PageOnly(Vec<Block>),
    /// A taxonomy.
    Tree(Box<Branch>),
    /// A part of a section with its own heading of level 3.
    Article {
        /// The anchor.
        id: String,
        /// A few words above the heading; may be empty.
        above: String,
        /// The heading.
        title: Line,
        /// Whether it has two columns.
        sides: bool,
        /// The content.
        blocks: Vec<Block>,
    },
    /// A passage of a paper or document.
    Passage {
        /// The anchor, if it is the first of its kind on the page.
        id: Option<String>,
        /// The source. Markdown names it with each quote instead.
        who: Line,
        /// The content.
        blocks: Vec<Block>,
    },
    /// The most important limits of the findings.
    Limits {
        /// The heading.
        title: &'static str,
        /// The first limits.
        first: Vec<Line>,
        /// How many there are.
        all: usize,
        /// Whether these are all, in full.
        complete: bool,
    },
    /// A warning that comes before the findings, with what it is about.
    Warning(Line, Vec<Block>),
    /// A field that searches the papers of a site, whose entries are in this number of scripts. It needs the page's script.
    Search {
        /// The number of scripts.
        chunks: usize,
    },
    /// A chart from a template of this crate. Markdown leaves it out: a table with the same numbers or a sentence follows it.
    Chart(Box<dyn Display>),
}

/// How a page shows a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TableKind {
    /// As it is.
    Plain,
    /// The findings, as wide as the page.
    Findings,
    /// The reader can sort it.
    Sortable,
}

/// A column of a table.
#[derive(Clone)]
pub(crate) struct Column {
    /// Its name.
    pub(crate) name: Line,
    /// Whether it contains numbers.
    pub(crate) number: bool,
}

/// A row of a table.
pub(crate) struct Row {
    /// The anchor, if something links to it.
    pub(crate) id: Option<String>,
    /// The cells.
    pub(crate) cells: Vec<Line>,
}

/// A category of a taxonomy with everything below it.
pub(crate) struct Branch {
    /// Its name, the number of papers and what marks it.
    pub(crate) title: Line,
    /// What it includes and excludes; may be empty.
    pub(crate) scope: Line,
    /// Whether the assessed paper is in it.
    pub(crate) home: bool,
    /// Whether it is expanded at first.
    pub(crate) open: bool,
    /// Citation and title of its papers.
    pub(crate) papers: Vec<(Line, String)>,
    /// The categories below it.
    pub(crate) branches: Vec<Branch>,
}

/// A paper or document in a list.
pub(crate) struct Entry {
    /// The anchor.
    pub(crate) id: String,
    /// Name, number and title.
    pub(crate) title: Line,
    /// Authors, date and origin.
    pub(crate) facts: Line,
    /// What follows, which may be nothing.
    pub(crate) blocks: Vec<Block>,
}

/// The weight of a paragraph.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tone {
    /// Ordinary text.
    Plain,
    /// The most important finding.
    Lead,
    /// The reason for it.
    Intro,
    /// A model's or a paper's prose.
    Prose,
    /// Less important.
    Small,
    /// Even less important.
    Fine,
    /// Instead of content that does not exist.
    Empty,
    /// A passage in full.
    Context,
    /// The status of a claim.
    Standing,
    /// The paper of a card.
    Who,
    /// Its status.
    Verdict,
    /// Its passage.
    Side,
    /// To copy into another text.
    Copy,
}

/// What Markdown shows of folded content.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum InMarkdown {
    /// Everything.
    Shown,
    /// Everything but the title.
    Untitled,
    /// The title, and where to find the content.
    Named,
    /// Nothing.
    Omitted,
}

impl Block {
    /// An ordinary paragraph.
    pub(crate) fn paragraph(line: Line) -> Self {
        Self::Paragraph(Tone::Plain, line)
    }

    /// Instead of content that does not exist.
    pub(crate) fn empty(text: &str) -> Self {
        Self::Paragraph(Tone::Empty, Line::of(text))
    }

    /// A list with bullets.
    pub(crate) fn list(items: Vec<Line>) -> Self {
        Self::List { numbered: false, items }
    }

    /// A table of words.
    pub(crate) fn table(label: &str, head: &[&str], rows: Vec<Vec<Line>>) -> Self {
        let rows = rows.into_iter().map(|cells| Row { id: None, cells });
        Self::Table {
            label: label.to_owned(),
            kind: TableKind::Plain,
            head: head.iter().map(|name| Column::of(name)).collect(),
            rows: rows.collect(),
            most: usize::MAX,
        }
    }

    /// Papers or documents in full.
    pub(crate) fn entries(start: usize, entries: Vec<Entry>) -> Self {
        Self::Entries {
            start,
            searchable: false,
            brief: false,
            entries,
        }
    }
}

impl Column {
    /// A column of words.
    pub(crate) fn of(name: &str) -> Self {
        Self::from(Line::of(name))
    }

    /// A column of numbers.
    pub(crate) fn number(name: &str) -> Self {
        Self {
            number: true,
            ..Self::of(name)
        }
    }
}

impl From<Line> for Column {
    fn from(name: Line) -> Self {
        Self { name, number: false }
    }
}
