//! Classifies words by closed classes and word formation only: no topic lists, no lists of antonyms.
//!
//! Long because the classes are lists, and each word is to be seen in the context of the others.

use std::sync::LazyLock;

use rustc_hash::FxHashMap;

use crate::stem::stem;
use crate::stop_words::StopWords;

/// Word classes that change a sentence's claim when a word is added or removed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Critical {
    /// Negation, explicit or implied.
    Negation,
    /// Quantity, frequency and certainty.
    Quantifier,
    /// Comparison and order: more, less, before, after.
    Comparison,
}

/// Negation words: negative words, negative adverbs, and verbs and nouns that negate what follows. Sorted.
const NEGATION: &[&str] = &[
    "absence",
    "absent",
    "aint",
    "arent",
    "avoid",
    "avoided",
    "avoids",
    "barely",
    "cannot",
    "cant",
    "couldnt",
    "denied",
    "denies",
    "deny",
    "didnt",
    "doesnt",
    "dont",
    "except",
    "excluding",
    "fail",
    "failed",
    "failing",
    "fails",
    "failure",
    "hadnt",
    "hardly",
    "hasnt",
    "havent",
    "ignore",
    "ignored",
    "ignores",
    "isnt",
    "kein",
    "keine",
    "keinen",
    "lack",
    "lacked",
    "lacking",
    "lacks",
    "mightnt",
    "mustnt",
    "ne",
    "neednt",
    "negligible",
    "neither",
    "never",
    "nicht",
    "nie",
    "no",
    "nobody",
    "non",
    "none",
    "nor",
    "not",
    "nothing",
    "nowhere",
    "nunca",
    "pas",
    "prevent",
    "prevented",
    "prevents",
    "rarely",
    "refuse",
    "refused",
    "refuses",
    "scarcely",
    "seldom",
    "shant",
    "shouldnt",
    "sin",
    "unable",
    "unless",
    "unlikely",
    "wasnt",
    "werent",
    "without",
    "wont",
    "wouldnt",
    "не",
    "нет",
    "ни",
];

/// Quantifiers, modals, adverbs of degree and frequency, conditions. Sorted.
const QUANTIFIER: &[&str] = &[
    "absolutely",
    "all",
    "almost",
    "always",
    "any",
    "anybody",
    "anyone",
    "anything",
    "apparently",
    "approximately",
    "arguably",
    "both",
    "can",
    "certainly",
    "completely",
    "conditionally",
    "could",
    "definitely",
    "each",
    "either",
    "entirely",
    "essentially",
    "even",
    "ever",
    "every",
    "everybody",
    "everyone",
    "everything",
    "exactly",
    "exclusively",
    "few",
    "frequently",
    "fully",
    "generally",
    "half",
    "if",
    "impossible",
    "just",
    "largely",
    "likely",
    "mainly",
    "many",
    "may",
    "maybe",
    "merely",
    "might",
    "most",
    "mostly",
    "much",
    "must",
    "nearly",
    "necessarily",
    "normally",
    "occasionally",
    "often",
    "only",
    "or",
    "ought",
    "partial",
    "partially",
    "partly",
    "perhaps",
    "plausibly",
    "possible",
    "possibly",
    "potentially",
    "presumably",
    "probably",
    "purely",
    "quite",
    "roughly",
    "several",
    "shall",
    "should",
    "slightly",
    "solely",
    "some",
    "somebody",
    "somehow",
    "someone",
    "something",
    "sometimes",
    "somewhat",
    "strictly",
    "suppose",
    "supposedly",
    "totally",
    "typically",
    "universally",
    "usually",
    "very",
    "virtually",
    "whether",
    "whole",
    "wholly",
    "will",
    "would",
];

