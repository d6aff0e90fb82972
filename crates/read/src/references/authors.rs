//! Long because the printed forms of names are one grammar, and each form is distinguished from the others.

use precedent_domain::Author;
use precedent_text::pattern;

/// Maximum bytes examined of an author list: collaborations of thousands print a few hundred names at most.
const LONGEST_LIST: usize = 20_000;

/// Where the author list of an entry ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct AuthorsEnd {
    /// End of the names, without the punctuation after them.
    pub(super) end: usize,
    /// Start of the text after them.
    pub(super) rest: usize,
    /// Whether the list ended with a comma, so that commas separate the following parts too.
    pub(super) comma: bool,
}

/// Printed form of names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum NameStyle {
    /// `Jane Q. Smith`, `J. Smith`.
    Natural,
    /// `Smith, J. Q.`
    Inverted,
    /// `Smith JQ`.
    Vancouver,
}

/// Lower-case words between or inside names.
fn is_particle(word: &str) -> bool {
    matches!(
        word,
        "van"
            | "von"
            | "der"
            | "den"
            | "de"
            | "la"
            | "le"
            | "du"
            | "di"
            | "da"
            | "do"
            | "dos"
            | "das"
            | "del"
            | "della"
            | "dem"
            | "des"
            | "ter"
            | "ten"
            | "te"
            | "zu"
            | "zur"
            | "zum"
            | "al"
            | "el"
            | "bin"
            | "ibn"
            | "ben"
            | "af"
            | "av"
            | "vom"
            | "op"
            | "im"
            | "in't"
            | "’t"
            | "'t"
            | "st"
            | "y"
            | "e"
    )
}

fn is_connective(word: &str) -> bool {
    matches!(word, "and" | "&" | "und" | "et" | "AND" | "y" | "e" | "with")
}

fn is_suffix(word: &str) -> bool {
    matches!(
        word.trim_end_matches(['.', ',']),
        "Jr" | "Sr" | "II" | "III" | "IV" | "JR"
    )
}

/// `J.`, `J.-P.`, `J.K.`, and `J` without a period.
fn is_initials(word: &str) -> bool {
    let letters = word.chars().filter(|c| c.is_alphabetic()).count();
    let parts = word.split(['.', '-', '‐', '–']).filter(|part| !part.is_empty());
    (1..=4).contains(&letters)
        && word
            .chars()
            .all(|c| c.is_uppercase() || matches!(c, '.' | '-' | '‐' | '–') || c.is_lowercase())
        && word.chars().next().is_some_and(char::is_uppercase)
        && parts.clone().all(|part| {
            let count = part.chars().count();
            count == 1
                || count == 2
                    && word.contains('.')
                    && (part.chars().all(char::is_uppercase)
                        || matches!(part, "Th" | "Ch" | "Yu" | "Ya" | "Ph" | "Ju" | "Sh" | "Zh"))
        })
}

fn is_wide(text: &str) -> bool {
    text.chars().any(|c| u32::from(c) >= 0x2E80)
}

/// Whether a word can be part of a name: letters only, and capitalized or a particle.
fn is_name_word(word: &str) -> bool {
    let bare = word.trim_matches(|c: char| matches!(c, ',' | ';' | '*' | '†' | '‡'));
    if is_particle(bare) || is_suffix(bare) {
        return true;
    }
    let mut chars = bare.chars();
    let first = chars.next();
    let apostrophe =
        bare.starts_with("d'") || bare.starts_with("d’") || bare.starts_with("l'") || bare.starts_with("o'");
    (first.is_some_and(|c| c.is_uppercase() || u32::from(c) >= 0x2E80) || apostrophe)
        && bare.chars().all(|c| {
            c.is_alphabetic()
                || matches!(
                    c,
                    '\'' | '’' | '-' | '‐' | '‑' | '.' | '`' | '´' | '¨' | '·' | '~' | 'ˇ'
                )
                || u32::from(c) & !0x7F == 0x300
        })
}

/// Whether a chunk between commas can be a name.
fn is_name(chunk: &str) -> bool {
    let words: Vec<&str> = chunk.split_whitespace().collect();
    if is_wide(chunk) {
        return chunk.chars().count() <= 8;
    }
    (1..=6).contains(&words.len())
        && words.iter().all(|word| is_name_word(word))
        && words.iter().any(|word| {
            word.chars().filter(|c| c.is_alphabetic()).count() >= 2
                && word
                    .chars()
                    .next()
                    .is_some_and(|c| c.is_uppercase() || c == 'd' || c == 'l')
        })
}

