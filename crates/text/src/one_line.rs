/// The words of a text on one line, with one space between them.
#[must_use]
pub fn one_line(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    line
}

#[cfg(test)]
mod tests {
    use super::one_line;

    #[test]
    fn white_space_of_any_kind_and_length_becomes_one_space() {
        assert_eq!(one_line(" a\n\tb\u{a0} \u{3000}c  "), "a b c");
        assert_eq!(one_line(" \n"), "");
    }
}
