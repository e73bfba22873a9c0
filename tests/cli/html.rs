//! `-o html` of `replay` and `diff`: one whole page, to stdout or to a file.

use std::fs;

use crate::support::{folder, ran, stdout};

fn is_page(text: &str) -> bool {
    text.starts_with("<!doctype html>\n") && text.ends_with("</html>\n")
}

#[test]
fn a_page_is_the_same_on_stdout_and_in_a_file() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("page.html");
    let page = stdout(&["replay", "maintenance.yaml", "-o", "html"]);
    assert!(is_page(&page));
    let output = format!("html={}", path.display());
    let beside = stdout(&["replay", "maintenance.yaml", "-o", &output, "-o", "table"]);
    assert_eq!(fs::read_to_string(&path).unwrap(), page);
    assert_eq!(beside, stdout(&["replay", "maintenance.yaml"]));
    // The level that is asked for is that of other outputs.
    let detailed = stdout(&["replay", "maintenance.yaml", "-o", "html", "--detail", "trace"]);
    assert_eq!(detailed, page);
}

#[test]
fn the_head_has_the_run_and_its_fates() {
    let page = stdout(&["replay", "maintenance.yaml", "-o", "html"]);
    let (head, _) = page.split_once("<noscript>").unwrap();
    for part in [
        "<title>maintenance - taintsim</title>",
        "<li>Kubernetes 1.36</li>",
        "<li>seed 0</li>",
        "<li>3 nodes, 9 pods</li>",
        "taint maintenance=now:NoExecute (step 1) is tolerated for 300s",
        "<td class=\"which\">shop/web-0, shop/web-3</td>",
        "Step 3 was rejected at 1m20s: error: taint &quot;maintenance&quot; not found",
    ] {
        assert!(head.contains(part), "{part}");
    }
    let filtered = stdout(&["replay", "maintenance.yaml", "-o", "html", "-n", "shop"]);
    assert!(filtered.contains("<li>only the pods that were asked for, and their nodes</li>"));
    assert!(!filtered.contains("default/batch-0"));
}

#[test]
fn a_page_on_stdout_has_nothing_after_it() {
    let (code, out, err) = ran(&["replay", "maintenance.yaml", "-o", "html", "--digest"]);
    assert_eq!((code, out.as_str()), (2, ""));
    assert!(err.contains("give the -o a file"), "{err}");
}

#[test]
fn a_comparison_goes_to_a_file_in_every_format() {
    let directory = tempfile::tempdir().unwrap();
    let compared = ["diff", "maintenance.yaml", "graceful.yaml"];
    for format in ["table", "json", "html"] {
        let path = directory.path().join(format);
        let (code, printed, _) = ran(&[&compared[..], &["-o", format]].concat());
        let output = format!("{format}={}", path.display());
        let (file_code, nothing, err) = ran(&[&compared[..], &["-o", &output]].concat());
        assert_eq!((code, file_code, nothing.as_str(), err.as_str()), (1, 1, "", ""), "{format}");
        assert_eq!(fs::read_to_string(&path).unwrap(), printed, "{format}");
        assert_eq!(is_page(&printed), format == "html");
    }
}

#[test]
fn a_comparison_is_not_written_over_its_input_nor_nowhere() {
    let before = fs::read(folder().join("graceful.yaml")).unwrap();
    let compared = ["diff", "maintenance.yaml", "graceful.yaml", "-o"];
    for (output, told) in [
        ("html=graceful.yaml", "graceful.yaml is read for this run"),
        ("html=nowhere/page.html", "there is no directory nowhere"),
        ("html=", "`html=` names no file after the `=`"),
        ("svg", "no format `svg`; there are table, json, html"),
    ] {
        let (code, out, err) = ran(&[&compared[..], &[output]].concat());
        assert_eq!((code, out.as_str()), (2, ""), "{output}");
        assert!(err.contains(told), "{output}: {err}");
    }
    assert_eq!(fs::read(folder().join("graceful.yaml")).unwrap(), before);
}
