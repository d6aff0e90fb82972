use precedent_domain::{IdeaAssessment, IdeaWork};

use super::shown;
use crate::ReportError;
use crate::formats::markdown::{Inline, Writer};
use crate::words;

pub(crate) fn markdown(report: &IdeaAssessment) -> Result<Vec<u8>, ReportError> {
    let mut out = Writer::default();
    out.heading(1, &Inline::of(shown::heading(report)));
    if let Some(said) = words::incomplete(&report.metadata) {
        out.paragraph(&Inline::default().strong(said));
    }
    verdict(&mut out, report);
    idea(&mut out, report);
    works(&mut out, report);
    search(&mut out, report);
    out.heading(2, &Inline::of("About this report"));
    out.paragraph(&Inline::of(&report.metadata.disclaimer));
    Ok(out.finish().into_bytes())
}

fn verdict(out: &mut Writer, report: &IdeaAssessment) {
    let verdict = &report.verdict;
    out.paragraph(
        &Inline::default()
            .strong(shown::verdict(verdict.verdict))
            .text(". ")
            .text(&verdict.grounds),
    );
    for one in &verdict.against {
        let facets: Vec<&str> = one.facets.iter().map(|facet| facet.name()).collect();
        let line = Inline::of("Shares ")
            .text(facets.join(", "))
            .text(" with ")
            .own(cite(report, one.work).as_markdown())
            .text(".");
        out.list(&[line]);
    }
    if let Some(reasoning) = &verdict.reasoning {
        out.block_quote(&[
            cited(report, reasoning),
            Inline::of("— reasoning by ").text(&report.metadata.analyst),
        ]);
    }
    for aside in shown::asides(report) {
        out.paragraph(&Inline::of(aside));
    }
    out.heading(2, &Inline::of("Not searched or judged"));
    let limits: Vec<Inline> = words::limits(&report.metadata)
        .iter()
        .map(|one| Inline::message(one))
        .collect();
    out.list(&limits);
}

fn idea(out: &mut Writer, report: &IdeaAssessment) {
    out.heading(2, &Inline::of("The idea"));
    let document = &report.idea.document;
    let paragraphs: Vec<Inline> = document
        .paragraphs
        .iter()
        .filter_map(|one| document.slice(one.span))
        .map(Inline::of)
        .collect();
    out.block_quote(&paragraphs);
    let rows: Vec<Vec<Inline>> = report
        .idea
        .facets
        .iter()
        .map(|one| vec![Inline::of(one.facet.name()), Inline::default().quote(&one.quote, 60)])
        .collect();
    out.table(&["Facet", "The idea's own words"], &rows);
}

fn works(out: &mut Writer, report: &IdeaAssessment) {
    out.heading(2, &Inline::of("Papers compared with the idea"));
    if report.works.is_empty() {
        out.paragraph(&Inline::of("None was found."));
        return;
    }
    let mut head = vec!["Paper"];
    head.extend(report.idea.facets.iter().map(|one| one.facet.name()));
    let rows: Vec<Vec<Inline>> = report
        .works
        .iter()
        .map(|one| {
            let mut row = vec![citation(one)];
            row.extend(one.facets.iter().map(|facet| Inline::of(shown::cell(facet))));
            row
        })
        .collect();
    out.table(&head, &rows);
    for one in &report.works {
        work(out, one);
    }
    if !report.ranking.further.is_empty() {
        out.heading(3, &Inline::of("Further papers, in order"));
        let line = |one: &precedent_domain::RankedWork| {
            let year = one.year.map(|year| format!(" ({year})")).unwrap_or_default();
            Inline::of(format!("{}. ", one.rank)).text(&one.title).text(year)
        };
        let further: Vec<Inline> = report.ranking.further.iter().take(40).map(line).collect();
        out.list(&further);
    }
    if !report.set_aside.is_empty() {
        out.heading(3, &Inline::of("Found but excluded"));
        let aside: Vec<Inline> = report
            .set_aside
            .iter()
            .map(|one| Inline::of(&one.title).text(": ").text(shown::set_aside(one.reason)))
            .collect();
        out.list(&aside);
    }
}

fn work(out: &mut Writer, one: &IdeaWork) {
    let title = match one.work.url.as_deref() {
        Some(url) => Inline::default().link(&one.work.title, url),
        None => Inline::of(&one.work.title),
    };
    out.heading(3, &citation(one).text(" ").own(title.as_markdown()));
    out.paragraph(&Inline::of(shown::facts(one)));
    for facet in &one.facets {
        let line = Inline::default()
            .strong(facet.facet.name())
            .text(": ")
            .text(shown::standing(facet).to_lowercase());
        out.paragraph(&line.text("; ").text(shown::basis(facet)).text("."));
        // Passages that are not similar on the facet are not shown.
        if let Some(passage) = facet.passage.as_ref().filter(|_| shown::is_near(facet)) {
            out.quote(&citation(one), passage);
        }
    }
}

fn search(out: &mut Writer, report: &IdeaAssessment) {
    out.heading(2, &Inline::of("How the papers were selected"));
    for line in shown::ranking(report) {
        out.paragraph(&Inline::of(line));
    }
    let queries: Vec<Inline> = report
        .metadata
        .queries
        .iter()
        .map(|query| Inline::of(&query.text))
        .collect();
    out.list(&queries);
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
}

fn citation(one: &IdeaWork) -> Inline {
    Inline::of(&one.alias).own(&format!("[{}]", one.number))
}

fn cite(report: &IdeaAssessment, number: u32) -> Inline {
    report
        .works
        .iter()
        .find(|one| one.number == number)
        .map_or_else(|| Inline::of(number), citation)
}

/// A model's prose. Citations of listed papers stay unescaped.
fn cited(report: &IdeaAssessment, text: &str) -> Inline {
    let mut line = Inline::default();
    let mut rest = text;
    while let Some(at) = rest.find('[') {
        let (before, after) = rest.split_at(at);
        line = line.text(before);
        let number = after
            .get(1..)
            .and_then(|inner| inner.split_once(']'))
            .and_then(|(inner, _)| inner.parse::<u32>().ok());
        match number.filter(|number| report.works.iter().any(|one| one.number == *number)) {
            Some(number) => {
                let mark = format!("[{number}]");
                line = line.own(&mark);
                rest = after.get(mark.len()..).unwrap_or_default();
            }
            None => {
                line = line.text("[");
                rest = after.get(1..).unwrap_or_default();
            }
        }
    }
    line.text(rest)
}
