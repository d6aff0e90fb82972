use precedent_domain::{Candidate, SetAside};

use super::inline::Inline;
use super::writer::Writer;
use crate::view::{
    Digest, Role, one_liner, roles, set_aside, set_aside_unlisted, standing_in_search, why_set_aside, work_links,
};
use crate::words;

/// Section 6: every paper in the report.
pub(super) fn write(out: &mut Writer, digest: &Digest<'_>) {
    let index = &digest.report.references;
    out.heading(2, &Inline::default().own("6. Papers"));
    if index.candidates.is_empty() {
        out.paragraph(&Inline::of("No paper was found to compare with."));
    }
    let parts: Vec<Inline> = roles(digest).iter().map(role_line).collect();
    if !parts.is_empty() {
        out.heading(3, &Inline::of("By role"));
        out.list(&parts);
        out.heading(3, &Inline::of("All papers"));
    }
    let works: Vec<Inline> = index.candidates.iter().map(|one| work_line(digest, one)).collect();
    out.list(&works);
    out.heading(3, &Inline::of("Found but excluded"));
    if index.set_aside.is_empty() {
        return out.paragraph(&Inline::of("None."));
    }
    let (listed, left) = set_aside(digest);
    let mut aside: Vec<Inline> = listed.into_iter().map(|one| set_aside_line(digest, one)).collect();
    aside.extend((left > 0).then(|| Inline::of(set_aside_unlisted(left))));
    out.list(&aside);
}

fn role_line(role: &Role) -> Inline {
    let mut line = Inline::default().strong(role.label).text(": ");
    for (at, (citation, note)) in role.works.iter().enumerate() {
        line = line.text(if at > 0 { ", " } else { "" }).cite(citation);
        if !note.is_empty() {
            line = line.text(format!(" ({note})"));
        }
    }
    if role.more > 0 {
        line = line.text(format!(" and {} more", words::thousands(role.more)));
    }
    line
}

fn work_line(digest: &Digest<'_>, one: &Candidate) -> Inline {
    let work = &one.work;
    let authors: Vec<&str> = work.authors.iter().take(3).map(|author| author.name.as_str()).collect();
    let more = if work.authors.len() > authors.len() {
        " and others"
    } else {
        ""
    };
    let mut line = Inline::default().cite(&digest.cite(one.number)).text(" ");
    if !authors.is_empty() {
        line = line.text(authors.join(", ")).text(more).text(". ");
    }
    line = line.emphasis(&work.title).text(".");
    if let Some(venue) = &work.venue {
        line = line.text(" ").text(venue).text(".");
    }
    let date = work
        .earliest()
        .map(|dated| format!(" {} ({}).", dated.date, words::date_origin(&dated.origin)));
    line = line.text(date.unwrap_or_else(|| " No date known.".to_owned()));
    for link in work_links(work).into_iter().take(1) {
        line = line.text(" ").link(&link.label, &link.url);
    }
    line = line.text(" ").text(standing_in_search(digest, one)).text(" ");
    if let Some(said) = one_liner(digest, one.number) {
        line = match (&said.text, &said.quote) {
            (Some(text), _) => line.text(text),
            (None, Some(quote)) => line.quote(quote, 20),
            (None, None) => line,
        };
    }
    line
}

fn set_aside_line(digest: &Digest<'_>, one: &SetAside) -> Inline {
    let date = one
        .date
        .as_ref()
        .map(|dated| format!(" ({})", dated.date))
        .unwrap_or_default();
    let title = Inline::default();
    let title = match &one.url {
        Some(url) => title.link(&one.title, url),
        None => title.text(&one.title),
    };
    title.text(date).text(": ").text(why_set_aside(digest, one)).text(".")
}
