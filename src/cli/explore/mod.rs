//! `grundy explore`: a position as a page in the browser, its moves as links, what each is worth beside it.
//!
//! Here questions come in, and positions are worked out and remembered; `address` says where pages are, `pages` what they say, `server`
//! who may ask.
//!
//! One thread works, the first one, which has the stack for it; those of the server hand it questions. A page comes at once: what is not worked
//! out by then is asked for once more by the page, and given as much time as there is. Pages that are opened come before that.

mod address;
mod pages;
mod server;

use crate::answer::{Answer, Outcome};
use crate::cli::args::LimitArgs;
use crate::cli::explore::address::{Address, Question, Way};
use crate::cli::explore::pages::{ALL, short};
use crate::cli::explore::server::Reply;
use crate::cli::load::Parsed;
use crate::cli::output::Output;
use crate::cli::solve::StartArgs;
use crate::cli::workspace::{ANSWERED, Stop, Workspace, interrupt_too};
use crate::engines::{self, Choice, Play, Worth};
use crate::report;
use crate::report::page::{self, Frame};
use crate::source::{Code, Diagnostic, Sources, diagnostic};
use crate::value::limits::Limits;
use crate::value::memory;
use crate::value::{Points, Position, Shape};
use crate::vm::context::Context;
use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, SyncSender, channel, sync_channel};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// A page that asks once more waits so long for what is not known yet, where the user says nothing else.
const LATER: Duration = Duration::from_secs(5);

/// The moves of a position take so many bytes at most, where a component takes so many.
const LISTED: usize = 16 << 20;
const PART: usize = 400;

/// So many components are worked out by themselves.
const PARTS: usize = 40;

/// Positions are remembered with what is known of them, up to so many bytes or so.
const REMEMBERED: usize = 64 << 20;

/// The port that is tried first.
const PORT: u16 = 7310;

#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  grundy explore nim.game heaps=[3,4,5]
  grundy explore wythoff.game -p 'Wythoff(3, 5)' --port 8000

The page is for a browser on this machine. Its address is the position and the moves made, so it can be kept and sent; when the file is
changed the page follows. Ctrl-C ends the program.

`--time` is for each position [default: 5s].")]
pub(crate) struct ExploreArgs {
    #[command(flatten)]
    start: StartArgs,
    /// The port to listen on; 0: any that is free [default: the first free one from 7310]
    #[arg(long)]
    port: Option<u16>,
    /// Read what the tables in this directory know, made by `grundy solve FILE --tables DIR`
    #[arg(long, value_name = "DIR")]
    tables: Option<PathBuf>,
    #[command(flatten)]
    pub(super) limits: LimitArgs,
}

pub(super) fn run(args: &ExploreArgs, workspace: &mut Workspace, out: &mut Output) -> Result<u8, Stop> {
    // A clock runs for each question, and none for the program.
    workspace.without_clock();
    // The limit of memory is for each question; what goes beyond it in one step does not end the program as long as there is room.
    memory::set_most(Limits::default().memory.max(workspace.limits.memory));
    let pause = Arc::new(Pause::default());
    interrupt_too(&pause.cut);
    let mut explorer = Explorer::open(args, workspace, pause.clone())?;
    let (questions, asked) = channel::<(Question, SyncSender<Reply>)>();
    let files = explorer.files.clone();
    let handle = move |path: &str, query: &[(String, String)]| match path {
        "/page.css" => Reply { status: 200, kind: "text/css", text: page::STYLE.into() },
        "/page.js" => Reply { status: 200, kind: "text/javascript", text: page::SCRIPT.into() },
        "/version" => Reply { status: 200, kind: "text/plain", text: files.version() },
        _ => {
            let Some(question) = Question::read(path, query) else {
                return Reply::plain(404, "there is no such page; positions are at /");
            };
            if !question.waits {
                pause.hurry();
            }
            let (reply, replied) = sync_channel(1);
            let sent = questions.send((question, reply)).ok();
            sent.and_then(|()| replied.recv().ok()).unwrap_or_else(|| Reply::plain(503, "the program ends"))
        }
    };
    let port = args.port.unwrap_or(PORT);
    let port = server::start(port, args.port.is_none(), handle).map_err(|error| {
        let message = format!("nobody can be answered at port {port}: {error}");
        Diagnostic::bare(Code::D03, message).hint("`--port 0` takes any that is free")
    })?;
    out.text(&format!("http://127.0.0.1:{port}/\n"))?;
    out.flush()?;
    workspace.note("open it in a browser; Ctrl-C ends");
    let interrupted = workspace.interrupted.clone();
    while !interrupted.load(Ordering::Relaxed) {
        match asked.recv_timeout(Duration::from_millis(50)) {
            Ok((question, reply)) => {
                let text = explorer.answer(&question, args, workspace);
                // Whoever left does not want to know.
                let _ = reply.send(text);
            }
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => break,
        }
    }
    // The process ends, and all memory goes back at once.
    std::mem::forget(explorer);
    Ok(ANSWERED)
}

