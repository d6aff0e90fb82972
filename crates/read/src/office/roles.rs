/// What a paragraph is, judged by the name of its style.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Role {
    /// Running text, or a style that says nothing.
    #[default]
    Body,
    Title,
    Subtitle,
    Author,
    /// Affiliations, dates and addresses.
    Front,
    AbstractHeading,
    Abstract,
    /// A heading of this level.
    Heading(u8),
    Caption,
    Reference,
    Quote,
    Code,
    ListItem,
    Footnote,
    /// An entry of the table of contents, a header or a footer.
    Furniture,
}

impl Role {
    /// The role of a style name. Word and LibreOffice store the names of their own styles in English; publishers' templates add theirs.
    pub(super) fn of_style(name: &str) -> Option<Self> {
        let lower = name.to_lowercase();
        let letters: String = lower.chars().filter(char::is_ascii_alphabetic).collect();
        let level = lower.chars().filter_map(|c| c.to_digit(10)).next_back();
        // MDPI: `MDPI_1.2_title`.
        let key = letters.strip_prefix("mdpi").unwrap_or(&letters);
        let starts = |beginnings: &[&str]| beginnings.iter().any(|beginning| key.starts_with(beginning));
        let role = match key {
            "title" | "papertitle" | "titledocument" | "articletitle" | "documenttitle" | "maintitle" => Self::Title,
            "subtitle" | "papersubtitle" => Self::Subtitle,
            "author" | "authors" | "authorname" | "authornames" | "paperauthor" | "byline" => Self::Author,
            "affiliation" | "affiliations" | "address" | "institution" | "email" | "date" | "keywords"
            | "indexterms" => Self::Front,
            "abstracttitle" | "abshead" | "abstractheading" | "abstracthead" => Self::AbstractHeading,
            "abstract" | "abstracttext" | "abs" => Self::Abstract,
            "quote" | "quotations" | "blocktext" | "blockquote" | "intensequote" => Self::Quote,
            "sourcecode" | "htmlpreformatted" | "preformattedtext" | "verbatim" | "programcode" => Self::Code,
            "heading" | "head" | "headinglevel" => {
                Self::Heading(level.and_then(|level| u8::try_from(level).ok()).unwrap_or(1))
            }
            _ if starts(&[
                "toc",
                "contents",
                "tableoffigures",
                "tableofauthorities",
                "indexheading",
                "headerleft",
            ]) =>
            {
                Self::Furniture
            }
            "header" | "footer" => Self::Furniture,
            _ if starts(&["footnote", "endnote"]) => Self::Footnote,
            _ if key.ends_with("caption") || starts(&["caption", "illustration", "figurelegend"]) => Self::Caption,
            _ if key.contains("head") && starts(&["referen", "bibliogr", "bibhead", "refhead"]) => Self::Heading(1),
            _ if starts(&["bibliography", "reference", "bibentry", "bibitem"]) => Self::Reference,
            _ if starts(&["listparagraph", "listbullet", "listnumber", "listcontinue"]) => Self::ListItem,
            _ => return None,
        };
        Some(role)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn styles_of_word_and_of_publishers_have_roles() {
        for (name, role) in [
            ("Title", Some(Role::Title)),
            ("paper title", Some(Role::Title)),
            ("MDPI_1.2_title", Some(Role::Title)),
            ("Title_document", Some(Role::Title)),
            ("heading 2", Some(Role::Heading(2))),
            ("Heading 3", Some(Role::Heading(3))),
            ("MDPI_2.1_heading1", Some(Role::Heading(1))),
            ("MDPI_1.3_authornames", Some(Role::Author)),
            ("Abstract Title", Some(Role::AbstractHeading)),
            ("Image Caption", Some(Role::Caption)),
            ("toc 1", Some(Role::Furniture)),
            ("TOC Heading", Some(Role::Furniture)),
            ("Bib_entry", Some(Role::Reference)),
            ("references", Some(Role::Reference)),
            ("Reference Heading", Some(Role::Heading(1))),
            ("footnote text", Some(Role::Footnote)),
            ("Normal", None),
            ("Body Text", None),
            ("Subject line", None),
        ] {
            assert_eq!(Role::of_style(name), role, "{name}");
        }
    }
}
