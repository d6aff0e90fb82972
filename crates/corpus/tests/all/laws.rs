//! Properties of the search: no query is an error, the order of records does not matter, and the date filter is strict.

use crate::support::{corpus_of, ids, record};
use precedent_corpus::{Corpus, Found, Record, SearchOptions};
use precedent_domain::{DateOrder, Document, Extent, PartialDate};
use proptest::prelude::*;

const WORDS: [&str; 12] = [
    "graph",
    "parsing",
    "neural",
    "trees",
    "quantum",
    "语言模型",
    "β-VAE",
    "C++",
    "diffusion",
    "proof",
    "the",
    "of",
];

fn any_record() -> impl Strategy<Value = Record> {
    let text =
        || proptest::collection::vec(proptest::sample::select(WORDS.to_vec()), 1..8).prop_map(|words| words.join(" "));
    let date = prop_oneof![
        Just(String::new()),
        "20[12][0-9]",
        "20[12][0-9]-0[1-9]",
        "20[12][0-9]-1[0-2]-[12][0-8]"
    ];
    (0..40_u32, text(), text(), date, any::<bool>()).prop_map(|(id, title, summary, date, full)| {
        let mut record = record(&format!("w{id}"), &title, &summary, &date);
        if full {
            let body = format!("{summary} {title} {summary}");
            record.document = Some(Document {
                extent: Extent::FullText,
                ..Document::from_abstract(&title, Some(&body))
            });
        }
        record
    })
}

/// Writes in several commits, so that the index has several segments and deletions.
fn corpus_in_steps(records: &[Record], step: usize) -> (tempfile::TempDir, Corpus) {
    let (dir, corpus) = corpus_of([]);
    let mut writer = corpus.writer().unwrap();
    for chunk in records.chunks(step) {
        for record in chunk {
            writer.add(record.clone()).unwrap();
        }
        writer.commit().unwrap();
    }
    drop(writer);
    (dir, corpus)
}

fn shown(found: &[Found]) -> Vec<(String, u64, bool)> {
    found
        .iter()
        .map(|one| (one.id.to_string(), one.score.to_bits(), one.passage.is_some()))
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(6))]

    #[test]
    fn the_order_of_records_does_not_affect_a_ranking(records in proptest::collection::vec(any_record(), 1..40), seed in any::<u64>()) {
        // One record per id: of two, the later one wins, so their order would matter.
        let mut seen = std::collections::BTreeSet::new();
        let records: Vec<Record> = records.into_iter().filter(|record| seen.insert(record.work.id.clone())).collect();
        let mut shuffled = records.clone();
        shuffled.sort_by_key(|record| {
            let id: u64 = record.work.id.as_str()[1..].parse().unwrap();
            (id + 1).wrapping_mul(seed | 1)
        });
        let (_one, a) = corpus_in_steps(&records, 100);
        // Every record twice, first with a different text: replaced records must not affect the result.
        let mut twice: Vec<Record> = shuffled.iter().map(|one| record(one.work.id.as_str(), "graph parsing proof", "old", "2001")).collect();
        twice.extend(shuffled);
        let (_two, b) = corpus_in_steps(&twice, 13);
        for query in ["graph parsing", "neural trees of the quantum 语言 proof C++", "old", "the of"] {
            for limit in [1, 3, 100] {
                let find = |corpus: &Corpus| shown(&corpus.search(query, &SearchOptions::top(limit)).unwrap());
                prop_assert_eq!(find(&a), find(&b), "{} {}", query, limit);
            }
            let all = shown(&a.search(query, &SearchOptions::top(100)).unwrap());
            let few = shown(&a.search(query, &SearchOptions::top(3)).unwrap());
            prop_assert_eq!(&all[..few.len()], &few[..], "a short list is a prefix of a long one");
        }
        let stats = |corpus: &Corpus| precedent_corpus::CorpusStats { bytes: 0, revision: String::new(), ..corpus.stats().unwrap() };
        prop_assert_eq!(stats(&a), stats(&b));
    }

    #[test]
    fn works_that_are_certainly_later_are_not_found(records in proptest::collection::vec(any_record(), 1..40), cutoff in "20[12][0-9](-0[1-9])?") {
        let (_dir, corpus) = corpus_in_steps(&records, 100);
        let cutoff: PartialDate = cutoff.parse().unwrap();
        let options = SearchOptions { as_of: Some(cutoff), ..SearchOptions::top(100) };
        let query = WORDS.join(" ");
        let kept = corpus.search_works(&query, &options).unwrap();
        let later = |work: &precedent_domain::Work| work.earliest().is_some_and(|dated| dated.date.against(cutoff) == DateOrder::After);
        for (_, work) in &kept {
            prop_assert!(!later(work), "{:?}", work.dates);
        }
        let all = corpus.search_works(&query, &SearchOptions::top(100)).unwrap();
        prop_assert_eq!(kept.len(), all.iter().filter(|(_, work)| !later(work)).count());
    }
}

