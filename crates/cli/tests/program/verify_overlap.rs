//! Input, output and positions of `verify` and `overlap`.

use std::fs;
use std::path::Path;
use std::process::Output;

use precedent_cli::reference::{self, overlap_schema, verify_schema};
use serde_json::Value;

use crate::support::{fresh_folder, json, precedent, precedent_in, root, stderr, stdout};

const TEXT: &str = "# Buoys\n\nIn spring Böttcher’s “tide hub” recorded the naïve force on each of the twelve ropes for ninety days. The force fell by 12 % when \
the swell was low, and it did not return before the second storm. Nobody had measured that before. The clamps were made of bronze in a small \
yard near the harbour, by two smiths who had built the older ones as well. All of the ropes were kept in the shed over winter.\n";

fn lines(output: &Output) -> Vec<Value> {
    stdout(output)
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

fn verify(folder: &Path, source: &str, quote: &str) -> Value {
    let output = precedent_in(folder, &["verify", "--source", source, "--quote", quote, "--json"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    json(&output)
}

fn range(value: &Value) -> std::ops::Range<usize> {
    let at = |index: usize| usize::try_from(value[index].as_u64().unwrap()).unwrap();
    at(0)..at(1)
}

fn utf16(text: &str, mark: bool) -> Vec<u8> {
    let mark = mark.then_some('\u{feff}').into_iter().collect::<String>();
    format!("{mark}{text}")
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect()
}

fn from_utf16(bytes: &[u8]) -> String {
    let units: Vec<u16> = bytes
        .chunks(2)
        .map(|pair| u16::from_le_bytes([pair[0], pair[1]]))
        .collect();
    String::from_utf16(&units).unwrap()
}

#[test]
fn ranges_are_bytes_of_the_file_in_any_encoding() {
    let folder = tempfile::tempdir().unwrap();
    let western: Vec<u8> = TEXT
        .chars()
        .map(|c| match c {
            '’' => 0x92,
            '“' => 0x93,
            '”' => 0x94,
            c => u8::try_from(u32::from(c)).unwrap(),
        })
        .collect();
    let files: [(&str, Vec<u8>); 5] = [
        ("utf8.md", TEXT.as_bytes().to_vec()),
        ("bom.txt", format!("\u{feff}{TEXT}").into_bytes()),
        ("latin1.txt", western),
        ("utf16.txt", utf16(TEXT, true)),
        ("bare16.md", utf16(TEXT, false)),
    ];
    let quote = "recorded the naïve force on each of the twelve ropes";
    for (name, bytes) in &files {
        fs::write(folder.path().join(name), bytes).unwrap();
        let answer = verify(folder.path(), name, quote);
        assert_eq!(answer["outcome"], "exact", "{name}: {answer}");
        assert_eq!(answer["text"], quote, "{name}");
        let slice = &bytes[range(&answer["ranges"][0])];
        let read = match *name {
            "latin1.txt" => slice.iter().map(|byte| char::from(*byte)).collect(),
            "utf16.txt" | "bare16.md" => from_utf16(slice),
            _ => String::from_utf8(slice.to_vec()).unwrap(),
        };
        assert_eq!(read, quote, "{name}");
    }
    // The same for both sides of a passage and its edits.
    let edited = TEXT.replace("by 12 %", "by 21 %");
    fs::write(folder.path().join("edited.txt"), utf16(&edited, false)).unwrap();
    let output = precedent_in(folder.path(), &["overlap", "latin1.txt", "edited.txt", "--json"]);
    let answer = json(&output);
    let passage = &answer["passages"][0];
    let (a, b) = (
        fs::read(folder.path().join("latin1.txt")).unwrap(),
        utf16(&edited, false),
    );
    let edit = &passage["edits"][0];
    assert_eq!(
        (&edit["a_text"], &edit["b_text"], &edit["reason"]),
        (&"12".into(), &"21".into(), &"number".into())
    );
    assert_eq!(&a[range(&edit["a"])], b"12");
    assert_eq!(from_utf16(&b[range(&edit["b"])]), "21");
    assert_eq!(
        from_utf16(&b[range(&passage["b"])]),
        passage["b_text"].as_str().unwrap()
    );
    assert!(
        stderr(&output).contains("edited.txt was read as UTF-16"),
        "{}",
        stderr(&output)
    );
}

#[test]
fn binary_files_are_rejected() {
    let folder = tempfile::tempdir().unwrap();
    let utf32: Vec<u8> = TEXT.chars().flat_map(|c| u32::from(c).to_le_bytes()).collect();
    fs::write(folder.path().join("utf32.txt"), utf32).unwrap();
    let noise: Vec<u8> = (0..9000_u32)
        .map(|n| (n.wrapping_mul(2_654_435_761) >> 13).to_le_bytes()[0])
        .collect();
    fs::write(folder.path().join("noise.txt"), noise).unwrap();
    for file in ["utf32.txt", "noise.txt"] {
        let output = precedent_in(
            folder.path(),
            &[
                "verify",
                "--source",
                file,
                "--quote",
                "recorded the naive force on each of the ropes",
            ],
        );
        assert_eq!(
            output.status.code(),
            Some(3),
            "{file}: {} {}",
            stdout(&output),
            stderr(&output)
        );
        assert!(stderr(&output).contains("error: "), "{}", stderr(&output));
    }
}

#[test]
fn invalid_lines_are_reported_and_the_others_are_checked() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("s.md"), TEXT).unwrap();
    let good = "it did not return before the second storm";
    fs::write(
        folder.path().join("q.jsonl"),
        format!(
            "\u{feff}{{\"id\": \"first\", \"quote\": \"{good}\"}}\r\n[\"b\", \"{good}\"]\n{{\"id\": 98765432109876543210987, \"quote\": \"{good}\"}}\n\n\
             {{\"id\": 18446744073709551615, \"quote\": \"{good}\"}}\n{{oh\n{{\"id\": 3, \"quote\": \"two words\"}}\n"
        ),
    )
    .unwrap();
    let output = precedent_in(
        folder.path(),
        &["verify", "--source", "s.md", "--quotes", "q.jsonl", "--json"],
    );
    assert_eq!(output.status.code(), Some(3));
    let answers = lines(&output);
    let ids: Vec<&Value> = answers.iter().map(|answer| &answer["id"]).collect();
    assert_eq!(ids, [&Value::from("first"), &Value::from(u64::MAX), &Value::from(3)]);
    assert_eq!(answers[0]["outcome"], "exact");
    let stated = stderr(&output);
    for line in [
        "line 2 of q.jsonl: expected an object, found an array",
        "line 3 of q.jsonl: `id` is not a 64-bit integer",
        "line 6 of q.jsonl: ",
        "error: failed to read 3 of 6 lines of q.jsonl",
        "hint: each line must be {\"id\": …, \"quote\": \"…\"}; the other lines were checked",
    ] {
        assert!(stated.contains(line), "{line} is missing: {stated}");
    }
    // A file without quotes causes a warning, not an error.
    fs::write(folder.path().join("empty.jsonl"), "\n").unwrap();
    let output = precedent_in(
        folder.path(),
        &["verify", "--source", "s.md", "--quotes", "empty.jsonl", "--json"],
    );
    assert_eq!((output.status.code(), stdout(&output).as_str()), (Some(0), ""));
    assert!(
        stderr(&output).contains("empty.jsonl contains no quotes"),
        "{}",
        stderr(&output)
    );
    for quote in ["", "  \n"] {
        let output = precedent_in(folder.path(), &["verify", "--source", "s.md", "--quote", quote]);
        assert_eq!(output.status.code(), Some(2), "{quote:?}");
    }
}

#[test]
fn too_short_quotes_have_a_note_on_the_minimum_length() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("s.md"), TEXT).unwrap();
    let short = verify(folder.path(), "s.md", "Nobody had measured that");
    assert_eq!(short["outcome"], "too_short");
    assert!(
        short["note"]
            .as_str()
            .unwrap()
            .contains("at least 5 words and 20 letters"),
        "{short}"
    );
    assert_eq!(
        verify(folder.path(), "s.md", "Nobody had measured that before")["outcome"],
        "exact"
    );
    assert_eq!(
        verify(folder.path(), "s.md", "all of it as it is")["outcome"],
        "too_short"
    );
}

