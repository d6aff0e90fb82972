//! Style sheets inside a page. A rule that can hide text counts like the style of each element that it matches.

use std::collections::HashMap;

use html5ever::{QualName, local_name, ns};
use scraper::{ElementRef, Html, Node, Selector, StrTendril};

use super::hidden::{Declaration, declarations};
use crate::budget::{ReadBudget, ReadResource};

/// Maximum number of rules that are matched with the elements.
const RULES: usize = 400;
/// Maximum length of a selector, in bytes.
const SELECTOR: usize = 300;
/// Maximum nesting of rules.
const NESTING: usize = 4;
/// Steps of the budget for each element that a match looks at.
const STEPS: usize = 10;
/// Width of the screen for which media queries are answered, in pixels.
const SCREEN: f64 = 1280.0;

/// Puts the declarations of the page's style sheets that can hide text into the style of each element that they match, before what is there.
/// Important declarations win, then more specific selectors, then later rules.
pub(super) fn inline_styles(page: &mut Html, budget: &ReadBudget) {
    let rules = rules_of(page);
    if rules.is_empty() {
        return;
    }
    let mut by_key: HashMap<&str, Vec<usize>> = HashMap::new();
    for (at, rule) in rules.iter().enumerate() {
        by_key.entry(rule.key.as_str()).or_default().push(at);
    }
    let mut styles = Vec::new();
    let mut siblings = HashMap::new();
    for node in page.tree.root().descendants() {
        let Some(element) = ElementRef::wrap(node) else {
            continue;
        };
        let before: &mut usize = siblings.entry(node.parent().map(|parent| parent.id())).or_default();
        *before += 1;
        let reach = Reach {
            depth: node.ancestors().take(DEPTH).count(),
            siblings: *before,
        };
        let Some(style) = style_of(&element, &rules, &by_key, &reach, budget) else {
            continue;
        };
        let own = element.value().attr("style").unwrap_or_default();
        styles.push((node.id(), format!("{style}{own}")));
    }
    let name = QualName::new(None, ns!(), local_name!("style"));
    for (id, style) in styles {
        let Some(mut node) = page.tree.get_mut(id) else {
            continue;
        };
        if let Node::Element(element) = node.value() {
            element.attrs.retain(|(other, _)| *other != name);
            // The attributes are sorted by name.
            let at = element.attrs.partition_point(|(other, _)| *other < name);
            element.attrs.insert(at, (name.clone(), StrTendril::from(style)));
        }
    }
}

/// Deeper elements count as this deep.
const DEPTH: usize = 512;

/// How many elements a selector may look at.
struct Reach {
    depth: usize,
    siblings: usize,
}

/// The declarations for one element; `None` if no rule matches it or the budget is spent.
fn style_of(
    element: &ElementRef<'_>,
    rules: &[StyleRule],
    by_key: &HashMap<&str, Vec<usize>>,
    reach: &Reach,
    budget: &ReadBudget,
) -> Option<String> {
    let value = element.value();
    let keys = value.classes().chain(value.id()).chain([value.name(), ""]);
    let mut candidates: Vec<usize> = keys.filter_map(|key| by_key.get(key)).flatten().copied().collect();
    candidates.sort_unstable();
    candidates.dedup();
    let mut winners: HashMap<&str, (Rank, &Declaration)> = HashMap::new();
    for at in candidates {
        let Some(rule) = rules.get(at) else { continue };
        if !budget.spend(ReadResource::Steps, rule.cost(reach) * STEPS) {
            return None;
        }
        if !rule.selector.matches(element) {
            continue;
        }
        for one in &rule.declarations {
            let rank = (one.important, rule.specificity, at);
            let winner = winners.entry(one.property).or_insert((rank, one));
            if rank >= winner.0 {
                *winner = (rank, one);
            }
        }
    }
    let mut winners: Vec<&Declaration> = winners.into_values().map(|(_, one)| one).collect();
    winners.sort_by_key(|one| one.property);
    let style: String = winners.iter().map(|one| one.to_string()).collect();
    (!style.is_empty()).then_some(style)
}

/// Importance, specificity and number of the rule: the highest wins.
type Rank = (bool, [usize; 3], usize);