#[test]
fn any_query_is_treated_as_words() {
    let (_dir, corpus) = corpus_of([
        record(
            "a",
            "AND OR NOT title:graph",
            "field:value \"phrase\" wild* card? ~fuzzy",
            "2020",
        ),
        record("zh", "基于图神经网络的句法分析", "我们提出一种方法。", "2020"),
        record("th", "การวิเคราะห์ประโยค", "", "2020"),
        record("ru", "Нейронные сети для разбора", "", "2020"),
    ]);
    let find = |query: &str| corpus.search(query, &SearchOptions::default()).unwrap();
    assert_eq!(ids(&find("图神经")), ["zh"]);
    assert_eq!(ids(&find("网")), ["zh"]);
    assert_eq!(ids(&find("วิเคราะห์")), ["th"]);
    assert_eq!(ids(&find("СЕТИ")), ["ru"]);
    assert_eq!(ids(&find("graph")), ["a"]);
    assert_eq!(ids(&find("NOT \"graph\"")), ["a"]);
    assert!(find("").is_empty());
    assert!(find("((((").is_empty());
    let long = "graph parsing ".repeat(200_000);
    assert_eq!(ids(&find(&long)), ["a"]);
    let many: String = (0..50_000).map(|n| format!("word{n} ")).collect();
    assert!(find(&many).is_empty());
    let runner = proptest::test_runner::Config::with_cases(300);
    proptest!(runner, |(query in "\\PC{0,80}|[\u{0}-\u{ff}]{0,80}", limit in 0..5_usize)| {
        let found = corpus.search(&query, &SearchOptions::top(limit)).unwrap();
        prop_assert!(found.len() <= limit);
    });
}

#[test]
fn excluded_works_and_other_venues_are_not_found() {
    let at = |id: &str, venue: &str| {
        let mut one = record(id, "Graph parsing", "Trees.", "2020");
        one.work.venue = Some(venue.into());
        one
    };
    let (_dir, corpus) = corpus_of([at("a", "NeurIPS 2020"), at("b", "ACL"), at("c", "NeurIPS")]);
    let options = |exclude: &[&str], venue: Option<&str>| SearchOptions {
        exclude: exclude.iter().map(|id| id.parse().unwrap()).collect(),
        venue: venue.map(str::to_owned),
        ..SearchOptions::default()
    };
    let find = |options: &SearchOptions| corpus.search("graph", options).unwrap();
    assert_eq!(ids(&find(&options(&[], None))), ["a", "b", "c"]);
    assert_eq!(ids(&find(&options(&["b", "nobody"], None))), ["a", "c"]);
    assert_eq!(ids(&find(&options(&[], Some("neurips")))), ["a", "c"]);
    assert!(find(&options(&["a", "c"], Some("neurips"))).is_empty());
}
