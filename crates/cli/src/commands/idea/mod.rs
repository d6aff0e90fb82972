//! `precedent idea`: checks one or many ideas against prior work.

pub(crate) mod arguments;
mod batch;
mod estimate;
mod meant;
mod single;
mod standing;

pub(super) use meant::{absolute, embedder, examples, is_text_file, model_of_vectors, text_of, typed_idea};
pub(super) use single::{resume, run};
pub(super) use standing::IdeaSession;
