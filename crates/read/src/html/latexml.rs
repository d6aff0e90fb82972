//! Elements of LaTeXML, the converter behind arXiv's and ar5iv's pages.

use precedent_domain::{ParagraphKind, SectionKind};
use scraper::ElementRef;

use super::elements::{math_of, text_of};
use super::meta::has_class;
use super::reader::HtmlReader;
use crate::draft::Block;
use crate::format::fold_space;

impl HtmlReader {
    /// Handles an element by its LaTeXML class.
    pub(super) fn latexml(&mut self, element: ElementRef<'_>, depth: usize) -> bool {
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
            let words = text_of(content);
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
            let tag = text_of(element);
            // Drop bullets, but keep letters and numbers.
            if tag.chars().any(char::is_alphanumeric) {
                self.flow.put(&format!("{tag} "));
            }
        } else if is("ltx_dates") || is("ltx_keywords") || is("ltx_classification") {
            let words = text_of(element);
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

    fn equation(&mut self, element: ElementRef<'_>) {
        let formulas = element
            .descendent_elements()
            .filter(|inner| inner.value().name() == "math");
        let rows: Vec<String> = formulas.map(math_of).collect();
        let text = if rows.is_empty() {
            text_of(element)
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
}
