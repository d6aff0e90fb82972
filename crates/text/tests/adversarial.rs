//! What a careless or dishonest quote does to a sentence, by hand, over invented sources: none of it is verified. And what print does, which is.

use precedent_text::{Source, locate};

/// A source, what is true of it, what is not.
struct Case {
    source: &'static str,
    stands: &'static [&'static str],
    lies: &'static [&'static str],
}

const CASES: &[Case] = &[
    Case {
        source: "On the Harbour benchmark, TideNet consistently outperforms Drift and Shoal, reducing the error by up to 13.4% and 8.1%, \
                 respectively. TideNet may therefore replace Shoal in most ports, although it was not tested in fog. In 2019, three of the \
                 nine ports adopted it; the others did so in 2021 [4, 7].",
        stands: &[
            "On the Harbour benchmark, TideNet consistently outperforms Drift and Shoal",
            "TideNet consistently outperforms Drift and Shoal, reducing the error by up to 13.4 % and 8.1 %, respectively",
            "TideNet may therefore replace Shoal in most ports, although it was not tested in fog",
            "In 2019, three of the nine ports adopted it; the others did so in 2021",
            "In 2019, 3 of the 9 ports adopted it; the others did so in 2021 [4, 7].",
            "on Harbour benchmark, TideNet consistently outperforms Drift and Shoal",
        ],
        lies: &[
            "On the Harbour benchmark, TideNet is consistently outperformed by Drift and Shoal",
            "On the Harbour benchmark, Drift consistently outperforms TideNet and Shoal",
            "On the Harbour benchmark, TideNet outperforms Drift and Shoal, reducing the error",
            "On the Harbour benchmark, TideNet consistently outperforms Drift, reducing the error by up to 13.4%",
            "On the Harbour benchmark, TideNet consistently outperforms Drift and Shell, reducing the error",
            "outperforms Drift and Shoal, reducing the error by up to 8.1% and 13.4%, respectively",
            "outperforms Shoal and Drift, reducing the error by up to 13.4% and 8.1%, respectively",
            "outperforms Drift and Shoal, reducing the error by 13.4% and 8.1%, respectively",
            "outperforms Drift and Shoal, reducing the error by up to 13.4 and 8.1 percentage points, respectively",
            "outperforms Drift and Shoal, reducing the error by up to 134% and 8.1%, respectively",
            "outperforms Drift and Shoal, reducing the error to 13.4% and 8.1%, respectively",
            "TideNet will therefore replace Shoal in most ports, although it was not tested in fog",
            "TideNet may therefore replace Shoal in all ports, although it was not tested in fog",
            "TideNet may therefore replace Shoal in ports, although it was not tested in fog",
            "TideNet may therefore replace Shoal in most ports, although it was tested in fog",
            "TideNet may therefore replace Shoal in most ports, because it was not tested in fog",
            "Shoal may therefore replace TideNet in most ports, although it was not tested in fog",
            "In 2018, three of the nine ports adopted it; the others did so in 2021",
            "In 2021, three of the nine ports adopted it; the others did so in 2019",
            "In 2019, nine of the three ports adopted it; the others did so in 2021",
            "In 2019, three of the nine ports rejected it; the others did so in 2021",
            "In 2019, three of the nine ports adopted it; none of the others did so in 2021",
        ],
    },
    Case {
        source: "Samples were kept at \u{2212}20 \u{b0}C for 48 h and then heated to 37 \u{b0}C within 5 min. The dose was 2\u{b7}5 mg/kg (range \
                 1\u{2013}4 mg/kg), given before meals. The half-life rose from 3.2 to 6.4 h (p < 0.01), a 2.0\u{d7} increase, in patients older \
                 than 65 years but not in children. Adverse events were rare and mild: nausea, headache, and fatigue.",
        stands: &[
            "Samples were kept at -20 \u{b0}C for 48 h and then heated to 37 \u{b0}C within 5 min",
            "The dose was 2.5 mg/kg (range 1-4 mg/kg), given before meals",
            "The dose was 2\u{b7}5 mg/kg, given before meals. The half-life rose",
            "The half-life rose from 3.2 to 6.4 h (p < 0.01), a 2.0\u{d7} increase, in patients older than 65 years",
            "The half-life rose from 3.20 to 6.4 h (p < .01), a 2.0\u{d7} increase",
            "Adverse events were rare and mild: nausea, headache and fatigue",
        ],
        lies: &[
            "Samples were kept at 20 \u{b0}C for 48 h and then heated to 37 \u{b0}C",
            "Samples were kept at \u{2212}20 \u{b0}F for 48 h and then heated to 37 \u{b0}C",
            "Samples were kept at \u{2212}20 \u{b0}C for 48 min and then heated to 37 \u{b0}C within 5 h",
            "Samples were kept at \u{2212}20 \u{b0}C for 84 h and then heated to 37 \u{b0}C",
            "Samples were kept at \u{2212}20 \u{b0}C for 48 h and then cooled to 37 \u{b0}C",
            "for 48 h and then heated to 37 \u{b0}C after 5 min. The dose",
            "for 48 h and then heated to 37 \u{b0}C at 5 min. The dose was",
            "The dose was 25 mg/kg (range 1\u{2013}4 mg/kg), given before meals",
            "The dose was 2.5 \u{3bc}g/kg (range 1\u{2013}4 mg/kg), given before meals",
            "The dose was 2.5 mg (range 1\u{2013}4 mg/kg), given before meals",
            "The dose was 2.5 mg/kg (range 14 mg/kg), given before meals",
            "The dose was 2.5 mg/kg (range 1\u{2013}4 mg/kg), given after meals",
            "The dose was 2.5 mg/kg (range 1\u{2013}4 mg/kg), given with meals",
            "The half-life fell from 3.2 to 6.4 h (p < 0.01), a 2.0\u{d7} increase",
            "The half-life rose from 6.4 to 3.2 h (p < 0.01), a 2.0\u{d7} increase",
            "The half-life rose from 3.2 to 6.4 h (p > 0.01), a 2.0\u{d7} increase",
            "The half-life rose from 3.2 to 6.4 h (p < 0.1), a 2.0\u{d7} increase",
            "The half-life rose from 3.2 to 6.4 h (p < 0.01), a 2.0 increase, in patients older",
            "The half-life rose from 3.2 to 6.4 h (p < 0.01), a 2.0% increase, in patients older",
            "increase, in patients younger than 65 years but not in children. Adverse events",
            "increase, in patients older than 65 years and in children. Adverse events",
            "increase, in patients older than 56 years but not in children. Adverse events",
            "increase, in patients older than 65 months but not in children. Adverse events",
            "Adverse events were not rare and mild: nausea, headache, and fatigue",
            "Adverse events were rare and severe: nausea, headache, and fatigue",
            "Adverse events were rare and mild: nausea and fatigue. Samples were",
            "Adverse events were rare and mild: nausea, headache, vomiting, and fatigue",
            "Adverse events were common and mild: nausea, headache, and fatigue",
        ],
    },
    Case {
        source: "We show that \u{3b1}-pruning converges if the step \u{3b7} is smaller than 1/L, where L is the Lipschitz constant. It needs \
                 O(n log n) time and at least k + 1 samples. Unlike Karlsen and Krause, Kowalski argued that depth causes the gap; our re-\n\
                 sults suggest that width does. Neither CIFAR10 nor BERT-base is affected, and Parser++ is unaffected too.",
        stands: &[
            "We show that \u{3b1}-pruning converges if the step \u{3b7} is smaller than 1/L, where L is the Lipschitz constant",
            "Kowalski argued that depth causes the gap; our results suggest that width does",
            "Neither CIFAR10 nor BERT-base is affected, and Parser++ is unaffected too",
            "Unlike Karlsen and Krause, Kowalski argued that depth causes the gap",
        ],
        lies: &[
            "We show that \u{3b2}-pruning converges if the step \u{3b7} is smaller than 1/L",
            "We show that \u{3b1}-pruning diverges if the step \u{3b7} is smaller than 1/L",
            "We show that \u{3b1}-pruning converges if the step \u{3b7} is larger than 1/L",
            "We show that \u{3b1}-pruning converges unless the step \u{3b7} is smaller than 1/L",
            "We show that \u{3b1}-pruning converges if the step \u{3b5} is smaller than 1/L",
            "We show that \u{3b1}-pruning converges if the step \u{3b7} is smaller than 2/L",
            "We doubt that \u{3b1}-pruning converges if the step \u{3b7} is smaller than 1/L",
            "It needs O(n log n) time and at most k + 1 samples",
            "It needs O(n) time and at least k + 1 samples. Unlike Karlsen",
            "It needs O(n log n) time and at least k \u{2212} 1 samples",
            "It needs O(n log n) time and at least k + 2 samples",
            "It needs O(n log n) space and at least k + 1 samples",
            "Like Karlsen and Krause, Kowalski argued that depth causes the gap",
            "Unlike Karlsen and Kowalski, Krause argued that depth causes the gap",
            "Unlike Karlsen and Krause, Kowalski argued that width causes the gap",
            "Unlike Karlsen and Krause, Kowalski argued that the gap causes depth",
            "Unlike Karlsen and Krause, Kovalenko argued that depth causes the gap",
            "Unlike Karlsen, Kowalski argued that depth causes the gap; our results",
            "argued that depth causes the gap; our results show that width does",
            "argued that depth causes the gap; our results suggest that width does not",
            "Neither CIFAR100 nor BERT-base is affected, and Parser++ is unaffected too",
            "Neither CIFAR10 nor BERT-large is affected, and Parser++ is unaffected too",
            "Both CIFAR10 and BERT-base is affected, and Parser++ is unaffected too",
            "Neither CIFAR10 nor BERT-base is affected, and Parser++ is affected too",
            "Neither CIFAR10 nor BERT-base is affected, and Parser is unaffected too",
        ],
    },
    Case {
        source: "Of 1,024 respondents, 61% agreed, 27% disagreed and the rest had no opinion. Women were slightly more likely than men to agree \
                 (odds ratio 1.3; 95% CI 0.9\u{2013}1.8), but the difference was not statistically significant. The survey was sent out on 3 March \
                 2014 by the Norwegian and Swedish agencies and/or their contractors; only those who had replied twice were counted.\n\n\
                 17\n\nThe median age was 44.2 years.",
        stands: &[
            "Of 1024 respondents, 61% agreed, 27% disagreed and the rest had no opinion",
            "Women were slightly more likely than men to agree, but the difference was not statistically significant",
            "only those who had replied twice were counted. The median age was 44.2 years",
            "by the Norwegian and Swedish agencies and/or their contractors; only those who had replied twice were counted",
        ],
        lies: &[
            "Of 1,024 respondents, 27% agreed, 61% disagreed and the rest had no opinion",
            "Of 1,042 respondents, 61% agreed, 27% disagreed and the rest had no opinion",
            "Of 1,024 respondents, 61% agreed and the rest had no opinion. Women were",
            "Of 1,024 respondents, 61 agreed, 27 disagreed and the rest had no opinion",
            "Of 1,024 respondents, 61% agreed, 27% disagreed and the rest had an opinion",
            "Women were slightly less likely than men to agree (odds ratio 1.3; 95% CI 0.9\u{2013}1.8)",
            "Women were more likely than men to agree (odds ratio 1.3; 95% CI 0.9\u{2013}1.8)",
            "Men were slightly more likely than women to agree (odds ratio 1.3; 95% CI 0.9\u{2013}1.8)",
            "Women were slightly more likely than men to agree (odds ratio 1.8; 95% CI 0.9\u{2013}1.8)",
            "Women were slightly more likely than men to agree (odds ratio 1.3; 99% CI 0.9\u{2013}1.8)",
            "Women were slightly more likely than men to agree, but the difference was statistically significant",
            "Women were slightly more likely than men to agree, and the difference was not statistically significant",
            "but the difference was not significant. The survey was sent out on 3 March 2014",
            "The survey was sent out on 3 May 2014 by the Norwegian and Swedish agencies",
            "The survey was sent out on 13 March 2014 by the Norwegian and Swedish agencies",
            "The survey was sent out on 3 March 2014 by the Norwegian and Swiss agencies",
            "The survey was sent out on 3 March 2014 by the Norwegian agencies and/or their contractors",
            "The survey was sent out on 3 March 2014 by the Norwegian and Swedish agencies and their contractors",
            "The survey was sent out on 3 March 2014 to the Norwegian and Swedish agencies",
            "and/or their contractors; those who had replied twice were counted. The median",
            "and/or their contractors; only those who had replied once were counted",
            "only those who had replied twice were excluded. The median age was 44.2 years",
            "only those who had replied twice were counted. The mean age was 44.2 years",
            "only those who had replied twice were counted. The median age was 44.2 months",
        ],
    },
    Case {
        source: "\u{672c}\u{7814}\u{7a76}\u{4e2d}\u{ff0c}\u{6240}\u{6709}\u{6a21}\u{578b}\u{7684}\u{51c6}\u{786e}\u{7387}\u{9ad8}\u{4e8e}\u{57fa}\u{7ebf}\u{ff0c}\u{63d0}\u{9ad8}\u{4e86}12.5%\u{3002}Der Fehler sinkt nicht, wenn das Modell gr\u{f6}\u{df}er wird. \u{39c}\u{3b5} \u{3c4}\u{3b7} \u{3bc}\u{3ad}\u{3b8}\u{3bf}\u{3b4}\u{3bf} \u{3b1}\u{3c5}\u{3c4}\u{3ae} \u{3c4}\u{3bf} \u{3c3}\u{3c6}\u{3ac}\u{3bb}\u{3bc}\u{3b1} \u{3bc}\u{3b5}\u{3b9}\u{3ce}\u{3bd}\u{3b5}\u{3c4}\u{3b1}\u{3b9}.",
        stands: &[
            "\u{6240}\u{6709}\u{6a21}\u{578b}\u{7684}\u{51c6}\u{786e}\u{7387}\u{9ad8}\u{4e8e}\u{57fa}\u{7ebf}",
            "\u{6240}\u{6709}\u{6a21}\u{578b}\u{7684}\u{51c6}\u{786e}\u{7387} \u{9ad8}\u{4e8e}\u{57fa}\u{7ebf},\u{63d0}\u{9ad8}\u{4e86}12.5%",
            "Der Fehler sinkt nicht, wenn das Modell groesser wird",
            "Der Fehler sinkt nicht, wenn das Modell gr\u{f6}sser wird",
            "\u{39c}\u{395} \u{3a4}\u{397} \u{39c}\u{395}\u{398}\u{39f}\u{394}\u{39f} \u{3b1}\u{3c5}\u{3c4}\u{3b7} \u{3c4}\u{3bf} \u{3c3}\u{3c6}\u{3b1}\u{3bb}\u{3bc}\u{3b1}",
        ],
        lies: &[
            "\u{6240}\u{6709}\u{6a21}\u{578b}\u{7684}\u{51c6}\u{786e}\u{7387}\u{4f4e}\u{4e8e}\u{57fa}\u{7ebf}",
            "\u{6240}\u{6709}\u{6a21}\u{578b}\u{7684}\u{51c6}\u{786e}\u{7387}\u{4e0d}\u{9ad8}\u{4e8e}\u{57fa}\u{7ebf}",
            "\u{6240}\u{6709}\u{6a21}\u{578b}\u{7684}\u{51c6}\u{786e}\u{7387}\u{9ad8}\u{4e8e}\u{57fa}\u{7ebf}\u{ff0c}\u{63d0}\u{9ad8}\u{4e86}15.2%",
            "Der Fehler sinkt, wenn das Modell gr\u{f6}\u{df}er wird",
            "Der Fehler sinkt nicht, wenn das Modell kleiner wird",
        ],
    },
];

#[test]
fn lies_are_not_verified_and_print_is_no_lie() {
    let mut wrong = Vec::new();
    let (mut stands, mut lies) = (0, 0);
    for case in CASES {
        let source = Source::new(case.source);
        let labelled = case
            .stands
            .iter()
            .map(|quote| (quote, true))
            .chain(case.lies.iter().map(|quote| (quote, false)));
        for (quote, label) in labelled {
            let location = locate(&source, quote);
            *(if label { &mut stands } else { &mut lies }) += 1;
            if location.verified() != label {
                wrong.push(format!(
                    "{quote:?} should{} be verified: {location:?}",
                    if label { "" } else { " not" }
                ));
            }
        }
    }
    assert!(stands >= 24 && lies >= 100, "{stands} {lies}");
    if !wrong.is_empty() {
        panic!("{} wrong:\n{}", wrong.len(), wrong.join("\n"));
    }
}
