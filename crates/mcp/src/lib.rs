//! An MCP server: agents call the services of `app` as tools.
//!
//! Input: the folder whose files may be read, corpora, and what the user allows (sources, a model with a budget). Output: tools, reports as resources, and
//! a prompt, over stdin and stdout or HTTP on this machine. Every tool is a call of `app`, so its answer is that of the command of the same purpose.
//! Not here: analysis, accounts, and connections that the user did not allow when starting the server.

mod answer;
mod arguments;
mod call;
mod catalogue;
mod corpus_cache;
mod error;
mod files;
mod guide;
mod outputs;
mod pages;
mod pending;
mod protocol;
mod resources;
mod runs;
mod schema;
mod server;
mod spending;
mod tools;

pub use protocol::{serve_http, serve_stdio};
pub use server::{Server, ServerOptions};
