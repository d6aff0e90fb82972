use std::io::{Cursor, Read};

use roxmltree::Document;
use zip::ZipArchive;
use zip::result::ZipError;

use crate::budget::{ReadBudget, ReadResource};
use crate::decode::decode_xml;
use crate::format::FormatError;
use crate::xml::with_document;

const FORMAT: &str = "a zip archive";
/// Maximum number of files in a package. A thesis with a picture on each page has 2,000.
const MEMBERS: usize = 20_000;
/// Maximum unpacked size of a file that is read, in bytes. The text of a 600-page thesis in Word has 30 MB.
const MEMBER_BYTES: u64 = 64 << 20;
/// How each file is listed in a zip archive.
const LISTING: &[u8] = b"PK\x01\x02";

/// What a zip archive contains.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PackageKind {
    Docx,
    Odt,
    Epub,
    /// Apple Pages.
    Pages,
    /// A format that is not read, with its name.
    Other(&'static str),
    /// Any other archive, such as a LaTeX project.
    Archive,
}

/// A zip archive in memory. Files are looked up by name only here; nothing is written to disk.
pub(crate) struct ZipPackage<'b> {
    archive: ZipArchive<Cursor<&'b [u8]>>,
    budget: &'b ReadBudget,
}

impl<'b> ZipPackage<'b> {
    /// Lists the files of an archive.
    ///
    /// # Errors
    /// If it is damaged or lists too many files.
    pub(crate) fn open(bytes: &'b [u8], budget: &'b ReadBudget) -> Result<Self, FormatError> {
        // The listing is read into memory as a whole, so its length is checked first.
        let listed = bytes.windows(LISTING.len()).filter(|window| *window == LISTING).count();
        if listed > MEMBERS {
            return Err(FormatError::not(FORMAT, format!("it has more than {MEMBERS} files")));
        }
        let archive =
            ZipArchive::new(Cursor::new(bytes)).map_err(|error| FormatError::not(FORMAT, error.to_string()))?;
        Ok(Self { archive, budget })
    }

    /// What the archive contains, judged by its files.
    pub(crate) fn kind(&mut self) -> PackageKind {
        // OpenDocument and EPUB state their type in a file.
        let stated = self.text("mimetype").ok().flatten();
        if let Some(kind) = stated.and_then(|stated| of_mime_type(stated.trim())) {
            return kind;
        }
        let names: Vec<String> = self.names();
        let starts = |folder: &str| names.iter().any(|name| name.starts_with(folder));
        if starts("word/") && starts("[Content_Types].xml") {
            PackageKind::Docx
        } else if starts("ppt/") {
            PackageKind::Other("a PowerPoint presentation")
        } else if starts("xl/") {
            PackageKind::Other("a spreadsheet")
        } else if names.iter().any(|name| name == "Index/Document.iwa") {
            PackageKind::Pages
        } else {
            PackageKind::Archive
        }
    }

    /// The names of all files, in the order of the listing.
    pub(crate) fn names(&self) -> Vec<String> {
        self.archive
            .file_names()
            .filter_map(|name| Some(name.ok()?.into_owned()))
            .collect()
    }

    /// The bytes of a regular file. `None` for links, folders and unknown names.
    ///
    /// # Errors
    /// If the file is encrypted, damaged or over a limit.
    pub(crate) fn bytes(&mut self, name: &str) -> Result<Option<Vec<u8>>, FormatError> {
        let member = match self.archive.by_name(name) {
            Ok(member) if member.is_file() => member,
            Ok(_) | Err(ZipError::FileNotFound) => return Ok(None),
            Err(ZipError::UnsupportedArchive(ZipError::PASSWORD_REQUIRED)) => return Err(FormatError::Encrypted),
            Err(error) => return Err(FormatError::not(FORMAT, format!("{name} cannot be unpacked: {error}"))),
        };
        let room = u64::try_from(self.budget.left(ReadResource::DecodedBytes)).unwrap_or(u64::MAX);
        let mut bytes = Vec::new();
        member
            .take(room.min(MEMBER_BYTES).saturating_add(1))
            .read_to_end(&mut bytes)
            .map_err(|error| FormatError::not(FORMAT, format!("{name} cannot be unpacked: {error}")))?;
        let is_affordable = self.budget.spend(ReadResource::DecodedBytes, bytes.len());
        if bytes.len() as u64 > MEMBER_BYTES {
            let reason = format!("{name} is too large: it unpacks to more than {} MB", MEMBER_BYTES >> 20);
            return Err(FormatError::not(FORMAT, reason));
        }
        match is_affordable {
            true => Ok(Some(bytes)),
            false => Err(FormatError::not(
                FORMAT,
                "it is too large: its files unpack to more than the limit",
            )),
        }
    }

    /// The text of an XML file; see [`Self::bytes`].
    ///
    /// # Errors
    /// Same as [`Self::bytes`].
    pub(crate) fn text(&mut self, name: &str) -> Result<Option<String>, FormatError> {
        Ok(self.bytes(name)?.map(|bytes| decode_xml(&bytes)))
    }

    /// Reads an XML file that a document may lack. An empty one counts as missing.
    ///
    /// # Errors
    /// If it exists but cannot be read: leaving it out would show what it hides.
    pub(super) fn xml<T>(
        &mut self,
        name: &str,
        format: &'static str,
        read: impl FnOnce(&Document<'_>) -> T,
    ) -> Result<Option<T>, FormatError> {
        let Some(text) = self.text(name)?.filter(|text| !text.trim().is_empty()) else {
            return Ok(None);
        };
        match with_document(&text, format, |document| Ok(read(document))) {
            Err(FormatError::NotThisFormat { reason, .. }) => {
                Err(FormatError::not(format, format!("{name}: {reason}")))
            }
            other => other.map(Some),
        }
    }
}

fn of_mime_type(stated: &str) -> Option<PackageKind> {
    match stated {
        "application/epub+zip" => Some(PackageKind::Epub),
        "application/vnd.oasis.opendocument.text" | "application/vnd.oasis.opendocument.text-template" => {
            Some(PackageKind::Odt)
        }
        _ if stated.starts_with("application/vnd.oasis.opendocument.") => {
            Some(PackageKind::Other("an OpenDocument file without text"))
        }
        _ => None,
    }
}

/// A target of a link in the part `from`, as a name in the package: `styles.xml` in `word/document.xml` is `word/styles.xml`.
pub(super) fn resolve(from: &str, target: &str) -> String {
    if let Some(absolute) = target.strip_prefix('/') {
        return absolute.to_owned();
    }
    let mut parts: Vec<&str> = from.split('/').collect();
    parts.pop();
    for part in target.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop();
            }
            other => parts.push(other),
        }
    }
    parts.join("/")
}
