use std::collections::{BTreeMap, BTreeSet};

use precedent_text::pattern;

use super::words::{Word, words};

/// Names that a paper coins for its contributions, and abbreviations that it defines.
#[derive(Debug, Clone, Default)]
pub struct Names {
    /// Names coined by the paper, in lower case.
    coined: BTreeSet<String>,
    /// Abbreviations as printed, with their long forms.
    abbreviations: BTreeMap<String, String>,
}

impl Names {
    /// Reads `title` and the sentences of title, abstract and introduction.
    pub fn of<'a>(title: &str, sentences: impl IntoIterator<Item = &'a str>) -> Self {
        let mut names = Self::default();
        let mut text_words: BTreeSet<String> = BTreeSet::new();
        for sentence in sentences {
            names.read_sentence(sentence);
            text_words.extend(
                words(sentence, 0)
                    .into_iter()
                    .skip(1)
                    .filter(|w| w.text == w.lower)
                    .map(|w| w.lower),
            );
        }
        if let Some((prefix, _)) = split_title(title)
            && is_coined_prefix(prefix, &text_words)
        {
            names.coin(prefix);
        }
        names
    }

    /// Whether the word is, or derives from, a coined name.
    pub fn is_coined(&self, word: &str) -> bool {
        let lower = word.to_lowercase();
        let bare = lower
            .strip_suffix("'s")
            .or_else(|| lower.strip_suffix("’s"))
            .unwrap_or(&lower);
        self.coined.contains(bare)
            || bare
                .strip_suffix('s')
                .is_some_and(|one| one.len() > 2 && self.coined.contains(one))
            || bare
                .split_once('-')
                .is_some_and(|(head, _)| head.len() > 2 && self.coined.contains(head))
            || bare
                .rsplit_once('-')
                .is_some_and(|(_, tail)| tail.len() > 2 && self.coined.contains(tail))
    }

    /// `text` without coined names of several words. For single words, see [`Names::is_coined`].
    pub fn without_long_names(&self, text: &str) -> String {
        without_long_names(text, self.coined.iter().map(String::as_str))
    }

    /// Abbreviations with their long forms, and the coined names in lower case, both sorted.
    pub fn listed(&self) -> (Vec<(String, String)>, Vec<String>) {
        let abbreviations = self
            .abbreviations
            .iter()
            .map(|(short, long)| (short.clone(), long.clone()))
            .collect();
        (abbreviations, self.coined.iter().cloned().collect())
    }

    fn coin(&mut self, name: &str) {
        let lower = name.trim().to_lowercase();
        let lower = lower
            .trim_matches(|c: char| !c.is_alphanumeric() && c != '+' && c != '#')
            .to_owned();
        if lower.chars().count() > 1 && !super::is_function_word(&lower) && !super::is_generic(&lower) {
            self.coined.insert(lower);
        }
    }

    fn read_sentence(&mut self, sentence: &str) {
        let offer_end = offer_end(sentence);
        let called = pattern!(
            r#"(?:\b(?:called|named|dubbed|termed|coined|call it|call this|call our|refer to as|referred to as|namely|name it|denoted as|abbreviated as)\b|which we (?:call|term|name|dub)|we (?:call|name|term|dub)(?: (?:our|this|the)(?: [a-z-]+){1,4})?)[\s:,“”‘’"'`]+(?:the )?([\p{L}\d][\p{L}\d+-]*)"#
        );
        for captures in called.captures_iter(sentence) {
            if let Some(name) = captures.get(1).map(|name| name.as_str())
                && name.chars().any(char::is_uppercase)
            {
                self.coin(name);
            }
        }
        self.read_definitions(sentence, offer_end);
        if let Some(end) = offer_end {
            self.read_offer(sentence.get(end..).unwrap_or_default());
        }
    }

    /// `… test-time adaptation (TTA) …`: an abbreviation, coined if it names the contribution in the sentence.
    fn read_definitions(&mut self, sentence: &str, offer_end: Option<usize>) {
        let defined = pattern!(r"\(([\p{L}\d][[^\s[:punct:]]/&.+\-]{1,14}?)(?:[,;:][^()]{0,40})?\)");
        for captures in defined.captures_iter(sentence) {
            let (Some(whole), Some(short)) = (captures.get(0), captures.get(1)) else {
                continue;
            };
            let before = sentence.get(..whole.start()).unwrap_or_default();
            let Some(long) = long_form(before, short.as_str()) else {
                continue;
            };
            let first_of_offer = offer_end.is_some_and(|end| {
                let between = sentence.get(end..whole.start()).unwrap_or_default();
                let introduced = before.len() >= long.len() && before.len() - long.len() >= end;
                // Only the first noun phrase counts, not a term further on: `we propose X (XX), a method for Y (YY)`.
                introduced
                    && words(between, 0).len() <= words(&long, 0).len() + 4
                    && !between.contains([',', ';'])
                    && ![" for ", " of ", " in ", " to ", " on ", " with ", " using "]
                        .iter()
                        .any(|p| between.strip_suffix(long.as_str()).unwrap_or(between).contains(p))
            });
            if first_of_offer {
                self.coin(short.as_str());
            }
            self.abbreviations.entry(short.as_str().to_owned()).or_insert(long);
        }
    }

    /// `we introduce TRIDENT, a novel framework …`: a name right after the verb.
    fn read_offer(&mut self, rest: &str) {
        let found = words(rest, 0);
        let mut head = found.iter().take(6).peekable();
        while let Some(word) = head.next() {
            let skips = super::is_function_word(&word.lower) || super::is_evaluative(&word.lower);
            if word.looks_like_name() {
                let next_is_noun = head.peek().is_some_and(|next| !next.after_break && next.is_content());
                let said_apart = head
                    .peek()
                    .is_none_or(|next| next.after_break || super::is_function_word(&next.lower));
                let known = self.abbreviations.contains_key(&word.text);
                if !known && (said_apart || (next_is_noun && mixed_case(word))) {
                    self.coin(&word.text);
                }
                return;
            }
            if !skips || word.after_break {
                return;
            }
        }
    }
}

