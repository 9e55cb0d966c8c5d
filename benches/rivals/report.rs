//! What was measured, as text: a block for each case while the run goes on, Markdown tables at its end.

use crate::measure::Sample;
use crate::{Row, compile, data};
use std::fmt::Write;

/// A few lines about one case.
pub(crate) fn block(row: &Row) -> String {
    let mut text = format!("{}\n", row.case.name);
    match &row.ours {
        Ok(ours) => text += &line("grundy", ours, None),
        Err(failure) => {
            let _ = writeln!(text, "  grundy: no answer: {}", failure.message);
        }
    }
    for (rival, sample) in &row.rivals {
        text += &line(&rival.name(), sample, row.ours.as_ref().ok());
    }
    text
}

fn line(name: &str, sample: &Sample, ours: Option<&Sample>) -> String {
    let Sample { wall, cpu, .. } = sample;
    let memory = megabytes(sample);
    let ratio = ours.map_or(String::new(), |ours| format!("  grundy takes {} of it", times(ours.wall, *wall)));
    format!("  {name:20} {wall:8.3} s  {cpu:8.3} s cpu  {memory:6} MB{ratio}\n")
}

/// Two tables: times, and memory with the length of the programs.
pub(crate) fn tables(rows: &[Row]) -> String {
    let mut times_table = String::from(
        "| case | positions | grundy s | cpu s | million/s | rival | s | cpu s | ratio | cpu ratio |\n\
         |---|--:|--:|--:|--:|---|--:|--:|--:|--:|\n",
    );
    let mut sizes_table = String::from(
        "| case | grundy MB | bytes a position | game lines | rival | MB | lines |\n|---|--:|--:|--:|---|--:|--:|\n",
    );
    for row in rows {
        let game_lines = compile::code_lines(&data::game(row.case), "#");
        let (ours, memory) = match &row.ours {
            Ok(ours) => (
                format!("{:.3} | {:.3} | {}", ours.wall, ours.cpu, rate(row.positions, ours.cpu)),
                format!("{} | {}", megabytes(ours), each(ours, row.positions)),
            ),
            Err(failure) => (format!("{} | |", failure.message), " | ".to_string()),
        };
        let none = Sample { wall: 0.0, cpu: 0.0, memory: 0, answers: Vec::new() };
        let rivals = row.rivals.iter().map(|(rival, sample)| (rival.name(), compile::lines(rival), sample));
        let mut rivals: Vec<(String, usize, &Sample)> = rivals.collect();
        if rivals.is_empty() {
            rivals.push(("none".to_string(), 0, &none));
        }
        for (name, lines, sample) in rivals {
            let (ratio, cpu_ratio) = match &row.ours {
                Ok(ours) => (times(ours.wall, sample.wall), times(ours.cpu, sample.cpu)),
                Err(_) => (String::new(), String::new()),
            };
            let _ = writeln!(
                times_table,
                "| {} | {} | {ours} | {name} | {:.3} | {:.3} | {ratio} | {cpu_ratio} |",
                row.case.name, row.positions, sample.wall, sample.cpu
            );
            let _ = writeln!(
                sizes_table,
                "| {} | {memory} | {game_lines} | {name} | {} | {lines} |",
                row.case.name,
                megabytes(sample)
            );
        }
    }
    format!(
        "\nratio: grundy's time as a multiple of the rival's; below 1 grundy is faster\n\n{times_table}\n{sizes_table}"
    )
}

fn megabytes(sample: &Sample) -> u64 {
    sample.memory.div_ceil(1 << 20)
}

fn times(ours: f64, theirs: f64) -> String {
    if theirs > 0.0 { format!("{:.2}x", ours / theirs) } else { String::new() }
}

#[allow(clippy::cast_precision_loss)] // for print
fn rate(positions: u64, seconds: f64) -> String {
    if seconds > 0.0 { format!("{:.3}", positions as f64 / seconds / 1e6) } else { String::new() }
}

fn each(sample: &Sample, positions: u64) -> String {
    if positions < 100_000 { String::new() } else { (sample.memory / positions).to_string() }
}
