//! Draws for the generator: one stream for each run, so that any run can be made again alone.

use crate::kernel::streams::Stream;

/// Draws of one run.
pub(super) struct Dice(Stream);

impl Dice {
    /// The draws for `what` in run `run` of `seed`.
    pub fn new(seed: u64, what: &str, run: u64) -> Dice {
        Dice(Stream::new(seed, &format!("fuzz.{what}.{run}")))
    }

    /// A number below `bound`, which is not 0.
    pub fn below(&mut self, bound: u64) -> u64 {
        self.0.below(bound)
    }

    /// An index into a list of `length` entries, which has one.
    pub fn index(&mut self, length: usize) -> usize {
        // Below a `usize`, so it is one.
        usize::try_from(self.0.below(length as u64)).unwrap_or(0)
    }

    /// Whether something happens that does so in `per_mille` of 1,000 cases.
    pub fn chance(&mut self, per_mille: u64) -> bool {
        self.0.below(1_000) < per_mille
    }

    /// One of a list that is not empty.
    pub fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.index(from.len())]
    }

    /// One of a list with weights; some weight is not 0.
    pub fn weighted<T: Copy>(&mut self, table: &[(T, u64)]) -> T {
        let total = table.iter().map(|(_, weight)| weight).sum();
        let mut rest = self.0.below(total);
        for (what, weight) in table {
            match rest.checked_sub(*weight) {
                Some(left) => rest = left,
                None => return *what,
            }
        }
        unreachable!("{rest} of {total} is left over")
    }
}

/// A row of a table from which each run takes some: what it is, in how many of 1,000 runs it is in
/// play, and its weight among those that are.
pub(super) type Row<T> = (T, u64, u64);

/// The rows of a table that are in play in one run.
pub(super) struct InPlay<T: 'static, const N: usize> {
    table: &'static [Row<T>; N],
    weights: [u64; N],
    total: u64,
}

impl<T: Copy, const N: usize> InPlay<T, N> {
    /// Draws the rows. Where none comes, the first one is in play.
    pub fn draw(table: &'static [Row<T>; N], dice: &mut Dice) -> Self {
        let mut weights = [0; N];
        for (weight, (_, in_play, if_so)) in weights.iter_mut().zip(table) {
            if dice.chance(*in_play) {
                *weight = *if_so;
            }
        }
        let total: u64 = weights.iter().sum();
        if total == 0 {
            weights[0] = table[0].2;
        }
        InPlay { table, weights, total: total.max(weights[0]) }
    }

    /// One of those in play.
    pub fn pick(&self, dice: &mut Dice) -> T {
        let mut rest = dice.below(self.total);
        for ((what, ..), weight) in self.table.iter().zip(&self.weights) {
            match rest.checked_sub(*weight) {
                Some(left) => rest = left,
                None => return *what,
            }
        }
        unreachable!("{rest} of {} is left over", self.total)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    static TABLE: [Row<char>; 3] = [('a', 0, 1), ('b', 1_000, 3), ('c', 1_000, 1)];
    static NONE: [Row<char>; 2] = [('a', 0, 2), ('b', 0, 1)];

    #[test]
    fn only_what_is_in_play_comes_and_by_its_weight() {
        let mut dice = Dice::new(1, "test", 0);
        let in_play = InPlay::draw(&TABLE, &mut dice);
        let count =
            |letter, dice: &mut Dice| (0..4_000).filter(|_| in_play.pick(dice) == letter).count();
        assert_eq!(count('a', &mut dice), 0);
        let b = count('b', &mut dice);
        assert!((2_800..3_200).contains(&b), "{b}");
        let none = InPlay::draw(&NONE, &mut dice);
        assert!((0..100).all(|_| none.pick(&mut dice) == 'a'));
        let weighted = (0..4_000).filter(|_| dice.weighted(&[('x', 1), ('y', 3)]) == 'x').count();
        assert!((800..1_200).contains(&weighted), "{weighted}");
    }
}
