//! A decision procedure for first-order statements about natural numbers, by automata on their digits.
//!
//! Numbers are written in base 2, in another base up to 16, or as sums of Fibonacci numbers no two of which are neighbours
//! (Zeckendorf), or of numbers that are made likewise for the square roots of 2 and 13 (Ostrowski). Everywhere there are `+`, multiples by constants, `<` and words of automata; in base 2 exclusive or and bits
//! besides, and for sums of Fibonacci numbers and their like the digits one place higher, of which `floor(x * phi)` is made. Every formula becomes an automaton that accepts what makes it true (Büchi,
//! Weak second-order arithmetic and finite automata, 1960; Mousavi, Schaeffer, Shallit, Decision algorithms for
//! Fibonacci-automatic words, 2016), so a statement is decided for all numbers at once.
//!
//! In: a formula and a limit of states. Out: whether it holds, and the least numbers for which it does not. What
//! formulas speak of, games above all, is not known here.
//!
//! Four things keep automata small, each worth orders of magnitude. Comparisons that the order of the numbers around
//! them decides are left out ([`order`]), which leaves one number of most maxima, minima and sorted
//! lists. Equations are solved for bound variables before there are automata. Of nested statements the bound variable
//! that is cheapest goes first, and whatever speaks of no more variables is joined before one goes. Remainders are
//! atoms of their own: their quotients would be guessed digit by digit.

mod arithmetic;
mod automaton;
mod compile;
mod formula;
mod multiples;
pub mod order;
mod remainders;
mod system;
mod text;

pub use crate::arithmetic::forget;
pub use crate::automaton::{Automaton, Join, Track};
pub use crate::compile::{Solution, compile, least, least_beside, solution};
pub use crate::formula::{Atom, Formula, Linear, Sense};
pub use crate::multiples::without_multiples;
pub use crate::remainders::{by_remainders, odd_divisor};
pub use crate::system::{Limit, Reason, System};
pub use crate::text::{Table, Texts};
