use precedent_domain::HiddenReason;
use precedent_text::pattern;
use scraper::ElementRef;

use crate::format::INVISIBLE;

/// Font size, in multiples of that around it, below which text is too small to read.
const TINY_EM: f64 = 0.15;
/// Distance to the left or top, in any unit, from which text is off the page. Style sheets use -999 and -9999.
const OFF_PAGE: f64 = -900.0;

/// Whether an opening tag, as source text, hides its content.
pub(crate) fn hides(tag: &str) -> bool {
    let tag = tag.to_ascii_lowercase();
    let bare = tag
        .split([' ', '\t', '\n', '>', '/'])
        .any(|word| word == "hidden" || word.starts_with("hidden="));
    bare || style_hides(&tag).is_some()
}

/// The declarations of a style, in lower case, whose property can hide text.
pub(super) fn declarations(style: &str) -> Vec<Declaration> {
    Declarations::parse(style).0
}

/// Why an element is invisible, judging by its attributes and inline style.
pub(super) fn reason(element: &ElementRef<'_>) -> Option<HiddenReason> {
    let value = element.value();
    if value.attr("hidden").is_some() {
        return Some(HiddenReason::HiddenByStyle);
    }
    let style = value.attr("style").unwrap_or_default().to_ascii_lowercase();
    let Some(reason) = style_hides(&style) else {
        return has_white_font(element).then_some(HiddenReason::WhiteOnWhite);
    };
    // White letters can be read on the dark background of an element around them.
    let is_read = reason == HiddenReason::WhiteOnWhite
        && element
            .ancestors()
            .filter_map(ElementRef::wrap)
            .any(has_dark_background);
    (!is_read).then_some(reason)
}

/// Whether this is a `font` element with white letters, and no element around it has a background, in the style or in the attributes of old pages.
fn has_white_font(element: &ElementRef<'_>) -> bool {
    let colour = element.value().attr("color").unwrap_or_default();
    let has_background = |around: ElementRef<'_>| {
        let attribute = |name: &str| around.value().attr(name).map(str::to_ascii_lowercase);
        has_dark_background(around)
            || attribute("bgcolor").is_some_and(|colour| !is_white(colour.trim()))
            || attribute("background").is_some()
    };
    element.value().name() == "font"
        && is_white(colour.trim().to_ascii_lowercase().as_str())
        && !element.ancestors().filter_map(ElementRef::wrap).any(has_background)
}

fn has_dark_background(element: ElementRef<'_>) -> bool {
    let style = element.value().attr("style").unwrap_or_default();
    Declarations::parse(&style.to_ascii_lowercase()).has_dark_background()
}

