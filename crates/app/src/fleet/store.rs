use std::fmt;
use std::path::Path as FilePath;
use std::sync::Arc;
use std::time::Duration;

use object_store::aws::{AmazonS3Builder, AmazonS3ConfigKey};
use object_store::local::LocalFileSystem;
use object_store::path::Path;
use object_store::prefix::PrefixStore;
use object_store::{ObjectStore, ObjectStoreExt, PutMode, PutOptions, RetryConfig};
use precedent_engine::ledger::Sent;
use sha2::{Digest, Sha256};

pub(crate) use crate::corpus_store::is_hash;
use crate::{AppError, ErrorKind};

/// Who sent what a store on another machine received.
const WHO: &str = "store";

/// The object that gives a store its id.
const MARK: &str = "precedent-store";

/// What S3 calls a bucket that does not exist.
const NO_BUCKET: &str = "<Code>NoSuchBucket</Code>";

/// How long a request to a store that does not answer is repeated. As long as a query waits for a database that restarts.
const PATIENCE: Duration = Duration::from_secs(30);

/// Why an object store cannot be used. Messages complete the phrase "failed to".
#[derive(Debug, thiserror::Error)]
pub(crate) enum StoreError {
    /// Its name or the environment is not usable.
    #[error("use the store {place}: {why}")]
    Unusable { place: String, why: String },
    /// It cannot be reached.
    #[error("use the store {place}; check that it can be reached from this machine, then repeat the command")]
    Away {
        place: String,
        #[source]
        source: object_store::Error,
    },
    /// It does not accept the keys.
    #[error(
        "use the store {place}: it refuses the keys; check AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and what they may do"
    )]
    Refused { place: String },
    /// Its bucket does not exist.
    #[error("use the store {place}: it has no such bucket; create it, or check AWS_ENDPOINT_URL and AWS_REGION")]
    NoBucket { place: String },
    /// An object is not there.
    #[error(
        "find the object {name} in the store {place}; was it deleted? Repeat the batch or `corpus push` to write it again"
    )]
    Missing { place: String, name: String },
    /// An object does not have the bytes that its name says.
    #[error(
        "read the object {name} in the store {place}: it is damaged; delete it, and repeat the batch or `corpus push` to write it again"
    )]
    Damaged { place: String, name: String },
}

impl StoreError {
    /// Whether the store may work later.
    pub(crate) fn is_outage(&self) -> bool {
        // A worker whose keys expired must not fail the papers that others can run.
        !matches!(self, Self::Missing { .. } | Self::Damaged { .. })
    }
}

impl From<StoreError> for AppError {
    fn from(error: StoreError) -> Self {
        let kind = match &error {
            StoreError::Unusable { .. } => ErrorKind::Usage,
            _ => ErrorKind::Input,
        };
        Self::new(kind, error)
    }
}

/// Objects in a folder or an S3-compatible bucket, which several machines share. An object is written once and never changed.
#[derive(Clone)]
pub(crate) struct Store {
    objects: Arc<dyn ObjectStore>,
    place: String,
    /// The host of a bucket.
    host: Option<String>,
}

impl fmt::Debug for Store {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Store")
            .field("place", &self.place)
            .finish_non_exhaustive()
    }
}

