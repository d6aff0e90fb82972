//! Whether a record is the paper itself: another version, edition or record of it.

use std::collections::BTreeSet;

use precedent_domain::{Author, Identity, Paper, Work, is_same_work, same_person, title_key, title_similarity};

/// Features of the paper for recognising it in search results. Prepared once.
#[derive(Debug)]
pub(crate) struct SelfMatcher<'a> {
    paper: &'a Paper,
    key: String,
    front: String,
    shingles: BTreeSet<Vec<String>>,
}

/// Length in bytes of the text that names the authors, at the start of the paper.
const HEAD: usize = 1_500;
/// Length of a shingle of the abstract, in words.
const SHINGLE: usize = 5;
/// Minimum number of shingles for a meaningful comparison of abstracts.
const FEWEST_SHINGLES: usize = 10;
/// Minimum share of the shorter abstract for two papers of one team to be versions of one work, and the same if much of the title agrees.
const MOST_OF_IT: f64 = 0.7;
const HALF_OF_IT: f64 = 0.5;
/// Share of the abstract that confirms a record with the same short title. Chosen by hand; not measured by itself.
const PART_OF_IT: f64 = 0.3;
/// Minimum similarity of titles that have half of their different words in common, and of titles that may belong to one number.
const HALF_OF_TITLE: f64 = 0.67;
const SOME_OF_TITLE: f64 = 0.46;
/// Maximum number of years between a paper that names no authors and its record.
const NEXT_YEAR: u16 = 1;
/// Maximum number of years between versions of one work.
const FEW_YEARS: u16 = 3;

impl<'a> SelfMatcher<'a> {
    pub(crate) fn new(paper: &'a Paper) -> Self {
        let title = paper.title.as_deref().unwrap_or_default();
        let key = title_key(title);
        let end = paper
            .document
            .text
            .char_indices()
            .map(|(at, _)| at)
            .take_while(|&at| at < HEAD)
            .last()
            .unwrap_or_default();
        // Only the text above the abstract, because cited authors are named below it.
        let end = paper.abstract_span.map_or(end, |span| end.min(span.start));
        let front = paper.document.text.get(..end).unwrap_or_default();
        Self {
            paper,
            key,
            front: format!(" {} ", title_key(front)),
            shingles: shingles(paper.abstract_text().unwrap_or_default()),
        }
    }

    /// Whether `work` is this paper. A title or shared text alone is not enough: a copy by somebody else is no version, and an earlier
    /// paper of the same authors is another work, however much wording it shares.
    ///
    /// The same work has the same identifier, unless title and authors both disagree, or the same title and authors. Under another title it has
    /// the same team, at most a few years apart, with most of the same abstract, or half of it and much of the title. If the paper or the record
    /// names no authors, as in a blind review, most of the abstract and much of the title must be the same, and the years adjacent.
    pub(crate) fn is(&self, work: &Work) -> bool {
        let authors = self.authors_agree(work);
        let key = title_key(&work.title);
        let likeness = title_similarity(&self.key, &key);
        if self.paper.identifiers.agree(&work.identifiers) {
            return authors != Some(false) || likeness >= SOME_OF_TITLE;
        }
        let mine = Identity {
            title: self.paper.title.as_deref().unwrap_or_default(),
            authors: &self.paper.authors,
            dates: &self.paper.dates,
            identifiers: &self.paper.identifiers,
            summary: self.paper.abstract_text(),
        };
        if is_same_work(mine, Identity::from(work)) {
            return true;
        }
        let text = self.shared_text(work);
        let years = self.years_apart(work);
        // The same words, apart from plurals and acronyms.
        if likeness >= 1.0 {
            let long = key.split(' ').count() >= 4;
            return match authors {
                // `Editorial`, `Annual report`: short titles recur.
                Some(true) => long || text >= PART_OF_IT || years.is_none_or(|years| years <= FEW_YEARS),
                Some(false) => false,
                None => text >= PART_OF_IT || long && years.is_some_and(|years| years <= 1),
            };
        }
        // Two numbers in one archive are different works.
        let arxiv = (&self.paper.identifiers.arxiv, &work.identifiers.arxiv);
        let two_numbers = matches!(arxiv, (Some(mine), Some(theirs)) if mine != theirs);
        let enough = match authors {
            Some(_) => self.same_team(work) && (text >= MOST_OF_IT || text >= HALF_OF_IT && likeness >= HALF_OF_TITLE),
            None => text >= MOST_OF_IT && likeness >= HALF_OF_TITLE && years.is_none_or(|years| years <= NEXT_YEAR),
        };
        !two_numbers && years.is_none_or(|years| years <= FEW_YEARS) && enough
    }

