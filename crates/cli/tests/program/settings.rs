//! The settings file: `config path`, `config show`, `init`, and errors.

use std::fs;
use std::path::{Path, PathBuf};

use crate::support::{fresh_folder, precedent_with, stderr, stdout};

fn folder(name: &str) -> PathBuf {
    let folder = fresh_folder(&format!("settings-{name}"));
    fs::create_dir_all(&folder).unwrap();
    folder
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

#[test]
fn init_writes_every_setting_where_the_program_reads_it_and_does_not_overwrite() {
    let config = folder("init");
    let variables = [("XDG_CONFIG_HOME", text(&config))];
    let file = config.join("precedent/settings.toml");
    let written = precedent_with(&["init"], &variables);
    assert_eq!(written.status.code(), Some(0), "{}", stderr(&written));
    assert_eq!(stdout(&written), format!("{}\n", file.display()));
    let template = fs::read_to_string(&file).unwrap();
    assert!(template.contains("#model = \"offline\"") && template.contains("#[providers.compatible]"));
    let path = precedent_with(&["config", "path"], &variables);
    assert_eq!(stdout(&path), format!("{}: read\n", file.display()));
    fs::write(&file, "at_once = 3\n").unwrap();
    let refused = precedent_with(&["init"], &variables);
    assert_eq!(refused.status.code(), Some(2));
    assert!(
        stderr(&refused).contains("already exists") && stderr(&refused).contains("--force"),
        "{}",
        stderr(&refused)
    );
    assert_eq!(fs::read_to_string(&file).unwrap(), "at_once = 3\n");
    let forced = precedent_with(&["init", "--force"], &variables);
    assert_eq!(forced.status.code(), Some(0), "{}", stderr(&forced));
    assert_eq!(fs::read_to_string(&file).unwrap(), template);
    let own = config.join("own/settings.toml");
    assert_eq!(
        precedent_with(&["init", "--settings", text(&own)], &variables)
            .status
            .code(),
        Some(0)
    );
    assert_eq!(fs::read_to_string(own).unwrap(), template);
}

#[test]
fn config_path_lists_the_places_and_their_state() {
    let config = folder("path");
    let variables = [("XDG_CONFIG_HOME", text(&config))];
    let usual = config.join("precedent/settings.toml");
    let output = precedent_with(&["config", "path"], &variables);
    assert_eq!(stdout(&output), format!("{}: not found\n", usual.display()));
    let own = config.join("own.toml");
    fs::write(&own, "modell = 1\n").unwrap();
    let output = precedent_with(&["config", "path", "--settings", text(&own)], &variables);
    let shown = stdout(&output);
    let lines: Vec<&str> = shown.lines().collect();
    assert!(lines[0].starts_with(&format!("{}: invalid", own.display())), "{shown}");
    assert!(
        lines[1].starts_with(&format!("{}: not used", usual.display())),
        "{shown}"
    );
}

#[test]
fn config_show_prints_effective_values_with_their_origin_and_hides_secrets() {
    let config = folder("show");
    let file = config.join("settings.toml");
    fs::write(
        &file,
        "model = \"ollama:small\"\nat_once = 4\nmailto = \"me@example.org\"\n\
         embedder_url = \"http://me:hunter2@models.lab/v1?key=hunter3\"\n\
         [stages]\ncompare = \"openai:large\"\n\
         [providers.openai]\nkey_variable = \"LAB_KEY\"\n\
         [sources.semantic-scholar]\nkey_variable = \"OTHER_KEY\"\nseconds = 9\n\
         [papers]\narxiv = \"http://mirror.lab/arxiv\"\n\
         [prices]\nas_of = \"2026-11-01\"\n[[prices.price]]\nmodel = \"openai:large\"\ninput = 1.0\noutput = 2.0\n",
    )
    .unwrap();
    let variables = [
        ("PRECEDENT_SETTINGS", text(&file)),
        ("PRECEDENT_MODEL", "openai:small"),
        ("LAB_KEY", "sk-lab-1"),
        ("TAVILY_API_KEY", "sk-tavily-2"),
    ];
    let output = precedent_with(&["config", "show"], &variables);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let shown = stdout(&output);
    for line in [
        "model = \"openai:small\"  # PRECEDENT_MODEL",
        "at_once = 4  # settings file",
        "local_only = false  # default",
        "# model_url is not set",
        "mailto = \"<hidden>\"  # settings file",
        "embedder_url = \"http://<hidden>@models.lab/v1?<hidden>\"  # settings file",
        "compare = \"openai:large\"  # settings file",
        "[providers.openai]",
        "key_variable = \"LAB_KEY\"  # settings file, this variable is set",
        "[sources.semantic-scholar]",
        "key_variable = \"OTHER_KEY\"  # settings file, this variable is not set",
        "arxiv = \"http://mirror.lab/arxiv\"  # settings file",
        "acl = \"https://aclanthology.org\"  # default",
        "[[prices.price]]",
    ] {
        assert!(shown.lines().any(|one| one == line), "{line} is not shown:\n{shown}");
    }
    assert!(
        shown.contains("values hidden: ") && shown.contains("TAVILY_API_KEY"),
        "{shown}"
    );
    for secret in ["sk-lab-1", "sk-tavily-2", "hunter2", "hunter3", "me@example.org"] {
        assert!(!shown.contains(secret), "{secret} is shown:\n{shown}");
    }
    // The output is a settings file.
    let again = config.join("again.toml");
    fs::write(&again, &shown).unwrap();
    let path = precedent_with(&["config", "path", "--settings", text(&again)], &[]);
    assert!(
        stdout(&path).starts_with(&format!("{}: read\n", again.display())),
        "{}",
        stdout(&path)
    );
    let bare = stdout(&precedent_with(&["config", "show"], &[]));
    assert!(
        bare.starts_with("# Settings file: none") && bare.contains("model = \"offline\"  # default"),
        "{bare}"
    );
}

/// The template without the `#` of settings. Other comments have a space after it.
fn with_every_setting(template: &str) -> String {
    let uncommented = |line: &str| match line.strip_prefix('#') {
        Some(setting) if setting.starts_with(|c: char| c.is_ascii_lowercase() || c == '[') => setting.to_owned(),
        _ => line.to_owned(),
    };
    template.lines().map(uncommented).collect::<Vec<_>>().join("\n")
}

#[test]
fn the_template_has_every_key_with_its_default() {
    let config = folder("template");
    let file = config.join("settings.toml");
    let variables = [("PRECEDENT_SETTINGS", text(&file))];
    let show = || precedent_with(&["config", "show"], &variables);
    assert_eq!(precedent_with(&["init"], &variables).status.code(), Some(0));
    let defaults = |output: &str| {
        let lines = output.lines().filter_map(|line| line.strip_suffix("  # default"));
        lines.map(str::to_owned).collect::<Vec<_>>()
    };
    let usual = defaults(&stdout(&show()));
    assert!(usual.len() > 10, "{usual:?}");
    let all = with_every_setting(&fs::read_to_string(&file).unwrap());
    fs::write(&file, &all).unwrap();
    let shown = show();
    assert_eq!(shown.status.code(), Some(0), "{}", stderr(&shown));
    for line in &usual {
        let set = format!("{line}  # settings file");
        assert!(
            stdout(&shown).lines().any(|one| one == set),
            "{line} is not the default in the template"
        );
    }
    let keys: Vec<&str> = all
        .lines()
        .filter_map(|line| line.split_once(" = ").map(|(key, _)| key).or(line.strip_prefix('[')))
        .flat_map(|key| key.trim_matches(['[', ']']).split('.'))
        .collect();
    // The error for an unknown key lists the known keys of its table.
    for table in [
        "",
        "[stages.rank]\n",
        "[providers.x]\n",
        "[sources.x]\n",
        "[papers]\n",
        "[prices]\n",
        "[[prices.price]]\n",
    ] {
        fs::write(&file, format!("{table}unknown_key = 1\n")).unwrap();
        let error = stderr(&show());
        let list = error.split("expected ").nth(1).unwrap_or_else(|| panic!("{error}"));
        let known: Vec<&str> = list.lines().next().unwrap().split('`').skip(1).step_by(2).collect();
        assert!(known.len() > 1, "{error}");
        for key in known {
            assert!(keys.contains(&key), "{table}{key} is not in the template");
        }
    }
}

#[test]
fn a_settings_error_names_file_line_and_key() {
    let config = folder("errors");
    let file = config.join("settings.toml");
    let variables = [("PRECEDENT_SETTINGS", text(&file))];
    for (content, position) in [
        (
            "model = 'ollama:m'\nmodell = 'x'\n",
            "line 2, key modell: unknown field",
        ),
        ("at_once = 'many'\n", "line 1, key at_once: invalid type"),
        (
            "# a = b\n[sources.arxiv] # c = d\n\nseconds = -1",
            "line 4, key sources.arxiv.seconds: invalid value",
        ),
        (
            "private_hosts = [\n  'a',\n  3,\n]\n",
            "line 3, key private_hosts: invalid type",
        ),
        (
            "[stages.rank]\nmodel = 'ollama:m'\neffort = 'low'\n",
            "line 3, key stages.rank.effort: unknown field",
        ),
        ("[stages]\nrank = 1\n", "line 2, key stages.rank: invalid type"),
        ("model = \n", "line 1, key model: "),
    ] {
        fs::write(&file, content).unwrap();
        let expected = format!("{}, {position}", file.display());
        for arguments in [&["config", "show"][..], &["assess", "examples/paper.pdf"]] {
            let output = precedent_with(arguments, &variables);
            assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
            assert!(stderr(&output).contains(&expected), "{expected}: {}", stderr(&output));
        }
    }
}
