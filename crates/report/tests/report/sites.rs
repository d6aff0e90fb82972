//! The site of a venue: every link leads somewhere, nothing of a paper is markup, and a reviewer's folder has only their papers.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use precedent_domain::Assessment;
use precedent_report::{BatchPaper, BatchStatus, Site, SitePaper, SitePerson, SiteSettings, SupersededRun, slug};
use scraper::{Html, Selector};

fn settings(confidential: bool) -> SiteSettings {
    SiteSettings {
        title: "Ropes & <b>Buoys</b> 2027".to_owned(),
        confidential,
        reader: None,
    }
}

/// Two papers with the same claims, a hostile one, one without claims and one that failed.
fn cases() -> Vec<(&'static str, Option<Assessment>)> {
    vec![
        ("1.pdf", Some(by_the_same_authors())),
        ("2.pdf", Some(crate::fixture::full())),
        ("<script>.pdf", Some(crate::fixture::hostile())),
        ("empty.pdf", Some(crate::fixture::empty())),
        ("large.pdf", Some(crate::fixture::large(80))),
        ("bad.pdf", None),
    ]
}

/// Every earlier paper is by an author of the paper.
fn by_the_same_authors() -> Assessment {
    let mut report = crate::fixture::full();
    let author = report.original_paper.authors[0].clone();
    for one in &mut report.references.candidates {
        one.shared_authors = vec![author.clone()];
    }
    report
}

/// All files of the site by path.
fn files(confidential: bool) -> BTreeMap<String, Vec<u8>> {
    let settings = settings(confidential);
    let mut taken = BTreeSet::new();
    let mut files = BTreeMap::new();
    let mut papers = Vec::new();
    for (name, report) in cases() {
        let made = report.map(|report| settings.paper_page(&report).unwrap());
        let mut one = SitePaper {
            id: slug(name.trim_end_matches(".pdf"), &mut taken),
            paper: BatchPaper {
                paper: name.to_owned(),
                folder: None,
                status: if made.is_some() {
                    BatchStatus::Complete
                } else {
                    BatchStatus::Failed
                },
                error: made
                    .is_none()
                    .then(|| "failed to read /home/someone/bad.pdf".to_owned()),
                area: (name != "1.pdf").then(|| "<i>Moorings</i>".to_owned()),
                files: Vec::new(),
                summary: None,
            },
        };
        if let Some((page, summary)) = made {
            one.paper.summary = Some(summary);
            if name == "1.pdf" {
                files.insert(format!("people/ada/{}", one.path()), page.clone());
            }
            files.insert(one.path(), page);
        }
        papers.push(one);
    }
    let ada = SitePerson {
        id: "ada".to_owned(),
        name: "Ada <script>".to_owned(),
        role: "reviewer".to_owned(),
        papers: vec![0],
    };
    let site = Site {
        settings,
        papers,
        people: vec![ada],
        superseded: vec![SupersededRun {
            paper: "<b>1.pdf</b>".to_owned(),
            run: "1-<i>old</i>".to_owned(),
            by: Some("1-new".to_owned()),
        }],
    };
    files.extend(site.files().unwrap());
    files
}

fn page(bytes: &[u8]) -> Html {
    Html::parse_document(std::str::from_utf8(bytes).unwrap())
}

fn all<'p>(page: &'p Html, selector: &'p Selector) -> Vec<scraper::ElementRef<'p>> {
    page.select(selector).collect()
}

/// The path that `href` on the page at `from` leads to, and its anchor.
fn target(from: &str, href: &str) -> (String, String) {
    let (path, anchor) = href.split_once('#').unwrap_or((href, ""));
    if path.is_empty() {
        return (from.to_owned(), anchor.to_owned());
    }
    let mut parts: Vec<&str> = from.split('/').collect();
    parts.pop();
    for part in path.split('/') {
        match part {
            ".." => {
                parts.pop().unwrap();
            }
            part => parts.push(part),
        }
    }
    (parts.join("/"), anchor.to_owned())
}

#[test]
fn every_link_leads_to_a_file_and_an_anchor_of_the_site() {
    let files = files(true);
    // To look at, and for the check in a browser.
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("report/site");
    let links = Selector::parse("a[href], link[href], script[src]").unwrap();
    let mut followed = 0;
    for (path, bytes) in &files {
        let file = folder.join(path);
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(file, bytes).unwrap();
        if !path.ends_with(".html") {
            continue;
        }
        for link in all(&page(bytes), &links) {
            let href = link.value().attr("href").or(link.value().attr("src")).unwrap();
            if href.starts_with("https://") || href.starts_with("http://") {
                continue;
            }
            let (to, anchor) = target(path, href);
            let found = files.get(&to).unwrap_or_else(|| panic!("{path} links to {href}"));
            let anchored = anchor.is_empty() || String::from_utf8_lossy(found).contains(&format!("id=\"{anchor}\""));
            assert!(anchored, "{path} links to {href}");
            followed += 1;
        }
    }
    assert!(followed > 200, "{followed}");
}

