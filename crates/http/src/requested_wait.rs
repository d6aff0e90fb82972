//! How long a server asks its clients to wait: in headers, or in the body of an error.

use std::time::{Duration, SystemTime};

use serde_json::Value;
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

/// A longer wait is as good as never, and could not be added to a time.
const LONGEST: Duration = Duration::from_secs(24 * 60 * 60);

/// Bodies above this size are no error messages.
const LONGEST_ERROR: usize = 64 << 10;

/// Headers with what is left of a limit, and with when it is reset: of OpenAI and services like it, of Anthropic, and of services with one limit, such
/// as OpenRouter.
const LIMITS: [[&str; 2]; 7] = [
    ["x-ratelimit-remaining-requests", "x-ratelimit-reset-requests"],
    ["x-ratelimit-remaining-tokens", "x-ratelimit-reset-tokens"],
    [
        "anthropic-ratelimit-requests-remaining",
        "anthropic-ratelimit-requests-reset",
    ],
    [
        "anthropic-ratelimit-tokens-remaining",
        "anthropic-ratelimit-tokens-reset",
    ],
    [
        "anthropic-ratelimit-input-tokens-remaining",
        "anthropic-ratelimit-input-tokens-reset",
    ],
    [
        "anthropic-ratelimit-output-tokens-remaining",
        "anthropic-ratelimit-output-tokens-reset",
    ],
    ["x-ratelimit-remaining", "x-ratelimit-reset"],
];

/// The wait that a server asks for: `Retry-After-Ms` or `Retry-After`, else that in the body of an error, else the time until an exhausted rate limit is
/// reset (`X-RateLimit-Reset-Tokens: 6m0s`).
pub(crate) fn requested_wait(headers: &[(String, String)], body: &[u8]) -> Option<Duration> {
    let header = lookup(headers);
    let now = server_time(headers);
    let wait = explicit(&header, now).or_else(|| requested_in_body(headers, body));
    wait.or_else(|| until_reset(&header, now))
}

/// A wait in words: `45 minutes`, `3 hours`.
#[must_use]
pub fn wait_in_words(wait: Duration) -> String {
    match wait.as_secs().div_ceil(60) {
        minutes @ ..=120 => format!("{minutes} minutes"),
        _ if wait >= LONGEST => "at least 24 hours".to_owned(),
        minutes => format!("{} hours", minutes.div_ceil(60)),
    }
}

/// Whether a server asks for a wait, and does not just mention that this request was the last before a limit.
pub(crate) fn is_wait_requested(headers: &[(String, String)], body: &[u8]) -> bool {
    let header = lookup(headers);
    explicit(&header, server_time(headers)).is_some() || requested_in_body(headers, body).is_some()
}

/// The wait that the body of an error asks for: the `retryDelay` of Google's services (`"34s"`), or the headers of the service behind OpenRouter.
pub(crate) fn requested_in_body(headers: &[(String, String)], body: &[u8]) -> Option<Duration> {
    if body.len() > LONGEST_ERROR {
        return None;
    }
    let value: Value = serde_json::from_slice(body).ok()?;
    // Some of Google's services wrap the error in a list.
    let error = value.get(0).unwrap_or(&value).get("error")?;
    let details = error.get("details").and_then(Value::as_array);
    let delay = details.and_then(|details| details.iter().find_map(|one| span(one.get("retryDelay")?.as_str()?)));
    let of_service = || {
        let inner = error.pointer("/metadata/headers")?.as_object()?;
        let header = |name: &str| {
            let found = inner.iter().find(|(key, _)| key.eq_ignore_ascii_case(name));
            found.map(|(_, value)| {
                value
                    .as_str()
                    .map_or_else(|| value.to_string(), |text| text.trim().to_owned())
            })
        };
        let now = server_time(headers);
        explicit(&header, now).or_else(|| until_reset(&header, now))
    };
    delay.map(|wait| wait.min(LONGEST)).or_else(of_service)
}

fn lookup(headers: &[(String, String)]) -> impl Fn(&str) -> Option<String> {
    |name| {
        let found = headers.iter().find(|(key, _)| key == name);
        found.map(|(_, value)| value.trim().to_owned())
    }
}

/// The server's own time, so that a wrong local clock does not matter.
fn server_time(headers: &[(String, String)]) -> Option<SystemTime> {
    let (_, date) = headers.iter().find(|(key, _)| key == "date")?;
    httpdate::parse_http_date(date.trim()).ok()
}

