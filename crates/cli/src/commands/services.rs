//! Literature services: which are meant, how they are reached, and what they would be sent.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use precedent_engine::domain::{Paper, PartialDate, Query};
use precedent_engine::ledger::Ledger;
use precedent_engine::llm::{Door, Mode, Reach, Secret, Settings as DoorSettings};
use precedent_engine::runs::RunRequest;
use precedent_engine::sources::{
    Ability, PaperPlaces, Service, ServiceSettings, ServiceSource, Source, SourceError, WorkName, chosen, kinds,
    service,
};
use precedent_engine::stages::extract::extract;
use precedent_engine::stages::queries::queries;
use precedent_engine::stages::search::as_of;
use precedent_engine::{Budget, OfflineAnalyst, SilentProgress, SystemClock, TextSettings, WholeTexts, World};
use serde::Serialize;

use super::assess::failure;
use super::corpora::sources_of;
use super::input;
use crate::ExitCode;
use crate::args::{ModelChoice, SourceChoice};
use crate::exit::Failure;
use crate::printer::{Printer, plain};
use crate::runtime::runtime;
use crate::settings::Settings;

/// What servers are told about us.
pub(super) const USER_AGENT: &str = concat!(
    "precedent/",
    env!("CARGO_PKG_VERSION"),
    " (",
    env!("CARGO_PKG_REPOSITORY"),
    ")"
);

/// What to do when nobody answered.
pub(super) const ALL_DOWN: &str = "`precedent doctor --online` tells which services answer from here; what did answer is kept, so the same command asks only for the rest. \
A corpus of your own (--corpus) needs no network";

/// The names of the services that were asked for, each once. Names of kinds of local sources are no services; corpora are named with `--corpus`.
pub(super) fn meant(typed: &SourceChoice, settings: Option<&Path>, local_only: bool) -> Result<Vec<String>, Failure> {
    let is_local = |name: &String| kinds().iter().any(|kind| kind.id == name.as_str());
    let names: Vec<String> = typed
        .names
        .iter()
        .map(|name| name.trim().to_owned())
        .filter(|name| !is_local(name))
        .collect();
    let services = chosen(&names).map_err(unknown)?;
    let settings = Settings::load(settings)?;
    if local_only || settings.local_only {
        let outside = services
            .iter()
            .find(|one| settings.sources.get(one.id()).is_none_or(|own| own.url.is_none()));
        if let Some(one) = outside {
            let message = format!("the run is local only, and {} is a service on the internet", one.id());
            return Err(Failure::said(ExitCode::Usage, message).hint("leave --local-only or --sources out"));
        }
    }
    Ok(services.into_iter().map(|service| service.id().to_owned()).collect())
}

/// The services that may be asked with a whole text: they can be, and were typed by their own names. A name that stands for several names none for that.
pub(super) fn named_for_whole_texts(typed: &[String], meant: &[String]) -> Vec<String> {
    let can = |id: &str| {
        let relations = service(id).ok().and_then(Service::relations);
        relations.is_some_and(|relations| relations.can(Ability::Passages))
    };
    let named = |id: &String| typed.iter().any(|name| name.trim() == id);
    meant.iter().filter(|id| named(id) && can(id)).cloned().collect()
}

fn unknown(error: SourceError) -> Failure {
    Failure::new(ExitCode::Usage, error).hint("`precedent doctor` lists them; a corpus is named with --corpus")
}

/// The settings file, as an absolute path, where services are asked: a run is resumed from any folder.
pub(super) fn settings_for(sources: &[String], model: &ModelChoice) -> Result<Option<PathBuf>, Failure> {
    let Some(path) = model.settings.as_deref().filter(|_| !sources.is_empty()) else {
        return Ok(None);
    };
    std::path::absolute(path).map(Some).map_err(|error| {
        let message = format!("failed to find the settings {}: {error}", path.display());
        Failure::said(ExitCode::Usage, message)
    })
}

/// The services of a request as sources, through a door that keeps every answer in `ledger`.
pub(super) fn open(request: &RunRequest, ledger: &Ledger, replay: bool) -> Result<Vec<Arc<dyn Source>>, Failure> {
    let settings = Settings::load(request.settings.as_deref())?;
    let opened = opened(&request.sources, &settings, ledger, replay)?;
    Ok(opened
        .into_iter()
        .map(|source| Arc::new(source) as Arc<dyn Source>)
        .collect())
}

/// Where full texts of the works that services found are had; `None` where no service is asked or none is wanted.
pub(super) fn texts(request: &RunRequest, ledger: &Ledger, replay: bool) -> Result<Option<Arc<WholeTexts>>, Failure> {
    let settings = Settings::load(request.settings.as_deref())?;
    let Some(wanted) = wanted_texts(request, &settings) else {
        return Ok(None);
    };
    let door = door(ledger, replay)?;
    Ok(Some(Arc::new(WholeTexts::new(door, wanted))))
}

/// The number of full texts that is asked for: none where nothing may leave the network of one's own.
pub(super) fn full_texts(typed: Option<u16>, local_only: bool) -> Option<usize> {
    if local_only { Some(0) } else { typed.map(usize::from) }
}

/// How far a request goes for full texts. The index of open works is asked where it is one of the sources.
fn wanted_texts(request: &RunRequest, settings: &Settings) -> Option<TextSettings> {
    let usual = TextSettings::default();
    let most = request.full_texts.unwrap_or(usual.most);
    let wanted = !request.sources.is_empty() && most > 0 && !settings.local_only;
    wanted.then(|| TextSettings {
        most,
        places: settings.places(),
        open_copies: request.sources.iter().any(|name| name == "openalex"),
        ..usual
    })
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
            works,
            unpaywall,
            mailto,
            ..
        } = wanted.places;
        // Unpaywall answers those who give an address.
        let indexes = std::iter::once(works).chain(mailto.map(|_| unpaywall));
        TextEgress {
            works: wanted.most,
            archives: vec![arxiv, acl, openreview],
            open_copies_by: indexes.filter(|_| wanted.open_copies).collect(),
        }
    }))
}

