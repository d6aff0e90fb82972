//! One file a provider, and the registry that names them.

mod anthropic;
mod chat;
mod compatible;
mod deepseek;
mod gemini;
mod ollama;
mod openai;
mod openrouter;
mod registry;
mod said;

pub use registry::{provider, providers};
