//! Room sources.
