//! Values as people write them: durations, taints, tolerations, selectors, targets.

use super::names::folded;
use super::tree::{Entries, Yaml};
use crate::kernel::time::NANOS_PER_SECOND;
use crate::kernel::{Span, SpanRange};
use crate::objects::{Labels, NodeId, PodId, Requirement, Selector, Taint, Toleration};
use crate::plan::{NodeTarget, Plan, PodTarget, Probability, TaintPattern};
use crate::scenario::language::{parse_toleration, split_taint};

/// `1h`, `1m10s`, `10ms`, `1.5us`: as Go writes it, without its zeros and in ASCII.
pub(super) fn span(span: Span) -> String {
    let text = span.to_string().replace('µ', "u");
    if span.0 < 60 * NANOS_PER_SECOND {
        return text;
    }
    let text = text.strip_suffix("m0s").map(|text| format!("{text}m")).unwrap_or(text);
    text.strip_suffix("h0m").map(|text| format!("{text}h")).unwrap_or(text)
}

/// A duration, or a range of them.
pub(super) fn span_range(range: SpanRange) -> String {
    match range.low == range.high {
        true => span(range.low),
        false => format!("{}..{}", span(range.low), span(range.high)),
    }
}

/// A chance with the digits that it was written with.
pub(super) fn probability(chance: Probability) -> String {
    let Probability { parts, of } = chance;
    let width = of.max(1).ilog10() as usize;
    let (whole, fraction) = (parts / of.max(1), parts % of.max(1));
    match width {
        0 => whole.to_string(),
        _ => format!("{whole}.{fraction:0width$}"),
    }
}

/// A taint as kubectl writes it, where that says everything.
pub(super) fn taint(taint: &Taint) -> Yaml {
    let text = taint.to_string();
    let read = split_taint(&text);
    let same = read == Some((&taint.key, &taint.value, taint.effect.as_str()));
    if same && taint.time_added.is_none() { Yaml::Text(text) } else { taint_mapping(taint) }
}

/// A taint as in core/v1.
pub(super) fn taint_mapping(taint: &Taint) -> Yaml {
    let mut entries = Entries::default();
    entries.text("key", &taint.key);
    if !taint.value.is_empty() {
        entries.text("value", &taint.value);
    }
    entries.text("effect", taint.effect.as_str());
    if let Some(time) = &taint.time_added {
        entries.text("timeAdded", time);
    }
    Yaml::Map(entries)
}

/// A toleration as `kubectl describe` prints it, where that says it exactly.
pub(super) fn toleration(toleration: &Toleration) -> Yaml {
    let text = toleration.to_string();
    match parse_toleration(&text) {
        Ok(read) if read == *toleration => Yaml::Text(text),
        _ => toleration_mapping(toleration),
    }
}

/// A toleration as in core/v1.
pub(super) fn toleration_mapping(toleration: &Toleration) -> Yaml {
    let Toleration { key, operator, value, effect, toleration_seconds } = toleration;
    let mut entries = Entries::default();
    let effect = effect.as_ref().map_or("", |effect| effect.as_str());
    let texts =
        [("key", &**key), ("operator", operator.as_str()), ("value", value), ("effect", effect)];
    for (name, text) in texts.into_iter().filter(|(_, text)| !text.is_empty()) {
        entries.text(name, text);
    }
    if let Some(seconds) = toleration_seconds {
        entries.plain("tolerationSeconds", seconds);
    }
    Yaml::Map(entries)
}

/// A taint to remove: its key, or key and effect.
pub(super) fn pattern(pattern: &TaintPattern) -> String {
    match &pattern.effect {
        Some(effect) => format!("{}:{}", pattern.key, effect.as_str()),
        None => pattern.key.to_string(),
    }
}

/// A mapping of labels.
pub(super) fn labels(labels: &Labels) -> Entries {
    let mut entries = Entries::default();
    for (key, value) in labels.iter() {
        entries.text(key, value);
    }
    entries
}

/// A selector as for `kubectl -l`.
pub(super) fn selector(selector: &Selector) -> String {
    let words = selector.0.iter().map(|requirement| match requirement {
        Requirement::In(key, values) => match values.as_slice() {
            [value] => format!("{key}={value}"),
            some => format!("{key} in ({})", some.join(",")),
        },
        Requirement::NotIn(key, values) => match values.as_slice() {
            [value] => format!("{key}!={value}"),
            some => format!("{key} notin ({})", some.join(",")),
        },
        Requirement::Exists(key) => key.to_string(),
        Requirement::DoesNotExist(key) => format!("!{key}"),
    });
    words.collect::<Vec<String>>().join(",")
}

/// Names of nodes, with ranges.
pub(super) fn node_names(plan: &Plan, nodes: &[NodeId]) -> Vec<String> {
    let names: Vec<&str> = nodes.iter().map(|node| plan.names.node(*node)).collect();
    folded(&names)
}

