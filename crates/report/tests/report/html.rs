//! The HTML report is self-contained and valid, and text from papers never becomes markup.

use std::collections::{BTreeMap, BTreeSet};

use precedent_domain::{Assessment, Quote};
use precedent_report::render;
use proptest::prelude::*;
use scraper::{ElementRef, Html, Selector};

use crate::fixture;

fn html(case: &Assessment) -> String {
    String::from_utf8(render(case, "html").unwrap()).unwrap()
}

fn all<'a>(page: &'a Html, selector: &str) -> Vec<ElementRef<'a>> {
    page.select(&Selector::parse(selector).unwrap()).collect()
}

fn text(element: ElementRef<'_>) -> String {
    element
        .text()
        .collect::<String>()
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ")
}

/// The text of a page from top to bottom, one line per heading, paragraph, item or cell.
fn outline(page: &Html, within: &str) -> String {
    let blocks = [
        "h1",
        "h2",
        "h3",
        "h4",
        "p",
        "li",
        "dt",
        "dd",
        "summary",
        "th",
        "td",
        "figcaption",
        "desc",
    ];
    let selector = blocks.map(|block| format!("{within} {block}")).join(", ");
    let mut lines = Vec::new();
    for element in all(page, &selector) {
        let nested = element
            .descendants()
            .skip(1)
            .filter_map(ElementRef::wrap)
            .any(|one| blocks.contains(&one.value().name()));
        let line = text(element);
        if !nested && !line.is_empty() {
            lines.push(format!("{}: {line}", element.value().name()));
        }
    }
    lines.join("\n")
}

#[test]
fn the_first_screen_of_the_full_case_matches_its_snapshot() {
    insta::assert_snapshot!(
        "glance",
        outline(&Html::parse_document(&html(&fixture::full())), "#glance")
    );
}

#[test]
fn the_full_case_matches_its_snapshot() {
    insta::assert_snapshot!("full", outline(&Html::parse_document(&html(&fixture::full())), "body"));
}

#[test]
fn the_empty_case_states_what_is_missing() {
    insta::assert_snapshot!(
        "empty",
        outline(&Html::parse_document(&html(&fixture::empty())), "body")
    );
}

#[test]
fn the_page_is_self_contained_and_runs_only_its_own_script() {
    for case in [
        fixture::full(),
        fixture::empty(),
        fixture::hostile(),
        fixture::edges(),
        fixture::failed(),
        fixture::large(80),
    ] {
        let source = html(&case);
        let page = Html::parse_document(&source);
        let policy = all(&page, "meta[http-equiv='Content-Security-Policy']");
        let content = policy[0].value().attr("content").unwrap();
        assert!(
            content.starts_with("default-src 'none'; style-src 'sha256-"),
            "{content}"
        );
        assert!(!content.contains("unsafe"));
        for forbidden in [
            "iframe",
            "object",
            "embed",
            "link",
            "img",
            "form",
            "input",
            "base",
            "image",
            "use",
            "foreignObject",
        ] {
            assert!(all(&page, forbidden).is_empty(), "<{forbidden}>");
        }
        assert_eq!(all(&page, "style").len(), 1);
        let scripts = all(&page, "script");
        assert!(scripts.len() == 1 && scripts[0].value().attrs().next().is_none());
        for element in all(&page, "*") {
            for (name, value) in element.value().attrs() {
                assert!(
                    !name.starts_with("on") && name != "style" && name != "src",
                    "{name}={value}"
                );
                if name == "href" {
                    assert!(
                        value.starts_with('#') || value.starts_with("https://") || value.starts_with("http://"),
                        "{value}"
                    );
                }
            }
        }
        for link in all(&page, "a[href^='http']") {
            assert_eq!(link.value().attr("rel"), Some("noopener noreferrer nofollow"));
        }
    }
}

