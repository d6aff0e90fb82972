//! Rules for the sentences of a review.

use precedent_domain::{Note, QuotableDocument, ReviewDecision, SentenceFault};
use precedent_llm::Violation;
use precedent_text::{one_line, pattern};

use crate::model::checks;
use crate::model::checks::head;
use crate::model::prose::{Prose, figures, opens_block};

/// Longest sentence, in words, and longest text that is examined, in bytes: several times the longest that is ever requested.
const WORDS: usize = 90;
/// How far a figure may be from a score that it repeats with one decimal: half of 0.1, and a little for binary fractions.
const ROUNDED: f64 = 0.051;
const LONGEST: usize = 20_000;

/// A document that sentences may cite.
#[derive(Clone)]
pub(crate) struct Citable<'a> {
    pub(crate) number: u32,
    pub(crate) text: &'a QuotableDocument,
    pub(crate) year: Option<u16>,
}

/// What sentences may cite, quote and name.
pub(crate) struct Ground<'a> {
    pub(crate) pieces: Vec<Citable<'a>>,
    pub(crate) idea: &'a QuotableDocument,
    /// Documents that support every sentence, cited or not.
    pub(crate) throughout: Vec<u32>,
    /// The mark of the fences. A valid answer never contains it.
    pub(crate) mark: &'a str,
    /// Scores that a sentence may name.
    pub(crate) scores: Vec<f64>,
    /// The decision that a sentence may name.
    pub(crate) decision: Option<ReviewDecision>,
}

/// The valid part of a text, and why the rest is not.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Kept {
    pub(crate) text: String,
    pub(crate) left_out: Vec<SentenceFault>,
}

impl<'a> Ground<'a> {
    /// The same documents, with no score and no decision to name.
    pub(crate) fn again(&self) -> Self {
        Ground {
            pieces: self.pieces.clone(),
            idea: self.idea,
            throughout: self.throughout.clone(),
            mark: self.mark,
            scores: Vec::new(),
            decision: None,
        }
    }

    /// The numbers that a text cites, in order. Citing something that was not shown, or not as `[n]`, is a violation.
    pub(crate) fn cited(&self, what: &str, text: &str) -> Result<Vec<u32>, Violation> {
        if let Some(list) = lists_of_documents().find(text) {
            return Err(Violation(format!(
                "{what} lists documents without a bracket for each: {}",
                head(list.as_str())
            )));
        }
        let known: Vec<u32> = self.pieces.iter().map(|one| one.number).collect();
        let mut cited = Vec::new();
        for rest in text.split('[').skip(1) {
            let begins = rest.trim_start().starts_with(|c: char| c.is_ascii_digit());
            let numbers = rest.split_once(']').map(|(inner, _)| inner);
            match (begins, numbers.map(listed)) {
                (false, _) => {}
                (true, Some(Some(numbers))) => cited.extend(numbers),
                (true, _) => {
                    return Err(Violation(format!(
                        "{what} holds a bracket that is no [number]: [{}",
                        head(rest)
                    )));
                }
            }
        }
        cited.extend(named(text));
        match cited.iter().find(|number| !known.contains(number)) {
            None => Ok(cited),
            Some(unknown) if known.is_empty() => Err(Violation(format!(
                "{what} cites [{unknown}], and no document was shown"
            ))),
            Some(unknown) => Err(Violation(format!(
                "{what} cites [{unknown}], which was not shown; there are only {}",
                known.iter().map(u32::to_string).collect::<Vec<_>>().join(", ")
            ))),
        }
    }

