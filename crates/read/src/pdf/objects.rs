//! Reading lopdf's objects without ever failing: a wrong type is nothing.

use std::io::Read;
use std::sync::atomic::{AtomicUsize, Ordering};

use lopdf::{Dictionary, Document, Object, Stream};

use super::matrix::Rect;

/// No stream of an honest paper unpacks to more.
const STREAM_LIMIT: usize = 48 << 20;

/// Packed size up to which a stream in a rare packing is given to lopdf, which unpacks without a limit of its own.
const RARE_LIMIT: usize = 256 << 10;

/// All streams of one document together.
const DOCUMENT_LIMIT: usize = 768 << 20;

/// A document and how much was unpacked from it.
pub(super) struct Pdf {
    pub(super) document: Document,
    unpacked: AtomicUsize,
}

impl Pdf {
    pub(super) fn new(document: Document) -> Self {
        Self {
            document,
            unpacked: AtomicUsize::new(0),
        }
    }

    /// The object meant, through references. Chains are followed a few steps only.
    pub(super) fn resolve<'a>(&'a self, object: &'a Object) -> &'a Object {
        let mut object = object;
        for _ in 0..16 {
            match object {
                Object::Reference(id) => match self.document.objects.get(id) {
                    Some(next) => object = next,
                    None => return &Object::Null,
                },
                other => return other,
            }
        }
        &Object::Null
    }

    pub(super) fn get<'a>(&'a self, dictionary: &'a Dictionary, key: &[u8]) -> Option<&'a Object> {
        let object = self.resolve(dictionary.get(key).ok()?);
        (!object.is_null()).then_some(object)
    }

    pub(super) fn dictionary<'a>(&'a self, dictionary: &'a Dictionary, key: &[u8]) -> Option<&'a Dictionary> {
        match self.get(dictionary, key)? {
            Object::Dictionary(inner) => Some(inner),
            Object::Stream(stream) => Some(&stream.dict),
            _ => None,
        }
    }

    pub(super) fn stream<'a>(&'a self, dictionary: &'a Dictionary, key: &[u8]) -> Option<&'a Stream> {
        self.get(dictionary, key)?.as_stream().ok()
    }

    pub(super) fn array<'a>(&'a self, dictionary: &'a Dictionary, key: &[u8]) -> Option<&'a [Object]> {
        Some(self.get(dictionary, key)?.as_array().ok()?.as_slice())
    }

    pub(super) fn name<'a>(&'a self, dictionary: &'a Dictionary, key: &[u8]) -> Option<&'a [u8]> {
        self.get(dictionary, key)?.as_name().ok()
    }

    pub(super) fn number(&self, dictionary: &Dictionary, key: &[u8]) -> Option<f64> {
        self.as_number(self.get(dictionary, key)?)
    }

    pub(super) fn as_number(&self, object: &Object) -> Option<f64> {
        match self.resolve(object) {
            Object::Integer(value) => {
                #[expect(clippy::cast_precision_loss, reason = "coordinates and widths are far below 2^52")]
                let value = *value as f64;
                Some(value)
            }
            Object::Real(value) => Some(f64::from(*value)),
            _ => None,
        }
    }

    pub(super) fn numbers(&self, dictionary: &Dictionary, key: &[u8]) -> Option<Vec<f64>> {
        self.array(dictionary, key)?
            .iter()
            .map(|object| self.as_number(object))
            .collect()
    }

    pub(super) fn rect(&self, dictionary: &Dictionary, key: &[u8]) -> Option<Rect> {
        let numbers = self.numbers(dictionary, key)?;
        let [a, b, c, d] = numbers.as_slice() else { return None };
        let mut rect = Rect::EMPTY;
        rect.include(*a, *b);
        rect.include(*c, *d);
        (!rect.is_empty()).then_some(rect)
    }

    /// The bytes of a stream, unpacked. Cut at limits, so that a small file cannot fill the memory; `None` for filters of images.
    pub(super) fn unpack(&self, stream: &Stream) -> Option<Vec<u8>> {
        if self.unpacked.load(Ordering::Relaxed) > DOCUMENT_LIMIT {
            return None;
        }
        let filters = self.filters(&stream.dict);
        let plain_parameters = self.get(&stream.dict, b"DecodeParms").is_none();
        let bytes = match filters.as_slice() {
            [] => stream.content.clone(),
            [b"FlateDecode" | b"Fl"] if plain_parameters => inflate(&stream.content),
            _ => {
                let known = |filter: &&[u8]| matches!(*filter, b"FlateDecode" | b"LZWDecode" | b"ASCII85Decode");
                if filters.iter().all(known) && stream.content.len() < RARE_LIMIT {
                    stream.decompressed_content().ok()?
                } else {
                    self.unpack_rare(stream, &filters)?
                }
            }
        };
        self.unpacked.fetch_add(bytes.len(), Ordering::Relaxed);
        Some(bytes)
    }

    fn unpack_rare(&self, stream: &Stream, filters: &[&[u8]]) -> Option<Vec<u8>> {
        let mut bytes = stream.content.clone();
        for filter in filters {
            bytes = match *filter {
                b"FlateDecode" | b"Fl" => inflate(&bytes),
                b"ASCIIHexDecode" | b"AHx" => decode_hexadecimal(&bytes),
                b"RunLengthDecode" | b"RL" => decode_run_lengths(&bytes),
                b"LZWDecode" | b"LZW" | b"ASCII85Decode" | b"A85" => {
                    let full: &[u8] = if filter.starts_with(b"L") {
                        b"LZWDecode"
                    } else {
                        b"ASCII85Decode"
                    };
                    let mut dictionary = Dictionary::new();
                    dictionary.set("Filter", Object::Name(full.to_vec()));
                    Stream::new(dictionary, bytes).decompressed_content().ok()?
                }
                b"Crypt" => bytes,
                _ => return None,
            };
        }
        Some(bytes)
    }

    fn filters<'a>(&'a self, dictionary: &'a Dictionary) -> Vec<&'a [u8]> {
        match self.get(dictionary, b"Filter") {
            Some(Object::Name(name)) => vec![name.as_slice()],
            Some(Object::Array(names)) => names
                .iter()
                .filter_map(|name| self.resolve(name).as_name().ok())
                .collect(),
            _ => Vec::new(),
        }
    }
}

/// Inflates what can be inflated: a broken end or check sum does not lose the beginning.
fn inflate(bytes: &[u8]) -> Vec<u8> {
    let limit = u64::try_from(STREAM_LIMIT).unwrap_or(u64::MAX);
    let mut out = Vec::with_capacity(bytes.len().saturating_mul(3).min(STREAM_LIMIT));
    // The error, if any, is that the data ends early; what came before it is kept.
    let _ = flate2::read::ZlibDecoder::new(bytes).take(limit).read_to_end(&mut out);
    if out.is_empty() && bytes.len() > 2 {
        let _ = flate2::read::DeflateDecoder::new(bytes.get(2..).unwrap_or_default())
            .take(limit)
            .read_to_end(&mut out);
    }
    out
}

fn decode_hexadecimal(bytes: &[u8]) -> Vec<u8> {
    let digits: Vec<u8> = bytes
        .iter()
        .take_while(|byte| **byte != b'>')
        .filter_map(|byte| super::content::hex_digit(*byte))
        .collect();
    digits
        .chunks(2)
        .map(|pair| pair.first().copied().unwrap_or_default() << 4 | pair.get(1).copied().unwrap_or_default())
        .collect()
}

fn decode_run_lengths(bytes: &[u8]) -> Vec<u8> {
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
        if out.len() > STREAM_LIMIT {
            break;
        }
    }
    out
}
