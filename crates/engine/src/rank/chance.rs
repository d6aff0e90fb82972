//! Tests whether answers say more about the ideas than chance does, and whether they follow the order of presentation.
//!
//! Both are randomization tests: the windows and the orders shown are all that was drawn at random, so the null distribution comes from drawing them again
//! (Fisher 1935, Edgington and Onghena 2007). Nothing is assumed about a judge, so a judge that tosses a coin, always prefers one position or
//! alternates between positions is covered by the same test.

use std::collections::{BTreeMap, BTreeSet};

use crate::board::SeededRng;

/// Draws of the null distribution. The smallest p-value is 1 / 4,000.
const RESAMPLES: usize = 3_999;

/// How the prompts were drawn.
#[derive(Debug, Clone)]
pub(super) struct Design {
    /// Number of ideas.
    pub(super) ideas: usize,
    /// The prompts that show the same ideas, half of them in reverse, by those ideas.
    windows: BTreeMap<Vec<usize>, Vec<usize>>,
    prompts: usize,
}

impl Design {
    /// The design with these orders shown.
    pub(super) fn of(shown: &[Vec<usize>]) -> Self {
        let mut windows: BTreeMap<Vec<usize>, Vec<usize>> = BTreeMap::new();
        for (prompt, shown) in shown.iter().enumerate() {
            let mut ideas = shown.clone();
            ideas.sort_unstable();
            windows.entry(ideas).or_default().push(prompt);
        }
        let ideas: BTreeSet<usize> = shown.iter().flatten().copied().collect();
        Self {
            ideas: ideas.len(),
            windows,
            prompts: shown.len(),
        }
    }

    /// Whether no prompt shows all ideas.
    pub(super) fn has_windows(&self) -> bool {
        self.windows.len() > 1
    }

    /// Calls `see` with random orders of each window and their reverses, in random sequence, again and again.
    fn redraw(&self, mut see: impl FnMut(&[Vec<usize>])) {
        let mut rng = SeededRng::of(0, &["rank", "resample"]);
        let mut drawn: Vec<(&[usize], Vec<Vec<usize>>)> = self
            .windows
            .iter()
            .map(|(ideas, prompts)| (prompts.as_slice(), vec![ideas.clone(); prompts.len()]))
            .collect();
        let mut orders: Vec<Vec<usize>> = vec![Vec::new(); self.prompts];
        for _ in 0..RESAMPLES {
            for (prompts, of_window) in &mut drawn {
                for pair in of_window.chunks_exact_mut(2) {
                    if let [order, reverse] = pair {
                        rng.shuffle(order);
                        reverse.clone_from(order);
                        reverse.reverse();
                    }
                }
                rng.shuffle(of_window);
                for (prompt, order) in prompts.iter().zip(of_window.iter()) {
                    if let Some(slot) = orders.get_mut(*prompt) {
                        slot.clone_from(order);
                    }
                }
            }
            see(&orders);
        }
    }
}

/// The share of the null distribution that reaches what was observed, counting the observed case.
fn p_value(reached: usize) -> f64 {
    (reached + 1) as f64 / (RESAMPLES + 1) as f64
}

/// An answer to a prompt, by ideas from 0.
#[derive(Debug, Clone)]
pub(super) struct Placed {
    /// The prompt's index in the sequence of prompts.
    pub(super) prompt: usize,
    /// The order shown.
    pub(super) shown: Vec<usize>,
    /// The order returned, best first.
    pub(super) order: Vec<usize>,
}

impl Placed {
    /// The position shown, from 0, of each idea in the order returned.
    fn positions(&self) -> Vec<usize> {
        let position = |idea: &usize| self.shown.iter().position(|shown| shown == idea);
        self.order.iter().filter_map(position).collect()
    }

    /// The centred rank that was given to each position shown; 0 for a position that was not ranked.
    fn ranks_shown(&self) -> Vec<i64> {
        let mut ranks = vec![0; self.shown.len()];
        for (position, rank) in self.positions().into_iter().zip(centred(self.order.len())) {
            if let Some(slot) = ranks.get_mut(position) {
                *slot = rank;
            }
        }
        ranks
    }
}

