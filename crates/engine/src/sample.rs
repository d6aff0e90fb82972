//! Test fixtures: a paper on an invented topic, and a source with a few invented papers.

use std::collections::BTreeSet;
use std::sync::Arc;

use async_trait::async_trait;
use precedent_domain::{
    Author, DateOrigin, Document, Extent, Hit, Identifiers, Paper, PaperFormat, PaperOrigin, Paragraph, ParagraphKind,
    ParseQuality, PartialDate, PublicationDate, Query, Reference, Scope, Section, SectionKind, Span, Work, title_key,
};
use precedent_ledger::Ledger;
use precedent_sources::{Ability, Holdings, Relation, SearchResults, Source, SourceError};

use crate::{Budget, FrozenClock, SilentProgress, World};

/// A source that ranks by words shared with the query. Title words count twice.
pub(crate) struct FixedSource {
    pub(crate) name: String,
    pub(crate) works: Vec<Work>,
    pub(crate) full: Vec<(String, Document)>,
    pub(crate) fails: bool,
    /// Panics when searched.
    pub(crate) panics: bool,
    /// Never answers.
    pub(crate) hangs: bool,
    pub(crate) left_out: Vec<String>,
    /// Runs on this machine. A source with full texts is always local.
    pub(crate) local: bool,
    /// The number of papers that it says it has, if that is more than `works`.
    pub(crate) holds: u64,
    /// Every query text it received.
    pub(crate) asked: Arc<std::sync::Mutex<Vec<String>>>,
}

impl FixedSource {
    pub(crate) fn new(works: Vec<Work>) -> Self {
        Self {
            name: "corpus:shelf".into(),
            works,
            full: Vec::new(),
            fails: false,
            panics: false,
            hangs: false,
            left_out: Vec::new(),
            local: false,
            holds: 0,
            asked: Arc::default(),
        }
    }
}

fn bag(text: &str) -> BTreeSet<String> {
    title_key(text)
        .split(' ')
        .filter(|word| word.len() > 3)
        .map(str::to_owned)
        .collect()
}

#[async_trait]
impl Source for FixedSource {
    fn name(&self) -> &str {
        &self.name
    }

    async fn search(
        &self,
        query: &Query,
        as_of: Option<PartialDate>,
        limit: usize,
    ) -> Result<SearchResults, SourceError> {
        if self.fails {
            return Err(SourceError::BrokenOff {
                name: self.name.clone(),
                reason: "the test source failed".to_owned(),
            });
        }
        assert!(!self.panics, "the test source panicked with {} works", self.works.len());
        if self.hangs {
            std::future::pending::<()>().await;
        }
        self.asked.lock().unwrap().push(query.text.clone());
        let asked = bag(query.topic());
        let mut hits: Vec<Hit> = self
            .works
            .iter()
            .map(|work| {
                let title = bag(&work.title).intersection(&asked).count();
                let body = bag(work.summary.as_deref().unwrap_or_default())
                    .intersection(&asked)
                    .count();
                Hit {
                    work: work.clone(),
                    score: (2 * title + body) as f64,
                    source: self.name.clone(),
                }
            })
            .filter(|hit| hit.score > 0.0)
            .collect();
        hits.sort_by(|a, b| b.score.total_cmp(&a.score).then_with(|| a.work.id.cmp(&b.work.id)));
        let is_later = |hit: &Hit| {
            let dated = hit.work.earliest().zip(as_of);
            dated.is_some_and(|(dated, as_of)| dated.date.against(as_of) == precedent_domain::DateOrder::After)
        };
        let (later, mut hits): (Vec<Hit>, Vec<Hit>) = hits.into_iter().partition(is_later);
        hits.truncate(limit);
        Ok(SearchResults {
            hits,
            // Services return later works, a corpus does not.
            later: if self.local { Vec::new() } else { later },
            failure: None,
        })
    }

    fn can(&self, ability: Ability) -> bool {
        self.is_local() && ability == Ability::Titled
    }

