use precedent_domain::{Position, SiblingComparison, SubtopicComparison};

use super::parts::{cite, cited, named, of_the_paper, prose};
use crate::blocks::{Block, Branch, Column, Line, Row, Span, TableKind, Tone};
use crate::passage::{LONGEST, Passage};
use crate::plain::one_line;
use crate::view::{Digest, Neighbours, TreeNode, fault};
use crate::words;

/// Maximum length of a neighbour's own words, in words.
const SAID: usize = 34;

/// The core task, the taxonomy and the closest papers in it.
pub(super) fn compose(digest: &Digest<'_>) -> Vec<Block> {
    let survey = &digest.report.core_task_survey;
    let mut blocks = match &survey.core_task {
        Some(task) => {
            let line = Line::of("Core task: ").strong(one_line(&task.phrase));
            let evidence = task.evidence.as_ref();
            let evidence = evidence.map(|quote| of_the_paper(Passage::new(quote, LONGEST)));
            std::iter::once(Block::paragraph(line)).chain(evidence).collect()
        }
        None => vec![Block::empty("No core task was found in the text.")],
    };
    blocks.extend(prose(digest, survey.narrative.as_deref()));
    match digest.tree() {
        Some(tree) => blocks.extend(taxonomy(digest, &tree)),
        None => blocks.push(Block::empty(digest.no_tree())),
    }
    match digest.position() {
        Some(position) => blocks.extend(closest(digest, position)),
        None => blocks.push(Block::empty(digest.no_position())),
    }
    blocks
}

fn taxonomy(digest: &Digest<'_>, tree: &TreeNode) -> Vec<Block> {
    let mut blocks = Vec::new();
    let survey = &digest.report.core_task_survey;
    let faults = survey.taxonomy.iter().flat_map(|tree| &tree.needs_review);
    let faults: Vec<Line> = faults.map(|one| Line::foreign(&fault(digest, one))).collect();
    if !faults.is_empty() {
        let line = Line::default().strong("The taxonomy needs review.");
        blocks.push(Block::Warning(line, vec![Block::list(faults)]));
    }
    let doubt = digest.place().doubt;
    if !doubt.is_empty() {
        let wording =
            "Every paper is put in some category of the taxonomy. Here the category says little about the paper.";
        blocks.push(Block::paragraph(Line::default().strong(doubt).text(" ").text(wording)));
    }
    blocks.push(Block::Tree(Box::new(branch(digest, tree, 0))));
    blocks
}

/// A category. Those on the path to the paper and the first level are expanded.
fn branch(digest: &Digest<'_>, node: &TreeNode, depth: usize) -> Branch {
    let count = format!("({})", words::count(node.works, "paper", "papers"));
    let title = Line::default().strong(&node.name).text(" ").note(count);
    let title = match (node.holds_paper, node.on_path) {
        (true, _) => title.text(", ").strong("this paper’s category"),
        (false, true) => title.note(", on the path to this paper"),
        (false, false) => title,
    };
    let exclude = match node.exclude_note.as_str() {
        "" => String::new(),
        note => format!("Not included: {note}"),
    };
    let scope = [&node.scope_note, &exclude];
    let scope: Vec<&str> = scope
        .into_iter()
        .map(String::as_str)
        .filter(|one| !one.is_empty())
        .collect();
    let paper = |number: &u32| {
        let title = digest.work(*number).map(|one| one_line(&one.work.title).into_owned());
        (cite(digest, &digest.cite(*number)), title.unwrap_or_default())
    };
    let branches = node.subtopics.iter();
    Branch {
        title,
        scope: match scope.is_empty() {
            true => Line::default(),
            false => Line::foreign(&scope.join(" ")),
        },
        home: node.holds_paper,
        open: depth == 0 || node.on_path,
        papers: node.papers.iter().map(paper).collect(),
        branches: branches.map(|one| branch(digest, one, depth + 1)).collect(),
    }
}

fn closest(digest: &Digest<'_>, position: &Position) -> Vec<Block> {
    let neighbours = Neighbours::of(digest, position);
    let mut blocks = vec![
        Block::Heading(3, Line::of("Closest papers in its field")),
        Block::paragraph(Line::of(words::position(position.kind))),
    ];
    if !neighbours.described.is_empty() {
        if !neighbours.only_the_paper().is_empty() {
            blocks.push(Block::paragraph(Line::of(neighbours.only_the_paper())));
        }
        let own = neighbours.has_own_terms();
        let mut head = vec!["Paper in its category", "Both mention"];
        head.extend(own.then_some("Only the paper"));
        head.extend(["Only the other paper", "What it says it does"]);
        let rows = neighbours.described.iter();
        let rows = rows.map(|one| sibling(digest, one, own.then(|| neighbours.own_terms(one))));
        blocks.push(Block::Table {
            label: "Papers in the paper’s category".to_owned(),
            kind: TableKind::Sortable,
            head: head.into_iter().map(Column::of).collect(),
            rows: rows.map(|cells| Row { id: None, cells }).collect(),
            most: usize::MAX,
        });
    }
    if !neighbours.named.is_empty() {
        let line = Line::of(neighbours.named_title()).text(" ");
        let line = line.append(cited(digest, neighbours.named.iter()));
        blocks.push(Block::Paragraph(Tone::Small, line.text(neighbours.more())));
    }
    blocks.extend(position.neighbours.iter().flat_map(|one| beside(digest, one)));
    blocks
}

/// A table row, with the terms that only the paper has if there is a column for them.
fn sibling(digest: &Digest<'_>, one: &SiblingComparison, own: Option<Vec<String>>) -> Vec<Line> {
    let terms = |terms: &[String]| match terms {
        [] => Line::of("–"),
        terms => Line::foreign(&terms.join(", ")),
    };
    let mut first = named(digest, one.candidate)
        .text(" ")
        .note(format!("({})", words::extent(one.compared)));
    if one.is_duplicate_variant {
        first = first.text(" ").strong("Possibly a version of the same paper.");
    }
    if digest.has_prose() && !one.distinction.is_empty() {
        first = first.and(Span::Break).external(&one_line(&one.distinction));
    }
    let mut row = vec![first, terms(&one.shared_terms)];
    row.extend(own.map(|own| terms(&own)));
    row.push(terms(&one.candidate_only_terms));
    let quote = one.candidate_quote.as_ref();
    row.push(quote.map_or_else(Line::default, |quote| Line::default().quote(&Passage::new(quote, SAID))));
    row
}

/// The subtopics next to the paper's category.
fn beside(digest: &Digest<'_>, one: &SubtopicComparison) -> Vec<Block> {
    let mut blocks = vec![Block::paragraph(Line::foreign(&one_line(&one.overall)))];
    for (label, lines) in [
        ("What they share", &one.similarities),
        ("How they differ", &one.differences),
        ("Where to search further", &one.suggested_directions),
    ] {
        if !lines.is_empty() {
            blocks.push(Block::Heading(4, Line::of(label)));
            blocks.push(Block::list(lines.iter().map(|line| Line::foreign(line)).collect()));
        }
    }
    let papers = one.papers.iter().filter_map(|paper| paper.candidate());
    let papers: Vec<Line> = papers.map(|number| named(digest, number)).collect();
    if !papers.is_empty() {
        blocks.push(Block::Heading(4, Line::of("Papers in neighbouring subtopics")));
        blocks.push(Block::list(papers));
    }
    blocks
}
