use std::collections::BTreeMap;

use precedent_corpus::TopicVector;
use precedent_domain::{
    Candidate, Evidence, EvidenceKind, Grounding, IdeaPart, KnowledgePiece, Note, Paper, PartStatement,
    QuotableDocument, Quote, Span, Stance,
};
use precedent_matcher::{Claim, Level, PreparedText, rank};

use super::super::model;
use super::super::parts::Subject;
use super::super::questions::{GroundQuestion, Grounded};
use super::super::reading::Pieces;
use super::closest::{nearest, shared};
use crate::compare::{ComparisonSet, Prior, PriorReading, WeightedTerms, repeated_passage};
use crate::extract::as_paper;
use crate::retrieve::passages::{Entry, PassageModels, Ranker, passages};
use crate::world::Stage;
use crate::{Result, World};

const STAGE: Stage = Stage {
    name: "review.ground",
    version: 4,
};
/// Which kinds of evidence are compared with which parts (InnoEval, public code). Sentences that the rules leave unclassified may state any part, so papers
/// are compared with them too.
const PAIRS: [(EvidenceKind, &[IdeaPart]); 3] = [
    (
        EvidenceKind::Literature,
        &[
            IdeaPart::BasicIdea,
            IdeaPart::Motivation,
            IdeaPart::ResearchQuestion,
            IdeaPart::Method,
            IdeaPart::ExperimentalSetting,
            IdeaPart::Unclassified,
        ],
    ),
    (
        EvidenceKind::Web,
        &[
            IdeaPart::BasicIdea,
            IdeaPart::Motivation,
            IdeaPart::ResearchQuestion,
            IdeaPart::Method,
        ],
    ),
    (EvidenceKind::Code, &[IdeaPart::Method, IdeaPart::ExperimentalSetting]),
];
/// Maximum quotes of one piece for one part.
const EVIDENCE: usize = 3;
/// Passages of a piece shown to the model with a part, of at most 512 tokens each.
const PASSAGES: usize = 3;
/// Maximum pairs sent to the model, best pieces first. Ten pieces of each kind make 110 pairs.
const MOST_PAIRS: usize = 150;
/// Maximum pieces per part, highest weight first.
const MOST_OF_A_PART: usize = 30;

/// The relevant evidence, part by part, highest weight first.
///
/// # Errors
/// When the analyst cannot be called, or the ledger fails.
pub(crate) async fn ground(
    subject: &Subject<'_>,
    pieces: &Pieces,
    texts: &[QuotableDocument],
    world: &World,
) -> Result<Grounded> {
    let shown: Vec<_> = pieces
        .bearing(texts)
        .map(|(piece, text)| {
            let record = (piece.number, piece.kind, piece.score, &piece.work.title);
            (record, (&piece.report, &piece.calls), &text.document().text)
        })
        .collect();
    let input = (&subject.idea, shown);
    world.stage(STAGE, &input, compute(subject, pieces, texts, world)).await
}

async fn compute(
    subject: &Subject<'_>,
    pieces: &Pieces,
    texts: &[QuotableDocument],
    world: &World,
) -> Result<Grounded> {
    let bearing: Vec<(&KnowledgePiece, &QuotableDocument)> = pieces.bearing(texts).collect();
    let mut questions = questions(subject, &bearing);
    let mut notes = Vec::new();
    let mut found: Vec<Grounding> = Vec::new();
    if let Some(model) = &world.model {
        let rest = questions.split_off(questions.len().min(MOST_PAIRS));
        if !rest.is_empty() {
            notes.push(Note::PairsBeyondLimit {
                pairs: rest.len(),
                limit: MOST_PAIRS,
            });
        }
        let answered = model::ground_pieces(model, &questions).await?;
        let answers = answered.groundings.into_iter().chain(std::iter::repeat(None));
        found.extend(questions.iter().zip(answers).filter_map(|(question, answer)| {
            let answer = answer.and_then(|answer| sound(question, answer));
            with_repeated(question, answer)
        }));
        notes.extend(answered.notes);
        found.extend(rest.into_iter().filter_map(|question| question.own));
    } else {
        found.extend(questions.into_iter().filter_map(|question| question.own));
    }
    Ok(Grounded {
        groundings: in_order(found).into_iter().map(Some).collect(),
        notes,
    })
}

