use std::time::Duration;

use precedent_http::{HttpError, Pace, Request};
use roxmltree::{Document, Node, ParsingOptions};

use crate::service::{Draft, Endpoint, Found, Page, Service, Unreadable, Words, ends_early};

const ID: &str = "arxiv";
/// Maximum number of XML nodes in an answer: a hundred entries have about three thousand.
const MOST_NODES: u32 = 200_000;
/// Words per query.
const WORDS: usize = 6;
/// The service occasionally returns this in place of a page of results.
const EMPTY_PAGE: &str = "it is an empty page of a list that is not empty";
/// A date long before the first preprint.
const FIRST: &str = "198601010000";

/// arXiv's own search. API as of April 2026: <https://info.arxiv.org/help/api>.
pub(crate) struct ArxivService;

impl Service for ArxivService {
    fn id(&self) -> &'static str {
        ID
    }

    fn about(&self) -> &'static str {
        "preprints, with abstracts and the date of the first version; slow because of its rate limit, no key"
    }

    fn base(&self) -> &'static str {
        "https://export.arxiv.org"
    }

    fn pace(&self, _: &Endpoint) -> Pace {
        // Its terms allow one request every three seconds, on one connection.
        Pace::one_every(Duration::from_secs(3))
    }

    fn deadline(&self) -> Duration {
        // Twelve queries, three seconds apart, and twice the time for answers.
        Duration::from_secs(120)
    }

    fn wordings(&self, words: &Words) -> Vec<String> {
        let terms: Vec<String> = words
            .meaningful(WORDS)
            .iter()
            .map(|word| format!("all:{word}"))
            .collect();
        // Sorted by relevance, papers with all of the words come first. Asking for those alone found fewer than ten for 98 of 100 queries.
        vec![terms.join(" OR ")]
    }

    fn request(&self, wording: &str, page: &Page, endpoint: &Endpoint) -> Result<Request, HttpError> {
        let search = match page.last_day() {
            Some(day) => format!(
                "({wording}) AND submittedDate:[{FIRST} TO {}2359]",
                day.replace('-', "")
            ),
            None => wording.to_owned(),
        };
        let request = Request::get(ID, &format!("{}/api/query", endpoint.base))?
            .parameter("search_query", &search)
            .parameter("start", &page.start.to_string())
            .parameter("max_results", &page.size.to_string())
            .parameter("sortBy", "relevance")
            .parameter("sortOrder", "descending");
        Ok(request)
    }

    fn is_damaged(&self, body: &str) -> bool {
        ends_early(body) || self.read(body) == Err(Unreadable(EMPTY_PAGE.to_owned()))
    }

    fn read(&self, body: &str) -> Result<Found, Unreadable> {
        // Without a document type there are no custom entities: a short text that expands to gigabytes is rejected.
        let options = ParsingOptions {
            allow_dtd: false,
            nodes_limit: MOST_NODES,
            ..ParsingOptions::default()
        };
        let document = Document::parse_with_options(body, options)
            .map_err(|error| Unreadable(format!("it is not a feed ({error})")))?;
        let feed = document.root_element();
        if feed.tag_name().name() != "feed" {
            return Err(Unreadable("it is not a feed".to_owned()));
        }
        let number = |name: &'static str| text(feed, name).and_then(|text| text.parse::<u64>().ok());
        let total = number("totalResults");
        let entries: Vec<Node<'_, '_>> = children(feed, "entry").collect();
        if let Some(error) = entries.iter().find(|entry| is_error(**entry)) {
            let message = text(*error, "summary").unwrap_or_default();
            return Err(Unreadable(format!("it says: {}", crate::service::plain(&message, 120))));
        }
        let start = number("startIndex").unwrap_or_default();
        let seen = start + entries.len() as u64;
        if entries.is_empty() && total.is_some_and(|total| total > start) {
            // Pages are occasionally empty although there are more results.
            return Err(Unreadable(EMPTY_PAGE.to_owned()));
        }
        Ok(Found {
            works: entries.into_iter().filter_map(draft).collect(),
            more: total.is_some_and(|total| total > seen),
        })
    }
}

fn children<'a, 'd>(node: Node<'a, 'd>, name: &'static str) -> impl Iterator<Item = Node<'a, 'd>> {
    node.children()
        .filter(move |child| child.is_element() && child.tag_name().name() == name)
}

/// All text inside the first child with this name.
fn text(node: Node<'_, '_>, name: &'static str) -> Option<String> {
    let child = children(node, name).next()?;
    let text: String = child
        .descendants()
        .filter(Node::is_text)
        .filter_map(|part| part.text())
        .collect();
    Some(text.trim().to_owned()).filter(|text| !text.is_empty())
}

fn is_error(entry: Node<'_, '_>) -> bool {
    text(entry, "id").is_some_and(|id| id.contains("/api/errors"))
}

fn draft(entry: Node<'_, '_>) -> Option<Draft> {
    let address = text(entry, "id")?;
    let (_, id) = address.split_once("/abs/")?;
    let id: precedent_domain::ArxivId = id.parse().ok()?;
    // The date of the first version; `updated` is the date of this version.
    let published = text(entry, "published").and_then(|date| date.parse().ok());
    Some(Draft {
        id: format!("{ID}:{id}"),
        title: text(entry, "title")?,
        summary: text(entry, "summary"),
        authors: children(entry, "author")
            .filter_map(|author| text(author, "name"))
            .collect(),
        venue: text(entry, "journal_ref"),
        dates: published.into_iter().collect(),
        doi: text(entry, "doi"),
        arxiv: Some(id.to_string()),
        addresses: vec![format!("https://arxiv.org/abs/{id}")],
        ..Draft::default()
    })
}
