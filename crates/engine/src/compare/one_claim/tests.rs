use std::path::Path;

use precedent_corpus::Corpus;
use precedent_matcher::Level;

use super::{ClaimMatch, ClaimQuery, ClaimSearch};

const PAPERS: &str = r#"
{"id": "rope:creep", "title": "Decoding Under Rope Creep", "abstract": "Ropes stretch for months after they are deployed. We present a decoder that estimates the stiffness of a rope again from pilot tugs in each frame.", "year": 2010}
{"id": "rope:swell", "title": "Telegraphy Without a Clock", "abstract": "Sender and receiver predict the wave crests, so neither exchanges a clock. Symbols are placed on the crests.", "year": 2012}
{"id": "kelp:scale", "title": "Weighing Kelp at Sea", "abstract": "A pendulum scale weighs kelp on a moving deck.", "year": 2015}
"#;
const CLAIM: &str =
    "We propose a telegraph that re-estimates the stiffness of the rope from pilot tugs, because ropes creep.";

fn search(folder: &Path, lines: &str) -> ClaimSearch {
    let file = folder.join("papers.jsonl");
    std::fs::write(&file, lines.trim()).unwrap();
    let corpus = Corpus::create_or_open(folder.join("corpus")).unwrap();
    crate::library::add(&corpus, &[file], 1_000, &|_| {}, &crate::library::read_paper).unwrap();
    ClaimSearch::new(vec![corpus])
}

fn query(text: &str) -> ClaimQuery {
    ClaimQuery {
        text: text.to_owned(),
        exclude: Vec::new(),
        as_of: None,
        limit: 5,
    }
}

fn ids(found: &[ClaimMatch]) -> Vec<&str> {
    found.iter().map(|one| one.id.as_str()).collect()
}

#[test]
fn the_paper_that_says_the_same_comes_first_with_its_passage() {
    let folder = tempfile::tempdir().unwrap();
    let search = search(folder.path(), PAPERS);
    let found = search.matches(&query(CLAIM)).unwrap();
    let first = &found[0];
    assert_eq!(first.id.as_str(), "rope:creep");
    assert_eq!(first.level, Level::Similar, "{first:#?}");
    assert!(found[1..].iter().all(|one| one.probability < first.probability));
    let passage = first.passage.as_ref().unwrap();
    assert!(passage.text.starts_with("We present a decoder"), "{}", passage.text);
    let whole = format!(
        "Decoding Under Rope Creep\n\n{}",
        "Ropes stretch for months after they are deployed. We present a decoder that estimates the stiffness of a rope again from pilot tugs in each frame."
    );
    assert_eq!(
        whole.get(passage.range[0]..passage.range[1]),
        Some(passage.text.as_str())
    );
    assert!(
        first.shared.iter().any(|term| term.contains("pilot tugs")),
        "{first:#?}"
    );
    assert_eq!(first.missing, ["telegraph"]);
}

#[test]
fn excluded_papers_are_left_out_and_dates_are_kept() {
    let folder = tempfile::tempdir().unwrap();
    let search = search(folder.path(), PAPERS);
    let mut without = query(CLAIM);
    without.exclude = vec!["rope:creep".parse().unwrap()];
    let found = search.matches(&without).unwrap();
    assert!(!ids(&found).contains(&"rope:creep"));
    assert!(found.iter().all(|one| one.level != Level::Similar), "{found:#?}");
    let mut early = query(CLAIM);
    early.as_of = Some("2011".parse().unwrap());
    assert_eq!(ids(&search.matches(&early).unwrap()), ["rope:creep"]);
}

#[test]
fn a_sentence_found_word_for_word_anticipates() {
    let folder = tempfile::tempdir().unwrap();
    let search = search(folder.path(), PAPERS);
    let sentence = "We present a decoder that estimates the stiffness of a rope again from pilot tugs in each frame.";
    let found = search.matches(&query(sentence)).unwrap();
    assert_eq!(
        (found[0].id.as_str(), found[0].level),
        ("rope:creep", Level::Anticipated)
    );
    let denied =
        "We present a decoder that never estimates the stiffness of a rope again from pilot tugs in each frame.";
    assert_ne!(search.matches(&query(denied)).unwrap()[0].level, Level::Anticipated);
}

