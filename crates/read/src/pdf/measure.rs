//! Typical measures of a document: text size, line spacing, column edges.

use std::collections::{BTreeMap, HashMap};

use super::line::Line;

/// Typical measures of a document.
#[derive(Debug, Default)]
pub(super) struct Measures {
    /// Size of the running text.
    pub(super) body: f64,
    /// Line spacing by size in tenths of a point.
    leading: BTreeMap<i64, f64>,
    /// Left and right edge of the text in each column of each page.
    edges: HashMap<(u32, Option<usize>), (f64, f64)>,
}

impl Measures {
    pub(super) fn of(pages: &[Vec<Line>]) -> Self {
        let mut letters: BTreeMap<i64, usize> = BTreeMap::new();
        let mut distances: BTreeMap<i64, BTreeMap<i64, usize>> = BTreeMap::new();
        for lines in pages {
            for line in lines.iter().filter(|line| !line.figure && line.cells.is_empty()) {
                *letters.entry(tenths(line.size)).or_default() += line.text.len();
            }
            for pair in lines.windows(2) {
                if let [above, below] = pair
                    && !above.figure
                    && above.column == below.column
                    && (above.size - below.size).abs() < 0.3
                    && above.text.len() > 20
                    && below.text.len() > 20
                {
                    let distance = above.y - below.y;
                    if distance > 0.7 * above.size && distance < 2.6 * above.size {
                        *distances
                            .entry(tenths(above.size))
                            .or_default()
                            .entry(tenths(distance))
                            .or_default() += 1;
                    }
                }
            }
        }
        let body = usual(&letters).map_or(10.0, points);
        let leading = distances
            .iter()
            .filter_map(|(size, distances)| Some((*size, points(usual(distances)?))))
            .collect();
        let mut measures = Self {
            body,
            leading,
            edges: HashMap::new(),
        };
        for lines in pages {
            measures.page_edges(lines);
        }
        measures
    }

    fn page_edges(&mut self, lines: &[Line]) {
        let mut columns: BTreeMap<Option<usize>, Vec<&Line>> = BTreeMap::new();
        for line in lines.iter().filter(|line| !line.figure && line.text.len() > 15) {
            columns.entry(line.column).or_default().push(line);
        }
        for (column, lines) in columns {
            let Some(page) = lines.first().map(|line| line.page) else {
                continue;
            };
            let mut lefts: BTreeMap<i64, usize> = BTreeMap::new();
            let mut rights: Vec<f64> = Vec::new();
            for line in &lines {
                *lefts.entry(tenths(line.x0) / 10).or_default() += line.text.len();
                rights.push(line.x1);
            }
            rights.sort_by(f64::total_cmp);
            let left = usual(&lefts).map_or(0.0, |left| points(left * 10));
            let right = rights.get(rights.len() * 4 / 5).copied().unwrap_or(0.0);
            self.edges.insert((page, column), (left, right));
        }
    }

    /// Typical line spacing at this size.
    pub(super) fn leading(&self, size: f64) -> f64 {
        let size_key = tenths(size);
        (-3..=3)
            .filter_map(|step| self.leading.get(&(size_key + step)))
            .copied()
            .fold(None, |best: Option<f64>, next| {
                Some(best.map_or(next, |best| best.min(next)))
            })
            .unwrap_or(1.2 * size)
    }

    /// Left and right edge of the text around this line.
    pub(super) fn edges(&self, line: &Line) -> (f64, f64) {
        self.edges
            .get(&(line.page, line.column))
            .copied()
            .unwrap_or((line.x0, line.x1))
    }

    /// Whether the line ends at the right edge of the text around it.
    pub(super) fn is_full(&self, line: &Line) -> bool {
        let (left, right) = self.edges(line);
        line.x1 > right - 0.06 * (right - left)
    }
}

fn tenths(points: f64) -> i64 {
    #[expect(
        clippy::cast_possible_truncation,
        reason = "a float cast saturates, and pages are small"
    )]
    let tenths = (points * 10.0).round() as i64;
    tenths
}

fn points(tenths: i64) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "tenths of a point on a page are small")]
    let points = tenths as f64 / 10.0;
    points
}

/// The key with the highest count; the smallest one of equals.
fn usual(counts: &BTreeMap<i64, usize>) -> Option<i64> {
    counts
        .iter()
        .max_by(|one, other| one.1.cmp(other.1).then(other.0.cmp(one.0)))
        .map(|(key, _)| *key)
}
