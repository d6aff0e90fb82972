use precedent_domain::{Extent, Status};

use super::{Claim, Compared};
use crate::words::{self, ClaimStatus};

/// Maximum number of papers named; the rest are counted.
const NAMED: usize = 3;

impl Claim<'_> {
    /// What could change the claim's status, computed from the comparisons.
    pub(crate) fn what_could_change(&self) -> String {
        match self.status {
            ClaimStatus::Found => self.found_rests_on(),
            ClaimStatus::NeedsReading => self.reading_decides(),
            ClaimStatus::TooLittle => {
                "A more specific wording of the claim, and a human reading of the papers listed with it.".to_owned()
            }
            ClaimStatus::NotFound => self.not_found_leaves_open(),
            ClaimStatus::NotCompared => "A search of other sources: nothing was found to compare it with.".to_owned(),
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
            ("one paper", "that date is wrong, or if the two passages in context are")
        } else {
            (
                "several papers",
                "for each of them the date is wrong, or the passages in context are",
            )
        };
        format!(
            "The status is based on {rests}: {}{more}. It changes if {falls} about different things.",
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
                "Only papers that may not be earlier are similar: {}. A date that makes one of them earlier would change this.",
                names(&apart)
            );
        }
        format!("A human reading of the passages from {}.", names(&near))
    }

    fn not_found_leaves_open(&self) -> String {
        let partly = self.all().filter(|one| one.comparison.compared != Extent::FullText);
        let mut open = Vec::new();
        let mut add = |number: usize, one: &str, many: &str, rest: &str| {
            if number > 0 {
                open.push(format!("{} {rest}", words::count(number, one, many)));
            }
        };
        add(partly.count(), "full text was", "full texts were", "not available.");
        add(
            self.cut,
            "relevant paper was",
            "relevant papers were",
            "not compared (limit).",
        );
        let rest = match self.paper_dated {
            true => "not counted as prior art: same year, concurrent or undated.",
            false => "not counted as prior art, because this paper's date is unknown.",
        };
        add(self.apart.len(), "paper was", "papers were", rest);
        open.push("Not covered: other sources, and paraphrases.".to_owned());
        open.join(" ")
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
