//! Parses headings: number, level, and the section kind.
//!
//! Input: the words of a heading. Output: its parts. Finding headings in a layout is not done here.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use precedent_domain::SectionKind;
use precedent_text::pattern;

/// A parsed heading.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct HeadingParts {
    /// The printed number without its final period.
    pub(crate) number: Option<String>,
    /// The words.
    pub(crate) words: String,
}

/// Kinds of heading numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Numbering {
    /// `3`, `3.1`.
    Arabic,
    /// `IV`.
    Roman,
    /// `A`, `A.1`.
    Letter,
}

/// Splits `4.2 Ablations`, `IV. RESULTS`, `Appendix B: Proofs` and `B Proofs` into number and words.
pub(crate) fn take_apart(heading: &str) -> HeadingParts {
    let line = tidy(heading);
    let numbered = pattern!(
        r"(?x)^(?:(?i:appendix|section|chapter|sec\.|§)\s*)?
        (?P<number>\d{1,2}(?:\.\d{1,2}){0,4}|(?:[A-Z]\.)?\d{1,2}(?:\.\d{1,2}){0,3}|[A-Z](?:\.\d{1,2}){1,4}|[IVX]{1,6}|[A-Z])
        (?P<stop>\s*[.:)\u{2014}\u{2013}-]\s*|\s+)(?P<words>\S.*)$"
    );
    let named = pattern!(r"(?i)^(?:appendix|appendices|annex|supplement(?:ary)?|anhang|annexe)\b");
    let whole = || HeadingParts {
        number: None,
        words: line.clone(),
    };
    let Some(found) = numbered.captures(&line) else {
        // `Appendix A` alone: the word is the heading and the letter its number.
        let alone = pattern!(r"(?i)^(appendix|annex|anhang|annexe)\s+([A-Z]|\d{1,2}|[IVX]+)\.?$");
        return match alone.captures(&line) {
            Some(parts) => HeadingParts {
                number: parts.get(2).map(|number| number.as_str().to_owned()),
                words: parts.get(1).map_or_else(String::new, |word| word.as_str().to_owned()),
            },
            None => whole(),
        };
    };
    let part = |name: &str| found.name(name).map_or("", |part| part.as_str());
    let (number, stop, words) = (part("number"), part("stop"), part("words"));
    let marked = !stop.trim().is_empty();
    let bare_letter = number.chars().all(|c| c.is_ascii_uppercase());
    // `A new method` and `I think` are words, not numbers. For `A. New method` and `A N EW`, the period or the following text decides.
    let article = bare_letter && !marked && !named.is_match(&line);
    let starts_lower = words.chars().next().is_some_and(char::is_lowercase);
    let small_caps =
        article && number.len() == 1 && words.chars().next().is_some_and(char::is_uppercase) && is_small_caps(words);
    if (article && (starts_lower || matches!(number, "A" | "I") || small_caps))
        || words.chars().all(|c| !c.is_alphabetic())
    {
        return whole();
    }
    // `2020. A year` or `3-D shapes`: a hyphen joins words and does not follow a number.
    if stop == "-" || (stop.trim() == "-" && !stop.starts_with(' ')) {
        return whole();
    }
    HeadingParts {
        number: Some(number.to_owned()),
        words: words.to_owned(),
    }
}

/// Like [`take_apart`], for papers that letter their appendices: `A Proofs` is appendix A.
pub(crate) fn take_apart_lettered(heading: &str) -> HeadingParts {
    let parts = take_apart(heading);
    let first = parts.words.strip_prefix("A ").filter(|words| {
        parts.number.is_none() && words.chars().next().is_some_and(char::is_uppercase) && !is_small_caps(words)
    });
    match first {
        Some(words) => HeadingParts {
            number: Some("A".to_owned()),
            words: words.trim().to_owned(),
        },
        None => parts,
    }
}

/// `I NTRODUCTION`, an artifact of small capitals in PDF fonts: one word split after its first letter.
fn is_small_caps(words: &str) -> bool {
    let first = words.split_whitespace().next().unwrap_or_default();
    first.chars().count() > 1 && first.chars().all(char::is_uppercase) && squash(words) != squash(first)
        || is_known_tail(words)
}

fn is_known_tail(words: &str) -> bool {
    let tail = squash(words);
    [
        "ntroduction",
        "bstract",
        "eferences",
        "elatedwork",
        "onclusion",
        "onclusions",
        "cknowledgments",
        "cknowledgements",
        "iscussion",
        "ackground",
    ]
    .iter()
    .any(|known| tail == *known)
}

