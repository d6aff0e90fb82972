//! Reads lopdf's objects without failing: a wrong type counts as missing.

use lopdf::{Dictionary, Document, Object, Stream};

use super::matrix::Rect;
use super::unpack::{STREAM_LIMIT, unpack};
use crate::budget::{ReadBudget, ReadResource};

/// A document and its read budget.
pub(super) struct Pdf {
    pub(super) document: Document,
    pub(super) budget: ReadBudget,
}

impl Pdf {
    pub(super) fn new(document: Document) -> Self {
        Self {
            document,
            budget: ReadBudget::default(),
        }
    }

    /// The object after following references. Only a few steps of a chain are followed.
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

    /// The unpacked bytes of a stream, cut at limits so that a small file cannot fill the memory. `None` for image filters.
    pub(super) fn unpack(&self, stream: &Stream) -> Option<Vec<u8>> {
        let limit = STREAM_LIMIT.min(self.budget.left(ReadResource::DecodedBytes));
        let filters = self.filters(&stream.dict);
        let mut bytes = unpack(stream, &filters, self.get(&stream.dict, b"DecodeParms"), limit)?;
        // One byte over the limit shows the budget that it was exceeded.
        self.budget.spend(ReadResource::DecodedBytes, bytes.len());
        bytes.truncate(limit);
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
