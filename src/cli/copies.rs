//! Several processes that answer one question: the program starts copies of itself, on this machine alone or one on each of
//! several, and starts them again when one of them is gone.
//!
//! A copy has the arguments of the command. It is told by its stdin which of the hosts it is and where the others are, and ends
//! when that is closed: then whoever started it is gone. The copies connect and work (`processes`); the first one writes the answer.
//! When a process is gone its peers end with a code that says which; then all are started again, and go on from the last
//! checkpoint that all have.

use crate::cli::args::LimitArgs;
use crate::cli::workspace::{ANSWERED, LIMIT, Stop, Workspace};
use crate::disk::{self, DataRead};
use crate::processes::Crew;
use crate::processes::join;
use crate::processes::mesh::Mesh;
use crate::source::{Code, Diagnostic};
use crate::value::Fault;
use crate::value::limits::Limits;
use serde::{Deserialize, Serialize};
use std::io::{self, Read, Write};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// Where several processes are wanted.
#[derive(clap::Args, Debug)]
pub(crate) struct CopyArgs {
    /// Let so many processes of this machine work on the table together, each with `--memory` of its own
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(2..=join::MOST as u64), conflicts_with_all = ["cases", "outcome", "hosts"], help_heading = "Several processes")]
    processes: Option<u64>,
    /// Work on the table together with other machines: a file with an address `HOST:PORT` in each line, the same on all. Nothing is encrypted or authenticated
    #[arg(long, value_name = "FILE", requires = "host", conflicts_with_all = ["cases", "outcome"], help_heading = "Several processes")]
    hosts: Option<PathBuf>,
    /// Which of the hosts this one is, from 0 on; host 0 answers
    #[arg(long, value_name = "I", requires = "hosts", help_heading = "Several processes")]
    host: Option<usize>,
}

/// Set for a copy.
const COPY: &str = "GRUNDY_COPY";

/// A copy ends with this code and the number of the process that is gone.
const GONE: u8 = 128;

/// So often in succession all may be started again without a newer checkpoint.
const TRIES: u32 = 3;

/// How long it is waited before another look at the copies.
const NAP: Duration = Duration::from_millis(5);

/// What a copy is told.
#[derive(Serialize, Deserialize)]
struct Told {
    index: usize,
    hosts: Vec<String>,
    /// All must have the same.
    secret: String,
    memory: Option<usize>,
    /// What is left of the time, in milliseconds.
    time: Option<u64>,
    /// All copies are on this machine.
    local: bool,
}

impl CopyArgs {
    /// Whether several processes are wanted.
    pub(crate) fn are_several(&self) -> bool {
        self.processes.is_some() || self.hosts.is_some()
    }

    /// Whether this process is to start copies.
    pub(crate) fn wants_copies(&self) -> bool {
        self.are_several() && std::env::var_os(COPY).is_none()
    }

    /// Whether this process is a copy.
    pub(crate) fn is_copy(&self) -> bool {
        self.are_several() && std::env::var_os(COPY).is_some()
    }

    /// Where the processes of this run are, by number, and those that are started here.
    fn hosts(&self) -> Result<(Vec<String>, Vec<usize>), Diagnostic> {
        let Some(path) = &self.hosts else {
            let count = self.processes.and_then(|count| usize::try_from(count).ok()).unwrap_or(2);
            // All at once, so that no two are the same.
            let listeners: io::Result<Vec<TcpListener>> =
                (0..count).map(|_| TcpListener::bind("127.0.0.1:0")).collect();
            let addresses = listeners.and_then(|listeners| {
                listeners.iter().map(|listener| Ok(listener.local_addr()?.to_string())).collect::<io::Result<Vec<_>>>()
            });
            let addresses = addresses
                .map_err(|error| Diagnostic::bare(Code::D03, format!("processes cannot be connected: {error}")))?;
            return Ok((addresses, (0..count).collect()));
        };
        let list = std::fs::read_to_string(path)
            .map_err(|error| Diagnostic::bare(Code::D03, format!("`{}` cannot be read: {error}", path.display())))?;
        let hosts = join::addresses(&list).map_err(Fault::bare)?;
        let own = self.host.unwrap_or(0);
        if own >= hosts.len() {
            let message = format!("there is no host {own}: `{}` has {} addresses", path.display(), hosts.len());
            return Err(Diagnostic::bare(Code::D02, message).hint("hosts are counted from 0 on"));
        }
        Ok((hosts, vec![own]))
    }
}

/// The folder of one of several processes in a directory of tables.
pub(crate) fn folder(dir: &Path, crew: &Crew) -> PathBuf {
    dir.join(part(crew.index(), crew.count()))
}

fn part(index: usize, count: usize) -> String {
    format!("{index}-of-{count}")
}

/// A copy that runs.
struct Copy {
    index: usize,
    child: Child,
    /// What it writes to stdout and stderr, where that is not shown at once.
    told: [Option<JoinHandle<Vec<u8>>>; 2],
}

/// Takes all that a copy writes.
fn listen(mut from: impl Read + Send + 'static) -> JoinHandle<Vec<u8>> {
    std::thread::spawn(move || {
        let mut text = Vec::new();
        // Of one that is killed what there is.
        let _ = from.read_to_end(&mut text);
        text
    })
}