/// The hash of an object, which names it.
pub(crate) fn hash_of(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

impl Store {
    /// The store at `place`: a folder, or `s3://BUCKET/PREFIX`, whose endpoint and keys are those of the environment.
    ///
    /// # Errors
    /// If the name is not usable.
    pub(crate) fn open(place: &str) -> Result<Self, StoreError> {
        let unusable = |why: String| StoreError::Unusable {
            place: place.to_owned(),
            why,
        };
        if let Some(rest) = place.strip_prefix("s3://") {
            let (bucket, prefix) = rest.split_once('/').unwrap_or((rest, ""));
            if bucket.is_empty() {
                return Err(unusable(
                    "it names no bucket; write it as s3://BUCKET/PREFIX".to_owned(),
                ));
            }
            return Self::in_bucket(place, bucket, prefix).map_err(|error| unusable(error.to_string()));
        }
        if place.contains("://") {
            return Err(unusable("it is no folder and does not start with s3://".to_owned()));
        }
        let folder = FilePath::new(place);
        std::fs::create_dir_all(folder).map_err(|error| unusable(error.to_string()))?;
        let objects = LocalFileSystem::new_with_prefix(folder).map_err(|error| unusable(error.to_string()))?;
        Ok(Self {
            objects: Arc::new(objects.with_fsync(true)),
            place: place.to_owned(),
            host: None,
        })
    }

    fn in_bucket(place: &str, bucket: &str, prefix: &str) -> Result<Self, object_store::Error> {
        // A provider may already be installed, and any will do.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let builder = AmazonS3Builder::from_env().with_bucket_name(bucket);
        let endpoint = [AmazonS3ConfigKey::S3Endpoint, AmazonS3ConfigKey::Endpoint]
            .iter()
            .find_map(|key| builder.get_config_value(key));
        let is_plain = endpoint.as_deref().is_some_and(|url| url.starts_with("http://"));
        let host = endpoint.as_deref().map_or_else(
            || format!("{bucket}.s3.amazonaws.com"),
            |url| {
                let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
                rest.split('/').next().unwrap_or_default().to_owned()
            },
        );
        let objects = builder
            .with_allow_http(is_plain)
            .with_retry(RetryConfig {
                retry_timeout: PATIENCE,
                ..RetryConfig::default()
            })
            .build()?;
        Ok(Self {
            objects: Arc::new(PrefixStore::new(objects, Path::parse(prefix.trim_matches('/'))?)),
            place: place.to_owned(),
            host: Some(host),
        })
    }

    /// The host that receives the objects. `None` for a folder.
    pub(crate) fn host(&self) -> Option<&str> {
        self.host.as_deref()
    }

    /// What the record of a run says about the store, unless `is_here`.
    pub(crate) fn sent(&self, is_here: bool) -> Option<Sent> {
        let host = self.host.as_ref().filter(|_| !is_here)?;
        Some(Sent {
            who: WHO.to_owned(),
            host: host.clone(),
            asked: "the paper, the corpora, and everything that the run writes".to_owned(),
            bytes_out: 0,
            bytes_in: 0,
            outcome: "shared, size not counted".to_owned(),
        })
    }

    /// The id of the store, which is the same for everybody who uses it. Writes it if there is none, so a store that refuses to be read or written is
    /// reported now.
    pub(crate) async fn id(&self, new: &str) -> Result<String, StoreError> {
        if let Some(id) = self.named(MARK).await? {
            return Ok(String::from_utf8_lossy(&id).into_owned());
        }
        self.name(MARK, new.as_bytes()).await?;
        let id = self.named(MARK).await?.unwrap_or_default();
        Ok(String::from_utf8_lossy(&id).into_owned())
    }

    /// The id of the store, if it has one.
    pub(crate) async fn known_id(&self) -> Result<Option<String>, StoreError> {
        let id = self.named(MARK).await?;
        Ok(id.map(|id| String::from_utf8_lossy(&id).into_owned()))
    }

    /// Writes an object under its hash, and returns the hash.
    pub(crate) async fn put(&self, bytes: Vec<u8>) -> Result<String, StoreError> {
        let hash = hash_of(&bytes);
        let path = object_path(&hash);
        // An object that exists is not sent again.
        if self.objects.head(&path).await.is_err() {
            self.create(&path, bytes).await?;
        }
        Ok(hash)
    }

    /// The object with this hash.
    pub(crate) async fn get(&self, hash: &str) -> Result<Vec<u8>, StoreError> {
        let found = self.read(&object_path(hash)).await?;
        let bytes = found.ok_or_else(|| self.missing(hash))?;
        if hash_of(&bytes) != hash {
            return Err(self.damaged(hash));
        }
        Ok(bytes)
    }

    /// Deletes an object, which is then written again by whoever needs it.
    pub(crate) async fn delete(&self, hash: &str) -> Result<(), StoreError> {
        match self.objects.delete(&object_path(hash)).await {
            Ok(()) | Err(object_store::Error::NotFound { .. }) => Ok(()),
            Err(source) => Err(self.away(source)),
        }
    }

    /// An error for an object that is not there.
    pub(crate) fn missing(&self, name: &str) -> StoreError {
        StoreError::Missing {
            place: self.place.clone(),
            name: name.to_owned(),
        }
    }

    /// An error for an object that is damaged.
    pub(crate) fn damaged(&self, name: &str) -> StoreError {
        StoreError::Damaged {
            place: self.place.clone(),
            name: name.to_owned(),
        }
    }

    /// Writes an object under a name, unless there is one. `false` if there is: then it is unchanged.
    pub(crate) async fn name(&self, name: &str, bytes: &[u8]) -> Result<bool, StoreError> {
        self.create(&Path::from(name), bytes.to_vec()).await
    }

    /// The object with a name.
    pub(crate) async fn named(&self, name: &str) -> Result<Option<Vec<u8>>, StoreError> {
        self.read(&Path::from(name)).await
    }

    /// The numbers of the objects whose names are `folder` and a number, in order.
    pub(crate) async fn numbers(&self, folder: &str) -> Result<Vec<u64>, StoreError> {
        let found = self.objects.list_with_delimiter(Some(&Path::from(folder))).await;
        let found = found.map_err(|source| self.away(source))?;
        let names = found.objects.iter().filter_map(|object| object.location.filename());
        let mut numbers: Vec<u64> = names.filter_map(|name| name.parse().ok()).collect();
        numbers.sort_unstable();
        Ok(numbers)
    }

    async fn create(&self, path: &Path, bytes: Vec<u8>) -> Result<bool, StoreError> {
        let create = PutOptions::from(PutMode::Create);
        match self.objects.put_opts(path, bytes.into(), create).await {
            Ok(_) => Ok(true),
            Err(object_store::Error::AlreadyExists { .. } | object_store::Error::Precondition { .. }) => Ok(false),
            Err(source) => Err(self.away(source)),
        }
    }

    async fn read(&self, path: &Path) -> Result<Option<Vec<u8>>, StoreError> {
        let found = match self.objects.get(path).await {
            Err(object_store::Error::NotFound { .. }) => return Ok(None),
            found => found.map_err(|source| self.away(source))?,
        };
        let bytes = found.bytes().await.map_err(|source| self.away(source))?;
        Ok(Some(bytes.to_vec()))
    }

    fn away(&self, source: object_store::Error) -> StoreError {
        let place = self.place.clone();
        match source {
            object_store::Error::PermissionDenied { .. } | object_store::Error::Unauthenticated { .. } => {
                StoreError::Refused { place }
            }
            // An object that is to be written cannot be missing.
            object_store::Error::NotFound { .. } => StoreError::NoBucket { place },
            // A list has no error of its own for it.
            source if source.to_string().contains(NO_BUCKET) => StoreError::NoBucket { place },
            source => StoreError::Away { place, source },
        }
    }
}

/// Two levels of folders, so that none has too many objects.
fn object_path(hash: &str) -> Path {
    let start: String = hash.chars().take(2).collect();
    Path::from(format!("objects/{start}/{hash}"))
}
