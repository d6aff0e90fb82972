use precedent_domain::{DateOrigin, Granularity, Identifiers, PartialDate, PublicationDate};
use precedent_text::pattern;

use super::calendar::dates;
use crate::assemble::floor_boundary;

/// How reliably a printed date says when the paper became public. Lower is better.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Trust {
    /// The day in the stamp of a first arXiv version.
    Stamp,
    /// The month in an arXiv id.
    ArxivNumber,
    /// A date stated by the format itself.
    Stated,
    /// `Published`, `Available online`, `Posted`.
    Published,
    /// A date without context in the front matter.
    Plain,
    /// A conference or journal line.
    Venue,
    /// `Accepted`.
    Accepted,
    /// `Received`, `Submitted`: not public yet.
    Received,
    /// `© 2019`.
    Copyright,
    /// Written by a program.
    Metadata,
}

/// Finds the dates of a paper. `front` holds the parts of its front matter, `venues` its lines that name a venue and a year, and `stated` the dates
/// from the format.
pub(crate) fn find<'a>(
    front: impl Iterator<Item = &'a str>,
    venues: impl Iterator<Item = &'a str>,
    own: &Identifiers,
    stated: Vec<PublicationDate>,
) -> Vec<PublicationDate> {
    let mut found: Vec<(Trust, PublicationDate)> = stated
        .into_iter()
        .map(|date| match date.origin {
            DateOrigin::FileMetadata => (Trust::Metadata, date),
            DateOrigin::ArxivId => (Trust::ArxivNumber, date),
            _ => (Trust::Stated, date),
        })
        .collect();
    if let Some(date) = own.arxiv.as_ref().and_then(precedent_domain::ArxivId::submitted) {
        found.push((
            Trust::ArxivNumber,
            PublicationDate {
                date,
                origin: DateOrigin::ArxivId,
            },
        ));
    }
    for piece in front {
        found.extend(printed(piece).into_iter().map(|(trust, date)| {
            let origin = DateOrigin::FrontMatter;
            (trust, PublicationDate { date, origin })
        }));
    }
    // `June 2015` is a full date and is found above.
    let of_venues = venues
        .map(beginning)
        .filter(|line| dates(line).is_empty())
        .flat_map(years)
        .filter_map(|(year, _)| PartialDate::new(year, None, None).ok());
    found.extend(of_venues.map(|date| {
        let origin = DateOrigin::FrontMatter;
        (Trust::Venue, PublicationDate { date, origin })
    }));
    found.retain(|(_, date)| (1600..=2100).contains(&date.date.year()));
    found.sort_by_key(|(trust, date)| (*trust, fineness(date.date)));
    let mut kept: Vec<PublicationDate> = Vec::new();
    for (_, date) in found {
        let repeated = kept
            .iter()
            .any(|other| other.date == date.date && other.origin == date.origin);
        if !repeated {
            kept.push(date);
        }
    }
    kept
}

fn fineness(date: PartialDate) -> u8 {
    match date.granularity() {
        Granularity::Day => 0,
        Granularity::Month => 1,
        Granularity::Year => 2,
    }
}

/// Maximum bytes of one part of the front matter that are examined.
const LONGEST_PIECE: usize = 10_000;

/// The part that is examined: much work is repeated for each year in it.
fn beginning(piece: &str) -> &str {
    piece.get(..floor_boundary(piece, LONGEST_PIECE)).unwrap_or(piece)
}

/// The dates in one part of the front matter.
fn printed(piece: &str) -> Vec<(Trust, PartialDate)> {
    let piece = beginning(piece);
    let exact = dates(piece);
    let mut found: Vec<(Trust, PartialDate)> = exact
        .iter()
        .filter_map(|date| {
            let before = piece.get(..date.range.start).unwrap_or_default();
            trust_of(before, piece).map(|trust| (trust, date.date))
        })
        .collect();
    let taken = |at: usize| exact.iter().any(|date| date.range.contains(&at));
    for (year, at) in years(piece) {
        if taken(at) {
            continue;
        }
        let before = piece.get(..at).unwrap_or_default();
        let trust = if pattern!(r"(?i)(?:©|\(c\)|copyright)[^.;]{0,60}$").is_match(before) {
            Trust::Copyright
        } else if is_venue_line(piece) {
            Trust::Venue
        } else {
            continue;
        };
        if let Ok(date) = PartialDate::new(year, None, None) {
            found.push((trust, date));
        }
    }
    found
}

/// How far a date is trusted, from the words before it; `None` for dates that are not the paper's.
fn trust_of(before: &str, piece: &str) -> Option<Trust> {
    let near: String = before
        .chars()
        .rev()
        .take(90)
        .collect::<Vec<_>>()
        .into_iter()
        .rev()
        .collect();
    let last = |pattern: &regex::Regex| pattern.find_iter(&near).last().map(|found| found.end());
    let words = [
        (
            last(pattern!(
                r"(?i)\b(?:published|publication date|available online|first published|posted|online|released|issued|veröffentlicht|publié|publicado)\b"
            )),
            Trust::Published,
        ),
        (
            last(pattern!(r"(?i)\b(?:accepted|angenommen|accepté|aceptado)\b")),
            Trust::Accepted,
        ),
        (
            last(pattern!(
                r"(?i)\b(?:received|submitted|revised|manuscript|eingereicht|reçu|recibido)\b"
            )),
            Trust::Received,
        ),
        (
            last(pattern!(
                r"(?i)\b(?:accessed|retrieved|visited|downloaded|printed|born|grant|funded|expires|licensed|deadline)\b"
            )),
            Trust::Metadata,
        ),
        (last(pattern!(r"(?i)©|\bcopyright\b")), Trust::Copyright),
    ];
    let nearest = words
        .into_iter()
        .filter_map(|(end, trust)| Some((end?, trust)))
        .max_by_key(|(end, _)| *end);
    if let Some((version, stamp)) = arxiv_stamp(piece)
        && before.len() >= stamp
    {
        // The stamp of a later version is later than the first publication.
        return (version <= 1).then_some(Trust::Stamp);
    }
    match nearest {
        Some((_, Trust::Metadata)) => None,
        Some((_, trust)) => Some(trust),
        None if is_venue_line(piece) => Some(Trust::Venue),
        None => Some(Trust::Plain),
    }
}

