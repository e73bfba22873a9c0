//! Tables of what the API takes and refuses.

use super::*;

fn tolerate(
    key: &str,
    operator: &str,
    value: &str,
    effect: &str,
    seconds: Option<i64>,
) -> Toleration {
    Toleration {
        key: key.into(),
        operator: Operator::parse(operator),
        value: value.into(),
        effect: (!effect.is_empty()).then(|| Effect::parse(effect)),
        toleration_seconds: seconds,
    }
}

fn joined(problems: &[Problem]) -> String {
    problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
}

#[test]
fn taints_need_key_and_effect() {
    for (key, value, effect, message) in [
        ("dedicated", "infra", "NoExecute", ""),
        ("dedicated", "", "PreferNoSchedule", ""),
        ("", "", "NoExecute", "key: must not be empty"),
        ("a b", "", "NoExecute", "key: name part"),
        ("a", "b/c", "NoExecute", "value: \"b/c\" must consist"),
        ("a", "b", "", "effect: must not be empty; one of NoSchedule"),
        ("a", "b", "NoExecut", "effect: unsupported value \"NoExecut\""),
        ("a", "b", "noexecute", "effect: unsupported value"),
    ] {
        let problems = joined(&taint(&Taint::new(key, value, Effect::parse(effect))));
        assert_eq!(problems.is_empty(), message.is_empty(), "{key}={value}:{effect}: {problems}");
        assert!(problems.contains(message), "{key}={value}:{effect}: {problems}");
    }
}

#[test]
fn taints_are_unique_by_key_and_effect() {
    let list = [
        Taint::new("a", "1", Effect::NoExecute),
        Taint::new("a", "1", Effect::NoSchedule),
        Taint::new("b", "1", Effect::NoExecute),
        Taint::new("a", "2", Effect::NoExecute),
    ];
    let problems = taint_list(&list);
    assert_eq!(problems.len(), 1);
    assert_eq!(problems[0].0, 3);
    assert!(problems[0].1.message.contains("a:NoExecute"), "{problems:?}");
    assert!(taint_list(&list[..3]).is_empty());
}

#[test]
fn tolerations_follow_the_table_of_the_api() {
    let off = [
        ("a", "Equal", "b", "NoExecute", Some(60), ""),
        ("a", "", "b", "NoSchedule", None, ""),
        ("a", "", "", "", None, ""),
        ("a", "Exists", "", "", None, ""),
        ("", "Exists", "", "", None, ""),
        ("", "Exists", "", "NoExecute", Some(-1), ""),
        ("", "Equal", "", "NoExecute", None, "operator: must be Exists when key is empty"),
        ("", "", "a", "NoExecute", None, "operator: must be Exists when key is empty"),
        ("a/b/c", "Exists", "", "", None, "key: \"a/b/c\" has more than one slash"),
        ("a", "Exists", "b", "NoExecute", None, "value: must be empty when operator is Exists"),
        ("a", "Equal", "b c", "NoExecute", None, "value: \"b c\" must consist"),
        ("a", "Exists", "", "", Some(30), "effect: must be NoExecute when tolerationSeconds"),
        ("a", "Exists", "", "NoSchedule", Some(30), "effect: must be NoExecute"),
        ("a", "Exists", "", "NoExecut", None, "effect: unsupported value \"NoExecut\""),
        (
            "a",
            "In",
            "b",
            "",
            None,
            "operator: unsupported value \"In\"; supported are Equal, Exists",
        ),
        ("a", "exists", "", "", None, "operator: unsupported value \"exists\""),
        ("a", "Gt", "5", "NoExecute", None, "Gt needs the feature gate TaintToleration"),
        ("a", "Lt", "x", "NoExecute", None, "Lt needs the feature gate TaintToleration"),
    ];
    let on = [
        ("a", "Gt", "5", "NoExecute", None, ""),
        ("a", "Lt", "-5", "NoExecute", Some(9), ""),
        ("a", "Lt", "-0", "NoExecute", None, "value: must be a 64-bit decimal"),
        ("a", "Gt", "007", "NoExecute", None, "value: must be a 64-bit decimal"),
        ("a", "Gt", "9223372036854775808", "", None, "value: must be a 64-bit decimal"),
        ("", "Gt", "5", "NoExecute", None, "operator: must be Exists when key is empty"),
        ("a", "In", "b", "", None, "supported are Equal, Exists, Gt, Lt"),
    ];
    let rows = off.iter().map(|row| (false, row)).chain(on.iter().map(|row| (true, row)));
    for (gate, (key, operator, value, effect, seconds, message)) in rows {
        let subject = tolerate(key, operator, value, effect, *seconds);
        let problems = joined(&toleration(&subject, gate));
        assert_eq!(problems.is_empty(), message.is_empty(), "{subject:?}: {problems}");
        assert!(problems.contains(message), "{subject:?}: {problems}");
    }
}

#[test]
fn live_tolerations_can_only_be_added() {
    let a = tolerate("a", "Exists", "", "NoExecute", Some(60));
    let a_longer = tolerate("a", "Exists", "", "NoExecute", Some(600));
    let a_for_ever = tolerate("a", "Exists", "", "NoExecute", None);
    let a_equal = tolerate("a", "Equal", "x", "NoExecute", Some(60));
    let b = tolerate("b", "", "x", "", None);
    let b_spelt_out = tolerate("b", "Equal", "x", "", None);
    let allowed: [(&[&Toleration], &[&Toleration]); 7] = [
        (&[], &[]),
        (&[], &[&a]),
        (&[&a], &[&a, &b]),
        (&[&a, &b], &[&b, &a]),
        (&[&a], &[&a_longer]),
        (&[&a], &[&a_for_ever]),
        (&[&a, &a_longer], &[&a]),
    ];
    let refused: [(&[&Toleration], &[&Toleration]); 4] =
        [(&[&a], &[]), (&[&a], &[&a_equal]), (&[&a, &b], &[&a]), (&[&b], &[&b_spelt_out])];
    let owned = |list: &[&Toleration]| list.iter().map(|t| (*t).clone()).collect::<Vec<_>>();
    for (old, new) in allowed {
        assert_eq!(tolerations_only_added(&owned(old), &owned(new)), Ok(()), "{old:?} {new:?}");
    }
    for (old, new) in refused {
        let error = tolerations_only_added(&owned(old), &owned(new)).expect_err("must be refused");
        assert!(error.contains("except its tolerationSeconds"), "{error}");
    }
}
