use tantivy::tokenizer::{Token, TokenStream, Tokenizer};

use super::Analyzer;

/// Adapts the analyzer to tantivy. Byte offsets are not kept, because the index stores no positions.
#[derive(Default)]
pub(crate) struct WordTokenizer {
    analyzer: Analyzer,
    terms: String,
    ends: Vec<usize>,
}

impl Clone for WordTokenizer {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl Tokenizer for WordTokenizer {
    type TokenStream<'a> = WordStream<'a>;

    fn token_stream<'a>(&'a mut self, text: &'a str) -> WordStream<'a> {
        self.terms.clear();
        self.ends.clear();
        let (terms, ends) = (&mut self.terms, &mut self.ends);
        self.analyzer.each(text, |term| {
            terms.push_str(term);
            ends.push(terms.len());
        });
        WordStream {
            terms: &self.terms,
            ends: &self.ends,
            next: 0,
            token: Token::default(),
        }
    }
}

/// The terms of one text.
pub(crate) struct WordStream<'a> {
    terms: &'a str,
    ends: &'a [usize],
    next: usize,
    token: Token,
}

impl TokenStream for WordStream<'_> {
    fn advance(&mut self) -> bool {
        let Some(&end) = self.ends.get(self.next) else {
            return false;
        };
        let start = self.next.checked_sub(1).and_then(|last| self.ends.get(last)).copied();
        self.token.text.clear();
        self.token
            .text
            .push_str(self.terms.get(start.unwrap_or(0)..end).unwrap_or_default());
        self.token.position = self.next;
        self.next += 1;
        true
    }

    fn token(&self) -> &Token {
        &self.token
    }

    fn token_mut(&mut self) -> &mut Token {
        &mut self.token
    }
}
