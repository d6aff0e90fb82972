/// Maximum bracket depth. Deeper JSON is rejected anyway, and the open brackets are copied at every comma.
const DEEPEST: usize = 128;

/// `text` from its first bracket to the last complete member or item, with the open brackets closed, and whether the end was missing. `None` if there
/// is no bracket or nothing complete.
/// The member that was being written when the text ended is dropped with its name, and so is a list item that has only some of its members.
pub(super) fn closed(text: &str) -> Option<(String, bool)> {
    let start = text.find(['{', '['])?;
    let text = text.get(start..)?;
    let mut open: Vec<char> = Vec::new();
    let mut in_string = false;
    let mut escaped = false;
    // Last position where the text can end, and the brackets open there.
    let mut whole: Option<(usize, Vec<char>)> = None;
    for (at, c) in text.char_indices() {
        if in_string {
            match c {
                _ if escaped => escaped = false,
                '\\' => escaped = true,
                '"' => in_string = false,
                _ => {}
            }
            continue;
        }
        match c {
            '"' => in_string = true,
            '{' | '[' if open.len() == DEEPEST => break,
            '{' => open.push('}'),
            '[' => open.push(']'),
            '}' | ']' => {
                if open.pop() != Some(c) {
                    break;
                }
                let end = at + c.len_utf8();
                if open.is_empty() {
                    return text.get(..end).map(|whole| (whole.to_owned(), false));
                }
                if may_stop_in(&open) {
                    whole = Some((end, open.clone()));
                }
            }
            ',' if may_stop_in(&open) => whole = Some((at, open.clone())),
            _ => {}
        }
    }
    let (end, open) = whole?;
    let mut closed = text.get(..end)?.to_owned();
    closed.extend(open.iter().rev());
    Some((closed, true))
}

/// Whether the text can end with these brackets open: not inside an object that is an item of a list.
fn may_stop_in(open: &[char]) -> bool {
    let first_list = open.iter().position(|bracket| *bracket == ']');
    first_list.is_none_or(|list| open.iter().skip(list).all(|bracket| *bracket == ']'))
}
