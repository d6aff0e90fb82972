use super::Digest;

/// A part of a model's prose: plain text, or a citation of a listed paper.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Piece<'t> {
    /// The text as written.
    pub(crate) text: &'t str,
    /// The paper's number, if this part is a citation `[n]`.
    pub(crate) work: Option<u32>,
}

/// Splits `text` at every `[n]` with a listed number. Unknown numbers stay plain text and never become links.
pub(crate) fn pieces<'t>(digest: &Digest<'_>, text: &'t str) -> Vec<Piece<'t>> {
    let mut out = Vec::new();
    let (mut from, mut search) = (0, 0);
    while let Some(open) = text.get(search..).and_then(|rest| rest.find('[')).map(|at| at + search) {
        search = open + 1;
        let Some(rest) = text.get(search..) else { break };
        let Some(length) = rest.find(']') else { break };
        let number = rest.get(..length).and_then(|digits| digits.parse::<u32>().ok());
        if let Some(number) = number.filter(|&number| digest.work(number).is_some()) {
            let end = search + length + 1;
            push(&mut out, text.get(from..open), None);
            push(&mut out, text.get(open..end), Some(number));
            (from, search) = (end, end);
        }
    }
    push(&mut out, text.get(from..), None);
    out
}

fn push<'t>(out: &mut Vec<Piece<'t>>, text: Option<&'t str>, work: Option<u32>) {
    if let Some(text) = text.filter(|text| !text.is_empty()) {
        out.push(Piece { text, work });
    }
}
