use std::borrow::Cow;

use precedent_domain::{Author, Identifiers};
use precedent_text::pattern;
use unicode_normalization::UnicodeNormalization;

use super::authors::{self, AuthorsEnd};
use super::name_words::{is_connective, is_particle};
use super::year;
use crate::identifiers;

/// A parsed entry of a reference list.
#[derive(Debug, Default)]
pub(super) struct ParsedEntry {
    pub(super) title: Option<String>,
    pub(super) authors: Vec<Author>,
    pub(super) year: Option<u16>,
    pub(super) year_letter: Option<char>,
    pub(super) identifiers: Identifiers,
}

/// Parses an entry. `entry` is on one line, without its label.
///
/// Styles: ACL and ACM (`Authors. Year. Title. Venue`), APA and Chicago (`Authors (Year). Title`), natbib plain and Vancouver
/// (`Authors. Title. Venue, Year`), LNCS (`Authors: Title. In: …`), IEEE (`Authors, “Title,” Venue, Year`), and lists that
/// separate all parts by commas.
pub(super) fn parse(entry: &str) -> ParsedEntry {
    let entry = with_even_spaces(entry.trim());
    let entry = &with_opening_quote(&entry);
    let chosen = year::choose(entry);
    let end = authors::end_of_authors(entry).or_else(|| names_before_year(entry));
    let names = end.and_then(|end| entry.get(..end.end)).unwrap_or_default();
    let rest = end.and_then(|end| entry.get(end.rest..)).unwrap_or(entry);
    let (rest, year_first) = skip_year(rest);
    let comma = end.is_some_and(|end| end.comma) && !year_first;
    let mut authors = authors::names(names);
    let mut title = find_title(rest, comma, year_first);
    if title.is_none() && authors.len() == 1 && end.is_some() && !comma {
        // `GPT-4 technical report, 2023`: the text that looked like a name is the whole entry.
        let alone = names.trim();
        let nothing_else = rest.is_empty() || rest.starts_with("http") || rest.starts_with("URL");
        if nothing_else && alone.split_whitespace().count() >= 2 && !alone.contains(['.', ',']) {
            title = clean(alone);
            authors.clear();
        }
    }
    ParsedEntry {
        title,
        authors,
        year: chosen.as_ref().map(|chosen| chosen.year),
        year_letter: chosen.and_then(|chosen| chosen.letter),
        identifiers: identifiers::find(entry),
    }
}

/// Where the authors of `Ann Lee and Jos´e Berg. 2006. Title` end, although some of them are not readable as names.
fn names_before_year(entry: &str) -> Option<AuthorsEnd> {
    let year = year::years(entry).into_iter().next()?;
    let before = entry.get(..year.range.start)?;
    let names = before.trim_end_matches([' ', '.', ',', '(', '[']);
    let dated = names.len() < before.len() && entry.get(year.range.end..)?.starts_with(['.', ')', ']']);
    let sentences = pattern!(r"\p{L}\p{Ll}\.\s|:");
    (dated && !sentences.is_match(names) && authors::are_mostly_names(names)).then_some(AuthorsEnd {
        end: names.len(),
        rest: before.len(),
        comma: false,
    })
}

/// The entry without the spaces that divide names (`Y . Berg`, `Dole´ zal`, `´ Edo`), and with one after each comma between them (`A. Berg,L. Hill`),
/// up to the first quotation mark.
fn with_even_spaces(entry: &str) -> Cow<'_, str> {
    let names = entry.split(['“', '”', '"', '`', '«', '‘']).next().unwrap_or_default();
    let divided = pattern!(
        r"(?P<family>\p{Ll}),(?P<glued>\p{Lu}\.\s)|\b(?P<initial>\p{Lu}) \.(?P<after>[\s,])|(?P<before>\p{L}|^|\s)(?P<accent>[´¨ˇ˙˜˚]) (?P<letter>\p{L})"
    );
    if !divided.is_match(names) {
        return Cow::Borrowed(entry);
    }
    let joined = divided.replace_all(names, |found: &regex::Captures<'_>| {
        let part = |name: &str| found.name(name).map_or("", |part| part.as_str());
        if !part("family").is_empty() {
            return format!("{}, {}", part("family"), part("glued"));
        }
        if !part("initial").is_empty() {
            return format!("{}.{}", part("initial"), part("after"));
        }
        let (whole, end) = found.get(0).map_or(("", 0), |whole| (whole.as_str(), whole.end()));
        let rest = names.get(end..).unwrap_or_default();
        let rest = rest.split(|c: char| !c.is_lowercase()).next().unwrap_or_default();
        join_accent(part("before"), part("accent"), part("letter"), rest).unwrap_or_else(|| whole.to_owned())
    });
    Cow::Owned(format!("{joined}{}", entry.get(names.len()..).unwrap_or_default()))
}