#[test]
fn every_element_is_closed() {
    for case in [
        fixture::full(),
        fixture::empty(),
        fixture::hostile(),
        fixture::edges(),
        fixture::failed(),
        fixture::large(20),
    ] {
        let source = html(&case);
        let body = source.split("</style>").nth(1).unwrap();
        let mut open: Vec<&str> = Vec::new();
        for tag in body.split('<').skip(1) {
            let inside = tag.split('>').next().unwrap();
            let name = inside.split([' ', '\n']).next().unwrap().trim_end_matches('/');
            if let Some(name) = name.strip_prefix('/') {
                let last = open.pop();
                assert!(
                    last == Some(name) || last.is_none() && ["head", "html"].contains(&name),
                    "</{name}> closes {last:?}"
                );
            } else if !inside.ends_with('/') && !["br", "meta"].contains(&name) {
                open.push(name);
            }
        }
        assert!(open.is_empty(), "{open:?}");
    }
}

#[test]
fn the_policy_contains_the_hashes_of_the_style_sheet_and_the_script() {
    use sha2::{Digest as _, Sha256};
    let page = html(&fixture::empty());
    let parsed = Html::parse_document(&page);
    let policy = all(&parsed, "meta[http-equiv='Content-Security-Policy']")[0];
    let policy = policy.value().attr("content").unwrap();
    let inside = |tag: &str| {
        let rest = page.split(&format!("<{tag}>")).nth(1).unwrap();
        rest.split(&format!("</{tag}>")).next().unwrap()
    };
    let (style, script) = (inside("style"), inside("script"));
    assert!(!style.contains("url(") && !style.contains("@import"));
    for network in ["fetch(", "XMLHttpRequest", "import", "innerHTML", "eval("] {
        assert!(!script.contains(network), "{network}");
    }
    for (kind, text) in [("style-src", style), ("script-src", script)] {
        let encoded = base64(&Sha256::digest(text.as_bytes()));
        assert!(policy.contains(&format!("{kind} 'sha256-{encoded}='")), "{kind}");
    }
}

/// 32 bytes in base64, without the padding.
fn base64(bytes: &[u8]) -> String {
    let bits: String = bytes.iter().map(|byte| format!("{byte:08b}")).collect();
    let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    (0..bits.len())
        .step_by(6)
        .map(|at| format!("{:0<6}", &bits[at..bits.len().min(at + 6)]))
        .map(|six| letters.chars().nth(usize::from_str_radix(&six, 2).unwrap()).unwrap())
        .collect()
}

#[test]
fn every_internal_link_has_a_target_and_ids_are_unique() {
    for case in [
        fixture::full(),
        fixture::empty(),
        fixture::hostile(),
        fixture::edges(),
        fixture::failed(),
        fixture::large(80),
    ] {
        let page = Html::parse_document(&html(&case));
        let ids: Vec<&str> = all(&page, "[id]")
            .iter()
            .map(|one| one.value().attr("id").unwrap())
            .collect();
        let unique: BTreeSet<&str> = ids.iter().copied().collect();
        assert_eq!(ids.len(), unique.len());
        for link in all(&page, "a[href^='#']") {
            let target = link.value().attr("href").unwrap().trim_start_matches('#');
            assert!(unique.contains(target), "#{target} has no target");
        }
        for attribute in ["aria-labelledby"] {
            for element in all(&page, &format!("[{attribute}]")) {
                for id in element.value().attr(attribute).unwrap().split(' ') {
                    assert!(unique.contains(id), "{attribute}={id}");
                }
            }
        }
    }
}

#[test]
fn the_page_is_accessible() {
    for case in [
        fixture::full(),
        fixture::empty(),
        fixture::edges(),
        fixture::failed(),
        fixture::large(80),
    ] {
        let page = Html::parse_document(&html(&case));
        assert_eq!(all(&page, "html[lang='en']").len(), 1);
        for landmark in [
            "body > nav[aria-label]",
            "body > main",
            "body > header",
            "body > footer",
            "h1",
            "a.skip",
        ] {
            assert_eq!(all(&page, landmark).len(), 1, "{landmark}");
        }
        for picture in all(&page, "svg.chart") {
            for part in ["title", "desc"] {
                let words = picture
                    .children()
                    .filter_map(ElementRef::wrap)
                    .find(|one| one.value().name() == part)
                    .map(text);
                assert!(words.is_some_and(|words| !words.is_empty()), "a figure without {part}");
            }
        }
        for section in all(&page, "section:has(svg.chart)") {
            assert!(
                section.select(&Selector::parse("table").unwrap()).next().is_some(),
                "a figure without its table"
            );
        }
        let mut last = 0;
        for heading in all(&page, "h1, h2, h3, h4") {
            let level: usize = heading.value().name()[1..].parse().unwrap();
            assert!(level <= last + 1, "h{level} after h{last}: {}", text(heading));
            last = level;
        }
        for scrolling in all(&page, ".scroll") {
            assert!(scrolling.value().attr("tabindex") == Some("0") && scrolling.value().attr("aria-label").is_some());
        }
    }
}

