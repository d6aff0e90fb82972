use std::collections::BTreeSet;

use precedent_domain::{Paper, Work, is_same_title, title_key};
use precedent_text::{Location, Source, locate};

/// Characters at the start of a text in which its title must appear.
const HEAD: usize = 1_500;
/// Characters in which its authors must appear.
const FIRST_PAGE: usize = 5_000;

/// Whether `paper`, fetched for `work`, is that work: the title must appear at the top. A copy found only by its address must also name the authors.
/// An archive's own id is trusted instead, because submissions under review are anonymous.
pub(super) fn is_the_work(paper: &Paper, work: &Work, by_own_id: bool) -> bool {
    has_title(paper, work) && (by_own_id || has_author(paper, work))
}

fn has_title(paper: &Paper, work: &Work) -> bool {
    let wanted = title_key(&work.title);
    let read = paper.title.as_deref().map(title_key).unwrap_or_default();
    if is_same_title(&wanted, &read) {
        return true;
    }
    // A title of one or two words appears in many texts.
    let words = wanted.split(' ').count();
    let head = head(&paper.document.text, HEAD);
    words >= 3
        && matches!(
            locate(&Source::new(head), &work.title),
            Location::Exact { .. } | Location::Close { .. }
        )
}

fn has_author(paper: &Paper, work: &Work) -> bool {
    let page = title_key(head(&paper.document.text, FIRST_PAGE));
    let mut words: BTreeSet<&str> = page.split(' ').collect();
    let named: Vec<String> = paper.authors.iter().map(|author| title_key(&author.name)).collect();
    words.extend(named.iter().flat_map(|name| name.split(' ')));
    let mut families = work.authors.iter().filter_map(|author| {
        let name = title_key(&author.name);
        name.rsplit(' ')
            .find(|word| word.chars().count() > 2)
            .map(str::to_owned)
    });
    families.any(|family| words.contains(family.as_str()))
}

fn head(text: &str, most: usize) -> &str {
    let end = text.char_indices().nth(most).map_or(text.len(), |(at, _)| at);
    text.get(..end).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use precedent_domain::Author;

    use super::*;
    use crate::sample::kelp_works;

    fn came(text: &str) -> Paper {
        precedent_read::read_bytes(text.as_bytes(), "came.md").unwrap()
    }

    #[test]
    fn a_text_must_have_the_title_and_a_copy_from_elsewhere_also_the_authors() {
        let mut work = kelp_works().swap_remove(0);
        work.title = "Slack-Aware Coding for Mooring Ropes".into();
        work.authors = vec![Author::new("Ann Lee"), Author::new("Bo Harbour")];
        let body = format!(
            "\n\n## Introduction\n\n{}\n",
            "Ropes go slack in heavy swell, and then they snap. ".repeat(20)
        );
        let own = came(&format!(
            "# Slack-aware coding for mooring ropes\n\nAnn Lee, Bo Harbour\n{body}"
        ));
        let nameless = came(&format!("# Slack-aware coding for mooring ropes\n\nAnonymous\n{body}"));
        let other = came(&format!("# A Survey of Ropes\n\nAnn Lee\n{body}"));
        assert!(is_the_work(&own, &work, false));
        assert!(is_the_work(&nameless, &work, true) && !is_the_work(&nameless, &work, false));
        assert!(!is_the_work(&other, &work, true));
        let far = format!(
            "# A Survey of Ropes\n\nAnn Lee\n{}\nSlack-Aware Coding for Mooring Ropes",
            body.repeat(3)
        );
        assert!(!is_the_work(&came(&far), &work, true));
    }
}
