use std::fs;
use std::path::Path;

use precedent_engine::ledger::JobQueue;
use tokio::runtime::Runtime;

use super::store::Store;
use crate::runtime::runtime;
use crate::{AppError, ErrorKind, Settings, WorkerRequest, encoders};

/// The store and the queue of a process.
pub(crate) struct StoreAndQueue {
    pub(crate) runtime: Runtime,
    pub(crate) store: Store,
    pub(crate) store_id: String,
    pub(crate) queue: JobQueue,
}

impl StoreAndQueue {
    /// Opens the store and the database of `request`, and checks that both can be used.
    pub(crate) fn new(request: &WorkerRequest) -> Result<Self, AppError> {
        let runtime = runtime()?;
        let settings = Settings::load(request.settings.as_deref())?;
        let private = [request.private_hosts.as_slice(), &settings.private_hosts].concat();
        let store = open_store(&request.fleet.store, request.local_only || settings.local_only, private)?;
        // Random, because several databases may use the store.
        let new = random_name()?;
        let (store_id, queue) = runtime.block_on(async {
            let queue = request.database.queue(request.fleet.lease).await?;
            Ok::<_, AppError>((store.id(&new).await?, queue))
        })?;
        Ok(Self {
            runtime,
            store,
            store_id,
            queue,
        })
    }
}

/// Opens a store, if its host may be contacted.
pub(crate) fn open_store(place: &str, local_only: bool, private_hosts: Vec<String>) -> Result<Store, AppError> {
    let store = Store::open(place)?;
    if let Some(host) = store.host() {
        let reach = encoders::reach(local_only, private_hosts);
        reach.permits(&format!("http://{host}/")).map_err(|_| {
            let message = "the store is not on this machine or a private host";
            AppError::with_message(ErrorKind::Usage, message).hint("add its host to `private_hosts` in the settings")
        })?;
    }
    Ok(store)
}

/// Checks that a store that is only read is no folder that does not exist, which opening it would make.
pub(crate) fn check_exists(place: &str) -> Result<(), AppError> {
    if place.contains("://") || Path::new(place).is_dir() {
        return Ok(());
    }
    let message = format!("there is no store {}", crate::text::plain(place));
    Err(AppError::with_message(ErrorKind::Usage, message)
        .hint("give the --store of the batch: a folder, or s3://BUCKET/PREFIX"))
}

/// 128 random bits.
pub(crate) fn random_name() -> Result<String, AppError> {
    let mut bytes = [0_u8; 16];
    let filled = getrandom::fill(&mut bytes);
    filled.map_err(|error| AppError::with_message(ErrorKind::Bug, format!("failed to get random bytes: {error}")))?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// The name of this machine, for people who look for a worker.
pub(crate) fn host() -> String {
    let name = fs::read_to_string("/proc/sys/kernel/hostname").ok();
    let name = name.or_else(|| std::env::var("COMPUTERNAME").ok()).unwrap_or_default();
    let name: String = name
        .trim()
        .chars()
        .filter(|c| c.is_ascii_alphanumeric() || *c == '-')
        .take(40)
        .collect();
    if name.is_empty() { "worker".to_owned() } else { name }
}
