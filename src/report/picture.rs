//! SVG pictures: dots for values over an axis, coloured squares for everything else over one or two.

use crate::answer::{Axis, Cells, Table};
use crate::engines::PositionMap;
use crate::report::table::all_members;
use crate::value::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// The side of a square, the margin, and the width of a letter of a title.
const SIDE: usize = 20;
const EDGE: usize = 16;
const LETTER: usize = 8;

/// The longest side of a large table.
const PAGE: usize = 900;

/// Colours by class, for a light background and for a dark one. No variables: not all that draws pictures knows them.
const STYLE: &str = "\
text{fill:#1b1b1f;font:13px sans-serif}.s{font-size:10px}.t{font-weight:bold}.k{fill:#fff}.c{stroke:#fff}\
.a{stroke:#1b1b1f;fill:none}.b{stroke:#c0143c;fill:none;stroke-dasharray:4}.r{fill:#c0143c}.d{stroke:#33658a;stroke-linecap:round;fill:none}\
.ink{fill:#1b1b1f}.pale{fill:#fff}\
@media(prefers-color-scheme:dark){text{fill:#e8e8ee}.k{fill:#17171c}.c{stroke:#17171c}.a{stroke:#e8e8ee}.b{stroke:#ff8a8a}.r{fill:#ff8a8a}\
.d{stroke:#7fb2d9}.ink{fill:#1b1b1f}.pale{fill:#fff}}";

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
            if let (Cells::Full(values), Some((from, _))) = (&table.cells, axis.range)
                && let Some(numbers) = naturals(values)
            {
                return Ok(dots(expr, &axis.name, from, &numbers, &[]));
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
    Ok(squares(expr, table, [&rows, &columns], &found, None, &|_, _| None))
}

fn naturals(values: &[Option<Value>]) -> Option<Vec<u64>> {
    values.iter().map(|value| if let Some(Value::Int(n)) = value { u64::try_from(*n).ok() } else { None }).collect()
}

/// The map of positions as a picture: a frame round the square `here`; each square leads to what `to` says of its position, if anything.
/// `O(cells log cells)`.
pub fn of_map(title: &str, map: &PositionMap, here: &[i64], to: &dyn Fn(&str) -> Option<String>) -> String {
    let ints = |members: &[i64]| members.iter().copied().map(Value::Int).collect::<Vec<_>>();
    let axis = |(name, members): &(String, Vec<i64>)| Axis { name: name.clone(), values: ints(members), range: None };
    let table = Table { axes: map.axes.iter().map(axis).collect(), cells: Cells::Some(Vec::new()) };
    let place = |at: &[i64]| match at {
        [a, b] => (Value::Int(*a), Value::Int(*b)),
        at => (Value::Int(0), Value::Int(at.first().copied().unwrap_or(0))),
    };
    let nothing = [Value::Int(0)];
    let axes: [&[Value]; 2] = match &table.axes[..] {
        [rows, columns] => [&rows.values, &columns.values],
        [columns] => [&nothing, &columns.values],
        _ => [&nothing, &nothing],
    };
    let found = map.cells.iter().map(|(at, _, value)| (place(at), value)).collect();
    let texts: BTreeMap<_, _> = map.cells.iter().map(|(at, text, _)| (place(at), text)).collect();
    squares(title, &table, axes, &found, Some(&place(here)), &|row, column| {
        texts.get(&(row.clone(), column.clone())).and_then(|text| to(text))
    })
}

/// Where the square of a row and a column leads.
type Leads<'l> = dyn Fn(&Value, &Value) -> Option<String> + 'l;

