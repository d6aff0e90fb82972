//! Long because it holds the citation commands of all bibliography packages in one table and their styles.

use std::collections::BTreeMap;

use precedent_domain::{ParagraphKind, SectionKind};

use super::bib::{BibEntry, read_bib};
use super::bibliography::{Bibliography, Entry, MarkStyle, read_label, short_names};
use super::commands::CiteForm;
use super::names::bib_names;
use super::reader::LatexReader;
use super::sink::{NEW_BLOCK, Sink};
use super::token::{Source, Token, source_of};
use crate::draft::{Block, ReferenceHint};
use crate::format::fold_space;

/// Maximum entries per reference list.
const ENTRIES: usize = 20_000;

impl LatexReader<'_> {
    /// Handles a citation: records its keys in order and prints its mark.
    pub(super) fn cite(&mut self, form: CiteForm) {
        self.expander.star();
        let first = self.expander.optional();
        let second = if first.is_some() {
            self.expander.optional()
        } else {
            None
        };
        let keys = self.expander.source_argument();
        let keys: Vec<String> = keys
            .split(',')
            .map(|key| key.trim().replace('\u{a0}', ""))
            .filter(|key| !key.is_empty())
            .collect();
        for key in &keys {
            if self.cited.len() < ENTRIES && self.cited_set.insert(key.clone()) {
                self.cited.push(key.clone());
            }
        }
        if form == CiteForm::Silent || keys.is_empty() {
            return;
        }
        let (before, after) = match (first, second) {
            (Some(before), Some(after)) => (self.render_text(before), self.render_text(after)),
            (Some(after), None) => (String::new(), self.render_text(after)),
            _ => (String::new(), String::new()),
        };
        let mark = self.known.bibliography.mark(form, &keys, &before, &after);
        if mark.is_empty() || !self.is_writing() {
            return;
        }
        if self.state.hidden.is_some() || self.state.tiny {
            self.put_text(&mark);
            return;
        }
        if self
            .sink
            .text
            .ends_with(|c: char| c.is_alphanumeric() || matches!(c, ')' | '.' | ',' | '’'))
        {
            self.sink.put_space();
        }
        let start = self.sink.text.len();
        self.sink.put_text(&mark);
        self.written += mark.len();
        self.sink.citations.push((start..self.sink.text.len(), keys));
    }

    pub(super) fn bibliography_command(&mut self, name: &str) {
        match name {
            "bibliography" => {
                let names = self.expander.source_argument();
                self.bib_files(&names);
                self.print_bibliography();
            }
            "addbibresource" => {
                self.expander.optional();
                let names = self.expander.source_argument();
                self.bib_files(&names);
            }
            "printbibliography" => {
                self.expander.optional();
                self.print_bibliography();
            }
            "bibliographystyle" => self.style_name = Some(self.expander.source_argument()),
            "setcitestyle" | "citestyle" => {
                let style = self.expander.source_argument();
                let known = self.packages.entry("natbib".to_owned()).or_default();
                if known.len() < 10_000 {
                    known.push(',');
                    known.push_str(&style);
                }
            }
            "bibitem" => self.bib_item(),
            "else" => {
                self.expander.skip_branch(false, true);
            }
            "externaldocument" => self.skip("om"),
            "bysame" => self.put_text("———"),
            _ => {}
        }
    }

    fn bib_files(&mut self, names: &str) {
        for name in names.split(',').map(str::trim).filter(|name| !name.is_empty()) {
            if self.bib_names.len() < 100 && !self.bib_names.iter().any(|known| known == name) {
                self.bib_names.push(name.to_owned());
            }
        }
    }

    /// Prints the reference list at its position: from the `.bbl`, or from the `.bib` as built in the first pass.
    pub(super) fn print_bibliography(&mut self) {
        if self.list_printed || !self.is_writing() {
            return;
        }
        if let Some(name) = self.bbl_name() {
            self.expander.input(&name, &[]);
            return;
        }
        let known = self.known;
        if known.bibliography.entries.is_empty() {
            return;
        }
        self.reference_heading();
        for (number, entry) in (1..).zip(&known.bibliography.entries) {
            let block = reference_block(entry, number, known.bibliography.style);
            self.blocks.push(block);
        }
        self.list_printed = true;
    }

    /// The `.bbl` of the main file, or the only `.bbl`, if it contains `\bibitem`s.
    fn bbl_name(&self) -> Option<String> {
        let stem = self
            .files
            .main_name()
            .rsplit_once('.')
            .map_or(self.files.main_name(), |(stem, _)| stem);
        let own = format!("{stem}.bbl");
        let all: Vec<(&str, _)> = self.files.with_extension("bbl").collect();
        let found = all
            .iter()
            .find(|(name, _)| *name == own)
            .or(if all.len() == 1 { all.first() } else { None })?;
        found.1.contains("\\bibitem").then(|| found.0.to_owned())
    }

    fn reference_heading(&mut self) {
        let appendix = std::mem::take(&mut self.in_appendix);
        self.plain_heading("References", Some(SectionKind::References));
        self.in_appendix = appendix;
    }

    pub(super) fn begin_references(&mut self, name: &str) {
        if name == "thebibliography" {
            self.expander.argument();
        }
        if !self.list_printed {
            self.reference_heading();
        }
        self.list_printed = true;
        self.enter(name, ParagraphKind::Reference);
    }

    fn bib_item(&mut self) {
        self.finish_entry();
        let label = self.expander.optional().map(|tokens| {
            // `\citeauthoryear{full}{short}{year}` of the older styles.
            let parts = author_year_label(&tokens);
            parts.unwrap_or(tokens)
        });
        let key = self.expander.source_argument();
        let mut entry = Entry {
            key,
            ..Entry::default()
        };
        if let Some(label) = label {
            let label = self.render_text(label);
            read_label(&mut entry, &label);
        }
        self.sink = Sink::new(ParagraphKind::Reference, false);
        self.entry = Some(entry);
    }

    /// Finishes the current entry.
    pub(super) fn finish_entry(&mut self) {
        let Some(mut entry) = self.entry.take() else { return };
        let kind = self.sink.kind;
        let run = std::mem::replace(&mut self.sink, Sink::new(kind, false));
        if entry.title.is_none() {
            entry.title = title_between_blocks(&run.text);
        }
        entry.text = fold_space(&run.text.replace(NEW_BLOCK, " "));
        if entry.text.is_empty() || self.entries.len() >= ENTRIES {
            return;
        }
        let style = self.known.bibliography.style;
        let block = reference_block(&entry, self.entries.len() + 1, style);
        self.blocks.push(block);
        self.entries.push(entry);
    }

    /// The reference list and the mark style, after the first pass.
    pub(crate) fn bibliography(&mut self) -> Bibliography {
        let mut entries = std::mem::take(&mut self.entries);
        if entries.is_empty() {
            entries = self.biblatex_entries();
        }
        if entries.is_empty() {
            entries = self.bib_entries();
        }
        let style = self.mark_style(&entries);
        if style == MarkStyle::AuthorYear {
            let mut seen: BTreeMap<(String, String), Vec<usize>> = BTreeMap::new();
            for (at, entry) in entries.iter().enumerate() {
                if let (Some(short), Some(year)) = (&entry.short, &entry.year) {
                    seen.entry((short.clone(), year.clone())).or_default().push(at);
                }
            }
            for ((_, year), places) in seen.into_iter().filter(|(_, places)| places.len() > 1) {
                for (letter, at) in ('a'..='z').zip(places) {
                    if let Some(entry) = entries.get_mut(at) {
                        entry.year = Some(format!("{year}{letter}"));
                    }
                }
            }
        }
        Bibliography::new(entries, style)
    }

    fn mark_style(&self, entries: &[Entry]) -> MarkStyle {
        let options = |package: &str| self.packages.get(package).map(String::as_str);
        let loaded = |start: &str| self.packages.keys().any(|package| package.starts_with(start));
        let natbib = options("natbib").unwrap_or_default();
        let with_year = entries
            .iter()
            .filter(|entry| entry.short.is_some() && entry.year.is_some())
            .count();
        let labelled = entries.iter().filter(|entry| entry.label.is_some()).count();
        let numeric = natbib.contains("numbers") || natbib.contains("super") || natbib.contains("acmnumeric");
        let style = self.style_name.as_deref().unwrap_or_default().to_lowercase();
        let biblatex = options("biblatex").unwrap_or_default();
        let always_numeric = ["ieeetr", "plain", "unsrt", "abbrv", "splncs", "ieee"]
            .iter()
            .any(|name| style.starts_with(name))
            && !style.ends_with("nat");
        if labelled * 2 > entries.len() {
            return MarkStyle::Label;
        }
        if numeric || with_year * 2 <= entries.len() {
            return MarkStyle::Number;
        }
        let author_year = natbib.contains("authoryear")
            || natbib.contains("round")
            || biblatex.contains("authoryear")
            || biblatex.contains("apa")
            || options("natbib").is_some()
            || [
                "acl", "naacl", "emnlp", "eacl", "icml", "iclr", "neurips", "nips", "colm", "aaai", "jmlr", "tmlr",
                "apacite", "chicago", "harvard", "aistats",
            ]
            .iter()
            .any(|package| loaded(package))
            || [
                "apa", "chicago", "harvard", "acl", "nat", "agsm", "icml", "iclr", "aaai",
            ]
            .iter()
            .any(|part| style.contains(part));
        let class_numeric =
            loaded("acmart") || loaded("ieee") || loaded("revtex") || loaded("elsarticle") || loaded("llncs");
        if author_year
            && !(class_numeric && !natbib.contains("authoryear") && options("natbib").is_none())
            && !(always_numeric && options("natbib").is_none())
        {
            MarkStyle::AuthorYear
        } else {
            MarkStyle::Number
        }
    }

    /// The cited entries of the `.bib` files.
    fn bib_entries(&mut self) -> Vec<Entry> {
        let mut all: BTreeMap<String, BibEntry> = BTreeMap::new();
        let mut order = Vec::new();
        let names = std::mem::take(&mut self.bib_names);
        let mut texts: Vec<std::rc::Rc<str>> = names
            .iter()
            .filter_map(|name| self.files.resolve(name, "", &["bib"]).map(|(_, text)| text))
            .collect();
        if texts.is_empty() {
            texts = self.files.with_extension("bib").map(|(_, text)| text).collect();
        }
        for text in texts {
            for entry in read_bib(&text) {
                if !all.contains_key(&entry.key) && all.len() < 100_000 {
                    order.push(entry.key.clone());
                    all.insert(entry.key.clone(), entry);
                }
            }
        }
        let keys = if self.cited_set.contains("*") {
            order
        } else {
            std::mem::take(&mut self.cited)
        };
        let mut entries: Vec<Entry> = keys
            .iter()
            .filter_map(|key| {
                all.get(key)
                    .or_else(|| all.values().find(|entry| entry.key.eq_ignore_ascii_case(key)))
                    .map(|entry| (key, entry))
            })
            .take(ENTRIES)
            .map(|(key, entry)| {
                let mut entry = self.entry_of(entry);
                entry.key.clone_from(key);
                entry
            })
            .collect();
        let style = self.style_name.as_deref().unwrap_or_default().to_lowercase();
        let in_order = style.contains("unsrt")
            || style.starts_with("ieee")
            || self
                .packages
                .get("biblatex")
                .is_some_and(|options| options.contains("sorting=none"));
        if !in_order {
            entries.sort_by_cached_key(|entry| {
                let names: Vec<String> = entry
                    .authors
                    .iter()
                    .map(|author| author.family_name().to_lowercase())
                    .collect();
                (names, entry.year.clone(), entry.text.to_lowercase())
            });
        }
        entries
    }

    /// Renders TeX from outside the running text as plain text.
    pub(super) fn render_source(&mut self, tex: &str) -> String {
        let mut source = Source::file("", tex.into());
        let mut tokens = Vec::new();
        while let Some(token) = source.lex(&mut |_| {}) {
            tokens.push(if token == Token::Par { Token::Space } else { token });
        }
        self.render_text(tokens)
    }

    /// A `.bib` entry printed in a plain style.
    pub(super) fn entry_of(&mut self, entry: &BibEntry) -> Entry {
        let mut field = |name: &str| {
            entry
                .fields
                .get(name)
                .map(|value| self.render_source(value))
                .filter(|value| !value.is_empty())
        };
        let title = field("title");
        let venue = [
            "journal",
            "journaltitle",
            "booktitle",
            "school",
            "institution",
            "howpublished",
        ]
        .iter()
        .find_map(|name| field(name));
        let (volume, number, pages, publisher) = (field("volume"), field("number"), field("pages"), field("publisher"));
        let year = field("year").or_else(|| field("date")).and_then(|date| year_in(&date));
        let (doi, eprint, url) = (field("doi"), field("eprint"), field("url"));
        let people = entry
            .fields
            .get("author")
            .or_else(|| entry.fields.get("editor"))
            .cloned()
            .unwrap_or_default();
        let (authors, others) = bib_names(&people, |tex| self.render_source(tex));
        let mut built = Entry {
            key: entry.key.clone(),
            short: short_names(&authors).map(|short| {
                if others && authors.len() <= 2 {
                    format!("{} et al.", short.split(" and ").next().unwrap_or_default())
                } else {
                    short
                }
            }),
            year: year.clone(),
            title: title.clone(),
            ..Entry::default()
        };
        built.identifiers.doi = doi.as_deref().and_then(|doi| doi.parse().ok());
        built.identifiers.arxiv = [eprint.as_deref(), url.as_deref()]
            .into_iter()
            .flatten()
            .find_map(|text| text.parse().ok());
        let mut names: Vec<&str> = authors.iter().map(|author| author.name.as_str()).collect();
        if others {
            names.push("et al.");
        }
        let mut place = venue.unwrap_or_default();
        if let Some(volume) = volume {
            place.push_str(&format!(", {volume}"));
            place.push_str(&number.map(|number| format!("({number})")).unwrap_or_default());
        }
        if let Some(pages) = pages {
            place.push_str(&format!(", pages {pages}"));
        }
        let place = [place, publisher.unwrap_or_default(), year.unwrap_or_default()]
            .into_iter()
            .filter(|part| !part.is_empty());
        let place = place.collect::<Vec<_>>().join(", ");
        let doi = built
            .identifiers
            .doi
            .as_ref()
            .map(|doi| format!("doi:{}", doi.as_str()))
            .unwrap_or_default();
        let arxiv = built
            .identifiers
            .arxiv
            .as_ref()
            .map(|id| format!("arXiv:{}", id.as_str()))
            .unwrap_or_default();
        let parts = [
            names.join(", "),
            title.unwrap_or_default(),
            place.trim_start_matches(", ").to_owned(),
            doi,
            arxiv,
        ];
        let parts: Vec<&str> = parts
            .iter()
            .map(|part| part.trim_end_matches('.'))
            .filter(|part| !part.is_empty())
            .collect();
        built.text = format!("{}.", parts.join(". "));
        built.authors = authors;
        built
    }
}

