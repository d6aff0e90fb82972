/// Words that say nothing of a topic. Few on purpose: a word too many only narrows a query.
const STOP: &[&str] = &[
    "a", "about", "after", "all", "also", "an", "and", "any", "are", "as", "at", "be", "been", "before", "between",
    "both", "but", "by", "can", "do", "does", "each", "for", "from", "has", "have", "how", "in", "into", "is", "it",
    "its", "more", "most", "not", "of", "on", "or", "other", "our", "over", "so", "some", "such", "than", "that",
    "the", "their", "them", "then", "these", "they", "this", "those", "through", "to", "under", "up", "use", "used",
    "using", "via", "was", "we", "were", "what", "when", "where", "which", "while", "who", "with", "within", "without",
];

/// A query as plain words: letters and digits in lower case. No sign that any service could take for an operator is left.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Words(Vec<String>);

impl Words {
    /// The words of `text`.
    #[must_use]
    pub fn of(text: &str) -> Self {
        let words = text.split(|c: char| !c.is_alphanumeric() && c != '\'' && c != '’');
        let bare = |word: &str| -> String {
            let plain = word.chars().filter(|c| c.is_alphanumeric());
            plain.flat_map(char::to_lowercase).collect()
        };
        Self(words.map(bare).filter(|word| !word.is_empty()).collect())
    }

    /// How many.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// All of them, a space between.
    #[must_use]
    pub fn spaced(&self) -> String {
        self.0.join(" ")
    }

    /// At most `most` different ones that say something of a topic, in order; where none does, all. Of a longer query those at its head and at its end: the
    /// variants of one query often begin alike.
    #[must_use]
    pub fn telling(&self, most: usize) -> Vec<&str> {
        let mut telling: Vec<&str> = Vec::new();
        for word in &self.0 {
            let says = word.chars().nth(1).is_some() && !STOP.contains(&word.as_str());
            if says && !telling.contains(&word.as_str()) {
                telling.push(word);
            }
        }
        if telling.is_empty() {
            return self.0.iter().take(most).map(String::as_str).collect();
        }
        if let Some(over) = telling.len().checked_sub(most) {
            telling.drain(most.div_ceil(2)..most.div_ceil(2) + over);
        }
        telling
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_left_that_a_service_could_obey() {
        let words =
            Words::of("Ropes AND NOT (creep*) OR \"x\"~5 ti:evil | !drop & api_key=1%0d%0aHost: a\u{202e}b don’t");
        assert_eq!(
            words.spaced(),
            "ropes and not creep or x 5 ti evil drop api key 1 0d 0ahost a b dont"
        );
        assert_eq!(Words::of("the rope of the rope sensor").telling(6), ["rope", "sensor"]);
        assert_eq!(
            Words::of("one rope two ropes three lines four nets").telling(5),
            ["one", "rope", "two", "four", "nets"]
        );
        assert_eq!(Words::of("to be or not to be").telling(3), ["to", "be", "or"]);
        assert!(Words::of("*** \u{0}").is_empty());
        assert_eq!(Words::of("基于深度学习 C++").spaced(), "基于深度学习 c");
    }
}
