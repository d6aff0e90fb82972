//! Tests whether answers say more about the ideas than chance does, and whether they follow the order of presentation.
//!
//! Both are randomization tests: the orders shown are the only thing that was drawn at random, so the null distribution comes from drawing them again
//! (Fisher 1935, Edgington and Onghena 2007). Nothing is assumed about a judge, so a judge that tosses a coin, always prefers one position or
//! alternates between positions is covered by the same test.

use crate::board::SeededRng;

/// Draws of the null distribution. The smallest p-value is 1 / 4,000.
const RESAMPLES: usize = 3_999;

/// How the prompts were drawn.
#[derive(Debug, Clone, Copy)]
pub(super) struct Design {
    /// Number of ideas.
    pub(super) ideas: usize,
    /// Number of random orders, each also shown in reverse.
    pub(super) draws: usize,
}

impl Design {
    /// Calls `see` with random orders and their reverses, in random sequence, again and again.
    fn redraw(self, mut see: impl FnMut(&[Vec<usize>])) {
        let mut rng = SeededRng::of(0, &["rank", "resample"]);
        let mut orders: Vec<Vec<usize>> = vec![(0..self.ideas).collect(); self.draws * 2];
        for _ in 0..RESAMPLES {
            for pair in orders.chunks_exact_mut(2) {
                if let [order, reverse] = pair {
                    rng.shuffle(order);
                    reverse.clone_from(order);
                    reverse.reverse();
                }
            }
            rng.shuffle(&mut orders);
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
}

/// Probability of at least this much agreement among answers whose positions do not depend on the ideas. The statistic is that of Kendall's
/// coefficient of concordance, the spread of the rank sums.
pub(super) fn agreement_p(design: Design, answers: &[Placed]) -> f64 {
    let spread = |orders: &mut dyn Iterator<Item = (usize, usize)>| -> u64 {
        let mut sums = vec![0_u64; design.ideas];
        for (idea, rank) in orders {
            if let Some(sum) = sums.get_mut(idea) {
                *sum += rank as u64;
            }
        }
        sums.iter().map(|sum| sum * sum).sum()
    };
    let observed = spread(
        &mut answers
            .iter()
            .flat_map(|one| one.order.iter().enumerate().map(|(rank, idea)| (*idea, rank))),
    );
    let positions: Vec<(usize, Vec<usize>)> = answers.iter().map(|one| (one.prompt, one.positions())).collect();
    let mut reached = 0;
    design.redraw(|orders| {
        let mut ranked = positions.iter().flat_map(|(prompt, positions)| {
            let shown = orders.get(*prompt).map(Vec::as_slice).unwrap_or_default();
            let idea = move |(rank, position): (usize, &usize)| Some((*shown.get(*position)?, rank));
            positions.iter().enumerate().filter_map(idea)
        });
        reached += usize::from(spread(&mut ranked) >= observed);
    });
    p_value(reached)
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
            Self::Order => super::tally::concordance(shown, order),
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

/// Probability that answers that do not depend on the order shown follow it this much, corrected for the number of ways to follow it; `None` if fewer
/// than `least` of the answers or pairs follow it.
pub(super) fn position_p(design: Design, answers: &[Placed], least: f64) -> Option<f64> {
    // All five are the same for two ideas.
    let pulls = PULLS.get(..if design.ideas == 2 { 1 } else { PULLS.len() })?;
    let observed = |pull: Pull| pull.share(answers.iter().map(|one| (one.shown.as_slice(), one.order.as_slice())));
    let mut strong: Vec<(Pull, f64, usize)> = pulls.iter().map(|pull| (*pull, observed(*pull), 0)).collect();
    strong.retain(|(_, share, _)| *share >= least);
    if strong.is_empty() {
        return None;
    }
    design.redraw(|orders| {
        for (pull, share, reached) in &mut strong {
            let again = answers
                .iter()
                .filter_map(|one| Some((orders.get(one.prompt)?.as_slice(), one.order.as_slice())));
            *reached += usize::from(pull.share(again) >= *share);
        }
    });
    let least = strong.iter().map(|(_, _, reached)| *reached).min()?;
    Some((p_value(least) * pulls.len() as f64).min(1.0))
}
