//! Requests other than searches: works by name, by title or by a whole text, and relations between works.

use std::collections::BTreeSet;

use precedent_domain::{PartialDate, Work};
use precedent_http::Request;
use tokio::time::Instant;

use super::batches::{batches, fill_doubles, is_of};
use super::body_text::{decoded, text_of};
use super::records::Records;
use super::source::{MOST_CHARACTERS, MOST_WORDS, ServiceSource};
use super::spend::sends;
use super::{
    Ability, Called, Draft, Page, Relation, RelationAnswer, RelationQuery, Relations, Unreadable, Words, WorkName,
};
use crate::{Lookup, SearchResults, SourceError};
use precedent_domain::QueryContent;

/// Maximum number of words and characters of a whole text that are sent.
pub const WHOLE_WORDS: usize = 300;
const WHOLE_CHARACTERS: usize = 2_000;
/// Maximum number of words of a title that are sent.
const TITLE_WORDS: usize = 40;

impl ServiceSource {
    /// The service's relations, if it supports this ability.
    pub(super) fn relations(&self, ability: Ability) -> Result<&'static dyn Relations, SourceError> {
        let relations = self.service.relations().filter(|relations| relations.can(ability));
        relations.ok_or_else(|| SourceError::Unable {
            name: self.service.id().to_owned(),
            what: ability.in_words(),
        })
    }

    /// The addresses of the requests, with `POST ` before those with a body, for the first page of each. Fallback and follow-up requests come last.
    /// They contain no key.
    ///
    /// # Errors
    /// Returns an error if the service does not support this.
    pub fn would_ask(
        &self,
        relation: &Relation<'_>,
        as_of: Option<PartialDate>,
        limit: usize,
    ) -> Result<Vec<String>, SourceError> {
        let ability = relation.ability();
        let relations = self.relations(ability)?;
        let page = self.page_of(as_of, limit);
        let asked = |inquiry: &RelationQuery<'_>| {
            let requests = relations.requests(inquiry, &page, &self.endpoint);
            requests.map_err(|error| self.unreached(error))
        };
        let requests = match relation {
            Relation::Passages(text) => asked(&RelationQuery::Text(ability, &whole(text)))?,
            Relation::Near(text) => asked(&RelationQuery::Text(ability, &self.short(text)?))?,
            Relation::RecommendedBeside(names) => match self.all_called(relations, names, ability).as_slice() {
                [] => Vec::new(),
                called => asked(&RelationQuery::Many(ability, called))?,
            },
            Relation::Titled(text) => asked(&RelationQuery::Text(ability, &title(text)))?,
            Relation::Recommended(name) | Relation::Citing(name) => match relations.call(name, ability) {
                Some(called) => asked(&RelationQuery::One(ability, &called))?,
                None => Vec::new(),
            },
        };
        let mut addresses: Vec<String> = requests.iter().map(address_of).collect();
        if relations.answers_with_stubs(ability) {
            let looked_up = asked(&RelationQuery::Many(Ability::LookUp, &[]))?;
            addresses.extend(
                looked_up
                    .iter()
                    .map(|one| format!("{} with the works found", address_of(one))),
            );
        }
        Ok(addresses)
    }

    /// The requests that look up named works, as addresses, with `POST ` and the body for those that have one; empty if they cannot be looked up.
    #[must_use]
    pub fn would_look_up(&self, names: &[WorkName]) -> Vec<String> {
        self.would_name(names, Ability::LookUp)
    }

    /// The same for the works they cite.
    #[must_use]
    pub fn would_list(&self, names: &[WorkName]) -> Vec<String> {
        self.would_name(names, Ability::References)
    }

    fn would_name(&self, names: &[WorkName], ability: Ability) -> Vec<String> {
        let Ok(relations) = self.relations(ability) else {
            return Vec::new();
        };
        let questions = batches(relations, names, ability).into_iter().filter_map(|batch| {
            let called: Vec<Called> = batch.into_iter().map(|(_, called)| called).collect();
            let page = self.page_of(None, called.len());
            let requests = relations.requests(&RelationQuery::Many(ability, &called), &page, &self.endpoint);
            let request = requests.ok()?.into_iter().next()?;
            let named: Vec<String> = called.into_iter().map(|one| one.name).collect();
            Some(match request.body() {
                [] => request.address().to_owned(),
                _ => format!("{} with {}", request.asked(), named.join(" ")),
            })
        });
        questions.collect()
    }

    /// The price of a request of this kind, in millionths of a dollar.
    #[must_use]
    pub fn price_of(&self, ability: Ability) -> u64 {
        let relations = self.service.relations();
        relations.map_or(0, |relations| relations.price(ability))
    }

    pub(super) async fn related_works(
        &self,
        relation: &Relation<'_>,
        as_of: Option<PartialDate>,
        limit: usize,
    ) -> Result<SearchResults, SourceError> {
        let ability = relation.ability();
        let relations = self.relations(ability)?;
        let start = Instant::now();
        let page = self.page_of(as_of, limit);
        let sending = match relation {
            Relation::Near(_) => QueryContent::Words,
            _ => sends(ability),
        };
        let paged =
            async |inquiry: &RelationQuery<'_>| self.paged(relations, inquiry, page, limit, (start, sending)).await;
        let about = async |text: String| match text.as_str() {
            "" => Ok(Pages::default()),
            text => paged(&RelationQuery::Text(ability, text)).await,
        };
        let Pages { drafts, mut failure } = match relation {
            Relation::Passages(text) => about(whole(text)).await?,
            Relation::Near(text) => about(self.short(text)?).await?,
            Relation::Titled(text) => about(title(text)).await?,
            Relation::RecommendedBeside(names) => match self.all_called(relations, names, ability).as_slice() {
                [] => Pages::default(),
                called => paged(&RelationQuery::Many(ability, called)).await?,
            },
            Relation::Recommended(name) | Relation::Citing(name) => match self.called(name, ability, start).await? {
                Some(called) => paged(&RelationQuery::One(ability, &called)).await?,
                None => Pages::default(),
            },
        };
        let mut records = Records::new(as_of);
        if relations.answers_with_stubs(ability) {
            let (works, failed) = self.filled(drafts, start).await;
            failure = failure.or(failed);
            records.extend(works);
        } else {
            let id = self.service.id();
            records.extend(drafts.into_iter().filter_map(|draft| draft.work(id)));
        }
        self.results(records, limit, failure).unless_empty()
    }

    /// The records of works, one entry per name.
    pub(super) async fn records(&self, names: &[WorkName]) -> Result<Lookup<Work>, SourceError> {
        self.relations(Ability::LookUp)?;
        let (drafts, failure) = self.drafts(names, Instant::now()).await;
        let id = self.service.id();
        let works = drafts.into_iter().map(|draft| draft.and_then(|draft| draft.work(id)));
        let found = works.collect();
        Lookup { found, failure }.unless_empty()
    }

    /// The works they cite, one entry per name; `None` if the service does not know the work or its references.
    pub(super) async fn cited_by(&self, names: &[WorkName]) -> Result<Lookup<Vec<WorkName>>, SourceError> {
        let ability = Ability::References;
        let relations = self.relations(ability)?;
        let start = Instant::now();
        let mut found: Vec<Option<Vec<WorkName>>> = vec![None; names.len()];
        let mut failure = None;
        for batch in batches(relations, names, ability) {
            let answer = match self.batch(relations, ability, &batch, start).await {
                Ok(answer) => answer,
                Err(error) => {
                    failure = Some(error);
                    break;
                }
            };
            for (order, cited) in answer.cited.into_iter().enumerate() {
                let place = if answer.in_order {
                    batch.get(order).map(|(at, _)| *at)
                } else {
                    let draft = answer.works.get(order).and_then(Option::as_ref);
                    draft.and_then(|draft| {
                        let is_called =
                            |(at, _): &&(usize, Called)| names.get(*at).is_some_and(|name| is_of(draft, name));
                        batch.iter().find(is_called).map(|(at, _)| *at)
                    })
                };
                if let Some(place) = place.and_then(|at| found.get_mut(at)) {
                    *place = cited.map(|ids| self.named(&ids));
                }
            }
        }
        fill_doubles(names, &mut found);
        Lookup { found, failure }.unless_empty()
    }

    fn page_of(&self, as_of: Option<PartialDate>, limit: usize) -> Page {
        Page {
            size: limit.clamp(1, self.page),
            ..self.first_page(as_of)
        }
    }

    /// The words of a text that is no longer than a query.
    fn short(&self, text: &str) -> Result<String, SourceError> {
        let words = Words::of(text).without_sentences();
        let spaced = words.spaced();
        if words.len() > MOST_WORDS || spaced.chars().count() > MOST_CHARACTERS {
            return Err(SourceError::TooLong {
                name: self.service.id().to_owned(),
                words: words.len(),
            });
        }
        Ok(spaced)
    }

    /// The service's names of these works, without duplicates and at most as many as fit in one request. Works without such a name are left out.
    fn all_called(&self, relations: &dyn Relations, names: &[WorkName], ability: Ability) -> Vec<Called> {
        let mut all: Vec<Called> = Vec::new();
        for called in names.iter().filter_map(|name| relations.call(name, ability)) {
            if all.len() < relations.most_names(ability) && !all.contains(&called) {
                all.push(called);
            }
        }
        all
    }

    /// The service's name of a work for this ability. It is looked up if the service needs another name.
    async fn called(&self, name: &WorkName, ability: Ability, start: Instant) -> Result<Option<Called>, SourceError> {
        let relations = self.relations(ability)?;
        if let Some(called) = relations.call(name, ability) {
            return Ok(Some(called));
        }
        if !relations.can(Ability::LookUp) || relations.call(name, Ability::LookUp).is_none() {
            return Ok(None);
        }
        let (found, failure) = self.drafts(std::slice::from_ref(name), start).await;
        if let Some(failure) = failure {
            return Err(failure);
        }
        let record = found
            .into_iter()
            .flatten()
            .next()
            .and_then(|draft| draft.id.parse().ok());
        Ok(record.and_then(|id| relations.call(&WorkName::Record(id), ability)))
    }

    /// All requested pages of an answer. An error after the first page keeps the earlier pages.
    async fn paged(
        &self,
        relations: &'static dyn Relations,
        inquiry: &RelationQuery<'_>,
        mut page: Page,
        limit: usize,
        how: (Instant, QueryContent),
    ) -> Result<Pages, SourceError> {
        let mut drafts: Vec<Draft> = Vec::new();
        let mut failure = None;
        for _ in 0..self.service.pages() {
            let answer = match self.put(relations, inquiry, &page, how).await {
                Ok(answer) => answer,
                Err(error) if drafts.is_empty() => return Err(error),
                Err(error) => {
                    failure = Some(error);
                    break;
                }
            };
            let read = answer.works.len();
            drafts.extend(answer.works.into_iter().flatten().take(page.size));
            page.start += page.size;
            if drafts.len() >= limit || !answer.more || read == 0 {
                break;
            }
        }
        Ok(Pages { drafts, failure })
    }

    /// The records of stubs, and why some could not be looked up. A stub without a record is used itself.
    async fn filled(&self, stubs: Vec<Draft>, start: Instant) -> (Vec<Work>, Option<SourceError>) {
        let mut known = BTreeSet::new();
        let stubs: Vec<Draft> = stubs.into_iter().filter(|stub| known.insert(stub.id.clone())).collect();
        let names: Vec<WorkName> = stubs
            .iter()
            .filter_map(|stub| stub.id.parse().ok().map(WorkName::Record))
            .collect();
        let (records, failure) = if names.len() == stubs.len() {
            self.drafts(&names, start).await
        } else {
            (vec![None; stubs.len()], None)
        };
        let id = self.service.id();
        let filled = stubs.into_iter().zip(records);
        let works =
            filled.filter_map(|(stub, record)| record.and_then(|draft| draft.work(id)).or_else(|| stub.work(id)));
        (works.collect(), failure)
    }

    /// The unvalidated records of works, one entry per name, and why some could not be looked up.
    async fn drafts(&self, names: &[WorkName], start: Instant) -> (Vec<Option<Draft>>, Option<SourceError>) {
        let ability = Ability::LookUp;
        let mut found: Vec<Option<Draft>> = vec![None; names.len()];
        let relations = match self.relations(ability) {
            Ok(relations) => relations,
            Err(error) => return (found, Some(error)),
        };
        let mut failure = None;
        for batch in batches(relations, names, ability) {
            let answer = match self.batch(relations, ability, &batch, start).await {
                Ok(answer) => answer,
                Err(error) => {
                    failure = Some(error);
                    break;
                }
            };
            if answer.in_order {
                for ((at, _), draft) in batch.iter().zip(answer.works) {
                    if let Some(place) = found.get_mut(*at) {
                        *place = draft;
                    }
                }
                continue;
            }
            for draft in answer.works.into_iter().flatten() {
                for (at, _) in &batch {
                    let is_it = names.get(*at).is_some_and(|name| is_of(&draft, name));
                    if let Some(place) = found.get_mut(*at).filter(|place| is_it && place.is_none()) {
                        *place = Some(draft.clone());
                    }
                }
            }
        }
        fill_doubles(names, &mut found);
        (found, failure)
    }

    /// One request about named works.
    async fn batch(
        &self,
        relations: &'static dyn Relations,
        ability: Ability,
        batch: &[(usize, Called)],
        start: Instant,
    ) -> Result<RelationAnswer, SourceError> {
        let called: Vec<Called> = batch.iter().map(|(_, called)| called.clone()).collect();
        let page = Page {
            until: None,
            start: 0,
            size: called.len(),
        };
        let inquiry = RelationQuery::Many(ability, &called);
        self.put(relations, &inquiry, &page, (start, sends(ability))).await
    }

    /// Sends the alternative requests in order until one finds something.
    async fn put(
        &self,
        relations: &'static dyn Relations,
        inquiry: &RelationQuery<'_>,
        page: &Page,
        how: (Instant, QueryContent),
    ) -> Result<RelationAnswer, SourceError> {
        let ability = match inquiry {
            RelationQuery::Text(ability, _) | RelationQuery::One(ability, _) | RelationQuery::Many(ability, _) => {
                *ability
            }
        };
        let requests = relations.requests(inquiry, page, &self.endpoint);
        let mut last = RelationAnswer::default();
        for request in requests.map_err(|error| self.unreached(error))? {
            last = self.one(relations, ability, request, how).await?;
            if last.works.iter().any(Option::is_some) || last.cited.iter().any(Option::is_some) {
                break;
            }
        }
        Ok(last)
    }

    async fn one(
        &self,
        relations: &'static dyn Relations,
        ability: Ability,
        request: Request,
        (start, sending): (Instant, QueryContent),
    ) -> Result<RelationAnswer, SourceError> {
        let service = self.service;
        let refusals = self.refusals();
        let request = self.mannered(request, start);
        let request = request.fruitless_when(move |status, body| {
            let body = decoded(body, None);
            match status {
                200..300 => relations.read(ability, &body).is_err(),
                _ if relations.is_miss(ability, status, &body) => false,
                _ => service.trouble(status, &body).is_final(),
            }
        });
        let request = request.last_when(move |response| {
            let is_miss = relations.is_miss(ability, response.status, &text_of(response));
            if is_miss { None } else { refusals.last_word(response) }
        });
        self.slowed(&request, relations.between(ability)).await?;
        let response = self.sent_out(request, sending, relations.price(ability)).await?;
        let body = text_of(&response);
        if response.is_success() {
            return relations
                .read(ability, &body)
                .map_err(|Unreadable(why)| SourceError::Unreadable {
                    name: self.service.id().to_owned(),
                    why,
                });
        }
        if relations.is_miss(ability, response.status, &body) {
            return Ok(RelationAnswer::default());
        }
        Err(self.refusals().error(&response))
    }

    fn named(&self, ids: &[String]) -> Vec<WorkName> {
        let name = |id: &String| format!("{}:{id}", self.service.id()).parse().ok();
        ids.iter().filter_map(name).map(WorkName::Record).collect()
    }
}

