//! Virtual time: unsigned nanoseconds since the start of the run, and spans of it, in Go's
//! duration notation.
//!
//! Promises: integer arithmetic only, no wall clock, and `parse(format(x)) == x` for every value.

use std::fmt;

/// Nanoseconds in one millisecond.
pub const NANOS_PER_MILLI: u64 = 1_000_000;
/// Nanoseconds in one second.
pub const NANOS_PER_SECOND: u64 = 1_000_000_000;

/// A point of virtual time, in nanoseconds since the start of the run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Time(pub u64);

/// A length of virtual time, in nanoseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span(pub u64);

/// Why a text is not a duration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DurationError {
    /// Nothing to read.
    Empty,
    /// A number without a unit, such as `10`; Go wants `10s`.
    MissingUnit,
    /// A unit that Go does not know.
    UnknownUnit,
    /// Not a number where one has to stand.
    NotANumber,
    /// A sign; virtual time does not run backwards.
    Negative,
    /// More than 2^64-1 nanoseconds (about 584 years).
    TooLarge,
    /// A fraction finer than a nanosecond.
    TooFine,
}

impl fmt::Display for DurationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            DurationError::Empty => "a duration is missing",
            DurationError::MissingUnit => "a number without a unit",
            DurationError::UnknownUnit => "an unknown unit; units are ns, us, ms, s, m, h",
            DurationError::NotANumber => "not a duration",
            DurationError::Negative => "a negative duration",
            DurationError::TooLarge => "a duration of more than 584 years",
            DurationError::TooFine => "a fraction of a nanosecond",
        })
    }
}

impl Time {
    /// The start of the run.
    pub const ZERO: Time = Time(0);
    /// The last representable instant.
    pub const MAX: Time = Time(u64::MAX);

    /// `self + span`, or [`Time::MAX`] where that is past the end of time.
    pub fn saturating_add(self, span: Span) -> Time {
        Time(self.0.saturating_add(span.0))
    }

    /// The span from `earlier` to `self`; zero where `earlier` is later.
    pub fn since(self, earlier: Time) -> Span {
        Span(self.0.saturating_sub(earlier.0))
    }

    /// Whole milliseconds, rounded down: the grain in which times are compared.
    pub fn millis(self) -> u64 {
        self.0 / NANOS_PER_MILLI
    }
}

/// A span that is drawn: whole nanoseconds, both ends included.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SpanRange {
    /// The least.
    pub low: Span,
    /// The greatest; not below `low`.
    pub high: Span,
}

impl SpanRange {
    /// Whether it is always zero.
    pub fn is_zero(self) -> bool {
        self.high == Span::ZERO
    }
}

impl From<Span> for SpanRange {
    fn from(span: Span) -> Self {
        SpanRange { low: span, high: span }
    }
}

impl Span {
    /// No time at all.
    pub const ZERO: Span = Span(0);

    /// `n` milliseconds.
    pub const fn from_millis(n: u64) -> Span {
        Span(n * NANOS_PER_MILLI)
    }

    /// `n` seconds.
    pub const fn from_secs(n: u64) -> Span {
        Span(n * NANOS_PER_SECOND)
    }

    /// Whole milliseconds, rounded down.
    pub fn millis(self) -> u64 {
        self.0 / NANOS_PER_MILLI
    }

    /// Reads a Go duration: `1h2m3.5s`, `300ms`, `1us`; `0` needs no unit.
    ///
    /// # Errors
    /// What is wrong with the text; see [`DurationError`].
    pub fn parse(text: &str) -> Result<Span, DurationError> {
        if text.is_empty() {
            return Err(DurationError::Empty);
        }
        if text == "0" {
            return Ok(Span::ZERO);
        }
        if text.starts_with('-') {
            return Err(DurationError::Negative);
        }
        let mut rest = text.strip_prefix('+').unwrap_or(text);
        if rest.is_empty() {
            return Err(DurationError::NotANumber);
        }
        let mut total: u128 = 0;
        while !rest.is_empty() {
            let (nanos, after) = parse_component(rest)?;
            total += nanos;
            rest = after;
        }
        u64::try_from(total).map(Span).map_err(|_| DurationError::TooLarge)
    }
}

