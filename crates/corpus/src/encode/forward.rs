use std::path::Path;

use ndarray::{Array1, Array2, ArrayView1, Axis, Slice};
use serde::Deserialize;

use super::EncodeError;
use super::maths::{gelu, normalise, softmax, to_unit};
use super::weights::Tensors;

/// The hyperparameters of an encoder, from its `config.json`.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct Shape {
    hidden_size: usize,
    num_hidden_layers: usize,
    num_attention_heads: usize,
    intermediate_size: usize,
    pub(super) max_position_embeddings: usize,
    #[serde(default = "usual_epsilon")]
    layer_norm_eps: f32,
    #[serde(default = "usual_activation")]
    hidden_act: String,
}

fn usual_epsilon() -> f32 {
    1e-12
}

fn usual_activation() -> String {
    "gelu".to_owned()
}

/// How token vectors are pooled into one text vector.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Pooling {
    /// Their mean.
    Mean,
    /// The vector of the start token.
    First,
}

/// A BERT encoder (Devlin et al. 2019): post-norm, learned positions.
pub(super) struct Encoder {
    shape: Shape,
    words: Array2<f32>,
    positions: Array2<f32>,
    segments: Array2<f32>,
    norm: Norm,
    layers: Vec<Layer>,
}

struct Norm {
    weight: Array1<f32>,
    bias: Array1<f32>,
}

/// A linear layer. The weight is stored transposed, as the matrix product needs it.
pub(super) struct Linear {
    weight: Array2<f32>,
    bias: Array1<f32>,
}

struct Layer {
    query: Linear,
    key: Linear,
    value: Linear,
    joined: Linear,
    attended: Norm,
    wide: Linear,
    narrow: Linear,
    out: Norm,
}

impl Encoder {
    pub(super) fn of(tensors: &Tensors, path: &Path, shape: Shape) -> Result<Self, EncodeError> {
        let wrong = |reason: &str| EncodeError::NotAModel {
            path: path.to_owned(),
            reason: reason.to_owned(),
        };
        if shape.hidden_act != "gelu" {
            return Err(wrong("its activation is not gelu"));
        }
        if shape.num_attention_heads == 0 || !shape.hidden_size.is_multiple_of(shape.num_attention_heads) {
            return Err(wrong("its width is not divisible by its number of heads"));
        }
        let (width, between) = (shape.hidden_size, shape.intermediate_size);
        let norm = |name: &str| -> Result<Norm, EncodeError> {
            Ok(Norm {
                weight: tensors.row(&format!("{name}.weight"), width)?,
                bias: tensors.row(&format!("{name}.bias"), width)?,
            })
        };
        let linear = |name: &str, from: usize, to: usize| Linear::of(tensors, name, from, to);
        let mut layers = Vec::new();
        for number in 0..shape.num_hidden_layers {
            let at = |part: &str| format!("encoder.layer.{number}.{part}");
            layers.push(Layer {
                query: linear(&at("attention.self.query"), width, width)?,
                key: linear(&at("attention.self.key"), width, width)?,
                value: linear(&at("attention.self.value"), width, width)?,
                joined: linear(&at("attention.output.dense"), width, width)?,
                attended: norm(&at("attention.output.LayerNorm"))?,
                wide: linear(&at("intermediate.dense"), width, between)?,
                narrow: linear(&at("output.dense"), between, width)?,
                out: norm(&at("output.LayerNorm"))?,
            });
        }
        let segments = tensors.matrix("embeddings.token_type_embeddings.weight", width)?;
        Ok(Self {
            words: tensors.matrix("embeddings.word_embeddings.weight", width)?,
            positions: tensors.matrix("embeddings.position_embeddings.weight", width)?,
            segments: match segments.nrows() {
                0 => return Err(wrong("it has no segment embeddings")),
                _ => segments,
            },
            norm: norm("embeddings.LayerNorm")?,
            layers,
            shape,
        })
    }

    /// Number of segment types.
    pub(super) fn segments(&self) -> usize {
        self.segments.nrows()
    }

