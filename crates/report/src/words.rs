//! The fixed wording of every report, in one place. `docs/style.md` says why it is so.
//!
//! Long because all fixed wording of reports is in one place.

use precedent_domain::{
    CameBy, ContributionClass, ContributionComparison, DateOrigin, Doubt, Edit, EditKind, Extent, HiddenReason,
    NotSearchedKind, OverlapKind, OverlapMark, PaperFormat, Place, PositionKind, RunMetadata, Scope, SentRecord,
    SetAsideReason, SharedPassage, SourceReport, Status, TextualSimilarity, Timing,
};

use crate::plain::one_line;

/// Printed when no model took part.
pub(crate) const NO_PROSE: &str = "No model wrote prose for this report. It shows facts, tables and quotes; what only reading can decide is marked as such.";
/// Printed where the run states none, so that no report lacks it.
pub(crate) const DISCLAIMER: &str = "This report found conflicts, or none, only within what was searched. It assists a reader; it is no judgement of the paper and no \
     ground for rejection.";

/// That calls to the model failed, with what to do about it. Every report shows it before anything else.
pub(crate) fn incomplete(metadata: &RunMetadata) -> Option<String> {
    let mut limits = metadata.not_searched.iter();
    let one = limits.find(|one| one.kind == NotSearchedKind::ModelIncomplete)?;
    Some(one.message.clone())
}

/// What was not searched, read or judged, without what [`incomplete`] says.
pub(crate) fn limits(metadata: &RunMetadata) -> Vec<String> {
    let limits = metadata.not_searched.iter();
    let limits = limits.filter(|one| one.kind != NotSearchedKind::ModelIncomplete);
    limits.map(|one| one.message.clone()).collect()
}

/// How a claim stands after all its comparisons.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Standing {
    /// At least one comparison says `can_refute`.
    Found,
    /// None does, and at least one says `unclear`.
    NeedsReading,
    /// The claim says too little to be told by its words, so that nothing is found and nothing ruled out.
    TooLittle,
    /// All say `cannot_refute`.
    NotFound,
    /// There is no comparison.
    NotCompared,
}

impl Standing {
    /// The standing in two to five words.
    pub(crate) fn label(self) -> &'static str {
        match self {
            Self::Found => "Found in earlier work",
            Self::NeedsReading => "Needs reading",
            Self::TooLittle => TOO_LITTLE,
            Self::NotFound => "Not found in what was compared",
            Self::NotCompared => "Nothing to compare with",
        }
    }

    /// The standing in a sentence that stands after "Claim 1: ".
    pub(crate) fn sentence(self) -> &'static str {
        match self {
            Self::Found => "the substance of the claim stands in at least one earlier work, with quotes on both sides.",
            Self::NeedsReading => "near passages were found; only reading decides what they take away.",
            Self::TooLittle => {
                "the claim names too few things of its own to be told by its words from its topic; only reading decides."
            }
            Self::NotFound => "no work that was compared contains it, as far as it was compared.",
            Self::NotCompared => "no earlier work was found to compare it with.",
        }
    }

    /// The name that styles and tests use.
    pub(crate) fn key(self) -> &'static str {
        match self {
            Self::Found => "found",
            Self::NeedsReading => "reading",
            Self::NotFound => "clear",
            Self::TooLittle | Self::NotCompared => "none",
        }
    }
}

/// A status in words.
pub(crate) fn status(status: Status) -> &'static str {
    match status {
        Status::CanRefute => "Found here",
        Status::Unclear => "Needs reading",
        Status::CannotRefute => "Not found here",
    }
}

/// In place of a status where too little is said to tell one.
pub(crate) const TOO_LITTLE: &str = "Too little to tell";

/// The status of a comparison in words.
pub(crate) fn status_of(one: &ContributionComparison) -> &'static str {
    if one.says_too_little() {
        TOO_LITTLE
    } else {
        status(one.status)
    }
}

/// The name that styles use for the status of a comparison.
pub(crate) fn status_key_of(one: &ContributionComparison) -> &'static str {
    if one.says_too_little() {
        Standing::TooLittle.key()
    } else {
        status_short(one.status)
    }
}

/// What it means that too little is said, for people who have not met it.
pub(crate) const TOO_LITTLE_MEANING: &str = "The claim has fewer than four content terms of its own, or nothing but the work's title is at hand: words can neither find the claim there nor \
rule it out. In JSON it stands as unclear, with too_little set.";

