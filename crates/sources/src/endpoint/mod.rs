//! Embedders and rerankers that are asked over the network, behind the traits of the room `corpus`.
//!
//! Everything goes through one [`Door`](precedent_http::Door), which refuses hosts that may not be reached, notes what is sent and keeps every answer. What a
//! server says is data: counts, places and numbers are checked, and nothing of it becomes an address or an id.

mod embedder;
mod line;
mod reranker;

pub use embedder::EndpointEmbedder;
pub use line::EndpointLine;
pub use reranker::EndpointReranker;
