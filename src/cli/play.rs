//! `grundy play`: a game at the keyboard, against the perfect player or between two.
//!
//! On a terminal lines are edited and completed; from a pipe they are read as they come, so that a game can be played by a script.

use crate::answer::{Method, Outcome};
use crate::cli::args::LimitArgs;
use crate::cli::output::Output;
use crate::cli::solve::StartArgs;
use crate::cli::workspace::{ANSWERED, LIMIT, Stop, Workspace};
use crate::engines::{self, Play, Worth};
use crate::figure;
use crate::report::paint::{bold, green, red};
use crate::report::{self, grouped};
use crate::value::{Points, Position};
use crate::vm::context::Context;
use rustyline::completion::Completer;
use rustyline::error::ReadlineError;
use rustyline::history::DefaultHistory;
use rustyline::{Editor, Helper, Highlighter, Hinter, Validator};
use std::fmt::Write;
use std::io::{self, BufRead, IsTerminal};
use std::sync::Arc;

/// So many moves are listed at each turn.
const LISTED: usize = 12;

/// No more moves can be made.
const MOVES: usize = 5000;

#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  grundy play nim.game heaps=[3,4,5]
  grundy play wythoff.game -p 'Wythoff(3, 5)' --second
  grundy play nim.game --two

A move is named by its number, `2`, or by its name, `take 3`. `help` tells the other words.")]
pub(crate) struct PlayArgs {
    #[command(flatten)]
    start: StartArgs,
    /// The perfect player begins
    #[arg(long, conflicts_with = "two")]
    second: bool,
    /// Two play at one keyboard
    #[arg(long)]
    two: bool,
    #[command(flatten)]
    pub(super) limits: LimitArgs,
}

/// Words that are no moves, and what they do.
const WORDS: [(&str, &str); 7] = [
    ("hint", "a best move"),
    ("value", "who wins, and the value"),
    ("line", "a line of best play"),
    ("moves", "all moves"),
    ("undo", "take your last move back"),
    ("help", "these words"),
    ("quit", "end"),
];

pub(super) fn run(args: &PlayArgs, workspace: &mut Workspace, out: &mut Output) -> Result<u8, Stop> {
    let (ctx, start) = args.start.position(&args.limits.allow_path, workspace)?;
    let players = [!args.second || args.two, args.second || args.two];
    let mut ctx = ctx;
    // What is over at the start counts for who begins.
    let over =
        ctx.with_recovery(|ctx| engines::points_over(ctx, &start)).map_err(|error| workspace.explained(*error))?;
    let turn = Turn { at: start, mover: 0, points: [over, Points::ZERO] };
    let mut game = Game { ctx, workspace, out, players, two: args.two, turn, past: Vec::new(), keys: Keys::new() };
    game.play()
}

/// Where a game stands.
#[derive(Clone)]
struct Turn {
    at: Arc<Position>,
    /// Who is to move: 0 for who began.
    mover: usize,
    /// What each has won on the way.
    points: [Points; 2],
}

struct Game<'g> {
    ctx: Context,
    workspace: &'g Workspace,
    out: &'g mut Output,
    /// Which of the two sit at the keyboard.
    players: [bool; 2],
    two: bool,
    turn: Turn,
    /// Where each turn at the keyboard began.
    past: Vec<Turn>,
    keys: Keys,
}

/// What is known at a turn.
struct Known {
    plays: Vec<Play>,
    /// There are more of them.
    more: bool,
    answer: Option<crate::answer::Answer>,
}

