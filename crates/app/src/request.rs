//! What a caller asks for, and its validation.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::runs::{AuditRequest, IdeaRequest, ModelRequest, PointsRequest, RankRequest, ReviewRequest, RunRequest};
use precedent_engine::board::{check_required, personas};
use precedent_engine::domain::{EvidenceKind, Facet, PartialDate};
use precedent_engine::llm::NetworkPolicy;
use precedent_engine::review::review_defaults;
use precedent_report::renderer;

use crate::fetch::{self, FetchPolicy};
use crate::input::{absolute, absolute_corpus};
use crate::jobs::idea_input::{model_of_vectors, seed};
use crate::jobs::{rank_input, review_input};
use crate::{AppError, EncoderChoice, ErrorKind, ModelChoice, Observer, Settings, encoders, input, models, services};

/// A job and everything that decides its result.
#[derive(Debug, Clone, PartialEq)]
pub struct Request {
    /// What to do.
    pub job: Job,
    /// What to do it with.
    pub input: Input,
    /// Corpora, files of records or folders of papers to search.
    pub corpora: Vec<PathBuf>,
    /// Literature services and local sources to search, by name.
    pub sources: Vec<String>,
    /// Ignore answers of services that other runs recorded on this machine.
    pub refresh: bool,
    /// Maximum number of full texts to download, if not the default.
    pub full_texts: Option<u16>,
    /// Cutoff date: later papers are not counted as prior work.
    pub as_of: Option<PartialDate>,
    /// File formats to write.
    pub formats: Vec<String>,
    /// Seed of all random sampling.
    pub seed: u64,
    /// The model, if any.
    pub model: ModelChoice,
    /// Send nothing while validating: a paper that was not downloaded before is an error.
    pub send_nothing: bool,
}

/// The paper or idea of a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Input {
    /// A file, or a folder of LaTeX.
    File(PathBuf),
    /// The identifier or URL of a paper to download. A file at this path takes precedence.
    Paper(PathBuf),
    /// The title of a paper to search for and download.
    Title(String),
    /// A text.
    Text(String),
}

/// What to do.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Job {
    /// Checks the claims of a paper.
    Assess,
    /// Compares a paper point by point.
    Points(PointsJob),
    /// Checks one idea.
    Idea(IdeaJob),
    /// Checks ideas, one JSON object per line of the input.
    Ideas(IdeaJob),
    /// Reviews an idea or a paper by several personas.
    Review(ReviewJob),
    /// Reviews ideas, one JSON object per line of the input.
    Reviews(ReviewJob),
    /// Ranks ideas, of which the input is the first, by the answers of a model.
    Rank(RankJob),
    /// Audits a report by a list of questions.
    Audit(AuditJob),
}

/// Options of [`Job::Points`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PointsJob {
    /// Maximum number of papers in the base.
    pub capacity: u16,
    /// Models that rank passages.
    pub encoders: EncoderChoice,
}

/// Options of [`Job::Idea`] and [`Job::Ideas`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IdeaJob {
    /// Labelled examples, if not the built-in ones.
    pub examples: Option<PathBuf>,
    /// Papers that the idea starts from: files, identifiers or titles.
    pub seeds: Vec<String>,
    /// What the idea states on a facet, instead of what would be found in its text.
    pub facets: BTreeMap<Facet, String>,
    /// The user's own paper of the idea, which is not counted as prior work.
    pub own_paper: Option<PathBuf>,
    /// Number of responses of the model.
    pub samples: u8,
    /// Whether each answer of a batch contains the whole report.
    pub full: bool,
    /// Ideas of a batch that are checked at the same time.
    pub workers: u8,
    /// An embedder: a known name or a folder.
    pub embedder: Option<String>,
}

impl Default for IdeaJob {
    /// One verdict, without examples or papers of the user's own.
    fn default() -> Self {
        Self {
            examples: None,
            seeds: Vec::new(),
            facets: BTreeMap::new(),
            own_paper: None,
            samples: 1,
            full: false,
            workers: 4,
            embedder: None,
        }
    }
}

