//! Benchmark of review scores against venue decisions (InnoEval, table 1), for single papers in the published layout.

use std::collections::{BTreeMap, BTreeSet};

use precedent_engine::domain::{IdeaReview, ReviewDecision, title_key};
use precedent_engine::{EngineError, Result};
use serde::{Deserialize, Serialize};

use crate::statistics::{Clustered, clustered};

/// A paper to be reviewed as an idea, with its venue's decision according to the file. Only its text is shown to the model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PointTask {
    /// Its id.
    pub id: String,
    /// Its title.
    pub title: String,
    /// Title and abstract.
    pub text: String,
    /// The venue's decision according to the file.
    pub label: ReviewDecision,
}

/// Result for one paper.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum PointOutcome {
    /// The review gave a score and a decision.
    Scored {
        /// 0 to 10.
        score: f64,
        /// The decision that follows from the score.
        decision: ReviewDecision,
    },
    /// The review gave no score. This counts as wrong in every measure, but not as a rejection.
    Unscored {
        /// The reason.
        why: String,
    },
}

impl PointOutcome {
    /// The result of a review.
    #[must_use]
    pub fn of(review: &IdeaReview) -> Self {
        match &review.meta {
            Some(meta) => Self::Scored {
                score: meta.score,
                decision: meta.decision,
            },
            None => Self::Unscored {
                why: "the review gave no score".to_owned(),
            },
        }
    }

    fn decision(&self) -> Option<ReviewDecision> {
        match self {
            Self::Scored { decision, .. } => Some(*decision),
            Self::Unscored { .. } => None,
        }
    }

    fn score(&self) -> Option<f64> {
        match self {
            Self::Scored { score, .. } => Some(*score),
            Self::Unscored { .. } => None,
        }
    }
}

/// Agreement of outcomes with labels. A paper without a score counts against accuracy and recall.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PointAgreement {
    /// Papers.
    pub papers: usize,
    /// Papers with a score.
    pub scored: usize,
    /// Two classes: rejected or accepted.
    pub binary: ClassAgreement,
    /// Three classes: rejected, poster, or higher.
    pub ternary: ClassAgreement,
    /// Decisions by label.
    pub confusion: Vec<ConfusionRow>,
    /// Mean score by label.
    pub scores: Vec<LabelScore>,
    /// Rank correlation of scores and labels, -1 to 1, with mean ranks for ties (Spearman 1904), over papers with a score.
    pub spearman: Clustered,
}

/// Agreement over a few classes.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct ClassAgreement {
    /// Share of papers in the correct class.
    pub accuracy: Clustered,
    /// Mean F1 over the classes. Classes that no label names are left out.
    pub macro_f1: Clustered,
    /// Accuracy of always predicting the most frequent class.
    pub majority: Clustered,
}

/// Decisions on the papers of one label.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct ConfusionRow {
    /// The label.
    pub label: ReviewDecision,
    /// Number decided as reject.
    pub reject: usize,
    /// Number decided as poster.
    pub poster: usize,
    /// Number decided as spotlight.
    pub spotlight: usize,
    /// Number decided as oral.
    pub oral: usize,
    /// Number without a score.
    pub unscored: usize,
}

/// The scores of the papers of one label.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct LabelScore {
    /// The label.
    pub label: ReviewDecision,
    /// Papers with a score.
    pub papers: usize,
    /// Mean score.
    pub mean: Clustered,
}

const LABELS: [ReviewDecision; 4] = [
    ReviewDecision::Reject,
    ReviewDecision::Poster,
    ReviewDecision::Spotlight,
    ReviewDecision::Oral,
];

/// A label and the outcome for the paper.
type LabelledOutcome = (ReviewDecision, PointOutcome);

