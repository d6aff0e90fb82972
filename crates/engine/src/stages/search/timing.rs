//! How dates stand to each other.

use precedent_domain::{AsOf, DateOrder, DateOrigin, Granularity, Paper, PartialDate, PublicationDate, Timing, Work};

/// Works of the last so many months before the paper are concurrent.
const CONCURRENT_MONTHS: u16 = 3;

/// The date `paper` is judged by: the one given, else the month of its arXiv id, else a date in its front matter, else the file's own.
#[must_use]
pub fn as_of(paper: &Paper, given: Option<PartialDate>) -> Option<AsOf> {
    if let Some(date) = given {
        return Some(AsOf {
            date,
            origin: DateOrigin::Given,
        });
    }
    let of = |wanted: &dyn Fn(&DateOrigin) -> bool| paper.dates.iter().find(|dated| wanted(&dated.origin)).cloned();
    let arxiv = || {
        let submitted = paper
            .identifiers
            .arxiv
            .as_ref()
            .and_then(precedent_domain::ArxivId::submitted)?;
        Some(PublicationDate {
            date: submitted,
            origin: DateOrigin::ArxivId,
        })
    };
    let found = of(&|origin| *origin == DateOrigin::Given)
        .or_else(|| of(&|origin| *origin == DateOrigin::ArxivId))
        .or_else(arxiv)
        .or_else(|| of(&|origin| *origin == DateOrigin::FrontMatter))
        .or_else(|| of(&|origin| matches!(origin, DateOrigin::Record(_))))
        .or_else(|| of(&|origin| *origin == DateOrigin::FileMetadata));
    found.map(|dated| AsOf {
        date: dated.date,
        origin: dated.origin,
    })
}

/// The year the paper surely does not precede: the newest in its reference list, so far as it is no misprint.
#[must_use]
pub fn not_before(paper: &Paper) -> Option<u16> {
    let years = paper.references.iter().filter_map(|reference| reference.year);
    newest(years.filter(|year| *year <= 2100).collect())
}

/// The newest of the years that a list prints, less one that stands far beyond all others.
fn newest(mut years: Vec<u16>) -> Option<u16> {
    years.sort_unstable();
    let newest = years.last().copied()?;
    let before = years.len().checked_sub(2).and_then(|at| years.get(at)).copied();
    // One odd year in a list is a misprint or a misreading; two are not. In a short list only a year far off is odd.
    let odd = |before: u16| years.len() >= 8 && newest > before + 2 || years.len() >= 3 && newest > before + 8;
    Some(before.filter(|before| odd(*before)).unwrap_or(newest))
}

/// How `work` stands to the paper's date; where that is not known, to the newest year the paper cites.
#[must_use]
pub fn timing(work: &Work, as_of: Option<&AsOf>, not_before: Option<u16>) -> Timing {
    let Some(dated) = work.earliest() else {
        return Timing::Undated;
    };
    let date = dated.date;
    let Some(as_of) = as_of else {
        return if not_before.is_some_and(|year| date.year() < year) {
            Timing::Earlier
        } else {
            Timing::Concurrent
        };
    };
    match date.against(as_of.date) {
        DateOrder::After => Timing::Later,
        DateOrder::SameDay | DateOrder::Open => Timing::Concurrent,
        DateOrder::Before => {
            let years_only = date.granularity() == Granularity::Year && as_of.date.granularity() == Granularity::Year;
            if years_only || later_by_months(date.last_day()) < as_of.date.first_day() {
                Timing::Earlier
            } else {
                Timing::Concurrent
            }
        }
    }
}

fn later_by_months((year, month, day): (u16, u8, u8)) -> (u16, u8, u8) {
    let months = u16::from(month) - 1 + CONCURRENT_MONTHS;
    let month = u8::try_from(months % 12 + 1).unwrap_or(12);
    (year + months / 12, month, day)
}

#[cfg(test)]
mod tests {
    use precedent_domain::{Extent, Identifiers};

    use super::*;

    fn work(date: Option<&str>) -> Work {
        Work {
            id: "w:1".parse().unwrap(),
            title: "T".into(),
            summary: None,
            authors: vec![],
            venue: None,
            dates: date
                .map(|date| PublicationDate {
                    date: date.parse().unwrap(),
                    origin: DateOrigin::Record("c".into()),
                })
                .into_iter()
                .collect(),
            identifiers: Identifiers::default(),
            url: None,
            extent: Extent::TitleOnly,
            also: vec![],
        }
    }

    fn at(date: &str, as_of: &str) -> Timing {
        let as_of = AsOf {
            date: as_of.parse().unwrap(),
            origin: DateOrigin::Given,
        };
        timing(&work(Some(date)), Some(&as_of), None)
    }

    #[test]
    fn timing_follows_what_the_dates_can_tell() {
        assert_eq!(at("2099", "2024"), Timing::Later);
        assert_eq!(at("2024", "2024-05-17"), Timing::Concurrent);
        assert_eq!(at("2024-05-17", "2024-05-17"), Timing::Concurrent);
        assert_eq!(at("2024-05-18", "2024-05-17"), Timing::Later);
        assert_eq!(at("2024-02-17", "2024-05-17"), Timing::Concurrent);
        assert_eq!(at("2024-02-16", "2024-05-17"), Timing::Earlier);
        assert_eq!(at("2023-11-30", "2024-03-01"), Timing::Earlier);
        assert_eq!(at("2023-12-31", "2024-03-31"), Timing::Concurrent);
        assert_eq!(at("2023", "2024"), Timing::Earlier);
        assert_eq!(at("2023", "2024-02"), Timing::Concurrent);
        assert_eq!(timing(&work(None), None, None), Timing::Undated);
    }

    #[test]
    fn one_misread_year_does_not_push_the_date() {
        assert_eq!(newest(vec![2001, 2003, 2004, 2098]), Some(2004));
        assert_eq!(newest([vec![2010; 9], vec![2013]].concat()), Some(2010));
        assert_eq!(newest(vec![2010, 2011, 2014]), Some(2014));
        assert_eq!(newest(vec![2001, 2098, 2098]), Some(2098));
        assert_eq!(newest(vec![]), None);
    }

    #[test]
    fn an_undated_paper_still_knows_what_it_cites() {
        let year = |date: &str| timing(&work(Some(date)), None, Some(2020));
        assert_eq!(year("2019-12-31"), Timing::Earlier);
        assert_eq!(year("2020"), Timing::Concurrent);
        assert_eq!(year("2031"), Timing::Concurrent);
    }
}
