use precedent_domain::ParagraphKind;
use proptest::prelude::*;

use super::{arrange, authors, entry};
use crate::budget::ReadBudget;
use crate::draft::Block;

fn show(entry: &str) -> (Option<u16>, String, String) {
    let parsed = entry::parse(entry);
    let names: Vec<String> = parsed.authors.into_iter().map(|author| author.name).collect();
    (parsed.year, parsed.title.unwrap_or_default(), names.join("; "))
}

fn check(entry: &str, year: u16, title: &str, names: &str) {
    assert_eq!(show(entry), (Some(year), title.to_owned(), names.to_owned()), "{entry}");
}

#[test]
fn natbib_plain() {
    check(
        "Ann Lee, Bob Q. Roy, and Kay van der Berg. Parsing trees in linear time. In Advances in Neural Information Processing Systems, volume 32, pages 10–20, 2019.",
        2019,
        "Parsing trees in linear time",
        "Ann Lee; Bob Q. Roy; Kay van der Berg",
    );
    check(
        "Ann Lee, Bob Roy, et al. Tree-Net: Parsing of trees, 2024. URL https://arxiv.org/abs/2411.00114.",
        2024,
        "Tree-Net: Parsing of trees",
        "Ann Lee; Bob Roy",
    );
    check(
        "A. Lee and B. Roy. What is a tree? In ACL, 2020.",
        2020,
        "What is a tree?",
        "A. Lee; B. Roy",
    );
    check(
        "Ann Lee and Bob Roy. Do trees fall? A study of forests. In ACL, 2020.",
        2020,
        "Do trees fall? A study of forests",
        "Ann Lee; Bob Roy",
    );
}

#[test]
fn acl_and_acm() {
    check(
        "Ann Lee and Bob Roy. 2019. Parsing trees in linear time. In Proceedings of ACL, pages 1990–2001.",
        2019,
        "Parsing trees in linear time",
        "Ann Lee; Bob Roy",
    );
    check(
        "Lee, A. and Roy, B. Q. 2019a. Parsing trees. Computational Linguistics, 3(2):1–20.",
        2019,
        "Parsing trees",
        "A. Lee; B. Q. Roy",
    );
    check(
        "LEE, A., AND ROY, B. Parsing trees in linear time. ACM Trans. Trees 3, 2 (2019), 1–20.",
        2019,
        "Parsing trees in linear time",
        "A. LEE; B. ROY",
    );
}

#[test]
fn apa_and_chicago() {
    check(
        "Lee, A., Roy, B. Q., & van der Berg, K. (2019). Parsing trees in linear time. Journal of Trees, 3(2), 1–20. https://doi.org/10.1000/xyz123",
        2019,
        "Parsing trees in linear time",
        "A. Lee; B. Q. Roy; K. van der Berg",
    );
    check(
        "Lee, Ann, and Bob Roy. 2019. “Parsing Trees in Linear Time.” Journal of Trees 3 (2): 1–20.",
        2019,
        "Parsing Trees in Linear Time",
        "Ann Lee; Bob Roy",
    );
    check(
        "Lee, Ann, and Bob Roy. \"Parsing Trees in Linear Time.\" Journal of Trees 3, no. 2 (2019): 1–20.",
        2019,
        "Parsing Trees in Linear Time",
        "Ann Lee; Bob Roy",
    );
}

#[test]
fn ieee() {
    check(
        "A. Lee, B. Q. Roy, and K. Berg, “Parsing trees in linear time,” IEEE Trans. Trees, vol. 3, no. 2, pp. 1990–1999, Jan. 2019.",
        2019,
        "Parsing trees in linear time",
        "A. Lee; B. Q. Roy; K. Berg",
    );
    check(
        "A. Lee and B. Roy, Parsing trees in linear time, J. Stat. Softw. 12 (2019) 1–5.",
        2019,
        "Parsing trees in linear time",
        "A. Lee; B. Roy",
    );
    let (year, title, names) = show("A. Lee and B. Roy, Phys. Rev. D 12, 345 (2019).");
    assert_eq!(
        (year, title.as_str(), names.as_str()),
        (Some(2019), "", "A. Lee; B. Roy")
    );
}

