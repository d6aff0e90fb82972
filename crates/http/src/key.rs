use precedent_ledger::InputHash;

use crate::Request;

/// The key of a request in the record: everything that may change the answer, and no secret.
pub(crate) fn key(request: &Request) -> InputHash {
    let mut headers = request.headers.clone();
    headers.sort();
    let headers: Vec<String> = headers
        .into_iter()
        .map(|(name, value)| format!("{name}: {value}"))
        .collect();
    let parts = [request.method.name(), request.url.as_str()]
        .into_iter()
        .chain(headers.iter().map(String::as_str))
        .map(str::as_bytes)
        .chain([request.body.as_slice()]);
    InputHash::of(parts)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Secret;

    #[test]
    fn everything_but_a_secret_changes_the_key() {
        let base = || Request::post_json("test", "https://example.org/v1", &"question").unwrap();
        let same = base().secret_header("x-key", "", Secret::new("one-secret"));
        assert_eq!(key(&base()), key(&same));
        let others = [
            Request::post_json("test", "https://example.org/v2", &"question").unwrap(),
            Request::post_json("test", "https://example.org/v1", &"another").unwrap(),
            base().header("version", "2"),
            base().parameter("a", "b"),
            Request::get("test", "https://example.org/v1").unwrap(),
        ];
        for other in others {
            assert_ne!(key(&base()), key(&other), "{other:?}");
        }
        let one = base().header("a", "1").header("b", "2");
        let two = base().header("b", "2").header("a", "1");
        assert_eq!(key(&one), key(&two), "the order of headers does not matter");
    }

    #[test]
    fn long_requests_that_differ_at_the_end_have_different_keys() {
        let long = "word ".repeat(100_000);
        let one = Request::post_json("test", "https://example.org", &format!("{long}one")).unwrap();
        let two = Request::post_json("test", "https://example.org", &format!("{long}two")).unwrap();
        assert_ne!(key(&one), key(&two));
    }
}
