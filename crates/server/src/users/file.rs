use std::fs::{self, File};
use std::path::{Path, PathBuf};

use precedent_app::runs::write_whole;
use precedent_app::{Clock, SystemClock};
use serde::{Deserialize, Serialize};

use super::secret::{hash_of, new_secret};

/// The version of `users.json`.
const VERSION: u32 = 1;
/// Beginning of a token, so that people and scanners for leaked keys recognise it.
const MARK: &str = "precedent-";
/// Maximum length of a name, which is the name of a folder.
const LONGEST_NAME: usize = 40;

/// An error of the list of users.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum UsersError {
    /// The file cannot be read or written.
    #[error("use {}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// Why.
        #[source]
        source: std::io::Error,
    },
    /// The file is not a list of users, or of a later version of the program.
    #[error("read {}: {reason}", path.display())]
    Format {
        /// The file.
        path: PathBuf,
        /// Why.
        reason: String,
    },
    /// The name cannot be the name of a folder.
    #[error(
        "use the name {name}: it needs up to {LONGEST_NAME} lower-case letters, digits, - and _, beginning with a letter"
    )]
    Name {
        /// The name.
        name: String,
    },
    /// There is a user with this name.
    #[error("add {name}: there is already a user of this name")]
    Known {
        /// The name.
        name: String,
    },
    /// There is no user with this name.
    #[error("find the user {name}")]
    Unknown {
        /// The name.
        name: String,
    },
}

/// What a user may do.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct UserLimits {
    /// Maximum spend of all runs together, in US dollars.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub budget: Option<f64>,
    /// The models of the server that the user may choose; all of them if there is no list.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub models: Option<Vec<String>>,
    /// Whether nothing of the user's runs may leave the machine.
    #[serde(default)]
    pub local_only: bool,
    /// Whether the user sees the batches that several machines share, with their papers and reports, and may pause and cancel them.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub shared_batches: bool,
}

/// A user.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct User {
    /// The name, which is also the name of the user's folder.
    pub name: String,
    /// SHA-256 of the token, in hex.
    pub token_sha256: String,
    /// Seconds since 1970-01-01, UTC.
    pub created: u64,
    /// What the user may do.
    #[serde(flatten)]
    pub limits: UserLimits,
}

#[derive(Debug, Default, Serialize, Deserialize)]
struct Stored {
    version: u32,
    users: Vec<User>,
}

/// The users of a data folder.
#[derive(Debug, Clone)]
pub struct Users {
    path: PathBuf,
}

impl Users {
    /// The users of the data folder `data`.
    #[must_use]
    pub fn of(data: &Path) -> Self {
        Self {
            path: data.join("users.json"),
        }
    }

