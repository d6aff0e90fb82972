//! The wording of what was sent to other machines.

use precedent_domain::{QueryContent, SentContent, SentRecord};

use crate::run_subject::RunSubject;

/// What a database that several machines share received.
pub const SENT_TO_DATABASE: &str =
    "everything that the run recorded, also texts and answers, to the database that several machines share";

/// Writes what was sent to each host.
pub fn put_sent_in_words(records: &mut [SentRecord], subject: RunSubject) {
    for one in records {
        if let Some(content) = &one.content {
            one.what = sent_in_words(content, one.bytes, subject);
        }
    }
}

fn sent_in_words(content: &SentContent, bytes: u64, subject: RunSubject) -> String {
    match content {
        SentContent::Queries {
            service,
            kinds,
            answered,
            cached,
        } => {
            let cached = match cached {
                0 => String::new(),
                1 => "; 1 answer was from the cache of this machine".to_owned(),
                cached => format!("; {cached} answers were from the cache of this machine"),
            };
            if kinds.is_empty() {
                return format!("nothing, to search {service}{cached}");
            }
            let parts: Vec<String> = kinds
                .iter()
                .map(|(kind, bytes)| format!("{}, {bytes} bytes", queries(*kind)))
                .collect();
            let unanswered = if *answered { "" } else { "; none was answered" };
            format!("{}, to search {service}{unanswered}{cached}", parts.join("; "))
        }
        SentContent::CitedPapers => format!("names and titles of cited papers, {bytes} bytes, to follow citations"),
        SentContent::PapersFound => format!("names of papers found, {bytes} bytes, to fetch their texts"),
        SentContent::PaperName => format!("name of the paper ({bytes} bytes), to download it"),
        SentContent::Passages => "queries for the points and passages of papers, for ranking".to_owned(),
        SentContent::Candidates => {
            format!("text of the idea, with titles and abstracts of what was found, {bytes} bytes, for ranking")
        }
        SentContent::Texts {
            model,
            answered,
            input_tokens,
            cached_tokens,
            output_tokens,
            lost_attempts,
            dollars,
        } => {
            let mut text = format!("{}, {bytes} bytes, to the model {model}", subject.texts());
            let lost = match lost_attempts {
                0 => String::new(),
                1 => "; 1 call whose usage is unknown is counted at its maximum cost".to_owned(),
                lost => format!("; {lost} calls whose usage is unknown are counted at their maximum cost"),
            };
            if input_tokens + output_tokens > 0 || *lost_attempts > 0 {
                let share = 100 * cached_tokens / (*input_tokens).max(1);
                let money = dollars.map_or("price unknown".to_owned(), |dollars| format!("${dollars:.2}"));
                text.push_str(&format!(
                    "; {input_tokens} input tokens ({share} % from the cache), {output_tokens} output tokens{lost}; {money}"
                ));
            }
            if !answered {
                text.push_str("; none was answered");
            }
            text
        }
    }
}

fn queries(kind: QueryContent) -> &'static str {
    match kind {
        QueryContent::Words => "the words of queries",
        QueryContent::Text => "key words of a text",
        QueryContent::Title => "titles of works",
        QueryContent::Names => "names of works",
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    #[test]
    fn everything_sent_has_words() {
        let texts = |answered, lost_attempts| SentContent::Texts {
            model: "openai:small".to_owned(),
            answered,
            input_tokens: 2_000,
            cached_tokens: 500,
            output_tokens: 90,
            lost_attempts,
            dollars: answered.then_some(0.0412),
        };
        let queries = |answered| SentContent::Queries {
            service: "openalex".to_owned(),
            kinds: BTreeMap::from([(QueryContent::Names, 40), (QueryContent::Words, 120)]),
            answered,
            cached: 0,
        };
        let contents = [
            queries(true),
            queries(false),
            SentContent::CitedPapers,
            SentContent::PapersFound,
            SentContent::PaperName,
            SentContent::Passages,
            SentContent::Candidates,
            texts(true, 0),
            texts(false, 2),
        ];
        let mut lines = Vec::new();
        for content in contents {
            let json = serde_json::to_string(&content).unwrap();
            assert_eq!(serde_json::from_str::<SentContent>(&json).unwrap(), content);
            lines.push(sent_in_words(&content, 160, RunSubject::Idea));
        }
        insta::assert_snapshot!(lines.join("\n"));
    }
}
