//! Finds the quoted parts of a text, whatever the style of its quotation marks.

/// A quotation mark, with its bytes and character.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct QuotationMark {
    start: usize,
    end: usize,
    form: char,
}

/// Two single marks in a row count as this one.
const TWICE: char = '"';
const DOUBLE: [char; 30] = [
    '"', '“', '”', '„', '‟', '″', '‶', '＂', '«', '»', '‹', '›', '「', '」', '『', '』', '｢', '｣', '《', '》', '〈',
    '〉', '〝', '〞', '〟', '❝', '❞', '˝', '❮', '❯',
];
/// Marks that can also be apostrophes.
const SINGLE: [char; 13] = ['\'', '‘', '’', '‚', '‛', '′', '‵', '＇', '´', 'ʼ', 'ʻ', '❛', '❜'];
/// Single marks that only open. If nothing closes one, it quotes the rest of the text.
const OPENING: [char; 3] = ['‘', '‚', '❛'];

/// The quoted parts of a text. An unclosed mark quotes everything after it. Apostrophes and marks of feet and inches quote nothing.
pub(crate) fn quotations(text: &str) -> Vec<&str> {
    let (double, single) = marks(text);
    let mut found = doubles(text, &double);
    found.extend(singles(text, &single, &double));
    found
}

fn marks(text: &str) -> (Vec<QuotationMark>, Vec<QuotationMark>) {
    let (mut double, mut single) = (Vec::new(), Vec::new());
    let mut chars = text.char_indices().peekable();
    while let Some((start, form)) = chars.next() {
        let end = start + form.len_utf8();
        let again = chars.peek().is_some_and(|(_, next)| *next == form);
        if (SINGLE.contains(&form) || form == ',') && again {
            chars.next();
            double.push(QuotationMark {
                start,
                end: end + form.len_utf8(),
                form: TWICE,
            });
        } else if DOUBLE.contains(&form) {
            double.push(QuotationMark { start, end, form });
        } else if SINGLE.contains(&form) {
            single.push(QuotationMark { start, end, form });
        }
    }
    (double, single)
}

/// Marks that close what this one opens.
fn closing(form: char) -> &'static [char] {
    match form {
        '“' => &['”', '"', '″', '＂', '❞', '˝'],
        '„' | '‟' => &['“', '”', '"', '‟', '˝'],
        '«' => &['»'],
        '»' => &['«', '»'],
        '‹' => &['›'],
        '›' => &['‹', '›'],
        '「' => &['」'],
        '『' => &['』'],
        '｢' => &['｣'],
        '《' => &['》'],
        '〈' => &['〉'],
        '〝' => &['〞', '〟'],
        '❝' => &['❞', '"'],
        '❮' => &['❯'],
        '”' => &['”', '"'],
        _ => &['"', '”', '″', '‶', '＂', '˝', '❞'],
    }
}

fn doubles<'t>(text: &'t str, marks: &[QuotationMark]) -> Vec<&'t str> {
    let mut open: Vec<QuotationMark> = Vec::new();
    let mut found = Vec::new();
    for mark in marks {
        let opener = open.iter().rposition(|one| closing(one.form).contains(&mark.form));
        if let Some(at) = opener {
            let from = open.get(at).map_or(mark.start, |one| one.end);
            found.extend(text.get(from..mark.start));
            open.truncate(at);
        } else if !(matches!(mark.form, '"' | '″' | '˝' | '”') && is_measure(text, *mark)) {
            open.push(*mark);
        }
    }
    found.extend(open.first().and_then(|one| text.get(one.end..)));
    found
}

/// Whether a mark follows a figure, like the marks of inches and seconds.
fn is_measure(text: &str, mark: QuotationMark) -> bool {
    before(text, mark).is_some_and(|c| c.is_ascii_digit()) && after(text, mark).is_none_or(|c| !c.is_alphanumeric())
}

fn before(text: &str, mark: QuotationMark) -> Option<char> {
    text.get(..mark.start)?.chars().next_back()
}

fn after(text: &str, mark: QuotationMark) -> Option<char> {
    text.get(mark.end..)?.chars().next()
}