/// Why a style, in lower case, hides its content. Of two values of a property the later one counts.
fn style_hides(style: &str) -> Option<HiddenReason> {
    let values = Declarations::parse(style);
    let is = |property: &str, hiding: &[&str]| values.get(property).is_some_and(|value| hiding.contains(&value));
    let starts = |property: &str, hiding: &[&str]| {
        let value = values.get(property).unwrap_or_default();
        hiding.iter().any(|start| value.starts_with(start))
    };
    let zero = |property: &str| values.number(property).is_some_and(|(number, _)| number == 0.0);
    // A box of no height hides what is in it only if that is cut off.
    let is_cut = ["overflow", "overflow-y"]
        .iter()
        .any(|name| is(name, &["hidden", "clip"]));
    let is_hidden = is("display", &["none"])
        || is("visibility", &["hidden", "collapse"])
        || is("content-visibility", &["hidden"])
        || starts("filter", &["opacity(0)", "opacity(0%)", "opacity(0.0)"])
        || values.number("opacity").is_some_and(|(number, _)| number < INVISIBLE)
        || starts(
            "clip-path",
            &["inset(50%", "inset(100%", "circle(0", "ellipse(0", "polygon(00,00"],
        )
        || starts(
            "clip",
            &[
                "rect(0,0,0,0",
                "rect(0000",
                "rect(0px,0px,0px,0px",
                "rect(1px,1px,1px,1px",
            ],
        )
        || is_cut
            && ["height", "max-height", "width", "max-width"]
                .iter()
                .any(|name| zero(name))
        || starts(
            "transform",
            &[
                "scale(0)",
                "scale(0,",
                "scale(0.0",
                "scalex(0)",
                "scaley(0)",
                "scale3d(0,",
            ],
        )
        || is("scale", &["0"])
        || is("zoom", &["0", "0%"])
        || values.get("font").is_some_and(is_size_zero);
    if is_hidden {
        return Some(HiddenReason::HiddenByStyle);
    }
    if values.number("font-size").is_some_and(|(number, unit)| {
        number == 0.0
            || (number <= 2.0 && (unit == "px" || unit == "pt"))
            || (number < TINY_EM && unit.starts_with('e'))
    }) {
        return Some(HiddenReason::Tiny);
    }
    // The fill of letters comes before their colour.
    let colour = values
        .get("-webkit-text-fill-color")
        .or(values.get("color"))
        .unwrap_or_default();
    if is_transparent(colour) || is_white(colour) && !values.has_dark_background() {
        return Some(HiddenReason::WhiteOnWhite);
    }
    let is_off = |(number, unit): (f64, &str)| number <= OFF_PAGE || number <= -100.0 && OF_THE_PAGE.contains(&unit);
    let moved = |property: &str| values.get(property).is_some_and(|value| arguments(value).any(is_off));
    let off = ["left", "top", "inset", "text-indent", "margin-left"]
        .iter()
        .any(|side| values.number(side).is_some_and(is_off));
    let translates = values.get("transform").is_some_and(|value| value.contains("translate"));
    (off || moved("translate") || translates && moved("transform")).then_some(HiddenReason::OffPage)
}

/// Units of lengths in hundredths of the page.
const OF_THE_PAGE: [&str; 2] = ["vw", "vh"];

/// The numbers and units in the value of a property such as `translatex(-9999px)`.
fn arguments(value: &str) -> impl Iterator<Item = (f64, &str)> {
    let is_number = |c: char| c.is_ascii_digit() || matches!(c, '.' | '-');
    value.split(['(', ')', ',']).filter_map(move |part| {
        let length = part.find(|c: char| !is_number(c)).unwrap_or(part.len());
        let (number, unit) = part.split_at_checked(length)?;
        Some((number.parse().ok()?, unit))
    })
}

/// Whether the value of `font`, without spaces, begins with a size of zero.
fn is_size_zero(font: &str) -> bool {
    font.strip_prefix('0')
        .is_some_and(|rest| !rest.starts_with(|c: char| c.is_ascii_digit() || c == '.'))
}

fn is_white(colour: &str) -> bool {
    matches!(
        colour,
        "white" | "#fff" | "#ffffff" | "rgb(255,255,255)" | "rgb(100%,100%,100%)" | "hsl(0,0%,100%)"
    )
}

/// Whether a colour lets everything through: `transparent`, or an alpha of 0.
fn is_transparent(colour: &str) -> bool {
    let alpha = match colour.strip_prefix('#') {
        Some(digits) if digits.len() == 4 => digits.get(3..),
        Some(digits) if digits.len() == 8 => digits.get(6..),
        Some(_) => None,
        None => colour
            .strip_suffix(')')
            .filter(|colour| colour.starts_with("rgb") || colour.starts_with("hsl"))
            .and_then(|colour| match colour.rsplit_once('/') {
                Some((_, alpha)) => Some(alpha),
                None if colour.matches(',').count() == 3 => colour.rsplit_once(',').map(|(_, alpha)| alpha),
                None => None,
            }),
    };
    let alpha = alpha.map(|alpha| alpha.trim_end_matches('%').parse::<f64>());
    colour == "transparent" || matches!(alpha, Some(Ok(alpha)) if alpha == 0.0)
}