/// `Retry-After-Ms`, or `Retry-After` in seconds or as a date.
fn explicit(header: &dyn Fn(&str) -> Option<String>, now: Option<SystemTime>) -> Option<Duration> {
    let milliseconds = || {
        let wait = header("retry-after-ms")?.parse::<f64>().ok()?;
        Duration::try_from_secs_f64(wait / 1_000.0).ok()
    };
    let retry_after = || {
        let value = header("retry-after")?;
        if let Ok(seconds) = value.parse::<f64>() {
            return Duration::try_from_secs_f64(seconds).ok();
        }
        let then = httpdate::parse_http_date(&value).ok()?;
        Some(then.duration_since(now?).unwrap_or_default())
    };
    milliseconds().or_else(retry_after).map(|wait| wait.min(LONGEST))
}

/// The time until the last of the exhausted limits is reset.
fn until_reset(header: &dyn Fn(&str) -> Option<String>, now: Option<SystemTime>) -> Option<Duration> {
    let of = |[remaining, reset]: &[&str; 2]| {
        let left: f64 = header(remaining)?.parse().ok()?;
        let reset = until(&header(reset)?, now)?;
        // A reset that has passed says nothing about this answer.
        ((0.0..1.0).contains(&left) && !reset.is_zero()).then_some(reset.min(LONGEST))
    };
    LIMITS.iter().filter_map(of).max()
}

/// The time until a reset: a span, seconds, seconds or milliseconds since 1970, or a date.
fn until(text: &str, now: Option<SystemTime>) -> Option<Duration> {
    /// A number this large is no wait but a time since 1970: as a wait it would be 30 years.
    const EPOCH_SECONDS: f64 = 1e9;
    const EPOCH_MILLISECONDS: f64 = 1e12;
    let text = text.trim();
    let then = match text.parse::<f64>() {
        Ok(number) if number >= EPOCH_MILLISECONDS => since_1970(number / 1_000.0)?,
        Ok(number) if number >= EPOCH_SECONDS => since_1970(number)?,
        Ok(seconds) => return Duration::try_from_secs_f64(seconds).ok(),
        Err(_) => match OffsetDateTime::parse(text, &Rfc3339) {
            Ok(then) => then.into(),
            Err(_) => return span(text),
        },
    };
    Some(then.duration_since(now?).unwrap_or_default())
}

fn since_1970(seconds: f64) -> Option<SystemTime> {
    SystemTime::UNIX_EPOCH.checked_add(Duration::try_from_secs_f64(seconds).ok()?)
}

