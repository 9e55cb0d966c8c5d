//! Files by name: only regular ones are read, and what is written stands there whole or not at all.

use crate::source::{Code, Diagnostic};
use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};

/// No file that is read as a whole is larger.
const LARGEST: u64 = 4 << 30;

/// Opens a regular file; `what` it is to be, for messages. Errors with this code: what is no file ("-" names stdin where a
/// command says so).
pub(crate) fn open(path: &Path, what: &str, code: Code) -> Result<File, Diagnostic> {
    let name = path.display();
    let unreadable = |error: io::Error| match error.kind() {
        ErrorKind::NotFound => Diagnostic::bare(code, format!("there is no {what} `{name}`")),
        _ => Diagnostic::bare(code, format!("{what} `{name}` cannot be read: {error}")),
    };
    // Asked first: to open a pipe is to wait for whoever writes.
    let kind = fs::metadata(path).map_err(unreadable)?;
    if kind.is_dir() {
        return Err(Diagnostic::bare(code, format!("`{name}` is a folder, not a {what}")));
    }
    let file = if kind.is_file() { Some(File::open(path).map_err(unreadable)?) } else { None };
    match file {
        Some(file) if file.metadata().is_ok_and(|data| data.is_file()) => Ok(file),
        _ => {
            let message = format!("`{name}` is a pipe or a device, not a {what}");
            Err(Diagnostic::bare(code, message).hint("what comes from another program is read from stdin, as `-`"))
        }
    }
}

/// The bytes of a regular file. Errors as [`open`], and for files of more than 4 GiB.
pub(crate) fn read(path: &Path, what: &str, code: Code) -> Result<Vec<u8>, Diagnostic> {
    let mut file = open(path, what, code)?;
    let unreadable = |error: &dyn std::fmt::Display| {
        Diagnostic::bare(code, format!("{what} `{}` cannot be read: {error}", path.display()))
    };
    let length = file.metadata().map_or(0, |data| data.len());
    if length > LARGEST {
        return Err(unreadable(&format!("it has {} MiB, and at most {} are read", length >> 20, LARGEST >> 20)));
    }
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes).map_err(|error| unreadable(&error))?;
    Ok(bytes)
}

/// D03 for a file that cannot be written.
pub(crate) fn unwritten(path: &Path, error: &dyn std::fmt::Display) -> Diagnostic {
    Diagnostic::bare(Code::D03, format!("`{}` cannot be written: {error}", path.display()))
}

/// Writes a file beside the one that is meant, and puts it in its place when all of it is on the disk: whatever happens, the
/// old one or the new one is there. What goes to a pipe or a device goes straight there. Errors: D03.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> Result<(), Diagnostic> {
    // A link goes on to lead to the file.
    let path = &fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
    let mut name = path.file_name().unwrap_or_default().to_os_string();
    name.push(format!(".{}.new", std::process::id()));
    let beside = path.with_file_name(name);
    let written = written(&beside, path, bytes);
    if written.is_err() {
        // If it is not there, so much the better.
        let _ = fs::remove_file(&beside);
    }
    written.map_err(|error| unwritten(path, &error))
}

fn written(beside: &PathBuf, path: &Path, bytes: &[u8]) -> io::Result<()> {
    let old = fs::metadata(path);
    if old.as_ref().is_ok_and(|old| !old.is_file()) {
        // A folder refuses; a pipe or a device has no place to keep.
        return fs::write(path, bytes);
    }
    if old.as_ref().is_ok_and(|old| old.permissions().readonly()) {
        return Err(ErrorKind::PermissionDenied.into());
    }
    // One that a killed run left behind goes.
    let mut file = OpenOptions::new().write(true).create(true).truncate(true).open(beside)?;
    file.write_all(bytes)?;
    if let Ok(old) = old {
        file.set_permissions(old.permissions())?;
    }
    file.sync_all()?;
    drop(file);
    fs::rename(beside, path)
}
