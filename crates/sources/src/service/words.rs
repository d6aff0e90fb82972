use precedent_text::terms::StopWords;

/// Letters kept of one run in scripts without spaces, and of all such runs of a query: about eight words.
const RUN: usize = 8;
const MOST_WITHOUT_GAPS: usize = 24;
/// Opening phrases of Chinese and Japanese papers, in the order in which one may follow another.
const OPENERS: &[&str] = &["我们", "我們", "本文", "本研究", "本稿", "提出"];

/// Scripts without spaces between words: Han, Kana, Thai, Lao, Khmer, Myanmar.
fn is_without_gaps(c: char) -> bool {
    matches!(u32::from(c),
        0x0e00..=0x0eff | 0x1000..=0x109f | 0x1780..=0x17ff | 0x3040..=0x30ff | 0x3400..=0x4dbf | 0x4e00..=0x9fff | 0xf900..=0xfaff
        | 0x2_0000..=0x2_ffff | 0x3_0000..=0x3_ffff)
}

/// Characters that connect words and are rarely inside one: a few Chinese ones, and all Hiragana.
fn is_between_words(c: char) -> bool {
    matches!(c, '的' | '了' | '与' | '與' | '及' | '和' | '或' | '把' | '被' | '是')
        || matches!(c, '\u{3040}'..='\u{309f}')
}

/// A query as plain words: letters and digits in lower case. No character is left that a service could treat as an operator.
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

    /// Removes whole sentences. In scripts without spaces, a run of letters is a clause, and some clauses are the manuscript text itself. Runs are
    /// split at certain word boundaries, and only a few letters of each part are kept, up to a total limit.
    #[must_use]
    pub fn without_sentences(self) -> Self {
        let mut left = MOST_WITHOUT_GAPS;
        let mut kept = Vec::new();
        for word in self.0 {
            if !word.chars().any(is_without_gaps) {
                kept.push(word);
                continue;
            }
            for part in word.split(is_between_words) {
                let part = OPENERS
                    .iter()
                    .fold(part, |part, opener| part.strip_prefix(opener).unwrap_or(part));
                let part: String = part.chars().take(RUN.min(left)).collect();
                left -= part.chars().count();
                if !part.is_empty() && !kept.contains(&part) {
                    kept.push(part);
                }
            }
        }
        Self(kept)
    }

    /// The number of words.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are no words.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// All words, separated by spaces.
    #[must_use]
    pub fn spaced(&self) -> String {
        self.0.join(" ")
    }

    /// At most `most` distinct meaningful words, in order; if there are none, all words. A longer query is shortened to its start and its end,
    /// because variants of one query often start alike.
    #[must_use]
    pub fn meaningful(&self, most: usize) -> Vec<&str> {
        let mut meaningful: Vec<&str> = Vec::new();
        for word in &self.0 {
            let says = word.chars().nth(1).is_some() && !StopWords::Query.contains(word);
            if says && !meaningful.contains(&word.as_str()) {
                meaningful.push(word);
            }
        }
        if meaningful.is_empty() {
            return self.0.iter().take(most).map(String::as_str).collect();
        }
        if let Some(over) = meaningful.len().checked_sub(most) {
            meaningful.drain(most.div_ceil(2)..most.div_ceil(2) + over);
        }
        meaningful
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_operators_are_left() {
        let words =
            Words::of("Ropes AND NOT (creep*) OR \"x\"~5 ti:evil | !drop & api_key=1%0d%0aHost: a\u{202e}b don’t");
        assert_eq!(
            words.spaced(),
            "ropes and not creep or x 5 ti evil drop api key 1 0d 0ahost a b dont"
        );
        assert_eq!(
            Words::of("the rope of the rope sensor").meaningful(6),
            ["rope", "sensor"]
        );
        assert_eq!(
            Words::of("one rope two ropes three lines four nets").meaningful(5),
            ["one", "rope", "two", "four", "nets"]
        );
        assert_eq!(Words::of("to be or not to be").meaningful(3), ["to", "be", "or"]);
        assert!(Words::of("*** \u{0}").is_empty());
        assert_eq!(Words::of("基于深度学习 C++").spaced(), "基于深度学习 c");
    }

    #[test]
    fn a_sentence_without_spaces_is_not_sent_whole() {
        let short = |text: &str| Words::of(text).without_sentences().spaced();
        assert_eq!(
            short(
                "我们提出用双语词典增强低资源语言的神经机器翻译。实验在蒙古语和维吾尔语数据集上进行,与回译方法比较。"
            ),
            "用双语词典增强低 神经机器翻译 实验在蒙古语 维吾尔语"
        );
        assert_eq!(
            short("ロープの張力から信号を復号する方法を提案する"),
            "ロープ 張力 信号 復号 方法 提案"
        );
        assert_eq!(short("研究生教育"), "研究生教育");
        let thai = short("เชือกที่ถูกดึงจะยืดออกตามเวลาและอุณหภูมิของทะเลในฤดูหนาว");
        assert!(
            thai.chars().filter(|c| !c.is_whitespace()).count() <= MOST_WITHOUT_GAPS,
            "{thai}"
        );
        assert_eq!(
            short("基于深度学习 C++ ropes that creep"),
            "基于深度学习 c ropes that creep"
        );
        let long = short(&"绳索张力信号解码".repeat(40));
        assert!(long.chars().count() <= RUN, "{long}");
    }
}
