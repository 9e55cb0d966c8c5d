//! The `grundy` binary.

use std::process::ExitCode;

#[global_allocator]
static ALLOCATOR: grundy::value::memory::Watching = grundy::value::memory::Watching;

fn main() -> ExitCode {
    grundy::cli::main()
}
