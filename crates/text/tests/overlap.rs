//! Planted reuse: what is planted is found, and nothing else. In generated prose, and in real full texts.

#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "a test may panic and print"
)]

mod papers;

use papers::{Chance, full_texts, prose};
use precedent_text::{OverlapOptions, Source, Span, locate, overlap, sentences};

/// How a passage is disguised.
#[derive(Debug, Clone, Copy)]
enum Disguise {
    /// This many words in a hundred are replaced, left out or followed by another.
    Words(u64),
    /// Every fourth sentence is left out.
    Dropped,
    /// Adjacent sentences are swapped.
    Reordered,
    /// Effects of extraction from print: line ends, hyphens, ligatures, glued and divided words.
    Noise,
}

fn disguise(passage: &str, how: Disguise, vocabulary: &[&str], chance: &mut Chance) -> String {
    match how {
        Disguise::Words(percent) => {
            let mut words: Vec<String> = Vec::new();
            for word in passage.split_whitespace() {
                if chance.below(100) >= percent {
                    words.push(word.to_owned());
                    continue;
                }
                let other = vocabulary[chance.below(vocabulary.len() as u64) as usize].to_owned();
                match chance.below(10) {
                    0..6 => words.push(other),
                    6..8 => {}
                    _ => words.extend([word.to_owned(), other]),
                }
            }
            words.join(" ")
        }
        Disguise::Dropped | Disguise::Reordered => {
            let mut parts: Vec<&str> = sentences(passage)
                .iter()
                .map(|span| span.slice(passage).unwrap())
                .collect();
            if matches!(how, Disguise::Dropped) {
                let kept = parts.iter().enumerate().filter(|(index, _)| index % 4 != 2);
                return kept.map(|(_, part)| *part).collect::<Vec<_>>().join(" ");
            }
            for pair in parts.chunks_mut(2) {
                pair.reverse();
            }
            parts.join(" ")
        }
        Disguise::Noise => {
            let mut noisy = String::new();
            for (index, word) in passage.split_whitespace().enumerate() {
                let word = word.replace("fi", "\u{fb01}").replace("ff", "\u{fb00}");
                let middle = word
                    .char_indices()
                    .nth(word.chars().count() / 2)
                    .map_or(0, |(at, _)| at);
                match chance.below(25) {
                    0 if middle > 2 && word.chars().all(char::is_lowercase) => {
                        noisy.push_str(&format!("{}-\n{} ", &word[..middle], &word[middle..]));
                    }
                    1 if middle > 2 => noisy.push_str(&format!("{} {} ", &word[..middle], &word[middle..])),
                    2 => noisy.push_str(&word),
                    _ if index % 12 == 11 => noisy.push_str(&format!("{word}\n")),
                    _ => noisy.push_str(&format!("{word} ")),
                }
            }
            noisy
        }
    }
}

struct Planted {
    target: Source,
    source: Source,
    places: Vec<Span>,
}

/// A target with three disguised passages of 35 to 250 words of the source.
fn plant(target: &str, source: &str, how: Disguise, chance: &mut Chance) -> Planted {
    let vocabulary: Vec<&str> = target.split_whitespace().collect();
    let marks = sentences(source);
    let mut text = String::new();
    let mut places = Vec::new();
    let homes = sentences(target);
    let mut rest = 0;
    for third in 1..=3 {
        let cut = homes[homes.len() * third / 4].start;
        text.push_str(&target[rest..cut]);
        rest = cut;
        let first = chance.below(marks.len() as u64 * 3 / 4) as usize;
        let wanted = 35 + chance.below(215) as usize;
        let mut last = first;
        while last + 1 < marks.len() && source[marks[first].start..marks[last].end].split_whitespace().count() < wanted
        {
            last += 1;
        }
        let passage = &source[marks[first].start..marks[last].end];
        if passage.split_whitespace().count() < 35 {
            continue;
        }
        let start = text.len();
        text.push_str(disguise(passage, how, &vocabulary, chance).trim());
        places.push(Span::new(start, text.len()));
        text.push_str("\n\n");
    }
    text.push_str(&target[rest..]);
    Planted {
        target: Source::new(text),
        source: Source::new(source),
        places,
    }
}

