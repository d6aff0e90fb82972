use std::collections::BTreeSet;

use precedent_domain::{
    CoverageLevel, EvidenceKind, Facet, FieldCoverage, IdeaVerdict, ListedKind, LoweringFault, NamedPaper, Note,
    NoveltyVerdict, OpinionFault, ReviewDecision, SentenceFault, SuggestionFault, SuggestionGroup, VerdictGrounds,
};
use schemars::JsonSchema;
use serde::Serialize;

use super::{grounds, note, put_notes_in_words};

/// Every note, some with several figures.
fn all() -> Vec<Note> {
    let text = |text: &str| text.to_owned();
    let left_out = |sentences, first| Note::SentencesLeftOut { sentences, first };
    let of_opinion = |note| Note::OfOpinion {
        reader: text("Ada"),
        dimension: text("clarity"),
        note: Box::new(note),
    };
    let mut notes = vec![
        Note::ClaimNotInPaper { name: text("A proof") },
        Note::SummarySentenceRemoved { why: None },
        Note::SummarySentenceRemoved {
            why: Some(text("it gives the figure 9")),
        },
        Note::PointKnown {
            point: 2,
            title: text("Ropes in Swell"),
        },
        Note::NotScored,
        Note::NoComparisonSurvived,
        Note::ListedBeyondLimit {
            of: ListedKind::Claims,
            limit: 3,
            listed: 4,
        },
        Note::ListedTwice {
            of: ListedKind::Points,
            dropped: 1,
        },
        Note::ListedTwice {
            of: ListedKind::Claims,
            dropped: 2,
        },
        Note::StatementsLeftOut { statements: 1 },
        Note::StatementsLeftOut { statements: 3 },
        Note::EvidenceNotFound { quotes: 1 },
        Note::EvidenceNotFound { quotes: 4 },
        Note::EvidenceByRules {
            unanswered: 2,
            pairs: 9,
        },
        Note::AnalysesLeftOut { analyses: 2 },
        Note::ReportFieldsDropped { fields: 1 },
        Note::ReportFieldsDropped { fields: 3 },
        Note::ReportsMissing {
            unanswered: 2,
            documents: 9,
        },
        Note::ReportsBeyondLimit {
            documents: 1,
            limit: 60,
        },
        Note::PairsBeyondLimit { pairs: 12, limit: 80 },
        of_opinion(left_out(1, SentenceFault::BeyondAnyLimit)),
        of_opinion(left_out(2, SentenceFault::NoSentence)),
        of_opinion(Note::WorkingLeftOut),
        of_opinion(Note::OpinionMissing {
            why: OpinionFault::NoAnswer,
        }),
        of_opinion(Note::OpinionMissing {
            why: OpinionFault::UncertainDates,
        }),
        of_opinion(Note::OpinionMissing {
            why: OpinionFault::ScoreOffScale,
        }),
        of_opinion(Note::OpinionMissing {
            why: OpinionFault::CitesUnshown { number: 7 },
        }),
        Note::OfChairSummary {
            note: Box::new(left_out(3, SentenceFault::BeyondLimit)),
        },
        Note::OfChairReason {
            note: Box::new(left_out(
                1,
                SentenceFault::Refused {
                    why: text("it names a decision"),
                },
            )),
        },
        left_out(1, SentenceFault::BeyondLimit),
        Note::WorkingLeftOut,
        Note::OpinionMissing {
            why: OpinionFault::NoAnswer,
        },
        Note::BoardSilent { requests: 25 },
        Note::NoOpinion,
        Note::ChairFailed,
        Note::DecisionReplaced {
            named: ReviewDecision::Oral,
            score: 6.5,
            due: ReviewDecision::Poster,
        },
        Note::DecisionUnknown,
        Note::KeyEvidenceLeftOut { number: 28 },
        Note::ChangeWithoutEvidence { delta: 1.5 },
        Note::ChangeLimited {
            delta: -9.5,
            limit: 2.0,
        },
        Note::LoweringLimited {
            dimension: "novelty".to_owned(),
            by: 4.0,
            limit: 1.5,
        },
        Note::SuggestionsLimited {
            used: 20,
            documents: 31,
        },
        Note::SuggestionsNotRequested,
        Note::NoSuggestions,
        Note::SuggestionsUnfounded { suggestions: 1 },
        Note::SuggestionsUnfounded { suggestions: 8 },
    ];
    notes.extend(of_several_kinds());
    notes
}

/// Notes with a kind, for each kind.
fn of_several_kinds() -> Vec<Note> {
    let text = |text: &str| text.to_owned();
    let mut notes = Vec::new();
    for (why, dropped) in [
        (LoweringFault::UnknownDimension, 1),
        (LoweringFault::UnknownReason, 2),
        (LoweringFault::NothingTakenOff, 1),
        (LoweringFault::QuoteNotInIdea, 1),
        (LoweringFault::NothingLookedFor, 1),
        (LoweringFault::Mentioned, 1),
        (LoweringFault::Repeated, 1),
    ] {
        notes.push(Note::LoweringsDropped { why, dropped });
    }
    for of in [ListedKind::Claims, ListedKind::Points, ListedKind::Statements] {
        notes.push(Note::NoList { of });
        notes.push(Note::NothingListedInText { of });
        notes.extend([1, 2].map(|dropped| Note::ListedDropped {
            of,
            dropped,
            listed: 5,
            most_words: (of == ListedKind::Claims).then_some(40),
        }));
    }
    for kind in [EvidenceKind::Literature, EvidenceKind::Web, EvidenceKind::Code] {
        notes.push(Note::NearlyTheIdea {
            name: text("Dorn2020"),
            number: 3,
            kind,
        });
    }
    let faults = [
        SuggestionFault::NotOnLaterDocuments,
        SuggestionFault::Repeated,
        SuggestionFault::GroupFull,
    ];
    notes.extend(faults.map(|why| Note::SuggestionLeftOut {
        group: SuggestionGroup::Method,
        why,
    }));

    notes
}

