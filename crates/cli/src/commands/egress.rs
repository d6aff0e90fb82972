//! What services and archives would be sent, told beforehand and without sending anything.

use std::collections::BTreeSet;
use std::sync::Arc;

use precedent_engine::citations::CitationOptions;
use precedent_engine::domain::{Paper, PartialDate, Query};
use precedent_engine::ledger::Ledger;
use precedent_engine::pipelines::points_queries;
use precedent_engine::runs::RunRequest;
use precedent_engine::sources::{Ability, PaperPlaces, Relation, Service, ServiceSource, Source, WorkName};
use precedent_engine::stages::extract::extract;
use precedent_engine::stages::queries::queries;
use precedent_engine::stages::search::{NEAR_LIMIT, as_of, put_by_meaning};
use precedent_engine::{Budget, EgressGate, OfflineAnalyst, SilentProgress, SystemClock, World};
use serde::Serialize;

use super::assess::failure;
use super::corpora::sources_of;
use super::input;
use super::services::{opened, services_of, wanted_texts};
use crate::ExitCode;
use crate::exit::Failure;
use crate::printer::{Printer, plain};
use crate::runtime::runtime;
use crate::settings::Settings;

/// What one service would be sent.
#[derive(Debug, Serialize)]
pub(super) struct Egress {
    source: String,
    /// Addresses that are surely asked.
    asked: Vec<String>,
    /// Addresses that are asked where those bring few works.
    perhaps: Vec<String>,
    /// US dollars, if all of them are asked.
    at_most_dollars: f64,
    /// Seconds that the service's own pace makes of all of them.
    least_seconds: f64,
}

