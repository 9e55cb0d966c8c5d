//! Tables in a directory beside the same search in memory: processor seconds, seconds on the clock and memory, with all the
//! memory there is and with a part of what the tables take. Then two processes beside one. The tables are those of
//! `docs/scale.md`.

mod child;

use crate::child::{Used, is_child, run};
use std::fmt::Write;
use std::net::TcpListener;
use std::path::Path;
use std::process::ExitCode;

/// A game, and a limit of memory that is a quarter of its tables or less.
struct Large {
    what: &'static str,
    text: String,
    memory: &'static str,
}

/// Tokens on a ring, each of which may move by these steps where it and the next one are in certain places together. `ends`: the
/// play is over where three of them meet; else positions have loopy values.
fn ring(tokens: usize, places: usize, steps: &[usize], ends: bool) -> String {
    let names: Vec<String> = (0..tokens).map(|i| format!("t{i}")).collect();
    let end = if ends { "  end when t0 == t1 and t1 == t2: lost\n" } else { "" };
    let mut text = format!("game Ring({}) {{\n{end}", names.join(", "));
    for i in 0..tokens {
        let next = (i + 1) % tokens;
        for step in steps {
            let to = |(j, name): (usize, &String)| {
                if i == j { format!("({name} + {step}) mod {places}") } else { name.clone() }
            };
            let to: Vec<String> = names.iter().enumerate().map(to).collect();
            let (to, most) = (to.join(", "), places / 2 + step);
            // A String takes all that is written to it.
            let _ = writeln!(text, "  move m{i}_{step} where (t{i} + t{next}) mod {places} > {most} -> Ring({to})");
        }
    }
    let start: Vec<String> = (1..=tokens).map(|i| (i * places / (tokens + 1)).to_string()).collect();
    text + &format!("}}\nsolve Ring({})\n", start.join(", "))
}

/// Five numbers modulo `n`: a move adds to one what it takes from the next. So their sum stays, and few of all states are met.
fn sum(n: usize) -> String {
    let names = ["a", "b", "c", "d", "e"];
    let mut text = format!("game Sum({}) {{\n  end when a == b and c == d: lost\n", names.join(", "));
    for (at, (step, part)) in [(1, 2), (7, 3), (2, 4), (3, 3)].into_iter().enumerate() {
        let to = |(j, name): (usize, &&str)| match j {
            j if j == at => format!("({name} + {step}) mod {n}"),
            j if j == at + 1 => format!("({name} + {}) mod {n}", n - step),
            _ => (*name).to_string(),
        };
        let to: Vec<String> = names.iter().enumerate().map(to).collect();
        let (from, next) = (names[at], names[at + 1]);
        // A String takes all that is written to it.
        let _ = writeln!(text, "  move {from} where {from} + {next} > {n} div {part} -> Sum({})", to.join(", "));
    }
    text + "}\nsolve Sum(1, 12, 23, 4, 15)\n"
}

fn games() -> Vec<Large> {
    let heaps = "game Heaps(a, b, c) {\n  move take k in 1..a -> Heaps(a - k, b, c)\n  \
                 move both k in 1..min(a, b) -> Heaps(a - k, b - k, c)\n  \
                 move third k in 1..min(b, c) where k mod 3 != 1 -> Heaps(a, b - k, c - k)\n  \
                 move last where c > 0 -> Heaps(a, b, c - 1)\n}\nsolve Heaps(450, 450, 450)\n";
    vec![
        Large { what: "three heaps, 9*10^7 positions", text: heaps.into(), memory: "260M" },
        Large { what: "five tokens on a ring of 32, 2^25 positions", text: ring(5, 32, &[1, 5], true), memory: "40M" },
        Large { what: "the same without ends, with values", text: ring(5, 32, &[1, 5], false), memory: "60M" },
        Large {
            what: "five tokens on a ring of 42, 1.3*10^8 positions",
            text: ring(5, 42, &[1, 5], true),
            memory: "96M",
        },
        Large { what: "five numbers modulo 64, 8.4*10^6 of 2^30 positions are met", text: sum(64), memory: "60M" },
    ]
}

