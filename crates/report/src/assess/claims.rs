use precedent_domain::{ContributionComparison, EvidencePair};

use super::parts::{cite, cited, of_the_paper, prose};
use crate::blocks::{Block, Column, InMarkdown, Line, Row, Span, TableKind, Tone};
use crate::passage::{LONGEST, Passage, Side};
use crate::plain::{cut_words, one_line};
use crate::view::{Claim, Compared, Digest, NEAR_NO_CLAIM_INTRO, SimilarWithoutClaim, source_line};
use crate::words;

/// Number of comparisons of one claim that are expanded at first.
const OPEN: usize = 3;
/// Maximum length of a quote in a table row, in words.
const LINE: usize = 28;
/// Maximum length of a quote on a card, in words.
const CARD: usize = 38;
/// Maximum length of a note on a card, in words.
const NOTE: usize = 22;
/// Maximum number of papers of one claim in a table of Markdown.
const ROWS: usize = 5;

/// The claims with their evidence, and the papers that are similar to none of them.
pub(super) fn compose(digest: &Digest<'_>, claims: &[Claim<'_>]) -> Vec<Block> {
    let analysis = &digest.report.contribution_analysis;
    let mut blocks = vec![match claims.is_empty() {
        true => Block::empty("No claim was found in the text."),
        false => Block::Paragraph(
            Tone::Intro,
            Line::of(
                "Each claim is quoted from the paper, with the earlier papers closest to the claim and to the paper as a whole, closest first. \
                 The percentage is the probability that the text states the claim. Every passage is copied from its source.",
            ),
        ),
    }];
    if !claims.is_empty() {
        let underlined = Line::of("Underlined words are in both passages.");
        blocks.push(Block::PageOnly(vec![Block::Paragraph(Tone::Fine, underlined)]));
    }
    blocks.extend(claims.iter().map(|one| claim(digest, one)));
    if let Some(near) = digest.similar_without_claim() {
        blocks.extend(similar_without_claim(digest, &near));
    }
    let known = |number: u32| analysis.contributions.iter().any(|one| one.number == number);
    let unknown = analysis
        .comparisons
        .iter()
        .filter(|one| !known(one.contribution))
        .count();
    if unknown > 0 {
        blocks.push(Block::empty(&format!(
            "Comparisons with a claim that is not in this report: {unknown}. They are in the JSON report."
        )));
    }
    if !analysis.extraction_notes.is_empty() {
        let notes = analysis.extraction_notes.iter().map(|one| Line::foreign(one));
        blocks.push(Block::Heading(3, Line::of("Claims dropped or replaced")));
        blocks.push(Block::list(notes.collect()));
    }
    let overall = prose(digest, analysis.overall_assessment.as_deref());
    if !overall.is_empty() {
        blocks.push(Block::Heading(3, Line::of("Overall")));
        blocks.extend(overall);
    }
    blocks
}

/// The anchor of a comparison.
pub(super) fn anchor(one: &ContributionComparison) -> String {
    format!("claim-{}-work-{}", one.contribution, one.candidate)
}

fn claim(digest: &Digest<'_>, claim: &Claim<'_>) -> Block {
    let one = claim.contribution;
    let status = Line::default().and(Span::Chip(claim.status.key(), claim.status.label().to_owned()));
    let mut blocks = vec![
        of_the_paper(Passage::new(&one.claim, LONGEST)),
        Block::Paragraph(
            Tone::Standing,
            match claim.status.sentence() {
                "" => status.text(". "),
                sentence => status.text(format!(": {sentence} ")),
            }
            .note(claim.tally()),
        ),
    ];
    let cards = |works: Vec<&Compared<'_>>, label: String| Block::Cards {
        label,
        cards: works.into_iter().map(|one| card(claim, one)).collect(),
    };
    if !claim.top().is_empty() {
        let label = format!("Most relevant papers for claim {}", one.number);
        blocks.push(cards(claim.top().iter().collect(), label));
    }
    if !claim.few_near().is_empty() {
        let few = Block::empty(claim.few_near());
        // `No other …` follows the cards, which only the page has.
        blocks.push(match claim.top().is_empty() {
            true => few,
            false => Block::PageOnly(vec![few]),
        });
    }
    if !claim.top_apart().is_empty() {
        let title = format!("{}: similar, but not counted as prior art", claim.apart_label);
        let label = format!(
            "Papers similar to claim {} that are not counted as prior art",
            one.number
        );
        blocks.push(Block::PageOnly(vec![
            Block::Heading(4, Line::of(title)),
            cards(claim.top_apart(), label),
        ]));
    }
    blocks.push(Block::Fold {
        title: "Evidence in context, and every paper compared".to_owned(),
        blocks: evidence(digest, claim),
        markdown: InMarkdown::Untitled,
    });
    Block::Article {
        id: format!("claim-{}", one.number),
        above: format!("Claim {} · {}", one.number, words::class(one.class)),
        title: Line::foreign(&words::heading(&one.name)),
        sides: false,
        blocks,
    }
}