struct StyleRule {
    selector: Selector,
    /// A class, id or tag that an element must have; empty if any may match.
    key: String,
    specificity: [usize; 3],
    looks_at_ancestors: bool,
    looks_at_siblings: bool,
    declarations: Vec<Declaration>,
}

impl StyleRule {
    /// `None` if the selector is not read. `:has` looks at everything below an element and is not read.
    fn of(text: &str, declarations: Vec<Declaration>) -> Option<Self> {
        if text.len() > SELECTOR || text.contains(":has") {
            return None;
        }
        let selector = Selector::parse(text).ok()?;
        // Words of attributes are no part of the structure.
        let bare = without_brackets(text);
        let last = bare
            .rsplit([' ', '>', '+', '~', ')', '\t', '\n'])
            .next()
            .unwrap_or_default();
        let last = last.split(':').next().unwrap_or_default();
        let key = last.rsplit(['.', '#']).next().unwrap_or_default();
        let is_list = bare.contains(":is") || bare.contains(":where") || bare.contains(":not");
        let count = |marks: &[char]| bare.matches(marks).count();
        let names = bare.split([' ', '>', '+', '~', '(', ')', '.', '#', ':']);
        Some(Self {
            selector,
            key: if is_list || key == "*" {
                String::new()
            } else {
                key.to_owned()
            },
            specificity: [
                count(&['#']),
                count(&['.', ':']) + text.matches('[').count(),
                names.filter(|name| !name.is_empty()).count(),
            ],
            looks_at_ancestors: bare.contains([' ', '>', '\t', '\n']) || is_list,
            looks_at_siblings: bare.contains(['~', '+'])
                || bare.contains(":nth")
                || bare.contains("-of-type")
                || bare.contains("-child"),
            declarations,
        })
    }

    /// How many elements a match may look at.
    fn cost(&self, reach: &Reach) -> usize {
        let depth = if self.looks_at_ancestors { reach.depth } else { 0 };
        let siblings = if self.looks_at_siblings { reach.siblings } else { 0 };
        1 + depth + siblings * (1 + depth)
    }
}

fn without_brackets(text: &str) -> String {
    let mut out = String::new();
    let mut depth = 0_usize;
    for c in text.chars() {
        match c {
            '[' => depth += 1,
            ']' => depth = depth.saturating_sub(1),
            c if depth == 0 => out.push(c),
            _ => {}
        }
    }
    out
}

/// The rules of all style sheets for screens that can hide or show text.
fn rules_of(page: &Html) -> Vec<StyleRule> {
    let mut rules = Vec::new();
    for node in page.tree.root().descendants() {
        let Some(element) = ElementRef::wrap(node) else {
            continue;
        };
        if element.value().name() == "style" && element.value().attr("media").is_none_or(is_for_screens) {
            // The marks of a comment in HTML are none in a style sheet.
            let text = element
                .text()
                .collect::<String>()
                .replace("<!--", " ")
                .replace("-->", " ");
            add_rules(&without_comments(&text), &[], 0, &mut rules);
        }
    }
    rules
}

/// Adds the rules of a sheet, or of a block of the rules of `parents`.
fn add_rules(sheet: &str, parents: &[String], depth: usize, rules: &mut Vec<StyleRule>) {
    let mut own = String::new();
    let mut rest = sheet;
    while let Some(at) = next_mark(rest) {
        let (piece, after) = rest.split_at(at);
        let (mark, after) = after.split_at(1);
        rest = after;
        if mark == ";" {
            own.push_str(piece);
            own.push(';');
        }
        if mark != "{" {
            continue;
        }
        let end = block_end(rest);
        let block = rest.get(..end).unwrap_or_default();
        rest = rest.get(end + 1..).unwrap_or_default();
        if depth >= NESTING || rules.len() >= RULES {
            continue;
        }
        let head = piece.trim();
        // A browser skips the block of an empty selector.
        if head.is_empty() {
            continue;
        }
        match head.strip_prefix('@') {
            Some(name) if applies(name) => add_rules(block, parents, depth + 1, rules),
            Some(_) => {}
            None => add_rules(block, &selectors(head, parents), depth + 1, rules),
        }
    }
    own.push_str(rest);
    let declared = declarations(&own.to_ascii_lowercase());
    if declared.is_empty() {
        return;
    }
    for selector in parents {
        if rules.len() >= RULES {
            return;
        }
        // LaTeXML hides footnotes until the reader points at their mark.
        if !selector.contains(".ltx_note_") {
            rules.extend(StyleRule::of(selector, declared.clone()));
        }
    }
}

