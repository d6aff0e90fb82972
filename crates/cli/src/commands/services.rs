//! Literature services: which are meant, and how they are reached.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use precedent_engine::domain::EvidenceKind;
use precedent_engine::ledger::Ledger;
use precedent_engine::llm::{Door, Mode, Reach, Secret, Settings as DoorSettings};
use precedent_engine::runs::RunRequest;
use precedent_engine::sources::{
    Ability, Login, Service, ServiceSettings, ServiceSource, Source, SourceError, chosen, service,
};
use precedent_engine::{TextSettings, WholeTexts};

use super::shelves;
use crate::ExitCode;
use crate::args::{ModelChoice, SourceChoice};
use crate::exit::Failure;
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

/// The names of the sources that were asked for, each once: services, and after them `kind:place` for what is searched on this machine. Sources of works alone: what
/// finds pages or repositories is refused.
pub(super) fn meant(typed: &SourceChoice, settings: Option<&Path>, local_only: bool) -> Result<Vec<String>, Failure> {
    meant_of(&[EvidenceKind::Literature], typed, settings, local_only)
}

/// The same of these kinds. `all` stands for what is set up: a service without the key or address that it needs is meant where it is named, which is then an error.
pub(super) fn meant_of(
    kinds: &[EvidenceKind],
    typed: &SourceChoice,
    settings: Option<&Path>,
    local_only: bool,
) -> Result<Vec<String>, Failure> {
    let settings = Settings::load(settings)?;
    let typed = typed.names.iter().map(|name| name.trim().to_owned());
    let (local, names): (Vec<String>, Vec<String>) = typed.partition(|name| shelves::is_one(name));
    let mut services = chosen(&names, kinds).map_err(unknown)?;
    let is_named = |service: &dyn Service| names.iter().any(|name| name == service.id());
    services.retain(|service| is_named(*service) || lacks(*service, &settings).is_none());
    for service in &services {
        if let Some(lack) = lacks(*service, &settings) {
            let message = format!("{} cannot be asked: it needs {lack}", service.id());
            return Err(Failure::said(ExitCode::Model, message)
                .hint("leave it out of --sources, or set it up: see docs/sources.md"));
        }
    }
    let shelves = shelves::meant(&local, names.iter().any(|name| name == "all"), &settings)?;
    if local_only || settings.local_only {
        let outside = services.iter().find(|one| {
            let is_here = settings.sources.get(one.id()).is_some_and(|own| own.url.is_some());
            // What these lead to lies elsewhere, wherever they stand themselves.
            !is_here || one.kind() != EvidenceKind::Literature
        });
        if let Some(one) = outside {
            let message = format!("the run is local only, and {} is a service on the internet", one.id());
            return Err(Failure::said(ExitCode::Usage, message).hint("leave --local-only or --sources out"));
        }
    }
    let services = services.into_iter().map(|service| service.id().to_owned());
    Ok(services.chain(shelves).collect())
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

/// What a service needs and was not given; `None` where it can be asked.
pub(super) fn lacks(service: &dyn Service, settings: &Settings) -> Option<String> {
    let own = settings.sources.get(service.id());
    if let Some(variable) = service.address_variable()
        && own.is_none_or(|own| own.url.is_none())
        && held(variable).is_none()
    {
        return Some(format!(
            "the address of yours, in {variable} or as url under [sources.{}] in the settings",
            service.id()
        ));
    }
    let variable = own
        .and_then(|own| own.key_variable.as_deref())
        .or(service.key_variable());
    let variable = variable.filter(|variable| service.needs_key() && held(variable).is_none())?;
    Some(format!("a key, in {variable}"))
}

/// What an environment variable holds, where it holds something.
fn held(variable: &str) -> Option<String> {
    std::env::var(variable).ok().filter(|held| !held.trim().is_empty())
}

pub(super) fn unknown(error: SourceError) -> Failure {
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
    let services = opened.into_iter().map(|source| Arc::new(source) as Arc<dyn Source>);
    Ok(services.chain(shelves::open(&request.sources)?).collect())
}

/// Those of these sources that are services.
pub(super) fn services_of(sources: &[String]) -> Vec<String> {
    sources.iter().filter(|name| !shelves::is_one(name)).cloned().collect()
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
pub(super) fn wanted_texts(request: &RunRequest, settings: &Settings) -> Option<TextSettings> {
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

fn door(ledger: &Ledger, replay: bool) -> Result<Arc<Door>, Failure> {
    let settings = DoorSettings {
        reach: Reach::Anywhere,
        mode: if replay { Mode::Replay } else { Mode::Live },
        user_agent: USER_AGENT.to_owned(),
    };
    let door = Door::new(settings, ledger.clone()).map_err(|error| Failure::new(ExitCode::NothingSearched, error))?;
    Ok(Arc::new(door))
}

/// The services among these sources, asked through a door that keeps every answer in `ledger`; in replay through one that opens no socket.
pub(super) fn opened(
    names: &[String],
    settings: &Settings,
    ledger: &Ledger,
    replay: bool,
) -> Result<Vec<ServiceSource>, Failure> {
    let names = services_of(names);
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
    if own.corpus.is_some() {
        let message = format!("{} is a service, and no corpus of it is searched", service.id());
        return Err(Failure::said(ExitCode::Usage, message).hint("name the corpus with --corpus"));
    }
    let secret = |variable: &str| held(variable).map(|held| Secret::new(&held));
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
        url: own.url.or_else(|| service.address_variable().and_then(held)),
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
    ) -> Result<Vec<String>, (ExitCode, String)> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("settings.toml");
        std::fs::write(&path, settings).unwrap();
        let typed = SourceChoice {
            names: names.iter().map(|name| (*name).to_owned()).collect(),
        };
        meant_of(kinds, &typed, Some(&path), local_only).map_err(|failure| (failure.code, failure.error.to_string()))
    }

    /// Settings whose keys nobody has.
    const UNSET: &str = "[sources.brave]\nkey_variable = 'NO_SUCH_KEY_1'\n[sources.serper]\nkey_variable = 'NO_SUCH_KEY_2'\n\
        [sources.tavily]\nkey_variable = 'NO_SUCH_KEY_3'\n[sources.searxng]\nurl = 'http://127.0.0.1:1'\n";

    #[test]
    fn all_stands_for_what_is_set_up_and_a_name_for_itself() {
        let all = of(&EvidenceKind::ALL, &["all"], UNSET, false).unwrap();
        assert!(
            all.iter().any(|id| id == "searxng") && all.iter().any(|id| id == "github"),
            "{all:?}"
        );
        assert!(!all.iter().any(|id| id == "brave") && all.iter().any(|id| id == "openalex"));
        let works = of(&[EvidenceKind::Literature], &["all"], UNSET, false).unwrap();
        assert!(works.len() == all.len() - 2, "{works:?}");
        let (code, said) = of(&EvidenceKind::ALL, &["default", "brave"], UNSET, false).unwrap_err();
        assert_eq!(
            (code, said.as_str()),
            (
                ExitCode::Model,
                "brave cannot be asked: it needs a key, in NO_SUCH_KEY_1"
            )
        );
        // A variable that every machine has holds a key.
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
    fn a_local_run_has_no_pages_and_no_repositories_wherever_they_are_searched() {
        let here = "[sources.searxng]\nurl = 'http://127.0.0.1:1'\n[sources.arxiv]\nurl = 'http://127.0.0.1:2'\n";
        assert_eq!(of(&EvidenceKind::ALL, &["arxiv"], here, true).unwrap(), ["arxiv"]);
        for name in ["searxng", "github"] {
            let (code, said) = of(&EvidenceKind::ALL, &["arxiv", name], here, true).unwrap_err();
            assert!(
                code == ExitCode::Usage && said.contains(&format!("local only, and {name}")),
                "{said}"
            );
        }
    }
}
