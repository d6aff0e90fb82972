use precedent_domain::EvidenceKind;

use super::Service;
use crate::SourceError;
use crate::registry::kinds;
use crate::services::{
    arxiv, brave, crossref, dblp, europe_pmc, github, google_scholar, kaggle, openalex, openreview, openreview_v1,
    opensearch, searxng, semantic_scholar, serper, tavily,
};

/// Every service, and whether `default` includes it. One line each. Nothing else in the program names one.
const REGISTRY: &[(&dyn Service, bool)] = &[
    (&openalex::OpenAlexService, true),
    (&semantic_scholar::SemanticScholarService, true),
    (&arxiv::ArxivService, true),
    (&crossref::CrossrefService, true),
    (&europe_pmc::EuropePmcService, false),
    (&dblp::DblpService, false),
    (&openreview::OpenReviewService, false),
    (&openreview_v1::OpenReviewV1Service, false),
    (&google_scholar::GoogleScholarService, false),
    (&opensearch::OpenSearchService, false),
    (&brave::BraveService, false),
    (&serper::SerperService, false),
    (&tavily::TavilyService, false),
    (&searxng::SearxngService, false),
    (&github::GithubService, false),
    (&kaggle::DATA_SETS, false),
    (&kaggle::NOTEBOOKS, false),
];

/// Names that refer to several services.
const DEFAULT: &str = "default";
const ALL: &str = "all";

/// Every service, in the order in which they are listed to users.
#[must_use]
pub fn services() -> Vec<&'static dyn Service> {
    REGISTRY.iter().map(|(service, _)| *service).collect()
}

/// Whether the name `default` includes this service.
#[must_use]
pub fn is_default(id: &str) -> bool {
    REGISTRY.iter().any(|(service, default)| service.id() == id && *default)
}

/// The service with this name.
///
/// # Errors
/// Returns an error if there is none.
pub fn service(id: &str) -> Result<&'static dyn Service, SourceError> {
    usable_service(id, &EvidenceKind::ALL)
}

/// The same, with an error that lists only services for usable kinds of evidence.
fn usable_service(id: &str, usable: &[EvidenceKind]) -> Result<&'static dyn Service, SourceError> {
    let found = REGISTRY.iter().find(|(service, _)| service.id() == id);
    found.map(|(service, _)| *service).ok_or_else(|| SourceError::Unknown {
        name: id.chars().take(100).collect(),
        known: known(usable),
    })
}

/// The services selected by a list of names, in the order of the registry, once each. `default` and `all` select several; `all` selects those that
/// find a usable kind of evidence.
///
/// # Errors
/// Returns an error if a name is unknown, or if the service finds an unusable kind of evidence.
pub fn chosen(names: &[String], usable: &[EvidenceKind]) -> Result<Vec<&'static dyn Service>, SourceError> {
    for name in names.iter().filter(|name| !matches!(name.as_str(), DEFAULT | ALL)) {
        let service = usable_service(name, usable)?;
        if !usable.contains(&service.kind()) {
            return Err(SourceError::OtherKind {
                name: service.id().to_owned(),
                what: in_words(service.kind()),
            });
        }
    }
    let named = |name: &str| names.iter().any(|one| one == name);
    let wanted = REGISTRY.iter().filter(|(service, default)| {
        let of_part = service.part_of().is_some_and(named);
        let of_all = named(ALL) && usable.contains(&service.kind());
        named(service.id()) || of_part || of_all || (*default && named(DEFAULT))
    });
    Ok(wanted.map(|(service, _)| *service).collect())
}

fn in_words(kind: EvidenceKind) -> &'static str {
    match kind {
        EvidenceKind::Literature => "works",
        EvidenceKind::Web => "web pages",
        EvidenceKind::Code => "repositories",
    }
}

fn known(usable: &[EvidenceKind]) -> String {
    let services = REGISTRY.iter().map(|(service, _)| service);
    let names = services
        .filter(|service| usable.contains(&service.kind()))
        .map(|service| service.id());
    let here = kinds().iter().filter(|kind| kind.usual_place).map(|kind| kind.id);
    names.chain(here).chain([DEFAULT, ALL]).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ids(names: &[&str]) -> Vec<&'static str> {
        let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
        chosen(&names, &EvidenceKind::ALL)
            .unwrap()
            .into_iter()
            .map(Service::id)
            .collect()
    }

    #[test]
    fn the_registry_is_consistent() {
        let all = ids(&["all"]);
        let mut different = all.clone();
        different.sort_unstable();
        different.dedup();
        assert_eq!(different.len(), all.len());
        for service in services() {
            let is_placed = service.base().starts_with("https://") && !service.base().ends_with('/');
            assert!(is_placed != service.address_variable().is_some() && (is_placed || service.base().is_empty()));
            assert!(service.key_variable().is_some() || !service.needs_key());
            assert!(!service.about().is_empty() && service.page() > 0);
            assert!(
                service
                    .id()
                    .bytes()
                    .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-')
            );
        }
        let default = ids(&["default"]);
        for id in &default {
            assert_eq!(service(id).map(Service::kind).ok(), Some(EvidenceKind::Literature));
        }
        assert!(default.len() < all.len() && default.iter().all(|id| all.contains(id) && is_default(id)));
    }

    #[test]
    fn names_select_services_in_registry_order_and_unknown_ones_are_reported() {
        let all = ids(&["all"]);
        assert_eq!(ids(&[all[3], all[0], all[3]]), [all[0], all[3]]);
        assert_eq!(ids(&["all", all[2]]), all);
        assert!(ids(&[]).is_empty());
        // A service that is part of another is included with it, and can also be selected alone.
        for part in services().into_iter().filter(|one| one.part_of().is_some()) {
            let whole = part.part_of().unwrap();
            assert_eq!(ids(&[whole]), [whole, part.id()]);
            assert_eq!(ids(&[part.id()]), [part.id()]);
        }
        let error = chosen(&["oracle".to_owned()], &EvidenceKind::ALL)
            .map(|_| ())
            .unwrap_err();
        assert!(error.to_string().contains(all[0]), "{error}");
    }

    #[test]
    fn services_for_pages_or_code_are_refused_where_papers_are_needed() {
        let literature = [EvidenceKind::Literature];
        let all: Vec<&dyn Service> = chosen(&["all".to_owned()], &literature).unwrap();
        assert!(all.iter().all(|one| one.kind() == EvidenceKind::Literature) && all.len() >= 8);
        let others: Vec<&dyn Service> = services()
            .into_iter()
            .filter(|one| !literature.contains(&one.kind()))
            .collect();
        assert_eq!(others.len() + all.len(), services().len());
        for one in others {
            let error = chosen(&[one.id().to_owned()], &literature)
                .map(|_| ())
                .unwrap_err()
                .to_string();
            assert!(
                error.starts_with(&format!("use {} here: it finds ", one.id())),
                "{error}"
            );
            assert!(error.contains("only `precedent review`"), "{error}");
        }
        let error = chosen(&["oracle".to_owned()], &literature)
            .map(|_| ())
            .unwrap_err()
            .to_string();
        assert!(error.contains("openalex") && !error.contains("github"), "{error}");
    }
}
