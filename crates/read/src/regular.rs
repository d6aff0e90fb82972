use std::fs::{self, File, FileType};
use std::io::{self, Read};
use std::path::Path;

/// Opens a regular file for reading. Devices, named pipes and sockets are refused before they are opened: opening one can wait for ever, and reading
/// one need not end.
///
/// # Errors
/// When the path leads to something else than a regular file ([`io::ErrorKind::InvalidInput`]), or the operating system refuses.
pub fn open_file(path: &Path) -> io::Result<File> {
    refuse_special(fs::metadata(path)?.file_type())?;
    let file = File::open(path)?;
    // The path may lead elsewhere by now.
    refuse_special(file.metadata()?.file_type())?;
    Ok(file)
}

/// The bytes of a regular file; see [`open_file`]. At most `limit` and one more, so that a longer file is recognised.
///
/// # Errors
/// As [`open_file`].
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

/// What a path leads to that is neither a regular file nor a folder, in words.
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
