//! File type detection: by content first, by name second.

use precedent_domain::PaperFormat;

/// Result of the detection.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Detected {
    /// A paper in a known format.
    Paper(PaperFormat),
    /// LaTeX packed as `.tar.gz`, `.tar` or a gzipped file.
    LatexArchive,
    /// A paper in the JSON format of `precedent read --json`.
    PaperJson,
    /// Something else, with a description.
    Other(&'static str),
}

/// Magic bytes of files that cannot be papers.
const OTHER: &[(&[u8], &str)] = &[
    (b"\x89PNG", "a PNG image"),
    (b"\xFF\xD8\xFF", "a JPEG image"),
    (b"GIF8", "a GIF image"),
    (b"II*\0", "a TIFF image"),
    (b"MM\0*", "a TIFF image"),
    (b"\x7FELF", "a program"),
    (b"MZ", "a program"),
    (b"\xCA\xFE\xBA\xBE", "a program"),
    (b"\xCF\xFA\xED\xFE", "a program"),
    (b"7z\xBC\xAF\x27\x1C", "a 7z archive"),
    (b"Rar!", "a RAR archive"),
    (b"BZh", "a bzip2 archive"),
    (b"\xFD7zXZ", "an xz archive"),
    (b"\x28\xB5\x2F\xFD", "a zstd archive"),
    (b"OggS", "a sound or video file"),
    (b"ID3", "a sound file"),
    (b"RIFF", "a sound, image or video file"),
    (b"\xD0\xCF\x11\xE0", "an old Office document"),
    (b"SQLite format 3", "a database"),
    (b"%!PS", "a PostScript file"),
    (b"\xF7\x02", "a DVI file"),
];

/// Detects the type of `bytes`. `name` is used only to distinguish text formats.
pub(crate) fn detect(bytes: &[u8], name: &str) -> Detected {
    let head = bytes.get(..bytes.len().min(4096)).unwrap_or_default();
    // A PDF may begin with junk bytes; readers accept the header within the first kilobyte.
    if head.windows(5).take(1024).any(|window| window == b"%PDF-") {
        return Detected::Paper(PaperFormat::Pdf);
    }
    if head.starts_with(b"\x1F\x8B") || is_tar(bytes) {
        return Detected::LatexArchive;
    }
    if head.starts_with(b"PK\x03\x04") || head.starts_with(b"PK\x05\x06") {
        return Detected::Other(zip_kind(bytes));
    }
    if let Some((_, what)) = OTHER.iter().find(|(mark, _)| head.starts_with(mark)) {
        return Detected::Other(what);
    }
    let zeros = head.iter().filter(|byte| **byte == 0).count();
    let utf16 = head.starts_with(b"\xFF\xFE") || head.starts_with(b"\xFE\xFF");
    if !utf16 && zeros > 0 {
        return Detected::Other("binary data");
    }
    let control = head
        .iter()
        .filter(|byte| **byte < 0x20 && !matches!(**byte, b'\n' | b'\r' | b'\t' | 0x0C))
        .count();
    if !utf16 && control * 20 > head.len() {
        return Detected::Other("binary data");
    }
    text_format(&String::from_utf8_lossy(head), name)
}

fn is_tar(bytes: &[u8]) -> bool {
    bytes.get(257..262) == Some(b"ustar")
}

fn zip_kind(bytes: &[u8]) -> &'static str {
    let head = bytes.get(..bytes.len().min(4096)).unwrap_or_default();
    let holds = |mark: &[u8]| head.windows(mark.len()).any(|window| window == mark);
    if holds(b"word/") {
        "a Word document"
    } else if holds(b"ppt/") {
        "a PowerPoint presentation"
    } else if holds(b"xl/") {
        "a spreadsheet"
    } else if holds(b"application/epub") {
        "an e-book"
    } else if holds(b"opendocument") {
        "an OpenDocument file"
    } else {
        "a zip archive"
    }
}

fn text_format(head: &str, name: &str) -> Detected {
    let extension = name
        .rsplit_once('.')
        .map_or("", |(_, extension)| extension)
        .to_lowercase();
    let start = head.trim_start_matches('\u{feff}').trim_start();
    let lower = start
        .get(..crate::assemble::floor_boundary(start, 3000))
        .unwrap_or(start)
        .to_lowercase();
    if start.starts_with('{') && (extension == "json" || lower.contains("\"origin\"")) {
        return if lower.contains("\"origin\"") && lower.contains("\"sha256\"") {
            Detected::PaperJson
        } else {
            Detected::Other("JSON, but not in the format of `read --json`")
        };
    }
    if start.starts_with('<') {
        return markup(&lower, &extension);
    }
    let latex =
        lower.contains("\\documentclass") || lower.contains("\\documentstyle") || lower.contains("\\begin{document}");
    if latex || matches!(extension.as_str(), "tex" | "ltx" | "latex") {
        return Detected::Paper(PaperFormat::Latex);
    }
    match extension.as_str() {
        "md" | "markdown" | "mkd" | "rmd" | "qmd" => Detected::Paper(PaperFormat::Markdown),
        "html" | "htm" | "xhtml" => Detected::Paper(PaperFormat::Html),
        "bib" => Detected::Other("a BibTeX file; `precedent corpus add` takes those"),
        _ if looks_like_markdown(head) => Detected::Paper(PaperFormat::Markdown),
        _ => Detected::Paper(PaperFormat::Text),
    }
}

