use precedent_domain::Assessment;

use super::{index, lists, prior, search};
use crate::batch::csv;
use crate::blocks::{ReportPage, SiteFrame, html_in_site};
use crate::formats::html::{SCRIPT, STYLE};
use crate::formats::json::written;
use crate::plain::{one_line, percent_encode};
use crate::publish::Publish as _;
use crate::{
    BatchPaper, BatchSummary, ClaimLevel, ClaimSummary, HtmlRenderer, PaperSummary, Renderer as _, ReportError,
};

/// Title and audience of a site.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SiteSettings {
    /// The title of its first page.
    pub title: String,
    /// Whether its pages are marked as confidential and leave out the authors of the papers.
    pub confidential: bool,
    /// The person whose papers it contains. `None` for all papers.
    pub reader: Option<String>,
}

/// A paper of a site.
#[derive(Debug, Clone, PartialEq)]
pub struct SitePaper {
    /// The name of its page, without folder and extension. No two papers share one.
    pub id: String,
    /// Its result.
    pub paper: BatchPaper,
}

/// A person who gets a site of only some papers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SitePerson {
    /// The name of their folder. No two people share one.
    pub id: String,
    /// Their name, as in the list of assignments.
    pub name: String,
    /// What they are, such as `reviewer`.
    pub role: String,
    /// Positions of their papers in [`Site::papers`].
    pub papers: Vec<usize>,
}

/// A run that the site leaves out, because another run of the same paper counts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SupersededRun {
    /// The paper's file name, or what was given instead.
    pub paper: String,
    /// The folder of the run.
    pub run: String,
    /// The folder of the run that counts. `None` if the latest batch has no run of that paper.
    pub by: Option<String>,
}

/// The papers of a venue and the people who read them.
#[derive(Debug, Clone, PartialEq)]
pub struct Site {
    /// Title and audience.
    pub settings: SiteSettings,
    /// The papers.
    pub papers: Vec<SitePaper>,
    /// The people.
    pub people: Vec<SitePerson>,
    /// Runs that are left out.
    pub superseded: Vec<SupersededRun>,
}

impl SitePaper {
    /// The path of its page.
    #[must_use]
    pub fn path(&self) -> String {
        format!("papers/{}.html", self.id)
    }

    /// The level of its claim with the most similar prior work. `None` without claims.
    pub(super) fn level(&self) -> Option<ClaimLevel> {
        self.first_claim().map(|claim| claim.level)
    }

    /// Its claim with the most similar prior work.
    pub(super) fn first_claim(&self) -> Option<&ClaimSummary> {
        let probability = |one: &ClaimSummary| one.closest.first().and_then(|paper| paper.probability).unwrap_or(-1.0);
        let claims = self.paper.summary.as_ref()?.claims.iter();
        claims.min_by(|a, b| a.level.cmp(&b.level).then(probability(b).total_cmp(&probability(a))))
    }

    pub(super) fn title(&self) -> String {
        let title = self.paper.summary.as_ref().map(|one| one_line(&one.title).into_owned());
        title.unwrap_or_else(|| self.paper.paper.clone())
    }
}

impl SiteSettings {
    /// The page of a paper, for the folder `papers`, and its summary.
    ///
    /// # Errors
    /// When the page cannot be rendered; never because of the content of a paper.
    pub fn paper_page(&self, report: &Assessment) -> Result<(Vec<u8>, PaperSummary), ReportError> {
        let mut report = report.publishable();
        if self.confidential {
            // Reviewers may not know who wrote a paper, and an earlier paper by the same people would tell.
            report.original_paper.authors.clear();
            for candidate in &mut report.references.candidates {
                candidate.shared_authors.clear();
            }
        }
        let page = crate::assess::compose_short(&report);
        Ok((self.html("papers/", &page)?, PaperSummary::of(&report)))
    }

    /// The page with this path.
    pub(super) fn html(&self, path: &str, page: &ReportPage) -> Result<Vec<u8>, ReportError> {
        let root = if path.contains('/') { "../" } else { "" };
        let is_first = path == "index.html";
        let crumbs = (!is_first).then(|| (format!("{root}index.html"), "Overview".to_owned()));
        let notice = match self.confidential {
            true => "Confidential: for the reviewers and chairs of this venue. Do not pass on.",
            false => "",
        };
        let frame = SiteFrame {
            root,
            crumbs: crumbs.into_iter().collect(),
            notice,
        };
        html_in_site(page, &frame, HtmlRenderer.format())
    }
}

impl Site {
    /// Everything but the papers' own pages: paths and bytes. The sites of people are in `people`; their papers' pages are copies.
    ///
    /// # Errors
    /// When a page cannot be rendered; never because of the content of a paper.
    pub fn files(&self) -> Result<Vec<(String, Vec<u8>)>, ReportError> {
        let mut files = self.own_files()?;
        for person in &self.people {
            let site = self.of(person);
            let folder = format!("people/{}", person.id);
            files.extend(
                site.own_files()?
                    .into_iter()
                    .map(|(path, bytes)| (format!("{folder}/{path}"), bytes)),
            );
        }
        Ok(files)
    }

    /// The site of one person.
    fn of(&self, person: &SitePerson) -> Self {
        Self {
            settings: SiteSettings {
                reader: Some(person.name.clone()),
                ..self.settings.clone()
            },
            papers: person
                .papers
                .iter()
                .filter_map(|at| self.papers.get(*at).cloned())
                .collect(),
            people: Vec::new(),
            superseded: Vec::new(),
        }
    }

    fn own_files(&self) -> Result<Vec<(String, Vec<u8>)>, ReportError> {
        let matched = prior::matched(self);
        let (mut pages, areas) = lists::pages(self);
        pages.extend(prior::pages(&matched));
        let chunks = search::chunks(self)?;
        pages.push((
            "index.html".to_owned(),
            index::compose(self, &areas, &matched, chunks.len()),
        ));
        let mut files = vec![
            ("report.css".to_owned(), STYLE.as_bytes().to_vec()),
            ("page.js".to_owned(), SCRIPT.as_bytes().to_vec()),
        ];
        for (path, page) in pages {
            let bytes = self.settings.html(&path, &page)?;
            files.push((path, bytes));
        }
        files.extend(chunks);
        let summary = BatchSummary::new(self.papers.iter().map(listed).collect());
        files.push(("claims.csv".to_owned(), csv::csv(&summary).into_bytes()));
        files.push(("summary.json".to_owned(), written(&summary)?));
        Ok(files)
    }
}

/// The result of a paper with the files of the site.
fn listed(one: &SitePaper) -> BatchPaper {
    let has_page = one.paper.summary.is_some();
    BatchPaper {
        folder: has_page.then(|| "papers".to_owned()),
        files: has_page.then(|| format!("{}.html", one.id)).into_iter().collect(),
        ..one.paper.clone()
    }
}

/// A path of the site as it is seen from the page at `from`.
pub(super) fn link(from: &str, to: &str) -> String {
    let root = if from.contains('/') { "../" } else { "" };
    format!("{root}{}", percent_encode(to))
}
