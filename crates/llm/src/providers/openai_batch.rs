//! OpenAI's batch endpoint: a file of calls is uploaded, a batch of it is created, and its results are files too.

use precedent_http::Request;
use serde_json::{Value, json};

use super::openai::ID;
use crate::batch::{authorized, is_plain_id};
use crate::{BatchApi, BatchCall, BatchEntry, BatchStatus, Endpoint, LlmError, SubmittedBatch};

/// `POST /files`, `POST /batches`, `GET /batches/{id}`, `GET /files/{id}/content`.
#[derive(Debug)]
pub(super) struct OpenAiBatches;

/// The request with the key.
fn with_key(request: Request, endpoint: &Endpoint) -> Request {
    authorized(request, endpoint, "authorization", "Bearer ")
}

impl BatchApi for OpenAiBatches {
    fn upload(&self, endpoint: &Endpoint, calls: &[BatchCall]) -> Result<Option<Request>, LlmError> {
        let mut lines = String::new();
        for call in calls {
            let line =
                json!({"custom_id": call.key, "method": "POST", "url": "/v1/chat/completions", "body": call.body});
            lines.push_str(&line.to_string());
            lines.push('\n');
        }
        // JSON has no line breaks within a line, so the lines cannot contain the boundary, which begins with one.
        let boundary = "precedent-batch-0b6f3a1d94c2";
        let body = format!(
            "--{boundary}\r\nContent-Disposition: form-data; name=\"purpose\"\r\n\r\nbatch\r\n\
             --{boundary}\r\nContent-Disposition: form-data; name=\"file\"; filename=\"calls.jsonl\"\r\n\
             Content-Type: application/jsonl\r\n\r\n{lines}\r\n--{boundary}--\r\n"
        );
        let address = format!("{}/files", endpoint.base);
        let content_type = format!("multipart/form-data; boundary={boundary}");
        let request = Request::post_bytes(ID, &address, &content_type, body.into_bytes())?;
        Ok(Some(with_key(request, endpoint)))
    }

    fn submit(
        &self,
        endpoint: &Endpoint,
        _calls: &[BatchCall],
        file: Option<&str>,
        token: &str,
    ) -> Result<Request, LlmError> {
        let body = json!({
            "input_file_id": file.unwrap_or_default(),
            "endpoint": "/v1/chat/completions",
            "completion_window": "24h",
            "metadata": {"precedent": token},
        });
        let request = Request::post_json(ID, &format!("{}/batches", endpoint.base), &body)?;
        Ok(with_key(request, endpoint))
    }

    fn status(&self, endpoint: &Endpoint, id: &str) -> Result<Request, LlmError> {
        let request = Request::get(ID, &format!("{}/batches/{id}", endpoint.base))?;
        Ok(with_key(request, endpoint))
    }

    fn read_status(&self, body: &[u8]) -> Option<BatchStatus> {
        let value: Value = serde_json::from_slice(body).ok()?;
        let text = |name: &str| value.get(name).and_then(Value::as_str);
        let count = |name: &str| {
            let counts = value.get("request_counts");
            counts.and_then(|counts| counts.get(name)?.as_u64()).unwrap_or_default()
        };
        let status = text("status")?;
        let rejected = || {
            let message = value.pointer("/errors/data/0/message").and_then(Value::as_str);
            message.unwrap_or("the provider rejected the batch").to_owned()
        };
        let files = [text("output_file_id"), text("error_file_id")];
        Some(BatchStatus {
            id: text("id").filter(|id| is_plain_id(id))?.to_owned(),
            has_ended: matches!(status, "completed" | "failed" | "expired" | "cancelled"),
            rejected: (status == "failed").then(rejected),
            done: count("completed") + count("failed"),
            files: files.into_iter().flatten().map(str::to_owned).collect(),
        })
    }

    fn results(&self, endpoint: &Endpoint, status: &BatchStatus) -> Result<Vec<Request>, LlmError> {
        let files = status.files.iter().filter(|id| is_plain_id(id));
        files
            .map(|id| {
                let request = Request::get(ID, &format!("{}/files/{id}/content", endpoint.base))?;
                Ok(with_key(request, endpoint))
            })
            .collect()
    }

