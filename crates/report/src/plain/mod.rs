//! Text on its way to a reader: characters that deceive are made visible, long text is cut for display, links and paths are judged.

mod clean;
mod cut;
mod link;
mod nearest;

pub(crate) use clean::{clean, deceives};
pub(crate) use cut::{Shown, cut_words, cut_words_before, one_line};
pub(crate) use link::{file_name_of, open_link, percent_encode, without_paths};
pub(crate) use nearest::{content_words, fold, nearest, word_starts};