/// Names of pods, with ranges; those in the namespace `default` without it.
pub(super) fn pod_names(plan: &Plan, pods: &[PodId]) -> Vec<String> {
    let names: Vec<&str> = pods.iter().map(|pod| pod_name(plan, *pod)).collect();
    folded(&names)
}

/// `shop/web-0`, or `web-0` in the namespace `default`.
pub(super) fn pod_name(plan: &Plan, pod: PodId) -> &str {
    match plan.names.pod_parts(pod) {
        ("default", name) => name,
        _ => plan.names.pod(pod),
    }
}

/// The keys `node` or `selector` of a target.
pub(super) fn node_target(plan: &Plan, target: &NodeTarget, entries: &mut Entries) {
    match target {
        NodeTarget::Names(nodes) => {
            entries.put("node", Yaml::one_or_list(node_names(plan, nodes)));
        }
        NodeTarget::Matching(all) if all.0.is_empty() => entries.text("node", "*"),
        NodeTarget::Matching(some) => entries.text("selector", &selector(some)),
    }
}

/// The keys `pod`, or `selector` and `namespace`, of a target.
pub(super) fn pod_target(plan: &Plan, target: &PodTarget, entries: &mut Entries) {
    match target {
        PodTarget::Names(pods) => entries.put("pod", Yaml::one_or_list(pod_names(plan, pods))),
        PodTarget::Matching { namespace: None, selector } if selector.0.is_empty() => {
            entries.text("pod", "*");
        }
        PodTarget::Matching { namespace, selector: some } => {
            entries.text("selector", &selector(some));
            if let Some(namespace) = namespace {
                entries.text("namespace", namespace);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::objects::{Effect, Operator};
    use crate::scenario::selector::parse as parse_selector;
    use proptest::prelude::*;

    #[test]
    fn durations_are_short() {
        for (nanos, text) in [
            (0, "0s"),
            (1, "1ns"),
            (1_500, "1.5us"),
            (10_000_000, "10ms"),
            (10 * NANOS_PER_SECOND, "10s"),
            (60 * NANOS_PER_SECOND, "1m"),
            (70 * NANOS_PER_SECOND, "1m10s"),
            (600 * NANOS_PER_SECOND, "10m"),
            (3_600 * NANOS_PER_SECOND, "1h"),
            (36_000 * NANOS_PER_SECOND, "10h"),
            (5_400 * NANOS_PER_SECOND, "1h30m"),
            (3_605 * NANOS_PER_SECOND, "1h0m5s"),
        ] {
            assert_eq!(span(Span(nanos)), text);
        }
        assert_eq!(span_range(SpanRange { low: Span(0), high: Span(1_000) }), "0s..1us");
    }

    proptest! {
        #[test]
        fn durations_are_read_back(nanos in any::<u64>(), seconds in 0..1_000_000u64) {
            for span_of in [Span(nanos), Span::from_secs(seconds), Span::from_secs(seconds * 60)] {
                prop_assert_eq!(Span::parse(&span(span_of)), Ok(span_of));
            }
        }
    }

    #[test]
    fn chances_keep_their_digits() {
        for (parts, of, text) in [
            (1, 10, "0.1"),
            (250, 1000, "0.250"),
            (0, 1, "0"),
            (1, 1, "1"),
            (10, 10, "1.0"),
            (5, 100, "0.05"),
        ] {
            assert_eq!(probability(Probability { parts, of }), text);
        }
    }

    #[test]
    fn what_a_short_form_cannot_say_is_a_mapping() {
        let added = Taint { time_added: Some("2026-01-01T00:00:00Z".into()), ..of("a", "b") };
        for (value, is_text) in [
            (taint(&of("a", "b")), true),
            (taint(&of("a=b", "c")), false),
            (taint(&of("a", "b=c")), true),
            (taint(&added), false),
        ] {
            assert_eq!(matches!(value, Yaml::Text(_)), is_text, "{value:?}");
        }
        let exists = parse_toleration("a:NoExecute op=Exists for 60s").expect("right");
        let valued = Toleration { value: "v".into(), ..exists.clone() };
        let equal = Toleration { operator: Operator::Equal, ..exists.clone() };
        let blank = Toleration { key: "a b".into(), ..exists.clone() };
        let empty = Toleration {
            key: "".into(),
            operator: Operator::Unset,
            value: "".into(),
            effect: None,
            toleration_seconds: None,
        };
        for (one, is_text) in
            [(&exists, true), (&valued, true), (&equal, false), (&blank, false), (&empty, false)]
        {
            let value = toleration(one);
            assert_eq!(matches!(value, Yaml::Text(_)), is_text, "{value:?}");
        }
    }

    fn of(key: &str, value: &str) -> Taint {
        Taint::new(key, value, Effect::NoExecute)
    }

    #[test]
    fn selectors_are_read_back() {
        for text in ["a=b", "a=", "a!=b", "a in (b,c)", "a notin (b,c)", "a,!b", "in=notin"] {
            let read = parse_selector(text).expect(text);
            assert_eq!(selector(&read), text);
        }
    }
}