/// `i´ c` is `ić`, and a separate `´ E` is `É`. But the accent of `Jose´ and` and `Jose´ Garc` belongs to the letter before it.
fn join_accent(before: &str, accent: &str, letter: &str, rest: &str) -> Option<String> {
    let word = format!("{letter}{rest}");
    let inside = before.chars().any(char::is_alphabetic);
    if inside != letter.chars().all(char::is_lowercase) || is_connective(&word) || is_particle(&word) {
        return None;
    }
    let mark = match accent {
        "´" => '\u{301}',
        "¨" => '\u{308}',
        "ˇ" => '\u{30c}',
        "˙" => '\u{307}',
        "˜" => '\u{303}',
        _ => '\u{30a}',
    };
    let composed: String = letter.chars().chain([mark]).nfc().collect();
    (composed.chars().count() == 1).then(|| format!("{before}{composed}"))
}

/// The entry with an opening quotation mark before its title, where a closing one is printed: `Berg A.,”The Rope Process”, …`.
fn with_opening_quote(entry: &str) -> Cow<'_, str> {
    let first = entry.find(['“', '”', '"']);
    let Some((before, after)) = first.and_then(|at| entry.split_at_checked(at)) else {
        return Cow::Borrowed(entry);
    };
    match after.strip_prefix('”') {
        Some(title) if before.ends_with(',') && title.contains('”') => {
            Cow::Owned(format!("{before} “{}", title.trim_start()))
        }
        _ => Cow::Borrowed(entry),
    }
}

/// Strips punctuation, `(eds.)` and a year from the start. Returns whether there was a year.
fn skip_year(rest: &str) -> (&str, bool) {
    let before = pattern!(
        r"(?x)^[\s,.:;]* (?:et\sal\.?)? [\s,.:;]* (?:\(?[Ee]ds?\.?(?:itors?)?\)?[\s,.:;]*)?
        (?:[(\[]?\s*(?:1[5-9]\d\d|20\d\d)[a-z]?(?:\s*[/\u{2013}-]\s*(?:\d{4}|\d\d))?(?:,\s*[^()\[\]]{1,30})?\s*[)\]]?(?:\s*\[\d{4}\])?[\s.,:;]+|\((?:n\.\s?d\.|in\spress|forthcoming|to\sappear)\)[\s.,:]*)"
    );
    let editors = pattern!(r"^[\s,.:;]*\(?[Ee]ds?\.?(?:itors?)?\)?[\s,.:;]+");
    let plain = |text: &str| text.trim_start_matches([' ', ',', '.', ':', ';']).len();
    match before
        .find(rest)
        .or_else(|| editors.find(rest).filter(|found| found.as_str().contains(['d', 'D'])))
    {
        // A year followed only by a comma and a venue ended an entry: `…, 2019, pp. 3`.
        Some(found) => (
            rest.get(found.end()..).unwrap_or_default(),
            found.as_str().chars().any(|c| c.is_ascii_digit()),
        ),
        None => (rest.get(rest.len() - plain(rest)..).unwrap_or_default(), false),
    }
}

