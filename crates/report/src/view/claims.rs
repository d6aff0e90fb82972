use precedent_domain::{
    Candidate, Contribution, ContributionComparison, EvidencePair, Extent, Quote, Scope, Status, Timing,
};

use super::{Citation, Digest};
use crate::plain::one_line;
use crate::words::{self, ClaimStatus};

/// Number of most relevant papers shown first.
const MOST: usize = 3;
/// Maximum number of papers shown with passages for one claim.
const LONGEST: usize = 6;

/// A claim with all its comparisons.
pub(crate) struct Claim<'a> {
    /// The claim.
    pub(crate) contribution: &'a Contribution,
    /// The status. A concurrent or undated paper never makes it [`ClaimStatus::Found`].
    pub(crate) status: ClaimStatus,
    /// Whether the paper is dated.
    pub(crate) paper_dated: bool,
    /// Heading for the papers that do not count against the claim.
    pub(crate) apart_label: &'static str,
    /// Number of relevant papers not compared because of the limit.
    pub(crate) cut: usize,
    /// Comparisons with earlier papers, most relevant first.
    pub(crate) earlier: Vec<Compared<'a>>,
    /// Comparisons with papers that do not count against the claim: concurrent or undated.
    pub(crate) apart: Vec<Compared<'a>>,
    /// Whether papers that share only words are omitted, because no paper found is in the paper's field.
    unlisted: bool,
}

/// One comparison and the paper it is about.
#[derive(Clone)]
pub(crate) struct Compared<'a> {
    /// The comparison.
    pub(crate) comparison: &'a ContributionComparison,
    /// How the paper is cited.
    pub(crate) citation: Citation,
    /// Whether the assessed paper is dated.
    paper_dated: bool,
    /// The paper; `None` if the index lacks it.
    pub(crate) work: Option<&'a Candidate>,
}

impl<'a> Claim<'a> {
    /// Collects the comparisons of `contribution`.
    pub(crate) fn new(digest: &Digest<'a>, contribution: &'a Contribution) -> Self {
        let mut all: Vec<Compared<'a>> = digest
            .report
            .contribution_analysis
            .comparisons
            .iter()
            .filter(|one| one.contribution == contribution.number)
            .map(|comparison| Compared {
                comparison,
                citation: digest.cite(comparison.candidate),
                paper_dated: digest.paper_dated(),
                work: digest.work(comparison.candidate),
            })
            .collect();
        // The engine returns them in reading order. Papers without evidence go last in their group.
        all.sort_by_key(|one| (weight(one.comparison), one.comparison.evidence.is_empty()));
        let (earlier, apart): (Vec<_>, Vec<_>) = all.into_iter().partition(Compared::counts);
        Self {
            contribution,
            status: status(&earlier, &apart),
            apart_label: words::apart(digest.paper_dated()),
            paper_dated: digest.paper_dated(),
            cut: cut(digest, contribution.number),
            earlier,
            apart,
            unlisted: digest.is_outside(),
        }
    }

    /// The three most relevant papers. Only similar earlier papers qualify, so there may be fewer.
    pub(crate) fn top(&self) -> &[Compared<'a>] {
        let near = self
            .earlier
            .iter()
            .take(MOST)
            .take_while(|one| one.comparison.near)
            .count();
        self.earlier.get(..near).unwrap_or_default()
    }