/// Recall and precision in words: found among planted, and planted among reported.
fn measure(texts: &[String], how: Disguise, rounds: usize) -> (f64, f64) {
    let mut chance = Chance::new(7);
    let (mut planted, mut found, mut reported, mut right) = (0, 0, 0, 0);
    for _ in 0..rounds {
        let (one, other) = (
            chance.below(texts.len() as u64) as usize,
            chance.below(texts.len() as u64) as usize,
        );
        let options = OverlapOptions::default();
        let clean = overlap(
            &Source::new(texts[one].as_str()),
            &[&Source::new(texts[other].as_str())],
            &options,
        );
        if one == other || !clean.is_empty() {
            continue;
        }
        let case = plant(&texts[one], &texts[other], how, &mut chance);
        let spans: Vec<Span> = overlap(&case.target, &[&case.source], &options)
            .iter()
            .flat_map(|overlap| overlap.passages.iter().map(|passage| passage.a))
            .collect();
        for token in case.target.tokens() {
            let inside = |spans: &[Span]| spans.iter().any(|span| span.contains(token.span));
            let (is_planted, is_reported) = (inside(&case.places), inside(&spans));
            planted += usize::from(is_planted);
            reported += usize::from(is_reported);
            found += usize::from(is_planted && is_reported);
            right += usize::from(is_planted && is_reported);
        }
    }
    (
        found as f64 / planted.max(1) as f64,
        right as f64 / reported.max(1) as f64,
    )
}

#[test]
fn planted_reuse_is_found() {
    let texts: Vec<String> = (0..12).map(|seed| prose(3000, seed)).collect();
    finds_planted_reuse(&texts);
}

#[test]
#[ignore = "reads the development data: PRECEDENT_DEV_DATA names its folder"]
fn planted_reuse_of_real_papers_is_found() {
    finds_planted_reuse(&[full_texts("plos_elife", 24), full_texts("acl", 24)].concat());
}

fn finds_planted_reuse(texts: &[String]) {
    assert!(!texts.is_empty());
    let cases = [
        (Disguise::Words(0), 0.99),
        (Disguise::Words(5), 0.98),
        (Disguise::Words(10), 0.95),
        (Disguise::Words(20), 0.80),
        (Disguise::Dropped, 0.95),
        (Disguise::Reordered, 0.95),
        (Disguise::Noise, 0.95),
    ];
    let mut short = Vec::new();
    for (how, least) in cases {
        let (recall, precision) = measure(texts, how, 60);
        println!(
            "{how:?}: recall {:.2} %, precision {:.2} %",
            100.0 * recall,
            100.0 * precision
        );
        if recall < least || precision < 0.98 {
            short.push(format!("{how:?}"));
        }
    }
    assert!(short.is_empty(), "{short:?}");
}

/// Unrelated papers share only boilerplate.
#[test]
#[ignore = "reads the development data: PRECEDENT_DEV_DATA names its folder"]
fn unrelated_papers_share_only_boilerplate() {
    let texts: Vec<Source> = ["plos_elife", "acl", "neurips2025"]
        .iter()
        .flat_map(|set| full_texts(set, 200))
        .map(Source::new)
        .collect();
    assert!(!texts.is_empty());
    let show = std::env::var_os("SHOW_PASSAGES").is_some();
    let mut chance = Chance::new(11);
    let (mut pairs, mut marked, mut bare) = (0, 0, Vec::new());
    while pairs < 500 {
        let (one, other) = (
            chance.below(texts.len() as u64) as usize,
            chance.below(texts.len() as u64) as usize,
        );
        if one == other {
            continue;
        }
        pairs += 1;
        for found in overlap(&texts[one], &[&texts[other]], &OverlapOptions::default()) {
            for passage in found.passages {
                let slice = passage.a.slice(texts[one].text()).unwrap();
                if passage.marks.is_empty() {
                    bare.push(format!(
                        "{passage:?}\n  A: {slice}\n  B: {}",
                        passage.b.slice(texts[other].text()).unwrap()
                    ));
                } else {
                    marked += 1;
                    if show {
                        println!(
                            "{:?} {} words: {}",
                            passage.marks,
                            passage.words,
                            slice.replace('\n', " ")
                        );
                    }
                }
            }
        }
    }
    println!("{pairs} pairs: {marked} passages marked, {} not", bare.len());
    if show {
        println!("{}", bare.join("\n"));
    }
    assert!(bare.is_empty(), "{}", bare.join("\n"));
}

/// Tables, repeated lines and endless words take time proportional to their length: with anything worse, this test would not end.
#[test]
fn hostile_texts_stay_bounded() {
    let clock = std::time::Instant::now();
    let lines = [
        "Published as a conference paper | 0.5 | 0.7 | 0.5 |\n",
        "a ",
        "a b ",
        "x1 x2 x3 x4 not ",
        "(((([[[[",
        "…. . . ",
        "the-\nthe-\n",
        "我们",
        "0.5 0.5 12,345 ",
    ];
    for line in lines {
        let one = Source::new(line.repeat(600_000 / line.len()));
        let other = Source::new(format!("Other words first. {}", line.repeat(500_000 / line.len())));
        let quote = format!("{}different words {}", line.repeat(40), line.repeat(40));
        std::hint::black_box(locate(&one, &quote));
        std::hint::black_box(locate(&one, &line.repeat(2000)));
        std::hint::black_box(overlap(&one, &[&other], &OverlapOptions::default()));
        std::hint::black_box(sentences(one.text()));
        println!("{:8.2?} {line:?}", clock.elapsed());
    }
    assert!(clock.elapsed().as_secs() < 120);
}