/// The kind of a heading number.
pub(crate) fn numbering(number: &str) -> Numbering {
    if number.starts_with(|c: char| c.is_ascii_digit()) {
        Numbering::Arabic
    } else if number.len() > 1 && number.chars().all(|c| matches!(c, 'I' | 'V' | 'X'))
        || matches!(number, "I" | "V" | "X")
    {
        Numbering::Roman
    } else {
        Numbering::Letter
    }
}

/// Depth of a heading by its number: `3` is 1, `3.1` is 2.
pub(crate) fn depth(number: &str) -> u8 {
    let dots = number.split('.').filter(|part| !part.is_empty()).count();
    u8::try_from(dots).unwrap_or(u8::MAX).max(1)
}

/// The heading on one line, without Markdown markers, surrounding periods, page numbers or leaders.
pub(crate) fn tidy(heading: &str) -> String {
    let line = precedent_text::one_line(heading);
    let line = line.trim_start_matches('#').trim();
    let line = line.trim_matches(|c| matches!(c, '*' | '_'));
    line.trim_end_matches([':', '.', '—', '–']).trim().to_owned()
}

/// Letters only, lower case, so that `R E F E R E N C E S` and `References` compare equal.
pub(crate) fn squash(words: &str) -> String {
    words
        .chars()
        .filter(|c| c.is_alphabetic())
        .flat_map(char::to_lowercase)
        .collect()
}

/// Complete headings and their kinds, squashed. English first, then the most common other languages of papers.
const WHOLE: &[(SectionKind, &str)] = &[
    (
        SectionKind::Abstract,
        "abstract summary extendedabstract executivesummary authorsummary zusammenfassung kurzfassung résumé resume \
         resumen resumo 摘要 内容摘要 要旨 概要 초록 аннотация riassunto sommario",
    ),
    (
        SectionKind::Introduction,
        "introduction introductionandmotivation introductionandbackground einleitung einführung introducción \
         introdução introduzione 引言 绪论 前言 介绍 はじめに 序論 서론 введение motivation overview",
    ),
    (
        SectionKind::RelatedWork,
        "relatedwork relatedworks relatedworkandbackground backgroundandrelatedwork previouswork priorwork \
         relatedresearch relatedliterature literaturereview relatedstudies stateoftheart background \
         backgroundandmotivation verwandtearbeiten standderforschung travauxconnexes étatdelart trabajosrelacionados \
         相关工作 関連研究 comparisontopreviouswork comparisonwithpreviouswork furtherrelatedwork additionalrelatedwork \
         preliminaries",
    ),
    (
        SectionKind::Discussion,
        "discussion discussions limitations limitation diskussion discusión 讨论 考察 broaderimpact broaderimpacts \
         threatstovalidity",
    ),
    (
        SectionKind::Conclusion,
        "conclusion conclusions conclusionandfuturework conclusionsandfuturework concludingremarks futurework fazit \
         schluss conclusiones conclusão 结论 总结 結論 まとめ 결론 заключение summaryandconclusions summaryandconclusion \
         discussionandconclusion discussionandconclusions conclusionanddiscussion conclusionsanddiscussion \
         summaryandfuturework outlook schlussfolgerung conclusionandoutlook",
    ),
    (
        SectionKind::References,
        "references reference bibliography literaturecited referencescited workscited citedliterature \
         referencesandnotes notesandreferences literature listofreferences selectedreferences selectedbibliography \
         referencesandfurtherreading bibliographicalreferences referencesandbibliography mainreferences \
         supplementaryreferences supplementalreferences additionalreferences appendixreferences methodsreferences \
         literatur literaturverzeichnis quellen références référencesbibliographiques bibliographie referencias \
         referenciasbibliográficas bibliografía referências riferimenti bibliografia riferimentibibliografici 参考文献 \
         參考文獻 引用文献 参照文献 참고문헌 literatura литература списоклитературы",
    ),
    (
        SectionKind::Acknowledgements,
        "acknowledgements acknowledgments acknowledgement acknowledgment funding fundingstatement authorcontributions \
         competinginterests conflictofinterest conflictsofinterest declarationofinterests ethicsstatement \
         ethicalconsiderations ethicalstatement impactstatement reproducibilitystatement neuripspaperchecklist \
         paperchecklist checklist dataavailability dataavailabilitystatement codeavailability danksagung \
         remerciements agradecimientos agradecimentos ringraziamenti 致谢 謝辞 acknowledgementsanddisclosureoffunding \
         acknowledgmentsanddisclosureoffunding disclosureoffunding additionalinformation financialsupport \
         broaderimpactstatement llmusage authorinformation ethics disclosure creditauthorshipcontributionstatement \
         declarationofcompetinginterest",
    ),
    (
        SectionKind::Appendix,
        "appendix appendices supplementarymaterial supplementarymaterials supplementalmaterial supplementalmaterials \
         supportinginformation supplementaryinformation supplementarydata annex anhang annexe apéndice 附录 付録 \
         technicalappendix onlineappendix supplement",
    ),
    (
        SectionKind::Method,
        "method methods methodology approach ourapproach ourmethod proposedmethod proposedapproach \
         materialsandmethods methodsandmaterials model ourmodel themodel theory algorithm system systemoverview \
         architecture modelarchitecture framework problemformulation problemstatement problemsetup problemdefinition \
         experimentalprocedures methode methoden méthode méthodes método métodos 方法 手法 提案手法 starmethods \
         patientsandmethods implementation",
    ),
    (
        SectionKind::Experiments,
        "experiments experiment results evaluation experimentalresults experimentsandresults resultsanddiscussion \
         experimentalsetup experimentalevaluation empiricalresults empiricalevaluation analysis ablationstudy \
         ablations casestudy casestudies findings ergebnisse experimente résultats expériences resultados \
         experimentos 实验 结果 実験 結果 评估 experimentsandanalysis resultsandanalysis experimentalresultsandanalysis \
         performance performanceevaluation numericalexperiments simulations simulationresults userstudy data datasets \
         dataset",
    ),
];

