use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use super::HtmlRenderer;
use crate::{AnyReport, Renderer, ReportError};

/// Environment variable with the path of the browser.
const VARIABLE: &str = "PRECEDENT_BROWSER";

/// Programs that print pages as Chromium does, in the order tried.
const BROWSERS: [&str; 7] = [
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "chrome",
    "microsoft-edge",
    "msedge",
];

/// Where the installers of other systems put them, outside `PATH`.
const INSTALLED: [&str; 5] = [
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
    r"C:\Program Files\Google\Chrome\Application\chrome.exe",
    r"C:\Program Files (x86)\Microsoft\Edge\Application\msedge.exe",
];

/// Variables that the browser gets. Others may hold keys of services. Those after the fonts are for Windows.
const VARIABLES: [&str; 18] = [
    "PATH",
    "HOME",
    "TMPDIR",
    "LANG",
    "LC_ALL",
    "LD_LIBRARY_PATH",
    "XDG_RUNTIME_DIR",
    "DBUS_SESSION_BUS_ADDRESS",
    "FONTCONFIG_FILE",
    "FONTCONFIG_PATH",
    "SystemRoot",
    "SystemDrive",
    "ProgramFiles",
    "USERPROFILE",
    "APPDATA",
    "LOCALAPPDATA",
    "TEMP",
    "TMP",
];

/// Longest time for one report. A report on 80 papers takes two seconds.
const LONGEST: Duration = Duration::from_secs(120);

/// The HTML report as PDF, printed by an installed Chromium-based browser.
#[derive(Debug, Clone, Copy)]
pub struct PdfRenderer;

impl Renderer for PdfRenderer {
    fn format(&self) -> &'static str {
        "pdf"
    }

    fn render(&self, report: AnyReport<'_>) -> Result<Vec<u8>, ReportError> {
        let browser = browser().ok_or(ReportError::NoBrowser)?;
        let html = HtmlRenderer.render(report)?;
        print(&browser, &html).map_err(|why| ReportError::Browser {
            browser: browser.display().to_string(),
            why,
        })
    }

    fn needs_a_program(&self) -> bool {
        true
    }
}

/// The browser that prints reports: the one in `PRECEDENT_BROWSER`, else the first known one in `PATH`, else one in a usual place.
#[must_use]
pub fn browser() -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders: Vec<PathBuf> = std::env::split_paths(&path).collect();
    let in_path = |name: &Path| {
        let name = name.with_extension(std::env::consts::EXE_EXTENSION);
        folders
            .iter()
            .map(|folder| folder.join(&name))
            .find(|program| program.is_file())
    };
    if let Some(named) = std::env::var_os(VARIABLE).filter(|path| !path.is_empty()) {
        let named = PathBuf::from(named);
        // A name without a folder is a program like any other.
        return match named.components().count() {
            1 => in_path(&named),
            _ => Some(named).filter(|path| path.is_file()),
        };
    }
    let installed = || INSTALLED.iter().map(PathBuf::from).find(|program| program.is_file());
    BROWSERS
        .iter()
        .find_map(|name| in_path(Path::new(name)))
        .or_else(installed)
}