/// The pages of an answer, and why they end early.
#[derive(Default)]
struct Pages {
    drafts: Vec<Draft>,
    failure: Option<SourceError>,
}

/// The address, preceded by the method for a request with a body.
fn address_of(request: &Request) -> String {
    match request.body() {
        [] => request.address().to_owned(),
        _ => request.asked(),
    }
}

/// A whole text as plain words, truncated to the limit.
fn whole(text: &str) -> String {
    let mut kept = String::new();
    for word in Words::of(text).spaced().split(' ').take(WHOLE_WORDS) {
        if kept.chars().count() + word.chars().count() + 1 > WHOLE_CHARACTERS {
            break;
        }
        if !kept.is_empty() {
            kept.push(' ');
        }
        kept.push_str(word);
    }
    kept
}

/// A title as plain words; empty for a text too long to be a title.
fn title(text: &str) -> String {
    let words = Words::of(text);
    if words.len() > TITLE_WORDS {
        return String::new();
    }
    words.spaced()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_whole_text_is_truncated_and_a_long_title_is_rejected() {
        assert_eq!(whole("Ropes: (creep) AND \"swell\"!"), "ropes creep and swell");
        assert_eq!(whole(&"rope ".repeat(9_000)).split(' ').count(), WHOLE_WORDS);
        assert!(whole(&"ö".repeat(9_000)).is_empty());
        assert!(whole(&"sehrlangewörter ".repeat(9_000)).chars().count() <= WHOLE_CHARACTERS);
        assert_eq!(title(&"rope ".repeat(41)), "");
        assert_eq!(title("On Ropes & Swell"), "on ropes swell");
    }
}
