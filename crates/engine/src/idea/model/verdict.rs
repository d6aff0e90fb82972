//! Parses a verdict from what a model writes, if it gives one.

use precedent_domain::NoveltyVerdict;
use precedent_text::pattern;

/// The verdict in a field. Only these words count, alone in the field but for quotes, fences, marks and a full stop. Anything else is no verdict.
pub(crate) fn parse(field: &str) -> Option<NoveltyVerdict> {
    let bare = field.trim().trim_matches(|c: char| !c.is_alphanumeric());
    let words: Vec<String> = bare
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect();
    let mut words: Vec<&str> = words.iter().map(String::as_str).collect();
    // A fence may name its language, and the field may repeat its own name.
    while let Some(("json" | "text" | "txt" | "verdict", rest)) =
        words.split_first().map(|(first, rest)| (*first, rest))
    {
        words = rest.to_vec();
    }
    match words.as_slice() {
        ["novel"] => Some(NoveltyVerdict::Novel),
        ["not", "novel"] | ["nonnovel"] | ["non", "novel"] | ["notnovel"] => Some(NoveltyVerdict::NotNovel),
        ["undecided"] => Some(NoveltyVerdict::Undecided),
        _ => None,
    }
}

/// What prose says about the idea as a whole; `None` if it says neither or both.
pub(crate) fn stance(prose: &str) -> Option<NoveltyVerdict> {
    let not = pattern!(
        r"(?ix)\b(?:is|are|was|be|seems|appears|remains|deemed|considered|makes?\s+(?:it|the\s+idea))\s+(?:therefore\s+|thus\s+|hence\s+|clearly\s+|simply\s+)?(?:not|never|hardly|no\s+longer)\s+(?:truly\s+|really\s+|entirely\s+|considered\s+|be\s+)?novel\b
            |\b(?:isn['’]t|aren['’]t|cannot\s+be\s+(?:called|considered))\s+novel\b
            |\black(?:s|ing)?\s+(?:of\s+)?novelty\b|\bno\s+novelty\b|\bnot\s+a\s+novel\b|\bnot\s+novel\b"
    );
    let yes = pattern!(
        r"(?ix)\b(?:the|this)\s+idea\s+(?:is|remains|seems|appears)\s+(?:therefore\s+|thus\s+|hence\s+|clearly\s+|still\s+|indeed\s+|genuinely\s+)?novel\b
            |\b(?:it|which|that|so\s+it|hence|therefore|thus)\s+is\s+(?:therefore\s+|thus\s+|hence\s+|still\s+)?novel\b|\bmak(?:es|ing)\s+(?:it|the\s+idea)\s+novel\b"
    );
    let denied = not.is_match(prose);
    // A denial must not count as an affirmation: `the idea is not novel` contains no `is novel`.
    match (denied, yes.is_match(prose)) {
        (true, false) => Some(NoveltyVerdict::NotNovel),
        (false, true) => Some(NoveltyVerdict::Novel),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use NoveltyVerdict::{NotNovel, Novel, Undecided};

    #[test]
    fn only_an_unambiguous_verdict_is_accepted() {
        for (reply, wanted) in [
            ("novel", Some(Novel)),
            ("Novel.", Some(Novel)),
            ("\"NOVEL\"", Some(Novel)),
            ("```\nnovel\n```", Some(Novel)),
            ("```json\nnot novel\n```", Some(NotNovel)),
            ("not novel", Some(NotNovel)),
            ("not_novel", Some(NotNovel)),
            ("**Not-Novel**", Some(NotNovel)),
            ("Non-novel", Some(NotNovel)),
            ("verdict: not novel", Some(NotNovel)),
            ("undecided", Some(Undecided)),
            // Both, neither, hedges, other languages, numbers, nothing.
            ("novel / not novel", None),
            ("novel, or rather not novel", None),
            ("moderately novel", None),
            ("not very novel", None),
            ("not not novel", None),
            ("it is novel", None),
            ("novelty", None),
            ("nouveau", None),
            ("pas nouveau", None),
            ("nicht neu", None),
            ("新颖", None),
            ("不新颖", None),
            ("новый", None),
            ("yes", None),
            ("true", None),
            ("1", None),
            ("", None),
            ("```\n```", None),
            ("not", None),
            ("n\u{200b}ovel", None),
        ] {
            assert_eq!(parse(reply), wanted, "{reply:?}");
        }
    }

    #[test]
    fn prose_counts_only_if_it_is_unambiguous() {
        for (reply, wanted) in [
            ("So the idea is novel against these works.", Some(Novel)),
            ("None of them does both; therefore it is novel.", Some(Novel)),
            ("The idea is not novel because it repeats [1].", Some(NotNovel)),
            ("The idea lacks novelty beside [2].", Some(NotNovel)),
            ("It can thus not be called new, and isn't novel.", Some(NotNovel)),
            (
                "The idea is novel in its means, but the idea is not novel in its purpose.",
                None,
            ),
            ("Novel views of tides are shown in [1].", None),
            ("The works share a purpose.", None),
            ("", None),
        ] {
            assert_eq!(stance(reply), wanted, "{reply:?}");
        }
    }

    proptest::proptest! {
        #[test]
        fn only_the_verdict_words_become_a_verdict(text in "(novel|not|non|un|decided|[a-z]{1,6}|[ ._*`\"\n-]|\\PC){0,12}") {
            if let Some(verdict) = parse(&text) {
                let letters: String = text.to_lowercase().chars().filter(|c| c.is_alphanumeric()).collect();
                let heads = ["json", "text", "txt", "verdict"];
                let mut bare = letters.as_str();
                while let Some(rest) = heads.iter().find_map(|head| bare.strip_prefix(head)) {
                    bare = rest;
                }
                let wanted: &[&str] = match verdict {
                    Novel => &["novel"],
                    NotNovel => &["notnovel", "nonnovel"],
                    Undecided => &["undecided"],
                };
                proptest::prop_assert!(wanted.contains(&bare), "{:?}: {:?}", text, verdict);
            }
            stance(&text);
        }
    }
}
