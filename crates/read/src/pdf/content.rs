//! Lexer for content streams: operands and operators, in order. Tolerant: unknown syntax is skipped.

use std::borrow::Cow;

/// Maximum nesting of arrays and dictionaries; real pages stay far below it.
const DEPTH_LIMIT: usize = 12;

/// Maximum array and dictionary items kept between two operators. Real arrays have a few thousand.
const ITEM_LIMIT: usize = 500_000;

/// An operand of a content stream.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Operand<'a> {
    Number(f64),
    Name(Cow<'a, [u8]>),
    String(Cow<'a, [u8]>),
    Array(Vec<Operand<'a>>),
    Dictionary(Vec<(Cow<'a, [u8]>, Operand<'a>)>),
    Other,
}

impl Operand<'_> {
    pub(super) fn number(&self) -> Option<f64> {
        match self {
            Self::Number(value) => Some(*value),
            _ => None,
        }
    }

    pub(super) fn name(&self) -> Option<&[u8]> {
        match self {
            Self::Name(name) => Some(name),
            _ => None,
        }
    }

    pub(super) fn string(&self) -> Option<&[u8]> {
        match self {
            Self::String(bytes) => Some(bytes),
            _ => None,
        }
    }
}

/// A token of a content stream.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Token<'a> {
    Operand(Operand<'a>),
    Operator(&'a [u8]),
    /// An inline image, already skipped.
    InlineImage,
}

/// Tokenizes a content stream, a CMap or the clear-text part of a Type 1 font.
#[derive(Debug)]
pub(super) struct Lexer<'a> {
    bytes: &'a [u8],
    position: usize,
    /// Items kept since the last operator.
    items: usize,
}

impl<'a> Lexer<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self {
            bytes,
            position: 0,
            items: 0,
        }
    }

    pub(super) fn next_token(&mut self) -> Option<Token<'a>> {
        let token = self.token(0);
        if matches!(token, Some(Token::Operator(_))) {
            self.items = 0;
        }
        token
    }

    /// Whether one more item of an array or a dictionary may be kept.
    fn may_keep(&mut self) -> bool {
        self.items += 1;
        self.items <= ITEM_LIMIT
    }

    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.position).copied()
    }

    fn skip_space(&mut self) {
        while let Some(byte) = self.peek() {
            if byte == b'%' {
                while self.peek().is_some_and(|byte| byte != b'\n' && byte != b'\r') {
                    self.position += 1;
                }
            } else if is_space(byte) {
                self.position += 1;
            } else {
                break;
            }
        }
    }

    fn token(&mut self, depth: usize) -> Option<Token<'a>> {
        loop {
            self.skip_space();
            let byte = self.peek()?;
            match byte {
                b'/' => {
                    self.position += 1;
                    return Some(Token::Operand(Operand::Name(self.name())));
                }
                b'(' => return Some(Token::Operand(Operand::String(self.literal()))),
                b'<' if self.bytes.get(self.position + 1) == Some(&b'<') => {
                    self.position += 2;
                    return Some(Token::Operand(self.dictionary(depth)));
                }
                b'<' => return Some(Token::Operand(Operand::String(self.hexadecimal()))),
                b'[' => {
                    self.position += 1;
                    return Some(Token::Operand(self.array(depth)));
                }
                b']' | b'}' | b'{' | b')' | b'>' => {
                    // A stray closing delimiter: skipped, but reported to a caller inside an array.
                    self.position += 1;
                    if depth > 0 {
                        return None;
                    }
                }
                b'+' | b'-' | b'.' | b'0'..=b'9' => {
                    if let Some(number) = self.number() {
                        return Some(Token::Operand(Operand::Number(number)));
                    }
                }
                _ => return Some(self.operator(depth)),
            }
        }
    }

    fn regular(&mut self) -> &'a [u8] {
        let start = self.position;
        while self.peek().is_some_and(|byte| !is_space(byte) && !is_delimiter(byte)) {
            self.position += 1;
        }
        self.bytes.get(start..self.position).unwrap_or_default()
    }

    fn name(&mut self) -> Cow<'a, [u8]> {
        let raw = self.regular();
        if !raw.contains(&b'#') {
            return Cow::Borrowed(raw);
        }
        let mut name = Vec::with_capacity(raw.len());
        let mut bytes = raw.iter().copied();
        while let Some(byte) = bytes.next() {
            let mut ahead = bytes.clone();
            let code = (byte == b'#')
                .then(|| Some(hex_digit(ahead.next()?)? << 4 | hex_digit(ahead.next()?)?))
                .flatten();
            if let Some(code) = code {
                name.push(code);
                bytes = ahead;
            } else {
                name.push(byte);
            }
        }
        Cow::Owned(name)
    }

    fn number(&mut self) -> Option<f64> {
        let start = self.position;
        while self
            .peek()
            .is_some_and(|byte| matches!(byte, b'+' | b'-' | b'.' | b'0'..=b'9'))
        {
            self.position += 1;
        }
        let raw = self.bytes.get(start..self.position)?;
        parse_number(raw)
    }

    fn operator(&mut self, depth: usize) -> Token<'a> {
        let raw = self.regular();
        if raw.is_empty() {
            // Unreachable for the bytes that `token` passes here, but the lexer must always advance.
            self.position += 1;
            return Token::Operand(Operand::Other);
        }
        match raw {
            b"true" | b"false" | b"null" => Token::Operand(Operand::Other),
            b"BI" if depth == 0 => {
                self.skip_inline_image();
                Token::InlineImage
            }
            _ => Token::Operator(raw),
        }
    }

    fn literal(&mut self) -> Cow<'a, [u8]> {
        self.position += 1;
        let start = self.position;
        // Most strings have no escapes and no brackets.
        let rest = self.bytes.get(start..).unwrap_or_default();
        if let Some(end) = rest.iter().position(|byte| matches!(byte, b'(' | b')' | b'\\' | b'\r'))
            && rest.get(end) == Some(&b')')
        {
            self.position = start + end + 1;
            return Cow::Borrowed(rest.get(..end).unwrap_or_default());
        }
        let mut out = Vec::new();
        let mut open = 1;
        while let Some(byte) = self.peek() {
            self.position += 1;
            match byte {
                b'(' => open += 1,
                b')' => {
                    open -= 1;
                    if open == 0 {
                        break;
                    }
                }
                b'\\' => {
                    self.escape(&mut out);
                    continue;
                }
                b'\r' => {
                    if self.peek() == Some(b'\n') {
                        self.position += 1;
                    }
                    out.push(b'\n');
                    continue;
                }
                _ => {}
            }
            out.push(byte);
        }
        Cow::Owned(out)
    }

    fn escape(&mut self, out: &mut Vec<u8>) {
        let Some(byte) = self.peek() else { return };
        self.position += 1;
        match byte {
            b'n' => out.push(b'\n'),
            b'r' => out.push(b'\r'),
            b't' => out.push(b'\t'),
            b'b' => out.push(8),
            b'f' => out.push(12),
            b'\n' => {}
            b'\r' => {
                if self.peek() == Some(b'\n') {
                    self.position += 1;
                }
            }
            b'0'..=b'7' => {
                let mut code = u32::from(byte - b'0');
                for _ in 0..2 {
                    match self.peek() {
                        Some(digit @ b'0'..=b'7') => {
                            code = code * 8 + u32::from(digit - b'0');
                            self.position += 1;
                        }
                        _ => break,
                    }
                }
                out.push(u8::try_from(code & 0xff).unwrap_or_default());
            }
            other => out.push(other),
        }
    }

    fn hexadecimal(&mut self) -> Cow<'a, [u8]> {
        self.position += 1;
        let mut out = Vec::new();
        let mut high = None;
        while let Some(byte) = self.peek() {
            self.position += 1;
            if byte == b'>' {
                break;
            }
            let Some(digit) = hex_digit(byte) else { continue };
            match high.take() {
                Some(high) => out.push(high << 4 | digit),
                None => high = Some(digit),
            }
        }
        if let Some(high) = high {
            out.push(high << 4);
        }
        Cow::Owned(out)
    }

    fn array(&mut self, depth: usize) -> Operand<'a> {
        let mut items = Vec::new();
        if depth >= DEPTH_LIMIT {
            return Operand::Other;
        }
        loop {
            self.skip_space();
            match self.peek() {
                None => break,
                Some(b']') => {
                    self.position += 1;
                    break;
                }
                Some(_) => match self.token(depth + 1) {
                    Some(Token::Operand(operand)) => {
                        if self.may_keep() {
                            items.push(operand);
                        }
                    }
                    // An operator inside an array: the closing bracket is missing.
                    Some(Token::Operator(operator)) => {
                        if depth == 0 && is_text_operator(operator) {
                            self.position -= operator.len();
                            break;
                        }
                    }
                    Some(Token::InlineImage) => {}
                    None => break,
                },
            }
        }
        Operand::Array(items)
    }

    fn dictionary(&mut self, depth: usize) -> Operand<'a> {
        let mut entries = Vec::new();
        if depth >= DEPTH_LIMIT {
            return Operand::Other;
        }
        loop {
            self.skip_space();
            match self.peek() {
                Some(b'/') => {
                    self.position += 1;
                    let key = self.name();
                    self.skip_space();
                    if self.peek() == Some(b'>') {
                        continue;
                    }
                    match self.token(depth + 1) {
                        Some(Token::Operand(value)) if self.may_keep() => entries.push((key, value)),
                        Some(_) => {}
                        None => break,
                    }
                }
                Some(b'>') => {
                    self.position += 1;
                    if self.peek() == Some(b'>') {
                        self.position += 1;
                    }
                    break;
                }
                Some(_) => {
                    // Unparsable operands such as `1 0 R` are skipped.
                    if self.token(depth + 1).is_none() {
                        break;
                    }
                }
                None => break,
            }
        }
        Operand::Dictionary(entries)
    }

    /// Skips `… ID <data> EI`. The data may be anything, so `EI` counts only between white space and with ASCII text after it.
    fn skip_inline_image(&mut self) {
        let rest = self.bytes.get(self.position..).unwrap_or_default();
        let data = find(rest, b"ID").map_or(0, |at| at + 2);
        let mut from = data;
        while let Some(at) = rest.get(from..).and_then(|tail| find(tail, b"EI")) {
            let at = from + at;
            let before = at
                .checked_sub(1)
                .and_then(|at| rest.get(at))
                .is_none_or(|byte| is_space(*byte));
            let after = rest.get(at + 2).is_none_or(|byte| is_space(*byte));
            let plain = rest
                .get(at + 2..)
                .unwrap_or_default()
                .iter()
                .take(12)
                .all(|byte| is_space(*byte) || (0x20..0x7f).contains(byte));
            if before && after && plain {
                self.position += at + 2;
                return;
            }
            from = at + 2;
        }
        self.position = self.bytes.len();
    }
}

