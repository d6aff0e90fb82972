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
