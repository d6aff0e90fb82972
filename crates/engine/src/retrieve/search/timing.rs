//! Comparison of dates.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use precedent_domain::{AsOf, DateOrder, DateOrigin, Doubt, Paper, PartialDate, PublicationDate, Timing, Work};

/// Papers of this many months before the paper are concurrent.
const CONCURRENT_MONTHS: u16 = 3;
/// Minimum number of sources that date a work before the paper if another source dates it later. A single source may be wrong.
const AGREED: usize = 2;
/// As `CONCURRENT_MONTHS` if the paper's date comes only from its file, because the file may be a later export.
pub(crate) const REEXPORT_MONTHS: u16 = 12;

/// The date `paper` is judged by: the given one, else the month of its arXiv id, else a date in its front matter, else the file's date.
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

/// The year the paper cannot precede: the newest year in its reference list, unless that is a misprint.
#[must_use]
pub fn not_before(paper: &Paper) -> Option<u16> {
    let years = paper.references.iter().filter_map(|reference| reference.year);
    newest(years.filter(|year| *year <= 2100).collect())
}

/// The newest year in a list, unless it is far later than all others.
fn newest(mut years: Vec<u16>) -> Option<u16> {
    years.sort_unstable();
    let newest = years.last().copied()?;
    let before = years.len().checked_sub(2).and_then(|at| years.get(at)).copied();
    // One odd year in a list is a misprint or a misreading, two are not. In a short list only a distant year is odd.
    let odd = |before: u16| years.len() >= 8 && newest > before + 2 || years.len() >= 3 && newest > before + 8;
    Some(before.filter(|before| odd(*before)).unwrap_or(newest))
}

/// How `work` relates to the paper's date, or to the newest year the paper cites if its date is unknown.
///
/// If a month is unknown, the years decide: an earlier year is `Earlier`, and the same year is `SameYear`. If both months are known, `Earlier` needs
/// at least three months between the last possible day of the work and the first possible day of the paper.
/// A date from the paper's file may be that of a later export. It needs twelve months, or a work from before the newest
/// cited year. A date that sources disagree on (`date_doubt`) is `Concurrent`.
#[must_use]
pub fn timing(work: &Work, as_of: Option<&AsOf>, not_before: Option<u16>) -> Timing {
    match work.earliest() {
        None => Timing::Undated,
        Some(_) if date_doubt(work, as_of, not_before).is_some() => Timing::Concurrent,
        Some(dated) => timing_of(dated, as_of, not_before),
    }
}

/// As [`timing`], for a work that the paper cites or does not cite: what it cites is earlier, unless the record is of a later version.
#[must_use]
pub(crate) fn timing_if_cited(timing: Timing, is_cited: bool) -> Timing {
    match timing {
        Timing::Concurrent | Timing::SameYear | Timing::Undated if is_cited => Timing::Earlier,
        other => other,
    }
}

/// Why a work dated before the paper by one source does not count as earlier: another source dates it later, and no second one confirms it.
///
/// An arXiv number or a printed date settles it. Records of one source do not disagree: a preprint and its journal version have two dates.
fn date_doubt(work: &Work, as_of: Option<&AsOf>, not_before: Option<u16>) -> Option<Doubt> {
    let is_earlier = |dated: &PublicationDate| timing_of(dated, as_of, not_before) == Timing::Earlier;
    let earliest = work.earliest().filter(|dated| is_earlier(dated))?;
    let number = work
        .identifiers
        .arxiv
        .as_ref()
        .and_then(precedent_domain::ArxivId::submitted);
    let number = number.map(|date| PublicationDate {
        date,
        origin: DateOrigin::ArxivId,
    });
    let is_settled = |dated: &PublicationDate| {
        let of_source = matches!(dated.origin, DateOrigin::Record(_) | DateOrigin::FileMetadata);
        !of_source && is_earlier(dated)
    };
    if work.dates.iter().chain(&number).any(is_settled) {
        return None;
    }
    let mut by_source: BTreeMap<&String, Vec<&PublicationDate>> = BTreeMap::new();
    for dated in &work.dates {
        if let DateOrigin::Record(source) = &dated.origin {
            by_source.entry(source).or_default().push(dated);
        }
    }
    let (mut earlier, mut later) = (Vec::new(), Vec::new());
    for (source, dates) in by_source {
        if dates.iter().any(|dated| is_earlier(dated)) {
            earlier.push(source.clone());
        } else if dates
            .iter()
            .all(|dated| dated.date.against(earliest.date) == DateOrder::After)
        {
            later.push(source.clone());
        }
    }
    (earlier.len() < AGREED && !later.is_empty()).then_some(Doubt::Date { earlier, later })
}