#[test]
fn vancouver() {
    check("Forest AI. The tree model, 2024.", 2024, "The tree model", "Forest AI");
    check(
        "Chap FS III, Morey RA 2nd, St. Clair JR, Hall J-P. (1983) Effects of cold on trees. Trees 2: 47–52.",
        1983,
        "Effects of cold on trees",
        "F. S. Chap III; R. A. Morey 2nd; J. R. St. Clair; J.-P. Hall",
    );
    check(
        "Lee A, Roy BQ, van der Berg K, et al. Parsing trees in linear time. Science. 2019;276:66–71. doi: 10.1000/xyz 25605792",
        2019,
        "Parsing trees in linear time",
        "A. Lee; B. Q. Roy; K. van der Berg",
    );
    check(
        "Lee AD (1997) Trees in the central forest. Science 276: 66–71. 9082987",
        1997,
        "Trees in the central forest",
        "A. D. Lee",
    );
    check(
        "LeeDJ RoyE BergHY 2008 Trees, forest trees and woods. Cell Tree 7",
        2008,
        "Trees, forest trees and woods",
        "D. J. Lee; E. Roy; H. Y. Berg",
    );
}

#[test]
fn names_in_misleading_forms_are_parsed() {
    check(
        "ShebelutCW, GubermanJM, van TeeffelenS, GitaiZ (2010) Caulobacter chromosome segregation is an ordered process. P Natl Acad Sci USA 107: 14194–14198.",
        2010,
        "Caulobacter chromosome segregation is an ordered process",
        "C. W. Shebelut; J. M. Guberman; S. van Teeffelen; Z. Gitai",
    );
    check(
        "Christopher D. Manning, Prabhakar Raghavan, and Hinrich Schütze, 2008. Introduction to Information Retrieval. Cambridge University Press.",
        2008,
        "Introduction to Information Retrieval",
        "Christopher D. Manning; Prabhakar Raghavan; Hinrich Schütze",
    );
    check(
        "M. Talha Çakmak, Süleyman Acar, and Gülşen Eryiğit. 2012. Word alignment for English-Turkish. In LREC.",
        2012,
        "Word alignment for English-Turkish",
        "M. Talha Çakmak; Süleyman Acar; Gülşen Eryiğit",
    );
    check(
        "Zajic, D., B. J. Dorr, J. Lin & R. Schwartz (2007). Multi-candidate reduction. Information Processing 43, pp. 1–2.",
        2007,
        "Multi-candidate reduction",
        "D. Zajic; B. J. Dorr; J. Lin; R. Schwartz",
    );
    check(
        "W. Wahlster (Ed.): Verbmobil: Speech to speech. Springer, 2000.",
        2000,
        "Verbmobil: Speech to speech",
        "W. Wahlster",
    );
    let (year, title, names) = show("Stoeger W R, Maarteens R and Ellis G F R, 1995 Astrophys. J. 443 1");
    assert_eq!(
        (year, title.as_str(), names.as_str()),
        (Some(1995), "", "W. R. Stoeger; R. Maarteens; G. F. R. Ellis")
    );
}

#[test]
fn a_name_with_initials_does_not_end_the_list() {
    check(
        "Carl G. de Marck. 1996. Words in Swell. Ph.D. thesis, Bergen.",
        1996,
        "Words in Swell",
        "Carl G. de Marck",
    );
    check(
        "Jan Horák, P. Malý, P. Květ, K. Oliva, and V. Petr. 2001. Serial combination of rules and statistics. In ACL.",
        2001,
        "Serial combination of rules and statistics",
        "Jan Horák; P. Malý; P. Květ; K. Oliva; V. Petr",
    );
    check(
        "D. Z. Hakan-Tür, Kemal Ofla, and G. Tür. 2000. Statistical disambiguation. In COLING.",
        2000,
        "Statistical disambiguation",
        "D. Z. Hakan-Tür; Kemal Ofla; G. Tür",
    );
    check(
        "Lora Tanner, W. John Wilson: Tagging protein names in text, Bioinformatics, 2002",
        2002,
        "Tagging protein names in text, Bioinformatics",
        "Lora Tanner; W. John Wilson",
    );
    // Two family names, and initials after the comma.
    check(
        "Garcia Marquez, G. and Lee, B. 2004. Ropes in swell. Journal of Ropes 3.",
        2004,
        "Ropes in swell",
        "G. Garcia Marquez; B. Lee",
    );
}

