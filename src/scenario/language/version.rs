//! `kubernetesVersion`: the spellings of a version, and the behaviour profiles that exist.

use std::collections::BTreeMap;

use crate::profile::{NEWEST, Profile};
use crate::scenario::manifest::Objects;

/// The oldest profile.
const OLDEST: &str = "1.6";

/// The profile for a version as users and vendors write it: `1.36`, `v1.36.2`, `v1.36.0-eks-1`,
/// `1.36.1+k3s1`.
///
/// # Errors
/// What is wrong with it, and what exists.
pub fn profile(text: &str) -> Result<Profile, String> {
    let list = format!("{OLDEST} to {NEWEST}");
    let Some((major, minor)) = major_minor(text) else {
        return Err(format!("`{text}` is no Kubernetes version; this program knows {list}"));
    };
    Profile::of(major, minor).ok_or_else(|| {
        let wanted = format!("{major}.{minor}");
        format!("there is no behaviour profile for Kubernetes {wanted}; this program knows {list}")
    })
}

/// How many nodes run each version, of those that tell one.
pub fn node_versions(objects: &Objects) -> BTreeMap<(u32, u32), usize> {
    let versions = objects.nodes.values().filter_map(|node| node.kubelet_version.as_deref());
    let mut counts = BTreeMap::new();
    for version in versions.filter_map(major_minor) {
        *counts.entry(version).or_insert(0) += 1;
    }
    counts
}

/// The version of most nodes; of equally many the newest.
pub fn of_most(counts: &BTreeMap<(u32, u32), usize>) -> Option<((u32, u32), usize)> {
    // Of equal counts the last, which is the newest.
    counts.iter().max_by_key(|(_, count)| **count).map(|(version, count)| (*version, *count))
}

/// Major and minor of a version in any of its spellings; `None` where it is none. Numbers have no leading zeros, as in Kubernetes and in semver.
pub fn major_minor(text: &str) -> Option<(u32, u32)> {
    let text = text.strip_prefix('v').unwrap_or(text);
    let numbers_end = text.find(['-', '+']).unwrap_or(text.len());
    let mut parts = text[..numbers_end].split('.');
    let is_number = |part: &str| {
        let digits = !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
        digits && (part == "0" || !part.starts_with('0'))
    };
    let mut number = || {
        let part = parts.next()?;
        if is_number(part) { part.parse::<u32>().ok() } else { None }
    };
    let (major, minor) = (number()?, number()?);
    let patch = parts.next();
    (patch.is_none_or(is_number) && parts.next().is_none()).then_some((major, minor))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spellings() {
        for text in ["1.36", "v1.36", "v1.36.2", "v1.36.0-eks-1", "1.36.1+k3s1", "1.36-rc.1"] {
            assert_eq!(profile(text), Ok(NEWEST), "{text}");
        }
        let wrong = ["", "v", "1", "1.x", "1.36.x", "1.36.1.1", "latest", "1.36.", "V1.36"];
        let leading_zeros = ["1.036", "01.36", "v01.36", "1.36.01", "1.36.00", "1.036-eks-1"];
        for text in wrong.into_iter().chain(leading_zeros) {
            let error = profile(text).expect_err(text);
            assert!(
                error.ends_with("is no Kubernetes version; this program knows 1.6 to 1.36"),
                "{error}"
            );
        }
        assert_eq!(
            profile("v1.5.4-eks-1"),
            Err("there is no behaviour profile for Kubernetes 1.5; this program knows 1.6 to 1.36"
                .into())
        );
    }
}
