//! `precedent idea`: checks one or many ideas against prior work.

pub(crate) mod arguments;
mod batch;
mod estimate;
mod request;
mod shared;
mod single;

pub(super) use request::{absolute, embedder, examples, is_text_file, model_of_vectors, text_of, typed_idea};
pub(super) use shared::IdeaSession;
pub(super) use single::{resume, run};
