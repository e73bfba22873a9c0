//! The world: wires store, watches, informers and taint manager to the kernel, and runs a plan.
