//! The main result in the abstract's own words: figures and comparisons that are no contribution but interest a reader.

use precedent_domain::Span;
use precedent_language::wording::{only_announces, word_count};
use precedent_text::pattern;

use super::cues::{figures_of_performance, is_unfit, speaks_of_findings};
use super::cut::is_ended;
use super::{Reading, Zone};

/// Length limits in words: a shorter sentence says too little, and a longer one does not fit on a line.
const WORDS: std::ops::RangeInclusive<usize> = 7..=60;

/// The sentence of the abstract that states the result most clearly; `None` if there is none or a claim states it already. Only the second
/// half is read, because the first describes the problem and the results of others.
pub(super) fn reported_result(reading: &Reading<'_>, claims: &[Span]) -> Option<Span> {
    let own: Vec<Span> = reading
        .sentences()
        .iter()
        .filter(|one| one.zone == Zone::Abstract)
        .map(|one| one.span)
        .collect();
    let mut best: Option<(u8, Span)> = None;
    for span in own.iter().skip(own.len() / 2).copied() {
        let text = reading.slice(span);
        let says = says_result(text);
        let opens = text
            .trim_start()
            .starts_with(|c: char| c.is_uppercase() || c.is_numeric());
        let whole = opens && WORDS.contains(&word_count(text)) && is_ended(text);
        let fits = whole && !is_unfit(text) && !only_announces(text);
        // Of two equally clear sentences the later one wins, because results come at the end of an abstract.
        if says > 0 && fits && best.is_none_or(|(most, _)| says >= most) {
            best = Some((says, span));
        }
    }
    best.map(|(_, span)| span)
        .filter(|span| !claims.iter().any(|claim| claim.overlaps(*span)))
}

/// How clearly a sentence states a result: 0 if it states none.
fn says_result(text: &str) -> u8 {
    let came_out = pattern!(
        r"(?ix)\b(?:outperform|surpass)[a-z]*
            | \bexceed[a-z]*\s+(?:[^\s,;:()]+\s+){0,8}?by\b
            | \b(?:achiev|attain|yield|obtain|reach|gave)[a-z]*\s+(?:[^\s,;:()]+\s+){0,8}?(?:accurac[a-z]+|scores?|performance|results?|improvements?|gains?|speed-?ups?|precision|recall|reductions?|increases?|errors?|\d[\d.,]*)
            | \bimprov[a-z]+\s+(?:[^\s,;:()]+\s+){0,8}?(?:by|over|upon)\b
            | \b(?:better|higher|lower|faster|fewer)\s+(?:[^\s,;:()]+\s+){0,5}?than\b
            | \bsignificant(?:ly)?\s+(?:improv|better|higher|lower|faster|reduc|fewer)[a-z]*
            | \breduc[a-z]+\s+(?:[^\s,;:()]+\s+){0,8}?by\b
            | \bcompares?\s+favou?rably
            | \b\d[\d.]*\s?(?:BLEU|F1|ROUGE)\b"
    )
    .is_match(text);
    let (finds, counts) = (speaks_of_findings(text), figures_of_performance(text));
    let hedged = pattern!(r"(?i)\b(?:might|would|could|should|if|promising|preliminary|encouraging|initial)\b|^\W*we\s+(?:consider|assume|suppose)\b")
        .is_match(text);
    if came_out && !hedged {
        // `It also exceeds …` cannot be understood without the sentence before it.
        1 + u8::from(finds) + u8::from(counts) + 2 * u8::from(!points_before(text))
    } else {
        0
    }
}

/// Whether a sentence depends on the one before it.
fn points_before(text: &str) -> bool {
    const POINTING: [&str; 20] = [
        "it",
        "they",
        "this",
        "these",
        "those",
        "such",
        "also",
        "moreover",
        "furthermore",
        "additionally",
        "besides",
        "however",
        "further",
        "both",
        "here",
        "then",
        "its",
        "their",
        "in",
        "while",
    ];
    let mut opening = text
        .split_whitespace()
        .map(|word| word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase());
    let first = opening.next().unwrap_or_default();
    let second = opening.next().unwrap_or_default();
    match first.as_str() {
        "in" => second == "addition",
        "while" => false,
        _ => POINTING.contains(&first.as_str()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_distinguished_from_methods_and_hopes() {
        for result in [
            "The winch outperforms all others by 30 points.",
            "Number of knots as compared to older ropes are significantly reduced.",
            "The trial showed that hemp resulted in significantly lower error rates than wire.",
            "These ropes yield a 2.4 BLEU increase.",
            "We reduce the length of ropes by a third.",
        ] {
            assert!(says_result(result) > 0, "{result}");
        }
        for other in [
            "The main innovation is its use of state-of-the-art winches.",
            "The usefulness of our approach has been investigated by weighing kelp.",
            "We evaluate the winch on two boats.",
            "Better ropes are needed.",
            "The winch was tried in industry, yielding promising initial results.",
        ] {
            assert_eq!(says_result(other), 0, "{other}");
        }
        assert!(
            says_result("The winch exceeds the old one by 4 points.")
                > says_result("It also exceeds the old one by 4 points.")
        );
    }
}
