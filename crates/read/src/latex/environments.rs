//! Long because every environment is one arm of one dispatch.

use std::collections::HashMap;
use std::rc::Rc;
use std::sync::LazyLock;

use precedent_domain::{ParagraphKind, SectionKind};

use super::reader::{ENVIRONMENT_DEPTH, LatexReader, Open};
use super::sink::Sink;
use super::tables::rows;
use super::token::{Token, source_of};
use crate::draft::Block;
use crate::format::fold_space;

/// How this reader treats an environment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum EnvironmentKind {
    Document,
    Abstract,
    /// A floating figure, table or algorithm.
    Float,
    /// Table cells.
    Table,
    /// Display maths.
    Math,
    /// Inline maths.
    InlineMath,
    /// Verbatim text, in which nothing is a command.
    Verbatim,
    /// Pseudo-code.
    Algorithm,
    List,
    Quote,
    References,
    /// Drawings and comments, which are dropped.
    Dropped,
    Acknowledgements,
    Keywords,
    Appendix,
    /// Transparent; the arguments it takes are skipped.
    Plain(&'static str),
}

fn kind_of(name: &str) -> Option<EnvironmentKind> {
    static KINDS: LazyLock<HashMap<&str, EnvironmentKind>> = LazyLock::new(|| {
        let known = rows(ENVIRONMENTS).filter_map(|(kind, takes, name)| Some((name, kind_by_name(kind, takes)?)));
        known.collect()
    });
    KINDS.get(name.trim_end_matches('*')).copied()
}

const ENVIRONMENTS: &str = include_str!("tables/environments.tsv");

/// A kind by its name in the table.
fn kind_by_name(kind: &str, takes: &'static str) -> Option<EnvironmentKind> {
    Some(match kind {
        "document" => EnvironmentKind::Document,
        "abstract" => EnvironmentKind::Abstract,
        "float" => EnvironmentKind::Float,
        "table" => EnvironmentKind::Table,
        "math" => EnvironmentKind::Math,
        "inline_math" => EnvironmentKind::InlineMath,
        "verbatim" => EnvironmentKind::Verbatim,
        "algorithm" => EnvironmentKind::Algorithm,
        "list" => EnvironmentKind::List,
        "quote" => EnvironmentKind::Quote,
        "references" => EnvironmentKind::References,
        "dropped" => EnvironmentKind::Dropped,
        "acknowledgements" => EnvironmentKind::Acknowledgements,
        "keywords" => EnvironmentKind::Keywords,
        "appendix" => EnvironmentKind::Appendix,
        "plain" => EnvironmentKind::Plain(takes),
        _ => return None,
    })
}

/// Whether this reader handles the environment itself, so that a definition by the paper is ignored.
pub(super) fn is_known(name: &str) -> bool {
    kind_of(name).is_some()
}

/// The caption word of a float.
pub(super) fn float_word(name: &str) -> Option<&'static str> {
    if kind_of(name) != Some(EnvironmentKind::Float) && !name.starts_with("longtable") {
        return None;
    }
    Some(if name.contains("able") {
        "Table"
    } else if name.starts_with("algorithm") {
        "Algorithm"
    } else if name.contains("isting") {
        "Listing"
    } else {
        "Figure"
    })
}

