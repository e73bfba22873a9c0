//! Interned lists of taints, tolerations and labels: equal lists have equal ids, so the filters
//! of the taint manager (which compare whole lists) compare two numbers.

use indexmap::IndexSet;

use super::ids::{LabelsId, TaintsId, TolerationsId};
use super::labels::Labels;
use super::taint::Taint;
use super::toleration::Toleration;

/// The interner. Id 0 of each kind is the empty list.
#[derive(Clone, Debug)]
pub struct Lists {
    taints: IndexSet<Box<[Taint]>>,
    tolerations: IndexSet<Box<[Toleration]>>,
    labels: IndexSet<Labels>,
}

impl Default for Lists {
    fn default() -> Self {
        Lists {
            taints: IndexSet::from([Box::default()]),
            tolerations: IndexSet::from([Box::default()]),
            labels: IndexSet::from([Labels::default()]),
        }
    }
}

impl Lists {
    /// The empty list of taints.
    pub const NO_TAINTS: TaintsId = TaintsId(0);
    /// The empty list of tolerations.
    pub const NO_TOLERATIONS: TolerationsId = TolerationsId(0);
    /// No labels.
    pub const NO_LABELS: LabelsId = LabelsId(0);

    /// The id of a list of taints. Order counts, as it does for the real controller's comparison.
    pub fn intern_taints(&mut self, list: &[Taint]) -> TaintsId {
        match self.taints.get_index_of(list) {
            Some(index) => TaintsId(to_u32(index)),
            None => TaintsId(to_u32(self.taints.insert_full(list.into()).0)),
        }
    }

    /// The id of a list of tolerations. Order counts.
    pub fn intern_tolerations(&mut self, list: &[Toleration]) -> TolerationsId {
        match self.tolerations.get_index_of(list) {
            Some(index) => TolerationsId(to_u32(index)),
            None => TolerationsId(to_u32(self.tolerations.insert_full(list.into()).0)),
        }
    }

    /// The id of a set of labels.
    pub fn intern_labels(&mut self, labels: &Labels) -> LabelsId {
        match self.labels.get_index_of(labels) {
            Some(index) => LabelsId(to_u32(index)),
            None => LabelsId(to_u32(self.labels.insert_full(labels.clone()).0)),
        }
    }

    /// The taints behind an id.
    pub fn taints(&self, id: TaintsId) -> &[Taint] {
        &self.taints[id.index()]
    }

    /// All taints of all lists, in the order in which the lists came; one may come again.
    pub fn all_taints(&self) -> impl Iterator<Item = &Taint> {
        self.taints.iter().flat_map(|list| list.iter())
    }

    /// All tolerations of all lists, in the order in which the lists came; one may come again.
    pub fn all_tolerations(&self) -> impl Iterator<Item = &Toleration> {
        self.tolerations.iter().flat_map(|list| list.iter())
    }

    /// The tolerations behind an id.
    pub fn tolerations(&self, id: TolerationsId) -> &[Toleration] {
        &self.tolerations[id.index()]
    }

    /// The labels behind an id.
    pub fn labels(&self, id: LabelsId) -> &Labels {
        &self.labels[id.index()]
    }
}

fn to_u32(index: usize) -> u32 {
    u32::try_from(index).unwrap_or_else(|_| panic!("more than 2^32 lists: {index}"))
}
