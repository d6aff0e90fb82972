//! Hostile inputs: links out of their folder, devices and pipes, and excessive sizes. They fail immediately with exit code 3.
#![cfg(unix)]

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::support::{command, precedent, stderr, stdout};

const BODY: &str = "Links on mooring ropes lose symbols when the rope goes slack. In this paper we propose slack codes, a line code that places \
    symbols into taut intervals predicted from the recent swell. The code needs no clock and no second channel.";

fn named_pipe(path: &Path) {
    let made = Command::new("mkfifo").arg(path).status().unwrap();
    assert!(made.success());
}

#[test]
fn links_out_of_a_latex_project_are_not_followed() {
    let place = tempfile::tempdir().unwrap();
    let project = place.path().join("project");
    fs::create_dir(&project).unwrap();
    symlink("/", project.join("rootdir")).unwrap();
    fs::write(
        project.join("main.tex"),
        format!(
            "\\documentclass{{article}}\\title{{Slack Codes for Rope Links}}\\begin{{document}}\\maketitle\n{BODY}\n\n\
             \\input{{rootdir/etc/passwd}}\n\\end{{document}}"
        ),
    )
    .unwrap();
    for input in [project.join("main.tex"), project] {
        let output = precedent(&["read", input.to_str().unwrap()]);
        assert!(output.status.success(), "{}", stderr(&output));
        assert!(stdout(&output).contains("mooring ropes"));
        assert!(!stdout(&output).contains("root:"), "{}", stdout(&output));
    }
}

#[test]
fn devices_and_named_pipes_are_refused_immediately() {
    let place = tempfile::tempdir().unwrap();
    let pipe = place.path().join("pipe");
    named_pipe(&pipe);
    let pipe = pipe.to_str().unwrap();
    let corpus = place.path().join("corpus");
    let corpus = corpus.to_str().unwrap();
    for (arguments, what) in [
        (vec!["read", pipe], "a named pipe"),
        (vec!["read", "/dev/zero"], "a device"),
        (vec!["verify", "--source", pipe, "--quote", "words"], "a named pipe"),
        (vec!["verify", "--source", "/dev/zero", "--quote", "words"], "a device"),
        (vec!["corpus", "add", corpus, pipe], "a named pipe"),
        (vec!["corpus", "add", corpus, "/dev/zero"], "a device"),
    ] {
        let output = precedent(&arguments);
        let printed = stderr(&output);
        assert_eq!(output.status.code(), Some(3), "{arguments:?}: {printed}");
        assert!(printed.contains(what), "{arguments:?}: {printed}");
    }
}

#[test]
fn pipes_and_links_in_a_folder_of_papers_are_skipped() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().join("papers");
    fs::create_dir(&folder).unwrap();
    fs::write(
        folder.join("paper.md"),
        format!("# Slack Codes for Rope Links\n\n## Abstract\n\n{BODY}\n\n## 1 Introduction\n\n{BODY}\n"),
    )
    .unwrap();
    named_pipe(&folder.join("pipe.pdf"));
    symlink("/", folder.join("rootdir")).unwrap();
    let corpus = place.path().join("corpus");
    let output = precedent(&["corpus", "add", corpus.to_str().unwrap(), folder.to_str().unwrap()]);
    assert!(output.status.success(), "{}", stderr(&output));
    assert!(!stderr(&output).contains("pipe.pdf"), "{}", stderr(&output));
}

#[test]
fn excessive_attributes_and_lines_cause_an_error_or_a_warning() {
    let place = tempfile::tempdir().unwrap();
    let attributes: String = (0..2_000).map(|number| format!(" a{number}=1")).collect();
    let page = place.path().join("page.html");
    fs::write(
        &page,
        format!("<html><body><p>{BODY}</p><p{attributes}>x</p></body></html>"),
    )
    .unwrap();
    let output = precedent(&["read", page.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(3), "{}", stderr(&output));
    assert!(
        stderr(&output).contains("more than 256 attributes"),
        "{}",
        stderr(&output)
    );
    let lines = place.path().join("lines.txt");
    fs::write(
        &lines,
        format!("Slack Codes for Rope Links\n\n{BODY}\n\n{}", "x\n".repeat(510_000)),
    )
    .unwrap();
    let output = precedent(&["read", lines.to_str().unwrap()]);
    assert!(output.status.success(), "{}", stderr(&output));
    assert!(
        stderr(&output).contains("more than 500,000 lines"),
        "{}",
        stderr(&output)
    );
}

#[test]
fn an_ocr_program_and_its_files_do_not_outlive_a_killed_run() {
    use std::os::unix::fs::PermissionsExt;
    let place = tempfile::tempdir().unwrap();
    let folder = place.path();
    let script = format!(
        "#!/bin/sh\nprintf %s \"$TMPDIR\" > '{0}/new' && mv '{0}/new' '{0}/where'\nsleep 600\n",
        folder.display()
    );
    let program = folder.join("ocrmypdf");
    fs::write(&program, script).unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    fs::write(
        folder.join("scan.pdf"),
        "%PDF-1.4\n1 0 obj\n<</Type/Catalog/Pages 2 0 R>>\nendobj\n2 0 obj\n<</Type/Pages/Kids[3 0 R]/Count 1>>\nendobj\n\
         3 0 obj\n<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]>>\nendobj\ntrailer\n<</Root 1 0 R/Size 4>>\n",
    )
    .unwrap();
    let path = format!("{}:{}", folder.display(), std::env::var("PATH").unwrap());
    let mut child = command(folder, &["read", "scan.pdf"])
        .env("PRECEDENT_OCR", "1")
        .env("PATH", path)
        .spawn()
        .unwrap();
    let until = |holds: &dyn Fn() -> bool| {
        let deadline = Instant::now() + Duration::from_secs(30);
        while !holds() {
            assert!(Instant::now() < deadline);
            sleep(Duration::from_millis(20));
        }
    };
    until(&|| folder.join("where").exists());
    let temporary = PathBuf::from(fs::read_to_string(folder.join("where")).unwrap());
    assert!(temporary.join("in.pdf").exists());
    child.kill().unwrap();
    child.wait().unwrap();
    until(&|| !temporary.exists());
}
