//! A loopy value that is infinite equals no number, wherever numbers are compared (rule of Smith's values; the values here are by
//! hand: 0 and 1 lead to each other, 1 leads to the lost 2 as well, and 3 to itself and to 2).

use crate::program::stdout;

const GAME: &str = "game L(n: nat) {
  move a where n == 0 -> L(1)
  move b where n == 1 -> L(0)
  move c where n == 1 -> L(2)
  move d where n == 3 -> L(3)
  move e where n == 3 -> L(2)
}
game Asks(n: nat, k: nat) {
  move equal where n < 4 and grundy(L(n)) == k -> Asks(4, 0)
}
def all() = [grundy(L(n)) for n in 0..3]
";

const CLAIMS: [&str; 12] = [
    "for n in 0..2: (if grundy(L(n)) == [0, 1, 0][n] then 1 else 2) == 1",
    "for k in 0..9: (if grundy(L(3)) == k then 1 else 2) == 2",
    "for k in 0..9: (if k == grundy(L(3)) then 1 else 2) == 2",
    "for k in 0..9: not (grundy(L(3)) == k)",
    "for k in 0..9: (if all()[3] == k then 1 else 2) == 2",
    "for i in 3..3, k in 0..9: (if all()[i] == k then 1 else 2) == 2",
    "for i in 3..3, k in 0..9: all()[i] != k",
    "for i in 0..2, k in 0..9: (all()[i] == k) iff k == [0, 1, 0][i]",
    "for i in 3..3: all()[i] not in 0..9 and all()[i] not in {0, 1}",
    "[n for n in 0..3 where grundy(L(n)) == 0] == [0, 2]",
    "(if grundy(L(3)) == all()[3] then 1 else 2) == 1",
    "for n in 0..3, k in 0..9: wins(Asks(n, k)) iff n < 3 and k == [0, 1, 0][min(n, 2)]",
];

#[test]
fn no_number_equals_an_infinite_value() {
    let claim = |(i, claim): (usize, &&str)| {
        let colon = if claim.starts_with("for ") { "" } else { ": " };
        format!("claim \"{i}\" {colon}{claim}\n")
    };
    let text = GAME.to_string() + &CLAIMS.iter().enumerate().map(claim).collect::<String>();
    let told = stdout(&text, &["check"]);
    assert_eq!(told.matches("VERIFIED").count(), CLAIMS.len(), "{told}");
}
