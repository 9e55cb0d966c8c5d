//! Tables that are kept in a directory: they may be larger than memory, outlive a run that is killed, and answer later questions.
//!
//! The directory holds [`NOTE`], which says from what its tables were made, and a folder for each table with a note of its
//! own and the files that the engine keeps there. A note is a line with its checksum and JSON behind it; it is written
//! beside, synced and renamed, so that the old one or the new one is there, whole, whatever happens. What a note does not
//! vouch for counts as not written. One run at a time uses a directory.
//!
//! In: a path, and what tables are made from. Out: folders and files, or an error that names what does not fit: another
//! game file, other inputs or data, another version, a file that is not what was written. Nothing is deleted but what is
//! begun anew.

pub mod mapped;

use crate::source::Code;
use crate::value::Fault;
use parking_lot::Mutex;
use serde_json::{Map, Value as Json};
use sha2::{Digest, Sha256};
use std::fmt;
use std::fmt::Write as _;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Says from what the tables of a directory are made, and how far a table is made.
const NOTE: &str = "note";

/// Held while a run uses the directory.
const LOCK: &str = "lock";

/// How often, and after how long, it is looked again whether another run is over.
const TRIES: u32 = 25;
const NAP: Duration = Duration::from_millis(20);

/// Changes whenever tables of an older form cannot be read any more.
const FORM: u32 = 4;

/// Files that the rules have read so far.
pub type DataRead = Box<dyn Fn() -> Vec<PathBuf> + Send + Sync>;

/// A directory of tables.
pub struct TablesDir {
    path: PathBuf,
    data: DataRead,
    _lock: File,
    used: AtomicBool,
    /// No new tables are begun.
    reads: bool,
    /// Why a position has no table here.
    refused: Mutex<Option<String>>,
}

/// What a table is of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Made {
    /// The game, for people: the folder begins with it.
    pub game: String,
    /// Rule parameters and forms of the fields: all that the rules depend on.
    pub rules: Json,
    /// What is worked out.
    pub kind: String,
    /// The box of states.
    pub space: Json,
    /// The state that it was made for.
    pub start: Vec<i64>,
}

/// The folder of one table.
#[derive(Clone, Debug)]
pub struct Folder {
    path: PathBuf,
    /// What the table is of, and the digests of the data that its rules had read.
    head: Map<String, Json>,
}

/// A digest of bytes, as 64 hexadecimal digits.
pub fn digest(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}"); // a String takes all
        text
    })
}

