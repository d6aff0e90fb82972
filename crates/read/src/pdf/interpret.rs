//! Interprets the content stream of a page and records each glyph with its position, size, look and visibility.
//!
//! Long because the interpreter is one state machine over the operators of a page.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock};

use lopdf::{Dictionary, Object, ObjectId};

use super::content::{Lexer, Operand, Token};
use super::cover::{Covers, Outline};
use super::font::{Decoded, Font};
use super::glyph::{Glyph, PageGlyphs};
use super::matrix::{Matrix, Rect};
use super::objects::Pdf;
use super::paint::{BLACK, Colour, Space, Surface};
use super::show::clean_characters;
use super::sight::{Ink, frame, turn};
use crate::budget::ReadResource;

/// Maximum operators executed per page.
const OPERATOR_LIMIT: usize = 4_000_000;

/// Maximum glyphs read per page, invisible ones included.
pub(super) const GLYPH_LIMIT: usize = 250_000;

/// Maximum bytes of characters read per page.
const TEXT_LIMIT: usize = 4 << 20;

/// Cost of an operator, in steps.
const OPERATOR_STEPS: usize = 8;

/// Comparisons of glyphs with surfaces after which the budget is checked inside a string. Each is one step.
const COMPARED_AT_ONCE: usize = 1 << 16;

/// Maximum nesting of marked content.
const MARK_DEPTH: usize = 1_024;

/// Maximum nesting of forms.
pub(super) const FORM_DEPTH: usize = 10;

/// Loaded fonts by object. Each font is loaded only once, by whichever page needs it first, so that the budget counts it once.
pub(super) type FontCache = Mutex<HashMap<ObjectId, Arc<OnceLock<Arc<Font>>>>>;

#[derive(Clone)]
struct GraphicsState {
    matrix: Matrix,
    clip: Rect,
    /// Whether `clip` is the exact clipping region, not only its bounds.
    clip_is_exact: bool,
    fill: Colour,
    space: Space,
    /// Whether the fill is a pattern, which may have gaps.
    patterned: bool,
    alpha: f64,
    /// Whether paint replaces what is below it: no blend mode and no soft mask.
    replaces: bool,
    font: Option<Arc<Font>>,
    size: f64,
    character_spacing: f64,
    word_spacing: f64,
    stretch: f64,
    leading: f64,
    rise: f64,
    mode: u8,
}

/// Content stream interpreter.
pub(super) struct Interpreter<'a> {
    pdf: &'a Pdf,
    fonts: &'a FontCache,
    /// Optional content that is switched off.
    off: &'a [ObjectId],
    page: PageGlyphs,
    surface: Surface,
    state: GraphicsState,
    saved: Vec<GraphicsState>,
    text_matrix: Matrix,
    line_matrix: Matrix,
    path: Rect,
    outline: Outline,
    covers: Covers,
    /// Whether the current form is drawn through a transparent state.
    veiled: bool,
    pending_clip: bool,
    /// For every open marked content: whether it is switched off, and whether it is a running header or footer.
    marks: Vec<(bool, bool)>,
    operators: usize,
    depth: usize,
    figure: bool,
}

impl<'a> Interpreter<'a> {
    /// Prepares a page with this box, displayed with a clockwise rotation of `rotation` degrees.
    pub(super) fn new(pdf: &'a Pdf, fonts: &'a FontCache, off: &'a [ObjectId], page_box: Rect, rotation: i32) -> Self {
        let (matrix, width, height) = frame(page_box, rotation);
        let clip = Rect::EVERYWHERE;
        Self {
            pdf,
            fonts,
            off,
            page: PageGlyphs {
                width,
                height,
                ..PageGlyphs::default()
            },
            surface: Surface::default(),
            state: GraphicsState {
                matrix,
                clip,
                clip_is_exact: true,
                fill: BLACK,
                space: Space::Gray,
                patterned: false,
                alpha: 1.0,
                replaces: true,
                font: None,
                size: 1.0,
                character_spacing: 0.0,
                word_spacing: 0.0,
                stretch: 1.0,
                leading: 0.0,
                rise: 0.0,
                mode: 0,
            },
            saved: Vec::new(),
            text_matrix: Matrix::IDENTITY,
            line_matrix: Matrix::IDENTITY,
            path: Rect::EMPTY,
            outline: Outline::default(),
            covers: Covers::default(),
            veiled: false,
            pending_clip: false,
            marks: Vec::new(),
            operators: 0,
            depth: 0,
            figure: false,
        }
    }

