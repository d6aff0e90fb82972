//! Small files that demand large resources. Each ends in an error, or in a paper that says what was left out, within the budget of one file.
#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test that cannot create its file has failed"
)]

#[path = "hostile/damaged.rs"]
mod damaged;

use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;

use flate2::Compression;
use flate2::write::ZlibEncoder;
use lopdf::{Dictionary, Document, Object, Stream, dictionary};
use precedent_domain::{Paper, ReadProblem, ReadResource, ReadWarningKind};
use precedent_read::{ReadError, read, read_bytes};

const BODY: &str = "Readers look for earlier work before they judge a manuscript. They search by words, by names and by the lists at the end of \
    papers, and they rarely say where they stopped. This section tells what was done before and what remains open.";

fn bytes(mut document: Document) -> Vec<u8> {
    let mut bytes = Vec::new();
    document.save_to(&mut bytes).unwrap();
    bytes
}

/// The warnings about limits.
fn left_out(paper: &Paper) -> Vec<ReadProblem> {
    paper
        .warnings
        .iter()
        .filter(|warning| warning.kind == ReadWarningKind::Truncated)
        .filter_map(|warning| warning.problem.clone())
        .collect()
}

/// Whether a part was left out because the file has more of this than is read.
fn is_over(paper: &Paper, limited: ReadResource) -> bool {
    let is_it =
        |problem: &ReadProblem| matches!(problem, ReadProblem::OverLimit { resource, .. } if *resource == limited);
    left_out(paper).iter().any(is_it)
}

/// Reads a file twice: what is left out must not depend on time or threads.
fn read_alike(file: &[u8], name: &str) -> Result<Paper, ReadError> {
    let first = read_bytes(file, name);
    let second = read_bytes(file, name);
    match (&first, &second) {
        (Ok(first), Ok(second)) => {
            first.document.check().unwrap();
            assert_eq!(
                serde_json::to_string(first).unwrap(),
                serde_json::to_string(second).unwrap()
            );
        }
        (Err(first), Err(second)) => assert_eq!(first.to_string(), second.to_string()),
        other => assert!(
            other.0.is_err() && other.1.is_err(),
            "one reading returned a paper, the other an error"
        ),
    }
    first
}

fn packed(parts: impl Iterator<Item = Vec<u8>>, extra: Dictionary) -> Stream {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::fast());
    for part in parts {
        encoder.write_all(&part).unwrap();
    }
    let mut dictionary = extra;
    dictionary.set("Filter", "FlateDecode");
    Stream::new(dictionary, encoder.finish().unwrap())
}

fn plain(content: &[u8]) -> Stream {
    packed(std::iter::once(content.to_vec()), Dictionary::new())
}

/// A document with `pages` pages that all draw `content`, with a font of these entries as F1.
fn pdf(content: Stream, pages: usize, font: impl FnOnce(&mut Document) -> Dictionary) -> Document {
    let mut document = Document::with_version("1.5");
    let tree = document.new_object_id();
    let font = font(&mut document);
    let font = document.add_object(font);
    let content = document.add_object(content);
    let kids: Vec<Object> = (0..pages)
        .map(|_| {
            document
                .add_object(dictionary! { "Type" => "Page", "Parent" => tree, "Contents" => content })
                .into()
        })
        .collect();
    document.objects.insert(
        tree,
        dictionary! {
            "Type" => "Pages", "Kids" => kids, "Count" => i64::try_from(pages).unwrap(),
            "Resources" => dictionary! { "Font" => dictionary! { "F1" => font } },
            "MediaBox" => vec![0.into(), 0.into(), 612.into(), 792.into()],
        }
        .into(),
    );
    let catalog = document.add_object(dictionary! { "Type" => "Catalog", "Pages" => tree });
    document.trailer.set("Root", catalog);
    document
}

fn helvetica(_: &mut Document) -> Dictionary {
    dictionary! { "Type" => "Font", "Subtype" => "Type1", "BaseFont" => "Helvetica", "Encoding" => "WinAnsiEncoding" }
}

/// A font whose codes are mapped by this map.
fn mapped(map: String) -> impl FnOnce(&mut Document) -> Dictionary {
    move |document| {
        let map = document.add_object(plain(map.as_bytes()));
        dictionary! { "Type" => "Font", "Subtype" => "Type1", "BaseFont" => "Helvetica", "ToUnicode" => map }
    }
}