    /// Papers that do not count but belong on the first screen: those that need review, and other similar ones if fewer than three earlier papers
    /// are similar.
    pub(crate) fn top_apart(&self) -> Vec<&Compared<'a>> {
        let near = self.apart.iter().filter(|one| one.comparison.near).take(MOST);
        let room = self.room();
        near.enumerate()
            .take_while(|(at, one)| one.must_be_read() || *at < room)
            .map(|(_, one)| one)
            .collect()
    }

    /// The papers shown first, each with whether it is earlier: those that need review, because they decide the level, then the others in the
    /// order of the report.
    pub(crate) fn closest(&self) -> Vec<(&Compared<'a>, bool)> {
        let mut all: Vec<(&Compared<'a>, bool)> = self.top().iter().map(|one| (one, true)).collect();
        all.extend(self.top_apart().into_iter().map(|one| (one, false)));
        // Stable, so the others keep their order.
        all.sort_by_key(|(one, _)| !one.must_be_read());
        all
    }

    /// How many of the first three places are left by earlier papers.
    fn room(&self) -> usize {
        MOST.saturating_sub(self.top().len())
    }

    /// A note if fewer than three earlier papers are similar; otherwise empty.
    pub(crate) fn few_near(&self) -> &'static str {
        match (self.top().len(), self.earlier.len()) {
            (MOST.., _) => "",
            (0, 0) => words::NO_EARLIER,
            (0, _) if !self.top_apart().is_empty() => words::NONE_NEAR_IS_EARLIER,
            (0, _) => words::NONE_NEAR,
            _ => words::NO_OTHER_NEAR,
        }
    }

    /// Comparisons with earlier papers, split for display.
    pub(crate) fn split(&self) -> Split<'_, 'a> {
        Split::new(&self.earlier, MOST, self.unlisted)
    }

    /// The same for papers that do not count.
    pub(crate) fn split_apart(&self) -> Split<'_, 'a> {
        Split::new(&self.apart, self.room(), self.unlisted)
    }

    /// The papers whose comparisons are shown in full.
    pub(crate) fn shown(&self) -> Vec<u32> {
        let (earlier, apart) = (self.split(), self.split_apart());
        let full = earlier.full.iter().chain(&apart.full);
        full.map(|one| one.comparison.candidate).collect()
    }

    /// Whether `quote` is the claim, a part of it, or contains it.
    pub(crate) fn is_said_by(&self, quote: &Quote) -> bool {
        let (text, span) = (self.contribution.claim.span(), quote.span());
        text.contains(span) || span.contains(text)
    }

    /// The number of comparisons by status, as a sentence.
    pub(crate) fn tally(&self) -> String {
        let all = self.earlier.len() + self.apart.len();
        if all == 0 {
            return "It was not compared with any paper.".to_owned();
        }
        let by_abstract = self
            .all()
            .filter(|one| one.comparison.compared != Extent::FullText)
            .count();
        let mut parts = Vec::new();
        let of = |is: &dyn Fn(&ContributionComparison) -> bool| self.all().filter(|one| is(one.comparison)).count();
        for (number, words) in [
            (of(&|one| one.status == Status::CanRefute), "anticipated by"),
            (of(&ContributionComparison::needs_reading), "similar work in"),
            (of(&|one| one.status == Status::CannotRefute), "no match in"),
            (of(&ContributionComparison::says_too_little), "not assessable in"),
        ] {
            if number > 0 {
                parts.push(format!("{words} {number}"));
            }
        }
        let known = match (parts.len(), self.status) {
            // The label says it.
            (1, ClaimStatus::NotFound) => ".".to_owned(),
            _ => format!(": {}.", words::and_list(&parts)),
        };
        let extent = match by_abstract {
            0 if all == 1 => "by full text".to_owned(),
            0 => "all by full text".to_owned(),
            1 if all == 1 => "by abstract or title only".to_owned(),
            some if some == all => "all by abstract or title only".to_owned(),
            some => format!("{some} of them by abstract or title only"),
        };
        format!(
            "Compared with {}, {extent}{known}",
            words::count(all, "paper", "papers")
        )
    }

    /// Every comparison, earlier papers first.
    pub(crate) fn all(&self) -> impl Iterator<Item = &Compared<'a>> {
        self.earlier.iter().chain(&self.apart)
    }
}

impl<'a> Compared<'a> {
    /// Whether the candidate is earlier than the paper, so that it can count against a claim.
    fn counts(&self) -> bool {
        self.work.is_some_and(|work| work.timing == Timing::Earlier)
    }

    /// The title on one line; empty if the index lacks the paper.
    pub(crate) fn title(&self) -> String {
        self.work
            .map(|work| one_line(&work.work.title).into_owned())
            .unwrap_or_default()
    }

    /// How much was compared, with notes on date and authors.
    pub(crate) fn facts(&self) -> String {
        let mut facts = vec![words::extent(self.comparison.compared)];
        facts.extend(self.timing_note());
        facts.extend(self.author_note());
        facts.join(", ")
    }

