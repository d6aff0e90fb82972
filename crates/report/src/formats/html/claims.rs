use precedent_domain::{ContributionComparison, EvidencePair};

use super::passage::{LONGEST, Passage, Side};
use crate::plain::{cut_words, one_line};
use crate::view::{Citation, Claim, Compared};
use crate::words;

/// Longest sentence on the first screen, in words.
const GLANCE: usize = 38;
/// Longest note on the first screen, in words.
const NOTE: usize = 22;
/// Comparisons of one claim that stand open to view; the rest is folded away together.
const VIEWED: usize = 8;

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
    /// In the paper's own words, where it was cut from the paper.
    pub(super) described: Vec<Passage>,
    /// In other words.
    pub(super) description: String,
    pub(super) top: Vec<TopWork>,
    pub(super) groups: Vec<Group>,
}

/// One of the three works that matter most, for the first screen.
pub(super) struct TopWork {
    pub(super) cite: Cite,
    pub(super) anchor: String,
    pub(super) title: String,
    pub(super) key: &'static str,
    pub(super) label: &'static str,
    pub(super) facts: String,
    /// The paper's sentence, where it is not the claim itself.
    pub(super) ours: Option<Passage>,
    /// The work's sentence.
    pub(super) theirs: Option<Passage>,
    /// In place of a sentence, where there is none.
    pub(super) note: String,
}

/// Comparisons that stand together.
pub(super) struct Group {
    /// Heading; empty for the first group.
    pub(super) title: String,
    /// Whether it is folded.
    pub(super) folded: bool,
    pub(super) works: Vec<ComparedView>,
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
    pub(super) open: bool,
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
            described: described(claim),
            description: one_line(&one.description).into_owned(),
            top: claim
                .top()
                .iter()
                .map(|compared| TopWork::new(claim, compared))
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

fn groups(claim: &Claim<'_>) -> Vec<Group> {
    let near: Vec<ComparedView> = claim
        .earlier
        .iter()
        .take(VIEWED)
        .enumerate()
        .map(|(at, one)| view(one, at < 3))
        .collect();
    let far: Vec<ComparedView> = claim.earlier.iter().skip(VIEWED).map(|one| view(one, false)).collect();
    let apart: Vec<ComparedView> = claim.apart.iter().map(|one| view(one, false)).collect();
    let more = words::count(far.len(), "more work, less near", "more works, less near");
    let cannot_count = format!(
        "Concurrent or undated: {} that cannot count against the claim",
        words::count(apart.len(), "work", "works")
    );
    [
        (String::new(), false, near),
        (more, true, far),
        (cannot_count, true, apart),
    ]
    .into_iter()
    .filter(|(_, _, works)| !works.is_empty())
    .map(|(title, folded, works)| Group { title, folded, works })
    .collect()
}

/// A note for the first screen.
fn short(note: &str) -> String {
    let shown = cut_words(note, NOTE);
    let line = one_line(shown.text);
    if shown.cut {
        format!("{line} …")
    } else {
        line.into_owned()
    }
}

fn anchor(one: &ContributionComparison) -> String {
    format!("claim-{}-work-{}", one.contribution, one.candidate)
}

fn title(compared: &Compared<'_>) -> String {
    compared
        .work
        .map(|work| one_line(&work.work.title).into_owned())
        .unwrap_or_default()
}

/// How much was compared, and what to know of the date.
fn facts(compared: &Compared<'_>) -> String {
    let extent = words::extent(compared.comparison.compared);
    match compared.timing_note() {
        Some(timing) => format!("{extent}, {timing}"),
        None => extent.to_owned(),
    }
}

impl TopWork {
    fn new(claim: &Claim<'_>, compared: &Compared<'_>) -> Self {
        let best = compared.best();
        let said = claim.contribution.claim.span();
        Self {
            cite: Cite::new(&compared.citation, compared.work.is_some()),
            anchor: anchor(compared.comparison),
            title: title(compared),
            key: words::status_short(compared.comparison.status),
            label: words::status(compared.comparison.status),
            facts: facts(compared),
            ours: best
                .filter(|pair| !said.contains(pair.target.span()) && !pair.target.span().contains(said))
                .map(|pair| Passage::nearest(&pair.target, GLANCE, pair.candidate.text())),
            theirs: best.map(|pair| Passage::nearest(&pair.candidate, GLANCE, pair.target.text())),
            note: short(&compared.comparison.note),
        }
    }
}

fn view(compared: &Compared<'_>, open: bool) -> ComparedView {
    let one = compared.comparison;
    ComparedView {
        anchor: anchor(one),
        cite: Cite::new(&compared.citation, compared.work.is_some()),
        title: title(compared),
        key: words::status_short(one.status),
        label: words::status(one.status),
        facts: facts(compared),
        note: one_line(&one.note).into_owned(),
        downgraded: one.downgraded.as_deref().map(one_line).unwrap_or_default().into_owned(),
        shared: one.shared_terms.join(", "),
        missing: one.missing_terms.join(", "),
        pairs: one.evidence.iter().map(PairView::new).collect(),
        open: open && !one.evidence.is_empty(),
    }
}

impl PairView {
    fn new(pair: &EvidencePair) -> Self {
        Self {
            rationale: one_line(&pair.rationale).into_owned(),
            ours: Side::new(&pair.target, pair.target_context.as_ref(), &pair.candidate),
            theirs: Side::new(&pair.candidate, pair.candidate_context.as_ref(), &pair.target),
        }
    }
}