#[test]
fn a_stitched_quote_shows_its_pieces_and_the_omitted_text() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("s.md"), TEXT).unwrap();
    let quote = "The force fell by 12 % when the swell was low … Nobody had measured that before";
    let answer = verify(folder.path(), "s.md", quote);
    assert_eq!(
        (&answer["outcome"], &answer["verified"]),
        (&"stitched".into(), &true.into())
    );
    assert_eq!(answer["ranges"].as_array().unwrap().len(), 2);
    let gap = &answer["left_out"][0];
    let between = ", and it did not return before the second storm. ";
    assert_eq!((&gap["text"], &gap["words"]), (&between.into(), &9.into()));
    assert_eq!(
        (&gap["crosses"], &gap["limits"][0]),
        (&"sentence".into(), &"not".into())
    );
    assert_eq!(&TEXT[range(&gap["range"])], between);
    assert!(answer["note"].as_str().unwrap().contains("only the pieces"), "{answer}");
    let shown = stdout(&precedent_in(
        folder.path(),
        &["verify", "--source", "s.md", "--quote", quote],
    ));
    assert!(
        shown.starts_with("stitched: the source contains its pieces separately"),
        "{shown}"
    );
    assert!(!shown.contains("the source contains it "), "{shown}");
    for part in [
        "piece 1",
        "left out",
        "9 words, across the end of a sentence",
        "including “not”",
        "piece 2",
        "“Nobody had measured",
    ] {
        assert!(shown.contains(part), "{part} is not shown: {shown}");
    }
}

