//! Values over an axis as an SVG picture: a dot for each value.

use std::collections::BTreeSet;
use std::fmt::Write;

/// The size of the drawing, and of the margin round it.
const WIDTH: usize = 1000;
const HEIGHT: usize = 500;
const MARGIN: usize = 50;

/// The values over a range as dots, `ends` at the ends of the axis; a vertical line with a caption at each mark that lies
/// inside. Dots that fall on the same tenth of a pixel are drawn once, so that the picture stays small.
pub fn svg(title: &str, ends: [&str; 2], values: &[u64], marks: &[(usize, String)]) -> String {
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
    // Writing to a text does not fail.
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
pub(super) fn escaped(text: &str) -> String {
    text.replace(char::is_control, "").replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
