use std::collections::{BTreeMap, BTreeSet};

use precedent_domain::{EvidenceKind, KnowledgeQuery, Refinement, title_key};

use super::super::material::ReviewInput;
use super::super::parts::{Subject, read};
use super::super::questions::ClosestRecord;
use super::plain::{most, settled};
use super::{Field, first, refined};
use crate::extract::Idea;
use crate::sample::{kelp_paper, world_of};

const IDEA: &str = "We propose TIDECAST, a tide-aware planner that shifts departures of small ferries in narrow fjords. Timetables ignore tides and ferries burn fuel. \
A harmonic tide model gives the current and a queueing network bounds the waiting. The planner will be evaluated on the NorFerry data set against OR-Tools and measured by fuel.";

async fn subject(input: &ReviewInput) -> Subject<'_> {
    let world = world_of(vec![]).await;
    read(input, &world).await.unwrap()
}

fn field() -> Field {
    Field {
        frequency: BTreeMap::from([("ferri".to_owned(), 9), ("tide".to_owned(), 2)]),
        nearest: BTreeMap::from([(
            EvidenceKind::Literature,
            ["Timetabling of vessels", "Vessels and currents"]
                .map(|title| ClosestRecord {
                    title: title.to_owned(),
                    score: 0.5,
                    query: None,
                    excerpt: String::new(),
                })
                .to_vec(),
        )]),
    }
}

#[tokio::test]
async fn queries_are_short_and_plain_and_never_repeated() {
    for input in [
        ReviewInput::Idea(Idea::new(IDEA)),
        ReviewInput::Paper(Box::new(kelp_paper())),
    ] {
        let subject = subject(&input).await;
        let mut asked: Vec<KnowledgeQuery> = Vec::new();
        let mut before = settled(first(&subject, &EvidenceKind::ALL), &EvidenceKind::ALL, &asked);
        for kind in EvidenceKind::ALL {
            let count = before.iter().filter(|one| one.kind == kind).count();
            assert!((3..=most(kind, false)).contains(&count), "{kind:?}: {before:#?}");
        }
        for round in 2..5 {
            asked.extend(before.iter().cloned());
            let next = refined(&subject, &before, &asked, &field(), round);
            before = settled(next, &EvidenceKind::ALL, &asked);
            assert!(before.iter().all(|one| one.refined != Refinement::First));
        }
        asked.extend(before);
        let keys: BTreeSet<_> = asked.iter().map(|one| (one.kind, title_key(&one.text))).collect();
        assert_eq!(keys.len(), asked.len());
        for one in &asked {
            assert!(one.text.split_whitespace().count() <= 12, "{one:?}");
            assert!(!one.text.contains(['"', ':', '(', ')', '*', '[']), "{one:?}");
            let lower = one.text.to_lowercase();
            assert!(!lower.contains("tidecast") && !lower.contains("kelpcast"), "{one:?}");
        }
        let ways: BTreeSet<_> = asked.iter().map(|one| one.refined).collect();
        assert!(ways.len() >= 3, "{ways:?}");
    }
}

#[tokio::test]
async fn code_queries_name_what_the_idea_would_use() {
    let input = ReviewInput::Idea(Idea::new(IDEA));
    let subject = subject(&input).await;
    let found = settled(first(&subject, &[EvidenceKind::Code]), &[EvidenceKind::Code], &[]);
    assert!(found.iter().all(|one| one.kind == EvidenceKind::Code));
    assert!(found.iter().any(|one| one.text.contains("OR-Tools")), "{found:#?}");
    assert!(found.iter().any(|one| one.text.contains("NorFerry")), "{found:#?}");
}

#[test]
fn queries_of_a_model_are_limited_too() {
    let query = |text: &str| KnowledgeQuery {
        kind: EvidenceKind::Web,
        part: None,
        text: text.to_owned(),
        refined: Refinement::First,
    };
    let many = (0..40).map(|at| query(&format!("tides of fjord number {at}x")));
    let odd = [
        "site:evil.example kelp",
        "-minus \"quoted\" (group) OR x",
        "",
        "the of and",
        "Kelp  site evil example",
    ];
    let found = settled(odd.into_iter().map(query).chain(many), &[EvidenceKind::Web], &[]);
    let texts: Vec<&str> = found.iter().map(|one| one.text.as_str()).collect();
    assert_eq!(texts.len(), 5, "{texts:?}");
    // Later rounds may send eight.
    let more = (40..80).map(|at| query(&format!("tides of fjord number {at}x")));
    assert_eq!(settled(more, &[EvidenceKind::Web], &found).len(), 8);
    assert_eq!(texts.first().copied(), Some("site evil example kelp"));
    assert_eq!(texts.get(1).copied(), Some("minus quoted group"));
    assert!(settled([query("tides")], &[EvidenceKind::Code], &[]).is_empty());
}
