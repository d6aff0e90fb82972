use rustc_hash::FxHashMap;

use crate::stages::ComparisonSet;
use crate::stages::terms::{TermId, Word, WordKind};

/// At most so many terms of a passage take part: as many as a mask has bits.
const MOST_TERMS: usize = 128;

/// A stem of a claim and what it counts.
#[derive(Debug, Clone, Copy)]
pub(super) struct Term {
    pub(super) term: TermId,
    pub(super) weight: f64,
    /// Whether it carries substance: generic words and numbers count little and are never listed.
    pub(super) core: bool,
    /// Whether few works of the set have it.
    pub(super) telling: bool,
    /// Whether few works of all that was searched have it.
    pub(super) rare: bool,
    /// Whether it stands in the paper's title.
    pub(super) topical: bool,
    /// What finding it tells, by how rare it is in all that was searched and by whether it is of what the claim offers.
    pub(super) tells: f64,
}

/// What a passage of the paper says, as terms to be looked for elsewhere.
#[derive(Debug, Clone)]
pub(super) struct Substance {
    pub(super) words: Vec<Word>,
    terms: Vec<Term>,
    /// For each stem of the set, one more than the index of its term; 0 for none.
    slots: Vec<u8>,
    pairs: FxHashMap<(u8, u8), u8>,
    /// By number of the pair, as [`Term::tells`].
    pair_tells: Vec<f64>,
    /// The pairs that name the paper's topic: both of substance and in its title, one of them rare.
    topic_pairs: u128,
    weight: f64,
    pair_count: usize,
}

/// Which terms and which neighbouring pairs of a [`Substance`] some words have.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Marks {
    pub(super) terms: u128,
    pub(super) pairs: u128,
}

impl Marks {
    pub(super) fn with(self, other: Self) -> Self {
        Self {
            terms: self.terms | other.terms,
            pairs: self.pairs | other.pairs,
        }
    }
}

impl Substance {
    /// The terms of `words`, weighed by how telling they are in `set`.
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
                    let telling = set.frequencies().weight(word.term);
                    let share = set.background().share(word.term);
                    terms.push(Term {
                        term: word.term,
                        weight: word.kind.weight() * telling * share.map_or(1.0, rarity),
                        core: word.kind == WordKind::Substance,
                        telling: telling >= TELLING,
                        rare: share.map_or(telling >= TELLING, |share| share <= RARE),
                        topical: set.is_of_topic(word.term),
                        tells: word.kind.weight() * share.map_or(telling, rarity) * said_again(text, word),
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
            pair_tells: Vec::new(),
            topic_pairs: 0,
            weight,
            pair_count: 0,
        };
        substance.learn_pairs();
        substance
    }

    /// With the name of what the claim offers, among words that only say where it is applied: those of the name tell more.
    pub(super) fn offering(mut self, name: &str, set: &ComparisonSet<'_>) -> Self {
        let named: Vec<TermId> = set.read(name).into_iter().map(|word| word.term).collect();
        for term in &mut self.terms {
            if named.contains(&term.term) {
                term.tells *= OF_THE_OFFER;
            }
        }
        self.weigh_pairs();
        self
    }