#[test]
fn a_passage_with_a_changed_meaning_is_not_called_word_for_word() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a.md"), TEXT).unwrap();
    fs::write(
        folder.path().join("b.md"),
        TEXT.replace("did not return", "did return").replace("12 %", "21 %"),
    )
    .unwrap();
    fs::write(folder.path().join("c.md"), format!("Another head.\n\n{TEXT}")).unwrap();
    let turned = stdout(&precedent_in(folder.path(), &["overlap", "a.md", "b.md"]));
    let head = turned.lines().take(2).collect::<Vec<_>>().join(" ");
    assert!(
        head.contains("nearly word for word") && !head.contains("words, word for word"),
        "{turned}"
    );
    for part in [
        "a says “12” where b says “21” (number or unit)",
        "b omits “not” (negation)",
        "[-not-]",
        "[-12-]",
        "{+21+}",
    ] {
        assert!(turned.contains(part), "{part} is not shown: {turned}");
    }
    assert!(turned.lines().all(|line| line.chars().count() <= 80), "{turned}");
    let same = stdout(&precedent_in(folder.path(), &["overlap", "a.md", "c.md"]));
    assert!(same.contains("words, word for word\n"), "{same}");
}

#[test]
fn no_passage_is_shorter_than_min_words() {
    let folder = tempfile::tempdir().unwrap();
    let words: Vec<&str> = TEXT
        .split_whitespace()
        .filter(|word| word.chars().all(char::is_alphanumeric))
        .collect();
    fs::write(folder.path().join("a.md"), TEXT).unwrap();
    for min_words in [6, 9, 14] {
        let mut copy = words[4..4 + min_words].to_vec();
        copy.remove(min_words / 2);
        fs::write(
            folder.path().join("b.md"),
            format!("Some say this. {} And no more of it.", copy.join(" ")),
        )
        .unwrap();
        let asked = min_words.to_string();
        let answer = json(&precedent_in(
            folder.path(),
            &["overlap", "a.md", "b.md", "--min-words", &asked, "--json"],
        ));
        for passage in answer["passages"].as_array().unwrap() {
            assert!(passage["words"].as_u64().unwrap() >= min_words as u64, "{passage}");
        }
    }
}

