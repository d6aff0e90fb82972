//! Parses a Markdown report for the audit: sections, points, parts, sentences and references. A report in another form is running text.

use precedent_domain::PointClass;
use precedent_language::wording::{cited, without_marks};
use precedent_text::{pattern, sentences};

/// A parsed report in the three-section form.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ReportText {
    /// Its title.
    pub title: Option<String>,
    /// The whole text as given.
    pub whole: String,
    /// The top-level headings, in order.
    pub headings: Vec<String>,
    /// Prose of the content summary.
    pub content: String,
    /// The points.
    pub points: Vec<PointText>,
    /// Prose of the novelty summary.
    pub novelty: String,
    /// Prose outside the three sections; empty if the report has all three.
    pub running: String,
    /// Citing text outside prose: headings and table rows, one statement each.
    pub asides: Vec<String>,
    /// The references: number and entry.
    pub references: Vec<(u32, String)>,
}

/// A point of a report.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PointText {
    /// Its heading.
    pub heading: String,
    /// Prose of parts a) to d); `None` if the part's heading is missing.
    pub parts: [Option<String>; 4],
    /// The classes named in part a).
    pub classes: Vec<PointClass>,
}

/// The section that a line belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum SectionKind {
    Before,
    Content,
    Points,
    Novelty,
    References,
    Other,
}

/// Parses a report. Accepts any text; missing parts stay empty.
#[must_use]
pub fn report_text(markdown: &str) -> ReportText {
    let mut report = ReportText {
        whole: markdown.to_owned(),
        ..ReportText::default()
    };
    let mut section = SectionKind::Before;
    let mut part: Option<usize> = None;
    let separated = separated(markdown);
    let mut sections: Vec<SectionKind> = Vec::new();
    for line in separated.lines() {
        let (level, bare) = heading(line);
        let lower = bare.to_lowercase();
        if !matches!(
            section,
            SectionKind::Before | SectionKind::References | SectionKind::Other
        ) {
            report.asides.extend(aside(line, level));
        }
        if let Some(found) = section_of(&lower, level) {
            report.headings.push(bare);
            (section, part) = (found, None);
            sections.push(found);
            continue;
        }
        if level == 1 && report.title.is_none() && section == SectionKind::Before {
            report.title = Some(bare);
            continue;
        }
        if section == SectionKind::Points && is_point(&lower, level) {
            report.points.push(PointText {
                heading: bare,
                ..PointText::default()
            });
            part = None;
            continue;
        }
        if level == 1 || level == 2 {
            section = match is_reference_heading(&lower) {
                true => SectionKind::References,
                false => SectionKind::Other,
            };
            report.headings.push(bare);
            part = None;
            continue;
        }
        // A heading within a section is not one of its sentences.
        if level > 0 && part_heading(&bare).is_none() {
            // The passages below are not prose of the part.
            if lower == "closest passages" {
                part = None;
            }
            continue;
        }
        match section {
            SectionKind::Content => add(&mut report.content, line),
            SectionKind::Novelty => add(&mut report.novelty, line),
            SectionKind::Points => {
                // Parts may follow without a heading of their point. Each part a) then begins a point.
                let opens = |which: usize| match report.points.last() {
                    None => true,
                    Some(last) => which == 0 && last.parts.first().is_some_and(Option::is_some),
                };
                if part_heading(&bare).is_some_and(|(which, _)| opens(which)) {
                    report.points.push(PointText::default());
                }
                let Some(point) = report.points.last_mut() else {
                    add(&mut report.running, line);
                    continue;
                };
                let mut words = line.to_owned();
                if let Some((which, rest)) = part_heading(&bare) {
                    part = Some(which);
                    if let Some(slot) = point.parts.get_mut(which) {
                        slot.get_or_insert_default();
                    }
                    words = rest;
                }
                if let Some(text) = part.and_then(|which| point.parts.get_mut(which)) {
                    add(text.get_or_insert_default(), &words);
                }
            }
            SectionKind::References => report.references.extend(entry(&plain(line))),
            SectionKind::Before | SectionKind::Other => add(&mut report.running, line),
        }
    }
    for point in &mut report.points {
        // The class is not prose of the part.
        if let Some(Some(text)) = point.parts.first_mut() {
            (point.classes, *text) = take_classes(text);
        }
    }
    if [SectionKind::Content, SectionKind::Points, SectionKind::Novelty]
        .iter()
        .all(|one| sections.contains(one))
        && !report.points.is_empty()
    {
        report.running.clear();
    }
    report
}