/// Reads one `number unit` pair; gives its nanoseconds and what follows it.
fn parse_component(text: &str) -> Result<(u128, &str), DurationError> {
    let number_end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (number, rest) = text.split_at(number_end);
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    if fraction.contains('.') || (whole.is_empty() && fraction.is_empty()) {
        return Err(DurationError::NotANumber);
    }
    let unit_end = rest.find(|c: char| c.is_ascii_digit() || c == '.').unwrap_or(rest.len());
    let (unit, rest) = rest.split_at(unit_end);
    let nanos_per_unit: u128 = match unit {
        "ns" => 1,
        "us" | "µs" | "μs" => 1_000,
        "ms" => 1_000_000,
        "s" => 1_000_000_000,
        "m" => 60_000_000_000,
        "h" => 3_600_000_000_000,
        "" => return Err(DurationError::MissingUnit),
        _ => return Err(DurationError::UnknownUnit),
    };
    // 20 digits hold every u64; more cannot be in range, and a cap keeps u128 from overflowing.
    let significant = whole.trim_start_matches('0');
    if significant.len() > 20 {
        return Err(DurationError::TooLarge);
    }
    let whole: u128 = if significant.is_empty() {
        0
    } else {
        significant.parse().map_err(|_| DurationError::NotANumber)?
    };
    let mut nanos = whole * nanos_per_unit;
    let fraction = fraction.trim_end_matches('0');
    if fraction.len() > 13 {
        return Err(DurationError::TooFine);
    }
    if !fraction.is_empty() {
        let digits: u128 = fraction.parse().map_err(|_| DurationError::NotANumber)?;
        let scale = 10u128.pow(u32::try_from(fraction.len()).unwrap_or(u32::MAX));
        if !(digits * nanos_per_unit).is_multiple_of(scale) {
            return Err(DurationError::TooFine);
        }
        nanos += digits * nanos_per_unit / scale;
    }
    Ok((nanos, rest))
}

/// Writes as Go's `time.Duration.String` does: `1h0m0s`, `1m10s`, `1.5ms`, `0s`.
impl fmt::Display for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let nanos = self.0;
        if nanos == 0 {
            return f.pad("0s");
        }
        let text = if nanos < 1_000 {
            format!("{nanos}ns")
        } else if nanos < 1_000_000 {
            format!("{}µs", decimal(nanos, 1_000))
        } else if nanos < NANOS_PER_SECOND {
            format!("{}ms", decimal(nanos, 1_000_000))
        } else {
            let seconds = nanos / NANOS_PER_SECOND;
            let (hours, minutes) = (seconds / 3_600, seconds / 60 % 60);
            let last = decimal(nanos % (60 * NANOS_PER_SECOND), NANOS_PER_SECOND);
            if hours > 0 {
                format!("{hours}h{minutes}m{last}s")
            } else if minutes > 0 {
                format!("{minutes}m{last}s")
            } else {
                format!("{last}s")
            }
        };
        f.pad(&text)
    }
}

/// `value / unit` with as many decimals as it needs.
fn decimal(value: u64, unit: u64) -> String {
    let (whole, rest) = (value / unit, value % unit);
    if rest == 0 {
        return whole.to_string();
    }
    let width = unit.ilog10() as usize;
    let digits = format!("{rest:0width$}");
    format!("{whole}.{}", digits.trim_end_matches('0'))
}

impl fmt::Display for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Span(self.0).fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_what_go_parses() {
        let cases = [
            ("0", 0),
            ("0s", 0),
            ("10s", 10 * NANOS_PER_SECOND),
            ("1h2m3.5s", 3_723_500_000_000),
            ("300ms", 300_000_000),
            ("1.5us", 1_500),
            (".5s", 500_000_000),
            ("1.s", NANOS_PER_SECOND),
            ("+5s", 5 * NANOS_PER_SECOND),
            ("1.000000000000s", NANOS_PER_SECOND),
            ("18446744073709551615ns", u64::MAX),
        ];
        for (text, nanos) in cases {
            assert_eq!(Span::parse(text), Ok(Span(nanos)), "{text}");
        }
    }

    #[test]
    fn refuses_with_the_reason() {
        let cases = [
            ("", DurationError::Empty),
            ("10", DurationError::MissingUnit),
            ("10sec", DurationError::UnknownUnit),
            ("10S", DurationError::UnknownUnit),
            ("-5s", DurationError::Negative),
            ("s", DurationError::NotANumber),
            ("soon", DurationError::NotANumber),
            ("1.2.3s", DurationError::NotANumber),
            ("18446744073709551616ns", DurationError::TooLarge),
            ("99999999999999999999999999h", DurationError::TooLarge),
            ("0.5ns", DurationError::TooFine),
        ];
        for (text, error) in cases {
            assert_eq!(Span::parse(text), Err(error), "{text}");
        }
    }

    #[test]
    fn formats_as_go_does() {
        let cases = [
            (0, "0s"),
            (1, "1ns"),
            (1_500, "1.5µs"),
            (10_000_000, "10ms"),
            (70 * NANOS_PER_SECOND, "1m10s"),
            (3_600 * NANOS_PER_SECOND, "1h0m0s"),
            (16_100_000_000, "16.1s"),
            (61_000_000_001, "1m1.000000001s"),
        ];
        for (nanos, text) in cases {
            assert_eq!(Span(nanos).to_string(), text);
            assert_eq!(Span::parse(text), Ok(Span(nanos)), "round trip of {text}");
        }
    }
}
