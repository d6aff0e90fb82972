use std::fmt::Write;

use crate::BatchState;
use crate::text::plain;

/// The batches in the text format of Prometheus.
#[must_use]
pub fn batch_metrics(batches: &[BatchState]) -> String {
    let mut text = String::new();
    let mut metric = |name: &str, help: &str, values: fn(&BatchState) -> Vec<Sample>| {
        let _ = writeln!(
            text,
            "# HELP precedent_batch_{name} {help}\n# TYPE precedent_batch_{name} gauge"
        );
        for batch in batches {
            let labels = format!("batch=\"{}\",name=\"{}\"", escaped(&batch.id), escaped(&batch.name));
            for (state, value) in values(batch) {
                let state = state.map(|state| format!(",state=\"{state}\"")).unwrap_or_default();
                let _ = writeln!(text, "precedent_batch_{name}{{{labels}{state}}} {value}");
            }
        }
    };
    metric("papers", "Papers by state.", |batch| {
        batch
            .by_state()
            .map(|(count, state)| (Some(state), count as f64))
            .collect()
    });
    metric("workers", "Workers that run papers.", |batch| {
        vec![(None, batch.workers as f64)]
    });
    metric(
        "papers_per_minute",
        "Papers that ended per minute, in the last ten minutes.",
        |batch| vec![(None, batch.per_minute)],
    );
    metric(
        "cost_dollars",
        "Cost of model calls, without runs in progress.",
        |batch| vec![(None, batch.dollars)],
    );
    metric("budget_dollars", "What all papers together may cost.", |batch| {
        batch.budget.map(|budget| (None, budget)).into_iter().collect()
    });
    text
}

/// A value, by the state of papers if it counts them.
type Sample = (Option<&'static str>, f64);

/// The value of a label.
fn escaped(value: &str) -> String {
    plain(value).replace('\\', "\\\\").replace('"', "\\\"")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn metrics_have_one_value_for_each_batch_and_state_and_quote_names() {
        let batch = BatchState {
            id: "batch-1".to_owned(),
            name: "the \"late\" ones\n\\".to_owned(),
            state: "open".to_owned(),
            papers: 3,
            waiting: 1,
            running: 2,
            done: 0,
            incomplete: 0,
            failed: 0,
            parked: 0,
            cancelled: 0,
            per_minute: 1.5,
            minutes_left: None,
            dollars: 0.25,
            workers: 2,
            budget: None,
            user: None,
            priority: 0,
            failures: Vec::new(),
        };
        let text = batch_metrics(&[batch]);
        let labels = r#"batch="batch-1",name="the \"late\" ones \\""#;
        for line in [
            format!("precedent_batch_papers{{{labels},state=\"running\"}} 2"),
            format!("precedent_batch_papers{{{labels},state=\"done\"}} 0"),
            format!("precedent_batch_workers{{{labels}}} 2"),
            format!("precedent_batch_cost_dollars{{{labels}}} 0.25"),
        ] {
            assert!(text.lines().any(|one| one == line), "{line}\n{text}");
        }
        assert!(!text.contains("precedent_batch_budget_dollars{"), "{text}");
        assert_eq!(text.matches("# TYPE precedent_batch_papers gauge").count(), 1);
    }
}