/// Every ground of a verdict.
fn all_grounds() -> Vec<VerdictGrounds> {
    let paper = |number| NamedPaper {
        name: "Berg 2015".to_owned(),
        number,
    };
    vec![
        VerdictGrounds::WordForWord { paper: paper(1) },
        VerdictGrounds::NotWordForWord,
        VerdictGrounds::NothingFound,
        VerdictGrounds::PaperDisputed,
        VerdictGrounds::NoPaperHasIt { papers: 10 },
        VerdictGrounds::ModelUndecided,
        VerdictGrounds::NoAnswer,
        VerdictGrounds::NoMajority,
        VerdictGrounds::Contradicted {
            what: "the verdict is novel, but work 1 is said to share every core facet".to_owned(),
        },
        VerdictGrounds::Shared { papers: vec![paper(1)] },
        VerdictGrounds::Shared {
            papers: vec![paper(1), paper(2)],
        },
        VerdictGrounds::FacetsNotStated {
            facets: vec![Facet::Purpose, Facet::Mechanism],
        },
        VerdictGrounds::NotCertainlyEarlier,
        VerdictGrounds::NoPaperHasBoth,
        VerdictGrounds::PassagesTooDifferent { least: 0.25 },
        VerdictGrounds::TooShort { words: 1, least: 8 },
        VerdictGrounds::TooGeneral { words: 2, least: 5 },
        VerdictGrounds::BothFound { paper: paper(2) },
        VerdictGrounds::FacetsNotCompared { facets: Vec::new() },
        VerdictGrounds::FacetsNotCompared {
            facets: vec![Facet::Purpose, Facet::Mechanism],
        },
        VerdictGrounds::BothSimilar { paper: paper(2) },
        VerdictGrounds::FewPapers { papers: 1, least: 10 },
        VerdictGrounds::FewPapers { papers: 3, least: 10 },
        VerdictGrounds::ClosestNotCited { papers: vec![paper(1)] },
        VerdictGrounds::ClosestNotCited {
            papers: vec![paper(1), paper(2)],
        },
        VerdictGrounds::FieldNotCovered {
            coverage: FieldCoverage {
                level: CoverageLevel::Outside,
                nearest: 0.213,
                usual: 0.31,
                near: 0,
                works: 12,
            },
        },
    ]
}

fn code(one: &impl Serialize) -> String {
    let json = serde_json::to_value(one).unwrap();
    json["code"].as_str().unwrap().to_owned()
}

/// All codes of a type in its schema.
fn codes<T: JsonSchema>() -> BTreeSet<String> {
    let schema = schemars::schema_for!(T).to_value();
    let mut left = vec![&schema];
    let mut found = BTreeSet::new();
    while let Some(one) = left.pop() {
        let code = one.pointer("/properties/code/const");
        found.extend(code.and_then(|code| code.as_str()).map(str::to_owned));
        let parts = ["oneOf", "anyOf"].iter().filter_map(|key| one.get(key)?.as_array());
        left.extend(parts.flatten());
    }
    found
}

#[test]
fn every_note_and_every_ground_has_words() {
    let notes = all().into_iter().map(|one| (code(&one), note(&one)));
    let grounds = all_grounds().into_iter().map(|one| (code(&one), grounds(&one)));
    let lines: Vec<String> = notes
        .chain(grounds)
        .map(|(code, words)| format!("{code}: {words}"))
        .collect();
    insta::assert_snapshot!(lines.join("\n"));
}

#[test]
fn the_lists_are_complete() {
    let notes = codes::<Note>();
    assert!(notes.len() > 25, "{notes:?}");
    assert_eq!(notes, all().iter().map(code).collect());
    assert_eq!(codes::<VerdictGrounds>(), all_grounds().iter().map(code).collect());
}

#[test]
fn notes_are_read_back_and_old_notes_keep_their_words() {
    for one in all() {
        let json = serde_json::to_string(&one).unwrap();
        assert_eq!(serde_json::from_str::<Note>(&json).unwrap(), one, "{json}");
    }
    for one in all_grounds() {
        let json = serde_json::to_string(&one).unwrap();
        assert_eq!(serde_json::from_str::<VerdictGrounds>(&json).unwrap(), one, "{json}");
    }
    // The ledger of an earlier version has words where this one has codes.
    let old: Vec<Note> = serde_json::from_str(r#"["a claim was dropped"]"#).unwrap();
    let mut words = Vec::new();
    put_notes_in_words(&old, &mut words);
    assert_eq!(words, ["a claim was dropped"]);
    // A report of an earlier version has no codes, and its words stay.
    put_notes_in_words(&[], &mut words);
    assert_eq!(words, ["a claim was dropped"]);
    let verdict = r#"{"verdict": "undecided", "grounds": "No.", "reasoning": null, "cited": [], "against": []}"#;
    let verdict: IdeaVerdict = serde_json::from_str(verdict).unwrap();
    assert_eq!(
        (verdict.verdict, verdict.grounds.as_str(), verdict.coded_grounds),
        (NoveltyVerdict::Undecided, "No.", None)
    );
}
