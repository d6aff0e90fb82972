//! Extracts functions and calls from source files.

use std::ops::ControlFlow;

use tree_sitter::{ParseOptions, Parser, Query, QueryCursor, QueryCursorOptions, StreamingIterator, Tree};

use crate::function::{FoundFunction, FoundFunctions};
use crate::intake::{Taken, left_out_entries};
use crate::languages::{Grammar, grammar};
use crate::{Bounds, Function, Repository, SourceFile, graph};

/// Maximum number of progress callbacks of a parser or query on one file before it is stopped. A callback comes every hundred steps, about ten per
/// kilobyte of code.
const PATIENCE: usize = 15_000;
/// The same limit for all files together.
const PATIENCE_FOR_ALL: usize = 1_000_000;
/// Maximum size in bytes of a function header and of its comment.
const LONGEST_HEADER: usize = 600;
const LONGEST_NOTE: usize = 2_000;
/// Maximum size in bytes of a line with a call.
const LONGEST_LINE: usize = 240;
/// Maximum number of query matches in progress.
const MATCHES: u32 = 4_096;

/// A range of a file, in bytes and lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct CodeRange {
    start: usize,
    end: usize,
    first_line: usize,
    last_line: usize,
}

/// The query captures of a file.
#[derive(Default)]
struct Captures {
    definitions: Vec<Definition>,
    scopes: Vec<(CodeRange, String)>,
    calls: Vec<(usize, String)>,
    comments: Vec<CodeRange>,
}

struct Definition {
    whole: CodeRange,
    name: String,
    body: Option<usize>,
    owner: Option<String>,
    doc: Option<CodeRange>,
}

/// The repository with these files.
pub(crate) fn understood(taken: Taken, bounds: &Bounds) -> Repository {
    let mut left_out = taken.left_out;
    let mut repository = Repository {
        readme: taken.readme,
        ..Repository::default()
    };
    let mut called = Vec::new();
    let mut reader = Reader::new();
    for (path, language, text) in taken.sources {
        let found = reader.functions(grammar(language, &path), &text);
        let file = repository.files.len();
        for one in found.functions {
            if repository.functions.len() >= bounds.functions {
                *left_out
                    .entry(format!("functions beyond the first {}", bounds.functions))
                    .or_default() += 1;
                continue;
            }
            called.push(one.calls);
            repository.functions.push(Function {
                name: one.name,
                owner: one.owner,
                file,
                lines: one.lines,
                header: one.header,
                note: one.note,
            });
        }
        repository.files.push(SourceFile {
            path,
            language,
            lines: text.lines().count(),
            whole: found.whole,
        });
    }
    repository.calls = graph::calls(&repository.functions, &called);
    repository.left_out = left_out_entries(left_out);
    repository
}

/// One parser for all files, and the compiled queries of the languages found so far.
pub(crate) struct Reader {
    parser: Parser,
    /// Progress callbacks left.
    left: usize,
    queries: Vec<(&'static str, Option<Query>)>,
}

impl Reader {
    pub(crate) fn new() -> Self {
        Self {
            parser: Parser::new(),
            left: PATIENCE_FOR_ALL,
            queries: Vec::new(),
        }
    }