impl Game<'_> {
    fn play(&mut self) -> Result<u8, Stop> {
        loop {
            let text = self.ctx.position_text(&self.turn.at);
            let drawn = figure::text::figure(&figure::of(&mut self.ctx, &self.turn.at));
            self.out.text(&format!("\n{}\n{drawn}", bold(&text)))?;
            self.out.flush()?;
            let known = self.known()?;
            if known.plays.is_empty() {
                return self.ended(&known);
            }
            let ends = if self.players[self.turn.mover] { self.ask(&known)? } else { self.answer(&known)? };
            if let Some(code) = ends {
                return Ok(code);
            }
        }
    }

    /// The moves, each with what it is worth.
    fn known(&mut self) -> Result<Known, Stop> {
        self.workspace.restart_clock(&mut self.ctx);
        let at = self.turn.at.clone();
        let plays = self.ctx.with_recovery(|ctx| engines::first_moves(ctx, &at, MOVES));
        let (mut plays, more) = plays.map_err(|error| self.workspace.explained(*error))?;
        let answer = engines::judge(&mut self.ctx, &at, &mut plays, engines::STEPS).ok();
        if self.ctx.is_crowded() {
            self.ctx.forget();
        }
        Ok(Known { plays, more, answer })
    }

    /// What the player to move is called: `You`, or as the game says.
    fn name(&self, known: &Known, mover: usize) -> String {
        let own = known.answer.as_ref().and_then(|answer| answer.players.as_ref());
        let own = own.map(|names| names[usize::from(mover != self.turn.mover)].clone());
        own.unwrap_or_else(|| if mover == 0 { "First".into() } else { "Second".into() })
    }

    /// A turn at the keyboard. The exit code where it is the last.
    fn ask(&mut self, known: &Known) -> Result<Option<u8>, Stop> {
        self.list(known, LISTED)?;
        let name = if self.two { format!("{}, your", self.name(known, self.turn.mover)) } else { "Your".into() };
        self.keys.offer(known);
        loop {
            self.out.flush()?;
            // While the program waits no time passes.
            self.workspace.allow(None);
            let Some(line) = self.keys.line(&format!("{name} move (1-{}, or help): ", known.plays.len())) else {
                self.out.text("\n")?;
                return Ok(Some(ANSWERED));
            };
            self.workspace.restart_clock(&mut self.ctx);
            let word = line.split_whitespace().collect::<Vec<_>>().join(" ");
            if word.is_empty() {
                continue;
            }
            match chosen(&known.plays, &word) {
                Ok(Some(play)) => {
                    self.past.push(self.turn.clone());
                    let play = play.clone();
                    return self.make(&play, known);
                }
                Err(told) => {
                    self.out.text(&format!("{told}\n"))?;
                    continue;
                }
                Ok(None) => {}
            }
            match &*word.trim_start_matches(':').to_lowercase() {
                "quit" | "exit" | "q" => return Ok(Some(ANSWERED)),
                "help" | "?" | "h" => {
                    let mut text = String::from("A move is named by its number or by its name. Other words:\n");
                    for (word, does) in WORDS {
                        let _ = writeln!(text, "  {word:<6} {does}");
                    }
                    self.out.text(&text)?;
                }
                "moves" => self.list(known, usize::MAX)?,
                "hint" => {
                    let hint = engines::best(&known.plays).filter(|_| known.answer.is_some());
                    let text = hint.map_or_else(
                        || "that was not worked out: the position is too large".to_string(),
                        |play| format!("{}{}", said(play), worth(play)),
                    );
                    self.out.text(&format!("{text}\n"))?;
                }
                "value" => {
                    let text = known.answer.as_ref().map_or_else(
                        || "that was not worked out: the position is too large".to_string(),
                        |answer| {
                            let by = if answer.method == Method::Theorem { ", by a theorem of the file" } else { "" };
                            format!("{}{by}", report::text::line(answer))
                        },
                    );
                    self.out.text(&format!("{text}\n"))?;
                }
                "line" => {
                    let at = self.turn.at.clone();
                    // By the rules alone, as moves are judged; by theorems where that is too much.
                    let mut line = engines::line(&mut self.ctx, &at, true, false);
                    if line.moves.is_empty() && line.cut {
                        line = engines::line(&mut self.ctx, &at, false, false);
                    }
                    let players = known.answer.as_ref().and_then(|answer| answer.players.as_ref());
                    self.out.text(&report::text::line_of_play(&line, players))?;
                }
                "undo" | "back" => {
                    let Some(before) = self.past.pop() else {
                        self.out.text("there is no move of yours to take back\n")?;
                        continue;
                    };
                    self.turn = before;
                    return Ok(None);
                }
                _ => {
                    let names = known.plays.iter().map(|play| play.told.name.as_str());
                    let near = crate::source::nearest(&word, names.chain(WORDS.iter().map(|(word, _)| *word)));
                    let hint = near.map(|near| format!(", but `{near}` is")).unwrap_or_default();
                    self.out
                        .text(&format!("`{word}` is no move here{hint}; `moves` lists them, `help` tells more\n"))?;
                }
            }
        }
    }

    /// A turn of the perfect player.
    fn answer(&mut self, known: &Known) -> Result<Option<u8>, Stop> {
        let Some(play) = engines::best(&known.plays).cloned() else { return Ok(Some(ANSWERED)) };
        if known.answer.is_none() {
            self.out.text("The position is too large to be worked out: this is any move.\n")?;
        } else if known.more && play.worth != Some(Worth::Wins) {
            let count = grouped(known.plays.len() as u64);
            self.out.text(&format!("There are more than {count} moves: this is the best of the first ones.\n"))?;
        }
        self.out.text(&format!("I play {}\n", bold(&said(&play))))?;
        self.make(&play, known)
    }

    fn make(&mut self, play: &Play, known: &Known) -> Result<Option<u8>, Stop> {
        let mover = self.turn.mover;
        self.turn.points[mover] += &play.gain;
        let Some(next) = &play.next else {
            let winner = match play.worth {
                Some(Worth::Wins) => Some(mover),
                Some(Worth::Loses) => Some(1 - mover),
                _ => None,
            };
            return self.told(known, winner).map(Some);
        };
        self.turn.at = next.clone();
        if !play.keeps_turn {
            self.turn.mover = 1 - mover;
        }
        self.turn.points[self.turn.mover] += &play.over;
        Ok(None)
    }

    /// Nobody can move: who has won.
    fn ended(&mut self, known: &Known) -> Result<u8, Stop> {
        let mover = self.turn.mover;
        let Some(answer) = &known.answer else {
            self.out.text("Who has won was not worked out.\n")?;
            return Ok(LIMIT);
        };
        // What is over was counted when it was entered.
        if answer.score.is_some() {
            let [a, b] = &self.turn.points;
            let winner = match a.cmp(b) {
                std::cmp::Ordering::Greater => Some(0),
                std::cmp::Ordering::Less => Some(1),
                std::cmp::Ordering::Equal => None,
            };
            let text = format!("{}: {a}, {}: {b}\n", self.name(known, 0), self.name(known, 1));
            self.out.text(&text)?;
            return self.told(known, winner);
        }
        let winner = match answer.outcome {
            Outcome::First => Some(mover),
            Outcome::Second => Some(1 - mover),
            Outcome::Draw => None,
        };
        self.told(known, winner)
    }

    fn told(&mut self, known: &Known, winner: Option<usize>) -> Result<u8, Stop> {
        let text = match winner {
            None => "It is a draw.".to_string(),
            Some(winner) if self.two => green(&format!("{} wins.", self.name(known, winner))),
            Some(winner) if self.players[winner] => green("You win."),
            Some(_) => red("I win."),
        };
        self.out.text(&format!("{text}\n"))?;
        Ok(ANSWERED)
    }

    fn list(&mut self, known: &Known, most: usize) -> Result<(), Stop> {
        let width = known.plays.len().to_string().len();
        let mut text = String::new();
        for (at, play) in known.plays.iter().enumerate().take(most) {
            let _ = writeln!(text, "  {:>width$}  {}", at + 1, said(play));
        }
        if known.plays.len() > most {
            let _ = writeln!(text, "  {} more: `moves` lists them", known.plays.len() - most);
        }
        if known.more {
            text.push_str("  and others, which are too many\n");
        }
        self.out.text(&text)
    }
}

