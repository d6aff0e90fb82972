use super::*;

/// Compares the gap between `left` and `right` on both sides.
#[track_caller]
fn compared(source: &str, quote: &str) -> Verdict {
    let all = |text: &str| marks(text, 0, text.len());
    all(source).compare(&all(quote))
}

#[test]
fn differences_in_meaningful_marks_are_detected() {
    for (source, quote) in [
        ("10^-5", "10^5"),
        ("10⁻⁵", "10⁵"),
        ("e^{-x}", "e^{x}"),
        ("1e-5", "1e5"),
        ("a - b", "a b"),
        ("f = -x", "f = x"),
        ("5-10", "5 10"),
        ("3】-3", "3】3"),
        ("40%*46%", "40% 46%"),
        ("P(a|b)", "P(a,b)"),
        ("of |x| is", "of x is"),
        ("about ~90", "about 90"),
        ("at x* we", "at x we"),
        ("f'(x)", "f(x)"),
        ("2^10", "2*10"),
        ("x_1", "x^1"),
        ("1:2", "1/2"),
        ("2(a + b)", "2a + b"),
        ("n! of", "n of"),
        ("x != y", "x = y"),
        ("It ends. So", "It ends? So"),
    ] {
        assert_eq!(compared(source, quote), Verdict::Changed, "{source} {quote}");
        assert_eq!(compared(quote, source), Verdict::Changed, "{quote} {source}");
    }
}

#[test]
fn typography_is_not_a_sign() {
    for (source, quote) in [
        ("state-of-the-art", "state of the art"),
        ("METR-LA, GPT-2", "METR–LA, GPT 2"),
        ("10^-5", "10^−5"),
        ("10⁻⁵", "10^{-5}"),
        ("at −20 °C", "at -20 °C"),
        ("pages 5–10", "pages 5-10"),
        ("5 -- 10", "5 – 10"),
        ("the *best* x", "the best x"),
        ("for *x* we", "for x we"),
        ("the letter ‘x’ is", "the letter x is"),
        ("it was – so", "it was so"),
        ("Table~1", "Table 1"),
        ("snake_case", "snake case"),
        ("| 0.5 | words |", "0.5 words"),
        ("(see below) we", "see below we"),
        ("3-fold k-means", "3 fold k means"),
        ("“so” it", "so it"),
    ] {
        assert_eq!(compared(source, quote), Verdict::Same, "{source} {quote}");
        assert_eq!(compared(quote, source), Verdict::Same, "{quote} {source}");
    }
    for (source, quote) in [("10^5", "105"), ("x_1", "x1"), ("m²", "m2")] {
        assert_eq!(compared(source, quote), Verdict::Layout, "{source} {quote}");
    }
    for (source, quote) in [
        ("vitamin B-12 is", "vitamin B 12 is"),
        ("mg/kg", "mg kg"),
        ("0.5* was", "0.5 was"),
    ] {
        assert_eq!(compared(source, quote), Verdict::Doubtful, "{source} {quote}");
    }
}
