//! Quotes shortened for display.

use precedent_domain::Quote;

use crate::plain::cut_words;
use crate::words;

/// Maximum length of an excerpt, in words.
const LONGEST: usize = 90;

/// A quote from a source, or its beginning if `cut`.
#[derive(Debug, Clone)]
pub(crate) struct Excerpt {
    pub(crate) text: String,
    /// Whether an ellipsis follows.
    pub(crate) cut: bool,
    /// The byte range in the source: `120-245`.
    pub(crate) span: String,
    /// Section and page.
    pub(crate) place: String,
}

impl Excerpt {
    /// A quote, shortened for display if it is long.
    pub(crate) fn of(quote: &Quote) -> Self {
        let shown = cut_words(quote.text(), LONGEST);
        Self {
            text: shown.text.to_owned(),
            cut: shown.cut,
            span: format!("{}-{}", quote.span().start, quote.span().end),
            place: words::place(quote.place()),
        }
    }

    /// The full quote.
    pub(crate) fn whole(quote: &Quote) -> Self {
        Self {
            text: quote.text().to_owned(),
            cut: false,
            ..Self::of(quote)
        }
    }
}