/// A status as JSON writes it.
pub(crate) fn status_key(status: Status) -> &'static str {
    match status {
        Status::CanRefute => "can_refute",
        Status::Unclear => "unclear",
        Status::CannotRefute => "cannot_refute",
    }
}

/// The name of a status that styles use, the same as for the standing it leads to.
pub(crate) fn status_short(status: Status) -> &'static str {
    match status {
        Status::CanRefute => Standing::Found.key(),
        Status::Unclear => Standing::NeedsReading.key(),
        Status::CannotRefute => Standing::NotFound.key(),
    }
}

/// What a status means, for people who have not met it.
pub(crate) fn status_meaning(status: Status) -> &'static str {
    match status {
        Status::CanRefute => {
            "The substance of the claim stands in this earlier work. Quotes on both sides were checked word for word against their \
             sources. Read both before you conclude anything: the work may solve another problem in the same words."
        }
        Status::Unclear => {
            "The work comes near the claim, and whether it takes anything away only reading can decide. In counts it stands as not \
             refuting."
        }
        Status::CannotRefute => {
            "As far as the work was compared, the claim does not stand in it. Where only an abstract was at hand, the full text may \
             say more. It says nothing about works that were not compared."
        }
    }
}

/// In place of the works that matter most, where none does.
pub(crate) const NONE_NEAR: &str = "No earlier work that was searched stands near it.";
/// The same in a cell of a table.
pub(crate) const NONE_NEAR_SHORT: &str = "nothing near in what was searched";
/// The same where there is no earlier work at all.
pub(crate) const NO_EARLIER: &str = "No work found is surely earlier than the paper.";
/// After fewer than three.
pub(crate) const NO_OTHER_NEAR: &str = "No other earlier work that was searched stands near it.";

/// Before works that stand near the paper as a whole and at none of its claims.
pub(crate) const NEAR_NO_CLAIM: &str = "Near the paper, at none of its claims";

/// Behind what the paper reports as its result.
pub(crate) const RESULT_NOTE: &str = "The paper's own words; results are set beside no other work.";

/// How a report is read, in three lines. The first names what stands above it on the first screen.
pub(crate) const HOW_TO_READ: [&str; 3] = [
    "Each claim stands in the paper's own words, with the earlier works that stand nearest to it by what they are about and what they say: three, or fewer where fewer are near. Works that are concurrent or have no date stand apart, because they cannot count.",
    "Found here: the claim's substance stands in that work. Needs reading: it comes near, and only reading decides. Not found here: not there as far as it was compared, which says nothing of other works.",
    "Every quoted word is cut from its source, with section and page; open both sides before you conclude anything.",
];

/// How much of a work was compared.
pub(crate) fn extent(extent: Extent) -> &'static str {
    match extent {
        Extent::FullText => "full text",
        Extent::Abstract => "abstract only",
        Extent::TitleOnly => "title only",
    }
}

/// How a work came to be looked at besides by searches; `None` where the reference that it is said to be is told already.
pub(crate) fn came_by(way: CameBy, cited_as: Option<u32>) -> Option<String> {
    Some(match way {
        CameBy::Reference { number } if cited_as == Some(number) => return None,
        CameBy::Reference { number } => format!("known to a service as the paper's reference {number}"),
        CameBy::CitedByReferences { count: 1 } => "cited by one of the works that the paper cites".to_owned(),
        CameBy::CitedByReferences { count } => format!("cited by {count} of the works that the paper cites"),
        CameBy::Recommended => "recommended beside the paper by a service".to_owned(),
        CameBy::RecommendedByReferences => "recommended beside the paper's references by a service".to_owned(),
        CameBy::CitesPaper => "cites the paper".to_owned(),
        _ => return None,
    })
}

/// What speaks against a work.
pub(crate) fn doubt(doubt: &Doubt) -> Option<String> {
    let names = |names: &[String]| {
        let names: Vec<String> = names.iter().map(|name| one_line(name).into_owned()).collect();
        and_list(&names)
    };
    match doubt {
        Doubt::Retracted { by } => Some(format!("retracted, as {} has it", names(by))),
        Doubt::Disputed { on, between } => Some(format!("{} disagree on its {}", names(between), names(on))),
        Doubt::Date { earlier, later } => Some(format!(
            "dates disagree: {} before the paper, {} later",
            names(earlier),
            names(later)
        )),
        _ => None,
    }
}

