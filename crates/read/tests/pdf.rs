//! Tests with generated PDFs: valid ones, ones with invisible text, hostile and broken ones.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that cannot create its file has failed"
)]

use lopdf::{Dictionary, Document, Object, Stream, dictionary};
use precedent_domain::{HiddenReason, Paper, ParagraphKind, ReadProblem, ReadWarningKind, SectionKind};
use precedent_read::{ReadError, read_bytes};

use crate::sheet::{ABSTRACT, BODY, Page, SECRET, bytes, document, first_page};

mod sheet;

fn read(document: Document) -> Paper {
    let paper = read_bytes(&bytes(document), "paper.pdf").unwrap();
    paper.document.check().unwrap();
    paper
}

fn hidden_with(extra: impl FnOnce(&mut Page)) -> Paper {
    let mut page = first_page();
    extra(&mut page);
    read(document(vec![page]))
}

fn assert_hidden(paper: &Paper, reason: HiddenReason) {
    assert!(
        !paper.document.text.contains("previous instructions"),
        "{}",
        paper.document.text
    );
    assert!(paper.document.text.contains("Readers look for earlier work"));
    let [piece] = paper.hidden.as_slice() else {
        panic!("{:?}", paper.hidden)
    };
    assert_eq!(piece.reason, reason);
    assert_eq!(piece.page, Some(1));
    assert_eq!(piece.text, SECRET);
    assert!(
        paper
            .warnings
            .iter()
            .any(|warning| warning.kind == ReadWarningKind::HiddenText)
    );
}

#[test]
fn all_parts_of_a_plain_paper_are_read() {
    let paper = read(document(vec![first_page()]));
    assert_eq!(paper.title.as_deref(), Some("A Small Index of Earlier Work"));
    let names: Vec<&str> = paper.authors.iter().map(|author| author.name.as_str()).collect();
    assert_eq!(names, ["Ada Example", "Ben Muster"]);
    assert_eq!(paper.abstract_text(), Some(ABSTRACT));
    assert!(
        paper
            .document
            .sections
            .iter()
            .any(|section| section.kind == SectionKind::Introduction)
    );
    assert!(paper.document.text.contains(BODY));
    assert!(paper.hidden.is_empty() && paper.document.pages.len() == 1);
}

#[test]
fn white_text_is_hidden_text() {
    let paper = hidden_with(|page| {
        page.op("rg", vec![1.into(), 1.into(), 1.into()])
            .show("F1", 10.0, 72.0, 100.0, SECRET);
    });
    assert_hidden(&paper, HiddenReason::WhiteOnWhite);
}

#[test]
fn text_in_the_colour_of_its_box_is_hidden_and_white_on_dark_is_read() {
    let boxed = |red: f32| {
        hidden_with(|page| {
            page.op("rg", vec![0.1.into(), 0.2.into(), 0.6.into()])
                .op("re", vec![60.into(), 90.into(), 400.into(), 40.into()])
                .op("f", vec![])
                .op(
                    "rg",
                    vec![
                        red.into(),
                        if red > 0.5 { 1.into() } else { 0.2.into() },
                        if red > 0.5 { 1.into() } else { 0.6.into() },
                    ],
                )
                .show("F1", 10.0, 72.0, 100.0, SECRET);
        })
    };
    assert_hidden(&boxed(0.1), HiddenReason::WhiteOnWhite);
    let seen = boxed(1.0);
    assert!(seen.hidden.is_empty() && seen.document.text.contains(SECRET));
}

#[test]
fn tiny_text_is_hidden_text() {
    let paper = hidden_with(|page| {
        page.show("F1", 0.8, 72.0, 100.0, SECRET);
    });
    assert_hidden(&paper, HiddenReason::Tiny);
}

#[test]
fn text_shrunk_by_a_matrix_counts_as_tiny() {
    let paper = hidden_with(|page| {
        page.op("q", vec![])
            .op(
                "cm",
                vec![0.05.into(), 0.into(), 0.into(), 0.05.into(), 72.into(), 100.into()],
            )
            .show("F1", 12.0, 0.0, 0.0, SECRET)
            .op("Q", vec![]);
    });
    assert_hidden(&paper, HiddenReason::Tiny);
}