/// Lines of text, drawn one below the other.
fn lines(count: usize) -> Vec<u8> {
    let mut content = b"BT /F1 10 Tf 12 TL 72 760 Td\n".to_vec();
    for _ in 0..count {
        content.extend_from_slice(b"(Readers look for earlier work before they judge a manuscript) Tj T*\n");
    }
    content.extend_from_slice(b"ET\n");
    content
}

#[test]
fn one_content_stream_on_many_pages_is_read_up_to_the_glyph_limit() {
    let file = bytes(pdf(plain(&lines(1_000)), 60, helvetica));
    assert!(file.len() < 50_000);
    let paper = read_alike(&file, "paper.pdf").unwrap();
    let limit = ReadProblem::OverLimit {
        resource: ReadResource::Glyphs,
        limit: 3_000_000,
    };
    let left_out = left_out(&paper);
    assert!(left_out.contains(&limit), "{left_out:?}");
    let is_cut = |one: &ReadProblem| matches!(one, ReadProblem::FirstPages { pages: 60, .. });
    assert!(left_out.iter().any(is_cut), "{left_out:?}");
}

#[test]
fn the_characters_of_one_code_are_cut_at_a_limit() {
    let mut map = String::from("1 begincodespacerange <00> <ff> endcodespacerange\n1 beginbfchar\n<41> <");
    map.push_str(&"0041".repeat(400_000));
    map.push_str(">\nendbfchar\n");
    let mut content = b"BT /F1 10 Tf 12 TL 72 760 Td\n".to_vec();
    for _ in 0..60 {
        content.extend_from_slice(b"(A A A A A A A A A A) Tj T*\n");
    }
    content.extend_from_slice(b"ET\n");
    let file = bytes(pdf(plain(&content), 1, mapped(map)));
    let paper = read_alike(&file, "paper.pdf").unwrap();
    assert!(paper.document.text.len() < 600 * 300, "{}", paper.document.text.len());
}

#[test]
fn overlapping_ranges_are_counted_each_time() {
    let mut map = String::from("1 begincodespacerange <0000> <ffff> endcodespacerange\n20000 beginbfrange\n");
    for _ in 0..20_000 {
        map.push_str("<0000> <ffff> <0041>\n");
    }
    map.push_str("endbfrange\n");
    let file = bytes(pdf(plain(&lines(60)), 2, mapped(map)));
    assert!(file.len() < 30_000);
    let paper = read_alike(&file, "paper.pdf").unwrap();
    let limited = [ReadResource::MapEntries, ReadResource::MapText];
    assert!(limited.iter().any(|one| is_over(&paper, *one)), "{:?}", paper.warnings);
}

#[test]
fn a_stream_of_hundreds_of_megabytes_is_cut() {
    let piece = lines(10_000);
    let content = packed((0..450).map(|_| piece.clone()), Dictionary::new());
    let file = bytes(pdf(content, 1, helvetica));
    let paper = read_alike(&file, "paper.pdf").unwrap();
    assert!(!left_out(&paper).is_empty(), "{:?}", paper.warnings);
}

/// The file of a document with an added stream of type `ObjStm`. The type is inserted afterwards because lopdf drops object streams when it saves.
fn with_object_stream(mut document: Document, parts: impl Iterator<Item = Vec<u8>>, extra: Dictionary) -> Vec<u8> {
    let mut stream = packed(parts, extra);
    stream.dict.set("Type", "ObjLater");
    document.add_object(stream);
    let mut file = bytes(document);
    let at = file.windows(9).position(|nine| nine == b"/ObjLater").unwrap();
    drop(file.splice(at..at + 9, *b"/ObjStm  "));
    file
}

#[test]
fn object_streams_are_unpacked_only_up_to_a_limit() {
    let piece = b"<< /Type /Nothing >> ".repeat(50_000);
    let parts = std::iter::once(b"900 0 ".to_vec()).chain((0..60).map(|_| piece.clone()));
    let document = pdf(plain(&lines(60)), 1, helvetica);
    let file = with_object_stream(document, parts, dictionary! { "N" => 1, "First" => 6 });
    let error = read_alike(&file, "paper.pdf").unwrap_err();
    assert!(error.to_string().contains("object streams unpack to more"), "{error}");
}