/// The position right after a verb that introduces a contribution.
pub fn offer_end(sentence: &str) -> Option<usize> {
    let offer = pattern!(
        r"(?i)\b(?:we|paper|work|article|study|here|thereby|authors?|i)\b[^.;]{0,60}?\b(?:propose|proposes|introduce|introduces|present|presents|develop|develops|design|designs|release|releases|build|built|create|created|describe|describes|contribute|contributes|construct|constructs|call|term|named?|dub|dubbed)\b"
    );
    offer.find(sentence).map(|found| found.end())
}

/// A capital after lower-case letters: `MolNet`, `word2vec`; not `GPU`.
fn mixed_case(word: &Word) -> bool {
    let inner = word.text.chars().skip(1);
    let any_lower = word.text.chars().any(char::is_lowercase);
    any_lower && inner.clone().any(|c| c.is_uppercase() || c.is_ascii_digit())
}

/// The words before `(TTA)` whose initials spell it, as printed.
fn long_form(before: &str, short: &str) -> Option<String> {
    let bare: String = short.chars().filter(|c| c.is_alphanumeric()).collect();
    let wanted: Vec<char> = bare.strip_suffix('s').unwrap_or(&bare).to_lowercase().chars().collect();
    if wanted.len() < 2 || short.chars().filter(|c| c.is_uppercase()).count() < 2 {
        return None;
    }
    let found = words(before, 0);
    let last = found.last()?;
    if before
        .get(last.span.end..)
        .is_some_and(|gap| gap.trim().chars().any(|c| !matches!(c, '’' | '”' | '"' | '\'')))
    {
        return None;
    }
    // The shortest run of words before the bracket whose letters, including each word's first, spell the abbreviation.
    let longest = found.len().min(wanted.len() * 2 + 1);
    for length in 1..=longest {
        let run = found.get(found.len() - length..)?;
        let starts: Vec<Vec<char>> = run
            .iter()
            .flat_map(|word| {
                word.lower
                    .split('-')
                    .map(|part| part.chars().collect::<Vec<char>>())
                    .collect::<Vec<_>>()
            })
            .collect();
        if starts.first().and_then(|word| word.first()) == wanted.first() && spells(&starts, &wanted) {
            let from = run.first()?.span.start;
            return before.get(from..last.span.end).map(precedent_text::one_line);
        }
    }
    None
}

/// Whether the words spell `wanted` in order: each letter starts a word or follows inside the word just started. Only function words may be skipped.
fn spells(parts: &[Vec<char>], wanted: &[char]) -> bool {
    let Some((part, rest)) = parts.split_first() else {
        return wanted.is_empty();
    };
    let word: String = part.iter().collect();
    if part.first() == wanted.first() {
        // Take one letter, or several that follow in order inside the word.
        let mut taken = 1;
        if spells(rest, wanted.get(1..).unwrap_or_default()) {
            return true;
        }
        let mut at = 1;
        while let (Some(&next), true) = (wanted.get(taken), taken < 4) {
            let Some(found) = part.iter().skip(at).position(|&c| c == next) else {
                break;
            };
            at += found + 1;
            taken += 1;
            if spells(rest, wanted.get(taken..).unwrap_or_default()) {
                return true;
            }
        }
    }
    super::is_function_word(&word) && spells(rest, wanted)
}

