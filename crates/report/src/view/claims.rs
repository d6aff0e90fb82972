use precedent_domain::{
    Candidate, Contribution, ContributionComparison, EvidencePair, Extent, Quote, Scope, Status, Timing,
};

use super::{Citation, Digest};
use crate::plain::one_line;
use crate::words::{self, Standing};

/// How many works are named first.
const MOST: usize = 3;
/// How many works of one claim are shown with their passages at most.
const LONGEST: usize = 6;

/// A claim with everything it was compared with.
pub(crate) struct Claim<'a> {
    /// The claim.
    pub(crate) contribution: &'a Contribution,
    /// How it stands. Concurrent and undated works never change it.
    pub(crate) standing: Standing,
    /// Whether the paper has a date.
    pub(crate) paper_dated: bool,
    /// What the works that cannot count are: for a heading.
    pub(crate) apart_label: &'static str,
    /// Relevant works that were cut before any comparison.
    pub(crate) cut: usize,
    /// Comparisons with earlier works, those that matter most first.
    pub(crate) earlier: Vec<Compared<'a>>,
    /// Comparisons with works that cannot count against the claim: concurrent, or without a date.
    pub(crate) apart: Vec<Compared<'a>>,
    /// Whether works that share words alone are left unlisted, because no work found is of the paper's field.
    unlisted: bool,
}

/// One comparison with the work it is about.
#[derive(Clone)]
pub(crate) struct Compared<'a> {
    /// The comparison.
    pub(crate) comparison: &'a ContributionComparison,
    /// How the work is cited.
    pub(crate) citation: Citation,
    /// Whether there is a date that the work could be earlier than.
    paper_dated: bool,
    /// The work; `None` where the index lacks it.
    pub(crate) work: Option<&'a Candidate>,
}

impl<'a> Claim<'a> {
    /// Gathers what `contribution` was compared with.
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
        // The engine gives them in reading order; works without evidence say least and go last in their group.
        all.sort_by_key(|one| (weight(one.comparison), one.comparison.evidence.is_empty()));
        let (earlier, apart): (Vec<_>, Vec<_>) = all.into_iter().partition(Compared::counts);
        Self {
            contribution,
            standing: standing(&earlier, &apart),
            apart_label: words::apart(digest.paper_dated()),
            paper_dated: digest.paper_dated(),
            cut: cut(digest, contribution.number),
            earlier,
            apart,
            unlisted: digest.is_outside(),
        }
    }

    /// The three works that matter most: earlier ones alone, since no other can count, and of these such as come near; none where none does.
    pub(crate) fn top(&self) -> &[Compared<'a>] {
        let near = self
            .earlier
            .iter()
            .take(MOST)
            .take_while(|one| one.comparison.near)
            .count();
        self.earlier.get(..near).unwrap_or_default()
    }

    /// Works that cannot count and that a reader should know of at once: those that come near enough to be read, and others that are near where fewer
    /// than three earlier works are.
    pub(crate) fn top_apart(&self) -> Vec<&Compared<'a>> {
        let near = self.apart.iter().filter(|one| one.comparison.near).take(MOST);
        let room = self.room();
        near.enumerate()
            .take_while(|(at, one)| one.must_be_read() || *at < room)
            .map(|(_, one)| one)
            .collect()
    }

    /// How many of the first three places earlier works leave free.
    fn room(&self) -> usize {
        MOST.saturating_sub(self.top().len())
    }

    /// What is to be said where fewer than three earlier works come near; empty where three do.
    pub(crate) fn few_near(&self) -> &'static str {
        match (self.top().len(), self.earlier.len()) {
            (MOST.., _) => "",
            (0, 0) => words::NO_EARLIER,
            (0, _) => words::NONE_NEAR,
            _ => words::NO_OTHER_NEAR,
        }
    }

    /// Comparisons with earlier works.
    pub(crate) fn split(&self) -> Split<'_, 'a> {
        Split::new(&self.earlier, MOST, self.unlisted)
    }

    /// The same for works that cannot count.
    pub(crate) fn split_apart(&self) -> Split<'_, 'a> {
        Split::new(&self.apart, self.room(), self.unlisted)
    }

    /// Whether `quote` is the claim itself, or a part of it, or holds it.
    pub(crate) fn is_said_by(&self, quote: &Quote) -> bool {
        let (said, span) = (self.contribution.claim.span(), quote.span());
        said.contains(span) || span.contains(said)
    }

    /// How many comparisons of each status, in words.
    pub(crate) fn tally(&self) -> String {
        let all = self.earlier.len() + self.apart.len();
        if all == 0 {
            return "It was compared with no work.".to_owned();
        }
        let by_abstract = self
            .all()
            .filter(|one| one.comparison.compared != Extent::FullText)
            .count();
        let mut parts = Vec::new();
        let of = |is: &dyn Fn(&ContributionComparison) -> bool| self.all().filter(|one| is(one.comparison)).count();
        for (number, words) in [
            (of(&|one| one.status == Status::CanRefute), "found in"),
            (of(&ContributionComparison::needs_reading), "needs reading in"),
            (of(&|one| one.status == Status::CannotRefute), "not found in"),
            (of(&ContributionComparison::says_too_little), "too little to tell in"),
        ] {
            if number > 0 {
                parts.push(format!("{words} {number}"));
            }
        }
        let extent = match by_abstract {
            0 if all == 1 => "by full text".to_owned(),
            0 => "all by full text".to_owned(),
            1 if all == 1 => "by abstract or title only".to_owned(),
            some if some == all => "all by abstract or title only".to_owned(),
            some => format!("{some} of them by abstract or title only"),
        };
        format!(
            "Compared with {}, {extent}: {}.",
            words::count(all, "work", "works"),
            words::and_list(&parts)
        )
    }

    /// Every comparison, those with earlier works first.
    pub(crate) fn all(&self) -> impl Iterator<Item = &Compared<'a>> {
        self.earlier.iter().chain(&self.apart)
    }
}

