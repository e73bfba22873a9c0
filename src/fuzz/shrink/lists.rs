//! The entries of lists: fewer taints, tolerations and labels, and plainer ones.

use std::ops::Range;

use super::Search;
use super::drop::parts;
use super::rebuild::{Rewrite, admit_all, is_admitted, rebuild};
use super::values::toleration as cost;
use crate::objects::{Effect, Operator, Requirement, Taint, Toleration};
use crate::plan::{Plan, TaintPattern};

/// Entries that go, at all places at once and at each alone, and entries that others take the
/// place of.
pub(super) fn entries(search: &mut Search<'_>) {
    if !is_admitted(&search.plan) {
        let admitted = admit_all(&search.plan);
        search.offer(admitted);
    }
    for taint in distinct_taints(&search.plan) {
        replace_taint(search, &taint, None);
    }
    for toleration in distinct_tolerations(&search.plan) {
        replace_toleration(search, &toleration, None);
    }
    for kind in [Kind::Taint, Kind::Toleration, Kind::Pattern, Kind::Label, Kind::Requirement] {
        parts(
            search,
            |plan| count(plan, kind),
            |plan, gone| {
                *plan = rebuild(plan, &mut Without { kind, gone, seen: 0 });
            },
        );
    }
    plain_values(search);
    for taint in distinct_taints(&search.plan) {
        for plainer in plainer_taints(&taint) {
            replace_taint(search, &taint, Some(plainer));
        }
    }
    alike(search);
    for toleration in distinct_tolerations(&search.plan) {
        for plainer in plainer_tolerations(&search.plan, &toleration) {
            if replace_toleration(search, &toleration, Some(plainer)) {
                break;
            }
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Taint,
    Toleration,
    Pattern,
    Label,
    Requirement,
}

/// Drops entries of one kind by their numbers.
struct Without {
    kind: Kind,
    gone: Range<usize>,
    seen: usize,
}

impl Without {
    fn of<T>(&mut self, kind: Kind, list: Vec<T>) -> Vec<T> {
        if kind != self.kind {
            return list;
        }
        let mut list = list;
        list.retain(|_| {
            self.seen += 1;
            !self.gone.contains(&(self.seen - 1))
        });
        list
    }
}

impl Rewrite for Without {
    fn taints(&mut self, list: Vec<Taint>) -> Vec<Taint> {
        self.of(Kind::Taint, list)
    }
    fn patterns(&mut self, list: Vec<TaintPattern>) -> Vec<TaintPattern> {
        self.of(Kind::Pattern, list)
    }
    fn tolerations(&mut self, list: Vec<Toleration>) -> Vec<Toleration> {
        self.of(Kind::Toleration, list)
    }
    fn labels(&mut self, pairs: Vec<(Box<str>, Box<str>)>) -> Vec<(Box<str>, Box<str>)> {
        self.of(Kind::Label, pairs)
    }
    fn requirements(&mut self, all: Vec<Requirement>) -> Vec<Requirement> {
        self.of(Kind::Requirement, all)
    }
}

fn count(plan: &Plan, kind: Kind) -> usize {
    let mut counting = Without { kind, gone: 0..0, seen: 0 };
    rebuild(plan, &mut counting);
    counting.seen
}

/// All taints and tolerations of a plan, each once.
#[derive(Default)]
struct Distinct {
    taints: Vec<Taint>,
    tolerations: Vec<Toleration>,
}

impl Rewrite for Distinct {
    fn taints(&mut self, list: Vec<Taint>) -> Vec<Taint> {
        for taint in &list {
            if !self.taints.contains(taint) {
                self.taints.push(taint.clone());
            }
        }
        list
    }
    fn tolerations(&mut self, list: Vec<Toleration>) -> Vec<Toleration> {
        for toleration in &list {
            if !self.tolerations.contains(toleration) {
                self.tolerations.push(toleration.clone());
            }
        }
        list
    }
}

fn distinct_taints(plan: &Plan) -> Vec<Taint> {
    let mut distinct = Distinct::default();
    rebuild(plan, &mut distinct);
    distinct.taints
}

/// Without what admission adds.
pub(super) fn distinct_tolerations(plan: &Plan) -> Vec<Toleration> {
    let mut distinct = Distinct::default();
    rebuild(plan, &mut distinct);
    distinct.tolerations
}

/// Puts entries in the place of others, wherever those stand.
struct Replace<'t> {
    taint: Option<(&'t Taint, Option<Taint>)>,
    toleration: Option<(&'t Toleration, Option<Toleration>)>,
}

impl Rewrite for Replace<'_> {
    fn taints(&mut self, list: Vec<Taint>) -> Vec<Taint> {
        match &self.taint {
            Some((old, new)) => replaced(list, old, new.as_ref()),
            None => list,
        }
    }
    fn tolerations(&mut self, list: Vec<Toleration>) -> Vec<Toleration> {
        match &self.toleration {
            Some((old, new)) => replaced(list, old, new.as_ref()),
            None => list,
        }
    }
}

fn replaced<T: Clone + PartialEq>(list: Vec<T>, old: &T, new: Option<&T>) -> Vec<T> {
    let put = |entry: T| if entry == *old { new.cloned() } else { Some(entry) };
    list.into_iter().filter_map(put).collect()
}

fn replace_taint(search: &mut Search<'_>, old: &Taint, new: Option<Taint>) -> bool {
    let mut replace = Replace { taint: Some((old, new)), toleration: None };
    let candidate = rebuild(&search.plan, &mut replace);
    search.offer(candidate)
}

fn replace_toleration(search: &mut Search<'_>, old: &Toleration, new: Option<Toleration>) -> bool {
    let candidate = with_toleration(&search.plan, old, new);
    search.offer(candidate)
}

/// The plan with another toleration, or none, wherever one stands.
pub(super) fn with_toleration(plan: &Plan, old: &Toleration, new: Option<Toleration>) -> Plan {
    rebuild(plan, &mut Replace { taint: None, toleration: Some((old, new)) })
}

/// No taint and no toleration has a value, where that makes no difference.
struct NoValues;

impl Rewrite for NoValues {
    fn taints(&mut self, list: Vec<Taint>) -> Vec<Taint> {
        let plain = |taint: Taint| Taint { value: "".into(), ..taint };
        list.into_iter().map(plain).collect()
    }
    fn tolerations(&mut self, list: Vec<Toleration>) -> Vec<Toleration> {
        list.into_iter().map(exists).collect()
    }
}

fn exists(toleration: Toleration) -> Toleration {
    Toleration { operator: Operator::Exists, value: "".into(), ..toleration }
}

fn plain_values(search: &mut Search<'_>) {
    let candidate = rebuild(&search.plan, &mut NoValues);
    search.offer(candidate);
}

/// Plainer forms of all tolerations that differ in their seconds only: a live pod may have other
/// seconds, but no other tolerations.
fn alike(search: &mut Search<'_>) {
    let mut index = 0;
    while let Some(one) = distinct_tolerations(&search.plan).get(index).cloned() {
        index += 1;
        for plainer in plainer_tolerations(&search.plan, &one) {
            let mut candidate = search.plan.clone();
            for other in distinct_tolerations(&search.plan) {
                let toleration_seconds = other.toleration_seconds;
                if other == (Toleration { toleration_seconds, ..one.clone() }) {
                    let new = Toleration { toleration_seconds, ..plainer.clone() };
                    candidate = with_toleration(&candidate, &other, Some(new));
                }
            }
            if search.offer(candidate) {
                break;
            }
        }
    }
}

fn plainer_taints(taint: &Taint) -> Vec<Taint> {
    let plain = Taint::new(&taint.key, "", Effect::NoExecute);
    let mut plainer = vec![
        plain.clone(),
        Taint { value: "".into(), ..taint.clone() },
        Taint { time_added: None, ..taint.clone() },
        Taint { effect: Effect::NoExecute, ..taint.clone() },
    ];
    plainer.retain(|one| one != taint);
    plainer
}

fn plainer_tolerations(plan: &Plan, old: &Toleration) -> Vec<Toleration> {
    let no_execute = Some(Effect::NoExecute);
    let mut plainer = Vec::new();
    if old.key.is_empty() {
        for key in super::values::keys(plan) {
            plainer.push(exists(Toleration { key, effect: no_execute.clone(), ..old.clone() }));
        }
    }
    plainer.push(exists(Toleration { effect: no_execute.clone(), ..old.clone() }));
    plainer.push(exists(old.clone()));
    plainer.push(Toleration { effect: no_execute, ..old.clone() });
    plainer.retain(|one| cost(one) < cost(old));
    plainer
}