/// Properties that [`style_hides`] reads.
const PROPERTIES: [&str; 29] = [
    "font",
    "inset",
    "translate",
    "zoom",
    "display",
    "visibility",
    "content-visibility",
    "filter",
    "opacity",
    "clip",
    "clip-path",
    "overflow",
    "overflow-y",
    "height",
    "max-height",
    "width",
    "max-width",
    "transform",
    "scale",
    "font-size",
    "color",
    "-webkit-text-fill-color",
    "background",
    "background-color",
    "background-image",
    "left",
    "top",
    "text-indent",
    "margin-left",
];

/// How the values of `display` begin.
const DISPLAYS: [&str; 12] = [
    "none",
    "block",
    "inline",
    "flex",
    "grid",
    "table",
    "flow",
    "list-item",
    "contents",
    "ruby",
    "run-in",
    "math",
];
/// Maximum length of a value, in bytes. What can hide text is shorter.
const VALUE: usize = 64;

/// A property with its value, without spaces.
#[derive(Debug, Clone)]
pub(super) struct Declaration {
    pub(super) property: &'static str,
    pub(super) value: String,
    pub(super) important: bool,
}

impl Declaration {
    /// Whether browsers accept the value. They ignore a declaration with an invalid value. Only properties that can hide text are checked.
    fn is_valid(&self) -> bool {
        let is_function = self.value.contains('(');
        let is_global = ["inherit", "initial", "unset", "revert"].contains(&self.value.as_str());
        let first = self.value.chars().next();
        is_function
            || is_global
            || match self.property {
                "display" => DISPLAYS.iter().any(|start| self.value.starts_with(start)),
                "visibility" => ["visible", "hidden", "collapse"].contains(&self.value.as_str()),
                "opacity" | "scale" => {
                    self.value == "none" || first.is_some_and(|c| c.is_ascii_digit() || matches!(c, '.' | '-' | '+'))
                }
                "color" | "-webkit-text-fill-color" | "background-color" => {
                    first.is_some_and(|c| c == '#' || c.is_ascii_alphabetic())
                }
                _ => first.is_some(),
            }
    }
}

impl std::fmt::Display for Declaration {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let important = if self.important { "!important" } else { "" };
        write!(f, "{}:{}{important};", self.property, self.value)
    }
}

/// The declarations of a style.
struct Declarations(Vec<Declaration>);

