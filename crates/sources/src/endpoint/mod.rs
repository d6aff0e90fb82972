//! Embedders and rerankers over the network, behind the traits of the crate `corpus`.
//!
//! All requests go through one [`HttpGateway`](precedent_http::HttpGateway), which refuses hosts that are not allowed, records what is sent and stores every
//! answer. Responses are untrusted data: counts, positions and numbers are checked, and nothing in them becomes an address or an id.

mod embedder;
mod line;
mod reranker;

pub use embedder::EndpointEmbedder;
pub use line::EndpointLine;
pub use reranker::EndpointReranker;
