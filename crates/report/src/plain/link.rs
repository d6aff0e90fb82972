/// The address if it is safe to link: absolute, `http` or `https`, a plain host without credentials, no white space or control characters.
/// Everything else, including `javascript:` and `data:`, is not linked.
pub(crate) fn open_link(url: &str) -> Option<String> {
    let url = url.trim();
    let rest = strip_scheme(url, "https://").or_else(|| strip_scheme(url, "http://"))?;
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let host = authority.split(':').next().unwrap_or_default();
    let host_is_plain = !host.is_empty()
        && host
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'-'))
        && authority
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'-' | b':'));
    let text_is_plain = url.len() <= 2_000
        && url
            .chars()
            .all(|c| c.is_ascii_graphic() && !matches!(c, '"' | '\'' | '<' | '>' | '`' | '\\' | '{' | '}' | '|' | '^'));
    (host_is_plain && text_is_plain).then(|| url.to_owned())
}

fn strip_scheme<'a>(url: &'a str, scheme: &str) -> Option<&'a str> {
    let head = url.get(..scheme.len())?;
    head.eq_ignore_ascii_case(scheme)
        .then(|| url.get(scheme.len()..))
        .flatten()
}

/// Percent-encodes `text` for the path of an address, except letters, digits and `-._~/:;`.
pub(crate) fn percent_encode(text: &str) -> String {
    use std::fmt::Write as _;
    let mut out = String::with_capacity(text.len());
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~' | b'/' | b':' | b';') {
            out.push(char::from(byte));
        } else {
            let written = write!(out, "%{byte:02X}");
            debug_assert!(written.is_ok(), "writing to a string");
        }
    }
    out
}

/// The last part of a Unix or Windows path; the text itself if it is not a path.
pub(crate) fn file_name_of(path: &str) -> String {
    let name = path
        .trim_end_matches(['/', '\\'])
        .rsplit(['/', '\\'])
        .next()
        .unwrap_or_default();
    if name.is_empty() {
        "paper".to_owned()
    } else {
        name.to_owned()
    }
}

/// Removes the folders from every word of `text` that looks like a local path. For text written by Precedent, never for quotes.
pub(crate) fn without_paths(text: &str) -> String {
    let ends_word = |c: char| {
        c.is_whitespace()
            || matches!(
                c,
                '"' | '\'' | '`' | '(' | ')' | '[' | ']' | '<' | '>' | ',' | '=' | ';'
            )
    };
    let mut out = String::with_capacity(text.len());
    for piece in text.split_inclusive(ends_word) {
        let word = piece.trim_end_matches(ends_word);
        let rest = piece.get(word.len()..).unwrap_or_default();
        let bare = word.trim_end_matches(['.', ':', '?', '!']);
        if is_local_path(bare) {
            out.push_str(&file_name_of(bare));
            out.push_str(word.get(bare.len()..).unwrap_or_default());
        } else {
            out.push_str(word);
        }
        out.push_str(rest);
    }
    out
}

fn is_local_path(word: &str) -> bool {
    let drive = word.get(1..3).is_some_and(|two| two == ":\\" || two == ":/")
        && word.starts_with(|c: char| c.is_ascii_alphabetic());
    let rooted = word
        .strip_prefix('/')
        .is_some_and(|rest| rest.starts_with(|c: char| c.is_alphanumeric() || c == '.' || c == '_'));
    let relative = ["~/", "./", "../", "\\\\", "~\\", ".\\", "..\\"]
        .iter()
        .any(|start| word.starts_with(start));
    let file = word.get(..5).is_some_and(|start| start.eq_ignore_ascii_case("file:"));
    drive || rooted || relative || file
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_plain_web_addresses_are_links() {
        for url in [
            "https://arxiv.org/abs/2401.00001",
            "HTTP://example.org",
            "https://a.example:8080/x?y=1#z",
            "https://d.example/10.1/a(b)c",
        ] {
            assert_eq!(open_link(url).as_deref(), Some(url));
        }
        for url in [
            "javascript:alert(1)",
            "JaVaScRiPt://example.org/%0aalert(1)",
            "data:text/html,<script>",
            "vbscript:x",
            "file:///etc/passwd",
            "//example.org",
            "/local/path",
            "https://",
            "https://arxiv.org@evil.example/",
            "https://evil.example/\" onclick=\"x",
            "https://evil.example/ x",
            "https://evil.example/\u{202e}",
            "https://ехample.org/",
            "http:example.org",
            "",
        ] {
            assert_eq!(open_link(url), None, "{url}");
        }
    }

    #[test]
    fn local_paths_lose_their_folders() {
        for (text, left) in [
            (
                "read /home/ann/corpus/acl.jsonl: not found",
                "read acl.jsonl: not found",
            ),
            ("corpus=\"C:\\Users\\ann\\x.bib\"", "corpus=\"x.bib\""),
            ("at ~/papers, ../shared/data and ./here.", "at papers, data and here."),
            ("file:///srv/x.pdf", "x.pdf"),
            (
                "12 of 40 and/or 3/4 at https://arxiv.org/abs/1",
                "12 of 40 and/or 3/4 at https://arxiv.org/abs/1",
            ),
            ("", ""),
        ] {
            assert_eq!(without_paths(text), left);
        }
        assert_eq!(file_name_of("/tmp/a/paper.pdf"), "paper.pdf");
        assert_eq!(file_name_of("C:\\x\\paper.pdf"), "paper.pdf");
        assert_eq!(file_name_of("///"), "paper");
    }

    #[test]
    fn identifiers_become_safe_path_parts() {
        assert_eq!(
            percent_encode("10.1002/(sici)1<2::aid>3"),
            "10.1002/%28sici%291%3C2::aid%3E3"
        );
    }
}
