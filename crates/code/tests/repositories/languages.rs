use precedent_code::{Language, languages};

use crate::support::{Packed, calls, names, read};

/// The same small program in every language: `Winch.haul` calls `creep`, `creep` calls `load`, and `load` calls an external function.
const PROGRAMS: &[(&str, &str)] = &[
    (
        "rope.py",
        "# Measures the load.\ndef load(rope):\n    return len(rope)\n\ndef creep(rope):\n    \"\"\"How a rope creeps.\"\"\"\n    return load(rope) * 2\n\nclass Winch:\n    def haul(self, rope):\n        return creep(rope)\n",
    ),
    (
        "rope.rs",
        "/// Measures the load.\nfn load(rope: &str) -> usize { rope.len() }\n\nfn creep(rope: &str) -> usize { 2 * load(rope) }\n\nstruct Winch;\nimpl Winch {\n    fn haul(&self, rope: &str) -> usize { creep(rope) }\n}\n",
    ),
    (
        "rope.c",
        "/* Measures the load. */\nint load(const char *rope) { return strlen(rope); }\n\nint creep(const char *rope) { return 2 * load(rope); }\n\nchar *haul(struct winch *winch, const char *rope) { return name(creep(rope)); }\n",
    ),
    (
        "rope.cpp",
        "// Measures the load.\nint load(const std::string &rope) { return rope.size(); }\n\nint creep(const std::string &rope) { return 2 * load(rope); }\n\nclass Winch {\n  int haul(const std::string &rope) { return creep(rope); }\n  void slack();\n};\n\nvoid Winch::slack() { haul(\"\"); }\n",
    ),
    (
        "Rope.java",
        "class Rope {\n  /** Measures the load. */\n  static int load(String rope) { return rope.length(); }\n  static int creep(String rope) { return 2 * load(rope); }\n}\nclass Winch {\n  int haul(String rope) { return Rope.creep(rope); }\n}\n",
    ),
    (
        "rope.js",
        "// Measures the load.\nfunction load(rope) { return rope.length; }\n\nconst creep = (rope) => 2 * load(rope);\n\nclass Winch {\n  haul(rope) { return creep(rope); }\n}\n",
    ),
    (
        "rope.ts",
        "// Measures the load.\nfunction load(rope: string): number { return rope.length; }\n\nconst creep = (rope: string): number => 2 * load(rope);\n\nclass Winch {\n  haul(rope: string): number { return creep(rope); }\n}\n",
    ),
    (
        "rope.tsx",
        "// Measures the load.\nfunction load(rope: string): number { return rope.length; }\n\nconst creep = (rope: string) => <b>{2 * load(rope)}</b>;\n\nclass Winch {\n  haul(rope: string) { return <i>{creep(rope)}</i>; }\n}\n",
    ),
    (
        "rope.go",
        "package rope\n\n// Measures the load.\nfunc load(rope string) int { return len(rope) }\n\nfunc creep(rope string) int { return 2 * load(rope) }\n\ntype Winch struct{}\n\nfunc (w *Winch) haul(rope string) int { return creep(rope) }\n",
    ),
];

#[test]
fn functions_notes_and_calls_are_found_in_every_language() {
    for (path, program) in PROGRAMS {
        let repository = read(Packed::new().file(&format!("winch-1a2b/src/{path}"), program));
        let owner = |name: &str| match (*path, name) {
            ("rope.c", _) => name.to_owned(),
            ("Rope.java", "load" | "creep") => format!("Rope.{name}"),
            (_, "haul") => format!("Winch.{name}"),
            _ => name.to_owned(),
        };
        let expected = [owner("load"), owner("creep"), owner("haul")];
        assert_eq!(names(&repository)[..3], expected, "{path}");
        let [load, creep, haul] = expected;
        let mut found = calls(&repository);
        found.sort();
        let mut due = vec![format!("{creep} > {load}"), format!("{haul} > {creep}")];
        if *path == "rope.cpp" {
            due.push(format!("Winch.slack > {haul}"));
        }
        due.sort();
        assert_eq!(found, due, "{path}");
        let load = &repository.functions[0];
        assert!(load.note.as_deref().unwrap().contains("Measures the load."), "{path}");
        assert!(
            load.header.contains("load(") && !load.header.contains("return"),
            "{path}: {}",
            load.header
        );
        assert!(program.contains(&load.header) && program.contains(load.note.as_deref().unwrap()));
        assert_eq!(repository.files[0].path, format!("src/{path}"));
        assert!(repository.files[0].whole);
    }
}

#[test]
fn every_registered_language_is_tested() {
    for (language, ends) in languages() {
        let is_tried = |(path, _): &&(&str, &str)| ends.contains(&path.rsplit_once('.').unwrap().1);
        assert!(PROGRAMS.iter().any(|program| is_tried(&program)), "{language:?}");
        assert!(!ends.is_empty());
    }
    assert_eq!(precedent_code::language_of("a/b.PY"), Some(Language::Python));
    for no in ["b.min.js", "a_pb2.py", "types.d.ts", "noend", ".py/x", "a.pyc"] {
        assert_eq!(precedent_code::language_of(no), None, "{no}");
    }
}

#[test]
fn a_python_docstring_is_the_note_if_no_comment_precedes_it() {
    let repository = read(Packed::new().file("r/rope.py", PROGRAMS[0].1));
    let creep = repository.functions.iter().find(|one| one.name == "creep").unwrap();
    assert_eq!(creep.note.as_deref(), Some("\"\"\"How a rope creeps.\"\"\""));
    assert_eq!(creep.lines, (5, 7));
}

#[test]
fn a_call_belongs_to_the_innermost_function_and_an_ambiguous_name_is_unresolved() {
    let one = "def outer():\n    def inner():\n        return leaf()\n    return inner()\n\ndef leaf():\n    return twice()\n";
    let two = "def twice():\n    pass\n\ndef near():\n    return twice()\n";
    let three = "def twice():\n    pass\n";
    let packed = Packed::new()
        .file("r/a.py", one)
        .file("r/b.py", two)
        .file("r/c.py", three);
    // `leaf` calls a name that two other files define; `near` calls the one of its own file.
    assert_eq!(calls(&read(packed)), ["outer > inner", "inner > leaf", "near > twice"]);
}
