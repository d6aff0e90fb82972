use std::time::Duration;

use precedent_domain::{EvidenceKind, PartialDate, Work, WorkId};
use precedent_http::{HttpError, Pace, Request};
use serde_json::Value;

use crate::service::{
    Draft, Endpoint, Found, Page, Service, ServiceError, TextAt, Unreadable, Words, count, from_words, list,
    message_of, object, string,
};

const ID: &str = "github";
/// The server for archives of repositories.
const ARCHIVES: &str = "https://codeload.github.com";
/// Words per query, all of which must appear in name, description, topics or README; and words of the wider query.
const WORDS: usize = 4;
const FEWER: usize = 2;

/// Repositories on GitHub. API of 2022-11-28: <https://docs.github.com/en/rest/search/search#search-repositories>.
pub(crate) struct GithubService;

impl Service for GithubService {
    fn id(&self) -> &'static str {
        ID
    }

    fn about(&self) -> &'static str {
        "repositories, with README, functions and calls; three times as fast with a token"
    }

    fn kind(&self) -> EvidenceKind {
        EvidenceKind::Code
    }

    fn base(&self) -> &'static str {
        "https://api.github.com"
    }

    fn key_variable(&self) -> Option<&'static str> {
        Some("GITHUB_TOKEN")
    }

    fn pace(&self, endpoint: &Endpoint) -> Pace {
        // Searches per minute: thirty with a token, ten without.
        let between = if endpoint.key.is_some() { 2_100 } else { 6_100 };
        Pace::one_every(Duration::from_millis(between))
    }

    fn deadline(&self) -> Duration {
        Duration::from_secs(150)
    }

    fn page(&self) -> usize {
        30
    }

    fn wordings(&self, words: &Words) -> Vec<String> {
        let (narrow, wide) = (words.meaningful(WORDS), words.meaningful(FEWER));
        match narrow.len() > wide.len() {
            true => vec![narrow.join(" "), wide.join(" ")],
            false => vec![narrow.join(" ")],
        }
    }

    fn request(&self, wording: &str, page: &Page, endpoint: &Endpoint) -> Result<Request, HttpError> {
        let query = match page.last_day() {
            Some(day) => format!("{wording} in:name,description,topics,readme created:<={day}"),
            None => format!("{wording} in:name,description,topics,readme"),
        };
        let request = Request::get(ID, &format!("{}/search/repositories", endpoint.base))?
            .parameter("q", &query)
            .parameter("per_page", &page.size.to_string())
            .parameter("page", &(page.start / page.size.max(1) + 1).to_string())
            .header("accept", "application/vnd.github+json")
            .header("x-github-api-version", "2022-11-28");
        Ok(match &endpoint.key {
            Some(key) => request.secret_header("Authorization", "Bearer ", key.clone()),
            None => request,
        })
    }

    fn read(&self, body: &str) -> Result<Found, Unreadable> {
        let answer = Value::Object(object(body)?);
        let Some(items) = answer.get("items").and_then(Value::as_array) else {
            return Err(Unreadable("it contains no items".to_owned()));
        };
        let total = answer.get("total_count").and_then(Value::as_u64).unwrap_or_default();
        Ok(Found {
            works: items.iter().filter_map(draft).collect(),
            more: !items.is_empty() && total > items.len() as u64,
        })
    }

    fn trouble(&self, status: u16, body: &str) -> ServiceError {
        let is_limit = body.to_ascii_lowercase().contains("rate limit");
        match status {
            // The limit per minute and the secondary rate limit both pass.
            403 | 429 if is_limit => ServiceError::TooFast,
            403 => ServiceError::Refused {
                status,
                message: message_of(body),
            },
            _ => ServiceError::usual(status, body),
        }
    }

    fn text(&self, work: &Work, endpoint: &Endpoint) -> Option<TextAt> {
        let name = std::iter::once(&work.id).chain(&work.also).find_map(named)?;
        let base = endpoint.texts.as_deref().unwrap_or(ARCHIVES);
        Some(TextAt::Archive(format!("{base}/{name}/tar.gz/HEAD")))
    }
}

/// `owner/name`, if it is a valid repository name.
fn named(id: &WorkId) -> Option<&str> {
    let name = id.as_str().strip_prefix(ID)?.strip_prefix(':')?;
    is_name(name).then_some(name)
}

fn is_name(name: &str) -> bool {
    let plain = |part: &str| {
        !matches!(part, "" | "." | "..")
            && part
                .bytes()
                .all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.'))
    };
    name.split_once('/')
        .is_some_and(|(owner, name)| plain(owner) && plain(name))
}

fn draft(item: &Value) -> Option<Draft> {
    let name = string(item, "/full_name").filter(|name| is_name(name))?;
    // A fork adds nothing to the original repository.
    if item.get("fork").and_then(Value::as_bool) == Some(true) {
        return None;
    }
    let date = |path: &str| -> Option<PartialDate> { from_words(&string(item, path)?) };
    let topics: Vec<&str> = list(item, "/topics").iter().filter_map(Value::as_str).collect();
    let summary = string(item, "/description").unwrap_or_else(|| topics.join(", "));
    Some(Draft {
        id: format!("{ID}:{name}"),
        summary: Some(summary),
        dates: date("/pushed_at").into_iter().collect(),
        begun: date("/created_at"),
        stars: count(item, "/stargazers_count"),
        // The address in the record is not needed.
        addresses: vec![format!("https://github.com/{name}")],
        title: name,
        ..Draft::default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_valid_repository_names_become_part_of_an_address() {
        let at = |id: &str, texts: Option<&str>| {
            let draft = Draft {
                id: id.to_owned(),
                title: "Rope".to_owned(),
                ..Draft::default()
            };
            let endpoint = Endpoint {
                base: String::new(),
                key: None,
                mailto: None,
                token: None,
                texts: texts.map(str::to_owned),
            };
            GithubService.text(&draft.work(ID)?, &endpoint)
        };
        let archive = |address: &str| Some(TextAt::Archive(address.to_owned()));
        assert_eq!(
            at("github:rope-lab/creep.py", None),
            archive("https://codeload.github.com/rope-lab/creep.py/tar.gz/HEAD")
        );
        assert_eq!(
            at("github:a/b", Some("http://mirror.lab")),
            archive("http://mirror.lab/a/b/tar.gz/HEAD")
        );
        for bad in [
            "github:a",
            "github:a/../../b",
            "github:a/b/c",
            "github:a/b?x=1",
            "github:a/b#",
            "github:a/%2e%2e",
            "github:@evil.example/b",
            "github:./b",
            "page:github.com/a/b",
        ] {
            assert_eq!(at(bad, None), None, "{bad}");
        }
    }
}
