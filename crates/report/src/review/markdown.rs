use precedent_domain::{BoardReview, IdeaPart, IdeaReview, MetaReview, SuggestionGroup};

use super::board::{name, table};
use super::html::counts;
use super::shown;
use crate::formats::markdown::{Inline, Writer};
use crate::words;

pub(crate) fn markdown(review: &IdeaReview) -> Vec<u8> {
    let mut out = Writer::default();
    out.heading(1, &Inline::of("Review of: ").text(shown::title(review)));
    if let Some(said) = words::incomplete(&review.metadata) {
        out.paragraph(&Inline::default().strong(said));
    }
    if let Some(same) = shown::same_text(review) {
        out.paragraph(&Inline::default().strong(same));
    }
    if let Some(one) = &review.meta {
        meta(&mut out, review, one);
    }
    if let Some(why) = shown::no_score(review) {
        out.paragraph(&Inline::of(why));
    }
    out.paragraph(&Inline::of(counts(review)));
    if let Some(missing) = shown::missing(review) {
        out.paragraph(&Inline::of(missing));
    }
    let limits: Vec<Inline> = words::limits(&review.metadata)
        .iter()
        .map(|one| Inline::message(one))
        .collect();
    if !limits.is_empty() {
        out.paragraph(&Inline::default().strong("Not searched, read or judged"));
        out.list(&limits);
    }
    scores(&mut out, review);
    out.heading(2, &Inline::of("The idea, part by part"));
    for one in IdeaPart::ALL {
        part(&mut out, review, one);
    }
    if !review.board.is_empty() {
        out.heading(2, &Inline::of("The board"));
    }
    for (at, one) in review.board.iter().enumerate() {
        reader(&mut out, review, at, one);
    }
    suggestions(&mut out, review);
    knowledge(&mut out, review);
    about(&mut out, review);
    out.finish().into_bytes()
}

fn meta(out: &mut Writer, review: &IdeaReview, one: &MetaReview) {
    out.paragraph(&Inline::default().strong(words::sentence(&shown::decided(one))));
    out.paragraph(&Inline::of(shown::reckoned(one)).text(" ").text(&one.delta_reason));
    if !one.summary.is_empty() {
        out.paragraph(&Inline::of(&one.summary));
    }
    let key: Vec<String> = one
        .key_evidence
        .iter()
        .filter_map(|number| shown::piece(review, *number))
        .map(|piece| format!("[{}] {}", piece.number, piece.work.title))
        .collect();
    if !key.is_empty() {
        out.paragraph(&Inline::of("Key evidence: ").text(key.join("; ")));
    }
    out.paragraph(&Inline::default().emphasis(shown::BINS));
}

fn scores(out: &mut Writer, review: &IdeaReview) {
    if review.board.iter().all(|one| one.opinions.is_empty()) {
        return;
    }
    out.heading(2, &Inline::of("Scores"));
    let letters: Vec<String> = (0..review.board.len()).map(shown::letter).collect();
    let mut head = vec!["Dimension"];
    head.extend(letters.iter().map(String::as_str));
    head.extend(["Mean", "Spread"]);
    let rows: Vec<Vec<Inline>> = table(review)
        .into_iter()
        .map(|row| {
            let mut cells = vec![Inline::of(row.name)];
            cells.extend(row.scores.into_iter().map(Inline::of));
            cells.extend([Inline::of(row.mean), Inline::of(row.spread)]);
            cells
        })
        .collect();
    out.table(&head, &rows);
}

fn part(out: &mut Writer, review: &IdeaReview, part: IdeaPart) {
    let statements: Vec<_> = review.idea.statements.iter().filter(|one| one.part == part).collect();
    if statements.is_empty() {
        return;
    }
    let name = words::sentence(part.name());
    out.heading(3, &Inline::of(name.trim_end_matches('.')));
    for one in statements {
        let number = Inline::default().strong(format!("{}.", one.number)).text(" ");
        if shown::says_the_same(one) {
            out.paragraph(&number.quote(&one.quote, 90));
        } else {
            out.paragraph(&number.text(&one.statement));
            out.quote(&Inline::of("The idea"), &one.quote);
        }
    }
    let bearing = shown::of_part(review, part);
    if bearing.is_empty() {
        out.paragraph(&Inline::default().emphasis(shown::NO_EVIDENCE));
    }
    for (one, piece) in bearing {
        let who = || Inline::of(format!("{} [{}] {}", piece.alias, piece.number, piece.work.title));
        for evidence in &one.evidence {
            out.quote(
                &who().text(format!(", {}", shown::stance(evidence.stance))),
                &evidence.quote,
            );
        }
        let mut line = Inline::of(words::sentence(&shown::weight(one)));
        if !one.analysis.is_empty() {
            line = line.text(" ").text(&one.analysis);
        }
        out.paragraph(&line);
    }
}