/// The valid part of an answer: quotes from this piece, on statements of this part. `None` if no quote remains.
fn sound(question: &GroundQuestion<'_>, mut grounding: Grounding) -> Option<Grounding> {
    grounding.part = question.part;
    grounding.piece = question.piece.number;
    grounding
        .evidence
        .retain(|one| one.quote.is_in(question.text.document()));
    grounding.score = grounding.score.filter(|score| (0.0..=10.0).contains(score));
    let of_part = |number: &u32| {
        let mut own = question.idea.statements.iter().filter(|one| one.part == question.part);
        own.any(|one| one.number == *number)
    };
    grounding.statements.retain(of_part);
    grounding.statements.sort_unstable();
    grounding.statements.dedup();
    (!grounding.evidence.is_empty()).then_some(grounding)
}

/// An answer with what the program itself found: the statements that the document makes nearly word for word, whatever a model says of it, and the matcher's
/// probability.
fn with_repeated(question: &GroundQuestion<'_>, answer: Option<Grounding>) -> Option<Grounding> {
    let own = question.own.iter().flat_map(|own| &own.evidence);
    let mut repeated: Vec<Evidence> = own.filter(|one| one.repeats.is_some()).cloned().collect();
    let mut answer = match (answer, &question.own) {
        (Some(answer), _) => answer,
        (None, Some(own)) if !repeated.is_empty() => Grounding {
            statements: Vec::new(),
            evidence: Vec::new(),
            ..own.clone()
        },
        (None, _) => return None,
    };
    answer.evidence.retain(|one| one.repeats.is_none());
    for one in &mut repeated {
        let overlaps = |other: &&Evidence| other.quote.span().overlaps(one.quote.span());
        one.stance = answer
            .evidence
            .iter()
            .find(overlaps)
            .map_or(one.stance, |reply| reply.stance);
    }
    let is_new = |one: &Evidence| {
        !repeated
            .iter()
            .any(|other| other.quote.span().overlaps(one.quote.span()))
    };
    answer.evidence.retain(is_new);
    answer.statements.extend(repeated.iter().filter_map(|one| one.repeats));
    answer.statements.sort_unstable();
    answer.statements.dedup();
    answer.evidence.splice(0..0, repeated);
    Some(answer.with_match(question.probability, question.similar))
}

fn in_order(mut found: Vec<Grounding>) -> Vec<Grounding> {
    let weight = |one: &Grounding| {
        one.score
            .map_or(one.probability.unwrap_or_default(), |score| 1.0 + score)
    };
    found.sort_by(|a, b| {
        let by_weight = weight(b).total_cmp(&weight(a));
        a.part
            .cmp(&b.part)
            .then(b.repeated().count().cmp(&a.repeated().count()))
            .then(by_weight)
            .then(b.shared.total_cmp(&a.shared))
            .then(a.piece.cmp(&b.piece))
    });
    let mut counts: BTreeMap<IdeaPart, usize> = BTreeMap::new();
    found.retain(|one| {
        let count = counts.entry(one.part).or_default();
        *count += 1;
        *count <= MOST_OF_A_PART
    });
    found
}

