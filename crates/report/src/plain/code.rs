/// `text` in parts, with whether a part is code: our options (`--as-of`) and commands (`precedent doctor`) between backticks. Other text between
/// backticks stays as it is, because it may be external.
pub(crate) fn code_parts(text: &str) -> Vec<(bool, &str)> {
    let is_code = |inside: &str| {
        let named = inside.strip_prefix("--").or_else(|| inside.strip_prefix("precedent "));
        named.is_some_and(|name| {
            name.starts_with(|c: char| c.is_ascii_lowercase())
                && name.chars().all(|c| c.is_ascii_lowercase() || matches!(c, ' ' | '-'))
        })
    };
    let mut parts = Vec::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('`')
        && let Some((inside, behind)) = after.split_once('`')
    {
        if is_code(inside) {
            parts.extend([(false, before), (true, inside)]);
        } else {
            let end = rest.len() - behind.len();
            parts.push((false, rest.get(..end).unwrap_or_default()));
        }
        rest = behind;
    }
    parts.push((false, rest));
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_commands_and_options_are_code() {
        assert_eq!(
            code_parts("Use `--as-of` now"),
            [(false, "Use "), (true, "--as-of"), (false, " now")]
        );
        assert_eq!(code_parts("a `b` c"), [(false, "a `b`"), (false, " c")]);
        assert_eq!(code_parts("an open ` mark"), [(false, "an open ` mark")]);
    }
}
