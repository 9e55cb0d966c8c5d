//! How the edges of a drawn graph run, and where there is room for what they are called.

/// A point in pixels, the first row at the top.
pub(super) type Point = (f64, f64);

/// What a name may not lie on: left, top, right, bottom.
pub(super) type Room = (f64, f64, f64, f64);

/// Pieces of each part of a curve on which names may stand.
const PIECES: usize = 12;

/// Names may stand at these shares of a curve; the earlier the better.
const SHARES: [f64; 11] = [0.5, 0.44, 0.56, 0.38, 0.62, 0.32, 0.68, 0.26, 0.74, 0.2, 0.8];

/// The width of a letter of a name, how far it reaches above its base and below, and how far it is from its curve.
const LETTER: f64 = 6.0;
const ABOVE: f64 = 9.0;
const BELOW: f64 = 3.0;
const BESIDE: f64 = 4.0;

/// A smooth curve through two points or more (Catmull and Rom 1974).
pub(super) struct Curve {
    points: Vec<Point>,
}

impl Curve {
    pub(super) fn through(points: Vec<Point>) -> Self {
        Curve { points }
    }

    /// The direction at the end, of length 1.
    pub(super) fn direction(&self) -> Point {
        let Some(&[from, to]) = self.points.last_chunk() else { return (0.0, 1.0) };
        let (dx, dy) = (to.0 - from.0, to.1 - from.1);
        let far = dx.hypot(dy).max(1.0);
        (dx / far, dy / far)
    }

    /// Takes so much off the end.
    pub(super) fn shorten(&mut self, by: f64) {
        let (dx, dy) = self.direction();
        if let Some(last) = self.points.last_mut() {
            *last = (last.0 - dx * by, last.1 - dy * by);
        }
    }

    pub(super) fn end(&self) -> Point {
        self.points.last().copied().unwrap_or_default()
    }

    /// The parts, each as a cubic curve: its ends, and the points between that it is drawn to.
    pub(super) fn parts(&self) -> impl Iterator<Item = [Point; 4]> {
        let points = &self.points;
        let tangent = |at: usize| {
            let (before, after) = (points[at.saturating_sub(1)], points[(at + 1).min(points.len() - 1)]);
            let share = if at == 0 || at + 1 == points.len() { 1.0 } else { 2.0 };
            ((after.0 - before.0) / share, (after.1 - before.1) / share)
        };
        (1..points.len()).map(move |at| {
            let ((x, y), (to_x, to_y)) = (points[at - 1], points[at]);
            let (out, into) = (tangent(at - 1), tangent(at));
            [(x, y), (x + out.0 / 3.0, y + out.1 / 3.0), (to_x - into.0 / 3.0, to_y - into.1 / 3.0), (to_x, to_y)]
        })
    }

    #[allow(clippy::cast_precision_loss)] // there are few
    fn samples(&self) -> Vec<Point> {
        let on = |[a, b, c, d]: [f64; 4], t: f64| {
            let s = 1.0 - t;
            a * s * s * s + 3.0 * b * s * s * t + 3.0 * c * s * t * t + d * t * t * t
        };
        let all = self.parts().flat_map(|part| {
            (0..=PIECES).map(move |at| {
                let t = at as f64 / PIECES as f64;
                (on(part.map(|point| point.0), t), on(part.map(|point| point.1), t))
            })
        });
        all.collect()
    }
}

/// Where a name stands: its base, and whether it ends there rather than begins.
pub(super) struct Place {
    pub(super) base: Point,
    pub(super) ends: bool,
}

impl Place {
    pub(super) fn room(&self, letters: usize) -> Room {
        #[allow(clippy::cast_precision_loss)] // names are short
        let width = letters as f64 * LETTER;
        let (x, y) = self.base;
        let left = if self.ends { x - width } else { x };
        (left, y - ABOVE, left + width, y + BELOW)
    }
}

/// A place beside its curve for each name of so many letters, apart from each other and from what is `taken`, with as little as possible
/// of other curves below; `None`: there is none. `O(names * curves)` times some hundred.
pub(super) fn names(curves: &[(&Curve, usize)], mut taken: Vec<Room>) -> Vec<Option<Place>> {
    let samples: Vec<Vec<Point>> = curves.iter().map(|(curve, _)| curve.samples()).collect();
    let mut order: Vec<usize> = (0..curves.len()).collect();
    // Short ones have less choice.
    order.sort_by_key(|at| samples[*at].len());
    let mut places: Vec<Option<Place>> = curves.iter().map(|_| None).collect();
    for at in order {
        let (_, letters) = curves[at];
        if letters == 0 {
            continue;
        }
        let own = &samples[at];
        let mut best: Option<(usize, Place)> = None;
        for share in SHARES {
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, clippy::cast_precision_loss)] // a share
            let (x, y) = own[((own.len() - 1) as f64 * share) as usize];
            for ends in [false, true] {
                let place = Place { base: (if ends { x - BESIDE } else { x + BESIDE }, y), ends };
                let room = place.room(letters);
                if taken.iter().any(|other| overlap(room, *other)) {
                    continue;
                }
                let others = samples.iter().enumerate().filter(|(other, _)| *other != at);
                let below = others.flat_map(|(_, points)| points).filter(|point| within(**point, room)).count();
                if best.as_ref().is_none_or(|(least, _)| below < *least) {
                    best = Some((below, place));
                }
            }
        }
        if let Some((_, place)) = best {
            taken.push(place.room(letters));
            places[at] = Some(place);
        }
    }
    places
}

fn overlap(a: Room, b: Room) -> bool {
    a.0 < b.2 && b.0 < a.2 && a.1 < b.3 && b.1 < a.3
}

fn within((x, y): Point, (left, top, right, bottom): Room) -> bool {
    left <= x && x <= right && top <= y && y <= bottom
}
