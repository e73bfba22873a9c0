//! What a dump has and a scenario has not: sentences about what could matter to an eviction, and a
//! list of the rest. Names of kinds and fields only; where names are to be kept private, only those
//! that are Kubernetes' own.

use crate::scenario::diagnostic::escape;
use crate::scenario::manifest::Survey;

/// Kinds that say something by not being there, with what.
const KINDS: [(&str, &str); 11] = [
    ("PodDisruptionBudget", "the taint manager does not look at them"),
    ("Deployment", RECREATED),
    ("ReplicaSet", RECREATED),
    ("ReplicationController", RECREATED),
    ("StatefulSet", RECREATED),
    ("DaemonSet", RECREATED),
    ("Job", RECREATED),
    ("CronJob", RECREATED),
    ("PriorityClass", "the taint manager does not look at priorities"),
    ("Lease", "nodes get no taints by themselves"),
    ("Event", "what happened before plays no part"),
];
const RECREATED: &str = "nothing re-creates an evicted pod";

/// Fields that could matter to an eviction, most of all first.
const FIELDS: [(&str, &str); 16] = [
    (
        "Pod metadata.finalizers",
        "a pod goes when its deletion is confirmed; nothing waits for them",
    ),
    ("Pod metadata.ownerReferences", RECREATED),
    ("Pod metadata.deletionGracePeriodSeconds", "a pod that is terminating stays so"),
    ("Pod spec.containers", "nor preStop hooks: `stopAfter` says how long a pod takes to stop"),
    ("Pod status.conditions", "readiness plays no part; the DisruptionTarget condition is read"),
    ("Pod spec.priority", "the taint manager does not look at it"),
    ("Pod spec.priorityClassName", "the taint manager does not look at it"),
    ("Pod spec.nodeSelector", "nothing schedules"),
    ("Pod spec.affinity", "nothing schedules"),
    ("Pod spec.topologySpreadConstraints", "nothing schedules"),
    ("Pod spec.activeDeadlineSeconds", "pods do not end by themselves"),
    ("Pod metadata.uid", "a pod's uid is its number"),
    ("Node status.conditions", "nodes get no taints by themselves; those of the dump are kept"),
    ("Node metadata.deletionTimestamp", "a node that is being deleted stays"),
    ("Node metadata.finalizers", "nodes are deleted by steps only"),
    ("Node status.nodeInfo", "only kubeletVersion is read"),
];

/// Names that are Kubernetes' own, beside those above.
const FIELDS_KNOWN: &str = "annotations creationTimestamp generateName generation managedFields \
    resourceVersion selfLink uid namespace ownerReferences finalizers deletionTimestamp \
    deletionGracePeriodSeconds automountServiceAccountToken dnsPolicy dnsConfig \
    enableServiceLinks ephemeralContainers hostAliases hostIPC hostNetwork hostPID hostUsers \
    hostname imagePullSecrets initContainers containers os overhead preemptionPolicy priority \
    priorityClassName readinessGates resourceClaims resources restartPolicy runtimeClassName \
    schedulerName schedulingGates securityContext serviceAccount serviceAccountName \
    setHostnameAsFQDN shareProcessNamespace subdomain topologySpreadConstraints volumes \
    nodeSelector affinity activeDeadlineSeconds podCIDR podCIDRs providerID externalID \
    configSource addresses allocatable capacity conditions config daemonEndpoints features \
    images nodeInfo runtimeHandlers volumesAttached volumesInUse phase containerStatuses \
    initContainerStatuses ephemeralContainerStatuses hostIP hostIPs message nominatedNodeName \
    observedGeneration podIP podIPs qosClass reason resize startTime status";

const KINDS_KNOWN: [&str; 24] = [
    "Service",
    "Endpoints",
    "EndpointSlice",
    "ConfigMap",
    "Secret",
    "ServiceAccount",
    "Namespace",
    "PersistentVolume",
    "PersistentVolumeClaim",
    "StorageClass",
    "Ingress",
    "IngressClass",
    "NetworkPolicy",
    "HorizontalPodAutoscaler",
    "Role",
    "RoleBinding",
    "ClusterRole",
    "ClusterRoleBinding",
    "CustomResourceDefinition",
    "NodeMetrics",
    "PodMetrics",
    "ResourceQuota",
    "LimitRange",
    "Node",
];

/// How many fields of the rest are named.
const REST_MAX: usize = 80;

/// Lines of prose, without a comment's mark: `12 Deployment, 3 ReplicaSet: nothing re-creates …`.
pub(super) fn lines(survey: &Survey, private: bool) -> Vec<String> {
    let mut lines = kinds(survey, private);
    for (path, why) in FIELDS {
        let Some(count) = survey.fields.get(path) else { continue };
        let owners = match path == "Pod metadata.ownerReferences" {
            true => owners(survey, private),
            false => String::new(),
        };
        lines.push(format!("{path} ({count}){owners}: {why}"));
    }
    let mut rest = Vec::new();
    let mut others = 0;
    for (path, count) in &survey.fields {
        if FIELDS.iter().any(|(known, _)| **known == **path) {
            continue;
        }
        let is_known = || {
            let name = path.rsplit(['.', ' ']).next().unwrap_or_default();
            FIELDS_KNOWN.split_whitespace().any(|known| known == name)
        };
        match rest.len() < REST_MAX && (!private || is_known()) {
            true => rest.push(format!("{} ({count})", escape(path))),
            false => others += 1,
        }
    }
    if others > 0 {
        rest.push(format!("{others} other fields"));
    }
    if !rest.is_empty() {
        lines.push(format!("without a part in evictions: {}", rest.join(", ")));
    }
    lines
}

