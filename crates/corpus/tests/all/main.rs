//! The corpus through its public interface. One test binary, because linking takes most of the time.
#![expect(clippy::unwrap_used, reason = "a test that cannot set up its corpus has failed")]

mod corpus;
mod crash;
mod encoder;
mod faults;
mod formats;
mod import;
mod laws;
mod sessions;
mod support;
mod vectors;
