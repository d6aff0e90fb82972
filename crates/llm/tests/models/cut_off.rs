//! Answers that end too early: at the output limit, at the end of a budget, or without a word about it.

use std::sync::Arc;
use std::time::Duration;

use precedent_http::Mode;
use precedent_ledger::Ledger;
use precedent_llm::{AskUsage, Check, Checks, LlmError, Mending, Meter, ModelOptions, Prices, Typed, ask_within};
use serde_json::{Value, json};
use tokio::net::TcpListener;

use crate::asking::{Colour, ask, is_warm, model, model_with, printed, question, server};
use crate::forms::forms;

#[tokio::test]
async fn an_answer_that_the_end_of_a_budget_cut_off_counts_in_the_continued_run() {
    let prices =
        || Prices::from_toml("[[price]]\nmodel = 'openai:test-model'\ninput = 1000.0\noutput = 1000.0").unwrap();
    let form = forms().into_iter().find(|form| form.provider == "openai").unwrap();
    let cut = (200, (form.answer)(r#"{"colour":"re"#, true).to_string());
    let (base, asked) = server(vec![cut, printed("openai", r#"{"colour":"red"}"#)]).await;
    let ledger = Ledger::in_memory().await.unwrap();
    // The smallest budget that pays for a request pays for a short answer.
    let mut cents = 0;
    let ended = loop {
        cents += 1;
        let meter = Arc::new(Meter::new(prices(), Some(f64::from(cents) / 100.0)));
        let outcome = ask(&model_with(&meter, "openai", &base, &ledger, Mode::Live)).await;
        assert!(matches!(outcome, Err(LlmError::OverBudget { .. })), "{outcome:?}");
        if !asked.lock().unwrap().is_empty() {
            break meter;
        }
    };
    let first = asked.lock().unwrap()[0].clone();
    assert!(first["max_completion_tokens"].as_u64().unwrap() < 50, "{first}");
    let once = ended.dollars();
    assert!(once > 0.0);
    let continued = Arc::new(Meter::new(prices(), None));
    let outcome = ask(&model_with(&continued, "openai", &base, &ledger, Mode::Live)).await;
    assert_eq!(outcome.unwrap().value.colour, "red");
    assert_eq!(asked.lock().unwrap().len(), 2);
    assert!(
        (continued.dollars() - 2.0 * once).abs() < 1e-9,
        "{} and {once}",
        continued.dollars()
    );
}

#[tokio::test]
async fn a_request_in_flight_when_its_process_stops_counts_towards_the_budget_of_the_next() {
    let prices =
        || Prices::from_toml("[[price]]\nmodel = 'openai:test-model'\ninput = 1000.0\noutput = 1000.0").unwrap();
    let silent = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let base = format!("http://{}", silent.local_addr().unwrap());
    let ledger = Ledger::in_memory().await.unwrap();
    let stopped = Arc::new(Meter::new(prices(), Some(5.0)));
    let model = model_with(&stopped, "openai", &base, &ledger, Mode::Live);
    let asking = tokio::time::timeout(Duration::from_millis(300), ask(&model));
    assert!(asking.await.is_err(), "the server never answers");
    let heads = ledger.answer_heads().await.unwrap();
    assert!(heads.len() == 1 && heads[0].1.contains("bills"), "{heads:?}");
    // The budget pays for one request, which may have been billed.
    let next = |dollars| {
        let (meter, ledger) = (Arc::new(Meter::new(prices(), Some(dollars))), ledger.clone());
        let silent = base.clone();
        async move {
            let model = model_with(&meter, "openai", &silent, &ledger, Mode::Live);
            tokio::time::timeout(Duration::from_millis(300), ask(&model)).await
        }
    };
    let refused = next(0.12).await;
    assert!(matches!(refused, Ok(Err(LlmError::OverBudget { .. }))), "{refused:?}");
    assert!(next(5.0).await.is_err(), "sent again");
    let replay = model_with(&stopped, "openai", &base, &ledger, Mode::Replay);
    assert!(ask(&replay).await.unwrap_err().is_missing());
}

#[tokio::test]
async fn an_answer_that_is_cut_off_at_the_highest_limit_is_not_requested_twice() {
    let form = forms().into_iter().find(|form| form.provider == "openai").unwrap();
    let cut = (200, (form.answer)(r#"{"colour":"re"#, true).to_string());
    let (base, asked) = server(vec![cut]).await;
    let ledger = Ledger::in_memory().await.unwrap();
    let options = ModelOptions {
        output_tokens: Some(40),
        ..ModelOptions::default()
    };
    let outcome = ask(&model("openai", &base, &ledger, Mode::Live).with_options(options)).await;
    assert!(matches!(outcome, Err(LlmError::CutOff { .. })), "{outcome:?}");
    assert_eq!(asked.lock().unwrap().len(), 1);
}

#[tokio::test]
async fn an_answer_that_breaks_off_is_sent_back_with_more_room_and_without_it_if_more_is_refused() {
    let broken = |text: &str| printed("openai", text);
    let red = || printed("openai", r#"{"colour":"red"}"#);
    let refused = || {
        let message = "max_completion_tokens is too large: 4096";
        (
            400,
            json!({"error": {"message": message, "type": "invalid_request_error"}}).to_string(),
        )
    };
    let cases = [
        (vec![broken(r#"{"colour":"re"#), red()], vec![50, 4_096]),
        (vec![broken(""), red()], vec![50, 4_096]),
        (vec![broken(r#"{"colour":"re"#), refused(), red()], vec![50, 4_096, 50]),
    ];
    for (answers, rooms) in cases {
        let (base, asked) = server(answers).await;
        let ledger = Ledger::in_memory().await.unwrap();
        let typed = ask(&model("openai", &base, &ledger, Mode::Live)).await.unwrap();
        assert_eq!(typed.value.colour, "red");
        let asked = asked.lock().unwrap().clone();
        let sent: Vec<u64> = asked
            .iter()
            .map(|one| one["max_completion_tokens"].as_u64().unwrap())
            .collect();
        assert_eq!(sent, rooms);
        assert_ne!(asked[0]["messages"], asked[1]["messages"], "the answer is sent back");
        let replayed = ask(&model("openai", &base, &ledger, Mode::Replay)).await.unwrap();
        assert_eq!(replayed, typed);
    }
    let (base, _) = server(vec![broken("")]).await;
    let ledger = Ledger::in_memory().await.unwrap();
    let error = ask(&model("openai", &base, &ledger, Mode::Live)).await.unwrap_err();
    assert!(error.to_string().contains("is empty or breaks off"), "{error}");
}

#[tokio::test]
async fn a_refusal_without_usage_counts_at_its_maximum() {
    let form = forms().into_iter().find(|form| form.provider == "openai").unwrap();
    let mut refusal: Value = serde_json::from_str(form.refusal).unwrap();
    refusal.as_object_mut().unwrap().remove("usage");
    let (base, _) = server(vec![(200, refusal.to_string())]).await;
    let openai = model("openai", &base, &Ledger::in_memory().await.unwrap(), Mode::Live);
    let mut taken = AskUsage::default();
    let checks = Checks::<Colour> { must: &[], should: &[] };
    let error = ask_within(&openai, question(), checks, &mut taken).await.unwrap_err();
    assert!(matches!(error, LlmError::Refused { .. }), "{error}");
    assert_eq!((taken.lost, taken.assumed.output), (1, 50));
}

#[tokio::test]
async fn an_answer_that_is_cut_off_gets_more_room_before_it_is_used_in_part() {
    let cut = |text: &str| {
        let form = forms().into_iter().find(|form| form.provider == "openai").unwrap();
        (200, (form.answer)(text, true).to_string())
    };
    let checks = || Checks::<Colour> { must: &[], should: &[] };
    // The second answer is whole.
    let (base, asked) = server(vec![
        cut(r#"{"colour":"red","#),
        printed("openai", r#"{"colour":"orange"}"#),
    ])
    .await;
    let ledger = Ledger::in_memory().await.unwrap();
    let mut taken = AskUsage::default();
    let openai = model("openai", &base, &ledger, Mode::Live);
    let typed: Typed<Colour> = ask_within(&openai, question(), checks(), &mut taken).await.unwrap();
    assert_eq!((typed.value.colour.as_str(), taken.cut_off), ("orange", 0));
    let rooms: Vec<u64> = asked
        .lock()
        .unwrap()
        .iter()
        .map(|one| one["max_completion_tokens"].as_u64().unwrap())
        .collect();
    assert_eq!(rooms, [50, 4_096]);
    let replay = model("openai", &base, &ledger, Mode::Replay);
    let again: Typed<Colour> = ask_within(&replay, question(), checks(), &mut AskUsage::default())
        .await
        .unwrap();
    assert_eq!(again.value.colour, "orange");
    // Both are cut off: what is complete counts, and the caller knows.
    let (base, asked) = server(vec![cut(r#"{"colour":"red","#)]).await;
    let mut taken = AskUsage::default();
    let openai = model("openai", &base, &Ledger::in_memory().await.unwrap(), Mode::Live);
    let typed: Typed<Colour> = ask_within(&openai, question(), checks(), &mut taken).await.unwrap();
    assert_eq!(
        (typed.value.colour.as_str(), typed.mending, taken.cut_off),
        ("red", Mending::Truncated, 1)
    );
    assert_eq!(asked.lock().unwrap().len(), 2);
    // Nothing is complete.
    let (base, _) = server(vec![cut(r#"{"colour":"re"#)]).await;
    let openai = model("openai", &base, &Ledger::in_memory().await.unwrap(), Mode::Live);
    let error = ask_within::<Colour>(&openai, question(), checks(), &mut AskUsage::default())
        .await
        .unwrap_err();
    assert!(matches!(error, LlmError::CutOff { .. }), "{error}");
    // A server that cuts off without saying so.
    let silent = printed("openai", r#"{"colour":"red","#);
    let (base, asked) = server(vec![silent, printed("openai", r#"{"colour":"orange"}"#)]).await;
    let openai = model("openai", &base, &Ledger::in_memory().await.unwrap(), Mode::Live);
    let typed: Typed<Colour> = ask_within(&openai, question(), checks(), &mut AskUsage::default())
        .await
        .unwrap();
    assert_eq!(
        (typed.value.colour.as_str(), asked.lock().unwrap().len()),
        ("orange", 2)
    );
}

#[tokio::test]
async fn a_whole_answer_at_the_limit_is_taken_and_a_short_repair_is_not() {
    let at_limit = |text: &str| {
        let form = forms().into_iter().find(|form| form.provider == "openai").unwrap();
        (200, (form.answer)(text, true).to_string())
    };
    // The limit was reached after the value.
    let (base, asked) = server(vec![at_limit("{\"colour\":\"red\"}\n\n\n")]).await;
    let openai = model("openai", &base, &Ledger::in_memory().await.unwrap(), Mode::Live);
    let typed = ask(&openai).await.unwrap();
    assert_eq!((typed.value.colour.as_str(), asked.lock().unwrap().len()), ("red", 1));
    // The answer to the repair request is cut off: the first one, which only fails an optional check, is worth more.
    let (base, _) = server(vec![
        printed("openai", r#"{"colour":"blue"}"#),
        at_limit(r#"{"colour":"orange","#),
    ])
    .await;
    let openai = model("openai", &base, &Ledger::in_memory().await.unwrap(), Mode::Live);
    let should: [Check<'_, Colour>; 1] = [&is_warm];
    let checks = Checks {
        must: &[],
        should: &should,
    };
    let typed = ask_within(&openai, question(), checks, &mut AskUsage::default())
        .await
        .unwrap();
    assert_eq!(typed.value.colour, "blue");
    assert!(!typed.repaired && typed.let_pass.is_some());
}