fn door(ledger: &Ledger, replay: bool) -> Result<Arc<Door>, Failure> {
    let settings = DoorSettings {
        reach: Reach::Anywhere,
        mode: if replay { Mode::Replay } else { Mode::Live },
        user_agent: USER_AGENT.to_owned(),
    };
    let door = Door::new(settings, ledger.clone()).map_err(|error| Failure::new(ExitCode::NothingSearched, error))?;
    Ok(Arc::new(door))
}

pub(super) fn opened(
    names: &[String],
    settings: &Settings,
    ledger: &Ledger,
    replay: bool,
) -> Result<Vec<ServiceSource>, Failure> {
    if names.is_empty() {
        return Ok(Vec::new());
    }
    let door = door(ledger, replay)?;
    let source = |name: &String| {
        let service = service(name).map_err(unknown)?;
        Ok(ServiceSource::new(
            service,
            service_settings(service, settings)?,
            Arc::clone(&door),
            replay,
        ))
    };
    names.iter().map(source).collect()
}

/// What the settings and the environment say of a service.
fn service_settings(service: &dyn Service, settings: &Settings) -> Result<ServiceSettings, Failure> {
    let own = settings.sources.get(service.id()).cloned().unwrap_or_default();
    let held = |variable: &str| {
        std::env::var(variable)
            .ok()
            .map(|held| Secret::new(&held))
            .filter(|key| !key.is_empty())
    };
    let budget = match own.budget {
        Some(dollars) if !(0.0..=1e6).contains(&dollars) => {
            let message = format!("the budget of {} in the settings is no sum of US dollars", service.id());
            return Err(Failure::said(ExitCode::Usage, message));
        }
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "checked to be a small positive sum"
        )]
        budget => budget.map(|dollars| (dollars * 1e6) as u64),
    };
    Ok(ServiceSettings {
        url: own.url,
        key: own.key_variable.as_deref().or(service.key_variable()).and_then(held),
        mailto: settings.mailto(),
        deadline: own.seconds.map(Duration::from_secs),
        between: own.between_ms.map(Duration::from_millis),
        page: None,
        budget,
    })
}

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
    if request.sources.is_empty() {
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
        let services = opened(&request.sources, &settings, &ledger, true)?;
        let names = services.iter().map(ServiceSource::service).map(Service::id);
        debug_assert!(names.eq(request.sources.iter().map(String::as_str)));
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
        let extraction = extract(&paper, &world).await.map_err(failure)?;
        let plan = queries(&extraction, date, &world).await.map_err(failure)?;
        services
            .iter()
            .map(|source| of_one(source, &plan.all(), date, &paper))
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
) -> Result<Egress, Failure> {
    let (mut asked, mut perhaps) = queries_to(source, queries, date)?;
    let different: BTreeSet<&String> = asked.iter().chain(&perhaps).collect();
    let mut price = source.price(different.len() as u64);
    price += citations(source, paper, &mut asked, &mut perhaps);
    Ok(Egress::of(source, asked, perhaps, price))
}

/// What is asked to follow the paper's citations, and its price. Which records are meant, only the answers tell.
fn citations(source: &ServiceSource, paper: &Paper, asked: &mut Vec<String>, perhaps: &mut Vec<String>) -> u64 {
    if paper.references.is_empty() || !source.can(Ability::References) || !source.can(Ability::LookUp) {
        return 0;
    }
    let printed = paper.references.iter().map(|reference| &reference.identifiers);
    let names: Vec<WorkName> = printed.flat_map(WorkName::of_identifiers).collect();
    let mut price = 0;
    let looked_up = source.would_look_up(&names);
    price += source.price_of(Ability::LookUp) * looked_up.len() as u64;
    asked.extend(looked_up);
    let own = WorkName::of_identifiers(&paper.identifiers);
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

/// How an address is asked, for people; what is told in words stays so.
fn method(address: &str) -> String {
    match address.starts_with("http") {
        true => format!("GET {}", plain(address)),
        false => plain(address),
    }
}

/// The addresses that queries are surely sent to, and those that are asked where these bring few works.
pub(super) fn queries_to(
    source: &ServiceSource,
    queries: &[Query],
    date: Option<PartialDate>,
) -> Result<(Vec<String>, Vec<String>), Failure> {
    let (mut asked, mut perhaps) = (Vec::new(), Vec::new());
    for query in queries {
        let addresses = source
            .would_send(query, date)
            .map_err(|error| Failure::new(ExitCode::Bug, error))?;
        let mut addresses = addresses.into_iter();
        asked.extend(addresses.next());
        perhaps.extend(addresses);
    }
    Ok((asked, perhaps))
}

/// `precedent assess --show-egress`.
pub(super) fn show_egress(request: &RunRequest, json: bool, printer: Printer) -> Result<ExitCode, Failure> {
    let all = egress(request, printer)?;
    let texts = text_egress(request)?;
    if json {
        printer.json(&serde_json::json!({ "egress": all, "full_texts": texts }))?;
        return Ok(ExitCode::Done);
    }
    if let Some(model) = &request.model {
        printer.warning(&format!(
            "{} words the queries of the run itself; these are the program's own",
            plain(&model.model)
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
                "  where that brings few works, or about what came: {}",
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
        dollars => format!("at most ${dollars:.3}, out of what a day is worth for nothing"),
    };
    format!(
        "{}: {requests} requests, {cost}, {:.0} s by its own pace",
        one.source,
        one.least_seconds.ceil()
    )
}
