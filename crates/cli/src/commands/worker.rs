use std::path::PathBuf;
use std::sync::mpsc;

use clap::Args;
use precedent_app::{App, AppError, CancelToken, ErrorKind, WorkerEvent, WorkerObserver, WorkerRequest};

use super::batch::shared_database;
use super::paper_arguments::{DatabaseChoice, StoreChoice};
use crate::ExitCode;
use crate::printer::{Printer, plain};

/// In a simulation of a venue (docs/benchmarks.md), few workers with 16 papers each use up the quota of a provider, and with 4 they do not.
const JOBS: u16 = 16;

/// `precedent worker --help`.
const WORKER_HELP: &str = "\
Examples:
  precedent worker --database postgres://chair@db.lab/venue --store s3://venue/2026
  precedent worker --database postgres://chair@db.lab/venue --store /mnt/venue --jobs 4

Runs papers of all batches that were started with `precedent batch --database --store`. The first Ctrl-C or SIGTERM lets the papers that are running
end, and takes no other. The second gives them back to the batch and exits.";

#[derive(Debug, Args)]
#[command(after_help = WORKER_HELP)]
pub(crate) struct WorkerArguments {
    #[command(flatten)]
    database: DatabaseChoice,

    #[command(flatten)]
    store: StoreChoice,

    /// Papers to assess at the same time. With a model, papers mostly wait for its answers
    #[arg(long, value_name = "N", default_value_t = JOBS, value_parser = clap::value_parser!(u16).range(1..=256))]
    jobs: u16,

    /// Folder for corpora and for runs in progress [default: the folder `worker` in this program's data folder]
    #[arg(long, value_name = "DIR")]
    cache: Option<PathBuf>,

    /// URL of a model API that a batch may name, for one provider (`openai=https://…`) or, without a provider, for `compatible`. Without this option,
    /// keys of this machine are only sent to the hosts of their providers. Can be repeated
    #[arg(
        long = "model-url",
        value_name = "[PROVIDER=]URL",
        env = "PRECEDENT_MODEL_URL",
        value_delimiter = ','
    )]
    model_urls: Vec<String>,

    /// Refuse batches that connect to hosts other than this machine and the private hosts
    #[arg(long)]
    local_only: bool,

    /// A host on your network that --local-only allows. Can be repeated
    #[arg(long = "private-host", value_name = "HOST")]
    private_hosts: Vec<String>,

    /// Settings file [default: that of the user]
    #[arg(long, value_name = "FILE")]
    settings: Option<PathBuf>,
}

/// Prints what happens in a worker.
struct Lines(Printer);

impl WorkerObserver for Lines {
    fn event(&self, event: &WorkerEvent) {
        match event {
            WorkerEvent::Started { worker } => self.0.note(&format!("worker {worker} is ready")),
            WorkerEvent::Taken { batch, paper } => self.0.note(&format!("{batch} {}: started", plain(paper))),
            WorkerEvent::Ended { batch, paper, outcome } => {
                self.0.note(&format!("{batch} {}: {}", plain(paper), plain(outcome)));
            }
            WorkerEvent::Progress { message } => self.0.note(&plain(message)),
            WorkerEvent::Warning { message } => self.0.warning(&plain(message)),
            _ => {}
        }
    }
}

/// `precedent worker`.
pub(super) fn run(typed: WorkerArguments, printer: Printer) -> Result<ExitCode, AppError> {
    let settings = typed.settings.as_deref();
    let database = shared_database(
        &typed.database,
        settings,
        typed.local_only,
        &typed.private_hosts,
        printer,
    )?;
    let database = database.ok_or_else(|| {
        AppError::with_message(ErrorKind::Usage, "a worker needs a database").hint("name it with --database")
    })?;
    let fleet = typed.store.fleet().ok_or_else(|| {
        AppError::with_message(ErrorKind::Usage, "a worker needs a store").hint("name it with --store")
    })?;
    let request = WorkerRequest {
        database,
        fleet,
        jobs: usize::from(typed.jobs),
        cache: typed.cache,
        model_urls: typed.model_urls,
        local_only: typed.local_only,
        private_hosts: typed.private_hosts,
        settings: typed.settings,
    };
    let (drain, stop) = (CancelToken::new(), CancelToken::new());
    listen(drain.clone(), stop.clone(), printer)
        .map_err(|error| AppError::with_message(ErrorKind::Bug, format!("failed to listen for signals: {error}")))?;
    App::default().worker(&request, &Lines(printer), &drain, &stop)?;
    Ok(ExitCode::Done)
}

/// Installs the signal handlers: the first signal cancels `drain`, the second `stop`, and the process exits.
fn listen(drain: CancelToken, stop: CancelToken, printer: Printer) -> std::io::Result<()> {
    let (ready, is_ready) = mpsc::channel();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    std::thread::Builder::new().name("signals".to_owned()).spawn(move || {
        runtime.block_on(async {
            let Ok(mut signals) = Signals::new() else {
                return;
            };
            let _ = ready.send(());
            signals.next().await;
            printer.warning("waiting for the papers that are running; a second signal gives them back");
            drain.cancel();
            signals.next().await;
            let _ = tokio::task::spawn_blocking(move || stop.cancel()).await;
            std::process::exit(i32::from(ExitCode::Interrupted.number()));
        });
    })?;
    // An error means that the handlers could not be installed. Signals then have their usual effect.
    let _ = is_ready.recv();
    Ok(())
}

/// Ctrl-C, and the signal with which a system ends a service.
struct Signals {
    #[cfg(unix)]
    interrupt: tokio::signal::unix::Signal,
    #[cfg(unix)]
    terminate: tokio::signal::unix::Signal,
}

impl Signals {
    #[cfg(unix)]
    fn new() -> std::io::Result<Self> {
        use tokio::signal::unix::{SignalKind, signal};
        Ok(Self {
            interrupt: signal(SignalKind::interrupt())?,
            terminate: signal(SignalKind::terminate())?,
        })
    }

    #[cfg(unix)]
    async fn next(&mut self) {
        tokio::select! {
            _ = self.interrupt.recv() => {}
            _ = self.terminate.recv() => {}
        }
    }

    #[cfg(not(unix))]
    #[expect(clippy::unnecessary_wraps, reason = "the same as on other systems")]
    fn new() -> std::io::Result<Self> {
        Ok(Self {})
    }

    #[cfg(not(unix))]
    async fn next(&mut self) {
        let _ = tokio::signal::ctrl_c().await;
    }
}