/// Quantifiers, modals and conditions that limit a statement: how much of it holds, when, how certainly. Sorted.
const LIMITING: &[&str] = &[
    "almost",
    "apparently",
    "arguably",
    "could",
    "exclusively",
    "few",
    "if",
    "just",
    "likely",
    "may",
    "maybe",
    "merely",
    "might",
    "nearly",
    "occasionally",
    "only",
    "partially",
    "partly",
    "perhaps",
    "plausibly",
    "possibly",
    "potentially",
    "presumably",
    "probably",
    "solely",
    "some",
    "sometimes",
    "suppose",
    "supposedly",
    "whether",
    "would",
];

/// Words of comparison and direction. Sorted.
const COMPARISON: &[&str] = &[
    "above", "after", "ahead", "before", "behind", "below", "best", "better", "beyond", "down", "earlier", "equal",
    "equally", "fewer", "fewest", "greater", "greatest", "higher", "highest", "inferior", "larger", "largest", "later",
    "least", "less", "lesser", "lower", "lowest", "more", "outside", "rather", "reverse", "smaller", "smallest",
    "superior", "than", "under", "unequal", "unlike", "until", "up", "versus", "worse", "worst",
];

/// Number words. Sorted by word.
const NUMBER_WORDS: &[(&str, &str)] = &[
    ("billion", "1000000000"),
    ("dozen", "12"),
    ("eight", "8"),
    ("eighteen", "18"),
    ("eighty", "80"),
    ("eleven", "11"),
    ("fifteen", "15"),
    ("fifty", "50"),
    ("five", "5"),
    ("forty", "40"),
    ("four", "4"),
    ("fourteen", "14"),
    ("hundred", "100"),
    ("million", "1000000"),
    ("nine", "9"),
    ("nineteen", "19"),
    ("ninety", "90"),
    ("once", "1"),
    ("one", "1"),
    ("seven", "7"),
    ("seventeen", "17"),
    ("seventy", "70"),
    ("six", "6"),
    ("sixteen", "16"),
    ("sixty", "60"),
    ("ten", "10"),
    ("thirteen", "13"),
    ("thirty", "30"),
    ("thousand", "1000"),
    ("three", "3"),
    ("twelve", "12"),
    ("twenty", "20"),
    ("twice", "2"),
    ("two", "2"),
    ("zero", "0"),
];

/// Sets of function words that may replace each other without changing a claim.
const INTERCHANGEABLE: &[&[&str]] = &[
    &["a", "an", "the", "this", "these", "that", "those"],
    &["that", "which", "who"],
    &["am", "are", "be", "been", "being", "is", "was", "were"],
    &["had", "has", "have", "having"],
    &["did", "do", "does"],
    &["to", "toward", "towards"],
    &["although", "though", "whereas", "while"],
    &["but", "however"],
    &["among", "amongst"],
    &["hence", "so", "therefore", "thus"],
];

/// The sets with the forms of one verb, one bit each.
pub(crate) const FORMS_OF_A_VERB: u32 = 0b1_1100;

/// Words that may be added or removed without changing a claim.
const DISPENSABLE: &[&str] = &[
    "a",
    "also",
    "an",
    "and",
    "furthermore",
    "here",
    "hence",
    "however",
    "moreover",
    "of",
    "so",
    "that",
    "the",
    "then",
    "there",
    "therefore",
    "thus",
];

/// Dispensable words that relate two statements. Leaving one out adds no claim. Adding one claims a consequence, a contrast or a further case.
const RELATING: &[&str] = &[
    "also",
    "and",
    "furthermore",
    "hence",
    "however",
    "moreover",
    "so",
    "then",
    "therefore",
    "thus",
];

const COMPARING_SIGNS: &[&str] = &["<", ">", "<=", ">=", "=", "≪", "≫", "≺", "≻"];
const DENYING_SIGNS: &[&str] = &["¬", "≠", "∉", "∄", "⊄", "⊈"];

/// All list entries for one word.
#[derive(Debug, Clone, Copy, Default)]
struct ListedWord {
    critical: Option<Critical>,
    stopword: bool,
    dispensable: bool,
    /// The sets of [`INTERCHANGEABLE`], one bit each.
    sets: u32,
    digits: Option<&'static str>,
}