fn squares(
    expr: &str,
    table: &Table,
    axes: [&[Value]; 2],
    found: &BTreeMap<(Value, Value), &Value>,
    framed: Option<&(Value, Value)>,
    leads: &Leads<'_>,
) -> String {
    let [rows, columns] = axes;
    let scale = Scale::new(found.values().copied());
    let small = rows.len() <= LABELS && columns.len() <= LABELS;
    // Large tables are no larger than a page.
    let side = if small { SIDE } else { (PAGE / rows.len().max(columns.len())).clamp(2, SIDE) };
    let two = table.axes.len() == 2;
    let labels: Vec<String> = if two { rows.iter().map(ToString::to_string).collect() } else { Vec::new() };
    let widest = labels.iter().map(|label| label.chars().count()).max().unwrap_or(0).min(16);
    let left = EDGE + if two { 24 + 7 * widest } else { 0 };
    let width = (left + columns.len() * side + EDGE).max(WIDTH);
    let title = wrapped(expr, (width - 2 * EDGE) / LETTER);
    let top = 24 + 18 * title.len() + 34;
    let key = scale.key((left, width), top + rows.len() * side + 24);
    let mut out = head(width, key.1 + EDGE, expr);
    for (at, line) in title.iter().enumerate() {
        let _ = writeln!(out, "<text class=\"t\" x=\"{EDGE}\" y=\"{}\">{}</text>", 24 + 18 * at, escaped(line));
    }
    // Writing to a text does not fail.
    let (columns_name, rows_name) = match &table.axes[..] {
        [first, second] => (&*second.name, Some(&*first.name)),
        [only] => (&*only.name, None),
        _ => ("", None),
    };
    let middle = left + columns.len() * side / 2;
    let _ = writeln!(
        out,
        "<text text-anchor=\"middle\" x=\"{middle}\" y=\"{}\">{}</text>",
        top - 24,
        escaped(columns_name)
    );
    for (i, label) in ticks(columns, if small { LABELS } else { columns.len() * side / 30 }) {
        let x = left + i * side + side / 2;
        let label = escaped(&label);
        let _ = writeln!(out, "<text class=\"s\" x=\"{x}\" y=\"{}\" text-anchor=\"middle\">{label}</text>", top - 6);
    }
    if let Some(name) = rows_name {
        let y = top + rows.len() * side / 2;
        let _ = writeln!(
            out,
            "<text text-anchor=\"middle\" transform=\"translate({} {y}) rotate(-90)\">{}</text>",
            EDGE + 8,
            escaped(name)
        );
        for (i, label) in ticks(rows, if small { LABELS } else { rows.len() * side / 16 }) {
            let (x, y, label) = (left - 6, top + i * side + side / 2 + 4, escaped(&label));
            let _ = writeln!(out, "<text class=\"s\" x=\"{x}\" y=\"{y}\" text-anchor=\"end\">{label}</text>");
        }
    }
    // Between small squares there is no room for lines.
    let class = if side >= 6 { " class=\"c\"" } else { "" };
    for (i, row) in rows.iter().enumerate() {
        for (j, column) in columns.iter().enumerate() {
            let Some(value) = found.get(&(row.clone(), column.clone())) else { continue };
            let (x, y, [r, g, b]) = (left + j * side, top + i * side, scale.colour(value));
            let members: Vec<String> = match &table.axes[..] {
                [first, second] => vec![format!("{} = {row}", first.name), format!("{} = {column}", second.name)],
                axes => axes.iter().map(|axis| format!("{} = {column}", axis.name)).collect(),
            };
            let text = value.to_string();
            let to = leads(row, column);
            if let Some(to) = &to {
                let _ = write!(out, "<a href=\"{}\">", attribute(to));
            }
            let _ = writeln!(
                out,
                "<rect{class} x=\"{x}\" y=\"{y}\" width=\"{side}\" height=\"{side}\" fill=\"#{r:02x}{g:02x}{b:02x}\">\
                 <title>{}: {}</title></rect>",
                escaped(&members.join(", ")),
                escaped(&text)
            );
            if small && text.chars().count() <= 3 {
                let ink = if usize::from(r) + usize::from(g) + usize::from(b) < 330 { "pale" } else { "ink" };
                let (x, y) = (x + side / 2, y + 14);
                let text = escaped(&text);
                let _ =
                    writeln!(out, "<text class=\"s {ink}\" x=\"{x}\" y=\"{y}\" text-anchor=\"middle\">{text}</text>");
            }
            if framed == Some(&(row.clone(), column.clone())) {
                let (x, y, side) = (left + j * side + 1, top + i * side + 1, side - 2);
                let _ = writeln!(
                    out,
                    "<rect x=\"{x}\" y=\"{y}\" width=\"{side}\" height=\"{side}\" fill=\"none\" stroke=\"#d1495b\" stroke-width=\"3\"/>"
                );
            }
            if to.is_some() {
                out.push_str("</a>");
            }
        }
    }
    let _ = writeln!(out, "{}</svg>", key.0);
    out
}