/// Long work that pages which are opened put off.
#[derive(Debug, Default)]
struct Pause {
    /// Such work is being done.
    long: AtomicBool,
    /// It is to end now.
    cut: Arc<AtomicBool>,
}

impl Pause {
    /// A page is opened.
    fn hurry(&self) {
        if self.long.load(Ordering::Relaxed) {
            self.cut.store(true, Ordering::Relaxed);
        }
    }

    /// Does long work.
    fn during<T>(&self, work: impl FnOnce() -> T) -> T {
        self.cut.store(false, Ordering::Relaxed);
        self.long.store(true, Ordering::Relaxed);
        let done = work();
        self.long.store(false, Ordering::Relaxed);
        done
    }
}

/// Which files were read, and how they were then.
#[derive(Clone, Default)]
struct Files(Arc<Mutex<Vec<PathBuf>>>);

impl Files {
    /// A text that changes when one of them does.
    fn version(&self) -> String {
        use std::hash::{DefaultHasher, Hash, Hasher};
        let mut hash = DefaultHasher::new();
        if let Ok(files) = self.0.lock() {
            for file in files.iter() {
                let data = std::fs::metadata(file).ok();
                data.map(|data| (data.len(), data.modified().ok())).hash(&mut hash);
            }
        }
        format!("{:016x}", hash.finish())
    }
}

/// Why an answer is missing.
#[derive(Clone, Debug)]
enum Unknown {
    /// There was no time yet, or not enough.
    Time,
    /// As the program tells it.
    Told(String),
}

/// A position of a page.
struct Here {
    /// `None`: the play is over.
    position: Option<Arc<Position>>,
    text: String,
    /// What the move was called that led here.
    by: String,
    /// Who is to move: 0 for who began.
    mover: usize,
    points: [Points; 2],
    /// Points of what is over, for the player to move: they have been counted.
    over: Points,
    /// How a move ended the play.
    ended: Option<Outcome>,
    /// The moves, or why they are not listed.
    plays: Result<Vec<Play>, String>,
    /// There are more of them.
    more: bool,
    /// All is known that there was time for.
    done: bool,
    /// What is known, or why nothing is.
    answer: Result<Answer, Unknown>,
    /// Components: each as text, and what is known of it.
    parts: Vec<(String, Option<Answer>)>,
}

impl Here {
    /// Bytes held, roughly.
    fn bytes(&self) -> usize {
        /// A move without its position, of which the text tells the size.
        const MOVE: usize = 400;
        let plays = self.plays.iter().flatten().map(|play| MOVE + 4 * play.told.to.len());
        MOVE + 4 * self.text.len() + plays.sum::<usize>()
    }
}

/// The game file as it was read.
struct Opened {
    parsed: Parsed,
    ctx: Context,
    start: Arc<Position>,
}

struct Explorer {
    /// Or what is wrong with the file.
    opened: Result<Opened, String>,
    files: Files,
    version: String,
    pause: Arc<Pause>,
    /// By address.
    seen: HashMap<String, Here>,
    /// Bytes of these, roughly.
    held: usize,
    /// How long may be thought of a position.
    patience: Duration,
}

/// What is told in place of a page: a title, and a text.
type Told = (String, String);

impl Explorer {
    fn open(args: &ExploreArgs, workspace: &mut Workspace, pause: Arc<Pause>) -> Result<Explorer, Stop> {
        let files = Files::default();
        let patience = args.limits.time.unwrap_or(LATER);
        let opened = open(args, workspace, &files, patience)?;
        let version = files.version();
        Ok(Explorer { opened: Ok(opened), files, version, pause, seen: HashMap::new(), held: 0, patience })
    }

