//! Rivals, compiled where they are older than their source.

use crate::cases::Rival;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Once;

/// The flags of every rival.
const FLAGS: [&str; 3] = ["-std=c++17", "-O2", "-march=native"];

/// The one more for those that read by streams, and the header that they then do without.
const STREAM: (&str, &str) = ("-DSTREAM", "text_scan.hpp");
/// The header of those alone.
const STREAM_HEADER: &str = "text_stream.hpp";

/// The path of the compiled program; `None`, said loudly once, where there is no g++.
pub(crate) fn rival(rival: &Rival) -> Result<Option<String>, String> {
    static SAID: Once = Once::new();
    let name = rival.source;
    let version = Command::new("g++").arg("--version").output();
    let Ok(version) = version else {
        SAID.call_once(|| eprintln!("NO g++ HERE: THE RIVALS ARE SKIPPED, AND NOTHING IS COMPARED"));
        return Ok(None);
    };
    let more = rival.streams.then_some(STREAM.0);
    let program = crate::data::work().join(if rival.streams { format!("{name}_stream") } else { name.to_string() });
    if !is_fresh(&program, name) {
        let text = String::from_utf8_lossy(&version.stdout);
        SAID.call_once(|| eprintln!("{}; {}", text.lines().next().unwrap_or("g++"), FLAGS.join(" ")));
        let status = Command::new("g++").args(FLAGS).args(more).arg("-o").arg(&program).arg(source(name)).status();
        if !status.is_ok_and(|status| status.success()) {
            return Err(format!("g++ does not compile {name}.cpp"));
        }
    }
    Ok(Some(program.to_string_lossy().into_owned()))
}

/// Lines of code of a rival with the headers beside it, without comments and empty lines.
pub(crate) fn lines(rival: &Rival) -> usize {
    let main = source(rival.source);
    let other = if rival.streams { STREAM.1 } else { STREAM_HEADER };
    let headers = headers(&main).into_iter().filter(|header| !header.ends_with(other));
    std::iter::once(main).chain(headers).map(|file| code_lines(&file, "//")).sum()
}

/// Lines of a file that are neither empty nor a comment.
pub(crate) fn code_lines(file: &Path, comment: &str) -> usize {
    let text = fs::read_to_string(file).unwrap_or_default();
    text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with(comment)).count()
}

fn source(name: &str) -> PathBuf {
    crate::here().join("rivals").join(name).with_extension("cpp")
}

/// The headers of this folder that a source includes, and those that these include.
fn headers(source: &Path) -> Vec<PathBuf> {
    let text = fs::read_to_string(source).unwrap_or_default();
    let names = text.lines().filter_map(|line| line.strip_prefix("#include \"")?.strip_suffix('"'));
    let direct = names.map(|name| crate::here().join("rivals").join(name));
    direct.flat_map(|header| std::iter::once(header.clone()).chain(headers(&header))).collect()
}

fn is_fresh(program: &Path, name: &str) -> bool {
    let changed = |file: &Path| fs::metadata(file).and_then(|data| data.modified()).ok();
    let Some(built) = changed(program) else { return false };
    let main = source(name);
    let headers = headers(&main);
    std::iter::once(main).chain(headers).all(|file| changed(&file).is_some_and(|time| time < built))
}