impl Copy {
    fn start(told: &Told) -> io::Result<Copy> {
        let index = told.index;
        let mut command = Command::new(std::env::current_exe()?);
        command.args(std::env::args_os().skip(1)).env(COPY, "1").stdin(Stdio::piped());
        if index > 0 {
            command.stdout(Stdio::piped()).stderr(Stdio::piped());
        }
        #[cfg(unix)]
        {
            // Ctrl-C is for whoever started it, who hands it on.
            std::os::unix::process::CommandExt::process_group(&mut command, 0);
        }
        let mut child = command.spawn()?;
        let mut line = serde_json::to_vec(told).unwrap_or_default();
        line.push(b'\n');
        if let Some(stdin) = &mut child.stdin {
            // One that ends at once is seen to.
            let _ = stdin.write_all(&line).and_then(|()| stdin.flush());
        }
        let (stdout, stderr) = (child.stdout.take().map(listen), child.stderr.take().map(listen));
        Ok(Copy { index, child, told: [stdout, stderr] })
    }

    fn end(mut self) -> [Vec<u8>; 2] {
        // Of one that has ended there is nothing to end.
        let _ = self.child.kill();
        let _ = self.child.wait();
        self.told.map(|told| told.and_then(|told| told.join().ok()).unwrap_or_default())
    }
}

/// How a run of all copies ended.
enum End {
    /// With this exit code.
    Whole(u8),
    /// This one is gone.
    Gone(usize),
}

/// Starts copies until the question is answered, and gives the exit code. `dir`: where tables are kept.
pub(crate) fn supervise(
    args: &CopyArgs,
    limits: &LimitArgs,
    dir: Option<&Path>,
    workspace: &Workspace,
) -> Result<u8, Stop> {
    let clock = Limits { deadline: workspace.deadline(), ..workspace.limits.clone() };
    let (mut known, mut tries) = (String::new(), 0);
    loop {
        let (hosts, own) = args.hosts()?;
        let count = hosts.len();
        // The first time each copy has all of it.
        let deadline = clock.deadline.filter(|_| tries > 0);
        let left = deadline.map(|(deadline, _)| deadline.saturating_duration_since(Instant::now()));
        let secret = if args.hosts.is_some() { hosts.join(" ") } else { format!("{:032x}", fastrand::u128(..)) };
        // What is free is shared out; what is asked for is for each.
        let memory = (args.hosts.is_none() && limits.memory.is_none()).then(|| workspace.limits.memory / count);
        let mut copies = Vec::new();
        for &index in &own {
            let (hosts, secret, local) = (hosts.clone(), secret.clone(), args.hosts.is_none());
            let time = left.map(|left| u64::try_from(left.as_millis()).unwrap_or(u64::MAX));
            let copy = Copy::start(&Told { index, hosts, secret, memory, time, local });
            copies.push(
                copy.map_err(|error| {
                    Diagnostic::bare(Code::L02, format!("another process cannot be started: {error}"))
                })?,
            );
        }
        let gone = match watch(copies, &clock) {
            End::Whole(code) => return Ok(code),
            End::Gone(gone) => gone,
        };
        let now = own.iter().map(|&index| noted(dir, index, count)).collect::<String>();
        tries = if now == known { tries + 1 } else { 1 };
        known = now;
        clock.check_clock().map_err(Fault::bare)?;
        if tries >= TRIES {
            let message = format!("host {gone} is gone, and {tries} runs in succession have got no further");
            let hint = "where memory ends the system kills processes: fewer of them, or less `--memory` for each";
            return Err(Diagnostic::bare(Code::L02, message).hint(hint).into());
        }
        let stage = dir.and_then(|dir| stage(dir, &own, count));
        let from = stage.map_or("beginning anew".into(), |stage| format!("going on from {stage}"));
        workspace.note(&format!("note: host {gone} is gone; {from}"));
    }
}

/// Waits until the copies have answered, or one is gone.
fn watch(mut copies: Vec<Copy>, clock: &Limits) -> End {
    /// So many looks at the copies are taken until it is seen how one ended that another misses.
    const PATIENCE: u32 = 200;
    let (mut handed_on, mut missed, mut patience) = (false, None, PATIENCE);
    let end = loop {
        // Time ends in the copies, too; this says that it is seen.
        let over = clock.check_clock().is_err();
        if over && clock.interrupted.load(Ordering::Relaxed) && !std::mem::replace(&mut handed_on, true) {
            for copy in &copies {
                interrupt(&copy.child);
            }
        }
        let mut at = 0;
        let mut end = None;
        while let Some(copy) = copies.get_mut(at).filter(|_| end.is_none()) {
            let Ok(Some(status)) = copy.child.try_wait() else {
                at += 1;
                continue;
            };
            let copy = copies.remove(at);
            let (index, [stdout, stderr]) = (copy.index, copy.end());
            end = match status.code().and_then(|code| u8::try_from(code).ok()) {
                // The first one answers, and others of this machine end after it.
                Some(ANSWERED) if index > 0 && !copies.is_empty() => None,
                Some(code) if code < GONE => {
                    // Where nobody reads it, nobody wants it.
                    let _ = io::stdout().write_all(&stdout).and_then(|()| io::stderr().write_all(&stderr));
                    Some(End::Whole(code))
                }
                Some(code) if usize::from(code - GONE) < join::MOST => {
                    missed = Some(usize::from(code - GONE));
                    None
                }
                _ => Some(End::Gone(index)),
            };
        }
        if let Some(end) = end {
            break end;
        }
        if let Some(index) = missed {
            patience -= 1;
            // How it ended counts, if it is one of these.
            if patience == 0 || copies.iter().all(|copy| copy.index != index) {
                break End::Gone(index);
            }
        }
        std::thread::sleep(NAP);
    };
    for mut copy in copies {
        if let End::Whole(ANSWERED) = end {
            // It ends by itself.
            let _ = copy.child.wait();
        }
        copy.end();
    }
    end
}