/// The title at the start of `rest`, the text after the authors. `dated`: the year is before it.
fn find_title(rest: &str, comma: bool, dated: bool) -> Option<String> {
    if let Some(quoted) = quoted_title(rest) {
        return clean(quoted);
    }
    let sentence = rest.get(..sentence_end(rest)).unwrap_or(rest);
    let title = if comma {
        // Includes the period, which may belong to a journal: `On ropes, Phil. Mag. 26`.
        let stopped = rest.get(..sentence.len() + 1).unwrap_or(sentence);
        sentence.get(..comma_end(stopped)).unwrap_or(sentence)
    } else {
        sentence
    };
    let title = title.get(..venue_start(title)).unwrap_or(title);
    let month =
        || pattern!(r",\s+(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*\.?\s+(?:19|20)\d\d$").find(title);
    let title = match dated {
        true => title,
        false => title
            .get(..month().map_or(title.len(), |found| found.start()))
            .unwrap_or(title),
    };
    let volume = pattern!(
        r"^(?:(?:Phys|Prog|Gen|Rev|Lett|J|Proc|Nucl|Ann|Astron|Astrophys|Math|Commun|Comm|Eur|Class|Mon|Int|Z|Adv|Low Temp|New Adv)\.[\s,]?|(?:Nature|Science|JCAP|ApJ|JHEP|Phys)\s)[^?!:“]{0,40}\d"
    );
    if volume.is_match(rest) {
        return None;
    }
    let volume_follows = rest
        .get(sentence.len()..)
        .is_some_and(|after| pattern!(r"^\.?[\s\p{Lu}][^?!]{0,40}?\d").is_match(after));
    let short = title.split_whitespace().count() <= 2 && volume_follows;
    clean(title).filter(|title| !((comma || short) && is_journal(title)))
}

/// A title in quotation marks at the start.
fn quoted_title(rest: &str) -> Option<&str> {
    let pairs: [(&str, &[&str]); 9] = [
        ("“", &["”", "″", "\""]),
        ("„", &["“", "”"]),
        ("«", &["»"]),
        ("``", &["''", "”", "\""]),
        ("''", &["''"]),
        ("\"", &["\"", "”"]),
        ("‘", &[",’ ", ".’ ", "’, ", "’. ", "?’ ", "’ "]),
        ("'", &[",' ", ".' ", "', ", "'. ", "?' "]),
        ("`", &[",' ", ".' ", "', ", "'. ", ",’ ", "’ "]),
    ];
    let start = pattern!(r"^[\s,.:;(]*").find(rest).map_or(0, |found| found.end());
    let rest = rest.get(start..)?;
    for (open, closes) in pairs {
        let Some(inside) = rest.strip_prefix(open) else {
            continue;
        };
        let end = closes.iter().filter_map(|close| inside.find(close)).min()?;
        let quoted = inside.get(..end)?;
        // A quoted word at the start of a longer title is not the title.
        let after = inside
            .get(end..)?
            .trim_start_matches(['”', '"', '\'', '’', '»', '″', '“']);
        let goes_on = after.starts_with([' ', ':'])
            && after.trim_start().chars().next().is_some_and(char::is_lowercase)
            && !after.trim_start().starts_with("in ");
        return (quoted.split_whitespace().count() >= 2 && !goes_on || quoted.ends_with([',', '.'])).then_some(quoted);
    }
    None
}

/// Abbreviations that end with a period inside titles.
fn is_abbreviation(word: &str) -> bool {
    let word = word.trim_start_matches(['(', '“', '"', '\'', '‘', '[']);
    let letters = word.chars().filter(|c| c.is_alphabetic()).count();
    matches!(
        word.to_lowercase().as_str(),
        "vs" | "v"
            | "st"
            | "dr"
            | "mr"
            | "mrs"
            | "no"
            | "vol"
            | "i.e"
            | "e.g"
            | "cf"
            | "al"
            | "approx"
            | "u.s"
            | "u.k"
            | "u.s.a"
            | "sp"
            | "spp"
            | "var"
            | "fig"
            | "eq"
            | "ca"
            | "inc"
            | "prof"
    ) || letters == 1 && word.chars().count() == 1 && word.chars().all(char::is_uppercase) && word != "I" && word != "A"
}