fn quotes(value: &serde_json::Value, found: &mut BTreeMap<String, BTreeSet<String>>) {
    if let Ok(quote) = serde_json::from_value::<Quote>(value.clone()) {
        let span = format!("{}-{}", quote.span().start, quote.span().end);
        found.entry(span).or_default().insert(quote.text().to_owned());
    }
    match value {
        serde_json::Value::Array(items) => items.iter().for_each(|item| quotes(item, found)),
        serde_json::Value::Object(fields) => fields.values().for_each(|field| quotes(field, found)),
        _ => {}
    }
}

#[test]
fn every_printed_quote_matches_its_source() {
    for case in [fixture::full(), fixture::large(80)] {
        let mut sources = BTreeMap::new();
        quotes(&serde_json::to_value(&case).unwrap(), &mut sources);
        let page = Html::parse_document(&html(&case));
        let printed = all(&page, "q");
        assert!(printed.len() > 30);
        for quote in printed {
            let cut = quote.select(&Selector::parse(".cut").unwrap()).next().is_some();
            let words: String = quote.text().collect();
            let words = words.replace("… ", "").replace(" …", "");
            let known = &sources[quote.value().attr("data-span").unwrap()];
            let is_in_source = if cut {
                known.iter().any(|one| one.contains(&words))
            } else {
                known.contains(&words)
            };
            assert!(is_in_source, "{words:?} is in no source");
        }
    }
}

#[test]
fn a_passage_is_shown_in_its_paragraph() {
    let page = Html::parse_document(&html(&fixture::full()));
    let passage = all(&page, "#claim-1-work-1 .passage .text")[1];
    assert_eq!(
        text(passage),
        "Frame-wise routers in sparse speech models switch experts many times a second. We propose a router that assigns whole prosodic phrases \
         to experts, driven by the phase of the fundamental frequency. Switching falls by a factor of eleven and word error rate improves on two \
         of three test sets."
    );
    let marked: Vec<String> = passage.select(&Selector::parse("u").unwrap()).map(text).collect();
    assert_eq!(
        marked,
        ["router", "assigns", "whole", "prosodic", "phrases", "experts", "phase"]
    );
}

#[test]
fn no_comparison_is_dropped() {
    for case in [fixture::full(), fixture::large(80)] {
        let page = Html::parse_document(&html(&case));
        assert_eq!(
            all(&page, "details.work > .body, .claim table.sortable tbody tr").len(),
            case.contribution_analysis.comparisons.len()
        );
        assert_eq!(all(&page, ".works > li").len(), case.references.candidates.len());
    }
    let mut case = fixture::full();
    case.contribution_analysis.comparisons[0].contribution = 9;
    let page = Html::parse_document(&html(&case));
    assert!(text(all(&page, "#claims")[0]).contains("Comparisons with a claim that is not in this report: 1."));
}

#[test]
fn concurrent_and_undated_papers_never_anticipate_a_claim() {
    use precedent_domain::Status;
    let mut case = fixture::full();
    for one in &mut case.contribution_analysis.comparisons {
        one.status = if one.candidate == 7 {
            Status::CanRefute
        } else {
            Status::CannotRefute
        };
    }
    let page = Html::parse_document(&html(&case));
    // The row of the findings names the paper that its level is about, with its date.
    let row = text(all(&page, "#glance table tbody tr")[0]);
    assert!(row.contains("Similar work found, needs review"), "{row}");
    let cite = format!(
        "{}[7]",
        case.references
            .candidates
            .iter()
            .find(|one| one.number == 7)
            .unwrap()
            .alias
    );
    assert!(row.contains(&cite) && row.contains("Concurrent:"), "{row}");
    assert!(text(all(&page, "#claim-1")[0]).contains("Similar work found, needs review"));
    assert!(!text(all(&page, "#claim-1")[0]).contains("Anticipated by earlier work"));
}

