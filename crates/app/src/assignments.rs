//! Who reads which paper, and the area of each paper, from a table.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use precedent_report::{SitePaper, SitePerson, slug};

use crate::{AppError, ErrorKind};

/// Unknown papers named in an error.
const NAMED: usize = 5;

/// The rows of a table with the columns `paper`, optionally `area`, and a column for each role: `reviewer`, `area_chair` or any other.
#[derive(Debug)]
pub(crate) struct Assignments {
    rows: Vec<Row>,
}

#[derive(Debug)]
struct Row {
    paper: String,
    area: Option<String>,
    /// Role and name.
    people: Vec<(String, String)>,
}

fn wrong(path: &Path, message: &str) -> AppError {
    AppError::with_message(ErrorKind::Input, format!("{}: {message}", path.display())).hint(
        "the first line must name the columns: `paper`, optionally `area`, and one column for each role, such as `reviewer`; several names in a cell are \
         separated by semicolons",
    )
}

impl Assignments {
    /// Reads a CSV file.
    pub(crate) fn read(path: &Path) -> Result<Self, AppError> {
        let file = std::fs::File::open(path).map_err(|error| {
            AppError::with_message(ErrorKind::Input, format!("failed to read {}: {error}", path.display()))
        })?;
        let mut reader = csv::ReaderBuilder::new().trim(csv::Trim::All).from_reader(file);
        let heads = reader.headers().map_err(|error| wrong(path, &error.to_string()))?;
        let heads: Vec<String> = heads
            .iter()
            .map(|head| head.trim_start_matches('\u{feff}').to_lowercase())
            .collect();
        let column = |name: &str| heads.iter().position(|head| head == name);
        let Some(paper) = column("paper") else {
            return Err(wrong(path, "no column `paper`"));
        };
        let area = column("area");
        let roles: Vec<usize> = (0..heads.len())
            .filter(|at| *at != paper && Some(*at) != area)
            .collect();
        if roles.is_empty() && area.is_none() {
            return Err(wrong(path, "no column besides `paper`"));
        }
        let mut rows = Vec::new();
        for record in reader.records() {
            let record = record.map_err(|error| wrong(path, &error.to_string()))?;
            let cell = |at: usize| record.get(at).unwrap_or_default();
            if cell(paper).is_empty() {
                continue;
            }
            let names = roles.iter().flat_map(|at| {
                let names = cell(*at).split(';').map(str::trim).filter(|name| !name.is_empty());
                names.map(|name| (heads.get(*at).cloned().unwrap_or_default(), name.to_owned()))
            });
            rows.push(Row {
                people: names.collect(),
                paper: cell(paper).to_owned(),
                area: area.map(cell).filter(|area| !area.is_empty()).map(str::to_owned),
            });
        }
        Ok(Self { rows })
    }

    /// Sets the areas of the papers and lists the people. A paper is named by its file, with or without extension, or by the folder of its run.
    pub(crate) fn apply(self, papers: &mut [SitePaper], folders: &[String]) -> Result<Vec<SitePerson>, AppError> {
        let known = by_name(papers, folders);
        let mut people: BTreeMap<(String, String), BTreeSet<usize>> = BTreeMap::new();
        let mut unknown = Vec::new();
        for row in self.rows {
            let at = match known.get(&row.paper.to_lowercase()).map(Vec::as_slice) {
                Some([one]) => *one,
                Some(_) => {
                    let message = format!("several papers are called {}", row.paper);
                    return Err(AppError::with_message(ErrorKind::Input, message)
                        .hint("name each by its path in the batch or by the folder of its run"));
                }
                None => {
                    unknown.push(row.paper);
                    continue;
                }
            };
            if let Some(paper) = papers.get_mut(at)
                && row.area.is_some()
            {
                paper.paper.area = row.area;
            }
            for person in row.people {
                people.entry(person).or_default().insert(at);
            }
        }
        if !unknown.is_empty() {
            let more = if unknown.len() > NAMED { ", …" } else { "" };
            let count = unknown.len();
            unknown.truncate(NAMED);
            let message = format!(
                "the assignments name {count} unknown papers: {}{more}",
                unknown.join(", ")
            );
            return Err(AppError::with_message(ErrorKind::Input, message)
                .hint("papers are named by their file, with or without extension, or by the folder of their run"));
        }
        let mut taken = BTreeSet::new();
        let person = |((role, name), papers): ((String, String), BTreeSet<usize>)| SitePerson {
            id: slug(&name, &mut taken),
            name,
            role: role.replace('_', " "),
            papers: papers.into_iter().collect(),
        };
        Ok(people.into_iter().map(person).collect())
    }
}

/// Positions of papers by every name they have, in lower case.
fn by_name(papers: &[SitePaper], folders: &[String]) -> BTreeMap<String, Vec<usize>> {
    let mut known: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (at, paper) in papers.iter().enumerate() {
        let name = Path::new(&paper.paper.paper);
        let file = name.file_name().unwrap_or_default();
        let whole = [name.to_owned(), name.with_extension("")].map(|one| one.to_string_lossy().to_lowercase());
        let short = [Path::new(file).to_owned(), Path::new(file).with_extension("")]
            .map(|one| one.to_string_lossy().to_lowercase());
        let mut names: BTreeSet<String> = whole.into_iter().chain(short).collect();
        names.extend(folders.get(at).map(|folder| folder.to_lowercase()));
        for name in names {
            known.entry(name).or_default().push(at);
        }
    }
    // The whole name decides before the name of the file alone.
    for (at, paper) in papers.iter().enumerate() {
        known.insert(paper.paper.paper.to_lowercase(), vec![at]);
    }
    known
}
