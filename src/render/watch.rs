//! `--watch`: what `kubectl get pods -o wide -w --output-watch-events` would print beside the run,
//! with the time of the run in front. First the pods that are there, sorted as kubectl sorts them,
//! then a row for each change of a pod.
//!
//! Only what is modelled has a column: there are no containers, so there is no READY and no
//! RESTARTS. Widths are those of the names that can come, so that columns stand from the first row
//! on, and a row never waits for the next.

use std::fmt::Write as _;

use super::age::age;
use super::describe::step_phrase;
use super::text::{printable, push_printable, width};
use super::{Ending, Render, View};
use crate::kernel::time::Time;
use crate::objects::{PodId, Uid};
use crate::timeline::{Kind, Record};

/// The rows.
#[derive(Debug, Default)]
pub struct Watch {
    columns: Columns,
    /// The first pods, until all of them are there.
    list: Vec<(PodId, Uid)>,
    first_pods: usize,
    is_listed: bool,
    text: String,
}

/// How wide the columns are whose width depends on the names.
#[derive(Debug, Default)]
struct Columns {
    /// Where pods of more than one namespace are shown.
    namespace: Option<usize>,
    name: usize,
}

/// The cells of a row that are not about the pod's name.
struct Row<'a> {
    at: &'a str,
    event: &'a str,
    status: &'a str,
    age: &'a str,
    node: &'a str,
}

impl Render for Watch {
    fn begin(&mut self, view: View<'_>, out: &mut Vec<u8>) {
        let names = view.context.names();
        let shown = names.pods().filter(|(pod, _)| view.selection.has_pod(*pod));
        let parts = shown.map(|(pod, _)| names.pod_parts(pod));
        let mut first = None;
        let mut widths = ("NAMESPACE".len(), "NAME".len());
        let mut is_all = false;
        for (namespace, name) in parts {
            is_all |= *first.get_or_insert(namespace) != namespace;
            widths.0 = widths.0.max(width(&printable(namespace)));
            widths.1 = widths.1.max(width(&printable(name)));
        }
        self.columns = Columns { namespace: is_all.then_some(widths.0), name: widths.1 };
        let first = view.context.plan.pods.iter();
        self.first_pods = first.filter(|spec| view.selection.has_pod(spec.pod)).count();
        let header = Row { at: "TIME", event: "EVENT", status: "STATUS", age: "AGE", node: "NODE" };
        self.push(out, ("NAMESPACE", "NAME"), &header);
    }

    fn record(&mut self, view: View<'_>, record: &Record, out: &mut Vec<u8>) {
        let is_first = record.cause.is_none() && record.at == Time::ZERO;
        let (event, uid) = match record.kind {
            Kind::NodeCreated { .. } if is_first => return,
            Kind::PodCreated { uid, .. } => ("ADDED", uid),
            Kind::PodBound { uid, .. }
            | Kind::PodTolerationsChanged { uid, .. }
            | Kind::PodTerminating { uid } => ("MODIFIED", uid),
            Kind::PodRemoved { uid } => ("DELETED", uid),
            _ => return self.end_list(view, out),
        };
        let Some(pod) = record.pod else { return };
        if is_first && event == "ADDED" && !self.is_listed {
            self.list.push((pod, uid));
            // Nobody waits for the next thing to happen.
            if self.list.len() == self.first_pods {
                self.end_list(view, out);
            }
            return;
        }
        self.end_list(view, out);
        self.row(view, out, (pod, uid), (event, record.at));
    }

    fn end(&mut self, view: View<'_>, _: Ending<'_>, out: &mut Vec<u8>) {
        self.end_list(view, out);
    }
}

impl Watch {
    /// Prints the first pods, once.
    fn end_list(&mut self, view: View<'_>, out: &mut Vec<u8>) {
        if std::mem::replace(&mut self.is_listed, true) {
            return;
        }
        let mut list = std::mem::take(&mut self.list);
        list.sort_by_key(|(pod, _)| view.context.names().pod_parts(*pod));
        for life in list {
            self.row(view, out, life, ("ADDED", Time::ZERO));
        }
    }

    fn row(
        &mut self,
        view: View<'_>,
        out: &mut Vec<u8>,
        (pod, uid): (PodId, Uid),
        (event, at): (&str, Time),
    ) {
        let names = view.context.names();
        let life = view.history.incarnation(uid);
        let node = life.and_then(|life| life.node).map(|node| names.node(node));
        let is_terminating = life.is_some_and(|life| life.terminating_at().is_some());
        let status = match node {
            // A pod that is gone is printed as it was last, and then it was being deleted.
            _ if is_terminating || event == "DELETED" => "Terminating",
            Some(_) => "Running",
            None => "Pending",
        };
        let created_at = life.map_or(at, |life| life.created_at);
        let row = Row {
            at: &at.to_string(),
            event,
            status,
            age: &age(at.since(created_at)),
            node: node.unwrap_or("<none>"),
        };
        self.push(out, names.pod_parts(pod), &row);
    }

    fn push(&mut self, out: &mut Vec<u8>, (namespace, name): (&str, &str), row: &Row<'_>) {
        self.text.clear();
        push_cell(&mut self.text, row.at, 8);
        push_cell(&mut self.text, row.event, 8);
        if let Some(wide) = self.columns.namespace {
            push_cell(&mut self.text, namespace, wide);
        }
        push_cell(&mut self.text, name, self.columns.name);
        push_cell(&mut self.text, row.status, 11);
        push_cell(&mut self.text, row.age, 5);
        push_printable(&mut self.text, row.node);
        self.text.push('\n');
        out.extend_from_slice(self.text.as_bytes());
    }
}

/// A cell and three spaces, as kubectl separates them.
fn push_cell(line: &mut String, text: &str, wide: usize) {
    let start = line.len();
    push_printable(line, text);
    let spaces = wide.saturating_sub(width(&line[start..])) + 3;
    line.extend(std::iter::repeat_n(' ', spaces));
}

/// What the scenario does beside the rows: a line for each step.
#[derive(Debug, Default)]
pub struct WatchSteps {
    /// The newest line. A step that does the same to many objects has one.
    newest: String,
}

impl Render for WatchSteps {
    fn begin(&mut self, _: View<'_>, _: &mut Vec<u8>) {}

    fn record(&mut self, view: View<'_>, record: &Record, out: &mut Vec<u8>) {
        let text = match &record.kind {
            Kind::StepApplied { step, action } | Kind::Note { step, action } => {
                step_phrase(view, *step, *action)
            }
            Kind::StepRejected { step, action, error } => {
                format!("{}: {error}", step_phrase(view, *step, *action))
            }
            Kind::ControllerStarted => "the controller works again".to_owned(),
            _ => return,
        };
        let mut line = String::from("# ");
        // Writing to a String does not fail.
        let _ = write!(line, "{}: ", record.at);
        push_printable(&mut line, &text);
        line.push('\n');
        if line != self.newest {
            out.extend_from_slice(line.as_bytes());
            self.newest = line;
        }
    }

    fn end(&mut self, _: View<'_>, _: Ending<'_>, _: &mut Vec<u8>) {}
}
