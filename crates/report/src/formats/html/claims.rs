use precedent_domain::{ContributionComparison, EvidencePair};

use super::glance::{GLANCE, TopWork};
use super::passage::{LONGEST, Passage, Side};
use crate::plain::one_line;
use crate::view::{Citation, Claim, Compared, source_line};
use crate::words;

/// Comparisons of one claim that stand open to view.
const OPEN: usize = 3;
/// Longest quote in a line, in words.
const LINE: usize = 28;

/// A claim as the page shows it.
pub(super) struct ClaimView {
    pub(super) number: u32,
    pub(super) name: String,
    pub(super) class: &'static str,
    pub(super) key: &'static str,
    pub(super) label: &'static str,
    pub(super) sentence: &'static str,
    pub(super) tally: String,
    pub(super) claim: Passage,
    pub(super) claim_short: Passage,
    /// Where the paper states it again.
    pub(super) again: Vec<Passage>,
    /// In the paper's own words, where it was cut from the paper.
    pub(super) described: Vec<Passage>,
    /// In other words.
    pub(super) description: String,
    /// What could change how it stands.
    pub(super) change: String,
    pub(super) top: Vec<TopWork>,
    /// What is to be said where fewer than three come near.
    pub(super) few_near: &'static str,
    /// Works that cannot count and that a reader should know of at once.
    pub(super) top_apart: Vec<TopWork>,
    /// What those works are.
    pub(super) apart_label: &'static str,
    pub(super) groups: Vec<Group>,
}

/// Comparisons that stand together.
pub(super) struct Group {
    /// Heading; empty for the first group.
    pub(super) title: String,
    /// Shown with their passages.
    pub(super) works: Vec<ComparedView>,
    /// Shown in a line each.
    pub(super) lines: Vec<LineView>,
    /// What the lines are, in words.
    pub(super) lines_title: String,
    /// Works that share words with the claim at most.
    pub(super) words_only: Vec<LineView>,
    /// What they are, in words.
    pub(super) words_only_title: String,
}

/// One comparison of which a line is enough.
pub(super) struct LineView {
    pub(super) anchor: String,
    pub(super) cite: Cite,
    pub(super) title: String,
    pub(super) key: &'static str,
    pub(super) label: &'static str,
    pub(super) facts: String,
    pub(super) theirs: Option<Passage>,
    /// Terms of the claim that the work has too.
    pub(super) shared: String,
}

/// One comparison.
pub(super) struct ComparedView {
    pub(super) anchor: String,
    pub(super) cite: Cite,
    pub(super) title: String,
    pub(super) key: &'static str,
    pub(super) label: &'static str,
    pub(super) facts: String,
    pub(super) note: String,
    pub(super) downgraded: String,
    pub(super) shared: String,
    pub(super) missing: String,
    pub(super) pairs: Vec<PairView>,
    /// The nearest pair with its sources in full, to be taken into a review.
    pub(super) review: Option<ReviewView>,
    pub(super) open: bool,
}

/// A pair of passages as a review would cite it.
pub(super) struct ReviewView {
    pub(super) ours: Passage,
    pub(super) theirs: Passage,
    /// Authors, title, date and identifier of the work.
    pub(super) source: String,
}

impl ReviewView {
    fn new(claim: &Claim<'_>, compared: &Compared<'_>, pair: &EvidencePair) -> Self {
        Self {
            ours: Passage::new(&claim.contribution.claim, LONGEST),
            theirs: Passage::new(&pair.candidate, LONGEST),
            source: compared.work.map_or_else(|| compared.citation.to_string(), source_line),
        }
    }
}

/// Two passages side by side.
pub(super) struct PairView {
    pub(super) rationale: String,
    pub(super) ours: Side,
    pub(super) theirs: Side,
}

/// A citation: `Alias[n]`, leading to the list of works where the work is in it.
#[derive(Clone)]
pub(super) struct Cite {
    pub(super) number: u32,
    pub(super) alias: String,
    pub(super) known: bool,
}

impl Cite {
    /// Of `citation`; `known` where the list of works has it.
    pub(super) fn new(citation: &Citation, known: bool) -> Self {
        Self {
            number: citation.number,
            alias: citation.alias.clone(),
            known,
        }
    }
}

