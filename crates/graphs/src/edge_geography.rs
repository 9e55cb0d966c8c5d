//! Undirected edge geography on bipartite multigraphs: a token goes along edges, none twice; who cannot move loses.
//!
//! The token stands on `at`, on the near side. By A. Fraenkel, E. Scheinerman, D. Ullman, "Undirected edge geography", Theoretical
//! Computer Science 112 (1993), the player to move loses exactly when some set of near vertices has `at` in it and an even
//! number of edges to each far vertex. By duality he wins exactly when some set of far vertices has an odd number of edges to
//! `at` and an even number to each other near vertex: a linear system over the field of two elements, with an unknown for
//! each far vertex. The edge to a far vertex `b` wins exactly when some solution has `b`: taking the edge away changes what
//! the sum at `at` is when `b` is taken, so that the solutions with `b` are the sets that say that `b` loses for who goes on.

use crate::rows::colours;
use crate::{Ends, NONE};

/// Why nothing is said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// What is joined with the token is not bipartite.
    NotBipartite,
    /// The system that is left without its thin parts is too large for elimination.
    TooLarge,
}

/// The greatest number of words of the system that is left, and of steps of its elimination: a second or so.
const WORDS: usize = 1 << 24;
const STEPS: usize = 1 << 33;

/// The indices of the edges by which the player to move wins, ascending; he wins when there is one.
///
/// Equations with one unknown, and unknowns of one equation that are not joined with `at`, are taken out first: trees and
/// paths take O(edges log edges), k equations that are left O(k^3 / 64).
pub fn winning(n: usize, edges: &[Ends], at: u32) -> Result<Vec<u32>, Refusal> {
    let colours = colours(n, edges.iter().copied(), [at].into_iter()).ok_or(Refusal::NotBipartite)?;
    let mut system = System::new(&colours, edges, at);
    if !system.peel() {
        return Ok(Vec::new());
    }
    let Some(can_be) = system.solve()? else { return Ok(Vec::new()) };
    let wins = |&(u, v): &Ends| {
        let other = if u == at { v } else { u };
        (u == at || v == at) && can_be[system.place[other as usize] as usize]
    };
    Ok((0..).zip(edges).filter(|(_, ends)| wins(ends)).map(|(e, _)| e).collect())
}

/// A sparse system; `sum[e]` is 1 for the equation of the token alone.
struct System {
    /// The equation of a near vertex, the unknown of a far one.
    place: Vec<u32>,
    /// The unknowns of each equation, and the equations of each unknown: those joined by an odd number of edges.
    unknowns: Vec<Vec<u32>>,
    equations: Vec<Vec<u32>>,
    sum: Vec<bool>,
    /// How many are left in each; `NONE`: it is taken out.
    width: Vec<u32>,
    height: Vec<u32>,
    /// What an unknown must be, where it is known.
    known: Vec<Option<bool>>,
    /// Whether an unknown is joined with the token.
    asked: Vec<bool>,
}

impl System {
    fn new(colours: &[u8], edges: &[Ends], at: u32) -> System {
        let mut counts = [0_u32; 2];
        let mut place = vec![NONE; colours.len()];
        for (place, &colour) in place.iter_mut().zip(colours).filter(|(_, colour)| **colour != 0) {
            let count = &mut counts[usize::from(colour - 1)];
            *place = *count;
            *count += 1;
        }
        let [near, far] = counts.map(|count| count as usize);
        let mut asked = vec![false; far];
        let mut pairs: Vec<Ends> = Vec::new();
        for &(u, v) in edges.iter().filter(|(u, _)| colours[*u as usize] != 0) {
            let (a, b) = if colours[u as usize] == 1 { (u, v) } else { (v, u) };
            asked[place[b as usize] as usize] |= a == at;
            pairs.push((place[a as usize], place[b as usize]));
        }
        pairs.sort_unstable();
        let (mut unknowns, mut equations) = (vec![Vec::new(); near], vec![Vec::new(); far]);
        for same in pairs.chunk_by(|a, b| a == b).filter(|same| same.len() % 2 == 1) {
            let (a, b) = same[0];
            unknowns[a as usize].push(b);
            equations[b as usize].push(a);
        }
        let mut sum = vec![false; near];
        sum[place[at as usize] as usize] = true;
        let lengths = |rows: &[Vec<u32>]| rows.iter().map(|row| u32::try_from(row.len()).unwrap_or(NONE)).collect();
        let (width, height) = (lengths(&unknowns), lengths(&equations));
        System { place, unknowns, equations, sum, width, height, known: vec![None; far], asked }
    }

