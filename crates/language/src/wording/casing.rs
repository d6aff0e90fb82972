use std::collections::BTreeMap;

use super::vocabulary::is_generic;
use super::words::{Word, words};

/// How a text writes its words inside sentences. Distinguishes `Bayesian` from a word capitalised only in a title.
#[derive(Debug, Default)]
pub struct Casing {
    seen: BTreeMap<String, BTreeMap<String, usize>>,
}

impl Casing {
    /// Counts the forms of every word of `text`. Skips sentence openings, and runs of capitalised words that only spell out an abbreviation:
    /// `Random Fields (RFs)`.
    pub fn of(text: &str) -> Self {
        let mut casing = Self::default();
        let found = words(text, 0);
        let spelt_out = spelt_out(text, &found);
        let mut last_end = 0;
        for (word, spelt_out) in found.into_iter().zip(spelt_out) {
            let between = text.get(last_end..word.span.start).unwrap_or_default();
            let opens = last_end == 0 || between.contains(['.', '!', '?', ':', '\n', '•']);
            last_end = word.span.end;
            if !opens && !spelt_out {
                let (lower, form) = (without_possessive(&word.lower), without_possessive(&word.text));
                *casing
                    .seen
                    .entry(lower.to_owned())
                    .or_default()
                    .entry(form.to_owned())
                    .or_default() += 1;
            }
        }
        casing
    }

    /// The running-text form of a word that a title or a sentence opening may have capitalised. Punctuation around it stays.
    pub fn running(&self, word: &str) -> String {
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
        let name = without_possessive(core);
        let possessive = core.get(name.len()..).unwrap_or_default();
        format!("{before}{}{possessive}{after}", self.bare(name))
    }

    /// Whether the text uses the word, given in lower case, inside a sentence.
    pub fn knows(&self, lower: &str) -> bool {
        self.seen.contains_key(lower)
    }

    fn bare(&self, word: &str) -> String {
        // `Large-Scale` in a heading is treated as two words, but a compound containing a name as one.
        let parts_capital = word
            .split('-')
            .all(|part| part.starts_with(char::is_uppercase) && part.chars().skip(1).all(char::is_lowercase));
        let seen = self.seen.get(&word.to_lowercase());
        let as_printed_only = parts_capital && seen.is_some_and(|forms| !forms.contains_key(&word.to_lowercase()));
        if (seen.is_some() && !as_printed_only) || !word.contains('-') {
            return self.part(word);
        }
        word.split('-')
            .map(|part| self.part(part))
            .collect::<Vec<_>>()
            .join("-")
    }

    fn part(&self, word: &str) -> String {
        let lower = word.to_lowercase();
        // `T lymphocytes`, `C-γ`: a single letter is a name, except the article.
        if word.chars().count() == 1 && lower != "a" {
            return word.to_owned();
        }
        let mut chars = word.chars();
        let simple = chars.next().is_some_and(char::is_uppercase)
            && !chars.clone().any(|c| c.is_uppercase() || c.is_ascii_digit());
        if let Some(forms) = self.seen.get(&lower) {
            // A text with both `ROM-1` and `rom-1` means both.
            let short = word.chars().filter(|c| c.is_alphabetic()).count() <= 5;
            let name = short && !word.chars().any(char::is_lowercase) || word.chars().any(|c| c.is_ascii_digit());
            if name && forms.contains_key(word) {
                return word.to_owned();
            }
            // `Fourier Transform`: a generic noun in many names is not a name itself.
            if simple && (is_generic(&lower) || lower == "transform") {
                return lower;
            }
            // A plain capital marks a name only if the word never occurs without it.
            if simple && forms.contains_key(&lower) {
                return lower;
            }
            let commonest = forms.iter().max_by(|(a, m), (b, n)| m.cmp(n).then(b.cmp(a)));
            return commonest.map_or(lower, |(form, _)| form.clone());
        }
        let capitals = word.chars().filter(|c| c.is_uppercase()).count();
        let letters = word.chars().filter(|c| c.is_alphabetic()).count();
        // `LLMs`, `mRNA`, `3D` keep their form; an all-capitals `TITLE` and `Title` do not.
        let keeps =
            capitals >= 2 && (letters <= 5 || capitals < letters) || (capitals >= 1 && letters <= 2 && word.len() > 1);
        if keeps { word.to_owned() } else { lower }
    }
}

fn without_possessive(word: &str) -> &str {
    let bare = word.strip_suffix("'s").or_else(|| word.strip_suffix("’s"));
    bare.unwrap_or(word)
}

/// For each word, whether it is in a run of capitalised words followed by an abbreviation in brackets.
fn spelt_out(text: &str, found: &[Word]) -> Vec<bool> {
    let capital = |word: &Word| word.text.starts_with(char::is_uppercase) && word.text.chars().any(char::is_lowercase);
    let mut marks = vec![false; found.len()];
    let mut start = 0;
    while start < found.len() {
        let rest = found.get(start..).unwrap_or_default();
        let length = rest
            .iter()
            .enumerate()
            .take_while(|(at, word)| capital(word) && (*at == 0 || !word.after_break))
            .count();
        let after = length
            .checked_sub(1)
            .and_then(|last| rest.get(last))
            .and_then(|last| text.get(last.span.end..))
            .unwrap_or_default();
        let abbreviated = after
            .trim_start()
            .strip_prefix('(')
            .is_some_and(|inside| inside.chars().take(2).all(char::is_uppercase));
        if length >= 2 && abbreviated {
            marks.iter_mut().skip(start).take(length).for_each(|mark| *mark = true);
        }
        start += length.max(1);
    }
    marks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_are_written_like_the_running_text() {
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

    #[test]
    fn capitals_that_spell_out_an_abbreviation_are_ignored() {
        let casing = Casing::of(
            "We use a Fourier Transform and Rope Fields (RF). On ropes of Alzheimer's kind the Penn Treebank is used.",
        );
        let running: Vec<String> = "Transform Rope Fields Alzheimer’s Treebank T C-γ"
            .split(' ')
            .map(|word| casing.running(word))
            .collect();
        assert_eq!(
            running,
            ["transform", "rope", "fields", "Alzheimer’s", "Treebank", "T", "C-γ"]
        );
    }
}