fn main() -> ExitCode {
    if let Some(code) = is_child() {
        return code;
    }
    let folder = std::env::temp_dir().join(format!("grundy-scale-{}", std::process::id()));
    let done = table(&folder).and_then(|()| processes(&folder));
    let _ = std::fs::remove_dir_all(&folder);
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn table(folder: &Path) -> std::io::Result<()> {
    std::fs::create_dir_all(folder)?;
    println!("Processor seconds, seconds on the clock, MiB; one thread.");
    println!("| game | in memory | in a directory | with so much memory | processor, clock: times that in memory |");
    println!("|---|--:|--:|--:|--:|");
    for Large { what, text, memory } in games() {
        let (file, dir) = (folder.join("large.game"), folder.join("tables"));
        std::fs::write(&file, text)?;
        let (name, tables) = (file.display().to_string(), dir.display().to_string());
        let base = ["solve", &name, "--exhaustive", "--threads", "1"];
        let mut used = Vec::new();
        for more in [&[][..], &["--tables", &tables], &["--tables", &tables, "--memory", memory]] {
            let _ = std::fs::remove_dir_all(&dir);
            let one = run(&[&base[..], more].concat())?;
            if one.exit != 0 {
                return Err(std::io::Error::other(format!("{what}: exit code {} with {more:?}", one.exit)));
            }
            used.push(one);
        }
        let told: Vec<String> =
            used.iter().map(|used| format!("{:.1}, {:.1}, {}", used.cpu, used.seconds, used.mib)).collect();
        if let [first, .., last] = &used[..] {
            let (cpu, clock) = (last.cpu / first.cpu, last.seconds / first.seconds);
            println!("| {what} | {} ({memory}) | {cpu:.2}, {clock:.2} |", told.join(" | "));
        }
    }
    Ok(())
}

/// What each of two processes took that work together, in memory.
fn two(folder: &Path, name: &str) -> std::io::Result<[Used; 2]> {
    let ports = [(); 2].map(|()| TcpListener::bind("127.0.0.1:0"));
    let mut hosts = String::new();
    for port in &ports {
        let port = port.as_ref().map_err(|error| std::io::Error::other(error.to_string()))?;
        hosts += &port.local_addr()?.to_string();
        hosts.push('\n');
    }
    drop(ports);
    let list = folder.join("hosts");
    std::fs::write(&list, hosts)?;
    let list = list.display().to_string();
    let host = |index: &str| run(&["solve", name, "--exhaustive", "--threads", "1", "--hosts", &list, "--host", index]);
    std::thread::scope(|scope| {
        let other = scope.spawn(|| host("1"));
        let first = host("0")?;
        let other = other.join().map_err(|_| std::io::Error::other("a thread ended"))??;
        if first.exit == 0 && other.exit == 0 { Ok([first, other]) } else { Err(std::io::Error::other("no answer")) }
    })
}

fn processes(folder: &Path) -> std::io::Result<()> {
    println!("\nProcessor seconds of one process, and of the busier of two; seconds on the clock.");
    println!("| game | one process | two, the busier | processor, clock: times as fast |");
    println!("|---|--:|--:|--:|");
    for Large { what, text, .. } in games().into_iter().skip(1) {
        let file = folder.join("large.game");
        std::fs::write(&file, text)?;
        let name = file.display().to_string();
        let one = run(&["solve", &name, "--exhaustive", "--threads", "1"])?;
        let [first, other] = two(folder, &name)?;
        let (cpu, seconds) = (first.cpu.max(other.cpu), first.seconds.max(other.seconds));
        let times = (one.cpu / cpu, one.seconds / seconds);
        println!(
            "| {what} | {:.1}, {:.1} | {cpu:.1}, {seconds:.1} | {:.2}, {:.2} |",
            one.cpu, one.seconds, times.0, times.1
        );
    }
    Ok(())
}
