use std::time::Duration;

use precedent_domain::{Doi, PartialDate};
use precedent_http::{HttpError, Pace, Request, Secret};
use serde_json::Value;

use crate::paper::doi_in_address;
use crate::service::{
    Draft, Endpoint, Found, Login, Page, Service, ServiceError, Unreadable, Words, from_epoch_ms, list, message_of,
    object, string,
};

pub(super) const ID: &str = "openreview";
/// The environment variable of the password.
pub(super) const PASSWORD: &str = "OPENREVIEW_PASSWORD";
/// Words per query.
pub(super) const WORDS: usize = 12;

/// OpenReview, public submissions, API v2, as its client of July 2026 uses it: <https://docs.openreview.net>.
pub(crate) struct OpenReviewService;

impl Service for OpenReviewService {
    fn id(&self) -> &'static str {
        ID
    }

    fn about(&self) -> &'static str {
        "conference submissions since 2023, with abstracts and submission dates; an account gives access to more; too many requests lead to a lockout"
    }

    fn base(&self) -> &'static str {
        "https://api2.openreview.net"
    }

    fn pace(&self, _: &Endpoint) -> Pace {
        Pace::one_every(Duration::from_millis(1_000))
    }

    fn wordings(&self, words: &Words) -> Vec<String> {
        vec![words.meaningful(WORDS).join(" ")]
    }

    fn request(&self, wording: &str, page: &Page, endpoint: &Endpoint) -> Result<Request, HttpError> {
        search(ID, wording, page, endpoint)
    }

    fn key_variable(&self) -> Option<&'static str> {
        Some(PASSWORD)
    }

    fn login(&self) -> Option<&'static dyn Login> {
        Some(&OpenReviewLogin)
    }

    fn read(&self, body: &str) -> Result<Found, Unreadable> {
        notes(body)
    }

    fn trouble(&self, status: u16, body: &str) -> ServiceError {
        what_is_wrong(status, body)
    }
}

/// The login of users with an account. Both API versions accept the token of either.
pub(super) struct OpenReviewLogin;

impl Login for OpenReviewLogin {
    fn user_variable(&self) -> &'static str {
        "OPENREVIEW_USERNAME"
    }

    fn request(&self, endpoint: &Endpoint, user: Secret, password: Secret) -> Result<Request, HttpError> {
        let address = format!("{}/login", endpoint.base);
        Request::post_secrets(ID, &address, vec![("id", user), ("password", password)])
    }

    fn token(&self, body: &str) -> Result<Secret, Unreadable> {
        let answer = Value::Object(object(body)?);
        match string(&answer, "/token") {
            Some(token) => Ok(Secret::new(&token)),
            None if answer.get("mfaPendingToken").is_some() => Err(Unreadable(
                "the account requires a second factor at every login, which is not supported; use an account without one".to_owned(),
            )),
            None => Err(Unreadable("it contains no token".to_owned())),
        }
    }
}

/// Searches everything that is public, or that the account may read.
pub(super) fn search(who: &str, wording: &str, page: &Page, endpoint: &Endpoint) -> Result<Request, HttpError> {
    let request = Request::get(who, &format!("{}/notes/search", endpoint.base))?
        .parameter("term", wording)
        .parameter("content", "all")
        .parameter("group", "all")
        .parameter("source", "forum")
        .parameter("limit", &page.size.to_string())
        .parameter("offset", &page.start.to_string());
    Ok(match &endpoint.token {
        Some(token) => request.secret_header("Authorization", "Bearer ", token.clone()),
        None => request,
    })
}

/// The works in an answer of either API version.
pub(super) fn notes(body: &str) -> Result<Found, Unreadable> {
    let answer = Value::Object(object(body)?);
    let Some(notes) = answer.get("notes").and_then(Value::as_array) else {
        return Err(Unreadable("it contains no notes".to_owned()));
    };
    let count = answer.get("count").and_then(Value::as_u64).unwrap_or_default();
    Ok(Found {
        works: notes.iter().filter_map(draft).collect(),
        more: !notes.is_empty() && count > notes.len() as u64,
    })
}