fn singles<'t>(text: &'t str, marks: &[QuotationMark], double: &[QuotationMark]) -> Vec<&'t str> {
    let is_double = |at: usize| double.iter().any(|one| one.start == at || one.end == at);
    let opens = |mark: &QuotationMark| {
        let apart = before(text, *mark).is_none_or(|c| !c.is_alphanumeric() && !SINGLE.contains(&c));
        let leads = after(text, *mark).is_some_and(|c| c.is_alphanumeric() || matches!(c, '(' | '[' | '…' | '-'));
        let decade = !OPENING.contains(&mark.form) && after(text, *mark).is_some_and(|c| c.is_ascii_digit()) && {
            let rest = text.get(mark.end..).unwrap_or_default();
            rest.trim_start_matches(|c: char| c.is_ascii_digit()).starts_with('s')
        };
        (apart || is_double(mark.start)) && leads && !decade
    };
    let closes = |mark: &QuotationMark| {
        let trails = before(text, *mark).is_some_and(|c| !c.is_whitespace());
        trails && (after(text, *mark).is_none_or(|c| !c.is_alphanumeric()) || is_double(mark.end))
    };
    // `the users' ropes`: an apostrophe, or the end of a quotation.
    let possessive = |mark: &QuotationMark| {
        let mut next = text.get(mark.end..).unwrap_or_default().chars();
        before(text, *mark) == Some('s') && next.next() == Some(' ') && next.next().is_some_and(char::is_alphanumeric)
    };
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(opener) = marks.get(at) {
        at += 1;
        if !opens(opener) {
            continue;
        }
        let rest = marks.get(at..).unwrap_or_default();
        let reach = rest.iter().take_while(|one| !opens(one)).count();
        let mut closers = rest.iter().take(reach).enumerate().filter(|(_, one)| closes(one));
        let first = closers.next();
        let closer = match first {
            Some((_, one)) if possessive(one) => closers.find(|(_, one)| !possessive(one)).or(first),
            first => first,
        };
        match closer {
            Some((skip, closer)) => {
                found.extend(text.get(opener.end..closer.start));
                at += skip + 1;
            }
            None if OPENING.contains(&opener.form) => found.extend(text.get(opener.end..)),
            None => {}
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_of_every_style_quote() {
        for (open, close) in [
            ("“", "”"),
            ("\"", "\""),
            ("„", "“"),
            ("„", "”"),
            ("”", "”"),
            ("«", "»"),
            ("»", "«"),
            ("« ", " »"),
            ("‹", "›"),
            ("「", "」"),
            ("『", "』"),
            ("《", "》"),
            ("＂", "＂"),
            ("″", "″"),
            ("〝", "〞"),
            ("''", "''"),
            ("‘‘", "’’"),
            (",,", "''"),
            ("❝", "❞"),
            ("'", "'"),
            ("‘", "’"),
            ("‚", "‘"),
            ("’", "’"),
            ("′", "′"),
            ("＇", "＇"),
            ("´", "´"),
        ] {
            for words in ["rope", "the rope sings at dawn", "don't tug the users' rope"] {
                let text = format!("It says {open}{words}{close}, we think.");
                let found = quotations(&text);
                assert!(found.iter().any(|one| one.trim() == words), "{text}: {found:?}");
            }
        }
    }

    #[test]
    fn apostrophes_and_inches_quote_nothing() {
        for text in [
            "It doesn't use the rope's load; the users' ropes aren’t theirs.",
            "In the '90s, and the ’80s, ships' ropes were 5\" thick, 3″ or 6' long.",
            "L'idée d’un câble. Rock ’n’ roll's f' and f′(x).",
            "A 1/4\" plug.",
        ] {
            let found = quotations(text);
            assert!(found.iter().all(|one| one.len() < 2), "{text}: {found:?}");
        }
    }

    #[test]
    fn nested_and_unclosed_marks_hide_nothing() {
        let found = quotations("It says “the ‘slack’ rope” and 'two' of 'three ropes'.");
        for words in ["the ‘slack’ rope", "slack", "two", "three ropes"] {
            assert!(found.contains(&words), "{words}: {found:?}");
        }
        for text in ["It says “ropes sing", "It says ‘ropes sing", "It says \"ropes sing"] {
            assert_eq!(quotations(text), ["ropes sing"], "{text}");
        }
        let found = quotations("“a «ropes sing» b”");
        assert!(found.contains(&"ropes sing") && found.len() == 2, "{found:?}");
    }
}
