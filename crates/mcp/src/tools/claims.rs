use std::path::PathBuf;
use std::sync::Arc;

use precedent_app::domain::WorkId;
use precedent_app::{ClaimAnswer, ClaimQuery, ErrorKind, SearchQuery, ServiceChoice};

use crate::answer::{Answer, Arguments};
use crate::arguments::{MatchArguments, NoArguments, SearchArguments, parsed};
use crate::call::{Call, interrupted};
use crate::error::Failure;
use crate::outputs::{CorporaOutput, CorpusEntry, MatchOutput, Output, SearchOutput, unknown_ids};
use crate::server::Server;

/// `match_claim`.
pub(crate) fn match_claim(server: &Arc<Server>, arguments: &Arguments, call: &Call) -> Result<Answer, Failure> {
    let arguments: MatchArguments = parsed(arguments)?;
    let paths = server.corpora(arguments.corpora.as_deref())?;
    let sources = server.sources(arguments.sources.as_deref())?;
    let services = ServiceChoice {
        names: &sources,
        settings: server.model.settings.as_deref(),
        local_only: server.model.local_only,
        refresh: false,
    };
    let limit = limit(arguments.limit, 5, 50)?;
    let matcher = server.corpus_cache.matcher(&paths, services, call)?;
    let unknown = matcher.unknown(&arguments.exclude)?;
    unknown_ids(unknown).into_iter().for_each(|warning| call.warn(warning));
    // Opening a corpus may have taken long, and nothing is sent to services for a client that has gone.
    if call.is_cancelled() {
        return Err(interrupted());
    }
    let ClaimAnswer {
        results,
        sent,
        failures,
    } = matcher.matches(&ClaimQuery {
        text: arguments.claim,
        exclude: arguments.exclude,
        as_of: arguments.as_of,
        limit,
    })?;
    failures.into_iter().for_each(|failure| call.warn(failure));
    if sent.is_none() && matcher.is_online() {
        call.warn("nothing was sent to services: the claim has too few words besides names");
    }
    let output = MatchOutput {
        results,
        sent,
        not_searched: matcher.limits().to_vec(),
    };
    Answer::with_lists(&Output::new(output), &["/results"])
}

/// `search_prior_work`.
pub(crate) fn search_prior_work(server: &Arc<Server>, arguments: &Arguments, call: &Call) -> Result<Answer, Failure> {
    let arguments: SearchArguments = parsed(arguments)?;
    if arguments.query.trim().is_empty() {
        return Err(Failure::usage("the query is empty", "say what to look for"));
    }
    let limit = limit(arguments.limit, 10, 200)?;
    let paths = server.corpora(arguments.corpora.as_deref())?;
    let corpora = server.corpus_cache.corpora(&paths, call)?;
    let unknown: Vec<WorkId> = corpora.unknown(&arguments.exclude)?;
    unknown_ids(&unknown).into_iter().for_each(|warning| call.warn(warning));
    let found = corpora.search(&SearchQuery {
        as_of: arguments.as_of,
        exclude: arguments.exclude,
        venue: arguments.venue,
        field: arguments.field,
        limit,
        ..SearchQuery::new(arguments.query)
    })?;
    let output = SearchOutput { results: found.results };
    Answer::with_lists(&Output::new(output), &["/results"])
}

/// `list_corpora`.
pub(crate) fn list_corpora(server: &Arc<Server>, arguments: &Arguments, call: &Call) -> Result<Answer, Failure> {
    let NoArguments {} = parsed(arguments)?;
    let describe = |(name, path): &(String, PathBuf)| {
        let opened = server.corpus_cache.corpora(std::slice::from_ref(path), call);
        let (found, error) = match opened {
            Ok(corpora) => (corpora.describe().pop(), None),
            Err(failure) => (None, Some(failure.message)),
        };
        CorpusEntry {
            name: name.clone(),
            papers: found.as_ref().map(|one| one.papers),
            full_texts: found.as_ref().map(|one| one.full_texts),
            has_vectors: found.as_ref().map(|one| one.has_vectors),
            error,
        }
    };
    let left = server.runs.spending.left();
    let output = CorporaOutput {
        root: server.root.path().display().to_string(),
        corpora: server.corpora.iter().map(describe).collect(),
        sources: server.sources.clone(),
        model: server.has_model.clone(),
        dollars_left: left.dollars,
        tokens_left: left.tokens,
    };
    Answer::with_lists(&Output::new(output), &["/corpora"])
}

/// A limit within its bounds.
fn limit(given: Option<usize>, usual: usize, most: usize) -> Result<usize, Failure> {
    let limit = given.unwrap_or(usual);
    match (1..=most).contains(&limit) {
        true => Ok(limit),
        false => Err(Failure::usage(
            format!("the limit {limit} is out of range"),
            "choose one within the bounds of the input schema",
        )),
    }
}

impl Server {
    /// The paths of the corpora that a call names: names from `list_corpora`, or paths below the root.
    pub(crate) fn corpora(&self, names: Option<&[String]>) -> Result<Vec<PathBuf>, Failure> {
        let Some(names) = names else {
            return Ok(self.corpora.iter().map(|(_, path)| path.clone()).collect());
        };
        let path = |name: &String| match self.corpora.iter().find(|(own, _)| own == name) {
            Some((_, path)) => Ok(path.clone()),
            None => self.root.resolve(name),
        };
        names.iter().map(path).collect()
    }

    /// The services that a call names, of those that the user allowed.
    pub(crate) fn sources(&self, names: Option<&[String]>) -> Result<Vec<String>, Failure> {
        let Some(names) = names else {
            return Ok(self.source_names.clone());
        };
        if let Some(unknown) = names
            .iter()
            .find(|name| !self.sources.contains(name) && !self.source_names.contains(name))
        {
            let hint = match self.sources.is_empty() {
                true => "this server is offline; the user can start it with --sources".to_owned(),
                false => format!("choose from {}", self.sources.join(", ")),
            };
            return Err(Failure::new(
                ErrorKind::Usage,
                format!("the user has not allowed the source {unknown}"),
            )
            .hint(hint));
        }
        Ok(names.to_vec())
    }
}
