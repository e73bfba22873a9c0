//! Tables of lines, with what they do or why they are refused.

mod others;

use super::*;
use crate::objects::{Lists, Names};
use crate::plan::{LabelChange, NodeTarget, PodTarget, TaintChange};

const HERE: Place = Place { source: 0, start: 10, end: 20 };

fn resolver() -> Resolver {
    let mut resolver = Resolver::default();
    for node in ["node-0", "node-1", "node-2"] {
        resolver.create_node(node, Lists::NO_LABELS);
    }
    for pod in ["default/web-0", "default/web-1", "shop/web-0"] {
        resolver.create_pod(pod, Lists::NO_LABELS);
    }
    resolver
}

fn read(line: &str) -> Result<(Vec<StepAction>, Resolver), Vec<Diagnostic>> {
    let mut resolver = resolver();
    let mut apply = |file: ApplyFile<'_>, _: &mut Resolver| {
        let text = format!("{} in {:?}", file.file, file.namespace);
        Ok(vec![Action::Note(text.into())])
    };
    let actions = parse(line, HERE, &mut resolver, &mut apply)?;
    resolver.finish();
    let mistakes = resolver.diagnostics.clone().into_sorted();
    if mistakes.is_empty() { Ok((actions, resolver)) } else { Err(mistakes) }
}

/// What a line does, in short words.
fn check(line: &str, expected: &[&str]) {
    let (actions, resolver) = read(line).unwrap_or_else(|e| panic!("{line}: {e:?}"));
    let words: Vec<String> = actions.iter().map(|a| words_of(&a.action, &resolver)).collect();
    assert_eq!(words, expected, "{line}");
    assert!(actions.iter().all(|action| action.kubectl), "{line}");
}

fn refused(line: &str, message: &str) {
    let found = match read(line) {
        Ok((actions, _)) => panic!("{line} should be refused, but is {actions:?}"),
        Err(found) => found,
    };
    let one = |d: &Diagnostic| format!("{} ({})", d.message, d.help.as_deref().unwrap_or(""));
    let text = found.iter().map(one).collect::<Vec<_>>().join("; ");
    assert!(text.contains(message), "{line}: {text}");
    assert!(found.iter().all(|d| d.place == HERE), "{line}: {found:?}");
}

fn words_of(action: &Action, resolver: &Resolver) -> String {
    let names = &resolver.names;
    match action {
        Action::Taint { nodes, change } => {
            format!("taint {}{}", nodes_of(nodes, names), taints_of(change, &resolver.lists))
        }
        Action::SetUnschedulable { nodes, unschedulable } => {
            format!("unschedulable={unschedulable} {}", nodes_of(nodes, names))
        }
        Action::DeleteNodes(nodes) => format!("delete nodes {}", nodes_of(nodes, names)),
        Action::DeletePods { pods, grace_period_seconds } => {
            format!("delete pods {} grace {grace_period_seconds:?}", pods_of(pods, names))
        }
        Action::LabelPods { pods, change } => {
            format!("label pods {}{}", pods_of(pods, names), labels_of(change))
        }
        Action::LabelNodes { nodes, change } => {
            format!("label nodes {}{}", nodes_of(nodes, names), labels_of(change))
        }
        Action::Note(text) => format!("apply {text}"),
        other => panic!("no kubectl line makes {other:?}"),
    }
}

fn nodes_of(nodes: &NodeTarget, names: &Names) -> String {
    match nodes {
        NodeTarget::Names(ids) => {
            ids.iter().map(|id| names.node(*id)).collect::<Vec<_>>().join(",")
        }
        NodeTarget::Matching(selector) => format!("{:?}", selector.0),
    }
}

fn pods_of(pods: &PodTarget, names: &Names) -> String {
    match pods {
        PodTarget::Names(ids) => ids.iter().map(|id| names.pod(*id)).collect::<Vec<_>>().join(","),
        PodTarget::Matching { namespace, selector } => format!("{namespace:?} {:?}", selector.0),
    }
}

fn taints_of(change: &TaintChange, lists: &Lists) -> String {
    let mut words = String::new();
    for pattern in &change.remove {
        let effect = pattern.effect.as_ref().map_or("*", |effect| effect.as_str());
        words += &format!(" -{}:{effect}", pattern.key);
    }
    for taint in lists.taints(change.add) {
        words += &format!(" +{taint}");
    }
    words + if change.overwrite { " overwrite" } else { "" }
}

fn labels_of(change: &LabelChange) -> String {
    let mut words = String::new();
    for key in &change.remove {
        words += &format!(" -{key}");
    }
    for (key, value) in &change.set {
        words += &format!(" +{key}={value}");
    }
    words + if change.overwrite { " overwrite" } else { "" }
}