    /// Reads the files again if one was changed.
    fn follow(&mut self, args: &ExploreArgs, workspace: &mut Workspace) {
        // Again, if it was changed while it was read.
        for _ in 0..3 {
            let version = self.files.version();
            if version == self.version {
                return;
            }
            self.forget();
            workspace.sources = Sources::default();
            // A directory of tables is given back.
            self.opened = Err(String::new());
            self.opened = open(args, workspace, &self.files, self.patience).map_err(|stop| match stop {
                Stop::Errors(errors) => diagnostic::render(&errors, &workspace.sources, false),
                Stop::Output(error) => error.to_string(),
            });
            self.version = version;
        }
        // Other files are read now than before.
        self.version = self.files.version();
    }

    fn answer(&mut self, question: &Question, args: &ExploreArgs, workspace: &mut Workspace) -> Reply {
        self.follow(args, workspace);
        let entered = question.address.as_ref().ok().and_then(|address| address.position.clone());
        let file = args.start.file().display().to_string();
        let frame = Frame { file, version: self.version.clone(), entered: entered.unwrap_or_default() };
        let told =
            |status: u16, (title, text): Told| Reply { status, kind: "text/html", text: frame.message(&title, &text) };
        if let Err(errors) = &self.opened {
            return told(200, ("The file has errors".into(), errors.clone()));
        }
        let address = match &question.address {
            Ok(address) => address,
            Err(why) => return told(400, ("This is no address".into(), why.clone())),
        };
        // What is held may be more than it looks: then all goes.
        let crowded = memory::is_above(workspace.limits.memory / 2);
        if self.held > REMEMBERED.min(workspace.limits.memory / 4) || crowded {
            self.forget();
            if let (true, Ok(opened)) = (crowded, &mut self.opened) {
                opened.ctx.forget();
            }
        }
        let made = self.resolve(address, args, workspace).and_then(|()| match question.page {
            address::Page::Position => Ok(self.position(address, question, &frame, args, workspace)),
            address::Page::Graph => self.graph(address, &frame, workspace),
            address::Page::Map => self.map(address, &frame, args, workspace),
        });
        if let Ok(opened) = &mut self.opened
            && opened.ctx.is_crowded()
        {
            opened.ctx.forget();
        }
        match made {
            Ok(text) => Reply { status: 200, kind: "text/html", text },
            Err(why) => told(404, why),
        }
    }

    fn remember(&mut self, address: &Address, here: Here) {
        self.held += here.bytes();
        self.seen.insert(address.query(), here);
    }

    fn forget(&mut self) {
        self.seen.clear();
        self.held = 0;
    }

    /// Runs work on the game within a limit of time.
    fn within<T>(&mut self, workspace: &Workspace, time: Duration, work: impl FnOnce(&mut Context) -> T) -> Option<T> {
        let opened = self.opened.as_mut().ok()?;
        opened.ctx.limits = workspace.limits.clone().with_time(Some(time));
        Some(work(&mut opened.ctx))
    }

    /// Makes sure that the position of an address is known, with its moves. Errors: there is none.
    fn resolve(&mut self, address: &Address, args: &ExploreArgs, workspace: &mut Workspace) -> Result<(), Told> {
        // The longest part that is known.
        let known = (0..=address.moves.len()).rev().find(|n| self.seen.contains_key(&address.before(*n).query()));
        if known.is_none() {
            let start = self.begin(address, args, workspace)?;
            let here = self.here(start, String::new(), 0, None, workspace);
            self.remember(&address.before(0), here);
        }
        for made in known.unwrap_or(0)..address.moves.len() {
            let Some(here) = self.seen.get(&address.before(made).query()) else { continue };
            let next = match address.moves[made] {
                Way::Move(number) => after(here, number)?,
                Way::Part(number) => {
                    let part = here.position.as_ref().and_then(|position| part(position, number.checked_sub(1)?));
                    let why = || {
                        (
                            "There is no such component".to_string(),
                            format!("{} has none with the number {number}", here.text),
                        )
                    };
                    Next::At { position: Arc::new(part.ok_or_else(why)?), by: String::new(), mover: 0, points: None }
                }
            };
            let here = match next {
                Next::Over(here) => *here,
                Next::At { position, by, mover, points } => {
                    let mut here = self.here(position, by, mover, points, workspace);
                    if here.by.is_empty() {
                        here.by = format!("{} by itself", short(&here.text));
                    }
                    here
                }
            };
            self.remember(&address.before(made + 1), here);
        }
        Ok(())
    }