    /// The file.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// All users, by name. The list is empty if there is no file.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn list(&self) -> Result<Vec<User>, UsersError> {
        let bytes = match fs::read(&self.path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(source) => return Err(self.failed(source)),
        };
        let wrong = |reason: String| UsersError::Format {
            path: self.path.clone(),
            reason,
        };
        let stored: Stored = serde_json::from_slice(&bytes).map_err(|error| wrong(error.to_string()))?;
        if stored.version > VERSION {
            return Err(wrong(format!(
                "it has the version {}; this program reads versions up to {VERSION}",
                stored.version
            )));
        }
        if let Some(user) = stored.users.iter().find(|user| !is_name(&user.name)) {
            return Err(UsersError::Name {
                name: user.name.clone(),
            });
        }
        Ok(stored.users)
    }

    /// Adds a user and returns the token, which is kept nowhere else.
    ///
    /// # Errors
    /// If the name is not valid or taken, or the file cannot be written.
    pub fn add(&self, name: &str, limits: UserLimits) -> Result<String, UsersError> {
        if !is_name(name) {
            return Err(UsersError::Name { name: name.to_owned() });
        }
        let token = format!("{MARK}{}", new_secret().map_err(|source| self.failed(source))?);
        self.change(|users| {
            if users.iter().any(|user| user.name == name) {
                return Err(UsersError::Known { name: name.to_owned() });
            }
            users.push(User {
                name: name.to_owned(),
                token_sha256: hash_of(&token),
                created: SystemClock.unix_seconds(),
                limits,
            });
            users.sort_by(|a, b| a.name.cmp(&b.name));
            Ok(())
        })?;
        Ok(token)
    }

    /// Removes a user. The folder with inputs and runs stays.
    ///
    /// # Errors
    /// If there is no such user, or the file cannot be written.
    pub fn remove(&self, name: &str) -> Result<(), UsersError> {
        self.change(|users| {
            let known = users.len();
            users.retain(|user| user.name != name);
            match users.len() == known {
                true => Err(UsersError::Unknown { name: name.to_owned() }),
                false => Ok(()),
            }
        })
    }

    /// Changes the list. Another process that changes it waits.
    fn change(&self, change: impl FnOnce(&mut Vec<User>) -> Result<(), UsersError>) -> Result<(), UsersError> {
        let folder = self.path.parent().unwrap_or(Path::new("."));
        let lock = fs::create_dir_all(folder)
            .and_then(|()| File::create(folder.join(".users.lock")))
            .map_err(|source| self.failed(source))?;
        match lock.lock() {
            // A file system without locks.
            Err(error) if error.kind() == std::io::ErrorKind::Unsupported => {}
            locked => locked.map_err(|source| self.failed(source))?,
        }
        let mut users = self.list()?;
        change(&mut users)?;
        let stored = Stored {
            version: VERSION,
            users,
        };
        serde_json::to_vec_pretty(&stored)
            .map_err(std::io::Error::from)
            .and_then(|text| write_whole(&self.path, &text))
            .map_err(|source| self.failed(source))
    }

    fn failed(&self, source: std::io::Error) -> UsersError {
        UsersError::File {
            path: self.path.clone(),
            source,
        }
    }
}

fn is_name(name: &str) -> bool {
    let is_plain = |letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit() || matches!(letter, '-' | '_');
    name.len() <= LONGEST_NAME
        && name.starts_with(|first: char| first.is_ascii_lowercase())
        && name.chars().all(is_plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn users_are_kept_without_their_tokens() {
        let folder = std::env::temp_dir().join(format!("precedent-users-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        let users = Users::of(&folder);
        assert!(users.list().unwrap().is_empty());
        let limits = UserLimits {
            budget: Some(20.0),
            models: Some(vec!["openai:gpt-5-mini".to_owned()]),
            local_only: false,
            shared_batches: true,
        };
        let token = users.add("ada", limits.clone()).unwrap();
        assert!(token.starts_with("precedent-") && token.len() == 74, "{token}");
        let text = fs::read_to_string(users.path()).unwrap();
        assert!(!text.contains(&token) && text.contains(&hash_of(&token)));
        assert!(matches!(
            users.add("ada", limits.clone()),
            Err(UsersError::Known { .. })
        ));
        users.add("bob", UserLimits::default()).unwrap();
        let listed = users.list().unwrap();
        assert_eq!((listed[0].name.as_str(), &listed[0].limits), ("ada", &limits));
        users.remove("ada").unwrap();
        assert!(matches!(users.remove("ada"), Err(UsersError::Unknown { .. })));
        assert_eq!(users.list().unwrap().len(), 1);
        fs::write(users.path(), r#"{"version":2,"users":[]}"#).unwrap();
        assert!(users.list().unwrap_err().to_string().contains("version 2"));
        fs::write(
            users.path(),
            r#"{"version":1,"users":[{"name":"../x","token_sha256":"","created":0}]}"#,
        )
        .unwrap();
        assert!(matches!(users.list(), Err(UsersError::Name { .. })));
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn a_name_is_the_name_of_a_folder() {
        for name in ["ada", "area-chair_2"] {
            assert!(is_name(name), "{name}");
        }
        for name in ["", "..", "Ada", "a/b", "-a", "_a", "a b", "é", &"a".repeat(41)] {
            assert!(!is_name(name), "{name}");
        }
    }
}
