//! The topic stated by a title, without names, jokes, labels and announcements, in running case.
//!
//! Long because titles hide their topic in many ways, and each is handled separately.

use std::collections::BTreeSet;

use precedent_language::wording::{Word, content_stems, is_evaluative, is_function_word, is_generic, words};
use precedent_text::pattern;

use super::Reading;
use super::clause::{skip_lead, trim_end};
use super::task_phrase::{assertion, is_sentence, is_task_phrase, without_afterthought};

/// Minimum and maximum length of a core task, in words (OpenNovelty, Table 6).
pub(super) const LEAST: usize = 5;
pub(super) const MOST: usize = 15;

/// Minimum length of a title used as a core task, in words.
pub(super) const LEAST_OF_TITLE: usize = 3;

/// Labels in subtitles that name the kind of work but not the task.
fn is_label(part: &str) -> bool {
    pattern!(r"(?i)^(?:an?|the)?\s*(?:(?:brief|short|comprehensive|systematic|literature|critical|empirical|comparative|case|pilot|user|novel|new|simple|unified|general|preliminary|theoretical|practical|large-scale|experimental|randomi[sz]ed|controlled|cohort|cross-sectional|prospective|retrospective|observational|population-based)\s+)*(?:survey|review|overview|tutorial|study|studies|analysis|approach|perspective|framework|method|report|submissions?|experiments?|evaluation|investigation|introduction|position paper|trial|meta-analysis|system|roadmap)s?$")
        .is_match(part.trim())
}

/// The topic by the title: first the more informative part, then the other.
pub(super) fn title_phrases(reading: &Reading<'_>) -> Vec<String> {
    let mut phrases = Vec::new();
    for part in title_parts(reading, reading.title()) {
        for phrase in task_of(reading, &part) {
            phrases.extend(polished(reading, &phrase));
        }
    }
    phrases
}

/// A part of a title as phrases. A sentence gives its subject if that is informative enough, else the role of the subject in its object.
fn task_of(reading: &Reading<'_>, part: &str) -> Vec<String> {
    let Some(found) = assertion(part) else {
        // `What Matters in Data for Ropes?`: the subject of the question.
        let asked = without_question(part.trim_end_matches(['?', '!', '.']));
        let opens = ["what", "which"];
        let first = part.split_whitespace().next().unwrap_or_default().to_lowercase();
        return vec![if opens.contains(&first.as_str()) { asked } else { part }.to_owned()];
    };
    if let Some(name) = name_with_its_verb(reading, found.subject, part) {
        return vec![name];
    }
    let count = |text: &str| text.split_whitespace().count();
    let named = |text: &str| is_task_phrase(&without_article(text).to_lowercase());
    let object = found.object.trim_end_matches(['.', '!', '?']);
    // `An Analysis Reveals that Light Promotes Growth`: the statement after `that`.
    if let Some(statement) = object.strip_prefix("that ").or_else(|| object.strip_prefix("That ")) {
        return task_of(reading, statement);
    }
    let asks = is_sentence(found.subject);
    let subject = without_article(if asks {
        without_question(found.subject)
    } else {
        found.subject
    });
    let mut tasks = Vec::new();
    let both = !subject.is_empty() && named(subject) && named(object) && count(object) >= 2;
    let compares = object.to_lowercase().contains(" than ") || object.to_lowercase().starts_with("than ");
    if both && !asks && count(subject) < LEAST && !compares {
        tasks.push(format!("role of {subject} in {}", without_article(object)));
    }
    if both && asks && count(subject) >= 2 {
        tasks.push(format!("{subject} and {}", without_article(object)));
    }
    if !asks && count(subject) >= LEAST_OF_TITLE {
        tasks.push(subject.to_owned());
    }
    let rest = without_question(object);
    if !compares && (count(object) >= LEAST || asks && count(rest) >= 2 && named(rest)) {
        tasks.push(rest.to_owned());
    }
    tasks
}

/// `Why Generative Models`, `in Data` without the leading question word or preposition.
fn without_question(text: &str) -> &str {
    const LEADS: [&str; 15] = [
        "when", "and", "why", "how", "what", "where", "which", "in", "on", "of", "for", "really", "matters", "matter",
        "is",
    ];
    let mut rest = text.trim();
    while let Some((first, after)) = rest.split_once(' ')
        && LEADS.contains(&first.to_lowercase().as_str())
    {
        rest = after.trim_start();
    }
    if LEADS.contains(&rest.to_lowercase().as_str()) {
        ""
    } else {
        rest
    }
}

