//! The Python module.
//!
//! Input: Python values. Output: JSON texts, which the Python part of the package parses. Not here: any analysis; it calls `app` as the command line does.
//! Work runs on a thread of its own without Python's lock, so Ctrl-C and other Python threads are never blocked.

mod calls;
mod errors;
mod jobs;
mod work;

use pyo3::prelude::*;

/// Functions of the service layer, with JSON as results.
#[pymodule]
mod _native {
    #[pymodule_export]
    use crate::calls::{Corpora, overlap, read, verify};
    #[pymodule_export]
    use crate::jobs::{assess, check_idea};

    use super::*;

    /// Runs the command line. Returns its exit code.
    #[pyfunction]
    fn command_line(py: Python<'_>, arguments: Vec<std::ffi::OsString>) -> u8 {
        py.detach(|| match precedent_cli::Arguments::parsed(arguments) {
            Ok(arguments) => precedent_cli::run(arguments).number(),
            Err(code) => code,
        })
    }

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
