use std::collections::BTreeMap;

use precedent_domain::HiddenReason;
use roxmltree::{Document, Node};

use super::roles::Role;
use crate::xml::{attribute, children};

/// Maximum length of a chain of styles. Word itself stops at 10.
const CHAIN: usize = 20;
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

#[derive(Debug, Default)]
struct Style {
    role: Option<Role>,
    base: Option<String>,
    look: Look,
    centred: Option<bool>,
}

/// The styles of a Word document.
#[derive(Debug, Default)]
pub(super) struct Styles {
    styles: BTreeMap<String, Style>,
    default_look: Look,
    default_paragraph: Option<String>,
}

impl Styles {
    /// Reads `styles.xml`.
    pub(super) fn of(document: &Document<'_>) -> Self {
        let mut styles = Self::default();
        let root = document.root_element();
        let defaults = children(root, "docDefaults")
            .flat_map(|defaults| children(defaults, "rPrDefault"))
            .flat_map(|defaults| children(defaults, "rPr"))
            .next();
        styles.default_look = defaults.map(Look::of_run).unwrap_or_default();
        for node in children(root, "style") {
            let Some(id) = attribute(node, "styleId") else { continue };
            let value = |name| children(node, name).next().and_then(|child| attribute(child, "val"));
            let paragraph = children(node, "pPr").next();
            let of_paragraph = |name| {
                paragraph
                    .and_then(|paragraph| children(paragraph, name).next())
                    .and_then(|child| attribute(child, "val"))
            };
            let outline = of_paragraph("outlineLvl")
                .and_then(|level| level.parse::<u8>().ok())
                .filter(|level| *level < 9);
            let style = Style {
                role: value("name")
                    .and_then(Role::of_style)
                    .or(outline.map(|level| Role::Heading(level + 1))),
                base: value("basedOn").map(str::to_owned),
                look: children(node, "rPr").next().map(Look::of_run).unwrap_or_default(),
                centred: of_paragraph("jc").map(|side| side == "center"),
            };
            if attribute(node, "type") == Some("paragraph")
                && attribute(node, "default").is_some_and(|value| value != "0")
            {
                styles.default_paragraph = Some(id.to_owned());
            }
            styles.styles.insert(id.to_owned(), style);
        }
        styles
    }

    /// The style and those it is based on, the closest first.
    fn chain(&self, id: Option<&str>) -> impl Iterator<Item = &Style> {
        let first = id.and_then(|id| self.styles.get(id));
        std::iter::successors(first, |style| self.styles.get(style.base.as_deref()?)).take(CHAIN)
    }

    /// The letters of a paragraph of this style.
    pub(super) fn paragraph_look(&self, id: Option<&str>) -> Look {
        let id = id.or(self.default_paragraph.as_deref());
        self.look(id).over(&self.default_look)
    }

    /// The letters of a style, without the document's defaults.
    pub(super) fn look(&self, id: Option<&str>) -> Look {
        self.chain(id)
            .fold(Look::default(), |look, style| look.over(&style.look))
    }

    pub(super) fn role(&self, id: Option<&str>) -> Role {
        // A document without a list of styles names them by their ids.
        let named = || id.and_then(Role::of_style);
        self.chain(id)
            .find_map(|style| style.role)
            .or_else(named)
            .unwrap_or_default()
    }

    pub(super) fn is_centred(&self, id: Option<&str>) -> bool {
        self.chain(id).find_map(|style| style.centred).unwrap_or(false)
    }
}
