use std::fmt::Write;

use precedent_domain::{Assessment, ContributionComparison, Status};

/// An `assess` report in the three-section form, so that it can be audited: the paper's abstract, each claim with what similar papers share and lack,
/// and the overall assessment. It has no classes and no score by design, so items on these are answered no.
#[must_use]
pub fn three_sections(report: &Assessment) -> String {
    let plain = |text: &str| precedent_text::one_line(text);
    let mut out = format!(
        "# {}\n\n## 1. Paper Content Summary\n\n",
        plain(&report.original_paper.title)
    );
    if let Some(summary) = &report.original_paper.summary {
        put(&mut out, &plain(summary.text()));
    }
    out.push_str("## 2. Point-wise Novelty Analysis\n\n");
    let analysis = &report.contribution_analysis;
    for one in &analysis.contributions {
        put(
            &mut out,
            &format!("### 2.{0}. Novelty Point {0}: {1}", one.number, plain(&one.name)),
        );
        put(&mut out, "**a) Claimed novelty**");
        put(&mut out, &plain(&one.description));
        let near = |wanted: fn(Status) -> bool| -> Vec<&ContributionComparison> {
            let own = analysis.comparisons.iter();
            own.filter(|other| other.contribution == one.number && other.near && wanted(other.status))
                .collect()
        };
        let written = |all: &[&ContributionComparison], nothing: &str| match all.is_empty() {
            true => nothing.to_owned(),
            false => {
                let lines = all
                    .iter()
                    .map(|one| format!("{} [{}]", plain(&one.note), one.candidate));
                lines.collect::<Vec<_>>().join("\n\n")
            }
        };
        put(&mut out, "**b) Similarities**");
        let shared = near(|status| status != Status::CannotRefute);
        put(
            &mut out,
            &written(&shared, "No similarity was found in the papers compared."),
        );
        put(&mut out, "**c) Unique Differences**");
        let apart = near(|status| status == Status::CannotRefute);
        put(&mut out, &written(&apart, "No difference was stated."));
    }
    out.push_str("## 3. Novelty Summary\n\n");
    for paragraph in analysis.overall_assessment.iter().flatten() {
        put(&mut out, &plain(paragraph));
    }
    out.push_str("## References\n\n");
    for one in &report.references.candidates {
        put(
            &mut out,
            &format!("[{}] {}. {}.", one.number, one.alias, plain(&one.work.title)),
        );
    }
    out
}

fn put(out: &mut String, paragraph: &str) {
    // Writing into a string cannot fail.
    let _ = write!(out, "{paragraph}\n\n");
}

#[cfg(test)]
mod tests {
    use super::super::report::report_text;
    use super::*;
    use crate::assess::{AssessOptions, assess};
    use crate::sample::{FixedSource, kelp_paper, kelp_works, world_of};

    #[tokio::test]
    async fn an_assess_report_has_claims_as_points_and_candidates_as_references() {
        let world = world_of(vec![FixedSource::new(kelp_works())]).await;
        let report = assess(kelp_paper(), AssessOptions::default(), &world).await.unwrap();
        let text = report_text(&three_sections(&report));
        assert!(text.is_report());
        assert_eq!(text.points.len(), report.contribution_analysis.contributions.len());
        assert_eq!(text.references.len(), report.references.candidates.len());
        assert!(
            text.points
                .iter()
                .all(|point| point.parts.iter().take(3).all(Option::is_some))
        );
        let listed: Vec<u32> = text.references.iter().map(|(number, _)| *number).collect();
        let cited = text
            .statements()
            .iter()
            .flat_map(|one| precedent_language::wording::cited(one))
            .collect::<Vec<u32>>();
        assert!(cited.iter().all(|number| listed.contains(number)), "{cited:?}");
    }
}