#[test]
fn text_off_the_page_is_hidden_text() {
    let paper = hidden_with(|page| {
        page.show("F1", 10.0, 700.0, 400.0, SECRET);
    });
    assert_hidden(&paper, HiddenReason::OffPage);
}

#[test]
fn clipped_text_is_hidden_text() {
    let paper = hidden_with(|page| {
        page.op("q", vec![])
            .op("re", vec![0.into(), 0.into(), 10.into(), 10.into()])
            .op("W", vec![])
            .op("n", vec![])
            .show("F1", 10.0, 72.0, 100.0, SECRET)
            .op("Q", vec![]);
    });
    assert_hidden(&paper, HiddenReason::OffPage);
}

#[test]
fn text_in_invisible_mode_is_hidden_text() {
    let paper = hidden_with(|page| {
        page.op("Tr", vec![3.into()]).show("F1", 10.0, 72.0, 100.0, SECRET);
    });
    assert_hidden(&paper, HiddenReason::InvisibleMode);
}

#[test]
fn two_columns_are_read_in_order_in_any_drawing_order() {
    let left: Vec<String> = (0..30)
        .map(|line| format!("left column line number {line} goes on and on"))
        .collect();
    let right: Vec<String> = (0..30)
        .map(|line| format!("right column line number {line} goes on and on"))
        .collect();
    let mut page = Page::default();
    page.show("F2", 16.0, 120.0, 750.0, "Two Columns Side by Side in a Page");
    for (row, (left, right)) in left.iter().zip(&right).enumerate() {
        let y = 700.0 - 12.0 * f32::from(u8::try_from(row).unwrap());
        // Row by row, as a word processor may draw.
        page.show("F1", 10.0, 60.0, y, left).show("F1", 10.0, 320.0, y, right);
    }
    let paper = read(document(vec![page]));
    let text = &paper.document.text;
    let place = |line: &str| text.find(line).unwrap_or_else(|| panic!("{line} in {text}"));
    assert!(place(&left[29]) < place(&right[0]));
    assert!(place(&left[3]) < place(&left[4]) && place(&right[3]) < place(&right[4]));
}

#[test]
fn words_broken_at_line_ends_are_joined_and_compounds_keep_their_hyphen() {
    let mut page = first_page();
    page.show("F1", 10.0, 72.0, 300.0, "The proba-")
        .show(
            "F1",
            10.0,
            72.0,
            288.0,
            "bility of a well-known result is high, and a well-",
        )
        .show("F1", 10.0, 72.0, 276.0, "known result needs no proof here.");
    let paper = read(document(vec![page]));
    assert!(
        paper
            .document
            .text
            .contains("The probability of a well-known result is high, and a well-known result needs")
    );
}

/// A page whose last lines are these, each as wide as the text above.
fn page_ending_with(lines: &[&str]) -> Page {
    let mut page = first_page();
    let mut y = page.paragraph(72.0, 400.0, 90, BODY);
    for line in lines {
        page.show("F1", 10.0, 72.0, y, line);
        y -= 12.0;
    }
    page
}

#[test]
fn a_full_line_of_symbols_stays_in_its_paragraph() {
    let page = page_ending_with(&[
        "Our features in the first table are the joined values of both words of an edge, such that",
        "a = b + c * d, e = f + g * h, k = l + m * n, p = q + r * s, t = u + v * w, x = y + z * z, of (3)",
        "and the other feature is the word that an edge points to.",
    ]);
    let text = read(document(vec![page])).document.text;
    let whole = "such that a = b + c * d, e = f + g * h, k = l + m * n, p = q + r * s, t = u + v * w, x = y + z * z, of (3) and the other";
    assert!(text.contains(whole), "{text}");
    // After a colon it is a formula of its own.
    let page = page_ending_with(&[
        "Our features in the first table are the joined values of both words of an edge, given by:",
        "a = b + c * d, e = f + g * h, k = l + m * n, p = q + r * s, t = u + v * w, x = y + z * z, of (3)",
    ]);
    let text = read(document(vec![page])).document.text;
    assert!(text.contains("given by:\n"), "{text}");
}