/// Section kind by the words of a heading; `None` if unknown.
pub(crate) fn kind_of(words: &str) -> Option<SectionKind> {
    let squashed = squash(words);
    if squashed.is_empty() {
        return None;
    }
    for (kind, known) in WHOLE {
        if known.split_whitespace().any(|known| known == squashed) {
            return Some(*kind);
        }
    }
    if words.split_whitespace().count() > 12 {
        return None;
    }
    by_parts(&words.to_lowercase())
}

/// Section kind of longer headings, by a single unambiguous word.
fn by_parts(words: &str) -> Option<SectionKind> {
    let rules: [(&regex::Regex, SectionKind); 9] = [
        (
            pattern!(r"^(?:appendix|appendices|supplementa[a-z]+|supporting information|annex)\b|\bappendix$"),
            SectionKind::Appendix,
        ),
        (pattern!(r"^introduction\b|^einleitung\b"), SectionKind::Introduction),
        (
            pattern!(
                r"\brelated (?:work|research|literature|approaches|studies|methods)|\b(?:previous|prior|existing) (?:work|research|approaches|methods|studies)\b|\bliterature (?:review|survey)|^background\b|\bstate[- ]of[- ]the[- ]art\b.*\breview"
            ),
            SectionKind::RelatedWork,
        ),
        (
            pattern!(r"\bconclu(?:sions?|ding)\b|\bfuture (?:work|directions|research)\b"),
            SectionKind::Conclusion,
        ),
        (
            pattern!(
                r"\backnowledge?ments?\b|\bchecklist\b|\bfunding\b|\bcompeting interests?\b|\bconflicts? of interests?\b|\bethic(?:s|al) (?:statement|considerations?)\b|\bdata availability\b|\bdeclaration of\b"
            ),
            SectionKind::Acknowledgements,
        ),
        (
            pattern!(r"\bdiscussion\b|\blimitations?\b|\bbroader impacts?\b"),
            SectionKind::Discussion,
        ),
        (
            pattern!(
                r"\bexperiment(?:s|al)?\b|\bresults?\b|\bevaluati(?:on|ng)\b|\bablations?\b|\bbenchmark(?:s|ing)?\b|\bempirical\b|\bcase stud(?:y|ies)\b"
            ),
            SectionKind::Experiments,
        ),
        (
            pattern!(
                r"\bmethod(?:s|ology)?\b|\bproposed\b|\bour (?:approach|model|system|framework)\b|\bmaterials and methods\b|\bproblem (?:formulation|statement|setup|definition|setting)\b|\balgorithms?\b"
            ),
            SectionKind::Method,
        ),
        (
            pattern!(r"^(?:references|bibliography) (?:and|cited|&)"),
            SectionKind::References,
        ),
    ];
    rules
        .into_iter()
        .find(|(rule, _)| rule.is_match(words))
        .map(|(_, kind)| kind)
}