    /// The authors of `work` who are also authors of the paper.
    pub(crate) fn shared_authors(&self, work: &Work) -> Vec<Author> {
        let of_paper = |author: &&Author| self.paper.authors.iter().any(|own| same_person(own, author));
        work.authors.iter().filter(of_paper).cloned().collect()
    }

    /// Whether the two lists share at least half of the longer one. If the paper's list could not be read, the text above the abstract decides.
    fn same_team(&self, work: &Work) -> bool {
        if self.paper.authors.is_empty() {
            return self.authors_agree(work) == Some(true);
        }
        let longer = self.paper.authors.len().max(work.authors.len());
        self.shared_authors(work).len() * 2 >= longer && !work.authors.is_empty()
    }

    /// Whether the record's authors are named at the start of the paper; `None` if either names nobody.
    fn authors_agree(&self, work: &Work) -> Option<bool> {
        let family = |author: &Author| title_key(author.family_name());
        let named = work.authors.iter().filter(|author| author.is_named());
        let families: Vec<String> = named.map(family).filter(|name| !name.is_empty()).collect();
        let first = families.first()?;
        if self.names_nobody() {
            return None;
        }
        let own = self.paper.authors.iter().filter(|author| author.is_named());
        let own: BTreeSet<String> = own.map(family).collect();
        // Names read from a page may be damaged, so the text above the abstract is checked too.
        let known = |name: &String| own.contains(name) || self.front.contains(&format!(" {name} "));
        let known_count = families.iter().filter(|name| known(name)).count();
        Some(known(first) || known_count * 2 >= families.len())
    }

    /// Whether the paper names no authors: placeholders are listed, or only its title and the heading of the abstract are above the abstract, or a mark
    /// of blind review.
    fn names_nobody(&self) -> bool {
        if !self.paper.authors.is_empty() {
            return !self.paper.authors.iter().any(Author::is_named);
        }
        let front = self.front.replace(&self.key, " ");
        let mut rest = front
            .split_whitespace()
            .filter(|word| !matches!(*word, "abstract" | "summary"));
        rest.next().is_none() || front.contains(" anonymous ") || front.contains(" blind ")
    }

    fn years_apart(&self, work: &Work) -> Option<u16> {
        let mine = self.paper.dates.first()?.date.year();
        Some(work.year()?.abs_diff(mine))
    }

    /// Share of the shorter abstract's shingles that both have.
    fn shared_text(&self, work: &Work) -> f64 {
        let theirs = shingles(work.summary.as_deref().unwrap_or_default());
        let shorter = self.shingles.len().min(theirs.len());
        if shorter < FEWEST_SHINGLES {
            return 0.0;
        }
        share(self.shingles.intersection(&theirs).count(), shorter)
    }
}

#[expect(clippy::cast_precision_loss, reason = "counts of words of an abstract")]
fn share(part: usize, whole: usize) -> f64 {
    part as f64 / whole.max(1) as f64
}

fn shingles(text: &str) -> BTreeSet<Vec<String>> {
    let key = title_key(text);
    let words: Vec<&str> = key.split(' ').filter(|word| !word.is_empty()).collect();
    words
        .windows(SHINGLE)
        .map(|window| window.iter().map(|word| (*word).to_owned()).collect())
        .collect()
}
