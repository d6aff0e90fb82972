//! Fonts: decoding of shown strings, glyph widths, and the look of the font.

use std::collections::HashMap;

use lopdf::{Dictionary, Object};

use super::cmap::{self, CMap};
use super::encoding::{self, CodeTable};
use super::font_widths::StandardFont;
use super::look::Look;
use super::objects::Pdf;
use super::truetype;
use crate::budget::ReadResource;

/// Maximum entries read from a differences array: codes and names. A font has 256 codes.
const DIFFERENCES: usize = 4_096;

/// Cost of looking up a glyph name, in steps.
const NAME_STEPS: usize = 500;

/// A font of the document.
#[derive(Debug)]
pub(super) struct Font {
    pub(super) look: Look,
    /// Horizontal scale from glyph space to text space: 1/1000 except for Type 3.
    scale: f64,
    /// Height of the em in text space at size 1: 1 except for bitmap fonts.
    pub(super) em: f64,
    codes: Codes,
    /// Characters from `ToUnicode`; empty if there is no such map.
    to_unicode: CMap,
}

#[derive(Debug)]
enum Codes {
    Simple {
        table: Box<CodeTable>,
        widths: Box<[Option<f64>; 256]>,
        missing: Missing,
    },
    Composite {
        encoding: CMap,
        /// Whether codes are themselves UTF-16.
        utf16: bool,
        /// Characters by CID, from the font program.
        from_program: HashMap<u32, char>,
        widths: HashMap<u32, f64>,
        default_width: f64,
    },
}

/// Fallback for codes without a width.
#[derive(Debug, Clone, Copy)]
enum Missing {
    Width(f64),
    Standard(StandardFont),
}

/// One decoded code.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Decoded {
    /// Width in text space at size 1.
    pub(super) width: f64,
    /// Whether this is the single-byte code 32, to which word spacing applies.
    pub(super) spaced: bool,
    /// Whether the code had no character.
    pub(super) unmapped: bool,
}

impl Font {
    pub(super) fn load(pdf: &Pdf, dictionary: &Dictionary) -> Self {
        let to_unicode = pdf
            .stream(dictionary, b"ToUnicode")
            .and_then(|stream| pdf.unpack(stream))
            .map(|bytes| CMap::parse(&bytes, &pdf.budget))
            .unwrap_or_default();
        let subtype = pdf.name(dictionary, b"Subtype").unwrap_or_default();
        let descendant = pdf
            .array(dictionary, b"DescendantFonts")
            .and_then(|fonts| fonts.first())
            .and_then(|font| pdf.resolve(font).as_dict().ok());
        let (codes, descriptor) = match descendant {
            Some(descendant) if subtype == b"Type0" => {
                let codes = composite(pdf, dictionary, descendant);
                (codes, pdf.dictionary(descendant, b"FontDescriptor"))
            }
            _ => {
                let descriptor = pdf.dictionary(dictionary, b"FontDescriptor");
                (simple(pdf, dictionary, descriptor, subtype), descriptor)
            }
        };
        let (scale, em) = if subtype == b"Type3" {
            type3_scale(pdf, dictionary)
        } else {
            (0.001, 1.0)
        };
        Self {
            look: look(pdf, dictionary, descriptor),
            scale,
            em,
            codes,
            to_unicode,
        }
    }

    /// Calls `each` for every code in `bytes` with its characters (none if the code is unmapped), until it returns `false`.
    pub(super) fn decode(&self, bytes: &[u8], mut each: impl FnMut(Decoded, &str) -> bool) {
        match &self.codes {
            Codes::Simple { table, widths, missing } => {
                for byte in bytes {
                    let own = table.get(usize::from(*byte)).copied().flatten();
                    let width = widths
                        .get(usize::from(*byte))
                        .copied()
                        .flatten()
                        .unwrap_or_else(|| match missing {
                            Missing::Width(width) => *width,
                            Missing::Standard(font) => font.width(own.unwrap_or(' ')),
                        });
                    let mapped = self
                        .to_unicode
                        .characters
                        .get(&u32::from(*byte))
                        .filter(|text| is_printable(text));
                    let mut buffer = [0; 4];
                    let text = match (mapped, own) {
                        (Some(text), _) => &**text,
                        (None, Some(character)) => &*character.encode_utf8(&mut buffer),
                        (None, None) => "",
                    };
                    let decoded = Decoded {
                        width: width * self.scale,
                        spaced: *byte == 32,
                        unmapped: text.is_empty(),
                    };
                    if !each(decoded, text) {
                        return;
                    }
                }
            }
            Codes::Composite {
                encoding,
                utf16,
                from_program,
                widths,
                default_width,
            } => {
                let mut rest = bytes;
                while let Some((code, length)) = encoding.next_code(rest) {
                    let (taken, tail) = rest.split_at(length.min(rest.len()));
                    rest = tail;
                    let cid = encoding.cid(code);
                    let width = widths.get(&cid).copied().unwrap_or(*default_width);
                    let mapped = self.to_unicode.characters.get(&code).filter(|text| is_printable(text));
                    let made = match mapped {
                        Some(_) => None,
                        None if *utf16 => Some(cmap::utf16(taken)),
                        None => from_program.get(&cid).map(char::to_string),
                    };
                    let text = mapped.map(|text| &**text).or(made.as_deref()).unwrap_or_default();
                    let decoded = Decoded {
                        width: width * self.scale,
                        spaced: length == 1 && code == 32,
                        unmapped: text.is_empty(),
                    };
                    if !each(decoded, text) {
                        return;
                    }
                }
            }
        }
    }
}