/// Prints a page. The browser gets a profile of its own and reaches no host. The page runs only its own script.
fn print(browser: &Path, html: &[u8]) -> Result<Vec<u8>, String> {
    let cannot_write = |error: std::io::Error| format!("failed to write a temporary file: {error}");
    let folder = tempfile::tempdir().map_err(cannot_write)?;
    let (page, pdf) = (folder.path().join("report.html"), folder.path().join("report.pdf"));
    fs::write(&page, html).map_err(cannot_write)?;
    let log = folder.path().join("log.txt");
    let mut command = Command::new(browser);
    command
        .arg("--headless")
        .arg("--disable-gpu")
        .arg("--disable-background-networking")
        .arg("--disable-component-update")
        .arg("--disable-default-apps")
        .arg("--disable-sync")
        .arg("--no-first-run")
        .arg("--host-resolver-rules=MAP * ~NOTFOUND")
        .arg("--no-pdf-header-footer")
        .arg(option("--user-data-dir=", &folder.path().join("profile")))
        .arg(option("--print-to-pdf=", &pdf));
    if is_root(folder.path()) {
        // Chromium refuses to start a sandbox for root.
        command.arg("--no-sandbox");
    }
    command.arg(&page);
    command.env_clear();
    for name in VARIABLES {
        command.envs(std::env::var_os(name).map(|value| (name, value)));
    }
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(fs::File::create(&log).map_err(cannot_write)?)
        .spawn()
        .map_err(|error| format!("it does not start: {error}"))?;
    let started = Instant::now();
    let status = loop {
        match child.try_wait() {
            Ok(Some(status)) => break status,
            Ok(None) if started.elapsed() < LONGEST => sleep(Duration::from_millis(20)),
            Ok(None) => {
                let _ = child.kill();
                let _ = child.wait();
                return Err(format!("it did not finish in {} s", LONGEST.as_secs()));
            }
            Err(error) => {
                let _ = child.kill();
                return Err(format!("it was lost: {error}"));
            }
        }
    };
    match fs::read(&pdf) {
        Ok(bytes) if bytes.starts_with(b"%PDF-") => Ok(with_fixed_dates(bytes)),
        _ => {
            let log = fs::read(&log).unwrap_or_default();
            let log = String::from_utf8_lossy(&log).into_owned();
            let last = log.lines().rev().find(|line| !line.trim().is_empty());
            let last = last.map(|line| format!(": {}", line.trim())).unwrap_or_default();
            Err(format!("it wrote no PDF ({status}){last}"))
        }
    }
}

fn option(name: &str, path: &Path) -> std::ffi::OsString {
    let mut option = std::ffi::OsString::from(name);
    option.push(path);
    option
}

#[cfg(unix)]
fn is_root(own_folder: &Path) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    fs::metadata(own_folder).is_ok_and(|folder| folder.uid() == 0)
}

#[cfg(not(unix))]
fn is_root(_own_folder: &Path) -> bool {
    false
}

/// Replaces the digits of the time of printing, so that the same report gives the same bytes. Lengths stay, so offsets in the file stay right.
fn with_fixed_dates(mut pdf: Vec<u8>) -> Vec<u8> {
    for key in [&b"/CreationDate (D:"[..], b"/ModDate (D:"] {
        let places: Vec<usize> = pdf
            .windows(key.len())
            .enumerate()
            .filter(|(_, window)| *window == key)
            .map(|(at, _)| at + key.len())
            .collect();
        for start in places {
            // Year, month, day, hour, minute, second.
            let digits = pdf
                .get_mut(start..start + 14)
                .filter(|digits| digits.iter().all(u8::is_ascii_digit));
            if let Some(digits) = digits {
                digits.copy_from_slice(b"20000101000000");
            }
        }
    }
    pdf
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_dates_change_and_lengths_stay() {
        let printed =
            b"/CreationDate (D:20261124031500+00'00')\n/ModDate (D:20261124031500+00'00')\n(D:20261124)".to_vec();
        let fixed = with_fixed_dates(printed.clone());
        assert_eq!(fixed.len(), printed.len());
        assert_eq!(
            String::from_utf8(fixed).unwrap(),
            "/CreationDate (D:20000101000000+00'00')\n/ModDate (D:20000101000000+00'00')\n(D:20261124)"
        );
    }

    #[test]
    fn a_program_that_prints_nothing_is_an_error() {
        let why = print(Path::new("/bin/true"), b"<p>x").unwrap_err();
        assert!(why.contains("wrote no PDF"), "{why}");
        let why = print(Path::new("/does/not/exist"), b"<p>x").unwrap_err();
        assert!(why.contains("does not start"), "{why}");
    }

    #[cfg(unix)]
    #[test]
    fn the_browser_gets_no_keys() {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = tempfile::tempdir().unwrap();
        let browser = folder.path().join("browser");
        fs::write(&browser, "#!/bin/sh\necho \"${CARGO_MANIFEST_DIR-no variable}\" >&2\n").unwrap();
        fs::set_permissions(&browser, fs::Permissions::from_mode(0o755)).unwrap();
        assert!(std::env::var_os("CARGO_MANIFEST_DIR").is_some());
        let why = print(&browser, b"<p>x").unwrap_err();
        assert!(why.ends_with("no variable"), "{why}");
    }
}
