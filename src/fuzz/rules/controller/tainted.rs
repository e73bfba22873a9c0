//! The taints under which the controller has each node.

use super::{Report, TAINTED_NODES};
use crate::objects::TaintsId;
use crate::objects::taint::no_execute;
use crate::plan::{Plan, Resource};
use crate::timeline::{Context, Kind, QueueName, Record};

/// A node's taints, `None` without an object; or that nothing is known.
type Known = Option<Option<TaintsId>>;

/// Follows nodes from the store through the informer to the handler.
#[derive(Debug, Default)]
pub struct Tainted {
    /// Handlers read the informer's cache (1.13); else what the event carried.
    is_read: bool,
    /// What each record about a node made of it, by `seq`.
    stored: Vec<(u32, Option<TaintsId>)>,
    informed: Vec<Known>,
    held: Vec<Known>,
    /// A list may have brought what no record tells.
    listed_again: bool,
}

impl Tainted {
    pub fn reset(&mut self, plan: &Plan) {
        self.is_read = plan.config.switches.current_objects;
        self.stored.clear();
        for known in [&mut self.informed, &mut self.held] {
            known.clear();
            known.resize(plan.names.node_count(), Some(None));
        }
        self.listed_again = false;
    }

    pub fn record(&mut self, context: Context<'_>, record: &Record, report: &mut Report) {
        let node = record.node.filter(|_| self.is_read);
        match record.kind {
            Kind::NodeCreated { taints } | Kind::NodeTaintsChanged { taints } => {
                self.stored.push((record.seq, Some(taints)));
            }
            Kind::NodeDeleted { .. } => self.stored.push((record.seq, None)),
            Kind::WatchBroken { resource: Resource::Nodes } => self.listed_again = true,
            Kind::ControllerStopped => {
                self.listed_again = true;
                self.informed.fill(None);
                self.held.fill(None);
            }
            Kind::WatchEvent { .. } if record.pod.is_none() => {
                let Some(node) = node else { return };
                let informed = &mut self.informed[node.index()];
                let cause = record.cause.unwrap_or(0);
                match self.stored.binary_search_by_key(&cause, |(seq, _)| *seq) {
                    Ok(found) => *informed = Some(self.stored[found].1),
                    Err(_) if self.listed_again => *informed = None,
                    // A change of something else.
                    Err(_) => {}
                }
            }
            Kind::HandlerStarted(item) if item.queue == QueueName::Node => {
                let Some(node) = node else { return };
                self.held[node.index()] = self.informed[node.index()];
            }
            Kind::EvictionScheduled { taints, .. } | Kind::WorkSkipped { taints, .. } => {
                let Some(node) = node else { return };
                let Some(held) = self.held[node.index()] else { return };
                let lists = context.lists;
                let held = held.map_or(&[][..], |held| lists.taints(held));
                if !no_execute(held).eq(lists.taints(taints)) {
                    report.say(&TAINTED_NODES, record.at, || {
                        let name = context.names().node(node);
                        format!("work rests on taints that {name} did not have when it was handled")
                    });
                }
            }
            _ => {}
        }
    }
}
