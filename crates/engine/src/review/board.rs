//! The board: its readers, the evidence each of them sees, and their opinions by dimension (InnoEval, 3.3).

use precedent_domain::{
    BoardReview, DimensionOpinion, EvidenceKind, Grounding, KnowledgePiece, KnowledgeRole, Note, OpinionFault,
    QuotableDocument, ReviewedIdea, SeenShare,
};
use precedent_ledger::InputHash;
use serde::{Deserialize, Serialize};

use super::material::{Gathered, ReviewOptions};
use super::model;
use crate::board::{Dimension, Persona, board, kept, mean};
use crate::model::ModelAnalyst;
use crate::model::asker::Task;
use crate::model::checks::bracketed;
use crate::world::Stage;
use crate::{Result, World};

const BOARD: Stage = Stage {
    name: "review.board",
    version: 1,
};

/// A piece of evidence that may be shown to the board, with its groundings.
#[derive(Debug, Clone)]
pub struct BoardPiece<'a> {
    /// The piece.
    pub piece: &'a KnowledgePiece,
    /// Its text.
    pub text: &'a QuotableDocument,
    /// Where the piece is relevant to the idea.
    pub groundings: Vec<&'a Grounding>,
}

/// Everything the board may be shown. Evidence later than the idea is left out, and so is the idea's own paper or page.
#[derive(Debug, Clone)]
pub struct BoardMaterial<'a> {
    /// The idea.
    pub idea: &'a ReviewedIdea,
    /// Its text.
    pub text: QuotableDocument,
    /// The pieces by number.
    pub pieces: Vec<BoardPiece<'a>>,
}

/// A request for one reader's opinion on one dimension.
#[derive(Debug, Clone, Copy)]
pub struct OpinionQuestion<'a> {
    /// The idea and all its evidence. Only the pieces in `shown` may be shown.
    pub material: &'a BoardMaterial<'a>,
    /// The reader.
    pub reader: &'a Persona,
    /// How many of the pieces of each kind the reader sees.
    pub familiarity: &'a [SeenShare],
    /// The dimension to judge.
    pub dimension: &'a Dimension,
    /// The pieces to show, in order: those the reader sees, of the dimension's kinds, and relevant to its parts.
    pub shown: &'a [u32],
}

/// An opinion as an analyst proposes it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct OpinionDraft {
    /// Score, 0 to 10.
    pub score: f64,
    /// The reason, citing pieces as `[n]`. Empty if model text is not printed.
    pub reason: String,
    /// The pieces cited.
    pub cited: Vec<u32>,
    /// Intermediate results, if the dimension asks for any.
    pub working: Vec<String>,
}

/// An analyst's answer, if usable, with printable notes on what was dropped or corrected.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CheckedAnswer<T> {
    /// The answer.
    #[serde(alias = "said")]
    pub reply: Option<T>,
    /// Notes on what was dropped or corrected.
    pub notes: Vec<Note>,
}

impl<T> Default for CheckedAnswer<T> {
    fn default() -> Self {
        Self {
            reply: None,
            notes: Vec::new(),
        }
    }
}

impl<'a> BoardMaterial<'a> {
    /// The pieces of `gathered` that may be shown: certainly earlier ones and marked ones. Later evidence is filtered out here.
    #[must_use]
    pub fn of(gathered: &'a Gathered) -> Self {
        let may = |piece: &KnowledgePiece| piece.role != KnowledgeRole::Suggests && !piece.own;
        let pieces = gathered
            .knowledge
            .iter()
            .zip(&gathered.texts)
            .filter(|(one, _)| may(one));
        let mut pieces: Vec<BoardPiece<'a>> = pieces
            .map(|(piece, text)| BoardPiece {
                piece,
                text,
                groundings: gathered
                    .grounding
                    .iter()
                    .filter(|one| one.piece == piece.number && !one.evidence.is_empty())
                    .collect(),
            })
            .collect();
        pieces.sort_by_key(|one| one.piece.number);
        Self {
            idea: &gathered.idea,
            text: QuotableDocument::new(gathered.idea.document.clone()),
            pieces,
        }
    }