impl<'a> Compared<'a> {
    /// Whether the work is earlier than the paper, so that it may count against a claim.
    fn counts(&self) -> bool {
        self.work.is_some_and(|work| work.timing == Timing::Earlier)
    }

    /// The work's title on one line; empty where the index lacks the work.
    pub(crate) fn title(&self) -> String {
        self.work
            .map(|work| one_line(&work.work.title).into_owned())
            .unwrap_or_default()
    }

    /// How much was compared, and what to know of the work's date and authors.
    pub(crate) fn facts(&self) -> String {
        let mut facts = vec![words::extent(self.comparison.compared)];
        facts.extend(self.timing_note());
        if self.work.is_some_and(|work| !work.shared_authors.is_empty()) {
            facts.push("by authors of the paper too");
        }
        facts.join(", ")
    }

    /// Whether it comes near enough that a reader has to read it.
    pub(crate) fn must_be_read(&self) -> bool {
        self.comparison.status == Status::CanRefute || self.comparison.needs_reading()
    }

    /// The pair of passages that stands nearest.
    pub(crate) fn best(&self) -> Option<&'a EvidencePair> {
        self.comparison.evidence.first()
    }

    /// What a reader should know of the work's date, where it is not simply earlier.
    pub(crate) fn timing_note(&self) -> Option<&'static str> {
        let work = self.work?;
        (work.timing != Timing::Earlier).then(|| words::timing(work.timing, self.paper_dated))
    }
}

/// Comparisons by how much room they get.
pub(crate) struct Split<'c, 'a> {
    /// Near the claim, shown with their passages.
    pub(crate) full: Vec<&'c Compared<'a>>,
    /// Near too; a line is enough.
    pub(crate) lines: Vec<&'c Compared<'a>>,
    /// What they share with the claim is words.
    pub(crate) words_only: Vec<&'c Compared<'a>>,
}

impl<'c, 'a> Split<'c, 'a> {
    /// The first `open` that come near, and those after them that a reader has to read, up to [`LONGEST`]; then the rest.
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

    /// Whether there is nothing in it.
    pub(crate) fn is_empty(&self) -> bool {
        self.full.is_empty() && self.lines.is_empty() && self.words_only.is_empty()
    }
}

/// A work that shares nothing of substance goes last whatever its status: of a title alone nothing can be told.
fn weight(comparison: &ContributionComparison) -> u8 {
    match comparison.status {
        _ if !comparison.near => 3,
        Status::CanRefute => 0,
        Status::Unclear if comparison.needs_reading() => 1,
        Status::Unclear | Status::CannotRefute => 2,
    }
}

/// How many relevant works of the claim's own search the last step of the funnel left out.
fn cut(digest: &Digest<'_>, number: u32) -> usize {
    let scopes = &digest.report.metadata.funnel.scopes;
    let scope = scopes.iter().find(|one| one.scope == Scope::Contribution(number));
    scope.map_or(0, |one| one.after_date.saturating_sub(one.after_top))
}

fn standing(earlier: &[Compared<'_>], apart: &[Compared<'_>]) -> Standing {
    let near = |one: &&Compared<'_>| one.comparison.near;
    let all = || earlier.iter().chain(apart);
    let found = earlier
        .iter()
        .filter(near)
        .any(|one| one.comparison.status == Status::CanRefute);
    // A concurrent or undated work never refutes; near words in one still need reading.
    let to_read = all().filter(near).any(Compared::must_be_read);
    let not_found = all().any(|one| one.comparison.status == Status::CannotRefute);
    if found {
        Standing::Found
    } else if to_read {
        Standing::NeedsReading
    } else if earlier.is_empty() && apart.is_empty() {
        Standing::NotCompared
    } else if not_found {
        Standing::NotFound
    } else {
        Standing::TooLittle
    }
}
