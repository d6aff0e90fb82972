use super::*;
use crate::extract::Idea;

fn read(text: &str) -> Vec<(Facet, String)> {
    let parsed = Idea::new(text).parsed();
    let found = facets(&parsed.document, &parsed.marks);
    found
        .into_iter()
        .map(|one| (one.facet, one.quote.text().to_owned()))
        .collect()
}

fn of(found: &[(Facet, String)], facet: Facet) -> Option<&str> {
    found
        .iter()
        .find(|(one, _)| *one == facet)
        .map(|(_, text)| text.as_str())
}

#[test]
fn emphasis_names_the_facets() {
    for (open, close) in [("**", "**"), ("<b style=\"background-color:#FFFACD;\">", "</b>")] {
        let found = read(&format!(
            "Create a ferry planner that uses {open}harmonic tide models{close} to {open}shorten waiting at fjord piers{close}. \
             It would show departures on a map and let captains change them. \
             Its effectiveness would be assessed through a {open}field study on two lines{close}, measuring fuel."
        ));
        assert_eq!(of(&found, Facet::Purpose), Some("shorten waiting at fjord piers"));
        assert_eq!(of(&found, Facet::Mechanism), Some("harmonic tide models"));
        let evaluation = of(&found, Facet::Evaluation).unwrap();
        assert!(
            evaluation.starts_with("Its effectiveness would be assessed through a field study"),
            "{evaluation}"
        );
        assert!(
            found.iter().all(|(_, text)| !text.contains(['*', '<', '>'])),
            "{found:?}"
        );
    }
    let found =
        read("Build **tide tables** in a **planner designed to cut the fuel of ferries** for **island crews**.");
    assert_eq!(of(&found, Facet::Purpose), Some("cut the fuel of ferries"));
}

#[test]
fn facets_are_the_ideas_own_words() {
    let found = read(
        "Build a tide-aware planner designed to shorten the waiting of ferries in narrow fjords by shifting departures with the current. \
         The planner would combine a harmonic tide model with a queueing network of the piers. \
         It would be evaluated in a field deployment on two ferry lines, measuring waiting and fuel.",
    );
    assert_eq!(
        of(&found, Facet::Purpose),
        Some("shorten the waiting of ferries in narrow fjords")
    );
    assert_eq!(
        of(&found, Facet::Mechanism),
        Some("shifting departures with the current")
    );
    assert!(
        of(&found, Facet::Evaluation)
            .unwrap()
            .contains("field deployment on two ferry lines")
    );
    assert_eq!(of(&found, Facet::ApplicationDomain), Some("narrow fjords"));
}

#[test]
fn effects_and_what_users_can_do_are_neither_purpose_nor_mechanism() {
    let found = read(
        "Develop a planner that allows captains to move their departures freely. It aims to save fuel on fjord crossings. \
         A tide model and a network of queues give the departures. \
         This would lead to a framework for calmer harbours based on trust and methods of care.",
    );
    assert_eq!(of(&found, Facet::Purpose), Some("save fuel on fjord crossings"));
    assert!(
        of(&found, Facet::Mechanism).unwrap().starts_with("A tide model"),
        "{found:?}"
    );
    assert_eq!(of(&found, Facet::Evaluation), None);
}

#[test]
fn a_sentence_that_begins_with_its_aim_states_the_purpose() {
    let found = read(
        "To reduce lost frames on slack cables, we adapt the code to the swell. A learned schedule chooses the rate. \
         Measure frames per hour in a wave tank, compared with a fixed rate.",
    );
    assert_eq!(of(&found, Facet::Purpose), Some("reduce lost frames on slack cables"));
    assert!(
        of(&found, Facet::Evaluation).unwrap().starts_with("Measure"),
        "{found:?}"
    );
}

#[test]
fn a_task_and_its_means_are_separate_facets_of_one_sentence() {
    let found = read(
        "Detect worn ropes in ferry harbours by listening to their fibres with a microphone in the splice. \
         We would record forty ropes and compare with visual inspection.",
    );
    assert_eq!(of(&found, Facet::Purpose), Some("Detect worn ropes in ferry harbours"));
    assert!(
        of(&found, Facet::Mechanism)
            .unwrap()
            .starts_with("listening to their fibres"),
        "{found:?}"
    );
    assert!(
        of(&found, Facet::Evaluation).unwrap().starts_with("We would record"),
        "{found:?}"
    );
    assert_eq!(of(&found, Facet::ApplicationDomain), Some("ferry harbours"));
    let found = read("Train planners on tide tables so they wait less at piers.");
    assert_eq!(of(&found, Facet::Purpose), Some("they wait less at piers"));
}

#[test]
fn a_domain_is_a_noun_phrase() {
    let domain = |purpose: &str| {
        let found = read(&format!(
            "Build **tide tables** in a **planner designed to {purpose}**."
        ));
        of(&found, Facet::ApplicationDomain).map(str::to_owned)
    };
    assert_eq!(domain("shorten ferry queues").as_deref(), Some("ferry queues"));
    let found = read("Build **tide tables** for **island ferry crews**.");
    assert_eq!(of(&found, Facet::Purpose), Some("island ferry crews"));
    assert_eq!(of(&found, Facet::ApplicationDomain), Some("island ferry crews"));
    let found = read("Build **tide tables** for **boats that idle nightly**.");
    assert_ne!(
        of(&found, Facet::ApplicationDomain),
        Some("that idle nightly"),
        "{found:?}"
    );
}

#[test]
fn an_amount_is_not_a_purpose() {
    let found = read(
        "Slack-aware coding for tension channels.\n\nOn nine buoys over one winter the code delivered messages in swell of up to three and a half metres. \
         According to all models it should not.",
    );
    let purpose = of(&found, Facet::Purpose).unwrap();
    assert!(purpose.ends_with("tension channels"), "{found:?}");
}

#[test]
fn short_and_hostile_texts_do_not_break_the_reader() {
    assert_eq!(read(""), []);
    assert_eq!(read("x"), []);
    assert_eq!(
        read("Ferries that wait for tides.").first().map(|one| one.0),
        Some(Facet::Purpose)
    );
    read("论文的想法是用潮汐模型缩短渡轮的等待时间。");
    read(&"to ".repeat(4_000));
    read(&"**by to ".repeat(2_000));
}

#[test]
fn stated_facets_come_first() {
    let idea = Idea {
        stated: std::collections::BTreeMap::from([(Facet::Mechanism, "moonlight sensors".to_owned())]),
        ..Idea::new("Forecast kelp harvests by swell records so that farms can plan boats.")
    };
    let parsed = idea.parsed();
    let all = with_stated(facets(&parsed.document, &parsed.marks), &parsed.stated);
    let mechanism: Vec<_> = all.iter().filter(|one| one.facet == Facet::Mechanism).collect();
    assert_eq!(mechanism.len(), 1);
    assert_eq!(mechanism[0].quote.text(), "moonlight sensors");
    assert!(all.is_sorted_by_key(|one| Facet::ALL.iter().position(|facet| *facet == one.facet)));
}

proptest::proptest! {
    #[test]
    fn every_statement_is_quoted_from_the_idea(text in "(designed to |to |using |by |evaluated |\\*\\*|so that |\\PC|[a-z]{1,8} |, |\\. ){0,80}") {
        let parsed = Idea::new(&text).parsed();
        for one in facets(&parsed.document, &parsed.marks) {
            proptest::prop_assert!(one.quote.is_in(&parsed.document));
            proptest::prop_assert!(one.quote.text().split_whitespace().count() <= LONGEST);
        }
    }
}
