//! The command tree with two levels of help: `-h` shows at most ten options of a command, `--help` shows all.
//!
//! The levels are one table and not attributes of the arguments, because commands share groups of options and need different ones first.

use clap::{Arg, Command, CommandFactory};

use crate::Arguments;

/// Heading of the options that only `--help` shows.
const ADVANCED: &str = "Advanced";

/// Global options that have an effect only on commands in [`READS_PDFS`].
const PDF_OPTIONS: &[&str] = &["pdf-engine", "pdfium", "pdf-password", "ocr"];

/// Commands that read PDFs, or report whether they can be read.
const READS_PDFS: &[&str] = &[
    "assess",
    "audit",
    "batch",
    "bench idea",
    "bench innoeval",
    "bench retrieval",
    "compare",
    "corpus add",
    "doctor",
    "estimate",
    "idea",
    "mcp",
    "overlap",
    "points",
    "rank",
    "read",
    "review",
    "runs resume",
    "search",
    "serve",
    "verify",
    "watch add",
    "watch run",
    "work",
];

/// The options in the short help of each command with more than ten options. Other commands show all. The empty path is the program itself, with the
/// global options.
const BASIC: &[(&str, &[&str])] = &[
    ("", &["quiet", "verbose"]),
    (
        "assess",
        &[
            "corpus",
            "sources",
            "as-of",
            "full-texts",
            "out",
            "formats",
            "json",
            "model",
            "budget",
            "local-only",
        ],
    ),
    (
        "batch",
        &[
            "corpus",
            "sources",
            "as-of",
            "jobs",
            "out",
            "formats",
            "json",
            "model",
            "budget",
            "local-only",
        ],
    ),
    (
        "audit",
        &["paper", "out", "formats", "json", "model", "budget", "local-only"],
    ),
    (
        "bench idea",
        &[
            "setting",
            "corpus",
            "samples",
            "out",
            "json",
            "model",
            "budget",
            "local-only",
        ],
    ),
    (
        "bench innoeval",
        &[
            "pairs",
            "groups",
            "points",
            "limit",
            "corpus",
            "out",
            "json",
            "model",
            "budget",
            "local-only",
        ],
    ),
    (
        "bench retrieval",
        &[
            "set", "corpus", "ranking", "against", "half", "json", "exact", "embedder", "reranker",
        ],
    ),
    ("compare", RANK),
    (
        "corpus search",
        &[
            "queries", "as-of", "exclude", "venue", "field", "limit", "ranking", "json", "embedder",
        ],
    ),
    (
        "estimate",
        &[
            "corpus",
            "sources",
            "as-of",
            "full-texts",
            "json",
            "model",
            "depth",
            "budget",
        ],
    ),
    (
        "idea",
        &[
            "batch",
            "corpus",
            "sources",
            "as-of",
            "out",
            "estimate",
            "json",
            "model",
            "budget",
            "local-only",
        ],
    ),
    (
        "mcp",
        &[
            "root",
            "corpus",
            "sources",
            "runs",
            "http",
            "model",
            "budget",
            "budget-tokens",
            "local-only",
        ],
    ),
    (
        "points",
        &[
            "corpus",
            "sources",
            "as-of",
            "full-texts",
            "out",
            "estimate",
            "json",
            "model",
            "budget",
            "local-only",
        ],
    ),
    ("rank", RANK),
    (
        "review",
        &[
            "batch",
            "corpus",
            "sources",
            "as-of",
            "out",
            "estimate",
            "json",
            "model",
            "budget",
            "local-only",
        ],
    ),
    (
        "search",
        &[
            "corpus", "queries", "as-of", "exclude", "venue", "field", "limit", "ranking", "json", "embedder",
        ],
    ),
];

const RANK: &[&str] = &[
    "corpus",
    "sources",
    "as-of",
    "text-only",
    "out",
    "estimate",
    "json",
    "model",
    "budget",
    "local-only",
];

/// Options of `assess` about one paper. `batch` rejects them.
const ONE_PAPER: [&str; 2] = ["title", "show-egress"];

/// The definition of the command line, as parsed, printed and documented.
#[must_use]
pub fn command() -> Command {
    let root = Arguments::command();
    let pdf_options: Vec<Arg> = root
        .get_arguments()
        .filter(|arg| is_one_of(arg, PDF_OPTIONS))
        .cloned()
        .collect();
    with_levels(root, "", &pdf_options)
}

/// Hides the advanced options of a command and its subcommands from the short help.
fn with_levels(command: Command, path: &str, pdf_options: &[Arg]) -> Command {
    let mut command = match BASIC.iter().find(|(of, _)| *of == path) {
        Some((_, basic)) => command.mut_args(|arg| leveled(arg, basic)),
        None => command,
    };
    if path == "batch" {
        command = command.mut_args(|arg| match is_one_of(&arg, &ONE_PAPER) {
            true => arg.hide(true),
            false => arg,
        });
    }
    if !path.is_empty() {
        // A subcommand with its own copy of a global option does not inherit the program's, so it can be hidden here.
        let is_hidden = !READS_PDFS.contains(&path);
        command = command.args(pdf_options.iter().map(|arg| leveled(arg.clone(), &[]).hide(is_hidden)));
    }
    command.mut_subcommands(|part| {
        let path = format!("{path} {}", part.get_name());
        with_levels(part, path.trim_start(), pdf_options)
    })
}

/// An option with its level. Basic options have no heading of their own, so that they come first.
fn leveled(arg: Arg, basic: &[&str]) -> Arg {
    match arg.get_long() {
        None => arg,
        Some(_) if is_one_of(&arg, basic) => arg.help_heading(None::<&str>),
        Some(_) => arg.hide_short_help(true).help_heading(ADVANCED),
    }
}

fn is_one_of(arg: &Arg, names: &[&str]) -> bool {
    arg.get_long().is_some_and(|long| names.contains(&long))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tables_name_existing_commands_and_options() {
        let root = Arguments::command();
        let find = |path: &str| {
            path.split_whitespace()
                .try_fold(root.clone(), |command, part| command.find_subcommand(part).cloned())
        };
        for path in READS_PDFS {
            assert!(find(path).is_some(), "{path}");
        }
        for (path, basic) in BASIC {
            let command = find(path).unwrap();
            for name in *basic {
                assert!(
                    command.get_arguments().any(|arg| is_one_of(arg, &[name])),
                    "{path} --{name}"
                );
            }
        }
    }
}