    /// The position that an address begins with.
    fn begin(&self, address: &Address, args: &ExploreArgs, workspace: &mut Workspace) -> Result<Arc<Position>, Told> {
        let Ok(opened) = &self.opened else { return Err(Told::default()) };
        let Some(text) = &address.position else { return Ok(opened.start.clone()) };
        // What is asked for is forgotten afterwards.
        let kept = workspace.sources.clone();
        let result = args.start.start(opened.parsed.clone(), Some(text), (Some(self.patience), None), workspace);
        let result = result.map_err(|stop| match stop {
            Stop::Errors(errors) => {
                let told = diagnostic::render(&errors, &workspace.sources, false);
                ("This is no position of the file".to_string(), told)
            }
            Stop::Output(error) => (String::new(), error.to_string()),
        });
        workspace.sources = kept;
        // Games have the same numbers there, since the file is the same.
        Ok(result?.1)
    }

    /// A position with its moves, not judged. `points`: those made on the way here; `None`: this is the start of one.
    fn here(
        &mut self,
        position: Arc<Position>,
        by: String,
        mover: usize,
        points: Option<[Points; 2]>,
        workspace: &Workspace,
    ) -> Here {
        let at = position.clone();
        let parts = count(&position).max(1);
        let work = |ctx: &mut Context| {
            // What a move leads to is held whole.
            let most = (LISTED / (parts * PART + PART)).clamp(50, ALL);
            let plays = ctx.with_recovery(|ctx| engines::first_moves(ctx, &at, most));
            let over = ctx.with_recovery(|ctx| engines::points_over(ctx, &at));
            (ctx.position_text(&at), plays.map_err(|error| error.message), over.map_err(|error| error.message))
        };
        let nothing = || (String::new(), Ok(Default::default()), Ok(Points::ZERO));
        let (text, plays, over) = self.within(workspace, self.patience, work).unwrap_or_else(nothing);
        let (plays, more) = match plays {
            Ok((plays, more)) => (Ok(plays), more),
            Err(why) => (Err(why), false),
        };
        // Without the points of what is over nobody is said to win, and no way goes on.
        let (over, plays, unknown) = match over {
            Ok(over) => (over, plays, None),
            Err(why) => (Points::ZERO, Err(why.clone()), Some(why)),
        };
        Here {
            position: Some(position),
            text,
            by,
            mover,
            // What is over at the start counts for who begins.
            points: points.unwrap_or_else(|| [over.clone(), Points::ZERO]),
            over,
            ended: None,
            plays,
            more,
            done: unknown.is_some(),
            answer: Err(unknown.map_or(Unknown::Time, Unknown::Told)),
            parts: Vec::new(),
        }
    }

    /// Works a position out as far as there is time; the `last` time it has to be enough.
    fn judge(&mut self, key: &str, time: Duration, last: bool, workspace: &Workspace) {
        let Some(here) = self.seen.get_mut(key) else { return };
        let Some(position) = here.position.clone().filter(|_| !here.done) else { return };
        let mut plays = std::mem::replace(&mut here.plays, Ok(Vec::new()));
        let mut work = |ctx: &mut Context| {
            let none: &mut [Play] = &mut [];
            let judged = plays.as_mut().map_or(none, |plays| &mut plays[..]);
            let answer = engines::judge(ctx, &position, judged, u64::MAX);
            let parts = if answer.is_ok() { parts(ctx, &position) } else { Vec::new() };
            (answer, parts, ctx.limits_reached())
        };
        let pause = self.pause.clone();
        let done = self.within(workspace, time, |ctx| {
            if !last {
                return work(ctx);
            }
            let change = |limits: &mut Limits| limits.interrupted = pause.cut.clone();
            pause.during(|| ctx.under(change, work))
        });
        let cut = last && pause.cut.load(Ordering::Relaxed);
        let Some(here) = self.seen.get_mut(key) else { return };
        here.plays = plays;
        let Some((answer, parts, over)) = done else { return };
        here.answer = answer.map_err(|error| match error.code {
            _ if cut || !last && over => Unknown::Time,
            Code::L03 => Unknown::Time,
            _ => {
                let place = error.span.map(|span| format!(" ({})", workspace.place(span))).unwrap_or_default();
                Unknown::Told(format!("{}: {}{place}", error.code.as_str(), error.message))
            }
        });
        here.parts = parts;
        // What was put off for another page goes on when it is asked for again.
        if !cut && (!over || last) {
            here.done = true;
        }
    }
}