/// Every pair of a part and a piece, with the program's own finding, best pieces first.
fn questions<'q>(
    subject: &'q Subject<'_>,
    bearing: &[(&'q KnowledgePiece, &'q QuotableDocument)],
) -> Vec<GroundQuestion<'q>> {
    let candidates: Vec<Candidate> = bearing.iter().map(|(piece, _)| candidate(piece)).collect();
    let stand_in;
    let paper: &Paper = match subject.paper {
        Some(paper) => paper,
        None => {
            stand_in = as_paper(&subject.idea.document);
            &stand_in
        }
    };
    let target = subject.quotable();
    let priors: Vec<Prior<'_>> = candidates
        .iter()
        .zip(bearing)
        .map(|(candidate, (_, text))| Prior { candidate, text })
        .collect();
    let set = ComparisonSet::new(paper, &target, &priors);
    let parts: Vec<PartSought> = subject
        .parts()
        .into_iter()
        .map(|part| PartSought::of(part, subject, &set))
        .collect();
    let prepared: Vec<&PreparedText> = set.priors().iter().map(|prior| &prior.prepared).collect();
    let matched: Vec<PartMatches> = parts.iter().map(|part| PartMatches::of(part, &prepared)).collect();
    let mut order: Vec<&(&KnowledgePiece, &QuotableDocument)> = bearing.iter().collect();
    order.sort_by(|(a, _), (b, _)| b.score.total_cmp(&a.score).then(a.number.cmp(&b.number)));
    let mut questions = Vec::new();
    for (piece, text) in order {
        let at = set
            .priors()
            .iter()
            .position(|prior| prior.candidate.number == piece.number);
        let wanted = PAIRS
            .iter()
            .find(|(kind, _)| *kind == piece.kind)
            .map(|(_, parts)| *parts);
        let (Some((at, prior)), Some(wanted)) = (at.and_then(|at| Some((at, set.priors().get(at)?))), wanted) else {
            continue;
        };
        let spans = passages(text);
        let entries = spans.iter().filter_map(|span| {
            Some(Entry {
                title: &piece.work.title,
                text: text.document().slice(*span)?,
            })
        });
        let mut ranker = Ranker::new(entries.collect(), PassageModels::default());
        for (part, matched) in parts.iter().zip(&matched) {
            if !wanted.contains(&part.part) {
                continue;
            }
            let repeated = part.statements.iter();
            let repeated = repeated.filter_map(|one| Some((one.number, one.repeated_in(&set, prior)?)));
            let matched = matched.of_document(at);
            let own = own(part, piece, prior, repeated.collect(), &matched);
            let (probability, similar) = (matched.probability(), matched.level == Level::Similar);
            questions.push(GroundQuestion {
                idea: &subject.idea,
                part: part.part,
                piece,
                text,
                own: own.map(|own| own.with_match(probability, similar)),
                probability,
                similar,
                passages: nearest_passages(&mut ranker, &spans, &part.text, text),
            });
        }
    }
    questions
}

fn candidate(piece: &KnowledgePiece) -> Candidate {
    Candidate {
        number: piece.number,
        alias: piece.alias.clone(),
        work: piece.work.clone(),
        scopes: Vec::new(),
        timing: piece.timing,
        cited_as: None,
        found_by: Vec::new(),
        came_by: Vec::new(),
        shared_authors: Vec::new(),
    }
}

/// The words of a part, prepared for searching.
struct PartSought {
    part: IdeaPart,
    text: String,
    whole: WeightedTerms,
    statements: Vec<StatementSought>,
}

/// A statement, prepared for searching.
struct StatementSought {
    number: u32,
    statement: String,
    /// The words of the idea that it is based on.
    quote: Quote,
    claim: Claim,
    terms: WeightedTerms,
    topic: TopicVector,
}

impl StatementSought {
    /// The passage of a document that makes the statement nearly word for word. A model may write a statement that its quote does not say, so both must be there.
    fn repeated_in(&self, set: &ComparisonSet<'_>, prior: &PriorReading<'_>) -> Option<Quote> {
        let quote = repeated_passage(set, self.quote.text(), prior)?;
        let says_the_same = letters(&self.statement) == letters(self.quote.text());
        (says_the_same || repeated_passage(set, &self.statement, prior).is_some()).then_some(quote)
    }
}

/// The letters and digits of a text, without case.
fn letters(text: &str) -> String {
    let kept = text.chars().filter(|c| c.is_alphanumeric());
    kept.flat_map(char::to_lowercase).collect()
}

/// What the matcher finds for the statements of a part, for each document of the comparison.
struct PartMatches(Vec<DocumentMatch>);

/// The statement of a part that a document makes most probably.
#[derive(Clone, Copy)]
struct DocumentMatch {
    probability: f64,
    level: Level,
    statement: u32,
    passage: Option<Span>,
}

const NOT_ASSESSABLE: DocumentMatch = DocumentMatch {
    probability: 0.0,
    level: Level::NotAssessable,
    statement: 0,
    passage: None,
};

impl PartMatches {
    fn of(part: &PartSought, prepared: &[&PreparedText]) -> Self {
        let mut best = vec![NOT_ASSESSABLE; prepared.len()];
        for statement in &part.statements {
            for one in rank(&statement.claim, prepared) {
                if let Some(known) = best.get_mut(one.index)
                    && one.level != Level::NotAssessable
                    && (known.level == Level::NotAssessable || one.probability > known.probability)
                {
                    *known = DocumentMatch {
                        probability: one.probability,
                        level: one.level,
                        statement: statement.number,
                        passage: one.passages.first().map(|passage| passage.span),
                    };
                }
            }
        }
        Self(best)
    }

