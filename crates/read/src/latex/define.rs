use super::expander::Parameter;
use super::reader::{Environment, LatexReader};
use super::theorem::Theorem;
use super::token::{Token, source_of};

/// Brightness of each colour, from 0 to 1 and from 0 to 255, at which text on paper is invisible.
const WHITE: f64 = 0.97;
const WHITE_OF_255: f64 = 248.0;
/// Maximum share of each printing ink at which text on paper is invisible.
const NO_INK: f64 = 0.03;

impl LatexReader<'_> {
    /// Handles a definition: of a macro, an environment, a theorem, a colour, a condition.
    pub(super) fn define(&mut self, name: &str) {
        match name {
            "newcommand" | "renewcommand" | "providecommand" | "DeclareRobustCommand" => {
                self.new_command(name == "providecommand")
            }
            "def" | "gdef" | "edef" | "xdef" => self.plain_definition(),
            "let" => self.let_command(),
            "NewDocumentCommand" | "RenewDocumentCommand" | "DeclareDocumentCommand" | "ProvideDocumentCommand" => {
                self.document_command()
            }
            "DeclareMathOperator" => {
                self.expander.star();
                let command = self.expander.command_name();
                let words = self.expander.argument();
                let body = [Token::Command("operatorname".into()), Token::Open]
                    .into_iter()
                    .chain(words)
                    .chain([Token::Close]);
                if let Some(command) = command {
                    self.expander.define(command, Vec::new(), body.collect());
                }
            }
            "DeclarePairedDelimiter" => {
                let command = self.expander.command_name();
                let (left, right) = (self.expander.argument(), self.expander.argument());
                let body = left.into_iter().chain([Token::Parameter(2)]).chain(right).collect();
                if let Some(command) = command {
                    self.expander
                        .define(command, vec![Parameter::Star, Parameter::Mandatory], body);
                }
            }
            "newenvironment" | "renewenvironment" => self.new_environment(),
            "NewEnviron" => {
                self.expander.argument();
                self.expander.optional();
                self.expander.optional();
                self.expander.argument();
                self.expander.optional();
            }
            "newtheorem" | "spnewtheorem" | "newmdtheoremenv" | "declaretheorem" => self.new_theorem(name),
            "newif" => {
                if let Some(condition) = self.expander.command_name() {
                    self.expander.declare_condition(&condition);
                    let flag = condition.trim_start_matches("if").to_owned();
                    self.set_flag(&flag, false);
                }
            }
            "definecolor" | "colorlet" => self.new_color(name),
            "futurelet" => {
                self.expander.argument();
            }
            _ => {}
        }
    }

    pub(super) fn set_flag(&mut self, flag: &str, value: bool) {
        if self.flags.len() < 1_000 && !flag.is_empty() {
            self.flags.insert(flag.to_owned(), value);
        }
    }

    fn new_command(&mut self, only_if_new: bool) {
        self.expander.star();
        let command = self.expander.command_name();
        let count = self.expander.optional().map(|tokens| source_of(&tokens));
        let count: usize = count.and_then(|count| count.trim().parse().ok()).unwrap_or(0).min(9);
        let default = if count > 0 { self.expander.optional() } else { None };
        let body = self.expander.argument();
        let mut parameters = vec![Parameter::Mandatory; count];
        if let (Some(default), Some(first)) = (default, parameters.first_mut()) {
            *first = Parameter::Optional(default);
        }
        if let Some(command) = command
            && !(only_if_new && self.expander.is_defined(&command))
        {
            self.expander.define(command, parameters, body);
        }
    }

    /// `\def\name#1#2{…}`. Definitions with other delimiters between the parameters are skipped, because supporting them needs a full TeX.
    fn plain_definition(&mut self) {
        let Some(Token::Command(command)) = self.expander.next() else {
            return;
        };
        let pattern = self.expander.until_open();
        let body = self.expander.argument();
        let plain = (1u8..)
            .zip(&pattern)
            .all(|(number, token)| *token == Token::Parameter(number));
        if plain {
            let parameters = vec![Parameter::Mandatory; pattern.len().min(9)];
            self.expander.define(command, parameters, body);
        }
    }

    fn let_command(&mut self) {
        let Some(Token::Command(command)) = self.expander.next() else {
            return;
        };
        let mut target = self.expander.next();
        while matches!(target, Some(Token::Char('=') | Token::Space)) {
            target = self.expander.next();
        }
        if let (Some(flag), Some(Token::Command(value))) = (command.strip_prefix("if"), &target)
            && matches!(&**value, "iftrue" | "iffalse")
        {
            self.expander.declare_condition(&command);
            self.set_flag(flag, &**value == "iftrue");
            return;
        }
        if let Some(target) = target {
            self.expander.alias(command, target);
        }
    }

    fn document_command(&mut self) {
        let command = self.expander.command_name();
        let takes = self.expander.argument();
        let body = self.expander.argument();
        let mut parameters = Vec::new();
        let mut tokens = takes.into_iter().peekable();
        while let Some(token) = tokens.next() {
            match token {
                Token::Char('m' | 'v') => parameters.push(Parameter::Mandatory),
                Token::Char('o') => parameters.push(Parameter::Optional(Vec::new())),
                Token::Char('s') => parameters.push(Parameter::Star),
                Token::Char('O') => {
                    let mut default = Vec::new();
                    if tokens.next_if_eq(&Token::Open).is_some() {
                        for token in tokens.by_ref() {
                            if token == Token::Close {
                                break;
                            }
                            default.push(token);
                        }
                    }
                    parameters.push(Parameter::Optional(default));
                }
                _ => {}
            }
        }
        parameters.truncate(9);
        if let Some(command) = command {
            self.expander.define(command, parameters, body);
        }
    }

    fn new_environment(&mut self) {
        self.expander.star();
        let name = self.expander.source_argument();
        let count = self.expander.optional().map(|tokens| source_of(&tokens));
        let count: usize = count.and_then(|count| count.trim().parse().ok()).unwrap_or(0).min(9);
        let default = if count > 0 { self.expander.optional() } else { None };
        let (begin, end) = (self.expander.argument(), self.expander.argument());
        if !super::environments::is_known(&name) && self.environments.len() < 1_000 {
            let mut parameters = vec![Parameter::Mandatory; count];
            if let (Some(default), Some(first)) = (default, parameters.first_mut()) {
                *first = Parameter::Optional(default);
            }
            self.environments.insert(name, Environment { parameters, begin, end });
        }
    }

    fn new_theorem(&mut self, name: &str) {
        self.expander.star();
        if name == "declaretheorem" {
            let options = self
                .expander
                .optional()
                .map(|tokens| source_of(&tokens))
                .unwrap_or_default();
            let environment = self.expander.source_argument();
            let word = options.split(',').find_map(|option| {
                option
                    .split_once('=')
                    .filter(|(key, _)| matches!(key.trim(), "name" | "title"))
            });
            let word = word.map_or_else(
                || capitalised(&environment),
                |(_, word)| word.trim_matches(['{', '}', ' ']).to_owned(),
            );
            self.theorems.insert(
                environment.clone(),
                Theorem {
                    word,
                    counter: Some(environment),
                },
            );
            return;
        }
        let environment = self.expander.source_argument();
        let shared = self
            .expander
            .optional()
            .map(|tokens| source_of(&tokens).trim().to_owned());
        let word = self.text_argument();
        self.expander.optional();
        if name == "spnewtheorem" {
            self.skip("mm");
        }
        let counter = shared
            .and_then(|shared| {
                self.theorems
                    .get(&shared)
                    .and_then(|theorem| theorem.counter.clone())
                    .or(Some(shared))
            })
            .unwrap_or_else(|| environment.clone());
        if self.theorems.len() < 1_000 && !word.is_empty() {
            self.theorems.insert(
                environment,
                Theorem {
                    word,
                    counter: Some(counter),
                },
            );
        }
    }

    fn new_color(&mut self, name: &str) {
        let color = self.expander.source_argument();
        let white = if name == "colorlet" {
            let base = self.expander.source_argument();
            self.white.contains(base.trim())
        } else {
            let (model, value) = (self.expander.source_argument(), self.expander.source_argument());
            is_white_value(&model, &value)
        };
        if white && self.white.len() < 1_000 {
            self.white.insert(color);
        } else {
            self.white.remove(&color);
        }
    }
}

/// Whether a colour is white or too close to it to be seen on paper.
pub(super) fn is_white_value(model: &str, value: &str) -> bool {
    let numbers: Vec<f64> = value.split(',').filter_map(|part| part.trim().parse().ok()).collect();
    match model.trim() {
        "rgb" => numbers.len() == 3 && numbers.iter().all(|part| *part >= WHITE),
        "RGB" => numbers.len() == 3 && numbers.iter().all(|part| *part >= WHITE_OF_255),
        "gray" => numbers.first().is_some_and(|part| *part >= WHITE),
        "cmyk" => numbers.len() == 4 && numbers.iter().all(|part| *part <= NO_INK),
        "HTML" => {
            value.len() == 6
                && u32::from_str_radix(value, 16).is_ok_and(|color| {
                    [color >> 16, (color >> 8) & 255, color & 255]
                        .iter()
                        .all(|part| *part >= 248)
                })
        }
        _ => false,
    }
}

fn capitalised(word: &str) -> String {
    let mut chars = word.chars();
    chars
        .next()
        .map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}
