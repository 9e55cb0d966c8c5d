//! SVG pictures: dots for values over an axis, coloured squares for everything else over one or two.

use crate::answer::{Cells, Table};
use crate::report::table::all_members;
use crate::value::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// The side of a square, room for labels on the left, and above.
const SIDE: usize = 20;
const LEFT: usize = 80;
const TOP: usize = 60;

/// The least width, for the caption.
const WIDTH: usize = 400;
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

/// The table of the expression `expr` as a picture. `O(entries log entries)`. Errors: why it has no picture, as the end
/// of a sentence.
pub fn of_table(expr: &str, table: &Table) -> Result<String, String> {
    let nothing = [Value::Int(0)];
    let (rows, columns) = match &table.axes[..] {
        [axis] => {
            if let (Cells::Full(values), Some((from, to))) = (&table.cells, axis.range)
                && let Some(numbers) = naturals(values)
            {
                return Ok(dots(expr, [&from.to_string(), &to.to_string()], &numbers, &[]));
            }
            (nothing.to_vec(), all_members(table, 0))
        }
        [_, _] => (all_members(table, 0), all_members(table, 1)),
        axes => return Err(format!("a picture has one or two dimensions, not {}", axes.len())),
    };
    if rows.len().saturating_mul(columns.len()) > MOST {
        return Err(format!("a picture has at most {MOST} squares, not {} x {}", rows.len(), columns.len()));
    }
    let mut found = BTreeMap::new();
    for (mut members, value) in table.entries() {
        let column = members.pop().unwrap_or(Value::Int(0));
        let row = members.pop().unwrap_or(Value::Int(0));
        // What was not worked out stays empty.
        if let Some(value) = value
            && found.insert((row, column), value).is_some()
        {
            return Err("some combination of members occurs twice".into());
        }
    }
    Ok(squares(expr, table, [&rows, &columns], &found))
}

fn naturals(values: &[Option<Value>]) -> Option<Vec<u64>> {
    values.iter().map(|value| if let Some(Value::Int(n)) = value { u64::try_from(*n).ok() } else { None }).collect()
}

fn squares(expr: &str, table: &Table, axes: [&[Value]; 2], found: &BTreeMap<(Value, Value), &Value>) -> String {
    let [rows, columns] = axes;
    let scale = Scale::new(found.values().copied());
    let (width, height) = ((LEFT + columns.len() * SIDE + SIDE).max(WIDTH), TOP + rows.len() * SIDE + 2 * SIDE);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\" \
         font-size=\"10\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n\
         <text x=\"{LEFT}\" y=\"20\" font-size=\"14\">{}</text>\n",
        escaped(expr)
    );
    // Writing to a text does not fail.
    let step = |count: usize| count.div_ceil(LABELS).max(1);
    for (i, column) in columns.iter().enumerate().step_by(step(columns.len())) {
        let (x, label) = (LEFT + i * SIDE + SIDE / 2, escaped(&column.to_string()));
        let _ = writeln!(out, "<text x=\"{x}\" y=\"{}\" text-anchor=\"middle\">{label}</text>", TOP - 6);
    }
    if table.axes.len() == 2 {
        for (i, row) in rows.iter().enumerate().step_by(step(rows.len())) {
            let (y, label) = (TOP + i * SIDE + 14, escaped(&row.to_string()));
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
                escaped(&members.join(", ")),
                escaped(&text)
            );
            if small && text.chars().count() <= 3 {
                let ink = if usize::from(r) + usize::from(g) + usize::from(b) < 330 { "white" } else { "black" };
                let (x, y) = (x + SIDE / 2, y + 14);
                let text = escaped(&text);
                let _ = writeln!(out, "<text x=\"{x}\" y=\"{y}\" text-anchor=\"middle\" fill=\"{ink}\">{text}</text>");
            }
        }
    }
    let (x, y) = (LEFT, height - SIDE / 2);
    let legend: Vec<String> = scale
        .legend()
        .iter()
        .map(|([r, g, b], text)| {
            let text = escaped(text);
            format!("<tspan fill=\"#{r:02x}{g:02x}{b:02x}\">\u{25a0}</tspan> {text}")
        })
        .collect();
    let _ = writeln!(out, "<text x=\"{x}\" y=\"{y}\">{}</text>\n</svg>", legend.join("  "));
    out
}

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