#[test]
fn titles_that_begin_with_a_closing_mark_or_end_before_an_address() {
    check(
        "Berg A.,”The Rope Process: Planning and Priority”, Harbour Press, Bergen, 1980.",
        1980,
        "The Rope Process: Planning and Priority",
        "A. Berg",
    );
    check(
        "Roadmap of ropes 2008 - http://ropes.example/lists/2008-02/msg.html.",
        2008,
        "Roadmap of ropes 2008",
        "",
    );
}

#[test]
fn initials_after_the_family_name_without_a_comma() {
    check(
        "Bunescu R. & Mooney R.J. (2005). Subsequence kernels for relation extraction. In Proc. of NIPS.",
        2005,
        "Subsequence kernels for relation extraction",
        "R. Bunescu; R. J. Mooney",
    );
    check(
        "van den Berg K., Lee A.-B. and Roy C. 2011. Trees in linear time. Journal of Trees 3, 1-9.",
        2011,
        "Trees in linear time",
        "K. van den Berg; A. B. Lee; C. Roy",
    );
    check(
        "S. Schulte im Walde. 2006. Experiments on the automatic induction of verb classes. Computational Linguistics.",
        2006,
        "Experiments on the automatic induction of verb classes",
        "S. Schulte im Walde",
    );
    check(
        "J. Scott McCarley. 1999. Should we translate the documents or the queries? In Proc. of ACL.",
        1999,
        "Should we translate the documents or the queries?",
        "J. Scott McCarley",
    );
    check(
        "Brown, P. 2003. Trees that grow. In Proc. of ACL, pages 1990-2001.",
        2003,
        "Trees that grow",
        "P. Brown",
    );
}

#[test]
fn initials_after_the_family_name_without_a_year_after_the_names() {
    check(
        "Oda T., Siri Gomez F., and Ulla-Peak L. A. Modern Trees (Forest Press, 2003).",
        2003,
        "Modern Trees",
        "T. Oda; F. Siri Gomez; L. A. Ulla-Peak",
    );
    check(
        "Ferro F., and Grif J. A. JCAP12(2004)012, [astroph/0407532].",
        2004,
        "",
        "F. Ferro; J. A. Grif",
    );
    check("Pastor S. Phys. Rev. D 73, 021501 (2006).", 2006, "", "S. Pastor");
    check(
        "Mia M. Trees as a way out. Forest & Friends; 2012.",
        2012,
        "Trees as a way out",
        "M. Mia",
    );
}

#[test]
fn one_author_with_an_initial() {
    check(
        "Edda W. Stra. A note on two problems of trees. Tree Letters, 1(1):269–271, 1959.",
        1959,
        "A note on two problems of trees",
        "Edda W. Stra",
    );
    check(
        "Mel V. J. Ovik. Convex Trees. Forest Press, 1997.",
        1997,
        "Convex Trees",
        "Mel V. J. Ovik",
    );
    check(
        "Ann F. T. Marin and Ray Astu. From trees to grass: a model. In ICML, 2016.",
        2016,
        "From trees to grass: a model",
        "Ann F. T. Marin; Ray Astu",
    );
}

#[test]
fn lists_whose_names_have_different_forms() {
    check(
        "A. H. Quin, Jacob J. Hill, Yu Qin, Tay Hender, and Mick C. Yip. Trees without tasks. In ICLR, 2020.",
        2020,
        "Trees without tasks",
        "A. H. Quin; Jacob J. Hill; Yu Qin; Tay Hender; Mick C. Yip",
    );
    check(
        "Sen Li, tai Hu, Joost van de Berg, and jia Yang. Faster trees. In ICLR, 2024.",
        2024,
        "Faster trees",
        "Sen Li; tai Hu; Joost van de Berg; jia Yang",
    );
    check(
        "Kan Wu, Xi (Steve) Chen, and et al. The tree herd, April 2024.",
        2024,
        "The tree herd",
        "Kan Wu; Xi (Steve) Chen",
    );
    check(
        "Ida Berg, Oren Glick, and Bern. Magni. 2006. Trees in text. In Trees.",
        2006,
        "Trees in text",
        "Ida Berg; Oren Glick; Bern. Magni",
    );
    check(
        "L. Tess, W. v. Hahn: Tests of trees. In Trees, 1999.",
        1999,
        "Tests of trees",
        "L. Tess; W. v. Hahn",
    );
    check(
        "Gull R, Riba H, for the Tree Study Team (2004) Triple trees. For Med 18: 1850–1861.",
        2004,
        "Triple trees",
        "R. Gull; H. Riba; for the Tree Study Team",
    );
}

