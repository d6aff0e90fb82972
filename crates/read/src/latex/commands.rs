use std::collections::HashMap;
use std::sync::LazyLock;

use super::tables::rows;

/// What this reader does with a command of LaTeX or its common classes and packages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Action {
    /// Print nothing and skip the arguments: `s` a star, `o` one in brackets, `m` a group.
    Skip(&'static str),
    /// Skip the first arguments; what follows is text.
    After(&'static str),
    /// A heading of this level. Levels from 4 on are run-in headings.
    Section(u8),
    /// A citation.
    Cite(CiteForm),
    /// `\ref` and similar commands.
    Reference(ReferenceForm),
    /// The title.
    Title,
    /// A second line of the title.
    Subtitle,
    /// An author or a list of them.
    Author,
    /// Text that belongs to the authors: affiliation, address.
    Affiliation,
    /// The printed date.
    Date,
    /// `\abstract{…}`.
    Abstract,
    /// A footnote.
    Footnote,
    /// A caption.
    Caption,
    /// Color of the following text or of an argument.
    Color,
    /// Size of the following text.
    Size,
    /// Invisible text that takes up space.
    Phantom,
    /// Macro and condition definitions.
    Definition,
    /// Files, bibliographies, environments and other structure.
    Structure,
    /// A link; the last argument is printed.
    Link,
    /// Text styles such as capitals: the argument is text.
    Text,
}

/// How a citation is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CiteForm {
    /// `\cite`: depends on the style.
    Plain,
    /// `\citep`: in brackets.
    Bracketed,
    /// `\citet`: names in the text.
    Textual,
    /// `\citealp`: without brackets.
    Bare,
    /// `\citeauthor`.
    Author,
    /// `\citeyear`.
    Year,
    /// `\citeyearpar`.
    YearBracketed,
    /// `\citetitle`.
    Title,
    /// `\nocite`: prints nothing.
    Silent,
}

/// How a cross reference is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ReferenceForm {
    /// The number.
    Number,
    /// The number in brackets.
    Bracketed,
    /// The number with the word before it.
    Named,
}

/// Whether this reader ignores redefinitions of the command by the paper.
pub(crate) fn is_protected(name: &str) -> bool {
    action(name).is_some()
        || matches!(
            name,
            "eg" | "ie" | "etal" | "etc" | "onedot" | "xspace" | "And" | "AND" | "and" | "\\" | "par" | "relax"
        )
}

/// The action for a command; `None` for macros, symbols and unknown commands.
pub(crate) fn action(name: &str) -> Option<Action> {
    static ACTIONS: LazyLock<HashMap<&str, Action>> = LazyLock::new(|| {
        let known = rows(COMMANDS).filter_map(|(action, argument, name)| Some((name, action_of(action, argument)?)));
        known.collect()
    });
    ACTIONS.get(name).copied()
}

const COMMANDS: &str = include_str!("tables/commands.tsv");

/// An action by its name in the table. Its argument is a level, a form, or the arguments of the command.
fn action_of(action: &str, argument: &'static str) -> Option<Action> {
    Some(match action {
        "skip" => Action::Skip(argument),
        "after" => Action::After(argument),
        "section" => Action::Section(argument.parse().ok()?),
        "cite" => Action::Cite(match argument {
            "plain" => CiteForm::Plain,
            "bracketed" => CiteForm::Bracketed,
            "textual" => CiteForm::Textual,
            "bare" => CiteForm::Bare,
            "author" => CiteForm::Author,
            "year" => CiteForm::Year,
            "year_bracketed" => CiteForm::YearBracketed,
            "title" => CiteForm::Title,
            "silent" => CiteForm::Silent,
            _ => return None,
        }),
        "reference" => Action::Reference(match argument {
            "number" => ReferenceForm::Number,
            "bracketed" => ReferenceForm::Bracketed,
            "named" => ReferenceForm::Named,
            _ => return None,
        }),
        "title" => Action::Title,
        "subtitle" => Action::Subtitle,
        "author" => Action::Author,
        "affiliation" => Action::Affiliation,
        "date" => Action::Date,
        "abstract" => Action::Abstract,
        "footnote" => Action::Footnote,
        "caption" => Action::Caption,
        "color" => Action::Color,
        "size" => Action::Size,
        "phantom" => Action::Phantom,
        "definition" => Action::Definition,
        "structure" => Action::Structure,
        "link" => Action::Link,
        "text" => Action::Text,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_is_an_action_and_no_command_has_two() {
        let mut seen = std::collections::HashSet::new();
        for (word, argument, name) in rows(COMMANDS) {
            assert!(action_of(word, argument).is_some(), "{word} {argument}");
            assert!(
                argument.is_empty() || !matches!(word, "text" | "structure" | "link"),
                "{name}"
            );
            assert!(seen.insert(name), "{name} has two actions");
        }
        assert_eq!(action("includegraphics"), Some(Action::Skip("som")));
        assert_eq!(action("citeyearpar"), Some(Action::Cite(CiteForm::YearBracketed)));
        assert_eq!(
            (action("subsection"), action("(")),
            (Some(Action::Section(2)), Some(Action::Structure))
        );
    }
}
