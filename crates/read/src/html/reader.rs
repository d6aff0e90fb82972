//! Long because one walk over the tree decides on every kind of element; the element kinds stand in one match.

use ego_tree::NodeRef;
use precedent_domain::{HiddenReason, ParagraphKind, SectionKind};
use scraper::{ElementRef, Html, Node};

use super::content::content;
use super::hidden;
use super::meta::{has_class, page_title, read_meta};
use crate::draft::{Block, Draft, ReferenceHint};
use crate::format::{FormatError, fold_space, reads_like_an_instruction};
use crate::latex::math::math_text;
use crate::markup::{Flow, check_nesting};
use crate::names::names_in_line;
use crate::text::{is_reference_heading, label_of};

const FORMAT: &str = "HTML";
/// Elements inside elements that are followed.
const DEPTH: usize = 400;

/// Reads an HTML page.
///
/// # Errors
/// When there is no markup or no text, or it nests deeper than any page.
pub(crate) fn read_html(text: &str) -> Result<Draft, FormatError> {
    if text.trim().is_empty() {
        return Err(FormatError::Empty);
    }
    if !text.contains('<') {
        return Err(FormatError::not(FORMAT, "it has no elements"));
    }
    check_nesting(text, FORMAT)?;
    let page = Html::parse_document(text);
    let mut reader = HtmlReader {
        flow: Flow::new(),
        in_references: false,
        in_link: false,
        title_printed: false,
        list_numbers: Vec::new(),
    };
    read_meta(&page, &mut reader.flow.draft);
    let content = content(&page);
    reader.front(&page, content);
    reader.children(content, 0);
    reader.flow.flush();
    let has_text = reader
        .flow
        .draft
        .blocks
        .iter()
        .any(|block| block.kind != ParagraphKind::FrontMatter && block.kind != ParagraphKind::Heading);
    if !has_text {
        return Err(FormatError::Empty);
    }
    reader.flow.finish()
}

struct HtmlReader {
    flow: Flow,
    in_references: bool,
    in_link: bool,
    title_printed: bool,
    /// For ordered lists: the number of the next item.
    list_numbers: Vec<Option<u32>>,
}

impl HtmlReader {
    /// Title and authors, from the head of the page, from LaTeXML's classes or from the first heading.
    fn front(&mut self, page: &Html, content: ElementRef<'_>) {
        let first = |class: &str| content.descendent_elements().find(|element| has_class(element, class));
        let printed = first("ltx_title_document").or_else(|| {
            content.descendent_elements().find(|element| {
                element.value().name() == "h1"
                    || (element.value().id() == Some("title") && element.value().name() == "h2")
            })
        });
        let printed = printed
            .map(|title| self.text_of(title))
            .map(|title| title.trim_start_matches("Title:").trim().to_owned());
        let title = match (self.flow.draft.title.take(), printed.filter(|title| !title.is_empty())) {
            (Some(known), _) => Some(known),
            (None, Some(printed)) => Some(printed),
            (None, None) => page_title(page),
        };
        if let Some(title) = title {
            self.flow.push(Block::new(ParagraphKind::FrontMatter, title.clone()));
            self.flow.draft.title = Some(title);
        }
        if self.flow.draft.authors.is_empty() {
            for person in content
                .descendent_elements()
                .filter(|element| has_class(element, "ltx_personname"))
                .take(1_000)
            {
                self.person(person);
            }
        }
        let names: Vec<&str> = self
            .flow
            .draft
            .authors
            .iter()
            .map(|author| author.name.as_str())
            .collect();
        let names = names.join(", ");
        self.flow.push(Block::new(ParagraphKind::FrontMatter, names));
    }

