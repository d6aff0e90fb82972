use super::*;
use crate::EditKind;

const SOURCE: &str = "Introduction\n\nWe propose a graph transformer for traffic forecasting (Zhou et al., 2021; Li and Wu, 2020) that \
reduces the error by 12.5% on METR-LA. Some of the gains may come from pre-training [3, 14].1 The model is not able to handle \
missing sensors, but the decoder converges faster than GRU after 40 ms of warm-up. All state-of-the-art baselines use the \
same informa-\ntion and more parameters than ours. It runs on an NVIDIA V100 and increases recall from 0.81 to 0.93 for every \
city in the Bay Area.\n\nMethod\n\nOur method significantly outperforms Informer on long horizons. The classi\u{fb01}er of \
Poincar\u{e9} balls uses temperature -5 in all runs. Each node is useful for the encoder. We observe that the loss is lower \
when the\n\n17\n\nbatch size is larger, as shown in Figure 3.\n";

fn at(quote: &str) -> Location {
    locate(&Source::new(SOURCE), quote)
}

#[track_caller]
fn exact(quote: &str) {
    assert!(matches!(at(quote), Location::Exact { .. }), "{quote}: {:?}", at(quote));
}

#[track_caller]
fn close(quote: &str) {
    assert!(matches!(at(quote), Location::Close { .. }), "{quote}: {:?}", at(quote));
}

#[track_caller]
fn altered(quote: &str, reason: AlteredReason) {
    match at(quote) {
        Location::Altered { reasons, edits, .. } => {
            assert!(reasons.contains(&reason), "{quote}: {reasons:?} {edits:?}");
        }
        other => panic!("{quote}: {other:?}"),
    }
}

#[test]
fn typography_never_hides_a_true_quote() {
    exact("reduces the error by 12.5% on METR-LA");
    exact("Reduces the error by 12.5 percent on METR–LA.");
    exact("all state of the art baselines use the same information");
    exact("All state‑of‑the‑art baselines use the same informa- tion");
    exact("the classifier of Poincaré balls uses temperature −5");
    exact("The classi er of Poincare balls uses temperature -5 in");
    exact("“The model is not able to handle missing sensors,” but");
}

#[test]
fn citation_marks_and_articles_are_small_edits() {
    close("may come from pretraining.1 The model is not able to handle missing sensors");
    close("a graph transformer for traffic forecasting that reduces the error");
    close("a graph transformer for traffic forecasting (Zhou et al., 2021) that reduces the error");
    close("Some of the gains may come from pre-training. The model is not able");
    close("graph transformer for traffic forecasting that reduces error by 12.5% on METR-LA");
    close("Our methods significantly outperformed Informer on long horizons");
    close("We observe that the loss is lower when the batch size is larger, as shown in Figure 3");
    close("We observe that the loss is lower when the batch size is larger [12], as shown in Figure 3");
    let Location::Close { span, edits, score } = at("the decoder converges faster than the GRU after 40 ms of warm-up")
    else {
        panic!("not close");
    };
    assert_eq!(
        span.slice(SOURCE),
        Some("the decoder converges faster than GRU after 40 ms of warm-up")
    );
    assert_eq!(edits.len(), 1);
    assert_eq!((edits[0].kind, edits[0].quote.as_str()), (EditKind::Inserted, "the"));
    assert!((0.9..1.0).contains(&score));
}

#[test]
fn a_changed_meaning_is_altered() {
    use AlteredReason::{Comparison, ContentWords, Name, Negation, Number, Quantifier, Sign};
    altered(
        "Our method does not significantly outperform Informer on long horizons",
        Negation,
    );
    altered(
        "Our method never significantly outperforms Informer on long horizons",
        Negation,
    );
    altered(
        "The model is able to handle missing sensors, but the decoder converges",
        Negation,
    );
    altered(
        "The model is notable to handle missing sensors, but the decoder converges",
        Negation,
    );
    altered("reduces the error by 13.5% on METR-LA", Number);
    altered("reduces the error by 12.5 on METR-LA. Some of the gains", Number);
    altered("converges faster than GRU after 40 s of warm-up", Number);
    altered("converges faster than GRU after 40 us of warm-up. All state", Number);
    altered("converges faster than GRU after 400 ms of warm-up", Number);
    altered("balls uses temperature 5 in all runs. Each node", Sign);
    altered("the decoder converges slower than GRU after 40 ms", Comparison);
    altered(
        "the decoder converges faster than GRU before 40 ms of warm-up",
        Comparison,
    );
    altered("an NVIDIA V100 and decreases recall from 0.81 to 0.93", Comparison);
    altered("use the same information and less parameters than ours", Comparison);
    altered(
        "Our method insignificantly outperforms Informer on long horizons",
        Comparison,
    );
    altered("Each node is useless for the encoder. We observe", Comparison);
    altered("Our method significantly outperforms Reformer on long horizons", Name);
    altered("It runs on an NVIDIA A100 and increases recall", Name);
    altered("All of the gains may come from pre-training", Quantifier);
    altered("Some of the gains will come from pre-training", Quantifier);
    altered("Some of the gains come from pre-training [3, 14]", Quantifier);
    altered("from 0.81 to 0.93 for some city in the Bay Area", Quantifier);
    altered("Our method significantly harms Informer on long horizons", ContentWords);
    altered(
        "Our method supposedly significantly outperforms Informer on long horizons",
        Quantifier,
    );
    altered(
        "Our method significantly outperforms crippled Informer on long horizons",
        ContentWords,
    );
    altered("increases recall from 0.93 to 0.81 for every city", Number);
    altered("Some of the gains may come from pre-training [3, 41]", Number);
    altered(
        "a graph transformer for traffic forecasting (Zhou et al., 2012; Li and Wu, 2020) that",
        Number,
    );
}

