//! Orders many papers with a ranker that can see only a few at a time (RankGPT's sliding windows).
//!
//! Windows run from the last papers to the first, each over the order left by the one before, and neighbouring windows share half their papers. So
//! the best [`STEP`] of each window are in the next one, and a ranker that orders every window correctly puts the best ten of all in front, in order,
//! wherever they were. The published code ran its windows in parallel over the first order, which lost eight of ten (and did nothing under one
//! window).

use std::ops::Range;

use async_trait::async_trait;
use precedent_domain::ListwiseRecord;

use crate::Result;

/// Papers in one window (Idea Novelty Checker, section 4.1).
pub const WINDOW: usize = 20;
/// How many papers the next window is further in front.
pub const STEP: usize = 10;
/// Papers that the idea is compared with. At most [`STEP`], or the best could be lost between two windows.
pub const TOP: usize = 10;
const _: () = assert!(TOP <= STEP && STEP < WINDOW);

/// Orders a few papers.
#[async_trait]
pub trait Ranker: Sync {
    /// The numbers of the papers of `window`, from 1 in the given order, best first; `None` if there is no answer. Faulty answers are corrected by
    /// rule and counted.
    ///
    /// # Errors
    /// When the ranker cannot be called.
    async fn order(&self, window: &[usize]) -> Result<Option<Vec<u32>>>;
}

/// Orders `items` with `ranker`, and counts the faults of its answers. The result is always a permutation of `items`.
///
/// # Errors
/// When the ranker cannot be called.
pub async fn slide(mut items: Vec<usize>, ranker: &dyn Ranker) -> Result<(Vec<usize>, ListwiseRecord)> {
    let mut record = ListwiseRecord::default();
    for range in windows(items.len()) {
        let Some(window) = items.get_mut(range) else { continue };
        record.windows += 1;
        match ranker.order(window).await? {
            Some(answer) if answers_anything(&answer, window.len()) => {
                let ordered = put_right(window, &answer, &mut record);
                window.copy_from_slice(&ordered);
            }
            _ => record.unanswered += 1,
        }
    }
    Ok((items, record))
}

/// The windows over `count` papers, last ones first. The last window begins with the first paper.
fn windows(count: usize) -> Vec<Range<usize>> {
    if count < 2 {
        return Vec::new();
    }
    let mut start = count.saturating_sub(WINDOW);
    let mut windows = Vec::with_capacity(count / STEP + 1);
    windows.push(start..count);
    while start > 0 {
        start = start.saturating_sub(STEP);
        windows.push(start..start + WINDOW);
    }
    windows
}

fn answers_anything(answer: &[u32], count: usize) -> bool {
    answer.iter().any(|number| place(*number, count).is_some())
}

/// The index of the paper with this number, if there are that many.
fn place(number: u32, count: usize) -> Option<usize> {
    let at = usize::try_from(number).ok()?.checked_sub(1)?;
    (at < count).then_some(at)
}

