use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::{Duration, SystemTime};

use axum::extract::{Path, Query, Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::{get, post};
use axum::{Form, Json, Router};
use serde::Deserialize;
use tower::ServiceExt;

use super::sessions::{LASTS, Sessions, SignedIn};
use super::{User, Users, hash_of};
use crate::ServerError;
use crate::api::{self, Health};
use crate::error::Problem;
use crate::jobs::Jobs;
use crate::pages;
use crate::state::{Base, State as UserState};
use crate::watches::check_when_due;

/// How often the server looks for changes of the users.
const BETWEEN: Duration = Duration::from_secs(1);

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
    /// When the file of users was changed that was read last. Locked while it is read.
    read: Mutex<Option<SystemTime>>,
    /// Whether browsers use TLS.
    secure: bool,
}

#[derive(Debug, Default)]
struct Members {
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

/// Who sends a request.
enum Sender {
    Member(String, Router),
    /// The folder of a user cannot be opened.
    WithoutFolder,
    Unknown,
}

impl Gate {
    pub(crate) fn open(base: Base, secure: bool) -> Result<Arc<Self>, ServerError> {
        let gate = Arc::new(Self {
            users: Users::of(base.data()),
            base,
            sessions: Sessions::default(),
            members: Mutex::default(),
            read: Mutex::default(),
            secure,
        });
        gate.read_users()?;
        tokio::spawn(keep_up(Arc::downgrade(&gate)));
        Ok(gate)
    }

    fn lock(&self) -> MutexGuard<'_, Members> {
        self.members.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Reads the file of users if it has changed. May take as long as the processes of a removed user need to end.
    fn read_users(&self) -> Result<(), ServerError> {
        let mut read = self.read.lock().unwrap_or_else(PoisonError::into_inner);
        let changed = std::fs::metadata(self.users.path())
            .and_then(|facts| facts.modified())
            .ok();
        if *read == changed && changed.is_some() {
            return Ok(());
        }
        let users = self.users.list().map_err(ServerError::Users)?;
        // From here on, nobody else is let in.
        let gone = {
            let mut members = self.lock();
            let tokens = users.iter().map(|user| (user.token_sha256.clone(), user.name.clone()));
            members.by_token = tokens.collect();
            let stays = |member: &Member| users.contains(&member.user);
            let all = std::mem::take(&mut members.by_name);
            let (stay, gone): (HashMap<_, _>, HashMap<_, _>) = all.into_iter().partition(|(_, member)| stays(member));
            members.by_name = stay;
            gone
        };
        let mut failed = None;
        for (name, member) in gone {
            // Its folder may be opened again below, unless a process still uses it. Then it keeps its place until the next time.
            if !member.jobs.close() {
                failed = Some(ServerError::StillRunning { name: name.clone() });
                self.lock().by_name.insert(name, member);
            }
        }
        for user in users {
            if self.lock().by_name.contains_key(&user.name) {
                continue;
            }
            match self.member(&user) {
                Ok(member) => drop(self.lock().by_name.insert(user.name, member)),
                Err(error) => failed = Some(error),
            }
        }
        match failed {
            // It is tried again.
            Some(error) => Err(error),
            None => {
                *read = changed;
                Ok(())
            }
        }
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
    fn sender(&self, headers: &HeaderMap) -> Sender {
        let Some(user) = self.with_token(headers).or_else(|| self.with_session(headers)) else {
            return Sender::Unknown;
        };
        let members = self.lock();
        if members.by_token.get(&user.token_sha256) != Some(&user.name) {
            return Sender::Unknown;
        }
        match members.by_name.get(&user.name) {
            Some(member) if member.user.token_sha256 == user.token_sha256 => {
                Sender::Member(user.name, member.routes.clone())
            }
            _ => Sender::WithoutFolder,
        }
    }

    fn with_token(&self, headers: &HeaderMap) -> Option<SignedIn> {
        let value = headers.get(header::AUTHORIZATION)?.to_str().ok()?;
        let (scheme, token) = value.split_once(' ')?;
        // A proxy may have credentials of its own.
        scheme.eq_ignore_ascii_case("bearer").then(|| self.user_of(token))?
    }

    fn with_session(&self, headers: &HeaderMap) -> Option<SignedIn> {
        self.sessions.user(&cookie(headers, self.cookie_name())?)
    }

    fn user_of(&self, token: &str) -> Option<SignedIn> {
        let token_sha256 = hash_of(token.trim());
        let name = self.lock().by_token.get(&token_sha256).cloned()?;
        Some(SignedIn { name, token_sha256 })
    }

    /// With this prefix, browsers take the cookie only from this host, over TLS and for all its pages.
    fn cookie_name(&self) -> &'static str {
        if self.secure { "__Host-precedent" } else { "precedent" }
    }

