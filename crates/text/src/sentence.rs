use crate::Span;

/// The sentences of `text`, in order, without surrounding white space.
///
/// Designed for scientific prose. Abbreviations, initials, decimals, numbered headings and citations do not end a sentence. An empty line ends one,
/// a single line break does not. The full stops of Chinese, Japanese, Hindi and others are supported.
#[must_use]
pub fn sentences(text: &str) -> Vec<Span> {
    let mut found = Vec::new();
    let mut start = 0;
    let mut at = 0;
    while let Some(character) = char_at(text, at) {
        let next = at + character.len_utf8();
        let end = match character {
            '\n' => paragraph_end(text, next).map(|resume| (at, resume)),
            '。' | '！' | '？' | '｡' | '।' | '॥' | '؟' | '۔' => {
                let end = skip_closers(text, next);
                Some((end, end))
            }
            '.' | '!' | '?' | '…' => sentence_end(text, start, at, next).map(|end| (end, end)),
            _ => None,
        };
        match end {
            Some((end, resume)) => {
                push_trimmed(text, start, end, &mut found);
                start = resume;
                at = resume;
            }
            None => at = next,
        }
    }
    push_trimmed(text, start, text.len(), &mut found);
    found
}

fn char_at(text: &str, at: usize) -> Option<char> {
    text.get(at..)?.chars().next()
}

fn push_trimmed(text: &str, start: usize, end: usize, found: &mut Vec<Span>) {
    let Some(raw) = text.get(start..end) else { return };
    let from = start + (raw.len() - raw.trim_start().len());
    let to = start + raw.trim_end().len();
    if from < to {
        found.push(Span::new(from, to));
    }
}

/// After a line break at `at - 1`: the start of the next paragraph, if an empty line follows.
fn paragraph_end(text: &str, at: usize) -> Option<usize> {
    let rest = text.get(at..)?;
    let blank = rest.len() - rest.trim_start_matches([' ', '\t', '\r', '\u{a0}']).len();
    (char_at(text, at + blank) == Some('\n')).then_some(at + blank + 1)
}

fn is_closer(character: char) -> bool {
    matches!(
        character,
        ')' | ']' | '}' | '"' | '\'' | '”' | '’' | '»' | '」' | '』' | '）' | '】' | '›'
    )
}

fn skip_closers(text: &str, mut at: usize) -> usize {
    while let Some(character) = char_at(text, at).filter(|c| is_closer(*c)) {
        at += character.len_utf8();
    }
    at
}

/// Whether the mark at `at` ends a sentence that began at `start`; if so, the end offset of the sentence.
fn sentence_end(text: &str, start: usize, at: usize, next: usize) -> Option<usize> {
    let stop = char_at(text, at)?;
    let mut end = next;
    while let Some(more @ ('.' | '!' | '?' | '…')) = char_at(text, end) {
        end += more.len_utf8();
    }
    let ellipsis = stop == '…' || text.get(at..end).is_some_and(|run| run.starts_with("..."));
    end = skip_closers(text, end);
    // A citation or footnote glued to the full stop belongs to the sentence: "shown.[12] We", "shown.12 We".
    let glued = glued_mark(text, at, end);
    let end = glued.unwrap_or(end);
    let following = match char_at(text, end) {
        None => return Some(end),
        Some(character) if character.is_whitespace() => next_word(text, end),
        Some(_) => return None,
    };
    let Some(following) = following else { return Some(end) };
    if stop == '!' || stop == '?' {
        return (!following.lower).then_some(end);
    }
    if following.lower {
        return None;
    }
    if ellipsis {
        return following.upper.then_some(end);
    }
    (!is_abbreviation(text, start, at, &following)).then_some(end)
}

