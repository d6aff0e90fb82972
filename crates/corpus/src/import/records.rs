use std::io::{self, BufReader, Read};

use flate2::bufread::MultiGzDecoder;

use super::kind::{Input, Items};
use super::{BadRecord, ImportFormat};
use crate::Record;

/// Records of one input, in order.
pub struct Records<'a> {
    items: Box<dyn Items + 'a>,
}

impl Records<'_> {
    /// Skips the next `items` items, good or bad, without parsing them where the format allows. Used to resume an import.
    pub fn pass_over(&mut self, items: u64) {
        self.items.pass_over(items);
    }
}

impl Iterator for Records<'_> {
    type Item = Result<Record, BadRecord>;

    fn next(&mut self) -> Option<Self::Item> {
        self.items.next()
    }
}

/// An input that cannot be decompressed.
struct UnreadableInput(Option<BadRecord>);

impl Iterator for UnreadableInput {
    type Item = Result<Record, BadRecord>;

    fn next(&mut self) -> Option<Self::Item> {
        self.0.take().map(Err)
    }
}

impl Items for UnreadableInput {}

/// The records of `input`, plain or compressed. If the input ends with an error, the last item reports it.
pub fn records<'a>(input: impl Read + Send + 'a, format: ImportFormat) -> Records<'a> {
    let items = match unpack(input) {
        Ok(unpacked) => (format.kind().open)(unpacked),
        Err(error) => {
            let bad = BadRecord::new(0, None, format!("the input cannot be read: {error}"));
            Box::new(UnreadableInput(Some(bad)))
        }
    };
    Records { items }
}

/// Detects and decompresses gzip and Zstandard.
pub(super) fn unpack<'a>(input: impl Read + Send + 'a) -> io::Result<Input<'a>> {
    use std::io::BufRead;
    let mut input = BufReader::with_capacity(1 << 16, input);
    let head = input.fill_buf()?;
    Ok(if head.starts_with(&[0x1f, 0x8b]) {
        Box::new(BufReader::with_capacity(1 << 16, MultiGzDecoder::new(input)))
    } else if head.starts_with(&[0x28, 0xb5, 0x2f, 0xfd]) {
        let decoder = zstd::stream::read::Decoder::with_buffer(input)?;
        Box::new(BufReader::with_capacity(1 << 16, decoder))
    } else {
        Box::new(input)
    })
}
