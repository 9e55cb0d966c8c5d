//! The program that is measured.

use std::path::{Path, PathBuf};
use std::process::Command;

/// The folder of the whole project.
pub(crate) fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
}

/// `grundy` as users have it; it is built here, where it is older than its sources.
///
/// # Errors
/// It could not be built.
pub(crate) fn grundy() -> Result<PathBuf, String> {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["build", "--release", "--locked", "--package", "grundy", "--bin", "grundy"]).current_dir(root());
    let built = cargo.status().map_err(|error| format!("cargo: {error}"))?;
    // This program lies in `release/deps`.
    let own = std::env::current_exe().map_err(|error| error.to_string())?;
    let folder = own.ancestors().nth(2).filter(|_| built.success()).ok_or("the program could not be built")?;
    Ok(folder.join("grundy").with_extension(std::env::consts::EXE_EXTENSION))
}
