use precedent_domain::{
    Assessment, Audit, DateOrigin, Gap, GroupRanking, IdeaAssessment, IdeaReview, OriginalPaper, PointsReport,
    PublicationDate, ReadProblem, RunMetadata, SetAside, Work,
};

use crate::gaps::put_run_in_words;
use crate::notes::{grounds, put_notes_in_words};
use crate::plain::{file_name_of, open_link, without_paths};
use crate::read_problems::put_reading_in_words;
use crate::run_subject::RunSubject;
use crate::sent::put_sent_in_words;

/// The report in publishable form. Links that are not `http` or `https` are dropped. Text written by Precedent (file name, source names, failures,
/// notes) loses the folders of local paths. Text from papers and records is unchanged.
///
/// The published reports of OpenNovelty contained local paths and `javascript:` links. Every format gets its report from here to prevent that.
pub(crate) trait Publish: Clone + InWords {
    /// Cleans this report.
    fn clean(&mut self);

    /// A clean copy.
    fn publishable(&self) -> Self {
        let mut copy = self.clone();
        copy.put_in_words();
        copy.clean();
        copy
    }
}

impl Publish for Assessment {
    fn clean(&mut self) {
        paper(&mut self.original_paper);
        for candidate in &mut self.references.candidates {
            work(&mut candidate.work, &mut candidate.found_by);
        }
        set_aside(&mut self.references.set_aside);
        run(&mut self.metadata);
    }
}

impl Publish for PointsReport {
    fn clean(&mut self) {
        paper(&mut self.original_paper);
        for one in &mut self.references {
            work(&mut one.work, &mut one.found_by);
        }
        set_aside(&mut self.set_aside);
        run(&mut self.metadata);
    }
}

impl Publish for IdeaAssessment {
    fn clean(&mut self) {
        for one in &mut self.works {
            work(&mut one.work, &mut one.found_by);
        }
        set_aside(&mut self.set_aside);
        scrub(&mut self.examples.name);
        run(&mut self.metadata);
    }
}

impl Publish for IdeaReview {
    fn clean(&mut self) {
        for one in &mut self.knowledge {
            work(&mut one.work, &mut one.found_by);
        }
        set_aside(&mut self.set_aside);
        run(&mut self.metadata);
    }
}

impl Publish for GroupRanking {
    fn clean(&mut self) {
        for one in &mut self.evidence {
            work(&mut one.piece.work, &mut one.piece.found_by);
        }
        for review in self.ideas.iter_mut().filter_map(|one| one.review.as_mut()) {
            run(&mut review.metadata);
        }
    }
}

impl Publish for Audit {
    fn clean(&mut self) {}
}

/// A report whose facts are codes with figures. This writes the words for them; words without a code stay.
pub trait InWords {
    /// Writes the words.
    fn put_in_words(&mut self);
}

impl InWords for Assessment {
    fn put_in_words(&mut self) {
        let analysis = &mut self.contribution_analysis;
        put_notes_in_words(&analysis.coded_notes, &mut analysis.extraction_notes);
        put_reading_in_words(&mut self.original_paper.warnings, &mut self.original_paper.quality);
        put_run_in_words(&mut self.metadata, RunSubject::Paper);
    }
}

impl InWords for PointsReport {
    fn put_in_words(&mut self) {
        put_notes_in_words(&self.coded_notes, &mut self.notes);
        put_reading_in_words(&mut self.original_paper.warnings, &mut self.original_paper.quality);
        put_run_in_words(&mut self.metadata, RunSubject::Points);
    }
}

impl InWords for IdeaAssessment {
    fn put_in_words(&mut self) {
        let verdict = &mut self.verdict;
        if let Some(coded) = &verdict.coded_grounds {
            verdict.grounds = grounds(coded);
        }
        for one in &mut verdict.samples {
            if let Some(coded) = &one.coded_grounds {
                one.undecided_because = Some(grounds(coded));
            }
        }
        put_run_in_words(&mut self.metadata, RunSubject::Idea);
    }
}

impl InWords for IdeaReview {
    fn put_in_words(&mut self) {
        put_notes_in_words(&self.coded_notes, &mut self.notes);
        put_run_in_words(&mut self.metadata, RunSubject::Review);
    }
}

impl InWords for GroupRanking {
    fn put_in_words(&mut self) {
        put_sent_in_words(&mut self.sent, RunSubject::Ideas);
        for review in self.ideas.iter_mut().filter_map(|one| one.review.as_mut()) {
            put_run_in_words(&mut review.metadata, RunSubject::Review);
        }
    }
}

impl InWords for Audit {
    fn put_in_words(&mut self) {
        put_sent_in_words(&mut self.sent, RunSubject::Paper);
    }
}

/// Cleans the data on the paper.
fn paper(paper: &mut OriginalPaper) {
    shorten(&mut paper.origin.file_name, file_name_of);
    if !paper.title_found {
        shorten(&mut paper.title, file_name_of);
    }
    dates(&mut paper.dates);
    paper.quality.reasons.iter_mut().for_each(scrub);
    let warnings = paper.warnings.iter_mut();
    let external = warnings.flat_map(|one| {
        [
            Some(&mut one.message),
            one.problem.as_mut().and_then(ReadProblem::external_text_mut),
        ]
    });
    let problems = paper.quality.problems.iter_mut().map(ReadProblem::external_text_mut);
    external.chain(problems).flatten().for_each(scrub);
}

/// Cleans a work and its list of sources.
fn work(work: &mut Work, found_by: &mut [String]) {
    link(&mut work.url);
    dates(&mut work.dates);
    found_by.iter_mut().for_each(scrub);
}

/// Cleans the excluded works.
fn set_aside(works: &mut [SetAside]) {
    for work in works {
        link(&mut work.url);
        work.date.iter_mut().for_each(origin);
    }
}

/// Cleans the data on the run.
fn run(metadata: &mut RunMetadata) {
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
