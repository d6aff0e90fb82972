use std::io::Write;

use flate2::Compression;
use flate2::write::GzEncoder;
use precedent_code::{Bounds, Repository, read_archive};
use tar::{Builder, EntryType, Header};

/// An archive as code hosts serve it.
pub(crate) struct Packed(Builder<GzEncoder<Vec<u8>>>);

impl Packed {
    pub(crate) fn new() -> Self {
        Self(Builder::new(GzEncoder::new(Vec::new(), Compression::fast())))
    }

    pub(crate) fn file(mut self, path: &str, text: &str) -> Self {
        self.entry(path, EntryType::Regular, "", text.as_bytes());
        self
    }

    /// Adds an entry with its path unchanged, even an invalid one.
    pub(crate) fn entry(&mut self, path: &str, kind: EntryType, link: &str, bytes: &[u8]) {
        let mut header = Header::new_gnu();
        let name = &mut header.as_old_mut().name;
        name.iter_mut()
            .zip(path.bytes())
            .for_each(|(place, byte)| *place = byte);
        let name = &mut header.as_old_mut().linkname;
        name.iter_mut()
            .zip(link.bytes())
            .for_each(|(place, byte)| *place = byte);
        header.set_entry_type(kind);
        header.set_size(bytes.len() as u64);
        header.set_mode(0o644);
        header.set_cksum();
        self.0.append(&header, bytes).unwrap();
    }

    pub(crate) fn bytes(self) -> Vec<u8> {
        let mut encoder = self.0.into_inner().unwrap();
        encoder.flush().unwrap();
        encoder.finish().unwrap()
    }
}

pub(crate) fn read(packed: Packed) -> Repository {
    read_archive(packed.bytes().as_slice(), &Bounds::default()).unwrap()
}

/// The name of each function as `Owner.name` or `name`.
pub(crate) fn names(repository: &Repository) -> Vec<String> {
    let name = |one: &precedent_code::Function| match &one.owner {
        Some(owner) => format!("{owner}.{}", one.name),
        None => one.name.clone(),
    };
    repository.functions.iter().map(name).collect()
}

/// `caller > called`, for each call.
pub(crate) fn calls(repository: &Repository) -> Vec<String> {
    let names = names(repository);
    let pair = |call: &precedent_code::Call| format!("{} > {}", names[call.from], names[call.to]);
    repository.calls.iter().map(pair).collect()
}
