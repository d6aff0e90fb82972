use std::collections::BTreeMap;

/// A theorem-like environment: its printed word and its counter.
#[derive(Debug, Clone)]
pub(super) struct Theorem {
    pub(super) word: String,
    pub(super) counter: Option<String>,
}

/// Theorem-like environments defined by common classes.
pub(super) fn usual_theorems() -> BTreeMap<String, Theorem> {
    [
        ("theorem", "Theorem"),
        ("lemma", "Lemma"),
        ("corollary", "Corollary"),
        ("proposition", "Proposition"),
        ("definition", "Definition"),
        ("example", "Example"),
        ("remark", "Remark"),
        ("conjecture", "Conjecture"),
        ("claim", "Claim"),
        ("assumption", "Assumption"),
        ("observation", "Observation"),
    ]
    .into_iter()
    .map(|(name, word)| {
        (
            name.to_owned(),
            Theorem {
                word: word.to_owned(),
                counter: Some(name.to_owned()),
            },
        )
    })
    .chain([(
        "proof".to_owned(),
        Theorem {
            word: "Proof".to_owned(),
            counter: None,
        },
    )])
    .collect()
}
