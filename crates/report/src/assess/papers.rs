use precedent_domain::{Candidate, OverlapPassage};

use super::parts::{cite, named};
use crate::blocks::{Block, Entry, InMarkdown, Line, Span, Tone};
use crate::passage::{LONGEST, Passage, Side};
use crate::plain::one_line;
use crate::view::{
    Digest, Role, found_in_search, one_liner, roles, set_aside, set_aside_unlisted, why_set_aside, work_links,
};
use crate::words;

/// Maximum number of authors named.
const AUTHORS: usize = 5;
/// Maximum length of a paper's own words, in words.
const SAID: usize = 50;

/// Text shared with other papers.
pub(super) fn overlap(digest: &Digest<'_>) -> Vec<Block> {
    let wording = words::overlap_search(&digest.report.textual_similarity);
    let mut blocks = vec![Block::paragraph(Line::of(wording))];
    let overlaps = digest.overlaps();
    for one in overlaps.iter().filter(|one| !one.open.is_empty()) {
        blocks.push(Block::Heading(3, named(digest, one.candidate)));
        if !one.more().is_empty() {
            blocks.push(Block::Paragraph(Tone::Fine, Line::of(one.more())));
        }
        blocks.extend(one.open.iter().map(|passage| shared(digest, one.candidate, passage)));
    }
    for one in overlaps.iter().filter(|one| !one.explained.is_empty()) {
        let passages = one.explained.iter();
        blocks.push(Block::Fold {
            title: format!(
                "With a harmless explanation ({}): {}, {}",
                one.reasons(),
                digest.cite(one.candidate),
                one.lengths()
            ),
            blocks: passages.map(|passage| shared(digest, one.candidate, passage)).collect(),
            markdown: InMarkdown::Named,
        });
    }
    blocks
}

fn shared(digest: &Digest<'_>, number: u32, passage: &OverlapPassage) -> Block {
    let beside = |one: &precedent_domain::Quote, other: &precedent_domain::Quote| {
        Box::new(Side::from(Passage::beside(one, LONGEST * 2, other.text())))
    };
    Block::Pair {
        caption: Line::of(words::overlap_facts(&passage.shared)),
        ours: beside(&passage.target, &passage.candidate),
        known: false,
        who: Line::default().cite_at(&digest.cite(number).alias, number, None),
        theirs: beside(&passage.candidate, &passage.target),
    }
}

/// Similar papers missing from the reference list.
pub(super) fn missing(digest: &Digest<'_>) -> Vec<Block> {
    let missing = &digest.report.contribution_analysis.missing_citations;
    let wording = "A missing citation is not prior art against a claim. It is listed separately so that the two are not confused.";
    let line = |one: &precedent_domain::MissingCitation| {
        let line = named(digest, one.candidate).text(": ").and(Span::Break);
        line.note(one_line(&one.reason))
    };
    vec![
        Block::paragraph(Line::of(wording)),
        match missing.is_empty() {
            true if digest.report.original_paper.reference_count == 0 => {
                Block::empty("Not checked: no reference list could be read from the paper.")
            }
            true => Block::empty(
                "No earlier paper missing from the reference list is similar enough to suggest a citation.",
            ),
            false => Block::list(missing.iter().map(line).collect()),
        },
    ]
}

