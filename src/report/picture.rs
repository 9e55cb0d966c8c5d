//! Tables as SVG pictures: dots for numbers over one axis, coloured squares for everything else over one or two.

use crate::answer::{Cells, Table};
use crate::report::{grid, scatter};
use crate::value::Value;
use std::collections::BTreeMap;
use std::fmt::Write;

/// The side of a square, room for labels on the left, and above.
const SIDE: usize = 20;
const LEFT: usize = 80;
const TOP: usize = 60;
/// The least width, for the caption.
const WIDTH: usize = 400;
/// More squares than this make no picture.
const MOST: usize = 250_000;
/// Squares of tables with more rows or columns than this have no text, and labels stand at every so many only.
const LABELS: usize = 40;

/// Colours of zero, of the least and the greatest number, of the most negative one, and of what is no number.
const ZERO: [u8; 3] = [255, 209, 102];
const SMALL: [u8; 3] = [222, 235, 247];
const LARGE: [u8; 3] = [8, 81, 156];
const NEGATIVE: [u8; 3] = [165, 15, 21];
const OTHERS: [[u8; 3]; 8] = [
    [102, 194, 165],
    [252, 141, 98],
    [141, 160, 203],
    [231, 138, 195],
    [166, 216, 84],
    [255, 217, 47],
    [229, 196, 148],
    [179, 179, 179],
];

/// The table of the expression `expr` as a picture. `O(entries log entries)`.
///
/// # Errors
/// Why it has no picture, as the end of a sentence.
pub fn svg(expr: &str, table: &Table) -> Result<String, String> {
    let nothing = [Value::Int(0)];
    let (rows, columns) = match &table.axes[..] {
        [axis] => {
            if let (Cells::Full(values), Some((from, to))) = (&table.cells, axis.range)
                && let Some(numbers) = naturals(values)
            {
                return Ok(scatter::svg(expr, [&from.to_string(), &to.to_string()], &numbers, &[]));
            }
            (nothing.to_vec(), grid::all_members(table, 0))
        }
        [_, _] => (grid::all_members(table, 0), grid::all_members(table, 1)),
        axes => return Err(format!("a picture has one or two dimensions, not {}", axes.len())),
    };
    if rows.len().saturating_mul(columns.len()) > MOST {
        return Err(format!("a picture has at most {MOST} squares, not {} x {}", rows.len(), columns.len()));
    }
    let mut found = BTreeMap::new();
    for (mut members, value) in table.entries() {
        let column = members.pop().unwrap_or(Value::Int(0));
        let row = members.pop().unwrap_or(Value::Int(0));
        if found.insert((row, column), value).is_some() {
            return Err("some combination of members occurs twice".into());
        }
    }
    Ok(squares(expr, table, [&rows, &columns], &found))
}

fn naturals(values: &[Value]) -> Option<Vec<u64>> {
    let natural = |value: &Value| match value {
        Value::Int(n) => u64::try_from(*n).ok(),
        _ => None,
    };
    values.iter().map(natural).collect()
}

