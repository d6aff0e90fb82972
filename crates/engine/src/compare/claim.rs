use precedent_corpus::{term_weight, terms};
use precedent_language::terms::{TermId, Word, WordKind};
use rustc_hash::FxHashMap;

use crate::compare::ComparisonSet;

/// Maximum number of terms per passage: the number of bits in a mask.
const MOST_TERMS: usize = 128;

/// Parts of a similarity: three quarters terms, one quarter neighbouring pairs. Chosen by hand; not measured by itself.
const TERMS: f64 = 0.75;
const PAIRS: f64 = 0.25;

/// A stem of a claim with its weights.
#[derive(Debug, Clone, Copy)]
pub(super) struct Term {
    pub(super) term: TermId,
    pub(super) weight: f64,
    /// Whether it is a content term. Generic words and numbers have low weight and are never listed.
    pub(super) core: bool,
    /// Whether few papers of the set contain it.
    pub(super) distinctive: bool,
    /// Weight of a match: depends on rarity among all searched papers and on whether the term belongs to what the claim offers.
    pub(super) match_weight: f64,
}

/// The terms of a passage of the paper, prepared for matching in other texts.
#[derive(Debug, Clone)]
pub(super) struct ClaimTerms {
    pub(super) words: Vec<Word>,
    terms: Vec<Term>,
    /// For each stem of the set, the index of its term plus one; 0 for none.
    slots: Vec<u8>,
    pairs: FxHashMap<(u8, u8), u8>,
    /// Match weight per pair, as [`Term::match_weight`].
    pair_weights: Vec<f64>,
    weight: f64,
    pair_count: usize,
}

/// Bit sets of the terms and neighbouring pairs of a [`ClaimTerms`] found in a text.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct TermBits {
    pub(super) terms: u128,
    pub(super) pairs: u128,
}

impl TermBits {
    pub(super) fn with(self, other: Self) -> Self {
        Self {
            terms: self.terms | other.terms,
            pairs: self.pairs | other.pairs,
        }
    }
}

impl ClaimTerms {
    /// The terms of `text`, weighted by how distinctive they are in `set`.
    pub(super) fn of(text: &str, set: &ComparisonSet<'_>) -> Self {
        let words: Vec<Word> = set
            .read(text)
            .into_iter()
            .filter(|word| !is_coined(text, word, set))
            .collect();
        let mut slots = vec![0_u8; set.stem_count()];
        let mut terms: Vec<Term> = Vec::new();
        for word in words.iter().filter(|word| word.kind.weight() > 0.0) {
            let place = usize::try_from(word.term.0).ok().and_then(|at| slots.get_mut(at));
            match place {
                Some(0) | None if terms.len() < MOST_TERMS => {
                    let distinctive = set.frequencies().weight(word.term);
                    let share = set.background().share(word.term);
                    terms.push(Term {
                        term: word.term,
                        weight: word.kind.weight() * distinctive * share.map_or(1.0, rarity),
                        core: word.kind == WordKind::Substance,
                        distinctive: match set.priors().len() {
                            0..FEW_PAPERS => is_informative(word.span.slice(text).unwrap_or_default()),
                            _ => distinctive >= DISTINCTIVE,
                        },
                        match_weight: word.kind.weight() * share.map_or(distinctive, rarity) * said_again(text, word),
                    });
                    if let Some(place) = place {
                        *place = u8::try_from(terms.len()).unwrap_or(0);
                    }
                }
                _ => {}
            }
        }
        let weight = terms.iter().map(|term| term.weight).sum();
        let mut substance = Self {
            words,
            terms,
            slots,
            pairs: FxHashMap::default(),
            pair_weights: Vec::new(),
            weight,
            pair_count: 0,
        };
        substance.learn_pairs();
        substance
    }

