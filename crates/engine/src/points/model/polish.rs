//! Polishing: changes the wording only. A rule compares the text before and after.

use std::collections::BTreeSet;

use precedent_domain::{CitedSentence, PointAnalysis, Polish, ReportPart};
use precedent_language::wording::{content_stems, without_marks};
use precedent_llm::{Check, Checks, Fence, Violation};
use precedent_text::one_line;
use serde::Serialize;

use super::answers::RewordedReply;
use super::compare::part_of;
use super::sentence::{SentenceChecker, worded};
use crate::Result;
use crate::model::ModelAnalyst;
use crate::model::prose::{figures, folded};
use crate::points::PointsJudged;

/// Minimum share of a sentence's stems that its new wording keeps, and maximum share of new stems.
const KEPT: f64 = 0.6;
const NEW: f64 = 0.4;

#[derive(Serialize)]
struct PolishInputs {
    mark: String,
    lines: String,
}

/// A line of the report for polishing.
struct PolishedLine {
    place: LinePosition,
    /// Its words, without citation marks.
    text: String,
    /// Its citation marks, as they appear at its end.
    marks: String,
}

/// Position of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum LinePosition {
    /// A heading, a class or the score, which must not change.
    Fixed,
    /// A sentence of the summary of the paper.
    Content(usize),
    /// A sentence of a point: point, part, index.
    Point(usize, ReportPart, usize),
    /// A sentence on the kind of work.
    Character(usize),
    /// A sentence on an innovation.
    Innovation(usize, usize),
    /// A sentence on a lack of originality.
    Unoriginal(usize, usize),
    /// A suggestion.
    Suggestion(usize),
    /// The one-line summary.
    OneLine,
}

