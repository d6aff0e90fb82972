//! The index of a batch: its schema, and a page that shows every state and no markup of a paper.

use precedent_report::{BatchPaper, BatchStatus, BatchSummary, PaperSummary, batch_schema};

const SCHEMA: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/schema/batch-1.json");

fn paper(name: &str, status: BatchStatus, summary: Option<PaperSummary>) -> BatchPaper {
    BatchPaper {
        paper: name.to_owned(),
        folder: summary.is_some().then(|| format!("{name}-1")),
        status,
        error: (status == BatchStatus::Failed).then(|| "failed to read /home/someone/bad.pdf: <script>".to_owned()),
        area: None,
        files: vec!["report.html".to_owned()],
        summary,
    }
}

fn batch() -> BatchSummary {
    let of = |assessment| Some(PaperSummary::of(&assessment));
    BatchSummary::new(vec![
        paper("full.pdf", BatchStatus::Complete, of(crate::fixture::full())),
        paper("hostile.pdf", BatchStatus::Incomplete, of(crate::fixture::hostile())),
        paper("empty.pdf", BatchStatus::NothingSearched, of(crate::fixture::empty())),
        paper("bad.pdf", BatchStatus::Failed, None),
        paper("later.pdf", BatchStatus::Waiting, None),
    ])
}

fn file(name: &str) -> String {
    let files = batch().files().unwrap();
    let (_, bytes) = files.into_iter().find(|(one, _)| *one == name).unwrap();
    String::from_utf8(bytes).unwrap()
}

#[test]
fn the_published_schema_is_fresh() {
    let fresh = format!("{}\n", serde_json::to_string_pretty(&batch_schema()).unwrap());
    if std::env::var_os("UPDATE_SCHEMA").is_some() {
        std::fs::write(SCHEMA, &fresh).unwrap();
    }
    assert_eq!(std::fs::read_to_string(SCHEMA).unwrap_or_default(), fresh);
}

#[test]
fn the_summary_follows_its_schema_and_round_trips() {
    let text = file("summary.json");
    let value: serde_json::Value = serde_json::from_str(&text).unwrap();
    let validator = jsonschema::validator_for(&batch_schema()).unwrap();
    let faults: Vec<String> = validator.iter_errors(&value).map(|error| error.to_string()).collect();
    assert!(faults.is_empty(), "{faults:?}");
    assert_eq!(serde_json::from_str::<BatchSummary>(&text).unwrap(), batch());
    assert!(!text.contains("/home/someone"), "{text}");
}

#[test]
fn the_page_shows_every_paper_and_runs_only_its_own_script() {
    let html = file("index.html");
    let page = scraper::Html::parse_document(&html);
    let all = |selector: &str| page.select(&scraper::Selector::parse(selector).unwrap()).count();
    let claims: usize = batch()
        .papers
        .iter()
        .filter_map(|one| one.summary.as_ref())
        .map(|one| one.claims.len())
        .sum();
    assert!(claims > 0);
    assert_eq!(all("#rows tbody tr"), claims);
    assert_eq!(all("#unfinished tbody tr"), 2);
    assert_eq!(all("#without li"), 1);
    assert_eq!(all("script"), 1);
    assert_eq!(all("img, iframe, object, [onclick], [onerror], [style]"), 0);
    let policy = scraper::Selector::parse("meta[http-equiv]").unwrap();
    let policy = page.select(&policy).next().unwrap().value().attr("content").unwrap();
    assert!(
        policy.contains("default-src 'none'") && policy.contains("script-src 'sha256-"),
        "{policy}"
    );
}

#[test]
fn the_most_similar_claims_come_first() {
    let html = file("index.html");
    let page = scraper::Html::parse_document(&html);
    let cells = scraper::Selector::parse("#rows tbody td[data-label=Level]").unwrap();
    let ranks: Vec<u32> = page
        .select(&cells)
        .map(|cell| cell.value().attr("data-sort").unwrap().parse().unwrap())
        .collect();
    assert!(ranks.is_sorted(), "{ranks:?}");
}

#[test]
fn the_page_is_written_for_inspection() {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("report/batch");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("index.html"), file("index.html")).unwrap();
}
