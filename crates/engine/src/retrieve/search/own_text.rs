//! The paper's own text as a query.
//!
//! Services get phrases of at most fifteen words. A local corpus can be searched with far more: title, abstract, the paper's own account of
//! prior work, and the titles in its reference list. docs/benchmarks.md, "Queries from full texts", has what each part finds.

use std::collections::BTreeSet;
use std::sync::Arc;

use precedent_domain::{Document, Hit, Paper, ParagraphKind, PartialDate, Query, Scope, SectionKind, Span, WorkId};
use precedent_sources::{MergedHit, Source};

use super::asking::{Answers, CORE_LIMIT, note_failure, put_alone};
use crate::World;
use crate::retrieve::citations::CitationGraph;

/// Maximum number of words of the paper in the query, and of titles in its reference list. More words of the paper find nothing more.
const MOST_WORDS: usize = 600;
const MOST_TITLE_WORDS: usize = 600;
/// Number of top results that count as similar to the paper: at most `MOST_NEAR`, and at most one in `ONE_IN` of the papers in the source.
const MOST_NEAR: usize = 50;
const ONE_IN: u64 = 20;

/// Minimum source size for a search to be selective. The search finds all that is related in a smaller collection.
const COLLECTION: u64 = 1_000;

/// Whether the source is larger than a small collection.
pub(super) fn chooses_among_many(source: &Arc<dyn Source>) -> bool {
    source.holdings().works.is_none_or(|works| works >= COLLECTION)
}

/// Whether every reference of a paper is looked up in all `sources`: local ones with more than a small collection. Services are asked only for what has an
/// identifier.
pub(crate) fn looks_up_references(sources: &[Arc<dyn Source>]) -> bool {
    sources
        .iter()
        .all(|source| source.is_local() && chooses_among_many(source))
}

/// The results of local sources for the paper's own text.
#[derive(Debug, Default)]
pub(crate) struct OwnText {
    pub(crate) rankings: Vec<Vec<Hit>>,
    /// Source and id of the top results, and of what the paper cites.
    pub(crate) near: BTreeSet<(String, WorkId)>,
}

impl OwnText {
    /// What the paper cites is related to it, whatever words the two share.
    pub(crate) fn add_cited(&mut self, graph: &CitationGraph) {
        let cited = graph.references.iter().map(|one| &one.hit);
        self.near
            .extend(cited.map(|hit| (hit.source.clone(), hit.work.id.clone())));
    }

    /// Whether one of the work's records is among them.
    pub(crate) fn is_near(&self, work: &MergedHit) -> bool {
        work.members.iter().any(|member| self.near.contains(member))
    }
}

/// Searches the local sources. Failures go into the reports of `answers`.
pub(crate) async fn ask_own_text(
    paper: &Paper,
    as_of: Option<PartialDate>,
    answers: &mut Answers,
    world: &World,
) -> OwnText {
    let mut own = OwnText::default();
    let text = own_text(paper);
    if text.is_empty() {
        return own;
    }
    let titles = cited_titles(paper);
    for source in world.sources.iter().filter(|source| source.is_local()) {
        let query = Query {
            text: match chooses_among_many(source) {
                true => format!("{text} {titles}"),
                false => text.clone(),
            },
            scope: Scope::CoreTask,
            variant: u8::MAX,
        };
        let answer = put_alone(source, query, as_of, CORE_LIMIT).await;
        let Some(report) = answers.sources.iter_mut().find(|report| report.name == source.name()) else {
            continue;
        };
        match answer {
            Ok(results) => {
                let hits = results.hits;
                report.own_text = true;
                let share = source.holdings().works.unwrap_or_default() / ONE_IN;
                let most = usize::try_from(share).unwrap_or(MOST_NEAR).min(MOST_NEAR);
                let head = hits.iter().take(most);
                own.near
                    .extend(head.map(|hit| (hit.source.clone(), hit.work.id.clone())));
                own.rankings.push(hits);
            }
            Err(reason) => note_failure(report, reason),
        }
    }
    own
}

