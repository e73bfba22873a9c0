//! What is in play in one run.

use super::dice::{Dice, InPlay};
use super::weights::{
    BLOCKS, Block, SECONDS, STEPS, Seconds, StepKind, TIMES, TRAIT_CHANCES, TRAITS, TimeKind, Trait,
};

/// The draw that comes before all others of a run.
pub(super) struct Swarm {
    pub steps: InPlay<StepKind, 22>,
    pub blocks: InPlay<Block, 10>,
    pub times: InPlay<TimeKind, 7>,
    pub seconds: InPlay<Seconds, 5>,
    traits: [bool; TRAITS],
}

impl Swarm {
    /// Draws it.
    pub fn draw(dice: &mut Dice) -> Swarm {
        Swarm {
            steps: InPlay::draw(&STEPS, dice),
            blocks: InPlay::draw(&BLOCKS, dice),
            times: InPlay::draw(&TIMES, dice),
            seconds: InPlay::draw(&SECONDS, dice),
            traits: TRAIT_CHANCES.map(|(_, chance)| dice.chance(chance)),
        }
    }

    /// Whether the run has it.
    pub fn has(&self, what: Trait) -> bool {
        self.traits[what as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn traits_stand_in_the_order_of_their_type() {
        for ((what, _), index) in TRAIT_CHANCES.iter().zip(0..) {
            assert_eq!(*what as usize, index, "{what:?}");
        }
    }
}
