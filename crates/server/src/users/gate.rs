use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

use axum::extract::{Path, Query, Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::{get, post};
use axum::{Form, Json, Router};
use serde::Deserialize;
use tower::ServiceExt;

use super::sessions::{LASTS, Sessions};
use super::{User, Users, hash_of};
use crate::api::{self, Health};
use crate::error::Problem;
use crate::jobs::Jobs;
use crate::pages;
use crate::state::{Base, State as UserState};
use crate::watches::check_when_due;
use crate::{ServerError, UsersError};

/// The cookie of a browser that is signed in.
const COOKIE: &str = "precedent";
/// How a program sends its token.
const BEARER: &str = "Bearer ";

tokio::task_local! {
    /// The user of the request that this task answers.
    static USER: String;
}

/// The name of the user whose request is being answered, for the top of each page.
pub(crate) fn signed_in() -> Option<String> {
    USER.try_with(Clone::clone).ok()
}

/// Finds out who sends a request, and passes it to that user's own routes.
#[derive(Debug)]
pub(crate) struct Gate {
    base: Base,
    users: Users,
    sessions: Sessions,
    members: Mutex<Members>,
    /// Whether browsers may send the cookie only over TLS.
    secure: bool,
}

#[derive(Debug, Default)]
struct Members {
    /// When the file was changed that they were read from.
    read: Option<SystemTime>,
    by_name: HashMap<String, Member>,
    /// Names by hash of the token.
    by_token: HashMap<String, String>,
}

/// A user with everything that belongs to them.
#[derive(Debug, Clone)]
struct Member {
    user: User,
    routes: Router,
    jobs: Arc<Jobs>,
}

impl Gate {
    pub(crate) fn open(base: Base, secure: bool) -> Result<Arc<Self>, ServerError> {
        let gate = Self {
            users: Users::of(base.data()),
            base,
            sessions: Sessions::default(),
            members: Mutex::default(),
            secure,
        };
        gate.read_users().map_err(ServerError::Users)?;
        Ok(Arc::new(gate))
    }

    /// Reads the file of users if it has changed, so that a removed user is out at once.
    fn read_users(&self) -> Result<(), UsersError> {
        let changed = std::fs::metadata(self.users.path())
            .and_then(|facts| facts.modified())
            .ok();
        let mut members = self.members.lock().unwrap_or_else(PoisonError::into_inner);
        if members.read == changed && changed.is_some() {
            return Ok(());
        }
        let users = self.users.list()?;
        let names: BTreeSet<&str> = users.iter().map(|user| user.name.as_str()).collect();
        members.by_name.retain(|name, member| {
            let stays = names.contains(name.as_str());
            if !stays {
                // Waits until the runs have recorded that they were interrupted: the same name may be added again.
                member.jobs.close();
            }
            stays
        });
        for user in &users {
            // With a new token or new limits, the routes are made again; the runs go on.
            if members.by_name.get(&user.name).is_some_and(|known| known.user == *user) {
                continue;
            }
            if let Some(known) = members.by_name.remove(&user.name) {
                known.jobs.close();
            }
            match self.member(user) {
                Ok(member) => {
                    members.by_name.insert(user.name.clone(), member);
                }
                Err(error) => tracing::warn!("failed to open the folder of {}: {error}", user.name),
            }
        }
        members.by_token = users.into_iter().map(|user| (user.token_sha256, user.name)).collect();
        members.read = changed;
        Ok(())
    }

    fn member(&self, user: &User) -> Result<Member, ServerError> {
        let folder = self.base.data().join("users").join(&user.name);
        let state = UserState::open(&self.base, &folder, self.base.offer_for(&user.limits))?;
        let jobs = Arc::clone(&state.jobs);
        tokio::spawn(check_when_due(Arc::downgrade(&state)));
        let routes = api::router().split_for_parts().0.merge(pages::router());
        Ok(Member {
            user: user.clone(),
            routes: routes.with_state(state),
            jobs,
        })
    }

    /// The user of a request: by token, or by the session of a browser.
    fn user_of(&self, headers: &HeaderMap) -> Option<(String, Router)> {
        if let Err(error) = self.read_users() {
            // Whoever was allowed before still is.
            tracing::warn!("the users could not be read: {error}");
        }
        let token = headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
        let name = match token {
            Some(token) => self.name_of(token.strip_prefix(BEARER)?)?,
            None => self.sessions.user(&cookie(headers)?)?,
        };
        let members = self.members.lock().unwrap_or_else(PoisonError::into_inner);
        let member = members.by_name.get(&name)?;
        Some((name, member.routes.clone()))
    }

    fn name_of(&self, token: &str) -> Option<String> {
        let members = self.members.lock().unwrap_or_else(PoisonError::into_inner);
        members.by_token.get(&hash_of(token.trim())).cloned()
    }

    fn all_jobs(&self) -> Vec<Arc<Jobs>> {
        let members = self.members.lock().unwrap_or_else(PoisonError::into_inner);
        members
            .by_name
            .values()
            .map(|member| Arc::clone(&member.jobs))
            .collect()
    }

    /// Interrupts the runs of all users. The next server continues them.
    pub(crate) fn close(&self) {
        let threads: Vec<_> = self
            .all_jobs()
            .into_iter()
            .map(|jobs| std::thread::spawn(move || jobs.close()))
            .collect();
        for thread in threads {
            let _ = thread.join();
        }
    }

    fn set_cookie(&self, value: &str, seconds: u64) -> Option<HeaderValue> {
        let secure = if self.secure { "; Secure" } else { "" };
        let text = format!("{COOKIE}={value}; Path=/; Max-Age={seconds}; HttpOnly; SameSite=Strict{secure}");
        HeaderValue::from_str(&text).ok()
    }
}

/// The value of the session's cookie.
fn cookie(headers: &HeaderMap) -> Option<String> {
    let lines = headers.get_all(header::COOKIE).iter();
    let pairs = lines
        .filter_map(|line| line.to_str().ok())
        .flat_map(|line| line.split(';'));
    let mut values = pairs.filter_map(|pair| pair.trim().strip_prefix(COOKIE)?.strip_prefix('='));
    values.next().map(str::to_owned)
}

/// The routes of a server with users: what anybody may see, and everything else for the user who asks.
pub(crate) fn users_router(gate: Arc<Gate>) -> Router {
    Router::new()
        .route("/sign-in", get(sign_in_form).post(sign_in))
        .route("/sign-out", post(sign_out))
        .route("/assets/{name}", get(pages::asset))
        .route("/api/v1/health", get(health))
        .route("/shared/{secret}/{name}", get(shared))
        .fallback(pass)
        .with_state(gate)
}

async fn pass(State(gate): State<Arc<Gate>>, request: Request) -> Response {
    match gate.user_of(request.headers()) {
        Some((name, routes)) => {
            let answer = USER.scope(name, routes.oneshot(request)).await;
            answer.unwrap_or_else(|never| match never {})
        }
        None => refused(&request),
    }
}

/// The answer without a token: an error for a program, the form for a browser.
fn refused(request: &Request) -> Response {
    let path = request.uri().path();
    if path.starts_with("/api/") {
        let problem = Problem::new(StatusCode::UNAUTHORIZED, "refused", "the request has no valid token")
            .hint("send the token that `precedent users add` printed, as `Authorization: Bearer TOKEN`");
        let mut response = problem.into_response();
        let scheme = HeaderValue::from_static("Bearer");
        response.headers_mut().insert(header::WWW_AUTHENTICATE, scheme);
        return response;
    }
    let next = match request.method() == Method::GET && path != "/" {
        true => format!("/sign-in?next={}", encoded(path)),
        false => "/sign-in".to_owned(),
    };
    Redirect::to(&next).into_response()
}

fn encoded(text: &str) -> String {
    let byte = |byte: u8| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'/' => char::from(byte).to_string(),
        byte => format!("%{byte:02X}"),
    };
    text.bytes().map(byte).collect()
}

