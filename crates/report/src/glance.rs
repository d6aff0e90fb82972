use precedent_domain::Assessment;

use crate::plain::one_line;
use crate::view::{Compared, Digest};
use crate::words;

/// A claim in a few lines for a terminal, with the same wording and order as every other format.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClaimAtAGlance {
    /// The claim number.
    pub number: u32,
    /// The authors' words on one line.
    pub text: String,
    /// The label of its status after all comparisons.
    pub status: &'static str,
    /// `found` if it is anticipated, `reading` if similar work needs review, else another word.
    pub key: &'static str,
    /// Earlier papers, most relevant first.
    pub earlier: Vec<WorkAtAGlance>,
    /// Heading of `apart`.
    pub apart_label: &'static str,
    /// Similar papers that do not count against the claim, because they are concurrent or undated.
    pub apart: Vec<WorkAtAGlance>,
}

/// A paper compared with a claim, on one line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WorkAtAGlance {
    /// The label of the status.
    pub status: &'static str,
    /// Estimated probability that its text states the claim, as `14 %`. `None` in older reports.
    pub percent: Option<String>,
    /// `Knuth 1989[3]`.
    pub citation: String,
    /// The title on one line.
    pub title: String,
    /// Notes on its date and authors.
    pub notes: Vec<&'static str>,
    /// Its closest passage on one line, if it needs review.
    pub quote: Option<String>,
}

/// What was compared, in one sentence.
#[must_use]
pub fn lead(assessment: &Assessment) -> String {
    Digest::new(assessment).lead()
}

/// The claims of an assessment, each as a short overview.
#[must_use]
pub fn at_a_glance(assessment: &Assessment) -> Vec<ClaimAtAGlance> {
    let digest = Digest::new(assessment);
    let glance = |claim: crate::view::Claim<'_>| ClaimAtAGlance {
        number: claim.contribution.number,
        text: one_line(claim.contribution.claim.text()).into_owned(),
        status: claim.status.label(),
        key: claim.status.key(),
        earlier: claim.top().iter().map(work).collect(),
        apart_label: claim.apart_label,
        apart: claim.top_apart().into_iter().map(work).collect(),
    };
    digest.claims().into_iter().map(glance).collect()
}

fn work(one: &Compared<'_>) -> WorkAtAGlance {
    let by_same = one.work.is_some_and(|work| !work.shared_authors.is_empty());
    let title = one.work.map(|work| one_line(&work.work.title).into_owned());
    let quote = one.best().filter(|_| one.must_be_read());
    WorkAtAGlance {
        status: words::status_of(one.comparison),
        percent: one.comparison.probability.map(words::probability),
        citation: one.citation.to_string(),
        title: title.unwrap_or_default(),
        notes: one
            .timing_note()
            .into_iter()
            .chain(by_same.then_some("shares authors with the paper"))
            .collect(),
        quote: quote.map(|pair| one_line(pair.candidate.text()).into_owned()),
    }
}
