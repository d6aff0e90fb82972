//! The settings file. Command-line flags override the environment. The environment overrides the file, except for `mailto` and the URLs of services.

mod file;
mod provider;
mod stage;

pub use file::{Settings, SourceSettings, settings_file, usual_settings_file};
pub use provider::{ProviderSettings, RequestForm};
pub(crate) use stage::unknown_stage;
