use precedent_text::pattern;

use super::lines::Line;

/// Whether a line on its own is a heading, by its number, its capitals or its words.
pub(crate) fn is_heading(line: &Line<'_>, next: Option<&Line<'_>>, width: Option<usize>) -> bool {
    let text = line.text;
    if text.chars().count() > 100 || text.split_whitespace().count() > 14 {
        return false;
    }
    let gap_after = next.is_none_or(|next| next.gap);
    // In wrapped text, a heading is separated by blank lines or visibly shorter than its neighbours.
    let apart = width.is_none_or(|width| line.gap || gap_after || text.chars().count() * 10 < width * 7);
    is_known(text)
        || (apart && is_numbered(text))
        || ((line.gap || gap_after) && is_upper_case(text))
        || (line.gap && pattern!(r"^(?i:appendix)\s+[A-Z0-9]\b").is_match(text))
}

/// Whether the line is the heading of a reference list.
pub(crate) fn is_reference_heading(text: &str) -> bool {
    pattern!(
        r"^(?i:(?:\d{1,2}|[IVX]{1,5})?[.:]?\s*(?:references|bibliography|literature cited|works cited|references and notes)[.:]?)$"
    )
    .is_match(text)
}

/// `Abstract—In this paper…`: the heading and the text after it on the same line.
pub(crate) fn run_in_abstract(text: &str) -> Option<(&str, &str)> {
    let found = pattern!(r"^((?i:abstract|summary))\s*(?:[—–:.]|---?)\s*").captures(text)?;
    Some((found.get(1)?.as_str(), text.get(found.get(0)?.end()..)?))
}

fn is_known(text: &str) -> bool {
    let known = pattern!(concat!(
        r"^(?i:(?:\d{1,2}|[IVX]{1,5})?[.:]?\s*(?:abstract|summary|introduction|background|related works?|previous work|prior work|preliminaries|",
        r"methods?|methodology|materials and methods|experiments?|experimental (?:setup|results)|results|results and discussion|evaluation|",
        r"discussion|limitations|conclusions?|conclusions? and future work|future work|acknowledge?ments?|author contributions?|",
        r"references|bibliography|literature cited|works cited|appendix|appendices|supplementary (?:material|materials|information))[.:]?)$"
    ));
    // `methods` in the middle of a wrapped sentence is not a heading.
    text.starts_with(|c: char| c.is_uppercase() || c.is_ascii_digit()) && known.is_match(text)
}

fn is_numbered(text: &str) -> bool {
    let numbered =
        pattern!(r"^(?:\d{1,2}(?:\.\d{1,2}){0,3}\.?|[IVX]{1,5}\.|[A-Z]\.\d{1,2}(?:\.\d{1,2})*\.?)\s+(\p{Lu}.*)$");
    let words = numbered.captures(text).and_then(|found| found.get(1));
    words.is_some_and(|words| {
        let words = words.as_str();
        let letters = words.chars().filter(|c| c.is_alphabetic()).count();
        letters >= 3 && letters * 2 > words.chars().count() && !words.ends_with(['.', ',', ';', ':', '-'])
    })
}

fn is_upper_case(text: &str) -> bool {
    let letters = text.chars().filter(|c| c.is_alphabetic()).count();
    let words = text.split_whitespace().count();
    // A single word in capitals is more often a name or a label than a heading; known headings are recognized by their words.
    (2..=10).contains(&words)
        && letters >= 6
        && letters * 3 > text.chars().filter(|c| !c.is_whitespace()).count() * 2
        && !text.chars().any(char::is_lowercase)
        && text.chars().any(char::is_uppercase)
        && text.chars().all(|c| {
            c.is_alphanumeric() || matches!(c, ' ' | '-' | '–' | ',' | ':' | '&' | '/' | '.' | '\'' | '’' | '?')
        })
        && !text.ends_with([',', ';', '-'])
}

/// Whether a line after the reference list begins an appendix: `A Proofs`.
pub(crate) fn is_appendix_heading(text: &str) -> bool {
    pattern!(r"^[A-H]\.?\s+\p{Lu}[\p{L}-]+(?:\s+[\p{L}&()/:,’'-]+){0,9}$").is_match(text) && !text.ends_with(',')
}

/// `X. Lee, B. Eysenbach, …`: in a reference list this is an initial, not the number ten.
pub(crate) fn is_initial(text: &str) -> bool {
    pattern!(r"^\p{Lu}\.(?:[\s-]?\p{Lu}\.)*\s+\p{Lu}[\p{L}'’-]+(?:\s\p{Lu}[\p{L}'’-]+)?(?:,|\s+and\s+\p{Lu}|\s+et al)")
        .is_match(text)
}