/// Options of [`Job::Review`] and [`Job::Reviews`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReviewJob {
    /// File of dimensions, if not the built-in ones.
    pub dimensions: Option<PathBuf>,
    /// File of personas, if not the built-in ones.
    pub personas: Option<PathBuf>,
    /// Ids of the personas that always sit on the board.
    pub required_personas: Vec<String>,
    /// Number of reviewers.
    pub board: u8,
    /// Rounds of search.
    pub rounds: u8,
    /// Papers to keep.
    pub keep: u8,
    /// Candidates for each paper to keep.
    pub oversample: u8,
    /// Weight of the similarity in the ranking, in percent.
    pub alpha_percent: u8,
    /// Whether the model that judges relevance sees citations, venue and stars, as in the published system.
    pub as_published: bool,
    /// An embedder: a known name or a folder.
    pub embedder: Option<String>,
    /// A reranker: a folder, or the name of a model on its server.
    pub reranker: Option<String>,
    /// URL of the reranker's server.
    pub reranker_url: Option<String>,
}

/// Options of [`Job::Rank`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RankJob {
    /// The other ideas: text, Markdown, or papers.
    pub others: Vec<PathBuf>,
    /// A folder of additional dimensions.
    pub dimensions: Option<PathBuf>,
    /// Number of random orders, if not the default for the number of ideas. Each is shown forwards and backwards.
    pub draws: Option<u8>,
    /// How each idea is reviewed if the request names corpora or sources; the judge then sees the reviews too. `None` to judge the texts alone, without
    /// corpora and sources.
    pub review: Option<ReviewJob>,
}

/// Options of [`Job::Audit`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditJob {
    /// The paper that the report is about.
    pub paper: Option<PathBuf>,
}

impl Job {
    /// Kinds of evidence that the job can use.
    fn evidence(&self) -> &'static [EvidenceKind] {
        match self {
            Self::Review(_) | Self::Reviews(_) | Self::Rank(_) => &EvidenceKind::ALL,
            _ => &[EvidenceKind::Literature],
        }
    }
}

impl Request {
    /// A request for an offline job without prior work. Set the fields that differ.
    #[must_use]
    pub fn new(job: Job, input: Input) -> Self {
        Self {
            job,
            input,
            corpora: Vec::new(),
            sources: Vec::new(),
            refresh: false,
            full_texts: None,
            as_of: None,
            formats: Vec::new(),
            seed: 0,
            model: ModelChoice::offline(),
            send_nothing: false,
        }
    }

    /// The services and the model of the options. Depends on no input, so that a batch checks it once.
    pub(crate) fn options(&self) -> Result<(Vec<String>, Option<ModelRequest>), AppError> {
        for format in &self.formats {
            renderer(format).map_err(|error| AppError::new(ErrorKind::Usage, error))?;
        }
        let model = &self.model;
        let sources = services::selected(
            self.job.evidence(),
            &self.sources,
            model.settings.as_deref(),
            model.local_only,
        )?;
        // Before a paper is downloaded.
        let chosen = models::selected(model)?;
        if matches!(self.job, Job::Rank(_)) && chosen.is_none() {
            return Err(rank_input::needs_model());
        }
        if let Job::Review(job) | Job::Reviews(job) = &self.job
            && job.as_published
            && chosen.is_none()
        {
            let message = "--as-published needs a model that judges relevance";
            return Err(
                AppError::with_message(ErrorKind::Usage, message).hint("name one with --model, or leave it out")
            );
        }
        Ok((sources, chosen))
    }

