//! Text preparation for display: makes deceptive characters visible, shortens long text, and checks links and paths.

mod clean;
mod code;
mod cut;
mod link;
mod nearest;
mod slug;

pub(crate) use clean::{clean, deceives};
pub(crate) use code::code_parts;
pub(crate) use cut::{capitalized, cut_words, cut_words_before, one_line};
pub(crate) use link::{file_name_of, open_link, percent_encode, without_paths};
pub(crate) use nearest::{content_words, fold, nearest, word_starts};
pub use slug::slug;