/// The subject with its apparent verb, if the paper uses both as one name: `word association norms`.
fn name_with_its_verb(reading: &Reading<'_>, subject: &str, part: &str) -> Option<String> {
    let after = part.get(part.find(subject)? + subject.len()..)?;
    let (last, verb) = (subject.split_whitespace().last()?, after.split_whitespace().next()?);
    let lower = verb.to_lowercase();
    let single = lower.strip_suffix('s').filter(|single| single.len() > 2)?;
    let name = format!("{} {single}", last.to_lowercase());
    let text = reading.paper().document.text.to_lowercase();
    let title = reading.title().to_lowercase();
    let known = text.matches(&name).count() > title.matches(&name).count() + 1;
    (known && subject.split_whitespace().count() >= 2).then(|| format!("{subject} {verb}"))
}

fn without_article(text: &str) -> &str {
    let bare = ["The ", "the ", "A ", "a ", "An ", "an "]
        .iter()
        .find_map(|article| text.strip_prefix(article));
    bare.unwrap_or(text)
}

/// A part of a title as a phrase of the field, without names, labels and announcements, in running case.
pub(super) fn polished(reading: &Reading<'_>, part: &str) -> Option<String> {
    let title = reading.title();
    let part = without_foreign_tail(reading, &without_abbreviation(part));
    let part = without_foreign_head(reading, &part);
    let found = words(&part, 0);
    let found: Vec<&Word> = without_coined(reading, &found);
    let owned: Vec<Word> = found.into_iter().cloned().collect();
    let lead = skip_lead(&owned);
    let rest = without_lead_pair(owned.get(lead..).unwrap_or_default());
    let rest = strip_announcement(without_owner(rest));
    let length = if rest.len() > MOST {
        cut_at_border(rest)
    } else {
        rest.len()
    };
    let rest = rest
        .get(..trim_end(rest.get(..length).unwrap_or_default()))
        .unwrap_or_default();
    let casing = reading.casing();
    let rest = match rest.iter().any(|word| reading.names().is_coined(&word.text)) {
        true => between_coined(reading, without_offer(reading, rest)),
        false => without_offer(reading, rest),
    };
    let capitals = is_in_capitals(title);
    let sentence_case = is_in_sentence_case(title);
    let opening = title.split_whitespace().next().unwrap_or_default();
    let running = |word: &Word| match casing.running(&word.text) {
        // A title in sentence case shows how its names are written.
        _ if sentence_case && !opening.starts_with(&word.text) && !title.contains(&format!(": {}", word.text)) => {
            word.text.clone()
        }
        // A title in capitals does not show how its words are written.
        _ if capitals && !casing.knows(&word.lower) => {
            let part = |part: &str| {
                let lower = part.to_lowercase();
                if casing.knows(&lower) {
                    casing.running(part)
                } else {
                    lower
                }
            };
            word.text.split('-').map(part).collect::<Vec<_>>().join("-")
        }
        running => running,
    };
    let mut phrase: Vec<String> = rest.iter().map(running).collect();
    lower_articles(rest, &mut phrase);
    if !sentence_case {
        lower_common_words(&mut phrase);
    }
    // `Ultra Light Dark Matter`, never `ultra Light Dark Matter`: a name is lowered as a whole or not at all.
    let capital = |word: &str| word.starts_with(char::is_uppercase) && word.chars().any(char::is_lowercase);
    if let (Some(first), Some(printed)) = (phrase.first().cloned(), rest.first())
        && capital(&printed.text)
        && !capital(&first)
        && !is_common_by_ending(&first)
        && phrase
            .get(1)
            .is_some_and(|second| capital(second) && is_plain_capital(second))
        && let Some(slot) = phrase.first_mut()
    {
        slot.clone_from(&printed.text);
    }
    let phrase = joined_as_printed(&part, rest, &phrase);
    let phrase = without_afterthought(&phrase);
    (!phrase.is_empty()).then(|| phrase.to_owned())
}

/// Lowers articles in a capitalised title, `using A second corpus`, unless a name comes before them (`influenza A virus`).
fn lower_articles(printed: &[Word], phrase: &mut [String]) {
    let last = phrase.len().saturating_sub(1);
    for at in 1..last {
        let before = at.checked_sub(1).and_then(|before| printed.get(before));
        let leads = before.is_some_and(|word| is_function_word(&word.lower) || word.lower.ends_with("ing"));
        if leads
            && let Some(word) = phrase.get_mut(at)
            && word == "A"
        {
            "a".clone_into(word);
        }
    }
}

