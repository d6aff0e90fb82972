//! What a report may not pass over in silence: what could not be told, works near at no claim, a place in a field that is not covered.

use precedent_domain::{
    Assessment, CoverageLevel, FieldCoverage, NearWork, NotSearched, NotSearchedKind, Scope, Status,
};
use precedent_report::{HtmlRenderer, MarkdownRenderer, Renderer};
use scraper::{Html, Selector};

use crate::fixture;

fn markdown(case: &Assessment) -> String {
    String::from_utf8(MarkdownRenderer.render(case).unwrap()).unwrap()
}

fn page(case: &Assessment) -> Html {
    Html::parse_document(&String::from_utf8(HtmlRenderer.render(case).unwrap()).unwrap())
}

fn text(page: &Html, selector: &str) -> String {
    let selector = Selector::parse(selector).unwrap();
    page.select(&selector)
        .flat_map(|one| one.text())
        .collect::<Vec<_>>()
        .join(" ")
}

#[test]
fn a_claim_of_few_terms_is_undecided_and_not_absent() {
    let mut case = fixture::full();
    for one in &mut case.contribution_analysis.comparisons {
        if one.contribution == 1 {
            (one.status, one.too_little, one.judged_by) = (Status::Unclear, true, None);
        }
    }
    let said = markdown(&case);
    let claim = &said[said.find("### Claim 1").unwrap()..said.find("### Claim 2").unwrap()];
    assert!(claim.contains("**Too little to tell**"), "{claim}");
    assert!(
        !claim.contains("Not found here") && !claim.contains("Needs reading"),
        "{claim}"
    );
    assert!(said.contains("Claim 1: too little to tell."), "{said}");
    let page = page(&case);
    let card = text(&page, ".card:first-child");
    assert!(
        card.contains("Too little to tell") && !card.contains("Not found"),
        "{card}"
    );
    assert!(text(&page, "#method").contains("fewer than four content terms"));
    // Where none is so, nobody has to learn the words.
    assert!(!markdown(&fixture::full()).contains("Too little to tell"));
}

#[test]
fn one_claim_that_could_be_compared_somewhere_is_no_claim_of_few_terms() {
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
    let said = markdown(&case);
    let claim = &said[said.find("### Claim 1").unwrap()..said.find("### Claim 2").unwrap()];
    assert!(claim.contains("**Not found in what was compared**"), "{claim}");
}

#[test]
fn works_near_the_paper_and_at_no_claim_are_named_with_the_reason() {
    let mut case = fixture::full();
    case.core_task_survey.near = [(2, 0.41), (5, 0.38)]
        .map(|(candidate, nearness)| NearWork { candidate, nearness })
        .to_vec();
    for one in &mut case.contribution_analysis.comparisons {
        one.near = one.candidate != 5;
        if one.candidate == 5 {
            one.shared_terms = vec!["prosodic phrases".into()];
        }
    }
    let said = markdown(&case);
    let glance = &said[said.find("## At a glance").unwrap()..said.find("## 1. The paper").unwrap()];
    let cited = case.references.candidates.iter().find(|one| one.number == 5).unwrap();
    assert!(
        glance.contains("Near the paper, at none of its claims") && glance.contains(&format!("{}[5]", cited.alias)),
        "{glance}"
    );
    let part = &said[said.find("### Near the paper, at none of its claims").unwrap()..];
    let part = &part[..part.find("### Near works that").unwrap()];
    assert!(
        part.contains("nearest to claim") && part.contains("“prosodic phrases”"),
        "{part}"
    );
    // Work 2 stands at a claim and is not named here.
    assert_eq!(part.matches("nearest to claim").count(), 1, "{part}");
    let page = page(&case);
    assert!(text(&page, "#glance .facts").contains("Near it, at no claim"));
    assert!(text(&page, "#claims").contains("Near the paper, at none of its claims"));
}

#[test]
fn where_the_field_is_hardly_covered_no_place_is_told() {
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
    });
    let (said, page) = (markdown(&case), page(&case));
    for text in [said.clone(), text(&page, "main")] {
        assert!(
            text.contains("No place is told: what was searched hardly covers the paper's field."),
            "{text}"
        );
        assert!(
            !text.contains("this paper's leaf") && !text.contains("this paper’s leaf"),
            "{text}"
        );
        assert!(!text.contains("Stand in the paper’s leaf"), "{text}");
    }
    assert!(said.contains("hardly covers the paper's field: no neighbours are named"));
}

#[test]
fn everything_that_was_not_searched_stands_on_the_first_screen() {
    let mut case = fixture::full();
    for number in 0..9 {
        case.metadata.not_searched.push(NotSearched {
            kind: NotSearchedKind::PaperPart,
            message: format!("Part {number} of the paper was left out."),
            scope: None,
        });
    }
    let page = page(&case);
    let limits = text(&page, ".limits");
    for number in 0..9 {
        assert!(limits.contains(&format!("Part {number} of the paper")), "{limits}");
    }
    assert!(Selector::parse(".limits details").is_ok_and(|hidden| page.select(&hidden).next().is_none()));
}

#[test]
fn what_was_cut_is_told_in_one_line() {
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
        });
    }
    for one in &mut case.metadata.funnel.scopes {
        one.after_date = one.after_top + 7;
    }
    let said = markdown(&case);
    assert_eq!(
        said.matches("cut before any comparison: 7 for the core task (").count(),
        1,
        "{said}"
    );
    assert!(
        said.contains("and 7 for claim 1 (") && !said.contains("relevant too and cut."),
        "{said}"
    );
}

#[test]
fn what_the_paper_reports_is_shown_and_set_beside_nothing() {
    let mut case = fixture::full();
    let quote = case.original_paper.summary.clone().unwrap();
    case.contribution_analysis.reported_result = Some(quote);
    let said = markdown(&case);
    assert!(
        said.contains("What it reports: “") && said.contains("results are set beside no other work"),
        "{said}"
    );
    assert!(text(&page(&case), "#glance .facts").contains("What it reports"));
}