fn is_text_operator(operator: &[u8]) -> bool {
    matches!(operator, b"TJ" | b"Tj" | b"ET" | b"BT" | b"Td" | b"TD" | b"Tm" | b"Tf")
}

fn parse_number(raw: &[u8]) -> Option<f64> {
    let mut negative = false;
    let mut value = 0.0_f64;
    let mut scale = 0.0_f64;
    let mut digits = 0;
    for (index, byte) in raw.iter().enumerate() {
        match byte {
            b'-' if index == 0 => negative = true,
            b'+' => {}
            // Broken programs write `12-34`: the first part counts. `--5` is read as -5.
            b'-' if digits > 0 => break,
            b'-' => negative = true,
            b'.' if scale == 0.0 => scale = 1.0,
            b'.' => break,
            digit => {
                digits += 1;
                value = value * 10.0 + f64::from(digit - b'0');
                scale *= 10.0;
            }
        }
    }
    if digits == 0 {
        return (!raw.is_empty()).then_some(0.0);
    }
    if scale > 1.0 {
        value /= scale;
    }
    Some(if negative { -value } else { value })
}

pub(super) fn hex_digit(byte: u8) -> Option<u8> {
    match byte {
        b'0'..=b'9' => Some(byte - b'0'),
        b'a'..=b'f' => Some(byte - b'a' + 10),
        b'A'..=b'F' => Some(byte - b'A' + 10),
        _ => None,
    }
}

pub(super) fn find(haystack: &[u8], needle: &[u8]) -> Option<usize> {
    haystack.windows(needle.len()).position(|window| window == needle)
}

pub(super) fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\n' | b'\r' | b'\t' | 0 | 12)
}

fn is_delimiter(byte: u8) -> bool {
    matches!(
        byte,
        b'(' | b')' | b'<' | b'>' | b'[' | b']' | b'{' | b'}' | b'/' | b'%'
    )
}