    /// Checks one sentence. The error says why it fails.
    fn sentence_holds(&self, what: &str, sentence: &str) -> Result<(), Violation> {
        checks::words_between(what, sentence, 1, WORDS)?;
        if sentence.contains(self.mark) || orders(sentence) {
            return Err(Violation(format!(
                "{what} mentions its instructions or gives some: {}",
                head(sentence)
            )));
        }
        let cited = self.cited(what, sentence)?;
        // A sentence without citations may be about anything that was shown.
        let open = cited.is_empty() && self.throughout.is_empty();
        let rests = |one: &&Citable<'_>| open || cited.contains(&one.number) || self.throughout.contains(&one.number);
        let of_cited: Vec<&Citable<'_>> = self.pieces.iter().filter(rests).collect();
        let sources: Vec<&QuotableDocument> = of_cited.iter().map(|one| one.text).chain([self.idea]).collect();
        // A reason may mention a score and a decision. Which ones is checked below. Scores that it may name count as given.
        let named: Vec<String> = figures(sentence)
            .into_iter()
            .filter(|one| self.is_a_score(one))
            .collect();
        let prose = Prose::of(&sources).given(named.iter().map(String::as_str)).judging();
        prose
            .dated(of_cited.iter().filter_map(|one| one.year))
            .citing_freely()
            .check(what, sentence)?;
        if let Some(score) = scores(sentence).into_iter().find(|one| !self.may_name(*one)) {
            return Err(Violation(format!(
                "{what} names the score {score}, which is not for it to name: {}",
                head(sentence)
            )));
        }
        match decisions(sentence).into_iter().find(|one| !self.may_decide(*one)) {
            Some(_) => Err(Violation(format!(
                "{what} names a decision that is not the one that follows from the score: {}",
                head(sentence)
            ))),
            None => Ok(()),
        }
    }

    /// Whether a figure is a score, rounded to one decimal or not.
    fn may_name(&self, score: f64) -> bool {
        self.scores.iter().any(|known| (known - score).abs() < ROUNDED)
    }

    fn is_a_score(&self, figure: &str) -> bool {
        figure.parse().is_ok_and(|score| self.may_name(score))
    }

    fn may_decide(&self, named: Named) -> bool {
        match (self.decision, named) {
            (None, _) => false,
            (Some(due), Named::Accept) => due != ReviewDecision::Reject,
            (Some(due), Named::One(one)) => due == one,
        }
    }

    /// Checks that every sentence of a text passes, and that there are at most `most`.
    pub(crate) fn holds(&self, what: &str, text: &str, most: usize) -> Result<(), Violation> {
        if text.len() > LONGEST {
            return Err(Violation(format!("{what} is longer than {LONGEST} bytes")));
        }
        if text.lines().any(opens_block) {
            return Err(Violation(format!("{what} holds a heading or a block quote")));
        }
        let text = normal(text);
        let sentences = sentences(&text);
        if sentences.is_empty() {
            return Err(Violation(format!("{what} says nothing")));
        }
        sentences.iter().try_for_each(|one| self.sentence_holds(what, one))?;
        match sentences.len() > most {
            true => Err(Violation(format!(
                "{what} has {} sentences and must have at most {most}",
                sentences.len()
            ))),
            false => Ok(()),
        }
    }

    /// The first `most` sentences that pass, and why the others are left out.
    pub(crate) fn kept(&self, what: &str, text: &str, most: usize) -> Kept {
        let looked_at = text.get(..text.floor_char_boundary(LONGEST)).unwrap_or_default();
        let mut left_out = Vec::new();
        if looked_at.len() < text.len() {
            left_out.push(SentenceFault::BeyondAnyLimit);
        }
        let (blocks, lines): (Vec<&str>, Vec<&str>) = looked_at.lines().partition(|line| opens_block(line));
        if !blocks.is_empty() {
            left_out.push(SentenceFault::NoSentence);
        }
        let text = normal(&lines.join("\n"));
        let mut kept = Vec::new();
        for sentence in sentences(&text) {
            match self.sentence_holds(what, sentence) {
                Ok(()) if kept.len() < most => kept.push(sentence),
                Ok(()) => left_out.push(SentenceFault::BeyondLimit),
                Err(violation) => left_out.push(SentenceFault::Refused {
                    why: reason(&violation),
                }),
            }
        }
        Kept {
            text: kept.join(" "),
            left_out,
        }
    }
}

/// Why something was left out, without the words themselves: refused words must not be printed after all.
fn reason(violation: &Violation) -> String {
    let whole = &violation.0;
    let end = [": ", " (`"].iter().filter_map(|mark| whole.find(mark)).min();
    whole.get(..end.unwrap_or(whole.len())).unwrap_or_default().to_owned()
}

/// One note for the report on what was left out of a text; `None` if nothing was.
pub(crate) fn note(left_out: &[SentenceFault]) -> Option<Note> {
    Some(Note::SentencesLeftOut {
        sentences: left_out.len(),
        first: left_out.first()?.clone(),
    })
}

