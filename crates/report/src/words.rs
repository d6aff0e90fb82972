//! The fixed wording of every report. `docs/style.md` explains the choices.
//!
//! Long because all fixed wording is in one place.

use precedent_domain::{
    CameBy, ContributionClass, ContributionComparison, CoverageLevel, DateOrigin, Doubt, Edit, EditKind, Extent,
    HiddenReason, NotSearchedKind, OverlapKind, OverlapMark, PaperFormat, Place, PositionKind, RunMetadata, Scope,
    SentRecord, SetAsideReason, SharedPassage, SourceReport, Status, TextualSimilarity, Timing,
};

use precedent_text::AlteredReason;

use crate::plain::one_line;

/// Printed when no model wrote prose: none was used, or the policy withholds it.
pub(crate) const NO_PROSE: &str = "This report has no summary or assessment written by a model. It shows facts, tables and quotes, and marks what needs a human reader.";
/// Printed when the run states none, so that every report has a disclaimer.
pub(crate) const DISCLAIMER: &str = "This report covers only the papers that were searched. It assists a reader. It is not a judgement of the paper and not a \
     ground for rejection.";

/// Whether a report says this first.
pub(crate) const fn is_first(kind: NotSearchedKind) -> bool {
    matches!(kind, NotSearchedKind::ModelIncomplete | NotSearchedKind::Budget)
}

/// Says that model calls failed or that the budget ended, and what to do about it. Every report shows this first.
pub(crate) fn incomplete(metadata: &RunMetadata) -> Option<String> {
    let limits = metadata.not_searched.iter().filter(|one| is_first(one.kind));
    let messages: Vec<&str> = limits.map(|one| one.message.as_str()).collect();
    (!messages.is_empty()).then(|| messages.join(" "))
}

/// What was not searched, read or judged, without the messages of [`incomplete`].
pub(crate) fn limits(metadata: &RunMetadata) -> Vec<String> {
    let limits = metadata.not_searched.iter();
    let limits = limits.filter(|one| !is_first(one.kind));
    limits.map(|one| one.message.clone()).collect()
}

/// The status of a claim after all its comparisons.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ClaimStatus {
    /// At least one comparison says `can_refute`.
    Found,
    /// No comparison says `can_refute`, and at least one says `unclear`.
    NeedsReading,
    /// The claim has too few content terms to compare, so a match can be neither found nor ruled out.
    TooLittle,
    /// All say `cannot_refute`.
    NotFound,
    /// There is no comparison.
    NotCompared,
}

impl ClaimStatus {
    /// The label, in two to seven words.
    pub(crate) fn label(self) -> &'static str {
        match self {
            Self::Found => "Anticipated by earlier work",
            Self::NeedsReading => "Similar work found, needs review",
            Self::TooLittle => TOO_LITTLE,
            Self::NotFound => "No match found in the papers compared",
            Self::NotCompared => "Not compared",
        }
    }

    /// The status as a sentence that follows the label and a colon; empty if the label says it all.
    pub(crate) fn sentence(self) -> &'static str {
        match self {
            Self::Found => "at least one earlier paper contains the substance of the claim, with quotes on both sides.",
            Self::NeedsReading => {
                "similar passages were found. A human reader must judge whether they affect the claim."
            }
            Self::TooLittle => {
                "the claim has too few content terms to compare automatically. A human reader must judge it."
            }
            Self::NotFound => "",
            Self::NotCompared => "no earlier paper was found to compare it with.",
        }
    }

    /// The CSS class. `absent` is grey and never green, because a missing match is not approval.
    pub(crate) fn key(self) -> &'static str {
        match self {
            Self::Found => "found",
            Self::NeedsReading => "reading",
            Self::NotFound => "absent",
            Self::TooLittle | Self::NotCompared => "none",
        }
    }
}

/// The label of a status.
pub(crate) fn status(status: Status) -> &'static str {
    match status {
        Status::CanRefute => "Anticipated",
        Status::Unclear => "Similar: needs review",
        Status::CannotRefute => "No match found",
    }
}

