//! Unpacks streams within limits: a few bytes can decompress to any size.

use std::io::Read;

use lopdf::{Dictionary, Object, Stream};

use super::content::hex_digit;

/// Maximum unpacked size of a stream; real papers stay below it.
pub(super) const STREAM_LIMIT: usize = 48 << 20;

/// Maximum chained filters. Real streams have one or two.
const FILTERS: usize = 4;

/// Maximum bytes per predictor row. The widest real rows are those of images.
const ROW_LIMIT: i64 = 1 << 20;

/// The bytes of a stream, at most `limit` plus one. `None` for image filters and for parameters that no real stream has.
pub(super) fn unpack(stream: &Stream, filters: &[&[u8]], parameters: Option<&Object>, limit: usize) -> Option<Vec<u8>> {
    if filters.len() > FILTERS || !is_sane(parameters) {
        return None;
    }
    let mut bytes = None;
    for filter in filters {
        let packed = bytes.as_deref().unwrap_or(stream.content.as_slice());
        bytes = Some(match *filter {
            b"FlateDecode" | b"Fl" => inflate(packed, limit),
            b"ASCIIHexDecode" | b"AHx" => decode_hexadecimal(packed),
            b"RunLengthDecode" | b"RL" => decode_run_lengths(packed, limit),
            b"LZWDecode" | b"LZW" if lzw_length(packed) <= limit => by_lopdf(b"LZWDecode", packed)?,
            b"ASCII85Decode" | b"A85" => by_lopdf(b"ASCII85Decode", packed)?,
            b"Crypt" => packed.to_vec(),
            _ => return None,
        });
    }
    let mut bytes = bytes.unwrap_or_else(|| stream.content.clone());
    let known = |filter: &&[u8]| matches!(*filter, b"FlateDecode" | b"LZWDecode" | b"ASCII85Decode");
    if parameters.is_some() && !filters.is_empty() && filters.iter().all(known) && bytes.len() <= limit {
        // lopdf applies the parameters (predictors). The result is known to be small by now.
        bytes = stream.decompressed_content().ok()?;
    }
    bytes.truncate(limit.saturating_add(1));
    Some(bytes)
}

/// Whether the filter parameters describe rows that fit into memory.
pub(super) fn is_sane(parameters: Option<&Object>) -> bool {
    let fits = |parameters: &Dictionary| {
        [&b"Columns"[..], b"Colors", b"BitsPerComponent"]
            .into_iter()
            .filter_map(|key| parameters.get(key).ok()?.as_i64().ok())
            .try_fold(1_i64, |product, value| product.checked_mul(value.max(1)))
            .is_some_and(|row| row <= ROW_LIMIT * 8)
    };
    match parameters {
        Some(Object::Dictionary(parameters)) => fits(parameters),
        Some(Object::Array(each)) => each.iter().filter_map(|each| each.as_dict().ok()).all(fits),
        _ => true,
    }
}

fn by_lopdf(filter: &[u8], packed: &[u8]) -> Option<Vec<u8>> {
    let mut dictionary = Dictionary::new();
    dictionary.set("Filter", Object::Name(filter.to_vec()));
    Stream::new(dictionary, packed.to_vec()).decompressed_content().ok()
}

/// Inflates as much as possible: a broken end or checksum does not lose the beginning.
pub(super) fn inflate(bytes: &[u8], limit: usize) -> Vec<u8> {
    let most = u64::try_from(limit).unwrap_or(u64::MAX).saturating_add(1);
    let mut out = Vec::with_capacity(bytes.len().saturating_mul(3).min(limit));
    // The only error is that the data ends early; the output so far is kept.
    let _ = flate2::read::ZlibDecoder::new(bytes).take(most).read_to_end(&mut out);
    if out.is_empty() && bytes.len() > 2 {
        let _ = flate2::read::DeflateDecoder::new(bytes.get(2..).unwrap_or_default())
            .take(most)
            .read_to_end(&mut out);
    }
    out
}

/// Unpacked size of LZW data, without unpacking it: each code adds one byte to the string of the previous code.
fn lzw_length(bytes: &[u8]) -> usize {
    const CLEAR: usize = 256;
    const END: usize = 257;
    let mut lengths: Vec<usize> = vec![1; 258];
    let (mut width, mut held, mut bits) = (9_u32, 0_u32, 0_u32);
    let mut before: Option<usize> = None;
    let mut total = 0_usize;
    for byte in bytes {
        held = held << 8 | u32::from(*byte);
        bits += 8;
        if bits < width {
            continue;
        }
        bits -= width;
        let code = usize::try_from(held >> bits & ((1 << width) - 1)).unwrap_or(END);
        held &= (1 << bits) - 1;
        match code {
            CLEAR => {
                lengths.truncate(258);
                before = None;
            }
            END => break,
            code => {
                let longest = before.map_or(1, |before| before + 1);
                let length = lengths.get(code).copied().unwrap_or(longest);
                total = total.saturating_add(length);
                if before.is_some() && lengths.len() < 4096 {
                    lengths.push(longest);
                }
                before = Some(length);
            }
        }
        // Uses the early change of code width that writers apply. Without it, the count is off by one code in 512.
        width = match lengths.len() + 1 {
            ..512 => 9,
            512..1024 => 10,
            1024..2048 => 11,
            _ => 12,
        };
    }
    total
}

fn decode_hexadecimal(bytes: &[u8]) -> Vec<u8> {
    let digits: Vec<u8> = bytes
        .iter()
        .take_while(|byte| **byte != b'>')
        .filter_map(|byte| hex_digit(*byte))
        .collect();
    digits
        .chunks(2)
        .map(|pair| pair.first().copied().unwrap_or_default() << 4 | pair.get(1).copied().unwrap_or_default())
        .collect()
}

fn decode_run_lengths(bytes: &[u8], limit: usize) -> Vec<u8> {
    let mut out = Vec::new();
    let mut rest = bytes;
    while let Some((length, tail)) = rest.split_first() {
        let length = usize::from(*length);
        if length < 128 {
            let (run, tail) = tail.split_at(tail.len().min(length + 1));
            out.extend_from_slice(run);
            rest = tail;
        } else if length > 128 {
            let Some((byte, tail)) = tail.split_first() else { break };
            out.extend(std::iter::repeat_n(*byte, 257 - length));
            rest = tail;
        } else {
            break;
        }
        if out.len() > limit {
            break;
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_length_of_lzw_data_is_known_before_it_is_unpacked() {
        // The nine-byte example of ISO 32000-1, 7.4.4.2.
        let packed = [0x80, 0x0B, 0x60, 0x50, 0x22, 0x0C, 0x0C, 0x85, 0x01];
        let unpacked = by_lopdf(b"LZWDecode", &packed).unwrap();
        assert_eq!(unpacked, [45, 45, 45, 45, 45, 65, 45, 45, 45, 66]);
        assert_eq!(lzw_length(&packed), unpacked.len());
    }
}
