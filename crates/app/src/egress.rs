//! Lists what would be sent to services and archives, without sending anything.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::runs::{JobKind, RunRequest};
use precedent_engine::domain::{Paper, PartialDate, Query};
use precedent_engine::extract::extract;
use precedent_engine::ledger::Ledger;
use precedent_engine::points::points_queries;
use precedent_engine::retrieve::citations::CitationOptions;
use precedent_engine::retrieve::queries::queries;
use precedent_engine::retrieve::search::{NEAR_LIMIT, as_of, queries_by_meaning};
use precedent_engine::sources::{Ability, PaperPlaces, Relation, Service, ServiceSource, Source, WorkName};
use precedent_engine::{Budget, EgressGate, SilentProgress, SystemClock, World};
use schemars::JsonSchema;
use serde::Serialize;

use crate::corpora::sources_of;
use crate::jobs::{idea_estimate, rank_estimate, review_estimate};
use crate::runtime::runtime;
use crate::services::{opened, services_of, wanted_texts};
use crate::settings::Settings;
use crate::{AppError, ErrorKind, Observer, input};

/// Requests to one service.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Egress {
    /// The service.
    pub source: String,
    /// URLs that are always requested.
    pub asked: Vec<String>,
    /// URLs that are requested only if needed, for example if the others return few papers.
    pub perhaps: Vec<String>,
    /// Cost in US dollars if all are requested.
    pub at_most_dollars: f64,
    /// Minimum duration of all requests under the service's rate limit, in seconds.
    pub least_seconds: f64,
}

/// What a run would send, besides what its model receives.
#[derive(Debug, Serialize)]
pub struct EgressList {
    /// Requests to each service.
    pub egress: Vec<Egress>,
    /// Requests for full texts.
    pub full_texts: Option<TextEgress>,
    /// URLs of embedders and rerankers, which receive passages, or the idea and what was found.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub encoders: Vec<String>,
}

/// What a run of this request would send.
pub(crate) fn list(request: &RunRequest, observer: &dyn Observer) -> Result<EgressList, AppError> {
    let egress = match request.job() {
        JobKind::Assess | JobKind::Points => egress(request, observer)?,
        JobKind::Idea => idea_estimate::egress(request)?,
        JobKind::Review => review_estimate::egress(request)?,
        JobKind::Ideas | JobKind::Reviews => {
            let message = "what a batch would send can only be listed for each of its ideas";
            return Err(AppError::with_message(ErrorKind::Usage, message).hint("ask for the list of one idea"));
        }
        JobKind::Rank => rank_estimate::egress(request)?,
        JobKind::Audit => Vec::new(),
    };
    Ok(EgressList {
        egress,
        full_texts: text_egress(request)?.filter(|_| matches!(request.job(), JobKind::Assess | JobKind::Points)),
        encoders: encoders(request),
    })
}

/// Requests to each service for this run.
pub(crate) fn egress(request: &RunRequest, observer: &dyn Observer) -> Result<Vec<Egress>, AppError> {
    let names = services_of(&request.sources);
    if names.is_empty() {
        return Ok(Vec::new());
    }
    let mut paper = input::paper(&request.input)?;
    paper.identifiers.fill_from(&request.named);
    let scratch = tempfile::tempdir().map_err(|error| {
        AppError::with_message(
            ErrorKind::Input,
            format!("failed to create a temporary folder: {error}"),
        )
    })?;
    let sources = sources_of(&request.corpora, scratch.path(), observer)?;
    let settings = Settings::load(request.settings.as_deref())?;
    let runtime = runtime()?;
    runtime.block_on(async {
        let ledger = Ledger::in_memory()
            .await
            .map_err(|error| AppError::new(ErrorKind::Bug, error))?;
        // Replay of an empty record guarantees that no connection is opened.
        let services = opened(&names, &settings, &ledger, true)?;
        let ids = services.iter().map(ServiceSource::service).map(Service::id);
        debug_assert!(ids.eq(names.iter().map(String::as_str)));
        let world = World {
            clock: Arc::new(SystemClock),
            ledger,
            sources,
            texts: None,
            model: None,
            progress: Arc::new(SilentProgress),
            budget: Budget::default(),
            seed: request.seed,
        };
        let date = as_of(&paper, request.as_of).map(|as_of| as_of.date);
        let (queries, titles) = match &request.points {
            Some(_) => (
                points_queries(&paper, &world).await.map_err(AppError::from)?,
                CitationOptions::LITERATURE.titles,
            ),
            None => {
                let extraction = extract(&paper, &world).await.map_err(AppError::from)?;
                (queries(&extraction, &world).await.map_err(AppError::from)?.all(), 0)
            }
        };
        let gate = EgressGate::of_paper(&paper);
        services
            .iter()
            .map(|source| of_one(source, &queries, date, &paper, (titles, &gate)))
            .collect()
    })
}