/// The move as a player names it: `take 2`, in a sum of several `take 2 in Nim(3)`. Long rule parameters are not said.
fn said(play: &Play) -> String {
    match &play.told.within {
        Some(within) => report::text::shortened(&format!("{} in {within}", play.told.text)),
        None => play.told.text.clone(),
    }
}

/// What the move is worth, behind its name.
fn worth(play: &Play) -> String {
    match &play.worth {
        Some(Worth::Wins) => ", which wins".into(),
        Some(Worth::Loses) => ", but all moves lose".into(),
        Some(Worth::Draws) => ", which draws".into(),
        Some(Worth::Points(points)) => format!(", for {points} more points than the other from here on"),
        None => String::new(),
    }
}

/// The move that a line names: by number, by name, or by the beginning of one name. `Ok(None)`: it is no move. Error: what to write
/// where it is several.
fn chosen<'p>(plays: &'p [Play], word: &str) -> Result<Option<&'p Play>, String> {
    if let Ok(number) = word.parse::<usize>() {
        let play = number.checked_sub(1).and_then(|at| plays.get(at));
        return play.map(Some).ok_or_else(|| format!("the moves have the numbers 1 to {}", plays.len()));
    }
    let same = |text: &str| text.to_lowercase() == word.to_lowercase();
    let exact: Vec<&Play> =
        plays.iter().filter(|play| same(&said(play)) || same(&play.told.text) || same(&play.full_name())).collect();
    let is_word = WORDS.iter().any(|(own, _)| same(own)) || word.starts_with(':');
    let begun = |play: &&Play| said(play).to_lowercase().starts_with(&word.to_lowercase());
    let found = if exact.is_empty() && !is_word { plays.iter().filter(begun).collect() } else { exact };
    match &found[..] {
        [] => Ok(None),
        [one] => Ok(Some(one)),
        [first, second, ..] => {
            Err(format!("`{word}` is several moves: write the number, or `{}`, `{}`", said(first), said(second)))
        }
    }
}

