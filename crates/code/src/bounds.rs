/// Limits on how much of a repository is read. The rest is skipped and counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bounds {
    /// Entries of any kind, read or not.
    pub entries: usize,
    /// Source files.
    pub files: usize,
    /// Bytes of one file. Longer files are skipped.
    pub file_bytes: u64,
    /// Bytes of all files together.
    pub bytes: u64,
    /// Unpacked bytes of an archive, read or not.
    pub unpacked: u64,
    /// Nesting depth of folders.
    pub depth: usize,
    /// Functions.
    pub functions: usize,
}

impl Default for Bounds {
    /// Enough for a large research repository: 5,000 files, 24 MiB of code.
    fn default() -> Self {
        Self {
            entries: 50_000,
            files: 5_000,
            file_bytes: 256 << 10,
            bytes: 24 << 20,
            unpacked: 512 << 20,
            depth: 24,
            functions: 40_000,
        }
    }
}
