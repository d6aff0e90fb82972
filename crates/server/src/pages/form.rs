use std::time::Duration;

use axum::extract::Multipart;
use axum::extract::multipart::Field;

use crate::error::Problem;
use crate::inputs::{InputFacts, Inputs};
use crate::request::{Facets, JobName, JobRequest};
use crate::uploads::WHOLE_UPLOAD;

/// Fields of a form. The pages' own forms have up to 60, one for each service.
const MOST_FIELDS: usize = 200;
/// Maximum length of all fields of a form together, in bytes: two texts of the greatest length.
pub(super) const LONGEST_FIELDS: usize = 1_000_000;
/// Maximum size of all files of a form together: ten of the largest papers, or some hundred usual ones; chosen by hand.
pub(super) const MOST_FILES_BYTES: u64 = 500_000_000;
/// Bytes that a form may have besides its files: the limit of its fields.
pub(super) const AROUND: u64 = LONGEST_FIELDS as u64;
/// Time that a client may pause within a field.
const PAUSE: Duration = Duration::from_secs(30);

/// Where the files of a form go.
pub(super) trait FileStore {
    /// A stored file.
    type Kept: Send;

    /// Stores a file. Returns it with its size.
    fn keep(&self, name: &str, file: Field<'_>) -> impl Future<Output = Result<(Self::Kept, u64), Problem>> + Send;
}

impl FileStore for Inputs {
    type Kept = InputFacts;

    async fn keep(&self, name: &str, file: Field<'_>) -> Result<(InputFacts, u64), Problem> {
        let facts = self.store(name, file).await?;
        let bytes = facts.bytes;
        Ok((facts, bytes))
    }
}

/// A form with files.
#[derive(Debug)]
pub(super) struct Form<F = InputFacts> {
    fields: Vec<(String, String)>,
    /// The files, once they are stored.
    pub(super) files: Vec<F>,
}

impl<F: Send> Form<F> {
    /// A form without a file.
    pub(super) fn of(fields: Vec<(String, String)>) -> Self {
        Self {
            fields,
            files: Vec::new(),
        }
    }

    /// The names and the values of all fields.
    pub(super) fn fields(&self) -> &[(String, String)] {
        &self.fields
    }

    /// Reads a form and stores its files, of which there may be `most`.
    pub(super) async fn read(
        parts: Multipart,
        store: &(impl FileStore<Kept = F> + Sync),
        most: usize,
    ) -> Result<Self, Problem> {
        let read = tokio::time::timeout(WHOLE_UPLOAD, Self::read_parts(parts, store, most)).await;
        read.unwrap_or_else(|_| Err(too_slow()))
    }

    async fn read_parts(
        mut parts: Multipart,
        store: &(impl FileStore<Kept = F> + Sync),
        most: usize,
    ) -> Result<Self, Problem> {
        let mut form = Self::of(Vec::new());
        let (mut left, mut all_bytes) = (LONGEST_FIELDS, 0);
        while let Some(field) = next(&mut parts).await? {
            let name = field.name().unwrap_or_default().to_owned();
            match field.file_name().map(str::to_owned) {
                // A browser sends this if no file was chosen.
                Some(file) if file.is_empty() => {}
                Some(file) if form.files.len() < most => {
                    let (kept, bytes) = store.keep(&file, field).await?;
                    form.files.push(kept);
                    all_bytes += bytes;
                    if all_bytes > MOST_FILES_BYTES {
                        let megabytes = MOST_FILES_BYTES / 1_000_000;
                        return Err(Problem::too_large(format!(
                            "the files have more than {megabytes} MB together"
                        )));
                    }
                }
                Some(_) if most == 1 => return Err(Problem::usage("send one file at a time")),
                Some(_) => return Err(Problem::usage(format!("send at most {most} files at a time"))),
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
}

impl Form {
    /// The first file.
    pub(super) fn file(&self) -> Option<&InputFacts> {
        self.files.first()
    }

    /// The request for a run.
    pub(super) fn job(&self) -> Result<JobRequest, Problem> {
        let job = self.get("job").and_then(JobName::named);
        let budget = self.get("budget").map(str::parse).transpose();
        Ok(JobRequest {
            job: job.ok_or_else(|| Problem::usage("choose what to do"))?,
            input: self.file().map(|file| file.sha256.clone()),
            text: self.get("text").map(str::to_owned),
            corpora: self.all("corpus"),
            sources: self.all("source"),
            model: self.get("model").map(str::to_owned),
            budget: budget.map_err(|_| Problem::usage("a budget is a number above 0"))?,
            as_of: self.get("as_of").map(str::to_owned),
            seed: 0,
            formats: Vec::new(),
            facets: Facets {
                purpose: self.get("purpose").map(str::to_owned),
                mechanism: self.get("mechanism").map(str::to_owned),
                evaluation: self.get("evaluation").map(str::to_owned),
                application_domain: self.get("application_domain").map(str::to_owned),
            },
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
