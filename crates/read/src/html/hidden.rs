/// Whether an opening tag hides what stands inside it: by attribute or by its inline style.
pub(crate) fn hides(tag: &str) -> bool {
    let tag = tag.to_ascii_lowercase();
    let compact: String = tag.chars().filter(|c| !c.is_whitespace()).collect();
    tag.split([' ', '\t', '\n', '>', '/'])
        .any(|word| word == "hidden" || word == "hidden=\"\"")
        || compact.contains("display:none")
        || compact.contains("visibility:hidden")
}
