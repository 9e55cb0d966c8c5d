//! `grundy explore`: a position as a page in the browser, its moves as links, what each is worth beside it.
//!
//! One thread works, the first one, which has the stack for it; those of the server hand it questions. A page comes at once: what is not worked
//! out by then is asked for once more by the page, and given as much time as there is. Pages that are opened come before that.

use crate::answer::{Answer, Method, MoveAnswer, Outcome};
use crate::cli::args::LimitArgs;
use crate::cli::load::Parsed;
use crate::cli::output::Output;
use crate::cli::server::{self, Reply};
use crate::cli::solve::StartArgs;
use crate::cli::workspace::{ANSWERED, Stop, Workspace, interrupt_too};
use crate::engines::{self, Choice, Play, Worth};
use crate::figure;
use crate::report::page::{self, Frame, Link, Tone, View};
use crate::report::{self, counted, grouped};
use crate::source::{Code, Diagnostic, Sources, diagnostic};
use crate::value::limits::Limits;
use crate::value::memory;
use crate::value::{Position, Shape, Value};
use crate::vm::context::Context;
use std::collections::HashMap;
use std::fmt;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, SyncSender, channel, sync_channel};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// A page that is opened waits so long for what is not known yet.
const SOON: Duration = Duration::from_millis(150);

/// And so long when it asks once more, where the user says nothing else.
const LATER: Duration = Duration::from_secs(5);

/// So many moves are on a page, and so many on one that shows all.
const SHOWN: usize = 400;
const ALL: usize = 5000;

/// And so many of each part of a compound, where they are combined.
const OF_PART: usize = 60;

/// The moves of a position take so many bytes at most, where a component takes so many.
const LISTED: usize = 16 << 20;
const PART: usize = 400;

/// So many components are worked out by themselves.
const PARTS: usize = 40;

/// So many positions are in the picture of what is near.
const NEAR: usize = 60;

/// The sides of a map of one number and of two.
const SIDES: [i64; 2] = [40, 21];

/// Positions are remembered with what is known of them, up to so many bytes or so.
const REMEMBERED: usize = 64 << 20;

/// No address is longer, and none has more moves.
const LONGEST: usize = 4000;
const MOVES: usize = 1500;

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

/// A step of the way to a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    /// The move with this number, from 1.
    Move(usize),
    /// The component with this number by itself, from 1.
    Part(usize),
}

impl Way {
    fn read(text: &str) -> Option<Way> {
        match text.strip_prefix('c') {
            Some(number) => number.parse().ok().map(Way::Part),
            None => text.parse().ok().map(Way::Move),
        }
    }
}

impl fmt::Display for Way {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Way::Move(number) => write!(f, "{number}"),
            Way::Part(number) => write!(f, "c{number}"),
        }
    }
}

/// Where a page is: a position, if it is not that of the file, and the way from there.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Address {
    position: Option<String>,
    moves: Vec<Way>,
}

impl Address {
    /// As it stands behind the name of the page; empty for the start.
    fn query(&self) -> String {
        let mut pairs = form_urlencoded::Serializer::new(String::new());
        if let Some(position) = &self.position {
            pairs.append_pair("p", position);
        }
        if !self.moves.is_empty() {
            let numbers: Vec<String> = self.moves.iter().map(ToString::to_string).collect();
            pairs.append_pair("m", &numbers.join("."));
        }
        pairs.finish()
    }

    fn to(&self, page: &str) -> String {
        let query = self.query();
        if query.is_empty() { page.to_string() } else { format!("{page}?{query}") }
    }

    /// After the first so many moves.
    fn before(&self, moves: usize) -> Address {
        Address { position: self.position.clone(), moves: self.moves[..moves].to_vec() }
    }

    fn after(&self, way: Way) -> Address {
        let mut after = self.clone();
        after.moves.push(way);
        after
    }

