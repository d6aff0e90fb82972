/// How much of a repository is looked at. What lies beyond is left out and counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bounds {
    /// Entries of any kind that are looked at, read or not.
    pub entries: usize,
    /// Files of source code that are read.
    pub files: usize,
    /// Bytes of one file; a longer one is left out.
    pub file_bytes: u64,
    /// Bytes of all files together.
    pub bytes: u64,
    /// Bytes that an archive may unpack to, read or not.
    pub unpacked: u64,
    /// Folders that may lie in one another.
    pub depth: usize,
    /// Functions that are kept.
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
