//! The manual of the command line, made from its definition.

use std::fmt::Write;

use clap::CommandFactory;

use crate::{Arguments, ExitCode};

/// The page `docs/reference/command-line.md`.
#[must_use]
pub fn command_line() -> String {
    let mut page = String::from(
        "# Command line\n\nMade by `cargo xtask generate` from `crates/cli/src/args.rs`; edits here are lost.\n\n\
         stdout is data; progress and notes go to stderr. `NO_COLOR` turns colour off.\n\n## Exit codes\n\n| code | meaning |\n|---|---|\n",
    );
    for code in ExitCode::ALL {
        // Writing to a String cannot fail.
        let _ = writeln!(page, "| {} | {} |", code.number(), code.meaning());
    }
    let mut root = Arguments::command().term_width(100);
    root.build();
    describe(&root, "precedent", &mut page);
    page
}

fn describe(command: &clap::Command, path: &str, page: &mut String) {
    let help = command.clone().term_width(100).render_long_help().to_string();
    let help: Vec<&str> = help.lines().map(str::trim_end).collect();
    let _ = write!(page, "\n## {path}\n\n```text\n{}\n```\n", help.join("\n").trim_end());
    for part in command.get_subcommands().filter(|part| part.get_name() != "help") {
        describe(part, &format!("{path} {}", part.get_name()), page);
    }
}