/// One of the most relevant papers.
fn card(claim: &Claim<'_>, compared: &Compared<'_>) -> Vec<Block> {
    let one = compared.comparison;
    let who = Line::default().cite_at(&compared.citation.alias, compared.citation.number, Some(anchor(one)));
    let who = who.text(" ").strong(compared.title());
    let verdict = Line::default().and(Span::Chip(words::status_key_of(one), words::status_of(one).to_owned()));
    let mut blocks = vec![
        Block::Paragraph(Tone::Who, who),
        Block::Paragraph(Tone::Verdict, verdict.text(" ").note(with_probability(compared))),
    ];
    let side = |name: &str, passage: Passage| {
        Block::Paragraph(
            Tone::Side,
            Line::default().note(name).text(" ").and(Span::Quote(passage)),
        )
    };
    let Some(pair) = compared.best() else {
        let shown = cut_words(&one.note, NOTE);
        let note = format!("{}{}", one_line(shown.text), if shown.cut { " …" } else { "" });
        blocks.push(Block::Paragraph(Tone::Fine, Line::foreign(&note)));
        return blocks;
    };
    if !claim.is_said_by(&pair.target) {
        blocks.push(side(
            "paper",
            Passage::nearest(&pair.target, CARD, pair.candidate.text()),
        ));
    }
    blocks.push(side(
        compared.timing_note().unwrap_or("earlier"),
        Passage::nearest(&pair.candidate, CARD, pair.target.text()),
    ));
    blocks
}

/// Everything on a claim that the first lines leave out.
fn evidence(digest: &Digest<'_>, claim: &Claim<'_>) -> Vec<Block> {
    let one = claim.contribution;
    let change = Line::default().strong("What could change this:").text(" ");
    let mut blocks = vec![Block::paragraph(change.text(claim.what_could_change()))];
    let quotes = |quotes: Vec<Passage>| quotes.into_iter().map(of_the_paper).collect::<Vec<Block>>();
    let again: Vec<Passage> = one.also_stated.iter().map(Passage::of).collect();
    if !again.is_empty() {
        let title = match again.len() {
            1 => "A related sentence of the paper, which was searched for too".to_owned(),
            many => format!("{many} related sentences of the paper, which were searched for too"),
        };
        blocks.push(Block::Fold {
            title,
            blocks: quotes(again),
            markdown: InMarkdown::Shown,
        });
    }
    if digest.is_short() {
        blocks.extend(most_similar(claim));
        return blocks;
    }
    // Passages that are not part of the claim itself.
    let described = one.description_quotes.iter();
    let described = described.filter(|quote| !one.claim.span().contains(quote.span()));
    let described: Vec<Passage> = described.map(Passage::of).collect();
    if !described.is_empty() {
        blocks.push(Block::Fold {
            title: "More on it in the paper".to_owned(),
            blocks: quotes(described),
            markdown: InMarkdown::Omitted,
        });
    } else if digest.has_prose() && !one.description.is_empty() {
        blocks.push(Block::paragraph(Line::foreign(&one_line(&one.description))));
    }
    let apart = format!(
        "{}: listed separately because they do not count as prior art",
        claim.apart_label
    );
    for (title, split, kind) in [("", claim.split(), "earlier "), (&apart, claim.split_apart(), "")] {
        if split.is_empty() {
            continue;
        }
        if !title.is_empty() {
            blocks.push(Block::Heading(4, Line::of(title)));
        }
        let counts = title.is_empty();
        let full = split.full.iter().enumerate();
        blocks.extend(full.map(|(at, one)| comparison(claim, one, at, counts)));
        if !split.lines.is_empty() {
            let title = lines_title(split.lines.len(), split.full.is_empty(), kind);
            let label = format!("Claim {}: {title}", one.number);
            blocks.push(Block::Fold {
                title,
                blocks: vec![lines(digest, claim, label, &split.lines)],
                markdown: InMarkdown::Shown,
            });
        }
        if !split.words_only.is_empty() {
            let works = words::count(
                split.words_only.len(),
                &format!("{kind}paper"),
                &format!("{kind}papers"),
            );
            let title = format!("{works} similar in words only, or not similar");
            let label = format!("Claim {}: {title}", one.number);
            blocks.push(Block::Fold {
                title,
                blocks: vec![words_only(digest, label, &split.words_only)],
                markdown: InMarkdown::Omitted,
            });
        }
    }
    blocks
}

