use std::borrow::Cow;
use std::fmt::Write as _;

/// Makes deceptive characters in `text` visible. Bidirectional overrides and isolates, control characters, tag characters and other invisible
/// characters become `⟨U+202E⟩`, and a run of them `⟨12 invisible characters⟩`. Keeps tabs, line ends, and the joiners, direction marks and
/// soft hyphens of ordinary text.
pub(crate) fn clean(text: &str) -> Cow<'_, str> {
    if !text.chars().any(deceives) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut run: Vec<char> = Vec::new();
    for c in text.chars() {
        if deceives(c) {
            run.push(c);
        } else {
            name_run(&mut out, &mut run);
            out.push(c);
        }
    }
    name_run(&mut out, &mut run);
    Cow::Owned(out)
}

fn name_run(out: &mut String, run: &mut Vec<char>) {
    let written = match run.as_slice() {
        [] => Ok(()),
        [one] => write!(out, "⟨U+{:04X}⟩", u32::from(*one)),
        many => write!(out, "⟨{} invisible characters⟩", many.len()),
    };
    debug_assert!(written.is_ok(), "writing to a string");
    run.clear();
}

/// Whether `c` is invisible or misleading to a reader.
pub(crate) fn deceives(c: char) -> bool {
    match c {
        '\t' | '\n' | '\r' => false,
        '\u{2028}' | '\u{2029}' // line ends for scripts, invisible to people
        | '\u{202a}'..='\u{202e}' // embeddings and overrides
        | '\u{2060}'..='\u{206f}' // invisible operators, isolates, deprecated format characters
        | '\u{feff}'
        | '\u{fff9}'..='\u{fffb}' // interlinear annotation
        | '\u{1d173}'..='\u{1d17a}' // musical format characters
        | '\u{e0000}'..='\u{e0fff}' => true, // tags and unassigned default-ignorables
        _ => c.is_control() || (u32::from(c) & 0xfffe) == 0xfffe,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn deceptive_characters_become_visible() {
        assert_eq!(clean("abc\u{202e}fdp.exe"), "abc⟨U+202E⟩fdp.exe");
        assert_eq!(clean("x\u{e0041}\u{e0042}\u{e0043}y"), "x⟨3 invisible characters⟩y");
        assert_eq!(clean("\u{0}\u{1b}[31m"), "⟨2 invisible characters⟩[31m");
        assert_eq!(clean("a\u{2066}b\u{2069}"), "a⟨U+2066⟩b⟨U+2069⟩");
    }

    #[test]
    fn ordinary_text_is_unchanged() {
        for text in [
            "Ünïcode – β-VAE",
            "می‌خواهم",
            "हिन्दी क्‍ष",
            "基于深度学习的模型",
            "line\nbreak\ttab",
            "co\u{ad}operate",
        ] {
            assert!(matches!(clean(text), Cow::Borrowed(_)), "{text}");
        }
    }
}
