//! Collected inputs that lie beside the project, where a checkout has them: real dumps, and hostile
//! files. Reader and manifests together must take each, or refuse it.

use super::{Outcome, read};

/// What the README beside the collected dumps counts in each: nodes, pods, taints, tolerations.
const DUMPS: [(&str, [usize; 4]); 20] = [
    ("01-minikube-1.31-nodes+pods-multidoc.yaml", [1, 24, 0, 62]),
    ("02-minikube-1.35-nodes,pods-list.yaml", [1, 25, 0, 64]),
    ("03-kubelet-pods-endpoint-1.33.json", [0, 23, 0, 60]),
    ("04-kurl-1.23-kube-system-podlist.json", [0, 15, 0, 65]),
    ("05-kurl-1.23-nodes+pods-list.json", [3, 7, 0, 26]),
    ("06-kind-1.20-concatenated-lists.json", [3, 20, 1, 110]),
    ("07-kind-1.20-terminating-oneline.json", [3, 5, 1, 32]),
    ("08-mixed-digitalocean-nodelist.json", [7, 0, 0, 0]),
    ("09-unhealthy-podlists-json-in-yaml-stream.yaml", [0, 9, 0, 24]),
    ("10-cloud-nodes-aks-eks-gke-do-linode-vsphere.json", [6, 0, 3, 0]),
    ("11-pod-sidecar-crlf.json", [0, 1, 0, 2]),
    ("12-pod-states-2018-multidoc.yaml", [0, 11, 0, 22]),
    ("13-openshift-mustgather-multidoc.yaml", [2, 2, 1, 7]),
    ("14-openshift-insights-no-kind-list.json", [2, 10, 1, 29]),
    ("15-openshift-4.8-unreachable-node-noapiversion.yaml", [1, 0, 2, 0]),
    ("16-out-of-service-nodes+pods-oracle.yaml", [3, 2, 3, 4]),
    ("17-tke-1.18-unreachable-shutdown-multidoc.yaml", [1, 2, 3, 11]),
    ("18-issue-fragments-null-spec-terminating.yaml", [1, 2, 0, 0]),
    // The README counts the empty item as a pod, too.
    ("19-podlist-null-and-empty-items.json", [0, 1, 0, 0]),
    ("20-json-array-of-pod-revisions.json", [0, 9, 0, 18]),
];

#[test]
fn real_dumps_are_read_whole() {
    let Some(folder) = shared("real-manifests") else { return };
    for (file, [nodes, pods, taints, tolerations]) in DUMPS {
        let text = std::fs::read_to_string(folder.join(file)).expect(file);
        let outcome = read(&text);
        assert_eq!(outcome.mistakes(), "", "{file}");
        let read = [outcome.objects.nodes_read, outcome.objects.pods_read];
        assert_eq!(read, [nodes, pods], "{file}: nodes and pods");
        if outcome.objects.pods.len() < pods || outcome.objects.nodes.len() < nodes {
            assert!(outcome.notices().contains("more than once"), "{file}");
            continue; // What the revisions carry that do not count cannot be counted here.
        }
        let Outcome { objects, lists, .. } = &outcome;
        let taints_read: usize =
            objects.nodes.values().filter_map(|n| n.taints).map(|id| lists.taints(id).len()).sum();
        let ids = objects.pods.values().filter_map(|p| p.tolerations);
        let tolerations_read: usize = ids.map(|id| lists.tolerations(id).len()).sum();
        assert_eq!([taints_read, tolerations_read], [taints, tolerations], "{file}");
    }
}

#[test]
fn hostile_files_are_taken_or_refused_as_told() {
    let Some(folder) = shared("hostile") else { return };
    let refused = [
        "h02", "h05", "h08", "h10", "h11", "h20", "h22", "h29", "h38", "h49", "h64", "h65", "h66",
        "h68", "h69", "h70",
    ];
    let taken = [
        "h00", "h06", "h07", "h12", "h14", "h15", "h16", "h18", "h23", "h24", "h25", "h27", "h28",
        "h42", "h44", "h50", "h53", "h54", "h56", "h57", "h58", "h60", "h62", "h72", "h75", "h76",
        "h81", "h83",
    ];
    let mut files: Vec<_> = std::fs::read_dir(folder)
        .expect("the folder")
        .map(|entry| entry.expect("an entry").path())
        .collect();
    files.sort();
    for path in files {
        let file = path.file_name().expect("a name").to_string_lossy().into_owned();
        let Ok(text) = std::fs::read_to_string(&path) else { continue };
        let outcome = read(&text);
        let number = &file[..3];
        let mistakes = outcome.mistakes();
        if taken.contains(&number) {
            assert_eq!(mistakes, "", "{file}");
        }
        if refused.contains(&number) {
            assert_ne!(mistakes, "", "{file}");
        }
    }
}

/// A folder of collected inputs beside the project, which a checkout need not have.
fn shared(folder: &str) -> Option<std::path::PathBuf> {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let found = root
        .ancestors()
        .skip(1)
        .take(2)
        .map(|beside| beside.join("shared").join(folder))
        .find(|path| path.is_dir());
    if found.is_none() {
        println!("skipped: there is no folder shared/{folder} beside the project");
    }
    found
}