/// For each set of answers to the same prompts, the probability of at least this much agreement if the positions did not depend on the ideas. The
/// statistic is the spread of the rank sums, that of Kendall's coefficient of concordance and, in windows, of Durbin's test.
pub(super) fn agreement_p(design: &Design, judged: &[&[Placed]]) -> Vec<f64> {
    match design.has_windows() {
        true => agreement_of_windows_p(design, judged),
        false => agreement_of_answers_p(design, judged),
    }
}

/// Each answer names all ideas, so the orders shown are drawn again.
fn agreement_of_answers_p(design: &Design, judged: &[&[Placed]]) -> Vec<f64> {
    let mut sums = RankSums::of(design.ideas);
    let observed: Vec<i64> = judged
        .iter()
        .map(|answers| {
            sums.clear();
            for one in *answers {
                sums.add(&one.order, &centred(one.order.len()));
            }
            sums.spread()
        })
        .collect();
    // By prompt: the rank that the answer gave to each position shown.
    let ranks: Vec<Vec<(usize, Vec<i64>)>> = judged
        .iter()
        .map(|answers| answers.iter().map(|one| (one.prompt, one.ranks_shown())).collect())
        .collect();
    let mut reached = vec![0; judged.len()];
    design.redraw(|orders| {
        for ((ranks, observed), reached) in ranks.iter().zip(&observed).zip(&mut reached) {
            sums.clear();
            for (prompt, ranks) in ranks {
                sums.add(orders.get(*prompt).map(Vec::as_slice).unwrap_or_default(), ranks);
            }
            *reached += usize::from(sums.spread() >= *observed);
        }
    });
    reached.into_iter().map(p_value).collect()
}

/// No answer names all ideas, so the windows must agree with each other: in each window, the ranks that its answers gave are drawn again among its ideas.
/// This covers judges that ignore the ideas, because all ideas are equally likely in each position, and also judges that answer each window alike but
/// differ between windows.
fn agreement_of_windows_p(design: &Design, judged: &[&[Placed]]) -> Vec<f64> {
    let of_window = |(ideas, prompts): (&Vec<usize>, &Vec<usize>)| {
        let of_judged = |answers: &&[Placed]| -> Vec<i64> {
            let own = answers.iter().filter(|one| prompts.contains(&one.prompt));
            let own: Vec<BTreeMap<usize, i64>> = own
                .map(|one| one.order.iter().copied().zip(centred(one.order.len())).collect())
                .collect();
            let rank = |idea: &usize| -> i64 { own.iter().filter_map(|ranks| ranks.get(idea)).sum() };
            ideas.iter().map(rank).collect()
        };
        (ideas.clone(), judged.iter().map(of_judged).collect::<Vec<_>>())
    };
    let mut windows: Vec<(Vec<usize>, Vec<Vec<i64>>)> = design.windows.iter().map(of_window).collect();
    let mut sums = RankSums::of(design.ideas);
    let mut spreads = |windows: &[(Vec<usize>, Vec<Vec<i64>>)]| -> Vec<i64> {
        let mut of = |at: usize| {
            sums.clear();
            for (ideas, ranks) in windows {
                sums.add(ideas, ranks.get(at).map(Vec::as_slice).unwrap_or_default());
            }
            sums.spread()
        };
        (0..judged.len()).map(&mut of).collect()
    };
    let observed = spreads(&windows);
    let mut rng = SeededRng::of(0, &["rank", "resample"]);
    let mut reached = vec![0; judged.len()];
    for _ in 0..RESAMPLES {
        windows.iter_mut().for_each(|(ideas, _)| rng.shuffle(ideas));
        for ((again, observed), reached) in spreads(&windows).into_iter().zip(&observed).zip(&mut reached) {
            *reached += usize::from(again >= *observed);
        }
    }
    reached.into_iter().map(p_value).collect()
}

/// Twice the distance of each rank from the middle, so that ranks in windows of different sizes can be added.
fn centred(size: usize) -> Vec<i64> {
    (0..size).map(|rank| 2 * rank as i64 + 1 - size as i64).collect()
}

/// The sum of the ranks of each idea.
struct RankSums(Vec<i64>);

impl RankSums {
    fn of(ideas: usize) -> Self {
        Self(vec![0; ideas])
    }

    fn clear(&mut self) {
        self.0.fill(0);
    }

    /// Adds the ranks of some ideas, one for each.
    fn add(&mut self, ideas: &[usize], ranks: &[i64]) {
        for (idea, rank) in ideas.iter().zip(ranks) {
            if let Some(sum) = self.0.get_mut(*idea) {
                *sum += *rank;
            }
        }
    }

