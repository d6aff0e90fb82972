use precedent_domain::{Query, Scope};
use precedent_language::wording::word_count;
use proptest::prelude::*;

use super::plan::first_words;
use super::queries;
use super::wording::{HARD_LIMIT, Terms, query};
use crate::extract::{Extraction, extract};
use crate::sample::{FixedSource, kelp_paper, kelp_works, world_of};

fn extraction(coined: &[&str]) -> Extraction {
    Extraction {
        reported_result: None,
        core_task: None,
        contributions: vec![],
        notes: vec![],
        abbreviations: vec![("UDF".into(), "unsigned distance field".into())],
        coined: coined.iter().map(|name| (*name).to_owned()).collect(),
    }
}

#[test]
fn abbreviations_are_expanded_and_coined_names_removed() {
    let extraction = extraction(&["mind", "gui lab"]);
    let terms = Terms::of(&extraction);
    assert_eq!(
        terms.swapped("meshes from UDFs").as_deref(),
        Some("meshes from unsigned distance field")
    );
    assert_eq!(terms.swapped("meshes from clouds"), None);
    let made = query(
        "MIND-based meshes in GUI Lab from UDFs",
        Scope::Contribution(1),
        0,
        &terms,
    )
    .unwrap();
    assert_eq!(made.text, "Find papers about meshes in from UDFs");
    assert_eq!(made.topic(), "meshes in from UDFs");
    assert_eq!(query("MIND", Scope::CoreTask, 0, &terms), None);
}

#[test]
fn cut_topics_have_no_trailing_mark() {
    assert_eq!(first_words("kelp, urchins; otters and more", 1), "kelp");
    assert_eq!(first_words("kelp, urchins; otters and more", 2), "kelp, urchins");
    assert_eq!(first_words("kelp", 3), "kelp");
    assert_eq!(first_words(",,", 3), "");
}

#[tokio::test]
async fn no_two_queries_of_a_scope_are_alike() {
    let world = world_of(vec![FixedSource::new(kelp_works())]).await;
    let extraction = extract(&kelp_paper(), &world).await.unwrap();
    let plan = queries(&extraction, &world).await.unwrap();
    assert_eq!(
        plan.core_task.first().unwrap().text,
        extraction.core_task.as_ref().unwrap().phrase
    );
    for list in std::iter::once(&plan.core_task).chain(&plan.contributions) {
        let mut texts: Vec<String> = list.iter().map(|query| query.topic().to_lowercase()).collect();
        texts.sort();
        texts.dedup();
        assert_eq!(texts.len(), list.len(), "{list:#?}");
    }
}

proptest! {
    #[test]
    fn queries_stay_within_limits(topic in "(MIND |[a-zA-Z\"\\\\*,;β]{1,12} |\\PC ){0,60}", variant in 0_u8..3) {
        let extraction = extraction(&["mind"]);
        let terms = Terms::of(&extraction);
        for scope in [Scope::CoreTask, Scope::Contribution(1)] {
            if let Some(made) = query(&topic, scope, variant, &terms) {
                prop_assert!(word_count(&made.text) <= HARD_LIMIT);
                prop_assert!(!made.text.contains(['"', '\\', '*']));
                prop_assert!(!made.text.to_lowercase().split_whitespace().any(|word| word == "mind"));
                prop_assert_eq!(made.text.starts_with(Query::PREFIX), scope != Scope::CoreTask);
            }
        }
    }
}