    /// Checks the request and resolves it: paths become absolute, the settings are applied, and a paper given by name is downloaded. The result is
    /// what a run records, and can be repeated from any folder.
    pub(crate) fn resolve(&self, observer: &dyn Observer) -> Result<RunRequest, AppError> {
        let model = &self.model;
        let (sources, chosen) = self.options()?;
        let points = match &self.job {
            Job::Points(job) => Some(self.points(job)?),
            _ => None,
        };
        let (input, named, text) = self.input(observer)?;
        let mut request = RunRequest {
            input,
            named,
            corpora: self
                .corpora
                .iter()
                .map(|path| absolute_corpus(path))
                .collect::<Result<_, _>>()?,
            settings: services::settings_for(&sources, model)?,
            sources,
            refresh: self.refresh,
            full_texts: match self.job {
                // Ideas are compared by titles and abstracts.
                Job::Idea(_) | Job::Ideas(_) => None,
                _ => services::full_texts(self.full_texts, model.local_only),
            },
            as_of: self.as_of,
            formats: self.formats.clone(),
            seed: self.seed,
            model: chosen,
            idea: None,
            points,
            review: None,
            rank: None,
            audit: None,
        };
        match &self.job {
            Job::Assess | Job::Points(_) => {}
            Job::Idea(job) => request.idea = Some(self.idea(job, text, &request.sources, false)?),
            Job::Ideas(job) => request.idea = Some(self.idea(job, text, &request.sources, true)?),
            Job::Review(job) | Job::Reviews(job) => {
                request.review = Some(ReviewRequest {
                    batch: matches!(self.job, Job::Reviews(_)),
                    ..self.review(job, text)?
                });
                // Reports invalid files now, not after the search.
                review_input::options(&request, Path::new("."), false)?;
            }
            Job::Rank(job) => self.rank(job, &mut request)?,
            Job::Audit(job) => {
                let paper = job.paper.as_deref().map(absolute).transpose()?;
                if paper.is_none() && !request.sources.is_empty() {
                    let message = "an audit can search prior work only for a paper";
                    return Err(AppError::with_message(ErrorKind::Usage, message)
                        .hint("give the paper that the report is about with --paper, or leave out --sources"));
                }
                if paper.is_none() && self.as_of.is_some() {
                    let message = "a cutoff date limits the prior work that is searched for a paper";
                    return Err(AppError::with_message(ErrorKind::Usage, message)
                        .hint("give the paper that the report is about with --paper, or leave out --as-of"));
                }
                if paper.is_none() {
                    // They may come from the environment. The report says that nothing was searched.
                    request.corpora.clear();
                }
                request.audit = Some(AuditRequest { paper });
            }
        }
        Ok(request)
    }

    /// Adds the ideas of a ranking, and how they are reviewed.
    fn rank(&self, job: &RankJob, request: &mut RunRequest) -> Result<(), AppError> {
        // The order of ideas changes nothing, so every order is the same run.
        let others = job.others.iter().map(|path| absolute(path));
        let mut ideas: Vec<PathBuf> = others.collect::<Result<_, _>>()?;
        ideas.push(std::mem::take(&mut request.input));
        ideas.sort();
        request.input = ideas.remove(0);
        let searches = !request.corpora.is_empty() || !request.sources.is_empty();
        match &job.review {
            Some(one) if searches => {
                request.review = Some(self.review(one, None)?);
                review_input::options(request, Path::new("."), false)?;
            }
            None if searches => {
                let message = "a judge that sees only the texts sees no prior work";
                return Err(AppError::with_message(ErrorKind::Usage, message)
                    .hint("leave out --text-only, or leave out --corpus and --sources"));
            }
            _ => self.refuse_options_of_reviews(job.review.as_ref())?,
        }
        request.rank = Some(RankRequest {
            others: ideas,
            dimensions: job.dimensions.as_deref().map(absolute).transpose()?,
            draws: job.draws.map(usize::from),
        });
        rank_input::options(request).map(drop)
    }

    /// Without reviews, their options would be ignored.
    fn refuse_options_of_reviews(&self, review: Option<&ReviewJob>) -> Result<(), AppError> {
        let differs = |from: fn(&ReviewJob) -> bool| review.is_some_and(from);
        let options = [
            ("--as-of", self.as_of.is_some()),
            ("--refresh", self.refresh),
            ("--personas", differs(|one| one.personas.is_some())),
            ("--persona", differs(|one| !one.required_personas.is_empty())),
            ("--board", differs(|one| one.board != review_defaults::BOARD)),
            ("--rounds", differs(|one| one.rounds != review_defaults::ROUNDS)),
            ("--keep", differs(|one| one.keep != review_defaults::KEEP)),
            ("--reranker", differs(|one| one.reranker.is_some())),
            ("--reranker-url", differs(|one| one.reranker_url.is_some())),
        ];
        let Some((option, _)) = options.into_iter().find(|(_, is_set)| *is_set) else {
            return Ok(());
        };
        let message = format!("{option} is for reviews, and the judge sees only the texts");
        Err(AppError::with_message(ErrorKind::Usage, message)
            .hint(format!("add --corpus or --sources, or leave out {option}")))
    }

