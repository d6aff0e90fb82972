//! A small invented field for the tests of the comparison stages.

use precedent_domain::{
    Author, Candidate, Contribution, ContributionClass, DateOrigin, Document, Extent, Identifiers, Paper, PaperFormat,
    PaperOrigin, Paragraph, ParagraphKind, ParseQuality, PublicationDate, QuotableDocument, Quote, Reference,
    Relevance, Scope, ScopeRank, Section, SectionKind, Span, Timing, Work,
};

use super::{ComparisonSet, Prior};

/// A full text: abstract, sections of paragraphs, references.
pub(crate) fn full_text(title: &str, summary: &str, body: &[&str], references: &[&str]) -> Document {
    let mut document = Document::from_abstract(title, Some(summary));
    document.extent = Extent::FullText;
    add_section(
        &mut document,
        "Introduction",
        SectionKind::Introduction,
        body,
        ParagraphKind::Body,
    );
    if !references.is_empty() {
        add_section(
            &mut document,
            "References",
            SectionKind::References,
            references,
            ParagraphKind::Reference,
        );
    }
    assert_eq!(document.check(), Ok(()));
    document
}

fn add_section(document: &mut Document, heading: &str, kind: SectionKind, parts: &[&str], paragraph: ParagraphKind) {
    document.text.push_str("\n\n");
    let start = document.text.len();
    let add = |document: &mut Document, text: &str, kind| {
        let from = document.text.len();
        document.text.push_str(text);
        let span = Span::new(from, document.text.len());
        document.paragraphs.push(Paragraph { span, kind });
        document.text.push_str("\n\n");
    };
    add(document, heading, ParagraphKind::Heading);
    for part in parts {
        add(document, part, paragraph);
    }
    let span = Span::new(start, document.text.len());
    document.sections.push(Section {
        heading: heading.to_owned(),
        number: None,
        level: 1,
        kind,
        span,
    });
}

/// A paper from a document whose second paragraph is the abstract.
pub(crate) fn paper(title: &str, document: Document) -> Paper {
    let abstract_span = document
        .sections
        .iter()
        .find(|section| section.kind == SectionKind::Abstract)
        .map(|section| section.span);
    let references = document
        .paragraphs
        .iter()
        .filter(|paragraph| paragraph.kind == ParagraphKind::Reference)
        .zip(1..)
        .map(|(paragraph, number)| Reference {
            number,
            label: None,
            span: paragraph.span,
            text: document.slice(paragraph.span).unwrap().to_owned(),
            title: None,
            authors: vec![],
            year: None,
            year_letter: None,
            identifiers: Identifiers::default(),
        })
        .collect();
    Paper {
        origin: PaperOrigin {
            file_name: "paper.txt".into(),
            format: PaperFormat::Text,
            sha256: "0".into(),
            bytes: 1,
        },
        title: (!title.is_empty()).then(|| title.to_owned()),
        authors: vec![Author::new("Elin Marsh")],
        abstract_span,
        dates: vec![],
        identifiers: Identifiers::default(),
        document,
        references,
        citations: vec![],
        hidden: vec![],
        quality: ParseQuality::without_doubts(),
        warnings: vec![],
    }
}

/// A candidate with this number, rank `number` for the core task, earlier than the paper.
pub(crate) fn candidate(number: u32, title: &str, document: &Document) -> Candidate {
    let summary = document
        .sections
        .iter()
        .find(|section| section.kind == SectionKind::Abstract)
        .and_then(|section| document.slice(section.span));
    Candidate {
        number,
        alias: format!("Voss {}", 2000 + number),
        work: Work {
            summary: summary.map(str::to_owned),
            authors: vec![Author::new("Peder Voss")],
            dates: vec![PublicationDate {
                date: "2010".parse().unwrap(),
                origin: DateOrigin::Record("test".into()),
            }],
            extent: document.extent,
            ..Work::titled(
                format!(
                    "rope:{}-{}",
                    title.split_whitespace().next().unwrap_or("x"),
                    title.len()
                )
                .parse()
                .unwrap(),
                title.to_owned(),
            )
        },
        scopes: vec![ScopeRank {
            scope: Scope::CoreTask,
            rank: number,
            relevance: Relevance::Perfect,
            filled_up: false,
        }],
        timing: Timing::Earlier,
        cited_as: None,
        found_by: vec!["test".into()],
        came_by: Vec::new(),
        shared_authors: Vec::new(),
    }
}