    pub(super) fn finish(mut self) -> PageGlyphs {
        let budget = &self.pdf.budget;
        self.covers
            .hide_covered(&mut self.page, |steps| budget.spend(ReadResource::Steps, steps));
        self.page
    }

    /// Runs a content stream with these resources.
    pub(super) fn run(&mut self, content: &[u8], resources: Option<&'a Dictionary>) {
        let mut lexer = Lexer::new(content);
        let mut operands: Vec<Operand<'_>> = Vec::with_capacity(8);
        while let Some(token) = lexer.next_token() {
            match token {
                Token::Operand(operand) => {
                    if operands.len() < 256 {
                        operands.push(operand);
                    }
                }
                Token::Operator(operator) => {
                    self.operators += 1;
                    let within = self.pdf.budget.spend(ReadResource::Steps, OPERATOR_STEPS);
                    if !within || self.operators > OPERATOR_LIMIT || self.is_full() {
                        self.page.cut = true;
                        return;
                    }
                    self.operator(operator, &operands, resources);
                    operands.clear();
                }
                Token::InlineImage => {
                    self.image();
                    operands.clear();
                }
            }
        }
    }

    /// Whether the page exceeds the glyph or text limit.
    fn is_full(&self) -> bool {
        self.page.count() > GLYPH_LIMIT || self.page.text.len() > TEXT_LIMIT
    }

