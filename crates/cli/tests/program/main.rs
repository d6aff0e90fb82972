//! End-to-end tests of the program on the sample in `examples/`.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a panic fails the test"
)]

mod answers;
mod anthology;
mod assess_sample;
mod audits;
mod batches;
mod citations;
mod command_line;
mod connections;
mod corpus;
mod cut_answers;
mod databases;
mod databases_fleet;
#[cfg(all(feature = "postgres", unix))]
mod databases_fleet_batches;
#[cfg(all(feature = "postgres", unix))]
mod databases_fleet_limits;
#[cfg(all(feature = "postgres", unix))]
mod databases_fleet_pull;
mod dates;
mod egress;
mod encoders;
mod exports;
mod finders;
mod full_texts;
mod help;
mod hostile_inputs;
mod idea_services;
mod ideas;
mod inputs;
mod internet;
mod interrupts;
mod logs;
mod matching;
#[cfg(feature = "mcp")]
mod mcp;
#[cfg(feature = "mcp")]
mod mcp_client;
#[cfg(feature = "mcp")]
mod mcp_runs;
mod model_calls;
mod models;
mod models_hostile;
mod named;
mod outages;
mod points;
mod provider_batches;
mod ranking;
mod ranking_reviews;
mod real_papers;
mod recipes;
mod requests_to_models;
mod review_batches;
mod review_rerankers;
mod reviews;
mod reviews_online;
mod services;
mod settings;
mod sites;
mod snapshots;
mod starter_corpora;
mod support;
mod verdicts;
mod verify_overlap;
mod watches;
