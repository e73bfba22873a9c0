//! Lines that neither taint nor delete.

use super::{check, read, refused};

#[test]
fn nodes_are_cordoned() {
    check("cordon node-0", &["unschedulable=true node-0"]);
    check("uncordon node/node-0 node-1", &["unschedulable=false node-0,node-1"]);
    check("cordon -l '!x'", &["unschedulable=true [DoesNotExist(\"x\")]"]);
    refused("cordon", "cordon needs the name of a node");
    refused("cordon node-0 -l x", "cannot specify both a node name and a --selector option");
    refused("cordon pod/web-0", "`pod/web-0` is no node");
    refused("cordon --all", "`--all` does not work with cordon (cordon takes --selector)");
}

#[test]
fn labels_change() {
    for (line, expected) in [
        ("label pods web-0 a=b c-", "label pods default/web-0 -c +a=b"),
        ("label pod/web-0 a=", "label pods default/web-0 +a="),
        ("label nodes node-0 a=1 a=2 --overwrite", "label nodes node-0 +a=2 overwrite"),
        ("label po --all -n shop a=b", "label pods Some(\"shop\") [] +a=b"),
        ("label nodes -l !zone a=b", "label nodes [DoesNotExist(\"zone\")] +a=b"),
    ] {
        check(line, &[expected]);
    }
    for (line, message) in [
        ("label pods web-0", "at least one label update is required"),
        ("label a=b", "one or more resources must be specified"),
        ("label pods a=b", "no name was specified"),
        ("label pods web-0 a=b web-1", "before label changes: web-1"),
        ("label pods web-0 a=b a-", "can not both modify and remove a label"),
        ("label pods web-0 a=b=c", "invalid label value"),
        ("label pods web-0 a/b/c=d", "invalid label key"),
        ("label services web a=b", "neither pods nor nodes"),
    ] {
        refused(line, message);
    }
}

#[test]
fn files_are_applied() {
    check("apply -f pod.yaml", &["apply pod.yaml in None"]);
    check(
        "apply -f a.yaml,b.yaml --filename=c.yaml -n shop",
        &["a", "b", "c"]
            .map(|file| format!("apply {file}.yaml in Some(\"shop\")"))
            .each_ref()
            .map(String::as_str),
    );
    refused("apply", "must specify --filename");
    refused("apply pod.yaml", "Unexpected args: [pod.yaml]");
    refused("apply -f -", "standard input cannot be applied");
    refused("apply -f https://example.com/pod.yaml", "name a file on this machine");
    refused("apply -f a.yaml --force", "`--force` does not work with apply");
    refused("apply -k dir", "`--kustomize` is not supported");
}

#[test]
fn other_lines_are_refused_with_what_works() {
    for (line, message) in [
        ("", "no command"),
        ("kubectl", "no command"),
        ("drain node-0", "kubectl drain is not supported by taintsim"),
        ("drain node-0 --ignore-daemonsets", "kubectl drain is not supported by taintsim"),
        ("drain --ignore-daemonsets --force node-0", "cordons and evicts each pod"),
        ("-n shop drain node-0 --grace-period=0", "Write a step `kubectl: cordon NODE`, and one"),
        ("get pods -o wide", "kubectl get is not supported by taintsim (it changes nothing"),
        ("logs -f web-0 --tail=5", "kubectl logs is not supported by taintsim (it changes nothing"),
        ("describe pod web-0 --show-events", "kubectl describe is not supported by taintsim"),
        ("exec -it web-0 -- sh", "kubectl exec is not supported by taintsim"),
        ("tain nodes node-0 --foo", "did you mean `taint`?"),
        ("frobnicate --foo", "unknown command \"frobnicate\" for \"kubectl\" (these work"),
        ("taint nodes node-0 a- --foo", "unknown flag: --foo (taint takes --selector"),
        ("--foo x taint nodes node-0 a-", "unknown flag: --foo"),
        ("delete pod web-0 --cascade=orphan", "not supported by taintsim (delete takes"),
        ("get pods", "`expect` asks what is there"),
        ("tain nodes node-0 a-", "did you mean `taint`?"),
        ("taint nodes 'node-0 a-", "a quote in this line is not closed"),
        ("taint nodes node-0 a- && cordon node-0", "no shell runs this line"),
        ("taint nodes node-0 a-; cordon node-0", "no shell runs this line"),
        ("taint nodes $NODE a-", "no shell runs this line"),
        ("cordon node-0\ncordon node-1", "more than one line"),
    ] {
        refused(line, message);
    }
}

#[test]
fn the_timeline_shows_the_line_without_kubectl() {
    for (line, text) in [
        ("  kubectl  cordon node-0 ", "cordon node-0"),
        ("cordon 'node-0'", "cordon 'node-0'"),
        ("kubectl taint nodes node-0 \\\n  a:NoExecute\n", "taint nodes node-0 a:NoExecute"),
    ] {
        let (actions, _) = read(line).expect(line);
        assert_eq!(&*actions[0].text, text);
    }
}