#[test]
fn strict_exits_with_7_unless_every_quote_is_word_for_word() {
    let folder = fresh_folder("verify-strict");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("s.md"), TEXT).unwrap();
    let check = |quote: &str| precedent_in(&folder, &["verify", "--source", "s.md", "--strict", "--quote", quote]);
    let exact = check("it did not return before the second storm");
    assert_eq!(exact.status.code(), Some(0), "{}", stderr(&exact));
    let cases = [
        ("altered", "it did return before the second storm of the year"),
        (
            "stitched",
            "The force fell by 12 % when the swell was low … Nobody had measured that before",
        ),
        (
            "close",
            "made of bronze in small yard near the harbour, by two smiths who had built the older ones",
        ),
        ("absent", "kelp grows well in cold and clear water far from any harbour"),
        ("too short", "two words"),
    ];
    for (outcome, quote) in cases {
        let output = check(quote);
        assert!(stdout(&output).starts_with(outcome), "{outcome}: {}", stdout(&output));
        assert_eq!(output.status.code(), Some(7), "{outcome}: {}", stderr(&output));
        assert!(
            stderr(&output).contains("error: 1 of 1 quote failed the check against s.md"),
            "{}",
            stderr(&output)
        );
    }
    let good = "{\"id\": 1, \"quote\": \"it did not return before the second storm\"}\n";
    let altered = "{\"id\": 2, \"quote\": \"it did return before the second storm of the year\"}\n";
    for (lines, code, printed, message) in [
        (format!("{good}{good}"), 0, 2, ""),
        (
            format!("{good}{altered}{altered}"),
            7,
            3,
            "2 of 3 quotes failed the check against s.md",
        ),
        (
            format!("{good}{altered}not JSON\n"),
            3,
            2,
            "failed to read 1 of 3 lines",
        ),
        (String::new(), 3, 0, "contains no quotes"),
    ] {
        fs::write(folder.join("quotes.jsonl"), lines).unwrap();
        let arguments = [
            "verify",
            "--source",
            "s.md",
            "--quotes",
            "quotes.jsonl",
            "--json",
            "--strict",
        ];
        let output = precedent_in(&folder, &arguments);
        assert_eq!(output.status.code(), Some(code), "{}", stderr(&output));
        assert_eq!(stdout(&output).lines().count(), printed);
        assert!(stderr(&output).contains(message), "{}", stderr(&output));
    }
}

