//! Names as a person gives them: `node-0`, `web-0`, `maintenance`.

use super::Search;
use super::rebuild::{Rewrite, rebuild};
use super::values;
use crate::objects::{Taint, Toleration};
use crate::plan::{Plan, TaintPattern};
use crate::scenario::rules::Rules;

/// Old names with new ones; others stay.
#[derive(Clone, Debug, Default)]
pub(super) struct Renames {
    pub nodes: Vec<(String, String)>,
    pub pods: Vec<(String, String)>,
    pub keys: Vec<(String, String)>,
}

impl Renames {
    fn of_key(old: &str, new: &str) -> Renames {
        Renames { keys: vec![(old.to_owned(), new.to_owned())], ..Renames::default() }
    }
}

fn renamed(list: &[(String, String)], name: &str) -> String {
    let found = list.iter().find(|(old, _)| old == name);
    found.map_or(name, |(_, new)| new).to_owned()
}

impl Rewrite for Renames {
    fn node(&mut self, name: &str) -> String {
        renamed(&self.nodes, name)
    }
    fn pod(&mut self, name: &str) -> String {
        renamed(&self.pods, name)
    }
    fn taints(&mut self, list: Vec<Taint>) -> Vec<Taint> {
        let mut new: Vec<Taint> = Vec::with_capacity(list.len());
        for taint in list {
            let taint = Taint { key: renamed(&self.keys, &taint.key).into(), ..taint };
            // Two keys may have become one.
            if !new.iter().any(|other| other.same_key_and_effect(&taint)) {
                new.push(taint);
            }
        }
        new
    }
    fn patterns(&mut self, list: Vec<TaintPattern>) -> Vec<TaintPattern> {
        let mut new: Vec<TaintPattern> = Vec::with_capacity(list.len());
        for pattern in list {
            let pattern = TaintPattern { key: renamed(&self.keys, &pattern.key).into(), ..pattern };
            if !new.contains(&pattern) {
                new.push(pattern);
            }
        }
        new
    }
    fn tolerations(&mut self, list: Vec<Toleration>) -> Vec<Toleration> {
        let mut new: Vec<Toleration> = Vec::with_capacity(list.len());
        for toleration in list {
            let key = renamed(&self.keys, &toleration.key).into();
            let toleration = Toleration { key, ..toleration };
            if !new.contains(&toleration) {
                new.push(toleration);
            }
        }
        new
    }
}

/// A key for which admission adds tolerations becomes another one, and what it would have added is
/// said.
struct Explicit {
    old: &'static str,
    new: String,
}

impl Rewrite for Explicit {
    fn taints(&mut self, list: Vec<Taint>) -> Vec<Taint> {
        Renames::of_key(self.old, &self.new).taints(list)
    }
    fn patterns(&mut self, list: Vec<TaintPattern>) -> Vec<TaintPattern> {
        Renames::of_key(self.old, &self.new).patterns(list)
    }
    fn tolerations(&mut self, list: Vec<Toleration>) -> Vec<Toleration> {
        let mut list = list;
        let said = list.len();
        Rules::default().admit(&mut list);
        let mut added = list.split_off(said);
        added.retain(|toleration| *toleration.key == *self.old);
        list.append(&mut added);
        Renames::of_key(self.old, &self.new).tolerations(list)
    }
}

const ADMITTED: [&str; 2] = ["node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable"];

fn explicit(search: &mut Search<'_>) {
    for old in ADMITTED {
        let keys = values::keys(&search.plan);
        if !keys.iter().any(|key| **key == *old) {
            continue;
        }
        let unused = (0..).map(values::key).find(|new| !keys.iter().any(|key| **key == **new));
        for new in unused.into_iter().chain([values::key(0)]) {
            let candidate = rebuild(&search.plan, &mut Explicit { old, new });
            search.offer(candidate);
        }
    }
}

/// Gives all names their best form, or as many of them as can have it.
pub(super) fn names(search: &mut Search<'_>) {
    explicit(search);
    let best = best(&search.plan);
    let of_nodes = Renames { nodes: best.nodes.clone(), ..Renames::default() };
    let of_pods = Renames { pods: best.pods.clone(), ..Renames::default() };
    let of_keys = Renames { keys: best.keys.clone(), ..Renames::default() };
    if offer(search, best) {
        return;
    }
    for some in [of_nodes, of_pods, of_keys] {
        offer(search, some);
    }
    // Nodes share a worker by their names; others may share one as well.
    for (old, new) in self::best(&search.plan).nodes {
        offer(search, Renames { nodes: swap(old, new), ..Renames::default() });
    }
    for (old, new) in self::best(&search.plan).pods {
        offer(search, Renames { pods: swap(old, new), ..Renames::default() });
    }
    for (old, new) in self::best(&search.plan).keys {
        offer(search, Renames { keys: swap(old, new), ..Renames::default() });
    }
}

fn swap(old: String, new: String) -> Vec<(String, String)> {
    vec![(new.clone(), old.clone()), (old, new)]
}

fn best(plan: &Plan) -> Renames {
    let nodes = plan.names.nodes().enumerate();
    let pods = plan.names.pods().enumerate();
    let keys = values::keys(plan).into_iter().enumerate();
    Renames {
        nodes: nodes.map(|(index, (_, name))| (name.to_owned(), values::node(index))).collect(),
        pods: pods.map(|(index, (_, name))| (name.to_owned(), values::pod(index))).collect(),
        keys: keys.map(|(index, key)| (key.into_string(), values::key(index))).collect(),
    }
}

fn offer(search: &mut Search<'_>, mut renames: Renames) -> bool {
    let candidate = rebuild(&search.plan, &mut renames);
    search.offer(candidate)
}

/// The same object under one of two names.
pub(super) fn joined(plan: &Plan, mut renames: Renames) -> Plan {
    let mut plan = rebuild(plan, &mut renames);
    let mut seen = Vec::new();
    plan.nodes.retain(|spec| {
        let is_new = !seen.contains(&spec.node);
        seen.push(spec.node);
        is_new
    });
    let mut seen = Vec::new();
    plan.pods.retain(|spec| {
        let is_new = !seen.contains(&spec.pod);
        seen.push(spec.pod);
        is_new
    });
    plan
}
