//! Literature services: selection and configuration.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use crate::runs::RunRequest;
use precedent_engine::domain::EvidenceKind;
use precedent_engine::ledger::Ledger;
use precedent_engine::llm::{HttpGateway, Mode, NetworkPolicy, Secret, Settings as GatewaySettings, SharedAnswers};
use precedent_engine::sources::{
    Ability, Login, OpenAlexBulk, Service, ServiceSettings, ServiceSource, Source, SourceError, chosen, service,
    services,
};
use precedent_engine::{FullTextFetcher, TextSettings};
use serde::Serialize;

use crate::connection::connection;
use crate::runtime::host_limits;
use crate::settings::Settings;
use crate::shared::shared_answers;
use crate::{App, AppError, ErrorKind, ModelChoice, local_sources};

/// User agent sent to servers.
pub const USER_AGENT: &str = concat!(
    "precedent/",
    env!("CARGO_PKG_VERSION"),
    " (",
    env!("CARGO_PKG_REPOSITORY"),
    ")"
);

/// Hint when no service responded.
pub const ALL_DOWN: &str = "check which services respond with `precedent doctor --online`; to retry only the failed requests, repeat the command. \
A local corpus (--corpus) needs no network";

/// A literature service that a run can search.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ServiceInfo {
    /// Its name in requests.
    pub name: String,
    /// What it is.
    pub about: String,
    /// What it needs before it can be searched, such as a key; `None` if it is ready.
    pub needs: Option<String>,
}

impl App {
    /// The literature services, with what each still needs.
    ///
    /// # Errors
    /// If the settings cannot be read.
    pub fn literature_services(&self, settings: Option<&Path>) -> Result<Vec<ServiceInfo>, AppError> {
        let settings = Settings::load(settings)?;
        let literature = services()
            .into_iter()
            .filter(|service| service.kind() == EvidenceKind::Literature);
        let info = literature.map(|service| ServiceInfo {
            name: service.id().to_owned(),
            about: service.about().to_owned(),
            needs: lacks(service, &settings),
        });
        Ok(info.collect())
    }
}

/// The selected sources of these kinds of evidence, without duplicates: services, then `kind:place` for local sources. `all` selects only services that are set up; naming one that lacks its key or URL is an error.
pub fn selected(
    kinds: &[EvidenceKind],
    names: &[String],
    settings: Option<&Path>,
    local_only: bool,
) -> Result<Vec<String>, AppError> {
    let settings = Settings::load(settings)?;
    let typed = names.iter().map(|name| name.trim().to_owned());
    let (local, names): (Vec<String>, Vec<String>) = typed.partition(|name| local_sources::is_one(name));
    let mut services = chosen(&names, kinds).map_err(unknown)?;
    let is_named = |service: &dyn Service| names.iter().any(|name| name == service.id());
    services.retain(|service| is_named(*service) || lacks(*service, &settings).is_none());
    for service in &services {
        if let Some(lack) = lacks(*service, &settings) {
            let message = format!("{} cannot be searched: it needs {lack}", service.id());
            return Err(AppError::with_message(ErrorKind::Model, message)
                .hint("remove it from --sources, or set it up (see docs/sources.md)"));
        }
    }
    let on_disk = local_sources::selected(&local, names.iter().any(|name| name == "all"), &settings)?;
    if local_only || settings.local_only {
        let outside = services.iter().find(|one| {
            let is_here = settings.sources.get(one.id()).is_some_and(|own| own.url.is_some());
            // Their results are on other hosts, even if the service itself is local.
            !is_here || one.kind() != EvidenceKind::Literature
        });
        if let Some(one) = outside {
            let message = format!("the run is local-only, but {} is an online service", one.id());
            return Err(AppError::with_message(ErrorKind::Usage, message).hint("remove --local-only or --sources"));
        }
    }
    let services = services.into_iter().map(|service| service.id().to_owned());
    Ok(services.chain(on_disk).collect())
}

