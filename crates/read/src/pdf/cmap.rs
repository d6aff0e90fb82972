//! CMaps: codes of composite fonts, and the characters that `ToUnicode` maps codes to.

use std::collections::{BTreeMap, HashMap};

use super::content::{Lexer, Operand, Token};
use crate::budget::{ReadBudget, ReadResource};

/// Longer ranges are cut: no font has more glyphs.
const RANGE_LIMIT: u32 = 0x1_0000;

/// Maximum entries per map.
const ENTRY_LIMIT: usize = 200_000;

/// Maximum bytes of characters per code: ISO 32000-1, 9.10.3, allows 512.
const TARGET_LIMIT: usize = 512;

/// Maximum code spaces per map. Real maps have at most ten.
const CODESPACE_LIMIT: usize = 100;

/// A parsed CMap.
#[derive(Debug, Clone, Default)]
pub(super) struct CMap {
    /// Number of bytes in a code, and the first and last code of that length.
    codespaces: Vec<(usize, u32, u32)>,
    /// Characters by code (from a `ToUnicode` map).
    pub(super) characters: HashMap<u32, Box<str>>,
    /// Last code and first CID by first code (from an encoding). Ranges do not overlap.
    cid_ranges: BTreeMap<u32, (u32, u32)>,
}

impl CMap {
    /// Two-byte codes that are themselves CIDs.
    pub(super) fn identity() -> Self {
        Self {
            codespaces: vec![(2, 0, 0xffff)],
            characters: HashMap::new(),
            cid_ranges: BTreeMap::from([(0, (0xffff, 0))]),
        }
    }

    pub(super) fn parse(bytes: &[u8], budget: &ReadBudget) -> Self {
        let mut map = Self::default();
        let mut lexer = Lexer::new(bytes);
        let mut operands: Vec<Operand<'_>> = Vec::new();
        while let Some(token) = lexer.next_token() {
            match token {
                Token::Operand(operand) => {
                    operands.push(operand);
                    if operands.len() > ENTRY_LIMIT {
                        break;
                    }
                }
                Token::Operator(operator) => {
                    map.section(operator, &operands, budget);
                    operands.clear();
                }
                Token::InlineImage => operands.clear(),
            }
        }
        map
    }