#[test]
fn accents_and_quotation_marks_stay_where_they_are() {
    for (entry, title, names) in [
        (
            "A. Smith, ``Trees of Norway,'' Forests, vol. 3, 2010.",
            "Trees of Norway",
            "A. Smith",
        ),
        (
            "Jose´ Garc and Andre´ Mart. Trees of hope. In Trees, 2010.",
            "Trees of hope",
            "Jose´ Garc; Andre´ Mart",
        ),
        (
            "Garc, Jose´ and Mart, Andre´ F. 2010. Trees of hope. In Trees.",
            "Trees of hope",
            "Jose´ Garc; Andre´ F. Mart",
        ),
        (
            "Ann Lee. 2010. Plan B .NET code of x,Y.z trees. In Trees.",
            "Plan B .NET code of x,Y.z trees",
            "Ann Lee",
        ),
    ] {
        check(entry, 2010, title, names);
    }
}

#[test]
fn titles_that_look_like_names_or_publishers() {
    for (entry, title, names) in [
        (
            "Boj O., Chat R., et al. Deep Residual Trees for grass. In WMT, 2010.",
            "Deep Residual Trees for grass",
            "O. Boj; R. Chat",
        ),
        (
            "Man C., Rag P., Introduction to trees. Forest Press, 2010.",
            "Introduction to trees",
            "C. Man; P. Rag",
        ),
        (
            "D. A. Lev, Y. Per, Forest Chains and Mixing Times. AMS, 2010.",
            "Forest Chains and Mixing Times",
            "D. A. Lev; Y. Per",
        ),
        (
            "W. Rud, Functional Forests (Hill, New York, 2010).",
            "Functional Forests (Hill, New York",
            "W. Rud",
        ),
        ("Vas A. Attention. In NIPS, 2010.", "Attention", "A. Vas"),
        (
            "Ann Lee. 2010. Barons: Murd, Springer, and Hearst. In Trees.",
            "Barons: Murd, Springer, and Hearst",
            "Ann Lee",
        ),
        (
            "Ann Lee. 2010. Democracy, Freedom of the Press and trees. In Trees.",
            "Democracy, Freedom of the Press and trees",
            "Ann Lee",
        ),
        (
            "Ann Lee. 2010. How trees lie (and the Press). In Trees.",
            "How trees lie (and the Press)",
            "Ann Lee",
        ),
        (
            "Ann Lee. 2010. Protests in Paris, May 1968. In Trees.",
            "Protests in Paris, May 1968",
            "Ann Lee",
        ),
        (
            "Ann Lee. 2010. The novel, chapter 1 revisited. In Trees.",
            "The novel, chapter 1 revisited",
            "Ann Lee",
        ),
        (
            "Plat, J. Wang, P. Mal. Trees. Forests, 2010.",
            "Trees",
            "Plat; J. Wang; P. Mal",
        ),
    ] {
        check(entry, 2010, title, names);
    }
}

#[test]
fn several_works_under_one_label() {
    let list = entries(&[
        (ParagraphKind::Heading, "References"),
        (
            ParagraphKind::Reference,
            "[1] Perl S et al, 1997 Tree. J. 483 565 [SPIRES] Ries A G, 1998 Tree. J. 116 1009",
        ),
        (
            ParagraphKind::Reference,
            "[2] Ehl J, Ger P and Sax R K, 1968 J. Trees 9 1344 (1999 Gen. Trees 3 5)",
        ),
        (ParagraphKind::Reference, "[3] Kol E W, 2008 arXiv:0807.0401"),
        (ParagraphKind::Reference, "[4] Hell C, 1988 Gen. Trees 20 1203"),
    ]);
    assert_eq!(list.len(), 5, "{list:?}");
    assert!(list[1].starts_with("Ries A G, 1998"), "{list:?}");
}

#[test]
fn spaces_that_divide_names() {
    check(
        "Niko Doli´ c, Pavel Moliˇ cki´ c, ´ Edo Gran, Y . Li, and Jan K¨ uttler. Trees on a line. In ICLR, 2019.",
        2019,
        "Trees on a line",
        "Niko Dolić; Pavel Moličkić; Édo Gran; Y. Li; Jan Küttler",
    );
    check(
        "A. Berg, H. Prin,L. Ures: A system of trees. In Trees, 1994.",
        1994,
        "A system of trees",
        "A. Berg; H. Prin; L. Ures",
    );
}

