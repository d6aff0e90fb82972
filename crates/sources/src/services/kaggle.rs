use std::time::Duration;

use precedent_domain::{EvidenceKind, PartialDate};
use precedent_http::{HttpError, Pace, Request};
use serde_json::Value;

use crate::service::{Draft, Endpoint, Found, Page, Service, Unreadable, Words, array, from_words, string};

const ID: &str = "kaggle";
const NOTEBOOKS: &str = "kaggle-notebooks";
/// The most informative words of a query, of which Kaggle should find all.
const WORDS: usize = 4;
/// When Kaggle opened. Records have only the date of their last change, so this is the earliest day on which one may have appeared.
const OPENED: &str = "2010-04";

/// Data sets on Kaggle. API: <https://github.com/Kaggle/kaggle-api>.
pub(crate) struct KaggleService;

/// Notebooks on Kaggle, from another list of the same API.
pub(crate) struct KaggleNotebooksService;

impl Service for KaggleService {
    fn id(&self) -> &'static str {
        ID
    }

    fn about(&self) -> &'static str {
        "data sets on Kaggle, with title and subtitle; needs a free API token"
    }

    fn kind(&self) -> EvidenceKind {
        EvidenceKind::Code
    }

    fn base(&self) -> &'static str {
        BASE
    }

    fn key_variable(&self) -> Option<&'static str> {
        Some(TOKEN)
    }

    fn needs_key(&self) -> bool {
        true
    }

    fn pace(&self, _: &Endpoint) -> Pace {
        PACE
    }

    fn page(&self) -> usize {
        PAGE
    }

    fn wordings(&self, words: &Words) -> Vec<String> {
        vec![words.telling(WORDS).join(" ")]
    }

    fn request(&self, wording: &str, page: &Page, endpoint: &Endpoint) -> Result<Request, HttpError> {
        search(ID, "datasets", wording, page, endpoint)
    }

    fn read(&self, body: &str) -> Result<Found, Unreadable> {
        records(body, |item| draft(item, ID, "datasets", "/lastUpdated"))
    }
}

impl Service for KaggleNotebooksService {
    fn id(&self) -> &'static str {
        NOTEBOOKS
    }

    fn about(&self) -> &'static str {
        "notebooks on Kaggle, with their titles alone; searched whenever kaggle is"
    }

    fn kind(&self) -> EvidenceKind {
        EvidenceKind::Code
    }

    fn base(&self) -> &'static str {
        BASE
    }

    fn key_variable(&self) -> Option<&'static str> {
        Some(TOKEN)
    }

    fn needs_key(&self) -> bool {
        true
    }

    fn part_of(&self) -> Option<&'static str> {
        Some(ID)
    }

    fn pace(&self, _: &Endpoint) -> Pace {
        PACE
    }

    fn page(&self) -> usize {
        PAGE
    }

    fn wordings(&self, words: &Words) -> Vec<String> {
        vec![words.telling(WORDS).join(" ")]
    }

    fn request(&self, wording: &str, page: &Page, endpoint: &Endpoint) -> Result<Request, HttpError> {
        search(NOTEBOOKS, "kernels", wording, page, endpoint)
    }

    fn read(&self, body: &str) -> Result<Found, Unreadable> {
        records(body, |item| draft(item, NOTEBOOKS, "code", "/lastRunTime"))
    }
}

/// What both lists share. The pace was chosen by hand, because Kaggle publishes no limit.
const BASE: &str = "https://www.kaggle.com/api/v1";
const TOKEN: &str = "KAGGLE_API_TOKEN";
const PACE: Pace = Pace {
    between: Duration::from_millis(1_000),
    at_once: 1,
};
const PAGE: usize = 20;

fn search(
    service: &'static str,
    list: &str,
    wording: &str,
    page: &Page,
    endpoint: &Endpoint,
) -> Result<Request, HttpError> {
    let request = Request::get(service, &format!("{}/{list}/list", endpoint.base))?
        .parameter("search", wording)
        .parameter("pageSize", &page.size.to_string())
        .parameter("page", &(page.start / page.size.max(1) + 1).to_string());
    Ok(match &endpoint.key {
        Some(key) => request.secret_header("Authorization", "Bearer ", key.clone()),
        None => request,
    })
}

/// The records of a list, which is a bare array and does not say how many there are.
fn records(body: &str, draft: impl Fn(&Value) -> Option<Draft>) -> Result<Found, Unreadable> {
    let items = array(body)?;
    Ok(Found {
        works: items.iter().filter_map(draft).collect(),
        more: !items.is_empty(),
    })
}

fn draft(item: &Value, service: &str, folder: &str, changed: &str) -> Option<Draft> {
    let name = string(item, "/ref").filter(|name| is_name(name))?;
    let changed: Option<PartialDate> = string(item, changed).and_then(|said| from_words(&said));
    Some(Draft {
        id: format!("{service}:{name}"),
        title: string(item, "/title").unwrap_or_else(|| name.clone()),
        summary: string(item, "/subtitle"),
        begun: changed.and_then(|_| OPENED.parse().ok()),
        dates: changed.into_iter().collect(),
        addresses: vec![format!("https://www.kaggle.com/{folder}/{name}")],
        ..Draft::default()
    })
}

/// Whether this is `owner/name` and can become part of an address.
fn is_name(name: &str) -> bool {
    let plain = |part: &str| {
        !part.is_empty()
            && part
                .bytes()
                .all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_'))
    };
    name.split_once('/')
        .is_some_and(|(owner, name)| plain(owner) && plain(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_valid_names_become_part_of_an_address() {
        let read = |name: &str| {
            let body = serde_json::json!([{"ref": name, "title": "Ropes"}]).to_string();
            KaggleService.read(&body).unwrap().works
        };
        assert_eq!(
            read("lab/ropes-1")[0].addresses,
            ["https://www.kaggle.com/datasets/lab/ropes-1"]
        );
        for bad in ["lab", "lab/..", "lab/a/b", "lab/a?x=1", "/a", "lab/", "lab/%2e"] {
            assert!(read(bad).is_empty(), "{bad}");
        }
    }
}