/// The full case, compared with a corpus of another field.
fn of_another_field() -> Assessment {
    use precedent_domain::{CoverageLevel, FieldCoverage, NotSearched, NotSearchedKind};
    let mut case = fixture::full();
    case.core_task_survey.coverage = Some(FieldCoverage {
        level: CoverageLevel::Outside,
        nearest: 0.12,
        usual: 0.3,
        near: 0,
        works: case.references.candidates.len(),
    });
    case.core_task_survey.taxonomy = None;
    case.core_task_comparisons.position = None;
    for one in &mut case.contribution_analysis.comparisons {
        one.near = false;
    }
    let output = NotSearched {
        kind: NotSearchedKind::FieldNotCovered,
        message: "What was searched does not seem to hold the paper's field.".into(),
        scope: None,
        gap: None,
    };
    case.metadata.not_searched.insert(1, output);
    case
}

#[test]
fn a_corpus_of_another_field_is_reported_first_and_gives_no_neighbours() {
    let case = of_another_field();
    let page = Html::parse_document(&html(&case));
    let first = outline(&page, "main");
    let output = first.find("does not seem to hold the paper's field").unwrap();
    assert!(output < first.find("claims were compared with").unwrap(), "{first}");
    assert!(
        first.contains("found by words only") && !first.contains("related papers"),
        "{first}"
    );
    assert_eq!(first.matches("does not seem to hold").count(), 1, "{first}");
    assert!(all(&page, "#time, #matrix, #place table, .tree").is_empty());
    assert!(outline(&page, "#place").contains("too few of the papers found are in the paper's field"));
    assert!(!outline(&page, "#claims").contains("similar in words only"));
    let markdown = String::from_utf8(render(&case, "md").unwrap()).unwrap();
    let at = |words: &str| markdown.find(words).unwrap_or_else(|| panic!("{words}"));
    assert!(at("does not seem to hold the paper's field") < at("## Findings"));
    assert_eq!(markdown.matches("does not seem to hold").count(), 1);
}

#[test]
fn compared_papers_are_never_called_not_compared() {
    let mut case = of_another_field();
    let near = case.contribution_analysis.comparisons[0].candidate;
    case.contribution_analysis.comparisons[0].near = true;
    let markdown = String::from_utf8(render(&case, "md").unwrap()).unwrap();
    let (_, table) = markdown.split_once("The matrix as a table").unwrap();
    let table = table.split("\n#").next().unwrap();
    // The paper is similar to one claim. Its other cells have the outcome of the comparison too.
    let of_paper = |one: &&precedent_domain::ContributionComparison| one.candidate == near;
    let compared = case.contribution_analysis.comparisons.iter().filter(of_paper).count();
    let claims = case.contribution_analysis.contributions.len();
    assert!(compared > 1);
    assert_eq!(table.matches("not compared").count(), claims - compared, "{table}");
    assert!(
        markdown.contains("that are similar to no claim are not shown"),
        "{markdown}"
    );
}

#[test]
fn a_neighbour_without_shared_words_gets_no_table_row() {
    let mut case = fixture::full();
    let position = case.core_task_comparisons.position.as_mut().unwrap();
    for sibling in &mut position.siblings {
        sibling.shared_terms.clear();
    }
    let page = Html::parse_document(&html(&case));
    assert!(all(&page, ".siblings").is_empty());
    assert!(outline(&page, "#place").contains("1 paper is in its category"));
    let markdown = String::from_utf8(render(&case, "md").unwrap()).unwrap();
    assert!(markdown.contains("1 paper is in its category") && !markdown.contains("Both mention"));
}

#[test]
fn the_same_assessment_gives_the_same_bytes() {
    assert!(html(&fixture::large(80)) == html(&fixture::large(80)));
}

