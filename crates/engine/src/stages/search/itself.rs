//! Whether a record is the paper itself: another version, printing or record of it.

use std::collections::BTreeSet;

use precedent_domain::{Identity, Paper, Work, is_same_work, title_key};

/// What is known of the paper for telling it from other works. Prepared once.
#[derive(Debug)]
pub(crate) struct Itself<'a> {
    paper: &'a Paper,
    key: String,
    title_words: BTreeSet<String>,
    front: String,
    shingles: BTreeSet<Vec<String>>,
}

/// Bytes of a page's head, where authors are named.
const HEAD: usize = 1_500;
/// Words of a shingle of the abstract.
const SHINGLE: usize = 5;

impl<'a> Itself<'a> {
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
        // Only what stands above the abstract: below it others are named, who are cited.
        let end = paper.abstract_span.map_or(end, |span| end.min(span.start));
        let front = paper.document.text.get(..end).unwrap_or_default();
        Self {
            paper,
            title_words: key.split(' ').map(str::to_owned).collect(),
            key,
            front: format!(" {} ", title_key(front)),
            shingles: shingles(paper.abstract_text().unwrap_or_default()),
        }
    }

    /// Whether `work` is this paper. A title alone is never enough, and neither is shared text: somebody else's copy is no version.
    pub(crate) fn is(&self, work: &Work) -> bool {
        let mine = Identity {
            title: self.paper.title.as_deref().unwrap_or_default(),
            authors: &self.paper.authors,
            dates: &self.paper.dates,
            identifiers: &self.paper.identifiers,
        };
        let theirs = Identity {
            title: &work.title,
            authors: &work.authors,
            dates: &work.dates,
            identifiers: &work.identifiers,
        };
        if is_same_work(mine, theirs) {
            return true;
        }
        let text = self.shared_text(work);
        let authors = self.authors_agree(work);
        let key = title_key(&work.title);
        if !key.is_empty() && key == self.key {
            let long = key.split(' ').count() >= 4;
            return match authors {
                Some(true) => true,
                Some(false) => false,
                None => text >= 0.3 || long && self.years_apart(work).is_some_and(|years| years <= 1),
            };
        }
        // A version under another title: the same people and most of the same abstract.
        authors == Some(true) && (text >= 0.5 || text >= 0.25 && self.title_likeness(&key) >= 0.5)
    }

    /// Whether the record's authors stand at the head of the paper; `None` where either has none.
    fn authors_agree(&self, work: &Work) -> Option<bool> {
        let families: Vec<String> = work
            .authors
            .iter()
            .map(|author| title_key(author.family_name()))
            .filter(|name| !name.is_empty())
            .collect();
        let first = families.first()?;
        if self.paper.authors.is_empty() && self.front.trim().is_empty() {
            return None;
        }
        let own: BTreeSet<String> = self
            .paper
            .authors
            .iter()
            .map(|author| title_key(author.family_name()))
            .collect();
        // Names read from a page may be damaged; the head of the page is looked at as well.
        let known = |name: &String| own.contains(name) || self.front.contains(&format!(" {name} "));
        let known_count = families.iter().filter(|name| known(name)).count();
        Some(known(first) || known_count * 2 >= families.len())
    }

    fn years_apart(&self, work: &Work) -> Option<u16> {
        let mine = self.paper.dates.first()?.date.year();
        Some(work.year()?.abs_diff(mine))
    }

    /// Share of the shorter abstract's shingles that both have.
    fn shared_text(&self, work: &Work) -> f64 {
        let theirs = shingles(work.summary.as_deref().unwrap_or_default());
        let shorter = self.shingles.len().min(theirs.len());
        if shorter < 10 {
            return 0.0;
        }
        share(self.shingles.intersection(&theirs).count(), shorter)
    }

    fn title_likeness(&self, key: &str) -> f64 {
        let theirs: BTreeSet<String> = key.split(' ').map(str::to_owned).collect();
        share(
            self.title_words.intersection(&theirs).count(),
            self.title_words.union(&theirs).count(),
        )
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