    /// Dimensions of its vectors.
    pub(super) fn width(&self) -> usize {
        self.shape.hidden_size
    }

    /// The last hidden states of the tokens, one row each; those from `second` on belong to the second segment.
    pub(super) fn states(&self, pieces: &[u32], second: usize) -> Array2<f32> {
        let mut states = Array2::<f32>::zeros((pieces.len(), self.shape.hidden_size));
        let of_pieces = states.outer_iter_mut().zip(pieces).zip(self.positions.outer_iter());
        for (at, ((mut state, &piece), position)) in of_pieces.enumerate() {
            let inside = (piece as usize) < self.words.nrows();
            state.assign(&self.words.index_axis(Axis(0), if inside { piece as usize } else { 0 }));
            state += &position;
            let segment = usize::from(at >= second).min(self.segments.nrows() - 1);
            state += &self.segments.index_axis(Axis(0), segment);
        }
        self.norm.apply(&mut states, self.shape.layer_norm_eps);
        for layer in &self.layers {
            layer.apply(&mut states, &self.shape);
        }
        states
    }

    /// The unit vector of a text given as token ids.
    pub(super) fn vector(&self, pieces: &[u32], pooling: Pooling) -> Vec<f32> {
        let states = self.states(pieces, pieces.len());
        let pooled: Option<Array1<f32>> = match pooling {
            Pooling::Mean => states.mean_axis(Axis(0)),
            Pooling::First => states
                .outer_iter()
                .next()
                .map(|first: ArrayView1<'_, f32>| first.to_owned()),
        };
        let mut vector = pooled.map(|pooled| pooled.to_vec()).unwrap_or_default();
        to_unit(&mut vector);
        vector
    }
}

impl Norm {
    fn apply(&self, states: &mut Array2<f32>, epsilon: f32) {
        let (Some(weight), Some(bias)) = (self.weight.as_slice(), self.bias.as_slice()) else {
            return;
        };
        for mut state in states.outer_iter_mut() {
            if let Some(state) = state.as_slice_mut() {
                normalise(state, weight, bias, epsilon);
            }
        }
    }
}

impl Linear {
    /// The layer of this name with the given input and output sizes.
    pub(super) fn of(tensors: &Tensors, name: &str, from: usize, to: usize) -> Result<Self, EncodeError> {
        let weight = tensors.matrix(&format!("{name}.weight"), from)?;
        Ok(Self {
            weight: weight.reversed_axes().as_standard_layout().into_owned(),
            bias: tensors.row(&format!("{name}.bias"), to)?,
        })
    }

    pub(super) fn apply(&self, states: &Array2<f32>) -> Array2<f32> {
        states.dot(&self.weight) + &self.bias
    }
}

impl Layer {
    fn apply(&self, states: &mut Array2<f32>, shape: &Shape) {
        let heads = shape.num_attention_heads;
        let each = shape.hidden_size / heads;
        let (query, key, value) = (
            self.query.apply(states),
            self.key.apply(states),
            self.value.apply(states),
        );
        let mut context = Array2::<f32>::zeros(states.raw_dim());
        for head in 0..heads {
            let part = |of: &'_ Array2<f32>| {
                of.slice_axis(Axis(1), Slice::from(head * each..(head + 1) * each))
                    .to_owned()
            };
            let mut scores = part(&query).dot(&part(&key).t()) / (each as f32).sqrt();
            for mut row in scores.outer_iter_mut() {
                if let Some(row) = row.as_slice_mut() {
                    softmax(row);
                }
            }
            let mut of_head = context.slice_axis_mut(Axis(1), Slice::from(head * each..(head + 1) * each));
            of_head.assign(&scores.dot(&part(&value)));
        }
        *states += &self.joined.apply(&context);
        self.attended.apply(states, shape.layer_norm_eps);
        let mut wide = self.wide.apply(states);
        if let Some(all) = wide.as_slice_mut() {
            gelu(all);
        }
        *states += &self.narrow.apply(&wide);
        self.out.apply(states, shape.layer_norm_eps);
    }
}
