//! The date of a paper by a model, if no rule finds one: read from the first page, with words that are located there.

use futures_util::future::BoxFuture;
use precedent_domain::{AsOf, DateOrigin, Document, MONTH_NAMES, Paper, PartialDate, QuotableDocument};
use precedent_llm::{Check, Checks, Violation};
use precedent_text::pattern;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::timing::{as_of, not_before};
use crate::model::checks::Checked;
use crate::model::texts::quoted;
use crate::model::{ModelAnalyst, checks};
use crate::world::Stage;
use crate::{Result, World};

#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
struct DateReply {
    /// Copied from the page, or empty.
    words: String,
    /// `2019`, `2019-04`, `2019-04-17`, or empty.
    date: String,
}

#[derive(Serialize)]
struct Inputs {
    mark: String,
    page: String,
}

const STAGE: Stage = Stage {
    name: "date",
    version: 1,
};
/// Longest words that state a date. `Manuscript received 17 April 2019; revised 3 May 2019; accepted …` has about ten per date.
const WORDS: usize = 15;
/// Length in bytes of a first page, if the pages are unknown. A page of two dense columns has about 6,000.
const FIRST_PAGE: usize = 6_000;

/// The date by which `paper` is judged: the `given` one, else what the rules find, else what a model reads on the first page.
///
/// # Errors
/// If the model cannot be called at all, or the ledger fails.
pub(crate) fn dated<'a>(
    paper: &'a Paper,
    given: Option<PartialDate>,
    world: &'a World,
) -> BoxFuture<'a, Result<Option<AsOf>>> {
    Box::pin(async move {
        let found = as_of(paper, given);
        match &world.model {
            Some(model) if found.is_none() => world.stage(STAGE, paper, on_first_page(model, paper)).await,
            _ => Ok(found),
        }
    })
}