/// How a work's date stands to the paper's.
pub(crate) fn timing(timing: Timing, paper_dated: bool) -> &'static str {
    match timing {
        Timing::Earlier => "earlier",
        // Where the paper has no date, a work may be decades old and still not surely earlier.
        Timing::Concurrent if !paper_dated => "not surely earlier",
        Timing::Concurrent => "concurrent",
        Timing::Undated => "no date known",
        Timing::Later => "later",
    }
}

/// What works are that cannot count against a claim.
pub(crate) fn apart(paper_dated: bool) -> &'static str {
    if paper_dated {
        "Concurrent or undated works"
    } else {
        "Works not surely earlier, since the paper's own date is not known"
    }
}

/// Where a date was read.
pub(crate) fn date_origin(origin: &DateOrigin) -> String {
    match origin {
        DateOrigin::Given => "given by the user".to_owned(),
        DateOrigin::ArxivId => "from the arXiv id".to_owned(),
        DateOrigin::FrontMatter => "printed in the front matter".to_owned(),
        DateOrigin::FileMetadata => "from the metadata of the file".to_owned(),
        DateOrigin::Record(name) => format!("from the record of {name}"),
        _ => "from elsewhere".to_owned(),
    }
}

/// What kind of contribution.
pub(crate) fn class(class: ContributionClass) -> &'static str {
    match class {
        ContributionClass::Method => "method",
        ContributionClass::Theory => "theory",
        ContributionClass::Resource => "resource",
        ContributionClass::Finding => "finding",
        ContributionClass::Survey => "survey",
        ContributionClass::Application => "application",
        _ => "kind not told",
    }
}

/// What a query or rank is for.
pub(crate) fn scope(scope: Scope) -> String {
    match scope {
        Scope::CoreTask => "the core task".to_owned(),
        Scope::Contribution(number) => format!("claim {number}"),
    }
}

/// Claims by their numbers: `claim 3`, `claims 1 and 3`; empty where there is none.
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

/// Why a work that was found is no candidate.
pub(crate) fn set_aside(reason: SetAsideReason) -> &'static str {
    match reason {
        SetAsideReason::SameWork => "the paper itself, or a version of it",
        SetAsideReason::Later => "appeared after the paper",
        SetAsideReason::Duplicate => "another record of a work already listed",
        _ => "set aside",
    }
}

/// Why text is not seen.
pub(crate) fn hidden(reason: HiddenReason) -> &'static str {
    match reason {
        HiddenReason::WhiteOnWhite => "in the colour of the page",
        HiddenReason::Tiny => "too small to read",
        HiddenReason::OffPage => "outside the page",
        HiddenReason::InvisibleMode => "drawn invisibly",
        HiddenReason::HiddenByStyle => "hidden by a style",
        HiddenReason::InvisibleCharacters => "made of characters without a shape",
        HiddenReason::Comment => "in a comment of the source",
        _ => "not for human eyes",
    }
}

/// How the paper stands in the tree, where that is not among other works of its leaf.
pub(crate) fn position(kind: PositionKind) -> &'static str {
    match kind {
        PositionKind::HasSiblings => "",
        PositionKind::HasNeighbours => {
            "The paper stands alone in its leaf; the subtopics beside it are compared instead."
        }
        PositionKind::Isolated => "No other work shares its leaf or stands beside it in what was searched.",
    }
}

/// How alike two passages are.
pub(crate) fn overlap(kind: OverlapKind) -> &'static str {
    match kind {
        OverlapKind::Direct => "word for word",
        OverlapKind::NearVerbatim => "nearly word for word",
        OverlapKind::ParaphraseCandidate => "perhaps a paraphrase (a candidate, not a finding)",
        _ => "alike",
    }
}

/// An innocent explanation of a shared passage.
pub(crate) fn overlap_mark(mark: OverlapMark) -> &'static str {
    match mark {
        OverlapMark::ReferenceList => "in a reference list",
        OverlapMark::QuotedWithCitation => "quoted with a citation",
        OverlapMark::Boilerplate => "common to many works",
        _ => "explained",
    }
}

