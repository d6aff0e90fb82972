use std::fmt;

use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::answer::after_thoughts;
use crate::fence::without_special_tokens;
use crate::{Answerer, Ask, Completion, Finish, LlmError, Mending, Schema, Speaker, Turn, Usage, read_answer};

/// A check that an answer of type `T` must pass, beyond its schema.
pub type Check<'a, T> = &'a (dyn Fn(&T) -> Result<(), Violation> + Sync);

/// Describes a failed check, in words that a model can act on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Violation(pub String);

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A parsed answer that passed every required check.
#[derive(Debug, Clone, PartialEq)]
pub struct Typed<T> {
    /// The answer.
    pub value: T,
    /// The repair that was needed to parse it.
    pub mending: Mending,
    /// Whether it answers the repair request.
    pub repaired: bool,
    /// The optional check that it still fails. The caller removes the affected items.
    pub let_pass: Option<Violation>,
    /// Usage of all requests for it.
    pub usage: Usage,
    /// How often the prompt was shortened because it exceeded the model's context window.
    pub shortened: u32,
}

/// Usage of one typed request, whether or not it got an answer.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct AskUsage {
    /// Requests sent, including the repair request.
    pub questions: u64,
    /// Answers received.
    pub answers: u64,
    /// Size of the requests' texts in bytes.
    pub bytes: u64,
    /// Token usage as reported by the provider, including refusals and unreadable answers.
    pub usage: Usage,
    /// Attempts that may have been billed but reported no usage.
    pub lost: u64,
    /// Upper bound of the tokens of those attempts.
    pub assumed: Usage,
    /// How often the prompt was shortened because it exceeded the model's context window.
    pub shortened: u32,
    /// Answers that were cut off at the output limit even with more room. Only their complete part was used, if any.
    pub cut_off: u32,
    /// Answers that the service calls finished although they have no text, or JSON that breaks off. A later run asks again.
    pub unfinished: u32,
    /// Answers that were cut off because the rest of the budget lowered their output limit.
    pub limited: u32,
    /// Whether an answer that was cut off contained any text.
    pub cut_with_text: bool,
}

impl AskUsage {
    /// Counts one request as a whole, for test doubles without attempts. Requests stopped by the budget or missing in a replay do not count.
    pub fn count(&mut self, ask: &Ask, outcome: &Result<Completion, LlmError>) {
        let stopped = outcome.as_ref().is_err_and(|error| {
            error.is_over_budget() || error.is_missing() || matches!(error, LlmError::NoPrice { .. })
        });
        if !stopped {
            self.questions += 1;
            self.bytes += ask.text_bytes();
        }
        if let Ok(completion) = outcome {
            self.answers += 1;
            self.usage += completion.usage;
        }
    }
}

/// The checks on an answer.
#[derive(Clone, Copy)]
pub struct Checks<'a, T> {
    /// Required checks: an answer that fails one is rejected.
    pub must: &'a [Check<'a, T>],
    /// Optional checks: an answer that fails one is sent back once. If it still fails, it is accepted with the check named, so that the caller can
    /// remove single items.
    pub should: &'a [Check<'a, T>],
}