/// The services that may receive key words of a whole text: those that support it and were named individually, not through `default` or `all`.
pub fn named_for_whole_texts(typed: &[String], selected: &[String]) -> Vec<String> {
    let can = |id: &str| {
        let relations = service(id).ok().and_then(Service::relations);
        relations.is_some_and(|relations| relations.can(Ability::Passages))
    };
    let named = |id: &String| typed.iter().any(|name| name.trim() == id);
    selected.iter().filter(|id| named(id) && can(id)).cloned().collect()
}

/// What a service needs but does not have. `None` if it can be searched.
pub fn lacks(service: &dyn Service, settings: &Settings) -> Option<String> {
    let own = settings.sources.get(service.id());
    if let Some(variable) = service.address_variable()
        && own.is_none_or(|own| own.url.is_none())
        && from_environment(variable).is_none()
    {
        return Some(format!(
            "the URL of your server, in {variable} or as `url` in [sources.{}] in the settings file",
            service.id()
        ));
    }
    let variable = own
        .and_then(|own| own.key_variable.as_deref())
        .or(service.key_variable());
    let variable = variable.filter(|variable| service.needs_key() && from_environment(variable).is_none())?;
    Some(format!("an API key in {variable}"))
}

/// The value of an environment variable, if not blank.
fn from_environment(variable: &str) -> Option<String> {
    std::env::var(variable).ok().filter(|value| !value.trim().is_empty())
}

/// The error for a service that does not exist.
pub fn unknown(error: SourceError) -> AppError {
    AppError::new(ErrorKind::Usage, error).hint("`precedent doctor` lists the sources; choose a corpus with --corpus")
}

/// The absolute path of the settings file, if services are searched, so that a run can be resumed from any folder.
pub fn settings_for(sources: &[String], model: &ModelChoice) -> Result<Option<PathBuf>, AppError> {
    let Some(path) = model.settings.as_deref().filter(|_| !sources.is_empty()) else {
        return Ok(None);
    };
    std::path::absolute(path).map(Some).map_err(|error| {
        let message = format!("failed to find the settings {}: {error}", path.display());
        AppError::with_message(ErrorKind::Usage, message)
    })
}

/// The sources of a request. Every response is recorded in `ledger`.
pub fn open(request: &RunRequest, ledger: &Ledger, replay: bool) -> Result<Vec<Arc<dyn Source>>, AppError> {
    let settings = Settings::load(request.settings.as_deref())?;
    let shared = shared_answers(&settings, request.refresh);
    let opened = opened_through(
        &request.sources,
        &settings,
        || gateway(ledger, &settings, replay, shared),
        replay,
    )?;
    let services = opened.into_iter().map(|source| Arc::new(source) as Arc<dyn Source>);
    Ok(services.chain(local_sources::open(&request.sources)?).collect())
}

/// The services among these sources.
pub fn services_of(sources: &[String]) -> Vec<String> {
    sources
        .iter()
        .filter(|name| !local_sources::is_one(name))
        .cloned()
        .collect()
}

/// Downloader of full texts for papers found by services. `None` without services or if no full texts are wanted.
pub fn texts(request: &RunRequest, ledger: &Ledger, replay: bool) -> Result<Option<Arc<FullTextFetcher>>, AppError> {
    let settings = Settings::load(request.settings.as_deref())?;
    let Some(wanted) = wanted_texts(request, &settings) else {
        return Ok(None);
    };
    let gateway = gateway(ledger, &settings, replay, None)?;
    Ok(Some(Arc::new(FullTextFetcher::new(gateway, wanted))))
}

/// The requested number of full texts: 0 in a local-only run.
pub fn full_texts(typed: Option<u16>, local_only: bool) -> Option<usize> {
    if local_only { Some(0) } else { typed.map(usize::from) }
}

