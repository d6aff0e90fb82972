//! Invented evidence for the board. Every document contains a unique word, so that the text of a request shows which documents it contains.

use precedent_domain::{
    DeepSearch, Document, Evidence, EvidenceKind, Grounding, IdeaPart, KnowledgePiece, KnowledgeRole, PartStatement,
    QuotableDocument, Quote, ReviewedIdea, Span, Stance, Timing,
};
use precedent_scripted::{Question, Say};

use crate::World;
use crate::board::{dimensions, personas};
use crate::idea::Idea;
use crate::model::ModelSettings;
use crate::review::{Gathered, ReviewOptions};
use crate::sample::{work, world_of};

/// An idea with statements on five parts.
const PARTS: [(IdeaPart, &str); 5] = [
    (
        IdeaPart::BasicIdea,
        "Forecast the harvest of kelp farms from swell and colour.",
    ),
    (
        IdeaPart::Motivation,
        "Farms plan their boats weeks ahead and err by a third.",
    ),
    (
        IdeaPart::ResearchQuestion,
        "Does swell of the week before tell the harvest?",
    ),
    (
        IdeaPart::Method,
        "A seasonal regression joins swell with colour per farm.",
    ),
    (
        IdeaPart::ExperimentalSetting,
        "Twelve farms over three seasons, against last year's harvest.",
    ),
];

/// Specification of a document.
#[derive(Debug, Clone, Copy)]
pub(super) struct Made {
    pub(super) kind: EvidenceKind,
    pub(super) timing: Timing,
    pub(super) own: bool,
}

pub(super) fn made(kind: EvidenceKind, timing: Timing) -> Made {
    Made {
        kind,
        timing,
        own: false,
    }
}

/// Ten earlier documents of each kind, two without a date, three later ones, and the idea's own paper.
pub(super) fn usual() -> Vec<Made> {
    let mut all: Vec<Made> = EvidenceKind::ALL
        .into_iter()
        .flat_map(|kind| vec![made(kind, Timing::Earlier); 9])
        .collect();
    all.push(made(EvidenceKind::Web, Timing::Undated));
    all.push(made(EvidenceKind::Code, Timing::Concurrent));
    for kind in EvidenceKind::ALL {
        all.push(made(kind, Timing::Later));
    }
    all.push(Made {
        own: true,
        ..made(EvidenceKind::Literature, Timing::Earlier)
    });
    all
}

/// The unique word of a document.
pub(super) fn word(number: u32) -> String {
    format!("zzz{number}qx")
}

/// The documents whose words are in a text.
pub(super) fn words_in(text: &str, pieces: usize) -> Vec<u32> {
    (1..=u32::try_from(pieces).unwrap())
        .filter(|number| text.contains(&word(*number)))
        .collect()
}

pub(super) fn idea() -> ReviewedIdea {
    let text: Vec<&str> = PARTS.iter().map(|(_, text)| *text).collect();
    let document = Idea::new(&text.join(" ")).document();
    let statement = |(number, (part, text)): (u32, &(IdeaPart, &str))| {
        let at = document.text.find(text).unwrap();
        PartStatement {
            number,
            part: *part,
            statement: (*text).to_owned(),
            quote: Quote::at(&document, Span::new(at, at + text.len())).unwrap(),
        }
    };
    ReviewedIdea {
        title: "Swell and Kelp".to_owned(),
        statements: (1..).zip(&PARTS).map(statement).collect(),
        missing: vec![IdeaPart::ExpectedResults],
        document,
    }
}

/// Gathered evidence. Every document, even later ones and the idea's own, has evidence on basic idea, method and setting, to expose leaks.
pub(super) fn gathered(pieces: &[Made]) -> Gathered {
    let mut knowledge = Vec::new();
    let mut texts = Vec::new();
    let mut grounding = Vec::new();
    for (number, one) in (1..).zip(pieces) {
        let word = word(number);
        let date = match one.timing {
            Timing::Undated => None,
            Timing::Later => Some("2023"),
            Timing::Concurrent | Timing::SameYear => Some("2019-11"),
            Timing::Earlier => Some("2011"),
        };
        let title = format!("On {word} and swell");
        let summary = format!(
            "The study {word} measures swell beside farms. A regression on {word} gives the harvest of 412 farms."
        );
        let document = Document::from_abstract(&title, Some(&summary));
        let at = document.text.find("The study").unwrap();
        let quote = Quote::at(&document, Span::new(at, document.text.len())).unwrap();
        for part in [IdeaPart::BasicIdea, IdeaPart::Method, IdeaPart::ExperimentalSetting] {
            grounding.push(Grounding {
                part,
                piece: number,
                statements: vec![1],
                evidence: vec![Evidence {
                    stance: Stance::Supports,
                    quote: quote.clone(),
                    repeats: None,
                }],
                analysis: format!("It treats {word} for the {}.", part.name()),
                score: Some(6.0),
                shared: 0.4,
                probability: None,
                similar: None,
            });
        }
        knowledge.push(KnowledgePiece {
            number,
            alias: format!("Dorn {number}"),
            kind: one.kind,
            work: work(&format!("p:{number}"), &title, "Ada Dorn", date, &summary),
            timing: one.timing,
            role: KnowledgeRole::of(one.timing),
            found_by: vec!["corpus:shelf".to_owned()],
            round: 1,
            semantic: 0.5,
            judged: Some(0.6),
            reranked: None,
            score: 0.6,
            read_whole: false,
            report: Vec::new(),
            calls: None,
            own: one.own,
        });
        texts.push(QuotableDocument::new(document));
    }
    Gathered {
        idea: idea(),
        as_of: None,
        knowledge,
        texts,
        search: DeepSearch::default(),
        grounding,
        set_aside: Vec::new(),
        sources: Vec::new(),
        sent: Vec::new(),
        not_searched: Vec::new(),
        notes: Vec::new(),
    }
}

pub(super) fn options() -> ReviewOptions {
    ReviewOptions {
        as_of: None,
        dimensions: dimensions(None).unwrap(),
        personas: personas(None).unwrap(),
        required: Vec::new(),
        board: 5,
        rounds: 1,
        keep: 10,
        oversample: 3,
        alpha: 0.2,
        as_published: false,
        embedder: None,
        reranker: None,
    }
}

/// A world in which `script` plays the model.
pub(super) async fn world(seed: u64, script: impl Fn(&Question) -> Say + Send + Sync + 'static) -> World {
    let mut world = world_of(vec![]).await;
    world.seed = seed;
    let settings = ModelSettings {
        seed,
        ..ModelSettings::default()
    };
    world.model = Some(super::scripted(script, settings));
    world
}
