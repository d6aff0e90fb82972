//! The reader of characters and tokens of LaTeX, with macros and conditions expanded.
//!
//! Long because tokens, arguments and expansion share one input.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use super::commands::is_protected;
use super::conditions::{arguments_before_branches, is_closed_by_fi, may_be_condition};
use super::files::LatexFiles;
use super::token::{Source, Token, push_source, source_of};
use crate::format::reads_like_an_instruction;

/// Maximum macro expansions per paper. Real papers stay under 30,000.
const EXPANSIONS: usize = 200_000;
/// Maximum tokens inserted by expansions, in total.
const EXPANDED_TOKENS: usize = 4_000_000;
/// Maximum pending tokens.
const WAITING_TOKENS: usize = 1_000_000;
/// Maximum nesting of open files.
const INPUT_DEPTH: usize = 20;
/// Maximum number of files opened, in total.
const INPUTS: usize = 2_000;
/// Maximum tokens of an argument in brackets; beyond that the bracket was never closed.
const OPTIONAL_TOKENS: usize = 3_000;
/// Maximum tokens read in search of closing brackets that do not exist, in total.
const WASTED_TOKENS: usize = 500_000;
/// Maximum comments kept because they read like instructions.
const COMMENTS: usize = 50;

/// A macro defined by the paper.
#[derive(Debug, Clone)]
pub(crate) struct Macro {
    /// Its parameters.
    pub(crate) parameters: Vec<Parameter>,
    /// Its replacement text.
    pub(crate) body: Rc<[Token]>,
}

/// Kind of a macro parameter.
#[derive(Debug, Clone)]
pub(crate) enum Parameter {
    /// A group.
    Mandatory,
    /// A group in brackets, with its default value.
    Optional(Vec<Token>),
    /// An optional star.
    Star,
}

/// Reads files and expands macros into tokens. All its resources are limited. TeX calls this part its mouth.
#[derive(Debug)]
pub(crate) struct Expander<'f> {
    files: &'f LatexFiles,
    sources: Vec<Source>,
    macros: BTreeMap<Rc<str>, Macro>,
    /// Conditions that the paper defines.
    conditions: BTreeSet<Rc<str>>,
    expansions: usize,
    expanded: usize,
    inputs: usize,
    wasted: usize,
    /// Comments that read like instructions to an automated reviewer.
    pub(crate) comments: Vec<String>,
    /// Tokens of arguments that macros do not print.
    pub(crate) dropped: usize,
    /// Whether a limit was reached, so that the text may be incomplete.
    pub(crate) limited: bool,
}

impl<'f> Expander<'f> {
    pub(crate) fn new(files: &'f LatexFiles) -> Self {
        let mut expander = Self {
            files,
            sources: Vec::new(),
            macros: BTreeMap::new(),
            conditions: BTreeSet::new(),
            dropped: 0,
            expansions: 0,
            expanded: 0,
            inputs: 0,
            wasted: 0,
            comments: Vec::new(),
            limited: false,
        };
        expander
            .sources
            .push(Source::file(files.main_name(), files.main_text()));
        expander
    }

    /// The next token, without macro expansion.
    pub(crate) fn next(&mut self) -> Option<Token> {
        loop {
            let source = self.sources.last_mut()?;
            if let Some(token) = source.pushed.pop() {
                return Some(token);
            }
            let comments = &mut self.comments;
            let mut keep = |comment: &str| {
                if comments.len() < COMMENTS && comment.len() > 15 && reads_like_an_instruction(comment) {
                    comments.push(comment.trim_matches(['%', ' ', '\t']).to_owned());
                }
            };
            if let Some(token) = source.lex(&mut keep) {
                return Some(token);
            }
            if source.barrier || self.sources.len() == 1 {
                return None;
            }
            self.sources.pop();
        }
    }

    /// The next token with the paper's own macros expanded.
    pub(crate) fn next_expanded(&mut self) -> Option<Token> {
        loop {
            let token = self.next()?;
            let Token::Command(name) = &token else {
                return Some(token);
            };
            let Some(found) = self.macros.get(name).cloned() else {
                return Some(token);
            };
            if self.expansions >= EXPANSIONS || self.expanded >= EXPANDED_TOKENS || self.waiting() >= WAITING_TOKENS {
                self.limited = true;
                return Some(Token::Space);
            }
            self.expansions += 1;
            self.expand(&found);
        }
    }