/// The evidence of a short page: the most similar papers, and how many others the full report has.
fn most_similar(claim: &Claim<'_>) -> Vec<Block> {
    let (earlier, apart) = (claim.split(), claim.split_apart());
    let full = earlier.full.iter().enumerate();
    let mut blocks: Vec<Block> = full.map(|(at, one)| comparison(claim, one, at, true)).collect();
    if !apart.full.is_empty() {
        let title = format!("{}: not counted as prior art", claim.apart_label);
        blocks.push(Block::Heading(4, Line::of(title)));
        let full = apart.full.iter().enumerate();
        blocks.extend(full.map(|(at, one)| comparison(claim, one, at, false)));
    }
    let left = [&earlier, &apart].map(|split| split.lines.len() + split.words_only.len());
    let left: usize = left.iter().sum();
    if left > 0 {
        let others = words::count(left, "less similar paper", "less similar papers");
        let line = Line::of(format!(
            "The full report also lists {others} that this claim was compared with."
        ));
        blocks.push(Block::Paragraph(Tone::Fine, line));
    }
    blocks
}

fn lines_title(count: usize, all: bool, kind: &str) -> String {
    let (more, near) = if all { ("", "") } else { ("more ", ", less similar") };
    let works = words::count(count, &format!("{more}{kind}paper"), &format!("{more}{kind}papers"));
    format!("{works}{near}, each with its closest passage")
}

/// A comparison with its passages. The claim's own paragraph is shown once, next to the first paper.
fn comparison(claim: &Claim<'_>, compared: &Compared<'_>, at: usize, counts: bool) -> Block {
    let one = compared.comparison;
    let mut blocks = Vec::new();
    if !one.note.is_empty() {
        blocks.push(Block::paragraph(Line::foreign(&one_line(&one.note))));
    }
    if let Some(reason) = &one.downgraded {
        let line = Line::default().strong("Downgraded from a stronger status:").text(" ");
        blocks.push(Block::paragraph(line.external(&one_line(reason))));
    }
    let pairs = one.evidence.iter().enumerate();
    blocks.extend(pairs.map(|(place, evidence)| {
        let number = match one.evidence.len() {
            1 => Line::default(),
            all => Line::default().strong(format!("{} of {all}", place + 1)).text(" "),
        };
        pair(claim, compared, evidence, number, at == 0)
    }));
    if one.evidence.is_empty() {
        blocks.push(Block::PageOnly(vec![Block::Paragraph(
            Tone::Fine,
            Line::of("No pair of passages is similar enough to show."),
        )]));
    }
    let terms = [
        ("Shared terms", &one.shared_terms),
        ("Missing terms of the claim", &one.missing_terms),
    ];
    let terms = terms.into_iter().filter(|(_, terms)| !terms.is_empty());
    let terms: Vec<(String, Line)> = terms
        .map(|(name, terms)| (name.to_owned(), Line::foreign(&terms.join(", "))))
        .collect();
    let mut more = Vec::new();
    if !terms.is_empty() {
        more.push(Block::Terms(terms));
    }
    let to_read = compared.best().filter(|_| compared.must_be_read());
    more.extend(to_read.map(|pair| to_quote(claim, compared, pair)));
    // Every paper that is compared in full is listed.
    if compared.work.is_some() {
        let to = format!("work-{}", compared.citation.number);
        let line = Line::default().link("This paper in the list", to);
        more.push(Block::Paragraph(Tone::Small, line));
    }
    blocks.push(Block::PageOnly(more));
    let who = Span::Named(compared.citation.alias.clone(), compared.citation.number);
    Block::Comparison {
        id: anchor(one),
        open: counts && at < OPEN && !one.evidence.is_empty(),
        status: (words::status_key_of(one), words::status_of(one)),
        who: Line::default().and(who).text(" ").external(&compared.title()),
        facts: with_probability(compared),
        blocks,
    }
}

/// The probability that the paper states the claim, and facts on the paper.
fn with_probability(compared: &Compared<'_>) -> String {
    match compared.comparison.probability {
        Some(probability) => format!("{}, {}", words::probability(probability), compared.facts()),
        None => compared.facts(),
    }
}

fn pair(claim: &Claim<'_>, compared: &Compared<'_>, pair: &EvidencePair, number: Line, first: bool) -> Block {
    let known = claim.is_said_by(&pair.target);
    let context = pair.target_context.as_ref().filter(|_| first || !known);
    Block::Pair {
        caption: number.external(&one_line(&pair.rationale)),
        ours: Box::new(Side::new(&pair.target, context, &pair.candidate)),
        known,
        who: Line::default().cite_at(&compared.citation.alias, compared.citation.number, None),
        theirs: Box::new(Side::new(
            &pair.candidate,
            pair.candidate_context.as_ref(),
            &pair.target,
        )),
    }
}

