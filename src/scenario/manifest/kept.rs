//! What of a manifest is read: all else of a dump is passed over while it is read, and only that
//! it is there stays known. Who reads another field of an object adds it here; what its kind, its
//! version or its owner can be told from is here in any case.

use crate::scenario::reader::Keep;

/// What is kept of a document of manifests: an object, a list, or an array of objects.
pub static KEPT: Keep = Keep::Keys(&[
    ("apiVersion", &Keep::All),
    ("kind", &Keep::All),
    ("items", &KEPT),
    ("metadata", &METADATA),
    ("spec", &SPEC),
    ("status", &STATUS),
    // Of a `Status`.
    ("message", &Keep::All),
]);

static METADATA: Keep = Keep::Keys(&[
    ("name", &Keep::All),
    ("namespace", &Keep::All),
    ("uid", &Keep::All),
    ("labels", &Keep::All),
    ("deletionTimestamp", &Keep::All),
    ("finalizers", &Keep::All),
    ("ownerReferences", &OWNER),
]);

static OWNER: Keep = Keep::Keys(&[("kind", &Keep::All), ("controller", &Keep::All)]);

static SPEC: Keep = Keep::Keys(&[
    ("taints", &Keep::All),
    ("unschedulable", &Keep::All),
    ("nodeName", &Keep::All),
    ("tolerations", &Keep::All),
    ("terminationGracePeriodSeconds", &Keep::All),
]);

static STATUS: Keep =
    Keep::Keys(&[("phase", &Keep::All), ("conditions", &CONDITIONS), ("nodeInfo", &NODE_INFO)]);

static NODE_INFO: Keep = Keep::Keys(&[("kubeletVersion", &Keep::All)]);

static CONDITIONS: Keep = Keep::Keys(&[
    ("type", &Keep::All),
    ("status", &Keep::All),
    ("reason", &Keep::All),
    ("message", &Keep::All),
]);