/// All lists as one table, because each word is looked up many times per quote.
static LISTED: LazyLock<FxHashMap<&'static str, ListedWord>> = LazyLock::new(|| {
    let mut table: FxHashMap<&'static str, ListedWord> = FxHashMap::default();
    let classes = [
        (NEGATION, Critical::Negation),
        (DENYING_SIGNS, Critical::Negation),
        (COMPARISON, Critical::Comparison),
        (COMPARING_SIGNS, Critical::Comparison),
        (QUANTIFIER, Critical::Quantifier),
    ];
    for (list, class) in classes {
        for word in list {
            table.entry(word).or_default().critical.get_or_insert(class);
        }
    }
    for word in StopWords::Topics.words() {
        table.entry(word).or_default().stopword = true;
    }
    for word in DISPENSABLE {
        table.entry(word).or_default().dispensable = true;
    }
    for (index, set) in INTERCHANGEABLE.iter().enumerate() {
        for word in *set {
            table.entry(word).or_default().sets |= 1 << index;
        }
    }
    for (word, digits) in NUMBER_WORDS {
        table.entry(word).or_default().digits = Some(digits);
    }
    table
});

/// Maximum length of a listed word, in bytes.
const LONGEST_LISTED: usize = 13;

/// Filter for words that may be in the lists, by first and last letter and length. Most words are not and need no look-up.
static MAY_BE_LISTED: LazyLock<[u64; SIEVE_WORDS]> = LazyLock::new(|| {
    let mut sieve = [0; SIEVE_WORDS];
    for word in LISTED.keys() {
        if let Some((slot, bit)) = sieve_bit(word).and_then(|(slot, bit)| Some((sieve.get_mut(slot)?, bit))) {
            *slot |= bit;
        }
    }
    sieve
});
const SIEVE_WORDS: usize = 64;

/// The array index and bit of a word in the filter; `None` for an empty word.
fn sieve_bit(word: &str) -> Option<(usize, u64)> {
    let bytes = word.as_bytes();
    let (first, last) = (usize::from(*bytes.first()?), usize::from(*bytes.last()?));
    let middle = usize::from(*bytes.get(bytes.len() / 2)?);
    let mixed = (first * 5) ^ (last * 41) ^ (middle * 149) ^ (bytes.len() * 577);
    Some((mixed / 64 % SIEVE_WORDS, 1 << (mixed % 64)))
}

fn listed(word: &str) -> Option<&'static ListedWord> {
    if word.len() > LONGEST_LISTED {
        return None;
    }
    let (slot, bit) = sieve_bit(word)?;
    if MAY_BE_LISTED.get(slot).is_none_or(|bits| bits & bit == 0) {
        return None;
    }
    LISTED.get(word)
}

/// Whether a normalised word is an English function word.
pub(crate) fn is_function_word(word: &str) -> bool {
    listed(word).is_some_and(|listed| listed.stopword)
}

pub(crate) fn critical(word: &str) -> Option<Critical> {
    if let Some(class) = listed(word).and_then(|listed| listed.critical) {
        return Some(class);
    }
    let denies = !word.is_ascii() && word.starts_with(['不', '没', '沒', '無', '无', '非', '未', '否']);
    denies.then_some(Critical::Negation)
}

/// Whether a word in lower case negates a statement.
#[must_use]
pub fn negates(word: &str) -> bool {
    critical(word) == Some(Critical::Negation)
}

/// Whether a word negates or limits a statement.
pub(crate) fn limits(word: &str) -> bool {
    critical(word) == Some(Critical::Negation) || LIMITING.binary_search(&word).is_ok()
}

/// Whether a word negates a statement, or excludes everything beyond it.
pub(crate) fn restricts(word: &str) -> bool {
    critical(word) == Some(Critical::Negation) || matches!(word, "exclusively" | "if" | "merely" | "only" | "solely")
}

/// Whether a word introduces a condition for the rest of its sentence.
pub(crate) fn conditions(word: &str) -> bool {
    matches!(word, "if" | "unless" | "whether" | "suppose")
}