    /// What finding two words side by side tells: what either tells, in the middle.
    fn weigh_pairs(&mut self) {
        let tells = |slot: u8| self.terms.get(usize::from(slot) - 1).map_or(0.0, |term| term.tells);
        let mut pairs: Vec<(u8, f64)> = self
            .pairs
            .iter()
            .map(|(&(a, b), &number)| (number, f64::midpoint(tells(a), tells(b))))
            .collect();
        pairs.sort_by_key(|(number, _)| *number);
        self.pair_tells = pairs.into_iter().map(|(_, tells)| tells).collect();
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
                let pair = *self.pairs.entry((a, b)).or_insert(next);
                let of_topic = |slot: u8| {
                    self.terms
                        .get(usize::from(slot) - 1)
                        .filter(|term| term.core && term.topical)
                };
                if let (Some(one), Some(other)) = (of_topic(a), of_topic(b))
                    && (one.rare || other.rare)
                {
                    self.topic_pairs |= 1 << pair;
                }
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

    /// The terms in the order of the passage.
    pub(super) fn terms(&self) -> &[Term] {
        &self.terms
    }

    /// Number of terms that carry substance.
    pub(super) fn core_count(&self) -> usize {
        self.terms.iter().filter(|term| term.core).count()
    }

    /// What `words` have of it.
    pub(super) fn marks(&self, words: &[Word]) -> Marks {
        let mut marks = Marks::default();
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

    /// Whether the term at `index` is among the marks.
    pub(super) fn has(marks: Marks, index: usize) -> bool {
        index < MOST_TERMS && marks.terms >> index & 1 == 1
    }

    /// Share of the weight of all terms that the marks have, 0 to 1.
    pub(super) fn coverage(&self, marks: Marks) -> f64 {
        let found: f64 = self.marked(marks).map(|term| term.weight).sum();
        if self.weight > 0.0 { found / self.weight } else { 0.0 }
    }

    /// Share of the neighbouring pairs that the marks have, 0 to 1; 0 without pairs.
    pub(super) fn pair_coverage(&self, marks: Marks) -> f64 {
        if self.pair_count == 0 {
            return 0.0;
        }
        f64::from(marks.pairs.count_ones()) / self.pair_count as f64
    }

    /// How near: three parts terms, one part neighbouring pairs.
    pub(super) fn nearness(&self, marks: Marks) -> f64 {
        0.75 * self.coverage(marks) + 0.25 * self.pair_coverage(marks)
    }

    /// How much the marks tell of what the claim offers, 0 to 1: by rarity in all that was searched, not among works that all share the topic. For choosing
    /// the passage that is shown.
    pub(super) fn telling_share(&self, marks: Marks) -> f64 {
        let found: f64 = self.marked(marks).map(|term| term.tells).sum();
        let side_by_side: f64 = (0..MOST_TERMS)
            .zip(&self.pair_tells)
            .filter(|(number, _)| marks.pairs >> number & 1 == 1)
            .map(|(_, tells)| tells)
            .sum();
        let all = self.terms.iter().map(|term| term.tells).sum::<f64>() + self.pair_tells.iter().sum::<f64>();
        if all > 0.0 { (found + side_by_side) / all } else { 0.0 }
    }

    /// Rare terms of substance among the marks that stand in the paper's title too.
    pub(super) fn topical_found(&self, marks: Marks) -> usize {
        let topical = |term: &&Term| term.core && term.rare && term.topical;
        self.marked(marks).filter(topical).count()
    }

    /// Whether the marks have two words side by side that name the paper's topic.
    pub(super) fn names_topic(&self, marks: Marks) -> bool {
        marks.pairs & self.topic_pairs != 0
    }

    /// Whether the marks have two words of substance side by side as the passage has them.
    pub(super) fn names_together(&self, marks: Marks) -> bool {
        let core = |slot: u8| self.terms.get(usize::from(slot) - 1).is_some_and(|term| term.core);
        self.pairs
            .iter()
            .any(|(&(a, b), &pair)| marks.pairs >> pair & 1 == 1 && core(a) && core(b))
    }

    /// Terms that carry substance among the marks.
    pub(super) fn core_found(&self, marks: Marks) -> usize {
        self.marked(marks).filter(|term| term.core).count()
    }

    /// Telling terms that carry substance among the marks.
    pub(super) fn telling_found(&self, marks: Marks) -> usize {
        self.marked(marks).filter(|term| term.core && term.telling).count()
    }

    fn marked(&self, marks: Marks) -> impl Iterator<Item = &Term> {
        self.terms
            .iter()
            .enumerate()
            .filter(move |&(index, _)| Self::has(marks, index))
            .map(|(_, term)| term)
    }
}

/// Whether a word is a name that the paper gives to its own work: written with a capital inside a sentence or inside the word, and
/// known to no candidate. What nobody else can say does not make a claim new.
fn is_coined(text: &str, word: &Word, set: &ComparisonSet<'_>) -> bool {
    let form = word.span.slice(text).unwrap_or_default();
    let inner_capital = form.chars().skip(1).any(char::is_uppercase);
    let opens = text
        .get(..word.span.start)
        .is_none_or(|before| before.trim().is_empty());
    let capital = form.chars().next().is_some_and(char::is_uppercase) && !opens;
    (inner_capital || capital) && word.kind == WordKind::Substance && !set.known_to_priors(word.term)
}

/// What an abbreviation tells behind the words it stands for, against those: `statistical machine translation (SMT)` is no rarer for being said twice.
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

/// How much more a word of the claim's name tells than another of its words.
const OF_THE_OFFER: f64 = 1.6;

/// A term is telling when at most about a third of the set has it in title or abstract.
const TELLING: f64 = 0.35;

/// Share of all works searched up to which a word is rare.
const RARE: f64 = 0.03;

/// What a word counts by the share of all works that have it: 1 where one in 2,000 or fewer have it, a fifth where every fifth has.
fn rarity(share: f64) -> f64 {
    const RAREST: f64 = 0.000_5;
    (share.clamp(RAREST, 1.0).ln() / RAREST.ln()).max(0.1)
}
