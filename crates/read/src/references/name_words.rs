//! What the words of names look like.

use precedent_text::pattern;

/// Lower-case words between or inside names.
pub(super) fn is_particle(word: &str) -> bool {
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

pub(super) fn is_connective(word: &str) -> bool {
    matches!(word, "and" | "&" | "und" | "et" | "AND" | "y" | "e" | "with")
}

pub(super) fn is_suffix(word: &str) -> bool {
    matches!(
        word.trim_end_matches(['.', ',']),
        "Jr" | "Sr" | "II" | "III" | "IV" | "JR"
    )
}

/// `J.`, `J.-P.`, `J.K.`, and `J` without a period.
pub(super) fn is_initials(word: &str) -> bool {
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

pub(super) fn is_wide(text: &str) -> bool {
    text.chars().any(|c| u32::from(c) >= 0x2E80)
}

/// Whether a word can be part of a name: letters only, and capitalized or a particle.
pub(super) fn is_name_word(word: &str) -> bool {
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
pub(super) fn is_name(chunk: &str) -> bool {
    let words: Vec<&str> = chunk.split_whitespace().collect();
    if is_wide(chunk) {
        return chunk.chars().count() <= 8;
    }
    // `W. v. Hahn`, `Xi (Steve) Chen`.
    let nobility = |word: &str| word == "v." && words.first().is_some_and(|first| is_initials(first));
    let nickname = |at: usize, word: &str| {
        let inside = word.strip_prefix('(').and_then(|word| word.strip_suffix(')'));
        at > 0 && at + 1 < words.len() && inside.is_some_and(is_name_word)
    };
    let is_part = |(at, word): (usize, &&str)| is_name_word(word) || nobility(word) || nickname(at, word);
    (1..=6).contains(&words.len())
        && words.iter().enumerate().all(is_part)
        && words.iter().any(|word| {
            word.chars().filter(|c| c.is_alphabetic()).count() >= 2
                && word
                    .chars()
                    .next()
                    .is_some_and(|c| c.is_uppercase() || c == 'd' || c == 'l')
        })
}

pub(super) fn all_initials(chunk: &str) -> bool {
    let mut words = chunk.split_whitespace().filter(|word| !is_suffix(word)).peekable();
    words.peek().is_some() && words.all(|word| is_initials(word) || is_particle(word))
}

/// `Smith JQ`, `van der Berg J-P Jr`, `De Felice R A` or, as some files glue it, `SmithJQ` (unlike `OpenAI`). A pattern for these takes longer to
/// compile than the names of a paper to examine.
pub(super) fn is_vancouver(chunk: &str) -> bool {
    let mut words: Vec<&str> = chunk.split_whitespace().collect();
    let particles = words.iter().take_while(|word| is_particle(word)).count();
    if let [last] = words.get(particles..).unwrap_or_default() {
        return is_glued(last) && (!chunk.ends_with("AI") || chunk.contains(' '));
    }
    if words
        .last()
        .is_some_and(|word| matches!(*word, "Jr" | "Sr" | "2nd" | "3rd" | "II" | "III"))
    {
        words.pop();
    }
    let particles = words
        .iter()
        .take_while(|word| is_particle(word) || matches!(**word, "St" | "St." | "O"))
        .count();
    let names = words.get(particles..).unwrap_or_default();
    // The family name has a small letter, so the first word of initials is the first without.
    let Some(initials) = names.iter().position(|word| !word.chars().any(char::is_lowercase)) else {
        return false;
    };
    let (family, initials) = names.split_at(initials);
    let is_family = |word: &&str| {
        word.starts_with(char::is_uppercase)
            && word
                .chars()
                .all(|c| c.is_alphabetic() || matches!(c, '\'' | '’' | '‐' | '-'))
    };
    let ends_small = |word: &&str| word.ends_with(char::is_lowercase);
    let single = |word: &&str| word.chars().count() == 1 && word.chars().all(char::is_uppercase);
    let are_initials = match initials {
        [one] => {
            let capitals = one.chars().all(char::is_uppercase) && one.chars().count() <= 4;
            capitals
                || one
                    .split_once('-')
                    .is_some_and(|(first, second)| single(&first) && single(&second))
        }
        several => several.len() <= 4 && several.iter().all(single),
    };
    !family.is_empty() && family.iter().all(is_family) && family.iter().skip(1).all(ends_small) && are_initials
}

/// `SmithJQ`, `Smith-JonesJ`.
fn is_glued(word: &str) -> bool {
    let family = word.trim_end_matches(char::is_uppercase);
    let capitals = word.chars().count() - family.chars().count();
    let parts = family
        .rsplit_once('-')
        .filter(|(_, last)| last.starts_with(char::is_uppercase));
    let (first, second) = parts.map_or((family, None), |(first, second)| (first, Some(second)));
    let is_part = |part: &str, marks: bool| {
        let mut chars = part.chars();
        chars.next().is_some_and(char::is_uppercase)
            && part.chars().count() > 1
            && chars.all(|c| c.is_lowercase() || marks && matches!(c, '\'' | '’' | '‐' | '-'))
    };
    (1..=3).contains(&capitals) && is_part(first, true) && second.is_none_or(|second| is_part(second, false))
}

/// Whether a word begins with the year of publication, or with words printed in its place.
pub(super) fn starts_with_year(word: &str) -> bool {
    pattern!(r"^[(\[]?(?:1[5-9]\d\d|20\d\d)[a-z]?[)\],.:;]*(?:$|[^\d-])|^\(?(?:n\.d\.|in press|to appear|forthcoming)")
        .is_match(word)
}
