//! One file per provider, and the list of them. To add one: its file, and its two lines here.

mod chat;
mod errors;
mod registry;

mod anthropic;
mod anthropic_batch;
mod compatible;
mod deepseek;
mod gemini;
mod ollama;
mod openai;
mod openai_batch;
mod openrouter;

pub use registry::{provider, providers};

use crate::Provider;

/// All providers, in the order that help lists them.
const PROVIDERS: &[&dyn Provider] = &[
    &openai::OPENAI,
    &anthropic::AnthropicProvider,
    &gemini::GeminiProvider,
    &deepseek::DEEPSEEK,
    &openrouter::OPENROUTER,
    &ollama::OLLAMA,
    &compatible::COMPATIBLE,
];
