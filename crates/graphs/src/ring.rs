//! A ring of stalks in Hackenbush: which edges give the wanted value when cut.

/// A ring on the ground: `edges[0]`, the piece with value `pieces[1]`, `edges[1]`, ..., the piece with value `pieces[k - 1]`,
/// `edges[k - 1]`, the ground again; `pieces[0]` stands for nothing. The cut is to leave two stalks whose values xor to
/// `target`. One ring after the other is written here, so that none takes memory of its own.
#[derive(Default)]
pub(super) struct Ring {
    pub(super) edges: Vec<u32>,
    pub(super) pieces: Vec<u32>,
    pub(super) target: u32,
    /// Rings inside this one that are still to be looked at: where they begin and end, and their targets.
    open: Vec<(usize, usize, u32)>,
    colour: Vec<bool>,
    other: Vec<(u32, u32)>,
}

impl Ring {
    /// Appends the edges that do it to `found`, and leaves the ring empty. O(k x bits of the values).
    ///
    /// A stalk is `(value above xor value of the piece) + 1` over its edges. Colour the edges so that neighbours have the same
    /// colour iff the piece between them is odd. When `e` is cut, adding 1 carries into the higher bits at just the edges with
    /// the colour of `e`. So in the higher bits the ring is one with the edges of that colour only, pieces between them merged;
    /// the lowest bit of the sum of the stalks is the same for every cut. Both colours are followed, each edge is in one of
    /// them, and when the values have no more bits the colours alternate and halve the ring.
    pub(super) fn cuts(&mut self, found: &mut Vec<u32>) {
        self.open.push((0, self.edges.len(), self.target));
        while let Some((from, to, target)) = self.open.pop() {
            if to - from <= 1 {
                if target == 0 {
                    found.extend_from_slice(&self.edges[from..to]);
                }
                continue;
            }
            self.colour.clear();
            let mut last = false;
            self.colour.push(last);
            for piece in &self.pieces[from + 1..to] {
                last = last == (piece & 1 == 1);
                self.colour.push(last);
            }
            if last == (target & 1 == 1) {
                self.halve(from, to, target >> 1);
            }
        }
        self.edges.clear();
        self.pieces.clear();
    }

    /// The rings of the edges of each colour in the higher bits, in the place of the whole ring.
    fn halve(&mut self, from: usize, to: usize, target: u32) {
        // The xor of the pieces since the last edge of each colour; those before the first and after the last lie on the ground.
        let mut since = [0, 0];
        let mut targets = [target; 2];
        let mut kept = from;
        self.other.clear();
        for i in from..to {
            if i > from {
                let piece = self.pieces[i] >> 1;
                since = [since[0] ^ piece, since[1] ^ piece];
            }
            let colour = usize::from(self.colour[i - from]);
            let piece = std::mem::take(&mut since[colour]);
            if colour == 0 {
                if kept == from {
                    targets[0] ^= piece;
                }
                (self.edges[kept], self.pieces[kept]) = (self.edges[i], piece);
                kept += 1;
            } else {
                if self.other.is_empty() {
                    targets[1] ^= piece;
                }
                self.other.push((self.edges[i], piece));
            }
        }
        for (i, &(edge, piece)) in (kept..).zip(&self.other) {
            (self.edges[i], self.pieces[i]) = (edge, piece);
        }
        for (colour, (from, to)) in [(from, kept), (kept, to)].into_iter().enumerate() {
            if from < to {
                self.open.push((from, to, targets[colour] ^ since[colour]));
            }
        }
    }
}
