//! Answers to text, JSON, CSV and SVG; nothing is solved here.
//!
//! In: answers, findings, tables. Out: text. Neither files nor the terminal are known here.

pub mod guess;
pub mod heap;
pub mod json;
pub mod misere;
pub mod page;
pub mod paint;
pub mod picture;
pub mod rules;
pub mod table;
pub mod text;
pub mod verdict;

/// A number with commas between groups of three digits.
pub fn grouped(n: u64) -> String {
    let digits = n.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// `1 move`, `2 moves`.
pub fn counted(n: u64, what: &str) -> String {
    format!("{} {what}{}", grouped(n), if n == 1 { "" } else { "s" })
}

/// A stretch of time for people: `0.8 ms`, `1.25 s`, `3 min 20 s`.
pub fn duration(time: std::time::Duration) -> String {
    let seconds = time.as_secs_f64();
    if seconds < 1.0 {
        format!("{:.1} ms", seconds * 1e3)
    } else if seconds < 60.0 {
        format!("{seconds:.2} s")
    } else {
        format!("{} min {} s", time.as_secs() / 60, time.as_secs() % 60)
    }
}
