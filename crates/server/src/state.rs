use std::fs::{self, File};
use std::path::PathBuf;
use std::sync::Arc;

use precedent_app::runs::RunRequest;
use precedent_app::{App, Request, ServiceInfo, SilentObserver};

use crate::call::Caller;
use crate::corpora::Corpora;
use crate::error::Problem;
use crate::inputs::Inputs;
use crate::jobs::Jobs;
use crate::metrics::Metrics;
use crate::request::JobRequest;
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

/// Everything that handlers share.
#[derive(Debug)]
pub(crate) struct State {
    pub(crate) offer: Offer,
    pub(crate) inputs: Inputs,
    pub(crate) jobs: Arc<Jobs>,
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
        Ok(Arc::new(Self {
            offer: Offer {
                corpora: Corpora::new(&options.corpora)?,
                models: options.models.clone(),
                services,
                settings: settings.map_err(in_data)?,
                budget: options.budget,
                local_only: options.local_only,
            },
            inputs: Inputs::open(&data, options.body_limit).map_err(in_data)?,
            jobs: Jobs::open(&data, options).map_err(in_data)?,
            caller: Caller::new(options.program.clone(), options.arguments.clone(), options.call_limit),
            metrics: Metrics::default(),
            _lock: lock,
        }))
    }

    /// Checks a request and resolves it to what a run records, with the run's id.
    pub(crate) async fn validated(&self, asked: &JobRequest) -> Result<(RunRequest, String), Problem> {
        let request: Request = asked.resolve(&self.inputs, &self.offer)?;
        let done = tokio::task::spawn_blocking(move || {
            let app = App::default();
            let request = app.validate(&request, &SilentObserver)?;
            let id = app.run_id(&request)?.as_str().to_owned();
            Ok((request, id))
        });
        done.await
            .map_err(|_| Problem::bug("the request could not be checked"))?
    }
}