/// Where to go after signing in: an address of this server only.
fn local(next: Option<&str>) -> &str {
    let is_local = |next: &&str| {
        next.starts_with('/') && !next.starts_with("//") && !next.contains('\\') && !next.chars().any(char::is_control)
    };
    next.filter(is_local).unwrap_or("/")
}

#[derive(Debug, Deserialize)]
struct Next {
    next: Option<String>,
}

#[derive(Debug, Deserialize)]
struct SignIn {
    #[serde(default)]
    token: String,
    next: Option<String>,
}

async fn sign_in_form(Query(query): Query<Next>) -> Response {
    pages::sign_in(StatusCode::OK, local(query.next.as_deref()), false)
}

/// Exchanges a token for the cookie of a session.
async fn sign_in(State(gate): State<Arc<Gate>>, Form(form): Form<SignIn>) -> Response {
    let next = local(form.next.as_deref());
    if let Err(error) = gate.read_users() {
        tracing::warn!("the users could not be read: {error}");
    }
    let Some(name) = gate.name_of(&form.token) else {
        return pages::sign_in(StatusCode::UNAUTHORIZED, next, true);
    };
    let cookie = match gate.sessions.start(&name) {
        Ok(secret) => gate.set_cookie(&secret, LASTS.as_secs()),
        Err(error) => return pages::problem(&Problem::io("start a session", &error)),
    };
    with_cookie(Redirect::to(next).into_response(), cookie)
}

