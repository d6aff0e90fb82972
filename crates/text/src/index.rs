//! Index of adjacent token pairs.

use crate::token::{Entry, Tokens};

/// The positions of every pair of adjacent tokens, found with one table look-up. Built in linear time.
#[derive(Debug, Clone)]
pub(crate) struct Index {
    shift: u32,
    /// First posting of each bucket, plus the end of the last one.
    buckets: Vec<u32>,
    postings: Vec<Posting>,
}

/// Position of a hash. Only the low half of the hash is stored; the high half selects the bucket. Collisions are resolved by comparing the tokens
/// at the position, which all users do.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Posting {
    tag: u32,
    pub(crate) position: u32,
}

#[expect(clippy::cast_possible_truncation, reason = "only the low half is needed")]
fn tag(hash: u64) -> u32 {
    hash as u32
}

/// Adds the key of one more token to the hash of a run of tokens.
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
                [left, right] => Some((pair_hash(left.key, right.key), u32::try_from(position).ok()?)),
                _ => None,
            });
        Self::from_hashes(pairs)
    }

    /// Builds an index of hashes and their positions, given in order of position.
    #[expect(
        clippy::indexing_slicing,
        reason = "counting sort: every bucket index is hash >> shift < buckets.len() - 1"
    )]
    pub(crate) fn from_hashes(hashes: impl Iterator<Item = (u64, u32)> + Clone) -> Self {
        let count = hashes.clone().count();
        let bits = usize::BITS - count.max(2).leading_zeros();
        let shift = 64 - bits;
        let mut buckets = vec![0_u32; (1 << bits) + 1];
        for (hash, _) in hashes.clone() {
            buckets[(hash >> shift) as usize + 1] += 1;
        }
        for bucket in 1..buckets.len() {
            buckets[bucket] += buckets[bucket - 1];
        }
        let mut next = buckets.clone();
        let mut sorted = vec![Posting::default(); count];
        for (hash, position) in hashes {
            let slot = &mut next[(hash >> shift) as usize];
            sorted[*slot as usize] = Posting {
                tag: tag(hash),
                position,
            };
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

    /// The postings of `hash`, in order of position.
    pub(crate) fn get(&self, hash: u64) -> &[Posting] {
        self.within(self.bucket(hash), hash)
    }

    /// The range of the postings of `hash`.
    fn bucket(&self, hash: u64) -> (u32, u32) {
        let bucket = (hash >> self.shift) as usize;
        match self.buckets.get(bucket..bucket + 2) {
            Some([from, to]) => (*from, *to),
            _ => (0, 0),
        }
    }

    fn within(&self, (from, to): (u32, u32), hash: u64) -> &[Posting] {
        let bucket = self.postings.get(from as usize..to as usize).unwrap_or_default();
        let tag = tag(hash);
        match bucket {
            [] => &[],
            [only] if only.tag == tag => bucket,
            [_] => &[],
            _ => {
                let start = bucket.partition_point(|posting| posting.tag < tag);
                let rest = bucket.get(start..).unwrap_or_default();
                let length = rest.partition_point(|posting| posting.tag == tag);
                rest.get(..length).unwrap_or_default()
            }
        }
    }

    /// The postings of every adjacent pair in `entries`. Reads all buckets first and then all postings, so that the look-ups do not wait for each
    /// other.
    pub(crate) fn pairs(&self, entries: &[Entry]) -> Vec<&[Posting]> {
        let hashes = entries.windows(2).map(|pair| match pair {
            [left, right] => pair_hash(left.key, right.key),
            _ => 0,
        });
        let mut buckets: Vec<((u32, u32), u64, u32)> = hashes.map(|hash| (self.bucket(hash), hash, 0)).collect();
        for ((from, _), _, first) in &mut buckets {
            *first = self.postings.get(*from as usize).map_or(0, |posting| posting.tag);
        }
        buckets
            .into_iter()
            .map(|((from, to), hash, first)| {
                if to == from || to == from + 1 && first != tag(hash) {
                    return &[][..];
                }
                self.within((from, to), hash)
            })
            .collect()
    }
}