impl TablesDir {
    /// Opens a directory, or makes it. `game`: digest of the texts of the game file and those it uses; `inputs`: of the
    /// values of the inputs. Errors, D03: it is used by another run, holds other files, or tables of another version,
    /// game file or inputs; it cannot be read or written.
    /// `reads`: it must be there, and no new tables are begun.
    pub fn open(path: &Path, game: &str, inputs: &str, data: DataRead, reads: bool) -> Result<TablesDir, Fault> {
        let mut made = Map::new();
        made.insert("form".into(), FORM.into());
        made.insert("version".into(), env!("CARGO_PKG_VERSION").into());
        made.insert("game".into(), game.into());
        made.insert("inputs".into(), inputs.into());
        if !reads {
            fs::create_dir_all(path).map_err(|error| unusable(path, &error))?;
        }
        let known = read_note(&path.join(NOTE))?;
        if known.is_none() && reads {
            let message = format!("`{}` holds no tables", path.display());
            return Err(Fault::new(Code::D03, message).hint("`grundy solve FILE --tables DIR` makes them"));
        }
        if known.is_none() {
            let entries = fs::read_dir(path).map_err(|error| unusable(path, &error))?;
            for entry in entries {
                let name = entry.map_err(|error| unusable(path, &error))?.file_name();
                let name = name.to_string_lossy();
                if let Some((_, count)) = name.split_once("-of-") {
                    let message = format!("the tables in `{}` were made by {count} processes", path.display());
                    return Err(Fault::new(Code::D03, message).hint("as many read them: `--processes` or `--hosts`"));
                }
                if name != LOCK && name != beside(NOTE).as_str() {
                    let message = format!("`{}` holds other files, and no tables", path.display());
                    return Err(Fault::new(Code::D03, message).hint("tables want a directory of their own"));
                }
            }
        }
        let lock = OpenOptions::new().create(true).truncate(false).write(true).open(path.join(LOCK));
        let lock = lock.map_err(|error| unusable(path, &error))?;
        let mut locked = lock.try_lock();
        for _ in 0..TRIES {
            if !matches!(locked, Err(TryLockError::WouldBlock)) {
                break;
            }
            // A run that is about to end, or a process that is about to become another program.
            std::thread::sleep(NAP);
            locked = lock.try_lock();
        }
        match locked {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                let message = format!("the tables in `{}` are used by another run", path.display());
                return Err(Fault::new(Code::D03, message).hint("wait for it, or choose another directory"));
            }
            Err(TryLockError::Error(error)) => return Err(unusable(path, &error)),
        }
        match known {
            None => write_note(path, &Json::Object(made))?,
            Some(known) => {
                for (key, what) in [
                    ("form", "another version of the program"),
                    ("version", "another version of the program"),
                    ("game", "another game file, or the file was changed"),
                    ("inputs", "other values of the inputs"),
                ] {
                    if known.get(key) != made.get(key) {
                        return Err(other(path, what));
                    }
                }
            }
        }
        Ok(TablesDir {
            path: path.to_path_buf(),
            data,
            _lock: lock,
            used: AtomicBool::new(false),
            reads,
            refused: Mutex::default(),
        })
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Whether a table was made, gone on with or read here.
    pub fn is_used(&self) -> bool {
        self.used.load(Ordering::Relaxed)
    }

    /// Whether no new tables are begun.
    pub fn is_read_only(&self) -> bool {
        self.reads
    }

    /// Notes why a position has no table here; the first reason counts.
    pub fn refuse(&self, why: &dyn fmt::Display) {
        self.refused.lock().get_or_insert_with(|| why.to_string());
    }

    /// Why a position has no table here, if that was noted.
    pub fn refused(&self) -> Option<String> {
        self.refused.lock().clone()
    }

    /// The folder of a table, made if it is not there. Errors, D03: a table of another position is not finished; the rules
    /// read data that has changed; a damaged note.
    pub fn folder(&self, made: &Made) -> Result<Folder, Fault> {
        let mut head = made.head();
        let name = format!("{}-{}", made.prefix(), &digest(Json::Object(head.clone()).to_string().as_bytes())[..16]);
        for folder in self.folders("")? {
            if !folder.is_done()? && folder.head.get("start") != Some(&made.start.clone().into()) {
                let message = format!("`{}` holds an unfinished table of another position", self.path.display());
                let hint = "finish it by the command that began it, or choose another directory";
                return Err(Fault::new(Code::D03, message).hint(hint));
            }
        }
        self.used.store(true, Ordering::Relaxed);
        let path = self.path.join(name);
        fs::create_dir_all(&path).map_err(|error| unusable(&path, &error))?;
        let mut digests = Map::new();
        for path in (self.data)() {
            let bytes = fs::read(&path).unwrap_or_default();
            digests.insert(path.display().to_string(), digest(&bytes).into());
        }
        head.insert("start".into(), made.start.clone().into());
        head.insert("data".into(), digests.into());
        Ok(Folder { path, head })
    }

    /// The folders of finished tables of these rules and this kind, each with what its note says of its box and of itself.
    /// Errors as [`TablesDir::folder`].
    pub fn finished(&self, made: &Made) -> Result<Vec<(Folder, Json, Json)>, Fault> {
        let mut found = Vec::new();
        for folder in self.folders(&made.prefix())? {
            let of_this = |key: &str, value: &Json| folder.head.get(key) == Some(value);
            if of_this("rules", &made.rules)
                && of_this("kind", &made.kind.clone().into())
                && let Some(note) = folder.read_note()?
                && note.get("done") == Some(&Json::Bool(true))
            {
                self.used.store(true, Ordering::Relaxed);
                let space = folder.head.get("space").cloned().unwrap_or_default();
                found.push((folder, space, note));
            }
        }
        Ok(found)
    }