    fn person(&mut self, person: ElementRef<'_>) {
        let mut lines = vec![String::new()];
        for node in person.descendants() {
            match node.value() {
                Node::Text(text) => {
                    let raised = node.ancestors().filter_map(ElementRef::wrap).take(6).any(|element| {
                        matches!(element.value().name(), "sup" | "math") || has_class(&element, "ltx_note")
                    });
                    if !raised && let Some(line) = lines.last_mut() {
                        line.push_str(text);
                    }
                }
                Node::Element(element) if element.name() == "br" => lines.push(String::new()),
                _ => {}
            }
        }
        for (at, line) in lines.iter().enumerate() {
            let names = names_in_line(&fold_space(line));
            // Below a single name stand affiliations that may look like names.
            if names.is_empty() || (at > 0 && names.len() == 1) {
                continue;
            }
            for author in names {
                if !self.flow.draft.authors.contains(&author) {
                    self.flow.draft.authors.push(author);
                }
            }
        }
    }

    fn children(&mut self, node: ElementRef<'_>, depth: usize) {
        for child in node.children() {
            self.node(child, depth + 1);
        }
    }

    fn node(&mut self, node: NodeRef<'_, Node>, depth: usize) {
        match node.value() {
            Node::Text(text) => self.flow.put(text),
            Node::Comment(comment) if reads_like_an_instruction(comment) => {
                self.flow.draft.hide(HiddenReason::Comment, comment)
            }
            Node::Element(_) if depth < DEPTH => {
                if let Some(element) = ElementRef::wrap(node) {
                    self.element(element, depth);
                }
            }
            _ => {}
        }
    }

    fn element(&mut self, element: ElementRef<'_>, depth: usize) {
        let name = element.value().name();
        if is_dropped(name) || self.is_furniture(&element) {
            return;
        }
        if let Some(reason) = hidden::reason(&element) {
            let text: String = element.text().collect();
            self.flow.draft.hide(reason, &text);
            return;
        }
        if element.value().attr("aria-hidden") == Some("true") && name != "math" {
            // Seen by most readers, but mostly a second printing (KaTeX) or an icon.
            let text: String = element.text().collect();
            if reads_like_an_instruction(&text) {
                self.flow.draft.hide(HiddenReason::HiddenByStyle, &text);
            }
            return;
        }
        if self.latexml(element, depth) {
            return;
        }
        match name {
            "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => self.heading(element),
            "li" => self.item(element, depth),
            "ol" | "ul" => self.list(element, depth),
            "blockquote" => self.block(element, ParagraphKind::BlockQuote, depth),
            "figcaption" | "caption" => self.caption(element, depth),
            "figure" => self.beside(element, ParagraphKind::Caption, depth),
            "pre" => {
                let code: String = element.text().collect();
                self.flow.flush();
                self.flow
                    .push(Block::new(ParagraphKind::Code, code.trim_matches('\n').trim_end()));
            }
            "table" => self.table(element, depth),
            "math" => self.math(element),
            "br" => self.flow.put(" "),
            "a" => self.link(element, depth),
            "sup" => self.raised(element, depth),
            "cite" => {
                let start = self.flow.length();
                self.children(element, depth);
                let keys = targets(element);
                self.flow.cite_since(start, keys);
            }
            _ if is_block(name) => self.container(element, depth),
            _ => self.children(element, depth),
        }
    }

    /// What surrounds the text on most sites.
    fn is_furniture(&self, element: &ElementRef<'_>) -> bool {
        let value = element.value();
        let role = value.attr("role").unwrap_or_default();
        matches!(
            role,
            "navigation" | "banner" | "search" | "dialog" | "menu" | "complementary" | "alert"
        ) || value.classes().any(|class| {
            matches!(
                class,
                "ltx_page_navbar"
                    | "ltx_page_footer"
                    | "ltx_page_header"
                    | "ltx_authors"
                    | "ltx_title_document"
                    | "ltx_ERROR"
                    | "ltx_bib_cited"
                    | "ltx_TOC"
                    | "ltx_pagination"
                    | "sr-only"
                    | "visually-hidden"
                    | "navbar"
                    | "breadcrumb"
                    | "share"
                    | "cookie-banner"
                    | "modal"
                    | "endmetadata"
                    | "extra-services"
                    | "submission-history"
                    | "authors"
                    | "dateline"
                    | "descriptor"
                    | "acl-paper-link-block"
                    | "references-links"
                    | "mw-editsection"
                    | "ref-buttons"
            )
        }) || matches!(
            value.id(),
            Some("toc" | "cookie-banner" | "sidebar" | "comments" | "title")
        )
    }

