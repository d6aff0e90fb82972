//! Generates inputs that look like papers, and mangles them like print, extraction, other scripts and malice do.

use crate::papers::Chance;

/// Invented sentences of the kinds found in papers.
const SENTENCES: &[&str] = &[
    "We propose a graph transformer for traffic forecasting that reduces the error by 12.5% on METR-LA.",
    "Some of the gains may come from pre-training, as argued by Zhou et al. (2021).",
    "The model is not able to handle missing sensors, but the decoder converges faster than GRU after 40 ms of warm-up.",
    "All state-of-the-art baselines use the same information and more parameters than ours [3, 14].",
    "In contrast, our approach does not require labelled data (see Section 4.2).",
    "Cells were incubated at 37 °C for 24 h in 5% CO2 with 10 μM of the inhibitor.",
    "The relative risk was 1.43 (95% CI 1.12–1.83; p < 0.001), adjusted for age and sex.1,2",
    "Precision and recall rise from 0.81 and 0.77 to 0.93 and 0.88, respectively.",
    "Let f: R^n → R be convex; then ∇f(x) ≤ L‖x − y‖ for all x, y ∈ R^n.",
    "No adverse events were reported in either arm, although three patients withdrew.",
    "“It is what it is,” the authors say (Smith and Jones, 2019, p. 7).",
    "The dataset contains 1,234,567 sentences, i.e. about 3.2 GB of text.",
    "The error falls as 10^-5 for f(x) = a - b, with x* = 2*y/3 and x' in [0, 1), where P(a|b) > 1e-5 and n-1 < 5-10.",
    "Only the loss at step -3 of the non-linear model, about ~90, was kept, if e^{-x} + x_1 − x² stays below 5 m².",
    "Copyright 2019 by the authors. All rights reserved.",
];

/// Fragments that are hard to process.
const PIECES: &[&str] = &[
    " ",
    "\n",
    "\n\n",
    "\t",
    "-\n",
    "- ",
    "\u{ad}",
    "…",
    "...",
    " . . . ",
    "[…]",
    "(...)",
    "(",
    ")",
    "[",
    "]",
    "[12]",
    "[3, 4–7]",
    "(Li et al., 2020; Wu, 2021a)",
    "(",
    "（",
    "）",
    "【3】",
    "“",
    "”",
    "‘",
    "’",
    "'",
    "\"",
    "``",
    "''",
    "ﬁ",
    "ﬂ",
    "ﬃ",
    "é",
    "e\u{301}",
    "İ",
    "ß",
    "ẞ",
    "ς",
    "Å",
    "Å",
    "K",
    "½",
    "¾",
    "①",
    "²",
    "³",
    "⁻¹",
    "₂",
    "٣",
    "३",
    "𝟙",
    "𝛼",
    "α",
    "β",
    "Ω",
    "µ",
    "μ",
    "−",
    "–",
    "—",
    "-",
    "+",
    "±",
    "≥",
    "≤",
    "≠",
    "¬",
    "<",
    ">",
    "=",
    "%",
    "‰",
    "°",
    "$",
    "€",
    "&",
    "#",
    "C++",
    "C#",
    "1",
    "12",
    "3.5",
    "1,000",
    ".05",
    "0.50",
    "1e-5",
    "10^6",
    "not",
    "no",
    "never",
    "all",
    "some",
    "may",
    "will",
    "more",
    "less",
    "than",
    "the",
    "a",
    "of",
    "two",
    "2",
    "i.e.",
    "Fig. 3",
    "et al.",
    "x",
    "xx",
    "方法",
    "我们提出了一种新的方法。",
    "モデル",
    "は",
    "ประเทศไทย",
    "ကမ္ဘာ",
    "한국어",
    "मॉडल",
    "क्ष",
    "العربية",
    "עברית",
    "\u{202e}abc\u{202c}",
    "👩‍👩‍👧‍👦",
    "🇫🇷",
    "\u{301}\u{302}\u{303}",
    "\u{200b}",
    "\u{200d}",
    "\u{feff}",
    "\u{2028}",
    "\u{a0}",
    "\u{3000}",
    "\0",
    "\u{7f}",
    "\r\n",
    "|",
    "| 0.5 | 0.7 |\n",
    "Published as a conference paper\n",
    "\n\n17\n\n",
    "https://example.org/a?b=c#d",
    "\\alpha_{i}",
    "$x^2$",
    "> ",
    "* ",
    "1. ",
    "don't",
    "O'Neil",
    "naïve",
];

const OTHER_WORDS: &[&str] = &[
    "harms", "slower", "hospital", "Informer", "quickly", "unable", "without", "0.12", "13.5%", "40 s", "every",
    "increase", "decrease", "is", "was", "in",
];

const SIGNS: &[char] = &[
    '-', '−', '+', '*', '/', '^', '_', '|', '<', '>', '=', '~', '\'', '¬', '≤', '²',
];

pub(crate) struct Maker<'a> {
    pub(crate) chance: Chance,
    real: &'a [String],
}

impl<'a> Maker<'a> {
    pub(crate) fn new(seed: u64, real: &'a [String]) -> Self {
        Self {
            chance: Chance::new(seed),
            real,
        }
    }

    fn below(&mut self, limit: usize) -> usize {
        self.chance.below(limit as u64) as usize
    }