    fn all_jobs(&self) -> Vec<Arc<Jobs>> {
        let members = self.lock();
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
        let name = self.cookie_name();
        let secure = if self.secure { "; Secure" } else { "" };
        let text = format!("{name}={value}; Path=/; Max-Age={seconds}; HttpOnly; SameSite=Strict{secure}");
        HeaderValue::from_str(&text).ok()
    }
}

/// The value of the session's cookie. Two of them are none: another site of the same domain may have set one.
fn cookie(headers: &HeaderMap, name: &str) -> Option<String> {
    let lines = headers.get_all(header::COOKIE).iter();
    let pairs = lines
        .filter_map(|line| line.to_str().ok())
        .flat_map(|line| line.split(';'));
    let mut values = pairs.filter_map(|pair| pair.trim().strip_prefix(name)?.strip_prefix('='));
    let value = values.next()?;
    values.next().is_none().then(|| value.to_owned())
}

/// Takes note of changes of the users, until the server ends.
async fn keep_up(gate: Weak<Gate>) {
    loop {
        tokio::time::sleep(BETWEEN).await;
        let Some(gate) = gate.upgrade() else { return };
        let read = tokio::task::spawn_blocking(move || gate.read_users()).await;
        if let Ok(Err(error)) = read {
            // Whoever was removed is out; the rest is tried again.
            tracing::warn!("the users could not be read: {error}");
        }
    }
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
    match gate.sender(request.headers()) {
        Sender::Member(name, routes) => {
            let answer = USER.scope(name, routes.oneshot(request)).await;
            answer.unwrap_or_else(|never| match never {})
        }
        Sender::WithoutFolder => {
            let problem = Problem::new(
                StatusCode::SERVICE_UNAVAILABLE,
                "conflict",
                "your folder on the server cannot be opened now",
            )
            .hint("try again in a minute; the log of the server says why");
            match request.uri().path().starts_with("/api/") {
                true => problem.into_response(),
                false => pages::problem(&problem),
            }
        }
        Sender::Unknown => refused(&request),
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
    let Some(user) = gate.user_of(&form.token) else {
        return pages::sign_in(StatusCode::UNAUTHORIZED, next, true);
    };
    let cookie = match gate.sessions.start(user) {
        Ok(secret) => gate.set_cookie(&secret, LASTS.as_secs()),
        Err(error) => return pages::problem(&Problem::io("start a session", &error)),
    };
    with_cookie(Redirect::to(next).into_response(), cookie)
}

async fn sign_out(State(gate): State<Arc<Gate>>, headers: HeaderMap) -> Response {
    if let Some(secret) = cookie(&headers, gate.cookie_name()) {
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
        let of = |lines: &[&'static str]| {
            let mut headers = HeaderMap::new();
            for line in lines {
                headers.append(header::COOKIE, HeaderValue::from_static(line));
            }
            cookie(&headers, "precedent")
        };
        assert_eq!(of(&["a=1; precedentx=2; precedent=3"]).as_deref(), Some("3"));
        assert_eq!(of(&[]), None);
        assert_eq!(of(&["precedent=3; precedent=4"]), None);
        assert_eq!(of(&["precedent=3", "precedent=4"]), None);
    }
}
