//! What holds of every plan that was made small.

use taintsim::cluster::World;
use taintsim::fuzz::generate::check;
use taintsim::fuzz::shrink::without_step;
use taintsim::plan::Plan;
use taintsim::scenario::{LoadOptions, emit, load_text};
use taintsim::timeline::{Detail, Kind, Record};

use super::{Find, breaks, finds, shrink, shrunk};

/// The records of a run, without the numbers of lists and names.
fn trace(plan: &Plan) -> Vec<String> {
    let mut records: Vec<Record> = Vec::new();
    let mut world = World::new(plan, Detail::Trace);
    world.run(&mut records);
    let context = world.context();
    let told = |record: &Record| {
        let pod = record.pod.map(|pod| context.names().pod(pod).to_owned());
        let node = record.node.map(|node| context.names().node(node).to_owned());
        format!("{} {} {pod:?} {node:?} {:?}", record.at, record.kind.name(), record.cause)
    };
    records.iter().map(told).collect()
}

fn page(plan: &Plan) -> String {
    emit::scenario(plan, &[], &|_| Vec::new(), None)
}

/// Writes the plan, reads that, and runs both; gives what the loader has to say.
pub(super) fn runs_from_its_file(plan: &Plan, name: &str) -> Vec<String> {
    let text = page(plan);
    let loaded = load_text("small.yaml", text.as_str(), None, &LoadOptions::default());
    let loaded = loaded.unwrap_or_else(|failure| panic!("{name}: {}\n{text}", failure.render()));
    assert_eq!(trace(plan), trace(&loaded.plan), "{name} runs otherwise from its file\n{text}");
    // A plan without a name has got that of the file.
    let again = Plan { name: plan.name.clone(), ..loaded.plan };
    assert_eq!(page(&again), text, "{name}: written again");
    loaded.notices.into_iter().map(|notice| notice.message).collect()
}

/// What has to hold of the result for a find.
fn examine(find: &Find) -> (usize, u64) {
    let name = format!("{} in run {} of {}", find.rule, find.run, find.version);
    let result = shrunk(find);
    let small = &result.plan;
    let text = page(small);
    assert!(!result.exhausted, "{name}: {} tries\n{text}", result.tries);
    assert_eq!(check(small), Ok(()), "{name}\n{text}");
    assert!(breaks(small, find.rule), "{name} is not broken any more\n{text}");
    let notices = runs_from_its_file(small, &name);
    assert!(notices.is_empty(), "{name}: {notices:?}\n{text}");
    let again = shrink(small, super::BUDGET, &mut |plan| breaks(plan, find.rule));
    assert_eq!(page(&again.plan), text, "{name}: smaller when it is done again");
    let mut world = World::new(small, Detail::Summary);
    let mut records: Vec<Record> = Vec::new();
    world.run(&mut records);
    for (step, index) in small.steps.iter().zip(0..) {
        let refused = records
            .iter()
            .any(|record| matches!(record.kind, Kind::StepRejected { step, .. } if step == index));
        assert_eq!(step.may_be_rejected, refused, "{name}: step {}\n{text}", step.number);
        let rest = without_step(small, index as usize);
        if let Some(rest) = rest {
            assert_eq!(check(&rest), Ok(()), "{name}: without step {}\n{text}", step.number);
            assert!(!breaks(&rest, find.rule), "{name}: step {} for nothing\n{text}", step.number);
        }
    }
    (small.steps.len(), result.tries)
}

/// The value in the middle, and the largest one.
fn middle_and_most<T: Copy + Ord>(values: &mut [T]) -> (T, T) {
    values.sort_unstable();
    (values[values.len() / 2], values[values.len() - 1])
}

#[test]
fn what_is_left_is_small_and_still_breaks_the_rule() {
    let finds = finds(8, 1_500);
    assert!(finds.len() > 150, "{} finds", finds.len());
    let (mut steps, mut tries): (Vec<usize>, Vec<u64>) = finds.iter().map(examine).unzip();
    let few = steps.iter().filter(|count| **count <= 4).count();
    let (middle, most) = middle_and_most(&mut steps);
    assert!(middle <= 3, "{middle} steps in the middle, {most} at most");
    assert!(few * 10 >= steps.len() * 9, "{few} of {} have at most 4 steps", steps.len());
    let (middle, most) = middle_and_most(&mut tries);
    assert!(middle < 500 && most < 3_000, "{middle} tries in the middle, {most} at most");
}

#[test]
fn the_same_plan_gives_the_same_result() {
    let finds = finds(2, 300);
    assert!(finds.len() > 20, "{} finds", finds.len());
    for find in &finds {
        let (one, other) = (shrunk(find), shrunk(find));
        assert_eq!(format!("{one:?}"), format!("{other:?}"), "{} in run {}", find.rule, find.run);
    }
}

#[test]
fn many_more_are_small_and_sound() {
    let finds = finds(60, 10_000);
    let most = finds.iter().map(|find| examine(find).0).max();
    assert!(finds.len() > 1_000 && most < Some(8), "{} finds, {most:?} steps", finds.len());
}