/// The text with each heading of the form on a line of its own, as the published reports print a heading and its text on one line.
fn separated(markdown: &str) -> String {
    let section = pattern!(
        r"(?mi)^([ \t]*#*[ \t]*\**[1-3]\.[ \t]+(?:paper content summary|point-?wise novelty analysis|novelty summary))(\**:?\**)[ \t]+(\S.*)$"
    );
    let separated = section.replace_all(markdown, "$1$2\n\n$3");
    let point = pattern!(r"(?i)([^\n#*\s][ \t]+)(2\.\d+\.?[ \t]+novelty point \d+\b)");
    let separated = point.replace_all(&separated, "$1\n\n$2");
    let part = pattern!(
        r"(?i)(\S[ \t]+)(\*{0,2}[a-d][).][ \t]*(?:claimed novelty|similarities|(?:unique )?differences|details of (?:unique )?differences)\b\*{0,2}[ \t]*:)"
    );
    part.replace_all(&separated, "$1\n\n$2").into_owned()
}

fn is_reference_heading(lower: &str) -> bool {
    let named = lower.trim_start_matches(|c: char| c.is_ascii_digit() || matches!(c, '.' | ')' | ' '));
    matches!(
        named.trim_end_matches(':'),
        "references" | "reference list" | "bibliography" | "works cited" | "sources"
    )
}

impl ReportText {
    /// The sentences of the content summary.
    #[must_use]
    pub fn content_sentences(&self) -> Vec<String> {
        of(&self.content)
    }

    /// Everything that may contain citations: all sentences, and citing text outside prose.
    #[must_use]
    pub fn statements(&self) -> Vec<String> {
        let prose = self.sentences().into_iter().map(|(_, text)| text);
        prose.chain(self.asides.iter().cloned()).collect()
    }

    /// Every sentence with its part: `None` for the summaries, otherwise point and part, both from 0.
    #[must_use]
    pub fn sentences(&self) -> Vec<(Option<(usize, usize)>, String)> {
        let mut found: Vec<(Option<(usize, usize)>, String)> =
            of(&self.content).into_iter().map(|one| (None, one)).collect();
        for (at, point) in self.points.iter().enumerate() {
            for (which, text) in point.parts.iter().enumerate() {
                let all = of(text.as_deref().unwrap_or_default());
                found.extend(all.into_iter().map(|one| (Some((at, which)), one)));
            }
        }
        found.extend(of(&self.novelty).into_iter().map(|one| (None, one)));
        found.extend(of(&self.running).into_iter().map(|one| (None, one)));
        found
    }

    /// Whether the text has any part of the form.
    #[must_use]
    pub fn is_report(&self) -> bool {
        !self.points.is_empty() || !self.content.is_empty() && !self.novelty.is_empty()
    }
}

/// The sentences of a text, line by line. A citation mark after a full stop belongs to the sentence before it.
fn of(text: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for line in text.lines() {
        for span in sentences(line) {
            let Some(piece) = span.slice(line).map(str::trim) else {
                continue;
            };
            let bare = without_marks(piece);
            let only_marks = !bare.chars().any(char::is_alphanumeric);
            match found.last_mut() {
                Some(last) if only_marks => {
                    last.push(' ');
                    last.push_str(piece);
                }
                Some(last) if piece.starts_with('[') && !cited(piece).is_empty() => {
                    // `…taut. [3] Both …`: the mark belongs to the sentence before it.
                    let end = piece.find(']').map_or(0, |at| at + 1);
                    let (mark, rest) = piece.split_at(end);
                    last.push(' ');
                    last.push_str(mark);
                    found.push(rest.trim().to_owned());
                }
                _ if !only_marks => found.push(piece.to_owned()),
                _ => {}
            }
        }
    }
    found
}

/// The level of a heading (0 for none) and its words.
fn heading(line: &str) -> (usize, String) {
    let trimmed = line.trim();
    let level = trimmed.chars().take_while(|c| *c == '#').count();
    let level = if (1..=6).contains(&level) && trimmed.chars().nth(level).is_some_and(char::is_whitespace) {
        level
    } else {
        0
    };
    (level, plain(trimmed.trim_start_matches('#')))
}

/// The words without Markdown markup.
fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\\' if chars.peek().is_some_and(char::is_ascii_punctuation) => out.extend(chars.next()),
            '*' | '`' => {}
            _ => out.push(c),
        }
    }
    out.trim().to_owned()
}

