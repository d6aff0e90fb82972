//! Long because the reader is one state machine over tokens.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use precedent_domain::{Author, HiddenReason, Identifiers, ParagraphKind, SectionKind};
use unicode_normalization::UnicodeNormalization;

use super::bibliography::{Bibliography, Entry};
use super::boxes::SavedBox;
use super::commands::action;
use super::counters::Counters;
use super::expander::{Expander, Parameter};
use super::files::LatexFiles;
use super::sink::{NEW_BLOCK, Sink};
use super::symbols::{accent, symbol};
use super::theorem::Theorem;
use super::token::{Token, push_source};
use crate::budget::{BLOCKS, TEXT_BYTES};
use crate::draft::{Block, Draft, HeadingHint};
use crate::format::{end_abstract, fold_space, reads_like_an_instruction};

/// Maximum nesting of separately read pieces (a footnote in a caption in a figure …); deeper text is skipped.
const PIECE_DEPTH: usize = 25;
/// Maximum nesting of environments.
pub(super) const ENVIRONMENT_DEPTH: usize = 200;

/// What the first pass collects for the second.
#[derive(Debug, Default)]
pub(crate) struct Known {
    /// What each `\label` refers to.
    pub(crate) labels: BTreeMap<String, (String, String)>,
    /// The reference list.
    pub(crate) bibliography: Bibliography,
}

/// An open environment.
#[derive(Debug)]
pub(super) struct Open {
    pub(super) name: Rc<str>,
    /// Number of groups opened before it.
    pub(super) groups: usize,
    /// Kind of running text before it.
    pub(super) kind: ParagraphKind,
    /// The text around a float, to continue after it.
    pub(super) around: Option<(Sink, Vec<Block>)>,
    /// Tokens at the end of an environment defined by the paper.
    pub(super) closing: Vec<Token>,
}

/// State that ends with a group.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Group {
    /// Why the text here is invisible.
    pub(super) hidden: Option<HiddenReason>,
    /// Small print. It counts as hidden only if it addresses an automated reviewer.
    pub(super) tiny: bool,
}

/// An environment defined by the paper.
#[derive(Debug, Clone)]
pub(super) struct Environment {
    /// Parameters of its `\begin`.
    pub(super) parameters: Vec<Parameter>,
    /// Tokens at its beginning.
    pub(super) begin: Vec<Token>,
    /// Tokens at its end.
    pub(super) end: Vec<Token>,
}

/// Reads one LaTeX document. Run twice: first to collect labels, citations and the reference list, then to write the text.
pub(crate) struct LatexReader<'f> {
    pub(super) files: &'f LatexFiles,
    pub(super) known: &'f Known,
    pub(super) expander: Expander<'f>,
    pub(super) sink: Sink,
    pub(super) blocks: Vec<Block>,
    /// Floats and footnotes that are placed after the current paragraph.
    pub(super) waiting: Vec<Block>,
    pub(super) open: Vec<Open>,
    /// Number of environments that the current piece must not close.
    pub(super) open_floor: usize,
    pub(super) groups: Vec<Group>,
    pub(super) state: Group,
    pub(super) hidden_text: String,
    pub(super) hidden: Vec<(HiddenReason, String)>,
    pub(super) depth: usize,
    pub(super) in_document: bool,
    pub(super) ended: bool,
    pub(super) in_appendix: bool,
    pub(super) in_table: bool,
    pub(super) written: usize,
    pub(super) title: Option<Sink>,
    pub(super) subtitle: Option<String>,
    pub(super) authors: Vec<Author>,
    pub(super) author_lines: Vec<String>,
    pub(super) date: Option<String>,
    pub(super) identifiers: Identifiers,
    /// Block index where the abstract ends.
    pub(super) abstract_end: Option<usize>,
    pub(super) counters: Counters,
    pub(super) labels: BTreeMap<String, (String, String)>,
    pub(super) cited: Vec<String>,
    pub(super) cited_set: BTreeSet<String>,
    pub(super) entries: Vec<Entry>,
    /// The reference entry being read.
    pub(super) entry: Option<Entry>,
    pub(super) bib_names: Vec<String>,
    pub(super) list_printed: bool,
    pub(super) style_name: Option<String>,
    pub(super) packages: BTreeMap<String, String>,
    pub(super) flags: BTreeMap<String, bool>,
    pub(super) white: BTreeSet<String>,
    pub(super) boxes: BTreeMap<String, SavedBox>,
    /// Whether the first branch is read if a condition cannot be decided.
    pub(super) prefers_first: bool,
    /// Tokens in branches that were left out although the condition could not be decided.
    pub(super) undecided: usize,
    pub(super) theorems: BTreeMap<String, Theorem>,
    pub(super) environments: BTreeMap<String, Environment>,
}

