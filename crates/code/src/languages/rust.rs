//! Rust.

use super::{Grammar, Language};

pub(crate) static GRAMMAR: Grammar = Grammar {
    name: "rust",
    kind: Language::Rust,
    ends: &["rs"],
    language: || tree_sitter_rust::LANGUAGE.into(),
    patterns: r"
(function_item name: (identifier) @name body: (block) @body) @function
(impl_item type: (type_identifier) @scope.name) @scope
(impl_item type: (generic_type type: (type_identifier) @scope.name)) @scope
(trait_item name: (type_identifier) @scope.name) @scope
(call_expression function: (identifier) @call)
(call_expression function: (field_expression field: (field_identifier) @call))
(call_expression function: (scoped_identifier name: (identifier) @call))
(call_expression function: (generic_function function: (identifier) @call))
(line_comment) @comment
(block_comment) @comment
",
};