    /// The functions of a file; none, and not `whole`, if the parser gives up.
    pub(crate) fn functions(&mut self, grammar: &'static Grammar, text: &str) -> FoundFunctions {
        let language = (grammar.language)();
        if !self.queries.iter().any(|(name, _)| *name == grammar.name) {
            self.queries
                .push((grammar.name, Query::new(&language, grammar.patterns).ok()));
        }
        let query = self.queries.iter().find(|(name, _)| *name == grammar.name);
        let Some(query) = query.and_then(|(_, query)| query.as_ref()) else {
            return FoundFunctions::default();
        };
        let (parser, left) = (&mut self.parser, &mut self.left);
        let tree = parser
            .set_language(&language)
            .ok()
            .and_then(|()| tree_of(parser, text, left));
        let Some(tree) = tree else {
            parser.reset();
            return FoundFunctions::default();
        };
        let (captures, whole) = captures(query, &tree, text, left);
        FoundFunctions {
            functions: functions(captures, text),
            whole,
        }
    }
}

/// A progress callback that decides whether to continue.
fn patience(left: &mut usize) -> impl FnMut() -> ControlFlow<()> {
    let mut reports = 0_usize;
    move || {
        reports += 1;
        *left = left.saturating_sub(1);
        if reports > PATIENCE || *left == 0 {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }
}

fn tree_of(parser: &mut Parser, text: &str, left: &mut usize) -> Option<Tree> {
    let bytes = text.as_bytes();
    let mut another = patience(left);
    let mut reported = |_: &tree_sitter::ParseState| another();
    let options = ParseOptions::new().progress_callback(&mut reported);
    let mut from = |at: usize, _| bytes.get(at..).unwrap_or_default();
    parser.parse_with_options(&mut from, None, Some(options))
}

/// The captures of a query, and whether it ran to the end.
fn captures(query: &Query, tree: &Tree, text: &str, left: &mut usize) -> (Captures, bool) {
    let mut another = patience(left);
    let mut stopped = false;
    let mut reported = |_: &tree_sitter::QueryCursorState| {
        let further = another();
        stopped |= further.is_break();
        further
    };
    let mut cursor = QueryCursor::new();
    cursor.set_match_limit(MATCHES);
    let options = QueryCursorOptions::new().progress_callback(&mut reported);
    let mut captures = Captures::default();
    let names = query.capture_names();
    let mut matches = cursor.matches_with_options(query, tree.root_node(), text.as_bytes(), options);
    while let Some(one) = matches.next() {
        let captured = one.captures().iter().filter_map(|capture| {
            let node = capture.node;
            let stretch = CodeRange {
                start: node.start_byte(),
                end: node.end_byte(),
                first_line: node.start_position().row,
                last_line: node.end_position().row,
            };
            let name = names.get(usize::try_from(capture.index).ok()?)?;
            Some((*name, stretch))
        });
        captures.take(&captured.collect::<Vec<_>>(), text);
    }
    drop(matches);
    let whole = !stopped && !cursor.did_exceed_match_limit();
    (captures, whole)
}

impl Captures {
    /// Records one match: a function, a class, a called name or a comment.
    fn take(&mut self, captured: &[(&str, CodeRange)], text: &str) {
        let of = |wanted: &str| captured.iter().find(|(name, _)| *name == wanted).map(|(_, it)| *it);
        let words = |stretch: CodeRange| text.get(stretch.start..stretch.end).map(str::to_owned);
        if let (Some(whole), Some(name)) = (of("function"), of("name").and_then(words)) {
            let body = of("body").map(|body| body.start);
            let doc = of("doc");
            match self.definitions.iter_mut().find(|one| one.whole == whole) {
                // A later pattern may capture the docstring that an earlier one did not.
                Some(known) => known.doc = known.doc.or(doc),
                None => self.definitions.push(Definition {
                    whole,
                    name,
                    body,
                    owner: of("owner").and_then(words),
                    doc,
                }),
            }
        } else if let (Some(scope), Some(name)) = (of("scope"), of("scope.name").and_then(words)) {
            self.scopes.push((scope, name));
        } else if let Some(call) = of("call") {
            self.calls.extend(words(call).map(|name| (call.start, name)));
        } else if let Some(comment) = of("comment") {
            self.comments.push(comment);
        }
    }
}

/// Links each function with the class around it, the comment before it and the names called in it.
fn functions(mut captures: Captures, text: &str) -> Vec<FoundFunction> {
    captures
        .definitions
        .sort_by_key(|one| (one.whole.start, std::cmp::Reverse(one.whole.end)));
    captures
        .scopes
        .sort_by_key(|(scope, _)| (scope.start, std::cmp::Reverse(scope.end)));
    captures.comments.sort_by_key(|comment| comment.start);
    captures.calls.sort();
    let scopes: Vec<CodeRange> = captures.scopes.iter().map(|(scope, _)| *scope).collect();
    let starts: Vec<usize> = captures.definitions.iter().map(|one| one.whole.start).collect();
    let around = innermost(&scopes, &starts);
    let wholes: Vec<CodeRange> = captures.definitions.iter().map(|one| one.whole).collect();
    let places: Vec<usize> = captures.calls.iter().map(|(place, _)| *place).collect();
    let callers = innermost(&wholes, &places);
    let mut found: Vec<FoundFunction> = captures
        .definitions
        .iter()
        .zip(around)
        .map(|(one, scope)| FoundFunction {
            name: one.name.clone(),
            owner: one.owner.clone().or_else(|| {
                scope
                    .and_then(|scope| captures.scopes.get(scope))
                    .map(|(_, name)| name.clone())
            }),
            lines: (one.whole.first_line + 1, one.whole.last_line + 1),
            header: header(one, text),
            note: note(one, &captures.comments, text),
            calls: Vec::new(),
        })
        .collect();
    for ((place, name), caller) in captures.calls.into_iter().zip(callers) {
        if let Some(caller) = caller.and_then(|caller| found.get_mut(caller))
            && caller.calls.iter().all(|(known, _)| *known != name)
        {
            caller.calls.push((name, line_at(text, place).to_owned()));
        }
    }
    found
}

/// For each position, in order, the innermost range that contains it. Both are sorted by start, and longer ranges precede shorter ones.
fn innermost(stretches: &[CodeRange], places: &[usize]) -> Vec<Option<usize>> {
    let mut open: Vec<usize> = Vec::new();
    let mut next = stretches.iter().enumerate().peekable();
    let mut found = Vec::with_capacity(places.len());
    for place in places {
        while let Some((at, _)) = next.next_if(|(_, stretch)| stretch.start <= *place) {
            open.push(at);
        }
        let ends_before = |at: &usize| stretches.get(*at).is_none_or(|stretch| stretch.end <= *place);
        while open.last().is_some_and(ends_before) {
            open.pop();
        }
        // A finished range stays below an unfinished one only if ranges overlap partially, which ranges of a tree never do.
        found.push(open.last().copied());
    }
    found
}

/// The text before the body, with its line breaks.
fn header(one: &Definition, text: &str) -> String {
    let end = one.body.unwrap_or(one.whole.end);
    let words = text.get(one.whole.start..end).unwrap_or_default().trim_end();
    cut(words, LONGEST_HEADER).to_owned()
}

/// The comment that ends on the line before the function, with the comments directly above it; else the docstring.
fn note(one: &Definition, comments: &[CodeRange], text: &str) -> Option<String> {
    let behind = comments.partition_point(|comment| comment.end <= one.whole.start);
    let mut start = None;
    let mut line = one.whole.first_line;
    for comment in comments.get(..behind).unwrap_or_default().iter().rev() {
        // Some grammars include the line break in the comment.
        let last_line = match text.get(comment.start..comment.end) {
            Some(words) if words.ends_with('\n') => comment.last_line.saturating_sub(1),
            _ => comment.last_line,
        };
        if last_line + 1 != line {
            break;
        }
        (start, line) = (Some(comment.start), comment.first_line);
    }
    let before = start.and_then(|start| text.get(start..one.whole.start));
    let within = one.doc.and_then(|doc| text.get(doc.start..doc.end));
    let words = before.or(within)?.trim();
    Some(cut(words, LONGEST_NOTE).to_owned()).filter(|words| words.chars().any(char::is_alphabetic))
}

/// The trimmed line around a position.
fn line_at(text: &str, place: usize) -> &str {
    let (before, behind) = text.split_at_checked(place).unwrap_or((text, ""));
    let start = before.rfind('\n').map_or(0, |at| at + 1);
    let end = place + behind.find('\n').unwrap_or(behind.len());
    cut(text.get(start..end).unwrap_or_default().trim(), LONGEST_LINE)
}

fn cut(words: &str, most: usize) -> &str {
    let end = (0..=most.min(words.len()))
        .rev()
        .find(|end| words.is_char_boundary(*end));
    words.get(..end.unwrap_or(0)).unwrap_or_default()
}
