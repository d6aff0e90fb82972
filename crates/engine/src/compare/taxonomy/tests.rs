use precedent_domain::{Candidate, Document, Paper, Taxonomy, TaxonomyNode, TaxonomyPaper};
use precedent_language::terms::{Vocabulary, WordKind};
use precedent_language::wording::{holds_finite_verb, stem};
use proptest::prelude::*;

use crate::compare::fixture::{FIELD, candidate, full_text, paper, with_set};
use crate::compare::taxonomy;

fn target() -> Paper {
    let summary =
        "Rope-line telemetry sends data between moored buoys by tugging ropes. We propose a line code for heavy swell.";
    paper(
        "Slack-Aware Coding for Ropes",
        full_text("Slack-Aware Coding for Ropes", summary, &["Ropes go slack."], &[]),
    )
}

fn field(works: &[(&str, &str)]) -> Vec<(Candidate, Document)> {
    works
        .iter()
        .zip(1..)
        .map(|((title, summary), number)| {
            let document = Document::from_abstract(title, Some(summary));
            (candidate(number, title, &document), document)
        })
        .collect()
}

fn grow(candidates: &[(Candidate, Document)]) -> Taxonomy {
    with_set(&target(), candidates, |set| {
        taxonomy(set, Some("coding for rope-line telemetry"))
    })
}

fn expected(candidates: usize) -> Vec<TaxonomyPaper> {
    let numbers = 1..=u32::try_from(candidates).unwrap();
    std::iter::once(TaxonomyPaper::Target)
        .chain(numbers.map(TaxonomyPaper::Candidate))
        .collect()
}

fn walk<'a>(node: &'a TaxonomyNode, nodes: &mut Vec<&'a TaxonomyNode>) {
    nodes.push(node);
    for child in &node.subtopics {
        walk(child, nodes);
    }
}

fn check(tree: &Taxonomy, candidates: usize) {
    assert_eq!(tree.faults(&expected(candidates)), vec![]);
    assert_eq!(tree.needs_review, vec![]);
    for child in &tree.root.subtopics {
        check_names(child, &[]);
    }
    let mut nodes = Vec::new();
    walk(&tree.root, &mut nodes);
    for node in &nodes {
        for note in [&node.scope_note, &node.exclude_note] {
            assert!(!note.is_empty() && note.split_whitespace().count() <= 25, "{note}");
        }
        let after_first = node.papers.iter().skip(1);
        assert!(
            after_first.clone().all(|&paper| paper != TaxonomyPaper::Target),
            "the paper comes first: {:?}",
            node.papers
        );
        assert!(after_first.is_sorted(), "by rank: {:?}", node.papers);
        assert!(!node.name.trim().is_empty());
        check_figures(node);
    }
}

/// Checks that the figures of a note count papers without the paper itself, like the number next to the name.
fn check_figures(node: &TaxonomyNode) {
    let mut under = Vec::new();
    walk(node, &mut under);
    let papers = under.iter().flat_map(|one| &one.papers);
    let works = papers.filter(|&&paper| paper != TaxonomyPaper::Target).count();
    for figure in node.scope_note.split(" of ").skip(1) {
        let digits: String = figure.chars().take_while(char::is_ascii_digit).collect();
        if let (Ok(figure), true) = (digits.parse::<usize>(), works > 0) {
            assert_eq!(figure, works, "{}: {}", node.name, node.scope_note);
        }
    }
}

/// Checks that names are short, contain no finite verb and repeat no content word of the names above.
fn check_names(node: &TaxonomyNode, above: &[String]) {
    let unnamed = node.name == "Topics of Single Papers";
    for part in node.name.split(" and ") {
        assert!((2..=5).contains(&part.split_whitespace().count()), "{}", node.name);
        assert!(!holds_finite_verb(part), "{}", node.name);
    }
    let mut vocabulary = Vocabulary::new();
    let words = vocabulary.read_text(&node.name);
    let own: Vec<String> = words
        .iter()
        .filter(|word| !unnamed && word.kind == WordKind::Substance)
        .filter_map(|word| word.span.slice(&node.name))
        .map(|form| stem(&form.to_lowercase()))
        .collect();
    assert!(
        own.iter().all(|one| !above.contains(one)),
        "{} under {above:?}",
        node.name
    );
    let known: Vec<String> = above.iter().chain(&own).cloned().collect();
    for child in &node.subtopics {
        check_names(child, &known);
    }
}

