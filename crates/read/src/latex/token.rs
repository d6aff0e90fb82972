use std::rc::Rc;

/// A TeX token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Token {
    /// `\name`, without the backslash: letters, or one other character.
    Command(Rc<str>),
    /// A character that prints as itself.
    Char(char),
    /// White space, folded.
    Space,
    /// A blank line.
    Par,
    /// `{`
    Open,
    /// `}`
    Close,
    /// `$`
    Math,
    /// `&`
    Align,
    /// `^`
    Super,
    /// `_`
    Sub,
    /// `#1`; 0 for a lone `#`.
    Parameter(u8),
}

/// Converts tokens back to source text, for maths and for names.
pub(crate) fn source_of(tokens: &[Token]) -> String {
    let mut text = String::new();
    for token in tokens {
        push_source(&mut text, token);
    }
    text
}

/// Appends the source text of one token.
pub(crate) fn push_source(text: &mut String, token: &Token) {
    match token {
        Token::Command(name) => {
            text.push('\\');
            text.push_str(name);
            if name.ends_with(|c: char| c.is_ascii_alphabetic()) {
                text.push(' ');
            }
        }
        Token::Char(c) => text.push(*c),
        Token::Space => text.push(' '),
        Token::Par => text.push_str("\n\n"),
        Token::Open => text.push('{'),
        Token::Close => text.push('}'),
        Token::Math => text.push('$'),
        Token::Align => text.push('&'),
        Token::Super => text.push('^'),
        Token::Sub => text.push('_'),
        Token::Parameter(number) => {
            text.push('#');
            if *number > 0 {
                text.push(char::from(b'0' + number));
            }
        }
    }
}

/// A file being read: its text, and the tokens that macros inserted before the rest.
#[derive(Debug)]
pub(crate) struct Source {
    /// File name; empty for a separately read piece.
    pub(crate) name: Rc<str>,
    /// Its text.
    text: Rc<str>,
    at: usize,
    line: LineState,
    /// Whether `@` is a letter in names.
    pub(crate) at_is_letter: bool,
    /// Inserted tokens, in reverse order.
    pub(crate) pushed: Vec<Token>,
    /// Whether reading stops at its end.
    pub(crate) barrier: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum LineState {
    New,
    Middle,
    Skipping,
}

impl Source {
    pub(crate) fn file(name: &str, text: Rc<str>) -> Self {
        Self {
            name: name.into(),
            text,
            at: 0,
            line: LineState::New,
            at_is_letter: false,
            pushed: Vec::new(),
            barrier: false,
        }
    }

    /// Tokens read separately from the file they came from.
    pub(crate) fn piece(mut tokens: Vec<Token>) -> Self {
        tokens.reverse();
        Self {
            pushed: tokens,
            barrier: true,
            ..Self::file("", "".into())
        }
    }

    /// The remaining text.
    pub(crate) fn rest(&self) -> &str {
        self.text.get(self.at..).unwrap_or_default()
    }

    /// Skips `bytes` of the text.
    pub(crate) fn skip(&mut self, bytes: usize) {
        self.at = (self.at + bytes).min(self.text.len());
        self.line = LineState::Middle;
    }

    fn next_char(&mut self) -> Option<char> {
        let c = self.rest().chars().next()?;
        self.at += c.len_utf8();
        Some(c)
    }

    fn next_char_if(&mut self, fits: impl Fn(char) -> bool) -> Option<char> {
        let c = self.rest().chars().next().filter(|c| fits(*c))?;
        self.at += c.len_utf8();
        Some(c)
    }

    /// The next token of the file. Comments go to `comments`.
    pub(crate) fn lex(&mut self, comments: &mut dyn FnMut(&str)) -> Option<Token> {
        loop {
            let c = self.next_char()?;
            let state = self.line;
            match c {
                '\n' => {
                    self.line = LineState::New;
                    match state {
                        LineState::New => return Some(Token::Par),
                        LineState::Middle => return Some(Token::Space),
                        LineState::Skipping => {}
                    }
                }
                c if c.is_whitespace() && c != '\u{a0}' => {
                    if state == LineState::Middle {
                        self.line = LineState::Skipping;
                        return Some(Token::Space);
                    }
                }
                '%' => {
                    let rest = self.rest();
                    let comment = rest.split('\n').next().unwrap_or_default();
                    comments(comment);
                    self.at += comment.len();
                    self.next_char();
                    self.line = LineState::New;
                    // Spaces at the start of the next line are ignored; a blank line still ends a paragraph.
                }
                _ => {
                    self.line = LineState::Middle;
                    return Some(self.token(c));
                }
            }
        }
    }

    fn token(&mut self, c: char) -> Token {
        match c {
            '\\' => self.command(),
            '{' => Token::Open,
            '}' => Token::Close,
            '$' => Token::Math,
            '&' => Token::Align,
            '^' => Token::Super,
            '_' => Token::Sub,
            '~' => Token::Char('\u{a0}'),
            '#' => {
                let digit = self.next_char_if(|c| c.is_ascii_digit());
                Token::Parameter(
                    digit
                        .and_then(|c| c.to_digit(10))
                        .and_then(|d| u8::try_from(d).ok())
                        .unwrap_or(0),
                )
            }
            other => Token::Char(other),
        }
    }

    fn command(&mut self) -> Token {
        let at_is_letter = self.at_is_letter;
        let is_letter = |c: char| c.is_ascii_alphabetic() || (c == '@' && at_is_letter);
        let mut name = String::new();
        while let Some(c) = self.next_char_if(is_letter) {
            name.push(c);
        }
        if name.is_empty() {
            // A backslash at a line end is a space.
            name.extend(self.next_char().map(|c| if c == '\n' { ' ' } else { c }));
            if name == " " {
                self.line = LineState::Skipping;
            }
        } else {
            self.line = LineState::Skipping;
        }
        Token::Command(name.into())
    }
}