impl LatexReader<'_> {
    pub(super) fn begin(&mut self) {
        let name = self.expander.source_argument();
        let Some(kind) = kind_of(&name) else {
            self.begin_other(&name);
            return;
        };
        match kind {
            EnvironmentKind::Document => {
                self.flush();
                self.in_document = true;
            }
            EnvironmentKind::Abstract => {
                self.expander.optional();
                self.abstract_heading();
                self.enter(&name, ParagraphKind::Body);
            }
            EnvironmentKind::Float => self.begin_float(&name),
            EnvironmentKind::Table => self.table(&name),
            EnvironmentKind::Math => self.display_environment(&name),
            EnvironmentKind::InlineMath => {
                let tex = self.environment_source(&name);
                self.inline_math(&tex);
            }
            EnvironmentKind::Verbatim => self.verbatim(&name),
            EnvironmentKind::Algorithm => self.algorithm(&name),
            EnvironmentKind::List => {
                self.expander.optional();
                if name == "list" {
                    self.skip("mm");
                }
                self.flush();
                let kind = self.sink.kind;
                self.enter(&name, kind);
            }
            EnvironmentKind::Quote => {
                self.flush();
                self.enter(&name, ParagraphKind::BlockQuote);
            }
            EnvironmentKind::References => self.begin_references(&name),
            EnvironmentKind::Dropped => {
                let raw = self.expander.raw_until(&format!("\\end{{{name}}}"));
                if name == "comment" && crate::format::reads_like_an_instruction(&raw) {
                    self.hide(precedent_domain::HiddenReason::Comment, &raw);
                }
            }
            EnvironmentKind::Acknowledgements => {
                self.plain_heading("Acknowledgements", Some(SectionKind::Acknowledgements));
                self.enter(&name, ParagraphKind::Body);
            }
            EnvironmentKind::Keywords => {
                let tokens = self.environment_tokens(&name);
                let words = self.render_text(tokens);
                self.push_keywords(&words);
            }
            EnvironmentKind::Appendix => {
                self.flush();
                self.in_appendix = true;
                self.counters.start_appendix();
            }
            EnvironmentKind::Plain(takes) => {
                self.skip(takes);
                let kind = self.sink.kind;
                self.enter(&name, kind);
                if matches!(&*name, "tiny" | "small" | "footnotesize" | "scriptsize" | "large") {
                    self.act(&name, super::commands::Action::Size);
                }
            }
        }
    }

    /// An environment defined by the paper, a theorem, or an unknown environment: its content is text.
    fn begin_other(&mut self, name: &str) {
        if name == "lrbox" {
            let saved = self.expander.source_argument();
            let tokens = self.environment_tokens(name);
            self.save_box(&saved, tokens);
            return;
        }
        if let Some(own) = self.environments.get(name).cloned() {
            let kind = self.sink.kind;
            self.enter(name, kind);
            if let Some(open) = self.open.last_mut() {
                open.closing = own.end;
            }
            self.expander.expand_body(own.parameters, own.begin);
        } else if let Some(theorem) = self.theorems.get(name.trim_end_matches('*')).cloned() {
            self.flush();
            let note = self.expander.optional().map(|tokens| self.render_text(tokens));
            let mut lead = theorem.word.clone();
            if let Some(counter) = theorem.counter.filter(|_| !name.ends_with('*')) {
                let number = self.counters.next(&counter, &theorem.word);
                lead = format!("{lead} {number}");
            }
            match note.filter(|note| !note.is_empty()) {
                Some(note) if theorem.word == "Proof" => lead = note,
                Some(note) => lead = format!("{lead} ({note})"),
                None => {}
            }
            let kind = self.sink.kind;
            self.enter(name, kind);
            self.put_text(&format!("{lead}. "));
        } else {
            self.expander.optional();
            let kind = self.sink.kind;
            self.enter(name, kind);
        }
    }

    pub(super) fn enter(&mut self, name: &str, kind: ParagraphKind) {
        if self.open.len() >= ENVIRONMENT_DEPTH {
            self.expander.limited = true;
            return;
        }
        self.open.push(Open {
            name: Rc::from(name),
            groups: self.groups.len(),
            kind: self.sink.kind,
            around: None,
            closing: Vec::new(),
        });
        self.open_group();
        self.sink.kind = kind;
    }

    pub(super) fn end(&mut self) {
        let name = self.expander.source_argument();
        if name == "document" {
            // The end of a standalone part ends the part, not the paper.
            if self.expander.is_in_part() {
                self.expander.end_input();
            } else {
                self.ended = true;
            }
            return;
        }
        let Some(at) = self
            .open
            .iter()
            .rposition(|open| *open.name == *name)
            .filter(|at| *at >= self.open_floor)
        else {
            return;
        };
        while self.open.len() > at {
            self.close_top();
        }
    }

    /// Closes the innermost environment.
    pub(super) fn close_top(&mut self) {
        if let Some(closing) = self
            .open
            .last_mut()
            .map(|open| std::mem::take(&mut open.closing))
            .filter(|closing| !closing.is_empty())
        {
            // The end code of the paper's own environment is text of it; its commands may close environments that it opened.
            let length = self.open.len();
            let floor = std::mem::replace(&mut self.open_floor, length);
            self.expander.open_piece(closing);
            self.depth += 1;
            if self.depth < 25 {
                self.read();
            }
            self.depth -= 1;
            while self.open.len() > length && self.depth < 25 {
                self.close_top();
            }
            self.expander.close_piece();
            self.open_floor = floor;
        }
        let Some(open) = self.open.pop() else { return };
        if kind_of(&open.name) == Some(EnvironmentKind::References) {
            self.finish_entry();
        }
        let breaks = kind_of(&open.name).is_some_and(|kind| !matches!(kind, EnvironmentKind::Plain(_)))
            || self.theorems.contains_key(&*open.name);
        if breaks || open.around.is_some() {
            self.flush();
        }
        while self.groups.len() > open.groups {
            self.close_group();
        }
        self.sink.kind = open.kind;
        if kind_of(&open.name) == Some(EnvironmentKind::Abstract) {
            self.abstract_end = self.abstract_end.or(Some(self.blocks.len()));
        }
        if let Some((around, blocks)) = open.around {
            let float = std::mem::replace(&mut self.blocks, blocks);
            self.waiting.extend(float);
            self.sink = around;
            if !self.sink.inline && self.sink.text.is_empty() {
                self.flush();
            }
        }
    }

    /// Begins a float. The paragraph around it continues after it.
    fn begin_float(&mut self, name: &str) {
        self.expander.optional();
        match name.trim_end_matches('*') {
            "wrapfigure" | "wraptable" => self.skip("omom"),
            "SCfigure" | "SCtable" => self.skip("oo"),
            _ => {}
        }
        if self.open.len() >= ENVIRONMENT_DEPTH {
            self.expander.limited = true;
            return;
        }
        let kind = if name.starts_with("algorithm") {
            ParagraphKind::Code
        } else {
            ParagraphKind::Caption
        };
        let around = std::mem::replace(&mut self.sink, Sink::new(kind, false));
        let blocks = std::mem::take(&mut self.blocks);
        // Pending footnotes belong to the surrounding paragraph and follow it together with the float.
        self.blocks = std::mem::take(&mut self.waiting);
        self.open.push(Open {
            name: Rc::from(name),
            groups: self.groups.len(),
            kind: around.kind,
            around: Some((around, blocks)),
            closing: Vec::new(),
        });
        self.open_group();
    }

    pub(super) fn item(&mut self) {
        if self
            .open
            .iter()
            .any(|open| kind_of(&open.name) == Some(EnvironmentKind::References))
        {
            self.flush();
            return;
        }
        let label = self.expander.optional();
        self.flush();
        self.sink.kind = ParagraphKind::ListItem;
        if let Some(label) = label {
            let run = self.render(label);
            self.put_run(&run);
            if !run.text.is_empty() {
                self.put(' ');
            }
        }
    }

    /// The tokens up to the matching `\end{name}`.
    pub(super) fn environment_tokens(&mut self, name: &str) -> Vec<Token> {
        let mut tokens = Vec::new();
        let mut depth = 0usize;
        while let Some(token) = self.expander.next_in_environment() {
            if let Token::Command(command) = &token
                && matches!(&**command, "begin" | "end")
            {
                let argument = self.expander.argument();
                let same = source_of(&argument).trim() == name;
                match (&**command, same) {
                    ("end", true) if depth == 0 => break,
                    ("end", true) => depth -= 1,
                    ("begin", true) => depth += 1,
                    ("end", false) if source_of(&argument).trim() == "document" => {
                        self.ended = true;
                        break;
                    }
                    _ => {}
                }
                tokens.push(token);
                tokens.push(Token::Open);
                tokens.extend(argument);
                tokens.push(Token::Close);
                continue;
            }
            tokens.push(token);
            if tokens.len() > 500_000 {
                self.expander.limited = true;
                break;
            }
        }
        tokens
    }

    fn environment_source(&mut self, name: &str) -> String {
        let tokens = self.environment_tokens(name);
        self.expander.open_piece(tokens);
        let mut tex = String::new();
        loop {
            // A stray brace or a blank line ends `math_until`; here only the end of the environment ends maths.
            tex.push_str(&self.math_until(|_, _| false));
            match self.expander.next() {
                Some(_) if tex.len() < 100_000 => tex.push(' '),
                _ => break,
            }
        }
        self.expander.close_piece();
        tex
    }

    fn display_environment(&mut self, name: &str) {
        if matches!(
            name,
            "alignat" | "alignat*" | "IEEEeqnarray" | "IEEEeqnarray*" | "xalignat"
        ) {
            self.expander.argument();
        }
        if name == "subequations" {
            let kind = self.sink.kind;
            self.enter(name, kind);
            return;
        }
        let tex = self.environment_source(name);
        if self.is_writing() {
            self.number_equations(name, &tex);
        }
        self.display(&tex);
    }

    /// Counts the rows and keeps their labels.
    fn number_equations(&mut self, name: &str, tex: &str) {
        if name.ends_with('*') || name == "displaymath" {
            return;
        }
        let many = matches!(
            name,
            "align" | "gather" | "eqnarray" | "flalign" | "alignat" | "IEEEeqnarray"
        );
        let rows: Vec<&str> = if many { tex.split("\\\\").collect() } else { vec![tex] };
        for row in rows {
            if many && (row.contains("\\nonumber") || row.contains("\\notag") || row.trim().is_empty()) {
                continue;
            }
            self.counters.next("equation", "Equation");
            for piece in row.split("\\label").skip(1) {
                let key = piece
                    .trim_start()
                    .trim_start_matches('{')
                    .split('}')
                    .next()
                    .unwrap_or_default();
                let key = key.trim().to_owned();
                self.label(&key);
            }
        }
    }

    fn verbatim(&mut self, name: &str) {
        let raw = self.expander.raw_until(&format!("\\end{{{name}}}"));
        // Options are on the line of `\begin`.
        let raw = match raw.split_once('\n') {
            Some((first, rest)) if first.trim().is_empty() || first.trim_start().starts_with(['[', '{']) => rest,
            _ => raw.as_str(),
        };
        let code = raw.trim_matches('\n').trim_end();
        if !code.is_empty() && self.is_writing() && !self.sink.inline {
            self.flush();
            self.written += code.len();
            self.blocks.push(Block::new(ParagraphKind::Code, code));
        } else {
            self.put_text(&fold_space(code));
        }
    }

    fn algorithm(&mut self, name: &str) {
        self.expander.optional();
        let tokens = self.environment_tokens(name);
        let mut lines: Vec<Vec<Token>> = vec![Vec::new()];
        for token in tokens {
            match &token {
                Token::Command(command) if matches!(&**command, "\\" | ";" | "par" | "BlankLine") => {
                    lines.push(Vec::new())
                }
                Token::Command(command) => match line_word(command) {
                    Some((word, opens)) => {
                        if opens {
                            lines.push(Vec::new());
                        }
                        if let Some(line) = lines.last_mut() {
                            line.extend(word.chars().map(Token::Char));
                            line.push(Token::Char(' '));
                        }
                    }
                    None => lines.last_mut().map(|line| line.push(token)).unwrap_or_default(),
                },
                Token::Par => lines.push(Vec::new()),
                _ => lines.last_mut().map(|line| line.push(token)).unwrap_or_default(),
            }
        }
        let lines: Vec<String> = lines
            .into_iter()
            .map(|line| self.render_text(line))
            .filter(|line| !line.is_empty())
            .collect();
        if !lines.is_empty() && self.is_writing() {
            self.flush();
            self.blocks.push(Block::new(ParagraphKind::Code, lines.join("\n")));
        }
    }
}

