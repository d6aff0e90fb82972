//! The published verifier, ported line by line for comparison: whitespace tokens, Python's `difflib.SequenceMatcher` without its junk heuristic,
//! anchors split at ellipses, the confidence of OpenNovelty's appendix C.4. Used only by benchmarks and measurements.

use std::collections::HashMap;

/// Lower case, Unicode variants replaced, hyphenation merged, white space collapsed. Done once per source, because the published code caches it.
pub(crate) fn normalise(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    for character in text.to_lowercase().chars() {
        match character {
            '\u{d7}' | '\u{2715}' => folded.push('x'),
            '\u{2013}' | '\u{2014}' | '\u{2212}' => folded.push('-'),
            '\u{2026}' => folded.push_str("..."),
            '\u{201c}' | '\u{201d}' => folded.push('"'),
            '\u{2018}' | '\u{2019}' => folded.push('\''),
            '\u{b0}' => folded.push('o'),
            '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' => {}
            other => folded.push(other),
        }
    }
    let mut merged = String::with_capacity(folded.len());
    let mut rest = folded.as_str();
    while let Some(at) = rest.find('-') {
        let (before, after) = rest.split_at(at);
        let next = after[1..].trim_start();
        let joins = before.ends_with(|c: char| c.is_alphanumeric() || c == '_')
            && next.len() < after.len() - 1
            && next.starts_with(|c: char| c.is_alphanumeric() || c == '_');
        merged.push_str(before);
        if joins {
            rest = next;
        } else {
            merged.push('-');
            rest = &after[1..];
        }
    }
    merged.push_str(rest);
    merged.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// `verify_quote_in_fulltext`: whether the quote counts as found, and the confidence.
pub(crate) fn verify(quote: &str, source: &str) -> (bool, f64) {
    let quote = normalise(quote);
    if quote.is_empty() || source.is_empty() {
        return (false, 0.0);
    }
    let mut anchors: Vec<&str> = split_anchors(&quote);
    if anchors.is_empty() {
        anchors.push(&quote);
    }
    let matches: Vec<(f64, usize, usize)> = anchors.iter().map(|anchor| match_anchor(anchor, source)).collect();
    let mut hits: Vec<&(f64, usize, usize)> = matches.iter().filter(|found| found.0 >= 0.6).collect();
    if hits.is_empty() {
        return (false, 0.0);
    }
    hits.sort_by_key(|hit| hit.1);
    let mean = hits.iter().map(|hit| hit.0).sum::<f64>() / hits.len() as f64;
    let ratio = hits.len() as f64 / anchors.len() as f64;
    let compact = hits.windows(2).all(|pair| pair[1].1.saturating_sub(pair[0].2) <= 300);
    let confidence = (0.7 * mean + 0.3 * ratio) * if compact { 1.0 } else { 0.5 };
    (confidence > 0.6, confidence)
}

fn split_anchors(quote: &str) -> Vec<&str> {
    let mut anchors = Vec::new();
    let mut start = 0;
    let bytes = quote.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        let dots = bytes[at..].iter().take_while(|byte| **byte == b'.').count();
        if dots >= 3 {
            anchors.push(&quote[start..at]);
            start = at + dots;
        }
        at += dots.max(1);
    }
    anchors.push(&quote[start..]);
    anchors
        .into_iter()
        .map(str::trim)
        .filter(|anchor| anchor.chars().count() >= 20)
        .collect()
}

/// Coverage of the longest matching block, and its position.
fn match_anchor(anchor: &str, source: &str) -> (f64, usize, usize) {
    let quote: Vec<&str> = anchor.split_whitespace().collect();
    let tokens: Vec<&str> = source.split_whitespace().collect();
    let best = matching_blocks(&quote, &tokens)
        .into_iter()
        .rev()
        .max_by_key(|block| block.2)
        .unwrap_or((0, 0, 0));
    (best.2 as f64 / quote.len().max(1) as f64, best.1, best.1 + best.2)
}

/// `SequenceMatcher(None, a, b, autojunk=False).get_matching_blocks()`.
fn matching_blocks(a: &[&str], b: &[&str]) -> Vec<(usize, usize, usize)> {
    let mut places: HashMap<&str, Vec<usize>> = HashMap::new();
    for (index, token) in b.iter().enumerate() {
        places.entry(token).or_default().push(index);
    }
    let mut queue = vec![(0, a.len(), 0, b.len())];
    let mut blocks = Vec::new();
    while let Some((a_from, a_to, b_from, b_to)) = queue.pop() {
        let (i, j, size) = longest_match(a, b, &places, (a_from, a_to), (b_from, b_to));
        if size > 0 {
            blocks.push((i, j, size));
            if a_from < i && b_from < j {
                queue.push((a_from, i, b_from, j));
            }
            if i + size < a_to && j + size < b_to {
                queue.push((i + size, a_to, j + size, b_to));
            }
        }
    }
    blocks.sort_unstable();
    let mut joined: Vec<(usize, usize, usize)> = Vec::new();
    for block in blocks {
        match joined.last_mut() {
            Some(last) if last.0 + last.2 == block.0 && last.1 + last.2 == block.1 => last.2 += block.2,
            _ => joined.push(block),
        }
    }
    joined
}

fn longest_match(
    a: &[&str],
    b: &[&str],
    places: &HashMap<&str, Vec<usize>>,
    (a_from, a_to): (usize, usize),
    (b_from, b_to): (usize, usize),
) -> (usize, usize, usize) {
    let (mut best_i, mut best_j, mut best) = (a_from, b_from, 0);
    let mut lengths: HashMap<usize, usize> = HashMap::new();
    for (i, token) in a.iter().enumerate().take(a_to).skip(a_from) {
        let mut next: HashMap<usize, usize> = HashMap::new();
        for &j in places.get(token).map_or(&[][..], Vec::as_slice) {
            if j < b_from {
                continue;
            }
            if j >= b_to {
                break;
            }
            let length = 1 + j
                .checked_sub(1)
                .and_then(|before| lengths.get(&before))
                .copied()
                .unwrap_or(0);
            next.insert(j, length);
            if length > best {
                (best_i, best_j, best) = (i + 1 - length, j + 1 - length, length);
            }
        }
        lengths = next;
    }
    while best_i > a_from && best_j > b_from && a[best_i - 1] == b[best_j - 1] {
        (best_i, best_j, best) = (best_i - 1, best_j - 1, best + 1);
    }
    while best_i + best < a_to && best_j + best < b_to && a[best_i + best] == b[best_j + best] {
        best += 1;
    }
    (best_i, best_j, best)
}
