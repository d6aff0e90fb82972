//! Maps codes of simple fonts to characters: standard encodings, glyph names, encodings built into font programs.

use std::collections::HashMap;
use std::sync::{LazyLock, Mutex};

use lopdf::{Dictionary, Document, Object};

use super::content::{Lexer, Operand, Token, find};

/// A table from one-byte codes to characters.
pub(super) type CodeTable = [Option<char>; 256];

const NO_CODES: CodeTable = [None; 256];

static STANDARD: LazyLock<CodeTable> = LazyLock::new(|| base_table(b"StandardEncoding"));
static WIN_ANSI: LazyLock<CodeTable> = LazyLock::new(|| {
    let mut table = base_table(b"WinAnsiEncoding");
    set(&mut table, 0xa0, ' ');
    set(&mut table, 0xad, '-');
    table
});
static MAC_ROMAN: LazyLock<CodeTable> = LazyLock::new(|| base_table(b"MacRomanEncoding"));
static MAC_EXPERT: LazyLock<CodeTable> = LazyLock::new(|| base_table(b"MacExpertEncoding"));

/// A standard PDF encoding by name.
pub(super) fn named_table(name: &[u8]) -> Option<&'static CodeTable> {
    match name {
        b"StandardEncoding" => Some(&STANDARD),
        b"WinAnsiEncoding" => Some(&WIN_ANSI),
        b"MacRomanEncoding" => Some(&MAC_ROMAN),
        b"MacExpertEncoding" => Some(&MAC_EXPERT),
        _ => None,
    }
}

pub(super) fn standard_table() -> &'static CodeTable {
    &STANDARD
}

pub(super) fn win_ansi_table() -> &'static CodeTable {
    &WIN_ANSI
}

pub(super) fn set(table: &mut CodeTable, code: u8, character: char) {
    if let Some(entry) = table.get_mut(usize::from(code)) {
        *entry = Some(character);
    }
}

fn base_table(name: &[u8]) -> CodeTable {
    let mut table = NO_CODES;
    let mut font = Dictionary::new();
    font.set("Type", Object::Name(b"Font".to_vec()));
    font.set("Encoding", Object::Name(name.to_vec()));
    let document = Document::new();
    let Ok(encoding) = font.get_font_encoding(&document) else {
        return table;
    };
    for code in 0..=u8::MAX {
        if let Some(character) = encoding
            .bytes_to_string(&[code])
            .ok()
            .and_then(|text| text.chars().next())
        {
            set(&mut table, code, character);
        }
    }
    table
}

/// The character of a glyph name: the Adobe list as contained in lopdf, `uniXXXX`, `uXXXXX`, suffixes cut (`a.alt`), joined names by their first
/// part.
pub(super) fn glyph_name_to_char(name: &[u8]) -> Option<char> {
    static KNOWN: LazyLock<Mutex<HashMap<Vec<u8>, Option<char>>>> = LazyLock::new(Mutex::default);
    if let [letter @ (b'a'..=b'z' | b'A'..=b'Z')] = name {
        return Some(char::from(*letter));
    }
    if name.len() > 64 || name == b".notdef" {
        return None;
    }
    if let Ok(known) = KNOWN.lock()
        && let Some(character) = known.get(name)
    {
        return *character;
    }
    let character = look_up(name);
    if let Ok(mut known) = KNOWN.lock()
        && known.len() < 20_000
    {
        known.insert(name.to_vec(), character);
    }
    character
}

fn look_up(name: &[u8]) -> Option<char> {
    if let Some(character) = adobe_name(name) {
        return Some(character);
    }
    let text = std::str::from_utf8(name).ok()?;
    let stem = text.split('.').next().filter(|stem| !stem.is_empty())?;
    if stem.len() < text.len() {
        return look_up(stem.as_bytes());
    }
    if let Some(hex) = text.strip_prefix("uni").and_then(|hex| hex.get(..4))
        && let Some(character) = u32::from_str_radix(hex, 16).ok().and_then(char::from_u32)
    {
        return Some(character);
    }
    if let Some(hex) = text.strip_prefix('u')
        && (4..=6).contains(&hex.len())
        && let Some(character) = u32::from_str_radix(hex, 16).ok().and_then(char::from_u32)
    {
        return Some(character);
    }
    tex_name(text)
}