impl<'f> LatexReader<'f> {
    pub(crate) fn new(files: &'f LatexFiles, known: &'f Known) -> Self {
        let in_document = !files.main_text().contains("\\begin{document}");
        Self {
            files,
            known,
            expander: Expander::new(files),
            sink: Sink::new(ParagraphKind::Body, false),
            blocks: Vec::new(),
            waiting: Vec::new(),
            open: Vec::new(),
            open_floor: 0,
            groups: Vec::new(),
            state: Group::default(),
            hidden_text: String::new(),
            hidden: Vec::new(),
            depth: 0,
            in_document,
            ended: false,
            in_appendix: false,
            in_table: false,
            written: 0,
            title: None,
            subtitle: None,
            authors: Vec::new(),
            author_lines: Vec::new(),
            date: None,
            identifiers: Identifiers::default(),
            abstract_end: None,
            counters: Counters::default(),
            labels: BTreeMap::new(),
            cited: Vec::new(),
            cited_set: BTreeSet::new(),
            entries: Vec::new(),
            entry: None,
            bib_names: Vec::new(),
            list_printed: false,
            style_name: None,
            packages: BTreeMap::new(),
            flags: BTreeMap::new(),
            white: BTreeSet::from(["white".to_owned()]),
            boxes: BTreeMap::new(),
            prefers_first: false,
            undecided: 0,
            theorems: super::theorem::usual_theorems(),
            environments: BTreeMap::new(),
        }
    }

    /// Reads to the end of the document.
    pub(crate) fn run(&mut self) {
        self.read();
        self.ended = false;
        while !self.open.is_empty() {
            self.close_top();
        }
        self.finish_entry();
        self.flush();
        self.end_hidden();
        self.finish_boxes();
        if !self.list_printed && self.in_document {
            // A list that the text never prints, as in a truncated file.
            self.print_bibliography();
            self.read();
            while !self.open.is_empty() {
                self.close_top();
            }
            self.finish_entry();
        }
    }

    /// Reads to the end of the current piece or of the document.
    pub(super) fn read(&mut self) {
        while !self.ended {
            let Some(token) = self.expander.next_expanded() else {
                return;
            };
            self.token(token);
        }
    }

    fn token(&mut self, token: Token) {
        match token {
            Token::Char(c) => self.put(c),
            Token::Space => self.put(' '),
            Token::Par => self.paragraph(),
            Token::Open => self.open_group(),
            Token::Close => self.close_group(),
            Token::Math => self.math(),
            Token::Align => self.put(' '),
            Token::Super | Token::Sub => self.put(if token == Token::Super { '^' } else { '_' }),
            Token::Parameter(_) => {}
            Token::Command(name) => self.command(&name),
        }
    }

    pub(super) fn open_group(&mut self) {
        if self.groups.len() < 100_000 {
            self.groups.push(self.state);
        }
    }

    pub(super) fn close_group(&mut self) {
        if let Some(before) = self.groups.pop() {
            self.set_state(before);
        }
    }

    pub(super) fn set_state(&mut self, state: Group) {
        if self.state.hidden.is_some() && state.hidden != self.state.hidden || self.state.tiny && !state.tiny {
            self.end_hidden();
        }
        self.state = state;
    }

