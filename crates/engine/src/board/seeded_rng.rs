use precedent_ledger::InputHash;

/// A random number generator derived from a seed and a purpose. The same seed and purpose give the same numbers. A draw for one purpose does not
/// change the draws for another.
#[derive(Debug, Clone)]
pub struct SeededRng(u64);

impl SeededRng {
    /// A generator for `purpose`, whose parts are hashed separately.
    #[must_use]
    pub fn of(seed: u64, purpose: &[&str]) -> Self {
        let seed = seed.to_le_bytes();
        let parts = std::iter::once(seed.as_slice()).chain(purpose.iter().map(|part| part.as_bytes()));
        let hash = InputHash::of(parts);
        let state = hash
            .as_str()
            .get(..16)
            .and_then(|hex| u64::from_str_radix(hex, 16).ok());
        Self(state.unwrap_or_default())
    }

    /// The next number by SplitMix64 (Steele, Lea, Flood 2014).
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A uniform number below `bound`, to within one part in 2^64 (Lemire 2019); 0 if `bound` is 0.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        let wide = u128::from(self.next()) * (bound as u128);
        usize::try_from(wide >> 64).unwrap_or_default()
    }

    /// `count` distinct numbers below `of`, in the order drawn; all of them if `of` is not larger than `count`.
    #[must_use]
    pub fn draw(mut self, count: usize, of: usize) -> Vec<usize> {
        let mut numbers: Vec<usize> = (0..of).collect();
        for at in 0..count.min(of) {
            let with = at + self.below(of - at);
            numbers.swap(at, with);
        }
        numbers.truncate(count);
        numbers
    }

    /// Puts the items into random order.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        let count = items.len();
        for at in 0..count {
            let with = at + self.below(count - at);
            items.swap(at, with);
        }
    }

    /// The numbers below `of` in random order.
    #[must_use]
    pub fn shuffled(self, of: usize) -> Vec<usize> {
        self.draw(of, of)
    }
}