    fn read_result(&self, line: &Value) -> Option<(String, BatchEntry)> {
        let key = line.get("custom_id")?.as_str()?.to_owned();
        let response = line.get("response").filter(|response| !response.is_null());
        let entry = match response {
            Some(response) => {
                let status = response.get("status_code").and_then(Value::as_u64)?;
                let body = response.get("body")?.to_string().into_bytes();
                BatchEntry::Answered(u16::try_from(status).ok()?, body)
            }
            None => {
                let reason = line.pointer("/error/message").and_then(Value::as_str);
                BatchEntry::NotDone(reason.unwrap_or("not processed").to_owned())
            }
        };
        Some((key, entry))
    }

    fn list(&self, endpoint: &Endpoint, before: Option<&str>) -> Result<Request, LlmError> {
        let before = before.map(|id| format!("&after={id}")).unwrap_or_default();
        let request = Request::get(ID, &format!("{}/batches?limit=100{before}", endpoint.base))?;
        Ok(with_key(request, endpoint))
    }

    fn is_earlier(&self, listed: &Value, submitted: &SubmittedBatch) -> bool {
        let created = listed.get("created_at").and_then(Value::as_u64);
        created.is_some_and(|created| created < submitted.earliest())
    }

    fn stores_mark(&self) -> bool {
        true
    }

    fn may_be(&self, listed: &Value, submitted: &SubmittedBatch) -> bool {
        listed.pointer("/metadata/precedent").and_then(Value::as_str) == Some(&submitted.token)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_with_an_answer_an_error_and_an_expired_call_are_read() {
        let read = |line: Value| OpenAiBatches.read_result(&line).unwrap();
        let answer = json!({"id": "batch_req_1", "custom_id": "a", "error": null,
            "response": {"status_code": 200, "request_id": "r", "body": {"choices": []}}});
        assert_eq!(
            read(answer),
            ("a".to_owned(), BatchEntry::Answered(200, br#"{"choices":[]}"#.to_vec()))
        );
        let error = json!({"custom_id": "b", "response": {"status_code": 400, "body": {"error": {"message": "no"}}}, "error": null});
        assert!(matches!(read(error).1, BatchEntry::Answered(400, _)));
        let expired = json!({"custom_id": "c", "response": null, "error": {"code": "batch_expired",
            "message": "This request could not be executed before the completion window expired."}});
        assert!(matches!(read(expired).1, BatchEntry::NotDone(why) if why.contains("completion window")));
        assert_eq!(OpenAiBatches.read_result(&json!({"response": {}})), None);
    }

    #[test]
    fn a_status_names_its_files_and_ids_cannot_change_an_address() {
        let status = json!({"id": "batch_1", "status": "expired", "output_file_id": "file-1", "error_file_id": "../x",
            "request_counts": {"total": 3, "completed": 1, "failed": 1}});
        let read = OpenAiBatches.read_status(status.to_string().as_bytes()).unwrap();
        assert!(read.has_ended && read.done == 2);
        let endpoint = Endpoint {
            base: "https://example.org/v1".to_owned(),
            key: None,
            model: String::new(),
            options: crate::ModelOptions::default(),
        };
        let results = OpenAiBatches.results(&endpoint, &read).unwrap();
        let addresses: Vec<&str> = results.iter().map(Request::address).collect();
        assert_eq!(addresses, ["https://example.org/v1/files/file-1/content"]);
        let failed = json!({"id": "batch_1", "status": "failed", "errors": {"data": [{"message": "too many tokens"}]}});
        let read = OpenAiBatches.read_status(failed.to_string().as_bytes()).unwrap();
        assert_eq!(read.rejected.as_deref(), Some("too many tokens"));
        assert_eq!(
            OpenAiBatches.read_status(br#"{"id": "a/b", "status": "completed"}"#),
            None
        );
    }
}
