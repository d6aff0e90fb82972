//! Web pages as works: one identity per page, and dates only if a service gives one.

use precedent_domain::{PartialDate, Work};
use sha2::{Digest, Sha256};

use super::draft::web_address;
use super::{Draft, TextAt};

/// Prefix of the ids of pages, whichever service found them.
pub(crate) const PAGE: &str = "page:";
/// Longest address used directly as an id; longer ones are hashed. Ids have at most 200 bytes.
const LONGEST: usize = 160;
/// Parameters that track visitors and do not identify the page.
const TRACKING: &[&str] = &["fbclid", "gclid", "msclkid", "mc_cid", "mc_eid", "igshid", "ref_src"];

/// A page found by a service; `None` if its address is invalid.
pub(crate) fn page(
    title: Option<String>,
    address: Option<String>,
    words: Option<String>,
    date: Option<PartialDate>,
) -> Option<Draft> {
    let address = web_address(without_fragment(&address?))?;
    let known = identity(&address)?;
    Some(Draft {
        id: match known.len() {
            0..=LONGEST => format!("{PAGE}{known}"),
            _ => format!("{PAGE}{}", hash(&known)),
        },
        // A page without a title is named by its address.
        title: title.unwrap_or_else(|| known.clone()),
        summary: words,
        dates: date.into_iter().collect(),
        addresses: vec![address],
        ..Draft::default()
    })
}

/// The location of the text of a page, or of any work that a web search returned.
pub(crate) fn text_of_page(work: &Work) -> Option<TextAt> {
    work.url.clone().map(TextAt::Page)
}

/// The address without the parts that do not identify a page: scheme, `www.`, the default port, a trailing slash, the fragment and tracking
/// parameters.
fn identity(address: &str) -> Option<String> {
    let address = without_fragment(address.trim());
    let (scheme, rest) = address.split_once("://")?;
    let port = match scheme.to_ascii_lowercase().as_str() {
        "http" => ":80",
        "https" => ":443",
        _ => return None,
    };
    let end = rest.find(['/', '?']).unwrap_or(rest.len());
    let (host, rest) = rest.split_at_checked(end)?;
    let host = host.to_ascii_lowercase();
    let host = host.strip_suffix(port).unwrap_or(&host);
    let host = host.strip_prefix("www.").unwrap_or(host).trim_end_matches('.');
    if !host.contains('.') || host.contains('@') || address.chars().any(|c| c.is_whitespace() || c.is_control()) {
        return None;
    }
    let (path, query) = rest.split_once('?').unwrap_or((rest, ""));
    let telling: Vec<&str> = query.split('&').filter(|pair| identifies_page(pair)).collect();
    let path = path.trim_end_matches('/');
    Some(match telling.is_empty() {
        true => format!("{host}{path}"),
        false => format!("{host}{path}?{}", telling.join("&")),
    })
}

fn identifies_page(pair: &str) -> bool {
    let name = pair.split('=').next().unwrap_or_default().to_ascii_lowercase();
    !(name.is_empty() || name.starts_with("utm_") || TRACKING.contains(&name.as_str()))
}

fn without_fragment(address: &str) -> &str {
    address.split('#').next().unwrap_or(address)
}

fn hash(text: &str) -> String {
    let digest = Sha256::digest(text.as_bytes());
    digest.iter().take(16).map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn id(address: &str) -> Option<String> {
        page(None, Some(address.to_owned()), None, None).map(|draft| draft.id)
    }

    #[test]
    fn one_page_has_one_id_for_all_forms_of_its_address() {
        for same in [
            "https://ropes.example/Creep",
            "http://www.Ropes.Example:80/Creep/",
            "HTTPS://ropes.example:443/Creep#load",
            "https://ropes.example/Creep?utm_source=x&fbclid=1#:~:text=load",
        ] {
            assert_eq!(id(same).as_deref(), Some("page:ropes.example/Creep"), "{same}");
        }
        for other in [
            "https://ropes.example/creep",
            "https://ropes.example/Creep?page=2",
            "https://ropes.example:8080/Creep",
            "https://blog.ropes.example/Creep",
        ] {
            assert_ne!(id(other).as_deref(), Some("page:ropes.example/Creep"), "{other}");
        }
    }

    #[test]
    fn an_invalid_address_is_not_a_page() {
        for bad in [
            "",
            "ropes.example/creep",
            "javascript:alert(1)",
            "file:///etc/passwd",
            "https://",
            "https:///x",
            "https://ropes",
            "ftp://a.b/c",
            "https://a.b/c d",
            "https://a@b.c/d",
            "https://a.b/\"><script>",
        ] {
            assert_eq!(id(bad), None, "{bad}");
        }
        assert_eq!(
            id(&format!("https://a.b/{}", "x".repeat(900))).map(|id| id.len()),
            Some(37)
        );
        assert_eq!(id(&format!("https://a.b/{}", "x".repeat(5_000))), None);
    }

    proptest! {
        #[test]
        fn an_id_maps_to_itself_and_fits(rest in "[a-zA-Z0-9/._~?&=#%-]{0,300}") {
            let Some(first) = id(&format!("https://a.example/{rest}")) else { return Ok(()) };
            prop_assert!(first.len() <= 200);
            let again = first.strip_prefix(PAGE).map(|known| id(&format!("http://{known}")));
            let is_hash = !first.contains('.');
            prop_assert!(is_hash || again == Some(Some(first.clone())), "{}", first);
        }
    }
}
