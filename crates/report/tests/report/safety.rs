//! External text stays text in every format, and every printed quote is a slice of its source.

use precedent_domain::{Document, Extent, Quote, Span};
use precedent_report::{read_assessment, render, without_bullet};
use proptest::prelude::*;
use scraper::{Html, Selector};

use crate::fixture::{self, hostile};

fn text(format: &str, case: &precedent_domain::Assessment) -> String {
    String::from_utf8(render(case, format).unwrap()).unwrap()
}

#[test]
fn the_hostile_case_matches_its_snapshots() {
    let case = hostile::hostile_with(hostile::SHORT, "javascript:alert(1)");
    let html = text("html", &case);
    let glance = html.split("<section id=\"glance\"").nth(1).unwrap();
    insta::assert_snapshot!("html", glance.split("</section>").next().unwrap());
    let markdown = text("md", &case);
    insta::assert_snapshot!("markdown", markdown.split("## Position").next().unwrap());
    let json = text("json", &case);
    let references = json.split("\"references\": {").nth(1).unwrap();
    insta::assert_snapshot!("json", references.lines().take(40).collect::<Vec<_>>().join("\n"));
}

#[test]
fn json_keeps_attacks_and_escapes_deceptive_characters() {
    let case = fixture::hostile();
    let json = text("json", &case);
    let read = read_assessment(json.as_bytes()).unwrap();
    assert_eq!(read.original_paper.title, case.original_paper.title);
    assert_eq!(read.contribution_analysis, case.contribution_analysis);
    let deceiving =
        |c: char| (c.is_control() && c != '\n') || matches!(c, '\u{202a}'..='\u{202e}' | '\u{e0000}'..='\u{e0fff}');
    assert!(!json.contains(deceiving));
}

#[test]
fn reports_on_eighty_papers_are_small_enough_to_mail() {
    let case = fixture::large(80);
    let (html, markdown) = (text("html", &case).len(), text("md", &case).len());
    assert!(html < 800_000, "{html} bytes of HTML");
    assert!(markdown < 120_000, "{markdown} bytes of Markdown");
}

#[test]
fn papers_that_do_not_count_are_never_among_the_top_three() {
    for case in [fixture::full(), fixture::large(80)] {
        let page = Html::parse_document(&text("html", &case));
        let first = Selector::parse(".claim > ol.top3[aria-label^='Most relevant papers'] .verdict .muted").unwrap();
        assert!(page.select(&first).next().is_some(), "no card is found");
        for facts in page.select(&first) {
            let facts: String = facts.text().collect();
            assert!(!facts.contains("concurrent") && !facts.contains("no date"), "{facts}");
        }
    }
}

/// A document of `words` and a span of it that starts and ends with a word.
fn cut(words: &[String], from: usize, length: usize) -> (Document, Span) {
    let text = words.join(" ");
    let from = from % words.len();
    let to = (from + length.max(1)).min(words.len());
    let start: usize = words[..from].iter().map(|word| word.len() + 1).sum();
    let end = start + words[from..to].join(" ").len();
    let document = Document {
        extent: Extent::FullText,
        text,
        ..Document::default()
    };
    (document, Span::new(start, end))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn every_printed_quote_is_the_slice_of_its_span(
        words in prop::collection::vec("[a-zA-Z<>&\"'*_`|é\u{4e00}\u{5d0}∑$\\\\]{1,9}", 1..260),
        from in 0usize..260,
        length in 1usize..200,
    ) {
        let (document, span) = cut(&words, from, length);
        let quote = Quote::at(&document, span).unwrap();
        prop_assert!(quote.is_in(&document));
        let mut case = fixture::full();
        for one in &mut case.contribution_analysis.contributions {
            one.claim = quote.clone();
            one.description_quotes = vec![quote.clone()];
        }
        for pair in case.contribution_analysis.comparisons.iter_mut().flat_map(|one| &mut one.evidence) {
            (pair.target, pair.candidate) = (quote.clone(), quote.clone());
            (pair.target_context, pair.candidate_context) = (None, None);
        }
        let page = Html::parse_document(&text("html", &case));
        let (quotes, ellipsis) = (Selector::parse("#claims q").unwrap(), Selector::parse(".cut").unwrap());
        prop_assert!(page.select(&quotes).count() > 6);
        for printed in page.select(&quotes) {
            let (start, end) = printed.value().attr("data-span").unwrap().split_once('-').unwrap();
            let slice = without_bullet(&document.text[start.parse().unwrap()..end.parse().unwrap()]);
            let mut shown: String = printed.text().collect();
            let was_cut = printed.select(&ellipsis).next().is_some();
            if was_cut {
                shown = shown.trim_start_matches("… ").trim_end_matches(" …").to_owned();
            }
            prop_assert!(if was_cut { slice.contains(&shown) } else { slice == shown }, "{shown:?} for {slice:?}");
        }
    }
}