/// Where labels stand along an axis: at round numbers where its members are numbers, else at every so many.
fn ticks(members: &[Value], most: usize) -> Vec<(usize, String)> {
    let numbers: Option<Vec<i64>> =
        members.iter().map(|member| if let Value::Int(n) = member { Some(*n) } else { None }).collect();
    let most = most.max(1);
    let every = members.len().div_ceil(most);
    let is_round = |at: usize| match &numbers {
        Some(numbers) if every > 1 => {
            let span = numbers.iter().max().zip(numbers.iter().min()).map_or(0, |(to, from)| to.abs_diff(*from));
            numbers[at].unsigned_abs().is_multiple_of(round_step(span, most))
        }
        _ => at.is_multiple_of(every),
    };
    (0..members.len()).filter(|at| is_round(*at)).map(|at| (at, members[at].to_string())).collect()
}

/// 1, 2 or 5 times a power of ten, of which no more than so many fit into the span.
fn round_step(span: u64, most: usize) -> u64 {
    let mut step = 1_u64;
    for factor in [2, 5, 10].into_iter().cycle() {
        if span / step <= most.max(1) as u64 {
            return step;
        }
        // 1, 2, 5, 10, 20, 50, ..
        step = match factor {
            5 => step.saturating_div(2).saturating_mul(5),
            _ => step.saturating_mul(2),
        };
    }
    step
}

/// A text in lines of so many characters, broken at blanks where there are some.
fn wrapped(text: &str, most: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        for part in word.chars().collect::<Vec<_>>().chunks(most.max(8)) {
            let part: String = part.iter().collect();
            let last = lines.last().map_or(0, |line| line.chars().count());
            if last > 0 && last + 1 + part.chars().count() > most {
                lines.push(String::new());
            }
            if let Some(line) = lines.last_mut() {
                if !line.is_empty() {
                    line.push(' ');
                }
                line.push_str(&part);
            }
        }
    }
    lines
}