#[test]
fn a_word_divided_at_a_page_break_is_joined_though_figures_follow() {
    let first = page_ending_with(&[
        "Differences between the two tables are given as absolute values here and in the other parts.",
        "With the features of both tables, the correction of words that are often confused gets ab-",
    ]);
    let mut second = Page::default();
    second.show(
        "F1",
        10.0,
        72.0,
        730.0,
        "solute gains of 1.35 for 9 sets, 0.60 for 5 sets, 0.44 for 3 sets and 0.21 for 2 of 14 sets.",
    );
    second.paragraph(72.0, 706.0, 90, BODY);
    let text = read(document(vec![first, second])).document.text;
    assert!(
        text.contains("often confused gets absolute gains of 1.35 for 9 sets"),
        "{text}"
    );
}

#[test]
fn running_headers_and_page_numbers_are_dropped() {
    let pages = (1..=5)
        .map(|number| {
            let mut page = if number == 1 { first_page() } else { Page::default() };
            page.show("F1", 8.0, 250.0, 775.0, "Journal of Invented Results").show(
                "F1",
                8.0,
                300.0,
                20.0,
                &number.to_string(),
            );
            page.paragraph(
                72.0,
                400.0,
                90,
                &format!("{BODY} On page {number} the text goes on with other words."),
            );
            page
        })
        .collect();
    let paper = read(document(pages));
    assert!(!paper.document.text.contains("Invented Results"));
    assert!(paper.document.paragraphs.iter().all(|paragraph| {
        let text = paper.document.slice(paragraph.span).unwrap();
        text.trim().parse::<u32>().is_err()
    }));
    assert_eq!(paper.document.pages.len(), 5);
    assert!(
        paper
            .document
            .paragraphs
            .iter()
            .filter(|paragraph| paragraph.kind == ParagraphKind::Body)
            .count()
            >= 5
    );
}

#[test]
fn an_encrypted_file_is_reported() {
    let mut good = document(vec![first_page()]);
    good.trailer.set(
        "ID",
        vec![
            Object::string_literal("0123456789abcdef"),
            Object::string_literal("0123456789abcdef"),
        ],
    );
    let version = lopdf::EncryptionVersion::V2 {
        document: &good,
        owner_password: "owner",
        user_password: "secret",
        key_length: 128,
        permissions: lopdf::Permissions::all(),
    };
    let state = lopdf::EncryptionState::try_from(version).unwrap();
    good.encrypt(&state).unwrap();
    let error = read_bytes(&bytes(good), "locked.pdf").unwrap_err();
    assert!(matches!(error, ReadError::Encrypted { .. }), "{error:?}");
}

#[test]
fn a_scan_without_text_is_reported_with_its_page_count() {
    let pages = (0..3)
        .map(|_| {
            let mut page = Page::default();
            page.op("re", vec![0.into(), 0.into(), 612.into(), 792.into()])
                .op("f", vec![]);
            page
        })
        .collect();
    let error = read_bytes(&bytes(document(pages)), "scan.pdf").unwrap_err();
    assert!(matches!(error, ReadError::NoText { pages: Some(3), .. }), "{error:?}");
}

#[test]
fn a_broken_cross_reference_table_is_rebuilt() {
    let mut file = bytes(document(vec![first_page()]));
    let at = file.windows(9).rposition(|window| window == b"startxref").unwrap();
    file.splice(at + 10.., b"7\n%%EOF\n".iter().copied());
    let paper = read_bytes(&file, "broken.pdf").unwrap();
    assert_eq!(paper.abstract_text(), Some(ABSTRACT));
    let at = file.windows(4).position(|window| window == b"xref").unwrap();
    file.truncate(at);
    let paper = read_bytes(&file, "cut.pdf").unwrap();
    assert_eq!(paper.abstract_text(), Some(ABSTRACT));
}