/// The selectors of a rule, each within those of the rule around it.
fn selectors(head: &str, parents: &[String]) -> Vec<String> {
    let mut all = Vec::new();
    for part in split_list(head) {
        let within = |parent: &String| match part.contains('&') {
            true => part.replace('&', parent),
            false => format!("{parent} {part}"),
        };
        match parents {
            [] => all.push(part.to_owned()),
            parents => all.extend(parents.iter().take(RULES - all.len().min(RULES)).map(within)),
        }
        if all.len() >= RULES {
            break;
        }
    }
    all
}

/// The parts of a list, without commas in brackets.
fn split_list(text: &str) -> Vec<&str> {
    let (mut parts, mut from, mut depth) = (Vec::new(), 0, 0_i32);
    for (at, c) in text.char_indices() {
        match c {
            '(' | '[' => depth += 1,
            ')' | ']' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(text.get(from..at).unwrap_or_default().trim());
                from = at + 1;
            }
            _ => {}
        }
    }
    parts.push(text.get(from..).unwrap_or_default().trim());
    parts
}

/// Whether the rules of an at-rule apply on a screen.
fn applies(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    match name.strip_prefix("media") {
        Some(media) => is_for_screens(media),
        None => name.starts_with("supports") || name.starts_with("layer"),
    }
}

/// Whether a list of media queries fits a wide screen. Queries about anything but the width do not.
fn is_for_screens(media: &str) -> bool {
    let media = media.to_ascii_lowercase();
    let fits = |query: &str| {
        query.split(" and ").all(|part| {
            let part = part.trim().trim_start_matches("only ").trim();
            let inside = part.strip_prefix('(').and_then(|part| part.strip_suffix(')'));
            match inside.and_then(|inside| inside.split_once(':')) {
                Some((name, width)) => fits_width(name.trim(), width.trim()),
                None => matches!(part, "" | "all" | "screen"),
            }
        })
    };
    media.split(',').any(fits)
}

fn fits_width(name: &str, width: &str) -> bool {
    let digits = width
        .find(|c: char| !(c.is_ascii_digit() || c == '.'))
        .unwrap_or(width.len());
    let (number, unit) = width.split_at(digits);
    let pixels = match unit {
        "em" | "rem" => 16.0,
        _ => 1.0,
    };
    number.parse::<f64>().is_ok_and(|number| match name {
        "min-width" => number * pixels <= SCREEN,
        "max-width" => number * pixels >= SCREEN,
        _ => false,
    })
}

/// The position of the next `{`, `}` or `;` outside quotation marks.
fn next_mark(text: &str) -> Option<usize> {
    let mut quoted = None;
    let mut escaped = false;
    text.bytes().position(|byte| {
        let skip = escaped;
        escaped = byte == b'\\' && !skip;
        match (quoted, byte) {
            _ if skip => false,
            // A line end ends a string that was not closed.
            (Some(mark), _) => {
                if byte == mark || byte == b'\n' {
                    quoted = None;
                }
                false
            }
            (None, b'"' | b'\'') => {
                quoted = Some(byte);
                false
            }
            (None, byte) => matches!(byte, b'{' | b'}' | b';'),
        }
    })
}

/// The length of a block whose opening brace was read.
fn block_end(text: &str) -> usize {
    let (mut at, mut depth) = (0, 1_usize);
    while let Some(next) = text.get(at..).and_then(next_mark) {
        at += next;
        match text.as_bytes().get(at) {
            Some(b'{') => depth += 1,
            Some(b'}') => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return at;
        }
        at += 1;
    }
    text.len()
}

fn without_comments(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("/*") {
        out.push_str(before);
        rest = after.split_once("*/").map_or("", |(_, after)| after);
    }
    out.push_str(rest);
    out
}
