//! Audits with a model: what is searched, what is shown, and what an unsupported citation costs.

use std::sync::{Arc, Mutex};

use precedent_domain::{Audit, AuditDimension, PointsReport, QuotableDocument};
use precedent_scripted::{Question, Say, plain};
use serde_json::json;

use crate::audit::{Audited, audit};
use crate::model::ModelSettings;
use crate::points::{PointsOptions, points};
use crate::sample::{Shelf, kelp_paper, kelp_works, world_of};

const REPORT: &str = "# KelpCast\n\n## 1. Paper Content Summary\n\nKelpCast forecasts kelp harvests from satellite colour and swell. It gains 12 % over all baselines.\n\n## 2. Point-wise Novelty Analysis\n\n### 2.1. Novelty Point 1: A seasonal regression\n\n**a) Claimed novelty**\n\nClassification: Methodological/Algorithmic\n\nA seasonal regression joins satellite colour with swell records.\n\n**b) Similarities**\n\nBoth forecast kelp from satellite colour [1]. Both use a seasonal regression [1, 2].\n\n**c) Unique Differences**\n\nThe earlier work has no swell [1]. It is stated in a heading, too.\n\n#### As others weigh it [9]\n\n**d) Details of Unique Differences**\n\nThe swell records are of the same week.\n\n## 3. Novelty Summary\n\nIt joins two known sources.\n\n- Point 1 (Minor Adjustment): the regression is known. Suggestion: say more.\n\n**Final One-line Summary:** 2 – Fair / Incremental: a small step.\n\n## References\n\n[1] Dorn 2016. Growth forecasting.\n\n[2] Roy 2019. Swell records.\n";

async fn found(script: impl Fn(&Question) -> Say + Send + Sync + 'static) -> Audit {
    let shelf = Shelf {
        local: true,
        ..Shelf::new(kelp_works())
    };
    let mut world = world_of(vec![shelf]).await;
    let data: PointsReport = points(&kelp_paper(), &PointsOptions::default(), &world).await.unwrap();
    world.model = Some(super::scripted(script, ModelSettings::default()));
    let paper = QuotableDocument::new(kelp_paper().document);
    let audited = Audited {
        markdown: REPORT,
        data: Some(&data),
        paper: Some(&paper),
    };
    audit(&audited, &world).await.unwrap()
}

#[tokio::test]
async fn six_queries_per_dimension_find_the_passages_for_its_items() {
    let asked: Arc<Mutex<Vec<Question>>> = Arc::default();
    let heard = Arc::clone(&asked);
    let told = found(move |question| {
        heard.lock().unwrap().push(question.clone());
        plain(question)
    })
    .await;
    let asked = asked.lock().unwrap();
    let worded: Vec<&Question> = asked.iter().filter(|one| one.prompt == "audit.queries").collect();
    let [queries] = worded.as_slice() else {
        panic!("{} times", worded.len())
    };
    let dimensions = queries
        .blocks()
        .iter()
        .filter(|one| one.name.starts_with("dimension "))
        .count();
    assert_eq!(dimensions, 3, "completeness, faithfulness and depth");
    let with = |name: &str| {
        let all = asked.iter().filter(|one| one.prompt == "audit.items");
        all.filter(|one| {
            one.blocks()
                .iter()
                .any(|block| block.name == name && !block.text.trim().is_empty())
        })
        .count()
    };
    assert!(
        with("works") >= 3 && with("paper") >= 3,
        "{} {}",
        with("works"),
        with("paper")
    );
    assert!(told.overall.is_some(), "{told:#?}");
    assert_eq!(told.dimensions.iter().map(|one| one.items.len()).sum::<usize>(), 69);
    // Four pairs in prose, and one in a heading that resolves to nothing.
    assert_eq!((told.citations.pairs, told.citations.resolved), (5, 4));
    assert!(told.citations.unresolved[0].contains("As others weigh it"));
    let accuracy = told.citations.accuracy.unwrap();
    assert!(accuracy.of >= 3 && accuracy.low < accuracy.percent && accuracy.high <= 100.0);
}

#[tokio::test]
async fn queries_of_the_model_are_used_and_unsupported_citations_cost_accuracy() {
    let told = found(|question| match question.prompt.as_str() {
        "audit.queries" => Say::Text(
            json!({"dimensions": [{"dimension": 1, "key_words": ["tea prices moon", "https://evil.example"], "phrases": []}]})
                .to_string(),
        ),
        "points.validate" => {
            let claims = question.blocks().into_iter().filter(|block| block.name.starts_with("claim ")).map(|block| {
                json!({"claim": block.number(), "verdict": if block.text.contains("seasonal") { "incorrect" } else { "correct" }})
            });
            Say::Text(json!({"claims": claims.collect::<Vec<_>>()}).to_string())
        }
        "audit.items" => {
            let items = question.blocks().into_iter().filter(|block| block.name.starts_with("item ")).map(|block| {
                json!({"item": block.number(), "yes": false, "reason": "It does not."})
            });
            Say::Text(json!({"items": items.collect::<Vec<_>>()}).to_string())
        }
        _ => plain(question),
    })
    .await;
    let accuracy = told.citations.accuracy.unwrap();
    assert!(accuracy.part < accuracy.of, "{accuracy:?}");
    for one in &told.dimensions {
        let by_rule = one
            .items
            .iter()
            .filter(|item| item.decided_by == precedent_domain::DecidedBy::Rule);
        let yes = by_rule.filter(|item| item.yes == Some(true)).count();
        assert_eq!(one.yes, yes, "{:?}", one.dimension);
        let score = one.score.unwrap();
        let share = 10.0 * yes as f64 / one.items.len() as f64;
        assert!((score - share).abs() < 0.006, "{score} {share}");
    }
    let mean = told.dimensions.iter().filter_map(|one| one.score).sum::<f64>() / AuditDimension::ALL.len() as f64;
    assert!((told.overall.unwrap() - mean).abs() < 0.006);
}