/// The head of a picture with what all pictures have in common: colours for light and for dark backgrounds.
pub(crate) fn head(width: usize, height: usize, title: &str) -> String {
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" role=\"img\">\n\
         <title>{}</title>\n<style>{STYLE}</style>\n<rect class=\"k\" width=\"{width}\" height=\"{height}\"/>\n",
        escaped(title)
    )
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

    /// The colours with what they mean, between left and width, in rows from this height on; and where it ends.
    fn key(&self, (left, width): (usize, usize), from: usize) -> (String, usize) {
        let (mut x, mut y, mut out) = (left, from, String::new());
        for ([r, g, b], text) in self.legend() {
            let wide = 22 + LETTER * text.chars().count();
            if x > left && x + wide > width {
                (x, y) = (left, y + 18);
            }
            let _ = write!(
                out,
                "<rect class=\"c\" x=\"{x}\" y=\"{}\" width=\"12\" height=\"12\" fill=\"#{r:02x}{g:02x}{b:02x}\"/>\
                 <text class=\"s\" x=\"{}\" y=\"{y}\">{}</text>",
                y - 10,
                x + 16,
                escaped(&text)
            );
            x += wide + 8;
        }
        (out + "\n", y)
    }

    /// Zero, round numbers on the way to the ends, and the ends; then what is no number.
    fn legend(&self) -> Vec<([u8; 3], String)> {
        let mut numbers = BTreeSet::new();
        if self.others.is_empty() || self.greatest > 0 || self.least < 0 {
            numbers.insert(0);
        }
        for end in [self.greatest, self.least].into_iter().filter(|&end| end != 0) {
            let step = i64::try_from(round_step(end.unsigned_abs(), 4)).unwrap_or(i64::MAX);
            let on_the_way = (1..4).filter_map(|n| step.checked_mul(n)).filter(|n| *n < end.saturating_abs());
            numbers.extend(on_the_way.map(|n| if end < 0 { -n } else { n }));
            numbers.insert(end);
        }
        let mut legend: Vec<_> = numbers.iter().map(|n| (self.colour(&Value::Int(*n)), n.to_string())).collect();
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

/// The values over a range from a number on as dots, with the name of the axis; a vertical line with a caption at each mark that lies
/// inside. Dots that fall on the same tenth of a pixel are drawn once, so that the picture stays small.
pub fn dots(title: &str, axis: &str, from: i64, values: &[u64], marks: &[(usize, String)]) -> String {
    /// The size of the drawing, and of the margin round it.
    const WIDTH: usize = 1000;
    const HEIGHT: usize = 500;
    const MARGIN: usize = 60;
    /// So many labels stand along an axis.
    const TICKS: usize = 12;
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
    let lines = wrapped(title, WIDTH / LETTER);
    let mut out = head(right + MARGIN, bottom + MARGIN, title);
    for (at, line) in lines.iter().take(2).enumerate() {
        let _ = writeln!(out, "<text class=\"t\" x=\"{MARGIN}\" y=\"{}\">{}</text>", 22 + 18 * at, escaped(line));
    }
    let _ = writeln!(out, "<path class=\"a\" d=\"M{MARGIN} {MARGIN}V{bottom}H{right}\"/>");
    let _ = writeln!(out, "<text x=\"{right}\" y=\"{}\" text-anchor=\"end\">{}</text>", bottom + 48, escaped(axis));
    // Round numbers and both ends.
    let step = round_step(count as u64, TICKS);
    for n in 0..values.len() {
        let number = from.saturating_add(i64::try_from(n).unwrap_or(i64::MAX));
        let end = n == 0 || n + 1 == values.len();
        let crowded = |other: usize| n.abs_diff(other) as u64 * 2 < step;
        if end || number.unsigned_abs().is_multiple_of(step) && !crowded(0) && !crowded(values.len() - 1) {
            let at = tenths(x(n));
            let _ = writeln!(
                out,
                "<path class=\"a\" d=\"M{at} {bottom}v5\"/><text class=\"s\" x=\"{at}\" y=\"{}\" text-anchor=\"middle\">{number}</text>",
                bottom + 18
            );
        }
    }
    let step = round_step(max, TICKS);
    let heights = (0_u64..)
        .map_while(|n| n.checked_mul(step))
        .take_while(|value| *value <= max && max - value >= step.div_ceil(2) || *value == 0);
    for value in heights.chain([max]) {
        let at = tenths(y(value));
        let _ = writeln!(
            out,
            "<path class=\"a\" d=\"M{MARGIN} {at}h-5\"/><text class=\"s\" x=\"{}\" y=\"{at}\" dy=\"4\" text-anchor=\"end\">{value}</text>",
            MARGIN - 8
        );
    }
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
            "<path class=\"b\" d=\"M{at} {MARGIN}V{bottom}\"/>\
             <text class=\"r\" x=\"{at}\" y=\"{}\" text-anchor=\"{anchor}\">{caption}</text>",
            bottom + 38
        );
    }
    let dots: BTreeSet<(usize, usize)> = (0..).zip(values).map(|(n, value)| (x(n), y(*value))).collect();
    // Few dots are larger ones.
    let size = (WIDTH / count * 2 / 3).clamp(4, 9);
    let _ = write!(out, "<path class=\"d\" stroke-width=\"{size}\" d=\"");
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

/// A text as the value of an attribute.
pub(crate) fn attribute(text: &str) -> String {
    escaped(text).replace('"', "&quot;")
}