    fn section(&mut self, operator: &[u8], operands: &[Operand<'_>], budget: &ReadBudget) {
        match operator {
            b"endcodespacerange" => {
                for pair in operands.chunks_exact(2) {
                    if let [Operand::String(first), Operand::String(last)] = pair
                        && self.codespaces.len() < CODESPACE_LIMIT
                    {
                        self.codespaces.push((first.len(), code(first), code(last)));
                    }
                }
            }
            b"endbfchar" => {
                for pair in operands.chunks_exact(2) {
                    if let [Operand::String(from), Operand::String(to)] = pair {
                        self.insert(code(from), &target(to), budget);
                    }
                }
            }
            b"endbfrange" => {
                for triple in operands.chunks_exact(3) {
                    if let [Operand::String(first), Operand::String(last), to] = triple {
                        self.character_range(code(first), code(last), to, budget);
                    }
                }
            }
            b"endcidrange" => {
                for triple in operands.chunks_exact(3) {
                    if let [Operand::String(first), Operand::String(last), Operand::Number(cid)] = triple {
                        self.cid_range(code(first), code(last), whole(*cid), budget);
                    }
                }
            }
            b"endcidchar" => {
                for pair in operands.chunks_exact(2) {
                    if let [Operand::String(from), Operand::Number(cid)] = pair {
                        self.cid_range(code(from), code(from), whole(*cid), budget);
                    }
                }
            }
            _ => {}
        }
    }

    fn character_range(&mut self, first: u32, last: u32, to: &Operand<'_>, budget: &ReadBudget) {
        let last = last.min(first.saturating_add(RANGE_LIMIT));
        match to {
            Operand::String(start) => {
                let start = target(start);
                let mut characters = start.chars();
                let Some(final_character) = characters.next_back() else {
                    return;
                };
                let prefix = characters.as_str();
                for (step, code) in (first..=last).enumerate() {
                    let next = u32::try_from(step)
                        .ok()
                        .and_then(|step| char::from_u32(u32::from(final_character).checked_add(step)?));
                    let Some(next) = next else { break };
                    if !self.insert(code, &format!("{prefix}{next}"), budget) {
                        break;
                    }
                }
            }
            Operand::Array(each) => {
                for (code, to) in (first..=last).zip(each) {
                    if let Operand::String(to) = to {
                        self.insert(code, &target(to), budget);
                    }
                }
            }
            _ => {}
        }
    }

    /// Maps a code to characters. Returns whether the map accepts more entries.
    fn insert(&mut self, code: u32, text: &str, budget: &ReadBudget) -> bool {
        let room = self.characters.len() < ENTRY_LIMIT
            && budget.spend(ReadResource::MapEntries, 1)
            && budget.spend(ReadResource::MapText, text.len());
        if room && !text.is_empty() {
            self.characters.insert(code, text.into());
        }
        room
    }

    /// Maps a range of codes to CIDs, except codes mapped by an earlier range: of overlapping ranges, the first counts.
    fn cid_range(&mut self, first: u32, last: u32, cid: u32, budget: &ReadBudget) {
        let mut free = Vec::new();
        let mut from = Some(first);
        // The preceding range may overlap this one.
        let before = self.cid_ranges.range(..first).next_back();
        let over = before.into_iter().chain(self.cid_ranges.range(first..=last.max(first)));
        for (begin, (end, _)) in over {
            if !budget.spend(ReadResource::MapEntries, 1) {
                return;
            }
            let Some(open) = from else { break };
            if *begin > open {
                free.push((open, begin - 1));
            }
            if *end >= open {
                from = end.checked_add(1);
            }
        }
        if let Some(open) = from {
            free.push((open, last));
        }
        for (begin, end) in free.into_iter().filter(|(begin, end)| begin <= end) {
            if self.cid_ranges.len() < ENTRY_LIMIT && budget.spend(ReadResource::MapEntries, 1) {
                self.cid_ranges.insert(begin, (end, cid.saturating_add(begin - first)));
            }
        }
    }

    /// Reads the next code: its value and its length in bytes.
    pub(super) fn next_code(&self, bytes: &[u8]) -> Option<(u32, usize)> {
        if bytes.is_empty() {
            return None;
        }
        for length in 1..=4.min(bytes.len()) {
            let value = code(bytes.get(..length)?);
            if self
                .codespaces
                .iter()
                .any(|(bytes, first, last)| *bytes == length && (*first..=*last).contains(&value))
            {
                return Some((value, length));
            }
        }
        // If no code space matches, use the length of the shortest code.
        let length = self
            .codespaces
            .iter()
            .map(|(bytes, _, _)| *bytes)
            .filter(|bytes| *bytes > 0)
            .min()
            .unwrap_or(2)
            .min(bytes.len());
        Some((code(bytes.get(..length)?), length))
    }

    /// The CID of a code; 0 if unknown.
    pub(super) fn cid(&self, code: u32) -> u32 {
        self.cid_ranges
            .range(..=code)
            .next_back()
            .filter(|(_, (last, _))| code <= *last)
            .map_or(0, |(first, (_, cid))| cid.saturating_add(code - first))
    }
}

fn code(bytes: &[u8]) -> u32 {
    bytes.iter().take(4).fold(0, |code, byte| code << 8 | u32::from(*byte))
}

fn whole(number: f64) -> u32 {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a float cast saturates, and a wrong CID only costs a width"
    )]
    let whole = number as u32;
    whole
}

/// The characters that a code is mapped to.
fn target(bytes: &[u8]) -> String {
    utf16(bytes.get(..bytes.len().min(TARGET_LIMIT)).unwrap_or_default())
}

/// Decodes UTF-16BE as used by `ToUnicode`; a single byte is taken as a character.
pub(super) fn utf16(bytes: &[u8]) -> String {
    if let [byte] = bytes {
        return char::from(*byte).to_string();
    }
    let units = bytes.chunks_exact(2).map(|pair| {
        let [high, low] = pair else { return 0 };
        u16::from(*high) << 8 | u16::from(*low)
    });
    char::decode_utf16(units)
        .flatten()
        .filter(|character| *character != '\0')
        .collect()
}
