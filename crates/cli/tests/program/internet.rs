//! Mock internet on loopback: literature services, each on its own port, and paper archives.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use precedent_scripted::literature::{Act, LibraryRecord, LiteratureServer, SERVICES};
use serde_json::Value;

pub(crate) const PAPER: &str = "examples/paper.pdf";

/// Requested paths, in order.
pub(crate) type Kept = Arc<Mutex<Vec<String>>>;

pub(crate) fn folder(name: &str) -> PathBuf {
    crate::support::fresh_folder(&format!("services-{name}"))
}

/// Papers similar to the sample, one of them later.
pub(crate) fn library() -> Vec<LibraryRecord> {
    let titles = [
        ("Rope-line telemetry through heavy swell", "2018-05-17"),
        ("A creep-compensated decoder for mooring ropes", "2021-03-09"),
        (
            "Hours of tension recordings from moored buoys: a data set",
            "2020-02-29",
        ),
        ("Line codes that are aware of slack", "2019-11-30"),
        ("Telemetry by tugging ropes, without radio", "2016-01-20"),
        ("Rope-line telemetry in heavy swell, revisited", "2029-07-01"),
    ];
    // Each paper cites the two before it.
    let record = |(at, (title, day)): (usize, &(&str, &str))| LibraryRecord {
        key: format!("{}", 1001 + at),
        title: (*title).to_owned(),
        summary: format!(
            "We study {} and report what ropes, buoys and swell do to it.",
            title.to_lowercase()
        ),
        authors: vec![("Ann".into(), "Lee".into()), ("Bob".into(), "Roy".into())],
        day: (*day).to_owned(),
        preprint: None,
        doi: format!("10.5555/rope.{}", 1001 + at),
        arxiv: format!("{}{}.0{}", &day[2..4], &day[5..7], 1001 + at),
        venue: "Journal of Moored Systems".into(),
        cites: (at.saturating_sub(2)..at)
            .map(|cited| format!("{}", 1001 + cited))
            .collect(),
        ..LibraryRecord::default()
    };
    titles.iter().enumerate().map(record).collect()
}

/// Mock servers of all services, and settings with their URLs.
pub(crate) struct Internet {
    pub(crate) servers: Vec<(&'static str, LiteratureServer)>,
    pub(crate) settings: PathBuf,
    /// Paths requested from the archives.
    pub(crate) fetched: Kept,
}

impl Internet {
    /// Starts services with archives that have no texts.
    pub(crate) fn start(name: &str) -> Self {
        Self::with_texts(name, Vec::new())
    }

    /// Starts services with archives that have these pages.
    pub(crate) fn with_texts(name: &str, pages: Vec<(String, Vec<u8>)>) -> Self {
        Self::with(name, library(), pages)
    }

    /// Starts services with these papers and archives with these pages.
    pub(crate) fn with(name: &str, works: Vec<LibraryRecord>, pages: Vec<(String, Vec<u8>)>) -> Self {
        Self::each(name, |_| works.clone(), pages)
    }

    /// Starts services with different papers each.
    pub(crate) fn each(name: &str, works: impl Fn(&str) -> Vec<LibraryRecord>, pages: Vec<(String, Vec<u8>)>) -> Self {
        let servers: Vec<_> = SERVICES
            .iter()
            .map(|id| (*id, LiteratureServer::start(works(id)).unwrap()))
            .collect();
        let mut text = String::new();
        for (id, server) in &servers {
            text.push_str(&format!(
                "[sources.{id}]\nurl = '{}'\nseconds = 6\nbetween_ms = 0\n",
                server.base(id)
            ));
        }
        let (base, fetched) = archive(pages);
        let records = servers
            .iter()
            .find(|(id, _)| *id == "semantic-scholar")
            .unwrap()
            .1
            .base("semantic-scholar");
        text.push_str(&format!(
            "[papers]\narxiv = '{base}'\nacl = '{base}'\nopenreview = '{base}'\npmc = '{base}'\nworks = '{base}'\nunpaywall = '{base}'\narxiv_between_ms = 0\nsemantic_scholar = '{records}'\n"
        ));
        let settings = folder(name).with_extension("toml");
        fs::write(&settings, text).unwrap();
        Self {
            servers,
            settings,
            fetched,
        }
    }

    pub(crate) fn set(&self, id: &str, act: Act) {
        self.servers
            .iter()
            .find(|(name, _)| *name == id)
            .unwrap()
            .1
            .set(id, act);
    }

    /// The same settings without running servers.
    pub(crate) fn without_servers(self) -> Self {
        Self {
            servers: Vec::new(),
            ..self
        }
    }

    /// Service and path of every request.
    pub(crate) fn requests(&self) -> Vec<(String, String)> {
        let received = self.servers.iter().flat_map(|(_, server)| server.requests());
        received.map(|one| (one.service, one.target)).collect()
    }

    pub(crate) fn assess<'a>(&'a self, out: &'a Path, sources: &'a str, more: &[&'a str]) -> Vec<&'a str> {
        let mut arguments = vec![
            "assess",
            PAPER,
            "--sources",
            sources,
            "--out",
            out.to_str().unwrap(),
            "--json",
        ];
        arguments.extend(["--settings", self.settings.to_str().unwrap()]);
        arguments.extend(more);
        arguments
    }
}

pub(crate) fn report(out: &Path) -> Value {
    serde_json::from_slice(&fs::read(out.join("report.json")).unwrap()).unwrap()
}

pub(crate) fn messages(report: &Value) -> Vec<String> {
    let limits = report["metadata"]["not_searched"].as_array().unwrap();
    limits
        .iter()
        .map(|one| one["message"].as_str().unwrap().to_owned())
        .collect()
}

/// A server that serves pages by path and records the requested paths.
pub(crate) fn archive(pages: Vec<(String, Vec<u8>)>) -> (String, Kept) {
    use std::io::{Read, Write};
    let listener = std::net::TcpListener::bind(("127.0.0.1", 0)).unwrap();
    let base = format!("http://{}", listener.local_addr().unwrap());
    let received = Kept::default();
    let kept = Kept::clone(&received);
    std::thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            let mut buffer = [0; 8192];
            let read = stream.read(&mut buffer).unwrap_or_default();
            let head = String::from_utf8_lossy(&buffer[..read]).into_owned();
            let path = head.split(' ').nth(1).unwrap_or_default().to_owned();
            kept.lock().unwrap().push(path.clone());
            let body = pages
                .iter()
                .find(|(page, _)| *page == path)
                .map(|(_, body)| body.clone());
            let status = if body.is_some() { "200 OK" } else { "404 Not Found" };
            let body = body.unwrap_or_else(|| b"no such thing".to_vec());
            let _ = stream.write_all(
                format!(
                    "HTTP/1.1 {status}\r\nconnection: close\r\ncontent-length: {}\r\n\r\n",
                    body.len()
                )
                .as_bytes(),
            );
            let _ = stream.write_all(&body);
        }
    });
    (base, received)
}
