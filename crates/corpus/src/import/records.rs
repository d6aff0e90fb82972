use std::io::{self, BufRead, BufReader, Read};

use flate2::bufread::MultiGzDecoder;

use super::bibtex::BibTex;
use super::csl_json::CslJson;
use super::json_lines::JsonLines;
use super::ris::Ris;
use super::{BadRecord, ImportFormat};
use crate::Record;

/// Records of one input, in its order.
pub struct Records<'a> {
    records: Box<dyn Iterator<Item = Result<Record, BadRecord>> + Send + 'a>,
}

impl Iterator for Records<'_> {
    type Item = Result<Record, BadRecord>;

    fn next(&mut self) -> Option<Self::Item> {
        self.records.next()
    }
}

/// The records of `input`, packed or not. When the input itself breaks off, the last item says so.
pub fn records<'a>(input: impl Read + Send + 'a, format: ImportFormat) -> Records<'a> {
    let unpacked = match unpack(input) {
        Ok(unpacked) => unpacked,
        Err(error) => {
            let bad = BadRecord::new(0, None, format!("the input cannot be read: {error}"));
            return Records {
                records: Box::new(std::iter::once(Err(bad))),
            };
        }
    };
    Records {
        records: match format {
            ImportFormat::JsonLines => Box::new(JsonLines::new(unpacked)),
            ImportFormat::BibTex => Box::new(BibTex::new(unpacked)),
            ImportFormat::Ris => Box::new(Ris::new(unpacked)),
            ImportFormat::CslJson => Box::new(CslJson::new(unpacked)),
        },
    }
}

/// Looks at the first bytes and unpacks gzip and Zstandard.
fn unpack<'a>(input: impl Read + Send + 'a) -> io::Result<Box<dyn BufRead + Send + 'a>> {
    let mut input = BufReader::with_capacity(1 << 16, input);
    let head = input.fill_buf()?;
    Ok(if head.starts_with(&[0x1f, 0x8b]) {
        Box::new(BufReader::with_capacity(1 << 16, MultiGzDecoder::new(input)))
    } else if head.starts_with(&[0x28, 0xb5, 0x2f, 0xfd]) {
        Box::new(BufReader::with_capacity(
            1 << 16,
            zstd::stream::read::Decoder::with_buffer(input)?,
        ))
    } else {
        Box::new(input)
    })
}
