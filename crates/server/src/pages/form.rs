use std::time::Duration;

use axum::extract::Multipart;
use axum::extract::multipart::Field;

use crate::error::Problem;
use crate::inputs::{InputFacts, Inputs, WHOLE_UPLOAD};
use crate::request::{JobName, JobRequest};

/// Fields of a form. The pages' own forms have up to 60, one for each service.
const MOST_FIELDS: usize = 200;
/// Maximum length of all fields of a form together, in bytes: two texts of the greatest length.
pub(super) const LONGEST_FIELDS: usize = 1_000_000;
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
    pub(super) async fn read(parts: Multipart, inputs: &Inputs) -> Result<Self, Problem> {
        let read = tokio::time::timeout(WHOLE_UPLOAD, Self::read_parts(parts, inputs)).await;
        read.unwrap_or_else(|_| Err(too_slow()))
    }

    async fn read_parts(mut parts: Multipart, inputs: &Inputs) -> Result<Self, Problem> {
        let mut form = Self::default();
        let mut left = LONGEST_FIELDS;
        while let Some(field) = next(&mut parts).await? {
            let name = field.name().unwrap_or_default().to_owned();
            match field.file_name().map(str::to_owned) {
                // A browser sends this if no file was chosen.
                Some(file) if file.is_empty() => {}
                Some(file) if form.file.is_none() => form.file = Some(inputs.store(&file, field).await?),
                Some(_) => return Err(Problem::usage("send one file at a time")),
                None if form.fields.len() < MOST_FIELDS => form.fields.push((name, text(field, &mut left).await?)),
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
    let next = next.map_err(|_| too_slow())?;
    next.map_err(|error| Problem::usage(format!("failed to read the form: {}", error.body_text())))
}

fn too_slow() -> Problem {
    Problem::timeout("the form arrived too slowly")
}

/// The text of a field, which may take the bytes that are `left`.
async fn text(mut field: Field<'_>, left: &mut usize) -> Result<String, Problem> {
    let mut bytes = Vec::new();
    loop {
        let chunk = tokio::time::timeout(PAUSE, field.chunk()).await;
        let chunk = chunk.map_err(|_| too_slow())?;
        let chunk = chunk.map_err(|error| Problem::usage(format!("failed to read the form: {}", error.body_text())))?;
        let Some(chunk) = chunk else { break };
        *left = left.checked_sub(chunk.len()).ok_or_else(|| {
            Problem::too_large(format!("the fields of the form have more than {LONGEST_FIELDS} bytes"))
        })?;
        bytes.extend_from_slice(&chunk);
    }
    String::from_utf8(bytes).map_err(|_| Problem::usage("the form is not in UTF-8"))
}
