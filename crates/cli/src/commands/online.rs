//! Findings of `doctor` about literature services.

use precedent_app::runtime::runtime_here;
use precedent_app::services::{lacks, opened, unknown};
use precedent_app::{AppError, ErrorKind, Settings, local_sources};
use precedent_engine::domain::EvidenceKind;
use precedent_engine::ledger::Ledger;
use precedent_engine::sources::{Service, ServiceSource, Source, SourceKind, chosen, is_default, kinds};

use super::doctor_arguments::DoctorArguments;
use super::doctor_finding::{CheckState, DoctorFinding};
use crate::args::SourceChoice;

/// A finding for each service. Services are contacted only with `--online`.
pub(super) fn findings(typed: &DoctorArguments) -> Result<Vec<DoctorFinding>, AppError> {
    let all = SourceChoice {
        names: vec!["all".to_owned()],
    };
    let choice = if typed.sources.names.is_empty() {
        &all
    } else {
        &typed.sources
    };
    let settings = Settings::load(typed.settings.as_deref())?;
    let on_disk = local_findings(&typed.sources.names, &settings);
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
        return Ok(listed.chain(on_disk).collect());
    }
    let (ready, lacking): (Vec<&dyn Service>, Vec<&dyn Service>) = wanted
        .into_iter()
        .partition(|service| lacks(*service, &settings).is_none());
    let names: Vec<String> = ready.iter().map(|service| service.id().to_owned()).collect();
    let runtime = runtime_here()?;
    runtime.block_on(async {
        let ledger = Ledger::in_memory()
            .await
            .map_err(|error| AppError::new(ErrorKind::Bug, error))?;
        let mut findings = Vec::new();
        for source in opened(&names, &settings, &ledger, false)? {
            findings.push(tried(&source).await);
        }
        findings.extend(lacking.iter().map(|service| listed(*service, &settings)));
        findings.extend(on_disk);
        Ok(findings)
    })
}

fn listed(service: &dyn Service, settings: &Settings) -> DoctorFinding {
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
    DoctorFinding {
        what: service.id().to_owned(),
        state: match lack {
            Some(_) => CheckState::Missing,
            None => CheckState::NotAsked,
        },
        detail: format!("{}{default}{use_of}{}", service.about(), lack.unwrap_or_default()),
    }
}

async fn tried(source: &ServiceSource) -> DoctorFinding {
    let (state, detail) = match source.trial().await {
        Ok(trial) if trial.limits.is_empty() => (CheckState::Ok, "responds; reports no limits".to_owned()),
        Ok(trial) => (CheckState::Ok, format!("responds; limits: {}", trial.limits.join(", "))),
        Err(error) => {
            let cause = std::error::Error::source(&error).map(|cause| format!(": {cause}"));
            (
                CheckState::Missing,
                format!("failed to {error}{}", cause.unwrap_or_default()),
            )
        }
    };
    DoctorFinding {
        what: source.name().to_owned(),
        state,
        detail,
    }
}

/// Findings for `doctor`: the named local sources, or all if none were named. Only kinds with one usual place for all runs.
fn local_findings(named: &[String], settings: &Settings) -> Vec<DoctorFinding> {
    let wanted = |kind: &&SourceKind| {
        let own = |name: &String| local_sources::kind_of(name.trim()).is_some_and(|one| one.id == kind.id);
        kind.usual_place && (named.is_empty() || named.iter().any(|name| own(name) || name.trim() == "all"))
    };
    kinds()
        .iter()
        .filter(wanted)
        .map(|kind| found(kind, settings))
        .collect()
}

fn found(kind: &SourceKind, settings: &Settings) -> DoctorFinding {
    let what = kind.id.to_owned();
    let Some(place) = local_sources::place_in(settings, kind) else {
        return DoctorFinding {
            what,
            state: CheckState::Missing,
            detail: format!("not set up; {}", kind.about),
        };
    };
    let (state, detail) = match kind.open(&place.to_string_lossy()) {
        Ok(source) => {
            let works = source.holdings().works.unwrap_or_default();
            (
                CheckState::Ok,
                format!("{works} papers in {}; searched on this machine", place.display()),
            )
        }
        Err(error) => (CheckState::Missing, format!("failed to {error}; {}", kind.about)),
    };
    DoctorFinding { what, state, detail }
}
