//! Answers to text, JSON and CSV; nothing is solved here.

pub mod verdict;
