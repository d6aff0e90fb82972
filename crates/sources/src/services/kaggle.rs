use std::time::Duration;

use precedent_domain::{EvidenceKind, PartialDate};
use precedent_http::{HttpError, Pace, Request};
use serde_json::Value;

use crate::service::{Draft, Endpoint, Found, Page, Service, Unreadable, Words, array, from_words, string};

const ID: &str = "kaggle";
/// The most informative words of a query, of which Kaggle should find all.
const WORDS: usize = 4;
/// When Kaggle opened. Records have only the date of their last change, so this is the earliest day on which one may have appeared.
const OPENED: &str = "2010-04";

/// A list of Kaggle. API: <https://github.com/Kaggle/kaggle-api>.
pub(crate) struct KaggleList {
    id: &'static str,
    about: &'static str,
    part_of: Option<&'static str>,
    /// Its name in the API.
    name: &'static str,
    /// The folder of its pages.
    folder: &'static str,
    /// Where a record has the time of its last change.
    changed: &'static str,
}

/// Data sets.
pub(crate) const DATA_SETS: KaggleList = KaggleList {
    id: ID,
    about: "data sets on Kaggle, with title and subtitle; needs a free API token",
    part_of: None,
    name: "datasets",
    folder: "datasets",
    changed: "/lastUpdated",
};

/// Notebooks.
pub(crate) const NOTEBOOKS: KaggleList = KaggleList {
    id: "kaggle-notebooks",
    about: "notebooks on Kaggle, with their titles alone; searched whenever kaggle is",
    part_of: Some(ID),
    name: "kernels",
    folder: "code",
    changed: "/lastRunTime",
};

impl Service for KaggleList {
    fn id(&self) -> &'static str {
        self.id
    }

    fn about(&self) -> &'static str {
        self.about
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
        self.part_of
    }

    fn pace(&self, _: &Endpoint) -> Pace {
        PACE
    }

    fn page(&self) -> usize {
        PAGE
    }

    fn wordings(&self, words: &Words) -> Vec<String> {
        vec![words.meaningful(WORDS).join(" ")]
    }

    fn request(&self, wording: &str, page: &Page, endpoint: &Endpoint) -> Result<Request, HttpError> {
        let request = Request::get(self.id, &format!("{}/{}/list", endpoint.base, self.name))?
            .parameter("search", wording)
            .parameter("pageSize", &page.size.to_string())
            .parameter("page", &(page.start / page.size.max(1) + 1).to_string());
        Ok(match &endpoint.key {
            Some(key) => request.secret_header("Authorization", "Bearer ", key.clone()),
            None => request,
        })
    }

    /// A list is a bare array and does not say how many records there are.
    fn read(&self, body: &str) -> Result<Found, Unreadable> {
        let items = array(body)?;
        Ok(Found {
            works: items.iter().filter_map(|item| self.draft(item)).collect(),
            more: !items.is_empty(),
        })
    }
}

impl KaggleList {
    fn draft(&self, item: &Value) -> Option<Draft> {
        let name = string(item, "/ref").filter(|name| is_name(name))?;
        let changed: Option<PartialDate> = string(item, self.changed).and_then(|message| from_words(&message));
        Some(Draft {
            id: format!("{}:{name}", self.id),
            title: string(item, "/title").unwrap_or_else(|| name.clone()),
            summary: string(item, "/subtitle"),
            begun: changed.and_then(|_| OPENED.parse().ok()),
            dates: changed.into_iter().collect(),
            addresses: vec![format!("https://www.kaggle.com/{}/{name}", self.folder)],
            ..Draft::default()
        })
    }
}

const BASE: &str = "https://www.kaggle.com/api/v1";
const TOKEN: &str = "KAGGLE_API_TOKEN";
/// Chosen by hand, because Kaggle publishes no limit.
const PACE: Pace = Pace {
    between: Duration::from_millis(1_000),
    at_once: 1,
};
const PAGE: usize = 20;

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
            DATA_SETS.read(&body).unwrap().works
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
