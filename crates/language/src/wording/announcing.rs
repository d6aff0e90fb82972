//! Sentences that only announce what follows.

use precedent_text::pattern;

/// Whether a sentence only announces what follows: `Novelty of this paper is summarized as follows.`, `Our contributions are threefold:`.
pub fn only_announces(sentence: &str) -> bool {
    const THINGS: &str = "contributions?|novelt(?:y|ies)|innovations?|results?|findings?|features?|highlights?|advantages?|objectives?|aims?|goals?|\
benefits?|ideas?|questions?|observations?|conclusions?|insights?|points?|steps?|achievements?|paper|work|article|study";
    const AHEAD: &str = "as\\s+follows|(?:as\\s+)?(?:the\\s+)?following(?:\\s+\\w+)?|below|(?:two|three|four|five|six|multi|several|many)-?\\s?fold|next|\
in\\s+(?:this|the\\s+following|the\\s+next)\\s+(?:sub)?sections?|now|here|(?:in\\s+)?(?:two|three|four|five|several)\\s+(?:points|aspects|parts|respects|ways)";
    pattern!(&format!(
        r"(?i)^[^.:;]{{0,60}}?\b(?:{THINGS})\b(?:\s+[\w'’-]+){{0,10}}?\s+(?:is|are|can\s+be|may\s+be|was|were|include|includes|summari[sz]ed?|list(?:ed)?|has|have|we)\b(?:\s+[\w'’-]+){{0,4}}?\s*(?:{AHEAD})\s*[.:]?\s*$"
    ))
    .is_match(sentence.trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn announcements_are_distinguished_from_statements() {
        for empty in [
            "Novelty of this paper is summarized as follows.",
            "The main contributions of this paper are as follows:",
            "Our contributions can be summarized as follows.",
            "The contribution of this work is threefold.",
            "Our contributions are three-fold:",
            "In summary, our main findings are the following:",
            "The results are summarised below.",
            "The novelty and the contributions of this paper are listed below:",
        ] {
            assert!(only_announces(empty), "{empty}");
        }
        for full in [
            "The contribution of this paper is a winch for wet rope.",
            "Our contributions are as follows: a winch, a rope and a net.",
            "We present a winch that follows the rope below the deck.",
            "The results show that ropes of hemp hold in cold water.",
            "This paper describes a rope that is pulled as follows from the law of winches.",
            "Our main idea is to follow the rope.",
            "The features are extracted in three steps from wet ropes.",
        ] {
            assert!(!only_announces(full), "{full}");
        }
    }
}
