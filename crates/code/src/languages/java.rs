//! Java.

use super::{Grammar, Language};

pub(crate) static GRAMMAR: Grammar = Grammar {
    name: "java",
    kind: Language::Java,
    ends: &["java"],
    language: || tree_sitter_java::LANGUAGE.into(),
    patterns: r"
(method_declaration name: (identifier) @name body: (block) @body) @function
(constructor_declaration name: (identifier) @name body: (_) @body) @function
(class_declaration name: (identifier) @scope.name) @scope
(interface_declaration name: (identifier) @scope.name) @scope
(enum_declaration name: (identifier) @scope.name) @scope
(record_declaration name: (identifier) @scope.name) @scope
(method_invocation name: (identifier) @call)
(object_creation_expression type: (type_identifier) @call)
(line_comment) @comment
(block_comment) @comment
",
};