#[test]
fn cross_reference_streams_are_unpacked_only_up_to_a_limit() {
    let mut file = b"%PDF-1.5\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n".to_vec();
    let place = file.len();
    let table = packed(
        (0..40).map(|_| vec![1; 1 << 20]),
        dictionary! { "Type" => "XRef", "W" => vec![1.into(), 1.into(), 1.into()], "Size" => 14_000_000_i64, "Root" => Object::Reference((1, 0)) },
    );
    write!(
        file,
        "5 0 obj\n<< /Type /XRef /W [1 1 1] /Size 14000000 /Root 1 0 R /Filter /FlateDecode /Length {} >>\nstream\n",
        table.content.len()
    )
    .unwrap();
    file.extend_from_slice(&table.content);
    write!(file, "\nendstream\nendobj\nstartxref\n{place}\n%%EOF\n").unwrap();
    let error = read_alike(&file, "paper.pdf").unwrap_err();
    assert!(error.to_string().contains("cross references unpack to more"), "{error}");
}

#[test]
fn overlapping_objects_cost_no_more_than_their_stream() {
    let count = 20_000;
    let mut index = String::new();
    for number in 0..count {
        write!(index, "{} {} ", 1_000 + number, number * 2).unwrap();
    }
    let body = format!("({}", "\\(".repeat(count * 2));
    let parts = [index.clone().into_bytes(), body.into_bytes()].into_iter();
    let extra = dictionary! { "N" => i64::try_from(count).unwrap(), "First" => i64::try_from(index.len()).unwrap() };
    let file = with_object_stream(pdf(plain(&lines(60)), 1, helvetica), parts, extra);
    let paper = read_alike(&file, "paper.pdf").unwrap();
    assert!(paper.document.text.contains("Readers look"));
}

#[test]
fn chained_filters_stay_within_the_stream_limit() {
    let inner = packed((0..200).map(|_| vec![b' '; 1 << 20]), Dictionary::new());
    let mut outer = packed(std::iter::once(inner.content), Dictionary::new());
    outer.dict.set(
        "Filter",
        vec![
            Object::Name(b"FlateDecode".to_vec()),
            Object::Name(b"FlateDecode".to_vec()),
        ],
    );
    let error = read_alike(&bytes(pdf(outer, 3, helvetica)), "paper.pdf").unwrap_err();
    assert!(matches!(error, ReadError::NoText { .. }), "{error}");
}

#[test]
fn rows_wider_than_the_memory_are_not_allocated() {
    let mut content = plain(&lines(60));
    content.dict.set(
        "DecodeParms",
        dictionary! { "Predictor" => 12, "Columns" => 40_000_000_000_i64 },
    );
    let _ = read_alike(&bytes(pdf(content, 1, helvetica)), "paper.pdf");
}

#[test]
fn white_letters_over_thousands_of_surfaces_stop_at_the_budget() {
    let mut content = Vec::new();
    for at in 0..20_000 {
        writeln!(content, "0.5 g {} {} 2 2 re f", at % 300 * 2, at / 300 * 2).unwrap();
    }
    content.extend_from_slice(b"1 g BT /F1 3 Tf 0 TL 5 790 Td\n");
    for _ in 0..400 {
        writeln!(content, "({}) Tj 0 0 Td", "a".repeat(400)).unwrap();
    }
    content.extend_from_slice(b"ET\n");
    let outcome = read_alike(&bytes(pdf(plain(&content), 60, helvetica)), "paper.pdf");
    assert!(outcome.map_or(true, |paper| !left_out(&paper).is_empty()));
}

fn crowd(count: usize) -> String {
    (0..count).fold(String::new(), |mut crowd, number| {
        let _ = write!(crowd, " a{number}=\"1\"");
        crowd
    })
}

#[test]
fn too_many_attributes_are_rejected() {
    let crowd = crowd(200_000);
    for (file, name) in [
        (
            format!("<html><body><p>{BODY}</p><p{crowd}>x</p></body></html>"),
            "page.html",
        ),
        (
            format!(
                "<?xml version='1.0'?><article article-type='x'><front/><body><p{crowd}>{BODY}</p></body></article>"
            ),
            "paper.xml",
        ),
    ] {
        let error = read_alike(file.as_bytes(), name).unwrap_err();
        assert!(error.to_string().contains("more than 256 attributes"), "{error}");
    }
}