/// Settings for full texts. The index of open works is queried if it is one of the sources.
pub fn wanted_texts(request: &RunRequest, settings: &Settings) -> Option<TextSettings> {
    let usual = TextSettings::default();
    let most = request.full_texts.unwrap_or(usual.most);
    let wanted = !services_of(&request.sources).is_empty() && most > 0 && !settings.local_only;
    wanted.then(|| TextSettings {
        most,
        places: settings.places(),
        open_copies: request.sources.iter().any(|name| name == "openalex"),
        ..usual
    })
}

/// A client that records every answer in `ledger`, and OpenAlex with the user's address, key and contact, for a download of many records.
pub(crate) fn bulk_settings(
    ledger: &Ledger,
    settings: &Settings,
) -> Result<(Arc<HttpGateway>, OpenAlexBulk), AppError> {
    let own = settings.sources.get("openalex").cloned().unwrap_or_default();
    let usual = service("openalex").ok().and_then(Service::key_variable);
    let key = own.key_variable.as_deref().or(usual).and_then(from_environment);
    let bulk = OpenAlexBulk {
        base: own.url,
        key: key.map(|key| Secret::new(&key)),
        mailto: settings.mailto(),
        filter: String::new(),
    };
    Ok((gateway(ledger, settings, false, None)?, bulk))
}

fn gateway(
    ledger: &Ledger,
    settings: &Settings,
    replay: bool,
    shared: Option<SharedAnswers>,
) -> Result<Arc<HttpGateway>, AppError> {
    let settings = GatewaySettings {
        reach: NetworkPolicy::Anywhere,
        mode: if replay { Mode::Replay } else { Mode::Live },
        user_agent: USER_AGENT.to_owned(),
        limits: host_limits(),
        connection: connection(settings)?,
    };
    let gateway =
        HttpGateway::new(settings, ledger.clone()).map_err(|error| AppError::new(ErrorKind::NothingSearched, error))?;
    Ok(Arc::new(gateway.sharing(shared)))
}

/// Opens the services among these sources. Responses are recorded in `ledger`, and a replay opens no connection.
pub fn opened(
    names: &[String],
    settings: &Settings,
    ledger: &Ledger,
    replay: bool,
) -> Result<Vec<ServiceSource>, AppError> {
    opened_through(names, settings, || gateway(ledger, settings, replay, None), replay)
}

/// The same, with the answers that all runs on this machine share.
pub(crate) fn opened_shared(
    names: &[String],
    settings: &Settings,
    ledger: &Ledger,
    refresh: bool,
) -> Result<Vec<ServiceSource>, AppError> {
    let shared = shared_answers(settings, refresh);
    opened_through(names, settings, || gateway(ledger, settings, false, shared), false)
}

fn opened_through(
    names: &[String],
    settings: &Settings,
    gateway: impl FnOnce() -> Result<Arc<HttpGateway>, AppError>,
    replay: bool,
) -> Result<Vec<ServiceSource>, AppError> {
    let names = services_of(names);
    if names.is_empty() {
        return Ok(Vec::new());
    }
    let gateway = gateway()?;
    let source = |name: &String| {
        let service = service(name).map_err(unknown)?;
        Ok(ServiceSource::new(
            service,
            service_settings(service, settings)?,
            Arc::clone(&gateway),
            replay,
        ))
    };
    names.iter().map(source).collect()
}

