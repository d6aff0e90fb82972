//! Log events of model calls: provider, model, prompt name, tokens, cost, retries and time. A prompt, an answer or a key never appears in them.

use std::time::Duration;

use crate::{AskUsage, Meter, ModelName, Usage};

/// What a call did, besides its usage.
#[derive(Debug, Default)]
pub(crate) struct CallTrace {
    /// Whether anything was sent, now or when the recorded answer was created.
    pub(crate) went_out: bool,
    /// Whether the answer was recorded.
    pub(crate) recorded: bool,
    /// Tries after the first one.
    pub(crate) retries: u32,
}

/// The usage of one call, from the counts before and after it.
pub(crate) fn usage_since(before: &AskUsage, after: &AskUsage) -> Usage {
    let total = |usage: &AskUsage| {
        let mut total = usage.usage;
        total += usage.assumed;
        total
    };
    let (before, after) = (total(before), total(after));
    Usage {
        input: after.input.saturating_sub(before.input),
        cached: after.cached.saturating_sub(before.cached),
        written: after.written.saturating_sub(before.written),
        output: after.output.saturating_sub(before.output),
    }
}

/// Logs one call.
pub(crate) fn called(
    name: &ModelName,
    prompt: &str,
    meter: &Meter,
    usage: Usage,
    trace: &CallTrace,
    answered: bool,
    took: Duration,
) {
    let model = name.to_string();
    tracing::info!(
        target: "precedent::llm",
        provider = name.provider_id(),
        model = model.split_once(':').map_or(model.as_str(), |(_, name)| name),
        prompt,
        input_tokens = usage.input,
        output_tokens = usage.output,
        cost_usd = meter.price(&model, usage),
        retries = trace.retries,
        recorded = trace.recorded,
        answered,
        ms = u64::try_from(took.as_millis()).unwrap_or(u64::MAX),
        "model call"
    );
}
