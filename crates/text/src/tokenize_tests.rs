use super::*;

fn norms(text: &str) -> Vec<String> {
    let tokens = tokenize(text);
    tokens
        .entries
        .iter()
        .map(|entry| tokens.norm_of(entry).to_owned())
        .collect()
}

#[test]
fn typography_and_plain_text_give_the_same_tokens() {
    let pairs = [
        ("The e\u{fb03}cient classi\u{fb01}er", "the efficient classifier"),
        ("state\u{2011}of\u{2013}the\u{2014}art", "state of the art"),
        ("\u{201c}it\u{2019}s\u{201d} don't", "its dont"),
        ("co\u{ad}oper\u{ad}\nate", "cooperate"),
        ("na\u{ef}ve nai\u{308}ve Erd\u{151}s", "naive naive erdos"),
        ("1,000 and 12,345.67 and .05", "1000 and 12345.67 and 0.05"),
        ("\u{ff21}\u{ff22} \u{1d465}\u{1d7d9}", "ab x1"),
        ("x\u{b2} and 10\u{207b}\u{b3}", "x 2 and 10 3"),
        ("\u{2264} 5% & C++ C#", "<= 5 percent and c++ c#"),
        ("[1,2] (3;4)", "1 2 3 4"),
        ("zero\u{200b}width \u{feff}mark", "zerowidth mark"),
        ("STRASSE Stra\u{df}e", "strasse strasse"),
    ];
    for (text, expected) in pairs {
        assert_eq!(norms(text).join(" "), expected, "{text}");
    }
}

#[test]
fn a_word_broken_at_a_line_end_is_joined_unless_the_text_separates_it() {
    assert_eq!(norms("the informa-\ntion flows").join(" "), "the information flows");
    assert_eq!(
        norms("self-attention and self-\nattention").join(" "),
        "self attention and self attention"
    );
    assert_eq!(
        norms("the self, our attention, self-\nattention").join(" "),
        "the self our attention self attention"
    );
    assert_eq!(
        norms("information; informa-\n  tion").join(" "),
        "information information"
    );
    assert_eq!(norms("informa\u{2}\ntion").join(" "), "information");
    assert_eq!(norms("ends -\n\nnew").join(" "), "ends new");
    assert_eq!(norms("Anglo-\nSaxon").join(" "), "anglo saxon");
    let text = "an informa-\ntion gain";
    let tokens = tokenize(text);
    assert_eq!(tokens.span(1).slice(text), Some("informa-\ntion"));
}

#[test]
fn scripts_without_spaces_give_one_token_per_character() {
    assert_eq!(norms("我们提出BERT模型。").len(), 7);
    assert_eq!(norms("ひらがなカタカナ").len(), 8);
    assert_eq!(norms("한국어 문장").len(), 2);
    assert_eq!(norms("на русском языке").len(), 3);
    assert_eq!(norms("हिन्दी में"), ["हिन्दी", "में"]);
    assert_eq!(norms("가"), norms("\u{1100}\u{1161}"));
    assert_ne!(norms("か"), norms("が"));
}

proptest::proptest! {
    #[test]
    fn tokens_are_in_order_on_character_boundaries(text in "\\PC{0,80}|[a-c0-9.,\\-\n\u{ad}\u{2}' ²ﬁé我+%]{0,60}") {
        let tokens = tokenize(&text);
        let mut last = 0;
        for entry in &tokens.entries {
            let span = entry.span();
            proptest::prop_assert!(span.start >= last && span.end > span.start);
            proptest::prop_assert!(span.slice(&text).is_some());
            proptest::prop_assert!(!tokens.norm_of(entry).is_empty());
            proptest::prop_assert_eq!(key_of(tokens.norm_of(entry)), entry.key);
            last = span.end;
        }
    }
}
