//! The wording of every [`Note`], and of the grounds of a verdict.

use precedent_domain::{
    EvidenceKind, Facet, ListedKind, LoweringFault, NamedPaper, Note, OpinionFault, SentenceFault, SuggestionFault,
    VerdictGrounds,
};

use crate::words;

/// Fills `words` from the codes. Reports of earlier versions have only words, which stay.
pub(crate) fn put_notes_in_words(notes: &[Note], words: &mut Vec<String>) {
    if !notes.is_empty() {
        *words = notes.iter().map(note).collect();
    }
}

/// A note of a report.
pub(crate) fn note(note: &Note) -> String {
    match note {
        Note::ClaimNotInPaper { name } => format!("a claim was dropped because its words are not in the paper: {name}"),
        Note::NoList { of } => no_list(*of).to_owned(),
        Note::NothingListedInText { of } => nothing_listed_in_text(*of).to_owned(),
        Note::ListedDropped { of, dropped, listed, most_words } => listed_dropped(*of, *dropped, *listed, *most_words),
        Note::SummarySentenceRemoved { why: None } => "a sentence of the model's summary was removed".to_owned(),
        Note::SummarySentenceRemoved { why: Some(why) } => {
            format!("a sentence of the model's summary was removed: {why}")
        }
        Note::PointKnown { point, title } => {
            format!("point {point} appears nearly word for word in an earlier paper: {title}")
        }
        Note::NotScored => {
            "not scored: the points that the model called new appear nearly word for word in earlier papers".to_owned()
        }
        Note::NoComparisonSurvived => "not scored: no comparison survived validation".to_owned(),
        Note::ListedBeyondLimit { of, limit, listed } => format!(
            "the model listed {listed} {}, and the first {limit} were kept",
            listed_kind(*of)
        ),
        Note::ListedTwice { of, dropped } => listed_twice(*of, *dropped),
        Note::NearlyTheIdea { name, number, kind } => format!(
            "{name}[{number}], a {}, has nearly the same text as the idea, or its title, so it is not compared with the idea",
            document(*kind)
        ),
        Note::StatementsLeftOut { statements } => format!(
            "{statements} more {} of the idea left out: only the first few of each part are used",
            if *statements == 1 { "statement" } else { "statements" }
        ),
        Note::EvidenceNotFound { quotes } => evidence_not_found(*quotes),
        Note::EvidenceByRules { unanswered, pairs } => format!(
            "the model gave no usable answer for {unanswered} of {pairs} pairs of a part and a document, so the evidence there was found without a model"
        ),
        Note::AnalysesLeftOut { analyses } => {
            format!("{analyses} of the model's analyses could not be printed and were left out")
        }
        Note::ReportFieldsDropped { fields } => format!(
            "{} dropped from the model's reports on documents, because a quote is not in the document or the text cannot be printed",
            words::count(*fields, "field was", "fields were")
        ),
        Note::ReportsMissing { unanswered, documents } => format!(
            "the model gave no usable report on {unanswered} of {documents} documents"
        ),
        Note::ReportsBeyondLimit { documents, limit } => format!(
            "{} beyond the limit of {limit} got no report by the model",
            words::count(*documents, "document", "documents")
        ),
        Note::PairsBeyondLimit { pairs, limit } => format!(
            "{pairs} pairs of a part and a document beyond the limit of {limit} were not sent to the model; their evidence was found by program"
        ),
        Note::OfOpinion { reader, dimension, note } => format!("{reader} on {dimension}: {}", self::note(note)),
        Note::OfChairSummary { note } => format!("The chair's summary: {}", self::note(note)),
        Note::OfChairReason { note } => format!("The chair's reason for a change: {}", self::note(note)),
        Note::SentencesLeftOut { sentences, first } => sentences_left_out(*sentences, first),
        Note::WorkingLeftOut => {
            "the requested working is missing or cannot be printed. The score is shown without it.".to_owned()
        }
        Note::OpinionMissing { why } => {
            format!("the opinion is missing and not counted, because {}.", opinion_fault(*why))
        }
        Note::BoardSilent { requests } => format!(
            "None of the {requests} requests to the board got a usable answer; they are not counted."
        ),
        Note::NoOpinion => {
            "No reader on the board gave a usable opinion, so there is no score and no decision.".to_owned()
        }
        Note::ChairFailed => "The meta-review failed: the chair gave no usable answer. The board's scores are kept. There is no decision, which is not the same as a rejection.".to_owned(),
        Note::DecisionReplaced { named, score, due } => format!(
            "The chair chose {} as the decision, but a score of {score} means {}, which was used instead.",
            named.name(),
            due.name()
        ),
        Note::DecisionUnknown => {
            "The chair named a decision that is none of the four. The one that follows from the score is used.".to_owned()
        }
        Note::KeyEvidenceLeftOut { number } => {
            format!("Key evidence: [{number}] was left out, because it cannot support a decision.")
        }
        Note::ChangeWithoutEvidence { delta } => format!(
            "The chair wanted to change the average by {delta:+} but cited no evidence that can support a decision. The average is unchanged."
        ),
        Note::ChangeLimited { delta, limit } => format!(
            "The chair wanted to change the average by {delta:+}; the change is limited to {limit} either way."
        ),
        Note::LoweringsDropped { why, dropped } => format!(
            "The chair wanted to lower {}, which was not done, because {}.",
            words::count(*dropped, "score", "scores"),
            lowering_fault(*why)
        ),
        Note::LoweringLimited { dimension, by, limit } => {
            format!("The chair wanted to take {by} points off {dimension}; at most {limit} are taken off a dimension.")
        }
        Note::SuggestionsLimited { used, documents } => {
            format!("Suggestions use the top {used} of {documents} later documents by score.")
        }
        Note::SuggestionsNotRequested => {
            "No suggestions were requested, because this report prints no sentences written by a model.".to_owned()
        }
        Note::NoSuggestions => "No suggestions: the model gave no usable answer on later work.".to_owned(),
        Note::SuggestionLeftOut { group, why } => {
            format!("A suggestion on {} was left out: {}.", group.name(), suggestion_fault(*why))
        }
        Note::SuggestionsUnfounded { suggestions: 1 } => {
            "1 suggestion was left out: it cites something other than the later documents, or cannot be printed.".to_owned()
        }
        Note::SuggestionsUnfounded { suggestions } => format!(
            "{suggestions} suggestions were left out: they cite something other than the later documents, or cannot be printed."
        ),
        Note::InWords(words) => words.clone(),
    }
}

