use std::collections::BTreeMap;
use std::ops::Range;

use precedent_domain::{CitationMark, Reference, Span};
use precedent_text::pattern;
use unicode_normalization::UnicodeNormalization;

use crate::budget::{ReadBudget, ReadResource};

/// Reference entries by family name of the first author and year.
pub(super) struct AuthorYears<'a> {
    by_name: BTreeMap<(String, u16), Vec<&'a Reference>>,
    budget: &'a ReadBudget,
}

/// Cost of comparing an entry with a mark, in steps.
const CANDIDATE_STEPS: usize = 32;

/// One citation, such as `Smith and Lee, 2019a, 2020`, inside a mark.
struct Cited<'t> {
    /// Family names as printed. The first one is used for lookup.
    names: Vec<&'t str>,
    others: bool,
    years: Vec<(u16, Option<char>)>,
}

/// Pattern for a family name with its particles.
const NAME: &str = r"(?:(?:van|von|der|den|de|la|le|du|di|da|dos|del|della|ter|ten|zu|al|el|bin|ibn|Van|Von|De|La|Le|Du|Di|Da|El|Al)[\s-]+){0,3}(?:[dlDLO]['’])?\p{Lu}[\p{L}'’‐-]*(?:\s\p{Lu}[\p{Ll}'’‐-]+){0,2}";
const YEAR: &str = r"(?:1[5-9]\d\d|20\d\d)(?:\s?[a-z]\b)?";
/// Maximum bytes in a pair of brackets before its first year, and after its last. 20 citations have 400.
const BEFORE_YEAR: usize = 600;
const AFTER_YEAR: usize = 300;

impl<'a> AuthorYears<'a> {
    pub(super) fn of(entries: &'a [Reference], budget: &'a ReadBudget) -> Self {
        let mut by_name: BTreeMap<(String, u16), Vec<&Reference>> = BTreeMap::new();
        for entry in entries {
            let Some(year) = entry.year else { continue };
            let first = match entry.authors.first() {
                Some(author) => fold(author.family_name()),
                // If the names of an entry could not be parsed, use the start of its text: entries begin with a name.
                None => fold(
                    entry
                        .text
                        .split([',', '.', '('])
                        .next()
                        .unwrap_or_default()
                        .split_whitespace()
                        .next_back()
                        .unwrap_or_default(),
                ),
            };
            if !first.is_empty() {
                by_name.entry((first, year)).or_default().push(entry);
            }
        }
        Self { by_name, budget }
    }

    /// The marks in `text`, which starts at offset `base`.
    pub(super) fn marks(&self, text: &str, base: usize) -> Vec<CitationMark> {
        let mut marks = self.in_text(text, base);
        for (whole, inside) in brackets_with_year(text) {
            let cited = inside_bracket(inside);
            if cited.is_empty() {
                continue;
            }
            marks.push(CitationMark {
                span: Span::new(base + whole.start, base + whole.end),
                references: self.resolve_all(&cited),
            });
        }
        marks
    }

    /// `Smith and Lee (2019)`, `Smith et al.’s (2019a, 2020)`, `Smith [2019]`.
    fn in_text(&self, text: &str, base: usize) -> Vec<CitationMark> {
        // The long pattern takes time to compile, and papers that cite by number never need it.
        if !pattern!(r"[(\[](?:1[5-9]|20)\d\d").is_match(text) {
            return Vec::new();
        }
        narrative_pattern()
            .captures_iter(text)
            .filter_map(|found| {
                let whole = found.get(0)?;
                let cited = cited(
                    found.name("names")?.as_str(),
                    found.name("others").is_some(),
                    found.name("years")?.as_str(),
                )?;
                let references = self.resolve(&cited);
                // `In May (2019)` is a citation only if the reference list contains it.
                (!references.is_empty() || found.name("others").is_some()).then(|| CitationMark {
                    span: Span::new(base + whole.start(), base + whole.end()),
                    references,
                })
            })
            .collect()
    }