    /// The piece with this number.
    #[must_use]
    pub fn piece(&self, number: u32) -> Option<&BoardPiece<'a>> {
        self.pieces.iter().find(|one| one.piece.number == number)
    }

    /// Whether a piece may support a decision: it is certainly earlier and relevant to the idea.
    #[must_use]
    pub fn decides(&self, number: u32) -> bool {
        self.piece(number)
            .is_some_and(|one| one.piece.role == KnowledgeRole::Grounds && !one.groundings.is_empty())
    }

    /// Cache key besides the options: the idea, the pieces with hashes of their texts, and the groundings.
    pub(super) fn key(&self) -> impl Serialize + '_ {
        let pieces = self.pieces.iter().map(|one| {
            let text = InputHash::of([one.text.document().text.as_bytes()]);
            (one.piece, text.as_str().to_owned(), one.groundings.clone())
        });
        (self.idea, pieces.collect::<Vec<_>>())
    }
}

/// A reader on the board and the pieces this reader sees.
pub(super) struct Reader<'a> {
    persona: &'a Persona,
    seen: Vec<u32>,
    familiarity: Vec<SeenShare>,
}

/// The readers of this idea, by id, and what each sees. Sampled once for all dimensions, from the seed and the idea's text.
pub(super) fn readers<'a>(material: &BoardMaterial<'_>, options: &'a ReviewOptions, seed: u64) -> Vec<Reader<'a>> {
    let idea = InputHash::of([material.idea.document.text.as_bytes()]);
    let drawn = board(&options.personas, &options.required, options.board, seed, idea.as_str());
    let reader = |persona: &'a Persona| {
        let mut seen = Vec::new();
        let mut familiarity = Vec::new();
        for kind in EvidenceKind::ALL {
            let of_kind: Vec<u32> = material
                .pieces
                .iter()
                .filter(|one| one.piece.kind == kind)
                .map(|one| one.piece.number)
                .collect();
            let kept = kept(persona, kind, of_kind.len(), seed, idea.as_str());
            familiarity.push(SeenShare {
                kind,
                familiarity: persona.familiarity.of(kind),
                seen: kept.len(),
                of: of_kind.len(),
            });
            seen.extend(kept.into_iter().filter_map(|at| of_kind.get(at).copied()));
        }
        seen.sort_unstable();
        Reader {
            persona,
            seen,
            familiarity,
        }
    };
    drawn.into_iter().map(reader).collect()
}

/// One dimension for one reader.
struct BoardQuestion<'a> {
    reader: &'a Reader<'a>,
    dimension: &'a Dimension,
    shown: Vec<u32>,
}

impl BoardQuestion<'_> {
    async fn ask(&self, material: &BoardMaterial<'_>, model: &ModelAnalyst) -> Result<CheckedAnswer<OpinionDraft>> {
        let question = OpinionQuestion {
            material,
            reader: self.reader.persona,
            familiarity: &self.reader.familiarity,
            dimension: self.dimension,
            shown: &self.shown,
        };
        model::review_dimension(model, question).await
    }
}

/// The pieces shown to a reader for a dimension: in the dimension's order of kinds, and only those relevant to its parts.
fn shown(material: &BoardMaterial<'_>, reader: &Reader<'_>, dimension: &Dimension) -> Vec<u32> {
    let bears = |one: &&BoardPiece<'_>| {
        reader.seen.contains(&one.piece.number) && one.groundings.iter().any(|one| dimension.parts.contains(&one.part))
    };
    let of_kind = |kind: &EvidenceKind| {
        let kind = *kind;
        let pieces = material.pieces.iter().filter(move |one| one.piece.kind == kind);
        pieces.filter(bears).map(|one| one.piece.number)
    };
    dimension.kinds.iter().flat_map(of_kind).collect()
}

