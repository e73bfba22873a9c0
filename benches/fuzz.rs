//! Fuzzing: plans made from a seed, plans varied, and plans run. One element is one plan.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use taintsim::cluster::World;
use taintsim::fuzz::generate::{Limits, generate, vary};
use taintsim::plan::Plan;
use taintsim::timeline::Detail;

/// Plans of a round: enough that rare large ones do not decide.
const PLANS: u64 = 1_000;

fn bench(criterion: &mut Criterion) {
    let limits = Limits::default();
    let mut group = criterion.benchmark_group("fuzz");
    group.throughput(Throughput::Elements(PLANS));
    group.sample_size(20);
    group.bench_function("generate", |bencher| {
        bencher.iter(|| (0..PLANS).map(|run| generate(1, run, &limits).steps.len()).sum::<usize>());
    });
    let plans: Vec<Plan> = (0..PLANS).map(|run| generate(1, run, &limits)).collect();
    group.bench_function("vary", |bencher| {
        bencher.iter(|| {
            let varied = plans.iter().zip(0..).map(|(plan, run)| vary(plan, 1, run, &limits));
            varied.map(|plan| plan.steps.len()).sum::<usize>()
        });
    });
    group.bench_function("run", |bencher| {
        bencher.iter(|| {
            let events = plans.iter().map(|plan| {
                let mut world = World::new(plan, Detail::Summary);
                world.run(&mut ());
                world.events()
            });
            events.sum::<u64>()
        });
    });
    group.finish();
}

criterion_group!(benches, bench);
criterion_main!(benches);
