use precedent_ledger::InputHash;

/// Lots drawn from a seed and what they are drawn for: the same two give the same lots, and no draw for one thing moves a draw for another.
#[derive(Debug, Clone)]
pub struct Lots(u64);

impl Lots {
    /// Lots for `purpose`, in parts that are never run together.
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

    /// A number by SplitMix64 (Steele, Lea, Flood 2014).
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `bound`, each as likely as the others to one part in 2^64 (Lemire 2019); 0 for a bound of 0.
    fn below(&mut self, bound: usize) -> usize {
        let wide = u128::from(self.next()) * (bound as u128);
        usize::try_from(wide >> 64).unwrap_or_default()
    }

    /// `count` different numbers below `of`, in the order in which they were drawn; all of them where there are no more.
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

    /// The numbers below `of`, shuffled.
    #[must_use]
    pub fn shuffled(self, of: usize) -> Vec<usize> {
        self.draw(of, of)
    }
}
