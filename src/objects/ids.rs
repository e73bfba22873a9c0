//! Small numbers in place of names and lists, so that events stay `Copy` and state lives in slabs.

use std::fmt;

macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub u32);

        impl $name {
            /// The number as an index into a slab.
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }
    };
}

id!(
    /// The name of a node. A node that is deleted and created again keeps its id.
    NodeId
);
id!(
    /// The `namespace/name` of a pod. A re-creation of the same name keeps the id and gets a new
    /// [`Uid`]: just as the taint manager's timers know the name only.
    PodId
);
id!(
    /// An interned list of taints; see [`crate::objects::Lists`].
    TaintsId
);
id!(
    /// An interned list of tolerations.
    TolerationsId
);
id!(
    /// An interned set of labels.
    LabelsId
);
id!(
    /// One incarnation of a pod: the n-th pod created in the run, counted from 1.
    Uid
);

/// As an API object shows it: the number as the last 12 decimal digits of a UUID.
impl fmt::Display for Uid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "00000000-0000-0000-0000-{:012}", self.0)
    }
}