    /// The next token. Only macros that begin or end an environment are expanded, so that `\eeq` for `\end{equation}` is recognized.
    pub(crate) fn next_in_environment(&mut self) -> Option<Token> {
        let token = self.next()?;
        let Token::Command(name) = &token else {
            return Some(token);
        };
        let marks = |token: &Token| matches!(token, Token::Command(name) if matches!(&**name, "begin" | "end"));
        if self.macros.get(name).is_some_and(|found| found.body.iter().any(marks)) {
            self.push_back(vec![token]);
            return self.next_expanded();
        }
        Some(token)
    }

    /// Inserts the body of an environment's definition before the remaining tokens; its arguments are read from those.
    pub(crate) fn expand_body(&mut self, parameters: Vec<Parameter>, body: Vec<Token>) {
        if self.expansions < EXPANSIONS && self.expanded < EXPANDED_TOKENS {
            self.expansions += 1;
            self.expand(&Macro {
                parameters,
                body: body.into(),
            });
        } else {
            self.limited = true;
        }
    }

    fn waiting(&self) -> usize {
        self.sources.last().map_or(0, |source| source.pushed.len())
    }

    fn expand(&mut self, found: &Macro) {
        let mut arguments: Vec<Vec<Token>> = Vec::new();
        for parameter in &found.parameters {
            arguments.push(match parameter {
                Parameter::Mandatory => self.argument(),
                Parameter::Optional(default) => self.optional().unwrap_or_else(|| default.clone()),
                Parameter::Star => {
                    if self.star() {
                        vec![Token::Char('*')]
                    } else {
                        Vec::new()
                    }
                }
            });
        }
        let is_printed = |at: usize| {
            let holds = |token: &Token| matches!(token, Token::Parameter(number) if usize::from(*number) == at + 1);
            found.body.iter().any(holds)
        };
        self.dropped += (0..)
            .zip(&arguments)
            .filter(|(at, _)| !is_printed(*at))
            .map(|(_, lost)| lost.len())
            .sum::<usize>();
        let mut tokens = Vec::with_capacity(found.body.len());
        for token in found.body.iter() {
            match token {
                Token::Parameter(number) if *number > 0 => {
                    if let Some(argument) = arguments.get(usize::from(*number) - 1) {
                        tokens.extend_from_slice(argument);
                    }
                }
                other => tokens.push(other.clone()),
            }
            if tokens.len() > WAITING_TOKENS {
                self.limited = true;
                break;
            }
        }
        self.expanded += tokens.len();
        self.push_back(tokens);
    }

    /// Inserts tokens before the remaining ones.
    pub(crate) fn push_back(&mut self, tokens: Vec<Token>) {
        if let Some(source) = self.sources.last_mut() {
            source.pushed.extend(tokens.into_iter().rev());
        }
    }

    /// Peeks at the next token.
    pub(crate) fn peek(&mut self) -> Option<Token> {
        let token = self.next()?;
        self.push_back(vec![token.clone()]);
        Some(token)
    }

    /// Skips the spaces between an argument that is not printed and one that is.
    pub(crate) fn skip_blank(&mut self) {
        let skipped = self.skip_space();
        if self.peek() != Some(Token::Open) {
            self.push_back(skipped);
        }
    }

    /// Skips white space and returns it so that it can be put back.
    fn skip_space(&mut self) -> Vec<Token> {
        let mut skipped = Vec::new();
        while let Some(token) = self.next() {
            if token == Token::Space {
                skipped.push(token);
            } else {
                self.push_back(vec![token]);
                break;
            }
        }
        skipped
    }

    /// The next argument: a group without its braces, or one token.
    pub(crate) fn argument(&mut self) -> Vec<Token> {
        self.skip_space();
        match self.next() {
            Some(Token::Open) => self.group(false),
            Some(token @ (Token::Close | Token::Par)) => {
                self.push_back(vec![token]);
                Vec::new()
            }
            Some(token) => vec![token],
            None => Vec::new(),
        }
    }

    /// An argument of at most one paragraph, as in headings: an unclosed brace ends with the paragraph.
    pub(crate) fn short_argument(&mut self) -> Vec<Token> {
        self.skip_space();
        match self.next() {
            Some(Token::Open) => self.group(true),
            Some(token) => {
                self.push_back(vec![token]);
                self.argument()
            }
            None => Vec::new(),
        }
    }