#[test]
fn truncated_and_corrupted_files_never_panic() {
    let file = bytes(document(vec![first_page(), first_page()]));
    for end in (0..file.len()).step_by(97) {
        let _ = read_bytes(&file[..end], "cut.pdf");
    }
    for at in (0..file.len()).step_by(61) {
        let mut file = file.clone();
        file[at] ^= 0x15;
        let _ = read_bytes(&file, "flipped.pdf");
    }
}

#[test]
fn empty_and_foreign_files_are_errors() {
    for (file, name) in [
        (&b""[..], "empty.pdf"),
        (b"%PDF-1.7\n", "head.pdf"),
        (b"%PDF-1.7\n%%EOF", "end.pdf"),
    ] {
        assert!(read_bytes(file, name).is_err(), "{name}");
    }
}

#[test]
fn self_referencing_objects_terminate() {
    let mut looping = document(vec![first_page()]);
    // A form that draws itself, a font that is its own descendant, a page tree whose parent is its child.
    let form = looping.new_object_id();
    let resources = dictionary! { "XObject" => dictionary! { "X" => form } };
    let mut dictionary = dictionary! { "Type" => "XObject", "Subtype" => "Form", "BBox" => vec![0.into(), 0.into(), 600.into(), 600.into()] };
    dictionary.set("Resources", resources);
    looping
        .objects
        .insert(form, Stream::new(dictionary, b"/X Do /X Do".to_vec()).into());
    let page = looping.page_iter().next().unwrap();
    let font = looping.new_object_id();
    looping.objects.insert(
        font,
        lopdf::dictionary! { "Type" => "Font", "Subtype" => "Type0", "Encoding" => font, "ToUnicode" => font, "DescendantFonts" => vec![font.into()] }.into(),
    );
    let content = looping.add_object(Stream::new(
        Dictionary::new(),
        b"/X Do BT /L 10 Tf 72 300 Td (abc) Tj ET".to_vec(),
    ));
    let entry = looping.get_object_mut(page).unwrap().as_dict_mut().unwrap();
    entry.set("Resources", lopdf::dictionary! { "XObject" => lopdf::dictionary! { "X" => form }, "Font" => lopdf::dictionary! { "L" => font } });
    entry.set("Contents", content);
    entry.set("Parent", page);
    let error = read_bytes(&bytes(looping), "loop.pdf");
    assert!(error.is_err());
}

#[test]
fn a_book_is_cut_with_a_warning() {
    let mut pages = vec![first_page()];
    pages.extend((1..2_100).map(|number| {
        let mut page = Page::default();
        page.show(
            "F1",
            10.0,
            72.0,
            400.0,
            &format!("A line of words on page {number} of a book."),
        );
        page
    }));
    let paper = read(document(pages));
    let warning = paper
        .warnings
        .iter()
        .find(|warning| warning.kind == ReadWarningKind::Truncated)
        .unwrap();
    let first = ReadProblem::FirstPages {
        read: 2_000,
        pages: 2_100,
    };
    assert_eq!(warning.problem, Some(first));
    assert!(!paper.document.text.contains("page 2050"));
    assert!(paper.document.text.contains("page 1950"));
}

#[test]
fn a_huge_unpacked_stream_is_cut() {
    let mut bomb = document(vec![first_page()]);
    let page = bomb.page_iter().next().unwrap();
    let mut stream = Stream::new(Dictionary::new(), vec![b' '; 64 << 20]);
    stream.compress().unwrap();
    assert!(stream.content.len() < 1 << 20);
    let bombs: Vec<Object> = std::iter::repeat_n(bomb.add_object(stream).into(), 200).collect();
    bomb.get_object_mut(page)
        .unwrap()
        .as_dict_mut()
        .unwrap()
        .set("Contents", bombs);
    assert!(read_bytes(&bytes(bomb), "bomb.pdf").is_err());
}

