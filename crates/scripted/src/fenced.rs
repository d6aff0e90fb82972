/// A fenced text in a prompt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Block<'a> {
    /// Its name, such as `work 7`.
    pub name: &'a str,
    /// Its content.
    pub text: &'a str,
}

impl Block<'_> {
    /// The number at the end of its name.
    #[must_use]
    pub fn number(&self) -> Option<u32> {
        self.name.rsplit(' ').next()?.parse().ok()
    }
}

/// The texts between `[name mark]` and `[end of name mark]`.
#[must_use]
pub fn blocks(text: &str) -> Vec<Block<'_>> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(open) = rest.find('[') {
        rest = rest.get(open + 1..).unwrap_or_default();
        let Some((head, after)) = rest.split_once("]\n") else {
            break;
        };
        let Some((name, mark)) = head.rsplit_once(' ') else {
            continue;
        };
        let is_mark = mark.len() == 16 && mark.bytes().all(|byte| byte.is_ascii_hexdigit());
        let end = format!("\n[end of {name} {mark}]");
        if let (true, Some(at)) = (is_mark, after.find(&end)) {
            found.push(Block {
                name,
                text: after.get(..at).unwrap_or_default(),
            });
            rest = after.get(at + end.len()..).unwrap_or_default();
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fenced_texts_are_found_by_name() {
        let text = "Read [1] this.\n[work 7 0123456789abcdef]\nA [b]\nc\n[end of work 7 0123456789abcdef]\nand [claim 1 0123456789abcdef]\nx\n[end of claim 1 0123456789abcdef]";
        let found = blocks(text);
        assert_eq!(found.len(), 2, "{found:?}");
        assert_eq!(
            (found[0].name, found[0].text, found[0].number()),
            ("work 7", "A [b]\nc", Some(7))
        );
        assert_eq!((found[1].name, found[1].text), ("claim 1", "x"));
        assert!(blocks("[open 0123456789abcdef]\nno end").is_empty());
    }
}
