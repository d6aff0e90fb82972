use std::ops::Range;

use precedent_domain::{PartialDate, month_by_abbreviation};
use precedent_text::pattern;

/// Beginnings of month names in other languages, where they differ from the English abbreviation, with the number of the month.
const OTHER_MONTHS: [(&str, u8); 23] = [
    ("enero", 1),
    ("gennaio", 1),
    ("fév", 2),
    ("fev", 2),
    ("mär", 3),
    ("avr", 4),
    ("abr", 4),
    ("mai", 5),
    ("mag", 5),
    ("juin", 6),
    ("giu", 6),
    ("juil", 7),
    ("lug", 7),
    ("aoû", 8),
    ("aou", 8),
    ("ago", 8),
    ("set", 9),
    ("okt", 10),
    ("out", 10),
    ("ott", 10),
    ("dez", 12),
    ("déc", 12),
    ("dic", 12),
];

/// A word that can be a month. A pattern with the months themselves takes several times as long to compile, and three have it.
const WORD: &str = r"[A-Za-zéäçûÉ]{3,10}\.?";

const MONTH: &str = r"(?:[Jj]an(?:\.|uary|uar|vier)?|[Ee]nero|[Gg]ennaio|JANUARY|JAN|[Ff]eb(?:\.|ruary|ruar|rero|braio)?|[Ff][ée]v(?:\.|rier|ereiro)?|FEBRUARY|FEB|[Mm]ar(?:\.|ch|s|zo|ço)?|[Mm]är(?:\.|z)|MARCH|[Aa]pr(?:\.|il|ile)?|[Aa]vr(?:\.|il)|[Aa]bril|APRIL|[Mm]ay|[Mm]ai|[Mm]ayo|[Mm]aggio|MAY|[Jj]une?\.?|[Jj]uin|[Jj]uni|[Jj]unio|[Gg]iugno|JUNE|[Jj]uly?\.?|[Jj]uil(?:\.|let)|[Jj]uli|[Jj]ulio|[Ll]uglio|JULY|[Aa]ug(?:\.|ust)?|[Aa]o[ûu]t|[Aa]gosto|AUGUST|[Ss]ept?(?:\.|ember|embre|tembre|tiembre)?|[Ss]ettembre|[Ss]etembro|SEPTEMBER|[Oo]ct(?:\.|ober|obre|ubre)?|[Oo]kt(?:\.|ober)|[Oo]ttobre|[Oo]utubro|OCTOBER|[Nn]ov(?:\.|ember|embre|iembre)?|NOVEMBER|[Dd]e[cz](?:\.|ember)?|[Dd]éc(?:\.|embre)|[Dd]iciembre|[Dd]icembre|[Dd]ezembro|DECEMBER)";

/// A date as printed, with its position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct PrintedDate {
    pub(super) date: PartialDate,
    pub(super) range: Range<usize>,
}

