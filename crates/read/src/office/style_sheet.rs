use std::collections::BTreeMap;

use roxmltree::{Document, Node};

use super::look::{Look, is_dark, is_white};
use super::roles::Role;
use crate::xml::{attribute, children};

/// Maximum length of a chain of styles. Word itself stops at 10.
const CHAIN: usize = 20;

#[derive(Debug, Default)]
struct Style {
    role: Option<Role>,
    base: Option<String>,
    look: Look,
    centred: Option<bool>,
}

/// The styles of a document.
#[derive(Debug, Default)]
pub(super) struct StyleSheet {
    styles: BTreeMap<String, Style>,
    default_look: Look,
    default_paragraph: Option<String>,
}

impl StyleSheet {
    /// Reads the `styles.xml` of a Word document.
    pub(super) fn of_word(document: &Document<'_>) -> Self {
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

    /// Adds the styles of an OpenDocument text: the named ones of `styles.xml`, or those that the program made for direct formatting in `content.xml`.
    pub(super) fn add_odt(&mut self, document: &Document<'_>) {
        let lists = document
            .root_element()
            .children()
            .filter(|part| matches!(part.tag_name().name(), "styles" | "automatic-styles"));
        for node in lists.flat_map(|list| children(list, "style")) {
            let Some(name) = attribute(node, "name") else { continue };
            let printed = attribute(node, "display-name").map_or_else(|| name.replace("_20_", " "), str::to_owned);
            let mut style = Style {
                role: Role::of_style(&printed),
                base: attribute(node, "parent-style-name").map(str::to_owned),
                ..Style::default()
            };
            for properties in node.children().filter(Node::is_element) {
                style.add(properties);
            }
            self.styles.insert(name.to_owned(), style);
        }
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

impl Style {
    fn add(&mut self, properties: Node<'_, '_>) {
        let value = |name| attribute(properties, name);
        if let Some(display) = value("display") {
            self.look.hidden = Some(display == "none");
        }
        self.look.white = value("color").map(is_white).or(self.look.white);
        self.look.on_dark = value("background-color")
            .filter(|colour| *colour != "transparent")
            .map(is_dark)
            .or(self.look.on_dark);
        self.look.size = value("font-size").and_then(half_points).or(self.look.size);
        self.look.bold = value("font-weight").map(|weight| weight == "bold").or(self.look.bold);
        self.look.raised = value("text-position")
            .map(|position| position.starts_with("super"))
            .or(self.look.raised);
        self.centred = value("text-align").map(|side| side == "center").or(self.centred);
    }
}

/// `12pt` or `10.5pt` in half-points. Relative sizes (`80%`) are unknown.
fn half_points(size: &str) -> Option<u16> {
    let points: f64 = size.strip_suffix("pt")?.parse().ok()?;
    // Sizes are at most a few hundred points; anything else is nonsense.
    (0.0..1_000.0)
        .contains(&points)
        .then(|| format!("{:.0}", points * 2.0).parse().ok())
        .flatten()
}
