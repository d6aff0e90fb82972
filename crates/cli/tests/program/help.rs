//! Short and long help.

use clap::Command;

use crate::support::{precedent, precedent_with, stderr, stdout};

/// Calls `check` for each command with its path.
fn walk(command: &Command, path: &[&str], check: &mut dyn FnMut(&Command, &[&str])) {
    check(command, path);
    for part in command.get_subcommands().filter(|part| part.get_name() != "help") {
        walk(part, &[path, &[part.get_name()]].concat(), check);
    }
}

fn tree() -> Command {
    let mut root = precedent_cli::command();
    root.build();
    root
}

#[test]
fn short_help_shows_at_most_10_options_of_a_command_and_long_help_shows_all() {
    let mut commands = 0;
    walk(&tree(), &[], &mut |command, path| {
        commands += 1;
        let own: Vec<_> = command
            .get_arguments()
            .filter(|arg| !arg.is_positional() && !arg.is_global_set())
            .filter(|arg| !["help", "version"].contains(&arg.get_id().as_str()))
            .collect();
        let short: Vec<_> = own
            .iter()
            .filter(|arg| !arg.is_hide_short_help_set() && !arg.is_hide_set())
            .collect();
        assert!(short.len() <= 10, "{path:?} shows {} options", short.len());
        assert!(own.is_empty() || !short.is_empty(), "{path:?} shows no options");
        for arg in own {
            // `batch` rejects these.
            let is_rejected = path == ["batch"] && ["title", "show_egress"].contains(&arg.get_id().as_str());
            assert!(
                is_rejected || !arg.is_hide_set() && !arg.is_hide_long_help_set(),
                "{path:?}: --help hides {arg}"
            );
            let is_advanced = arg.get_help_heading() == Some("Advanced");
            assert_eq!(arg.is_hide_short_help_set(), is_advanced, "{path:?}: {arg}");
        }
    });
    assert!(commands > 30, "{commands} commands");
    let short = stdout(&precedent(&["assess", "-h"]));
    let long = stdout(&precedent(&["assess", "--help"]));
    for (option, is_basic) in [
        ("--corpus", true),
        ("--as-of", true),
        ("--replay", false),
        ("--stage-model", false),
    ] {
        assert_eq!(short.contains(option), is_basic, "{option}: {short}");
        assert!(long.contains(option), "{option}: {long}");
    }
    let (options, advanced) = (long.find("\nOptions:").unwrap(), long.find("\nAdvanced:").unwrap());
    assert!(options < advanced && !short.contains("Advanced"), "{short}");
}

#[test]
fn pdf_options_are_in_the_help_of_commands_that_read_pdfs_only() {
    let mut with = Vec::new();
    walk(&tree(), &[], &mut |command, path| {
        let shown = |name: &str| {
            command
                .get_arguments()
                .any(|arg| arg.get_long() == Some(name) && !arg.is_hide_set())
        };
        assert_eq!(shown("pdf-engine"), shown("pdfium"), "{path:?}");
        if shown("pdfium") {
            with.push(path.join(" "));
        }
    });
    for path in ["assess", "read", "corpus add", "verify", "doctor"] {
        assert!(with.iter().any(|one| one == path), "{path}: {with:?}");
    }
    for path in [
        "export",
        "corpus",
        "corpus stats",
        "runs list",
        "models pull",
        "completions",
    ] {
        assert!(!with.iter().any(|one| one == path), "{path}: {with:?}");
        let arguments: Vec<&str> = path.split(' ').chain(["--help"]).collect();
        let help = stdout(&precedent(&arguments));
        assert!(!help.contains("pdfium") && !help.contains("pdf-engine"), "{help}");
    }
    // Hidden options are still accepted, before and after the command.
    for arguments in [
        ["--pdf-engine", "builtin", "runs", "list", "/nonexistent"],
        ["runs", "list", "/nonexistent", "--pdf-engine", "builtin"],
    ] {
        let output = precedent(&arguments);
        assert!(!stderr(&output).contains("unexpected argument"), "{}", stderr(&output));
    }
    // A value before the command reaches a command that reads PDFs.
    let output = precedent(&[
        "--pdf-engine",
        "pdfium",
        "--pdfium",
        "/nonexistent",
        "read",
        "examples/paper.pdf",
    ]);
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
}

/// The tests' stdout is not a terminal, and they set NO_COLOR.
#[test]
fn color_follows_the_option_the_environment_and_the_terminal() {
    let quote = [
        "verify",
        "--source",
        "examples/paper.pdf",
        "--quote",
        "kelp grows well in cold and clear water far away",
    ];
    let shown = |color: &[&str], variables: &[(&str, &str)]| {
        let arguments = [&quote[..], color].concat();
        stdout(&precedent_with(&arguments, variables)).contains('\u{1b}')
    };
    assert!(!shown(&[], &[]));
    assert!(
        !shown(&["--color", "auto"], &[("NO_COLOR", "")]),
        "stdout is not a terminal"
    );
    assert!(!shown(&["--color", "never"], &[("NO_COLOR", "")]));
    assert!(shown(&["--color", "always"], &[]) && shown(&["--color=always"], &[("NO_COLOR", "")]));
    // Help and usage errors follow it too.
    assert!(stdout(&precedent(&["--color", "always", "read", "-h"])).contains('\u{1b}'));
    assert!(
        !stdout(&precedent_with(
            &["read", "-h", "--color=never"],
            &[("CLICOLOR_FORCE", "1")]
        ))
        .contains('\u{1b}')
    );
    assert!(stderr(&precedent(&["read", "--color", "always"])).contains('\u{1b}'));
    let invalid = precedent(&["read", "--color", "sometimes"]);
    assert_eq!(invalid.status.code(), Some(2));
    assert!(stderr(&invalid).contains("auto, always, never"), "{}", stderr(&invalid));
}