/// Adds the dates that the identifiers of a work contain, if its records have no date, or only the year of the paper. In other years the year
/// decides.
pub(crate) fn add_identifier_dates(work: &mut Work, as_of: Option<&AsOf>) {
    for dated in work.identifiers.dates() {
        let is_open = |known: &PublicationDate| {
            known.date.month().is_none() && as_of.is_some_and(|as_of| as_of.date.year() == known.date.year())
        };
        let refines = work
            .dates
            .iter()
            .any(|known| is_open(known) && known.date.year() == dated.date.year());
        // The month of a venue is the latest usual one, so it can show that a paper is earlier, and nothing else.
        let shows = dated.origin != DateOrigin::AclId || timing_of(&dated, as_of, None) == Timing::Earlier;
        if shows && (refines || work.dates.is_empty()) && !work.dates.contains(&dated) {
            work.dates.push(dated);
        }
    }
}

/// Adds the doubt of [`date_doubt`] to the work, if there is one.
pub(crate) fn doubt_date(work: &mut Work, as_of: Option<&AsOf>, not_before: Option<u16>) {
    let doubt = date_doubt(work, as_of, not_before);
    work.doubt_with(doubt.into_iter().collect());
}

/// How one date relates to the paper's date.
fn timing_of(dated: &PublicationDate, as_of: Option<&AsOf>, not_before: Option<u16>) -> Timing {
    let date = dated.date;
    // The paper cites works of that year, so it is not older than its first day.
    let before_what_is_cited = not_before.is_some_and(|year| clear_of(date, (year, 1, 1), CONCURRENT_MONTHS));
    let Some(as_of) = as_of else {
        return if before_what_is_cited {
            Timing::Earlier
        } else {
            Timing::Concurrent
        };
    };
    let from_file = as_of.origin == DateOrigin::FileMetadata;
    if !from_file && (date.month().is_none() || as_of.date.month().is_none()) {
        return match date.year().cmp(&as_of.date.year()) {
            Ordering::Less => Timing::Earlier,
            Ordering::Equal => Timing::SameYear,
            // A file may be much newer than the work.
            Ordering::Greater if dated.origin == DateOrigin::FileMetadata => Timing::Concurrent,
            Ordering::Greater => Timing::Later,
        };
    }
    match date.against(as_of.date) {
        // A file may be much newer than the work.
        DateOrder::After if dated.origin == DateOrigin::FileMetadata => Timing::Concurrent,
        DateOrder::After => Timing::Later,
        DateOrder::SameDay | DateOrder::Open => Timing::Concurrent,
        DateOrder::Before => {
            let months = if from_file { REEXPORT_MONTHS } else { CONCURRENT_MONTHS };
            if clear_of(date, as_of.date.first_day(), months) || from_file && before_what_is_cited {
                Timing::Earlier
            } else {
                Timing::Concurrent
            }
        }
    }
}

/// Whether more than `months` lie between the last possible day of `date` and `day`.
fn clear_of(date: PartialDate, day: (u16, u8, u8), months: u16) -> bool {
    let (year, month, of_month) = date.last_day();
    let moved = u16::from(month) - 1 + months;
    let month = u8::try_from(moved % 12 + 1).unwrap_or(12);
    (year + moved / 12, month, of_month) < day
}

#[cfg(test)]
mod tests {
    use super::*;

