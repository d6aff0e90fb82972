use proptest::prelude::*;
use serde::Deserialize;
use serde_json::{Value, json};

use super::*;

#[derive(Debug, Deserialize, PartialEq)]
struct Claims {
    claims: Vec<Claim>,
}

#[derive(Debug, Deserialize, PartialEq)]
struct Claim {
    name: String,
    score: u32,
}

fn schema() -> Value {
    let claim = json!({"type": "object", "properties": {"name": {"type": "string"}, "score": {"type": "integer"}}});
    json!({"type": "object", "properties": {"claims": {"type": "array", "items": claim}}})
}

fn read(text: &str) -> Result<(Vec<(String, u32)>, Mending), String> {
    let (claims, mending) = read_answer::<Claims>(text, &schema())?;
    Ok((
        claims
            .claims
            .into_iter()
            .map(|claim| (claim.name, claim.score))
            .collect(),
        mending,
    ))
}

fn one(name: &str) -> Vec<(String, u32)> {
    vec![(name.to_owned(), 1)]
}

#[test]
fn each_repair_is_used_only_where_it_is_needed() {
    let plain = r#"{"claims":[{"name":"a","score":1}]}"#;
    assert_eq!(read(plain), Ok((one("a"), Mending::None)));
    assert_eq!(
        read(&format!("```json\n{plain}\n```")),
        Ok((one("a"), Mending::Unfenced))
    );
    assert_eq!(
        read(&format!("Sure! Here it is:\n```\n{plain}\n```\nAnything else?")),
        Ok((one("a"), Mending::Unfenced))
    );
    assert_eq!(read(&format!("Sure, {plain} is it.")), Ok((one("a"), Mending::Cut)));
    let cut_off = r#"{"claims":[{"name":"a","score":1},{"name":"b","sc"#;
    assert_eq!(read(cut_off), Ok((one("a"), Mending::Truncated)));
    assert_eq!(
        read(r#"{"claims":[{"name":"a","score":1,},],}"#),
        Ok((one("a"), Mending::Punctuation))
    );
    assert_eq!(
        read("{“claims”:[{“name”:“a”,“score”:1}]}"),
        Ok((one("a"), Mending::Punctuation))
    );
}

#[test]
fn repairs_leave_strings_unchanged() {
    let kept = "{\"claims\":[{\"name\":\"say “yes”, ] or ,} or ```\",\"score\":1,}]}";
    assert_eq!(read(kept), Ok((one("say “yes”, ] or ,} or ```"), Mending::Punctuation)));
    let curly = "{“claims”:[{“name”:“the “quoted” and \"straight\" word”,“score”:1}]}";
    assert_eq!(
        read(curly),
        Ok((one("the “quoted” and \"straight\" word"), Mending::Punctuation))
    );
}

#[test]
fn incomplete_values_are_dropped_and_never_completed() {
    for broken in [
        r#"{"claims":[{"name":"a","score":"#,
        r#"{"claims":[{"name":"a""#,
        r#"{"claims":["#,
        r#"{"claims""#,
        "{",
        r#"{"claims":[{"name":"a"}]}"#,
        r#"{"claims":null}"#,
        "I cannot help with that.",
        "",
        "null",
        r#"{"claims":[{"name":"a","score":-1}]}"#,
        r#"{"claims":[{"name":"a","score":"1 of 2"}]}"#,
    ] {
        assert!(read(broken).is_err(), "{broken}: {:?}", read(broken));
    }
    // A truncated number could be the beginning of a different one.
    assert!(read(r#"{"claims":[{"name":"a","score":1"#).is_err());
}

#[test]
fn the_error_names_what_a_model_can_fix() {
    let missing = read(r#"Here: {"claims":[{"name":"a"}]}"#).unwrap_err();
    assert!(missing.contains("missing field `score`"), "{missing}");
    assert!(read("no").unwrap_err().contains("not valid JSON"));
}

proptest! {
    #[test]
    fn arbitrary_text_does_not_panic(text in "\\PC*") {
        let _ = read_answer::<Value>(&text, &json!({}));
    }

    #[test]
    fn brackets_quotes_and_commas_in_any_order_do_not_panic(text in "[\\[\\]{}\",:“”\\\\ a1`\n]{0,80}") {
        let _ = read_answer::<Value>(&text, &json!({}));
        let _ = read_answer::<Claims>(&text, &schema());
    }

    #[test]
    fn a_list_truncated_anywhere_yields_only_complete_items(names in prop::collection::vec("[a-z\"\\\\,{} ]{0,8}", 1..6), cut in 0.0..1.0_f64) {
        let all: Vec<(String, u32)> = names.iter().cloned().zip(1..).collect();
        let items: Vec<Value> = all.iter().map(|(name, score)| json!({"name": name, "score": score})).collect();
        let text = json!({"claims": items}).to_string();
        #[expect(clippy::cast_precision_loss, clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a short text")]
        let at = (text.len() as f64 * cut) as usize;
        if let Ok((read, _)) = read(&text[..at]) {
            prop_assert!(all.starts_with(&read), "{read:?} of {all:?}");
        }
    }
}

/// Answers whose parse time would be quadratic if every bracket were rescanned at every comma, and answers with one very long error.
#[test]
fn deep_and_long_answers_parse_in_linear_time() {
    let start = std::time::Instant::now();
    let (deep, long) = ("[".repeat(200_000), "1,".repeat(400_000));
    for text in [
        format!("{deep}{long}"),
        format!("{}{long}", "{\"a\":".repeat(100_000)),
        format!("{deep}{}", "],".repeat(200_000)),
        format!("“{}", ",“".repeat(400_000)),
        format!("{{{}", ",   ".repeat(400_000)),
        "```\n".repeat(200_000),
        format!("{{\"claims\":\"{}\"}}", "x".repeat(4_000_000)),
        format!(
            "{{\"claims\":[{{\"name\":\"a\",\"score\":1{}}}]}}",
            "0".repeat(1_000_000)
        ),
        format!(
            "{{\"claims\":[{{\"name\":\"{}\",\"score\":-1e999999999}}]}}",
            "\\u0000".repeat(1000)
        ),
        "\0".repeat(1_000_000),
    ] {
        let complaint = read(&text).unwrap_err();
        assert!(complaint.len() < 2000, "{} bytes of error message", complaint.len());
    }
    assert!(start.elapsed().as_secs() < 20, "{:?}", start.elapsed());
}

#[test]
fn thoughts_before_the_answer_are_left_out() {
    let plain = r#"{"claims":[{"name":"a","score":1}]}"#;
    let thought = r#"<think>Perhaps {"claims":[{"name":"b","score":2}]}? No.</think>"#;
    assert_eq!(read(&format!("{thought}\n{plain}")), Ok((one("a"), Mending::None)));
    assert_eq!(
        read(&format!("{thought} So: {plain} Done.")),
        Ok((one("a"), Mending::Cut))
    );
    assert_eq!(
        read("<think>I ran out of room").unwrap_err(),
        "it is empty",
        "an unfinished thought is no answer"
    );
    // Servers that put the opening tag into the prompt.
    let headless = r#"Perhaps {"claims":[{"name":"b","score":2}]}? No.</think>{"claims":[{"name":"a","score":1}]}"#;
    assert_eq!(read(headless), Ok((one("a"), Mending::Cut)));
    // A tag inside a quote is part of the answer.
    let quoted = r#"{"claims":[{"name":"x </think>{“claims”:[{“name”:“b”,“score”:2}]}","score":1}]}"#;
    let name = "x </think>{“claims”:[{“name”:“b”,“score”:2}]}";
    assert_eq!(read(quoted), Ok((one(name), Mending::None)));
    // A draft without tags before the answer.
    let draft = r#"First try: {"draft": true}. Better: {"claims":[{"name":"a","score":1}]} (final)"#;
    assert_eq!(read(draft), Ok((one("a"), Mending::Cut)));
}

#[test]
fn values_of_another_form_are_converted_and_nothing_is_invented() {
    for text in [
        r#"{"claims":[{"name":"a","score":1.0}]}"#,
        r#"{"claims":[{"name":"a","score":"1"}]}"#,
        r#"[{"claims":[{"name":"a","score":1}]}]"#,
        r#"{"answer":{"claims":[{"name":"a","score":1}]}}"#,
        r#"{"claims":{"name":"a","score":1}}"#,
        r#"```json
        {"result": {"claims": [{"name": "a", "score": " 1 "}]}}
        ```"#,
    ] {
        assert_eq!(read(text), Ok((one("a"), Mending::Shape)), "{text}");
    }
    for text in [
        r#"{"claims":[{"name":"a","score":1.5}]}"#,
        r#"{"claims":[{"name":"a","score":"one"}]}"#,
        r#"{"claims":[{"name":"a"}]}"#,
        r#"{"answer":{"claim":[]}}"#,
        r#"{"claims":"a"}"#,
    ] {
        assert!(read(text).is_err(), "{text}");
    }
    assert_eq!(
        read("{\"claims\":[{\"name\":\"a\nb\",\"score\":1},{\"name\":\"c\"").map(|(_, mending)| mending),
        Ok(Mending::Truncated),
        "what is missing counts more than what is mended"
    );
    assert_eq!(
        read("{\"claims\":[{\"name\":\"a\nb\",\"score\":1}]}"),
        Ok((vec![("a\nb".to_owned(), 1)], Mending::Punctuation)),
        "a line end inside a string"
    );
}

#[test]
fn line_ends_and_tabs_in_strings_are_spaces() {
    let text = r##"{"a": "One.\n\nTwo \t three\\n", "b": ["\r\nFour"], "c": "five\n> six", "d": "seven\n# eight", "e": "a \neq b"}"##;
    let (value, _) = read_answer::<Value>(text, &json!({})).unwrap();
    let kept =
        json!({"a": "One. Two three\\n", "b": ["Four"], "c": "five\n> six", "d": "seven\n# eight", "e": "a \neq b"});
    assert_eq!(value, kept);
}

#[test]
fn an_answer_is_unfinished_if_it_is_empty_or_its_json_breaks_off() {
    use super::is_unfinished;
    for whole in [
        "OK",
        r#"{"a": [1, "}\"]"]}"#,
        r#"{"a": "5" wide"}"#,
        "<think>a { b</think>[1] and more [",
        "```json\n{}\n```",
    ] {
        assert!(!is_unfinished(whole), "{whole}");
    }
    for unfinished in [
        "",
        "{",
        r#"{"a": [1, 2], "#,
        r#"Here: {"a": "b"#,
        "<think>{}</think>[",
        "<think>{}</think>",
    ] {
        assert!(is_unfinished(unfinished), "{unfinished}");
    }
}