/// A contribution whose claim is `claim`, which must be in the paper.
pub(crate) fn contribution(paper: &Paper, claim: &str) -> Contribution {
    let at = paper.document.text.find(claim).expect("the claim is in the paper");
    Contribution {
        number: 1,
        name: "the claim".into(),
        claim: Quote::at(&paper.document, Span::new(at, at + claim.len())).unwrap(),
        also_stated: vec![],
        description: String::new(),
        description_quotes: vec![],
        class: ContributionClass::Method,
        queries: vec![],
    }
}

/// Runs `check` on the comparison set of a paper and candidates with their documents.
pub(crate) fn with_set<T>(
    paper: &Paper,
    candidates: &[(Candidate, Document)],
    check: impl FnOnce(&ComparisonSet<'_>) -> T,
) -> T {
    let target = QuotableDocument::new(paper.document.clone());
    let texts: Vec<QuotableDocument> = candidates
        .iter()
        .map(|(_, document)| QuotableDocument::new(document.clone()))
        .collect();
    let priors: Vec<Prior<'_>> = candidates
        .iter()
        .zip(&texts)
        .map(|((candidate, _), text)| Prior { candidate, text })
        .collect();
    check(&ComparisonSet::new(paper, &target, &priors))
}

/// Titles and abstracts of an invented field, all about signals along ropes.
pub(crate) const FIELD: [(&str, &str); 12] = [
    (
        "Talking Through Rope Between Buoys",
        "Buoys on a shared mooring exchange data when radio is blocked by spray. We propose to use the mooring rope itself as a channel, where a winch tugs the rope and a load cell reads the change in tension.",
    ),
    (
        "Attenuation of Tension Pulses in Wet Ropes",
        "Tension pulses lose energy along a wet rope. We measure attenuation in nylon and polyester ropes and fit a loss model with two parameters.",
    ),
    (
        "Splice Reflections and How to Live with Them",
        "Every splice in a mooring reflects part of a tension pulse. We model the rope as a chain of segments with different impedance and show that a matched lead-in halves the echo.",
    ),
    (
        "A Survey of Rope-Line Telemetry",
        "Rope-line telemetry sends data along mooring ropes by changes of tension. This survey reviews actuators, load cells, rope materials, line codes and field trials.",
    ),
    (
        "Spectral Models of Swell Noise",
        "Swell adds noise to tension channels. We present spectral models of swell noise and show that a matched filter removes most of it in moderate swell.",
    ),
    (
        "Matched Filters for Tension Symbols",
        "A matched filter finds tension symbols in swell noise. We describe a receiver with matched filters and test it in moderate swell at two farms.",
    ),
    (
        "Frequency-Shift Tugging for Farms",
        "Frequency-shift tugging sends symbols by the pace of tugs. We present a line code for aquaculture farms and report two years of use.",
    ),
    (
        "Multi-Level Tugging in Calm Water",
        "Multi-level tugging sends two bits with one tug. We introduce a line code with four levels of tension that doubles the rate in calm water.",
    ),
    (
        "Tension Pilots for Mooring Ropes",
        "Pilots at the start of a message give the receiver a reference. We estimate the stiffness of the rope from pilot tugs once in each deployment.",
    ),
    (
        "Rope Creep and Its Effect on Decoders",
        "Ropes creep for months after deployment. We measure the creep of polyester ropes and its effect on decoders that were calibrated once.",
    ),
    (
        "Listening Before the Tug on Shared Lines",
        "Several buoys share a line. We propose a medium access protocol by which a buoy listens before it tugs, and analyse collisions on shared lines.",
    ),
    (
        "Predicting Slack from Buoy Motion",
        "Slack rope is followed by snap loads. We predict slack intervals some seconds ahead from the motion of the buoy in order to protect ropes.",
    ),
];
