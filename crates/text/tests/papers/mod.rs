//! Test texts: real papers of the development data, and generated prose.

use std::path::PathBuf;

/// The folder that `PRECEDENT_DEV_DATA` names.
pub(crate) fn development_data() -> Option<PathBuf> {
    std::env::var_os("PRECEDENT_DEV_DATA").map(PathBuf::from)
}

/// The first `most` full texts of one set; empty if the data is missing.
pub(crate) fn full_texts(set: &str, most: usize) -> Vec<String> {
    let path = development_data().map(|data| data.join(format!("fulltext/{set}.jsonl.zst")));
    let Some(packed) = path.and_then(|path| std::fs::read(path).ok()) else {
        return Vec::new();
    };
    let lines = String::from_utf8(zstd::decode_all(packed.as_slice()).unwrap()).unwrap();
    let text = |line: &str| {
        let paper: serde_json::Value = serde_json::from_str(line).unwrap();
        paper["raw"].as_str().unwrap().to_owned()
    };
    lines.lines().take(most).map(text).collect()
}

/// Pseudo-random numbers, identical on every run.
pub(crate) struct Chance(u64);

impl Chance {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub(crate) fn below(&mut self, limit: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % limit.max(1)
    }
}

/// Sentences over a long-tailed vocabulary.
pub(crate) fn prose(words: usize, seed: u64) -> String {
    let mut chance = Chance::new(seed + 1);
    let mut text = String::new();
    for word in 0..words {
        let uniform = chance.below(1 << 20) as f64 / f64::from(1 << 20);
        let rank = (uniform * uniform * uniform * 4000.0) as u64;
        let spelt: String = (0..3)
            .map(|place| {
                [
                    "ba", "ko", "mi", "tu", "re", "so", "la", "ne", "wi", "do", "fa", "gu", "he", "ji", "pa", "vo",
                ][(rank >> (4 * place)) as usize % 16]
            })
            .collect();
        match word % 17 {
            0 => text.push_str(&format!("{}{} ", spelt[..1].to_uppercase(), &spelt[1..])),
            16 => text.push_str(&format!("{spelt}. ")),
            _ => text.push_str(&format!("{spelt} ")),
        }
    }
    text
}
