//! The Markdown report: its content, and that text from papers never becomes markup.

use std::collections::BTreeSet;

use precedent_domain::{
    Assessment, Gap, MissingPart, NotSearched, NotSearchedKind, Quote, ReadProblem, ReadWarning, ReadWarningKind,
};

use precedent_report::render;
use proptest::prelude::*;
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

fn markdown(case: &Assessment) -> String {
    String::from_utf8(render(case, "md").unwrap()).unwrap()
}

#[test]
fn the_full_case_matches_its_snapshot() {
    insta::assert_snapshot!("full", markdown(&crate::fixture::full()));
}

#[test]
fn a_missing_reference_list_is_reported_once() {
    let problem = ReadProblem::PartsNotFound {
        parts: vec![MissingPart::ReferenceList],
    };
    let warning = ReadWarning::new(ReadWarningKind::PartMissing, problem);
    let message = "no reference list found";
    let uncoded = NotSearched::in_words(NotSearchedKind::PaperPart, message);
    let follows = "No reference list could be read from the paper, so missing citations were not checked.";
    let of_first_schema = NotSearched::in_words(NotSearchedKind::ReferencesNotFollowed, follows);
    for (limits, is_alone) in [
        (
            vec![Gap::NoReferenceList.into(), NotSearched::of_reading(&warning)],
            false,
        ),
        (vec![Gap::NoReferenceList.into(), uncoded.clone()], false),
        (vec![of_first_schema, uncoded.clone()], false),
        (vec![uncoded], true),
    ] {
        let mut case = crate::fixture::full();
        case.metadata.not_searched = limits;
        let text = markdown(&case);
        assert_eq!(text.contains("No reference list found"), is_alone, "{text}");
        assert_ne!(text.contains(follows), is_alone, "{text}");
    }
}

#[test]
fn the_empty_case_states_what_is_missing() {
    insta::assert_snapshot!("empty", markdown(&crate::fixture::empty()));
}

#[test]
fn the_findings_come_first_and_what_limits_them_directly_below() {
    for case in [crate::fixture::full(), crate::fixture::empty()] {
        let text = markdown(&case);
        let at = |words: &str| text.find(words).unwrap_or_else(|| panic!("{words:?} is missing"));
        assert!(at("## Findings") < at("## Not searched or read"));
        assert!(at("## Not searched or read") < at("no ground for rejection"));
        assert!(at("no ground for rejection") < at("## Claims and evidence"));
        for message in &case.metadata.not_searched {
            assert!(at(&message.message) < at("## Claims and evidence"));
        }
    }
}

#[test]
fn the_same_assessment_gives_the_same_bytes() {
    assert_eq!(
        markdown(&crate::fixture::large(80)),
        markdown(&crate::fixture::large(80))
    );
}

/// Text in quotation marks in block quotations and table cells, as a reader sees it.
fn printed_quotes(text: &str) -> Vec<String> {
    let mut quotes = Vec::new();
    let (mut inside, mut current) = (0, String::new());
    for event in Parser::new_ext(text, Options::all()) {
        match event {
            Event::Start(Tag::BlockQuote(_) | Tag::TableCell) => inside += 1,
            Event::End(TagEnd::BlockQuote(_)) => inside -= 1,
            Event::Start(Tag::Paragraph) if inside > 0 => current.clear(),
            Event::Text(words) | Event::Code(words) if inside > 0 => current.push_str(&words),
            Event::SoftBreak if inside > 0 => current.push(' '),
            Event::End(TagEnd::Paragraph) if inside > 0 => quotes.push(std::mem::take(&mut current)),
            Event::End(TagEnd::TableCell) => {
                inside -= 1;
                // The place follows the quote.
                let end = current.find("” (").map_or(current.len(), |at| at + '”'.len_utf8());
                current.truncate(end);
                quotes.push(std::mem::take(&mut current));
            }
            _ => {}
        }
    }
    quotes.retain(|quote| quote.starts_with('“'));
    quotes
}

fn all_quotes(value: &serde_json::Value, found: &mut Vec<String>) {
    if let Ok(quote) = serde_json::from_value::<Quote>(value.clone()) {
        found.push(quote.text().split_whitespace().collect::<Vec<_>>().join(" "));
    }
    match value {
        serde_json::Value::Array(items) => items.iter().for_each(|item| all_quotes(item, found)),
        serde_json::Value::Object(fields) => fields.values().for_each(|field| all_quotes(field, found)),
        _ => {}
    }
}

