//! Row-wise functions, written so that the compiler can use the widest vector instructions.

use pulp::Arch;

/// `e` to the power of `x`, within 2 in 10⁷; 0 on underflow.
#[inline(always)]
fn exp(x: f32) -> f32 {
    let x = x.clamp(-87.0, 88.0);
    let whole = (x * std::f32::consts::LOG2_E).round();
    // The remainder, in two steps to keep precision.
    let rest = x - whole * 0.693_359_4 + whole * 2.121_944_4e-4;
    let series = 1.0
        + rest
            * (1.0
                + rest
                    * (0.5
                        + rest * (0.166_666_5 + rest * (4.166_579_6e-2 + rest * (8.333_452e-3 + rest * 1.398_2e-3)))));
    series * f32::from_bits(((whole as i32 + 127) << 23) as u32)
}

/// The error function as a quotient of two polynomials, within 5 in 10⁷.
#[inline(always)]
fn erf(x: f32) -> f32 {
    let x = x.clamp(-4.0, 4.0);
    let y = x * x;
    let above = -1.609_603_3e-2
        + y * (-2.954_6e-3
            + y * (-7.349_906e-4
                + y * (-5.692_506_5e-5 + y * (-2.101_024e-6 + y * (2.770_681_4e-8 + y * -2.726_142_3e-10)))));
    let below =
        -1.426_473_9e-2 + y * (-7.373_329e-3 + y * (-1.682_827e-3 + y * (-2.133_740_6e-4 + y * -1.456_607_2e-5)));
    x * above / below
}

/// The activation function of BERT, in place: `x · Φ(x)`.
pub(super) fn gelu(row: &mut [f32]) {
    Arch::new().dispatch(|| {
        for x in row {
            *x *= 0.5 * (1.0 + erf(*x * std::f32::consts::FRAC_1_SQRT_2));
        }
    });
}

/// Turns scores into probabilities, in place.
pub(super) fn softmax(row: &mut [f32]) {
    Arch::new().dispatch(|| {
        let most = row.iter().fold(f32::NEG_INFINITY, |most, &x| most.max(x));
        for x in &mut *row {
            *x = exp(*x - most);
        }
        let sum: f32 = row.iter().sum();
        for x in row {
            *x /= sum;
        }
    });
}

/// Layer normalization: mean 0 and variance 1, then the learned scale and bias, in place.
pub(super) fn normalise(row: &mut [f32], weight: &[f32], bias: &[f32], epsilon: f32) {
    let count = row.len().max(1) as f32;
    let mean = row.iter().sum::<f32>() / count;
    let variance = row.iter().map(|x| (x - mean) * (x - mean)).sum::<f32>() / count;
    let scale = 1.0 / (variance + epsilon).sqrt();
    for ((x, weight), bias) in row.iter_mut().zip(weight).zip(bias) {
        *x = (*x - mean) * scale * weight + bias;
    }
}

/// Normalizes a vector to unit length; the zero vector stays.
pub(super) fn to_unit(vector: &mut [f32]) {
    let length = vector.iter().map(|x| x * x).sum::<f32>().sqrt();
    if length > f32::MIN_POSITIVE {
        vector.iter_mut().for_each(|x| *x /= length);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_functions_match_reference_values() {
        for (x, wanted) in [
            (0.0, 0.0),
            (0.1, 0.112_462_916),
            (0.5, 0.520_499_9),
            (1.0, 0.842_700_8),
            (2.0, 0.995_322_3),
            (3.0, 0.999_977_9),
        ] {
            assert!((erf(x) - wanted).abs() < 1e-6, "erf {x}: {}", erf(x));
            assert!((erf(-x) + wanted).abs() < 1e-6);
        }
        for x in [-80.0_f32, -20.0, -1.0, -0.3, 0.0, 0.7, 1.0, 5.0, 40.0] {
            assert!((exp(x) / x.exp() - 1.0).abs() < 1e-6, "exp {x}: {}", exp(x));
        }
        assert_eq!(exp(f32::NEG_INFINITY), exp(-87.0));
        let mut row = [1.0, 2.0, 3.0];
        softmax(&mut row);
        assert!((row.iter().sum::<f32>() - 1.0).abs() < 1e-6 && row[2] > row[1]);
    }
}
