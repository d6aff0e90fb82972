//! Unpaywall: open copies of works with a DOI. API v2: <https://unpaywall.org/products/api>.

use precedent_domain::Doi;
use precedent_http::{HttpError, Request, Secret};
use serde_json::Value;

use crate::service::{in_path, list, object, string};

pub(super) const BASE: &str = "https://api.unpaywall.org";

/// Requests the open copies of `doi`. The service requires a contact address.
pub(super) fn copies_of(who: &str, base: &str, doi: &Doi, mailto: &Secret) -> Result<Request, HttpError> {
    let request = Request::get(who, &format!("{base}/v2/{}", in_path(doi.as_str())?))?;
    Ok(request.secret_parameter("email", mailto.clone()))
}

/// The addresses of PDFs in the answer, best first. A location may be open without a PDF address.
pub(super) fn copies(body: &str) -> Vec<String> {
    let record = object(body).map(Value::Object).unwrap_or_default();
    let places = list(&record, "/best_oa_location")
        .iter()
        .chain(list(&record, "/first_oa_location"))
        .chain(list(&record, "/oa_locations"))
        .take(40);
    let mut addresses: Vec<String> = Vec::new();
    for address in places.filter_map(|place| string(place, "/url_for_pdf")) {
        if !addresses.contains(&address) {
            addresses.push(address);
        }
    }
    addresses
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_are_read_best_first_without_duplicates_and_missing_fields_are_skipped() {
        let body = r#"{"doi":"10.1016/j.xgen.2025.100814","is_oa":true,"best_oa_location":{"url":"https://doi.org/x","url_for_pdf":null,"updated":"deprecated"},
            "first_oa_location":{},"oa_locations":[{"url_for_pdf":"https://a.example/1.pdf"},{"url_for_pdf":"https://b.example/2.pdf"},{"url_for_pdf":"https://a.example/1.pdf"}]}"#;
        assert_eq!(copies(body), ["https://a.example/1.pdf", "https://b.example/2.pdf"]);
        for nothing in [
            r#"{"best_oa_location":null,"oa_locations":null}"#,
            "{",
            "<html>",
            "[]",
            r#"{"oa_locations":"x"}"#,
        ] {
            assert!(copies(nothing).is_empty(), "{nothing}");
        }
    }

    #[test]
    fn the_contact_address_is_not_recorded_and_no_doi_leaves_its_path() {
        let mailto = Secret::new("me@example.org");
        let request = |doi: &str| copies_of("text", BASE, &doi.parse().unwrap(), &mailto);
        assert_eq!(
            request("10.1000/a?b").unwrap().address(),
            "https://api.unpaywall.org/v2/10.1000/a%3Fb"
        );
        assert!(request("10.1000/a/../../x").is_err());
    }
}
