use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::Arc;

use super::{OwnCorpora, StateFolder};
use crate::ServerError;
use crate::error::Problem;

/// The corpora that requests may name.
#[derive(Debug, Clone, Default)]
pub(crate) struct Corpora {
    /// Those of the server's options.
    by_name: BTreeMap<String, PathBuf>,
    /// Those that the user made.
    own: Option<Arc<OwnCorpora>>,
}

impl Corpora {
    /// Names each corpus by its file name.
    pub(crate) fn new(paths: &[PathBuf]) -> Result<Self, ServerError> {
        let mut by_name = BTreeMap::new();
        for path in paths {
            let path = path.canonicalize().map_err(|source| ServerError::Corpus {
                path: path.clone(),
                source,
            })?;
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            if by_name.insert(name.clone(), path).is_some() {
                return Err(ServerError::SameName { name });
            }
        }
        Ok(Self { by_name, own: None })
    }

    /// With the corpora that a user made.
    pub(crate) fn with_own(&self, own: Arc<OwnCorpora>) -> Self {
        Self {
            by_name: self.by_name.clone(),
            own: Some(own),
        }
    }

    /// The names of corpora that have papers.
    pub(crate) fn names(&self) -> Vec<String> {
        let mut names: Vec<String> = self.by_name.keys().cloned().collect();
        let own = self.own.iter().flat_map(|own| own.searchable());
        names.extend(own.filter(|name| !self.is_of_server(name)));
        names
    }

    /// The names of those of the server's options.
    pub(crate) fn of_server(&self) -> impl Iterator<Item = &str> {
        self.by_name.keys().map(String::as_str)
    }

    /// Whether the server has a corpus of this name. Upper and lower case are one name, so that nobody takes one for the other.
    pub(crate) fn is_of_server(&self, name: &str) -> bool {
        self.by_name.keys().any(|known| known.eq_ignore_ascii_case(name))
    }

    /// Adds a corpus of the user.
    pub(crate) fn create(&self, name: &str) -> Result<(), Problem> {
        let own = self.own.as_ref().ok_or_else(|| Problem::not_found("corpus"))?;
        own.create(name, |name| self.is_of_server(name))
    }

    /// The path of a corpus that has papers.
    pub(crate) fn path(&self, name: &str) -> Result<PathBuf, Problem> {
        if let Some(path) = self.by_name.get(name) {
            return Ok(path.clone());
        }
        match self.own.as_ref().and_then(|own| own.path(name)) {
            Some(Some(path)) if !self.is_of_server(name) => Ok(path),
            Some(_) if self.is_of_server(name) => {
                let detail = format!("the server has a corpus of the name {name} too");
                Err(Problem::conflict(detail).hint("delete yours and make it again under another name"))
            }
            Some(_) => Err(Problem::conflict(format!("the corpus {name} has no papers")).hint("upload files to it")),
            None => Err(Problem::not_found("corpus")),
        }
    }

    /// The paths of corpora that a request names.
    pub(crate) fn paths(&self, names: &[String]) -> Result<Vec<PathBuf>, Problem> {
        let unknown = |name: &String| {
            let all = self.names();
            let hint = match all.is_empty() {
                true => "this server has no corpus; start it with --corpus, or make one from uploaded files".to_owned(),
                false => format!("the corpora of this server: {}", all.join(", ")),
            };
            Problem::usage(format!("there is no corpus {name}")).hint(hint)
        };
        let find = |name: &String| match self.path(name) {
            Err(problem) if problem.status == 404 => Err(unknown(name)),
            found => found,
        };
        let mut seen = BTreeSet::new();
        if let Some(name) = names.iter().find(|name| !seen.insert(*name)) {
            return Err(Problem::usage(format!("the corpus {name} is named twice")));
        }
        names.iter().map(find).collect()
    }

    /// Keeps the states of the user's corpora with these paths until what it returns is dropped.
    pub(crate) fn hold(&self, paths: &[PathBuf]) -> Result<Vec<Arc<StateFolder>>, Problem> {
        self.own.as_ref().map_or_else(|| Ok(Vec::new()), |own| own.hold(paths))
    }

    /// An error if a corpus is being deleted or is gone.
    pub(crate) fn not_deleted(&self, names: &[String]) -> Result<(), Problem> {
        let Some(own) = &self.own else { return Ok(()) };
        let mut users = names.iter().filter(|name| !self.is_of_server(name));
        users.try_for_each(|name| own.not_deleted(name))
    }

    /// An error if files are being added to a corpus of a new run, which would search neither the old nor the new state.
    pub(crate) fn not_busy(&self, names: &[String]) -> Result<(), Problem> {
        let Some(own) = &self.own else { return Ok(()) };
        match names.iter().find(|name| !self.is_of_server(name) && own.is_busy(name)) {
            Some(name) => Err(Problem::conflict(format!("files are being added to the corpus {name}"))
                .hint("start the run when they are imported")),
            None => Ok(()),
        }
    }
}
