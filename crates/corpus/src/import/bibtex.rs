use std::collections::BTreeMap;
use std::io::BufRead;

use biblatex::{Bibliography, ChunksExt, Entry, ParseErrorKind, Person};
use precedent_text::bibtex::RawEntry;

use super::BadRecord;
use super::bibtex_entries::Entries;
use super::kind::{Items, Kind};
use super::work_builder::WorkBuilder;
use crate::Record;

/// BibTeX and biblatex, including the dialects of Zotero and Better BibTeX.
pub(super) const KIND: Kind = Kind {
    name: "bibtex",
    title: "BibTeX",
    adds_to_others: false,
    recognises: |head| {
        let mut lines = head.text().lines().take(60);
        match head.ending() {
            "bib" | "bibtex" | "biblatex" => true,
            // Papers often include a BibTeX entry of themselves.
            "tex" | "md" | "markdown" | "html" | "htm" | "xml" | "json" | "jsonl" | "csv" => false,
            _ => lines.any(|line| is_entry(line.trim_start())),
        }
    },
    open: |input| Box::new(BibTex::new(input)),
};

/// Whether a line starts an entry.
fn is_entry(line: &str) -> bool {
    let head = line.strip_prefix('@').and_then(|rest| rest.split_once(['{', '(']));
    head.is_some_and(|(kind, _)| !kind.is_empty() && kind.trim_end().chars().all(|c| c.is_ascii_alphabetic()))
}

/// Maximum total size in bytes of `@string` definitions; later ones are ignored.
const MOST_ABBREVIATIONS: usize = 256 * 1024;
/// Maximum number of unknown abbreviations per entry that are replaced by their names.
const MOST_UNKNOWN: usize = 8;

/// Replaces accented dotless letters (`{\'\i}`, `\"{\i}`) with dotted ones, which is the intended letter and the one that the BibTeX parser knows.
fn with_dots(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        let (before, accent) = rest.split_at(at);
        out.push_str(before);
        let mark = accent
            .get(..2)
            .filter(|mark| mark.ends_with(['\'', '"', '`', '^', '~', '=', '.']));
        let dotless = mark.and_then(|mark| {
            let after = accent.strip_prefix(mark)?;
            let inner = after.strip_prefix('{').unwrap_or(after);
            let letter = inner.strip_prefix('\\')?;
            let more = letter.strip_prefix(['i', 'j'])?;
            // `\'\item` is not a letter.
            let is_letter = !more.starts_with(char::is_alphabetic);
            is_letter.then(|| {
                (
                    mark,
                    letter.get(..1).unwrap_or_default(),
                    inner.len() < after.len(),
                    more,
                )
            })
        });
        match dotless {
            Some((mark, letter, braced, more)) => {
                out.push_str(mark);
                out.push_str(if braced { "{" } else { "" });
                out.push_str(letter);
                // The space after the command name belongs to the command.
                rest = if braced {
                    more
                } else {
                    more.strip_prefix(' ').unwrap_or(more)
                };
            }
            None => {
                // Another command or an escaped backslash: copied unchanged, both characters.
                let end = accent.char_indices().nth(2).map_or(accent.len(), |(end, _)| end);
                let (taken, more) = accent.split_at(end);
                out.push_str(taken);
                rest = more;
            }
        }
    }
    out.push_str(rest);
    out
}

/// Records of a BibTeX or biblatex file. The key of an entry is not used as its id, because two files may use one key for different works.
pub(super) struct BibTex<R> {
    entries: Entries<R>,
    /// `@string` definitions, unparsed, by name in lower case.
    abbreviations: BTreeMap<String, String>,
    kept: usize,
}

impl<R: BufRead> BibTex<R> {
    pub(super) fn new(input: R) -> Self {
        Self {
            entries: Entries::new(input),
            abbreviations: BTreeMap::new(),
            kept: 0,
        }
    }

    fn remember(&mut self, text: &str) {
        let inside = text.split_once(['{', '(']).map(|(_, inside)| inside);
        if let Some((name, _)) = inside.and_then(|inside| inside.split_once('='))
            && self.kept + text.len() <= MOST_ABBREVIATIONS
        {
            self.kept += text.len();
            self.abbreviations.insert(name.trim().to_lowercase(), text.to_owned());
        }
    }

    fn record(&self, raw: &RawEntry) -> Result<Record, BadRecord> {
        let name = raw
            .text
            .split_once(['{', '('])
            .and_then(|(_, rest)| rest.split(',').next());
        let name = name
            .map(str::trim)
            .filter(|name| !name.is_empty() && !name.contains('\n'));
        let bad = |reason: String| BadRecord::new(raw.line, name, reason);
        let entry = self.parse(&raw.text).map_err(bad)?;
        builder(&entry).build().map_err(bad)
    }

