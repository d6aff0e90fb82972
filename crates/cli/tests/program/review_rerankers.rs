//! `precedent review --reranker`: candidates are ordered before they are judged and selected.

use std::collections::BTreeMap;
use std::fs;
use std::net::TcpListener;
use std::path::Path;
use std::sync::atomic::Ordering;

use precedent_scripted::{ModelServer, Question, Say, plain};
use serde_json::{Value, json};

use crate::points::backwards;
use crate::reviews::{IDEA, files, holds, list, report};
use crate::support::{fresh_folder, precedent, stderr, stdout};

const WORKS: &str = "examples/works";

/// A review of the idea with these options.
fn review(out: &Path, more: &[&str]) -> std::process::Output {
    let mut arguments = vec!["review", IDEA, "--corpus", WORKS, "--rounds", "1"];
    arguments.extend(["--out", out.to_str().unwrap()]);
    arguments.extend(more);
    precedent(&arguments)
}

/// Titles of the papers kept, by their place of the reranker.
fn places(found: &Value) -> Vec<(u64, String)> {
    let known = list(found, "/knowledge").iter();
    let placed = known.filter_map(|one| Some((one["reranked"].as_u64()?, one["work"]["title"].as_str()?.to_owned())));
    let mut places: Vec<(u64, String)> = placed.collect();
    places.sort();
    places
}

/// A BERT cross-encoder with one layer and weights from a simple rule.
fn cross_encoder(folder: &Path) {
    let (width, words) = (
        4,
        [
            "[PAD]", "[UNK]", "[CLS]", "[SEP]", "rope", "swell", "buoys", "the", "of",
        ],
    );
    fs::create_dir_all(folder).unwrap();
    fs::write(folder.join("vocab.txt"), words.join("\n")).unwrap();
    let config = json!({
        "hidden_size": width, "num_hidden_layers": 1, "num_attention_heads": 1, "intermediate_size": width,
        "max_position_embeddings": 64, "hidden_act": "gelu", "layer_norm_eps": 1e-12,
    });
    fs::write(folder.join("config.json"), config.to_string()).unwrap();
    let mut shapes: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (name, rows) in [("word", words.len()), ("position", 64), ("token_type", 2)] {
        shapes.insert(format!("embeddings.{name}_embeddings.weight"), vec![rows, width]);
    }
    let linear = [
        "attention.self.query",
        "attention.self.key",
        "attention.self.value",
        "attention.output.dense",
    ];
    let layer = linear.iter().chain(&["intermediate.dense", "output.dense"]);
    let layer = layer.map(|part| (format!("encoder.layer.0.{part}"), width));
    for (part, rows) in layer.chain([("bert.pooler.dense".to_owned(), width), ("classifier".to_owned(), 1)]) {
        shapes.insert(format!("{part}.weight"), vec![rows, width]);
        shapes.insert(format!("{part}.bias"), vec![rows]);
    }
    for norm in [
        "embeddings",
        "encoder.layer.0.attention.output",
        "encoder.layer.0.output",
    ] {
        shapes.insert(format!("{norm}.LayerNorm.weight"), vec![width]);
        shapes.insert(format!("{norm}.LayerNorm.bias"), vec![width]);
    }
    let (mut header, mut bytes, mut seed) = (serde_json::Map::new(), Vec::new(), 7_u32);
    for (name, shape) in shapes {
        let start = bytes.len();
        for _ in 0..shape.iter().product::<usize>() {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let value = f32::from(u16::try_from(seed >> 16).unwrap()) / 65_536.0 - 0.5;
            bytes.extend(value.to_le_bytes());
        }
        header.insert(
            name,
            json!({"dtype": "F32", "shape": shape, "data_offsets": [start, bytes.len()]}),
        );
    }
    let header = Value::Object(header).to_string();
    let mut file = (header.len() as u64).to_le_bytes().to_vec();
    file.extend(header.as_bytes());
    file.extend(bytes);
    fs::write(folder.join("model.safetensors"), file).unwrap();
}