    /// The classes of LaTeXML, which arXiv's and ar5iv's pages are made with.
    fn latexml(&mut self, element: ElementRef<'_>, depth: usize) -> bool {
        let is = |class: &str| has_class(&element, class);
        if is("ltx_note")
            && (is("ltx_role_footnote")
                || is("ltx_role_footnotetext")
                || is("ltx_role_thanks")
                || is("ltx_role_endnote"))
        {
            let content = element
                .descendent_elements()
                .find(|inner| has_class(inner, "ltx_note_content"))
                .unwrap_or(element);
            let words = self.text_of(content);
            self.flow.beside(ParagraphKind::Footnote, |flow| flow.put(&words));
        } else if is("ltx_abstract") || is("acl-abstract") || (is("abstract") && element.value().name() == "blockquote")
        {
            self.summary(element, depth);
        } else if is("ltx_bibliography") {
            let outer = self.flow.section.replace(SectionKind::References);
            self.children(element, depth);
            self.flow.flush();
            self.flow.section = outer;
        } else if is("ltx_bibitem") {
            self.latexml_reference(element);
        } else if is("ltx_appendix") {
            let outer = self.flow.section.replace(SectionKind::Appendix);
            self.container(element, depth);
            self.flow.section = outer;
        } else if is("ltx_acknowledgements") {
            let outer = self.flow.section.replace(SectionKind::Acknowledgements);
            self.container(element, depth);
            self.flow.section = outer;
        } else if is("ltx_equation") || is("ltx_equationgroup") || is("ltx_eqn_table") {
            self.equation(element);
        } else if is("ltx_theorem") || is("ltx_proof") {
            self.container(element, depth);
        } else if is("ltx_caption") {
            self.caption(element, depth);
        } else if is("ltx_tabular") {
            self.table(element, depth);
        } else if is("ltx_listing") || is("ltx_verbatim") {
            self.listing(element);
        } else if is("ltx_tag_item") {
            let tag = self.text_of(element);
            // Bullets say nothing; letters and numbers do.
            if tag.chars().any(char::is_alphanumeric) {
                self.flow.put(&format!("{tag} "));
            }
        } else if is("ltx_dates") || is("ltx_keywords") || is("ltx_classification") {
            let words = self.text_of(element);
            self.flow.flush();
            self.flow.push(Block::new(ParagraphKind::FrontMatter, words));
        } else {
            return false;
        }
        true
    }

    fn summary(&mut self, element: ElementRef<'_>, depth: usize) {
        self.flow.heading("Abstract", 1, Some(SectionKind::Abstract));
        for child in element.children() {
            let titled = ElementRef::wrap(child).is_some_and(|inner| {
                matches!(inner.value().name(), "h1" | "h2" | "h3" | "h4" | "h5" | "h6")
                    || has_class(&inner, "descriptor")
                    || has_class(&inner, "ltx_title")
            });
            if !titled {
                self.node(child, depth + 1);
            }
        }
        self.flow.end_abstract();
    }

    fn container(&mut self, element: ElementRef<'_>, depth: usize) {
        self.flow.flush();
        self.children(element, depth);
        if self.in_references && element.value().name() == "p" && !self.list_numbers.iter().any(Option::is_some) {
            self.end_reference(element, None);
        }
        self.flow.flush();
    }

    fn block(&mut self, element: ElementRef<'_>, kind: ParagraphKind, depth: usize) {
        self.flow.flush();
        let outer = std::mem::replace(&mut self.flow.kind, kind);
        self.children(element, depth);
        self.flow.flush();
        self.flow.kind = outer;
    }

    fn beside(&mut self, element: ElementRef<'_>, kind: ParagraphKind, depth: usize) {
        let inner = std::mem::replace(&mut self.flow, Flow::new());
        self.flow.kind = kind;
        self.children(element, depth);
        self.flow.flush();
        let mut float = std::mem::replace(&mut self.flow, inner);
        self.flow.draft.hidden.append(&mut float.draft.hidden);
        self.flow.beside(kind, |flow| {
            for block in float.draft.blocks {
                flow.push(block);
            }
        });
    }

