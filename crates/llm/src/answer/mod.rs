//! Parses model answers: strictly first, then with repairs that drop or close text but never invent a value.

mod mend;
mod truncated;

#[cfg(test)]
mod tests;

use serde::de::DeserializeOwned;

/// The repair that was needed to parse an answer, from least to most invasive.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Mending {
    /// No repair.
    None,
    /// A Markdown fence around the JSON was removed.
    Unfenced,
    /// Other text around the JSON was removed.
    Cut,
    /// The end was missing. Everything complete before that point was kept.
    Truncated,
    /// Curly quotes around strings were straightened, or commas before a closing bracket removed.
    Punctuation,
}

/// Parses a `T` from a model's answer.
///
/// # Errors
/// If no repair makes it parse. The text describes the error of the closest attempt so that a model can act on it.
pub fn read_answer<T: DeserializeOwned>(text: &str) -> Result<(T, Mending), String> {
    let text = text.trim().trim_start_matches('\u{feff}').trim_start();
    if text.is_empty() {
        return Err("it is empty".to_owned());
    }
    let strict = serde_json::from_str::<T>(text);
    let complaint = match strict {
        Ok(value) => return Ok((value, Mending::None)),
        Err(error) => error,
    };
    let unfenced = unfenced(text);
    let cut = braced(unfenced.unwrap_or(text));
    let mut closest = complaint;
    let candidates = [
        (unfenced.map(str::to_owned), Mending::Unfenced),
        (cut.map(str::to_owned), Mending::Cut),
        (truncated::closed(text), Mending::Truncated),
        (mend::punctuation(unfenced.unwrap_or(text)), Mending::Punctuation),
        (
            mend::punctuation(unfenced.unwrap_or(text)).and_then(|text| truncated::closed(&text)),
            Mending::Punctuation,
        ),
    ];
    for (candidate, mending) in candidates {
        let Some(candidate) = candidate else {
            continue;
        };
        match serde_json::from_str::<T>(&candidate) {
            Ok(value) => return Ok((value, mending)),
            // A candidate that is JSON of the wrong shape is more informative than one that is not JSON.
            Err(error) if error.is_data() || !closest.is_data() => closest = error,
            Err(_) => {}
        }
    }
    // A serde message can quote the offending value at any length.
    let closest_said = shortened(&closest.to_string());
    Err(match closest.is_data() {
        true => format!("it does not have the asked shape: {closest_said}"),
        false => format!("it is not valid JSON: {closest_said}"),
    })
}

/// Maximum length of an error message in characters. The expected type is at its end, so the middle is cut.
const COMPLAINT: usize = 300;

fn shortened(complaint: &str) -> String {
    let length = complaint.chars().count();
    if length <= COMPLAINT {
        return complaint.to_owned();
    }
    let head: String = complaint.chars().take(COMPLAINT / 2).collect();
    let tail: String = complaint.chars().skip(length - COMPLAINT / 2).collect();
    format!("{head} … {tail}")
}

/// The text between the first fence and the last, if there is one.
fn unfenced(text: &str) -> Option<&str> {
    let (_, rest) = text.split_once("```")?;
    let (language, body) = rest.split_once('\n')?;
    if language.contains(['{', '[']) {
        return None;
    }
    let body = body.rsplit_once("```").map_or(body, |(body, _)| body);
    Some(body.trim())
}

/// The text from the first opening bracket to the last closing one of its kind.
fn braced(text: &str) -> Option<&str> {
    let start = text.find(['{', '['])?;
    let close = if text.get(start..)?.starts_with('{') { '}' } else { ']' };
    let end = text.rfind(close)?;
    text.get(start..=end)
}