/// Lowers words that the paper capitalises only in headings (`Information Synthesis`), unless a name follows (`Mechanical Turk`).
fn lower_common_words(phrase: &mut [String]) {
    let mut name_follows = false;
    for word in phrase.iter_mut().rev() {
        if !name_follows && is_plain_capital(word) && is_common_by_ending(word) {
            *word = word.to_lowercase();
        }
        name_follows = word.starts_with(char::is_uppercase);
    }
}

/// Whether a word is a capital followed by small letters only.
fn is_plain_capital(word: &str) -> bool {
    word.starts_with(char::is_uppercase) && word.chars().skip(1).all(char::is_lowercase)
}

/// Whether the ending of a word shows a common noun. Names of people and places do not end like this.
fn is_common_by_ending(word: &str) -> bool {
    let lower = word.to_lowercase();
    lower.chars().count() > 5
        && [
            "tion", "sion", "ment", "ness", "ity", "ally", "ly", "ing", "ance", "ence", "tive", "ical", "esis", "ysis",
        ]
        .iter()
        .any(|ending| lower.ends_with(ending))
}

/// Joins words with their separators in `part` if these belong inside a phrase (`I/D`, `C. elegans`), else with a space.
fn joined_as_printed(part: &str, found: &[Word], cased: &[String]) -> String {
    let mut phrase = String::new();
    let mut last: Option<&Word> = None;
    for (word, cased) in found.iter().zip(cased) {
        let gap = last
            .and_then(|last| part.get(last.span.end..word.span.start))
            .unwrap_or_default();
        if last.is_some() {
            phrase.push_str(match gap {
                "/" => "/",
                "–" => "–",
                ", " => ", ",
                ". " if last.is_some_and(|last| last.text.chars().count() == 1) => ". ",
                _ => " ",
            });
        }
        phrase.push_str(cased);
        last = Some(word);
    }
    phrase
}

/// `Point Registration (IMLP)` without the abbreviation in brackets.
fn without_abbreviation(part: &str) -> String {
    pattern!(r"\s*\([[^\s[:punct:]]+\-]{1,12}\)")
        .replace_all(part, "")
        .into_owned()
}

/// Whether the whole title is in capitals.
fn is_in_capitals(title: &str) -> bool {
    title.chars().any(char::is_uppercase) && !title.chars().any(char::is_lowercase)
}

/// Whether most words of a title are in lower case, so that its capitals are meaningful.
fn is_in_sentence_case(title: &str) -> bool {
    let found = words(title, 0);
    let long: Vec<&Word> = found
        .iter()
        .skip(1)
        .filter(|word| word.text.chars().count() > 3 && !is_function_word(&word.lower))
        .collect();
    let small = long.iter().filter(|word| word.text == word.lower).count();
    small * 3 >= long.len() * 2 && small >= 2
}

/// `X for Y` without `X for` if the paper offers X (`we propose X`) and Y alone is a task.
fn without_offer<'w>(reading: &Reading<'_>, title: &'w [Word]) -> &'w [Word] {
    let Some(at) = title.iter().position(|word| word.lower == "for") else {
        return title;
    };
    let (Some(head), Some(task)) = (title.get(..at), title.get(at + 1..)) else {
        return title;
    };
    if head.is_empty() || task.len() < LEAST {
        return title;
    }
    let head: Vec<&str> = head.iter().map(|word| word.lower.as_str()).collect();
    let head = head.join(" ");
    let summary = reading.summary().to_lowercase();
    let offered = ["propose", "introduce", "present", "develop"]
        .iter()
        .flat_map(|verb| {
            ["", "a ", "an ", "the ", "our ", "a new ", "a novel "].map(|article| format!("{verb} {article}{head}"))
        })
        .any(|offer| summary.contains(&offer));
    if offered { task } else { title }
}

/// `LIMSI’s translation systems` without the owner.
fn without_owner(found: &[Word]) -> &[Word] {
    match found {
        [owner, rest @ ..]
            if owner.looks_like_name()
                && (owner.lower.ends_with("'s") || owner.lower.ends_with("’s"))
                && rest.len() >= LEAST_OF_TITLE =>
        {
            rest
        }
        _ => found,
    }
}

/// `Efficient and near-optimal algorithm`: if the title started with praise, praise joined by `and` is removed too.
fn without_lead_pair(found: &[Word]) -> &[Word] {
    match found {
        [and, second, rest @ ..] if matches!(and.lower.as_str(), "and" | "or" | "but" | "yet") => {
            let praise = is_evaluative(&second.lower) || second.lower.contains('-') || is_generic(&second.lower);
            if praise && rest.len() >= LEAST_OF_TITLE {
                rest
            } else {
                found.get(1..).unwrap_or_default()
            }
        }
        _ => found,
    }
}