fn glued_mark(text: &str, stop: usize, at: usize) -> Option<usize> {
    let before = text.get(..stop)?.chars().next_back()?;
    let rest = text.get(at..)?;
    if rest.starts_with('[') {
        let close = rest.bytes().take(40).position(|byte| byte == b']')?;
        let inside = rest.get(1..close)?;
        let numeric = inside
            .chars()
            .all(|c| c.is_ascii_digit() || matches!(c, ',' | ' ' | '-' | '–'));
        return numeric.then_some(at + close + 1);
    }
    let digits = rest.len()
        - rest
            .trim_start_matches(|c: char| c.is_ascii_digit() || "¹²³⁴⁵⁶⁷⁸⁹⁰,".contains(c))
            .len();
    let spaced = rest.get(digits..)?.starts_with(char::is_whitespace);
    (digits > 0 && digits <= 8 && spaced && !before.is_ascii_digit() && before.is_alphanumeric() | is_closer(before))
        .then_some(at + digits)
}

struct Following<'a> {
    word: &'a str,
    lower: bool,
    upper: bool,
    digit: bool,
}

fn next_word(text: &str, at: usize) -> Option<Following<'_>> {
    let rest = text.get(at..)?;
    // A line break inside a paragraph is white space; an empty line always ends the sentence.
    let gap = rest.len() - rest.trim_start().len();
    if rest.get(..gap)?.matches('\n').count() > 1 {
        return None;
    }
    let rest = rest
        .trim_start()
        .trim_start_matches(['(', '[', '"', '“', '‘', '\'', '«', '*', '•']);
    let first = rest.chars().next()?;
    let length = rest.find(|c: char| !c.is_alphanumeric()).unwrap_or(rest.len());
    Some(Following {
        word: rest.get(..length).unwrap_or_default(),
        lower: first.is_lowercase(),
        upper: first.is_uppercase(),
        digit: first.is_numeric(),
    })
}

/// Abbreviations that never end a sentence.
const GOES_ON: &[&str] = &[
    "al", "approx", "ca", "cf", "ch", "chap", "def", "dept", "dr", "e.g", "ed", "eds", "eg", "eq", "eqn", "eqns",
    "eqs", "ex", "fig", "figs", "i.e", "ie", "lem", "mr", "mrs", "ms", "no", "nos", "p", "pp", "prof", "prop", "ref",
    "refs", "resp", "sec", "sect", "sects", "secs", "st", "supp", "suppl", "tab", "tabs", "thm", "v", "viz", "vol",
    "vols", "vs", "w.r.t", "wrt",
];
/// Abbreviations that may end a sentence, which they do if the next word starts one.
const MAY_END: &[&str] = &[
    "al", "etc", "inc", "ltd", "co", "corp", "jr", "sr", "a.m", "p.m", "u.s", "u.k", "ph.d", "no", "ex", "ed",
];
/// Words that start sentences far more often than they continue a name.
const OPENERS: &[&str] = &[
    "A",
    "Additionally",
    "After",
    "All",
    "Although",
    "An",
    "And",
    "As",
    "At",
    "Both",
    "But",
    "By",
    "Each",
    "Finally",
    "First",
    "For",
    "From",
    "Furthermore",
    "Given",
    "He",
    "Hence",
    "Here",
    "However",
    "If",
    "In",
    "Instead",
    "It",
    "Its",
    "Many",
    "Moreover",
    "Most",
    "Next",
    "Note",
    "On",
    "One",
    "Our",
    "Second",
    "Several",
    "She",
    "Since",
    "Some",
    "Such",
    "Table",
    "Figure",
    "That",
    "The",
    "Their",
    "Then",
    "There",
    "Therefore",
    "These",
    "They",
    "This",
    "Those",
    "Though",
    "Thus",
    "To",
    "Unlike",
    "We",
    "What",
    "When",
    "Where",
    "While",
    "With",
    "You",
];

