use std::fmt::Write;
use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};
use precedent_app::{AppError, Settings, settings_file, usual_settings_file};
use precedent_engine::llm::providers;
use precedent_engine::sources::{PaperPlaces, services};
use toml::{Table, Value};

use crate::ExitCode;
use crate::printer::Printer;

/// Which settings file is used.
#[derive(Debug, Clone, Args)]
pub(crate) struct SettingsChoice {
    /// Settings file [default: precedent/settings.toml in your configuration folder]
    #[arg(long, value_name = "FILE", env = "PRECEDENT_SETTINGS")]
    pub(crate) settings: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct ConfigArguments {
    #[command(subcommand)]
    pub(crate) command: ConfigCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum ConfigCommand {
    /// Show where Precedent looks for a settings file, and which file it reads
    #[command(after_help = "\
Example:
  precedent config path")]
    Path(SettingsChoice),
    /// Print the settings in effect as TOML, with the origin of each value
    #[command(after_help = "\
Example:
  precedent config show

Keys, passwords in URLs and your e-mail address are hidden, so the output can go into a bug report.")]
    Show(SettingsChoice),
}

/// Shown in place of a private value.
const HIDDEN: &str = "<hidden>";
const FILE: &str = "settings file";

/// A top-level setting with a single value.
struct Setting {
    key: &'static str,
    /// The environment variable that sets it.
    variable: Option<&'static str>,
    /// Its default as TOML; `None` if it has none.
    default: Option<&'static str>,
}

const SETTINGS: [Setting; 14] = [
    setting("model", Some("PRECEDENT_MODEL"), Some("\"offline\"")),
    setting("model_url", Some("PRECEDENT_MODEL_URL"), None),
    setting("at_once", None, Some("8")),
    setting("local_only", None, Some("false")),
    setting("private_hosts", None, Some("[]")),
    setting("embedder", Some("PRECEDENT_EMBEDDER"), None),
    setting("embedder_url", Some("PRECEDENT_EMBEDDER_URL"), None),
    setting("reranker", Some("PRECEDENT_RERANKER"), None),
    setting("reranker_url", Some("PRECEDENT_RERANKER_URL"), None),
    setting("proxy", Some("PRECEDENT_PROXY"), Some("\"none\"")),
    setting("ca_file", Some("PRECEDENT_CA_FILE"), None),
    setting("mailto", Some("PRECEDENT_MAILTO"), None),
    setting("cache_days", None, Some("7")),
    setting("database", Some("PRECEDENT_DATABASE"), None),
];

const fn setting(key: &'static str, variable: Option<&'static str>, default: Option<&'static str>) -> Setting {
    Setting { key, variable, default }
}

/// `precedent config`.
pub(super) fn run(command: &ConfigCommand, printer: Printer) -> Result<ExitCode, AppError> {
    match command {
        ConfigCommand::Path(typed) => path(typed.settings.as_deref(), printer),
        ConfigCommand::Show(typed) => show(typed.settings.as_deref(), printer)?,
    }
    Ok(ExitCode::Done)
}

/// Each place with its state, in order of precedence.
fn path(named: Option<&Path>, printer: Printer) {
    let state = |path: &Path| match path.is_file() {
        false => "not found",
        true if Settings::read(path).is_ok() => "read",
        true => "invalid (`precedent config show` prints the error)",
    };
    if let Some(path) = named {
        printer.line(&format!("{}: {}", path.display(), state(path)));
    }
    match usual_settings_file() {
        Some(path) if named.is_some() => {
            let message = "not used, because --settings or PRECEDENT_SETTINGS names another file";
            printer.line(&format!("{}: {message}", path.display()));
        }
        Some(path) => printer.line(&format!("{}: {}", path.display(), state(&path))),
        None => printer.note("no configuration folder: neither XDG_CONFIG_HOME nor HOME is set"),
    }
    printer.note("Precedent does not read settings from the current folder");
}

fn show(named: Option<&Path>, printer: Printer) -> Result<(), AppError> {
    // Reports an invalid file with line and key.
    Settings::load(named)?;
    let path = settings_file(named);
    let text = path.as_deref().and_then(|path| std::fs::read_to_string(path).ok());
    let table: Table = text.and_then(|text| toml::from_str(&text).ok()).unwrap_or_default();
    let mut page = match &path {
        Some(path) => format!("# Settings file: {}\n", path.display()),
        None => "# Settings file: none (`precedent init` writes one)\n".to_owned(),
    };
    for setting in &SETTINGS {
        page.push_str(&line(setting, table.get(setting.key)));
    }
    let with_papers = with_default_papers(&table);
    for (name, value) in &with_papers {
        describe(name, value, &table, &mut page);
    }
    page.push_str(&keys());
    printer.data(&page);
    Ok(())
}

/// The line of one setting. The file comes before the environment for `mailto` only.
fn line(setting: &Setting, in_file: Option<&Value>) -> String {
    let variable = setting
        .variable
        .and_then(|variable| Some((variable, std::env::var(variable).ok()?)));
    let variable = variable.filter(|(_, value)| !value.trim().is_empty());
    let in_file = in_file.map(|value| (value.clone(), FILE));
    let in_variable = variable.map(|(variable, value)| (Value::String(value), variable));
    let found = match setting.key {
        "mailto" => in_file.or(in_variable),
        _ => in_variable.or(in_file),
    };
    match (found, setting.default) {
        (Some((_, origin)), _) if setting.key == "mailto" => format!("mailto = \"{HIDDEN}\"  # {origin}\n"),
        (Some((value, origin)), _) => format!("{} = {}  # {origin}\n", setting.key, public(&value)),
        (None, Some(default)) => format!("{} = {default}  # default\n", setting.key),
        (None, None) => format!("# {} is not set\n", setting.key),
    }
}

/// The tables of the file, with the default addresses of papers.
fn with_default_papers(table: &Table) -> Table {
    let usual = PaperPlaces::default();
    let mut tables: Table = table
        .iter()
        .filter(|(_, value)| value.is_table())
        .map(|(name, value)| (name.clone(), value.clone()))
        .collect();
    let papers = tables.entry("papers").or_insert_with(|| Value::Table(Table::new()));
    if let Some(papers) = papers.as_table_mut() {
        let addresses = [
            ("arxiv", usual.arxiv),
            ("acl", usual.acl),
            ("openreview", usual.openreview),
            ("pmc", usual.pmc),
            ("works", usual.works),
            ("unpaywall", usual.unpaywall),
            ("semantic_scholar", usual.semantic_scholar),
        ];
        for (key, address) in addresses {
            papers.entry(key).or_insert(Value::String(address));
        }
        let pace = i64::try_from(usual.arxiv_pace.as_millis()).unwrap_or(i64::MAX);
        papers.entry("arxiv_between_ms").or_insert(Value::Integer(pace));
    }
    tables
}

/// Prints a table with its values first and its tables last, as TOML requires.
fn describe(name: &str, value: &Value, file: &Table, page: &mut String) {
    match value {
        Value::Table(table) => {
            let values: Vec<_> = table.iter().filter(|(_, value)| !holds_tables(value)).collect();
            if !values.is_empty() {
                page.push_str(&format!("\n[{name}]\n"));
            }
            lines(name, &values, file, page);
            for (key, value) in table.iter().filter(|(_, value)| holds_tables(value)) {
                describe(&format!("{name}.{}", bare(key)), value, file, page);
            }
        }
        Value::Array(tables) => {
            for table in tables.iter().filter_map(Value::as_table) {
                page.push_str(&format!("\n[[{name}]]\n"));
                lines(name, &table.iter().collect::<Vec<_>>(), file, page);
            }
        }
        _ => {}
    }
}

fn lines(table: &str, values: &[(&String, &Value)], file: &Table, page: &mut String) {
    for (key, value) in values {
        let is_default = table == "papers" && file.get(table).and_then(|papers| papers.get(key.as_str())).is_none();
        let origin = if is_default { "default" } else { FILE };
        let variable = value.as_str().filter(|_| key.as_str() == "key_variable");
        let state = match variable.map(is_set) {
            Some(true) => ", this variable is set",
            Some(false) => ", this variable is not set",
            None => "",
        };
        // A key written in place of the name of its variable stays hidden.
        let shown = match variable {
            Some(name) if !is_variable_name(name) => Value::String(HIDDEN.to_owned()),
            _ => public(value),
        };
        // Writing to a String cannot fail.
        let _ = writeln!(page, "{} = {shown}  # {origin}{state}", bare(key));
    }
}

fn holds_tables(value: &Value) -> bool {
    match value {
        Value::Table(_) => true,
        Value::Array(all) => all.first().is_some_and(Value::is_table),
        _ => false,
    }
}

/// A key as TOML writes it.
fn bare(key: &str) -> String {
    let is_bare = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    match !key.is_empty() && key.chars().all(is_bare) {
        true => key.to_owned(),
        false => Value::String(key.to_owned()).to_string(),
    }
}

/// A value without what can be secret in an address: a user name, a password, a query and a fragment.
fn public(value: &Value) -> Value {
    let Some(text) = value.as_str() else {
        return value.clone();
    };
    let Some((scheme, rest)) = text.split_once("://") else {
        return match text.contains('@') {
            true => Value::String(HIDDEN.to_owned()),
            false => value.clone(),
        };
    };
    let (address, query) = rest.split_at(rest.find(['?', '#']).unwrap_or(rest.len()));
    // A slash that was not escaped may be part of a password.
    let after_user = address.rfind('@').unwrap_or_default();
    let end = address[after_user..].find(['/', '\\']);
    let (host, path) = address.split_at(end.map_or(address.len(), |end| after_user + end));
    let host = match host.rsplit_once('@') {
        Some((_, host)) => format!("{HIDDEN}@{host}"),
        None => host.to_owned(),
    };
    let query = if query.is_empty() { "" } else { "?<hidden>" };
    Value::String(format!("{scheme}://{host}{path}{query}"))
}

fn is_variable_name(text: &str) -> bool {
    text.chars()
        .all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_')
}

fn is_set(variable: &str) -> bool {
    std::env::var(variable).is_ok_and(|value| !value.trim().is_empty())
}

/// The environment variables with keys that are set. Their values are never printed.
fn keys() -> String {
    let models = providers().iter().filter_map(|provider| provider.key_variable());
    let services = services().into_iter().filter_map(|service| service.key_variable());
    let mut set: Vec<&str> = [
        "PRECEDENT_MODEL_KEY",
        "PRECEDENT_EMBEDDER_KEY",
        "PRECEDENT_RERANKER_KEY",
    ]
    .into_iter()
    .chain(models)
    .chain(services)
    .filter(|variable| is_set(variable))
    .collect();
    set.sort_unstable();
    set.dedup();
    match set.is_empty() {
        true => "\n# No environment variable with a key is set.\n".to_owned(),
        false => format!("\n# Keys in environment variables, values hidden: {}\n", set.join(", ")),
    }
}
