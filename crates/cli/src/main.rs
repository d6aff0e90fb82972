//! The `precedent` executable.

fn main() -> std::process::ExitCode {
    precedent_cli::run(precedent_cli::Arguments::of_process()).into()
}