    /// Takes out what is thin, until nothing is; `false`: the system has no solution.
    fn peel(&mut self) -> bool {
        let numbers = |len: usize| (0..).take(len);
        let mut thin: Vec<u32> = numbers(self.width.len()).filter(|e| self.width[*e as usize] <= 1).collect();
        let mut low: Vec<u32> = numbers(self.height.len()).filter(|x| self.is_low(*x)).collect();
        loop {
            if let Some(equation) = thin.pop() {
                let e = equation as usize;
                match self.width[e] {
                    NONE => continue,
                    0 if self.sum[e] => return false,
                    1 => {
                        let left = self.unknowns[e].iter().copied().find(|x| self.height[*x as usize] != NONE);
                        if let Some(unknown) = left {
                            self.put(unknown, self.sum[e], &mut thin);
                        }
                    }
                    _ => {}
                }
                self.take_out(equation, &mut low);
            } else if let Some(unknown) = low.pop() {
                if !self.is_low(unknown) {
                    continue;
                }
                // Whatever the others are, this one makes the sum right.
                let of = self.equations[unknown as usize].iter().copied().find(|e| self.width[*e as usize] != NONE);
                self.height[unknown as usize] = NONE;
                if let Some(equation) = of {
                    self.take_out(equation, &mut low);
                }
            } else {
                return true;
            }
        }
    }

    fn is_low(&self, unknown: u32) -> bool {
        self.height[unknown as usize] <= 1 && !self.asked[unknown as usize]
    }

    fn put(&mut self, unknown: u32, value: bool, thin: &mut Vec<u32>) {
        self.height[unknown as usize] = NONE;
        self.known[unknown as usize] = Some(value);
        for &equation in &self.equations[unknown as usize] {
            let e = equation as usize;
            if self.width[e] != NONE {
                self.sum[e] ^= value;
                self.width[e] -= 1;
                if self.width[e] <= 1 {
                    thin.push(equation);
                }
            }
        }
    }

    fn take_out(&mut self, equation: u32, low: &mut Vec<u32>) {
        self.width[equation as usize] = NONE;
        for &unknown in &self.unknowns[equation as usize] {
            let x = unknown as usize;
            if self.height[x] != NONE {
                self.height[x] -= 1;
                if self.height[x] <= 1 {
                    low.push(unknown);
                }
            }
        }
    }

    /// For each unknown that is joined with the token whether some solution has it; `None`: there is no solution.
    fn solve(&self) -> Result<Option<Vec<bool>>, Refusal> {
        let mut columns: Vec<usize> = vec![usize::MAX; self.height.len()];
        let mut count = 0;
        for (column, _) in columns.iter_mut().zip(&self.height).filter(|(_, height)| **height != NONE) {
            *column = count;
            count += 1;
        }
        let left: Vec<usize> = (0..self.width.len()).filter(|e| self.width[*e] != NONE).collect();
        let stride = count / 64 + 1;
        let words = left.len().checked_mul(stride).filter(|words| *words <= WORDS).ok_or(Refusal::TooLarge)?;
        if words.saturating_mul(left.len()) > STEPS {
            return Err(Refusal::TooLarge);
        }
        let mut bits = vec![0_u64; words];
        for (row, &e) in bits.chunks_exact_mut(stride).zip(&left) {
            for &x in self.unknowns[e].iter().filter(|x| self.height[**x as usize] != NONE) {
                let column = columns[x as usize];
                row[column / 64] |= 1 << (column % 64);
            }
            row[count / 64] |= u64::from(self.sum[e]) << (count % 64);
        }
        let Some(pivots) = eliminate(&mut bits, stride, count) else { return Ok(None) };
        let mut row_of = vec![usize::MAX; count];
        for (row, pivot) in pivots.iter().enumerate().filter(|(_, pivot)| **pivot != usize::MAX) {
            row_of[*pivot] = row;
        }
        let can_be = |x: usize| match (self.known[x], columns[x]) {
            (Some(value), _) => value,
            (None, usize::MAX) => false,
            // With other unknowns in its row, or in none, it is free; else it is the sum.
            (None, column) => {
                row_of[column] == usize::MAX || {
                    let row = &bits[row_of[column] * stride..][..stride];
                    let ones: u32 = row.iter().map(|word| word.count_ones()).sum();
                    ones > 1
                }
            }
        };
        Ok(Some((0..self.height.len()).map(|x| self.asked[x] && can_be(x)).collect()))
    }
}

/// Clears the first one of each row from all other rows: the column of that one for each row, `usize::MAX` for a row of zeros.
/// The last column, `sums`, is the right side; `None`: a row says that 0 is 1.
fn eliminate(bits: &mut [u64], stride: usize, sums: usize) -> Option<Vec<usize>> {
    let mut pivots = vec![usize::MAX; bits.len() / stride];
    for (row, pivot) in pivots.iter_mut().enumerate() {
        let (before, rest) = bits.split_at_mut(row * stride);
        let (this, after) = rest.split_at_mut(stride);
        let Some(word) = this.iter().position(|word| *word != 0) else { continue };
        let column = word * 64 + this[word].trailing_zeros() as usize;
        if column == sums {
            return None;
        }
        *pivot = column;
        for other in before.chunks_exact_mut(stride).chain(after.chunks_exact_mut(stride)) {
            if other[word] >> (column % 64) & 1 == 1 {
                for (to, from) in other[word..].iter_mut().zip(&this[word..]) {
                    *to ^= from;
                }
            }
        }
    }
    Some(pivots)
}
