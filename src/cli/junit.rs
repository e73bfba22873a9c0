//! The JUnit report of `taintsim test`.
//!
//! A testsuite is a scenario file; its testcases are its expectations, by their text, and one for
//! its steps. So a viewer's list reads as the `expect` block, and a test keeps its name when lines
//! move. A file that could not be loaded has one testcase, an error. There are no times and no
//! random ids in it: the same files and version give the same bytes.

use std::collections::BTreeMap;

use quick_junit::{NonSuccessKind, Report as Junit, TestCase, TestCaseStatus, TestSuite};

use super::status::Problem;

/// What became of a case.
#[derive(Debug)]
pub(super) enum Outcome {
    Holds,
    /// With the text that the terminal shows.
    Failed(String),
    /// Nothing was judged, for this reason.
    Unchecked(String),
    /// It cannot be judged: the diagnostics.
    Broken(String),
}

/// Something that is judged about a file.
#[derive(Debug)]
pub(super) struct Case {
    name: String,
    /// Its line in the file.
    line: Option<u32>,
    outcome: Outcome,
}

impl Case {
    pub(super) fn new(name: &str, line: Option<u32>, outcome: Outcome) -> Case {
        Case { name: name.to_owned(), line, outcome }
    }

    /// The text of a failure.
    pub(super) fn failure(&self) -> Option<&str> {
        match &self.outcome {
            Outcome::Failed(text) => Some(text),
            _ => None,
        }
    }
}

/// The files of a run with their cases.
#[derive(Default)]
pub(super) struct Report {
    suites: Vec<TestSuite>,
}

impl Report {
    pub(super) fn add(&mut self, file: &str, cases: Vec<Case>) {
        let file = text(file);
        let mut suite = TestSuite::new(file.as_str());
        let mut seen: BTreeMap<String, u32> = BTreeMap::new();
        for Case { mut name, line, outcome } in cases {
            // Viewers take two of one name for one.
            let count = seen.entry(name.clone()).or_default();
            *count += 1;
            if *count > 1 {
                name.push_str(&format!(" ({count})"));
            }
            let mut case = TestCase::new(text(&name).as_str(), status(outcome));
            case.set_classname(file.as_str());
            case.extra.insert("file".into(), file.as_str().into());
            if let Some(line) = line {
                case.extra.insert("line".into(), line.to_string().into());
            }
            suite.add_test_case(case);
        }
        self.suites.push(suite);
    }

    /// The report's bytes.
    pub(super) fn xml(self) -> Result<Vec<u8>, Problem> {
        let mut report = Junit::new("taintsim");
        report.add_test_suites(self.suites);
        let mut xml = Vec::new();
        let written = report.serialize(&mut xml);
        written.map_err(|error| Problem::Usage(format!("cannot write the report: {error}")))?;
        Ok(xml)
    }
}

/// The first line is the message, which viewers show in lists; the whole text follows below.
fn status(outcome: Outcome) -> TestCaseStatus {
    let (mut status, kind, whole) = match outcome {
        Outcome::Holds => return TestCaseStatus::success(),
        Outcome::Unchecked(why) => {
            let mut status = TestCaseStatus::skipped();
            status.set_message(text(&why).as_str());
            return status;
        }
        Outcome::Failed(whole) => {
            let status = TestCaseStatus::non_success(NonSuccessKind::Failure);
            (status, "ExpectationFailed", whole)
        }
        Outcome::Broken(whole) => {
            (TestCaseStatus::non_success(NonSuccessKind::Error), "BadInput", whole)
        }
    };
    let whole = text(&whole);
    status.set_type(kind);
    status.set_message(whole.lines().next().unwrap_or_default());
    status.set_description(whole.as_str());
    status
}

/// The text without the two characters that XML cannot hold and a terminal can. What a terminal
/// acts on is escaped already.
fn text(text: &str) -> String {
    text.replace('\u{fffe}', "\\u{fffe}").replace('\u{ffff}', "\\u{ffff}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_differ_and_hold_nothing_that_xml_cannot() {
        let mut report = Report::default();
        let failed = Outcome::Failed("a < b & \"c\"\n  - second\u{ffff}".into());
        let cases = vec![
            Case::new("p survives true", Some(3), Outcome::Holds),
            Case::new("p survives true", Some(4), failed),
            Case::new("steps", None, Outcome::Unchecked("no `expect`".into())),
        ];
        report.add("a'\u{fffe}.yaml", cases);
        report.add("b.yaml", vec![Case::new("load", None, Outcome::Broken("error".into()))]);
        let xml = String::from_utf8(report.xml().unwrap()).unwrap();
        insta::assert_snapshot!(xml);
    }
}
