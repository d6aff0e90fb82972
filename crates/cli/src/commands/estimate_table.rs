use precedent_app::Estimate;

use super::egress;
use crate::printer::plain;

/// Rounded up to whole cents.
fn cents_up(dollars: f64) -> f64 {
    (dollars * 100.0).ceil() / 100.0
}

/// The estimate in a few lines.
pub(super) fn table(answer: &Estimate) -> String {
    let mut lines = match answer.asks {
        0 => vec!["no model is called, so models cost nothing".to_owned()],
        _ => calls(answer),
    };
    lines.extend(answer.sources.iter().map(egress::summary));
    lines.extend(answer.encoders.iter().map(|url| {
        format!(
            "{}: text of the input and of what is found, for ranking; not counted above",
            plain(url)
        )
    }));
    lines.extend(answer.full_texts.as_ref().map(egress::full_texts));
    lines.push(String::new());
    lines.join("\n")
}

/// The calls to a model, and their cost.
fn calls(answer: &Estimate) -> Vec<String> {
    let mut lines = vec![format!(
        "{:<24}  {:>6}  {:>13}  {:>18}",
        "prompt", "calls", "input tokens", "max output tokens"
    )];
    let row =
        |name: &str, asks: u64, input: u64, output: u64| format!("{name:<24}  {asks:>6}  {input:>13}  {output:>18}");
    for one in &answer.stages {
        lines.push(row(&one.prompt, one.asks, one.input_tokens, one.most_output_tokens));
    }
    lines.push(row(
        "total",
        answer.asks,
        answer.input_tokens,
        answer.most_output_tokens,
    ));
    lines.push(match answer.likely_dollars.zip(answer.at_most_dollars) {
        Some((likely, most)) => {
            let papers = if answer.sources.is_empty() {
                ""
            } else {
                ", excluding papers from services"
            };
            let day = answer.prices_as_of.as_deref();
            let day = day.map(|day| format!(" at prices of {day}")).unwrap_or_default();
            format!(
                "{}: about ${:.2}{day}{papers}; at most ${:.2} if every answer has its maximum length and is sent back once",
                answer.model,
                cents_up(likely),
                cents_up(most)
            )
        }
        None => format!(
            "{}: price unknown; add it to [prices] in the settings file",
            answer.unpriced.join(", ")
        ),
    });
    if !answer.sources.is_empty() {
        lines.push("papers found by services are also sent to the model and are not included: the total may be several times higher".to_owned());
    }
    lines.push(format!(
        "{} bytes of text would be sent to the model's host",
        answer.bytes
    ));
    let has_whole_texts = answer.stages.iter().any(|one| one.prompt.starts_with("compare.whole"));
    if has_whole_texts && answer.whole_texts_likely < 1.0 {
        let mut line = "compare.whole is an upper bound: full texts are not sent where the passages decide".to_owned();
        if answer.likely_dollars.is_some() {
            let share = answer.whole_texts_likely * 100.0;
            line.push_str(&format!(". The likely cost includes {share:.0} % of them"));
        }
        lines.push(line);
    }
    lines
}
