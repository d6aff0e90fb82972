use precedent_domain::{Assessment, DateOrigin, Gap, OriginalPaper, PublicationDate, RunMetadata, SetAside, Work};

use crate::gaps::{RunSubject, put_in_words};
use crate::plain::{file_name_of, open_link, without_paths};

/// The assessment in publishable form. Links that are not `http` or `https` are dropped. Text written by Precedent (file name, source names,
/// failures, notes) loses the folders of local paths. Text from papers and records is unchanged.
///
/// The published reports of OpenNovelty contained local paths and `javascript:` links. Every renderer starts here to prevent that.
pub(crate) fn publishable(assessment: &Assessment) -> Assessment {
    let mut report = assessment.clone();
    paper(&mut report.original_paper);
    for candidate in &mut report.references.candidates {
        work(&mut candidate.work, &mut candidate.found_by);
    }
    set_aside(&mut report.references.set_aside);
    run(&mut report.metadata, RunSubject::Paper);
    report
}

/// Cleans the data on the paper.
pub(crate) fn paper(paper: &mut OriginalPaper) {
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
}

/// Cleans a work and its list of sources.
pub(crate) fn work(work: &mut Work, found_by: &mut [String]) {
    link(&mut work.url);
    dates(&mut work.dates);
    found_by.iter_mut().for_each(scrub);
}

/// Cleans the excluded works.
pub(crate) fn set_aside(works: &mut [SetAside]) {
    for work in works {
        link(&mut work.url);
        work.date.iter_mut().for_each(origin);
    }
}

/// Cleans the data on the run.
pub(crate) fn run(metadata: &mut RunMetadata, subject: RunSubject) {
    put_in_words(metadata, subject);
    scrub(&mut metadata.analyst);
    for source in &mut metadata.sources {
        scrub(&mut source.name);
        source.failures.iter_mut().for_each(scrub);
    }
    for one in &mut metadata.not_searched {
        scrub(&mut one.message);
        one.gap.iter_mut().filter_map(Gap::failure_mut).for_each(scrub);
    }
    if let Some(as_of) = &mut metadata.as_of
        && let DateOrigin::Record(name) = &mut as_of.origin
    {
        scrub(name);
    }
}

pub(crate) fn scrub(text: &mut String) {
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
