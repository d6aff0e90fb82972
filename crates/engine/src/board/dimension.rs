use std::path::Path;

use precedent_domain::{EvidenceKind, IdeaPart};
use serde::{Deserialize, Serialize};

use super::file::{BoardFile, files};
use crate::{EngineError, Result};

/// Built-in dimensions, one file each.
const OWN: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/dimensions.rs"));
const HIGHEST: u8 = 10;
/// Maximum lines of the working, whatever a dimension asks for: several times the published ten to fifteen.
pub(crate) const MOST_LINES: usize = 40;

/// A criterion for judging ideas, scored from 0 to 10.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Dimension {
    /// `novelty`.
    pub id: String,
    /// `Novelty`.
    pub name: String,
    /// Sort order among the dimensions.
    pub order: u32,
    /// Parts of the idea whose evidence this dimension uses; all by default.
    pub parts: Vec<IdeaPart>,
    /// Kinds of evidence this dimension uses, most important first; all by default.
    pub kinds: Vec<EvidenceKind>,
    /// What to work out before scoring.
    pub working: Option<String>,
    /// Minimum and maximum lines of that, if limited.
    pub working_lines: Option<(usize, usize)>,
    /// The question to answer.
    pub question: String,
    /// Questions to consider first; may be empty.
    pub checklist: Vec<String>,
    /// Meaning of the scores, highest first.
    pub scale: Vec<Band>,
    /// Notes for the judge.
    pub notes: String,
}

/// A range of scores.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Band {
    /// Lowest score.
    pub low: u8,
    /// Highest score.
    pub high: u8,
    /// Meaning of a score in the range.
    pub meaning: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct DimensionHead {
    id: String,
    name: String,
    #[serde(default = "last")]
    order: u32,
    #[serde(default)]
    parts: Vec<IdeaPart>,
    #[serde(default)]
    kinds: Vec<EvidenceKind>,
    working: Option<String>,
    working_lines: Option<(usize, usize)>,
}

fn last() -> u32 {
    1_000
}

impl Dimension {
    /// Parses a dimension file. `name` is used in errors.
    ///
    /// # Errors
    /// If a part is missing, or if the scale skips or repeats a score.
    pub fn parse(name: &str, text: &str) -> Result<Self> {
        let file: BoardFile<DimensionHead> = BoardFile::parse(name, text)?;
        file.check(&file.head.id, &["question", "checklist", "scale", "notes"])?;
        let scale = scale(&file)?;
        let all = |given: &[IdeaPart]| {
            if given.is_empty() {
                IdeaPart::ALL.to_vec()
            } else {
                given.to_vec()
            }
        };
        let (working, lines) = (&file.head.working, file.head.working_lines);
        if lines.is_some_and(|(least, most)| working.is_none() || least == 0 || least > most || most > MOST_LINES) {
            return Err(file.wrong(format!(
                "working_lines must be [least, most] from 1 to {MOST_LINES}, beside working"
            )));
        }
        let checklist = file.optional("checklist");
        let checklist = checklist.lines().map(str::trim).filter(|line| !line.is_empty());
        Ok(Self {
            id: file.head.id.clone(),
            name: file.head.name.clone(),
            order: file.head.order,
            parts: all(&file.head.parts),
            kinds: match file.head.kinds.as_slice() {
                [] => EvidenceKind::ALL.to_vec(),
                kinds => kinds.to_vec(),
            },
            working: working.clone(),
            working_lines: lines,
            question: file.part("question")?,
            checklist: checklist.map(str::to_owned).collect(),
            scale,
            notes: file.optional("notes"),
        })
    }

    /// The question, the checklist, the scale and the notes as shown to the judge.
    #[must_use]
    pub fn described(&self) -> String {
        let bands = self.scale.iter().map(|band| match band.low == band.high {
            true => format!("  {}: {}", band.low, band.meaning),
            false => format!("  {}-{}: {}", band.low, band.high, band.meaning),
        });
        let scale = bands.collect::<Vec<_>>().join("\n");
        let checklist: String = self.checklist.iter().map(|one| format!("\n  - {one}")).collect();
        format!(
            "{} ({})\n{}{checklist}\n{scale}\n{}",
            self.name, self.id, self.question, self.notes
        )
        .trim_end()
        .to_owned()
    }
}

/// Parses the scale: one band per line, such as `7-8: meaning`, from 10 down to 0 without a gap.
fn scale(file: &BoardFile<DimensionHead>) -> Result<Vec<Band>> {
    let mut bands = Vec::new();
    let mut due = HIGHEST + 1;
    for line in file.part("scale")?.lines().filter(|line| !line.trim().is_empty()) {
        let wrong = || {
            file.wrong(format!(
                "each line of the scale must have the form `low-high: meaning`, found `{line}`"
            ))
        };
        let (range, meaning) = line.split_once(':').ok_or_else(wrong)?;
        let (low, high) = range.split_once('-').unwrap_or((range, range));
        let number = |text: &str| text.trim().parse::<u8>().map_err(|_| wrong());
        let (low, high) = (number(low)?, number(high)?);
        if low > high || high + 1 != due {
            return Err(file.wrong(format!(
                "the scale must go from {HIGHEST} down to 0 without a gap; `{range}` breaks the sequence"
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

/// The built-in dimensions and those in the user's `folder`. A user's file replaces a built-in dimension with the same id.
///
/// # Errors
/// If a file cannot be read or is not a valid dimension.
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
            let why = format!("the id `{}` is used twice", one.id);
            return Err(EngineError::BoardFile { file: name, why });
        }
        named.push((one.id.clone(), is_theirs));
        known.retain(|other| other.id != one.id);
        known.push(one);
    }
    known.sort_by(|a, b| (a.order, &a.id).cmp(&(b.order, &b.id)));
    Ok(known)
}