pub(super) fn what_is_wrong(status: u16, body: &str) -> ServiceError {
    let message = message_of(body);
    match status {
        429 => match stated_wait(&message) {
            Some(seconds) if seconds > 30 => ServiceError::LockedOut { seconds },
            _ => ServiceError::TooFast,
        },
        // All later requests would be refused too.
        403 if body.contains("ChallengeRequiredError") => ServiceError::Challenge { message },
        // Notes that require a login, and logins that require a second factor.
        401 | 403 => ServiceError::Key { message },
        _ => ServiceError::usual(status, body),
    }
}

/// The wait in `Please try again in 30 minutes and 8 seconds`, in seconds.
fn stated_wait(message: &str) -> Option<u64> {
    let (_, rest) = message.split_once("try again in ")?;
    let words: Vec<&str> = rest.split_whitespace().take(8).collect();
    let mut seconds = None;
    for pair in words.windows(2) {
        let [number, unit] = pair else { continue };
        let factor = match unit.trim_end_matches(['.', ',']).trim_end_matches('s') {
            "hour" => 3600,
            "minute" => 60,
            "second" => 1,
            _ => continue,
        };
        let number: u64 = number.parse().ok()?;
        seconds = Some(seconds.unwrap_or(0_u64).saturating_add(number.saturating_mul(factor)));
    }
    seconds
}

fn draft(note: &Value) -> Option<Draft> {
    let forum = string(note, "/forum").or_else(|| string(note, "/id"))?;
    let forum: precedent_domain::OpenReviewId = forum.parse().ok()?;
    // Values are nested in v2 and plain in v1.
    let content = |name: &str| {
        let path = format!("/content/{name}");
        string(note, &format!("{path}/value")).or_else(|| string(note, &path))
    };
    // Where records imported from elsewhere link to the paper, such as arXiv or a publisher.
    let html = content("html");
    let doi = html.as_deref().and_then(|html| {
        let plain = || html.contains("doi.org/").then(|| html.parse().ok()).flatten();
        doi_in_address(html).or_else(plain)
    });
    Some(Draft {
        id: format!("{ID}:{forum}"),
        title: content("title")?,
        summary: content("abstract"),
        authors: authors(note),
        venue: content("venue"),
        dates: dates(note, content("venueid").as_deref()),
        openreview: Some(forum.to_string()),
        doi: doi.map(|doi: Doi| doi.to_string()),
        addresses: std::iter::once(format!("https://openreview.net/forum?id={forum}"))
            .chain(html)
            .collect(),
        ..Draft::default()
    })
}

/// Prefixes, in lower case, of invitations and venue ids of imported records.
const IMPORTED: [&str; 3] = ["dblp.org", "orcid.org", "openreview.net/public_article"];

/// The dates of a note. `cdate` can be set by hand, `tcdate` is when the note was created, and `pdate` is when the work appeared elsewhere.
///
/// Records imported from DBLP or ORCID are only dated to the year: `tcdate` is the day of the import, and `pdate` represents a year. A `pdate` of the
/// first of January always means a year.
fn dates(note: &Value, venue: Option<&str>) -> Vec<PartialDate> {
    let day = |name: &str| note.get(name).and_then(Value::as_i64).and_then(from_epoch_ms);
    let year = |date: PartialDate| PartialDate::new(date.year(), None, None).ok();
    let published = day("pdate");
    if is_imported(note, venue) {
        let of_venue = || PartialDate::new(venue?.rsplit('/').next()?.parse().ok()?, None, None).ok();
        return published.and_then(year).or_else(of_venue).into_iter().collect();
    }
    let published = match published {
        Some(date) if (date.month(), date.day()) == (Some(1), Some(1)) => year(date),
        date => date,
    };
    [day("tcdate"), published].into_iter().flatten().collect()
}

