//! The `grundy` binary.

fn main() {}
