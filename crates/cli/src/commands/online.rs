//! Findings of `doctor` about literature services.

use precedent_engine::domain::EvidenceKind;
use precedent_engine::ledger::Ledger;
use precedent_engine::sources::{Service, ServiceSource, Source, chosen, is_default};

use super::doctor::{Finding, State};
use super::local_sources;
use super::services::{lacks, opened, unknown};
use crate::ExitCode;
use crate::args::{DoctorArguments, SourceChoice};
use crate::exit::Failure;
use crate::runtime::runtime_here;
use crate::settings::Settings;

/// A finding for each service. Services are contacted only with `--online`.
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
    let shelves = local_sources::findings(&typed.sources.names, &settings);
    let services: Vec<String> = choice
        .names
        .iter()
        .map(|name| name.trim().to_owned())
        .filter(|name| !local_sources::is_one(name))
        .collect();
    // Includes services that are not set up, to show what they need.
    let wanted = chosen(&services, &EvidenceKind::ALL).map_err(unknown)?;
    if !typed.online {
        let listed = wanted.iter().map(|service| listed(*service, &settings));
        return Ok(listed.chain(shelves).collect());
    }
    let (ready, lacking): (Vec<&dyn Service>, Vec<&dyn Service>) = wanted
        .into_iter()
        .partition(|service| lacks(*service, &settings).is_none());
    let names: Vec<String> = ready.iter().map(|service| service.id().to_owned()).collect();
    let runtime = runtime_here()?;
    runtime.block_on(async {
        let ledger = Ledger::in_memory()
            .await
            .map_err(|error| Failure::new(ExitCode::Bug, error))?;
        let mut findings = Vec::new();
        for source in opened(&names, &settings, &ledger, false)? {
            findings.push(tried(&source).await);
        }
        findings.extend(lacking.iter().map(|service| listed(*service, &settings)));
        findings.extend(shelves);
        Ok(findings)
    })
}

fn listed(service: &dyn Service, settings: &Settings) -> Finding {
    let default = if is_default(service.id()) {
        "; one of `default`"
    } else {
        ""
    };
    let use_of = match service.kind() {
        EvidenceKind::Literature => "",
        EvidenceKind::Web | EvidenceKind::Code => "; only for `precedent review`",
    };
    let lack = lacks(service, settings).map(|lack| format!("; not set up: it needs {lack}"));
    Finding {
        what: service.id().to_owned(),
        state: match lack {
            Some(_) => State::Missing,
            None => State::NotAsked,
        },
        detail: format!("{}{default}{use_of}{}", service.about(), lack.unwrap_or_default()),
    }
}

async fn tried(source: &ServiceSource) -> Finding {
    let (state, detail) = match source.trial().await {
        Ok(trial) if trial.limits.is_empty() => (State::Ok, "responds; reports no limits".to_owned()),
        Ok(trial) => (State::Ok, format!("responds; limits: {}", trial.limits.join(", "))),
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