fn squares(expr: &str, table: &Table, axes: [&[Value]; 2], found: &BTreeMap<(Value, Value), &Value>) -> String {
    let [rows, columns] = axes;
    let scale = Scale::new(found.values().copied());
    let (width, height) = ((LEFT + columns.len() * SIDE + SIDE).max(WIDTH), TOP + rows.len() * SIDE + 2 * SIDE);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\" \
         font-size=\"10\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n\
         <text x=\"{LEFT}\" y=\"20\" font-size=\"14\">{}</text>\n",
        scatter::escaped(expr)
    );
    // Writing to a text does not fail.
    let step = |count: usize| count.div_ceil(LABELS).max(1);
    for (i, column) in columns.iter().enumerate().step_by(step(columns.len())) {
        let (x, label) = (LEFT + i * SIDE + SIDE / 2, scatter::escaped(&column.to_string()));
        let _ = writeln!(out, "<text x=\"{x}\" y=\"{}\" text-anchor=\"middle\">{label}</text>", TOP - 6);
    }
    if table.axes.len() == 2 {
        for (i, row) in rows.iter().enumerate().step_by(step(rows.len())) {
            let (y, label) = (TOP + i * SIDE + 14, scatter::escaped(&row.to_string()));
            let _ = writeln!(out, "<text x=\"{}\" y=\"{y}\" text-anchor=\"end\">{label}</text>", LEFT - 6);
        }
    }
    let small = rows.len() <= LABELS && columns.len() <= LABELS;
    for (i, row) in rows.iter().enumerate() {
        for (j, column) in columns.iter().enumerate() {
            let Some(value) = found.get(&(row.clone(), column.clone())) else { continue };
            let (x, y, [r, g, b]) = (LEFT + j * SIDE, TOP + i * SIDE, scale.colour(value));
            let members: Vec<String> = match &table.axes[..] {
                [first, second] => vec![format!("{} = {row}", first.name), format!("{} = {column}", second.name)],
                axes => axes.iter().map(|axis| format!("{} = {column}", axis.name)).collect(),
            };
            let text = value.to_string();
            let _ = writeln!(
                out,
                "<rect x=\"{x}\" y=\"{y}\" width=\"{SIDE}\" height=\"{SIDE}\" fill=\"#{r:02x}{g:02x}{b:02x}\" \
                 stroke=\"white\"><title>{}: {}</title></rect>",
                scatter::escaped(&members.join(", ")),
                scatter::escaped(&text)
            );
            if small && text.chars().count() <= 3 {
                let ink = if usize::from(r) + usize::from(g) + usize::from(b) < 330 { "white" } else { "black" };
                let (x, y) = (x + SIDE / 2, y + 14);
                let text = scatter::escaped(&text);
                let _ = writeln!(out, "<text x=\"{x}\" y=\"{y}\" text-anchor=\"middle\" fill=\"{ink}\">{text}</text>");
            }
        }
    }
    let (x, y) = (LEFT, height - SIDE / 2);
    let legend: Vec<String> = scale
        .legend()
        .iter()
        .map(|([r, g, b], text)| {
            let text = scatter::escaped(text);
            format!("<tspan fill=\"#{r:02x}{g:02x}{b:02x}\">\u{25a0}</tspan> {text}")
        })
        .collect();
    let _ = writeln!(out, "<text x=\"{x}\" y=\"{y}\">{}</text>\n</svg>", legend.join("  "));
    out
}

/// Which colour stands for which value.
struct Scale {
    least: i64,
    greatest: i64,
    /// What is no number that fits, in the order of values, with its number.
    others: BTreeMap<Value, usize>,
}

impl Scale {
    fn new<'a>(values: impl Iterator<Item = &'a Value>) -> Scale {
        let mut scale = Scale { least: 0, greatest: 0, others: BTreeMap::new() };
        for value in values {
            match value {
                Value::Int(n) => (scale.least, scale.greatest) = (scale.least.min(*n), scale.greatest.max(*n)),
                other => {
                    scale.others.insert(other.clone(), 0);
                }
            }
        }
        scale.others.values_mut().enumerate().for_each(|(i, number)| *number = i);
        scale
    }

    fn colour(&self, value: &Value) -> [u8; 3] {
        match value {
            Value::Int(0) => ZERO,
            Value::Int(n) if *n > 0 => between(LARGE, n.unsigned_abs(), self.greatest.unsigned_abs()),
            Value::Int(n) => between(NEGATIVE, n.unsigned_abs(), self.least.unsigned_abs()),
            other => OTHERS[self.others.get(other).map_or(0, |i| i % OTHERS.len())],
        }
    }

    fn legend(&self) -> Vec<([u8; 3], String)> {
        let mut legend = Vec::new();
        if self.others.is_empty() || self.greatest > 0 || self.least < 0 {
            legend.push((ZERO, "0".to_string()));
        }
        for end in [self.greatest, self.least].into_iter().filter(|&end| end != 0) {
            legend.push((self.colour(&Value::Int(end)), end.to_string()));
        }
        let others = self.others.keys().take(OTHERS.len());
        legend.extend(others.map(|value| (self.colour(value), value.to_string())));
        legend
    }
}

/// A colour from the small one to this one, `part` of `whole` of the way.
fn between(to: [u8; 3], part: u64, whole: u64) -> [u8; 3] {
    let mut colour = SMALL;
    for (from, to) in colour.iter_mut().zip(to) {
        let (way, whole) = (u128::from(from.abs_diff(to)) * u128::from(part), u128::from(whole.max(1)));
        let step = u8::try_from(way / whole).unwrap_or(u8::MAX);
        *from = if *from < to { from.saturating_add(step) } else { from.saturating_sub(step) };
    }
    colour
}