impl Declarations {
    fn parse(style: &str) -> Self {
        // `d\69splay`, `d\isplay` and `d/**/isplay` are `display`.
        let escape = pattern!(r"/\*.*?\*/|\\([0-9a-fA-F]{1,6})\s?|\\");
        let letter = |found: &regex::Captures<'_>| {
            let code = found
                .get(1)
                .and_then(|code| u32::from_str_radix(code.as_str(), 16).ok());
            let letter = code.and_then(char::from_u32);
            letter
                .map(|letter| letter.to_ascii_lowercase().to_string())
                .unwrap_or_default()
        };
        let style = match style.contains(['\\', '*']) {
            true => escape.replace_all(style, letter),
            false => style.into(),
        };
        // An opening tag may be given whole: what comes before the style is no property.
        let parts = style
            .split([';', '"', '\'', '>'])
            .filter_map(|part| part.split_once(':'));
        let compact = |text: &str| text.chars().filter(|c| !c.is_whitespace()).collect::<String>();
        Self(
            parts
                .filter_map(|(name, value)| {
                    let name = compact(name.rsplit('=').next().unwrap_or_default());
                    let property = PROPERTIES.into_iter().find(|property| *property == name)?;
                    let mut value = compact(value);
                    let important = value.ends_with("!important");
                    value.truncate(value.trim_end_matches("!important").len());
                    value.truncate(value.floor_char_boundary(VALUE));
                    let declaration = Declaration {
                        property,
                        value,
                        important,
                    };
                    declaration.is_valid().then_some(declaration)
                })
                .collect(),
        )
    }

    /// The value of a property that counts: the last important one, or else the last.
    fn get(&self, property: &str) -> Option<&str> {
        let mut all = self.0.iter().rev().filter(|one| one.property == property);
        let last = all.clone().next()?;
        let found = all.find(|one| one.important).unwrap_or(last);
        Some(&found.value)
    }

    /// The number and unit of a property's last value.
    fn number(&self, property: &str) -> Option<(f64, &str)> {
        let value = self.get(property)?;
        let length = value
            .find(|c: char| !(c.is_ascii_digit() || matches!(c, '.' | '-')))
            .unwrap_or(value.len());
        let (number, unit) = value.split_at_checked(length)?;
        Some((number.parse().ok()?, unit))
    }

    fn has_dark_background(&self) -> bool {
        if self.get("background-image").is_some_and(|image| image != "none") {
            return true;
        }
        let background = self.get("background-color").or(self.get("background"));
        background.is_some_and(|colour| !is_white(colour) && !is_transparent(colour) && colour != "none")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn styles_that_hide() {
        for (style, reason) in [
            ("display: none", HiddenReason::HiddenByStyle),
            ("color: white", HiddenReason::WhiteOnWhite),
            ("COLOR:#FFFFFF; margin:0", HiddenReason::WhiteOnWhite),
            ("font-size:1px", HiddenReason::Tiny),
            ("font-size:0", HiddenReason::Tiny),
            ("position:absolute;left:-9999px", HiddenReason::OffPage),
            ("visibility: collapse", HiddenReason::HiddenByStyle),
            ("opacity:0!important", HiddenReason::HiddenByStyle),
            ("transform: translateX(-9999px)", HiddenReason::OffPage),
            ("translate: -9999px", HiddenReason::OffPage),
            ("position:absolute; left: -100vw", HiddenReason::OffPage),
            ("font: 0/0 a", HiddenReason::HiddenByStyle),
            ("zoom: 0", HiddenReason::HiddenByStyle),
            ("d\\69splay: none", HiddenReason::HiddenByStyle),
            ("d\\isplay:/* x */none", HiddenReason::HiddenByStyle),
            ("content-visibility: hidden", HiddenReason::HiddenByStyle),
            ("filter: opacity(0%)", HiddenReason::HiddenByStyle),
            ("clip-path: inset(50%)", HiddenReason::HiddenByStyle),
            ("clip-path:polygon(0 0,0 0,0 0)", HiddenReason::HiddenByStyle),
            ("max-height:0; overflow:hidden", HiddenReason::HiddenByStyle),
            ("transform: scale(0)", HiddenReason::HiddenByStyle),
            ("color: rgba(0, 0, 0, 0)", HiddenReason::WhiteOnWhite),
            ("color: rgb(0 0 0 / 0%)", HiddenReason::WhiteOnWhite),
            ("color:#00000000", HiddenReason::WhiteOnWhite),
            ("-webkit-text-fill-color: transparent", HiddenReason::WhiteOnWhite),
            ("display:block; display:none", HiddenReason::HiddenByStyle),
        ] {
            assert_eq!(style_hides(&style.to_lowercase()), Some(reason), "{style}");
        }
        for style in [
            "color:#fff;background:#000",
            "background-color:white",
            "font-size:12px",
            "left:-10px",
            "opacity:0.5",
            "transform:translate(-50%, -50%)",
            "font:0.9em serif",
            "filter:opacity(0.5)",
            "content-visibility:auto",
            "border-color:white",
            "display:none; display:block",
            "max-height:0",
            "height:0.5em;overflow:hidden",
            "transform:scale(0.5)",
            "color:rgba(0,0,0,0.5)",
            "color:rgb(255,255,250)",
        ] {
            assert_eq!(style_hides(style), None, "{style}");
        }
    }
}
