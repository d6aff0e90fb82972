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

    #[test]
    fn pauses_grow_to_a_limit() {
        assert!(pause(1, 0) >= Duration::from_millis(375) && pause(1, 50) <= Duration::from_millis(626));
        assert!(pause(3, 25) > pause(2, 25));
        assert!(pause(64, 50) <= LONGEST * 5 / 4);
    }
}