#[test]
fn a_served_reranker_orders_the_candidates_and_its_responses_are_recorded() {
    let dir = fresh_folder("review-reranked");
    let (plain_out, out, away) = (dir.join("plain"), dir.join("reranked"), dir.join("away"));
    let (address, asked) = backwards();
    let named = ["--keep", "4", "--reranker", "toy", "--reranker-url", &address];
    assert!(review(&plain_out, &["--keep", "4"]).status.success());
    let plain = report(&plain_out);
    assert!(plain["search"].get("reranker").is_none() && places(&plain).is_empty());

    let estimate = review(&out, &[&named[..], &["--estimate", "--json"]].concat());
    assert_eq!(estimate.status.code(), Some(0), "{}", stderr(&estimate));
    let estimate: Value = serde_json::from_str(&stdout(&estimate)).unwrap();
    assert_eq!(estimate["encoders"], json!([address]));
    assert_eq!(asked.load(Ordering::SeqCst), 0, "an estimate sends nothing");

    let output = review(&out, &named);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let found = report(&out);
    holds(&found);
    assert_eq!(found["search"]["reranker"], format!("toy at {address}"));
    let ids = |found: &Value| -> Vec<Value> {
        list(found, "/knowledge")
            .iter()
            .map(|one| one["work"]["id"].clone())
            .collect()
    };
    assert_ne!(ids(&found), ids(&plain), "the least similar candidates come first");
    let kept = places(&found);
    assert_eq!(kept[0].0, 1, "{kept:?}");
    let similarity = |found: &Value| list(found, "/knowledge")[0]["semantic"].as_f64().unwrap();
    assert!(similarity(&found) < similarity(&plain));
    let times = asked.load(Ordering::SeqCst);
    assert_eq!(times, 1, "one kind in one round");
    let sent = list(&found, "/metadata/sent");
    assert_eq!(sent.len(), 1, "{sent:#?}");
    assert_eq!(
        (&sent[0]["content"], &sent[0]["requests"]),
        (&json!("candidates"), &json!(1))
    );
    let run: Value = serde_json::from_slice(&fs::read(out.join("manifest.json")).unwrap()).unwrap();
    assert_eq!(run["sent"][0]["bytes_out"], sent[0]["bytes"], "{run:#}");
    assert_eq!(run["request"]["review"]["reranker"]["reranker_url"], address);
    let page = fs::read_to_string(out.join("review.md")).unwrap();
    assert!(page.contains("with titles and abstracts of what was found"), "{page}");
    assert!(page.contains("read each candidate together with the idea"), "{page}");

    let before = files(&out);
    for more in [&[][..], &["--replay"][..]] {
        let output = review(&out, &[&named[..], more].concat());
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        assert_eq!(files(&out), before);
    }
    assert_eq!(asked.load(Ordering::SeqCst), times);

    // A reranker that does not answer changes no order.
    let output = review(
        &away,
        &[
            "--keep",
            "4",
            "--reranker",
            "toy",
            "--reranker-url",
            "http://127.0.0.1:9",
        ],
    );
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let without = report(&away);
    assert_eq!(ids(&without), ids(&plain));
    assert!(without["search"].get("reranker").is_none() && places(&without).is_empty());
    let limits = without["metadata"]["not_searched"].to_string();
    assert!(limits.contains("ranking_model_failed"), "{limits}");
    // Requests that were sent again count again.
    let run: Value = serde_json::from_slice(&fs::read(away.join("manifest.json")).unwrap()).unwrap();
    let sent = &list(&without, "/metadata/sent")[0];
    assert!(sent["requests"].as_u64().unwrap() > 1, "{sent:#}");
    assert_eq!(
        (&sent["requests"], &sent["bytes"]),
        (&run["sent"][0]["requests"], &run["sent"][0]["bytes_out"])
    );
}

/// A host that the user names does not make a local-only run use a proxy, also without a model.
#[test]
fn a_local_only_review_without_a_model_sends_nothing_through_a_proxy() {
    let dir = fresh_folder("review-reranker-proxy");
    let proxy = TcpListener::bind("127.0.0.1:0").unwrap();
    proxy.set_nonblocking(true).unwrap();
    let address = format!("http://{}", proxy.local_addr().unwrap());
    let served = ["--reranker", "toy", "--reranker-url", "http://ranking.invalid:7801/v1"];
    let local = ["--local-only", "--private-host", "ranking.invalid", "--proxy", &address];
    let output = review(&dir, &[&served[..], &local[..]].concat());
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(stderr(&output).contains("ranking.invalid"), "{}", stderr(&output));
    assert!(proxy.accept().is_err(), "the proxy was contacted");
    let run: Value = serde_json::from_slice(&fs::read(dir.join("manifest.json")).unwrap()).unwrap();
    let recorded = &run["request"]["review"]["reranker"];
    assert_eq!(
        (&recorded["local_only"], &recorded["private_hosts"]),
        (&json!(true), &json!(["ranking.invalid"]))
    );
}

/// The scripted model, which finds every record fully relevant.
fn generous(question: &Question) -> Say {
    let Say::Text(text) = plain(question) else {
        return plain(question);
    };
    let mut answer: Value = serde_json::from_str(&text).unwrap_or_default();
    if question.prompt == "review.relevance" {
        for record in answer["records"].as_array_mut().unwrap() {
            record["score"] = json!(10);
        }
    }
    Say::Text(answer.to_string())
}

