//! Measures how well a ranking of papers agrees with a venue's decisions (InnoEval, table 1), for pairs and groups in the published layout.

use precedent_engine::board::SeededRng;
use precedent_engine::domain::{GroupRanking, RankingOutcome};
use precedent_engine::rank::places;
use precedent_engine::{EngineError, Result};
use serde::{Deserialize, Serialize};

use crate::statistics::{Clustered, recall_at};

/// Papers to rank, with the correct order. A judge sees only their texts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RankingTask {
    /// Its id.
    pub id: String,
    /// Tasks of one cluster are not independent, so intervals are computed by resampling clusters.
    pub cluster: String,
    /// `easy` or `difficult`, if the file makes that distinction.
    pub difficulty: Option<String>,
    /// Title and abstract of each paper, and the venue's decision: 0 rejected, 1 poster, 2 spotlight, 3 oral.
    pub papers: Vec<(String, u8)>,
}

/// Agreement of the rankings of several tasks with the correct ones. A task without a ranking counts as wrong everywhere.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct OrderAgreement {
    /// Number of tasks.
    pub tasks: usize,
    /// Tasks with a ranking without ties.
    pub ordered: usize,
    /// Tasks whose ranking `precedent rank` would publish. The other rankings count too, so that judges can be compared at few prompts per task.
    pub published: usize,
    /// Share of tasks whose first paper is the best. For pairs this is the accuracy.
    pub best: Clustered,
    /// Length of the longest run of papers in the correct order, divided by the number of papers.
    pub longest_run: Clustered,
    /// Share of tasks in exactly the correct order.
    pub exact: Clustered,
}

/// Which answers of a task are scored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ScoredAnswers {
    /// All, by mean ranks. Ties are broken at random, from the seed: with a tie counted as wrong, two answers of a judge that tosses coins score below
    /// the floor of the published measures, which one answer without ties reaches.
    All,
    /// The first alone, as in the published benchmark, whose judge answers one prompt with a whole order.
    First,
}

/// Result of one task.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TaskOutcome {
    /// The venue's decision on each paper, by mean rank; `None` if there was no answer. Papers with the same mean rank are in random order.
    pub order: Option<Vec<u8>>,
    /// Whether two papers have the same mean rank.
    pub tied: bool,
    /// Whether the ranking passes every test.
    pub published: bool,
}

impl TaskOutcome {
    /// The outcome of a ranking. Its ideas must be named by the papers' indices, from 0.
    #[must_use]
    pub fn of(task: &RankingTask, ranking: &GroupRanking, scored: ScoredAnswers) -> Self {
        let level_of = |number: &u32| {
            let idea = ranking.ideas.iter().find(|one| one.number == *number)?;
            level_of(task, &idea.name)
        };
        let most = match scored {
            ScoredAnswers::All => ranking.orders.len(),
            ScoredAnswers::First => 1,
        };
        let answers = ranking.orders.iter().take(most).filter_map(|one| one.answer.as_ref());
        let mut places = places(answers.map(|answer| answer.order.as_slice()));
        let tied = places.iter().any(|place| place.len() > 1);
        let mut rng = SeededRng::of(ranking.seed, &["bench", "tie", &task.id]);
        places.iter_mut().for_each(|place| rng.shuffle(place));
        let order: Option<Vec<u8>> = places.iter().flatten().map(level_of).collect();
        Self {
            order: order.filter(|order| !order.is_empty()),
            tied,
            published: matches!(ranking.overall.outcome, RankingOutcome::Ranked { .. }),
        }
    }

    /// The outcome of a task without a ranking. `first` are the papers' indices in the first answer, if there is one, which counts only if it is scored alone.
    #[must_use]
    pub fn of_first(task: &RankingTask, first: &[String], scored: ScoredAnswers) -> Self {
        let order: Option<Vec<u8>> = first.iter().map(|name| level_of(task, name)).collect();
        Self {
            order: order.filter(|order| !order.is_empty() && scored == ScoredAnswers::First),
            ..Self::unanswered()
        }
    }

    /// The outcome of a task without an answer.
    #[must_use]
    pub fn unanswered() -> Self {
        Self {
            order: None,
            tied: false,
            published: false,
        }
    }

    fn best(&self) -> f64 {
        let first = |order: &Vec<u8>| order.first() == order.iter().max();
        as_share(self.order.as_ref().is_some_and(first))
    }

