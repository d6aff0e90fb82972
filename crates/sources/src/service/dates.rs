//! Dates from services, with no more precision than is known.

use precedent_domain::PartialDate;
use serde_json::Value;

/// Removes the padding of a date: the first of a month may mean only the month, and the first of January only the year.
pub(crate) fn without_padding(date: &str) -> &str {
    date.strip_suffix("-01-01")
        .or_else(|| date.strip_suffix("-01").filter(|rest| rest.contains('-')))
        .unwrap_or(date)
}

/// Parses a date from `[2024, 5, 17]`, `[2024, 5]` or `[2024]`; `[null]` is no date. The first of January is only the year: publishers register it if
/// they know no day.
pub(crate) fn from_parts(parts: &Value) -> Option<PartialDate> {
    let part = |at: usize| parts.get(at).and_then(Value::as_u64);
    let year = u16::try_from(part(0)?).ok()?;
    let small = |at: usize| part(at).and_then(|number| u8::try_from(number).ok());
    let (month, day) = match (small(1), small(2)) {
        (Some(1), Some(1)) => (None, None),
        known => known,
    };
    PartialDate::new(year, month, day)
        .or_else(|_| PartialDate::new(year, month, None))
        .or_else(|_| PartialDate::new(year, None, None))
        .ok()
}

/// The UTC day of a time in milliseconds since 1970.
pub(crate) fn from_epoch_ms(ms: i64) -> Option<PartialDate> {
    // Converts days to a civil date with Howard Hinnant's `civil_from_days`.
    let days = ms.div_euclid(86_400_000).checked_add(719_468)?;
    let era = days.div_euclid(146_097);
    let of_era = days.rem_euclid(146_097);
    let year_of_era = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * of_year + 2) / 153;
    let day = of_year - (153 * shifted + 2) / 5 + 1;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    let small = |number: i64| u8::try_from(number).ok();
    PartialDate::new(u16::try_from(year).ok()?, small(month), small(day)).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn dates_have_only_the_known_precision() {
        for (parts, date) in [
            (json!([2015, 6]), Some("2015-06")),
            (json!([2015]), Some("2015")),
            (json!([2015, 1, 1]), Some("2015")),
            (json!([2015, 1, 2]), Some("2015-01-02")),
            (json!([2015, 2, 31]), Some("2015-02")),
            (json!([2015, 13, 1]), Some("2015")),
            (json!([null]), None),
            (json!(["2015"]), None),
            (json!([99999]), None),
        ] {
            assert_eq!(
                from_parts(&parts).map(|date| date.to_string()).as_deref(),
                date,
                "{parts}"
            );
        }
        for (padded, date) in [
            ("2017-01-01", "2017"),
            ("2017-06-01", "2017-06"),
            ("2017-01-02", "2017-01-02"),
            ("2017-01", "2017-01"),
        ] {
            assert_eq!(without_padding(padded), date);
        }
        for (ms, date) in [
            (0, Some("1970-01-01")),
            (1_758_000_000_000, Some("2025-09-16")),
            (951_782_400_000, Some("2000-02-29")),
            (-1, Some("1969-12-31")),
            (i64::MAX, None),
            (i64::MIN, None),
        ] {
            assert_eq!(from_epoch_ms(ms).map(|date| date.to_string()).as_deref(), date, "{ms}");
        }
    }
}