/// A page in fonts with numbered glyphs and without a map from numbers to letters.
fn unmapped() -> Document {
    let mut document = document(vec![first_page()]);
    let ids: Vec<_> = document
        .objects
        .iter()
        .filter(|(_, object)| object.as_dict().is_ok_and(|font| font.has_type(b"Font")))
        .map(|(id, _)| *id)
        .collect();
    let glyphs = document.add_object(dictionary! {
        "Type" => "Font", "Subtype" => "CIDFontType2", "BaseFont" => "ABCDEF+Numbered", "DW" => 500,
        "CIDSystemInfo" => dictionary! {
            "Registry" => Object::string_literal("Adobe"), "Ordering" => Object::string_literal("Identity"), "Supplement" => 0,
        },
    });
    for id in ids {
        let font = dictionary! {
            "Type" => "Font", "Subtype" => "Type0", "BaseFont" => "ABCDEF+Numbered", "Encoding" => "Identity-H",
            "DescendantFonts" => vec![glyphs.into()],
        };
        document.objects.insert(id, font.into());
    }
    document
}

#[test]
fn a_file_without_character_maps_is_an_error() {
    let error = read_bytes(&bytes(unmapped()), "paper.pdf").unwrap_err();
    assert!(matches!(error, ReadError::NoLetters { .. }), "{error}");
    assert!(
        error
            .to_string()
            .contains("the text of this PDF cannot be read (its fonts have no usable mapping)")
    );
}

#[test]
fn caption_ends_and_names_at_line_ends_do_not_start_paragraphs() {
    let mut page = first_page();
    page.show(
        "F1",
        10.0,
        72.0,
        300.0,
        "The decoder keeps each of the links for many months, which is what is shown in",
    )
    .show("F1", 10.0, 72.0, 288.0, "Figure 2.")
    .show("F1", 10.0, 72.0, 276.0, "and nothing else is kept of them.");
    let paper = read(document(vec![page]));
    assert!(
        paper
            .document
            .text
            .contains("which is what is shown in Figure 2. and nothing"),
        "{}",
        paper.document.text
    );
}

#[test]
fn a_footnote_inside_the_list_of_references_is_no_entry() {
    let mut list = Page::default();
    list.show("F2", 12.0, 72.0, 730.0, "References");
    let entries = [
        (
            72.0,
            710.0,
            "Ada Example and Dora Specimen. 2003. Ropes that hold, and how to tell them from",
        ),
        (82.0, 698.0, "those that do not. In Journal of Knots."),
        (
            72.0,
            682.0,
            "Ben Muster and Emil Pattern. 2004. Ropes that do not hold, and where to find them",
        ),
        (82.0, 670.0, "on large boats. In Journal of Knots."),
    ];
    for (x, y, text) in entries {
        list.show("F1", 10.0, x, y, text);
    }
    list.show("F1", 6.0, 72.0, 83.0, "10")
        .show("F1", 8.0, 79.0, 80.0, "http://knots.example.org/");
    let mut rest = Page::default();
    rest.show(
        "F1",
        10.0,
        72.0,
        730.0,
        "Cleo Sample. 2005. Ropes for boats. In Journal of Knots.",
    );
    let paper = read(document(vec![first_page(), list, rest]));
    let entries: Vec<&str> = paper.references.iter().map(|entry| entry.text.as_str()).collect();
    assert_eq!(entries.len(), 3, "{entries:#?}");
    assert!(
        entries[1].starts_with("Ben Muster") && entries[2].starts_with("Cleo Sample"),
        "{entries:#?}"
    );
    let notes: Vec<&str> = paper
        .document
        .paragraphs
        .iter()
        .filter(|paragraph| paragraph.kind == ParagraphKind::Footnote)
        .filter_map(|paragraph| paper.document.slice(paragraph.span))
        .collect();
    assert_eq!(notes.len(), 1, "{notes:#?}");
    assert!(notes[0].ends_with("http://knots.example.org/"), "{notes:#?}");
}