/// The label when the text has too few content terms for a status.
pub(crate) const TOO_LITTLE: &str = "Not assessable";

/// The label of a comparison's status.
pub(crate) fn status_of(one: &ContributionComparison) -> &'static str {
    if one.says_too_little() {
        TOO_LITTLE
    } else {
        status(one.status)
    }
}

/// The CSS class of a comparison's status.
pub(crate) fn status_key_of(one: &ContributionComparison) -> &'static str {
    if one.says_too_little() {
        ClaimStatus::TooLittle.key()
    } else {
        status_short(one.status)
    }
}

/// Explains [`TOO_LITTLE`] to new readers.
pub(crate) const TOO_LITTLE_MEANING: &str = "The claim has fewer than four content terms of its own, or only the title of the paper is available. A match can be neither found nor \
ruled out by words. In JSON the status is unclear, with too_little set.";

/// The JSON name of a status.
pub(crate) fn status_key(status: Status) -> &'static str {
    match status {
        Status::CanRefute => "can_refute",
        Status::Unclear => "unclear",
        Status::CannotRefute => "cannot_refute",
    }
}

/// The CSS class of a status, the same as for the claim status it leads to.
pub(crate) fn status_short(status: Status) -> &'static str {
    match status {
        Status::CanRefute => ClaimStatus::Found.key(),
        Status::Unclear => ClaimStatus::NeedsReading.key(),
        Status::CannotRefute => ClaimStatus::NotFound.key(),
    }
}

/// Explains a status to new readers.
pub(crate) fn status_meaning(status: Status) -> &'static str {
    match status {
        Status::CanRefute => {
            "This earlier paper contains the substance of the claim. Quotes on both sides were checked word for word against their \
             sources. Read both before you draw a conclusion: the paper may solve another problem in the same words."
        }
        Status::Unclear => {
            "The paper is similar to the claim. A human reader must judge whether it affects the claim. Counts treat it as not \
             refuting."
        }
        Status::CannotRefute => {
            "No match for the claim was found in the compared text of this paper. If only an abstract was available, the full text may \
             say more. The status says nothing about papers that were not compared, and it is not approval."
        }
    }
}

/// Replaces the list of most relevant papers if there is none.
pub(crate) const NONE_NEAR: &str = "No similar earlier paper was found.";
/// The same if other similar papers are listed.
pub(crate) const NONE_NEAR_IS_EARLIER: &str = "None of the similar papers is known to be earlier.";
/// The same if there is no earlier paper at all.
pub(crate) const NO_EARLIER: &str = "No paper found is known to be earlier than this paper.";
/// Follows fewer than three papers.
pub(crate) const NO_OTHER_NEAR: &str = "No other similar earlier paper was found.";

/// Heading for papers that are similar to the paper as a whole but to none of its claims.
pub(crate) const NEAR_NO_CLAIM: &str = "Similar to the paper as a whole, but to none of its claims";

/// Follows the result that the paper reports.
pub(crate) const RESULT_NOTE: &str = "The paper's own words. Results are not compared with other papers.";

/// How to read a report, in three lines. The first explains the overview above it.
pub(crate) const HOW_TO_READ: [&str; 3] = [
    "Each claim is quoted from the paper, with up to three of the most similar earlier papers, by topic of the whole paper and by text. The probability is about the passages alone, so it need not follow this order. Concurrent and undated papers are listed separately, because they do not count as prior art.",
    "Anticipated: that paper contains the substance of the claim. Similar: a human reader must judge. No match found: no match in the text that was compared, which says nothing about other papers.",
    "Every quote is copied from its source, with section and page. Read both sides before you draw a conclusion.",
];

/// How much of a work was compared.
pub(crate) fn extent(extent: Extent) -> &'static str {
    match extent {
        Extent::FullText => "full text",
        Extent::Abstract => "abstract only",
        Extent::TitleOnly => "title only",
    }
}

