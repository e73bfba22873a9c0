//! Which worker gets an item: FNV-1a of the node's name, modulo the number of workers.

/// The shard of a node's name; the empty name is that of pods without a node.
pub fn shard(node_name: &str, workers: u32) -> u32 {
    fnv1a(node_name) % workers
}

/// FNV-1a with 32 bits.
fn fnv1a(text: &str) -> u32 {
    text.bytes()
        .fold(0x811c_9dc5, |hash: u32, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_are_those_of_gos_fnv() {
        let cases = [
            ("", 0x811c_9dc5, 5),
            ("node1", 0x0f4e_2874, 4),
            ("node2", 0x124e_2d2d, 5),
            ("node-0", 0x53c4_31f0, 0),
            ("node-1", 0x54c4_3383, 3),
            ("node-7", 0x5ac4_3cf5, 5),
            ("worker-a", 0xa3f9_7dbd, 5),
            ("testnode-1", 0x998c_bc23, 3),
            ("ip-10-1-1-1.ec2.internal", 0x38c1_4ee7, 7),
        ];
        for (name, hash, expected) in cases {
            assert_eq!(fnv1a(name), hash, "{name}");
            assert_eq!(shard(name, 8), expected, "{name}");
        }
    }

    #[test]
    fn a_thousand_nodes_spread_evenly() {
        let mut counts = [0; 8];
        for i in 0..1000 {
            counts[shard(&format!("node-{i}"), 8) as usize] += 1;
        }
        assert!(counts.iter().all(|n| (124..=126).contains(n)), "{counts:?}");
    }
}