/// Collapses white space, and gives each of several numbers in one bracket a bracket of its own.
pub(crate) fn normal(text: &str) -> String {
    let pattern = pattern!(r"\[\s*(\d{1,6}(?:\s*[,;]\s*\d{1,6})*)\s*\]");
    let text = one_line(text);
    let apart = |found: &regex::Captures<'_>| {
        let inner = found.get(1).map(|one| one.as_str()).unwrap_or_default();
        let numbers = inner.split([',', ';']).map(|one| format!("[{}]", one.trim()));
        numbers.collect::<Vec<_>>().join("")
    };
    pattern.replace_all(&text, apart).into_owned()
}

pub(crate) fn sentences(text: &str) -> Vec<&str> {
    let spans = precedent_text::sentences(text);
    let cut = spans.into_iter().filter_map(|span| text.get(span.start..span.end));
    cut.filter(|one| one.chars().any(char::is_alphanumeric)).collect()
}

/// `3, 7` as numbers.
fn listed(inner: &str) -> Option<Vec<u32>> {
    let number = |one: &str| {
        let one = one.trim();
        (one.len() <= 6 && one.bytes().all(|byte| byte.is_ascii_digit())).then(|| one.parse().ok())?
    };
    inner.split([',', ';']).map(number).collect()
}

/// Several documents after one word: `documents 3 and 4`. Only the first number would be read as a citation.
pub(crate) fn lists_of_documents() -> &'static regex::Regex {
    pattern!(
        r"(?i)\b(?:documents?|pieces?)\s+(?:no\.\s*|number\s+|#\s*)?\d+(?:\s*(?:,(?:\s*(?:and|or)\b)?|\b(?:and|or|to)\b|[-–—&/])\s*#?\d+)+"
    )
}

/// Documents that a text names without a bracket: `document 7`.
fn named(text: &str) -> Vec<u32> {
    let number = |one: regex::Captures<'_>| one.get(1)?.as_str().parse().ok();
    pattern!(r"(?i)\b(?:documents?|pieces?)\s+(?:no\.\s*|number\s+|#\s*)?(\d{1,6})\b")
        .captures_iter(text)
        .filter_map(number)
        .collect()
}

fn orders(text: &str) -> bool {
    pattern!(r"(?i)\b(?:ignore|disregard|forget)\s+(?:all\s+|any\s+)?(?:the\s+)?(?:previous|prior|above|earlier|other)\b|\b(?:system|developer)\s+prompt\b|\bmy\s+instructions\b|\btask:\s*review\.|\bplagiari")
        .is_match(text)
}

/// Scores that a sentence names.
fn scores(text: &str) -> Vec<f64> {
    let number = |one: regex::Captures<'_>| one.get(1).or(one.get(2))?.as_str().parse().ok();
    pattern!(r"(?i)\b(\d+(?:\.\d+)?)\s*(?:/|out\s+of)\s*(?:10|ten)\b|\b(?:scor(?:e|es|ed|ing)|rat(?:ed?|ing)|grade[sd]?|average|mark)\s+(?:of|is|it|this|idea|as|at|to|a|an|be|stays|with|the|\s)*\s*(\d+(?:\.\d+)?)\b")
        .captures_iter(text)
        .filter_map(number)
        .collect()
}

/// A decision that is named: one of them, or any but rejection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Named {
    One(ReviewDecision),
    Accept,
}

