use precedent_domain::HiddenReason;
use scraper::ElementRef;

/// Whether an opening tag, as source text, hides its content.
pub(crate) fn hides(tag: &str) -> bool {
    let tag = tag.to_ascii_lowercase();
    let bare = tag
        .split([' ', '\t', '\n', '>', '/'])
        .any(|word| word == "hidden" || word.starts_with("hidden="));
    bare || style_hides(&tag).is_some()
}

/// Why an element is invisible, judging by its attributes and inline style.
pub(super) fn reason(element: &ElementRef<'_>) -> Option<HiddenReason> {
    let value = element.value();
    if value.attr("hidden").is_some_and(|hidden| hidden != "until-found") {
        return Some(HiddenReason::HiddenByStyle);
    }
    style_hides(&value.attr("style")?.to_ascii_lowercase())
}

fn style_hides(style: &str) -> Option<HiddenReason> {
    let compact: String = style.chars().filter(|c| !c.is_whitespace()).collect();
    let has = |part: &str| compact.contains(part);
    if has("display:none") || has("visibility:hidden") || has("opacity:0;") || compact.ends_with("opacity:0") {
        return Some(HiddenReason::HiddenByStyle);
    }
    let size = number_after(&compact, "font-size:");
    if size.is_some_and(|(number, unit)| {
        number == 0.0 || (number <= 2.0 && (unit == "px" || unit == "pt")) || (number < 0.15 && unit.starts_with('e'))
    }) {
        return Some(HiddenReason::Tiny);
    }
    let dark = has("background")
        && !has("background:#fff")
        && !has("background-color:#fff")
        && !has("background:white")
        && !has("background-color:white");
    let white = [
        "color:white",
        "color:#fff",
        "color:#ffffff",
        "color:rgb(255,255,255)",
        "color:transparent",
    ]
    .iter()
    .any(|color| {
        compact.match_indices(color).any(|(at, _)| {
            let before = compact.get(..at).and_then(|before| before.chars().next_back());
            let after = compact.get(at + color.len()..).and_then(|after| after.chars().next());
            before != Some('-') && after.is_none_or(|c| matches!(c, ';' | '"' | '\'' | '!' | '>'))
        })
    });
    if white && !dark {
        return Some(HiddenReason::WhiteOnWhite);
    }
    let off = ["left:", "top:", "text-indent:"]
        .iter()
        .any(|side| number_after(&compact, side).is_some_and(|(number, _)| number <= -900.0));
    off.then_some(HiddenReason::OffPage)
}

/// The number and unit of a style property.
fn number_after<'s>(style: &'s str, property: &str) -> Option<(f64, &'s str)> {
    let (_, value) = style.split_once(property)?;
    let length = value
        .find(|c: char| !(c.is_ascii_digit() || matches!(c, '.' | '-')))
        .unwrap_or(value.len());
    let (number, rest) = value.split_at_checked(length)?;
    let unit = rest.split([';', '"', '\'', '!', '>']).next().unwrap_or_default();
    Some((number.parse().ok()?, unit))
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
        ] {
            assert_eq!(style_hides(&style.to_lowercase()), Some(reason), "{style}");
        }
        for style in [
            "color:#fff;background:#000",
            "background-color:white",
            "font-size:12px",
            "left:-10px",
            "opacity:0.5",
            "border-color:white",
        ] {
            assert_eq!(style_hides(style), None, "{style}");
        }
    }
}
