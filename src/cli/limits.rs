//! The options that raise a limit, and those that lower one.

use clap::Args;

use crate::scenario::Limits;
use crate::scenario::limits::parse_size;

const HEADING: &str = "Limits";

/// Of what is read.
#[derive(Clone, Copy, Debug, Args)]
pub(super) struct LoadLimitArgs {
    /// Bytes of all inputs together, such as 512Mi or 1G [default: 256Mi]
    #[arg(long, value_name = "SIZE", help_heading = HEADING, value_parser = parse_size)]
    max_input_size: Option<u64>,
    /// Lists and mappings in each other, up to 255 [default: 128]
    #[arg(long, value_name = "N", help_heading = HEADING, value_parser = depth)]
    max_depth: Option<usize>,
    /// Values of all inputs together that are kept [default: 10000000]
    #[arg(long, value_name = "N", help_heading = HEADING, value_parser = count)]
    max_values: Option<u64>,
    /// Values that YAML aliases make in one input [default: 500000]
    #[arg(long, value_name = "N", help_heading = HEADING, value_parser = count)]
    max_alias_values: Option<u64>,
    /// Objects that ranges make; targets may name ten times as many [default: 2000000]
    #[arg(long, value_name = "N", help_heading = HEADING, value_parser = objects)]
    max_objects: Option<u64>,
}

impl LoadLimitArgs {
    /// The limits of a load. That of a run is beside them.
    pub(super) fn limits(&self) -> Limits {
        let default = Limits::default();
        let alias_values = self.max_alias_values.map(|n| usize::try_from(n).unwrap_or(usize::MAX));
        Limits {
            input_bytes: self.max_input_size.unwrap_or(default.input_bytes),
            depth: self.max_depth.unwrap_or(default.depth),
            values: self.max_values.unwrap_or(default.values),
            alias_values: alias_values.unwrap_or(default.alias_values),
            objects: self.max_objects.unwrap_or(default.objects),
            events: default.events,
        }
    }
}

/// Of a run.
#[derive(Clone, Copy, Debug, Args)]
pub(super) struct RunLimitArgs {
    /// Events of one run: watches, work of queues and workers, calls [default: 1000000000]
    #[arg(long, value_name = "N", help_heading = HEADING, value_parser = count)]
    max_events: Option<u64>,
}

impl RunLimitArgs {
    pub(super) fn events(&self) -> u64 {
        self.max_events.unwrap_or(Limits::default().events)
    }
}

fn depth(text: &str) -> Result<usize, String> {
    let most = Limits::DEPTH_MAX;
    let depth = within(text, most as u64)?;
    Ok(usize::try_from(depth).unwrap_or(most))
}

fn objects(text: &str) -> Result<u64, String> {
    within(text, Limits::OBJECTS_MAX)
}

fn count(text: &str) -> Result<u64, String> {
    within(text, u64::MAX)
}

/// A number from 1 to `most`.
fn within(text: &str, most: u64) -> Result<u64, String> {
    let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if !is_number {
        return Err("write a number, such as 200".into());
    }
    match text.parse::<u64>() {
        Ok(0) => Err("the least is 1".into()),
        Ok(number) if number <= most => Ok(number),
        _ => Err(format!("the most is {most}")),
    }
}

#[cfg(test)]
mod tests {
    use clap::{CommandFactory, Parser};

    use super::*;

    #[derive(Debug, Parser)]
    struct Both {
        #[command(flatten)]
        load: LoadLimitArgs,
        #[command(flatten)]
        run: RunLimitArgs,
    }

    #[test]
    fn without_options_the_defaults_hold_and_the_help_has_them() {
        let limits = Limits::default();
        let none = Both::parse_from(["x"]);
        assert_eq!((none.load.limits(), none.run.events()), (limits, limits.events));
        let help = Both::command().render_long_help().to_string();
        for (flag, default) in [
            (Limits::INPUT_SIZE_FLAG, crate::scenario::limits::size(limits.input_bytes)),
            (Limits::DEPTH_FLAG, limits.depth.to_string()),
            (Limits::VALUES_FLAG, limits.values.to_string()),
            (Limits::ALIAS_VALUES_FLAG, limits.alias_values.to_string()),
            (Limits::OBJECTS_FLAG, limits.objects.to_string()),
            (Limits::EVENTS_FLAG, limits.events.to_string()),
        ] {
            let from = help.find(&format!("{flag} <")).expect(flag);
            let text = help[from..].split("\n\n").next().unwrap_or_default();
            let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
            assert!(text.contains(&format!("[default: {default}]")), "{flag}: {text}");
        }
        assert!(help.contains(&format!("up to {} [", Limits::DEPTH_MAX)), "{help}");
    }

    #[test]
    fn wrong_values_are_told_with_what_would_be_right() {
        for (flag, value, expected) in [
            ("--max-depth", "256", "the most is 255"),
            ("--max-depth", "0", "the least is 1"),
            ("--max-depth", "x", "write a number"),
            ("--max-objects", "9999999999", "the most is 1000000000"),
            ("--max-events", "99999999999999999999", "the most is"),
            ("--max-input-size", "4Gi", "just below 4Gi"),
            ("--max-input-size", "256MB", "k, M, G, Ki, Mi or Gi"),
        ] {
            let error = Both::try_parse_from(["x", flag, value]).expect_err(flag).to_string();
            assert!(error.contains(expected), "{flag} {value}: {error}");
        }
        let given = Both::parse_from(["x", "--max-depth", "255", "--max-input-size", "1Gi"]);
        let limits = given.load.limits();
        assert_eq!((limits.depth, limits.input_bytes), (255, 1 << 30));
    }
}
