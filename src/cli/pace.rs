//! `--speed`: how fast a run goes by on the wall clock. It decides when lines are written, never
//! which.

use std::time::{Duration, Instant};

use crate::kernel::time::Time;

/// Virtual time for each second of the wall clock, in thousandths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Speed(u64);

impl Speed {
    /// Reads `60x` or `0.5x`: digits with at most three decimals, from 0.001x to 1000000x.
    pub(super) fn parse(text: &str) -> Result<Speed, String> {
        const MOST: u64 = 1_000_000_000;
        let refused =
            || "write 60x for a minute each second, or 1x, 0.5x, up to 1000000x".to_owned();
        let number = text.strip_suffix('x').ok_or_else(refused)?;
        let (whole, decimals) = number.split_once('.').unwrap_or((number, "0"));
        let is_digits = |text: &str, most| {
            (1..=most).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit())
        };
        if !is_digits(whole, 7) || !is_digits(decimals, 3) {
            return Err(refused());
        }
        match format!("{whole}{decimals:0<3}").parse() {
            Ok(thousandths @ 1..=MOST) => Ok(Speed(thousandths)),
            _ => Err(refused()),
        }
    }

    /// So long after the start of the run it is this time.
    fn wall(self, at: Time) -> Duration {
        let nanos = u128::from(at.0) * 1_000 / u128::from(self.0);
        Duration::from_nanos(u64::try_from(nanos).unwrap_or(u64::MAX))
    }
}

/// When lines are written.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pace {
    /// `None`: as soon as they are there.
    speed: Option<Speed>,
    started: Instant,
}

impl Pace {
    /// From now on.
    pub(super) fn start(speed: Option<Speed>) -> Pace {
        Pace { speed, started: Instant::now() }
    }

    /// Waits until the wall clock is where the run is.
    pub(super) fn wait_for(self, at: Time) {
        if let Some(speed) = self.speed {
            std::thread::sleep(speed.wall(at).saturating_sub(self.started.elapsed()));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn speeds_read_as_written() {
        let cases = [
            ("60x", 60_000),
            ("1x", 1_000),
            ("0.5x", 500),
            ("1.25x", 1_250),
            ("0.001x", 1),
            ("1000000x", 1_000_000_000),
            ("007x", 7_000),
        ];
        for (text, thousandths) in cases {
            assert_eq!(Speed::parse(text), Ok(Speed(thousandths)), "{text}");
        }
        let refused = [
            "",
            "x",
            "60",
            "0x",
            "0.000x",
            "-1x",
            "+1x",
            "1e9x",
            "1000000.001x",
            "9999999x",
            ".5x",
            "1.x",
            "1.2345x",
            "1.2.3x",
            "60X",
            "60 x",
            "infx",
            "NaNx",
            "99999999999999999999999x",
            "6\u{661}x",
        ];
        for text in refused {
            assert!(Speed::parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn the_wall_clock_follows_the_speed() {
        let minute = Time(60_000_000_000);
        let cases = [("60x", 1_000), ("1x", 60_000), ("0.5x", 120_000), ("1000000x", 0)];
        for (speed, millis) in cases {
            let wall = Speed::parse(speed).unwrap().wall(minute);
            assert_eq!(wall.as_millis(), millis, "{speed}");
        }
        let longest = Speed::parse("0.001x").unwrap().wall(Time::MAX);
        assert_eq!(longest, Duration::from_nanos(u64::MAX));
    }
}
