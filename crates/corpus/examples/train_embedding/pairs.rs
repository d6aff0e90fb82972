use std::collections::{BTreeMap, HashMap};

use rayon::prelude::*;

use crate::bags::{Bag, SeededRandom, bag};
use crate::texts::{Paper, Texts};

/// Papers by the same authors further apart in years count as unrelated.
const YEARS_APART: u32 = 3;
/// A name with more papers is taken as several people.
const MOST_PAPERS: usize = 200;

/// The kind of a pair of texts that should be close.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A title and most of its abstract.
    Title,
    /// Two parts of one abstract.
    Parts,
    /// Two papers of nearly the same authors.
    Authors,
    /// A run of 6 to 17 terms and the rest of its paper.
    Stretch,
}

const KINDS: [Kind; 4] = [Kind::Title, Kind::Parts, Kind::Authors, Kind::Stretch];

/// Samples pairs of texts.
pub(crate) struct Pairs<'a> {
    texts: &'a Texts,
    rows: &'a [Option<u32>],
    mix: [f32; 4],
    /// For each paper, those with two common authors.
    related: Vec<Vec<u32>>,
}

impl<'a> Pairs<'a> {
    /// `rows` maps a term to its row in the table.
    pub(crate) fn new(texts: &'a Texts, rows: &'a [Option<u32>], mix: [f32; 4]) -> Self {
        Self {
            texts,
            rows,
            mix,
            related: related(&texts.papers),
        }
    }

    /// A random pair that includes the given paper.
    pub(crate) fn draw(&self, paper: u32, mut random: SeededRandom) -> [Bag; 2] {
        let Some(here) = self.texts.papers.get(paper as usize) else {
            return [Bag::new(), Bag::new()];
        };
        let related = self.related.get(paper as usize).map_or(&[][..], Vec::as_slice);
        let mut kind = self.kind(random.unit());
        let other = related
            .get(random.below(related.len().max(1)))
            .and_then(|&other| self.texts.papers.get(other as usize));
        if kind == Kind::Authors && other.is_none() {
            kind = Kind::Parts;
        }
        let summary = here.summary.as_slice();
        let length = summary.len();
        let (mut left, mut right) = (Vec::new(), Vec::new());
        match kind {
            Kind::Title => {
                let (from, less) = (random.below(length / 3 + 1), random.below(length / 3 + 1));
                self.push(&here.title, &mut left);
                self.push(summary.get(from..length - less).unwrap_or_default(), &mut right);
            }
            Kind::Parts => {
                let (first, second) = summary.split_at(length / 4 + random.below(length / 2 + 1));
                if random.unit() < 0.5 {
                    self.push(&here.title, &mut left);
                }
                self.push(first, &mut left);
                self.push(second, &mut right);
            }
            Kind::Authors => {
                for (paper, side) in [(Some(here), &mut left), (other, &mut right)] {
                    let Some(paper) = paper else { continue };
                    self.push(&paper.title, side);
                    self.push(&paper.summary, side);
                }
            }
            Kind::Stretch => {
                let long = 6 + random.below(12);
                let from = random.below(length.saturating_sub(long) + 1);
                let to = (from + long).min(length);
                self.push(summary.get(from..to).unwrap_or_default(), &mut left);
                self.push(&here.title, &mut right);
                self.push(summary.get(..from).unwrap_or_default(), &mut right);
                self.push(summary.get(to..).unwrap_or_default(), &mut right);
            }
        }
        [bag(left), bag(right)]
    }

    fn kind(&self, drawn: f32) -> Kind {
        let mut below = 0.0;
        for (kind, share) in KINDS.into_iter().zip(self.mix) {
            below += share;
            if drawn < below {
                return kind;
            }
        }
        Kind::Title
    }

    fn push(&self, terms: &[u32], to: &mut Vec<u32>) {
        let rows = terms
            .iter()
            .filter_map(|&term| self.rows.get(term as usize).copied().flatten());
        to.extend(rows);
    }
}

fn related(papers: &[Paper]) -> Vec<Vec<u32>> {
    let mut by_author: HashMap<&str, Vec<u32>> = HashMap::new();
    for (number, paper) in (0..).zip(papers) {
        for author in names(paper) {
            by_author.entry(author).or_default().push(number);
        }
    }
    papers
        .par_iter()
        .map(|paper| {
            let mut shared: BTreeMap<u32, u32> = BTreeMap::new();
            for others in names(paper).filter_map(|author| by_author.get(author)) {
                if others.len() > MOST_PAPERS {
                    continue;
                }
                for &other in others {
                    *shared.entry(other).or_default() += 1;
                }
            }
            let fits = |other: &Paper| other.title != paper.title && other.year.abs_diff(paper.year) <= YEARS_APART;
            shared
                .into_iter()
                .filter(|&(other, count)| count >= 2 && papers.get(other as usize).is_some_and(fits))
                .map(|(other, _)| other)
                .collect()
        })
        .collect()
}

/// Authors as printed, without single letters and the like.
fn names(paper: &Paper) -> impl Iterator<Item = &str> {
    paper
        .authors
        .iter()
        .map(String::as_str)
        .filter(|author| author.len() > 5)
}
