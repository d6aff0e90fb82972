//! The Python module.
//!
//! Input: Python values. Output: JSON texts, which the Python part of the package parses. Not here: any analysis; it calls `app` as the command line does.
//! Work runs on a thread of its own without Python's lock, so Ctrl-C and other Python threads are never blocked.

mod calls;
mod errors;
mod jobs;
mod module;
mod work;
