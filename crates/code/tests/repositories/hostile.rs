use std::fs;
use std::io::Write;

use flate2::Compression;
use flate2::write::GzEncoder;
use precedent_code::{Bounds, CodeError, document, read_archive, read_folder};
use proptest::prelude::*;
use tar::EntryType;

use crate::support::{Packed, names, read};

#[test]
fn links_and_paths_out_of_the_archive_are_not_followed() {
    let mut packed = Packed::new().file("r/good.py", "def good():\n    pass\n");
    packed.entry("r/away.py", EntryType::Symlink, "/etc/passwd", b"");
    packed.entry("r/hard.py", EntryType::Link, "../../../etc/passwd", b"");
    for path in [
        "../out.py",
        "/etc/out.py",
        "r/../../out.py",
        "r/a\\..\\out.py",
        "r/\u{7}.py",
    ] {
        packed.entry(path, EntryType::Regular, "", b"def out():\n    pass\n");
    }
    packed.entry("r/device.py", EntryType::Char, "", b"");
    packed.entry("r/fifo.py", EntryType::Fifo, "", b"");
    let repository = read(packed);
    assert_eq!(names(&repository), ["good"]);
    let skipped: Vec<_> = repository
        .left_out
        .iter()
        .map(|one| (one.why.as_str(), one.entries))
        .collect();
    assert_eq!(skipped, [("a link", 2), ("a path outside the repository", 5)]);
}

#[cfg(unix)]
#[test]
fn links_in_a_folder_are_not_followed() {
    let folder = tempfile::tempdir().unwrap();
    let secret = tempfile::tempdir().unwrap();
    fs::write(secret.path().join("secret.py"), "def secret():\n    pass\n").unwrap();
    fs::write(folder.path().join("good.py"), "def good():\n    pass\n").unwrap();
    std::os::unix::fs::symlink(secret.path(), folder.path().join("inside")).unwrap();
    std::os::unix::fs::symlink(secret.path().join("secret.py"), folder.path().join("copy.py")).unwrap();
    // A link cycle.
    std::os::unix::fs::symlink(folder.path(), folder.path().join("loop")).unwrap();
    fs::create_dir_all(folder.path().join(".git/hooks")).unwrap();
    fs::write(
        folder.path().join(".git/hooks/post-checkout.py"),
        "def hook():\n    pass\n",
    )
    .unwrap();
    fs::write(
        folder.path().join(".gitmodules"),
        "[submodule \"x\"]\n\turl = file:///etc\n",
    )
    .unwrap();
    let repository = read_folder(folder.path(), &Bounds::default()).unwrap();
    assert_eq!(names(&repository), ["good"]);
    assert_eq!(repository.left_out[0].entries, 3);
    let nowhere = read_folder(&folder.path().join("nowhere"), &Bounds::default());
    assert!(matches!(nowhere, Err(CodeError::Folder { .. })));
}

#[test]
fn a_decompression_bomb_is_read_only_up_to_the_limit() {
    // A gibibyte of zeros in a megabyte, declared as one source file, followed by a valid file.
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    let mut header = tar::Header::new_gnu();
    header.set_path("r/bomb.py").unwrap();
    header.set_size(1 << 30);
    header.set_cksum();
    encoder.write_all(header.as_bytes()).unwrap();
    let nothing = vec![b' '; 1 << 20];
    for _ in 0..1 << 10 {
        encoder.write_all(&nothing).unwrap();
    }
    let bytes = encoder.finish().unwrap();
    let bounds = Bounds {
        unpacked: 64 << 20,
        ..Bounds::default()
    };
    let repository = read_archive(bytes.as_slice(), &bounds).unwrap();
    assert!(repository.files.is_empty());
    assert_eq!(repository.left_out.len(), 2, "{:?}", repository.left_out);
}

