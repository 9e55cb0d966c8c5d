//! What the pages say: a position with its moves, the graph of what is near, the map round it.

use crate::answer::{Answer, Method, MoveAnswer, Outcome};
use crate::cli::explore::address::{Address, LONGEST, MOVES, Question, Way};
use crate::cli::explore::{ExploreArgs, Explorer, Here, Told, Unknown};
use crate::cli::workspace::Workspace;
use crate::engines::{self, Play, Worth};
use crate::figure;
use crate::report::page::{self, Frame, Link, Tone, View};
use crate::report::{self, counted, grouped};
use crate::value::{Points, Shape, Value};
use crate::vm::context::Context;
use std::time::Duration;

/// A page that is opened waits so long for what is not known yet.
const SOON: Duration = Duration::from_millis(150);

/// So many moves are on a page, and so many on one that shows all.
const SHOWN: usize = 400;
pub(super) const ALL: usize = 5000;

/// So many positions are in the picture of what is near.
const NEAR: usize = 60;

/// The sides of a map of one number and of two.
const SIDES: [i64; 2] = [40, 21];

impl Explorer {
    pub(super) fn position(
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

    pub(super) fn graph(&mut self, address: &Address, frame: &Frame, workspace: &Workspace) -> Result<String, Told> {
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
        if graph.is_merged {
            notes.push("Sums that differ in the order of their components are one position.".into());
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

    pub(super) fn map(
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
pub(super) fn short(text: &str) -> String {
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
    let Some(score) = &answer.score else { return answer.outcome };
    let ahead = &here.points[here.mover] - &here.points[1 - here.mover];
    engines::who_leads(&(&ahead + &(score - &here.over)))
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
    let [first, second] = &here.points;
    let [a, b] = [name(here, 0), name(here, 1)];
    let told = ("Points so far".to_string(), format!("{a} {first}, {b} {second}"));
    if here.points == [Points::ZERO, Points::ZERO] { Vec::new() } else { vec![told] }
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
        match (&answer.grundy, &answer.score, &answer.grundy_refused) {
            (Some(value), ..) => fact("Grundy value", report::text::grundy(value)),
            (None, Some(score), _) => {
                let more = score - &here.over;
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
    match (&answer.grundy, &answer.score) {
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
            worth: play.worth.as_ref().map(|worth| worth_told(worth, play.remoteness)),
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

fn worth_told(worth: &Worth, remoteness: Option<u64>) -> (Tone, String) {
    let far = remoteness.map(|far| format!(" in {}", grouped(far.saturating_add(1)))).unwrap_or_default();
    match worth {
        Worth::Wins => (Tone::Wins, format!("wins{far}")),
        Worth::Loses => (Tone::Loses, format!("loses{far}")),
        Worth::Draws => (Tone::Draws, "draws".into()),
        Worth::Points(points) => (tone(engines::who_leads(points), 0), format!("{points:+}")),
    }
}