    /// The rest of a group whose opening brace was read.
    pub(crate) fn group(&mut self, one_paragraph: bool) -> Vec<Token> {
        let mut depth = 0usize;
        let mut tokens = Vec::new();
        while let Some(token) = self.next() {
            match token {
                Token::Open => depth += 1,
                Token::Close if depth == 0 => break,
                Token::Close => depth -= 1,
                Token::Par if one_paragraph => {
                    self.push_back(vec![token]);
                    break;
                }
                _ => {}
            }
            if tokens.len() >= WAITING_TOKENS {
                self.limited = true;
                break;
            }
            tokens.push(token);
        }
        tokens
    }

    /// An argument in brackets, if one follows.
    pub(crate) fn optional(&mut self) -> Option<Vec<Token>> {
        let skipped = self.skip_space();
        match self.next() {
            Some(Token::Char('[')) if self.wasted < WASTED_TOKENS => {}
            other => {
                self.push_back(skipped.into_iter().chain(other).collect());
                return None;
            }
        }
        let mut depth = 0usize;
        let mut tokens = Vec::new();
        while let Some(token) = self.next() {
            match token {
                Token::Open => depth += 1,
                Token::Close => depth = depth.saturating_sub(1),
                Token::Char(']') if depth == 0 => return Some(tokens),
                _ => {}
            }
            let too_long = tokens.len() >= OPTIONAL_TOKENS || token == Token::Par;
            tokens.push(token);
            if too_long {
                break;
            }
        }
        self.wasted += tokens.len();
        tokens.insert(0, Token::Char('['));
        self.push_back(tokens);
        // The bracket is text. Reading it again as an argument would never end.
        None
    }

    /// A star, if one follows immediately.
    pub(crate) fn star(&mut self) -> bool {
        match self.next() {
            Some(Token::Char('*')) => true,
            Some(other) => {
                self.push_back(vec![other]);
                false
            }
            None => false,
        }
    }

    /// An argument as its source text.
    pub(crate) fn source_argument(&mut self) -> String {
        source_of(&self.argument()).trim().to_owned()
    }

    /// A name after `\def`, `\let`, or in braces after `\newcommand`.
    pub(crate) fn command_name(&mut self) -> Option<Rc<str>> {
        self.argument().into_iter().find_map(|token| match token {
            Token::Command(name) => Some(name),
            _ => None,
        })
    }

    /// The tokens up to a `{`, as a `\def` has before its body.
    pub(crate) fn until_open(&mut self) -> Vec<Token> {
        let mut tokens = Vec::new();
        while let Some(token) = self.next() {
            if token == Token::Open || tokens.len() > 50 {
                self.push_back(vec![token]);
                break;
            }
            tokens.push(token);
        }
        tokens
    }

    /// Defines a macro, unless it would replace a command that this reader handles itself.
    pub(crate) fn define(&mut self, name: Rc<str>, parameters: Vec<Parameter>, body: Vec<Token>) {
        if !is_protected(&name) && self.macros.len() < 20_000 {
            self.macros.insert(
                name,
                Macro {
                    parameters,
                    body: body.into(),
                },
            );
        }
    }

    /// `\let\a=\b`.
    pub(crate) fn alias(&mut self, name: Rc<str>, target: Token) {
        let known = match &target {
            Token::Command(other) if *other == name => return,
            Token::Command(other) => self.macros.get(other).cloned(),
            _ => None,
        };
        match known {
            Some(known) => self.define(name, known.parameters, known.body.to_vec()),
            None => self.define(name, Vec::new(), vec![target]),
        }
    }

    pub(crate) fn is_defined(&self, name: &str) -> bool {
        self.macros.contains_key(name)
    }

    /// Opens another file of the paper. Does nothing if the file does not exist, is already open, or is nested too deep.
    pub(crate) fn input(&mut self, name: &str, extensions: &[&str]) -> bool {
        let from = self.sources.iter().rev().find(|source| !source.name.is_empty());
        let from = from.map(|source| source.name.clone()).unwrap_or_default();
        let Some((found, text)) = self.files.resolve(name, &from, extensions) else {
            return false;
        };
        let open = self.sources.iter().any(|source| *source.name == *found);
        if open || self.sources.len() >= INPUT_DEPTH || self.inputs >= INPUTS {
            self.limited = true;
            return false;
        }
        self.inputs += 1;
        let mut source = Source::file(found, text);
        source.at_is_letter = std::path::Path::new(found)
            .extension()
            .is_some_and(|extension| extension == "sty");
        self.sources.push(source);
        true
    }