impl Egress {
    /// Requests to `source`, with the total `price` in millionths of a dollar.
    pub(crate) fn of(source: &ServiceSource, mut asked: Vec<String>, mut perhaps: Vec<String>, price: u64) -> Self {
        // Identical requests are sent once.
        let mut known = BTreeSet::new();
        for addresses in [&mut asked, &mut perhaps] {
            addresses.retain(|address| known.insert(address.clone()));
        }
        let questions = u32::try_from(asked.len() + perhaps.len()).unwrap_or(u32::MAX);
        #[expect(clippy::cast_precision_loss, reason = "a sum of a few cents")]
        let at_most_dollars = price as f64 / 1e6;
        Self {
            source: source.name().to_owned(),
            at_most_dollars,
            least_seconds: source.least_time(questions).as_secs_f64(),
            asked,
            perhaps,
        }
    }
}

fn of_one(
    source: &ServiceSource,
    queries: &[Query],
    date: Option<PartialDate>,
    paper: &Paper,
    (most_titles, gate): (usize, &EgressGate),
) -> Result<Egress, AppError> {
    let (mut asked, mut perhaps) = queries_to(source, queries, date, gate)?;
    let different: BTreeSet<&String> = asked.iter().chain(&perhaps).collect();
    let mut price = source.price(different.len() as u64);
    price += by_meaning(source, queries, date, gate, &mut asked, &mut perhaps)?;
    price += citations(source, paper, &mut asked, &mut perhaps);
    perhaps.extend(titles(source, paper, most_titles, gate));
    Ok(Egress::of(source, asked, perhaps, price))
}

/// Adds requests for semantic or full-text search and returns their price.
fn by_meaning(
    source: &ServiceSource,
    queries: &[Query],
    date: Option<PartialDate>,
    gate: &EgressGate,
    asked: &mut Vec<String>,
    perhaps: &mut Vec<String>,
) -> Result<u64, AppError> {
    if !source.can(Ability::Passages) {
        return Ok(0);
    }
    let mut price = 0;
    for (_, query) in queries_by_meaning(queries) {
        let Some(checked) = gate.relation(&Relation::Near(query.topic())) else {
            continue;
        };
        let addresses = source.would_ask(&checked.relation(), date, NEAR_LIMIT);
        let mut addresses = addresses
            .map_err(|error| AppError::new(ErrorKind::Bug, error))?
            .into_iter();
        price += source.price_of(Ability::Passages);
        asked.extend(addresses.next());
        if let Relation::Near(words) = checked.relation() {
            perhaps.extend(addresses.map(|address| format!("{address}, for “{words}”")));
        }
    }
    Ok(price)
}

/// Adds requests that follow the paper's citations and returns their price. Some depend on responses and are only described.
fn citations(source: &ServiceSource, paper: &Paper, asked: &mut Vec<String>, perhaps: &mut Vec<String>) -> u64 {
    if !source.can(Ability::References) || !source.can(Ability::LookUp) {
        return 0;
    }
    let own = WorkName::of_identifiers(&paper.identifiers);
    let mut price = beside(source, own.first(), paper.references.len() > 1, asked, perhaps);
    if paper.references.is_empty() {
        return price;
    }
    let printed = paper.references.iter().map(|reference| &reference.identifiers);
    let names: Vec<WorkName> = printed.flat_map(WorkName::of_identifiers).collect();
    let looked_up = source.would_look_up(&names);
    price += source.price_of(Ability::LookUp) * looked_up.len() as u64;
    asked.extend(looked_up);
    let listed = source.would_list(&own);
    if !listed.is_empty() {
        price += source.price_of(Ability::References) * listed.len() as u64;
        asked.extend(listed);
        perhaps.push(format!(
            "records of the papers that the paper cites according to {}",
            source.name()
        ));
        price += source.price_of(Ability::LookUp);
    }
    for what in [
        "references of the cited papers, by their ids",
        "records of the papers that those cite most often, by their ids",
    ] {
        perhaps.push(format!("{what}, from {}", source.name()));
        // Twice, for two kinds of ids, or for more ids than fit into one request.
        price += 2 * source.price_of(Ability::References);
    }
    price
}