/// Every printed field is in the schema, and all required fields are printed.
#[test]
fn output_is_valid_under_its_schema() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("s.md"), TEXT).unwrap();
    fs::write(folder.path().join("t.md"), TEXT.replace("did not return", "did return")).unwrap();
    let strict = |schema: &schemars::Schema| {
        let mut value = serde_json::to_value(schema).unwrap();
        value["additionalProperties"] = false.into();
        if let Some(defs) = value["$defs"].as_object_mut() {
            for one in defs.values_mut().filter(|one| one["properties"].is_object()) {
                one["additionalProperties"] = false.into();
            }
        }
        jsonschema::validator_for(&value).unwrap()
    };
    let holds = |validator: &jsonschema::Validator, answer: &Value| {
        let faults: Vec<String> = validator.iter_errors(answer).map(|fault| fault.to_string()).collect();
        assert!(faults.is_empty(), "{faults:?}\n{answer}");
    };
    let validator = strict(&verify_schema());
    let quotes = [
        "it did not return before the second storm",
        "it did return before the second storm of the year",
        "The force fell by 12 % when the swell was low … Nobody had measured that before",
        "made of bronze in small yard near the harbour, by two smiths who had built the older ones",
        "kelp grows well in cold and clear water far from any harbour",
        "two words",
    ];
    for quote in quotes {
        holds(&validator, &verify(folder.path(), "s.md", quote));
    }
    let quote = "line code that places every symbol into a taut interval";
    let paper = json(&precedent(&[
        "verify",
        "--source",
        "examples/paper.pdf",
        "--quote",
        quote,
        "--json",
    ]));
    assert!(paper["page"].is_u64() && paper["section"].is_string(), "{paper}");
    holds(&validator, &paper);
    assert!(!validator.is_valid(&serde_json::json!({"id": 1, "outcome": "exact"})));
    let validator = strict(&overlap_schema());
    let answer = json(&precedent_in(folder.path(), &["overlap", "s.md", "t.md", "--json"]));
    assert!(!answer["passages"][0]["edits"].as_array().unwrap().is_empty());
    holds(&validator, &answer);
    let works = root().join("examples/works/full-texts");
    let mut arguments = vec!["overlap".to_owned(), "examples/paper.pdf".to_owned()];
    arguments.extend(
        fs::read_dir(works)
            .unwrap()
            .map(|file| file.unwrap().path().display().to_string()),
    );
    arguments.extend(["--min-words", "12", "--json"].map(str::to_owned));
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let answer = json(&precedent(&arguments));
    assert!(!answer["passages"].as_array().unwrap().is_empty());
    holds(&validator, &answer);
}

/// `UPDATE_SCHEMA=1 cargo test -p precedent-cli` updates the files, like `cargo xtask generate`.
#[test]
fn reference_and_schemas_are_up_to_date() {
    let mut stale = Vec::new();
    for (name, page) in reference::pages() {
        let path = root().join(name);
        if std::env::var_os("UPDATE_SCHEMA").is_some() {
            fs::write(&path, &page).unwrap();
        }
        if fs::read_to_string(&path).unwrap_or_default() != page {
            stale.push(name);
        }
    }
    assert!(stale.is_empty(), "outdated: {stale:?}; run cargo xtask generate");
}

/// `--help` and the reference explain every printed field.
#[test]
fn every_field_is_explained_in_help_and_reference() {
    let page = reference::answers();
    for (command, schema) in [("verify", verify_schema()), ("overlap", overlap_schema())] {
        let help = stdout(&precedent(&[command, "--help"]));
        let schema = serde_json::to_value(&schema).unwrap();
        let parts = schema["$defs"].as_object().unwrap().values().chain([&schema]);
        for (field, value) in parts.flat_map(|part| part["properties"].as_object().into_iter().flatten()) {
            assert!(
                value["description"].is_string(),
                "{command}: {field} has no description in the schema"
            );
            assert!(
                page.contains(&format!("| `{field}` |")),
                "{command}: {field} is not in the reference"
            );
            let named = help
                .split(|c: char| !c.is_alphanumeric() && c != '_')
                .any(|word| word == field);
            assert!(named, "{command}: {field} is not in --help");
        }
    }
}

#[test]
fn an_unreadable_file_does_not_affect_the_others() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a.md"), TEXT).unwrap();
    fs::write(folder.path().join("b.md"), TEXT).unwrap();
    fs::write(folder.path().join("broken.pdf"), "%PDF-1.7 and nothing more").unwrap();
    let output = precedent_in(folder.path(), &["overlap", "a.md", "broken.pdf", "b.md", "--json"]);
    assert_eq!(output.status.code(), Some(3));
    let answer: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(answer["passages"][0]["b_file"], "b.md");
    assert!(String::from_utf8_lossy(&output.stderr).contains("broken.pdf"));
    let nothing = precedent_in(folder.path(), &["overlap", "a.md", "broken.pdf"]);
    assert_eq!((nothing.status.code(), nothing.stdout.len()), (Some(3), 0));
}
