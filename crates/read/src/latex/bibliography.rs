use std::collections::BTreeMap;

use precedent_domain::{Author, Identifiers};
use precedent_text::pattern;

use super::commands::CiteForm;

/// An entry of the reference list, from a `.bbl`, a `thebibliography` or a `.bib`.
#[derive(Debug, Clone, Default)]
pub(crate) struct Entry {
    /// The key used in `\cite`.
    pub(crate) key: String,
    /// The optional argument of `\bibitem`, as text.
    pub(crate) label: Option<String>,
    /// `Smith et al.`, if author-year marks can be built.
    pub(crate) short: Option<String>,
    /// `2019a`.
    pub(crate) year: Option<String>,
    /// The entry on one line.
    pub(crate) text: String,
    /// Title, if the source marks it up.
    pub(crate) title: Option<String>,
    /// Authors, if the source marks them up.
    pub(crate) authors: Vec<Author>,
    /// Identifiers that the source marks up.
    pub(crate) identifiers: Identifiers,
}

/// Style of citation marks in the text.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum MarkStyle {
    /// `[12]`
    #[default]
    Number,
    /// `(Smith et al., 2019)`
    AuthorYear,
    /// `[Smi19]`
    Label,
}

/// The reference list in printed form.
#[derive(Debug, Clone, Default)]
pub(crate) struct Bibliography {
    /// In printed order.
    pub(crate) entries: Vec<Entry>,
    /// Position of each key in `entries`.
    places: BTreeMap<String, usize>,
    /// Mark style.
    pub(crate) style: MarkStyle,
}

impl Bibliography {
    pub(crate) fn new(entries: Vec<Entry>, style: MarkStyle) -> Self {
        let places = (0..).zip(&entries).map(|(at, entry)| (entry.key.clone(), at)).collect();
        Self { entries, places, style }
    }

    pub(crate) fn entry(&self, key: &str) -> Option<(usize, &Entry)> {
        let at = *self.places.get(key)?;
        Some((at + 1, self.entries.get(at)?))
    }

    /// The printed mark, with its brackets. `before` and `after` are the notes of `\cite[before][after]{…}`.
    pub(crate) fn mark(&self, form: CiteForm, keys: &[String], before: &str, after: &str) -> String {
        let author_year = self.style == MarkStyle::AuthorYear;
        let form = if form == CiteForm::Plain && author_year {
            CiteForm::Textual
        } else {
            form
        };
        match form {
            CiteForm::Silent => String::new(),
            CiteForm::Author => self.each(keys, "; ", |_, entry| names(entry)),
            CiteForm::Year => self.each(keys, "; ", |_, entry| year(entry)),
            CiteForm::YearBracketed => format!(
                "({})",
                noted(before, &self.each(keys, "; ", |_, entry| year(entry)), after)
            ),
            CiteForm::Title => self.each(keys, "; ", |_, entry| entry.title.clone().unwrap_or_default()),
            CiteForm::Textual if author_year => self.each(keys, "; ", |_, entry| {
                format!("{} ({})", names(entry), noted(before, &year(entry), after))
            }),
            CiteForm::Textual => self.each(keys, "; ", |number, entry| match &entry.short {
                Some(short) => format!("{short} [{}]", noted(before, &self.sign(number, entry), after)),
                None => format!("[{}]", noted(before, &self.sign(number, entry), after)),
            }),
            CiteForm::Bare if author_year => {
                noted(before, &self.each(keys, "; ", |_, entry| name_and_year(entry)), after)
            }
            CiteForm::Bare => noted(
                before,
                &self.each(keys, ", ", |number, entry| self.sign(number, entry)),
                after,
            ),
            CiteForm::Plain | CiteForm::Bracketed if author_year => {
                format!(
                    "({})",
                    noted(before, &self.each(keys, "; ", |_, entry| name_and_year(entry)), after)
                )
            }
            CiteForm::Plain | CiteForm::Bracketed => {
                format!(
                    "[{}]",
                    noted(
                        before,
                        &self.each(keys, ", ", |number, entry| self.sign(number, entry)),
                        after
                    )
                )
            }
        }
    }

    fn sign(&self, number: usize, entry: &Entry) -> String {
        match (&self.style, &entry.label) {
            (MarkStyle::Label, Some(label)) => label.clone(),
            _ => number.to_string(),
        }
    }

    fn each(&self, keys: &[String], between: &str, print: impl Fn(usize, &Entry) -> String) -> String {
        let marks: Vec<String> = keys
            .iter()
            .map(|key| match self.entry(key) {
                Some((number, entry)) => print(number, entry),
                // LaTeX prints this for a key without an entry.
                None => "?".to_owned(),
            })
            .collect();
        marks.join(between)
    }
}

fn names(entry: &Entry) -> String {
    entry.short.clone().unwrap_or_else(|| entry.key.clone())
}

fn year(entry: &Entry) -> String {
    entry.year.clone().unwrap_or_else(|| "n.d.".to_owned())
}

fn name_and_year(entry: &Entry) -> String {
    format!("{}, {}", names(entry), year(entry))
}

fn noted(before: &str, mark: &str, after: &str) -> String {
    let mut text = String::new();
    if !before.is_empty() {
        text.push_str(before);
        text.push(' ');
    }
    text.push_str(mark);
    if !after.is_empty() {
        text.push_str(", ");
        text.push_str(after);
    }
    text
}

/// Parses the label of a `\bibitem`: natbib's `Smith et al.(2019)Smith, Jones`, apalike's `Smith et al., 2019`, or a label such as `Smi19`.
pub(crate) fn read_label(entry: &mut Entry, label: &str) {
    let year = pattern!(r"^(.+?)\s*(?:\(((?:\d{4}|n\.d\.|in press|to appear|forthcoming)[a-z]?)\)|,\s*(\d{4}[a-z]?)$)");
    let label = label.trim();
    if let Some(found) = year.captures(label) {
        entry.short = found.get(1).map(|short| short.as_str().trim().to_owned());
        entry.year = found.get(2).or(found.get(3)).map(|year| year.as_str().to_owned());
    } else if !label.is_empty() {
        entry.label = Some(label.trim_matches(['[', ']']).to_owned());
    }
}

/// `Smith`, `Smith and Jones`, `Smith et al.`
pub(crate) fn short_names(authors: &[Author]) -> Option<String> {
    match authors {
        [] => None,
        [one] => Some(one.family_name().to_owned()),
        [one, two] => Some(format!("{} and {}", one.family_name(), two.family_name())),
        [one, ..] => Some(format!("{} et al.", one.family_name())),
    }
}
