use precedent_domain::{Author, DateOrigin, PartialDate, PublicationDate};
use scraper::{ElementRef, Html};

use crate::draft::Draft;
use crate::format::fold_space;

/// Reads the metadata that publishers put in the page head for indexers (`citation_title`, `DC.Title`, …).
pub(super) fn read_meta(page: &Html, draft: &mut Draft) {
    let mut fallback = None;
    let mut dates = Vec::new();
    for element in page
        .root_element()
        .descendent_elements()
        .filter(|element| element.value().name() == "meta")
        .take(5_000)
    {
        let value = element.value();
        let Some(content) = value
            .attr("content")
            .map(fold_space)
            .filter(|content| !content.is_empty())
        else {
            continue;
        };
        let name = value
            .attr("name")
            .or_else(|| value.attr("property"))
            .unwrap_or_default()
            .to_lowercase();
        match name.as_str() {
            "citation_title" => draft.title = Some(content),
            "dc.title" | "og:title" | "eprints.title" => fallback = fallback.or(Some(content)),
            "citation_author" | "dc.creator" | "citation_authors" => {
                let names: Vec<&str> = if name == "citation_authors" || content.contains(';') {
                    content.split(';').collect()
                } else {
                    vec![&content]
                };
                for name in names {
                    let author = Author::new(&reading_order(name));
                    if !author.name.is_empty() && !draft.authors.contains(&author) && draft.authors.len() < 5_000 {
                        draft.authors.push(author);
                    }
                }
            }
            "citation_publication_date"
            | "citation_date"
            | "citation_online_date"
            | "dc.date"
            | "article:published_time" => {
                dates.extend(content.replace("/", "-").parse::<PartialDate>().ok());
            }
            "citation_doi" | "dc.identifier" | "prism.doi" => {
                draft.identifiers.doi = draft.identifiers.doi.take().or_else(|| content.parse().ok());
            }
            "citation_arxiv_id" => draft.identifiers.arxiv = content.parse().ok(),
            "citation_pdf_url" | "og:url" | "citation_abstract_html_url" => {
                draft.identifiers.acl = draft
                    .identifiers
                    .acl
                    .take()
                    .or_else(|| content.contains("aclanthology").then(|| content.parse().ok()).flatten());
                draft.identifiers.arxiv = draft
                    .identifiers
                    .arxiv
                    .take()
                    .or_else(|| content.contains("arxiv.org").then(|| content.parse().ok()).flatten());
                draft.identifiers.openreview = draft.identifiers.openreview.take().or_else(|| {
                    content
                        .contains("openreview.net")
                        .then(|| content.parse().ok())
                        .flatten()
                });
            }
            _ => {}
        }
    }
    draft.title = draft.title.take().or(fallback);
    draft.dates.extend(dates.into_iter().map(|date| PublicationDate {
        date,
        origin: DateOrigin::FrontMatter,
    }));
}

/// `Lee, Ann` as `Ann Lee`.
fn reading_order(name: &str) -> String {
    match name.split_once(',') {
        Some((family, given)) if !given.contains(',') => format!("{} {}", given.trim(), family.trim()),
        _ => name.to_owned(),
    }
}

/// The page title without the site name.
pub(super) fn page_title(page: &Html) -> Option<String> {
    let title = page
        .root_element()
        .descendent_elements()
        .find(|element| element.value().name() == "title")?;
    let words = fold_space(&title.text().collect::<String>());
    let bare = [
        " - ACL Anthology",
        " | OpenReview",
        " - ar5iv",
        " | PLOS ONE",
        " | Nature",
    ]
    .iter()
    .find_map(|site| words.strip_suffix(site).map(str::to_owned))
    .unwrap_or(words);
    // arXiv: `[2101.00001] Title`.
    let bare = match bare.strip_prefix('[').and_then(|rest| rest.split_once("] ")) {
        Some((id, rest)) if id.parse::<precedent_domain::ArxivId>().is_ok() => rest.to_owned(),
        _ => bare,
    };
    Some(bare).filter(|title| !title.is_empty())
}

pub(super) fn has_class(element: &ElementRef<'_>, class: &str) -> bool {
    element.value().classes().any(|name| name == class)
}
