//! `--color`.

use std::ffi::OsString;

use clap::ValueEnum;

/// When output is coloured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum ColourChoice {
    /// On a terminal, unless NO_COLOR is set
    #[default]
    Auto,
    /// Always, even with NO_COLOR
    Always,
    /// Never
    Never,
}

impl ColourChoice {
    /// The choice in unparsed arguments. An invalid value counts as `auto`, and parsing reports it.
    pub(crate) fn typed(arguments: &[OsString]) -> Self {
        let mut texts = arguments.iter().filter_map(|one| one.to_str());
        while let Some(text) = texts.next() {
            let value = match text {
                "--" => break,
                "--color" => texts.next(),
                text => text.strip_prefix("--color="),
            };
            if let Some(value) = value {
                return Self::from_str(value, false).unwrap_or_default();
            }
        }
        Self::Auto
    }
}

impl From<ColourChoice> for clap::ColorChoice {
    fn from(choice: ColourChoice) -> Self {
        match choice {
            ColourChoice::Auto => Self::Auto,
            ColourChoice::Always => Self::Always,
            ColourChoice::Never => Self::Never,
        }
    }
}