/// What each service would be sent for this request, worked out without sending anything.
pub(super) fn egress(request: &RunRequest, printer: Printer) -> Result<Vec<Egress>, Failure> {
    let names = services_of(&request.sources);
    if names.is_empty() {
        return Ok(Vec::new());
    }
    let mut paper = input::paper(&request.input)?;
    paper.identifiers.fill_from(&request.named);
    let scratch = tempfile::tempdir()
        .map_err(|error| Failure::said(ExitCode::Input, format!("failed to make a folder: {error}")))?;
    let sources = sources_of(&request.corpora, scratch.path(), printer)?;
    let settings = Settings::load(request.settings.as_deref())?;
    let runtime = runtime()?;
    runtime.block_on(async {
        let ledger = Ledger::in_memory()
            .await
            .map_err(|error| Failure::new(ExitCode::Bug, error))?;
        // The door replays an empty record: whatever happens, no socket is opened.
        let services = opened(&names, &settings, &ledger, true)?;
        let ids = services.iter().map(ServiceSource::service).map(Service::id);
        debug_assert!(ids.eq(names.iter().map(String::as_str)));
        let world = World {
            clock: Arc::new(SystemClock),
            ledger,
            sources,
            texts: None,
            analyst: Arc::new(OfflineAnalyst),
            progress: Arc::new(SilentProgress),
            budget: Budget::default(),
            seed: request.seed,
        };
        let date = as_of(&paper, request.as_of).map(|as_of| as_of.date);
        let (queries, titles) = match &request.points {
            Some(_) => (
                points_queries(&paper, date, &world).await.map_err(failure)?,
                CitationOptions::LITERATURE.titles,
            ),
            None => {
                let extraction = extract(&paper, &world).await.map_err(failure)?;
                (queries(&extraction, date, &world).await.map_err(failure)?.all(), 0)
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
    /// What `source` would be sent, at `prices` a question in all, in millionths of a dollar.
    pub(super) fn of(source: &ServiceSource, mut asked: Vec<String>, mut perhaps: Vec<String>, price: u64) -> Self {
        // Two queries may come to the same words; the same is asked once.
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
) -> Result<Egress, Failure> {
    let (mut asked, mut perhaps) = queries_to(source, queries, date, gate)?;
    let different: BTreeSet<&String> = asked.iter().chain(&perhaps).collect();
    let mut price = source.price(different.len() as u64);
    price += by_meaning(source, queries, date, gate, &mut asked, &mut perhaps)?;
    price += citations(source, paper, &mut asked, &mut perhaps);
    perhaps.extend(titles(source, paper, most_titles, gate));
    Ok(Egress::of(source, asked, perhaps, price))
}

/// What is put to a service that searches by meaning or inside texts, and its price.
fn by_meaning(
    source: &ServiceSource,
    queries: &[Query],
    date: Option<PartialDate>,
    gate: &EgressGate,
    asked: &mut Vec<String>,
    perhaps: &mut Vec<String>,
) -> Result<u64, Failure> {
    if !source.can(Ability::Passages) {
        return Ok(0);
    }
    let mut price = 0;
    for (_, query) in put_by_meaning(queries) {
        let Some(checked) = gate.relation(&Relation::Near(query.topic())) else {
            continue;
        };
        let addresses = source.would_ask(&checked.relation(), date, NEAR_LIMIT);
        let mut addresses = addresses
            .map_err(|error| Failure::new(ExitCode::Bug, error))?
            .into_iter();
        price += source.price_of(Ability::Passages);
        asked.extend(addresses.next());
        if let Relation::Near(words) = checked.relation() {
            perhaps.extend(addresses.map(|address| format!("{address}, for “{words}”")));
        }
    }
    Ok(price)
}

/// What is asked to follow the paper's citations, and its price. Which records are meant, only the answers tell.
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
            "the records of works that {} knows the paper to cite",
            source.name()
        ));
        price += source.price_of(Ability::LookUp);
    }
    for what in [
        "what the works cite that the paper cites, by their names",
        "the records of the works that those cite most often, by their names",
    ] {
        perhaps.push(format!("{what}, of {}", source.name()));
        // Two kinds of names, or more than one question holds.
        price += 2 * source.price_of(Ability::References);
    }
    price
}

/// What is asked about works that cite the paper and works recommended beside it or what it cites, and its price.
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
            // It goes by its record there, which is looked up first.
            None => {
                asked.extend(source.would_look_up(&own.cloned().into_iter().collect::<Vec<_>>()));
                price += source.price_of(Ability::LookUp);
                perhaps.push(format!("the works that cite the paper, of {}", source.name()));
            }
        }
        perhaps.extend(addresses);
        price += source.price_of(ability);
    }
    if has_references && source.can(Ability::Recommended) {
        perhaps.push(format!(
            "what {} recommends beside the works that the paper cites, by their names",
            source.name()
        ));
        price += source.price_of(Ability::Recommended);
    }
    price
}

/// The addresses at which works that the paper cites are asked for by title, where nothing else tells which they are: only of services that ask nothing for it.
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

/// How an address is asked, for people; what is told in words stays so.
fn method(address: &str) -> String {
    match address.starts_with("http") {
        true => format!("GET {}", plain(address)),
        false => plain(address),
    }
}

/// The addresses that queries are surely sent to, and those that are asked where these bring few works. A query that the gate drops has none.
pub(super) fn queries_to(
    source: &ServiceSource,
    queries: &[Query],
    date: Option<PartialDate>,
    gate: &EgressGate,
) -> Result<(Vec<String>, Vec<String>), Failure> {
    let (mut asked, mut perhaps) = (Vec::new(), Vec::new());
    for query in queries.iter().filter_map(|query| gate.query(query)) {
        let addresses = source
            .would_send(&query, date)
            .map_err(|error| Failure::new(ExitCode::Bug, error))?;
        let mut addresses = addresses.into_iter();
        asked.extend(addresses.next());
        perhaps.extend(addresses);
    }
    Ok((asked, perhaps))
}

/// What `--json` prints of it.
#[derive(Serialize)]
struct EgressAnswer<'a> {
    egress: &'a [Egress],
    full_texts: Option<&'a TextEgress>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    encoders: Vec<String>,
}