fn reader(out: &mut Writer, review: &IdeaReview, at: usize, one: &BoardReview) {
    out.heading(3, &Inline::of(format!("{}. ", shown::letter(at))).text(&one.name));
    out.paragraph(&Inline::of(&one.background).text(" ").text(shown::had(one)));
    if one.opinions.is_empty() {
        out.paragraph(&Inline::of("No usable answer."));
    }
    for said in &one.opinions {
        let head = format!("{}: {}", name(review, &said.dimension), shown::score(said.score));
        out.paragraph(&Inline::default().strong(head).text(" ").text(&said.reason));
        let working: Vec<Inline> = said.working.iter().map(Inline::of).collect();
        out.list(&working);
    }
}

fn suggestions(out: &mut Writer, review: &IdeaReview) {
    if review.suggestions.is_empty() {
        return;
    }
    out.heading(2, &Inline::of("Suggestions from later work"));
    for group in SuggestionGroup::ALL {
        let of_it: Vec<Inline> = review
            .suggestions
            .iter()
            .filter(|one| one.group == group)
            .map(|one| {
                let from: Vec<String> = one.pieces.iter().map(|number| format!("[{number}]")).collect();
                Inline::of(&one.text).text(format!(" (from {})", from.join(", ")))
            })
            .collect();
        if !of_it.is_empty() {
            out.heading(3, &Inline::of(words::sentence(group.name()).trim_end_matches('.')));
            out.list(&of_it);
        }
    }
}

fn knowledge(out: &mut Writer, review: &IdeaReview) {
    out.heading(2, &Inline::of("Documents found"));
    let works: Vec<Inline> = review
        .knowledge
        .iter()
        .map(|one| {
            let line = Inline::of(format!("[{}] {} ", one.number, one.alias));
            let line = match &one.work.url {
                Some(url) => line.link(&one.work.title, url),
                None => line.text(&one.work.title),
            };
            line.text(format!(". {}", words::sentence(&shown::facts(one))))
        })
        .collect();
    if works.is_empty() {
        out.paragraph(&Inline::of("Nothing was found."));
    }
    out.list(&works);
    out.paragraph(&Inline::of(shown::search(review)));
    let rows: Vec<Vec<Inline>> = review
        .search
        .rounds
        .iter()
        .map(|one| {
            vec![
                Inline::of(one.number),
                Inline::of(one.queries.len()),
                Inline::of(one.results),
                Inline::of(one.new),
                Inline::of(one.kept),
            ]
        })
        .collect();
    if !rows.is_empty() {
        out.table(&["Round", "Queries", "Results", "New", "Kept"], &rows);
    }
}

fn about(out: &mut Writer, review: &IdeaReview) {
    out.heading(2, &Inline::of("About this review"));
    out.paragraph(&Inline::of(shown::about(review)));
    let notes: Vec<Inline> = review
        .notes
        .iter()
        .map(|note| Inline::of(words::sentence(note)))
        .collect();
    if !notes.is_empty() {
        out.paragraph(&Inline::default().strong("Corrections and omissions"));
        out.list(&notes);
    }
    let aside: Vec<Inline> = review
        .set_aside
        .iter()
        .map(|one| Inline::of(&one.title).text(format!(": {}", words::set_aside(one.reason))))
        .collect();
    if !aside.is_empty() {
        out.paragraph(&Inline::default().strong("Found but excluded"));
        out.list(&aside);
    }
    if review.metadata.sent.is_empty() {
        out.paragraph(&Inline::of("No data left this machine."));
    }
    for one in &review.metadata.sent {
        out.paragraph(&Inline::of(words::sent(one)));
    }
    out.paragraph(&Inline::default().emphasis(&review.metadata.disclaimer));
}