fn all_initials(chunk: &str) -> bool {
    let mut words = chunk.split_whitespace().filter(|word| !is_suffix(word)).peekable();
    words.peek().is_some() && words.all(|word| is_initials(word) || is_particle(word))
}

/// `Smith JQ` or, as some files glue it, `SmithJQ` (unlike `OpenAI`).
fn is_vancouver(chunk: &str) -> bool {
    let ends_like_one =
        chunk.ends_with(char::is_uppercase) || ["Jr", "Sr", "2nd", "3rd"].iter().any(|suffix| chunk.ends_with(suffix));
    if !ends_like_one || chunk.ends_with("AI") && !chunk.contains(' ') {
        return false;
    }
    pattern!(r"^(?:(?:van|von|der|den|de|la|le|du|di|da|dos|del|ter|ten|el|al|St\.?|O)\s+)*\p{Lu}[\p{L}'’‐-]*\p{Ll}[\p{L}'’‐-]*(?:\s\p{Lu}[\p{L}'’‐-]*\p{Ll})*(?:\s\p{Lu}{1,4}|\s\p{Lu}-\p{Lu}|(?:\s\p{Lu}){2,4})(?:\s(?:Jr|Sr|2nd|3rd|II|III))?$").is_match(chunk)
        || pattern!(r"^(?:(?:van|von|der|den|de|la|le|du|di|da|dos|del|ter|ten|el|al)\s+)*\p{Lu}[\p{Ll}'’‐-]+(?:-\p{Lu}\p{Ll}+)?\p{Lu}{1,3}$").is_match(chunk)
}

/// Whether a text is only a list of names.
pub(super) fn is_author_list(text: &str) -> bool {
    let text = text.trim();
    if text.is_empty() || text.len() > LONGEST_LIST || text.chars().any(|c| c.is_ascii_digit()) {
        return false;
    }
    chunks(text)
        .iter()
        .all(|chunk| is_name(chunk) || all_initials(chunk) || is_vancouver(chunk))
}

/// Names without the words and marks around them, split at commas, semicolons and connectives.
fn chunks(text: &str) -> Vec<&str> {
    let around = pattern!(
        r"(?i),?\s*\b(?:et\.?\s+al\b\.?|and others\b|u\.\s?a\.|等)|\(?\beds?\b\.?\)?|\(editors?\)|\beditors?\b|\.\.\.|…"
    );
    let cut = pattern!(r"\s*(?:[,;，；、]\s*(?:and\s|&\s*|und\s|AND\s)?|\s(?:and|&|und|et|AND)\s)\s*");
    if text.split_whitespace().all(is_vancouver) {
        return text.split_whitespace().collect();
    }
    around
        .split(text)
        .flat_map(|part| cut.split(part))
        .map(|chunk| {
            chunk
                .trim()
                .trim_matches([',', ';', ':', '*', '†', '‡', '(', ')'])
                .trim()
        })
        .filter(|chunk| chunk.chars().any(char::is_alphabetic))
        .collect()
}

/// The names of an author list in reading order.
pub(super) fn names(text: &str) -> Vec<Author> {
    let chunks = chunks(text);
    let mut authors = Vec::new();
    let mut rest = chunks.as_slice();
    let inverted = looks_inverted(&chunks);
    while let Some((first, after)) = rest.split_first() {
        rest = after;
        let next = after.first().copied();
        let single = first.split_whitespace().filter(|word| !is_particle(word)).count() <= 2;
        if let Some(given) = next.filter(|next| {
            single
                && (all_initials(next) && !all_initials(first) || inverted && is_given(first, next, authors.is_empty()))
        }) {
            authors.push(Author::new(&format!("{} {first}", given.trim())));
            rest = after.get(1..).unwrap_or_default();
        } else if is_suffix(first) {
        } else if first.ends_with('.')
            && let Some(turned) = turn_spaced(first)
        {
            authors.push(Author::new(&turned));
        } else if is_vancouver(first) {
            authors.push(Author::new(&turn_vancouver(first)));
        } else {
            authors.push(Author::new(first.trim_end_matches('.')));
        }
    }
    authors
}

/// Whether the first name has the form `Smith, Jane` or `Smith, J.`.
fn looks_inverted(chunks: &[&str]) -> bool {
    let (Some(first), Some(second)) = (chunks.first(), chunks.get(1)) else {
        return false;
    };
    let words = first.split_whitespace().filter(|word| !is_particle(word)).count();
    all_initials(second) && !all_initials(first)
        || words == 1 && !first.contains('.') && is_name(second) && !is_wide(first) && !is_vancouver(first)
}

