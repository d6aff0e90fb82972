use std::path::Path;

use precedent_domain::EvidenceKind;
use serde::{Deserialize, Serialize};

use super::file::{BoardFile, files};
use crate::Result;

/// The program's own, a file each.
const OWN: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/personas.rs"));

/// Somebody who judges ideas.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Persona {
    /// `funder`.
    pub id: String,
    /// What they are called in a report.
    pub name: String,
    /// What they know of.
    pub familiarity: Familiarity,
    /// Where they come from.
    pub background: String,
    /// What they want.
    pub goal: String,
    /// What they hold to.
    pub constraints: String,
}

/// What a persona knows of, each from 1 to 10.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Familiarity {
    /// Earlier work.
    pub literature: u8,
    /// How studies are made.
    pub methodology: u8,
    /// What methods are used for.
    pub application: u8,
    /// What is new.
    pub frontier: u8,
}

impl Familiarity {
    /// What decides how much of the evidence of a kind they have before them: for literature that of literature, for the web that of the frontier, for code that of applications.
    #[must_use]
    pub fn of(self, kind: EvidenceKind) -> u8 {
        match kind {
            EvidenceKind::Literature => self.literature,
            EvidenceKind::Web => self.frontier,
            EvidenceKind::Code => self.application,
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Head {
    id: String,
    name: String,
    literature: u8,
    methodology: u8,
    application: u8,
    frontier: u8,
}

impl Persona {
    /// Reads a file of a persona; `name` is for errors.
    ///
    /// # Errors
    /// When it lacks something, or a familiarity is not from 1 to 10.
    pub fn parse(name: &str, text: &str) -> Result<Self> {
        let file: BoardFile<Head> = BoardFile::parse(name, text)?;
        file.check(&file.head.id, &["background", "goal", "constraints"])?;
        let head = &file.head;
        let familiarity = Familiarity {
            literature: head.literature,
            methodology: head.methodology,
            application: head.application,
            frontier: head.frontier,
        };
        let all = [head.literature, head.methodology, head.application, head.frontier];
        if all.iter().any(|one| !(1..=10).contains(one)) {
            return Err(file.wrong("literature, methodology, application and frontier are each from 1 to 10"));
        }
        Ok(Self {
            id: head.id.clone(),
            name: head.name.clone(),
            familiarity,
            background: file.part("background")?,
            goal: file.part("goal")?,
            constraints: file.part("constraints")?,
        })
    }
}

/// The program's personas, and those in a folder of the user's: a file with an id that is known takes the place of the known one.
///
/// # Errors
/// When a file cannot be read or is no persona.
pub fn personas(folder: Option<&Path>) -> Result<Vec<Persona>> {
    let own = OWN.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned()));
    let theirs = folder.map(files).transpose()?.unwrap_or_default();
    let mut known: Vec<Persona> = Vec::new();
    for (name, text) in own.chain(theirs) {
        let one = Persona::parse(&name, &text)?;
        known.retain(|other| other.id != one.id);
        known.push(one);
    }
    known.sort_by(|a, b| a.id.cmp(&b.id));
    Ok(known)
}