pub(crate) fn interchangeable(left: &str, right: &str) -> bool {
    interchange_sets(left) & interchange_sets(right) != 0
}

/// The sets of interchangeable words that contain a word, one bit each.
pub(crate) fn interchange_sets(word: &str) -> u32 {
    listed(word).map_or(0, |listed| listed.sets)
}

/// Whether a word may be left out but not added, because it relates two statements.
pub(crate) fn relates(word: &str) -> bool {
    RELATING.binary_search(&word).is_ok()
}

/// Whether a word may be added or removed without changing a claim.
pub(crate) fn dispensable(word: &str) -> bool {
    listed(word).is_some_and(|listed| listed.dispensable)
}

/// Whether a word carries topic: not a function word or a single letter of a formula.
pub(crate) fn is_content(word: &str) -> bool {
    !is_function_word(word) && word.chars().nth(1).is_some() || word.chars().next().is_some_and(|c| c as u32 >= 0x2e80)
}

/// The digits of a number word.
pub(crate) fn number_word(word: &str) -> Option<&'static str> {
    listed(word)?.digits
}

/// Whether two different words are forms of one word: plural, tense, British or American spelling, one letter doubled or lost.
pub(crate) fn variant(left: &str, right: &str) -> bool {
    // Variants have the same beginning, so most pairs of words stop here.
    let (Some(head), Some(other)) = (left.as_bytes().get(..3), right.as_bytes().get(..3)) else {
        return false;
    };
    if head != other || left.len().abs_diff(right.len()) > 4 {
        return false;
    }
    inflection(left, right) || spelling(left) == spelling(right) || one_letter_lost(left, right)
}

const INFLECTIONS: &[&str] = &["", "d", "e", "ed", "es", "ied", "ies", "ing", "s", "y"];

fn inflection(left: &str, right: &str) -> bool {
    let shared: usize = left
        .chars()
        .zip(right.chars())
        .take_while(|(left, right)| left == right)
        .map(|(character, _)| character.len_utf8())
        .sum();
    let ends = |word: &str| word.get(shared..).is_some_and(|rest| INFLECTIONS.contains(&rest));
    shared >= 3 && ends(left) && ends(right) && stem(left) == stem(right)
}

fn spelling(word: &str) -> String {
    if word.len() < 5 || !word.is_ascii() {
        return word.to_owned();
    }
    let word = word
        .replace("isation", "ization")
        .replace("ising", "izing")
        .replace("ised", "ized");
    let word = word
        .replace("yse", "yze")
        .replace("our", "or")
        .replace("aem", "em")
        .replace("ogue", "og")
        .replace("ence", "ense");
    let word = word.replace("ll", "l").replace("programme", "program");
    match word.strip_suffix("ise").or_else(|| word.strip_suffix("ises")) {
        Some(base) if base.len() >= 4 => format!("{base}ize"),
        _ => match word.strip_suffix("tre") {
            Some(base) => format!("{base}ter"),
            None => word,
        },
    }
}

/// One letter missing inside a long word, but not among its first three letters, where prefixes change the meaning.
fn one_letter_lost(left: &str, right: &str) -> bool {
    let (short, long) = if left.len() < right.len() {
        (left, right)
    } else {
        (right, left)
    };
    if short.len() < 7 || long.len() != short.len() + 1 || !long.is_ascii() || long.bytes().any(|b| b.is_ascii_digit())
    {
        return false;
    }
    let shared = short
        .bytes()
        .zip(long.bytes())
        .take_while(|(left, right)| left == right)
        .count();
    shared >= 3 && shared < short.len() && long.get(shared + 1..) == short.get(shared..)
}

/// Whether a part of a compound, as in `non-linear`, negates the rest.
pub(crate) fn denying_prefix(part: &str) -> bool {
    critical(part) == Some(Critical::Negation) || part.len() > 1 && NEGATIVE_PREFIXES.contains(&part)
}

