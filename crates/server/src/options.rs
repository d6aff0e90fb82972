use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use precedent_app::{Password, SharedBatches};

/// How a server runs.
#[derive(Debug, Clone)]
pub struct ServerOptions {
    /// The address to listen on: one of this machine's own, or any if the data folder has users.
    pub bind: SocketAddr,
    /// The address of the server as browsers name it, such as `https://review.example.org`, if it is not that of `bind`.
    pub url: Option<String>,
    /// The folder for inputs and runs. It is created if needed.
    pub data: PathBuf,
    /// Corpora, files of records or folders of papers that runs may search. Requests name them by their file name.
    pub corpora: Vec<PathBuf>,
    /// Models that runs may use, as `provider:name`, besides offline analysis.
    pub models: Vec<String>,
    /// Settings file, if not the usual one.
    pub settings: Option<PathBuf>,
    /// Maximum spend of each run, in US dollars.
    pub budget: Option<f64>,
    /// Refuse models and services on other machines.
    pub local_only: bool,
    /// Batches that several machines share, which the server shows.
    pub shared_batches: Option<SharedBatches>,
    /// Runs at the same time. Further ones wait.
    pub jobs: usize,
    /// This program, which is started for each run and each call.
    pub program: PathBuf,
    /// Arguments before the command of a child process, such as the choice of a PDF reader.
    pub arguments: Vec<String>,
    /// The password of encrypted PDFs. Child processes get it in their environment, where other users of the machine do not see it.
    pub pdf_password: Option<Password>,
    /// Time that a call may take, such as checking a quote, before its process is ended.
    pub call_limit: Duration,
    /// Time that a client has to send the head of a request.
    pub header_limit: Duration,
    /// Time that a client may pause while it sends a body.
    pub body_limit: Duration,
}

/// Environment variable of child processes with the password of encrypted PDFs.
pub(crate) const PDF_PASSWORD: &str = "PRECEDENT_PDF_PASSWORD";

/// Reading one file takes up to 20 s on a fast machine (the limits of the readers), and a call may read two and open a corpus.
const CALL: Duration = Duration::from_secs(120);
/// A head has a few hundred bytes, so this is enough for any connection.
const HEADER: Duration = Duration::from_secs(10);
/// A pause on a bad mobile connection ends sooner.
const BODY: Duration = Duration::from_secs(30);

impl ServerOptions {
    /// Options for a server that starts `program` for its runs. It offers no corpus and no model.
    #[must_use]
    pub fn new(bind: SocketAddr, data: PathBuf, program: PathBuf) -> Self {
        Self {
            bind,
            url: None,
            data,
            corpora: Vec::new(),
            models: Vec::new(),
            settings: None,
            budget: None,
            local_only: false,
            shared_batches: None,
            jobs: 2,
            program,
            arguments: Vec::new(),
            pdf_password: None,
            call_limit: CALL,
            header_limit: HEADER,
            body_limit: BODY,
        }
    }
}