/// Whether a note mirrors a record of another service.
fn is_imported(note: &Value, venue: Option<&str>) -> bool {
    let invitations = list(note, "/invitations").iter().chain(list(note, "/invitation"));
    let names = invitations.filter_map(Value::as_str).chain(venue);
    let mut names = names.map(str::to_ascii_lowercase);
    names.any(|name| IMPORTED.iter().any(|start| name.starts_with(start)))
}

/// Names under both schemas: a list of strings or of people, nested or plain.
fn authors(note: &Value) -> Vec<String> {
    let wrapped = list(note, "/content/authors/value");
    let all = if wrapped.is_empty() {
        list(note, "/content/authors")
    } else {
        wrapped
    };
    let name = |one: &Value| one.as_str().map(str::to_owned).or_else(|| string(one, "/fullname"));
    all.iter().filter_map(name).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_challenge_a_login_and_a_lockout_are_distinguished() {
        let trouble = |status, body: &str| OpenReviewService.trouble(status, body);
        let challenge = r#"{"name":"ChallengeRequiredError","message":"Please complete the challenge","status":403}"#;
        assert!(matches!(trouble(403, challenge), ServiceError::Challenge { message } if message.contains("complete")));
        let login =
            r#"{"name":"ForbiddenError","message":"You don't have permission to read these notes","status":403}"#;
        assert!(matches!(trouble(403, login), ServiceError::Key { .. }));
        let pending = r#"{"name":"UnauthorizedError","message":"MFA is pending","status":401,"mfaPendingToken":"x"}"#;
        assert!(matches!(trouble(401, pending), ServiceError::Key { .. }));
        let lock = r#"{"message":"Please try again in 2 hours and 1 minute"}"#;
        assert_eq!(trouble(429, lock), ServiceError::LockedOut { seconds: 7260 });
    }

    #[test]
    fn an_imported_record_is_dated_to_the_year() {
        // Noon of 1 January 2022, of 20 November 2022 and of 3 March 2024.
        let (new_year, november, import) = (1_641_038_400_000_i64, 1_668_945_600_000_i64, 1_709_467_200_000_i64);
        let of = |note: Value| -> Vec<String> {
            let venue = string(&note, "/content/venueid/value").or_else(|| string(&note, "/content/venueid"));
            let dates = dates(&note, venue.as_deref());
            dates.iter().map(ToString::to_string).collect()
        };
        let mirrored = |note: Value, years: &[&str]| assert_eq!(of(note.clone()), years, "{note}");
        let dblp = json!({"venueid": {"value": "dblp.org/conf/NIPS/2022"}});
        mirrored(json!({"pdate": new_year, "tcdate": import, "content": dblp}), &["2022"]);
        mirrored(json!({"tcdate": import, "content": dblp}), &["2022"]);
        mirrored(
            json!({"tcdate": import, "content": {"venueid": "dblp.org/journals/CORR"}}),
            &[],
        );
        let record =
            json!({"invitations": ["DBLP.org/-/Record", "DBLP.org/-/Edit"], "pdate": november, "tcdate": import});
        mirrored(record, &["2022"]);
        mirrored(json!({"invitation": "dblp.org/-/record", "pdate": new_year}), &["2022"]);
        let submitted = |pdate: i64| json!({"invitations": ["ICLR.cc/2023/Conference/-/Submission"], "tcdate": november, "pdate": pdate});
        mirrored(submitted(new_year), &["2022-11-20", "2022"]);
        mirrored(submitted(import), &["2022-11-20", "2024-03-03"]);
    }

    #[test]
    fn the_requested_wait_is_parsed() {
        assert_eq!(
            stated_wait("Please try again in 30 minutes and 8 seconds (2026-08-05-1)"),
            Some(1808)
        );
        assert_eq!(stated_wait("try again in 1 hour"), Some(3600));
        assert_eq!(stated_wait("try again in 12 seconds."), Some(12));
        assert_eq!(stated_wait("try again in a while"), None);
        assert_eq!(stated_wait("Too many requests"), None);
    }
}