/// Settings of a service from the settings file and the environment.
fn service_settings(service: &dyn Service, settings: &Settings) -> Result<ServiceSettings, AppError> {
    let own = settings.sources.get(service.id()).cloned().unwrap_or_default();
    if own.corpus.is_some() {
        let message = format!(
            "{} is an online service and cannot have a `corpus` setting",
            service.id()
        );
        return Err(AppError::with_message(ErrorKind::Usage, message).hint("choose the corpus with --corpus"));
    }
    let secret = |variable: &str| from_environment(variable).map(|value| Secret::new(&value));
    let budget = match own.budget {
        Some(dollars) if !(0.0..=1e6).contains(&dollars) => {
            let message = format!(
                "invalid budget for {} in the settings: expected US dollars, 0 or more",
                service.id()
            );
            return Err(AppError::with_message(ErrorKind::Usage, message));
        }
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "checked to be small and not negative"
        )]
        budget => budget.map(|dollars| (dollars * 1e6) as u64),
    };
    Ok(ServiceSettings {
        url: own
            .url
            .or_else(|| service.address_variable().and_then(from_environment)),
        texts: own.texts,
        key: own.key_variable.as_deref().or(service.key_variable()).and_then(secret),
        user: service.login().map(Login::user_variable).and_then(secret),
        mailto: settings.mailto(),
        deadline: own.seconds.map(Duration::from_secs),
        between: own.between_ms.map(Duration::from_millis),
        page: None,
        budget,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(
        kinds: &[EvidenceKind],
        names: &[&str],
        settings: &str,
        local_only: bool,
    ) -> Result<Vec<String>, (ErrorKind, String)> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("settings.toml");
        std::fs::write(&path, settings).unwrap();
        let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
        selected(kinds, &names, Some(&path), local_only).map_err(|failure| (failure.kind, failure.error.to_string()))
    }

    /// Settings whose key variables are not set.
    const UNSET: &str = "[sources.brave]\nkey_variable = 'NO_SUCH_KEY_1'\n[sources.serper]\nkey_variable = 'NO_SUCH_KEY_2'\n\
        [sources.tavily]\nkey_variable = 'NO_SUCH_KEY_3'\n[sources.searxng]\nurl = 'http://127.0.0.1:1'\n\
        [sources.google-scholar]\nkey_variable = 'NO_SUCH_KEY_2'\n[sources.kaggle]\nkey_variable = 'NO_SUCH_KEY_4'\n\
        [sources.kaggle-notebooks]\nkey_variable = 'NO_SUCH_KEY_4'\n";

    #[test]
    fn all_selects_configured_services_and_a_name_selects_itself() {
        let all = of(&EvidenceKind::ALL, &["all"], UNSET, false).unwrap();
        assert!(
            all.iter().any(|id| id == "searxng") && all.iter().any(|id| id == "github"),
            "{all:?}"
        );
        assert!(!all.iter().any(|id| id == "brave") && all.iter().any(|id| id == "openalex"));
        let works = of(&[EvidenceKind::Literature], &["all"], UNSET, false).unwrap();
        assert!(works.len() == all.len() - 2, "{works:?}");
        let (code, words) = of(&EvidenceKind::ALL, &["default", "brave"], UNSET, false).unwrap_err();
        assert_eq!(
            (code, words.as_str()),
            (
                ErrorKind::Model,
                "brave cannot be searched: it needs an API key in NO_SUCH_KEY_1"
            )
        );
        // `PATH` is set on every machine, so it serves as the key.
        let named = of(
            &EvidenceKind::ALL,
            &["brave"],
            "[sources.brave]\nkey_variable = 'PATH'",
            false,
        )
        .unwrap();
        assert_eq!(named, ["brave"]);
    }

    #[test]
    fn local_runs_refuse_web_and_code_services_even_on_this_machine() {
        let here = "[sources.searxng]\nurl = 'http://127.0.0.1:1'\n[sources.arxiv]\nurl = 'http://127.0.0.1:2'\n";
        assert_eq!(of(&EvidenceKind::ALL, &["arxiv"], here, true).unwrap(), ["arxiv"]);
        for name in ["searxng", "github"] {
            let (code, words) = of(&EvidenceKind::ALL, &["arxiv", name], here, true).unwrap_err();
            assert!(
                code == ErrorKind::Usage && words.contains(&format!("local-only, but {name}")),
                "{words}"
            );
        }
    }
}