/// The opinions of all readers, and notes on what was dropped.
pub(super) async fn opinions(
    material: &BoardMaterial<'_>,
    options: &ReviewOptions,
    model: &ModelAnalyst,
    world: &World,
) -> Result<(Vec<BoardReview>, Vec<Note>)> {
    let readers = readers(material, options, world.seed);
    let asked: Vec<BoardQuestion<'_>> = readers
        .iter()
        .flat_map(|reader| {
            options.dimensions.iter().map(move |dimension| BoardQuestion {
                reader,
                dimension,
                shown: shown(material, reader, dimension),
            })
        })
        .collect();
    let personas: Vec<&Persona> = readers.iter().map(|reader| reader.persona).collect();
    let shown: Vec<&Vec<u32>> = asked.iter().map(|one| &one.shown).collect();
    let input = (material.key(), &options.dimensions, personas, shown);
    let asks: Vec<Task<'_, Result<CheckedAnswer<OpinionDraft>>>> = asked
        .iter()
        .map(|one| -> Task<'_, _> { Box::pin(one.ask(material, model)) })
        .collect();
    let work = model.all("board", asks);
    let checked: Vec<CheckedAnswer<OpinionDraft>> = world.stage(BOARD, &input, work).await?;
    let mut notes = Vec::new();
    let mut silent = Vec::new();
    let mut of_all: Vec<Vec<DimensionOpinion>> = readers.iter().map(|_| Vec::new()).collect();
    for (at, (one, checked)) in asked.iter().zip(checked).enumerate() {
        let BoardQuestion {
            reader,
            dimension,
            shown,
        } = one;
        let of_opinion = |note: Note| Note::OfOpinion {
            reader: reader.persona.name.clone(),
            dimension: dimension.name.to_lowercase(),
            note: Box::new(note),
        };
        let missing = |why: OpinionFault| of_opinion(Note::OpinionMissing { why });
        notes.extend(checked.notes.into_iter().map(of_opinion));
        match checked.reply.map(|reply| settled(reply, dimension, shown)) {
            Some(Ok(opinion)) if rests_on_marked(material, &opinion) => {
                notes.push(missing(OpinionFault::UncertainDates));
            }
            Some(Ok(opinion)) => {
                if let Some(own) = of_all.get_mut(at / options.dimensions.len().max(1)) {
                    own.push(opinion);
                }
            }
            Some(Err(why)) => notes.push(missing(why)),
            None => silent.push(missing(OpinionFault::NoAnswer)),
        }
    }
    match silent.len() == asked.len() && silent.len() > 1 {
        true => notes.push(Note::BoardSilent { requests: silent.len() }),
        false => notes.extend(silent),
    }
    let reviews = readers.into_iter().zip(of_all).map(|(reader, opinions)| BoardReview {
        id: reader.persona.id.clone(),
        name: reader.persona.name.clone(),
        background: reader.persona.background.clone(),
        seen: reader.seen,
        familiarity: reader.familiarity,
        average: mean(opinions.iter().map(|one| one.score)),
        opinions,
    });
    Ok((reviews.collect(), notes))
}

/// Checks an opinion: its score must be on the scale, and it may cite only what was shown.
fn settled(
    reply: OpinionDraft,
    dimension: &Dimension,
    shown: &[u32],
) -> std::result::Result<DimensionOpinion, OpinionFault> {
    if !(0.0..=10.0).contains(&reply.score) {
        return Err(OpinionFault::ScoreOffScale);
    }
    let mut cited = bracketed(&reply.reason);
    cited.extend(reply.cited);
    cited.sort_unstable();
    cited.dedup();
    if let Some(unknown) = cited.iter().find(|number| !shown.contains(number)) {
        return Err(OpinionFault::CitesUnshown { number: *unknown });
    }
    Ok(DimensionOpinion {
        dimension: dimension.id.clone(),
        score: reply.score,
        reason: reply.reason,
        cited,
        working: match dimension.working {
            Some(_) => reply.working,
            None => Vec::new(),
        },
    })
}

/// Whether an opinion cites only pieces with an uncertain date.
fn rests_on_marked(material: &BoardMaterial<'_>, opinion: &DimensionOpinion) -> bool {
    !opinion.cited.is_empty() && !opinion.cited.iter().any(|number| material.decides(*number))
}
