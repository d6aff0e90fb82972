//! Boxes of saved text: `\sbox`, `\savebox`, `\setbox`. Their text is printed where the box is used, and hidden if it is used nowhere.

use precedent_domain::HiddenReason;

use super::reader::LatexReader;
use super::sink::Sink;
use super::token::{Token, source_of};
use crate::format::{fold_space, reads_like_an_instruction};

/// Maximum boxes per paper.
const BOXES: usize = 2_000;
/// Minimum words of an unused box that count as hidden text. Shorter ones are measured, not printed.
const FEWEST_WORDS: usize = 4;

/// A saved text.
#[derive(Debug)]
pub(super) struct SavedBox {
    run: Sink,
    used: bool,
}

impl LatexReader<'_> {
    /// Handles a command that saves or prints a box. Returns whether `name` is one.
    pub(super) fn boxes(&mut self, name: &str) -> bool {
        match name {
            "sbox" | "savebox" => {
                let saved = self.expander.source_argument();
                if name == "savebox" {
                    self.expander.optional();
                    self.expander.optional();
                }
                let tokens = self.expander.argument();
                self.save_box(&saved, tokens);
            }
            "setbox" => self.set_box(),
            "usebox" => {
                let saved = self.expander.source_argument();
                self.use_box(&saved);
            }
            "box" | "copy" | "unhbox" | "unvbox" | "unhcopy" | "unvcopy" => {
                if let Some(saved) = self.register() {
                    self.use_box(&saved);
                }
            }
            _ => return false,
        }
        true
    }

    /// `\setbox0=\hbox to 3cm{…}`
    fn set_box(&mut self) {
        let Some(saved) = self.register() else { return };
        for _ in 0..60 {
            match self.expander.next() {
                Some(Token::Open) => {
                    let tokens = self.expander.group(false);
                    self.save_box(&saved, tokens);
                    return;
                }
                Some(Token::Command(name)) if matches!(&*name, "box" | "copy" | "vsplit" | "lastbox") => {
                    if let Some(other) = self.register() {
                        // Moving a box is not printing it, but what is then printed is not followed.
                        if let Some(found) = self.boxes.get_mut(&other) {
                            found.used = true;
                        }
                    }
                    return;
                }
                Some(token @ (Token::Par | Token::Close)) => {
                    self.expander.push_back(vec![token]);
                    return;
                }
                None => return,
                Some(_) => {}
            }
        }
    }

    /// A box register: a number or a command.
    fn register(&mut self) -> Option<String> {
        let mut digits = String::new();
        while let Some(token) = self.expander.next() {
            match token {
                Token::Command(name) if digits.is_empty() => {
                    return Some(source_of(&[Token::Command(name)]).trim().to_owned());
                }
                Token::Char(c) if c.is_ascii_digit() && digits.len() < 5 => digits.push(c),
                Token::Space if digits.is_empty() => {}
                other => {
                    if !(other == Token::Space) {
                        self.expander.push_back(vec![other]);
                    }
                    break;
                }
            }
        }
        (!digits.is_empty()).then_some(digits)
    }

    pub(super) fn save_box(&mut self, name: &str, tokens: Vec<Token>) {
        let run = self.render(tokens);
        if self.boxes.len() < BOXES {
            let before = self.boxes.insert(name.to_owned(), SavedBox { run, used: false });
            self.hide_unused(before);
        }
    }

    fn use_box(&mut self, name: &str) {
        let Some(saved) = self.boxes.get_mut(name) else { return };
        saved.used = true;
        let run = saved.run.clone();
        self.put_run(&run);
    }

    /// Hides the text of boxes that are never printed.
    pub(super) fn finish_boxes(&mut self) {
        for saved in std::mem::take(&mut self.boxes).into_values() {
            self.hide_unused(Some(saved));
        }
    }

    fn hide_unused(&mut self, saved: Option<SavedBox>) {
        let Some(saved) = saved.filter(|saved| !saved.used) else {
            return;
        };
        let text = fold_space(&saved.run.text);
        if text.split_whitespace().count() >= FEWEST_WORDS || reads_like_an_instruction(&text) {
            self.hide(HiddenReason::InvisibleMode, &text);
        }
    }
}
