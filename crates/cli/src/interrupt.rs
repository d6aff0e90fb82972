use std::sync::{Arc, Mutex, PoisonError, mpsc};

use tokio::signal::ctrl_c;

use crate::ExitCode;
use crate::printer::Printer;

/// Ctrl-C handler of a run: records the interruption in the manifest and exits immediately.
///
/// Exiting at any moment is safe, because every file of a run is written atomically. A second Ctrl-C exits even while the manifest is being written.
pub(crate) struct Interrupt {
    before_leaving: Arc<Mutex<BeforeLeaving>>,
}

type BeforeLeaving = Option<Box<dyn FnMut() + Send>>;

impl Interrupt {
    /// Installs the handler.
    ///
    /// # Errors
    /// If no thread or signal handler can be created. Ctrl-C then has its default effect.
    pub(crate) fn listen(printer: Printer) -> std::io::Result<Self> {
        let before_leaving = Arc::new(Mutex::new(None));
        let shared = Arc::clone(&before_leaving);
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
                    printer.warning("interrupted; to continue, repeat the command or use `precedent runs resume`");
                    let note = tokio::task::spawn_blocking(move || leave(&shared));
                    tokio::select! {
                        _ = note => {}
                        _ = ctrl_c() => {}
                    }
                    std::process::exit(i32::from(ExitCode::Interrupted.number()));
                });
            })?;
        // An error means that the thread has ended, so there is nothing to wait for.
        let _ = is_ready.recv();
        Ok(Self { before_leaving })
    }

    /// Sets the action to run before the program exits, replacing the previous one.
    pub(crate) fn before_leaving(&self, note: impl FnMut() + Send + 'static) {
        *self.before_leaving.lock().unwrap_or_else(PoisonError::into_inner) = Some(Box::new(note));
    }

    /// Runs `last`, which records how the run ended, without interruption. After it, Ctrl-C records nothing.
    pub(crate) fn settle<T>(&self, last: impl FnOnce() -> T) -> T {
        let mut held = self.before_leaving.lock().unwrap_or_else(PoisonError::into_inner);
        let outcome = last();
        *held = None;
        outcome
    }
}

/// Runs the exit action and exits while holding the lock, so that `settle` cannot run afterwards.
fn leave(before_leaving: &Mutex<BeforeLeaving>) {
    let mut held = before_leaving.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(note) = held.as_mut() {
        note();
    }
    std::process::exit(i32::from(ExitCode::Interrupted.number()));
}
