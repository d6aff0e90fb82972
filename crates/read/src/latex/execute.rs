//! Long because every command is one arm of one dispatch.

use precedent_domain::{HiddenReason, ParagraphKind, SectionKind};

use super::commands::{Action, ReferenceForm};
use super::counters::Numbering;
use super::reader::{Group, LatexReader};
use super::sink::{NEW_BLOCK, Sink};
use super::token::{Token, source_of};
use crate::draft::Block;
use crate::format::{INVISIBLE, fold_space, reads_like_an_instruction};

/// Font size in points below which text is too small to read; the size of text in LaTeX documents starts at 5.
const TINY_POINTS: f64 = 3.0;
/// Factor of a `\scalebox` below which text is too small to read: 2.5 points for text of 10.
const TINY_SCALE: f64 = 0.25;

impl LatexReader<'_> {
    /// Executes a known command.
    pub(super) fn act(&mut self, name: &str, action: Action) {
        match action {
            Action::Skip(takes) => self.skip(takes),
            Action::After(takes) => {
                if matches!(name, "keywords" | "keyword" | "IEEEkeywords") {
                    self.keywords();
                } else {
                    self.skip(takes);
                    self.expander.skip_blank();
                }
            }
            Action::Section(level) => self.section(name, level),
            Action::Cite(form) => self.cite(form),
            Action::Reference(form) => self.reference(form),
            Action::Title => {
                self.expander.optional();
                let tokens = self.expander.argument();
                let run = self.render(tokens);
                if self.title.is_none() && !run.text.trim().is_empty() {
                    self.title = Some(run);
                }
            }
            Action::Subtitle => self.subtitle = Some(self.text_argument()),
            Action::Author => self.author(name),
            Action::Affiliation => self.affiliation(name),
            Action::Date => {
                let date = self.text_argument();
                self.date = Some(date).filter(|date| !date.is_empty());
            }
            Action::Abstract => self.abstract_command(),
            Action::Footnote => self.footnote(),
            Action::Caption => self.caption(name),
            Action::Color => self.color(name),
            Action::Size => self.size(name),
            Action::Phantom => {
                let text = self.text_argument();
                if reads_like_an_instruction(&text) {
                    self.hide(HiddenReason::InvisibleMode, &text);
                }
            }
            Action::Definition => self.define(name),
            Action::Link => {
                self.expander.optional();
                self.expander.argument();
            }
            Action::Text => {
                if name == "texorpdfstring" {
                    let tokens = self.expander.argument();
                    self.expander.argument();
                    self.expander.push_back(tokens);
                }
            }
            Action::Structure => self.structure(name),
        }
    }

    /// Skips the arguments of a command.
    pub(super) fn skip(&mut self, takes: &str) {
        for taken in takes.chars() {
            match taken {
                's' => {
                    self.expander.star();
                }
                'o' => {
                    self.expander.optional();
                }
                _ => {
                    self.expander.argument();
                }
            }
        }
    }

    fn section(&mut self, name: &str, level: u8) {
        let star = self.expander.star();
        let short = self.expander.optional();
        let tokens = self.expander.short_argument();
        let mut run = self.render(tokens);
        if run.text.trim().is_empty() {
            run.text = short.map(|short| self.render_text(short)).unwrap_or_default();
        }
        if level >= 4 {
            self.run_in(&run);
            return;
        }
        let level = if name == "part" {
            1
        } else {
            self.below_chapters(name, level)
        };
        if !star && name != "part" && !run.text.trim().is_empty() && self.is_writing() {
            let number = self.counters.next_section(level);
            let shift = number.len() + 1;
            run.text = format!("{number} {}", run.text.trim_start());
            for (range, _) in &mut run.citations {
                *range = range.start + shift..range.end + shift;
            }
        }
        if self.is_writing() {
            self.heading(run, level, None);
        }
    }

    /// In books and reports, a section is one level below a chapter.
    fn below_chapters(&mut self, name: &str, level: u8) -> u8 {
        if name == "chapter" {
            self.flags.insert("has chapters".to_owned(), true);
            return 1;
        }
        let shift = u8::from(self.flags.contains_key("has chapters"));
        (level + shift).min(3)
    }

    /// `\paragraph{Words}`: the words are printed at the start of the paragraph.
    fn run_in(&mut self, run: &Sink) {
        self.flush();
        self.put_run(run);
        if !run.text.trim().is_empty() {
            if !run.text.trim_end().ends_with(['.', ':', '?', '!']) {
                self.put('.');
            }
            self.put(' ');
        }
    }

    fn reference(&mut self, form: ReferenceForm) {
        self.expander.star();
        let keys = self.expander.source_argument();
        let mut printed = Vec::new();
        for key in keys.split(',') {
            if let Some((word, number)) = self.known.labels.get(key.trim()) {
                printed.push(match form {
                    ReferenceForm::Number => number.clone(),
                    ReferenceForm::Bracketed => format!("({number})"),
                    ReferenceForm::Named => fold_space(&format!("{word} {number}")),
                });
            }
        }
        self.put_text(&printed.join(", "));
    }

    pub(super) fn label(&mut self, key: &str) {
        if self.labels.len() < 20_000 && !key.is_empty() {
            self.labels.insert(key.to_owned(), self.counters.current.clone());
        }
    }

    fn abstract_command(&mut self) {
        let tokens = self.expander.argument();
        if tokens.is_empty() {
            return;
        }
        let was = std::mem::replace(&mut self.in_document, true);
        self.abstract_heading();
        self.expander.open_piece(tokens);
        self.depth += 1;
        self.read();
        self.depth -= 1;
        self.expander.close_piece();
        self.flush();
        self.abstract_end = self.abstract_end.or(Some(self.blocks.len()));
        self.in_document = was;
    }

    pub(super) fn abstract_heading(&mut self) {
        let appendix = std::mem::take(&mut self.in_appendix);
        self.plain_heading("Abstract", Some(SectionKind::Abstract));
        self.in_appendix = appendix;
    }

    fn keywords(&mut self) {
        // In some classes `\keyword` opens an environment; then no group follows.
        if self.expander.peek() != Some(Token::Open) {
            return;
        }
        let words = self.text_argument();
        self.push_keywords(&words);
    }

    pub(super) fn push_keywords(&mut self, words: &str) {
        if !words.is_empty() {
            let block = Block::new(ParagraphKind::FrontMatter, format!("Keywords: {words}"));
            self.waiting.push(block);
            if !self.sink.inline && self.sink.text.is_empty() {
                self.flush();
            }
        }
    }

    fn footnote(&mut self) {
        self.expander.optional();
        let tokens = self.expander.argument();
        let mut run = self.render(tokens);
        run.kind = ParagraphKind::Footnote;
        if self.is_writing() || self.sink.inline {
            self.waiting.extend(run.into_block());
        }
    }

    fn caption(&mut self, name: &str) {
        self.expander.star();
        if name == "captionof" {
            self.expander.argument();
        }
        self.expander.optional();
        let tokens = self.expander.argument();
        let run = self.render(tokens);
        let float = self
            .open
            .iter()
            .rev()
            .find_map(|open| super::environments::float_word(&open.name));
        let float = match name {
            "captionof" | "subcaption" => None,
            _ => float,
        };
        let mut caption = Sink::new(ParagraphKind::Caption, true);
        if let Some(word) = float.filter(|_| !self.in_subfloat()) {
            let number = self.counters.next(word, word);
            caption.text = format!("{word} {number}: ");
        }
        caption.put_run(&run);
        self.flush();
        if self.is_writing() {
            self.blocks
                .extend(caption.into_block().filter(|_| !run.text.trim().is_empty()));
        }
    }

    fn in_subfloat(&self) -> bool {
        self.open
            .iter()
            .rev()
            .take_while(|open| open.around.is_none())
            .any(|open| open.name.starts_with("sub"))
    }

    fn color(&mut self, name: &str) {
        let model = self.expander.optional().map(|tokens| source_of(&tokens));
        match name {
            "color" | "pagecolor" => {
                let color = self.expander.source_argument();
                if name == "color" {
                    let hidden = self
                        .is_white(&color, model.as_deref())
                        .then_some(HiddenReason::WhiteOnWhite);
                    self.set_state(Group { hidden, ..self.state });
                }
            }
            "colorbox" => {
                self.expander.argument();
                self.boxed();
            }
            "fcolorbox" => {
                self.expander.argument();
                self.expander.argument();
                self.boxed();
            }
            "transparent" | "texttransparent" => {
                let opacity: f64 = self.expander.source_argument().parse().unwrap_or(1.0);
                let hidden = (opacity < INVISIBLE).then_some(HiddenReason::InvisibleMode);
                if name == "transparent" {
                    self.set_state(Group { hidden, ..self.state });
                } else {
                    self.styled_argument(hidden);
                }
            }
            _ => {
                let color = self.expander.source_argument();
                let hidden = self
                    .is_white(&color, model.as_deref())
                    .then_some(HiddenReason::WhiteOnWhite);
                self.styled_argument(hidden);
            }
        }
    }

    /// Text on a coloured box is visible whatever its colour.
    fn boxed(&mut self) {
        let was = std::mem::replace(&mut self.in_table, true);
        let tokens = self.expander.argument();
        let run = self.render(tokens);
        self.in_table = was;
        self.put_run(&run);
    }

    fn styled_argument(&mut self, hidden: Option<HiddenReason>) {
        let Some(reason) = hidden else { return };
        let text = self.text_argument();
        self.hide(reason, &text);
    }

    /// Whether a colour makes text invisible. White text in tables is usually on a coloured cell and visible.
    fn is_white(&self, color: &str, model: Option<&str>) -> bool {
        if self.in_table {
            return false;
        }
        let color = color.trim();
        match model {
            None => self.white.contains(color) || color.eq_ignore_ascii_case("white!100"),
            Some(model) => super::define::is_white_value(model, color),
        }
    }

    fn size(&mut self, name: &str) {
        match name {
            "fontsize" => {
                let size = self.expander.source_argument();
                self.expander.argument();
                let digits: String = size.chars().take_while(|c| c.is_ascii_digit() || *c == '.').collect();
                let hidden = digits
                    .parse::<f64>()
                    .is_ok_and(|size| size < TINY_POINTS)
                    .then_some(HiddenReason::Tiny);
                self.set_state(Group { hidden, ..self.state });
            }
            "scalebox" => {
                let scale: f64 = self.expander.source_argument().parse().unwrap_or(1.0);
                self.expander.optional();
                self.styled_argument((scale.abs() < TINY_SCALE).then_some(HiddenReason::Tiny));
            }
            "resizebox" => self.skip("smm"),
            "tiny" => self.set_state(Group {
                tiny: !self.in_table,
                ..self.state
            }),
            _ => {
                let hidden = self.state.hidden.filter(|reason| *reason != HiddenReason::Tiny);
                self.set_state(Group { hidden, tiny: false });
            }
        }
    }

    fn structure(&mut self, name: &str) {
        match name {
            "begin" => self.begin(),
            "end" => self.end(),
            "item" => self.item(),
            "input" | "include" | "subfile" | "subfileinclude" => {
                let file = self.file_argument();
                self.expander.input(&file, &["tex"]);
            }
            "import" | "subimport" => {
                let folder = self.expander.source_argument();
                let file = self.expander.source_argument();
                self.expander
                    .input(&format!("{}/{file}", folder.trim_end_matches('/')), &["tex"]);
            }
            "endinput" => self.expander.end_input(),
            "makeatletter" => self.expander.set_at_is_letter(true),
            "makeatother" => self.expander.set_at_is_letter(false),
            "appendix" | "appendices" => self.start_appendix(),
            "label" => {
                let key = self.expander.source_argument();
                self.label(&key);
            }
            "verb" | "lstinline" | "mintinline" | "path" => self.verb(name),
            "url" | "nolinkurl" => self.url(),
            "(" => {
                let tex = self.math_until(|token, _| matches!(token, Token::Command(name) if &**name == ")"));
                self.inline_math(&tex);
            }
            "[" => {
                let tex = self.math_until(|token, _| matches!(token, Token::Command(name) if &**name == "]"));
                self.display(&tex);
            }
            "ensuremath" => {
                let tex = self.expander.source_argument();
                self.inline_math(&tex);
            }
            "newblock" => {
                self.put(' ');
                self.put(NEW_BLOCK);
                self.put(' ');
            }
            "tabularnewline" | "newline" | "linebreak" => {
                self.expander.optional();
                self.put(' ');
            }
            "documentclass" | "documentstyle" | "usepackage" | "RequirePackage" | "PassOptionsToPackage" => {
                self.package(name)
            }
            "acknowledgments" | "acknowledgements" | "acknowledgment" | "acknowledgement" | "ack" | "acks" => {
                self.plain_heading("Acknowledgements", Some(SectionKind::Acknowledgements));
            }
            "bye" => self.ended = true,
            "char" | "symbol" => self.char_code(),
            "twocolumn" | "onecolumn" => {
                if let Some(tokens) = self.expander.optional() {
                    self.expander.push_back(tokens);
                }
            }
            "sur" => self.put(' '),
            "inst" => {
                self.expander.argument();
            }
            "csname" => {
                self.expander.raw_until("endcsname");
            }
            _ => self.bibliography_command(name),
        }
    }

    fn file_argument(&mut self) -> String {
        if self.expander.peek() == Some(Token::Open) {
            return self.expander.source_argument();
        }
        // `\input name`, the plain TeX form.
        let mut name = String::new();
        while let Some(token) = self.expander.next() {
            match token {
                Token::Char(c) => name.push(c),
                Token::Sub => name.push('_'),
                Token::Space if name.is_empty() => {}
                other => {
                    self.expander.push_back(vec![other]);
                    break;
                }
            }
            if name.len() > 300 {
                break;
            }
        }
        name
    }

    fn start_appendix(&mut self) {
        self.flush();
        self.in_appendix = true;
        self.counters.start_appendix();
    }

    fn verb(&mut self, name: &str) {
        self.expander.star();
        if name != "verb" {
            self.expander.optional();
        }
        if name == "mintinline" {
            self.expander.argument();
        }
        let Some(mark) = self.expander.raw_char() else { return };
        let end = if mark == '{' { '}' } else { mark };
        let raw = self.expander.raw_until(&end.to_string());
        self.put_text(raw.lines().next().unwrap_or_default());
    }

    fn url(&mut self) {
        let url = self.expander.source_argument();
        // Source text has a space after each command; `\_` has none in a URL.
        let url = url
            .replace("\\_", "_")
            .replace("\\%", "%")
            .replace("\\#", "#")
            .replace("\\&", "&")
            .replace('\u{a0}', "~");
        self.put_text(url.trim());
    }

    fn char_code(&mut self) {
        let mut digits = String::new();
        while let Some(Token::Char(c)) = self.expander.peek() {
            if !c.is_ascii_digit() || digits.len() > 5 {
                break;
            }
            digits.push(c);
            self.expander.next();
        }
        if let Some(c) = digits.parse().ok().and_then(char::from_u32).filter(|c| !c.is_control()) {
            self.put(c);
        }
    }

    fn package(&mut self, name: &str) {
        let options = self
            .expander
            .optional()
            .map(|tokens| source_of(&tokens))
            .unwrap_or_default();
        let (options, names) = if name == "PassOptionsToPackage" {
            let options = self.expander.source_argument();
            (options, self.expander.source_argument())
        } else {
            (options, self.expander.source_argument())
        };
        for package in names.split(',').map(str::trim).filter(|package| !package.is_empty()) {
            let stem = package.rsplit('/').next().unwrap_or(package);
            if self.packages.len() < 1_000 {
                let known = self.packages.entry(stem.to_lowercase()).or_default();
                known.push(',');
                known.push_str(&options);
            }
            if name.starts_with("document")
                && (stem.starts_with("IEEE") || stem.starts_with("revtex") || stem.starts_with("apsrev"))
            {
                self.counters.numbering = Numbering::Roman;
            }
            // Only the author's own packages define useful macros; a venue's style is low-level layout code.
            if name == "usepackage" && !is_venue_style(stem) {
                self.expander.input(package, &["sty"]);
            }
        }
    }
}

fn is_venue_style(stem: &str) -> bool {
    let stem = stem.to_lowercase();
    [
        "neurips",
        "nips",
        "icml",
        "iclr",
        "acl",
        "emnlp",
        "naacl",
        "eacl",
        "coling",
        "cvpr",
        "iccv",
        "eccv",
        "aaai",
        "ijcai",
        "jmlr",
        "colm",
        "natbib",
        "algorithm",
        "times",
        "fancyhdr",
        "interspeech",
        "spconf",
        "wacv",
        "bmvc",
        "aistats",
        "uai",
        "pmlr",
        "llncs",
        "corl",
        "tacl",
        "lrec",
        "cogsci",
    ]
    .iter()
    .any(|word| stem.starts_with(word))
}
