use std::collections::BTreeSet;

use precedent_domain::{Paper, Query, Scope, SectionKind};
use precedent_sources::Relation;
use proptest::prelude::*;

use super::*;
use crate::extract::extract;
use crate::sample::{paper_of, reference, world_of};

mod papers;
mod pipelines;

/// The words of a text, split by a rule independent of the tested code.
pub(super) fn plain_words(text: &str) -> Vec<String> {
    // `option's` is sent as `options`, one word.
    let lower = text.to_lowercase().replace(['\'', '’'], "");
    let words = lower
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty());
    words.map(str::to_owned).collect()
}

/// All runs of seven words of a text.
pub(super) fn sevens(text: &str) -> BTreeSet<String> {
    plain_words(text).windows(7).map(|run| run.join(" ")).collect()
}

/// The rule violations of a text.
pub(super) fn violations(
    sent: &str,
    personal: &BTreeSet<String>,
    coined: &BTreeSet<String>,
    runs: &BTreeSet<String>,
) -> Vec<String> {
    let words = plain_words(sent);
    let named = words
        .iter()
        .filter(|word| personal.contains(*word))
        .map(|word| format!("personal {word}"));
    let own = words
        .iter()
        .filter(|word| coined.contains(*word))
        .map(|word| format!("coined {word}"));
    let copied = words
        .windows(7)
        .map(|run| run.join(" "))
        .filter(|run| runs.contains(run));
    let copied = copied.map(|run| format!("run {run}"));
    named.chain(own).chain(copied).collect()
}

fn set(words: &[&str]) -> BTreeSet<String> {
    words.iter().map(|word| (*word).to_owned()).collect()
}

pub(super) fn query(text: &str) -> Query {
    Query {
        text: text.to_owned(),
        scope: Scope::CoreTask,
        variant: 0,
    }
}

fn sent(gate: &EgressGate, text: &str) -> Option<String> {
    gate.query(&query(text)).map(|query| query.text)
}

const SENTENCE: &str =
    "Our harbour quorums of seven beacons recover a lost ledger shard in under nine seconds on every coast we tried.";

/// A paper with an unrecognised author, an affiliation, an e-mail address and coined names.
fn beacon_paper() -> Paper {
    let mut paper = paper_of(
        "Harbour quorums for lost ledger shards",
        Some("2024-05-17"),
        &[
            (
                "",
                SectionKind::FrontMatter,
                &[
                    "Nora Ekeland and Bo Strand",
                    "Institute of Machine Learning, University of Tromsdal 90210",
                    "{nora.e, bostr}@ml.tromsdal.example",
                ],
            ),
            (
                "Abstract",
                SectionKind::Abstract,
                &[
                    "Ledgers lose shards when a coast is cut off. We construct a synthetic data set, QuorumHarbourBench, and compare learning methods on LedgerNet. \
                   Our harbour quorums of seven beacons recover a lost ledger shard in under nine seconds on every coast we tried.",
                ],
            ),
            (
                "Introduction",
                SectionKind::Introduction,
                &[
                    "A machine cannot recover what no beacon has kept, however long it waits for an answer from a distant harbour.",
                    "We propose BeaconFold, a state-of-the-art protocol for the recovery of shards by quorums of beacons.",
                    "Our contributions are as follows:",
                    "- We propose BeaconFold, a protocol that recovers lost ledger shards by quorums of harbour beacons within seconds.",
                    "- Our harbour quorums of seven beacons recover a lost ledger shard in under nine seconds on every coast we tried.",
                ],
            ),
        ],
    );
    paper.references = vec![
        reference(
            1,
            "A. Lind. LedgerNet: a data set of lost ledger shards in cold and distant harbours. Ledgers 3, 2019.",
            "LedgerNet: a data set of lost ledger shards in cold and distant harbours",
            2019,
        ),
        reference(
            2,
            "N. Ekeland. Harbour quorums for lost ledger shards. 2024.",
            "Harbour quorums for lost ledger shards",
            2024,
        ),
    ];
    paper
}

#[test]
fn verbs_and_numbers_are_left_out_before_nouns() {
    let text = "The parser rewinds nine harbour beacons with mooring ropes and winter storms.";
    let paper = paper_of("Beacons", None, &[("Abstract", SectionKind::Abstract, &[text])]);
    let sent = sent(&EgressGate::of_paper(&paper), text).unwrap();
    let words: Vec<&str> = sent.split(' ').collect();
    assert!(
        words.len() == 6 && !words.contains(&"rewinds") && !words.contains(&"nine"),
        "{sent}"
    );
}

