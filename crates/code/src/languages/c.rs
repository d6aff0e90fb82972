//! C.

use super::{Grammar, Language};

pub(crate) static GRAMMAR: Grammar = Grammar {
    name: "c",
    kind: Language::C,
    ends: &["c", "h"],
    language: || tree_sitter_c::LANGUAGE.into(),
    patterns: r"
(function_definition declarator: (function_declarator declarator: (identifier) @name) body: (_) @body) @function
(function_definition declarator: (pointer_declarator declarator: (function_declarator declarator: (identifier) @name)) body: (_) @body) @function
(function_definition declarator: (pointer_declarator declarator: (pointer_declarator declarator: (function_declarator declarator: (identifier) @name))) body: (_) @body) @function
(call_expression function: (identifier) @call)
(call_expression function: (field_expression field: (field_identifier) @call))
(comment) @comment
",
};
