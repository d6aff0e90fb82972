use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use serde_json::Value;
use utoipa::ToSchema;

use super::body::Body;
use crate::call::{Call, TextPlace};
use crate::error::Problem;
use crate::request::checked_text;
use crate::state::{Shared, State as Server};

/// Maximum number of quotes, and of texts to compare with, in one request.
const MOST: usize = 100;

/// A text: an uploaded file, or the text itself.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct TextChoice {
    /// SHA-256 of an uploaded file.
    input: Option<String>,
    /// The text.
    text: Option<String>,
}

impl TextChoice {
    pub(crate) fn place(&self, state: &Server) -> Result<TextPlace, Problem> {
        match (&self.input, &self.text) {
            (Some(sha256), None) => state.inputs.path(sha256).map(TextPlace::File),
            (None, Some(text)) => checked_text(text).map(TextPlace::Text),
            _ => Err(Problem::usage("give either an input or a text")),
        }
    }
}

/// Quotes to check.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct VerifyBody {
    /// The source.
    source: TextChoice,
    /// The quotes, each of at least 5 words.
    #[schema(min_items = 1, max_items = 100)]
    quotes: Vec<String>,
}

/// Texts to compare.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct OverlapBody {
    /// The text to check.
    target: TextChoice,
    /// The texts to compare it with. In the answer they are `text 1`, `text 2` and so on.
    #[schema(min_items = 1, max_items = 100)]
    others: Vec<TextChoice>,
    /// Minimum length of a passage, in words.
    min_words: Option<usize>,
}

/// A claim to find papers for.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct MatchBody {
    /// The claim.
    claim: String,
    /// Corpora of the server, by name. Empty for all.
    #[serde(default)]
    corpora: Vec<String>,
    /// Leave out papers that certainly appeared after this date.
    as_of: Option<String>,
    /// Maximum number of papers.
    #[serde(default = "five")]
    limit: usize,
}

/// A search.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct SearchBody {
    /// Words, up to a whole abstract.
    query: String,
    /// Corpora of the server, by name. Empty for all.
    #[serde(default)]
    corpora: Vec<String>,
    /// Leave out papers that are certainly later than this date.
    as_of: Option<String>,
    /// Maximum number of papers.
    #[serde(default = "ten")]
    limit: usize,
}

/// As in `precedent match`.
fn five() -> usize {
    5
}

fn ten() -> usize {
    10
}

impl Server {
    /// Checks quotes.
    pub(crate) async fn verify(&self, source: TextPlace, quotes: Vec<String>) -> Result<Value, Problem> {
        if quotes.is_empty() || quotes.len() > MOST {
            return Err(Problem::usage(format!("give 1 to {MOST} quotes")));
        }
        for quote in &quotes {
            checked_text(quote)?;
        }
        self.call(Call::Verify { source, quotes }).await
    }

    /// Finds passages that texts share.
    pub(crate) async fn overlap(
        &self,
        target: TextPlace,
        others: Vec<TextPlace>,
        min_words: Option<usize>,
    ) -> Result<Value, Problem> {
        if others.is_empty() || others.len() > MOST {
            return Err(Problem::usage(format!("give 1 to {MOST} texts to compare with")));
        }
        let call = Call::Overlap {
            target,
            others,
            min_words,
        };
        self.call(call).await
    }

    /// Paths of the named corpora, or of all.
    fn corpora_named(&self, names: &[String]) -> Result<Vec<std::path::PathBuf>, Problem> {
        let corpora = &self.offer.corpora;
        match names.is_empty() {
            true => corpora.paths(&corpora.names()),
            false => corpora.paths(names),
        }
    }

    /// Finds the papers that state a claim.
    pub(crate) async fn match_claim(
        &self,
        claim: &str,
        corpora: &[String],
        as_of: Option<String>,
        limit: usize,
    ) -> Result<Value, Problem> {
        let call = Call::Match {
            claim: checked_text(claim)?,
            corpora: self.corpora_named(corpora)?,
            as_of,
            limit: limit.clamp(1, MOST),
        };
        self.call(call).await
    }

    /// Searches corpora.
    pub(crate) async fn search(
        &self,
        query: &str,
        corpora: &[String],
        as_of: Option<String>,
        limit: usize,
    ) -> Result<Value, Problem> {
        let call = Call::Search {
            query: checked_text(query)?,
            corpora: self.corpora_named(corpora)?,
            as_of,
            limit: limit.clamp(1, MOST),
        };
        self.call(call).await
    }
}

/// Check quotes
///
/// The answer is what `precedent verify --json` prints, one item for each quote.
#[utoipa::path(
    post, path = "/api/v1/verify", tag = "calls", request_body = VerifyBody,
    responses(
        (status = 200, description = "One answer for each quote (docs/schema/verify-1.json)", body = Vec<Object>),
        (status = "4XX", description = "A quote or the source cannot be used", body = Problem, content_type = "application/problem+json"),
    )
)]
pub(crate) async fn verify(State(state): State<Shared>, Body(body): Body<VerifyBody>) -> Result<Json<Value>, Problem> {
    let source = body.source.place(&state)?;
    state.verify(source, body.quotes).await.map(Json)
}

/// Find passages that texts share
///
/// The answer is what `precedent overlap --json` prints.
#[utoipa::path(
    post, path = "/api/v1/overlap", tag = "calls", request_body = OverlapBody,
    responses(
        (status = 200, description = "Shared passages and paraphrase candidates (docs/schema/overlap-1.json)", body = Object),
        (status = "4XX", description = "A text cannot be used", body = Problem, content_type = "application/problem+json"),
    )
)]
pub(crate) async fn overlap(
    State(state): State<Shared>,
    Body(body): Body<OverlapBody>,
) -> Result<Json<Value>, Problem> {
    let target = body.target.place(&state)?;
    let others = body
        .others
        .iter()
        .map(|one| one.place(&state))
        .collect::<Result<_, _>>()?;
    state.overlap(target, others, body.min_words).await.map(Json)
}

/// Find the papers that state a claim
///
/// The answer is what `precedent match --json` prints. Only corpora of the server are searched; nothing is sent.
#[utoipa::path(
    post, path = "/api/v1/match", tag = "calls", request_body = MatchBody,
    responses(
        (status = 200, description = "Papers, most probable first", body = Object),
        (status = "4XX", description = "The claim or a corpus cannot be used", body = Problem, content_type = "application/problem+json"),
    )
)]
pub(crate) async fn match_claim(
    State(state): State<Shared>,
    Body(body): Body<MatchBody>,
) -> Result<Json<Value>, Problem> {
    state
        .match_claim(&body.claim, &body.corpora, body.as_of, body.limit)
        .await
        .map(Json)
}

/// Search corpora
///
/// The answer is what `precedent search --json` prints.
#[utoipa::path(
    post, path = "/api/v1/search", tag = "calls", request_body = SearchBody,
    responses(
        (status = 200, description = "Papers, best first", body = Object),
        (status = "4XX", description = "A corpus cannot be searched", body = Problem, content_type = "application/problem+json"),
    )
)]
pub(crate) async fn search(State(state): State<Shared>, Body(body): Body<SearchBody>) -> Result<Json<Value>, Problem> {
    state
        .search(&body.query, &body.corpora, body.as_of, body.limit)
        .await
        .map(Json)
}