const PERSONAL: [&str; 10] = [
    "elin", "marsh", "tomas", "quill", "nora", "ekeland", "bo", "strand", "tromsdal", "bostr",
];
const COINED: [&str; 2] = ["quorumharbourbench", "beaconfold"];

#[test]
fn names_affiliations_and_addresses_are_withheld_and_ordinary_words_are_sent() {
    let gate = EgressGate::of_paper(&beacon_paper());
    assert_eq!(
        sent(&gate, "nora ekeland bo strand ledger recovery").as_deref(),
        Some("ledger recovery")
    );
    assert_eq!(
        sent(&gate, "Ekeland's ledgers, 90210 Tromsdal beacons").as_deref(),
        Some("ledgers beacons")
    );
    // The affiliation contains these words too, but the text uses them in lower case.
    assert_eq!(sent(&gate, "machine learning").as_deref(), Some("machine learning"));
    assert_eq!(sent(&gate, "nora ekeland bo strand"), None, "nothing is left");
    assert_eq!(sent(&gate, "Strand beacons"), None, "one word is not a query");
    assert_eq!(
        sent(&gate, "Long-range beacons (α)").as_deref(),
        Some("Long-range beacons (α)"),
        "a query that breaks no rule is unchanged"
    );
}

#[test]
fn coined_names_are_withheld_and_cited_names_are_sent() {
    let gate = EgressGate::of_paper(&beacon_paper());
    assert_eq!(
        sent(&gate, "BeaconFold for QuorumHarbourBench queries of shards").as_deref(),
        Some("for queries of shards")
    );
    assert_eq!(
        sent(&gate, "quorum-harbour bench shards at sea").as_deref(),
        Some("shards at sea")
    );
    assert_eq!(
        sent(&gate, "shards of LedgerNet").as_deref(),
        Some("shards of LedgerNet")
    );
}

#[test]
fn at_most_six_words_of_a_sentence_are_sent_in_any_spelling() {
    let gate = EgressGate::of_paper(&beacon_paper());
    let six = "seven beacons recover a lost ledger";
    assert_eq!(sent(&gate, six).as_deref(), Some(six));
    for spelt in [
        SENTENCE.to_owned(),
        SENTENCE.to_uppercase(),
        SENTENCE.replace(' ', "-"),
        SENTENCE.replace("of ", "").replace(" a ", " "),
        format!("recovery protocols, {SENTENCE}"),
    ] {
        let sent = sent(&gate, &spelt).unwrap();
        assert_eq!(
            violations(&sent, &set(&PERSONAL), &set(&COINED), &sevens(SENTENCE)),
            Vec::<String>::new()
        );
        assert!(plain_words(&sent).len() <= 8 && sent.contains("ledger"), "{sent}");
    }
    // Words from two passages of the text are not one run.
    let joined = "lost ledger shard recovery by quorums of distant harbour beacons";
    assert_eq!(sent(&gate, joined).as_deref(), Some(joined));
}

#[test]
fn a_cited_title_is_sent_whole_and_the_own_title_never() {
    let paper = beacon_paper();
    let gate = EgressGate::of_paper(&paper);
    let title = |title: &str| match gate.relation(&Relation::Titled(title))?.relation() {
        Relation::Titled(sent) => Some(sent.to_owned()),
        other => panic!("{other:?}"),
    };
    let cited = paper.references[0].title.as_deref().unwrap();
    assert_eq!(title(cited).as_deref(), Some(cited));
    assert_eq!(title("Harbour Quorums for Lost Ledger-Shards"), None);
    assert_eq!(title("Nora Ekeland"), None);
    // A whole idea is sent as key words, without names and not in the order of the text.
    let whole = gate
        .relation(&Relation::Passages("Nora Ekeland. Beacons recover shards."))
        .unwrap();
    assert!(
        matches!(whole.relation(), Relation::Passages("beacons recover shards")),
        "{whole:?}"
    );
}

#[test]
fn an_author_line_mistaken_for_the_title_is_never_sent_or_used_as_core_task() {
    for title in [
        "Andre Blessing¹ Jonathan Sonntag² Fritz Kliche³",
        "Joakim Nivre, Jens Nilsson and Mia Palmer",
    ] {
        let mut paper = beacon_paper();
        paper.title = Some(title.to_owned());
        paper.authors.clear();
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_time()
            .build()
            .unwrap();
        let extraction = runtime.block_on(async {
            let world = world_of(vec![]).await;
            extract(&paper, &world).await.unwrap()
        });
        let names = plain_words(title);
        let task = extraction.core_task.unwrap();
        for phrase in std::iter::once(&task.phrase)
            .chain(&task.alternatives)
            .chain(&task.keywords)
        {
            assert!(!plain_words(phrase).iter().any(|word| names.contains(word)), "{phrase}");
        }
        assert_eq!(sent(&EgressGate::of_paper(&paper), title), None);
    }
}