/// Scale and em of a Type 3 font, whose glyphs are content streams. Its font matrix gives the unit length, its bounding box the letter height.
fn type3_scale(pdf: &Pdf, dictionary: &Dictionary) -> (f64, f64) {
    let matrix = pdf.numbers(dictionary, b"FontMatrix").unwrap_or_default();
    let across = matrix.first().map_or(0.001, |scale| scale.abs());
    let upwards = matrix.get(3).map_or(0.001, |scale| scale.abs());
    if (0.000_3..0.003).contains(&upwards) {
        return (across, 1.0);
    }
    let height = pdf.rect(dictionary, b"FontBBox").map_or(0.0, |bounds| bounds.height());
    let em = if height > 0.0 { height * upwards } else { 1.0 };
    (across, em)
}

/// Rejects meaningless `ToUnicode` entries: control characters, replacement characters.
fn is_printable(text: &str) -> bool {
    text.chars()
        .any(|character| !character.is_control() && character != '\u{fffd}' && character != '\u{ffff}')
}

fn simple(pdf: &Pdf, dictionary: &Dictionary, descriptor: Option<&Dictionary>, subtype: &[u8]) -> Codes {
    let mut widths = Box::new([None; 256]);
    let first = pdf.number(dictionary, b"FirstChar").and_then(encoding::to_code);
    if let Some(declared) = pdf.array(dictionary, b"Widths") {
        for (code, width) in (usize::from(first.unwrap_or(0))..256).zip(declared) {
            if let Some(entry) = widths.get_mut(code) {
                *entry = pdf.as_number(width);
            }
        }
    }
    let name = base_name(pdf, dictionary);
    let missing = if widths.iter().any(Option::is_some) {
        Missing::Width(
            descriptor
                .and_then(|descriptor| pdf.number(descriptor, b"MissingWidth"))
                .unwrap_or(0.0),
        )
    } else {
        Missing::Standard(StandardFont::from_name(&name, name.contains("Bold")))
    };
    Codes::Simple {
        table: Box::new(simple_table(pdf, dictionary, descriptor, subtype, &name)),
        widths,
        missing,
    }
}

fn simple_table(
    pdf: &Pdf,
    dictionary: &Dictionary,
    descriptor: Option<&Dictionary>,
    subtype: &[u8],
    name: &str,
) -> CodeTable {
    let symbolic = descriptor
        .and_then(|descriptor| pdf.number(descriptor, b"Flags"))
        .and_then(whole)
        .is_some_and(|flags| flags & 4 != 0);
    let built_in = || {
        descriptor
            .and_then(|descriptor| program_table(pdf, descriptor))
            .or_else(|| (name == "Symbol" || name.ends_with("+Symbol")).then(encoding::symbol_table))
    };
    let fallback = || match subtype {
        b"TrueType" => *encoding::win_ansi_table(),
        b"Type3" => tex_text_table(),
        _ => *encoding::standard_table(),
    };
    match pdf.get(dictionary, b"Encoding") {
        Some(Object::Name(named)) => encoding::named_table(named)
            .copied()
            .or_else(built_in)
            .unwrap_or_else(fallback),
        Some(Object::Dictionary(declared)) => {
            let base = pdf
                .name(declared, b"BaseEncoding")
                .and_then(encoding::named_table)
                .copied();
            let mut table = match base {
                Some(base) => base,
                None if symbolic || subtype == b"Type1" || subtype == b"MMType1" => built_in().unwrap_or_else(fallback),
                None => fallback(),
            };
            if let Some(differences) = pdf.array(declared, b"Differences") {
                apply_differences(pdf, &mut table, differences, subtype == b"Type3");
            }
            table
        }
        _ => built_in().unwrap_or_else(fallback),
    }
}

fn apply_differences(pdf: &Pdf, table: &mut CodeTable, differences: &[Object], made_up_names: bool) {
    let mut code = 0_u8;
    for entry in differences.iter().take(DIFFERENCES) {
        if !pdf.budget.spend(ReadResource::Steps, NAME_STEPS) {
            return;
        }
        match pdf.resolve(entry) {
            Object::Name(name) => {
                if let Some(character) = encoding::glyph_name_to_char(name) {
                    encoding::set(table, code, character);
                } else if let Some(entry) = table.get_mut(usize::from(code)) {
                    // TeX bitmap fonts name their glyphs only after the code (`a65`, `C0041`); TeX's own text encoding is the best guess.
                    *entry = if made_up_names {
                        tex_text_table().get(usize::from(code)).copied().flatten()
                    } else {
                        None
                    };
                }
                code = code.wrapping_add(1);
            }
            other => {
                if let Some(next) = pdf.as_number(other).and_then(encoding::to_code) {
                    code = next;
                }
            }
        }
    }
}