#[test]
fn nothing_of_a_paper_or_a_person_is_markup() {
    for (path, bytes) in files(true).iter().filter(|(path, _)| path.ends_with(".html")) {
        let page = page(bytes);
        let scripts = Selector::parse("script").unwrap();
        let scripts = all(&page, &scripts);
        assert_eq!(scripts.len(), 1, "{path}");
        assert!(scripts[0].inner_html().is_empty(), "{path}");
        let foreign =
            Selector::parse("img, iframe, object, i, [onclick], [onerror], [style], a[href^=javascript]").unwrap();
        assert_eq!(all(&page, &foreign).len(), 0, "{path}");
        let text = String::from_utf8_lossy(bytes);
        assert!(
            text.contains("script-src &#39;self&#39;") && !text.contains("/home/someone"),
            "{path}"
        );
    }
}

#[test]
fn papers_are_listed_by_level_and_area_with_the_earlier_papers_that_they_share() {
    let files = files(true);
    let rows = |path: &str| {
        let rows = Selector::parse("table[class] tbody tr").unwrap();
        all(&page(files.get(path).unwrap_or_else(|| panic!("{path}"))), &rows).len()
    };
    assert_eq!(rows("papers.html"), 5);
    assert_eq!(rows("areas/i-moorings-i.html"), 4);
    let by_level: usize = files
        .keys()
        .filter(|path| path.starts_with("levels/"))
        .map(|path| rows(path))
        .sum();
    assert_eq!(by_level, 5);
    // The two equal papers match the same earlier papers.
    let text = |path: &str| String::from_utf8_lossy(&files[path]).into_owned();
    assert!(text("prior/1.html").contains("papers/1.html#claim-"));
    assert!(text("prior/1.html").contains("papers/2.html#claim-"));
    assert!(text("index.html").contains("bad.pdf"));
    assert!(text("claims.csv").contains("<i>Moorings</i>"));
    let entries = text("search/1.js");
    let list = entries
        .trim()
        .trim_start_matches("searchEntries(")
        .trim_end_matches(");");
    let list: Vec<serde_json::Value> = serde_json::from_str(list).unwrap();
    assert_eq!(list.len(), 5);
    // Names of the authors of prior work, as they are written and as reports cite them.
    let prior = &crate::fixture::full().references.candidates[0];
    let words = list[1][4].as_str().unwrap();
    assert!(
        words.contains(&prior.alias) && words.contains(&*prior.work.authors[0].name),
        "{words}"
    );
    // Only a public site finds the authors of the papers themselves.
    let author = &crate::fixture::full().original_paper.authors[0].name;
    assert!(!entries.contains(author.as_str()));
    let public = self::files(false);
    assert!(String::from_utf8_lossy(&public["search/1.js"]).contains(author.as_str()));
    assert!(text("index.html").contains("in the folder “people”") && !text("index.html").contains('`'));
    // Phones show one cell below the other.
    assert!(text("papers.html").contains("data-label=\"Highest level\""));
}

#[test]
fn a_reviewers_folder_names_no_other_paper() {
    let files = files(true);
    let own: Vec<&String> = files.keys().filter(|path| path.starts_with("people/ada/")).collect();
    assert!(own.iter().any(|path| path.ends_with("index.html")));
    for path in own {
        let text = String::from_utf8_lossy(&files[path]);
        assert!(
            !text.contains("2.pdf") && !text.contains("papers/2.html") && !text.contains("large.pdf"),
            "{path}"
        );
    }
}

#[test]
fn only_a_public_site_shows_authors() {
    let author = &crate::fixture::full().original_paper.authors[0].name;
    let (confidential, public) = (files(true), files(false));
    let text = |files: &BTreeMap<String, Vec<u8>>| String::from_utf8_lossy(&files["papers/1.html"]).into_owned();
    assert!(text(&public).contains(author.as_str()));
    let note = "shares authors";
    assert!(text(&public).contains(note) && !text(&confidential).contains(note));
    assert!(!text(&confidential).contains(&format!("<li><span dir=\"auto\">{author}")));
    for (path, bytes) in confidential.iter().filter(|(path, _)| path.ends_with(".html")) {
        assert!(String::from_utf8_lossy(bytes).contains("class=\"notice\""), "{path}");
    }
    assert!(!text(&public).contains("class=\"notice\""));
}

#[test]
fn the_same_papers_give_the_same_bytes() {
    assert_eq!(files(true), files(true));
}
