//! Parses the command line.

use std::ffi::OsString;

use clap::{CommandFactory, FromArgMatches};

use crate::args::Arguments;
use crate::colour::ColourChoice;

impl Arguments {
    /// Parses the command line of this process. Prints help or a usage error and exits if there is nothing to run.
    #[must_use]
    pub fn of_process() -> Self {
        Self::parsed(std::env::args_os().collect()).unwrap_or_else(|code| std::process::exit(code.into()))
    }

    /// Parses arguments, of which the first is the program's name.
    ///
    /// # Errors
    /// With the exit code, if help or a usage error was printed instead.
    pub fn parsed(typed: Vec<OsString>) -> Result<Self, u8> {
        // Only help and usage errors need the levels of options, which take longer to set than the arguments to parse.
        let plain = Self::command().try_get_matches_from(&typed);
        if let Ok(arguments) = plain.and_then(|matches| Self::from_arg_matches(&matches)) {
            return Ok(arguments);
        }
        // They are printed before the colours of the output are set.
        let mut command = crate::command().color(ColourChoice::typed(&typed).into());
        command
            .try_get_matches_from_mut(typed)
            .and_then(|matches| Self::from_arg_matches(&matches))
            .map_err(|error| {
                let error = error.format(&mut command);
                // A closed terminal is no reason for another exit code.
                let _ = error.print();
                error.exit_code().try_into().unwrap_or(2)
            })
    }
}