/// One line about all of it, for stderr.
pub(super) fn summary(survey: &Survey, private: bool) -> Option<String> {
    let mut parts: Vec<String> = counted_kinds(survey, private);
    let fields = FIELDS.iter().filter_map(|(path, _)| Some((path, survey.fields.get(*path)?)));
    parts.extend(fields.take(6).map(|(path, count)| format!("{path} ({count})")));
    let rest = survey.fields.len().saturating_sub(parts.len());
    if rest > 0 {
        parts.push(format!("{rest} more fields"));
    }
    (!parts.is_empty())
        .then(|| format!("not modelled, and listed in the scenario's header: {}", parts.join(", ")))
}

fn kinds(survey: &Survey, private: bool) -> Vec<String> {
    let why_of = |kind: &str| KINDS.iter().find(|(known, _)| *known == kind).map(|(_, why)| *why);
    let mut lines = Vec::new();
    let mut told = Vec::new();
    for (_, why) in KINDS {
        let same: Vec<String> = survey
            .kinds
            .iter()
            .filter(|(kind, _)| why_of(kind) == Some(why))
            .map(|(kind, count)| format!("{count} {kind}"))
            .collect();
        if !same.is_empty() && !told.contains(&why) {
            lines.push(format!("{}: {why}", same.join(", ")));
            told.push(why);
        }
    }
    let mut rest = Survey::default();
    let others = survey.kinds.iter().filter(|(kind, _)| why_of(kind).is_none());
    rest.kinds = others.map(|(kind, count)| (kind.clone(), *count)).collect();
    if !rest.kinds.is_empty() {
        lines.push(format!(
            "{}: only Nodes and Pods are read",
            counted_kinds(&rest, private).join(", ")
        ));
    }
    lines
}

fn counted_kinds(survey: &Survey, private: bool) -> Vec<String> {
    let mut counted = Vec::new();
    let mut others = 0;
    for (kind, count) in &survey.kinds {
        match private && !is_known_kind(kind) {
            true => others += count,
            false => counted.push(format!("{count} {}", escape(kind))),
        }
    }
    if others > 0 {
        counted.push(format!("{others} of other kinds"));
    }
    counted
}

/// ` of 3 ReplicaSet, 1 Node`. What a Node owns is the mirror of a static pod.
fn owners(survey: &Survey, private: bool) -> String {
    let mut parts = Vec::new();
    let mut others = 0;
    for (kind, count) in &survey.owners {
        match &**kind {
            "Node" => parts.push(format!(
                "{count} Node, whose kubelet creates these mirrors of static pods again"
            )),
            "DaemonSet" => parts.push(format!("{count} DaemonSet")),
            kind if private && !is_known_kind(kind) => others += count,
            kind => parts.push(format!("{count} {}", escape(kind))),
        }
    }
    if others > 0 {
        parts.push(format!("{others} of other kinds"));
    }
    match parts.is_empty() {
        true => String::new(),
        false => format!(" of {}", parts.join(", ")),
    }
}

fn is_known_kind(kind: &str) -> bool {
    kind == "Pod" || KINDS_KNOWN.contains(&kind) || KINDS.iter().any(|(known, _)| *known == kind)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn survey() -> Survey {
        let mut survey = Survey::default();
        for (kind, count) in [("Secret", 2), ("Job", 1), ("Deployment", 3), ("AcmeDatabase", 4)] {
            survey.kinds.insert(kind.into(), count);
        }
        for (field, count) in [
            ("Pod spec.volumes", 7),
            ("Pod metadata.ownerReferences", 5),
            ("Pod metadata.finalizers", 1),
            ("Node spec.acmeRack", 2),
        ] {
            survey.fields.insert(field.into(), count);
        }
        for (owner, count) in [("ReplicaSet", 3), ("AcmeDatabase", 1), ("Node", 1)] {
            survey.owners.insert(owner.into(), count);
        }
        survey
    }

    #[test]
    fn what_matters_comes_first_with_its_reason() {
        let expected = [
            "1 Job, 3 Deployment: nothing re-creates an evicted pod",
            "2 Secret, 4 AcmeDatabase: only Nodes and Pods are read",
            "Pod metadata.finalizers (1): a pod goes when its deletion is confirmed; nothing waits \
             for them",
            "Pod metadata.ownerReferences (5) of 3 ReplicaSet, 1 AcmeDatabase, 1 Node, whose \
             kubelet creates these mirrors of static pods again: nothing re-creates an evicted pod",
            "without a part in evictions: Pod spec.volumes (7), Node spec.acmeRack (2)",
        ];
        assert_eq!(lines(&survey(), false), expected);
        assert_eq!(lines(&Survey::default(), false), [""; 0]);
        assert_eq!(summary(&Survey::default(), false), None);
    }

    #[test]
    fn private_kinds_and_fields_are_counted_only() {
        let text =
            lines(&survey(), true).join("\n") + &summary(&survey(), true).unwrap_or_default();
        assert!(!text.to_lowercase().contains("acme"), "{text}");
        for part in ["2 Secret, 4 of other kinds", "1 of other kinds: ", "(7), 1 other fields"] {
            assert!(text.contains(part), "lacks {part}\n{text}");
        }
    }
}
