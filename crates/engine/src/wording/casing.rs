use std::collections::BTreeMap;

use super::words::words;

/// How a text writes its words inside sentences: what tells `Bayesian` from a capital that only a title gave.
#[derive(Debug, Default)]
pub(crate) struct Casing {
    seen: BTreeMap<String, BTreeMap<String, usize>>,
}

impl Casing {
    /// Counts the forms of every word of `text` that does not open a sentence.
    pub(crate) fn of(text: &str) -> Self {
        let mut casing = Self::default();
        let mut last_end = 0;
        for word in words(text, 0) {
            let between = text.get(last_end..word.span.start).unwrap_or_default();
            let opens = last_end == 0 || between.contains(['.', '!', '?', ':', '\n', '•']);
            last_end = word.span.end;
            if !opens {
                *casing.seen.entry(word.lower).or_default().entry(word.text).or_default() += 1;
            }
        }
        casing
    }

    /// The form for running text of a word that a title or a sentence opening may have capitalised; punctuation around it stays.
    pub(crate) fn running(&self, word: &str) -> String {
        let (Some(from), Some((last, c))) = (
            word.find(char::is_alphanumeric),
            word.char_indices().rfind(|(_, c)| c.is_alphanumeric()),
        ) else {
            return word.to_owned();
        };
        let to = last + c.len_utf8();
        let (Some(before), Some(core), Some(after)) = (word.get(..from), word.get(from..to), word.get(to..)) else {
            return word.to_owned();
        };
        format!("{before}{}{after}", self.bare(core))
    }

    /// Whether the text has the word, given in lower case, inside a sentence.
    pub(crate) fn knows(&self, lower: &str) -> bool {
        self.seen.contains_key(lower)
    }

    fn bare(&self, word: &str) -> String {
        if self.seen.contains_key(&word.to_lowercase()) || !word.contains('-') {
            return self.part(word);
        }
        word.split('-')
            .map(|part| self.part(part))
            .collect::<Vec<_>>()
            .join("-")
    }

    fn part(&self, word: &str) -> String {
        let lower = word.to_lowercase();
        let mut chars = word.chars();
        let simple = chars.next().is_some_and(char::is_uppercase)
            && !chars.clone().any(|c| c.is_uppercase() || c.is_ascii_digit());
        if let Some(forms) = self.seen.get(&lower) {
            // A plain capital is a name's only where the word never goes without it.
            if simple && forms.contains_key(&lower) {
                return lower;
            }
            let commonest = forms.iter().max_by(|(a, m), (b, n)| m.cmp(n).then(b.cmp(a)));
            return commonest.map_or(lower, |(form, _)| form.clone());
        }
        let capitals = word.chars().filter(|c| c.is_uppercase()).count();
        let letters = word.chars().filter(|c| c.is_alphabetic()).count();
        // `LLMs`, `mRNA`, `3D` keep their form; `TITLE` set in capitals and `Title` do not.
        let keeps =
            capitals >= 2 && (letters <= 5 || capitals < letters) || (capitals >= 1 && letters <= 2 && word.len() > 1);
        if keeps { word.to_owned() } else { lower }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_are_written_as_the_text_writes_them() {
        let casing = Casing::of("In this paper a Bayesian model of language is used with LSTMs. Models are good.");
        let running: Vec<String> = "Bayesian Language Model LSTMs DNA TRANSLATION"
            .split(' ')
            .map(|word| casing.running(word))
            .collect();
        assert_eq!(
            running,
            ["Bayesian", "language", "model", "LSTMs", "DNA", "translation"]
        );
    }
}
