//! The board: who reads, what of the evidence each has before them, and what they say dimension by dimension (InnoEval, 3.3).

use futures_util::future::try_join_all;
use precedent_domain::{
    BoardReview, DimensionOpinion, EvidenceKind, Grounding, KnowledgePiece, KnowledgeRole, QuotableDocument,
    ReviewedIdea, SeenShare,
};
use precedent_ledger::InputHash;
use serde::{Deserialize, Serialize};

use super::material::{Gathered, ReviewOptions};
use crate::board::{Dimension, Persona, board, kept, mean};
use crate::pipelines::bracketed;
use crate::world::Stage;
use crate::{Result, World};

const BOARD: Stage = Stage {
    name: "review.board",
    version: 1,
};

/// A piece that may be shown to those who judge, with what of it bears on the idea.
#[derive(Debug, Clone)]
pub struct BoardPiece<'a> {
    /// The piece.
    pub piece: &'a KnowledgePiece,
    /// Its text.
    pub text: &'a QuotableDocument,
    /// What of it bears on which part.
    pub groundings: Vec<&'a Grounding>,
}

/// Everything that those who judge may be shown. What is later than the idea is not here, nor the idea's own paper or page found again.
#[derive(Debug, Clone)]
pub struct BoardMaterial<'a> {
    /// The idea.
    pub idea: &'a ReviewedIdea,
    /// Its text.
    pub text: QuotableDocument,
    /// The pieces by number.
    pub pieces: Vec<BoardPiece<'a>>,
}

/// One dimension put to one reader.
#[derive(Debug, Clone, Copy)]
pub struct OpinionQuestion<'a> {
    /// The idea and all the pieces there are; only those named in `shown` may be shown.
    pub material: &'a BoardMaterial<'a>,
    /// Who reads.
    pub reader: &'a Persona,
    /// How many pieces of each kind they have, of how many.
    pub familiarity: &'a [SeenShare],
    /// What they judge by.
    pub dimension: &'a Dimension,
    /// The pieces to show, in order: such as the reader has, of the kinds that the dimension asks for, that bear on its parts.
    pub shown: &'a [u32],
}

/// An opinion as an analyst proposes it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct OpinionDraft {
    /// 0 to 10.
    pub score: f64,
    /// Why; it cites pieces as `[n]`. Empty where the policy is to print no words of a model.
    pub reason: String,
    /// The pieces it cites.
    pub cited: Vec<u32>,
    /// What was worked out first.
    pub working: Vec<String>,
}

/// What an analyst makes of a question: an answer or none, and what of it was left out, in words that can be printed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Heard<T> {
    /// The answer.
    pub said: Option<T>,
    /// What was left out or put right.
    pub notes: Vec<String>,
}

impl<T> Default for Heard<T> {
    fn default() -> Self {
        Self {
            said: None,
            notes: Vec::new(),
        }
    }
}

impl<'a> BoardMaterial<'a> {
    /// What of `gathered` may be shown: pieces that are surely earlier and those that are marked. This is where later knowledge ends, record by record.
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

    /// The piece of this number.
    #[must_use]
    pub fn piece(&self, number: u32) -> Option<&BoardPiece<'a>> {
        self.pieces.iter().find(|one| one.piece.number == number)
    }

    /// Whether a piece may decide: it is surely earlier, and something of it bears on the idea.
    #[must_use]
    pub fn decides(&self, number: u32) -> bool {
        self.piece(number)
            .is_some_and(|one| one.piece.role == KnowledgeRole::Grounds && !one.groundings.is_empty())
    }

    /// What answers depend on besides options: the idea, the pieces with their texts by hash, and what bears on what.
    pub(super) fn key(&self) -> impl Serialize + '_ {
        let pieces = self.pieces.iter().map(|one| {
            let text = InputHash::of([one.text.document().text.as_bytes()]);
            (one.piece, text.as_str().to_owned(), one.groundings.clone())
        });
        (self.idea, pieces.collect::<Vec<_>>())
    }
}

/// Somebody on the board with what they have before them.
pub(super) struct Reader<'a> {
    persona: &'a Persona,
    seen: Vec<u32>,
    familiarity: Vec<SeenShare>,
}

