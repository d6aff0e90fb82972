use crate::Span;

/// One token of a text: the compared form, and the bytes it came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Token<'a> {
    /// The normalised form: NFKC, lower case, without accents, apostrophes, soft hyphens or invisible characters.
    pub text: &'a str,
    /// Its bytes in the source.
    pub span: Span,
    /// Its kind.
    pub kind: TokenKind,
}

/// Kinds of tokens. Punctuation is never a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TokenKind {
    /// A word, or a run of letters and digits such as `gpt4`.
    Word,
    /// A number, kept whole: `3.5`, `1000` for `1,000`.
    Number,
    /// One character of a script that writes no spaces between words.
    Ideograph,
    /// A sign that carries meaning: `<`, `%`, `≥`, `€`.
    Symbol,
}

/// A token as stored: 32 bytes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Entry {
    pub(crate) key: u64,
    pub(crate) start: u32,
    pub(crate) end: u32,
    pub(crate) norm_start: u32,
    pub(crate) norm_end: u32,
    pub(crate) kind: TokenKind,
}

impl Entry {
    pub(crate) fn span(&self) -> Span {
        Span::new(self.start as usize, self.end as usize)
    }
}

/// The tokens of one text.
#[derive(Debug, Clone, Default)]
pub(crate) struct Tokens {
    pub(crate) entries: Vec<Entry>,
    pub(crate) norm: String,
}

impl Tokens {
    pub(crate) fn norm_of(&self, entry: &Entry) -> &str {
        self.norm
            .get(entry.norm_start as usize..entry.norm_end as usize)
            .unwrap_or_default()
    }

    pub(crate) fn text(&self, index: usize) -> &str {
        self.entries.get(index).map_or("", |entry| self.norm_of(entry))
    }

    pub(crate) fn kind(&self, index: usize) -> TokenKind {
        self.entries.get(index).map_or(TokenKind::Symbol, |entry| entry.kind)
    }

    pub(crate) fn span(&self, index: usize) -> Span {
        self.entries.get(index).map_or(Span::new(0, 0), Entry::span)
    }

    /// Number of tokens in `range` that are words, not signs.
    pub(crate) fn words(&self, range: std::ops::Range<usize>) -> usize {
        let entries = self.entries.get(range).unwrap_or_default();
        entries.iter().filter(|entry| entry.kind != TokenKind::Symbol).count()
    }

    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }

    /// The span from the first byte of token `from` to the last byte of token `to - 1`.
    pub(crate) fn range_span(&self, from: usize, to: usize) -> Span {
        if from >= to {
            let at = self.span(from).start;
            return Span::new(at, at);
        }
        Span::new(self.span(from).start, self.span(to - 1).end)
    }

    pub(crate) fn token(&self, entry: &Entry) -> Token<'_> {
        Token {
            text: self
                .norm
                .get(entry.norm_start as usize..entry.norm_end as usize)
                .unwrap_or_default(),
            span: entry.span(),
            kind: entry.kind,
        }
    }
}

/// A text with its tokens.
#[derive(Clone, Copy)]
pub(crate) struct Side<'a> {
    pub(crate) text: &'a str,
    pub(crate) tokens: &'a Tokens,
}
