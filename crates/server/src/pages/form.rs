use std::time::Duration;

use axum::extract::Multipart;
use axum::extract::multipart::Field;

use crate::error::Problem;
use crate::inputs::{InputFacts, Inputs};
use crate::request::{JobName, JobRequest, LONGEST_TEXT};

/// Fields of a form. The pages' own forms have up to 60, one for each service.
const MOST_FIELDS: usize = 200;
/// Time that a client may pause within a field.
const PAUSE: Duration = Duration::from_secs(30);

/// A form with a file.
#[derive(Debug, Default)]
pub(super) struct Form {
    fields: Vec<(String, String)>,
    /// The file, once it is stored.
    pub(super) file: Option<InputFacts>,
}

impl Form {
    /// Reads a form and stores its file.
    pub(super) async fn read(mut parts: Multipart, inputs: &Inputs) -> Result<Self, Problem> {
        let mut form = Self::default();
        while let Some(field) = next(&mut parts).await? {
            let name = field.name().unwrap_or_default().to_owned();
            match field.file_name().map(str::to_owned) {
                // A browser sends this if no file was chosen.
                Some(file) if file.is_empty() => {}
                Some(file) if form.file.is_none() => form.file = Some(inputs.store(&file, field).await?),
                Some(_) => return Err(Problem::usage("send one file at a time")),
                None if form.fields.len() < MOST_FIELDS => form.fields.push((name, text(field).await?)),
                None => return Err(Problem::usage("the form has too many fields")),
            }
        }
        Ok(form)
    }

    /// The text of a field, if it is not blank.
    pub(super) fn get(&self, name: &str) -> Option<&str> {
        let found = self.fields.iter().find(|(one, _)| one == name);
        found.map(|(_, value)| value.trim()).filter(|value| !value.is_empty())
    }

    fn all(&self, name: &str) -> Vec<String> {
        let named = self.fields.iter().filter(|(one, _)| one == name);
        named.map(|(_, value)| value.clone()).collect()
    }

    /// The request for a run.
    pub(super) fn job(&self) -> Result<JobRequest, Problem> {
        let job = self.get("job").and_then(JobName::named);
        let budget = self.get("budget").map(str::parse).transpose();
        Ok(JobRequest {
            job: job.ok_or_else(|| Problem::usage("choose what to do"))?,
            input: self.file.as_ref().map(|file| file.sha256.clone()),
            text: self.get("text").map(str::to_owned),
            corpora: self.all("corpus"),
            sources: self.all("source"),
            model: self.get("model").map(str::to_owned),
            budget: budget.map_err(|_| Problem::usage("a budget is a number above 0"))?,
            as_of: self.get("as_of").map(str::to_owned),
            seed: 0,
            formats: Vec::new(),
        })
    }
}

async fn next(parts: &mut Multipart) -> Result<Option<Field<'_>>, Problem> {
    let next = tokio::time::timeout(PAUSE, parts.next_field()).await;
    let next = next.map_err(|_| Problem::timeout("the form arrived too slowly"))?;
    next.map_err(|error| Problem::usage(format!("failed to read the form: {}", error.body_text())))
}

async fn text(mut field: Field<'_>) -> Result<String, Problem> {
    let mut bytes = Vec::new();
    loop {
        let chunk = tokio::time::timeout(PAUSE, field.chunk()).await;
        let chunk = chunk.map_err(|_| Problem::timeout("the form arrived too slowly"))?;
        let chunk = chunk.map_err(|error| Problem::usage(format!("failed to read the form: {}", error.body_text())))?;
        let Some(chunk) = chunk else { break };
        bytes.extend_from_slice(&chunk);
        if bytes.len() > LONGEST_TEXT {
            return Err(Problem::too_large(format!(
                "the text has more than {LONGEST_TEXT} bytes"
            )));
        }
    }
    String::from_utf8(bytes).map_err(|_| Problem::usage("the form is not in UTF-8"))
}
