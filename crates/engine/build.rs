//! Lists the files of `dimensions/` and `personas/` at build time. To add a dimension or persona, add a file there.

use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let root = PathBuf::from(env::var("CARGO_MANIFEST_DIR").map_err(io::Error::other)?);
    let out = PathBuf::from(env::var("OUT_DIR").map_err(io::Error::other)?);
    for room in ["dimensions", "personas"] {
        fs::write(out.join(format!("{room}.rs")), listed(&root.join(room))?)?;
        println!("cargo::rerun-if-changed={room}");
    }
    println!("cargo::rerun-if-changed=build.rs");
    Ok(())
}

/// A Rust array literal of (file name, contents), sorted by name.
fn listed(folder: &Path) -> io::Result<String> {
    let mut paths: Vec<PathBuf> = fs::read_dir(folder)?
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<io::Result<_>>()?;
    paths.retain(|path| path.extension().is_some_and(|end| end == "md"));
    paths.sort();
    let files = paths.iter().map(|path| {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        format!("({name:?}, include_str!({:?})),\n", path.display().to_string())
    });
    Ok(format!("&[\n{}]", files.collect::<String>()))
}