fn is_given(first: &str, next: &str, is_first_author: bool) -> bool {
    let one_word = first.split_whitespace().filter(|word| !is_particle(word)).count() == 1;
    let next_words = next.split_whitespace().count();
    one_word && is_name(next) && next_words <= 3 && (is_first_author || next_words <= 2)
}

/// `Smith JQ` in reading order: `J. Q. Smith`.
fn turn_vancouver(chunk: &str) -> String {
    let is_tail = |word: &str| word.chars().count() <= 4 && word.chars().all(|c| c.is_uppercase() || c == '-');
    let words: Vec<&str> = chunk.split(' ').collect();
    let tail = words
        .iter()
        .skip(1)
        .rev()
        .take_while(|word| is_tail(word))
        .map(|word| word.len() + 1)
        .sum::<usize>();
    let at = if tail > 0 {
        chunk.len() - tail
    } else {
        chunk
            .char_indices()
            .rev()
            .take_while(|(_, c)| c.is_uppercase())
            .last()
            .map_or(chunk.len(), |(at, _)| at)
    };
    let (family, initials) = chunk.split_at(at);
    let initials: Vec<String> = initials
        .chars()
        .filter(|c| c.is_alphabetic())
        .map(|initial| format!("{initial}."))
        .collect();
    format!("{} {family}", initials.join(" "))
}

/// Finds the end of the author list at the start of `text`; `None` if it starts with something else.
pub(super) fn end_of_authors(text: &str) -> Option<AuthorsEnd> {
    let head = text
        .get(..crate::assemble::floor_boundary(text, LONGEST_LIST))
        .unwrap_or(text);
    if let Some(end) = spaced_list(head) {
        return Some(end);
    }
    let style = style(head)?;
    let tokens = tokens(head);
    let mut state = NameScan {
        text: head,
        tokens: &tokens,
        style,
        chunk_start: 0,
        expect_given: false,
        initials_first: tokens.first().is_some_and(|token| is_initials(token.text)),
    };
    (0..tokens.len()).find_map(|index| state.step(index)).and_then(|end| {
        let names = head.get(..end.end)?;
        (!names.is_empty() && is_author_list(names)).then_some(end)
    })
}

/// `Bunescu R. & Mooney R.J. (2005)`: initials after the family name without a comma. Only a year after the list tells it from other forms.
fn spaced_list(text: &str) -> Option<AuthorsEnd> {
    // The pattern takes long to compile, and few lists are of this form.
    let mut words = text.split_whitespace();
    let is_word = |word: &str| {
        word.chars()
            .all(|c| c.is_alphanumeric() || matches!(c, '\'' | '’' | '-') || !c.is_ascii())
    };
    if !words.next().is_some_and(is_word) || !words.any(|word| word.chars().nth(1) == Some('.')) {
        return None;
    }
    let list = pattern!(concat!(
        r"^(?P<names>(?:(?:van|von|den|der|de|di|da|dos|del|la|le|ter|ten|zu)\s)*\p{Lu}[\p{L}'’-]+(?:\s\p{Lu}[\p{L}'’-]+)?\s(?:\p{Lu}\.[\s-]?){1,4}",
        r"(?:(?:,\s?|,?\s?(?:&|and)\s|,\s?(?:&|and)\s)(?:(?:van|von|den|der|de|di|da|dos|del|la|le|ter|ten|zu)\s)*\p{Lu}[\p{L}'’-]+(?:\s\p{Lu}[\p{L}'’-]+)?\s(?:\p{Lu}\.[\s-]?){1,4})*",
        r"(?:,?\s?et al\.?)?)\s*,?\s*(?P<year>\(?(?:1[5-9]\d\d|20\d\d)[a-z]?[).,:])"
    ));
    let found = list.captures(text)?;
    Some(AuthorsEnd {
        end: found.name("names")?.as_str().trim_end().len(),
        rest: found.name("year")?.start(),
        comma: false,
    })
}

/// `Mooney R.J.` in reading order: `R. J. Mooney`.
fn turn_spaced(chunk: &str) -> Option<String> {
    let found = pattern!(r"^(?P<family>(?:\p{Ll}+\s)*\p{Lu}[\p{L}'’-]+(?:\s\p{Lu}[\p{L}'’-]+)?)\s(?P<initials>(?:\p{Lu}\.[\s-]?){0,3}\p{Lu}\.?)$").captures(chunk)?;
    let letters = found.name("initials")?.as_str().chars().filter(|c| c.is_alphabetic());
    let initials: Vec<String> = letters.map(|letter| format!("{letter}.")).collect();
    Some(format!("{} {}", initials.join(" "), found.name("family")?.as_str()))
}

