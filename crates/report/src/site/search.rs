use std::collections::BTreeSet;

use serde_json::json;

use super::{Site, SitePaper};
use crate::ReportError;
use crate::formats::json::visible;
use crate::plain::one_line;

/// Papers in one script. Browsers load it without a server, and only when somebody searches.
const PAPERS: usize = 500;

/// The scripts with the entries of the search: path of the page, title, label and shape of the level, area, and the words to search.
pub(super) fn chunks(site: &Site) -> Result<Vec<(String, Vec<u8>)>, ReportError> {
    let with_page: Vec<&SitePaper> = site.papers.iter().filter(|one| one.paper.summary.is_some()).collect();
    let chunk = |(at, papers): (usize, &[&SitePaper])| {
        let entries: Vec<serde_json::Value> = papers.iter().map(|one| entry(one)).collect();
        let list = serde_json::to_string(&entries).map_err(|source| ReportError::Json { source })?;
        let script = format!("searchEntries({});\n", visible(&list));
        Ok((format!("search/{}.js", at + 1), script.into_bytes()))
    };
    with_page.chunks(PAPERS).enumerate().map(chunk).collect()
}

fn entry(one: &SitePaper) -> serde_json::Value {
    let mut words = vec![one.paper.paper.clone()];
    words.extend(one.paper.summary.iter().flat_map(|summary| summary.authors.clone()));
    // A claim often has the same closest papers as the others.
    let mut prior = BTreeSet::new();
    for claim in one.paper.summary.iter().flat_map(|summary| &summary.claims) {
        words.push(one_line(&claim.text).into_owned());
        for paper in claim.closest.iter().filter(|paper| prior.insert(&paper.id)) {
            words.extend([paper.title.clone(), paper.alias.clone()]);
            words.extend(paper.authors.iter().cloned());
        }
    }
    let level = one.level().map_or("no claims", |level| level.label());
    json!([one.path(), one.title(), level, one.paper.area, words.join(" ")])
}
