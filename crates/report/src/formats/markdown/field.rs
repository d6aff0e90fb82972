use precedent_domain::{Position, PositionKind, SiblingComparison, SubtopicComparison, TaxonomyPaper};

use super::inline::Inline;
use super::writer::Writer;
use crate::view::{Digest, TreeNode, fault};
use crate::words;

/// Module 2: the field around the paper.
pub(super) fn write_survey(out: &mut Writer, digest: &Digest<'_>) {
    let survey = &digest.report.core_task_survey;
    out.heading(2, &Inline::default().own("2. The field around it"));
    match &survey.core_task {
        Some(task) => {
            out.paragraph(&Inline::of("Core task: ").strong(&task.phrase));
            if let Some(evidence) = &task.evidence {
                out.quote(&Inline::of("the paper"), evidence);
            }
        }
        None => out.paragraph(&Inline::of("No core task could be told from the text.")),
    }
    for paragraph in survey.narrative.iter().flatten() {
        out.paragraph(&Inline::default().prose(digest, paragraph));
    }
    match digest.tree() {
        Some(tree) => {
            out.heading(3, &Inline::of("Taxonomy"));
            out.gap();
            node(out, digest, &tree, 0);
        }
        None => out.paragraph(&Inline::of(
            "There is no taxonomy: too few works were found to arrange.",
        )),
    }
    if let Some(tree) = &survey.taxonomy
        && !tree.needs_review.is_empty()
    {
        out.paragraph(&Inline::default().strong("The tree needs review:"));
        let faults: Vec<Inline> = tree
            .needs_review
            .iter()
            .map(|one| Inline::of(fault(digest, one)))
            .collect();
        out.list(&faults);
    }
}

fn node(out: &mut Writer, digest: &Digest<'_>, tree: &TreeNode, depth: usize) {
    let mut line = Inline::default()
        .strong(&tree.name)
        .text(format!(" ({})", words::count(tree.works, "work", "works")));
    if tree.holds_paper {
        line = line.text(", ").strong("this paper's leaf");
    }
    if !tree.scope_note.is_empty() {
        line = line.text(": ").text(&tree.scope_note);
    }
    if !tree.exclude_note.is_empty() {
        line = line.text(" ").emphasis(&tree.exclude_note);
    }
    out.item(depth, &line);
    if tree.holds_paper {
        out.item(depth + 1, &Inline::default().strong("This paper"));
    }
    for &number in &tree.papers {
        let title = digest
            .work(number)
            .map(|one| one.work.title.as_str())
            .unwrap_or_default();
        out.item(
            depth + 1,
            &Inline::default().cite(&digest.cite(number)).text(" ").text(title),
        );
    }
    for child in &tree.subtopics {
        node(out, digest, child, depth + 1);
    }
}

/// Module 4: the paper among its nearest neighbours.
pub(super) fn write_position(out: &mut Writer, digest: &Digest<'_>) {
    out.heading(2, &Inline::default().own("4. Among its nearest neighbours"));
    let Some(position) = &digest.report.core_task_comparisons.position else {
        return out.paragraph(&Inline::of(
            "Without a taxonomy the paper has no place to compare from.",
        ));
    };
    out.paragraph(&Inline::of("Path: ").text(digest.path().join(" › ")));
    match position.kind {
        PositionKind::HasSiblings => {}
        PositionKind::HasNeighbours => {
            out.paragraph(&Inline::of(
                "The paper stands alone in its leaf; the subtopics beside it are compared instead.",
            ));
        }
        PositionKind::Isolated => {
            out.paragraph(&Inline::of(
                "No other work shares its leaf or stands beside it in what was searched.",
            ));
        }
    }
    siblings(out, digest, position);
    if let Some(beside) = &position.neighbours {
        neighbours(out, digest, beside);
    }
}

fn siblings(out: &mut Writer, digest: &Digest<'_>, position: &Position) {
    for one in &position.siblings {
        let title = digest
            .work(one.candidate)
            .map(|work| work.work.title.as_str())
            .unwrap_or_default();
        out.heading(
            3,
            &Inline::default()
                .cite(&digest.cite(one.candidate))
                .text(" ")
                .text(title),
        );
        if one.is_duplicate_variant {
            out.paragraph(&Inline::default().strong("The two look like versions of one work."));
        }
        out.paragraph(&Inline::of(&one.distinction).text(format!(" (Compared by {}.)", words::extent(one.compared))));
        out.list(&terms(one));
        if let Some(quote) = &one.candidate_quote {
            out.quote(&Inline::default().cite(&digest.cite(one.candidate)), quote);
        }
    }
}

fn terms(one: &SiblingComparison) -> Vec<Inline> {
    [
        ("Both", &one.shared_terms),
        ("Only the paper", &one.target_only_terms),
        ("Only the other work", &one.candidate_only_terms),
    ]
    .into_iter()
    .filter(|(_, terms)| !terms.is_empty())
    .map(|(label, terms)| Inline::of(label).text(": ").text(terms.join(", ")))
    .collect()
}

fn neighbours(out: &mut Writer, digest: &Digest<'_>, beside: &SubtopicComparison) {
    out.paragraph(&Inline::of(&beside.overall));
    for (label, lines) in [
        ("What they share", &beside.similarities),
        ("What tells them apart", &beside.differences),
        ("Where to look further", &beside.suggested_directions),
    ] {
        if !lines.is_empty() {
            out.paragraph(&Inline::default().strong(label));
            out.list(&lines.iter().map(Inline::of).collect::<Vec<_>>());
        }
    }
    let works = beside.papers.iter().filter_map(|paper| match paper {
        TaxonomyPaper::Candidate(number) => Some(digest.cite(*number)),
        TaxonomyPaper::Target => None,
    });
    let mut line = Inline::default();
    for (at, citation) in works.enumerate() {
        line = line
            .text(if at > 0 { ", " } else { "Works beside it: " })
            .cite(&citation);
    }
    out.paragraph(&line);
}