    async fn related(
        &self,
        relation: &Relation<'_>,
        as_of: Option<PartialDate>,
        limit: usize,
    ) -> Result<SearchResults, SourceError> {
        let Relation::Titled(title) = relation else {
            unreachable!("the program asks for titles only");
        };
        let query = Query {
            text: (*title).to_owned(),
            scope: Scope::CoreTask,
            variant: 0,
        };
        self.search(&query, as_of, limit).await
    }

    async fn document(&self, work: &Work) -> Result<Option<Document>, SourceError> {
        let full = self.full.iter().find(|(id, _)| id == work.id.as_str());
        Ok(full
            .map(|(_, document)| document.clone())
            .or_else(|| Some(Document::from_abstract(&work.title, work.summary.as_deref()))))
    }

    fn deadline(&self) -> std::time::Duration {
        std::time::Duration::from_millis(50)
    }

    fn left_out(&self) -> Vec<String> {
        self.left_out.clone()
    }

    fn is_local(&self) -> bool {
        self.local || !self.full.is_empty()
    }

    fn holdings(&self) -> Holdings {
        Holdings {
            works: Some(self.holds.max(self.works.len() as u64)),
            full_texts: Some(self.full.len() as u64),
        }
    }
}

pub(crate) fn work(id: &str, title: &str, author: &str, date: Option<&str>, summary: &str) -> Work {
    Work {
        summary: (!summary.is_empty()).then(|| summary.into()),
        authors: author
            .split(" and ")
            .filter(|name| !name.is_empty())
            .map(Author::new)
            .collect(),
        dates: date
            .map(|date| PublicationDate {
                date: date.parse().unwrap(),
                origin: DateOrigin::Record("shelf".into()),
            })
            .into_iter()
            .collect(),
        extent: Extent::Abstract,
        ..Work::titled(id.parse().unwrap(), title.into())
    }
}

/// Builds a paper from (heading, kind, paragraphs).
pub(crate) fn paper_of(title: &str, date: Option<&str>, sections: &[(&str, SectionKind, &[&str])]) -> Paper {
    let mut document = Document {
        extent: Extent::FullText,
        ..Document::default()
    };
    let mut abstract_span = None;
    let mut add = |heading: &str, kind: SectionKind, paragraphs: &[&str]| {
        let start = document.text.len();
        for paragraph in paragraphs {
            let from = document.text.len();
            document.text.push_str(paragraph);
            let span = Span::new(from, document.text.len());
            let of_list = paragraph.starts_with("- ");
            let of_kind = match kind {
                SectionKind::FrontMatter => ParagraphKind::FrontMatter,
                _ if of_list => ParagraphKind::ListItem,
                _ => ParagraphKind::Body,
            };
            document.paragraphs.push(Paragraph { span, kind: of_kind });
            if kind == SectionKind::Abstract {
                abstract_span = Some(span);
            }
            document.text.push_str("\n\n");
        }
        document.sections.push(Section {
            heading: heading.into(),
            number: None,
            level: 1,
            kind,
            span: Span::new(start, document.text.len()),
        });
    };
    add("", SectionKind::FrontMatter, &[title, "Elin Marsh and Tomas Quill"]);
    for (heading, kind, paragraphs) in sections {
        add(heading, *kind, paragraphs);
    }
    Paper {
        origin: PaperOrigin {
            file_name: "paper.txt".into(),
            format: PaperFormat::Text,
            sha256: format!("{:064x}", document.text.len()),
            bytes: 1,
        },
        title: (!title.is_empty()).then(|| title.into()),
        authors: vec![Author::new("Elin Marsh"), Author::new("Tomas Quill")],
        abstract_span,
        dates: date
            .map(|date| PublicationDate {
                date: date.parse().unwrap(),
                origin: DateOrigin::FrontMatter,
            })
            .into_iter()
            .collect(),
        identifiers: Identifiers::default(),
        document,
        references: vec![],
        citations: vec![],
        hidden: vec![],
        quality: ParseQuality::without_doubts(),
        warnings: vec![],
    }
}

pub(crate) fn reference(number: u32, text: &str, title: &str, year: u16) -> Reference {
    Reference {
        number,
        label: None,
        span: Span::new(0, 0),
        text: text.into(),
        title: (!title.is_empty()).then(|| title.into()),
        authors: vec![],
        year: Some(year),
        year_letter: None,
        identifiers: Identifiers::default(),
    }
}