#[test]
fn taints_come_and_go() {
    for (line, expected) in [
        ("taint nodes node-0 a=b:NoExecute", "taint node-0 +a=b:NoExecute"),
        ("kubectl taint node node-0 a:NoExecute", "taint node-0 +a:NoExecute"),
        ("taint no node-0 a=:NoSchedule", "taint node-0 +a:NoSchedule"),
        ("taint nodes node-0 node-2 a-", "taint node-0,node-2 -a:*"),
        ("taint nodes node-{0..2} a:NoExecute-", "taint node-0,node-1,node-2 -a:NoExecute"),
        ("taint nodes node-0 a=b:NoExecute-", "taint node-0 -a:NoExecute"),
        ("taint nodes node-0 a- b=1:NoExecute", "taint node-0 -a:* +b=1:NoExecute"),
        (
            "taint nodes node-0 a:NoExecute- a=1:NoSchedule",
            "taint node-0 -a:NoExecute +a=1:NoSchedule",
        ),
        ("taint --overwrite nodes node-0 a=b:NoExecute", "taint node-0 +a=b:NoExecute overwrite"),
        ("taint nodes node-0 a=b:NoExecute --overwrite=false", "taint node-0 +a=b:NoExecute"),
        ("taint nodes --all a:NoExecute", "taint [] +a:NoExecute"),
        ("taint nodes -l '!x' a:NoExecute", "taint [DoesNotExist(\"x\")] +a:NoExecute"),
        ("taint nodes --selector='!x' a:NoExecute", "taint [DoesNotExist(\"x\")] +a:NoExecute"),
        ("taint nodes \"node-0\" 'a=b:NoExecute'", "taint node-0 +a=b:NoExecute"),
    ] {
        check(line, &[expected]);
    }
}

#[test]
fn taint_lines_that_no_state_makes_right() {
    for (line, message) in [
        ("taint nodes node-0 a=b", "there is no effect (write a=b:NoExecute"),
        ("taint nodes node-0 a=b:", "invalid taint effect: "),
        ("taint nodes node-0 a=b:NoExecut", "did you mean NoExecute?"),
        ("taint nodes node-0 a=b:noexecute", "did you mean NoExecute?"),
        ("taint nodes node-0 a=b:NoExecute:x", "more than one `:`"),
        ("taint nodes node-0 a/b/c:NoExecute", "invalid taint spec"),
        ("taint nodes node-0 =b:NoExecute", "key:"),
        ("taint nodes node-0 a=b=c:NoExecute", "value:"),
        ("taint nodes node-0 a=b-", "there is no effect"),
        ("taint nodes node-0 -- -", "key:"),
        ("taint nodes node-0 a=1:NoExecute a=2:NoExecute", "duplicated taints"),
        ("taint nodes node-0 a=1:NoExecute a-", "can not both modify and remove"),
        ("taint nodes node-0 a=1:NoExecute a:NoExecute-", "can not both modify and remove"),
        ("taint nodes node-0", "at least one taint update is required"),
        ("taint nodes a:NoExecute", "at least one resource name must be specified"),
        ("taint a:NoExecute", "one or more resources must be specified"),
        ("taint pods web-0 a:NoExecute", "invalid resource type pods"),
        ("taint nodes node-0 a:NoExecute node-1", "before taint changes: node-1"),
        ("taint nodes node-0 --all a:NoExecute", "exclude each other"),
        ("taint nodes --all -l x a:NoExecute", "cannot set --all and --selector"),
        ("taint nodes node-0 -n shop a:NoExecute", "`--namespace` does not work with taint"),
        ("taint nodes node-* a:NoExecute", "kubectl knows no wildcards"),
        ("taint nodes Node_0 a:NoExecute", "the name of a node"),
        ("taint nodes nod-0 a:NoExecute", "did you mean `node-0`?"),
        ("taint nodes node-{0..x} a:NoExecute", "is not a range"),
        ("taint nodes -l 'a=(' a:NoExecute", "`-l a=(`"),
        ("taint nodes -l zone=b a:NoExecute", "matches no node"),
    ] {
        refused(line, message);
    }
}

