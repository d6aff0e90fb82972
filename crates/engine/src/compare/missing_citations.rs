use std::collections::BTreeSet;

use precedent_domain::{
    CameBy, ContributionComparison, Gap, MissingCitation, NotSearched, Paper, Reference, Relevance, Scope, Status,
    Timing, Work, title_key,
};

use super::{ComparisonSet, PriorReading};

/// Maximum number of papers listed. Nobody reads a longer list.
const MOST: usize = 10;
/// Minimum cosine of title and abstract for a similar paper. Papers of 2025 cite two in five of the papers at or above it, and fewer
/// than one in ten of those below.
const NEAR: f64 = 0.15;
/// Lowest rank in the core task, and in a claim, at which a paper counts as similar.
const CORE_RANK: u32 = 10;
const CLAIM_RANK: u32 = 3;

/// Certainly earlier papers that the reference list lacks: first those that anticipate a claim, then similar ones, most similar first. Empty if the
/// paper has no parsed list. This does not affect novelty: a paper may be missing and anticipate nothing.
#[must_use]
pub fn missing_citations(set: &ComparisonSet<'_>, comparisons: &[ContributionComparison]) -> Vec<MissingCitation> {
    let paper = set.paper();
    if paper.references.is_empty() {
        return Vec::new();
    }
    let mentioned = Mentioned::of(paper);
    let anticipated = |prior: &PriorReading<'_>| -> Vec<String> {
        let of_it = comparisons
            .iter()
            .filter(|one| one.candidate == prior.candidate.number && one.status == Status::CanRefute);
        of_it.map(|one| one.contribution.to_string()).collect()
    };
    let mut missing: Vec<(bool, f64, u32, MissingCitation)> = Vec::new();
    for (index, prior) in set.priors().iter().enumerate() {
        let (Some(own), Some(other)) = (set.vector(0), set.vector(index + 1)) else {
            continue;
        };
        let cosine = own.cosine(other);
        if prior.candidate.timing != Timing::Earlier
            || prior.candidate.cited_as.is_some()
            || mentioned.has_title(&prior.candidate.work)
        {
            continue;
        }
        // That an entry has its authors and about its year is no reason to leave out a paper that anticipates a claim.
        let claims = anticipated(prior);
        let similar = near_rank(prior)
            .filter(|_| cosine >= NEAR && shares_a_name(set, index) && !mentioned.may_have(&prior.candidate.work));
        if claims.is_empty() && similar.is_none() {
            continue;
        }
        let why = reason(set, index, prior, paper.references.len());
        missing.push((
            claims.is_empty(),
            cosine,
            similar.unwrap_or(u32::MAX),
            MissingCitation {
                candidate: prior.candidate.number,
                reason: match claims.as_slice() {
                    [] => why,
                    [claim] => format!("Anticipates claim {claim}. {why}"),
                    claims => format!("Anticipates claims {}. {why}", claims.join(", ")),
                },
            },
        ));
    }
    missing.sort_by(|a, b| {
        a.0.cmp(&b.0)
            .then(b.1.total_cmp(&a.1))
            .then(a.2.cmp(&b.2))
            .then(a.3.candidate.cmp(&b.3.candidate))
    });
    missing.into_iter().map(|(.., one)| one).take(MOST).collect()
}

/// Entry for the report when missing citations could not be checked.
#[must_use]
pub fn missing_citations_not_searched(paper: &Paper) -> Option<NotSearched> {
    paper.references.is_empty().then(|| Gap::NoReferenceList.into())
}

/// The best rank of a candidate, if it is high enough to count as similar.
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
        .filter(|phrase| phrase.appears_in(0) && phrase.appears_in(index + 1) && phrase.substance > 0)
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
        format!(" Both mention {}.", quoted.join(", "))
    };
    let came_by = &prior.candidate.came_by;
    let bound = came_by.iter().find_map(|one| match one {
        CameBy::CitedByReferences { count } => Some(format!(" Cited by {count} of the paper's references.")),
        _ => None,
    });
    let beside = came_by.contains(&CameBy::RecommendedByReferences);
    let bound =
        bound.or_else(|| beside.then(|| " A service recommends it based on the paper's references.".to_owned()));
    let common = format!("{}{common}", bound.unwrap_or_default());
    format!(
        "Paper{year}, {}. None of the {references} entries in the reference list names it.{common}",
        places.join(", ")
    )
}

