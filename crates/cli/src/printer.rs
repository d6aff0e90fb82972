use std::io::{IsTerminal, Write, stderr, stdout};

use serde::Serialize;

pub(crate) use precedent_app::text::{counted, plain};

use crate::colour::ColourChoice;
use precedent_app::{AppError, ErrorKind};

/// Style of a piece of printed text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Style {
    /// No style.
    Plain,
    /// Emphasis.
    Strong,
    /// Annotations between quoted text.
    Faint,
    /// Text that is only in the first of two texts.
    Removed,
    /// Text that is only in the second of two texts.
    Added,
    /// A finding that needs a look.
    Alarm,
    /// A finding that may need a look.
    Attention,
}

/// All terminal output goes through this: data to stdout, messages to stderr.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Printer {
    quiet: bool,
    colour: bool,
    stderr_colour: bool,
    logs: bool,
}

impl Printer {
    /// Creates a printer. `quiet` hides notes, never errors. Colour is used only on a terminal, and not with `NO_COLOR` or `TERM=dumb`.
    pub(crate) fn new(quiet: bool) -> Self {
        let refused = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        let dumb = std::env::var_os("TERM").is_some_and(|value| value == "dumb");
        let allowed = !refused && !dumb;
        Self {
            quiet,
            colour: allowed && stdout().is_terminal(),
            stderr_colour: allowed && stderr().is_terminal(),
            logs: false,
        }
    }

    /// The same printer, with colour as the user chose. `Always` overrides `NO_COLOR`.
    pub(crate) fn with_colour(self, choice: ColourChoice) -> Self {
        let (colour, stderr_colour) = match choice {
            ColourChoice::Auto => (self.colour, self.stderr_colour),
            ColourChoice::Always => (true, true),
            ColourChoice::Never => (false, false),
        };
        Self {
            colour,
            stderr_colour,
            ..self
        }
    }

    /// The same printer, with or without log lines on stderr.
    pub(crate) fn with_logs(self, logs: bool) -> Self {
        Self { logs, ..self }
    }

    /// Whether stderr is coloured.
    pub(crate) fn has_stderr_colour(self) -> bool {
        self.stderr_colour
    }

    /// Whether progress bars are hidden: in quiet mode, and with log lines, which would break them up.
    pub(crate) fn hides_bars(self) -> bool {
        self.quiet || self.logs
    }

    /// Writes data to stdout. A closed pipe counts as success, because the reader has what it needs.
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
    pub(crate) fn json(&self, value: &impl Serialize) -> Result<(), AppError> {
        let text = serde_json::to_string(value).map_err(|error| AppError::new(ErrorKind::Bug, error))?;
        self.line(&text);
        Ok(())
    }

    /// Writes a note to stderr.
    pub(crate) fn note(&self, text: &str) {
        if !self.quiet {
            self.talk(text);
        }
    }

    /// Writes a warning to stderr, even in quiet mode.
    pub(crate) fn warning(&self, text: &str) {
        // It may contain words of a service or a model.
        self.talk(&format!("warning: {}", plain(text)));
    }

    /// Writes an error with its causes and hint to stderr.
    pub(crate) fn failure(&self, failure: &AppError) {
        let mut causes = failure.error.chain().map(ToString::to_string);
        let mut message = format!("error: {}", causes.next().unwrap_or_default());
        let mut wording = message.clone();
        for cause in causes {
            // Some errors already include the message of their source.
            if !wording.contains(&cause) {
                message.push_str(&format!(": {cause}"));
                wording.push_str(&cause);
            }
        }
        self.talk(&plain(&message));
        if let Some(hint) = &failure.hint {
            self.talk(&format!("hint: {hint}"));
        }
    }

    /// Columns of the terminal. `None` if stdout is none, so that nothing is cut.
    pub(crate) fn width(self) -> Option<usize> {
        let (width, _) = terminal_size::terminal_size_of(stdout())?;
        Some(usize::from(width.0).max(40))
    }

    /// `text` on one line of the terminal.
    pub(crate) fn fit(self, text: &str) -> String {
        fit(text, self.width())
    }

