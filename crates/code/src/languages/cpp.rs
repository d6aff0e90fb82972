//! C++, including its dialects for GPUs.

use super::{Grammar, Language};

pub(crate) static GRAMMAR: Grammar = Grammar {
    name: "cpp",
    kind: Language::Cpp,
    ends: &["cc", "cpp", "cxx", "cu", "cuh", "hh", "hpp", "hxx"],
    language: || tree_sitter_cpp::LANGUAGE.into(),
    patterns: r"
(function_definition declarator: (function_declarator declarator: (identifier) @name) body: (_) @body) @function
(function_definition declarator: (function_declarator declarator: (field_identifier) @name) body: (_) @body) @function
(function_definition declarator: (function_declarator declarator: (qualified_identifier scope: (_) @owner name: (identifier) @name)) body: (_) @body) @function
(function_definition declarator: (pointer_declarator declarator: (function_declarator declarator: (identifier) @name)) body: (_) @body) @function
(function_definition declarator: (reference_declarator (function_declarator declarator: (identifier) @name)) body: (_) @body) @function
(class_specifier name: (type_identifier) @scope.name) @scope
(struct_specifier name: (type_identifier) @scope.name body: (_)) @scope
(call_expression function: (identifier) @call)
(call_expression function: (field_expression field: (field_identifier) @call))
(call_expression function: (qualified_identifier name: (identifier) @call))
(call_expression function: (template_function name: (identifier) @call))
(comment) @comment
",
};
