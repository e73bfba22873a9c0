//! How much a load and a run may take: in one place, each with its default, its bounds and the
//! option that raises it.
//!
//! The defaults are far above what people have (a million pods by ranges pass), and stop what
//! would take the machine: files without end, alias bombs, ranges with a digit too many. Nothing
//! here depends on time or on the machine: the same input is refused everywhere.

/// See the module's page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of all inputs of a load together; a file that is named twice counts twice.
    pub input_bytes: u64,
    /// How many lists and mappings may stand in each other.
    pub depth: usize,
    /// How many values may be kept of all inputs of a load together: texts, numbers, lists and
    /// mappings. One costs 80 to 100 bytes, whatever it costs in the file.
    pub values: u64,
    /// How many values YAML aliases may make in one input.
    pub alias_values: usize,
    /// How many objects the ranges of a load may make; targets may name ten times as many.
    pub objects: u64,
    /// How many events a run may take. The loader does not look at it: who runs a plan does.
    pub events: u64,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            input_bytes: 256 << 20,
            depth: 128,
            values: 10_000_000,
            alias_values: 500_000,
            objects: 2_000_000,
            events: 1_000_000_000,
        }
    }
}

impl Limits {
    /// The option of [`Limits::input_bytes`].
    pub const INPUT_SIZE_FLAG: &str = "--max-input-size";
    /// The option of [`Limits::depth`].
    pub const DEPTH_FLAG: &str = "--max-depth";
    /// The option of [`Limits::values`].
    pub const VALUES_FLAG: &str = "--max-values";
    /// The option of [`Limits::alias_values`].
    pub const ALIAS_VALUES_FLAG: &str = "--max-alias-values";
    /// The option of [`Limits::objects`].
    pub const OBJECTS_FLAG: &str = "--max-objects";
    /// The option of [`Limits::events`].
    pub const EVENTS_FLAG: &str = "--max-events";

    /// The most that [`Limits::input_bytes`] can be: places are 32 bits.
    pub const INPUT_BYTES_MAX: u64 = u32::MAX as u64;
    /// The most that [`Limits::depth`] can be: the parsers count levels in 8 bits, and what walks
    /// a tree calls itself for each level.
    pub const DEPTH_MAX: usize = 255;
    /// The most that [`Limits::objects`] can be: ids are 32 bits.
    pub const OBJECTS_MAX: u64 = 1_000_000_000;

    /// The depth that holds, whatever was asked for.
    pub fn depth(&self) -> usize {
        self.depth.min(Self::DEPTH_MAX)
    }

    /// What to do about a limit that is reached.
    pub fn raise(&self, flag: &str) -> String {
        let is_highest = match flag {
            Self::INPUT_SIZE_FLAG => self.input_bytes >= Self::INPUT_BYTES_MAX,
            Self::DEPTH_FLAG => self.depth >= Self::DEPTH_MAX,
            Self::OBJECTS_FLAG => self.objects >= Self::OBJECTS_MAX,
            _ => false,
        };
        match flag {
            _ if is_highest => format!("{flag} is at its highest, and cannot be raised"),
            Self::INPUT_SIZE_FLAG if self.input_bytes < 1 << 30 => {
                format!("raise it with {flag} SIZE, such as {flag} 1Gi")
            }
            Self::INPUT_SIZE_FLAG => {
                format!("raise it with {flag} SIZE, up to {}", Self::INPUT_BYTES_MAX)
            }
            Self::DEPTH_FLAG => format!("raise it with {flag} N, up to {}", Self::DEPTH_MAX),
            _ => format!("raise it with {flag} N"),
        }
    }

    /// How many names the targets of a load may have in all. A name costs four bytes.
    pub fn target_names(&self) -> u64 {
        self.objects.saturating_mul(10)
    }
}

/// A count in words: `1 level`, `2 levels`.
pub fn counted(count: u64, what: &str) -> String {
    if count == 1 { format!("1 {what}") } else { format!("{count} {what}s") }
}

/// Reads a size as Kubernetes writes quantities: bytes, or with one of `k M G Ki Mi Gi`.
///
/// # Errors
/// What is wrong with it, in words.
pub fn parse_size(text: &str) -> Result<u64, String> {
    let digits = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let (number, suffix) = text.split_at(digits);
    let factor = match suffix {
        "" => 1,
        "k" => 1_000,
        "M" => 1_000_000,
        "G" => 1_000_000_000,
        "Ki" => 1 << 10,
        "Mi" => 1 << 20,
        "Gi" => 1 << 30,
        _ => return Err("a size is a number of bytes, or one with k, M, G, Ki, Mi or Gi".into()),
    };
    if number.is_empty() {
        return Err("a size begins with a number, as in 256Mi".into());
    }
    let size = number.parse::<u64>().ok().and_then(|number| number.checked_mul(factor));
    match size {
        Some(0) => Err("the least is 1".into()),
        Some(size) if size <= Limits::INPUT_BYTES_MAX => Ok(size),
        _ => Err("the most is 4294967295, which is just below 4Gi".into()),
    }
}

/// A size as [`parse_size`] reads it.
pub fn size(bytes: u64) -> String {
    let units = [(1u64 << 30, "Gi"), (1 << 20, "Mi"), (1 << 10, "Ki")];
    match units.iter().find(|(unit, _)| bytes > 0 && bytes.is_multiple_of(*unit)) {
        Some((unit, suffix)) => format!("{}{suffix}", bytes / unit),
        None => counted(bytes, "byte"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_written_as_quantities() {
        for (text, bytes) in [
            ("1", 1),
            ("4294967295", u64::from(u32::MAX)),
            ("3k", 3_000),
            ("2M", 2_000_000),
            ("1G", 1_000_000_000),
            ("5Ki", 5 << 10),
            ("256Mi", 256 << 20),
            ("3Gi", 3 << 30),
        ] {
            assert_eq!(parse_size(text), Ok(bytes), "{text}");
        }
        for (text, expected) in [
            ("", "begins with a number"),
            ("Mi", "begins with a number"),
            ("0", "the least is 1"),
            ("4Gi", "the most is 4294967295"),
            ("99999999999999999999", "the most is"),
            ("1K", "a number of bytes"),
            ("1MB", "a number of bytes"),
            ("-1", "a number of bytes"),
            ("1.5Gi", "a number of bytes"),
        ] {
            let error = parse_size(text).expect_err(text);
            assert!(error.contains(expected), "{text}: {error}");
        }
    }

    #[test]
    fn sizes_are_told_as_they_are_read() {
        for (bytes, expected) in
            [(256 << 20, "256Mi"), (1 << 30, "1Gi"), (1_000, "1000 bytes"), (1, "1 byte")]
        {
            assert_eq!(size(bytes), expected);
        }
    }

    #[test]
    fn what_is_the_most_cannot_be_raised() {
        let highest = Limits {
            input_bytes: Limits::INPUT_BYTES_MAX,
            depth: Limits::DEPTH_MAX,
            objects: Limits::OBJECTS_MAX,
            ..Limits::default()
        };
        for flag in [Limits::INPUT_SIZE_FLAG, Limits::DEPTH_FLAG, Limits::OBJECTS_FLAG] {
            assert!(Limits::default().raise(flag).contains(flag), "{flag}");
            assert!(highest.raise(flag).contains("cannot be raised"), "{flag}");
        }
        assert!(highest.raise(Limits::ALIAS_VALUES_FLAG).contains("raise it with"));
        let half = Limits { input_bytes: 2 << 30, ..highest };
        assert!(half.raise(Limits::INPUT_SIZE_FLAG).ends_with("up to 4294967295"));
    }
}
