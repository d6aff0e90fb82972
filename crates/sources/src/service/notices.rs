//! Retraction marks in titles, and records of notices about papers.

/// Marks of a retracted paper at the start of its title.
const MARKS: [&str; 8] = [
    "retracted article:",
    "retracted paper:",
    "retracted:",
    "[retracted]",
    "(retracted)",
    "withdrawn article:",
    "withdrawn:",
    "[withdrawn]",
];
/// The same at its end. An index adds where the notice is: `(Retracted article. See vol. 12, pg. 3, 2019)`.
const MARKS_AFTER: [&str; 4] = ["(retracted)", "[retracted]", "(retracted article", "[retracted article"];
/// Titles of notices begin with one of these, followed by the end, a colon, `to`, `for`, `of` or `on`.
const NOTICES: [&str; 15] = [
    "retraction notice",
    "retraction note",
    "notice of retraction",
    "statement of retraction",
    "retraction statement",
    "partial retraction",
    "editorial retraction",
    "withdrawal notice",
    "notice of withdrawal",
    "statement of withdrawal",
    "removal notice",
    "expression of concern",
    "editorial expression of concern",
    "erratum",
    "corrigendum",
];
/// The same, followed by a colon: these words also begin titles of papers.
const NOTICES_WITH_COLON: [&str; 6] = [
    "retraction",
    "withdrawal",
    "correction",
    "author correction",
    "publisher correction",
    "correction to",
];

/// The title without the retraction mark of publishers, and whether there was one.
pub(super) fn without_mark(title: String) -> (String, bool) {
    // Lower-casing ASCII letters keeps every offset.
    let lower = title.to_ascii_lowercase();
    let before = MARKS.iter().find(|mark| lower.starts_with(**mark));
    let rest = match before {
        Some(mark) => title.get(mark.len()..),
        None => MARKS_AFTER
            .iter()
            .filter_map(|mark| lower.rfind(mark))
            .find(|at| lower.get(*at..).is_some_and(|mark| mark.ends_with([')', ']'])))
            .and_then(|at| title.get(..at)),
    };
    match rest.map(str::trim) {
        Some(rest) if rest.chars().any(char::is_alphanumeric) => (rest.to_owned(), true),
        _ => (title, false),
    }
}

/// Whether a title is that of a notice about a paper, and not of a paper.
pub(super) fn is_notice(title: &str) -> bool {
    let lower = title.to_ascii_lowercase();
    let lower = lower.trim_start_matches(['[', '(']);
    let after = |start: &&'static str| lower.strip_prefix(*start);
    let is_end = |rest: &str| {
        let rest = rest.trim_start_matches([']', ')']);
        rest.is_empty()
            || rest.starts_with([':', '.', ','])
            || [" to ", " to: ", " for ", " of ", " on ", " – ", " - "]
                .iter()
                .any(|next| rest.starts_with(next))
    };
    NOTICES.iter().filter_map(&after).any(is_end)
        || NOTICES_WITH_COLON
            .iter()
            .filter_map(after)
            .any(|rest| rest.starts_with(':'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_removed_from_either_end() {
        for (title, kept) in [
            ("RETRACTED: Ropes that creep", "Ropes that creep"),
            ("WITHDRAWN: Ropes that creep", "Ropes that creep"),
            ("Ropes that creep (Retracted)", "Ropes that creep"),
            (
                "Ropes that creep (Retracted article. See vol. 12, pg. 3, 2019)",
                "Ropes that creep",
            ),
        ] {
            assert_eq!(without_mark(title.to_owned()), (kept.to_owned(), true), "{title}");
        }
        for title in [
            "Ropes (retracted article) and more",
            "Withdrawn: …",
            "Why papers are retracted",
        ] {
            assert_eq!(without_mark(title.to_owned()), (title.to_owned(), false), "{title}");
        }
    }

    #[test]
    fn notices_are_distinguished_from_papers_about_them() {
        for title in [
            "Retraction notice to “Ropes that creep” [Rope 12 (2019) 3–9]",
            "Retraction Note: Ropes that creep",
            "Retraction: Ropes that creep",
            "Notice of Retraction: Ropes that creep",
            "[Retraction notice]",
            "Erratum",
            "Erratum to: Ropes that creep",
            "Corrigendum for Ropes that creep",
            "Publisher Correction: Ropes that creep",
            "Expression of Concern: Ropes that creep",
        ] {
            assert!(is_notice(title), "{title}");
        }
        for title in [
            "Retraction notices in the life sciences",
            "Correction of attenuation in ropes",
            "Withdrawal of anticoagulants before surgery",
            "Erratums and how to avoid them",
            "Retraction maps on manifolds",
            "Ropes that creep",
        ] {
            assert!(!is_notice(title), "{title}");
        }
    }
}
