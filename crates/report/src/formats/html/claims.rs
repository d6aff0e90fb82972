use precedent_domain::{ContributionComparison, EvidencePair};

use super::glance::TopWork;
use super::passage::{LONGEST, Passage, Side};
use crate::plain::one_line;
use crate::view::{Citation, Claim, Compared, source_line};
use crate::words;

/// Number of comparisons of one claim that are expanded at first.
const OPEN: usize = 3;
/// Maximum length of a quote in a table row, in words.
const LINE: usize = 28;

/// A claim as shown on the page.
pub(super) struct ClaimView {
    pub(super) number: u32,
    pub(super) name: String,
    pub(super) class: &'static str,
    pub(super) key: &'static str,
    pub(super) label: &'static str,
    pub(super) sentence: &'static str,
    pub(super) tally: String,
    pub(super) claim: Passage,
    /// Other places where the paper states it.
    pub(super) again: Vec<Passage>,
    /// The description as quotes from the paper, if it consists of quotes.
    pub(super) described: Vec<Passage>,
    /// The description as plain text.
    pub(super) description: String,
    /// What could change its status.
    pub(super) change: String,
    pub(super) top: Vec<TopWork>,
    /// A note if fewer than three earlier papers are similar.
    pub(super) few_near: &'static str,
    /// Similar papers that do not count, for the first screen.
    pub(super) top_apart: Vec<TopWork>,
    /// Heading of `top_apart`.
    pub(super) apart_label: &'static str,
    pub(super) groups: Vec<Group>,
}

/// A group of comparisons.
pub(super) struct Group {
    /// The heading; empty for the first group.
    pub(super) title: String,
    /// Shown with passages.
    pub(super) works: Vec<ComparedView>,
    /// Shown in one line each.
    pub(super) lines: Vec<LineView>,
    /// The summary line of `lines`.
    pub(super) lines_title: String,
    /// Papers that at most share words with the claim.
    pub(super) words_only: Vec<LineView>,
    /// The summary line of `words_only`.
    pub(super) words_only_title: String,
}

/// One comparison shown in one line.
pub(super) struct LineView {
    pub(super) anchor: String,
    pub(super) cite: Cite,
    pub(super) title: String,
    pub(super) key: &'static str,
    pub(super) label: &'static str,
    pub(super) facts: String,
    /// The year of its earliest date.
    pub(super) year: Option<u16>,
    /// To sort by; -1 if it was not estimated.
    pub(super) probability: f64,
    pub(super) percent: String,
    pub(super) theirs: Option<Passage>,
    /// Terms of the claim that the paper also has.
    pub(super) shared: String,
}

/// One comparison shown in detail.
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
    /// The closest pair with full sources, to copy into a review.
    pub(super) review: Option<ReviewView>,
    pub(super) open: bool,
}

/// A pair of passages to cite in a review.
pub(super) struct ReviewView {
    pub(super) ours: Passage,
    pub(super) theirs: Passage,
    /// Authors, title, date and identifier of the paper.
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

/// A citation: `Alias[n]`, linked to the list of papers if the paper is in it.
#[derive(Clone)]
pub(super) struct Cite {
    pub(super) number: u32,
    pub(super) alias: String,
    pub(super) known: bool,
}

impl Cite {
    /// Creates the citation; `known` if the list of papers has it.
    pub(super) fn new(citation: &Citation, known: bool) -> Self {
        Self {
            number: citation.number,
            alias: citation.alias.clone(),
            known,
        }
    }
}

impl ClaimView {
    /// Converts `claim` for the page.
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

/// The passages of the description that are not part of the claim itself.
fn described(claim: &Claim<'_>) -> Vec<Passage> {
    let one = claim.contribution;
    one.description_quotes
        .iter()
        .filter(|quote| !one.claim.span().contains(quote.span()))
        .map(|quote| Passage::new(quote, LONGEST))
        .collect()
}

/// Earlier papers first, then those that do not count.
fn groups(claim: &Claim<'_>) -> Vec<Group> {
    let apart = format!(
        "{}: listed separately because they do not count as prior art",
        claim.apart_label
    );
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
    let (more, near) = if all { ("", "") } else { ("more ", ", less similar") };
    let works = words::count(count, &format!("{more}{kind}paper"), &format!("{more}{kind}papers"));
    format!("{works}{near}, each with its closest passage")
}

fn words_only_title(count: usize, kind: &str) -> String {
    let works = words::count(count, &format!("{kind}paper"), &format!("{kind}papers"));
    format!("{works} similar in words only, or not similar")
}

/// The HTML id of a comparison.
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
        year: compared.work.and_then(|one| one.work.year()),
        probability: compared.comparison.probability.unwrap_or(-1.0),
        percent: compared.comparison.probability.map(words::percent).unwrap_or_default(),
        theirs: compared
            .best()
            .map(|pair| Passage::nearest(&pair.candidate, LINE, said)),
        shared: compared.comparison.shared_terms.join(", "),
    }
}

/// `compared` at this index of its group. The claim's own paragraph is shown once, next to the first paper.
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
    /// Converts `pair`. The paper's passage is shown in its paragraph only if `in_context`.
    fn new(pair: &EvidencePair, in_context: bool) -> Self {
        let context = pair.target_context.as_ref().filter(|_| in_context);
        Self {
            rationale: one_line(&pair.rationale).into_owned(),
            ours: Side::new(&pair.target, context, &pair.candidate),
            theirs: Side::new(&pair.candidate, pair.candidate_context.as_ref(), &pair.target),
        }
    }
}
