//! Claims that an estimate counts beyond those that the program finds.

use precedent_domain::ContributionClass;
use precedent_language::wording::word_count;

use super::claim::MOST_CLAIM_WORDS;
use super::{ClaimDraft, Reading};

/// Claims that the scripted model usually lists (docs/benchmarks.md, "Estimates").
const USUAL: usize = 3;
/// Fewest words of a sentence that is counted as a claim, and words of its name.
const FEWEST_WORDS: usize = 8;

/// The claims found, and the first sentences of the paper in place of those that a model lists beyond them.
pub(super) fn with_stand_ins(reading: &Reading<'_>, mut found: Vec<ClaimDraft>) -> Vec<ClaimDraft> {
    for sentence in reading.sentences() {
        if found.len() >= USUAL {
            break;
        }
        let text = reading.slice(sentence.span);
        let is_claim = found.iter().any(|one| one.claim.overlaps(sentence.span));
        if is_claim || !(FEWEST_WORDS..=MOST_CLAIM_WORDS).contains(&word_count(text)) {
            continue;
        }
        let name: Vec<&str> = text.split_whitespace().take(FEWEST_WORDS).collect();
        let name = name.join(" ");
        found.push(ClaimDraft {
            claim: sentence.span,
            also_stated: Vec::new(),
            topics: vec![name.clone()],
            name,
            description: vec![sentence.span],
            in_other_words: None,
            class: ContributionClass::Unclear,
        });
    }
    found
}

#[cfg(test)]
mod tests {
    use precedent_domain::SectionKind;

    use super::super::claim_drafts;
    use super::*;
    use crate::sample::{kelp_paper, paper_of};

    #[test]
    fn a_paper_whose_claims_are_not_found_is_counted_with_three() {
        let paper = paper_of(
            "Kelp in Winter",
            None,
            &[(
                "Introduction",
                SectionKind::Introduction,
                &[
                    "Kelp grows along most of the cold coasts of this world. Swell tears it from the rocks in the storms of winter. \
                   Boats gather what is left of it on calm days in spring. Few of them come back with a full hold.",
                ],
            )],
        );
        let reading = Reading::new(&paper);
        assert!(claim_drafts(&reading).is_empty());
        let counted = with_stand_ins(&reading, Vec::new());
        assert_eq!(counted.len(), USUAL);
        assert!(reading.slice(counted[0].claim).starts_with("Kelp grows"));
        // Claims that were found stay, and nothing is added to three.
        let paper = kelp_paper();
        let reading = Reading::new(&paper);
        let found = claim_drafts(&reading);
        assert!(found.len() >= USUAL);
        assert_eq!(with_stand_ins(&reading, found.clone()), found);
    }
}
