use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::secret::{hash_of, new_secret};

/// How long a browser stays signed in: a working day.
pub(super) const LASTS: Duration = Duration::from_secs(12 * 60 * 60);
/// Sessions at the same time. The oldest one ends first.
const MOST: usize = 10_000;

/// The browsers that are signed in. A server that starts again has none.
#[derive(Debug, Default)]
pub(super) struct Sessions(Mutex<HashMap<String, Session>>);

#[derive(Debug, Clone)]
struct Session {
    user: String,
    ends: Instant,
}

impl Sessions {
    /// Starts a session and returns its secret.
    pub(super) fn start(&self, user: &str) -> std::io::Result<String> {
        let secret = new_secret()?;
        let mut sessions = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let now = Instant::now();
        sessions.retain(|_, session| session.ends > now);
        if sessions.len() >= MOST
            && let Some(oldest) = sessions
                .iter()
                .min_by_key(|(_, session)| session.ends)
                .map(|(key, _)| key.clone())
        {
            sessions.remove(&oldest);
        }
        let session = Session {
            user: user.to_owned(),
            ends: now + LASTS,
        };
        sessions.insert(hash_of(&secret), session);
        Ok(secret)
    }

    /// The user of a session.
    pub(super) fn user(&self, secret: &str) -> Option<String> {
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

    #[test]
    fn a_session_ends_when_the_user_signs_out() {
        let sessions = Sessions::default();
        let (ada, bob) = (sessions.start("ada").unwrap(), sessions.start("bob").unwrap());
        assert_eq!(sessions.user(&ada).as_deref(), Some("ada"));
        assert_eq!(sessions.user("x"), None);
        sessions.end(&ada);
        assert_eq!(sessions.user(&ada), None);
        assert_eq!(sessions.user(&bob).as_deref(), Some("bob"));
    }
}
