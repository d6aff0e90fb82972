use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use precedent_app::domain::{Facet, PartialDate};
use precedent_app::{App, IdeaJob, Input, Job, ModelChoice, Request, RunRequest, default_formats};

use crate::answer::{Answer, Arguments};
use crate::arguments::{AssessArguments, EstimateArguments, IdeaArguments, parsed};
use crate::call::Call;
use crate::error::Failure;
use crate::outputs::{EstimateOutput, Output};
use crate::server::Server;

/// What `assess`, `check_idea` and `estimate` have in common.
struct JobChoice {
    corpora: Option<Vec<String>>,
    sources: Option<Vec<String>>,
    as_of: Option<PartialDate>,
    use_model: Option<bool>,
}

/// `assess`.
pub(crate) fn assess(server: &Arc<Server>, arguments: &Arguments, call: &Call) -> Result<Answer, Failure> {
    let arguments: AssessArguments = parsed(arguments)?;
    let choice = JobChoice {
        corpora: arguments.corpora,
        sources: arguments.sources,
        as_of: arguments.as_of,
        use_model: arguments.use_model,
    };
    let input = Input::File(server.root.resolve(&arguments.paper)?);
    run(server, &server.request(Job::Assess, input, choice)?, call)
}

/// `check_idea`.
pub(crate) fn check_idea(server: &Arc<Server>, arguments: &Arguments, call: &Call) -> Result<Answer, Failure> {
    let arguments: IdeaArguments = parsed(arguments)?;
    let choice = JobChoice {
        corpora: arguments.corpora,
        sources: arguments.sources,
        as_of: arguments.as_of,
        use_model: arguments.use_model,
    };
    let input = idea_input(server, arguments.idea, arguments.file.as_deref())?;
    let facets = arguments.facets.unwrap_or_default();
    run(server, &server.request(idea_job(facets), input, choice)?, call)
}

/// `estimate`.
pub(crate) fn estimate(server: &Arc<Server>, arguments: &Arguments, call: &Call) -> Result<Answer, Failure> {
    let arguments: EstimateArguments = parsed(arguments)?;
    let choice = JobChoice {
        corpora: arguments.corpora,
        sources: arguments.sources,
        as_of: arguments.as_of,
        use_model: arguments.use_model,
    };
    let (job, input) = match (arguments.paper, arguments.idea, arguments.file) {
        (Some(paper), None, None) => (Job::Assess, Input::File(server.root.resolve(&paper)?)),
        (None, idea, file) if idea.is_some() != file.is_some() => {
            (idea_job(BTreeMap::new()), idea_input(server, idea, file.as_deref())?)
        }
        _ => {
            return Err(Failure::usage(
                "exactly one of `paper`, `idea` and `file` is needed",
                "see the tool's input schema",
            ));
        }
    };
    let mut request = server.request(job, input, choice)?;
    request.send_nothing = true;
    let request = server.validated(&request, call)?;
    let output = EstimateOutput {
        run: App::default().run_id(&request)?.as_str().to_owned(),
        estimate: App::default().estimate(&request, call)?,
    };
    Answer::with_lists(&Output::new(output), &["/estimate/stages", "/estimate/sources"])
}

/// Starts a run and waits for its end, but not longer than a client waits for an answer.
fn run(server: &Arc<Server>, request: &Request, call: &Call) -> Result<Answer, Failure> {
    let request = server.validated(request, call)?;
    let id = App::default().run_id(&request)?.as_str().to_owned();
    if let Some(run) = server.runs.start(request, &id)? {
        run.wait(server.wait, call)?;
    }
    server.run_answer(&id, call)
}

fn idea_input(server: &Server, idea: Option<String>, file: Option<&str>) -> Result<Input, Failure> {
    match (idea, file) {
        (Some(idea), None) => Ok(Input::Text(idea)),
        (None, Some(file)) => Ok(Input::File(server.root.resolve(file)?)),
        _ => Err(Failure::usage(
            "exactly one of `idea` and `file` is needed",
            "see the tool's input schema",
        )),
    }
}