    fn work(date: Option<&str>) -> Work {
        Work {
            dates: date
                .map(|date| PublicationDate {
                    date: date.parse().unwrap(),
                    origin: DateOrigin::Record("c".into()),
                })
                .into_iter()
                .collect(),
            ..Work::titled("w:1".parse().unwrap(), "T".into())
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
    fn timing_depends_on_date_precision() {
        assert_eq!(at("2099", "2024"), Timing::Later);
        assert_eq!(at("2024", "2024-05-17"), Timing::SameYear);
        assert_eq!(at("2024-12", "2024"), Timing::SameYear);
        assert_eq!(at("2024-05-17", "2024-05-17"), Timing::Concurrent);
        assert_eq!(at("2024-05-18", "2024-05-17"), Timing::Later);
        assert_eq!(at("2024-02-17", "2024-05-17"), Timing::Concurrent);
        assert_eq!(at("2024-02-16", "2024-05-17"), Timing::Earlier);
        assert_eq!(at("2023-11-30", "2024-03-01"), Timing::Earlier);
        assert_eq!(at("2023-12-31", "2024-03-31"), Timing::Concurrent);
        assert_eq!(at("2023", "2024"), Timing::Earlier);
        assert_eq!(at("2022", "2024"), Timing::Earlier);
        assert_eq!(at("2023", "2024-01"), Timing::Earlier);
        assert_eq!(at("2023-12", "2024"), Timing::Earlier);
        assert_eq!(at("2023-09", "2024"), Timing::Earlier);
        assert_eq!(timing(&work(None), None, None), Timing::Undated);
    }

    #[test]
    fn what_the_paper_cites_is_earlier() {
        for open in [Timing::Concurrent, Timing::SameYear, Timing::Undated] {
            assert_eq!(timing_if_cited(open, true), Timing::Earlier);
            assert_eq!(timing_if_cited(open, false), open);
        }
        // The record of a later version may contain what the cited one did not.
        assert_eq!(timing_if_cited(Timing::Later, true), Timing::Later);
    }

    #[test]
    fn identifiers_refine_a_bare_year_and_contradict_no_record() {
        let paper = |date: &str| AsOf {
            date: date.parse().unwrap(),
            origin: DateOrigin::Given,
        };
        let with_id = |date: Option<&str>| {
            let mut work = work(date);
            work.identifiers.acl = Some("2024.acl-long.371".parse().unwrap());
            add_identifier_dates(&mut work, Some(&paper("2024-12-20")));
            work.earliest()
                .map(|dated| (dated.date.to_string(), dated.origin.clone()))
        };
        let august = Some(("2024-08".to_owned(), DateOrigin::AclId));
        assert_eq!(with_id(Some("2024")), august);
        assert_eq!(with_id(None), august);
        let recorded = |date: &str| Some((date.to_owned(), DateOrigin::Record("c".into())));
        assert_eq!(with_id(Some("2024-06")), recorded("2024-06"));
        assert_eq!(with_id(Some("2023")), recorded("2023"));
        // A conference of September, with December as the latest usual month of its venue, is not later than a paper of October.
        let mut same_year = work(Some("2015"));
        same_year.identifiers.acl = Some("D15-1001".parse().unwrap());
        let october = paper("2015-10-20");
        add_identifier_dates(&mut same_year, Some(&october));
        assert_eq!(timing(&same_year, Some(&october), None), Timing::SameYear);
        let mut last_year = work(Some("2024"));
        last_year.identifiers.acl = Some("2024.emnlp-main.5".parse().unwrap());
        add_identifier_dates(&mut last_year, Some(&paper("2025-01")));
        assert_eq!(timing(&last_year, Some(&paper("2025-01")), None), Timing::Earlier);
    }

    #[test]
    fn one_misread_year_does_not_change_the_date() {
        assert_eq!(newest(vec![2001, 2003, 2004, 2098]), Some(2004));
        assert_eq!(newest([vec![2010; 9], vec![2013]].concat()), Some(2010));
        assert_eq!(newest(vec![2010, 2011, 2014]), Some(2014));
        assert_eq!(newest(vec![2001, 2098, 2098]), Some(2098));
        assert_eq!(newest(vec![]), None);
    }

    #[test]
    fn undated_paper_uses_its_newest_cited_year() {
        let year = |date: &str| timing(&work(Some(date)), None, Some(2020));
        assert_eq!(
            year("2019-12-31"),
            Timing::Concurrent,
            "the paper may date from January 2020"
        );
        assert_eq!(year("2019"), Timing::Concurrent);
        assert_eq!(year("2019-09"), Timing::Earlier);
        assert_eq!(year("2018"), Timing::Earlier);
        assert_eq!(year("2020"), Timing::Concurrent);
        assert_eq!(year("2031"), Timing::Concurrent);
    }

    #[test]
    fn file_date_may_be_that_of_a_later_export() {
        let as_of = |origin| AsOf {
            date: "2024-05-17".parse().unwrap(),
            origin,
        };
        let file = as_of(DateOrigin::FileMetadata);
        let of_file = |date: &str, cited| timing(&work(Some(date)), Some(&file), cited);
        assert_eq!(
            of_file("2023-11", None),
            Timing::Concurrent,
            "the paper may be older than its file"
        );
        assert_eq!(of_file("2023-04", None), Timing::Earlier);
        assert_eq!(
            of_file("2023-09", Some(2024)),
            Timing::Earlier,
            "a paper that cites a paper of 2024 is not older"
        );
        assert_eq!(of_file("2024-06", None), Timing::Later);
        let printed = as_of(DateOrigin::FrontMatter);
        assert_eq!(timing(&work(Some("2023-11")), Some(&printed), None), Timing::Earlier);
        let mut copy = work(Some("2025"));
        copy.dates
            .iter_mut()
            .for_each(|dated| dated.origin = DateOrigin::FileMetadata);
        assert_eq!(
            timing(&copy, Some(&printed), None),
            Timing::Concurrent,
            "a re-exported work"
        );
    }

    #[test]
    fn unconfirmed_date_is_a_doubt() {
        let paper = AsOf {
            date: "2022-06-15".parse().unwrap(),
            origin: DateOrigin::Given,
        };
        let judged = |dates: &[(&str, &str)], arxiv: Option<&str>| {
            let dates = dates.iter().map(|(source, date)| PublicationDate {
                date: date.parse().unwrap(),
                origin: DateOrigin::Record((*source).into()),
            });
            let mut work = work(None);
            work.dates = dates.collect();
            work.identifiers.arxiv = arxiv.map(|id| id.parse().unwrap());
            let doubt = date_doubt(&work, Some(&paper), None).map(|doubt| match doubt {
                Doubt::Date { earlier, later } => (earlier.join(" "), later.join(" ")),
                other => panic!("{other:?}"),
            });
            (timing(&work, Some(&paper), None), doubt)
        };
        let doubted = |earlier: &str, later: &str| (Timing::Concurrent, Some((earlier.to_owned(), later.to_owned())));
        let (one, late) = (("a", "2022-01-05"), ("b", "2022-11-20"));
        assert_eq!(judged(&[one], None), (Timing::Earlier, None));
        assert_eq!(judged(&[one, late], None), doubted("a", "b"));
        assert_eq!(
            judged(&[one, ("b", "2022-05-30"), ("c", "2023")], None),
            doubted("a", "b c")
        );
        assert_eq!(
            judged(&[one, late, ("c", "2022-01")], None),
            (Timing::Earlier, None),
            "two agree"
        );
        assert_eq!(
            judged(&[one, late], Some("2201.00001")),
            (Timing::Earlier, None),
            "a preprint"
        );
        assert_eq!(judged(&[one, late], Some("2211.00001")), doubted("a", "b"));
        assert_eq!(
            judged(&[one, ("a", "2022-11-20")], None),
            (Timing::Earlier, None),
            "two versions"
        );
        assert_eq!(
            judged(&[one, ("b", "2022")], None),
            (Timing::Earlier, None),
            "a year alone does not contradict it"
        );
        assert_eq!(judged(&[("a", "2022"), late], None), (Timing::Later, None));
        assert_eq!(judged(&[late], None), (Timing::Later, None));
    }

    proptest::proptest! {
        /// The guarantee of `Timing`: on any possible days, of two months, an earlier work is more than three months before the paper, and a later one after it.
        #[test]
        fn timing_holds_for_all_possible_days(
            (wy, wm, wd) in (2018_u16..2026, proptest::option::of(1_u8..=12), proptest::option::of(1_u8..=28)),
            (py, pm, pd) in (2018_u16..2026, proptest::option::of(1_u8..=12), proptest::option::of(1_u8..=28)),
        ) {
            let date = |year, month: Option<u8>, day: Option<u8>| PartialDate::new(year, month, month.and(day)).unwrap();
            let (mine, theirs) = (date(py, pm, pd), date(wy, wm, wd));
            let months = |(year, month, day): (u16, u8, u8)| (u32::from(year) * 12 + u32::from(month), day);
            let as_of = AsOf { date: mine, origin: DateOrigin::Given };
            let ((last, day), first) = (months(theirs.last_day()), months(mine.first_day()));
            let clear = (last + 3, day) < first;
            let expected = if wm.is_none() || pm.is_none() {
                match wy.cmp(&py) {
                    Ordering::Less => Timing::Earlier,
                    Ordering::Equal => Timing::SameYear,
                    Ordering::Greater => Timing::Later,
                }
            } else if theirs.first_day() > mine.last_day() {
                Timing::Later
            } else if clear {
                Timing::Earlier
            } else {
                Timing::Concurrent
            };
            let found = timing(&work(Some(&theirs.to_string())), Some(&as_of), None);
            proptest::prop_assert_eq!(found, expected, "{} beside {}", theirs, mine);
        }
    }
}
