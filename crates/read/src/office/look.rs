use precedent_domain::HiddenReason;
use roxmltree::Node;

use crate::xml::attribute;

/// Letters of this size or smaller, in half-points, cannot be read. The HTML reader has the same limit of 2 points.
const TINY: u16 = 4;
/// Colour channels from this value on leave a contrast below 1.15 to white paper (WCAG 2.2), where readable text needs 4.5.
const WHITE_FROM: u8 = 0xF0;
/// Backgrounds whose channels are below this value make white letters readable: their contrast to white is at least 3 (WCAG 2.2, large text).
const DARK_BELOW: u8 = 0x96;

/// The properties of letters that matter here; `None` where they are inherited.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Look {
    pub(super) hidden: Option<bool>,
    pub(super) white: Option<bool>,
    /// Whether the background is dark enough for white letters.
    pub(super) on_dark: Option<bool>,
    /// Size in half-points.
    pub(super) size: Option<u16>,
    pub(super) bold: Option<bool>,
    /// Whether the letters are raised, like footnote marks.
    pub(super) raised: Option<bool>,
}

impl Look {
    /// These properties, with those of `base` where they are inherited.
    pub(super) fn over(&self, base: &Self) -> Self {
        Self {
            hidden: self.hidden.or(base.hidden),
            white: self.white.or(base.white),
            on_dark: self.on_dark.or(base.on_dark),
            size: self.size.or(base.size),
            bold: self.bold.or(base.bold),
            raised: self.raised.or(base.raised),
        }
    }

    /// Why a reader cannot see such letters.
    pub(super) fn hides(&self) -> Option<HiddenReason> {
        if self.hidden == Some(true) {
            Some(HiddenReason::HiddenByStyle)
        } else if self.size.is_some_and(|size| size <= TINY) {
            Some(HiddenReason::Tiny)
        } else if self.white == Some(true) && self.on_dark != Some(true) {
            Some(HiddenReason::WhiteOnWhite)
        } else {
            None
        }
    }

    /// The properties in a `w:rPr` element.
    pub(super) fn of_run(properties: Node<'_, '_>) -> Self {
        let mut look = Self::default();
        for property in properties.children().filter(Node::is_element) {
            let value = attribute(property, "val");
            let is_on = !value.is_some_and(|value| matches!(value, "0" | "false" | "off" | "none"));
            match property.tag_name().name() {
                "vanish" | "specVanish" => look.hidden = Some(is_on),
                "b" => look.bold = Some(is_on),
                "sz" => look.size = value.and_then(|size| size.parse().ok()),
                "vertAlign" => look.raised = Some(value == Some("superscript")),
                "color" => {
                    let background = attribute(property, "themeColor")
                        .is_some_and(|theme| matches!(theme, "background1" | "light1"))
                        && attribute(property, "themeShade").is_none();
                    look.white = Some(match value {
                        Some("auto") | None => background,
                        Some(value) => is_white(value),
                    });
                }
                "highlight" => look.on_dark = value.map(is_dark_highlight),
                "shd" => look.on_dark = shade(property),
                _ => {}
            }
        }
        look
    }
}

/// Whether a `w:shd` element makes the background dark. `None` if it has no colour.
pub(super) fn shade(shading: Node<'_, '_>) -> Option<bool> {
    let fill = attribute(shading, "fill").filter(|fill| *fill != "auto")?;
    Some(is_dark(fill))
}

pub(super) fn is_white(colour: &str) -> bool {
    channels(colour).is_some_and(|channels| channels.iter().all(|channel| *channel >= WHITE_FROM))
}

/// Whether white letters can be read on this background.
pub(super) fn is_dark(colour: &str) -> bool {
    // Green makes most of the luminance, so a saturated red or blue is dark enough.
    channels(colour).is_some_and(|[_, green, _]| green < DARK_BELOW)
}

fn is_dark_highlight(name: &str) -> bool {
    matches!(
        name,
        "black"
            | "blue"
            | "red"
            | "magenta"
            | "darkBlue"
            | "darkCyan"
            | "darkGreen"
            | "darkMagenta"
            | "darkRed"
            | "darkYellow"
            | "darkGray"
    )
}

/// The red, green and blue of `FF00FF` or `#FF00FF`.
fn channels(colour: &str) -> Option<[u8; 3]> {
    let digits = colour.trim_start_matches('#');
    let channel = |at: usize| u8::from_str_radix(digits.get(at..at + 2)?, 16).ok();
    (digits.len() == 6).then_some([channel(0)?, channel(2)?, channel(4)?])
}
