//! Scripted models that judge ideas badly in known ways, and one that knows the labels: to measure what the checks of a verdict stop.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::fenced::Block;
use crate::plain::plain;
use crate::words::{sentences, shared, words};
use crate::{Question, Say};

/// How a scripted model judges ideas.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum IdeaJudge {
    /// Always novel, with a comparison of the first three papers.
    AlwaysNovel,
    /// Always not novel. Quotes the sentences most similar to purpose and mechanism, from the five papers where both are most similar.
    AlwaysNotNovel,
    /// Always not novel. Quotes the longest sentence of the first paper for every facet.
    QuoteAnything,
    /// One of the first two, by a hash of the idea and this seed.
    Random(u64),
    /// By the label: novel for the ideas in this set, as [`key`] gives them, otherwise not novel. The evidence is that of the first two.
    Honest(BTreeSet<String>),
}

impl IdeaJudge {
    /// The answer to a prompt. It finds no facets, so that the program's own are used, and leaves papers in their order.
    #[must_use]
    pub fn answer(&self, question: &Question) -> Say {
        let blocks = question.blocks();
        let idea = blocks
            .iter()
            .find(|block| block.name == "idea")
            .map_or("", |block| block.text);
        let answer = match question.prompt.as_str() {
            "idea.read" => {
                let phrase: Vec<&str> = words(idea).into_iter().filter(|word| word.len() > 3).take(4).collect();
                json!({"facets": [], "key_phrases": [phrase.join(" ")], "titles": []})
            }
            "idea.judge" | "idea.second_look" => self.judged(idea, &blocks),
            _ => return plain(question),
        };
        Say::Text(answer.to_string())
    }

    fn judged(&self, idea: &str, blocks: &[Block<'_>]) -> Value {
        match self {
            Self::AlwaysNovel => novel(blocks),
            Self::AlwaysNotNovel => not_novel(most_similar(blocks)),
            Self::QuoteAnything => not_novel(longest(blocks)),
            Self::Random(seed) if hash(idea, *seed).is_multiple_of(2) => novel(blocks),
            Self::Honest(novel_ideas) if novel_ideas.contains(&key(idea)) => novel(blocks),
            Self::Random(_) | Self::Honest(_) => not_novel(most_similar(blocks)),
        }
    }
}

/// An idea without emphasis, case and punctuation, so that it can be recognised in a prompt.
#[must_use]
pub fn key(idea: &str) -> String {
    let mut bare = String::new();
    let mut in_tag = false;
    for (at, c) in idea.char_indices() {
        let rest = idea.get(at..).unwrap_or_default();
        in_tag |= ["<b ", "<b>", "</b>"].iter().any(|tag| rest.starts_with(tag));
        if !in_tag && c.is_alphanumeric() {
            bare.extend(c.to_lowercase());
        }
        in_tag &= c != '>';
    }
    bare
}

fn works<'b>(blocks: &'b [Block<'_>]) -> impl Iterator<Item = (u32, &'b str)> {
    let works = blocks.iter().filter(|block| block.name.starts_with("work "));
    works.filter_map(|block| Some((block.number()?, block.text)))
}

fn novel(blocks: &[Block<'_>]) -> Value {
    let first: Vec<u32> = works(blocks)
        .map(|(number, _)| number)
        .filter(|number| *number <= 3)
        .collect();
    let cited: Vec<String> = first.iter().map(|number| format!("[{number}]")).collect();
    let differs: Vec<Value> = first
        .iter()
        .map(|number| json!({"work": number, "shares": [], "differs": ["purpose", "mechanism"]}))
        .collect();
    json!({
        "works": differs,
        "reasoning": format!(
            "The closest papers are {}. Each of them works on a part of the problem, but none has the purpose of the idea together with its mechanism, and none is \
             evaluated as the idea would be. The other papers differ even more in what they are for and in how they work, so the idea is novel.",
            cited.join(", ")
        ),
        "verdict": "novel",
    })
}

/// A paper with a sentence for purpose and one for mechanism.
type Evidence = (u32, String, String);

/// Not novel by these papers, with a sentence of each for each facet.
fn not_novel(evidence: Vec<Evidence>) -> Value {
    let number = evidence.first().map_or(1, |(number, _, _)| *number);
    let works = evidence.into_iter().map(|(number, purpose, mechanism)| {
        json!({
            "work": number,
            "shares": [{"facet": "purpose", "work_quote": purpose}, {"facet": "mechanism", "work_quote": mechanism}],
            "differs": [],
        })
    });
    json!({
        "works": works.collect::<Vec<_>>(),
        "reasoning": format!(
            "The paper [{number}] has the purpose of the idea and reaches it by the same mechanism, as the passages of both show. What the idea adds to this is a choice of words \
             and of details, which no reader of that paper would call a contribution of its own, so the idea is not novel."
        ),
        "verdict": "not_novel",
    })
}

/// The five papers with the most similar sentences, most similar first.
fn most_similar(blocks: &[Block<'_>]) -> Vec<Evidence> {
    let facets = blocks
        .iter()
        .find(|block| block.name == "facets of the idea")
        .map_or("", |block| block.text);
    let facet = |name: &str| {
        facets
            .lines()
            .find_map(|line| line.strip_prefix(name))
            .unwrap_or_default()
    };
    let best = |facet: &str, text: &str| {
        let all = sentences(text)
            .into_iter()
            .map(|sentence| (shared(facet, sentence), sentence.to_owned()));
        all.max_by(|a, b| a.0.total_cmp(&b.0)).unwrap_or_default()
    };
    let (purpose, mechanism) = (facet("purpose: "), facet("mechanism: "));
    let found = works(blocks).map(|(number, text)| {
        let (purpose, mechanism) = (best(purpose, text), best(mechanism, text));
        (purpose.0.min(mechanism.0), (number, purpose.1, mechanism.1))
    });
    let mut found: Vec<(f64, Evidence)> = found.collect();
    found.sort_by(|(a, one), (b, other)| b.total_cmp(a).then(one.0.cmp(&other.0)));
    found.into_iter().take(5).map(|(_, evidence)| evidence).collect()
}

fn longest(blocks: &[Block<'_>]) -> Vec<Evidence> {
    let (number, text) = works(blocks).min_by_key(|(number, _)| *number).unwrap_or_default();
    let sentence = sentences(text)
        .into_iter()
        .max_by_key(|sentence| sentence.len())
        .unwrap_or_default();
    vec![(number, sentence.to_owned(), sentence.to_owned())]
}

/// FNV-1a of the letters, with a seed.
fn hash(idea: &str, seed: u64) -> u64 {
    let fold = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    let mixed = key(idea)
        .bytes()
        .chain(seed.to_le_bytes())
        .fold(0xcbf2_9ce4_8422_2325, fold);
    mixed >> 17
}