/// Byte offset where the first sentence of `text` ends, without its period (a question or exclamation mark stays).
fn sentence_end(text: &str) -> usize {
    let marker = pattern!(r"\s*\[(?:[A-Z]{1,2}(?:/OL)?|EB/OL)\]|[。．]|(?:\s+[-–—])?\s+\(?https?://|//");
    let first_marker = marker.find(text).map_or(text.len(), |found| found.start());
    for (at, c) in text.char_indices() {
        if at >= first_marker {
            return first_marker;
        }
        if !matches!(c, '.' | '?' | '!') {
            continue;
        }
        let after = text.get(at + 1..).unwrap_or_default();
        let next = after.trim_start_matches(['”', '"', '’', '\'', ')']);
        if !(next.is_empty() || next.starts_with(char::is_whitespace)) {
            continue;
        }
        let next = next.trim_start();
        let word = text
            .get(..at)
            .unwrap_or_default()
            .split_whitespace()
            .next_back()
            .unwrap_or_default();
        let begins = next.chars().next();
        let new_sentence = begins.is_none_or(|c| !c.is_lowercase())
            || next.starts_with("arXiv")
            || next.starts_with("in ")
            || next.starts_with("http")
            || next.starts_with("doi")
            || next.starts_with("bioRxiv")
            || next.starts_with("medRxiv")
            || next.starts_with("eLife")
            || next.starts_with("et ");
        if c == '.' {
            if new_sentence && !is_abbreviation(word) && !divides_version(word, next) {
                return at;
            }
        } else if new_sentence && is_venue(next) {
            return at + 1;
        }
    }
    first_marker
}

/// `Grove2. 5 technical report`: a version number with a space in it.
fn divides_version(word: &str, next: &str) -> bool {
    let digits = next.trim_start_matches(|c: char| c.is_ascii_digit());
    word.ends_with(|c: char| c.is_ascii_digit())
        && word.contains(char::is_alphabetic)
        && digits.len() < next.len()
        && digits.trim_start().starts_with(char::is_lowercase)
}

/// Whether a text begins like a venue.
fn is_venue(text: &str) -> bool {
    let sentence = text.split(". ").next().unwrap_or(text);
    text.is_empty()
        || pattern!(r"^(?:In\b|in\b|Proc|Advances in|Journal|J\.|Trans|Transactions|IEEE|ACM|arXiv|ArXiv|CoRR|Nature|Science|Cell|PLo?S|eLife|bioRxiv|Annual|International|Springer|Cambridge|Oxford|MIT Press|Technical|Tech\.|Ph\.?D|Master|https?:|URL|doi|\d)").is_match(text)
        || sentence.chars().any(|c| c.is_ascii_digit()) && sentence.split_whitespace().count() <= 12
}

/// In a list that separates all parts by commas: where the title ends and the venue begins.
fn comma_end(text: &str) -> usize {
    pattern!(r",\s+(?:in[:\s]|In[:\s]|Proc|IEEE|ACM|arXiv|J\.|Journal|Phys|Nature|Science|Trans|Ann|Adv|Int|vol|Tech|Ph\.?\s?D|Springer|Elsevier|Cambridge|Oxford|Academic|Wiley|MIT|Comm|Lect|\p{Lu}[\p{L}]*\.|\d|\(?(?:19|20)\d\d|preprint|to appear|submitted)")
        .find(text)
        .map_or(text.len(), |found| found.start())
}

