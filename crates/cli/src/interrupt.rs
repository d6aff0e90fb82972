use std::sync::mpsc;

use precedent_app::CancelToken;
use tokio::signal::ctrl_c;

use crate::ExitCode;
use crate::printer::Printer;

/// What a run says when it is interrupted.
pub(crate) const RESUME: &str = "interrupted; to continue, repeat the command or use `precedent runs resume`";

/// The same, if model requests are sent in batches.
pub(crate) const COLLECT: &str =
    "interrupted; submitted batches stay at the provider; to collect their answers and continue, repeat the command";

/// Installs the Ctrl-C handler of a run: it prints `message`, cancels the run, which is recorded, and exits immediately. A second Ctrl-C exits even while that is being
/// recorded.
///
/// # Errors
/// If no thread or signal handler can be created. Ctrl-C then has its default effect.
pub(crate) fn listen(cancel: CancelToken, message: &'static str, printer: Printer) -> std::io::Result<()> {
    let (ready, is_ready) = mpsc::channel();
    // A dedicated thread, because the others may be busy for seconds.
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    std::thread::Builder::new()
        .name("interrupt".to_owned())
        .spawn(move || {
            runtime.block_on(async {
                let mut first = Box::pin(ctrl_c());
                // The first poll installs the handler.
                let early =
                    std::future::poll_fn(|context| std::task::Poll::Ready(first.as_mut().poll(context).is_ready()))
                        .await;
                let _ = ready.send(());
                if !early && first.await.is_err() {
                    return;
                }
                printer.warning(message);
                let record = tokio::task::spawn_blocking(move || cancel.cancel());
                tokio::select! {
                    _ = record => {}
                    _ = ctrl_c() => {}
                }
                std::process::exit(i32::from(ExitCode::Interrupted.number()));
            });
        })?;
    // An error means that the thread has ended, so there is nothing to wait for.
    let _ = is_ready.recv();
    Ok(())
}
