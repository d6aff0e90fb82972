use precedent_domain::{Position, SiblingComparison, SubtopicComparison};

use super::inline::Inline;
use super::writer::Writer;
use crate::view::{Digest, Neighbours, TreeNode, fault};
use crate::words;

/// Section 2: the paper's field.
pub(super) fn write_survey(out: &mut Writer, digest: &Digest<'_>) {
    let survey = &digest.report.core_task_survey;
    out.heading(2, &Inline::default().own("2. Its field"));
    match &survey.core_task {
        Some(task) => {
            out.paragraph(&Inline::of("Core task: ").strong(&task.phrase));
            if let Some(evidence) = &task.evidence {
                out.quote(&Inline::of("the paper"), evidence);
            }
        }
        None => out.paragraph(&Inline::of("No core task was found in the text.")),
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
        None => out.paragraph(&Inline::of(digest.no_tree())),
    }
    if let Some(tree) = &survey.taxonomy
        && !tree.needs_review.is_empty()
    {
        out.paragraph(&Inline::default().strong("The taxonomy needs review:"));
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
        .text(format!(" ({})", words::count(tree.works, "paper", "papers")));
    if tree.holds_paper {
        line = line.text(", ").strong("this paper's category");
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
    if !tree.papers.is_empty() {
        let papers = tree
            .papers
            .iter()
            .enumerate()
            .fold(Inline::default(), |line, (at, &number)| {
                line.text(if at > 0 { ", " } else { "" }).cite(&digest.cite(number))
            });
        out.item(depth + 1, &papers);
    }
    for child in &tree.subtopics {
        node(out, digest, child, depth + 1);
    }
}

/// Section 4: the paper's closest neighbours.
pub(super) fn write_position(out: &mut Writer, digest: &Digest<'_>) {
    out.heading(2, &Inline::default().own("4. Closest papers in its field"));
    let Some(position) = digest.position() else {
        return out.paragraph(&Inline::of(digest.no_position()));
    };
    out.paragraph(&super::opening::place(&digest.place()));
    out.paragraph(&Inline::of(words::position(position.kind)));
    siblings(out, digest, position);
    if let Some(beside) = &position.neighbours {
        neighbours(out, digest, beside);
    }
}

fn siblings(out: &mut Writer, digest: &Digest<'_>, position: &Position) {
    let neighbours = Neighbours::of(digest, position);
    out.paragraph(&Inline::of(neighbours.only_the_paper()));
    let own = neighbours.tells_own();
    let rows: Vec<Vec<Inline>> = neighbours
        .told
        .iter()
        .map(|one| sibling(digest, one, own.then(|| neighbours.own_terms(one))))
        .collect();
    let mut head = vec!["Paper in its category", "Both mention"];
    head.extend(own.then_some("Only the paper"));
    head.extend(["Only the other paper", "What it says it does"]);
    out.table(&head, &rows);
    if !neighbours.untold.is_empty() {
        let line = Inline::of(neighbours.untold_title());
        let line = neighbours.untold.iter().enumerate().fold(line, |line, (at, citation)| {
            line.text(if at > 0 { ", " } else { " " }).cite(citation)
        });
        out.paragraph(&line.text(neighbours.more()));
    }
    if digest.has_prose() {
        let said: Vec<Inline> = position
            .siblings
            .iter()
            .map(|one| {
                Inline::default()
                    .cite(&digest.cite(one.candidate))
                    .text(": ")
                    .text(&one.distinction)
            })
            .collect();
        out.list(&said);
    }
}

/// A table row, with the terms that only the paper has if there is a column for them.
fn sibling(digest: &Digest<'_>, one: &SiblingComparison, own: Option<Vec<String>>) -> Vec<Inline> {
    let work = digest.work(one.candidate);
    let title = work.map(|work| work.work.title.as_str()).unwrap_or_default();
    let version = if one.is_duplicate_variant {
        "; possibly a version of the same paper"
    } else {
        ""
    };
    let quote = one.candidate_quote.as_ref();
    let mut row = vec![
        Inline::default()
            .cite(&digest.cite(one.candidate))
            .text(format!(" {title} ({}{version})", words::extent(one.compared))),
        Inline::of(one.shared_terms.join(", ")),
    ];
    row.extend(own.map(|terms| Inline::of(terms.join(", "))));
    row.push(Inline::of(one.candidate_only_terms.join(", ")));
    row.push(quote.map_or_else(Inline::default, |quote| Inline::default().quote(quote, 30)));
    row
}

fn neighbours(out: &mut Writer, digest: &Digest<'_>, beside: &SubtopicComparison) {
    out.paragraph(&Inline::of(&beside.overall));
    for (label, lines) in [
        ("What they share", &beside.similarities),
        ("How they differ", &beside.differences),
        ("Where to search further", &beside.suggested_directions),
    ] {
        if !lines.is_empty() {
            out.paragraph(&Inline::default().strong(label));
            out.list(&lines.iter().map(Inline::of).collect::<Vec<_>>());
        }
    }
    let numbers = beside.papers.iter().filter_map(|paper| paper.candidate());
    let works = numbers.map(|number| digest.cite(number));
    let mut line = Inline::default();
    for (at, citation) in works.enumerate() {
        line = line
            .text(if at > 0 {
                ", "
            } else {
                "Papers in neighbouring subtopics: "
            })
            .cite(&citation);
    }
    out.paragraph(&line);
}
