use std::collections::BTreeMap;
use std::path::PathBuf;

use crate::ServerError;
use crate::error::Problem;

/// The corpora that requests may name.
#[derive(Debug, Clone, Default)]
pub(crate) struct Corpora {
    by_name: BTreeMap<String, PathBuf>,
}

impl Corpora {
    /// Names each corpus by its file name.
    pub(crate) fn new(paths: &[PathBuf]) -> Result<Self, ServerError> {
        let mut by_name = BTreeMap::new();
        for path in paths {
            let path = path.canonicalize().map_err(|source| ServerError::Data {
                path: path.clone(),
                source,
            })?;
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            if by_name.insert(name.clone(), path).is_some() {
                return Err(ServerError::SameName { name });
            }
        }
        Ok(Self { by_name })
    }

    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.by_name.keys().map(String::as_str)
    }

    pub(crate) fn path(&self, name: &str) -> Result<&PathBuf, Problem> {
        self.by_name.get(name).ok_or_else(|| Problem::not_found("corpus"))
    }

    /// The paths of corpora that a request names.
    pub(crate) fn paths(&self, names: &[String]) -> Result<Vec<PathBuf>, Problem> {
        let unknown = |name: &String| {
            let hint = match self.by_name.is_empty() {
                true => "this server has no corpus; start it with --corpus".to_owned(),
                false => format!(
                    "the corpora of this server: {}",
                    self.names().collect::<Vec<_>>().join(", ")
                ),
            };
            Problem::usage(format!("there is no corpus {name}")).hint(hint)
        };
        let find = |name: &String| self.by_name.get(name).cloned().ok_or_else(|| unknown(name));
        names.iter().map(find).collect()
    }
}
