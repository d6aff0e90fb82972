use std::fs::{File, OpenOptions};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use rustc_hash::FxHashMap;
use sha2::{Digest, Sha256};

use super::EncodeError;

/// Magic number of a vector cache file.
const MARK: &[u8] = b"PRECKPT1";
/// Size of a key in bytes: a hash of model and text. A prefix of the text would not be unique.
const KEY: usize = 32;

/// A cache of a model's vectors of works, in an append-only file. A record is a key, a scale and signed bytes. An incomplete record at the end, left
/// by a crash, is ignored and overwritten.
#[derive(Debug)]
pub struct VectorCache {
    path: PathBuf,
    model: String,
    inner: Mutex<CacheState>,
}

#[derive(Debug, Default)]
struct CacheState {
    vectors: FxHashMap<[u8; KEY], (f32, Vec<i8>)>,
    /// The file, if this process can write to it; only one process can at a time.
    file: Option<File>,
    dimensions: Option<usize>,
}

impl VectorCache {
    /// The cached vectors of `model` in `folder`. If the file cannot be read or written, they are cached in memory only, which costs nothing but
    /// time.
    #[must_use]
    pub fn open(folder: &Path, model: &str) -> Self {
        let digest = Sha256::digest(model.as_bytes());
        let name: String = digest.iter().take(8).map(|byte| format!("{byte:02x}")).collect();
        let path = folder.join(format!("{name}.kept"));
        let inner = CacheState::read(&path).unwrap_or_default();
        Self {
            path,
            model: model.to_owned(),
            inner: Mutex::new(inner),
        }
    }

    /// Path of the cache file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The vectors of these texts. Missing ones are made with `make`, in order, and cached.
    ///
    /// # Errors
    /// If `make` fails or returns a different number of vectors than texts.
    pub fn of(
        &self,
        texts: &[&str],
        make: impl FnOnce(&[&str]) -> Result<Vec<Vec<f32>>, EncodeError>,
    ) -> Result<Vec<Vec<f32>>, EncodeError> {
        let keys: Vec<[u8; KEY]> = texts.iter().map(|text| self.key(text)).collect();
        let mut missing: Vec<usize> = Vec::new();
        {
            let inner = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
            missing.extend(
                (0..)
                    .zip(&keys)
                    .filter(|(_, key)| !inner.vectors.contains_key(*key))
                    .map(|(at, _)| at),
            );
        }
        if !missing.is_empty() {
            let asked: Vec<&str> = missing.iter().filter_map(|&at| texts.get(at).copied()).collect();
            let made = make(&asked)?;
            if made.len() != asked.len() {
                return Err(EncodeError::Answer {
                    model: self.model.clone(),
                    reason: format!("{} vectors for {} texts", made.len(), asked.len()),
                });
            }
            let mut inner = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
            for (&at, vector) in missing.iter().zip(&made) {
                // Another search may have added it in the meantime.
                if let Some(&key) = keys.get(at)
                    && !inner.vectors.contains_key(&key)
                {
                    inner.keep(key, vector);
                }
            }
        }
        let inner = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
        let vectors = keys.iter().map(|key| {
            let kept = inner.vectors.get(key);
            kept.map(|(scale, bytes)| bytes.iter().map(|&byte| scale * f32::from(byte)).collect())
                .unwrap_or_default()
        });
        Ok(vectors.collect())
    }

    fn key(&self, text: &str) -> [u8; KEY] {
        let mut hasher = Sha256::new();
        hasher.update((self.model.len() as u64).to_le_bytes());
        hasher.update(self.model.as_bytes());
        hasher.update(text.as_bytes());
        hasher.finalize().into()
    }
}

impl CacheState {
    /// Opens the file and reads its content; `None` if it cannot be opened at all.
    fn read(path: &Path) -> Option<Self> {
        std::fs::create_dir_all(path.parent()?).ok()?;
        let mut file = OpenOptions::new()
            .read(true)
            .append(true)
            .create(true)
            .open(path)
            .ok()?;
        // If another process is writing, the file is only read, and new vectors are not saved.
        let alone = file.try_lock().is_ok();
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).ok()?;
        let mut inner = Self::default();
        let mut whole = 0;
        if let Some((dimensions, records)) = head(&bytes) {
            inner.dimensions = Some(dimensions);
            let length = KEY + 4 + dimensions;
            for record in records.chunks_exact(length) {
                if let Some((key, rest)) = record.split_first_chunk::<KEY>()
                    && let Some((scale, bytes)) = rest.split_first_chunk::<4>()
                {
                    let vector = bytes.iter().map(|&byte| byte.cast_signed()).collect();
                    inner.vectors.insert(*key, (f32::from_le_bytes(*scale), vector));
                }
            }
            whole = MARK.len() + 4 + records.len() / length * length;
        }
        if alone {
            if whole != bytes.len() {
                file.set_len(whole as u64).ok()?;
            }
            inner.file = Some(file);
        }
        Some(inner)
    }

    fn keep(&mut self, key: [u8; KEY], vector: &[f32]) {
        let most = vector.iter().fold(0.0_f32, |most, x| most.max(x.abs()));
        let scale = most / 127.0;
        let bytes: Vec<i8> = vector
            .iter()
            .map(|x| if scale > 0.0 { (x / scale).round() as i8 } else { 0 })
            .collect();
        let mut record = Vec::new();
        if self.dimensions.is_none() {
            record.extend(MARK);
            record.extend(u32::try_from(bytes.len()).unwrap_or_default().to_le_bytes());
            self.dimensions = Some(bytes.len());
        }
        record.extend(key);
        record.extend(scale.to_le_bytes());
        record.extend(bytes.iter().map(|&byte| byte.cast_unsigned()));
        if self.dimensions == Some(bytes.len())
            && let Some(file) = &mut self.file
            && file.write_all(&record).is_err()
        {
            // The disk is full: from now on new vectors are not saved.
            self.file = None;
        }
        self.vectors.insert(key, (scale, bytes));
    }
}

/// Number of dimensions and the records after the header.
fn head(bytes: &[u8]) -> Option<(usize, &[u8])> {
    let (dimensions, records) = bytes.strip_prefix(MARK)?.split_first_chunk::<4>()?;
    let dimensions = u32::from_le_bytes(*dimensions) as usize;
    (1..=16_384).contains(&dimensions).then_some((dimensions, records))
}
