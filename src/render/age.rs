//! How kubectl writes an age.

use crate::kernel::time::{NANOS_PER_SECOND, Span};

/// As in kubectl's column AGE: at most two units, and the smaller one only while it matters.
///
/// k8s v1.36 k8s.io/apimachinery pkg/util/duration `HumanDuration`. A year has 365 days.
pub(super) fn age(span: Span) -> String {
    let seconds = span.0 / NANOS_PER_SECOND;
    let (minutes, hours) = (seconds / 60, seconds / 3_600);
    let (days, years) = (hours / 24, hours / 24 / 365);
    match () {
        () if seconds < 120 => format!("{seconds}s"),
        () if minutes < 10 => two((minutes, "m"), (seconds % 60, "s")),
        () if minutes < 180 => format!("{minutes}m"),
        () if hours < 8 => two((hours, "h"), (minutes % 60, "m")),
        () if hours < 48 => format!("{hours}h"),
        () if days < 8 => two((days, "d"), (hours % 24, "h")),
        () if years < 2 => format!("{days}d"),
        () if years < 8 => two((years, "y"), (days % 365, "d")),
        () => format!("{years}y"),
    }
}

fn two((large, unit): (u64, &str), (small, subunit): (u64, &str)) -> String {
    match small {
        0 => format!("{large}{unit}"),
        _ => format!("{large}{unit}{small}{subunit}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ages_are_as_kubectl_prints_them() {
        let cases = [
            ("0s", "0s"),
            ("999ms", "0s"),
            ("1s", "1s"),
            ("70s", "70s"),
            ("119.999s", "119s"),
            ("2m", "2m"),
            ("2m10s", "2m10s"),
            ("5m", "5m"),
            ("9m59s", "9m59s"),
            ("10m", "10m"),
            ("10m59s", "10m"),
            ("179m59s", "179m"),
            ("3h", "3h"),
            ("3h2m", "3h2m"),
            ("7h59m", "7h59m"),
            ("8h", "8h"),
            ("8h59m", "8h"),
            ("47h59m", "47h"),
            ("48h", "2d"),
            ("49h", "2d1h"),
            ("191h", "7d23h"),
            ("192h", "8d"),
            ("17519h", "729d"),
            ("17520h", "2y"),
            ("17543h", "2y"),
            ("17544h", "2y1d"),
            ("70079h", "7y364d"),
            ("70080h", "8y"),
            ("5124095h", "584y"),
        ];
        for (span, expected) in cases {
            assert_eq!(age(Span::parse(span).unwrap()), expected, "{span}");
        }
    }
}
