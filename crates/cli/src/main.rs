//! The `precedent` executable.

use clap::Parser;

fn main() -> std::process::ExitCode {
    let arguments = precedent_cli::Arguments::parse();
    precedent_cli::run(arguments).into()
}