    /// The same without the date.
    pub(crate) fn facts_without_date(&self) -> String {
        let extent = words::extent(self.comparison.compared);
        std::iter::once(extent)
            .chain(self.author_note())
            .collect::<Vec<_>>()
            .join(", ")
    }

    fn author_note(&self) -> Option<&'static str> {
        let is_own = self.work.is_some_and(|work| !work.shared_authors.is_empty());
        is_own.then_some("shares authors with the paper")
    }

    /// Whether it is similar enough that a person must read it.
    pub(crate) fn must_be_read(&self) -> bool {
        self.comparison.status == Status::CanRefute || self.comparison.needs_reading()
    }

    /// The closest pair of passages.
    pub(crate) fn best(&self) -> Option<&'a EvidencePair> {
        self.comparison.evidence.first()
    }

    /// A note on the date if the candidate is not known to be earlier.
    pub(crate) fn timing_note(&self) -> Option<&'static str> {
        let work = self.work?;
        (work.timing != Timing::Earlier).then(|| words::timing(work.timing, self.paper_dated))
    }
}

/// Comparisons by level of detail.
pub(crate) struct Split<'c, 'a> {
    /// Similar to the claim, shown with passages.
    pub(crate) full: Vec<&'c Compared<'a>>,
    /// Also similar, shown in one line each.
    pub(crate) lines: Vec<&'c Compared<'a>>,
    /// Similar in words only.
    pub(crate) words_only: Vec<&'c Compared<'a>>,
}

impl<'c, 'a> Split<'c, 'a> {
    /// The first `open` similar papers and later ones that need review, up to [`LONGEST`], get full detail.
    fn new(all: &'c [Compared<'a>], open: usize, unlisted: bool) -> Self {
        let mut split = Self {
            full: Vec::new(),
            lines: Vec::new(),
            words_only: Vec::new(),
        };
        for one in all {
            let must_be_read = one.must_be_read() && split.full.len() < LONGEST;
            if !one.comparison.near {
                if !unlisted {
                    split.words_only.push(one);
                }
            } else if split.full.len() < open || must_be_read {
                split.full.push(one);
            } else {
                split.lines.push(one);
            }
        }
        split
    }

    /// Whether there are no comparisons.
    pub(crate) fn is_empty(&self) -> bool {
        self.full.is_empty() && self.lines.is_empty() && self.words_only.is_empty()
    }
}

/// Sort order. A paper that is not similar goes last whatever its status, because a title alone is not evidence.
fn weight(comparison: &ContributionComparison) -> u8 {
    match comparison.status {
        _ if !comparison.near => 3,
        Status::CanRefute => 0,
        Status::Unclear if comparison.needs_reading() => 1,
        Status::Unclear | Status::CannotRefute => 2,
    }
}

/// Number of relevant papers from the claim's own search that the last selection step left out.
fn cut(digest: &Digest<'_>, number: u32) -> usize {
    let scopes = &digest.report.metadata.funnel.scopes;
    let scope = scopes.iter().find(|one| one.scope == Scope::Contribution(number));
    scope.map_or(0, |one| one.after_date.saturating_sub(one.after_top))
}

fn status(earlier: &[Compared<'_>], apart: &[Compared<'_>]) -> ClaimStatus {
    let near = |one: &&Compared<'_>| one.comparison.near;
    let all = || earlier.iter().chain(apart);
    let found = earlier
        .iter()
        .filter(near)
        .any(|one| one.comparison.status == Status::CanRefute);
    // A concurrent or undated paper never anticipates a claim, but similar passages in one still need review.
    let to_read = all().filter(near).any(Compared::must_be_read);
    let not_found = all().any(|one| one.comparison.status == Status::CannotRefute);
    if found {
        ClaimStatus::Found
    } else if to_read {
        ClaimStatus::NeedsReading
    } else if earlier.is_empty() && apart.is_empty() {
        ClaimStatus::NotCompared
    } else if not_found {
        ClaimStatus::NotFound
    } else {
        ClaimStatus::TooLittle
    }
}