/// Requests a `T`. An answer that cannot be parsed or fails a check is sent back once with the error. The second answer is final.
///
/// # Errors
/// If there is no answer, or the second one also fails.
pub async fn ask_for<T>(model: &dyn Answerer, ask: Ask, checks: &[Check<'_, T>]) -> Result<Typed<T>, LlmError>
where
    T: DeserializeOwned + JsonSchema,
{
    let checks = Checks {
        must: checks,
        should: &[],
    };
    ask_within(model, ask, checks, &mut AskUsage::default()).await
}

/// Maximum number of times a prompt is halved before giving up: to an eighth of its long texts.
const MOST_SHORTENED: u32 = 3;

/// Like [`ask_for`], with required and optional checks. `taken` counts the usage even if there is no answer.
/// A prompt that exceeds the context window is sent again with the first half of each long fenced text, and so on. `taken` and the answer report how
/// often.
///
/// # Errors
/// If there is no answer, or the second one fails a required check.
pub async fn ask_within<T>(
    model: &dyn Answerer,
    mut ask: Ask,
    checks: Checks<'_, T>,
    taken: &mut AskUsage,
) -> Result<Typed<T>, LlmError>
where
    T: DeserializeOwned + JsonSchema,
{
    loop {
        let checks = Checks {
            must: checks.must,
            should: checks.should,
        };
        let outcome = ask_as_it_is(model, ask.clone(), checks, taken).await;
        let shorter = match &outcome {
            Err(LlmError::TooLong { .. }) if taken.shortened < MOST_SHORTENED => ask.shortened(),
            _ => None,
        };
        match shorter {
            Some(shorter) => {
                taken.shortened += 1;
                ask = shorter;
            }
            None => return outcome,
        }
    }
}

async fn ask_as_it_is<T>(
    model: &dyn Answerer,
    mut ask: Ask,
    checks: Checks<'_, T>,
    taken: &mut AskUsage,
) -> Result<Typed<T>, LlmError>
where
    T: DeserializeOwned + JsonSchema,
{
    let schema = schema_of::<T>();
    ask.schema = Some(schema.clone());
    let judge = |text: &str| judge(text, &schema.schema, checks.must);
    // An answer can be whole although the limit was reached, and some servers cut off without saying so.
    let is_cut = |answer: &Completion, judged: &CheckedResponse<T>| match judged {
        Ok((_, mending)) => *mending == Mending::Truncated,
        Err(_) => answer.finish == Finish::CutOff || answer.is_unfinished(),
    };
    let mut first = model.complete(&ask, taken).await?;
    let mut judged = judge(&first.text);
    if is_cut(&first, &judged) {
        taken.cut_with_text |= has_text(&first);
        // Nothing is repaired before the model had room to finish: a list must not get shorter without a word.
        let mut roomier = Ask {
            most_output: more_room(ask.most_output),
            ..ask.clone()
        };
        let mut can_change = model.takes_more(&ask);
        if let (Finish::Whole, Err(violation)) = (first.finish, &judged) {
            // It may also have finished by mistake.
            let text = if has_text(&first) {
                first.text.clone()
            } else {
                String::new()
            };
            send_back(&mut roomier, text, violation);
            can_change = true;
        }
        let mut again = match can_change {
            true => model.complete(&roomier, taken).await,
            false => Err(cut_off(&ask, &first)),
        };
        let is_refused = again
            .as_ref()
            .is_err_and(|error| matches!(error, LlmError::NotTaken { .. }));
        if is_refused && first.finish == Finish::Whole {
            roomier.most_output = ask.most_output;
            again = model.complete(&roomier, taken).await;
        }
        let part = match again {
            Ok(whole) => {
                taken.cut_with_text |= has_text(&whole);
                let part = std::mem::replace(&mut judged, judge(&whole.text));
                (first, ask) = (whole, roomier);
                part
            }
            // Asked again in a later run, where the service may answer.
            Err(error) if error.may_pass() || error.is_missing() || error.is_over_budget() => return Err(error),
            Err(error) if error.ends_the_run() && judged.is_err() => return Err(error),
            // It takes no larger limit.
            Err(_) => Err(Violation(String::new())),
        };
        if is_cut(&first, &judged) {
            // What is complete counts if it passes the checks. The caller learns that the rest is missing.
            taken.cut_off += 1;
            return match judged.or(part) {
                Ok((value, mending)) => {
                    let left = broken(&value, checks.should);
                    Ok(typed(value, mending, false, left, taken))
                }
                Err(_) => Err(cut_off(&ask, &first)),
            };
        }
    }
    let (violation, kept) = match judged {
        Ok((value, mending)) => match broken(&value, checks.should) {
            None => return Ok(typed(value, mending, false, None, taken)),
            Some(violation) => (violation.clone(), Some((value, mending, violation))),
        },
        Err(violation) => (violation, None),
    };
    send_back(&mut ask, first.text, &violation);
    let second = match model.complete(&ask, taken).await {
        Ok(second) => second,
        // The first answer is partly usable, unless the error ends the run.
        Err(error) => {
            return match kept {
                Some((value, mending, violation)) if !error.ends_the_run() && !error.is_missing() => {
                    Ok(typed(value, mending, false, Some(violation), taken))
                }
                _ => Err(error),
            };
        }
    };
    let judged = judge(&second.text);
    let is_short = is_cut(&second, &judged);
    match (judged, kept) {
        // With a larger budget the repair would be whole.
        (_, Some(_)) if is_short && taken.limited > 0 => Err(cut_off(&ask, &second)),
        // A whole answer that fails a check is worth more than a part.
        (_, Some((value, mending, violation))) if is_short => Ok(typed(value, mending, false, Some(violation), taken)),
        (Ok((value, mending)), _) => {
            taken.cut_off += u32::from(is_short);
            let left = broken(&value, checks.should);
            Ok(typed(value, mending, true, left, taken))
        }
        (Err(_), Some((value, mending, violation))) => Ok(typed(value, mending, false, Some(violation), taken)),
        (Err(_), None) if second.finish == Finish::CutOff => Err(cut_off(&ask, &second)),
        (Err(violation), None) => Err(LlmError::NotAsAsked {
            ask: ask.id,
            violation: violation.0,
        }),
    }
}

/// The error for a request whose answer is not whole.
fn cut_off(ask: &Ask, answer: &Completion) -> LlmError {
    LlmError::CutOff {
        ask: ask.id.clone(),
        called_finished: answer.finish == Finish::Whole,
    }
}

/// Whether an answer has any text besides thoughts.
fn has_text(answer: &Completion) -> bool {
    !after_thoughts(answer.text.trim()).trim().is_empty()
}

/// An answer that passed the required checks, and what was mended in it.
type CheckedResponse<T> = Result<(T, Mending), Violation>;

/// How much more room an answer gets after it was cut off, and the limits. A model that thinks counts its thoughts as output: a published measurement
/// of gpt-5 found 1,152 to 1,408 tokens of thought before a short answer. The upper limit is the published output limit of gpt-4o; older models
/// refuse a request for more.
const ROOM: (u32, u32, u32) = (4, 4_096, 16_384);

fn more_room(before: u32) -> u32 {
    let (times, least, most) = ROOM;
    before.saturating_mul(times).clamp(least, most).max(before)
}

/// Adds the unusable answer and the request to repair it. Services refuse an empty turn, so an empty answer is only named.
fn send_back(ask: &mut Ask, answer: String, violation: &Violation) {
    let again = format!(
        "That answer cannot be used: {violation}. Fix this and return the complete answer again. Change nothing else. \
         Return only the JSON value."
    );
    if answer.trim().is_empty() {
        if let Some(turn) = ask.turns.last_mut() {
            turn.text
                .push_str("\n\nYour last answer was empty. Return only the JSON value.");
        }
        return;
    }
    ask.turns.push(Turn {
        speaker: Speaker::Model,
        text: without_special_tokens(&sent_back(answer)),
    });
    ask.turns.push(Turn {
        speaker: Speaker::User,
        text: again,
    });
}

/// Maximum size in bytes of an answer that is sent back whole: several times the longest expected answer.
const SENT_BACK: usize = 64 << 10;

/// The answer to send back; only its beginning if it is extremely long.
fn sent_back(mut answer: String) -> String {
    if answer.len() > SENT_BACK {
        answer.truncate(answer.floor_char_boundary(SENT_BACK));
        answer.push_str(" […]");
    }
    answer
}

fn typed<T>(value: T, mending: Mending, repaired: bool, let_pass: Option<Violation>, taken: &AskUsage) -> Typed<T> {
    Typed {
        value,
        mending,
        repaired,
        let_pass,
        usage: taken.usage,
        shortened: taken.shortened,
    }
}

fn broken<T>(value: &T, checks: &[Check<'_, T>]) -> Option<Violation> {
    checks.iter().find_map(|check| check(value).err())
}

/// The JSON Schema for answers of type `T`.
#[must_use]
pub fn answer_schema<T: JsonSchema>() -> Value {
    schema_of::<T>().schema
}

fn judge<T: DeserializeOwned>(text: &str, schema: &Value, checks: &[Check<'_, T>]) -> Result<(T, Mending), Violation> {
    let (value, mending) = read_answer::<T>(text, schema).map_err(Violation)?;
    for check in checks {
        check(&value)?;
    }
    Ok((value, mending))
}

/// The schema of `T` in the strict form that all providers accept: no references, no additional properties, every property required (optional ones
/// are nullable), and no keyword that some providers reject.
fn schema_of<T: JsonSchema>() -> Schema {
    let settings = SchemaSettings::draft2020_12().with(|settings| settings.inline_subschemas = true);
    let mut schema = settings.into_generator().into_root_schema_for::<T>().to_value();
    make_strict(&mut schema);
    Schema {
        name: "answer".to_owned(),
        schema,
    }
}

const REFUSED_BY_SOME: &[&str] = &[
    "$schema",
    "title",
    "format",
    "default",
    "minimum",
    "maximum",
    "minLength",
    "maxLength",
];

/// Alternatives that are single values become one list of values, because some providers accept neither `oneOf` nor `const`.
fn list_values(object: &mut Map<String, Value>) {
    if let Some(value) = object.remove("const") {
        object.insert("enum".to_owned(), Value::Array(vec![value]));
    }
    let Some(Value::Array(options)) = object.remove("oneOf") else {
        return;
    };
    let values_of = |option: &Value| match (option.get("const"), option.get("enum")) {
        (Some(value), _) => Some(vec![value.clone()]),
        (None, Some(Value::Array(values))) => Some(values.clone()),
        _ => None,
    };
    match options.iter().map(values_of).collect::<Option<Vec<_>>>() {
        Some(values) => {
            let values: Vec<Value> = values.into_iter().flatten().collect();
            if values.iter().all(Value::is_string) {
                object.insert("type".to_owned(), Value::from("string"));
            }
            object.insert("enum".to_owned(), Value::Array(values));
        }
        None => {
            object.insert("anyOf".to_owned(), Value::Array(options));
        }
    }
}

fn make_strict(value: &mut Value) {
    match value {
        Value::Object(object) => {
            list_values(object);
            // The keys under `properties` are names, not keywords.
            if let Some(Value::Object(properties)) = object.get_mut("properties") {
                properties.values_mut().for_each(make_strict);
                let names: Vec<Value> = properties.keys().cloned().map(Value::String).collect();
                object.insert("required".to_owned(), Value::Array(names));
                object.insert("additionalProperties".to_owned(), Value::Bool(false));
            }
            object.retain(|key, _| !REFUSED_BY_SOME.contains(&key.as_str()));
            object
                .iter_mut()
                .filter(|(key, _)| *key != "properties")
                .for_each(|(_, value)| make_strict(value));
        }
        Value::Array(items) => items.iter_mut().for_each(make_strict),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;
    use serde_json::json;

    use super::*;

    #[derive(Debug, Deserialize, JsonSchema)]
    #[expect(dead_code, reason = "only its schema is used")]
    struct Answer {
        title: String,
        count: Option<u32>,
        items: Vec<Item>,
    }

    #[derive(Debug, Deserialize, JsonSchema)]
    #[expect(dead_code, reason = "only its schema is used")]
    struct Item {
        format: String,
    }

    #[derive(Debug, Deserialize, JsonSchema)]
    #[serde(rename_all = "snake_case")]
    enum Kind {
        /// Found.
        Found,
        /// Not found.
        NotFound,
    }

    #[derive(Debug, Deserialize, JsonSchema)]
    #[expect(dead_code, reason = "only its schema is used")]
    struct OfKind {
        kind: Kind,
        other: Option<Kind>,
    }

    #[test]
    fn no_schema_has_a_keyword_that_some_providers_refuse() {
        let schema = schema_of::<OfKind>().schema;
        let text = schema.to_string();
        assert!(!text.contains("oneOf") && !text.contains("const"), "{text}");
        let kind = &schema["properties"]["kind"];
        assert_eq!(kind["enum"], json!(["found", "not_found"]), "{text}");
        assert_eq!(kind["type"], "string");
    }

    #[test]
    fn a_schema_is_strict_at_every_level_and_names_are_not_keywords() {
        let schema = schema_of::<Answer>();
        assert_eq!(schema.name, "answer");
        let expected = json!({
            "type": "object",
            "properties": {
                "title": {"type": "string"},
                "count": {"type": ["integer", "null"]},
                "items": {"type": "array", "items": {
                    "type": "object",
                    "properties": {"format": {"type": "string"}},
                    "required": ["format"],
                    "additionalProperties": false,
                }},
            },
            "required": ["title", "count", "items"],
            "additionalProperties": false,
        });
        assert_eq!(schema.schema, expected);
    }
}
