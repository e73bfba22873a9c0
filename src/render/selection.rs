//! Which pods an output shows, and how it numbers what it shows; the run is the same whatever is
//! shown.

use std::borrow::Cow;

use indexmap::IndexSet;

use crate::objects::{Labels, Lists, NodeId, PodId, Selector};
use crate::plan::{Action, LabelChange, Plan, PodSpec, PodTarget};
use crate::timeline::Record;

/// The pods that are shown, and the nodes that they are ever on. Labels are those that the
/// scenario gives a pod at any time, if all of its steps are applied in their order: what is shown
/// has to be known before it happens.
#[derive(Clone, Debug, Default)]
pub struct Selection {
    /// `None`: everything is shown.
    shown: Option<Shown>,
}

#[derive(Clone, Debug)]
struct Shown {
    pods: Vec<bool>,
    nodes: Vec<bool>,
    numbers: Numbers,
}

/// The numbers of what is shown, by the numbers of the run.
#[derive(Clone, Debug, Default)]
struct Numbers {
    /// For each record of the run the number of the nearest that is shown, among itself and its
    /// ancestors; 0: none is.
    nearest: Vec<u32>,
    shown: u32,
}

impl Selection {
    /// Everything.
    pub fn all() -> Selection {
        Selection::default()
    }

    /// Pods that meet all of what is given: namespace, labels, name (`namespace/name`).
    pub fn new(
        plan: &Plan,
        namespace: Option<&str>,
        selector: Option<&Selector>,
        pod: Option<PodId>,
    ) -> Selection {
        if namespace.is_none() && selector.is_none() && pod.is_none() {
            return Selection::all();
        }
        let mut pods = match selector {
            Some(selector) => ever_matching(plan, selector),
            None => vec![true; plan.names.pod_count()],
        };
        for (id, _) in plan.names.pods() {
            let in_namespace = namespace.is_none_or(|name| name == plan.names.pod_parts(id).0);
            pods[id.index()] &= in_namespace && pod.is_none_or(|only| only == id);
        }
        Selection::of(plan, pods)
    }

    /// The pods of these names (`namespace/name`).
    pub fn named(plan: &Plan, names: &IndexSet<&str>) -> Selection {
        let mut pods = vec![false; plan.names.pod_count()];
        for (id, name) in plan.names.pods() {
            pods[id.index()] = names.contains(name);
        }
        Selection::of(plan, pods)
    }

    /// The pods that are marked, by their numbers.
    fn of(plan: &Plan, pods: Vec<bool>) -> Selection {
        let nodes = vec![false; plan.names.node_count()];
        let mut shown = Shown { pods, nodes, numbers: Numbers::default() };
        for spec in &plan.pods {
            if let (true, Some(node)) = (shown.has_pod(spec.pod), spec.node) {
                shown.nodes[node.index()] = true;
            }
        }
        Selection { shown: Some(shown) }
    }

    /// Whether everything is shown.
    pub fn is_all(&self) -> bool {
        self.shown.is_none()
    }

    /// Whether the pod is shown.
    pub fn has_pod(&self, pod: PodId) -> bool {
        self.shown.as_ref().is_none_or(|shown| shown.has_pod(pod))
    }

    /// Whether the node holds or held a pod that is shown.
    pub fn has_node(&self, node: NodeId) -> bool {
        self.shown.as_ref().is_none_or(|shown| shown.nodes.get(node.index()) == Some(&true))
    }

    /// Whether the record is shown; takes in where pods come to be, and numbers what is shown. It
    /// has to see every record of the run.
    pub fn admits(&mut self, record: &Record) -> bool {
        let Some(shown) = &mut self.shown else { return true };
        let admitted = shown.admits(record);
        shown.numbers.take(record, admitted);
        admitted
    }

    /// `seq` and `cause` of a record that is shown, in the numbers of what is shown: the cause is
    /// the nearest ancestor that is shown.
    pub fn numbers(&self, record: &Record) -> (u32, Option<u32>) {
        match &self.shown {
            None => (record.seq, record.cause),
            Some(Shown { numbers, .. }) => (numbers.of(Some(record.seq)), numbers.cause(record)),
        }
    }
}