/// The job of `precedent idea` with its defaults, so that both have the same run.
fn idea_job(facets: BTreeMap<Facet, String>) -> Job {
    Job::Idea(IdeaJob {
        examples: None,
        seeds: Vec::new(),
        facets,
        own_paper: None,
        samples: 1,
        full: false,
        workers: 4,
        embedder: None,
    })
}

impl Server {
    /// The request as a run records it. A service receives key words of a whole idea only if the user named it, and not if an agent did.
    fn validated(&self, request: &Request, call: &Call) -> Result<RunRequest, Failure> {
        let mut request = App::default().validate(request, call)?;
        // Texts go to no model or address of the settings file, because nobody named them when the server was started.
        if let Some(model) = &mut request.model {
            let named = &self.model.stages;
            model
                .stages
                .retain(|stage, name| named.iter().any(|one| *one == format!("{stage}={name}")));
            model.url.clone_from(&self.model.url);
        }
        if let Some(idea) = &mut request.idea {
            idea.whole_to.retain(|service| self.source_names.contains(service));
        }
        Ok(request)
    }

    fn request(&self, job: Job, input: Input, choice: JobChoice) -> Result<Request, Failure> {
        let corpora: Vec<PathBuf> = self.corpora(choice.corpora.as_deref())?;
        let model = match choice.use_model {
            Some(false) => ModelChoice {
                model: ModelChoice::offline().model,
                ..self.model.clone()
            },
            _ => self.model.clone(),
        };
        Ok(Request {
            corpora,
            sources: self.sources(choice.sources.as_deref())?,
            as_of: choice.as_of,
            formats: default_formats().into_iter().map(str::to_owned).collect(),
            model,
            ..Request::new(job, input)
        })
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use tokio::sync::mpsc;

    use super::*;
    use crate::server::ServerOptions;

    /// The model of a request to a server that was started with `model` and this settings file.
    fn chosen(settings: &str, model: ModelChoice) -> Option<(String, Option<String>, usize)> {
        let root = tempfile::tempdir().unwrap();
        let file = root.path().join("settings.toml");
        std::fs::write(&file, settings).unwrap();
        let server = Server::new(ServerOptions {
            root: root.path().to_owned(),
            runs: None,
            corpora: vec![root.path().to_owned()],
            sources: Vec::new(),
            model: ModelChoice {
                settings: Some(file),
                local_only: false,
                ..model
            },
            wait: Duration::ZERO,
        });
        let server = server.unwrap();
        let choice = JobChoice {
            corpora: None,
            sources: None,
            as_of: None,
            use_model: None,
        };
        let idea = Input::Text("Two buoys share a rope and send symbols by tugging it.".to_owned());
        let request = server.request(idea_job(BTreeMap::new()), idea, choice).unwrap();
        let (progress, _notes) = mpsc::unbounded_channel();
        let request = server.validated(&request, &Call::new(progress)).unwrap();
        assert_eq!(
            server.has_model,
            request.model.as_ref().map(|model| model.model.clone())
        );
        request.model.map(|model| (model.model, model.url, model.stages.len()))
    }

    #[test]
    fn models_of_the_settings_file_are_ignored() {
        let settings = "model = \"openai:other\"\nmodel_url = \"http://127.0.0.1:9/v1\"\n\
            [stages]\nextract = \"gemini:other\"\nidea = \"ollama:named\"\n";
        let named = ModelChoice {
            model: Some("ollama:own".to_owned()),
            budget_tokens: Some(1000),
            ..ModelChoice::offline()
        };
        assert_eq!(
            chosen(settings, named.clone()),
            Some(("ollama:own".to_owned(), None, 0))
        );
        let url = "http://127.0.0.1:8/v1".to_owned();
        let with_more = ModelChoice {
            url: Some(url.clone()),
            stages: vec!["idea=ollama:named".to_owned()],
            ..named.clone()
        };
        assert_eq!(
            chosen(settings, with_more),
            Some(("ollama:own".to_owned(), Some(url), 1))
        );
        let none = ModelChoice {
            model: None,
            budget_tokens: None,
            ..named
        };
        assert_eq!(chosen(settings, none), None);
    }
}
