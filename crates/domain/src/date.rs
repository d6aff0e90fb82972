use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::DomainError;

/// The English names of the months. The first three letters are the usual abbreviation of each.
pub const MONTH_NAMES: [&str; 12] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];

/// The number of the month whose name begins with the first three letters of `word`.
#[must_use]
pub fn month_by_abbreviation(word: &str) -> Option<u8> {
    let start = word.get(..3)?.to_ascii_lowercase();
    (1..)
        .zip(MONTH_NAMES)
        .find_map(|(month, name)| name.starts_with(&start).then_some(month))
}

/// A date with year, month or day precision. Prints and parses as `2024`, `2024-05` or `2024-05-17`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "String", into = "String")]
#[schemars(with = "String")]
pub struct PartialDate {
    year: u16,
    month: Option<u8>,
    day: Option<u8>,
}

impl PartialDate {
    /// Creates a validated date: years 1000 to 2999, months 1 to 12, days that exist in the month. A day needs a month.
    ///
    /// # Errors
    /// Returns an error if the parts do not form a date.
    pub fn new(year: u16, month: Option<u8>, day: Option<u8>) -> Result<Self, DomainError> {
        let date = Self { year, month, day };
        let fits = (1000..=2999).contains(&year)
            && month.is_none_or(|month| (1..=12).contains(&month))
            && day.is_none_or(|day| month.is_some_and(|month| day >= 1 && day <= days_in_month(year, month)));
        if fits {
            Ok(date)
        } else {
            Err(DomainError::Date {
                value: date.to_string(),
            })
        }
    }

    /// The year.
    #[must_use]
    pub fn year(self) -> u16 {
        self.year
    }

    /// The month, 1 to 12, if known.
    #[must_use]
    pub fn month(self) -> Option<u8> {
        self.month
    }

    /// The day of the month, if known.
    #[must_use]
    pub fn day(self) -> Option<u8> {
        self.day
    }

    /// The precision of the date.
    #[must_use]
    pub fn granularity(self) -> Granularity {
        match (self.month, self.day) {
            (None, _) => Granularity::Year,
            (Some(_), None) => Granularity::Month,
            (Some(_), Some(_)) => Granularity::Day,
        }
    }

    /// The first day the date can refer to, as (year, month, day).
    #[must_use]
    pub fn first_day(self) -> (u16, u8, u8) {
        (self.year, self.month.unwrap_or(1), self.day.unwrap_or(1))
    }

    /// The last day the date can refer to, as (year, month, day).
    #[must_use]
    pub fn last_day(self) -> (u16, u8, u8) {
        let month = self.month.unwrap_or(12);
        (
            self.year,
            month,
            self.day.unwrap_or_else(|| days_in_month(self.year, month)),
        )
    }

    /// Compares this date with `cutoff`. The result is [`DateOrder::Open`] if the precision of the two leaves the order undecided.
    #[must_use]
    pub fn against(self, cutoff: PartialDate) -> DateOrder {
        if self.last_day() < cutoff.first_day() {
            DateOrder::Before
        } else if self.first_day() > cutoff.last_day() {
            DateOrder::After
        } else if self.granularity() == Granularity::Day && cutoff.granularity() == Granularity::Day {
            DateOrder::SameDay
        } else {
            DateOrder::Open
        }
    }

    /// Orders by first possible day, then by granularity (finer first). For sorting only; use [`PartialDate::against`] for decisions.
    #[must_use]
    pub fn sort_order(self, other: Self) -> Ordering {
        self.first_day()
            .cmp(&other.first_day())
            .then(self.last_day().cmp(&other.last_day()))
    }
}

/// The order of two dates.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum DateOrder {
    /// Certainly earlier.
    Before,
    /// The same day.
    SameDay,
    /// Certainly later.
    After,
    /// Undecided because a date lacks precision: the same year or month.
    Open,
}

/// The precision of a date.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Granularity {
    /// To the year.
    Year,
    /// To the month.
    Month,
    /// To the day.
    Day,
}

