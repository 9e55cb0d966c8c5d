//! `grundy plan`: what a long search would take, estimated from a sample, before it is begun.

use crate::cli::args::{self, Binding, LimitArgs};
use crate::cli::complete;
use crate::cli::load;
use crate::cli::output::Output;
use crate::cli::solve::{bodies, position};
use crate::cli::workspace::{ANSWERED, Stop, Workspace};
use crate::engines::{self, Forecast, Size};
use crate::graph_search::blocks::Sample;
use crate::processes::join;
use crate::report::{grouped, paint};
use serde_json::{Value as Json, json};
use std::fmt::Write;
use std::time::Duration;

#[derive(clap::Args, Debug)]
pub(crate) struct PlanArgs {
    /// The game file; `-` reads it from stdin
    #[arg(add = complete::game_file())]
    file: std::path::PathBuf,
    /// Values for the file's inputs, as JSON or plain text
    #[arg(value_name = "NAME=VALUE", value_parser = args::binding, add = complete::inputs())]
    inputs: Vec<Binding>,
    /// This position instead of the file's `solve` lines; may be repeated
    #[arg(short, long, value_name = "POSITION", allow_hyphen_values = true, add = complete::games())]
    position: Vec<String>,
    /// So many processes as of `solve --processes` or `--hosts`
    #[arg(long, value_name = "N", default_value = "1", value_parser = clap::value_parser!(u64).range(1..=join::MOST as u64))]
    processes: u64,
    /// Print one JSON object per position
    #[arg(long)]
    pub(super) json: bool,
    #[command(flatten)]
    pub(super) limits: LimitArgs,
}

pub(super) fn run(args: &PlanArgs, workspace: &mut Workspace, out: &mut Output) -> Result<u8, Stop> {
    let mut parsed = load::parse(&args.file, &mut workspace.sources, &args.limits.allow_path)?;
    parsed.ask_positions(&args.position, &mut workspace.sources)?;
    let (loaded, mut ctx) = parsed.check_with(&args.inputs, workspace)?;
    for (index, body) in bodies(&loaded.program).into_iter().enumerate() {
        let (text, forecast) = ctx.with_recovery(|ctx| {
            let position = position(ctx, body, false)?;
            let forecast = engines::forecast(ctx, &position).map_err(|halt| halt.placed(body.term.span))?;
            Ok((ctx.position_text(&position), forecast))
        })?;
        let forecast = forecast.map_err(|why| why.to_string());
        if args.json {
            out.json(&object(&text, &forecast, args.processes))?;
        } else {
            let gap = if index > 0 { "\n" } else { "" };
            out.text(&format!("{gap}{}\n{}", paint::bold(&text), lines(&forecast, args.processes)))?;
        }
    }
    Ok(ANSWERED)
}

/// What each of so many processes takes, in bytes: memory, the same with values, the same on the disk, what it sends to others.
fn bytes(sample: &Sample, positions: u64, processes: u64) -> [u64; 5] {
    let own = positions.div_ceil(processes);
    let [memory, valued] = [false, true].map(|values| sample.memory(own, values));
    let [disk, valued_disk] = [false, true].map(|values| sample.disk(own, values));
    [memory, valued, disk, valued_disk, sample.network(positions, processes)]
}

/// Where it is not known how many positions there are the estimates are for so many.
const MANY: u64 = 100_000_000;

fn object(text: &str, forecast: &Result<Forecast, String>, processes: u64) -> Json {
    let mut object = json!({ "position": text, "processes": processes });
    let Forecast { positions, sample } = match forecast {
        Ok(forecast) => forecast,
        Err(why) => {
            object["none"] = why.as_str().into();
            return object;
        }
    };
    let for_positions = match *positions {
        Size::Box(count) | Size::Met(count) => {
            object["positions"] = count.into();
            count
        }
        Size::More(count, volume) => {
            object["positions"] = Json::Null;
            object["more_than"] = count.into();
            object["box"] = volume.into();
            object["for_positions"] = MANY.into();
            MANY
        }
    };
    object["in_order"] = sample.is_none().into();
    if let Some(sample) = sample {
        let [memory, valued, disk, valued_disk, sent] = bytes(sample, for_positions, processes);
        object["each"] = json!({
            "memory_bytes": memory,
            "memory_bytes_with_values": valued,
            "disk_bytes": disk,
            "disk_bytes_with_values": valued_disk,
            "sent_bytes": sent,
            "seconds": sample.time(for_positions.div_ceil(processes)).as_secs(),
        });
    }
    object
}

fn lines(forecast: &Result<Forecast, String>, processes: u64) -> String {
    let Forecast { positions, sample } = match forecast {
        Ok(forecast) => forecast,
        Err(why) => return format!("  no table: {why}\n"),
    };
    let (how, many, all) = match *positions {
        Size::Box(count) => ("a box in blocks", grouped(count), count),
        Size::Met(count) => ("the positions that are met, in blocks", grouped(count), count),
        Size::More(count, volume) => {
            let many = format!("more than {} of {} in the box", grouped(count), grouped(volume));
            ("the positions that are met, in blocks", many, MANY)
        }
    };
    let Some(sample) = sample else {
        let from = size(all);
        let to = size(all.saturating_mul(8));
        return format!(
            "  a table that one process fills in order\n  positions         {many} in the box\n  memory or disk    {from} to {to}\n"
        );
    };
    let moves = tenths(sample.moves * 10 / sample.states.max(1));
    let mut text = format!(
        "  {how}\n  positions         {many}, {moves} moves of each in a sample of {}\n",
        grouped(sample.states)
    );
    let counts = if processes > 1 { vec![1, processes] } else { vec![1] };
    for count in counts {
        let [memory, valued, disk, valued_disk, sent] = bytes(sample, all, count).map(size);
        let title = if count == 1 { "one process".to_string() } else { format!("each of {count} processes") };
        let part = if matches!(positions, Size::More(..)) {
            format!(", if they are {}", grouped(MANY))
        } else {
            String::new()
        };
        // A String takes all that is written to it.
        let _ = write!(text, "  {title}{part}\n    memory          {memory}; with values {valued}\n");
        let _ = writeln!(text, "    disk            {disk} with `--tables`; with values {valued_disk}");
        if count > 1 {
            let _ = writeln!(text, "    network         {sent} are sent");
        }
        let _ = writeln!(text, "    processor time  {}, without values", time(sample.time(all.div_ceil(count))));
    }
    text
}

/// Bytes, to two digits.
fn size(bytes: u64) -> String {
    let (mut unit, mut left) = (1u64, ["bytes", "KB", "MB", "GB", "TB", "PB"].iter());
    let mut name = left.next().unwrap_or(&"");
    while bytes / unit >= 1000
        && let Some(next) = left.next()
    {
        (unit, name) = (unit * 1000, next);
    }
    let whole = bytes / unit;
    if whole < 10 && unit > 1 { format!("{} {name}", tenths(bytes / (unit / 10))) } else { format!("{whole} {name}") }
}

fn tenths(number: u64) -> String {
    format!("{}.{}", number / 10, number % 10)
}

/// Seconds, minutes or hours.
fn time(time: Duration) -> String {
    match time.as_secs() {
        seconds @ 0..120 => format!("{} s", seconds.max(1)),
        seconds @ 120..7200 => format!("{} min", seconds / 60),
        seconds => format!("{} h", seconds / 3600),
    }
}
