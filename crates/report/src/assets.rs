//! What pages around reports share with them.

use crate::blocks::Chip;
use crate::formats::html::{SCRIPT, STYLE};
use crate::summary::ClaimLevel;

/// The style sheet of reports.
#[must_use]
pub fn style_sheet() -> &'static str {
    STYLE
}

/// The script of reports: sorting, filtering, expanding, copying and the theme.
#[must_use]
pub fn page_script() -> &'static str {
    SCRIPT
}

impl ClaimLevel {
    /// The label with its shape, as HTML. It contains no text from a paper.
    #[must_use]
    pub fn chip(self) -> String {
        Chip(self.key(), self.label()).to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chip_has_a_shape_and_a_label() {
        let chip = ClaimLevel::Anticipated.chip();
        assert!(
            chip.starts_with("<span class=\"chip found\"><svg") && chip.ends_with("</svg>Anticipated</span>"),
            "{chip}"
        );
    }
}
