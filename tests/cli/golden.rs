//! What two scenarios look like in every format.

use crate::support::stdout;

#[test]
fn maintenance() {
    for format in ["table", "wide", "jsonl", "json", "expect"] {
        let text = stdout(&["replay", "maintenance.yaml", "-o", format]);
        insta::assert_snapshot!(format!("maintenance-{format}"), text);
    }
}

#[test]
fn graceful() {
    for format in ["table", "expect"] {
        let text = stdout(&["replay", "graceful.yaml", "-o", format]);
        insta::assert_snapshot!(format!("graceful-{format}"), text);
    }
    let arguments = ["replay", "graceful.yaml", "--detail", "controller", "--pod", "now"];
    insta::assert_snapshot!("graceful-controller-table", stdout(&arguments));
    let arguments = ["replay", "graceful.yaml", "--detail", "trace", "--pod", "now", "-o", "jsonl"];
    insta::assert_snapshot!("graceful-trace-jsonl", stdout(&arguments));
}
