use precedent_domain::Assessment;

use crate::plain::one_line;
use crate::view::{Compared, Digest};
use crate::words;

/// A claim in a few lines, in the words, the order and the separation of every other format: for a terminal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClaimAtAGlance {
    /// Its number.
    pub number: u32,
    /// The authors' words, on one line.
    pub text: String,
    /// How it stands after all comparisons, in words.
    pub standing: &'static str,
    /// Earlier works, those that matter most first.
    pub earlier: Vec<WorkAtAGlance>,
    /// What the works apart are.
    pub apart_label: &'static str,
    /// Works that cannot count against the claim and that a reader should know of: concurrent, or without a date.
    pub apart: Vec<WorkAtAGlance>,
}

/// A work beside a claim, on one line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WorkAtAGlance {
    /// The status in words.
    pub status: &'static str,
    /// `Knuth 1989[3]`.
    pub citation: String,
    /// Its title, on one line.
    pub title: String,
    /// What to know of its date and its authors.
    pub notes: Vec<&'static str>,
    /// Its nearest passage, on one line, where it is near.
    pub quote: Option<String>,
}

/// The claims of an assessment, each in a few lines.
#[must_use]
pub fn at_a_glance(assessment: &Assessment) -> Vec<ClaimAtAGlance> {
    let digest = Digest::new(assessment);
    let glance = |claim: crate::view::Claim<'_>| ClaimAtAGlance {
        number: claim.contribution.number,
        text: one_line(claim.contribution.claim.text()).into_owned(),
        standing: claim.standing.label(),
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
        citation: one.citation.to_string(),
        title: title.unwrap_or_default(),
        notes: one
            .timing_note()
            .into_iter()
            .chain(by_same.then_some("by authors of the paper"))
            .collect(),
        quote: quote.map(|pair| one_line(pair.candidate.text()).into_owned()),
    }
}