/// How a paper was found other than by search. `None` if its reference number is already stated.
pub(crate) fn came_by(way: CameBy, cited_as: Option<u32>) -> Option<String> {
    Some(match way {
        CameBy::Reference { number } if cited_as == Some(number) => return None,
        CameBy::Reference { number } => format!("reference {number} of the paper, according to a service"),
        CameBy::CitedByReferences { count: 1 } => "cited by one of the papers that this paper cites".to_owned(),
        CameBy::CitedByReferences { count } => format!("cited by {count} of the papers that this paper cites"),
        CameBy::Recommended => "recommended for this paper by a service".to_owned(),
        CameBy::RecommendedByReferences => "recommended for this paper's references by a service".to_owned(),
        CameBy::CitesPaper => "cites this paper".to_owned(),
        _ => return None,
    })
}

/// A reason to doubt the record of a paper.
pub(crate) fn doubt(doubt: &Doubt) -> String {
    let names = |names: &[String]| {
        let names: Vec<String> = names.iter().map(|name| one_line(name).into_owned()).collect();
        and_list(&names)
    };
    match doubt {
        Doubt::Retracted { by } => format!("retracted according to {}", names(by)),
        Doubt::Disputed { on, between } => format!("{} disagree on its {}", names(between), names(on)),
        Doubt::Date { earlier, later } => format!(
            "dates disagree: before this paper in {}, later in {}",
            names(earlier),
            names(later)
        ),
    }
}

/// A word for how well the searched sources cover the field of a paper.
pub(crate) fn coverage(level: CoverageLevel) -> &'static str {
    match level {
        CoverageLevel::Covered => "covered",
        CoverageLevel::Thin => "thinly covered",
        CoverageLevel::Outside => "not covered",
        _ => "not measured",
    }
}

/// A candidate's date relative to the paper's.
pub(crate) fn timing(timing: Timing, paper_dated: bool) -> &'static str {
    match timing {
        Timing::Earlier => "earlier",
        // If the paper has no date, even a decades-old candidate is not known to be earlier.
        Timing::Concurrent | Timing::SameYear if !paper_dated => "may not be earlier",
        Timing::Concurrent => "concurrent",
        Timing::SameYear => "same year",
        Timing::Undated => "no date known",
        Timing::Later => "later",
    }
}

/// Heading for papers that do not count against a claim.
pub(crate) fn apart(paper_dated: bool) -> &'static str {
    if paper_dated {
        "Papers of the same year, concurrent or undated"
    } else {
        "Papers that may not be earlier, because this paper's date is unknown"
    }
}

/// The origin of a date.
pub(crate) fn date_origin(origin: &DateOrigin) -> String {
    match origin {
        DateOrigin::Given => "given by the user".to_owned(),
        DateOrigin::ArxivId => "from the arXiv id".to_owned(),
        DateOrigin::AclId => {
            "from its ACL Anthology id: the latest month in which its conference takes place".to_owned()
        }
        DateOrigin::Doi => "from the DOI".to_owned(),
        DateOrigin::FrontMatter => "printed in the front matter".to_owned(),
        DateOrigin::FirstPageByModel => "found on the first page by the model".to_owned(),
        DateOrigin::FileMetadata => "from the metadata of the file".to_owned(),
        DateOrigin::Record(name) => format!("from the record of {name}"),
        _ => "from another source".to_owned(),
    }
}

/// The kind of contribution.
pub(crate) fn class(class: ContributionClass) -> &'static str {
    match class {
        ContributionClass::Method => "method",
        ContributionClass::Theory => "theory",
        ContributionClass::Resource => "resource",
        ContributionClass::Finding => "finding",
        ContributionClass::Survey => "survey",
        ContributionClass::Application => "application",
        _ => "kind unknown",
    }
}

/// The scope of a query or rank.
pub(crate) fn scope(scope: Scope) -> String {
    match scope {
        Scope::CoreTask => "the core task".to_owned(),
        Scope::Contribution(number) => format!("claim {number}"),
    }
}