/// Adds requests for papers that cite the paper and for recommendations, and returns their price.
fn beside(
    source: &ServiceSource,
    own: Option<&WorkName>,
    has_references: bool,
    asked: &mut Vec<String>,
    perhaps: &mut Vec<String>,
) -> u64 {
    let mut price = 0;
    let relations = own.map(|own| [Relation::Citing(own), Relation::Recommended(own)]);
    for relation in relations.into_iter().flatten() {
        let ability = relation.ability();
        if !source.can(ability) {
            continue;
        }
        let mut addresses = source
            .would_ask(&relation, None, NEAR_LIMIT)
            .unwrap_or_default()
            .into_iter();
        match addresses.next() {
            Some(first) => asked.push(first),
            // The service needs its own id of the paper, which is looked up first.
            None => {
                asked.extend(source.would_look_up(&own.cloned().into_iter().collect::<Vec<_>>()));
                price += source.price_of(Ability::LookUp);
                perhaps.push(format!("papers that cite the paper, from {}", source.name()));
            }
        }
        perhaps.extend(addresses);
        price += source.price_of(ability);
    }
    if has_references && source.can(Ability::Recommended) {
        perhaps.push(format!(
            "recommendations of {} for the cited papers, by their ids",
            source.name()
        ));
        price += source.price_of(Ability::Recommended);
    }
    price
}

/// URLs of title searches for cited papers that cannot be identified otherwise. Only for services where these searches are free.
fn titles(source: &ServiceSource, paper: &Paper, most: usize, gate: &EgressGate) -> Vec<String> {
    if !source.can(Ability::Titled) || !source.asks_nothing(Ability::Titled) {
        return Vec::new();
    }
    let printed = paper
        .references
        .iter()
        .filter_map(|reference| reference.title.as_deref());
    let would = |title: &str| {
        let checked = gate.relation(&Relation::Titled(title));
        let asked = checked.map(|checked| source.would_ask(&checked.relation(), None, 1));
        asked.and_then(Result::ok).unwrap_or_default()
    };
    printed.take(most).flat_map(would).collect()
}

/// URLs that are always requested for the queries, and URLs for when those return few papers. Queries that the gate drops have none.
pub(crate) fn queries_to(
    source: &ServiceSource,
    queries: &[Query],
    date: Option<PartialDate>,
    gate: &EgressGate,
) -> Result<(Vec<String>, Vec<String>), AppError> {
    let (mut asked, mut perhaps) = (Vec::new(), Vec::new());
    for query in queries.iter().filter_map(|query| gate.query(query)) {
        let addresses = source
            .would_send(&query, date)
            .map_err(|error| AppError::new(ErrorKind::Bug, error))?;
        let mut addresses = addresses.into_iter();
        asked.extend(addresses.next());
        perhaps.extend(addresses);
    }
    Ok((asked, perhaps))
}

/// URLs of embedders and rerankers.
pub(crate) fn encoders(request: &RunRequest) -> Vec<String> {
    let points = request.points.as_ref().and_then(|points| points.encoders.as_ref());
    let review = request.review.as_ref().and_then(|review| review.reranker.as_ref());
    let urls = points
        .into_iter()
        .chain(review)
        .flat_map(|one| [&one.embedder_url, &one.reranker_url]);
    urls.flatten().cloned().collect()
}

/// Requests to archives for full texts.
#[derive(Debug, Serialize, JsonSchema)]
pub struct TextEgress {
    /// Maximum number of papers whose full text is requested.
    pub works: usize,
    /// Archives that receive identifiers of papers.
    pub archives: Vec<String>,
    /// Indexes of open copies, queried by DOI one after the other. Copies are downloaded from any host that they list.
    pub open_copies_by: Vec<String>,
}

/// Requests to archives for this run.
pub(crate) fn text_egress(request: &RunRequest) -> Result<Option<TextEgress>, AppError> {
    let settings = Settings::load(request.settings.as_deref())?;
    Ok(wanted_texts(request, &settings).map(|wanted| {
        let PaperPlaces {
            arxiv,
            acl,
            openreview,
            pmc,
            works,
            unpaywall,
            mailto,
            ..
        } = wanted.places;
        // Unpaywall requires an e-mail address.
        let indexes = std::iter::once(works).chain(mailto.map(|_| unpaywall));
        TextEgress {
            works: wanted.most,
            archives: vec![arxiv, acl, openreview, pmc],
            open_copies_by: indexes.filter(|_| wanted.open_copies).collect(),
        }
    }))
}
