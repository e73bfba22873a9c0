//! What a timeline tells at the `Summary` level, so that levels of detail can be compared: the
//! same things at the same times, each because of the same thing.

use std::collections::BTreeMap;

use taintsim::timeline::{Detail, Record};

/// A record of the `Summary` level without its number, and the index of its cause in the story.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Told {
    record: Record,
    cause: Option<usize>,
}

/// The records of the `Summary` level. A cause that is of a higher level gives way to its own
/// cause, and so on.
pub fn of(records: &[Record]) -> Vec<Told> {
    // By number of record: the nearest ancestor of the story, itself included.
    let mut place: BTreeMap<u32, Option<usize>> = BTreeMap::new();
    let mut story = Vec::new();
    for record in records {
        let cause = record.cause.and_then(|seq| {
            *place.get(&seq).unwrap_or_else(|| panic!("{record:?} comes before its cause"))
        });
        if record.kind.detail() == Detail::Summary {
            place.insert(record.seq, Some(story.len()));
            let record = Record { seq: 0, cause: None, ..record.clone() };
            story.push(Told { record, cause });
        } else {
            place.insert(record.seq, cause);
        }
    }
    story
}

/// The first difference between two stories.
pub fn difference(one: &[Told], other: &[Told]) -> Option<String> {
    let length = one.len().max(other.len());
    let index = (0..length).find(|index| one.get(*index) != other.get(*index))?;
    Some(format!("record {index}: {:?} against {:?}", one.get(index), other.get(index)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use taintsim::kernel::time::Time;
    use taintsim::objects::PodId;
    use taintsim::timeline::{EventReason, Kind};

    fn record(seq: u32, cause: Option<u32>, kind: Kind) -> Record {
        Record { seq, at: Time(7), cause, pod: Some(PodId(0)), node: None, kind }
    }

    fn event() -> Kind {
        Kind::EventRecorded { reason: EventReason::Marking, count: 1 }
    }

    #[test]
    fn a_cause_of_another_level_gives_way_to_its_own() {
        let summary =
            [record(1, None, Kind::EvictionStarted), record(2, Some(1), Kind::EvictionFailed)];
        let controller = [
            record(1, None, Kind::EvictionStarted),
            record(2, Some(1), event()),
            record(3, Some(2), Kind::EvictionFailed),
        ];
        assert_eq!(difference(&of(&summary), &of(&controller)), None);
    }

    #[test]
    fn another_cause_or_time_or_kind_is_another_story() {
        let base =
            [record(1, None, Kind::EvictionStarted), record(2, Some(1), Kind::EvictionFailed)];
        let other_cause = [base[0].clone(), Record { cause: None, ..base[1].clone() }];
        let other_time = [base[0].clone(), Record { at: Time(8), ..base[1].clone() }];
        let other_kind =
            [base[0].clone(), Record { kind: Kind::EvictionStarted, ..base[1].clone() }];
        let shorter = [base[0].clone()];
        for other in [&other_cause[..], &other_time, &other_kind, &shorter] {
            assert!(difference(&of(&base), &of(other)).is_some(), "{other:?}");
        }
    }
}