    fn pick(&mut self, list: &[&'static str]) -> &'static str {
        list[self.below(list.len())]
    }

    /// A text of up to `most` pieces: sentences, fragments, repeated lines, generated prose, a stretch of a paper.
    fn text(&mut self, most: usize) -> String {
        let mut text = String::new();
        for _ in 0..=self.below(most) {
            match self.below(20) {
                0..9 => {
                    text.push_str(self.pick(SENTENCES));
                    text.push_str(["\n", " ", " ", " ", "\n\n"][self.below(5)]);
                }
                9..13 => {
                    for _ in 0..=self.below(12) {
                        text.push_str(self.pick(PIECES));
                        text.push_str(["", " "][self.below(2)]);
                    }
                }
                13 => {
                    let line = [self.pick(PIECES), self.pick(PIECES), self.pick(SENTENCES)][self.below(3)];
                    for _ in 0..=self.below(60) {
                        text.push_str(line);
                    }
                }
                14..16 if !self.real.is_empty() => text.push_str(&self.stretch()),
                _ => {
                    let (words, seed) = (self.below(80), self.below(50) as u64);
                    text.push_str(&crate::papers::prose(words, seed));
                }
            }
        }
        text
    }

    /// Up to 4,000 bytes of a real paper.
    fn stretch(&mut self) -> String {
        let paper = self.below(self.real.len());
        let Some(paper) = self.real.get(paper) else {
            return String::new();
        };
        let from = self.below(paper.len().max(1));
        let to = (from + self.below(4000)).min(paper.len());
        paper[paper.floor_char_boundary(from)..paper.floor_char_boundary(to)].to_owned()
    }

    /// A part of `text` between white space, of up to `most` words.
    fn slice(&mut self, text: &str, most: usize) -> String {
        let words: Vec<(usize, &str)> = text
            .split_whitespace()
            .map(|word| (word.as_ptr() as usize - text.as_ptr() as usize, word))
            .collect();
        if words.is_empty() {
            return String::new();
        }
        let from = self.below(words.len());
        let to = (from + self.below(most)).min(words.len() - 1);
        text[words[from].0..words[to].0 + words[to].1.len()].to_owned()
    }

    /// One change of the kind made by print, copying or falsification.
    fn mangle(&mut self, text: &str) -> String {
        let mut words: Vec<String> = text.split(' ').map(str::to_owned).collect();
        let at = self.below(words.len());
        match self.below(15) {
            0 => words[at] = self.pick(OTHER_WORDS).to_owned(),
            1 => words.insert(at, self.pick(OTHER_WORDS).to_owned()),
            2 => words.insert(at, self.pick(PIECES).to_owned()),
            3 => drop(words.remove(at)),
            4 => words.insert(at, "...".to_owned()),
            5 => words.insert(at, "not".to_owned()),
            6 if at > 0 => words.swap(at - 1, at),
            7 => words[at] = words[at].to_uppercase(),
            8 => words[at] = words[at].replace(|c: char| c.is_ascii_digit(), "7"),
            9 => return text.replace(" ", ["\n", "  ", "\u{a0}"][self.below(3)]),
            10 => return text.replace("fi", "ﬁ").replace('"', "“"),
            11 => return text.replace(['(', ')', '[', ']'], ""),
            12 => {
                let cut = text.floor_char_boundary(self.below(text.len().max(1)));
                return format!("{}{}{}", &text[..cut], self.pick(PIECES), &text[cut..]);
            }
            13 => {
                let signs: Vec<usize> = text
                    .char_indices()
                    .filter(|(_, c)| SIGNS.contains(c))
                    .map(|(at, _)| at)
                    .collect();
                if let Some(sign) = signs.get(self.below(signs.len().max(1))) {
                    let other = [SIGNS[self.below(SIGNS.len())].to_string(), String::new()][self.below(2)].clone();
                    let end = text.ceil_char_boundary(sign + 1);
                    return format!("{}{other}{}", &text[..*sign], &text[end..]);
                }
            }
            _ => words.truncate(at.max(1)),
        }
        words.join(" ")
    }
}

/// A source, and a quote from it, from elsewhere, or from both, possibly mangled.
pub(crate) fn source_and_quote(maker: &mut Maker<'_>) -> Vec<String> {
    let most = if maker.below(40) == 0 { 400 } else { 14 };
    let source = maker.text(most);
    let long = if maker.below(30) == 0 { 3000 } else { 60 };
    let mut quote = match maker.below(8) {
        0 => maker.text(3),
        1 => format!("{} {}", maker.slice(&source, 40), maker.slice(&source, 40)),
        2 => format!("{} ... {}", maker.slice(&source, 40), maker.slice(&source, 40)),
        _ => maker.slice(&source, long),
    };
    for _ in 0..maker.below(4) {
        quote = maker.mangle(&quote);
    }
    vec![source, quote]
}

/// Two texts that both contain a passage: unchanged in one, mangled in the other.
pub(crate) fn two_texts(maker: &mut Maker<'_>) -> Vec<String> {
    let most = if maker.below(40) == 0 { 300 } else { 10 };
    let (one, other) = (maker.text(most), maker.text(most));
    let passage = maker.text(8);
    let mut mangled = passage.clone();
    for _ in 0..maker.below(6) {
        mangled = maker.mangle(&mangled);
    }
    let (cut, set) = (
        one.floor_char_boundary(maker.below(one.len() + 1)),
        other.floor_char_boundary(maker.below(other.len() + 1)),
    );
    vec![
        format!("{}\n{passage}\n{}", &one[..cut], &one[cut..]),
        format!("{}\n{mangled}\n{}", &other[..set], &other[set..]),
        passage,
    ]
}
