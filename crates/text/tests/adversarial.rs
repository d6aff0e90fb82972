//! Careless or dishonest changes to a sentence, written by hand over invented sources: none may be verified. Typographic changes must be verified.

#![expect(clippy::panic, reason = "a test may panic")]

use precedent_text::{AlteredReason, Border, Edit, EditNote, Location, Source, locate};

/// A source with true and false quotes.
struct Case {
    source: &'static str,
    verbatim: &'static [&'static str],
    false_quotes: &'static [&'static str],
}

const CASES: &[Case] = &[
    Case {
        source: "The reservoir held 12 000 litres of brine and 3.0 \u{d7} 10\u{2078} grains of sand when Ms \u{d8}deg\u{e5}rd locked it. \
                 The divers were measuring the depth near the wreck; the gain was \u{223c} 4 dB on the lower deck. \
                 Version 2.10 of the pump (in simulations) held for ten years. Rows 3 200 to 4 100 were lost in the flood.",
        verbatim: &[
            "The reservoir held 12,000 litres of brine and 3.0 \u{d7} 10\u{2078} grains of sand",
            "The reservoir held 12000 litres of brine and 3.0 x 10^8 grains of sand",
            "grains of sand when Ms Odegard locked it",
            "The divers were measuring the depth near the wreck [sic]; the gain was",
            "The div\u{435}rs were m\u{435}asuring the d\u{435}pth near the wr\u{435}ck",
            "Version 2.10 of the pump held for ten years",
            "Version 2.10 of the pump (in simulations) held for ten years",
        ],
        false_quotes: &[
            "The reservoir held 12 000 000 litres of brine and 3.0 \u{d7} 10\u{2078} grains of sand",
            "The reservoir held 1 2000 litres of brine and 3.0 \u{d7} 10\u{2078} grains of sand",
            "The reservoir held 000 litres of brine and 3.0 \u{d7} 10\u{2078} grains of sand",
            "The reservoir held 12 000 litres of brine and 3.0 x 10^9 grains of sand",
            "The reservoir held 12 000 litres of brine and 3.0 10\u{2078} grains of sand",
            "The divers were measured the depth near the wreck",
            "the gain was 4 dB on the lower deck. Version 2.10 of the pump",
            "Version 2.1 of the pump (in simulations) held for ten years",
            "Version 2.10 of the pump (on paper) held for ten years",
            "The divers were measuring the depth [never] near the wreck",
        ],
    },
    Case {
        source: "On the Harbour benchmark, TideNet consistently outperforms Drift and Shoal, reducing the error by up to 13.4% and 8.1%, \
                 respectively. TideNet may therefore replace Shoal in most ports, although it was not tested in fog. In 2019, three of the \
                 nine ports adopted it; the others did so in 2021 [4, 7].",
        verbatim: &[
            "On the Harbour benchmark, TideNet consistently outperforms Drift and Shoal",
            "TideNet consistently outperforms Drift and Shoal, reducing the error by up to 13.4 % and 8.1 %, respectively",
            "TideNet may therefore replace Shoal in most ports, although it was not tested in fog",
            "In 2019, three of the nine ports adopted it; the others did so in 2021",
            "In 2019, 3 of the 9 ports adopted it; the others did so in 2021 [4, 7].",
            "on Harbour benchmark, TideNet consistently outperforms Drift and Shoal",
        ],
        false_quotes: &[
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
        verbatim: &[
            "Samples were kept at -20 \u{b0}C for 48 h and then heated to 37 \u{b0}C within 5 min",
            "The dose was 2.5 mg/kg (range 1-4 mg/kg), given before meals",
            "The dose was 2\u{b7}5 mg/kg, given before meals. The half-life rose",
            "The half-life rose from 3.2 to 6.4 h (p < 0.01), a 2.0\u{d7} increase, in patients older than 65 years",
            "The half-life rose from 3.2 to 6.4 h (p < .01), a 2.0\u{d7} increase",
            "Adverse events were rare and mild: nausea, headache and fatigue",
        ],
        false_quotes: &[
            "The half-life rose from 3.20 to 6.4 h (p < .01), a 2.0\u{d7} increase",
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
        verbatim: &[
            "We show that \u{3b1}-pruning converges if the step \u{3b7} is smaller than 1/L, where L is the Lipschitz constant",
            "Kowalski argued that depth causes the gap; our results suggest that width does",
            "Neither CIFAR10 nor BERT-base is affected, and Parser++ is unaffected too",
            "Unlike Karlsen and Krause, Kowalski argued that depth causes the gap",
        ],
        false_quotes: &[
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
        verbatim: &[
            "Of 1024 respondents, 61% agreed, 27% disagreed and the rest had no opinion",
            "Women were slightly more likely than men to agree, but the difference was not statistically significant",
            "only those who had replied twice were counted. The median age was 44.2 years",
            "by the Norwegian and Swedish agencies and/or their contractors; only those who had replied twice were counted",
        ],
        false_quotes: &[
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
        verbatim: &[
            "\u{6240}\u{6709}\u{6a21}\u{578b}\u{7684}\u{51c6}\u{786e}\u{7387}\u{9ad8}\u{4e8e}\u{57fa}\u{7ebf}",
            "\u{6240}\u{6709}\u{6a21}\u{578b}\u{7684}\u{51c6}\u{786e}\u{7387} \u{9ad8}\u{4e8e}\u{57fa}\u{7ebf},\u{63d0}\u{9ad8}\u{4e86}12.5%",
            "Der Fehler sinkt nicht, wenn das Modell groesser wird",
            "Der Fehler sinkt nicht, wenn das Modell gr\u{f6}sser wird",
            "\u{39c}\u{395} \u{3a4}\u{397} \u{39c}\u{395}\u{398}\u{39f}\u{394}\u{39f} \u{3b1}\u{3c5}\u{3c4}\u{3b7} \u{3c4}\u{3bf} \u{3c3}\u{3c6}\u{3b1}\u{3bb}\u{3bc}\u{3b1}",
        ],
        false_quotes: &[
            "\u{6240}\u{6709}\u{6a21}\u{578b}\u{7684}\u{51c6}\u{786e}\u{7387}\u{4f4e}\u{4e8e}\u{57fa}\u{7ebf}",
            "\u{6240}\u{6709}\u{6a21}\u{578b}\u{7684}\u{51c6}\u{786e}\u{7387}\u{4e0d}\u{9ad8}\u{4e8e}\u{57fa}\u{7ebf}",
            "\u{6240}\u{6709}\u{6a21}\u{578b}\u{7684}\u{51c6}\u{786e}\u{7387}\u{9ad8}\u{4e8e}\u{57fa}\u{7ebf}\u{ff0c}\u{63d0}\u{9ad8}\u{4e86}15.2%",
            "Der Fehler sinkt, wenn das Modell gr\u{f6}\u{df}er wird",
            "Der Fehler sinkt nicht, wenn das Modell kleiner wird",
        ],
    },
    Case {
        source: "The step was halved to 10^-4 at every turn, and the cost grows as O(n^3) in the depth of the net. We write g(x) = c - d \
                 for the drift and g'(x) for its slope. The yield of 2e-6 was lost, whereas the sum c + d was kept in all of the runs. \
                 The inlet covers 7 m\u{b2} of the deck, at most \u{2212}3.5 V were measured there, and the ratio c/d was 1:4 on most days. \
                 The chance P(U|V) stays below ~0.2 on every pier, and y* minimises the loss e^{-y} for all of them. The set U \u{2282} V \
                 is closed, so we have \u{2200}y a map U \u{2192} V with y \u{2264} 3 on the pier.",
        verbatim: &[
            "The step was halved to 10^\u{2212}4 at every turn, and the cost grows as O(n^3) in the depth",
            "The step was halved to 10^{-4} at every turn, and the cost grows as O(n^3)",
            "The step was halved to 10\u{207b}\u{2074} at every turn, and the cost grows as O(n\u{b3})",
            "the cost grows as O(n3) in the depth of the net",
            "We write g(x) = c \u{2212} d for the drift and g\u{2032}(x) for its slope",
            "The inlet covers 7 m\u{b2} of the deck, at most -3.5 V were measured there",
            "The inlet covers 7 m2 of the deck, at most \u{2013}3.5 V were measured there",
            "The chance P(U | V) stays below ~ 0.2 on every pier, and y* minimises",
            "and the ratio $c/d$ was 1:4 on most days. The chance",
        ],
        false_quotes: &[
            "The step was halved to 10^4 at every turn, and the cost grows",
            "The step was halved to 10 4 at every turn, and the cost grows",
            "and the cost grows as O(n^-3) in the depth of the net",
            "and the cost grows as O(n) in the depth of the net",
            "We write g(x) = c + d for the drift and g'(x) for its slope",
            "We write g(x) = c d for the drift and g'(x) for its slope",
            "We write g(x) = d - c for the drift and g'(x) for its slope",
            "We write g(x) = c - d for the drift and g(x) for its slope",
            "The yield of 2e6 was lost, whereas the sum c + d was kept",
            "The yield of 2e-6 was lost, whereas the sum c - d was kept",
            "The yield of 2e-6 was lost, whereas the sum c d was kept",
            "The inlet covers 7 m of the deck, at most \u{2212}3.5 V were measured",
            "The inlet covers 7 m\u{b3} of the deck, at most \u{2212}3.5 V were measured",
            "The inlet covers 7 m\u{b2} of the deck, at most 3.5 V were measured there",
            "The inlet covers 7 M\u{b2} of the deck, at most \u{2212}3.5 V were measured there",
            "at most \u{2212}3.5 v were measured there, and the ratio c/d was 1:4",
            "and the ratio d/c was 1:4 on most days. The chance",
            "and the ratio c-d was 1:4 on most days. The chance",
            "and the ratio c/d was 1/4 on most days. The chance",
            "and the ratio c/d was 4:1 on most days. The chance",
            "The chance P(V|U) stays below ~0.2 on every pier, and y* minimises",
            "The chance P(U,V) stays below ~0.2 on every pier, and y* minimises",
            "The chance P(U|V) stays below 0.2 on every pier, and y* minimises",
            "on every pier, and y minimises the loss e^{-y} for all of them",
            "on every pier, and y* minimises the loss e^{y} for all of them",
            "The set U \u{2283} V is closed, so we have \u{2200}y a map",
            "The set U V is closed, so we have \u{2200}y a map",
            "The set u \u{2282} v is closed, so we have \u{2200}y a map",
            "is closed, so we have \u{2203}y a map U \u{2192} V",
            "so we have \u{2200}y a map U \u{2190} V with y \u{2264} 3",
            "so we have \u{2200}y a map V \u{2192} U with y \u{2264} 3",
            "a map U \u{2192} V with y \u{2265} 3 on the pier",
            "a map U \u{2192} V with y < 3 on the pier",
            "3.5 V were measured there, and the ratio c/d was 1:4",
        ],
    },
    Case {
        source: "In the longer of the two reports on the harbour we found that the forged invoices of the northern yard were paid in full by each \
                 of the three insurers that had covered the older ships of the fleet since the spring of the year before the fire. Few of the \
                 captains were heard. A few of the divers were asked twice by the US envoys who sailed with them on the last day. Is the yard \
                 to blame for the fire on the pier? The judge said so. It was shown that the non-toxic paint burns.",
        verbatim: &[
            "In longer of two reports on the harbour we found that forged invoices of northern yard were paid in full",
            "IN THE LONGER OF THE TWO REPORTS ON THE HARBOUR WE FOUND THAT THE FORGED INVOICES",
            "were asked twice by the US envoys who sailed with them on the last day",
            "Is the yard to blame for the fire on the pier?",
            "It was shown that the nontoxic paint burns",
        ],
        false_quotes: &[
            "In the longer of the two reports on the harbour we found that the invoices of the northern yard were paid in full by each of the \
             three insurers that had covered the older ships of the fleet since the spring of the year before the fire",
            "In the longer of the two reports on the harbour we found that the forged invoices of the yard were paid in full by each of the \
             three insurers that had covered the older ships of the fleet since the spring of the year before the fire",
            "In the longer of the two reports on the harbour we found that the allegedly forged invoices of the northern yard were paid in full \
             by each of the three insurers that had covered the older ships of the fleet since the spring of the year before the fire",
            "In the longer of the two reports on the harbour we found that the forged invoices of the northern yard were paid in full by each \
             of the three insurers that had covered the sunken older ships of the fleet since the spring of the year before the fire",
            "before the fire. A few of the captains were heard",
            "Few of the divers were asked twice by the US envoys",
            "A few of the divers were asked twice by the us envoys",
            "to blame for the fire on the pier. The judge said so",
            "toxic paint burns. In the longer of the two",
        ],
    },
    Case {
        source: "The coating protects the hull only in fresh water, as the older trials had found. It never held in salt water, whatever the \
                 makers of the coating said about it in their leaflets. The hull was painted in spring.",
        verbatim: &["The coating protects the hull ... The hull was painted in spring"],
        false_quotes: &[
            "The coating protects the hull ... in fresh water, as the older trials had found",
            "The coating protects the hull ... as the older trials had found",
            "The coating protects ... in fresh water, as the older trials had found",
            "It ... held in salt water, whatever the makers of the coating said",
        ],
    },
];

#[test]
fn false_quotes_are_rejected_and_typographic_changes_are_accepted() {
    let mut wrong = Vec::new();
    let (mut verbatim, mut false_quotes) = (0, 0);
    for case in CASES {
        let source = Source::new(case.source);
        let labelled = case
            .verbatim
            .iter()
            .map(|quote| (quote, true))
            .chain(case.false_quotes.iter().map(|quote| (quote, false)));
        for (quote, label) in labelled {
            let location = locate(&source, quote);
            *(if label { &mut verbatim } else { &mut false_quotes }) += 1;
            if location.verified() != label {
                wrong.push(format!(
                    "{quote:?} should{} be verified: {location:?}",
                    if label { "" } else { " not" }
                ));
            }
        }
    }
    assert!(verbatim >= 24 && false_quotes >= 100, "{verbatim} {false_quotes}");
    if !wrong.is_empty() {
        panic!("{} wrong:\n{}", wrong.len(), wrong.join("\n"));
    }
}

/// The edits of a quote that is verified, but not exact.
#[track_caller]
fn close(source: &str, quote: &str) -> (f64, Vec<Edit>) {
    match locate(&Source::new(source), quote) {
        Location::Close { score, edits, .. } => (score, edits),
        other => panic!("{quote:?}: {other:?}"),
    }
}

#[test]
fn small_edits_have_names() {
    let source =
        "The pump (in simulations) held for ten years. The keepers were reading the gauge at 12 000 hPa on a pier.";
    for (quote, expected) in [
        ("The pump held for ten years", EditNote::Parenthesis),
        ("The keeper were reading the gauge", EditNote::WordForm),
        ("The keepers are reading the gauge", EditNote::WordForm),
        ("were reading a gauge at 12 000 hPa", EditNote::FunctionWord),
        ("were reading the gauge at 12,000 hPa", EditNote::NumberForm),
        ("were reading the g\u{430}uge at 12 000 hPa", EditNote::LookAlikes),
    ] {
        let (_, edits) = close(source, quote);
        assert_eq!(
            edits.iter().map(|edit| edit.note).collect::<Vec<_>>(),
            [Some(expected)],
            "{quote}: {edits:?}"
        );
    }
}

const PIER: &str = "The pier was built in 1902 by the Lund brothers. It carries 30 Mg of ice on each of its 12 piles, as the AIDA survey says.";

#[test]
fn small_changes_have_edit_kinds_and_notes() {
    for (quote, note, output) in [
        (
            "The pier was built in 1902 [7] by the Lund brothers",
            EditNote::CitationNotInSource,
            "[7]",
        ),
        (
            "The pier was built in 1902 (Berg, 1999) by the Lund brothers",
            EditNote::CitationNotInSource,
            "(Berg, 1999)",
        ),
        (
            "The pier was built in 1902 by the Lund brothers?",
            EditNote::Punctuation,
            "brothers?",
        ),
        (
            "\u{202e}The pier was built in 1902 by the Lund brothers",
            EditNote::InvisibleCharacters,
            "\u{202e}",
        ),
        (
            "The pier was bu\u{200b}ilt in 1902 by the Lund brothers",
            EditNote::InvisibleCharacters,
            "\u{200b}",
        ),
        (
            "of ice on each of its 12 piles, as the aida survey says",
            EditNote::LetterCase,
            "aida",
        ),
    ] {
        let (score, edits) = close(PIER, quote);
        assert!(score < 1.0, "{quote} {score}");
        assert!(
            edits.iter().any(|edit| edit.note == Some(note) && edit.quote == output),
            "{quote} {edits:?}"
        );
    }
    let unit = locate(&Source::new(PIER), "It carries 30 mg of ice on each of its 12 piles");
    assert!(
        matches!(unit, Location::Altered { score, .. } if score < 1.0),
        "{unit:?}"
    );
}

#[test]
fn a_gap_reports_its_limiting_words() {
    let text = "The coating held in salt water. That was so only in the first year, however, and in none of the later ones.\n\nThe hull was \
                painted twice.";
    let source = Source::new(text);
    let quote = "The coating held in salt water ... The hull was painted twice";
    let Location::Stitched { spans, gaps, .. } = locate(&source, quote) else {
        panic!()
    };
    assert_eq!((spans.len(), gaps.len()), (2, 1));
    assert_eq!((gaps[0].words, gaps[0].crosses), (16, Some(Border::Paragraph)));
    assert_eq!(gaps[0].limits, ["only", "none"]);
    let one = locate(
        &source,
        "That was so ... in the first year, however, and in none of the later ones",
    );
    assert!(
        matches!(&one, Location::Altered { reasons, edits, .. } if reasons == &[AlteredReason::Quantifier] && edits[0].source == "only"),
        "{one:?}"
    );
}

#[test]
fn added_connectives_are_rejected() {
    let source = Source::new(
        "We saw no gain from a second mast on open water. Two crews disagree about the cause of the drift. The rope binds the buoy to the \
         keel, inhibits its roll and spares the mooring. The paint is safe for hulls but harmful to divers who scrape it off.",
    );
    for quote in [
        "no gain from a second mast on open water. Therefore two crews disagree about the cause of the drift",
        "no gain from a second mast on open water. However, two crews disagree about the cause of the drift",
        "The rope binds the buoy to the keel, thus inhibits its roll and spares the mooring",
        "The rope also binds the buoy to the keel, inhibits its roll and spares the mooring",
        "The paint is safe for hulls … and divers who scrape it off",
    ] {
        let found = locate(&source, quote);
        assert!(!found.verified(), "{quote}: {found:?}");
    }
    let left_out = "The rope binds the buoy to the keel, inhibits its roll, spares the mooring";
    assert!(locate(&source, left_out).verified());
}