/// Who judges this idea, by id, and what each of them has: drawn by the seed and the idea's text, once for all dimensions.
pub(super) fn readers<'a>(material: &BoardMaterial<'_>, options: &'a ReviewOptions, seed: u64) -> Vec<Reader<'a>> {
    let idea = InputHash::of([material.idea.document.text.as_bytes()]);
    let mut drawn = board(&options.personas, options.board, seed, idea.as_str());
    drawn.sort_by(|a, b| a.id.cmp(&b.id));
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

/// A dimension before a reader.
struct Asked<'a> {
    reader: &'a Reader<'a>,
    dimension: &'a Dimension,
    shown: Vec<u32>,
}

impl Asked<'_> {
    async fn ask(&self, material: &BoardMaterial<'_>, world: &World) -> Result<Heard<OpinionDraft>> {
        let question = OpinionQuestion {
            material,
            reader: self.reader.persona,
            familiarity: &self.reader.familiarity,
            dimension: self.dimension,
            shown: &self.shown,
        };
        world.analyst.review_dimension(question).await
    }
}

/// The pieces that a reader is shown for a dimension: kind by kind in its order, and only such as bear on its parts.
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

/// What everybody on the board says, and what of it was left out.
pub(super) async fn opinions(
    material: &BoardMaterial<'_>,
    options: &ReviewOptions,
    world: &World,
) -> Result<(Vec<BoardReview>, Vec<String>)> {
    let readers = readers(material, options, world.seed);
    let asked: Vec<Asked<'_>> = readers
        .iter()
        .flat_map(|reader| {
            options.dimensions.iter().map(move |dimension| Asked {
                reader,
                dimension,
                shown: shown(material, reader, dimension),
            })
        })
        .collect();
    let personas: Vec<&Persona> = readers.iter().map(|reader| reader.persona).collect();
    let shown: Vec<&Vec<u32>> = asked.iter().map(|one| &one.shown).collect();
    let input = (material.key(), &options.dimensions, personas, shown);
    let work = async { try_join_all(asked.iter().map(|one| one.ask(material, world))).await };
    let heard: Vec<Heard<OpinionDraft>> = world.stage(BOARD, &input, work).await?;
    let mut notes = Vec::new();
    let mut silent = Vec::new();
    let mut of_all: Vec<Vec<DimensionOpinion>> = readers.iter().map(|_| Vec::new()).collect();
    for (at, (one, heard)) in asked.iter().zip(heard).enumerate() {
        let Asked {
            reader,
            dimension,
            shown,
        } = one;
        let who = format!("{} on {}", reader.persona.name, dimension.name.to_lowercase());
        notes.extend(heard.notes.iter().map(|note| format!("{who}: {note}")));
        match heard.said.map(|said| settled(said, dimension, shown)) {
            Some(Ok(opinion)) if rests_on_marked(material, &opinion) => notes.push(format!(
                "{who}: the opinion is missing and counts for nothing, since all that it cites has no sure date, and such decides nothing."
            )),
            Some(Ok(opinion)) => {
                if let Some(own) = of_all.get_mut(at / options.dimensions.len().max(1)) {
                    own.push(opinion);
                }
            }
            Some(Err(why)) => notes.push(format!(
                "{who}: the opinion is missing and counts for nothing, since {why}."
            )),
            None => silent.push(format!(
                "{who}: there is no usable opinion; it is missing and counts for nothing."
            )),
        }
    }
    match silent.len() == asked.len() && silent.len() > 1 {
        true => notes.push(format!(
            "None of the {} questions to the board had a usable answer; they count for nothing.",
            silent.len()
        )),
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

/// An opinion that may stand, whoever proposed it: its score is on the scale, and it cites only what was shown.
fn settled(said: OpinionDraft, dimension: &Dimension, shown: &[u32]) -> std::result::Result<DimensionOpinion, String> {
    if !(0.0..=10.0).contains(&said.score) {
        return Err("its score is not from 0 to 10".to_owned());
    }
    let mut cited = bracketed(&said.reason);
    cited.extend(said.cited);
    cited.sort_unstable();
    cited.dedup();
    if let Some(unknown) = cited.iter().find(|number| !shown.contains(number)) {
        return Err(format!("it cites [{unknown}], which the reader was not shown"));
    }
    Ok(DimensionOpinion {
        dimension: dimension.id.clone(),
        score: said.score,
        reason: said.reason,
        cited,
        working: match dimension.working {
            Some(_) => said.working,
            None => Vec::new(),
        },
    })
}

/// Whether an opinion cites nothing but what has no sure date.
fn rests_on_marked(material: &BoardMaterial<'_>, opinion: &DimensionOpinion) -> bool {
    !opinion.cited.is_empty() && !opinion.cited.iter().any(|number| material.decides(*number))
}