/// What the file was read as.
pub(crate) fn paper_format(format: PaperFormat) -> &'static str {
    match format {
        PaperFormat::Pdf => "PDF",
        PaperFormat::Latex => "LaTeX",
        PaperFormat::Html => "HTML",
        PaperFormat::Jats => "JATS XML",
        PaperFormat::Tei => "TEI XML",
        PaperFormat::Markdown => "Markdown",
        PaperFormat::Text => "plain text",
        _ => "unknown format",
    }
}

/// What the funnel's steps are called, in their order.
pub(crate) const FUNNEL_STEPS: [&str; 7] = [
    "found",
    "relevant",
    "different records",
    "without duplicates",
    "without the paper itself",
    "not later",
    "kept",
];

/// Whether overlap was looked for, and what was found. Says plainly when it was not looked for: a published tool printed "none detected"
/// for a search that never ran.
pub(crate) fn overlap_search(similarity: &TextualSimilarity) -> String {
    if !similarity.searched {
        return "Shared text was not looked for in this run; nothing follows from its absence here.".to_owned();
    }
    if similarity.full_texts_compared == 0 {
        return "No work was at hand with its full text, so shared text could not be looked for.".to_owned();
    }
    let with = count(similarity.full_texts_compared, "full text", "full texts");
    let searched = format!(
        "The paper was compared with {with} for passages of at least {} words",
        similarity.min_words
    );
    match similarity.overlaps.len() {
        0 => format!("{searched}: none was found."),
        1 => format!("{searched}: 1 work shares such text with it. Shown without judgement."),
        some => format!(
            "{searched}: {} works share such text with it. Shown without judgement.",
            thousands(some)
        ),
    }
}

/// What is known of a shared passage: length, kind, innocent explanations.
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

/// What left the machine for one host.
pub(crate) fn sent(one: &SentRecord) -> String {
    format!("{} requests to {}: {}", one.requests, one.host, one.what)
}

/// `1 work`, `2 works`.
pub(crate) fn count(number: usize, one: &str, many: &str) -> String {
    if number == 1 {
        format!("1 {one}")
    } else {
        format!("{} {many}", thousands(number))
    }
}

/// A figure with thin spaces between thousands, from 10,000 on as style guides ask; never a comma that another language reads as a point.
pub(crate) fn thousands(number: usize) -> String {
    let digits = number.to_string();
    if digits.len() < 5 {
        return digits;
    }
    let mut out = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push('\u{202f}');
        }
        out.push(digit);
    }
    out
}

/// Where a quote stands: `section 3 Method, page 4`; empty where nothing is known.
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

/// What the words that were looked for had differently from the source, one difference each.
pub(crate) fn edits(edits: &[Edit]) -> Vec<String> {
    let one = |edit: &Edit| {
        let (source, quote) = (one_line(&edit.source), one_line(&edit.quote));
        match edit.kind {
            EditKind::Inserted => format!("had “{quote}”, which the source lacks"),
            EditKind::Deleted => format!("left out “{source}”"),
            EditKind::Replaced => format!("had “{quote}” for “{source}”"),
        }
    };
    edits.iter().map(one).collect()
}

/// `text` as a sentence on one line: a capital first, a full stop last.
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

/// A share of one as whole per cent.
pub(crate) fn percent(share: f64) -> String {
    let share = if share.is_finite() { share.clamp(0.0, 1.0) } else { 0.0 };
    format!("{:.0} %", share * 100.0)
}

/// `a`, `a and b`, `a, b and c`.
pub(crate) fn and_list(items: &[String]) -> String {
    match items {
        [] => String::new(),
        [one] => one.clone(),
        [head @ .., last] => format!("{} and {last}", head.join(", ")),
    }
}

/// What a source answered: queries, and the paper's own text where it was asked with that.
pub(crate) fn answered(source: &SourceReport) -> String {
    let queries = source.shortfall().unwrap_or_else(|| source.answered.to_string());
    if source.own_text {
        format!("{queries}, and the paper's own text")
    } else {
        queries
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_read_well() {
        assert_eq!(count(1, "work", "works"), "1 work");
        assert_eq!(count(0, "work", "works"), "0 works");
        assert_eq!(thousands(333_361), "333\u{202f}361");
        assert_eq!(thousands(1_234), "1234");
        assert_eq!(percent(0.666), "67 %");
        assert_eq!(percent(f64::NAN), "0 %");
        assert_eq!(and_list(&["a".into(), "b".into(), "c".into()]), "a, b and c");
    }
}
