//! Where a list of names ends: its words are examined one after the other.

use super::name_lists::{AuthorsEnd, MOST_WORDS, NameStyle, are_full_names, goes_on_as_name, is_author_list};
use super::name_words::{is_connective, is_initials, is_name_word, is_particle, is_suffix, starts_with_year};

/// Names at the start of a list that show its form.
const FIRST_NAMES: usize = 8;

/// A word of an author list, and where it is.
#[derive(Debug, Clone, Copy)]
pub(super) struct NameToken<'a> {
    pub(super) text: &'a str,
    pub(super) start: usize,
    pub(super) end: usize,
}

pub(super) fn tokens(text: &str) -> Vec<NameToken<'_>> {
    text.split_whitespace()
        .map(|word| {
            let start = word.as_ptr() as usize - text.as_ptr() as usize;
            NameToken {
                text: word,
                start,
                end: start + word.len(),
            }
        })
        .collect()
}

/// Walks the words of an entry until the names end.
pub(super) struct NameScan<'a> {
    pub(super) text: &'a str,
    pub(super) tokens: &'a [NameToken<'a>],
    pub(super) style: NameStyle,
    /// Index of the first word of the current chunk.
    pub(super) chunk_start: usize,
    /// Whether the current chunk should be the given names for the family name before it.
    pub(super) expect_given: bool,
    /// Whether the first name begins with an initial.
    pub(super) initials_first: bool,
}

