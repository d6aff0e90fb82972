use std::ops::Range;

use precedent_text::pattern;

use crate::assemble::{floor_boundary, tail};

/// A year of publication as printed in an entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct PrintedYear {
    pub(super) year: u16,
    pub(super) letter: Option<char>,
    /// The year with its letter, without brackets.
    pub(super) range: Range<usize>,
    /// Whether it is in round brackets of its own: `(2019)`, `(2019, June)`.
    pub(super) bracketed: bool,
}

/// Maximum bytes of an entry that are searched for its year. The longest real ones, with hundreds of authors, have 20,000.
const LONGEST_ENTRY: usize = 64 << 10;

/// Maximum years examined per entry.
const YEARS: usize = 500;

/// Bytes before a year that are searched for words that rule it out.
const WORDS_BEFORE: usize = 256;

/// Every number in `text` that can be a year of publication, in order. Years inside addresses, identifiers and page ranges are excluded.
pub(super) fn years(text: &str) -> Vec<PrintedYear> {
    let text = text.get(..floor_boundary(text, LONGEST_ENTRY)).unwrap_or_default();
    let printed = pattern!(r"(?P<year>1[5-9]\d\d|20\d\d)(?P<letter>[a-z])?");
    let addresses: Vec<Range<usize>> =
        pattern!(r"(?i)https?://\S*|www\.\S*|doi:?\s*10\.\S*|\b10\.\d{4,9}/\S*|arxiv[:.\s]*\d{4}\.\d{4,5}\S*|abs/\S*")
            .find_iter(text)
            .map(|found| found.range())
            .collect();
    printed
        .captures_iter(text)
        .take(YEARS)
        .filter_map(|found| {
            let whole = found.get(0)?;
            let range = whole.range();
            // Addresses are sorted and do not overlap.
            let inside = addresses
                .get(addresses.partition_point(|address| address.end <= range.start))
                .is_some_and(|address| address.start < range.end);
            let year = found.name("year")?.as_str().parse().ok()?;
            let before = text.get(..range.start)?;
            let after = text.get(range.end..)?;
            (!inside && is_separate(before, after)).then(|| PrintedYear {
                year,
                letter: found.name("letter").and_then(|letter| letter.as_str().chars().next()),
                bracketed: before.ends_with(['(', '[', '（']) && after.starts_with([')', ',', ']', ' ', '）']),
                range,
            })
        })
        .collect()
}

/// Whether it is not part of a longer number, a page range or a word.
fn is_separate(before: &str, after: &str) -> bool {
    let mut behind = before.chars().rev();
    let (last, last_but_one) = (behind.next(), behind.next());
    let mut ahead = after.chars();
    let (next, next_but_one) = (ahead.next(), ahead.next());
    let before = tail(before, WORDS_BEFORE);
    let digit = |c: Option<char>| c.is_some_and(|c| c.is_ascii_digit());
    let glued_before = last.is_some_and(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '/' | '#'))
        || matches!(last, Some('-' | '–' | '.' | ':')) && digit(last_but_one);
    let glued_after = digit(next)
        || next.is_some_and(char::is_alphabetic) && next.is_some_and(|c| c.is_lowercase())
        || matches!(next, Some('_'))
        || matches!(next, Some('-' | '–' | '.' | ':')) && digit(next_but_one);
    let pages = before.trim_end().ends_with(['p', 'g']) && before.trim_end().ends_with("pp")
        || pattern!(r"\b(?:pp?\.|PP\.|(?i:pages?|vol(?:ume)?\.?|no\.))\s*$").is_match(before);
    !glued_before && !glued_after && !pages
}

/// The year of publication of an entry: after the authors, in brackets, before a semicolon (Vancouver), or else the last one.
pub(super) fn choose(text: &str) -> Option<PrintedYear> {
    let years = years(text);
    let accessed = pattern!(r"(?i)(?:accessed|visited|retrieved|last checked|besucht)\b[^.;]{0,30}$");
    let lettered = |year: &&PrintedYear| year.letter.is_some();
    let published =
        |year: &&PrintedYear| !accessed.is_match(tail(text.get(..year.range.start).unwrap_or_default(), WORDS_BEFORE));
    let kept: Vec<&PrintedYear> = years.iter().filter(published).collect();
    let after = |year: &PrintedYear| text.get(year.range.end..).unwrap_or_default();
    let vancouver =
        |year: &&&PrintedYear| pattern!(r"^(?: [A-Z][a-z]{2}(?: \d{1,2})?)?\s?;\s?\d").is_match(after(year));
    let chosen = kept
        .iter()
        .find(|year| lettered(year))
        .or_else(|| kept.iter().find(|year| is_after_authors(text, year)))
        .or_else(|| kept.iter().find(|year| year.bracketed))
        .or_else(|| kept.iter().find(vancouver))
        .or_else(|| kept.last())
        .copied();
    chosen.or(years.last()).cloned()
}

/// `Smith, J. 2019. Title`: the year is before the title.
fn is_after_authors(text: &str, year: &PrintedYear) -> bool {
    let before = text.get(..year.range.start).unwrap_or_default();
    let after = text.get(year.range.end..).unwrap_or_default();
    super::authors::is_author_list(before.trim_end_matches([' ', ',', '.', '(', ';', ':']))
        && after.trim_start_matches([')', '.', ',', ':', ' ']).chars().count() > 10
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_year_of_publication() {
        for (entry, year, letter) in [
            (
                "McKay RD (1997) Stem cells in the central nervous system. Science 276: 66–71.",
                Some(1997),
                None,
            ),
            (
                "Ann Lee. Trees of 2001. In ACL, pages 2010–2018, 2019b.",
                Some(2019),
                Some('b'),
            ),
            (
                "Lee A. Trees. Cell. 2012;22:334–347. doi: 10.1016/j.devcel.2011.11.020",
                Some(2012),
                None,
            ),
            (
                "Ann Lee. Trees. arXiv preprint arXiv:1905.04388, 2020.",
                Some(2020),
                None,
            ),
            (
                "Ann Lee. Trees. https://x.org/2018/a.pdf, visited on 2024-05-22.",
                None,
                None,
            ),
            (
                "Erik F. Tjong Kim Sang and Fien De Meulder. 2003. Introduction to the CoNLL-2003 shared task. In CoNLL 2003.",
                Some(2003),
                None,
            ),
            (
                "A. Lee, “Trees,” J. Trees, vol. 3, no. 2, pp. 1990–1999, Jan. 2015.",
                Some(2015),
                None,
            ),
            ("A. Lee, Trees, unpublished", None, None),
            ("Brown, P. 2003. Trees that grow. In Proc. of ACL.", Some(2003), None),
            ("A. Lee. Trees. p. 2003", None, None),
        ] {
            let found = choose(entry);
            assert_eq!(found.as_ref().map(|found| found.year), year, "{entry}");
            assert_eq!(found.and_then(|found| found.letter), letter, "{entry}");
        }
    }
}