/// The parts of a title before and after its first colon (or dash with spaces).
pub fn split_title(title: &str) -> Option<(&str, &str)> {
    [": ", " – ", " — ", " - ", "? ", "! ", "?\" ", "?” "]
        .iter()
        .filter_map(|mark| title.split_once(mark))
        .min_by_key(|(prefix, _)| prefix.len())
        .filter(|(prefix, rest)| !prefix.trim().is_empty() && !rest.trim().is_empty())
}

/// Whether the part before the colon is a name: one to three words, at least one of them not an ordinary word of the text.
fn is_coined_prefix(prefix: &str, text_words: &BTreeSet<String>) -> bool {
    let found = words(prefix, 0);
    let ordinary = |word: &Word| !word.looks_like_name() && text_words.contains(&word.lower);
    match found.as_slice() {
        [] => false,
        [one] => !ordinary(one),
        few if few.len() <= 3 => few.iter().any(Word::looks_like_name) && !few.iter().all(ordinary),
        _ => false,
    }
}

/// `text` without those `names` (in lower case) that have several words.
pub fn without_long_names<'n>(text: &str, names: impl Iterator<Item = &'n str>) -> String {
    let mut text = text.to_owned();
    for name in names.filter(|name| name.contains(' ')) {
        // Offsets in the lower-case text are valid only if its length is the same.
        while let Some(at) = Some(text.to_lowercase())
            .filter(|lower| lower.len() == text.len())
            .and_then(|lower| lower.find(name))
        {
            let (Some(before), Some(after)) = (text.get(..at), text.get(at + name.len()..)) else {
                break;
            };
            text = format!("{before}{after}");
        }
    }
    precedent_text::one_line(&text)
}

/// A title as plain words: without TeX and HTML markup, and with white space collapsed.
pub fn plain_title(title: &str) -> String {
    let bare = pattern!(r"\\[a-zA-Z]+\*?|</?[a-zA-Z][^>]{0,30}>").replace_all(title, " ");
    let bare: String = bare
        .chars()
        .filter(|c| !matches!(c, '$' | '{' | '}' | '\\' | '*' | '†' | '‡'))
        .collect();
    precedent_text::one_line(&bare).replace(" :", ":")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(title: &str, text: &[&str]) -> Names {
        Names::of(title, text.iter().copied())
    }

    #[test]
    fn names_before_the_colon_are_coined() {
        let found = names(
            "TRIDENT: Tri-Modal Molecular Learning",
            &["We introduce TRIDENT, a novel framework."],
        );
        assert!(found.is_coined("TRIDENT") && found.is_coined("Trident-based") && !found.is_coined("molecular"));
        let adam = names("Adam: A Method for Stochastic Optimization", &[]);
        assert!(adam.is_coined("Adam"));
        let field = names("Clustering: A Survey", &["Work on clustering is old."]);
        assert!(!field.is_coined("clustering"));
        let phrase = names("Lost in Translation: Why Words Matter", &[]);
        assert!(!phrase.is_coined("translation") && !phrase.is_coined("lost"));
    }

    #[test]
    fn abbreviations_of_the_field_are_not_coined() {
        let text = [
            "Test-time adaptation (TTA) has emerged.",
            "We propose Momentum Gap Learning (MGL) for unsigned distance fields (UDFs).",
        ];
        let found = names("On adaptation", &text);
        assert_eq!(
            found.abbreviations.get("TTA").map(String::as_str),
            Some("Test-time adaptation")
        );
        assert_eq!(
            found.abbreviations.get("UDFs").map(String::as_str),
            Some("unsigned distance fields")
        );
        assert!(!found.is_coined("TTA") && !found.is_coined("UDFs"));
        assert!(found.is_coined("MGL"));
    }

    #[test]
    fn markup_is_removed_from_a_title() {
        assert_eq!(
            plain_title(r"$\texttt{STRCMP}$: Integrating <i>Priors</i>"),
            "STRCMP: Integrating Priors"
        );
    }

    proptest::proptest! {
        #[test]
        fn no_text_panics(title in "\\PC{0,60}", text in "\\PC{0,200}") {
            let _ = Names::of(&title, [text.as_str()]);
        }
    }
}
