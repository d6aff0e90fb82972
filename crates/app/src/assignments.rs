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
    rows: Vec<AssignmentRow>,
}

#[derive(Debug)]
struct AssignmentRow {
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
        let bytes = std::fs::read(path).map_err(|error| {
            AppError::with_message(ErrorKind::Input, format!("failed to read {}: {error}", path.display()))
        })?;
        let text = std::str::from_utf8(&bytes).map_err(|_| {
            AppError::with_message(ErrorKind::Input, format!("{} is not text in UTF-8", path.display()))
                .hint("save the table as CSV in UTF-8")
        })?;
        let mut reader = csv::ReaderBuilder::new()
            .trim(csv::Trim::All)
            .delimiter(separator(text))
            .from_reader(text.trim_start_matches('\u{feff}').as_bytes());
        let heads = reader.headers().map_err(|error| wrong(path, &error.to_string()))?;
        let heads: Vec<String> = heads.iter().map(|head| head.to_lowercase()).collect();
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
            rows.push(AssignmentRow {
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
        // By name in lower case, because one person may be written in two ways, and may have several roles.
        let mut people: BTreeMap<String, SitePerson> = BTreeMap::new();
        let mut taken = BTreeSet::new();
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
            for (role, name) in row.people {
                let role = role.replace('_', " ");
                let person = people.entry(name.to_lowercase()).or_insert_with(|| SitePerson {
                    id: slug(&name, &mut taken),
                    name,
                    role: role.clone(),
                    papers: Vec::new(),
                });
                if !person.role.split(", ").any(|known| known == role) {
                    person.role = format!("{}, {role}", person.role);
                }
                if !person.papers.contains(&at) {
                    person.papers.push(at);
                }
            }
        }
        if !unknown.is_empty() {
            let more = if unknown.len() > NAMED { ", …" } else { "" };
            let count = unknown.len();
            unknown.truncate(NAMED);
            let papers = if count == 1 { "paper" } else { "papers" };
            let message = format!(
                "the assignments name {count} unknown {papers}: {}{more}",
                unknown.join(", ")
            );
            return Err(AppError::with_message(ErrorKind::Input, message)
                .hint("papers are named by their file, with or without extension, or by the folder of their run"));
        }
        Ok(people.into_values().collect())
    }
}

/// The character between cells: programs write commas, semicolons or tabs, depending on the language of the system.
fn separator(text: &str) -> u8 {
    let first = text.lines().next().unwrap_or_default();
    let count = |one: &u8| first.bytes().filter(|byte| byte == one).count();
    let most = [b',', b';', b'\t'].into_iter().rev().max_by_key(count);
    most.unwrap_or(b',')
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
