/// A format that records come in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum ImportFormat {
    /// One JSON object a line: `id`, `title`, `abstract`, `year` or `date`, `venue`, `authors`, `url`, `doi`, `full_text` or `sections`.
    JsonLines,
    /// BibTeX or biblatex.
    BibTex,
    /// RIS.
    Ris,
    /// CSL-JSON, as Zotero exports it.
    CslJson,
}

impl ImportFormat {
    /// Tells the format by the name of a file, packed or not, and its first bytes, unpacked as far as they are given.
    #[must_use]
    pub fn detect(name: &str, head: &[u8]) -> Option<Self> {
        let name = name.to_ascii_lowercase();
        let bare = [".gz", ".zst", ".zstd"]
            .iter()
            .find_map(|ending| name.strip_suffix(ending))
            .unwrap_or(&name);
        let by_head = Self::by_head(head);
        match bare.rsplit_once('.').map(|(_, ending)| ending) {
            Some("jsonl" | "ndjson") => Some(Self::JsonLines),
            Some("bib" | "bibtex" | "biblatex") => Some(Self::BibTex),
            Some("ris") => Some(Self::Ris),
            Some("json") => by_head.filter(|format| matches!(format, Self::JsonLines | Self::CslJson)),
            _ => by_head,
        }
    }

    fn by_head(head: &[u8]) -> Option<Self> {
        let text = String::from_utf8_lossy(head);
        let text = text.trim_start_matches(|c: char| c == '\u{feff}' || c.is_whitespace());
        if text.starts_with('[') {
            return Some(Self::CslJson);
        }
        if text.starts_with('{') {
            return Some(Self::JsonLines);
        }
        if text.starts_with("TY  -") {
            return Some(Self::Ris);
        }
        let is_entry = |line: &str| {
            let head = line
                .trim_start()
                .strip_prefix('@')
                .and_then(|rest| rest.split_once(['{', '(']));
            head.is_some_and(|(kind, _)| !kind.is_empty() && kind.trim_end().chars().all(|c| c.is_ascii_alphabetic()))
        };
        text.lines().any(is_entry).then_some(Self::BibTex)
    }
}