/// Where models that order passages are served, and so are sent some.
fn encoders(request: &RunRequest) -> Vec<String> {
    let asked = request.points.as_ref().and_then(|points| points.encoders.as_ref());
    let urls = asked.into_iter().flat_map(|one| [&one.embedder_url, &one.reranker_url]);
    urls.flatten().cloned().collect()
}

/// `precedent assess --show-egress`, and of points.
pub(super) fn show_egress(request: &RunRequest, json: bool, printer: Printer) -> Result<ExitCode, Failure> {
    let all = egress(request, printer)?;
    let texts = text_egress(request)?;
    let encoders = encoders(request);
    if json {
        printer.json(&EgressAnswer {
            egress: &all,
            full_texts: texts.as_ref(),
            encoders,
        })?;
        return Ok(ExitCode::Done);
    }
    if let Some(model) = &request.model {
        printer.warning(&format!(
            "{} words the queries of the run itself; these are the program's own",
            plain(&model.model)
        ));
    }
    for url in &encoders {
        printer.line(&format!(
            "{}: queries of the points, and up to 100 passages of works a query, to put them in order",
            plain(url)
        ));
    }
    if all.is_empty() {
        printer.line("Nothing would be sent to any literature service.");
    }
    for one in &all {
        printer.line(&summary(one));
        for address in &one.asked {
            printer.line(&format!("  {}", method(address)));
        }
        for address in &one.perhaps {
            printer.line(&format!(
                "  where that brings few works, about what came, or for references that nothing else told: {}",
                method(address)
            ));
        }
    }
    if !all.is_empty() {
        if let Some(texts) = &texts {
            printer.line(&plain(&texts.summary()));
        }
        printer.line("Further pages of the same lists may be asked for. Nothing else of the paper is sent to them but names of the works it cites.");
    }
    Ok(ExitCode::Done)
}

/// One line on what a service would be asked.
pub(super) fn summary(one: &Egress) -> String {
    let (least, most) = (one.asked.len(), one.asked.len() + one.perhaps.len());
    let requests = if least == most {
        least.to_string()
    } else {
        format!("{least} to {most}")
    };
    let cost = match one.at_most_dollars {
        0.0 => "free".to_owned(),
        dollars => format!("at most ${dollars:.3} by its prices, of which a day may have some for nothing"),
    };
    format!(
        "{}: {requests} requests, {cost}, {:.0} s by its own pace",
        one.source,
        one.least_seconds.ceil()
    )
}

/// What archives would be sent for full texts.
#[derive(Debug, Serialize)]
pub(super) struct TextEgress {
    /// Most works whose text is looked for.
    works: usize,
    /// The archives that are asked by the identifiers of works found.
    archives: Vec<String>,
    /// The indexes that are asked, by DOI and one after the other, where open copies lie; they are fetched wherever that is.
    open_copies_by: Vec<String>,
}

impl TextEgress {
    /// One line on what would be sent.
    pub(super) fn summary(&self) -> String {
        let by = match self.open_copies_by.join(" or ") {
            none if none.is_empty() => none,
            indexes => format!(", and from wherever {indexes} says that an open copy lies"),
        };
        format!(
            "full texts: of at most {} works found, by their identifiers, from {}{by}; free, four minutes at most",
            self.works,
            self.archives.join(", ")
        )
    }
}

/// What archives would be sent for this request.
pub(super) fn text_egress(request: &RunRequest) -> Result<Option<TextEgress>, Failure> {
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
        // Unpaywall answers those who give an address.
        let indexes = std::iter::once(works).chain(mailto.map(|_| unpaywall));
        TextEgress {
            works: wanted.most,
            archives: vec![arxiv, acl, openreview, pmc],
            open_copies_by: indexes.filter(|_| wanted.open_copies).collect(),
        }
    }))
}