#[test]
fn the_key_depends_on_what_may_be_sent() {
    let gate = EgressGate::of_paper(&beacon_paper());
    assert_eq!(gate.key(), EgressGate::of_paper(&beacon_paper()).key());
    let mut other = beacon_paper();
    other.authors.push(precedent_domain::Author::new("Mia Lundquist"));
    assert_ne!(gate.key(), EgressGate::of_paper(&other).key());
}

const LIKE_WORDS: [&str; 18] = [
    "kelp",
    "swell",
    "forecast",
    "of",
    "the",
    "low-resource",
    "satellite",
    "colour",
    "for",
    "harvests",
    "regression",
    "coastal",
    "a",
    "sensor",
    "graph",
    "neural",
    "records",
    "ledger",
];
const LIKE_NAMES: [&str; 8] = [
    "Nora", "Ekeland", "Bo", "Strand", "Tromsdal", "Quist", "Müller", "Sjöblom",
];

prop_compose! {
    fn like_sentence()(words in prop::collection::vec(0..LIKE_WORDS.len(), 5..24)) -> String {
        let words: Vec<&str> = words.into_iter().map(|at| LIKE_WORDS[at]).collect();
        format!("We {}.", words.join(" "))
    }
}

proptest! {
    #[test]
    fn nothing_that_is_sent_breaks_a_rule(
        sentences in prop::collection::vec(like_sentence(), 2..8),
        names in prop::collection::btree_set(0..LIKE_NAMES.len(), 1..6),
        is_parsed in any::<bool>(),
        cuts in prop::collection::vec((0_usize..8, 0_usize..12, 1_usize..30), 1..6),
        extra in prop::collection::vec(0..LIKE_NAMES.len(), 0..3),
    ) {
        let names: Vec<&str> = names.into_iter().map(|at| LIKE_NAMES[at]).collect();
        let texts: Vec<&str> = sentences.iter().map(String::as_str).collect();
        let offer = ["We propose KelpCast, a regression of kelp on swell.", texts[0]].join(" ");
        let line = names.join(", ");
        let mut paper = paper_of("On kelp and swell", None, &[
            ("", SectionKind::FrontMatter, &[line.as_str()]),
            ("Abstract", SectionKind::Abstract, &[offer.as_str()]),
            ("Introduction", SectionKind::Introduction, &texts),
        ]);
        paper.authors = match is_parsed {
            true => names.iter().map(|name| precedent_domain::Author::new(name)).collect(),
            false => Vec::new(),
        };
        let gate = EgressGate::of_paper(&paper);
        let mut asked: Vec<String> = Vec::new();
        for (sentence, from, length) in cuts {
            let words = sentences[sentence % sentences.len()].split(' ').skip(from).take(length);
            asked.extend(words.map(str::to_owned));
        }
        asked.extend(extra.into_iter().map(|at| LIKE_NAMES[at].to_lowercase()));
        asked.push("kelpcast".to_owned());
        let personal: BTreeSet<String> = names.iter().map(|name| name.to_lowercase()).collect();
        let runs = sevens(&paper.document.text);
        for text in [asked.join(" "), asked.join("-"), asked.iter().rev().cloned().collect::<Vec<_>>().join(" ")] {
            for sent in [
                sent(&gate, &text),
                gate.relation(&Relation::Near(&text)).and_then(|one| match one.relation() { Relation::Near(text) => Some(text.to_owned()), _ => None }),
            ].into_iter().flatten() {
                let found = violations(&sent, &personal, &set(&["kelpcast"]), &runs);
                prop_assert!(found.is_empty(), "{found:?} in {sent}");
                // A query that passed the gate passes it again unchanged.
                prop_assert_eq!(gate.query(&query(&sent)).map(|one| one.text), Some(sent));
            }
        }
    }

    #[test]
    fn no_text_breaks_the_gate(title in "\\PC{0,60}", text in "\\PC{0,300}", asked in "\\PC{0,120}") {
        let paper = paper_of(&title, None, &[("", SectionKind::Introduction, &[text.as_str()])]);
        let gate = EgressGate::of_paper(&paper);
        let _ = gate.query(&query(&asked));
        let _ = gate.query(&query(&text));
    }
}