    /// Ends a hidden state and removes the text written in it.
    pub(super) fn end_hidden(&mut self) {
        let text = std::mem::take(&mut self.hidden_text);
        match self.state {
            Group {
                hidden: Some(reason), ..
            } => self.hide(reason, &text),
            // Small print is normal text unless it addresses an automated reviewer.
            Group { tiny: true, .. } if reads_like_an_instruction(&text) => self.hide(HiddenReason::Tiny, &text),
            _ => self.sink.put_text(&text),
        }
    }

    pub(super) fn hide(&mut self, reason: HiddenReason, text: &str) {
        let text = fold_space(text);
        if !text.is_empty() && self.hidden.len() < 500 {
            self.hidden.push((reason, text));
        }
    }

    /// Writes one character.
    pub(super) fn put(&mut self, c: char) {
        if !self.is_writing() {
            return;
        }
        self.written += c.len_utf8();
        if self.state.hidden.is_some() || self.state.tiny {
            self.hidden_text.push(c);
        } else {
            self.sink.put_char(c);
        }
    }

    /// Writes finished text.
    pub(super) fn put_text(&mut self, text: &str) {
        if !self.is_writing() {
            return;
        }
        self.written += text.len();
        if self.state.hidden.is_some() || self.state.tiny {
            self.hidden_text.push_str(text);
        } else {
            self.sink.put_text(text);
        }
    }

    pub(super) fn is_writing(&self) -> bool {
        (self.in_document || self.sink.inline || self.abstract_open())
            && self.written < TEXT_BYTES
            && self.blocks.len() <= BLOCKS
    }

    fn abstract_open(&self) -> bool {
        self.open
            .iter()
            .any(|open| matches!(&*open.name, "abstract" | "Abstract" | "keywords" | "keyword"))
    }

    pub(super) fn paragraph(&mut self) {
        if self.sink.inline || self.entry.is_some() {
            self.put(' ');
        } else if !self.in_table {
            self.flush();
        }
    }

    /// Ends the running paragraph and adds the blocks waiting for its end.
    pub(super) fn flush(&mut self) {
        if self.sink.inline || self.entry.is_some() {
            self.put(' ');
            return;
        }
        if self.state.tiny {
            self.end_hidden();
        }
        let kind = self.sink.kind;
        let finished = std::mem::replace(&mut self.sink, Sink::new(kind, false));
        self.blocks.extend(finished.into_block());
        self.blocks.append(&mut self.waiting);
    }

    /// Renders tokens as a separate run of text.
    pub(super) fn render(&mut self, tokens: Vec<Token>) -> Sink {
        let inner = Sink::new(ParagraphKind::Body, true);
        if self.depth >= PIECE_DEPTH {
            self.expander.limited = true;
            return inner;
        }
        self.depth += 1;
        let outer = std::mem::replace(&mut self.sink, inner);
        let floor = std::mem::replace(&mut self.open_floor, self.open.len());
        let groups = std::mem::take(&mut self.groups);
        let state = std::mem::take(&mut self.state);
        let hidden = std::mem::take(&mut self.hidden_text);
        self.expander.open_piece(tokens);
        self.read();
        while self.open.len() > self.open_floor {
            self.close_top();
        }
        self.end_hidden();
        self.expander.close_piece();
        self.open_floor = floor;
        self.groups = groups;
        self.state = state;
        self.hidden_text = hidden;
        self.depth -= 1;
        let mut run = std::mem::replace(&mut self.sink, outer);
        let length = run.text.trim_end().len();
        run.text.truncate(length);
        run.citations.retain(|(range, _)| range.end <= length);
        run
    }

    /// Renders tokens as plain text.
    pub(super) fn render_text(&mut self, tokens: Vec<Token>) -> String {
        fold_space(&self.render(tokens).text.replace(NEW_BLOCK, " "))
    }

    /// The next argument as plain text.
    pub(super) fn text_argument(&mut self) -> String {
        let tokens = self.expander.argument();
        self.render_text(tokens)
    }

