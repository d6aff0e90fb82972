use std::borrow::Cow;
use std::iter::Peekable;
use std::str::Chars;

use unicode_normalization::UnicodeNormalization;

use super::math::math_text;
use super::symbols::{accent, symbol};

/// Maximum group nesting; deeper groups are not read.
const DEPTH: usize = 20;
/// Maximum length of a formula between dollar signs, in characters. Longer text is an amount of money.
const FORMULA: usize = 400;

/// Removes LaTeX markup from the title or abstract of a record: `L\'{e}vy \emph{processes} in $O(n^2)$` becomes `Lévy processes in O(n^2)`. Unknown
/// commands stay as they are. Text without LaTeX is returned unchanged.
#[must_use]
pub fn plain_latex(text: &str) -> Cow<'_, str> {
    if !text.contains(['\\', '$']) {
        return Cow::Borrowed(text);
    }
    let mut reader = Plain {
        chars: text.chars().peekable(),
        out: String::with_capacity(text.len()),
    };
    reader.run(None, 0);
    Cow::Owned(reader.out.nfc().collect())
}

struct Plain<'t> {
    chars: Peekable<Chars<'t>>,
    out: String,
}

impl Plain<'_> {
    fn run(&mut self, end: Option<char>, depth: usize) {
        while let Some(c) = self.chars.next() {
            match c {
                _ if Some(c) == end => return,
                '\\' => self.command(depth),
                '$' => self.formula(),
                '{' => self.group(depth),
                // A tie as in `Fig.~1`; a tilde elsewhere before a number means "about".
                '~' if self.out.ends_with(|last: char| last.is_alphanumeric() || last == '.') => self.out.push(' '),
                _ => self.out.push(c),
            }
        }
    }

    /// A group that opens with a typesetting command prints its content; other groups keep their braces.
    fn group(&mut self, depth: usize) {
        let sets_type = self.chars.peek() == Some(&'\\');
        if depth >= DEPTH {
            self.out.push('{');
            return;
        }
        if sets_type {
            self.run(Some('}'), depth + 1);
        } else {
            let start = self.out.len();
            self.run(Some('}'), depth + 1);
            let inner = self.out.split_off(start);
            // `{GPT}` protects capitals from a style file.
            if inner.chars().all(char::is_alphanumeric) {
                self.out.push_str(&inner);
            } else {
                self.out.push_str(&format!("{{{inner}}}"));
            }
        }
    }

    fn name(&mut self) -> String {
        let mut name = String::new();
        while let Some(c) = self.chars.next_if(char::is_ascii_alphabetic) {
            name.push(c);
        }
        if name.is_empty() {
            name.extend(self.chars.next());
        }
        name
    }

    /// The following group, rendered separately; `None` if there is none.
    fn argument(&mut self, depth: usize) -> Option<String> {
        self.chars.next_if_eq(&'{')?;
        if depth >= DEPTH {
            return Some(String::new());
        }
        let kept = std::mem::take(&mut self.out);
        self.run(Some('}'), depth + 1);
        Some(std::mem::replace(&mut self.out, kept))
    }

    fn command(&mut self, depth: usize) {
        let name = self.name();
        let spaced = |reader: &mut Self| while reader.chars.next_if_eq(&' ').is_some() {};
        if let Some(mark) = accent(&name).filter(|_| is_text_accent(&name)) {
            self.accented(mark, &name, depth);
            return;
        }
        match name.as_str() {
            "cite" | "citep" | "citet" | "citeauthor" | "label" | "footnote" | "thanks" => {
                let inner = self.argument(depth);
                if inner.is_none() {
                    self.keep(&name);
                } else if self.out.ends_with(' ') {
                    self.out.pop();
                }
            }
            "em" | "bf" | "it" | "rm" | "sc" | "sf" | "tt" | "sl" | "itshape" | "bfseries" | "noindent" | "xspace"
            | "small" | "protect" | "boldmath" => spaced(self),
            "href" => {
                let _ = self.argument(depth);
                let shown = self.argument(depth);
                self.out.push_str(&shown.unwrap_or_default());
            }
            "\\" | "newline" | "par" | "linebreak" => self.out.push(' '),
            "-" | "/" => {}
            "(" | "[" => self.displayed(if name == "(" { ")" } else { "]" }),
            _ if is_type(&name) => match self.argument(depth) {
                Some(inner) => self.out.push_str(&inner),
                None => self.keep(&name),
            },
            _ => match symbol(&name) {
                Some(sign) => {
                    self.out.push_str(sign);
                    if name.chars().all(|c| c.is_ascii_alphabetic()) {
                        if self.chars.peek() == Some(&'{') {
                            // `\o{}`
                            let inner = self.argument(depth).unwrap_or_default();
                            self.out.push_str(&inner);
                        } else if self.chars.peek() == Some(&' ') && sign.chars().all(char::is_alphabetic) {
                            self.chars.next();
                        }
                    }
                }
                None => {
                    self.keep(&name);
                    if let Some(inner) = self.argument(depth) {
                        self.out.push_str(&format!("{{{inner}}}"));
                    }
                }
            },
        }
    }

    /// Prints an unknown command as written.
    fn keep(&mut self, name: &str) {
        self.out.push('\\');
        self.out.push_str(name);
    }

    fn accented(&mut self, mark: char, name: &str, depth: usize) {
        if name.chars().all(|c| c.is_ascii_alphabetic()) {
            while self.chars.next_if_eq(&' ').is_some() {}
        }
        let letter = match self.chars.peek() {
            Some('{') => self.argument(depth).unwrap_or_default(),
            Some('\\') => {
                self.chars.next();
                let inner = self.name();
                self.chars.next_if_eq(&' ');
                symbol(&inner).map_or_else(|| format!("\\{inner}"), str::to_owned)
            }
            Some(c) if c.is_alphabetic() => self.chars.next().into_iter().collect(),
            _ => {
                self.keep(name);
                return;
            }
        };
        // Dotless letters exist to be accented.
        let letter = match letter.as_str() {
            "ı" => "i".to_owned(),
            "ȷ" => "j".to_owned(),
            _ => letter,
        };
        let mut chars = letter.chars();
        self.out.extend(chars.next());
        if !letter.is_empty() {
            self.out.push(mark);
        }
        self.out.extend(chars);
    }

    /// `$x_i$`. Two amounts of money do not enclose a formula.
    fn formula(&mut self) {
        let doubled = self.chars.next_if_eq(&'$').is_some();
        let ahead: String = self.chars.clone().take(FORMULA).collect();
        let Some(end) = end_of_formula(&ahead) else {
            self.out.push_str(if doubled { "$$" } else { "$" });
            return;
        };
        let inner = ahead.get(..end).unwrap_or_default();
        if !doubled && !is_formula(inner) {
            self.out.push('$');
            return;
        }
        self.out.push_str(&math_text(inner));
        for _ in 0..=inner.chars().count() {
            self.chars.next();
        }
        if doubled {
            self.chars.next_if_eq(&'$');
        }
    }

    /// `\(x_i\)`.
    fn displayed(&mut self, close: &str) {
        let ahead: String = self.chars.clone().take(FORMULA).collect();
        let Some(end) = ahead.find(&format!("\\{close}")) else {
            self.keep(if close == ")" { "(" } else { "[" });
            return;
        };
        let inner = ahead.get(..end).unwrap_or_default();
        self.out.push_str(&math_text(inner));
        for _ in 0..inner.chars().count() + 2 {
            self.chars.next();
        }
    }
}