impl NameScan<'_> {
    pub(super) fn step(&mut self, index: usize) -> Option<AuthorsEnd> {
        let token = self.tokens.get(index)?;
        let word = token.text;
        let previous = index.checked_sub(1).and_then(|before| self.tokens.get(before));
        let next = self.tokens.get(index + 1).map_or("", |token| token.text);
        let at = |end: usize, rest: usize, comma: bool| Some(AuthorsEnd { end, rest, comma });
        let before = previous.map_or(0, |token| token.end);
        if index > 0
            && (starts_with_year(word)
                || word.starts_with(['“', '"', '„', '«', '‘', '`', '\''])
                || word.starts_with("(ed")
                || word.starts_with("(Ed"))
        {
            let comma = previous.is_some_and(|token| token.text.ends_with(','));
            return at(trim_end(self.text, before), token.start, comma);
        }
        let bare = word.trim_end_matches([',', ';', ':', '.']);
        // `W. v. Hahn`, but not `Adams v. Berg`.
        let particle = bare == "v" && previous.is_some_and(|token| is_initials(token.text));
        let lower_case =
            !particle && !is_name_word(bare) && !is_connective(bare) && bare != "others" && !bare.starts_with('(');
        if lower_case && !self.names_until_connective(self.chunk_start) {
            // Not a name word, so the text since the last comma is not a name either.
            return self.end_at_comma(index);
        }
        if word.ends_with(':') && (word.len() > 2) {
            return at(token.end - 1, token.end, false);
        }
        if word.ends_with('.') && self.stop_ends_list(index, bare, next) {
            return at(token.end - usize::from(!is_initials(word)), token.end, false);
        }
        if word.ends_with(',') || word.ends_with(';') || is_connective(bare) {
            let chunk = self.chunk(index);
            let one_word = chunk.split_whitespace().filter(|word| !is_particle(word)).count() == 1;
            self.expect_given = self.style == NameStyle::Inverted
                && word.ends_with(',')
                && !self.expect_given
                && (one_word
                    || is_initials(next.trim_end_matches([',', '.', ':', ';']))
                        && !chunk.split_whitespace().any(is_initials))
                && !is_initials(bare);
            self.chunk_start = index + 1;
            if word.ends_with(',') && self.next_is_no_name(index + 1) {
                return at(token.end - 1, token.end, true);
            }
        }
        None
    }

    fn chunk(&self, index: usize) -> &str {
        let start = self.tokens.get(self.chunk_start).map_or(0, |token| token.start);
        let end = self.tokens.get(index).map_or(start, |token| token.end);
        self.text
            .get(start..end)
            .unwrap_or_default()
            .trim_end_matches([',', ';'])
    }

    /// Whether the period after the word at `index` ends the list of names.
    fn stop_ends_list(&self, index: usize, bare: &str, next: &str) -> bool {
        if is_suffix(bare) {
            return !next.chars().next().is_some_and(|c| matches!(c, ',' | '&')) && self.style != NameStyle::Inverted;
        }
        if !is_initials(bare) || self.style == NameStyle::Vancouver {
            return !matches!(bare, "St" | "Dr" | "Prof" | "v" | "et") && !self.divides_name(index, next);
        }
        if self.style == NameStyle::Natural {
            return false;
        }
        // `Smith, J. Q. Title`: an initial after the family name, and no name follows.
        let goes_on = is_initials(next.trim_end_matches([',', ';', ':'])) && next.contains('.')
            || is_connective(next.trim_end_matches(','))
            || is_suffix(next)
            || next.starts_with('(')
            || starts_with_year(next)
            || is_particle(next)
            || next.is_empty();
        self.expect_given && self.chunk_start <= index && !goes_on
    }

    /// `Ann Lee, and Mary. Berg. 2006`: a period inside a name before the year.
    fn divides_name(&self, index: usize, next: &str) -> bool {
        let year = self
            .tokens
            .get(index + 2)
            .is_some_and(|token| starts_with_year(token.text));
        self.chunk_start == index
            && index > 0
            && year
            && next.ends_with('.')
            && is_name_word(next.trim_end_matches('.'))
    }

    /// Whether the chunk that begins at the word `from` cannot be a name.
    fn next_is_no_name(&self, from: usize) -> bool {
        if self.style != NameStyle::Natural {
            return false;
        }
        if self.names_until_year(from) || self.has_full_name(from) && self.names_until_connective(from) {
            return false;
        }
        let mut words = Vec::new();
        let mut stopped = false;
        for token in self.tokens.iter().skip(from).take(8) {
            let bare = token.text.trim_end_matches([',', ';', '.', ':']);
            if words.is_empty() && is_connective(bare) {
                continue;
            }
            words.push(bare);
            let initial = is_initials(token.text) && token.text.ends_with('.');
            if token.text.ends_with([',', ';', ':']) || token.text.ends_with('.') && !initial {
                stopped = token.text.ends_with('.');
                break;
            }
            if is_connective(bare) {
                break;
            }
        }
        let initials = words.iter().any(|word| is_initials(word));
        let lower = words.first().is_some_and(|word| {
            !is_name_word(word)
                && *word != "others"
                && !starts_with_year(word)
                && !word.starts_with(['“', '"', '`', '‘', '\''])
        });
        lower
            || self.initials_first
                && !initials
                && (words.len() >= 2 || stopped)
                && !words.iter().any(|word| matches!(*word, "et" | "al" | "others"))
    }

    /// Whether there are only names between the word `from` and a year.
    fn names_until_year(&self, from: usize) -> bool {
        let first = self.tokens.iter().skip(from).find(|token| !is_connective(token.text));
        let Some(start) = first.map(|token| token.start) else {
            return false;
        };
        let year = self
            .tokens
            .iter()
            .skip(from)
            .take(MOST_WORDS)
            .find(|token| starts_with_year(token.text));
        year.and_then(|year| self.text.get(start..year.start))
            .is_some_and(|between| {
                let names = between.trim_end().trim_end_matches(['.', ',']);
                is_author_list(names)
                    && names
                        .split_whitespace()
                        .all(|word| !word.ends_with('.') || is_initials(word))
            })
    }

    /// Whether one of the first names, before the word `from`, has a whole given name: `C. Richard Ho`, unlike `C. Ho`.
    fn has_full_name(&self, from: usize) -> bool {
        let text = self
            .tokens
            .get(from)
            .and_then(|token| self.text.get(..token.start))
            .unwrap_or_default();
        let is_whole = |word: &&str| !is_initials(word) && !is_particle(word) && is_name_word(word);
        text.split([',', ';'])
            .take(FIRST_NAMES)
            .any(|name| name.split_whitespace().filter(is_whole).count() > 1)
    }

    /// Whether the words from `from` to `and` and one more name are names, although some begin with a lower-case letter: `ada Berg, Jo Hill, and Lu Yin.`
    fn names_until_connective(&self, from: usize) -> bool {
        let is_and = |token: &NameToken<'_>| is_connective(token.text);
        let from = from + usize::from(self.tokens.get(from).is_some_and(is_and) && from > 0);
        let rest = self.tokens.get(from..).unwrap_or_default();
        let last = match from.checked_sub(1).and_then(|before| self.tokens.get(before)) {
            Some(before) if is_and(before) => Some(0),
            _ => rest.iter().take(MOST_WORDS).position(is_and).map(|and| and + 1),
        };
        let Some(last) = last else { return false };
        let is_last = |token: &&NameToken<'_>| token.text.ends_with(['.', ':']) && !is_initials(token.text);
        let end = rest.iter().skip(last).take(5).find(is_last);
        let names = rest
            .first()
            .zip(end)
            .and_then(|(first, end)| self.text.get(first.start..end.end));
        names.is_some_and(|names| are_full_names(names.trim_end_matches(['.', ':'])))
    }

    /// The current chunk contains a word that is not a name, so the list ended with the comma before it.
    fn end_at_comma(&self, index: usize) -> Option<AuthorsEnd> {
        let last = self
            .chunk_start
            .checked_sub(1)
            .and_then(|before| self.tokens.get(before))?;
        (self.chunk_start <= index && last.text.ends_with(',') && self.style == NameStyle::Natural).then(|| {
            AuthorsEnd {
                end: last.end - 1,
                rest: last.end,
                comma: true,
            }
        })
    }
}