    fn exact(&self) -> f64 {
        as_share(
            self.order
                .as_ref()
                .is_some_and(|order| order.is_sorted_by(|a, b| a > b)),
        )
    }

    fn longest_run(&self) -> f64 {
        self.order
            .as_ref()
            .map_or(0.0, |order| longest_falling(order) as f64 / order.len().max(1) as f64)
    }
}

/// The venue's decision on the paper with this index.
fn level_of(task: &RankingTask, index: &str) -> Option<u8> {
    let (_, level) = task.papers.get(index.parse::<usize>().ok()?)?;
    Some(*level)
}

fn as_share(is: bool) -> f64 {
    if is { 1.0 } else { 0.0 }
}

/// Length of the longest strictly falling subsequence.
fn longest_falling(order: &[u8]) -> usize {
    let mut lengths: Vec<usize> = Vec::new();
    for (at, level) in order.iter().enumerate() {
        let before = order.iter().zip(&lengths).take(at).filter(|(other, _)| *other > level);
        lengths.push(1 + before.map(|(_, length)| *length).max().unwrap_or(0));
    }
    lengths.into_iter().max().unwrap_or(0)
}

/// Agreement of the outcomes with the tasks, with 95 % intervals over clusters.
#[must_use]
pub fn order_agreement(tasks: &[RankingTask], outcomes: &[TaskOutcome], seed: u64) -> OrderAgreement {
    let mut names: Vec<&str> = tasks.iter().map(|task| task.cluster.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    let cluster = |task: &RankingTask| names.binary_search(&task.cluster.as_str()).unwrap_or_default();
    let clusters: Vec<usize> = tasks.iter().map(cluster).collect();
    let measured = |of: &dyn Fn(&TaskOutcome) -> f64| {
        let values: Vec<f64> = outcomes.iter().map(of).collect();
        recall_at(&values, &clusters, seed)
    };
    OrderAgreement {
        tasks: tasks.len(),
        ordered: outcomes.iter().filter(|one| one.order.is_some() && !one.tied).count(),
        published: outcomes.iter().filter(|one| one.published).count(),
        best: measured(&TaskOutcome::best),
        longest_run: measured(&TaskOutcome::longest_run),
        exact: measured(&TaskOutcome::exact),
    }
}

#[derive(Deserialize)]
struct BenchPaper {
    #[serde(alias = "paper_id", default)]
    id: String,
    title: String,
    #[serde(rename = "abstract", default)]
    summary: String,
    #[serde(default)]
    decision: Option<String>,
}

#[derive(Deserialize)]
struct BenchPair {
    #[serde(default)]
    group_id: String,
    #[serde(default)]
    difficulty: Option<String>,
    paper_a: BenchPaper,
    paper_b: BenchPaper,
}

#[derive(Deserialize)]
struct BenchMatch {
    paper: BenchPaper,
    category: String,
}

#[derive(Deserialize)]
struct BenchGroup {
    query: BenchPaper,
    query_category: String,
    matches: std::collections::BTreeMap<String, BenchMatch>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum BenchItem {
    Pair(Box<BenchPair>),
    Group(Box<BenchGroup>),
}

/// Parses tasks in the published layout: a JSON array of pairs (`paper_a`, `paper_b`) or of groups (`query`, `matches`).
///
/// # Errors
/// If the layout is different, a decision is unknown, or two papers of a task have the same decision.
pub fn ranking_tasks(name: &str, json: &str) -> Result<Vec<RankingTask>> {
    let wrong = |why: String| EngineError::BoardFile {
        file: name.to_owned(),
        why,
    };
    let items: Vec<BenchItem> =
        serde_json::from_str(json).map_err(|error| wrong(format!("it is not an array of pairs or groups: {error}")))?;
    let tasks = items.into_iter().enumerate().map(|(at, item)| {
        let task = match item {
            BenchItem::Pair(pair) => of_pair(*pair),
            BenchItem::Group(group) => of_group(*group),
        };
        let task = task.map_err(|why| wrong(format!("entry {}: {why}", at + 1)))?;
        let mut levels: Vec<u8> = task.papers.iter().map(|(_, level)| *level).collect();
        levels.sort_unstable();
        if levels.windows(2).any(|two| two.first() == two.last()) || levels.len() < 2 {
            return Err(wrong(format!("entry {}: two papers have the same decision", at + 1)));
        }
        Ok(task)
    });
    tasks.collect()
}

fn of_pair(pair: BenchPair) -> std::result::Result<RankingTask, String> {
    let decision = |paper: &BenchPaper| level(paper.decision.as_deref().unwrap_or_default());
    Ok(RankingTask {
        id: format!("{} {} {}", pair.group_id, pair.paper_a.id, pair.paper_b.id),
        cluster: pair.group_id,
        difficulty: pair.difficulty,
        papers: vec![
            (text(&pair.paper_a), decision(&pair.paper_a)?),
            (text(&pair.paper_b), decision(&pair.paper_b)?),
        ],
    })
}

fn of_group(group: BenchGroup) -> std::result::Result<RankingTask, String> {
    let mut papers = vec![(text(&group.query), level(&group.query_category)?)];
    for one in group.matches.values() {
        papers.push((text(&one.paper), level(&one.category)?));
    }
    Ok(RankingTask {
        id: group.query.id.clone(),
        cluster: group.query.id,
        difficulty: None,
        papers,
    })
}

fn text(paper: &BenchPaper) -> String {
    format!("{}\n\n{}", paper.title.trim(), paper.summary.trim())
}

fn level(decision: &str) -> std::result::Result<u8, String> {
    let decision = decision.to_ascii_lowercase();
    let known = [("oral", 3), ("spotlight", 2), ("poster", 1), ("reject", 0)];
    let found = known.iter().find(|(word, _)| decision.contains(word));
    found
        .map(|(_, level)| *level)
        .ok_or_else(|| format!("unknown decision `{decision}`; expected oral, spotlight, poster or reject"))
}

#[cfg(test)]
mod tests {
    use precedent_engine::board::SeededRng;
    use precedent_engine::domain::{GroupedIdea, OrderAnswer, OrderAsked, Standing};

    use super::*;

    const PAIRS: &str = r#"[{"group_id": "g1", "difficulty": "easy", "paper_a": {"paper_id": "p1", "title": "Ropes", "abstract": "Creep.", "decision": "Reject"},
        "paper_b": {"paper_id": "p2", "title": "Winches", "abstract": "Load.", "decision": "Accept (Oral)"}}]"#;
    const GROUPS: &str = r#"[{"query": {"paper_id": "p1", "title": "Ropes", "abstract": "Creep.", "decision": "Accept (Oral)"}, "query_category": "oral",
        "matches": {"reject": {"paper": {"id": "p2", "title": "Knots", "abstract": ""}, "category": "reject"},
                    "poster": {"paper": {"id": "p3", "title": "Hooks", "abstract": ""}, "category": "poster"}}}]"#;

    #[test]
    fn both_layouts_are_read_and_texts_contain_no_labels() {
        let pairs = ranking_tasks("pairs.json", PAIRS).unwrap();
        assert_eq!(
            pairs[0].papers,
            [("Ropes\n\nCreep.".to_owned(), 0), ("Winches\n\nLoad.".to_owned(), 3)]
        );
        assert_eq!(
            (pairs[0].cluster.as_str(), pairs[0].difficulty.as_deref()),
            ("g1", Some("easy"))
        );
        let groups = ranking_tasks("groups.json", GROUPS).unwrap();
        assert_eq!(
            groups[0].papers.iter().map(|(_, level)| *level).collect::<Vec<_>>(),
            [3, 1, 0]
        );
        for (json, why) in [
            ("{}", "not an array"),
            ("[{}]", "not an array"),
            (&PAIRS.replace("Reject", "Withdrawn"), "unknown decision `withdrawn`"),
            (&PAIRS.replace("Reject", "Oral"), "the same decision"),
        ] {
            let error = ranking_tasks("x.json", json).unwrap_err().to_string();
            assert!(error.contains("x.json") && error.contains(why), "{error}");
        }
    }

    /// A ranking of `papers` papers by these answers.
    fn ranking(papers: u32, seed: u64, answers: Vec<Vec<u32>>) -> GroupRanking {
        let standing = Standing {
            outcome: RankingOutcome::NoAgreement,
            agreement: 0.5,
            follows_position: 0.5,
            agreement_p: None,
            position_p: None,
            intervals: Vec::new(),
        };
        let idea = |number: u32| GroupedIdea {
            number,
            name: (number - 1).to_string(),
            sha256: String::new(),
            words: 1,
            cut: false,
            review: None,
        };
        let asked = |order: Vec<u32>| OrderAsked {
            shown: (1..=papers).collect(),
            answer: Some(OrderAnswer {
                order,
                reason: String::new(),
                dimensions: Vec::new(),
            }),
        };
        GroupRanking {
            schema_version: String::new(),
            ideas: (1..=papers).map(idea).collect(),
            overall: standing,
            dimensions: Vec::new(),
            orders: answers.into_iter().map(asked).collect(),
            length_check: None,
            evidence: Vec::new(),
            comparison: None,
            left_out: 0,
            seed,
            program_version: String::new(),
            analyst: String::new(),
            models: Vec::new(),
            sent: Vec::new(),
        }
    }

    #[test]
    fn answers_at_random_score_what_chance_scores() {
        // Of the 24 orders of four papers, 1, 13, 9 and 1 have a longest run of 1, 2, 3 and 4.
        let longest = f64::from(1 + 2 * 13 + 3 * 9 + 4) / 24.0 / 4.0;
        for (papers, chance) in [(2_u32, [0.5, 0.75, 0.5]), (4, [0.25, longest, 1.0 / 24.0])] {
            for scored in [ScoredAnswers::All, ScoredAnswers::First] {
                let mut tasks = Vec::new();
                let mut outcomes = Vec::new();
                for at in 0..2_000_u64 {
                    let task = RankingTask {
                        id: at.to_string(),
                        cluster: at.to_string(),
                        difficulty: None,
                        papers: (0..papers)
                            .map(|one| (String::new(), u8::try_from(one).unwrap()))
                            .collect(),
                    };
                    let mut rng = SeededRng::of(at, &["test"]);
                    let answers = [0, 1].map(|_| {
                        let mut order: Vec<u32> = (1..=papers).collect();
                        rng.shuffle(&mut order);
                        order
                    });
                    outcomes.push(TaskOutcome::of(&task, &ranking(papers, 7, answers.to_vec()), scored));
                    tasks.push(task);
                }
                let found = order_agreement(&tasks, &outcomes, 1);
                assert_eq!(found.ordered == found.tasks, scored == ScoredAnswers::First);
                let measured = [found.best.value, found.longest_run.value, found.exact.value];
                for (measured, chance) in measured.iter().zip(chance) {
                    assert!(
                        (measured - chance).abs() < 0.03,
                        "{papers} {scored:?}: {measured} and {chance}"
                    );
                }
            }
        }
    }

    #[test]
    fn without_a_ranking_the_first_answer_counts_only_if_it_is_scored_alone() {
        let task = &ranking_tasks("groups.json", GROUPS).unwrap()[0];
        let first = ["0", "2", "1"].map(str::to_owned);
        let alone = TaskOutcome::of_first(task, &first, ScoredAnswers::First);
        assert_eq!((alone.order, alone.published), (Some(vec![3, 0, 1]), false));
        assert_eq!(TaskOutcome::of_first(task, &first, ScoredAnswers::All).order, None);
        assert_eq!(TaskOutcome::of_first(task, &[], ScoredAnswers::First).order, None);
    }

    #[test]
    fn measures_match_their_definitions() {
        let outcome = |order: &[u8]| TaskOutcome {
            order: Some(order.to_vec()),
            tied: false,
            published: false,
        };
        let task = |cluster: &str| RankingTask {
            id: String::new(),
            cluster: cluster.to_owned(),
            difficulty: None,
            papers: Vec::new(),
        };
        let outcomes = [
            outcome(&[3, 2, 1, 0]),
            outcome(&[3, 0, 1, 2]),
            outcome(&[0, 1, 2, 3]),
            TaskOutcome::unanswered(),
        ];
        let tasks = ["a", "a", "b", "c"].map(task);
        let found = order_agreement(&tasks, &outcomes, 1);
        assert_eq!((found.tasks, found.ordered, found.published), (4, 3, 0));
        assert_eq!((found.best.value, found.exact.value), (0.5, 0.25));
        // 4, 2 and 1 of 4.
        assert_eq!(found.longest_run.value, (1.0 + 0.5 + 0.25) / 4.0);
        assert!(found.best.low < found.best.value && found.best.value < found.best.high);
    }
}
