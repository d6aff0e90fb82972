//! What one check of a watch sees: each paper with the claims or parts of the idea that it is similar to.

use std::collections::{BTreeMap, BTreeSet};

use precedent_engine::compare::one_claim::{ClaimQuery, ClaimSearch};
use precedent_engine::domain::{Assessment, Facet, IdeaAssessment, PartialDate, Status, Work, title_key};
use precedent_engine::matcher::Level;
use precedent_report::{ClaimLevel, WatchChange, WatchMatch, WatchedPaper};

use crate::{AppError, ErrorKind};

/// A paper as one check sees it.
pub(crate) struct SeenPaper {
    pub(crate) paper: WatchedPaper,
    /// Its ids and its title.
    pub(crate) keys: BTreeSet<String>,
}

/// Papers of an assessment, with the claims that each is similar to.
pub(crate) fn of_assessment(report: &Assessment, date: PartialDate) -> Vec<SeenPaper> {
    let analysis = &report.contribution_analysis;
    let seen = |candidate: &precedent_engine::domain::Candidate| {
        let mut matches: Vec<WatchMatch> = analysis
            .comparisons
            .iter()
            .filter(|one| one.candidate == candidate.number)
            .filter(|one| one.status == Status::CanRefute || one.needs_reading())
            .filter_map(|one| {
                let claim = analysis
                    .contributions
                    .iter()
                    .find(|claim| claim.number == one.contribution)?;
                Some(WatchMatch {
                    of: format!("claim {}", one.contribution),
                    text: claim.claim.text().to_owned(),
                    level: if one.status == Status::CanRefute {
                        ClaimLevel::Anticipated
                    } else {
                        ClaimLevel::Similar
                    },
                    probability: one.probability,
                    passage: one.evidence.first().map(|pair| pair.candidate.clone()),
                })
            })
            .collect();
        closest_first(&mut matches);
        self::seen(&candidate.work, &candidate.alias, &candidate.found_by, matches, date)
    };
    report.references.candidates.iter().map(seen).collect()
}

/// Papers of a report on an idea, with the level of each part of the idea that says what it is for and how it works.
pub(crate) fn of_idea(report: &IdeaAssessment, date: PartialDate) -> Result<Vec<SeenPaper>, AppError> {
    let facets = report.idea.facets.iter();
    let mut parts: Vec<(Option<Facet>, &str)> = facets
        .filter(|one| matches!(one.facet, Facet::Purpose | Facet::Mechanism))
        .map(|one| (Some(one.facet), one.quote.text()))
        .collect();
    if parts.is_empty() {
        parts.push((None, &report.idea.document.text));
    }
    let works: Vec<Work> = report.works.iter().map(|one| one.work.clone()).collect();
    let search = ClaimSearch::new(Vec::new());
    let mut matches: BTreeMap<usize, Vec<WatchMatch>> = BTreeMap::new();
    for (facet, text) in parts {
        let query = ClaimQuery {
            text: text.to_owned(),
            exclude: Vec::new(),
            as_of: None,
            limit: works.len(),
        };
        let ranked = search.matches_among(&query, &works);
        for one in ranked.map_err(|error| AppError::new(ErrorKind::Bug, error))? {
            let level = match one.level {
                Level::Anticipated => ClaimLevel::Anticipated,
                Level::Similar => ClaimLevel::Similar,
                _ => continue,
            };
            let Some(index) = works.iter().position(|work| work.id == one.id) else {
                continue;
            };
            let shown = report.works.get(index).and_then(|work| {
                let of_facet = |one: &&precedent_engine::domain::FacetComparison| Some(one.facet) == facet;
                work.facets.iter().find(of_facet)?.passage.clone()
            });
            matches.entry(index).or_default().push(WatchMatch {
                of: facet.map_or("the idea", Facet::name).to_owned(),
                text: text.to_owned(),
                level,
                probability: Some(one.probability),
                passage: shown,
            });
        }
    }
    let seen = report.works.iter().enumerate().map(|(index, one)| {
        let mut matches = matches.remove(&index).unwrap_or_default();
        closest_first(&mut matches);
        seen(&one.work, &one.alias, &one.found_by, matches, date)
    });
    Ok(seen.collect())
}

fn closest_first(matches: &mut [WatchMatch]) {
    let chance = |one: &WatchMatch| one.probability.unwrap_or_default();
    matches.sort_by(|a, b| a.level.cmp(&b.level).then(chance(b).total_cmp(&chance(a))));
}

fn seen(work: &Work, alias: &str, found_by: &[String], matches: Vec<WatchMatch>, date: PartialDate) -> SeenPaper {
    let ids = std::iter::once(&work.id).chain(&work.also);
    let mut keys: BTreeSet<String> = ids.map(|id| format!("id {id}")).collect();
    let title = title_key(&work.title);
    if !title.is_empty() {
        keys.insert(format!("title {title}"));
    }
    SeenPaper {
        keys,
        paper: WatchedPaper {
            id: work.id.clone(),
            title: work.title.clone(),
            alias: alias.to_owned(),
            date: work.dates.iter().map(|one| one.date).min_by(|a, b| a.sort_order(*b)),
            url: work.url.clone(),
            found_by: found_by.to_vec(),
            noticed: date,
            change: WatchChange::New,
            level: matches.first().map_or(ClaimLevel::None, |one| one.level),
            matches,
        },
    }
}