#[test]
fn few_papers_form_a_tree() {
    for count in 0..=FIELD.len() {
        let tree = grow(&field(&FIELD[..count]));
        check(&tree, count);
        assert_eq!(tree.root.name, "Coding for Rope-Line Telemetry Survey Taxonomy");
    }
}

#[test]
fn papers_on_one_topic_share_a_leaf() {
    let tree = grow(&field(&FIELD));
    let leaf_of = |number: u32| {
        tree.path_to(TaxonomyPaper::Candidate(number))
            .last()
            .unwrap()
            .name
            .clone()
    };
    assert_eq!(leaf_of(5), leaf_of(6), "swell noise and matched filters: {tree:#?}");
    assert_eq!(leaf_of(7), leaf_of(8), "line codes of tugs: {tree:#?}");
    assert_ne!(leaf_of(5), leaf_of(11), "filters and access: {tree:#?}");
}

#[test]
fn papers_on_topics_of_their_own_get_no_common_name() {
    let works = [
        ("Line codes for wet ropes", "We study line codes for wet ropes."),
        ("Line codes in swell", "Line codes are tested."),
        ("Line codes of tugs", "We send line codes by tugs."),
        ("Line codes at night", "Line codes are sent at night."),
        ("Barn drying", "Hay is turned."),
        ("Choral singing", "Voices blend."),
    ];
    let list = field(&works);
    let tree = grow(&list);
    check(&tree, works.len());
    let name = |number: u32| {
        tree.path_to(TaxonomyPaper::Candidate(number))
            .last()
            .unwrap()
            .name
            .clone()
    };
    assert_eq!(name(1), "Line Codes", "{tree:#?}");
    assert_eq!(
        (name(5).as_str(), name(6).as_str()),
        ("Topics of Single Papers", "Topics of Single Papers")
    );
}

#[test]
fn papers_without_words_are_in_the_tree() {
    let works = [
        ("", ""),
        ("", ""),
        ("…", "…"),
        ("General", "General"),
        ("Other", ""),
        ("名", "名"),
        ("", ""),
        ("", ""),
        ("A", "a"),
    ];
    let list = field(&works);
    check(&grow(&list), works.len());
}

#[test]
fn title_replaces_a_missing_topic() {
    let tree = with_set(&target(), &[], |set| taxonomy(set, None));
    assert_eq!(tree.root.name, "Slack-Aware Coding for Ropes Survey Taxonomy");
    assert_eq!(tree.root.papers, vec![TaxonomyPaper::Target]);
}

fn text(most: usize) -> impl Strategy<Value = String> {
    let word = prop::sample::select(vec![
        "rope",
        "tension",
        "swell",
        "general",
        "other",
        "matched",
        "filter",
        "graph",
        "neural",
        "parsing",
        "of",
        "the",
        "Various",
        "line-code",
        "we",
        "propose",
        "buoy",
        "data",
        "2024",
        "\u{fb01}lter",
        "名前",
    ]);
    prop::collection::vec(word, 0..most).prop_map(|words| words.join(" "))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn every_paper_is_in_exactly_one_leaf(works in prop::collection::vec((text(6), text(30)), 0..70)) {
        let works: Vec<(&str, &str)> = works.iter().map(|(title, summary)| (title.as_str(), summary.as_str())).collect();
        check(&grow(&field(&works)), works.len());
    }

    #[test]
    fn candidate_order_does_not_matter(order in Just((0..12_usize).collect::<Vec<_>>()).prop_shuffle()) {
        let list = field(&FIELD);
        let shuffled: Vec<(Candidate, Document)> = order.iter().map(|&index| list[index].clone()).collect();
        prop_assert_eq!(grow(&list), grow(&shuffled));
    }
}
