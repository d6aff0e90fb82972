//! Phase III as one step: every comparison of the paper with its candidates (OpenNovelty, 2.3, C).

use std::collections::BTreeMap;

use futures_util::future::BoxFuture;
use precedent_domain::{
    Candidate, Contribution, ContributionComparison, CoverageLevel, FieldCoverage, Gap, MissingCitation, NotSearched,
    OneLiner, Paper, Position, QuotableDocument, Scope, SimilarWork, Status, Taxonomy, TaxonomyNode, TextualSimilarity,
};
use precedent_language::wording::{Word, words};
use precedent_ledger::InputHash;
use precedent_text::OverlapOptions;
use serde::{Deserialize, Serialize};

use crate::assess::options::AssessOptions;
use crate::compare::{
    ComparisonSet, Prior, compare, coverage, missing_citations, missing_citations_not_searched, one_liners, position,
    similar_works, taxonomy_over, textual_overlap,
};
use crate::retrieve::search::{SearchOutcome, looks_up_references};
use crate::world::Stage;
use crate::{EngineError, Result, World};

/// Results of the comparison stages.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Analysis {
    /// Whether the searched sources cover the paper's field.
    #[serde(default)]
    pub coverage: Option<FieldCoverage>,
    /// Papers similar to the paper as a whole.
    #[serde(default)]
    pub near: Vec<SimilarWork>,
    /// The field as a tree; `None` when the papers found are not from the paper's field.
    pub taxonomy: Option<Taxonomy>,
    /// The paper's position in the tree.
    pub position: Option<Position>,
    /// One summary line per candidate.
    pub one_liners: Vec<OneLiner>,
    /// Every claim compared with every candidate.
    pub comparisons: Vec<ContributionComparison>,
    /// Similar papers missing from the reference list.
    pub missing_citations: Vec<MissingCitation>,
    /// Text passages shared with candidates.
    pub overlap: TextualSimilarity,
    /// What these stages could not search for.
    pub not_searched: Vec<NotSearched>,
}

const STAGE: Stage = Stage {
    name: "analysis",
    version: 13,
};

/// Compares the paper and its claims with every candidate.
///
/// # Errors
/// If the ledger fails.
pub fn analyse<'a>(
    paper: &'a Paper,
    topic: Option<&'a str>,
    claims: &'a [Contribution],
    found: &'a SearchOutcome,
    options: &'a AssessOptions,
    world: &'a World,
) -> BoxFuture<'a, Result<Analysis>> {
    Box::pin(async move {
        let shares = word_shares(claims, world);
        let bytes =
            serde_json::to_vec(&(paper, topic, claims, found, &shares)).map_err(|source| EngineError::Encode {
                stage: STAGE.name,
                source,
            })?;
        let key = InputHash::of([bytes.as_slice()]);
        let held = looks_up_references(&world.sources).then(|| references_held(&found.not_searched, paper));
        let work = async { Ok(compute(paper, topic, claims, found, &shares, held, options)) };
        world
            .stage(STAGE, &(key.as_str(), held, options.min_overlap_words), work)
            .await
    })
}

fn compute(
    paper: &Paper,
    topic: Option<&str>,
    claims: &[Contribution],
    found: &SearchOutcome,
    shares: &BTreeMap<String, f64>,
    held: Option<usize>,
    options: &AssessOptions,
) -> Analysis {
    let target = QuotableDocument::new(paper.document.clone());
    let texts: Vec<QuotableDocument> = found
        .texts
        .iter()
        .map(|text| QuotableDocument::new(text.document.clone()))
        .collect();
    let priors = Prior::all(&found.candidates, &texts);
    let shares = shares.iter().map(|(word, share)| (word.as_str(), *share));
    let set = ComparisonSet::new(paper, &target, &priors)
        .with_background(shares)
        .with_references_held(held);
    let coverage = coverage(&set);
    let tree =
        Some(taxonomy_over(&set, topic, coverage.map(|one| one.level))).filter(|tree| is_worth_showing(tree, coverage));
    let min_words = options.min_overlap_words;
    let comparisons: Vec<ContributionComparison> = claims
        .iter()
        .flat_map(|claim| in_reading_order(compare(&set, claim), claim.number, &found.candidates))
        .collect();
    Analysis {
        coverage,
        near: similar_works(&set),
        // Every paper ends in some leaf. Where the field is hardly covered, that leaf is not a meaningful position.
        position: tree
            .as_ref()
            .filter(|_| is_covered(coverage))
            .and_then(|tree| position(&set, tree)),
        taxonomy: tree,
        one_liners: one_liners(&set),
        missing_citations: missing_citations(&set, &comparisons),
        comparisons,
        overlap: textual_overlap(&set, &OverlapOptions { min_words }),
        not_searched: missing_citations_not_searched(paper).into_iter().collect(),
    }
}