    /// Gives more weight to the words in the name of what the claim offers. The other words often only say where it is applied.
    pub(super) fn offering(mut self, name: &str, set: &ComparisonSet<'_>) -> Self {
        let named: Vec<TermId> = set.read(name).into_iter().map(|word| word.term).collect();
        for term in &mut self.terms {
            if named.contains(&term.term) {
                term.match_weight *= OF_THE_OFFER;
            }
        }
        self.weigh_pairs();
        self
    }

    /// The match weight of a pair is the mean of its two terms' weights.
    fn weigh_pairs(&mut self) {
        let match_weight = |slot: u8| {
            self.terms
                .get(usize::from(slot) - 1)
                .map_or(0.0, |term| term.match_weight)
        };
        let mut pairs: Vec<(u8, f64)> = self
            .pairs
            .iter()
            .map(|(&(a, b), &number)| (number, f64::midpoint(match_weight(a), match_weight(b))))
            .collect();
        pairs.sort_by_key(|(number, _)| *number);
        self.pair_weights = pairs.into_iter().map(|(_, match_weight)| match_weight).collect();
    }

    fn learn_pairs(&mut self) {
        let slots: Vec<u8> = self
            .words
            .iter()
            .filter(|word| word.kind != WordKind::Function)
            .map(|word| self.slot(word.term))
            .collect();
        for pair in slots.windows(2) {
            if let &[a, b] = pair
                && a > 0
                && b > 0
                && self.pairs.len() < MOST_TERMS
            {
                let next = u8::try_from(self.pairs.len()).unwrap_or(0);
                self.pairs.entry((a, b)).or_insert(next);
            }
        }
        self.pair_count = self.pairs.len();
        self.weigh_pairs();
    }

    fn slot(&self, term: TermId) -> u8 {
        usize::try_from(term.0)
            .ok()
            .and_then(|at| self.slots.get(at))
            .copied()
            .unwrap_or(0)
    }

    /// The terms in passage order.
    pub(super) fn terms(&self) -> &[Term] {
        &self.terms
    }

    /// Number of content terms.
    pub(super) fn core_count(&self) -> usize {
        self.terms.iter().filter(|term| term.core).count()
    }

    /// The terms and pairs of the passage found in `words`.
    pub(super) fn marks(&self, words: &[Word]) -> TermBits {
        let mut marks = TermBits::default();
        let mut last = 0;
        for word in words {
            let slot = self.slot(word.term);
            if slot > 0 {
                marks.terms |= 1 << (slot - 1);
                if last > 0
                    && let Some(&pair) = self.pairs.get(&(last, slot))
                {
                    marks.pairs |= 1 << pair;
                }
            }
            if word.kind != WordKind::Function {
                last = slot;
            }
        }
        marks
    }

    /// Whether the term at `index` is marked.
    pub(super) fn has(marks: TermBits, index: usize) -> bool {
        index < MOST_TERMS && marks.terms >> index & 1 == 1
    }

    /// Share of the total term weight that is marked, 0 to 1.
    pub(super) fn coverage(&self, marks: TermBits) -> f64 {
        let found: f64 = self.marked(marks).map(|term| term.weight).sum();
        if self.weight > 0.0 { found / self.weight } else { 0.0 }
    }

    /// Share of the neighbouring pairs that are marked, 0 to 1; 0 without pairs.
    pub(super) fn pair_coverage(&self, marks: TermBits) -> f64 {
        if self.pair_count == 0 {
            return 0.0;
        }
        f64::from(marks.pairs.count_ones()) / self.pair_count as f64
    }

    /// Similarity: three parts terms, one part neighbouring pairs.
    pub(super) fn similarity(&self, marks: TermBits) -> f64 {
        TERMS * self.coverage(marks) + PAIRS * self.pair_coverage(marks)
    }