    fn caption(&mut self, element: ElementRef<'_>, depth: usize) {
        self.block(element, ParagraphKind::Caption, depth);
    }

    fn heading(&mut self, element: ElementRef<'_>) {
        let words = self.text_of(element);
        let runs_in = element.value().classes().any(|class| {
            matches!(
                class,
                "ltx_runin" | "ltx_title_theorem" | "ltx_title_proof" | "ltx_title_paragraph"
            )
        });
        if runs_in {
            let stop = if words.ends_with(['.', ':']) { "" } else { "." };
            if !words.is_empty() {
                self.flow.lead(&format!("{words}{stop}"));
            }
            return;
        }
        let is_title = self.flow.draft.title.as_ref().is_some_and(|title| *title == words);
        if words.is_empty() || (is_title && !std::mem::replace(&mut self.title_printed, true)) {
            return;
        }
        let level = element
            .value()
            .name()
            .as_bytes()
            .get(1)
            .map_or(2, |digit| digit.saturating_sub(b'0'));
        self.in_references = is_reference_heading(&words);
        let kind = self.in_references.then_some(SectionKind::References);
        // The title has the first level; sections start at the second.
        self.flow.heading(&words, level.saturating_sub(1).max(1), kind);
    }

    fn list(&mut self, element: ElementRef<'_>, depth: usize) {
        self.flow.flush();
        let start = element
            .value()
            .attr("start")
            .and_then(|start| start.parse().ok())
            .unwrap_or(1);
        self.list_numbers
            .push((element.value().name() == "ol").then_some(start));
        self.children(element, depth);
        self.list_numbers.pop();
        self.flow.flush();
    }

    fn item(&mut self, element: ElementRef<'_>, depth: usize) {
        let number = self.list_numbers.last_mut().and_then(|next| {
            let number = (*next)?;
            *next = number.checked_add(1);
            Some(number)
        });
        if self.in_references && self.list_numbers.len() <= 1 {
            self.flow.flush();
            for child in element.children() {
                self.inline_only(child, depth + 1);
            }
            self.end_reference(element, number);
            return;
        }
        self.block(element, ParagraphKind::ListItem, depth);
    }

    /// The text of a reference entry, whatever boxes it stands in.
    fn inline_only(&mut self, node: NodeRef<'_, Node>, depth: usize) {
        match node.value() {
            Node::Text(text) => self.flow.put(text),
            Node::Element(element) if depth < DEPTH && !is_dropped(element.name()) => {
                if let Some(inner) = ElementRef::wrap(node)
                    && !self.is_furniture(&inner)
                {
                    for child in inner.children() {
                        self.inline_only(child, depth + 1);
                    }
                    if is_block(element.name()) {
                        self.flow.put(" ");
                    }
                }
            }
            _ => {}
        }
    }

    fn end_reference(&mut self, element: ElementRef<'_>, number: Option<u32>) {
        let text = fold_space(self.flow.tail());
        self.flow.clear();
        if text.is_empty() {
            return;
        }
        let id = element
            .value()
            .id()
            .or_else(|| element.descendent_elements().find_map(|inner| inner.value().id()));
        let hint = ReferenceHint {
            key: id.map(str::to_owned),
            label: label_of(&text)
                .map(|(label, _)| label.to_owned())
                .or_else(|| number.map(|number| number.to_string())),
            ..ReferenceHint::default()
        };
        self.flow.reference(&text, hint);
    }