    fn of_document(&self, at: usize) -> DocumentMatch {
        self.0.get(at).copied().unwrap_or(NOT_ASSESSABLE)
    }
}

impl DocumentMatch {
    fn probability(&self) -> Option<f64> {
        let probability = (self.probability * 1_000.0).round() / 1_000.0;
        (self.level != Level::NotAssessable).then_some(probability)
    }
}

impl PartSought {
    fn of(part: IdeaPart, subject: &Subject<'_>, set: &ComparisonSet<'_>) -> Self {
        let statements: Vec<&PartStatement> = subject.idea.statements.iter().filter(|one| one.part == part).collect();
        let texts = || statements.iter().map(|one| one.statement.as_str());
        Self {
            part,
            text: texts().collect::<Vec<_>>().join(" "),
            whole: WeightedTerms::of(texts(), set),
            statements: statements
                .iter()
                .map(|one| StatementSought {
                    number: one.number,
                    statement: one.statement.clone(),
                    quote: one.quote.clone(),
                    claim: Claim::new(&one.statement),
                    terms: WeightedTerms::of([one.statement.as_str()], set),
                    topic: TopicVector::of("", &one.statement),
                })
                .collect(),
        }
    }
}

/// The program's finding: the sentences that make a statement nearly word for word, then the most similar ones for the others. Whether these speak for or against
/// it needs a reader.
fn own(
    part: &PartSought,
    piece: &KnowledgePiece,
    prior: &PriorReading<'_>,
    repeated: Vec<(u32, Quote)>,
    matched: &DocumentMatch,
) -> Option<Grounding> {
    let is_repeated = |number: u32| repeated.iter().any(|(known, _)| *known == number);
    let others = part.statements.iter().filter(|one| !is_repeated(one.number));
    let mut near: Vec<(f64, u32, Span)> = others
        .filter_map(|one| {
            let (share, span) = nearest(prior, &one.terms, &one.topic)?;
            Some((share, one.number, span))
        })
        .collect();
    near.sort_by(|(a, one, _), (b, other, _)| b.total_cmp(a).then(one.cmp(other)));
    if near.is_empty() && repeated.is_empty() && matched.level == Level::Similar {
        near.extend(
            matched
                .passage
                .map(|span| (matched.probability, matched.statement, span)),
        );
    }
    let mut statements: Vec<u32> = repeated.iter().map(|(number, _)| *number).collect();
    let evidence_of = |quote: Quote, repeats: Option<u32>| Evidence {
        stance: Stance::SpeaksOf,
        quote,
        repeats,
    };
    let mut evidence: Vec<Evidence> = repeated
        .into_iter()
        .map(|(number, quote)| evidence_of(quote, Some(number)))
        .collect();
    for (_, number, span) in near {
        let there = evidence.iter().any(|other| other.quote.span().overlaps(span));
        let next = Quote::at(prior.reading.document(), span).filter(|_| !there && evidence.len() < EVIDENCE);
        if there || next.is_some() {
            statements.push(number);
        }
        evidence.extend(next.map(|quote| evidence_of(quote, None)));
    }
    statements.sort_unstable();
    (!evidence.is_empty()).then(|| Grounding {
        part: part.part,
        piece: piece.number,
        statements,
        shared: shared(prior, &part.whole, evidence.iter().map(|one| &one.quote)),
        evidence,
        analysis: String::new(),
        score: None,
        probability: None,
        similar: None,
    })
}

/// The passages that match the words of a part best, in reading order.
fn nearest_passages(
    ranker: &mut Ranker<'_>,
    spans: &[Span],
    statement_text: &str,
    text: &QuotableDocument,
) -> Vec<Quote> {
    let mut places: Vec<usize> = ranker
        .best(statement_text, PASSAGES)
        .into_iter()
        .map(|answer| answer.at)
        .collect();
    places.sort_unstable();
    let cut = places
        .into_iter()
        .filter_map(|at| Quote::at(text.document(), *spans.get(at)?));
    cut.collect()
}
