//! TrueType support, limited to the characters of glyphs that the PDF itself does not map.

use std::collections::HashMap;

use crate::budget::{ReadBudget, ReadResource};

/// The bytes of a table.
pub(super) fn table<'a>(program: &'a [u8], tag: &[u8; 4]) -> Option<&'a [u8]> {
    let count = u16_at(program, 4)?;
    for index in 0..usize::from(count).min(64) {
        let record = 12 + index * 16;
        if program.get(record..record + 4)? == tag {
            let offset = usize::try_from(u32_at(program, record + 8)?).ok()?;
            let length = usize::try_from(u32_at(program, record + 12)?).ok()?;
            return program.get(offset..offset.saturating_add(length).min(program.len()));
        }
    }
    None
}

/// The `cmap` table inverted: glyph to character. Empty if there is none.
pub(super) fn characters_by_glyph(program: &[u8], budget: &ReadBudget) -> HashMap<u32, char> {
    let mut found = HashMap::new();
    let Some(cmap) = table(program, b"cmap") else {
        return found;
    };
    let count = u16_at(cmap, 2).unwrap_or(0);
    for index in 0..usize::from(count).min(32) {
        let record = 4 + index * 8;
        let (Some(platform), Some(offset)) = (u16_at(cmap, record), u32_at(cmap, record + 4)) else {
            break;
        };
        let unicode = platform == 0 || platform == 3;
        let subtable = usize::try_from(offset).ok().and_then(|offset| cmap.get(offset..));
        if let Some(subtable) = subtable.filter(|_| unicode) {
            match u16_at(subtable, 0) {
                Some(4) => segments(subtable, &mut found, budget),
                Some(12) => groups(subtable, &mut found, budget),
                _ => {}
            }
        }
    }
    found
}

fn put(found: &mut HashMap<u32, char>, glyph: u32, code: u32) {
    // Symbol fonts use private-use codes; the low byte is the typed character.
    let code = if (0xf020..=0xf07e).contains(&code) {
        code - 0xf000
    } else {
        code
    };
    if let Some(character) = char::from_u32(code)
        && glyph != 0
    {
        found.entry(glyph).or_insert(character);
    }
}

fn segments(subtable: &[u8], found: &mut HashMap<u32, char>, budget: &ReadBudget) {
    let Some(double) = u16_at(subtable, 6) else { return };
    let double = usize::from(double & !1);
    for at in (0..double).step_by(2) {
        let (Some(end), Some(start), Some(delta), Some(range)) = (
            u16_at(subtable, 14 + at),
            u16_at(subtable, 16 + double + at),
            u16_at(subtable, 16 + 2 * double + at),
            u16_at(subtable, 16 + 3 * double + at),
        ) else {
            return;
        };
        if end < start || start == 0xffff {
            continue;
        }
        if !budget.spend(ReadResource::MapEntries, usize::from(end - start) + 1) {
            return;
        }
        for code in start..=end {
            let glyph = if range == 0 {
                Some(code.wrapping_add(delta))
            } else {
                let place = 16 + 3 * double + at + usize::from(range) + 2 * usize::from(code - start);
                u16_at(subtable, place)
                    .filter(|glyph| *glyph != 0)
                    .map(|glyph| glyph.wrapping_add(delta))
            };
            if let Some(glyph) = glyph {
                put(found, u32::from(glyph), u32::from(code));
            }
        }
    }
}

fn groups(subtable: &[u8], found: &mut HashMap<u32, char>, budget: &ReadBudget) {
    let count = u32_at(subtable, 12).unwrap_or(0).min(10_000);
    for index in 0..count {
        let Ok(at) = usize::try_from(16 + index * 12) else {
            return;
        };
        let (Some(start), Some(end), Some(glyph)) =
            (u32_at(subtable, at), u32_at(subtable, at + 4), u32_at(subtable, at + 8))
        else {
            return;
        };
        let end = end.min(start.saturating_add(0xffff));
        let length = usize::try_from(end.saturating_sub(start)).unwrap_or(usize::MAX);
        if !budget.spend(ReadResource::MapEntries, length.saturating_add(1)) {
            return;
        }
        for (step, code) in (start..=end).enumerate() {
            if let Ok(step) = u32::try_from(step) {
                put(found, glyph.saturating_add(step), code);
            }
        }
        if found.len() > 0x2_0000 {
            return;
        }
    }
}

fn u16_at(bytes: &[u8], at: usize) -> Option<u16> {
    let pair: [u8; 2] = bytes.get(at..at.checked_add(2)?)?.try_into().ok()?;
    Some(u16::from_be_bytes(pair))
}

fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    let four: [u8; 4] = bytes.get(at..at.checked_add(4)?)?.try_into().ok()?;
    Some(u32::from_be_bytes(four))
}
