//! Where each pair of neighbouring tokens stands.

use crate::token::Tokens;

/// The positions of every pair of neighbouring tokens, found by one table look-up. Built in linear time.
#[derive(Debug, Clone)]
pub(crate) struct Index {
    shift: u32,
    /// First posting of each bucket; one more at the end.
    buckets: Vec<u32>,
    postings: Vec<Posting>,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Posting {
    pub(crate) hash: u64,
    pub(crate) position: u32,
}

/// Mixes the key of one more token into the hash of a run of tokens.
pub(crate) fn mix(hash: u64, key: u64) -> u64 {
    let mixed = (hash.rotate_left(23) ^ key).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    mixed ^ (mixed >> 29)
}

pub(crate) fn pair_hash(left: u64, right: u64) -> u64 {
    mix(mix(0, left), right).wrapping_mul(0xd6e8_feb8_6659_fd93)
}

impl Index {
    pub(crate) fn new(tokens: &Tokens) -> Self {
        let pairs = tokens
            .entries
            .windows(2)
            .enumerate()
            .filter_map(|(position, pair)| match pair {
                [left, right] => Some(Posting {
                    hash: pair_hash(left.key, right.key),
                    position: u32::try_from(position).ok()?,
                }),
                _ => None,
            });
        Self::from_postings(pairs)
    }

    /// An index of postings given in the order of their positions.
    #[expect(
        clippy::indexing_slicing,
        reason = "counting sort: every bucket index is hash >> shift < buckets.len() - 1"
    )]
    pub(crate) fn from_postings(postings: impl Iterator<Item = Posting> + Clone) -> Self {
        let count = postings.clone().count();
        let bits = usize::BITS - count.max(2).leading_zeros();
        let shift = 64 - bits;
        let mut buckets = vec![0_u32; (1 << bits) + 1];
        for posting in postings.clone() {
            buckets[(posting.hash >> shift) as usize + 1] += 1;
        }
        for bucket in 1..buckets.len() {
            buckets[bucket] += buckets[bucket - 1];
        }
        let mut next = buckets.clone();
        let mut sorted = vec![Posting::default(); count];
        for posting in postings {
            let slot = &mut next[(posting.hash >> shift) as usize];
            sorted[*slot as usize] = posting;
            *slot += 1;
        }
        for bounds in buckets.windows(2) {
            let bucket = &mut sorted[bounds[0] as usize..bounds[1] as usize];
            if bucket.len() > 1 {
                bucket.sort_unstable();
            }
        }
        Self {
            shift,
            buckets,
            postings: sorted,
        }
    }

    /// The postings of `hash`, in the order of their positions.
    pub(crate) fn get(&self, hash: u64) -> &[Posting] {
        let bucket = (hash >> self.shift) as usize;
        let (Some(from), Some(to)) = (self.buckets.get(bucket), self.buckets.get(bucket + 1)) else {
            return &[];
        };
        let bucket = self.postings.get(*from as usize..*to as usize).unwrap_or_default();
        let start = bucket.partition_point(|posting| posting.hash < hash);
        let length = bucket
            .get(start..)
            .unwrap_or_default()
            .partition_point(|posting| posting.hash == hash);
        bucket.get(start..start + length).unwrap_or_default()
    }
}
