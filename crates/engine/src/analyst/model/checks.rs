//! What answers are held to, each rule in one place. A violation is worded so that a model can mend it.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use precedent_domain::QuotableDocument;
use precedent_llm::Violation;
use regex::Regex;

use crate::wording::word_count;

/// Passed, or what is wrong.
pub(super) type Checked = std::result::Result<(), Violation>;

fn no(why: String) -> Checked {
    Err(Violation(why))
}

/// A few words of what was said, for a violation.
pub(super) fn head(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().take(8).collect();
    words.join(" ").chars().take(80).collect()
}

/// Between `least` and `most` words.
pub(super) fn words_between(what: &str, text: &str, least: usize, most: usize) -> Checked {
    let words = word_count(text);
    if (least..=most).contains(&words) {
        return Ok(());
    }
    let wanted = if least <= 1 {
        format!("at most {most}")
    } else {
        format!("{least} to {most}")
    };
    no(format!(
        "{what} has {words} words and must have {wanted}: {}",
        head(text)
    ))
}

/// Text that can stand in a report: no address, markup, code or character that deceives the eye; something at all.
pub(super) fn plain(what: &str, text: &str) -> Checked {
    static FOREIGN: LazyLock<Option<Regex>> = LazyLock::new(|| {
        Regex::new(r"(?i)[a-z][a-z0-9+.-]{1,15}:/|www\.|(?:javascript|data|mailto|file)\s*:|\]\(|!\[|</?[a-z!]|&[a-z#0-9]+;|`|\b[\w-]+(?:\.[\w-]+)*\.(?:com|org|net|io|dev|example|test|invalid|ai|edu|gov|onion|xyz)\b|@[\w-]+\.|\{\{|\}\}|\\[a-z]|/(?:etc|home|root|tmp|var)/").ok()
    });
    if text.trim().is_empty() {
        return no(format!("{what} is empty"));
    }
    if FOREIGN.as_ref().is_none_or(|one| one.is_match(text)) {
        return no(format!(
            "{what} holds an address, a path or markup, and must be plain words: {}",
            head(text)
        ));
    }
    if text.chars().any(deceives) {
        return no(format!("{what} holds control or invisible characters"));
    }
    Ok(())
}

