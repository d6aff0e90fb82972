use std::path::PathBuf;

use clap::{Args, Subcommand};
use precedent_app::{AppError, ErrorKind};
use precedent_server::{User, UserLimits, Users, UsersError};
use serde::Serialize;

use crate::ExitCode;
use crate::args::parse_budget;
use crate::printer::{Printer, plain};

/// `precedent users --help`.
pub(crate) const USERS_HELP: &str = "\
Examples:
  precedent users add ada --budget 20                          prints a token for ada, who may spend $20 on models
  precedent users add bob --local-only                         nothing of bob's runs leaves the server
  precedent serve --bind 0.0.0.0:8787 --url https://review.example.org --corpus library

With users, `serve` requires a token: browsers send it once, on a page, and programs as `Authorization: Bearer TOKEN`. Each user sees only
their own runs. A server that was started with users applies changes within a second; one without users must be restarted.";

#[derive(Debug, Args)]
#[command(arg_required_else_help = true)]
pub(crate) struct UsersArguments {
    #[command(subcommand)]
    command: UsersCommand,

    /// Folder of the server's uploads and runs
    #[arg(long, global = true, value_name = "DIR", default_value = "precedent-data")]
    data: PathBuf,
}

#[derive(Debug, Subcommand)]
enum UsersCommand {
    /// Add a user, and print the token. It is printed only once
    Add(AddArguments),
    /// List the users
    List {
        /// Print each user as JSON
        #[arg(long)]
        json: bool,
    },
    /// Remove a user, whose token ends at once. The folder with the user's runs stays
    Remove {
        /// The name
        name: String,
    },
}

#[derive(Debug, Args)]
struct AddArguments {
    /// Name: lower-case letters, digits, `-` and `_`
    name: String,

    /// Maximum spend of all runs of the user together, in US dollars
    #[arg(long, value_name = "DOLLARS", value_parser = parse_budget)]
    budget: Option<f64>,

    /// Models of the server that the user may choose [default: all of them]
    #[arg(long, value_name = "MODELS", value_delimiter = ',')]
    models: Option<Vec<String>>,

    /// Let nothing of the user's runs leave the server
    #[arg(long)]
    local_only: bool,

    /// Let the user read the papers and reports of shared batches (`serve --database`), and pause and cancel them
    #[arg(long)]
    shared_batches: bool,
}

/// A user as `users list --json` prints it.
#[derive(Serialize)]
struct Listed<'u> {
    name: &'u str,
    created: u64,
    #[serde(flatten)]
    limits: &'u UserLimits,
}

pub(super) fn run(typed: UsersArguments, printer: Printer) -> Result<ExitCode, AppError> {
    let users = Users::of(&typed.data);
    match typed.command {
        UsersCommand::Add(add) => {
            let limits = UserLimits {
                budget: add.budget,
                models: add.models,
                local_only: add.local_only,
                shared_batches: add.shared_batches,
            };
            printer.line(&users.add(&add.name, limits).map_err(error)?);
            printer.note("this is the only time that the token is printed; it is not stored");
        }
        UsersCommand::List { json } => {
            for user in users.list().map_err(error)? {
                match json {
                    true => printer.json(&Listed {
                        name: &user.name,
                        created: user.created,
                        limits: &user.limits,
                    })?,
                    false => printer.line(&line(&user)),
                }
            }
        }
        UsersCommand::Remove { name } => {
            users.remove(&name).map_err(error)?;
            let folder = typed.data.join("users").join(&name);
            if folder.is_dir() {
                printer.note(&format!("the runs stay in {}", plain(&folder.display().to_string())));
            }
        }
    }
    Ok(ExitCode::Done)
}

fn line(user: &User) -> String {
    let limits = &user.limits;
    let budget = limits.budget.map(|budget| format!("${budget:.2}"));
    let models = match &limits.models {
        Some(models) if models.is_empty() => "no models".to_owned(),
        Some(models) => models.join(", "),
        None => "all models".to_owned(),
    };
    let only = if limits.local_only { ", local only" } else { "" };
    let shared = if limits.shared_batches { ", shared batches" } else { "" };
    let budget = budget.unwrap_or_else(|| "no budget".to_owned());
    plain(&format!("{}: {budget}, {models}{only}{shared}", user.name))
}

fn error(error: UsersError) -> AppError {
    let hint = match &error {
        UsersError::File { .. } => Some("choose the folder of the server with --data"),
        UsersError::Known { .. } => Some("remove the user first to make a new token"),
        UsersError::Unknown { .. } => Some("`precedent users list` prints the names"),
        _ => None,
    };
    let error = AppError::new(ErrorKind::Usage, error);
    match hint {
        Some(hint) => error.hint(hint),
        None => error,
    }
}
