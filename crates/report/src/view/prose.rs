use super::Digest;

/// A piece of a model's prose: plain words, or a citation of a work that the index has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Piece<'t> {
    /// The words as written.
    pub(crate) text: &'t str,
    /// The work, where the piece is its `[n]`.
    pub(crate) work: Option<u32>,
}

/// `text` cut at every `[n]` whose number the index has. A number it lacks stays plain words: it is never a link.
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
