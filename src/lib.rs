//! `taintsim`: a deterministic discrete-event simulator of the Kubernetes taint manager (today's
//! taint-eviction-controller).
//!
//! A [`plan::Plan`] goes in: nodes, pods, steps, faults and settings. A [`cluster::World`] runs it
//! on a virtual clock, and [`timeline::Record`]s come out, each with its cause. The same plan gives
//! the same records, on every machine.
//!
//! ```
//! use taintsim::cluster::World;
//! use taintsim::scenario::{LoadOptions, load_text};
//! use taintsim::timeline::{Detail, Kind, Record};
//!
//! let text = "
//! apiVersion: taintsim.dev/v1alpha1
//! kind: Scenario
//! spec:
//!   nodes: [{name: node-0}]
//!   pods:
//!     - {name: web-0, nodeName: node-0, tolerations: ['maintenance:NoExecute op=Exists for 60s']}
//!   steps:
//!     - {at: 10s, kubectl: 'taint nodes node-0 maintenance=now:NoExecute'}
//! ";
//! let loaded = load_text("maintenance.yaml", text, None, &LoadOptions::default())
//!     .map_err(|failure| failure.render())?;
//!
//! let mut world = World::new(&loaded.plan, Detail::Summary);
//! let mut records: Vec<Record> = Vec::new();
//! world.run(&mut records);
//!
//! let evicted = records.iter().find(|record| matches!(record.kind, Kind::DeleteRequested { .. }));
//! assert_eq!(evicted.map(|record| record.at.to_string()).as_deref(), Some("1m10s"));
//! # Ok::<(), String>(())
//! ```
//!
//! # The rooms
//!
//! | room | has |
//! |---|---|
//! | [`kernel`] | virtual time, the event queue in exact order, random streams by name |
//! | [`objects`] | taints, tolerations, labels, matching, the API's rules for them |
//! | [`plan`] | what a run needs |
//! | [`apiserver`] | the store, watches, faults |
//! | [`marks`] | rare paths of the model by name, counted in every run |
//! | [`clientgo`] | informers, work queue, channels, event recorder |
//! | [`taint_manager`] | dispatchers, shards and workers, timed workers, pod deletion |
//! | [`cluster`] | the world: the event loop, steps, calls, the controller's process |
//! | [`timeline`] | records, causes, sinks, what became of each pod |
//! | [`diff`] | what differs between runs, and which switch makes it so |
//! | [`expectation`] | what `expect` can say, and its judge |
//! | [`fuzz`] | plans from a seed, a model of what the documentation promises, rules that judge runs |
//! | [`scenario`] | from files to plans |
//! | [`import`] | from dumps to scenarios |
//! | [`reference`] | the scenario language as data: keys, types, defaults, rules, examples |
//! | [`why`] | why a pod was evicted, or was not, and what would have changed it |
//! | [`render`] | one file per output format |
//! | [`cli`] | one file per command |
//!
//! ARCHITECTURE.md has the way of an event through them, and what has to stay true.

pub mod apiserver;
pub mod cli;
pub mod clientgo;
pub mod cluster;
pub mod diff;
pub mod expectation;
pub mod fuzz;
pub mod import;
pub mod kernel;
pub mod marks;
pub mod objects;
pub mod plan;
pub mod profile;
pub mod reference;
pub mod render;
pub mod scenario;
pub mod taint_manager;
pub mod timeline;
pub mod why;
