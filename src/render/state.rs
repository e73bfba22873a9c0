//! The inside of the taint manager at one moment, as tables.

use std::io::Write as _;

use anstyle::Style;

use super::layout::{Columns, Row};
use super::{counted, printable};
use crate::cluster::{Controller, World};
use crate::kernel::Time;
use crate::taint_manager::{DispatcherView, ItemView, WorkState};
use crate::timeline::fate::{decisive_taint, toleration_words};
use crate::timeline::history::History;
use crate::timeline::{Context, QueueName};

/// Items of a queue that are named.
const NAMED: usize = 20;

/// Armed timers, running deletions and markers at `now`.
pub fn timers(out: &mut Vec<u8>, world: &World<'_>, history: &History, now: Time) {
    let context = world.context();
    let works: Vec<_> = world.works().collect();
    let of = |state| works.iter().filter(|work| work.state == state).count();
    let mut counts = vec![counted(of(WorkState::Armed), "armed timer")];
    let others = [
        (WorkState::Orphan, "orphaned timer"),
        (WorkState::Deleting, "running deletion"),
        (WorkState::Marker, "marker"),
    ];
    for (state, noun) in others {
        let count = of(state);
        counts.extend((count > 0).then(|| counted(count, noun)));
    }
    let _ = writeln!(out, "{} at {now}", counts.join(", "));
    controller(out, world);
    if works.is_empty() {
        return;
    }
    let mut columns =
        Columns::new(&["POD", "STATE", "SINCE", "FIRES", "TAINT", "TOLERATION"], false, 0);
    for work in works {
        let arming = history
            .armings_of(work.pod)
            .into_iter()
            .rev()
            .find(|arming| arming.at == work.added_at && arming.fire_at == work.fire_at);
        let decision = arming.map(|arming| history.decision(arming));
        let taint = decision.map(|d| decisive_taint(context, d.taints, d.taint));
        let toleration = decision.map(|d| toleration_words(context, d));
        let state = match work.state {
            WorkState::Armed => "armed",
            WorkState::Orphan => "armed, but orphaned: nobody can cancel it",
            WorkState::Deleting => "deleting",
            WorkState::Marker => "marker of a deletion that succeeded",
        };
        let (since, fires) = match work.state {
            WorkState::Marker => (String::new(), String::new()),
            _ => (work.added_at.to_string(), work.fire_at.to_string()),
        };
        row(
            &mut columns,
            out,
            vec![
                context.names().pod(work.pod).to_owned(),
                state.to_owned(),
                since,
                fires,
                taint.unwrap_or_default(),
                toleration.unwrap_or_default(),
            ],
        );
    }
    columns.finish(out);
}

/// What there is of the controller, where it does not run; gives whether it has workers.
fn controller(out: &mut Vec<u8>, world: &World<'_>) -> bool {
    let text = match world.controller() {
        Controller::Running => return true,
        Controller::Absent => "There is no taint manager in this run.".to_owned(),
        Controller::Starting => {
            "The controller starts, and waits for its caches: nobody works yet.".to_owned()
        }
        Controller::Stopping => {
            "The controller was told to stop, and waits for its running deletions.".to_owned()
        }
        Controller::Down(until) => format!("The controller is down until {until}."),
    };
    let _ = writeln!(out, "{text}");
    matches!(world.controller(), Controller::Starting)
}

/// Workers with their channels, and the dispatchers.
pub fn shards(out: &mut Vec<u8>, world: &World<'_>, now: Time) {
    let context = world.context();
    let config = &context.plan.config.taint_manager;
    let _ = writeln!(out, "{} at {now}", counted(config.workers as usize, "worker"));
    if !controller(out, world) {
        return;
    }
    let mut columns = Columns::new(&["SHARD", "WORKER", "NODE CHANNEL", "POD CHANNEL"], false, 0);
    for (number, shard) in world.shards().enumerate() {
        let worker = match (shard.handles, shard.holds) {
            (Some((item, since)), _) => format!("handles {} since {since}", name(context, item)),
            (None, Some(item)) => format!("holds {}: nodes go first", name(context, item)),
            (None, None) => "waits".to_owned(),
        };
        row(
            &mut columns,
            out,
            vec![
                number.to_string(),
                worker,
                channel(context, &shard.nodes, config.node_channel_capacity),
                channel(context, &shard.pods, config.pod_channel_capacity),
            ],
        );
    }
    columns.finish(out);
    for queue in [QueueName::Node, QueueName::Pod] {
        let state = match world.dispatcher(queue) {
            DispatcherView::Ready => "waits for its queue".to_owned(),
            DispatcherView::Blocked(shard, item) => {
                format!("is blocked on shard {shard} with {}", name(context, item))
            }
        };
        let _ = writeln!(out, "The dispatcher of {} {state}.", queue.as_str());
    }
}

/// The work queues.
pub fn queues(out: &mut Vec<u8>, world: &World<'_>, now: Time) {
    let context = world.context();
    let waiting = world.queue_length(QueueName::Node) + world.queue_length(QueueName::Pod);
    let _ = writeln!(out, "{} in the work queues at {now}", counted(waiting, "item"));
    if !controller(out, world) {
        return;
    }
    let mut columns = Columns::new(&["QUEUE", "WAITING", "ITEMS"], false, 0);
    for queue in [QueueName::Node, QueueName::Pod] {
        let items: Vec<ItemView> = world.queued(queue).collect();
        let length = items.len().to_string();
        row(&mut columns, out, vec![queue.as_str().to_owned(), length, names(context, &items)]);
    }
    columns.finish(out);
}

fn channel(context: Context<'_>, items: &[ItemView], capacity: u32) -> String {
    let filled = format!("{} of {capacity}", items.len());
    if items.is_empty() { filled } else { format!("{filled}: {}", names(context, items)) }
}

fn names(context: Context<'_>, items: &[ItemView]) -> String {
    let mut named: Vec<String> = items.iter().take(NAMED).map(|i| name(context, *i)).collect();
    if items.len() > NAMED {
        named.push(format!("and {} more", items.len() - NAMED));
    }
    named.join(", ")
}

/// `node-0`, or `shop/web-0@node-0`.
fn name(context: Context<'_>, item: ItemView) -> String {
    let node = item.node.map(|node| context.names().node(node));
    let text = match (item.pod, node) {
        (None, node) => node.unwrap_or("").to_owned(),
        (Some(pod), None) => context.names().pod(pod).to_owned(),
        (Some(pod), Some(node)) => format!("{}@{node}", context.names().pod(pod)),
    };
    printable(&text)
}

fn row(columns: &mut Columns, out: &mut Vec<u8>, cells: Vec<String>) {
    columns.push(Row { cells, style: Style::new() }, out);
}