    /// All folders with a note whose names begin so, checked against the data that their rules had read.
    fn folders(&self, prefix: &str) -> Result<Vec<Folder>, Fault> {
        let mut found = Vec::new();
        for entry in fs::read_dir(&self.path).map_err(|error| unusable(&self.path, &error))? {
            let path = entry.map_err(|error| unusable(&self.path, &error))?.path();
            let named = path.file_name().and_then(|name| name.to_str()).is_some_and(|name| name.starts_with(prefix));
            let note = if named && path.is_dir() { read_note(&path.join(NOTE))? } else { None };
            let Some(Json::Object(mut note)) = note else { continue };
            let Some(Json::Object(head)) = note.remove("made") else { return Err(damaged(&path.join(NOTE))) };
            for (file, known) in head.get("data").and_then(Json::as_object).into_iter().flatten() {
                if *known != digest(&fs::read(file).unwrap_or_default()) {
                    return Err(other(&self.path, &format!("other data: `{file}` was changed")));
                }
            }
            found.push(Folder { path, head });
        }
        found.sort_by(|a, b| a.path.cmp(&b.path));
        Ok(found)
    }
}

impl Made {
    /// Names of folders begin so.
    fn prefix(&self) -> String {
        let plain: String = self.game.chars().filter(char::is_ascii_alphanumeric).collect();
        format!("{plain}-{}", self.kind)
    }

    fn head(&self) -> Map<String, Json> {
        let mut head = Map::new();
        head.insert("game".into(), self.game.clone().into());
        head.insert("rules".into(), self.rules.clone());
        head.insert("kind".into(), self.kind.clone().into());
        head.insert("space".into(), self.space.clone());
        head
    }
}

impl Folder {
    /// A folder that belongs to no directory of tables: for tests.
    pub fn bare(path: &Path) -> Result<Folder, Fault> {
        fs::create_dir_all(path).map_err(|error| unusable(path, &error))?;
        Ok(Folder { path: path.to_path_buf(), head: Map::new() })
    }