/// Known headings that are too common as words to count without markup.
const COMMON_WORDS: &[&str] = &[
    "reference",
    "summary",
    "overview",
    "outlook",
    "resume",
    "literature",
    "quellen",
    "supplement",
    "motivation",
    "limitation",
    "background",
    "ethics",
    "disclosure",
    "preliminaries",
];

/// Whether a short line of running text is just a well-known heading: `References`, `1 Introduction`, `A B S T R A C T`.
pub(crate) fn is_bare_heading(line: &str) -> bool {
    let line = line.trim();
    if line.is_empty() || line.len() > 60 || line.contains('\n') || line.ends_with([',', ';']) {
        return false;
    }
    let words = take_apart(line).words;
    let capital = words.chars().next().is_some_and(|c| !c.is_lowercase());
    capital && !line.ends_with('.') && BARE_HEADINGS.contains(squash(&words).as_str())
}

/// Headings that a line of running text may be. A single common word such as `Data` or `System` is more often a table cell.
static BARE_HEADINGS: LazyLock<BTreeSet<&str>> = LazyLock::new(|| {
    WHOLE
        .iter()
        .filter(|(kind, _)| !matches!(kind, SectionKind::Method | SectionKind::Experiments))
        .flat_map(|(_, known)| known.split_whitespace())
        .filter(|known| !COMMON_WORDS.contains(known))
        .collect()
});

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(heading: &str) -> (Option<String>, String) {
        let parts = take_apart(heading);
        (parts.number, parts.words)
    }

    #[test]
    fn heading_numbers_are_split_off() {
        for (heading, number, words) in [
            ("1 Introduction", "1", "Introduction"),
            ("4.2. Ablation study", "4.2", "Ablation study"),
            ("IV. RESULTS", "IV", "RESULTS"),
            ("II RELATED WORK", "II", "RELATED WORK"),
            ("A. Proofs", "A", "Proofs"),
            ("B Proofs", "B", "Proofs"),
            ("C.1 More proofs", "C.1", "More proofs"),
            ("Appendix D: Data", "D", "Data"),
            ("Appendix A", "A", "Appendix"),
            ("Section 3: Setup", "3", "Setup"),
            ("## 7 References", "7", "References"),
            ("7. References", "7", "References"),
        ] {
            assert_eq!(parts(heading), (Some(number.to_owned()), words.to_owned()), "{heading}");
        }
    }

    #[test]
    fn words_are_not_numbers() {
        for heading in [
            "A new method for parsing",
            "A Survey of Parsing",
            "I NTRODUCTION",
            "3-D shapes",
            "R EFERENCES",
            "References",
            "2020",
            "X",
            "",
        ] {
            assert_eq!(parts(heading).0, None, "{heading}");
        }
    }

    #[test]
    fn kinds_by_words() {
        use SectionKind as K;
        for (heading, kind) in [
            ("R E F E R E N C E S", Some(K::References)),
            ("References and Notes", Some(K::References)),
            ("Literature Cited", Some(K::References)),
            ("Reference architecture", None),
            ("Reference resolution in dialogue", None),
            ("A BSTRACT", Some(K::Abstract)),
            ("I NTRODUCTION", Some(K::Introduction)),
            ("Zusammenfassung", Some(K::Abstract)),
            ("参考文献", Some(K::References)),
            ("Introducción", Some(K::Introduction)),
            ("Experiments on translation", Some(K::Experiments)),
            ("Comparison with previous work", Some(K::RelatedWork)),
            ("Conclusions and future directions", Some(K::Conclusion)),
            ("NeurIPS Paper Checklist", Some(K::Acknowledgements)),
            ("Kernels over trees", None),
        ] {
            assert_eq!(kind_of(heading), kind, "{heading}");
        }
    }

    #[test]
    fn bare_headings_are_whole_lines() {
        for line in [
            "References",
            "7 References",
            "REFERENCES",
            "Abstract",
            "1 Introduction",
            "R E F E R E N C E S",
        ] {
            assert!(is_bare_heading(line), "{line}");
        }
        for line in [
            "Reference resolution is hard",
            "References to the war were cut.",
            "references",
            "Data",
            "Summary",
            "Referencesß",
        ] {
            assert!(!is_bare_heading(line), "{line}");
        }
    }
}