    fn latexml_reference(&mut self, element: ElementRef<'_>) {
        let part = |class: &'static str| {
            element
                .descendent_elements()
                .filter(move |inner| has_class(inner, class) && !has_class(inner, "ltx_bib_cited"))
        };
        let label = part("ltx_tag_bibitem").next().map(|tag| self.text_of(tag));
        let blocks: Vec<String> = part("ltx_bibblock").map(|block| self.text_of(block)).collect();
        let marked = part("ltx_bib_title").next().map(|title| self.text_of(title));
        // Most styles print authors, title and place in three blocks.
        let second = blocks
            .get(1)
            .filter(|_| blocks.len() >= 3)
            .map(|title| title.trim_end_matches(['.', ',']).to_owned());
        let title = marked
            .or(second)
            .filter(|title| title.split_whitespace().count() >= 2 && !title.starts_with("In "));
        let text = if blocks.is_empty() {
            self.text_of(element)
        } else {
            fold_space(&blocks.join(" "))
        };
        let label = label
            .map(|label| label.trim_matches(['[', ']', ' ']).to_owned())
            .filter(|label| !label.is_empty());
        let hint = ReferenceHint {
            key: element.value().id().map(str::to_owned),
            // A label of names and year is the mark, not a sign of the list.
            label: label.filter(|label| !label.contains(' ') && !label.contains('(')),
            title,
            ..ReferenceHint::default()
        };
        self.flow.reference(&text, hint);
    }

    fn math(&mut self, element: ElementRef<'_>) {
        let text = math_of(element);
        if element.value().attr("display") == Some("block") && self.flow.tail().trim().is_empty() {
            self.flow.flush();
            self.flow.push(Block::new(ParagraphKind::DisplayMath, text));
        } else {
            self.flow.put(&text.replace('\n', " "));
        }
    }

    fn equation(&mut self, element: ElementRef<'_>) {
        let formulas = element
            .descendent_elements()
            .filter(|inner| inner.value().name() == "math");
        let rows: Vec<String> = formulas.map(math_of).collect();
        let text = if rows.is_empty() {
            self.text_of(element)
        } else {
            rows.join(" ")
        };
        self.flow.flush();
        self.flow.push(Block::new(ParagraphKind::DisplayMath, text));
    }

    fn listing(&mut self, element: ElementRef<'_>) {
        let mut lines = Vec::new();
        for line in element
            .descendent_elements()
            .filter(|inner| has_class(inner, "ltx_listingline"))
        {
            lines.push(fold_space(&line.text().collect::<String>()));
        }
        let code = if lines.is_empty() {
            element.text().collect::<String>()
        } else {
            lines.join("\n")
        };
        let code = code.trim_matches('\n').trim_end();
        if code.contains('\n') || !lines.is_empty() {
            self.flow.flush();
            self.flow.push(Block::new(ParagraphKind::Code, code));
        } else {
            self.flow.put(code);
        }
    }

    fn table(&mut self, element: ElementRef<'_>, depth: usize) {
        let holds = |name: &str| element.descendent_elements().any(|inner| inner.value().name() == name);
        let is_row = |inner: &ElementRef<'_>| inner.value().name() == "tr" || has_class(inner, "ltx_tr");
        let rows: Vec<ElementRef<'_>> = element.descendent_elements().filter(is_row).take(5_000).collect();
        // A table that lays a page out is no table.
        if holds("p") && rows.iter().all(|row| row.child_elements().count() <= 2) && holds("table") {
            self.container(element, depth);
            return;
        }
        self.flow.flush();
        for caption in element
            .child_elements()
            .filter(|inner| inner.value().name() == "caption")
        {
            self.caption(caption, depth + 1);
        }
        let mut lines = Vec::new();
        for row in rows {
            let cells: Vec<String> = row.child_elements().map(|cell| self.text_of(cell)).collect();
            if cells.iter().any(|cell| !cell.is_empty()) {
                lines.push(cells.join(" | "));
            }
        }
        if lines.is_empty() {
            self.container(element, depth);
        } else {
            self.flow.push(Block::new(ParagraphKind::Table, lines.join("\n")));
        }
    }

    fn link(&mut self, element: ElementRef<'_>, depth: usize) {
        let start = self.flow.length();
        let outer = std::mem::replace(&mut self.in_link, true);
        self.children(element, depth);
        self.in_link = outer;
        let keys = target(element).into_iter().collect();
        self.flow.cite_since(start, keys);
    }

    /// A raised number that links to a reference is a mark; raised after a number it is a power.
    fn raised(&mut self, element: ElementRef<'_>, depth: usize) {
        let keys = targets(element);
        let text = self.text_of(element);
        let bare = !text.is_empty()
            && text
                .chars()
                .all(|c| c.is_ascii_digit() || matches!(c, ',' | '-' | '–' | ' '));
        if !keys.is_empty() && bare {
            let start = self.flow.length();
            let space = if self.flow.tail().ends_with([' ', '(', '[']) {
                ""
            } else {
                " "
            };
            self.flow.put(&format!("{space}[{text}]"));
            self.flow.cite_since(start, keys);
        } else if self.flow.tail().ends_with(|c: char| c.is_ascii_digit()) && bare {
            self.flow.put(&format!("^{text}"));
        } else {
            self.children(element, depth);
        }
    }

    /// The text of an element apart from the flow; formulas, but not footnotes and hidden text, are in it.
    fn text_of(&mut self, element: ElementRef<'_>) -> String {
        let mut text = String::new();
        collect_text(*element, &mut text, 0);
        fold_space(&text)
    }
}