/// `arXiv:2509.08755v2 [cs.AI] 10 Sep 2025`: the version and the end offset of the stamp's id.
fn arxiv_stamp(piece: &str) -> Option<(u32, usize)> {
    let found = pattern!(r"(?i)arxiv:\s?(?:\d{4}\.\d{4,5}|[a-z-]+(?:\.[A-Z]{2})?/\d{7})(?:v(\d{1,2}))?\s*\[")
        .captures(piece)?;
    let version = found
        .get(1)
        .and_then(|version| version.as_str().parse().ok())
        .unwrap_or(1);
    Some((version, found.get(0)?.end()))
}

/// Whether a line names proceedings, a conference or a journal volume.
pub(super) fn is_venue_line(piece: &str) -> bool {
    pattern!(
        r"(?x)(?i:\bproceedings\b|\bproc\.\s|\b(?:annual|international|joint|european|national)\s(?:[^\s.,;:]+\s){0,6}(?:conference|meeting|symposium|workshop|congress)\b|\bconference\son\b|\bworkshop\son\b|\bsymposium\son\b|\bconference\spaper\sat\b|\btransactions\son\b|\bjournal\sof\b|\bvol(?:ume|\.)\s*\d|\bissue\s\d|\btech(?:nical|\.)\sreport\b)
        |\b(?:NeurIPS|NIPS|ICML|ICLR|AAAI|IJCAI|CVPR|ICCV|ECCV|ACL|EMNLP|NAACL|EACL|COLING|CoNLL|LREC|TACL|KDD|WWW|SIGIR|CIKM|WSDM|CHI|UAI|AISTATS|COLT|ICRA|IROS|CoRL|RSS|INTERSPEECH|ICASSP|SIGMOD|VLDB|ICDE|PLDI|POPL|OOPSLA|ICSE|FSE|ASE|SOSP|OSDI|NSDI|STOC|FOCS|SODA|WACV|BMVC|MICCAI|ECAI|ISMIR|RecSys)\s?['’]?\s?(?:(?:19|20)\d\d|\d\d\b)"
    )
    .is_match(piece)
}

/// Years without month or day, with their offsets.
fn years(piece: &str) -> Vec<(u16, usize)> {
    let pages = pattern!(r"(?i)(?:pp?\.|pages?)\s*\d*\s*[-–]?\s*$");
    pattern!(r"\b(?:19|20)\d\d\b")
        .find_iter(piece)
        .filter(|found| {
            let before = piece.get(..found.start()).unwrap_or_default();
            let after = piece.get(found.end()..).unwrap_or_default();
            !pages.is_match(before)
                && !before.ends_with(['.', '/', '-', '–', ':'])
                && !after.starts_with(['/', '-', '–'])
                && !pattern!(r"^\.\d").is_match(after)
        })
        .filter_map(|found| Some((found.as_str().parse().ok()?, found.start())))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn first(pieces: &[&str], arxiv: Option<&str>) -> String {
        let own = Identifiers {
            arxiv: arxiv.map(|id| id.parse().unwrap()),
            ..Identifiers::default()
        };
        find(pieces.iter().copied(), std::iter::empty(), &own, Vec::new())
            .first()
            .map(|date| date.date.to_string())
            .unwrap_or_default()
    }

    #[test]
    fn the_most_trusted_date_comes_first() {
        for (pieces, arxiv, expected) in [
            (
                &["Received 3 March 2010; Accepted 1 June 2010; Published 12 July 2010"][..],
                None,
                "2010-07-12",
            ),
            (
                &["arXiv:2509.08755v1 [cs.AI] 10 Sep 2025"],
                Some("2509.08755"),
                "2025-09-10",
            ),
            (
                &["arXiv:2509.08755v3 [cs.AI] 10 Jan 2026"],
                Some("2509.08755"),
                "2025-09",
            ),
            (
                &["39th Conference on Neural Information Processing Systems (NeurIPS 2025)."],
                None,
                "2025",
            ),
            (
                &[
                    "Proceedings of the 44th Annual Meeting of the ACL, pages 17–24, Sydney, July 2006. ©2006 Association",
                ],
                None,
                "2006-07",
            ),
            (&["Under review as a conference paper at ICLR 2025"], None, "2025"),
            (&["Copyright © 1999 ACM"], None, "1999"),
            (&["Ann Lee, Example University, founded 1867"], None, ""),
            (&["May 2020", "© 2021 The Authors"], None, "2020-05"),
            (&["Accessed 3 May 2020"], None, ""),
        ] {
            assert_eq!(first(pieces, arxiv), expected, "{pieces:?}");
        }
    }

    #[test]
    fn metadata_comes_last() {
        let stated = vec![PublicationDate {
            date: "2018-01-01".parse().unwrap(),
            origin: DateOrigin::FileMetadata,
        }];
        let dates = find(
            ["© 2017 ACM"].into_iter(),
            std::iter::empty(),
            &Identifiers::default(),
            stated,
        );
        assert_eq!(
            dates.iter().map(|date| date.date.to_string()).collect::<Vec<_>>(),
            ["2017", "2018-01-01"]
        );
    }
}