#[test]
fn titles_end_before_dates_publishers_and_chapters() {
    for (entry, title) in [
        ("Ann Lee. Trees at scale, June 2021.", "Trees at scale"),
        (
            "Ann Lee. 2021. Trees at scale; 2021. URL https://x.org/a.",
            "Trees at scale",
        ),
        ("Ann Lee. 2021. Trees, chapter 17. Forest Press.", "Trees"),
        ("Ann Lee: The Trees, Springer Science B.V., 2021", "The Trees"),
        (
            "Ann Lee: Tagging trees in text, Forests, Vol. 18, 2021, pp. 1-3",
            "Tagging trees in text",
        ),
        (
            "Ann Lee. 2021. Tree2. 5 technical report. In Trees.",
            "Tree2. 5 technical report",
        ),
    ] {
        check(entry, 2021, title, "Ann Lee");
    }
    // The title mentions a year of its own.
    check(
        "Ann Lee. 2023. Trees that act (2022). In Trees.",
        2023,
        "Trees that act",
        "Ann Lee",
    );
}

#[test]
fn entries_divided_by_the_layout_are_joined() {
    use ParagraphKind::{Heading, Reference};
    let list = entries(&[
        (Heading, "References"),
        (Reference, "Lee, A. and Corr, A. (2009). The tree task."),
        (Reference, "In Proceedings of the Workshop on Trees (2009)."),
        (Reference, "Stone, P. J. and Smith, M. S. (1966)."),
        (Reference, "The General Forest: A Computer Approach. Tree Press."),
        (Reference, "Tie, J. (2010). An experimental tree. In Trees."),
    ]);
    assert_eq!(list.len(), 3, "{list:?}");
}

#[test]
fn lncs() {
    check(
        "Lee, A., Roy, B.Q.: Parsing trees in linear time. In: Berg, K. (ed.) ICTP 2019. LNCS, vol. 1234, pp. 1–12. Springer, Heidelberg (2019)",
        2019,
        "Parsing trees in linear time",
        "A. Lee; B.Q. Roy",
    );
}

#[test]
fn chinese() {
    check(
        "张三, 李四. 基于深度学习的句法分析[J]. 计算机学报, 2019, 42(3): 1-10.",
        2019,
        "基于深度学习的句法分析",
        "张三; 李四",
    );
}

#[test]
fn text_that_is_not_an_author_list_is_rejected() {
    for text in [
        "the art of parsing",
        "Parsing of trees is hard",
        "12 monkeys",
        "",
        "., ;",
    ] {
        assert!(authors::end_of_authors(text).is_none(), "{text}");
    }
}

fn entries(blocks: &[(ParagraphKind, &str)]) -> Vec<String> {
    let blocks = blocks.iter().map(|(kind, text)| Block::new(*kind, *text)).collect();
    arrange(blocks, &ReadBudget::default())
        .into_iter()
        .filter(|block| block.kind == ParagraphKind::Reference)
        .map(|block| block.text)
        .collect()
}

#[test]
fn lists_are_found_only_under_known_headings() {
    use ParagraphKind::{Body, Heading};
    for heading in [
        "References",
        "7 References",
        "# References",
        "REFERENCES",
        "Bibliography",
        "Literature Cited",
        "References and Notes",
        "R E F E R E N C E S",
        "VII. REFERENCES",
        "References:",
    ] {
        let found = entries(&[
            (Heading, heading),
            (Body, "[1] A. Lee. Trees. 2019."),
            (Body, "[2] B. Roy. Woods. 2020."),
            (Heading, "A Proofs"),
            (Body, "By induction."),
        ]);
        assert_eq!(found.len(), 2, "{heading}");
    }
    for heading in ["Reference resolution", "Reference implementation", "Preferences"] {
        let found = entries(&[(Heading, heading), (Body, "We resolve (Lee, 2019)."), (Body, "We do.")]);
        assert!(found.is_empty(), "{heading}");
    }
    assert!(
        entries(&[
            (Body, "References to the war were cut in 2019."),
            (Body, "Lee, A. 2019. Trees.")
        ])
        .is_empty()
    );
}

