//! Games that a line of theirs ends, and statements that fail far out where moves do not make the sum of the numbers smaller: what is
//! proved and refuted is held against a search in the test.

use crate::proved::{USUAL, Verdicts, findings, told};
use crate::rng::Rng;
use crate::rounds;
use grundy::prover::Effort;

fn all(text: &str) -> Vec<String> {
    findings(text, USUAL).iter().map(told).collect()
}

#[test]
fn play_that_goes_beyond_its_end() {
    let text = "game Race[goal](s) { end when s >= goal: lost move add k in 1..3 -> Race(s + k) }
game Down(n: int) { end when n <= 0: lost move down k in 1..2 -> Down(n - k) }
game Below(n: int) { end when n < 0: won move down k in 1..2 -> Below(n - k) }
game Avoid(n: int) { end when n <= 0: won move down k in 1..3 -> Avoid(n - k) }
game Both(n: int) { end when n < -1: won end when n < 0: lost move down k in 1..3 -> Both(n - k) }
claim \"race\" for g in nat: loses(Race[g](0)) iff g mod 4 == 0
claim \"race from s\" for g, s in nat where s <= g: loses(Race[g](s)) iff (g - s) mod 4 == 0
claim \"to 100\" for s in nat where s <= 100: loses(Race[100](s)) iff s mod 4 == 0
claim \"down\" for n in nat: loses(Down(n)) iff n mod 3 == 0
claim \"below\" for n in nat: loses(Below(n)) iff n mod 3 == 0
claim \"below, false\" for n in nat: loses(Below(n)) iff n mod 3 == 1
claim \"avoid\" for n in nat where n > 0: loses(Avoid(n)) iff n mod 4 == 1
claim \"both\" for n in nat: loses(Both(n)) iff n mod 4 == 3
claim \"both, false\" for n in nat: loses(Both(n)) iff n mod 4 == 2
";
    let expected = ["PROVED", "PROVED", "PROVED", "PROVED", "PROVED", "REFUTED n=0", "PROVED", "PROVED", "REFUTED n=2"];
    assert_eq!(all(text), expected);
}

/// Numbers go down from n; at or below some numbers lines of the game say who has won.
#[test]
fn random_games_that_a_line_ends() {
    const COUNT: usize = 80;
    let mut rng = Rng::new(71);
    let mut below = |n: usize| rng.below(n);
    let mut verdicts = Verdicts::default();
    for _ in 0..rounds(120, 4000) {
        let takes: Vec<i64> = (1..5).filter(|_| below(2) == 0).collect();
        if takes.is_empty() {
            continue;
        }
        let mut ends: Vec<(i64, bool)> = Vec::new();
        for end in [-3, -2, -1, 0] {
            if below(2) == 0 {
                ends.push((end, below(2) == 0));
            }
        }
        let lines: String = ends
            .iter()
            .map(|(end, won)| format!(" end when n <= {end}: {}", if *won { "won" } else { "lost" }))
            .collect::<Vec<_>>()
            .concat();
        let set: Vec<String> = takes.iter().map(ToString::to_string).collect();
        // Who has no move has lost, and no move leads beyond -4.
        let wins = |from: i64, known: &dyn Fn(i64) -> bool| match ends.iter().find(|(end, _)| from <= *end) {
            Some((_, won)) => *won,
            None => takes.iter().any(|take| from - take >= -4 && !known(from - take)),
        };
        let mut won = Vec::new();
        for n in -4..i64::try_from(COUNT).expect("few") {
            let now = wins(n, &|at| won[usize::try_from(at + 4).expect("at least -4")]);
            won.push(now);
        }
        let lost = |n: usize| !won[n + 4];
        // A period that holds as far as the test looks, or one that need not.
        let period = (1..9).find(|p| (0..COUNT - 9).all(|n| lost(n) == lost(n + p))).filter(|_| below(4) > 0);
        let period = period.unwrap_or(1 + below(6));
        let rests: Vec<String> = (0..period).filter(|n| lost(*n)).map(|n| n.to_string()).collect();
        let least = (0..COUNT).find(|n| lost(*n) != lost(n % period));
        let text = format!(
            "game G(n: int) where n >= -4 {{{lines} move down k in {{{}}} where n - k >= -4 -> G(n - k) }}
claim \"c\" for n in nat: loses(G(n)) iff n mod {period} in {{{}}}
",
            set.join(", "),
            rests.join(", ")
        );
        verdicts.take(&text, Effort { states: 20_000, tests: 400_000, ..USUAL }, least);
    }
    assert!(verdicts.proved > rounds(40, 1400) && verdicts.refuted > rounds(20, 700), "{verdicts:?}");
    assert!(verdicts.unknown < rounds(30, 1000), "{verdicts:?}");
}

/// A move makes one number smaller and the other greater, so that the first position where a proof fails is not the least
/// counterexample, and need be none: then one that a move leads to is.
#[test]
fn what_fails_somewhere_is_refuted() {
    let game = "game E(a, b) { move left where a > 0 -> E(a - 1, b + 2) move right where b > 0 -> E(a, b - 1)";
    let far = findings(&format!("{game}\n  theorem loses iff (a + b) mod 2 == 0 or a == 100 and b == 77 }}"), USUAL);
    assert_eq!(told(&far[0]), "REFUTED a=100 b=77");
    assert_eq!(far[0].bound.as_deref(), Some("a smaller counterexample may exist"));
    // Here a search finds it, and nothing smaller.
    let near = findings(&format!("{game}\n  theorem loses iff (a + b) mod 2 == 0 and (a, b) != (8, 2) }}"), USUAL);
    assert_eq!(told(&near[0]), "REFUTED a=8 b=2");
    assert_eq!(near[0].bound, None);
    let values = findings(
        &format!("{game}\n  theorem grundy = (a + b) mod 2 + (if a == 99 and b == 1 then 2 else 0) }}"),
        USUAL,
    );
    assert_eq!(told(&values[0]), "REFUTED a=99 b=1");
    let claim = format!("{game} }}\nclaim \"c\" for a, b in nat: loses(E(a, b)) iff (a + b) mod 2 == 0 and a != 90\n");
    assert_eq!(all(&claim), ["REFUTED a=90 b=0"]);
}

#[test]
fn where_the_rules_have_no_value_is_told() {
    let text = "game N(n) { move one -> N(n - 1) }\nclaim \"c\" for n in nat: loses(N(n)) iff n mod 2 == 0\n";
    assert_eq!(all(text), ["UNKNOWN `n` is a nat and cannot be -1"]);
}

#[test]
fn outcomes_and_moves_without_another_closed_form() {
    let text = "game P(n) {
  move take k in 1..3 where k <= n -> P(n - k)
  theorem outcome = \"second\" where n mod 4 == 0
  theorem outcome = \"first\" where n mod 4 > 0
  theorem outcome = \"first\" where n > 2
  theorem winning take for k = n mod 4 where k > 0
}
game Q(n) {
  move take k in 1..3 where k <= n -> Q(n - k)
  theorem winning take for k = n mod 3 where k > 0
}
";
    assert_eq!(all(text), ["PROVED", "PROVED", "REFUTED n=4", "PROVED", "REFUTED n=3"]);
}
