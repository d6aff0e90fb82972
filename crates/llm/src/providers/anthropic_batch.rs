//! Anthropic's Message Batches: the calls are in the request, and the results are one file.

use precedent_http::Request;
use serde_json::{Value, json};

use super::anthropic::ID;
use crate::batch::{authorized, is_plain_id};
use crate::{BatchApi, BatchCall, BatchEntry, BatchStatus, Endpoint, LlmError, SubmittedBatch};

/// `POST /v1/messages/batches`, `GET …/{id}`, `GET …/{id}/results`.
#[derive(Debug)]
pub(super) struct AnthropicBatches;

/// The address of the batches, followed by `rest`.
fn address(endpoint: &Endpoint, rest: &str) -> String {
    let version = if endpoint.base.ends_with("/v1") { "" } else { "/v1" };
    format!("{}{version}/messages/batches{rest}", endpoint.base)
}

fn with_key(request: Request, endpoint: &Endpoint) -> Request {
    authorized(request, endpoint, "x-api-key", "").header("anthropic-version", "2023-06-01")
}

impl BatchApi for AnthropicBatches {
    fn upload(&self, _endpoint: &Endpoint, _calls: &[BatchCall]) -> Result<Option<Request>, LlmError> {
        Ok(None)
    }

    fn submit(
        &self,
        endpoint: &Endpoint,
        calls: &[BatchCall],
        _file: Option<&str>,
        _token: &str,
    ) -> Result<Request, LlmError> {
        let requests = calls
            .iter()
            .map(|call| json!({"custom_id": call.key, "params": call.body}));
        let body = json!({"requests": requests.collect::<Vec<_>>()});
        let request = Request::post_json(ID, &address(endpoint, ""), &body)?;
        Ok(with_key(request, endpoint))
    }

    fn status(&self, endpoint: &Endpoint, id: &str) -> Result<Request, LlmError> {
        let request = Request::get(ID, &address(endpoint, &format!("/{id}")))?;
        Ok(with_key(request, endpoint))
    }

    fn read_status(&self, body: &[u8]) -> Option<BatchStatus> {
        let value: Value = serde_json::from_slice(body).ok()?;
        let status = value.get("processing_status")?.as_str()?;
        let id = value.get("id")?.as_str().filter(|id| is_plain_id(id))?;
        let done = ["succeeded", "errored", "canceled", "expired"];
        Some(BatchStatus {
            id: id.to_owned(),
            has_ended: status == "ended",
            rejected: None,
            done: counted(&value, &done),
            files: Vec::new(),
        })
    }

    fn results(&self, endpoint: &Endpoint, status: &BatchStatus) -> Result<Vec<Request>, LlmError> {
        // Not the `results_url` of the response: the key goes only to the address of the settings.
        let request = Request::get(ID, &address(endpoint, &format!("/{}/results", status.id)))?;
        Ok(vec![with_key(request, endpoint)])
    }

    fn read_result(&self, line: &Value) -> Option<(String, BatchEntry)> {
        let key = line.get("custom_id")?.as_str()?.to_owned();
        let result = line.get("result")?;
        let entry = match result.get("type")?.as_str()? {
            "succeeded" => BatchEntry::Answered(200, result.get("message")?.to_string().into_bytes()),
            "errored" => {
                let error = result.get("error")?;
                let kind = error.pointer("/error/type").or(error.get("type"));
                let status = status_of(kind.and_then(Value::as_str).unwrap_or_default());
                BatchEntry::Answered(status, error.to_string().into_bytes())
            }
            other => BatchEntry::NotDone(format!("the call is {other}")),
        };
        Some((key, entry))
    }

    fn list(&self, endpoint: &Endpoint, before: Option<&str>) -> Result<Request, LlmError> {
        let before = before.map(|id| format!("&after_id={id}")).unwrap_or_default();
        let request = Request::get(ID, &address(endpoint, &format!("?limit=100{before}")))?;
        Ok(with_key(request, endpoint))
    }