fn style(text: &str) -> Option<NameStyle> {
    let first = text.split([',', ';', '(', ':', '.']).next()?.trim();
    let before_year = pattern!(r"\s(?:et al|and|&|1[5-9]\d\d|20\d\d)\b")
        .split(first)
        .next()
        .unwrap_or(first);
    // `HanahanD WeinbergRA 2000`: names separated only by spaces.
    let glued = before_year.split_whitespace().next().unwrap_or_default();
    if is_vancouver(before_year) && !goes_on_as_name(text, first.len())
        || is_vancouver(glued)
            && !glued.contains('-')
            && glued.chars().filter(|c| c.is_uppercase()).count() <= 4
            && before_year.split_whitespace().all(is_vancouver)
    {
        return Some(NameStyle::Vancouver);
    }
    if !is_name(before_year) && !is_initials(before_year) {
        return None;
    }
    let words = first.split_whitespace().filter(|word| !is_particle(word)).count();
    let after = text.get(first.len()..)?.trim_start();
    let comma = after.strip_prefix(',').map(str::trim_start);
    let given = comma
        .and_then(|rest| rest.split_whitespace().next())
        .unwrap_or_default();
    let initials_follow = is_initials(given.trim_end_matches([',', ';', ':'])) && given.contains('.');
    let another = words == 2 && comma.is_some_and(begins_with_whole_name);
    let inverted = comma.is_some()
        && (initials_follow && words <= 2 && !another || words == 1 && is_name_word(given) && !is_connective(given));
    Some(if inverted {
        NameStyle::Inverted
    } else {
        NameStyle::Natural
    })
}

/// Whether a text begins with initials and a family name up to the next mark: `P. Malý, P. Květ, …`, `W. John Wilson: …`.
fn begins_with_whole_name(text: &str) -> bool {
    let chunk = text.split([',', ';', ':']).next().unwrap_or_default();
    let words: Vec<&str> = chunk
        .split_whitespace()
        .take_while(|word| !is_connective(word))
        .collect();
    let family = words.iter().skip_while(|word| is_initials(word));
    words.len() <= 4 && words.iter().all(|word| is_name_word(word)) && family.count() > 0
}

/// `Christopher D. Manning, Prabhakar …` and `Christopher D. Manning. 2008`: the apparent `Smith D` is the start of a name.
fn goes_on_as_name(text: &str, first: usize) -> bool {
    let Some(rest) = text.get(first..).and_then(|rest| rest.strip_prefix('.')) else {
        return false;
    };
    let mut words = rest.split_whitespace().skip_while(|word| is_particle(word));
    let word = words.next().unwrap_or_default();
    let next = words.next().unwrap_or_default();
    let ends = word.ends_with([',', '.']) || is_connective(next) || starts_with_year(next);
    is_name_word(word.trim_end_matches('.')) && ends && (!word.ends_with('.') || starts_with_year(next))
}

#[derive(Debug, Clone, Copy)]
struct NameToken<'a> {
    text: &'a str,
    start: usize,
    end: usize,
}

fn tokens(text: &str) -> Vec<NameToken<'_>> {
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
struct NameScan<'a> {
    text: &'a str,
    tokens: &'a [NameToken<'a>],
    style: NameStyle,
    /// Index of the first word of the current chunk.
    chunk_start: usize,
    /// Whether the current chunk should be the given names for the family name before it.
    expect_given: bool,
    /// Whether the first name begins with an initial.
    initials_first: bool,
}

impl NameScan<'_> {
    fn step(&mut self, index: usize) -> Option<AuthorsEnd> {
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
        let lower_case = !is_name_word(bare) && !is_connective(bare) && bare != "others" && !bare.starts_with('(');
        if lower_case {
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
            return !matches!(bare, "St" | "Dr" | "Prof");
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

    /// Whether the chunk that begins at the word `from` cannot be a name.
    fn next_is_no_name(&self, from: usize) -> bool {
        if self.style != NameStyle::Natural {
            return false;
        }
        if self.names_until_year(from) {
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
            .take(60)
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

fn starts_with_year(word: &str) -> bool {
    pattern!(r"^[(\[]?(?:1[5-9]\d\d|20\d\d)[a-z]?[)\],.:;]*(?:$|[^\d-])|^\(?(?:n\.d\.|in press|to appear|forthcoming)")
        .is_match(word)
}
