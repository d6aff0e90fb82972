/// The beginning of a file, for format detection.
pub(super) struct Head<'a> {
    name: String,
    text: &'a str,
    keys: Vec<String>,
}

impl<'a> Head<'a> {
    /// `name` is the file name, possibly with a compression suffix; `text` is the beginning of the decompressed content.
    pub(super) fn new(name: &str, text: &'a str) -> Self {
        let text = text.trim_start_matches(|c: char| c == '\u{feff}' || c.is_whitespace());
        Self {
            name: name.to_ascii_lowercase(),
            text,
            keys: keys(text),
        }
    }

    /// The first characters, without byte order mark and white space.
    pub(super) fn text(&self) -> &'a str {
        self.text
    }

    /// The file extension without compression suffixes, in lower case.
    pub(super) fn ending(&self) -> &str {
        let bare = [".gz", ".zst", ".zstd"]
            .iter()
            .find_map(|ending| self.name.strip_suffix(ending))
            .unwrap_or(&self.name);
        bare.rsplit_once('.').map_or("", |(_, ending)| ending)
    }

    /// Whether the first JSON object has a member of this name.
    pub(super) fn has_key(&self, key: &str) -> bool {
        self.keys.iter().any(|known| known == key)
    }

    /// Whether the file starts with a JSON object.
    pub(super) fn is_object(&self) -> bool {
        let inside = self.text.strip_prefix('{').map(str::trim_start);
        inside.is_some_and(|rest| rest.starts_with('"'))
    }

    /// Whether the file starts with a JSON object without a line end in the part that was read.
    pub(super) fn is_object_on_a_line(&self) -> bool {
        if !self.is_object() {
            return false;
        }
        let line = self.text.lines().next().unwrap_or_default().trim_end();
        line.len() == self.text.len() || line.ends_with('}') && line.len() > 2
    }
}

/// Member names of the first JSON object in `text`, or of the first object of its list. `text` may end early.
fn keys(text: &str) -> Vec<String> {
    let Some(start) = text.find('{').filter(|_| text.starts_with(['{', '['])) else {
        return Vec::new();
    };
    let (mut keys, mut depth, mut string, mut escaped) = (Vec::new(), 0_usize, None, false);
    let bytes = text.as_bytes();
    for (at, &byte) in bytes.iter().enumerate().skip(start) {
        if let Some(from) = string {
            match byte {
                _ if escaped => escaped = false,
                b'\\' => escaped = true,
                b'"' => {
                    string = None;
                    let follows = bytes.iter().skip(at + 1).find(|byte| !byte.is_ascii_whitespace());
                    if depth == 1 && follows == Some(&b':') {
                        keys.push(text.get(from..at).unwrap_or_default().to_owned());
                    }
                }
                _ => {}
            }
            continue;
        }
        match byte {
            b'"' => string = Some(at + 1),
            b'{' | b'[' => depth += 1,
            b'}' | b']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 {
            break;
        }
    }
    keys
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_those_of_the_first_object() {
        let text = r#"  [ {"a": {"inner": 1}, "b\"": [{"deep": 2}], "c": "x: \"d\": y", "cut"#;
        assert_eq!(Head::new("x", text).keys, ["a", "b\\\"", "c"]);
        assert_eq!(Head::new("x", "plain").keys, Vec::<String>::new());
        assert_eq!(Head::new("Works.JSONL.gz", "").ending(), "jsonl");
    }
}