/// Claims by their numbers: `claim 3`, `claims 1 and 3`; empty if there is none.
pub(crate) fn claims(numbers: &[String]) -> String {
    match numbers {
        [] => String::new(),
        [one] => format!("claim {one}"),
        many => format!("claims {}", and_list(many)),
    }
}

/// The scope with a capital: `Core task`, `Claim 2`.
pub(crate) fn scope_name(scope: Scope) -> String {
    match scope {
        Scope::CoreTask => "Core task".to_owned(),
        Scope::Contribution(number) => format!("Claim {number}"),
    }
}

/// Why a paper that was found was excluded.
pub(crate) fn set_aside(reason: SetAsideReason) -> &'static str {
    match reason {
        SetAsideReason::SameWork => "the paper itself or a version of it",
        SetAsideReason::Later => "appeared after the paper",
        SetAsideReason::Duplicate => "another record of a paper already listed",
        _ => "excluded",
    }
}

/// Why text is invisible.
pub(crate) fn hidden(reason: HiddenReason) -> &'static str {
    match reason {
        HiddenReason::WhiteOnWhite => "same colour as the page",
        HiddenReason::Tiny => "too small to read",
        HiddenReason::OffPage => "outside the page",
        HiddenReason::InvisibleMode => "drawn in invisible mode",
        HiddenReason::HiddenByStyle => "hidden by a style",
        HiddenReason::Covered => "covered by a shape",
        HiddenReason::InvisibleCharacters => "invisible characters",
        HiddenReason::Comment => "in a comment of the source file",
        _ => "invisible to readers",
    }
}

/// The paper's position in the taxonomy, if it has no siblings in its category.
pub(crate) fn position(kind: PositionKind) -> &'static str {
    match kind {
        PositionKind::HasSiblings => "",
        PositionKind::HasNeighbours => {
            "The paper is alone in its category, so neighbouring subtopics are compared instead."
        }
        PositionKind::Isolated => "No paper found is in its category or in a neighbouring one.",
    }
}

/// How two shared passages match.
pub(crate) fn overlap(kind: OverlapKind) -> &'static str {
    match kind {
        OverlapKind::Direct => "word for word",
        OverlapKind::NearVerbatim => "nearly word for word",
        OverlapKind::ParaphraseCandidate => "possible paraphrase (not confirmed)",
        _ => "similar",
    }
}

/// A harmless explanation of a shared passage.
pub(crate) fn overlap_mark(mark: OverlapMark) -> &'static str {
    match mark {
        OverlapMark::ReferenceList => "in a reference list",
        OverlapMark::QuotedWithCitation => "quoted with a citation",
        OverlapMark::Boilerplate => "common to many papers",
        _ => "explained",
    }
}

/// The format that the file was read as.
pub(crate) fn paper_format(format: PaperFormat) -> &'static str {
    match format {
        PaperFormat::Pdf => "PDF",
        PaperFormat::Latex => "LaTeX",
        PaperFormat::Html => "HTML",
        PaperFormat::Jats => "JATS XML",
        PaperFormat::Tei => "TEI XML",
        PaperFormat::Markdown => "Markdown",
        PaperFormat::Text => "plain text",
        PaperFormat::Docx => "Word document",
        PaperFormat::Odt => "OpenDocument text",
        PaperFormat::Epub => "EPUB book",
        _ => "unknown format",
    }
}

/// Labels of the selection steps, in order.
pub(crate) const FUNNEL_STEPS: [&str; 7] = [
    "found",
    "relevant",
    "distinct records",
    "without duplicates",
    "without the paper itself",
    "not later",
    "kept",
];

