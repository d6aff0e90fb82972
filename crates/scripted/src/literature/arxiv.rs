use super::record::{Asked, Library, LibraryRecord};
use super::{Answer, page};

const HEAD: &str = "<?xml version='1.0' encoding='UTF-8'?>\n<feed xmlns:opensearch=\"http://a9.com/-/spec/opensearch/1.1/\" \
xmlns:arxiv=\"http://arxiv.org/schemas/atom\" xmlns=\"http://www.w3.org/2005/Atom\">\n";
const KIND: &str = "application/atom+xml; charset=utf-8";

pub(super) fn play(asked: &Asked, library: &Library) -> Option<Answer> {
    if asked.path != "/api/query" {
        return None;
    }
    let query = asked.get("search_query")?;
    let (wording, until) = match query.split_once(" AND submittedDate:[") {
        Some((wording, range)) => (
            wording.trim_matches(['(', ')']),
            range.split_once(" TO ").map(|(_, to)| to),
        ),
        None => (query, None),
    };
    let terms: Vec<&str> = wording.split(' ').collect();
    if terms
        .iter()
        .any(|term| !term.starts_with("all:") && !matches!(*term, "AND" | "OR"))
    {
        return Some(error(400, "incorrect_query"));
    }
    let words: Vec<&str> = terms.iter().filter_map(|term| term.strip_prefix("all:")).collect();
    let found: Vec<&LibraryRecord> = library
        .search(&words.join(" "), !terms.contains(&"OR"), None)
        .into_iter()
        .filter(|record| !record.arxiv.is_empty())
        .filter(|record| {
            until.is_none_or(|until| day(record).replace('-', "").as_str() <= until.get(..8).unwrap_or_default())
        })
        .collect();
    let (start, size) = (asked.number("start", 0), asked.number("max_results", 10));
    let mut body = format!(
        "{HEAD}<id>https://arxiv.org/api/UY2mqR74Vu/gU683o8Kx4P2K0xU</id><title>arXiv Query</title><updated>2026-04-12T22:10:19Z</updated>\n\
         <opensearch:itemsPerPage>{size}</opensearch:itemsPerPage><opensearch:totalResults>{}</opensearch:totalResults>\
         <opensearch:startIndex>{start}</opensearch:startIndex>\n",
        found.len()
    );
    for record in page(&found, start, size) {
        body.push_str(&entry(record, library.nulls));
    }
    body.push_str("</feed>\n");
    Some(Answer::text(200, KIND, &body))
}

fn day(record: &LibraryRecord) -> &str {
    record.preprint.as_deref().unwrap_or(&record.day)
}

fn entry(record: &LibraryRecord, nulls: bool) -> String {
    let id = &record.arxiv;
    let head = format!(
        "<entry><id>http://arxiv.org/abs/{id}v2</id><title>{}</title>",
        escaped(&record.title)
    );
    if nulls {
        return format!("{head}<updated></updated><summary/><published></published><author><name/></author></entry>\n");
    }
    let authors: String = record
        .names()
        .map(|name| format!("<author><name>{}</name></author>", escaped(&name)))
        .collect();
    let doi = match record.doi.as_str() {
        "" => String::new(),
        doi => format!("<arxiv:doi>{}</arxiv:doi>", escaped(doi)),
    };
    format!(
        "{head}<updated>2029-01-01T00:00:00Z</updated><link href=\"https://arxiv.org/abs/{id}v2\" rel=\"alternate\" type=\"text/html\"/>\
         <link href=\"https://arxiv.org/pdf/{id}v2\" rel=\"related\" type=\"application/pdf\" title=\"pdf\"/><summary>{}</summary>\
         <category term=\"cs.CL\" scheme=\"http://arxiv.org/schemas/atom\"/><published>{}T17:59:46Z</published>{authors}{doi}</entry>\n",
        escaped(&record.summary),
        day(record)
    )
}

/// Its error format for an invalid request.
pub(super) fn error(status: u16, what: &str) -> Answer {
    let body = format!(
        "{HEAD}<title>arXiv Query</title><entry><id>https://arxiv.org/api/errors#{what}</id><title>Error</title><summary>{what}</summary></entry></feed>"
    );
    Answer::text(status, KIND, &body)
}

fn escaped(text: &str) -> String {
    let fit = text.chars().filter(|c| !c.is_control());
    fit.collect::<String>()
        .replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}
