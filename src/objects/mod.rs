//! The vocabulary of core/v1 that the simulator speaks: taints, tolerations, labels, selectors,
//! node and pod specs, and the rules for them. Nothing here changes over time.

pub mod ids;
pub mod labels;
pub mod lists;
pub mod matching;
pub mod names;
pub mod taint;
mod taint_diff;
pub mod toleration;
pub mod validation;

pub use ids::{LabelsId, NodeId, PodId, TaintsId, TolerationsId, Uid};
pub use labels::{Labels, Requirement, Selector};
pub use lists::Lists;
pub use matching::{Deadline, MatchRules, Verdict, match_lists};
pub use names::Names;
pub use taint::{Effect, Taint};
pub use taint_diff::TaintDiff;
pub use toleration::{Operator, Toleration};
