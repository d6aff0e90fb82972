use precedent_domain::{MissingCitation, NotSearched, NotSearchedKind, Paper, Relevance, Scope, Timing, title_key};

use super::{ComparisonSet, PriorReading};

/// Most works named: a list that nobody reads helps nobody.
const MOST: usize = 10;
/// Cosine of title and abstract below which a work is not near. Of the works at or above it, papers of 2025 cite two in five; of those
/// below, fewer than one in ten.
const NEAR: f64 = 0.15;
/// Rank in the core task, and in a claim, down to which a work is near.
const CORE_RANK: u32 = 10;
const CLAIM_RANK: u32 = 3;

/// Near works, surely earlier than the paper, that its reference list lacks; nearest first. Empty where the paper has no parsed list.
/// Says nothing about novelty: a work may be missing and refute nothing.
#[must_use]
pub fn missing_citations(set: &ComparisonSet<'_>) -> Vec<MissingCitation> {
    let paper = set.paper();
    if paper.references.is_empty() {
        return Vec::new();
    }
    let mentioned = Mentioned::of(paper);
    let mut missing: Vec<(f64, u32, MissingCitation)> = Vec::new();
    for (index, prior) in set.priors().iter().enumerate() {
        let (Some(own), Some(other)) = (set.vector(0), set.vector(index + 1)) else {
            continue;
        };
        let cosine = own.cosine(other);
        let near_rank = near_rank(prior);
        if prior.candidate.timing != Timing::Earlier
            || prior.candidate.cited_as.is_some()
            || cosine < NEAR
            || mentioned.has(&prior.candidate.work.title)
        {
            continue;
        }
        let Some(rank) = near_rank else { continue };
        missing.push((
            cosine,
            rank,
            MissingCitation {
                candidate: prior.candidate.number,
                reason: reason(set, index, prior, paper.references.len()),
            },
        ));
    }
    missing.sort_by(|a, b| {
        b.0.total_cmp(&a.0)
            .then(a.1.cmp(&b.1))
            .then(a.2.candidate.cmp(&b.2.candidate))
    });
    missing.into_iter().map(|(_, _, one)| one).take(MOST).collect()
}

/// What a report must say where missing citations could not be looked for.
#[must_use]
pub fn missing_citations_not_searched(paper: &Paper) -> Option<NotSearched> {
    paper.references.is_empty().then(|| NotSearched {
        kind: NotSearchedKind::PaperPart,
        message: "No reference list could be read from the paper, so missing citations were not looked for.".to_owned(),
        scope: None,
    })
}

/// The best rank of a candidate where it is good enough to call the work near.
fn near_rank(prior: &PriorReading<'_>) -> Option<u32> {
    prior
        .candidate
        .scopes
        .iter()
        .filter(|one| one.relevance != Relevance::No && !one.filled_up)
        .filter(|one| match one.scope {
            Scope::CoreTask => one.rank <= CORE_RANK,
            Scope::Contribution(_) => one.rank <= CLAIM_RANK,
        })
        .map(|one| one.rank)
        .min()
}

fn reason(set: &ComparisonSet<'_>, index: usize, prior: &PriorReading<'_>, references: usize) -> String {
    let mut places: Vec<String> = prior
        .candidate
        .scopes
        .iter()
        .map(|one| match one.scope {
            Scope::CoreTask => format!("rank {} for the core task", one.rank),
            Scope::Contribution(number) => format!("rank {} for claim {number}", one.rank),
        })
        .collect();
    places.truncate(3);
    let year = prior
        .candidate
        .work
        .year()
        .map_or_else(String::new, |year| format!(" of {year}"));
    let mut shared: Vec<(bool, usize, &str)> = set
        .phrases()
        .filter(|phrase| phrase.stands_in(0) && phrase.stands_in(index + 1) && phrase.substance > 0)
        .map(|phrase| (phrase.terms.len() < 2, phrase.works.len(), phrase.surface.as_str()))
        .collect();
    shared.sort_unstable();
    let mut terms: Vec<&str> = Vec::new();
    for (_, _, surface) in shared {
        if terms.len() < 3
            && !terms
                .iter()
                .any(|other| other.contains(surface) || surface.contains(other))
        {
            terms.push(surface);
        }
    }
    let common = if terms.is_empty() {
        String::new()
    } else {
        let quoted: Vec<String> = terms.iter().map(|term| format!("“{term}”")).collect();
        format!(" Both speak of {}.", quoted.join(", "))
    };
    format!(
        "Work{year}, {}; none of the {references} entries of the reference list names it.{common}",
        places.join(", ")
    )
}

/// Titles as they stand in the paper's reference list and text, whatever the parser made of the entries.
struct Mentioned {
    entries: Vec<String>,
    text: String,
}

impl Mentioned {
    fn of(paper: &Paper) -> Self {
        Self {
            entries: paper
                .references
                .iter()
                .map(|reference| title_key(&reference.text).replace(' ', ""))
                .collect(),
            text: title_key(&paper.document.text).replace(' ', ""),
        }
    }

    fn has(&self, title: &str) -> bool {
        const LONG_ENOUGH: usize = 12;
        let key = title_key(title).replace(' ', "");
        key.len() >= LONG_ENOUGH && (self.text.contains(&key) || self.entries.iter().any(|entry| entry.contains(&key)))
    }
}
