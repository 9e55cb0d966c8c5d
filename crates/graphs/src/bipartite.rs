//! Colouring with two colours.

use crate::Ends;
use crate::rows::Rows;

/// The colours, 1 and 2, of what is joined with these vertices, of which the first of each part has the colour 1; 0 elsewhere.
/// `None`: an edge there joins two of one colour, or is a loop. O(n + edges).
#[must_use]
pub fn colours(
    n: usize,
    edges: impl Iterator<Item = Ends> + Clone,
    from: impl Iterator<Item = u32>,
) -> Option<Vec<u8>> {
    let rows = Rows::both(n, edges);
    let mut colours = vec![0; n];
    let mut open = Vec::new();
    for first in from {
        if colours[first as usize] != 0 {
            continue;
        }
        colours[first as usize] = 1;
        open.push(first);
        while let Some(v) = open.pop() {
            let other = 3 - colours[v as usize];
            for place in rows.places(v) {
                let w = rows.at(place);
                if colours[w as usize] == 0 {
                    colours[w as usize] = other;
                    open.push(w);
                } else if colours[w as usize] != other {
                    return None;
                }
            }
        }
    }
    Some(colours)
}
