//! Parses the page tree in pieces. Parsing stops when the budget is used up, and tags that would take the parser quadratic time are rejected first.

use std::cell::{Cell, RefCell};

use html5ever::TokenizerResult;
use html5ever::buffer_queue::BufferQueue;
use html5ever::tendril::StrTendril;
use html5ever::tokenizer::{Tag, TagKind, Token, TokenSink, TokenSinkResult, Tokenizer, TokenizerOpts};
use html5ever::tree_builder::{TreeBuilder, TreeBuilderOpts, TreeSink};
use scraper::{Html, HtmlTreeSink};

use crate::budget::{ReadBudget, ReadResource};
use crate::format::FormatError;
use crate::markup::{NESTING, TagScan, too_deep, too_many_attributes};

pub(super) const FORMAT: &str = "HTML";

/// Number of pieces between two checks of the tree depth.
const DEPTH_EVERY: usize = 256;

/// Parses a page, up to the budget.
///
/// # Errors
/// If an element has too many attributes or elements nest too deep.
pub(super) fn parse(text: &str, budget: &ReadBudget) -> Result<Html, FormatError> {
    let sink = PageSink {
        tree: TreeBuilder::new(HtmlTreeSink::new(Html::new_document()), TreeBuilderOpts::default()),
        raw: RefCell::default(),
        tokens: Cell::default(),
        attributes: Cell::default(),
    };
    let tokenizer = Tokenizer::new(sink, TokenizerOpts::default());
    let input = BufferQueue::default();
    let mut watch = Watch::Tags(Vec::new());
    let (mut nodes, mut attributes) = (0, 0);
    for (number, piece) in pieces(text).enumerate() {
        let sink = &tokenizer.sink;
        let foreign = sink.tree.adjusted_current_node_present_but_not_in_html_namespace();
        watch = watch.after(piece, sink.raw.borrow().as_deref(), foreign);
        if watch.is_crowded() {
            return Err(too_many_attributes(FORMAT));
        }
        let tokens = sink.tokens.get();
        input.push_back(StrTendril::from(piece));
        while let TokenizerResult::Script(_) = tokenizer.feed(&input) {}
        if sink.tokens.get() > tokens {
            watch = Watch::Tags(Vec::new());
        }
        let html = sink.tree.sink.0.borrow();
        let last = html.tree.nodes().next_back();
        if number % DEPTH_EVERY == 0 && last.is_some_and(|last| last.ancestors().count() > NESTING) {
            return Err(too_deep(FORMAT));
        }
        let grown = (html.tree.values().len(), sink.attributes.get());
        let within = budget.spend(ReadResource::Nodes, grown.0.saturating_sub(nodes))
            && budget.spend(ReadResource::Attributes, grown.1.saturating_sub(attributes));
        (nodes, attributes) = grown;
        if !within {
            break;
        }
    }
    tokenizer.end();
    Ok(tokenizer.sink.tree.sink.finish())
}

/// The text in pieces. Each piece except the first begins with `<`.
fn pieces(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let first = rest.chars().next()?.len_utf8();
        let next = rest.get(first..)?.find('<').map_or(rest.len(), |at| at + first);
        let (piece, after) = rest.split_at(next);
        rest = after;
        Some(piece)
    })
}

/// The state of the tokenizer after a piece, reduced to what attributes need. Computed before the piece is parsed, because parsing is the slow part.
enum Watch {
    /// Possibly inside tags, with the scan state of each. Text that looks like a tag need not be one (in a script or a CDATA section), so there may
    /// be several; empty between tags.
    Tags(Vec<TagScan>),
    /// Inside a comment or a declaration.
    Comment,
}

impl Watch {
    /// State after `piece`. `raw` is the open element with raw text content, which only its own end tag closes. In `foreign` elements (formulas,
    /// drawings), text that looks like a comment may be character data.
    fn after(self, piece: &str, raw: Option<&str>, foreign: bool) -> Self {
        let Self::Tags(mut scans) = self else {
            return self;
        };
        if scans.is_empty() && raw.is_none() && !foreign && (piece.starts_with("<?") || piece.starts_with("<!")) {
            return Self::Comment;
        }
        for scan in &mut scans {
            scan.read(piece);
        }
        let name = piece.strip_prefix("</").or(piece.strip_prefix('<')).unwrap_or_default();
        let begins = match raw {
            Some(raw) => own_end_tag(piece, raw),
            None => name.starts_with(|c: char| c.is_ascii_alphabetic()),
        };
        if begins {
            let mut scan = TagScan::default();
            scan.read(name);
            scans.push(scan);
        }
        TagScan::unite(&mut scans);
        Self::Tags(scans)
    }

