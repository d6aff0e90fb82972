//! Room engine.

pub mod stages;
