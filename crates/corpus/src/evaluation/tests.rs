use proptest::prelude::*;

use super::*;

#[test]
fn measures_match_the_textbook_definitions() {
    let measures = Measures::of(&[false, true, false, true], 4);
    assert_eq!(measures.get(Measure::RecallAt10), 0.5);
    assert_eq!(measures.get(Measure::Mrr), 0.5);
    let gained = 1.0 / 3_f64.log2() + 1.0 / 5_f64.log2();
    let ideal = 1.0 + 1.0 / 3_f64.log2() + 0.5 + 1.0 / 5_f64.log2();
    assert!((measures.get(Measure::NdcgAt10) - gained / ideal).abs() < 1e-12);
}

#[test]
fn a_set_is_read_with_its_exclusions() {
    let dir = tempfile::tempdir().unwrap();
    let put = |name: &str, text: &str| std::fs::write(dir.path().join(name), text).unwrap();
    put(
        "queries.jsonl",
        "{\"_id\": \"a:1\", \"title\": \"T\", \"text\": \"words\", \"metadata\": {\"exclude\": [\"b:9\"]}}\n{\"_id\": \"a:2\", \"text\": \"x\"}\n",
    );
    put(
        "qrels.tsv",
        "query-id\tcorpus-id\tscore\na:1\tb:1\t1\na:1\tb:2\t0\na:2\tb:1\t0\n",
    );
    let set = JudgedSet::read(dir.path()).unwrap();
    let [query] = set.queries.as_slice() else {
        panic!("a query without relevant works is skipped: {set:?}")
    };
    assert_eq!((query.text.as_str(), query.relevant.len()), ("T words", 1));
    let excluded: Vec<&str> = query.exclude.iter().map(|id| id.as_str()).collect();
    assert_eq!(excluded, ["a:1", "b:9"]);
    put("qrels.tsv", "header\na:1 b:1 1\n");
    assert!(JudgedSet::read(dir.path()).unwrap_err().to_string().contains("line 2"));
}

proptest! {
    #[test]
    fn measures_are_between_zero_and_one(hits in proptest::collection::vec(any::<bool>(), 0..300), missed in 0..9_usize) {
        let found = hits.iter().filter(|&&hit| hit).count();
        let measures = Measures::of(&hits, found + missed);
        for measure in Measure::ALL {
            let value = measures.get(measure);
            prop_assert!((0.0..=1.0 + 1e-12).contains(&value), "{} {value}", measure.name());
        }
    }

    #[test]
    fn an_interval_lies_within_the_range_of_its_values(values in proptest::collection::vec(0.0..1.0_f64, 1..60), seed in any::<u64>()) {
        let drawn = interval(&values, seed);
        let (least, most) = values.iter().fold((1.0_f64, 0.0_f64), |(low, high), &value| (low.min(value), high.max(value)));
        prop_assert!(least - 1e-9 <= drawn.low && drawn.low <= drawn.high && drawn.high <= most + 1e-9);
        prop_assert_eq!(drawn, interval(&values, seed));
    }
}