/// How many of the paper's references were found: all, unless the search says otherwise.
fn references_held(not_searched: &[NotSearched], paper: &Paper) -> usize {
    let all = paper.references.len();
    let gaps = not_searched.iter().filter_map(|one| one.gap.as_ref());
    let missing = gaps.filter_map(|gap| match gap {
        Gap::ReferencesNotInSources { missing, .. } => Some(*missing),
        _ => None,
    });
    missing.fold(all, usize::saturating_sub)
}

/// A tree for a field that is not covered must hold more papers than this.
const FEWEST_IN_TREE: usize = 4;

/// Papers found by chance do not form a map of the field.
fn is_worth_showing(tree: &Taxonomy, coverage: Option<FieldCoverage>) -> bool {
    is_covered(coverage) || papers_under(&tree.root) > FEWEST_IN_TREE
}

/// Whether the searched sources cover the paper's field; true when coverage was not assessed.
fn is_covered(coverage: Option<FieldCoverage>) -> bool {
    coverage.is_none_or(|one| one.level == CoverageLevel::Covered)
}

/// Number of papers under a node, the paper itself included.
fn papers_under(node: &TaxonomyNode) -> usize {
    node.papers.len() + node.subtopics.iter().map(papers_under).sum::<usize>()
}

/// Minimum source size for document frequencies to be meaningful.
const LARGE: u64 = 10_000;

/// Share of all searched papers that contain each word of the claims, where a large source reports it.
fn word_shares(claims: &[Contribution], world: &World) -> BTreeMap<String, f64> {
    let texts = claims
        .iter()
        .flat_map(|claim| std::iter::once(&claim.claim).chain(&claim.also_stated));
    let mut shares = BTreeMap::new();
    for word in texts.flat_map(|quote| words(quote.text(), 0)).filter(Word::is_content) {
        for part in word.lower.split('-').filter(|part| !part.is_empty()) {
            if shares.contains_key(part) {
                continue;
            }
            let frequencies = world.sources.iter().filter_map(|source| {
                let works = source.holdings().works.filter(|works| *works >= LARGE)?;
                source
                    .document_frequency(part)
                    .map(|having| having as f64 / works as f64)
            });
            if let Some(share) = frequencies.max_by(f64::total_cmp) {
                shares.insert(part.to_owned(), share.min(1.0));
            }
        }
    }
    shares
}

/// Bonus in the ordering for a candidate found by the claim's own query, and again for one found by the core task's.
const FOUND_FOR_IT: f64 = 0.01;

/// Orders comparisons: anticipating papers first, then similar ones that need review, then other similar ones, then the rest.
/// Within a group, closeness and the query that found the paper decide: closeness counts shared words, and fields share words.
pub(crate) fn in_reading_order(
    mut comparisons: Vec<ContributionComparison>,
    claim: u32,
    candidates: &[Candidate],
) -> Vec<ContributionComparison> {
    let group = |one: &ContributionComparison| match one.status {
        Status::CanRefute => 0,
        Status::Unclear if one.near && one.needs_reading() => 1,
        _ if one.near => 2,
        _ => 3,
    };
    let similarity = |one: &ContributionComparison| {
        let candidate = candidates.iter().find(|known| known.number == one.candidate);
        let scopes = candidate.map(|known| known.scopes.as_slice()).unwrap_or_default();
        let found_for = |scope: Scope| f64::from(u8::from(scopes.iter().any(|rank| rank.scope == scope)));
        one.closeness + FOUND_FOR_IT * (found_for(Scope::Contribution(claim)) + found_for(Scope::CoreTask))
    };
    comparisons.sort_by(|a, b| {
        group(a)
            .cmp(&group(b))
            .then_with(|| similarity(b).total_cmp(&similarity(a)))
    });
    comparisons
}