/// The closest pair with full sources, to copy into a review.
fn to_quote(claim: &Claim<'_>, compared: &Compared<'_>, pair: &EvidencePair) -> Block {
    let source = compared.work.map_or_else(|| compared.citation.to_string(), source_line);
    let theirs = Passage::new(&pair.candidate, LONGEST);
    let place = match theirs.place.as_str() {
        "" => String::new(),
        place => format!("; {place}"),
    };
    let line = Line::of(format!("Claim {} of the paper: ", claim.contribution.number))
        .quote(&Passage::new(&claim.contribution.claim, LONGEST))
        .text(". Compare: ")
        .and(Span::Quote(theirs))
        .text(" (")
        .external(&source)
        .text(format!("{place})."));
    Block::Fold {
        title: "To quote in a review".to_owned(),
        blocks: vec![Block::Paragraph(Tone::Copy, line)],
        markdown: InMarkdown::Omitted,
    }
}

fn lines(digest: &Digest<'_>, claim: &Claim<'_>, label: String, all: &[&Compared<'_>]) -> Block {
    let wording = claim.contribution.claim.text();
    let cited_by = |compared: &Compared<'_>| compared.work.and_then(|work| work.work.cited_by);
    // Most corpora hold no counts.
    let counts = all.iter().any(|one| cited_by(one).is_some());
    let row = |compared: &&Compared<'_>| {
        let one = compared.comparison;
        let year = compared.work.and_then(|work| work.work.year());
        let nearest = compared
            .best()
            .map(|pair| Passage::nearest(&pair.candidate, LINE, wording));
        let mut cells = vec![
            cite(digest, &compared.citation).text(" ").external(&compared.title()),
            year.map_or_else(Line::default, Line::of),
        ];
        cells.extend(counts.then(|| cited_by(compared).map_or_else(Line::default, Line::of)));
        cells.extend([
            Line::default().and(Span::Chip(words::status_key_of(one), words::status_of(one).to_owned())),
            Line::of(one.probability.map(words::probability).unwrap_or_default()),
            Line::of(compared.facts()),
            nearest.map_or_else(Line::default, |quote| Line::default().quote(&quote)),
        ]);
        Row {
            id: Some(anchor(one)),
            cells,
        }
    };
    let mut head = vec![Column::of("Paper"), Column::number("Year")];
    head.extend(counts.then(|| Column::number("Cited by")));
    head.extend([
        Column::of("Level"),
        Column::number("Probability"),
        Column::of("Compared"),
        Column::of("Closest passage"),
    ]);
    Block::Table {
        label,
        kind: TableKind::Sortable,
        head,
        rows: all.iter().map(row).collect(),
        most: ROWS,
    }
}

fn words_only(digest: &Digest<'_>, label: String, all: &[&Compared<'_>]) -> Block {
    let row = |compared: &&Compared<'_>| {
        let shared = compared.comparison.shared_terms.join(", ");
        let cells = vec![
            cite(digest, &compared.citation).text(" ").external(&compared.title()),
            Line::of(compared.facts()),
            match shared.is_empty() {
                true => Line::default().note("none"),
                false => Line::foreign(&shared),
            },
        ];
        Row {
            id: Some(anchor(compared.comparison)),
            cells,
        }
    };
    Block::Table {
        label,
        kind: TableKind::Sortable,
        head: ["Paper", "Compared", "Shared words of the claim"]
            .map(Column::of)
            .into(),
        rows: all.iter().map(row).collect(),
        most: ROWS,
    }
}

/// Papers similar to the paper as a whole, with the reason why they match no claim.
fn similar_without_claim(digest: &Digest<'_>, near: &SimilarWithoutClaim) -> Vec<Block> {
    let lines = near.written.iter().map(|one| {
        let line = cite(digest, &one.citation).text(" ").external(&one.title);
        line.text(": ").and(Span::Break).note(&one.why)
    });
    let mut blocks = vec![
        Block::Anchored("near-whole".to_owned(), Line::of(words::NEAR_NO_CLAIM)),
        Block::paragraph(Line::of(NEAR_NO_CLAIM_INTRO)),
        Block::list(lines.collect()),
    ];
    if !near.named.is_empty() {
        let line = Line::of("Also similar: ").append(cited(digest, near.named.iter()));
        blocks.push(Block::paragraph(line.text(near.more())));
    }
    blocks
}