/// Agreement of `outcomes` with the labels of `tasks`, with 95 % bootstrap intervals over papers; duplicates of a paper are resampled together.
/// The same input and seed give the same intervals.
#[must_use]
pub fn point_agreement(tasks: &[PointTask], outcomes: &[PointOutcome], seed: u64) -> PointAgreement {
    let names: BTreeSet<String> = tasks.iter().map(cluster).collect();
    let names: Vec<&String> = names.iter().collect();
    let groups: Vec<usize> = tasks
        .iter()
        .map(|task| names.binary_search(&&cluster(task)).unwrap_or_default())
        .collect();
    let pairs: Vec<LabelledOutcome> = tasks
        .iter()
        .map(|task| task.label)
        .zip(outcomes.iter().cloned())
        .collect();
    let measure = |of: &dyn Fn(&[LabelledOutcome]) -> f64| clustered(&pairs, &groups, seed, of);
    let classes = |class: fn(ReviewDecision) -> u8| {
        let most = most_frequent(&pairs, class);
        ClassAgreement {
            accuracy: measure(&|all| {
                share(all, |(label, outcome)| {
                    outcome.decision().map(class) == Some(class(*label))
                })
            }),
            macro_f1: measure(&|all| macro_f1(all, class)),
            majority: measure(&|all| share(all, |(label, _)| Some(class(*label)) == most)),
        }
    };
    let of_label = |label: ReviewDecision| pairs.iter().zip(&groups).filter(move |((one, _), _)| *one == label);
    let scores = LABELS.into_iter().filter_map(|label| {
        let scored = of_label(label).filter_map(|((_, outcome), group)| Some((outcome.score()?, *group)));
        let (values, groups): (Vec<f64>, Vec<usize>) = scored.unzip();
        (!values.is_empty()).then(|| LabelScore {
            label,
            papers: values.len(),
            mean: clustered(&values, &groups, seed, &|all| {
                all.iter().sum::<f64>() / all.len().max(1) as f64
            }),
        })
    });
    PointAgreement {
        papers: pairs.len(),
        scored: pairs.iter().filter(|(_, outcome)| outcome.score().is_some()).count(),
        binary: classes(binary),
        ternary: classes(ternary),
        confusion: LABELS
            .into_iter()
            .map(|label| row(label, &pairs))
            .filter(|row| row.any())
            .collect(),
        scores: scores.collect(),
        spearman: measure(&spearman),
    }
}

fn cluster(task: &PointTask) -> String {
    match task.id.is_empty() {
        true => title_key(&task.title),
        false => task.id.clone(),
    }
}

fn binary(decision: ReviewDecision) -> u8 {
    u8::from(decision != ReviewDecision::Reject)
}

fn ternary(decision: ReviewDecision) -> u8 {
    match decision {
        ReviewDecision::Reject => 0,
        ReviewDecision::Poster => 1,
        ReviewDecision::Spotlight | ReviewDecision::Oral => 2,
    }
}

fn share(all: &[LabelledOutcome], is: impl Fn(&LabelledOutcome) -> bool) -> f64 {
    all.iter().filter(|one| is(one)).count() as f64 / all.len().max(1) as f64
}

fn most_frequent(all: &[LabelledOutcome], class: fn(ReviewDecision) -> u8) -> Option<u8> {
    let mut counts: BTreeMap<u8, usize> = BTreeMap::new();
    for (label, _) in all {
        *counts.entry(class(*label)).or_default() += 1;
    }
    counts
        .into_iter()
        .max_by_key(|(class, count)| (*count, u8::MAX - class))
        .map(|(class, _)| class)
}

fn macro_f1(all: &[LabelledOutcome], class: fn(ReviewDecision) -> u8) -> f64 {
    let classes: BTreeSet<u8> = all.iter().map(|(label, _)| class(*label)).collect();
    let f1 = |one: u8| {
        let meant = all.iter().filter(|(label, _)| class(*label) == one).count();
        let given = all
            .iter()
            .filter(|(_, outcome)| outcome.decision().map(class) == Some(one))
            .count();
        let right = all
            .iter()
            .filter(|(label, outcome)| class(*label) == one && outcome.decision().map(class) == Some(one))
            .count();
        2.0 * right as f64 / (meant + given).max(1) as f64
    };
    classes.iter().map(|one| f1(*one)).sum::<f64>() / classes.len().max(1) as f64
}

/// Pearson's coefficient of the ranks; 0 if all labels or all scores are equal.
fn spearman(all: &[LabelledOutcome]) -> f64 {
    let scored = all
        .iter()
        .filter_map(|(label, outcome)| Some((level(*label), outcome.score()?)));
    let (labels, scores): (Vec<f64>, Vec<f64>) = scored.unzip();
    let (labels, scores) = (places(&labels), places(&scores));
    let mean = (labels.len() as f64 + 1.0) / 2.0;
    let product = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| (a - mean) * (b - mean)).sum::<f64>();
    match (product(&labels, &labels) * product(&scores, &scores)).sqrt() {
        0.0 => 0.0,
        spread => product(&labels, &scores) / spread,
    }
}