    /// Share of the match weight that is marked, 0 to 1, for choosing the passage to show. Weights use rarity among all searched papers,
    /// because the papers of the set all share the topic.
    pub(super) fn match_share(&self, marks: TermBits) -> f64 {
        let found: f64 = self.marked(marks).map(|term| term.match_weight).sum();
        let side_by_side: f64 = (0..MOST_TERMS)
            .zip(&self.pair_weights)
            .filter(|(number, _)| marks.pairs >> number & 1 == 1)
            .map(|(_, match_weight)| match_weight)
            .sum();
        let all = self.terms.iter().map(|term| term.match_weight).sum::<f64>() + self.pair_weights.iter().sum::<f64>();
        if all > 0.0 { (found + side_by_side) / all } else { 0.0 }
    }

    /// Number of marked content terms.
    pub(super) fn core_found(&self, marks: TermBits) -> usize {
        self.marked(marks).filter(|term| term.core).count()
    }

    /// Number of marked content terms that are distinctive.
    pub(super) fn distinctive_found(&self, marks: TermBits) -> usize {
        self.marked(marks).filter(|term| term.core && term.distinctive).count()
    }

    fn marked(&self, marks: TermBits) -> impl Iterator<Item = &Term> {
        self.terms
            .iter()
            .enumerate()
            .filter(move |&(index, _)| Self::has(marks, index))
            .map(|(_, term)| term)
    }
}

/// The names in `text` that the paper coins.
pub(super) fn coined<'t>(text: &'t str, set: &ComparisonSet<'_>) -> Vec<&'t str> {
    let words = set.read(text).into_iter().filter(|word| is_coined(text, word, set));
    words.filter_map(|word| word.span.slice(text)).collect()
}

/// Whether a word is a name that the paper coins: capitalised inside a sentence or inside the word, and unknown to every candidate.
/// No other paper can contain such a name, so it does not make a claim new.
fn is_coined(text: &str, word: &Word, set: &ComparisonSet<'_>) -> bool {
    let form = word.span.slice(text).unwrap_or_default();
    let inner_capital = form.chars().skip(1).any(char::is_uppercase);
    let opens = text
        .get(..word.span.start)
        .is_none_or(|before| before.trim().is_empty());
    let capital = form.chars().next().is_some_and(char::is_uppercase) && !opens;
    (inner_capital || capital) && word.kind == WordKind::Substance && !set.known_to_priors(word.term)
}

/// Reduced match weight for an abbreviation after its long form: `statistical machine translation (SMT)` is not rarer for the repetition.
fn said_again(text: &str, word: &Word) -> f64 {
    const AGAIN: f64 = 0.1;
    let before = text.get(..word.span.start).unwrap_or_default();
    let bracket = before
        .rfind(['(', '['])
        .filter(|&open| !before.get(open..).unwrap_or_default().contains([')', ']', ' ']));
    let form = word.span.slice(text).unwrap_or_default();
    let capitals = form.chars().filter(|c| c.is_uppercase()).count();
    if bracket.is_some() && capitals >= 2 { AGAIN } else { 1.0 }
}

/// Factor on the match weight of words in the claim's name.
const OF_THE_OFFER: f64 = 1.6;

/// In a smaller set, every term of the topic is in most papers. There, the term's weight among all papers decides.
const FEW_PAPERS: usize = 10;
/// Minimum weight of a distinctive term among all papers (see [`term_weight`]). In the built-in table, 3.5 % of the terms have less.
const INFORMATIVE: f32 = 2.0;

fn is_informative(form: &str) -> bool {
    terms(form).iter().any(|stem| term_weight(stem) >= INFORMATIVE)
}

/// A term is distinctive when at most about a third of the set has it in title or abstract.
const DISTINCTIVE: f64 = 0.35;

/// Weight of a word by the share of all papers that contain it: 1 at 1 in 2,000 or fewer, about a fifth at one in five.
fn rarity(share: f64) -> f64 {
    const RAREST: f64 = 0.000_5;
    (share.clamp(RAREST, 1.0).ln() / RAREST.ln()).max(0.1)
}