async fn sign_out(State(gate): State<Arc<Gate>>, headers: HeaderMap) -> Response {
    if let Some(secret) = cookie(&headers) {
        gate.sessions.end(&secret);
    }
    with_cookie(Redirect::to("/sign-in").into_response(), gate.set_cookie("", 0))
}

fn with_cookie(mut response: Response, cookie: Option<HeaderValue>) -> Response {
    if let Some(cookie) = cookie {
        response.headers_mut().insert(header::SET_COOKIE, cookie);
    }
    response
}

/// The same as without users, for all users together.
async fn health(State(gate): State<Arc<Gate>>) -> Json<Health> {
    Json(Health::of(gate.all_jobs().iter().map(|jobs| jobs.counts())))
}

/// A file of a run whose owner made a link. Whoever has the link can open it.
async fn shared(State(gate): State<Arc<Gate>>, Path((secret, name)): Path<(String, String)>) -> Response {
    let hash = hash_of(&secret);
    let mut found = gate
        .all_jobs()
        .into_iter()
        .filter_map(|jobs| Some((jobs.shared(&hash)?, jobs)));
    let answer = match found.next() {
        Some((record, jobs)) => api::file_of(&jobs, &record, &name),
        None => Err(Problem::not_found("page")),
    };
    answer.unwrap_or_else(|problem| pages::problem(&problem))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signing_in_leads_to_no_other_site() {
        assert_eq!(local(Some("/runs/12?x=1")), "/runs/12?x=1");
        for next in ["//evil.example", "https://evil.example", "/\\evil.example", "", "/a\nb"] {
            assert_eq!(local(Some(next)), "/", "{next}");
        }
        assert_eq!(local(None), "/");
        assert_eq!(encoded("/runs/ä b"), "/runs/%C3%A4%20b");
    }

    #[test]
    fn the_cookie_is_found_among_others() {
        let mut headers = HeaderMap::new();
        headers.append(
            header::COOKIE,
            HeaderValue::from_static("a=1; precedentx=2; precedent=3"),
        );
        assert_eq!(cookie(&headers).as_deref(), Some("3"));
        assert_eq!(cookie(&HeaderMap::new()), None);
    }
}