async fn on_first_page(model: &ModelAnalyst, paper: &Paper) -> Result<Option<AsOf>> {
    let text = first_page(&paper.document);
    if text.trim().is_empty() {
        return Ok(None);
    }
    let fence = model.fence();
    let inputs = Inputs {
        mark: fence.mark().to_owned(),
        page: fence.wrap("first page", text),
    };
    let page = QuotableDocument::new(Document {
        text: text.to_owned(),
        ..Document::default()
    });
    let earliest = not_before(paper);
    let sound = |reply: &DateReply| stated(reply, &page, earliest).map(|_| ());
    let must: [Check<'_, DateReply>; 1] = [&sound];
    let checks = Checks {
        must: &must,
        should: &[],
    };
    let reply = model.ask("extract.date", &inputs, checks).await?;
    let date = reply.and_then(|reply| stated(&reply.value, &page, earliest).ok().flatten());
    Ok(date.map(|date| AsOf {
        date,
        origin: DateOrigin::FirstPageByModel,
    }))
}

fn first_page(document: &Document) -> &str {
    let text = document.text.as_str();
    let page = document.pages.first().and_then(|page| page.span.slice(text));
    page.unwrap_or_else(|| text.get(..text.floor_char_boundary(FIRST_PAGE)).unwrap_or(text))
}

/// The date, if its words are on the page and state each part of it, and it is not before the newest work that the paper cites. `None` if the page
/// states none.
fn stated(
    reply: &DateReply,
    page: &QuotableDocument,
    earliest: Option<u16>,
) -> std::result::Result<Option<PartialDate>, Violation> {
    let (words, date) = (reply.words.trim(), reply.date.trim());
    if words.is_empty() || date.is_empty() {
        return Ok(None);
    }
    let date: PartialDate = date.parse().map_err(|_| {
        Violation(format!(
            "date must be a year, a year and month or a full date, and is {}",
            checks::head(date)
        ))
    })?;
    checks::words_between("words", words, 1, WORDS)?;
    if quoted(words, page).is_none() {
        return Err(Violation(format!(
            "words are not copied verbatim from the page: {}",
            checks::head(words)
        )));
    }
    state(words, date)?;
    match earliest {
        Some(year) if date.year() < year => Err(Violation(format!(
            "the paper cites a work of {year}, so {date} is not its date"
        ))),
        _ => Ok(Some(date)),
    }
}

/// Checks that the words contain year, month and day of the date.
fn state(words: &str, date: PartialDate) -> Checked {
    let lower = words.to_lowercase();
    let parts: Vec<&str> = lower
        .split(|c: char| !c.is_alphanumeric())
        .filter(|part| !part.is_empty())
        .collect();
    // `17th`, but not `17km`.
    let number = |part: &str| {
        let digits = part.trim_end_matches(|c: char| c.is_alphabetic());
        let suffix = part.get(digits.len()..).unwrap_or_default();
        let ordinal = ["", "st", "nd", "rd", "th"].contains(&suffix);
        digits.parse::<u16>().ok().filter(|_| ordinal)
    };
    let has = |value: u16| parts.iter().any(|part| number(part) == Some(value));
    let named = |month: u8| {
        let name = MONTH_NAMES.get(usize::from(month).saturating_sub(1));
        let is_name = |name: &&str, part: &str| part.len() >= 3 && name.starts_with(part);
        name.is_some_and(|name| parts.iter().any(|part| is_name(name, part)))
    };
    let says_day = date.day().is_none_or(|day| has(day.into()));
    let says = |month| named(month) && says_day || in_digits(words, date);
    match has(date.year()) && date.month().is_none_or(says) {
        true => Ok(()),
        false => checks::no(format!(
            "the words do not state the date {date}: {}",
            checks::head(words)
        )),
    }
}

/// Whether the words contain the date as one group of digits: `3.5.2019`, `5/3/2019`, `2019-05-03`, `2019-05`. A lone number next to a year may be a
/// volume.
fn in_digits(words: &str, date: PartialDate) -> bool {
    let groups = pattern!(
        r"\b(?:(?P<one>\d{1,2})[./-]\s?(?P<other>\d{1,2})[./-]\s?(?P<last>\d{4})|(?P<first>\d{4})[./-](?P<month>\d{1,2})(?:[./-](?P<day>\d{1,2}))?)\b"
    );
    groups.captures_iter(words).any(|group| {
        let number = |name: &str| group.name(name).and_then(|found| found.as_str().parse::<u16>().ok());
        let is = |month: Option<u16>, day: Option<u16>| {
            month == date.month().map(u16::from) && date.day().is_none_or(|wanted| day == Some(wanted.into()))
        };
        let (one, other) = (number("one"), number("other"));
        match number("last") {
            Some(year) => year == date.year() && (is(other, one) || is(one, other)),
            None => number("first") == Some(date.year()) && is(number("month"), number("day")),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reply(words: &str, date: &str) -> DateReply {
        DateReply {
            words: words.to_owned(),
            date: date.to_owned(),
        }
    }

    #[test]
    fn a_date_needs_words_on_the_page_that_state_it() {
        let text = "Codes for Ropes\nReceived the 17th of April 2019; accepted 3.5.2019. Ropes were studied by Lie (2016). Rope Letters, vol. 4, 2019, issued 2019-06-07.";
        let page = QuotableDocument::new(Document {
            text: text.to_owned(),
            ..Document::default()
        });
        for (words, date) in [
            ("17th of April 2019", "2019-04-17"),
            ("April 2019", "2019-04"),
            ("accepted 3.5.2019", "2019-05-03"),
            ("17th of April 2019", "2019"),
            ("issued 2019-06-07", "2019-06-07"),
            ("issued 2019-06-07", "2019-06"),
        ] {
            let found = stated(&reply(words, date), &page, Some(2018)).unwrap();
            assert_eq!(found.map(|found| found.to_string()).as_deref(), Some(date));
        }
        for (words, date) in [
            ("18th of April 2019", "2019-04-18"),
            ("17th of April 2019", "2019-05-17"),
            ("April 2019", "2019-04-17"),
            ("17th of April", "2019-04-17"),
            ("April 2019", "spring 2019"),
            ("Lie (2016)", "2016"),
            ("vol. 4, 2019", "2019-04"),
            ("accepted 3.5.2019", "2019-03-03"),
        ] {
            assert!(
                stated(&reply(words, date), &page, Some(2018)).is_err(),
                "{words} {date}"
            );
        }
        assert_eq!(stated(&reply("", ""), &page, None), Ok(None));
    }
}