    /// `text` on several lines of the terminal. The second and later lines start with `indent` spaces.
    pub(crate) fn wrap(self, text: &str, indent: usize) -> String {
        wrap(text, indent, self.width())
    }

    /// `text` on at most `lines` lines of the terminal. A longer text is cut at a word.
    pub(crate) fn wrap_to(self, text: &str, indent: usize, lines: usize) -> String {
        cut_lines(&self.wrap(text, indent), lines, self.width())
    }

    /// `text` with emphasis.
    pub(crate) fn strong(&self, text: &str) -> String {
        self.paint(text, Style::Strong)
    }

    /// `text` in a style.
    pub(crate) fn paint(&self, text: &str, style: Style) -> String {
        let code = match style {
            Style::Plain => "",
            Style::Strong => "1",
            Style::Faint => "2",
            Style::Removed => "31",
            Style::Added => "32",
            Style::Alarm => "1;31",
            Style::Attention => "33",
        };
        if self.colour && !code.is_empty() {
            format!("\u{1b}[{code}m{text}\u{1b}[0m")
        } else {
            text.to_owned()
        }
    }

    fn talk(&self, text: &str) {
        // A closed stderr is no reason to fail.
        let _ = writeln!(stderr().lock(), "{text}");
    }
}

fn fit(text: &str, width: Option<usize>) -> String {
    match width {
        Some(width) if text.chars().count() > width => {
            let cut: String = text.chars().take(width - 1).collect();
            format!("{}…", cut.trim_end())
        }
        _ => text.to_owned(),
    }
}

/// The first `most` lines, with an ellipsis if there are more.
fn cut_lines(text: &str, most: usize, width: Option<usize>) -> String {
    let lines: Vec<&str> = text.lines().collect();
    let Some(width) = width.filter(|_| lines.len() > most) else {
        return text.to_owned();
    };
    let mut shown = lines.get(..most).unwrap_or_default().join("\n");
    let last = shown.lines().last().map_or(0, |line| line.chars().count());
    // The last word makes room for the ellipsis.
    if last + 2 > width
        && let Some(at) = shown.rfind(' ')
    {
        shown.truncate(at);
    }
    format!("{shown} …")
}

fn wrap(text: &str, indent: usize, width: Option<usize>) -> String {
    let Some(width) = width else {
        return text.to_owned();
    };
    let (mut out, mut column) = (String::new(), 0);
    let start = text.len() - text.trim_start().len();
    for (at, word) in text.split_whitespace().enumerate() {
        let length = word.chars().count();
        if at == 0 {
            out.extend(std::iter::repeat_n(' ', start));
            column = start;
        } else if column + 1 + length > width {
            out.push('\n');
            out.extend(std::iter::repeat_n(' ', indent));
            column = indent;
        } else {
            out.push(' ');
            column += 1;
        }
        out.push_str(word);
        column += length;
    }
    out
}

/// The serialised name of an enum value, with spaces for underscores.
pub(crate) fn word(value: &impl Serialize) -> String {
    let value = serde_json::to_value(value).unwrap_or_default();
    value.as_str().unwrap_or_default().replace('_', " ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_fit_the_terminal_and_stay_whole_elsewhere() {
        assert_eq!(fit("mooring ropes creep", Some(10)), "mooring r…");
        assert_eq!(fit("mooring ropes creep", None), "mooring ropes creep");
        assert_eq!(wrap("  mooring ropes creep", 4, Some(15)), "  mooring ropes\n    creep");
        assert_eq!(wrap("  mooring ropes creep", 4, None), "  mooring ropes creep");
        let cut = |text: &str, most| cut_lines(&wrap(text, 4, Some(15)), most, Some(15));
        assert_eq!(cut("  mooring ropes creep", 2), "  mooring ropes\n    creep");
        assert_eq!(cut("  mooring ropes creep", 1), "  mooring …");
        assert_eq!(cut_lines("mooring ropes creep", 1, None), "mooring ropes creep");
    }
}
