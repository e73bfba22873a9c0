//! `kubectl delete pod NAME...` and `kubectl delete node NAME...`.
//!
//! k8s v1.36 kubectl pkg/cmd/delete: without `--force`, a grace period of 0 is turned into 1, and
//! `--now` is 1; `--force` alone is 0. A negative grace period is the pod's own.

use super::Refusal;
use super::arguments::Arguments;
use super::targets::{Resource, chosen_nodes, chosen_pods, resource_and_names};
use crate::plan::Action;
use crate::scenario::resolve::Resolver;
use crate::scenario::tree::Place;

pub(super) fn parse(
    arguments: &Arguments,
    place: Place,
    resolver: &mut Resolver,
) -> Result<Vec<Action>, Refusal> {
    let grace_period_seconds = grace_period(arguments)?;
    let mut actions = Vec::new();
    for (resource, names) in resource_and_names(arguments.positional())? {
        let action = match resource {
            Resource::Pods => chosen_pods(arguments, &names, place, resolver)?
                .map(|pods| Action::DeletePods { pods, grace_period_seconds }),
            Resource::Nodes => {
                refuse_grace_of_nodes(arguments)?;
                chosen_nodes(arguments, &names, place, resolver)?.map(Action::DeleteNodes)
            }
        };
        actions.push(action.ok_or_else(|| {
            Refusal::new("resource(s) were provided, but no name was specified")
                .help("give names, `-l SELECTOR` or `--all`")
        })?);
    }
    Ok(actions)
}

fn grace_period(arguments: &Arguments) -> Result<Option<u32>, Refusal> {
    let force = arguments.switch("force")?;
    let asked = match arguments.value("grace-period") {
        None => None,
        Some(text) => {
            let seconds: i64 = text.parse().map_err(|_| {
                Refusal::new(format!("invalid argument \"{text}\" for \"--grace-period\" flag"))
                    .help("write whole seconds without a unit, such as --grace-period=30")
            })?;
            Some(seconds)
        }
    };
    // -1 is the flag's default: as if it were not there.
    let asked = asked.filter(|seconds| *seconds != -1);
    let asked = if arguments.switch("now")? {
        if asked.is_some() {
            let message = "--now and --grace-period cannot be specified together";
            return Err(Refusal::new(message).help("leave one of the two out"));
        }
        Some(1)
    } else {
        asked
    };
    let seconds = match asked {
        Some(0) if !force => Some(1),
        Some(seconds) if seconds > 0 && force => {
            return Err(Refusal::new(
                "--force and --grace-period greater than 0 cannot be specified together",
            )
            .help("leave one of the two out"));
        }
        Some(seconds) if seconds >= 0 => Some(seconds),
        _ if force => Some(0),
        _ => None,
    };
    seconds
        .map(|seconds| {
            u32::try_from(seconds)
                .map_err(|_| Refusal::new(format!("--grace-period={seconds} is too long")))
                .map_err(|refusal| refusal.help(format!("write {} at most", u32::MAX)))
        })
        .transpose()
}

fn refuse_grace_of_nodes(arguments: &Arguments) -> Result<(), Refusal> {
    for flag in ["grace-period", "force", "now"] {
        if arguments.value(flag).is_some() {
            return Err(Refusal::new(format!("`--{flag}` does nothing to nodes"))
                .help("a deleted node goes at once; leave it out"));
        }
    }
    Ok(())
}
