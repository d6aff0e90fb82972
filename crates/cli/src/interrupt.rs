use std::sync::{Arc, Mutex, PoisonError, mpsc};

use tokio::signal::ctrl_c;

use crate::ExitCode;
use crate::printer::Printer;

/// What is done with Ctrl-C while a run is under way: the program notes that the run was interrupted and ends at once, whatever it is doing.
///
/// There is no waiting for a good moment: every file of a run appears whole or not at all, so each moment is as good as the next. A second
/// Ctrl-C ends the program even while the note is being written.
pub(crate) struct Interrupt {
    before_leaving: Arc<Mutex<BeforeLeaving>>,
}

type BeforeLeaving = Option<Box<dyn FnMut() + Send>>;

impl Interrupt {
    /// Listens from now on.
    ///
    /// # Errors
    /// When the system gives no thread or no signals; Ctrl-C then ends the program as if nobody listened.
    pub(crate) fn listen(printer: Printer) -> std::io::Result<Self> {
        let before_leaving = Arc::new(Mutex::new(None));
        let shared = Arc::clone(&before_leaving);
        let (ready, is_ready) = mpsc::channel();
        // A thread of its own: the others may be busy for seconds.
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        std::thread::Builder::new()
            .name("interrupt".to_owned())
            .spawn(move || {
                runtime.block_on(async {
                    let mut first = Box::pin(ctrl_c());
                    // One poll sets the handler up.
                    let early =
                        std::future::poll_fn(|context| std::task::Poll::Ready(first.as_mut().poll(context).is_ready()))
                            .await;
                    let _ = ready.send(());
                    if !early && first.await.is_err() {
                        return;
                    }
                    printer.warning(
                        "interrupted; the same command again goes on with the run, and so does `precedent runs resume`",
                    );
                    let note = tokio::task::spawn_blocking(move || leave(&shared));
                    tokio::select! {
                        _ = note => {}
                        _ = ctrl_c() => {}
                    }
                    std::process::exit(i32::from(ExitCode::Interrupted.number()));
                });
            })?;
        // Where the thread is gone there is nothing to wait for.
        let _ = is_ready.recv();
        Ok(Self { before_leaving })
    }

    /// What is to be done before the program leaves from here on, in place of what was said before.
    pub(crate) fn before_leaving(&self, note: impl FnMut() + Send + 'static) {
        *self.before_leaving.lock().unwrap_or_else(PoisonError::into_inner) = Some(Box::new(note));
    }

    /// Does `last`, which settles how the run ended; Ctrl-C comes before it or after it, and after it has nothing to note.
    pub(crate) fn settle<T>(&self, last: impl FnOnce() -> T) -> T {
        let mut held = self.before_leaving.lock().unwrap_or_else(PoisonError::into_inner);
        let outcome = last();
        *held = None;
        outcome
    }
}

/// Notes what is to be noted, and ends the program with the lock still held: nothing settles after that.
fn leave(before_leaving: &Mutex<BeforeLeaving>) {
    let mut held = before_leaving.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(note) = held.as_mut() {
        note();
    }
    std::process::exit(i32::from(ExitCode::Interrupted.number()));
}
