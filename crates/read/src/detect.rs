//! File type detection: by content first, by name second.

use precedent_domain::PaperFormat;

/// Result of the detection.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Detected {
    /// A paper in a known format.
    Paper(PaperFormat),
    /// LaTeX packed as `.tar.gz`, `.tar` or a gzipped file.
    LatexArchive,
    /// A zip archive: a Word document, an e-book, a LaTeX project.
    Zip,
    /// A format of papers that is not read.
    Unsupported(&'static UnsupportedFormat),
    /// A paper in the JSON format of `precedent read --json`.
    PaperJson,
    /// Something else, with a description.
    Other(&'static str),
}

/// A format of papers that is not read.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct UnsupportedFormat {
    /// Its name.
    pub(crate) name: &'static str,
    /// How to convert it.
    pub(crate) hint: &'static str,
    extensions: &'static [&'static str],
}

const RTF: UnsupportedFormat = UnsupportedFormat {
    name: "RTF",
    hint: "open it in a word processor and save it as DOCX or PDF",
    extensions: &["rtf"],
};
pub(crate) const PAGES: UnsupportedFormat = UnsupportedFormat {
    name: "the format of Apple Pages",
    hint: "open it in Pages and export it as PDF or Word",
    extensions: &["pages"],
};
const OLD_WORD: UnsupportedFormat = UnsupportedFormat {
    name: "the format of Word before 2007",
    hint: "open it in a word processor and save it as DOCX or PDF",
    extensions: &["doc"],
};
const POSTSCRIPT: UnsupportedFormat = UnsupportedFormat {
    name: "PostScript",
    hint: "convert it to PDF, for example with `ps2pdf`",
    extensions: &["ps", "eps"],
};
/// Text formats with markup of their own. Read as plain text, their markup would become part of the paper.
const MARKUP: [UnsupportedFormat; 7] = [
    UnsupportedFormat {
        name: "Org",
        hint: "export it as PDF or HTML, or convert it to Markdown, for example with `pandoc`",
        extensions: &["org"],
    },
    UnsupportedFormat {
        name: "AsciiDoc",
        hint: "convert it to HTML or PDF with `asciidoctor`",
        extensions: &["adoc", "asciidoc", "asc"],
    },
    UnsupportedFormat {
        name: "Typst",
        hint: "compile it to PDF with `typst compile`",
        extensions: &["typ"],
    },
    UnsupportedFormat {
        name: "reStructuredText",
        hint: "convert it to HTML or PDF, for example with `pandoc`",
        extensions: &["rst"],
    },
    UnsupportedFormat {
        name: "a Jupyter notebook",
        hint: "export it as HTML or PDF with `jupyter nbconvert`",
        extensions: &["ipynb"],
    },
    UnsupportedFormat {
        name: "LyX",
        hint: "export it as LaTeX or PDF",
        extensions: &["lyx"],
    },
    UnsupportedFormat {
        name: "DjVu",
        hint: "convert it to PDF, for example with `ddjvu`",
        extensions: &["djvu", "djv"],
    },
];

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
    (b"SQLite format 3", "a database"),
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
        return Detected::Zip;
    }
    if let Some(format) = unsupported(bytes, head, name) {
        return Detected::Unsupported(format);
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

/// A format that is not read, by content or else by name.
fn unsupported(bytes: &[u8], head: &[u8], name: &str) -> Option<&'static UnsupportedFormat> {
    if head.starts_with(b"{\\rtf") {
        return Some(&RTF);
    }
    if head.starts_with(b"%!PS") {
        return Some(&POSTSCRIPT);
    }
    if head.starts_with(OFFICE_CONTAINER) {
        return (!is_encrypted_office(bytes)).then_some(&OLD_WORD);
    }
    let extension = extension(name);
    let named = MARKUP
        .iter()
        .find(|format| format.extensions.contains(&extension.as_str()));
    // A text without extension is recognized by the commands that these formats begin with.
    let text = String::from_utf8_lossy(head.get(..head.len().min(1_000)).unwrap_or_default()).to_lowercase();
    let begins = |marks: &[&str]| {
        text.lines()
            .any(|line| marks.iter().any(|mark| line.trim_start().starts_with(mark)))
    };
    let [org, _, typst, ..] = &MARKUP;
    named
        .or_else(|| begins(&["#+title:", "#+author:"]).then_some(org))
        .or_else(|| {
            begins(&[
                "#set page(",
                "#set document(",
                "#set text(",
                "#show: ",
                "#import \"@preview",
            ])
            .then_some(typst)
        })
}