/// Prefixes and suffixes that reverse the meaning of a word.
const NEGATIVE_PREFIXES: &[&str] = &[
    "un", "in", "im", "il", "ir", "dis", "non", "mis", "de", "anti", "counter", "a",
];
const OPPOSED_PREFIXES: &[(&str, &str)] = &[
    ("in", "de"),
    ("over", "under"),
    ("pre", "post"),
    ("up", "down"),
    ("max", "min"),
    ("macro", "micro"),
    ("inter", "intra"),
    ("in", "ex"),
    ("im", "ex"),
    ("hyper", "hypo"),
    ("pro", "anti"),
    ("out", "under"),
    ("upper", "lower"),
    ("super", "sub"),
    ("homo", "hetero"),
    ("mono", "multi"),
    ("uni", "multi"),
    ("bene", "male"),
    ("a", "de"),
    ("in", "out"),
    ("en", "dis"),
];

/// Whether word formation makes one word the opposite of the other, or its comparative.
pub(crate) fn opposed(left: &str, right: &str) -> bool {
    let by_prefix = |base: &str, other: &str| {
        NEGATIVE_PREFIXES.iter().any(|prefix| {
            other
                .strip_prefix(prefix)
                .is_some_and(|rest| rest.len() >= 3 && inflected(rest, base))
        })
    };
    let by_pair = |left: &str, right: &str| {
        OPPOSED_PREFIXES.iter().any(|(one, two)| {
            left.strip_prefix(one)
                .zip(right.strip_prefix(two))
                .is_some_and(|(left, right)| left.len() >= 3 && inflected(left, right))
        })
    };
    let by_suffix = |left: &str, right: &str| {
        left.strip_suffix("less")
            .is_some_and(|base| base.len() >= 3 && right.starts_with(base))
    };
    let comparatives = ["er", "est"]
        .iter()
        .any(|end| left.ends_with(end) && right.ends_with(end));
    by_prefix(left, right)
        || by_prefix(right, left)
        || by_pair(left, right)
        || by_pair(right, left)
        || by_suffix(left, right)
        || by_suffix(right, left)
        || comparatives
}

fn inflected(left: &str, right: &str) -> bool {
    left == right || stem(left) == stem(right)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_classes_are_sorted() {
        assert!(NEGATION.is_sorted() && QUANTIFIER.is_sorted() && COMPARISON.is_sorted() && LIMITING.is_sorted());
        assert!(NUMBER_WORDS.is_sorted());
        assert_eq!(LISTED.keys().map(|word| word.len()).max(), Some(LONGEST_LISTED));
    }

    #[test]
    fn interchangeable_verb_forms_are_marked_as_verb_forms() {
        for (left, right) in [("is", "were"), ("has", "had"), ("do", "did")] {
            assert!(interchange_sets(left) & interchange_sets(right) & FORMS_OF_A_VERB != 0);
        }
        assert!(interchange_sets("the") & interchange_sets("a") & FORMS_OF_A_VERB == 0);
    }

    #[test]
    fn variants_are_never_opposites() {
        for (left, right) in [
            ("method", "methods"),
            ("study", "studies"),
            ("improves", "improved"),
            ("modelling", "modeling"),
            ("behaviour", "behavior"),
            ("optimise", "optimize"),
            ("occurrence", "occurence"),
        ] {
            assert!(variant(left, right), "{left} {right}");
        }
        for (left, right) in [
            ("symmetric", "asymmetric"),
            ("increase", "decrease"),
            ("useful", "useless"),
            ("large", "larger"),
            ("significant", "insignificant"),
            ("convex", "concave"),
            ("hard", "hardly"),
            ("macroscopic", "microscopic"),
            ("prescribe", "proscribe"),
        ] {
            assert!(!variant(left, right), "{left} {right}");
        }
        assert!(opposed("increase", "decreases") && opposed("significant", "insignificant"));
        assert!(opposed("larger", "smaller") && opposed("useful", "useless"));
        assert!(!opposed("model", "method"));
    }
}