/// Title, abstract, related work and introduction without citation marks, cut to [`MOST_WORDS`]; empty if only a title is known.
fn own_text(paper: &Paper) -> String {
    let document = &paper.document;
    let parts = [
        SectionKind::Abstract,
        SectionKind::RelatedWork,
        SectionKind::Introduction,
    ];
    let body: Vec<String> = parts
        .into_iter()
        .flat_map(|kind| document.paragraphs_in(kind))
        .filter(|paragraph| matches!(paragraph.kind, ParagraphKind::Body | ParagraphKind::ListItem))
        .map(|paragraph| without_marks(document, paragraph.span, paper))
        .collect();
    if body.is_empty() {
        return String::new();
    }
    let title = paper.title.as_deref().unwrap_or_default().split_whitespace();
    let words = title.chain(body.iter().flat_map(|text| text.split_whitespace()));
    words.take(MOST_WORDS).collect::<Vec<_>>().join(" ")
}

/// The titles of the references, cut to [`MOST_TITLE_WORDS`].
fn cited_titles(paper: &Paper) -> String {
    let titles = paper.references.iter().filter_map(|entry| entry.title.as_deref());
    let words = titles.flat_map(str::split_whitespace);
    words.take(MOST_TITLE_WORDS).collect::<Vec<_>>().join(" ")
}

/// The text at `span` with citation marks replaced by spaces, because the names in them are not topics.
fn without_marks(document: &Document, span: Span, paper: &Paper) -> String {
    let mut text = String::new();
    let mut from = span.start;
    let inside = |mark: Span| mark.start >= span.start && mark.end <= span.end;
    for mark in paper
        .citations
        .iter()
        .map(|mark| mark.span)
        .filter(|mark| inside(*mark))
    {
        if mark.start < from {
            continue;
        }
        text.push_str(document.slice(Span::new(from, mark.start)).unwrap_or_default());
        text.push(' ');
        from = mark.end;
    }
    text.push_str(document.slice(Span::new(from, span.end)).unwrap_or_default());
    text
}

#[cfg(test)]
mod tests {
    use precedent_domain::{CameBy, Candidate, CitationMark};
    use precedent_scripted::{Question, Say};
    use serde_json::json;

    use super::*;
    use crate::model::ModelSettings;
    use crate::retrieve::search::{SearchOutcome, as_of, search};
    use crate::sample::{FixedSource, kelp_paper, kelp_works, world_of};
    use crate::scripted_tests::scripted;

    async fn asked_of(local: bool) -> (Vec<String>, bool) {
        let fixed_source = FixedSource {
            local,
            ..FixedSource::new(kelp_works())
        };
        let asked = Arc::clone(&fixed_source.asked);
        let own_text = found_on(fixed_source).await.sources.first().unwrap().own_text;
        (std::mem::take(&mut *asked.lock().unwrap()), own_text)
    }

    async fn found_on(fixed_source: FixedSource) -> SearchOutcome {
        let paper = kelp_paper();
        let query = Query {
            text: "forecasting kelp harvests".into(),
            scope: Scope::CoreTask,
            variant: 0,
        };
        search(
            &paper,
            &[query],
            as_of(&paper, None).as_ref(),
            &world_of(vec![fixed_source]).await,
        )
        .await
        .unwrap()
    }

    #[tokio::test]
    async fn a_large_collection_is_searched_for_what_the_paper_cites() {
        for (holds, is_large) in [(COLLECTION - 1, false), (COLLECTION, true)] {
            let fixed_source = FixedSource {
                local: true,
                holds,
                ..FixedSource::new(kelp_works())
            };
            let asked = Arc::clone(&fixed_source.asked);
            let found = found_on(fixed_source).await;
            let cited = |one: &Candidate| one.came_by.contains(&CameBy::Reference { number: 1 });
            assert_eq!(found.candidates.iter().any(cited), is_large);
            let asked = asked.lock().unwrap();
            let own = asked.iter().find(|text| text.contains("plan their boats")).unwrap();
            assert_eq!(own.ends_with(&cited_titles(&kelp_paper())), is_large, "{own}");
        }
    }

