//! Which ideas are shown together: all of them up to [`GROUP_LIMIT`], windows of them above.

/// Most ideas of which each prompt shows all. Chosen by hand, not measured: a model may lose track of more.
pub(super) const GROUP_LIMIT: usize = 10;
/// Most ideas in a window. Chosen by hand, not measured: each window costs two calls for each random order, and 8 ideas say as much as 28 pairs.
const WINDOW: usize = 8;
/// Fewest random orders of ideas that are shown in windows. Only a second order compares ideas of different windows.
pub(super) const FEWEST_DRAWS: usize = 2;

/// Cuts an order of all ideas into the windows that are shown. Their sizes differ by at most one.
pub(super) fn windows(order: &[usize]) -> Vec<Vec<usize>> {
    let count = match order.len() {
        ..=GROUP_LIMIT => 1,
        more => more.div_ceil(WINDOW),
    };
    let (size, longer) = (order.len() / count, order.len() % count);
    let mut rest = order.iter().copied();
    (0..count)
        .map(|at| rest.by_ref().take(size + usize::from(at < longer)).collect())
        .collect()
}

/// Whether the windows join all ideas, so that each is compared with each other one, if only by way of others.
pub(super) fn join_all<'a>(windows: impl Iterator<Item = &'a [u32]>, ideas: usize) -> bool {
    let mut parts: Vec<Vec<u32>> = Vec::new();
    for window in windows {
        let (joined, apart): (Vec<_>, Vec<_>) = parts
            .into_iter()
            .partition(|part| window.iter().any(|idea| part.contains(idea)));
        let mut part: Vec<u32> = joined.into_iter().flatten().chain(window.iter().copied()).collect();
        part.sort_unstable();
        part.dedup();
        parts = apart;
        parts.push(part);
    }
    matches!(parts.as_slice(), [one] if one.len() == ideas)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_contain_each_idea_once_and_differ_by_one_at_most() {
        for ideas in 2..200 {
            let order: Vec<usize> = (0..ideas).rev().collect();
            let windows = windows(&order);
            assert_eq!(windows.concat(), order);
            let sizes = windows.iter().map(Vec::len);
            let (least, most) = (sizes.clone().min().unwrap(), sizes.max().unwrap());
            assert!(most - least <= 1 && most <= GROUP_LIMIT, "{ideas}: {windows:?}");
            assert_eq!(windows.len() == 1, ideas <= GROUP_LIMIT, "{ideas}");
            assert!(
                windows.len() == 1 || (5..=WINDOW).contains(&least),
                "{ideas}: {windows:?}"
            );
        }
    }

    #[test]
    fn windows_join_ideas_by_way_of_others() {
        let joins = |windows: &[&[u32]]| join_all(windows.iter().copied(), 4);
        assert!(joins(&[&[1, 2], &[3, 4], &[2, 3]]));
        assert!(!joins(&[&[1, 2], &[3, 4], &[4, 3]]));
        assert!(!joins(&[&[1, 2], &[2, 3]]), "nobody compared 4");
        assert!(!joins(&[]));
    }
}
