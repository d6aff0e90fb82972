/// `text` with the curly quotes that delimit strings made straight, commas before a closing bracket removed, and line ends and tabs inside strings
/// escaped. Other text inside strings does not change.
/// `None` if nothing had to be repaired.
pub(super) fn punctuation(text: &str) -> Option<String> {
    let mut mended = String::with_capacity(text.len());
    let mut changed = false;
    let mut string: Option<Quotes> = None;
    let mut escaped = false;
    for (at, c) in text.char_indices() {
        let rest = text.get(at + c.len_utf8()..).unwrap_or_default();
        match string {
            Some(_) if escaped => {
                escaped = false;
                mended.push(c);
            }
            Some(_) if c == '\\' => {
                escaped = true;
                mended.push(c);
            }
            Some(Quotes::Straight) if c == '"' => {
                string = None;
                mended.push(c);
            }
            Some(Quotes::Curly) if is_curly(c) && ends_string(rest) => {
                string = None;
                mended.push('"');
            }
            // A straight quote inside curly ones would end the string too early.
            Some(Quotes::Curly) if c == '"' => mended.push_str("\\\""),
            // A line end must be escaped inside a string.
            Some(_) if c.is_ascii_control() => {
                changed = true;
                mended.push_str(match c {
                    '\n' => "\\n",
                    '\t' => "\\t",
                    _ => "",
                });
            }
            Some(_) => mended.push(c),
            None if c == '"' => {
                string = Some(Quotes::Straight);
                mended.push(c);
            }
            None if is_curly(c) => {
                string = Some(Quotes::Curly);
                changed = true;
                mended.push('"');
            }
            None if c == ',' && rest.trim_start().starts_with(['}', ']']) => changed = true,
            None => mended.push(c),
        }
    }
    changed.then_some(mended)
}

#[derive(Clone, Copy)]
enum Quotes {
    Straight,
    Curly,
}

fn is_curly(c: char) -> bool {
    matches!(c, '\u{201c}' | '\u{201d}' | '\u{201e}' | '\u{201f}')
}

/// Whether the text after a quote is what can follow the end of a string.
fn ends_string(rest: &str) -> bool {
    let rest = rest.trim_start();
    rest.is_empty() || rest.starts_with([':', ',', '}', ']'])
}
