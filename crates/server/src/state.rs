use std::fs::{self, File};
use std::path::PathBuf;
use std::sync::Arc;

use precedent_app::runs::RunRequest;
use precedent_app::{App, Request, ServiceInfo, SilentObserver};

use crate::call::Caller;
use crate::corpora::Corpora;
use crate::error::Problem;
use crate::inputs::Inputs;
use crate::jobs::{JobRecord, Jobs};
use crate::metrics::Metrics;
use crate::request::JobRequest;
use crate::watches::{WatchStore, check_id};
use crate::{ServerError, ServerOptions};

/// What requests can choose from.
#[derive(Debug, Clone)]
pub(crate) struct Offer {
    pub(crate) corpora: Corpora,
    pub(crate) models: Vec<String>,
    pub(crate) services: Vec<ServiceInfo>,
    pub(crate) settings: Option<PathBuf>,
    pub(crate) budget: Option<f64>,
    pub(crate) local_only: bool,
}

/// Checks requests against what the server offers.
#[derive(Debug, Clone)]
pub(crate) struct Checker {
    pub(crate) offer: Arc<Offer>,
    pub(crate) inputs: Inputs,
    pub(crate) watches: Arc<WatchStore>,
}

impl Checker {
    /// What a run of this request records, with the run's id. Reads the input and the corpora.
    fn resolved(&self, asked: &JobRequest) -> Result<(RunRequest, String), Problem> {
        let request: Request = asked.resolve(&self.inputs, &self.offer)?;
        let app = App::default();
        let mut request = app.validate(&request, &SilentObserver)?;
        if let Some(model) = &mut request.model {
            // The settings file may name other models for single stages. A run uses only the model that its request names.
            model.stages.clear();
        }
        let id = app.run_id(&request)?.as_str().to_owned();
        Ok((request, id))
    }

    /// The request of a run that was added before, perhaps by a server with other options.
    pub(crate) fn again(&self, record: &JobRecord) -> Result<RunRequest, Problem> {
        let (request, mut id) = self.resolved(&record.request)?;
        if record.watch.is_some() {
            id = check_id(&id);
        }
        match id == record.id {
            true => Ok(request),
            false => Err(Problem::conflict(
                "the options of the server, its settings file or a corpus have changed since this run was prepared",
            )
            .hint("start a new run")),
        }
    }
}

/// Everything that handlers share.
#[derive(Debug)]
pub(crate) struct State {
    pub(crate) offer: Arc<Offer>,
    checker: Checker,
    pub(crate) inputs: Inputs,
    pub(crate) jobs: Arc<Jobs>,
    pub(crate) watches: Arc<WatchStore>,
    pub(crate) caller: Caller,
    pub(crate) metrics: Metrics,
    /// Locked while this server uses the data folder.
    _lock: File,
}

/// The state as handlers get it.
pub(crate) type Shared = Arc<State>;

impl State {
    pub(crate) fn open(options: &ServerOptions) -> Result<Shared, ServerError> {
        let in_data = |source| ServerError::Data {
            path: options.data.clone(),
            source,
        };
        fs::create_dir_all(&options.data).map_err(in_data)?;
        let data = options.data.canonicalize().map_err(in_data)?;
        let lock = File::create(data.join(".server.lock")).map_err(in_data)?;
        match lock.try_lock() {
            Err(fs::TryLockError::WouldBlock) => return Err(ServerError::InUse { path: data }),
            // A file system without locks.
            Ok(()) | Err(fs::TryLockError::Error(_)) => {}
        }
        let app = App::default();
        let services = match options.local_only {
            true => Vec::new(),
            false => app
                .literature_services(options.settings.as_deref())
                .map_err(ServerError::App)?,
        };
        let settings = options.settings.as_deref().map(std::path::absolute).transpose();
        let offer = Arc::new(Offer {
            corpora: Corpora::new(&options.corpora)?,
            models: options.models.clone(),
            services,
            settings: settings.map_err(in_data)?,
            budget: options.budget,
            local_only: options.local_only,
        });
        let inputs = Inputs::open(&data, options.body_limit).map_err(in_data)?;
        let watches = WatchStore::open(&data).map_err(in_data)?;
        let checker = Checker {
            offer: Arc::clone(&offer),
            inputs: inputs.clone(),
            watches: Arc::clone(&watches),
        };
        let jobs = Jobs::open(&data, options, checker.clone()).map_err(in_data)?;
        let named = jobs.list().into_iter().filter_map(|record| record.request.input);
        inputs.sweep(&named.chain(watches.inputs()).collect());
        Ok(Arc::new(Self {
            offer,
            checker,
            inputs,
            jobs,
            watches,
            caller: Caller::new(options, &data).map_err(in_data)?,
            metrics: Metrics::default(),
            _lock: lock,
        }))
    }

    /// Checks a request and resolves it to what a run records, with the run's id.
    pub(crate) async fn validated(&self, asked: &JobRequest) -> Result<(RunRequest, String), Problem> {
        let asked = asked.clone();
        self.check(move |checker| checker.resolved(&asked)).await
    }

    /// The request of a run that was added before, if the server still offers what it asks for.
    pub(crate) async fn validated_again(&self, id: &str) -> Result<RunRequest, Problem> {
        let record = self.jobs.get(id)?;
        self.check(move |checker| checker.again(&record)).await
    }

    /// Queues a run that was added before, if the server still offers what it asks for.
    pub(crate) async fn queue(&self, id: &str, again: bool) -> Result<JobRecord, Problem> {
        if !self.jobs.get(id)?.state.is_active() {
            self.validated_again(id).await?;
        }
        self.jobs.queue(id, again)
    }

    async fn check<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Checker) -> Result<T, Problem> + Send + 'static,
    ) -> Result<T, Problem> {
        let checker = self.checker.clone();
        let done = tokio::task::spawn_blocking(move || work(&checker)).await;
        done.map_err(|_| Problem::bug("the request could not be checked"))?
    }
}