/// How the files of Word before 2007 begin, and encrypted ones of later versions.
const OFFICE_CONTAINER: &[u8] = b"\xD0\xCF\x11\xE0";

/// Whether this is a Word document with a password. The name of its only stream is stored in UTF-16.
pub(crate) fn is_encrypted_office(bytes: &[u8]) -> bool {
    let name: Vec<u8> = "EncryptedPackage".bytes().flat_map(|byte| [byte, 0]).collect();
    bytes.starts_with(OFFICE_CONTAINER) && bytes.windows(name.len()).any(|window| window == name)
}

fn extension(name: &str) -> String {
    name.rsplit_once('.')
        .map_or("", |(_, extension)| extension)
        .to_lowercase()
}

fn text_format(head: &str, name: &str) -> Detected {
    let extension = extension(name);
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
        markdown if MARKDOWN.contains(&markdown) => Detected::Paper(PaperFormat::Markdown),
        "html" | "htm" | "xhtml" => Detected::Paper(PaperFormat::Html),
        "bib" => Detected::Other("a BibTeX file; `precedent corpus add` takes those"),
        _ if looks_like_markdown(head) => Detected::Paper(PaperFormat::Markdown),
        _ => Detected::Paper(PaperFormat::Text),
    }
}

/// Extensions of Markdown.
const MARKDOWN: [&str; 5] = ["md", "markdown", "mkd", "rmd", "qmd"];

fn markup(lower: &str, extension: &str) -> Detected {
    let is = |marks: &[&str]| marks.iter().any(|mark| lower.contains(mark));
    // JATS has `<body>` and TEI has `<div>`, just like HTML, so the root element is checked first.
    let scholarly = is(&["<front>", "<article-meta", "article-type=", "<journal-meta"]);
    match root_element(lower) {
        "html" => return Detected::Paper(PaperFormat::Html),
        "tei" | "teicorpus" => return Detected::Paper(PaperFormat::Tei),
        "article" | "pmc-articleset" if scholarly => return Detected::Paper(PaperFormat::Jats),
        // Markdown may begin with an element, such as a centred logo.
        _ if MARKDOWN.contains(&extension) && !is(&["<html", "<!doctype"]) => {
            return Detected::Paper(PaperFormat::Markdown);
        }
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
            (
                b"<div align=\"center\">\n\n# Title\n\n</div>\n",
                "x.md",
                Detected::Paper(F::Markdown),
            ),
            (b"<!DOCTYPE html><body><p>Words", "x.md", Detected::Paper(F::Html)),
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
    fn formats_that_are_not_read_are_named() {
        for (bytes, name, format) in [
            (b"{\\rtf1\\ansi Kelp".as_slice(), "paper.txt", "RTF"),
            (b"\xD0\xCF\x11\xE0....", "paper.doc", "the format of Word before 2007"),
            (b"%!PS-Adobe-3.0", "paper.ps", "PostScript"),
            (b"* Kelp\n", "paper.org", "Org"),
            (b"#+TITLE: Kelp\n", "paper", "Org"),
            (b"= Kelp\n", "paper.adoc", "AsciiDoc"),
            (b"#set page(paper: \"a4\")\n= Kelp", "paper.txt", "Typst"),
            (b"{\"cells\": []}", "paper.ipynb", "a Jupyter notebook"),
        ] {
            match detect(bytes, name) {
                Detected::Unsupported(found) => assert_eq!(found.name, format, "{name}"),
                other => panic!("{name}: {other:?}"),
            }
        }
        let mut locked = b"\xD0\xCF\x11\xE0".to_vec();
        locked.extend("EncryptedPackage".bytes().flat_map(|byte| [byte, 0]));
        assert!(is_encrypted_office(&locked));
        assert_eq!(detect(b"PK\x03\x04....", "paper.docx"), Detected::Zip);
    }

    #[test]
    fn files_that_are_not_papers_are_described() {
        for (bytes, name) in [
            (b"\x89PNG\r\n\x1a\n".as_slice(), "paper.pdf"),
            (b"\x7FELF\x02", "paper"),
            (b"abc\0\0\0def", "paper.txt"),
            (b"<svg xmlns='http://www.w3.org/2000/svg'>", "x.svg"),
            (b"{\"a\": 1}", "x.json"),
        ] {
            assert!(matches!(detect(bytes, name), Detected::Other(_)), "{name}");
        }
    }
}