/// Position of the next unescaped dollar sign.
fn end_of_formula(text: &str) -> Option<usize> {
    let mut escaped = false;
    for (at, c) in text.char_indices() {
        match c {
            '$' if !escaped => return Some(at),
            '\\' => escaped = !escaped,
            _ => escaped = false,
        }
    }
    None
}

fn is_formula(inner: &str) -> bool {
    let tight = !inner.starts_with(char::is_whitespace) && !inner.ends_with(char::is_whitespace);
    !inner.trim().is_empty()
        && (inner.contains(['\\', '^', '_', '=', '<', '>']) || tight && inner.split_whitespace().count() <= 3)
}

/// Accents used in text. `\hat` and similar commands belong to maths.
fn is_text_accent(name: &str) -> bool {
    matches!(
        name,
        "'" | "`" | "^" | "\"" | "~" | "=" | "." | "u" | "v" | "H" | "c" | "k" | "d" | "b" | "r"
    )
}

/// Commands that print their argument.
fn is_type(name: &str) -> bool {
    matches!(
        name,
        "textbf"
            | "textit"
            | "emph"
            | "texttt"
            | "textsc"
            | "textsf"
            | "textrm"
            | "textsl"
            | "textup"
            | "textnormal"
            | "text"
            | "underline"
            | "url"
            | "mbox"
            | "uline"
            | "ensuremath"
            | "textsuperscript"
            | "textsubscript"
    )
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn latex_in_records_becomes_plain_text() {
        for (latex, plain) in [
            (r#"Sj\"{o}blom and P\'olya"#, "Sjöblom and Pólya"),
            (r"R{\'e}nyi", "Rényi"),
            (r#"na\"{\i}ve and na\"\i ve"#, "naïve and naïve"),
            (
                r"Erd\H{o}s, Ho\v{r}e\v{c}, gar\c{c}on, \L{}ukasiewicz, \O stergaard",
                "Erdős, Hořeč, garçon, Łukasiewicz, Østergaard",
            ),
            (r"\textbf{We find} that {\em ropes} hold", "We find that ropes hold"),
            (r"a \underline{Cus}tom \textbf{\emph{rope}}", "a Custom rope"),
            (r"in $O(n^2\varepsilon^{-2})$ steps", "in O(n^2ε^{-2}) steps"),
            (r"for $k$ ropes and 5\% of kelp", "for k ropes and 5% of kelp"),
            (r"kelp \cite{dorn2016}, dried", "kelp, dried"),
            (r"see \url{https://example.org/a_b}", "see https://example.org/a_b"),
            ("from $5 million to $10 million", "from $5 million to $10 million"),
            ("costs $5", "costs $5"),
            (r"an \unknown{thing} stays", r"an \unknown{thing} stays"),
            ("nothing {to} do", "nothing {to} do"),
            (r"Fig.~1 of \emph{GPT}", "Fig. 1 of GPT"),
            (r"about ~30\%", "about ~30%"),
        ] {
            assert_eq!(plain_latex(latex), plain, "{latex}");
        }
    }

    proptest! {
        #[test]
        fn any_text_is_handled_without_a_panic(text in "[\\\\$a-z{}'\"~ ^_%é]{0,60}") {
            let _ = plain_latex(&text);
        }

        #[test]
        fn text_without_latex_stays(text in "[^\\\\$]{0,80}") {
            let plain = plain_latex(&text);
            prop_assert_eq!(plain.as_ref(), text.as_str());
        }
    }
}