#[test]
fn parts_from_elsewhere_are_altered() {
    use AlteredReason::{ForeignPart, Order, UnmarkedGap};
    altered(
        "We propose a graph transformer for traffic forecasting which is licensed to every hospital ward",
        ForeignPart,
    );
    altered(
        "We propose a graph transformer for traffic Our method significantly outperforms Informer",
        UnmarkedGap,
    );
    altered("outperforms long Informer horizons on method Our significantly", Order);
    assert!(matches!(
        at("Convolutional filters learn edges at small scales in early layers"),
        Location::Absent { best_score } if best_score == 0.0
    ));
}

#[test]
fn a_marked_gap_is_stitched_if_the_parts_are_in_order() {
    let quote = "We propose a graph transformer ... reduces the error by 12.5% […] Some of the gains may come";
    let Location::Stitched { spans, score, .. } = at(quote) else {
        panic!("{:?}", at(quote))
    };
    assert_eq!(spans.len(), 3);
    assert_eq!(spans[1].slice(SOURCE), Some("reduces the error by 12.5%"));
    assert!((score - 1.0).abs() < 1e-9);
    altered(
        "reduces the error by 12.5% ... We propose a graph transformer",
        AlteredReason::Order,
    );
    altered(
        "We propose a graph transformer ... and cures all known diseases",
        AlteredReason::ForeignPart,
    );
    altered(
        "The model is ... able to handle missing sensors",
        AlteredReason::Negation,
    );
    altered(
        "We propose a graph transformer ... reduces the error by 15.2%",
        AlteredReason::Number,
    );
    let border = SOURCE.find("Method\n").unwrap();
    let sections = [Span::new(0, border), Span::new(border, SOURCE.len())];
    let across = "increases recall from 0.81 to 0.93 ... Our method significantly outperforms";
    assert!(at(across).verified());
    assert!(!locate_in_sections(&Source::new(SOURCE), across, &sections).verified());
    assert!(locate_in_sections(&Source::new(SOURCE), quote, &sections).verified());
}

#[test]
fn short_or_common_quotes_are_rejected() {
    for quote in [
        "",
        "...",
        "of the",
        "Our method significantly outperforms",
        "a b c d e f",
        "。",
        "that is not to be in the",
    ] {
        assert_eq!(at(quote), Location::TooShort, "{quote}");
    }
    let headed = "Published as a conference paper here\n\nText.\n\n".repeat(9);
    assert_eq!(
        locate(&Source::new(headed.as_str()), "Published as a conference paper here"),
        Location::TooShort
    );
}

#[test]
fn quotes_in_any_script_are_located() {
    let text = "我们提出了一种新的图神经网络方法，用于交通预测。实验表明该方法显著优于现有方法。";
    let source = Source::new(text);
    let Location::Exact { span, .. } = locate(&source, "一种新的图神经网络方法,用于交通预测") else {
        panic!()
    };
    assert_eq!(span.slice(text), Some("一种新的图神经网络方法，用于交通预测"));
    let negated = locate(&source, "实验表明该方法不显著优于现有方法");
    assert!(
        matches!(&negated, Location::Altered { reasons, .. } if reasons.contains(&AlteredReason::Negation)),
        "{negated:?}"
    );
    let russian = Source::new("Мы предлагаем новый метод обучения нейронных сетей без учителя.");
    assert!(locate(&russian, "новый метод обучения нейронных сетей").verified());
    assert!(!locate(&russian, "старый метод обучения нейронных сетей").verified());
}

#[test]
fn the_most_similar_of_several_places_wins() {
    let text = "The score of model A is 10 points on the test set.\n\nThe score of model A is 12 points on the test set.\n\n\
                The score of model A was 12 points on the test set.";
    let source = Source::new(text);
    let Location::Exact { span, .. } = locate(&source, "The score of model A is 12 points on the test set.") else {
        panic!()
    };
    assert_eq!(span.start, text.find("The score of model A is 12").unwrap());
    assert!(!locate(&source, "The score of model A is 11 points on the test set.").verified());
}

#[test]
fn confidence_follows_the_published_formula() {
    assert!((confidence(&[1.0], true) - 1.0).abs() < 1e-12);
    assert!((confidence(&[0.8, 0.5], true) - (0.7 * 0.8 + 0.15)).abs() < 1e-12);
    assert!((confidence(&[1.0, 1.0], false) - 0.5).abs() < 1e-12);
    assert!(confidence(&[0.59], true).abs() < 1e-12);
}

#[test]
fn hyphens_do_not_divide_words() {
    let text = "We fit a non-linear model. The user is not able to leave, don't- ss.\n\nIt is a pre-\ntrained one, and they don't-\nss(...) Mibaba \
                gukoba tubado sogudo turegu famiba kofaso re misoko papako pareba.";
    let source = Source::new(text);
    for quote in [
        "We fit a nonlinear model. The user is not",
        "We fit a non linear model. The user is not",
        "don't-\nss(...) Mibaba gukoba tubado sogudo turegu famiba kofaso re misoko papako pareba",
    ] {
        assert!(
            locate(&source, quote).verified(),
            "{quote}: {:?}",
            locate(&source, quote)
        );
    }
    assert!(!locate(&source, "We fit a linear model. The user is not able").verified());
    assert!(!locate(&source, "The user is notable to leave, don't ss").verified());
}
