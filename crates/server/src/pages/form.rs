use std::time::Duration;

use axum::extract::Multipart;
use axum::extract::multipart::Field;

use crate::error::Problem;
use crate::inputs::{InputFacts, Inputs};
use crate::request::{Facets, JobName, JobRequest};
use crate::uploads::{SizeLimit, WHOLE_UPLOAD};

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

/// What the files of a form may have together.
#[derive(Debug, Clone, Copy)]
pub(super) struct FormLimits {
    files: usize,
    bytes: u64,
}

impl FormLimits {
    /// This many files.
    pub(super) fn files(files: usize) -> Self {
        Self {
            files,
            bytes: MOST_FILES_BYTES,
        }
    }
}

/// Where the files of a form go.
pub(super) trait FileStore {
    /// A stored file.
    type Kept: Send;

    /// Stores a file of at most `most`, which is what is left of the form. Returns it with its size.
    fn keep(
        &self,
        name: &str,
        file: Field<'_>,
        most: SizeLimit,
    ) -> impl Future<Output = Result<(Self::Kept, u64), Problem>> + Send;
}

impl FileStore for Inputs {
    type Kept = InputFacts;

    async fn keep(&self, name: &str, file: Field<'_>, most: SizeLimit) -> Result<(InputFacts, u64), Problem> {
        let facts = self.store_up_to(name, file, most).await?;
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

    /// Reads a form and stores its files.
    pub(super) async fn read(
        parts: Multipart,
        store: &(impl FileStore<Kept = F> + Sync),
        limits: FormLimits,
    ) -> Result<Self, Problem> {
        let read = tokio::time::timeout(WHOLE_UPLOAD, Self::read_parts(parts, store, limits)).await;
        read.unwrap_or_else(|_| Err(too_slow()))
    }

    async fn read_parts(
        mut parts: Multipart,
        store: &(impl FileStore<Kept = F> + Sync),
        limits: FormLimits,
    ) -> Result<Self, Problem> {
        let mut form = Self::of(Vec::new());
        let (mut left, mut left_bytes) = (LONGEST_FIELDS, limits.bytes);
        while let Some(field) = next(&mut parts).await? {
            let name = field.name().unwrap_or_default().to_owned();
            match field.file_name().map(str::to_owned) {
                // A browser sends this if no file was chosen.
                Some(file) if file.is_empty() => {}
                Some(file) if form.files.len() < limits.files => {
                    let megabytes = limits.bytes / 1_000_000;
                    let problem = Problem::too_large(format!("the files have more than {megabytes} MB together"));
                    let kept = store.keep(&file, field, SizeLimit::new(left_bytes, problem)).await;
                    let (kept, bytes) = kept.map_err(|problem| problem.about(&file))?;
                    form.files.push(kept);
                    left_bytes = left_bytes.saturating_sub(bytes);
                }
                Some(_) if limits.files == 1 => return Err(Problem::usage("send one file at a time")),
                Some(_) => {
                    let most = limits.files;
                    return Err(Problem::usage(format!("send at most {most} files at a time")));
                }
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

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use axum::body::{Body, Bytes};
    use axum::extract::{FromRequest, Request};
    use futures_util::{StreamExt, stream};

    use super::*;
    use crate::corpora::OwnCorpora;

    #[test]
    fn files_are_counted_together_while_they_arrive() {
        const CHUNKS: usize = 1_000;
        let folder = std::env::temp_dir().join(format!("precedent-form-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        let own = OwnCorpora::open(&folder, PAUSE, None, 1_000_000, || 1).unwrap();
        let limits = FormLimits { files: 2, bytes: 1_000 };
        let sent = Arc::new(AtomicUsize::new(0));
        let part =
            |name: &str| format!("--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"{name}\"\r\n\r\n");
        // The first has 600 bytes, and the second has more than the form has left.
        let first = format!("{}{}\r\n{}", part("a.txt"), "x".repeat(600), part("b.txt"));
        let second = "x".repeat(1_000);
        let chunks = std::iter::once(first).chain(std::iter::repeat_n(second, CHUNKS));
        let chunks: Vec<_> = chunks
            .map(|chunk| Ok::<_, std::io::Error>(Bytes::from(chunk)))
            .collect();
        let counter = Arc::clone(&sent);
        let body = stream::iter(chunks).then(move |chunk| {
            counter.fetch_add(1, Ordering::Relaxed);
            // As on a network, where the next chunk has not arrived yet. Otherwise all are read at once.
            async move {
                tokio::task::yield_now().await;
                chunk
            }
        });
        let request = Request::builder()
            .header("content-type", "multipart/form-data; boundary=b")
            .body(Body::from_stream(body))
            .unwrap();
        let runtime = tokio::runtime::Runtime::new().unwrap();
        let read = runtime.block_on(async {
            let parts = Multipart::from_request(request, &()).await.unwrap();
            Form::read(parts, &*own, limits).await
        });
        let problem = read.unwrap_err();
        assert!(
            problem.status == 413 && problem.detail.contains("together"),
            "{problem:?}"
        );
        // The rest was not read, and nothing is kept of either.
        assert!(sent.load(Ordering::Relaxed) < CHUNKS / 2);
        assert_eq!(std::fs::read_dir(folder.join("corpora")).unwrap().count(), 0);
        std::fs::remove_dir_all(folder).unwrap();
    }
}
