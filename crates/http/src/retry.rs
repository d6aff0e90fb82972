use std::time::Duration;

/// The first pause; each further one is twice as long.
const FIRST: Duration = Duration::from_millis(500);
/// The longest pause that no server asked for.
const LONGEST: Duration = Duration::from_secs(30);

/// Whether a status is temporary: a time-out, too many requests, or any failure of the server. Some model providers use 529 for overload, a common
/// content delivery network uses 520-524 and 530 for a failing server behind it, and gateways that restart say 501, 505 or 507.
pub(crate) fn is_passing(status: u16) -> bool {
    matches!(status, 408 | 425 | 429 | 500..=599)
}

/// How long to wait before try number `tries + 1`: doubling, and varied by a quarter in each direction by `random` so that many clients do not retry at
/// the same time.
pub(crate) fn pause(tries: u32, random: u64) -> Duration {
    doubled(FIRST, LONGEST, tries, random)
}

fn doubled(first: Duration, longest: Duration, tries: u32, random: u64) -> Duration {
    let doubled = first.saturating_mul(1_u32.checked_shl(tries.saturating_sub(1)).unwrap_or(u32::MAX));
    let spread = 75 + u32::try_from(random % 51).unwrap_or_default();
    doubled.min(longest) * spread / 100
}

/// The first pause of a caller that waits for a host that is down; each further one is twice as long.
const SHORT_FIRST: Duration = Duration::from_millis(250);
/// The longest such pause: a host that is up again is noticed within this time.
const SHORT_LONGEST: Duration = Duration::from_secs(5);

/// Like [`pause`], for callers that wait for a host that is down.
pub(crate) fn short_pause(tries: u32, random: u64) -> Duration {
    doubled(SHORT_FIRST, SHORT_LONGEST, tries, random)
}

/// The wait requested by the server: `Retry-After-Ms`, or `Retry-After` in seconds or as a date, which is relative to the server's own `Date` and not to
/// the local clock, or the time until an exhausted rate limit is reset (`X-RateLimit-Reset-Tokens: 6m0s`), or the delay in an error of Google's services.
pub(crate) fn asked_to_wait(headers: &[(String, String)], body: &[u8]) -> Option<Duration> {
    let header = |name: &str| {
        headers
            .iter()
            .find(|(key, _)| key == name)
            .map(|(_, value)| value.trim())
    };
    let milliseconds = || {
        let wait = header("retry-after-ms")?.parse::<f64>().ok()?;
        Duration::try_from_secs_f64(wait / 1_000.0).ok()
    };
    let retry_after = || {
        let value = header("retry-after")?;
        if let Ok(seconds) = value.parse::<f64>() {
            return Duration::try_from_secs_f64(seconds).ok();
        }
        let then = httpdate::parse_http_date(value).ok()?;
        let now = httpdate::parse_http_date(header("date")?).ok()?;
        Some(then.duration_since(now).unwrap_or_default())
    };
    let reset = || {
        let of = |what: &str| {
            let left: f64 = header(&format!("x-ratelimit-remaining-{what}"))?.parse().ok()?;
            let reset = span(header(&format!("x-ratelimit-reset-{what}"))?)?;
            (left < 1.0).then_some(reset)
        };
        of("requests").max(of("tokens"))
    };
    let wait = milliseconds().or_else(retry_after).or_else(reset);
    wait.or_else(|| delay_in(body)).map(|wait| wait.min(LONGEST_WISH))
}

/// A longer wait is as good as never, and could not be added to a time.
const LONGEST_WISH: Duration = Duration::from_secs(24 * 60 * 60);

/// Bodies above this size are no error messages.
const LONGEST_ERROR: usize = 64 << 10;

/// The `retryDelay` of an error of Google's services: `"34s"`.
fn delay_in(body: &[u8]) -> Option<Duration> {
    if body.len() > LONGEST_ERROR {
        return None;
    }
    let value: serde_json::Value = serde_json::from_slice(body).ok()?;
    // Some of these services wrap the error in a list.
    let value = value.get(0).unwrap_or(&value);
    let details = value.pointer("/error/details")?.as_array()?;
    details.iter().find_map(|one| span(one.get("retryDelay")?.as_str()?))
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

/// The minimum time between two requests from a host's rate limit, if it sends one: `x-rate-limit-limit: 50` within `x-rate-limit-interval: 1s`.
pub(crate) fn stated_pace(headers: &[(String, String)]) -> Option<Duration> {
    // A limit that would stop a run is a mistake, or is also reported in another way.
    const SLOWEST: Duration = Duration::from_secs(10);
    let header = |name: &str| {
        headers
            .iter()
            .find(|(key, _)| key == name)
            .map(|(_, value)| value.trim())
    };
    let limit: u32 = header("x-rate-limit-limit")?.parse().ok().filter(|limit| *limit > 0)?;
    let interval = header("x-rate-limit-interval")?;
    let number = interval.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let seconds = match interval.get(number.len()..)? {
        "" | "s" => 1,
        "m" => 60,
        _ => return None,
    };
    let interval: u32 = number.trim().parse().ok()?;
    let between = Duration::from_secs(u64::from(interval) * seconds) / limit;
    Some(between).filter(|between| *between <= SLOWEST)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rate_limit_header_sets_the_pace_and_invalid_ones_are_ignored() {
        let pace = |limit: &str, interval: &str| {
            let headers = [("x-rate-limit-limit", limit), ("x-rate-limit-interval", interval)];
            let headers: Vec<(String, String)> = headers
                .iter()
                .map(|(k, v)| ((*k).to_owned(), (*v).to_owned()))
                .collect();
            stated_pace(&headers).map(|between| between.as_millis())
        };
        assert_eq!(pace("50", "1s"), Some(20));
        assert_eq!(pace("1", "1s"), Some(1000));
        assert_eq!(pace("30", " 1m "), Some(2000));
        for (limit, interval) in [
            ("0", "1s"),
            ("-1", "1s"),
            ("x", "1s"),
            ("1", "1 fortnight"),
            ("1", "s"),
            ("1", "1m"),
            ("9", "99999999999s"),
        ] {
            assert_eq!(pace(limit, interval), None, "{limit} {interval}");
        }
        assert_eq!(stated_pace(&[]), None);
    }

    fn waits(pairs: &[(&str, &str)]) -> Option<u64> {
        let headers: Vec<(String, String)> = pairs.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect();
        asked_to_wait(&headers, b"").map(|wait| wait.as_secs())
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
            asked_to_wait(&headers, body.as_bytes()).map(|wait| wait.as_millis())
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
        for nonsense in ["", "{}", "[]", r#"{"error":{"details":[{"retryDelay":"soon"}]}}"#] {
            assert_eq!(milliseconds(&[], nonsense), None, "{nonsense}");
        }
    }

    #[test]
    fn pauses_grow_to_a_limit() {
        assert!(pause(1, 0) >= Duration::from_millis(375) && pause(1, 50) <= Duration::from_millis(626));
        assert!(pause(3, 25) > pause(2, 25));
        assert!(pause(64, 50) <= LONGEST * 5 / 4);
    }
}