#[test]
fn elements_repeated_by_the_parser_are_counted() {
    let bold = (0..900).fold(String::new(), |mut bold, number| {
        let _ = write!(bold, "<b id={number}>");
        bold
    });
    let page = format!(
        "<html><body><p>{BODY}</p><p>{bold}{}</body></html>",
        "<p>x".repeat(20_000)
    );
    assert!(page.len() < 200_000);
    let paper = read_alike(page.as_bytes(), "page.html").unwrap();
    assert!(is_over(&paper, ReadResource::Nodes), "{:?}", paper.warnings);
}

#[test]
fn many_links_in_one_paragraph_are_handled() {
    let links = (0..50_000).fold(String::new(), |mut links, number| {
        let _ = write!(links, "<a href=\"#b{number}\">x</a> ");
        links
    });
    let page =
        format!("<html><body><h1>A title of a page</h1><p>{BODY}</p><p>{links}</p><cite>{links}</cite></body></html>");
    assert!(left_out(&read_alike(page.as_bytes(), "page.html").unwrap()).is_empty());
}

fn with_list(body: &str, entry: impl Fn(usize) -> String, count: usize) -> String {
    let mut text =
        format!("# A Study of Earlier Work\n\n## Abstract\n\n{BODY}\n\n## Introduction\n\n{body}\n\n## References\n\n");
    for number in 1..=count {
        text.push_str(&entry(number));
        text.push_str("\n\n");
    }
    text
}

fn entry(number: usize) -> String {
    let year = 1950 + number % 70;
    format!(
        "Smith, J. and Lee, A. ({year}). A study of earlier work number {number}. Journal of Examples, 12(3), 1-{number}."
    )
}

#[test]
fn only_the_first_twenty_thousand_references_are_read() {
    let numbered = |number: usize| format!("[{number}] {}", entry(number));
    for text in [with_list(BODY, entry, 25_000), with_list(BODY, numbered, 25_000)] {
        let paper = read_alike(text.as_bytes(), "paper.md").unwrap();
        assert_eq!(paper.references.len(), 20_000);
        assert_eq!(
            left_out(&paper),
            [ReadProblem::OverLimit {
                resource: ReadResource::References,
                limit: 20_000,
            }]
        );
    }
}

#[test]
fn entries_with_other_text_between_them_are_read_once_each() {
    let words = "Words without names or years go on and on in this place of the list ".repeat(4);
    let text = with_list(BODY, |number| format!("{}\n\n{words}", entry(number)), 5_000);
    assert!(read_alike(text.as_bytes(), "paper.md").unwrap().references.len() >= 5_000);
}

/// With the square of their number, these would take minutes.
#[test]
fn many_dates_works_and_divided_words_are_read_once_each() {
    let dates = "Preprint 3 - Draft 4, 2010 and ".repeat(20_000);
    // Dates are read above the abstract.
    let text = with_list(BODY, entry, 3).replacen("\n\n", &format!("\n\n{dates}\n\n"), 1);
    let paper = read_alike(text.as_bytes(), "paper.md").unwrap();
    assert_eq!(paper.references.len(), 3);
    // Too long for works under one label.
    let works = "Berg A, 1997 J. Trees 3 5 [X] ".repeat(10_000);
    let paper = read_alike(
        with_list(BODY, |number| format!("[{number}] {works}"), 1).as_bytes(),
        "paper.md",
    )
    .unwrap();
    assert_eq!(paper.references.len(), 1);
    let words = format!(
        "A Study of Trees\n\nAbstract\n\n{}",
        "this is data-\nstudy and on\n".repeat(10_000)
    );
    let paper = read_alike(words.as_bytes(), "paper.txt").unwrap();
    assert!(paper.document.text.contains("data-study"));
}

#[test]
fn citation_marks_over_the_limit_are_left_out() {
    let text = with_list(
        &"as was said [1] ".repeat(250_000),
        |number| format!("[{number}] {}", entry(number)),
        30,
    );
    let paper = read_alike(text.as_bytes(), "paper.md").unwrap();
    assert_eq!(paper.citations.len(), 200_000);
    assert!(is_over(&paper, ReadResource::Citations));
}