/// A reference block with everything the source says about the entry.
pub(super) fn reference_block(entry: &Entry, number: usize, style: MarkStyle) -> Block {
    let mut block = Block::new(ParagraphKind::Reference, entry.text.clone());
    let label = match style {
        MarkStyle::Number => Some(number.to_string()),
        MarkStyle::Label => entry.label.clone(),
        MarkStyle::AuthorYear => None,
    };
    let year = entry
        .year
        .as_deref()
        .and_then(year_in)
        .and_then(|year| year.parse().ok());
    block.reference = Some(ReferenceHint {
        key: Some(entry.key.clone()),
        label,
        title: entry.title.clone(),
        authors: entry.authors.clone(),
        year,
        identifiers: entry.identifiers.clone(),
    });
    block
}

/// The text between the first and the second `\newblock`, which most styles use for the title.
fn title_between_blocks(text: &str) -> Option<String> {
    let mut parts = text.split(NEW_BLOCK);
    let (before, title) = (parts.next()?, parts.next()?);
    let title = fold_space(title);
    let title = title
        .trim_end_matches(['.', ','])
        .trim_matches(['“', '”', '"', ' '])
        .trim_end_matches(['.', ',']);
    let fits = title.split_whitespace().count() >= 2 && title.len() < 400 && !before.trim().is_empty();
    (fits && !title.starts_with("In ") && !title.contains(" et al")).then(|| title.to_owned())
}

