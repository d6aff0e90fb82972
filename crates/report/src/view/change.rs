use precedent_domain::{Extent, Status};

use super::{Claim, Compared};
use crate::words::{self, Standing};

/// Names of works that are written out; the rest is counted.
const NAMED: usize = 3;

impl Claim<'_> {
    /// What could change how the claim stands, from what is known of the comparisons: never an opinion.
    pub(crate) fn what_could_change(&self) -> String {
        match self.standing {
            Standing::Found => self.found_rests_on(),
            Standing::NeedsReading => self.reading_decides(),
            Standing::TooLittle => {
                "A wording that says more of what is new, and the works that are named beside it, read with the claim in mind.".to_owned()
            }
            Standing::NotFound => self.not_found_leaves_open(),
            Standing::NotCompared => "A search elsewhere: nothing was found here to set beside it.".to_owned(),
        }
    }

    fn found_rests_on(&self) -> String {
        let holding: Vec<&Compared<'_>> = with_status(&self.earlier, Status::CanRefute);
        let dated: Vec<String> = holding
            .iter()
            .take(NAMED)
            .map(|one| match one.work.and_then(|work| work.work.earliest()) {
                Some(dated) => format!(
                    "{}, dated {} ({})",
                    one.citation,
                    dated.date,
                    words::date_origin(&dated.origin)
                ),
                None => one.citation.to_string(),
            })
            .collect();
        let more = more(holding.len());
        let (rests, falls) = if holding.len() == 1 {
            (
                "one work",
                "that date is wrong, or if the two passages, read in context, speak",
            )
        } else {
            (
                "several works",
                "each of them falls: a wrong date, or passages that, read in context, speak",
            )
        };
        format!(
            "It rests on {rests}: {}{more}. It falls if {falls} of different things.",
            dated.join("; ")
        )
    }

    fn reading_decides(&self) -> String {
        let near: Vec<&Compared<'_>> = self
            .earlier
            .iter()
            .filter(|one| one.comparison.needs_reading())
            .collect();
        if near.is_empty() {
            let apart: Vec<&Compared<'_>> = self.apart.iter().filter(|one| one.must_be_read()).collect();
            return format!(
                "Only works that cannot count come near: {}. A date that makes one of them surely earlier would make it count.",
                names(&apart)
            );
        }
        format!("Reading decides; the passages to read are those of {}.", names(&near))
    }

    fn not_found_leaves_open(&self) -> String {
        let partly = self.all().filter(|one| one.comparison.compared != Extent::FullText);
        let mut open = Vec::new();
        let mut say = |number: usize, one: &str, many: &str, rest: &str| {
            if number > 0 {
                open.push(format!("{} {rest}", words::count(number, one, many)));
            }
        };
        say(partly.count(), "full text", "full texts", "that could not be read");
        say(self.cut, "relevant work", "relevant works", "cut before any comparison");
        let (one, many, rest) = if self.paper_dated {
            (
                "concurrent or undated work",
                "concurrent or undated works",
                "that cannot count",
            )
        } else {
            (
                "work",
                "works",
                "that would count if the paper's date were known to be later",
            )
        };
        say(self.apart.len(), one, many, rest);
        open.push("sources that were not asked".to_owned());
        open.push("the same idea in other words".to_owned());
        words::sentence(&words::and_list(&open))
    }
}

fn with_status<'c, 'a>(all: &'c [Compared<'a>], status: Status) -> Vec<&'c Compared<'a>> {
    all.iter().filter(|one| one.comparison.status == status).collect()
}

fn names(works: &[&Compared<'_>]) -> String {
    let named: Vec<String> = works.iter().take(NAMED).map(|one| one.citation.to_string()).collect();
    match works.len().saturating_sub(NAMED) {
        0 => words::and_list(&named),
        _ => format!("{}{}", named.join(", "), more(works.len())),
    }
}

fn more(of: usize) -> String {
    match of.saturating_sub(NAMED) {
        0 => String::new(),
        rest => format!(" and {} more", words::thousands(rest)),
    }
}
