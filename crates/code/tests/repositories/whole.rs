use precedent_code::{Bounds, document, read_archive, read_folder};
use precedent_domain::ParagraphKind;

use crate::support::{Packed, names, read};

const README: &str = "# Winch\n\nA winch for ropes that creep.\n\n```\nwinch haul\n```\n";

fn winch() -> Packed {
    Packed::new()
        .file("winch-1a2b/docs/README.md", "not this one")
        .file("winch-1a2b/README.md", README)
        .file(
            "winch-1a2b/winch/haul.py",
            "from .load import measure\n\n# Hauls it in.\ndef haul(rope):\n    return measure(rope)\n",
        )
        .file("winch-1a2b/winch/load.py", "def measure(rope):\n    return len(rope)\n")
        .file("winch-1a2b/node_modules/x/y.js", "function notTheirs() {}")
        .file("winch-1a2b/data.csv", "1,2,3")
}

#[test]
fn a_folder_and_an_archive_of_the_same_files_give_the_same_repository() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir_all(folder.path().join("winch")).unwrap();
    std::fs::create_dir_all(folder.path().join("docs")).unwrap();
    std::fs::create_dir_all(folder.path().join("node_modules/x")).unwrap();
    let archived = read(winch());
    let mut unpacked = tar::Archive::new(flate2::read::GzDecoder::new(std::io::Cursor::new(winch().bytes())));
    for entry in unpacked.entries().unwrap() {
        let mut entry = entry.unwrap();
        let path = entry
            .path()
            .unwrap()
            .components()
            .skip(1)
            .collect::<std::path::PathBuf>();
        entry.unpack(folder.path().join(path)).unwrap();
    }
    let listed = read_folder(folder.path(), &Bounds::default()).unwrap();
    assert_eq!(archived, listed);
    assert_eq!(names(&listed), ["haul", "measure"]);
    assert_eq!(listed.readme.as_ref().unwrap().text, README);
    assert_eq!(listed.left_out.len(), 1);
    assert_eq!(listed.left_out[0].why, "in a third-party or build folder");
}

#[test]
fn the_document_contains_only_text_from_the_files() {
    let repository = read(winch());
    let document = document(&repository, 10);
    document.check().unwrap();
    let hauls = "from .load import measure\n\n# Hauls it in.\ndef haul(rope):\n    return measure(rope)\n";
    let files = [README, hauls, "def measure(rope):"];
    for paragraph in &document.paragraphs {
        let words = document.slice(paragraph.span).unwrap();
        let is_path = paragraph.kind == ParagraphKind::Heading;
        assert!(is_path || files.iter().any(|file| file.contains(words)), "{words}");
    }
    let headings: Vec<_> = document
        .sections
        .iter()
        .map(|section| section.heading.as_str())
        .collect();
    assert_eq!(headings, ["README.md", "winch/haul.py", "winch/load.py"]);
    assert!(document.text.contains("Hauls it in."));
    assert!(
        document.text.contains("def haul(rope):\n\nreturn measure(rope)"),
        "{}",
        document.text
    );
}

#[test]
fn the_call_graph_has_calls_between_functions_and_between_files() {
    let calls = *document(&read(winch()), 10).calls.unwrap();
    assert_eq!((calls.all_files, calls.all_functions), (1, 1));
    let file = &calls.files[0];
    assert_eq!(
        (file.from.as_str(), file.to.as_str(), file.calls),
        ("winch/haul.py", "winch/load.py", 1)
    );
    let call = &calls.functions[0];
    assert_eq!(
        (call.from.name.as_str(), call.from.file.as_str()),
        ("haul", "winch/haul.py")
    );
    assert_eq!(
        (call.to.name.as_str(), call.to.file.as_str()),
        ("measure", "winch/load.py")
    );

    let without_calls = Packed::new().file("r/a.py", "def alone():\n    pass\n");
    assert_eq!(document(&read(without_calls), 10).calls, None);
}

#[test]
fn the_call_graph_is_limited_and_begins_with_the_most_connected() {
    let mut packed = Packed::new().file("r/core.py", "class Rope:\n    def pull(self):\n        pass\n");
    for n in 0..40 {
        let body = format!("def hand{n}():\n    once{n}()\n    pull()\n\ndef once{n}():\n    pass\n");
        packed = packed.file(&format!("r/hand{n:02}.py"), &body);
    }
    let calls = *document(&read(packed), 10).calls.unwrap();
    assert_eq!((calls.files.len(), calls.all_files), (12, 40));
    assert_eq!((calls.functions.len(), calls.all_functions), (20, 80));
    assert!(calls.functions.iter().all(|call| call.to.name == "Rope.pull"));
}

#[test]
fn limits_are_enforced_and_skipped_entries_are_counted() {
    let mut packed = Packed::new();
    for n in 0..50 {
        packed = packed.file(&format!("r/f{n:02}.py"), &format!("def f{n}():\n    pass\n"));
    }
    let bounds = Bounds {
        files: 10,
        functions: 7,
        ..Bounds::default()
    };
    let repository = read_archive(packed.bytes().as_slice(), &bounds).unwrap();
    assert_eq!((repository.files.len(), repository.functions.len()), (10, 7));
    let skipped: Vec<_> = repository
        .left_out
        .iter()
        .map(|one| (one.why.as_str(), one.entries))
        .collect();
    assert_eq!(
        skipped,
        [("beyond the first 10 files", 40), ("functions beyond the first 7", 3)]
    );
}

#[test]
fn five_thousand_files_are_read_within_the_limits() {
    let body: String = (0..20)
        .map(|n| {
            format!(
                "def step_{n}(x):\n    \"\"\"Step {n}.\"\"\"\n    return step_{}(x) + other(x)\n\n",
                (n + 1) % 20
            )
        })
        .collect();
    let mut packed = Packed::new();
    for n in 0..5_200 {
        packed = packed.file(&format!("r/part{}/module{n}.py", n % 40), &body);
    }
    let repository = read(packed);
    assert_eq!(repository.files.len(), 5_000);
    assert_eq!(repository.functions.len(), Bounds::default().functions);
    assert!(repository.files.iter().all(|file| file.whole));
    // Each function calls the next one in its file.
    assert_eq!(repository.calls.len(), Bounds::default().functions);
    document(&repository, 40).check().unwrap();
}
