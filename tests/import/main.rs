//! `taintsim import`: what it writes loads, and runs as the manifests run that it was made of.
//!
//! Made-up clusters with everything that dumps have been seen to hold; the collected hostile files,
//! which are not part of the repository (the folder is named by `TAINTSIM_HOSTILE`, or lies next
//! to the repository; where there is none, their test says so and checks nothing); and the command.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test may stop at what it does not expect"
)]

mod cluster;
mod command;
mod hostile;
mod outcome;
mod redaction;

use proptest::prelude::*;

use outcome::{fates, fates_as, import, load, objects, uncommented};

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// Nodes and pods with their labels, taints, tolerations and states are the same, and so are
    /// fates and times under a taint on every node, in the version of the scenario.
    #[test]
    fn an_imported_cluster_is_the_cluster(cluster in cluster::any()) {
        let dump = cluster.dump();
        let scenario = import(&dump, false);
        prop_assert_eq!(objects(&load(&scenario, &[])), objects(&load(&dump, &[])), "{}", scenario);
        let step = "0s taint nodes --all dedicated=x:NoExecute --overwrite";
        let steps = if cluster.nodes.is_empty() { vec![] } else { vec![step] };
        prop_assert_eq!(fates(&scenario, &steps), fates_as(&scenario, &dump, &steps), "{}", scenario);
    }

    #[test]
    fn the_example_steps_are_right(cluster in cluster::any()) {
        let scenario = uncommented(&import(&cluster.dump(), false));
        let plan = load(&scenario, &[]).plan;
        let expected = 1 + 2 * usize::from(!plan.nodes.is_empty())
            + usize::from(!plan.pods.is_empty());
        // A node whose name the API would refuse is in no example.
        prop_assert!(plan.steps.len() == expected || plan.steps.len() + 2 == expected);
    }
}
