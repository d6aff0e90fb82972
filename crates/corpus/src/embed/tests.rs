use std::collections::BTreeMap;

use super::vector::inner_product;
use super::{Vector, model};
use crate::analysis::terms;

fn vector(text: &str) -> Vector {
    let mut counts: BTreeMap<String, u32> = BTreeMap::new();
    for term in terms(text) {
        *counts.entry(term).or_default() += 1;
    }
    let model = model().unwrap();
    Vector::of_rows(
        model,
        counts
            .iter()
            .filter_map(|(term, &count)| Some((model.row(term)?, count))),
    )
}

fn near(a: &str, b: &str) -> f32 {
    let (a, b) = (vector(a), vector(b));
    let row = a.bytes.map(i8::cast_unsigned);
    inner_product(&row, &b.widened()) as f32 * a.scale * b.scale
}

#[test]
fn the_table_is_complete_and_sorted() {
    let model = model().expect("there is a built-in table");
    let terms: Vec<&str> = model.terms().map(|(_, term)| term).collect();
    assert!(terms.len() > 30_000);
    assert!(terms.is_sorted());
    for (row, term) in model.terms().step_by(997) {
        assert_eq!(model.row(term), Some(row));
    }
    assert_eq!(model.row("no such term"), None);
    assert_eq!(model.row(""), None);
}

#[test]
fn a_paraphrase_is_more_similar_than_a_text_on_another_topic() {
    let question = "convolutional networks for recognising objects in photographs";
    let other_words = "deep CNN image classification on ImageNet";
    let other_field = "type inference for lazy functional programming languages";
    assert!(near(question, other_words) > near(question, other_field) + 0.1);
    assert!((near(question, question) - 1.0).abs() < 0.02);
}

#[test]
fn unknown_words_give_the_zero_vector() {
    assert!(vector("zzzzqqqq 語").is_zero() || model().unwrap().row("語").is_some());
    assert!(vector("").is_zero());
}
