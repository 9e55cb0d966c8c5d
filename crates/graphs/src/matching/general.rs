//! General graphs: blossoms.

use crate::NONE;
use crate::rows::Rows;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Label {
    Free,
    /// At even distance from the root, or in a blossom: an outer vertex.
    Even,
    Odd,
}

struct Search<'a> {
    rows: &'a Rows,
    mate: &'a mut [u32],
    label: Vec<Label>,
    /// The step towards the root across the edge that is not in the matching.
    link: Vec<u32>,
    /// Union-find over blossoms; the representative is the base.
    base: Vec<u32>,
    /// Stamps for the search of a common base.
    stamp: Vec<u64>,
    now: u64,
    /// Even vertices whose edges are to be read.
    queue: Vec<u32>,
    /// What to reset after a path was found.
    touched: Vec<u32>,
}

/// Makes a matching maximum, and tells which vertices some maximum matching misses.
///
/// J. Edmonds, "Paths, trees, and flowers", Canad. J. Math. 17 (1965), with the bases of blossoms in a union-find structure
/// (H. N. Gabow, JACM 23, 1976). A tree from which no path leads out is never searched again: its vertices keep their
/// labels, and at the end the even ones of all such trees are those missed by some maximum matching. O(n^3) in the worst
/// case; n x edges when blossoms are few.
pub(super) fn augment(rows: &Rows, mate: &mut [u32]) -> Vec<bool> {
    let n = rows.len();
    let mut search = Search {
        rows,
        mate,
        label: vec![Label::Free; n],
        link: vec![NONE; n],
        base: (0..).take(n).collect(),
        stamp: vec![0; n],
        now: 0,
        queue: Vec::new(),
        touched: Vec::new(),
    };
    for root in (0..).take(n) {
        // A free vertex with a label cannot be: odd ones are matched, even ones hang on a root.
        if search.mate[root as usize] == NONE {
            search.from(root);
        }
    }
    search.label.iter().map(|label| *label == Label::Even).collect()
}

impl Search<'_> {
    fn find(&mut self, v: u32) -> u32 {
        let mut v = v;
        while self.base[v as usize] != v {
            let up = self.base[self.base[v as usize] as usize];
            self.base[v as usize] = up;
            v = up;
        }
        v
    }

    fn set_even(&mut self, v: u32) {
        self.label[v as usize] = Label::Even;
        self.queue.push(v);
        self.touched.push(v);
    }

    /// One search; the matching grows by one edge if a path to another free vertex exists.
    fn from(&mut self, root: u32) {
        self.queue.clear();
        self.touched.clear();
        self.set_even(root);
        let mut done = 0;
        while let Some(&v) = self.queue.get(done) {
            done += 1;
            for &w in self.rows.ends(v) {
                match self.label[w as usize] {
                    Label::Odd => {}
                    Label::Free => {
                        self.label[w as usize] = Label::Odd;
                        self.link[w as usize] = v;
                        self.touched.push(w);
                        match self.mate[w as usize] {
                            NONE => return self.flip_path(w),
                            x => self.set_even(x),
                        }
                    }
                    Label::Even => {
                        let (a, b) = (self.find(v), self.find(w));
                        if a != b {
                            // An even vertex next to an even one is of the same tree: an older tree would have grown.
                            let base = self.common_base(a, b);
                            self.shrink(v, w, base);
                            self.shrink(w, v, base);
                        }
                    }
                }
            }
        }
    }

    /// Matches along the path that ends in the free vertex `end`, and forgets this search.
    fn flip_path(&mut self, end: u32) {
        let mut v = end;
        while v != NONE {
            let up = self.link[v as usize];
            let next = std::mem::replace(&mut self.mate[up as usize], v);
            self.mate[v as usize] = up;
            v = next;
        }
        for &v in &self.touched {
            (self.label[v as usize], self.link[v as usize], self.base[v as usize]) = (Label::Free, NONE, v);
        }
    }

    /// The base of the blossom that an edge between the blossoms of `a` and `b` closes: the two walk to the root in turn.
    fn common_base(&mut self, a: u32, b: u32) -> u32 {
        self.now += 1;
        let (mut a, mut b) = (a, b);
        loop {
            // One of the two may have passed the root; the other then still has to come to a stamp.
            if a != NONE {
                if self.stamp[a as usize] == self.now {
                    return a;
                }
                self.stamp[a as usize] = self.now;
                a = match self.mate[a as usize] {
                    NONE => NONE,
                    mate => {
                        let up = self.link[mate as usize];
                        self.find(up)
                    }
                };
            }
            std::mem::swap(&mut a, &mut b);
        }
    }

    /// Takes the way from `v` up to `base` into the blossom closed by the edge `v - w`.
    fn shrink(&mut self, v: u32, w: u32, base: u32) {
        let (mut v, mut w) = (v, w);
        while self.find(v) != base {
            self.link[v as usize] = w;
            w = self.mate[v as usize];
            if self.label[w as usize] == Label::Odd {
                self.set_even(w);
            }
            for x in [v, w] {
                if self.base[x as usize] == x {
                    self.base[x as usize] = base;
                }
            }
            v = self.link[w as usize];
        }
    }
}
