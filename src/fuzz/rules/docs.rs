//! What the documentation of Kubernetes promises a pod.

use super::{Breach, Rule};
use crate::fuzz::reference::{Model, Overdue, PodStory, Promise, Reading, Stretch};
use crate::kernel::Time;

const PAGE: &str = "kubernetes.io, concepts/scheduling-eviction/taint-and-toleration";
const FIELD: &str = "core/v1 Toleration, description of tolerationSeconds";
const SLACK: &str = "API latencies, watch lag, the time of handlers, the sleeps of all attempts, \
                     times without controller or watch";

/// The rules of this family.
pub const RULES: [Rule; 13] = [
    UNTOLERATED_GOES,
    ZERO_IS_NOW,
    WITHOUT_SECONDS_STAYS,
    COVERED_STAYS,
    TOO_EARLY,
    TOO_LATE,
    UNTAINT_SAVES,
    HEALTHY_NODE,
    GONE_NODE,
    TRIED_AGAIN,
    CHANGE_COUNTS,
    RESTART,
    SAME_NAME,
];

const fn rule(name: &'static str, sentence: &'static str, source: &'static str) -> Rule {
    Rule { name, sentence, source, slack: SLACK }
}

const UNTOLERATED_GOES: Rule = rule(
    "docs/untolerated-goes",
    "A pod that does not tolerate a NoExecute taint of its node is evicted at once.",
    PAGE,
);
const ZERO_IS_NOW: Rule =
    rule("docs/zero-is-now", "tolerationSeconds of zero or less evict at once.", FIELD);
const WITHOUT_SECONDS_STAYS: Rule = rule(
    "docs/without-seconds-stays",
    "A pod that tolerates every NoExecute taint of its node without seconds stays for ever.",
    PAGE,
);
const COVERED_STAYS: Rule = rule(
    "docs/covered-stays",
    "A pod stays while its present tolerations cover the present taints without seconds, \
     whatever was before.",
    PAGE,
);
const TOO_EARLY: Rule = rule(
    "docs/shortest-wait-early",
    "A pod stays for the least tolerationSeconds of its node's present taints, counted from when \
     taint and pod were both there: not shorter.",
    PAGE,
);
const TOO_LATE: Rule = rule(
    "docs/shortest-wait-late",
    "A pod stays for the least tolerationSeconds of its node's present taints, counted from when \
     taint and pod were both there: not longer.",
    PAGE,
);
const UNTAINT_SAVES: Rule = rule(
    "docs/untaint-saves",
    "A pod is not evicted if the taint is removed before its time is over.",
    PAGE,
);
const HEALTHY_NODE: Rule = rule(
    "docs/healthy-node",
    "A pod that was never on a node with a NoExecute taint is never evicted.",
    PAGE,
);
const GONE_NODE: Rule = rule(
    "docs/gone-node",
    "No taint is left of a node that is gone, so none evicts a pod there.",
    PAGE,
);
const TRIED_AGAIN: Rule = Rule {
    slack: "as the others; and a minute after the last fault is over",
    ..rule(
        "docs/tried-again",
        "A deletion that the API server refuses is tried again until it is accepted.",
        PAGE,
    )
};
const CHANGE_COUNTS: Rule = rule(
    "docs/change-counts",
    "A change of a pod's tolerations counts at once, for a wait that has begun as well.",
    PAGE,
);
const RESTART: Rule = rule(
    "docs/restart-does-not-prolong",
    "A wait counts from when taint and pod were both there, also where the controller starts \
     again meanwhile.",
    PAGE,
);
const SAME_NAME: Rule = rule(
    "docs/same-name",
    "A pod is judged by its own times, not by those of an earlier pod of its name.",
    PAGE,
);

/// A promise that was not kept.
#[derive(Debug)]
pub struct Missed {
    /// What to say about it.
    pub breach: Breach,
    /// It went, and should not have; else it was there, and should not have been.
    pub early: bool,
}

/// Whether the promises to a pod were kept: the first that was not.
pub fn examine(
    model: &Model<'_>,
    index: usize,
    (stretches, overdue): (&mut Vec<Stretch>, &mut Vec<Overdue>),
) -> Option<Missed> {
    let pod = &model.story.pods()[index];
    if pod.exempt {
        return None;
    }
    let end = pod.leaving.map_or(model.horizon, |leaving| leaving.at);
    model.stretches(pod, end, stretches);
    let evicted = pod.leaving.is_some_and(|leaving| leaving.evicted);
    if !evicted && !stretches.iter().any(|stretch| model.is_tainted(stretch)) {
        return None;
    }
    let case = Case { model, pod, stretches, end };
    if evicted {
        let low = model.acted_on(end);
        if !model.was_due(pod, stretches, (low, end)) {
            return Some(Missed { breach: case.early(), early: true });
        }
    }
    if !model.context.plan.config.taint_manager.enabled {
        return None;
    }
    model.overdue(pod, stretches, overdue);
    let breach = overdue.iter().find_map(|overdue| case.late(overdue))?;
    Some(Missed { breach, early: false })
}

