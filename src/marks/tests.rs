//! The table, and the counts.

use std::collections::BTreeSet;

use super::*;

#[test]
fn the_table_is_in_the_order_of_the_type() {
    for (mark, index) in Mark::ALL.into_iter().zip(0..) {
        assert_eq!(mark as usize, index, "{}", mark.name());
    }
}

#[test]
fn names_are_kebab_case_and_name_one_mark_each() {
    let names: BTreeSet<&str> = Mark::ALL.iter().map(|mark| mark.name()).collect();
    assert_eq!(names.len(), Mark::ALL.len());
    for mark in Mark::ALL {
        let name = mark.name();
        let is_word =
            |word: &str| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_lowercase());
        assert!(name.split('-').all(is_word), "{name}");
        assert_eq!(Mark::named(name), Some(mark));
        // The name is that of the variant: who greps for one finds the other.
        let variant: String = format!("{mark:?}");
        assert_eq!(name.replace('-', ""), variant.to_ascii_lowercase());
    }
    assert_eq!(Mark::named("item"), None);
}

#[test]
fn a_sentence_is_one_and_short() {
    let sentences: BTreeSet<&str> = Mark::ALL.iter().map(|mark| mark.sentence()).collect();
    assert_eq!(sentences.len(), Mark::ALL.len());
    for mark in Mark::ALL {
        let sentence = mark.sentence();
        assert!(sentence.ends_with('.') && sentence.matches(". ").count() == 0, "{sentence}");
        assert!(sentence.len() <= 92, "{} bytes: {sentence}", sentence.len());
    }
}

#[test]
fn counts_add_up() {
    let mut marks = Marks::default();
    marks.hit(Mark::AfterStep);
    marks.hit_if(Mark::AfterStep, true);
    marks.hit_if(Mark::ItemParked, false);
    let mut sum = marks;
    sum.add(&marks);
    sum.hit_times(Mark::AnswerLost, 3);
    let hit: Vec<(Mark, u64)> = sum.iter().filter(|(_, count)| *count > 0).collect();
    assert_eq!(hit, [(Mark::AnswerLost, 3), (Mark::AfterStep, 4)]);
    assert_eq!((sum.count(Mark::AfterStep), sum.hit_of_all()), (4, 2));
}