    // Both are RFC 3339 in UTC.
    fn is_earlier(&self, listed: &Value, submitted: &SubmittedBatch) -> bool {
        let created = listed.get("created_at").and_then(Value::as_str);
        created.is_some_and(|created| created < minute(submitted.earliest()).as_str())
    }

    fn stores_mark(&self) -> bool {
        false
    }

    // The provider stores no mark, and lists no ids of calls before the batch has ended. Its results then show whether it is ours.
    fn may_be(&self, listed: &Value, submitted: &SubmittedBatch) -> bool {
        let all = ["processing", "succeeded", "errored", "canceled", "expired"];
        let has_time = listed.get("created_at").is_some_and(Value::is_string);
        has_time && !self.is_earlier(listed, submitted) && counted(listed, &all) == submitted.keys.len() as u64
    }
}

fn counted(batch: &Value, names: &[&str]) -> u64 {
    let counts = batch.get("request_counts");
    let count = |name: &&str| counts.and_then(|counts| counts.get(*name)?.as_u64());
    names.iter().filter_map(count).sum()
}

/// The status of a direct response with this type of error (Anthropic's documentation of errors).
fn status_of(kind: &str) -> u16 {
    match kind {
        "authentication_error" => 401,
        "billing_error" => 402,
        "permission_error" => 403,
        "not_found_error" => 404,
        "request_too_large" => 413,
        "rate_limit_error" => 429,
        "api_error" => 500,
        "timeout_error" => 504,
        "overloaded_error" => 529,
        _ => 400,
    }
}

/// The minute of a time in seconds since 1970-01-01: `2026-11-25T14:02`. Days are converted as in H. Hinnant's `civil_from_days`.
fn minute(seconds: u64) -> String {
    let days = seconds / 86_400 + 719_468;
    let (era, of_era) = (days / 146_097, days % 146_097);
    let year = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let shifted = (5 * of_year + 2) / 153;
    let day = of_year - (153 * shifted + 2) / 5 + 1;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    let year = year + era * 400 + u64::from(month <= 2);
    let minutes = seconds % 86_400 / 60;
    format!("{year:04}-{month:02}-{day:02}T{:02}:{:02}", minutes / 60, minutes % 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_four_kinds_of_results_are_read() {
        let read = |result: Value| {
            let line = json!({"custom_id": "a", "result": result});
            AnthropicBatches.read_result(&line).unwrap().1
        };
        let message = json!({"type": "message", "content": []});
        let succeeded = read(json!({"type": "succeeded", "message": message}));
        assert_eq!(succeeded, BatchEntry::Answered(200, message.to_string().into_bytes()));
        let error = json!({"type": "error", "error": {"type": "invalid_request_error", "message": "max_tokens"}});
        assert!(matches!(
            read(json!({"type": "errored", "error": error})),
            BatchEntry::Answered(400, body) if body == error.to_string().into_bytes()
        ));
        for kind in ["expired", "canceled"] {
            assert!(matches!(read(json!({"type": kind})), BatchEntry::NotDone(_)));
        }
    }

    #[test]
    fn a_lost_submission_is_a_recent_batch_of_the_same_size() {
        assert_eq!(minute(0), "1970-01-01T00:00");
        assert_eq!(minute(951_782_400), "2000-02-29T00:00");
        assert_eq!(minute(1_795_615_320), "2026-11-25T14:02");
        let submitted = SubmittedBatch {
            token: String::new(),
            provider: ID.to_owned(),
            base: String::new(),
            id: None,
            submitted: 1_795_615_320,
            keys: vec!["a".to_owned(), "b".to_owned()],
            limited: Vec::new(),
            adopted: false,
            foreign: Vec::new(),
        };
        let listed = |created: &str, processing: u64| json!({"created_at": created, "request_counts": {"processing": processing, "succeeded": 0}});
        assert!(AnthropicBatches.may_be(&listed("2026-11-25T14:02:01.5Z", 2), &submitted));
        assert!(!AnthropicBatches.may_be(&listed("2026-11-25T14:02:01.5Z", 3), &submitted));
        assert!(!AnthropicBatches.may_be(&listed("2026-11-25T13:02:01.5Z", 2), &submitted));
    }
}