/// Whether shared text was searched for, and the result. States it if no search ran: a published tool printed "none detected" for a search
/// that never ran.
pub(crate) fn overlap_search(similarity: &TextualSimilarity) -> String {
    if !similarity.searched {
        return "Shared text was not searched for, because that needs the full text of this paper and of another one. There may be some.".to_owned();
    }
    if similarity.full_texts_compared == 0 {
        return "No paper was available with its full text, so shared text could not be searched for.".to_owned();
    }
    let with = count(similarity.full_texts_compared, "full text", "full texts");
    let searched = format!(
        "The paper was compared with {with} for passages of at least {} words",
        similarity.min_words
    );
    let shares = match similarity.unexplained() {
        0 if similarity.overlaps.is_empty() => "None was found.".to_owned(),
        0 => "Only text with a harmless explanation was found.".to_owned(),
        1 => "1 paper shares such text, shown here without judgement.".to_owned(),
        some => format!(
            "{} papers share such text, shown here without judgement.",
            thousands(some)
        ),
    };
    let explained = match similarity.overlaps.len() - similarity.unexplained() {
        0 => String::new(),
        some => format!(
            " {} only reference lists, quotations with a citation or boilerplate.",
            count(some, "paper shares", "papers share")
        ),
    };
    format!("{searched}. {shares}{explained}")
}

/// Facts about a shared passage: length, kind, harmless explanations.
pub(crate) fn overlap_facts(passage: &SharedPassage) -> String {
    let marks: Vec<String> = passage
        .marks
        .iter()
        .map(|&mark| overlap_mark(mark).to_owned())
        .collect();
    let explained = if marks.is_empty() {
        String::new()
    } else {
        format!("; {}", marks.join(", "))
    };
    let (words, kind) = (count(passage.words, "word", "words"), overlap(passage.kind));
    format!(
        "{words}, {kind} ({} of the words agree){explained}",
        percent(passage.agreement)
    )
}

/// What was sent to one host.
pub(crate) fn sent(one: &SentRecord) -> String {
    format!(
        "{} to {}: {}",
        count(one.requests, "request", "requests"),
        one.host,
        one.what
    )
}

/// `1 paper`, `2 papers`.
pub(crate) fn count(number: usize, one: &str, many: &str) -> String {
    if number == 1 {
        format!("1 {one}")
    } else {
        format!("{} {many}", thousands(number))
    }
}

/// Why a quote counts as altered.
#[must_use]
pub fn altered_reason(reason: AlteredReason) -> &'static str {
    match reason {
        AlteredReason::Negation => "a negation was added or removed",
        AlteredReason::Number => "a number or unit differs",
        AlteredReason::Comparison => "a comparison or direction is reversed",
        AlteredReason::Name => "a name differs",
        AlteredReason::Quantifier => "an amount, frequency or certainty differs",
        AlteredReason::ContentWords => "content words differ",
        AlteredReason::ForeignPart => "a part is from elsewhere or not in the source",
        AlteredReason::Order => "the words are in another order",
        AlteredReason::UnmarkedGap => "words are omitted without an ellipsis",
        AlteredReason::Sign => "a sign or a formula symbol differs",
        _ => "the meaning differs",
    }
}

/// A count with commas between thousands: `333,361`.
#[must_use]
pub fn thousands(number: usize) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// The location of a quote: `section 3 Method, page 4`. Empty if unknown.
pub(crate) fn place(place: &Place) -> String {
    let section = place
        .section
        .as_deref()
        .map(one_line)
        .filter(|section| !section.is_empty());
    let page = place.page.map(|page| format!("page {page}"));
    let parts: Vec<String> = section
        .map(|section| format!("section “{section}”"))
        .into_iter()
        .chain(page)
        .collect();
    parts.join(", ")
}

/// How the words searched for differed from the source, one difference each.
pub(crate) fn edits(edits: &[Edit]) -> Vec<String> {
    let one = |edit: &Edit| {
        let (source, quote) = (one_line(&edit.source), one_line(&edit.quote));
        match edit.kind {
            EditKind::Inserted => format!("had “{quote}”, which the source does not have"),
            EditKind::Deleted => format!("left out “{source}”"),
            EditKind::Replaced => format!("had “{quote}” for “{source}”"),
        }
    };
    edits.iter().map(one).collect()
}

