//! TypeScript, with and without JSX.

use super::{Grammar, Language};

const PATTERNS: &str = r"
(function_declaration name: (identifier) @name body: (_) @body) @function
(generator_function_declaration name: (identifier) @name body: (_) @body) @function
(method_definition name: (property_identifier) @name body: (_) @body) @function
(lexical_declaration (variable_declarator name: (identifier) @name value: [(arrow_function body: (_) @body) (function_expression body: (_) @body)])) @function
(class_declaration name: (type_identifier) @scope.name) @scope
(call_expression function: (identifier) @call)
(call_expression function: (member_expression property: (property_identifier) @call))
(new_expression constructor: (identifier) @call)
(comment) @comment
";

pub(crate) static GRAMMAR: Grammar = Grammar {
    name: "typescript",
    kind: Language::TypeScript,
    ends: &["ts", "mts", "cts"],
    language: || tree_sitter_typescript::LANGUAGE_TYPESCRIPT.into(),
    patterns: PATTERNS,
};

pub(crate) static WITH_MARKUP: Grammar = Grammar {
    name: "tsx",
    kind: Language::TypeScript,
    ends: &["tsx"],
    language: || tree_sitter_typescript::LANGUAGE_TSX.into(),
    patterns: PATTERNS,
};