fn rectangle(page: &mut Page, shade: f32) -> &mut Page {
    page.op("rg", vec![shade.into(), shade.into(), shade.into()])
        .op("re", vec![60.into(), 90.into(), 400.into(), 40.into()])
        .op("f", vec![])
}

#[test]
fn text_under_a_shape_painted_later_is_hidden_text() {
    for shade in [1.0, 0.0] {
        let paper = hidden_with(|page| {
            page.show("F1", 10.0, 72.0, 100.0, SECRET);
            rectangle(page, shade);
        });
        assert_hidden(&paper, HiddenReason::Covered);
    }
    // The same rectangle as lines.
    let paper = hidden_with(|page| {
        page.show("F1", 10.0, 72.0, 100.0, SECRET)
            .op("rg", vec![1.into(), 1.into(), 1.into()])
            .op("m", vec![60.into(), 90.into()])
            .op("l", vec![460.into(), 90.into()])
            .op("l", vec![460.into(), 130.into()])
            .op("l", vec![60.into(), 130.into()])
            .op("h", vec![])
            .op("f", vec![]);
    });
    assert_hidden(&paper, HiddenReason::Covered);
}

#[test]
fn text_over_a_shape_and_beside_it_is_read() {
    let read_with = |extra: &dyn Fn(&mut Page)| {
        let paper = hidden_with(extra);
        assert!(paper.hidden.is_empty(), "{:?}", paper.hidden);
        assert!(paper.document.text.contains(SECRET));
    };
    read_with(&|page| {
        rectangle(page, 0.9);
        page.op("rg", vec![0.into(), 0.into(), 0.into()])
            .show("F1", 10.0, 72.0, 100.0, SECRET);
    });
    read_with(&|page| {
        page.show("F1", 10.0, 72.0, 100.0, SECRET)
            .op("re", vec![72.into(), 96.into(), 300.into(), 1.into()])
            .op("f", vec![]);
    });
    // The bounds of a triangle are larger than the triangle.
    read_with(&|page| {
        page.show("F1", 10.0, 72.0, 100.0, SECRET)
            .op("m", vec![60.into(), 90.into()])
            .op("l", vec![460.into(), 90.into()])
            .op("l", vec![460.into(), 93.into()])
            .op("f", vec![]);
    });
    // A frame: the inner rectangle is a hole.
    read_with(&|page| {
        page.show("F1", 10.0, 72.0, 100.0, SECRET)
            .op("re", vec![50.into(), 80.into(), 420.into(), 60.into()])
            .op("re", vec![60.into(), 90.into(), 400.into(), 40.into()])
            .op("f*", vec![]);
    });
}

/// A page whose front matter has these lines (font, size, distance to the line above, text), then an abstract and a section.
fn front_page(lines: &[(&str, f32, f32, &str)]) -> Paper {
    let mut page = Page::default();
    let mut y = 750.0;
    for (font, size, distance, text) in lines {
        y -= distance;
        page.show(font, *size, 90.0, y, text);
    }
    page.show("F2", 12.0, 90.0, y - 30.0, "Abstract");
    let y = page.paragraph(90.0, y - 48.0, 80, ABSTRACT);
    page.show("F2", 12.0, 72.0, y - 14.0, "1 Introduction");
    page.paragraph(72.0, y - 32.0, 90, BODY);
    read(document(vec![page]))
}

fn names(paper: &Paper) -> Vec<&str> {
    paper.authors.iter().map(|author| author.name.as_str()).collect()
}