#[test]
fn a_model_judges_no_more_candidates_than_the_order_of_the_reranker_needs() {
    let dir = fresh_folder("review-reranked-judged");
    let (address, _) = backwards();
    let mut judged = Vec::new();
    for reranked in [false, true] {
        let server = ModelServer::start(generous).unwrap();
        let (base, out) = (format!("{}/v1", server.base()), dir.join(reranked.to_string()));
        let mut more = vec!["--keep", "2", "--oversample", "10", "--board", "1"];
        more.extend(["--model", "compatible:scripted", "--model-url", &base]);
        if reranked {
            more.extend(["--reranker", "toy", "--reranker-url", &address]);
        }
        let output = review(&out, &more);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        let asked = server.asked();
        let relevance = asked.iter().filter(|one| one.prompt == "review.relevance");
        judged.push(relevance.map(|one| one.whole().len()).sum::<usize>());
        let found = report(&out);
        holds(&found);
        let spared = found["search"]["spared"].as_u64().unwrap_or_default();
        assert_eq!(spared > 0, reranked, "{:#}", found["search"]);
        let limits = found["metadata"]["not_searched"].to_string();
        assert!(!limits.contains("relevance_not_judged"), "{limits}");
        let page = fs::read_to_string(out.join("review.md")).unwrap();
        assert_eq!(page.contains("The model did not judge"), reranked);
        let kept: Vec<u64> = places(&found).into_iter().map(|(place, _)| place).collect();
        assert_eq!(kept, if reranked { vec![1, 2] } else { vec![] });
    }
    assert!(judged[1] < judged[0], "{judged:?}");
}

#[test]
fn a_cross_encoder_on_this_machine_sends_nothing_and_a_batch_uses_it_too() {
    let dir = fresh_folder("review-cross-encoder");
    let (model, out, many) = (dir.join("ce"), dir.join("one"), dir.join("many"));
    cross_encoder(&model);
    let named = ["--reranker", model.to_str().unwrap(), "--local-only"];
    let output = review(&out, &named);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let found = report(&out);
    holds(&found);
    assert!(found["search"]["reranker"].as_str().unwrap().starts_with("ce@"));
    assert_eq!(found["metadata"]["sent"], json!([]));
    assert_eq!(places(&found)[0].0, 1);

    let batch = dir.join("ideas.jsonl");
    fs::write(&batch, json!({"id": "a", "idea": IDEA}).to_string()).unwrap();
    let mut arguments = vec![
        "review",
        "--batch",
        batch.to_str().unwrap(),
        "--corpus",
        WORKS,
        "--rounds",
        "1",
    ];
    arguments.extend(["--out", many.to_str().unwrap()]);
    arguments.extend(named);
    let output = precedent(&arguments);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let same: Value = serde_json::from_slice(&fs::read(many.join("review-1.json")).unwrap()).unwrap();
    assert_eq!(same["knowledge"], found["knowledge"]);
}

#[test]
fn a_reranker_needs_a_folder_or_an_address_that_may_be_contacted() {
    let dir = fresh_folder("review-reranker-refused");
    let code = |more: &[&str]| review(&dir, more).status.code();
    assert_eq!(code(&["--reranker", "m"]), Some(2), "neither a folder nor a URL");
    assert_eq!(code(&["--reranker-url", "https://models.example/v1"]), Some(2));
    let far = ["--reranker", "m", "--reranker-url", "https://models.example/v1"];
    assert_eq!(code(&[&far[..], &["--local-only"]].concat()), Some(4));
    let with_key = ["--reranker", "m", "--reranker-url", "https://models.example/v1?key=k"];
    assert_eq!(code(&with_key), Some(2));
    // A reranker of the settings is for other commands.
    let set = dir.join("settings.toml");
    fs::create_dir_all(&dir).unwrap();
    fs::write(&set, "reranker = 'm'\nreranker_url = 'https://models.example/v1'\n").unwrap();
    let output = review(&dir.join("out"), &["--settings", set.to_str().unwrap(), "--local-only"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    // Without reviews, it would be ignored.
    let (one, other) = (dir.join("one.txt"), dir.join("other.txt"));
    fs::write(&one, IDEA).unwrap();
    fs::write(&other, format!("{IDEA} And more.")).unwrap();
    let mut compared = vec![
        "compare",
        one.to_str().unwrap(),
        other.to_str().unwrap(),
        "--model",
        "compatible:m",
    ];
    compared.extend(["--model-url", "http://127.0.0.1:9/v1"]);
    for (option, more) in [("--reranker", &far[..]), ("--persona", &["--persona", "area-chair"])] {
        let output = precedent(&[&compared[..], more].concat());
        assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
        let printed = format!("{option} is for reviews");
        assert!(stderr(&output).contains(&printed), "{}", stderr(&output));
    }
}