fn no_list(of: ListedKind) -> &'static str {
    match of {
        ListedKind::Claims => "The model gave no usable list of claims. Those shown were found without a model.",
        ListedKind::Points => "the model gave no usable list of points, so those shown were found without a model",
        ListedKind::Statements => {
            "the model gave no usable reading of the idea, so its parts were read without a model"
        }
    }
}

fn nothing_listed_in_text(of: ListedKind) -> &'static str {
    match of {
        ListedKind::Claims => "The model listed no claim that is in the paper. Those shown were found without a model.",
        ListedKind::Points => {
            "the model listed no point whose claim is in the paper, so those shown were found without a model"
        }
        ListedKind::Statements => {
            "the model listed no statement with a quote from the idea, so its parts were read without a model"
        }
    }
}

fn listed_dropped(of: ListedKind, dropped: usize, listed: usize, most_words: Option<usize>) -> String {
    let verb = if dropped == 1 { "was" } else { "were" };
    match of {
        ListedKind::Claims => {
            let most = most_words.map_or(String::new(), |most| format!(" of at most {most} words"));
            format!(
                "{dropped} of {listed} claims that the model listed {verb} dropped: the words are not in the paper, already belong to another claim, or do not form a whole clause{most}."
            )
        }
        ListedKind::Points => format!(
            "{dropped} of {listed} points that the model listed {verb} dropped: their claims are not in the paper, or overlap with the claim of another point"
        ),
        ListedKind::Statements => format!(
            "{dropped} of {listed} statements that the model listed {verb} dropped: their quote is not in the idea, or they say something that the quote or the idea does not"
        ),
    }
}