#[test]
fn overlong_texts_are_cut() {
    let lines = format!("A Study of Earlier Work\n\n{BODY}\n\n{}", "x\n\n".repeat(400_000));
    for name in ["paper.txt", "paper.md"] {
        let paper = read_alike(lines.as_bytes(), name).unwrap();
        assert!(
            is_over(&paper, ReadResource::Lines) || is_over(&paper, ReadResource::LineBytes),
            "{name}: {:?}",
            paper.warnings
        );
    }
    let document = format!(
        "\\documentclass{{article}}\\begin{{document}}{BODY}\n\n{}\\end{{document}}",
        "x\n\n".repeat(150_000)
    );
    let paper = read_alike(document.as_bytes(), "paper.tex").unwrap();
    assert!(!left_out(&paper).is_empty(), "{:?}", paper.warnings);
    assert!(paper.document.paragraphs.len() <= 100_000);
}

#[test]
fn files_outside_the_project_folder_are_not_read() {
    let place = tempfile::tempdir().unwrap();
    let secret = place.path().join("secret");
    fs::create_dir(&secret).unwrap();
    fs::write(secret.join("passwd"), "root:x:0:0 the secret of another folder").unwrap();
    fs::write(
        secret.join("own.bib"),
        "@book{key, title={The secret book of another folder}}",
    )
    .unwrap();
    fs::write(
        secret.join("main.bbl"),
        "\\begin{thebibliography}{1}\\bibitem{key} The secret list.\\end{thebibliography}",
    )
    .unwrap();
    let project = place.path().join("project");
    fs::create_dir_all(project.join("parts")).unwrap();
    fs::write(project.join("parts/inside.tex"), "This part lies inside the folder.").unwrap();
    #[cfg(unix)]
    {
        use std::os::unix::fs::symlink;
        symlink(&secret, project.join("rootdir")).unwrap();
        symlink("../../secret", project.join("parts/deep")).unwrap();
        symlink(secret.join("passwd"), project.join("linked.tex")).unwrap();
        symlink(secret.join("main.bbl"), project.join("main.bbl")).unwrap();
        symlink("parts", project.join("alias")).unwrap();
    }
    let main = format!(
        "\\documentclass{{article}}\\title{{A Study of Earlier Work}}\\begin{{document}}\\maketitle\n{BODY} \\cite{{key}}\n\n\
         \\input{{rootdir/passwd}}\\input{{parts/deep/passwd}}\\input{{linked}}\\input{{alias/inside}}\\input{{alias/../rootdir/passwd}}\n\
         \\bibliography{{rootdir/own}}\\end{{document}}"
    );
    fs::write(project.join("main.tex"), main).unwrap();
    for input in [project.join("main.tex"), project.clone()] {
        let paper = read(&input).unwrap();
        let whole = serde_json::to_string(&paper).unwrap();
        assert!(!whole.contains("secret"), "{}: {whole}", input.display());
        if cfg!(unix) && input.ends_with("main.tex") {
            assert!(
                paper.document.text.contains("This part lies inside"),
                "{}",
                paper.document.text
            );
        }
    }
}

#[test]
#[cfg(unix)]
fn special_files_are_rejected_before_they_are_opened() {
    let place = tempfile::tempdir().unwrap();
    let socket = place.path().join("socket");
    let _held = std::os::unix::net::UnixListener::bind(&socket).unwrap();
    let link = place.path().join("zero.pdf");
    std::os::unix::fs::symlink("/dev/zero", &link).unwrap();
    for (path, what) in [
        (socket.as_path(), "a socket"),
        (link.as_path(), "a device"),
        (std::path::Path::new("/dev/zero"), "a device"),
    ] {
        let error = read(path).unwrap_err();
        assert!(matches!(error, ReadError::NotAFile { .. }), "{error}");
        assert!(
            error
                .to_string()
                .ends_with(&format!("it is {what}, not a regular file")),
            "{error}"
        );
        assert!(!error.hint().is_empty());
        assert!(precedent_read::open_file(path).is_err());
    }
}
