//! Arguments that several commands share, and how their values are written.

use crate::engines::Choice;
use crate::value::limits::Limits;
use clap::Args;
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// What a run may use and how it shows that it is alive.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct LimitArgs {
    /// Stop after this time: `10s`, `500ms`, `2m`, `1h`, or seconds (with --cases: for each case)
    #[arg(long, value_name = "TIME", value_parser = time, help_heading = "Limits")]
    pub(crate) time: Option<Duration>,
    /// Stop when the tables need more memory: `2G`, `500M` [default: three quarters of what is free]
    #[arg(long, value_name = "SIZE", value_parser = memory, help_heading = "Limits")]
    pub(crate) memory: Option<usize>,
    /// Stop after searching so many positions: `1000000`, `1_000_000`, `1e6`
    #[arg(long, value_name = "N", value_parser = count, help_heading = "Limits")]
    pub(crate) max_positions: Option<u64>,
    /// Use up to this many threads for a table of a million positions or more, two for a long sequence of heaps [default: one for each processor, at most 8]
    #[arg(long, value_name = "N", help_heading = "Limits")]
    pub(crate) threads: Option<NonZeroUsize>,
    /// Show progress on stderr even when it is no terminal
    #[arg(long, conflicts_with = "quiet")]
    pub(crate) progress: bool,
    /// Show no progress and no notes
    #[arg(long)]
    pub(crate) quiet: bool,
}

impl LimitArgs {
    /// The limits, with the clock not yet started.
    pub(crate) fn limits(&self, interrupted: Arc<AtomicBool>) -> Limits {
        let mut limits =
            Limits { positions: self.max_positions, threads: self.threads, interrupted, ..Limits::default() };
        if let Some(memory) = self.memory {
            limits.memory = memory;
        }
        limits
    }
}

/// How to solve.
#[derive(Args, Clone, Debug)]
pub(crate) struct ChoiceArgs {
    /// Ignore theorems: search
    #[arg(long)]
    pub(crate) exhaustive: bool,
    /// List at most this many winning (or drawing) moves; 0 lists none
    #[arg(long, value_name = "N", default_value = "60", value_parser = moves)]
    pub(crate) moves: usize,
}

impl ChoiceArgs {
    /// As the solver wants it.
    pub(crate) fn choice(&self) -> Choice {
        Choice { exhaustive: self.exhaustive, moves: self.moves, remoteness: true }
    }
}

/// A stretch of time: a number with `ms`, `s`, `m` or `h`; seconds when nothing stands behind it.
fn time(text: &str) -> Result<Duration, String> {
    let split = text.find(|c: char| c.is_ascii_alphabetic()).unwrap_or(text.len());
    let factor = match &text[split..] {
        "ms" => 0.001,
        "" | "s" => 1.0,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        _ => return Err("a time is written `10s`, `500ms`, `2m` or `1h`".into()),
    };
    let number: f64 = text[..split].trim().parse().map_err(|_| "a time is written `10s`, `500ms`, `2m` or `1h`")?;
    Duration::try_from_secs_f64(number * factor).map_err(|_| "this is no time that can be waited".into())
}

/// Bytes: a number with `K`, `M`, `G` or `T` (powers of 1024), perhaps with `B` or `iB` behind it.
fn memory(text: &str) -> Result<usize, String> {
    let wrong = || "a size is written `500M` or `2G`".to_string();
    let split = text.find(|c: char| c.is_ascii_alphabetic()).unwrap_or(text.len());
    let unit = text[split..].to_ascii_lowercase();
    let shift = match unit.trim_end_matches('b').trim_end_matches('i') {
        "" => 0,
        "k" => 10,
        "m" => 20,
        "g" => 30,
        "t" => 40,
        _ => return Err(wrong()),
    };
    let number: f64 = text[..split].trim().parse().map_err(|_| wrong())?;
    let bytes = whole((number * f64::powi(2.0, shift)).floor()).ok_or_else(wrong)?;
    usize::try_from(bytes).map_err(|_| wrong())
}

/// A count: `1000`, `1_000`, `1e6`, `2.5e6`.
pub(crate) fn count(text: &str) -> Result<u64, String> {
    let wrong = || "a count is written `1000000`, `1_000_000` or `1e6`".to_string();
    let plain: String = text.chars().filter(|c| *c != '_' && *c != ',').collect();
    if let Ok(number) = plain.parse() {
        return Ok(number);
    }
    plain.parse().ok().and_then(whole).ok_or_else(wrong)
}

/// A number without a fraction that fits.
fn whole(number: f64) -> Option<u64> {
    if number.fract() != 0.0 || !(0.0..1.8e19).contains(&number) {
        return None;
    }
    // All digits of such a number, none behind the point.
    format!("{number:.0}").parse().ok()
}

fn moves(text: &str) -> Result<usize, String> {
    count(text).and_then(|n| usize::try_from(n).map_err(|_| "this is too many".into()))
}

#[cfg(test)]
mod tests {
    use crate::cli::args::{count, memory, time};
    use std::time::Duration;

    #[test]
    fn times_have_units() {
        assert_eq!(time("10s"), Ok(Duration::from_secs(10)));
        assert_eq!(time("500ms"), Ok(Duration::from_millis(500)));
        assert_eq!(time("2m"), Ok(Duration::from_mins(2)));
        assert_eq!(time("0.5"), Ok(Duration::from_millis(500)));
        assert!(time("-1").is_err() && time("soon").is_err() && time("1d").is_err() && time("1e300s").is_err());
    }

    #[test]
    fn sizes_have_units() {
        assert_eq!(memory("2G"), Ok(2 << 30));
        assert_eq!(memory("500MiB"), Ok(500 << 20));
        assert_eq!(memory("4096"), Ok(4096));
        assert!(memory("much").is_err() && memory("-1G").is_err());
    }

    #[test]
    fn counts_may_be_grouped() {
        assert_eq!(count("1_000_000"), Ok(1_000_000));
        assert_eq!(count("1e6"), Ok(1_000_000));
        assert!(count("1.5").is_err() && count("-3").is_err() && count("x").is_err());
    }
}