fn markup(lower: &str, extension: &str) -> Detected {
    let is = |marks: &[&str]| marks.iter().any(|mark| lower.contains(mark));
    // JATS has `<body>` and TEI has `<div>`, just like HTML, so the root element is checked first.
    let scholarly = is(&["<front>", "<article-meta", "article-type=", "<journal-meta"]);
    match root_element(lower) {
        "html" => return Detected::Paper(PaperFormat::Html),
        "tei" | "teicorpus" => return Detected::Paper(PaperFormat::Tei),
        "article" | "pmc-articleset" if scholarly => return Detected::Paper(PaperFormat::Jats),
        _ => {}
    }
    if is(&["<html", "<!doctype html", "<head", "<body", "<div"]) && !is(&["<article xmlns", "<!doctype article"]) {
        Detected::Paper(PaperFormat::Html)
    } else if is(&["<tei", "www.tei-c.org"]) {
        Detected::Paper(PaperFormat::Tei)
    } else if is(&["<article", "jats", "<!doctype article", "<pmc-articleset", "nlm//dtd"]) {
        Detected::Paper(PaperFormat::Jats)
    } else if is(&["<svg"]) {
        Detected::Other("an SVG image")
    } else if matches!(extension, "md" | "markdown") {
        Detected::Paper(PaperFormat::Markdown)
    } else if is(&["<?xml"]) || extension == "xml" {
        Detected::Other("XML, but neither JATS nor TEI")
    } else {
        Detected::Paper(PaperFormat::Html)
    }
}

/// The name of the first element, without its namespace prefix. Declarations and comments are skipped.
fn root_element(lower: &str) -> &str {
    let mut rest = lower;
    while let Some(at) = rest.find('<') {
        rest = rest.get(at + 1..).unwrap_or_default();
        if rest.starts_with("!--") {
            rest = rest.split_once("-->").map_or("", |(_, after)| after);
        } else if rest.starts_with(char::is_alphabetic) {
            let name = rest
                .split(|c: char| !(c.is_alphanumeric() || matches!(c, '-' | ':' | '_')))
                .next()
                .unwrap_or_default();
            return name.rsplit(':').next().unwrap_or_default();
        }
    }
    ""
}

fn looks_like_markdown(head: &str) -> bool {
    let headings = head
        .lines()
        .filter(|line| {
            let words = line.trim_start_matches('#');
            let marks = line.len() - words.len();
            (1..=6).contains(&marks) && words.starts_with(' ')
        })
        .count();
    headings >= 1 && head.trim_start().starts_with('#') || headings >= 3
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_decide_before_names() {
        use PaperFormat as F;
        for (bytes, name, expected) in [
            (b"%PDF-1.5\n...".as_slice(), "paper.txt", Detected::Paper(F::Pdf)),
            (b"\n\njunk %PDF-1.4", "x", Detected::Paper(F::Pdf)),
            (b"\\documentclass{article}", "x.txt", Detected::Paper(F::Latex)),
            (b"<!DOCTYPE html><html>", "x.xml", Detected::Paper(F::Html)),
            (
                b"<?xml version='1.0'?><!-- <html> --><article article-type='review'><front></front><body>",
                "x",
                Detected::Paper(F::Jats),
            ),
            (b"<article><h1>A post</h1><div>", "x.html", Detected::Paper(F::Html)),
            (
                b"<?xml version=\"1.0\"?><!DOCTYPE article PUBLIC \"-//NLM//DTD JATS\"><article>",
                "x",
                Detected::Paper(F::Jats),
            ),
            (
                b"<?xml version=\"1.0\"?><TEI xmlns=\"http://www.tei-c.org/ns/1.0\">",
                "x",
                Detected::Paper(F::Tei),
            ),
            (b"# Title\n\n## Abstract\n", "x", Detected::Paper(F::Markdown)),
            (b"A title\n\nAbstract\n", "x.pdf", Detected::Paper(F::Text)),
            (b"\x1F\x8B\x08", "x", Detected::LatexArchive),
            (
                b"{\"origin\":{\"file_name\":\"a\",\"sha256\":\"",
                "p.json",
                Detected::PaperJson,
            ),
        ] {
            assert_eq!(detect(bytes, name), expected, "{name}");
        }
    }

    #[test]
    fn files_that_are_not_papers_are_described() {
        for (bytes, name) in [
            (b"\x89PNG\r\n\x1a\n".as_slice(), "paper.pdf"),
            (b"PK\x03\x04....word/document.xml", "paper.docx"),
            (b"\x7FELF\x02", "paper"),
            (b"abc\0\0\0def", "paper.txt"),
            (b"<svg xmlns='http://www.w3.org/2000/svg'>", "x.svg"),
            (b"{\"a\": 1}", "x.json"),
        ] {
            assert!(matches!(detect(bytes, name), Detected::Other(_)), "{name}");
        }
    }
}
