//! Packs a release: the program with its completions, manual pages, licences and README.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

/// Shells with completions, and the names under which package managers install them.
const SHELLS: [(clap_complete::Shell, &str); 3] = [
    (clap_complete::Shell::Bash, "precedent.bash"),
    (clap_complete::Shell::Zsh, "_precedent"),
    (clap_complete::Shell::Fish, "precedent.fish"),
];
/// Files of the repository that a release contains.
const FILES: [&str; 4] = ["LICENSE-APACHE", "LICENSE-MIT", "README.md", "CHANGELOG.md"];

/// `cargo xtask package PROGRAM OUT`: fills the folder `OUT`, which the release workflow packs.
pub(super) fn run(root: &Path, arguments: &[&str]) -> Result<()> {
    let [program, out] = arguments else {
        bail!("usage: cargo xtask package PROGRAM OUT");
    };
    let (program, out) = (Path::new(program), PathBuf::from(out));
    let name = program.file_name().context("PROGRAM is not a file")?;
    for folder in ["completions", "man"] {
        fs::create_dir_all(out.join(folder))?;
    }
    fs::copy(program, out.join(name)).with_context(|| format!("copy {}", program.display()))?;
    for file in FILES {
        fs::copy(root.join(file), out.join(file)).with_context(|| format!("copy {file}"))?;
    }
    for (shell, file) in SHELLS {
        let mut script = Vec::new();
        clap_complete::generate(shell, &mut precedent_cli::command(), "precedent", &mut script);
        fs::write(out.join("completions").join(file), script)?;
    }
    // One page for the program, and one for each command and its commands.
    clap_mangen::generate_to(precedent_cli::command(), out.join("man")).context("write the manual pages")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_package_has_the_program_completions_and_a_page_for_each_command() {
        let (root, out) = (crate::root(), tempfile::tempdir().unwrap());
        let program = out.path().join("precedent");
        fs::write(&program, "program").unwrap();
        let packed = out.path().join("packed");
        run(&root, &[program.to_str().unwrap(), packed.to_str().unwrap()]).unwrap();
        for file in [
            "precedent",
            "README.md",
            "completions/_precedent",
            "completions/precedent.bash",
        ] {
            assert!(packed.join(file).is_file(), "{file}");
        }
        let page = fs::read_to_string(packed.join("man/precedent-assess.1")).unwrap();
        assert!(page.contains("\\-\\-corpus") && page.contains(".SH"), "{page}");
        let commands = precedent_cli::command();
        for one in commands.get_subcommands().filter(|one| !one.is_hide_set()) {
            assert!(
                packed.join(format!("man/precedent-{}.1", one.get_name())).is_file(),
                "{}",
                one.get_name()
            );
        }
    }
}
