//! Which Kubernetes version a scenario from a dump has: that of most nodes, of equally many the
//! newest; where this program does not model it, its default.

use crate::plan::Config;
use crate::profile::Profile;
use crate::scenario::language::{node_versions, of_most, profile};
use crate::scenario::manifest::Objects;

/// What `spec.kubernetesVersion` is.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Version {
    /// The value to write; `None`: the key is left out.
    pub(super) profile: Option<Profile>,
    /// Why, for a comment.
    pub(super) comment: String,
    /// The same for whoever runs the command, where it is not what one would expect.
    pub(super) notice: Option<String>,
}

/// The version of the nodes.
pub(super) fn of(objects: &Objects) -> Version {
    let counts = node_versions(objects);
    let default = Config::default().profile;
    let Some(((major, minor), most_nodes)) = of_most(&counts) else {
        let comment = format!("no node tells its version; {default} is used, the newest");
        return Version { profile: None, notice: Some(comment.clone()), comment };
    };
    let most = format!("{major}.{minor}");
    let mut comment = format!("the nodes run {most}");
    if counts.len() > 1 {
        let all: Vec<String> = counts
            .iter()
            .map(|((major, minor), count)| format!("{major}.{minor} ({count})"))
            .collect();
        let counted = counts.values().filter(|count| **count == most_nodes).count();
        let why = match counted {
            1 => "which most have",
            _ => "the newest of those that most have",
        };
        comment = format!("the nodes run {}; taken is {most}, {why}", all.join(", "));
    }
    match profile(&most) {
        Ok(profile) => {
            let notice = (counts.len() > 1).then(|| comment.clone());
            Version { profile: Some(profile), comment, notice }
        }
        Err(_) => {
            let comment = format!(
                "{comment}; the behaviour of {most} is not modelled, and {default} is used, \
                 the newest"
            );
            Version { profile: None, notice: Some(comment.clone()), comment }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario::{Limits, ObjectsLoader};

    #[test]
    fn most_nodes_decide_and_then_the_newest() {
        for (versions, profile, notice) in [
            (&["v1.36.1", "v1.36.0"][..], Some("1.36"), None),
            (&[], None, Some("no node tells its version; 1.36 is used, the newest")),
            (&["***", "v1"], None, Some("no node tells its version; 1.36 is used, the newest")),
            (
                &["v1.5.8-eks-1"],
                None,
                Some(
                    "the nodes run 1.5; the behaviour of 1.5 is not modelled, and 1.36 is used, \
                     the newest",
                ),
            ),
            (
                &["v1.37.0"],
                None,
                Some(
                    "the nodes run 1.37; the behaviour of 1.37 is not modelled, and 1.36 is used, \
                     the newest",
                ),
            ),
            (&["v1.29.1-eks-1"], Some("1.29"), None),
            (
                &["v1.36.1", "v1.29.1", "v1.36.0"],
                Some("1.36"),
                Some("the nodes run 1.29 (1), 1.36 (2); taken is 1.36, which most have"),
            ),
            (
                &["v1.36.1", "v1.9.1"],
                Some("1.36"),
                Some(
                    "the nodes run 1.9 (1), 1.36 (1); taken is 1.36, the newest of those that \
                     most have",
                ),
            ),
        ] {
            let mut loader = ObjectsLoader::new(Limits::default());
            loader.text("empty", "kind: List\nitems: []\n");
            for (index, version) in versions.iter().enumerate() {
                let node = format!(
                    "{{kind: Node, metadata: {{name: n{index}}}, \
                     status: {{nodeInfo: {{kubeletVersion: \"{version}\"}}}}}}"
                );
                loader.text("node", node);
            }
            let found = of(&loader.finish().expect("nodes").objects);
            let found_profile = found.profile.map(Profile::name);
            assert_eq!((found_profile, found.notice.as_deref()), (profile, notice), "{versions:?}");
        }
    }
}