/// Where lines come from.
enum Keys {
    Terminal(Box<Editor<Names, DefaultHistory>>),
    Pipe,
}

/// The names of moves and words, as the editor completes them.
#[derive(Default, Helper, Highlighter, Hinter, Validator)]
struct Names(Vec<String>);

impl Completer for Names {
    type Candidate = String;

    fn complete(&self, line: &str, end: usize, _: &rustyline::Context<'_>) -> rustyline::Result<(usize, Vec<String>)> {
        let begun = line.get(..end).unwrap_or(line);
        Ok((0, self.0.iter().filter(|name| name.starts_with(begun)).cloned().collect()))
    }
}

impl Keys {
    fn new() -> Keys {
        if io::stdin().is_terminal()
            && io::stdout().is_terminal()
            && let Ok(mut editor) = Editor::new()
        {
            editor.set_helper(Some(Names::default()));
            return Keys::Terminal(Box::new(editor));
        }
        Keys::Pipe
    }

    /// Completes these moves.
    fn offer(&mut self, known: &Known) {
        if let Keys::Terminal(editor) = self
            && let Some(names) = editor.helper_mut()
        {
            names.0 = known.plays.iter().map(said).collect();
            names.0.extend(WORDS.iter().map(|(word, _)| (*word).to_string()));
        }
    }

    /// The next line; `None` at the end of the input.
    fn line(&mut self, prompt: &str) -> Option<String> {
        match self {
            Keys::Terminal(editor) => loop {
                match editor.readline(prompt) {
                    Ok(line) => {
                        // A history that is full or off is no reason to stop.
                        let _ = editor.add_history_entry(line.as_str());
                        return Some(line);
                    }
                    // The window was made larger or smaller.
                    Err(ReadlineError::Signal(_)) => {}
                    // No letters: no move.
                    Err(ReadlineError::Io(error)) if error.kind() == io::ErrorKind::InvalidData => {
                        return Some(String::new());
                    }
                    Err(_) => return None,
                }
            },
            Keys::Pipe => {
                let mut bytes = Vec::new();
                let read = io::stdin().lock().read_until(b'\n', &mut bytes);
                read.is_ok_and(|read| read > 0).then(|| String::from_utf8_lossy(&bytes).into_owned())
            }
        }
    }
}
