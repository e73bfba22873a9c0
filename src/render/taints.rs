//! What a change of a node's taints did, in kubectl's words: any effect counts.

use super::View;
use crate::objects::{NodeId, Taint, TaintDiff, TaintsId};

/// A change of a node's taints.
#[derive(Debug)]
pub(super) struct TaintChange<'a>(TaintDiff<'a>);

impl<'a> TaintChange<'a> {
    /// The node's newest change, which gave it these taints.
    pub(super) fn newest(view: View<'a>, node: Option<NodeId>, now: TaintsId) -> TaintChange<'a> {
        let lists = view.context.lists;
        let before = node.and_then(|node| view.history.taints_before(node));
        let before = before.map_or(&[][..], |id| lists.taints(id));
        TaintChange(TaintDiff::between(before, lists.taints(now)))
    }

    /// The node had no taint before.
    pub(super) fn is_all_new(&self) -> bool {
        self.0.changed.is_empty() && self.0.gone.is_empty() && self.0.left.is_empty()
    }

    /// `Tainted` where taints only came or changed their value, `Untainted` where they only went.
    pub(super) fn word(&self) -> &'static str {
        let gained = !self.0.came.is_empty() || !self.0.changed.is_empty();
        match (gained, self.0.gone.is_empty()) {
            (true, true) => "Tainted",
            (false, false) => "Untainted",
            _ => "TaintsChanged",
        }
    }

    /// `came: a:NoExecute; gone: b=c:NoSchedule; left: d:NoExecute`. What `said` names already
    /// does not come again; what is left is told where something went.
    pub(super) fn phrase(&self, said: &str) -> Option<String> {
        let words: Vec<&str> =
            said.split([' ', ',']).map(|word| word.trim_matches(['+', '[', ']'])).collect();
        let is_news = |taint: &&&Taint| !words.contains(&taint.to_string().as_str());
        let came = self.0.came.iter().filter(is_news).map(ToString::to_string).collect();
        let changed = self.0.changed.iter().map(|(old, new)| format!("{old} to {new}")).collect();
        let texts = |taints: &[&Taint]| taints.iter().map(ToString::to_string).collect();
        let left = if self.0.gone.is_empty() { Vec::new() } else { texts(&self.0.left) };
        let parts: [(&str, Vec<String>); 4] =
            [("came", came), ("changed", changed), ("gone", texts(&self.0.gone)), ("left", left)];
        let told = parts.iter().filter(|(_, taints)| !taints.is_empty());
        let told: Vec<String> =
            told.map(|(word, taints)| format!("{word}: {}", taints.join(", "))).collect();
        if self.0.is_empty() {
            return Some("no taint came, changed its value or went".to_owned());
        }
        (!told.is_empty()).then(|| told.join("; "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::objects::Effect;

    fn list(texts: &[&str]) -> Vec<Taint> {
        let taint = |text: &&str| {
            let (rest, effect) = text.split_once(':').unwrap();
            let (key, value) = rest.split_once('=').unwrap_or((rest, ""));
            Taint::new(key, value, Effect::parse(effect))
        };
        texts.iter().map(taint).collect()
    }

    #[test]
    fn a_change_reads_as_a_kubectl_user_expects() {
        type Case<'a> = (&'a [&'a str], &'a [&'a str], &'a str, &'a str, Option<&'a str>);
        let cases: [Case<'_>; 11] = [
            (&[], &["a=b:NoSchedule"], "taint nodes n a=b:NoSchedule", "Tainted", None),
            (&[], &["a=b:NoExecute"], "taint n +a=b:NoExecute", "Tainted", None),
            (&[], &["ba:NoExecute"], "apply node n", "Tainted", Some("came: ba:NoExecute")),
            (&[], &["a:NoExecute"], "taint n +ba:NoExecute", "Tainted", Some("came: a:NoExecute")),
            (
                &["a:NoExecute", "b=c:NoSchedule"],
                &["a:NoExecute"],
                "taint nodes n b-",
                "Untainted",
                Some("gone: b=c:NoSchedule; left: a:NoExecute"),
            ),
            (&["a:NoExecute"], &[], "taint n =[]", "Untainted", Some("gone: a:NoExecute")),
            (
                &["a=1:NoExecute"],
                &["a=2:NoExecute"],
                "taint nodes n a=2:NoExecute --overwrite",
                "Tainted",
                Some("changed: a=1:NoExecute to a=2:NoExecute"),
            ),
            (
                &["a:NoExecute"],
                &["a:NoSchedule"],
                "x",
                "TaintsChanged",
                Some("came: a:NoSchedule; gone: a:NoExecute"),
            ),
            (
                &["a=1:NoExecute", "b:NoExecute", "c:NoExecute"],
                &["c:NoExecute", "a=2:NoExecute"],
                "x",
                "TaintsChanged",
                Some(
                    "changed: a=1:NoExecute to a=2:NoExecute; gone: b:NoExecute; left: c:NoExecute",
                ),
            ),
            (
                &["a:NoExecute", "b:NoExecute"],
                &["b:NoExecute", "a:NoExecute"],
                "x",
                "TaintsChanged",
                Some("no taint came, changed its value or went"),
            ),
            (
                &["a:NoExecute"],
                &["a:NoExecute", "a:PreferNoSchedule"],
                "x",
                "Tainted",
                Some("came: a:PreferNoSchedule"),
            ),
        ];
        for (before, after, said, word, phrase) in cases {
            let (before, after) = (list(before), list(after));
            let change = TaintChange(TaintDiff::between(&before, &after));
            assert_eq!(change.word(), word, "{before:?} {after:?}");
            assert_eq!(change.phrase(said).as_deref(), phrase, "{before:?} {after:?}");
        }
    }
}
