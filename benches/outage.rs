//! The main job: every node gets a NoExecute taint, every pod tolerates it for 300 s, and is
//! deleted. One element is one pod. World only: no loading, no output.

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use taintsim::cluster::World;
use taintsim::kernel::Time;
use taintsim::objects::{Effect, Operator, Taint, Toleration};
use taintsim::plan::{
    Action, NodeSpec, NodeTarget, Plan, PodSpec, Step, StepAction, TaintChange, When,
};
use taintsim::timeline::Detail;

const KEY: &str = "node.kubernetes.io/unreachable";

/// `nodes` nodes with `pods` pods each; all nodes are tainted at 10 s.
fn outage(nodes: u32, pods: u32) -> Plan {
    let mut plan = Plan::default();
    let toleration = Toleration {
        key: KEY.into(),
        operator: Operator::Exists,
        value: "".into(),
        effect: Some(Effect::NoExecute),
        toleration_seconds: Some(300),
    };
    let tolerations = plan.lists.intern_tolerations(&[toleration]);
    let taints = plan.lists.intern_taints(&[Taint::new(KEY, "", Effect::NoExecute)]);
    for n in 0..nodes {
        let node = plan.names.intern_node(&format!("node-{n}"));
        plan.nodes.push(NodeSpec::new(node));
        for p in 0..pods {
            let pod = plan.names.intern_pod(&format!("default/web-{n}-{p}"));
            plan.pods.push(PodSpec { tolerations, ..PodSpec::new(pod, Some(node)) });
        }
    }
    let names = plan.nodes.iter().map(|spec| spec.node).collect();
    let change = TaintChange { remove: vec![], add: taints, replace: None, overwrite: false };
    plan.steps.push(Step {
        number: 1,
        when: When::At(Time(10_000_000_000)),
        actions: vec![StepAction {
            action: Action::Taint { nodes: NodeTarget::Names(names), change },
            text: "taint all nodes".into(),
            kubectl: false,
        }],
        burst: false,
        may_be_rejected: false,
        because: None,
    });
    plan
}

fn bench(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("outage");
    for (nodes, pods) in [(1, 3), (100, 30), (1_000, 30), (5_000, 30)] {
        let plan = outage(nodes, pods);
        let mut world = World::new(&plan, Detail::Summary);
        group.throughput(Throughput::Elements(u64::from(nodes * pods)));
        group.sample_size(10);
        let name = BenchmarkId::from_parameter(format!("{nodes}x{pods}"));
        group.bench_function(name, |bencher| {
            bencher.iter(|| {
                world.reset(&plan, Detail::Summary);
                world.run(&mut ())
            });
        });
        assert_eq!(world.pods().count(), 0, "every pod was evicted");
    }
    group.finish();
}

criterion_group!(benches, bench);
criterion_main!(benches);
