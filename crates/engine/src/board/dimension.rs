use std::path::Path;

use precedent_domain::{EvidenceKind, IdeaPart};
use serde::{Deserialize, Serialize};

use super::file::{BoardFile, files};
use crate::{EngineError, Result};

/// The program's own, a file each.
const OWN: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/dimensions.rs"));
const HIGHEST: u8 = 10;

/// What an idea is judged by, on a scale from 0 to 10.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Dimension {
    /// `novelty`.
    pub id: String,
    /// `Novelty`.
    pub name: String,
    /// Its place among the others.
    pub order: u32,
    /// Parts of the idea whose evidence it is judged on; all unless told.
    pub parts: Vec<IdeaPart>,
    /// Kinds of evidence it is judged on, the weightiest first; all unless told.
    pub kinds: Vec<EvidenceKind>,
    /// What is to be worked out before the score is given.
    pub working: Option<String>,
    /// What is asked.
    pub question: String,
    /// What the scores mean, from the highest.
    pub scale: Vec<Band>,
    /// What to heed.
    pub notes: String,
}

/// A stretch of a scale.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Band {
    /// Lowest score of it.
    pub low: u8,
    /// Highest score of it.
    pub high: u8,
    /// What it means.
    pub meaning: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Head {
    id: String,
    name: String,
    #[serde(default = "last")]
    order: u32,
    #[serde(default)]
    parts: Vec<IdeaPart>,
    #[serde(default)]
    kinds: Vec<EvidenceKind>,
    working: Option<String>,
}

fn last() -> u32 {
    1_000
}

impl Dimension {
    /// Reads a file of a dimension; `name` is for errors.
    ///
    /// # Errors
    /// When it lacks something, or its scale leaves a score out or has one twice.
    pub fn parse(name: &str, text: &str) -> Result<Self> {
        let file: BoardFile<Head> = BoardFile::parse(name, text)?;
        file.check(&file.head.id, &["question", "scale", "notes"])?;
        let scale = scale(&file)?;
        let all = |given: &[IdeaPart]| {
            if given.is_empty() {
                IdeaPart::ALL.to_vec()
            } else {
                given.to_vec()
            }
        };
        Ok(Self {
            id: file.head.id.clone(),
            name: file.head.name.clone(),
            order: file.head.order,
            parts: all(&file.head.parts),
            kinds: match file.head.kinds.as_slice() {
                [] => EvidenceKind::ALL.to_vec(),
                kinds => kinds.to_vec(),
            },
            working: file.head.working.clone(),
            question: file.part("question")?,
            scale,
            notes: file.optional("notes"),
        })
    }

    /// The question, the scale and the notes, as a judge reads them.
    #[must_use]
    pub fn told(&self) -> String {
        let bands = self.scale.iter().map(|band| match band.low == band.high {
            true => format!("  {}: {}", band.low, band.meaning),
            false => format!("  {}-{}: {}", band.low, band.high, band.meaning),
        });
        let scale = bands.collect::<Vec<_>>().join("\n");
        format!(
            "{} ({})\n{}\n{scale}\n{}",
            self.name, self.id, self.question, self.notes
        )
        .trim_end()
        .to_owned()
    }
}

/// Bands such as `7-8: meaning`, one a line, from 10 down to 0 without a gap.
fn scale(file: &BoardFile<Head>) -> Result<Vec<Band>> {
    let mut bands = Vec::new();
    let mut due = HIGHEST + 1;
    for line in file.part("scale")?.lines().filter(|line| !line.trim().is_empty()) {
        let wrong = || file.wrong(format!("a line of the scale is `low-high: meaning`, not `{line}`"));
        let (range, meaning) = line.split_once(':').ok_or_else(wrong)?;
        let (low, high) = range.split_once('-').unwrap_or((range, range));
        let number = |text: &str| text.trim().parse::<u8>().map_err(|_| wrong());
        let (low, high) = (number(low)?, number(high)?);
        if low > high || high + 1 != due {
            return Err(file.wrong(format!(
                "the scale goes from {HIGHEST} down to 0 without a gap; `{range}` does not follow"
            )));
        }
        due = low;
        bands.push(Band {
            low,
            high,
            meaning: meaning.trim().to_owned(),
        });
    }
    match due {
        0 => Ok(bands),
        _ => Err(file.wrong("the scale does not go down to 0")),
    }
}

/// The program's dimensions, and those in a folder of the user's: a file with an id that is known takes the place of the known one.
///
/// # Errors
/// When a file cannot be read or is no dimension.
pub fn dimensions(folder: Option<&Path>) -> Result<Vec<Dimension>> {
    let own = OWN.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned()));
    let theirs = folder.map(files).transpose()?.unwrap_or_default();
    let mut known: Vec<Dimension> = Vec::new();
    let mut named: Vec<(String, bool)> = Vec::new();
    let all = own
        .map(|file| (file, false))
        .chain(theirs.into_iter().map(|file| (file, true)));
    for ((name, text), is_theirs) in all {
        let one = Dimension::parse(&name, &text)?;
        if named.contains(&(one.id.clone(), is_theirs)) {
            let why = format!("the id `{}` is given twice", one.id);
            return Err(EngineError::BoardFile { file: name, why });
        }
        named.push((one.id.clone(), is_theirs));
        known.retain(|other| other.id != one.id);
        known.push(one);
    }
    known.sort_by(|a, b| (a.order, &a.id).cmp(&(b.order, &b.id)));
    Ok(known)
}