/// A publication date and its origin.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PublicationDate {
    /// The date.
    pub date: PartialDate,
    /// The origin of the date.
    pub origin: DateOrigin,
}

/// The origin of a date.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum DateOrigin {
    /// Given by the user.
    Given,
    /// From the number of an arXiv id, which encodes the month of submission.
    ArxivId,
    /// From the year of an ACL Anthology id and the latest usual month of its venue.
    AclId,
    /// From a DOI that contains the date of a preprint.
    Doi,
    /// Printed in the front matter.
    FrontMatter,
    /// Found on the first page by a model, with words that are there and state it.
    FirstPageByModel,
    /// From the metadata that the author's program wrote into the file.
    FileMetadata,
    /// From a record of the named corpus or source.
    Record(String),
}

impl fmt::Display for PartialDate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}", self.year)?;
        if let Some(month) = self.month {
            write!(f, "-{month:02}")?;
            if let Some(day) = self.day {
                write!(f, "-{day:02}")?;
            }
        }
        Ok(())
    }
}

impl FromStr for PartialDate {
    type Err = DomainError;

    fn from_str(value: &str) -> Result<Self, DomainError> {
        let wrong = || DomainError::Date {
            value: value.to_owned(),
        };
        // Drop a time of day: records print `2024-05-17T09:00:00Z`.
        let date = value.trim().split(['T', ' ']).next().unwrap_or_default();
        let mut parts = date.split('-');
        let number = |part: &str, digits: std::ops::RangeInclusive<usize>| {
            (digits.contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit()))
                .then(|| part.parse::<u16>().ok())
                .flatten()
                .ok_or_else(wrong)
        };
        let small = |part: Option<&str>| {
            part.map(|part| number(part, 1..=2).and_then(|value| u8::try_from(value).map_err(|_| wrong())))
                .transpose()
        };
        let year = number(parts.next().unwrap_or_default(), 4..=4)?;
        let month = small(parts.next())?;
        let day = small(parts.next())?;
        if parts.next().is_some() {
            return Err(wrong());
        }
        Self::new(year, month, day).map_err(|_| wrong())
    }
}

impl TryFrom<String> for PartialDate {
    type Error = DomainError;

    fn try_from(value: String) -> Result<Self, DomainError> {
        value.parse()
    }
}

impl From<PartialDate> for String {
    fn from(date: PartialDate) -> Self {
        date.to_string()
    }
}

fn days_in_month(year: u16, month: u8) -> u8 {
    match month {
        4 | 6 | 9 | 11 => 30,
        2 if year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400)) => 29,
        2 => 28,
        _ => 31,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn date(value: &str) -> PartialDate {
        value.parse().unwrap()
    }

    #[test]
    fn printing_and_parsing_round_trip() {
        for value in ["2024", "2024-05", "2024-02-29", "1999-12-31"] {
            assert_eq!(date(value).to_string(), value);
        }
        assert_eq!(date("2024-05-17T09:00:00Z").to_string(), "2024-05-17");
    }

    #[test]
    fn rejects_invalid_dates() {
        for value in [
            "",
            "24",
            "2024-13",
            "2023-02-29",
            "2024-00-01",
            "2024-1-1-1",
            "May 2024",
            "２０２４",
        ] {
            assert!(value.parse::<PartialDate>().is_err(), "{value}");
        }
    }

    #[test]
    fn a_year_in_the_cutoff_year_is_open() {
        assert_eq!(date("2024").against(date("2024-05-17")), DateOrder::Open);
        assert_eq!(date("2023").against(date("2024-05-17")), DateOrder::Before);
        assert_eq!(date("2024-06").against(date("2024-05-17")), DateOrder::After);
        assert_eq!(date("2099").against(date("2024")), DateOrder::After);
        assert_eq!(date("2024-05-17").against(date("2024-05-17")), DateOrder::SameDay);
    }
}
