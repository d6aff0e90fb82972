//! The encoder with the weights of a published model, compared with its formulas in double precision. The weights are not part of this repository.

use std::path::Path;

use precedent_corpus::{BertEmbedder, Embedder, KnownModel, TextKind};

#[test]
#[ignore = "reads the weights of a published model: PRECEDENT_MINILM names a folder with the files of all-MiniLM-L6-v2"]
fn a_published_model_gives_the_expected_vectors() {
    let folder = std::env::var_os("PRECEDENT_MINILM").expect("set PRECEDENT_MINILM");
    let folder = Path::new(&folder);
    KnownModel::named("minilm").unwrap().check(folder).unwrap();
    let model = BertEmbedder::open(folder, "minilm").unwrap();
    // Tokens of the published tokenizer, and values computed from its formulas in double precision: the first six and the sum of all.
    let known: [(&str, &[u32], [f32; 7]); 3] = [
        (
            "Graph-based parsing of naïve Bayes’ networks (GPT-3.5) costs 5 €.",
            &[
                101, 10629, 1011, 2241, 11968, 7741, 1997, 15743, 3016, 2229, 1521, 6125, 1006, 14246, 2102, 1011,
                1017, 1012, 1019, 1007, 5366, 1019, 1574, 1012, 102,
            ],
            [-0.0331, -0.03188, 0.02344, -0.03388, 0.0483, -0.07988, 0.31709],
        ),
        (
            "Ropes creep.",
            &[101, 14607, 19815, 1012, 102],
            [-0.07582, 0.07594, 0.02571, 0.07694, 0.02717, -0.04504, 0.52577],
        ),
        (
            "深度学习 for $\\alpha$-divergences…",
            &[
                101, 100, 100, 1817, 100, 2005, 1002, 1032, 6541, 1002, 1011, 17856, 17905, 2015, 1529, 102,
            ],
            [-0.00704, -0.05555, 0.04728, -0.03689, 0.02769, -0.0195, -0.27412],
        ),
    ];
    for (text, pieces, numbers) in known {
        assert_eq!(model.pieces(text), pieces, "{text}");
        let vector = model.embed(&[text], TextKind::Work).unwrap().remove(0);
        let sum: f32 = vector.iter().sum();
        for (found, wanted) in vector.iter().take(6).chain([&sum]).zip(numbers) {
            assert!((found - wanted).abs() < 1e-4, "{text}: {found} instead of {wanted}");
        }
    }
}
