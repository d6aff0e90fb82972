//! Pages that expand to far more elements than they contain.
//!
//! By a browser's rules, an open formatting element (`<font>`) is opened again in every following block. A few hundred of them and a few hundred
//! thousand blocks turn a page of a few megabytes into a hundred million elements.

/// Elements that are opened again in the next block.
const FORMATTING: &[&str] = &[
    "a", "b", "big", "code", "em", "font", "i", "nobr", "s", "small", "strike", "strong", "tt", "u",
];
/// Elements whose text contains no other elements.
const RAW: &[&[u8]] = &[b"script", b"style"];
/// Maximum number of reopened elements of a page. Real pages reach some ten thousand.
const MOST: usize = 2_000_000;

/// Whether a page would expand to more elements than any real page has. Estimated from its tags alone, rather too high than too low.
pub(super) fn unfolds_too_far(page: &[u8]) -> bool {
    let (mut open, mut again) = (0_usize, 0_usize);
    // Inside a script or a style, only its own end is a tag.
    let mut raw: Option<&[u8]> = None;
    for piece in page.split(|byte| *byte == b'<').skip(1) {
        let (ends, rest) = match piece.split_first() {
            Some((b'/', rest)) => (true, rest),
            _ => (false, piece),
        };
        let length = rest
            .iter()
            .take(8)
            .take_while(|byte| byte.is_ascii_alphanumeric())
            .count();
        let (name, behind) = rest.split_at_checked(length).unwrap_or_default();
        let is_whole = matches!(
            behind.first(),
            None | Some(b' ' | b'\t' | b'\n' | b'\r' | b'\x0c' | b'/' | b'>')
        );
        if let Some(until) = raw {
            if ends && name.eq_ignore_ascii_case(until) {
                raw = None;
            }
            continue;
        }
        if !is_whole || !name.first().is_some_and(u8::is_ascii_alphabetic) {
            continue;
        }
        raw = RAW.iter().copied().find(|one| !ends && name.eq_ignore_ascii_case(one));
        let formats = FORMATTING.iter().any(|one| name.eq_ignore_ascii_case(one.as_bytes()));
        match (formats, ends) {
            (true, false) => open += 1,
            (true, true) => open = open.saturating_sub(1),
            _ => {}
        }
        again = again.saturating_add(open);
        if again > MOST {
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_left_open_before_many_blocks_expand() {
        let fonts: String = (0..300).map(|n| format!("<font size={n}>")).collect();
        assert!(unfolds_too_far(
            format!("<body>{fonts}{}", "<p>x</p>".repeat(20_000)).as_bytes()
        ));
        assert!(unfolds_too_far(format!("<body>{}", "<B x>".repeat(3_000)).as_bytes()));
        for fine in [
            format!(
                "<body>{}</body>",
                "<p><b>rope</b> <a href=x>creep</a> <code>load</code></p>".repeat(60_000)
            ),
            format!("<body>{}", "<p>x<i class=icon/>".repeat(1_000)),
            format!("<body>{}", "</b></i>".repeat(100_000)),
            format!("<script>{}</script><p>x", "if(i<b)a<a >c;".repeat(30_000)),
            "<".repeat(1_000_000),
            "a < b and <1> or </".to_owned(),
            String::new(),
        ] {
            assert!(!unfolds_too_far(fine.as_bytes()), "{}", &fine[..fine.len().min(60)]);
        }
    }
}