fn collect_text(node: NodeRef<'_, Node>, text: &mut String, depth: usize) {
    for child in node.children() {
        match child.value() {
            Node::Text(words) => text.push_str(words),
            Node::Element(_) if depth < DEPTH => {
                let Some(element) = ElementRef::wrap(child) else {
                    continue;
                };
                let name = element.value().name();
                let aside = ["ltx_note", "ltx_note_mark", "ltx_tag_note", "ltx_ERROR", "descriptor"]
                    .iter()
                    .any(|class| has_class(&element, class));
                if aside || is_dropped(name) || hidden::reason(&element).is_some() {
                    continue;
                }
                match name {
                    "math" => text.push_str(&math_of(element)),
                    "br" => text.push(' '),
                    _ => {
                        collect_text(child, text, depth + 1);
                        if is_block(name) {
                            text.push(' ');
                        }
                    }
                }
            }
            _ => {}
        }
    }
}

/// A formula: its TeX where the page gives it, else the characters of its MathML.
fn math_of(element: ElementRef<'_>) -> String {
    if let Some(tex) = element.value().attr("alttext") {
        return math_text(tex);
    }
    let annotation = element.descendent_elements().find(|inner| {
        inner.value().name() == "annotation"
            && inner
                .value()
                .attr("encoding")
                .is_some_and(|encoding| encoding.contains("tex"))
    });
    match annotation {
        Some(tex) => math_text(&tex.text().collect::<String>()),
        None => fold_space(&element.text().collect::<String>()),
    }
}

/// The place on the page that a link leads to.
fn target(link: ElementRef<'_>) -> Option<String> {
    let address = link.value().attr("href")?;
    let (_, fragment) = address.split_once('#')?;
    (!fragment.is_empty()).then(|| fragment.to_owned())
}

fn targets(element: ElementRef<'_>) -> Vec<String> {
    let mut keys = Vec::new();
    for link in element
        .descendent_elements()
        .filter(|inner| inner.value().name() == "a")
    {
        if let Some(key) = target(link).filter(|key| !keys.contains(key)) {
            keys.push(key);
        }
    }
    keys
}

fn is_dropped(name: &str) -> bool {
    matches!(
        name,
        "script"
            | "style"
            | "noscript"
            | "nav"
            | "footer"
            | "form"
            | "button"
            | "svg"
            | "iframe"
            | "template"
            | "select"
            | "input"
            | "textarea"
            | "object"
            | "canvas"
            | "video"
            | "audio"
            | "head"
            | "link"
            | "meta"
            | "dialog"
            | "aside"
            | "annotation"
            | "annotation-xml"
    )
}

fn is_block(name: &str) -> bool {
    matches!(
        name,
        "p" | "div"
            | "section"
            | "article"
            | "main"
            | "header"
            | "dl"
            | "dt"
            | "dd"
            | "address"
            | "details"
            | "summary"
            | "hr"
            | "tr"
            | "tbody"
            | "thead"
            | "body"
            | "fieldset"
            | "center"
            | "li"
            | "ul"
            | "ol"
            | "table"
            | "td"
            | "th"
            | "h1"
            | "h2"
            | "h3"
            | "h4"
            | "h5"
            | "h6"
    )
}