/// TeX's old text encoding (OT1): ASCII except for ligatures and Greek capitals below 32 and a few quotes.
fn tex_text_table() -> CodeTable {
    let mut table = [None; 256];
    for (code, character) in (0..=127_u8).zip("ΓΔΘΛΞΠΣΥΦΨΩﬀﬁﬂﬃﬄıȷ`´ˇ˘¯˚¸ßæœøÆŒØ".chars().chain(' '..='~'))
    {
        encoding::set(&mut table, code, character);
    }
    for (code, character) in [
        (0x22, '”'),
        (0x27, '’'),
        (0x3c, '¡'),
        (0x3e, '¿'),
        (0x5c, '“'),
        (0x60, '‘'),
        (0x7b, '–'),
        (0x7c, '—'),
    ] {
        encoding::set(&mut table, code, character);
    }
    table
}

fn program_table(pdf: &Pdf, descriptor: &Dictionary) -> Option<CodeTable> {
    if let Some(program) = pdf
        .stream(descriptor, b"FontFile")
        .and_then(|stream| pdf.unpack(stream))
    {
        return encoding::type1_table(&program);
    }
    let stream = pdf.stream(descriptor, b"FontFile3")?;
    let program = pdf.unpack(stream)?;
    if program.starts_with(b"OTTO") {
        return encoding::cff_table(truetype::table(&program, b"CFF ")?);
    }
    encoding::cff_table(&program)
}

fn composite(pdf: &Pdf, dictionary: &Dictionary, descendant: &Dictionary) -> Codes {
    let mut utf16 = false;
    let encoding = match pdf.get(dictionary, b"Encoding") {
        Some(Object::Stream(stream)) => pdf.unpack(stream).map(|bytes| CMap::parse(&bytes, &pdf.budget)),
        Some(Object::Name(name)) => {
            utf16 = find_part(name, b"UCS2") || find_part(name, b"UTF16");
            None
        }
        _ => None,
    };
    let mut widths = HashMap::new();
    if let Some(declared) = pdf.array(descendant, b"W") {
        composite_widths(pdf, declared, &mut widths);
    }
    let from_program = if pdf.get(dictionary, b"ToUnicode").is_none() && !utf16 {
        pdf.dictionary(descendant, b"FontDescriptor")
            .and_then(|descriptor| pdf.stream(descriptor, b"FontFile2"))
            .and_then(|stream| pdf.unpack(stream))
            .map(|program| truetype::characters_by_glyph(&program, &pdf.budget))
            .unwrap_or_default()
    } else {
        HashMap::new()
    };
    Codes::Composite {
        encoding: encoding.unwrap_or_else(CMap::identity),
        utf16,
        from_program,
        widths,
        default_width: pdf.number(descendant, b"DW").unwrap_or(1000.0),
    }
}

fn find_part(name: &[u8], part: &[u8]) -> bool {
    super::content::find(name, part).is_some()
}

fn composite_widths(pdf: &Pdf, declared: &[Object], widths: &mut HashMap<u32, f64>) {
    let mut entries = declared.iter();
    while let Some(first) = entries.next().and_then(|first| pdf.as_number(first)).and_then(whole) {
        match entries.next().map(|next| pdf.resolve(next)) {
            Some(Object::Array(each)) => {
                for (cid, width) in (first..).zip(each) {
                    if let Some(width) = pdf
                        .as_number(width)
                        .filter(|_| pdf.budget.spend(ReadResource::MapEntries, 1))
                    {
                        widths.insert(cid, width);
                    }
                }
            }
            Some(last) => {
                let last = pdf.as_number(last).and_then(whole);
                let width = entries.next().and_then(|width| pdf.as_number(width));
                let (Some(last), Some(width)) = (last, width) else {
                    return;
                };
                for cid in first..=last.min(first.saturating_add(0xffff)) {
                    if !pdf.budget.spend(ReadResource::MapEntries, 1) {
                        return;
                    }
                    widths.insert(cid, width);
                }
            }
            None => return,
        }
        if widths.len() > 0x2_0000 {
            return;
        }
    }
}

fn whole(number: f64) -> Option<u32> {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "the range is checked before the cast"
    )]
    (0.0..4_294_967_296.0).contains(&number).then_some(number as u32)
}

fn base_name(pdf: &Pdf, dictionary: &Dictionary) -> String {
    let name = pdf.name(dictionary, b"BaseFont").unwrap_or_default();
    let name = String::from_utf8_lossy(name);
    match name.split_once('+') {
        Some((_, name)) => name.to_owned(),
        None => name.into_owned(),
    }
}

fn look(pdf: &Pdf, dictionary: &Dictionary, descriptor: Option<&Dictionary>) -> Look {
    let number = |key: &[u8]| descriptor.and_then(|descriptor| pdf.number(descriptor, key));
    let flags = number(b"Flags").and_then(whole).unwrap_or(0);
    let weight = number(b"FontWeight").unwrap_or(0.0);
    Look::from_descriptor(&base_name(pdf, dictionary), flags, weight)
}