    /// The path of a file in it.
    pub fn path(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// A file to read and write, made if it is not there.
    pub fn open(&self, name: &str) -> Result<File, Fault> {
        let file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(self.path(name));
        file.map_err(|error| self.failed(name, &error))
    }

    /// Deletes a file, if it is there.
    pub fn remove(&self, name: &str) -> Result<(), Fault> {
        match fs::remove_file(self.path(name)) {
            Err(error) if error.kind() != ErrorKind::NotFound => Err(self.failed(name, &error)),
            _ => Ok(()),
        }
    }

    /// L02 where the disk has no room for so many bytes, if the system tells.
    pub fn check_room(&self, bytes: u64) -> Result<(), Fault> {
        let Some(free) = free(&self.path).filter(|&free| free < bytes) else { return Ok(()) };
        let (mib, has) = (bytes >> 20, free >> 20);
        let message = format!("a table wants {mib} MiB in `{}`, where {has} are free", self.path.display());
        Err(Fault::new(Code::L02, message).hint("choose a directory on a larger disk"))
    }

    /// Deletes the folder.
    pub fn discard(&self) -> Result<(), Fault> {
        fs::remove_dir_all(&self.path).map_err(|error| unusable(&self.path, &error))
    }

    /// What the engine noted last; `"done": true` in it says that the table is whole. Error: D03, a damaged note.
    pub fn read_note(&self) -> Result<Option<Json>, Fault> {
        let note = read_note(&self.path(NOTE))?;
        Ok(note.and_then(|mut note| note.get_mut("state").map(Json::take)))
    }

    /// Whether the table is whole. Error: D03, a damaged note.
    pub fn is_done(&self) -> Result<bool, Fault> {
        Ok(self.read_note()?.is_some_and(|note| note.get("done") == Some(&Json::Bool(true))))
    }

    /// Puts a note in place of the last one: all of it, on the disk.
    pub fn write_note(&self, state: &Json) -> Result<(), Fault> {
        let mut note = Map::new();
        note.insert("made".into(), Json::Object(self.head.clone()));
        note.insert("state".into(), state.clone());
        write_note(&self.path, &Json::Object(note))
    }

    /// A file that cannot be read or written. No room on the disk is a limit: L02.
    pub fn failed(&self, name: &str, error: &io::Error) -> Fault {
        unusable(&self.path(name), error)
    }

    /// A file that is not what was written.
    pub fn damaged(&self, name: &str) -> Fault {
        damaged(&self.path(name))
    }
}

/// Bytes that are free on the disk of a path, where the system tells.
fn free(path: &Path) -> Option<u64> {
    #[cfg(unix)]
    {
        use std::os::unix::ffi::OsStrExt;
        let path = std::ffi::CString::new(path.as_os_str().as_bytes()).ok()?;
        // SAFETY: numbers of any value, zeros too.
        #[allow(unsafe_code)]
        let mut told: libc::statvfs = unsafe { std::mem::zeroed() };
        // SAFETY: a text that ends, and a place for the answer.
        #[allow(unsafe_code)]
        let code = unsafe { libc::statvfs(path.as_ptr(), &raw mut told) };
        (code == 0).then(|| told.f_bavail.saturating_mul(told.f_frsize))
    }
    #[cfg(not(unix))]
    {
        let _ = path;
        None
    }
}

fn unusable(path: &Path, error: &io::Error) -> Fault {
    match error.kind() {
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded | ErrorKind::FileTooLarge => {
            let message = format!("there is no room on the disk for `{}`", path.display());
            Fault::new(Code::L02, message).hint("make room, and begin again by the same command: it goes on from there")
        }
        _ => Fault::new(Code::D03, format!("`{}` cannot be used for tables: {error}", path.display())),
    }
}

fn damaged(path: &Path) -> Fault {
    let message = format!("`{}` is damaged: it is not what was written", path.display());
    Fault::new(Code::D03, message).hint("remove the directory of tables to begin anew")
}

fn other(path: &Path, what: &str) -> Fault {
    let message = format!("the tables in `{}` were made from {what}", path.display());
    Fault::new(Code::D03, message).hint("choose another directory, or remove this one to begin anew")
}

fn beside(name: &str) -> String {
    format!("{name}.new")
}

/// A note; `None`: there is none. Error: D03.
fn read_note(path: &Path) -> Result<Option<Json>, Fault> {
    let text = match fs::read(path) {
        Ok(text) => text,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(unusable(path, &error)),
    };
    let (sum, rest) = text.split_at_checked(9).ok_or_else(|| damaged(path))?;
    if sum != format!("{:08x}\n", crc32fast::hash(rest)).as_bytes() {
        return Err(damaged(path));
    }
    serde_json::from_slice(rest).map(Some).map_err(|_| damaged(path))
}

/// What the tables of a directory have noted last, in the order of their names; those that cannot be read are left out.
pub fn notes(dir: &Path) -> Vec<Json> {
    let entries = fs::read_dir(dir).into_iter().flatten().filter_map(|entry| Some(entry.ok()?.path()));
    let mut folders: Vec<PathBuf> = entries.filter(|path| path.is_dir()).collect();
    folders.sort();
    let state = |path: &PathBuf| read_note(&path.join(NOTE)).ok().flatten()?.get_mut("state").map(Json::take);
    folders.iter().filter_map(state).collect()
}

/// Writes the note of a folder beside the last one, and puts it in its place when it is on the disk.
fn write_note(folder: &Path, note: &Json) -> Result<(), Fault> {
    let (path, new) = (folder.join(NOTE), folder.join(beside(NOTE)));
    let rest = note.to_string();
    let text = format!("{:08x}\n{rest}", crc32fast::hash(rest.as_bytes()));
    let written = || -> io::Result<()> {
        let mut file = File::create(&new)?;
        file.write_all(text.as_bytes())?;
        file.sync_all()?;
        fs::rename(&new, &path)?;
        // The new name is on the disk when the folder is.
        File::open(folder)?.sync_all()
    };
    written().map_err(|error| unusable(&path, &error))
}