/// All dates in `text` known at least to the month, in order and without overlaps.
pub(super) fn dates(text: &str) -> Vec<PrintedDate> {
    let mut found: Vec<PrintedDate> = Vec::new();
    let forms: [(&regex::Regex, [usize; 3]); 7] = [
        // Year, month and day as capture group numbers; 0 if the pattern has no such group.
        (
            pattern!(r"\b((?:19|20)\d\d)[-/.](0?[1-9]|1[0-2])[-/.](0?[1-9]|[12]\d|3[01])\b"),
            [1, 2, 3],
        ),
        (
            pattern!(r"((?:19|20)\d\d)\s*年\s*(\d{1,2})\s*月(?:\s*(\d{1,2})\s*日)?"),
            [1, 2, 3],
        ),
        // `30 March – 3 April 2009`: the first day.
        (
            pattern!(&format!(
                r"\b(\d{{1,2}})\s+({WORD})\s*[-–]\s*\d{{1,2}}\s+{WORD},?\s+((?:19|20)\d\d)\b"
            )),
            [3, 2, 1],
        ),
        (
            pattern!(&format!(
                r"\b(\d{{1,2}})(?:st|nd|rd|th|\.|er)?(?:\s*[-–]\s*\d{{1,2}}(?:st|nd|rd|th|\.)?)?\s+(?:of\s+|de\s+)?({WORD})[.,]?\s+(?:de\s+|del\s+)?((?:19|20)\d\d)\b"
            )),
            [3, 2, 1],
        ),
        (
            pattern!(&format!(
                r"\b({WORD})\s+(\d{{1,2}})(?:st|nd|rd|th)?(?:\s*[-–]\s*(?:{WORD}\s+)?\d{{1,2}}(?:st|nd|rd|th)?)?\s*,?\s+((?:19|20)\d\d)\b"
            )),
            [3, 1, 2],
        ),
        (
            pattern!(&format!(
                r"\b({WORD})(?:\s*[-–/]\s*{WORD})?[.,]?\s+(?:de\s+|of\s+)?((?:19|20)\d\d)\b"
            )),
            [2, 1, 0],
        ),
        (pattern!(r"\b([0-3]?\d)\.([01]?\d)\.((?:19|20)\d\d)\b"), [3, 2, 1]),
    ];
    for (form, groups) in forms {
        let mut from = 0;
        while let Some(captures) = form.captures_at(text, from) {
            let Some(whole) = captures.get(0) else { break };
            from = whole.end();
            let group = |at: usize| (at > 0).then(|| captures.get(at)).flatten().map(|part| part.as_str());
            let [year, month, day] = groups.map(group);
            let Some(year) = year.and_then(|year| year.parse().ok()) else {
                continue;
            };
            let Some(month) = month.and_then(month_number) else {
                // The first word is none: `Preprint – March 2020`.
                from = whole.start() + whole.as_str().chars().next().map_or(1, char::len_utf8);
                continue;
            };
            let day = day.and_then(|day| day.parse::<u8>().ok());
            let clear = found
                .iter()
                .all(|other| other.range.end <= whole.start() || whole.end() <= other.range.start);
            if let (true, Ok(date)) = (clear, PartialDate::new(year, Some(month), day)) {
                found.push(PrintedDate {
                    date,
                    range: whole.range(),
                });
            }
        }
    }
    found.sort_by_key(|date| date.range.start);
    found
}

fn month_number(month: &str) -> Option<u8> {
    if let Ok(number) = month.parse::<u8>() {
        return Some(number);
    }
    let is_month = |word: &str| pattern!(&format!("^{MONTH}$")).is_match(word);
    if !is_month(month) && !is_month(month.trim_end_matches('.')) {
        return None;
    }
    let lower = month.to_lowercase();
    let other = || OTHER_MONTHS.iter().find(|(start, _)| lower.starts_with(start));
    month_by_abbreviation(month).or_else(|| other().map(|(_, number)| *number))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_as_papers_print_them() {
        for (text, expected) in [
            ("Published: 12 May 2020", "2020-05-12"),
            ("Received March 3rd, 2010; accepted June 2010", "2010-03-03 2010-06"),
            ("10 Sep 2025", "2025-09-10"),
            ("Sydney, July 17-21, 2006", "2006-07-17"),
            ("Vienna, 12–18 July 2020", "2020-07-12"),
            ("Preprint – March 2020", "2020-03"),
            ("Version 1 - May 3, 2019", "2019-05-03"),
            ("Technical Report - May 2019", "2019-05"),
            ("12 March. 2020, December. 2021", "2020-03-12 2021-12"),
            ("Spring/May 2019", "2019-05"),
            ("May/June 2019", "2019-05"),
            ("Athens, 30 March – 3 April 2009", "2009-03-30"),
            ("Room 12, Decade 2003, Paris 3, 2004, in Septiembre 2005", "2005-09"),
            ("2021-02-30 and 2021-03-01", "2021-03-01"),
            ("2020年5月12日", "2020-05-12"),
            ("12. März 2018", "2018-03-12"),
            ("le 3 août 2017", "2017-08-03"),
            ("3 de mayo de 2016", "2016-05-03"),
            ("01.02.2015", "2015-02-01"),
            ("JUNE 2011", "2011-06"),
            ("Mars 2020 rover; the 12 monkeys of 1995", "2020-03"),
            ("in 2020", ""),
        ] {
            let found: Vec<String> = dates(text).iter().map(|date| date.date.to_string()).collect();
            assert_eq!(found.join(" "), expected, "{text}");
        }
    }
}
