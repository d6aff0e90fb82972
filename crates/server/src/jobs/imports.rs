//! Imports into corpora of users. They wait in the same queue as runs and take the same places. A run never sees a corpus change: an import waits for the
//! runs that use its corpus, and no such run can be queued meanwhile.

use std::sync::Arc;

use super::queue::{Inner, ends_soon};
use super::{JobRecord, Jobs};
use crate::corpora::{CorpusView, ImportProcess};
use crate::error::Problem;
use crate::uploads::Received;

impl Jobs {
    /// The import that waits first: its place in the queue, and the name of its corpus.
    pub(super) fn next_import(&self, inner: &Inner) -> Option<(u64, String)> {
        let waiting = self.own.next().into_iter();
        waiting.filter(|(_, name)| !inner.uses(name)).min()
    }

    /// A corpus of the user, with its place in the queue.
    pub(crate) fn corpus(&self, name: &str) -> Result<CorpusView, Problem> {
        let (mut view, number) = self.own.view(name)?;
        view.hidden = self.checker.offer.corpora.is_of_server(name);
        view.position = number.map(|number| self.places.waiting_before(number) + 1);
        Ok(view)
    }

    /// All corpora of the user, by name.
    pub(crate) fn corpora(&self) -> Vec<CorpusView> {
        let names = self.own.names();
        names.iter().filter_map(|name| self.corpus(name).ok()).collect()
    }

    /// How many waiting or running runs use a corpus.
    pub(crate) fn runs_with(&self, corpus: &str) -> usize {
        self.lock().using(corpus).count()
    }

    /// Adds files to a corpus and queues their import. Waits for the disk.
    pub(crate) fn import(&self, corpus: &str, files: &[(String, Received)]) -> Result<CorpusView, Problem> {
        let added = self.own.add(corpus, files, self.places.next_number());
        self.start_waiting();
        added?;
        self.corpus(corpus)
    }

    /// Starts the import that waits first. Returns whether it takes a place.
    pub(super) fn start_import(self: &Arc<Self>, name: &str) -> bool {
        let task = match self.own.begin(name) {
            Ok(task) => task,
            Err(problem) => {
                tracing::warn!("failed to start an import: {}", problem.detail);
                return false;
            }
        };
        let jobs = Arc::clone(self);
        let importing = task.clone();
        let spawned = std::thread::Builder::new()
            .name(format!("import {name}"))
            .spawn(move || {
                let process = ImportProcess {
                    program: &jobs.program.path,
                    arguments: &jobs.program.arguments,
                    pdf_password: jobs.program.pdf_password.as_ref(),
                };
                let outcome = process.run(&importing, || jobs.is_closing());
                jobs.own.end(&importing, outcome, jobs.places.next_number());
                jobs.places.give_back();
                jobs.changed();
            });
        if let Err(error) = spawned {
            let problem = Problem::io("start the import", &error);
            self.own.end(&task, Some(Err(problem)), 0);
            return false;
        }
        true
    }

    /// Deletes a corpus of the user. An import is ended; finished runs keep their reports. May take seconds.
    pub(crate) fn delete_corpus(&self, name: &str) -> Result<(), Problem> {
        let unused = {
            let inner = self.lock();
            // First, so that whoever adds a watch meanwhile sees it, or the watch is seen here.
            self.own.set_deleting(name, true)?;
            self.not_used(&inner, name)
        };
        let deleted = unused.and_then(|()| {
            self.own.end_import(name);
            // If it has not ended, the corpus cannot be deleted.
            ends_soon(|| !self.own.is_active(name));
            self.own.delete(name)
        });
        if deleted.is_err() {
            let _ = self.own.set_deleting(name, false);
            // Its import may wait, or have been stopped and wait again.
            self.start_waiting();
        }
        deleted
    }

    /// An error if a run or a watch uses a corpus of the user.
    fn not_used(&self, inner: &Inner, name: &str) -> Result<(), Problem> {
        // Runs with a corpus that is hidden use the one of the server.
        if self.checker.offer.corpora.is_of_server(name) {
            return Ok(());
        }
        if inner.uses(name) {
            return Err(Problem::conflict("a run that waits or runs uses this corpus").hint("stop the run first"));
        }
        match self.checker.watches.needs_corpus(name) {
            true => Err(Problem::conflict("a watch uses this corpus").hint("remove the watch first")),
            false => Ok(()),
        }
    }
}

impl Inner {
    /// The waiting and running runs that use a corpus.
    fn using<'i>(&'i self, corpus: &'i str) -> impl Iterator<Item = &'i JobRecord> {
        // A run that was stopped may still have a process.
        let is_active = |record: &&JobRecord| record.state.is_active() || self.active.contains_key(&record.id);
        let active = self.records.values().filter(is_active);
        active.filter(move |record| record.request.corpora.iter().any(|name| name == corpus))
    }

    fn uses(&self, corpus: &str) -> bool {
        self.using(corpus).next().is_some()
    }
}
