use std::fs::{self, File, FileType};
use std::io::{self, Read};
use std::path::Path;

/// Opens a regular file for reading. Devices, named pipes and sockets are rejected before they are opened: opening one can block forever, and
/// reading one may never end.
///
/// # Errors
/// If the path is not a regular file ([`io::ErrorKind::InvalidInput`]), or the operating system denies access.
pub fn open_file(path: &Path) -> io::Result<File> {
    refuse_special(fs::metadata(path)?.file_type())?;
    let file = File::open(path)?;
    // The path may point elsewhere by now.
    refuse_special(file.metadata()?.file_type())?;
    Ok(file)
}

/// The bytes of a regular file; see [`open_file`]. Reads at most `limit` plus one byte, so that a longer file is recognized.
///
/// # Errors
/// Same as [`open_file`].
pub(crate) fn read_file(path: &Path, limit: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    open_file(path)?.take(limit.saturating_add(1)).read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn refuse_special(kind: FileType) -> io::Result<()> {
    match special(kind) {
        Some(what) => Err(io::Error::new(
            io::ErrorKind::InvalidInput,
            format!("it is {what}, not a regular file"),
        )),
        None => Ok(()),
    }
}

/// Description of a path that is neither a regular file nor a folder.
pub(crate) fn special(kind: FileType) -> Option<&'static str> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt;
        if kind.is_fifo() {
            return Some("a named pipe");
        }
        if kind.is_socket() {
            return Some("a socket");
        }
        if kind.is_char_device() || kind.is_block_device() {
            return Some("a device");
        }
    }
    (!kind.is_file() && !kind.is_dir()).then_some("a special file")
}
