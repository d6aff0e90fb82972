//! Assigns one of the six classes to a point, by rule.

use std::sync::LazyLock;

use precedent_domain::{ContributionClass, PointClass};
use precedent_text::compile_pattern;
use regex::Regex;

/// Cues for the kind of contribution. The first cue found in the claim decides.
const OFFERED: [(PointClass, &str); 4] = [
    (
        PointClass::Task,
        r"(?i)\b(?:formali[sz]e|formulate|define|introduce|propose|study|present)\w*\s+(?:(?:a|an|the|this|new|novel|first|challenging|practical|more|general)\s+){0,4}(?:[\w-]+\s+){0,3}?(?:task|problem(?:\s+setting)?|setting)\b",
    ),
    (
        PointClass::Dataset,
        r"(?i)\b(?:data\s?sets?|benchmarks?|corpus|corpora|test\s?beds?|test\s+suites?|challenge\s+sets?|annotated\s+(?:data|texts|images|examples)|recordings)\b",
    ),
    (
        PointClass::System,
        r"(?i)\b(?:systems?|platforms?|tool\s?kits?|tools?|software|infrastructure|simulators?|compilers?|middleware|open[- ]source\s+(?:implementation|library|framework)|librar(?:y|ies)|packages?|processors?|accelerators?)\b",
    ),
    (
        PointClass::Theoretical,
        r"(?i)\b(?:prove|proof|theorems?|lower\s+bounds?|upper\s+bounds?|sample\s+complexity|convergence\s+(?:rate|guarantee)s?|characteri[sz]ation\s+of)\b",
    ),
];
/// Number of words of a claim in which the contribution is named. Later words say how or what for.
const HEAD_WORDS: usize = 16;

static CUES: LazyLock<Vec<(PointClass, Regex)>> = LazyLock::new(|| {
    OFFERED
        .iter()
        .map(|(class, pattern)| (*class, compile_pattern(pattern)))
        .collect()
});

/// The class of a point with this claim, and the reason for it.
pub(super) fn class_of(kind: ContributionClass, claim: &str) -> (PointClass, String) {
    let head: Vec<&str> = claim.split_whitespace().take(HEAD_WORDS).collect();
    let head = head.join(" ");
    let cue = |class: PointClass| {
        let pattern = &CUES.iter().find(|(of, _)| *of == class)?.1;
        pattern.find(&head).map(|found| found.as_str().to_owned())
    };
    let by_cue = |class: PointClass| cue(class).map(|words| (class, format!("detected from “{words}”")));
    let by_kind = |class: PointClass, what: &str| (class, format!("detected from its claim of {what}"));
    match kind {
        ContributionClass::Resource => by_cue(PointClass::Dataset)
            .or_else(|| by_cue(PointClass::System))
            .unwrap_or_else(|| by_kind(PointClass::Dataset, "a resource for others")),
        ContributionClass::Theory => by_kind(PointClass::Theoretical, "a proof or a formalism"),
        ContributionClass::Finding => by_kind(PointClass::Empirical, "a finding"),
        ContributionClass::Survey => by_kind(PointClass::Empirical, "an overview"),
        ContributionClass::Application => by_cue(PointClass::Task)
            .unwrap_or_else(|| by_kind(PointClass::Task, "a known method applied to another problem")),
        ContributionClass::Method => by_cue(PointClass::Task)
            .or_else(|| by_cue(PointClass::System))
            .unwrap_or_else(|| by_kind(PointClass::Methodological, "a method")),
        _ => [
            PointClass::Task,
            PointClass::Dataset,
            PointClass::System,
            PointClass::Theoretical,
        ]
        .into_iter()
        .find_map(by_cue)
        .unwrap_or_else(|| (PointClass::Methodological, "no cue for another class".to_owned())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_point_gets_one_class_by_its_contribution() {
        use ContributionClass::{Application, Finding, Method, Resource, Survey, Theory, Unclear};
        for (kind, claim, class) in [
            (
                Method,
                "We propose a seasonal regression that joins colour with swell.",
                PointClass::Methodological,
            ),
            (
                Method,
                "We present KelpOS, an operating system for kelp farms.",
                PointClass::System,
            ),
            (
                Method,
                "We formulate the problem of taut intervals under drift.",
                PointClass::Task,
            ),
            (
                Method,
                "We introduce a new task, rope counting, and a way to score it.",
                PointClass::Task,
            ),
            (
                Theory,
                "We prove that the regression is unbiased.",
                PointClass::Theoretical,
            ),
            (
                Resource,
                "We release a data set of forty thousand plots.",
                PointClass::Dataset,
            ),
            (
                Resource,
                "We release an open-source library for rope models.",
                PointClass::System,
            ),
            (
                Finding,
                "We find that colour alone explains most harvests.",
                PointClass::Empirical,
            ),
            (Survey, "We survey rope models.", PointClass::Empirical),
            (Application, "We apply spring models to moored buoys.", PointClass::Task),
            (Unclear, "Ropes are modelled as springs.", PointClass::Methodological),
        ] {
            let (found, rule) = class_of(kind, claim);
            assert_eq!(found, class, "{claim}");
            assert!(!rule.is_empty());
        }
    }
}