/// Rewords the report where nothing but the wording changes, and returns the result.
pub(crate) async fn polish_points(
    model: &ModelAnalyst,
    checker: &SentenceChecker<'_>,
    fence: &Fence,
    judged: &mut PointsJudged,
) -> Result<Polish> {
    let lines = lines(judged, checker);
    if lines.iter().all(|line| line.place == LinePosition::Fixed) {
        return Ok(left("there is nothing to polish"));
    }
    let numbered = (1..)
        .zip(&lines)
        .map(|(number, line)| format!("{number}: {}", shown(line)));
    let inputs = PolishInputs {
        mark: fence.mark().to_owned(),
        lines: fence.wrap("lines", &numbered.collect::<Vec<_>>().join("\n")),
    };
    let same = |reply: &RewordedReply| unchanged(reply, &lines).map_err(Violation);
    let should: [Check<'_, RewordedReply>; 1] = [&same];
    let checks = Checks {
        must: &[],
        should: &should,
    };
    let Some(reply) = model.ask("points.polish", &inputs, checks).await? else {
        return Ok(left("the model gave no usable answer"));
    };
    if let Err(why) = unchanged(&reply.value, &lines) {
        return Ok(left(&why));
    }
    let mut polish = Polish {
        accepted: true,
        ..Polish::default()
    };
    let mut printed: BTreeSet<String> = lines.iter().map(|line| folded(&line.text)).collect();
    for (line, new) in lines.iter().zip(&reply.value.lines) {
        let new = without_marks(&one_line(&new.text));
        if line.place == LinePosition::Fixed || new == line.text {
            continue;
        }
        // The report has no sentence twice.
        let is_new = folded(&new) == folded(&line.text) || printed.insert(folded(&new));
        match is_new && says_the_same(&line.text, &new, checker) && put(judged, line.place, &new, checker) {
            true => polish.reworded += 1,
            false => polish.left += 1,
        }
    }
    Ok(polish)
}

fn left(why: &str) -> Polish {
    Polish {
        reason: why.to_owned(),
        ..Polish::default()
    }
}

fn shown(line: &PolishedLine) -> String {
    let marks = if line.marks.is_empty() {
        String::new()
    } else {
        format!(" {}", line.marks)
    };
    format!("{}{marks}", line.text)
}

/// Checks that headings, classes, score, order and citations are unchanged.
fn unchanged(reply: &RewordedReply, lines: &[PolishedLine]) -> std::result::Result<(), String> {
    if reply.lines.len() != lines.len() {
        return Err(format!(
            "the polished report has {} lines in place of {}",
            reply.lines.len(),
            lines.len()
        ));
    }
    for ((number, line), new) in (1_u32..).zip(lines).zip(&reply.lines) {
        if new.number != number {
            return Err(format!("line {} is in the place of line {number}", new.number));
        }
        let text = one_line(&new.text);
        if line.place == LinePosition::Fixed {
            if text != line.text {
                return Err(format!("line {number}, a heading, a class or the score, was changed"));
            }
            continue;
        }
        let bare = without_marks(&text);
        if bare.is_empty() {
            return Err(format!("line {number} was dropped"));
        }
        let marks = text.strip_prefix(bare.as_str()).map(str::trim);
        if marks != Some(line.marks.as_str()) {
            return Err(format!("the citations of line {number} are not the same"));
        }
    }
    Ok(())
}

/// The report as lines.
fn lines(judged: &PointsJudged, checker: &SentenceChecker<'_>) -> Vec<PolishedLine> {
    let fixed = |text: String| PolishedLine {
        place: LinePosition::Fixed,
        text: format!("= {text}"),
        marks: String::new(),
    };
    let plain = |place: LinePosition, text: &String| PolishedLine {
        place,
        text: text.clone(),
        marks: String::new(),
    };
    let mut lines = vec![fixed("1. Paper Content Summary".to_owned())];
    lines.extend(
        judged
            .content_summary
            .iter()
            .enumerate()
            .map(|(at, text)| plain(LinePosition::Content(at), text)),
    );
    lines.push(fixed("2. Point-wise Novelty Analysis".to_owned()));
    for ((at, point), analysis) in checker.material.reading.points.iter().enumerate().zip(&judged.analyses) {
        let Some(analysis) = analysis else { continue };
        lines.push(fixed(format!(
            "2.{0}. Novelty Point {0}, class {1}",
            at + 1,
            point.class.name()
        )));
        for (part, heading, sentences) in parts(analysis) {
            lines.push(fixed(heading.to_owned()));
            lines.extend(sentences.iter().enumerate().map(|(place, one)| PolishedLine {
                place: LinePosition::Point(at, part, place),
                text: one.text.clone(),
                marks: marks(one),
            }));
        }
    }
    let Some(summary) = &judged.novelty_summary else {
        return lines;
    };
    lines.push(fixed("3. Novelty Summary".to_owned()));
    lines.extend(
        summary
            .character
            .iter()
            .enumerate()
            .map(|(at, text)| plain(LinePosition::Character(at), text)),
    );
    for (which, one) in summary.innovations.iter().enumerate() {
        lines.push(fixed(format!("innovation, point {}", one.point)));
        let sentences = one.sentences.iter().enumerate();
        lines.extend(sentences.map(|(at, text)| plain(LinePosition::Innovation(which, at), text)));
    }
    for (which, one) in summary.unoriginal.iter().enumerate() {
        lines.push(fixed(format!(
            "lacking originality, point {}, {}",
            one.point,
            one.kind.name()
        )));
        let sentences = one.sentences.iter().enumerate();
        lines.extend(sentences.map(|(at, text)| plain(LinePosition::Unoriginal(which, at), text)));
        lines.push(plain(LinePosition::Suggestion(which), &one.suggestion));
    }
    lines.push(fixed(format!(
        "score {} – {}",
        u8::from(summary.score),
        summary.score.name()
    )));
    lines.push(plain(LinePosition::OneLine, &summary.one_line));
    lines
}

fn parts(analysis: &PointAnalysis) -> [(ReportPart, &'static str, &[CitedSentence]); 4] {
    [
        (ReportPart::Claimed, "a) Claimed novelty", &analysis.claimed),
        (ReportPart::Similarities, "b) Similarities", &analysis.similarities),
        (ReportPart::Differences, "c) Unique Differences", &analysis.differences),
        (
            ReportPart::Details,
            "d) Details of Unique Differences",
            &analysis.details,
        ),
    ]
}

fn marks(sentence: &CitedSentence) -> String {
    let mut numbers: Vec<u32> = sentence.citations.iter().map(|one| one.reference).collect();
    numbers.dedup();
    numbers.iter().map(|number| format!("[{number}]")).collect()
}

/// Whether two wordings say the same by rule: the same figures, the same denials, most of the same words, and no other works mentioned.
fn says_the_same(old: &str, new: &str, checker: &SentenceChecker<'_>) -> bool {
    let sorted = |text: &str| {
        let mut all = figures(text);
        all.sort_unstable();
        all
    };
    let (before, after) = (content_stems(old), content_stems(new));
    let common = before.intersection(&after).count() as f64;
    let kept = common / (before.len() as f64).max(1.0);
    let brought = (after.len() as f64 - common) / (after.len() as f64).max(1.0);
    worded(new).is_ok()
        && sorted(old) == sorted(new)
        && denials(old) == denials(new)
        && kept >= KEPT
        && brought <= NEW
        && (checker.speaks_of_others(old) || !checker.speaks_of_others(new))
}

/// Words that deny or limit.
fn denials(text: &str) -> usize {
    const DENY: [&str; 14] = [
        "not", "no", "never", "none", "neither", "nor", "cannot", "without", "hardly", "only", "nothing", "lacks",
        "lack", "absent",
    ];
    let words: Vec<String> = text
        .split(|c: char| !c.is_alphanumeric() && c != '\'' && c != '’')
        .map(str::to_lowercase)
        .collect();
    words
        .iter()
        .filter(|word| DENY.contains(&word.as_str()) || word.ends_with("n't") || word.ends_with("n’t"))
        .count()
}

/// Puts the new words in their place if the sentence still passes every rule. Returns false if it does not.
fn put(judged: &mut PointsJudged, place: LinePosition, new: &str, checker: &SentenceChecker<'_>) -> bool {
    let slot: Option<&mut String> = match place {
        LinePosition::Fixed => None,
        LinePosition::Content(at) => judged.content_summary.get_mut(at),
        LinePosition::Point(point, part, at) => {
            let analysis = judged.analyses.get_mut(point).and_then(Option::as_mut);
            let sentence = analysis.and_then(|analysis| part_of(analysis, part).get_mut(at));
            sentence.and_then(|sentence| {
                let anew = CitedSentence {
                    text: new.to_owned(),
                    citations: sentence.citations.clone(),
                };
                checker.still_holds(&anew).is_ok().then_some(&mut sentence.text)
            })
        }
        _ => judged.novelty_summary.as_mut().and_then(|summary| match place {
            LinePosition::Character(at) => summary.character.get_mut(at),
            LinePosition::Innovation(which, at) => summary.innovations.get_mut(which)?.sentences.get_mut(at),
            LinePosition::Unoriginal(which, at) => summary.unoriginal.get_mut(which)?.sentences.get_mut(at),
            LinePosition::Suggestion(which) => summary.unoriginal.get_mut(which).map(|one| &mut one.suggestion),
            LinePosition::OneLine => Some(&mut summary.one_line),
            _ => None,
        }),
    };
    match slot {
        Some(slot) => {
            new.clone_into(slot);
            true
        }
        None => false,
    }
}
