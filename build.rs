//! Embeds the library: every `games/**/*.game` with its text.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs, io};

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed=games");
    start_sooner();
    let root = PathBuf::from(env::var("CARGO_MANIFEST_DIR").map_err(io::Error::other)?).join("games");
    let mut files = Vec::new();
    if root.is_dir() {
        collect(&root, &mut files)?;
    }
    files.sort();
    let mut code = String::from("&[\n");
    for file in &files {
        let name = file.strip_prefix(&root).map_err(io::Error::other)?.with_extension("");
        let name = name.to_string_lossy().replace('\\', "/");
        writeln!(code, "    ({name:?}, include_str!({:?})),", file.to_string_lossy()).map_err(io::Error::other)?;
    }
    code.push_str("]\n");
    let out = PathBuf::from(env::var("OUT_DIR").map_err(io::Error::other)?).join("library.rs");
    fs::write(out, code)
}

/// A short run is little more than its start. A program at a fixed address starts a fifth of a millisecond sooner: thousands of
/// addresses need not be worked out first. A tenth comes from unwinding by the static library of the C compiler, where it has
/// one: a library less to be found and loaded.
fn start_sooner() {
    let is = |key: &str, wanted| env::var(format!("CARGO_CFG_TARGET_{key}")).as_deref() == Ok(wanted);
    if !is("OS", "linux") || !is("ENV", "gnu") || env::var("TARGET") != env::var("HOST") {
        return;
    }
    println!("cargo::rustc-link-arg-bins=-no-pie");
    println!("cargo::rerun-if-env-changed=RUSTC_LINKER");
    let compiler = env::var("RUSTC_LINKER").unwrap_or_else(|_| "cc".into());
    let asked = Command::new(compiler).arg("-print-file-name=libgcc_eh.a").output();
    let path = asked.ok().and_then(|answer| String::from_utf8(answer.stdout).ok());
    // Only the name comes back when there is none.
    if let Some(folder) = path.as_deref().map(|path| Path::new(path.trim())).and_then(Path::parent)
        && folder.is_absolute()
    {
        println!("cargo::rustc-link-search=native={}", folder.display());
        println!("cargo::rustc-link-lib=static:-bundle=gcc_eh");
    }
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, files)?;
        } else if path.extension().is_some_and(|extension| extension == "game") {
            files.push(path);
        }
    }
    Ok(())
}
