//! Go.

use super::{Grammar, Language};

pub(crate) static GRAMMAR: Grammar = Grammar {
    name: "go",
    kind: Language::Go,
    ends: &["go"],
    language: || tree_sitter_go::LANGUAGE.into(),
    patterns: r"
(function_declaration name: (identifier) @name body: (block) @body) @function
(method_declaration receiver: (parameter_list (parameter_declaration type: (type_identifier) @owner)) name: (field_identifier) @name body: (block) @body) @function
(method_declaration receiver: (parameter_list (parameter_declaration type: (pointer_type (type_identifier) @owner))) name: (field_identifier) @name body: (block) @body) @function
(call_expression function: (identifier) @call)
(call_expression function: (selector_expression field: (field_identifier) @call))
(comment) @comment
",
};