pub(crate) fn kelp_paper() -> Paper {
    let mut paper = paper_of(
        "KelpCast: Forecasting Kelp Harvests from Satellite Colour and Swell",
        Some("2024-05-17"),
        &[
            (
                "Abstract",
                SectionKind::Abstract,
                &[
                    "Forecasting kelp harvests helps coastal farms to plan. Existing forecasts ignore swell. We propose KelpCast, a seasonal regression \
                   that joins satellite colour with swell records. KelpCast outperforms all baselines by 12 %. We release a data set of forty \
                   thousand kelp plots along three coasts.",
                ],
            ),
            (
                "Introduction",
                SectionKind::Introduction,
                &[
                    "Kelp farms plan their boats weeks ahead. Dorn (2016) forecasts kelp biomass from satellite colour.",
                    "Our contributions are as follows:",
                    "- We propose KelpCast, a seasonal regression that joins satellite colour with swell records of the same week.",
                    "- We prove that the regression is unbiased when swell and colour are measured on different days.",
                    "- KelpCast achieves an accuracy of 93 % on all three coasts.",
                ],
            ),
            (
                "Method",
                SectionKind::Method,
                &["The regression has eleven terms. We propose to call them terms."],
            ),
            (
                "Conclusion",
                SectionKind::Conclusion,
                &["We have presented a seasonal regression for kelp harvests. Future work will add currents."],
            ),
        ],
    );
    paper.references = vec![
        reference(
            1,
            "H. Dorn. Growth forecasting for kelp farms from satellite colour. Aquaculture Reports, 2016.",
            "Growth forecasting for kelp farms from satellite colour",
            2016,
        ),
        reference(
            2,
            "B. Roy. Swell records of three coasts. Ocean Data 3, 2019.",
            "",
            2019,
        ),
    ];
    paper
}

pub(crate) fn kelp_works() -> Vec<Work> {
    vec![
        work(
            "k:dorn",
            "Growth Forecasting for Kelp Farms from Satellite Colour",
            "Hanna Dorn",
            Some("2016"),
            "We forecast kelp biomass from satellite ocean colour. A seasonal regression explains most of the harvests.",
        ),
        work(
            "k:roy",
            "Swell records of three coasts",
            "Bob Roy",
            Some("2019-03"),
            "We publish swell records and satellite colour for kelp harvests of three coasts.",
        ),
        work(
            "k:self",
            "KelpCast: Forecasting kelp harvests from satellite colour and swell",
            "E. Marsh and T. Quill",
            Some("2023-11"),
            "Forecasting kelp harvests helps coastal farms to plan.",
        ),
        work(
            "k:later",
            "Deep Forecasting of Kelp Harvests from Satellite Colour and Swell",
            "Ann Lee",
            Some("2099"),
            "We forecast kelp harvests from satellite colour and swell by deep networks.",
        ),
        work(
            "k:undated",
            "Notes on forecasting kelp harvests by swell and colour",
            "Oskar Thule",
            None,
            "Satellite colour and swell forecast kelp harvests.",
        ),
        work(
            "k:open",
            "Kelp harvests, swell and satellite colour: a seasonal regression",
            "Mia Wu",
            Some("2024"),
            "A seasonal regression of kelp harvests on swell and satellite colour.",
        ),
        work(
            "k:same-title",
            "KelpCast: Forecasting kelp harvests from satellite colour and swell",
            "Zed Other",
            Some("2012"),
            "A board game about kelp harvests, satellite colour and swell.",
        ),
        work(
            "k:far",
            "Pricing of tea on island markets",
            "Lu Tan",
            Some("2001"),
            "Tea prices follow the moon.",
        ),
    ]
}

pub(crate) async fn world_of(sources: Vec<FixedSource>) -> World {
    World {
        clock: Arc::new(FrozenClock(0)),
        ledger: Ledger::in_memory().await.unwrap(),
        sources: sources
            .into_iter()
            .map(|fixed_source| Arc::new(fixed_source) as Arc<dyn Source>)
            .collect(),
        texts: None,
        model: None,
        progress: Arc::new(SilentProgress),
        budget: Budget::default(),
        seed: 7,
    }
}