/// The names whose labels match at any time.
fn ever_matching(plan: &Plan, selector: &Selector) -> Vec<bool> {
    let none = plan.lists.labels(Lists::NO_LABELS);
    let count = plan.names.pod_count();
    let labels = vec![Cow::Borrowed(none); count];
    let mut walk = LabelWalk { plan, selector, labels, matches: vec![false; count] };
    plan.pods.iter().for_each(|spec| walk.create(spec));
    for step_action in plan.steps.iter().flat_map(|step| &step.actions) {
        match &step_action.action {
            Action::CreatePods(pods) => pods.iter().for_each(|spec| walk.create(spec)),
            // Whether it creates the pod or adds labels to it.
            Action::ApplyPod(apply) => {
                let pod = apply.create.pod;
                let mut new = walk.labels[pod.index()].clone().into_owned();
                let applied = plan.lists.labels(apply.create.labels);
                applied.iter().for_each(|(key, value)| new.set(key, value));
                walk.create(&apply.create);
                walk.set(pod, Cow::Owned(new));
            }
            Action::LabelPods { pods, change } => walk.change(pods, change),
            _ => {}
        }
    }
    walk.matches
}

/// Goes through the scenario with the labels that each name has.
struct LabelWalk<'p> {
    plan: &'p Plan,
    selector: &'p Selector,
    labels: Vec<Cow<'p, Labels>>,
    matches: Vec<bool>,
}

impl<'p> LabelWalk<'p> {
    fn set(&mut self, pod: PodId, new: Cow<'p, Labels>) {
        self.matches[pod.index()] |= self.selector.matches(&new);
        self.labels[pod.index()] = new;
    }

    fn create(&mut self, spec: &PodSpec) {
        self.set(spec.pod, Cow::Borrowed(self.plan.lists.labels(spec.labels)));
    }

    fn change(&mut self, target: &PodTarget, change: &LabelChange) {
        let plan = self.plan;
        for (pod, _) in plan.names.pods() {
            let old = &self.labels[pod.index()];
            if is_target(target, pod, old, plan) {
                let mut new = old.clone().into_owned();
                change.set.iter().for_each(|(key, value)| new.set(key, value));
                for key in &change.remove {
                    new.remove(key);
                }
                self.set(pod, Cow::Owned(new));
            }
        }
    }
}

fn is_target(target: &PodTarget, pod: PodId, labels: &Labels, plan: &Plan) -> bool {
    match target {
        PodTarget::Names(names) => names.contains(&pod),
        PodTarget::Matching { namespace, selector } => {
            let (own, _) = plan.names.pod_parts(pod);
            namespace.as_deref().is_none_or(|name| name == own) && selector.matches(labels)
        }
    }
}

impl Numbers {
    fn take(&mut self, record: &Record, admitted: bool) {
        let number = match admitted {
            true => {
                self.shown += 1;
                self.shown
            }
            false => self.of(record.cause),
        };
        let index = record.seq.saturating_sub(1) as usize;
        self.nearest.resize(index.max(self.nearest.len()), 0);
        self.nearest.push(number);
    }

    fn of(&self, seq: Option<u32>) -> u32 {
        let index = seq.and_then(|seq| seq.checked_sub(1));
        index.and_then(|index| self.nearest.get(index as usize)).copied().unwrap_or(0)
    }

    fn cause(&self, record: &Record) -> Option<u32> {
        Some(self.of(record.cause)).filter(|number| *number > 0)
    }
}

impl Shown {
    fn admits(&mut self, record: &Record) -> bool {
        match (record.pod, record.node) {
            (Some(pod), node) => {
                let has = self.has_pod(pod);
                if let (true, Some(node)) = (has, node)
                    && let Some(slot) = self.nodes.get_mut(node.index())
                {
                    *slot = true;
                }
                has
            }
            (None, Some(node)) => self.nodes.get(node.index()) == Some(&true),
            (None, None) => true,
        }
    }

    fn has_pod(&self, pod: PodId) -> bool {
        self.pods.get(pod.index()) == Some(&true)
    }
}