/// `sentiment on a shoestring` without its last prepositional phrase, if the paper uses none of its words: probably wordplay.
fn without_foreign_tail(reading: &Reading<'_>, part: &str) -> String {
    let found = words(part, 0);
    let Some(at) = found.iter().rposition(|word| {
        matches!(
            word.lower.as_str(),
            "on" | "in" | "with" | "at" | "from" | "to" | "under" | "without" | "beyond" | "for" | "of"
        )
    }) else {
        return part.to_owned();
    };
    let (Some(word), true) = (found.get(at), at >= 2) else {
        return part.to_owned();
    };
    let tail = content_stems(part.get(word.span.start..).unwrap_or_default());
    let known = stems_of_sentences(reading);
    let head = content_stems(part.get(..word.span.start).unwrap_or_default());
    let is_known = |stems: &BTreeSet<String>| stems.iter().filter(|stem| known.contains(*stem)).count();
    if tail.is_empty() || is_known(&tail) > 0 || is_known(&head) * 2 < head.len().max(1) {
        return part.to_owned();
    }
    part.get(..word.span.start).unwrap_or_default().trim_end().to_owned()
}

/// `smorgasbord of features for parsing` without its head, if the paper never uses that word again but knows the rest.
fn without_foreign_head(reading: &Reading<'_>, part: &str) -> String {
    let part = without_afterthought(part);
    let found = words(part, 0);
    let Some(of) = found.iter().take(5).position(|word| word.lower == "of") else {
        return part.to_owned();
    };
    let (Some(word), Some(next)) = (found.get(of), found.get(of + 1)) else {
        return part.to_owned();
    };
    let (head, tail) = (
        part.get(..word.span.start).unwrap_or_default(),
        part.get(next.span.start..).unwrap_or_default(),
    );
    let known = stems_of_sentences(reading);
    let (head, tail_stems) = (content_stems(head), content_stems(tail));
    let known_of_tail = tail_stems.iter().filter(|stem| known.contains(*stem)).count();
    // `Overcoming the Lack of …`: general words are no wordplay.
    let general = |word: &Word| is_generic(&word.lower) || word.lower.ends_with("ing");
    let telling = found.iter().take(of).any(|word| word.is_content() && !general(word));
    let foreign = telling && head.iter().all(|stem| !known.contains(stem));
    if foreign && known_of_tail >= 2 && known_of_tail * 2 >= tail_stems.len() && found.len() - of > LEAST_OF_TITLE {
        tail.to_owned()
    } else {
        part.to_owned()
    }
}

/// The stems of all sentences read.
fn stems_of_sentences(reading: &Reading<'_>) -> BTreeSet<String> {
    let sentences = reading.sentences().iter();
    sentences
        .flat_map(|one| content_stems(reading.slice(one.span)))
        .collect()
}

/// The parts of a title before and after its colon, the one that describes the topic first.
fn title_parts(reading: &Reading<'_>, title: &str) -> Vec<String> {
    let Some((head, tail)) = precedent_language::wording::split_title(title).or_else(|| named_head(reading, title))
    else {
        return vec![title.to_owned()];
    };
    let head_words = words(head, 0);
    let coined = !head_words.is_empty()
        && (reading.names().is_coined(head) || head_words.iter().all(|word| reading.names().is_coined(&word.text)));
    if coined || is_label(head) || announces(head) {
        return vec![tail.to_owned()];
    }
    if is_label(tail) {
        return vec![head.to_owned()];
    }
    let summary = content_stems(&reading.summary());
    let known = |part: &str| {
        content_stems(&without_foreign_tail(reading, part))
            .intersection(&summary)
            .count()
    };
    let (known_head, known_tail) = (known(head), known(tail));
    // `X: An Analysis of Y`: X is the topic.
    let short_head = content_stems(&without_foreign_tail(reading, head)).len() >= 2;
    if known_head >= 2 && short_head && !is_sentence(head) && is_of_a_sort(tail) {
        return vec![head.to_owned(), tail.to_owned()];
    }
    let long = |part: &str| without_foreign_tail(reading, part).split_whitespace().count() >= LEAST_OF_TITLE;
    let tail_first = match (is_sentence(head), is_sentence(tail)) {
        (true, false) => known_tail > 0,
        (false, true) => known_head == 0,
        _ => match (long(head), long(tail)) {
            (true, false) => known_head == 0 && known_tail > 0,
            (false, true) => known_tail >= known_head,
            (true, true) => known_tail > known_head + 1 || known_head == 0 && known_tail > 0,
            (false, false) => known_tail > known_head,
        },
    };
    let (head, tail) = (head.to_owned(), tail.to_owned());
    if tail_first { vec![tail, head] } else { vec![head, tail] }
}

