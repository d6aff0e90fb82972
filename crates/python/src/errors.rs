use precedent_app::{AppError, ErrorKind};
use pyo3::prelude::*;

/// The Python exception for an error.
pub(crate) fn raised(py: Python<'_>, error: &AppError) -> PyErr {
    let exception = || -> PyResult<Bound<'_, PyAny>> {
        let class = py.import("precedent._errors")?.getattr("PrecedentError")?;
        class.call1((error.error.to_string(), name(error.kind), error.hint.as_deref()))
    };
    match exception() {
        Ok(exception) => PyErr::from_value(exception),
        Err(failure) => failure,
    }
}

/// The kind of an error as Python programs see it.
fn name(kind: ErrorKind) -> &'static str {
    match kind {
        ErrorKind::Usage => "usage",
        ErrorKind::Input => "input",
        ErrorKind::Model => "model",
        ErrorKind::NothingSearched => "nothing_searched",
        ErrorKind::Budget => "budget",
        ErrorKind::NotVerbatim => "not_verbatim",
        ErrorKind::Interrupted => "interrupted",
        _ => "bug",
    }
}