    /// Of a position as text.
    fn of(text: &str) -> Address {
        Address { position: Some(text.to_string()), moves: Vec::new() }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Page {
    Position,
    Graph,
    Map,
}

/// What a page is asked for.
#[derive(Debug)]
struct Question {
    page: Page,
    /// Or why it is none.
    address: Result<Address, String>,
    /// All moves are to be listed.
    all: bool,
    /// It is asked once more.
    waits: bool,
}

impl Question {
    /// `None`: there is no such page.
    fn read(path: &str, query: &[(String, String)]) -> Option<Question> {
        let page = match path {
            "/" => Page::Position,
            "/graph" => Page::Graph,
            "/map" => Page::Map,
            _ => return None,
        };
        let (mut address, mut all, mut waits) = (Ok(Address::default()), false, false);
        for (name, value) in query {
            match (&**name, &mut address) {
                ("p", Ok(address)) => address.position = Some(value.trim().to_string()).filter(|text| !text.is_empty()),
                ("m", Ok(known)) => match value.split('.').map(Way::read).collect::<Option<Vec<Way>>>() {
                    Some(moves) if moves.len() <= MOVES => known.moves = moves,
                    Some(moves) => {
                        address =
                            Err(format!("an address has at most {MOVES} moves, and this one has {}", moves.len()));
                    }
                    None => address = Err("moves are numbers with points between them, `m=1.3.2`".into()),
                },
                ("all", _) => all = true,
                ("wait", _) => waits = true,
                _ => {}
            }
        }
        Some(Question { page, address, all, waits })
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
    points: [i128; 2],
    /// Points of what is over, for the player to move: they have been counted.
    over: i64,
    /// How a move ended the play.
    ended: Option<Outcome>,
    /// The moves, or why they are not listed.
    plays: Result<Vec<Play>, String>,
    /// There may be more of them.
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
            Page::Position => Ok(self.position(address, question, &frame, args, workspace)),
            Page::Graph => self.graph(address, &frame, workspace),
            Page::Map => self.map(address, &frame, args, workspace),
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
        let result = args.start.start(opened.parsed.clone(), Some(text), Some(self.patience), workspace);
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
        points: Option<[i128; 2]>,
        workspace: &Workspace,
    ) -> Here {
        let at = position.clone();
        let parts = count(&position).max(1);
        let work = |ctx: &mut Context| {
            // What a move leads to is held whole.
            let most = (LISTED / (parts * PART + PART)).clamp(50, ALL);
            let most = if matches!(at.shape, Shape::Sum(_)) { most } else { most.min(OF_PART) };
            let plays = ctx.with_recovery(|ctx| engines::first_moves(ctx, &at, most));
            let over = ctx.with_recovery(|ctx| engines::points_over(ctx, &at));
            (ctx.position_text(&at), plays.map_err(|error| error.message), over.map_err(|error| error.message))
        };
        let nothing = || (String::new(), Ok(Default::default()), Ok(0));
        let (text, plays, over) = self.within(workspace, self.patience, work).unwrap_or_else(nothing);
        let (plays, more) = match plays {
            Ok((plays, more)) => (Ok(plays), more),
            Err(why) => (Err(why), false),
        };
        // Without the points of what is over nobody is said to win, and no way goes on.
        let (over, plays, unknown) = match over {
            Ok(over) => (over, plays, None),
            Err(why) => (0, Err(why.clone()), Some(why)),
        };
        Here {
            position: Some(position),
            text,
            by,
            mover,
            // What is over at the start counts for who begins.
            points: points.unwrap_or([over.into(), 0]),
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
    let opened = args.start.start(parsed.clone(), None, Some(patience), workspace);
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
        points: Option<[i128; 2]>,
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
    let (mut points, before) = (here.points, here.mover);
    let mover = if play.keeps_turn { before } else { 1 - before };
    points[before] += i128::from(play.gain);
    points[mover] += i128::from(play.over);
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
        over: 0,
        ended: play.worth.map(|worth| match (worth, before) {
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

// What the pages say.
impl Explorer {
    fn position(
        &mut self,
        address: &Address,
        question: &Question,
        frame: &Frame,
        args: &ExploreArgs,
        workspace: &mut Workspace,
    ) -> String {
        let key = address.query();
        let time = if question.waits { self.patience } else { SOON.min(self.patience) };
        self.judge(&key, time, question.waits, workspace);
        let trail = self.trail(address);
        // What cannot be read again is no beginning.
        let text = self.seen.get(&key).map(|here| here.text.clone()).unwrap_or_default();
        let alone = Address::of(&text);
        let begins = (address.position.is_none() || !address.moves.is_empty()) && alone.to("/").len() <= LONGEST;
        let begins = begins && self.begin(&alone, args, workspace).is_ok();
        let (Some(here), Ok(opened)) = (self.seen.get(&key), &mut self.opened) else {
            return frame.message("There is no such page", "");
        };
        let mut view = View { title: short(&here.text), trail, ..View::default() };
        let Some(position) = &here.position else {
            view.title = "The play is over".into();
            view.verdict =
                here.ended.map(|outcome| (tone(outcome, 0), format!("{}.", won(outcome, ["First", "Second"]))));
            view.facts = points(here);
            return frame.position(&view);
        };
        view.svg = figure::svg::figure(&figure::of(&mut opened.ctx, position));
        let waits = !here.done;
        if waits {
            let to = address.to("/");
            view.wait = Some(format!(
                "{to}{}wait=1{}",
                if to.contains('?') { "&" } else { "?" },
                if question.all { "&all=1" } else { "" }
            ));
        }
        let none = matches!(&here.plays, Ok(plays) if plays.is_empty());
        let wins = matches!(&here.plays, Ok(plays) if plays.iter().any(|play| play.worth == Some(Worth::Wins)));
        view.verdict = Some(match &here.answer {
            Ok(answer) => verdict(here, answer, none),
            // A move of it ends the play.
            Err(Unknown::Time) if wins => (Tone::Wins, "The player to move wins.".into()),
            Err(_) if waits => (Tone::Unknown, "Who wins is being worked out ..".into()),
            Err(Unknown::Time) => {
                let time = report::duration(self.patience);
                (Tone::Unknown, format!("Who wins was not worked out within {time}; `--time` gives more."))
            }
            Err(Unknown::Told(why)) => (Tone::Unknown, format!("Who wins is not known. {why}")),
        });
        view.facts = facts(here, address);
        view.parts = here
            .parts
            .iter()
            .zip(1..)
            .map(|((text, answer), number)| {
                let told = answer.as_ref().map_or("not worked out".to_string(), in_short);
                (Link { text: short(text), to: address.after(Way::Part(number)).to("/") }, told)
            })
            .collect();
        choices(&mut view, here, address, question.all);
        view.more.push(Link { text: "Graph of what is near".into(), to: address.to("/graph") });
        let is_map = matches!(&position.shape, Shape::Sum(sum) if matches!(&sum[..], [one] if one.state.iter().any(|value| matches!(value, Value::Int(_)))));
        if is_map {
            view.more.push(Link { text: "Map of values".into(), to: address.to("/map") });
        }
        if begins {
            view.more.push(Link { text: "Begin here".into(), to: alone.to("/") });
        }
        view.more.retain(|link| link.to.len() <= LONGEST);
        frame.position(&view)
    }

    /// The moves that led to a position, each with its page.
    fn trail(&self, address: &Address) -> Vec<Link> {
        /// So many of the last ones.
        const LAST: usize = 24;
        let count = address.moves.len();
        let mut trail = Vec::new();
        for made in (0..=count).filter(|made| *made == 0 || *made + LAST > count) {
            let before = address.before(made);
            let text = match self.seen.get(&before.query()) {
                Some(here) if made > 0 => here.by.clone(),
                Some(here) if address.position.is_some() => short(&here.text),
                _ => "start".into(),
            };
            trail.push(Link { text, to: before.to("/") });
        }
        trail
    }

    fn graph(&mut self, address: &Address, frame: &Frame, workspace: &Workspace) -> Result<String, Told> {
        let here = self.seen.get(&address.query());
        let Some(position) = here.and_then(|here| here.position.clone()) else {
            return Err(("The play is over".into(), "there is no position".into()));
        };
        let work = |ctx: &mut Context| ctx.with_recovery(|ctx| engines::position_graph(ctx, &position, NEAR));
        let graph =
            self.within(workspace, self.patience, work).unwrap_or_else(|| Ok(engines::PositionGraph::default()));
        let graph = graph.map_err(|error| ("There is no graph".to_string(), error.message))?;
        let title = short(&graph.nodes.first().map(|node| node.text.clone()).unwrap_or_default());
        let mut notes = Vec::new();
        if graph.is_cut {
            notes.push(format!("The nearest {NEAR} positions; there are more."));
        }
        let leads = |v: usize| {
            let mut way = Vec::new();
            let mut at = v;
            while let Some((from, number)) = graph.nodes[at].by {
                way.push(Way::Move(number + 1));
                at = from;
            }
            let mut to = address.clone();
            to.moves.extend(way.into_iter().rev());
            Some(to.to("/")).filter(|text| to.moves.len() <= MOVES && text.len() <= LONGEST)
        };
        let svg = figure::svg::positions(&title, &figure::of_graph(&graph), &[], &leads);
        let back = Link { text: "Back to the position".into(), to: address.to("/") };
        Ok(frame.picture(&format!("What is near {title}"), &back, &svg, &notes))
    }

    fn map(
        &mut self,
        address: &Address,
        frame: &Frame,
        args: &ExploreArgs,
        workspace: &mut Workspace,
    ) -> Result<String, Told> {
        let none = || ("There is no map".to_string(), "a map is of one component that has a number".to_string());
        let Some(position) = self.seen.get(&address.query()).and_then(|here| here.position.clone()) else {
            return Err(none());
        };
        let Shape::Sum(sum) = &position.shape else { return Err(none()) };
        let numbers =
            sum.iter().flat_map(|one| one.state.iter()).filter(|value| matches!(value, Value::Int(_))).count();
        let side = SIDES[usize::from(numbers > 1)];
        let work = |ctx: &mut Context| ctx.with_recovery(|ctx| engines::position_map(ctx, &position, side));
        let map = self
            .within(workspace, self.patience, work)
            .unwrap_or(Ok(None))
            .map_err(|error| ("There is no map".to_string(), error.message))?;
        let map = map.ok_or_else(none)?;
        let title = short(&self.seen.get(&address.query()).map(|here| here.text.clone()).unwrap_or_default());
        // Not each position can be read again.
        let text = map.cells.first().map(|(_, text, _)| text.clone()).unwrap_or_default();
        let readable = self.begin(&Address::of(&text), args, workspace).is_ok();
        let here = sum.iter().flat_map(|one| one.state.iter());
        let here: Vec<i64> =
            here.filter_map(|value| if let Value::Int(n) = value { Some(*n) } else { None }).take(2).collect();
        let leads = |text: &str| readable.then(|| Address::of(text).to("/"));
        let svg = report::picture::of_map(&title, &map, &here, &leads);
        let back = Link { text: "Back to the position".into(), to: address.to("/") };
        let note = "Grundy values, scores, or who wins: N the player to move, P the other, D nobody. A square leads to its position; this one has a frame.";
        Ok(frame.picture(&format!("Map round {title}"), &back, &svg, &[note.into()]))
    }
}

/// A position that may be long.
fn short(text: &str) -> String {
    const LONG: usize = 300;
    let text = report::text::shortened(text);
    if text.chars().count() <= LONG { text } else { text.chars().take(LONG).chain(" ..".chars()).collect() }
}

/// What an outcome is for the one who began.
fn tone(outcome: Outcome, mover: usize) -> Tone {
    match (outcome, mover) {
        (Outcome::Draw, _) => Tone::Draws,
        (Outcome::First, 0) | (Outcome::Second, 1) => Tone::Wins,
        _ => Tone::Loses,
    }
}

fn won(outcome: Outcome, [first, second]: [&str; 2]) -> String {
    match outcome {
        Outcome::First => format!("{first} has won"),
        Outcome::Second => format!("{second} has won"),
        Outcome::Draw => "It is a draw".into(),
    }
}

/// Who wins the whole play: with points, all that are made count.
fn outcome(here: &Here, answer: &Answer) -> Outcome {
    let Some(score) = answer.score else { return answer.outcome };
    let more = here.points[here.mover] - here.points[1 - here.mover] + i128::from(score) - i128::from(here.over);
    match more.signum() {
        1 => Outcome::First,
        0 => Outcome::Draw,
        _ => Outcome::Second,
    }
}

fn verdict(here: &Here, answer: &Answer, over: bool) -> (Tone, String) {
    let outcome = outcome(here, answer);
    let tone = tone(outcome, 0);
    let [mover, other] = answer.players.as_ref().map_or(["the player to move", "the other player"], |[a, b]| [a, b]);
    let text = match (outcome, over) {
        (Outcome::First, false) => format!("{mover} wins."),
        (Outcome::Second, false) => format!("{mover} loses, {other} wins."),
        (Outcome::Draw, false) if answer.score.is_some() => "A draw: the points will be even.".into(),
        (Outcome::Draw, false) => "A draw: nobody can force a win.".into(),
        (outcome, true) => format!("No move is left: {}.", won(outcome, [mover, other]).replace("It is", "it is")),
    };
    let mut letters = text.chars();
    let first = letters.next().map(|c| c.to_uppercase().to_string()).unwrap_or_default();
    (tone, first + letters.as_str())
}

fn points(here: &Here) -> Vec<(String, String)> {
    let [first, second] = here.points;
    let [a, b] = [name(here, 0), name(here, 1)];
    let told = ("Points so far".to_string(), format!("{a} {first}, {b} {second}"));
    if here.points == [0, 0] { Vec::new() } else { vec![told] }
}

/// What a player is called: `First` began.
fn name(here: &Here, player: usize) -> String {
    let own = here.answer.as_ref().ok().and_then(|answer| answer.players.as_ref());
    let own = own.map(|names| names[usize::from(player != here.mover)].clone());
    own.unwrap_or_else(|| ["First", "Second"][player].into())
}

fn facts(here: &Here, address: &Address) -> Vec<(String, String)> {
    let mut facts = Vec::new();
    let mut fact = |name: &str, text: String| facts.push((name.to_string(), text));
    if !address.moves.is_empty() {
        let began = if here.mover == 0 { ", who began" } else { "" };
        fact("To move", format!("{}{began}", name(here, here.mover)));
    }
    if let Ok(answer) = &here.answer {
        match (&answer.grundy, answer.score, &answer.grundy_refused) {
            (Some(value), ..) => fact("Grundy value", report::text::grundy(value)),
            (None, Some(score), _) => {
                let more = i128::from(score) - i128::from(here.over);
                fact("Score", format!("{more:+} for the player to move, from here on"));
            }
            (None, None, Some(why)) => fact("Grundy value", format!("none: {why}")),
            (None, None, None) => {}
        }
        if let Some(remoteness) = answer.remoteness {
            fact("Remoteness", counted(remoteness, "move"));
        }
        if answer.outcome == Outcome::First && answer.moves_refused.is_none() && answer.score.is_none() {
            fact("Winning moves", grouped(answer.winning.count));
        }
        let how = match answer.method {
            Method::Theorem => "by a theorem of the file",
            Method::Components => "components worked out apart",
            Method::Search => "by search",
            Method::Retrograde => "by retrograde analysis",
        };
        fact("Found", how.into());
    }
    facts.extend(points(here));
    facts
}

/// What is known of a component.
fn in_short(answer: &Answer) -> String {
    let outcome = match answer.outcome {
        Outcome::First => "the player to move wins",
        Outcome::Second => "the player to move loses",
        Outcome::Draw => "a draw",
    };
    match (&answer.grundy, answer.score) {
        (Some(value), _) => format!("Grundy value {}, {outcome}", report::text::grundy(value)),
        (None, Some(score)) => format!("score {score:+}"),
        (None, None) => outcome.into(),
    }
}

/// The moves of the page, all of them or those that matter most.
fn choices(view: &mut View, here: &Here, address: &Address, all: bool) {
    let plays = match &here.plays {
        Ok(plays) => plays,
        Err(why) => {
            view.moves_note = Some(format!("All moves cannot be listed: {why}; those that are known to win are."));
            by_name(view, here, &[]);
            return;
        }
    };
    let best = here.answer.as_ref().ok().and_then(|_| engines::best(plays)).filter(|play| play.worth.is_some());
    let most = if all { ALL } else { SHOWN };
    let wins = |play: &Play| play.worth == Some(Worth::Wins);
    // Room for those that win, wherever they stand.
    let late = plays.iter().skip(most / 2).filter(|play| wins(play)).count().min(most / 2);
    let (mut early, mut left) = (most - late.min(most), late);
    for (play, number) in plays.iter().zip(1..) {
        if early > 0 {
            early -= 1;
        } else if wins(play) && left > 0 {
            left -= 1;
        } else {
            continue;
        }
        let name = short(&play.full_name());
        // A long way has a short address where the position has one.
        let after = address.after(Way::Move(number));
        let to = Some(after.to("/")).filter(|to| to.len() <= LONGEST && after.moves.len() <= MOVES);
        let to = to.unwrap_or_else(|| Address::of(&play.told.to).to("/"));
        view.moves.push(page::Choice {
            number,
            link: Link { text: if play.keeps_turn { format!("{name}, and again") } else { name }, to },
            to: short(&play.told.to),
            worth: play.worth.map(|worth| worth_told(worth, play.remoteness)),
            best: best.is_some_and(|best| std::ptr::eq(best, play)),
        });
    }
    let hidden = plays.len() - view.moves.len();
    if here.more {
        by_name(view, here, plays);
    }
    if here.more || hidden > 0 {
        let many =
            if here.more { format!("More than {}", grouped(plays.len() as u64)) } else { grouped(plays.len() as u64) };
        view.moves_note = Some(format!(
            "{many} moves can be made; those that are listed come first, and those that are known to win."
        ));
        if !all && hidden > 0 {
            let to = address.to("/");
            let sign = if to.contains('?') { "&" } else { "?" };
            view.more.push(Link { text: "List more moves".into(), to: format!("{to}{sign}all=1") });
        }
    }
}

/// Moves that win and are not among these: they are known by name, and what is behind them by its text.
fn by_name(view: &mut View, here: &Here, plays: &[Play]) {
    let known = |told: &MoveAnswer| plays.iter().any(|play| play.told.to == told.to && play.told.text == told.text);
    let winning = here.answer.iter().flat_map(|answer| &answer.winning.listed).filter(|told| !known(told));
    for (told, number) in winning.take(SHOWN).zip(plays.len() + 1..) {
        let to = Address::of(&told.to).to("/");
        if to.len() <= LONGEST {
            let worth = Some((Tone::Wins, "wins".into()));
            let link = Link { text: short(&told.text), to };
            view.moves.push(page::Choice { number, link, to: short(&told.to), worth, best: false });
        }
    }
}

fn worth_told(worth: Worth, remoteness: Option<u64>) -> (Tone, String) {
    let far = remoteness.map(|far| format!(" in {}", grouped(far.saturating_add(1)))).unwrap_or_default();
    match worth {
        Worth::Wins => (Tone::Wins, format!("wins{far}")),
        Worth::Loses => (Tone::Loses, format!("loses{far}")),
        Worth::Draws => (Tone::Draws, "draws".into()),
        Worth::Points(points) => {
            let tone = match points.signum() {
                1 => Tone::Wins,
                0 => Tone::Draws,
                _ => Tone::Loses,
            };
            (tone, format!("{points:+}"))
        }
    }
}
