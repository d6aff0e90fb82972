//! Identifiers in the web addresses of publishers and indexes.

use precedent_domain::Doi;

/// Sites whose addresses contain a DOI without the step `doi` before it.
const SITES: [&str; 6] = [
    "link.springer.com",
    "biorxiv.org",
    "medrxiv.org",
    "frontiersin.org",
    "iopscience.iop.org",
    "journals.aps.org",
];
/// What publishers append to a DOI for the forms of a paper, longest first.
const FORMS: [&str; 15] = [
    ".supplementary-material",
    "/full/html",
    ".full-text",
    "/fulltext",
    "/abstract",
    ".abstract",
    "/full",
    ".full",
    "/epdf",
    "/meta",
    "/html",
    ".html",
    "/pdf",
    ".pdf",
    "/",
];

/// Host in lower case, path and parameters of an address.
fn parts(address: &str) -> Option<(String, &str, &str)> {
    let (_, rest) = address.split_once("://")?;
    let rest = rest.split('#').next().unwrap_or(rest);
    let (rest, parameters) = rest.split_once('?').unwrap_or((rest, ""));
    let (host, path) = rest.split_once('/')?;
    Some((host.to_ascii_lowercase(), path, parameters))
}

fn is_on(host: &str, site: &str) -> bool {
    host == site || host.strip_suffix(site).is_some_and(|head| head.ends_with('.'))
}

/// The DOI in the address of a publisher's page: `https://dl.acm.org/doi/pdf/10.1145/3292500.3330701`. Other numbers that look like one, such as
/// handles of repositories, are not read.
pub(crate) fn doi_in_address(address: &str) -> Option<Doi> {
    let (host, path, parameters) = parts(address)?;
    let path = path.replace("%2F", "/").replace("%2f", "/");
    if is_on(&host, "journals.plos.org") {
        let id = parameters.split('&').find_map(|one| one.strip_prefix("id="))?;
        return id.replace("%2F", "/").replace("%2f", "/").parse().ok();
    }
    if is_on(&host, "nature.com") {
        let slug = path.strip_prefix("articles/")?;
        return format!("10.1038/{}", without_form(slug)).parse().ok();
    }
    let mut steps = path.split('/');
    let before: Vec<&str> = steps.by_ref().take_while(|step| !step.starts_with("10.")).collect();
    let start = before.iter().map(|step| step.len() + 1).sum::<usize>();
    let is_marked = before.iter().any(|step| step.eq_ignore_ascii_case("doi"));
    if !is_marked && !SITES.iter().any(|site| is_on(&host, site)) {
        return None;
    }
    let mut doi = without_form(path.get(start..)?);
    if ["biorxiv.org", "medrxiv.org"].iter().any(|site| is_on(&host, site)) {
        // The version of a preprint is not part of its DOI.
        doi = match doi.rsplit_once('v') {
            Some((head, version)) if !version.is_empty() && version.bytes().all(|byte| byte.is_ascii_digit()) => head,
            _ => doi,
        };
    }
    doi.parse().ok()
}

fn without_form(mut text: &str) -> &str {
    while let Some(rest) = FORMS.iter().find_map(|form| text.strip_suffix(form)) {
        text = rest;
    }
    text
}

/// The number in the address of a page of PubMed, or of the same record at Europe PMC.
pub(crate) fn pubmed_number(address: &str) -> Option<&str> {
    let (host, path, _) = parts(address)?;
    let path = path.trim_end_matches('/');
    let number = if host == "pubmed.ncbi.nlm.nih.gov" {
        path
    } else if is_on(&host, "ncbi.nlm.nih.gov") {
        path.strip_prefix("pubmed/")?
    } else if is_on(&host, "europepmc.org") {
        let (kind, number) = path.rsplit_once('/')?;
        kind.to_ascii_lowercase().ends_with("/med").then_some(number)?
    } else {
        return None;
    };
    is_pubmed_number(number).then_some(number)
}

pub(crate) fn is_pubmed_number(text: &str) -> bool {
    (1..=9).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_doi_of_a_publishers_page_is_read_and_other_numbers_are_not() {
        for (address, doi) in [
            (
                "https://dl.acm.org/doi/10.1145/3292500.3330701",
                "10.1145/3292500.3330701",
            ),
            (
                "https://dl.acm.org/doi/pdf/10.1145/3292500.3330701?download=true",
                "10.1145/3292500.3330701",
            ),
            (
                "https://onlinelibrary.wiley.com/doi/full/10.1002/asi.24750",
                "10.1002/asi.24750",
            ),
            (
                "https://www.emerald.com/insight/content/doi/10.1108/JD-01-2020-0001/full/html",
                "10.1108/jd-01-2020-0001",
            ),
            (
                "https://link.springer.com/article/10.1007/s10579-019-09472-7#Sec1",
                "10.1007/s10579-019-09472-7",
            ),
            (
                "https://link.springer.com/content/pdf/10.1007%2Fs10579-019-09472-7.pdf",
                "10.1007/s10579-019-09472-7",
            ),
            (
                "https://www.biorxiv.org/content/10.1101/2020.03.04.975532v2.full.pdf",
                "10.1101/2020.03.04.975532",
            ),
            (
                "https://www.biorxiv.org/content/10.1101/2020.03.04.975532v1",
                "10.1101/2020.03.04.975532",
            ),
            (
                "https://www.frontiersin.org/articles/10.3389/fnins.2019.00095/full",
                "10.3389/fnins.2019.00095",
            ),
            (
                "https://journals.plos.org/plosone/article?id=10.1371/journal.pone.0000217&type=printable",
                "10.1371/journal.pone.0000217",
            ),
            (
                "https://www.nature.com/articles/s41586-021-03819-2.pdf",
                "10.1038/s41586-021-03819-2",
            ),
            (
                "https://journals.aps.org/prl/abstract/10.1103/PhysRevLett.116.061102",
                "10.1103/physrevlett.116.061102",
            ),
        ] {
            assert_eq!(
                doi_in_address(address).map(String::from).as_deref(),
                Some(doi),
                "{address}"
            );
        }
        for address in [
            "https://repository.example.org/handle/10.1000/x",
            "https://example.org/10.1000/paper.pdf",
            "https://dl.acm.org/doi/proceedings",
            "https://link.springer.com.example.org/article/10.1007/s10579-019-09472-7",
            "https://www.nature.com/",
            "https://dl.acm.org",
        ] {
            assert_eq!(doi_in_address(address), None, "{address}");
        }
    }

    #[test]
    fn pages_of_pubmed_have_a_number() {
        for address in [
            "https://pubmed.ncbi.nlm.nih.gov/17211417/",
            "http://www.ncbi.nlm.nih.gov/pubmed/17211417",
            "https://europepmc.org/article/MED/17211417",
            "https://europepmc.org/abstract/med/17211417?x=1",
        ] {
            assert_eq!(pubmed_number(address), Some("17211417"), "{address}");
        }
        for address in [
            "https://pubmed.ncbi.nlm.nih.gov/?term=ropes",
            "https://pubmed.example.org/17211417",
            "https://europepmc.org/article/PMC/PMC123",
        ] {
            assert_eq!(pubmed_number(address), None, "{address}");
        }
    }
}
