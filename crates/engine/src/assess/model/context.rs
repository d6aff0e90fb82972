use std::collections::BTreeMap;

use precedent_domain::{Contribution, Document, QuotableDocument, Span};
use precedent_llm::Fence;
use precedent_matcher::{Claim, PreparedText, Ranked, Shown, rank};
use precedent_text::one_line;

use crate::assess::Material;
use crate::compare::{ComparisonSet, PriorReading};
use crate::model::texts::{SUMMARY, cut, running_text};

/// Context shared by all requests about one paper.
pub(crate) struct CompareContext<'a> {
    pub(crate) material: Material<'a>,
    pub(crate) target: &'a QuotableDocument,
    pub(crate) set: &'a ComparisonSet<'a>,
    /// One fence for all requests, so that they begin with the same text.
    pub(crate) fence: Fence,
    /// What the matcher says on each claim and candidate.
    pub(crate) matches: Matches,
}

/// The claims as the matcher ranks the candidates for them, by claim and by candidate.
pub(crate) struct Matches(BTreeMap<u32, (Claim, BTreeMap<u32, Ranked>)>);

impl Matches {
    pub(crate) fn of(set: &ComparisonSet<'_>, claims: &[Contribution]) -> Self {
        let texts: Vec<&PreparedText> = set.priors().iter().map(|prior| &prior.prepared).collect();
        let of_claim = |contribution: &Contribution| {
            let claim = Claim::new(contribution.claim.text());
            let ranked = rank(&claim, &texts).into_iter().filter_map(|ranked| {
                let prior = set.priors().get(ranked.index)?;
                Some((prior.candidate.number, ranked))
            });
            let ranked = ranked.collect();
            (contribution.number, (claim, ranked))
        };
        Self(claims.iter().map(of_claim).collect())
    }

    /// How far a quote, and how far the candidate's best passage, shows that it states a claim. `None` for a claim or a candidate that is unknown.
    pub(crate) fn shown(&self, claim: u32, prior: &PriorReading<'_>, quote: Span) -> Option<(Shown, Shown)> {
        let (claim, ranked) = self.0.get(&claim)?;
        let ranked = ranked.get(&prior.candidate.number)?;
        Some((ranked.shown_by(claim, &prior.prepared, quote), ranked.shown_by_best()))
    }
}

impl<'a> CompareContext<'a> {
    /// The reading of candidate `number`.
    pub(crate) fn prior(&self, number: u32) -> Option<&PriorReading<'a>> {
        self.set.priors().iter().find(|prior| prior.candidate.number == number)
    }

    pub(crate) fn mark(&self) -> String {
        self.fence.mark().to_owned()
    }

    /// Title and abstract of the paper, if known.
    pub(crate) fn paper_in_short(&self) -> String {
        let paper = self.material.paper;
        let title = paper.title.as_deref().unwrap_or_default();
        let summary = paper.abstract_text().unwrap_or_default();
        format!("{}\n{}", one_line(title), cut(&one_line(summary), SUMMARY))
    }
}

/// Title and abstract of a work.
pub(crate) fn in_short(prior: &PriorReading<'_>) -> String {
    let work = &prior.candidate.work;
    let summary = work.summary.as_deref().unwrap_or_default();
    let short = match summary.trim().is_empty() {
        false => cut(&one_line(summary), SUMMARY),
        true => opening(prior.reading.document()),
    };
    format!("{}\n{short}", one_line(&work.title))
}

/// The beginning of the running text of a work without an abstract.
fn opening(document: &Document) -> String {
    cut(&one_line(&running_text(document)), SUMMARY / 2)
}