    /// The absolute path of the input, its identifiers if it was downloaded, and its text if it is no file.
    fn input(
        &self,
        observer: &dyn Observer,
    ) -> Result<(PathBuf, precedent_engine::domain::Identifiers, Option<String>), AppError> {
        match (&self.input, &self.job) {
            (Input::Text(_), Job::Assess | Job::Points(_) | Job::Rank(_) | Job::Audit(_)) => {
                let message = "this job needs a file, not a text";
                Err(AppError::with_message(ErrorKind::Usage, message)
                    .hint("save it to a file; the file name helps to detect the format"))
            }
            (Input::Text(text), job) => {
                let name = if matches!(job, Job::Ideas(_) | Job::Reviews(_)) {
                    "ideas"
                } else {
                    "idea"
                };
                Ok((PathBuf::from(name), Default::default(), Some(text.clone())))
            }
            (Input::File(path), _) => {
                input::refuse_stdin(path)?;
                let found = fetch::of_file(path, Default::default())?;
                Ok((found.path, found.identifiers, None))
            }
            (Input::Paper(typed), _) => {
                input::refuse_stdin(typed)?;
                let found = fetch::input(typed, self.fetch_policy(), observer)?;
                Ok((found.path, found.identifiers, None))
            }
            (Input::Title(title), _) => {
                let found = fetch::with_title(title, self.fetch_policy(), observer)?;
                Ok((found.path, found.identifiers, None))
            }
        }
    }

    fn fetch_policy(&self) -> FetchPolicy<'_> {
        FetchPolicy {
            dir: Path::new(fetch::PAPERS),
            settings: self.model.settings.as_deref(),
            local_only: self.model.local_only,
            nothing: self.send_nothing,
        }
    }

    fn points(&self, job: &PointsJob) -> Result<PointsRequest, AppError> {
        let settings = Settings::load(self.model.settings.as_deref())?;
        let reach = self.reach(&settings);
        Ok(PointsRequest {
            capacity: usize::from(job.capacity),
            encoders: encoders::selected(&job.encoders, settings, &reach)?,
        })
    }

    /// Which hosts may be contacted for models.
    fn reach(&self, settings: &Settings) -> NetworkPolicy {
        let hosts = settings.private_hosts.iter().chain(&self.model.private_hosts);
        encoders::reach(self.model.local_only || settings.local_only, hosts.cloned().collect())
    }

    fn idea(
        &self,
        job: &IdeaJob,
        text: Option<String>,
        sources: &[String],
        batch: bool,
    ) -> Result<IdeaRequest, AppError> {
        // Reports an unknown name now, not after the other work.
        for typed in job.seeds.iter().filter(|typed| !Path::new(typed).is_file()) {
            seed(typed)?;
        }
        let place = |seed: &String| match Path::new(seed).is_file() {
            true => absolute(Path::new(seed)).map(|path| path.to_string_lossy().into_owned()),
            false => Ok(seed.clone()),
        };
        Ok(IdeaRequest {
            text,
            batch,
            examples: job.examples.as_deref().map(absolute).transpose()?,
            seeds: job.seeds.iter().map(place).collect::<Result<_, _>>()?,
            whole_to: services::named_for_whole_texts(&self.sources, sources),
            facets: job.facets.clone(),
            own: job.own_paper.as_deref().map(absolute).transpose()?,
            samples: usize::from(job.samples),
            full: job.full,
            workers: usize::from(job.workers),
            embedder: job.embedder.as_deref().map(model_of_vectors).transpose()?,
        })
    }

    fn review(&self, job: &ReviewJob, text: Option<String>) -> Result<ReviewRequest, AppError> {
        let file = |path: &Option<PathBuf>| path.as_deref().map(absolute).transpose();
        let mut required_personas = job.required_personas.clone();
        required_personas.sort_unstable();
        required_personas.dedup();
        if !required_personas.is_empty() {
            check_required(
                &personas(job.personas.as_deref())?,
                &required_personas,
                usize::from(job.board),
            )?;
        }
        let settings = Settings::load(self.model.settings.as_deref())?;
        let reranker = EncoderChoice {
            reranker: job.reranker.clone(),
            reranker_url: job.reranker_url.clone(),
            ..EncoderChoice::default()
        };
        // A model of the settings is for other commands: nobody chose it for this idea.
        let reranker = encoders::selected(&reranker, Settings::default(), &self.reach(&settings))?;
        Ok(ReviewRequest {
            text,
            batch: false,
            dimensions: file(&job.dimensions)?,
            personas: file(&job.personas)?,
            required_personas,
            board: usize::from(job.board),
            rounds: usize::from(job.rounds),
            keep: usize::from(job.keep),
            oversample: usize::from(job.oversample),
            alpha_percent: job.alpha_percent,
            as_published: job.as_published,
            embedder: job.embedder.as_deref().map(model_of_vectors).transpose()?,
            reranker,
        })
    }
}
