use precedent_domain::{EvidenceKind, IdeaPart, Stance};

use super::super::cutoff::may_bear;
use super::super::fakes::{kinded, reviewed, world_with};

#[tokio::test]
async fn evidence_is_quoted_from_its_document_and_matches_the_part() {
    let found = reviewed(
        world_with(vec![
            kinded("papers", EvidenceKind::Literature),
            kinded("pages", EvidenceKind::Web),
            kinded("code", EvidenceKind::Code),
        ])
        .await,
        Some("2020"),
    )
    .await;
    assert!(!found.grounding.is_empty());
    let mut parts: Vec<IdeaPart> = Vec::new();
    for one in &found.grounding {
        let piece = found.knowledge.iter().find(|piece| piece.number == one.piece).unwrap();
        assert!(may_bear(piece), "{piece:#?}");
        assert!(!one.evidence.is_empty() && one.evidence.len() <= 3);
        for evidence in &one.evidence {
            assert_eq!(evidence.stance, Stance::SpeaksOf);
            let summary = piece.work.summary.as_deref().unwrap_or_default();
            assert!(summary.contains(evidence.quote.text()), "{evidence:#?}");
        }
        assert!(one.analysis.is_empty() && one.score.is_none() && one.shared > 0.0);
        for number in &one.statements {
            let statement = found
                .idea
                .statements
                .iter()
                .find(|known| known.number == *number)
                .unwrap();
            assert_eq!(statement.part, one.part);
        }
        match piece.kind {
            EvidenceKind::Literature => assert_ne!(one.part, IdeaPart::ExpectedResults),
            EvidenceKind::Web => assert!(one.part < IdeaPart::ExperimentalSetting),
            EvidenceKind::Code => assert!(matches!(one.part, IdeaPart::Method | IdeaPart::ExperimentalSetting)),
        }
        parts.push(one.part);
    }
    assert!(parts.is_sorted(), "{parts:?}");
    for pair in found.grounding.windows(2).filter(|pair| pair[0].part == pair[1].part) {
        assert!(pair[0].probability >= pair[1].probability);
    }
    // A paper on tea is not evidence for anything here.
    let tea = found.knowledge.iter().find(|piece| piece.work.title.contains("tea"));
    assert!(tea.is_none_or(|tea| found.grounding.iter().all(|one| one.piece != tea.number)));
}
