//! Properties of matching: the verdict on taints and tolerations against the rules said the dumb
//! way.

use proptest::prelude::*;
use taintsim::kernel::Span;
use taintsim::objects::{
    Deadline, Effect, MatchRules, Operator, Taint, Toleration, Verdict, match_lists,
};

fn effect() -> impl Strategy<Value = Effect> {
    prop_oneof![
        4 => Just(Effect::NoExecute),
        1 => Just(Effect::NoSchedule),
        1 => Just(Effect::PreferNoSchedule),
    ]
}

fn text(words: &'static [&'static str]) -> impl Strategy<Value = Box<str>> {
    prop::sample::select(words).prop_map(Into::into)
}

fn taint() -> impl Strategy<Value = Taint> {
    (text(&["a", "b", "c"]), text(&["", "x", "5"]), effect())
        .prop_map(|(key, value, effect)| Taint { key, value, effect, time_added: None })
}

fn toleration() -> impl Strategy<Value = Toleration> {
    let seconds = prop_oneof![
        3 => Just(None),
        4 => (-2..20i64).prop_map(Some),
        1 => Just(Some(9_223_372_037)),
        1 => Just(Some(18_446_744_074)),
        1 => Just(Some(i64::MAX)),
    ];
    let operator = text(&["", "Equal", "Exists", "Exists", "Gt", "Lt", "In"]);
    (
        text(&["", "a", "b", "c"]),
        operator,
        text(&["", "x", "5"]),
        prop::option::of(effect()),
        seconds,
    )
        .prop_map(|(key, operator, value, effect, toleration_seconds)| Toleration {
            key,
            operator: Operator::parse(&operator),
            value,
            effect,
            toleration_seconds,
        })
}

/// Seconds to wait, as the documentation of core/v1 says it: `None` is not tolerated, `Some(None)`
/// for ever.
fn reference(taints: &[Taint], tolerations: &[Toleration]) -> Option<Option<i64>> {
    let mut least = None;
    for taint in taints.iter().filter(|taint| taint.effect == Effect::NoExecute) {
        let first = tolerations.iter().find(|toleration| {
            let effect = toleration.effect.as_ref().is_none_or(|e| *e == taint.effect);
            let key = toleration.key.is_empty() || toleration.key == taint.key;
            let value = match toleration.operator.as_str() {
                "" | "Equal" => toleration.value == taint.value,
                "Exists" => true,
                _ => false,
            };
            effect && key && value
        })?;
        if let Some(seconds) = first.toleration_seconds {
            least = Some(least.map_or(seconds.max(0), |least: i64| least.min(seconds.max(0))));
        }
    }
    Some(least)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, ..ProptestConfig::default() })]

    #[test]
    fn the_verdict_is_that_of_the_rules(
        taints in prop::collection::vec(taint(), 0..4),
        tolerations in prop::collection::vec(toleration(), 0..5),
    ) {
        let any = taints.iter().any(|taint| taint.effect == Effect::NoExecute);
        let verdict = match_lists(&taints, &tolerations, MatchRules::default());
        match (reference(&taints, &tolerations), verdict) {
            (None, Verdict::NotTolerated { taint }) => {
                let taint = std::slice::from_ref(&taints[taint as usize]);
                prop_assert_eq!(reference(taint, &tolerations), None, "the taint named is not it");
            }
            (Some(None), Verdict::Tolerated { deadline, minimum: None }) => {
                let nothing = Deadline::After(Span::ZERO);
                prop_assert_eq!(deadline, if any { Deadline::Never } else { nothing });
            }
            (Some(Some(seconds)), Verdict::Tolerated { deadline, minimum: Some(minimum) }) => {
                let nanos = i128::from(seconds) * 1_000_000_000;
                let wrapped = nanos as u64 as i64;
                let expected = if wrapped < 0 || seconds == i64::MAX {
                    Deadline::Never
                } else {
                    Deadline::After(Span(wrapped as u64))
                };
                prop_assert_eq!(deadline, expected);
                let toleration = &tolerations[minimum.toleration as usize];
                prop_assert_eq!(toleration.toleration_seconds, Some(minimum.seconds));
                prop_assert!(toleration.tolerates(&taints[minimum.taint as usize], false));
                prop_assert_eq!(minimum.seconds.max(0), seconds);
            }
            (expected, got) => prop_assert!(false, "expected {:?}, got {:?}", expected, got),
        }
    }

    /// A taint that is no NoExecute one changes nothing.
    #[test]
    fn other_effects_do_not_count(
        taints in prop::collection::vec(taint(), 0..4),
        tolerations in prop::collection::vec(toleration(), 0..5),
    ) {
        let only: Vec<Taint> =
            taints.iter().filter(|taint| taint.effect == Effect::NoExecute).cloned().collect();
        let wait = |taints: &[Taint]| match match_lists(taints, &tolerations, MatchRules::default()) {
            Verdict::NotTolerated { .. } => None,
            Verdict::Tolerated { deadline, .. } => Some(deadline),
        };
        prop_assert_eq!(wait(&taints), wait(&only));
    }
}