#[cfg(unix)]
fn interrupt(child: &Child) {
    let Ok(id) = libc::pid_t::try_from(child.id()) else { return };
    // SAFETY: a signal to a process of its own group that nobody has waited for yet.
    #[allow(unsafe_code)]
    unsafe {
        libc::kill(id, libc::SIGTERM);
    }
}

#[cfg(not(unix))]
fn interrupt(_: &Child) {}

/// What the notes of all tables of a process say, to see whether they are others.
fn noted(dir: Option<&Path>, index: usize, count: usize) -> String {
    let Some(dir) = dir else { return String::new() };
    disk::notes(&dir.join(part(index, count)))
        .into_iter()
        .map(|note| disk::digest(note.to_string().as_bytes()))
        .collect()
}

/// How far the last checkpoint that all these processes have has come, in words.
fn stage(dir: &Path, own: &[usize], count: usize) -> Option<String> {
    let last = |&index: &usize| {
        let notes = disk::notes(&dir.join(part(index, count)));
        let unfinished = notes.iter().position(|note| note["done"] == false);
        notes.into_iter().nth(unfinished.unwrap_or(0))
    };
    let notes = own.iter().map(last).collect::<Option<Vec<_>>>()?;
    let note = notes.into_iter().min_by_key(|note| note["generation"].as_u64())?;
    let step = note["step"].as_u64()?;
    Some(match note["phase"].as_str()? {
        "listing" => "the list of moves".into(),
        "layers" => format!("layer {step}"),
        "marking" => "the marks of what is not known".into(),
        _ => format!("value {}", note["round"].as_u64()?),
    })
}

/// What a copy is told, from its stdin; when that is closed the copy ends.
fn told() -> Result<Told, Diagnostic> {
    let mut line = Vec::new();
    let mut stdin = io::stdin();
    let mut byte = [0];
    while stdin.read(&mut byte).is_ok_and(|read| read == 1) && byte[0] != b'\n' {
        line.push(byte[0]);
    }
    let told = serde_json::from_slice(&line)
        .map_err(|_| Diagnostic::bare(Code::D02, format!("`{COPY}` is set, and nobody says which copy this is")))?;
    std::thread::spawn(move || {
        let mut rest = [0; 64];
        while stdin.read(&mut rest).is_ok_and(|read| read > 0) {}
        std::process::exit(LIMIT.into());
    });
    Ok(told)
}

/// Connects this copy with the others. `work`: what all must have alike. When one of them is gone later, this process ends.
/// `data`: the files that the rules have read so far.
pub(crate) fn connect(workspace: &mut Workspace, work: &str, data: DataRead) -> Result<Arc<Crew>, Diagnostic> {
    let told = told()?;
    if let Some(memory) = told.memory {
        workspace.limits.memory = memory;
    }
    if told.local {
        // Each process has a processor.
        workspace.limits.threads = workspace.limits.threads.or(std::num::NonZeroUsize::new(1));
    }
    workspace.shorten(told.time.map(Duration::from_millis));
    let version = env!("CARGO_PKG_VERSION");
    let order = cfg!(target_endian = "big");
    let digest = disk::digest(format!("{version} {order} {} {work}", told.secret).as_bytes());
    let clock = Limits { deadline: workspace.deadline(), ..workspace.limits.clone() };
    let sockets = join::join(&told.hosts, told.index, &digest, || clock.check_clock()).map_err(Fault::bare)?;
    end_when_alone();
    let mesh = Mesh::new(sockets).map_err(Fault::bare)?;
    Ok(Arc::new(Crew::new(mesh, data)))
}

/// From now on the process ends when another one is gone, and says by its exit code which.
fn end_when_alone() {
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        let thread = std::thread::current();
        let of = thread.name().and_then(|name| name.strip_prefix("timely:")?.split_once('-')?.1.parse::<u8>().ok());
        let text = panic.payload().downcast_ref::<String>().map_or("", String::as_str);
        match of {
            Some(index) if text.starts_with("timely communication error:") => {
                std::process::exit((GONE + index.min(GONE - 1)).into());
            }
            _ => usual(panic),
        }
    }));
}
