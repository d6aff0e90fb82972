use precedent_domain::{CitedSentence, NoveltyPoint, NoveltyScore, PointsReference, PointsReport, Timing};

use super::shown;
use crate::ReportError;
use crate::formats::markdown::{Inline, Writer};
use crate::words;

pub(crate) fn markdown(report: &PointsReport) -> Result<Vec<u8>, ReportError> {
    let mut out = Writer::default();
    out.heading(1, &Inline::of(&report.original_paper.title));
    if let Some(said) = words::incomplete(&report.metadata) {
        out.paragraph(&Inline::default().strong(said));
    }
    let limits: Vec<Inline> = words::limits(&report.metadata)
        .iter()
        .map(|one| Inline::message(one))
        .collect();
    if !limits.is_empty() {
        out.paragraph(&Inline::default().strong("Not searched or judged"));
        out.list(&limits);
    }
    content(&mut out, report);
    out.heading(2, &Inline::default().own(shown::SECTIONS[1]));
    if report.points.is_empty() {
        out.paragraph(&Inline::of("No claim was found in the paper."));
    }
    for one in &report.points {
        point(&mut out, report, one);
    }
    summary(&mut out, report);
    references(&mut out, report);
    about(&mut out, report);
    Ok(out.finish().into_bytes())
}

fn content(out: &mut Writer, report: &PointsReport) {
    out.heading(2, &Inline::default().own(shown::SECTIONS[0]));
    if !report.content_summary.is_empty() {
        out.paragraph(&Inline::of(report.content_summary.join(" ")));
        return;
    }
    match &report.original_paper.summary {
        Some(summary) => {
            out.paragraph(&Inline::of(shown::NO_SUMMARY));
            out.block_quote(&[Inline::of(summary.text())]);
        }
        None => out.paragraph(&Inline::of(
            "No model was used, and no abstract was found in the paper.",
        )),
    }
}

fn point(out: &mut Writer, report: &PointsReport, one: &NoveltyPoint) {
    out.heading(
        3,
        &Inline::default()
            .own(&shown::point_heading(one))
            .text(": ")
            .text(&one.name),
    );
    out.paragraph(&Inline::default().own("**a) Claimed novelty**"));
    let mut class = Inline::of("Classification: ").text(one.class.name());
    if let Some(rule) = &one.class_rule {
        class = class.text(format!(" ({rule})"));
    }
    out.paragraph(&class);
    let place = crate::words::place(one.claim.place());
    let who = if place.is_empty() {
        "the paper".to_owned()
    } else {
        format!("the paper, {place}")
    };
    out.block_quote(&[Inline::default().quote(&one.claim, 90), Inline::of("— ").text(who)]);
    match &one.analysis {
        Some(analysis) => {
            out.paragraph(&sentences(&analysis.claimed));
            out.paragraph(&Inline::default().own("**b) Similarities**"));
            out.paragraph(&or(&analysis.similarities, shown::NO_SIMILARITIES));
            out.paragraph(&Inline::default().own("**c) Unique Differences**"));
            out.paragraph(&or(&analysis.differences, shown::NO_DIFFERENCES));
            if !analysis.differences.is_empty() && !analysis.details.is_empty() {
                out.paragraph(&Inline::default().own("**d) Details of Unique Differences**"));
                out.paragraph(&sentences(&analysis.details));
            }
            out.paragraph(&Inline::default().emphasis("Cited passages:"));
            let cited = analysis.similarities.iter().chain(&analysis.differences);
            for citation in cited.chain(&analysis.details).flat_map(|one| &one.citations) {
                if let Some(work) = shown::work(report, citation.reference) {
                    out.quote(&cite(work), &citation.quote);
                }
            }
        }
        None => {
            let why = if shown::by_model(report) {
                shown::NOT_USABLE
            } else {
                shown::NOT_COMPARED
            };
            out.paragraph(&Inline::of(why));
            passages(out, report, one);
        }
    }
}

fn passages(out: &mut Writer, report: &PointsReport, point: &NoveltyPoint) {
    let (mut any, mut apart) = (false, false);
    for one in point.passages.iter().filter(|one| one.shown) {
        let (Some(nearest), Some(work)) = (&one.nearest, shown::work_of(report, one.passage)) else {
            continue;
        };
        let is_first = !std::mem::replace(&mut any, true);
        if work.timing != Timing::Earlier && !std::mem::replace(&mut apart, true) {
            if is_first {
                out.paragraph(&Inline::of(shown::NONE_EARLIER));
            }
            out.paragraph(&Inline::default().emphasis("Possibly not earlier than the paper:"));
        }
        out.quote(&cite(work).text(format!(" {}", work.work.title)), nearest);
        out.paragraph(&Inline::of(crate::words::sentence(&shown::nearness(one))));
    }
    if !any {
        out.paragraph(&Inline::of(shown::NO_PASSAGE));
    }
}