fn adobe_name(name: &[u8]) -> Option<char> {
    // Names used by TeX and Word that lopdf maps to private use or does not know.
    match name {
        b"ff" | b"f_f" => return Some('\u{fb00}'),
        b"mu" | b"mu1" => return Some('μ'),
        b"Delta" | b"increment" => return Some('Δ'),
        b"Omega" => return Some('Ω'),
        b"sfthyphen" => return Some('-'),
        b"nbspace" | b"nonbreakingspace" => return Some(' '),
        _ => {}
    }
    let mut font = Dictionary::new();
    font.set("Type", Object::Name(b"Font".to_vec()));
    let mut encoding = Dictionary::new();
    encoding.set("Type", Object::Name(b"Encoding".to_vec()));
    encoding.set(
        "Differences",
        Object::Array(vec![Object::Integer(0), Object::Name(name.to_vec())]),
    );
    font.set("Encoding", Object::Dictionary(encoding));
    let document = Document::new();
    // For an unknown name lopdf falls back to StandardEncoding, where code 0 is unmapped.
    let text = font.get_font_encoding(&document).ok()?.bytes_to_string(&[0]).ok()?;
    text.chars().next()
}

/// Glyph names of the Computer Modern mathematics fonts and related fonts that are missing in the Adobe list.
fn tex_name(name: &str) -> Option<char> {
    Some(match name {
        "dotlessj" | "jdotless" => 'ȷ',
        "epsilon1" => 'ϵ',
        "rho1" => 'ϱ',
        "sigma1" => 'ς',
        "phi1" => 'ϕ',
        "theta1" => 'ϑ',
        "omega1" | "pi1" => 'ϖ',
        "lscript" => 'ℓ',
        "weierstrass" => '℘',
        "negationslash" => '\u{338}',
        "arrowhookleft" => '↩',
        "mapsto" => '↦',
        "emptyset" => '∅',
        "asteriskmath" => '∗',
        "openbullet" => '◦',
        "precedesequal" => '≼',
        "followsequal" => '≽',
        "follows" => '≻',
        "similarequal" => '≃',
        "equivasymptotic" => '≍',
        "lessmuch" => '≪',
        "greatermuch" => '≫',
        "latticetop" => '⊤',
        "perpendicular" => '⊥',
        "turnstileleft" => '⊢',
        "turnstileright" => '⊣',
        "ceilingleft" | "ceilingleftbig" | "ceilingleftBig" => '⌈',
        "ceilingright" | "ceilingrightbig" | "ceilingrightBig" => '⌉',
        "floorleft" | "floorleftbig" | "floorleftBig" => '⌊',
        "floorright" | "floorrightbig" | "floorrightBig" => '⌋',
        "bardbl" => '‖',
        "radicalbig" | "radicalBig" | "radicalbigg" | "radicalBigg" => '√',
        "braceleftbig" | "braceleftBig" | "braceleftbigg" | "braceleftBigg" => '{',
        "bracerightbig" | "bracerightBig" | "bracerightbigg" | "bracerightBigg" => '}',
        "bracketleftbig" | "bracketleftBig" | "bracketleftbigg" | "bracketleftBigg" => '[',
        "bracketrightbig" | "bracketrightBig" | "bracketrightbigg" | "bracketrightBigg" => ']',
        "angbracketleftbig" | "angbracketleftBig" => '⟨',
        "angbracketrightbig" | "angbracketrightBig" => '⟩',
        "vextendsingle" | "vextenddouble" => '|',
        "hatwide" | "hatwider" | "hatwidest" => 'ˆ',
        "tildewide" | "tildewider" | "tildewidest" => '˜',
        "integraldisplay" | "integraltext" => '∫',
        "uniondisplay" | "uniontext" => '∪',
        "intersectiondisplay" | "intersectiontext" => '∩',
        "logicalanddisplay" | "logicalandtext" => '⋀',
        "logicalordisplay" | "logicalortext" => '⋁',
        "circleplusdisplay" | "circleplustext" => '⊕',
        "circlemultiplydisplay" | "circlemultiplytext" => '⊗',
        "productdisplay" | "producttext" => '∏',
        "visiblespace" => '␣',
        "perthousandzero" => '0',
        "Germandbls" => 'ẞ',
        "compwordmark" | "cwm" => return None,
        _ => return None,
    })
}

