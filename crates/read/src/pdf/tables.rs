//! Checks cross-reference streams before lopdf reads them, because lopdf unpacks them without a limit.

use super::content::{find, is_space};
use super::unpack::inflate;

/// Maximum unpacked bytes per cross-reference stream: two million objects.
const TABLE_LIMIT: usize = 16 << 20;

/// Maximum chained tables examined.
const TABLES: usize = 4_096;

/// Maximum bytes between the start of a table and its data.
const DICTIONARY: usize = 64 << 10;

/// Checks the unpacked size of a file's cross-reference streams.
///
/// # Errors
/// If they unpack to more than the limit.
pub(super) fn check(bytes: &[u8]) -> Result<(), String> {
    let mut places: Vec<usize> = Vec::new();
    for word in [&b"startxref"[..], b"Prev", b"XRefStm"] {
        let mut from = 0;
        while let Some(at) = bytes.get(from..).and_then(|rest| find(rest, word)) {
            from += at + word.len();
            places.extend(number_at(bytes, from));
        }
    }
    places.sort_unstable();
    places.dedup();
    let mut total = 0;
    for place in places.into_iter().take(TABLES) {
        let length = table_length(bytes, place, TABLE_LIMIT);
        total += length;
        if length > TABLE_LIMIT || total > TABLE_LIMIT * 2 {
            return Err("its cross references unpack to more than the limit".to_owned());
        }
    }
    Ok(())
}

fn number_at(bytes: &[u8], from: usize) -> Option<usize> {
    let digits: Vec<u8> = bytes
        .get(from..)?
        .iter()
        .skip_while(|byte| is_space(**byte))
        .take_while(|byte| byte.is_ascii_digit())
        .take(12)
        .copied()
        .collect();
    std::str::from_utf8(&digits).ok()?.parse().ok()
}

/// Number of bytes that the stream at `place` unpacks to, counted to a little more than `limit`; 0 if there is no packed stream.
fn table_length(bytes: &[u8], place: usize, limit: usize) -> usize {
    let Some(rest) = bytes.get(place..) else { return 0 };
    let head = rest.get(..rest.len().min(DICTIONARY)).unwrap_or_default();
    if head.starts_with(b"xref") {
        return 0;
    }
    let Some(data) = find(head, b"stream").and_then(|at| rest.get(at + b"stream".len()..)) else {
        return 0;
    };
    let data = data.strip_prefix(b"\r\n").or(data.strip_prefix(b"\n")).unwrap_or(data);
    inflate(data, limit).len()
}
