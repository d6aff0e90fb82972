use std::fs::{self, OpenOptions};
use std::io::{ErrorKind, Write};
use std::path::PathBuf;

use crate::ExitCode;
use crate::exit::Failure;
use crate::printer::Printer;
use crate::settings::usual_place;

/// Every setting with its default, as comments.
const TEMPLATE: &str = include_str!("../settings_template.toml");

/// `precedent init`.
pub(super) fn run(named: Option<PathBuf>, force: bool, printer: Printer) -> Result<ExitCode, Failure> {
    let path = named.or_else(usual_place).ok_or_else(|| {
        let message = "failed to find your configuration folder: neither XDG_CONFIG_HOME nor HOME is set";
        Failure::said(ExitCode::Usage, message).hint("name the file with --settings")
    })?;
    let failed = |error: std::io::Error| {
        let message = format!("failed to write {}: {error}", path.display());
        Failure::said(ExitCode::Input, message)
    };
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(failed)?;
    }
    let mut options = OpenOptions::new();
    match force {
        true => options.create(true).truncate(true),
        // Fails if the file exists, even if another process created it just now.
        false => options.create_new(true),
    };
    let mut file = options.write(true).open(&path).map_err(|error| match error.kind() {
        ErrorKind::AlreadyExists => {
            let message = format!("{} already exists", path.display());
            Failure::said(ExitCode::Usage, message).hint("edit it, or use --force to overwrite it")
        }
        _ => failed(error),
    })?;
    file.write_all(TEMPLATE.as_bytes()).map_err(failed)?;
    printer.line(&path.display().to_string());
    printer.note("edit the file, then check it with `precedent config show`");
    Ok(ExitCode::Done)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use precedent_engine::sources::PaperPlaces;

    use super::*;
    use crate::settings::Settings;

    /// The template without the `#` of settings. Other comments have a space after it.
    fn with_every_setting() -> String {
        let uncommented = |line: &str| match line.strip_prefix('#') {
            Some(setting) if setting.starts_with(|c: char| c.is_ascii_lowercase() || c == '[') => setting.to_owned(),
            _ => line.to_owned(),
        };
        TEMPLATE.lines().map(uncommented).collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn the_template_is_valid_with_and_without_its_comments() {
        let table: toml::Table = toml::from_str(TEMPLATE).unwrap();
        assert!(table.is_empty());
        let settings: Settings = toml::from_str(&with_every_setting()).unwrap();
        assert_eq!(
            (settings.model.as_deref(), settings.local_only),
            (Some("offline"), false)
        );
        let usual = PaperPlaces::default();
        assert_eq!(settings.papers.arxiv.as_deref(), Some(usual.arxiv.as_str()));
        assert_eq!(settings.papers.pmc.as_deref(), Some(usual.pmc.as_str()));
        assert_eq!(settings.papers.works.as_deref(), Some(usual.works.as_str()));
        assert_eq!(settings.papers.unpaywall.as_deref(), Some(usual.unpaywall.as_str()));
        assert_eq!(
            settings.papers.semantic_scholar.as_deref(),
            Some(usual.semantic_scholar.as_str())
        );
    }

    /// The error for an unknown key lists the known keys of its table.
    #[test]
    fn the_template_has_every_key() {
        let template = with_every_setting();
        let keys: BTreeSet<&str> = template
            .lines()
            .filter_map(|line| line.split_once(" = ").map(|(key, _)| key).or(line.strip_prefix('[')))
            .map(|key| key.trim_matches(['[', ']']))
            .map(|key| key.split('.').next().unwrap_or(key))
            .collect();
        for table in [
            "",
            "[providers.x]\n",
            "[sources.x]\n",
            "[papers]\n",
            "[prices]\n",
            "[[prices.price]]\n",
        ] {
            let error = toml::from_str::<Settings>(&format!("{table}unknown_key = 1\n")).unwrap_err();
            let known: Vec<&str> = error.message().split('`').skip(3).step_by(2).collect();
            assert!(!known.is_empty(), "{error}");
            for key in known {
                assert!(keys.contains(key), "{table}{key} is not in the template");
            }
        }
    }
}
