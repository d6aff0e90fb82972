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

    /// The form for running text of a word that a title or a sentence opening may have capitalised.
    pub(crate) fn running(&self, word: &str) -> String {
        let lower = word.to_lowercase();
        if let Some(forms) = self.seen.get(&lower) {
            let commonest = forms.iter().max_by(|(a, m), (b, n)| m.cmp(n).then(b.cmp(a)));
            return commonest.map_or(lower, |(form, _)| form.clone());
        }
        if word.contains('-') {
            let parts: Vec<String> = word
                .split('-')
                .map(|part| {
                    if part.is_empty() {
                        String::new()
                    } else {
                        self.part(part)
                    }
                })
                .collect();
            return parts.join("-");
        }
        self.part(word)
    }

    fn part(&self, word: &str) -> String {
        let lower = word.to_lowercase();
        if let Some(forms) = self.seen.get(&lower) {
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