#[test]
fn pods_and_nodes_are_deleted() {
    for (line, expected) in [
        ("delete pod web-0", "delete pods default/web-0 grace None"),
        ("delete po web-{0..1}", "delete pods default/web-0,default/web-1 grace None"),
        ("delete pods web-0 -n shop", "delete pods shop/web-0 grace None"),
        ("-n shop delete pod web-0", "delete pods shop/web-0 grace None"),
        ("delete pod/web-0 --namespace=shop", "delete pods shop/web-0 grace None"),
        ("delete pod web-0 -nshop", "delete pods shop/web-0 grace None"),
        ("delete pod web-0 -n=shop", "delete pods shop/web-0 grace None"),
        ("delete pod web-0 --grace-period=5", "delete pods default/web-0 grace Some(5)"),
        ("delete pod web-0 --grace-period -1", "delete pods default/web-0 grace None"),
        ("delete pod web-0 --grace-period=0", "delete pods default/web-0 grace Some(1)"),
        ("delete pod web-0 --grace-period=0 --force", "delete pods default/web-0 grace Some(0)"),
        ("delete pod web-0 --force", "delete pods default/web-0 grace Some(0)"),
        ("delete pod web-0 --now", "delete pods default/web-0 grace Some(1)"),
        ("delete pods --all", "delete pods Some(\"default\") [] grace None"),
        ("delete pods --all -A", "delete pods None [] grace None"),
        ("delete pods -Al '!x'", "delete pods None [DoesNotExist(\"x\")] grace None"),
        ("delete node node-0 node-1", "delete nodes node-0,node-1"),
        ("delete no/node-0", "delete nodes node-0"),
        ("delete nodes --all", "delete nodes []"),
    ] {
        check(line, &[expected]);
    }
    check(
        "delete pod/web-0 pod/web-1 node/node-0",
        &["delete pods default/web-0,default/web-1 grace None", "delete nodes node-0"],
    );
}

#[test]
fn delete_lines_that_no_state_makes_right() {
    for (line, message) in [
        ("delete", "one or more resources"),
        ("delete pod", "no name was specified"),
        ("delete deployment web", "neither pods nor nodes"),
        ("delete pods,nodes --all", "one command for each kind"),
        ("delete pod pod/web-0", "no need to specify a resource type"),
        ("delete pod/web-0 web-1", "`web-1` is not of that form"),
        ("delete shop/web-0", "`shop` is neither pods nor nodes"),
        ("delete pod web-0 --force --grace-period=5", "--force and --grace-period greater than 0"),
        ("delete pod web-0 --force --now", "--force and --grace-period greater than 0"),
        ("delete pod web-0 --now --grace-period=5", "--now and --grace-period cannot"),
        ("delete pod web-0 --grace-period=5s", "invalid argument \"5s\""),
        ("delete pod web-0 --grace-period=9999999999", "too long"),
        ("delete pod web-0 --grace-period", "flag needs an argument: --grace-period"),
        ("delete pod web-0 -n", "flag needs an argument: 'n'"),
        ("delete pod web-0 --force=maybe", "invalid argument \"maybe\""),
        ("delete pod web-0 -A", "cannot be retrieved by name"),
        ("delete pod web-0 --all", "exclude each other"),
        ("delete pod web-0 -n a.b", "the name of a namespace"),
        ("delete pod WEB", "the name of a pod"),
        ("delete pod web-7", "no pod `default/web-7` in this scenario"),
        ("delete node node-0 --force", "`--force` does nothing to nodes"),
        ("delete node node-0 -n shop", "`--namespace` does nothing to nodes"),
        ("delete pod web-0 --ignore-not-found", "mayBeRejected: true"),
        ("delete pod web-0 --wait=false", "`--wait` is not supported"),
        ("delete pod web-0 -o name", "`--output` is not supported"),
        ("delete pod web-0 --garce-period=0", "did you mean `--grace-period`?"),
        ("delete pod web-0 --overwrite", "`--overwrite` does not work with delete"),
        ("delete pod web-0 -x", "unknown shorthand flag: 'x' in -x"),
    ] {
        refused(line, message);
    }
}

#[test]
fn the_place_of_a_name_is_that_name() {
    for (line, wrong) in [
        ("taint nodes node-0 node-9 a:NoExecute", "node-9"),
        ("cordon node/node-9", "node-9"),
        ("delete pod 'web-9' -n shop", "web-9"),
        ("label nodes node-90 node-9 a=b", "node-90"),
    ] {
        let mut resolver = resolver();
        let source = resolver.sources.add("--step", line.into());
        let place = Place { source, start: 0, end: u32::try_from(line.len()).expect("short") };
        let mut apply = |_: ApplyFile<'_>, _: &mut Resolver| Ok(Vec::new());
        parse(line, place, &mut resolver, &mut apply).expect(line);
        resolver.finish();
        let mistakes = resolver.diagnostics.clone().into_sorted();
        assert_eq!(resolver.sources.slice(mistakes[0].place), wrong, "{line}: {mistakes:?}");
    }
}