/// The word that a pseudo-code command prints, and whether it starts a line.
fn line_word(command: &str) -> Option<(&'static str, bool)> {
    Some(match command.to_lowercase().as_str() {
        "state" | "statex" | "dontprintsemicolon" => ("", true),
        "for" | "forall" | "foreach" => ("for", true),
        "while" => ("while", true),
        "if" | "uif" | "eif" => ("if", true),
        "elsif" | "elseif" | "uelseif" => ("else if", true),
        "else" | "uelse" => ("else", true),
        "endfor" | "endwhile" | "endif" | "endloop" | "endfunction" | "endprocedure" => ("end", true),
        "repeat" => ("repeat", true),
        "until" => ("until", true),
        "loop" => ("loop", true),
        "return" => ("return", true),
        "require" => ("Require:", true),
        "ensure" => ("Ensure:", true),
        "input" | "kwin" | "kwdata" => ("Input:", true),
        "output" | "kwout" | "kwresult" => ("Output:", true),
        "function" => ("function", true),
        "procedure" => ("procedure", true),
        "comment" | "tcp" | "tcc" => ("//", false),
        "do" | "then" => ("", false),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_is_a_kind_and_no_environment_has_two() {
        let mut seen = std::collections::HashSet::new();
        for (kind, takes, name) in rows(ENVIRONMENTS) {
            assert!(kind_by_name(kind, takes).is_some(), "{kind}");
            assert!(takes.is_empty() || kind == "plain", "{name}");
            assert!(seen.insert(name), "{name} has two kinds");
        }
        assert_eq!(kind_of("figure*"), Some(EnvironmentKind::Float));
        assert_eq!(kind_of("minipage"), Some(EnvironmentKind::Plain("ooom")));
    }
}
