//! The `grundy` binary.

use std::process::ExitCode;

#[global_allocator]
static ALLOCATOR: grundy::value::memory::Counting = grundy::value::memory::Counting;

fn main() -> ExitCode {
    grundy::cli::main()
}
