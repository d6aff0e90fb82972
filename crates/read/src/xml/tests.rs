use precedent_domain::{ParagraphKind, SectionKind};
use proptest::prelude::*;

use super::{read_jats, read_tei};
use crate::draft::Draft;
use crate::format::FormatError;

const JATS: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE article PUBLIC "-//NLM//DTD JATS (Z39.96) Journal Publishing DTD v1.1//EN" "JATS-journalpublishing1.dtd" [<!ENTITY own "x">]>
<article xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:mml="http://www.w3.org/1998/Math/MathML"><front><article-meta>
<article-id pub-id-type="doi">10.1371/journal.x.1</article-id>
<title-group><article-title>On <italic>Marks</italic><xref ref-type="fn" rid="f1"/></article-title><subtitle>A Study</subtitle></title-group>
<contrib-group><contrib contrib-type="author"><name><surname>Lee</surname><given-names>Ann B.</given-names></name></contrib>
<contrib contrib-type="author"><collab>The Mark Group</collab></contrib><contrib contrib-type="editor"><name><surname>Ed</surname></name></contrib></contrib-group>
<pub-date pub-type="collection"><year>2015</year></pub-date><pub-date pub-type="epub"><day>7</day><month>3</month><year>2015</year></pub-date>
<abstract><sec><title>Background</title><p>We study marks&nbsp;&own;.</p></sec><sec><title>Results</title><p>They are &alpha;.</p></sec></abstract>
<abstract abstract-type="graphical"><p>no</p></abstract></article-meta></front>
<body><sec id="s1"><label>1</label><title>Introduction</title><p>Marks matter [<xref ref-type="bibr" rid="B1">1</xref>&#8211;<xref ref-type="bibr" rid="B3">3</xref>] in <xref ref-type="fig" rid="F1">Fig 1</xref>
and again<sup><xref ref-type="bibr" rid="B2">2</xref></sup>. Size 10<sup>3</sup>: <inline-formula><mml:math><mml:msub><mml:mi>x</mml:mi><mml:mi>i</mml:mi></mml:msub></mml:math></inline-formula>.
<disp-formula id="e1"><tex-math>\begin{document}$$E=mc^2$$\end{document}</tex-math></disp-formula> where it goes on.</p>
<fig id="F1"><label>Figure 1</label><caption><title>A mark.</title><p>Seen from above.</p></caption><graphic/></fig>
<sec><title>Details</title><list><list-item><p>First.</p></list-item><list-item><p>Second.</p></list-item></list>
<table-wrap><label>Table 1</label><caption><p>Counts.</p></caption><table><tr><th>Name</th><th>Count</th></tr><tr><td>A</td><td>3</td></tr></table><table-wrap-foot><fn><p>Note.</p></fn></table-wrap-foot></table-wrap>
<disp-quote><p>Quoted.</p></disp-quote><preformat>a
b</preformat></sec></sec></body>
<back><ack><p>Thanks.</p></ack><ref-list><title>References</title>
<ref id="B1"><label>1.</label><element-citation publication-type="journal"><person-group person-group-type="author"><name><surname>Roy</surname><given-names>B</given-names></name></person-group>
<article-title>More marks</article-title><source>J Marks</source><year>1999</year><volume>2</volume><fpage>1</fpage><lpage>9</lpage><pub-id pub-id-type="doi">10.1234/ABC</pub-id></element-citation></ref>
<ref id="B2"><label>2</label><mixed-citation><name><surname>Wu</surname> <given-names>C</given-names></name> (<year>2001</year>) <article-title>On lines</article-title>. <source>J</source> 1: 2.</mixed-citation></ref>
<ref id="B3"><mixed-citation>Plain words, 2003.</mixed-citation></ref></ref-list>
<app-group><app><title>More</title><p>Extra.</p></app></app-group></back>
<sub-article><front-stub/><body><p>Decision letter.</p></body></sub-article></article>"#;

const TEI: &str = r##"<?xml version="1.0"?><TEI xmlns="http://www.tei-c.org/ns/1.0"><teiHeader><fileDesc><titleStmt><title level="a" type="main">On Marks</title></titleStmt>
<publicationStmt><date type="published" when="2021-05-04">4 May 2021</date></publicationStmt><sourceDesc><biblStruct><analytic>
<author><persName><forename type="first">Ann</forename><forename type="middle">B</forename><surname>Lee</surname></persName><affiliation>x</affiliation></author>
<author><affiliation>lost</affiliation></author></analytic><idno type="DOI">10.1234/tei</idno><idno type="arXiv">arXiv:2101.00001v2[cs.CL]</idno></biblStruct></sourceDesc></fileDesc>
<profileDesc><abstract><div><p>We study marks.</p></div></abstract></profileDesc></teiHeader>
<text><body><div><head n="1">Introduction</head><p>Marks matter <ref type="bibr" target="#b0">[1]</ref><ref type="bibr" target="#b1">[2]</ref>, see <ref type="figure" target="#fig_0">1</ref>.</p>
<formula xml:id="f0">E = mc 2</formula></div><div><head n="1.1">Details</head><p>More.</p><list><item>One.</item></list></div>
<note place="foot" n="1">A note.</note>
<figure xml:id="fig_0"><head>Figure 1 :</head><label>1</label><figDesc>A mark.</figDesc></figure></body>
<back><div type="acknowledgement"><div><head>Acknowledgements</head><p>Thanks.</p></div></div><div type="annex"><div><head n="A">Proofs</head><p>Extra.</p></div></div>
<div type="references"><listBibl><biblStruct xml:id="b0"><analytic><title level="a">More marks</title><author><persName><forename>Bob</forename><surname>Roy</surname></persName></author></analytic>
<monogr><title level="j">J Marks</title><imprint><biblScope unit="volume">2</biblScope><biblScope unit="page" from="1" to="9"/><date type="published" when="1999">1999</date></imprint></monogr></biblStruct>
<biblStruct xml:id="b1"><monogr><title>A Book</title><imprint><date when="2001"/></imprint></monogr><note type="raw_reference">C. Wu. A Book. 2001.</note></biblStruct></listBibl></div></back></text></TEI>"##;

fn marks(draft: &Draft) -> Vec<(&str, Vec<&str>)> {
    let blocks = draft.blocks.iter();
    blocks
        .flat_map(|block| {
            let marks = block.citations.iter();
            marks.map(|(range, keys)| (&block.text[range.clone()], keys.iter().map(String::as_str).collect()))
        })
        .collect()
}

#[test]
fn a_jats_article() {
    let draft = read_jats(JATS).unwrap();
    assert_eq!(draft.title.as_deref(), Some("On Marks: A Study"));
    let names: Vec<&str> = draft.authors.iter().map(|author| author.name.as_str()).collect();
    assert_eq!(names, ["Ann B. Lee", "The Mark Group"]);
    assert_eq!(draft.identifiers.doi.as_ref().unwrap().as_str(), "10.1371/journal.x.1");
    let dates: Vec<String> = draft.dates.iter().map(|dated| dated.date.to_string()).collect();
    assert!(
        dates.contains(&"2015-03-07".to_owned()) && dates.contains(&"2015".to_owned()),
        "{dates:?}"
    );
    assert_eq!(
        draft.texts(ParagraphKind::Heading),
        [
            "Abstract",
            "1 Introduction",
            "Details",
            "Acknowledgements",
            "References",
            "More"
        ]
    );
    assert_eq!(
        draft.texts(ParagraphKind::Body),
        [
            "Background: We study marks .",
            "Results: They are α.",
            "Marks matter [1–3] in Fig 1 and again [2]. Size 10^3: x_i.",
            "where it goes on.",
            "Thanks.",
            "Extra."
        ]
    );
    assert_eq!(draft.texts(ParagraphKind::DisplayMath), ["E=mc^2"]);
    assert_eq!(
        draft.texts(ParagraphKind::Caption),
        ["Figure 1: A mark. Seen from above.", "Table 1: Counts."]
    );
    assert_eq!(draft.texts(ParagraphKind::Table), ["Name | Count\nA | 3"]);
    assert_eq!(draft.texts(ParagraphKind::Footnote), ["Note."]);
    assert_eq!(draft.texts(ParagraphKind::ListItem), ["First.", "Second."]);
    assert_eq!(draft.texts(ParagraphKind::BlockQuote), ["Quoted."]);
    assert_eq!(draft.texts(ParagraphKind::Code), ["a\nb"]);
    assert_eq!(
        draft.texts(ParagraphKind::Reference),
        [
            "B Roy (1999). More marks. J Marks 2:1–9. doi:10.1234/abc.",
            "Wu C (2001) On lines. J 1: 2.",
            "Plain words, 2003."
        ]
    );
    assert_eq!(marks(&draft), [("[1–3]", vec!["B1", "B2", "B3"]), ("[2]", vec!["B2"])]);
    let hint = draft.blocks.iter().find_map(|block| block.reference.as_ref()).unwrap();
    assert_eq!(
        (hint.label.as_deref(), hint.year, hint.title.as_deref()),
        (Some("1"), Some(1999), Some("More marks"))
    );
    let kinds: Vec<_> = draft
        .blocks
        .iter()
        .filter_map(|block| block.heading.as_ref())
        .map(|hint| (hint.level, hint.kind))
        .collect();
    assert_eq!(kinds[1].0, Some(1));
    assert_eq!(kinds[2].0, Some(2));
    assert_eq!(kinds[5].1, Some(SectionKind::Appendix));
}

#[test]
fn a_tei_document() {
    let draft = read_tei(TEI).unwrap();
    assert_eq!(draft.title.as_deref(), Some("On Marks"));
    let names: Vec<&str> = draft.authors.iter().map(|author| author.name.as_str()).collect();
    assert_eq!(names, ["Ann B Lee"]);
    assert_eq!(draft.dates[0].date.to_string(), "2021-05-04");
    assert_eq!(
        draft.texts(ParagraphKind::Heading),
        [
            "Abstract",
            "1 Introduction",
            "1.1 Details",
            "Acknowledgements",
            "A Proofs",
            "References"
        ]
    );
    assert_eq!(
        draft.texts(ParagraphKind::Body),
        [
            "We study marks.",
            "Marks matter [1][2], see 1.",
            "More.",
            "Thanks.",
            "Extra."
        ]
    );
    assert_eq!(draft.texts(ParagraphKind::Footnote), ["A note."]);
    assert_eq!(draft.texts(ParagraphKind::Caption), ["Figure 1 : A mark."]);
    assert_eq!(
        draft.texts(ParagraphKind::Reference),
        ["Bob Roy. More marks. J Marks, 2, 1–9, 1999.", "C. Wu. A Book. 2001."]
    );
    let linked: Vec<&str> = marks(&draft).into_iter().flat_map(|(_, keys)| keys).collect();
    assert_eq!(linked, ["b0", "b1"]);
    let kinds: Vec<_> = draft
        .blocks
        .iter()
        .filter_map(|block| block.heading.as_ref())
        .map(|hint| hint.kind)
        .collect();
    assert_eq!(kinds[4], Some(SectionKind::Appendix));
}

#[test]
fn xml_without_an_article_is_an_error() {
    for read in [read_jats as fn(&str) -> _, read_tei] {
        assert_eq!(read("").map(|_: Draft| ()).unwrap_err(), FormatError::Empty);
        for text in [
            "plain",
            "<a/>",
            "<article><body>",
            "<TEI><text>",
            "<?xml version='1.0'?>",
            "<!DOCTYPE article",
        ] {
            let error = read(text).map(|_| ()).unwrap_err();
            assert!(matches!(error, FormatError::NotThisFormat { .. }), "{text}: {error:?}");
        }
    }
    assert_eq!(read_jats("<article/>").unwrap_err(), FormatError::Empty);
    assert_eq!(read_tei("<TEI/>").unwrap_err(), FormatError::Empty);
}

#[test]
fn entity_bombs_and_deep_nesting_are_harmless() {
    let mut bomb = String::from("<?xml version=\"1.0\"?><!DOCTYPE article [<!ENTITY a \"lol\">");
    for (name, next) in "bcdefghij".chars().zip("abcdefghi".chars()) {
        bomb.push_str(&format!("<!ENTITY {name} \"{}\">", format!("&{next};").repeat(10)));
    }
    bomb.push_str(
        "<!ENTITY file SYSTEM \"file:///etc/passwd\">]><article><body><p>Start &j; &file; end.</p></body></article>",
    );
    let draft = read_jats(&bomb).unwrap();
    assert_eq!(draft.texts(ParagraphKind::Body), ["Start end."]);
    let deep = format!("<article><body>{}x", "<sec>".repeat(200_000));
    assert!(matches!(
        read_jats(&deep).unwrap_err(),
        FormatError::NotThisFormat { .. }
    ));
    let nested = format!(
        "<article><body>{}x{}</body></article>",
        "<sec><b>".repeat(450),
        "</b></sec>".repeat(450)
    );
    assert_eq!(read_jats(&nested).unwrap().texts(ParagraphKind::Body), ["x"]);
    let wide = format!("<article><body>{}</body></article>", "<p>x</p>".repeat(100_000));
    assert_eq!(read_jats(&wide).unwrap().texts(ParagraphKind::Body).len(), 100_000);
}

proptest! {
    #[test]
    fn never_panics(text in "(?s).{0,300}") {
        let _ = read_jats(&text);
        let _ = read_tei(&text);
    }

    #[test]
    fn never_panics_on_cuts(cut in 0usize..4_000) {
        for (text, read) in [(JATS, read_jats as fn(&str) -> _), (TEI, read_tei)] {
            if let Some(head) = text.get(..cut.min(text.len())) {
                let _ = read(head);
                let tail = text.get(cut.min(text.len())..).unwrap_or_default();
                let _ = read(&format!("<article>{tail}"));
            }
        }
    }

    #[test]
    fn never_panics_on_elements(names in proptest::collection::vec(
        prop_oneof![
            Just("sec"), Just("p"), Just("xref"), Just("ref-list"), Just("ref"), Just("mixed-citation"), Just("element-citation"), Just("fig"), Just("caption"),
            Just("table-wrap"), Just("table"), Just("tr"), Just("sup"), Just("list"), Just("list-item"), Just("fn"), Just("math"), Just("mfrac"), Just("msub"),
            Just("inline-formula"), Just("disp-formula"), Just("tex-math"), Just("abstract"), Just("front"), Just("article-meta"), Just("article-title"),
            Just("contrib"), Just("name"), Just("div"), Just("head"), Just("biblStruct"), Just("listBibl"), Just("formula"), Just("note"), Just("figure"),
        ], 0..40)) {
        let open: String = names.iter().map(|name| format!("<{name} id=\"a\" rid=\"a\" ref-type=\"bibr\">ü 1, ")).collect();
        let close: String = names.iter().rev().map(|name| format!("</{name}>")).collect();
        let _ = read_jats(&format!("<article><front/><body>{open}{close}</body></article>"));
        let _ = read_tei(&format!("<TEI><text><body>{open}{close}</body></text></TEI>"));
    }
}

#[test]
fn namespaces_that_multiply_are_refused() {
    let declared: String = (0..200).map(|number| format!(" xmlns:n{number}='u'")).collect();
    let bomb = format!("<article{declared}>{}</article>", "<p xmlns:n0='v'/>".repeat(100_000));
    let error = read_jats(&bomb).unwrap_err();
    assert!(error.to_string().contains("namespaces"), "{error}");
    let endless = format!("<article>{}</article>", "xmlns".repeat(1 << 20));
    assert!(read_jats(&endless).is_err());
    // Journals declare MathML once per formula.
    let formulas = "<p><m:math xmlns:m='m' xmlns:x='x'><m:mi>x</m:mi></m:math></p>".repeat(20_000);
    assert!(read_jats(&format!("<article xmlns:a='a'><body>{formulas}</body></article>")).is_ok());
}
