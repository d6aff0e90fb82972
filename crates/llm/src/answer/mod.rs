//! Reading what a model wrote, strictly at first, then by mendings that take away or close but never invent a value.

mod mend;
mod truncated;

#[cfg(test)]
mod tests;

use serde::de::DeserializeOwned;

/// What had to be done to read an answer, from least to most.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Mending {
    /// Nothing.
    None,
    /// It stood in a Markdown fence.
    Unfenced,
    /// Other words stood around it.
    Cut,
    /// Its end was missing: what was whole before the end is kept.
    Truncated,
    /// Curly quotes around strings, or commas before a closing bracket.
    Punctuation,
}

/// Reads a `T` from what a model wrote.
///
/// # Errors
/// When no mending makes it one; the text says what is wrong with the closest reading, in words that a model can act on.
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
            // A reading that is JSON but not of the shape says more than one that is no JSON.
            Err(error) if error.is_data() || !closest.is_data() => closest = error,
            Err(_) => {}
        }
    }
    // A complaint may hold the value that it complains of, however long.
    let closest_said = shortened(&closest.to_string());
    Err(match closest.is_data() {
        true => format!("it does not have the asked shape: {closest_said}"),
        false => format!("it is not valid JSON: {closest_said}"),
    })
}

/// Longest complaint, in characters; where it says what was expected stands at its end.
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

/// What stands between the first fence and the last, if there is one.
fn unfenced(text: &str) -> Option<&str> {
    let (_, rest) = text.split_once("```")?;
    let (language, body) = rest.split_once('\n')?;
    if language.contains(['{', '[']) {
        return None;
    }
    let body = body.rsplit_once("```").map_or(body, |(body, _)| body);
    Some(body.trim())
}

/// From the first opening bracket to the last closing one of its kind.
fn braced(text: &str) -> Option<&str> {
    let start = text.find(['{', '['])?;
    let close = if text.get(start..)?.starts_with('{') { '}' } else { ']' };
    let end = text.rfind(close)?;
    text.get(start..=end)
}
