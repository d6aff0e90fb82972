//! Queries for the passages of a point: six (NoveltyAgent, A.1).

use precedent_domain::Quote;

use super::material::PointDraft;
use crate::retrieve::passages::queries_of;

/// Rule-based queries: phrases of the point as printed in the paper, with short ones joined. Fewer than six only if the point has hardly any content
/// words.
pub(crate) fn own_queries(point: &PointDraft, coined: &[String]) -> Vec<String> {
    let stated: Vec<&str> = point.said_of_it.iter().map(Quote::text).collect();
    let stated = stated.join(" ");
    let texts = [
        (point.claim.text(), 2.0),
        (point.name.as_str(), 1.0),
        (stated.as_str(), 0.7),
    ];
    queries_of(&texts, coined)
}

#[cfg(test)]
mod tests {
    use precedent_domain::{Document, PointClass, Span};

    use precedent_language::wording::word_count;

    use super::*;
    use crate::retrieve::passages::filled_up;

    const QUERIES: usize = 6;
    const OF_KEYWORDS: usize = 4;
    const KEYWORDS: (usize, usize) = (2, 4);
    const PHRASE: (usize, usize) = (4, 6);

    fn point(words: &str) -> PointDraft {
        let document = Document::from_abstract(words, None);
        PointDraft {
            name: "a line code for slack ropes".into(),
            class: PointClass::Methodological,
            class_rule: None,
            claim: Quote::at(&document, Span::new(0, words.len())).unwrap(),
            also_stated: vec![],
            said_of_it: vec![],
            how: String::new(),
            evidence: String::new(),
            queries: vec![],
        }
    }

    #[test]
    fn a_point_has_four_key_word_queries_and_two_phrases() {
        let point = point(
            "We propose slack-aware coding, a line code that places every symbol into a taut interval that both ends predict from the recent swell without exchanging a clock.",
        );
        let queries = own_queries(&point, &[]);
        assert_eq!(queries.len(), QUERIES, "{queries:?}");
        for (at, query) in queries.iter().enumerate() {
            let (least, most) = if at < OF_KEYWORDS { KEYWORDS } else { PHRASE };
            assert!((least..=most).contains(&word_count(query)), "{query}");
        }
        let filled = filled_up(
            &["rope telemetry code".into(), "\"slack\" OR (rope)".into(), "one".into()],
            &queries,
        );
        assert_eq!(filled.len(), QUERIES, "{filled:?}");
        assert_eq!(filled[0], "rope telemetry code");
        assert_eq!(filled[1], "slack OR rope");
    }
}
