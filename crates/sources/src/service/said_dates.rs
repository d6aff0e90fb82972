//! Dates in human-readable form, from search results.

use precedent_domain::{MONTH_NAMES, PartialDate, month_by_abbreviation};

/// Parses a date from `2024-01-03`, `2024-01-03T00:00:00`, `Jan 3, 2024`, `3 January 2024` or `January 2024`. `3 days ago` is not a date, because the
/// reference day is unknown.
pub(crate) fn from_words(text: &str) -> Option<PartialDate> {
    let text = text.trim();
    let day = text.split(['T', ' ']).next().unwrap_or_default();
    if day.len() == 10 && day.bytes().filter(|byte| *byte == b'-').count() == 2 {
        return day.parse().ok();
    }
    let mut words: Vec<&str> = text.split([' ', ',']).filter(|word| !word.is_empty()).collect();
    // `Wed, 03 Jan 2024 08:15:30 GMT`, as in mail.
    if words.first().is_some_and(|word| is_weekday(word)) {
        words.remove(0);
    }
    if words.get(3).is_some_and(|word| word.contains(':')) {
        words.truncate(3);
    }
    let (month, day, year) = match words.as_slice() {
        [first, second, year] => match month(first) {
            Some(month) => (month, Some(number(second)?), year),
            None => (month(second)?, Some(number(first)?), year),
        },
        [first, year] => (month(first)?, None, year),
        _ => return None,
    };
    let year: u16 = year.parse().ok().filter(|_| year.len() == 4)?;
    PartialDate::new(year, Some(month), day).ok()
}

/// A month by its name or an abbreviation of it, including `Sept.`.
fn month(word: &str) -> Option<u8> {
    let word = word.trim_end_matches('.').to_ascii_lowercase();
    let month = month_by_abbreviation(&word)?;
    MONTH_NAMES
        .get(usize::from(month) - 1)?
        .starts_with(&word)
        .then_some(month)
}

fn is_weekday(word: &str) -> bool {
    let start = word.get(..3).unwrap_or_default().to_ascii_lowercase();
    let is_name = word
        .trim_end_matches('.')
        .bytes()
        .all(|byte| byte.is_ascii_alphabetic());
    is_name && ["mon", "tue", "wed", "thu", "fri", "sat", "sun"].contains(&start.as_str())
}

fn number(word: &str) -> Option<u8> {
    let digits = word.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let ends = word.get(digits.len()..)?;
    matches!(ends, "" | "st" | "nd" | "rd" | "th").then(|| digits.parse().ok())?
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn human_readable_dates_are_parsed_and_ages_are_not() {
        for (text, date) in [
            ("Jan 3, 2024", Some("2024-01-03")),
            ("January 3, 2024", Some("2024-01-03")),
            ("Sept. 3rd, 2024", Some("2024-09-03")),
            ("3 Jan 2024", Some("2024-01-03")),
            ("31 December 2019", Some("2019-12-31")),
            ("Wed, 03 Jan 2024 08:15:30 GMT", Some("2024-01-03")),
            ("Wednesday, January 3, 2024", Some("2024-01-03")),
            ("May 2021", Some("2021-05")),
            ("2024-01-03", Some("2024-01-03")),
            ("2024-01-03T00:00:00", Some("2024-01-03")),
            ("2024-01-03T08:15:30+00:00", Some("2024-01-03")),
            ("2024-01-03 08:15:30", Some("2024-01-03")),
            ("3 days ago", None),
            ("1 month ago", None),
            ("yesterday", None),
            ("Feb 30, 2024", None),
            ("Jan 3, 24", None),
            ("Janus 3, 2024", None),
            ("3 2024", None),
            ("12/05/2024", None),
            ("2024", None),
            ("", None),
        ] {
            assert_eq!(from_words(text).map(|date| date.to_string()).as_deref(), date, "{text}");
        }
    }

    proptest! {
        #[test]
        fn no_input_causes_a_panic(text in "\\PC{0,40}") {
            let _ = from_words(&text);
        }

        #[test]
        fn every_day_is_read_in_every_form(year in 1000_u16..3000, month in 1_u8..13, day in 1_u8..29) {
            let name = &MONTH_NAMES[usize::from(month) - 1][..3];
            let date = PartialDate::new(year, Some(month), Some(day)).ok();
            for text in [format!("{name} {day}, {year}"), format!("{day} {name} {year}"), format!("{year:04}-{month:02}-{day:02}T00:00:00")] {
                prop_assert_eq!(from_words(&text), date);
            }
        }
    }
}