#[test]
fn deeply_nested_and_long_code_terminates() {
    let deep = 100_000;
    let half = 60_000;
    for (path, text) in [
        (
            "a.py",
            format!("def f():\n    return {}1{}\n", "(\n".repeat(half), ")\n".repeat(half)),
        ),
        ("b.js", "function f() {\n".repeat(14_000)),
        (
            "c.c",
            format!("int f() {}{}", "{\n".repeat(deep / 2), "}\n".repeat(20_000)),
        ),
        ("d.rs", "fn f() { (\n".repeat(20_000)),
        ("e.cpp", "template<class T> struct A<\n".repeat(9_000)),
        ("f.go", "func f() { if a {\n".repeat(14_000)),
        ("g.ts", "const a = (b: c<\n".repeat(14_000)),
        ("h.java", "class A { void f() { g(\n".repeat(10_000)),
        ("i.py", "# a\n".repeat(60_000) + "def f():\n    pass\n"),
        ("j.py", "\"\"\"\n".repeat(60_001)),
        ("k.py", "class A:\n  def f(self): self.f()\n".repeat(7_000)),
    ] {
        assert!(text.len() <= 256 << 10, "{path}");
        let repository = read(Packed::new().file(&format!("r/{path}"), &text));
        let is_nested = !["e.cpp", "i.py", "j.py", "k.py"].contains(&path);
        assert_eq!(repository.files.is_empty(), is_nested, "{path}");
        document(&repository, 50).check().unwrap();
    }
}

#[test]
fn deeply_nested_folders_are_skipped() {
    let path = format!("r/{}x.py", "d/".repeat(30));
    let repository = read(Packed::new().file(&path, "def f():\n    pass\n"));
    assert!(repository.files.is_empty());
    assert_eq!(repository.left_out[0].why, "deeper than 24 folders");
}

#[test]
fn an_invalid_archive_is_an_error_and_a_truncated_one_is_read_partially() {
    for bytes in [b"".as_slice(), b"<html>Not found</html>", &[0x1f, 0x8b, 8, 0, 0, 0]] {
        let outcome = read_archive(bytes, &Bounds::default());
        let is_nothing = outcome
            .as_ref()
            .is_ok_and(|repository| repository.files.is_empty() && bytes.is_empty());
        assert!(
            is_nothing || matches!(outcome, Err(CodeError::Archive { .. })),
            "{bytes:?}: {outcome:?}"
        );
    }
    let mut packed = Packed::new();
    for n in 0..400_u32 {
        let noise: String = (0..200_u32)
            .map(|m| format!("# {}\n", (n * 7_919 + m) * 1_009 % 1_000_003))
            .collect();
        packed = packed.file(&format!("r/f{n}.py"), &format!("{noise}def f{n}():\n    pass\n"));
    }
    let bytes = packed.bytes();
    let repository = read_archive(&bytes[..bytes.len() / 2], &Bounds::default()).unwrap();
    assert!(repository.files.len() > 20 && repository.files.len() < 400);
    assert!(repository.left_out.iter().any(|one| one.why.contains("is truncated")));
}

proptest! {
    #[test]
    fn arbitrary_bytes_do_not_panic(bytes in proptest::collection::vec(any::<u8>(), 0..400), end in 0..9_usize) {
        let ends = ["py", "rs", "c", "cpp", "java", "js", "ts", "tsx", "go"];
        let mut packed = Packed::new();
        packed.entry(&format!("r/x.{}", ends[end]), EntryType::Regular, "", &bytes);
        packed.entry("r/README.md", EntryType::Regular, "", &bytes);
        document(&read(packed), 10).check().unwrap();
        let _ = read_archive(bytes.as_slice(), &Bounds::default());
    }

    #[test]
    fn arbitrary_code_does_not_panic(text in "[a-z(){}\\[\\]<>:;=.,\"'#/* \n]{0,300}", end in 0..9_usize) {
        let ends = ["py", "rs", "c", "cpp", "java", "js", "ts", "tsx", "go"];
        let repository = read(Packed::new().file(&format!("r/x.{}", ends[end]), &text));
        for function in &repository.functions {
            prop_assert!(text.contains(&function.header));
        }
        for call in &repository.calls {
            prop_assert!(text.contains(&call.line) && !call.line.contains('\n'), "{}", call.line);
        }
        document(&repository, 10).check().unwrap();
    }
}
