//! Named random streams: every choice draws from the stream of its own name, so that a new
//! consumer never shifts the choices of another.
//!
//! A stream is ChaCha8 keyed by SHA-256 over a domain text, the seed and the name. The way from
//! words to choices is written here and pinned by tests, so that it does not change with a crate.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use sha2::{Digest, Sha256};

/// One stream.
#[derive(Clone, Debug)]
pub struct Stream {
    rng: ChaCha8Rng,
}

impl Stream {
    /// The stream `name` of `seed`, at its beginning.
    pub fn new(seed: u64, name: &str) -> Stream {
        let mut hash = Sha256::new();
        hash.update(b"taintsim stream 1\0");
        hash.update(seed.to_le_bytes());
        hash.update(name.as_bytes());
        Stream { rng: ChaCha8Rng::from_seed(hash.finalize().into()) }
    }

    /// The next 64 bits.
    pub fn next_u64(&mut self) -> u64 {
        self.rng.next_u64()
    }

    /// How many words have been drawn: what comes next depends on nothing else.
    pub fn position(&self) -> u128 {
        self.rng.get_word_pos()
    }

    /// A number below `bound`, each equally likely: the high half of word times bound, words that
    /// would favour some numbers drawn again.
    ///
    /// # Panics
    /// If `bound` is 0: there is nothing to choose.
    pub fn below(&mut self, bound: u64) -> u64 {
        assert!(bound > 0, "a choice out of nothing");
        let favoured = bound.wrapping_neg() % bound;
        loop {
            let product = u128::from(self.next_u64()) * u128::from(bound);
            if product as u64 >= favoured {
                return (product >> 64) as u64;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    // Computed with an independent implementation of ChaCha8.
    fn words_are_pinned() {
        let mut stream = Stream::new(7, "api.latency");
        let words: Vec<u64> = (0..3).map(|_| stream.next_u64()).collect();
        assert_eq!(words, [18003741527533664426, 12678803696096114854, 17923940262276945145]);
        let mut dice = Stream::new(0, "dice");
        let throws: Vec<u64> = (0..12).map(|_| dice.below(6)).collect();
        assert_eq!(throws, [4, 5, 4, 0, 5, 3, 0, 0, 4, 1, 0, 2]);
    }

    #[test]
    fn streams_differ_by_seed_and_by_name() {
        let first = Stream::new(1, "a").next_u64();
        assert_ne!(first, Stream::new(2, "a").next_u64());
        assert_ne!(first, Stream::new(1, "b").next_u64());
        assert_eq!(first, Stream::new(1, "a").next_u64());
    }

    #[test]
    fn choices_stay_in_bounds_and_reach_all() {
        let mut stream = Stream::new(3, "bounds");
        let mut seen = [0u32; 7];
        for _ in 0..7_000 {
            seen[stream.below(7) as usize] += 1;
        }
        assert!(seen.iter().all(|&n| (800..1_200).contains(&n)), "{seen:?}");
        assert!((0..100).all(|_| stream.below(1) == 0));
        assert!((0..100).all(|_| stream.below(u64::MAX) < u64::MAX));
    }
}
