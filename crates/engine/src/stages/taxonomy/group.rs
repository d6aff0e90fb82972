use crate::stages::ComparisonSet;
use crate::stages::terms::TermVector;

/// Works that are divided no further: at most so many in a leaf.
pub(super) const LEAF: usize = 7;
/// Fewest works in a group.
const SMALLEST: usize = 2;
/// Rounds of moving works to the group whose centre is nearest.
const ROUNDS: usize = 8;

/// Into how many parts a set of works is divided.
fn parts(works: usize) -> usize {
    let root = (works as f64).sqrt() * 0.75;
    (root.round() as usize).clamp(2, 7)
}

/// Divides `members` (indices of the set, ascending) into groups of works that speak of the same things. Every member comes out in
/// exactly one group; groups and members are ascending. One group where no division makes sense.
///
/// Agglomerative with Ward's criterion on unit vectors, then groups of one joined to their nearest, then each work to the nearest centre.
pub(super) fn divide(set: &ComparisonSet<'_>, members: &[usize]) -> Vec<Vec<usize>> {
    let empty = TermVector::default();
    let vector = |index: usize| set.vector(index).unwrap_or(&empty);
    let mut groups = agglomerate(members, parts(members.len()), &|a, b| {
        2.0 - 2.0 * vector(a).cosine(vector(b))
    });
    let centre = |group: &[usize]| TermVector::centroid(group.iter().map(|&index| vector(index)));
    join_small(&mut groups, &centre);
    for _ in 0..ROUNDS {
        if !move_to_nearest(&mut groups, &centre, &vector) {
            break;
        }
    }
    for group in &mut groups {
        group.sort_unstable();
    }
    groups.sort();
    groups
}

/// Joins the two nearest groups until `wanted` are left. Distances after Lance and Williams for Ward's criterion.
fn agglomerate(members: &[usize], wanted: usize, distance: &dyn Fn(usize, usize) -> f64) -> Vec<Vec<usize>> {
    let mut groups: Vec<Vec<usize>> = members.iter().map(|&member| vec![member]).collect();
    let mut apart: Vec<Vec<f64>> = members
        .iter()
        .map(|&a| members.iter().map(|&b| distance(a, b)).collect())
        .collect();
    while groups.len() > wanted {
        let Some((first, second)) = nearest_two(&apart) else {
            break;
        };
        let (size_a, size_b) = (size(&groups, first), size(&groups, second));
        let between = at(&apart, first, second);
        let joined: Vec<f64> = (0..groups.len())
            .map(|other| {
                let size_c = size(&groups, other);
                ((size_a + size_c) * at(&apart, first, other) + (size_b + size_c) * at(&apart, second, other)
                    - size_c * between)
                    / (size_a + size_b + size_c)
            })
            .collect();
        for (other, (row, &value)) in apart.iter_mut().zip(&joined).enumerate() {
            if let Some(cell) = row.get_mut(first) {
                *cell = if other == first { 0.0 } else { value };
            }
        }
        if let Some(row) = apart.get_mut(first) {
            *row = joined;
        }
        apart.remove(second);
        for row in &mut apart {
            row.remove(second);
        }
        let taken = groups.remove(second);
        if let Some(group) = groups.get_mut(first) {
            group.extend(taken);
        }
    }
    groups
}

fn size(groups: &[Vec<usize>], index: usize) -> f64 {
    groups.get(index).map_or(1.0, |group| group.len() as f64)
}

fn at(apart: &[Vec<f64>], a: usize, b: usize) -> f64 {
    apart
        .get(a)
        .and_then(|row| row.get(b))
        .copied()
        .unwrap_or(f64::INFINITY)
}

fn nearest_two(apart: &[Vec<f64>]) -> Option<(usize, usize)> {
    let mut nearest: Option<(f64, usize, usize)> = None;
    for (a, row) in apart.iter().enumerate() {
        for (b, &distance) in row.iter().enumerate().skip(a + 1) {
            if nearest.is_none_or(|(least, _, _)| distance < least) {
                nearest = Some((distance, a, b));
            }
        }
    }
    nearest.map(|(_, a, b)| (a, b))
}

fn join_small(groups: &mut Vec<Vec<usize>>, centre: &dyn Fn(&[usize]) -> TermVector) {
    while groups.len() > 1 {
        let Some(small) = groups.iter().position(|group| group.len() < SMALLEST) else {
            return;
        };
        let lonely = groups.remove(small);
        let own = centre(&lonely);
        let nearest = nearest_group(groups, &own, centre);
        if let Some(group) = nearest.and_then(|index| groups.get_mut(index)) {
            group.extend(lonely);
        }
    }
}

fn nearest_group(groups: &[Vec<usize>], own: &TermVector, centre: &dyn Fn(&[usize]) -> TermVector) -> Option<usize> {
    let mut nearest: Option<(f64, usize)> = None;
    for (index, group) in groups.iter().enumerate() {
        let cosine = centre(group).cosine(own);
        if nearest.is_none_or(|(most, _)| cosine > most) {
            nearest = Some((cosine, index));
        }
    }
    nearest.map(|(_, index)| index)
}

/// Moves each work to the group whose centre is nearest, where its own can spare it. Tells whether any moved.
fn move_to_nearest<'a>(
    groups: &mut [Vec<usize>],
    centre: &dyn Fn(&[usize]) -> TermVector,
    vector: &dyn Fn(usize) -> &'a TermVector,
) -> bool {
    let centres: Vec<TermVector> = groups.iter().map(|group| centre(group)).collect();
    let mut moved = false;
    for from in 0..groups.len() {
        let members = groups.get(from).cloned().unwrap_or_default();
        for member in members {
            let own = vector(member);
            let here = centres.get(from).map_or(0.0, |centre| centre.cosine(own));
            let best = centres
                .iter()
                .enumerate()
                .map(|(to, centre)| (centre.cosine(own), to))
                .fold(
                    (here + 1e-9, from),
                    |best, next| if next.0 > best.0 { next } else { best },
                );
            let can_spare = groups.get(from).is_some_and(|group| group.len() > SMALLEST);
            if best.1 == from || !can_spare {
                continue;
            }
            if let Some(group) = groups.get_mut(from) {
                group.retain(|&one| one != member);
            }
            if let Some(group) = groups.get_mut(best.1) {
                group.push(member);
            }
            moved = true;
        }
    }
    moved
}