    pub(crate) fn set_at_is_letter(&mut self, is_letter: bool) {
        if let Some(source) = self.sources.last_mut() {
            source.at_is_letter = is_letter;
        }
    }

    /// Whether the current file was included by another file.
    pub(crate) fn is_in_part(&self) -> bool {
        self.sources.iter().filter(|source| !source.name.is_empty()).count() > 1
    }

    /// Ends the current file, as `\endinput` does.
    pub(crate) fn end_input(&mut self) {
        if let Some(source) = self.sources.last_mut().filter(|source| !source.barrier) {
            source.skip(usize::MAX / 2);
            source.pushed.clear();
        }
    }

    /// Reads `tokens` separately: [`Expander::next`] ends with them. Must be closed with [`Expander::close_piece`].
    pub(crate) fn open_piece(&mut self, tokens: Vec<Token>) {
        self.sources.push(Source::piece(tokens));
    }

    /// Returns to the input before [`Expander::open_piece`].
    pub(crate) fn close_piece(&mut self) {
        while let Some(source) = self.sources.pop() {
            if source.barrier {
                break;
            }
        }
    }

    /// The raw text up to `end`, which is consumed too. Used for verbatim text, where nothing is a command.
    pub(crate) fn raw_until(&mut self, end: &str) -> String {
        let mut raw = String::new();
        let Some(source) = self.sources.last_mut() else {
            return raw;
        };
        while let Some(token) = source.pushed.pop() {
            push_source(&mut raw, &token);
            if raw.trim_end().ends_with(end) {
                let length = raw.trim_end().len() - end.len();
                raw.truncate(length);
                return raw;
            }
        }
        let rest = source.rest();
        let length = rest.find(end).unwrap_or(rest.len());
        raw.push_str(rest.get(..length).unwrap_or_default());
        source.skip(length + end.len());
        raw
    }

    /// The character right after a command such as `\verb`.
    pub(crate) fn raw_char(&mut self) -> Option<char> {
        let source = self.sources.last_mut()?;
        if let Some(token) = source.pushed.pop() {
            return match token {
                Token::Char(c) => Some(c),
                _ => None,
            };
        }
        let c = source.rest().chars().next()?;
        source.skip(c.len_utf8());
        Some(c)
    }

    /// Skips up to the `\fi` or `\else` of a condition whose `\if` was read. Returns the number of tokens skipped. If there is no `\fi` and `must_close`
    /// is set, the command was no condition, so nothing is skipped.
    pub(crate) fn skip_branch(&mut self, stop_at_else: bool, must_close: bool) -> usize {
        let mut depth = 0usize;
        let mut skipped = Vec::new();
        let mut count = 0usize;
        let keeps = must_close && self.wasted < WASTED_TOKENS;
        while let Some(token) = self.next() {
            count += 1;
            if let Token::Command(name) = &token {
                match &**name {
                    "fi" if depth == 0 => return count,
                    "fi" => depth -= 1,
                    "else" if depth == 0 && stop_at_else => return count,
                    // `\newif\ifdraft` declares a condition and opens none.
                    "newif" => {
                        let declared = self.next();
                        skipped.push(token);
                        skipped.extend(declared);
                        continue;
                    }
                    name if self.is_condition(name) => depth += 1,
                    name if may_be_condition(name) && arguments_before_branches(name).is_none() => {
                        let is_group = self.peek() == Some(Token::Open);
                        depth += usize::from(!is_group);
                    }
                    _ => {}
                }
            }
            if keeps && skipped.len() < WAITING_TOKENS {
                skipped.push(token);
            }
        }
        if must_close {
            self.limited |= !keeps || skipped.len() >= WAITING_TOKENS;
            self.wasted += skipped.len();
            self.push_back(skipped);
            return 0;
        }
        count
    }

    /// Whether a command opens a condition that `\fi` closes.
    pub(crate) fn is_condition(&self, name: &str) -> bool {
        is_closed_by_fi(name) || name.starts_with("if@") || self.conditions.contains(name)
    }

    /// Records a condition that the paper defines with `\newif`.
    pub(crate) fn declare_condition(&mut self, name: &Rc<str>) {
        if self.conditions.len() < 1_000 {
            self.conditions.insert(Rc::clone(name));
        }
    }
}