    fn is_crowded(&self) -> bool {
        matches!(self, Self::Tags(scans) if scans.iter().any(TagScan::is_crowded))
    }
}

/// Whether a piece begins with the end tag of this element and has more than its name.
fn own_end_tag(piece: &str, name: &str) -> bool {
    piece
        .strip_prefix("</")
        .and_then(|rest| rest.split_at_checked(name.len()))
        .is_some_and(|(printed, rest)| {
            printed.eq_ignore_ascii_case(name) && rest.starts_with([' ', '\t', '\n', '\r', '\u{c}', '/'])
        })
}

/// Passes tokens to the tree builder and records what passes.
struct PageSink {
    tree: TreeBuilder<<HtmlTreeSink as TreeSink>::Handle, HtmlTreeSink>,
    /// The open element with raw text content.
    raw: RefCell<Option<String>>,
    /// Number of tags, comments and declarations so far.
    tokens: Cell<usize>,
    attributes: Cell<usize>,
}

impl TokenSink for PageSink {
    type Handle = <HtmlTreeSink as TreeSink>::Handle;

    fn process_token(&self, token: Token, line: u64) -> TokenSinkResult<Self::Handle> {
        let opened = match &token {
            Token::TagToken(Tag { kind, name, attrs, .. }) => {
                self.attributes.set(self.attributes.get() + attrs.len());
                self.tokens.set(self.tokens.get() + 1);
                *self.raw.borrow_mut() = None;
                (*kind == TagKind::StartTag).then(|| name.to_string())
            }
            Token::CommentToken(_) | Token::DoctypeToken(_) => {
                self.tokens.set(self.tokens.get() + 1);
                None
            }
            _ => None,
        };
        let result = self.tree.process_token(token, line);
        if matches!(result, TokenSinkResult::RawData(_) | TokenSinkResult::Plaintext) {
            *self.raw.borrow_mut() = opened;
        }
        result
    }

    fn end(&self) {
        self.tree.end();
    }

    fn adjusted_current_node_present_but_not_in_html_namespace(&self) -> bool {
        self.tree.adjusted_current_node_present_but_not_in_html_namespace()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree(text: &str) -> Result<Html, FormatError> {
        parse(text, &ReadBudget::default())
    }

    #[test]
    fn parsing_in_pieces_gives_the_same_tree() {
        for text in [
            "<!DOCTYPE html><title>a &lt b</title><p class=x>one<p>two<!-- <b> --><script>if (a<b && c>\"</i>\") {}</script>three",
            "<svg><![CDATA[x<y]]></svg><textarea><b></textarea><a href='<>' title=\"</a\">x</a>",
            "<table><b>x<tr><td>y</table><math><mi>x</mi></math> &amp; &notin; &am",
            "no markup & nothing <3 else",
            "",
        ] {
            assert_eq!(tree(text).unwrap(), Html::parse_document(text), "{text}");
        }
    }

    #[test]
    fn too_many_attributes_are_detected_anywhere() {
        let crowd: String = (0..300).map(|number| format!(" a{number}")).collect();
        let slashed = crowd.replace(' ', "/");
        for page in [
            format!("<p{crowd}>x"),
            format!("<p{slashed}>x"),
            format!("<p a=\"<\"{crowd}>x"),
            format!("</p{crowd}>x"),
            format!("<script></script{crowd}>x"),
            format!("<title>&lt</TITLE x='<'{crowd}>x"),
            format!("<!-- <b x=\" --><p{crowd}>x"),
            format!("<svg><![CDATA[]]><p{crowd}>x"),
            format!("<svg><![CDATA[<y>]]><p{crowd}>x"),
            format!("<svg><![CDATA[<!--]]><p{crowd}>x"),
            format!("<svg><![CDATA[<y z=\"]]><p q=\"<a <a <a\"{crowd}>x"),
            format!("<script><!--<script></script x=\"--></script y='</script'{crowd}>x"),
            format!("&lt<p{crowd}>x"),
        ] {
            assert!(tree(&page).is_err(), "{}", page.get(..40).unwrap_or_default());
        }
        for page in [
            format!("<!-- <p{crowd}> -->x"),
            format!("<script>a <p{crowd}</script>x"),
            format!("<p title=\"{crowd}\">x"),
        ] {
            assert!(tree(&page).is_ok(), "{}", page.get(..40).unwrap_or_default());
        }
    }
}
