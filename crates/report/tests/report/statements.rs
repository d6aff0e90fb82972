//! What a report must state: claims that are not assessable, papers similar to no claim, and a field that is not covered.

use precedent_domain::{
    Assessment, CoverageLevel, FieldCoverage, NotSearched, NotSearchedKind, Scope, SimilarWork, Status,
};
use precedent_report::render;
use scraper::{Html, Selector};

use crate::fixture;

fn markdown(case: &Assessment) -> String {
    String::from_utf8(render(case, "md").unwrap()).unwrap()
}

fn page(case: &Assessment) -> Html {
    Html::parse_document(&String::from_utf8(render(case, "html").unwrap()).unwrap())
}

fn text(page: &Html, selector: &str) -> String {
    let selector = Selector::parse(selector).unwrap();
    page.select(&selector)
        .flat_map(|one| one.text())
        .collect::<Vec<_>>()
        .join(" ")
}

#[test]
fn a_generic_claim_is_not_assessable() {
    let mut case = fixture::full();
    for one in &mut case.contribution_analysis.comparisons {
        if one.contribution == 1 {
            (one.status, one.too_little, one.judged_by) = (Status::Unclear, true, None);
        }
    }
    let output = markdown(&case);
    let claim = &output[output.find("### Claim 1").unwrap()..output.find("### Claim 2").unwrap()];
    assert!(claim.contains("**Not assessable**"), "{claim}");
    assert!(
        !claim.contains("No match found") && !claim.contains("needs review"),
        "{claim}"
    );
    assert!(output.contains("Claim 1: not assessable."), "{output}");
    let page = page(&case);
    let card = text(&page, "#claim-1 > .standing, #claim-1 > .top3");
    assert!(
        card.contains("Not assessable") && !card.contains("No match found"),
        "{card}"
    );
    assert!(text(&page, "#method").contains("fewer than four content terms"));
    // The label is explained only if it occurs.
    assert!(!markdown(&fixture::full()).contains("Not assessable"));
}

#[test]
fn a_claim_with_one_usable_comparison_is_assessable() {
    let mut case = fixture::full();
    let mut first = true;
    for one in case
        .contribution_analysis
        .comparisons
        .iter_mut()
        .filter(|one| one.contribution == 1)
    {
        one.status = if first { Status::CannotRefute } else { Status::Unclear };
        one.too_little = !first;
        first = false;
    }
    let output = markdown(&case);
    let claim = &output[output.find("### Claim 1").unwrap()..output.find("### Claim 2").unwrap()];
    assert!(claim.contains("**No match found in the papers compared**"), "{claim}");
}

#[test]
fn papers_similar_to_no_claim_are_listed_with_the_reason() {
    let mut case = fixture::full();
    case.core_task_survey.near = [(2, 0.41), (5, 0.38)]
        .map(|(candidate, similarity)| SimilarWork { candidate, similarity })
        .to_vec();
    for one in &mut case.contribution_analysis.comparisons {
        one.near = one.candidate != 5;
        if one.candidate == 5 {
            one.shared_terms = vec!["prosodic phrases".into()];
        }
    }
    let output = markdown(&case);
    let glance = &output[output.find("## Findings").unwrap()..output.find("## Claims and evidence").unwrap()];
    let cited = case.references.candidates.iter().find(|one| one.number == 5).unwrap();
    assert!(
        glance.contains("Similar, but to no claim") && glance.contains(&format!("{}[5]", cited.alias)),
        "{glance}"
    );
    let part = &output[output
        .find("### Similar to the paper as a whole, but to none of its claims")
        .unwrap()..];
    let part = &part[..part.find("\n## ").unwrap()];
    assert!(
        part.contains("closest to claim") && part.contains("“prosodic phrases”"),
        "{part}"
    );
    // Paper 2 is similar to a claim and is not listed here.
    assert_eq!(part.matches("closest to claim").count(), 1, "{part}");
    let page = page(&case);
    assert!(text(&page, "#glance .terms").contains("Similar, but to no claim"));
    assert!(text(&page, "#claims").contains("Similar to the paper as a whole, but to none of its claims"));
}

