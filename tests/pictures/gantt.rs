//! `-o gantt`: within its width, plain, and with paint that says nothing of its own.

use taintsim::render::Gantt;
use unicode_width::UnicodeWidthStr;

use crate::support::{hostile, plan, rendered, scenarios};

#[test]
fn no_line_is_wider_than_the_width() {
    let mut plans: Vec<_> = scenarios().iter().map(|file| plan(file)).collect();
    plans.push(hostile());
    for plan in &plans {
        for columns in [40, 41, 47, 63, 64, 65, 80, 100, 133, 200] {
            let text = rendered(Gantt::new(false, columns), plan);
            assert!(text.lines().count() > 5, "{text}");
            for line in text.lines() {
                assert!(line.width() <= columns, "{} in {columns}: {line}", plan.name);
                assert_eq!(line.trim_end(), line, "{}: spaces at the end", plan.name);
            }
        }
    }
}

#[test]
fn every_width_is_kept() {
    let plan = hostile();
    for columns in 40..200 {
        let text = rendered(Gantt::new(false, columns), &plan);
        assert!(text.lines().all(|line| line.width() <= columns), "{columns}: {text}");
    }
}

#[test]
fn nothing_acts_on_the_terminal() {
    let text = rendered(Gantt::new(false, 100), &hostile());
    let acts = |c: &char| c.is_control() && *c != '\n' || ('\u{202a}'..='\u{2069}').contains(c);
    assert_eq!(text.chars().find(acts), None, "{text:?}");
}

#[test]
fn paint_is_only_paint() {
    for file in scenarios().iter().step_by(9) {
        let plan = plan(file);
        let painted = rendered(Gantt::new(true, 100), &plan);
        let mut bare = String::new();
        let mut rest = painted.as_str();
        while let Some((before, after)) = rest.split_once('\u{1b}') {
            bare.push_str(before);
            rest = after.split_once('m').unwrap().1;
        }
        bare.push_str(rest);
        assert_eq!(bare, rendered(Gantt::new(false, 100), &plan));
        assert!(painted.len() > bare.len(), "{}: no paint", plan.name);
    }
}
