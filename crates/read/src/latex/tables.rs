/// The rows of a table of LaTeX names: a class, a second column, and one of the names of the third. The names of a row share its other columns.
pub(super) fn rows(table: &'static str) -> impl Iterator<Item = (&'static str, &'static str, &'static str)> {
    let lines = table.lines().filter(|line| !line.starts_with("-- "));
    lines.flat_map(|line| {
        let mut columns = line.splitn(3, '\t');
        let (class, second) = (columns.next().unwrap_or_default(), columns.next().unwrap_or_default());
        let names = columns.next().unwrap_or_default().split(' ');
        names.map(move |name| (class, second, name))
    })
}