    #[tokio::test]
    async fn manuscript_text_is_never_sent_to_remote_sources() {
        let (asked, own_text) = asked_of(false).await;
        assert!(!asked.is_empty() && !own_text);
        assert!(
            asked.iter().all(|text| text == "forecasting kelp harvests"),
            "{asked:?}"
        );
    }

    #[tokio::test]
    async fn local_sources_are_searched_with_the_papers_text() {
        let (asked, own_text) = asked_of(true).await;
        assert!(own_text);
        let long: Vec<&String> = asked
            .iter()
            .filter(|text| text.contains("Existing forecasts ignore swell"))
            .collect();
        assert_eq!(long.len(), 1, "{asked:?}");
        assert!(
            long.iter()
                .all(|text| text.starts_with("KelpCast") && text.contains("plan their boats"))
        );
    }

    #[test]
    fn citation_marks_and_text_beyond_the_limit_are_removed() {
        let mut paper = kelp_paper();
        let at = paper.document.text.find("Dorn (2016)").unwrap();
        paper.citations.push(CitationMark {
            span: Span::new(at, at + "Dorn (2016)".len()),
            references: vec![1],
        });
        let text = own_text(&paper);
        assert!(
            !text.contains("Dorn") && text.contains("weeks ahead. forecasts kelp biomass"),
            "{text}"
        );
        let long = "swell ".repeat(2 * MOST_WORDS);
        let longer = crate::sample::paper_of("Swell", None, &[("Abstract", SectionKind::Abstract, &[&long])]);
        assert_eq!(own_text(&longer).split(' ').count(), MOST_WORDS);
        let bare = crate::sample::paper_of("Swell", None, &[]);
        assert_eq!(own_text(&bare), "");
    }

    /// A model that rejects every paper it is shown.
    fn rejecting(question: &Question) -> Say {
        let blocks = question.blocks();
        let works = blocks.iter().filter(|block| block.name.starts_with("work "));
        let works: Vec<_> = works
            .filter_map(|block| Some(json!({"work": block.number()?, "problem": "reject", "means": "reject"})))
            .collect();
        Say::Text(json!({ "works": works }).to_string())
    }

    #[tokio::test]
    async fn similar_paper_is_kept_unless_a_model_rejects_it() {
        let works: Vec<_> = (0..40)
            .map(|n| {
                crate::sample::work(
                    &format!("k:{n}"),
                    &format!("Farms of kelp {n}"),
                    "",
                    Some("2016"),
                    "Swell.",
                )
            })
            .collect();
        for rejects in [false, true] {
            let fixed_source = FixedSource {
                local: true,
                ..FixedSource::new(works.clone())
            };
            let mut world = world_of(vec![fixed_source]).await;
            if rejects {
                world.model = Some(scripted(rejecting, ModelSettings::default()));
            }
            let query = Query {
                text: "forecasting harvests".into(),
                scope: Scope::CoreTask,
                variant: 0,
            };
            let found = search(&kelp_paper(), &[query], as_of(&kelp_paper(), None).as_ref(), &world)
                .await
                .unwrap();
            assert_eq!(found.candidates.len(), if rejects { 0 } else { 2 });
        }
    }

    #[tokio::test]
    async fn small_corpus_has_few_top_results() {
        let works: Vec<_> = (0..45)
            .map(|n| crate::sample::work(&format!("k:{n}"), &format!("Kelp harvests {n}"), "", None, "Swell."))
            .collect();
        let fixed_source = FixedSource {
            local: true,
            ..FixedSource::new(works)
        };
        let world = world_of(vec![fixed_source]).await;
        let mut answers = Answers {
            sources: super::super::asking::reports(&world),
            ..Answers::default()
        };
        let own = ask_own_text(&kelp_paper(), None, &mut answers, &world).await;
        assert_eq!(own.near.len(), 2);
        assert_eq!(own.rankings.iter().map(Vec::len).sum::<usize>(), 45);
    }
}
