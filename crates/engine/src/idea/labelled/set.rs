use serde_json::Value;

use super::idea::{LabelledError, LabelledIdea, head, parse_label, works};
use super::table::rows;

/// Reads the ideas in `text`: JSON Lines (`{id?, idea, papers: [{title, abstract}], label, reasoning?}`) or a table with a header and such columns.
///
/// # Errors
/// When a line is invalid, a label is neither novel nor not novel, or there are no ideas.
pub fn labelled_ideas(text: &str) -> Result<Vec<LabelledIdea>, LabelledError> {
    let text = text.trim_start_matches('\u{feff}');
    let ideas = match text.trim_start().starts_with('{') {
        true => json_lines(text)?,
        false => rows(text)?,
    };
    if ideas.is_empty() {
        return Err(LabelledError::Empty);
    }
    Ok(ideas)
}

fn json_lines(text: &str) -> Result<Vec<LabelledIdea>, LabelledError> {
    let lines = text.lines().filter(|line| !line.trim().is_empty());
    lines
        .enumerate()
        .map(|(at, line)| {
            let number = at + 1;
            let row = |why: String| LabelledError::Row { number, why };
            let value: Value = serde_json::from_str(line).map_err(|error| row(error.to_string()))?;
            let string = |names: &[&str]| names.iter().find_map(|name| value.get(name).and_then(Value::as_str));
            let idea = string(&["idea", "text"]).ok_or_else(|| row("it has no idea".to_owned()))?;
            let label = string(&["label", "verdict"]).ok_or_else(|| row("it has no label".to_owned()))?;
            let papers = ["papers", "works"]
                .iter()
                .find_map(|name| value.get(name))
                .cloned()
                .unwrap_or_default();
            Ok(LabelledIdea {
                id: value.get("id").map_or_else(|| number.to_string(), plain),
                idea: idea.to_owned(),
                works: works(&papers),
                label: parse_label(label).ok_or_else(|| row(format!("`{}` is not a label", head(label))))?,
                reasoning: string(&["reasoning", "reason"])
                    .map(str::to_owned)
                    .filter(|text| !text.trim().is_empty()),
            })
        })
        .collect()
}

fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

#[cfg(test)]
mod tests {
    use precedent_domain::NoveltyVerdict;

    use super::*;
    use crate::idea::labelled::LabelledWork;

    #[test]
    fn json_lines_and_tables_with_the_same_content_give_the_same_ideas() {
        let lines = r#"{"id": "a", "idea": "Plan \"ferries\", by tide.", "label": "not novel", "papers": [{"title": "T one", "abstract": "It's old.\nVery."}, {"title": "T two", "abstract": null}]}
{"id": "b", "idea": "Weigh clouds.", "label": "Novel", "papers": [], "reasoning": "Nobody does."}"#;
        let table = "id,idea,domain,papers,label,reasoning\r\n\
a,\"Plan \"\"ferries\"\", by tide.\",\"['x', 'y']\",\"[{'title': 'T one', 'abstract': \"\"It's old.\\nVery.\"\"}, {'title': 'T two', 'abstract': None}]\",not novel,\r\n\
b,Weigh clouds.,[],[],Novel,Nobody does.\r\n";
        let from_lines = labelled_ideas(lines).unwrap();
        assert_eq!(labelled_ideas(table).unwrap(), from_lines);
        assert_eq!(from_lines[0].works[0].summary, "It's old.\nVery.");
        assert_eq!(
            (from_lines[0].label, from_lines[1].label),
            (NoveltyVerdict::NotNovel, NoveltyVerdict::Novel)
        );
        let works: Vec<_> = from_lines[0].works.iter().filter_map(LabelledWork::as_work).collect();
        assert_eq!(works.len(), 2);
        assert_ne!(works[0].id, works[1].id);
    }

    #[test]
    fn columns_with_other_names_are_recognized_by_their_content() {
        let table = "n;x\nno,research_idea,gold,top_papers\n";
        assert!(labelled_ideas(table).is_err());
        let table = "key,Research Idea,Expert class,Top papers\nk1,Plan ferries by the tide of the fjord.,not_novel,\"[{'title': 'Tides', 'abstract': 'a'}]\"\n";
        let ideas = labelled_ideas(table).unwrap();
        assert_eq!((ideas[0].works.len(), ideas[0].label), (1, NoveltyVerdict::NotNovel));
        assert!(ideas[0].idea.starts_with("Plan ferries"));
    }

    #[test]
    fn papers_in_numbered_columns_are_read() {
        let table = "idea,domain,paper0_abstract,paper0_title,paper0_url,paper10_title,paper2_abstract,paper2_title,paper2_url,class\n\
\"Plan ferries, by tide.\",\"['Ships']\",Tides move.,Tides,https://a.example/1,Last,\"Old, and\nlong.\",Ferries,nan,not novel\n\
Weigh clouds.,[],nan,nan,,,,,,novel\n";
        let ideas = labelled_ideas(table).unwrap();
        let titles: Vec<&str> = ideas[0].works.iter().map(|work| work.title.as_str()).collect();
        assert_eq!(titles, ["Tides", "Ferries", "Last"]);
        assert_eq!(ideas[0].works[1].summary, "Old, and\nlong.");
        assert_eq!(ideas[0].works[0].url.as_deref(), Some("https://a.example/1"));
        assert_eq!((ideas[0].works[1].url.as_ref(), ideas[1].works.len()), (None, 0));
        assert_eq!(
            (ideas[0].label, ideas[1].label),
            (NoveltyVerdict::NotNovel, NoveltyVerdict::Novel)
        );
    }

    #[test]
    fn other_words_are_not_labels() {
        for bad in ["", "maybe", "novel and not novel", "moderately novel", "nicht neu"] {
            assert_eq!(parse_label(bad), None, "{bad}");
        }
        let error = labelled_ideas(r#"{"idea": "x", "label": "moderately novel"}"#).unwrap_err();
        assert!(error.to_string().contains("moderately novel"), "{error}");
        assert!(labelled_ideas("  ").is_err());
        assert!(labelled_ideas("{}").is_err());
    }

    proptest::proptest! {
        #[test]
        fn any_text_is_read_or_rejected(text in "(id,idea,papers,label\n)?(\\PC|[\"\\[\\]{}':,\n\\\\]|None|novel){0,80}") {
            let _ = labelled_ideas(&text);
        }
    }
}
