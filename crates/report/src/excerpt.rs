//! Quotes as pages show them in a line or two.

use precedent_domain::Quote;

use crate::plain::cut_words;
use crate::words;

/// Longest excerpt shown at once, in words.
const LONGEST: usize = 90;

/// Words cut from a source: its own characters, or their beginning where `cut`.
pub(crate) struct Excerpt {
    pub(crate) text: String,
    /// Whether an ellipsis follows.
    pub(crate) cut: bool,
    /// The bytes of the source: `120-245`.
    pub(crate) span: String,
    /// Section and page.
    pub(crate) place: String,
}

impl Excerpt {
    /// A quote, cut for display where it is long.
    pub(crate) fn of(quote: &Quote) -> Self {
        let shown = cut_words(quote.text(), LONGEST);
        Self {
            text: shown.text.to_owned(),
            cut: shown.cut,
            span: format!("{}-{}", quote.span().start, quote.span().end),
            place: words::place(quote.place()),
        }
    }

    /// A quote as it is, however long.
    pub(crate) fn whole(quote: &Quote) -> Self {
        Self {
            text: quote.text().to_owned(),
            cut: false,
            ..Self::of(quote)
        }
    }
}
