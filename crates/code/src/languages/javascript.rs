//! JavaScript.

use super::{Grammar, Language};

pub(crate) static GRAMMAR: Grammar = Grammar {
    name: "javascript",
    kind: Language::JavaScript,
    ends: &["js", "jsx", "mjs", "cjs"],
    language: || tree_sitter_javascript::LANGUAGE.into(),
    patterns: r"
(function_declaration name: (identifier) @name body: (_) @body) @function
(generator_function_declaration name: (identifier) @name body: (_) @body) @function
(method_definition name: (property_identifier) @name body: (_) @body) @function
(lexical_declaration (variable_declarator name: (identifier) @name value: [(arrow_function body: (_) @body) (function_expression body: (_) @body)])) @function
(class_declaration name: (identifier) @scope.name) @scope
(call_expression function: (identifier) @call)
(call_expression function: (member_expression property: (property_identifier) @call))
(new_expression constructor: (identifier) @call)
(comment) @comment
",
};
