//! Embeds the library: every `games/**/*.game` with its text.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs, io};

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed=games");
    println!("cargo::rerun-if-env-changed=RUSTC_LINKER");
    let out = PathBuf::from(env::var("OUT_DIR").map_err(io::Error::other)?);
    start_sooner(&out)?;
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
    fs::write(out.join("library.rs"), code)
}

/// A short run is little more than its start. A program at a fixed address, with the libraries of the C compiler in it, starts
/// half a millisecond sooner: nothing has to be found, loaded and put in place first. Where the compiler has no such
/// libraries, or for another machine than this, the program is linked as usual.
fn start_sooner(out: &Path) -> io::Result<()> {
    let is = |key: &str, wanted| env::var(format!("CARGO_CFG_TARGET_{key}")).as_deref() == Ok(wanted);
    if !is("OS", "linux") || !is("ENV", "gnu") || env::var("TARGET") != env::var("HOST") {
        return Ok(());
    }
    println!("cargo::rustc-link-arg-bins=-no-pie");
    let names = ["c", "m", "rt", "util", "pthread", "dl", "gcc", "gcc_eh"];
    let Some(found) = names.iter().map(|name| archive(name)).collect::<Option<Vec<_>>>() else { return Ok(()) };
    // The compiler of Rust asks for shared libraries by name. These scripts of the linker stand in for them, for programs
    // only: each names all archives, whose functions call each other.
    let folder = out.join("archives");
    fs::create_dir_all(&folder)?;
    let script = format!("GROUP(\"{}\")", found.join("\" \""));
    for name in names.iter().chain(&["gcc_s"]) {
        fs::write(folder.join(format!("lib{name}.so")), &script)?;
    }
    println!("cargo::rustc-link-arg-bins=-static");
    println!("cargo::rustc-link-arg-bins=-L{}", folder.display());
    Ok(())
}

/// Where the C compiler keeps a static library.
fn archive(name: &str) -> Option<String> {
    let compiler = env::var("RUSTC_LINKER").unwrap_or_else(|_| "cc".into());
    let asked = Command::new(compiler).arg(format!("-print-file-name=lib{name}.a")).output().ok()?;
    let path = String::from_utf8(asked.stdout).ok()?.trim().to_string();
    // Only the name comes back when there is none.
    Path::new(&path).is_absolute().then_some(path)
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
