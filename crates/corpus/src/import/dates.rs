use precedent_domain::{DateOrigin, Granularity, Identifiers, PartialDate, PublicationDate};

/// The dates of a record: what it says, and the month in its arXiv id where that is news. A bare year goes when a finer date says the same.
pub(super) fn dates(given: Vec<PublicationDate>, identifiers: &Identifiers) -> Vec<PublicationDate> {
    let mut dates = given;
    if let Some(submitted) = identifiers.arxiv.as_ref().and_then(|id| id.submitted()) {
        let told = dates.iter().any(|dated| {
            dated.date.granularity() != Granularity::Year && dated.date.last_day() <= submitted.last_day()
        });
        if !told {
            dates.push(PublicationDate {
                date: submitted,
                origin: DateOrigin::ArxivId,
            });
        }
    }
    let finer: Vec<u16> = dates
        .iter()
        .filter(|dated| dated.date.granularity() != Granularity::Year)
        .map(|dated| dated.date.year())
        .collect();
    dates.retain(|dated| dated.date.granularity() != Granularity::Year || !finer.contains(&dated.date.year()));
    dates.sort_by(|a, b| a.date.sort_order(b.date));
    dates.dedup_by(|later, earlier| later.date == earlier.date);
    dates
}

/// A date as records print it: `2024-05-17`, `2024/05/17`, `2024-05`, `2024`, `2024-05-17T…`, `17 May 2024`, `May 2024`, `2024 May 17`.
/// Of one that is only partly understood the year is kept.
pub(super) fn parse_date(text: &str) -> Option<PartialDate> {
    let text = text.trim();
    // A date with a time after it is read whole; `2024 May 17` is not such a one.
    let first = if text.contains(':') {
        text.split_whitespace().next().unwrap_or_default()
    } else {
        text
    };
    if !first.contains(' ')
        && let Ok(date) = first.parse()
    {
        return Some(date);
    }
    let parts: Vec<&str> = text
        .split(|c: char| !c.is_alphanumeric())
        .filter(|part| !part.is_empty())
        .take(8)
        .collect();
    let number = |part: &&str| part.parse::<u16>().ok();
    let year = parts.iter().filter(|part| part.len() == 4).find_map(number)?;
    let mut month = parts.iter().find_map(|part| month_of(part));
    let mut small = parts
        .iter()
        .filter(|part| part.len() <= 2)
        .filter_map(number)
        .filter_map(|n| u8::try_from(n).ok());
    // Only year-first numbers are unambiguous: 03/04/2020 is read to the year.
    let year_first = parts.first().is_some_and(|part| part.len() == 4);
    if month.is_none() && year_first {
        month = small.next();
    }
    let day = if month.is_some() { small.next() } else { None };
    PartialDate::new(year, month, day)
        .or_else(|_| PartialDate::new(year, month, None))
        .or_else(|_| PartialDate::new(year, None, None))
        .ok()
}

fn month_of(word: &str) -> Option<u8> {
    const MONTHS: [&str; 12] = [
        "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
    ];
    let head = word.get(..3)?.to_ascii_lowercase();
    let at = MONTHS.iter().position(|&month| month == head)?;
    u8::try_from(at + 1).ok()
}
