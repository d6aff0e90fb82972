use serde_json::{Value, json};

use crate::words::{contributions, sentences, shared, words};
use crate::{Block, Question, Say};

/// Answers every prompt of this program from shared words: claims are copied from the paper, quotes from the texts, and ids from the prompt. Unknown
/// prompts get an empty object.
#[must_use]
pub fn plain(question: &Question) -> Say {
    Say::Text(answer(question).to_string())
}

/// The answer of [`plain`] as JSON.
pub(crate) fn answer(question: &Question) -> Value {
    let blocks = question.blocks();
    match question.prompt.as_str() {
        "extract.core_task" => json!({"phrase": core_task(&blocks)}),
        "extract.date" => json!({"words": "", "date": ""}),
        "extract.contributions" => json!({"contributions": contributions(&blocks)}),
        "queries.primary" => json!({"queries": items(&blocks, "item", |one| {
            json!({"query": format!("Find papers about {}", content(one.text, 10))})
        })}),
        "queries.variants" => json!({"queries": items(&blocks, "item", variants)}),
        "relevance.judge" => json!({"works": relevance(&blocks)}),
        "compare.passages" | "compare.whole" => {
            let work = blocks.iter().find(|block| block.name.ends_with("of the work"));
            let line = line(work.map(|work| work.text).unwrap_or_default(), 24);
            json!({"answers": comparisons(&blocks), "line": line})
        }
        "taxonomy.build" => json!({"nodes": tree(&blocks)}),
        "taxonomy.place" => json!({"places": places(&blocks)}),
        "survey.narrative" => json!({"paragraphs": narrative(&blocks)}),
        "position.siblings" => json!({"works": numbered(&blocks, "work", |_| json!({
            "distinction": "Both work on the same topic. The paper differs in its means.",
            "is_duplicate_variant": false,
        }))}),
        "position.neighbours" => json!({
            "overall": "The paper stands alone in its topic. The topics beside it share its problem.",
            "similarities": ["They share the problem."],
            "differences": ["They differ in the means."],
            "suggested_directions": ["Works on the same material"],
        }),
        "idea.read" => idea_read(&blocks),
        "idea.rank" | "idea.rank_relevance" => json!({"order": idea_order(&blocks)}),
        "idea.judge" | "idea.second_look" => idea_judgement(&blocks),
        "rank.group" | "rank.reviewed" => crate::ranking::group(question, &blocks),
        "rank.pair" => crate::ranking::pair(question),
        "doctor" => json!({"ready": true}),
        "assess.overall" => json!({"paragraphs": overall()}),
        other => crate::points::answer(other, &blocks)
            .or_else(|| crate::knowledge::answer(other, &blocks))
            .or_else(|| crate::board::answer(question, &blocks))
            .unwrap_or_else(|| json!({})),
    }
}

fn content(text: &str, most: usize) -> String {
    let long: Vec<&str> = words(text)
        .into_iter()
        .filter(|word| word.len() > 3)
        .take(most)
        .collect();
    match long.len() {
        0..5 => format!("{} methods and their effects on data", long.join(" ")),
        _ => long.join(" "),
    }
}

fn core_task(blocks: &[Block<'_>]) -> String {
    let text = blocks.first().map(|block| block.text).unwrap_or_default();
    let title = text
        .lines()
        .find_map(|line| line.strip_prefix("Title: "))
        .unwrap_or_default();
    let title = title.split_once(": ").map_or(title, |(_, rest)| rest);
    content(title, 12).to_lowercase()
}

fn items(blocks: &[Block<'_>], name: &str, of: impl Fn(&Block<'_>) -> Value) -> Vec<Value> {
    with_number(blocks, name, "item", of)
}

fn numbered(blocks: &[Block<'_>], name: &str, of: impl Fn(&Block<'_>) -> Value) -> Vec<Value> {
    with_number(blocks, name, "work", of)
}

fn with_number(blocks: &[Block<'_>], name: &str, key: &str, of: impl Fn(&Block<'_>) -> Value) -> Vec<Value> {
    let named = blocks.iter().filter(|block| block.name.starts_with(name));
    let value = |block: &Block<'_>| {
        let mut value = of(block);
        if let (Some(object), Some(number)) = (value.as_object_mut(), block.number()) {
            object.insert(key.to_owned(), json!(number));
        }
        value
    };
    named.filter(|block| block.number().is_some()).map(value).collect()
}

fn variants(block: &Block<'_>) -> Value {
    let (prefix, topic) = match block.text.strip_prefix("Find papers about ") {
        Some(topic) => ("Find papers about ", topic),
        None => ("", block.text),
    };
    let mut turned: Vec<&str> = words(topic);
    turned.reverse();
    json!({"variants": [
        format!("{prefix}{} in other words", topic.trim()),
        format!("{prefix}{}", turned.join(" ")),
    ]})
}