    fn operator(&mut self, operator: &[u8], operands: &[Operand<'_>], resources: Option<&'a Dictionary>) {
        match operator {
            b"q" => {
                if self.saved.len() < 512 {
                    self.saved.push(self.state.clone());
                }
            }
            b"Q" => {
                if let Some(state) = self.saved.pop() {
                    self.state = state;
                }
            }
            b"cm" => {
                if let Some(matrix) = matrix(operands) {
                    self.state.matrix = matrix.then(self.state.matrix);
                }
            }
            b"gs" => self.graphics_state(operands, resources),
            b"Do" => self.draw(operands, resources),
            b"BMC" => self.push_mark(false, false),
            b"BDC" => self.begin_mark(operands, resources),
            b"EMC" => {
                self.marks.pop();
            }
            b"sh" => {
                let clip = self.state.clip;
                self.surface.fill(clip, None);
            }
            _ => {
                if !self.text_operator(operator, operands, resources)
                    && !self.colour_operator(operator, operands, resources)
                {
                    self.path_operator(operator, operands);
                }
            }
        }
    }

    fn text_operator(&mut self, operator: &[u8], operands: &[Operand<'_>], resources: Option<&'a Dictionary>) -> bool {
        let number = |at: usize| operands.get(at).and_then(Operand::number);
        match operator {
            b"BT" => {
                self.text_matrix = Matrix::IDENTITY;
                self.line_matrix = Matrix::IDENTITY;
            }
            b"ET" => {}
            b"Tf" => {
                if let Some(name) = operands.first().and_then(Operand::name) {
                    self.state.font = self.font(name, resources);
                }
                if let Some(size) = number(1) {
                    self.state.size = size;
                }
            }
            b"Tc" => self.state.character_spacing = number(0).unwrap_or(0.0),
            b"Tw" => self.state.word_spacing = number(0).unwrap_or(0.0),
            b"Tz" => self.state.stretch = number(0).unwrap_or(100.0) / 100.0,
            b"TL" => self.state.leading = number(0).unwrap_or(0.0),
            b"Ts" => self.state.rise = number(0).unwrap_or(0.0),
            b"Tr" => {
                let mode = number(0).and_then(super::encoding::to_code);
                self.state.mode = mode.unwrap_or(0);
            }
            b"Td" => self.move_line(number(0), number(1)),
            b"TD" => {
                self.state.leading = -number(1).unwrap_or(0.0);
                self.move_line(number(0), number(1));
            }
            b"Tm" => {
                if let Some(matrix) = matrix(operands) {
                    self.text_matrix = matrix;
                    self.line_matrix = matrix;
                }
            }
            b"T*" => self.next_line(),
            b"Tj" => self.show_operand(operands.first()),
            b"'" => {
                self.next_line();
                self.show_operand(operands.first());
            }
            b"\"" => {
                self.state.word_spacing = number(0).unwrap_or(0.0);
                self.state.character_spacing = number(1).unwrap_or(0.0);
                self.next_line();
                self.show_operand(operands.get(2));
            }
            b"TJ" => {
                if let Some(Operand::Array(items)) = operands.first() {
                    for item in items {
                        if let Some(back) = item.number() {
                            let shift = -back / 1000.0 * self.state.size * self.state.stretch;
                            self.text_matrix = Matrix::translate(shift, 0.0).then(self.text_matrix);
                        } else {
                            self.show_operand(Some(item));
                        }
                    }
                }
            }
            _ => return false,
        }
        true
    }

    fn move_line(&mut self, x: Option<f64>, y: Option<f64>) {
        self.line_matrix = Matrix::translate(x.unwrap_or(0.0), y.unwrap_or(0.0)).then(self.line_matrix);
        self.text_matrix = self.line_matrix;
    }

    fn next_line(&mut self) {
        self.move_line(Some(0.0), Some(-self.state.leading));
    }

    fn colour_operator(
        &mut self,
        operator: &[u8],
        operands: &[Operand<'_>],
        resources: Option<&'a Dictionary>,
    ) -> bool {
        let numbers = || operands.iter().filter_map(Operand::number).collect::<Vec<f64>>();
        let (space, colour) = match operator {
            b"g" => (Space::Gray, Space::Gray.colour(&numbers())),
            b"rg" => (Space::Rgb, Space::Rgb.colour(&numbers())),
            b"k" => (Space::Cmyk, Space::Cmyk.colour(&numbers())),
            b"cs" => {
                let name = operands.first().and_then(Operand::name).unwrap_or_default();
                let space = Space::named(self.pdf, resources, name);
                (space, space.initial())
            }
            b"sc" | b"scn" => {
                self.state.patterned = operands.last().and_then(Operand::name).is_some();
                self.state.fill = self.state.space.colour(&numbers());
                return true;
            }
            b"G" | b"RG" | b"K" | b"CS" | b"SC" | b"SCN" => return true,
            _ => return false,
        };
        self.state.space = space;
        self.state.fill = colour;
        self.state.patterned = false;
        true
    }

    fn path_operator(&mut self, operator: &[u8], operands: &[Operand<'_>]) {
        match operator {
            b"m" | b"l" | b"c" | b"v" | b"y" => {
                let mut end = None;
                for pair in operands.chunks_exact(2) {
                    if let [Operand::Number(x), Operand::Number(y)] = pair {
                        let (x, y) = self.state.matrix.apply(*x, *y);
                        self.path.include(x, y);
                        end = Some((x, y));
                    }
                }
                match (operator, end) {
                    (b"m", Some(point)) => self.outline.start(point),
                    (b"l", Some(point)) => self.outline.line_to(point),
                    _ => self.outline.curve(),
                }
            }
            b"re" => {
                let numbers: Vec<f64> = operands.iter().filter_map(Operand::number).collect();
                if let [x, y, width, height] = numbers.as_slice() {
                    let corners = [(*x, *y), (x + width, *y), (x + width, y + height), (*x, y + height)];
                    let corners = corners.map(|(x, y)| self.state.matrix.apply(x, y));
                    for (x, y) in corners {
                        self.path.include(x, y);
                    }
                    self.outline.rectangle(corners);
                }
            }
            b"W" | b"W*" => self.pending_clip = true,
            b"f" | b"F" | b"f*" | b"B" | b"B*" | b"b" | b"b*" => {
                let painted = self.path.intersect(self.state.clip);
                let colour = self.state.fill.filter(|_| self.state.alpha > 0.5);
                if self.state.alpha > 0.1 {
                    self.surface.fill(painted, colour);
                }
                self.cover();
                self.end_path(true);
            }
            b"S" | b"s" => self.end_path(true),
            b"n" => self.end_path(false),
            _ => {}
        }
    }

    /// Records the filled shapes that hide what was drawn below them.
    fn cover(&mut self) {
        let state = &self.state;
        let is_opaque = state.alpha > 0.98 && state.replaces && !state.patterned && !self.veiled;
        if is_opaque && state.clip_is_exact && !self.marks.iter().any(|(off, _)| *off) {
            for shape in self.outline.rectangles() {
                self.covers.add(shape.intersect(state.clip));
            }
        }
    }

    fn end_path(&mut self, painted: bool) {
        let path = self.path;
        let outline = std::mem::take(&mut self.outline);
        if painted && path.height() < 2.5 && path.width() > 18.0 && self.page.rules.len() < 5_000 {
            self.page.rules.push(path);
        }
        if std::mem::take(&mut self.pending_clip) {
            // An empty clipping path hides everything, but programs write such paths by mistake, so only non-empty ones count.
            if path.width() > 0.0 && path.height() > 0.0 {
                self.state.clip = self.state.clip.intersect(path);
                self.state.clip_is_exact &= matches!(outline.rectangles(), [_]);
            }
        }
        self.path = Rect::EMPTY;
    }

    fn graphics_state(&mut self, operands: &[Operand<'_>], resources: Option<&'a Dictionary>) {
        let pdf = self.pdf;
        let state = operands
            .first()
            .and_then(Operand::name)
            .and_then(|name| pdf.dictionary(pdf.dictionary(resources?, b"ExtGState")?, name));
        let Some(state) = state else { return };
        if let Some(alpha) = pdf.number(state, b"ca") {
            self.state.alpha = alpha;
        }
        let plain = |key: &[u8], names: &[&[u8]]| match state.get(key).map(|value| pdf.resolve(value)) {
            Ok(value) => Some(value.as_name().is_ok_and(|name| names.contains(&name))),
            Err(_) => None,
        };
        // A state that sets only one of the two leaves the other as it is; taking it as reset would cover text that is visible.
        let blends = plain(b"BM", &[b"Normal", b"Compatible"]);
        let masks = plain(b"SMask", &[b"None"]);
        self.state.replaces = match (blends, masks) {
            (None, None) => self.state.replaces,
            (Some(one), Some(other)) => one && other,
            (Some(one), None) | (None, Some(one)) => one && self.state.replaces,
        };
        if let Some([font, size]) = pdf.array(state, b"Font") {
            self.state.font = self.load_font(font);
            self.state.size = pdf.as_number(size).unwrap_or(self.state.size);
        }
    }

    fn begin_mark(&mut self, operands: &[Operand<'_>], resources: Option<&'a Dictionary>) {
        let tag = operands.first().and_then(Operand::name).unwrap_or_default();
        let mut off = false;
        let mut pagination = false;
        match operands.get(1) {
            Some(Operand::Name(name)) if tag == b"OC" => {
                off = resources
                    .and_then(|resources| self.pdf.dictionary(resources, b"Properties"))
                    .is_some_and(|properties| self.is_off(properties, name));
            }
            Some(Operand::Dictionary(entries)) if tag == b"Artifact" => {
                pagination = entries
                    .iter()
                    .any(|(key, value)| key.as_ref() == b"Type" && value.name() == Some(b"Pagination"));
            }
            _ => {}
        }
        self.push_mark(off, pagination);
    }

    fn push_mark(&mut self, off: bool, pagination: bool) {
        if self.marks.len() < MARK_DEPTH {
            self.marks.push((off, pagination));
        }
    }

    fn is_off(&self, properties: &Dictionary, name: &[u8]) -> bool {
        match properties.get(name) {
            Ok(Object::Reference(id)) => {
                self.off.contains(id)
                    || self
                        .pdf
                        .document
                        .get_dictionary(*id)
                        .ok()
                        .filter(|group| group.has_type(b"OCMD"))
                        .and_then(|group| group.get(b"OCGs").ok()?.as_reference().ok())
                        .is_some_and(|id| self.off.contains(&id))
            }
            _ => false,
        }
    }

    fn image(&mut self) {
        let unit = Rect {
            x0: 0.0,
            y0: 0.0,
            x1: 1.0,
            y1: 1.0,
        };
        let place = self.state.matrix.bounds(unit).intersect(self.state.clip);
        if !place.is_empty() {
            self.surface.fill(place, None);
            if self.page.images.len() < 5_000 {
                self.page.images.push(place);
            }
        }
    }

    fn draw(&mut self, operands: &[Operand<'_>], resources: Option<&'a Dictionary>) {
        let pdf = self.pdf;
        let stream = operands
            .first()
            .and_then(Operand::name)
            .and_then(|name| pdf.stream(pdf.dictionary(resources?, b"XObject")?, name));
        let Some(stream) = stream else { return };
        match pdf.name(&stream.dict, b"Subtype") {
            Some(b"Image") => self.image(),
            Some(b"Form") if self.depth < FORM_DEPTH => {
                if stream
                    .dict
                    .get(b"OC")
                    .ok()
                    .and_then(|group| group.as_reference().ok())
                    .is_some_and(|id| self.off.contains(&id))
                {
                    return;
                }
                let Some(content) = pdf.unpack(stream) else { return };
                let kept = self.state.clone();
                let depth_of_saved = self.saved.len();
                let was_figure = self.figure;
                let was_veiled = self.veiled;
                self.veiled |= self.state.alpha <= 0.98 || !self.state.replaces;
                let matrices = (self.text_matrix, self.line_matrix);
                if let Some([a, b, c, d, e, f]) = pdf.numbers(&stream.dict, b"Matrix").as_deref() {
                    self.state.matrix = Matrix([*a, *b, *c, *d, *e, *f]).then(self.state.matrix);
                }
                if let Some(bounds) = pdf.rect(&stream.dict, b"BBox") {
                    let place = self.state.matrix.bounds(bounds);
                    self.state.clip = self.state.clip.intersect(place);
                    self.state.clip_is_exact &= self.state.matrix.is_upright();
                    let page = self.page.width * self.page.height;
                    self.figure |= place.area() < page * 0.7;
                }
                let own = pdf.dictionary(&stream.dict, b"Resources").or(resources);
                self.depth += 1;
                self.run(&content, own);
                self.depth -= 1;
                self.figure = was_figure;
                self.veiled = was_veiled;
                self.saved.truncate(depth_of_saved);
                (self.text_matrix, self.line_matrix) = matrices;
                self.state = kept;
            }
            _ => {}
        }
    }

    fn font(&self, name: &[u8], resources: Option<&'a Dictionary>) -> Option<Arc<Font>> {
        let fonts = self.pdf.dictionary(resources?, b"Font")?;
        self.load_font(fonts.get(name).ok()?)
    }

    fn load_font(&self, object: &Object) -> Option<Arc<Font>> {
        let dictionary = self.pdf.resolve(object).as_dict().ok()?;
        let load = || Arc::new(Font::load(self.pdf, dictionary));
        let Ok(id) = object.as_reference() else {
            return Some(load());
        };
        let place = Arc::clone(self.fonts.lock().ok()?.entry(id).or_default());
        Some(Arc::clone(place.get_or_init(load)))
    }

    fn show_operand(&mut self, operand: Option<&Operand<'_>>) {
        let Some(bytes) = operand.and_then(Operand::string) else {
            return;
        };
        let Some(font) = self.state.font.clone() else { return };
        let off = self.marks.iter().any(|(off, _)| *off);
        let pagination = self.marks.iter().any(|(_, pagination)| *pagination);
        let (glyphs, characters) = (self.page.count(), self.page.text.len());
        font.decode(bytes, |decoded, text| {
            self.glyph(&font, decoded, text, off, pagination);
            let compared = self.surface.compared();
            if compared >= COMPARED_AT_ONCE {
                self.surface.forget_compared();
                if !self.pdf.budget.spend(ReadResource::Steps, compared) {
                    return false;
                }
            }
            !self.is_full()
        });
        let budget = &self.pdf.budget;
        budget.spend(ReadResource::Glyphs, self.page.count() - glyphs);
        budget.spend(ReadResource::GlyphText, self.page.text.len() - characters);
    }

    fn glyph(&mut self, font: &Font, decoded: Decoded, text: &str, off: bool, pagination: bool) {
        let state = &self.state;
        let frame = Matrix([state.size * state.stretch, 0.0, 0.0, state.size, 0.0, state.rise])
            .then(self.text_matrix)
            .then(state.matrix);
        let [a, b, c, d, x, y] = frame.0;
        let (end_x, end_y) = frame.apply(decoded.width, 0.0);
        let mut advance = decoded.width * state.size + state.character_spacing;
        if decoded.spaced {
            advance += state.word_spacing;
        }
        self.text_matrix = Matrix::translate(advance * state.stretch, 0.0).then(self.text_matrix);
        if ![x, y, end_x, end_y].iter().all(|value| value.is_finite()) {
            return;
        }
        let size = c.hypot(d) * font.em;
        let start = self.page.text.len();
        clean_characters(text, &mut self.page.text);
        if decoded.unmapped {
            self.page.unmapped += 1;
        }
        if self.page.text.len() == start {
            return;
        }
        let ink = Ink {
            mode: state.mode,
            alpha: state.alpha,
            fill: state.fill,
            clip: state.clip,
            off,
        };
        let glyph = Glyph {
            text: start..self.page.text.len(),
            x0: x,
            x1: end_x,
            y,
            size,
            look: font.look,
            figure: self.figure,
            pagination,
        };
        let centre = (f64::midpoint(x, end_x), f64::midpoint(y, end_y) + 0.25 * d * font.em);
        let behind = self.surface.painted();
        let reason = self.page.reason_unseen(&self.surface, behind, &ink, size, centre);
        if reason.is_none() {
            self.covers.drawn(centre, size, turn(a, b).is_some());
        }
        self.page.place(glyph, (end_x, end_y), turn(a, b), reason);
    }
}

fn matrix(operands: &[Operand<'_>]) -> Option<Matrix> {
    let numbers: Vec<f64> = operands.iter().filter_map(Operand::number).collect();
    Some(Matrix(numbers.try_into().ok()?))
}