fn is_abbreviation(text: &str, start: usize, stop: usize, following: &Following<'_>) -> bool {
    let before = text.get(start..stop).unwrap_or_default();
    let word_start = before
        .rfind(|c: char| !(c.is_alphanumeric() || c == '.' || c == '\u{301}'))
        .map_or(0, |index| {
            index
                + before
                    .get(index..)
                    .and_then(|rest| rest.chars().next())
                    .map_or(1, char::len_utf8)
        });
    let word = before.get(word_start..).unwrap_or_default();
    let lower = word.to_lowercase();
    let opens = OPENERS.contains(&following.word);
    // "3. Methods", "2.1. Data", "IV. Results" at the start of a sentence number a heading or a list item.
    if before.get(..word_start).unwrap_or_default().trim().is_empty()
        && !word.is_empty()
        && word.len() <= 6
        && (word.chars().all(|c| c.is_ascii_digit() || c == '.') || word.chars().all(|c| "IVX".contains(c)))
    {
        return true;
    }
    if lower == "no" || lower == "nos" {
        return following.digit;
    }
    if MAY_END.contains(&lower.as_str()) {
        return !opens;
    }
    if GOES_ON.contains(&lower.as_str()) {
        return true;
    }
    // An initial: "J. Smith", "J.-P. Serre", "U.S. Congress"; "vitamin C. The" is not one.
    let last = lower.rsplit('.').next().unwrap_or_default();
    let initial = last.chars().count() == 1 && word.chars().next_back().is_some_and(char::is_uppercase);
    initial && !opens && !following.word.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(text: &str) -> Vec<&str> {
        sentences(text)
            .into_iter()
            .map(|span| span.slice(text).unwrap())
            .collect()
    }

    #[test]
    fn prose_of_papers_is_split_into_sentences() {
        let cases: &[&[&str]] = &[
            &["We follow Smith et al. (2020).", "It works."],
            &[
                "See Fig. 3 and Eq. (4) for details, e.g. the loss.",
                "The rest, i.e. the prior, is flat.",
            ],
            &["J. Smith and A. B. Jones vs. Brown.", "This is it."],
            &[
                "It reached 3.5 points, p < .05, on No. 7 of the list.",
                "No.",
                "Yes!",
                "Why?",
                "Because.",
            ],
            &["Prior work is limited [12].", "[13] shows more."],
            &["It holds.[3] We agree.12 They do not."],
            &["“It is so.” He left.", "Then (see above.) Nothing."],
            &["3. Methods are simple.", "We sample."],
            &["Apples, pears, etc. The rest is thrown away."],
            &["We use vitamin C. The dose is low."],
        ];
        let expected: &[&[&str]] = &[
            cases[0],
            cases[1],
            cases[2],
            cases[3],
            cases[4],
            &["It holds.[3]", "We agree.12", "They do not."],
            &["“It is so.”", "He left.", "Then (see above.)", "Nothing."],
            cases[7],
            &["Apples, pears, etc.", "The rest is thrown away."],
            &["We use vitamin C.", "The dose is low."],
        ];
        for (case, expected) in cases.iter().zip(expected) {
            assert_eq!(&split(&case.join(" ")), expected);
        }
    }

    #[test]
    fn lines_paragraphs_and_other_scripts() {
        assert_eq!(
            split("One line\ngoes on. Two\n\nthree"),
            ["One line\ngoes on.", "Two", "three"]
        );
        assert_eq!(split("A\n \t\nB"), ["A", "B"]);
        assert_eq!(
            split("我们提出了新方法。它很快！为什么？"),
            ["我们提出了新方法。", "它很快！", "为什么？"]
        );
        assert_eq!(split("「はい。」次。"), ["「はい。」", "次。"]);
        assert_eq!(split(""), Vec::<&str>::new());
        assert_eq!(split(" \n\n "), Vec::<&str>::new());
    }

    #[test]
    fn no_text_is_lost() {
        let text = "A b. C d? (E) f… G h. 3.5 i.e. j. Dr. K! L\n\nM [1]. N.";
        let kept: String = split(text).concat();
        assert_eq!(
            kept.split_whitespace().collect::<String>(),
            text.split_whitespace().collect::<String>()
        );
    }
}