    fn parse(&self, text: &str) -> Result<Entry, String> {
        let lower = text.to_lowercase();
        let mut source = String::new();
        for (name, definition) in &self.abbreviations {
            if lower.contains(name.as_str()) {
                source.push_str(definition);
                source.push('\n');
            }
        }
        source.push_str(&with_dots(text));
        for _ in 0..=MOST_UNKNOWN {
            match Bibliography::parse(&source) {
                Ok(bibliography) => {
                    let mut entries = bibliography.into_vec().into_iter();
                    return entries.next().ok_or_else(|| "it is not a BibTeX entry".to_owned());
                }
                Err(error) => match error.kind {
                    // Defined in another file: its name is better than nothing.
                    ParseErrorKind::UnknownAbbreviation(name)
                        if name.chars().all(|c| c.is_alphanumeric() || c == '-' || c == '_') =>
                    {
                        source = format!("@string{{{name} = \"{name}\"}}\n{source}");
                    }
                    kind => return Err(format!("it cannot be parsed as BibTeX: {kind}")),
                },
            }
        }
        Err("it uses too many unknown abbreviations".to_owned())
    }
}

impl<R: BufRead> Iterator for BibTex<R> {
    type Item = Result<Record, BadRecord>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            match self.entries.next()? {
                Err(bad) => return Some(Err(bad)),
                Ok(raw) => match raw.kind.as_str() {
                    "string" => self.remember(&raw.text),
                    "comment" | "preamble" | "control" | "set" | "xdata" => {}
                    _ => return Some(self.record(&raw)),
                },
            }
        }
    }
}

fn builder(entry: &Entry) -> WorkBuilder {
    let field = |names: &[&str]| {
        let chunks = names.iter().find_map(|name| entry.get(name));
        chunks
            .map(ChunksExt::format_verbatim)
            .map(|text| text.trim().to_owned())
            .filter(|text| !text.is_empty())
    };
    let title = match (field(&["title"]), field(&["subtitle"])) {
        (Some(title), Some(subtitle)) => format!("{title}: {subtitle}"),
        (title, _) => title.unwrap_or_default(),
    };
    let date = field(&["date"]).or_else(|| {
        let year = field(&["year"])?;
        let rest = [field(&["month"]), field(&["day"])];
        Some(
            rest.into_iter()
                .flatten()
                .fold(year, |date, part| format!("{date} {part}")),
        )
    });
    let kind = field(&["eprinttype", "archiveprefix"]).map(|kind| kind.to_lowercase());
    WorkBuilder {
        title,
        summary: field(&["abstract"]),
        authors: authors(entry),
        venue: field(&[
            "journaltitle",
            "journal",
            "booktitle",
            "eventtitle",
            "series",
            "school",
            "institution",
            "publisher",
        ]),
        dates: date.into_iter().collect(),
        urls: field(&["url"]).into_iter().collect(),
        doi: field(&["doi"]),
        arxiv: field(&["eprint"]).filter(|_| kind.is_none_or(|kind| kind == "arxiv")),
        ..WorkBuilder::default()
    }
}

fn authors(entry: &Entry) -> Vec<String> {
    let people = entry
        .author()
        .or_else(|_| entry.get_as::<Vec<Person>>("editor"))
        .unwrap_or_default();
    people
        .into_iter()
        .map(|person| {
            let parts = [person.given_name, person.prefix, person.name, person.suffix];
            parts
                .into_iter()
                .filter(|part| !part.is_empty())
                .collect::<Vec<_>>()
                .join(" ")
        })
        .filter(|name| name != "others")
        .collect()
}

impl<R: BufRead + Send> Items for BibTex<R> {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accented_letters_are_parsed_with_or_without_their_dot() {
        for (written, read) in [
            (r"Garc{\'\i}a", r"Garc{\'i}a"),
            (r#"na{\"{\i}}ve"#, r#"na{\"{i}}ve"#),
            (r"\'\i and \^\j", r"\'iand \^j"),
            (r"\'\item \\i \i", r"\'\item \\i \i"),
            (r"\", r"\"),
            (r"é\'é", r"é\'é"),
        ] {
            assert_eq!(with_dots(written), read, "{written}");
        }
        let entry = r#"@article{a, title = {On na{\"\i}ve readers}, author = {Garc{\'\i}a, Ana}, year = 2001}"#;
        let source = BibTex::new(std::io::Cursor::new(Vec::new()));
        let entry = source.parse(entry).unwrap();
        assert_eq!(entry.title().unwrap().format_verbatim(), "On naïve readers");
        assert_eq!(entry.author().unwrap()[0].name, "García");
    }
}