/// Decisions that a sentence names. How it speaks shows that it names one, because rejection sampling, oral vaccines and posters are research topics.
/// The words for decisions in it show which.
fn decisions(text: &str) -> Vec<Named> {
    let speaks = pattern!(
        r"(?ix)
            \b(?:recommend[a-z]*|decision|verdict|decid[a-z]+|advis[a-z]+|vot(?:e|es|ed|ing)|lean[a-z]*|deserv[a-z]+|merit[a-z]*|worth(?:y)?|suggest[a-z]*|should|must|ought)\b[^.;]{0,40}?\b(?:reject[a-z]*|accept[a-z]*|poster|spotlight|oral)\b
            |\b(?:desk|strong(?:ly)?|weak(?:ly)?|clear(?:ly)?|borderline)[-\s]+(?:reject[a-z]*|accept[a-z]*)\b
            |\b(?:poster|spotlight|oral)\s+(?:presentation|paper|level|track|slot|bin|range|material)\b
            |\baccept[a-z]*\s+(?:it\s+|this\s+|the\s+\w+\s+)?(?:as|for|with|\()\s*(?:an?\s+|the\s+)?(?:poster|spotlight|oral)\b
            |\b(?:reject|accept)[a-z]*\s+(?:this|the)\s+(?:idea|paper|proposal|submission)\b"
    );
    if !speaks.is_match(text) {
        return Vec::new();
    }
    let words = text.split(|c: char| !c.is_alphanumeric()).map(str::to_lowercase);
    let named: Vec<Named> = words
        .filter_map(|word| match word.as_str() {
            "poster" => Some(Named::One(ReviewDecision::Poster)),
            "spotlight" => Some(Named::One(ReviewDecision::Spotlight)),
            "oral" => Some(Named::One(ReviewDecision::Oral)),
            word if word.starts_with("reject") => Some(Named::One(ReviewDecision::Reject)),
            _ => None,
        })
        .collect();
    match named.is_empty() {
        true => vec![Named::Accept],
        false => named,
    }
}

/// The decision that a field names, by its own word and never by letters inside another.
pub(crate) fn decision_of(decision: &str) -> Option<ReviewDecision> {
    let words: Vec<String> = decision
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect();
    let word = match words.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        [one] | ["accept" | "accepted", one] | ["accept", "as", one] => (*one).to_owned(),
        _ => return None,
    };
    match word.as_str() {
        "reject" | "rejected" => Some(ReviewDecision::Reject),
        "poster" => Some(ReviewDecision::Poster),
        "spotlight" => Some(ReviewDecision::Spotlight),
        "oral" => Some(ReviewDecision::Oral),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use precedent_domain::Document;

    use super::*;

    fn text(words: &str) -> QuotableDocument {
        QuotableDocument::new(Document::from_abstract("", Some(words)))
    }

    #[test]
    fn figures_and_quotes_must_be_in_the_sources_of_a_sentence() {
        let idea = text("Kelp is cut on 12 farms each spring.");
        let pieces = [
            text("The cutter lost 37 % of its blades within 14 weeks at sea."),
            text("A forecast of swell was right on 81 days of the year."),
        ];
        let citable = |(number, text)| Citable {
            number,
            text,
            year: Some(2020),
        };
        let ground = Ground {
            pieces: [4, 7].into_iter().zip(&pieces).map(citable).collect(),
            idea: &idea,
            throughout: Vec::new(),
            mark: "0123456789abcdef",
            scores: Vec::new(),
            decision: None,
        };
        let holds = |ground: &Ground<'_>, text: &str| ground.holds("it", text, 3);
        for stands in [
            "It lost 37 % of its blades [4] in 2020 [4].",
            "On 12 farms it would lose 37 % [4].",
            "The blades are lost fast. The forecast was right on 81 days.",
            "Two of 3 readers doubt it.",
            "It says “lost 37 % of its blades within 14 weeks” [4].",
        ] {
            holds(&ground, stands).unwrap_or_else(|why| panic!("{stands}: {}", why.0));
        }
        for made_up in [
            "It lost 41 % of its blades [4].",
            "It was right on 81 days [4].",
            "The blades are lost fast [4]. Aim for 55 weeks.",
            "It gains 8 % [4].",
            "It is 5 times as fast.",
            "It says “right on 81 days of the year” [4].",
            "The blades are lost fast, as documents 4 and 7 say.",
            "The blades are lost fast (documents 4, 7).",
            "The blades are lost fast (pieces 4–7).",
        ] {
            assert!(holds(&ground, made_up).is_err(), "{made_up}");
        }
        // A sentence that is based on documents throughout need not cite them each time, and may use no others.
        let of_one = Ground {
            throughout: vec![7],
            ..ground.again()
        };
        holds(&of_one, "Hold the forecast against 81 days.").unwrap();
        assert!(holds(&of_one, "Cut the loss of 37 % in half.").is_err());
    }
}