/// The papers in the order of the answer. Unknown and repeated numbers are skipped, and missing papers follow in their previous order.
fn put_right(window: &[usize], answer: &[u32], record: &mut ListwiseRecord) -> Vec<usize> {
    let mut taken = vec![false; window.len()];
    let mut ordered = Vec::with_capacity(window.len());
    for number in answer {
        let Some(at) = place(*number, window.len()) else {
            record.unknown += 1;
            continue;
        };
        match taken.get_mut(at) {
            Some(taken) if !*taken => {
                *taken = true;
                ordered.extend(window.get(at));
            }
            _ => record.doubled += 1,
        }
    }
    record.missing += window.len() - ordered.len();
    ordered.extend(
        window
            .iter()
            .zip(&taken)
            .filter(|(_, taken)| !**taken)
            .map(|(item, _)| item),
    );
    ordered
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use proptest::prelude::*;

    use super::*;
    use crate::model::checks::bracketed;

    /// Knows the correct order: a smaller item is better.
    struct Perfect;

    fn numbers_by(window: &[usize]) -> Vec<u32> {
        let mut numbers: Vec<u32> = (1..=u32::try_from(window.len()).unwrap()).collect();
        numbers.sort_by_key(|number| window[*number as usize - 1]);
        numbers
    }

    #[async_trait]
    impl Ranker for Perfect {
        async fn order(&self, window: &[usize]) -> Result<Option<Vec<u32>>> {
            assert!(window.len() <= WINDOW);
            Ok(Some(numbers_by(window)))
        }
    }

    /// Knows the correct order but corrupts its answers.
    struct Careless {
        state: Mutex<u64>,
        drops: bool,
        repeats: bool,
        invents: bool,
        misnumbers: bool,
        falls_silent: bool,
    }

    impl Careless {
        fn draw(&self, below: u64) -> u64 {
            let mut state = self.state.lock().unwrap();
            *state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (*state >> 33) % below
        }
    }

    #[async_trait]
    impl Ranker for Careless {
        async fn order(&self, window: &[usize]) -> Result<Option<Vec<u32>>> {
            if self.falls_silent && self.draw(4) == 0 {
                return Ok(None);
            }
            let mut answer = Vec::new();
            for number in numbers_by(window) {
                if self.drops && self.draw(5) == 0 {
                    continue;
                }
                answer.push(number);
                if self.repeats && self.draw(5) == 0 {
                    answer.push(number);
                }
                if self.invents && self.draw(5) == 0 {
                    answer.push(1_000 + number);
                }
            }
            if self.misnumbers {
                answer.iter_mut().for_each(|number| *number = number.saturating_sub(1));
            }
            Ok(Some(answer))
        }
    }

    fn run(items: Vec<usize>, ranker: &dyn Ranker) -> (Vec<usize>, ListwiseRecord) {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        runtime.block_on(slide(items, ranker)).unwrap()
    }

    fn shuffled(count: usize, seed: u64) -> Vec<usize> {
        let mut items: Vec<usize> = (0..count).collect();
        let mut state = seed;
        for at in (1..count).rev() {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            items.swap(at, usize::try_from((state >> 33) % (at as u64 + 1)).unwrap());
        }
        items
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(200))]

        #[test]
        fn a_perfect_ranker_puts_the_best_ten_in_front(seed in any::<u64>()) {
            for count in [0, 1, 2, 5, 10, 11, 15, 19, 20, 21, 29, 30, 31, 99, 100, 101, 200] {
                let (ordered, record) = run(shuffled(count, seed), &Perfect);
                let best: Vec<usize> = ordered.iter().copied().take(TOP).collect();
                prop_assert_eq!(best, (0..count.min(TOP)).collect::<Vec<_>>(), "{} papers", count);
                prop_assert_eq!((record.missing, record.doubled, record.unknown, record.unanswered), (0, 0, 0, 0));
            }
        }

        #[test]
        fn any_answers_keep_the_papers_and_their_faults_are_counted(
            seed in any::<u64>(), count in 0_usize..140,
            (drops, repeats, invents, misnumbers, falls_silent) in any::<(bool, bool, bool, bool, bool)>(),
        ) {
            let ranker = Careless { state: Mutex::new(seed), drops, repeats, invents, misnumbers, falls_silent };
            let (mut ordered, record) = run(shuffled(count, seed), &ranker);
            let top: Vec<usize> = ordered.iter().copied().take(TOP).collect();
            ordered.sort_unstable();
            prop_assert_eq!(ordered, (0..count).collect::<Vec<_>>());
            prop_assert!(record.windows <= count / STEP + 1);
            prop_assert!(drops || misnumbers || record.missing == 0);
            prop_assert!(repeats || record.doubled == 0);
            prop_assert!(invents || misnumbers || record.unknown == 0);
            prop_assert!(falls_silent || drops || misnumbers || record.unanswered == 0);
            if !misnumbers {
                // Only papers missing from an answer, or the best of a window without an answer, may be lost.
                let lost = (0..count.min(TOP)).filter(|item| !top.contains(item)).count();
                prop_assert!(lost <= record.missing + STEP * record.unanswered, "{} lost, {:?}", lost, record);
            }
        }

        #[test]
        fn any_numbers_give_a_permutation(answer in proptest::collection::vec(any::<u32>(), 0..60), count in 1_usize..=WINDOW) {
            let window: Vec<usize> = (0..count).collect();
            let mut record = ListwiseRecord::default();
            let mut ordered = put_right(&window, &answer, &mut record);
            prop_assert_eq!(answer.len() - record.unknown - record.doubled, count - record.missing);
            ordered.sort_unstable();
            prop_assert_eq!(ordered, window);
        }

        #[test]
        fn brackets_are_read_from_any_text(text in "(\\[|\\]|[0-9]{1,4}| |>|\\PC){0,60}") {
            bracketed(&text);
        }
    }

    #[test]
    fn every_paper_is_in_a_window_and_neighbouring_windows_overlap() {
        for count in 2..250 {
            let windows = windows(count);
            assert_eq!(windows.first().unwrap().end, count);
            assert_eq!(windows.last().unwrap().start, 0);
            for pair in windows.windows(2) {
                assert!(pair[1].end >= pair[0].start + TOP, "{count}: {pair:?}");
                assert!(pair[1].end <= count);
            }
        }
    }

    #[test]
    fn only_numbers_alone_in_brackets_are_ranks() {
        assert_eq!(bracketed("[3] > [1] > [2]"), [3, 1, 2]);
        assert_eq!(bracketed("Of the 20 works of 2019, [2] leads; then [ 7 ]."), [2, 7]);
        assert_eq!(bracketed("[1, 2] [x] [] [12345678] 4 > 5 [[6]"), [6]);
        assert_eq!(bracketed("1 > 2 > 3"), Vec::<u32>::new());
    }
}