/// The encoding in the clear-text part of a Type 1 font program: `dup 65 /A put`.
pub(super) fn type1_table(program: &[u8]) -> Option<CodeTable> {
    let clear = find(program, b"eexec")
        .and_then(|end| program.get(..end))
        .unwrap_or(program);
    let clear = clear.get(..clear.len().min(64 << 10))?;
    let start = find(clear, b"/Encoding")?;
    let tail = clear.get(start + b"/Encoding".len()..)?;
    let mut lexer = Lexer::new(tail);
    let mut table = NO_CODES;
    let (mut code, mut seen) = (None, 0);
    for _ in 0..4096 {
        match lexer.next_token()? {
            Token::Operator(b"StandardEncoding") if seen == 0 => return Some(*standard_table()),
            Token::Operator(b"def" | b"readonly") if seen > 0 => break,
            Token::Operand(Operand::Number(number)) => code = Some(number),
            Token::Operand(Operand::Name(name)) => {
                if let Some(code) = code.take().and_then(to_code) {
                    seen += 1;
                    if let Some(character) = glyph_name_to_char(&name) {
                        set(&mut table, code, character);
                    }
                }
            }
            _ => {}
        }
    }
    (seen > 0).then_some(table)
}

/// The encoding of a bare CFF font program.
pub(super) fn cff_table(program: &[u8]) -> Option<CodeTable> {
    let font = cff_parser::Table::parse(program)?;
    let mut table = NO_CODES;
    let mut any = false;
    for code in 0..=u8::MAX {
        if let Some(character) = font
            .glyph_index(code)
            .and_then(|glyph| font.glyph_name(glyph))
            .and_then(|name| glyph_name_to_char(name.as_bytes()))
        {
            set(&mut table, code, character);
            any = true;
        }
    }
    any.then_some(table)
}

/// An integer from 0 to 255 that was read as a float.
pub(super) fn to_code(number: f64) -> Option<u8> {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "the range is checked before the cast"
    )]
    (0.0..256.0).contains(&number).then_some(number as u8)
}

/// The built-in encoding of the Symbol font, for the characters that papers use.
pub(super) fn symbol_table() -> CodeTable {
    const CAPITALS: &str = "ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ";
    const SMALL: &str = "αβχδεφγηιϕκλμνοπθρστυϖωξψζ";
    const OTHERS: [(u8, char); 60] = [
        (0x22, '∀'),
        (0x24, '∃'),
        (0x27, '∋'),
        (0x2a, '∗'),
        (0x2d, '−'),
        (0x40, '≅'),
        (0x5c, '∴'),
        (0x5e, '⊥'),
        (0xa1, 'ϒ'),
        (0xa2, '′'),
        (0xa3, '≤'),
        (0xa4, '⁄'),
        (0xa5, '∞'),
        (0xa6, 'ƒ'),
        (0xab, '↔'),
        (0xac, '←'),
        (0xad, '↑'),
        (0xae, '→'),
        (0xaf, '↓'),
        (0xb0, '°'),
        (0xb1, '±'),
        (0xb2, '″'),
        (0xb3, '≥'),
        (0xb4, '×'),
        (0xb5, '∝'),
        (0xb6, '∂'),
        (0xb7, '•'),
        (0xb8, '÷'),
        (0xb9, '≠'),
        (0xba, '≡'),
        (0xbb, '≈'),
        (0xbc, '…'),
        (0xc0, 'ℵ'),
        (0xc4, '⊗'),
        (0xc5, '⊕'),
        (0xc6, '∅'),
        (0xc7, '∩'),
        (0xc8, '∪'),
        (0xc9, '⊃'),
        (0xca, '⊇'),
        (0xcb, '⊄'),
        (0xcc, '⊂'),
        (0xcd, '⊆'),
        (0xce, '∈'),
        (0xcf, '∉'),
        (0xd0, '∠'),
        (0xd1, '∇'),
        (0xd5, '∏'),
        (0xd6, '√'),
        (0xd7, '⋅'),
        (0xd8, '¬'),
        (0xd9, '∧'),
        (0xda, '∨'),
        (0xdb, '⇔'),
        (0xdc, '⇐'),
        (0xde, '⇒'),
        (0xe1, '⟨'),
        (0xe5, '∑'),
        (0xf1, '⟩'),
        (0xf2, '∫'),
    ];
    let mut table = NO_CODES;
    for code in 0x20..0x7f_u8 {
        if !code.is_ascii_alphabetic() {
            set(&mut table, code, char::from(code));
        }
    }
    for (code, character) in (b'A'..=b'Z')
        .zip(CAPITALS.chars())
        .chain((b'a'..=b'z').zip(SMALL.chars()))
    {
        set(&mut table, code, character);
    }
    for (code, character) in OTHERS {
        set(&mut table, code, character);
    }
    table
}