/// Every element with its attribute names, except elements that depend on the text.
fn skeleton(source: &str) -> Vec<String> {
    let page = Html::parse_document(source);
    all(&page, "*")
        .into_iter()
        .filter(|one| one.value().name() != "u" && one.value().attr("class") != Some("cut"))
        .map(|one| {
            let names: BTreeSet<&str> = one.value().attrs().map(|(name, _)| name).collect();
            format!("{} {names:?}", one.value().name())
        })
        .collect()
}

fn harmless(words: &str) {
    let tame = skeleton(&html(&fixture::hostile::hostile_with("words", "javascript:alert(1)")));
    let wild = html(&fixture::hostile::hostile_with(words, "javascript:alert(1)"));
    assert!(skeleton(&wild) == tame, "{words:?} changes the page");
    let deceiving =
        |c: char| matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{e0000}'..='\u{e0fff}' | '\0');
    assert!(!wild.contains(deceiving), "{words:?}");
    assert!(!wild.contains("javascript:alert(1)\""));
}

#[test]
fn no_attack_becomes_markup() {
    for attack in fixture::hostile::ATTACKS {
        harmless(attack);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn no_string_becomes_markup(words in "[ -0<>&\"'=/a-z{}%#\\n\u{e9}\u{202e}\u{2066}\u{4e00}\\[\\]]{1,40}") {
        prop_assume!(words.chars().any(char::is_alphanumeric));
        harmless(&words);
    }
}

/// Contrast ratio as defined in WCAG 2.2.
fn contrast(a: &str, b: &str) -> f64 {
    let luminance = |hex: &str| {
        let hex = hex.trim_start_matches('#');
        let hex = if hex.len() == 3 {
            hex.chars().flat_map(|c| [c, c]).collect()
        } else {
            hex.to_owned()
        };
        let part = |at: usize| {
            let value = f64::from(u8::from_str_radix(&hex[at..at + 2], 16).unwrap()) / 255.0;
            if value <= 0.040_45 {
                value / 12.92
            } else {
                ((value + 0.055) / 1.055).powf(2.4)
            }
        };
        0.2126 * part(0) + 0.7152 * part(2) + 0.0722 * part(4)
    };
    let (a, b) = (luminance(a), luminance(b));
    (a.max(b) + 0.05) / (a.min(b) + 0.05)
}

#[test]
fn text_has_enough_contrast_on_every_background() {
    let css = include_str!("../../templates/report.css");
    let mut colours = BTreeMap::new();
    // Light, dark and print each define the colours.
    for theme in css.split(":root").filter(|part| part.contains("--paper:")) {
        let block = theme.split('{').nth(1).unwrap().split('}').next().unwrap();
        for line in block.split(';') {
            if let Some((name, value)) = line.trim().strip_prefix("--").and_then(|line| line.split_once(": #")) {
                colours.insert(name.to_owned(), value.trim().to_owned());
            }
        }
        for ground in ["paper", "panel", "faint", "mark", "alarm", "home"] {
            for ink in ["ink", "soft", "link", "found", "reading", "clear", "none"] {
                if ground == "mark" && ink != "ink" {
                    continue;
                }
                let ratio = contrast(&colours[ink], &colours[ground]);
                assert!(ratio >= 4.5, "{ink} on {ground}: {ratio:.2}");
            }
        }
    }
}

#[test]
fn the_timeline_names_every_paper_and_links_it_to_its_evidence() {
    let case = fixture::full();
    let page = Html::parse_document(&html(&case));
    let marks = all(&page, "#time .years a");
    assert_eq!(marks.len(), case.references.candidates.len());
    for one in &case.references.candidates {
        let mark = marks.iter().find(|mark| text(**mark) == one.alias);
        let mark = mark.unwrap_or_else(|| panic!("{} has no mark", one.alias));
        assert!(mark.value().attr("title").unwrap().contains(&one.work.title));
        let near = case
            .contribution_analysis
            .comparisons
            .iter()
            .any(|other| other.candidate == one.number && other.near);
        let to = mark.value().attr("href").unwrap();
        let wanted = if near { "#claim-" } else { "#work-" };
        assert!(
            to.starts_with(wanted) && to.ends_with(&format!("work-{}", one.number)),
            "{to}"
        );
    }
    assert_eq!(all(&page, "#time .here").len(), 1);
}
