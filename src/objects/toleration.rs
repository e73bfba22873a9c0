//! Tolerations, and how `kubectl describe pod` writes them.

use std::fmt;

use super::taint::Effect;

/// How a toleration compares its value with a taint's. `Unset` means `Equal`, but is kept apart:
/// lists that differ in it are different lists to the taint manager's filter.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Operator {
    /// Absent or empty: works as `Equal`.
    Unset,
    /// The values are equal.
    Equal,
    /// Any value.
    Exists,
    /// The taint's number is greater (gate `TaintTolerationComparisonOperators`, alpha since 1.35).
    Gt,
    /// The taint's number is less (the same gate).
    Lt,
    /// Any other text; it tolerates nothing.
    Other(Box<str>),
}

impl Operator {
    /// Reads an operator; unknown text becomes [`Operator::Other`].
    pub fn parse(text: &str) -> Operator {
        match text {
            "" => Operator::Unset,
            "Equal" => Operator::Equal,
            "Exists" => Operator::Exists,
            "Gt" => Operator::Gt,
            "Lt" => Operator::Lt,
            other => Operator::Other(other.into()),
        }
    }

    /// The text of core/v1; empty for `Unset`.
    pub fn as_str(&self) -> &str {
        match self {
            Operator::Unset => "",
            Operator::Equal => "Equal",
            Operator::Exists => "Exists",
            Operator::Gt => "Gt",
            Operator::Lt => "Lt",
            Operator::Other(text) => text,
        }
    }
}

/// A pod's toleration.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Toleration {
    /// The taint's key; empty matches every key.
    pub key: Box<str>,
    /// How values compare.
    pub operator: Operator,
    /// The value to compare with.
    pub value: Box<str>,
    /// The taint's effect; `None` matches every effect.
    pub effect: Option<Effect>,
    /// For how many seconds a NoExecute taint is tolerated; `None` for ever, zero or less not at
    /// all.
    pub toleration_seconds: Option<i64>,
}

/// As `kubectl describe pod` prints it: `key=value:Effect op=Exists for 60s`.
impl fmt::Display for Toleration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.key)?;
        if !self.value.is_empty() {
            write!(f, "={}", self.value)?;
        }
        if let Some(effect) = &self.effect {
            write!(f, ":{}", effect.as_str())?;
        }
        // kubectl names the operator only where the rest does not tell it.
        if self.operator == Operator::Exists && self.value.is_empty() {
            if !self.key.is_empty() || self.effect.is_some() {
                f.write_str(" ")?;
            }
            f.write_str("op=Exists")?;
        } else if !matches!(self.operator, Operator::Unset | Operator::Equal) {
            write!(f, " op={}", self.operator.as_str())?;
        }
        if let Some(seconds) = self.toleration_seconds {
            write!(f, " for {seconds}s")?;
        }
        Ok(())
    }
}