#[test]
fn claims_without_terms_are_not_assessable() {
    let folder = tempfile::tempdir().unwrap();
    let search = search(folder.path(), PAPERS);
    let found = search.matches(&query("kelp")).unwrap();
    assert!(found.iter().all(|one| one.level == Level::NotAssessable), "{found:#?}");
    assert!(search.matches(&query("…")).unwrap().is_empty());
}

#[test]
fn a_denied_claim_and_a_phrase_are_not_anticipated() {
    let folder = tempfile::tempdir().unwrap();
    let denied = r#"{"id": "kelp:not", "title": "Kelp", "abstract": "We do not weigh kelp with a damped pendulum scale on moving decks. We count it.", "year": 2011}"#;
    let search = search(folder.path(), &format!("{}\n{denied}", PAPERS.trim()));
    let claim = "weigh kelp with a damped pendulum scale on moving decks";
    let found = search.matches(&query(claim)).unwrap();
    let one = found.iter().find(|one| one.id.as_str() == "kelp:not").unwrap();
    assert_ne!(one.level, Level::Anticipated, "{one:#?}");
    let phrase = search.matches(&query("pilot tugs in each frame")).unwrap();
    assert!(phrase.iter().all(|one| one.level != Level::Anticipated), "{phrase:#?}");
}

#[test]
fn two_corpora_with_one_id_give_one_answer_whatever_runs_first() {
    let (one, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let full = r#"{"id": "rope:creep", "title": "Decoding", "abstract": "Ropes.", "year": 2010, "sections": [{"heading": "1 Introduction", "text": "A telegraph estimates the stiffness of the rope again from pilot tugs, because ropes creep."}]}"#;
    let corpora = [(&one, PAPERS), (&other, full)].map(|(folder, lines)| {
        search(folder.path(), lines);
        Corpus::open(folder.path().join("corpus")).unwrap()
    });
    let first = ClaimSearch::new(corpora.to_vec()).matches(&query(CLAIM)).unwrap();
    assert_eq!(first.iter().filter(|one| one.id.as_str() == "rope:creep").count(), 1);
    assert_eq!(first[0].compared, precedent_domain::Extent::FullText);
    let both = ClaimSearch::new(corpora.to_vec());
    for _ in 0..3 {
        assert_eq!(both.matches(&query(CLAIM)).unwrap(), first);
    }
}

#[test]
fn two_records_of_one_paper_are_one_result_and_left_out_together() {
    let folder = tempfile::tempdir().unwrap();
    let twice = r#"{"id": "rope:published", "title": "Decoding under Rope Creep", "abstract": "Ropes stretch for months after they are deployed. We present a decoder that estimates the stiffness of a rope again from pilot tugs in each frame.", "authors": ["Ada Example"], "year": 2011}
{"id": "rope:preprint", "title": "Decoding Under Rope Creep", "abstract": "Ropes stretch for months after they are deployed. We present a decoder that estimates the stiffness of a rope again from pilot tugs in each frame.", "authors": ["Ada Example"], "year": 2010}"#;
    let others: Vec<&str> = PAPERS.trim().lines().skip(1).collect();
    let search = search(folder.path(), &format!("{twice}\n{}", others.join("\n")));
    let found = search.matches(&query(CLAIM)).unwrap();
    let of_paper = |found: &[ClaimMatch]| -> Vec<String> {
        let records = ids(found).into_iter().filter(|id| id.starts_with("rope:p"));
        records.map(str::to_owned).collect()
    };
    assert_eq!(of_paper(&found), ["rope:preprint"], "the earlier record");
    assert_eq!(found[0].level, Level::Similar, "{found:#?}");
    let mut without = query(CLAIM);
    without.exclude = vec![found[0].id.clone()];
    assert!(of_paper(&search.matches(&without).unwrap()).is_empty());
}
