use reqwest::Url;

use crate::clients::{Hop, ReceivedBody};
use crate::{Method, Origin};

/// Whether a redirect leads to the same server, or to the same host with encryption.
pub(crate) fn stays(from: &Url, to: &Url) -> bool {
    let is_same_port = from.port_or_known_default() == to.port_or_known_default() && from.scheme() == to.scheme();
    let is_upgrade = from.scheme() == "http" && to.scheme() == "https";
    from.host_str() == to.host_str() && (is_same_port || is_upgrade)
}

/// The next hop, if the response is a redirect. Another host gets no secrets and counts as found, because the server chose it.
pub(crate) fn redirected(hop: &Hop, received: &ReceivedBody) -> Option<Hop> {
    if !matches!(received.status, 301 | 302 | 303 | 307 | 308) {
        return None;
    }
    let url: Url = hop.url.join(received.location.as_deref()?).ok()?;
    let stays = stays(&hop.url, &url);
    let keeps_method = matches!(received.status, 307 | 308);
    Some(Hop {
        url,
        method: if keeps_method { hop.method } else { Method::Get },
        origin: if stays { hop.origin } else { Origin::Found },
        with_secrets: hop.with_secrets && stays,
    })
}