#[test]
fn a_blob_is_split_at_its_labels() {
    use ParagraphKind::{Body, Heading};
    for (blob, count) in [
        (
            "[1] A. Lee. Trees. In ACL, 2019. [2] B. Roy. Woods [sic], see [1]. 2020. [3] K. Berg. Forests. 2021.",
            3,
        ),
        (
            "1. Lee A. Trees. Cell. 2019;12:3-4. 2. Roy B. Woods. Cell. 2020;3:4. 3. Berg K. Forests. Cell. 2021;5:6.",
            3,
        ),
        (
            "(1) Lee A. Trees. 2019. (2) Roy B. Woods (3) of old. 2020. (3) Berg K. Forests. 2021.",
            3,
        ),
        (
            "[Lee19] A. Lee. Trees. 2019. [Roy20] B. Roy. Woods. 2020. [Ber21] K. Berg. Forests. 2021.",
            3,
        ),
    ] {
        let found = entries(&[(Heading, "References"), (Body, blob)]);
        assert_eq!(found.len(), count, "{found:#?}");
    }
}

#[test]
fn an_unlabelled_blob_is_split_where_names_follow() {
    use ParagraphKind::{Body, Heading};
    let year_first = "Lee, A. and Roy, B. 2019. Parsing trees in linear time. In Proceedings of ACL. Berg, K. 2020. Woods of the north and their roots. Springer. Ann Lee, Kay Berg and Bob Roy. 2021. Forests of the south and what they hold. In Proceedings of EMNLP, pages 1–10. Bob Roy. 2022. Leaves and branches. Computational Linguistics, 2(1):1–3.";
    let found = entries(&[(Heading, "References"), (Body, year_first)]);
    assert_eq!(found.len(), 4, "{found:#?}");
    let year_last = "Ann Lee and Bob Roy. Parsing trees in linear time. In Proceedings of ACL, 2019. Kay Berg. Woods of the north and their roots. Springer, 2020. Ann Lee, Kay Berg, and Bob Roy. Forests of the south and what they hold. arXiv preprint arXiv:2101.00001, 2021. Bob Roy. Leaves and branches. Computational Linguistics, 2(1):1–3, 2022.";
    let found = entries(&[(Heading, "References"), (Body, year_last)]);
    assert_eq!(found.len(), 4, "{found:#?}");
}

#[test]
fn an_entry_across_two_pages_stays_one_entry() {
    use ParagraphKind::{Body, Heading};
    let found = entries(&[
        (Heading, "References"),
        (Body, "[1] A. Lee. Trees of the south and their pars-"),
        (Body, "ing. In ACL, 2019."),
        (Body, "[2] B. Roy. Woods. 2020."),
    ]);
    assert_eq!(
        found,
        [
            "[1] A. Lee. Trees of the south and their parsing. In ACL, 2019.",
            "[2] B. Roy. Woods. 2020."
        ]
    );
}

#[test]
fn an_entry_whose_label_lacks_its_year_is_not_swallowed() {
    use ParagraphKind::{Body, Heading};
    let third = "(Day) David Day, Ann Lee, Bob Roy: Mixed Trees, In Proceedings of WOODS-97, Oslo, 1997";
    let whole = [
        "(Bikel 1997) Kay Berg, Scott Miller: Nymble, In Proceedings of WOODS-97, 1997",
        "(Carr 1999) Xavier Carr, D. Roy: Roots of old trees (Eds) and others, In Proceedings of ROOTS, USA, 1999",
        third,
        "(Eresh 2001) Marc Eresh: The Evolution of Trees, Springer, 2001",
    ];
    let apart: Vec<(ParagraphKind, &str)> = std::iter::once((Heading, "References"))
        .chain(whole.iter().map(|entry| (Body, *entry)))
        .collect();
    assert_eq!(entries(&apart), whole);
    let glued = whole.join(" ");
    assert_eq!(entries(&[(Heading, "References"), (Body, &glued)]), whole);
}

#[test]
fn a_figure_inside_the_list_is_not_an_entry() {
    use ParagraphKind::{Heading, Reference};
    let names = [
        "Ann Lee", "Bob Roy", "Kay Berg", "Eva Holm", "Ole Dahl", "Ida Moe", "Jan Vik",
    ];
    let list: Vec<String> = names
        .iter()
        .map(|name| format!("{name} (2009). Trees of the north. In Proc. of WOODS-09, pp. 1–10."))
        .collect();
    let mut blocks = vec![(Heading, "References")];
    blocks.extend(list.iter().map(|entry| (Reference, entry.as_str())));
    blocks.insert(
        6,
        (Reference, "H Regulators shut a small bank H* they shut down a small bank U shut down bringing the number of failures O Regulators shut down a small bank S England star may have the chance to return to his club in the winter said those who know him well and H a chance of returning."),
    );
    assert_eq!(entries(&blocks), list);
}

