use precedent_http::Response;

/// The body as text, in the character set named in its header.
pub(super) fn text_of(response: &Response) -> String {
    decoded(&response.body, response.header("content-type"))
}

/// Decodes UTF-8, otherwise Latin-1, the only other character set in use, whose bytes are its code points.
pub(super) fn decoded(body: &[u8], content_type: Option<&str>) -> String {
    let body = body.strip_prefix(b"\xef\xbb\xbf").unwrap_or(body);
    let says_latin = content_type.is_some_and(|kind| {
        let kind = kind.to_ascii_lowercase();
        kind.contains("8859-1") || kind.contains("1252")
    });
    match std::str::from_utf8(body) {
        // Bytes that are valid UTF-8 are UTF-8, whatever the header says: that does not happen by chance.
        Ok(text) => text.to_owned(),
        Err(_) if says_latin || content_type.is_none() => body.iter().map(|byte| char::from(*byte)).collect(),
        Err(_) => String::from_utf8_lossy(body).into_owned(),
    }
}
