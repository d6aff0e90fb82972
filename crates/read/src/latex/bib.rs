use std::collections::BTreeMap;

use precedent_text::bibtex::{Entries, RawEntry};

/// An entry of a `.bib` file: its key and its fields. Field names are lower case; values are TeX.
#[derive(Debug, Clone, Default)]
pub(crate) struct BibEntry {
    /// The key.
    pub(crate) key: String,
    /// Field values without their outer braces or quotes.
    pub(crate) fields: BTreeMap<String, String>,
}

/// Maximum entries read per file.
const ENTRIES: usize = 100_000;

/// Reads a `.bib` file. Tolerant: a broken entry keeps the fields before the fault. A strict parser loses the whole file over one missing comma, and
/// many real files lack commas.
pub(crate) fn read_bib(text: &str) -> Vec<BibEntry> {
    let mut strings: BTreeMap<String, String> = BTreeMap::new();
    let mut entries = Vec::new();
    for RawEntry { kind, text, .. } in Entries::of(text) {
        let body = text.split_once('{').map_or(text.as_str(), |(_, body)| body);
        match kind.as_str() {
            "comment" | "preamble" => {}
            "string" => {
                strings.extend(fields(body, &strings));
            }
            _ => {
                let (key, body) = body.split_once(',').unwrap_or((body, ""));
                let key = key.trim().trim_end_matches(['}', ')']).trim().to_owned();
                if !key.is_empty() && !key.contains('=') {
                    let fields = fields(body, &strings).into_iter().rev().collect();
                    entries.push(BibEntry { key, fields });
                }
            }
        }
        if entries.len() >= ENTRIES {
            break;
        }
    }
    entries
}

fn fields(body: &str, strings: &BTreeMap<String, String>) -> Vec<(String, String)> {
    let mut fields = Vec::new();
    let mut rest = body;
    while let Some((name, after)) = rest.split_once('=') {
        let name = name
            .rsplit([',', '{', '}', '\n', '"'])
            .find(|part| !part.trim().is_empty())
            .unwrap_or_default()
            .trim()
            .to_lowercase();
        let (value, after) = value(after, strings);
        rest = after;
        if !name.is_empty()
            && name
                .bytes()
                .all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_')
        {
            fields.push((name, value));
        }
    }
    fields
}

/// A value: braces, quotes, numbers and string names, joined by `#`.
fn value<'t>(text: &'t str, strings: &BTreeMap<String, String>) -> (String, &'t str) {
    let mut value = String::new();
    let mut rest = text.trim_start();
    loop {
        let length = match rest.chars().next() {
            Some('{') => {
                let length = balanced(rest, '}');
                value.push_str(rest.get(1..length.saturating_sub(1)).unwrap_or_default());
                length
            }
            Some('"') => {
                let length = balanced(rest, '"');
                value.push_str(rest.get(1..length.saturating_sub(1)).unwrap_or_default());
                length
            }
            _ => {
                let length = rest.find([',', '#', '}', '\n']).unwrap_or(rest.len());
                let word = rest.get(..length).unwrap_or_default().trim();
                value.push_str(strings.get(&word.to_lowercase()).map_or(word, String::as_str));
                length
            }
        };
        rest = rest.get(length..).unwrap_or_default().trim_start();
        match rest.strip_prefix('#') {
            Some(more) => rest = more.trim_start(),
            None => return (value, rest),
        }
    }
}

/// Number of bytes from an opening bracket or quote to its end.
fn balanced(text: &str, end: char) -> usize {
    let mut depth = 0usize;
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if escaped => {
                escaped = false;
                continue;
            }
            '\\' => escaped = true,
            c if c == end && depth == 0 => return at + c.len_utf8(),
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_sloppy_files() {
        let text = r#"
% a comment
@string{acl = "Proceedings of ACL"}
@inproceedings{lee2001,
  title = {On {L}ines and \{braces\}},
  author = "Lee, Ann and {Example Group}",
  booktitle = acl # " 2001",
  year = 2001
  pages = {1--9},
}
@article{broken, title = {Never closed, year = 1999

@article(roy2002,
  Title={More}, year={2002})
@comment{ignored}
@misc{last,title={Last}}
"#;
        let entries = read_bib(text);
        let keys: Vec<&str> = entries.iter().map(|entry| entry.key.as_str()).collect();
        assert_eq!(keys, ["lee2001", "broken", "roy2002", "last"]);
        let lee = &entries[0].fields;
        assert_eq!(lee["title"], r"On {L}ines and \{braces\}");
        assert_eq!(lee["booktitle"], "Proceedings of ACL 2001");
        assert_eq!((lee["year"].as_str(), lee["pages"].as_str()), ("2001", "1--9"));
        assert_eq!(
            (entries[2].fields["title"].as_str(), entries[2].fields["year"].as_str()),
            ("More", "2002")
        );
        assert_eq!(entries[3].fields["title"], "Last");
    }

    #[test]
    fn broken_entries_are_handled_without_a_panic() {
        for text in [
            "@",
            "@a{",
            "@a{b,c=",
            "@a{b,c={",
            "@a{b,c=\"",
            "@@@@{{{",
            "@a{b,c=#",
            "@a{b,=,=,=}",
            "@string{a=a#a#a}",
        ] {
            let _ = read_bib(text);
        }
        let _ = read_bib(&"@a{".repeat(50_000));
        let _ = read_bib(&format!("@a{{b,c={}", "{".repeat(100_000)));
    }
}