fn relevance(blocks: &[Block<'_>]) -> Vec<Value> {
    let topic = blocks
        .iter()
        .find(|block| block.name == "topic")
        .map(|block| block.text)
        .unwrap_or_default();
    numbered(blocks, "work", |one| {
        let verdict = match shared(topic, one.text) {
            share if share >= 0.5 => "support",
            share if share >= 0.25 => "somewhat_support",
            _ => "reject",
        };
        json!({"problem": verdict, "means": verdict})
    })
}

fn comparisons(blocks: &[Block<'_>]) -> Vec<Value> {
    let work: Vec<&str> = blocks
        .iter()
        .filter(|block| block.name.starts_with("passage") || block.name.starts_with("work"))
        .flat_map(|block| sentences(block.text))
        .collect();
    let claims = blocks.iter().filter(|block| block.name.starts_with("claim"));
    claims
        .map(|block| {
            let claim = block.text.lines().find_map(|line| line.strip_prefix("Claim: ")).unwrap_or(block.text);
            let nearest = work.iter().map(|one| (shared(claim, one), *one)).max_by(|a, b| a.0.total_cmp(&b.0));
            let (share, nearest) = nearest.unwrap_or((0.0, ""));
            let (status, note, evidence) = match share {
                share if share >= 0.7 => (
                    "can_refute",
                    "The work states the same. It names the same means. It serves the same end.",
                    json!([{"paper_quote": claim, "work_quote": nearest, "rationale": "Both state the same means for the same end."}]),
                ),
                share if share >= 0.45 => ("unclear", "The passages come near and leave the means open.", json!([])),
                _ => ("cannot_refute", "The passages speak of something else.", json!([])),
            };
            json!({"claim": block.number(), "status": status, "note": note, "evidence": evidence})
        })
        .collect()
}

fn work_numbers(blocks: &[Block<'_>]) -> Vec<u32> {
    blocks
        .iter()
        .filter(|block| block.name.starts_with("work"))
        .filter_map(Block::number)
        .collect()
}

fn tree(blocks: &[Block<'_>]) -> Vec<Value> {
    let numbers = work_numbers(blocks);
    let node = |id: usize, parent: usize, name: String, works: &[u32]| {
        json!({"id": id, "parent": parent, "name": name, "scope_note": "Works that share their problem and means.",
            "exclude_note": "Works of the neighbouring topics stand there.", "works": works})
    };
    let mut nodes = Vec::new();
    let halves: Vec<&[u32]> = numbers.chunks(numbers.len().div_ceil(2).max(1)).collect();
    for (at, half) in halves.iter().enumerate() {
        let id = nodes.len() + 1;
        nodes.push(node(id, 0, format!("Branch of works number {}", at + 1), &[]));
        for leaf in half.chunks(5) {
            let own = nodes.len() + 1;
            nodes.push(node(own, id, format!("Topic of works number {own}"), leaf));
        }
    }
    nodes
}

fn places(blocks: &[Block<'_>]) -> Vec<Value> {
    let leaf = blocks
        .iter()
        .filter(|block| block.name.starts_with("leaf"))
        .find_map(Block::number);
    numbered(blocks, "work", |_| json!({"leaf": leaf}))
}

fn line(text: &str, most: usize) -> String {
    let mut kept: Vec<&str> = words(text).into_iter().take(most).collect();
    while kept.len() < most {
        kept.push("work");
    }
    format!("{}.", kept.join(" "))
}

fn narrative(blocks: &[Block<'_>]) -> Vec<String> {
    let works = blocks
        .iter()
        .find(|block| block.name == "works")
        .map(|block| block.text)
        .unwrap_or_default();
    let cited: Vec<&str> = works
        .lines()
        .filter_map(|line| Some(line.split_once(']')?.0))
        .take(3)
        .collect();
    let named: Vec<String> = cited.iter().map(|one| format!("{one}]")).collect();
    let sentences = [
        "The field treats one problem by several means and under several conditions, and its parts differ in what they assume and in what they can show.",
        "Some papers model the whole system and derive how it must behave, which needs measurements of every part that are rarely at hand in practice.",
        "Others learn the behaviour from examples alone, which needs fewer assumptions but says little about conditions that no example has in it so far.",
        "A third line of papers combines both, so that a simple model covers what is known and examples correct what the simple model leaves open.",
        "Papers also differ in how they measure success, because some count errors over time and others ask whether a person would notice any difference at all.",
        "Only a few compare their own method with an earlier one on the same data, so that their figures can hardly be compared with each other.",
        "Where several papers use the same data, the simple methods often do as well as the later ones, which leaves the choice to cost and habit.",
    ];
    vec![
        sentences[..4].join(" "),
        format!(
            "The papers most similar to this one are {}. {}",
            named.join(", "),
            sentences[4..].join(" ")
        ),
    ]
}

fn overall() -> Vec<String> {
    let paragraphs = [
        "The paper states what it contributes, and each claim was compared with the papers that the search found. The closest of them share its problem, and where their words are similar to a claim \
the report shows the passages of both side by side, so that a reader can judge.",
        "Its method is described in its own terms, and most of the papers that were found describe theirs in other terms for the same steps. Where both use the same names for a step, the comparison \
with the claim quotes them. A reader who knows the field must judge the other steps.",
        "The evaluation follows the usual form of the field, with a comparison of several methods on common data. The papers that were found do the same with other data, so that neither side shows \
which of the methods is better, and a reader has to weigh the conditions.",
    ];
    paragraphs.map(str::to_owned).to_vec()
}

/// The text of the idea in a prompt.
fn idea_of<'t>(blocks: &[Block<'t>]) -> &'t str {
    blocks
        .iter()
        .find(|block| block.name == "idea")
        .map(|block| block.text)
        .unwrap_or_default()
}

fn idea_read(blocks: &[Block<'_>]) -> Value {
    let idea = idea_of(blocks);
    let stated = sentences(idea);
    let facet = |name: &str, words: Option<&&str>| words.map(|words| json!({"facet": name, "words": words}));
    let facets = [
        facet("purpose", stated.first()),
        facet("mechanism", stated.get(1)),
        facet("evaluation", stated.get(2)),
    ];
    let phrase = |from: usize| {
        words(idea)
            .into_iter()
            .filter(|word| word.len() > 3)
            .skip(from)
            .take(4)
            .collect::<Vec<_>>()
            .join(" ")
    };
    json!({
        "facets": facets.into_iter().flatten().collect::<Vec<_>>(),
        "key_phrases": [phrase(0), phrase(4), phrase(8)],
        "titles": [phrase(2), phrase(6)],
    })
}

/// Sorts by shared words, most similar first.
fn idea_order(blocks: &[Block<'_>]) -> String {
    let idea = idea_of(blocks);
    let works = blocks.iter().filter(|block| block.name.starts_with("work "));
    let mut near: Vec<(f64, u32)> = works
        .filter_map(|block| Some((shared(block.text, idea), block.number()?)))
        .collect();
    near.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    near.iter()
        .map(|(_, number)| format!("[{number}]"))
        .collect::<Vec<_>>()
        .join(" > ")
}

/// Not novel if the most similar work contains most of the idea's words.
fn idea_judgement(blocks: &[Block<'_>]) -> Value {
    let idea = idea_of(blocks);
    let works = blocks.iter().filter(|block| block.name.starts_with("work "));
    let nearest = works.max_by(|a, b| shared(idea, a.text).total_cmp(&shared(idea, b.text)));
    let Some((block, number)) = nearest.and_then(|block| Some((block, block.number()?))) else {
        return json!({});
    };
    let is_there = shared(idea, block.text) >= 0.6;
    // The idea states purpose, mechanism and evaluation in this order, one sentence each. A facet is quoted from the most similar sentence.
    let stated = sentences(idea);
    let share = |at: usize, facet: &str| {
        let statement = stated.get(at).or(stated.last()).copied().unwrap_or(idea);
        let all = sentences(block.text).into_iter();
        let best = all.max_by(|a, b| shared(statement, a).total_cmp(&shared(statement, b)));
        let quote: Vec<&str> = best.unwrap_or_default().split_whitespace().take(50).collect();
        json!({"facet": facet, "work_quote": quote.join(" ")})
    };
    let shares = match is_there {
        true => vec![share(0, "purpose"), share(1, "mechanism"), share(2, "evaluation")],
        false => vec![share(0, "purpose")],
    };
    let differs: Vec<&str> = if is_there { Vec::new() } else { vec!["mechanism"] };
    let verdict = if is_there { "not novel" } else { "novel" };
    let beside: Vec<String> = blocks
        .iter()
        .filter(|block| block.name.starts_with("work "))
        .filter_map(Block::number)
        .filter(|other| *other <= 3)
        .map(|other| format!("[{other}]"))
        .collect();
    let beside = beside.join(" and ");
    json!({
        "works": [{"work": number, "shares": shares, "differs": differs}],
        "reasoning": format!(
            "Of the works shown, [{number}] stands nearest to the idea: it speaks of the same purpose in much the same words. Its means were held against those of the idea, and so was the way in which \
             both would be shown to work; what {beside} say was looked at besides. By this the idea is {verdict} against the works that are shown here."
        ),
        "verdict": verdict.replace(' ', "_"),
    })
}
