//! What `doctor` tells of literature services.

use precedent_engine::ledger::Ledger;
use precedent_engine::sources::{ServiceSource, Source, is_default, services};

use super::doctor::{Finding, State};
use super::services::{meant, opened};
use super::shelves;
use crate::ExitCode;
use crate::args::{DoctorArguments, SourceChoice};
use crate::exit::Failure;
use crate::runtime::runtime_here;
use crate::settings::Settings;

/// A finding for each service; only with `--online` is any of them asked.
pub(super) fn findings(typed: &DoctorArguments) -> Result<Vec<Finding>, Failure> {
    let all = SourceChoice {
        names: vec!["all".to_owned()],
    };
    let choice = if typed.sources.names.is_empty() {
        &all
    } else {
        &typed.sources
    };
    let settings = Settings::load(typed.settings.as_deref())?;
    let shelves = shelves::findings(&typed.sources.names, &settings);
    let services: Vec<String> = choice
        .names
        .iter()
        .filter(|name| !shelves::is_one(name.trim()))
        .cloned()
        .collect();
    let names = meant(&SourceChoice { names: services }, typed.settings.as_deref(), false)?;
    let names: Vec<String> = names.into_iter().filter(|name| !shelves::is_one(name)).collect();
    if !typed.online {
        let listed = names.iter().map(|name| listed(name));
        return Ok(listed.chain(shelves).collect());
    }
    let runtime = runtime_here()?;
    runtime.block_on(async {
        let ledger = Ledger::in_memory()
            .await
            .map_err(|error| Failure::new(ExitCode::Bug, error))?;
        let mut findings = Vec::new();
        for source in opened(&names, &settings, &ledger, false)? {
            findings.push(tried(&source).await);
        }
        findings.extend(shelves);
        Ok(findings)
    })
}

fn listed(name: &str) -> Finding {
    let service = services().into_iter().find(|service| service.id() == name);
    let about = service.map(|service| service.about()).unwrap_or_default();
    let default = if is_default(name) { "; one of `default`" } else { "" };
    Finding {
        what: name.to_owned(),
        state: State::NotAsked,
        detail: format!("{about}{default}"),
    }
}

async fn tried(source: &ServiceSource) -> Finding {
    let (state, detail) = match source.trial().await {
        Ok(trial) if trial.limits.is_empty() => (State::Ok, "it answers, and names no limits".to_owned()),
        Ok(trial) => (State::Ok, format!("it answers; it says: {}", trial.limits.join(", "))),
        Err(error) => {
            let cause = std::error::Error::source(&error).map(|cause| format!(": {cause}"));
            (
                State::Missing,
                format!("failed to {error}{}", cause.unwrap_or_default()),
            )
        }
    };
    Finding {
        what: source.name().to_owned(),
        state,
        detail,
    }
}