#[test]
fn author_lines_never_become_titles() {
    // Larger than the title.
    let paper = front_page(&[
        ("F2", 13.0, 0.0, "Ropes that age in the sea"),
        ("F1", 14.0, 22.0, "Ada Example, Bo Li and Ben Muster"),
        ("F1", 10.0, 16.0, "University of Nowhere"),
    ]);
    assert_eq!(paper.title.as_deref(), Some("Ropes that age in the sea"));
    assert_eq!(names(&paper), ["Ada Example", "Bo Li", "Ben Muster"]);
    // In the look of the title.
    let paper = front_page(&[
        ("F2", 13.0, 0.0, "Ropes that age in the sea and a second"),
        ("F2", 13.0, 16.0, "Line of the Title"),
        ("F2", 13.0, 26.0, "Ada Example, zhuoyi lu and Ben Muster"),
        ("F1", 10.0, 16.0, "University of Nowhere"),
    ]);
    assert_eq!(
        paper.title.as_deref(),
        Some("Ropes that age in the sea and a second Line of the Title")
    );
    assert_eq!(names(&paper), ["Ada Example", "zhuoyi lu", "Ben Muster"]);
}

#[test]
fn the_name_of_a_journal_is_not_the_title() {
    let paper = front_page(&[
        ("F2", 24.0, 0.0, "Letters on Ropes"),
        ("F1", 9.0, 14.0, "www.ropes.example"),
        ("F1", 10.0, 16.0, "Research Article"),
        ("F2", 16.0, 24.0, "Building ropes for the city and the lab"),
        ("F1", 11.0, 20.0, "Ada Example, Ben Muster, Chi Wu, Dan Ito and Eva"),
        ("F1", 11.0, 13.0, "Schmidt, Fay Berg"),
        ("F1", 9.0, 14.0, "Department of Ropes, University of Nowhere"),
    ]);
    assert_eq!(paper.title.as_deref(), Some("Building ropes for the city and the lab"));
    assert_eq!(
        names(&paper),
        [
            "Ada Example",
            "Ben Muster",
            "Chi Wu",
            "Dan Ito",
            "Eva Schmidt",
            "Fay Berg"
        ]
    );
}

#[test]
fn a_title_in_the_metadata_counts_where_it_is_printed() {
    let with = |title: &str| {
        let mut page = Page::default();
        page.show("F2", 16.0, 90.0, 750.0, "Proceedings of Everything").show(
            "F1",
            11.0,
            90.0,
            720.0,
            "Ropes that age in the sea",
        );
        page.show("F1", 11.0, 90.0, 700.0, "Ada Example and Ben Muster")
            .show("F2", 12.0, 90.0, 670.0, "Abstract");
        page.paragraph(90.0, 650.0, 80, ABSTRACT);
        let mut document = document(vec![page]);
        let info = document.add_object(dictionary! { "Title" => Object::string_literal(title) });
        document.trailer.set("Info", info);
        read(document).title
    };
    assert_eq!(
        with("Ropes that Age in the Sea").as_deref(),
        Some("Ropes that age in the sea")
    );
    assert_ne!(
        with("Something that is not printed").as_deref(),
        Some("Something that is not printed")
    );
}

#[test]
fn doubts_about_title_and_authors_lower_the_quality() {
    let sure = front_page(&[
        ("F2", 16.0, 0.0, "Ropes that age in the sea"),
        ("F1", 11.0, 20.0, "Ada Example and Ben Muster"),
    ]);
    let none = front_page(&[
        ("F2", 16.0, 0.0, "Ropes that age in the sea"),
        ("F1", 11.0, 20.0, "Institute of Ropes"),
    ]);
    let rival = front_page(&[
        ("F2", 16.0, 0.0, "A collection of papers on the sea"),
        ("F1", 11.0, 40.0, "Ada Example and Ben Muster"),
        ("F2", 16.0, 40.0, "Ropes that age in it"),
    ]);
    let doubts = |paper: &Paper| {
        paper
            .quality
            .problems
            .iter()
            .filter(|problem| {
                matches!(
                    problem,
                    ReadProblem::TitleInDoubt | ReadProblem::NoAuthors | ReadProblem::AuthorsInDoubt
                )
            })
            .count()
    };
    assert!(doubts(&sure) < doubts(&none), "{:?}", none.quality);
    assert!(none.quality.score < sure.quality.score);
    assert!(rival.quality.score < sure.quality.score, "{:?}", rival.quality);
}