/// Whether title and abstract of both share a phrase of two or more words, or both titles share a word. Shared single words are no reason
/// to expect a citation.
fn shares_a_name(set: &ComparisonSet<'_>, index: usize) -> bool {
    set.phrases()
        .filter(|phrase| phrase.appears_in(0) && phrase.appears_in(index + 1) && phrase.substance > 0)
        .any(|phrase| {
            phrase.terms.len() > 1 || phrase.in_titles.contains(&0) && phrase.in_titles.contains(&(index + 1))
        })
}

/// The reference list and the text of the paper, used to check whether a work is mentioned even if entries were parsed badly.
struct Mentioned {
    entries: Vec<ListEntry>,
    text: String,
}

/// An entry of the reference list.
struct ListEntry {
    /// Letters and digits only.
    joined: String,
    /// Its words.
    words: BTreeSet<String>,
    /// Years printed in it.
    years: Vec<u16>,
}

impl ListEntry {
    fn of(reference: &Reference) -> Self {
        let key = title_key(&reference.text);
        let words: BTreeSet<String> = key.split(' ').map(str::to_owned).collect();
        let printed = words.iter().filter_map(|word| {
            let digits = word.get(..4)?;
            (word.len() <= 5 && (digits.starts_with("19") || digits.starts_with("20"))).then(|| digits.parse().ok())?
        });
        Self {
            joined: key.replace(' ', ""),
            years: printed.chain(reference.year).collect(),
            words,
        }
    }
}

impl Mentioned {
    fn of(paper: &Paper) -> Self {
        Self {
            entries: paper.references.iter().map(ListEntry::of).collect(),
            text: title_key(&paper.document.text).replace(' ', ""),
        }
    }

    /// Whether an entry may name the work: by nearly all words of its title, or by its authors in an entry of about its year (for lists without titles
    /// and for changed titles). If it may be named, it is not reported as missing.
    fn may_have(&self, work: &Work) -> bool {
        self.entries.iter().any(|entry| entry.may_name(work))
    }

    /// Whether the work is named by its title or main title.
    fn has_title(&self, work: &Work) -> bool {
        let main = precedent_language::wording::split_title(&work.title).map_or("", |(head, _)| head);
        let main = if main.split_whitespace().count() >= MAIN_TITLE {
            main
        } else {
            ""
        };
        self.holds(&work.title) || self.holds(main)
    }

    fn holds(&self, title: &str) -> bool {
        const LONG_ENOUGH: usize = 12;
        let key = title_key(title).replace(' ', "");
        key.len() >= LONG_ENOUGH
            && (self.text.contains(&key) || self.entries.iter().any(|entry| entry.joined.contains(&key)))
    }
}

/// Minimum length in words of a main title that identifies a work without its subtitle.
const MAIN_TITLE: usize = 4;
/// Minimum share of a title's words, as a percentage, in an entry with another wording.
const SAME_TITLE: usize = 80;
/// Minimum number of title words for such a match.
const TITLE_WORDS: usize = 5;
/// Maximum number of years between versions of one work.
const VERSIONS: u16 = 2;

impl ListEntry {
    fn may_name(&self, work: &Work) -> bool {
        let key = title_key(&work.title);
        let title: BTreeSet<&str> = key.split(' ').filter(|word| word.len() > 3).collect();
        let named = title.iter().filter(|word| self.words.contains(**word)).count();
        let by_title = title.len() >= TITLE_WORDS && named * 100 >= title.len() * SAME_TITLE;
        by_title || self.is_of_authors(work)
    }

    fn is_of_authors(&self, work: &Work) -> bool {
        let families: Vec<String> = work
            .authors
            .iter()
            .map(|author| title_key(author.family_name()))
            .collect();
        let is_named = |family: &String| family.split(' ').all(|part| self.words.contains(part)) && family.len() > 1;
        let named = families.iter().filter(|family| is_named(family)).count();
        // `First et al.` names only the first author.
        let first = families.first().is_some_and(is_named);
        let abridged = self.words.contains("al") && first;
        let in_time = work
            .year()
            .is_some_and(|year| self.years.iter().any(|printed| printed.abs_diff(year) <= VERSIONS));
        let whole = named == families.len() && named > 0;
        in_time && (abridged || whole)
    }
}
