//! Tables as HTML.

use std::fmt::{self, Formatter};

use super::html_line::{Inline, Text};
use super::{Column, Row, TableKind};

/// Writes a table. Each cell has the name of its column, because phones show one cell below the other.
pub(super) fn write_table(
    f: &mut Formatter<'_>,
    label: &str,
    kind: TableKind,
    head: &[Column],
    rows: &[Row],
) -> fmt::Result {
    let class = match kind {
        TableKind::Plain => " class=\"index\"",
        TableKind::Findings => " class=\"findings index\"",
        TableKind::Sortable => " class=\"sortable index\"",
    };
    write!(
        f,
        "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"{}\">\n<table{class}>\n<thead><tr>",
        Text(label)
    )?;
    let number = |column: Option<&Column>| match column {
        Some(column) if column.number => " class=\"number\"",
        _ => "",
    };
    for column in head {
        write!(
            f,
            "<th scope=\"col\"{}>{}</th>",
            number(Some(column)),
            Inline(&column.name)
        )?;
    }
    f.write_str("</tr></thead>\n<tbody>")?;
    for row in rows {
        match &row.id {
            Some(id) => write!(f, "<tr id=\"{}\">", Text(id))?,
            None => f.write_str("<tr>")?,
        }
        for (at, cell) in row.cells.iter().enumerate() {
            if at == 0 {
                write!(f, "<th scope=\"row\" dir=\"auto\">{}</th>", Inline(cell))?;
                continue;
            }
            let column = head.get(at);
            write!(f, "<td{}", number(column))?;
            if let Some(column) = column {
                write!(f, " data-label=\"{}\"", Text(&column.name.plain()))?;
            }
            write!(f, " dir=\"auto\">{}</td>", Inline(cell))?;
        }
        f.write_str("</tr>\n")?;
    }
    f.write_str("</tbody>\n</table>\n</div>")
}
