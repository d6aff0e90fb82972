//! Conditions: those that `\fi` closes, and those of packages, whose branches are arguments.

use std::rc::Rc;

use super::commands::action;
use super::reader::LatexReader;
use super::symbols::symbol;
use super::token::{Token, source_of};

/// Conditions of TeX, its extensions and the packages that set flags, without `if`. All are closed by `\fi`.
const CLOSED_BY_FI: &str = " cat num dim odd vmode hmode mmode inner void hbox vbox x eof true false case defined csname fontchar incsname \
    pdfprimitive pdfabsnum pdfabsdim primitive absnum absdim condition pdf PDF pdftex PDFTeX xetex XeTeX luatex LuaTeX luahbtex LuaHBTeX etex \
    eTeX tex TeX ptex pTeX uptex upTeX vtex VTeX alephtex AlephTeX tutex TUTeX hint HINT ";

/// Conditions whose branches are arguments, by the number of arguments before the branches.
const WITH_BRANCHES: [(usize, &str); 3] = [
    (
        1,
        " ifthenelse ifboolexpr ifboolexpe iftoggle nottoggle ifbool notbool ifblank notblank ifstrempty ifdef ifundef ifcsdef ifcsundef \
         ifdefmacro ifcsmacro ifdefparam ifcsparam ifdefprotected ifcsprotected ifdefltxprotect ifcsltxprotect ifdefempty ifcsempty ifdefvoid \
         ifcsvoid ifdefcounter ifcscounter ifltxcounter ifdeflength ifcslength ifdefdimen ifcsdimen ifnumodd ifrmnum iflanguage ifcitation \
         ifcitekey ifpackageloaded ifclassloaded IfFileExists IfBooleanTF IfNoValueTF IfValueTF IfBlankTF IfPackageLoadedTF IfClassLoadedTF \
         @ifundefined @ifpackageloaded @ifclassloaded ltx@ifundefined ltx@IfUndefined ltx@ifpackageloaded ltx@ifclassloaded ltx@ifblank \
         ltx@ifempty ifltx@empty ",
    ),
    (
        2,
        " ifstrequal ifdefstring ifcsstring ifdefequal ifcsequal ifdefstrequal ifcsstrequal ifdefstrequal ifinlist xifinlist ifinlistcs \
         xifinlistcs ifnumequal ifnumgreater ifnumless ifdimequal ifdimgreater ifdimless IfStrEq IfSubStr IfBeginWith IfEndWith ",
    ),
    (3, " ifnumcomp ifdimcomp "),
];

/// Maximum consecutive groups after an unknown condition.
const GROUPS: usize = 6;

/// Whether `\fi` closes this command, whatever the paper defines.
pub(super) fn is_closed_by_fi(name: &str) -> bool {
    name == "if"
        || name
            .strip_prefix("if")
            .is_some_and(|flag| !flag.contains(' ') && contains_word(CLOSED_BY_FI, flag))
}

/// Number of arguments of a condition before its branches, if the branches are arguments.
pub(super) fn arguments_before_branches(name: &str) -> Option<usize> {
    WITH_BRANCHES
        .iter()
        .find(|(_, names)| contains_word(names, name))
        .map(|(count, _)| *count)
}

fn contains_word(words: &str, word: &str) -> bool {
    words.split_ascii_whitespace().any(|other| other == word)
}

/// Whether the command may be a condition that a class or package defines.
pub(super) fn may_be_condition(name: &str) -> bool {
    name.starts_with("if") && name != "iff" && name.len() > 2
}

