//! Which setting of the admission plugin DefaultTolerationSeconds makes of what is written the lists
//! that the plan has: it has them as they are after admission.

use crate::plan::{Action, ApplyPod, Plan, PodSpec};
use crate::scenario::rules::Rules;

/// The setting, of the first that will do: the defaults; the seconds that a list shows which only
/// admission can have made; off. It has to do for `starting`, the pods under `spec.pods`, only
/// where one of them does: others stand as manifests, which have no admission.
pub(super) fn choose(plan: &Plan, starting: &[PodSpec]) -> Rules {
    let common = Rules {
        validation: plan.config.api_server.validation,
        comparison_operators: plan.config.switches.comparison_operators,
        ..Rules::default()
    };
    let off = Rules { default_toleration_seconds: false, ..common };
    let candidates = [Some(common), seconds_shown(plan, common), Some(off)];
    let of_steps: Vec<Rules> =
        candidates.into_iter().flatten().filter(|rules| fits_steps(plan, rules)).collect();
    let fits_all = |rules: &&Rules| {
        let mut lists = starting.iter().map(|pod| plan.lists.tolerations(pod.tolerations));
        lists.all(|list| rules.before_admission(list).is_some())
    };
    of_steps.iter().find(fits_all).or(of_steps.first()).copied().unwrap_or(off)
}

/// The setting as a list shows it that an applied manifest without tolerations got.
fn seconds_shown(plan: &Plan, common: Rules) -> Option<Rules> {
    let all = plan.steps.iter().flat_map(|step| &step.actions);
    let mut lists = all.filter_map(|action| match &action.action {
        Action::ApplyPod(ApplyPod { create, tolerations: None }) => {
            Some(plan.lists.tolerations(create.tolerations))
        }
        _ => None,
    });
    let list = lists.find(|list| !list.is_empty())?;
    let seconds = |index: usize| list.get(index).and_then(|added| added.toleration_seconds);
    Some(Rules { not_ready_seconds: seconds(0)?, unreachable_seconds: seconds(1)?, ..common })
}

/// Whether steps can say their lists under these rules.
fn fits_steps(plan: &Plan, rules: &Rules) -> bool {
    let admitted = |id| rules.before_admission(plan.lists.tolerations(id));
    plan.steps.iter().flat_map(|step| &step.actions).all(|action| match &action.action {
        Action::CreatePods(pods) => pods.iter().all(|pod| admitted(pod.tolerations).is_some()),
        Action::SetTolerations { tolerations, force: false, .. } => {
            admitted(*tolerations).is_some()
        }
        Action::ApplyPod(ApplyPod { create, tolerations: Some(_) }) => {
            admitted(create.tolerations).is_some()
        }
        Action::ApplyPod(ApplyPod { create, tolerations: None }) => {
            admitted(create.tolerations).is_some_and(<[_]>::is_empty)
        }
        _ => true,
    })
}
