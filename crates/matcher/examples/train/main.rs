//! Trains the matcher: `train CLAIMS OUT CORPUS...`, run by `cargo xtask train matcher`.
//!
//! Input: JSON Lines of claims (`claim`, `work`: the id of the paper that states it), and corpora that contain these papers. Output: a file of weights,
//! and the measurements of a cross-validation by paper. Each claim is searched in each corpus twice: with the stating paper and without it.
//! No random number is drawn, so the same files give the same weights.
#![expect(clippy::print_stdout, reason = "this is the printer")]

mod lists;
mod measure;
mod regression;

use std::path::Path;

use anyhow::{Context, Result, bail};
use lists::{Claims, List};
use precedent_matcher::{FEATURES, Similar, Weights};

/// Number of folds of the cross-validation. All claims of a paper are in one fold.
const FOLDS: usize = 5;
/// Maximum share of the claims with a paper marked as similar although no paper of the corpus states them.
const FALSE_ALARMS: f64 = 0.1;

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [claims, out, corpora @ ..] = arguments.as_slice() else {
        bail!("usage: train CLAIMS OUT CORPUS...");
    };
    let claims = Claims::read(Path::new(claims))?;
    let mut settings: Vec<Vec<List>> = Vec::new();
    for corpus in corpora {
        let lists = claims.lists(Path::new(corpus))?;
        let stated = lists.iter().filter(|list| list.stating.is_some()).count();
        println!("{corpus}: {stated} of {} stating papers are in the corpus", lists.len());
        settings.push(lists);
    }
    let mut scored: Vec<Vec<measure::Outcome>> = settings.iter().map(|_| Vec::new()).collect();
    for fold in 0..FOLDS {
        let train: Vec<&List> = settings.iter().flatten().filter(|list| list.fold != fold).collect();
        let weights = fit(&train)?;
        for (lists, outcomes) in settings.iter().zip(&mut scored) {
            let held_out = lists.iter().filter(|list| list.fold == fold && list.stating.is_some());
            outcomes.extend(held_out.map(|list| measure::Outcome::of(&weights, list)));
        }
    }
    for (corpus, outcomes) in corpora.iter().zip(&scored).filter(|(_, outcomes)| !outcomes.is_empty()) {
        println!("\n{corpus} ({} claims, {FOLDS} folds by paper)", outcomes.len());
        measure::print(outcomes);
    }
    let all: Vec<&List> = settings.iter().flatten().collect();
    let mut weights = fit(&all)?;
    let bound = |full_text: bool| -> Result<f64> {
        let of_kind = settings.iter().zip(&scored);
        let of_kind = of_kind.filter(|(lists, outcomes)| !outcomes.is_empty() && are_full_texts(lists) == full_text);
        let bounds = of_kind.map(|(_, outcomes)| measure::bound(outcomes, FALSE_ALARMS));
        let kind = if full_text { "full texts" } else { "abstracts" };
        bounds
            .max_by(f64::total_cmp)
            .with_context(|| format!("no corpus of {kind} has stating papers"))
    };
    weights.similar = Similar {
        full_text: bound(true)?,
        abstract_only: bound(false)?,
    };
    println!("\n{:?}", weights.similar);
    for ((corpus, lists), outcomes) in corpora.iter().zip(&settings).zip(&scored) {
        let bound = if are_full_texts(lists) {
            weights.similar.full_text
        } else {
            weights.similar.abstract_only
        };
        if outcomes.is_empty() {
            measure::print_false_alarms(corpus, &weights, lists, bound);
        } else {
            measure::print_level(corpus, outcomes, bound);
        }
    }
    for (name, weight) in FEATURES.iter().zip(&weights.weights) {
        println!("{name:>10} {weight:7.3}");
    }
    let text = serde_json::to_string_pretty(&weights)?;
    std::fs::write(out, text + "\n").with_context(|| format!("write {out}"))?;
    Ok(())
}

/// Whether most papers of a corpus were compared as full texts.
fn are_full_texts(lists: &[List]) -> bool {
    let (full, all) = lists.iter().fold((0, 0), |(full, all), list| {
        (full + list.full_texts(), all + list.features.len())
    });
    full * 2 > all
}

/// Fits both regressions.
fn fit(lists: &[&List]) -> Result<Weights> {
    let rows: Vec<(Vec<f64>, bool)> = lists
        .iter()
        .flat_map(|list| {
            let rows = list.features.iter().enumerate();
            rows.map(|(at, features)| (features.to_vec(), list.stating == Some(at)))
        })
        .collect();
    let (intercept, fitted) = regression::fit(&rows).context("the first regression has no solution")?;
    let mut weights = Weights {
        features: FEATURES.map(str::to_owned).to_vec(),
        intercept,
        weights: fitted,
        ..Weights::default()
    };
    weights.list_usual = measure::usual_score(&weights, lists);
    let rows: Vec<(Vec<f64>, bool)> = lists
        .iter()
        .flat_map(|list| {
            [
                measure::list_rows(&weights, list, false),
                measure::list_rows(&weights, list, true),
            ]
        })
        .flatten()
        .collect();
    let (intercept, fitted) = regression::fit(&rows).context("the second regression has no solution")?;
    let [score, margin] = fitted.as_slice() else {
        bail!("two weights expected")
    };
    weights.list_intercept = intercept;
    weights.list_score = *score;
    weights.list_margin = *margin;
    Ok(weights)
}