/// `Short, year` from `\citeauthoryear{full}{short}{year}`.
fn author_year_label(tokens: &[Token]) -> Option<Vec<Token>> {
    let at = tokens
        .iter()
        .position(|token| matches!(token, Token::Command(name) if &**name == "citeauthoryear"))?;
    let text = source_of(tokens.get(at + 1..)?);
    let mut groups = Vec::new();
    let (mut depth, mut start) = (0usize, 0usize);
    for (at, c) in text.char_indices() {
        match c {
            '{' => {
                if depth == 0 {
                    start = at + 1;
                }
                depth += 1;
            }
            '}' => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    groups.push(text.get(start..at).unwrap_or_default());
                }
            }
            _ => {}
        }
    }
    let year = groups.last().filter(|_| groups.len() >= 2)?;
    let names = groups.get(groups.len() - 2)?;
    let mut source = Source::file("", format!("{names}({year})").into());
    let mut tokens = Vec::new();
    while let Some(token) = source.lex(&mut |_| {}) {
        tokens.push(token);
    }
    Some(tokens)
}

/// The first four-digit year of a text.
pub(super) fn year_in(text: &str) -> Option<String> {
    text.split(|c: char| !c.is_ascii_digit())
        .find(|part| {
            part.len() == 4
                && (part.starts_with("19")
                    || part.starts_with("20")
                    || part.starts_with("18")
                    || part.starts_with("17"))
        })
        .map(str::to_owned)
}
