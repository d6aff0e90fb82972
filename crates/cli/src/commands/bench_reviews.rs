//! Reviews of the papers of a benchmark.

use std::path::Path;
use std::sync::Arc;

use precedent_app::corpora::sources_of;
use precedent_app::{AppError, Settings, local_sources, services};
use precedent_engine::EngineError;
use precedent_engine::board::{check_required, dimensions, personas};
use precedent_engine::domain::{EvidenceKind, IdeaReview};
use precedent_engine::idea::Idea;
use precedent_engine::review::{ReviewInput, ReviewOptions, review, review_defaults};
use precedent_engine::sources::Source;

use super::bench_innoeval::Bench;
use super::rank::arguments::BenchInnoEvalArguments;
use crate::console::Console;
use crate::printer::Printer;

/// How the papers of a benchmark are reviewed.
pub(super) struct Reviewing {
    options: ReviewOptions,
    sources: Vec<Arc<dyn Source>>,
}

impl Reviewing {
    /// Opens what the reviews search. `None` if there is nothing to search or to review.
    pub(super) fn open(
        typed: &BenchInnoEvalArguments,
        bench: &Bench,
        place: &Path,
        printer: Printer,
    ) -> Result<Option<Self>, AppError> {
        if typed.points.is_empty() && typed.reviewing.text_only {
            return Ok(None);
        }
        let personas = personas(typed.reviewing.personas.as_deref())?;
        let required = typed.reviewing.required_personas.clone();
        check_required(&personas, &required, usize::from(typed.reviewing.board))?;
        let sources = sources(typed, bench, place, printer)?;
        if sources.is_empty() {
            return Ok(None);
        }
        let options = ReviewOptions {
            as_of: typed.reviewing.as_of,
            dimensions: dimensions(typed.judging.dimensions.as_deref()).map_err(AppError::from)?,
            personas,
            required,
            board: usize::from(typed.reviewing.board),
            rounds: usize::from(typed.reviewing.rounds),
            keep: usize::from(review_defaults::KEEP),
            oversample: usize::from(review_defaults::OVERSAMPLE),
            alpha: f64::from(review_defaults::ALPHA) / 100.0,
            as_published: typed.as_published,
            embedder: None,
            reranker: None,
        };
        Ok(Some(Self { options, sources }))
    }

    /// The review of one paper, reusing recorded responses. A review that the budget cuts short is an error.
    pub(super) async fn review(&self, idea: Idea, bench: &Bench) -> Result<IdeaReview, EngineError> {
        let world = bench.world(self.sources.clone());
        let found = review(&ReviewInput::Idea(idea), &self.options, &world).await;
        if world.model.as_ref().is_some_and(|model| model.log().is_over_budget()) {
            return Err(EngineError::OverBudget {
                what: "review the papers",
            });
        }
        found
    }
}

fn sources(
    typed: &BenchInnoEvalArguments,
    bench: &Bench,
    place: &Path,
    printer: Printer,
) -> Result<Vec<Arc<dyn Source>>, AppError> {
    let named = typed.model.settings.as_deref();
    let selected = services::selected(
        &EvidenceKind::ALL,
        &typed.reviewing.sources.names,
        named,
        typed.model.local_only,
    )?;
    let settings = Settings::load(named)?;
    let mut sources = sources_of(
        &typed.reviewing.corpus.corpora,
        &place.join("index"),
        &Console::new(printer),
    )?;
    let opened = services::opened(&selected, &settings, &bench.ledger, false)?;
    sources.extend(opened.into_iter().map(|source| Arc::new(source) as Arc<dyn Source>));
    sources.extend(local_sources::open(&selected)?);
    Ok(sources)
}