impl ClaimView {
    /// `claim`, ready for the page.
    pub(super) fn new(claim: &Claim<'_>) -> Self {
        let one = claim.contribution;
        Self {
            number: one.number,
            name: one_line(&one.name).into_owned(),
            class: words::class(one.class),
            key: claim.standing.key(),
            label: claim.standing.label(),
            sentence: claim.standing.sentence(),
            tally: claim.tally(),
            claim: Passage::new(&one.claim, LONGEST),
            claim_short: Passage::new(&one.claim, GLANCE + 4),
            again: one
                .also_stated
                .iter()
                .map(|quote| Passage::new(quote, LONGEST))
                .collect(),
            described: described(claim),
            description: one_line(&one.description).into_owned(),
            change: claim.what_could_change(),
            top: claim.top().iter().map(|one| TopWork::new(claim, one)).collect(),
            few_near: claim.few_near(),
            apart_label: claim.apart_label,
            top_apart: claim
                .top_apart()
                .into_iter()
                .map(|one| TopWork::new(claim, one))
                .collect(),
            groups: groups(claim),
        }
    }
}

/// The description as passages of the paper, where that is what it is and it says more than the claim.
fn described(claim: &Claim<'_>) -> Vec<Passage> {
    let one = claim.contribution;
    one.description_quotes
        .iter()
        .filter(|quote| !one.claim.span().contains(quote.span()))
        .map(|quote| Passage::new(quote, LONGEST))
        .collect()
}

/// Earlier works, then those that cannot count.
fn groups(claim: &Claim<'_>) -> Vec<Group> {
    let apart = format!("{}: shown apart, because they cannot count", claim.apart_label);
    [
        (String::new(), claim.split(), "earlier "),
        (apart, claim.split_apart(), ""),
    ]
    .into_iter()
    .filter(|(_, split, _)| !split.is_empty())
    .map(|(title, split, kind)| Group {
        lines_title: lines_title(split.lines.len(), split.full.is_empty(), kind),
        works: split
            .full
            .iter()
            .enumerate()
            .map(|(at, one)| view(claim, one, at, title.is_empty()))
            .collect(),
        lines: split.lines.iter().map(|one| line_view(claim, one)).collect(),
        words_only_title: words_only_title(split.words_only.len(), kind),
        words_only: split.words_only.iter().map(|one| line_view(claim, one)).collect(),
        title,
    })
    .collect()
}

fn lines_title(count: usize, all: bool, kind: &str) -> String {
    let (more, near) = if all { ("", "") } else { ("more ", ", less near") };
    let works = words::count(count, &format!("{more}{kind}work"), &format!("{more}{kind}works"));
    format!("{works}{near}, with the nearest words of each")
}

fn words_only_title(count: usize, kind: &str) -> String {
    let works = words::count(count, &format!("{kind}work"), &format!("{kind}works"));
    format!("{works} near by words only, or not near")
}

/// The name of the place where a comparison stands on the page.
pub(super) fn anchor(one: &ContributionComparison) -> String {
    format!("claim-{}-work-{}", one.contribution, one.candidate)
}

fn line_view(claim: &Claim<'_>, compared: &Compared<'_>) -> LineView {
    let said = claim.contribution.claim.text();
    LineView {
        anchor: anchor(compared.comparison),
        cite: Cite::new(&compared.citation, compared.work.is_some()),
        title: compared.title(),
        key: words::status_key_of(compared.comparison),
        label: words::status_of(compared.comparison),
        facts: compared.facts(),
        theirs: compared
            .best()
            .map(|pair| Passage::nearest(&pair.candidate, LINE, said)),
        shared: compared.comparison.shared_terms.join(", "),
    }
}

/// `compared` at this place of its group. The claim's own paragraph is shown once, beside the first work.
fn view(claim: &Claim<'_>, compared: &Compared<'_>, at: usize, counts: bool) -> ComparedView {
    let (first, open) = (at == 0, counts && at < OPEN);
    let one = compared.comparison;
    ComparedView {
        anchor: anchor(one),
        cite: Cite::new(&compared.citation, compared.work.is_some()),
        title: compared.title(),
        key: words::status_key_of(one),
        label: words::status_of(one),
        facts: compared.facts(),
        note: one_line(&one.note).into_owned(),
        downgraded: one.downgraded.as_deref().map(one_line).unwrap_or_default().into_owned(),
        shared: one.shared_terms.join(", "),
        missing: one.missing_terms.join(", "),
        pairs: one
            .evidence
            .iter()
            .map(|pair| PairView::new(pair, first || !claim.is_said_by(&pair.target)))
            .collect(),
        review: compared.best().map(|pair| ReviewView::new(claim, compared, pair)),
        open: open && !one.evidence.is_empty(),
    }
}

impl PairView {
    /// `pair`, the paper's side in its paragraph only where `in_context`.
    fn new(pair: &EvidencePair, in_context: bool) -> Self {
        let context = pair.target_context.as_ref().filter(|_| in_context);
        Self {
            rationale: one_line(&pair.rationale).into_owned(),
            ours: Side::new(&pair.target, context, &pair.candidate),
            theirs: Side::new(&pair.candidate, pair.candidate_context.as_ref(), &pair.target),
        }
    }
}
