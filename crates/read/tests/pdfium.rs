//! Tests of the pdfium engine: same papers, same parts, same hidden texts. `PRECEDENT_PDFIUM` sets the library path.
#![cfg(feature = "pdfium")]
#![expect(
    clippy::unwrap_used,
    clippy::print_stderr,
    reason = "a test that cannot create its file has failed, and a skipped test prints why"
)]

use std::path::PathBuf;

use lopdf::{Object, Stream, dictionary};
use precedent_domain::{HiddenReason, Paper};
use precedent_read::{PdfEngine, PdfSettings, PdfiumState, ReadError, configure_pdf, pdfium_state, read_bytes};

use crate::sheet::{ABSTRACT, BODY, Page, SECRET, bytes, document, first_page};

mod sheet;

/// Why a text is hidden, and how it is drawn so that it is invisible.
type Case = (HiddenReason, fn(&mut Page));

/// Whether the library is available. If `PRECEDENT_PDFIUM` is set, a missing library is a failure.
fn ready() -> bool {
    let library = std::env::var_os("PRECEDENT_PDFIUM").map(PathBuf::from);
    let configured = library.is_some();
    configure_pdf(PdfSettings {
        engine: PdfEngine::Pdfium,
        pdfium: library,
        ..PdfSettings::default()
    });
    match pdfium_state() {
        PdfiumState::Ready { .. } => true,
        state => {
            assert!(!configured, "PRECEDENT_PDFIUM does not point to a library: {state:?}");
            eprintln!("skipped: no pdfium library; set PRECEDENT_PDFIUM to its path");
            false
        }
    }
}

fn read(document: lopdf::Document) -> Paper {
    let paper = read_bytes(&bytes(document), "paper.pdf").unwrap();
    paper.document.check().unwrap();
    paper
}

#[test]
fn all_parts_of_a_plain_paper_are_read() {
    if !ready() {
        return;
    }
    let paper = read(document(vec![first_page()]));
    assert_eq!(paper.title.as_deref(), Some("A Small Index of Earlier Work"));
    let names: Vec<&str> = paper.authors.iter().map(|author| author.name.as_str()).collect();
    assert_eq!(names, ["Ada Example", "Ben Muster"]);
    assert_eq!(paper.abstract_text(), Some(ABSTRACT));
    assert!(paper.document.text.contains(BODY), "{}", paper.document.text);
    assert!(paper.hidden.is_empty());
}

#[test]
fn words_broken_at_line_ends_are_joined() {
    if !ready() {
        return;
    }
    let mut page = first_page();
    page.show("F1", 10.0, 72.0, 300.0, "The reading of manuscripts needs an inde-")
        .show(
            "F1",
            10.0,
            72.0,
            288.0,
            "pendent second look at each of the pages that follow it here.",
        );
    let paper = read(document(vec![page]));
    assert!(
        paper.document.text.contains("an independent second look"),
        "{}",
        paper.document.text
    );
}

#[test]
fn invisible_text_is_hidden_text() {
    if !ready() {
        return;
    }
    let white = |page: &mut Page| {
        page.op("rg", vec![1.into(), 1.into(), 1.into()])
            .show("F1", 10.0, 72.0, 100.0, SECRET);
    };
    let boxed = |page: &mut Page| {
        page.op("rg", vec![0.1.into(), 0.2.into(), 0.6.into()])
            .op("re", vec![60.into(), 90.into(), 400.into(), 40.into()])
            .op("f", vec![])
            .show("F1", 10.0, 72.0, 100.0, SECRET);
    };
    let invisible = |page: &mut Page| {
        page.op("Tr", vec![3.into()]).show("F1", 10.0, 72.0, 100.0, SECRET);
    };
    let tiny = |page: &mut Page| {
        page.show("F1", 0.8, 72.0, 100.0, SECRET);
    };
    let off = |page: &mut Page| {
        page.show("F1", 10.0, 72.0, -300.0, SECRET);
    };
    let clipped = |page: &mut Page| {
        page.op("q", vec![])
            .op("re", vec![0.into(), 700.into(), 50.into(), 20.into()])
            .op("W", vec![])
            .op("n", vec![])
            .show("F1", 10.0, 72.0, 100.0, SECRET)
            .op("Q", vec![]);
    };
    let cases: [Case; 6] = [
        (HiddenReason::WhiteOnWhite, white),
        (HiddenReason::WhiteOnWhite, boxed),
        (HiddenReason::InvisibleMode, invisible),
        (HiddenReason::Tiny, tiny),
        (HiddenReason::OffPage, off),
        (HiddenReason::OffPage, clipped),
    ];
    for (reason, draw) in cases {
        let mut page = first_page();
        draw(&mut page);
        let paper = read(document(vec![page]));
        assert!(!paper.document.text.contains("previous instructions"), "{reason:?}");
        let pieces: Vec<(HiddenReason, &str)> = paper
            .hidden
            .iter()
            .map(|piece| (piece.reason, piece.text.as_str()))
            .collect();
        assert_eq!(pieces, [(reason, SECRET)]);
    }
    let mut page = first_page();
    page.op("rg", vec![0.1.into(), 0.2.into(), 0.6.into()])
        .op("re", vec![60.into(), 90.into(), 400.into(), 40.into()])
        .op("f", vec![])
        .op("rg", vec![1.into(), 1.into(), 1.into()])
        .show("F1", 10.0, 72.0, 100.0, SECRET);
    let paper = read(document(vec![page]));
    assert!(paper.hidden.is_empty() && paper.document.text.contains(SECRET));
}

#[test]
fn broken_files_are_errors() {
    if !ready() {
        return;
    }
    let good = bytes(document(vec![first_page()]));
    for end in [0, 5, 40, good.len() / 3] {
        assert!(read_bytes(good.get(..end).unwrap(), "cut.pdf").is_err());
    }
    let blank = document(vec![Page::default()]);
    assert!(matches!(
        read_bytes(&bytes(blank), "scan.pdf"),
        Err(ReadError::NoText { .. })
    ));
}

#[test]
fn a_page_drawn_by_one_form_is_not_a_figure() {
    if !ready() {
        return;
    }
    let mut whole = document(vec![first_page()]);
    let page = whole.page_iter().next().unwrap();
    let content = whole.get_page_content(page).unwrap();
    let fonts = whole.get_page_resources(page).unwrap();
    let fonts = whole.get_object(*fonts.1.first().unwrap()).unwrap().clone();
    let form = whole.add_object(Stream::new(
        dictionary! {
            "Type" => "XObject", "Subtype" => "Form", "Resources" => fonts,
            "BBox" => vec![0.into(), 0.into(), 612.into(), 792.into()],
        },
        content,
    ));
    let outer = whole.add_object(Stream::new(dictionary! {}, b"q /X Do Q".to_vec()));
    let page = whole.get_object_mut(page).unwrap().as_dict_mut().unwrap();
    page.set("Contents", outer);
    page.set(
        "Resources",
        Object::Dictionary(dictionary! { "XObject" => dictionary! { "X" => form } }),
    );
    assert_eq!(read(whole).abstract_text(), Some(ABSTRACT));
}
