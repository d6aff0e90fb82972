use std::collections::BTreeMap;
use std::path::PathBuf;

use precedent_app::{App, AppError, ErrorKind, IdeaJob, Input, Job, ModelChoice, Request};
use precedent_engine::domain::{Facet, PartialDate};
use pyo3::prelude::*;

use crate::work::run;

/// Options that all jobs have.
#[derive(FromPyObject)]
pub(crate) struct JobOptions {
    #[pyo3(item)]
    corpora: Vec<PathBuf>,
    #[pyo3(item)]
    sources: Vec<String>,
    #[pyo3(item)]
    model: Option<String>,
    #[pyo3(item)]
    budget: Option<f64>,
    #[pyo3(item)]
    as_of: Option<String>,
    #[pyo3(item)]
    formats: Vec<String>,
    #[pyo3(item)]
    seed: u64,
    #[pyo3(item)]
    settings: Option<PathBuf>,
    #[pyo3(item)]
    out: PathBuf,
    #[pyo3(item)]
    replay: bool,
}

impl JobOptions {
    fn request(&self, job: Job, input: Input) -> Result<Request, AppError> {
        let as_of = self.as_of.as_deref().map(str::parse::<PartialDate>).transpose();
        let offline = self.model.is_none();
        let local_only = offline && self.sources.is_empty();
        Ok(Request {
            corpora: self.corpora.clone(),
            sources: self.sources.clone(),
            as_of: as_of.map_err(|error| AppError::new(ErrorKind::Usage, error))?,
            formats: self.formats.clone(),
            seed: self.seed,
            model: ModelChoice {
                model: self.model.clone().or_else(|| ModelChoice::offline().model),
                budget: self.budget,
                local_only,
                settings: self.settings.clone(),
                ..ModelChoice::offline()
            },
            send_nothing: local_only,
            ..Request::new(job, input)
        })
    }

    /// Runs the job. Returns the manifest.
    fn run(self, py: Python<'_>, on_event: Option<Bound<'_, PyAny>>, job: Job, input: Input) -> PyResult<String> {
        let result = run(py, on_event, move |observer, cancel| {
            let request = App::default().validate(&self.request(job, input)?, &*observer)?;
            App::default().run_blocking(request, &self.out, self.replay, observer, cancel)
        })?;
        if let Some(error) = &result.unwritten {
            return Err(crate::errors::raised(py, error));
        }
        crate::work::json(py, &result.manifest)
    }
}

/// Checks the claims of a paper and writes the reports to the folder `out`. Returns the run's manifest as JSON.
#[pyfunction]
pub(crate) fn assess(
    py: Python<'_>,
    paper: PathBuf,
    options: JobOptions,
    on_event: Option<Bound<'_, PyAny>>,
) -> PyResult<String> {
    let input = match options.sources.is_empty() && options.model.is_none() {
        true => Input::File(paper),
        false => Input::Paper(paper),
    };
    options.run(py, on_event, Job::Assess, input)
}

/// The facets that are stated, from their names in Python.
fn stated(mut facets: BTreeMap<String, String>) -> BTreeMap<Facet, String> {
    let words = |facet: Facet| Some((facet, facets.remove(&facet.name().replace(' ', "_"))?));
    Facet::ALL.into_iter().filter_map(words).collect()
}

/// Checks one idea and writes the reports to the folder `out`. Returns the run's manifest as JSON.
#[pyfunction]
pub(crate) fn check_idea(
    py: Python<'_>,
    idea: String,
    facets: BTreeMap<String, String>,
    options: JobOptions,
    on_event: Option<Bound<'_, PyAny>>,
) -> PyResult<String> {
    let job = Job::Idea(IdeaJob {
        facets: stated(facets),
        ..IdeaJob::default()
    });
    options.run(py, on_event, job, Input::Text(idea))
}
