use precedent_app::{AppError, ConnectionChoice, ErrorKind, configure_connections};

use super::{
    assess, audit, batch, batches, bench, config, corpus, doctor, encoders, estimate, export, idea, init, manual,
    match_claims, overlap, pdf, points, rank, read, review, runs, search, serve, site, users, verify, watch, worker,
};
use crate::args::{Arguments, Command};
use crate::printer::Printer;
use crate::{ExitCode, logging};

/// Runs the command and returns the exit code. Errors are printed here, once.
#[must_use]
pub fn run(arguments: Arguments) -> ExitCode {
    let printer = Printer::new(arguments.quiet)
        .with_colour(arguments.color)
        .with_logs(logging::is_on(arguments.verbose));
    logging::start(arguments.verbose, printer);
    let reader = serve::ReaderChoice {
        engine: arguments.pdf_engine,
        pdfium: arguments.pdfium.clone(),
        ocr: arguments.ocr,
        password: arguments.pdf_password.clone(),
        proxy: arguments.proxy.clone(),
        ca_file: arguments.ca_file.clone(),
    };
    configure_connections(ConnectionChoice {
        proxy: arguments.proxy,
        ca_file: arguments.ca_file,
    });
    let pdfs = pdf::PdfChoice {
        engine: arguments.pdf_engine,
        pdfium: arguments.pdfium,
        password: arguments.pdf_password,
        ocr: arguments.ocr,
    };
    let outcome = pdf::configure(pdfs, &arguments.command).and_then(|()| command(arguments.command, &reader, printer));
    match outcome {
        Ok(code) => code,
        Err(failure) => {
            // An interrupted run was reported when Ctrl-C was pressed.
            if failure.kind != ErrorKind::Interrupted {
                printer.failure(&failure);
            }
            failure.kind.into()
        }
    }
}

fn command(command: Command, reader: &serve::ReaderChoice, printer: Printer) -> Result<ExitCode, AppError> {
    match command {
        Command::Assess(typed) => assess::run(typed, printer),
        Command::Batch(typed) => batch::run(&typed, printer),
        Command::Batches(typed) => batches::run(&typed, printer),
        Command::Worker(typed) => worker::run(typed, printer),
        Command::Site(typed) => site::run(typed, printer),
        Command::Idea(typed) => idea::run(*typed, printer),
        Command::Points(typed) => points::run(*typed, printer),
        Command::Audit(typed) => audit::run(*typed, printer),
        Command::Review(typed) => review::run(*typed, printer),
        Command::Rank(typed) => rank::rank(*typed, printer),
        Command::Compare(typed) => rank::compare(*typed, printer),
        Command::Estimate(typed) => estimate::run(&typed, printer),
        Command::Read(typed) => read::run(&typed, printer),
        Command::Corpus(typed) => corpus::run(typed, printer),
        Command::Match(typed) => match_claims::run(&typed, printer),
        Command::Search(typed) => search::run(&typed, printer),
        Command::Verify(typed) => verify::run(&typed, printer),
        Command::Overlap(typed) => overlap::run(&typed, printer),
        Command::Export(typed) => export::run(&typed, printer),
        Command::Runs(typed) => runs::run(typed, printer),
        Command::Watch(typed) => watch::run(typed, printer),
        Command::Models(typed) => encoders::run(&typed.command, printer),
        Command::Bench(typed) => bench::run(&typed, printer),
        Command::Doctor(typed) => doctor::run(&typed, printer),
        Command::Config(typed) => config::run(&typed.command, printer),
        Command::Serve(typed) => serve::serve(typed, reader, printer),
        Command::Users(typed) => users::run(typed, printer),
        Command::Work(typed) => serve::work(&typed, reader),
        Command::Init { file, force } => init::run(file.settings, force, printer),
        #[cfg(feature = "mcp")]
        Command::Mcp(typed) => super::mcp::run(typed, printer),
        Command::Manual { dir } => manual::run(&dir),
        Command::Completions { shell } => completions(shell, printer),
    }
}

fn completions(shell: clap_complete::Shell, printer: Printer) -> Result<ExitCode, AppError> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut crate::command(), "precedent", &mut script);
    printer.data(&String::from_utf8_lossy(&script));
    Ok(ExitCode::Done)
}