struct Case<'a> {
    model: &'a Model<'a>,
    pod: &'a PodStory,
    stretches: &'a [Stretch],
    /// When the pod went, or the end of what is judged.
    end: Time,
}

impl Case<'_> {
    fn breach(&self, rule: &Rule, at: Time, text: String) -> Breach {
        let name = self.model.context.names().pod(self.pod.pod);
        let text = format!("pod {name} {text}");
        Breach { rule: rule.name.into(), at, pod: Some(self.pod.pod), text }
    }

    fn promise(&self, index: usize) -> Promise {
        self.model.promise(self.pod, self.stretches, index, Reading::Earliest)
    }

    /// It went before its time.
    fn early(&self) -> Breach {
        let end = self.end;
        // What held at the end for a time, however short.
        let lasts = |stretch: &Stretch| stretch.from < stretch.to;
        let last = self.stretches.iter().rposition(lasts).unwrap_or(self.stretches.len() - 1);
        if !self.stretches.iter().any(|stretch| self.model.is_tainted(stretch)) {
            let text = format!("was evicted at {end}, but had never been under a NoExecute taint");
            return self.breach(&HEALTHY_NODE, end, text);
        }
        if let Some(due) = self.inherited() {
            let text = format!(
                "was evicted at {end}, by what was begun for the pod that had its name before, due \
                 at {due}"
            );
            return self.breach(&SAME_NAME, end, text);
        }
        let now = self.promise(last);
        let since = self.stretches[last].from;
        if now == Promise::Healthy {
            let of_node = self.pod.phases[self.stretches[last].phase].node;
            let gone = self.stretches[last].taints.is_none() && of_node.is_some();
            let (rule, what) = match gone {
                true => (&GONE_NODE, "its node had been gone"),
                false => (&UNTAINT_SAVES, "its node had had no NoExecute taint any more"),
            };
            return self.breach(
                rule,
                end,
                format!("was evicted at {end}, but {what} since {since}"),
            );
        }
        if let Some((change, due)) = self.older_tolerations() {
            let text = format!(
                "was evicted at {end}, as its tolerations of before {change} had it ({due}); by \
                 those of now it {}",
                stays(now)
            );
            return self.breach(&CHANGE_COUNTS, end, text);
        }
        if now == Promise::Forever {
            let ever =
                (0..=last).all(|i| matches!(self.promise(i), Promise::Forever | Promise::Healthy));
            let rule = if ever { &WITHOUT_SECONDS_STAYS } else { &COVERED_STAYS };
            let text = format!(
                "was evicted at {end}, but since {since} it had tolerated every taint of its node \
                 without limit"
            );
            return self.breach(rule, end, text);
        }
        let text = format!("was evicted at {end}, but {}", stays(now));
        self.breach(&TOO_EARLY, end, text)
    }

    /// It is there too long, or was.
    fn late(&self, overdue: &Overdue) -> Option<Breach> {
        let (index, from) = (overdue.stretch, overdue.from);
        let promise = self.model.promise(self.pod, self.stretches, index, Reading::Latest);
        let since = match promise {
            Promise::Until { since, .. } => since,
            _ => from,
        };
        let mut deadline = self.model.deadline(since, from);
        if overdue.to <= deadline {
            return None;
        }
        let refused = self.refused_until(overdue.to);
        if let Some(over) = refused {
            let slack = self.model.slack;
            let patience = slack.whole().0.saturating_add(slack.retry.0);
            deadline = deadline.max(Time(over.0.saturating_add(patience)));
            if overdue.to <= deadline {
                return None;
            }
        }
        let (rule, why) =
            self.reason_of_delay((index, promise), (since, from, overdue.to), refused);
        let was = self.what_became(overdue.to);
        let should = match promise {
            Promise::Until { since, seconds, .. } => {
                format!("{seconds}s are over since {from}, counted from {since}")
            }
            _ => format!("since {from} it does not tolerate a taint of its node"),
        };
        Some(self.breach(rule, deadline, format!("{was}: {should}{why}")))
    }

    fn reason_of_delay(
        &self,
        (index, promise): (usize, Promise),
        (since, from, to): (Time, Time, Time),
        refused: Option<Time>,
    ) -> (&'static Rule, String) {
        if let Some(over) = refused {
            return (&TRIED_AGAIN, format!("; what made its deletion fail was over at {over}"));
        }
        let went = self.pod.leaving.is_some_and(|leaving| leaving.evicted && leaving.at == to);
        let outlasts = |due: Time| to <= due;
        let fits = |due: Time| due <= to && to <= due.saturating_add(self.model.slack.whole());
        // The wait that began again was over when it went, or not yet when somebody saved it.
        let again_at = |due: Time| fits(due) || (!went && outlasts(due));
        let mut outages = self.model.story.outages.iter().filter(|outage| outage.down);
        let wait = from.since(since);
        let again =
            outages.find(|o| o.to > since && o.from < to && again_at(o.to.saturating_add(wait)));
        if let Some(again) = again {
            return (&RESTART, format!("; the controller started again at {}", again.to));
        }
        // Nothing that was ever promised to this pod explains when it went.
        let explained =
            (0..=index).any(|index| fits(self.promise(index).due(self.stretches[index].from)));
        if !(went && explained)
            && let Some(before) = self.pod.earlier.map(|earlier| &self.model.story.pods()[earlier])
            && let Some(leaving) = before.leaving.filter(|leaving| leaving.evicted)
        {
            let text = format!("; a pod of its name was evicted at {}", leaving.at);
            return (&SAME_NAME, text);
        }
        if let Some((change, _)) = self.older_tolerations() {
            return (&CHANGE_COUNTS, format!("; its tolerations changed at {change}"));
        }
        match promise {
            Promise::Until { seconds, .. } if seconds <= 0 => (&ZERO_IS_NOW, String::new()),
            Promise::Until { .. } => (&TOO_LATE, String::new()),
            _ => (&UNTOLERATED_GOES, String::new()),
        }
    }

    /// When the last fault was over that had made a call for this pod fail, or a list; `None`
    /// where nothing failed.
    fn refused_until(&self, to: Time) -> Option<Time> {
        let faults = &self.model.context.plan.faults;
        let of_pod = self.pod.refused.iter().filter(|(at, _)| *at <= to).map(|(_, fault)| *fault);
        let story = self.model.story;
        let lists = faults.iter().zip(0u32..).filter(|(fault, index)| {
            fault.verb == crate::plan::Verb::List && story.has_hit(*index)
        });
        let hit = of_pod.chain(lists.map(|(_, index)| index));
        hit.map(|index| story.off(&faults[index as usize], index)).max()
    }

    /// An earlier change of tolerations, before which the pod would have been due as it went.
    fn older_tolerations(&self) -> Option<(Time, Time)> {
        let last = self.stretches.iter().rposition(|s| self.model.is_tainted(s))?;
        let node = self.pod.phases[self.stretches[last].phase].node;
        let older = (0..self.stretches[last].phase).rev();
        older.filter(|&phase| self.pod.phases[phase].node == node).find_map(|phase| {
            let tolerations = self.model.tolerations(self.pod, phase);
            let with = (tolerations, Reading::Earliest);
            let promise = self.model.promise_with(self.pod, self.stretches, last, with);
            let due = promise.due(self.stretches[last].from);
            let fits = due <= self.end
                && self.end <= self.model.deadline(due, due).max(due)
                && matches!(promise, Promise::Until { .. });
            fits.then(|| (self.pod.phases[phase + 1].at, due))
        })
    }

    /// When an earlier pod of the name was due, if that is when this one went.
    fn inherited(&self) -> Option<Time> {
        let pods = self.model.story.pods();
        let mut stretches = Vec::new();
        let mut next = self.pod.earlier;
        while let Some(earlier) = next.map(|index| &pods[index]) {
            next = earlier.earlier;
            // For a while after it was gone somebody may not have known.
            let slack = self.model.slack.whole();
            let left = earlier.leaving.map_or(self.end, |l| l.at.saturating_add(slack));
            let left = left.min(self.end);
            self.model.stretches(earlier, left, &mut stretches);
            let last = stretches.iter().rposition(|stretch| self.model.is_tainted(stretch));
            let due = last.map(|last| {
                let promise = self.model.promise(earlier, &stretches, last, Reading::Earliest);
                promise.due(stretches[last].from)
            });
            let fits = |due: &Time| *due <= self.end && self.end <= self.model.deadline(*due, *due);
            if let Some(due) = due.filter(fits) {
                return Some(due);
            }
        }
        None
    }

    fn what_became(&self, to: Time) -> String {
        match self.pod.leaving {
            Some(leaving) if leaving.evicted && leaving.at == to => {
                format!("was evicted only at {to}")
            }
            Some(leaving) if leaving.at == to => {
                format!("was there until others deleted it at {to}")
            }
            _ if to == self.end => "was not evicted to the end".to_owned(),
            _ => format!("was not evicted until {to}, when it was not due any more"),
        }
    }
}

fn stays(promise: Promise) -> String {
    match promise {
        Promise::Healthy => "stays, as its node has no NoExecute taint".to_owned(),
        Promise::Forever => "stays for ever".to_owned(),
        Promise::Untolerated => "goes at once".to_owned(),
        Promise::Until { due: Time::MAX, since, seconds } => {
            format!("stays longer than any run: {seconds}s, counted from {since}")
        }
        Promise::Until { due, since, seconds } => {
            format!("stays until {due}: {seconds}s, counted from {since}")
        }
    }
}