fn summary(out: &mut Writer, report: &PointsReport) {
    out.heading(2, &Inline::default().own(shown::SECTIONS[2]));
    let Some(summary) = &report.novelty_summary else {
        let why = if shown::by_model(report) {
            shown::NO_USABLE_SCORE
        } else {
            shown::NO_SCORE
        };
        out.paragraph(&Inline::of(why));
        return;
    };
    out.paragraph(&Inline::of(summary.character.join(" ")));
    out.paragraph(&Inline::default().own("**Genuine innovations**"));
    let innovations: Vec<Inline> = summary
        .innovations
        .iter()
        .map(|one| Inline::of(format!("Point {}: ", one.point)).text(one.sentences.join(" ")))
        .collect();
    if innovations.is_empty() {
        out.paragraph(&Inline::of("None."));
    }
    out.list(&innovations);
    out.paragraph(&Inline::default().own("**Aspects lacking originality**"));
    let aspects: Vec<Inline> = summary
        .unoriginal
        .iter()
        .map(|one| {
            Inline::of(format!("Point {} ({}): ", one.point, one.kind.name()))
                .text(one.sentences.join(" "))
                .text(" Suggestion: ")
                .text(&one.suggestion)
        })
        .collect();
    if aspects.is_empty() {
        out.paragraph(&Inline::of("None."));
    }
    out.list(&aspects);
    out.paragraph(
        &Inline::default()
            .own("**Final One-line Summary:** ")
            .text(shown::score(summary.score))
            .text(": ")
            .text(&summary.one_line),
    );
}

fn references(out: &mut Writer, report: &PointsReport) {
    out.heading(2, &Inline::of("References"));
    let listed = shown::listed(report);
    if listed.is_empty() {
        out.paragraph(&Inline::of("None."));
    }
    for one in listed {
        let title = match one.work.url.as_deref() {
            Some(url) => Inline::default().link(&one.work.title, url),
            None => Inline::of(&one.work.title),
        };
        out.paragraph(
            &Inline::default()
                .own(&format!("[{}] ", one.number))
                .text(&one.alias)
                .text(". ")
                .own(title.as_markdown())
                .text(". ")
                .text(crate::words::sentence(&shown::facts(one))),
        );
    }
}

fn about(out: &mut Writer, report: &PointsReport) {
    out.heading(2, &Inline::of("About this report"));
    for line in shown::base(report) {
        out.paragraph(&Inline::of(line));
    }
    let rubric: Vec<Inline> = NoveltyScore::ALL
        .iter()
        .map(|one| Inline::of(shown::score(*one)).text(": ").text(one.rubric()))
        .collect();
    if report.novelty_summary.is_some() {
        out.paragraph(&Inline::of("A model gave the score on this scale:"));
        out.list(&rubric);
    }
    for line in shown::validation(report) {
        out.paragraph(&Inline::of(line));
    }
    let corrections: Vec<Inline> = report
        .validation
        .iter()
        .flat_map(|one| &one.corrections)
        .map(|one| {
            let line = Inline::of(shown::place(one)).text(": “").text(&one.before).text("” ");
            let line = match &one.after {
                Some(after) => line.text("became “").text(after).text("”"),
                None => line.text("was removed"),
            };
            line.text(": ").text(shown::why(one))
        })
        .collect();
    out.list(&corrections);
    if let Some(polish) = shown::polish(report) {
        out.paragraph(&Inline::of(polish));
    }
    for note in &report.notes {
        out.paragraph(&Inline::of(crate::words::sentence(note)));
    }
    let aside: Vec<Inline> = report
        .set_aside
        .iter()
        .map(|one| {
            Inline::of(&one.title)
                .text(": ")
                .text(crate::words::set_aside(one.reason))
        })
        .collect();
    if !aside.is_empty() {
        out.paragraph(&Inline::of("Found but excluded:"));
        out.list(&aside);
    }
    let sent: Vec<Inline> = report
        .metadata
        .sent
        .iter()
        .map(|one| Inline::of(crate::words::sent(one)))
        .collect();
    match sent.is_empty() {
        true => out.paragraph(&Inline::of("No data left this machine.")),
        false => out.list(&sent),
    }
    out.paragraph(&Inline::of(&report.metadata.disclaimer));
}

fn cite(work: &PointsReference) -> Inline {
    Inline::of(&work.alias).own(&format!("[{}]", work.number))
}

fn or(said: &[CitedSentence], otherwise: &str) -> Inline {
    match said.is_empty() {
        true => Inline::of(otherwise),
        false => sentences(said),
    }
}

/// Sentences, each followed by the numbers of its citations.
fn sentences(said: &[CitedSentence]) -> Inline {
    let mut line = Inline::default();
    for (at, one) in said.iter().enumerate() {
        if at > 0 {
            line = line.text(" ");
        }
        line = line.text(&one.text);
        let mut numbers: Vec<u32> = one.citations.iter().map(|citation| citation.reference).collect();
        numbers.dedup();
        for (at, number) in numbers.iter().enumerate() {
            line = line.own(&format!("{}[{number}]", if at == 0 { " " } else { "" }));
        }
    }
    line
}
