//! Boxes worked out in blocks by several processes, here threads that are connected as processes are: the same as by one.

use super::blocks::{Game, boxed, folder, games, known, rules, same};
use crate::crews::crews;
use crate::rounds;
use grundy::disk::Folder;
use grundy::graph_search::blocks::together::Order;
use grundy::graph_search::blocks::{Blocks, Setting, Stop};
use grundy::value::limits::Limits;
use grundy::value::refusal::{Failure, Refusal};
use std::fs;
use std::path::Path;
use std::thread;
use std::time::Duration;

/// Works a box out with so many processes, each in a folder of its own where a path is given; `then`: what the first one does with
/// it.
fn by_processes(
    game: &Game,
    count: usize,
    setting: impl Fn(usize) -> Setting + Sync,
    path: Option<&Path>,
    then: impl FnOnce(Result<&Blocks, Failure>) + Send,
) {
    let mut then = Some(then);
    thread::scope(|scope| {
        for crew in crews(count) {
            let index = crew.index();
            let (then, setting) = (then.take_if(|_| index == 0), &setting);
            scope.spawn(move || {
                let folder = path.map(|path| Folder::bare(&path.join(index.to_string())).expect("a folder"));
                let setting = Setting { crew: Some(crew.clone()), ..setting(index) };
                let blocks = Blocks::solve(&rules(game), &game.extent(), game.misere, &setting, folder);
                if let Some(then) = then {
                    match &blocks {
                        Ok(blocks) => then(Ok(blocks)),
                        Err(why) => then(Err(why.clone())),
                    }
                    drop(blocks);
                    Order::Over.give(&crew).expect("told");
                    return;
                }
                loop {
                    match (Order::take(&crew).expect("an order"), &blocks) {
                        (Order::Over, _) => return,
                        (Order::Forget(job), Ok(blocks)) => assert_eq!(job, blocks.job()),
                        // The first one has the error, too.
                        (order, Ok(blocks)) => drop(blocks.obey(&Limits::default(), &order)),
                        (order, Err(_)) => panic!("{order:?} of blocks that failed"),
                    }
                }
            });
        }
    });
}

/// In the usual run one game of all states of a box, and one of those that are met.
fn some_games() -> impl Iterator<Item = Game> {
    games().into_iter().step_by(rounds(8, 1))
}

#[test]
fn several_processes_say_what_one_says() {
    let path = folder("together");
    for game in games().into_iter().skip(rounds(3, 0)).step_by(rounds(2, 1)) {
        let hour = Duration::from_hours(1);
        let ways = [
            (3, 4, hour, None),
            (2, 4, Duration::ZERO, Some(1 << 11)),
            (1, 4, hour, None),
            (2, 4, hour, None),
            (3, 1, hour, Some(1 << 14)),
            (4, 4, hour, None),
            (4, 16, hour, Some(1 << 11)),
        ];
        for &(count, bits, interval, memory) in &ways[..rounds(2, ways.len())] {
            let _ = fs::remove_dir_all(&path);
            let how = format!("{count} processes, {bits} bits, {interval:?}, {memory:?}");
            // Not all have as much memory.
            let memory = |index: usize| memory.map(|memory: usize| memory << index);
            let setting = |index: usize| Setting { interval, memory: memory(index), ..Setting::new(bits) };
            let path = memory(0).map(|_| path.as_path());
            by_processes(&game, count, setting, path, |blocks| same(&game, blocks.expect(&how), &how));
            if interval.is_zero() {
                // The folders know it.
                by_processes(&game, count, setting, path, |blocks| same(&game, blocks.expect(&how), &how));
            }
        }
    }
    let _ = fs::remove_dir_all(&path);
}

#[test]
fn all_go_on_from_a_checkpoint_that_all_have() {
    let path = folder("gone");
    for game in some_games() {
        let mut stopped = 0;
        // Where they meet seldom, much is under way when one of them stops.
        let ways =
            [(0, Duration::ZERO), (1, Duration::from_hours(1)), (0, Duration::from_hours(1)), (1, Duration::ZERO)];
        for &(index, interval) in &ways[..rounds(2, ways.len())] {
            let mut after = 0;
            loop {
                let _ = fs::remove_dir_all(&path);
                let stop = |own: usize| Some(Stop { after, saves: false }).filter(|_| own == index);
                let setting = |_: usize| Setting { interval, memory: Some(1 << 12), ..Setting::new(4) };
                let first = |own: usize| Setting { stop: stop(own), ..setting(own) };
                let mut whole = false;
                by_processes(&game, 2, first, Some(&path), |blocks| {
                    let Ok(blocks) = blocks else { return };
                    whole = game.misere || blocks.values(&Limits::default(), &known(&game, blocks)).is_ok();
                });
                stopped += i32::from(!whole);
                by_processes(&game, 2, setting, Some(&path), |blocks| {
                    same(&game, blocks.expect("gone on"), &format!("{index} stopped after {after}"));
                });
                if whole {
                    break;
                }
                after += 1 + after / rounds(1, 4);
            }
        }
        assert!(stopped > 3, "{} {stopped}", game.name);
    }
    let _ = fs::remove_dir_all(&path);
}

/// A part from another run is not gone on from, though it has as many checkpoints.
#[test]
fn parts_of_different_runs_do_not_mix() {
    let path = folder("mixed");
    let (first, other) = (path.join("0"), path.join("kept"));
    for game in some_games() {
        let setting = |_: usize| Setting { memory: Some(1 << 12), interval: Duration::ZERO, ..Setting::new(4) };
        for (a, b) in [(9, 14), (30, 21), (25, 60)] {
            let _ = fs::remove_dir_all(&path);
            for after in [a, b] {
                let _ = fs::remove_dir_all(path.join("1"));
                let _ = fs::rename(&first, &other);
                let stopped = |own: usize| Setting { stop: Some(Stop { after, saves: false }), ..setting(own) };
                by_processes(&game, 2, stopped, Some(&path), |blocks| drop(blocks.err()));
            }
            fs::remove_dir_all(&first).expect("a part");
            fs::rename(&other, &first).expect("the part of the other run");
            by_processes(&game, 2, setting, Some(&path), |blocks| same(&game, blocks.expect("anew"), "mixed"));
        }
    }
    let _ = fs::remove_dir_all(&path);
}

/// A play of some thousand moves, of which each decides one position or two: one process is to work it out.
#[test]
fn layers_of_few_positions_are_left_to_one_process() {
    let path = folder("thin");
    let text = "game Strip(a, b) {
  move over where a == 0 -> Strip(1, b)
  move back where a == 1 and b > 9 -> Strip(0, b)
  move on where b > 0 -> Strip(a, b - 1) }
solve Strip(0, 2999)";
    let game = boxed("strip", text, &[false; 2]).expect("a box");
    let one = Blocks::solve(&rules(&game), &game.extent(), false, &Setting::new(4), None).expect("one process");
    by_processes(
        &game,
        2,
        |_| Setting::new(4),
        None,
        |blocks| {
            assert!(matches!(blocks, Err(Failure::Refused(Refusal::ThinLayers))), "{:?}", blocks.map(|_| ()));
        },
    );
    // What is kept is gone on with.
    by_processes(
        &game,
        2,
        |_| Setting::new(4),
        Some(&path),
        |blocks| {
            let blocks = blocks.expect("two processes");
            for rank in 0..game.grid.volume {
                let words = game.grid.words(rank);
                assert_eq!(blocks.read(&words).expect("read"), one.read(&words).expect("read"), "{words:?}");
            }
        },
    );
    let _ = fs::remove_dir_all(&path);
}