    pub(super) fn put_run(&mut self, run: &Sink) {
        if self.state.hidden.is_some() || self.state.tiny {
            self.put_text(&run.text);
        } else if self.is_writing() {
            self.written += run.text.len();
            self.sink.put_run(run);
        }
    }

    pub(super) fn heading(&mut self, run: Sink, level: u8, kind: Option<SectionKind>) {
        self.flush();
        let mut heading = run;
        heading.kind = ParagraphKind::Heading;
        heading.text = fold_space(&heading.text);
        if let Some(mut block) = heading.into_block() {
            block.heading = Some(HeadingHint {
                level: Some(level),
                kind: kind.or(self.in_appendix.then_some(SectionKind::Appendix)),
            });
            self.blocks.push(block);
        }
        self.blocks.append(&mut self.waiting);
    }

    pub(super) fn plain_heading(&mut self, words: &str, kind: Option<SectionKind>) {
        let mut run = Sink::new(ParagraphKind::Heading, true);
        run.text.push_str(words);
        self.heading(run, 1, kind);
    }

    /// A command that is not a macro of the paper.
    fn command(&mut self, name: &str) {
        if let Some(action) = action(name) {
            self.act(name, action);
        } else if let Some(mark) = accent(name) {
            self.accent(mark, name);
        } else {
            self.plain(name);
        }
    }

    fn plain(&mut self, name: &str) {
        match name {
            "par" | "endgraf" => self.paragraph(),
            "\\" => {
                self.expander.star();
                self.expander.optional();
                self.put(' ');
            }
            "bgroup" | "begingroup" => self.open_group(),
            "egroup" | "endgroup" => self.close_group(),
            "xspace" => self.space_before_word(),
            "eg" => self.put_text("e.g."),
            "ie" => self.put_text("i.e."),
            "etal" => self.put_text("et al."),
            "etc" => self.put_text("etc."),
            "onedot" => {
                if self.expander.peek() != Some(Token::Char('.')) {
                    self.put('.');
                }
            }
            "and" | "And" | "AND" => self.put_text(", "),
            _ => {
                if self.condition(name) || self.boxes(name) {
                    return;
                }
                if let Some(sign) = symbol(name) {
                    if sign == " " {
                        self.put(' ')
                    } else {
                        self.put_text(sign)
                    }
                }
            }
        }
        if matches!(name, "eg" | "ie" | "etal" | "etc") {
            if self.expander.peek() == Some(Token::Char('.')) {
                self.expander.next();
            }
            self.space_before_word();
        }
    }

    /// TeX swallows the space after a command; `\xspace` puts it back before a word.
    fn space_before_word(&mut self) {
        let word = match self.expander.peek() {
            Some(Token::Char(c)) => c.is_alphanumeric() || matches!(c, '(' | '`' | '['),
            Some(Token::Math) => true,
            Some(Token::Command(name)) => {
                name.len() > 1
                    && !matches!(&*name, "par" | "xspace" | "footnote" | "unskip")
                    && !super::commands::is_protected(&name)
                    || action(&name).is_some_and(|action| {
                        matches!(action, super::commands::Action::Cite(_) | super::commands::Action::Text)
                    })
            }
            _ => false,
        };
        if word {
            self.put(' ');
        }
    }

    /// An accent over the next letter.
    fn accent(&mut self, mark: char, name: &str) {
        let argument = self.expander.argument();
        let base = self.render_text(argument);
        let mut letters = base.chars();
        let Some(first) = letters.next() else {
            // `\~{}` and `\^{}` print the character itself.
            if matches!(name, "~" | "^") {
                self.put_text(name);
            }
            return;
        };
        // A dotless i with an accent becomes an accented i.
        let first = match first {
            'ı' => 'i',
            'ȷ' => 'j',
            other => other,
        };
        let accented: String = [first, mark].into_iter().nfc().chain(letters).collect();
        self.put_text(&accented);
    }

