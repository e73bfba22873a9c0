//! Fuzzing: plans made from a seed, plans varied, plans run, plans judged, blocks of a campaign with
//! the causes of what they break, and the making of a finding. One element is one plan; of `shrink`
//! it is one finding.

use criterion::{
    BatchSize, BenchmarkGroup, Criterion, Throughput, criterion_group, criterion_main,
};
use taintsim::cluster::World;
use taintsim::fuzz::campaign::{BLOCK, Campaign, Settings};
use taintsim::fuzz::cause::Causes;
use taintsim::fuzz::examine::{Examiner, RuleSet};
use taintsim::fuzz::finding::Finding;
use taintsim::fuzz::generate::{Limits, generate, vary};
use taintsim::plan::Plan;
use taintsim::timeline::Detail;

type Group<'c> = BenchmarkGroup<'c, criterion::measurement::WallTime>;

/// Plans of a round: enough that rare large ones do not decide.
const PLANS: u64 = 1_000;
/// Those of the groups in which each plan runs in several versions.
const FEW_PLANS: u64 = 100;

fn bench(criterion: &mut Criterion) {
    let limits = Limits::default();
    let plans: Vec<Plan> = (0..PLANS).map(|run| generate(1, run, &limits)).collect();
    let mut group = criterion.benchmark_group("fuzz");
    group.throughput(Throughput::Elements(PLANS));
    group.sample_size(20);
    group.bench_function("generate", |bencher| {
        bencher.iter(|| (0..PLANS).map(|run| generate(1, run, &limits).steps.len()).sum::<usize>());
    });
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
    examine(&mut group, "examine", &RuleSet::usual(), &plans);
    if let Ok(all) = RuleSet::parse(["all"]) {
        let few = plans.get(..FEW_PLANS as usize).unwrap_or(&plans);
        group.throughput(Throughput::Elements(few.len() as u64));
        examine(&mut group, "examine-all", &all, few);
    }
    group.throughput(Throughput::Elements(BLOCK));
    campaign(&mut group);
    group.throughput(Throughput::Elements(1));
    shrink(&mut group);
    group.finish();
}

/// Runs and rules, without causes.
fn examine(group: &mut Group<'_>, name: &str, rules: &RuleSet, plans: &[Plan]) {
    let mut examiner = Examiner::new(rules);
    group.bench_function(name, |bencher| {
        bencher.iter(|| plans.iter().map(|plan| examiner.examine(plan).len()).sum::<usize>());
    });
}

fn settings() -> Settings {
    Settings { seed: 1, version: None, rules: RuleSet::usual(), base: None }
}

/// A block on one thread, in a campaign that has seen all of its findings before: what a long one
/// does nearly all of its time.
fn campaign(group: &mut Group<'_>) {
    let Ok(pool) = rayon::ThreadPoolBuilder::new().num_threads(1).build() else { return };
    let block = BLOCK..BLOCK * 2;
    let mut known = Campaign::new(settings());
    pool.install(|| known.advance(std::slice::from_ref(&block)));
    known.tally = Default::default();
    group.bench_function("campaign-block", |bencher| {
        bencher.iter_batched(
            || known.clone(),
            |mut campaign| {
                pool.install(|| campaign.advance(std::slice::from_ref(&block)));
                campaign.tally.breaching
            },
            BatchSize::SmallInput,
        );
    });
}

/// The first run with a breach, from its plan to the text of its finding.
fn shrink(group: &mut Group<'_>) {
    let settings = settings();
    let mut examiner = Examiner::new(&settings.rules);
    let mut causes = Causes::default();
    let found = (0..PLANS).find_map(|run| {
        let plan = settings.plan(run);
        let breaches = examiner.examine(&plan);
        let class = causes.classes(&plan, &breaches).into_keys().next()?;
        Some((run, plan, class))
    });
    let Some((run, plan, class)) = found else { return };
    group.bench_function("shrink", |bencher| {
        bencher.iter(|| Finding::make(&mut causes, (run, &plan), &class, "bench").text.len());
    });
}

criterion_group!(benches, bench);
criterion_main!(benches);
