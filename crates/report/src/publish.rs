use precedent_domain::{Assessment, DateOrigin, PublicationDate};

use crate::plain::{file_name_of, open_link, without_paths};

/// The assessment as it may leave the machine: links that are no `http` or `https` address are dropped, and what the program itself wrote
/// (file name, names of sources, failures, notes) loses the folders of every local path. What a paper or a record says is not touched.
///
/// The published reports of OpenNovelty carried local paths and `javascript:` links; every renderer starts here so that none can.
pub(crate) fn publishable(assessment: &Assessment) -> Assessment {
    let mut report = assessment.clone();
    let paper = &mut report.original_paper;
    shorten(&mut paper.origin.file_name, file_name_of);
    if !paper.title_found {
        shorten(&mut paper.title, file_name_of);
    }
    dates(&mut paper.dates);
    paper.quality.reasons.iter_mut().for_each(scrub);
    paper
        .warnings
        .iter_mut()
        .for_each(|warning| scrub(&mut warning.message));
    for candidate in &mut report.references.candidates {
        link(&mut candidate.work.url);
        dates(&mut candidate.work.dates);
        candidate.found_by.iter_mut().for_each(scrub);
    }
    for work in &mut report.references.set_aside {
        link(&mut work.url);
        work.date.iter_mut().for_each(origin);
    }
    let metadata = &mut report.metadata;
    scrub(&mut metadata.analyst);
    for source in &mut metadata.sources {
        scrub(&mut source.name);
        source.failures.iter_mut().for_each(scrub);
    }
    metadata.not_searched.iter_mut().for_each(|one| scrub(&mut one.message));
    if let Some(as_of) = &mut metadata.as_of
        && let DateOrigin::Record(name) = &mut as_of.origin
    {
        scrub(name);
    }
    report
}

fn scrub(text: &mut String) {
    shorten(text, without_paths);
}

fn shorten(text: &mut String, by: impl Fn(&str) -> String) {
    let short = by(text);
    if short != *text {
        *text = short;
    }
}

fn link(url: &mut Option<String>) {
    *url = url.as_deref().and_then(open_link);
}

fn dates(dates: &mut [PublicationDate]) {
    dates.iter_mut().for_each(origin);
}

fn origin(dated: &mut PublicationDate) {
    if let DateOrigin::Record(name) = &mut dated.origin {
        scrub(name);
    }
}