fn listed_kind(of: ListedKind) -> &'static str {
    match of {
        ListedKind::Claims => "claims",
        ListedKind::Points => "points",
        ListedKind::Statements => "statements",
    }
}

fn listed_twice(of: ListedKind, dropped: usize) -> String {
    match dropped {
        1 => format!(
            "1 of the {} that the model listed was dropped: it states the same as another",
            listed_kind(of)
        ),
        _ => format!(
            "{dropped} of the {} that the model listed were dropped: they state the same as others",
            listed_kind(of)
        ),
    }
}

fn document(kind: EvidenceKind) -> &'static str {
    match kind {
        EvidenceKind::Literature => "paper",
        EvidenceKind::Web => "page",
        EvidenceKind::Code => "repository",
    }
}

fn evidence_not_found(quotes: usize) -> String {
    let (quotes, verb) = match quotes {
        1 => ("1 quote".to_owned(), "was"),
        quotes => (format!("{quotes} quotes"), "were"),
    };
    format!("{quotes} that the model gave as evidence {verb} dropped: not found in any passage that it was shown")
}

fn sentences_left_out(sentences: usize, first: &SentenceFault) -> String {
    let first = match first {
        SentenceFault::BeyondAnyLimit => "it exceeded every length limit",
        SentenceFault::NoSentence => "it is a heading or a block quote",
        SentenceFault::BeyondLimit => "it exceeded the length limit",
        SentenceFault::Refused { why } => why,
    };
    match sentences {
        1 => format!("1 sentence was left out because {first}."),
        many => format!("{many} sentences were left out, the first because {first}."),
    }
}

fn opinion_fault(why: OpinionFault) -> String {
    match why {
        OpinionFault::NoAnswer => "there was no usable answer".to_owned(),
        OpinionFault::UncertainDates => "everything it cites has an uncertain date".to_owned(),
        OpinionFault::ScoreOffScale => "its score is not between 0 and 10".to_owned(),
        OpinionFault::CitesUnshown { number } => format!("it cites [{number}], which the reader was not shown"),
    }
}

fn lowering_fault(why: LoweringFault) -> &'static str {
    match why {
        LoweringFault::UnknownDimension => "no such dimension was scored",
        LoweringFault::UnknownReason => "the reason is none of the four",
        LoweringFault::NothingTakenOff => "nothing would be taken off",
        LoweringFault::QuoteNotInIdea => "the words quoted are not in the idea",
        LoweringFault::NothingLookedFor => "it does not say what was looked for",
        LoweringFault::Mentioned => "the idea mentions what is said to be missing",
        LoweringFault::Repeated => "the dimension is lowered already",
    }
}

fn suggestion_fault(why: SuggestionFault) -> &'static str {
    match why {
        SuggestionFault::NotOnLaterDocuments => "it is not based on later documents alone",
        SuggestionFault::Repeated => "it repeats an earlier suggestion",
        SuggestionFault::GroupFull => "its group already has the maximum number",
    }
}

