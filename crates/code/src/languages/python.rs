//! Python.

use super::{Grammar, Language};

pub(crate) static GRAMMAR: Grammar = Grammar {
    name: "python",
    kind: Language::Python,
    ends: &["py"],
    language: || tree_sitter_python::LANGUAGE.into(),
    patterns: r"
(function_definition name: (identifier) @name body: (block) @body) @function
(function_definition name: (identifier) @name body: (block . (expression_statement (string) @doc)) @body) @function
(class_definition name: (identifier) @scope.name) @scope
(call function: (identifier) @call)
(call function: (attribute attribute: (identifier) @call))
(comment) @comment
",
};