fn deceives(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

/// Prose for a report: plain, within so many sentences, and what it quotes stands in one of `sources`.
pub(super) fn prose(what: &str, text: &str, sentences: (usize, usize), sources: &[&QuotableDocument]) -> Checked {
    plain(what, text)?;
    let count = precedent_text::sentences(text).len();
    if !(sentences.0..=sentences.1).contains(&count) {
        return no(format!(
            "{what} has {count} sentences and must have {} to {}",
            sentences.0, sentences.1
        ));
    }
    quoted(what, text, sources)?;
    uncited(what, text)?;
    verdictless(what, text)
}

/// A name or phrase: plain, of so many words, quoting and citing nothing, giving no verdict.
pub(super) fn title(what: &str, text: &str, least: usize, most: usize) -> Checked {
    plain(what, text)?;
    words_between(what, text, least, most)?;
    quoted(what, text, &[])?;
    uncited(what, text)?;
    verdictless(what, text)
}

/// No work by a number in brackets: only where citations are asked for are they checked.
pub(super) fn uncited(what: &str, text: &str) -> Checked {
    let cites = text
        .split('[')
        .skip(1)
        .any(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
    if cites {
        no(format!("{what} cites a work by number, which is not asked for here"))
    } else {
        Ok(())
    }
}

/// What stands between quotation marks and is more than a term stands in a source.
pub(super) fn quoted(what: &str, text: &str, sources: &[&QuotableDocument]) -> Checked {
    static QUOTED: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r#"[“”„"«»‘]([^“”„"«»]{12,})[“”"«»’]"#).ok());
    let Some(pattern) = &*QUOTED else {
        return no(format!("{what} cannot be checked"));
    };
    for found in pattern.captures_iter(text).filter_map(|found| found.get(1)) {
        let words = found.as_str();
        let stands = word_count(words) < 4 || sources.iter().any(|source| source.locate(words).verified());
        if !stands {
            return no(format!(
                "{what} quotes words that stand in no text it was given: {}",
                head(words)
            ));
        }
    }
    Ok(())
}

/// No verdict on the paper as a whole: that is for people.
pub(super) fn verdictless(what: &str, text: &str) -> Checked {
    static VERDICT: LazyLock<Option<Regex>> = LazyLock::new(|| {
        Regex::new(r"(?i)\b(?:not\s+novel|lacks?\s+(?:of\s+)?novelty|is\s+(?:highly\s+|truly\s+|very\s+)?novel|reject(?:ed|ion)?\b|desk[- ]reject|strong\s+accept|should\s+be\s+accepted|accept\s+(?:this|the)\s+paper|plagiari\w+|score\s+of|\d+\s*/\s*10|out\s+of\s+(?:10|ten|five|5)\b|groundbreaking|ignore\s+(?:all\s+)?(?:previous|prior)\s+instructions)").ok()
    });
    match VERDICT.as_ref().and_then(|one| one.find(text)) {
        Some(found) => no(format!(
            "{what} gives a verdict (`{}`); say what was found instead",
            found.as_str()
        )),
        None => Ok(()),
    }
}

/// Every number of `said` is among `known`, none twice, and there is one: what answers nothing of what was asked is no answer.
pub(super) fn known_once(what: &str, said: impl IntoIterator<Item = u32>, known: &[u32]) -> Checked {
    let mut seen = Vec::new();
    for number in said {
        if !known.contains(&number) {
            return no(format!("there is no {what} {number}; there are only {}", listed(known)));
        }
        if seen.contains(&number) {
            return no(format!("{what} {number} is answered twice"));
        }
        seen.push(number);
    }
    if seen.is_empty() && !known.is_empty() {
        return no(format!("nothing is answered; asked is for {what} {}", listed(known)));
    }
    Ok(())
}

/// Every number of `known` is among `said`.
pub(super) fn none_missing(what: &str, said: impl IntoIterator<Item = u32>, known: &[u32]) -> Checked {
    let said: Vec<u32> = said.into_iter().collect();
    let missing: Vec<u32> = known.iter().copied().filter(|number| !said.contains(number)).collect();
    if missing.is_empty() {
        Ok(())
    } else {
        no(format!("the answer for {what} {} is missing", listed(&missing)))
    }
}

fn listed(numbers: &[u32]) -> String {
    const MOST: usize = 60;
    let shown: Vec<String> = numbers.iter().take(MOST).map(u32::to_string).collect();
    shown.join(", ")
}

/// Every citation `Alias[n]` names a work of `works` by its own alias, and at least `least` works are cited.
pub(super) fn citations(what: &str, text: &str, works: &BTreeMap<u32, String>, least: usize) -> Checked {
    static CITED: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"\[([^\]]*)\]").ok());
    let Some(pattern) = &*CITED else {
        return no(format!("{what} cannot be checked"));
    };
    let mut cited: Vec<u32> = Vec::new();
    for found in pattern.captures_iter(text) {
        let (Some(whole), Some(inner)) = (found.get(0), found.get(1)) else {
            continue;
        };
        let number = inner.as_str().parse::<u32>().ok();
        let alias = number.and_then(|number| works.get(&number));
        let before = text.get(..whole.start()).unwrap_or_default();
        match (number, alias) {
            (Some(number), Some(alias)) if before.ends_with(alias.as_str()) => cited.push(number),
            _ => {
                return no(format!(
                    "{what} cites [{}], which is no work of the list by its own name and number",
                    head(inner.as_str())
                ));
            }
        }
    }
    cited.sort_unstable();
    cited.dedup();
    if cited.len() < least {
        return no(format!(
            "{what} names {} works and must name at least {least}",
            cited.len()
        ));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use precedent_domain::Document;

    use super::*;

    #[test]
    fn what_leads_or_looks_outside_is_not_plain() {
        for bad in [
            "see https://evil.example/x",
            "see HTTP:/evil",
            "see www.evil",
            "go to evil.com now",
            "[here](x)",
            "<b>bold</b>",
            "<img src=x>",
            "javascript: alert(1)",
            "a\u{202e}b",
            "tag \u{e0041}",
            "`rm`",
            "write to me@evil.org",
            "read /etc/passwd",
            "&lt;b&gt;",
            "{{ key }}",
            "",
            " \n",
            "a\u{0}b",
        ] {
            assert!(plain("it", bad).is_err(), "{bad:?}");
        }
        for fine in [
            "It treats ropes, e.g. hemp, as springs.",
            "C++ and C# at 3.5 < 4.0",
            "a loss of 1/2 (see Knuth 1989[3])",
            "β-VAE: a model.",
            "A and/or B",
        ] {
            assert_eq!(plain("it", fine), Ok(()), "{fine:?}");
        }
    }

    #[test]
    fn what_is_quoted_stands_in_a_source() {
        let source = QuotableDocument::new(Document::from_abstract(
            "T",
            Some("We treat the rope as a spring whose stiffness drifts."),
        ));
        let sources = [&source];
        assert!(
            quoted(
                "it",
                "It says “treat the rope as a spring whose stiffness drifts” there.",
                &sources
            )
            .is_ok()
        );
        assert!(
            quoted(
                "it",
                "It says “treat the chain as a spring whose colour drifts” there.",
                &sources
            )
            .is_err()
        );
        assert!(quoted("it", "The \"hemp rope\" is old.", &sources).is_ok(), "a term");
        assert!(quoted("it", "It says \"we were the first to do all of this\".", &sources).is_err());
    }

    #[test]
    fn citations_are_of_the_list_and_under_their_own_names() {
        let works = BTreeMap::from([(3, "Knuth 1989".to_owned()), (4, "Roy 2001".to_owned())]);
        assert!(citations("it", "As Knuth 1989[3] and Roy 2001[4] say.", &works, 2).is_ok());
        for bad in [
            "Knuth 1989[4]",
            "Knuth 1989[9]",
            "[3]",
            "Knuth 1989[3, 4]",
            "Knuth 1989[x]",
        ] {
            assert!(citations("it", bad, &works, 0).is_err(), "{bad}");
        }
        assert!(citations("it", "Knuth 1989[3]", &works, 2).is_err());
    }

    #[test]
    fn verdicts_are_for_people() {
        for bad in [
            "It is not novel.",
            "We recommend rejection.",
            "A score of 3.",
            "It should be accepted",
            "8/10",
        ] {
            assert!(verdictless("it", bad).is_err(), "{bad}");
        }
        assert!(verdictless("it", "The work has the method, on other data.").is_ok());
    }

    #[test]
    fn numbers_come_from_the_set() {
        assert!(known_once("work", [1, 2], &[1, 2, 3]).is_ok());
        assert!(known_once("work", [1, 4], &[1, 2, 3]).is_err());
        assert!(known_once("work", [1, 1], &[1, 2, 3]).is_err());
        assert!(known_once("work", [], &[1, 2, 3]).is_err());
        assert!(known_once("work", [], &[]).is_ok());
        assert!(none_missing("work", [1], &[1, 2]).is_err());
    }
}
