//! Reading order of the lines of a page.

use super::line::Line;

/// Sorts the lines of a page into reading order. The drawing order is kept if it is plausible, because the producer knew the columns. If it jumps
/// around, the layout decides.
pub(super) fn order(lines: &mut Vec<Line>) {
    let jumps = lines
        .windows(2)
        .filter(|pair| matches!(pair, [above, below] if jumps_up(above, below)))
        .count();
    // Row by row across the columns, the drawing order of some word processors.
    let switches = lines
        .windows(2)
        .filter(|pair| {
            matches!(pair, [one, other] if one.column.is_some() && other.column.is_some() && one.column != other.column)
        })
        .count();
    if jumps > 3 && jumps * 6 > lines.len() || switches > 8 && switches * 3 > lines.len() {
        by_layout(lines);
    }
}

fn jumps_up(first: &Line, second: &Line) -> bool {
    let shared = first.x1.min(second.x1) - first.x0.max(second.x0);
    shared > 0.3 * first.width().min(second.width()) && second.y > first.y + 0.6 * first.size
}

/// Splits the page into bands at lines that span columns. Inside each band, goes column by column, top to bottom.
fn by_layout(lines: &mut Vec<Line>) {
    let mut rest = std::mem::take(lines);
    rest.sort_by(|one, other| other.y.total_cmp(&one.y).then(one.x0.total_cmp(&other.x0)));
    let mut band: Vec<Line> = Vec::new();
    for line in rest {
        if line.column.is_none() {
            flush(&mut band, lines);
            lines.push(line);
        } else {
            band.push(line);
        }
    }
    flush(&mut band, lines);
}

fn flush(band: &mut Vec<Line>, out: &mut Vec<Line>) {
    band.sort_by(|one, other| {
        one.column
            .cmp(&other.column)
            .then(other.y.total_cmp(&one.y))
            .then(one.x0.total_cmp(&other.x0))
    });
    out.append(band);
}