/// Why a verdict holds, or why there is none.
pub(crate) fn grounds(grounds: &VerdictGrounds) -> String {
    use VerdictGrounds as Grounds;
    match grounds {
        Grounds::WordForWord { paper } => format!("The idea appears nearly word for word in {}.", named(paper)),
        Grounds::NotWordForWord => "None of the papers compared contains the idea nearly word for word. Whether one of them describes it in other words needs a human \
reader: compare the closest papers."
            .to_owned(),
        Grounds::NothingFound => "No paper was found to compare the idea with.".to_owned(),
        Grounds::PaperDisputed => {
            "The sources disagree about the matching paper, and such a paper does not decide a verdict by itself."
                .to_owned()
        }
        Grounds::NoPaperHasIt { papers } => format!(
            "According to the model, none of the {papers} papers shown contains the whole idea. This does not cover papers that were not found."
        ),
        Grounds::ModelUndecided => "The model could not decide from the papers shown.".to_owned(),
        Grounds::NoAnswer => "The model gave no usable answer in two tries, so there is no verdict.".to_owned(),
        Grounds::NoMajority => "The model's answers disagree, and no verdict has a majority.".to_owned(),
        Grounds::Contradicted { what } => {
            format!("The model's answer contradicts itself, and so does its second answer: {what}.")
        }
        Grounds::Shared { papers } => format!(
            "{} {} the idea's purpose and mechanism. The passages are shown below.",
            papers.iter().map(named).collect::<Vec<_>>().join(" and "),
            if papers.len() == 1 { "shares" } else { "share" }
        ),
        Grounds::FacetsNotStated { facets } => format!(
            "The model says that the idea is not novel, but the idea states no {}, so no paper can be shown to share purpose and mechanism.",
            facet_names(facets)
        ),
        Grounds::NotCertainlyEarlier => "The model says that the idea is not novel, but the papers that share its purpose and mechanism are not certainly earlier than the given date.".to_owned(),
        Grounds::NoPaperHasBoth => "The model says that the idea is not novel, but no single paper has passages that show both its purpose and its mechanism. Similarity alone is not \
enough."
            .to_owned(),
        Grounds::PassagesTooDifferent { least } => format!(
            "The model says that the idea is not novel, but no paper has passages for both the purpose and the mechanism that share at least {:.0} % of the facet's words.",
            least * 100.0
        ),
        Grounds::TooShort { words, least } => format!(
            "The idea is too short to judge: it has {words} content {}, and a verdict needs at least {least}.",
            plural(*words)
        ),
        Grounds::TooGeneral { words, least } => format!(
            "The idea is too general to judge: it has {words} {} that papers of every field do not share, and a verdict needs at least {least}.",
            plural(*words)
        ),
        Grounds::BothFound { paper } => format!(
            "The model says that the idea is novel, but {} contains its purpose and its mechanism nearly word for word.",
            named(paper)
        ),
        Grounds::FacetsNotCompared { facets } if facets.is_empty() => "The model says that the idea is novel, but the program could not compare each paper with its purpose and mechanism.".to_owned(),
        Grounds::FacetsNotCompared { facets } => format!(
            "The model says that the idea is novel, but the idea states no {}, so the program could not compare the papers with its purpose and mechanism.",
            facet_names(facets)
        ),
        Grounds::BothSimilar { paper } => format!(
            "The model says that the idea is novel, but the words of {} are close to its purpose and its mechanism. A reader must decide.",
            named(paper)
        ),
        Grounds::FewPapers { papers, least } => format!(
            "The model says that the idea is novel, but only {papers} {} compared. A verdict needs at least {least}.",
            if *papers == 1 { "paper was" } else { "papers were" }
        ),
        Grounds::ClosestNotCited { papers } => format!(
            "The model says that the idea is novel, but its reasoning does not discuss {}, which {} among the three closest papers.",
            papers.iter().map(named).collect::<Vec<_>>().join(" and "),
            if papers.len() == 1 { "is" } else { "are" }
        ),
        Grounds::FieldNotCovered { coverage } => format!(
            "The sources searched hardly cover the idea's field: mean similarity of the closest papers {:.2} (typical: {:.2} or more). A missing match says little.",
            coverage.nearest, coverage.usual
        ),
    }
}

fn facet_names(facets: &[Facet]) -> String {
    facets
        .iter()
        .map(|facet| facet.name())
        .collect::<Vec<_>>()
        .join(" and no ")
}

fn named(paper: &NamedPaper) -> String {
    format!("{}[{}]", paper.name, paper.number)
}

fn plural(words: usize) -> &'static str {
    if words == 1 { "word" } else { "words" }
}

#[cfg(test)]
#[path = "notes_tests.rs"]
mod tests;
