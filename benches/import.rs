//! Loading a dump: 10 MB of what `kubectl get nodes,pods -A -o yaml` (or json) prints, most of
//! which nothing reads. One element is one byte.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use taintsim::scenario::{LoadOptions, load_text};

/// Pods of about 2.8 kB each, as JSON.
fn pod(number: usize) -> serde_json::Value {
    let container = |name: &str| {
        serde_json::json!({
            "name": name,
            "image": format!("registry.example/team/{name}:v1.{number}"),
            "env": [{"name": "MODE", "value": "production"}, {"name": "LEVEL", "value": "info"}],
            "resources": {"limits": {"cpu": "1", "memory": "512Mi"}, "requests": {"cpu": "100m"}},
            "volumeMounts": [{"mountPath": "/var/run/secrets", "name": "token", "readOnly": true}],
            "livenessProbe": {"httpGet": {"path": "/healthz", "port": 8080}, "periodSeconds": 10},
        })
    };
    let condition = |kind: &str| {
        serde_json::json!({
            "lastProbeTime": null, "lastTransitionTime": "2026-06-26T10:12:11Z",
            "status": "True", "type": kind,
        })
    };
    serde_json::json!({
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {
            "annotations": {"checksum/config": "0123456789abcdef".repeat(4)},
            "creationTimestamp": "2026-06-26T10:12:11Z",
            "labels": {"app": format!("app-{}", number % 50), "pod-template-hash": "5d78c9869d"},
            "name": format!("app-{number}"),
            "namespace": "shop",
            "ownerReferences": [{"kind": "ReplicaSet", "name": "app-5d78c9869d", "uid": "u"}],
            "uid": format!("00000000-0000-4000-8000-{number:012}"),
        },
        "spec": {
            "containers": [container("main"), container("proxy")],
            "nodeName": format!("node-{}", number % 100),
            "terminationGracePeriodSeconds": 30,
            "tolerations": [
                {"effect": "NoExecute", "key": "node.kubernetes.io/not-ready",
                 "operator": "Exists", "tolerationSeconds": 300},
                {"effect": "NoExecute", "key": "node.kubernetes.io/unreachable",
                 "operator": "Exists", "tolerationSeconds": 300},
            ],
            "volumes": [{"name": "token", "projected": {"sources": [{"downwardAPI": {}}]}}],
        },
        "status": {
            "conditions": [condition("Initialized"), condition("Ready"), condition("Other")],
            "phase": "Running",
            "podIP": "10.0.0.1",
        },
    })
}

/// A list of so many bytes at least.
fn dump(size: usize, print: fn(&serde_json::Value) -> String) -> String {
    let one = print(&serde_json::json!({"items": [pod(1_000)]})).len();
    let items: Vec<_> = (0..size / one + 1).map(pod).collect();
    let nodes = (0..100)
        .map(|n| serde_json::json!({"kind": "Node", "metadata": {"name": format!("node-{n}")}}));
    let items: Vec<_> = nodes.chain(items).collect();
    print(&serde_json::json!({"apiVersion": "v1", "items": items, "kind": "List"}))
}

fn bench(c: &mut Criterion) {
    const SIZE: usize = 10_000_000;
    let yaml = dump(SIZE, |value| serde_yaml::to_string(value).unwrap_or_default());
    let json = dump(SIZE, ToString::to_string);
    let mut group = c.benchmark_group("import");
    group.sample_size(10);
    for (name, text) in [("yaml", yaml), ("json", json)] {
        group.throughput(Throughput::Bytes(text.len() as u64));
        group.bench_function(name, |b| {
            b.iter(|| {
                let loaded = load_text("dump", text.as_bytes(), None, &LoadOptions::default());
                let loaded = loaded.unwrap_or_else(|failure| panic!("{failure}"));
                assert!(loaded.plan.pods.len() > 1_000, "{} pods", loaded.plan.pods.len());
            });
        });
    }
    group.finish();
}

criterion_group!(benches, bench);
criterion_main!(benches);