/// `An Analysis of …`, `a comprehensive overview on …`, with at most two words before the kind of work.
fn is_of_a_sort(part: &str) -> bool {
    pattern!(r"(?i)^(?:an?|the)\s+(?:[\w-]+\s+){0,2}?(?:survey|review|overview|tutorial|study|analysis|investigation|evaluation|comparison)\s+(?:of|on)\s")
        .is_match(part.trim())
}

/// `Name A Parser for Kelp`: a title that lost its colon.
fn named_head<'t>(reading: &Reading<'_>, title: &'t str) -> Option<(&'t str, &'t str)> {
    let (head, tail) = title.split_once(' ')?;
    let article = tail.split(' ').next()?;
    let name = reading.names().is_coined(head) || words(head, 0).first().is_some_and(Word::looks_like_name);
    (name && matches!(article, "A" | "An")).then_some((head, tail))
}

/// Whether a part of a title only names the kind of text: `The X submissions at Y`.
fn announces(part: &str) -> bool {
    let found = words(part, 0);
    let sorts = ["submission", "submissions", "participation", "description", "entry"];
    found.iter().any(|word| sorts.contains(&word.lower.as_str()))
}

/// The words without coined names and without the preposition before one.
fn without_coined<'w>(reading: &Reading<'_>, found: &'w [Word]) -> Vec<&'w Word> {
    let mut kept: Vec<&Word> = Vec::new();
    for (at, word) in found.iter().enumerate() {
        let next_holds = found.get(at + 1).is_some_and(|next| !is_function_word(&next.lower));
        // `named entity recognition using an HMM-based tagger`: a gap inside a phrase would be worse than a name.
        let inside = kept.iter().any(|word| !is_function_word(&word.lower)) && next_holds;
        if inside || !reading.names().is_coined(&word.text) {
            kept.push(word);
            continue;
        }
        if !next_holds {
            while kept.last().is_some_and(|last| is_function_word(&last.lower)) {
                kept.pop();
            }
        }
    }
    kept
}

/// The longest run of words between coined names, or the first of equal length. Nobody else would search for a coined name.
fn between_coined<'w>(reading: &Reading<'_>, found: &'w [Word]) -> &'w [Word] {
    let runs = found.split(|word| reading.names().is_coined(&word.text));
    let runs = runs.map(|run| {
        let run = run.get(skip_lead(run)..).unwrap_or_default();
        run.get(..trim_end(run)).unwrap_or_default()
    });
    let mut longest: &[Word] = &[];
    for run in runs {
        if run.len() > longest.len() {
            longest = run;
        }
    }
    longest
}

/// Removes `A study of`, `An approach to`, `Introduction to` from the front.
fn strip_announcement(found: &[Word]) -> &[Word] {
    const KINDS: [&str; 29] = [
        "results",
        "experiments",
        "lessons",
        "advances",
        "progress",
        "study",
        "studies",
        "survey",
        "review",
        "overview",
        "approach",
        "approaches",
        "method",
        "methods",
        "introduction",
        "investigation",
        "note",
        "notes",
        "analysis",
        "case",
        "comparison",
        "evaluation",
        "attempt",
        "framework",
        "perspective",
        "technique",
        "look",
        "algorithm",
        "report",
    ];
    let head = found
        .iter()
        .take(3)
        .position(|word| KINDS.contains(&word.lower.as_str()));
    let Some(at) = head else { return found };
    let plain = found.iter().take(at).all(|word| {
        is_evaluative(&word.lower)
            || is_generic(&word.lower)
            || matches!(
                word.lower.as_str(),
                "early" | "further" | "some" | "near-optimal" | "optimal"
            )
    });
    let preposition = found
        .get(at + 1)
        .is_some_and(|word| matches!(word.lower.as_str(), "of" | "to" | "for" | "on" | "into" | "at"));
    let rest = found.get(at + 2..).unwrap_or_default();
    let rest = rest.get(skip_lead(rest)..).unwrap_or_default();
    if plain && preposition && rest.len() >= LEAST {
        rest
    } else {
        found
    }
}

/// The largest number of words up to [`MOST`] that ends before a function word.
fn cut_at_border(found: &[Word]) -> usize {
    (LEAST..=MOST)
        .rev()
        .find(|&at| {
            found
                .get(at)
                .is_some_and(|word| is_function_word(&word.lower) || word.after_break)
        })
        .unwrap_or(MOST)
}