fn trim_end(text: &str, end: usize) -> usize {
    text.get(..end)
        .map_or(end, |names| names.trim_end_matches([',', ' ', ':', ';']).len())
}

/// `Bunescu R. & Mooney R.J.`: initials after each family name without a comma. A single name also needs a year or a text that cannot be its end.
pub(super) fn spaced_list(text: &str) -> Option<AuthorsEnd> {
    let tokens = tokens(text);
    let (mut at, mut names) = (0, 0);
    let mut last = None;
    while let Some(name) = spaced_name(&tokens, at) {
        names += 1;
        at = name.next;
        last = Some(name);
        let joined = tokens.get(at).is_some_and(|token| is_connective(token.text));
        let follows = spaced_name(&tokens, at + usize::from(joined)).is_some();
        if joined && !follows {
            // `et al.`
            let others = tokens.get(at + 1).is_some_and(|token| token.text.starts_with("al"));
            at = if others { at + 2 } else { return None };
            break;
        }
        at += usize::from(joined);
        if !joined && !name.comma {
            break;
        }
    }
    let SpacedName { end, comma, .. } = last?;
    let next = tokens.get(at);
    let dated = next.is_some_and(|next| starts_with_year(next.text));
    let alone = || names == 1 && (comma || goes_on_as_name(text, end - 1));
    (dated || !alone()).then(|| AuthorsEnd {
        end,
        rest: next.map_or(text.len(), |next| next.start),
        comma: comma && !dated,
    })
}

/// A name like `van der Berg J. R.,`.
#[derive(Debug, Clone, Copy)]
struct SpacedName {
    /// End of the name in the text.
    end: usize,
    /// Whether a comma follows.
    comma: bool,
    /// Index of the word after it.
    next: usize,
}

/// The name at the word `at`.
fn spaced_name(tokens: &[NameToken<'_>], at: usize) -> Option<SpacedName> {
    let is_family = |token: &&NameToken<'_>| {
        let mut chars = token.text.chars();
        chars.next().is_some_and(char::is_uppercase)
            && token.text.len() > 1
            && chars.all(|c| c.is_alphabetic() || matches!(c, '\'' | '’' | '-'))
    };
    let bare = |token: &NameToken<'_>| token.text.trim_end_matches([',', ';']).len();
    let is_initial = |token: &&NameToken<'_>| {
        let initial = token.text.get(..bare(token)).unwrap_or_default();
        initial.ends_with('.') && is_initials(initial)
    };
    let rest = tokens.get(at..)?;
    let particles = rest.iter().take_while(|token| is_particle(token.text)).count();
    let family = rest.iter().skip(particles).take(2).take_while(is_family).count();
    let initials = rest.iter().skip(particles + family).take(4).take_while(is_initial);
    let ends = |token: &&NameToken<'_>| bare(token) < token.text.len();
    let open = initials.clone().take_while(|token| !ends(token)).count();
    let (count, last) = match initials.clone().nth(open) {
        Some(last) => (open + 1, last),
        None => (open, initials.last()?),
    };
    (family > 0).then(|| SpacedName {
        end: last.start + bare(last),
        comma: bare(last) < last.text.len(),
        next: at + particles + family + count,
    })
}