impl LatexReader<'_> {
    /// Handles a condition or a command that sets a flag. Returns whether `name` is one.
    pub(super) fn condition(&mut self, name: &str) -> bool {
        if let Some(count) = arguments_before_branches(name) {
            self.choose(name, count);
        } else if self.sets_flag(name) {
        } else if self.expander.is_condition(name) {
            self.test(name);
        } else if may_be_condition(name) {
            if self.expander.peek() == Some(Token::Open) {
                self.choose_unknown();
            } else {
                self.test(name);
            }
        } else {
            return false;
        }
        true
    }

    fn sets_flag(&mut self, name: &str) -> bool {
        match name {
            "toggletrue" | "booltrue" | "togglefalse" | "boolfalse" => {
                let flag = self.expander.source_argument();
                self.set_flag(&flag, name.ends_with("true"));
            }
            "settoggle" | "setbool" | "setboolean" => {
                let flag = self.expander.source_argument();
                let value = self.expander.source_argument();
                self.set_flag(&flag, value.eq_ignore_ascii_case("true"));
            }
            "newtoggle" | "newbool" | "providetoggle" | "providebool" | "newboolean" | "provideboolean" => {
                let flag = self.expander.source_argument();
                if !self.flags.contains_key(&flag) {
                    self.set_flag(&flag, false);
                }
            }
            _ => {
                let set = [("true", true), ("false", false)].into_iter().find_map(|(end, value)| {
                    let flag = name.strip_suffix(end)?;
                    self.flags.contains_key(flag).then(|| (flag.to_owned(), value))
                });
                let Some((flag, value)) = set else { return false };
                self.set_flag(&flag, value);
            }
        }
        true
    }

    /// A condition that `\fi` closes. Conditions set by the paper itself are evaluated. For others the second branch is used, because most test for
    /// a TeX engine that this reader is not.
    fn test(&mut self, name: &str) {
        let flag = name.strip_prefix("if").unwrap_or(name);
        let known = match flag {
            "true" => Some(true),
            "false" => Some(false),
            "defined" => {
                let command = self.expander.argument();
                Some(matches!(command.first(), Some(Token::Command(command)) if self.expander.is_defined(command)))
            }
            other => self.flags.get(other).copied(),
        };
        let holds = known.unwrap_or(self.prefers_first);
        if holds {
            if known.is_none() {
                self.skip_test(flag);
            }
            return;
        }
        // The branch not taken was skipped; `\else` opens the other one.
        let skipped = self.expander.skip_branch(true, flag != "false");
        if known.is_none() {
            self.undecided += skipped;
        }
    }

    /// Skips what an unevaluated condition compares.
    fn skip_test(&mut self, flag: &str) {
        match flag {
            "" | "x" | "cat" => {
                self.expander.argument();
                self.expander.argument();
            }
            "num" | "dim" | "odd" | "case" | "void" | "hbox" | "vbox" | "eof" => {
                // `\ifnum\value{x}>0 `: to the space or command after the last number.
                let mut compared = !matches!(flag, "num" | "dim");
                for _ in 0..60 {
                    match self.expander.next() {
                        Some(Token::Char('<' | '>' | '=')) => compared = true,
                        Some(Token::Space) if compared => return,
                        Some(token @ (Token::Par | Token::Close)) => {
                            self.expander.push_back(vec![token]);
                            return;
                        }
                        Some(Token::Command(name)) if compared && &*name == "relax" => return,
                        None => return,
                        Some(_) => {}
                    }
                }
            }
            "csname" => {
                self.expander.raw_until("endcsname");
            }
            _ => {}
        }
    }

    /// `\ifthenelse{test}{then}{else}` and similar commands.
    fn choose(&mut self, name: &str, count: usize) {
        let tests: Vec<Vec<Token>> = (0..count).map(|_| self.expander.argument()).collect();
        let known = self.evaluate(name, &tests);
        let (then, otherwise) = (self.expander.argument(), self.expander.argument());
        let holds = known.unwrap_or(self.prefers_first);
        let (taken, left) = if holds { (then, otherwise) } else { (otherwise, then) };
        if known.is_none() {
            self.undecided += left.len();
        }
        self.expander.push_back(taken);
    }

    /// An unknown condition before groups: the last group that is not empty.
    fn choose_unknown(&mut self) {
        let mut groups = Vec::new();
        while groups.len() < GROUPS && self.expander.peek() == Some(Token::Open) {
            groups.push(self.expander.argument());
        }
        let is_blank = |group: &Vec<Token>| group.iter().all(|token| matches!(token, Token::Space | Token::Par));
        let last = groups.iter().rposition(|group| !is_blank(group));
        let at = match last {
            Some(last) if self.prefers_first && groups.len() > 1 => last.min(groups.len() - 2),
            Some(last) => last,
            None => return,
        };
        if at < groups.len() {
            let taken = groups.swap_remove(at);
            self.undecided += groups.iter().map(Vec::len).sum::<usize>();
            self.expander.push_back(taken);
        }
    }

    /// Whether a test holds; `None` if this reader cannot decide.
    fn evaluate(&mut self, name: &str, tests: &[Vec<Token>]) -> Option<bool> {
        let first = tests.first()?;
        let source = source_of(first).trim().to_owned();
        let named = |reader: &Self, name: &str| reader.is_defined(name);
        let command = match first.first() {
            Some(Token::Command(name)) => Some(Rc::clone(name)),
            _ => None,
        };
        match name {
            "ifthenelse" => self.evaluate_test(first),
            "iftoggle" | "ifbool" => Some(self.flags.get(&source).copied().unwrap_or(false)),
            "nottoggle" | "notbool" => Some(!self.flags.get(&source).copied().unwrap_or(false)),
            "ifblank" | "ifstrempty" | "IfBlankTF" | "ltx@ifblank" | "ltx@ifempty" => Some(source.is_empty()),
            "notblank" => Some(!source.is_empty()),
            "ifboolexpr" | "ifboolexpe" => {
                let (kind, flag) = source.split_once('{')?;
                let flag = flag.strip_suffix('}').filter(|flag| !flag.contains(['{', '}']))?;
                let value = self.flags.get(flag.trim()).copied().unwrap_or(false);
                match kind.trim() {
                    "bool" | "togl" => Some(value),
                    "not bool" | "not togl" => Some(!value),
                    _ => None,
                }
            }
            "ifdef" | "ifdefmacro" => Some(named(self, &command?)),
            "ifundef" => Some(!named(self, &command?)),
            "ifcsdef" | "ifcsmacro" => Some(named(self, &source)),
            "ifcsundef" | "@ifundefined" | "ltx@ifundefined" | "ltx@IfUndefined" => Some(!named(self, &source)),
            "ifdefempty" | "ifdefvoid" => {
                command?;
                Some(self.render_text(first.clone()).is_empty())
            }
            "ifdefstring" => Some(self.render_text(first.clone()) == source_of(tests.get(1)?).trim()),
            "ifstrequal" => Some(source == source_of(tests.get(1)?).trim()),
            "IfStrEq" => Some(self.render_text(first.clone()) == self.render_text(tests.get(1)?.clone())),
            "ifnumequal" | "ifnumgreater" | "ifnumless" => {
                let relation = match name {
                    "ifnumequal" => '=',
                    "ifnumgreater" => '>',
                    _ => '<',
                };
                compare(&source, relation, &source_of(tests.get(1)?))
            }
            "ifnumcomp" => {
                let relation = source_of(tests.get(1)?).trim().chars().next()?;
                compare(&source, relation, &source_of(tests.get(2)?))
            }
            _ => None,
        }
    }

    /// The test of `\ifthenelse`, if it is a single comparison.
    fn evaluate_test(&mut self, test: &[Token]) -> Option<bool> {
        let test: Vec<Token> = test
            .iter()
            .skip_while(|token| **token == Token::Space)
            .cloned()
            .collect();
        let Some(Token::Command(name)) = test.first().cloned() else {
            let source = source_of(&test);
            let at = source.find(['<', '>', '='])?;
            let relation = source.get(at..)?.chars().next()?;
            return compare(source.get(..at)?, relation, source.get(at + 1..)?);
        };
        let rest = test.get(1..).unwrap_or_default().to_vec();
        if matches!(&*name, "NOT" | "not") {
            return self.evaluate_test(&rest).map(|holds| !holds);
        }
        let source = source_of(&rest);
        if ["\\AND", "\\OR", "\\and", "\\or"]
            .iter()
            .any(|word| source.contains(word))
        {
            return None;
        }
        self.expander.open_piece(rest);
        let (first, second) = (self.expander.argument(), self.expander.argument());
        self.expander.close_piece();
        match &*name {
            "boolean" => Some(self.flags.get(source_of(&first).trim()).copied().unwrap_or(false)),
            "equal" => Some(self.render_text(first) == self.render_text(second)),
            _ => None,
        }
    }

    fn is_defined(&self, name: &str) -> bool {
        self.expander.is_defined(name) || action(name).is_some() || symbol(name).is_some()
    }
}

fn compare(left: &str, relation: char, right: &str) -> Option<bool> {
    let (left, right): (i64, i64) = (left.trim().parse().ok()?, right.trim().parse().ok()?);
    match relation {
        '=' => Some(left == right),
        '<' => Some(left < right),
        '>' => Some(left > right),
        _ => None,
    }
}