fn open(args: &ExploreArgs, workspace: &mut Workspace, files: &Files, patience: Duration) -> Result<Opened, Stop> {
    let watch = |paths: Vec<PathBuf>| {
        if let Ok(mut files) = files.0.lock() {
            *files = paths;
        }
    };
    // Whatever is wrong with them, the file itself is watched, and those that it asks for.
    watch(vec![args.start.file().to_path_buf()]);
    let parsed = args.start.parsed(&args.limits.allow_path, workspace)?;
    let asked = parsed.asked();
    let opened = args.start.start(parsed.clone(), None, (Some(patience), args.tables.as_deref()), workspace);
    watch(std::iter::once(args.start.file().to_path_buf()).chain(asked.all()).collect());
    let (ctx, start) = opened?;
    Ok(Opened { parsed, ctx, start })
}

/// What comes after a move.
enum Next {
    At {
        position: Arc<Position>,
        by: String,
        mover: usize,
        points: Option<[Points; 2]>,
    },
    /// The move ended the play.
    Over(Box<Here>),
}

/// What the move with this number leads to. Errors: there is none.
fn after(here: &Here, number: usize) -> Result<Next, Told> {
    let plays = here.plays.as_ref().map_err(|why| ("The moves are not known".to_string(), why.clone()))?;
    let Some(play) = number.checked_sub(1).and_then(|at| plays.get(at)) else {
        let why = match plays.len() {
            0 => format!("no move can be made in {}", here.text),
            n => format!("there is no move {number} in {}, where they have the numbers 1 to {n}", here.text),
        };
        return Err(("There is no such move".into(), why));
    };
    let (mut points, before) = (here.points.clone(), here.mover);
    let mover = if play.keeps_turn { before } else { 1 - before };
    points[before] += &play.gain;
    points[mover] += &play.over;
    let by = report::text::shortened(&play.full_name());
    if let Some(next) = &play.next {
        return Ok(Next::At { position: next.clone(), by, mover, points: Some(points) });
    }
    Ok(Next::Over(Box::new(Here {
        position: None,
        text: play.told.to.clone(),
        by,
        mover,
        points,
        over: Points::ZERO,
        ended: play.worth.as_ref().map(|worth| match (worth, before) {
            (Worth::Wins, 0) | (Worth::Loses, 1) => Outcome::First,
            (Worth::Wins | Worth::Loses, _) => Outcome::Second,
            _ => Outcome::Draw,
        }),
        plays: Ok(Vec::new()),
        more: false,
        done: true,
        answer: Err(Unknown::Time),
        parts: Vec::new(),
    })))
}

/// How many components there are.
fn count(position: &Position) -> usize {
    match &position.shape {
        Shape::Sum(sum) => sum.len(),
        Shape::Compound(_, parts) => parts.iter().map(count).sum(),
    }
}

/// A component of a sum of several, or a part of a compound, by itself.
fn part(position: &Position, at: usize) -> Option<Position> {
    match &position.shape {
        Shape::Sum(sum) if sum.len() > 1 => {
            let shape = Shape::Sum(vec![sum.get(at)?.clone()].into());
            Some(Position { misere: position.misere, sum: false, shape })
        }
        Shape::Sum(_) => None,
        Shape::Compound(_, parts) => Some(Position { misere: position.misere, ..parts.get(at)?.clone() }),
    }
}

/// Each component of a sum of several by itself, as long as there is time.
fn parts(ctx: &mut Context, position: &Position) -> Vec<(String, Option<Answer>)> {
    let several = (0..=PARTS).map_while(|at| part(position, at)).collect::<Vec<_>>();
    if several.len() > PARTS {
        return Vec::new();
    }
    let told = |part: Position| {
        let answer = ctx.with_recovery(|ctx| engines::solve_position(ctx, &part, Choice::default())).ok();
        (ctx.position_text(&part), answer)
    };
    several.into_iter().map(told).collect()
}