#[test]
fn a_list_without_heading_is_found_at_the_end() {
    use ParagraphKind::Body;
    let list: Vec<String> = (1..=6)
        .map(|n| format!("[{n}] A. Lee. Trees, part {n}. 2019."))
        .collect();
    let mut blocks = vec![(Body, "We cite [1] and [2].")];
    blocks.extend(list.iter().map(|entry| (Body, entry.as_str())));
    assert_eq!(entries(&blocks).len(), 6);
}

#[test]
fn several_lists() {
    use ParagraphKind::{Body, Heading};
    let found = entries(&[
        (Heading, "References"),
        (Body, "[1] A. Lee. Trees. 2019."),
        (Body, "[2] B. Roy. Woods. 2020."),
        (Heading, "A Proofs"),
        (Body, "By induction [3]."),
        (Heading, "Supplementary References"),
        (Body, "[3] K. Berg. Forests. 2021."),
    ]);
    assert_eq!(found.len(), 3);
}

proptest! {
    #[test]
    fn parsing_never_fails(text in "\\PC{0,200}") {
        let parsed = entry::parse(&text);
        prop_assert!(parsed.year.is_none_or(|year| (1500..2100).contains(&year)));
    }

    #[test]
    fn parsing_survives_pieces_of_entries(text in "(Lee, A\\.|Ann Lee|and|et al\\.|\\(2019\\)|2019b|In:|“Trees,”|``a''|[\\[\\]().,:;]|[A-Z]\\.|é|张三|https://x\\.org/|10\\.1000/x|arXiv:1905\\.04388| ){0,40}") {
        entry::parse(&text);
        let blocks = vec![Block::new(ParagraphKind::Heading, "References"), Block::new(ParagraphKind::Body, text.trim())];
        let before: usize = text.trim().chars().filter(|c| !c.is_whitespace()).count();
        let out = arrange(blocks, &ReadBudget::default());
        let after: usize = out.iter().skip(1).map(|block| block.text.chars().filter(|c| !c.is_whitespace()).count()).sum();
        // Splitting must not lose text.
        prop_assert_eq!(before, after);
    }
}

#[test]
fn a_name_at_the_start_of_a_wrapped_line_is_no_entry() {
    let found = entries(&[
        (ParagraphKind::Heading, "References"),
        (
            ParagraphKind::Reference,
            "Ann Lee and Bob Roy. 2001. Parsing trees. In Proc. of ACL, pages 1-9.",
        ),
        (ParagraphKind::Reference, "Chi Wu, Dan Ito, and Eve"),
        (
            ParagraphKind::Reference,
            "Muster. 2004. Trees that grow in water. In Proc. of ACL, pages 10-19.",
        ),
        (
            ParagraphKind::Reference,
            "Muster. 2005. A report on trees. Technical report.",
        ),
    ]);
    assert_eq!(found.len(), 3, "{found:?}");
    assert!(
        found[1].starts_with("Chi Wu, Dan Ito, and Eve Muster. 2004."),
        "{found:?}"
    );
}

#[test]
fn a_numbered_list_without_brackets_or_heading_is_found_at_the_end() {
    let list = |names: &[&str]| {
        let mut blocks = vec![(ParagraphKind::Body, "Steps: 1. Read. 2. Write.".to_owned())];
        for (name, number) in names.iter().zip(1..) {
            blocks.push((
                ParagraphKind::Body,
                format!("{number}. {name} (200{number}) Trees of kind {number}. J Trees 3:1-9."),
            ));
        }
        let blocks: Vec<(ParagraphKind, &str)> = blocks.iter().map(|(kind, text)| (*kind, text.as_str())).collect();
        entries(&blocks)
    };
    assert_eq!(
        list(&["Lee A, Roy B", "Wu C", "Ito D, Muster E", "Berg F", "Hu G", "Li H"]).len(),
        6
    );
    // Findings are no entries.
    let none = [
        "We count trees",
        "They grow",
        "Wood is hard",
        "It burns",
        "It floats",
        "It rots",
    ];
    assert_eq!(list(&none).len(), 0);
}