fn add(text: &mut String, line: &str) {
    let trimmed = line.trim();
    // Quotations and tables are not the report's own prose.
    if trimmed.starts_with('>') || trimmed.starts_with('|') {
        return;
    }
    let words = plain(trimmed.trim_start_matches("- "));
    if is_measure(&words) {
        return;
    }
    // A few words in bold or italics on their own line are a heading.
    let apart = trimmed.starts_with('*') && trimmed.ends_with('*') && words.split_whitespace().count() <= 6;
    if apart && !words.contains(|c: char| c.is_ascii_digit()) {
        return;
    }
    if !words.is_empty() {
        if !text.is_empty() {
            text.push('\n');
        }
        text.push_str(&words);
    }
}

/// Whether this is the similarity note that our own reports print next to a quotation.
fn is_measure(words: &str) -> bool {
    // Reports of version 0.1 say "Has".
    let share = ["Contains ", "Has "]
        .iter()
        .find_map(|verb| words.strip_prefix(verb))
        .and_then(|rest| rest.strip_suffix(" of the point's words."));
    share.is_some_and(|share| share.len() < 12)
}

/// A heading or table row that contains citations, as a statement.
fn aside(line: &str, level: usize) -> Option<String> {
    let trimmed = line.trim();
    let is_row = trimmed.starts_with('|');
    if level == 0 && !is_row || cited(trimmed).is_empty() {
        return None;
    }
    let cells = trimmed.trim_start_matches('#').split('|').map(plain);
    let cells: Vec<String> = cells.filter(|cell| !cell.is_empty()).collect();
    Some(cells.join("; "))
}

/// The section that a line opens, by name. A leading number or `#` makes it a heading.
fn section_of(lower: &str, level: usize) -> Option<SectionKind> {
    let named = lower.trim_start_matches(|c: char| c.is_ascii_digit() || matches!(c, '.' | ')' | ' '));
    let numbered = named.len() < lower.len();
    if !(level > 0 || numbered || named == lower && named.len() < 20) {
        return None;
    }
    let named = named.trim_end_matches([':', '.']);
    match named {
        "paper content summary" | "content summary" => Some(SectionKind::Content),
        "point-wise novelty analysis" | "pointwise novelty analysis" | "point wise novelty analysis" => {
            Some(SectionKind::Points)
        }
        "novelty summary" => Some(SectionKind::Novelty),
        "references" => Some(SectionKind::References),
        _ => None,
    }
}

fn is_point(lower: &str, level: usize) -> bool {
    let fits = pattern!(r"^(?:2\.\d+\.?\s|(?:\d+[.)]\s*)?(?:novelty )?point \d+\b)").is_match(lower);
    fits && ((1..=3).contains(&level) || lower.contains("novelty point") && lower.len() < 120)
}

/// `a) Claimed novelty: …`: the part, and the text after its heading.
fn part_heading(bare: &str) -> Option<(usize, String)> {
    let part = pattern!(
        r"(?i)^(?:2\.\d+\.?)?([a-d])[).]\s*(claimed novelty|similarities|(?:unique )?differences|details of (?:unique )?differences)\b\s*:?\s*(.*)$"
    );
    let found = part.captures(bare)?;
    let letter = found.get(1)?.as_str().to_lowercase();
    let which = ["a", "b", "c", "d"].iter().position(|one| *one == letter)?;
    Some((which, found.get(3)?.as_str().to_owned()))
}

/// The classes at the beginning of part a), and the text without them: `Classification: Dataset/Benchmark It weighs kelp.` contains both.
fn take_classes(text: &str) -> (Vec<PointClass>, String) {
    let mut classes = Vec::new();
    let mut kept: Vec<String> = Vec::new();
    for line in text.lines() {
        let label = pattern!(r"(?i)^[-•\s]*(?:classification(?:\s+types?)?|class|type|category)\s*[:–—]\s*").find(line);
        let (Some(label), true) = (label, classes.is_empty()) else {
            kept.push(line.to_owned());
            continue;
        };
        let mut rest = line.get(label.end()..).unwrap_or_default();
        while let Some((class, after)) = leading_class(rest) {
            classes.push(class);
            rest = after;
        }
        // A note in brackets gives the reason.
        let rest = match rest.trim_start().strip_prefix('(') {
            Some(note) => note.split_once(')').map_or("", |(_, after)| after),
            None => rest,
        };
        let rest = rest
            .trim_start_matches(|c: char| c.is_whitespace() || matches!(c, '.' | ':' | ';' | ',' | '–' | '—' | '-'));
        // A few words after the label are a class of another scheme.
        if rest.split_whitespace().count() > 6 || !classes.is_empty() && !rest.is_empty() {
            kept.push(rest.to_owned());
        }
    }
    (classes, kept.join("\n"))
}