    /// The sum of the squares of the sums.
    fn spread(&self) -> i64 {
        let mut spread = 0;
        for sum in &self.0 {
            spread += sum * sum;
        }
        spread
    }
}

/// A way in which answers can follow the order shown.
#[derive(Debug, Clone, Copy)]
enum Pull {
    /// Pairs stay in the order shown, or are reversed.
    Order,
    /// The idea shown first, or last, gets the best or the worst rank.
    End { shown_last: bool, ranked_last: bool },
}

const PULLS: [Pull; 5] = [
    Pull::Order,
    Pull::End {
        shown_last: false,
        ranked_last: false,
    },
    Pull::End {
        shown_last: false,
        ranked_last: true,
    },
    Pull::End {
        shown_last: true,
        ranked_last: false,
    },
    Pull::End {
        shown_last: true,
        ranked_last: true,
    },
];

impl Pull {
    /// How strongly one answer follows the order shown, 0 to 1.
    fn of(self, shown: &[usize], order: &[usize]) -> f64 {
        match self {
            Self::Order => concordance(shown, order),
            Self::End {
                shown_last,
                ranked_last,
            } => {
                let end = |all: &[usize], last: bool| {
                    if last {
                        all.last().copied()
                    } else {
                        all.first().copied()
                    }
                };
                if end(shown, shown_last) == end(order, ranked_last) {
                    1.0
                } else {
                    0.0
                }
            }
        }
    }

    /// The same for all answers. A reversed order is followed as much as a kept one.
    fn share<'a>(self, answers: impl Iterator<Item = (&'a [usize], &'a [usize])>) -> f64 {
        let share = crate::board::mean(answers.map(|(shown, order)| self.of(shown, order))).unwrap_or_default();
        match self {
            Self::Order => share.max(1.0 - share),
            Self::End { .. } => share,
        }
    }
}

/// For each set of answers to the same prompts, the probability that answers that do not depend on the order shown follow it this much, corrected for the
/// number of ways to follow it; `None` if fewer than `least` of the answers or pairs follow it.
pub(super) fn position_p(design: &Design, judged: &[&[Placed]], least: f64) -> Vec<Option<f64>> {
    // All five are the same for two ideas.
    let pulls = PULLS.get(..if design.ideas == 2 { 1 } else { PULLS.len() });
    let pulls = pulls.unwrap_or_default();
    let strong = |answers: &&[Placed]| -> Vec<(Pull, f64, usize)> {
        let all = pulls.iter().map(|pull| {
            let shown = answers.iter().map(|one| (one.shown.as_slice(), one.order.as_slice()));
            (*pull, pull.share(shown), 0)
        });
        all.filter(|(_, share, _)| *share >= least).collect()
    };
    let mut strong: Vec<Vec<(Pull, f64, usize)>> = judged.iter().map(strong).collect();
    if strong.iter().any(|one| !one.is_empty()) {
        design.redraw(|orders| {
            for (answers, strong) in judged.iter().zip(&mut strong) {
                for (pull, share, reached) in strong {
                    let again = answers
                        .iter()
                        .filter_map(|one| Some((orders.get(one.prompt)?.as_slice(), one.order.as_slice())));
                    *reached += usize::from(pull.share(again) >= *share);
                }
            }
        });
    }
    let corrected = |strong: Vec<(Pull, f64, usize)>| {
        let least = strong.into_iter().map(|(_, _, reached)| reached).min()?;
        Some((p_value(least) * pulls.len() as f64).min(1.0))
    };
    strong.into_iter().map(corrected).collect()
}

/// The share of pairs in the same order in both.
pub(super) fn concordance<T: PartialEq>(one: &[T], other: &[T]) -> f64 {
    let place = |number: &T| other.iter().position(|known| known == number);
    let placed: Vec<usize> = one.iter().filter_map(place).collect();
    let (mut same, mut pairs) = (0_u32, 0_u32);
    for (at, first) in placed.iter().enumerate() {
        for second in placed.get(at + 1..).unwrap_or_default() {
            same += u32::from(first < second);
            pairs += 1;
        }
    }
    if pairs == 0 {
        1.0
    } else {
        f64::from(same) / f64::from(pairs)
    }
}