#[test]
fn every_printed_quote_matches_its_source() {
    for case in [crate::fixture::full(), crate::fixture::large(30)] {
        let mut sources = Vec::new();
        all_quotes(&serde_json::to_value(&case).unwrap(), &mut sources);
        let printed = printed_quotes(&markdown(&case));
        assert!(printed.len() > 12, "{}", printed.len());
        for quote in &printed {
            let whole = quote.trim_start_matches('“').trim_end_matches('”');
            let part = whole.trim_start_matches("… ").trim_end_matches(" …");
            let is_in_source = if part == whole {
                sources.iter().any(|source| source == whole)
            } else {
                sources.iter().any(|source| source.contains(part))
            };
            assert!(is_in_source, "{quote:?} is in no source");
        }
    }
}

/// The markup that a Markdown parser finds in `text`, except our own headings, lists, tables, quotes and emphasis.
fn markup(text: &str) -> BTreeSet<String> {
    Parser::new_ext(text, Options::all())
        .filter_map(|event| match event {
            Event::Html(html) | Event::InlineHtml(html) => Some(format!("html {html}")),
            Event::Code(code) => Some(format!("code {code}")),
            Event::InlineMath(words) | Event::DisplayMath(words) => Some(format!("math {words}")),
            Event::FootnoteReference(name) => Some(format!("footnote {name}")),
            Event::Rule | Event::HardBreak | Event::TaskListMarker(_) => Some(format!("{event:?}")),
            Event::Start(Tag::Link { dest_url, .. }) => Some(format!("link {dest_url}")),
            Event::Start(Tag::Image { dest_url, .. }) => Some(format!("image {dest_url}")),
            Event::Start(
                tag @ (Tag::CodeBlock(_)
                | Tag::FootnoteDefinition(_)
                | Tag::HtmlBlock
                | Tag::Strikethrough
                | Tag::Superscript
                | Tag::Subscript
                | Tag::DefinitionList
                | Tag::MetadataBlock(_)),
            ) => Some(format!("{tag:?}")),
            _ => None,
        })
        .collect()
}

/// Every block in order, to detect titles that open or close a block.
fn skeleton(text: &str) -> Vec<String> {
    Parser::new_ext(text, Options::all())
        .filter_map(|event| match event {
            Event::Start(Tag::Heading { level, .. }) => Some(format!("{level}")),
            Event::Start(Tag::Paragraph) => Some("p".into()),
            Event::Start(Tag::List(start)) => Some(format!("list {start:?}")),
            Event::Start(Tag::TableRow) => Some("row".into()),
            Event::Start(Tag::TableCell) => Some("cell".into()),
            Event::Start(Tag::Item) => Some("item".into()),
            Event::Start(Tag::BlockQuote(kind)) => Some(format!("quote {kind:?}")),
            _ => None,
        })
        .collect()
}

fn harmless(text: &str) {
    let with = |text: &str| markdown(&crate::fixture::hostile::hostile_with(text, "javascript:alert(1)"));
    let wild = with(text);
    // Limits of several sentences are listed by their first ones and in full at the end, so a text of two sentences has another skeleton.
    let tame = with(match wild.contains("*The limits are at the end in full.*") {
        true => "Words. Other words",
        false => "words",
    });
    assert_eq!(markup(&wild), markup(&tame), "{text:?}");
    assert_eq!(skeleton(&wild), skeleton(&tame), "{text:?}");
}

#[test]
fn no_attack_becomes_markup() {
    for attack in crate::fixture::hostile::ATTACKS {
        harmless(attack);
    }
}

#[test]
fn bare_addresses_do_not_become_links() {
    let text = markdown(&crate::fixture::hostile());
    for bad in ["https://evil", "www.evil", "javascript:"] {
        assert!(!text.contains(bad), "{bad}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn no_string_becomes_markup(text in "[ -~\\n\u{e9}\u{202e}\u{4e00}]{1,40}") {
        prop_assume!(text.chars().any(char::is_alphanumeric));
        harmless(&text);
    }

    #[test]
    fn no_punctuation_becomes_markup(text in "[-#*+_`<>!\\[\\]()|~=:.&$^{}\\\\ \\n\"'1a/w]{1,24}") {
        prop_assume!(text.chars().any(char::is_alphanumeric));
        harmless(&text);
    }
}
