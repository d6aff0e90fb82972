use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::secret::{hash_of, new_secret};

/// How long a browser stays signed in: a working day.
pub(super) const LASTS: Duration = Duration::from_secs(12 * 60 * 60);
/// Browsers of one user that are signed in at the same time. The one that signed in first is signed out: nobody works at more.
const MOST: usize = 50;

/// The browsers that are signed in. A server that starts again has none.
#[derive(Debug, Default)]
pub(super) struct Sessions(Mutex<HashMap<String, Session>>);

#[derive(Debug, Clone)]
struct Session {
    user: SignedIn,
    ends: Instant,
}

/// Who is signed in, and with which token: a new token ends the sessions of the old one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct SignedIn {
    pub(super) name: String,
    pub(super) token_sha256: String,
}

impl Sessions {
    /// Starts a session and returns its secret.
    pub(super) fn start(&self, user: SignedIn) -> std::io::Result<String> {
        let secret = new_secret()?;
        let mut sessions = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let now = Instant::now();
        sessions.retain(|_, session| session.ends > now);
        let of_user = || sessions.iter().filter(|(_, session)| session.user.name == user.name);
        let oldest = of_user()
            .min_by_key(|(_, session)| session.ends)
            .map(|(key, _)| key.clone());
        if of_user().count() >= MOST
            && let Some(oldest) = oldest
        {
            sessions.remove(&oldest);
        }
        let session = Session {
            user,
            ends: now + LASTS,
        };
        sessions.insert(hash_of(&secret), session);
        Ok(secret)
    }

    /// The user of a session.
    pub(super) fn user(&self, secret: &str) -> Option<SignedIn> {
        let sessions = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let session = sessions.get(&hash_of(secret))?;
        (session.ends > Instant::now()).then(|| session.user.clone())
    }

    /// Ends a session.
    pub(super) fn end(&self, secret: &str) {
        let mut sessions = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        sessions.remove(&hash_of(secret));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn user(name: &str) -> SignedIn {
        SignedIn {
            name: name.to_owned(),
            token_sha256: format!("hash of {name}"),
        }
    }

    #[test]
    fn a_session_ends_when_the_user_signs_out() {
        let sessions = Sessions::default();
        let (ada, bob) = (
            sessions.start(user("ada")).unwrap(),
            sessions.start(user("bob")).unwrap(),
        );
        assert_eq!(sessions.user(&ada), Some(user("ada")));
        assert_eq!(sessions.user("x"), None);
        sessions.end(&ada);
        assert_eq!(sessions.user(&ada), None);
        assert_eq!(sessions.user(&bob), Some(user("bob")));
    }

    #[test]
    fn signing_in_often_ends_only_the_own_sessions() {
        let sessions = Sessions::default();
        let bob = sessions.start(user("bob")).unwrap();
        let first = sessions.start(user("ada")).unwrap();
        for _ in 0..MOST {
            sessions.start(user("ada")).unwrap();
        }
        assert_eq!(sessions.user(&first), None);
        assert_eq!(sessions.user(&bob), Some(user("bob")));
    }
}
