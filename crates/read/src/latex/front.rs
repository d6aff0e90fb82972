use precedent_domain::Author;

use super::reader::LatexReader;
use super::token::Token;
use crate::names::{is_stated_name, names_in_line};

/// Maximum affiliation lines kept.
const AUTHOR_LINES: usize = 40;

impl LatexReader<'_> {
    /// Handles `\author` as used by article, NeurIPS, ACL, ICML, IEEE, acmart, revtex, elsarticle, llncs and Springer Nature.
    pub(super) fn author(&mut self, name: &str) {
        self.expander.star();
        while self.expander.optional().is_some() {}
        let tokens = self.expander.argument();
        if name == "icmlauthor" {
            self.expander.argument();
        }
        for lines in self.author_chunks(tokens) {
            self.author_chunk(&lines);
        }
    }

    pub(super) fn affiliation(&mut self, name: &str) {
        self.expander.optional();
        if name == "icmlaffiliation" {
            self.expander.argument();
        }
        let line = self.text_argument();
        self.author_line(&line);
    }

    fn author_line(&mut self, line: &str) {
        let line = line.trim_matches([' ', ',', ';']);
        if !line.is_empty()
            && self.author_lines.len() < AUTHOR_LINES
            && !self.author_lines.iter().any(|other| other == line)
        {
            self.author_lines.push(line.to_owned());
        }
    }

    /// The names at the start of a chunk; the rest are affiliations.
    fn author_chunk(&mut self, lines: &[String]) {
        let mut found: Vec<Author> = Vec::new();
        let mut goes_on = true;
        for line in lines {
            let names = if goes_on { names_in_line(line) } else { Vec::new() };
            let first = found.is_empty();
            if first && names.is_empty() && goes_on && is_single_name(line) {
                found.push(Author::new(line.trim_matches([',', ' '])));
            } else if !names.is_empty() && (first || names.len() > 1 || lines_hold_names(lines)) {
                found.extend(names);
            } else {
                self.author_line(line);
            }
            // A second line of names only follows a line with several names or a trailing comma.
            goes_on = found.is_empty() || found.len() > 1 || line.trim_end().ends_with([',', '&']);
        }
        for author in found {
            let anonymous = author.name.to_lowercase().starts_with("anonymous");
            if !anonymous && !self.authors.contains(&author) && self.authors.len() < 5_000 {
                self.authors.push(author);
            }
        }
    }

    /// The argument of `\author` as chunks (between `\and`) of lines (between `\\`), without footnote and affiliation marks.
    fn author_chunks(&mut self, tokens: Vec<Token>) -> Vec<Vec<String>> {
        let mut chunks: Vec<Vec<Vec<Token>>> = vec![vec![Vec::new()]];
        let mut rest = tokens.into_iter().peekable();
        let next_group = |rest: &mut std::iter::Peekable<std::vec::IntoIter<Token>>| {
            while rest.next_if_eq(&Token::Space).is_some() {}
            let mut group = Vec::new();
            if rest.next_if_eq(&Token::Open).is_some() {
                let mut depth = 0usize;
                for token in rest.by_ref() {
                    match token {
                        Token::Open => depth += 1,
                        Token::Close if depth == 0 => break,
                        Token::Close => depth -= 1,
                        _ => {}
                    }
                    group.push(token);
                }
            }
            group
        };
        while let Some(token) = rest.next() {
            let new_line = |chunks: &mut Vec<Vec<Vec<Token>>>| {
                if let Some(chunk) = chunks.last_mut() {
                    chunk.push(Vec::new());
                }
            };
            match &token {
                Token::Command(name) => match &**name {
                    "and" | "And" | "AND" | "IEEEauthorblockN" | "Andd" => chunks.push(vec![Vec::new()]),
                    "\\" | "newline" | "tabularnewline" | "par" | "linebreak" | "addr" | "affil" => {
                        new_line(&mut chunks)
                    }
                    "IEEEauthorblockA" => {
                        let group = next_group(&mut rest);
                        new_line(&mut chunks);
                        let line = self.render_text(group);
                        self.author_line(&line);
                    }
                    "textsuperscript"
                    | "inst"
                    | "orcid"
                    | "orcidlink"
                    | "orcidID"
                    | "footnotemark"
                    | "email"
                    | "thanksref"
                    | "IEEEmembership"
                    | "samethanks"
                    | "corref"
                    | "fnref"
                    | "textsubscript"
                    | "hspace"
                    | "vspace"
                    | "includegraphics"
                    | "institute"
                    | "begin"
                    | "end"
                    | "affmark"
                    | "fnmsep"
                    | "icmlEqualContribution"
                    | "authormark"
                    | "ead"
                    | "color" => {
                        let named = next_group(&mut rest);
                        if &**name == "begin" && named.contains(&Token::Char('b')) {
                            // `{tabular}{cc}`: the columns.
                            next_group(&mut rest);
                        }
                        if &**name == "email" && named.is_empty() {
                            while rest.next_if(|token| !matches!(token, Token::Command(name) if matches!(&**name, "\\" | "And" | "AND" | "and"))).is_some() {}
                        }
                    }
                    "thanks" | "footnote" => {
                        let group = next_group(&mut rest);
                        if let Some(line) = chunks.last_mut().and_then(|chunk| chunk.last_mut()) {
                            line.extend([token.clone(), Token::Open]);
                            line.extend(group);
                            line.push(Token::Close);
                        }
                    }
                    "href" | "textcolor" => {
                        next_group(&mut rest);
                    }
                    _ => push_token(&mut chunks, token),
                },
                Token::Par => new_line(&mut chunks),
                Token::Align => push_token(&mut chunks, Token::Char(',')),
                Token::Math => {
                    // Dollar signs in an author list enclose marks.
                    for inner in rest.by_ref() {
                        if inner == Token::Math {
                            break;
                        }
                    }
                    push_token(&mut chunks, Token::Space);
                }
                Token::Open | Token::Close => {}
                Token::Super => {
                    if rest.peek() == Some(&Token::Open) {
                        next_group(&mut rest);
                    } else {
                        rest.next();
                    }
                }
                _ => push_token(&mut chunks, token),
            }
        }
        chunks
            .into_iter()
            .map(|chunk| {
                let lines = chunk.into_iter().map(|line| self.render_text(line));
                lines
                    .filter(|line| !line.trim_matches([' ', ',', ';']).is_empty())
                    .collect()
            })
            .collect()
    }
}

fn push_token(chunks: &mut [Vec<Vec<Token>>], token: Token) {
    if let Some(line) = chunks.last_mut().and_then(|chunk| chunk.last_mut()) {
        line.push(token);
    }
}

/// A name that is not recognizable by its shape: one word, or another script.
fn is_single_name(line: &str) -> bool {
    let bare = line.trim_matches([',', ' ']);
    let short = bare.chars().count() <= 50
        && bare.split_whitespace().count() <= 4
        && bare.chars().filter(|c| c.is_alphabetic()).count() >= 2;
    short
        && !bare.contains(['@', ',', ':', '/'])
        && !bare.chars().any(|c| c.is_ascii_digit())
        && (is_stated_name(bare) || !bare.is_ascii())
}

/// Whether every line of a chunk contains several names, so that no line is an affiliation.
fn lines_hold_names(lines: &[String]) -> bool {
    lines.len() > 1
        && lines.iter().all(|line| !names_in_line(line).is_empty())
        && lines.iter().any(|line| line.contains(','))
}
