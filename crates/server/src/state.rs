use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use precedent_app::runs::RunRequest;
use precedent_app::{App, AppError, ModelChoice, Request, ServiceInfo, SharedBatches, SilentObserver};
use serde::de::DeserializeOwned;

use crate::batches::BatchStore;
use crate::call::{Call, Caller};
use crate::corpora::{Corpora, OwnCorpora};
use crate::error::Problem;
use crate::inputs::Inputs;
use crate::jobs::{JobRecord, Jobs, Places};
use crate::metrics::Metrics;
use crate::request::JobRequest;
use crate::watches::{WatchStore, check_id};
use crate::{ServerError, ServerOptions, UserLimits};

/// Runs of a user that wait or run: a day of work for one process.
const MOST_ACTIVE: usize = 200;
/// Uploads of a user together: some thousand papers.
const MOST_STORED: u64 = 5_000_000_000;
/// Corpora that a user made; chosen by hand.
const MOST_CORPORA: usize = 50;
/// Size of the corpora of a user together: as much as the uploads. Without users, ten times as much. Chosen by hand.
const MOST_IN_CORPORA: u64 = 5_000_000_000;
const MOST_IN_ALL_CORPORA: u64 = 10 * MOST_IN_CORPORA;

/// What requests can choose from.
#[derive(Debug, Clone)]
pub(crate) struct Offer {
    pub(crate) corpora: Corpora,
    pub(crate) models: Vec<String>,
    pub(crate) services: Vec<ServiceInfo>,
    pub(crate) settings: Option<PathBuf>,
    pub(crate) budget: Option<f64>,
    pub(crate) local_only: bool,
    /// Batches that several machines share.
    pub(crate) shared_batches: Option<SharedBatches>,
    /// Maximum spend of all runs together.
    pub(crate) total_budget: Option<f64>,
    /// Maximum number of runs that wait or run.
    pub(crate) most_active: Option<usize>,
    /// Maximum size of all uploads together, in bytes.
    pub(crate) most_stored: Option<u64>,
    /// Maximum number of corpora that the user made.
    pub(crate) most_corpora: Option<usize>,
    /// Maximum size of these corpora together, in bytes.
    pub(crate) most_in_corpora: u64,
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
        let _held = self.offer.corpora.hold(&request.corpora)?;
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
        if let Some(watch) = &record.watch {
            id = check_id(&id, watch);
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

/// What all users of a server share.
#[derive(Debug)]
pub(crate) struct Base {
    options: ServerOptions,
    data: PathBuf,
    offer: Arc<Offer>,
    caller: Caller,
    places: Arc<Places>,
    pub(crate) metrics: Arc<Metrics>,
    /// Locked while this server uses the data folder.
    _lock: File,
}

impl Base {
    pub(crate) fn open(options: &ServerOptions) -> Result<Self, ServerError> {
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
        let services = match options.local_only {
            true => Vec::new(),
            false => App::default()
                .literature_services(options.settings.as_deref())
                .map_err(ServerError::App)?,
        };
        for model in &options.models {
            check_model(model, options.settings.as_deref(), options.local_only).map_err(ServerError::App)?;
        }
        let settings = options.settings.as_deref().map(std::path::absolute).transpose();
        let offer = Arc::new(Offer {
            corpora: Corpora::new(&options.corpora)?,
            models: options.models.clone(),
            services,
            settings: settings.map_err(in_data)?,
            budget: options.budget,
            local_only: options.local_only,
            shared_batches: options.shared_batches.clone(),
            total_budget: None,
            most_active: None,
            most_stored: None,
            most_corpora: None,
            most_in_corpora: MOST_IN_ALL_CORPORA,
        });
        Ok(Self {
            caller: Caller::new(options, &data).map_err(in_data)?,
            places: Places::new(options.jobs),
            metrics: Arc::default(),
            options: options.clone(),
            data,
            offer,
            _lock: lock,
        })
    }

    pub(crate) fn data(&self) -> &Path {
        &self.data
    }

    /// What the server offers to anybody on this machine.
    pub(crate) fn offer(&self) -> Arc<Offer> {
        Arc::clone(&self.offer)
    }

    /// What the server offers to a user.
    pub(crate) fn offer_for(&self, limits: &UserLimits) -> Arc<Offer> {
        let mut offer = (*self.offer).clone();
        if let Some(models) = &limits.models {
            offer.models.retain(|model| models.contains(model));
        }
        if limits.local_only {
            offer.local_only = true;
            offer.services.clear();
            let settings = offer.settings.clone();
            offer
                .models
                .retain(|model| check_model(model, settings.as_deref(), true).is_ok());
        }
        if !limits.shared_batches {
            offer.shared_batches = None;
        }
        offer.total_budget = limits.budget;
        offer.most_active = Some(MOST_ACTIVE);
        offer.most_stored = Some(MOST_STORED);
        offer.most_corpora = Some(MOST_CORPORA);
        offer.most_in_corpora = MOST_IN_CORPORA;
        Arc::new(offer)
    }
}

/// Whether a run can use a model. Its key is not checked.
fn check_model(model: &str, settings: Option<&Path>, local_only: bool) -> Result<(), AppError> {
    let choice = ModelChoice {
        model: Some(model.to_owned()),
        local_only,
        settings: settings.map(Path::to_owned),
        ..ModelChoice::offline()
    };
    precedent_app::models::selected(&choice).map(drop)
}

/// Everything that handlers share: the runs and inputs of one user, or of the whole server if it has no users.
#[derive(Debug)]
pub(crate) struct State {
    pub(crate) offer: Arc<Offer>,
    checker: Checker,
    pub(crate) inputs: Inputs,
    /// The corpora that the user made.
    pub(crate) own: Arc<OwnCorpora>,
    pub(crate) jobs: Arc<Jobs>,
    pub(crate) watches: Arc<WatchStore>,
    pub(crate) batches: Arc<BatchStore>,
    pub(crate) caller: Caller,
    pub(crate) metrics: Arc<Metrics>,
}

/// The state as handlers get it.
pub(crate) type Shared = Arc<State>;

impl State {
    /// The state whose runs and inputs are in `folder`.
    pub(crate) fn open(base: &Base, folder: &Path, offer: Arc<Offer>) -> Result<Shared, ServerError> {
        let in_folder = |source| ServerError::Data {
            path: folder.to_owned(),
            source,
        };
        fs::create_dir_all(folder).map_err(in_folder)?;
        let inputs = Inputs::open(folder, base.options.body_limit, offer.most_stored).map_err(in_folder)?;
        let (places, most) = (&base.places, offer.most_corpora);
        let own = OwnCorpora::open(folder, base.options.body_limit, most, offer.most_in_corpora, || {
            places.next_number()
        });
        let own = own.map_err(in_folder)?;
        let offer = Arc::new(Offer {
            corpora: offer.corpora.with_own(Arc::clone(&own)),
            ..(*offer).clone()
        });
        let watches = WatchStore::open(folder).map_err(in_folder)?;
        let checker = Checker {
            offer: Arc::clone(&offer),
            inputs: inputs.clone(),
            watches: Arc::clone(&watches),
        };
        let jobs = Jobs::open(
            folder,
            &base.options,
            Arc::clone(&base.places),
            checker.clone(),
            Arc::clone(&own),
        )
        .map_err(in_folder)?;
        let batches = BatchStore::open(folder, |run| jobs.get(run).is_ok()).map_err(in_folder)?;
        let named = jobs.list().into_iter().filter_map(|record| record.request.input);
        inputs.sweep(&named.chain(watches.inputs()).collect());
        Ok(Arc::new(Self {
            offer,
            checker,
            inputs,
            own,
            jobs,
            watches,
            batches,
            caller: base.caller.clone(),
            metrics: Arc::clone(&base.metrics),
        }))
    }

    /// The answer to a call. No state of a corpus that it opens is deleted meanwhile.
    pub(crate) async fn call<T: DeserializeOwned + Send + 'static>(&self, call: Call) -> Result<T, Problem> {
        let held = self.offer.corpora.hold(call.corpora())?;
        self.caller.call(call, held).await
    }

    /// Checks a request and resolves it to what a run records, with the run's id.
    pub(crate) async fn validated(&self, asked: &JobRequest) -> Result<(RunRequest, String), Problem> {
        self.offer.corpora.not_busy(&asked.corpora)?;
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