/// Every paper of the report, and the excluded ones.
pub(super) fn list(digest: &Digest<'_>) -> Vec<Block> {
    let candidates = &digest.report.references.candidates;
    let mut blocks = Vec::new();
    if candidates.is_empty() {
        blocks.push(Block::empty("No paper was found to compare with."));
    }
    let listed = || candidates.iter().filter(|one| digest.lists(one.number));
    if digest.is_short() {
        blocks.push(Block::Entries {
            start: 1,
            searchable: false,
            brief: true,
            entries: listed().map(|one| paper(digest, one)).collect(),
        });
        return blocks;
    }
    let roles: Vec<(String, Line)> = roles(digest).iter().map(|one| role(digest, one)).collect();
    if !roles.is_empty() {
        blocks.push(Block::Heading(3, Line::of("By role")));
        blocks.push(Block::Terms(roles));
        blocks.push(Block::Heading(3, Line::of("All papers")));
    }
    if !candidates.is_empty() {
        blocks.push(Block::Entries {
            start: 1,
            searchable: true,
            brief: true,
            entries: candidates.iter().map(|one| paper(digest, one)).collect(),
        });
    }
    blocks.push(Block::Heading(3, Line::of("Found but excluded")));
    let (listed, left) = set_aside(digest);
    let lines: Vec<Line> = listed
        .into_iter()
        .map(|one| {
            let line = match &one.url {
                Some(url) => Line::default().and(Span::Web(one_line(&one.title).into_owned(), url.clone())),
                None => Line::foreign(&one_line(&one.title)),
            };
            let date = one.date.as_ref().map(|dated| format!(" ({})", dated.date));
            line.text(date.unwrap_or_default())
                .text(": ")
                .text(why_set_aside(digest, one))
        })
        .collect();
    if lines.is_empty() && left == 0 {
        blocks.push(Block::empty("None."));
    }
    if !lines.is_empty() {
        blocks.push(Block::list(lines));
    }
    if left > 0 {
        blocks.push(Block::Paragraph(Tone::Small, Line::of(set_aside_unlisted(left))));
    }
    blocks
}

fn role(digest: &Digest<'_>, role: &Role) -> (String, Line) {
    let works = role.works.iter().enumerate();
    let line = works.fold(Line::default(), |line, (at, (citation, note))| {
        let line = line.text(if at > 0 { ", " } else { "" }).append(cite(digest, citation));
        match note.is_empty() {
            true => line,
            false => line.text(" ").note(format!("({note})")),
        }
    });
    let line = match role.more {
        0 => line,
        more => line.text(format!(" and {} more", words::thousands(more))),
    };
    (role.label.to_owned(), line)
}

fn paper(digest: &Digest<'_>, one: &Candidate) -> Entry {
    let work = &one.work;
    let title = match one_line(&work.title) {
        title if title.is_empty() => "Untitled".to_owned(),
        title => title.into_owned(),
    };
    let authors: Vec<&str> = work
        .authors
        .iter()
        .take(AUTHORS)
        .map(|author| author.name.as_str())
        .collect();
    let more = if work.authors.len() > AUTHORS {
        " and others"
    } else {
        ""
    };
    let mut facts = Line::default();
    if !authors.is_empty() {
        facts = facts.external(&format!("{}{more}", authors.join(", "))).text(". ");
    }
    if let Some(venue) = &work.venue {
        facts = facts.external(&one_line(venue)).text(". ");
    }
    facts = facts.text(match work.earliest() {
        Some(dated) => format!("{}.", dated.date),
        None => "No date known.".to_owned(),
    });
    if let Some(count) = work.cited_by {
        facts = facts.text(format!(" Cited by {}.", words::thousands(count as usize)));
    }
    let doubts = work.doubts.iter().map(words::doubt);
    facts = doubts.fold(facts, |facts, doubt| facts.text(" ").strong(words::sentence(&doubt)));
    let facts = work_links(work).into_iter().fold(facts, |facts, link| {
        facts.text(" ").and(Span::Web(link.label, link.url))
    });
    let wording = one_liner(digest, one.number);
    let wording = wording.and_then(|wording| match (&wording.text, &wording.quote) {
        (Some(text), _) => Some(Line::foreign(&one_line(text))),
        (None, quote) => quote
            .as_ref()
            .map(|quote| Line::default().quote(&Passage::new(quote, SAID))),
    });
    let mut blocks: Vec<Block> = wording.map(Block::paragraph).into_iter().collect();
    let dated = work
        .earliest()
        .map(|dated| format!(" Date {}.", words::date_origin(&dated.origin)));
    let status = format!("{}{}", found_in_search(digest, one), dated.unwrap_or_default());
    blocks.push(Block::Paragraph(Tone::Fine, Line::of(status)));
    let citation = digest.cite(one.number);
    Entry {
        id: format!("work-{}", one.number),
        title: Line::default()
            .and(Span::Named(citation.alias, one.number))
            .text(" ")
            .title(&title, None),
        facts,
        blocks,
    }
}
