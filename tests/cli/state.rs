//! What is shown of the controller's inside and of its metrics at one moment, and runs under many
//! seeds.

use crate::support::{ran, stdout};

/// A scenario of the repository, from the folder that the program runs in.
fn of(name: &str) -> String {
    format!("../../../scenarios/{name}.yaml")
}

/// `replay` of a scenario with these options.
fn replayed(name: &str, options: &[&str]) -> String {
    let file = of(name);
    let arguments: Vec<&str> =
        ["replay", &file].into_iter().chain(options.iter().copied()).collect();
    stdout(&arguments)
}

#[test]
fn timers_markers_orphans_and_running_deletions_are_told_apart() {
    let show = ["--show", "timers", "--at"];
    let mut text = String::new();
    for (name, version, at) in [
        ("basics/stricter-second-taint-does-not-shorten", "1.36", "30s"),
        ("versions/marker-after-success", "1.32", "100s"),
        ("versions/finish-removes-replacement", "1.36", "24s"),
        ("versions/finish-removes-replacement", "1.35", "27s"),
        ("versions/graceful-stop", "1.35", "70.006s"),
        ("versions/graceful-stop", "1.34", "70.006s"),
    ] {
        let version_and_time = [show[0], show[1], show[2], at, "--kubernetes-version", version];
        text.push_str(&format!("# {name}, {version}\n{}\n", replayed(name, &version_and_time)));
    }
    insta::assert_snapshot!("show-timers", text);
}

/// The channel of the shard is full, and the dispatcher stands before it with everything behind.
#[test]
fn full_channels_and_blocked_dispatchers_are_shown() {
    let name = "facts/18-one-full-channel-stalls-all-workers";
    let text = replayed(name, &["--show", "shards,queues", "--at", "60.5s"]);
    insta::assert_snapshot!("show-shards", text);
    assert!(text.contains("noexec_taint_pod is blocked on shard 5"), "{text}");
}

/// A node channel has ten places (`NodeUpdateChannelSize`), a pod channel one.
#[test]
fn the_twelfth_node_of_a_busy_worker_blocks_the_dispatcher() {
    let name = "facts/18-a-node-channel-has-ten-places";
    let text = replayed(name, &["--show", "shards", "--at", "60.5s"]);
    assert!(text.contains("handles node-00 since 1m0s"), "{text}");
    assert!(text.contains("10 of 10: node-01, node-02,"), "{text}");
    assert!(text.contains("noexec_taint_node is blocked on shard 0 with node-11"), "{text}");
    let wider = "spec.taintManager.nodeChannelCapacity=11";
    let text = replayed(name, &["--show", "shards", "--at", "60.5s", "--set", wider]);
    assert!(text.contains("noexec_taint_node waits for its queue"), "{text}");
}

#[test]
fn metrics_have_the_names_of_the_version() {
    let name = "basics/failed-deletes-are-retried";
    insta::assert_snapshot!("metrics", replayed(name, &["--metrics"]));
    let older = replayed(name, &["--metrics", "--kubernetes-version", "1.28"]);
    assert!(!older.contains("taint_eviction_controller") && older.contains("workqueue_depth"));
    let oldest = replayed(name, &["--metrics", "--kubernetes-version", "1.12"]);
    assert!(oldest.starts_with("# Kubernetes 1.12 has no metrics"), "{oldest}");
    let down = replayed("basics/controller-restart-restarts-the-window", &["--metrics"]);
    assert!(down.contains("workqueue_adds_total{name=\"noexec_taint_node\"} 1"), "{down}");
}

#[test]
fn moments_that_cannot_be_looked_at_are_refused() {
    let file = of("basics/failed-deletes-are-retried");
    for (options, message) in [
        (&["--at", "10s"][..], "--at says when to look"),
        (&["--show", "timers", "--at", "25h"], "the run ends at 24h0m0s, before --at 25h0m0s"),
        (&["--show", "timers", "--pod", "x"], "--show has the whole controller"),
        (&["--show", "timers", "-o", "json"], "print to stdout; give the -o a file"),
        (&["--show", "clocks"], "invalid value 'clocks'"),
    ] {
        let arguments: Vec<&str> =
            ["replay", &file].into_iter().chain(options.iter().copied()).collect();
        let (code, _, stderr) = ran(&arguments);
        assert!(code == 2 && stderr.contains(message), "{options:?}: {stderr}");
    }
}

#[test]
fn every_seed_is_judged_and_the_first_that_fails_is_told() {
    let race = of("versions/cancelled-fired-timer-runs");
    let (code, text, _) = ran(&["test", &race, "--seeds", "0..20"]);
    assert_eq!(code, 1);
    insta::assert_snapshot!("seeds", text);
    let (code, text, stderr) = ran(&["test", &of("basics/kubectl-lines"), "--seeds", "0..3"]);
    assert_eq!(code, 0, "{text}");
    assert!(stderr.contains("every seed gives the same run"), "{stderr}");
    let (code, _, stderr) = ran(&["test", &race, "--seeds", "3..1"]);
    assert!(code == 2 && stderr.contains("write 1..3"), "{stderr}");
}