    fn resolve_all(&self, cited: &[Cited<'_>]) -> Vec<u32> {
        let mut numbers = Vec::new();
        for one in cited {
            for number in self.resolve(one) {
                if !numbers.contains(&number) {
                    numbers.push(number);
                }
            }
        }
        numbers
    }

    fn resolve(&self, cited: &Cited<'_>) -> Vec<u32> {
        cited
            .years
            .iter()
            .filter_map(|(year, letter)| self.entry(cited, *year, *letter))
            .collect()
    }

    /// The single entry that matches; `None` if no entry or several match.
    fn entry(&self, cited: &Cited<'_>, year: u16, letter: Option<char>) -> Option<u32> {
        // Words before the name (`In`, `See Also`) may have been parsed as part of it.
        let last = fold(cited.names.first()?.split_whitespace().next_back()?);
        let candidates = self.by_name.get(&(last, year))?;
        if !self
            .budget
            .spend(ReadResource::Steps, candidates.len() * CANDIDATE_STEPS)
        {
            return None;
        }
        let lettered =
            |entry: &&&Reference| letter.is_none() || entry.year_letter.is_none() || entry.year_letter == letter;
        let loose: Vec<&&Reference> = candidates.iter().filter(lettered).collect();
        let top = loose
            .iter()
            .map(|entry| likeness(cited, entry))
            .max()
            .filter(|top| *top > 0);
        let best: Vec<&&Reference> = loose
            .iter()
            .copied()
            .filter(|entry| Some(likeness(cited, entry)) == top)
            .collect();
        match (best.as_slice(), loose.as_slice(), letter) {
            ([one], _, _) | ([], [one], _) => Some(one.number),
            // If the list prints no letters, `2019a` is the first entry of its year.
            (several @ [_, _, ..], _, Some(letter)) => {
                let exact = several.iter().find(|entry| entry.year_letter == Some(letter));
                let index = usize::try_from(u32::from(letter).checked_sub(u32::from('a'))?).ok()?;
                exact.or_else(|| several.get(index)).map(|entry| entry.number)
            }
            _ => None,
        }
    }
}

/// How well the names of a mark match an entry with the same first author: 0 is no match, 3 is a match in number and names.
fn likeness(cited: &Cited<'_>, entry: &Reference) -> u8 {
    let count = entry.authors.len();
    let family = |printed: &str| fold(printed.split_whitespace().next_back().unwrap_or_default());
    match (cited.names.get(1), cited.others) {
        (Some(second), others) => {
            let agrees = entry
                .authors
                .get(1)
                .is_some_and(|author| fold(author.family_name()) == family(second));
            if agrees {
                2 + u8::from(others || count == cited.names.len())
            } else {
                0
            }
        }
        (None, true) if count >= 3 => 3,
        (None, true) => u8::from(count == 2 || entry.text.contains("et al") || entry.text.contains("others")) * 2,
        (None, false) => u8::from(count <= 1) * 3,
    }
}

fn narrative_pattern() -> &'static regex::Regex {
    pattern!(&format!(
        r"(?P<names>{NAME}(?:,\s+{NAME})*(?:,?\s+(?:and|&)\s+{NAME})?)(?P<others>,?\s+(?:et\.?\s+al\.?|and\s+(?:others|colleagues)))?(?:['’]s?)?,?\s+[(\[](?P<years>{YEAR}(?:\s*[,;]\s*(?:{YEAR}|[a-z]\b))*)(?:,\s*[^()\[\]\n]{{1,40}})?[)\]]"
    ))
}

/// The pairs of brackets with a year and without further brackets or line feeds, and the text in them.
fn brackets_with_year(text: &str) -> impl Iterator<Item = (Range<usize>, &str)> {
    let mut edges = text
        .match_indices(['(', '[', ')', ']', '\n'])
        .filter_map(|(at, edge)| Some((at, edge.chars().next()?)))
        .peekable();
    let pairs = std::iter::from_fn(move || Some((edges.next()?, *edges.peek()?)));
    let pairs = pairs.filter(|((_, open), (_, close))| matches!((open, close), ('(' | '[', ')' | ']')));
    let pairs = pairs.filter_map(|((start, _), (end, _))| Some((start..end + 1, text.get(start + 1..end)?)));
    pairs.filter(|(_, inside)| {
        let mut years = pattern!(r"1[5-9]\d\d|20\d\d").find_iter(inside);
        years.any(|year| year.start() <= BEFORE_YEAR && inside.len() - year.end() <= AFTER_YEAR)
    })
}

/// The citations inside one pair of brackets.
fn inside_bracket(inside: &str) -> Vec<Cited<'_>> {
    let citation = pattern!(&format!(
        r"(?P<names>{NAME}(?:,\s+{NAME})*(?:,?\s+(?:and|&)\s+{NAME})?)(?P<others>,?\s+(?:et\.?\s+al\.?|and\s+(?:others|colleagues)))?,?\s+\(?(?P<years>{YEAR}(?:\s*[,;/]\s*(?:{YEAR}|[a-z]\b))*)"
    ));
    citation
        .captures_iter(inside)
        .filter_map(|found| {
            cited(
                found.name("names")?.as_str(),
                found.name("others").is_some(),
                found.name("years")?.as_str(),
            )
        })
        .collect()
}

fn cited<'t>(names: &'t str, others: bool, years: &str) -> Option<Cited<'t>> {
    let names: Vec<&str> = pattern!(r",?\s+(?:and|&)\s+|,\s+")
        .split(names)
        .filter(|name| !name.is_empty())
        .collect();
    if names.iter().any(|name| is_no_name(name)) {
        return None;
    }
    Some(Cited {
        names,
        others,
        years: years_of(years),
    })
}

/// Capitalized words before a year that are not names.
fn is_no_name(name: &str) -> bool {
    pattern!(
        r"^(?:January|February|March|April|May|June|July|August|September|October|November|December|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec|In|Since|Until|During|Before|After|By|From|Figure|Fig|Table|Section|Copyright|Spring|Summer|Fall|Autumn|Winter|Version|Release|Proceedings|Conference|Vol|Volume|Accessed|Published|The)$"
    )
    .is_match(name)
}

/// `2019a, b, 2020`: years with their letters.
fn years_of(years: &str) -> Vec<(u16, Option<char>)> {
    let mut out: Vec<(u16, Option<char>)> = Vec::new();
    for part in years.split([',', ';', '/']).map(str::trim) {
        let digits: String = part.chars().take_while(char::is_ascii_digit).collect();
        let letter = part.chars().last().filter(char::is_ascii_lowercase);
        match (digits.parse(), out.last().copied()) {
            (Ok(year), _) => out.push((year, letter)),
            (Err(_), Some((year, _))) if letter.is_some() => out.push((year, letter)),
            _ => {}
        }
    }
    out
}

/// Folds accents, case and hyphens so that names compare equal.
fn fold(name: &str) -> String {
    name.nfkd()
        .filter(|c| c.is_alphanumeric())
        .flat_map(char::to_lowercase)
        .collect()
}