/// Where, inside a sentence, the venue or a year begins: `Title, 2024`, `Title, arXiv preprint …`, `Title (2019)`.
fn venue_start(text: &str) -> usize {
    pattern!(r#"(?x)
        ,\s+(?:1[5-9]\d\d|20\d\d)[a-z]?\s*(?:$|[.,;])
      | ,?\s+\(?(?:arXiv|ArXiv|arxiv|CoRR)(?:\s+preprint|:|\s+abs|,)
      | ,\s+(?:in|In)(?::|\s+(?:Proc|Advances|\p{Lu}{2,}|Workshop|International|Conference|Annual|Findings|The\s+\S+\s+(?:International|Conference)|\d))
      | \s+\((?:1[5-9]\d\d|20\d\d)[a-z]?\)\s*$
      | ,?\s+\(?https?://
      | ,?\s+URL\s
      | ,?\s+doi:
      | \s+In:\s
      | ,\s+(?:Ph\.?\s?D\.?|Master['’]?s)\s+(?:[Tt]hesis|[Dd]issertation)
      | ,\s+[Tt]ech(?:nical|\.)\s+[Rr]ep
      | ,\s+(?:submitted\sto\b|[A-Z][^,()]+,\s[Vv]ol(?:ume|\.)?\s\d|(?:[Cc]hapter|pages?)\s\d[\d–-]*(?:$|[.,]))
      | ;\s(?:1[5-9]\d\d|20\d\d)$
      | ,\s(?:Springer|Elsevier|(?:John\s)?Wiley|(?:[A-Z][a-z]+\s)*(?:University|Academic|MIT|CRC)\sPress)
        (?:[\s-](?:Verlag|Science|Business|Media|and|&|Sons|Inc|B\.V))*\.?(?:,\s(?:1[5-9]\d\d|20\d\d))?$
      | \s\((?:[A-Z][^()]*[\s-])?(?:Press|Verlag|Springer|Elsevier|Wiley|Addison|Publish[a-z]+)\b[^()]*\)$
    "#)
    .find(text)
    .map_or(text.len(), |found| found.start())
}

/// Whether this is a journal where a title should be: in some fields, lists print no titles.
fn is_journal(text: &str) -> bool {
    pattern!(r"^(?:Phys|Prog|Gen|Living|Astron|New J|Rep|JCAP|ApJ|Rev|Lett|J\.|Proc|Nucl|Ann|Astro|Math|Commun|Comm|Nature|Science|Rep\.|Eur|Class|Mon\.|JHEP|Int\. J|Z\.|Adv)").is_match(text)
        && (text.contains('.') || text.chars().any(|c| c.is_ascii_digit()) || text.split_whitespace().count() <= 2)
}

/// A title on one line without surrounding marks; `None` if too little is left.
fn clean(title: &str) -> Option<String> {
    let line = precedent_text::one_line(title);
    let line = line
        .trim_matches(|c: char| {
            c.is_whitespace() || matches!(c, ',' | ';' | ':' | '“' | '”' | '"' | '*' | '_' | '«' | '»' | '„' | '`')
        })
        .trim_end_matches(['.', ','])
        .trim_start_matches(['.', ')', ']', '-'])
        .trim();
    let letters = line.chars().filter(|c| c.is_alphabetic()).count();
    let wide = line.chars().any(|c| u32::from(c) >= 0x2E80);
    let no_title = pattern!(r"(?i)^(?:https?:|www\.|url\b|personal communication|in proc|in:|arxiv\s*[:p\d]|pages? \d|vol\b|doi\b|accessed|available|retrieved|et al\b|\d+\s*[–-]\s*\d+)").is_match(line);
    // In lists without titles: a journal with volume and year, a bare identifier, or the last of the names.
    let place = pattern!(
        r"(?x)\d{1,4}\s\(?(?:19|20)\d\d\)\s?\d | ^(?:\p{Lu}\.\s)*\[[A-Za-z0-9.-]+/[A-Za-z0-9.]+\]$
        | \bJ(?:CAP|HEP)\d\d\s?\(\d{4}\) | ^(?:New\s)?J\.\s\p{Lu}\p{L}+$"
    );
    let last_of_names = || {
        pattern!(
            r"(?x)^and\s\p{Lu}[\p{L}-]+\s(?:\p{Lu}\.\s?)+ | ^\p{Lu}[\p{L}-]+\s(?:\p{Lu}\.\s?)+,?\s?and\s\p{Lu}[\p{L}-]+\s\p{Lu}\."
        )
    };
    let no_title = no_title
        || place.is_match(line)
        || line.contains('.') && line.contains("and") && last_of_names().is_match(line);
    let fits = letters >= if wide { 2 } else { 3 } && line.len() <= 600 && !no_title;
    fits.then(|| line.to_owned())
}
