use std::io::{IsTerminal, Write, stderr, stdout};

use serde::Serialize;

use crate::exit::Failure;

/// What a stretch of printed text is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Style {
    /// Text.
    Plain,
    /// What to look at first.
    Strong,
    /// What this program says of the text in between.
    Faint,
    /// What the first of two texts alone has.
    Removed,
    /// What the second of two texts alone has.
    Added,
}

/// The one way this program speaks: data to stdout, talk to stderr.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Printer {
    quiet: bool,
    colour: bool,
}

impl Printer {
    /// A printer; `quiet` silences notes, never errors. Colour only on a terminal that has not asked for none.
    pub(crate) fn new(quiet: bool) -> Self {
        let refused = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        let dumb = std::env::var_os("TERM").is_some_and(|value| value == "dumb");
        Self {
            quiet,
            colour: !refused && !dumb && stdout().is_terminal(),
        }
    }

    /// Whether notes are silenced.
    pub(crate) fn is_quiet(self) -> bool {
        self.quiet
    }

    /// Writes data to stdout. A closed pipe is success: the reader has what it wanted.
    pub(crate) fn data(&self, text: &str) {
        let mut out = stdout().lock();
        match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
            Ok(()) => {}
            Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => std::process::exit(0),
            Err(error) => {
                self.talk(&format!("error: failed to write to stdout: {error}"));
                std::process::exit(1);
            }
        }
    }

    /// Writes a line of data to stdout.
    pub(crate) fn line(&self, text: &str) {
        self.data(&format!("{text}\n"));
    }

    /// Writes one JSON document, or one line of JSON Lines.
    pub(crate) fn json(&self, value: &impl Serialize) -> Result<(), Failure> {
        let text = serde_json::to_string(value).map_err(|error| Failure::new(crate::ExitCode::Bug, error))?;
        self.line(&text);
        Ok(())
    }

    /// Writes a note to stderr.
    pub(crate) fn note(&self, text: &str) {
        if !self.quiet {
            self.talk(text);
        }
    }

    /// Writes what must be seen to stderr.
    pub(crate) fn warning(&self, text: &str) {
        self.talk(&format!("warning: {text}"));
    }

    /// Writes an error with its causes and its hint.
    pub(crate) fn failure(&self, failure: &Failure) {
        let mut causes = failure.error.chain().map(ToString::to_string);
        let mut message = format!("error: {}", causes.next().unwrap_or_default());
        let mut said = message.clone();
        for cause in causes {
            // Some errors repeat their source in their own words.
            if !said.contains(&cause) {
                message.push_str(&format!(": {cause}"));
                said.push_str(&cause);
            }
        }
        self.talk(&plain(&message));
        if let Some(hint) = &failure.hint {
            self.talk(&format!("hint: {hint}"));
        }
    }

    /// `text` as something to look at first.
    pub(crate) fn strong(&self, text: &str) -> String {
        self.paint(text, Style::Strong)
    }

    /// `text` in the colour of a style.
    pub(crate) fn paint(&self, text: &str, style: Style) -> String {
        let code = match style {
            Style::Plain => "",
            Style::Strong => "1",
            Style::Faint => "2",
            Style::Removed => "31",
            Style::Added => "32",
        };
        if self.colour && !code.is_empty() {
            format!("\u{1b}[{code}m{text}\u{1b}[0m")
        } else {
            text.to_owned()
        }
    }

    fn talk(&self, text: &str) {
        // Nobody listens on a closed stderr; that is no reason to fail.
        let _ = writeln!(stderr().lock(), "{text}");
    }
}

/// Text from a paper, safe for a terminal: control characters shown, line ends folded.
pub(crate) fn plain(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\n' | '\t' | '\r' => shown.push(' '),
            c if c.is_control()
                || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{200e}' | '\u{200f}' | '\u{61c}') =>
            {
                shown.push('\u{fffd}')
            }
            c => shown.push(c),
        }
    }
    shown
}

/// "1 idea", "2 ideas".
pub(crate) fn counted(count: usize, one: &str) -> String {
    match count {
        1 => format!("1 {one}"),
        many => format!("{many} {one}s"),
    }
}

/// The name of an enum's value as it is serialised, with spaces.
pub(crate) fn word(value: &impl Serialize) -> String {
    let value = serde_json::to_value(value).unwrap_or_default();
    value.as_str().unwrap_or_default().replace('_', " ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_paper_cannot_steer_the_terminal() {
        assert_eq!(plain("a\u{1b}[2Jb\u{202e}c\nd"), "a\u{fffd}[2Jb\u{fffd}c d");
    }
}
