//! The API's rules for names, labels, taints and tolerations.