    /// Converts the result to a draft: front matter first, then the blocks in order.
    pub(crate) fn into_draft(mut self) -> (Draft, bool) {
        let limited =
            self.expander.limited || self.files.limited || self.written >= TEXT_BYTES || self.blocks.len() > BLOCKS;
        let mut draft = Draft::default();
        let mut front = Vec::new();
        if let Some(title) = self.title.take() {
            let mut words = fold_space(&title.text);
            if let Some(subtitle) = self.subtitle.take().filter(|subtitle| !subtitle.is_empty()) {
                words = format!("{}: {subtitle}", words.trim_end_matches(':'));
            }
            if !words.is_empty() {
                front.push(Block::new(ParagraphKind::FrontMatter, words.clone()));
                draft.title = Some(words);
            }
        }
        let names: Vec<&str> = self.authors.iter().map(|author| author.name.as_str()).collect();
        let lines = [names.join(", ")].into_iter().chain(self.author_lines).chain(self.date);
        front.extend(
            lines
                .filter(|line| !line.is_empty())
                .map(|line| Block::new(ParagraphKind::FrontMatter, line)),
        );
        draft.authors = self.authors;
        draft.identifiers = self.identifiers;
        if let Some(at) = self.abstract_end {
            end_abstract(&mut self.blocks, at);
        }
        draft.blocks = front;
        draft.blocks.append(&mut self.blocks);
        for (reason, text) in &self.hidden {
            draft.hide(*reason, text);
        }
        for comment in &self.expander.comments {
            draft.hide(HiddenReason::Comment, comment);
        }
        (draft, limited)
    }

    /// Inline maths after a `$`.
    fn math(&mut self) {
        if self.expander.peek() == Some(Token::Math) {
            self.expander.next();
            let tex = self.math_until(|token, reader| {
                *token == Token::Math && {
                    if reader.expander.peek() == Some(Token::Math) {
                        reader.expander.next();
                    }
                    true
                }
            });
            self.display(&tex);
        } else {
            let tex = self.math_until(|token, _| *token == Token::Math);
            self.inline_math(&tex);
        }
    }

    pub(super) fn inline_math(&mut self, tex: &str) {
        let text = super::math::math_text(tex).replace('\n', " ");
        self.put_text(&text);
    }

    /// Display maths: a block of its own, or inline if there are no blocks.
    pub(super) fn display(&mut self, tex: &str) {
        let text = super::math::math_text(tex);
        if text.is_empty() || !self.is_writing() {
            return;
        }
        if self.sink.inline || self.in_table {
            self.put(' ');
            self.put_text(&text.replace('\n', " "));
            self.put(' ');
            return;
        }
        let kind = self.sink.kind;
        let finished = std::mem::replace(&mut self.sink, Sink::new(kind, false));
        self.blocks.extend(finished.into_block());
        self.written += text.len();
        self.blocks.push(Block::new(ParagraphKind::DisplayMath, text));
    }

    /// The source of maths with macros expanded, up to the token that ends it. A blank line also ends it, because that means a `$` is missing.
    pub(super) fn math_until(&mut self, ends: impl Fn(&Token, &mut Self) -> bool) -> String {
        let mut tex = String::new();
        let mut depth = 0usize;
        while let Some(token) = self.expander.next_expanded() {
            match &token {
                Token::Open => depth += 1,
                Token::Close => {
                    if depth == 0 {
                        // The closing brace of an enclosing group: the maths was never closed.
                        self.expander.push_back(vec![token]);
                        break;
                    }
                    depth -= 1;
                }
                Token::Par => break,
                _ => {}
            }
            if ends(&token, self) || tex.len() > 100_000 {
                break;
            }
            if let Token::Command(name) = &token
                && self.math_definition(name)
            {
                continue;
            }
            push_source(&mut tex, &token);
        }
        tex
    }

    /// Non-maths commands inside maths.
    fn math_definition(&mut self, name: &str) -> bool {
        use super::commands::Action;
        match action(name) {
            Some(Action::Definition) => self.define(name),
            Some(Action::Cite(form)) => self.cite(form),
            Some(Action::Skip(takes)) if !matches!(name, "hline" | "vspace" | "hspace") => self.skip(takes),
            _ => return false,
        }
        true
    }
}