/// `name` as a heading on one line, with a capital letter unless the authors write its first word otherwise, such as `eBPF`.
pub(crate) fn heading(name: &str) -> String {
    let name = one_line(name);
    let first = name.split(' ').next().unwrap_or_default();
    let mut chars = name.chars();
    match chars.next() {
        Some(letter)
            if first
                .chars()
                .all(|c| c.is_lowercase() || matches!(c, '-' | '\'' | '’' | ',')) =>
        {
            letter.to_uppercase().chain(chars).collect()
        }
        _ => name.into_owned(),
    }
}

/// `text` as a sentence on one line, with a capital letter and a full stop.
pub(crate) fn sentence(text: &str) -> String {
    let text = one_line(text);
    let mut chars = text.chars();
    let mut out: String = chars
        .next()
        .map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect());
    if out.ends_with(|c: char| c.is_alphanumeric()) {
        out.push('.');
    }
    out
}

/// A share from 0 to 1 as whole per cent.
pub(crate) fn percent(share: f64) -> String {
    let share = if share.is_finite() { share.clamp(0.0, 1.0) } else { 0.0 };
    // Rounds halves up, as the notes on comparisons do.
    format!("{} %", (share * 100.0).round())
}

/// The probability that a text states a claim. It is never 0, and smaller values differ too little for a reader.
#[must_use]
pub fn probability(probability: f64) -> String {
    match percent(probability).as_str() {
        "0 %" => "<1 %".to_owned(),
        percent => percent.to_owned(),
    }
}

/// `a`, `a and b`, `a, b and c`.
pub(crate) fn and_list(items: &[String]) -> String {
    match items {
        [] => String::new(),
        [one] => one.clone(),
        [head @ .., last] => format!("{} and {last}", head.join(", ")),
    }
}

/// The queries that a source answered, and whether the paper's own text was one of them.
pub(crate) fn answered(source: &SourceReport) -> String {
    let queries = shortfall(source).unwrap_or_else(|| source.answered.to_string());
    if source.own_text {
        format!("{queries}, plus the paper's own text")
    } else {
        queries
    }
}

/// How many queries a source answered, such as `10 of 11 queries`; `None` if it answered all in full.
pub(crate) fn shortfall(source: &SourceReport) -> Option<String> {
    let (answered, all) = (source.answered, source.answered + source.unanswered);
    let queries = if all == 1 { "query" } else { "queries" };
    match (source.unanswered, source.partial) {
        (0, 0) => None,
        (_, 0) => Some(format!("{answered} of {all} {queries}")),
        (_, partial) => Some(format!("{answered} of {all} {queries}, {partial} of them only in part")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_and_shares_are_readable() {
        assert_eq!(count(1, "paper", "papers"), "1 paper");
        assert_eq!(count(0, "paper", "papers"), "0 papers");
        assert_eq!(thousands(333_361), "333,361");
        assert_eq!(thousands(1_234), "1,234");
        assert_eq!(percent(0.666), "67 %");
        assert_eq!(percent(f64::NAN), "0 %");
        assert_eq!((probability(0.004), probability(0.006)), ("<1 %".into(), "1 %".into()));
        assert_eq!(and_list(&["a".into(), "b".into(), "c".into()]), "a, b and c");
    }

    #[test]
    fn a_heading_begins_with_a_capital_letter_unless_the_authors_chose_another() {
        for (name, heading_of_it) in [
            ("an overview of our work", "An overview of our work"),
            ("élan vital as a prior", "Élan vital as a prior"),
            ("eBPF programs for tracing", "eBPF programs for tracing"),
            ("k8s schedulers", "k8s schedulers"),
            ("word-level models", "Word-level models"),
            ("", ""),
        ] {
            assert_eq!(heading(name), heading_of_it);
        }
    }
}