/// A time span such as `6m0s`, `1.5s` or `120ms`.
fn span(text: &str) -> Option<Duration> {
    let mut rest = text.trim();
    let mut seconds = 0.0;
    while !rest.is_empty() {
        let end = rest.find(|c: char| c.is_ascii_alphabetic())?;
        let (number, after) = rest.split_at(end);
        let end = after.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(after.len());
        let (unit, after) = after.split_at(end);
        let factor = match unit {
            "ms" => 0.001,
            "s" => 1.0,
            "m" => 60.0,
            "h" => 3_600.0,
            _ => return None,
        };
        seconds += number.parse::<f64>().ok()? * factor;
        rest = after;
    }
    Duration::try_from_secs_f64(seconds).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn waits(pairs: &[(&str, &str)]) -> Option<u64> {
        let headers: Vec<(String, String)> = pairs.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect();
        requested_wait(&headers, b"").map(|wait| wait.as_secs())
    }

    #[test]
    fn retry_after_is_read_in_both_forms_and_invalid_values_are_ignored() {
        assert_eq!(waits(&[("retry-after", "30")]), Some(30));
        assert_eq!(waits(&[("retry-after", " 1.7 ")]), Some(1));
        let date = ("date", "Sat, 21 Nov 2026 10:00:00 GMT");
        assert_eq!(
            waits(&[("retry-after", "Sat, 21 Nov 2026 10:01:00 GMT"), date]),
            Some(60)
        );
        assert_eq!(
            waits(&[("retry-after", "Sat, 21 Nov 2026 09:00:00 GMT"), date]),
            Some(0)
        );
        for nonsense in ["soon", "-5", "NaN", "inf", "1e300", ""] {
            assert_eq!(waits(&[("retry-after", nonsense), date]), None, "{nonsense}");
        }
        assert_eq!(waits(&[("retry-after", "Sat, 21 Nov 2026 10:01:00 GMT")]), None);
        assert_eq!(waits(&[]), None);
    }

    #[test]
    fn the_waits_of_model_providers_are_read() {
        let milliseconds = |pairs: &[(&str, &str)], body: &str| {
            let headers: Vec<(String, String)> =
                pairs.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect();
            requested_wait(&headers, body.as_bytes()).map(|wait| wait.as_millis())
        };
        assert_eq!(
            milliseconds(&[("retry-after-ms", "1250"), ("retry-after", "2")], ""),
            Some(1_250)
        );
        let limits = [
            ("x-ratelimit-remaining-requests", "59"),
            ("x-ratelimit-reset-requests", "1s"),
            ("x-ratelimit-remaining-tokens", "0"),
            ("x-ratelimit-reset-tokens", "6m0.5s"),
        ];
        assert_eq!(milliseconds(&limits, ""), Some(360_500));
        assert_eq!(
            milliseconds(limits.get(..2).unwrap_or_default(), ""),
            None,
            "nothing is exhausted"
        );
        let google = r#"{"error":{"code":429,"details":[{"@type":"x/QuotaFailure"},{"@type":"x/RetryInfo","retryDelay":"34s"}]}}"#;
        assert_eq!(milliseconds(&[], google), Some(34_000));
        assert_eq!(milliseconds(&[], &format!("[{google}]")), Some(34_000));
        assert_eq!(
            milliseconds(&[("retry-after", "10000000000000000000")], ""),
            Some(86_400_000)
        );
        let date = ("date", "Sat, 21 Nov 2026 10:00:00 GMT");
        // OpenRouter, in headers and inside its error; GitHub; Azure.
        let left = ("x-ratelimit-remaining", "0");
        assert_eq!(
            milliseconds(&[left, ("x-ratelimit-reset", "1795255242000"), date], ""),
            Some(42_000)
        );
        let inside = r#"{"error":{"code":429,"metadata":{"headers":{"X-RateLimit-Remaining":"0","X-RateLimit-Reset":"1795255242000"}}}}"#;
        assert_eq!(milliseconds(&[date], inside), Some(42_000));
        assert_eq!(milliseconds(&[], inside), None, "the server's time is unknown");
        assert_eq!(
            milliseconds(&[left, ("x-ratelimit-reset", "1795255242"), date], ""),
            Some(42_000)
        );
        assert_eq!(
            milliseconds(&[left, ("x-ratelimit-reset", "1795255142"), date], ""),
            None,
            "it has passed"
        );
        assert_eq!(milliseconds(&[left, ("x-ratelimit-reset", "7")], ""), Some(7_000));
        assert_eq!(
            milliseconds(&[("x-ratelimit-remaining", "-1"), ("x-ratelimit-reset", "7")], ""),
            None
        );
        let anthropic = [
            ("anthropic-ratelimit-requests-remaining", "49"),
            ("anthropic-ratelimit-requests-reset", "2026-11-21T10:01:00Z"),
            ("anthropic-ratelimit-input-tokens-remaining", "0"),
            ("anthropic-ratelimit-input-tokens-reset", "2026-11-21T10:00:09Z"),
            date,
        ];
        assert_eq!(milliseconds(&anthropic, ""), Some(9_000));
        for nonsense in ["", "{}", "[]", r#"{"error":{"details":[{"retryDelay":"soon"}]}}"#] {
            assert_eq!(milliseconds(&[], nonsense), None, "{nonsense}");
        }
    }

    #[test]
    fn waits_in_words() {
        let words = |minutes: u64| wait_in_words(Duration::from_secs(minutes * 60));
        assert_eq!(
            [words(45), words(120), words(121), words(1_440)],
            ["45 minutes", "120 minutes", "3 hours", "at least 24 hours"]
        );
    }

    #[test]
    fn an_exhausted_limit_alone_asks_for_no_wait() {
        let exhausted = [("x-ratelimit-remaining", "0"), ("x-ratelimit-reset", "60")];
        let headers = |pairs: &[(&str, &str)]| -> Vec<(String, String)> {
            pairs.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect()
        };
        assert!(!is_wait_requested(&headers(&exhausted), b"not found"));
        assert!(is_wait_requested(&headers(&[("retry-after", "3")]), b""));
    }
}
