//! Parser for Python literals, because published tables write their lists in Python syntax.

use serde_json::{Map, Value};

/// Maximum nesting depth.
const DEEPEST: usize = 12;

/// Parses lists, dictionaries, strings, numbers, `None`, `True` and `False`; `None` for anything else.
pub(super) fn python(text: &str) -> Option<Value> {
    let mut reader = LiteralReader { rest: text.trim() };
    let value = reader.value(0)?;
    reader.rest.trim().is_empty().then_some(value)
}

struct LiteralReader<'a> {
    rest: &'a str,
}

impl LiteralReader<'_> {
    fn value(&mut self, depth: usize) -> Option<Value> {
        if depth > DEEPEST {
            return None;
        }
        self.rest = self.rest.trim_start();
        match self.rest.chars().next()? {
            '[' => self.list(']', depth),
            '(' => self.list(')', depth),
            '{' => self.dictionary(depth),
            quote @ ('\'' | '"') => self.string(quote).map(Value::String),
            _ => self.name(),
        }
    }

    fn list(&mut self, close: char, depth: usize) -> Option<Value> {
        self.skip(1)?;
        let mut items = Vec::new();
        loop {
            if self.eat(close) {
                return Some(Value::Array(items));
            }
            items.push(self.value(depth + 1)?);
            if !self.eat(',') && !self.rest.trim_start().starts_with(close) {
                return None;
            }
        }
    }

    fn dictionary(&mut self, depth: usize) -> Option<Value> {
        self.skip(1)?;
        let mut entries = Map::new();
        loop {
            if self.eat('}') {
                return Some(Value::Object(entries));
            }
            let key = self.value(depth + 1)?;
            if !self.eat(':') {
                return None;
            }
            let value = self.value(depth + 1)?;
            entries.insert(key.as_str().map_or_else(|| key.to_string(), str::to_owned), value);
            if !self.eat(',') && !self.rest.trim_start().starts_with('}') {
                return None;
            }
        }
    }

    fn string(&mut self, quote: char) -> Option<String> {
        self.skip(1)?;
        let mut text = String::new();
        let mut chars = self.rest.char_indices();
        while let Some((at, c)) = chars.next() {
            match c {
                c if c == quote => {
                    self.rest = self.rest.get(at + 1..)?;
                    return Some(text);
                }
                '\\' => {
                    let (_, escaped) = chars.next()?;
                    match escaped {
                        'n' => text.push('\n'),
                        't' => text.push('\t'),
                        'r' => text.push('\r'),
                        'x' | 'u' | 'U' => {
                            let digits = match escaped {
                                'x' => 2,
                                'u' => 4,
                                _ => 8,
                            };
                            let hex: String = chars.by_ref().take(digits).map(|(_, c)| c).collect();
                            text.push(
                                u32::from_str_radix(&hex, 16)
                                    .ok()
                                    .and_then(char::from_u32)
                                    .unwrap_or('\u{fffd}'),
                            );
                        }
                        other => text.push(other),
                    }
                }
                c => text.push(c),
            }
        }
        None
    }

    fn name(&mut self) -> Option<Value> {
        let end = self.rest.find([',', ']', ')', '}', ':']).unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(end);
        let value = match word.trim() {
            "None" | "nan" | "null" => Value::Null,
            "True" | "true" => Value::Bool(true),
            "False" | "false" => Value::Bool(false),
            number => number
                .parse::<f64>()
                .ok()
                .filter(|number| number.is_finite())
                .map(Value::from)?,
        };
        self.rest = rest;
        Some(value)
    }

    fn eat(&mut self, c: char) -> bool {
        let Some(rest) = self.rest.trim_start().strip_prefix(c) else {
            return false;
        };
        self.rest = rest;
        true
    }

    fn skip(&mut self, bytes: usize) -> Option<()> {
        self.rest = self.rest.get(bytes..)?;
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn python_literals_are_parsed() {
        assert_eq!(
            python(r#"[{'title': "It's", 'n': 3, 'none': None, 'deep': ['a', ('b',)]}, 'x\n\u00e9\'']"#),
            Some(json!([{"title": "It's", "n": 3.0, "none": null, "deep": ["a", ["b"]]}, "x\né'"]))
        );
        for bad in [
            "",
            "[",
            "['a'",
            "{'a' 1}",
            "os.system('x')",
            "['a'] + 1",
            &"[".repeat(100),
        ] {
            assert_eq!(python(bad), None, "{bad}");
        }
    }

    proptest::proptest! {
        #[test]
        fn any_text_is_parsed_or_rejected(text in "([\\[\\]{}():,'\"\\\\]|None|\\PC){0,60}") {
            let _ = python(&text);
        }
    }
}
