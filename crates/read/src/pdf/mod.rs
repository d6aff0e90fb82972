//! PDF to a draft: glyphs with their places, then lines, columns, blocks; what nobody sees is kept apart.

mod authors;
mod cmap;
mod content;
mod emit;
mod encoding;
mod error;
mod font;
mod font_widths;
mod front;
mod furniture;
mod glyph;
mod group;
mod gutter;
mod hidden;
mod interpret;
mod kind;
mod line;
mod matrix;
mod measure;
mod mend;
mod metadata;
mod objects;
mod open;
mod order;
mod page;
mod paint;
mod reader;
mod run;
mod show;
mod truetype;
mod words;

pub(crate) use reader::read_pdf;
