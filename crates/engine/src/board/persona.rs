use std::path::Path;

use precedent_domain::EvidenceKind;
use serde::{Deserialize, Serialize};

use super::file::{BoardFile, files};
use crate::Result;

/// Built-in personas, one file each.
const OWN: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/personas.rs"));

/// A judge of ideas.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Persona {
    /// `funder`.
    pub id: String,
    /// Name in reports.
    pub name: String,
    /// Familiarity with each field of knowledge.
    pub familiarity: Familiarity,
    /// Background.
    pub background: String,
    /// Goals.
    pub goal: String,
    /// Constraints they judge by.
    pub constraints: String,
}

/// Familiarity, each from 1 to 10.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Familiarity {
    /// Earlier literature.
    pub literature: u8,
    /// Research methods.
    pub methodology: u8,
    /// Applications of methods.
    pub application: u8,
    /// Current research.
    pub frontier: u8,
}

impl Familiarity {
    /// The familiarity that sets the share of evidence of a kind they see: literature for papers, frontier for the web, application for code.
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
struct PersonaHead {
    id: String,
    name: String,
    literature: u8,
    methodology: u8,
    application: u8,
    frontier: u8,
}

impl Persona {
    /// Parses a persona file. `name` is used in errors.
    ///
    /// # Errors
    /// If a part is missing, or if a familiarity is not from 1 to 10.
    pub fn parse(name: &str, text: &str) -> Result<Self> {
        let file: BoardFile<PersonaHead> = BoardFile::parse(name, text)?;
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
            return Err(file.wrong("literature, methodology, application and frontier must each be from 1 to 10"));
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

/// The built-in personas and those in the user's `folder`. A user's file replaces a built-in persona with the same id.
///
/// # Errors
/// If a file cannot be read or is not a valid persona.
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
