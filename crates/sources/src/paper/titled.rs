use futures_util::future::BoxFuture;
use precedent_domain::{Work, is_same_title, title_key};
use precedent_http::HttpGateway;

use super::fetch::{mannered, not_given, unreached};
use super::{FetchLimits, PaperPlaces};
use crate::service::{Ability, Page, RelationQuery, Relations, Service, Words};
use crate::services::openalex::OpenAlexService;
use crate::{SourceError, merge_works};

/// Number of works shown if the title is ambiguous.
const SHOWN: usize = 8;

/// The result of looking up a title.
#[derive(Debug, Clone, PartialEq)]
pub enum TitleMatch {
    /// Exactly one work has this title.
    One(Box<Work>),
    /// Several works have this title, or none has and these are similar, most similar first.
    Several(Vec<Work>),
    /// No similar title was found.
    Nothing,
}

/// Looks up a title in the index of works. At most 40 words of the title are sent.
///
/// # Errors
/// Returns an error if the index does not answer.
pub fn titled<'a>(
    title: &'a str,
    places: &'a PaperPlaces,
    limits: FetchLimits,
    gateway: &'a HttpGateway,
) -> BoxFuture<'a, Result<TitleMatch, SourceError>> {
    Box::pin(async move {
        let words = Words::of(title);
        if words.is_empty() || words.len() > 40 {
            return Ok(TitleMatch::Nothing);
        }
        let endpoint = places.index();
        let page = Page {
            until: None,
            start: 0,
            size: SHOWN,
        };
        let spaced = words.spaced();
        let inquiry = RelationQuery::Text(Ability::Titled, &spaced);
        let requests = OpenAlexService
            .requests(&inquiry, &page, &endpoint)
            .map_err(unreached)?;
        let mut found: Vec<Work> = Vec::new();
        for request in requests {
            let response = gateway.send(&mannered(request, limits)).await.map_err(unreached)?;
            if !response.is_success() {
                return Err(not_given(response.status, &response.text()));
            }
            let found_works = Relations::read(&OpenAlexService, Ability::Titled, &response.text());
            let found_works = found_works.map_err(|why| SourceError::Unreadable {
                name: OpenAlexService.id().to_owned(),
                why: why.0,
            })?;
            found.extend(
                found_works
                    .works
                    .into_iter()
                    .flatten()
                    .filter_map(|draft| draft.work(OpenAlexService.id())),
            );
        }
        Ok(select(title, found))
    })
}

/// Selects the work with the same title, if all works with that title are records of the same work.
fn select(title: &str, found: Vec<Work>) -> TitleMatch {
    let key = title_key(title);
    let (same, others): (Vec<Work>, Vec<Work>) = found
        .into_iter()
        .partition(|work| is_same_title(&title_key(&work.title), &key));
    let one = same
        .first()
        .is_some_and(|first| same.iter().all(|other| crate::merge::is_one_work(first, other)));
    if one && key.split(' ').count() > 2 {
        return merge_works(same).map_or(TitleMatch::Nothing, |work| TitleMatch::One(Box::new(work)));
    }
    let all: Vec<Work> = same.into_iter().chain(others).collect();
    if all.is_empty() {
        TitleMatch::Nothing
    } else {
        TitleMatch::Several(all)
    }
}
