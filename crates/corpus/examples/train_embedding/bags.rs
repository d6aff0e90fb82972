/// The rows of a text with their weights, each row once, in order.
pub(crate) type Bag = Vec<(u32, f32)>;

/// The bag of a list of rows: one plus the logarithm of each row's count.
pub(crate) fn bag(mut rows: Vec<u32>) -> Bag {
    rows.sort_unstable();
    let mut bag: Bag = Vec::with_capacity(rows.len());
    for row in rows {
        match bag.last_mut() {
            Some((last, count)) if *last == row => *count += 1.0,
            _ => bag.push((row, 1.0)),
        }
    }
    for (_, count) in &mut bag {
        *count = 1.0 + count.ln();
    }
    bag
}

/// SplitMix64 (Steele, Lea, Flood 2014).
#[derive(Clone)]
pub(crate) struct SeededRandom(pub(crate) u64);

impl SeededRandom {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// A random number below `bound`.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        ((u128::from(self.next()) * bound as u128) >> 64) as usize
    }

    /// A random number in [0, 1).
    pub(crate) fn unit(&mut self) -> f32 {
        (self.next() >> 40) as f32 / (1_u64 << 24) as f32
    }
}