fn level(decision: ReviewDecision) -> f64 {
    let at = LABELS.iter().position(|one| *one == decision).unwrap_or_default();
    at as f64
}

/// The rank of each value from the lowest, from 1; equal values share their mean rank.
fn places(values: &[f64]) -> Vec<f64> {
    let place = |value: &f64| {
        let below = values.iter().filter(|other| *other < value).count();
        let alike = values.iter().filter(|other| *other == value).count();
        below as f64 + (alike as f64 + 1.0) / 2.0
    };
    values.iter().map(place).collect()
}

fn row(label: ReviewDecision, all: &[LabelledOutcome]) -> ConfusionRow {
    let count = |due: Option<ReviewDecision>| {
        let of_label = all.iter().filter(|(one, _)| *one == label);
        of_label.filter(|(_, outcome)| outcome.decision() == due).count()
    };
    ConfusionRow {
        label,
        reject: count(Some(ReviewDecision::Reject)),
        poster: count(Some(ReviewDecision::Poster)),
        spotlight: count(Some(ReviewDecision::Spotlight)),
        oral: count(Some(ReviewDecision::Oral)),
        unscored: count(None),
    }
}

impl ConfusionRow {
    fn any(&self) -> bool {
        self.reject + self.poster + self.spotlight + self.oral + self.unscored > 0
    }
}

/// Result of comparing labels with the venue's own record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordCheck {
    /// Tasks whose label matches the record.
    pub agreed: Vec<PointTask>,
    /// Tasks whose label contradicts the record.
    pub contradicted: usize,
    /// Tasks that are not in the record.
    pub unknown: usize,
}

/// Keeps the tasks whose label matches the venue's record. The published labels contradict it in more than a third of the cases that can be checked.
#[must_use]
pub fn check_record(tasks: Vec<PointTask>, record: &BTreeMap<String, ReviewDecision>) -> RecordCheck {
    let mut check = RecordCheck {
        agreed: Vec::new(),
        contradicted: 0,
        unknown: 0,
    };
    for task in tasks {
        match record.get(&task.id) {
            Some(decision) if *decision == task.label => check.agreed.push(task),
            Some(_) => check.contradicted += 1,
            None => check.unknown += 1,
        }
    }
    check
}

#[derive(Deserialize)]
struct ReviewLine {
    #[serde(alias = "id", alias = "forum", default)]
    paper_id: String,
    #[serde(default)]
    title: String,
    #[serde(rename = "abstract", default)]
    summary: String,
    decision: String,
}

/// Tasks in the published layout: one JSON object per line, or an array of them, with `paper_id`, `title`, `abstract` and `decision`.
///
/// # Errors
/// When a line is not such an object, names no decision, or has no words.
pub fn point_tasks(name: &str, text: &str) -> Result<Vec<PointTask>> {
    let task = |(at, line): (usize, ReviewLine)| {
        let wrong = |why: String| in_entry(name, at, why);
        let label = decided(&line.decision).ok_or_else(|| wrong(no_decision(&line.decision)))?;
        let text = format!("{}\n\n{}", line.title.trim(), line.summary.trim());
        if !text.chars().any(char::is_alphanumeric) {
            return Err(wrong("it contains no words".to_owned()));
        }
        Ok(PointTask {
            id: line.paper_id,
            title: line.title.trim().to_owned(),
            text,
            label,
        })
    };
    lines(name, text)?.into_iter().enumerate().map(task).collect()
}

/// Venue decisions by paper id: lines or an array of objects with `paper_id` and `decision`. Other entries, such as withdrawals, are left out.
///
/// # Errors
/// When a line is not such an object, or a paper has two decisions.
pub fn venue_record(name: &str, text: &str) -> Result<BTreeMap<String, ReviewDecision>> {
    let mut record = BTreeMap::new();
    for (at, line) in lines(name, text)?.into_iter().enumerate() {
        let Some(decision) = decided(&line.decision) else {
            continue;
        };
        if record
            .insert(line.paper_id.clone(), decision)
            .is_some_and(|known| known != decision)
        {
            return Err(in_entry(
                name,
                at,
                format!("the paper {} has two decisions", line.paper_id),
            ));
        }
    }
    Ok(record)
}