#[test]
fn a_hardly_covered_field_gives_no_position() {
    let mut case = fixture::full();
    case.core_task_survey.coverage = Some(FieldCoverage {
        level: CoverageLevel::Thin,
        nearest: 0.28,
        usual: 0.31,
        near: 1,
        works: 12,
    });
    case.metadata.not_searched.push(NotSearched {
        kind: NotSearchedKind::FieldNotCovered,
        message: "What was searched holds little of the paper's field.".into(),
        scope: None,
        gap: None,
    });
    let (output, page) = (markdown(&case), page(&case));
    for text in [output.clone(), text(&page, "main")] {
        assert!(
            text.contains("No position is given: the searched sources may cover little of the paper's field."),
            "{text}"
        );
        assert!(
            !text.contains("this paper's category") && !text.contains("this paper’s category"),
            "{text}"
        );
        assert!(!text.contains("In the paper’s category"), "{text}");
    }
    assert!(output.contains("similar to the paper as a whole, so no neighbours are listed"));
    // A thin field is a limit among others, not an alarm: papers of covered fields sometimes score that low.
    assert!(
        page.select(&Selector::parse(".caution").unwrap())
            .all(|one| !one.text().collect::<String>().contains("holds little"))
    );
    assert!(output.contains("What was searched holds little"), "{output}");
    let byline = text(&page, ".byline");
    assert!(
        byline.contains("field") && byline.contains("thinly covered"),
        "{byline}"
    );
    assert!(!text(&page, "#glance").contains("found by words only"));
}

#[test]
fn five_limits_are_on_the_first_screen_and_all_of_them_in_their_own_part() {
    let mut case = fixture::full();
    for number in 0..9 {
        case.metadata.not_searched.push(NotSearched {
            kind: NotSearchedKind::PaperPart,
            message: format!("Part {number} of the paper was left out."),
            scope: None,
            gap: None,
        });
    }
    let page = page(&case);
    let first = page.select(&Selector::parse(".limits li").unwrap()).count();
    assert_eq!(first, 5);
    assert!(Selector::parse(".limits details").is_ok_and(|hidden| page.select(&hidden).next().is_none()));
    let all = text(&page, "#coverage");
    for number in 0..9 {
        assert!(all.contains(&format!("Part {number} of the paper")), "{all}");
    }
    // The link leads to the full list.
    assert!(text(&page, ".limits a[href='#all-limits']").starts_with("All "));
}

/// Words in view before anything is expanded.
fn words_in_view(page: &Html) -> usize {
    let hidden = Selector::parse("details:not([open]) > :not(summary), .sr, nav, svg desc, svg title").unwrap();
    let hidden: std::collections::HashSet<_> = page
        .select(&hidden)
        .flat_map(|part| part.descendants().map(|node| node.id()))
        .collect();
    let body = page.select(&Selector::parse("body").unwrap()).next().unwrap();
    let script = Selector::parse("script").unwrap();
    let scripts: std::collections::HashSet<_> = page
        .select(&script)
        .flat_map(|part| part.descendants().map(|node| node.id()))
        .collect();
    body.descendants()
        .filter(|node| !hidden.contains(&node.id()) && !scripts.contains(&node.id()))
        .filter_map(|node| node.value().as_text().map(|text| text.split_whitespace().count()))
        .sum()
}

#[test]
fn a_report_on_eighty_papers_shows_at_most_2500_words_before_anything_is_expanded() {
    for case in [fixture::large(80), fixture::full(), fixture::edges()] {
        let shown = words_in_view(&page(&case));
        assert!((100..=2_500).contains(&shown), "{shown} words");
    }
}

#[test]
fn limits_of_several_scopes_are_reported_in_one_sentence() {
    let mut case = fixture::full();
    case.metadata
        .not_searched
        .retain(|one| one.kind != NotSearchedKind::CutOff);
    let scopes = [Scope::CoreTask, Scope::Contribution(1)];
    for scope in scopes {
        case.metadata.not_searched.push(NotSearched {
            kind: NotSearchedKind::CutOff,
            message: format!("For {scope:?}, works were relevant too and cut."),
            scope: Some(scope),
            gap: None,
        });
    }
    for one in &mut case.metadata.funnel.scopes {
        one.after_date = one.after_top + 7;
    }
    let output = markdown(&case);
    assert_eq!(
        output
            .matches("not compared because of the limit: 7 for the core task (")
            .count(),
        1,
        "{output}"
    );
    assert!(
        output.contains("and 7 for claim 1 (") && !output.contains("relevant too and cut."),
        "{output}"
    );
}

#[test]
fn the_reported_result_is_shown_without_a_comparison() {
    let mut case = fixture::full();
    let quote = case.original_paper.summary.clone().unwrap();
    case.contribution_analysis.reported_result = Some(quote);
    let output = markdown(&case);
    assert!(
        output.contains("**Reported result**: “") && output.contains("Results are not compared with other papers"),
        "{output}"
    );
    assert!(text(&page(&case), "#glance .terms").contains("Reported result"));
}