/// The values over a range as dots, `ends` at the ends of the axis; a vertical line with a caption at each mark that lies
/// inside. Dots that fall on the same tenth of a pixel are drawn once, so that the picture stays small.
pub fn dots(title: &str, ends: [&str; 2], values: &[u64], marks: &[(usize, String)]) -> String {
    /// The size of the drawing, and of the margin round it.
    const WIDTH: usize = 1000;
    const HEIGHT: usize = 500;
    const MARGIN: usize = 50;
    let max = values.iter().copied().max().unwrap_or(0).max(1);
    let count = values.len().max(2) - 1;
    // Tenths of a pixel, in whole numbers.
    let x = |n: usize| MARGIN * 10 + n * WIDTH * 10 / count;
    let y = |value: u64| {
        let height = u128::from(value) * (HEIGHT * 10) as u128 / u128::from(max);
        (MARGIN + HEIGHT) * 10 - usize::try_from(height).unwrap_or(0)
    };
    let tenths = |t: usize| format!("{}.{}", t / 10, t % 10);
    let (right, bottom) = (MARGIN + WIDTH, MARGIN + HEIGHT);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {}\" font-family=\"sans-serif\" font-size=\"14\">\n",
        right + MARGIN,
        bottom + MARGIN
    );
    let escaped = escaped(title);
    let [from, to] = ends;
    let _ = writeln!(out, "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>");
    let _ = writeln!(out, "<text x=\"{MARGIN}\" y=\"30\">{escaped}</text>");
    let _ = writeln!(
        out,
        "<path d=\"M{MARGIN} {MARGIN}V{bottom}H{right}\" fill=\"none\" stroke=\"black\"/>\n\
         <text x=\"{MARGIN}\" y=\"{}\">{from}</text><text x=\"{right}\" y=\"{}\" text-anchor=\"end\">{to}</text>\n\
         <text x=\"{}\" y=\"{}\" text-anchor=\"end\">{max}</text>",
        bottom + 20,
        bottom + 20,
        MARGIN - 6,
        MARGIN + 5
    );
    for (at, caption) in marks.iter().filter(|(at, _)| *at < values.len()) {
        let (at, pixels) = (tenths(x(*at)), x(*at) / 10);
        // A caption begins or ends at its mark where there is no room on both sides.
        let anchor = match pixels {
            ..=200 => "start",
            _ if pixels + 150 > right => "end",
            _ => "middle",
        };
        let _ = writeln!(
            out,
            "<path d=\"M{at} {MARGIN}V{bottom}\" stroke=\"crimson\" stroke-dasharray=\"4\"/>\
             <text x=\"{at}\" y=\"{}\" fill=\"crimson\" text-anchor=\"{anchor}\">{caption}</text>",
            bottom + 38
        );
    }
    let dots: BTreeSet<(usize, usize)> = (0..).zip(values).map(|(n, value)| (x(n), y(*value))).collect();
    // Few dots are larger ones.
    let size = (WIDTH / count / 2).clamp(2, 7);
    let _ = write!(out, "<path stroke=\"steelblue\" stroke-width=\"{size}\" stroke-linecap=\"round\" d=\"");
    for (x, y) in dots {
        let _ = write!(out, "M{} {}h0", tenths(x), tenths(y));
    }
    out.push_str("\"/>\n</svg>\n");
    out
}

/// A text as it stands in a picture, without the control characters that no XML can hold.
pub(crate) fn escaped(text: &str) -> String {
    text.replace(char::is_control, "").replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
