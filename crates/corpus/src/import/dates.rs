use precedent_domain::{DateOrigin, Granularity, Identifiers, PartialDate, PublicationDate, month_by_abbreviation};

/// The dates of a record, plus the month in its arXiv id if it adds information. A bare year is dropped if a more precise date agrees with it.
pub(super) fn dates(given: Vec<PublicationDate>, identifiers: &Identifiers) -> Vec<PublicationDate> {
    let mut dates = given;
    if let Some(submitted) = identifiers.arxiv.as_ref().and_then(|id| id.submitted()) {
        let known = dates.iter().any(|dated| {
            dated.date.granularity() != Granularity::Year && dated.date.last_day() <= submitted.last_day()
        });
        if !known {
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

/// Parses common date formats: `2024-05-17`, `2024/05/17`, `2024-05`, `2024`, `2024-05-17T…`, `17 May 2024`, `May 2024`, `2024 May 17`. If only the
/// year is recognized, the year is kept.
pub(super) fn parse_date(text: &str) -> Option<PartialDate> {
    let text = text.trim();
    // A date followed by a time is cut at the space; `2024 May 17` has no time.
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
    let mut month = parts.iter().find_map(|part| month_by_abbreviation(part));
    let mut small = parts
        .iter()
        .filter(|part| part.len() <= 2)
        .filter_map(number)
        .filter_map(|n| u8::try_from(n).ok());
    // Numeric dates are unambiguous only with the year first, so 03/04/2020 gives just the year.
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