/// The class at the beginning of a text, and the text after it.
fn leading_class(text: &str) -> Option<(PointClass, &str)> {
    let text = text.trim_start_matches(|c: char| c.is_whitespace() || matches!(c, ',' | ';' | '&' | '+'));
    let text = text.strip_prefix("and ").unwrap_or(text);
    let starts = |class: &PointClass| {
        let head = text.get(..class.name().len());
        head.is_some_and(|head| head.eq_ignore_ascii_case(class.name()))
    };
    let class = PointClass::ALL.into_iter().find(starts)?;
    Some((class, text.get(class.name().len()..).unwrap_or_default()))
}

/// `[3] Knuth 1989. …`, also as an item of a list.
fn entry(line: &str) -> Option<(u32, String)> {
    let found = pattern!(r"^(?:- )?\[?(\d{1,4})[\].)]\s+(\S.*)$").captures(line)?;
    Some((found.get(1)?.as_str().parse().ok()?, found.get(2)?.as_str().to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    const REPORT: &str = "# A Paper\n\n## 1. Paper Content Summary\n\nIt weighs kelp. It uses ropes.\n\n## 2. Point-wise Novelty Analysis\n\n### 2.1. Novelty Point 1: Weighing\n\n**a) Claimed novelty**\n\nClassification: Dataset/Benchmark (told from “data”)\n\n> “We weigh kelp.”\n\nIt weighs kelp at sea.\n\n**b) Similarities:** Both weigh kelp. [1] Both use ropes [2].\n\n**c) Unique Differences**\n\nOnly it weighs in swell [1, 2].\n\n## 3. Novelty Summary\n\nGood work.\n\n**Final One-line Summary:** 3 – Good / Significant: it weighs.\n\n## References\n\n[1] Dorn 2016. Kelp.\n\n[2] Roy 2019. Ropes.\n";

    #[test]
    fn the_similarity_note_of_a_report_is_not_its_prose() {
        assert!(is_measure("Contains 62 % of the point's words."));
        assert!(is_measure("Has 62 % of the point's words."));
        assert!(!is_measure("Contains a proof."));
    }

    #[test]
    fn a_report_is_parsed_into_its_parts() {
        let report = report_text(REPORT);
        assert_eq!(report.title.as_deref(), Some("A Paper"));
        assert_eq!(report.headings.len(), 4);
        assert_eq!(report.content, "It weighs kelp. It uses ropes.");
        let [point] = report.points.as_slice() else {
            panic!("{report:#?}")
        };
        assert_eq!(point.classes, [PointClass::Dataset]);
        assert_eq!(point.parts[0].as_deref(), Some("It weighs kelp at sea."));
        assert!(point.parts[3].is_none());
        assert_eq!(report.references.len(), 2);
        let cites: Vec<(String, Vec<u32>)> = report
            .sentences()
            .into_iter()
            .map(|(_, one)| (without_marks(&one), cited(&one).into_iter().collect::<Vec<u32>>()))
            .filter(|(_, numbers)| !numbers.is_empty())
            .collect();
        assert_eq!(
            cites,
            [
                ("Both weigh kelp.".to_owned(), vec![1]),
                ("Both use ropes.".to_owned(), vec![2]),
                ("Only it weighs in swell.".to_owned(), vec![1, 2])
            ]
        );
        assert!(report.is_report() && !report_text("# Title\n\nwords").is_report());
    }

    #[test]
    fn a_heading_and_its_text_may_share_a_line_as_in_the_published_form() {
        let report = report_text(
            "1. Paper Content Summary: It weighs kelp.\n\n2. Point-wise Novelty Analysis\n2.1. Novelty Point 1\na) Claimed novelty: Classification: Dataset/Benchmark KelpBench is a System/Infrastructure for kelp. b) Similarities: Both weigh kelp. [1] c) Unique Differences: Only it weighs in swell. [1]\nd) Details of Unique Differences: The swell has six classes.\n\n3. Novelty Summary Good work.\nFinal One-line Summary: 3 – Good: it weighs.\n\nReferences\n[1] Dorn. Kelp.\n",
        );
        assert_eq!(
            (report.content.as_str(), report.points.len()),
            ("It weighs kelp.", 1),
            "{report:#?}"
        );
        let point = &report.points[0];
        assert_eq!(point.classes, [PointClass::Dataset]);
        let parts: Vec<Option<&str>> = point.parts.iter().map(Option::as_deref).collect();
        assert_eq!(
            parts,
            [
                Some("KelpBench is a System/Infrastructure for kelp."),
                Some("Both weigh kelp. [1]"),
                Some("Only it weighs in swell. [1]"),
                Some("The swell has six classes.")
            ]
        );
        assert!(report.novelty.starts_with("Good work.") && report.references.len() == 1);
    }

    #[test]
    fn a_report_in_another_form_is_running_text_with_references() {
        let report = report_text(
            "# Novelty of KelpCast\n\nIt forecasts kelp.\n\n## Contribution analysis\n\nDorn[1] forecasts kelp, too.\n\n## References\n\n[1] Dorn. Kelp.\n",
        );
        assert!(!report.is_report());
        assert_eq!(
            (report.sentences().len(), report.references.len()),
            (2, 1),
            "{report:#?}"
        );
        assert_eq!(
            report.statements().iter().filter(|one| !cited(one).is_empty()).count(),
            1
        );
        assert!(report_text(REPORT).running.is_empty());
    }

    #[test]
    fn plain_headings_of_the_published_form_are_recognised() {
        let bare = REPORT
            .replace("## ", "")
            .replace("### ", "")
            .replace("**", "")
            .replace('#', "");
        let report = report_text(&bare);
        assert_eq!((report.points.len(), report.references.len()), (1, 2), "{report:#?}");
        assert!(report.novelty.contains("One-line"));
    }

    #[test]
    fn text_of_points_is_read_without_the_published_headings() {
        let named = report_text(&REPORT.replace("2.1. Novelty Point 1: Weighing", "Point 1: Weighing"));
        assert_eq!(named.points.len(), 1);
        let unnamed = report_text(&REPORT.replace("### 2.1. Novelty Point 1: Weighing", ""));
        assert_eq!(unnamed.points.len(), 1);
        assert_eq!(unnamed.statements(), named.statements());
        let point = &REPORT[REPORT.find("**a)").unwrap()..REPORT.find("## 3").unwrap()];
        let two = REPORT.replace(point, &format!("{point}### Contribution 2\n\n{point}"));
        assert_eq!(
            report_text(&two.replace("### 2.1. Novelty Point 1: Weighing", ""))
                .points
                .len(),
            2
        );
        // Without parts, the text is still read.
        let text = "## 1. Paper Content Summary\n\nIt weighs kelp.\n\n## 2. Point-wise Novelty Analysis\n\nDorn [1] weighs kelp, too.\n\n## 3. Novelty Summary\n\nGood.\n\n## References\n\n[1] Dorn. Kelp.\n";
        let report = report_text(text);
        assert!(
            report.statements().iter().any(|one| !cited(one).is_empty()),
            "{report:#?}"
        );
    }

    #[test]
    fn citations_in_bullets_headings_and_tables_count_as_statements() {
        let text = REPORT.replace(
            "Only it weighs in swell [1, 2].",
            "- Only it weighs in swell [1, 2].\n- It needs no lamp [1–2].\n\n#### As others do [2]\n\n| Work | Means |\n|---|---|\n| Dorn | ropes [1] |\n\nNothing else cites.",
        );
        let report = report_text(&text);
        let citing: Vec<(String, usize)> = report
            .statements()
            .into_iter()
            .map(|one| (without_marks(&one), cited(&one).len()))
            .filter(|(_, count)| *count > 0)
            .collect();
        let of = |words: &str| citing.iter().find(|(text, _)| text == words).map(|(_, count)| *count);
        assert_eq!(of("Only it weighs in swell."), Some(2));
        assert_eq!(of("It needs no lamp."), Some(2));
        assert_eq!(of("As others do"), Some(1));
        assert_eq!(of("Dorn; ropes"), Some(1), "{citing:?}");
        assert_eq!(citing.len(), 6, "{citing:?}");
    }

    #[test]
    fn prose_is_kept_if_a_section_is_missing() {
        let text = REPORT.replace("## 1. Paper Content Summary", "## Summary");
        let report = report_text(&text);
        assert_eq!(report.points.len(), 1);
        assert_eq!(report.running, "It weighs kelp. It uses ropes.");
    }

    proptest::proptest! {
        #[test]
        fn any_text_is_accepted(text in "(# |## |[a-d]\\) |> |\\[1\\] |\\PC{0,12}|\n){0,60}") {
            let report = report_text(&text);
            proptest::prop_assert!(report.sentences().len() <= text.len());
        }
    }
}
