use std::collections::BTreeMap;

use roxmltree::{Document, Node};

use super::roles::Role;
use super::styles::{Look, is_dark, is_white};
use crate::xml::{attribute, children};

/// Maximum length of a chain of styles.
const CHAIN: usize = 20;

#[derive(Debug, Default)]
struct Style {
    role: Option<Role>,
    base: Option<String>,
    look: Look,
    centred: Option<bool>,
}

/// The styles of an OpenDocument text: the named ones, and those that the program made for direct formatting.
#[derive(Debug, Default)]
pub(super) struct OdtStyles {
    styles: BTreeMap<String, Style>,
}

impl OdtStyles {
    /// Adds the styles of `styles.xml` or `content.xml`.
    pub(super) fn add(&mut self, document: &Document<'_>) {
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

    fn chain(&self, name: Option<&str>) -> impl Iterator<Item = &Style> {
        let first = name.and_then(|name| self.styles.get(name));
        std::iter::successors(first, |style| self.styles.get(style.base.as_deref()?)).take(CHAIN)
    }

    pub(super) fn look(&self, name: Option<&str>) -> Look {
        self.chain(name)
            .fold(Look::default(), |look, style| look.over(&style.look))
    }

    pub(super) fn role(&self, name: Option<&str>) -> Role {
        self.chain(name).find_map(|style| style.role).unwrap_or_default()
    }

    pub(super) fn is_centred(&self, name: Option<&str>) -> bool {
        self.chain(name).find_map(|style| style.centred).unwrap_or(false)
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