fn in_entry(name: &str, at: usize, why: String) -> EngineError {
    EngineError::BoardFile {
        file: name.to_owned(),
        why: format!("entry {}: {why}", at + 1),
    }
}

fn no_decision(given: &str) -> String {
    let given: String = given.chars().take(40).collect();
    format!("`{given}` is not a decision (expected oral, spotlight, poster or reject)")
}

fn lines(name: &str, text: &str) -> Result<Vec<ReviewLine>> {
    let wrong = |why: String| EngineError::BoardFile {
        file: name.to_owned(),
        why,
    };
    let lines: Vec<ReviewLine> = if text.trim_start().starts_with('[') {
        serde_json::from_str(text).map_err(|error| wrong(format!("not an array of papers: {error}")))?
    } else {
        let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
        lines
            .map(|(at, line)| serde_json::from_str(line).map_err(|error| wrong(format!("line {}: {error}", at + 1))))
            .collect::<Result<_>>()?
    };
    match lines.is_empty() {
        true => Err(wrong("it contains no papers".to_owned())),
        false => Ok(lines),
    }
}

/// The one decision named in the text as a separate word: `Accept (Oral)`, `ICLR 2025 Poster`, `Reject`. Letters inside another word do not count.
fn decided(text: &str) -> Option<ReviewDecision> {
    let words = text.split(|c: char| !c.is_alphanumeric());
    let mut named: Vec<ReviewDecision> = words
        .filter_map(|word| match word.to_ascii_lowercase().as_str() {
            "reject" | "rejected" => Some(ReviewDecision::Reject),
            "poster" => Some(ReviewDecision::Poster),
            "spotlight" => Some(ReviewDecision::Spotlight),
            "oral" => Some(ReviewDecision::Oral),
            _ => None,
        })
        .collect();
    named.dedup();
    match named.as_slice() {
        [one] => Some(*one),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ReviewDecision::{Oral, Poster, Reject, Spotlight};

    fn task(id: &str, label: ReviewDecision) -> PointTask {
        PointTask {
            id: id.to_owned(),
            title: id.to_owned(),
            text: id.to_owned(),
            label,
        }
    }

    fn scored(score: f64) -> PointOutcome {
        PointOutcome::Scored {
            score,
            decision: precedent_engine::board::decision(score),
        }
    }

    fn unscored() -> PointOutcome {
        PointOutcome::Unscored { why: String::new() }
    }

    #[test]
    fn the_published_layout_is_read_as_lines_and_as_an_array() {
        let lines = [
            r#"{"paper_id": "p1", "title": "Ropes", "decision": "Accept (Oral)", "abstract": "Creep.", "keywords": "[]"}"#,
            r#"{"paper_id": "p2", "title": "Knots", "decision": "Reject", "abstract": "Temporal oral records."}"#,
        ];
        let tasks = point_tasks("points.jsonl", &format!("{}\n\n{}\n", lines[0], lines[1])).unwrap();
        assert_eq!(
            tasks,
            point_tasks("points.json", &format!("[{}]", lines.join(","))).unwrap()
        );
        assert_eq!(tasks.iter().map(|one| one.label).collect::<Vec<_>>(), [Oral, Reject]);
        // The text that is shown does not contain the label.
        assert_eq!(tasks[0].text, "Ropes\n\nCreep.");
        for (text, why) in [
            ("", "contains no papers"),
            ("{}", "missing field `decision`"),
            (
                &lines[0].replace("Accept (Oral)", "temporal"),
                "`temporal` is not a decision",
            ),
            (
                &lines[0].replace("Accept (Oral)", "Oral, not Poster"),
                "is not a decision",
            ),
            (
                &lines[0].replace("Ropes", " ").replace("Creep.", "…"),
                "contains no words",
            ),
            ("[1]", "not an array of papers"),
        ] {
            let error = point_tasks("x.jsonl", text).unwrap_err().to_string();
            assert!(error.contains("x.jsonl") && error.contains(why), "{error}");
        }
    }

    #[test]
    fn only_labels_that_match_the_record_are_used() {
        let record = "{\"id\": \"a\", \"decision\": \"ICLR 2025 Poster\"}\n{\"id\": \"b\", \"decision\": \"Reject\"}\n{\"id\": \"c\", \"decision\": \"Withdrawn\"}";
        let record = venue_record("record.jsonl", record).unwrap();
        let check = check_record(
            vec![task("a", Poster), task("b", Poster), task("c", Reject), task("d", Oral)],
            &record,
        );
        assert_eq!(
            (check.agreed, check.contradicted, check.unknown),
            (vec![task("a", Poster)], 1, 2)
        );
        let twice = "{\"id\": \"a\", \"decision\": \"Poster\"}\n{\"id\": \"a\", \"decision\": \"Oral\"}";
        assert!(
            venue_record("r", twice)
                .unwrap_err()
                .to_string()
                .contains("has two decisions")
        );
    }

    #[test]
    fn measures_match_their_textbook_definitions() {
        let cases = [
            ("a", Reject, scored(3.0)),
            ("b", Reject, scored(6.5)),
            ("c", Poster, scored(6.0)),
            ("d", Poster, scored(5.0)),
            ("e", Spotlight, scored(8.5)),
            ("f", Oral, scored(7.0)),
            ("g", Oral, unscored()),
        ];
        let tasks: Vec<PointTask> = cases.iter().map(|(id, label, _)| task(id, *label)).collect();
        let outcomes: Vec<PointOutcome> = cases.iter().map(|(.., outcome)| outcome.clone()).collect();
        let found = point_agreement(&tasks, &outcomes, 1);
        assert_eq!((found.papers, found.scored), (7, 6));
        let near = |a: f64, b: f64| assert!((a - b).abs() < 1e-9, "{a} {b}");
        // Correct: a, c, e, f. Accepted: c, e, f of five.
        near(found.binary.accuracy.value, 4.0 / 7.0);
        near(found.binary.macro_f1.value, f64::midpoint(2.0 / 4.0, 6.0 / 9.0));
        near(found.binary.majority.value, 5.0 / 7.0);
        near(found.ternary.accuracy.value, 4.0 / 7.0);
        near(found.ternary.macro_f1.value, (2.0 / 4.0 + 2.0 / 4.0 + 4.0 / 5.0) / 3.0);
        assert_eq!(
            found.confusion[0],
            ConfusionRow {
                label: Reject,
                reject: 1,
                poster: 1,
                spotlight: 0,
                oral: 0,
                unscored: 0
            }
        );
        assert_eq!(
            found.confusion[3],
            ConfusionRow {
                label: Oral,
                reject: 0,
                poster: 0,
                spotlight: 1,
                oral: 0,
                unscored: 1
            }
        );
        near(found.scores[0].mean.value, 4.75);
        assert_eq!((found.scores[3].label, found.scores[3].papers), (Oral, 1));
        // Ranks of the labels 1.5 1.5 3.5 3.5 5 6, of the scores 1 4 3 2 6 5.
        near(found.spearman.value, 11.5 / (16.5_f64 * 17.5).sqrt());
        assert!(
            found.binary.accuracy.low < found.binary.accuracy.value
                && found.binary.accuracy.high > found.binary.accuracy.value
        );
        assert_eq!(found, point_agreement(&tasks, &outcomes, 1));
    }

    #[test]
    fn the_same_decision_for_all_papers_is_not_agreement() {
        // Published baselines do this: every paper is a poster.
        let tasks: Vec<PointTask> = (0..10)
            .map(|n| task(&n.to_string(), if n < 6 { Reject } else { Poster }))
            .collect();
        let found = point_agreement(&tasks, &vec![scored(6.2); 10], 1);
        assert_eq!((found.binary.accuracy.value, found.spearman.value), (0.4, 0.0));
        assert!(found.binary.macro_f1.value < 0.3);
        let none = point_agreement(&tasks, &vec![unscored(); 10], 1);
        assert_eq!(
            (none.scored, none.binary.accuracy.value, none.binary.macro_f1.value),
            (0, 0.0, 0.0)
        );
        let nothing = point_agreement(&[], &[], 1);
        assert_eq!((nothing.papers, nothing.spearman.value), (0, 0.0));
        // The same paper twice counts as one.
        let twice = [task("a", Reject), task("a", Reject)];
        let found = point_agreement(&twice, &[scored(1.0), scored(9.0)], 1);
        assert_eq!((found.binary.accuracy.low, found.binary.accuracy.high), (0.5, 0.5));
    }
}
